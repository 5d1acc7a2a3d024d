/* suite_selection.c - events are found again by time and record, whatever their place in the model
 * has become. */
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "ui/timeline/selection.h"
#include "ui/timeline/track_line.h"
#include "ui/timeline/track_list.h"
#include "ui/timeline/track_ops.h"

#define KINDS "../screens/kinds"

static void is_found_again(struct trace *trace, struct selection is) {
    struct selection moved = is;
    moved.row = is.kind->lane ? 77 : is.row; /* moments have no row of their own */
    moved.i = 7777;
    MUST(selection_find(trace, &moved));
    MUST(moved.i == is.i && moved.row == is.row);
    moved.offset += 8;
    MUST(!selection_find(trace, &moved));
    moved = is;
    moved.time++;
    MUST(!selection_find(trace, &moved));
}

START_TEST(each_event_of_each_line_is_found_by_time_and_offset_alone) {
    struct trace *trace = loaded_fixture(KINDS);
    struct track_list list;
    size_t slices = 0, moments = 0;
    track_list_init(&list);
    list.default_depth = list.least_depth = 99;
    track_list_update(&list, trace);
    for (uint64_t at = 0; at < list.lines; at++) {
        struct track_line line;
        if (!track_line_at(trace, &list, at, &line))
            continue;
        for (uint32_t i = 0; line.slices && i < line.lane->n; i++, slices++)
            is_found_again(trace, track_line_slice(&line, i));
        for (size_t i = 0; i < track_line_moments(trace, &line); i++)
            if (track_line_holds(trace, &line, i)) {
                is_found_again(trace, track_line_selection(trace, &line, i));
                moments++;
            }
    }
    ck_assert_uint_gt(slices, 16); /* slices of threads, operations, states and runs */
    ck_assert_uint_gt(moments, 100);
    track_list_free(&list);
    trace_free(trace);
}
END_TEST

START_TEST(a_slice_names_its_thread) {
    struct trace *trace = loaded_fixture(KINDS);
    for (size_t k = 0; k < trace_thread_count(trace); k++) {
        struct thread *t = trace_thread(trace, k);
        for (uint32_t row = 0; row < nest_rows(&t->nest); row++)
            for (uint32_t i = 0; i < nest_row(&t->nest, row)->n; i++) {
                struct selection is = selection_of_slice(t, row, i);
                MUST(memcmp(selection_slice(trace, &is), lane_at(nest_row(&t->nest, row), i),
                            sizeof(struct slice)) == 0);
                MUST(selection_thread(trace, &is) == t->number);
                MUST(selection_row(trace, &is) == row);
            }
    }
    trace_free(trace);
}
END_TEST

static const char ends[] = "magic\n"
                           "init 1000000000\n"
                           "begin 10 5/6 \"c\" \"outer\"\n"
                           "begin 20 5/6 \"c\" \"inner\"\n"
                           "end 30 5/6 \"c\" \"inner\"\n"
                           "end 40 5/6 \"c\" \"outer\"\n";

START_TEST(begin_and_end_record_lead_to_the_slice) {
    struct trace *trace = loaded_text(ends);
    struct thread *t = trace_thread(trace, 0);
    ck_assert_uint_eq(nest_rows(&t->nest), 2);
    for (uint32_t row = 0; row < 2; row++) {
        const struct lane *lane = nest_row(&t->nest, row);
        const struct slice *s = lane_at(lane, 0);
        uint64_t end = slice_extra_end_offset(trace_slice_extra(trace), s);
        struct selection begun = selection_of_slice(t, row, 0);
        ck_assert_uint_eq(
            selection_of_record(trace, lane, (struct moment){begun.time, begun.offset}), 0);
        ck_assert_uint_eq(selection_of_record(trace, lane, (struct moment){slice_end(s), end}), 0);
        ck_assert_uint_eq(selection_of_record(trace, lane, (struct moment){slice_end(s), end + 8}),
                          UINT32_MAX);
        ck_assert_uint_eq(selection_of_record(trace, nest_row(&t->nest, 1 - row),
                                              (struct moment){slice_end(s), end}),
                          UINT32_MAX);
    }
    trace_free(trace);
}
END_TEST

START_TEST(another_moment_of_that_time_is_another_one) {
    struct trace *trace = loaded_text("magic\ninit 1000000000\n"
                                      "instant 5 5/6 \"c\" \"x\"\ninstant 5 5/6 \"c\" \"y\"\n");
    struct selection x = selection_of_moment(trace, &track_thread_instant, 0, 0),
                     y = selection_of_moment(trace, &track_thread_instant, 0, 1), between = x;
    ck_assert_int_eq(x.time, y.time);
    between.offset += 8;
    ck_assert_uint_lt(between.offset, y.offset);
    ck_assert(!selection_find(trace, &between));
    y.i = 0;
    ck_assert(selection_find(trace, &y));
    ck_assert_uint_eq(y.i, 1);
    trace_free(trace);
}
END_TEST

START_TEST(nothing_is_always_there) {
    struct trace *trace = loaded_text(ends);
    struct selection none = {0};
    enum slice_iter_kind kind;
    uint32_t name;
    ck_assert(selection_find(trace, &none));
    ck_assert(!selection_any(&none));
    ck_assert(!selection_is_slice(&none));
    ck_assert(!selection_name(trace, &none, &kind, &name));
    ck_assert_ptr_null(selection_slice(trace, &none));
    ck_assert_uint_eq(selection_thread(trace, &none), NO_THREAD);
    trace_free(trace);
}
END_TEST

SUITE(selection) {
    Suite *s = suite_create("selection");
    TCase *t = tcase_create("selection");
    tcase_add_test(t, each_event_of_each_line_is_found_by_time_and_offset_alone);
    tcase_add_test(t, a_slice_names_its_thread);
    tcase_add_test(t, begin_and_end_record_lead_to_the_slice);
    tcase_add_test(t, another_moment_of_that_time_is_another_one);
    tcase_add_test(t, nothing_is_always_there);
    suite_add_tcase(s, t);
    return s;
}
