/* trace_remains.c - frees the threads of a trace with their slices, and closes its file.
 *
 * Nothing else refers to them: the model was emptied before. To unmap a file takes as long as it
 * has pages, but the kernel lets other threads go on meanwhile. Without a second processor, or
 * without a thread, the caller frees them. */
#include "model/trace/trace_remains.h"

#ifdef HAVE_MALLOC_TRIM
#include <malloc.h>
#endif
#include <stdlib.h>

#include "src/base/worker.h"
#include "src/io/file.h"

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

static void close_file(void *file) {
    file_close(file);
}

void trace_remains_wait(struct trace_remains *remains) {
    worker_aside_wait(remains->closing);
    remains->closing = NULL;
}

void trace_remains_close(struct trace_remains *remains, struct file *file) {
    trace_remains_wait(remains);
    remains->closing = worker_aside(close_file, file);
}

/* The C library keeps freed memory below any block in use, which may be all of it. */
static void free_trace(void *trace) {
    trace_free(trace);
#ifdef HAVE_MALLOC_TRIM
    malloc_trim(0);
#endif
}

void trace_remains_free(struct trace_remains *remains, struct trace *other) {
    trace_remains_wait(remains);
    remains->closing = worker_aside(free_trace, other);
}

void trace_remains_take(struct trace_remains *remains, struct thread *const *threads, size_t n,
                        bool again) {
    worker_aside_wait(remains->aside);
    remains->aside = NULL;
    vec_reserve(&remains->threads, n);
    for (size_t i = 0; i < n; i++)
        vec_push(&remains->threads, threads[i]);
    if (again)
        remains->aside = worker_aside(free_threads, remains);
    else
        free_threads(remains);
    if (!again)
        trace_remains_wait(remains);
}
