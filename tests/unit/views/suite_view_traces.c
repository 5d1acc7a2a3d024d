/* suite_view_traces.c - :compare FILE: the rows of --compare, both sides of a name, faults, and
 * when A is freed. */
#include "tests/unit/lib/libcheck.h"
#include "ui/views/stat/traces/view_traces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/output/between/between_print.h"
#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"

static char other[SCRATCH_PATH]; /* the file of A */

/* 40 of "Frame" of about so many ns, each with a "Load" in it; and five with this name. */
static char *text_of(unsigned ns, const char *five) {
    char *text = NULL;
    size_t size;
    struct chance chance = {3};
    FILE *f = open_memstream(&text, &size);
    fputs("magic\ninit 1000000000\n", f);
    for (unsigned i = 0; i < 40; i++) {
        unsigned at = i * 1000000, load = ns / 2 + (unsigned)below(&chance, ns / 50);
        fprintf(f, "complete %u 1/2 \"\" \"Frame\" end=%u\n", at, at + load + 3000);
        fprintf(f, "complete %u 1/2 \"\" \"Load\" end=%u\n", at + 1000, at + 1000 + load);
        if (i % 8 == 0)
            fprintf(f, "complete %u 1/3 \"\" \"%s\" end=%u\n", at, five, at + 90000 + i);
    }
    fputs("instant 40000000 1/3 \"\" \"end\"\n", f);
    fclose(f);
    return text;
}

static void write_other(char *text) {
    struct err err;
    struct trace_bytes bytes = tracegen(text, &err);
    ck_assert(bytes.v && scratch_write(other, "other", bytes.v, bytes.n));
    free(bytes.v);
    free(text);
}

/* A with loads of 100 us, B with loads of 150 us. */
static void open_both(void) {
    char *text = text_of(300000, "La\\e[2Jte");
    write_other(text_of(200000, "Once"));
    shown_text(text, 140, 36);
    free(text);
}

static void close_both(void) {
    unlink(other);
    shown_close();
}

static void compare_with(const char *path) {
    char keys[SCRATCH_PATH + 32];
    snprintf(keys, sizeof keys, ":compare %s<Enter>", path);
    shown_keys(keys);
}

START_TEST(names_have_the_verdicts_of_the_mode) {
    open_both();
    compare_with(other);
    ck_assert(shown_has("changed 4 - all 5 - only A 1 - only B 1"));
    ck_assert(shown_has(" A  40.00 ms  ") && shown_has(" B  40.00 ms  "));
    ck_assert(shown_has("La?[2Jte"));
    ck_assert(shown_has("2 slower  1 new  1 gone of 5 names"));
    shown_keys("<Tab><Tab>");
    ck_assert(shown_has("Once") && !shown_has("Load"));
    shown_keys("<Tab><Tab>&verdict=slower<Enter>");
    ck_assert(shown_has("/2   filter: verdict=slower"));
    shown_keys("&<Enter>");
    ck_assert(shown_has("changed 4"));
    close_both();
}
END_TEST

/* The lines of csv without those of the comparison's name; the caller frees them. */
static char *csv_of_mode(void) {
    struct between b = {.threshold = BETWEEN_THRESHOLD};
    struct between_style style = {
        .format = FORMAT_CSV, .all = true, .ascii = true, .sides = {"a", "b"}};
    struct trace_names names[BETWEEN_SIDES] = {{.span = 0}, {.span = 0}};
    struct question whole = {.filter = NULL};
    struct err err;
    char *text = NULL;
    size_t size;
    struct trace *a = trace_open(other, &(struct trace_options){.follow = false}, &err);
    FILE *out = open_memstream(&text, &size);
    trace_load(a);
    trace_names_take(&names[BETWEEN_A], a, &whole);
    trace_names_take(&names[BETWEEN_B], shown.trace, &whole);
    for (int side = 0; side < BETWEEN_SIDES; side++)
        vec_push(&b.runs[side], names[side]);
    between_compare(&b);
    between_contain(&b, shown.trace, &whole);
    between_print(&b, &style, out);
    fclose(out);
    between_free(&b);
    trace_free(a);
    return text;
}

START_TEST(csv_is_that_of_the_mode) {
    open_both();
    compare_with(other);
    shown_keys("<Tab>");
    char *got = NULL, *wanted = csv_of_mode();
    size_t size;
    FILE *out = open_memstream(&got, &size);
    ck_assert(view_csv(&shown.views, out));
    fclose(out);
    ck_assert_str_eq(got, wanted);
    free(got);
    free(wanted);
    close_both();
}
END_TEST

START_TEST(enter_shows_both_sides_and_goes_to_a_slice) {
    open_both();
    compare_with(other);
    shown_keys("/Load<Enter><Enter>");
    ck_assert(shown_has(" Load - slower - the longest slices of both"));
    ck_assert(shown_has(" A  count 40, 1000 per s  total ") &&
              shown_has(" B  count 40, 1000 per s  total "));
    ck_assert(shown_has("slice 1/80"));
    shown_keys("G<Enter>"); /* the shortest of A */
    ck_assert(shown_has(" in A: fxtop --at=0."));
    shown_keys("gg<Enter>");
    ck_assert_str_eq(shown_selected(), "Load");
    compare_with(other); /* is still open */
    ck_assert(shown_has("the longest slices of both"));
    shown_keys("q");
    ck_assert(shown_has("2 slower  1 new  1 gone of 5 names"));
    shown_keys("/Once<Enter><Enter>");
    ck_assert(shown_has(" B  does not have it") && shown_has("slice 1/5"));
    shown_keys("qq");
    ck_assert_ptr_eq(shown.views.current, shown.views.home);
    close_both();
}
END_TEST

START_TEST(a_trace_and_itself_did_not_change) {
    write_other(text_of(200000, "Once"));
    char *text = text_of(200000, "Once");
    shown_text(text, 100, 30);
    free(text);
    compare_with(other);
    ck_assert(shown_has("nothing changed: Tab shows all names"));
    ck_assert(shown_has("0 changed of 4 names"));
    close_both();
}
END_TEST

START_TEST(faults_are_one_line_and_change_nothing) {
    char pipe[SCRATCH_PATH + 8];
    open_both();
    struct view *before = shown.views.current;
    compare_with("/");
    ck_assert(shown_has(" cannot compare with /: is a directory"));
    compare_with("no/such");
    ck_assert(shown_has(" no file no/such: compare takes kept, half, median, threads or a file"));
    snprintf(pipe, sizeof pipe, "%s.pipe", other);
    ck_assert_int_eq(mkfifo(pipe, 0600), 0);
    compare_with(pipe);
    ck_assert(shown_has(".pipe: is no regular file"));
    unlink(pipe);
    compare_with("/etc/passwd");
    ck_assert(shown_has(" cannot compare with /etc/passwd: not a trace that fxtop knows"));
    ck_assert_ptr_eq(shown.views.current, before);
    compare_with(other); /* and a fault leaves an open comparison as it is */
    compare_with("/");
    ck_assert(shown_has(" cannot compare with /: is a directory") && shown_has("changed 4"));
    close_both();
}
END_TEST

/* Esc, q, and another view, after so many steps of the smallest budget. */
START_TEST(reading_is_left_in_any_step) {
    static const char *const keys[] = {"<Esc>", "q", "2"};
    open_both();
    for (int steps = 0; steps < 30; steps++) {
        shown.answer = budget_units(0);
        view_traces_ask(&shown, other);
        app_draw(&shown);
        ck_assert(steps > 0 || shown_has("reading A, 0%: Esc stops"));
        for (int i = 0; i < steps; i++)
            session_within(&shown, TASK_OF(10), view_step);
        shown_keys(keys[steps % 3]);
        ck_assert(!shown_has("only A"));
        shown_keys("1");
    }
    ck_assert(!view_traces_step(&shown));
    compare_with(other);
    ck_assert(shown_has("2 slower  1 new  1 gone of 5 names"));
    close_both();
}
END_TEST

START_TEST(the_command_of_the_view_leads_back_to_it) {
    open_both();
    compare_with(other);
    shown_keys("<Tab>Y");
    ck_assert(strstr(shown.requests.copy.v, ":compare ") &&
              strstr(shown.requests.copy.v, "in tab 1"));
    shown_keys("/Load<Enter><Enter>Y"); /* both sides, too */
    ck_assert(strstr(shown.requests.copy.v, ":place in slices Load<Enter>"));
    shown_keys("qq");
    compare_with(other);
    shown_keys(":place in slices Load<Enter>");
    ck_assert(shown_has(" Load - slower - the longest slices of both"));
    close_both();
}
END_TEST

SUITE(view_traces) {
    Suite *s = suite_create("view_traces");
    TCase *c = tcase_create("view_traces");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, names_have_the_verdicts_of_the_mode);
    tcase_add_test(c, csv_is_that_of_the_mode);
    tcase_add_test(c, enter_shows_both_sides_and_goes_to_a_slice);
    tcase_add_test(c, a_trace_and_itself_did_not_change);
    tcase_add_test(c, faults_are_one_line_and_change_nothing);
    tcase_add_test(c, reading_is_left_in_any_step);
    tcase_add_test(c, the_command_of_the_view_leads_back_to_it);
    suite_add_tcase(s, c);
    return s;
}
