/* event_list.h - all of a trace that has a time, in the order exports print it: by time, then place in the file.
 *
 * Built at once from a whole trace, 48 bytes an entry; valid until the next trace_step(). */
#ifndef FXTOP_EVENT_LIST_H
#define FXTOP_EVENT_LIST_H

#include "model/trace/trace.h"

enum timed_kind {
    TIMED_SLICE,
    TIMED_INSTANT,
    TIMED_COUNTER,
    TIMED_ASYNC,
    TIMED_ASYNC_INSTANT,
    TIMED_SCHED,
    TIMED_STATE,
    TIMED_LOG,
    TIMED_PROFILE,
    TIMED_LOST,
};

struct timed_entry {
    int64_t time; /* ns relative to the reader's base */
    uint64_t offset;
    uint32_t thread; /* or its group, series, CPU, list's place */
    uint32_t row, i; /* counters: the argument's number, the sample's */
    uint32_t depth;
    uint32_t id; /* slices: by time, depth, place in the file */
    uint8_t kind;
    const struct timed_entry *parent; /* slices; NULL: none */
};

struct timed {
    VEC(struct timed_entry) v;
    VEC(uint64_t *) row_start;   /* by thread: place in v of each row's first slice */
    struct timed_entry **order;  /* v.n of them */
    struct timed_entry **slices; /* by id */
    size_t nslices;
};

void timed_init(struct timed *timed, struct trace *trace, bool all); /* all: else slices alone */
void timed_free(struct timed *timed);

/* The slice that an event on a thread is in; NULL: none. */
const struct timed_entry *timed_slice_at(const struct timed *timed, const struct trace *trace, uint32_t thread,
                                         int64_t time);
const struct slice *timed_slice(const struct trace *trace, const struct timed_entry *entry);

#endif
