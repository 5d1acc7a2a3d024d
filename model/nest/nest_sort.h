/* nest_sort.h - sorts the events of a thread, by the habits of writers first (nest_late.c).
 *
 * The sort is stable. Nothing is moved if the items are in order; children before parents take
 * linear time. */
#ifndef FXTOP_NEST_SORT_H
#define FXTOP_NEST_SORT_H

#include "model/nest/nest.h"
#include "src/base/sort.h"

/* Sorts v[0..n). False: the task is cancelled, and the items are in any order. */
bool nest_sort(struct task *task, struct nest_item *v, size_t n, sort_order *order);

#endif
