/* suite_view_sql.c - :sql on the screen: rows, order, filter, Enter, stops, the session,
 * completion. */
#include "ui/views/sql/view_sql.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sql/answer/answer.h"
#include "src/base/clock.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/lib/thrown.h"
#include "tests/unit/sql/asked.h"
#include "ui/keep/keep_state.h"
#include "ui/views/sql/sql_each.h"
#include "ui/views/sql/sql_words.h"

static void open_trace(void) {
    shown_fixture("every_kind", 100, 30);
    shown.answers = answer_ops_known();
}

START_TEST(rows_are_a_table) {
    open_trace();
    shown_keys(":sql select column1 as n, column2 as s from (values (2, 'b'), (10, 'a'), (1, "
               "NULL), (2.5, 'c'))<Enter>");
    ck_assert(shown_has("[SQL]"));
    ck_assert(shown_has("row 1/4"));
    shown_keys(">");
    ck_assert(shown_has("sorted by n"));
    ck_assert_int_lt(shown_find(" 10  a"), shown_find("2.5  c"));
    ck_assert_int_lt(shown_find("2.5  c"), shown_find("  2  b"));
    shown_keys(">"); /* texts from A to Z, after NULL */
    ck_assert(shown_has("sorted by s"));
    ck_assert_int_lt(shown_find(" 10  a"), shown_find("  2  b"));
    ck_assert_int_lt(shown_find("  2  b"), shown_find("2.5  c"));
    shown_keys("&s=b<Enter>");
    ck_assert(shown_has("row 1/1"));
    shown_keys("&<Enter>/10<Enter>");
    ck_assert(shown_has("> 10  a"));
    shown_close();
}
END_TEST

START_TEST(enter_goes_to_the_slice) {
    open_trace();
    shown_keys(":sql select name, id from thread_slice where dur > 0 order by dur desc limit "
               "1<Enter><Enter>");
    ck_assert_ptr_eq(shown.views.current, shown.views.home);
    ck_assert_str_ne(shown_selected(), "");
    shown_keys(":sql select 5<Enter><Enter>");
    ck_assert(shown_has("nothing here to go to: select id or ts"));
    shown_close();
}
END_TEST

static bool write_trace(const char *path, struct trace_bytes bytes) {
    unlink(path); /* the file that is mapped stays whole */
    FILE *out = fopen(path, "wb");
    bool done = out && fwrite(bytes.v, 1, bytes.n, out) == bytes.n;
    free(bytes.v);
    return out && fclose(out) == 0 && done;
}

/* Shows a trace from a file of its own, which may be written again; the caller removes it. */
static struct trace *show_file(char path[SCRATCH_PATH]) {
    struct err err;
    ck_assert(scratch_write(path, "shown", "", 0));
    ck_assert(write_trace(path, tracegen_load("every_kind", &err)));
    struct trace *trace = trace_open(path, &(struct trace_options){0}, &err);
    ck_assert_ptr_nonnull(trace);
    trace_load(trace);
    app_init(&shown, trace, 100, 30, true);
    shown.answers = answer_ops_known();
    return trace;
}

/* The numbers of threads, tracks and flows are those of the trace before: the new one has none of
 * them. */
START_TEST(enter_on_a_row_of_an_older_trace) {
    static const char *const queries[] = {"id from thread order by id desc",
                                          "id from process_track",
                                          "upid from process where upid > 0",
                                          "id from counter_track",
                                          "* from flow",
                                          "id from thread_slice where dur > 0"};
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        char path[SCRATCH_PATH], keys[120];
        struct err err;
        struct trace *trace = show_file(path);
        snprintf(keys, sizeof keys, ":sql select %s<Enter>", queries[i]);
        shown_keys(keys);
        ck_assert_msg(shown_has("row 1/"), "%s", queries[i]);
        ck_assert(write_trace(path, tracegen("magic\nprovider 1 \"p\"\n", &err)));
        ck_assert(trace_reload(trace, &err));
        trace_load(trace);
        shown_keys("<Enter>");
        ck_assert_msg(shown_has("r runs the query again"), "%s", queries[i]);
        ck_assert(shown_has("[SQL]"));
        unlink(path);
        shown_close();
    }
}
END_TEST

/* The time that Esc takes to be answered while a query runs. */
static int64_t escape_ns(void) {
    struct key key;
    const char *keys = ":sql WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
                       "SELECT count(*) FROM n<Enter>";
    const char *escape = "<Esc>", *down = "j";
    while (key_parse(&keys, &key))
        app_key(&shown, &key);
    app_idle(&shown);
    ck_assert(shown.turns.held);
    key_parse(&down, &key);
    app_key(&shown, &key);
    app_draw(&shown);
    ck_assert(shown_has("Esc stops"));
    key_parse(&escape, &key);
    int64_t from = clock_now();
    app_key(&shown, &key);
    app_draw(&shown);
    return clock_now() - from;
}

/* Keys are answered while a query runs, Esc ends it, and the trace is held until its thread has
 * ended. A machine that is busy may take longer now and then. */
START_TEST(escape_stops) {
    int64_t took = INT64_MAX;
    open_trace();
    for (int tries = 0; tries < 50 && took > 16000000; tries++) {
        took = escape_ns();
        while (app_idle(&shown))
            ;
    }
    ck_assert_int_lt(took, 16000000 * 10); /* ten times, for a slow machine */
    while (app_idle(&shown))
        ;
    ck_assert(!shown.turns.held);
    app_draw(&shown);
    ck_assert(shown_has("stopped"));
    ck_assert(shown_has("[SQL]"));
    shown_keys("<Esc>");
    ck_assert(!shown_has("[SQL]"));
    shown_close();
}
END_TEST

START_TEST(faults_have_their_place) {
    open_trace();
    shown_keys(":sql select id, nosuch from slice<Enter>");
    int y = shown_find("no such column: nosuch");
    ck_assert_int_gt(y, 0);
    ck_assert_ptr_nonnull(strstr(shown_row(y + 2), "select id, nosuch"));
    ck_assert_int_eq((int)(strchr(shown_row(y + 3), '^') - shown_row(y + 3)),
                     (int)(strstr(shown_row(y + 2), "nosuch") - shown_row(y + 2)));
    /* The message takes three rows: each character of two bytes is drawn as an escape. */
    shown_keys(":sql select "
               "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4"
               "\xc3\xb6\xc3\xbc"
               "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4"
               "\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc"
               "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4"
               "\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc"
               " from slice<Enter>");
    y = shown_find("no such column: ");
    ck_assert_ptr_nonnull(strstr(shown_row(y + 2), "\\u{FC}"));
    ck_assert_ptr_nonnull(strstr(shown_row(y + 4), "select ???"));
    ck_assert_ptr_nonnull(strchr(shown_row(y + 5), '^'));
    shown_keys(":tables<Enter>/critical_path<Enter>");
    ck_assert(shown_has(">critical_path"));
    shown_close();
}
END_TEST

/* Fields are broken between two of them, and durations that are no integers have a unit, too. */
START_TEST(the_row_is_whole_below) {
    open_trace();
    shown_keys(":sql select 'the first of three fields of this row' as one, 'the second of three "
               "fields' as two, "
               "1500000.5 as some_dur<Enter>");
    int y = shown_find(" one the first");
    ck_assert_int_gt(y, 0);
    ck_assert_ptr_nonnull(strstr(shown_row(y), "   two the second of three fields"));
    ck_assert_ptr_null(strstr(shown_row(y), "some"));
    ck_assert_int_eq(strncmp(shown_row(y + 1), " some_dur 1500000.5 (1.500 ms)", 30), 0);
    shown_close();
}
END_TEST

static void type(const char *keys) {
    struct key key;
    while (key_parse(&keys, &key))
        app_key(&shown, &key);
    app_draw(&shown);
}

/* A query that was not run shows nothing of the one before it. */
START_TEST(a_query_waits_until_the_trace_is_read) {
    char path[SCRATCH_PATH];
    struct err err;
    struct trace *trace = show_file(path);
    shown_keys(":sql select nosuch<Enter>");
    ck_assert(shown_has("no such column: nosuch"));
    ck_assert(trace_reload(trace, &err));
    type(":sql select 1 as first<Enter>");
    ck_assert(shown_has("the query runs when the trace is read"));
    type(":sql select 2 as second<Enter>");
    ck_assert(!shown_has("was not run"));
    type("<Esc>");
    ck_assert(shown_has("the query was not run: r runs it"));
    ck_assert(!shown_has("nosuch"));
    trace_load(trace);
    shown_keys("r");
    ck_assert(shown_has("second 2"));
    unlink(path);
    shown_close();
}
END_TEST

START_TEST(a_session_keeps_the_query) {
    char first[80];
    struct chars text = {0};
    open_trace();
    shown_keys(":sql select 4711 as kept<Enter>");
    keep_state_write(&shown, &text);
    chars_add(&text, (struct str){"", 1});
    ck_assert_ptr_nonnull(strstr(text.v, "sql select 4711 as kept\n"));
    shown_keys("q");
    ck_assert(!shown_has("4711"));
    ck_assert_uint_eq(keep_state_run(&shown, text.v, KEEP_ALL, first), 0);
    shown_keys("<C-l>");
    ck_assert(shown_has("kept 4711"));
    vec_free(&text);
    shown_close();
}
END_TEST

START_TEST(without_sqlite) {
    shown_fixture("every_kind", 100, 30);
    shown_keys(":sql select 1<Enter>");
    ck_assert(shown_has(":sql needs SQLite"));
    shown_keys(":tables<Enter>");
    ck_assert(shown_has(":sql needs SQLite"));
    shown_close();
}
END_TEST

static const char words[] = "slice \nslice id\nslice name\nthread \nthread name\nthread utid\n";

START_TEST(completes_words) {
    static const struct {
        const char *stem, *lines[4];
    } cases[] = {
        {"select * from s", {"select * from slice", NULL}},
        {"select * from ", {"select * from slice", "select * from thread", NULL}},
        {"select NA", {"select name", NULL}},
        {"select u", {"select utid", NULL}},
        {"select * from thread where ",
         {"select * from thread where name", "select * from thread where utid",
          "select * from thread where slice", "select * from thread where thread"}},
        {"select xyz", {NULL}},
    };
    struct sql_words list = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t n = 0; n < 4; n++) {
            const char *line = sql_words_complete(&list, words, cases[i].stem, n);
            if (cases[i].lines[n] == NULL) {
                ck_assert_ptr_null(line);
                break;
            }
            ck_assert_ptr_nonnull(line);
            ck_assert_str_eq(line, cases[i].lines[n]);
        }
    sql_words_free(&list);
}
END_TEST

enum { WORDS = 3000 };

/* Thousands of words, each once, in the time of one list: a list for each would take minutes. */
START_TEST(completes_many_words) {
    struct chars all = {0};
    struct sql_words list = {0};
    char expected[40];
    for (int i = 0; i < 2 * WORDS; i++)
        chars_format(&all, "t%d c%d\n", i, i % WORDS);
    chars_add(&all, (struct str){"", 1});
    for (int i = 0; i < WORDS; i++) {
        const char *line = sql_words_complete(&list, all.v, "select ", (size_t)i);
        ck_assert_ptr_nonnull(line);
        snprintf(expected, sizeof expected, "select c%d", i);
        ck_assert_str_eq(line, expected);
    }
    ck_assert_ptr_null(sql_words_complete(&list, all.v, "select ", WORDS));
    sql_words_free(&list);
    vec_free(&all);
}
END_TEST

/* The columns `id` and `period_ns` of :each against the same asked slice by slice. */
START_TEST(each_lists_the_iterations) {
    struct chance chance = {97};
    for (int set = 0; set < 6; set++) {
        struct trace *trace = thrown_nested(&chance, 200 + below(&chance, 300), 4);
        for (int n = 0; n < 4; n++) {
            char name[8], plain[900];
            struct chars sql = {0};
            snprintf(name, sizeof name, "n%d", n);
            chars_text(&sql, "select id, period_ns, made_of is null from (");
            sql_each_query(&sql, str_of(name));
            chars_add(&sql, (struct str){")", 2});
            snprintf(
                plain, sizeof plain,
                "select id, ts - (select max(ts) from slice p where p.track_id = s.track_id and "
                "p.name = s.name and (p.ts < s.ts or (p.ts = s.ts and p.id < s.id))), not "
                "exists (select 1 from slice c where c.parent_id = s.id) from slice s where "
                "name = '%s' order by dur >= 0, +dur desc, ts, id",
                name);
            char *a = asked_once(trace, sql.v), *b = asked_once(trace, plain);
            ck_assert_str_eq(a, b);
            free(a);
            free(b);
            vec_free(&sql);
        }
        trace_free(trace);
    }
    shown_fixture("every_kind", 100, 30);
    shown.answers = answer_ops_known();
    shown_keys(":each it's<Enter>");
    ck_assert(shown_has("Each  0"));
    struct chars kept = {0};
    keep_state_write(&shown, &kept);
    chars_add(&kept, (struct str){"", 1});
    ck_assert_ptr_nonnull(strstr(kept.v, "\neach it's\n"));
    vec_free(&kept);
    shown_close();
}
END_TEST

/* Strips begin at one column; 60 cells are 60 us, so a child of 10 us is ten cells. */
START_TEST(iterations_are_aligned) {
    shown_text("magic\nprovider 1 \"p\"\ninit 1000000000\n"
               "complete 1000 1/2 \"c\" \"Step\" end=61000\n"
               "complete 1000 1/2 \"c\" \"Read\" end=21000\n"
               "complete 31000 1/2 \"c\" \"Write\" end=61000\n"
               "complete 100000 1/2 \"c\" \"Step\" end=130000\n"
               "complete 110000 1/2 \"c\" \"Read\" end=120000\n",
               78, 24);
    shown.answers = answer_ops_known();
    shown_keys(":each Step<Enter>");
    ck_assert(!shown_has("from the begin"));
    shown_keys("a");
    ck_assert(shown_has("from the begin"));
    int y = shown_find("> 1 ");
    const char *first = shown_row(y), *second = shown_row(y + 1), *strip = strchr(first, '[');
    ck_assert_ptr_nonnull(strip);
    int x = (int)(strip - first), cells = 78 - 1 - x;
    const char *write = strchr(strip + 1, '['), *read = strchr(second, '[');
    ck_assert_ptr_nonnull(write);
    ck_assert_ptr_nonnull(read);
    ck_assert_int_le(abs((int)(write - strip) - cells / 2), 1);
    ck_assert_int_eq(strncmp(strip, "[Read ", 6), 0);
    ck_assert_int_eq(strncmp(write, "[Write ", 7), 0);
    ck_assert_int_eq(second[x], '.'); /* without a child, from where the first strip begins */
    ck_assert_int_eq(read[-1], '.');
    ck_assert_int_le(abs((int)(read - second) - x - cells / 6), 1);
    shown_keys("a");
    ck_assert(!shown_has("from the begin"));
    shown_keys(":sql select 1<Enter>:each-aligned<Enter>");
    ck_assert(shown_has("only iterations are aligned"));
    shown_close();
}
END_TEST

SUITE(view_sql) {
    TCase *tests = tcase_create("view_sql");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, rows_are_a_table);
    tcase_add_test(tests, enter_goes_to_the_slice);
    tcase_add_test(tests, enter_on_a_row_of_an_older_trace);
    tcase_add_test(tests, escape_stops);
    tcase_add_test(tests, faults_have_their_place);
    tcase_add_test(tests, the_row_is_whole_below);
    tcase_add_test(tests, a_query_waits_until_the_trace_is_read);
    tcase_add_test(tests, a_session_keeps_the_query);
    tcase_add_test(tests, each_lists_the_iterations);
    tcase_add_test(tests, without_sqlite);
    tcase_add_test(tests, completes_words);
    tcase_add_test(tests, completes_many_words);
    Suite *suite = suite_create("view_sql");
    tcase_add_test(tests, iterations_are_aligned);
    suite_add_tcase(suite, tests);
    return suite;
}
