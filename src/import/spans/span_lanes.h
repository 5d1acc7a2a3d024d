/* span_lanes.h - the lane of each span, and the moment at which its parent leads to it.
 *
 * Spans of a service are slices on lanes, which are threads of its process. A span is above its
 * parent if that is the innermost slice of its lane, and lasts as long. Else it is on the first
 * free lane. The lane of a thread that is known is for the spans that name it. */
#ifndef FXTOP_SPAN_LANES_H
#define FXTOP_SPAN_LANES_H

#include "src/import/spans/span_store.h"

struct span_lane {
    uint32_t process, thread; /* thread: SPAN_NONE, or that of the spans */
    uint32_t number;          /* of those of its process without a thread, from 1 on */
    uint64_t until;           /* the end of its outermost slice */
    VEC(uint32_t) open;       /* slices, the innermost last; they may have ended */
};

struct span_place {
    uint32_t lane;    /* SPAN_NONE: the span is not shown */
    bool above;       /* its parent is the slice around it */
    uint64_t from;    /* when the parent leads to it, if it is not above that; UINT64_MAX: never */
    uint64_t covered; /* the end of the last slice right above this one */
    uint64_t alone;   /* the last moment before that slice at which it was the innermost, if any */
};

struct span_lanes {
    struct span_store *store;
    VEC(struct span_lane) lanes;
    VEC(uint32_t) order; /* spans by begin, the longer first, parents first */
    struct span_place *places;
    struct span_free *free; /* lanes of each process */
    struct map by_thread;
    VEC(uint32_t) named; /* lanes of threads */
    uint64_t clamped;    /* spans that begin outside of their parents */
    uint64_t apart;      /* spans that end before the one that leads to them begins */
};

/* Needs the parents (span_tree.h); sets the moments of links, too. */
void span_lanes_make(struct span_lanes *lanes, struct span_store *store);
void span_lanes_free(struct span_lanes *lanes);

#endif
