/* suite_answer.c - a query on a thread of its own: rows, faults, stops, the places of rows, words
 * for completion. */
#include "sql/answer/answer.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/budget.h"
#include "src/base/clock.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

#define ENDLESS                                                                                    \
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

static const struct sql_answer_ops *ops;
static struct trace *trace;
static struct sql_answer *answer;

static void begin(void) {
    ops = answer_ops_known();
    trace = loaded_fixture("every_kind");
    answer = ops->make(trace, 8 << 20);
}

static void end(void) {
    ops->free(answer);
    trace_free(trace);
}

static struct answer_look asked(const char *sql) {
    ops->ask(answer, str_of(sql));
    ops->wait(answer, INT64_MAX);
    ck_assert(!ops->busy(answer));
    return ops->look(answer);
}

START_TEST(rows_faults_and_nothing) {
    begin();
    ck_assert_int_eq(ops->look(answer).state, ANSWER_NONE);
    struct answer_look look = asked("SELECT 1 AS one, 'two'; SELECT 3 AS three");
    ck_assert_int_eq(look.state, ANSWER_DONE);
    ck_assert_uint_eq(look.rows, 1);
    ck_assert_int_eq(look.columns, 1);
    ck_assert_str_eq(ops->column(answer, 0), "three");
    look = asked("SELECT nosuch FROM slice");
    ck_assert_int_eq(look.state, ANSWER_FAILED);
    ck_assert_str_eq(look.err->text, "no such column: nosuch");
    ck_assert_uint_eq(look.err->at, 7);
    look = asked("SELECT 1 WHERE 0");
    ck_assert(look.state == ANSWER_DONE && look.rows == 0 && look.columns == 1);
    look = asked("CREATE PERFETTO TABLE own AS SELECT 7 AS x");
    ck_assert(look.state == ANSWER_DONE && look.columns == 0);
    look = asked("SELECT x FROM own"); /* it lasts */
    ck_assert(look.rows == 1 && ops->cell(answer, 0, 0).integer == 7);
    look = asked("");
    ck_assert_int_eq(look.state, ANSWER_DONE);
    look = asked("SELECT length(group_concat(printf('%.1000000c', 'x'))) FROM slice, slice, slice");
    ck_assert_int_eq(look.state, ANSWER_FAILED);
    ck_assert_str_eq(look.err->text,
                     "the query needs more than 8 MB of memory: --query-memory allows more");
    end();
}
END_TEST

/* A query that never ends is stopped, whatever it does; halt() and free() do the same. stop() does
 * not wait for that: of many it takes little time, unless this machine has none for it. */
START_TEST(stops) {
    int64_t least = INT64_MAX;
    begin();
    for (int i = 0; i < 3 || (i < 50 && least > 16000000); i++) {
        ops->ask(answer, str_of(ENDLESS));
        ck_assert(ops->busy(answer));
        int64_t from = clock_now();
        ops->stop(answer);
        int64_t took = clock_now() - from;
        least = took < least ? took : least;
        ops->wait(answer, INT64_C(10000000000));
        ck_assert(!ops->busy(answer));
        ck_assert_int_eq(ops->look(answer).state, ANSWER_STOPPED);
    }
    ck_assert_int_lt(least, 16000000);
    ops->ask(answer, str_of(ENDLESS));
    ops->halt(answer);
    ck_assert(!ops->busy(answer));
    ck_assert_int_eq(asked("SELECT 1").state, ANSWER_DONE);
    ops->ask(answer, str_of(ENDLESS));
    end();
}
END_TEST

START_TEST(keeps_a_million_rows) {
    begin();
    struct answer_look look =
        asked("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n");
    ck_assert_int_eq(look.state, ANSWER_FULL);
    ck_assert_uint_eq(look.rows, ANSWER_ROWS);
    ck_assert_int_eq(ops->cell(answer, ANSWER_ROWS - 1, 0).integer, ANSWER_ROWS);
    end();
}
END_TEST

static struct query_place place_of(const char *sql) {
    struct answer_look look = asked(sql);
    ck_assert_msg(look.state == ANSWER_DONE && look.rows > 0, "%s: %s", sql, look.err->text);
    return ops->place(answer, 0);
}

/* Columns are known through views and subqueries, and by their names. */
START_TEST(rows_have_places) {
    begin();
    ck_assert_int_eq(place_of("SELECT 1").kind, PLACE_NONE);
    ck_assert_int_eq(place_of("SELECT id FROM thread").kind, PLACE_THREAD);
    ck_assert_int_eq(place_of("SELECT ts FROM slice").kind, PLACE_TIME);
    ck_assert_int_eq(place_of("SELECT ts, track_id FROM slice").kind, PLACE_THREAD);
    ck_assert(place_of("SELECT ts, track_id FROM slice").has_time);
    ck_assert_int_eq(place_of("SELECT name, upid FROM process WHERE upid > 0").kind, PLACE_PROCESS);
    ck_assert_int_eq(place_of("SELECT id FROM counter_track").kind, PLACE_COUNTER);
    ck_assert_int_eq(place_of("SELECT * FROM flow").kind, PLACE_FLOW);
    struct query_place place = place_of("SELECT id FROM slice WHERE dur > 0");
    ck_assert_int_eq(place.kind, PLACE_SLICE);
    struct query_place same =
        place_of("WITH s AS (SELECT id AS x FROM thread_slice WHERE dur > 0) SELECT x FROM s");
    ck_assert_int_eq(same.kind, PLACE_SLICE);
    ck_assert(same.offset == place.offset && same.time == place.time);
    same = place_of("SELECT a.arg_set_id FROM args a");
    place = place_of("SELECT s.id FROM slice s WHERE s.id = (SELECT arg_set_id FROM args LIMIT 1)");
    ck_assert(same.kind != PLACE_NONE && same.kind == place.kind && same.offset == place.offset);
    ck_assert_int_eq(place_of("SELECT * FROM trace_bounds").kind, PLACE_TIME);
    ck_assert_int_eq(place_of("SELECT 0 + 1 AS slice_id, 0 AS ts").kind,
                     place_of("SELECT id FROM slice WHERE id = 1").kind);
    end();
}
END_TEST

START_TEST(ranks_come_from_the_thread) {
    begin();
    asked("SELECT column1 FROM (VALUES ('b'), ('a'), (NULL), ('b'))");
    ck_assert(!ops->ranked(answer, 0) || !ops->busy(answer));
    ops->wait(answer, INT64_MAX);
    ck_assert(ops->ranked(answer, 0));
    ck_assert(ops->rank(answer, 0, 0) == 2 && ops->rank(answer, 0, 1) == 1 &&
              ops->rank(answer, 0, 2) == 0 && ops->rank(answer, 0, 3) == 2);
    end();
}
END_TEST

START_TEST(words_have_all_tables) {
    begin();
    char *words = ops->words(trace);
    ck_assert_ptr_nonnull(strstr(words, "slice \n"));
    ck_assert_ptr_nonnull(strstr(words, "slice dur\n"));
    ck_assert_ptr_nonnull(strstr(words, "thread_slice \n"));
    ck_assert_ptr_nonnull(strstr(words, "thread_slice thread_name\n"));
    free(words);
    end();
}
END_TEST

SUITE(answer) {
    TCase *tests = tcase_create("answer");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, rows_faults_and_nothing);
    tcase_add_test(tests, stops);
    tcase_add_test(tests, keeps_a_million_rows);
    tcase_add_test(tests, rows_have_places);
    tcase_add_test(tests, ranks_come_from_the_thread);
    tcase_add_test(tests, words_have_all_tables);
    Suite *suite = suite_create("answer");
    suite_add_tcase(suite, tests);
    return suite;
}
