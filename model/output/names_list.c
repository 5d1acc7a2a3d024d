/* names_list.c - the columns of a table of names, and their values. */
#include "model/output/names_list.h"

#define OTHERS                                                                                     \
    [NAMES_COUNT] = {"count", "count", RELATION_INTEGER, RELATION_COUNT, false},                   \
    [NAMES_OPEN] = {"open", "open", RELATION_INTEGER, RELATION_COUNT, false},                      \
    [NAMES_TOTAL] = {"total_ns", "total", RELATION_INTEGER, RELATION_SUM, false},                  \
    [NAMES_SELF] = {"self_ns", "self", RELATION_INTEGER, RELATION_SUM, false},                     \
    [NAMES_MIN] = {"min_ns", "min", RELATION_INTEGER, RELATION_DURATION, false},                   \
    [NAMES_AVG] = {"avg_ns", "avg", RELATION_INTEGER, RELATION_DURATION, false},                   \
    [NAMES_P50] = {"p50_ns", "p50", RELATION_INTEGER, RELATION_DURATION, false},                   \
    [NAMES_P90] = {"p90_ns", "p90", RELATION_INTEGER, RELATION_DURATION, false},                   \
    [NAMES_P95] = {"p95_ns", "p95", RELATION_INTEGER, RELATION_DURATION, false},                   \
    [NAMES_P99] = {"p99_ns", "p99", RELATION_INTEGER, RELATION_DURATION, false},                   \
    [NAMES_MAX] = {"max_ns", "max", RELATION_INTEGER, RELATION_DURATION, false},                   \
    [NAMES_SHARE] = {"share", "of time", RELATION_INTEGER, RELATION_SHARE, false},                 \
    [NAMES_RUNNING] = {"running_ns", "running", RELATION_INTEGER, RELATION_SUM, false},            \
    [NAMES_SAMPLES] = {"samples", "samples", RELATION_INTEGER, RELATION_COUNT, false},             \
    [NAMES_ABOUT] = {"about_self_ns", "~self", RELATION_INTEGER, RELATION_SUM, false},             \
    [NAMES_SELF_SAMPLES] = {"self_samples", "self samples", RELATION_INTEGER, RELATION_COUNT,      \
                            false},                                                                \
    [NAMES_OFF_CPU] = {"off_cpu_ns", "off CPU", RELATION_INTEGER, RELATION_SUM, false},

static const struct relation_column columns[NAMES_COLUMNS] = {
    [NAMES_NAME] = {"name", "name", RELATION_TEXT, RELATION_NONE, false}, OTHERS};

static const struct relation_column columns_of_traces[NAMES_COLUMNS] = {
    [NAMES_NAME] = {"trace", "trace", RELATION_TEXT, RELATION_NONE, false}, OTHERS};

static uint64_t rows(void *ctx) {
    return names_table_rows(ctx);
}

static void get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
    int64_t n;
    if (column == NAMES_NAME) {
        relation_set_text(value,
                          names_table_text(ctx, (uint32_t)row.row, value->buf, sizeof value->buf));
    } else if (names_table_value(ctx, (uint32_t)row.row, (enum names_column)column, &n)) {
        relation_set_integer(value, n);
    }
}

const struct relation names_list = {"name", columns, NAMES_COLUMNS, true, rows, get};

const struct relation names_list_of_traces = {"trace", columns_of_traces, NAMES_COLUMNS, true, rows,
                                              get};
