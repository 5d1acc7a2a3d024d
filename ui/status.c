/* status.c - title, status and hint lines, text views, and the frame that puts all panes together. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/store/problem.h"
#include "src/base/units.h"
#include "ui/command.h"
#include "ui/timeline/draw.h"
#include "ui/timeline/find.h"
#include "ui/views/view.h"

static const char *view_name(const struct app *app) {
    static const char *const names[] = {
        [VIEW_TIMELINE] = "[1 Timeline]", [VIEW_HELP] = "[? Help]",     [VIEW_INFO] = "[9 Info]",
        [VIEW_PROBLEMS] = "[Problems]",   [VIEW_OBJECTS] = "[Objects]", [VIEW_BLOBS] = "[Blobs]",
        [VIEW_BLOB] = "[Blob]",           [VIEW_PROFILE] = "[Profile]", [VIEW_BYTES] = "[X Bytes]"};
    if (view_is_table(app))
        return view_title(app);
    if (app->views.current == VIEW_TIMELINE && app->timeline.tracks.kinds != TRACK_LIST_ALL)
        return app->timeline.tracks.kinds >> TRACK_COUNTER & 1 ? "[7 Counters]" : "[8 CPUs]";
    return names[app->views.current];
}

static int percent(struct app *app) {
    uint64_t done, total, at = reader_offset(trace_reader(app->trace)), size = file_size(trace_file(app->trace));
    file_progress(trace_file(app->trace), &done, &total);
    if (trace_state(app->trace) == TRACE_COMPLETE)
        return 100;
    if (total == 0)
        return -1;
    double read = (double)done / (double)total * (size ? (double)at / (double)size : 0);
    return read > 0.99 ? 99 : (int)(read * 100);
}

/* From the right: view, progress, problems; from the left: file, size, events, span as far as they fit. */
void status_draw_title(struct app *app) {
    struct grid *g = &app->grid;
    struct look look = style_look(ROLE_TITLE);
    char right[96], part[160], a[32];
    int done = percent(app);
    uint64_t problems = trace_problem_count(app->trace, false);
    size_t n = 0;
    grid_fill(g, 0, 0, g->cols, ' ', look);
    right[0] = 0;
    if (file_lost(trace_file(app->trace)))
        n += (size_t)snprintf(right + n, sizeof right - n, "file vanished  ");
    if (app->reload.stale)
        n += (size_t)snprintf(right + n, sizeof right - n, "changed  ");
    if (trace_follows(app->trace) && trace_state(app->trace) == TRACE_WAITING)
        n += (size_t)snprintf(right + n, sizeof right - n, "following  ");
    else if (trace_state(app->trace) == TRACE_WAITING && !trace_unsettled(app->trace))
        n += (size_t)snprintf(right + n, sizeof right - n, "waiting  ");
    else if (done < 0)
        n += (size_t)snprintf(right + n, sizeof right - n, "reading  ");
    else if (g->cols >= 60 || done < 100)
        n += (size_t)snprintf(right + n, sizeof right - n, "idx %d%%  ", done);
    snprintf(right + n, sizeof right - n, "%s", view_name(app));
    int x = g->cols - (int)strlen(right) - 1;
    if (x > 8)
        grid_ztext(g, x, 0, g->cols, right, look);
    if (problems > 0 && x > 20) {
        char count[40];
        snprintf(count, sizeof count, "%s", units_count(problems, true, a));
        x -= (int)strlen(count) + 3;
        struct look warn = style_look(ROLE_WARN);
        warn.bg = look.bg;
        warn.attr |= look.attr;
        grid_put(g, x, 0, grid_glyph(g, GLYPH_WARN), warn);
        grid_ztext(g, x + 1, 0, g->cols, count, warn);
    }
    const char *slash = strrchr(trace_path(app->trace), '/');
    struct str name = str_of(slash ? slash + 1 : trace_path(app->trace));
    int at = grid_ztext(g, 1, 0, x - 1, "fxtop", look) + 2;
    size_t wide = text_width(name, TEXT_TRACK, 200);
    at = grid_text(g, at, 0, x - 1, strcmp(trace_path(app->trace), "-") == 0 ? STR("standard input") : name, look,
                   TEXT_TRACK | (g->ascii ? TEXT_ASCII : 0), true);
    (void)wide;
    int64_t span = (int64_t)((uint64_t)trace_end(app->trace) - (uint64_t)trace_origin(app->trace));
    for (int i = 0; i < 3; i++) {
        if (i == 0)
            snprintf(part, sizeof part, "  %s", units_bytes(file_size(trace_file(app->trace)), a));
        else if (i == 1)
            snprintf(part, sizeof part, "  %s ev", units_count(trace_events(app->trace), true, a));
        else
            snprintf(part, sizeof part, "  %s", units_duration(span, g->ascii, a));
        if (at + (int)strlen(part) < x - 1)
            at = grid_ztext(g, at, 0, x - 1, part, look);
    }
}

/* main > Frame 213 > Layout: the row's slices around the cursor, from the right as far as there is room. */
static void breadcrumb(struct app *app, int y, int from) {
    struct grid *g = &app->grid;
    const struct track *track = app_track(app);
    uint32_t thread = app->timeline.selection.kind != SELECTION_NONE
                          ? selection_thread(app->trace, &app->timeline.selection)
                      : track && track->kind == TRACK_THREAD ? track->of
                                                             : NO_THREAD;
    if (thread == NO_THREAD)
        return;
    const struct thread *t = trace_thread(app->trace, thread);
    uint32_t row = app->timeline.selection.row, i = app->timeline.selection.i, rows[8], places[8];
    int n = 0;
    bool found = app->timeline.selection.kind == SELECTION_SLICE;
    if (!found)
        found = nest_at(&t->nest, trace_slice_extra(app->trace),
                        app->timeline.selection.kind == SELECTION_NONE ? app->timeline.cursor
                                                                       : app->timeline.selection.time,
                        &row, &i);
    for (; found && n < 8; n++) {
        rows[n] = row;
        places[n] = i;
        found = nest_parent(&t->nest, trace_slice_extra(app->trace), row, i, &row, &i);
    }
    char buf[40];
    bool named;
    int width = 1, shown = 0;
    unsigned flags = TEXT_TRACK | (g->ascii ? TEXT_ASCII : 0);
    for (; shown < n; shown++) {
        struct str name = trace_name(
            app->trace, trace_packed_name(app->trace, lane_at(nest_row(&t->nest, rows[shown]), places[shown])->a));
        int w = (int)text_width(name, flags, 40) + 3;
        if (from + width + w > g->cols)
            break;
        width += w;
    }
    struct str label = trace_thread_name(app->trace, t, buf, &named);
    int w = (int)text_width(label, flags, 40);
    if (from + width + w > g->cols)
        return;
    struct look look = style_look(ROLE_STATUS), dim = style_look(ROLE_DIM);
    int x = grid_text(g, g->cols - width - w, y, g->cols, label, dim, flags, true);
    for (int k = shown - 1; k >= 0; k--) {
        x = grid_ztext(g, x, y, g->cols, " > ", dim);
        uint32_t name = trace_packed_name(app->trace, lane_at(nest_row(&t->nest, rows[k]), places[k])->a);
        x = grid_text(g, x, y, g->cols, trace_name(app->trace, name), look, flags, true);
    }
}

void status_draw(struct app *app) {
    struct grid *g = &app->grid;
    int y = app->layout.status;
    struct look look = style_look(ROLE_STATUS);
    char text[160], when[48], width[32], each[32];
    if (y < 0)
        return;
    if (app->prompts.line.active) {
        int x = grid_ztext(g, 1, y, g->cols, app->prompts.line.label, style_look(ROLE_PROMPT));
        struct str line = str_of(prompt_text(&app->prompts.line));
        struct str head = {line.s, app->prompts.line.cursor < line.n ? app->prompts.line.cursor : line.n};
        unsigned flags = g->ascii ? TEXT_ASCII : 0;
        size_t skip = 0; /* the cursor stays on the screen */
        while (text_width((struct str){head.s + skip, head.n - skip}, flags, 4000) + 2 > (size_t)(g->cols - x)) {
            skip++;
            while (skip < head.n && ((unsigned char)head.s[skip] & 0xc0) == 0x80)
                skip++;
        }
        int at = x + (int)text_width((struct str){head.s + skip, head.n - skip}, flags, 4000);
        grid_text(g, x, y, g->cols, (struct str){line.s + skip, line.n - skip}, style_look(ROLE_TEXT), flags, false);
        struct cell *c = grid_at(g, at, y);
        if (c)
            c->look.attr |= ATTR_REVERSE;
        return;
    }
    if (app->message.text[0]) {
        grid_zcut(g, 1, y, app->message.text, style_look(app->message.is_error ? ROLE_ERROR : ROLE_STATUS));
        return;
    }
    int64_t per_column = window_per_column(&app->timeline.window);
    int n = snprintf(text, sizeof text, "%s  window %s  %s/col",
                     app_point(app, app->timeline.cursor, per_column / 1000, when),
                     units_duration_short(app->timeline.window.width, g->ascii, width),
                     units_duration_short(per_column, g->ascii, each));
    (void)n;
    int x = grid_ztext(g, 1, y, g->cols, text, look);
    if (app->find.search) {
        uint64_t rank = 0;
        char a[32], b[32];
        struct hit h;
        if (app->find.hits_known && find_hit(app, &h))
            rank = search_rank(app->find.search, &h);
        if (rank > 0)
            snprintf(text, sizeof text, "  hit %s/%s", units_count(rank, false, a),
                     units_count(app->find.hits, false, b));
        else if (app->find.hits == 0 && !app->find.hits_known)
            snprintf(text, sizeof text, "  counting hits");
        else
            snprintf(text, sizeof text, "  %s%s hits", units_count(app->find.hits, false, a),
                     app->find.hits_known ? "" : "+");
        x = grid_ztext(g, x, y, g->cols, text, style_look(ROLE_HIT));
    }
    breadcrumb(app, y, x + 2);
}

void draw_page(struct app *app) {
    pager_draw(&app->views.pager, &app->grid, 1, app->grid.rows - 3);
    if (app->grid.rows < 3)
        return;
    char text[80];
    size_t last = app->views.pager.top + (size_t)(app->grid.rows - 3);
    snprintf(text, sizeof text, "%zu-%zu of %zu lines", app->views.pager.lines.n ? app->views.pager.top + 1 : 0,
             last < app->views.pager.lines.n ? last : app->views.pager.lines.n, app->views.pager.lines.n);
    if (app->prompts.line.active || app->message.text[0])
        status_draw(app);
    else
        grid_ztext(&app->grid, 1, app->grid.rows - 2, app->grid.cols, text, style_look(ROLE_STATUS));
}

static void too_small(struct app *app) {
    struct grid *g = &app->grid;
    char text[48];
    snprintf(text, sizeof text, g->cols >= 17 ? "fxtop needs %dx%d" : "%dx%d!", LAYOUT_MIN_COLS, LAYOUT_MIN_ROWS);
    grid_ztext(g, 0, 0, g->cols, text, style_look(ROLE_TEXT));
}

/* Of a trace that was taken up again since the last update, the lines speak of threads that are not there, or not
 * yet. */
static void take_in_renewed(struct app *app) {
    if (app->reload.generation != trace_generation(app->trace))
        app_update(app);
}

void app_draw_title(struct app *app) {
    take_in_renewed(app);
    if (!app->layout.too_small)
        status_draw_title(app);
}

void app_draw(struct app *app) {
    struct grid *g = &app->grid;
    take_in_renewed(app);
    bool lost = file_lost(trace_file(app->trace));
    grid_clear(g, style_look(ROLE_TEXT));
    app->dirty = false;
    if (app->layout.too_small) {
        too_small(app);
        return;
    }
    status_draw_title(app);
    if (view_is_table(app)) {
        view_draw(app);
    } else if (app->views.current != VIEW_TIMELINE) {
        draw_page(app);
    } else {
        if (!app->layout.drawer_alone) {
            draw_overview(app);
            window_edges(&app->timeline.window, app->timeline.edges);
            draw_ruler(app);
            draw_tracks(app);
            draw_flows(app);
        }
        draw_drawer(app);
        status_draw(app);
    }
    if (app->layout.hint >= 0)
        command_hints(g, app->layout.hint, command_mode_of(app),
                      app->views.current == VIEW_TIMELINE && !app->drawer.focus &&
                          app->timeline.tracks.kinds == TRACK_LIST_COUNTERS);
    if (file_lost(trace_file(app->trace)) != lost) /* noticed by looking at what is gone */
        status_draw_title(app);
}
