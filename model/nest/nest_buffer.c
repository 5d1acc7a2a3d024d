/* nest_buffer.c - buffers of events between the reader thread and the nests.
 *
 * A buffer grows until it holds NEST_BUFFER_EVENTS. A full one of that size goes to the worker,
 * which returns an empty one; without a worker it is nested at once. A worker that has nothing to
 * do gets it with LEAST events, one that has little to do with SOME: with 400 threads no buffer
 * would be full before 100 MB were read. Smaller buffers also stay in the caches of both
 * processors. The threads of a crowd have chunks instead (nest_chunks.h).
 *
 * Each flush closes the free space (next = end), so that the reader asks for more before it writes
 * again. */
#include "model/nest/nest_buffer.h"

#include <assert.h>

void nest_buffer_init(struct nest_buffer *buffer, struct nest *nest,
                      const struct slice_extra *extra) {
    *buffer = (struct nest_buffer){.nest = nest, .extra = extra};
    nest->extra = extra;
}

void nest_buffer_free(struct nest_buffer *buffer) {
    free(buffer->v);
    nest_chunks_free(&buffer->chunks);
}

uint32_t nest_buffer_count(const struct nest_buffer *buffer) {
    return (buffer->v ? (uint32_t)(buffer->space.next - buffer->v) : 0) +
           nest_chunks_entries(&buffer->chunks);
}

/* events that are worth handing over; a buffer for fewer takes no more memory than they do */
#define LEAST 512
/* events, of a buffer for a worker with little to do; always, they would cost it a sixth more */
#define SOME 2048

/* A buffer that was handed over. */
struct given {
    struct duration v[NEST_BUFFER_EVENTS];
    uint32_t n;
};

static_assert(sizeof(struct given) <= WORKER_BUFFER_BYTES,
              "the worker returns buffers of this size");

static void place_given(void *ctx, void *run) {
    struct nest *nest = ctx;
    const struct given *given = run;
    nest_place_run(nest, nest->extra, given->v, given->n);
}

static void flush_chunks(struct nest_buffer *buffer) {
    struct duration *v = err_malloc(nest_chunks_entries(&buffer->chunks) * sizeof *v);
    uint32_t n = nest_chunks_take(&buffer->chunks, v);
    nest_place_run(buffer->nest, buffer->extra, v, n);
    free(v);
}

void nest_buffer_flush(struct nest_buffer *buffer) {
    size_t n = (size_t)(buffer->space.next - buffer->v);
    buffer->space.next = buffer->space.end = buffer->v;
    if (n > 0)
        nest_place_run(buffer->nest, buffer->extra, buffer->v, (uint32_t)n);
    if (buffer->chunks.first)
        flush_chunks(buffer);
}

void nest_buffer_add_packed(struct nest_buffer *buffer, const struct duration *event) {
    if (nest_chunks_add(&buffer->chunks, event) || nest_chunks_add_far(&buffer->chunks, event))
        return;
    flush_chunks(buffer);
    nest_chunks_add_far(&buffer->chunks, event);
}

static void open_space(struct nest_buffer *buffer, size_t n) {
    buffer->space.next = buffer->v + n;
    buffer->space.end = buffer->v + buffer->cap;
}

/* Reopens the space, or makes it four times as large: 8, 32, 128, 512 events. */
static void grow(struct nest_buffer *buffer) {
    size_t n = (size_t)(buffer->space.next - buffer->v);
    if (n == buffer->cap) {
        buffer->cap = buffer->cap < 8 ? 8 : buffer->cap * 4;
        buffer->v = err_realloc(buffer->v, buffer->cap, sizeof *buffer->v);
    }
    open_space(buffer, n);
}

/* True if the worker should get a buffer that is not full. */
static bool wanted(const struct nest_buffer *buffer) {
    struct worker *worker = buffer->extra->worker;
    return worker && (worker_has_time(worker, buffer->nest) ||
                      (buffer->cap >= SOME && worker_has_little(worker)));
}

void nest_buffer_make_space(struct nest_buffer *buffer) {
    size_t n = (size_t)(buffer->space.next - buffer->v);
    struct worker *worker = buffer->extra->worker;
    if (buffer->cap < LEAST) {
        grow(buffer); /* LEAST is one of its sizes */
        return;
    }
    if (n == buffer->cap && !buffer->block) {
        buffer->v = err_realloc(buffer->v, WORKER_BUFFER_BYTES, 1);
        buffer->block = true;
    }
    if (n < buffer->cap) {
        /* it was closed by a flush */
    } else if (buffer->cap < NEST_BUFFER_EVENTS && !wanted(buffer)) {
        buffer->cap = buffer->cap < NEST_BUFFER_EVENTS / 2 ? buffer->cap * 2 : NEST_BUFFER_EVENTS;
    } else if (worker) {
        ((struct given *)buffer->v)->n = (uint32_t)n;
        buffer->v = worker_give(worker, place_given, buffer->nest, buffer->v);
        buffer->cap = LEAST;
        n = 0;
    } else {
        nest_buffer_flush(buffer);
        n = 0;
    }
    open_space(buffer, n);
}

void nest_buffer_release(struct nest_buffer *buffer) {
    free(buffer->v);
    buffer->v = buffer->space.next = buffer->space.end = NULL;
    buffer->cap = 0;
    buffer->block = false;
}

bool nest_buffer_flush_late(struct nest_buffer *buffer, bool all, struct task *task) {
    nest_buffer_flush(buffer);
    if (!nest_flush_late(buffer->nest, buffer->extra, all, task))
        return false;
    if (all && buffer->nest->late.n == 0)
        vec_free(&buffer->nest->late);
    /* many threads would keep one each */
    if (all || (buffer->block && buffer->nest->slices < 7 * NEST_BUFFER_EVENTS))
        nest_buffer_release(buffer);
    return true;
}
