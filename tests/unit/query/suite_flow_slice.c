/* suite_flow_slice.c - points of flows and the slices around them, against a search through all
 * slices. */
#include "model/query/flow_slice.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

enum { MOST_POINTS = 64 };

/* Nested and overlapping slices on three threads, one that never ends, and points anywhere. */
static struct trace *any_trace(struct chance *chance) {
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    fputs("magic\nprovider 1 \"p\"\ninit 1000000000\n", f);
    unsigned t = 0;
    for (unsigned k = 0; k < 120; k++) {
        unsigned thread = 10 + (unsigned)below(chance, 3), kind = (unsigned)below(chance, 6);
        t += (unsigned)below(chance, 4);
        if (kind < 2)
            fprintf(f, "complete %u 1/%u \"c\" \"s\" end=%u\n", t, thread,
                    t + (unsigned)below(chance, 30));
        else
            fprintf(f, "flow_%s %u 1/%u \"c\" \"f\" id=%u\n",
                    kind == 2   ? "begin"
                    : kind == 3 ? "end"
                                : "step",
                    t, thread, (unsigned)below(chance, 5));
    }
    fprintf(f, "begin %u 1/10 \"c\" \"open\"\nflow_begin %u 1/10 \"c\" \"f\" id=9\n", t, t + 1);
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}

/* The innermost is the one that begins last; of those that begin together the lowest. */
static bool slow_place(struct trace *trace, uint32_t thread, int64_t time, uint32_t *row,
                       uint32_t *i) {
    const struct nest *nest = &trace_thread(trace, thread)->nest;
    bool any = false;
    int64_t best = INT64_MIN;
    for (uint32_t r = 0; r < nest_rows(nest); r++) {
        for (uint32_t k = 0; k < nest_row(nest, r)->n; k++) {
            const struct slice *s = lane_at(nest_row(nest, r), k);
            bool around = s->start == time || (s->start < time && time < slice_end(s));
            if (!around || s->start < best)
                continue;
            best = s->start;
            any = true;
            *row = r;
            *i = k;
        }
    }
    return any;
}

/* The innermost slice that ends at a point; after: whose end is after it in the file. */
static bool slow_ended(struct trace *trace, uint32_t thread, struct moment at, bool after,
                       uint32_t *row, uint32_t *i) {
    const struct nest *nest = &trace_thread(trace, thread)->nest;
    int64_t best = INT64_MIN;
    for (uint32_t r = 0; r < nest_rows(nest); r++) {
        for (uint32_t k = 0; k < nest_row(nest, r)->n; k++) {
            const struct slice *s = lane_at(nest_row(nest, r), k);
            bool complete = slice_flags(s) & SLICE_COMPLETE;
            uint64_t end =
                complete ? slice_offset(s) : slice_extra_end_offset(trace_slice_extra(trace), s);
            if (s->start >= at.time || slice_end(s) != at.time || (after && end <= at.offset) ||
                s->start < best)
                continue;
            best = s->start;
            *row = r;
            *i = k;
        }
    }
    return best > INT64_MIN;
}

/* SEMANTICS 7.4. */
static bool slow_point(struct trace *trace, uint32_t point, uint32_t *row, uint32_t *i) {
    struct flow_point p = flow_point(trace_flows(trace), point);
    bool found = slow_place(trace, p.thread, p.at.time, row, i);
    if (found && p.kind != FLOW_BEGIN)
        return true;
    const struct slice *s =
        found ? lane_at(nest_row(&trace_thread(trace, p.thread)->nest, *row), *i) : NULL;
    if (s && s->start == p.at.time && slice_offset(s) < p.at.offset)
        return true;
    return slow_ended(trace, p.thread, p.at, true, row, i) || found ||
           slow_ended(trace, p.thread, p.at, false, row, i);
}

START_TEST(a_point_stands_in_the_innermost_slice_around_it) {
    struct chance chance = {101};
    for (int set = 0; set < 60; set++) {
        struct trace *trace = any_trace(&chance);
        const struct flows *flows = trace_flows(trace);
        size_t in_slices = 0, n;
        for (uint32_t thread = 0; thread < trace_thread_count(trace); thread++) {
            const uint32_t *points = flow_points_on(flows, thread, &n);
            for (size_t k = 0; k < n; k++) {
                struct flow_slice_place place = flow_slice_place(trace, points[k]);
                int64_t time = flow_time(flows, points[k]);
                uint32_t row, i;
                bool in = slow_point(trace, points[k], &row, &i);
                MUST(place.thread == thread && place.in_slice == in, set);
                in_slices += in;
                if (!in) {
                    MUST(place.start == time && place.end == time, set);
                    continue;
                }
                const struct slice *s =
                    lane_at(nest_row(&trace_thread(trace, thread)->nest, row), i);
                MUST(place.row == row && place.i == i && place.start == s->start, set);
                MUST(place.end == (slice_open(s) ? trace_end(trace) : slice_end(s)), set);
            }
        }
        MUST(in_slices > 0, set);
        trace_free(trace);
    }
}
END_TEST

START_TEST(a_slice_holds_the_points_that_stand_in_it_in_their_order) {
    struct chance chance = {103};
    for (int set = 0; set < 60; set++) {
        struct trace *trace = any_trace(&chance);
        for (uint32_t thread = 0; thread < trace_thread_count(trace); thread++) {
            const struct nest *nest = &trace_thread(trace, thread)->nest;
            size_t n;
            const uint32_t *points = flow_points_on(trace_flows(trace), thread, &n);
            for (uint32_t row = 0; row < nest_rows(nest); row++) {
                for (uint32_t i = 0; i < nest_row(nest, row)->n; i++) {
                    uint32_t got[MOST_POINTS], wanted[MOST_POINTS];
                    size_t count = 0, cap = 1 + below(&chance, MOST_POINTS);
                    for (size_t k = 0; k < n && count < cap; k++) {
                        struct flow_slice_place place = flow_slice_place(trace, points[k]);
                        if (place.in_slice && place.row == row && place.i == i)
                            wanted[count++] = points[k];
                    }
                    MUST(flow_slice_points(trace, thread, row, i, got, cap) == count, set);
                    for (size_t k = 0; k < count; k++)
                        MUST(got[k] == wanted[k], set);
                }
            }
        }
        trace_free(trace);
    }
}
END_TEST

/* A slice that ends at a point has it only if no later one lasts longer (SEMANTICS 7.4). */
START_TEST(the_end_of_a_slice_takes_the_points_before_it_in_the_file) {
    struct trace *trace = loaded_text("magic\ninit 1000000000\n"
                                      "begin 2 1/1 \"c\" \"ends\"\n"
                                      "complete 3 1/1 \"c\" \"lasts\" end=9\n"
                                      "flow_begin 6 1/1 \"c\" \"in lasts\" id=1\n"
                                      "end 6 1/1 \"c\" \"ends\"\n"
                                      "begin 12 1/1 \"c\" \"outer\"\n"
                                      "begin 13 1/1 \"c\" \"inner\"\n"
                                      "flow_begin 16 1/1 \"c\" \"in inner\" id=2\n"
                                      "end 16 1/1 \"c\" \"inner\"\n"
                                      "flow_begin 16 1/1 \"c\" \"in outer\" id=3\n"
                                      "end 16 1/1 \"c\" \"outer\"\n");
    static const int64_t starts[] = {3, 13, 12};
    size_t n;
    const uint32_t *points = flow_points_on(trace_flows(trace), 0, &n);
    ck_assert_uint_eq(n, 3);
    int64_t origin = flow_slice_place(trace, points[0]).start - starts[0];
    for (size_t k = 0; k < n; k++) {
        struct flow_slice_place place = flow_slice_place(trace, points[k]);
        MUST(place.in_slice && place.start - origin == starts[k], k);
    }
    ck_assert_int_eq(flow_time(trace_flows(trace), points[0]) - origin, 6);
    trace_free(trace);
}
END_TEST

SUITE(flow_slice) {
    Suite *s = suite_create("flow_slice");
    TCase *t = tcase_create("flow_slice");
    tcase_add_test(t, a_point_stands_in_the_innermost_slice_around_it);
    tcase_add_test(t, a_slice_holds_the_points_that_stand_in_it_in_their_order);
    tcase_add_test(t, the_end_of_a_slice_takes_the_points_before_it_in_the_file);
    suite_add_tcase(s, t);
    return s;
}
