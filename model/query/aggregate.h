/* aggregate.h - slices, or other durations, added up by key: count, open ones, total, self, and
 * exact quantiles; and events of any kind, counted with the running counts that ranks need.
 *
 * A key is a name and up to two more numbers (thread, process; the two ends of a hop). Rows are
 * numbered in the order in which their keys first occur; a pointer to one is valid until the next
 * row is added. Work is done in steps: first slices or single durations are added, then
 * aggregate_sort() orders the durations, and from then on quantiles may be asked. Times are ns.
 * Nothing here knows versions: the owner starts again when the trace has changed.
 *
 * A set of slices (slice_iter.h) has a stretch of time, tracks, and a filter. Count, total and self
 * are of the part of slices in that time; durations are whole, and of slices that have ended. Total
 * is the time covered by at least one slice of the row, track by track. Self is the time in which a
 * slice of the row is the last in nesting order that covers (SEMANTICS 6.9). The filter of a set
 * selects the slices that are added, never those that nest. */
#ifndef FXTOP_AGGREGATE_H
#define FXTOP_AGGREGATE_H

#include "model/query/sample_counts.h"
#include "model/query/slice_order.h"
#include "src/base/map.h"
#include "src/base/quantiles.h"
#include "src/base/time/sum.h"
#include "src/base/worker.h"

struct aggregate_key {
    uint32_t name, a, b; /* numbers that the key does not use are 0 */
};

struct aggregate_row {
    struct aggregate_key key;
    uint32_t tracks;            /* distinct tracks of its slices */
    uint32_t last_track;        /* the latest one + 1; slices come track by track */
    bool scheduled;             /* a track of it has scheduling, so `running` is known */
    bool sampled;               /* a track of it is sampled (trace_find_sampled()) */
    uint64_t count;             /* slices, open ones included; or durations */
    uint64_t open;              /* slices that have not ended */
    struct sum sum;             /* of whole durations, of slices that have ended */
    int64_t least, most;        /* of these durations; meaningful if count > open */
    int64_t lasted;             /* of the open slices the longest so far (SEMANTICS 6.8) */
    struct sum total, self;     /* by aggregate_nested(): covered time */
    struct sum running;         /* of the covered time, if it is asked for */
    int64_t reach;              /* greatest end on the latest track */
    uint64_t samples;           /* of a profiler, in at least one slice of the row */
    uint64_t counted;           /* on the latest track: the number after the last one of these */
    /* by sample_rows_add(): samples that it is the innermost frame of; off-CPU time in a slice of
     * the row; the latest blocked sample of that */
    uint64_t self_samples;
    struct sum off;
    uint64_t blocked;
    struct quantiles durations; /* if they are kept; ids: 0, or the caller's */
};

enum aggregate_by { /* the key of a slice */
                    AGGREGATE_NAME,
                    AGGREGATE_NAME_TRACK, /* a: the track (slice_iter.h) */
                    /* a: place of the process, or NO_PROCESS; of an async group, the group's */
                    AGGREGATE_NAME_PROCESS,
                    AGGREGATE_NAME_PART, /* a: what part() gives for the track */
                    /* a number that group() gives, in place of the name: few and small ones */
                    AGGREGATE_GROUP,
};

#define AGGREGATE_ANY UINT32_MAX
#define AGGREGATE_SAMPLED 1 /* b of a key, if samples are counted: of sampled threads */
#define AGGREGATE_BLOCK 256 /* entries of a series between two running counts */

/* the counted events before each block of a series, then those of all its blocks */
struct aggregate_series {
    uint32_t track, row;
    uint32_t blocks; /* counted so far */
    uint32_t first;  /* counted events of the first block */
    /* those before each block, if there may be two: most of a million series have one */
    uint32_t *more;
};

struct aggregate_running {          /* counting of events, series after series */
    VEC(struct aggregate_series) v; /* in (track, row) order; the last one may be incomplete */
    struct slice_series at;         /* the incomplete one */
    bool at_work;
    uint32_t track, row; /* of the next series */
};

struct aggregate_events { /* which events are counted */
    unsigned kinds;       /* a set of enum slice_iter_kind */
    /* those of [i, end) */
    uint32_t (*count)(void *ctx, const struct slice_series *series, uint32_t i, uint32_t end);
    void *ctx;
};

struct aggregate {
    /* set by the owner before anything is added */
    enum aggregate_by by;
    uint32_t only;  /* the one name to add, or AGGREGATE_ANY */
    bool durations; /* keep them, for quantiles */
    bool cpu_time;  /* aggregate_nested() adds up running time, too */
    /* aggregate_nested() counts samples, and slices of sampled threads have rows of their own */
    bool samples;
    uint32_t (*group)(void *ctx, uint32_t track, const struct slice *s); /* AGGREGATE_GROUP */
    void *group_ctx;
    uint32_t (*part)(const void *ctx, uint32_t track); /* AGGREGATE_NAME_PART */
    const void *part_ctx;
    /* state */
    VEC(struct aggregate_row) rows;
    VEC(uint32_t) by_name; /* keys without further numbers: name -> row + 1 */
    struct map by_key;     /* the others */
    size_t sorted;         /* rows whose durations are in order */
    struct aggregate_running running;
    struct sample_counts counts;
    struct slice_order_stack covering; /* of the current track, by row; AGGREGATE_ANY: of none */
};

#define AGGREGATE_INIT(key) ((struct aggregate){.by = (key), .only = AGGREGATE_ANY})

void aggregate_free(struct aggregate *aggregate);
/* Removes all rows and keeps the memory of the name table. Costs O(rows). */
void aggregate_clear(struct aggregate *aggregate);

/* The row of a key: an existing one (AGGREGATE_ANY: none), or a new one. */
uint32_t aggregate_find(const struct aggregate *aggregate, const struct aggregate_key *key);
uint32_t aggregate_row(struct aggregate *aggregate, const struct aggregate_key *key);
/* Adds one duration to a row. */
void aggregate_add(struct aggregate *aggregate, uint32_t row, int64_t duration, uint32_t id);

/* The row of a slice of a track, an existing or a new one; and the keys of the track's slices, but
 * for the name. */
struct aggregate_key aggregate_keys(const struct aggregate *aggregate, const struct trace *trace,
                                    uint32_t track);
uint32_t aggregate_slice_row(struct aggregate *aggregate, struct trace *trace, uint32_t track,
                             const struct slice *s, struct aggregate_key keys);
/* Adds the slices of an iterator, until the task is over; true: all of them. Total and self
 * stay 0. Times of the set select slices, and do not trim. */
bool aggregate_slices(struct aggregate *aggregate, struct trace *trace, struct slice_iter *iter,
                      struct task *task);
/* Adds the slices of a set with total and self, which costs several times as much. Operations
 * (tracks of SLICE_ITER_ASYNC) have no self. */
bool aggregate_nested(struct aggregate *aggregate, struct trace *trace, struct slice_order *order,
                      struct task *task);
/* Adds a row of an aggregate with the same keys, of other tracks; durations that are kept are not
 * taken. */
void aggregate_take(struct aggregate *aggregate, const struct aggregate_row *row);

/* aggregate_nested() of another part of the tracks, by the worker of the trace
 * (trace_share_slices()). The caller's filter and group must not change anything. */
struct aggregate_part {
    struct worker *worker; /* NULL: there is no part */
    struct trace *trace;
    struct aggregate aggregate;
    struct slice_order order;
    struct budget time; /* of the step */
    bool given, done;
    /* steps that the worker is left out of, because it came late: other programs need the
     * processors */
    unsigned alone;
};

/* `set` is of the part's tracks, and lasts as long as it. Keys are those of `like`. */
void aggregate_part_init(struct aggregate_part *part, struct trace *trace, struct worker *worker,
                         const struct aggregate *like, const struct slice_set *set);
void aggregate_part_free(struct aggregate_part *part);
/* aggregate_nested() of the caller's tracks and of the part, at the same time; between two steps
 * neither runs. False: the task is over. */
bool aggregate_both(struct task *task, struct aggregate *aggregate, struct slice_order *order,
                    struct aggregate_part *part);

/* Whether a slice without an end has lasted longer than all that ended: the longest is unknown. */
static inline bool aggregate_unsure(const struct aggregate_row *row) {
    return row->open > 0 && (row->count == row->open || row->lasted > row->most);
}

/* The mean of the durations, rounded half up; 0 if there are none. */
int64_t aggregate_mean(const struct aggregate_row *row);
/* Orders the durations of all rows; false: the task is cancelled. */
bool aggregate_sort(struct task *task, struct aggregate *aggregate);

/* Adds events to the count of a row, and keeps running counts; true: all series are counted. The
 * iterator of a filter yields runs of slices alone; this counts instants, too. */
bool aggregate_count(struct aggregate *aggregate, uint32_t row, const struct trace *trace,
                     const struct aggregate_events *events, struct task *task);
/* The running counts of a series as far as it is counted; NULL: it is not begun. */
const struct aggregate_series *aggregate_series_of(const struct aggregate *aggregate,
                                                   const struct slice_series *series);
/* The counted events before a block, at most the number of its counted blocks. */
static inline uint32_t aggregate_before(const struct aggregate_series *counted, uint32_t block) {
    if (counted->more)
        return counted->more[block];
    return block > 0 ? counted->first : 0;
}
static inline uint32_t aggregate_series_count(const struct aggregate_series *counted) {
    return aggregate_before(counted, counted->blocks);
}
/* The first of the entries [i, end) in a block with counted events, or end. Back: the end of the
 * last such block before i, at most i. Their blocks are counted. */
uint32_t aggregate_skip(const struct aggregate_series *counted, uint32_t i, uint32_t end);
uint32_t aggregate_skip_back(const struct aggregate_series *counted, uint32_t i);

#endif
