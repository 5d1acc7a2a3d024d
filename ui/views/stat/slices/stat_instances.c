/* stat_instances.c - the slices of a row of view 2, longest first; Enter shows one on the timeline,
 * fitted. */
#include "model/output/chars.h"
#include "model/query/detail.h"
#include "src/base/units.h"
#include "ui/drawer/phrase.h"
#include "ui/timeline/find.h"
#include "ui/timeline/move.h"
#include "ui/views/stat/slices/stat_tab.h"
#include "ui/views/view_table.h"

#define KEPT 100000 /* the longest ones */

enum {
    AT,
    THREAD,
    NAME,
    DUR,
    SELF,
    RUNNING,
    RUNNABLE,
    BLOCKED,
    ARGUMENTS,
    SAMPLES,
    ABOUT,
    COLUMNS
};

static const enum instances_column meaning[COLUMNS] = {
    [AT] = INSTANCES_TIME,
    [THREAD] = INSTANCES_THREAD,
    [NAME] = INSTANCES_NAME,
    [DUR] = INSTANCES_DURATION,
    [SELF] = INSTANCES_SELF,
    [RUNNING] = INSTANCES_RUNNING,
    [RUNNABLE] = INSTANCES_RUNNABLE,
    [BLOCKED] = INSTANCES_BLOCKED,
    [ARGUMENTS] = INSTANCES_ARGUMENTS,
    [SAMPLES] = INSTANCES_SAMPLES,
    [ABOUT] = INSTANCES_ABOUT,
};

static const struct relation_column values[COLUMNS] = {
    [AT] = {"ts_ns", "at", RELATION_INTEGER, RELATION_TIME, false},
    [THREAD] = {"thread", "thread", RELATION_TEXT, RELATION_NONE, false},
    [NAME] = {"name", "name", RELATION_TEXT, RELATION_NONE, false},
    [DUR] = {"dur_ns", "dur", RELATION_INTEGER, RELATION_DURATION, false},
    [SELF] = {"self_ns", "self", RELATION_INTEGER, RELATION_DURATION, false},
    [RUNNING] = {"running_ns", "running", RELATION_INTEGER, RELATION_DURATION, false},
    [RUNNABLE] = {"runnable_ns", "runnable", RELATION_INTEGER, RELATION_DURATION, false},
    [BLOCKED] = {"blocked_ns", "blocked", RELATION_INTEGER, RELATION_DURATION, false},
    [ARGUMENTS] = {"args", "arguments", RELATION_TEXT, RELATION_NONE, false},
    [SAMPLES] = {"samples", "samples", RELATION_INTEGER, RELATION_COUNT, false},
    [ABOUT] = {"about_self_ns", "~self", RELATION_INTEGER, RELATION_DURATION, false},
};

static const struct table_column columns[COLUMNS] = {
    [AT] = {NULL, 16, 20, 1, false, true},        [THREAD] = {NULL, 10, 18, 2, false, false},
    [NAME] = {NULL, 10, 20, 3, false, false},     [DUR] = {NULL, 9, 9, 0, true, true},
    [SELF] = {NULL, 9, 9, 3, true, true},         [RUNNING] = {NULL, 9, 9, 5, true, true},
    [RUNNABLE] = {NULL, 9, 9, 7, true, true},     [BLOCKED] = {NULL, 9, 9, 6, true, true},
    [ARGUMENTS] = {NULL, 10, 0, 8, false, false}, [SAMPLES] = {NULL, 7, 8, 1, true, true},
    [ABOUT] = {NULL, 9, 9, 2, true, true},
};

static uint64_t rows(void *ctx) {
    const struct stat_instances *s = stat_tab_data(ctx);
    if (s == NULL)
        return 0;
    return s->complete ? instances_rows(&s->list) : s->so_far.n;
}

/* "name=value; name=value" */
static void arguments(struct stat_instances *s, uint64_t offset, struct relation_value *value) {
    struct detail d;
    struct detail_argument a;
    char buf[64];
    s->text.n = 0;
    if (!detail_open(&d, s->asked.app->trace, offset))
        return;
    struct fxt_arguments args = d.record.args;
    while (detail_argument(&d, &args, &a)) {
        if (s->text.n > 0)
            chars_add(&s->text, STR("; "));
        chars_add(&s->text, a.name);
        chars_add(&s->text, STR("="));
        chars_add(&s->text, a.object.n > 0 ? a.object : detail_value(&a, buf));
    }
    if (s->text.n > 0)
        relation_set_text(value, (struct str){s->text.v, s->text.n});
}

static void get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
    struct stat_instances *s = stat_tab_data(ctx);
    struct trace *trace = s->asked.app->trace;
    const struct instance *x = stat_instances_at(s, row.row);
    int64_t n;
    if (column == THREAD) {
        if (x->track < SLICE_ITER_ASYNC)
            relation_set_text(value,
                              phrase_thread(trace, x->track, " ", value->buf, sizeof value->buf));
    } else if (column == NAME) {
        relation_set_text(value, trace_name(trace, trace_packed_name(trace, x->begin_word)));
    } else if (column == ARGUMENTS) {
        arguments(s, event_offset(x->begin_word), value);
    } else if (instances_value_of(&s->list, x, meaning[column], &n)) {
        relation_set_integer(value, n);
    }
}

static void format(void *ctx, struct relation_row row, int column, struct table_cell *cell) {
    struct stat_instances *s = stat_tab_data(ctx);
    if (column == AT)
        view_table_point(s->asked.app, cell);
    else if (column == DUR && stat_instances_at(s, row.row)->open)
        cell->role = ROLE_WARN;
    else if (column == RUNNING)
        cell->role = ROLE_RUNNING;
    else if (column == RUNNABLE)
        cell->role = ROLE_RUNNABLE;
    else if (column == BLOCKED)
        cell->role = ROLE_BLOCKED;
    else if (column == ARGUMENTS)
        cell->role = ROLE_DIM;
}

static uint64_t id(void *ctx, uint64_t row) {
    const struct stat_instances *s = stat_tab_data(ctx);
    return stat_instances_at(s, row)->begin_word;
}

static const struct relation relation = {"slice", values, COLUMNS, false, rows, get};
static const struct table_source source = {&relation, columns, format, .id = id, .bar = DUR};

static void make(struct task *task, void *data) {
    struct stat_instances *s = data;
    const struct stat_asked *asked = &s->asked;
    slice_group_init(&s->group, asked->app->trace, asked->group->by, asked->argument);
    s->group.apart = asked->kinds == SLICE_ITER_SLICES;
    struct aggregate_key key = slice_group_same(&s->group, asked->group, &asked->key);
    instances_make(task, &s->list, asked->app->trace,
                   &(struct instances_query){.range = asked->range,
                                             .kinds = asked->kinds,
                                             .has = asked->has,
                                             .ctx = asked->ctx,
                                             .group = &s->group,
                                             .key = key,
                                             .most = KEPT,
                                             .so_far = true});
}

static void look(void *data) {
    struct stat_instances *s = data;
    s->complete = s->list.ready;
    vec_reserve(&s->so_far, INSTANCES_SO_FAR);
    s->so_far.n = s->complete ? 0 : instances_so_far(&s->list, s->so_far.v);
}

static unsigned percent(const void *data) {
    return instances_passed(&((const struct stat_instances *)data)->list);
}

static void release(void *data) {
    struct stat_instances *s = data;
    vec_free(&s->so_far);
    instances_free(&s->list);
    slice_group_free(&s->group);
    vec_free(&s->text);
}

static void go(void *data, uint64_t row) {
    struct stat_instances *s = data;
    struct app *app = s->asked.app;
    const struct instance *x = stat_instances_at(s, row);
    struct hit hit = {x->track, x->row, x->i, x->start};
    view_open_timeline(app);
    move_remember(&app->timeline);
    find_go(app, &hit);
    app->timeline.fit = FIT_FITS;
    move_fit(app);
}

const struct stat_tab stat_instances = {
    .title = "",
    .noun = "slice",
    .none = "no slices here",
    .sources = &source,
    .sort = -1,
    .answer = {sizeof(struct stat_instances), make, release},
    .percent = percent,
    .look = look,
    .go = go,
};
