/* suite_far.c - far times leave the first picture as it was, and can be gone to (SEMANTICS 4.5,
 * 4.7). */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "model/trace/trace_problems.h"
#include "tests/lib/far_times.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"
#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"

#define FIRST 1000000000000 /* ns */

/* Events of all kinds on six threads, of which one begin is at another time. For free(). */
static char *calls(struct chance *c, int n, const char *begin, bool shuffled) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\nprovider 1 \"p\"\ninit 1000000000\nstring 1 \"c\"\n", f);
    for (int t = 1; t <= 6; t++)
        fprintf(f, "thread %d %d %d\n", t, 1 + t % 2, 10 + t);
    for (int i = 0; i < n; i++) {
        int t = 1 + (int)below(c, 6), k = shuffled ? (int)below(c, (uint64_t)n) : i;
        long long at = FIRST + k * 1000LL;
        if (i == n / 2 && begin)
            fprintf(f, "begin %s t%d s1 \"far\"\n", begin, t);
        fprintf(f,
                "begin %lld t%d s1 \"outer\"\ncomplete %lld t%d s1 \"leaf\" end=%lld\nend %lld t%d "
                "s1 \"outer\"\n",
                at, t, at + 10, t, at + 20 + (long long)below(c, 300), at + 600, t);
        fprintf(f, "flow_%s %lld t%d s1 \"f\" id=%d\n", i % 2 ? "end" : "begin", at + 5, t, i / 2);
        fprintf(f, "counter %lld t%d s1 \"n\" id=1 v=u32:%d\ninstant %lld t%d s1 \"i\"\n", at, t,
                i % 90, at + 7, t);
        fprintf(f, "async_%s %lld t%d s1 \"a\" id=%d\nlog %lld t%d \"line %d\"\n",
                i % 2 ? "end" : "begin", at, t, i / 2, at, t, i);
        fprintf(f, "switch %lld %d %d 3 %d\nwakeup %lld %d %d\n", at, i % 2, 11 + i % 2, 12 - i % 2,
                at + 50, i % 2, 11 + i % 2);
    }
    fclose(f);
    return text;
}

START_TEST(the_rest_of_the_picture_is_as_it_was) {
    struct chance chance = {4711};
    struct far_times far = {0};
    for (int set = 0; set < 6; set++) {
        char path[SCRATCH_PATH], *text = calls(&chance, 120 + set * 100, NULL, set % 2);
        struct err err;
        struct trace_bytes bytes = tracegen(text, &err);
        ck_assert_msg(bytes.v != NULL, "%s", err.text);
        ck_assert(scratch_write(path, "calls", bytes.v, bytes.n));
        ck_assert_msg(far_times_hold(&far, path, &chance, 8), "%s", far.why);
        unlink(path);
        free(bytes.v);
        free(text);
    }
    ck_assert_uint_eq(far.rounds, 6 * 8);
    ck_assert_uint_gt(far.replaced, 6 * 8 * 2);
}
END_TEST

/* A time before the bulk is far off, also if an earlier one came some records before. */
START_TEST(each_early_time_is_counted) {
    char *text = NULL, path[SCRATCH_PATH];
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\nprovider 1 \"p\"\ninit 1000000000\nstring 1 \"c\"\nthread 1 1 11\n", f);
    for (int i = 0; i < 4000; i++) {
        if (i % 1000 == 999) /* a string ends a run of events */
            fprintf(f, "string 2 \"x\"\ncomplete %d t1 s1 s1 end=%d\n", i, i + 5);
        fprintf(f, "complete %lld t1 s1 s1 end=%lld\n", FIRST + i * 10LL, FIRST + i * 10LL + 5);
    }
    fclose(f);
    struct err err;
    struct trace_bytes bytes = tracegen(text, &err);
    ck_assert_msg(bytes.v != NULL, "%s", err.text);
    ck_assert(scratch_write(path, "early", bytes.v, bytes.n));
    struct trace *trace = trace_open(path, &(struct trace_options){0}, &err);
    trace_load(trace);
    ck_assert_uint_eq(trace_far_times(trace), 8); /* begins and ends */
    trace_free(trace);
    unlink(path);
    free(bytes.v);
    free(text);
}
END_TEST

/* 0 shows the bulk, once more all that happened; a far event is gone to, and 0 comes back. */
START_TEST(what_is_far_can_be_gone_to) {
    struct chance chance = {99};
    char *text = calls(&chance, 200, "9000000000000000000", false);
    shown_text(text, 100, 30);
    free(text);
    const struct window *w = &shown.timeline.window;
    int64_t begin = trace_window_begin(shown.trace), end = trace_window_end(shown.trace);
    ck_assert_int_eq(end - begin, 199 * 1000 + 600);
    ck_assert_int_eq(w->from, begin);
    ck_assert_int_lt(w->width, 2 * (end - begin));
    ck_assert_uint_eq(trace_far_times(shown.trace), 1);
    const struct problem *p = &trace_problems(shown.trace)->kinds[PROBLEM_DAMAGED_TIME];
    ck_assert_uint_eq(p->count, 1);
    ck_assert(!problem_is_note(PROBLEM_DAMAGED_TIME) && problem_is_note(PROBLEM_FAR_OFF_TIME));
    shown_keys("0");
    ck_assert_int_gt(w->width, 8000000000000000000 - FIRST);
    shown_keys("0");
    ck_assert_int_lt(w->width, 2 * (end - begin));
    for (int i = 0; i < 2000 && !shown_has("damaged_time"); i++)
        shown_keys("!");
    ck_assert(shown_has("damaged_time"));
    ck_assert_uint_eq(shown.timeline.selection.offset, p->first_offset);
    ck_assert_int_gt(shown.timeline.cursor, end);
    shown_keys("0");
    ck_assert_int_eq(w->from, begin);
    ck_assert_int_lt(w->width, 2 * (end - begin));
    ck_assert_int_le(shown.timeline.cursor, end);
    shown_close();
}
END_TEST

/* Percentages and the end are of the span, which the first window does not show. */
START_TEST(percentages_and_the_end_are_of_all_that_happened) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\ninit 1000000000\n", f);
    for (long long i = 0; i < 1000; i++)
        fprintf(f, "complete %lld 1/2 \"c\" \"request\" end=%lld\n", i * 1000, i * 1000 + 900);
    fputs("complete 1000000 1/2 \"c\" \"request\" end=30001000000\n", f);
    fclose(f);
    shown_text(text, 100, 30);
    free(text);
    int64_t t;
    ck_assert_int_lt(trace_window_end(shown.trace), 2000000);
    shown_keys("G");
    ck_assert_int_eq(shown.timeline.cursor, trace_end(shown.trace));
    shown_keys("0");
    ck_assert_int_lt(shown.timeline.cursor, 2000000);
    ck_assert(session_time(&shown, "100%", &t) && t == trace_end(shown.trace));
    ck_assert(session_time(&shown, "50%", &t) && t < trace_end(shown.trace));
    shown_keys(":range 50%..100%\r");
    ck_assert_int_eq(session_range(&shown)->to, trace_end(shown.trace));
    ck_assert(session_range(&shown)->timed && session_range(&shown)->to_end);
    shown_close();
}
END_TEST

SUITE(far) {
    Suite *s = suite_create("far");
    TCase *t = tcase_create("far");
    tcase_add_test(t, the_rest_of_the_picture_is_as_it_was);
    tcase_add_test(t, each_early_time_is_counted);
    tcase_add_test(t, what_is_far_can_be_gone_to);
    tcase_add_test(t, percentages_and_the_end_are_of_all_that_happened);
    tcase_set_timeout(t, 120);
    suite_add_tcase(s, t);
    return s;
}
