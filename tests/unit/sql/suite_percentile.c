/* suite_percentile.c - percentiles to the bit: SQLite's formula over sorted values, of groups and
 * of the frames of windows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sql/query.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/sql/asked.h"

#define MOST 700

static struct chance chance = {90};
static struct trace *trace;
static struct query *query;

static void load(void) {
    struct err err;
    trace = loaded_fixture("every_kind");
    query = query_new(trace, &(struct query_options){0}, &err);
    ck_assert_msg(query != NULL, "%s", err.text);
}

static void drop(void) {
    query_free(query);
    trace_free(trace);
}

static int by_number(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The formula of SQLite's ext/misc/percentile.c. */
static double formula(const double *values, int n, double part, bool discrete) {
    static double v[MOST];
    memcpy(v, values, (size_t)n * sizeof *v);
    qsort(v, (size_t)n, sizeof *v, by_number);
    double at = part * (n - 1);
    unsigned low = (unsigned)at, high = at == (double)low || low == (unsigned)n - 1 ? low : low + 1;
    return discrete ? v[low] : v[low] + (v[high] - v[low]) * (at - low);
}

/* Makes the table t of whole numbers; some are equal. */
static int throw(double *v, int n) {
    static char sql[MOST * 20 + 100];
    size_t at = (size_t)snprintf(
        sql, sizeof sql, "drop table if exists t; create table t (x int); insert into t values ");
    uint64_t spread = below(&chance, 3) ? 90576 : 5;
    double from = below(&chance, 2) ? 5296324 : 1;
    for (int i = 0; i < n; i++) {
        v[i] = from + (double)below(&chance, spread);
        at += (size_t)snprintf(sql + at, sizeof sql - at, "%s(%.0f)", i > 0 ? "," : "", v[i]);
    }
    char *text = asked(query, sql);
    ck_assert_str_eq(text, "");
    free(text);
    return n;
}

static void begin(const char *sql) {
    struct err err;
    ck_assert_msg(query_begin(query, str_of(sql), &err), "%s", err.text);
}

static void next_row(const double *wanted, int columns, const char *sql) {
    struct err err = {"", 0};
    ck_assert_msg(query_step(query, &err) == QUERY_ROW, "%s: %s", sql, err.text);
    for (int c = 0; c < columns; c++) {
        struct query_cell cell = query_cell(query, c);
        ck_assert_int_eq(cell.type, QUERY_REAL);
        ck_assert_msg(memcmp(&cell.real, &wanted[c], sizeof cell.real) == 0,
                      "%s: column %d is %.17g, not %.17g", sql, c, cell.real, wanted[c]);
    }
}

START_TEST(groups_are_those_of_the_formula) {
    double v[MOST];
    char sql[300];
    for (int set = 0; set < 150; set++) {
        int n = throw(v, 1 + (int)below(&chance, set % 2 ? 300 : 12)), p = (int)below(&chance, 101);
        snprintf(sql, sizeof sql,
                 "select percentile(x, %d), percentile_cont(x, %d / 100.0), percentile_disc(x, %d "
                 "/ 100.0), median(x), "
                 "p90(x) from t",
                 p, p, p);
        double part = p / 100.0;
        double wanted[] = {formula(v, n, part, false), formula(v, n, part, false),
                           formula(v, n, part, true), formula(v, n, 0.5, false),
                           formula(v, n, 0.9, false)};
        begin(sql);
        next_row(wanted, 5, sql);
    }
}
END_TEST

/* 90 % of 115 values are at 102.6, which is above 102.6 only if the part is made before the
 * product. */
START_TEST(the_place_is_rounded_as_sqlite_rounds_it) {
    static const char sql[] =
        "with recursive r(i) as (select 0 union all select i + 1 from r where i < 114) select "
        "percentile(iif(i < 103, 5296324, 5386899), 90), 100 * 1.0 from r";
    double at = 90 / 100.0 * 114;
    ck_assert(at != 114 * 90 / 100.0);
    begin(sql);
    next_row((const double[]){5296324 + (5386899.0 - 5296324) * (at - 102), 100}, 2, sql);
}
END_TEST

/* Frames of all widths, also of more values than are kept in one block. */
START_TEST(frames_of_windows_are_those_of_the_formula) {
    double v[MOST];
    for (int set = 0; set < 12; set++) {
        int n = throw(v, set < 2 ? MOST : 1 + (int)below(&chance, 60)),
            p = (int)below(&chance, 101);
        int before = (int)below(&chance, (uint64_t)n + 2), after = (int)below(&chance, 40);
        char sql[300];
        snprintf(sql, sizeof sql,
                 "select percentile(x, %d) over (order by rowid rows between %d preceding and %d "
                 "following), "
                 "percentile_disc(x, %d / 100.0) over (order by rowid rows between %d preceding "
                 "and current row) from t",
                 p, before, after, p, before);
        begin(sql);
        for (int i = 0; i < n; i++) {
            int from = i > before ? i - before : 0, to = i + after < n ? i + after + 1 : n;
            double wanted[] = {formula(v + from, to - from, p / 100.0, false),
                               formula(v + from, i + 1 - from, p / 100.0, true)};
            next_row(wanted, 2, sql);
        }
    }
}
END_TEST

static void is(const char *sql, const char *answer) {
    char *text = asked(query, sql);
    ck_assert_msg(strcmp(text, answer) == 0, "%s:\n%s", sql, text);
    free(text);
}

START_TEST(arguments_are_refused_as_sqlite_refuses_them) {
    is("select percentile(column1, 50) is null, median(column1) is null from (values (NULL))",
       "1|1\n");
    is("select percentile(1, 50) from slice where 0", "\n");
    is("select percentile(column1, NULL) from (values (1))",
       "error: percentile wants a second argument from 0 to 100 @ -1");
    is("select percentile_disc(column1, 1.01) from (values (1))",
       "error: percentile_disc wants a second argument from 0 to 1 @ -1");
    is("select percentile(column1, column1) from (values (1), (2))",
       "error: percentile wants the same second argument in all rows @ -1");
    is("select median(column1) from (values (1), ('a'))",
       "error: median wants finite numbers @ -1");
    is("select p50(column1) from (values (1), (9e999))", "error: p50 wants finite numbers @ -1");
    is("select group_concat(m, ' ') from (select percentile(column1, 50) over (order by column1 "
       "rows between 1 preceding "
       "and current row) m from (values (NULL), (NULL), (4), (9)))",
       "4.0 6.5\n");
}
END_TEST

SUITE(percentile) {
    Suite *suite = suite_create("percentile");
    TCase *c = tcase_create("percentile");
    tcase_add_checked_fixture(c, load, drop);
    tcase_add_test(c, groups_are_those_of_the_formula);
    tcase_add_test(c, the_place_is_rounded_as_sqlite_rounds_it);
    tcase_add_test(c, frames_of_windows_are_those_of_the_formula);
    tcase_add_test(c, arguments_are_refused_as_sqlite_refuses_them);
    suite_add_tcase(suite, c);
    return suite;
}
