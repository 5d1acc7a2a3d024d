/* suite_filter_lanes.c - the events of each track that :only leaves, against the filter asked about
 * each event, on random traces with events of all kinds. */
#include "model/query/filter/filter_lanes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/query/filter/filter_match.h"
#include "tests/unit/lib/libcheck.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/lib/thrown_events.h"

#define DRAWN_KINDS                                                                                \
    (SLICE_ITER_SLICES | SLICE_ITER_INSTANTS | SLICE_ITER_OPERATIONS | SLICE_ITER_ASYNC_INSTANTS | \
     SLICE_ITER_COUNTERS | SLICE_ITER_STATES | SLICE_ITER_LOGS)

static struct chance chance = {424243};

/* The share of each column that the slices left of a thread cover: instant by instant, for all of
 * its rows. */
static void expect_covered(struct trace *trace, const struct filter_lanes *lanes) {
    enum { COLUMNS = 7 };
    int64_t edges[COLUMNS + 1], first = trace_begin(trace) - 3;
    int64_t each =
        1 +
        (int64_t)below(&chance, (uint64_t)(trace_end(trace) - trace_begin(trace)) / COLUMNS + 2);
    for (int c = 0; c <= COLUMNS; c++)
        edges[c] = first + c * each;
    for (size_t k = 0; k < trace_thread_count(trace); k++) {
        double got[COLUMNS] = {0};
        filter_lanes_busy(lanes, (uint32_t)k, edges, COLUMNS, got);
        for (int c = 0; c < COLUMNS; c++) {
            int64_t covered = 0;
            for (int64_t t = edges[c]; t < edges[c + 1]; t++) {
                bool is = false;
                for (uint32_t row = 0; row < nest_rows(&trace_thread(trace, k)->nest) && !is;
                     row++) {
                    const struct lane *left = filter_lanes_of(lanes, (uint32_t)k, row);
                    for (uint32_t i = 0; left && i < left->n && !is; i++)
                        is = lane_start(left, i) <= t &&
                             t < slice_iter_end(trace, (uint32_t)k, lane_at(left, i));
                }
                covered += is;
            }
            double share = (double)covered / (double)each;
            ck_assert_msg(fabs(got[c] - share) < 1e-9, "thread %zu, column %d: %f, not %f", k, c,
                          got[c], share);
        }
    }
}

/* A run of a CPU is left if the running state of its thread is. If switches contradict each other,
 * several states may be meant: then either answer will do. */
static void expect_runs(struct trace *trace, struct filter_match *m,
                        const struct filter_lanes *lanes) {
    const struct sched *sched = trace_sched(trace);
    for (uint32_t c = 0; c < sched_cpu_count(sched); c++) {
        struct sched_cpu *cpu = sched_cpu(sched, c);
        const struct lane *runs = sched_busy(cpu),
                          *left = filter_lanes_of(lanes, FILTER_LANES_CPU + c, 0);
        uint32_t n = 0;
        for (uint32_t i = 0; i < runs->n; i++) {
            const struct slice *run = lane_at(runs, i);
            bool is = left && n < left->n && memcmp(lane_at(left, n), run, sizeof *run) == 0,
                 may = false, must = true;
            uint32_t thread = sched_busy_thread(cpu, run);
            struct slice_series s;
            for (uint32_t track = 0, row = 0;
                 slice_iter_series(trace, SLICE_ITER_STATES, &track, &row, &s);) {
                const struct sched_thread *t =
                    sched_thread_at(sched, s.track - SLICE_ITER_STATE_TRACK);
                for (uint32_t k = 0; t->thread == thread && k < s.n; k++) {
                    const struct slice *state = lane_at(s.lane, k);
                    bool meant = state->start <= run->start &&
                                 (slice_open(state) || slice_end(state) > run->start ||
                                  state->start == run->start);
                    bool holds = sched_state(t, k) == SCHED_RUNNING && filter_match_event(m, &s, k);
                    may = may || (meant && holds);
                    must = must && (!meant || holds);
                }
            }
            ck_assert_msg(is ? may : !may || !must, "cpu %u, run %u", c, i);
            n += is;
        }
        ck_assert_uint_eq(n, left ? left->n : 0);
    }
}

/* All samples of a counter, those that do not match as gaps. */
static void expect_samples(struct filter_match *m, const struct filter_lanes *lanes,
                           const struct slice_series *s) {
    struct counter_series *left = filter_lanes_counter(lanes, s->track - SLICE_ITER_COUNTER_TRACK);
    uint32_t matching = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        bool holds = filter_match_event(m, s, i);
        matching += holds;
        if (left == NULL)
            continue;
        const struct counter_sample *a = counter_sample(left, i),
                                    *b = counter_sample(s->counter, i);
        ck_assert(a->at.time == b->at.time && counter_offset(a) == counter_offset(b));
        ck_assert(holds ? a->bits == b->bits && counter_type(a) == counter_type(b)
                        : isnan(counter_value(a)));
    }
    ck_assert(left ? counter_sample_count(left) == s->n : matching == 0);
}

/* From each moment on, and back from it, the nearest one that matches. */
static void expect_moments(struct filter_match *m, const struct filter_lanes *lanes,
                           const struct slice_series *s) {
    for (uint32_t i = 0; i < s->n; i++)
        for (int d = -1; d <= 1; d += 2) {
            uint32_t k = i;
            while (k < s->n && !filter_match_event(m, s, k))
                k += (uint32_t)d;
            ck_assert_uint_eq(filter_lanes_moment_along(lanes, s->track, i, d),
                              k < s->n ? k : UINT32_MAX);
        }
}

/* The slices, operations and states of a row that match, and no others. */
static void expect_slices(struct filter_match *m, const struct filter_lanes *lanes,
                          const struct slice_series *s) {
    const struct lane *left = filter_lanes_of(lanes, s->track, s->row);
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        if (!filter_match_event(m, s, i))
            continue;
        ck_assert(left != NULL && n < left->n);
        ck_assert_mem_eq(lane_at(left, n++), lane_at(s->lane, i), sizeof(struct slice));
    }
    ck_assert(left == NULL ? n == 0 : n == left->n);
}

/* The filter decides about events of each kind: those that it holds for are left, and no others. */
START_TEST(lanes_of_matching_events) {
    static const char *const filters[] = {"Frame",
                                          "dur>30ns !open",
                                          "in=Frame depth>1",
                                          "size>0",
                                          "nothing",
                                          "kind=async",
                                          "!open",
                                          "kind=state",
                                          "kind=state,slice state=running thread=ui",
                                          "kind=state dur>40ns",
                                          "kind=counter",
                                          "kind=counter,instant size>20",
                                          "kind=log Frame",
                                          "kind=log,async !Layout"};
    for (int k = 0; k < 70; k++) {
        struct trace *trace = thrown_events(&chance, 200);
        struct slice_series s;
        struct err err;
        bool news = false;
        const char *text = filters[k % 14];
        struct filter *filter = filter_new(text, false, &err);
        struct filter_match *m = filter_match_new(trace, filter);
        struct filter_lanes *lanes = filter_lanes_new(trace, filter_new(text, false, &err));
        ck_assert(filter_match_step(m, NULL));
        while (filter_lanes_step(lanes, TASK_OF(1 + (uint32_t)below(&chance, 40)), &news))
            ck_assert(!filter_lanes_known(lanes));
        ck_assert(news && filter_lanes_known(lanes));
        for (uint32_t track = 0, row = 0;
             slice_iter_series(trace, DRAWN_KINDS, &track, &row, &s);) {
            if (s.lane)
                expect_slices(m, lanes, &s);
            else
                expect_moments(m, lanes, &s);
            if (s.counter)
                expect_samples(m, lanes, &s);
        }
        expect_runs(trace, m, lanes);
        expect_covered(trace, lanes);
        filter_lanes_free(lanes);
        filter_match_free(m);
        filter_free(filter);
        trace_free(trace);
    }
}
END_TEST

/* A thread with a row of many slices that are left, and as many rows of one. Returns the steps to
 * find them. */
static int steps_of(int n) {
    char *text = NULL;
    size_t size;
    struct err err;
    bool news = false;
    int steps = 0;
    FILE *f = open_memstream(&text, &size);
    fprintf(f, "magic\ncomplete 0 1/2 \"\" \"all\" end=%d\n", 20 * n);
    for (int i = 0; i < n; i++) {
        fprintf(f, "complete %d 1/2 \"\" \"in\" end=%d\n", 10 * i + 1, 20 * n - 10 * i);
        fprintf(f, "complete %d 1/2 \"\" \"A\" end=%d\n", 10 * i + 2, 10 * i + 4);
        fprintf(f, "complete %d 1/2 \"\" \"A\" end=%d\n", 20 * n + 10 * i, 20 * n + 10 * i + 5);
    }
    fclose(f);
    struct trace *trace = loaded_text(text);
    struct filter_lanes *lanes = filter_lanes_new(trace, filter_new("name=A", false, &err));
    while (filter_lanes_step(lanes, TASK_OF(100), &news))
        steps++;
    expect_covered(trace, lanes);
    filter_lanes_free(lanes);
    trace_free(trace);
    free(text);
    return steps;
}

START_TEST(twice_the_rows_take_about_twice_the_steps) {
    int steps = steps_of(300);
    ck_assert_int_gt(steps, 10);
    ck_assert_int_lt(steps_of(600), steps * 5 / 2);
}
END_TEST

SUITE(filter_lanes) {
    Suite *s = suite_create("filter_lanes");
    TCase *c = tcase_create("filter_lanes");
    tcase_add_test(c, lanes_of_matching_events);
    tcase_add_test(c, twice_the_rows_take_about_twice_the_steps);
    suite_add_tcase(s, c);
    return s;
}
