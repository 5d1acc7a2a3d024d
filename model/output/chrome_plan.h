/* chrome_plan.h - the events of Chrome's trace event format, in the order of writing: the track of each, and the
 * numbers that processes, threads and operations have there.
 *
 * The plan holds one struct chrome_event for each event that is written, 72 bytes, and the event list of the trace. It
 * is valid until the trace changes. Times are ns relative to the reader's base. */
#ifndef FXTOP_CHROME_PLAN_H
#define FXTOP_CHROME_PLAN_H

#include "model/output/event_list.h"

#define CHROME_NUMBER_MAX (UINT64_C(1) << 31) /* pid and tid are below */

enum chrome_kind {
    CHROME_SLICE,
    CHROME_SLICE_END, /* of a slice that is a pair of begin and end */
    CHROME_FLOW,
    CHROME_INSTANT,
    CHROME_LOG, /* up to here: events of a thread */
    CHROME_COUNTER,
    CHROME_SCHED,
    CHROME_SCHED_END, /* if all slices are pairs */
    CHROME_RUNNING,   /* the state of a thread on a CPU */
    CHROME_STATE,     /* another one */
    CHROME_ASYNC_BEGIN,
    CHROME_ASYNC_END,
    CHROME_ASYNC_INSTANT,
};

struct chrome_event {
    int64_t time;
    uint64_t major, minor; /* order within rank */
    uint8_t rank, kind;
    uint32_t track;                       /* of slices, flows, instants, log records */
    uint32_t point;                       /* of flows */
    uint64_t id;                          /* of flows and async operations */
    const struct event_list_entry *entry; /* of flows: the slice it is in, or NULL */
};

struct chrome_track {         /* a thread, or a second one for slices that overlap on it */
    uint32_t thread, overlap; /* overlap: 0, or the number of the second one */
    uint64_t pid, tid;
    bool pairs; /* its slices are pairs of begin and end, not complete events */
    /* while planning: the latest begin or end of a slice, and whether an instant came after it */
    const struct chrome_event *since;
    bool instant;
};

struct chrome_plan {
    struct trace *trace;
    struct event_list list;
    uint64_t *pids;                  /* by process */
    uint64_t no_pid, cpus_pid;       /* of threads without a process; of the CPUs */
    uint64_t *cpu_tids;              /* by place of the CPU */
    bool pairs;                      /* all slices are pairs of begin and end, those of CPUs, too */
    VEC(struct chrome_track) tracks; /* the first ones are the threads */
    VEC(struct chrome_event) events; /* in the order of writing */
};

void chrome_plan_init(struct chrome_plan *plan, struct trace *trace);
void chrome_plan_free(struct chrome_plan *plan);

/* The track of a thread's own slices. */
const struct chrome_track *chrome_plan_track(const struct chrome_plan *plan, uint32_t thread);

#endif
