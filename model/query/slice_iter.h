/* slice_iter.h - the slices of a trace in runs: of all tracks or one, of a stretch of time, in
 * steps; and the series of all events.
 *
 * A series is one row of slices, or the instants, of a thread or of a group of async operations.
 * Samples, states, log records and points of flows are series, too. Series come in (track, row)
 * order, the instants of a track after its rows. Tracks are the threads by number, without hidden
 * ones (trace_thread_hidden()), then the async groups, series of counters, scheduled threads, the
 * log, the flows. Entries of a series are sorted by time. A series has all entries; runs are for
 * statistics: they leave out slices with a damaged time (trace_damaged_slice()).
 *
 * Both iterators hold no memory and need no free. They are valid until the trace changes; a caller
 * that works in steps compares trace_version(). Times are ns relative to the reader's base. */
#ifndef FXTOP_SLICE_ITER_H
#define FXTOP_SLICE_ITER_H

#include "model/query/track_set.h"
#include "model/trace/trace_life.h"
#include "src/base/task.h"

enum slice_iter_kind { /* a set of bits */
                       SLICE_ITER_SLICES = 1,
                       SLICE_ITER_INSTANTS = 2, /* of threads */
                       SLICE_ITER_OPERATIONS = 4,
                       SLICE_ITER_ASYNC_INSTANTS = 8,
                       SLICE_ITER_COUNTERS = 16, /* samples of a series */
                       SLICE_ITER_STATES = 32,   /* scheduling states of a thread */
                       SLICE_ITER_LOGS = 64,
                       SLICE_ITER_FLOWS = 128, /* points */
};

#define SLICE_ITER_ASYNC                                                                           \
    (UINT32_C(1) << 31) /* track: SLICE_ITER_ASYNC + place of the group; below: a thread's number */
#define SLICE_ITER_COUNTER_TRACK UINT32_C(0xc0000000) /* + the number of the series */
#define SLICE_ITER_STATE_TRACK UINT32_C(0xd0000000)   /* + the place of the scheduled thread */
#define SLICE_ITER_LOG_TRACK UINT32_C(0xe0000000)
#define SLICE_ITER_FLOW_TRACK UINT32_C(0xe0000001)
#define SLICE_ITER_INSTANT_ROW UINT32_MAX
/* the most slices of a run, which ends at a multiple of this or of the row */
#define SLICE_ITER_RUN 64u

struct slice_series { /* one of the pointers is set */
    const struct lane *lane;
    const struct instant *instants;
    const struct async_instant *async_instants;
    const struct counter_series *counter; /* its samples are sorted */
    const struct occurrence *logs;
    const struct flows *flows;
    uint32_t n;    /* > 0 */
    unsigned kind; /* enum slice_iter_kind */
    uint32_t track, row;
};

/* Time and record of entry i of a series. */
int64_t slice_iter_time(const struct slice_series *series, uint32_t i);
uint64_t slice_iter_offset(const struct slice_series *series, uint32_t i);

/* The first series of those kinds at or after (*track, *row), from 0, 0 on; moves both past it.
 * False at the end. The track and row of a series lead to it again. */
bool slice_iter_series(const struct trace *trace, unsigned kinds, uint32_t *track, uint32_t *row,
                       struct slice_series *series);

/* The slices of a row that overlap [from, to): numbers [*first, *last). Slices of no length overlap
 * if they start in it. A to of INT64_MAX is after all. */
void slice_iter_window(const struct lane *lane, int64_t from, int64_t to, uint32_t *first,
                       uint32_t *last);

/* Moves *i past damaged slices, to `end` at most. Returns the end of the undamaged ones from there
 * on. */
uint32_t slice_iter_sound(const struct trace *trace, const struct lane *lane, uint32_t *i,
                          uint32_t end);

struct slice_set {  /* which slices */
    unsigned kinds; /* SLICE_ITER_SLICES, SLICE_ITER_OPERATIONS */
    uint32_t track; /* NO_THREAD: all */
    int64_t from, to;
    const struct track_set *tracks; /* NULL: all; borrowed */
    bool times;     /* names and times of the slices are asked alone (lane_copy_times()) */
    uint32_t named; /* 0: all; else runs without a slice of this name, + 1, may be left out */
    /* A filter of slices for aggregates, such as filter_match_slice(); NULL: all. */
    bool (*has)(void *ctx, uint32_t track, uint32_t row, uint32_t i);
    void *ctx;
};

/* The slices of a track (NO_THREAD: of all) in [since, until). */
#define SLICE_SET(kind, of, since, until)                                                          \
    ((struct slice_set){.kinds = (kind), .track = (of), .from = (since), .to = (until)})
#define SLICE_SET_ALL(kind) SLICE_SET(kind, NO_THREAD, INT64_MIN, INT64_MAX)

struct left_out {             /* with damaged times */
    uint64_t slices;          /* and operations */
    uint64_t states;          /* of threads */
    uint64_t hops;            /* of flows */
    struct trace_unset unset; /* how many of each are so for an unset time (SEMANTICS 4.8) */
};
static inline bool left_out_any(struct left_out n) {
    return n.slices + n.states + n.hops > 0;
}
/* The number of damaged slices and states, of any time, of a set: an answer about it leaves them
 * out. Its tracks are threads, and a filter is one of slices alone. Hops are in no set. */
struct left_out slice_iter_left_out(const struct trace *trace, const struct slice_set *set);
struct left_out slice_iter_left_out_all(const struct trace *trace);
/* "damaged", "unset", "damaged or unset". */
const char *slice_iter_left_out_word(struct left_out n);
/* "1 slice with a damaged time", "1 slice, 2 states and 3 hops with damaged or unset times".
 * Returns buf. */
const char *slice_iter_with_text(struct left_out n, char buf[120]);
/* "1 slice with a damaged time is left out". Returns buf. */
const char *slice_iter_left_out_text(struct left_out n, char buf[120]);

#define SLICE_ITER_OPEN_TEXT 300 /* bytes */
/* "1 slice of request has no end and has lasted 60.00 s: longer than all that ended"; n: slices
 * without an end, the longest so far. Without a time: "..: durations are of those that ended". Safe
 * to print. Returns buf. */
const char *slice_iter_open_text(const char *noun, struct str name, uint64_t n,
                                 const int64_t *lasted, bool ascii, char buf[SLICE_ITER_OPEN_TEXT]);

struct slice_iter {
    const struct trace *trace;
    struct slice_set set;
    uint32_t track, row;        /* of the next series */
    struct slice_series series; /* current one; n = 0: none */
    uint32_t i, end;            /* entries left of it */
    struct slice room[SLICE_ITER_RUN];
};

struct slice_run { /* n slices, from number i of a row on; valid until the next call */
    const struct slice *v;
    uint32_t n, i;
    uint32_t track, row;
};

void slice_iter_init(struct slice_iter *iter, const struct trace *trace,
                     const struct slice_set *set);

/* The next run. False at the end, or if the task is over: then the next call continues. A run
 * costs one unit and one more for each 32 of SLICE_ITER_RUN slices, for a caller that only compares
 * them. */
bool slice_iter_next(struct slice_iter *iter, struct task *task, struct slice_run *run);
/* Copies slices of a row as the set asks for them. */
static inline void slice_iter_copy(const struct slice_set *set, const struct lane *lane, uint32_t i,
                                   uint32_t n, struct slice *to) {
    (set->times ? lane_copy_times : lane_copy)(lane, i, n, to);
}
/* The end of a slice of a track, for sums: an open one ends with its thread (trace_life.h), an
 * operation with the trace. */
static inline int64_t slice_iter_end(const struct trace *trace, uint32_t track,
                                     const struct slice *s) {
    if (!slice_endless(s))
        return s->start + slice_dur(s);
    return track < SLICE_ITER_ASYNC ? trace_open_end(trace, track, s->start) : trace_end(trace);
}
/* Whether the time of a slice of a thread may be that of slices below the next row: some overlap in
 * part, or one with a damaged time covers nothing. In constant time. */
bool slice_iter_displaced(const struct trace *trace, uint32_t thread);
/* Whether that is so, or some do not end with their parents, by the ends for sums. This looks for
 * open slices on each row. */
bool slice_iter_overlaps(const struct trace *trace, uint32_t thread);
/* The slices of a row of a track that a set asks for, in its time alone, by the ends for sums:
 * numbers [*first, *last). */
void slice_iter_row(const struct trace *trace, const struct slice_set *set, uint32_t track,
                    const struct lane *lane, uint32_t *first, uint32_t *last);
static inline bool slice_iter_done(const struct slice_iter *iter) {
    return iter->track == UINT32_MAX;
}

#endif
