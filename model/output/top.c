/* top.c - the rows of a names_table in the order that is asked for, in one of the formats. */
#include "model/output/top.h"

#include <errno.h>
#include <stdlib.h>

#include "model/output/names_list.h"
#include "model/query/stat/track_scope.h"
#include "src/base/text.h"
#include "src/base/units.h"

#define TOUCHED 16 /* rows at a time */

struct top {
    struct trace *trace;
    struct names_query query;
    struct names_table table;
    uint32_t *order; /* rows in the order of printing */
    uint64_t n;
    struct left_out left_out;
};

static bool row_at(void *ctx, uint64_t at, struct relation_row *row) {
    const struct top *top = ctx;
    if (at % TOUCHED == 0)
        names_table_touch(&top->table, &top->order[at],
                          top->n - at < TOUCHED ? (size_t)(top->n - at) : TOUCHED);
    *row = (struct relation_row){top->order[at], RELATION_NO_ROW};
    return true;
}

void top_heading(struct trace *trace, const struct question *asked, bool ascii, FILE *out) {
    const struct range *range = &asked->range;
    int64_t begin = trace_begin(trace), from = range_begin(range, trace),
            to = range_end(range, trace);
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
        text_plain(safe, sizeof safe, str_of(asked->filter_text),
                   TEXT_TRACK | (ascii ? TEXT_ASCII : 0));
        fprintf(out, ", filter: %s", safe);
    }
}

/* "; 24 slices of 11 names, 2 of them open; the 4 threads with slices lived 12.42 s", with the
 * numbers of the range. */
static void heading(const struct top *top, struct trace *trace, const struct question *asked,
                    const struct table_request *request, FILE *out) {
    const struct names_table *t = &top->table;
    char count[32], time[32];
    uint32_t all = names_table_rows(t) - t->sampled;
    top_heading(trace, asked, request->ascii, out);
    fprintf(out, ": %s slice%s", units_count(t->slices, false, count), t->slices == 1 ? "" : "s");
    fprintf(out, " of %s %s%s", units_count(all, false, count), request->traces ? "trace" : "name",
            all == 1 ? "" : "s");
    if (t->sampled > 0)
        fprintf(out, ", %s sampled", units_count(t->sampled, false, count));
    if (t->open > 0)
        fprintf(out, ", %s open", units_count(t->open, false, count));
    fprintf(out, "; thread time %s", units_duration(sum_ns(t->thread_time), request->ascii, time));
    question_head_left_out(top->left_out, out);
    putc('\n', out);
    if (request->format == FORMAT_MARKDOWN)
        putc('\n', out);
}

/* Columns without a value: of samples, or of all but these. */
static uint64_t without(const struct names_table *t) {
    const uint64_t name = UINT64_C(1) << NAMES_NAME, off = UINT64_C(1) << NAMES_OFF_CPU,
                   sampled = UINT64_C(1) << NAMES_SAMPLES | UINT64_C(1) << NAMES_ABOUT |
                             UINT64_C(1) << NAMES_SELF_SAMPLES | off;
    if (t->sampled == 0)
        return sampled;
    return (t->sampled == names_table_rows(t) ? ~(sampled | name) : 0) | (t->off ? 0 : off);
}

static void print(struct top *top, struct trace *trace, const struct question *asked,
                  const struct table_request *request, FILE *out) {
    struct names_table *table = &top->table;
    const struct relation *list = request->traces ? &names_list_of_traces : &names_list;
    struct relation_order order = {top->n, row_at, top};
    struct relation_style style = {
        .order = &order, .origin = trace_begin(trace), .ascii = request->ascii};
    style.all = top->n == names_table_rows(table);
    style.without = without(table);
    switch (request->format) {
    case FORMAT_CSV:
        question_say_left_out(top->left_out, trace, request->ascii);
        relation_csv(list, table, out, &order, trace_origin(trace));
        break;
    case FORMAT_NDJSON:
        question_say_left_out(top->left_out, trace, request->ascii);
        relation_ndjson(list, table, out, &style);
        break;
    case FORMAT_MARKDOWN:
        heading(top, trace, asked, request, out);
        relation_markdown(list, table, out, &style);
        break;
    default:
        heading(top, trace, asked, request, out);
        relation_aligned(list, table, out, &style);
    }
}

static void count(struct task *task, void *ctx) {
    struct top *top = ctx;
    names_table_make(task, &top->table, top->trace, &top->query);
}

bool top_print(struct trace *trace, const struct question *asked, enum names_column by,
               const struct table_request *request, FILE *out) {
    struct top top = {.trace = trace,
                      .query = {.range = &asked->range,
                                .kinds = SLICE_ITER_SLICES,
                                .running = true,
                                .samples = true,
                                .two_from = NAMES_TWO_FROM}};
    if (request->traces)
        top.query.by = GROUP_BY_TRACE;
    if (asked->match) {
        top.query.has = filter_match_slice;
        top.query.ctx = asked->match;
    }
    errno = 0;
    count(NULL, &top);
    top.n = names_table_rows(&top.table);
    top.order = err_malloc((top.n + 1) * sizeof *top.order);
    names_table_sort(&top.table, by, top.order);
    top.left_out = question_left_out(asked, trace, SLICE_ITER_SLICES | SLICE_ITER_STATES);
    if (request->most > 0 && request->most < top.n)
        top.n = request->most;
    print(&top, trace, asked, request, out);
    free(top.order);
    names_table_free(&top.table);
    return fflush(out) == 0 && !ferror(out);
}
