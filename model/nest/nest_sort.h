/* nest_sort.h - sorts the events of a thread in steps, by the habits of writers first
 * (nest_late.c).
 *
 * The sort is stable. Nothing is moved if the items are in order; children before parents take
 * linear time; other orders a merge of their sorted runs. The array belongs to the caller. Between
 * two steps its content is undefined; after the last one it is sorted. */
#ifndef FXTOP_NEST_SORT_H
#define FXTOP_NEST_SORT_H

#include "model/nest/nest.h"
#include "src/base/budget.h"

typedef bool nest_order(const struct nest_item *, const struct nest_item *);

enum nest_sort_stage {
    NEST_SORT_CHECK,
    NEST_SORT_LINK,
    NEST_SORT_READ,
    NEST_SORT_RUNS,
    NEST_SORT_MERGE,
    NEST_SORT_FREE,
    NEST_SORT_DONE
};

struct nest_sort {
    struct nest_item *v;
    size_t n;
    nest_order *before;
    enum nest_sort_stage stage;
    size_t i, depth; /* of the stage: items looked at, entries of the stack */
    struct nest_sort_link {
        uint32_t first, next; /* child, sibling; index + 1 */
    } * links;
    uint32_t *stack, at;     /* at: the item to read next; index + 1 */
    struct nest_item *other; /* the items read, or the target of the merge pass */
    VEC(size_t) runs;        /* begins of the sorted runs, and n */
    size_t run, out, a, b;   /* pair of runs being merged, runs made, items taken from both */
    bool swapped;            /* v and other have changed places */
    size_t bytes;            /* of `other` that are left, while it is freed */
};

/* Begins to sort v[0..n). */
void nest_sort_begin(struct nest_sort *sort, struct nest_item *v, size_t n, nest_order *before);
/* Sorts until the budget is spent; true if v is sorted, and then all memory is freed. */
bool nest_sort_step(struct nest_sort *sort, struct budget *budget);
void nest_sort_free(struct nest_sort *sort); /* before it is done */

#endif
