/* nest_buffer.c - buffers of events between the reader thread and the nests.
 *
 * A buffer doubles until it holds NEST_BUFFER_EVENTS. A full one of that size goes to the worker, which returns an
 * empty one; without a worker it is nested at once. Each flush closes the free space (next = end), so that the reader
 * asks for more before it writes again. */
#include "model/nest/nest_buffer.h"

void nest_buffer_init(struct nest_buffer *buffer, struct nest *nest, const struct slice_extra *extra) {
    *buffer = (struct nest_buffer){.nest = nest, .extra = extra};
    nest->extra = extra;
}

void nest_buffer_free(struct nest_buffer *buffer) {
    free(buffer->v);
}

static void place_full(void *ctx, void *run) {
    struct nest *nest = ctx;
    nest_place_run(nest, nest->extra, run, NEST_BUFFER_EVENTS);
}

void nest_buffer_flush(struct nest_buffer *buffer) {
    size_t n = (size_t)(buffer->space.next - buffer->v);
    buffer->space.next = buffer->space.end = buffer->v;
    if (n > 0)
        nest_place_run(buffer->nest, buffer->extra, buffer->v, (uint32_t)n);
}

void nest_buffer_make_space(struct nest_buffer *buffer) {
    size_t n = (size_t)(buffer->space.next - buffer->v);
    if (n < buffer->cap) {
        /* it was closed by a flush */
    } else if (buffer->cap < NEST_BUFFER_EVENTS) {
        buffer->cap = buffer->cap < 8 ? 8 : buffer->cap * 4; /* NEST_BUFFER_EVENTS is one of these */
        buffer->v = err_realloc(buffer->v, buffer->cap, sizeof *buffer->v);
    } else {
        n = 0;
        if (buffer->extra->worker)
            buffer->v = worker_give(buffer->extra->worker, place_full, buffer->nest, buffer->v);
        else
            nest_buffer_flush(buffer);
    }
    buffer->space.next = buffer->v + n;
    buffer->space.end = buffer->v + buffer->cap;
}

void nest_buffer_release(struct nest_buffer *buffer) {
    free(buffer->v);
    buffer->v = buffer->space.next = buffer->space.end = NULL;
    buffer->cap = 0;
}

bool nest_buffer_flush_step(struct nest_buffer *buffer, bool all, struct budget *budget) {
    nest_buffer_flush(buffer);
    if (!nest_flush_late(buffer->nest, buffer->extra, all, budget))
        return false;
    if (all && buffer->nest->late.n == 0)
        vec_free(&buffer->nest->late);
    if (all || buffer->cap > 1024 + buffer->nest->slices / 8) /* of many threads each would keep a large buffer */
        nest_buffer_release(buffer);
    return true;
}
