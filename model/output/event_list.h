/* event_list.h - everything in a trace that has a time, in the order of exports: by time, then
 * offset in the file.
 *
 * Built at once from a complete trace. Costs 48 bytes an entry and 16 more for the two orders.
 * Valid until the next trace_step(). Times are ns relative to the reader's base. */
#ifndef FXTOP_EVENT_LIST_H
#define FXTOP_EVENT_LIST_H

#include "model/query/stat/question.h"
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

enum event_list_left_out { /* by event_list_keep() */
                           EVENT_LIST_IN,
                           EVENT_LIST_OUT,
                           EVENT_LIST_BESIDE, /* out, but another series of the same record is in */
};

struct event_list_entry {
    int64_t time;
    uint64_t offset; /* of its record */
    /* number; or index of the async group, counter series, CPU, scheduled thread */
    uint32_t thread;
    /* slices, operations: row and index; counters: argument and sample; else i: index in its
     * list */
    uint32_t row, i;
    uint32_t depth; /* of slices */
    uint32_t id;    /* of slices: numbered by time, depth, offset */
    uint8_t kind;
    uint8_t left_out;                      /* enum event_list_left_out */
    const struct event_list_entry *parent; /* of slices; NULL: none */
};

struct event_list {
    VEC(struct event_list_entry) v;
    VEC(uint64_t *) row_start;       /* by thread: index in v of each row's first slice */
    struct event_list_entry **order; /* entries as exports print them */
    size_t norder;                   /* v.n, unless event_list_keep() left some out */
    bool filtered;
    VEC(unsigned char) flows;         /* if filtered: by number, whether it is kept */
    struct event_list_entry **slices; /* by id */
    size_t nslices;
};

/* all: every kind; else slices alone. */
void event_list_init(struct event_list *list, struct trace *trace, bool all);
/* Leaves in `order` only what a question asks for, if that is not everything: entries that overlap
 * its range, are on its tracks, and fit its filter. A flow lasts from its first to its last point
 * and is on their tracks. Ids and parents stay those of the whole trace. */
/* may be NULL */
void event_list_keep(struct event_list *list, struct trace *trace, const struct question *asked);
static inline bool event_list_keeps_flow(const struct event_list *list, size_t flow) {
    return !list->filtered || list->flows.v[flow];
}
/* Entry i of a series, but for depth and id; not of flows. */
struct event_list_entry event_list_entry_of(const struct slice_series *series, uint32_t i);
/* Whether an entry overlaps a range and is on its tracks; and a flow, which lasts from its first to
 * its last point. */
bool event_list_asked(struct trace *trace, const struct range *range,
                      const struct event_list_entry *entry);
bool event_list_flow_asked(const struct trace *trace, const struct range *range,
                           const struct flow *flow);
void event_list_free(struct event_list *list);

/* The slice that a point belongs to; NULL: there is none. */
const struct event_list_entry *event_list_point_slice(const struct event_list *list,
                                                      const struct trace *trace,
                                                      const struct trace_point *point);
const struct lane *event_list_row(const struct trace *trace, const struct event_list_entry *entry);
/* Points to the slice of an entry, or to that of an async operation: a copy, as that of
 * lane_at(). */
#define event_list_slice(trace, entry) lane_at(event_list_row((trace), (entry)), (entry)->i)
const struct lane *event_list_group_row(const struct trace *trace,
                                        const struct event_list_entry *entry);
#define event_list_operation(trace, entry)                                                         \
    lane_at(event_list_group_row((trace), (entry)), (entry)->i)
/* A thread as exports identify it: pid and tid, tid alone, or neither; then by its provider, if
 * that was declared. */
struct event_list_identity {
    bool has_pid, has_tid;
    uint64_t pid, tid;
    const struct provider *provider; /* NULL: has_tid, or the provider is implicit */
};
struct event_list_identity event_list_identity(const struct trace *trace,
                                               const struct thread *thread);

#endif
