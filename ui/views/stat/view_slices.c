/* view_slices.c - 2 Slices: tabs of tables over the range, the instances of a row, and how long they are.
 *
 * A tab (slices/stat_tab.h) is asked again when the range, the filter, the pivot or the trace has changed. Rows that
 * answer the same question stay until the new ones are complete. Enter on a row of names opens its instances, which
 * take the place of the table; q goes back. */
#include "ui/views/stat/view_slices.h"

#include <stdio.h>
#include <string.h>

#include "model/output/names_list.h"
#include "src/base/units.h"
#include "ui/timeline/filters/track_only.h"
#include "ui/views/stat/slices/stat_filter.h"
#include "ui/views/stat/view_compare.h"
#include "ui/views/stat/view_slices_internal.h"
#include "ui/views/view_table.h"

const struct stat_tab *const view_slices_tabs[SLICES_TABS] = {
    &stat_names, &stat_threads_states, &stat_threads_cpus, &stat_counters,
    &stat_flows, &stat_async,          &stat_gaps,         &stat_logs};

/* ---- asking ---- */

/* The rows of a million names take longer to free than a key may wait: that is left to the steps. */
static void drop(struct slices_view *v, const struct stat_tab *tab, void *data) {
    if (data != NULL)
        vec_push(&v->dropped, ((struct slices_dropped){tab, data}));
}

/* Frees what was dropped; true: all of it. */
static bool free_dropped(struct slices_view *v, struct budget *budget) {
    for (; v->dropped.n > 0; v->dropped.n--) {
        const struct slices_dropped *last = &v->dropped.v[v->dropped.n - 1];
        if (last->tab->free_step && !last->tab->free_step(last->data, budget))
            return false;
        last->tab->free(last->data);
        free(last->data);
    }
    return true;
}

static void drop_shown(struct slices_view *v, const struct stat_tab *tab, struct stat_shown *s) {
    if (s->next != s->data)
        drop(v, tab, s->next);
    drop(v, tab, s->data);
    s->data = s->next = NULL;
    s->done = false;
}

void view_slices_drop(struct slices_view *v) {
    for (size_t i = 0; i <= SLICES_TABS; i++)
        drop_shown(v, i < SLICES_TABS ? view_slices_tabs[i] : &stat_instances, &v->shown[i]);
}

static struct stat_asked asked_of(struct slices_view *v) {
    return (struct stat_asked){.app = v->app,
                               .range = session_range(v->app),
                               .has = v->match ? filter_match_slice : NULL,
                               .ctx = v->match,
                               .by = v->by,
                               .argument = v->argument,
                               .kinds = v->kinds,
                               .group = &v->group,
                               .key = v->key};
}

/* A number that changes with all that the question depends on, besides the trace and the range. */
static uint32_t changes_of(const struct slices_view *v) {
    return v->changes + (v->inside ? v->entered << 16 : 0);
}

static void make_table(struct slices_view *v, const struct stat_tab *tab, struct stat_shown *s) {
    const struct table_source *source = &tab->sources[tab->by_pivot ? v->by : 0];
    if (s->made && s->table.source == source)
        return;
    if (s->made)
        table_free(&s->table);
    table_init(&s->table, source, s, v->app->grid.ascii);
    if (tab->sort >= 0)
        table_sort_by(&s->table, tab->sort);
    s->made = true;
}

/* Whether the answer, shown or under way, is for the current question. */
static bool is_of_now(const struct slices_view *v, const struct stat_shown *s) {
    return s->next && s->version == trace_version(v->app->trace) && s->serial == v->app->range.serial &&
           s->changes == changes_of(v);
}

/* Whether slices have the row and number that the shown rows hold: those may be of an earlier version of the trace. */
static bool places_hold(const struct slices_view *v, const struct stat_shown *s) {
    return s->data == s->next && is_of_now(v, s);
}

static void ask(struct slices_view *v, const struct stat_tab *tab, struct stat_shown *s) {
    bool same = s->data && s->done && s->serial == v->app->range.serial && s->changes == changes_of(v) &&
                s->generation == trace_generation(v->app->trace);
    if (s->next != s->data)
        drop(v, tab, s->next);
    if (!same) {
        drop(v, tab, s->data);
        s->data = NULL;
    }
    s->next = err_calloc(1, tab->size);
    *(struct stat_asked *)s->next = asked_of(v);
    tab->begin(s->next);
    s->version = trace_version(v->app->trace);
    s->generation = trace_generation(v->app->trace);
    s->serial = v->app->range.serial;
    s->changes = changes_of(v);
    s->done = false;
    view_table_look_first(&s->looked);
    if (same)
        return;
    s->data = s->next; /* its rows are shown as they come */
    make_table(v, tab, s);
    table_renew(&s->table);
}

/* A step of the current table's rows; true: there is more. */
static bool step_rows(struct slices_view *v, struct budget *budget) {
    const struct stat_tab *tab = view_slices_tab(v);
    struct stat_shown *s = view_slices_shown(v);
    if (!is_of_now(v, s) && !session_may_ask(v->app))
        return false;
    if (v->match && !filter_match_step(v->match, budget))
        return true;
    if (!is_of_now(v, s))
        ask(v, tab, s);
    if (s->done)
        return false;
    s->done = tab->step(s->next, budget);
    if (s->done) {
        if (s->data != s->next || tab->look)
            table_keep(&s->table);
        if (s->data != s->next)
            drop(v, tab, s->data);
        s->data = s->next;
        if (tab->look)
            tab->look(s->data);
        table_renew(&s->table);
        v->app->dirty = v->app->dirty || !table_holds(&s->table); /* else when its rows are in order */
    } else if (s->data == s->next && view_table_look(&s->table, &s->looked)) {
        if (tab->look) {
            table_keep(&s->table);
            tab->look(s->data);
        }
        table_renew(&s->table);
        v->app->dirty = true;
    }
    return !s->done;
}

/* ---- the distribution ---- */

/* The group whose lengths are shown, and in `key` its number; NULL: none. */
static const struct slice_group *spread_wanted(struct slices_view *v, struct aggregate_key *key) {
    struct relation_row row;
    struct stat_shown *s = view_slices_shown(v);
    *key = v->key;
    if (v->inside)
        return &v->group;
    if (!view_slices_named(v) || s->data == NULL || !table_current(&s->table, &row))
        return NULL;
    const struct stat_names *names = s->data;
    if (row.row >= names_table_rows(&names->table))
        return NULL;
    *key = names_table_row(&names->table, (uint32_t)row.row)->key;
    return &names->table.group;
}

/* The raster has the query of the distribution. The one that is shown stays until then; true: there is more. */
static bool step_raster(struct slices_view *v, struct budget *budget) {
    int columns = stat_raster_columns(v->app);
    if (v->raster == NULL)
        return false;
    if (v->raster_of != v->spreads || v->raster_next->columns != columns) {
        raster_begin(v->raster_next, v->app->trace, &v->spread.query, columns);
        v->raster_of = v->spreads;
    }
    if (v->raster_next->done)
        return false;
    if (!raster_step(v->raster_next, budget))
        return true;
    memcpy(v->raster, v->raster_next, sizeof *v->raster);
    v->raster_begun = v->app->dirty = true;
    return false;
}

/* The row of a distribution in later answers, too. */
static uint64_t spread_id(struct slices_view *v) {
    struct stat_shown *s = view_slices_shown(v);
    struct relation_row row;
    return !v->inside && table_current(&s->table, &row) ? s->table.source->id(s, row.row) : 0;
}

static void begin_spread(struct slices_view *v, const struct slice_group *group, const struct aggregate_key *key) {
    struct stat_asked asked = asked_of(v);
    slice_group_free(&v->spread_group);
    slice_group_init(&v->spread_group, v->app->trace, group->by, v->argument);
    spread_begin(&v->spread_next, v->app->trace,
                 &(struct instances_query){.range = asked.range,
                                           .kinds = v->inside ? v->kinds
                                                    : view_slices_tabs[v->tab] == &stat_async
                                                        ? SLICE_ITER_OPERATIONS
                                                        : SLICE_ITER_SLICES,
                                           .has = asked.has,
                                           .ctx = asked.ctx,
                                           .group = &v->spread_group,
                                           .key = slice_group_same(&v->spread_group, group, key)});
}

/* The distribution is counted again if the question or the trace is another one. Until then that of the same question
 * is shown. */
static bool step_spread(struct slices_view *v, struct budget *budget) {
    struct aggregate_key key;
    const struct stat_shown *s = view_slices_shown(v);
    const struct slice_group *group = s->done && s->table.stage > TABLE_SORT ? spread_wanted(v, &key) : NULL;
    size_t of = v->tab * 2 + v->inside;
    if (group == NULL || !session_may_ask(v->app))
        return false;
    if (v->match && !filter_match_step(v->match, budget))
        return true;
    uint64_t id = spread_id(v);
    bool same = v->spread_begun && v->spread_of == of && v->spread_serial == v->app->range.serial &&
                v->spread_changes == changes_of(v) && v->spread_id == id;
    if (!same) {
        v->spread = (struct spread){.done = false};
        v->chosen = -1;
        v->raster_begun = false;
    }
    if (!same || v->spread_version != trace_version(v->app->trace)) {
        begin_spread(v, group, &key);
        v->spread_begun = true;
        v->spread_version = trace_version(v->app->trace);
        v->spread_serial = v->app->range.serial;
        v->spread_changes = changes_of(v);
        v->spread_of = of;
        v->spread_id = id;
    }
    if (v->spread_next.done)
        return step_raster(v, budget);
    if (!spread_step(&v->spread_next, budget))
        return true;
    v->spread = v->spread_next;
    v->spreads++;
    v->app->dirty = true;
    return v->raster != NULL;
}

static bool step(struct view *view, struct budget *budget) {
    struct slices_view *v = view->state;
    if (!free_dropped(v, budget))
        return true;
    if (!view_slices_shown(v)->done) /* rows so far are in order before more of them come */
        view_table_step(view, budget);
    bool more = step_rows(v, budget);
    more = view_table_step(view, budget) || more;
    return step_spread(v, budget) || more;
}

/* ---- state ---- */

static void *make(struct view *view) {
    struct slices_view *v = err_calloc(1, sizeof *v);
    v->app = view->app;
    v->chosen = -1;
    for (size_t i = 0; i <= SLICES_TABS; i++)
        make_table(v, i < SLICES_TABS ? view_slices_tabs[i] : &stat_instances, &v->shown[i]);
    return v;
}

static void drop_raster(struct slices_view *v) {
    free(v->raster);
    free(v->raster_next);
    v->raster = v->raster_next = NULL;
    v->raster_begun = false;
    v->raster_of = 0;
}

static void free_view(struct view *view) {
    struct slices_view *v = view->state;
    for (size_t i = 0; i <= SLICES_TABS; i++) {
        drop_shown(v, i < SLICES_TABS ? view_slices_tabs[i] : &stat_instances, &v->shown[i]);
        table_free(&v->shown[i].table);
    }
    free_dropped(v, BUDGET_ENDLESS);
    vec_free(&v->dropped);
    slice_group_free(&v->group);
    slice_group_free(&v->spread_group);
    filter_match_free(v->match);
    filter_free(v->filter);
    filter_free(v->before);
    drop_raster(v);
    free(v);
}

static struct table *table(struct view *view) {
    return &view_slices_shown(view->state)->table;
}

static bool up(struct view *view) {
    struct slices_view *v = view->state;
    if (v->chosen >= 0) {
        v->chosen = -1;
        return true;
    }
    if (v->raster) {
        drop_raster(v);
        return true;
    }
    if (!v->inside)
        return false;
    v->inside = false;
    return true;
}

static bool update(struct view *view, bool renewed) {
    struct slices_view *v = view->state;
    if (!renewed)
        return true;
    for (size_t i = 0; i <= SLICES_TABS; i++) { /* numbers mean nothing now */
        drop_shown(v, i < SLICES_TABS ? view_slices_tabs[i] : &stat_instances, &v->shown[i]);
        table_renew(&v->shown[i].table);
    }
    v->inside = v->spread_begun = v->raster_begun = false;
    v->changes++;
    return true;
}

static bool sideways(struct view *view, int direction) {
    struct slices_view *v = view->state;
    if (!view_slices_named(v) || !v->spread_begun || !v->spread.done || v->spread.count_all == 0)
        return false;
    v->chosen = stat_spread_next(&v->spread, v->chosen, direction);
    return true;
}

/* ---- commands ---- */

static struct slices_view *in_slices(struct app *app) {
    struct view *view = app->views.current;
    return view->ops == &view_slices ? view->state : NULL;
}

static void set_pivot(struct slices_view *v, enum slice_group_by by, const char *argument) {
    static const char *const words[GROUPS_BY] = {"by name",    "by name and thread", "by thread",
                                                 "by process", "by category",        "by the values of "};
    v->by = by;
    snprintf(v->argument, sizeof v->argument, "%s", argument);
    v->inside = false;
    v->tab = 0;
    v->changes++;
    v->chosen = -1;
    drop_shown(v, &stat_names, &v->shown[0]); /* before the table's source changes */
    make_table(v, &stat_names, &v->shown[0]);
    table_renew(&v->shown[0].table);
    view_table_work(v->app->views.current);
    session_say(v->app, false, "%s%s", words[by], argument);
}

void view_slices_pivot(struct app *app) {
    struct slices_view *v = in_slices(app);
    if (v)
        set_pivot(v, v->by + 1 < GROUP_BY_ARGUMENT ? v->by + 1 : GROUP_BY_NAME, "");
}

const char *const view_slices_pivots[] = {"name", "name-thread", "thread", "process", "category"};

void view_slices_pivot_by(struct app *app, const char *text) {
    struct slices_view *v = in_slices(app);
    size_t by = 0;
    if (v == NULL || *text == 0)
        return;
    while (by < GROUP_BY_ARGUMENT && strcmp(view_slices_pivots[by], text) != 0)
        by++;
    set_pivot(v, (enum slice_group_by)by, by == GROUP_BY_ARGUMENT ? text : "");
}

void view_slices_wakeups(struct app *app) {
    struct view *view = app->views.current;
    if (view->ops != &view_slices)
        return;
    view_open(app, &view_wakeups);
    app->views.current->back = view;
}

void view_slices_compare(struct app *app) {
    struct view *view = app->views.current;
    view_compare_type(app, session_kept_range(app) ? "kept" : "half");
    if (view != app->views.current)
        app->views.current->back = view;
}

void view_slices_raster(struct app *app) {
    struct slices_view *v = in_slices(app);
    if (v == NULL)
        return;
    bool on = v->raster == NULL;
    drop_raster(v);
    if (on && !view_slices_named(v)) {
        session_say(app, false, "only in the tabs Slices and Async: r shows lengths over time");
        return;
    }
    if (on) {
        v->raster = err_calloc(1, sizeof *v->raster);
        v->raster_next = err_calloc(1, sizeof *v->raster_next);
    }
    view_table_work(app->views.current);
}

void view_slices_other(struct slices_view *v, size_t by) {
    v->inside = false;
    v->chosen = -1;
    v->tab = (v->tab + by) % SLICES_TABS;
    view_table_work(v->app->views.current);
}

static void other(struct view *view) {
    view_slices_other(view->state, 1);
}

void view_slices_back(struct app *app) {
    struct slices_view *v = in_slices(app);
    if (v)
        view_slices_other(v, SLICES_TABS - 1);
}

void view_slices_only(struct app *app) {
    struct slices_view *v = in_slices(app);
    struct aggregate_key key;
    const struct slice_group *group = v ? spread_wanted(v, &key) : NULL;
    struct chars text = {0};
    if (v == NULL)
        return;
    if (group == NULL) {
        session_say(app, false, "only in the tabs Slices and Async: x leaves the slices of the row");
        return;
    }
    if (v->filter) {
        chars_add(&text, str_of(filter_text(v->filter)));
    }
    stat_filter_group(group, &key, &text);
    chars_add(&text, (struct str){"", 1}); /* ends it */
    view_open_timeline(app);
    track_only_set(app, text.v);
    vec_free(&text);
}

/* The instances of a row of names. */
void view_slices_open_row(struct view *view, uint32_t row) {
    struct slices_view *v = view->state;
    const struct stat_names *names = view_slices_shown(v)->data;
    char buf[400];
    slice_group_free(&v->group);
    slice_group_init(&v->group, v->app->trace, names->table.group.by, v->argument);
    v->key = slice_group_same(&v->group, &names->table.group, &names_table_row(&names->table, row)->key);
    struct str text = names_table_text(&names->table, row, buf, sizeof buf);
    snprintf(v->title, sizeof v->title, "%.*s", (int)(text.n < 190 ? text.n : 190), text.s);
    v->kinds = view_slices_tabs[v->tab] == &stat_async ? SLICE_ITER_OPERATIONS : SLICE_ITER_SLICES;
    v->entered++;
    v->inside = true;
    drop_shown(v, &stat_instances, &v->shown[SLICES_TABS]);
    table_renew(&v->shown[SLICES_TABS].table);
    table_go(&v->shown[SLICES_TABS].table, 0);
    view_table_work(view);
}

static bool lists_slices(struct view *view) {
    return ((const struct slices_view *)view->state)->inside;
}

/* Shows on the timeline what the current row is about. */
static void show(struct view *view) {
    struct slices_view *v = view->state;
    struct stat_shown *s = view_slices_shown(v);
    struct relation_row row;
    if (s->data == NULL || !table_current(&s->table, &row) || row.row >= s->table.source->relation->rows(s))
        return;
    if (!places_hold(v, s))
        session_say(v->app, false, "the trace has read on: wait a moment");
    else if (view_slices_tab(v)->go)
        view_slices_tab(v)->go(s->data, row.row);
}

static void enter(struct view *view) {
    struct slices_view *v = view->state;
    struct stat_shown *s = view_slices_shown(v);
    struct relation_row row;
    if (v->chosen >= 0)
        view_slices_filter_bucket(view);
    else if (v->inside || !view_slices_named(v))
        show(view);
    else if (s->data && table_current(&s->table, &row) && row.row < s->table.source->relation->rows(s))
        view_slices_open_row(view, (uint32_t)row.row);
}

static bool record(struct view *view, struct view_record *record) {
    struct slices_view *v = view->state;
    struct stat_shown *s = view_slices_shown(v);
    struct relation_row row;
    if (!v->inside || !table_current(&s->table, &row) || !places_hold(v, s))
        return view_table_no_record(v->app);
    const struct stat_instances *list = s->data;
    record->offset = event_offset(stat_instances_at(list, row.row)->begin_word);
    return true;
}

/* Rows of a table in its order, for the columns of --top. */
static bool row_at(void *ctx, uint64_t at, struct relation_row *row) {
    return table_row(ctx, (uint32_t)at, row);
}

static bool csv(struct view *view, FILE *out) {
    struct slices_view *v = view->state;
    struct stat_shown *s = view_slices_shown(v);
    if (v->inside || !view_slices_named(v) || s->data == NULL)
        return view_table_csv(view, out);
    struct stat_names *names = s->data;
    relation_csv(&names_list, &names->table, out, &(struct relation_order){table_count(&s->table), row_at, &s->table},
                 trace_origin(v->app->trace));
    return fflush(out) == 0 && !ferror(out);
}

/* Only what works on the rows that are shown. */
static const char *const *hints_here(struct view *view) {
    static const char *const of_names[] = {"Enter open",   "Tab tabs",   "& filter", "t pivot",
                                           "x only these", "h/l bucket", NULL};
    static const char *const of_slices[] = {"Enter show", "W why", "& filter", "x only these", "h/l bucket", NULL};
    static const char *const of_others[] = {"Enter show", "Tab tabs", "& filter", NULL};
    const struct slices_view *v = view->state;
    return v->inside ? of_slices : view_slices_named(v) ? of_names : of_others;
}

bool view_slices_has_lengths(const struct app *app) {
    const struct slices_view *v = in_slices((struct app *)app);
    return v && view_slices_named(v);
}

const struct view_ops view_slices = {
    .title = "[2 Slices]",
    .modes = MODE_TABLE | MODE_SLICES,
    .hints_here = hints_here,
    .make = make,
    .free = free_view,
    .up = up,
    .draw = view_slices_draw,
    .update = update,
    .step = step,
    .pointer = view_slices_pointer,
    .other = other,
    .enter = enter,
    .lists_slices = lists_slices,
    .show = show,
    .find = view_table_find,
    .record = record,
    .csv = csv,
    .table = table,
    .set_filter = view_slices_set_filter,
    .type_filter = view_slices_type_filter,
    .filter = view_slices_filter,
    .sideways = sideways,
    .keep = view_slices_keep,
    .put = view_slices_put,
};
