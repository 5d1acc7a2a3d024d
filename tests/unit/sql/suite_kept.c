/* suite_kept.c - rows kept of a query: every cell as the query gave it, and ranks as ORDER BY has
 * them. */
#include "sql/answer/kept.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

/* Keeps the rows of a query. */
static struct trace *keep(struct kept *kept, const char *sql) {
    struct err err;
    struct trace *trace = loaded_fixture("every_kind");
    struct query *query = query_new(trace, &(struct query_options){0}, &err);
    ck_assert(query_begin(query, str_of(sql), &err));
    enum query_state state = query_step(query, &err);
    kept_init(kept, query_columns(query), query_has_places(query), 100000);
    for (; state == QUERY_ROW; state = query_step(query, &err))
        kept_add(kept, query);
    ck_assert_msg(state == QUERY_DONE, "%s", err.text);
    query_free(query);
    return trace;
}

START_TEST(cells_are_those_of_the_query) {
    struct kept kept;
    struct trace *trace =
        keep(&kept,
             "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 4999) "
             "SELECT i, i * 0.5, 'text ' || (i / 100), NULL, x'00ff', substr(hex(zeroblob(20000)), "
             "1, i * 8) FROM n");
    ck_assert_uint_eq(kept_rows(&kept), 5000);
    for (uint64_t row = 0; row < 5000; row++) {
        char text[24];
        snprintf(text, sizeof text, "text %d", (int)row / 100);
        MUST(kept_cell(&kept, row, 0).integer == (int64_t)row, row);
        MUST(kept_cell(&kept, row, 1).real == (double)row * 0.5, row);
        struct str is = kept_cell(&kept, row, 2).text;
        MUST(is.n == strlen(text) && memcmp(is.s, text, is.n) == 0, row);
        MUST(kept_cell(&kept, row, 3).type == QUERY_NULL, row);
        MUST(kept_cell(&kept, row, 4).type == QUERY_BLOB && kept_cell(&kept, row, 4).text.n == 2,
             row);
        MUST(kept_cell(&kept, row, 5).text.n == (row * 8 < 40000 ? row * 8 : 40000), row);
    }
    ck_assert(kept_is(&kept, 0, 1u << QUERY_INTEGER));
    ck_assert(!kept_is(&kept, 1, 1u << QUERY_INTEGER));
    ck_assert(!kept_is(&kept, 3, 1u << QUERY_INTEGER)); /* nothing but NULL */
    kept_free(&kept);
    trace_free(trace);
}
END_TEST

/* Values of all types, in the order of SQLite: each rank is the number of lesser values. */
START_TEST(ranks_are_those_of_order_by) {
    static const char values[] = "WITH v(x) AS (VALUES (NULL), (1), (1.0), (0.5), "
                                 "(9223372036854775807), (9223372036854775808.0), "
                                 "(9007199254740993), (9007199254740992.0), "
                                 "(-9223372036854775808), (-1e300), ('a'), ('A'), ('ab'), (''), "
                                 "(x'00'), (x''), (NULL), (2), (-0.0), (0), ('1')) ";
    char sql[800];
    struct kept kept;
    atomic_bool stop = false;
    snprintf(sql, sizeof sql, "%sSELECT x, dense_rank() OVER (ORDER BY x) - 1 FROM v", values);
    struct trace *trace = keep(&kept, sql);
    uint32_t *ranks = kept_ranks(&kept, kept_rows(&kept), 0, &stop);
    for (uint64_t row = 0; row < kept_rows(&kept); row++)
        MUST(kept_cell(&kept, row, 1).integer == ranks[row], row);
    free(ranks);
    stop = true;
    free(kept_ranks(&kept, kept_rows(&kept), 0, &stop));
    kept_free(&kept);
    trace_free(trace);
}
END_TEST

SUITE(kept) {
    TCase *tests = tcase_create("kept");
    tcase_add_test(tests, cells_are_those_of_the_query);
    tcase_add_test(tests, ranks_are_those_of_order_by);
    Suite *suite = suite_create("kept");
    suite_add_tcase(suite, tests);
    return suite;
}
