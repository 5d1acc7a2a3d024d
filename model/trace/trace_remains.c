/* trace_remains.c - frees the threads of a trace with their slices.
 *
 * Nothing else refers to them: the model was emptied before. Without a second processor, or without a thread, the
 * caller frees them. */
#include "model/trace/trace_remains.h"

#include <stdlib.h>

#include "src/base/worker.h"

static void free_threads(void *ctx) {
    struct trace_remains *remains = ctx;
    for (size_t i = 0; i < remains->threads.n; i++) {
        struct thread *t = remains->threads.v[i];
        nest_buffer_free(&t->buffer);
        nest_free(&t->nest);
        nest_enclosing_cache_free(&t->enclosing);
        vec_free(&t->instants);
        vec_free(&t->providers);
        free(t);
    }
    vec_free(&remains->threads);
}

void trace_remains_take(struct trace_remains *remains, struct thread *const *threads, size_t n, bool again) {
    worker_aside_wait(remains->aside);
    remains->aside = NULL;
    vec_reserve(&remains->threads, n);
    for (size_t i = 0; i < n; i++)
        vec_push(&remains->threads, threads[i]);
    if (again)
        remains->aside = worker_aside(free_threads, remains);
    else
        free_threads(remains);
}
