/* names_table.h - slices by name, or by another group: counts, covered time, and exact percentiles,
 * over a range and a filter; for the table of view 2 and for --top.
 *
 * Counts, totals and selves are of the part of slices in the range. Least to greatest are of whole
 * durations, and of slices that have ended (SEMANTICS 6.9, 6.10). Rows exist from the first step on
 * and change until it is ready; percentiles are null until then. Rows are numbered as their names
 * occur. Times: ns.
 *
 * Many slices are counted in two parts, by tracks: the second one by the worker of the trace,
 * within the steps. Rows are of the first part alone until both are complete; then rows of names
 * that only the second one has follow.
 *
 * The table belongs to one version of the trace: the owner begins again when that, the range or the
 * filter changes. Work takes 4 bytes a slice for a moment; what stays is a row of 216 bytes a name,
 * and 216 of its percentiles. */
#ifndef FXTOP_NAMES_TABLE_H
#define FXTOP_NAMES_TABLE_H

#include "model/query/stat/percentiles.h"
#include "model/query/stat/range.h"
#include "model/query/stat/slice_group.h"

enum names_column { /* as the header of --top */
                    NAMES_NAME,
                    NAMES_COUNT,
                    NAMES_OPEN,
                    NAMES_TOTAL,
                    NAMES_SELF, /* null of operations */
                    NAMES_MIN,  /* from here to the greatest: null if none has ended */
                    NAMES_AVG,
                    NAMES_P50,
                    NAMES_P90,
                    NAMES_P95,
                    NAMES_P99,
                    NAMES_MAX,
                    /* of the thread time of all threads with slices in the range, 0 to 1 */
                    NAMES_SHARE,
                    NAMES_RUNNING, /* null without scheduling, or if it is not asked for */
                    NAMES_SAMPLES, /* these four of sampled names alone, which have no others */
                    NAMES_ABOUT,   /* self time, by samples */
                    NAMES_SELF_SAMPLES, /* that it is the innermost frame of */
                    NAMES_OFF_CPU,      /* time of blocked samples that it is a frame of */
                    NAMES_COLUMNS
};

struct names_query {
    const struct range *range; /* borrowed until the work is done */
    unsigned kinds;            /* SLICE_ITER_SLICES or SLICE_ITER_OPERATIONS */
    /* filter_match_slice(), or NULL */
    bool (*has)(void *ctx, uint32_t track, uint32_t row, uint32_t i);
    void *ctx;
    enum slice_group_by by;
    const char *argument; /* GROUP_BY_ARGUMENT; borrowed */
    /* GROUP_BY_NAME: divides names by their tracks; or NULL */
    uint32_t (*part)(const void *ctx, uint32_t track);
    const void *part_ctx;
    bool running; /* running time is asked for, which costs two searches a slice */
    bool samples; /* sampled names have rows of their own, with samples in place of times */
    bool plain;   /* counts and whole durations alone: totals, selves and shares are not known */
    bool no_percentiles; /* counts, totals and selves alone: no percentiles and no share */
    uint64_t all;        /* range_slices_about(), if it is known; or 0 */
    /* slices from which on the worker of the trace counts, too; 0: another thread may use it */
    uint64_t two_from;
    uint32_t sample; /* durations of each row that are kept, with percentiles alone; 0: none */
};

/* Durations of a row: all of them, or an even choice, the same each time. */
struct names_sample {
    uint64_t passed; /* of those that have ended */
    VEC(int64_t) v;
};

#define NAMES_TWO_FROM 1000000 /* slices; they take 30 ms */

/* The tracks of both parts, and the second one. */
struct names_parts {
    struct track_set tracks[2];
    struct aggregate_part second;
    uint32_t taken; /* rows of it that are in the table */
};

struct names_table {
    struct trace *trace;
    struct names_query query;
    struct slice_group group;
    struct aggregate aggregate;
    bool counted, lived, ready;       /* counts; thread time; all of it is known */
    struct percentiles percentiles;   /* groups: the rows */
    VEC(struct names_sample) samples; /* of the rows, if they are asked for */
    struct slice_order order;
    struct names_parts *parts; /* NULL: one part, or all is counted */
    struct slice_set set;
    bool filled;            /* percentiles have all durations */
    uint64_t slices, open;  /* of all rows that are not sampled; with percentiles alone */
    uint32_t sampled;       /* rows that are */
    bool off;               /* one of these has off-CPU time */
    uint32_t threads;       /* with slices in the range */
    struct sum thread_time; /* of these, once `lived` */
    struct sum self;        /* of all rows */
    uint64_t all;           /* slices in the range, about */
};

/* The table was zero, or made before. */
void names_table_make(struct task *task, struct names_table *table, struct trace *trace,
                      const struct names_query *query);
void names_table_free(struct names_table *table);
/* The same apart, for an owner that may need no more than counts: names_table_count() after
 * names_table_begin(), and once it is `counted` names_table_finish(). */
void names_table_begin(struct names_table *table, struct trace *trace,
                       const struct names_query *query);
void names_table_count(struct task *task, struct names_table *table);
void names_table_finish(struct task *task, struct names_table *table);
unsigned names_table_percent(const struct names_table *table); /* about; 100: done */
/* About the share of the slices that counts, totals and selves are of, in percent; 100: all. */
unsigned names_table_counted(const struct names_table *table);

uint32_t names_table_rows(const struct names_table *table);
const struct aggregate_row *names_table_row(const struct names_table *table, uint32_t row);
/* A number of a row; false: it has none. The share is that of sum_share(). */
bool names_table_value(const struct names_table *table, uint32_t row, enum names_column column,
                       int64_t *value);
/* The text of a row: valid until the next step; it may lie in buf. */
struct str names_table_text(const struct names_table *table, uint32_t row, char *buf, size_t cap);

/* Reads rows that are asked for next, and their texts. Rows in another order than their own are in
 * no cache: of many reads at once the processor waits for all together. */
void names_table_touch(const struct names_table *table, const uint32_t *rows, size_t n);

/* Rows by a column, greatest first, then by their text. v has space for all rows. */
void names_table_sort(const struct names_table *table, enum names_column by, uint32_t *v);

#endif
