/* view_slices.c - 2 Slices: tabs of tables over the range, the instances of a row, and how long
 * they are.
 *
 * A tab (slices/stat_tab.h) is asked again when the range, the filter, the pivot or the trace has
 * changed. Rows that answer the same question stay until the new ones are complete. Enter on a row
 * of names opens its instances, which take the place of the table; q goes back. */
#include "ui/views/stat/view_slices.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "model/output/names_list.h"
#include "model/query/detail.h"
#include "src/base/text.h"
#include "src/base/units.h"
#include "ui/timeline/filters/track_only.h"
#include "ui/views/stat/slices/stat_filter.h"
#include "ui/views/stat/view_compare.h"
#include "ui/views/stat/view_slices_internal.h"
#include "ui/views/view_table.h"

#define ADDRESS(name) &name,

const struct stat_tab *const view_slices_tabs[SLICES_TABS] = {STAT_TABS(ADDRESS)};

/* ---- asking ---- */

void view_slices_drop(struct slices_view *v) {
    for (size_t i = 0; i <= SLICES_TABS; i++)
        answer_drop(&v->shown[i].answer);
    answer_drop(&v->lengths);
    answer_drop(&v->raster);
}

static struct stat_asked asked_of(struct slices_view *v) {
    bool filtered = v->match && view_slices_named(v);
    return (struct stat_asked){.app = v->app,
                               .range = session_range(v->app),
                               .has = filtered ? filter_match_slice : NULL,
                               .ctx = v->match,
                               .by = v->by,
                               .argument = v->argument,
                               .kinds = v->kinds,
                               .group = &v->group,
                               .key = v->key};
}

/* A number that changes with all that the rows depend on, besides the trace. */
static uint64_t question_of(const struct slices_view *v) {
    return hash_words(v->app->range.serial,
                      v->changes + ((uint64_t)(v->inside ? v->entered : 0) << 32));
}

static void make_table(struct slices_view *v, const struct stat_tab *tab, struct stat_shown *s) {
    const struct table_source *source = &tab->sources[tab->by_pivot ? v->by : 0];
    if (s->made && s->table.source == source)
        return;
    if (s->made)
        table_free(&s->table);
    table_init(&s->table, source, s, v->app->grid.ascii);
    if (tab->sort >= 0)
        table_sort_first(&s->table, tab->sort);
    s->made = true;
}

static bool is_of_now(const struct slices_view *v, const struct stat_shown *s) {
    return answer_is_of(&s->answer, v->app->trace, question_of(v));
}

/* Whether slices have the row and number that the shown rows hold: those may be of an earlier
 * version of the trace. */
static bool places_hold(const struct slices_view *v, const struct stat_shown *s) {
    return s->answer.shown == s->answer.next && is_of_now(v, s);
}

static void ask(struct slices_view *v, const struct stat_tab *tab, struct stat_shown *s) {
    struct stat_asked *asked = answer_ask(&s->answer, &tab->answer, v->app->trace, question_of(v));
    *asked = asked_of(v);
    view_table_look_first(&s->looked);
    if (s->answer.shown)
        return;
    make_table(v, tab, s);
    table_renew(&s->table);
}

/* Rows may get other numbers when they are looked at. */
static void look(const struct stat_tab *tab, struct stat_shown *s) {
    if (tab->look) {
        table_keep(&s->table);
        tab->look(s->answer.shown);
    }
    table_renew(&s->table);
}

/* A step of the current table's rows; true: there is more. */
static bool step_rows(struct slices_view *v) {
    const struct stat_tab *tab = view_slices_tab(v);
    struct stat_shown *s = view_slices_shown(v);
    if (!is_of_now(v, s) && !session_may_ask(v->app))
        return false;
    if (v->match && !filter_match_step(v->match, v->app->work))
        return true;
    if (!is_of_now(v, s))
        ask(v, tab, s);
    if (s->answer.done)
        return false;
    if (s->answer.shown != s->answer.next)
        table_keep(&s->table);
    if (answer_step(&s->answer, v->app->work)) {
        look(tab, s);
        /* else when its rows are in order */
        v->app->dirty = v->app->dirty || !table_holds(&s->table);
    } else if (s->answer.shown == s->answer.next && view_table_look(&s->table, &s->looked)) {
        look(tab, s);
        v->app->dirty = true;
    }
    return !s->answer.done;
}

/* ---- the distribution ---- */

/* The group whose lengths are shown, and in `key` its number; NULL: none. */
static const struct slice_group *group_wanted(struct slices_view *v, struct aggregate_key *key) {
    struct relation_row row;
    struct stat_shown *s = view_slices_shown(v);
    *key = v->key;
    if (v->inside)
        return &v->group;
    if (!view_slices_named(v) || s->answer.shown == NULL || !table_current(&s->table, &row))
        return NULL;
    const struct stat_names *names = s->answer.shown;
    if (row.row >= names_table_rows(&names->table))
        return NULL;
    *key = names_table_row(&names->table, (uint32_t)row.row)->key;
    return &names->table.group;
}

bool view_slices_sampled(struct slices_view *v) {
    struct aggregate_key key;
    return group_wanted(v, &key) && key.b == AGGREGATE_SAMPLED;
}

static void make_lengths(struct task *task, void *data) {
    struct slices_lengths *l = data;
    spread_make(task, &l->spread, l->group.trace, &l->query);
}

static void free_lengths(void *data) {
    slice_group_free(&((struct slices_lengths *)data)->group);
}

static void make_raster(struct task *task, void *data) {
    struct slices_raster *r = data;
    raster_make(task, &r->raster, r->group.trace, &r->query, r->columns);
}

static void free_raster(void *data) {
    slice_group_free(&((struct slices_raster *)data)->group);
}

static const struct answer_ops lengths_ops = {sizeof(struct slices_lengths), make_lengths,
                                              free_lengths};
static const struct answer_ops raster_ops = {sizeof(struct slices_raster), make_raster,
                                             free_raster};

/* A number that changes with the row, and not when the same row comes again in a later answer. */
static uint64_t row_question(struct slices_view *v) {
    struct stat_shown *s = view_slices_shown(v);
    struct relation_row row;
    bool any = !v->inside && table_current(&s->table, &row);
    return hash_words(question_of(v) + v->tab * 2 + v->inside,
                      any ? s->table.source->id(s, row.row) : 0);
}

/* The slices of a group as a query, with the group as one of `own`. */
static struct instances_query query_of(struct slices_view *v, struct slice_group *own,
                                       const struct slice_group *group,
                                       const struct aggregate_key *key) {
    struct stat_asked asked = asked_of(v);
    bool operations =
        v->inside ? v->kinds == SLICE_ITER_OPERATIONS : view_slices_tabs[v->tab] == &stat_async;
    slice_group_init(own, v->app->trace, group->by, v->argument);
    own->apart = !operations;
    return (struct instances_query){.range = asked.range,
                                    .kinds = operations ? SLICE_ITER_OPERATIONS : SLICE_ITER_SLICES,
                                    .has = asked.has,
                                    .ctx = asked.ctx,
                                    .group = own,
                                    .key = slice_group_same(own, group, key)};
}

/* How long the slices of the current row are, and the same over time if it is asked for. */
static bool step_lengths(struct slices_view *v) {
    struct aggregate_key key;
    const struct stat_shown *s = view_slices_shown(v);
    const struct slice_group *group =
        s->answer.done && s->table.ordered ? group_wanted(v, &key) : NULL;
    if (group == NULL || key.b == AGGREGATE_SAMPLED || !session_may_ask(v->app))
        return false;
    if (v->match && !filter_match_step(v->match, v->app->work))
        return true;
    uint64_t question = row_question(v);
    int columns = stat_raster_columns(v->app);
    if (v->lengths.question != question)
        v->chosen = -1;
    if (!answer_is_of(&v->lengths, v->app->trace, question)) {
        struct slices_lengths *l = answer_ask(&v->lengths, &lengths_ops, v->app->trace, question);
        l->query = query_of(v, &l->group, group, &key);
    }
    if (session_work(v->app, &v->lengths))
        return true;
    question = hash_words(question, (uint64_t)columns);
    if (v->rastered && !answer_is_of(&v->raster, v->app->trace, question)) {
        struct slices_raster *r = answer_ask(&v->raster, &raster_ops, v->app->trace, question);
        r->query = query_of(v, &r->group, group, &key);
        r->columns = columns;
    }
    return v->rastered && session_work(v->app, &v->raster);
}

static bool step(struct view *view) {
    struct slices_view *v = view->state;
    if (!view_slices_shown(v)->answer.done) /* rows so far are in order before more of them come */
        view_table_step(view);
    bool more = step_rows(v);
    more = view_table_step(view) || more;
    return step_lengths(v) || more;
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

static void free_view(struct view *view) {
    struct slices_view *v = view->state;
    view_slices_drop(v);
    for (size_t i = 0; i <= SLICES_TABS; i++)
        table_free(&v->shown[i].table);
    slice_group_free(&v->group);
    vec_free(&v->title);
    filter_match_free(v->match);
    filter_free(v->filter);
    filter_free(v->before);
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
    if (v->rastered) {
        v->rastered = false;
        return true;
    }
    if (!v->inside)
        return false;
    v->inside = false;
    return true;
}

static bool has_rows(struct trace *trace, const struct stat_tab *tab) {
    struct slice_series series = {0};
    uint32_t track = 0, row = 0;
    while (slice_iter_series(trace, tab->kinds, &track, &row, &series))
        if (series.n > 0)
            return true;
    return false;
}

/* Whether all slices are those of a profiler, and threads have states: a recorded build. */
static bool only_sampled(struct trace *trace) {
    bool any = false;
    for (uint32_t i = 0; i < trace_thread_count(trace); i++) {
        const struct thread *t = trace_thread(trace, i);
        if (nest_rows(&t->nest) > 0 && !t->sampled)
            return false;
        any = any || nest_rows(&t->nest) > 0;
    }
    return any && has_rows(trace, &stat_threads_states);
}

/* In place of slices, if the trace has none but samples, the first other tab that has rows is shown
 * until one is chosen: Tab goes on from the slices. CPUs, the next tab, have the same threads as
 * states, by CPU time. */
static bool open_view(struct view *view) {
    struct slices_view *v = view->state;
    struct trace *trace = view->app->trace;
    size_t tab = 0;
    if (v->tab_chosen || trace_state(trace) == TRACE_LOADING)
        return true;
    trace_find_sampled(trace);
    if (only_sampled(trace))
        tab++;
    while (tab < SLICES_TABS && !has_rows(trace, view_slices_tabs[tab]))
        tab++;
    if (tab < SLICES_TABS && view_slices_tabs[tab] == &stat_threads_states)
        tab++;
    v->tab = tab < SLICES_TABS ? tab : 0;
    return true;
}

static bool update(struct view *view, bool renewed) {
    struct slices_view *v = view->state;
    if (!renewed)
        return true;
    view_slices_drop(v); /* numbers mean nothing now */
    for (size_t i = 0; i <= SLICES_TABS; i++)
        table_renew(&v->shown[i].table);
    v->inside = false;
    v->changes++;
    return true;
}

static bool sideways(struct view *view, int direction) {
    struct slices_view *v = view->state;
    const struct spread *lengths = view_slices_lengths(v);
    if (!view_slices_named(v) || lengths == NULL || lengths->count_all == 0 ||
        view_slices_sampled(v))
        return false;
    v->chosen = stat_spread_next(lengths, v->chosen, direction);
    return true;
}

/* ---- commands ---- */

static struct slices_view *in_slices(struct app *app) {
    struct view *view = app->views.current;
    return view->ops == &view_slices ? view->state : NULL;
}

static void set_pivot(struct slices_view *v, enum slice_group_by by, const char *argument) {
    static const char *const words[] = {
        [GROUP_BY_NAME] = "by name",         [GROUP_BY_NAME_THREAD] = "by name and thread",
        [GROUP_BY_THREAD] = "by thread",     [GROUP_BY_PROCESS] = "by process",
        [GROUP_BY_TRACE] = "by trace",       [GROUP_BY_PATTERN] = "by pattern of the name",
        [GROUP_BY_CATEGORY] = "by category", [GROUP_BY_ARGUMENT] = "by the values of ",
    };
    static_assert(sizeof words / sizeof *words == GROUPS_BY, "each has its words");
    v->by = by;
    view_slices_match_again(v);
    snprintf(v->argument, sizeof v->argument, "%s", argument);
    v->inside = false;
    v->tab = 0;
    v->tab_chosen = true;
    v->changes++;
    v->chosen = -1;
    answer_drop(&v->shown[0].answer); /* before the table's source changes */
    make_table(v, &stat_names, &v->shown[0]);
    table_renew(&v->shown[0].table);
    view_table_work(v->app->views.current);
    session_say(v->app, false, "%s%s", words[by], argument);
}

/* The argument by which the slices of the row differ: the first text of the current slice, or its
 * first argument. False: it has none, or operations are shown. */
static bool argument_inside(struct slices_view *v, char argument[sizeof v->argument]) {
    struct stat_shown *s = view_slices_shown(v);
    struct relation_row row;
    struct detail d;
    struct detail_argument a;
    bool found = false;
    if (!v->inside || v->kinds != SLICE_ITER_SLICES || s->answer.shown == NULL ||
        !table_current(&s->table, &row) || row.row >= s->table.source->relation->rows(s) ||
        !detail_open(&d, v->app->trace,
                     event_offset(stat_instances_at(s->answer.shown, row.row)->begin_word)))
        return false;
    struct fxt_arguments args = d.record.args;
    for (bool text = false; !text && detail_argument(&d, &args, &a);) {
        text = a.type == FXT_ARG_STRING;
        if ((found && !text) || a.name.n == 0 || a.name.n >= sizeof v->argument)
            continue;
        memcpy(argument, a.name.s, a.name.n);
        argument[a.name.n] = '\0';
        found = true;
    }
    return found;
}

/* The slices of the row by the values of their argument. */
static void pivot_inside(struct slices_view *v, const char *argument) {
    struct chars text = {0};
    if (v->filter)
        chars_add(&text, str_of(filter_text(v->filter)));
    stat_filter_group(&v->group, &v->key, &text);
    chars_put(&text, '\0');
    set_pivot(v, GROUP_BY_ARGUMENT, argument);
    view_slices_set_filter(v->app->views.current, text.v);
    vec_free(&text);
}

/* Patterns have a key of their own; traces are a group if there are several. */
static enum slice_group_by next_pivot(const struct trace *trace, enum slice_group_by by) {
    by += by + 1 == GROUP_BY_TRACE && trace_files(trace) == 1 ? 2 : 1;
    by += by == GROUP_BY_PATTERN;
    return by < GROUP_BY_ARGUMENT ? by : GROUP_BY_NAME;
}

void view_slices_pivot(struct app *app) {
    struct slices_view *v = in_slices(app);
    char argument[sizeof v->argument];
    if (v && argument_inside(v, argument))
        pivot_inside(v, argument);
    else if (v)
        set_pivot(v, next_pivot(app->trace, v->by), "");
}

void view_slices_fold_names(struct app *app) {
    struct slices_view *v = in_slices(app);
    if (v)
        set_pivot(v, v->by == GROUP_BY_PATTERN ? GROUP_BY_NAME : GROUP_BY_PATTERN, "");
}

const char *const view_slices_pivots[] = {"name",  "name-thread", "thread",  "process",
                                          "trace", "pattern",     "category"};

void view_slices_pivot_by(struct app *app, const char *text) {
    struct slices_view *v = in_slices(app);
    size_t by = 0;
    if (v == NULL || *text == 0)
        return;
    while (by < GROUP_BY_ARGUMENT && strcmp(view_slices_pivots[by], text) != 0)
        by++;
    if (by == GROUP_BY_TRACE && trace_files(app->trace) == 1)
        by = GROUP_BY_ARGUMENT;
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
    if (!v->rastered && !view_slices_named(v)) {
        session_say(app, false, "only in the tabs Slices and Async: r shows lengths over time");
        return;
    }
    v->rastered = !v->rastered;
    view_table_work(app->views.current);
}

void view_slices_other(struct slices_view *v, size_t by) {
    v->inside = false;
    v->chosen = -1;
    v->tab = (view_slices_chosen(v) + by) % SLICES_TABS;
    v->tab_chosen = true;
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
    const struct slice_group *group = v ? group_wanted(v, &key) : NULL;
    struct chars text = {0};
    if (v == NULL)
        return;
    if (group == NULL) {
        session_say(app, false,
                    "only in the tabs Slices and Async: x leaves the slices of the row");
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
    const struct stat_names *names = view_slices_shown(v)->answer.shown;
    char buf[400];
    slice_group_free(&v->group);
    slice_group_init(&v->group, v->app->trace, names->table.group.by, v->argument);
    v->key =
        slice_group_same(&v->group, &names->table.group, &names_table_row(&names->table, row)->key);
    struct str text = names_table_text(&names->table, row, buf, sizeof buf);
    v->title.n = 0;
    chars_add(&v->title, text);
    v->kinds = view_slices_tabs[v->tab] == &stat_async ? SLICE_ITER_OPERATIONS : SLICE_ITER_SLICES;
    v->entered++;
    v->inside = true;
    answer_drop(&v->shown[SLICES_TABS].answer);
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
    if (s->answer.shown == NULL || !table_current(&s->table, &row) ||
        row.row >= s->table.source->relation->rows(s))
        return;
    if (!places_hold(v, s))
        session_say(v->app, false, "the trace has read on: wait a moment");
    else if (view_slices_tab(v)->go)
        view_slices_tab(v)->go(s->answer.shown, row.row);
}

static void enter(struct view *view) {
    struct slices_view *v = view->state;
    struct stat_shown *s = view_slices_shown(v);
    struct relation_row row;
    if (v->chosen >= 0)
        view_slices_filter_bucket(view);
    else if (v->inside || !view_slices_named(v))
        show(view);
    else if (s->answer.shown && table_current(&s->table, &row) &&
             row.row < s->table.source->relation->rows(s))
        view_slices_open_row(view, (uint32_t)row.row);
}

static bool record(struct view *view, struct view_record *record) {
    struct slices_view *v = view->state;
    struct stat_shown *s = view_slices_shown(v);
    struct relation_row row;
    if (!v->inside || !table_current(&s->table, &row) || !places_hold(v, s))
        return view_table_no_record(v->app);
    const struct stat_instances *list = s->answer.shown;
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
    if (v->inside || !view_slices_named(v) || s->answer.shown == NULL)
        return view_table_csv(view, out);
    struct stat_names *names = s->answer.shown;
    relation_csv(&names_list, &names->table, out,
                 &(struct relation_order){table_count(&s->table), row_at, &s->table},
                 trace_origin(v->app->trace));
    return fflush(out) == 0 && !ferror(out);
}

/* Only what works on the rows that are shown. */
static const char *const *hints_here(struct view *view) {
    static const char *const of_names[] = {"Enter open",   "Tab tabs",   "& filter", "t pivot",
                                           "x only these", "h/l bucket", NULL};
    static const char *const of_slices[] = {"Enter show",   "W why",      "& filter",
                                            "x only these", "h/l bucket", NULL};
    static const char *const of_others[] = {"Enter show", "Tab tabs", "& filter", NULL};
    struct slices_view *v = view->state;
    char argument[sizeof v->argument], safe[40];
    if (v->inside && argument_inside(v, argument)) {
        text_plain(safe, sizeof safe, str_of(argument), v->app->grid.ascii ? TEXT_ASCII : 0);
        snprintf(v->by_argument, sizeof v->by_argument, "t by %s", safe);
        size_t n = 0;
        for (size_t i = 0; i < sizeof of_slices / sizeof *of_slices; i++) {
            if (i == 2)
                v->of_slices[n++] = v->by_argument;
            v->of_slices[n++] = of_slices[i];
        }
        return v->of_slices;
    }
    if (v->inside)
        return of_slices;
    return view_slices_named(v) ? of_names : of_others;
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
    .open = open_view,
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
