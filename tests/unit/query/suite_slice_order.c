/* suite_slice_order.c - every slice of a set comes once, and those that have a length by (start,
 * row). */
#include <string.h>

#include "model/query/slice_order.h"

#include <stdlib.h>

#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/lib/thrown.h"

static struct chance chance = {7654321};

static bool wanted(const struct trace *trace, const struct thrown_slice *s,
                   const struct slice_set *set) {
    int64_t start = s->slice.start, end = slice_iter_end(trace, s->track, &s->slice);
    if ((s->kind & set->kinds) == 0 || (set->track != NO_THREAD && set->track != s->track))
        return false;
    return (start < set->to || set->to == INT64_MAX) && (end > set->from || start >= set->from);
}

/* The number of slice i of a run among all of them. */
static size_t number_of(const struct thrown_slices *all, const struct slice_run *run, uint32_t i) {
    for (size_t k = 0; k < all->n; k++) {
        const struct thrown_slice *s = &all->v[k];
        if (s->track == run->track && s->row == run->row && s->i == run->i + i &&
            memcmp(&s->slice, &run->v[i], sizeof s->slice) == 0)
            return k;
    }
    ck_abort_msg("a slice that is in no row");
}

static void compare(const struct trace *trace, const struct thrown_slices *all,
                    const struct slice_set *set, int n) {
    struct slice_order order;
    struct slice_run run;
    unsigned char *seen = calloc(all->n + 1, 1);
    uint32_t track = 0, row = 0;
    int64_t start = INT64_MIN;
    slice_order_init(&order, trace, set);
    while (!slice_order_done(&order)) {
        struct budget budget = budget_units((uint32_t)below(&chance, 60));
        while (slice_order_next(&order, TASK_WITHIN(&budget), &run)) {
            MUST(run.n == 0 || run.track == track, n);
            MUST(run.n > 0 || track == 0 || run.track > track, n);
            if (run.n == 0)
                start = INT64_MIN;
            track = run.track;
            for (uint32_t k = 0; k < run.n; k++) {
                size_t at = number_of(all, &run, k);
                const struct thrown_slice *s = &all->v[at];
                MUST(!seen[at] && wanted(trace, s, set), n);
                MUST(s->track == run.track && s->row == run.row && s->i == run.i + k, n);
                seen[at] = 1;
                if (!slice_has_length(&s->slice))
                    continue;
                MUST(s->slice.start > start || (s->slice.start == start && s->row > row), n);
                start = s->slice.start;
                row = s->row;
            }
        }
    }
    for (size_t k = 0; k < all->n; k++)
        MUST(seen[k] == wanted(trace, &all->v[k], set), n);
    slice_order_free(&order);
    free(seen);
}

START_TEST(every_slice_comes_once_and_in_order) {
    for (int n = 0; n < 600; n++) {
        unsigned events = 2 + (unsigned)below(&chance, n % 3 == 0 ? 300 : 40);
        struct trace *trace = n % 2
                                  ? thrown_trace(&chance, events)
                                  : thrown_nested(&chance, events, 2 + (unsigned)below(&chance, 5));
        struct thrown_slices all = thrown_slices(trace);
        for (int k = 0; k < 8; k++) {
            struct slice_set set = thrown_set(&chance, trace, &all);
            compare(trace, &all, &set, n);
        }
        vec_free(&all);
        trace_free(trace);
    }
}
END_TEST

/* More than a piece of a lane, and more rows than are passed in a step on the way up. */
START_TEST(long_and_deep_rows_are_complete) {
    for (int deep = 0; deep < 2; deep++) {
        struct trace *trace = deep ? thrown_nested(&chance, 6000, 1) : thrown_trace(&chance, 50000);
        struct slice_order order;
        struct slice_run run;
        uint64_t n = 0, all = 0;
        for (uint32_t t = 0; t < trace_thread_count(trace); t++)
            all += trace_thread(trace, t)->nest.slices;
        slice_order_init(&order, trace, &SLICE_SET_ALL(SLICE_ITER_SLICES));
        for (; !slice_order_done(&order);)
            n += slice_order_next(&order, TASK_OF(1), &run) ? run.n : 0;
        ck_assert_uint_eq(n, all);
        /* a million rows of a slice each have no buffers for 32 each */
        ck_assert_uint_le(order.slices.n, all);
        slice_order_free(&order);
        trace_free(trace);
    }
}
END_TEST

SUITE(slice_order) {
    Suite *s = suite_create("slice_order");
    TCase *c = tcase_create("slice_order");
    tcase_add_test(c, every_slice_comes_once_and_in_order);
    tcase_add_test(c, long_and_deep_rows_are_complete);
    suite_add_tcase(s, c);
    return s;
}
