/* sort.h - a stable sort in a task. */
#ifndef FXTOP_SORT_H
#define FXTOP_SORT_H

#include <stddef.h>

#include "src/base/task.h"

typedef int sort_order(const void *, const void *); /* as of qsort() */

/* Sorts n items of `size` bytes; those that are equal keep their order. Needs as much memory again.
 * False: the task is cancelled, and the items are in any order. */
bool sort_items(struct task *task, void *v, size_t n, size_t size, sort_order *order);

#endif
