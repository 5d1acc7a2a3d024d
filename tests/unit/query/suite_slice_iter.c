/* suite_slice_iter.c - the iterator yields those slices, in that order, that going over all rows
 * gives. */
#include <string.h>

#include "model/query/slice_iter.h"

#include <stdlib.h>

#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/lib/thrown.h"

static struct chance chance = {1234567};

static bool wanted(const struct trace *trace, const struct thrown_slice *s,
                   const struct slice_set *set) {
    int64_t start = s->slice.start, end = slice_iter_end(trace, s->track, &s->slice);
    if ((s->kind & set->kinds) == 0 || (set->track != NO_THREAD && set->track != s->track))
        return false;
    return (start < set->to || set->to == INT64_MAX) && (end > set->from || start >= set->from);
}

/* Goes through the set by random budgets; each slice must be the next wanted one. */
static void compare(const struct trace *trace, const struct thrown_slices *all,
                    const struct slice_set *set, int n) {
    struct slice_iter iter;
    struct slice_run run;
    size_t at = 0;
    slice_iter_init(&iter, trace, set);
    do {
        struct budget budget = budget_units((uint32_t)below(&chance, 400));
        while (slice_iter_next(&iter, TASK_WITHIN(&budget), &run)) {
            MUST(run.n > 0, n);
            for (uint32_t k = 0; k < run.n; k++, at++) {
                while (at < all->n && !wanted(trace, &all->v[at], set))
                    at++;
                MUST(at < all->n && memcmp(&all->v[at].slice, &run.v[k], sizeof(struct slice)) == 0,
                     n);
                MUST(all->v[at].track == run.track && all->v[at].row == run.row &&
                         all->v[at].i == run.i + k,
                     n);
            }
            /* a run ends at the end of a piece, or at a slice that is not wanted */
            uint32_t next = run.i + run.n;
            MUST(next % SLICE_ITER_RUN == 0 || at == all->n || all->v[at].row != run.row ||
                     all->v[at].track != run.track || !wanted(trace, &all->v[at], set),
                 n);
        }
    } while (!slice_iter_done(&iter));
    while (at < all->n && !wanted(trace, &all->v[at], set))
        at++;
    MUST(at == all->n, n);
}

START_TEST(sets_are_those_of_a_slow_walk) {
    for (int n = 0; n < 300; n++) {
        struct trace *trace =
            thrown_trace(&chance, n % 100 == 0 ? 50000 : 2 + (unsigned)below(&chance, 300));
        struct thrown_slices all = thrown_slices(trace);
        for (int k = 0; k < 12; k++) {
            struct slice_set set = thrown_set(&chance, trace, &all);
            compare(trace, &all, &set, n);
        }
        vec_free(&all);
        trace_free(trace);
    }
}
END_TEST

START_TEST(series_come_in_order_and_hold_everything) {
    for (int n = 0; n < 100; n++) {
        struct trace *trace = thrown_trace(&chance, 2 + (unsigned)below(&chance, 300));
        struct thrown_slices all = thrown_slices(trace);
        struct slice_series s;
        size_t slices = 0, instants = 0, want = 0;
        uint32_t track = 0, row = 0, last_track = 0, last_row = 0;
        bool first = true;
        while (slice_iter_series(trace, 15, &track, &row, &s)) {
            MUST(s.n > 0, n);
            MUST(first || s.track > last_track || (s.track == last_track && s.row > last_row), n);
            slices += s.lane ? s.n : 0;
            instants += s.lane ? 0 : s.n;
            last_track = s.track;
            last_row = s.row;
            first = false;
        }
        for (uint32_t k = 0; k < trace_thread_count(trace); k++)
            want += trace_instant_count(trace_thread(trace, k));
        for (size_t k = 0; k < async_group_count(trace_async(trace)); k++)
            want += async_instant_count(async_group(trace_async(trace), k));
        MUST(slices == all.n && instants == want, n);
        vec_free(&all);
        trace_free(trace);
    }
}
END_TEST

/* A budget of one unit gives one run; none gives none and loses nothing. */
START_TEST(a_spent_budget_stops_and_the_next_call_continues) {
    struct trace *trace = thrown_trace(&chance, 50000);
    struct slice_iter iter;
    struct slice_run run;
    uint64_t n = 0, all = 0;
    struct budget none = budget_units(0), one = budget_units(1);
    slice_iter_init(&iter, trace, &SLICE_SET_ALL(SLICE_ITER_SLICES));
    while (slice_iter_next(&iter, NULL, &run))
        all += run.n;
    slice_iter_init(&iter, trace, &SLICE_SET_ALL(SLICE_ITER_SLICES));
    for (; !slice_iter_done(&iter); one = budget_units(1)) {
        ck_assert(!slice_iter_next(&iter, TASK_WITHIN(&none), &run));
        n += slice_iter_next(&iter, TASK_WITHIN(&one), &run) ? run.n : 0;
        ck_assert(!slice_iter_next(&iter, TASK_WITHIN(&one), &run));
    }
    ck_assert_uint_gt(nest_row(&trace_thread(trace, 0)->nest, 0)->n, SLICE_ITER_RUN);
    ck_assert_uint_eq(n, all);
    trace_free(trace);
}
END_TEST

SUITE(slice_iter) {
    Suite *s = suite_create("slice_iter");
    TCase *c = tcase_create("slice_iter");
    tcase_add_test(c, sets_are_those_of_a_slow_walk);
    tcase_add_test(c, series_come_in_order_and_hold_everything);
    tcase_add_test(c, a_spent_budget_stops_and_the_next_call_continues);
    suite_add_tcase(s, c);
    return s;
}
