/* suite_view_flows.c - the levels of 6 Flows, the ladder of one flow, and the way to the flow of
 * the selection. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/views/stat/flow_ladder.h"
#include "ui/views/stat/flow_tables.h"
#include "ui/views/view.h"
#include "ui/views/view_place.h"

/* n flows "frame" over three threads, whose first hop takes 1, 2 ... us; and one "other" that has
 * no end. */
static void start(int n) {
    static char text[300000];
    size_t at = (size_t)snprintf(text, sizeof text,
                                 "magic\ninit 1000000000\n"
                                 "kernel_object 2 6 \"alpha\" process=koid:5\n"
                                 "kernel_object 2 7 \"beta\" process=koid:5\n"
                                 "kernel_object 2 8 \"gamma\" process=koid:5\n");
    for (int i = 1; i <= n; i++) {
        long t = i * 10000000L, hop = i * 1000L;
        at += (size_t)snprintf(
            text + at, sizeof text - at,
            "complete %ld 5/6 \"c\" \"send %d\" end=%ld\nflow_begin %ld 5/6 \"c\" \"frame\" id=%d\n"
            "complete %ld 5/7 \"c\" \"work %d\" end=%ld\nflow_step %ld 5/7 \"c\" \"frame\" id=%d\n"
            "complete %ld 5/8 \"c\" \"show %d\" end=%ld\nflow_end %ld 5/8 \"c\" \"frame\" id=%d\n",
            t, i, t + 1000, t + 500, i, t + 1000 + hop, i, t + 3000 + hop, t + 2000 + hop, i,
            t + 4000 + hop, i, t + 5000 + hop, t + 4500 + hop, i);
    }
    snprintf(text + at, sizeof text - at, "flow_begin 9000000000 5/6 \"c\" \"other\" id=9999\n");
    shown_text(text, 140, 40);
}

/* The sum of hops is the hop if there is one, however long. */
START_TEST(a_long_hop_is_its_own_total) {
    shown_text("magic\ninit 1000000000\ncomplete 0 1/11 \"\" \"a\" end=10\n"
               "flow_begin 6 1/11 \"\" \"f\" id=1\n"
               "complete 9000000000000000000 1/11 \"\" \"b\" end=9000000000000000010\n"
               "flow_end 9000000000000000005 1/11 \"\" \"f\" id=1\n",
               160, 20);
    shown_keys("6<Tab>");
    ck_assert(!shown_has("53376 d") && shown_has("104167 d"));
    shown_close();
}
END_TEST

/* A hop to a damaged point, and one from a slice of which the end is damaged, are in no number. */
START_TEST(what_damaged_times_take_away_is_said) {
    static char text[8000];
    for (int bad = 0; bad < 3; bad++) {
        size_t at = (size_t)snprintf(text, sizeof text, "magic\ninit 1000000000\n");
        for (int i = 0; i < 20; i++)
            at += (size_t)snprintf(
                text + at, sizeof text - at,
                "begin %d 1/11 \"c\" \"a\"\nflow_begin %d 1/11 \"c\" \"f\" id=%d\n"
                "end %lld 1/11 \"c\" \"a\"\n"
                "begin %d 1/12 \"c\" \"b\"\nflow_end %lld 1/12 \"c\" \"f\" id=%d\n"
                "end %d 1/12 \"c\" \"b\"\n",
                i * 1000, i * 1000 + 10, i + 1, bad == 2 && i == 9 ? 30000000000LL : i * 1000 + 100,
                i * 1000 + 300, bad == 1 && i == 9 ? 30000000000LL : i * 1000 + 310, i + 1,
                i * 1000 + 400);
        shown_text(text, 140, 20);
        shown_keys("6");
        ck_assert(shown_has(" 1 hop with a damaged time is left out ") == (bad == 1));
        ck_assert(shown_has(" 1 slice with a damaged time is left out ") == (bad == 2));
        ck_assert(shown_has("Flows  20"));
        shown_keys("<Enter>jjjjjjjjj");
        ck_assert(shown_has(" damaged time is left out ") == (bad > 0));
        ck_assert(shown_has("  damaged time: not counted") == (bad == 1));
        shown_keys("L");
        ck_assert(shown_has("  damaged time") == (bad == 1) && !shown_has("slow"));
        shown_close();
    }
}
END_TEST

static struct table *table(void) {
    return shown.views.current->ops->table(shown.views.current);
}

START_TEST(keys_lead_down_three_levels_and_q_up) {
    start(9);
    shown_keys("6");
    ck_assert(shown_has("Flows  10"));
    ck_assert_int_gt(shown_find(">frame"), 0);
    shown_keys("<Enter>");
    ck_assert(shown_has("frame 9 "));
    ck_assert(shown_has("L ladder"));
    shown_keys("L");
    ck_assert(shown_has("id 0x1 "));
    ck_assert(shown_has("Stop 1 of 3"));
    shown_keys("j<Enter>");
    ck_assert_ptr_eq(shown.views.current->ops, &view_timeline);
    ck_assert_str_eq(shown_selected(), "work 1");
    shown_keys("6");
    ck_assert(shown_has("id 0x1 "));
    shown_keys("q");
    ck_assert(!shown_has("id 0x1 ") || !shown_has("Stop "));
    shown_keys("q");
    ck_assert(shown_has("Flows  10"));
    shown_keys("q");
    ck_assert_ptr_eq(shown.views.current->ops, &view_timeline);
    shown_close();
}
END_TEST

START_TEST(the_flow_of_the_selection_is_sought_on_each_level) {
    start(9);
    shown_select("work 7", 0);
    shown_keys("6");
    ck_assert_int_gt(shown_find(">frame"), 0);
    shown_keys("<Enter>");
    ck_assert_uint_eq(table()->at, 6);
    shown_keys("L");
    ck_assert_uint_eq(table()->at, 1);
    ck_assert(shown_has("Stop 2 of 3"));
    shown_close();
}
END_TEST

/* Enter on a flow: its first and last point in the window, the threads of both on the screen, its
 * hops in the drawer. */
START_TEST(enter_on_a_flow_shows_it_whole_on_the_timeline) {
    const struct flows *flows;
    start(20);
    shown_keys("6<Enter>");
    table_sort_by(table(), 4); /* longest first */
    for (int k = 0; k < 3; k++) {
        struct relation_row row;
        shown_keys("jjj");
        ck_assert(table_current(table(), &row));
        shown_keys("<Enter>");
        ck_assert_ptr_eq(shown.views.current->ops, &view_timeline);
        flows = trace_flows(shown.trace);
        const struct flow *flow = flows_at(flows, (uint32_t)row.row);
        const struct window *w = &shown.timeline.window;
        ck_assert_int_ge(flow_time(flows, flow->first), w->from);
        ck_assert_int_lt(flow_time(flows, flow->last), w->from + w->width);
        ck_assert_int_lt(w->width,
                         3 * (flow_time(flows, flow->last) - flow_time(flows, flow->first)));
        ck_assert(shown_has("alpha") && shown_has("gamma"));
        ck_assert(strncmp(shown_selected(), "send ", 5) == 0);
        ck_assert_ptr_nonnull(strstr(shown_drawer(), "beta work "));
        shown_keys("6"); /* the list is as it was */
        struct relation_row again;
        ck_assert(table_current(table(), &again));
        ck_assert_uint_eq(again.row, row.row);
        ck_assert_int_eq(table()->sort, 4);
    }
    shown_close();
}
END_TEST

START_TEST(hops_have_the_quantiles_of_all_flows_of_the_name) {
    static const char *const numbers[] = {" 100 ", "51.50 us", "96.50 us", "100.5 us", "101.5 us"};
    start(100);
    shown_select("work 50", 0);
    shown_keys("6");
    for (int level = 0; level < 2; level++) {
        int y = shown_find("alpha > beta");
        ck_assert_int_gt(y, 0);
        for (int i = 0; i < 5; i++)
            ck_assert_msg(strstr(shown_row(y), numbers[i]), "no %s in %s", numbers[i],
                          shown_row(y));
        shown_keys("<Enter>L");
    }
    shown_close();
}
END_TEST

START_TEST(a_record_is_that_of_the_stop) {
    struct view_record a, b;
    start(3);
    shown_keys("6");
    ck_assert(!view_record(&shown.views, &a)); /* names have none */
    shown_keys("<Enter>L");
    ck_assert(view_record(&shown.views, &a));
    shown_keys("j");
    ck_assert(view_record(&shown.views, &b));
    ck_assert_uint_gt(b.offset, a.offset);
    shown_close();
}
END_TEST

START_TEST(without_flows_there_are_no_rows) {
    shown_text("magic\ninit 1000000000\ncomplete 0 5/6 \"c\" \"alone\" end=9\n", 100, 30);
    shown_keys("6<Enter>jX");
    ck_assert(shown_has("no flows in this trace"));
    shown_close();
}
END_TEST

/* The open level is written as lines, which lead there again. */
START_TEST(a_place_is_kept) {
    static const char *const keys[] = {"6", "6<Enter>", "6<Tab>", "6<Enter>jjL"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct chars before = {0}, after = {0};
        start(5);
        shown_keys(keys[i]);
        view_place_write(&shown, &before);
        shown_keys("16"); /* the names, or the level that is still open */
        while (i > 0 && shown.views.current->ops->up(shown.views.current))
            ;
        chars_add(&before, (struct str){"", 1});
        for (char *line = strtok(before.v, "\n"); line; line = strtok(NULL, "\n"))
            view_place_put(&shown, line + strlen("place in "));
        shown_resize(140, 40);
        view_place_write(&shown, &after);
        chars_add(&after, (struct str){"", 1});
        for (size_t k = 0; k < after.n; k++)
            after.v[k] = after.v[k] == '\n' ? 0 : after.v[k];
        ck_assert_uint_eq(before.n, after.n);
        ck_assert_mem_eq(before.v, after.v, after.n);
        vec_free(&before);
        vec_free(&after);
        shown_close();
    }
}
END_TEST

START_TEST(a_flow_that_is_none_is_refused) {
    static const char *const rows[] = {"x", "", "1x", "-1", "5", "4294967296"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char line[40];
        start(5);
        shown_keys("6<Enter>");
        struct view *view = shown.views.current;
        snprintf(line, sizeof line, "ladder %s", rows[i]);
        ck_assert_msg(!view->ops->put(view, line), "%s", line);
        ck_assert(view->ops->put(view, "ladder 4"));
        shown_close();
    }
}
END_TEST

SUITE(view_flows) {
    Suite *s = suite_create("view_flows");
    TCase *t = tcase_create("flows");
    tcase_add_test(t, a_long_hop_is_its_own_total);
    tcase_add_test(t, what_damaged_times_take_away_is_said);
    tcase_add_test(t, keys_lead_down_three_levels_and_q_up);
    tcase_add_test(t, enter_on_a_flow_shows_it_whole_on_the_timeline);
    tcase_add_test(t, the_flow_of_the_selection_is_sought_on_each_level);
    tcase_add_test(t, hops_have_the_quantiles_of_all_flows_of_the_name);
    tcase_add_test(t, a_record_is_that_of_the_stop);
    tcase_add_test(t, without_flows_there_are_no_rows);
    tcase_add_test(t, a_place_is_kept);
    tcase_add_test(t, a_flow_that_is_none_is_refused);
    suite_add_tcase(s, t);
    return s;
}

/* ---- flow_tables ---- */

static struct flow_tables of_flow(uint32_t flow) {
    struct flow_tables tables = {
        .app = &shown, .stats = session_flow_stats(shown.trace, &shown.flow), .flow = flow};
    answer_step(&shown.flow.stats, NULL);
    const struct flow *of = flow_tables_flow(&tables, flow);
    uint32_t name = flow_name(trace_flows(shown.trace), of->first);
    flow_tables_set_name(&tables, flow_stats_place(shown.flow.stats.next, name));
    flow_tables_set_stops(&tables);
    shown.work = NULL;
    ck_assert(flow_tables_more_stops(&tables));
    shown.work = &shown.key;
    return tables;
}

static void close_tables(struct flow_tables *tables) {
    vec_free(&tables->stops);
    vec_free(&tables->flows);
}

START_TEST(points_in_one_slice_are_one_stop) {
    shown_text("magic\ninit 1000000000\n"
               "complete 0 5/6 \"c\" \"a\" end=1000\n"
               "flow_begin 100 5/6 \"c\" \"f\" id=1\nflow_step 200 5/6 \"c\" \"f\" id=1\n"
               "complete 3000 5/7 \"c\" \"b\" end=4000\n"
               "flow_step 3100 5/7 \"c\" \"f\" id=1\nflow_end 3200 5/7 \"c\" \"f\" id=1\n",
               100, 30);
    struct flow_tables tables = of_flow(0);
    ck_assert_uint_eq(tables.stops.n, 2);
    struct flow_hop first = flow_tables_hop(&tables, 0), second = flow_tables_hop(&tables, 1);
    ck_assert(!first.from);
    ck_assert(second.from);
    /* from the last point of a stop to the first of the next */
    ck_assert_int_eq(second.transit, 2900);
    /* from the end of one slice to the start of the next */
    ck_assert_int_eq(second.in_flight, 2000);
    ck_assert(second.here->place.in_slice);
    ck_assert_int_eq(first.here->last - first.here->first, 100);
    close_tables(&tables);
    shown_close();
}
END_TEST

/* Whatever the steps, the stops are the same. */
START_TEST(stops_are_collected_in_steps) {
    static char text[300000];
    size_t n = (size_t)snprintf(text, sizeof text, "magic\ninit 1000000000\n");
    for (int i = 0; i < 1500; i++)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "complete %d 5/6 \"c\" \"s\" end=%d\n%s %d 5/6 \"c\" \"f\" id=1\n"
                              "flow_step %d 5/6 \"c\" \"f\" id=1\n",
                              i * 100, i * 100 + 50, i == 0 ? "flow_begin" : "flow_step",
                              i * 100 + 1, i * 100 + 2);
    shown_text(text, 100, 30);
    struct flow_tables tables = of_flow(0);
    ck_assert_uint_eq(tables.stops.n, 1500);
    unsigned steps = 0;
    flow_tables_set_stops(&tables);
    for (bool all = false; !all; steps++) {
        shown.work = TASK_OF(9);
        all = flow_tables_more_stops(&tables);
    }
    shown.work = &shown.key;
    ck_assert_uint_gt(steps, 200);
    ck_assert_uint_eq(tables.stops.n, 1500);
    for (int i = 0; i < 1500; i++) {
        ck_assert_int_eq(tables.stops.v[i].last - tables.stops.v[i].first, 1);
        ck_assert_int_eq(tables.stops.v[i].first - trace_origin(shown.trace), i * 100 + 1);
    }
    close_tables(&tables);
    shown_close();
}
END_TEST

START_TEST(every_flow_of_a_name_is_a_row) {
    uint64_t rows = 0;
    start(20);
    struct flow_tables tables = of_flow(0);
    ck_assert_uint_eq(flow_tables[FLOW_NAMES].relation->rows(&tables), 2);
    for (uint32_t name = 0; name < 2; name++) {
        flow_tables_set_name(&tables, name);
        rows += flow_tables[FLOW_FLOWS].relation->rows(&tables);
    }
    ck_assert_uint_eq(rows, 21);
    ck_assert_uint_eq(flow_tables[FLOW_STOPS].relation->rows(&tables), 3);
    close_tables(&tables);
    shown_close();
}
END_TEST

/* Another version of the trace is counted from the start; the rows found before stay meanwhile. */
START_TEST(flows_stay_while_they_are_counted_again) {
    start(20);
    struct flow_tables tables = of_flow(0);
    ck_assert_uint_eq(flow_tables[FLOW_FLOWS].relation->rows(&tables), 20);
    answer_drop(&shown.flow.stats);
    struct answer *again = session_flow_stats(shown.trace, &shown.flow);
    flow_tables_again(&tables, false); /* nothing is counted yet */
    ck_assert_uint_eq(tables.name, UINT32_MAX);
    ck_assert_uint_eq(flow_tables[FLOW_FLOWS].relation->rows(&tables), 20);
    ck_assert_uint_eq(flow_tables[FLOW_HOPS].relation->rows(&tables), 0);
    while (!answer_step(again, TASK_OF(100)))
        flow_tables_again(&tables, false);
    flow_tables_again(&tables, true);
    ck_assert_uint_eq(flow_tables[FLOW_FLOWS].relation->rows(&tables), 20);
    ck_assert_uint_eq(flow_tables[FLOW_HOPS].relation->rows(&tables), 2);
    close_tables(&tables);
    shown_close();
}
END_TEST

START_TEST(a_hop_is_named_after_its_threads) {
    char buf[100];
    start(1);
    struct flow_tables tables = of_flow(0);
    uint32_t from = tables.stops.v[0].place.thread, to = tables.stops.v[1].place.thread;
    struct str text = flow_tables_hop_text(&tables, from, to, buf, sizeof buf);
    ck_assert_int_eq((int)text.n, 12);
    ck_assert_int_eq(memcmp(text.s, "alpha > beta", 12), 0);
    close_tables(&tables);
    shown_close();
}
END_TEST

SUITE(flow_tables) {
    Suite *s = suite_create("flow_tables");
    TCase *t = tcase_create("tables");
    tcase_add_test(t, points_in_one_slice_are_one_stop);
    tcase_add_test(t, every_flow_of_a_name_is_a_row);
    tcase_add_test(t, stops_are_collected_in_steps);
    tcase_add_test(t, flows_stay_while_they_are_counted_again);
    tcase_add_test(t, a_hop_is_named_after_its_threads);
    suite_add_tcase(s, t);
    return s;
}

/* ---- flow_ladder ---- */

static int column_of(const char *text, int y) {
    const char *row = shown_row(y), *at = strstr(row, text);
    ck_assert_msg(at != NULL, "no %s in %s", text, row);
    return (int)(at - row);
}

START_TEST(each_stop_is_under_its_thread) {
    static const char *const threads[] = {"alpha", "beta", "gamma"}, *const slices[] = {"o send 1",
                                                                                        "o work 1",
                                                                                        "o show 1"};
    start(1);
    struct flow_tables tables = of_flow(0);
    ck_assert(flow_ladder_fits(&tables));
    grid_clear(&shown.grid, style_look(ROLE_TEXT));
    flow_ladder_draw(&tables, 2, 10, 0);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(column_of(slices[i], 3 + 2 * i) - 2, column_of(threads[i], 2));
    }
    ck_assert_ptr_nonnull(strstr(shown_row(4), "2.500 us")); /* the first hop */
    ck_assert_ptr_nonnull(strstr(shown_row(6), "2.500 us"));
    close_tables(&tables);
    shown_close();
}
END_TEST

START_TEST(a_narrow_screen_has_no_ladder) {
    start(1);
    struct flow_tables tables = of_flow(0);
    for (int cols = 140; cols >= 40; cols -= 10) {
        shown_resize(cols, 40);
        grid_clear(&shown.grid, style_look(ROLE_TEXT));
        bool fits = flow_ladder_fits(&tables);
        flow_ladder_draw(&tables, 2, 10, 0);
        ck_assert_int_eq(shown_has("alpha"), fits);
        ck_assert(cols < 140 || fits);
        ck_assert(cols > 60 || !fits);
    }
    close_tables(&tables);
    shown_close();
}
END_TEST

START_TEST(threads_that_do_not_fit_have_no_ladder) {
    static char text[4000];
    size_t at = (size_t)snprintf(text, sizeof text, "magic\ninit 1000000000\n");
    for (int i = 0; i < 8; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s %d 5/%d \"c\" \"f\" id=1\n",
                               i == 0  ? "flow_begin"
                               : i < 7 ? "flow_step"
                                       : "flow_end",
                               i * 1000, 6 + i);
    shown_text(text, 400, 40);
    struct flow_tables tables = of_flow(0);
    ck_assert(flow_ladder_fits(&tables));
    shown_resize(110, 40);
    ck_assert(!flow_ladder_fits(&tables));
    close_tables(&tables);
    shown_close();
}
END_TEST

START_TEST(the_current_stop_is_always_in_view) {
    static char text[300000];
    size_t at = (size_t)snprintf(text, sizeof text, "magic\ninit 1000000000\n");
    for (int i = 0; i < 60; i++)
        at += (size_t)snprintf(
            text + at, sizeof text - at,
            "complete %d 5/%d \"c\" \"stop %d.\" end=%d\n%s %d 5/%d \"c\" \"f\" id=1\n", i * 1000,
            6 + i % 3, i, i * 1000 + 500,
            i == 0   ? "flow_begin"
            : i < 59 ? "flow_step"
                     : "flow_end",
            i * 1000 + 100, 6 + i % 3);
    shown_text(text, 140, 40);
    struct flow_tables tables = of_flow(0);
    ck_assert_uint_eq(tables.stops.n, 60);
    for (uint32_t current = 0; current < 60; current++)
        for (int rows = 3; rows < 12; rows += 4) {
            char name[16];
            grid_clear(&shown.grid, style_look(ROLE_TEXT));
            flow_ladder_draw(&tables, 5, rows, current);
            snprintf(name, sizeof name, "stop %u.", current);
            int y = shown_find(name);
            ck_assert_msg(y > 5 && y < 5 + rows && shown_row(y)[0] == '>', "stop %u in %d rows",
                          current, rows);
        }
    close_tables(&tables);
    shown_close();
}
END_TEST

SUITE(flow_ladder) {
    Suite *s = suite_create("flow_ladder");
    TCase *t = tcase_create("ladder");
    tcase_add_test(t, each_stop_is_under_its_thread);
    tcase_add_test(t, a_narrow_screen_has_no_ladder);
    tcase_add_test(t, threads_that_do_not_fit_have_no_ladder);
    tcase_add_test(t, the_current_stop_is_always_in_view);
    suite_add_tcase(s, t);
    return s;
}
