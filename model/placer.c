/* placer.c - a queue of runs, and the thread that empties it.
 *
 * A run is most of a millisecond of work, so what the lock costs does not show. The queue is as long as the reader may
 * be ahead: it levels out that some stretches of a file are read faster than placed. */
#include "model/placer.h"

#include "src/beside.h"
#include "src/vec.h"

#define QUEUE 16

struct run {
    void (*work)(void *ctx, void *run);
    void *ctx, *bytes;
};

struct placer {
    pthread_mutex_t lock;      /* of all below */
    pthread_cond_t came, went; /* a run: into the queue, out of it */
    pthread_t thread;
    struct run queue[QUEUE]; /* a ring; the first is being worked off */
    unsigned first, n;
    VEC(void *) spare;
    bool alone, running, stop;
};

static void *work(void *ctx) {
    struct placer *p = ctx;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (p->n == 0 && !p->stop)
            pthread_cond_wait(&p->came, &p->lock);
        if (p->n == 0)
            break;
        struct run run = p->queue[p->first];
        pthread_mutex_unlock(&p->lock);
        run.work(run.ctx, run.bytes);
        pthread_mutex_lock(&p->lock);
        vec_push(&p->spare, run.bytes);
        p->first = (p->first + 1) % QUEUE;
        p->n--;
        pthread_cond_signal(&p->went);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

struct placer *placer_new(void) {
    struct placer *p = err_calloc(1, sizeof *p);
    p->alone = !beside_pays();
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->came, NULL);
    pthread_cond_init(&p->went, NULL);
    return p;
}

void placer_free(struct placer *p) {
    if (p == NULL)
        return;
    placer_rest(p);
    pthread_cond_destroy(&p->went);
    pthread_cond_destroy(&p->came);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

void *placer_give(struct placer *p, void (*task)(void *ctx, void *run), void *ctx, void *bytes) {
    if (!p->alone && !p->running) {
        p->stop = false;
        p->running = beside_start(&p->thread, work, p);
        p->alone = !p->running;
    }
    if (p->alone) {
        task(ctx, bytes);
        return bytes;
    }
    pthread_mutex_lock(&p->lock);
    while (p->n == QUEUE)
        pthread_cond_wait(&p->went, &p->lock);
    p->queue[(p->first + p->n++) % QUEUE] = (struct run){task, ctx, bytes};
    void *spare = p->spare.n > 0 ? p->spare.v[--p->spare.n] : NULL;
    pthread_cond_signal(&p->came);
    pthread_mutex_unlock(&p->lock);
    return spare ? spare : err_malloc(PLACER_BYTES);
}

void placer_wait(struct placer *p) {
    pthread_mutex_lock(&p->lock);
    while (p->n > 0)
        pthread_cond_wait(&p->went, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

void placer_rest(struct placer *p) {
    placer_wait(p);
    if (p->running) {
        pthread_mutex_lock(&p->lock);
        p->stop = true;
        pthread_cond_signal(&p->came);
        pthread_mutex_unlock(&p->lock);
        pthread_join(p->thread, NULL);
        p->running = false;
    }
    for (size_t i = 0; i < p->spare.n; i++)
        free(p->spare.v[i]);
    vec_free(&p->spare);
}
