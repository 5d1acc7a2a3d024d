/* view_tree.c - the processes of a recording as a tree of commands: how long each lived, what it
 * used and how it ended. Enter goes to its row on the timeline. */
#include <stdlib.h>

#include "model/output/processes_list.h"
#include "ui/timeline/track_ops.h"
#include "ui/views/stat/slices/stat_go.h"
#include "ui/views/view_table.h"

struct tree_view {
    struct view_table_list list;
    struct answer answer; /* a struct processes */
};

static struct processes *processes_of(void *ctx) {
    return ((struct tree_view *)ctx)->answer.shown;
}

static uint64_t rows(void *ctx) {
    const struct tree_view *t = ctx;
    return answer_is_complete(&t->answer) ? processes_list.rows(processes_of(ctx)) : 0;
}

static void get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
    processes_list.get(processes_of(ctx), row, column, value);
}

static const struct table_column columns[PROCESSES_COLUMNS] = {
    [PROCESSES_COMMAND] = {NULL, 20, 0, 0, false, false},
    [PROCESSES_WALL] = {NULL, 9, 9, 1, true, true},
    [PROCESSES_CPU] = {NULL, 9, 9, 2, true, true},
    [PROCESSES_PEAK] = {NULL, 11, 11, 3, true, true},
    [PROCESSES_PEAK_OF] = {NULL, 13, 13, 6, false, true},
    [PROCESSES_END] = {NULL, 9, 9, 4, false, true},
    [PROCESSES_BEGIN] = {NULL, 13, 14, 7, false, true},
    [PROCESSES_PID] = {NULL, 7, 8, 5, true, true},
};

static void format(void *ctx, struct relation_row row, int column, struct table_cell *cell) {
    (void)row;
    if (column == PROCESSES_BEGIN)
        view_table_point(((struct tree_view *)ctx)->list.app, cell);
}

static int64_t key(void *ctx, struct relation_row row, int column) {
    struct relation_value value = {.type = RELATION_NULL};
    get(ctx, row, column, &value);
    return value.type == RELATION_INTEGER ? value.integer : INT64_MIN;
}

static uint64_t id(void *ctx, uint64_t row) {
    return processes_of(ctx)->rows.v[row].begin;
}

static void make_rows(struct task *task, void *data) {
    processes_make(task, data);
}

static void free_rows(void *data) {
    processes_free(data);
}

static const struct answer_ops ops = {sizeof(struct processes), make_rows, free_rows};
static const struct relation relation = {
    "process", processes_list_columns, PROCESSES_COLUMNS, false, rows, get};
static const struct table_source source = {&relation, columns, format, .key = key, .id = id};

static void *make(struct view *view) {
    struct tree_view *t = err_calloc(1, sizeof *t);
    t->list = (struct view_table_list){.heading = "Processes",
                                       .noun = "process",
                                       .none = "no processes: fxtop record writes them",
                                       .whole = PROCESSES_COMMAND};
    view_table_list_init(&t->list, view->app, &source);
    return t;
}

static void release(struct view *view) {
    struct tree_view *t = view->state;
    answer_drop(&t->answer);
    view_table_list_free(view);
}

static bool step_answer(struct tree_view *t) {
    struct app *app = t->list.app;
    if (!answer_is_of(&t->answer, app->trace, 0)) {
        if (!session_may_ask(app))
            return false;
        table_keep(&t->list.table);
        struct processes *p = answer_ask(&t->answer, &ops, app->trace, 0);
        p->trace = app->trace;
        if (t->answer.shown == NULL)
            table_renew(&t->list.table);
    }
    if (t->answer.done)
        return false;
    table_keep(&t->list.table);
    if (answer_step(&t->answer, app->work)) {
        table_renew(&t->list.table);
        app->dirty = true;
    }
    return !t->answer.done;
}

static bool step(struct view *view) {
    return step_answer(view->state) || view_table_step(view);
}

static bool update(struct view *view, bool renewed) {
    (void)view;
    return !renewed;
}

static void enter(struct view *view) {
    struct app *app = view->app;
    struct relation_row at;
    if (!table_current(view_table_list_table(view), &at))
        return;
    struct processes_row row = processes_of(view->state)->rows.v[at.row];
    size_t n;
    const uint32_t *threads = trace_process_threads(trace_process(app->trace, row.process), &n);
    if (n > 0)
        stat_go(app, &track_thread, threads[0], row.start, row.end);
}

static bool record(struct view *view, struct view_record *record) {
    struct relation_row at;
    if (!table_current(view_table_list_table(view), &at))
        return view_table_no_record(view->app);
    record->offset = processes_of(view->state)->rows.v[at.row].begin;
    return true;
}

const struct view_ops view_tree = {
    .title = "[Processes]",
    .modes = MODE_TABLE,
    .make = make,
    .free = release,
    .draw = view_table_list_draw,
    .update = update,
    .step = step,
    .pointer = view_table_pointer,
    .enter = enter,
    .find = view_table_find,
    .record = record,
    .csv = view_table_csv,
    .table = view_table_list_table,
};
