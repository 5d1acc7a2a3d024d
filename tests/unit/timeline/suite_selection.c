/* suite_selection.c - events are found again by time and record, whatever their place in the model has become. */
#include "tests/lib/loaded.h"
#include "tests/lib/must.h"
#include "tests/lib/suites.h"
#include "ui/timeline/selection.h"
#include "ui/timeline/track_ops.h"

#define KINDS "../screens/kinds"

/* Calls visit() with each slice of each thread; returns how many there are. */
static size_t each_slice(struct trace *trace,
                         void (*visit)(struct trace *trace, struct thread *t, uint32_t row, uint32_t i)) {
    size_t n = 0;
    for (size_t k = 0; k < trace_thread_count(trace); k++) {
        struct thread *t = trace_thread(trace, k);
        for (uint32_t row = 0; row < nest_rows(&t->nest); row++)
            for (uint32_t i = 0; i < nest_row(&t->nest, row)->n; i++, n++)
                visit(trace, t, row, i);
    }
    return n;
}

static void is_found_again(struct trace *trace, struct thread *t, uint32_t row, uint32_t i) {
    struct selection is = selection_of_slice(t, row, i), moved = is;
    moved.row = 77;
    moved.i = 99;
    MUST(selection_find(trace, &moved));
    MUST(moved.row == row && moved.i == i);
    MUST(selection_slice(trace, &moved) == lane_at(nest_row(&t->nest, row), i));
    MUST(selection_thread(trace, &moved) == t->number);
    moved.offset += 8;
    MUST(!selection_find(trace, &moved));
}

START_TEST(a_slice_is_found_by_time_and_offset_alone) {
    struct trace *trace = loaded_fixture(KINDS);
    ck_assert_uint_eq(each_slice(trace, is_found_again), 16);
    trace_free(trace);
}
END_TEST

START_TEST(a_moment_is_found_by_time_and_offset_alone) {
    struct trace *trace = loaded_fixture(KINDS);
    size_t n = 0;
    for (size_t k = 0; track_ops[k]; k++)
        for (size_t e = 0; track_ops[k]->events[e]; e++) {
            const struct selection_ops *kind = track_ops[k]->events[e];
            for (uint32_t of = 0; kind->count && of < track_ops[k]->count(trace); of++)
                for (size_t i = 0; i < kind->count(trace, of); i++, n++) {
                    struct selection is = selection_of_moment(trace, kind, of, i), moved = is;
                    moved.i = 7777;
                    MUST(selection_find(trace, &moved));
                    MUST(moved.i == i);
                    moved.time++;
                    MUST(!selection_find(trace, &moved));
                }
        }
    ck_assert_uint_gt(n, 100);
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
        ck_assert_uint_eq(selection_of_record(trace, lane, (struct moment){begun.time, begun.offset}), 0);
        ck_assert_uint_eq(selection_of_record(trace, lane, (struct moment){slice_end(s), end}), 0);
        ck_assert_uint_eq(selection_of_record(trace, lane, (struct moment){slice_end(s), end + 8}), UINT32_MAX);
        ck_assert_uint_eq(selection_of_record(trace, nest_row(&t->nest, 1 - row), (struct moment){slice_end(s), end}),
                          UINT32_MAX);
    }
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

Suite *suite_selection(void) {
    Suite *s = suite_create("selection");
    TCase *t = tcase_create("selection");
    tcase_add_test(t, a_slice_is_found_by_time_and_offset_alone);
    tcase_add_test(t, a_moment_is_found_by_time_and_offset_alone);
    tcase_add_test(t, begin_and_end_record_lead_to_the_slice);
    tcase_add_test(t, nothing_is_always_there);
    suite_add_tcase(s, t);
    return s;
}
