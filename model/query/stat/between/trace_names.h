/* trace_names.h - the names of one trace with what a comparison with other traces needs, which
 * outlives the trace.
 *
 * Names of slices, of async operations and of instants are apart; instants are counted alone. With
 * pools the names of each pool of threads are apart, too (trace_pools.h). Counts and totals are
 * those of names_table.h; durations are of what has ended. If there are more than
 * TRACE_NAMES_SAMPLE durations of a name, an even choice is kept, the same each time. Times: ns. */
#ifndef FXTOP_TRACE_NAMES_H
#define FXTOP_TRACE_NAMES_H

#include "model/query/stat/between/trace_pools.h"
#include "model/query/stat/names_table.h"
#include "model/query/stat/question.h"
#include "src/base/sort.h"
#include "src/base/u64map.h"

#define TRACE_NAMES_SAMPLE 20000u

struct trace_names_row {
    char *name; /* n bytes, and a NUL; by_number: of the trace */
    size_t n;
    uint32_t number;               /* of the name in its trace */
    bool by_number;                /* as in struct trace_names */
    unsigned kind;                 /* of enum slice_iter_kind: slices, instants, operations */
    uint32_t pool_number;          /* of its trace; 0: none */
    const struct trace_pool *pool; /* NULL: none */
    uint64_t count, ended;
    double total, self; /* ns; self: of slices */
    int64_t p50, p99;   /* of `ended`, if there are any */
    int64_t longest;    /* with those that have not ended so far */
    uint64_t open;      /* those */
    int64_t lasted;     /* the longest of them */
    int64_t most;       /* of `ended` */
    VEC(int64_t) sample;
};

struct trace_names {
    int64_t span;             /* of the range, at least 1 */
    bool by_pool;             /* set by the owner before it begins */
    bool by_number;           /* both sides are of one trace, which stays: names are its numbers */
    struct trace_pools pools; /* if by_pool */
    bool sampled;             /* a name has slices of a sampling profiler */
    struct left_out left_out; /* of the range: slices, operations and states with a damaged time */
    /* slices, then instants, then operations; by text or number, then by pool */
    VEC(struct trace_names_row) v;
    /* while it is made: the table that is counted, or NULL; percent that are done before it */
    const struct names_table *counting;
    unsigned done;
};

/* A name and a pool as one number. */
static inline uint64_t trace_names_key(uint32_t pool_number, uint32_t name) {
    return u64map_key((uint64_t)pool_number << 32 | name);
}

/* The result was zero but for by_pool. The question is borrowed, and of the part of the trace that
 * is read. */
void trace_names_make(struct task *task, struct trace_names *names, struct trace *trace,
                      const struct question *asked);
unsigned trace_names_percent(const struct trace_names *names); /* about, while it is made */
/* All of it at once. */
void trace_names_take(struct trace_names *names, struct trace *trace, const struct question *asked);
void trace_names_free(struct trace_names *names);
/* For a comparison of ranges: adds the rows of a table with samples, which it gives away. */
void trace_names_take_rows(struct task *task, struct trace_names *names, struct names_table *table,
                           unsigned kind);
void trace_names_sort(struct task *task, struct trace_names *names); /* puts all rows in order */
/* <0, 0, >0 as a is before b. */
int trace_names_order(const struct trace_names_row *a, const struct trace_names_row *b);
/* NULL: the trace has no such name. */
const struct trace_names_row *trace_names_find(const struct trace_names *names,
                                               const struct trace_names_row *like);

#endif
