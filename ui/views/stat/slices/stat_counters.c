/* stat_counters.c - counters over the range; Enter goes to the greatest value. */
#include <stdio.h>
#include <string.h>

#include "model/query/stat/tables/counter_numbers.h"
#include "ui/timeline/draw_gutter.h"
#include "ui/timeline/kinds/curve.h"
#include "ui/views/stat/slices/stat_go.h"
#include "ui/views/stat/slices/stat_tab.h"
#include "ui/views/view_table.h"

enum { NAME, PROCESS, SAMPLES, LEAST, MEAN, MOST, MOST_AT, FIRST, LAST, CHANGE, COLUMNS };

struct counters_data {
    struct stat_asked asked;
    struct counter_numbers numbers;
};

static const struct relation_column values[COLUMNS] = {
    [NAME] = {"name", "counter", RELATION_TEXT, RELATION_NONE, false},
    [PROCESS] = {"process", "process", RELATION_TEXT, RELATION_NONE, false},
    [SAMPLES] = {"samples", "samples", RELATION_INTEGER, RELATION_COUNT, false},
    [LEAST] = {"min", "min", RELATION_REAL, RELATION_NONE, false},
    [MEAN] = {"mean", "mean", RELATION_REAL, RELATION_NONE, false},
    [MOST] = {"max", "max", RELATION_REAL, RELATION_NONE, false},
    [MOST_AT] = {"max_at_ns", "max at", RELATION_INTEGER, RELATION_TIME, false},
    [FIRST] = {"first", "first", RELATION_REAL, RELATION_NONE, false},
    [LAST] = {"last", "last", RELATION_REAL, RELATION_NONE, false},
    [CHANGE] = {"change", "change", RELATION_REAL, RELATION_NONE, false},
};

static const struct table_column columns[COLUMNS] = {
    [NAME] = {NULL, 14, 0, 0, false, false},    [PROCESS] = {NULL, 10, 20, 5, false, false},
    [SAMPLES] = {NULL, 7, 8, 4, true, true},    [LEAST] = {NULL, 9, 9, 1, true, true},
    [MEAN] = {NULL, 9, 9, 1, true, true},       [MOST] = {NULL, 9, 9, 0, true, true},
    [MOST_AT] = {NULL, 14, 18, 8, false, true}, [FIRST] = {NULL, 9, 9, 6, true, true},
    [LAST] = {NULL, 9, 9, 7, true, true},       [CHANGE] = {NULL, 9, 9, 2, true, true},
};

static uint64_t rows(void *ctx) {
    const struct counters_data *c = stat_tab_data(ctx);
    return c ? c->numbers.rows.n : 0;
}

static void texts(const struct counters_data *c, const struct counter_series *series, int column,
                  struct relation_value *value) {
    struct trace *trace = c->asked.app->trace;
    struct str name = trace_name(trace, series->name),
               argument = trace_name(trace, series->argument);
    char made[40];
    bool named;
    if (column == PROCESS) {
        if (series->process < trace_process_count(trace)) {
            name = trace_process_name(trace, trace_process(trace, series->process), made, &named);
            snprintf(value->buf, sizeof value->buf, "%.*s", (int)(name.n < 200 ? name.n : 200),
                     name.s);
            relation_set_text(value, str_of(value->buf));
        }
        return;
    }
    size_t n = (size_t)snprintf(value->buf, sizeof value->buf, "%.*s",
                                (int)(name.n < 150 ? name.n : 150), name.s);
    if (argument.n > 0 && !str_eq(name, argument))
        snprintf(value->buf + n, sizeof value->buf - n, ".%.*s",
                 (int)(argument.n < 150 ? argument.n : 150), argument.s);
    relation_set_text(value, str_of(value->buf));
}

/* A sample, or its difference to another one, with all bits of an integer. */
static void number(const struct counter_sample *a, const struct counter_sample *b,
                   struct relation_value *value) {
    double real = b ? counter_difference(a, b) : counter_value(a);
    if (counter_digits(a, b, value->buf))
        relation_set_digits(value, str_of(value->buf), real);
    else
        relation_set_real(value, real);
}

static void get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
    const struct counters_data *c = stat_tab_data(ctx);
    const struct counter_numbers_row *r = &c->numbers.rows.v[row.row];
    const struct counter_sample *samples[COLUMNS] = {[LEAST] = &r->least,
                                                     [MOST] = &r->most,
                                                     [FIRST] = &r->first,
                                                     [LAST] = &r->last,
                                                     [CHANGE] = &r->last};
    if (column == NAME || column == PROCESS)
        texts(c, counter_series(trace_counters(c->asked.app->trace), r->series), column, value);
    else if (column == SAMPLES)
        relation_set_integer(value, (int64_t)r->samples);
    else if (column == MOST_AT && r->any)
        relation_set_integer(value, r->most.at.time);
    else if (column == MEAN && r->has_mean)
        relation_set_real(value, r->mean);
    else if (samples[column] && (column >= FIRST ? r->has_change : r->any))
        number(samples[column], column == CHANGE ? &r->first : NULL, value);
}

/* The number of a process that has a name: others may have the same one. */
static void mark_number(const struct counters_data *c, uint32_t series, struct table_cell *cell) {
    struct trace *trace = c->asked.app->trace;
    uint32_t process = counter_series(trace_counters(trace), series)->process;
    char made[40], number[DRAW_GUTTER_NUMBER];
    bool named = false;
    if (process >= trace_process_count(trace))
        return;
    const struct process *p = trace_process(trace, process);
    trace_process_name(trace, p, made, &named);
    if (named && draw_gutter_number(number, p->pid) < (int)sizeof cell->mark)
        memcpy(cell->mark, number, strlen(number) + 1);
}

static void format(void *ctx, struct relation_row row, int column, struct table_cell *cell) {
    const struct counters_data *c = stat_tab_data(ctx);
    char number[24];
    if (cell->value.type == RELATION_REAL || cell->value.type == RELATION_DIGITS) {
        snprintf(cell->buf, sizeof cell->buf, "%s", curve_number(cell->value.real, number));
        cell->text = str_of(cell->buf);
    } else if (column == MOST_AT && cell->value.type == RELATION_INTEGER) {
        view_table_point(c->asked.app, cell);
    } else if (column == SAMPLES || column == PROCESS) {
        cell->role = ROLE_DIM;
    }
    if (column == PROCESS)
        mark_number(c, c->numbers.rows.v[row.row].series, cell);
}

/* Reals in the order of integers. */
static int64_t key(void *ctx, struct relation_row row, int column) {
    struct relation_value value = {.type = RELATION_NULL};
    int64_t bits;
    get(ctx, row, column, &value);
    if (value.type == RELATION_INTEGER)
        return value.integer;
    if (value.type != RELATION_REAL && value.type != RELATION_DIGITS)
        return INT64_MIN;
    memcpy(&bits, &value.real, sizeof bits);
    return bits < 0 ? INT64_MIN - bits : bits;
}

static uint64_t id(void *ctx, uint64_t row) {
    const struct counters_data *c = stat_tab_data(ctx);
    return c->numbers.rows.v[row].series;
}

static const struct relation relation = {"counter", values, COLUMNS, false, rows, get};
static const struct table_source source = {&relation, columns, format, .key = key, .id = id};

static void make(struct task *task, void *data) {
    struct counters_data *c = data;
    counter_numbers_make(task, &c->numbers, c->asked.app->trace, c->asked.range);
}

static void release(void *data) {
    counter_numbers_free(&((struct counters_data *)data)->numbers);
}

static void go(void *data, uint64_t row) {
    struct counters_data *c = data;
    const struct counter_numbers_row *r = &c->numbers.rows.v[row];
    if (r->any)
        stat_go(c->asked.app, &track_counter, r->series, r->most.at.time, r->most.at.time);
}

const struct stat_tab stat_counters = {
    .title = "Counters",
    .noun = "counter",
    .none = "no counters in this range",
    .kinds = SLICE_ITER_COUNTERS,
    .sources = &source,
    .sort = CHANGE,
    .answer = {sizeof(struct counters_data), make, release},
    .go = go,
};
