/* drawer_link.h - links of the drawer: to threads, processes, objects, slices, and to the stops of
 * a flow. */
#ifndef FXTOP_DRAWER_LINK_H
#define FXTOP_DRAWER_LINK_H

#include "model/query/detail.h"

enum drawer_link_kind {
    DRAWER_LINK_THREAD,      /* of: its number */
    DRAWER_LINK_PROCESS,     /* of: its place */
    DRAWER_LINK_OBJECT,      /* of: its place among the kernel objects */
    DRAWER_LINK_USER_OBJECT, /* of: its place among the userspace objects */
    DRAWER_LINK_POINT,       /* of: a point of a flow */
    DRAWER_LINK_SLICE,       /* of: the number of a thread; row, i: of its slice */
    DRAWER_LINK_SLOWEST,     /* of the selected one's name */
    DRAWER_LINK_NEXT,        /* the next slowest after the selected one */
    DRAWER_LINK_BUCKET,      /* the earliest of that name of a duration from `least` to `most` */
};

struct drawer_link {
    enum drawer_link_kind kind;
    uint32_t of, row, i;
    int64_t least, most; /* ns */
    int line;            /* of the drawer's text, from 0 */
};

/* The link of an argument: a koid or pointer of something known, or a number that the arguments
 * pid, process, tid or thread call a process or thread by. False: it names nothing. Costs O(threads
 * + processes). */
bool drawer_link_of(struct trace *trace, const struct detail_argument *argument,
                    struct drawer_link *link);

#endif
