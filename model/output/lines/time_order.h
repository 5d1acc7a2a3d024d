/* time_order.h - numbers of entries in the order of their times: for exports, which sort all that a
 * trace holds.
 *
 * A sort by digits of the times, which costs O(n); entries of one time are put in order by a
 * comparison. Takes 16 bytes an entry while it works, besides the array. */
#ifndef FXTOP_TIME_ORDER_H
#define FXTOP_TIME_ORDER_H

#include <stddef.h>
#include <stdint.h>

struct time_order {
    int64_t time;    /* of the entry */
    uint64_t number; /* by which its owner knows it */
};

/* Sorts by time. Entries of one time stay as they were. */
void time_order_sort(struct time_order *v, size_t n);

/* The end of the run of entries of one time that begins at i. */
static inline size_t time_order_run(const struct time_order *v, size_t n, size_t i) {
    size_t end = i + 1;
    while (end < n && v[end].time == v[i].time)
        end++;
    return end;
}

/* Sorts an array of n pointers, those of a run: `order` gets the addresses of two of them, as from
 * qsort(). */
void time_order_ties(void *pointers, size_t n, int (*order)(const void *, const void *));

#endif
