/* worker.c - a queue of buffers. The worker thread empties it; if it is full, the thread that fills
 * it helps.
 *
 * A buffer is most of a millisecond of work, so the cost of the lock does not matter. Waking a
 * thread costs several microseconds. So the worker sleeps until some buffers wait, and a giver that
 * has to wait sleeps until half the queue is done. The length of the queue limits how far the
 * reader is ahead. It evens out stretches of a file that are read faster than they are nested. */
#include "src/base/worker.h"

#include <string.h>

#include "src/base/own_trace.h"
#include "src/base/thread.h"
#include "src/base/vec.h"

#define QUEUE 16 /* buffers that wait: the reader is at most 3 MiB ahead */
#define WAKE 4   /* buffers that wait when the worker wakes up */

struct given_work {
    void (*work)(void *ctx, void *run);
    void *ctx, *bytes;
};

/* the two threads that work: the worker, and the caller of worker_give() */
enum hand { THREAD, GIVER, HANDS };

struct worker {
    pthread_mutex_t lock;      /* of queue to spare, and stop */
    pthread_cond_t came, went; /* work may be available; work was done */
    pthread_mutex_t shared;    /* worker_lock() */
    pthread_t thread;
    struct given_work queue[QUEUE]; /* in the order of worker_give() */
    unsigned n;
    void *busy[HANDS]; /* ctx of the run that each thread works on, or NULL */
    unsigned few;      /* the giver waits until so few are queued */
    VEC(void *) spare; /* empty buffers */
    bool alone, running, stop;
};

/* Runs the first queued work whose ctx the other thread is not working on; false: there is none.
 * Called with the lock held; releases it during the work. */
static bool work_one(struct worker *p, enum hand hand) {
    unsigned i = 0;
    while (i < p->n && p->queue[i].ctx == p->busy[!hand])
        i++;
    if (i == p->n)
        return false;
    struct given_work run = p->queue[i];
    p->n--;
    memmove(&p->queue[i], &p->queue[i + 1], (p->n - i) * sizeof *p->queue);
    p->busy[hand] = run.ctx;
    pthread_mutex_unlock(&p->lock);
    {
        TRACE_DURATION("load", "index");
        run.work(run.ctx, run.bytes);
    }
    pthread_mutex_lock(&p->lock);
    if (run.bytes)
        vec_push(&p->spare, run.bytes);
    p->busy[hand] = NULL;
    if (hand == GIVER)
        pthread_cond_signal(&p->came);
    else if (p->n <= p->few)
        pthread_cond_signal(&p->went);
    return true;
}

static void *work(void *ctx) {
    struct worker *p = ctx;
    pthread_mutex_lock(&p->lock);
    while (!p->stop)
        if (!work_one(p, THREAD))
            pthread_cond_wait(&p->came, &p->lock);
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* Works until at most n buffers are waiting; for n = 0 also until none is in work. The lock is
 * held. If the giver can work on none, all have the ctx that the worker is at, so it sleeps until
 * half of them are done. */
static void lend_a_hand(struct worker *p, unsigned n) {
    while (p->n > n || (n == 0 && p->busy[THREAD]))
        if (!work_one(p, GIVER)) {
            p->few = n / 2;
            while (p->n > p->few || (p->few == 0 && p->busy[THREAD]))
                pthread_cond_wait(&p->went, &p->lock);
        }
}

struct worker *worker_new(void) {
    struct worker *p = err_calloc(1, sizeof *p);
    p->alone = !thread_worthwhile();
    pthread_mutex_init(&p->lock, NULL);
    pthread_mutex_init(&p->shared, NULL);
    pthread_cond_init(&p->came, NULL);
    pthread_cond_init(&p->went, NULL);
    return p;
}

void worker_free(struct worker *p) {
    if (p == NULL)
        return;
    worker_rest(p);
    pthread_cond_destroy(&p->went);
    pthread_cond_destroy(&p->came);
    pthread_mutex_destroy(&p->shared);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

void *worker_give(struct worker *p, void (*task)(void *ctx, void *run), void *ctx, void *bytes) {
    if (!p->alone && !p->running) {
        p->stop = false;
        p->running = true;
        p->alone = !thread_start(&p->thread, work, p);
        p->running = !p->alone;
    }
    if (p->alone) {
        task(ctx, bytes);
        return bytes;
    }
    pthread_mutex_lock(&p->lock);
    lend_a_hand(p, QUEUE - 1);
    p->queue[p->n++] = (struct given_work){task, ctx, bytes};
    void *spare = bytes && p->spare.n > 0 ? p->spare.v[--p->spare.n] : NULL;
    if (bytes == NULL || p->n >= WAKE)
        pthread_cond_signal(&p->came);
    pthread_mutex_unlock(&p->lock);
    return bytes && spare == NULL ? err_malloc(WORKER_BUFFER_BYTES) : spare;
}

static bool idles(struct worker *p, const void *ctx) {
    pthread_mutex_lock(&p->lock);
    bool is_idle = p->running && p->n < WAKE && p->busy[THREAD] == NULL;
    for (unsigned i = 0; is_idle && i < p->n; i++)
        is_idle = p->queue[i].ctx != ctx;
    pthread_mutex_unlock(&p->lock);
    return is_idle;
}

bool worker_has_time(struct worker *p, const void *ctx) {
    return !p->alone && (!p->running || idles(p, ctx));
}

bool worker_has_little(struct worker *p) {
    pthread_mutex_lock(&p->lock);
    bool little = !p->alone && p->n < WAKE;
    pthread_mutex_unlock(&p->lock);
    return little;
}

void worker_wait(struct worker *p) {
    pthread_mutex_lock(&p->lock);
    pthread_cond_signal(&p->came);
    lend_a_hand(p, 0);
    pthread_mutex_unlock(&p->lock);
}

void worker_rest(struct worker *p) {
    worker_wait(p);
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

void worker_lock(struct worker *p) {
    if (p && p->running)
        pthread_mutex_lock(&p->shared);
}

void worker_unlock(struct worker *p) {
    if (p && p->running)
        pthread_mutex_unlock(&p->shared);
}

struct worker_aside {
    pthread_t thread;
    void (*task)(void *ctx);
    void *ctx;
};

static void *work_aside(void *ctx) {
    const struct worker_aside *aside = ctx;
    aside->task(aside->ctx);
    return NULL;
}

struct worker_aside *worker_aside(void (*task)(void *ctx), void *ctx) {
    struct worker_aside *aside = err_malloc(sizeof *aside);
    *aside = (struct worker_aside){.task = task, .ctx = ctx};
    if (thread_worthwhile() && thread_start(&aside->thread, work_aside, aside))
        return aside;
    free(aside);
    task(ctx);
    return NULL;
}

void worker_aside_wait(struct worker_aside *aside) {
    if (aside)
        pthread_join(aside->thread, NULL);
    free(aside);
}
