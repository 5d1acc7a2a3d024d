/* nest_sort.c - sorts the events of a thread.
 *
 * It is assumed that parents follow their children, as writers of complete events leave them: one
 * pass makes each slice the parent of those before it that sort after it, and a second reads the
 * tree from the left. If the result is not sorted, the items are merged. */
#include "model/nest/nest_sort.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/discard.h"

#define CHUNK 128u /* items between two looks at the clock */

struct link {
    uint32_t first, next; /* child, sibling; index + 1 */
};

struct tree {
    const struct nest_item *v;
    size_t n;
    sort_order *order;
    struct link *links;
    uint32_t *stack;
    size_t depth; /* entries of the stack */
};

/* Makes each item the parent of those on the stack that sort after it. */
static bool link_children(struct task *task, struct tree *t) {
    for (size_t i = 0; i < t->n; i++) {
        uint32_t children = 0;
        while (t->depth > 0 && t->order(&t->v[i], &t->v[t->stack[t->depth - 1]]) < 0) {
            uint32_t c = t->stack[--t->depth];
            t->links[c].next = children;
            children = c + 1;
        }
        t->links[i] = (struct link){children, 0};
        t->stack[t->depth++] = (uint32_t)i;
        if (i % CHUNK == 0 && !task_spend(task, CHUNK))
            return false;
    }
    /* the roots are on the stack, the last one on top: chain them in order */
    for (size_t i = t->depth; i > 0; i--)
        t->links[t->stack[i - 1]].next = i < t->depth ? t->stack[i] + 1 : 0;
    return true;
}

/* Reads the tree from the left; false: cancelled, or the items are not sorted. */
static bool read_tree(struct task *task, struct tree *t, struct nest_item *to) {
    uint32_t at = t->stack[0] + 1;
    t->depth = 0;
    for (size_t i = 0; at != 0; i++) {
        const struct link *l = &t->links[at - 1];
        to[i] = t->v[at - 1];
        if (i > 0 && t->order(&to[i], &to[i - 1]) < 0)
            return false;
        if (l->next != 0)
            t->stack[t->depth++] = l->next;
        at = l->first;
        if (at == 0 && t->depth > 0)
            at = t->stack[--t->depth];
        if (i % CHUNK == 0 && !task_spend(task, CHUNK))
            return false;
    }
    return true;
}

static bool copy(struct task *task, struct nest_item *to, const struct nest_item *from, size_t n) {
    for (size_t i = 0; i < n; i += CHUNK) {
        memcpy(to + i, from + i, (n - i < CHUNK ? n - i : CHUNK) * sizeof *to);
        if (!task_spend(task, CHUNK / 4))
            return false;
    }
    return true;
}

/* Sorts v if parents follow their children. */
static bool sort_by_tree(struct task *task, struct nest_item *v, size_t n, sort_order *order) {
    struct tree t = {
        v, n, order, err_malloc((n + 1) * sizeof *t.links), err_malloc((n + 1) * sizeof *t.stack),
        0};
    struct nest_item *sorted = err_malloc(n * sizeof *sorted);
    bool done = link_children(task, &t) && read_tree(task, &t, sorted);
    discard_memory(t.links, n * sizeof *t.links);
    discard_memory(t.stack, n * sizeof *t.stack);
    done = done && copy(task, v, sorted, n);
    discard_memory(sorted, n * sizeof *sorted);
    return done;
}

static bool is_sorted(struct task *task, const struct nest_item *v, size_t n, sort_order *order) {
    for (size_t i = 1; i < n; i++)
        if (order(&v[i], &v[i - 1]) < 0 || (i % CHUNK == 0 && !task_spend(task, CHUNK / 4)))
            return false;
    return true;
}

bool nest_sort(struct task *task, struct nest_item *v, size_t n, sort_order *order) {
    return is_sorted(task, v, n, order) ||
           (!task_over(task) && n < UINT32_MAX && sort_by_tree(task, v, n, order)) ||
           (!task_over(task) && sort_items(task, v, n, sizeof *v, order));
}
