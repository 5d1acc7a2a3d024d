/* stat_logs.c - log records by their text with # for numbers; Enter goes to the first one. */
#include "model/query/stat/tables/log_templates.h"
#include "ui/drawer/phrase.h"
#include "ui/views/stat/slices/stat_go.h"
#include "ui/views/stat/slices/stat_tab.h"
#include "ui/views/view_table.h"

enum { COUNT, FIRST, LAST, THREAD, TEXT, COLUMNS };

struct logs_data {
    struct stat_asked asked;
    struct log_templates templates;
};

static const struct relation_column values[COLUMNS] = {
    [COUNT] = {"count", "count", RELATION_INTEGER, RELATION_COUNT, false},
    [FIRST] = {"first_ns", "first", RELATION_INTEGER, RELATION_TIME, false},
    [LAST] = {"last_ns", "last", RELATION_INTEGER, RELATION_TIME, false},
    [THREAD] = {"thread", "thread", RELATION_TEXT, RELATION_NONE, false},
    [TEXT] = {"text", "text, # for numbers", RELATION_TEXT, RELATION_NONE, true},
};

static const struct table_column columns[COLUMNS] = {
    [COUNT] = {NULL, 6, 8, 1, true, true},   [FIRST] = {NULL, 14, 18, 6, false, true},
    [LAST] = {NULL, 14, 18, 7, false, true}, [THREAD] = {NULL, 10, 18, 5, false, false},
    [TEXT] = {NULL, 20, 0, 0, false, false},
};

static uint64_t rows(void *ctx) {
    const struct logs_data *l = stat_tab_data(ctx);
    return l ? l->templates.rows.n : 0;
}

static void get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
    const struct logs_data *l = stat_tab_data(ctx);
    const struct log_templates_row *r = &l->templates.rows.v[row.row];
    if (column == TEXT)
        relation_set_text(value, log_templates_text(&l->templates, (uint32_t)row.row));
    else if (column == COUNT)
        relation_set_integer(value, (int64_t)r->count);
    else if (column != THREAD)
        relation_set_integer(value, column == FIRST ? r->first : r->last);
    else if (r->thread != NO_THREAD)
        relation_set_text(value, phrase_thread(l->asked.app->trace, r->thread, " ", value->buf,
                                               sizeof value->buf));
}

static void format(void *ctx, struct relation_row row, int column, struct table_cell *cell) {
    const struct logs_data *l = stat_tab_data(ctx);
    (void)row;
    if (column == FIRST || column == LAST)
        view_table_point(l->asked.app, cell);
    else if (column == TEXT && cell->text.n > 0 &&
             memchr(cell->text.s, '\n', cell->text.n)) /* the first line */
        cell->text.n =
            (size_t)((const char *)memchr(cell->text.s, '\n', cell->text.n) - cell->text.s);
}

static uint64_t id(void *ctx, uint64_t row) {
    const struct logs_data *l = stat_tab_data(ctx);
    struct str text = log_templates_text(&l->templates, (uint32_t)row);
    return hash_bytes(text.s, text.n);
}

static const struct relation relation = {"log_template", values, COLUMNS, false, rows, get};
static const struct table_source source = {&relation, columns, format, .id = id};

static void make(struct task *task, void *data) {
    struct logs_data *l = data;
    log_templates_make(task, &l->templates, l->asked.app->trace, l->asked.range);
}

static void release(void *data) {
    log_templates_free(&((struct logs_data *)data)->templates);
}

static void go(void *data, uint64_t row) {
    struct logs_data *l = data;
    int64_t first = l->templates.rows.v[row].first;
    stat_go(l->asked.app, &track_log, 0, first, first);
}

const struct stat_tab stat_logs = {
    .title = "Logs",
    .noun = "text",
    .none = "no log records in this range",
    .kinds = SLICE_ITER_LOGS,
    .sources = &source,
    .sort = COUNT,
    .answer = {sizeof(struct logs_data), make, release},
    .go = go,
};
