/* suite_until.c - the event that ends a recording: the first that fits, in a file that grows. */
#include "record/until.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "src/fxt/writer.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/record/written.h"

static bool parsed(const char *text, bool *filter) {
    struct err err = {.text = ""};
    bool ok = until_parse(text, filter, &err);
    ck_assert(ok || strncmp(err.text, "--until: ", 9) == 0);
    return ok;
}

START_TEST(a_comparison_makes_a_filter) {
    static const char *const alerts[] = {"enough", "two words", "open", "/x/", "-", ""};
    static const char *const filters[] = {"dur>16ms", "name=Frame", "dur>=1s name~a", "depth<3"};
    static const char *const faults[] = {"dur>", "name=a name=b", "dur>p99", "dur>5ms,p99",
                                         "dur<3ms dur>5ms"};
    bool filter;
    for (size_t i = 0; i < sizeof alerts / sizeof *alerts; i++)
        ck_assert(parsed(alerts[i], &filter) && !filter);
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
        ck_assert(parsed(filters[i], &filter) && filter);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        ck_assert(!parsed(faults[i], &filter));
}
END_TEST

START_TEST(a_filter_may_ask_for_one_category) {
    static const char *const ask[] = {"cat=syscall", "dur>1ms cat=syscall name=read"};
    static const char *const others[] = {"cat=syscalls",   "!cat=syscall", "cat!=syscall",
                                         "cat=syscall,io", "cat~syscall",  "name=syscall"};
    for (size_t i = 0; i < sizeof ask / sizeof *ask; i++)
        ck_assert(until_asks_for(ask[i], "syscall"));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ck_assert(!until_asks_for(others[i], "syscall"));
}
END_TEST

struct grown {
    struct written w;
    struct until until;
};

static void begin(struct grown *g, const char *filter) {
    struct err err;
    written_begin(&g->w, UINT64_MAX);
    struct writer *w = output_begin(&g->w.output, OUTPUT_OWN);
    writer_init_record(w, 1000000000);
    output_end(&g->w.output);
    output_flush(&g->w.output);
    ck_assert_msg(until_start(&g->until, g->w.path, filter, &err), "%s", err.text);
}

static struct writer_event event(struct writer *w, const char *name, uint64_t ms) {
    return (struct writer_event){.ts = ms * 1000000,
                                 .thread = writer_intern_thread(w, 7, 7),
                                 .category = writer_intern(w, STR("c")),
                                 .name = writer_intern(w, str_of(name))};
}

enum { INSTANT, BEGIN, END, COMPLETE };

static void put(struct grown *g, int kind, const char *name, uint64_t ms, uint64_t end) {
    struct writer *w = output_begin(&g->w.output, OUTPUT_OWN);
    struct writer_event e = event(w, name, ms);
    if (kind == INSTANT)
        writer_instant(w, &e);
    else if (kind == BEGIN)
        writer_begin(w, &e);
    else if (kind == END)
        writer_end(w, &e);
    else
        writer_complete(w, &e, end * 1000000);
    output_end(&g->w.output);
    output_flush(&g->w.output);
}

/* Waits for the event, or for the end of the process. */
static enum until_state wait_for(struct grown *g) {
    struct pollfd p = {until_fd(&g->until), POLLIN, 0};
    enum until_state state = UNTIL_GOES_ON;
    while (state == UNTIL_GOES_ON && poll(&p, 1, 60000) > 0)
        state = until_take(&g->until);
    ck_assert_int_eq(until_fd(&g->until), -1);
    return state;
}

static void end(struct grown *g) {
    struct err err;
    until_stop(&g->until);
    ck_assert(output_close(&g->w.output, &err));
    written_end(&g->w);
}

START_TEST(the_first_slice_that_fits_has_come) {
    struct grown g;
    begin(&g, "name=Frame dur>16ms");
    put(&g, COMPLETE, "Frame", 0, 16);
    put(&g, COMPLETE, "Other", 20, 90);
    put(&g, BEGIN, "Frame", 100, 0);
    put(&g, INSTANT, "Frame", 200, 0);
    ck_assert_int_eq(until_take(&g.until), UNTIL_GOES_ON);
    put(&g, END, "Frame", 118, 0);
    ck_assert_int_eq(wait_for(&g), UNTIL_CAME);
    ck_assert_str_eq(g.until.text, "Frame, 18 ms");
    end(&g);
}
END_TEST

START_TEST(a_slice_without_an_end_has_come_if_it_can_only_go_on_to_fit) {
    struct grown g;
    begin(&g, "name=hangs dur>1s");
    put(&g, BEGIN, "hangs", 0, 0);
    put(&g, INSTANT, "x", 2000, 0);
    ck_assert_int_eq(wait_for(&g), UNTIL_CAME);
    ck_assert_str_eq(g.until.text, "hangs, no end after 2 s");
    end(&g);
    begin(&g, "name=brief dur<1s");
    put(&g, BEGIN, "brief", 0, 0);
    put(&g, COMPLETE, "brief", 5, 6);
    ck_assert_int_eq(wait_for(&g), UNTIL_CAME);
    ck_assert_str_eq(g.until.text, "brief, 1 ms");
    end(&g);
}
END_TEST

START_TEST(an_instant_has_come_and_no_length) {
    struct grown g;
    begin(&g, "kind=instant cat=c");
    put(&g, COMPLETE, "work", 0, 5);
    put(&g, INSTANT, "stop", 7, 0);
    ck_assert_int_eq(wait_for(&g), UNTIL_CAME);
    ck_assert_str_eq(g.until.text, "stop");
    end(&g);
}
END_TEST

START_TEST(a_process_that_ends_and_what_is_no_file_say_so) {
    struct grown g;
    struct err err;
    begin(&g, "dur>1s");
    kill(g.until.apart.pid, SIGKILL);
    ck_assert_int_eq(wait_for(&g), UNTIL_FAILED);
    ck_assert_str_eq(g.until.text, "its process has ended");
    ck_assert(!until_start(&g.until, "/dev/null", "dur>1s", &err));
    end(&g);
}
END_TEST

SUITE(until) {
    Suite *s = suite_create("until");
    TCase *c = tcase_create("until");
    tcase_set_timeout(c, 100);
    tcase_add_test(c, a_comparison_makes_a_filter);
    tcase_add_test(c, a_filter_may_ask_for_one_category);
    tcase_add_test(c, the_first_slice_that_fits_has_come);
    tcase_add_test(c, a_slice_without_an_end_has_come_if_it_can_only_go_on_to_fit);
    tcase_add_test(c, an_instant_has_come_and_no_length);
    tcase_add_test(c, a_process_that_ends_and_what_is_no_file_say_so);
    suite_add_tcase(s, c);
    return s;
}
