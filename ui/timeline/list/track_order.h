/* track_order.h - in which order processes and threads are listed. */
#ifndef FXTOP_TRACK_ORDER_H
#define FXTOP_TRACK_ORDER_H

#include "ui/timeline/list/track_life.h"

enum track_order {
    ORDER_BY_FILE,
    ORDER_BY_START,
    ORDER_BY_NAME,
    ORDER_BY_CPU_TIME, /* the time that its threads ran */
    ORDER_BY_COVERED,  /* the time that slices cover */
    TRACK_ORDERS
};

const char *track_order_name(enum track_order order); /* "by CPU time" */

/* Sorts the numbers of n threads. lives: of all threads, with covered times if they are compared. */
void track_order_threads(enum track_order order, struct trace *trace, const struct track_lives *lives, uint32_t *v,
                         size_t n);
/* Fills v with the places of all n processes. */
void track_order_processes(enum track_order order, struct trace *trace, const struct track_lives *lives, uint32_t *v,
                           size_t n);

#endif
