/* suite_database_files.c - queries whose sorts and tables are too large for memory, on a disk that
 * has space or none. */
#include "src/io/database_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "sql/print.h"
#include "sql/query.h"
#include "src/io/temporary.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/sql/asked.h"

static bool full;

/* The disk of these tests, instead of the C library's answer. */
int fstatvfs(int fd, struct statvfs *disk) {
    (void)fd;
    *disk =
        (struct statvfs){.f_frsize = 4096, .f_blocks = 1 << 28, .f_bavail = full ? 1000 : 1 << 27};
    return 0;
}

#define NUMBERS "with recursive n(i) as (select 0 union all select i + 1 from n where i < 40000) "
#define TEXTS "(select i, printf('%032d%08d', i * 7919 % 40001, i) as t from n)"

static void is(struct query *query, const char *sql, const char *wanted) {
    char *text = asked(query, sql);
    ck_assert_msg(strncmp(text, wanted, strlen(wanted)) == 0, "%s:\n%.300s, not %s", sql, text,
                  wanted);
    free(text);
}

START_TEST(a_query_leaves_the_reserve_of_the_disk) {
    static const char sorted[] = NUMBERS "select sum(before is null or before < t), count(*) from "
                                         "(select t, lag(t) over (order by t) before "
                                         "from " TEXTS ")";
    static const char table[] =
        "drop table if exists x; create table x as " NUMBERS "select t from " TEXTS
        "; create index y on x (t); select count(distinct t) from x";
    struct trace *trace = loaded_fixture("every_kind");
    struct err err;
    struct query *query = query_new(trace, &(struct query_options){0}, &err);
    is(query, sorted, "40001|40001\n");
    is(query, table, "40001\n");
    full = true;
    is(query, sorted,
       "error: the temporary file of the query would leave the disk too little space");
    is(query, table,
       "error: the temporary file of the query would leave the disk too little space");
    is(query, "select 1", "1\n"); /* which needs no file */
    full = false;
    is(query, sorted, "40001|40001\n");
    query_free(query);
    trace_free(trace);
}
END_TEST

/* A database is written to a temporary file, too, of which nothing has a name. */
START_TEST(a_database_leaves_the_reserve_of_the_disk) {
    struct trace *trace = loaded_names(3000);
    for (int set = 0; set < 2; set++) {
        char head[16] = "";
        struct err err = {"", 0};
        int fd = temporary_open();
        struct query *query = query_new(trace, &(struct query_options){0}, &err);
        full = set == 1;
        ck_assert(query_attach(query, fd, &err));
        ck_assert_int_eq(query_save(query, &err), !full);
        if (full)
            ck_assert_msg(strstr(err.text, "too little space") != NULL, "%s", err.text);
        else
            ck_assert(pread(fd, head, 15, 0) == 15 && strcmp(head, "SQLite format 3") == 0);
        query_free(query);
        close(fd);
    }
    full = false;
    trace_free(trace);
}
END_TEST

static bool has_space(void) {
    return !full;
}

/* An answer that waits in a file stops, too; texts that a spreadsheet would take for formulas get
 * an apostrophe. */
START_TEST(an_answer_leaves_the_reserve_of_the_disk) {
    struct trace *trace = loaded_fixture("every_kind");
    struct err err = {"", 0};
    struct query *query = query_new(trace, &(struct query_options){0}, &err);
    struct print_style style = {.format = FORMAT_CSV, .fits = has_space};
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ck_assert(query_begin(query,
                          STR("select '=1' as \"+a\", '-x', '@', 'a=b', -1 as n, NULL, '-1.5' as "
                              "t, '-1+2' as u, '＝1', "
                              "char(10) || '@x' as l"),
                          &err));
    ck_assert_int_eq(print_rows(query, &style, out, &err), QUERY_DONE);
    fclose(out);
    ck_assert_str_eq(
        text,
        "\"'+a\",\"'-x'\",\"'@'\",\"'a=b'\",\"n\",\"NULL\",\"t\",\"u\",\"'＝1'\",\"l\"\n\"'=1\","
        "\"'-x\",\"'@\",\"a=b\",-1,,"
        "\"-1.5\",\"'-1+2\",\"'＝1\",\"'\n@x\"\n");
    free(text);
    full = true;
    out = open_memstream(&text, &size);
    ck_assert(query_begin(query, STR(NUMBERS "select i from n"), &err));
    ck_assert_int_eq(print_rows(query, &style, out, &err), QUERY_FAILED);
    fclose(out);
    ck_assert_str_eq(
        err.text, "the answer would leave the disk too little space: TMPDIR names another place");
    ck_assert_uint_lt(size, 1000);
    full = false;
    free(text);
    query_free(query);
    trace_free(trace);
}
END_TEST

SUITE(database_files) {
    Suite *suite = suite_create("database_files");
    TCase *c = tcase_create("database_files");
    tcase_add_test(c, a_query_leaves_the_reserve_of_the_disk);
    tcase_add_test(c, a_database_leaves_the_reserve_of_the_disk);
    tcase_add_test(c, an_answer_leaves_the_reserve_of_the_disk);
    suite_add_tcase(suite, c);
    return suite;
}
