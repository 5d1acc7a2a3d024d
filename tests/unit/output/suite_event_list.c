/* suite_event_list.c - all that has a time, in the order of exports: each once, and slices with
 * their parents. */
#include "model/output/event_list.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

static const char *const fixtures[] = {"export_viewers", "counter_values", "counter_types",
                                       "args_all_types"};
enum { FIXTURES = sizeof fixtures / sizeof *fixtures };

/* A fixture, or a trace of so many slices that two threads list them: parents with five children in
 * three threads. */
static struct trace *loaded(int i) {
    char *text;
    size_t size;
    if (i < FIXTURES)
        return loaded_fixture(fixtures[i]);
    FILE *f = open_memstream(&text, &size);
    fputs("magic\ninit 1000000000\n", f);
    for (int k = 0; k < 9000; k++)
        fprintf(f, "complete %d 1/%d \"c\" \"s\" end=%d\n", k / 6 * 10 + k % 6, 1 + k / 6 % 3,
                k / 6 * 10 + (k % 6 ? k % 6 + 1 : 9));
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}

START_TEST(each_slice_is_in_it_once_by_time_then_depth_then_place) {
    struct trace *trace = loaded(_i);
    struct event_list list = {0};
    size_t slices = 0, listed = 0;
    event_list_init(&list, trace, true);
    for (size_t k = 0; k < trace_thread_count(trace); k++) {
        const struct nest *nest = &trace_thread(trace, k)->nest;
        for (uint32_t row = 0; row < nest_rows(nest); row++)
            slices += nest_row(nest, row)->n;
    }
    for (size_t i = 0; i < list.v.n; i++)
        listed += list.v.v[i].kind == EVENT_LIST_SLICE;
    ck_assert_uint_eq(list.nslices, slices);
    ck_assert_uint_eq(listed, slices);
    for (size_t id = 0; id < slices; id++) {
        const struct event_list_entry *e = list.slices[id];
        const struct nest *nest = &trace_thread(trace, e->thread)->nest;
        const struct slice *s = event_list_slice(trace, e);
        uint32_t row, i;
        ck_assert_uint_eq(e->id, id);
        ck_assert(s->start == e->time && slice_offset(s) == e->offset);
        ck_assert_uint_eq(e->depth, nest_depth(nest, trace_slice_extra(trace), e->row, e->i));
        bool inside = nest_parent(nest, trace_slice_extra(trace), e->row, e->i, &row, &i);
        ck_assert_int_eq(inside, e->parent != NULL);
        ck_assert(!inside ||
                  (e->parent->thread == e->thread && e->parent->row == row && e->parent->i == i));
        if (id == 0)
            continue;
        const struct event_list_entry *b = list.slices[id - 1];
        ck_assert(b->time < e->time ||
                  (b->time == e->time &&
                   (b->depth < e->depth || (b->depth == e->depth && b->offset <= e->offset))));
    }
    event_list_free(&list);
    trace_free(trace);
}
END_TEST

START_TEST(the_order_is_by_time_then_by_place_in_the_file) {
    struct trace *trace = loaded(_i);
    struct event_list list = {0}, alone = {0};
    event_list_init(&list, trace, true);
    event_list_init(&alone, trace, false);
    uint64_t places = 0;
    for (size_t k = 0; k < list.v.n; k++) {
        const struct event_list_entry *e = list.order[k];
        places += (uint64_t)(e - list.v.v);
        if (k > 0)
            ck_assert(
                list.order[k - 1]->time < e->time ||
                (list.order[k - 1]->time == e->time && list.order[k - 1]->offset <= e->offset));
    }
    ck_assert_uint_eq(places, (uint64_t)list.v.n * (list.v.n - (list.v.n > 0)) / 2); /* each once */
    ck_assert_uint_eq(alone.nslices, list.nslices);
    ck_assert_uint_eq(alone.v.n, alone.nslices);
    event_list_free(&alone);
    event_list_free(&list);
    trace_free(trace);
}
END_TEST

START_TEST(the_slice_that_an_event_is_in_is_that_of_the_trace) {
    struct trace *trace = loaded(_i);
    struct event_list list = {0};
    event_list_init(&list, trace, true);
    for (uint32_t thread = 0; thread < trace_thread_count(trace); thread++) {
        for (size_t k = 0; k < list.v.n; k++) {
            struct trace_point point = {
                thread, {list.order[k]->time, list.order[k]->offset}, k % 2 == 0};
            uint32_t row, i;
            bool in = trace_point_slice(trace, &point, &row, &i);
            const struct event_list_entry *e = event_list_point_slice(&list, trace, &point);
            MUST(in == (e != NULL), thread);
            MUST(!in || (e->thread == thread && e->row == row && e->i == i), thread);
        }
    }
    event_list_free(&list);
    trace_free(trace);
}
END_TEST

SUITE(event_list) {
    Suite *s = suite_create("event_list");
    TCase *t = tcase_create("event_list");
    tcase_add_loop_test(t, each_slice_is_in_it_once_by_time_then_depth_then_place, 0, FIXTURES + 1);
    tcase_add_loop_test(t, the_order_is_by_time_then_by_place_in_the_file, 0, FIXTURES + 1);
    tcase_add_loop_test(t, the_slice_that_an_event_is_in_is_that_of_the_trace, 0, FIXTURES + 1);
    suite_add_tcase(s, t);
    return s;
}
