/* flow_bounds.h - what flows between two files of a set say about the offset of one of them. */
#ifndef FXTOP_FLOW_BOUNDS_H
#define FXTOP_FLOW_BOUNDS_H

#include "model/trace/trace.h"

struct flow_bounds { /* of the time by which `moved` may move, ns */
    bool has_least, has_most;
    int64_t least, most;    /* so that no hop goes back in time */
    unsigned hops, violate; /* violate: those that go back after a move to the middle */
};

/* Each hop from the reference to the moved file bounds it from below, one back from above. If the
 * bounds contradict each other, least > most, and some hops violate any offset. */
struct flow_bounds flow_bounds_of(const struct trace *trace, size_t reference, size_t moved);

#endif
