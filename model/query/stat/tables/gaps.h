/* gaps.h - the stretches of a range in which no slice covers a thread, or all threads at once, or
 * nothing runs on a CPU: the longest ones.
 *
 * Gaps of a thread are within its thread time (range.h), so that they and the covered time make it.
 * Threads without slices in the range have no gaps. Gaps of all threads are within the range; there
 * are none unless two threads have slices. A CPU idles from the begin of the range to its
 * end, except while a thread runs that is not its idle thread. At most GAPS_KEPT of threads, as
 * many of all and as many of CPUs are kept, longest first, then by begin. Made in a task, for one
 * version of the trace. Times: ns relative to the reader's base. */
#ifndef FXTOP_GAPS_H
#define FXTOP_GAPS_H

#include "model/query/stat/range.h"
#include "src/base/task.h"

#define GAPS_KEPT 20000u
#define GAPS_SO_FAR 500u             /* kept besides, in order, while the others come */
#define GAPS_CPU (UINT32_C(1) << 31) /* on: GAPS_CPU + place of the CPU; below: a thread */
#define GAPS_ALL (GAPS_CPU - 1)      /* on: all threads with slices in the range at once */

enum { GAPS_OF_THREADS, GAPS_OF_ALL, GAPS_OF_CPUS, GAPS_KINDS };

struct gap {
    int64_t start, duration;
    uint32_t on;
};

struct gaps_stretch {
    int64_t from, to;
};

struct gaps {
    struct trace *trace;
    const struct range *range; /* borrowed until the work is done */
    VEC(struct gap) v;         /* longest first when they are done */
    uint64_t count;            /* of all */
    size_t first;              /* of `v`: what is under way, after gaps of the kinds before */
    int64_t total[GAPS_KINDS]; /* their time */
    bool done;
    VEC(struct gaps_stretch) covered; /* of any thread, while they are made */
    uint32_t threads;                 /* with slices */
    VEC(struct gap) so_far;           /* the longest ones, and some more */
    bool bounded;         /* no shorter one than the last of GAPS_SO_FAR is added to them */
    uint64_t passed, all; /* slices, and intervals of CPUs; all: about */
};

void gaps_make(struct task *task, struct gaps *gaps, struct trace *trace,
               const struct range *range);
void gaps_free(struct gaps *gaps);
unsigned gaps_percent(const struct gaps *gaps); /* of slices and intervals passed, about */
/* Before they are done: the longest ones so far, at most GAPS_SO_FAR, in order, to v. Returns their
 * number. */
size_t gaps_so_far(struct gaps *gaps, struct gap v[GAPS_SO_FAR]);

#endif
