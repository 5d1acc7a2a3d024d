/* suite_query.c - sequences of statements, faults with their bytes, stopping. */
#include "sql/query.h"

#include "tests/unit/lib/loaded.h" /* before sched.h of the system, which pthread.h includes */

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/sql/asked.h"

static struct trace *trace;

static void load(void) {
    trace = loaded_fixture("every_kind");
}

static void drop(void) {
    trace_free(trace);
}

static void is(const char *sql, const char *answer) {
    char *text = asked_once(trace, sql);
    ck_assert_str_eq(text, answer);
    free(text);
}

START_TEST(the_rows_of_the_last_statement_are_given) {
    is("select 1", "1\n");
    is("select 1; select 2, 3;\n -- no more\n;", "2|3\n");
    is("create table t as select 7 as x; create view v as select x + 1 as y from t; select * from "
       "v",
       "8\n");
    is("select 1; create table t as select 7", "");
    is("", "");
    is("-- nothing", "");
}
END_TEST

START_TEST(a_fault_has_its_byte_in_the_typed_text) {
    is("select nosuch", "error: no such column: nosuch @ 7");
    is("select 1; select * from NoSuch", "error: no such table: NoSuch @ 24");
    is("select sum(x) from (select 9223372036854775807 x union all select 1)",
       "error: integer overflow: the result is beyond 2^63-1; total(x) sums as REAL @ -1");
    is("select 1; select  nosuch", "error: no such column: nosuch @ 18");
    is("include perfetto module slices.with_context; select nosuch",
       "error: no such column: nosuch @ 52");
    is("select cast_int!(nosuch)", "error: no such column: nosuch @ 17");
}
END_TEST

/* Values inside of others are one text of JSON, whose parts have Perfetto's names. */
START_TEST(extract_arg_reads_inside_of_json) {
    struct trace *nested = loaded_text(
        "magic\ninit 1000000000\ninstant 1 1/2 \"c\" \"x\" "
        "data=\"{\\\"url\\\":\\\"http://x\\\",\\\"n\\\":5,\\\"l\\\":[1,{\\\"k\\\":\\\"v\\\"}]}\" "
        "dims=\"[[2,3],[4]]\" bad=\"{no json\" data.own=i32:9 plain=\"a\"\n");
    static const char *const pairs[][2] = {
        {"data.url", "http://x"},
        {"args.data.url", "http://x"},
        {"debug.data.n", "5"},
        {"data.l[1].k", "v"},
        {"data.l", "[1,{\"k\":\"v\"}]"},
        {"dims[0][1]", "3"},
        {"args.dims", "[[2,3],[4]]"},
        {"data.own", "9"},
        {"data.nosuch", ""},
        {"bad.x", ""},
        {"plain.x", ""},
        {"nosuch.x", ""},
        {"data.", ""},
        {"data.l[", ""},
        {"data.l[x]", ""},
        {"data.l[]", ""},
        {"data.l[-1]", ""},
        {"data.l[1", ""},
        {"data.l[1]x", ""},
        {"data.\"x", ""},
        {".", ""},
        {"dims[99999999999999999999]", ""},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char sql[200], answer[100];
        /* The key is a constant, for which the statement is kept, and a value of each row. */
        snprintf(sql, sizeof sql,
                 "select extract_arg(arg_set_id, '%s'), extract_arg(arg_set_id, '%s' || "
                 "substr(name, 2)) from slice",
                 pairs[i][0], pairs[i][0]);
        snprintf(answer, sizeof answer, "%s|%s\n", pairs[i][1], pairs[i][1]);
        char *text = asked_once(nested, sql);
        ck_assert_str_eq(text, answer);
        free(text);
    }
    trace_free(nested);
}
END_TEST

/* A run without a weight has priority 0, a wait the arguments of the record that began it. */
START_TEST(states_have_what_their_records_say) {
    struct trace *states = loaded_text(
        "magic\ninit 1000000000\nthread 1 1 2\nthread 2 1 3\nswitch 10 0 9 3 2\n"
        "switch 20 0 2 3 3 io_wait=i32:1 blocked_function=\"futex\" incoming_weight=i32:7\n"
        "switch 30 0 3 1 2 incoming_weight=\"x\" io_wait=bool:0\nswitch 40 0 2 3 9\n");
    char *text = asked_once(states, "select tid, s.ts, priority from sched s join thread using "
                                    "(utid) where tid < 9 order by 2");
    ck_assert_str_eq(text, "2|10|0\n3|20|7\n2|30|0\n");
    free(text);
    text = asked_once(
        states,
        "select tid, s.ts, state, io_wait, blocked_function from thread_state s join thread using "
        "(utid) where tid < 9 order by 1, 2");
    ck_assert_str_eq(
        text,
        "2|10|Running||\n2|20|S|1|futex\n2|30|Running||\n2|40|S||\n3|20|Running||\n3|30|R|0|\n");
    free(text);
    trace_free(states);
}
END_TEST

struct stopper {
    struct query *query;
    atomic_bool stopped;
};

/* Until the statement has ended: a stop before its begin does not count. */
static void *stop(void *ctx) {
    struct stopper *stopper = ctx;
    while (!atomic_load(&stopper->stopped))
        query_stop(stopper->query);
    return NULL;
}

/* A statement that would not end, and the next one after it. */
START_TEST(functions_of_statements_and_of_texts) {
    is("create perfetto function f(x INT) returns INT as select $x + 1; select f(2), f(f(2))",
       "3|4\n");
    is("create perfetto function t(n INT, x STRING) returns table(x STRING, n INT) as select $x || "
       "'b', $n + 1 union all "
       "select 'c', $n; select * from t(1, 'a')",
       "ab|2\nc|1\n");
    is("create perfetto function t(n INT) returns table(m INT) as select $n * 10; "
       "select column1, m from (values (1), (2)) join t(column1) where m > 5",
       "1|10\n2|20\n");
    is("create perfetto function t(n INT) returns table(m INT) as select a.m + b.m as m from "
       "(select $n as m) a join "
       "(select 1 as m) b; select x.m, y.m from t(1) x join t(x.m) y",
       "2|3\n");
    is("create perfetto function t() returns table(a INT, b INT) as select 1; select * from t",
       "error: t: its select has another number of columns than its TABLE @ -1");
    is("create perfetto function t(n INT) returns table(a INT) as select a from t($n); select * "
       "from t(1)",
       "error: t: t: a PERFETTO FUNCTION cannot call itself @ -1");
    is("create perfetto function t(n INT) returns table(a INT) as select nosuch; select * from "
       "t(1)",
       "error: t: no such column: nosuch @ -1");
    is("select regexp_extract('frame 17 of ui', '[0-9]+'), regexp_extract('a=b', '=(.)'), "
       "regexp_extract('x', 'y') is null",
       "17|b|1\n");
    is("select regexp_extract('ab', '(a)|(b)'), regexp_extract(NULL, 'a') is null, "
       "regexp_extract('b', '(a)|b'), "
       "regexp_extract('xb', 'x(a*)b'), regexp_extract('x', '(y)') is null",
       "a|1|b|xb|1\n");
    is("select str_split('a,b,c', ',', 1), ms(2), us(2), s(2), time_from_ms(1)",
       "b|2000000|2000|2000000000|1000000\n");
    is("select percentile(column1, 50), p90(column1) from (values (1), (2), (3), (NULL))",
       "2|2.8\n");
}
END_TEST

/* A thread that lives on has run until the end of the trace. */
START_TEST(a_life_without_an_end_has_a_finite_time) {
    struct trace *lives =
        loaded_text("magic\ninit 1000000000\nswitch 1000 0 0 1 11\nswitch 2000 0 11 3 12\n"
                    "switch 3000 0 12 3 11\ninstant 9000 1/11 \"c\" \"x\"\n");
    char *text = asked_once(
        lives, "select end_ts is null, cpu_time from thread_life where cpu_time > 0 order by 2;");
    ck_assert_str_eq(text, "1|1000\n1|7000\n");
    free(text);
    text = asked_once(lives, "select max(cpu_time), sum(cpu_time) from thread_life");
    ck_assert_str_eq(text, "7000|8000\n");
    free(text);
    trace_free(lives);
}
END_TEST

START_TEST(another_thread_stops_a_statement) {
    struct err err;
    struct query *query = query_new(trace, &(struct query_options){0}, &err);
    struct stopper stopper = {query, false};
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, stop, &stopper), 0);
    char *text = asked(
        query,
        "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n");
    ck_assert_str_eq(text, "stopped");
    free(text);
    atomic_store(&stopper.stopped, true);
    pthread_join(thread, NULL);
    text = asked(query, "select 5");
    ck_assert_str_eq(text, "5\n");
    free(text);
    query_free(query);
}
END_TEST

START_TEST(a_query_that_wants_too_much_memory_ends_in_a_sentence) {
    struct err err;
    struct query *query = query_new(trace, &(struct query_options){.memory = 8 << 20}, &err);
    char *text = asked(
        query, "select length(group_concat(printf('%.1000000c', 'x'))) from slice, slice, slice");
    ck_assert_str_eq(
        text, "error: the query needs more than 8 MB of memory: --query-memory allows more @ -1");
    free(text);
    query_free(query);
}
END_TEST

SUITE(query) {
    Suite *suite = suite_create("query");
    TCase *c = tcase_create("query");
    tcase_add_checked_fixture(c, load, drop);
    tcase_add_test(c, the_rows_of_the_last_statement_are_given);
    tcase_add_test(c, a_fault_has_its_byte_in_the_typed_text);
    tcase_add_test(c, functions_of_statements_and_of_texts);
    tcase_add_test(c, states_have_what_their_records_say);
    tcase_add_test(c, a_life_without_an_end_has_a_finite_time);
    tcase_add_test(c, extract_arg_reads_inside_of_json);
    tcase_add_test(c, another_thread_stops_a_statement);
    tcase_add_test(c, a_query_that_wants_too_much_memory_ends_in_a_sentence);
    suite_add_tcase(suite, c);
    return suite;
}
