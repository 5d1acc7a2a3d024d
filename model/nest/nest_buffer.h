/* nest_buffer.h - the event buffer of one thread: filled by the reader thread, nested as a whole
 * (nest.h).
 *
 * The buffer belongs to the reader thread, the nest to the worker from the time that a buffer was
 * handed over until worker_wait(). nest_buffer_flush() and nest_buffer_flush_late() need an
 * idle worker. */
#ifndef FXTOP_NEST_BUFFER_H
#define FXTOP_NEST_BUFFER_H

#include "model/nest/nest.h"
#include "model/nest/nest_chunks.h"
#include "src/base/worker.h"

/* Events that are nested together, at most. Slices that reach over the end of a buffer cost more;
 * larger buffers leave the cache, or keep the other thread waiting (src/base/worker.h). */
#define NEST_BUFFER_EVENTS (WORKER_BUFFER_BYTES / (uint32_t)sizeof(struct duration) - 1)

struct nest_buffer {
    struct duration *v; /* events that are not nested so far */
    uint32_t cap;       /* space for so many of them is in use, <= NEST_BUFFER_EVENTS */
    bool block;         /* v is a buffer of the worker: it has space for NEST_BUFFER_EVENTS */
    struct duration_buffer space; /* free space of `v` */
    /* those of a thread of a crowd (model/trace/crowd.h), whose `v` is empty */
    struct nest_chunks chunks;
    struct nest *nest; /* where the events go */
    const struct slice_extra *extra;
};

void nest_buffer_init(struct nest_buffer *buffer, struct nest *nest,
                      const struct slice_extra *extra);
void nest_buffer_free(struct nest_buffer *buffer); /* with the events in it */

/* Makes space for at least one event: reopens the space after a flush, grows the buffer, or hands
 * it to the worker. */
void nest_buffer_make_space(struct nest_buffer *buffer);
/* Adds an event to the chunks; nests those before it if these are full. */
void nest_buffer_add_packed(struct nest_buffer *buffer, const struct duration *event);
/* events that are not nested so far, or a few more */
uint32_t nest_buffer_count(const struct nest_buffer *buffer);

/* end: of complete events. name: 0 if the record of an end has an empty one. */
static inline struct duration nest_buffer_event(enum nest_event event, int64_t time, int64_t end,
                                                uint64_t offset, uint32_t name) {
    int64_t dur = event == NEST_BEGIN ? DURATION_BEGINS : DURATION_ENDS;
    if (event == NEST_COMPLETE)
        dur = end - time;
    return (struct duration){time, dur, event_pack(offset, name)};
}

/* Adds the next event in file order. */
static inline void nest_buffer_add(struct nest_buffer *buffer, enum nest_event event, int64_t time,
                                   int64_t end, uint64_t offset, uint32_t name) {
    if (buffer->space.next == buffer->space.end)
        nest_buffer_make_space(buffer);
    *buffer->space.next++ = nest_buffer_event(event, time, end, offset, name);
}

/* Nests the events in the buffer. May run on the worker, too: it uses nothing but this thread's
 * structures. */
void nest_buffer_flush(struct nest_buffer *buffer);

/* Frees the buffer, which is empty, until the next event comes. */
void nest_buffer_release(struct nest_buffer *buffer);

/* Flushes, then nests late events (nest_flush_late()). Releases a buffer that is large for its
 * thread. False: the task is cancelled. */
bool nest_buffer_flush_late(struct nest_buffer *buffer, bool all, struct task *task);

#endif
