/* chrome_plan.h - the events of Chrome's trace event format, in the order of writing: the track of
 * each, and the numbers that processes, threads and operations have there.
 *
 * The plan is the event list of the trace and 16 bytes an event; the event itself is made when it
 * is asked for. Events of flows and operations take more. It is valid until the trace changes.
 * Times are ns relative to the reader's base. */
#ifndef FXTOP_CHROME_PLAN_H
#define FXTOP_CHROME_PLAN_H

#include "model/output/chrome_stack.h"
#include "model/output/event_list.h"
#include "model/output/lines/chrome_async.h"
#include "model/output/lines/time_order.h"

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
    const struct event_list_entry *entry; /* of flows: the slice it is in, or NULL */
    uint64_t id;                          /* of flows and async operations */
    uint32_t track;                       /* of slices, flows, instants, log records */
    uint32_t point;                       /* of flows */
    uint32_t place; /* of flows, while planning: the place on the track, and enum minor */
    uint8_t minor;
    uint8_t kind;
};

struct chrome_track {         /* a thread, or a second one for slices that overlap on it */
    uint32_t thread, overlap; /* overlap: 0, or the number of the second one */
    uint64_t pid, tid;
    bool pairs; /* its slices are pairs of begin and end, not complete events */
    /* while planning: the latest begin or end of a slice, and whether an instant came after it */
    const struct time_order *since;
    bool instant;
};

struct chrome_plan {
    struct trace *trace;
    struct event_list list;
    uint64_t *pids;                  /* by process */
    uint64_t *no_pids, *cpus_pids;   /* by world: of threads without a process; of the CPUs */
    uint64_t *cpu_tids;              /* by place of the CPU */
    uint64_t rows_pid, *rows_tids;   /* of tracks of rows, and of all their lanes in turn */
    bool pairs;                      /* all slices are pairs of begin and end, those of CPUs, too */
    VEC(struct chrome_track) tracks; /* the first ones are the threads */
    uint32_t *track_of;    /* by index in the list: the track of a slice, instant or log record */
    struct u64map lasting; /* index in the list: chrome_pair_lasts() */
    VEC(struct chrome_event) flows; /* their events */
    struct chrome_operations operations;
    /* of writing: kinds and indexes, which chrome_plan_event() reads */
    VEC(struct time_order) order;
};

void chrome_plan_init(struct chrome_plan *plan, struct trace *trace);
void chrome_plan_free(struct chrome_plan *plan);

/* i < plan->order.n */
struct chrome_event chrome_plan_event(const struct chrome_plan *plan, size_t i);

/* The track of a thread's own slices. */
const struct chrome_track *chrome_plan_track(const struct chrome_plan *plan, uint32_t thread);

/* ---- parts of chrome_plan_init() ---- */

/* chrome_number.c: gives each process, thread and CPU its numbers, and each thread a track. */
void chrome_number_threads(struct chrome_plan *plan, struct chrome_numbers *numbers);

/* chrome_pair.c: the tracks that are pairs of begins and ends in place of complete events, so that
 * fxtop reads the same from them: each damaged record, each instant in its slice. All need the
 * tracks of slices. */
void chrome_pair_damaged(struct chrome_plan *plan);
void chrome_pair_ties(struct chrome_plan *plan);
/* The last one: all tracks, if a slice of no length is a pair. */
void chrome_pair_all(struct chrome_plan *plan);

/* Finds the complete slices that last to the end of time around open ones: an end would close
 * these, so they are complete events on all tracks. */
void chrome_pair_lasting(struct chrome_plan *plan);
bool chrome_pair_lasts(const struct chrome_plan *plan, const struct event_list_entry *slice);

/* The slice that an instant or a log record is in, or NULL. */
const struct event_list_entry *chrome_slice_of_instant(const struct chrome_plan *plan,
                                                       const struct event_list_entry *e);

#endif
