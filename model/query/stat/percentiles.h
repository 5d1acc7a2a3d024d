/* percentiles.h - p50, p90, p95 and p99 of many groups of durations at once, exact, in 4 bytes a
 * duration.
 *
 * The owner knows number, least and greatest duration of each group, and gives all durations once
 * or twice:
 *
 *     percentiles_add_group() for each group; percentiles_begin();
 *     do
 *         percentiles_add() for each duration, in any order, each time the same ones;
 *     while (percentiles_again());
 *
 * A second time is needed only if durations of a group differ by 2^32 ns or more. Percentiles are
 * nearest rank: the least duration that at least p % do not exceed. Times: ns. */
#ifndef FXTOP_PERCENTILES_H
#define FXTOP_PERCENTILES_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/task.h"
#include "src/base/vec.h"

enum { PERCENTILE_50, PERCENTILE_90, PERCENTILE_95, PERCENTILE_99, PERCENTILES };

struct percentiles_rank { /* one wanted value: of the keys of a group, then of their low bits */
    uint64_t at;          /* its place in ascending order, from 0 */
    uint64_t equal;       /* values that are the same */
    uint32_t key;
};

struct percentiles_group {
    int64_t least, most;
    uint64_t n;
    int64_t at[PERCENTILES]; /* the answer; meaningful if n > 0 */
    uint64_t first, filled;  /* its part of `values`, and how much of it is there */
    unsigned shift;          /* bits that the keys lack */
    struct percentiles_rank ranks[PERCENTILES];
    uint64_t low[PERCENTILES]; /* second time: low bits that were added for each rank */
};

struct percentiles {
    VEC(struct percentiles_group) groups;
    uint64_t size;    /* of values */
    bool wide;        /* the keys of a group lack bits */
    uint32_t *values; /* keys: (duration - least) >> shift; or low bits */
    bool second;      /* the low bits are asked for */
};

void percentiles_free(struct percentiles *percentiles);
/* Groups are numbered from 0 on. */
void percentiles_add_group(struct percentiles *percentiles, uint64_t n, int64_t least,
                           int64_t most);
void percentiles_begin(struct percentiles *percentiles); /* after the last group */
void percentiles_add(struct percentiles *percentiles, uint32_t group, int64_t duration);
/* Selects from all that was added. True: everything has to be added again. Else all answers are
 * known, or the task is cancelled. */
bool percentiles_again(struct task *task, struct percentiles *percentiles);

#endif
