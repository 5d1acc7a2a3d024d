/* discard.c - a queue, and a thread that lives while there is something in it. */
#include "src/base/discard.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "src/base/thread.h"
#include "src/base/vec.h"

#define LARGE (1 << 20) /* bytes that take longer to free than to hand over */

struct discarded {
    void (*release)(void *data);
    void *data;
};

static struct {
    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t ended; /* the thread has nothing left */
    VEC(struct discarded) v;
    bool working;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};

static void *work(void *ctx) {
    pthread_mutex_lock(&queue.lock);
    for (size_t i = 0; i < queue.v.n; i++) { /* more may come meanwhile */
        struct discarded next = queue.v.v[i];
        pthread_mutex_unlock(&queue.lock);
        next.release(next.data);
        pthread_mutex_lock(&queue.lock);
    }
    vec_free(&queue.v);
    queue.working = false;
    pthread_cond_broadcast(&queue.ended);
    pthread_mutex_unlock(&queue.lock);
    return ctx;
}

static bool start(void) {
    pthread_t thread;
    if (!thread_start(&thread, work, NULL))
        return false;
    pthread_detach(thread);
    return true;
}

void discard(void (*release)(void *data), void *data) {
    pthread_mutex_lock(&queue.lock);
    queue.working = queue.working || start();
    bool later = queue.working;
    if (later)
        vec_push(&queue.v, ((struct discarded){release, data}));
    pthread_mutex_unlock(&queue.lock);
    if (!later)
        release(data);
}

void discard_memory(void *v, size_t bytes) {
    if (bytes < LARGE)
        free(v);
    else
        discard(free, v);
}

void discard_wait(void) {
    pthread_mutex_lock(&queue.lock);
    while (queue.working)
        pthread_cond_wait(&queue.ended, &queue.lock);
    pthread_mutex_unlock(&queue.lock);
}
