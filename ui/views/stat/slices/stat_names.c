/* stat_names.c - slices by name or another group, and async operations by name, with their
 * numbers. */
#include "ui/timeline/colors.h"
#include "ui/views/stat/slices/stat_tab.h"

enum {
    NAME,
    COUNT,
    OPEN,
    TOTAL,
    SHARE,
    SELF,
    AVG,
    MIN,
    HALF,
    NINETY,
    NINETY_NINE,
    MAX,
    SAMPLES,
    ABOUT,
    SELF_SAMPLES,
    OFF_CPU,
    COLUMNS
};

static const enum names_column meaning[COLUMNS] = {
    [NAME] = NAMES_NAME,       [COUNT] = NAMES_COUNT,     [OPEN] = NAMES_OPEN,
    [TOTAL] = NAMES_TOTAL,     [SHARE] = NAMES_SHARE,     [SELF] = NAMES_SELF,
    [AVG] = NAMES_AVG,         [MIN] = NAMES_MIN,         [HALF] = NAMES_P50,
    [NINETY] = NAMES_P90,      [NINETY_NINE] = NAMES_P99, [MAX] = NAMES_MAX,
    [SAMPLES] = NAMES_SAMPLES, [ABOUT] = NAMES_ABOUT,     [SELF_SAMPLES] = NAMES_SELF_SAMPLES,
    [OFF_CPU] = NAMES_OFF_CPU,
};

#define VALUES(first)                                                                              \
    {                                                                                              \
        [NAME] = {"name", first, RELATION_TEXT, RELATION_NONE, false},                             \
        [COUNT] = {"count", "count", RELATION_INTEGER, RELATION_COUNT, false},                     \
        [OPEN] = {"open", "open", RELATION_INTEGER, RELATION_COUNT, false},                        \
        [TOTAL] = {"total_ns", "total", RELATION_INTEGER, RELATION_SUM, false},                    \
        [SHARE] = {"share", "of time", RELATION_INTEGER, RELATION_SHARE, false},                   \
        [SELF] = {"self_ns", "self", RELATION_INTEGER, RELATION_SUM, false},                       \
        [AVG] = {"avg_ns", "avg", RELATION_INTEGER, RELATION_DURATION, false},                     \
        [MIN] = {"min_ns", "min", RELATION_INTEGER, RELATION_DURATION, false},                     \
        [HALF] = {"p50_ns", "p50", RELATION_INTEGER, RELATION_DURATION, false},                    \
        [NINETY] = {"p90_ns", "p90", RELATION_INTEGER, RELATION_DURATION, false},                  \
        [NINETY_NINE] = {"p99_ns", "p99", RELATION_INTEGER, RELATION_DURATION, false},             \
        [MAX] = {"max_ns", "max", RELATION_INTEGER, RELATION_DURATION, false},                     \
        [SAMPLES] = {"samples", "samples", RELATION_INTEGER, RELATION_COUNT, false},               \
        [ABOUT] = {"about_self_ns", "~self", RELATION_INTEGER, RELATION_SUM, false},               \
        [SELF_SAMPLES] = {"self_samples", "self samples", RELATION_INTEGER, RELATION_COUNT,        \
                          false},                                                                  \
        [OFF_CPU] = {"off_cpu_ns", "off CPU", RELATION_INTEGER, RELATION_SUM, false},              \
    }

static const struct relation_column values[GROUPS_BY][COLUMNS] = {
    [GROUP_BY_NAME] = VALUES("name"),         [GROUP_BY_NAME_THREAD] = VALUES("name  thread"),
    [GROUP_BY_THREAD] = VALUES("thread"),     [GROUP_BY_PROCESS] = VALUES("process"),
    [GROUP_BY_TRACE] = VALUES("trace"),       [GROUP_BY_PATTERN] = VALUES("pattern"),
    [GROUP_BY_CATEGORY] = VALUES("category"), [GROUP_BY_ARGUMENT] = VALUES("value"),
};

static const struct table_column columns[COLUMNS] = {
    [NAME] = {NULL, 14, 0, 0, false, false},
    [COUNT] = {NULL, 6, 8, 1, true, true},
    [OPEN] = {NULL, 5, 6, 2, true, true},
    [TOTAL] = {NULL, 9, 9, 0, true, true},
    [SHARE] = {NULL, 7, 7, 7, true, true},
    [SELF] = {NULL, 9, 9, 3, true, true},
    [AVG] = {NULL, 9, 9, 8, true, true},
    [MIN] = {NULL, 9, 9, 9, true, true},
    [HALF] = {NULL, 9, 9, 5, true, true},
    [NINETY] = {NULL, 9, 9, 10, true, true},
    [NINETY_NINE] = {NULL, 9, 9, 6, true, true},
    [MAX] = {NULL, 9, 9, 4, true, true},
    [SAMPLES] = {NULL, 7, 8, 1, true, true},
    [ABOUT] = {NULL, 9, 9, 4, true, true},
    [SELF_SAMPLES] = {NULL, 12, 12, 3, true, true},
    [OFF_CPU] = {NULL, 9, 9, 2, true, true},
};

static uint64_t rows(void *ctx) {
    const struct stat_names *n = stat_tab_data(ctx);
    return n ? names_table_rows(&n->table) : 0;
}

static void get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
    const struct stat_names *n = stat_tab_data(ctx);
    int64_t number;
    if (column == NAME)
        relation_set_text(
            value, names_table_text(&n->table, (uint32_t)row.row, value->buf, sizeof value->buf));
    else if (names_table_value(&n->table, (uint32_t)row.row, meaning[column], &number) &&
             (column != OPEN || number > 0))
        relation_set_integer(value, number);
}

/* Rows that have no such number come last, those of a profiler by their samples. */
static int64_t key(void *ctx, struct relation_row row, int column) {
    const struct stat_names *n = stat_tab_data(ctx);
    int64_t number;
    if (names_table_value(&n->table, (uint32_t)row.row, meaning[column], &number))
        return column == OPEN && number == 0 ? INT64_MIN : number;
    if (names_table_value(&n->table, (uint32_t)row.row, NAMES_SAMPLES, &number))
        return INT64_MIN / 2 + number;
    return INT64_MIN;
}

/* The colour of a row's slices; false: they have several. */
static bool look_of(const struct stat_names *n, uint32_t row, struct look *look) {
    const struct app *app = n->asked.app;
    const struct aggregate_key *key = &names_table_row(&n->table, row)->key;
    enum slice_group_by by = n->table.group.by;
    char buf[400];
    if (by > GROUP_BY_NAME_THREAD)
        return colors_group(app, by, n->asked.argument,
                            names_table_text(&n->table, row, buf, sizeof buf), look);
    return (by == GROUP_BY_NAME_THREAD && colors_track(app, key->a, look)) ||
           colors_name(app, key->name, look);
}

static void format(void *ctx, struct relation_row row, int column, struct table_cell *cell) {
    const struct stat_names *n = stat_tab_data(ctx);
    struct look look;
    if (column == NAME && n && style_depth() != COLOR_MONO) {
        bool one = look_of(n, (uint32_t)row.row, &look);
        cell->swatch = true;
        cell->color = (struct look){one ? look.bg : LOOK_DEFAULT, LOOK_DEFAULT, 0};
    } else if (column == OPEN)
        cell->role = ROLE_WARN;
    else if (column == COUNT || column == SHARE || column == AVG || column == MIN)
        cell->role = ROLE_DIM;
}

/* Patterns, categories and values have other numbers in each answer. */
static uint64_t id(void *ctx, uint64_t row) {
    const struct stat_names *n = stat_tab_data(ctx);
    const struct aggregate_key *key = &names_table_row(&n->table, (uint32_t)row)->key;
    char buf[400];
    if (!slice_group_numbers(n->table.group.by))
        return hash_words((uint64_t)key->name << 32 | key->a, key->b);
    struct str text = names_table_text(&n->table, (uint32_t)row, buf, sizeof buf);
    return hash_words(hash_bytes(text.s, text.n), key->b);
}

#define RELATION(by)                                                                               \
    { "name", values[by], COLUMNS, false, rows, get }
static const struct relation relations[GROUPS_BY] = {
    RELATION(GROUP_BY_NAME),     RELATION(GROUP_BY_NAME_THREAD), RELATION(GROUP_BY_THREAD),
    RELATION(GROUP_BY_PROCESS),  RELATION(GROUP_BY_TRACE),       RELATION(GROUP_BY_PATTERN),
    RELATION(GROUP_BY_CATEGORY), RELATION(GROUP_BY_ARGUMENT),
};

#define SOURCE(by)                                                                                 \
    {                                                                                              \
        &relations[by], columns, format, .key = key, .id = id, .bar = TOTAL,                       \
                                         .bar_takes = TABLE_BAR_TAKES                              \
    }
static const struct table_source sources[GROUPS_BY] = {
    SOURCE(GROUP_BY_NAME),     SOURCE(GROUP_BY_NAME_THREAD), SOURCE(GROUP_BY_THREAD),
    SOURCE(GROUP_BY_PROCESS),  SOURCE(GROUP_BY_TRACE),       SOURCE(GROUP_BY_PATTERN),
    SOURCE(GROUP_BY_CATEGORY), SOURCE(GROUP_BY_ARGUMENT),
};

static void make_of(struct task *task, struct stat_names *n, unsigned kinds) {
    const struct stat_asked *asked = &n->asked;
    names_table_make(
        task, &n->table, asked->app->trace,
        &(struct names_query){.range = asked->range,
                              .kinds = kinds,
                              .has = asked->has,
                              .ctx = asked->ctx,
                              .by = kinds == SLICE_ITER_SLICES ? asked->by : GROUP_BY_NAME,
                              .argument = asked->argument,
                              /* no column of the screen has it */
                              .running = kinds == SLICE_ITER_SLICES && asked->app->startup.exports,
                              .samples = kinds == SLICE_ITER_SLICES,
                              .two_from = NAMES_TWO_FROM});
}

static void make(struct task *task, void *data) {
    make_of(task, data, SLICE_ITER_SLICES);
}

static void make_async(struct task *task, void *data) {
    make_of(task, data, SLICE_ITER_OPERATIONS);
}

static void release(void *data) {
    names_table_free(&((struct stat_names *)data)->table);
}

static unsigned percent(const void *data) {
    return names_table_percent(&((const struct stat_names *)data)->table);
}

static unsigned so_far(const void *data) {
    return names_table_counted(&((const struct stat_names *)data)->table);
}

const struct stat_tab stat_names = {
    .title = "Slices",
    .noun = "name",
    .none = "no slices here",
    .kinds = SLICE_ITER_SLICES,
    .sources = sources,
    .by_pivot = true,
    .sort = TOTAL,
    .answer = {sizeof(struct stat_names), make, release},
    .percent = percent,
    .so_far = so_far,
};

const struct stat_tab stat_async = {
    .title = "Async",
    .noun = "name",
    .none = "no async operations here",
    .kinds = SLICE_ITER_OPERATIONS,
    .sources = sources,
    .sort = TOTAL,
    .answer = {sizeof(struct stat_names), make_async, release},
    .percent = percent,
    .so_far = so_far,
};
