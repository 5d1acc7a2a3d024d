/* row_order.h - the order of events of one time in several rows, so that each row and each flow
 * across them stays in order. */
#ifndef FXTOP_ROW_ORDER_H
#define FXTOP_ROW_ORDER_H

#include <stddef.h>
#include <stdint.h>

#define ROW_ORDER_NONE UINT32_MAX

struct row_event {
    uint64_t row;
    /* of a flow, and the point after it; ROW_ORDER_NONE: it is none, or there is none */
    uint32_t point, after;
};

/* order gets the numbers of n events, whose rows follow each other. Only events that have to wait
 * leave their places; if rows and flows contradict each other, rows stay in order. n < 2^32. */
void row_order(const struct row_event *v, size_t n, uint32_t *order);

#endif
