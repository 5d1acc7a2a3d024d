/* instances.h - the slices of a range that a filter holds for and that are of one group, longest
 * first.
 *
 * Slices are whole; open ones are as long as they are so far (slice_iter_end()). Equally long ones
 * come by their start, then by track, row and number. At most so many are kept as are asked for;
 * the others are counted. They belong to one version of the trace: the owner begins again when
 * that, the range or the filter changes. An instance takes 72 bytes, and as much again while they
 * are sorted. Values stay what they were when the trace grows. Times: ns relative to the reader's
 * base. */
#ifndef FXTOP_INSTANCES_H
#define FXTOP_INSTANCES_H

#include "model/query/filter/filter_match.h"
#include "model/query/stat/range.h"
#include "model/query/stat/slice_group.h"

enum instances_column { /* as the header of --instances */
                        INSTANCES_NAME,
                        INSTANCES_PID,
                        INSTANCES_TID,
                        INSTANCES_THREAD,
                        INSTANCES_TIME,
                        INSTANCES_DURATION, /* this and the next two: null of sampled slices */
                        INSTANCES_OPEN,
                        INSTANCES_SELF, /* of the whole slice */
                        INSTANCES_DEPTH,
                        INSTANCES_RUNNING, /* states: null without scheduling */
                        INSTANCES_RUNNABLE,
                        INSTANCES_BLOCKED,
                        INSTANCES_OTHER,
                        INSTANCES_ARGUMENTS,
                        INSTANCES_OFFSET,
                        INSTANCES_SAMPLES, /* these two of sampled slices alone */
                        INSTANCES_ABOUT,   /* self time, by samples */
                        INSTANCES_COLUMNS
};

struct instances_query {
    const struct range *range; /* borrowed until the work is done */
    unsigned kinds;            /* SLICE_ITER_SLICES or SLICE_ITER_OPERATIONS */
    /* filter_match_slice(), or NULL */
    bool (*has)(void *ctx, uint32_t track, uint32_t row, uint32_t i);
    void *ctx;
    struct slice_group *group; /* borrowed; NULL: of all groups */
    struct aggregate_key key;  /* the group's */
    uint32_t most;             /* to keep; 0: all */
    bool so_far;               /* instances_so_far() will be asked */
    uint64_t all; /* range_slices_about(), if it is known: of 100,000 tracks it takes 6 ms; or 0 */
};

#define INSTANCES_SO_FAR 200u

struct instance {
    int64_t start, duration, self; /* self: known when they are ready */
    uint64_t begin_word;           /* of the slice: its name and record */
    uint32_t track, row, i;        /* as slice_iter.h numbers them */
    uint32_t depth;                /* known with self */
    bool open, sampled;
    uint64_t samples; /* known with self */
};

struct instances {
    struct trace *trace;
    struct instances_query query;
    VEC(struct instance) v; /* longest first when they are ready */
    uint64_t count, open;   /* of all, kept or not; and of these, how many are open */
    uint64_t passed;        /* slices looked at, and in all, about */
    uint64_t all;
    bool collected, sorted, ready; /* all are there; in order; with their selves */
    /* The longest ones so far, in order, and up to as many after them; none shorter than the last
     * in order. */
    VEC(struct instance) longest;
    bool bounded; /* there are INSTANCES_SO_FAR in order */
};

void instances_make(struct task *task, struct instances *instances, struct trace *trace,
                    const struct instances_query *query);
void instances_free(struct instances *instances);
/* How many are in order so far: none until the sorting is done. */
uint32_t instances_rows(const struct instances *instances);

/* Before they are in order: the longest ones so far, at most INSTANCES_SO_FAR, in order, to v.
 * Returns their number. */
uint32_t instances_so_far(struct instances *instances, struct instance v[INSTANCES_SO_FAR]);
/* slices looked at, in percent, about */
unsigned instances_passed(const struct instances *instances);

/* Valid until the trace changes, which values are not. */
struct slice instances_slice(const struct instances *instances, uint32_t row);
/* A number of a row; false: it has none, or not yet. Texts have none; the name is a number of
 * names. */
bool instances_value(const struct instances *instances, uint32_t row, enum instances_column column,
                     int64_t *value);
/* A number of an instance so far. */
bool instances_value_of(const struct instances *instances, const struct instance *x,
                        enum instances_column column, int64_t *value);

#endif
