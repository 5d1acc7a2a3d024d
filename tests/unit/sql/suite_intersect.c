/* suite_intersect.c - interval_intersect! against all combinations of rows; aggregates against
 * plain computations. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sql/query.h"
#include "sql/tables/intersect.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/sql/asked.h"

#define ROWS 12

struct row {
    int ts, dur, part;
};

struct tables {
    struct row v[INTERSECT_TABLES][ROWS];
    int n[INTERSECT_TABLES], ntables;
};

static struct chance chance = {11};

/* Parts of all types; 1 and 1.0 are equal. */
static const char *const parts[][INTERSECT_TABLES] = {{"1", "1.0", "1", "1", "1"},
                                                      {"2", "2", "2", "2", "2"},
                                                      {"'a'", "'a'", "'a'", "'a'", "'a'"},
                                                      {"NULL", "NULL", "NULL", "NULL", "NULL"}};
#define PARTS (int)(sizeof parts / sizeof *parts)

static bool contains(struct row x, int t) {
    return x.ts <= t && (x.dur < 0 || t < x.ts + x.dur || (x.dur == 0 && t == x.ts));
}

/* All rows have a time in common: the latest begin. Then the stretch lasts to the earliest end. */
static bool meet(const struct tables *t, const int *at, int *ts, int *dur) {
    int end = -1;
    *ts = -1;
    for (int k = 0; k < t->ntables; k++)
        *ts = t->v[k][at[k]].ts > *ts ? t->v[k][at[k]].ts : *ts;
    for (int k = 0; k < t->ntables; k++) {
        struct row x = t->v[k][at[k]];
        if (x.part != t->v[0][at[0]].part || !contains(x, *ts))
            return false;
        if (x.dur >= 0 && (end < 0 || x.ts + x.dur < end))
            end = x.ts + x.dur;
    }
    *dur = end < 0 ? -1 : end - *ts;
    return true;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines in order. */
static char *sorted(char *text) {
    static char *lines[20000];
    char *out = NULL;
    size_t n = 0, size;
    FILE *f = open_memstream(&out, &size);
    for (char *line = strtok(text, "\n"); line && n < 20000; line = strtok(NULL, "\n"))
        lines[n++] = line;
    qsort(lines, n, sizeof *lines, by_text);
    for (size_t i = 0; i < n; i++)
        fprintf(f, "%s\n", lines[i]);
    fclose(f);
    free(text);
    return out;
}

static char *slow(const struct tables *t, bool by_part) {
    char *text = NULL;
    size_t size;
    int at[INTERSECT_TABLES] = {0}, ts, dur, k = 0;
    FILE *f = open_memstream(&text, &size);
    while (k >= 0) {
        if (meet(t, at, &ts, &dur)) {
            fprintf(f, "%d|%d", ts, dur);
            for (k = 0; k < t->ntables; k++)
                fprintf(f, "|%d", at[k]);
            fprintf(f, "%s\n",
                    by_part ? t->v[0][at[0]].part == 0   ? "|1"
                              : t->v[0][at[0]].part == 1 ? "|2"
                              : t->v[0][at[0]].part == 2 ? "|a"
                                                         : "|"
                            : "");
        }
        for (k = t->ntables - 1; k >= 0 && ++at[k] == t->n[k]; k--)
            at[k] = 0;
    }
    fclose(f);
    return sorted(text);
}

START_TEST(stretches_are_those_of_all_combinations) {
    for (int set = 0; set < 300; set++) {
        struct tables t = {.ntables = 2 + set % (INTERSECT_TABLES - 1)};
        bool by_part = set % 3 != 0;
        char *sql = NULL;
        size_t size;
        FILE *f = open_memstream(&sql, &size);
        for (int k = 0; k < t.ntables; k++) {
            t.n[k] = 1 + (int)below(&chance, t.ntables > 3 ? 6 : ROWS);
            fprintf(f, "%s t%d(id, ts, dur, p) as (values ", k ? "," : "with", k);
            for (int i = 0; i < t.n[k]; i++) {
                struct row *x = &t.v[k][i];
                *x = (struct row){(int)below(&chance, 30), (int)below(&chance, 9) - 1,
                                  by_part ? (int)below(&chance, PARTS) : 0};
                fprintf(f, "%s(%d, %d, %d, %s)", i ? "," : "", i, x->ts, x->dur, parts[x->part][k]);
            }
            fputs(")", f);
        }
        fputs("select * from interval_intersect!((", f);
        for (int k = 0; k < t.ntables; k++)
            fprintf(f, k % 2 ? "%s(select * from t%d)" : "%st%d", k ? ", " : "", k);
        fprintf(f, "), (%s))", by_part ? "p" : "");
        fclose(f);
        char *fast = sorted(asked_there(sql)), *wanted = slow(&t, by_part);
        ck_assert_msg(strcmp(fast, wanted) == 0, "%s:\n%s, not\n%s", sql, fast, wanted);
        free(fast);
        free(wanted);
        free(sql);
    }
}
END_TEST

START_TEST(tables_of_the_trace_joins_and_faults) {
    asked_is("select count(*) > 0 and sum(i.dur != min(s.ts + s.dur, t.ts + t.dur) - max(s.ts, "
             "t.ts)) = 0 from "
             "interval_intersect!(((select * from slice where dur >= 0), (select * from slices "
             "where dur >= 0)), ()) i "
             "join slice s on s.id = id_0 join slice t on t.id = id_1",
             "1\n");
    asked_is("select * from interval_intersect!((slice, (select * from slice where 0)), ())", "");
    asked_is("select id, ts, dur from interval_intersect_single!(5, 10, (select 7 as id, 0 as ts, "
             "6 as dur))",
             "7|5|1\n");
    asked_is("with x(n) as (values (3), (12)) select n, (select count(*) from "
             "interval_intersect_single!(n, 4, (select "
             "1 as id, "
             "0 as ts, 9 as dur))) from x",
             "3|1\n12|0\n"); /* correlated */
    asked_is("with a(id, ts, dur) as (values (1, 0, 9)) select * from interval_intersect!((a, "
             "(select id_0 as id, ts, "
             "dur from "
             "interval_intersect!((a, a), ()))), ())",
             "0|9|1|1\n");
    asked_is("select * from fxtop_intersection(1, 2)", "");
    asked_is("select * from fxtop_intersection((select fxtop_intervals(1, 1, 1)))",
             "error: fxtop_intersection wants 2 to 5 values of fxtop_intervals() @ -1");
    asked_is("select * from fxtop_intersection((select fxtop_intervals(1, 1, 1)), (select "
             "fxtop_intervals(1, 1, 1, 1)))",
             "error: fxtop_intersection wants intervals with the same number of columns @ -1");
    asked_is(
        "select fxtop_intervals(column1, 9 - column1, 1) from (values (1), (2))",
        "error: fxtop_intervals: rows have to be in the order of the columns, then of ts @ -1");
    /* the value means nothing elsewhere */
    asked_is("select typeof(fxtop_intervals(1, 1, 1))", "null\n");
}
END_TEST

static int by_number(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double between_neighbours(const double *v, int n, double q) {
    double at = (n - 1) * q;
    int low = (int)at, high = low + 1 < n ? low + 1 : low;
    return v[low] + (v[high] - v[low]) * (at - low);
}

/* One answer of several numbers, compared up to rounding. */
static void numbers_are(const char *sql, const double *wanted, int n) {
    char *text = asked_there(sql), *at = text;
    for (int i = 0; i < n; i++) {
        char *end;
        double x = strtod(at, &end);
        ck_assert_msg(end > at && fabs(x - wanted[i]) <= 1e-9 * (1 + fabs(wanted[i])),
                      "%s: number %d is not %.17g: %s", sql, i, wanted[i], text);
        at = end + 1;
    }
    free(text);
}

START_TEST(aggregates_equal_plain_computations) {
    for (int set = 0; set < 100; set++) {
        static char sql[20000];
        double v[60], mean = 0, squares = 0, q = (double)below(&chance, 1001) / 1000;
        int n = 2 + (int)below(&chance, 58);
        double far = set % 2 ? 1e9 : 0; /* a large mean, with a small spread around it */
        size_t at = (size_t)snprintf(
            sql, sizeof sql,
            "select quantile(column1, %.3f), percentile(column1, %.1f), median(column1), "
            "stddev(column1), variance(column1) from (values (NULL)",
            q, q * 100);
        for (int i = 0; i < n; i++) {
            v[i] = far + (double)below(&chance, 2000) / 8;
            mean += v[i] / n;
            at += (size_t)snprintf(sql + at, sizeof sql - at, ", (%.3f)", v[i]);
        }
        snprintf(sql + at, sizeof sql - at, ")");
        for (int i = 0; i < n; i++)
            squares += (v[i] - mean) * (v[i] - mean);
        qsort(v, (size_t)n, sizeof *v, by_number);
        double part = between_neighbours(v, n, q);
        numbers_are(sql, (const double[]){part, part, between_neighbours(v, n, 0.5)}, 3);
        char *last = strstr(sql, "stddev");
        memmove(sql + 7, last, strlen(last) + 1);
        char *text = asked_there(sql);
        double deviation = strtod(text, &last), variance = strtod(last + 1, NULL);
        ck_assert_double_eq_tol(deviation, sqrt(squares / (n - 1)), 1e-4);
        ck_assert_double_eq_tol(variance, squares / (n - 1), 1e-4 * (1 + squares / (n - 1)));
        free(text);
    }
    asked_is("select stddev(column1) is null, variance(column1) is null, median(column1), "
             "quantile(NULL, 0.5) is null "
             "from (values (3))",
             "1|1|3|1\n");
    asked_is("select quantile(column1, 1.5) from (values (1))",
             "error: quantile wants a second argument from 0 to 1 @ -1");
    asked_is("select percentile(column1, -1) from (values (1))",
             "error: percentile wants a second argument from 0 to 100 @ -1");
    asked_is("select to_monotonic(ts) = ts, to_monotonic(NULL) is null from slice limit 1",
             "1|1\n");
    asked_is("select import('slices.with_context') is null, import('time.*') is null, "
             "import('intervals.*') is null",
             "1|1|1\n");
    asked_is(
        "select import('android.startup')",
        "error: IMPORT: fxtop has no such module; INCLUDE PERFETTO MODULE lists what it has @ -1");
}
END_TEST

SUITE(intersect) {
    Suite *suite = suite_create("intersect");
    TCase *c = tcase_create("intersect");
    tcase_add_checked_fixture(c, asked_begin, asked_end);
    tcase_add_test(c, stretches_are_those_of_all_combinations);
    tcase_add_test(c, tables_of_the_trace_joins_and_faults);
    tcase_add_test(c, aggregates_equal_plain_computations);
    suite_add_tcase(suite, c);
    return suite;
}
