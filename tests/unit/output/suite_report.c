/* suite_report.c - what --summary and --records say where a trace has much of something, or is
 * none; and an output that takes nothing. */
#include "model/output/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/output/ndjson.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"
#include "tests/unit/lib/suites.h"

static char path[SCRATCH_PATH];

static void put(const char *bytes, size_t n) {
    ck_assert(scratch_write(path, "report", bytes, n));
}

static struct trace *load(const char *text) {
    struct trace_options none = {0};
    struct err err;
    struct trace_bytes bytes = tracegen(text, &err);
    ck_assert_msg(bytes.v != NULL, "%s", err.text);
    put((const char *)bytes.v, bytes.n);
    free(bytes.v);
    struct trace *trace = trace_open(path, &none, &err);
    ck_assert_msg(trace != NULL, "%s", err.text);
    trace_load(trace);
    return trace;
}

static char *summary(struct trace *trace) {
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    ck_assert_ptr_nonnull(f);
    report_summary(trace, f, false);
    fclose(f);
    return text;
}

START_TEST(a_list_ends_after_twelve) {
    char text[2000] = "magic\n", *said;
    for (int i = 1; i <= 15; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "provider %d \"p%d\"\n", i, i);
    struct trace *trace = load(text);
    said = summary(trace);
    ck_assert_ptr_nonnull(strstr(said, "providers: p1 (id 1, 1 record), p2 (id 2, 1 record), "));
    ck_assert_ptr_nonnull(strstr(said, "p12 (id 12, 1 record), and 3 more\n"));
    ck_assert_ptr_nonnull(strstr(said, "span: no events\n"));
    free(said);
    trace_free(trace);
    unlink(path);
}
END_TEST

START_TEST(the_idle_thread_0_is_no_thread) {
    static const char switches[] =
        "magic\nkernel_object 2 0 \"idle\"\nswitch 10 0 0 3 7 outgoing_weight=i32:-2147483648\n"
        "switch 20 0 7 3 0 incoming_weight=i32:-2147483648\n";
    char text[400], *said;
    struct trace *trace = load(switches);
    said = summary(trace);
    ck_assert_ptr_nonnull(strstr(said, "threads: 1\n"));
    ck_assert_ptr_null(strstr(said, "idle 0:"));
    free(said);
    trace_free(trace);
    /* something happened on it */
    snprintf(text, sizeof text, "%sinstant 15 0/0 \"c\" \"n\"\n", switches);
    trace = load(text);
    said = summary(trace);
    ck_assert_ptr_nonnull(strstr(said, "threads: 2\n"));
    ck_assert_ptr_nonnull(strstr(said, "idle 0: "));
    free(said);
    trace_free(trace);
    unlink(path);
}
END_TEST

START_TEST(a_long_name_is_said_whole) {
    char text[400], wanted[200], *said;
    memset(wanted, 'n', 180);
    wanted[180] = '\0';
    snprintf(text, sizeof text,
             "magic\ninit 0 5 1000000000\nprovider 1 \"%s\"\ninstant 6 3/4 \"c\" \"i\"\n", wanted);
    struct trace *trace = load(text);
    said = summary(trace);
    ck_assert_ptr_nonnull(strstr(said, wanted));
    ck_assert_ptr_nonnull(strstr(said, "clock: 0 ticks per second (assuming 1 tick = 1 ns)\n"));
    ck_assert_ptr_nonnull(
        strstr(said, "wall clock: starts at 1970-01-01 00:00:01.000000001 UTC\n"));
    free(said);
    trace_free(trace);
    unlink(path);
}
END_TEST

START_TEST(no_trace_has_no_records) {
    struct trace_options none = {0};
    struct err err;
    FILE *out = fopen("/dev/null", "w");
    ck_assert(!report_records("/nowhere/at/all", &none, out, false, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "such file"));
    put("not a trace, but some text of more than a word", 46);
    ck_assert(!report_records(path, &none, out, false, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "not a trace that fxtop knows"));
    fclose(out);
    unlink(path);
}
END_TEST

START_TEST(a_full_output_is_reported) {
    struct trace_options none = {0};
    struct err err;
    struct trace *trace = load("magic\nthread 1 3 4\ncomplete 1 t1 \"c\" \"s\" end=2\n");
    FILE *full = fopen("/dev/full", "w");
    ck_assert_ptr_nonnull(full);
    ck_assert(!report_records(path, &none, full, false, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "cannot write: No space left"));
    ck_assert(!export_ndjson(trace, full));
    ck_assert(!export_json(trace, full));
    ck_assert(!export_csv(trace, full));
    fclose(full);
    trace_free(trace);
    unlink(path);
}
END_TEST

SUITE(report) {
    Suite *s = suite_create("report");
    TCase *t = tcase_create("report");
    tcase_add_test(t, a_list_ends_after_twelve);
    tcase_add_test(t, the_idle_thread_0_is_no_thread);
    tcase_add_test(t, a_long_name_is_said_whole);
    tcase_add_test(t, no_trace_has_no_records);
    tcase_add_test(t, a_full_output_is_reported);
    suite_add_tcase(s, t);
    return s;
}
