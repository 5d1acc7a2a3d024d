/* crowd.c - moves the durations of many threads to the event buffers of these threads.
 *
 * They are packed there until a thread has NEST_CHUNKS_ENTRIES (model/nest/nest_chunks.h). Then
 * they are nested. */
#include "model/trace/crowd.h"

#include <assert.h>
#include <stdlib.h>

#define RUN_EVENTS 7000u /* they fit into WORKER_BUFFER_BYTES */
#define AHEAD 12 /* events: so early the buffer is fetched, and half of it later its free space */

struct crowd_run {
    uint32_t n;
    uint32_t threads[RUN_EVENTS]; /* numbers */
    struct duration v[RUN_EVENTS];
};

static_assert(sizeof(struct crowd_run) <= WORKER_BUFFER_BYTES,
              "the worker returns buffers of this size");

void crowd_init(struct crowd *crowd, struct thread ***threads, struct worker *worker) {
    *crowd = (struct crowd){.threads = threads, .worker = worker};
}

void crowd_free(struct crowd *crowd) {
    free(crowd->run);
    vec_free(&crowd->touched);
    crowd_init(crowd, crowd->threads, crowd->worker);
}

static __attribute__((noinline)) void add(struct crowd *crowd, struct thread *t,
                                          const struct duration *event) {
    if (!t->touched) {
        t->touched = true;
        vec_push(&crowd->touched, t->number);
    }
    nest_buffer_add_packed(&t->buffer, event);
}

/* Moves the events of a run. On the worker. */
static void place(void *ctx, void *bytes) {
    struct crowd *crowd = ctx;
    const struct crowd_run *run = bytes;
    struct thread *const *threads = *crowd->threads;
    for (uint32_t i = 0, n = run->n; i < n; i++) {
        if (i + AHEAD < n)
            __builtin_prefetch(&threads[run->threads[i + AHEAD]]->buffer.chunks);
        if (i + AHEAD / 2 < n)
            __builtin_prefetch(threads[run->threads[i + AHEAD / 2]]->buffer.chunks.next, 1);
        struct thread *t = threads[run->threads[i]];
        if (!nest_chunks_add(&t->buffer.chunks, &run->v[i]))
            add(crowd, t, &run->v[i]);
    }
}

static void start(struct crowd *crowd) {
    struct crowd_run *run = crowd->run;
    crowd->space = (struct duration_buffer){run->v, run->v + RUN_EVENTS, run->threads, NULL};
}

static void count(struct crowd *crowd) {
    crowd->run->n = (uint32_t)(crowd->space.next - crowd->run->v);
}

void crowd_make_space(struct crowd *crowd) {
    if (crowd->run)
        count(crowd);
    crowd->run = crowd->run ? worker_give(crowd->worker, place, crowd, crowd->run)
                            : err_malloc(WORKER_BUFFER_BYTES);
    start(crowd);
}

void crowd_flush(struct crowd *crowd) {
    if (crowd->run == NULL)
        return;
    count(crowd);
    place(crowd, crowd->run);
    start(crowd);
}
