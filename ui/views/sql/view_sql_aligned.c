/* view_sql_aligned.c - the iterations of :each as strips that begin at one column. A cell has the
 * name of the child that covers at least half of it.
 *
 * The scale is that of the longest iteration on the screen. Time that no child covers is dotted. A
 * strip costs as many questions to a lane as it has cells. */
#include "src/base/units.h"
#include "ui/timeline/colors.h"
#include "ui/views/sql/view_sql_internal.h"

#define LEAST 12 /* cells of a strip */
#define GAP 2

struct iteration {
    bool any;
    int64_t from, to;
    struct lane *children; /* NULL: none */
};

/* An async operation has no row of children: it is a strip of its own name. */
static struct iteration operation_at(struct trace *trace, const struct query_place *place) {
    const struct async *async = trace_async(trace);
    struct iteration it = {.any = false};
    if (place->of >= async_group_count(async) ||
        place->row >= async_group_rows(async_group(async, place->of)))
        return it;
    struct lane *lane = async_group_row(async_group(async, place->of), place->row);
    if (place->i >= lane->n)
        return it;
    const struct slice *s = lane_at(lane, place->i);
    int64_t to = slice_endless(s) ? trace_end(trace) : slice_end(s);
    return (struct iteration){to >= s->start, s->start, to, lane};
}

/* The iteration at a position, if the trace is as it was asked. */
static struct iteration iteration_at(struct view_sql *v, uint32_t at) {
    struct trace *trace = v->app->trace;
    struct relation_row row;
    struct iteration it = {.any = false};
    if (v->generation != trace_generation(trace) || !table_row(&v->table, at, &row))
        return it;
    struct query_place place = v->ops->place(v->answer, row.row);
    if (place.kind == PLACE_OPERATION)
        return operation_at(trace, &place);
    if (place.kind != PLACE_SLICE || place.of >= trace_thread_count(trace))
        return it;
    struct nest *nest = &trace_thread(trace, place.of)->nest;
    if (place.row >= nest_rows(nest) || place.i >= nest_row(nest, place.row)->n)
        return it;
    const struct slice *s = lane_at(nest_row(nest, place.row), place.i);
    int64_t to = slice_endless(s) ? trace_end(trace) : slice_end(s);
    struct lane *children = place.row + 1 < nest_rows(nest) ? nest_row(nest, place.row + 1) : NULL;
    return (struct iteration){to >= s->start, s->start, to, children};
}

static int64_t longest_on_screen(struct view_sql *v) {
    int64_t longest = 1;
    for (int r = 0; r < v->table.rows; r++) {
        struct iteration it = iteration_at(v, (uint32_t)(v->table.top + (uint64_t)r));
        if (it.any && units_since(it.from, it.to) > longest)
            longest = units_since(it.from, it.to);
    }
    return longest;
}

/* The time of cell c of `cells`. */
static int64_t time_of(const struct iteration *it, int64_t scale, int cells, int c) {
    return it->from + (int64_t)((double)scale / cells * c);
}

/* The name of the child that covers most of a cell; LANE_NO_NAME: there is none. */
static uint32_t name_of(const struct iteration *it, int64_t from, int64_t to) {
    uint32_t name = LANE_NO_NAME;
    to = to > it->to ? it->to : to;
    if (it->children == NULL || to <= from)
        return name;
    int64_t busy = lane_column(it->children, from, to, &name);
    return busy >= (to - from) / 2 ? name : LANE_NO_NAME;
}

/* Cells [x, right) of one name. */
static void draw_run(struct app *app, int y, int x, int right, uint32_t name) {
    struct grid *g = &app->grid;
    struct look look = style_look(ROLE_TEXT);
    bool coloured = style_depth() != COLOR_MONO && colors_name(app, name, &look);
    struct str text = trace_name(app->trace, name);
    if (coloured) {
        grid_fill(g, x, y, right - x, ' ', look);
        grid_name(g, (struct grid_place){x, y, right}, text, look, TEXT_TRACK);
        return;
    }
    grid_fill(g, x, y, right - x, ' ', look);
    grid_put(g, x, y, right - x > 1 ? '[' : '|', look);
    if (right - x > 1)
        grid_put(g, right - 1, y, ']', look);
    if (right - x > 2)
        grid_name(g, (struct grid_place){x + 1, y, right - 1}, text, look, TEXT_TRACK);
}

static void draw_strip(struct view_sql *v, const struct iteration *it, int y, int x,
                       int64_t scale) {
    struct app *app = v->app;
    struct grid *g = &app->grid;
    int cells = g->cols - 1 - x, begin = 0;
    uint32_t before = LANE_NO_NAME;
    grid_fill(g, x, y, cells, ' ', style_look(ROLE_TEXT));
    for (int c = 0; c <= cells; c++) {
        int64_t from = time_of(it, scale, cells, c), to = time_of(it, scale, cells, c + 1);
        bool inside = c < cells && (from < it->to || c == 0);
        uint32_t name = inside ? name_of(it, from, to) : LANE_NO_NAME;
        if (name != before && before != LANE_NO_NAME)
            draw_run(app, y, x + begin, x + c, before);
        if (name != before)
            begin = c;
        before = name;
        if (inside && name == LANE_NO_NAME)
            grid_put(g, x + c, y, g->ascii ? '.' : 0xb7, style_look(ROLE_DIM));
    }
}

/* The first column right of the table's. */
static int right_of_table(const struct view_sql *v) {
    int x = v->app->grid.cols - 1;
    while (x > 0 && table_column_at(&v->table, v->app->grid.cols, x) < 0)
        x--;
    return x + 1 + GAP;
}

static void draw_scale(struct view_sql *v, int y, int x, int64_t scale) {
    struct grid *g = &v->app->grid;
    char text[40];
    units_duration(scale, g->ascii, text);
    int right = g->cols - 1 - (int)text_width(str_of(text), 0, sizeof text);
    grid_fill(g, x, y, g->cols - x, ' ', style_look(ROLE_TEXT));
    grid_ztext(g, x, y, g->cols, "from the begin", style_look(ROLE_LABEL));
    if (right > x + 16)
        grid_ztext(g, right, y, g->cols, text, style_look(ROLE_LABEL));
}

void view_sql_aligned_draw(struct view_sql *v, int y) {
    int x = right_of_table(v);
    if (v->app->grid.cols - 1 - x < LEAST)
        return;
    int64_t scale = longest_on_screen(v);
    draw_scale(v, y, x, scale);
    for (int r = 0; r < v->table.rows; r++) {
        struct iteration it = iteration_at(v, (uint32_t)(v->table.top + (uint64_t)r));
        if (it.any)
            draw_strip(v, &it, y + 1 + r, x, scale);
    }
}
