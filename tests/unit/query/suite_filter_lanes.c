/* suite_filter_lanes.c - the rows of :only, against the filter asked about each event, on random traces. */
#include "model/query/filter/filter_lanes.h"

#include <check.h>
#include <math.h>
#include <string.h>

#include "model/query/filter/filter_match.h"
#include "tests/lib/suites.h"
#include "tests/unit/query/thrown_events.h"

static struct chance chance = {424243};

/* The share of each column that the slices left of a thread cover: instant by instant, for all of its rows. */
static void expect_covered(struct trace *trace, const struct filter_lanes *lanes) {
    enum { COLUMNS = 7 };
    int64_t edges[COLUMNS + 1], first = trace_begin(trace) - 3;
    int64_t each = 1 + (int64_t)below(&chance, (uint64_t)(trace_end(trace) - trace_begin(trace)) / COLUMNS + 2);
    for (int c = 0; c <= COLUMNS; c++)
        edges[c] = first + c * each;
    for (size_t k = 0; k < trace_thread_count(trace); k++) {
        double got[COLUMNS] = {0};
        filter_lanes_busy(lanes, (uint32_t)k, edges, COLUMNS, got);
        for (int c = 0; c < COLUMNS; c++) {
            int64_t covered = 0;
            for (int64_t t = edges[c]; t < edges[c + 1]; t++) {
                bool is = false;
                for (uint32_t row = 0; row < nest_rows(&trace_thread(trace, k)->nest) && !is; row++) {
                    const struct lane *left = filter_lanes_of(lanes, (uint32_t)k, row);
                    for (uint32_t i = 0; left && i < left->n && !is; i++)
                        is = lane_at(left, i)->start <= t && t < slice_iter_end(trace, (uint32_t)k, lane_at(left, i));
                }
                covered += is;
            }
            ck_assert_msg(fabs(got[c] - (double)covered / (double)each) < 1e-9, "thread %zu, column %d: %f, not %f", k, c,
                          got[c], (double)covered / (double)each);
        }
    }
}

/* The lanes of :only hold the slices that the filter holds for, row by row, and no others. */
START_TEST(lanes_of_matching_slices) {
    static const char *const filters[] = {"Frame",  "dur>30ns !open", "in=Frame depth>1",
                                          "size>0", "nothing",        "kind=async",
                                          "!open"};
    for (int k = 0; k < 35; k++) {
        struct trace *trace = thrown_events(&chance, 200);
        struct slice_series s;
        struct err err;
        bool news = false;
        const char *text = filters[k % 7];
        struct filter *filter = filter_new(text, false, &err);
        struct filter_match *m = filter_match_new(trace, filter);
        struct filter_lanes *lanes = filter_lanes_new(trace, filter_new(text, false, &err));
        ck_assert(filter_match_step(m, &(struct budget){INT64_MAX, UINT32_MAX}));
        while (filter_lanes_step(lanes, BUDGET_OF(1 + (uint32_t)below(&chance, 40)), &news))
            ck_assert(!filter_lanes_known(lanes));
        ck_assert(news && filter_lanes_known(lanes));
        for (uint32_t track = 0, row = 0;
             slice_iter_series(trace, SLICE_ITER_SLICES | SLICE_ITER_OPERATIONS, &track, &row, &s);) {
            const struct lane *left = filter_lanes_of(lanes, s.track, s.row);
            uint32_t n = 0;
            for (uint32_t i = 0; i < s.n; i++) {
                if (!filter_match_event(m, &s, i))
                    continue;
                ck_assert(left != NULL && n < left->n);
                ck_assert_mem_eq(lane_at(left, n++), lane_at(s.lane, i), sizeof(struct slice));
            }
            ck_assert(left == NULL ? n == 0 : n == left->n);
        }
        expect_covered(trace, lanes);
        filter_lanes_free(lanes);
        filter_match_free(m);
        filter_free(filter);
        trace_free(trace);
    }
}
END_TEST

Suite *suite_filter_lanes(void) {
    Suite *s = suite_create("filter_lanes");
    TCase *c = tcase_create("filter_lanes");
    tcase_add_test(c, lanes_of_matching_slices);
    suite_add_tcase(s, c);
    return s;
}
