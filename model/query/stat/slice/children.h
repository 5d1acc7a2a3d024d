/* children.h - the children of a slice by name: how many, and the time that they leave to the slice itself.
 *
 * The self time and the totals of all names sum to the length of the slice. If children overlap, time counts for the
 * last of them in nesting order. An open slice ends as in trace_life.h; children are cut to the slice. Times are ns.
 * Work is done in steps; valid until the trace changes. */
#ifndef FXTOP_CHILDREN_H
#define FXTOP_CHILDREN_H

#include "model/query/slice_order.h"
#include "src/base/u64map.h"

#define CHILDREN_ANY UINT32_MAX

struct children_part {
    uint32_t name, count;
    int64_t total;
    uint32_t row, i; /* the longest of them */
    int64_t longest;
};

struct children_covering { /* a child that leaves something of the ones before it */
    uint32_t part;
    int64_t end;
};

struct children {
    struct trace *trace;
    uint32_t thread, row, i; /* the slice */
    int64_t start, end;
    /* the answer, once done */
    VEC(struct children_part) parts; /* in the order of their first child */
    int64_t self;                    /* of the slice */
    bool done;
    /* state */
    struct u64map by_name; /* name -> part */
    bool overlaps;         /* children come through `order` */
    uint32_t at, last;     /* slices of the row below that are left */
    struct slice_order order;
    VEC(struct children_covering) covering; /* later ones end earlier and are on top */
    int64_t time;                           /* up to which time is counted */
};

/* of: slice i of a row of a thread. */
void children_init(struct children *children, struct trace *trace, uint32_t thread, uint32_t row, uint32_t i);
void children_free(struct children *children);
bool children_step(struct children *children, struct budget *budget); /* true: done */

#endif
