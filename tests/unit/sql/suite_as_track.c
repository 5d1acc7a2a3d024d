/* suite_as_track.c - :as-track: tracks against the rows of their questions, asked apart; sessions,
 * exports, faults. */
#include "ui/as_track.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/output/ndjson.h"
#include "model/output/rows_fxt.h"
#include "model/store/row_track.h"
#include "sql/answer/answer.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"
#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/sql/asked.h"
#include "ui/keep/keep_state.h"

static void open_trace(void) {
    shown_fixture("every_kind", 100, 30);
    shown.answers = answer_ops_known();
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines of a text in order. */
static char *sorted_lines(char *text) {
    VEC(char *) lines = {0};
    struct chars out = {0};
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        vec_push(&lines, line);
    if (lines.n > 0)
        qsort(lines.v, lines.n, sizeof *lines.v, by_text);
    for (size_t i = 0; i < lines.n; i++) {
        chars_text(&out, lines.v[i]);
        chars_text(&out, "\n");
    }
    chars_add(&out, (struct str){"", 1});
    vec_free(&lines);
    free(text);
    return out.v;
}

/* The rows of a track in the form of asked(): ts, dur, name and value, in order. */
static char *shown_rows(const char *question) {
    struct row_tracks *tracks = trace_row_tracks(shown.trace);
    struct chars out = {0};
    uint64_t origin = trace_origin_wide(shown.trace).lo;
    for (uint32_t at = 0; at < tracks->v.n; at++) {
        const struct row_track *track = row_tracks_at(tracks, at);
        for (size_t k = 0; track && strcmp(track->question, question) == 0 && k < track->lanes.n;
             k++)
            for (uint32_t i = 0; i < track->lanes.v[k].n; i++) {
                struct slice s = lane_slice(&track->lanes.v[k], i);
                const struct row_track_row *row = row_track_row_of(track, &s);
                struct str name = row_track_text(track, row->name),
                           value = row_track_text(track, row->value);
                chars_format(
                    &out, "%" PRId64 "|%" PRId64 "|%.*s|%.*s\n",
                    (int64_t)((uint64_t)s.start - (uint64_t)trace_origin(shown.trace) + origin),
                    slice_open(&s) ? -1 : slice_dur(&s), (int)name.n, name.s, (int)value.n,
                    value.s);
            }
    }
    chars_add(&out, (struct str){"", 1});
    return sorted_lines(out.v);
}

static void check_rows(const char *question, const char *sql) {
    char *wanted = sorted_lines(asked_once(shown.trace, sql)), *rows = shown_rows(question);
    ck_assert_str_eq(rows, wanted);
    free(wanted);
    free(rows);
}

/* Each row of a query is on its track, and no other. */
START_TEST(a_track_of_a_query_has_its_rows) {
    static const char *const queries[] = {
        "select ts, dur, name, depth as value from slice",
        "select ts, dur, name, category as value from slice where dur != 0",
        "select ts, dur, state as name, utid as value from thread_state",
        "select ts, dur, cpu as name, utid as value from sched",
        "select ts, 0 as dur, track_id as name, cast(value as integer) as value from counter",
        "select ts, dur, name, null as value from slice where 0",
        "select ts + 5 as ts, dur * 3 as dur, upper(name) as name, 'x' as value from slice",
    };
    open_trace();
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        char keys[300];
        snprintf(keys, sizeof keys, ":as-track q %s<Enter>", queries[i]);
        shown_keys(keys);
        ck_assert_msg(!as_track_fault(&shown), "%s", queries[i]);
        check_rows("q", queries[i]);
    }
    shown_close();
}
END_TEST

START_TEST(rows_of_several_tracks) {
    open_trace();
    shown_keys(":as-track q select ts, dur, name, depth as value, 'on ' || depth as track from "
               "slice<Enter>");
    check_rows("q", "select ts, dur, name, depth as value from slice");
    ck_assert(shown_has("q: on 0"));
    ck_assert(shown_has("q: on 1"));
    shown_keys(":no-track q<Enter>");
    ck_assert(shown_has("q is no track any more"));
    ck_assert(!shown_has("q: on 0"));
    shown_close();
}
END_TEST

START_TEST(filters_gaps_and_paths_are_questions) {
    open_trace();
    shown_keys(":as-track f kind=slice dur>0<Enter>");
    check_rows("f", "select ts, dur, name, '' as value from thread_slice where dur != 0");
    shown_keys("/kind=slice<Enter>:as-track h<Enter>");
    check_rows("h", "select ts, dur, name, '' as value from thread_slice where dur != 0");
    shown_select("work", 0);
    shown_keys(":as-track c critical<Enter>");
    check_rows("c", "select c.ts, c.dur, coalesce(t.name, 'thread ' || t.tid), c.state from "
                    "critical_path((select id from slice where name = 'work')) c left join "
                    "thread t using (utid)");
    shown_keys(":as-track g gaps<Enter>");
    check_rows("g", "select ts, dur, 'gap', '' from gap where utid = 1");
    shown_close();
}
END_TEST

START_TEST(what_is_wrong_is_said) {
    open_trace();
    shown_keys(":as-track q select 1 as x<Enter>");
    ck_assert(shown_has("q: it has no column ts: a track has ts, dur, name, track"));
    shown_keys(":as-track q select ts from nowhere<Enter>");
    ck_assert(shown_has("q: no such table: nowhere"));
    shown_keys(":as-track q dur><Enter>");
    ck_assert(shown.message.is_error);
    shown_keys(":as-track q<Enter>");
    ck_assert(shown_has("ranges, a filter"));
    shown_keys(":as-track<Enter>");
    ck_assert(shown_has("none so far"));
    shown_keys(":no-track q<Enter>");
    ck_assert(shown_has("no question is called q"));
    ck_assert_ptr_null(row_tracks_at(trace_row_tracks(shown.trace), 0));
    shown_close();
}
END_TEST

/* Names are any bytes; none of them reaches the screen raw (shown_row() fails then). */
START_TEST(names_are_hostile) {
    open_trace();
    shown_keys(":as-track q select ts, 1000000 as dur, char(27, 91, 50, 74, 7, 0x202e) || "
               "name as name, char(27) as track, char(155) as colour, char(10) as value from slice"
               "<Enter><Home>KKl<Tab>");
    for (int y = 0; y < 30; y++)
        ck_assert(strpbrk(shown_row(y), "\033\007\n") == NULL);
    shown_close();
}
END_TEST

START_TEST(the_view_of_a_query_becomes_a_track) {
    open_trace();
    shown_keys(":sql select ts, dur, name, '' as value from slice where dur > 0<Enter>"
               ":as-track here<Enter>q");
    check_rows("here", "select ts, dur, name, '' as value from slice where dur > 0");
    ck_assert(shown_has("here"));
    shown_keys("<Home>KK:no-track<Enter>");
    shown_close();
}
END_TEST

/* The lines of a session make the same tracks again, with what was pinned and selected there. */
START_TEST(sessions_keep_questions) {
    char first[80];
    struct chars lines = {0};
    open_trace();
    shown_keys(":as-track q select ts, dur, name, 'x%41' as value from slice<Enter>"
               ":as-track r ranges 0..50%<Enter>");
    keep_state_write(&shown, &lines);
    chars_add(&lines, (struct str){"", 1});
    char *rows = shown_rows("q"), *ranges = shown_rows("r");
    shown_close();
    open_trace();
    ck_assert_uint_eq(keep_state_run(&shown, lines.v, KEEP_ALL, first), 0);
    shown_keys("");
    char *again = shown_rows("q"), *ranges_again = shown_rows("r");
    ck_assert_str_eq(again, rows);
    ck_assert_str_eq(ranges_again, ranges);
    ck_assert_uint_gt(strlen(ranges), 0);
    free(rows);
    free(again);
    free(ranges);
    free(ranges_again);
    vec_free(&lines);
    shown_close();
}
END_TEST

/* Slices of the process `questions` of an export, as shown_rows() has rows. */
static char *read_back(const char *path) {
    struct err err;
    struct trace *trace = trace_open(path, &(struct trace_options){0}, &err);
    ck_assert_msg(trace != NULL, "%s", path);
    trace_load(trace);
    char *rows = asked_once(
        trace, "select ts, dur, name, coalesce((select string_value from args a where "
               "a.arg_set_id = slice.arg_set_id and key in ('value', 'args.value')), '') "
               "from slice where category = 'question'");
    trace_free(trace);
    return sorted_lines(rows);
}

/* An export has the tracks, too: read again, their slices are the rows. */
START_TEST(exports_have_the_rows) {
    char path[SCRATCH_PATH];
    struct err err;
    open_trace();
    shown_keys(":as-track q select ts, dur, name, depth as value from slice<Enter>");
    char *rows = shown_rows("q");
    ck_assert(scratch_write(path, "exported", "", 0));
    FILE *out = fopen(path, "wb");
    ck_assert_ptr_nonnull(out);
    struct trace_bytes bytes = tracegen_load("every_kind", &err);
    ck_assert_uint_eq(fwrite(bytes.v, 1, bytes.n, out), bytes.n);
    free(bytes.v);
    ck_assert(rows_fxt_write(shown.trace, out, &err));
    fclose(out);
    char *read = read_back(path);
    ck_assert_str_eq(read, rows);
    unlink(path);
    free(read);
    free(rows);
    shown_close();
}
END_TEST

static void press(const char *keys) {
    struct key key;
    while (key_parse(&keys, &key))
        app_key(&shown, &key);
}

/* A query without an end holds the trace, and no key; :no-track stops it. */
START_TEST(keys_are_answered_meanwhile) {
    open_trace();
    press(":as-track e WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
          "SELECT count(*) AS ts FROM n<Enter>");
    app_idle(&shown);
    ck_assert(shown.turns.held_rows);
    press("jj:no-track e<Enter>");
    ck_assert(!shown.turns.held_rows);
    ck_assert_ptr_null(row_tracks_at(trace_row_tracks(shown.trace), 0));
    shown_close();
}
END_TEST

SUITE(as_track) {
    Suite *suite = suite_create("as_track");
    TCase *c = tcase_create("as_track");
    tcase_add_test(c, a_track_of_a_query_has_its_rows);
    tcase_add_test(c, rows_of_several_tracks);
    tcase_add_test(c, filters_gaps_and_paths_are_questions);
    tcase_add_test(c, what_is_wrong_is_said);
    tcase_add_test(c, names_are_hostile);
    tcase_add_test(c, the_view_of_a_query_becomes_a_track);
    tcase_add_test(c, sessions_keep_questions);
    tcase_add_test(c, exports_have_the_rows);
    tcase_add_test(c, keys_are_answered_meanwhile);
    suite_add_tcase(suite, c);
    return suite;
}
