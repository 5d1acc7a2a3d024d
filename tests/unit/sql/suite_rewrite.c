/* suite_rewrite.c - Perfetto's words: what they become, what they give, and what is refused. */
#include "sql/rewrite/rewrite.h"

#include "tests/unit/lib/loaded.h"

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

START_TEST(words_become_those_of_sqlite) {
    static const char *const pairs[][2] = {
        {"select 1", "select 1"},
        {"INCLUDE PERFETTO MODULE slices.*; select 1", "; select 1"},
        {"include /* a */ perfetto module slices.* ;select 'create table ; x'",
         ";select 'create table ; x'"},
        {"create perfetto table t as select 1", "CREATE TEMP TABLE t as select 1"},
        {"create or replace perfetto view v (a INT, b STRING) as select 1",
         "DROP VIEW IF EXISTS temp.v;CREATE TEMP VIEW v as select 1"},
        {"create perfetto index i on t(a); select 2", "; select 2"},
        {"drop perfetto table t", "DROP table t"},
        {"create table t (a)", "create TEMP table t (a)"},
        {"create temp table t (a)", "create temp table t (a)"},
        {"create index i on t (a)", "create index temp.i on t (a)"},
        {"create unique index if not exists i on t (a)",
         "create unique index if not exists temp.i on t (a)"},
        {"create virtual table j using span_join(a, b)",
         "create virtual table temp.j using span_join(a, b)"},
        {"select cast_int!(x), cast_string!((a)), cast_double!(cast_int!(1))",
         "select CAST(x AS INT), CAST((a) AS TEXT), CAST(CAST(1 AS INT) AS REAL)"},
        {"select a!=b, \"cast_int!(x)\" -- cast_int!(x)",
         "select a!=b, \"cast_int!(x)\" -- cast_int!(x)"},
        {"create perfetto function f(a INT) returns INT as select $a; select f(1)",
         "; select f(1)"},
        {"select if(a, b, c), string_agg(d, ','); drop table if exists t",
         "select iif(a, b, c), group_concat(d, ','); drop table if exists t"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct rewrite r = {0};
        struct rewrite_macros macros = {0};
        struct err err;
        ck_assert_msg(rewrite_sql(&r, &macros, str_of(pairs[i][0]), &err), "%s", pairs[i][0]);
        ck_assert_str_eq(r.text.v, pairs[i][1]);
        rewrite_free(&r);
        rewrite_macros_free(&macros);
    }
}
END_TEST

START_TEST(what_fxtop_lacks_is_refused_at_its_byte) {
    static const struct {
        const char *sql, *begin;
        uint64_t at;
    } refused[] = {
        {"include perfetto module android.startup",
         "INCLUDE: fxtop has no module android.startup; it has: counters.*", 24},
        {"create perfetto macro m", "CREATE PERFETTO MACRO wants name(argument type, ..)", 22},
        {"create perfetto macro m() returns Expr select 1",
         "CREATE PERFETTO MACRO wants name(argument type, ..)", 22},
        {"create perfetto macro m(a Expr) returns Expr as $a; select m!(1, 2)",
         "operands of the macro m!: it wants 1", 59},
        {"create perfetto macro m() returns Expr as m!() + m!(); select m!()",
         "macros are nested too deeply", 62},
        {"create perfetto macro m() returns Expr as nosuch!(1); select 1 + m!()",
         "no such macro: ", 65},
        {"create perfetto macro m() returns Expr as (1 + nosuch); select 1 + m!()",
         "no such column: nosuch", 67},
        {"select interval_self_intersect!((a, b), (c))", "no such macro: ", 7},
        {"select * from interval_intersect!(a, b)",
         "interval_intersect! wants ((table, table, ..), (column, ..))", 14},
        {"select * from interval_intersect!((a), ())", "interval_intersect! wants", 14},
        {"select * from interval_intersect!((a, b, c, d, e, f), ())", "interval_intersect! wants",
         14},
        {"select * from interval_intersect!((a, b), (c + 1))", "interval_intersect! wants", 14},
        {"select * from interval_intersect!((a, b), (c", "interval_intersect! wants", 14},
        {"select * from interval_intersect!((a, nosuch!(b)), ())", "no such macro: ", 38},
        {"select * from interval_intersect_single!(1, a)",
         "interval_intersect_single! wants (ts, dur, table)", 14},
        {"select 1; select run_metric('x')", "fxtop has no metrics", 17},
        {"select * from experimental_flat_slice", "fxtop has no experimental_", 14},
        {"select * from __intrinsic_slice", "fxtop has no __intrinsic_", 14},
        {"create perfetto function f", "CREATE PERFETTO FUNCTION wants", 25},
        {"create perfetto thing x", "CREATE PERFETTO wants TABLE, VIEW", 16},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char *text = asked_once(trace, refused[i].sql), end[30];
        snprintf(end, sizeof end, " @ %d", (int)refused[i].at);
        ck_assert_msg(strncmp(text, "error: ", 7) == 0 &&
                          strstr(text, refused[i].begin) == text + 7,
                      "%s", text);
        ck_assert_msg(strlen(text) > strlen(end) &&
                          strcmp(text + strlen(text) - strlen(end), end) == 0,
                      "%s", text);
        free(text);
    }
}
END_TEST

START_TEST(functions_that_statements_make_give_values) {
    static const char *const pairs[][2] = {
        {"create perfetto function f(a INT, b INT) returns INT as select $a * 10 + $b; select f(4, "
         "2), f(0, 7)",
         "42|7\n"},
        {"create table t as select 5 as x; create or replace perfetto function g() returns INT as "
         "select x from t; "
         "select g()",
         "5\n"},
        {"create perfetto function h(a INT) returns INT as select h($a); select h(1)",
         "error: a PERFETTO FUNCTION cannot call itself @ -1"},
        {"create perfetto function i(a INT) returns INT as select cast_int!($a) + 1; select i('7 "
         "of them')",
         "8\n"},
        {"select extract_metadata('trace_type'), extract_metadata('nosuch') is null",
         "fuchsia|1\n"},
        {"create perfetto function n(a INT) returns INT as select 1 where $a > 1; select n(2), "
         "n(1) is null",
         "1|1\n"},
        {"create perfetto function c(-- The (first) one, of two.\n a INT, /* b, c */ \"b\" INT) "
         "returns INT as "
         "select $a * 10 + $b; select c(1, 2)",
         "12\n"},
        {"create perfetto function t(-- Id, of slice.\n a INT) returns table(-- Id, of slice.\n x "
         "LONG, /* y, z */ y INT) "
         "as select $a, 2; select y, x, (select count(*) from pragma_table_xinfo('t')) from t(1)",
         "2|1|3\n"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char *text = asked_once(trace, pairs[i][0]);
        ck_assert_str_eq(text, pairs[i][1]);
        free(text);
    }
}
END_TEST

START_TEST(macros_of_statements_are_their_texts) {
    static const char *const steps[][2] = {
        {"create perfetto macro plus(a Expr, b Expr) returns Expr as ($a + $b) -- no part of it\n; "
         "select plus!(1, 2)",
         "3\n"},
        {"select plus!(plus!(1, /* , */ 2), (select max(x) from (select 5 as x))) -- a query later",
         "8\n"},
        {"select plus!(1, plus!(2, 3 -- three\n)), 'plus!(1, 2)', 1 plus", "6|plus!(1, 2)|1\n"},
        {"create perfetto macro less(a Expr) returns Expr as 1-$a; select less!(-1)", "2\n"},
        {"create or replace perfetto macro plus(a Expr) returns Expr as $a || '$a' || \"$a\"; "
         "select PLUS!(1)",
         "1$a$a\n"},
        {"create perfetto macro first(t TableOrSubquery, c ColumnName) returns TableOrSubquery as "
         "(select $c from $t limit 1); "
         "select * from first!((select 7 as x union all select 8), x)",
         "7\n"},
        {"create perfetto macro makes(n _Name) returns _Sql as create perfetto table $n as select "
         "4 as x; makes!(made); "
         "select x from made",
         "4\n"},
        {"create perfetto function f(a INT) returns INT as select less!($a); select f(4)", "-3\n"},
        {"select cast_int!(less!('2 of them')), less!(cast_double!(2))", "-1|-1\n"},
        {"create perfetto macro sum(a Expr) returns Expr as $a + $nosuch; select sum!(1) is null",
         "1\n"},
    };
    struct err err;
    struct query *query = query_new(trace, &(struct query_options){0}, &err);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        char *text = asked(query, steps[i][0]);
        ck_assert_str_eq(text, steps[i][1]);
        free(text);
    }
    query_free(query);
}
END_TEST

/* The text grows by eight at each depth; the operand doubles. */
START_TEST(macros_do_not_grow_without_end) {
    static const char *const bodies[] = {"m!()m!()m!()m!()m!()m!()m!()m!()", "1 + m!() + m!()"};
    for (size_t i = 0; i < 2; i++) {
        struct rewrite r = {0};
        struct rewrite_macros macros = {0};
        struct err err;
        char sql[200];
        snprintf(sql, sizeof sql, "create perfetto macro m() returns Expr as %s; select m!()",
                 bodies[i]);
        ck_assert(!rewrite_sql(&r, &macros, str_of(sql), &err));
        rewrite_free(&r);
        rewrite_macros_free(&macros);
    }
    char chain[3000] = "create perfetto macro m0(a Expr) returns Expr as $a$a $a $a $a; ";
    for (int i = 1; i < 14; i++)
        snprintf(chain + strlen(chain), sizeof chain - strlen(chain),
                 "create perfetto macro m%d(a Expr) returns Expr as m%d!(m%d!($a $a)); ", i, i - 1,
                 i - 1);
    snprintf(chain + strlen(chain), sizeof chain - strlen(chain), "select m13!(1)");
    struct rewrite r = {0};
    struct rewrite_macros macros = {0};
    struct err err;
    ck_assert(!rewrite_sql(&r, &macros, str_of(chain), &err));
    ck_assert_str_eq(err.text, "macros are nested too deeply, or become too large");
    ck_assert_uint_le(r.expanded.n, 8 << 20);
    rewrite_free(&r);
    rewrite_macros_free(&macros);
}
END_TEST

/* No text makes the rewriter read past its end, and each byte has a place. */
START_TEST(cut_and_changed_texts_are_read_to_their_end) {
    static const char sql[] =
        "include perfetto module slices.flow; create or replace perfetto function f(a INT) returns "
        "INT "
        "as select cast_int!($a); create perfetto macro m(a Expr, b Expr) returns Expr as $a - $b; "
        "select [x], `y`, \"z\", 'w' /* c */ -- d\n, (((f(1)))) != 2, m!(1, m!(2, (3)));";
    for (size_t n = 0; n <= sizeof sql - 1; n++) {
        struct rewrite r = {0};
        struct rewrite_macros macros = {0};
        struct err err;
        char *copy = malloc(n + 1);
        memcpy(copy, sql, n);
        rewrite_sql(&r, &macros, (struct str){copy, n}, &err);
        for (size_t at = 0; at <= r.text.n; at++)
            ck_assert_uint_le(rewrite_offset(&r, at), n);
        rewrite_free(&r);
        rewrite_macros_free(&macros);
        free(copy);
    }
}
END_TEST

SUITE(rewrite) {
    Suite *suite = suite_create("rewrite");
    TCase *c = tcase_create("rewrite");
    tcase_add_checked_fixture(c, load, drop);
    tcase_add_test(c, words_become_those_of_sqlite);
    tcase_add_test(c, what_fxtop_lacks_is_refused_at_its_byte);
    tcase_add_test(c, functions_that_statements_make_give_values);
    tcase_add_test(c, macros_of_statements_are_their_texts);
    tcase_add_test(c, macros_do_not_grow_without_end);
    tcase_add_test(c, cut_and_changed_texts_are_read_to_their_end);
    suite_add_tcase(suite, c);
    return suite;
}
