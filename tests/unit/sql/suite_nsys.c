/* suite_nsys.c - databases of Nsight Systems: each row is there once, whatever the tables lack, and
 * no database makes the importer run on or read a view. */
#include <check.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/output/ndjson.h"
#include "model/trace/trace.h"
#include "src/import/importers.h"
#include "src/import/tables/nsys.h"
#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/unit/lib/suites.h"

/* The bytes of the database that SQL makes; the caller frees them. */
static struct str made(const char *sql) {
    sqlite3 *db;
    char *why = NULL;
    sqlite3_int64 n = 0;
    ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
    sqlite3_exec(db, "pragma page_size = 512", NULL, NULL, NULL);
    ck_assert_msg(sqlite3_exec(db, sql, NULL, NULL, &why) == SQLITE_OK, "%s in %s", why, sql);
    unsigned char *bytes = sqlite3_serialize(db, "main", &n, 0);
    char *copy = malloc((size_t)n);
    memcpy(copy, bytes, (size_t)n);
    sqlite3_free(bytes);
    sqlite3_close(db);
    return (struct str){copy, (size_t)n};
}

/* Its trace as text; or why it is refused. */
static char *exported(struct str bytes) {
    char path[SCRATCH_PATH], *out = NULL;
    struct err err;
    size_t n = 0;
    ck_assert(scratch_write(path, "nsys", bytes.s, bytes.n));
    struct trace *trace =
        trace_open(path, &(struct trace_options){.file.importers = importers}, &err);
    FILE *f = open_memstream(&out, &n);
    if (trace) {
        trace_load(trace);
        ck_assert(export_ndjson(trace, f));
        trace_free(trace);
    } else {
        fputs(err.text, f);
    }
    fclose(f);
    unlink(path);
    return out;
}

static char *of_sql(const char *sql) {
    struct str bytes = made(sql);
    char *out = exported(bytes);
    free((char *)bytes.s);
    return out;
}

static char *file_text(const char *name) {
    char path[700];
    const char *dir = getenv("srcdir");
    snprintf(path, sizeof path, "%s/tests/import/%s", dir ? dir : ".", name);
    FILE *f = fopen(path, "rb");
    ck_assert_msg(f != NULL, "%s", path);
    char *v = malloc(1 << 18);
    v[fread(v, 1, (1 << 18) - 1, f)] = '\0';
    fclose(f);
    return v;
}

/* The lines after the first, which names the file. */
START_TEST(each_table_becomes_its_part) {
    char *sql = file_text("nsys.sql"), *want = file_text("nsys.sql.ndjson"), *got = of_sql(sql);
    const char *rest = strchr(got, '\n');
    ck_assert_ptr_nonnull(rest);
    ck_assert_str_eq(rest + 1, want);
    free(sql);
    free(want);
    free(got);
}
END_TEST

#define STRINGS                                                                                    \
    "create table StringIds(id integer primary key, value); insert into StringIds values (1, "     \
    "'a');"
#define RUNTIME                                                                                    \
    "create table CUPTI_ACTIVITY_KIND_RUNTIME(start, end, globalTid, correlationId, nameId);"
#define OSRT "create table OSRT_API(start, end, globalTid, nameId);"
#define WALL                                                                                       \
    "create table TARGET_INFO_SESSION_START_TIME(utcEpochNs); insert into "                        \
    "TARGET_INFO_SESSION_START_TIME values (1700000000000000000);"

static const struct {
    const char *sql, *said, *not_said;
} hostile[] = {
    {"create table a(x); create table b(y)", "an SQLite database with tables a, b: sqlite3 -header",
     NULL},
    {STRINGS "create table other(x)", "an SQLite database with tables StringIds, other: ", NULL},
    {STRINGS "create view OSRT_API as select 1 as start, 2 as end, 3 as globalTid, 1 as nameId",
     "an SQLite database with tables StringIds: ", NULL},
    {"create view StringIds as select 1 as id, 'a' as value;" OSRT,
     "an SQLite database with tables OSRT_API: ", NULL},
    {STRINGS OSRT, "\"message\":\"no events\"", "\"type\":\"slice\""},
    {STRINGS OSRT "insert into OSRT_API values (5, 6, 16777217, 1)",
     "\"type\":\"slice\",\"id\":0,\"pid\":1,\"tid\":1,\"cat\":\"osrt\",\"name\":\"a\",\"ts\":0,"
     "\"dur\":1,",
     "problem"},
    {STRINGS OSRT "insert into OSRT_API values (-5, 6, 16777217, 1), (7, 8, 16777217, 1)",
     "OSRT_API: row 1: a time that cannot be", NULL},
    {WALL STRINGS OSRT "insert into OSRT_API values (-5, 6, 16777217, 1), (7, 8, 16777217, 1)",
     "\"ts\":0,\"dur\":11,", "problem"},
    {WALL STRINGS OSRT "insert into OSRT_API values (9223372036854775807, 6, 16777217, 1)",
     "OSRT_API: row 1: a time that cannot be", NULL},
    {WALL STRINGS OSRT "insert into OSRT_API values (1, 9223372036854775807, 16777217, 1)",
     "OSRT_API: row 1: an end that cannot be", NULL},
    {STRINGS OSRT "insert into OSRT_API values ('x', 6, 16777217, 1), (2.5, 3, 4, 5)",
     "OSRT_API: row 1: a time that cannot be", NULL},
    {STRINGS OSRT "insert into OSRT_API values (7, 6, 16777217, 1)",
     "OSRT_API: row 1: it ends before it begins", NULL},
    {STRINGS OSRT "insert into OSRT_API values (7, 8, null, 1)",
     "1 rows name no process: they are in process 0", NULL},
    {STRINGS OSRT "insert into OSRT_API values (7, 8, 16777217, 2)",
     "OSRT_API: row 1: a name that StringIds lacks", NULL},
    {STRINGS OSRT "insert into OSRT_API values (7, 8, 16777217, x'00ff')", "\"name\":\"OSRT_API\"",
     NULL},
    {STRINGS OSRT "insert into StringIds values (2, printf('%.*c', 40000, 'x'));"
                  "insert into OSRT_API values (7, 8, 16777217, 2)",
     "StringIds: row 2: a text of more than 32000 bytes: cut", NULL},
    {STRINGS "create table OSRT_API(s, start generated always as (s + 1), end, globalTid, nameId);"
             "insert into OSRT_API(s, end) values (1, 2)",
     "OSRT_API: row 1: no time of the begin", NULL},
    {STRINGS OSRT "create trigger t after insert on OSRT_API begin insert into OSRT_API values "
                  "(2, 3, 16777217, 1); end; pragma recursive_triggers = 1;"
                  "create index i on OSRT_API(start) where abs(-9223372036854775808 + start) > 0;"
                  "insert into OSRT_API select 7, 8, 16777217, 1 where 0",
     "\"message\":\"no events\"", NULL},
    {STRINGS OSRT "create table \"a\"\"b; drop\"(start); insert into \"a\"\"b; drop\" values (1)",
     "a\\\"b; drop: 1 rows have no meaning here", NULL},
    {STRINGS "create table SCHED_EVENTS(start, cpu, isSchedIn, globalTid);"
             "insert into SCHED_EVENTS values (1, 70000, 1, 16777217)",
     "SCHED_EVENTS: row 1: no CPU, no thread or no direction", NULL},
    {STRINGS "create table COMPOSITE_EVENTS(id, start, globalTid);"
             "create table SAMPLING_CALLCHAINS(id, symbol, stackDepth);"
             "insert into COMPOSITE_EVENTS values (1, 1, 16777217), (1, 2, 16777217);"
             "insert into SAMPLING_CALLCHAINS values (1, 1, 0), (null, null, null)",
     "SAMPLING_CALLCHAINS: row 1: no sample", NULL},
};

START_TEST(what_is_wrong_is_named) {
    char *got = of_sql(hostile[_i].sql);
    ck_assert_msg(strstr(got, hostile[_i].said), "%s:\n%s", hostile[_i].sql, got);
    ck_assert_msg(!hostile[_i].not_said || !strstr(got, hostile[_i].not_said), "%s:\n%s",
                  hostile[_i].sql, got);
    free(got);
}
END_TEST

/* Rows of nothing but NULL, in tables with all columns. */
START_TEST(nothing_may_be_there) {
    char *sql = file_text("nsys.sql"), *rest = NULL;
    size_t n;
    char *nulls = NULL;
    FILE *f = open_memstream(&nulls, &n);
    for (char *part = strtok_r(sql, ";", &rest); part; part = strtok_r(NULL, ";", &rest)) {
        char *table = strstr(part, "create table ");
        if (table == NULL)
            continue;
        fprintf(f, "%s;",
                strstr(table, "StringIds") ? "create table StringIds(id integer, value text)"
                                           : table);
        table += strlen("create table ");
        fprintf(f, "insert into %.*s default values;", (int)strcspn(table, "("), table);
    }
    fclose(f);
    char *got = of_sql(nulls);
    ck_assert_msg(strstr(got, "\"type\":\"end\""), "%s", got);
    ck_assert_msg(strstr(got, "\"kind\":\"damaged_time\",\"count\":9,"), "%s", got);
    ck_assert_ptr_null(strstr(got, "\"open\":true"));
    free(nulls);
    free(got);
    free(sql);
}
END_TEST

/* ---- damage ---- */

struct words {
    size_t n, cases;
    uint64_t sum;
};

/* Runs the importer alone. piece: bytes at a time. */
static struct words run(struct str source, size_t piece, bool give_up) {
    struct words all = {0};
    struct import_news news;
    void *import = nsys.start();
    for (size_t at = 0; at <= source.n; at += piece) {
        size_t n = piece < source.n - at ? piece : source.n - at;
        bool last = at + piece > source.n;
        nsys.step(import, (struct str){source.s + at, n}, last, &news);
        for (bool again = true; again;) {
            ck_assert_uint_eq(news.words.n % 8, 0);
            all.n += news.words.n;
            all.cases += news.ncases;
            for (size_t i = 0; i < news.words.n; i++)
                all.sum = all.sum * 31 + (unsigned char)news.words.s[i];
            for (size_t i = 0; i < news.ncases; i++)
                free(news.cases[i].why);
            if (give_up)
                atomic_store(news.give_up, true);
            again = news.more;
            if (again)
                nsys.step(import, STR(""), last, &news);
        }
    }
    nsys.stop(import);
    return all;
}

START_TEST(words_are_the_same_in_any_pieces) {
    char *sql = file_text("nsys.sql");
    struct str bytes = made(sql);
    struct words whole = run(bytes, bytes.n + 1, false);
    static const size_t pieces[] = {1, 7, 4096};
    ck_assert_uint_gt(whole.n, 1000);
    for (size_t i = 0; i < 3; i++) {
        struct words parts = run(bytes, pieces[i], false);
        ck_assert_uint_eq(parts.n, whole.n);
        ck_assert(parts.sum == whole.sum && parts.cases == whole.cases);
    }
    free((char *)bytes.s);
    free(sql);
}
END_TEST

/* Any bytes may be others, and the file may end anywhere. */
START_TEST(damage_ends_in_problems) {
    struct chance chance = {(uint64_t)_i + 1};
    char *sql = file_text("nsys.sql");
    struct str bytes = made(sql);
    char *v = (char *)bytes.s, *kept = malloc(bytes.n);
    memcpy(kept, v, bytes.n);
    for (int k = 0; k < 100; k++) {
        size_t n = below(&chance, 4) == 0 ? 16 + below(&chance, bytes.n - 16) : bytes.n;
        for (uint64_t flips = below(&chance, 20); flips > 0; flips--) {
            size_t page = below(&chance, bytes.n / 512) * 512;
            size_t at = page + (below(&chance, 2) ? below(&chance, 40) : below(&chance, 512));
            v[at < 16 ? 16 : at] = (char)chance_next(&chance);
        }
        struct words all = run((struct str){v, n}, n + 1, false);
        ck_assert_uint_lt(all.n, 64 * bytes.n);
        memcpy(v, kept, bytes.n);
    }
    free(kept);
    free(v);
    free(sql);
}
END_TEST

static uint32_t four(const unsigned char *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void set_four(unsigned char *p, size_t n) {
    for (int i = 3; i >= 0; i--, n >>= 8)
        p[i] = (unsigned char)n;
}

/* Has all children of an interior page be one page; returns how many there are. */
static size_t set_children(unsigned char *page, size_t child) {
    size_t cells = (size_t)page[3] << 8 | page[4];
    for (size_t i = 0; i < cells; i++)
        set_four(page + ((size_t)page[12 + 2 * i] << 8 | page[13 + 2 * i]), child);
    set_four(page + 8, child);
    return cells + 1;
}

/* A tree of few pages, each of them below the one before many times, or in a circle. */
START_TEST(a_tree_without_end_ends) {
    struct str bytes =
        made(STRINGS OSRT "with recursive n(i) as (select 0 union all select i + 1 from n where "
                          "i < 20000) insert into OSRT_API select i * 10, i * 10 + 5, "
                          "16777217, 1 from n");
    unsigned char *v = (unsigned char *)(char *)bytes.s;
    size_t pages[16], n = 0, leaf = 0, rows = 1, count = bytes.n / 512;
    bool *below = calloc(count + 1, 1);
    for (size_t i = 1; i < count; i++)
        if (v[512 * i] == 5)
            for (size_t k = 0; k < ((size_t)v[512 * i + 3] << 8 | v[512 * i + 4]); k++) {
                size_t cell =
                    512 * i + ((size_t)v[512 * i + 12 + 2 * k] << 8 | v[512 * i + 13 + 2 * k]);
                below[four(v + cell) % count] = true;
                leaf = four(v + cell) % count;
            }
    for (int pass = 0; pass < 2; pass++) /* the root, then those below it */
        for (size_t i = 1; i < count; i++)
            if (v[512 * i] == 5 && below[i + 1] == (pass == 1) && n < 8)
                pages[n++] = i;
    while (v[512 * (leaf - 1)] != 13)
        leaf--;
    ck_assert_uint_eq(n, 8);
    for (size_t i = 0; i < n; i++) {
        size_t next = i + 1 < n ? pages[i + 1] + 1 : leaf;
        rows *= set_children(v + 512 * pages[i], _i == 1 ? pages[0] + 1 : next);
    }
    ck_assert_uint_gt(rows, 1000 * bytes.n);
    ck_assert_uint_lt(run(bytes, bytes.n + 1, false).n, 16 * bytes.n);
    free(below);
    free(v);
}
END_TEST

START_TEST(a_sort_is_given_up) {
    struct str bytes = made(STRINGS "create table SCHED_EVENTS(start, cpu, isSchedIn, globalTid);"
                                    "with recursive n(i) as (select 0 union all select i + 1 from "
                                    "n where i < 30000) insert into SCHED_EVENTS select "
                                    "i * 7919 % 30011, 1, i % 2, 16777217 from n");
    struct words all = run(bytes, bytes.n + 1, false), less = run(bytes, 4096, true);
    ck_assert_uint_gt(all.n, 30000 * 16);
    ck_assert_uint_lt(less.n, 10000);
    free((char *)bytes.s);
}
END_TEST

/* ---- any rows ---- */

#define ROWS 400

static char *wanted[ROWS], *seen[ROWS];
static uint64_t calls[ROWS], flows; /* by correlation: the pid + 1 */

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A row of a table, and the slice that it is. */
static size_t add_row(struct chance *c, FILE *sql, size_t i, uint64_t *clock) {
    static const char *const gpu[] = {"KERNEL", "MEMCPY", "MEMSET"};
    static const char *const named[] = {"n0", "memcpy HtoD", "memset"};
    uint64_t pid = 1 + below(c, 3), tid = pid + below(c, 3), start = *clock + below(c, 50),
             dur = below(c, 50), corr = 1 + below(c, 60), name = below(c, 9), kind = below(c, 6);
    char line[200];
    if (kind < 3) {
        fprintf(sql,
                "insert into %s values(%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
                ");",
                kind == 0 ? "CUPTI_ACTIVITY_KIND_RUNTIME" : "OSRT_API", start, start + dur,
                pid << 24 | tid, corr, name);
        snprintf(line, sizeof line, "%s n%" PRIu64 " %" PRIu64 "/%" PRIu64 " %" PRIu64 "+%" PRIu64,
                 kind == 0 ? "cuda" : "osrt", name, pid, tid, start, dur);
        if (kind == 0)
            calls[corr] |= UINT64_C(1) << pid;
    } else {
        fprintf(sql,
                "insert into CUPTI_ACTIVITY_KIND_%s values(%" PRIu64 ",%" PRIu64 ",%" PRIu64
                ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",0,1);",
                gpu[kind - 3], start, start + dur, below(c, 2), below(c, 4), corr, pid << 24);
        snprintf(line, sizeof line, "%.6s %s %" PRIu64 "+%" PRIu64,
                 kind == 3 ? "kernel" : named[kind - 3], named[kind - 3], start, dur);
    }
    *clock = start + dur + 1;
    wanted[i] = strdup(line);
    return kind < 3 ? 0 : corr << 8 | pid;
}

static uint64_t number(const char *line, const char *field) {
    const char *at = strstr(line, field);
    return at ? strtoull(at + strlen(field), NULL, 10) : UINT64_MAX;
}

static char *word(const char *line, const char *field, char *to) {
    const char *at = strstr(line, field) + strlen(field);
    return memcpy(to, at, strcspn(at, "\"")), to[strcspn(at, "\"")] = '\0', to;
}

START_TEST(each_row_is_there_once) {
    struct chance chance = {(uint64_t)_i + 1};
    char *sql = NULL, name[100], cat[100], line[400], *rest = NULL;
    size_t n, work[ROWS], seen_flows = 0, n_seen = 0;
    uint64_t clock = 0;
    memset(calls, 0, sizeof calls);
    FILE *f = open_memstream(&sql, &n);
    fputs("begin;create table StringIds(id integer primary key, value text);", f);
    for (int i = 0; i < 9; i++)
        fprintf(f, "insert into StringIds values(%d, 'n%d');", i, i);
    fputs(RUNTIME "create table OSRT_API(start, end, globalTid, correlationId, nameId);", f);
    static const char *const gpu[] = {"KERNEL(start, end, deviceId, streamId, correlationId, "
                                      "globalPid, demangledName, x)",
                                      "MEMCPY(start, end, deviceId, streamId, correlationId, "
                                      "globalPid, x, copyKind)",
                                      "MEMSET(start, end, deviceId, streamId, correlationId, "
                                      "globalPid, x, y)"};
    for (int i = 0; i < 3; i++)
        fprintf(f, "create table CUPTI_ACTIVITY_KIND_%s;", gpu[i]);
    for (size_t i = 0; i < ROWS; i++)
        work[i] = add_row(&chance, f, i, &clock);
    fputs("commit", f);
    fclose(f);
    flows = 0;
    for (size_t i = 0; i < ROWS; i++)
        flows += work[i] && calls[work[i] >> 8] >> (work[i] & 0xff) & 1;
    char *got = of_sql(sql);
    uint64_t origin = number(got, "\"origin_ns\":");
    for (char *l = strtok_r(got, "\n", &rest); l; l = strtok_r(NULL, "\n", &rest)) {
        ck_assert_msg(!strstr(l, "\"type\":\"problem\""), "%s", l);
        seen_flows += strstr(l, "\"type\":\"flow\"") && strstr(l, "\"kind\":\"end\"");
        if (!strstr(l, "\"type\":\"slice\""))
            continue;
        uint64_t pid = number(l, "\"pid\":");
        word(l, "\"name\":\"", name);
        word(l, "\"cat\":\"", cat);
        int k = snprintf(line, sizeof line, "%s %s ", cat, name);
        if (pid < 1000)
            k += snprintf(line + k, sizeof line - (size_t)k, "%" PRIu64 "/%" PRIu64 " ", pid,
                          number(l, "\"tid\":"));
        snprintf(line + k, sizeof line - (size_t)k, "%" PRIu64 "+%" PRIu64,
                 origin + number(l, "\"ts\":"), number(l, "\"dur\":"));
        ck_assert_uint_lt(n_seen, ROWS);
        seen[n_seen++] = strdup(line);
    }
    ck_assert_uint_eq(n_seen, ROWS);
    ck_assert_uint_eq(seen_flows, flows);
    qsort(wanted, ROWS, sizeof *wanted, by_text);
    qsort(seen, ROWS, sizeof *seen, by_text);
    for (size_t i = 0; i < ROWS; i++) {
        ck_assert_str_eq(seen[i], wanted[i]);
        free(seen[i]);
        free(wanted[i]);
    }
    free(got);
    free(sql);
}
END_TEST

START_TEST(a_cut_schema_is_named) {
    char *sql = file_text("nsys.sql");
    struct str bytes = made(sql);
    char *got = exported((struct str){bytes.s, 512});
    ck_assert_msg(strstr(got, "an SQLite database that cannot be read: "), "%s", got);
    free(got);
    free(sql);
    free((char *)bytes.s);
}
END_TEST

SUITE(nsys) {
    Suite *s = suite_create("nsys");
    TCase *t = tcase_create("nsys");
    tcase_add_test(t, each_table_becomes_its_part);
    tcase_add_loop_test(t, what_is_wrong_is_named, 0, (int)(sizeof hostile / sizeof *hostile));
    tcase_add_test(t, nothing_may_be_there);
    tcase_add_test(t, words_are_the_same_in_any_pieces);
    tcase_add_loop_test(t, damage_ends_in_problems, 0, 5);
    tcase_add_loop_test(t, a_tree_without_end_ends, 0, 2);
    tcase_add_test(t, a_sort_is_given_up);
    tcase_add_test(t, a_cut_schema_is_named);
    tcase_add_loop_test(t, each_row_is_there_once, 0, 10);
    suite_add_tcase(s, t);
    return s;
}
