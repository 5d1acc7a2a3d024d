/* suite_span.c - SPAN_JOIN, SPAN_LEFT_JOIN and SPAN_OUTER_JOIN against slow readings: nanosecond by
 * nanosecond, and by lists of rows and gaps where rows have no length. */
#include "sql/tables/span.h"

#include "tests/unit/lib/loaded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/sql/asked.h"

#define TIMES 30
#define PARTS 3

static struct chance chance = {2027};

/* Random spans that do not overlap; at[part][t] is the number of the span that covers t, or 0. */
static void table(const char *name, bool parts, int at[PARTS][TIMES], char *sql, size_t cap) {
    size_t n = strlen(sql);
    n += (size_t)snprintf(sql + n, cap - n, "create table %s (ts int, dur int, p int, v%s int);",
                          name, name);
    int number = 0;
    for (int part = 0; part < (parts ? PARTS : 1); part++) {
        for (int t = 0; t < TIMES; t++)
            at[part][t] = 0;
        for (int t = (int)below(&chance, 6); t < TIMES;) {
            int dur = 1 + (int)below(&chance, 7);
            dur = t + dur > TIMES ? TIMES - t : dur;
            n += (size_t)snprintf(sql + n, cap - n, "insert into %s values (%d, %d, %d, %d);", name,
                                  t, dur, part, ++number);
            for (int k = 0; k < dur; k++)
                at[part][t + k] = number;
            t += dur + (int)below(&chance, 3) * (int)below(&chance, 4);
        }
    }
    for (int part = 1; part < PARTS && !parts; part++)
        memcpy(at[part], at[0], sizeof at[0]);
}

enum join { INNER, LEFT, OUTER };

static char *slow(int a[PARTS][TIMES], int b[PARTS][TIMES], enum join join, bool parts) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (int part = 0; part < (parts ? PARTS : 1); part++)
        for (int t = 0, end; t < TIMES; t = end) {
            for (end = t + 1;
                 end < TIMES && a[part][end] == a[part][t] && b[part][end] == b[part][t];)
                end++;
            if (join == OUTER ? !a[part][t] && !b[part][t]
                              : !a[part][t] || (!b[part][t] && join != LEFT))
                continue;
            fprintf(out, "%d|%d|", t, end - t);
            if (parts)
                fprintf(out, "%d|", part);
            fprintf(out, a[part][t] ? "%d|" : "|", a[part][t]);
            fprintf(out, b[part][t] ? "%d\n" : "\n", b[part][t]);
        }
    fclose(out);
    return text;
}

static void hold(struct query *query, enum join join, bool a_parts, bool b_parts) {
    static const char *const names[] = {"SPAN_JOIN", "span_left_join", "span_outer_join"};
    static char sql[40000];
    int a[PARTS][TIMES], b[PARTS][TIMES];
    sql[0] = '\0';
    table("a", a_parts, a, sql, sizeof sql);
    table("b", b_parts, b, sql, sizeof sql);
    size_t n = strlen(sql);
    bool parts = a_parts || b_parts;
    n += (size_t)snprintf(sql + n, sizeof sql - n,
                          "create view x as select ts, dur%s, va from a; create view y as select "
                          "ts, dur%s, vb from b;"
                          "create virtual table j using %s(x%s, y%s);",
                          a_parts ? ", p" : "", b_parts ? ", p" : "", names[join],
                          a_parts ? " PARTITIONED p" : "", b_parts ? " partitioned p" : "");
    snprintf(sql + n, sizeof sql - n, "select ts, dur%s, va, vb from j order by %s ts",
             parts ? ", p" : "", parts ? "p, " : "");
    char *fast = asked(query, sql), *wanted = slow(a, b, join, parts);
    ck_assert_str_eq(fast, wanted);
    free(fast);
    free(wanted);
    fast = asked(query, "drop table j; drop view x; drop view y; drop table a; drop table b");
    ck_assert_str_eq(fast, "");
    free(fast);
}

START_TEST(joins_equal_a_reading_of_each_nanosecond) {
    struct trace *trace = loaded_fixture("every_kind");
    struct err err;
    struct query *query = query_new(trace, &(struct query_options){0}, &err);
    for (int set = 0; set < 60; set++) {
        hold(query, set % 2 ? LEFT : INNER, true, true);
        hold(query, set % 2 ? LEFT : INNER, true, false);
        hold(query, INNER, false, true);
        hold(query, set % 2 ? LEFT : INNER, false, false);
        hold(query, OUTER, set % 2, set % 2);
        hold(query, set % 2 ? LEFT : OUTER, false, true);
        hold(query, OUTER, true, false);
    }
    query_free(query);
    trace_free(trace);
}
END_TEST

/* ---- rows of no length ---- */

#define LONGEST 60 /* rows and gaps of a partition */

static char thrown[20000]; /* the statements that make both tables */

struct stretch {
    int ts, end, value; /* value 0: a gap */
};

/* Random rows that do not overlap, some of no length, and the gaps between them. Returns their
 * number. */
static int with_gaps(const char *name, int part, int *number, bool gaps,
                     struct stretch out[LONGEST]) {
    size_t n = strlen(thrown);
    int count = 0, end = 0;
    bool any = below(&chance, 5) > 0;
    for (int t = (int)below(&chance, 4); any && t < TIMES;) {
        int dur = below(&chance, 2) ? 0 : (int)below(&chance, 6);
        n += (size_t)snprintf(thrown + n, sizeof thrown - n,
                              "insert into %s values (%d, %d, %d, %d);", name, t, dur, part,
                              ++*number);
        if (gaps && t > end)
            out[count++] = (struct stretch){end, t, 0};
        out[count++] = (struct stretch){t, end = t + dur, *number};
        t += dur + (int)below(&chance, 3) * (int)below(&chance, 3);
    }
    if (gaps)
        out[count++] = (struct stretch){end, 1000, 0};
    return count;
}

static bool is_long(const struct stretch *s) {
    return s->ts < s->end;
}

static bool meets(const struct stretch *a, const struct stretch *b) {
    return (a->value || b->value) &&
           ((a->value && b->value && a->ts == b->ts) || (a->ts >= b->ts && a->ts < b->end) ||
            (b->ts >= a->ts && b->ts < a->end));
}

/* No row of no length is lost that begins with a long stretch of the other side or is in one. */
static void none_is_lost(const struct stretch *a, int na, const bool *shown,
                         const struct stretch *b, int nb) {
    for (int i = 0; i < na; i++)
        for (int k = 0; k < nb && a[i].value && !is_long(&a[i]); k++)
            ck_assert_msg(shown[i] || !is_long(&b[k]) || !meets(&a[i], &b[k]), "%s:\n%d", thrown,
                          a[i].value);
}

/* The one that ends first is passed: of equal ends one with a length, then a gap, else that of b.
 * Two that overlap make a row. */
static void join_lists(const struct stretch *a, int na, const struct stretch *b, int nb, int part,
                       FILE *out) {
    bool shown_a[LONGEST] = {false}, shown_b[LONGEST] = {false};
    for (int i = 0, k = 0; i < na && k < nb;) {
        int from = a[i].ts > b[k].ts ? a[i].ts : b[k].ts,
            to = a[i].end < b[k].end ? a[i].end : b[k].end;
        if (meets(&a[i], &b[k])) {
            fprintf(out, "%d|%d|%d|", from, to - from, part);
            fprintf(out, a[i].value ? "%d|" : "|", a[i].value);
            fprintf(out, b[k].value ? "%d\n" : "\n", b[k].value);
            shown_a[i] = shown_b[k] = true;
        }
        bool tie = a[i].end == b[k].end, gap = !a[i].value && b[k].value;
        if (a[i].end < b[k].end || (tie && is_long(&a[i]) && (gap || !is_long(&b[k]))))
            i++;
        else
            k++;
    }
    none_is_lost(a, na, shown_a, b, nb);
    none_is_lost(b, nb, shown_b, a, na);
}

static void hold_no_length(struct query *query, enum join join) {
    static const char *const names[] = {"span_join", "span_left_join", "span_outer_join"};
    char *wanted = NULL;
    size_t size;
    FILE *out = open_memstream(&wanted, &size);
    int number = 0;
    snprintf(thrown, sizeof thrown,
             "create table x (ts int, dur int, p int, va int); create table y (ts int, dur int, "
             "p int, vb int);");
    for (int part = 0; part < PARTS; part++) {
        struct stretch a[LONGEST], b[LONGEST];
        int na = with_gaps("x", part, &number, join == OUTER, a);
        int nb = with_gaps("y", part, &number, join != INNER, b);
        join_lists(a, na, b, nb, part, out);
    }
    fclose(out);
    size_t n = strlen(thrown);
    snprintf(thrown + n, sizeof thrown - n,
             "create virtual table j using %s(x partitioned p, y partitioned p); select ts, dur, "
             "p, va, vb from j",
             names[join]);
    char *fast = asked(query, thrown);
    ck_assert_msg(strcmp(fast, wanted) == 0, "%s:\n%s, not\n%s", thrown, fast, wanted);
    free(fast);
    free(wanted);
    fast = asked(query, "drop table j; drop table x; drop table y");
    ck_assert_str_eq(fast, "");
    free(fast);
}

/* A row inside of another one of its table, which should not be, has no gap after it. */
START_TEST(a_row_in_another_makes_no_gap) {
    static const char *const names[] = {"span_left_join", "span_outer_join"};
    struct trace *trace = loaded_fixture("every_kind");
    struct err err;
    struct query *query = query_new(trace, &(struct query_options){0}, &err);
    for (int k = 0; k < 4; k++) {
        char sql[600];
        const char *parts = k / 2 ? " partitioned p" : "";
        snprintf(sql, sizeof sql,
                 "create table a as select 0 ts, 20 dur, 1 p union all select 0, 30, 2;"
                 "create table b as select 0 ts, 10 dur, 1 p, 'x' v union all select 5, 0, 1, 'i' "
                 "union all select 6, 2, 1, 'n' union all select 10, 5, 1, 'y';"
                 "create view a1 as select ts, dur%s from a where p = 1;"
                 "create view b1 as select ts, dur%s, v from b;"
                 "create virtual table j using %s(a1%s, b1%s);"
                 "select ts, dur, v from j where ts between 0 and 19",
                 k / 2 ? ", p" : "", k / 2 ? ", p" : "", names[k % 2], parts, parts);
        char *fast = asked(query, sql);
        MUST(strcmp(fast, "0|10|x\n5|0|i\n6|2|n\n10|5|y\n15|5|\n") == 0, k);
        free(fast);
        fast = asked(query, "drop table j; drop view a1; drop view b1; drop table a; drop table b");
        ck_assert_str_eq(fast, "");
        free(fast);
    }
    query_free(query);
    trace_free(trace);
}
END_TEST

START_TEST(rows_of_no_length_stay) {
    struct trace *trace = loaded_fixture("every_kind");
    struct err err;
    struct query *query = query_new(trace, &(struct query_options){0}, &err);
    for (int set = 0; set < 150; set++)
        hold_no_length(query, (enum join)(set % 3));
    query_free(query);
    trace_free(trace);
}
END_TEST

START_TEST(faults_are_sentences) {
    struct trace *trace = loaded_fixture("every_kind");
    static const char *const faults[][2] = {
        {"create virtual table j using span_join(slice)", "SPAN_JOIN wants two tables"},
        {"create virtual table j using span_join(slice, nosuch)",
         "SPAN_JOIN: no such table: nosuch"},
        {"create virtual table j using span_join(slice, thread)",
         "SPAN_JOIN: thread has no column ts"},
        {"create virtual table j using span_join(slice partitioned nosuch, sched)",
         "SPAN_JOIN: slice has no column nosuch"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        char *text = asked_once(trace, faults[i][0]);
        ck_assert_msg(strstr(text, faults[i][1]) != NULL, "%s\n%s", faults[i][0], text);
        free(text);
    }
    trace_free(trace);
}
END_TEST

/* A table without partitions is in each one that the other has: in none of an empty table. */
START_TEST(one_table_alone_may_have_partitions) {
    static const char *const joins[][2] = {
        {"span_outer_join(b partitioned p, a)",
         "-9223372036854775808|0|3|a|\n-9223372036854775808|3|4|a|B\n"
         "-9223372036854775808|7|3|a|\n9223372036854775807|0|10|a|\n"
         "9223372036854775807|20|-1||C\n"},
        {"span_left_join(a, b partitioned p)",
         "-9223372036854775808|0|3|a|\n-9223372036854775808|3|4|a|B\n"
         "-9223372036854775808|7|3|a|\n9223372036854775807|0|10|a|\n"},
        {"span_outer_join(none partitioned p, a)", ""},
        {"span_left_join(a, none partitioned p)", ""},
    };
    struct trace *trace = loaded_fixture("every_kind");
    for (size_t i = 0; i < sizeof joins / sizeof *joins; i++) {
        char sql[600];
        snprintf(
            sql, sizeof sql,
            "create table a (ts int, dur int, v text); create table b (ts int, dur int, p int, w "
            "text);"
            "create table none (ts int, dur int, p int, w text); insert into a values (0, 10, 'a');"
            "insert into b values (3, 4, -9223372036854775808, 'B'), (20, -1, 9223372036854775807, "
            "'C');"
            "create virtual table j using %s; select p, ts, dur, v, w from j",
            joins[i][0]);
        char *text = asked_once(trace, sql);
        ck_assert_msg(strcmp(text, joins[i][1]) == 0, "%s\n%s", joins[i][0], text);
        free(text);
    }
    trace_free(trace);
}
END_TEST

/* Parts that only one table has, rows of no length and without an end. */
START_TEST(outer_joins_have_the_rows_of_both) {
    struct trace *trace = loaded_fixture("every_kind");
    char *text = asked_once(
        trace, "create table a (ts int, dur int, p int, v text); create table b (ts int, dur int, "
               "p int, w text);"
               "insert into a values (0, 10, 1, 'a'), (4, 0, 2, 'b'), (20, -1, 2, 'c'), (5, 5, "
               "9223372036854775807, 'd');"
               "insert into b values (-5, 7, -9223372036854775808, 'A'), (10, 5, 1, 'B'), (30, 5, "
               "2, 'C'), (40, -1, 2, 'D');"
               "create virtual table j using span_outer_join(a partitioned p, b partitioned p);"
               "select ts, dur, p, v, w from j");
    ck_assert_str_eq(text, "-5|7|-9223372036854775808||A\n0|10|1|a|\n10|5|1||B\n4|0|2|b|\n20|10|2|"
                           "c|\n30|5|2|c|C\n35|5|2|c|\n"
                           "40|-1|2|c|D\n5|5|9223372036854775807|d|\n");
    free(text);
    trace_free(trace);
}
END_TEST

SUITE(span) {
    Suite *suite = suite_create("span");
    TCase *c = tcase_create("span");
    tcase_add_test(c, joins_equal_a_reading_of_each_nanosecond);
    tcase_add_test(c, one_table_alone_may_have_partitions);
    tcase_add_test(c, outer_joins_have_the_rows_of_both);
    tcase_add_test(c, rows_of_no_length_stay);
    tcase_add_test(c, a_row_in_another_makes_no_gap);
    tcase_add_test(c, faults_are_sentences);
    suite_add_tcase(suite, c);
    return suite;
}
