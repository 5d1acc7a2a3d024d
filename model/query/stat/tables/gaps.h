/* gaps.h - the stretches of a range in which no slice covers a thread, or nothing runs on a CPU: the longest ones.
 *
 * Gaps of a thread are within its thread time (range.h), so that they and the covered time make it. Threads without
 * slices in the range have no gaps. A CPU idles from the begin of the range to its end, except while a thread runs that is
 * not its idle thread. At most GAPS_KEPT of threads and as many of CPUs are kept, longest first, then by begin.
 * Made in steps, for one version of the trace. Times: ns relative to the reader's base. */
#ifndef FXTOP_GAPS_H
#define FXTOP_GAPS_H

#include "model/query/slice_order.h"
#include "model/query/stat/range.h"

#define GAPS_KEPT 20000u
#define GAPS_SO_FAR 500u             /* kept besides, in order, while the others come */
#define GAPS_CPU (UINT32_C(1) << 31) /* on: GAPS_CPU + place of the CPU; below: a thread */

struct gap {
    int64_t start, duration;
    uint32_t on;
};

struct gaps {
    struct trace *trace;
    const struct range *range; /* borrowed until the work is done */
    VEC(struct gap) v;         /* longest first when they are done */
    uint64_t count;            /* of all */
    size_t first;              /* of `v`: CPUs, after the gaps of threads */
    int64_t total[2];          /* their time: of threads, of CPUs */
    struct slice_order order;
    uint32_t on;        /* the thread under way; NO_THREAD: none */
    int64_t reach, end; /* covered so far; the end of its time */
    bool any;           /* it has a slice in the range */
    size_t cpu;         /* the CPU under way, and its next interval */
    uint32_t i;
    bool threads_done, done;
    VEC(struct gap) so_far; /* the longest ones, and some more */
    bool bounded;           /* no shorter one than the last of GAPS_SO_FAR is added to them */
    uint64_t intervals;     /* of CPUs, passed */
    uint64_t all;           /* slices and intervals, about */
};

void gaps_begin(struct gaps *gaps, struct trace *trace, const struct range *range);
void gaps_free(struct gaps *gaps);
bool gaps_step(struct gaps *gaps, struct budget *budget); /* true: done */
unsigned gaps_percent(const struct gaps *gaps);           /* of slices and intervals passed, about */
/* Before they are done: the longest ones so far, at most GAPS_SO_FAR, in order, to v. Returns their number. */
size_t gaps_so_far(struct gaps *gaps, struct gap v[GAPS_SO_FAR]);

#endif
