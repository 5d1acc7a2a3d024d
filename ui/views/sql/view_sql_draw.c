/* view_sql_draw.c - the screen of :sql: a rule with the query, the table or the fault, the current
 * row with exact numbers, the state of the query. */
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "src/base/units.h"
#include "ui/views/sql/view_sql.h"
#include "ui/views/sql/view_sql_internal.h"

#define SLOW_NS 100000000 /* a query of which the time is shown */

/* The state of the query that is shown; of one that was not asked there is none. */
static struct answer_look look_of(const struct view_sql *v) {
    return v->asked ? v->ops->look(v->answer) : (struct answer_look){.state = ANSWER_NONE};
}

/* How many damaged and unset times an answer leaves out; false: none. */
static bool left_out_text(const struct answer_look *look, char *out, size_t cap) {
    char said[120];
    bool rows = !left_out_any(look->left_out);
    if (rows && !left_out_any(look->damaged_rows))
        return false;
    if (rows)
        snprintf(out, cap, "%s, without a dur", slice_iter_with_text(look->damaged_rows, said));
    else
        snprintf(out, cap, "%s", slice_iter_left_out_text(look->left_out, said));
    return true;
}

static void rule(struct view_sql *v, int y) {
    struct app *app = v->app;
    char text[160], n[32], some[32] = "", took[32];
    struct answer_look look = look_of(v);
    if (v->table.filter)
        units_count(table_count(&v->table), false, some);
    const char *title = v->each ? "Each" : "SQL";
    bool slow = look.state != ANSWER_NONE && !v->waits && !app->printed && look.ns >= SLOW_NS;
    snprintf(text, sizeof text, "%s  %s%s%s%s%s", v->tables ? "Tables" : title, some,
             *some ? " of " : "", units_count(v->rows, false, n), slow ? "  " : "",
             slow ? units_duration(look.ns, app->grid.ascii, took) : "");
    int x = view_label(&app->grid, view_rule(&app->grid, y), y, str_of(text), ROLE_HEADER) + 1;
    if (left_out_text(&look, text, sizeof text))
        x = view_label(&app->grid, x, y, str_of(text), ROLE_WARN) + 1;
    if (x + 8 < app->grid.cols && !v->tables)
        view_label(&app->grid, x, y, str_of(v->each ? v->each : v->sql), ROLE_DIM);
}

/* The message, and the part of the query around its byte, with a mark below. */
static void draw_fault(struct view_sql *v, struct view_area area, const struct err *err) {
    struct grid *g = &v->app->grid;
    int y = area.y + 2, cols = g->cols - 2;
    unsigned flags = TEXT_TRACK | (g->ascii ? TEXT_ASCII : 0);
    struct str sql = str_of(v->sql);
    if (area.rows < 3)
        return;
    y += 1 + view_table_text(g, y, area.rows - 2, str_of(err->text), ROLE_ERROR);
    if (err->at == ERR_NO_OFFSET || err->at > sql.n || area.rows < 7)
        return;
    size_t before = text_width((struct str){sql.s, (size_t)err->at}, flags, 100000);
    size_t hidden = before > (size_t)cols * 2 / 3 ? before - (size_t)cols * 2 / 3 : 0;
    struct str shown = text_skip(sql, flags, hidden);
    if (y + 1 >= area.y + area.rows)
        return;
    grid_text(g, (struct grid_place){1, y, g->cols - 1}, shown, style_look(ROLE_TEXT), TEXT_TRACK,
              true);
    grid_put(g, 1 + (int)(before - hidden), y + 1, '^', style_look(ROLE_ERROR));
}

/* The value of a column, exact, then with its unit. */
static void add_value(struct view_sql *v, int c, const struct relation_value *value,
                      const struct query_place *place) {
    struct chars *out = &v->pane;
    bool ascii = v->app->grid.ascii, duration = v->columns[c].unit == RELATION_DURATION;
    char buf[48];
    if (value->type == RELATION_INTEGER)
        chars_i64(out, value->integer);
    else if (value->type == RELATION_REAL)
        chars_format(out, "%.15g", value->real);
    else
        chars_add(out, value->text);
    if (value->type == RELATION_INTEGER && value->integer >= 0 && duration)
        chars_format(out, " (%s)", units_duration(value->integer, ascii, buf));
    else if (value->type == RELATION_REAL && value->real >= 0 && value->real < 9e18 && duration)
        chars_format(out, " (%s)", units_duration((int64_t)value->real, ascii, buf));
    else if (value->type == RELATION_INTEGER && place->has_time &&
             strcasecmp(v->titles[c], "ts") == 0)
        chars_format(out, " (%s)",
                     session_point(v->app, place->time, session_resolution(v->app->trace), buf));
}

/* All columns of the row, with exact numbers. One that fits into a line, but not into the rest of
 * it, begins the next. */
static struct str row_text(struct view_sql *v, uint64_t row) {
    size_t line = v->app->grid.cols > 2 ? (size_t)v->app->grid.cols - 2 : 1, used = 0;
    unsigned flags = v->app->grid.ascii ? TEXT_ASCII : 0;
    struct query_place place = v->ops->place(v->answer, row);
    struct relation_value value;
    v->pane.n = 0;
    for (int c = 0; c < v->relation.ncolumns; c++) {
        relation_get(&v->relation, v, (struct relation_row){row, RELATION_NO_ROW}, c, &value);
        if (value.type == RELATION_NULL)
            continue;
        size_t gap = v->pane.n, at = gap > 0 ? gap + 3 : 0;
        if (gap > 0)
            chars_text(&v->pane, "   ");
        chars_text(&v->pane, v->titles[c]);
        chars_put(&v->pane, ' ');
        add_value(v, c, &value, &place);
        size_t width = text_width((struct str){v->pane.v + at, v->pane.n - at}, flags, line + 1);
        used += width + (gap > 0 ? 3 : 0);
        if (used > line && width <= line && gap > 0) {
            memmove(v->pane.v + gap + 1, v->pane.v + at, v->pane.n - at);
            v->pane.v[gap] = '\n';
            v->pane.n -= 2;
            used = width;
        }
    }
    return (struct str){v->pane.v, v->pane.n};
}

static void pane(struct view_sql *v, struct str text, int y, int rows) {
    struct grid *g = &v->app->grid;
    char label[48], n[32];
    snprintf(label, sizeof label, "row %s", units_count((uint64_t)v->table.at + 1, false, n));
    view_label(g, view_rule(g, y), y, str_of(label), ROLE_HEADER);
    if (view_table_text(g, y + 1, rows - 1, text, ROLE_TEXT) > rows - 1)
        grid_put(g, g->cols - 1, y + rows - 1, grid_glyph(g, GLYPH_DOWN), style_look(ROLE_WARN));
}

/* The state of the query, for the status line. */
static void state_text(struct view_sql *v, const struct answer_look *look, char *out, size_t cap) {
    char took[32], n[32];
    const struct table *t = &v->table;
    out[0] = 0;
    if (v->waits)
        snprintf(out, cap, "waits for the trace, Esc drops it");
    else if (v->growing)
        snprintf(out, cap, "%s rows, %s, Esc stops", units_count(look->rows, true, n),
                 units_duration(look->ns, v->app->grid.ascii, took));
    else if (look->sorting)
        snprintf(out, cap, "sorting by %s", table_title(t, t->sort));
    else if (look->state == ANSWER_STOPPED)
        snprintf(out, cap, "stopped: r runs it again");
    else if (look->state == ANSWER_FULL)
        snprintf(out, cap, "more rows: add LIMIT");
    else if (v->stale)
        snprintf(out, cap, "the trace has changed: r runs it again");
    else if (table_percent(t) < 100)
        snprintf(out, cap, "searching %u%%", table_percent(t));
    else if (t->sort >= 0)
        snprintf(out, cap, "sorted by %s", table_title(t, t->sort));
}

/* The text of an empty table. */
static const char *empty_text(const struct view_sql *v, const struct answer_look *look) {
    if (v->waits)
        return "the query runs when the trace is read";
    if (!v->asked)
        return "the query was not run: r runs it";
    if (v->growing)
        return "no row so far";
    if (look->state == ANSWER_STOPPED)
        return "stopped before the first row";
    if (v->rows > 0)
        return "no row matches the filter: & changes it";
    return v->relation.ncolumns > 0 ? "no rows" : "done: the statement has no rows";
}

void view_sql_draw(struct view *view) {
    struct view_sql *v = view->state;
    struct grid *g = &v->app->grid;
    struct view_area area = view_table_area(v->app);
    char right[96];
    struct relation_row row;
    if (v->sql == NULL) {
        view_table_empty(g, area, "no query: e types one");
        return;
    }
    struct answer_look look = look_of(v);
    bool current = table_current(&v->table, &row);
    struct str text = current ? row_text(v, row.row) : STR("");
    int below = current ? view_table_pane_rows(g, area, text) : 0;
    rule(v, area.y);
    if (look.state == ANSWER_FAILED && !v->waits && !v->growing) {
        draw_fault(v, area, look.err);
    } else {
        table_draw(&v->table, g, area.y + 1, area.rows - 1 - below);
        if (v->aligned && v->each && table_count(&v->table) > 0)
            view_sql_aligned_draw(v, area.y + 1);
        if (table_count(&v->table) == 0 && table_percent(&v->table) == 100)
            view_table_empty(g, area, empty_text(v, &look));
    }
    if (below > 0)
        pane(v, text, area.y + area.rows - below, below);
    state_text(v, &look, right, sizeof right);
    view_table_status(v->app, &v->table, "row", right);
}
