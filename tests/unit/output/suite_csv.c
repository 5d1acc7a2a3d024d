/* suite_csv.c - --export=csv as another program reads it: RFC 4180, one row a slice, parents before
 * their children. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/output/ndjson.h"
#include "model/trace/trace.h"
#include "tests/unit/lib/checked.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/suites.h"

enum { COLUMNS = 13, ROWS = 40, CELL = 200 };

static char cells[ROWS][COLUMNS][CELL];

/* Reads RFC 4180; returns the number of rows, the titles among them. */
static int parse(const char *p) {
    int row = 0;
    for (; *p; row++) {
        ck_assert_int_lt(row, ROWS);
        for (int column = 0;; column++) {
            size_t n = 0;
            bool quoted = *p == '"';
            ck_assert_int_lt(column, COLUMNS);
            for (p += quoted;
                 quoted ? *p != '"' || p[1] == '"' : *p != ',' && *p != '\r' && *p != '\n'; p++) {
                p += quoted && *p == '"';
                ck_assert_uint_lt(n, CELL - 1);
                cells[row][column][n++] = *p;
                ck_assert(*p != 0);
            }
            cells[row][column][n] = 0;
            p += quoted;
            if (*p == ',') {
                p++;
                continue;
            }
            ck_assert_int_eq(column, COLUMNS - 1);
            break;
        }
        p += *p == '\r';
        ck_assert_int_eq(*p, '\n');
        p++;
    }
    return row;
}

static int export(struct trace *trace) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ck_assert(export_csv(trace, out));
    ck_assert_int_eq(fclose(out), 0);
    int rows = parse(text);
    free(text);
    trace_free(trace);
    return rows;
}

static int column(const char *title) {
    for (int i = 0; i < COLUMNS; i++)
        if (strcmp(cells[0][i], title) == 0)
            return i;
    ck_abort_msg("no column %s", title);
}

#define AT(row, title) cells[row][column(title)]

START_TEST(one_row_a_slice_with_its_place_among_others) {
    int rows =
        export(loaded_text("magic\ninit 1000000000\n"
                           "kernel_object 1 5 \"app\"\nkernel_object 2 6 \"main\" process=koid:5\n"
                           "complete 100 5/6 \"cat\" \"outer\" x=i32:1 end=900\n"
                           "complete 200 5/6 \"cat\" \"inner\" end=300\n"
                           "begin 400 5/6 \"cat\" \"open\"\n"));
    ck_assert_int_eq(rows, 4);
    ck_assert_str_eq(AT(1, "name"), "outer");
    ck_assert_str_eq(AT(1, "parent"), "");
    ck_assert_str_eq(AT(1, "thread"), "main");
    ck_assert_str_eq(AT(1, "process"), "app");
    ck_assert_str_eq(AT(1, "cat"), "cat");
    ck_assert_str_eq(AT(1, "dur"), "800");
    ck_assert_str_eq(AT(1, "depth"), "0");
    ck_assert_str_eq(AT(1, "args"), "x=1");
    ck_assert_str_eq(AT(2, "name"), "inner");
    ck_assert_str_eq(AT(2, "parent"), AT(1, "id"));
    ck_assert_str_eq(AT(2, "depth"), "1");
    ck_assert_str_eq(AT(2, "open"), "false");
    ck_assert_str_eq(AT(3, "open"), "true");
}
END_TEST

START_TEST(ids_are_unique_and_times_ascend) {
    int rows = export(loaded_fixture("../screens/kinds"));
    ck_assert_int_eq(rows, 1 + 16 + 3); /* of which 3 are frames of a backtrace */
    for (int i = 2; i < rows; i++) {
        ck_assert_int_le(checked_integer(AT(i - 1, "ts")), checked_integer(AT(i, "ts")));
        for (int k = 1; k < i; k++)
            ck_assert_str_ne(AT(i, "id"), AT(k, "id"));
    }
    for (int i = 1; i < rows; i++) { /* a parent is a row, and contains its child */
        int parent = 0;
        for (int k = 1; k < rows; k++)
            if (*AT(i, "parent") && strcmp(AT(i, "parent"), AT(k, "id")) == 0)
                parent = k;
        ck_assert_int_eq(parent != 0, *AT(i, "parent") != 0);
        ck_assert_int_eq(parent ? checked_integer(AT(parent, "depth")) + 1 : 0,
                         checked_integer(AT(i, "depth")));
        ck_assert(!parent ||
                  (checked_integer(AT(parent, "ts")) <= checked_integer(AT(i, "ts")) &&
                   checked_integer(AT(parent, "ts")) + checked_integer(AT(parent, "dur")) >=
                       checked_integer(AT(i, "ts")) + checked_integer(AT(i, "dur"))));
    }
}
END_TEST

START_TEST(quotes_commas_and_formulas_stay_text) {
    int rows = export(loaded_text("magic\ninit 1000000000\n"
                                  "complete 1 5/6 \"a,b\" \"say \\\"hi\\\"\" x=\"1, 2\" end=2\n"
                                  "complete 3 5/6 \"c\" \"=1+1\" end=4\n"
                                  "complete 5 5/6 \"c\" \"\\e[31m\" end=6\n"));
    ck_assert_int_eq(rows, 4);
    ck_assert_str_eq(AT(1, "cat"), "a,b");
    ck_assert_str_eq(AT(1, "name"), "say \"hi\"");
    ck_assert_str_eq(AT(1, "args"), "x=1, 2");
    ck_assert_int_ne(AT(2, "name")[0], '='); /* a spreadsheet would run it */
    ck_assert_ptr_null(strchr(AT(3, "name"), '\x1b'));
}
END_TEST

START_TEST(a_failed_write_is_reported) {
    struct trace *trace = loaded_fixture("../screens/kinds");
    FILE *full = fopen("/dev/full", "w");
    if (full) {
        setvbuf(full, NULL, _IONBF, 0);
        ck_assert(!export_csv(trace, full));
        fclose(full);
    }
    trace_free(trace);
}
END_TEST

SUITE(csv) {
    Suite *s = suite_create("csv");
    TCase *t = tcase_create("csv");
    tcase_add_test(t, one_row_a_slice_with_its_place_among_others);
    tcase_add_test(t, ids_are_unique_and_times_ascend);
    tcase_add_test(t, quotes_commas_and_formulas_stay_text);
    tcase_add_test(t, a_failed_write_is_reported);
    suite_add_tcase(s, t);
    return s;
}
