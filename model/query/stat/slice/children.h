/* children.h - the children of a slice by name: how many, and the time that they leave to the slice
 * itself.
 *
 * The self time and the totals of all names sum to the length of the slice. If children overlap,
 * time counts for the last of them in nesting order. An open slice ends as in trace_life.h;
 * children are cut to the slice. Times are ns. Valid until the trace changes. */
#ifndef FXTOP_CHILDREN_H
#define FXTOP_CHILDREN_H

#include "model/query/slice_order.h"
#include "src/base/task.h"

#define CHILDREN_ANY UINT32_MAX

struct children_part {
    uint32_t name, count;
    int64_t total;
    uint32_t row, i; /* the longest of them */
    int64_t longest;
};

struct children {
    struct trace *trace;
    uint32_t thread, row, i; /* the slice: slice i of a row of a thread */
    /* the answer */
    int64_t start, end;
    VEC(struct children_part) parts; /* in the order of their first child */
    int64_t self;                    /* of the slice */
    bool overlaps;                   /* children may overlap in part */
};

/* The trace and the slice are set, all else is 0. */
void children_make(struct task *task, void *children);
void children_free(struct children *children);

#endif
