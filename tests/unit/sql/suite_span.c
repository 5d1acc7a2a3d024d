/* suite_span.c - SPAN_JOIN, SPAN_LEFT_JOIN and SPAN_OUTER_JOIN against slow readings: nanosecond by
 * nanosecond, and pair
 * by pair where rows overlap those of their own table or have no length. */
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

/* ---- rows that overlap, or have no length ---- */

#define ROWS 20 /* of a partition */
#define LAST 40 /* no row ends later */

enum shape { APART, ONE_AT_A_TIME, ANY }; /* APART: no two rows of a table touch one time */

struct row {
    int ts, end, value;
};

struct rows {
    struct row v[ROWS], gaps[LAST + 2];
    int n, ngaps;
    bool met[ROWS];
};

struct line {
    int key[2]; /* its begin; whether it is of one row alone */
    char text[60];
};

struct lines {
    struct line v[4 * ROWS * ROWS];
    int n;
};

static char thrown[20000]; /* the statements that make both tables */

static void throw_rows(const char *name, int part, enum shape shape, int *number,
                       struct rows *out) {
    out->n = 0;
    memset(out->met, 0, sizeof out->met);
    for (int t = (int)below(&chance, 4); t < 30 && out->n < ROWS && below(&chance, 30) > 0;) {
        int dur = below(&chance, 2) ? 0 : (int)below(&chance, 8), end = t + dur;
        out->v[out->n++] = (struct row){t, end, ++*number};
        if (shape != ANY)
            t = end;
        t += shape == APART && dur == 0 ? 1 : 0;
        t += (int)below(&chance, 3) * (int)below(&chance, 3);
    }
    for (int i = 0; i < out->n; i++) { /* in any order where it does not matter */
        size_t n = strlen(thrown);
        const struct row *row = &out->v[shape == ANY ? out->n - 1 - i : i];
        snprintf(thrown + n, sizeof thrown - n, "insert into %s values (%d, %d, %d, %d);", name,
                 row->ts, row->end - row->ts, part, row->value);
    }
}

/* The gaps, time by time: a row of no length ends one and begins the next. */
static void find_gaps(struct rows *rows) {
    rows->ngaps = 0;
    bool in = false;
    for (int t = -1; t <= LAST; t++) {
        bool covered = false, point = false;
        for (int i = 0; i < rows->n; i++) {
            covered = covered || (rows->v[i].ts <= t && t < rows->v[i].end);
            point = point || (rows->v[i].ts == t && rows->v[i].end == t);
        }
        if (!covered && (!in || point))
            rows->gaps[rows->ngaps++].ts = t;
        in = !covered;
        if (in)
            rows->gaps[rows->ngaps - 1].end = t + 1;
    }
}

static bool meets(const struct row *a, const struct row *b) {
    return a->ts == b->ts || (a->ts > b->ts && a->ts < b->end) || (b->ts > a->ts && b->ts < a->end);
}

/* Value 0: none. */
static void add_line(struct lines *lines, const struct row *x, const struct row *y, int part, int a,
                     int b) {
    struct line *line = &lines->v[lines->n++];
    int from = x->ts > y->ts ? x->ts : y->ts, to = x->end < y->end ? x->end : y->end;
    *line = (struct line){.key = {from, !a || !b}};
    size_t n = (size_t)snprintf(line->text, sizeof line->text, "%d|%d|%d|", from, to - from, part);
    n += (size_t)snprintf(line->text + n, sizeof line->text - n, a ? "%d|" : "|", a);
    snprintf(line->text + n, sizeof line->text - n, b ? "%d\n" : "\n", b);
}

/* The rows of one side where the other has none. One of no length is not alone if it met any. */
static void add_alone(struct lines *lines, const struct rows *of, const struct rows *other,
                      int part, bool first) {
    for (int i = 0; i < of->n; i++)
        for (int k = 0; k < other->ngaps; k++) {
            const struct row *row = &of->v[i], *gap = &other->gaps[k];
            bool in = row->ts < gap->end && (gap->ts <= row->ts || gap->ts < row->end);
            if (in && (row->ts < row->end || !of->met[i]))
                add_line(lines, row, gap, part, first ? row->value : 0, first ? 0 : row->value);
        }
}

static int by_key(const void *a, const void *b) {
    const struct line *x = a, *y = b;
    for (int k = 0; k < 2; k++)
        if (x->key[k] != y->key[k])
            return x->key[k] < y->key[k] ? -1 : 1;
    return strcmp(x->text, y->text);
}

/* Every pair that overlaps, and what is alone. */
static void join_slowly(struct rows *a, struct rows *b, enum join join, int part, FILE *out) {
    static struct lines lines;
    lines.n = 0;
    for (int i = 0; i < a->n; i++)
        for (int k = 0; k < b->n; k++)
            if (meets(&a->v[i], &b->v[k])) {
                add_line(&lines, &a->v[i], &b->v[k], part, a->v[i].value, b->v[k].value);
                a->met[i] = b->met[k] = true;
            }
    find_gaps(a);
    find_gaps(b);
    if (join != INNER)
        add_alone(&lines, a, b, part, true);
    if (join == OUTER)
        add_alone(&lines, b, a, part, false);
    qsort(lines.v, (size_t)lines.n, sizeof *lines.v, by_key);
    for (int i = 0; i < lines.n; i++)
        fputs(lines.v[i].text, out);
}

/* The lines of an answer, those of a partition and a begin in the order of join_slowly(). */
static char *ordered(char *answer) {
    static struct lines lines;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    int part = 0;
    lines.n = 0;
    for (char *at = strtok(answer, "\n");; at = strtok(NULL, "\n")) {
        int from = 0, of = part;
        if (at)
            sscanf(at, "%d|%*d|%d", &from, &of);
        if (at == NULL || of != part || (lines.n > 0 && from != lines.v[lines.n - 1].key[0])) {
            qsort(lines.v, (size_t)lines.n, sizeof *lines.v, by_key);
            for (int i = 0; i < lines.n; i++)
                fputs(lines.v[i].text, out);
            lines.n = 0;
        }
        if (at == NULL)
            break;
        part = of;
        struct line *line = &lines.v[lines.n++];
        *line = (struct line){.key = {from, strstr(at, "||") || at[strlen(at) - 1] == '|'}};
        snprintf(line->text, sizeof line->text, "%s\n", at);
    }
    fclose(out);
    free(answer);
    return text;
}

static void hold_pairs(struct query *query, enum join join, enum shape shape) {
    static const char *const names[] = {"span_join", "span_left_join", "span_outer_join"};
    char *wanted = NULL;
    size_t size;
    FILE *out = open_memstream(&wanted, &size);
    int number = 0;
    snprintf(thrown, sizeof thrown,
             "create table x (ts int, dur int, p int, va int); create table y (ts int, dur int, "
             "p int, vb int);");
    for (int part = 0; part < PARTS; part++) {
        static struct rows a, b;
        throw_rows("x", part, shape, &number, &a);
        throw_rows("y", part, shape, &number, &b);
        join_slowly(&a, &b, join, part, out);
    }
    fclose(out);
    size_t n = strlen(thrown);
    snprintf(thrown + n, sizeof thrown - n,
             "create virtual table j using %s(x partitioned p, y partitioned p); select ts, dur, "
             "p, va, vb from j",
             names[join]);
    char *fast = asked(query, thrown);
    if (shape != APART)
        fast = ordered(fast);
    ck_assert_msg(strcmp(fast, wanted) == 0, "%s:\n%s, not\n%s", thrown, fast, wanted);
    free(fast);
    free(wanted);
    fast = asked(query, "drop table j; drop table x; drop table y");
    ck_assert_str_eq(fast, "");
    free(fast);
}

/* A row inside of another one of its table has no gap after it. */
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

START_TEST(joins_have_every_pair) {
    struct trace *trace = loaded_fixture("every_kind");
    struct err err;
    struct query *query = query_new(trace, &(struct query_options){0}, &err);
    for (int set = 0; set < 270; set++)
        hold_pairs(query, (enum join)(set % 3), (enum shape)(set / 3 % 3));
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
        {"create table a as select 0 ts, 9 dur, 1.0 p; create view b as select ts, dur, 'x' p from "
         "a; create virtual table j using span_join(a partitioned p, b partitioned p); select * "
         "from j",
         "SPAN_JOIN: a partition is no integer"},
        {"create table a as select 0 ts, 9 dur, 1.0 p; create virtual table j using span_join(a "
         "partitioned p, a partitioned p); select * from j",
         "0|9|1\n"},
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
    tcase_add_test(c, joins_have_every_pair);
    tcase_add_test(c, a_row_in_another_makes_no_gap);
    tcase_add_test(c, faults_are_sentences);
    suite_add_tcase(suite, c);
    return suite;
}
