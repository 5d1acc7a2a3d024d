/* top.c - the rows of a names_table as a relation, and that in one of the formats. */
#include "model/output/top.h"

#include <errno.h>
#include <stdlib.h>

#include "model/output/relation.h"
#include "model/query/stat/track_scope.h"
#include "src/base/text.h"
#include "src/base/units.h"

static const struct relation_column columns[NAMES_COLUMNS] = {
    [NAMES_NAME] = {.name = "name", .title = "name", .type = RELATION_TEXT},
    [NAMES_COUNT] = {.name = "count", .title = "count", .type = RELATION_INTEGER},
    [NAMES_OPEN] = {.name = "open", .title = "open", .type = RELATION_INTEGER},
    [NAMES_TOTAL] = {.name = "total_ns", .title = "total", .type = RELATION_INTEGER, .unit = RELATION_DURATION},
    [NAMES_SELF] = {.name = "self_ns", .title = "self", .type = RELATION_INTEGER, .unit = RELATION_DURATION},
    [NAMES_MIN] = {.name = "min_ns", .title = "min", .type = RELATION_INTEGER, .unit = RELATION_DURATION},
    [NAMES_AVG] = {.name = "avg_ns", .title = "avg", .type = RELATION_INTEGER, .unit = RELATION_DURATION},
    [NAMES_P50] = {.name = "p50_ns", .title = "p50", .type = RELATION_INTEGER, .unit = RELATION_DURATION},
    [NAMES_P90] = {.name = "p90_ns", .title = "p90", .type = RELATION_INTEGER, .unit = RELATION_DURATION},
    [NAMES_P95] = {.name = "p95_ns", .title = "p95", .type = RELATION_INTEGER, .unit = RELATION_DURATION},
    [NAMES_P99] = {.name = "p99_ns", .title = "p99", .type = RELATION_INTEGER, .unit = RELATION_DURATION},
    [NAMES_MAX] = {.name = "max_ns", .title = "max", .type = RELATION_INTEGER, .unit = RELATION_DURATION},
    [NAMES_SHARE] = {.name = "share", .title = "share", .type = RELATION_INTEGER, .unit = RELATION_SHARE},
    [NAMES_RUNNING] = {.name = "running_ns", .title = "running", .type = RELATION_INTEGER, .unit = RELATION_DURATION},
};

struct top {
    struct names_table table;
    uint32_t *order; /* rows in the order of printing */
    uint64_t n;
};

static uint64_t rows(void *ctx) {
    return ((struct top *)ctx)->n;
}

static void get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
    struct top *top = ctx;
    uint32_t at = top->order[row.row];
    int64_t n;
    if (column == NAMES_NAME)
        relation_set_text(value, names_table_text(&top->table, at, value->buf, sizeof value->buf));
    else if (names_table_value(&top->table, at, (enum names_column)column, &n))
        relation_set_integer(value, n);
}

static const struct relation names = {"names", columns, NAMES_COLUMNS, true, rows, get};

void top_heading(struct trace *trace, const struct question *asked, bool ascii, FILE *out) {
    const struct range *range = &asked->range;
    int64_t begin = trace_begin(trace), from = range_begin(range, trace), to = range_end(range, trace);
    char span[32], a[32], b[32];
    units_duration(to > from ? units_since(from, to) : 0, ascii, span);
    if (range->timed)
        fprintf(out, "range %s, %s to %s", span, units_point(units_since(begin, from), 1, ascii, a),
                units_point(units_since(begin, to), 1, ascii, b));
    else
        fprintf(out, "whole trace %s", span);
    size_t all = track_scope_all(trace);
    if (range->tracks.v.n > 0)
        fprintf(out, ", %zu of %zu tracks", track_scope_count(&range->tracks), all);
    if (asked->filter_text) {
        char safe[200];
        text_plain(safe, sizeof safe, str_of(asked->filter_text), TEXT_TRACK | (ascii ? TEXT_ASCII : 0));
        fprintf(out, ", filter: %s", safe);
    }
}

/* "; 24 slices of 11 names, 2 of them open; the 4 threads with slices lived 12.42 s", with the numbers of the range. */
static void heading(const struct top *top, struct trace *trace, const struct question *asked,
                    const struct table_request *request, FILE *out) {
    const struct names_table *t = &top->table;
    char count[32], time[32];
    uint32_t all = names_table_rows(t);
    top_heading(trace, asked, request->ascii, out);
    fprintf(out, ": %s slice%s", units_count(t->slices, false, count), t->slices == 1 ? "" : "s");
    fprintf(out, " of %s name%s", units_count(all, false, count), all == 1 ? "" : "s");
    if (t->open > 0)
        fprintf(out, ", %s open", units_count(t->open, false, count));
    fprintf(out, "; thread time %s\n", units_duration(t->thread_time, request->ascii, time));
    if (request->format == TABLE_MARKDOWN)
        putc('\n', out);
}

static void print(struct top *top, struct trace *trace, const struct question *asked,
                  const struct table_request *request, FILE *out) {
    struct relation_style style = {.origin = trace_begin(trace), .ascii = request->ascii};
    switch (request->format) {
    case TABLE_CSV:
        relation_csv(&names, top, out, NULL, trace_origin(trace));
        break;
    case TABLE_NDJSON:
        relation_ndjson(&names, top, out, &style);
        break;
    case TABLE_MARKDOWN:
        heading(top, trace, asked, request, out);
        relation_markdown(&names, top, out, &style);
        break;
    default:
        heading(top, trace, asked, request, out);
        relation_aligned(&names, top, out, &style);
    }
}

bool top_print(struct trace *trace, const struct question *asked, enum names_column by,
               const struct table_request *request, FILE *out) {
    struct top top = {.n = 0};
    struct budget endless = budget_endless();
    struct names_query query = {.range = &asked->range, .kinds = SLICE_ITER_SLICES, .running = true};
    if (asked->match) {
        query.has = filter_match_slice;
        query.ctx = asked->match;
    }
    errno = 0;
    names_table_begin(&top.table, trace, &query);
    while (!names_table_step(&top.table, &endless))
        ;
    top.n = names_table_rows(&top.table);
    top.order = err_malloc((top.n + 1) * sizeof *top.order);
    names_table_sort(&top.table, by, top.order);
    if (request->most > 0 && request->most < top.n)
        top.n = request->most;
    print(&top, trace, asked, request, out);
    free(top.order);
    names_table_free(&top.table);
    return fflush(out) == 0 && !ferror(out);
}
