/* event_list.h - all of a trace that has a time, in the order exports print it: by time, then place in the file.
 *
 * Built at once from a whole trace, 48 bytes an entry; valid until the next trace_step(). */
#ifndef FXTOP_EVENT_LIST_H
#define FXTOP_EVENT_LIST_H

#include "model/trace/trace.h"

enum event_list_kind {
    EVENT_LIST_SLICE,
    EVENT_LIST_INSTANT,
    EVENT_LIST_COUNTER,
    EVENT_LIST_ASYNC,
    EVENT_LIST_ASYNC_INSTANT,
    EVENT_LIST_SCHED,
    EVENT_LIST_STATE,
    EVENT_LIST_LOG,
    EVENT_LIST_PROFILE,
    EVENT_LIST_LOST,
};

struct event_list_entry {
    int64_t time; /* ns relative to the reader's base */
    uint64_t offset;
    uint32_t thread; /* or its group, series, CPU, list's place */
    uint32_t row, i; /* counters: the argument's number, the sample's */
    uint32_t depth;
    uint32_t id; /* slices: by time, depth, place in the file */
    uint8_t kind;
    const struct event_list_entry *parent; /* slices; NULL: none */
};

struct event_list {
    VEC(struct event_list_entry) v;
    VEC(uint64_t *) row_start;        /* by thread: place in v of each row's first slice */
    struct event_list_entry **order;  /* v.n of them */
    struct event_list_entry **slices; /* by id */
    size_t nslices;
};

void event_list_init(struct event_list *timed, struct trace *trace, bool all); /* all: else slices alone */
void event_list_free(struct event_list *timed);

/* The slice that an event on a thread is in; NULL: none. */
const struct event_list_entry *event_list_slice_at(const struct event_list *timed, const struct trace *trace,
                                                   uint32_t thread, int64_t time);
const struct slice *event_list_slice(const struct trace *trace, const struct event_list_entry *entry);
/* A thread as exports identify it: pid and tid, tid alone, or neither; then by its provider, if that was declared. */
struct event_list_identity {
    bool has_pid, has_tid;
    uint64_t pid, tid;
    const struct provider *provider; /* NULL: has_tid, or the provider is implicit */
};
struct event_list_identity event_list_identity(const struct trace *trace, const struct thread *thread);

/* The slice of an async operation. */
const struct slice *event_list_operation(const struct trace *trace, const struct event_list_entry *entry);

#endif
