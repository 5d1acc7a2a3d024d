/* suite_rows.c - constraints and orders that the rows answer, against the same query in which
 * SQLite does all of it.
 *
 * A unary plus before a column takes its constraint away from the rows. Traces, constraints and
 * values are random. */
#include "sql/query.h"

#include "tests/unit/lib/loaded.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/lib/thrown.h"
#include "tests/unit/lib/thrown_sched.h"
#include "tests/unit/sql/asked.h"

static struct chance chance = {4711};

static const struct asked_table {
    const char *name, *columns[6];
} tables[] = {
    {"slice", {"id", "ts", "dur", "track_id", "depth", "parent_id"}},
    {"thread_state", {"id", "ts", "dur", "utid"}},
    {"sched", {"id", "ts", "dur", "cpu"}},
    {"counter", {"id", "ts", "track_id"}},
    {"thread", {"utid", "id", "upid"}},
    {"track", {"id"}},
    {"thread_track", {"id", "utid"}},
    {"process", {"upid"}},
    {"flow", {"slice_out", "slice_in", "id"}},
    {"flow_hop", {"id", "slice_out", "slice_in", "ts"}},
    {"args", {"id", "arg_set_id"}},
    {"log", {"id", "ts", "utid"}},
    {"process_track", {"id", "upid"}},
    {"counter_track", {"id"}},
    {"process_counter_track", {"id", "upid"}},
    {"object", {"koid"}},
    {"record", {"offset", "size"}},
    {"slice_name", {"count", "total"}},
    {"thread_life", {"utid", "start_ts"}},
    {"gap", {"utid", "cpu", "ts", "dur"}},
    {"cpu", {"id", "cpu"}},
};
#define NTABLES (sizeof tables / sizeof *tables)

static int columns_of(const struct asked_table *table) {
    int n = 0;
    while (n < 6 && table->columns[n])
        n++;
    return n;
}

/* A value that is in the column, near one, or of another kind. */
static void value(struct query *query, const struct asked_table *table, const char *column,
                  char out[80]) {
    static const char *const odd[] = {"NULL",
                                      "'abc'",
                                      "x'00'",
                                      "1e300",
                                      "-1e300",
                                      "9223372036854775807",
                                      "-9223372036854775808",
                                      "9223372036854775808.0",
                                      "0.5",
                                      "-0.0",
                                      "-1"};
    char sql[200];
    if (below(&chance, 4) == 0) {
        snprintf(out, 80, "%s", odd[below(&chance, sizeof odd / sizeof *odd)]);
        return;
    }
    snprintf(sql, sizeof sql, "select %s from %s limit 1 offset %u", column, table->name,
             (unsigned)below(&chance, 60));
    char *one = asked(query, sql);
    int64_t n = strtoll(one, NULL, 10);
    free(one);
    unsigned how = (unsigned)below(&chance, 5);
    if (how < 3)
        snprintf(out, 80, "%" PRId64, n);
    else
        snprintf(out, 80, how == 3 ? "%" PRId64 ".5" : "%" PRId64 ".0", n);
}

/* The same constraints twice: for the rows, and with a plus. */
static void constraints(struct query *query, const struct asked_table *table, char pushed[600],
                        char plain[600]) {
    static const char *const ops[] = {"=", "<", "<=", ">", ">=", "="};
    size_t a = 0, b = 0;
    unsigned n = 1 + (unsigned)below(&chance, 3);
    pushed[0] = plain[0] = '\0';
    for (unsigned i = 0; i < n; i++) {
        const char *column = table->columns[below(&chance, (unsigned)columns_of(table))];
        const char *op = ops[below(&chance, 6)];
        char v[80];
        value(query, table, column, v);
        char all[300], other[80];
        value(query, table, column, other);
        switch (below(&chance, 12)) {
        case 0:
            snprintf(all, sizeof all, "is %s", v);
            break;
        case 1:
            snprintf(all, sizeof all, "is not %s", v);
            break;
        case 2:
            snprintf(all, sizeof all, "in (%s, %s)", v, other);
            break;
        case 3:
            snprintf(all, sizeof all, "between %s and %s", v, other);
            break;
        case 4:
            snprintf(all, sizeof all, "!= %s", v);
            break;
        default:
            snprintf(all, sizeof all, "%s %s", op, v);
        }
        a += (size_t)snprintf(pushed + a, 600 - a, "%s %s %s", i ? " and" : " where", column, all);
        b += (size_t)snprintf(plain + b, 600 - b, "%s +%s %s", i ? " and" : " where", column, all);
    }
    if (strcmp(table->name, "slice") == 0 && below(&chance, 3) == 0) {
        static const char *const names[] = {
            "name = 'a'",           "name = 'b'",  "name glob '*'",     "name like '%A%'",
            "name regexp '^[a-c]'", "name = NULL", "name in ('a', 'c')"};
        const char *name = names[below(&chance, 7)];
        snprintf(pushed + a, 600 - a, " and %s", name);
        snprintf(plain + b, 600 - b, " and +%s", name);
    }
}

static void same(struct query *query, const char *a, const char *b) {
    char *x = asked(query, a), *y = asked(query, b);
    ck_assert_msg(strncmp(x, "error: ", 7) != 0, "%s\n%s", a, x);
    if (strcmp(x, y) != 0)
        ck_abort_msg("%s\n%.300s\n%s\n%.300s", a, x, b, y);
    free(x);
    free(y);
}

static void hold_constraints(struct query *query) {
    for (int k = 0; k < 60; k++) {
        const struct asked_table *table = &tables[below(&chance, NTABLES)];
        char pushed[600], plain[600], a[800], b[800];
        constraints(query, table, pushed, plain);
        snprintf(a, sizeof a, "select %s from %s%s order by +%s", table->columns[0], table->name,
                 pushed, table->columns[0]);
        snprintf(b, sizeof b, "select %s from %s%s order by +%s", table->columns[0], table->name,
                 plain, table->columns[0]);
        same(query, a, b);
    }
}

static void hold_orders(struct query *query) {
    static const char *const orders[][2] = {
        {"select ts from slice%s order by ts", "select ts from slice%s order by +ts"},
        {"select ts from slice%s order by ts desc", "select ts from slice%s order by +ts desc"},
        {"select name from slice%s order by name", "select name from slice%s order by +name"},
        {"select name, track_id from slice%s order by name, track_id",
         "select name, track_id from slice%s order by +name, +track_id"},
        {"select name, count(*), sum(dur) from slice%s group by name order by +name",
         "select name, count(*), sum(dur) from slice%s group by +name order by +name"},
        {"select track_id, name, count(*) from slice%s group by track_id, name order by +track_id, "
         "+name",
         "select track_id, name, count(*) from slice%s group by +track_id, +name order by "
         "+track_id, +name"},
        {"select distinct name from slice%s order by +name",
         "select distinct +name from slice%s order by +name"},
        {"select track_id, max(dur) from slice%s group by track_id order by +track_id",
         "select track_id, max(dur) from slice%s group by +track_id order by +track_id"},
        {"select dur, ts, id from slice%s order by dur desc, ts, id limit 7",
         "select dur, ts, id from slice%s order by +dur desc, +ts, +id limit 7"},
        {"select dur, id from slice%s order by dur, id desc limit 3 offset 2",
         "select dur, id from slice%s order by +dur, +id desc limit 3 offset 2"},
        {"select depth, ts, id from slice%s order by depth desc, ts, id limit 5",
         "select depth, ts, id from slice%s order by +depth desc, +ts, +id limit 5"},
        {"select name, utid from thread order by name, utid",
         "select name, utid from thread order by +name, +utid"},
        {"select name from thread order by name", "select name from thread order by +name"},
        {"select distinct name from process order by name",
         "select distinct +name from process order by +name"},
        {"select t.name, count(*), sum(s.dur) from slice s join thread_track k on s.track_id = "
         "k.id join thread t using "
         "(utid) group by t.name order by +t.name",
         "select t.name, count(*), sum(s.dur) from slice s join thread_track k on s.track_id = "
         "+k.id join thread t on "
         "+t.utid = k.utid group by +t.name order by +t.name"},
        {"select p.name, t.name, count(*) from process p join thread t using (upid) group by "
         "p.name, t.name order by "
         "+p.name, +t.name",
         "select p.name, t.name, count(*) from process p join thread t on +t.upid = +p.upid group "
         "by +p.name, +t.name "
         "order by +p.name, +t.name"},
        {"select id from slice%s order by id", "select id from slice%s order by +id"},
        {"select ts from thread_state order by ts", "select ts from thread_state order by +ts"},
        {"select ts, id from counter order by ts, id limit 4",
         "select ts, id from counter order by +ts, +id limit 4"},
    };
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        char pushed[600], plain[600], a[1000], b[1000];
        bool where = strstr(orders[i][0], "%s") != NULL && below(&chance, 2) == 0;
        constraints(query, &tables[0], pushed, plain);
        const char *hole = strstr(orders[i][0], "%s"), *other = strstr(orders[i][1], "%s");
        if (hole) {
            snprintf(a, sizeof a, "%.*s%s%s", (int)(hole - orders[i][0]), orders[i][0],
                     where ? pushed : "", hole + 2);
            snprintf(b, sizeof b, "%.*s%s%s", (int)(other - orders[i][1]), orders[i][1],
                     where ? plain : "", other + 2);
            same(query, a, b);
        } else {
            same(query, orders[i][0], orders[i][1]);
        }
    }
}

/* GROUP BY, DISTINCT and ORDER BY of the same terms in each direction: SQLite asks the rows for
 * both at once. */
static void hold_groups(struct query *query) {
    static const struct {
        const char *table, *first, *second; /* NULL: one term */
    } terms[] = {
        {"slice", "name", NULL},        {"slice", "track_id", NULL},
        {"slice", "name", "track_id"},  {"slice", "track_id", "name"},
        {"thread", "name", NULL},       {"process", "name", NULL},
        {"thread_state", "utid", NULL}, {"counter", "track_id", NULL},
        {"sched", "cpu", NULL},         {"slice", "ts", NULL},
    };
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++)
        for (unsigned way = 0; way < (terms[i].second ? 4 : 2); way++) {
            const char *table = terms[i].table, *a = terms[i].first, *b = terms[i].second;
            const char *down = way & 1 ? " desc" : "", *then = way & 2 ? " desc" : "";
            char list[80], order[160], plain[160], x[600], y[600];
            snprintf(list, sizeof list, "%s%s%s", a, b ? ", " : "", b ? b : "");
            snprintf(order, sizeof order, "%s%s%s%s%s", a, down, b ? ", " : "", b ? b : "",
                     b ? then : "");
            snprintf(plain, sizeof plain, "+%s%s%s%s%s", a, down, b ? ", +" : "", b ? b : "",
                     b ? then : "");
            snprintf(x, sizeof x, "select %s, count(*) from %s group by %s order by %s", list,
                     table, list, order);
            snprintf(y, sizeof y, "select %s, count(*) from %s group by +%s order by %s", list,
                     table, list, plain);
            same(query, x, y);
            snprintf(x, sizeof x, "select distinct %s from %s order by %s", list, table, order);
            snprintf(y, sizeof y, "select %s from %s group by +%s order by %s", list, table, list,
                     plain);
            same(query, x, y);
            snprintf(x, sizeof x, "select %s, count(*) n from %s group by %s order by n%s, %s",
                     list, table, list, then, order);
            snprintf(y, sizeof y, "select %s, count(*) n from %s group by +%s order by n%s, %s",
                     list, table, list, then, plain);
            same(query, x, y);
            snprintf(x, sizeof x, "select %s from %s order by %s", list, table, order);
            snprintf(y, sizeof y, "select %s from %s order by %s", list, table, plain);
            same(query, x, y);
        }
}

/* ---- sums ---- */

static const struct {
    const char *table, *groups[5], *values[7];
} summed[] = {
    {"slice",
     {"name", "track_id", "name, track_id", "track_id, name", NULL},
     {"dur", "ts", "id", "depth", "track_id", "name", "category"}},
    {"slices", {"name", "track_id", NULL}, {"dur", "slice_id", "ts", "dur", "parent_id", "dur"}},
    {"sched",
     {"cpu", "utid", "ucpu", "utid, cpu", "cpu, utid"},
     {"dur", "ts", "cpu", "id", "priority", "utid"}},
    {"thread_state", {"utid", "cpu", "state", NULL}, {"dur", "ts", "id", "utid", "state", "dur"}},
    {"counter", {"track_id", NULL}, {"value", "ts", "id", "value", "value", "track_id"}},
};
#define NSUMMED (sizeof summed / sizeof *summed)

/* The n-th result of a query of sums, and the same without batches. Some have none anyway. */
static void sum_of(const char *value, char out[120], char plain[120]) {
    static const char *const forms[] = {"count(*)",
                                        "sum(%s)",
                                        "min(%s)",
                                        "max(%s)",
                                        "avg(%s)",
                                        "total(%s)",
                                        "count(%s)",
                                        "sum(%s) / count(*)",
                                        "sum(%s * 2)",
                                        "count(distinct %s)",
                                        "sum(%s) filter (where ts > 50)",
                                        "sum(id) - sum(%s)",
                                        "group_concat(%s)",
                                        "%s",
                                        "max(%s), ts"};
    const char *form = forms[below(&chance, 4) ? below(&chance, 8) : below(&chance, 15)];
    char with[40];
    snprintf(with, sizeof with, strstr(form, "sum") ? "+%s" : "%s", value);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(out, 120, form, value);
    snprintf(plain, 120, form, with);
#pragma GCC diagnostic pop
}

static void hold_sums(struct query *query) {
    static const char *const rest[] = {"", " having count(*) > 2", " order by 2 desc, 1 limit 3",
                                       " having sum(id) > 9 order by 3"};
    for (int k = 0; k < 80; k++) {
        size_t t = below(&chance, NSUMMED);
        const char *group = below(&chance, 3) ? summed[t].groups[below(&chance, 5)] : NULL;
        char pushed[600] = "", plain[600] = "", x[2000], y[2000], one[3][120], other[3][120];
        for (int i = 0; i < 3; i++) {
            const char *value = summed[t].values[below(&chance, 7)];
            sum_of(value ? value : "dur + 1", one[i], other[i]);
        }
        if (strcmp(summed[t].table, "counter") == 0)
            for (int i = 0; i < 3; i++)
                sum_of("value", one[i], other[i]);
        for (size_t c = 0; c < NTABLES && below(&chance, 2); c++)
            if (strcmp(tables[c].name, summed[t].table) == 0)
                constraints(query, &tables[c], pushed, plain);
        const char *end = rest[group ? below(&chance, 4) : 0];
        snprintf(x, sizeof x, "select %s%s%s, %s, %s, count(*) from %s%s%s%s%s", group ? group : "",
                 group ? ", " : "", one[0], one[1], one[2], summed[t].table, pushed,
                 group ? " group by " : "", group ? group : "", end);
        snprintf(y, sizeof y, "select %s%s%s, %s, %s, count(+id) from %s%s%s%s%s",
                 group ? group : "", group ? ", " : "", other[0], other[1], other[2],
                 summed[t].table, plain, group ? " group by " : "", group ? group : "", end);
        same(query, x, y);
    }
    same(
        query,
        "with a as (select name, count(*) n, sum(dur) d from slice group by name) select * "
        "from a where n > 1 order by d, name",
        "with a as (select name, count(*) n, sum(+dur) d from slice group by name) select * from a "
        "where n > 1 order by d, name");
    same(query, "select (select count(*) from slice where id > column1) from (values (1), (7))",
         "select (select count(+id) from slice where id > column1) from (values (1), (7))");
    same(query, "select count(*), sum(dur) from slice where track_id in (1, 2, 3)",
         "select count(*), sum(+dur) from slice where track_id in (1, 2, 3)");
    same(query,
         "select name, count(*), sum(ts) from slice where track_id = 1 or dur > 5 group by 1",
         "select name, count(*), sum(+ts) from slice where track_id = 1 or dur > 5 group by 1");
}

/* Questions for times, one for each row: after some, they are answered from a list of all rows. */
static void hold_times(struct query *query) {
    static const char *const asks[][2] = {
        {"s join slice t on t.ts = s.ts", "s join slice t on +t.ts = s.ts"},
        {"s join slice t on t.ts between s.ts - 2 and s.ts + 2",
         "s join slice t on +t.ts between s.ts - 2 and s.ts + 2"},
        {"s join slice t on t.ts >= s.ts and t.track_id = s.track_id and t.name = 'n1'",
         "s join slice t on +t.ts >= s.ts and +t.track_id = s.track_id and +t.name = 'n1'"},
        {"s join slice t on t.id = (select id from slice u where u.ts < s.ts order by u.ts desc "
         "limit 1)",
         "s join slice t on t.id = (select id from slice u where +u.ts < s.ts order by +u.ts desc, "
         "+u.id desc limit 1)"},
        {"s join slice t on t.id = (select id from slice u where u.ts > s.ts order by u.ts limit "
         "1 offset 2)",
         "s join slice t on t.id = (select id from slice u where +u.ts > s.ts order by +u.ts, "
         "+u.id limit 1 offset 2)"},
    };
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        char a[600], b[600];
        snprintf(a, sizeof a, "select count(*), sum(s.id * 7 + t.id), max(t.ts) from slice %s",
                 asks[i][0]);
        snprintf(b, sizeof b, "select count(*), sum(s.id * 7 + t.id), max(t.ts) from slice %s",
                 asks[i][1]);
        same(query, a, b);
    }
    same(query, "select id from slice where ts > 20 and ts < 60",
         "select id from slice where +ts > 20 and +ts < 60 order by id");
    same(query, "select id from slice where ts > 20 and ts < 60 order by ts desc limit 5",
         "select id from slice where +ts > 20 and +ts < 60 order by +ts desc, +id desc limit 5");
}

static void hold(struct trace *trace) {
    struct err err;
    struct query *query = query_new(trace, &(struct query_options){0}, &err);
    ck_assert_msg(query != NULL, "%s", err.text);
    hold_constraints(query);
    hold_orders(query);
    hold_groups(query);
    hold_sums(query);
    hold_times(query);
    query_free(query);
    trace_free(trace);
}

START_TEST(rows_answer_what_sqlite_would) {
    for (int set = 0; set < 12; set++)
        hold(thrown_trace(&chance, 50 + (unsigned)below(&chance, 400)));
    hold(thrown_nested(&chance, 300, 5));
    hold(thrown_nested(&chance, 400, 4)); /* on more rows than are searched one by one */
    hold(thrown_far(&chance));
    for (int set = 0; set < 4; set++)
        hold(thrown_sched(&chance, 50 + (unsigned)below(&chance, 300)));
    hold(loaded_fixture("every_kind"));
}
END_TEST

/* So few instructions are not enough to look at each row. */
START_TEST(sums_are_those_of_the_index) {
    static const struct {
        const char *sql;
        bool quick;
    } asks[] = {
        {"select name, count(*), sum(dur), min(ts), max(depth), avg(id) from slice group by name",
         true},
        {"select name, total(dur) t from slice where dur > 1 and ts > 5 group by name having t > 3 "
         "order by t desc limit 5",
         true},
        {"select count(dur) from slice", true},
        {"select sum(dur) from slice where name = 'n1'", true},
        {"select track_id, count(*) from slice group by track_id", true},
        {"select track_id, name, sum(dur) from slice group by 1, 2", true},
        {"select sum(dur + 1) from slice", false},
        {"select count(distinct name) from slice", false},
        {"select name, ts, count(*) from slice group by name", false},
        {"select sum(dur) from slice where category = 'c'", false},
        {"select count(name) from slice where name = 'n0' or name = 'n1'", false},
        {"create temp table slice as select 1 id union select 2; select count(*) from slice", true},
    };
    struct err err;
    struct trace *trace = thrown_nested(&chance, 9000, 5);
    struct query *query = query_new(trace, &(struct query_options){.instructions = 3000}, &err);
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        char *answer = asked(query, asks[i].sql);
        ck_assert_msg((strstr(answer, "stopped") == NULL) == asks[i].quick, "%s\n%.300s",
                      asks[i].sql, answer);
        if (strstr(asks[i].sql, "create"))
            ck_assert_str_eq(answer, "2\n");
        free(answer);
    }
    query_free(query);
    trace_free(trace);
}
END_TEST

SUITE(rows) {
    Suite *suite = suite_create("rows");
    TCase *c = tcase_create("rows");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, rows_answer_what_sqlite_would);
    tcase_add_test(c, sums_are_those_of_the_index);
    suite_add_tcase(suite, c);
    return suite;
}
