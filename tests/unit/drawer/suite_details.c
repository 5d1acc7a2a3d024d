/* suite_details.c - each kind of event and of track has details, with the facts of its record. */
#include <stdio.h>
#include <string.h>

#include "model/query/stat/instances.h"
#include "model/query/stat/names_table.h"
#include "model/query/stat/slice/children.h"
#include "src/base/text.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/drawer/details.h"
#include "ui/timeline/move.h"
#include "ui/timeline/track_ops.h"

#define KINDS "../screens/kinds"

static void has(const char *text) {
    ck_assert_msg(strstr(shown_drawer(), text) != NULL, "no %s in:\n%s", text, shown_drawer());
}

START_TEST(every_event_names_its_record) {
    shown_fixture(KINDS, 120, 40);
    shown.timeline.tracks.default_depth = 9;
    size_t events = 0;
    for (uint64_t at = 0; at < shown.timeline.tracks.lines; at++) {
        struct track_line line;
        if (!track_line_at(shown.trace, &shown.timeline.tracks, at, &line))
            continue;
        struct selection is = line.slices && line.lane->n > 0
                                  ? track_line_slice(&line, line.lane->n / 2)
                              : track_line_moments(shown.trace, &line) > 0
                                  ? track_line_selection(shown.trace, &line, 0)
                                  : (struct selection){0};
        if (!selection_any(&is))
            continue;
        char record[32];
        move_select(&shown, is);
        app_draw(&shown);
        snprintf(record, sizeof record, "@0x%llx + ", (unsigned long long)is.offset);
        has(record);
        events++;
    }
    ck_assert_uint_gt(events, 10);
    shown_close();
}
END_TEST

/* The time that two slices cover at once counts once. */
START_TEST(self_time_of_overlapping_slices_is_what_no_later_one_covers) {
    static const char overlapping[] = "magic\ninit 1000000000\n"
                                      "complete 0 5/6 \"c\" \"outer\" end=1000\n"
                                      "complete 100 5/6 \"c\" \"a\" end=400\n"
                                      "complete 300 5/6 \"c\" \"b\" end=600\n";
    shown_text(overlapping, 120, 40);
    shown_select("outer", 0);
    has("self 500 ns");
    shown_select("a", 0);
    has("self 200 ns"); /* b takes over at 300 */
    shown_select("b", 0);
    has("self 300 ns");
    shown_close();
}
END_TEST

/* A slice with a damaged time covers nothing, and the slices in it count. */
START_TEST(self_time_is_with_that_of_damaged_slices_inside) {
    static const char damaged[] = "magic\ninit 1000000000\n"
                                  "begin 0 5/6 \"c\" \"outer\"\n"
                                  "begin 100 5/6 \"c\" \"odd\"\n"
                                  "complete 200 5/6 \"c\" \"in\" end=300\n"
                                  "blob \"damaged time\" 1 \"\"\n"
                                  "end 400 5/6 \"c\" \"odd\"\n"
                                  "end 1000 5/6 \"c\" \"outer\"\n";
    shown_text(damaged, 120, 40);
    shown_select("outer", 0);
    has("self 900 ns");
    shown_select("odd", 0);
    has("self -");
    has("damaged end: not counted");
    shown_close();
}
END_TEST

static void add_random(struct chars *text, struct chance *chance, int set) {
    int open = 0, t = 0, n = 3 + (int)below(chance, 40);
    chars_add(text, STR("magic\ninit 1000000000\n"));
    for (int k = 0; k < n || open > 0; k++) {
        char line[96];
        int name = (int)below(chance, 3), what = k < n ? (int)below(chance, 5) : 3;
        t += (int)below(chance, 4);
        if (below(chance, 5) == 0)
            chars_add(text, STR("blob \"damaged time\" 1 \"\"\n"));
        if (what >= 3 && open == 0)
            what = 0;
        open += what < 2 ? 1 : -(what >= 3);
        if (what < 2)
            snprintf(line, sizeof line, "begin %d 5/6 \"\" \"n%d\"\n", t, name);
        else if (what == 2) /* those of odd sets overlap in part */
            snprintf(line, sizeof line, "complete %d 5/6 \"\" \"n%d\" end=%d\n", t, name,
                     set % 2 ? t + (int)below(chance, 20) : t);
        else
            snprintf(line, sizeof line, "end %d 5/6 \"\" \"\"\n", t);
        chars_add(text, str_of(line));
    }
    chars_add(text, (struct str){"", 1});
}

static void make_names(struct task *task, void *table) {
    struct range all = {0};
    const struct names_query query = {.range = &all, .kinds = SLICE_ITER_SLICES};
    names_table_make(task, table, shown.trace, &query);
}

static void make_instances(struct task *task, void *instances) {
    struct range all = {0};
    const struct instances_query query = {.range = &all, .kinds = SLICE_ITER_SLICES};
    instances_make(task, instances, shown.trace, &query);
}

/* The drawer and the tab of children have the same time. If slices overlap in part, the tab divides
 * the slice among its children alone. */
static void compare_selves(const struct instance *x, bool nested, int set) {
    struct selection at = {.of = x->track, .row = x->row, .i = x->i};
    const struct nest *nest = &trace_thread(shown.trace, x->track)->nest;
    struct children c = {.trace = shown.trace, .thread = at.of, .row = at.row, .i = at.i};
    int64_t self;
    MUST(details_self(shown.trace, &at, lane_at(nest_row(nest, at.row), at.i), &self), set);
    MUST(self == x->self, set);
    MUST(task_whole(children_make, &c, NULL), set);
    MUST(!nested || c.self == self, set);
    children_free(&c);
}

/* The sum of those of a name is that in its row of the table of names. */
START_TEST(self_times_of_damaged_traces_agree_everywhere) {
    struct chance chance = {424243};
    unsigned damaged = 0, overlapping = 0;
    for (int set = 0; set < 400; set++) {
        struct chars text = {0};
        struct names_table names = {0};
        struct instances instances = {0};
        add_random(&text, &chance, set);
        shown_text(text.v, 20, 5);
        bool nested = trace_thread(shown.trace, 0)->nest.displaced == 0;
        damaged += trace_damaged_slices(shown.trace) > 0;
        overlapping += !nested && trace_damaged_slices(shown.trace) > 0;
        MUST(task_whole(make_names, &names, NULL), set);
        MUST(task_whole(make_instances, &instances, NULL), set);
        for (uint32_t i = 0; i < instances_rows(&instances); i++)
            compare_selves(&instances.v.v[i], nested, set);
        for (uint32_t k = 0; k < names_table_rows(&names); k++) {
            const struct aggregate_row *row = names_table_row(&names, k);
            int64_t sum = 0;
            for (uint32_t i = 0; i < instances_rows(&instances); i++) {
                const struct instance *x = &instances.v.v[i];
                sum += trace_packed_name(shown.trace, x->begin_word) == row->key.name ? x->self : 0;
            }
            MUST(sum == sum_ns(row->self), set);
        }
        names_table_free(&names);
        instances_free(&instances);
        shown_close();
        vec_free(&text);
    }
    ck_assert_uint_gt(damaged, 200);
    ck_assert_uint_gt(overlapping, 50);
}
END_TEST

/* The first sample at 30 is in the frame that ends then, the second one in the next frame. */
START_TEST(frames_of_a_profiler_have_samples) {
    static const char text[] = "magic\ninit 1000000000\n"
                               "begin 10 5/6 \"sampled\" \"main\"\n"
                               "begin 10 5/6 \"sampled\" \"f\"\n"
                               "instant 10 5/6 \"sampled\" \"sample\"\n"
                               "instant 15 5/6 \"c\" \"other\"\n"
                               "instant 20 5/6 \"sampled\" \"sample\"\n"
                               "instant 30 5/6 \"sampled\" \"sample\"\n"
                               "end 30 5/6 \"\" \"\"\n"
                               "begin 30 5/6 \"sampled\" \"g\"\n"
                               "instant 30 5/6 \"sampled\" \"sample\"\n"
                               "end 40 5/6 \"\" \"\"\n"
                               "end 40 5/6 \"\" \"\"\n";
    shown_text(text, 120, 40);
    shown_select("main", 0);
    has("seen in 4 samples, about 30 ns (sampled)");
    ck_assert(!shown_has("  self ") && !shown_has("  dur "));
    shown_select("f", 0);
    has("seen in 3 samples, about 20 ns (sampled)");
    shown_select("g", 0);
    has("seen in 1 sample, about 10 ns (sampled)");
    shown_close();
}
END_TEST

START_TEST(self_time_is_without_the_children) {
    static const char nested[] = "magic\ninit 1000000000\n"
                                 "complete 0 5/6 \"c\" \"outer\" end=1000\n"
                                 "complete 100 5/6 \"c\" \"a\" end=400\n"
                                 "complete 150 5/6 \"c\" \"aa\" end=350\n"
                                 "complete 500 5/6 \"c\" \"b\" end=550\n";
    shown_text(nested, 120, 40);
    shown_select("outer", 0);
    has("dur 1.000 us (1000 ns)");
    has("self 650 ns");
    shown_select("a", 0);
    has("self 100 ns");
    has("in: outer 1.000 us");
    shown_select("aa", 0);
    has("self 200 ns");
    has("in: a 300 ns < outer 1.000 us");
    shown_close();
}
END_TEST

START_TEST(states_of_a_slice_add_up_to_it) {
    shown_fixture(KINDS, 160, 40);
    shown_select("Frame 213", 0); /* 12 to 30 ms; main runs until 14.1 and from 20.8 on */
    const char *line = strstr(shown_drawer(), "state: ");
    ck_assert_ptr_nonnull(line);
    double run = 0, blocked = 0;
    ck_assert_int_eq(sscanf(line, "state: running %lf ms", &run), 1);
    ck_assert_double_eq_tol(run, 2.1 + 9.2, 0.005);
    line = strstr(line, "blocked ");
    ck_assert_ptr_nonnull(line);
    ck_assert_int_eq(sscanf(line, "blocked %lf ms", &blocked), 1);
    ck_assert_double_eq_tol(run + blocked + 0.1, 18, 0.01); /* 0.1 ms runnable, after the wakeup */
    shown_close();
}
END_TEST

START_TEST(both_ends_of_a_slice_have_arguments) {
    static const char ends[] = "magic\ninit 1000000000\n"
                               "begin 10 5/6 \"c\" \"work\" first=i32:1\n"
                               "end 30 5/6 \"c\" \"work\" last=i32:2\n";
    shown_text(ends, 120, 40);
    shown_select("work", 0);
    has("args: first=1");
    has("end args: last=2");
    has(", ends @0x");
    shown_close();
}
END_TEST

START_TEST(a_slice_whose_end_was_lost_says_so) {
    static const char lost[] = "magic\ninit 1000000000\n"
                               "begin 10 5/6 \"c\" \"work\"\n"
                               "end 20 5/6 \"c\" \"work\"\n"
                               "begin 30 5/6 \"c\" \"cut\"\n"
                               "end 90 5/6 \"\" \"\" cut_by_loss=bool:true\n"
                               "begin 90 5/6 \"c\" \"after\"\n";
    shown_text(lost, 120, 40);
    shown_select("cut", 0);
    has("dur 60 ns");
    has("cut by a loss: it ended earlier");
    shown_select("work", 0);
    ck_assert_ptr_null(strstr(shown_drawer(), "cut by"));
    shown_close();
}
END_TEST

START_TEST(every_track_has_details) {
    shown_fixture(KINDS, 120, 40);
    shown_keys("<Tab><Tab>");
    for (uint64_t at = 0; at < shown.timeline.tracks.lines; at++) {
        shown.timeline.selection = (struct selection){0};
        shown.timeline.line = at;
        app_draw(&shown);
        has("nothing selected");
        const struct track *track = session_track(&shown.timeline);
        ck_assert_msg(strncmp(shown_drawer(), " nothing selected", 17) != 0 ||
                          /* events without a process */
                          (track->kind->header && track->process == NO_PROCESS),
                      "line %d", (int)at);
    }
    shown_close();
}
END_TEST

START_TEST(hostile_names_and_arguments_are_plain_text) {
    static const char hostile[] = "magic\ninit 1000000000\n"
                                  "complete 0 5/6 \"\\e[2J\" \"a\\nb\\e]0;x\\x07\" "
                                  "\"\\x9b\"=\"\\e[31m\" b=blob:\"\\e\\n\" end=9\n";
    shown_text(hostile, 120, 40);
    move_select(&shown, selection_of_slice(trace_thread(shown.trace, 0), 0, 0));
    for (int tab = 0; tab < DRAWER_TABS; tab++) {
        shown.drawer.tab = (enum drawer_tab)tab;
        app_draw(&shown);
        for (int y = 0; y < 40; y++)
            for (int x = 0; x < 120; x++) {
                uint32_t c = grid_at(&shown.grid, x, y)->cp[0];
                ck_assert_msg(c >= ' ' && c <= '~', "%x at %d,%d", c, x, y);
            }
    }
    shown_close();
}
END_TEST

/* A slice with 20,000 states: no frame adds them up, the job does in steps, and every one
 * counts. */
START_TEST(many_states_are_added_up_in_steps) {
    enum { TURNS = 10000 };
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\ninit 1000000000\n", f);
    fprintf(f, "complete 0 1/10 \"c\" \"work\" end=%d\n", TURNS * 30);
    for (int k = 0; k < TURNS; k++) { /* 10 runs for 20 ns, then waits for 10 ns */
        fprintf(f, "switch %d 0 11 3 10\n", k * 30);
        fprintf(f, "switch %d 0 10 1 11\n", k * 30 + 20);
    }
    fclose(f);
    shown_text(text, 120, 40);
    free(text);
    shown_select("work", 0);
    ck_assert(strstr(shown_drawer(), "running 200.0 us 67%  runnable 100.0 us 33%") != NULL);
    answer_drop(&shown.drawer.states); /* forgotten */
    shown.answer = budget_units(0);
    app_draw(&shown);
    ck_assert(strstr(shown_drawer(), "state: counting") != NULL);
    int steps = 0;
    while (session_within(&shown, TASK_OF(1000), details_states_step))
        steps++;
    ck_assert_int_ge(steps, 15);
    app_draw(&shown);
    ck_assert(strstr(shown_drawer(), "running 200.0 us 67%  runnable 100.0 us 33%") != NULL);
    shown_close();
}
END_TEST

SUITE(details) {
    Suite *s = suite_create("details");
    TCase *t = tcase_create("details");
    tcase_add_test(t, many_states_are_added_up_in_steps);
    tcase_add_test(t, every_event_names_its_record);
    tcase_add_test(t, self_time_is_with_that_of_damaged_slices_inside);
    tcase_add_test(t, self_time_is_without_the_children);
    tcase_add_test(t, frames_of_a_profiler_have_samples);
    tcase_add_test(t, self_times_of_damaged_traces_agree_everywhere);
    tcase_add_test(t, self_time_of_overlapping_slices_is_what_no_later_one_covers);
    tcase_add_test(t, states_of_a_slice_add_up_to_it);
    tcase_add_test(t, both_ends_of_a_slice_have_arguments);
    tcase_add_test(t, a_slice_whose_end_was_lost_says_so);
    tcase_add_test(t, every_track_has_details);
    tcase_add_test(t, hostile_names_and_arguments_are_plain_text);
    suite_add_tcase(s, t);
    return s;
}
