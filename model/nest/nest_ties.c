/* nest_ties.c - the order of slices that begin at one time, of the stack and complete events
 * (SEMANTICS 6.2). */
#include "model/nest/nest_internal.h"

#include <string.h>

/* Merges slices that begin together: v[0..na) of the stack in file order, then complete events,
 * longest first. By SEMANTICS 6.2 a complete event goes after the last slice of the stack that is
 * longer, or as long and earlier in the file. */
static void merge_ties(struct nest_item *v, size_t na, size_t n) {
    VEC(struct nest_item) merged = {0};
    /* from the right, each slice that is at least as long as all after it */
    VEC(size_t) maxima = {0};
    VEC(size_t) after = {0}; /* where each complete event goes, last one first */
    for (size_t i = na; i > 0; i--)
        if (maxima.n == 0 || v[i - 1].dur >= v[maxima.v[maxima.n - 1]].dur)
            vec_push(&maxima, i - 1);
    size_t p = 0, done = 0;
    for (size_t c = n; c > na; c--) { /* shortest first: its place is the rightmost */
        const struct nest_item *x = &v[c - 1];
        for (; p < maxima.n; p++) {
            const struct nest_item *m = &v[maxima.v[p]];
            if (m->dur > x->dur || (m->dur == x->dur && nest_offset(m) < nest_offset(x)))
                break;
        }
        vec_push(&after, p < maxima.n ? maxima.v[p] + 1 : 0);
    }
    for (size_t c = na; c < n; c++) {
        for (size_t place = after.v[n - 1 - c]; done < place; done++)
            vec_push(&merged, v[done]);
        vec_push(&merged, v[c]);
    }
    for (; done < na; done++)
        vec_push(&merged, v[done]);
    memcpy(v, merged.v, n * sizeof *v);
    vec_free(&merged);
    vec_free(&maxima);
    vec_free(&after);
}

bool nest_ties_merge(struct task *task, struct nest_item *v, size_t n) {
    for (size_t i = 0, m; i < n; i += m) {
        size_t na = 0;
        for (m = 0; i + m < n && v[i + m].start == v[i].start; m++)
            na += nest_item_of_stack(&v[i + m]);
        if (na > 0 && na < m)
            merge_ties(v + i, na, m);
        if (!task_spend(task, m < UINT32_MAX ? (uint32_t)m : UINT32_MAX))
            return false;
    }
    return true;
}
