/* stats.h - --stats: times, memory and bytes written. Times are of clock_now(). */
#ifndef FXTOP_STATS_H
#define FXTOP_STATS_H

#include "model/trace/trace.h"
#include "src/base/vec.h"

struct stats {
    bool wanted;
    int64_t started, first_picture, indexed; /* 0: not yet */
    VEC(int64_t) frames;                     /* ns that each took, if they are wanted */
};

extern struct stats stats; /* of this run */

/* to standard error; frees the frames */
void stats_print(const struct trace *trace);

#endif
