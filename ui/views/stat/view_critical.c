/* view_critical.c - the critical path of the selection or of the range: a table below the tracks of
 * its threads.
 *
 * The path is walked in steps (critical.h) when the view opens, and again when the trace has
 * changed; the path so far stays until then. The rows of the table are its stretches, the last one
 * first. */
#include "ui/views/stat/view_critical.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/query/stat/waits/critical.h"
#include "model/trace/trace_life.h"
#include "src/base/time/sum.h"
#include "src/base/units.h"
#include "ui/drawer/phrase.h"
#include "ui/timeline/draw_instants.h"
#include "ui/timeline/draw_ruler.h"
#include "ui/timeline/move.h"
#include "ui/timeline/range/ranges.h"
#include "ui/timeline/track_ops.h"
#include "ui/timeline/waits/draw_path.h"
#include "ui/views/view_table.h"

enum { FROM, THREAD, STATE, TIME, SHARE, DOING, WHY, COLUMNS };

static const struct relation_column relation_columns[COLUMNS] = {
    [FROM] = {"from_ns", "from", RELATION_INTEGER, RELATION_TIME, false},
    [THREAD] = {"thread", "thread", RELATION_TEXT, RELATION_NONE, false},
    [STATE] = {"state", "state", RELATION_TEXT, RELATION_NONE, false},
    [TIME] = {"time_ns", "time", RELATION_INTEGER, RELATION_DURATION, false},
    [SHARE] = {"share", "of path", RELATION_INTEGER, RELATION_SHARE, false},
    [DOING] = {"doing", "doing", RELATION_TEXT, RELATION_NONE, false},
    [WHY] = {"why", "why here", RELATION_TEXT, RELATION_NONE, false},
};

static const struct table_column columns[COLUMNS] = {
    [FROM] = {NULL, 12, 14, 6, true, true}, [THREAD] = {NULL, 12, 18, 0, false, false},
    [STATE] = {NULL, 9, 9, 2, false, true}, [TIME] = {NULL, 10, 10, 1, true, true},
    [SHARE] = {NULL, 7, 7, 5, true, false}, [DOING] = {NULL, 14, 34, 4, false, false},
    [WHY] = {NULL, 14, 0, 3, false, false},
};

#define CHILDREN 2        /* slices named after the one that holds a stretch */
#define CLIMBED 1000      /* slices from the innermost one up, to the one that holds a stretch */
#define CHILDREN_TRIED 64 /* slices looked at for them */

struct critical_view {
    struct view_table_list list; /* first: the functions of view_table.h see a list */
    struct answer answer;        /* a struct critical */
    uint64_t asked;              /* times that a path was asked for */
    bool of_range;
    struct selection selected; /* that it is of, unless it is of the range */
    uint32_t generation;
    int64_t shown_from, shown_width; /* the window in which the whole path was shown */
    char title[160];
};

static const char *state_name(const struct trace *trace, uint32_t state) {
    static const char *const own[] = {"idle", "in slices", "unknown", "no slice", "not read"};
    const char *name =
        state > SCHED_RUNNING ? own[state - CRITICAL_IDLE] : trace_state_name(trace, state);
    return name ? name : "other";
}

/* The path that is shown, or is walked first; NULL: none was asked for. */
static struct critical *path_of(const struct critical_view *c) {
    return c->answer.shown ? c->answer.shown : c->answer.next;
}

/* ---- words ---- */

static struct str put(char *buf, struct str so_far, const char *between, struct str more) {
    return phrase_join(buf, RELATION_TEXT_MAX, so_far, so_far.n > 0 ? between : "", more);
}

/* The deepest slice of the thread that holds all of [from, to); false: none does. */
static bool holder(struct trace *trace, uint32_t thread, int64_t from, int64_t to, uint32_t *row,
                   uint32_t *i) {
    const struct nest *nest = &trace_thread(trace, thread)->nest;
    bool any = trace_slice_at(trace, thread, from, row, i);
    for (int n = 0; n < CLIMBED && any &&
                    trace_slice_end(trace, thread, lane_at(nest_row(nest, *row), *i)) < to;
         n++)
        any = nest_parent(nest, trace_slice_extra(trace), *row, *i, row, i);
    return any && trace_slice_end(trace, thread, lane_at(nest_row(nest, *row), *i)) >= to;
}

/* "Layout > Measure": the slice that holds the stretch after its parent, or before the first slices
 * within it. */
static struct str doing(struct trace *trace, const struct critical_stretch *s, char *buf) {
    const struct nest *nest = &trace_thread(trace, s->thread)->nest;
    uint32_t row, i, parent_row, parent, below = 0, named = 0;
    struct str text = {buf, 0};
    bool held = holder(trace, s->thread, s->from, s->to, &row, &i);
    if (held)
        below = row + 1;
    uint32_t first = 0, end = 0, last = UINT32_MAX;
    if (below < nest_rows(nest) && (s->state == SCHED_RUNNING || s->state == CRITICAL_COVERED))
        slice_iter_window(nest_row(nest, below), s->from, s->to, &first, &end);
    if (held && first == end &&
        nest_parent(nest, trace_slice_extra(trace), row, i, &parent_row, &parent))
        text = put(buf, text, "",
                   trace_slice_name(trace, lane_at(nest_row(nest, parent_row), parent)));
    if (held)
        text = put(buf, text, " > ", trace_slice_name(trace, lane_at(nest_row(nest, row), i)));
    for (uint32_t k = first; k < end && k - first < CHILDREN_TRIED; k++) {
        const struct slice *child = lane_at(nest_row(nest, below), k);
        uint32_t name = trace_packed_name(trace, child->begin_word);
        if (name == last)
            continue;
        last = name;
        if (named++ == CHILDREN)
            return put(buf, text, "", STR(" ..."));
        text = put(buf, text, named > 1 ? ", " : " > ", trace_name(trace, name));
    }
    return text;
}

static struct str why(struct trace *trace, const struct critical *path, size_t k, char *buf) {
    const struct critical_stretch *s = &path->v.v[k];
    char other[RELATION_TEXT_MAX];
    struct str name = phrase_thread(trace, s->other, NULL, other, sizeof other);
    const char *how = "";
    switch (s->why) {
    case CRITICAL_END:
        return STR("the path ends");
    case CRITICAL_WOKE:
        how = "woke";
        break;
    case CRITICAL_SENT:
        how = "flow to";
        break;
    case CRITICAL_AGAIN:
        how = "before";
        break;
    case CRITICAL_NO_WAKER:
        return STR("unknown waker");
    case CRITICAL_IDLED:
        return STR("woken while idle");
    case CRITICAL_ENDED:
        how = "after the end of";
        break;
    case CRITICAL_CYCLE:
        how = "cycle with";
        break;
    default:
        if (s->state == SCHED_RUNNABLE)
            return STR("waited for CPU");
        return k + 1 == path->v.n ? STR("its begin") : STR("");
    }
    size_t n = strlen(how), most = RELATION_TEXT_MAX - n - 1, more = name.n < most ? name.n : most;
    memcpy(buf, how, n);
    buf[n++] = ' ';
    memcpy(buf + n, name.s, more);
    return (struct str){buf, n + more};
}

static int64_t share_of(const struct critical *path, int64_t ns) {
    return sum_share(sum_from(ns), sum_from(units_since(path->from, path->to)));
}

/* ---- the table ---- */

static uint64_t rows(void *ctx) {
    const struct critical_view *c = ctx;
    return answer_is_complete(&c->answer) ? path_of(c)->v.n : 0;
}

static void get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
    struct critical_view *c = ctx;
    struct trace *trace = c->list.app->trace;
    const struct critical_stretch *s = &path_of(c)->v.v[row.row];
    switch (column) {
    case FROM:
        relation_set_integer(value, s->from);
        break;
    case THREAD:
        relation_set_text(value,
                          phrase_thread(trace, s->thread, " ", value->buf, sizeof value->buf));
        break;
    case STATE:
        relation_set_text(value, str_of(state_name(trace, s->state)));
        break;
    case TIME:
        relation_set_integer(value, units_since(s->from, s->to));
        break;
    case SHARE:
        relation_set_integer(value, share_of(path_of(c), units_since(s->from, s->to)));
        break;
    case DOING:
        relation_set_text(value, doing(trace, s, value->buf));
        break;
    default:
        relation_set_text(value, why(trace, path_of(c), (size_t)row.row, value->buf));
        break;
    }
}

static int64_t key(void *ctx, struct relation_row row, int column) {
    struct critical_view *c = ctx;
    const struct critical_stretch *s = &path_of(c)->v.v[row.row];
    if (column == FROM)
        return s->from;
    return column == STATE ? -(int64_t)s->state : units_since(s->from, s->to);
}

static enum role role_of_state(uint32_t state) {
    switch (state) {
    case SCHED_RUNNING:
        return ROLE_RUNNING;
    case SCHED_RUNNABLE:
        return ROLE_RUNNABLE;
    case SCHED_BLOCKED:
        return ROLE_BLOCKED;
    default:
        return ROLE_DIM;
    }
}

/* Begins count from that of the path. */
static void format(void *ctx, struct relation_row row, int column, struct table_cell *cell) {
    struct critical_view *c = ctx;
    uint32_t state = path_of(c)->v.v[row.row].state;
    char dur[32];
    if (column == FROM) {
        snprintf(cell->buf, sizeof cell->buf, "%s",
                 units_point(units_since(path_of(c)->from, cell->value.integer),
                             session_resolution(c->list.app->trace), c->list.app->grid.ascii, dur));
        cell->text = str_of(cell->buf);
    } else if (column == STATE) {
        cell->role = role_of_state(state);
    } else if (column == WHY || column == FROM) {
        cell->role = ROLE_DIM;
    }
}

static uint64_t id(void *ctx, uint64_t row) {
    struct critical_view *c = ctx;
    return (uint64_t)path_of(c)->v.v[row].from;
}

static const struct relation relation = {"stretch", relation_columns, COLUMNS, false, rows, get};
static const struct table_source source = {&relation, columns, format, .key = key, .id = id};

static void *make(struct view *view) {
    struct critical_view *c = err_calloc(1, sizeof *c);
    c->list = (struct view_table_list){.noun = "stretch", .none = "", .whole = DOING};
    view_table_list_init(&c->list, view->app, &source);
    return c;
}

static void release(struct view *view) {
    answer_drop(&((struct critical_view *)view->state)->answer);
    view_table_list_free(view);
}

/* ---- opening ---- */

static void entitle(struct critical_view *c) {
    struct app *app = c->list.app;
    char buf[96], range[96], safe[60];
    unsigned flags = app->grid.ascii ? TEXT_ASCII : 0;
    const struct slice *s = c->of_range ? NULL : selection_slice(app->trace, &c->selected);
    struct str name = phrase_thread(app->trace, path_of(c)->thread, " ", buf, sizeof buf);
    text_plain(safe, sizeof safe,
               s && selection_is_named(&c->selected) ? trace_slice_name(app->trace, s) : name,
               flags);
    if (!c->of_range)
        snprintf(c->title, sizeof c->title, "%s%s", safe, session_read_text(app));
    else
        snprintf(c->title, sizeof c->title, "%s, %s", safe, session_range_text(app, range));
}

/* The thread and stretch that are asked for; false, after a message: there is none. */
static bool question(struct app *app, bool of_range, uint32_t *thread, int64_t *from, int64_t *to) {
    const struct selection *selection = &app->timeline.selection;
    *thread = selection_any(selection) ? selection_thread(app->trace, selection)
                                       : ranges_thread_here(app);
    if (*thread == NO_THREAD) {
        session_say(app, false,
                    "B needs a thread: select one of its slices or states, or go to its track");
        return false;
    }
    if (of_range || !selection_stretch(app->trace, selection, from, to)) {
        *from = range_begin(session_range(app), app->trace);
        *to = range_end(session_range(app), app->trace);
    }
    if (*from >= *to)
        session_say(app, false, "a path needs time: this stretch has none");
    else if (critical_end(app->trace, *thread, *from, *to) <= *from)
        session_say(app, false, "no path: the thread did not live in this stretch");
    else
        return true;
    return false;
}

/* Shows the whole path, if it is not in the window. */
static void fit(struct critical_view *c) {
    struct timeline *timeline = &c->list.app->timeline;
    move_remember(timeline);
    window_fit(&timeline->window, path_of(c)->from, path_of(c)->to);
    timeline->window_mode = WINDOW_PLACED;
    c->shown_from = timeline->window.from;
    c->shown_width = timeline->window.width;
}

static void ask(struct critical_view *c, uint32_t thread, int64_t from, int64_t to) {
    struct trace *trace = c->list.app->trace;
    struct critical *path = answer_ask(&c->answer, &critical_ops, trace, c->asked);
    critical_set(path, trace, thread, from, to);
}

/* Again: of the range, and then of the selection. */
static bool open(struct view *view) {
    struct critical_view *c = view->state;
    struct app *app = view->app;
    int64_t from, to, length;
    uint32_t thread;
    bool of_range = app->views.current == view && !c->of_range;
    if (!question(app, of_range, &thread, &from, &to))
        return false;
    c->asked++;
    ask(c, thread, from, to);
    c->generation = trace_generation(app->trace);
    c->of_range =
        of_range || !selection_stretch(app->trace, &app->timeline.selection, &from, &length);
    c->selected = app->timeline.selection;
    entitle(c);
    fit(c);
    c->list.table.at = 0;
    table_renew(&c->list.table);
    return true;
}

/* The same question of the trace as it is now: the range, or a slice that has not ended, may be
 * longer. */
static void ask_again(struct critical_view *c) {
    struct app *app = c->list.app;
    const struct critical *path = path_of(c);
    uint32_t thread = path->thread;
    int64_t from = range_begin(session_range(app), app->trace),
            to = range_end(session_range(app), app->trace);
    if (!c->of_range && (!selection_find(app->trace, &c->selected) ||
                         !selection_stretch(app->trace, &c->selected, &from, &to)))
        from = to;
    if (from >= to) {
        from = path->from;
        to = path->to;
    }
    ask(c, thread, from, to);
}

static bool step(struct view *view) {
    struct critical_view *c = view->state;
    bool of_now = answer_is_of(&c->answer, view->app->trace, c->asked);
    if (path_of(c) == NULL || (of_now && c->answer.done) ||
        (!of_now && !session_may_ask(view->app)))
        return view_table_step(view);
    if (!of_now)
        ask_again(c);
    table_keep(&c->list.table);
    if (!answer_step(&c->answer, view->app->work))
        return true;
    entitle(c);
    table_renew(&c->list.table);
    view->app->dirty = view->app->dirty || !table_holds(&c->list.table);
    view_table_step(view);
    return true;
}

/* Threads keep their numbers until the trace is read again. */
static bool update(struct view *view, bool renewed) {
    struct critical_view *c = view->state;
    return !renewed && c->generation == trace_generation(view->app->trace);
}

/* ---- keys ---- */

static const struct critical_stretch *current(struct critical_view *c) {
    struct relation_row row;
    return table_current(&c->list.table, &row) && row.row < path_of(c)->v.n
               ? &path_of(c)->v.v[row.row]
               : NULL;
}

/* The innermost slice at the begin of the stretch, else the state. */
static void enter(struct view *view) {
    struct critical_view *c = view->state;
    struct app *app = view->app;
    const struct critical_stretch *at = current(c);
    uint32_t row, i;
    if (at == NULL)
        return;
    struct critical_stretch s = *at;
    view_open_timeline(app);
    struct sched_thread *t = sched_thread(trace_sched(app->trace), s.thread);
    uint32_t state = t ? lane_before(&t->lane, s.from) : UINT32_MAX;
    if (trace_slice_at(app->trace, s.thread, s.from, &row, &i))
        move_select(app, selection_of_slice(trace_thread(app->trace, s.thread), row, i));
    else if (state != UINT32_MAX)
        move_select(app, selection_of_lane(&track_thread_state, s.thread, 0, &t->lane, state));
    else
        move_show_row(app->trace, &app->timeline, &track_thread, s.thread, 0);
    move_to_time(app, s.from, false);
}

void view_critical_zoom(struct app *app) {
    struct view *view = app->views.current;
    struct critical_view *c = view->ops == &view_critical ? view->state : NULL;
    struct window *window = &app->timeline.window;
    const struct critical_stretch *s = c ? current(c) : NULL;
    struct window before = *window;
    if (s == NULL) {
        session_say(app, false,
                    "Z zooms to a stretch of a critical path: B on the timeline shows one");
        return;
    }
    window_fit(window, s->from, s->to);
    if (window_eq(&before, window))
        window_set(window, c->shown_from, c->shown_width);
    app->timeline.window_mode = WINDOW_PLACED;
}

/* ---- drawing ---- */

static void rule(struct critical_view *c, int y) {
    struct grid *g = &c->list.app->grid;
    char numbers[120], dur[32], n[32];
    int x = view_rule(g, y), room;
    snprintf(numbers, sizeof numbers, "%s, %s stretch%s, back from its end",
             units_duration(units_since(path_of(c)->from, path_of(c)->to), g->ascii, dur),
             units_count(rows(c), false, n), rows(c) == 1 ? "" : "es");
    room = g->cols - (int)text_width(str_of(numbers), 0, 120) - 24;
    if (room < 20) /* columns of the name */
        *strstr(numbers, ", back") = 0;
    room = g->cols - (int)text_width(str_of(numbers), 0, 120) - 24;
    x = view_label(g, x, y, STR("Critical path of"), ROLE_HEADER);
    x = grid_name(g, (struct grid_place){x, y, x + (room > 8 ? room : 8)}, str_of(c->title),
                  style_look(ROLE_HEADER), TEXT_TRACK);
    grid_put(g, x, y, ':', style_look(ROLE_HEADER));
    view_label(g, x + 1, y, str_of(numbers), ROLE_HEADER);
}

/* A line if the path is by slices and flows, and one of the damaged times that it leaves out.
 * Returns their number. */
static int say_source(struct critical_view *c, int y) {
    struct app *app = c->list.app;
    struct left_out left_out = slice_iter_left_out_all(app->trace);
    bool scheduled = sched_thread_count(trace_sched(app->trace)) > 0;
    char said[120] = "";
    if (scheduled && !left_out_any(left_out))
        return 0;
    if (left_out_any(left_out))
        slice_iter_left_out_text(left_out, said);
    int x = scheduled ? 1
                      : grid_ztext(&app->grid, 1, y, app->grid.cols,
                                   "no scheduling in this trace: by slices and flows",
                                   style_look(ROLE_WARN)) +
                            2;
    grid_zcut(&app->grid, x, y, said, style_look(ROLE_WARN));
    return 1;
}

/* " sum   15.60 ms  100 %" under the columns, then the shares of threads and states. */
static void sums(struct critical_view *c, int y, int lines) {
    struct app *app = c->list.app;
    struct grid *g = &app->grid;
    uint32_t threads[4];
    char text[96], dur[32], buf[96];
    size_t n = critical_threads(path_of(c), threads, 4);
    int x = grid_ztext(g, 1, y, g->cols, "sum ", style_look(ROLE_DIM));
    x = grid_ztext(g, x, y, g->cols,
                   units_duration(units_since(path_of(c)->from, path_of(c)->to), g->ascii, dur),
                   style_look(ROLE_VALUE));
    x = grid_ztext(g, x, y, g->cols, "  by state:", style_look(ROLE_DIM));
    for (uint32_t s = CRITICAL_STATES; s-- > 0;) {
        if (path_of(c)->by_state[s] == 0)
            continue;
        snprintf(text, sizeof text, "  %s %s", state_name(path_of(c)->trace, s),
                 sum_share_text(share_of(path_of(c), path_of(c)->by_state[s]), buf));
        if (x + (int)strlen(text) > g->cols) /* half a number is another number */
            break;
        x = grid_ztext(g, x, y, g->cols, text, style_look(ROLE_TEXT));
    }
    if (lines < 2)
        return;
    x = grid_ztext(g, 1, y + 1, g->cols, "by thread:", style_look(ROLE_DIM));
    for (size_t i = 0; i < n && i < 4; i++) {
        x = grid_ztext(g, x, y + 1, g->cols, "  ", style_look(ROLE_TEXT));
        x = grid_text(g, (struct grid_place){x, y + 1, g->cols},
                      phrase_thread(app->trace, threads[i], " ", buf, sizeof buf),
                      style_look(ROLE_TEXT), TEXT_TRACK, true);
        snprintf(text, sizeof text, " %s",
                 sum_share_text(share_of(path_of(c), path_of(c)->by_thread[threads[i]]), dur));
        x = grid_ztext(g, x, y + 1, g->cols, text, style_look(ROLE_VALUE));
    }
    if (n > 4) {
        snprintf(text, sizeof text, "  and %zu more", n - 4);
        grid_ztext(g, x, y + 1, g->cols, text, style_look(ROLE_DIM));
    }
}

/* Ruler and tracks above the table; returns the rows that they took. */
static int picture(struct critical_view *c, struct view_area area) {
    struct app *app = c->list.app;
    struct relation_row row = {0, RELATION_NO_ROW};
    int most = area.rows / 2;
    if (app->grid.rows < 16 || app->layout.small || app->layout.ruler < 0 || most < 4 ||
        rows(c) == 0)
        return 0;
    int ruler = app->layout.ruler;
    app->layout.ruler = area.y;
    window_edges(&app->timeline.window, app->timeline.edges);
    draw_instants_begin(&app->timeline);
    draw_ruler(app);
    app->layout.ruler = ruler;
    table_current(&c->list.table, &row);
    return 1 + draw_path(app, path_of(c), (size_t)row.row, area.y + 1, most - 1);
}

static void draw(struct view *view) {
    struct critical_view *c = view->state;
    struct app *app = view->app;
    struct view_area area = view_table_area(app);
    struct table *t = &c->list.table;
    int used = picture(c, area), below = area.rows < 10 ? 1 : 2;
    if (rows(c) == 0 || area.rows < 5)
        below = 0;
    area.y += used;
    area.rows -= used;
    rule(c, area.y);
    if (!answer_is_complete(&c->answer)) {
        view_table_empty(&app->grid, area, "walking back");
    } else {
        int said = area.rows < 5 ? 0 : say_source(c, area.y + 1);
        area.y += said;
        area.rows -= said;
        int all = area.rows - 1 - below,
            shown = (uint64_t)all > table_count(t) + UINT64_C(1) ? (int)table_count(t) + 1 : all;
        table_draw(t, &app->grid, area.y + 1, all);
        if (below > 0) /* next to the last row, with a blank line if there is one */
            sums(c, area.y + 1 + shown + (shown < all), below);
    }
    view_table_status(app, t, c->list.noun, t->sort >= 0 ? table_title(t, t->sort) : "");
}

/* The path of the range, if there is a selection whose path would open first. */
static void keep(struct view *view, struct chars *out) {
    const struct critical_view *c = view->state;
    int64_t from, to;
    if (c->of_range &&
        selection_stretch(view->app->trace, &view->app->timeline.selection, &from, &to))
        chars_add(out, STR("critical\n"));
}

static const char *const hints[] = {"j/k stretch", "Z zoom", "B the range", NULL};

const struct view_ops view_critical = {
    .title = "[Critical path]",
    .modes = MODE_TABLE,
    .hints = hints,
    .make = make,
    .free = release,
    .open = open,
    .draw = draw,
    .update = update,
    .step = step,
    .pointer = view_table_pointer,
    .enter = enter,
    .find = view_table_find,
    .csv = view_table_csv,
    .table = view_table_list_table,
    .keep = keep,
};
