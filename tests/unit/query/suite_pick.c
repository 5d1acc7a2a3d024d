/* suite_pick.c - the slowest slices of a name one after the other, and the first of a bucket,
 * against a sort of all. */
#include "model/query/stat/slice/pick.h"

#include <stdlib.h>

#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/lib/thrown.h"

static struct chance chance = {1729};

static int by_rank(const void *a, const void *b) {
    const struct slice *x = &((const struct thrown_slice *)a)->slice,
                       *y = &((const struct thrown_slice *)b)->slice;
    if (slice_dur(x) != slice_dur(y))
        return slice_dur(x) < slice_dur(y) ? 1 : -1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return slice_offset(x) < slice_offset(y) ? -1 : slice_offset(x) > slice_offset(y);
}

static void run(struct pick *p) {
    MUST(task_whole(pick_ops.make, p, NULL));
}

static bool is(const struct pick *p, const struct thrown_slice *s) {
    return p->found && p->best.track == s->track && p->best.row == s->row && p->best.i == s->i;
}

/* Slices that have ended, of one kind and name; v has as much space as `all`. */
static size_t of_name(struct trace *trace, const struct thrown_slices *all, unsigned kind,
                      uint32_t name, struct thrown_slice *v) {
    size_t n = 0;
    for (size_t k = 0; k < all->n; k++)
        if (all->v[k].kind == kind && !slice_open(&all->v[k].slice) &&
            trace_packed_name(trace, all->v[k].slice.begin_word) == name)
            v[n++] = all->v[k];
    qsort(v, n, sizeof *v, by_rank);
    return n;
}

START_TEST(each_rank_leads_to_the_next_and_a_bucket_to_its_first) {
    for (int set = 0; set < 400; set++) {
        struct trace *trace = thrown_trace(&chance, 2 + (unsigned)below(&chance, 200));
        struct thrown_slices all = thrown_slices(trace);
        struct thrown_slice *v = calloc(all.n + 1, sizeof *v);
        if (all.n > 0) {
            const struct thrown_slice *any = &all.v[below(&chance, all.n)];
            uint32_t name = trace_packed_name(trace, any->slice.begin_word);
            size_t n = of_name(trace, &all, any->kind, name, v);
            struct pick p, next;
            pick_slowest(&p, trace, any->kind, name, NULL);
            run(&p);
            for (size_t k = 0; k < n; k++) {
                MUST(is(&p, &v[k]), set, (int)k);
                pick_slowest(&next, trace, any->kind, name, &p.best);
                run(&next);
                p = next;
            }
            MUST(!p.found, set);
            int64_t least = (int64_t)below(&chance, 40), most = least + (int64_t)below(&chance, 40);
            const struct thrown_slice *first = NULL;
            for (size_t k = 0; k < n; k++)
                if (slice_dur(&v[k].slice) >= least && slice_dur(&v[k].slice) <= most &&
                    (first == NULL || v[k].slice.start < first->slice.start ||
                     (v[k].slice.start == first->slice.start &&
                      slice_offset(&v[k].slice) < slice_offset(&first->slice))))
                    first = &v[k];
            pick_first(&p, trace, any->kind, name, least, most);
            run(&p);
            MUST(p.found == (first != NULL) && (first == NULL || is(&p, first)), set);
        }
        free(v);
        vec_free(&all);
        trace_free(trace);
    }
}
END_TEST

SUITE(pick) {
    Suite *s = suite_create("pick");
    TCase *t = tcase_create("pick");
    tcase_add_test(t, each_rank_leads_to_the_next_and_a_bucket_to_its_first);
    suite_add_tcase(s, t);
    return s;
}
