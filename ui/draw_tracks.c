/* draw_tracks.c - overview, ruler, and the tracks with their gutter. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/ticks.h"
#include "ui/draw.h"

#define CROWD 512 /* threads of one process that its header adds up */

static void bar(struct app *app, int y) {
    grid_put(&app->grid, app->layout.gutter, y, grid_glyph(&app->grid, GLYPH_BAR), style_look(ROLE_DIM));
}

static void cursor_mark(struct app *app, int y) {
    int column = window_column(&app->window, app->cursor);
    if (column < 0 || column >= app->window.columns)
        return;
    struct cell *c = grid_at(&app->grid, app->layout.lane + column, y);
    if (c && (c->cp[0] == ' ' || c->cp[0] == 0) && c->look.bg == LOOK_DEFAULT && !(c->look.attr & ATTR_REVERSE))
        grid_put(&app->grid, app->layout.lane + column, y, grid_glyph(&app->grid, GLYPH_CURSOR),
                 style_look(ROLE_CURSOR));
}

/* ---- overview ---- */

/* How busy the threads' top rows are in each column, in eighths of the busiest. */
static void update_overview(struct app *app) {
    int columns = app->window.columns;
    if (app->overview_version == app->version && app->overview_columns == columns)
        return;
    struct window whole = app->window;
    window_whole(&whole, trace_origin(app->trace), trace_end(app->trace), columns);
    window_edges(&whole, app->edges);
    double *busy = err_calloc((size_t)columns, sizeof *busy), most = 0;
    for (size_t k = 0; k < trace_thread_count(app->trace); k++) {
        struct thread *t = trace_thread(app->trace, k);
        if (t->nest.nlanes == 0)
            continue;
        lane_busy_columns(&t->nest.lanes[0], app->edges, columns, busy);
    }
    for (int c = 0; c < columns; c++)
        most = busy[c] > most ? busy[c] : most;
    for (int c = 0; c < columns; c++) {
        int level = most > 0 ? (int)(busy[c] / most * 8 + 0.5) : 0;
        app->overview[c] = (unsigned char)(level == 0 && busy[c] > 0 ? 1 : level);
    }
    free(busy);
    app->overview_version = app->version;
    app->overview_columns = columns;
}

void draw_overview(struct app *app) {
    struct grid *g = &app->grid;
    int y = app->layout.overview, x = app->layout.lane, columns = app->window.columns;
    if (y < 0)
        return;
    struct window whole = app->window;
    window_whole(&whole, trace_origin(app->trace), trace_end(app->trace), columns);
    update_overview(app);
    grid_ztext(g, 0, y, app->layout.gutter, "overview", style_look(ROLE_DIM));
    bar(app, y);
    int from = window_column(&whole, app->window.from);
    int to = window_column(&whole, window_edge(&app->window, columns - 1));
    from = from < 0 ? 0 : from >= columns ? columns - 1 : from;
    to = to < from ? from : to >= columns ? columns - 1 : to;
    bool all = from == 0 && to == columns - 1;
    for (int c = 0; c < columns; c++) {
        bool inside = !all && c >= from && c <= to;
        grid_put(g, x + c, y, grid_level(g, app->overview[c]),
                 style_look(inside ? ROLE_OVERVIEW_WINDOW : ROLE_OVERVIEW));
    }
    if (style_depth() == COLOR_MONO && !all) {
        if (from > 0)
            grid_put(g, x + from - 1, y, '[', style_look(ROLE_OVERVIEW_WINDOW));
        if (to + 1 < columns)
            grid_put(g, x + to + 1, y, ']', style_look(ROLE_OVERVIEW_WINDOW));
    }
    int cursor = window_column(&whole, app->cursor);
    if (cursor >= 0 && cursor < columns && app->overview[cursor] == 0)
        grid_put(g, x + cursor, y, grid_glyph(g, GLYPH_CURSOR), style_look(ROLE_CURSOR));
    if (app->layout.hits < 0 || app->search == NULL)
        return;
    window_edges(&whole, app->edges);
    unsigned char *flags = err_calloc((size_t)columns, 1);
    search_columns(app->search, app->edges, columns, flags);
    y = app->layout.hits;
    int end = grid_text(g, 0, y, app->layout.gutter, STR("/"), style_look(ROLE_HIT), 0, false);
    grid_text(g, end, y, app->layout.gutter, str_of(search_pattern(app->search)), style_look(ROLE_HIT),
              TEXT_TRACK | (g->ascii ? TEXT_ASCII : 0), true);
    bar(app, y);
    for (int c = 0; c < columns; c++)
        if (flags[c])
            grid_put(g, x + c, y, grid_glyph(g, GLYPH_CURSOR), style_look(ROLE_HIT));
    free(flags);
}

/* ---- ruler ---- */

/* "+3.412 s" once at the left, then offsets from it at steps of 1, 2, 5. */
void draw_ruler(struct app *app) {
    struct grid *g = &app->grid;
    int y = app->layout.ruler, columns = app->window.columns;
    if (y < 0)
        return;
    bar(app, y);
    int64_t step = ticks_step((int64_t)(app->window.width / columns) * 9 + 1);
    int64_t origin = trace_origin(app->trace), from = app->window.from;
    uint64_t since = (uint64_t)from - (uint64_t)origin;
    bool before = from < origin;
    /* the base: the last tick at or before the window's start; ticks count from the origin */
    int64_t base = before ? origin : origin + (int64_t)(since - since % (uint64_t)step);
    char text[48];
    int resolution_width = app->layout.gutter - 1;
    app_point(app, base, step, text);
    grid_ztext(g, 0, y, resolution_width, text, style_look(ROLE_RULER));
    int64_t end = window_edge(&app->window, columns);
    int free_from = 0;
    for (int64_t t = base; t < end; t += step) {
        int c = window_column(&app->window, t);
        if (t >= from && c >= free_from && c < columns) {
            char offset[32];
            ticks_duration_short(t - base, g->ascii, offset);
            if (t == base)
                snprintf(offset, sizeof offset, "0");
            int x = app->layout.lane + c;
            grid_put(g, x, y, grid_glyph(g, GLYPH_TICK), style_look(ROLE_RULER));
            if (c + 1 + (int)strlen(offset) <= columns) {
                size_t n = 0; /* "5ms": no blank between number and unit saves a column */
                char packed[36];
                for (const char *p = offset; *p; p++)
                    if (*p != ' ')
                        packed[n++] = *p;
                packed[n] = 0;
                free_from = grid_ztext(g, x + 1, y, app->layout.lane + columns, packed, style_look(ROLE_RULER)) -
                            app->layout.lane + 1;
            }
        }
        if (t > INT64_MAX - step)
            break;
    }
    cursor_mark(app, y);
}

/* ---- tracks ---- */

static unsigned text_flags(const struct app *app) {
    return TEXT_TRACK | (app->grid.ascii ? TEXT_ASCII : 0);
}

/* Name at the left, number at the right; the number is never cut. */
static void gutter_text(struct app *app, int y, int x, struct str name, const char *id, struct look look) {
    int right = app->layout.gutter, n = (int)strlen(id);
    if (right - x - n < 7) /* narrow: the name alone */
        n = 0;
    grid_text(&app->grid, x, y, n > 0 ? right - n - 1 : right, name, look, text_flags(app), true);
    if (n > 0)
        grid_ztext(&app->grid, right - n, y, right, id, style_look(ROLE_DIM));
}

static void process_density(struct app *app, int y, const struct process *p) {
    int columns = app->window.columns;
    double *busy = err_calloc((size_t)columns, sizeof *busy);
    size_t threads = 0;
    for (size_t i = 0; i < p->threads.n && threads < CROWD; i++) {
        struct thread *t = trace_thread(app->trace, p->threads.v[i]);
        if (t->nest.nlanes == 0)
            continue;
        threads++;
        if (t->last < app->edges[0] || t->first > app->edges[columns])
            continue;
        lane_busy_columns(&t->nest.lanes[0], app->edges, columns, busy);
    }
    for (int c = 0; c < columns && threads > 0; c++) {
        int level = (int)(busy[c] / (double)threads * 8 + 0.5);
        if (busy[c] > 0)
            grid_put(&app->grid, app->layout.lane + c, y, grid_level(&app->grid, level < 1 ? 1 : level),
                     style_look(ROLE_DENSITY));
    }
    free(busy);
}

static void draw_process(struct app *app, int y, const struct track *track, bool current) {
    char buf[40], id[24] = "";
    bool named = false, folded = rows_folded(&app->rows, track->process);
    struct look look = style_look(current ? ROLE_GUTTER_CURRENT : ROLE_HEADER);
    grid_put(&app->grid, 0, y, grid_glyph(&app->grid, folded ? GLYPH_OPEN : GLYPH_CLOSED), look);
    grid_put(&app->grid, 1, y, current ? '>' : ' ', look);
    if (track->process == NO_PROCESS) {
        gutter_text(app, y, 1, STR(" no process"), "", look);
        return;
    }
    const struct process *p = trace_process(app->trace, track->process);
    struct str name = trace_process_name(app->trace, p, buf, &named);
    if (named)
        snprintf(id, sizeof id, "%" PRIu64, p->pid);
    gutter_text(app, y, 2, name, id, look);
    process_density(app, y, p);
}

/* Instants stand where the row has room: on the row of the slice around them, counted where crowded. */
static void draw_instants(struct app *app, int y, struct thread *t, uint32_t row) {
    struct grid *g = &app->grid;
    size_t n, lo = 0;
    const struct instant *in = trace_instants(t, &n);
    size_t hi = n;
    int columns = app->window.columns;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (in[mid].time < app->edges[0])
            lo = mid + 1;
        else
            hi = mid;
    }
    while (lo < n && in[lo].time < app->edges[columns]) {
        int c = window_column(&app->window, in[lo].time);
        uint32_t r, i;
        int64_t next = app->edges[c + 1];
        bool picked = app->pick.kind == PICK_INSTANT && app->pick.thread == t->number &&
                      window_column(&app->window, app->pick.time) == c;
        int64_t time = picked ? app->pick.time : in[lo].time;
        uint32_t its = nest_at(&t->nest, trace_aside(app->trace), time, &r, &i) ? r : 0;
        if (its == row) {
            struct look look = style_look(ROLE_INSTANT);
            struct cell *cell = grid_at(g, app->layout.lane + c, y);
            if (cell && cell->look.bg != LOOK_DEFAULT)
                look.bg = cell->look.bg, look.fg = cell->look.fg;
            bool dense = cell && look_eq(cell->look, style_look(ROLE_DENSITY)) && cell->cp[0] != ' ';
            if (picked || !dense) /* how busy a crowded column is says more */
                grid_put(g, app->layout.lane + c, y, grid_glyph(g, GLYPH_INSTANT),
                         picked ? style_selected(look) : look);
        }
        size_t a = lo, b = n; /* the first of the next column */
        while (a < b) {
            size_t mid = a + (b - a) / 2;
            if (in[mid].time < next)
                a = mid + 1;
            else
                b = mid;
        }
        lo = a;
    }
}

static void draw_thread(struct app *app, int y, const struct track *track, uint32_t row, bool current) {
    struct thread *t = trace_thread(app->trace, track->thread);
    char buf[40], id[24] = "";
    bool named;
    struct look look = style_look(current ? ROLE_GUTTER_CURRENT : ROLE_GUTTER);
    grid_put(&app->grid, 0, y, current ? '>' : ' ', look);
    if (row == 0) {
        struct str name = trace_thread_name(app->trace, t, buf, &named);
        if (named)
            snprintf(id, sizeof id, "%" PRIu64, t->id.tid);
        gutter_text(app, y, 1, name, id, look);
    } else if (row + 1 == track->height && track->deeper > 0) {
        grid_printf(&app->grid, 2, y, app->layout.gutter, style_look(ROLE_DIM), "+%u deeper", track->deeper);
    }
    if (row < t->nest.nlanes) {
        const struct lane_look lane = {app->trace, app->search, app_slice(app)};
        draw_lane(app, y, &t->nest.lanes[row], &lane);
    }
    if (t->instants.n > 0)
        draw_instants(app, y, t, row);
}

void draw_tracks(struct app *app) {
    window_edges(&app->window, app->edges);
    for (int r = 0; r < app->layout.track_rows; r++) {
        int y = app->layout.tracks + r;
        uint64_t line = app->top + (uint64_t)r;
        const struct track *track = rows_at(&app->rows, line);
        bool current = line == app->line;
        bar(app, y);
        if (track == NULL)
            continue;
        switch (track->kind) {
        case TRACK_PROCESS:
            draw_process(app, y, track, current);
            break;
        case TRACK_THREAD:
            draw_thread(app, y, track, (uint32_t)(line - track->top), current);
            break;
        default:
            grid_put(&app->grid, 0, y, current ? '>' : ' ', style_look(ROLE_GUTTER));
            grid_printf(&app->grid, 1, y, app->layout.gutter, style_look(ROLE_DIM), "%u without slices", track->thread);
            break;
        }
        if (current)
            cursor_mark(app, y);
    }
    if (app->rows.lines == 0 && app->layout.track_rows > 0)
        grid_ztext(&app->grid, app->layout.lane + 1, app->layout.tracks, app->grid.cols,
                   trace_state(app->trace) == TRACE_COMPLETE ? "no slices or instants in this trace: I tells what is in it"
                                                             : "nothing was read yet",
                   style_look(ROLE_DIM));
}
