/* asked.c - the answer to a query as one text. */
#include "tests/unit/sql/asked.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"

static void cell(const struct query *query, int column, FILE *out) {
    struct query_cell cell = query_cell(query, column);
    if (cell.type == QUERY_INTEGER)
        fprintf(out, "%" PRId64, cell.integer);
    else if (cell.type == QUERY_REAL)
        fprintf(out, "%.15g", cell.real);
    else if (cell.type != QUERY_NULL)
        fwrite(cell.text.s, 1, cell.text.n, out);
}

char *asked(struct query *query, const char *sql) {
    char *text = NULL;
    size_t size;
    struct err err = {"", 0};
    FILE *out = open_memstream(&text, &size);
    enum query_state state = QUERY_FAILED;
    if (query_begin(query, str_of(sql), &err))
        while ((state = query_step(query, &err)) == QUERY_ROW) {
            for (int c = 0; c < query_columns(query); c++) {
                if (c > 0)
                    putc('|', out);
                cell(query, c, out);
            }
            putc('\n', out);
        }
    if (state == QUERY_FAILED)
        fprintf(out, "error: %s @ %" PRId64, err.text, (int64_t)err.at);
    if (state == QUERY_STOPPED)
        fputs("stopped", out);
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

char *asked_once(struct trace *trace, const char *sql) {
    struct err err;
    struct query *query = query_new(trace, &(struct query_options){0}, &err);
    ck_assert_msg(query != NULL, "%s", err.text);
    char *text = asked(query, sql);
    query_free(query);
    return text;
}

static struct trace *trace;
static struct query *there;

void asked_begin(void) {
    struct err err;
    trace = loaded_fixture("every_kind");
    there = query_new(trace, &(struct query_options){0}, &err);
    ck_assert_msg(there != NULL, "%s", err.text);
}

void asked_end(void) {
    query_free(there);
    trace_free(trace);
}

char *asked_there(const char *sql) {
    return asked(there, sql);
}

void asked_is(const char *sql, const char *wanted) {
    char *text = asked(there, sql);
    ck_assert_msg(strcmp(text, wanted) == 0, "%s:\n%s, not\n%s", sql, text, wanted);
    free(text);
}
