/* suite_describe_view.c - the view in sentences, and what --range, --tracks and --filter make of
 * the screen. */
#include "ui/describe_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/asked.h"

static const char text[] = "magic\n"
                           "init 1000000000\n"
                           "kernel_object 1 3 \"net\"\n"
                           "kernel_object 2 4 \"ui\" process=koid:3\n"
                           "complete 0 3/4 \"\" \"Frame\" end=1000\n"
                           "complete 100 3/4 \"\" \"Lay\\e[2Jout\" end=400 level=i32:7\n"
                           "begin 1200 3/4 \"\" \"Wait\"\n"
                           "instant 1500 3/5 \"\" \"tick\" size=u32:9\n"
                           "switch 150 0 9 2 4\n"
                           "switch 300 0 4 3 9\n";

static const char *described(void) {
    static char *out;
    size_t n;
    free(out);
    out = NULL;
    FILE *f = open_memstream(&out, &n);
    ck_assert_ptr_nonnull(f);
    describe_view(&shown, f);
    fclose(f);
    return out;
}

static bool says(const char *sentence) {
    return strstr(described(), sentence) != NULL;
}

START_TEST(the_window_and_its_threads_are_told) {
    shown_text(text, 100, 30);
    ck_assert(says("The window shows the whole trace, 3 slices.\n"));
    ck_assert(says(
        "2 of 3 threads are busy in it; busiest first:\n  thread 9 ran for 1.350 us, 90.0% of it.\n"
        "  ui 4 of net 3 ran for 150 ns, 10.0% of it.\n"));
    ck_assert(says("The time cursor is at +0 ns.\n  ui 4 of net 3 is in Frame.\n"));
    shown_close();
    shown_text("magic\ninit 1000000000\ncomplete 5 1/2 \"c\" \"one\" end=9\n", 100, 30);
    ck_assert(says("1 event, 1 process.\nThe window shows the whole trace, 1 slice.\n1 of 1 thread "
                   "is busy in it; "));
    shown_close();
    shown_text("magic\n", 100, 30);
    ck_assert_str_eq(described(), "View 1 Timeline.\nThe trace has no events.\n");
    shown_close();
}
END_TEST

START_TEST(a_slice_is_told_with_its_ancestors_and_states) {
    shown_text(text, 100, 30);
    shown_select("Frame", 0);
    ck_assert(says(
        "Selected is the slice Frame on ui 4 of net 3. It begins at +0 ns, lasts 1.000 us, and "
        "ends at "
        "+0.000001000 s.\nIt is in no other slice.\n700 ns of it is in no slice inside it.\n"));
    ck_assert(says(
        "Meanwhile the thread was running for 150 ns, runnable for 0 ns, blocked for 700 ns.\n"));
    shown_keys("l");
    shown_select("Lay\033[2Jout", 0);
    ck_assert(says("It is in Frame.\n"));
    ck_assert(says("Its arguments: level = 7.\n"));
    ck_assert(strchr(described(), 033) == NULL);
    shown_select("Wait", 0);
    ck_assert(says("It begins at +0.000001200 s and never ended; 300 ns passed until the end of "
                   "the trace.\n"));
    shown_close();
}
END_TEST

START_TEST(it_goes_to_a_time_or_to_the_record_at_a_byte) {
    struct err err;
    char at[40];
    shown_text(text, 100, 30);
    ck_assert(describe_view_go(&shown, "200ns", &err));
    ck_assert(says("  ui 4 of net 3 is in Frame > Lay?[2Jout, running.\n"));
    shown_select("Wait", 0);
    snprintf(at, sizeof at, "@%llu", (unsigned long long)shown.timeline.selection.offset);
    ck_assert(describe_view_go(&shown, "0", &err));
    ck_assert(describe_view_go(&shown, at, &err));
    ck_assert_str_eq(shown_selected(), "Wait");
    ck_assert(!describe_view_go(&shown, "@3", &err));
    ck_assert_str_eq(err.text, "--describe: no event begins at byte 3");
    ck_assert(!describe_view_go(&shown, "@x", &err));
    ck_assert(!describe_view_go(&shown, "soon", &err));
    ck_assert(!describe_view_go(&shown, "99s", &err));
    ck_assert(strstr(err.text, "--describe: not in the trace, which is from +0 ns to ") ==
              err.text);
    shown_close();
}
END_TEST

START_TEST(every_event_of_a_trace_can_be_told) {
    struct slice_series s;
    struct err err;
    shown_fixture("every_kind", 100, 30);
    unsigned kinds = SLICE_ITER_SLICES | SLICE_ITER_INSTANTS | SLICE_ITER_OPERATIONS |
                     SLICE_ITER_ASYNC_INSTANTS | SLICE_ITER_COUNTERS | SLICE_ITER_LOGS;
    for (uint32_t track = 0, row = 0; slice_iter_series(shown.trace, kinds, &track, &row, &s);)
        for (uint32_t i = 0; i < s.n; i++) {
            char at[40], byte[100];
            snprintf(at, sizeof at, "@%llu", (unsigned long long)slice_iter_offset(&s, i));
            snprintf(byte, sizeof byte, "Its record is at byte %s of the trace.\n", at + 1);
            ck_assert(describe_view_go(&shown, at, &err));
            ck_assert(says("Selected is the "));
            ck_assert(says(byte));
        }
    shown_close();
}
END_TEST

START_TEST(options_make_the_range_and_the_filter) {
    struct err err;
    shown_text(text, 100, 30);
    shown.startup.asked = (struct question_texts){"100ns..+50ns", "ui", "Frame"};
    ck_assert(asked_check(&shown, &err) && asked_apply(&shown, &err));
    const struct range *range = session_range(&shown);
    ck_assert(range->timed && range->to - range->from == 50 && range->tracks.v.n == 1);
    char heading[96];
    ck_assert_ptr_nonnull(strstr(session_range_text(&shown, heading), "1 of 4 tracks"));
    ck_assert(shown.timeline.only != NULL && shown.startup.asked.range == NULL);
    shown.startup.asked = (struct question_texts){"1ns", NULL, NULL};
    ck_assert(!asked_check(&shown, &err));
    ck_assert_str_eq(err.text, "--range: '1ns' is no range: A..B, e.g. 1.5s..1.6s or 0..50%");
    shown.startup.asked = (struct question_texts){NULL, "dur>1ms", NULL};
    ck_assert(!asked_check(&shown, &err) && strncmp(err.text, "--tracks: ", 10) == 0);
    shown.startup.asked = (struct question_texts){NULL, NULL, "dur>"};
    ck_assert(!asked_check(&shown, &err) && strncmp(err.text, "--filter: ", 10) == 0);
    shown.startup.asked = (struct question_texts){NULL, NULL, NULL};
    shown_close();
}
END_TEST

START_TEST(every_view_is_described) {
    static const char *const views[][3] = {
        {"2", "View 2 Slices.\n", "Row 1: name Frame, count 1, "},
        {"3j", "View 3 Flame.\n", "Current: all > Frame 1.000 us"},
        {"4", "View 4 Sandwich.\n", "Frame"},
        {"5", "View 5 Log.\n", "The table has 0 rows.\n"},
        {"6", "View 6 Flows.\n", "The table has 0 rows.\n"},
        {"7", "View 7 Counters.\n", "The tracks on the screen:\n"},
        {"8", "View 8 CPUs.\n", "The tracks on the screen:\n"},
        {"9", "View 9 Info.\n", "threads"},
        {"1/Lay<Enter>z/", "View Hits.\n", "The table has 1 row"},
        {"1X", "View X Bytes.\n", "duration_complete at byte"},
        {"1:problems<Enter>", "View Problems.\n", "."},
        {"1B", "View Critical path.\n", "."},
        {"1:wakeups<Enter>", "View Wake-ups.\n", "The table has "},
        {"1:compare half<Enter>", "View Compare.\n", "Row 1: name "},
        {"1?", "View ? Help.\n", "describe the view in sentences"},
        {"1l<Tab>", "View 1 Timeline.\n", "The drawer is open:\n"},
    };
    shown_text(text, 100, 30);
    shown_select("Frame", 0);
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        shown_keys(views[i][0]);
        ck_assert_msg(says(views[i][1]) && says(views[i][2]), "%s: %s", views[i][0], described());
        ck_assert_ptr_null(strchr(described(), '\033'));
    }
    shown_close();
}
END_TEST

/* The words are on lines in this order. */
static bool tells(const char *const *words) {
    const char *at = described();
    for (; *words && at; words++)
        at = strstr(at, *words);
    return at != NULL;
}

START_TEST(a_table_is_described_with_what_it_is_of) {
    static const char *const views[][6] = {
        {"2", "Slices 3 - States", "whole trace 1.500", "The table has 3 rows",
         "Below the table:\n", "sorted by total"},
        {"1:range 0..1us<Enter>2", "range 1.000", "trimmed to the range", "The table has 2 rows",
         "name 1/2"},
        {"2:range off<Enter>r", "whole trace", "lengths over time of 1 slice;",
         "The table has 3 rows"},
        {"2r1:compare half<Enter><Tab>", "\nA  from +0", "\nB  from +750 ns", "The table has ",
         " call"},
        {"1:wakeups<Enter>", "Wake-ups: threads ", "whole trace", "The table has ", "thread "},
        {"2<Tab>", "States 5 - CPUs", "whole trace 1.500", "The table has 5 rows", "state 1/5"},
    };
    shown_text(text, 100, 30);
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        const char *const words[] = {views[i][1], views[i][2], views[i][3],
                                     views[i][4], views[i][5], NULL};
        shown_keys(views[i][0]);
        ck_assert_msg(tells(words), "%s: %s", views[i][0], described());
    }
    shown_close();
}
END_TEST

START_TEST(a_key_shows_the_description_and_q_goes_back) {
    shown_text(text, 100, 30);
    shown_keys("2<F3>");
    ck_assert(shown_has("Described]") && shown_has(" View 2 Slices.") &&
              shown_has("Row 1: name Frame"));
    shown_resize(80, 24);
    ck_assert(shown_has("Row 1: name Frame"));
    shown_keys("<F3>q");
    ck_assert(shown_has("[2 Slices]"));
    shown_close();
}
END_TEST

START_TEST(keys_that_come_together_describe_what_the_first_opens) {
    shown_text(text, 100, 30);
    for (const char *keys = "3<F3>"; *keys;) {
        struct key key;
        ck_assert(key_parse(&keys, &key));
        app_key(&shown, &key);
    }
    shown_resize(100, 30);
    ck_assert(shown_has(" View 3 Flame.") && shown_has(" left-heavy"));
    shown_close();
}
END_TEST

/* The terminal's cursor is in a row that begins so. */
static bool here(const char *begin) {
    return strncmp(shown_row(shown.grid.here_y), begin, strlen(begin)) == 0;
}

START_TEST(the_cursor_is_where_the_selection_is) {
    shown_text(text, 100, 30);
    shown_select("Frame", 0);
    ck_assert(here(">") && shown.grid.here_x == shown.layout.lane);
    shown_keys("L");
    ck_assert(here(">") && shown.grid.here_x == shown.layout.lane + 1);
    shown_keys(":he");
    ck_assert(here(" :he") && shown.grid.here_x == 4);
    shown_keys("<Esc><Tab>");
    ck_assert(shown.grid.here_y > shown.layout.drawer);
    shown_keys("<Tab>2j");
    ck_assert(here(">Wait") || here(">Lay"));
    shown_keys("<F3>");
    ck_assert(here(" View 2"));
    shown_close();
}
END_TEST

SUITE(describe_view) {
    Suite *s = suite_create("describe_view");
    TCase *c = tcase_create("describe_view");
    tcase_add_test(c, the_window_and_its_threads_are_told);
    tcase_add_test(c, a_slice_is_told_with_its_ancestors_and_states);
    tcase_add_test(c, it_goes_to_a_time_or_to_the_record_at_a_byte);
    tcase_add_test(c, every_event_of_a_trace_can_be_told);
    tcase_add_test(c, options_make_the_range_and_the_filter);
    tcase_add_test(c, every_view_is_described);
    tcase_add_test(c, a_table_is_described_with_what_it_is_of);
    tcase_add_test(c, a_key_shows_the_description_and_q_goes_back);
    tcase_add_test(c, keys_that_come_together_describe_what_the_first_opens);
    tcase_add_test(c, the_cursor_is_where_the_selection_is);
    suite_add_tcase(s, c);
    return s;
}
