
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ui/show.h"
#include "ui/timeline/draw_overview.h"
#include "ui/timeline/find.h"
#include "ui/timeline/move.h"

#include "ui/views/view.h"

#define KEY_NS 10000000 /* of work before a key is answered */
#define IDLE_NS 2000000 /* of work between two looks for a key */

struct views {
    uint32_t generation; /* of the trace */
    struct view_log *log;
    struct view_flows *flows;
};

static struct views *views_of(struct app *app) {
    if (app->views.tables == NULL)
        app->views.tables = err_calloc(1, sizeof *app->views.tables);
    return app->views.tables;
}

bool view_is_table(const struct app *app) {
    return app->views.current == VIEW_LOG || app->views.current == VIEW_FLOWS;
}

void view_free(struct app *app) {
    if (app->views.tables == NULL)
        return;
    view_log_free(app->views.tables->log);
    view_flows_free(app->views.tables->flows);
    free(app->views.tables);
    app->views.tables = NULL;
}

const char *view_title(const struct app *app) {
    return app->views.current == VIEW_LOG ? "[5 Log]" : "[6 Flows]";
}

static struct table *table_of(struct app *app) {
    return app->views.current == VIEW_LOG ? view_log_table(app->views.tables->log)
                                          : view_flows_table(app->views.tables->flows);
}

/* ---- work ---- */

/* How a search that went on for a while ended. */
static void report(struct app *app, struct table *t, enum table_seek before) {
    if (before != SEEK_GOES_ON || t->seek == SEEK_GOES_ON)
        return;
    app->dirty = true;
    if (t->seek == SEEK_NOT_FOUND) {
        char safe[80];
        text_plain(safe, sizeof safe, str_of(pattern_text(t->search)), app->grid.ascii ? TEXT_ASCII : 0);
        session_say(app, true, "no row matches %s", safe);
    } else if (t->seek == SEEK_FOUND && t->seek_wrapped) {
        session_say(app, false, t->seek_direction > 0 ? "search wrapped to the start" : "search wrapped to the end");
    }
}

/* The table, with rows to scroll by until it is drawn. */
static struct table *sized_table(struct app *app) {
    struct table *t = table_of(app);
    if (t->rows == 0)
        t->rows = app->grid.rows > 12 ? app->grid.rows - 10 : 1;
    return t;
}

static bool work(struct app *app, int64_t ns) {
    struct budget budget = budget_until(ns);
    sized_table(app);
    bool more = app->views.current == VIEW_FLOWS && view_flows_step(app->views.tables->flows, &budget);
    struct table *t = sized_table(app); /* the step may have left one */
    enum table_seek before = t->seek;
    enum table_stage stage = t->stage;
    budget = budget_until(ns);
    more = table_step(t, &budget) || more;
    app->dirty = app->dirty || t->stage != stage;
    report(app, t, before);
    return more;
}

bool view_idle(struct app *app) {
    if (!view_is_table(app))
        return false;
    bool more = work(app, IDLE_NS);
    app->dirty = app->dirty || !more;
    return more;
}

void view_update(struct app *app) {
    struct views *v = app->views.tables;
    if (v == NULL)
        return;
    bool same = v->generation == trace_generation(app->trace);
    v->generation = trace_generation(app->trace);
    if (v->log && same && trace_state(app->trace) == TRACE_LOADING)
        table_grow(view_log_table(v->log));
    else if (v->log)
        table_renew(view_log_table(v->log));
    if (v->flows)
        view_flows_update(v->flows);
    if (view_is_table(app))
        work(app, KEY_NS);
}

/* ---- opening and closing ---- */

void view_open_log(struct app *app) {
    struct views *v = views_of(app);
    app->views.current = VIEW_LOG;
    if (v->log == NULL)
        v->log = view_log_new(app);
    else
        view_log_rescope(v->log);
    work(app, KEY_NS);
}

void view_open_flows(struct app *app) {
    struct views *v = views_of(app);
    bool comes = app->views.current != VIEW_FLOWS;
    app->views.current = VIEW_FLOWS;
    if (v->flows == NULL)
        v->flows = view_flows_new(app);
    if (comes)
        view_flows_aim(v->flows);
    work(app, KEY_NS);
}

bool view_record(struct app *app, uint64_t *offset) {
    return app->views.current == VIEW_LOG
               ? view_log_record(app->views.tables->log, offset)
               : app->views.current == VIEW_FLOWS && view_flows_record(app->views.tables->flows, offset);
}

bool view_close(struct app *app) {
    return app->views.current == VIEW_FLOWS && view_flows_up(app->views.tables->flows);
}

void view_back(struct app *app) {
    if (!view_close(app))
        show_timeline(app);
}

void view_go(struct app *app, struct selection selection) {
    show_timeline(app);
    move_remember(app);
    move_pick(app, selection);
}

/* ---- keys ---- */

/* Commands can be typed anywhere. */
static bool in_table(struct app *app) {
    if (!view_is_table(app))
        session_say(app, false, "only in tables: 5 lists the log, 6 the flows");
    return view_is_table(app);
}

static bool in_log(struct app *app) {
    if (app->views.current != VIEW_LOG)
        session_say(app, false, "only in the log: 5 lists it");
    return app->views.current == VIEW_LOG;
}

void view_enter(struct app *app) {
    if (!in_table(app))
        return;
    work(app, KEY_NS);
    if (app->views.current == VIEW_LOG)
        view_log_enter(app->views.tables->log);
    else
        view_flows_enter(app->views.tables->flows);
    if (view_is_table(app))
        work(app, KEY_NS);
}

static void move(struct app *app, int64_t rows) {
    if (!in_table(app))
        return;
    work(app, KEY_NS);
    table_move(table_of(app), rows);
}

static int64_t page(struct app *app) {
    int rows = view_is_table(app) ? table_of(app)->rows : 0;
    return rows > 1 ? rows - 1 : 1;
}

void view_down(struct app *app) {
    move(app, 1);
}

void view_up(struct app *app) {
    move(app, -1);
}

void view_page_down(struct app *app) {
    move(app, page(app));
}

void view_page_up(struct app *app) {
    move(app, -page(app));
}

void view_half_down(struct app *app) {
    move(app, (page(app) + 1) / 2);
}

void view_half_up(struct app *app) {
    move(app, -(page(app) + 1) / 2);
}

void view_start(struct app *app) {
    move(app, INT32_MIN);
}

void view_end(struct app *app) {
    move(app, UINT32_MAX);
}

const char *view_filter_text(struct app *app) {
    if (!in_table(app))
        return NULL;
    struct pattern *filter = table_of(app)->filter;
    return filter ? pattern_text(filter) : "";
}

static void search(struct app *app, struct pattern *pattern, int direction) {
    if (!in_table(app))
        return;
    struct table *t = table_of(app);
    work(app, KEY_NS);
    table_search(t, pattern, direction);
    if (t->seek == SEEK_NONE)
        session_say(app, true, "no search yet: / takes a substring or /regular expression/");
    else
        work(app, KEY_NS);
}

void view_find_next(struct app *app) {
    search(app, NULL, 1);
}

void view_find_previous(struct app *app) {
    search(app, NULL, -1);
}

/* False, and says why, if the text is no pattern. Empty text is no pattern, and NULL. */
static bool pattern_of(struct app *app, const char *text, struct pattern **pattern) {
    struct err err;
    *pattern = *text ? pattern_new(text, false, &err) : NULL;
    if (*text && *pattern == NULL)
        session_say(app, true, "%s", err.text);
    return *text == 0 || *pattern != NULL;
}

void view_filter(struct app *app, const char *text) {
    struct pattern *pattern;
    if (!in_table(app) || !pattern_of(app, text, &pattern))
        return;
    table_filter(table_of(app), pattern);
    work(app, KEY_NS);
}

void view_find(struct app *app, const char *text) {
    struct pattern *pattern;
    if (app->views.current == VIEW_TIMELINE) {
        move_remember(app);
        find_name(app, text);
    } else if (!view_is_table(app)) {
        pager_search(&app->views.pager, *text ? text : NULL, 1, show_text_rows(app));
    } else if (pattern_of(app, text, &pattern)) {
        search(app, pattern, 1);
    }
}

static void sorted(struct app *app) {
    const struct table *t = table_of(app);
    work(app, KEY_NS);
    if (t->sort < 0)
        session_say(app, false, t->inverted ? "latest first" : "in trace order");
    else
        session_say(app, false, "sorted by %s, %s", t->columns[t->sort].title, t->inverted ? "descending" : "ascending");
}

static void sort(struct app *app, int direction) {
    if (!in_table(app))
        return;
    table_sort(table_of(app), direction);
    sorted(app);
}

void view_sort_next(struct app *app) {
    sort(app, 1);
}

void view_sort_previous(struct app *app) {
    sort(app, -1);
}

void view_invert(struct app *app) {
    if (!in_table(app))
        return;
    table_invert(table_of(app));
    sorted(app);
}

void view_silence(struct app *app) {
    if (!in_log(app))
        return;
    struct table *t = table_of(app);
    t->silences = !t->silences;
    table_renew(t);
    work(app, KEY_NS);
    session_say(app, false, t->silences ? "silences shown: gaps over %d times the median" : "silences hidden",
            TABLE_SILENCE);
}

void view_scope(struct app *app) {
    if (!in_log(app))
        return;
    view_log_scope(app->views.tables->log);
    work(app, KEY_NS);
}

void view_pointer(struct app *app, const struct key *key) {
    struct table *t = table_of(app);
    if (key->what == POINTER_WHEEL_UP || key->what == POINTER_WHEEL_DOWN)
        table_scroll(t, key->what == POINTER_WHEEL_UP ? -3 : 3);
    else if (key->what == POINTER_RELEASE)
        table_click(t, key->y - t->y);
}

/* ---- pieces ---- */

int view_rule(struct app *app, int y) {
    grid_fill(&app->grid, 0, y, app->grid.cols, grid_glyph(&app->grid, GLYPH_RULE), style_look(ROLE_DIM));
    return 1;
}

int view_label(struct app *app, int x, int y, struct str text, enum role role) {
    struct grid *g = &app->grid;
    grid_put(g, x, y, ' ', style_look(ROLE_TEXT));
    x = grid_text(g, (struct grid_place){x + 1, y, g->cols - 1}, text, style_look(role), TEXT_TRACK, true);
    grid_put(g, x, y, ' ', style_look(ROLE_TEXT));
    return x + 1;
}

/* Takes off what fits into a row: up to a line end, or as many characters as there are columns for. */
static struct str take_row(struct str *rest, int cols, bool ascii) {
    struct str line = {rest->s, 0};
    if (rest->n == 0) /* then there need be no bytes to point to: of a record whose page is gone */
        return line;
    const char *newline = memchr(rest->s, '\n', rest->n);
    size_t n = newline ? (size_t)(newline - rest->s) : rest->n;
    struct text t = text_begin((struct str){rest->s, n}, ascii ? TEXT_ASCII : 0);
    struct glyph glyph;
    int width = 0;
    while (text_next(&t, &glyph)) {
        width += glyph.width;
        if (width > cols && line.n > 0)
            break;
        if (t.pending_at >= t.pending_n) /* behind a whole character, however it is spelled */
            line.n = n - t.rest.n;
    }
    bool all = line.n == n;
    rest->s += line.n + (all && newline);
    rest->n -= line.n + (all && newline);
    return line;
}

int view_text(struct app *app, int y, int rows, struct str text, enum role role) {
    int used = 0;
    do {
        struct str line = take_row(&text, app->grid.cols - 2, app->grid.ascii);
        if (used < rows)
            grid_text(&app->grid, (struct grid_place){1, y + used, app->grid.cols}, line, style_look(role), 0, false);
        used++;
    } while (text.n > 0 && used < 1000);
    return used;
}

struct str view_join(char *buf, size_t cap, struct str a, const char *between, struct str b) {
    struct str parts[3] = {a, str_of(between), b};
    size_t n = 0;
    for (int i = 0; i < 3; i++) {
        size_t room = cap - n, k = parts[i].n < room ? parts[i].n : room;
        memmove(buf + n, parts[i].s, k);
        n += k;
    }
    return (struct str){buf, n};
}

struct str view_thread(struct trace *trace, uint32_t thread, bool id, char *buf, size_t cap) {
    char made[40], number[24];
    bool named;
    if (thread == NO_THREAD)
        return STR("-");
    const struct thread *t = trace_thread(trace, thread);
    struct str name = trace_thread_name(trace, t, made, &named);
    snprintf(number, sizeof number, "%" PRIu64, t->id.tid);
    if (name.n > cap - 32)
        name.n = cap - 32;
    return view_join(buf, cap, name, named && id ? "/" : "", str_of(named && id ? number : ""));
}

struct str view_slice(struct trace *trace, uint32_t thread, int64_t time) {
    uint32_t row, i;
    if (thread == NO_THREAD)
        return STR("");
    const struct thread *t = trace_thread(trace, thread);
    if (!trace_slice_at(trace, t->number, time, &row, &i))
        return STR("");
    return trace_slice_name(trace, lane_at(nest_row(&t->nest, row), i));
}

void view_draw(struct app *app) {
    struct view_area area = {1, 0};
    if (app->layout.overview >= 0 && app->grid.rows >= 16) {
        draw_overview(app);
        area.y = app->layout.overview + 1;
        if (app->layout.hits >= 0)
            area.y = app->layout.hits + 1;
    }
    area.rows = app->layout.status - area.y;
    if (app->views.current == VIEW_LOG)
        view_log_draw(app->views.tables->log, area);
    else
        view_flows_draw(app->views.tables->flows, area);
}

bool view_csv(struct app *app, FILE *out) {
    if (!view_is_table(app))
        return false;
    table_csv(table_of(app), out);
    return true;
}
