/* view_table.c - keys, work and frame of the views that are tables.
 *
 * A key first lets the table work (app.work), so that it mostly acts on a complete list. The rest
 * is done between keys by view_table_step(). The result of a search is reported when it is
 * known. */
#include "ui/views/view_table.h"

#include <errno.h>
#include <string.h>

#include "src/base/clock.h"
#include "src/base/units.h"
#include "ui/screen/wrap.h"
#include "ui/status.h"
#include "ui/timeline/draw_overview.h"

/* The current view if it is a table; else NULL, with a message. */
static struct view *in_table(struct app *app) {
    if (!view_is(&app->views, MODE_TABLE)) {
        session_say(app, false, "only in tables: 5 lists the log, 6 the flows");
        return NULL;
    }
    return app->views.current;
}

static struct table *table_of(struct view *view) {
    return view->ops->table(view);
}

#define LOOK_FIRST 30000000 /* ns */
#define LOOK_PAUSE 200000000

/* ---- work ---- */

/* A term whose left side is no column is looked for as text: that is said. */
static bool say_no_column(struct app *app, const struct filter *filter) {
    char safe[80];
    const char *left = filter ? filter_no_column(filter) : NULL;
    if (left) {
        text_plain(safe, sizeof safe, str_of(left), app->grid.ascii ? TEXT_ASCII : 0);
        session_say(app, true, "'%s' is no column of this table, so the term is text", safe);
    }
    return left != NULL;
}

static void report_search(struct app *app, struct table *t, enum table_seek before) {
    if (before != SEEK_GOES_ON || t->seek == SEEK_GOES_ON)
        return;
    app->dirty = true;
    if (t->seek == SEEK_NOT_FOUND) {
        char safe[80];
        text_plain(safe, sizeof safe, str_of(filter_text(t->search)),
                   app->grid.ascii ? TEXT_ASCII : 0);
        bool regex = session_like_regex(filter_text(t->search));
        if (say_no_column(app, t->search))
            return;
        session_say(app, true, "no row matches \"%s\"%s%s", safe,
                    regex ? "; a regular expression takes a second slash: //" : "",
                    regex ? safe : "");
    } else if (t->seek == SEEK_FOUND && t->seek_wrapped) {
        session_say(app, false,
                    t->seek_direction > 0 ? "search wrapped to the start"
                                          : "search wrapped to the end");
    }
}

void view_table_size(struct view *view) {
    const struct grid *grid = &view->app->grid;
    struct table *t = table_of(view);
    if (t->rows == 0)
        t->rows = grid->rows > 12 ? grid->rows - 10 : 1;
}

bool view_table_step(struct view *view) {
    struct app *app = view->app;
    struct table *t = table_of(view);
    view_table_size(view);
    enum table_seek before = t->seek;
    bool ordered = t->ordered, ready = t->ready;
    bool counted, counting = t->typed && (table_typed(t, &counted), !counted);
    uint32_t tenths = table_percent(t) / 10;
    bool more = table_step(t, app->work);
    if (!table_holds(t))
        app->dirty = app->dirty || t->ordered != ordered || t->ready != ready ||
                     table_percent(t) / 10 != tenths;
    app->dirty = app->dirty || (counting && !more);
    report_search(app, t, before);
    return more;
}

void view_table_work(struct view *view) {
    view->ops->step(view);
}

void view_table_look_first(int64_t *looked) {
    *looked = clock_now() - LOOK_PAUSE + LOOK_FIRST;
}

/* Rows that take longer than the pause to get in order would never be, if they began again
 * meanwhile. */
bool view_table_look(const struct table *t, int64_t *looked) {
    int64_t now = clock_now();
    if (now - *looked <= LOOK_PAUSE)
        return false;
    *looked = now;
    return t->ready;
}

/* ---- keys ---- */

void view_table_move(struct app *app, int64_t rows) {
    struct view *view = in_table(app);
    if (view == NULL)
        return;
    view_table_work(view);
    table_move(table_of(view), rows);
}

static int64_t page(struct app *app) {
    int rows = view_is(&app->views, MODE_TABLE) ? table_of(app->views.current)->rows : 0;
    return rows > 1 ? rows - 1 : 1;
}

void view_table_down(struct app *app) {
    view_table_move(app, 1);
}

void view_table_up(struct app *app) {
    view_table_move(app, -1);
}

void view_table_page_down(struct app *app) {
    view_table_move(app, page(app));
}

void view_table_page_up(struct app *app) {
    view_table_move(app, -page(app));
}

void view_table_half_down(struct app *app) {
    view_table_move(app, (page(app) + 1) / 2);
}

void view_table_half_up(struct app *app) {
    view_table_move(app, -(page(app) + 1) / 2);
}

static void sideways(struct app *app, int d) {
    struct view *view = in_table(app);
    if (view && !(view->ops->sideways && view->ops->sideways(view, d)))
        table_scroll_sideways(table_of(view),
                              d * (app->grid.cols / 4 > 0 ? app->grid.cols / 4 : 1));
}

void view_table_left(struct app *app) {
    sideways(app, -1);
}

void view_table_right(struct app *app) {
    sideways(app, 1);
}

void view_table_start(struct app *app) {
    view_table_move(app, INT32_MIN);
}

void view_table_end(struct app *app) {
    view_table_move(app, UINT32_MAX);
}

const char *view_table_prompt(struct app *app) {
    return in_table(app) ? "" : NULL;
}

static void search(struct view *view, struct filter *filter, int direction) {
    struct table *t = table_of(view);
    view_table_work(view);
    table_search(t, filter, direction);
    if (t->seek == SEEK_NONE)
        session_say(view->app, true, "no search yet: / takes a filter, such as a part of a cell");
    else
        view_table_work(view);
}

void view_table_find_next(struct app *app) {
    struct view *view = in_table(app);
    if (view)
        search(view, NULL, 1);
}

void view_table_find_previous(struct app *app) {
    struct view *view = in_table(app);
    if (view)
        search(view, NULL, -1);
}

/* False, with a message, if the text is no filter. Empty text gives NULL. */
static bool filter_of(struct view *view, const char *text, struct filter **filter) {
    struct app *app = view->app;
    struct err err;
    table_of(view)->origin = trace_begin(app->trace);
    *filter = *text ? table_filter_new(table_of(view), text, &err) : NULL;
    if (*text && *filter == NULL)
        session_say(app, true, "%s", err.text);
    return *text == 0 || *filter != NULL;
}

static bool is_filtered_by(const struct table *t, const char *text) {
    return t->filter ? strcmp(filter_text(t->filter), text) == 0 : *text == 0;
}

void view_table_filter_typed(struct app *app, const char *text) {
    struct err err;
    struct view *view = app->views.current;
    if (!view_is(&app->views, MODE_TABLE) ||
        (view->ops->type_filter && view->ops->type_filter(view, text)) ||
        is_filtered_by(table_of(view), text))
        return;
    table_of(view)->origin = trace_begin(app->trace);
    struct filter *filter = *text ? table_filter_new(table_of(view), text, &err) : NULL;
    if (*text && filter == NULL)
        return;
    table_try(table_of(view), filter);
    view_table_work(view);
}

void view_table_filter_cancelled(struct app *app) {
    struct view *view = app->views.current;
    if (!view_is(&app->views, MODE_TABLE) ||
        (view->ops->type_filter && view->ops->type_filter(view, NULL)))
        return;
    table_try_end(table_of(view), false);
    view_table_work(view);
}

void view_table_filter(struct app *app, const char *text) {
    struct filter *filter;
    struct view *view = in_table(app);
    if (view == NULL)
        return;
    if (view->ops->set_filter && view->ops->set_filter(view, text))
        return;
    struct table *t = table_of(view);
    bool taken = t->tries && is_filtered_by(t, text);
    table_try_end(t, taken);
    if (!taken && !filter_of(view, text, &filter))
        return;
    if (!taken)
        table_filter(t, filter);
    say_no_column(app, t->filter);
    if (taken)
        return;
    view_table_work(view);
}

void view_table_find_typed(struct app *app, const char *text) {
    struct err err;
    struct view *view = app->views.current;
    table_of(view)->origin = trace_begin(app->trace);
    struct filter *filter = *text ? table_filter_new(table_of(view), text, &err) : NULL;
    if (*text && filter == NULL)
        return;
    table_type_search(table_of(view), filter);
    view_table_work(view);
}

void view_table_find_cancelled(struct app *app) {
    table_type_search(table_of(app->views.current), NULL);
}

void view_table_find(struct view *view, const char *text) {
    struct filter *filter;
    table_type_search(table_of(view), NULL);
    if (!filter_of(view, text, &filter))
        return;
    if (filter) {
        search(view, filter, 1);
        return;
    }
    if (table_of(view)->search)
        session_say(view->app, false, "search dropped");
    table_drop_search(table_of(view));
}

static void report_order(struct view *view) {
    const struct table *t = table_of(view);
    view_table_work(view);
    if (t->sort < 0)
        session_say(view->app, false, t->inverted ? "latest first" : "in trace order");
    else
        session_say(view->app, false, "sorted by %s, %s", table_title(t, t->sort),
                    table_ascends(t) ? "ascending" : "descending");
}

static void sort(struct app *app, int direction) {
    struct view *view = in_table(app);
    if (view == NULL)
        return;
    table_sort(table_of(view), direction);
    report_order(view);
}

void view_table_sort_next(struct app *app) {
    sort(app, 1);
}

void view_table_sort_previous(struct app *app) {
    sort(app, -1);
}

void view_table_invert(struct app *app) {
    struct view *view = in_table(app);
    if (view == NULL)
        return;
    table_invert(table_of(view));
    report_order(view);
}

void view_table_back(struct app *app) {
    struct view *view = app->views.current;
    if (view->ops->up == NULL || !view->ops->up(view))
        view_open_timeline(app);
}

/* A click on a title sorts by it, a second one the other way round. */
static void click_title(struct view *view, int x) {
    struct table *t = table_of(view);
    int column = table_column_at(t, view->app->grid.cols, x);
    if (column < 0 || !t->columns[column].sorts)
        return;
    if (t->sort == column)
        table_invert(t);
    else
        table_sort_by(t, column);
    report_order(view);
}

void view_table_pointer(struct view *view, const struct key *key) {
    struct table *t = table_of(view);
    if (key->what == POINTER_WHEEL_UP || key->what == POINTER_WHEEL_DOWN)
        table_scroll(t, key->what == POINTER_WHEEL_UP ? -3 : 3);
    else if (key->what == POINTER_RELEASE && key->y == t->y - 1)
        click_title(view, key->x);
    else if (key->what == POINTER_RELEASE)
        table_click(t, key->y - t->y);
}

bool view_table_csv(struct view *view, FILE *out) {
    errno = 0;
    table_csv(table_of(view), out, trace_origin(view->app->trace));
    return fflush(out) == 0 && !ferror(out);
}

bool view_table_in_range(const struct app *app, int64_t time, uint32_t thread) {
    const struct range *range = session_range(app);
    return range_has_time(range, time) && range_has_track(range, thread);
}

int view_table_range_label(struct app *app, int x, int y) {
    char text[96];
    if (!range_any(session_range(app)) && trace_state(app->trace) == TRACE_COMPLETE)
        return x;
    return view_label(&app->grid, x, y, str_of(session_range_text(app, text)), ROLE_WINDOW_MARK) +
           1;
}

bool view_table_no_record(struct app *app) {
    session_say(app, false, "this row is not a record: Enter opens it");
    return false;
}

/* ---- drawing ---- */

struct view_area view_table_area(struct app *app) {
    struct view_area area = {1, 0};
    if (app->layout.overview >= 0 && app->grid.rows >= 16) {
        draw_overview(app);
        area.y = app->layout.overview + 1;
        if (app->layout.hits >= 0)
            area.y = app->layout.hits + 1;
    }
    area.rows = app->layout.status - area.y;
    return area;
}

void view_table_empty(struct grid *grid, struct view_area area, const char *text) {
    int below = area.rows > 3 ? 3 : area.rows - 1;
    if (below > 1)
        grid_ztext(grid, 1, area.y + below, grid->cols, text, style_look(ROLE_DIM));
}

void view_table_typed(struct app *app, const struct table *t) {
    char a[32], b[32];
    uint32_t n = table_count(t);
    bool known = true;
    uint32_t typed = table_typed(t, &known);
    app->prompts.found[0] = 0;
    if (t->typed)
        snprintf(app->prompts.found, sizeof app->prompts.found, "%s%s of %s rows ",
                 units_count(typed, false, a), known ? "" : " ...", units_count(n, false, b));
    else if (t->tries && t->filter)
        snprintf(app->prompts.found, sizeof app->prompts.found, "%s of %s%s rows ",
                 units_count(n, false, a), units_count(t->counted, false, b),
                 t->ready ? "" : " ...");
}

void view_table_status(struct app *app, const struct table *t, const char *noun,
                       const char *right) {
    char left[200], a[32], b[32], safe[80];
    uint32_t n = table_count(t);
    view_table_typed(app, t);
    text_plain(safe, sizeof safe, str_of(t->filter ? filter_text(t->filter) : ""),
               app->grid.ascii ? TEXT_ASCII : 0);
    snprintf(left, sizeof left, "%s %s/%s%s%s", noun,
             units_count(n > 0 ? (uint64_t)t->at + 1 : 0, false, a), units_count(n, false, b),
             t->filter ? "   filter: " : "", safe);
    status_draw_texts(app, left, right);
}

int view_table_pane_rows(const struct grid *grid, struct view_area area, struct str text) {
    if (grid->rows < 16)
        return 0;
    int rows = grid->rows < 28 ? 4 : 5;
    int need = 2 + wrap_count(text, grid->cols - 2, grid->ascii ? TEXT_ASCII : 0),
        most = area.rows / 2;
    if (need <= rows)
        return rows;
    return need < most ? need : most;
}

int view_table_text(struct grid *grid, int y, int rows, struct str text, enum role role) {
    int used = 0;
    do {
        struct str line = wrap_take(&text, grid->cols - 2, grid->ascii ? TEXT_ASCII : 0);
        if (used < rows)
            grid_text(grid, (struct grid_place){1, y + used, grid->cols}, line, style_look(role), 0,
                      false);
        used++;
    } while (text.n > 0 && used < WRAP_LINES);
    return used;
}

void view_table_point(struct app *app, struct table_cell *cell) {
    char when[48];
    if (cell->value.type != RELATION_INTEGER)
        return;
    snprintf(cell->buf, sizeof cell->buf, "%s",
             session_point(app, cell->value.integer, session_resolution(app->trace), when));
    cell->text = str_of(cell->buf);
}

/* ---- views that are one relation ---- */

void view_table_list_init(struct view_table_list *list, struct app *app,
                          const struct table_source *source) {
    list->app = app;
    table_init(&list->table, source, list, app->grid.ascii);
}

void view_table_list_arguments(struct view_table_list *list, uint64_t offset,
                               struct relation_value *value) {
    struct detail d;
    struct detail_argument a;
    char buf[64];
    list->text.n = 0;
    if (!detail_open(&d, list->app->trace, offset))
        return;
    struct fxt_arguments args = d.record.args;
    while (detail_argument(&d, &args, &a)) {
        struct str text = a.object.n > 0 ? a.object : detail_value(&a, buf);
        if (list->text.n > 0)
            chars_add(&list->text, STR("; "));
        chars_add(&list->text, a.name);
        chars_add(&list->text, STR("="));
        chars_add(&list->text, text);
    }
    if (list->text.n > 0)
        relation_set_text(value, (struct str){list->text.v, list->text.n});
}

void view_table_list_free(struct view *view) {
    struct view_table_list *list = view->state;
    table_free(&list->table);
    vec_free(&list->text);
    free(list);
}

struct table *view_table_list_table(struct view *view) {
    return &((struct view_table_list *)view->state)->table;
}

bool view_table_list_update(struct view *view, bool renewed) {
    struct table *t = view_table_list_table(view);
    if (!renewed && trace_state(view->app->trace) == TRACE_LOADING)
        table_grow(t);
    else
        table_renew(t);
    return true;
}

static void list_rule(struct view_table_list *list, int y) {
    struct app *app = list->app;
    char text[112], n[32], some[32] = "";
    if (list->ranged && range_any(session_range(app)))
        units_count(table_count(&list->table), false, some);
    snprintf(text, sizeof text, "%s  %s%s%s", list->heading, some, *some ? " of " : "",
             units_count(list->table.source->relation->rows(list->table.ctx), false, n));
    int x = view_label(&app->grid, view_rule(&app->grid, y), y, str_of(text), ROLE_HEADER) + 1;
    if (list->ranged)
        x = view_table_range_label(app, x, y);
    if (list->hint && x + (int)strlen(list->hint) + 2 < app->grid.cols)
        view_label(&app->grid, x, y, str_of(list->hint), ROLE_DIM);
}

/* The current row's longest column, whole, under the row's number of the status line. */
static void list_pane(struct view_table_list *list, struct str text, int y, int rows) {
    struct app *app = list->app;
    struct grid *g = &app->grid;
    char label[64], n[32];
    snprintf(label, sizeof label, "%s %s", list->noun,
             units_count((uint64_t)list->table.at + 1, false, n));
    view_label(&app->grid, view_rule(&app->grid, y), y, str_of(label), ROLE_HEADER);
    if (view_table_text(&app->grid, y + 1, rows - 1, text, ROLE_TEXT) > rows - 1)
        grid_put(g, g->cols - 1, y + rows - 1, grid_glyph(g, GLYPH_DOWN), style_look(ROLE_WARN));
}

static struct str whole_text(struct view_table_list *list, struct relation_row row,
                             struct relation_value *value) {
    relation_get(list->table.source->relation, list->table.ctx, row, list->whole, value);
    return value->type == RELATION_TEXT ? value->text : STR("");
}

void view_table_list_draw(struct view *view) {
    struct view_table_list *list = view->state;
    struct app *app = view->app;
    struct table *t = &list->table;
    const struct relation *relation = t->source->relation;
    struct view_area area = view_table_area(app);
    struct relation_row row;
    struct relation_value value = {.type = RELATION_NULL};
    char right[48] = "";
    bool current = table_current(t, &row);
    int below = 0;
    if (current)
        below = view_table_pane_rows(&app->grid, area, whole_text(list, row, &value));
    list_rule(list, area.y);
    table_draw(t, &app->grid, area.y + 1, area.rows - 1 - below);
    if (relation->rows(t->ctx) == 0)
        view_table_empty(&app->grid, area, list->none);
    else if (table_count(t) == 0 && table_percent(t) == 100)
        view_table_empty(&app->grid, area, "no row matches the filter: & changes it");
    if (below > 0) /* the rows drawn have used the list's text since */
        list_pane(list, whole_text(list, row, &value), area.y + area.rows - below, below);
    if (table_percent(t) < 100)
        snprintf(right, sizeof right, "searching %u%%", table_percent(t));
    else if (t->sort >= 0)
        snprintf(right, sizeof right, "sorted by %s", table_title(t, t->sort));
    view_table_status(app, t, list->noun, right);
}
