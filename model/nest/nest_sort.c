/* nest_sort.c - sorts the events of a thread in steps.
 *
 * A check comes first. Then it is assumed that parents follow their children, as writers of
 * complete events leave them: one pass makes each slice the parent of those before it that sort
 * after it, and a second reads the tree from the left. If the result is not sorted, the runs that
 * are sorted are merged in pairs. Each stage looks at the budget after CHUNK items. */
#include "model/nest/nest_sort.h"

#include <string.h>

#define CHUNK 128u /* items between two looks at the budget */
#define CHEAP 4    /* items checked for a unit of it */

void nest_sort_begin(struct nest_sort *s, struct nest_item *v, size_t n, nest_order *before) {
    *s = (struct nest_sort){.v = v,
                            .n = n,
                            .before = before,
                            .stage = n < 2 ? NEST_SORT_DONE : NEST_SORT_CHECK,
                            .i = 1};
}

void nest_sort_free(struct nest_sort *s) {
    if (s->stage == NEST_SORT_DONE)
        return;
    free(s->links);
    free(s->stack);
    free(s->swapped ? s->v : s->other);
    vec_free(&s->runs);
}

static size_t chunk_end(size_t from, size_t n) {
    return n - from < CHUNK ? n : from + CHUNK;
}

/* Whether the items are sorted as they are. */
static bool check(struct nest_sort *s, struct budget *budget) {
    while (s->i < s->n) {
        for (size_t end = chunk_end(s->i, s->n); s->i < end; s->i++) {
            if (s->before(&s->v[s->i], &s->v[s->i - 1])) {
                s->stage = s->n < UINT32_MAX ? NEST_SORT_LINK : NEST_SORT_RUNS;
                s->i = 0;
                return true;
            }
        }
        if (!budget_spend(budget, CHUNK / CHEAP))
            return s->i >= s->n;
    }
    s->stage = NEST_SORT_DONE;
    return true;
}

/* Makes each item the parent of those on the stack that sort after it. */
static bool link_children(struct nest_sort *s, struct budget *budget) {
    if (s->links == NULL) {
        s->links = err_malloc((s->n + 1) * sizeof *s->links);
        s->stack = err_malloc((s->n + 1) * sizeof *s->stack);
    }
    while (s->i < s->n) {
        for (size_t end = chunk_end(s->i, s->n); s->i < end; s->i++) {
            uint32_t children = 0;
            while (s->depth > 0 && s->before(&s->v[s->i], &s->v[s->stack[s->depth - 1]])) {
                uint32_t c = s->stack[--s->depth];
                s->links[c].next = children;
                children = c + 1;
            }
            s->links[s->i] = (struct nest_sort_link){children, 0};
            s->stack[s->depth++] = (uint32_t)s->i;
        }
        if (!budget_spend(budget, CHUNK))
            return false;
    }
    /* the roots are on the stack, the last one on top: chain them in order */
    for (size_t i = s->depth; i > 0; i--)
        s->links[s->stack[i - 1]].next = i < s->depth ? s->stack[i] + 1 : 0;
    s->at = s->stack[0] + 1;
    s->depth = s->i = 0;
    s->other = err_malloc(s->n * sizeof *s->other);
    s->stage = NEST_SORT_READ;
    return true;
}

/* Reads the tree from the left into `other`, as long as that is sorted. */
static bool read_tree(struct nest_sort *s, struct budget *budget) {
    bool sorted = true;
    while (s->at != 0 && sorted) {
        for (unsigned k = 0; k < CHUNK && s->at != 0 && sorted; k++) {
            const struct nest_sort_link *l = &s->links[s->at - 1];
            s->other[s->i] = s->v[s->at - 1];
            sorted = s->i == 0 || !s->before(&s->other[s->i], &s->other[s->i - 1]);
            s->i++;
            if (l->next != 0)
                s->stack[s->depth++] = l->next;
            s->at = l->first;
            if (s->at == 0 && s->depth > 0)
                s->at = s->stack[--s->depth];
        }
        if (sorted && !budget_spend(budget, CHUNK))
            return false;
    }
    free(s->links);
    free(s->stack);
    s->links = NULL;
    s->stack = NULL;
    s->i = 0;
    s->stage = NEST_SORT_RUNS;
    if (sorted) { /* one run, in the other array */
        vec_push(&s->runs, 0);
        vec_push(&s->runs, s->n);
        struct nest_item *v = s->v;
        s->v = s->other;
        s->other = v;
        s->swapped = true;
        s->stage = NEST_SORT_MERGE;
    }
    return true;
}

static bool find_runs(struct nest_sort *s, struct budget *budget) {
    if (s->i == 0) {
        vec_push(&s->runs, 0);
        s->i = 1;
    }
    while (s->i < s->n) {
        for (size_t end = chunk_end(s->i, s->n); s->i < end; s->i++)
            if (s->before(&s->v[s->i], &s->v[s->i - 1]))
                vec_push(&s->runs, s->i);
        if (!budget_spend(budget, CHUNK / CHEAP))
            return false;
    }
    vec_push(&s->runs, s->n);
    if (s->other == NULL)
        s->other = err_malloc(s->n * sizeof *s->other);
    s->stage = NEST_SORT_MERGE;
    return true;
}

/* Merges the next pair of runs into the other array; an odd one out is copied. */
static bool merge_pair(struct nest_sort *s, struct budget *budget) {
    size_t first = s->runs.v[s->run], middle = s->runs.v[s->run + 1];
    size_t end = s->run + 2 < s->runs.n ? s->runs.v[s->run + 2] : middle;
    while (first + s->a + s->b < end) {
        size_t i = first + s->a, j = middle + s->b, k = i + s->b;
        for (size_t stop = chunk_end(k, end); k < stop && i < middle && j < end;)
            s->other[k++] = s->before(&s->v[j], &s->v[i]) ? s->v[j++] : s->v[i++];
        if (i == middle || j == end) { /* the rest is one run */
            size_t left = i == middle ? end - j : middle - i, n = left < CHUNK ? left : CHUNK;
            memcpy(s->other + k, s->v + (i == middle ? j : i), n * sizeof *s->v);
            *(i == middle ? &j : &i) += n;
        }
        s->a = i - first;
        s->b = j - middle;
        if (!budget_spend(budget, CHUNK))
            return false;
    }
    s->runs.v[s->out++] = first;
    s->a = s->b = 0;
    s->run += 2;
    return true;
}

/* Passes until one run is left, in the caller's array. */
static bool merge(struct nest_sort *s, struct budget *budget) {
    while (s->runs.n > 2 || s->swapped) {
        while (s->run + 1 < s->runs.n)
            if (!merge_pair(s, budget))
                return false;
        s->runs.v[s->out++] = s->n;
        s->runs.n = s->out;
        s->run = s->out = 0;
        struct nest_item *v = s->v;
        s->v = s->other;
        s->other = v;
        s->swapped = !s->swapped;
    }
    vec_free(&s->runs);
    s->bytes = s->n * sizeof *s->other;
    s->stage = NEST_SORT_FREE;
    return true;
}

static bool free_other(struct nest_sort *s, struct budget *budget) {
    if (!vec_release(s->other, &s->bytes, budget))
        return false;
    free(s->other);
    s->other = NULL;
    s->stage = NEST_SORT_DONE;
    return true;
}

bool nest_sort_step(struct nest_sort *s, struct budget *budget) {
    static bool (*const stages[])(struct nest_sort *, struct budget *) = {
        [NEST_SORT_CHECK] = check,    [NEST_SORT_LINK] = link_children,
        [NEST_SORT_READ] = read_tree, [NEST_SORT_RUNS] = find_runs,
        [NEST_SORT_MERGE] = merge,    [NEST_SORT_FREE] = free_other};
    while (s->stage != NEST_SORT_DONE)
        if (!stages[s->stage](s, budget))
            return false;
    return true;
}
