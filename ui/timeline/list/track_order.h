/* track_order.h - orders of processes and threads in the list of tracks. */
#ifndef FXTOP_TRACK_ORDER_H
#define FXTOP_TRACK_ORDER_H

#include "ui/timeline/list/track_life.h"

enum track_order {
    /* trace_thread_interest(), of threads trace_thread_place(), after the trace's sort indexes */
    ORDER_BY_INTEREST,
    ORDER_BY_START,
    ORDER_BY_NAME,
    ORDER_BY_CPU_TIME, /* the time that its threads ran */
    ORDER_BY_COVERED,  /* the time that slices cover */
    ORDER_BY_FILE,
    ORDERS
};

const char *track_order_name(enum track_order order); /* "by CPU time" */

/* The numbers by which a process or a thread is sorted, the least first, unless it is sorted by
 * name. */
struct track_rank {
    int64_t first, second; /* the second decides among equal first ones */
};

/* *cost: units of work. lives: of all threads. */
struct track_rank track_order_rank(enum track_order order, bool process, struct trace *trace,
                                   const struct track_lives *lives, uint32_t number,
                                   uint32_t *cost);

#endif
