/* sort.h - a stable sort in steps, for arrays that a key must not wait for.
 *
 * Pointers to the items are sorted, and the items copied in the last stage. They must stay as they
 * are until the sort is done. It takes the memory of two pointers and one item for each. */
#ifndef FXTOP_SORT_H
#define FXTOP_SORT_H

#include <stddef.h>

#include "src/base/budget.h"

typedef int sort_order(const void *, const void *); /* as of qsort() */

struct sort { /* zero: nothing is under way */
    const char *v;
    size_t n, size; /* items, bytes of one */
    sort_order *order;
    const void **from, **to; /* the latest pass, and the one being made */
    size_t width; /* items of the sorted runs of `from`; 0: the first runs are being made */
    size_t at, left, right; /* begin of the pair of runs being merged, and items taken from both */
    char *sorted; /* the items in order, of which `at` are there; NULL: pointers are being sorted */
};

/* Begins to sort n items, which are borrowed. */
void sort_begin(struct sort *sort, const void *v, size_t n, size_t size, sort_order *order);
/* True: done. */
bool sort_step(struct sort *sort, struct budget *budget);
/* The items in order, once it is done: allocated with malloc(), and the caller's; NULL if
 * there are none. Nothing is under way then. */
void *sort_take(struct sort *sort);
void sort_free(struct sort *sort); /* at any time */

#endif
