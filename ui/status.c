/* status.c - the title line and the status line. */
#include "ui/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/trace/trace_problems.h"
#include "src/base/units.h"
#include "ui/timeline/find.h"
#include "ui/timeline/range/marks.h"
#include "ui/timeline/range/ranges.h"
#include "ui/timeline/track_ops.h"

static int percent(struct app *app) {
    uint64_t done, total, at = reader_offset(trace_reader(app->trace)),
                          size = file_size(trace_file(app->trace));
    file_progress(trace_file(app->trace), &done, &total);
    if (trace_state(app->trace) == TRACE_COMPLETE)
        return 100;
    if (total == 0)
        return -1;
    double read = (double)done / (double)total * (size ? (double)at / (double)size : 0);
    return read > 0.99 ? 99 : (int)(read * 100);
}

/* "flt TEXT" left of column x, over at most a third of the screen. Returns the column where it
 * begins. */
static int draw_filter(struct grid *grid, int x, const char *text, struct look look) {
    unsigned flags = TEXT_TRACK | (grid->ascii ? TEXT_ASCII : 0);
    int most = grid->cols / 3 > 12 ? grid->cols / 3 : 12;
    if (text == NULL || x < 20)
        return x;
    int width = (int)text_width(str_of(text), flags, (size_t)most);
    width = width < most ? width : most;
    x -= width + 6;
    if (x < 1)
        return x + width + 6;
    grid_ztext(grid, x, 0, grid->cols, "flt ", look);
    grid_text(grid, (struct grid_place){x + 4, 0, x + 4 + width}, str_of(text), look, flags, true);
    return x;
}

/* Whether the timeline shows less than the span. */
static bool shows_less(const struct app *app) {
    return session_shows_more(app->trace, app->timeline.shown, SHOWN_SPAN);
}

/* The span, and how much of it is shown, as far as that fits into `space` columns. */
static void put_span(const struct app *app, char *part, size_t size, int space) {
    const struct trace *trace = app->trace;
    char span[32], window[32];
    units_duration(units_since(trace_begin(trace), trace_end(trace)), app->grid.ascii, span);
    units_duration(units_since(trace_window_begin(trace), trace_window_end(trace)), app->grid.ascii,
                   window);
    if (shows_less(app))
        snprintf(part, size, "  %s of %s: 0 shows all", window, span);
    else
        snprintf(part, size, "  %s", span);
    if (shows_less(app) && (int)text_width(str_of(part), 0, size) >= space)
        snprintf(part, size, "  %s of %s", window, span);
}

/* From the right: view, progress, problems; from the left: file, size, events, span as far as they
 * fit. */
void status_draw_title(struct app *app, const char *view, const char *filter) {
    struct grid *g = &app->grid;
    struct look look = style_look(ROLE_TITLE);
    char right[96], part[160], a[32];
    int done = percent(app);
    uint64_t problems = trace_problem_count(app->trace, false);
    size_t n = 0;
    grid_fill(g, 0, 0, g->cols, ' ', look);
    right[0] = 0;
    if (file_lost(trace_file(app->trace)))
        n += (size_t)snprintf(right + n, sizeof right - n, "file truncated  ");
    if (app->reload.reported)
        n += (size_t)snprintf(right + n, sizeof right - n, "changed  ");
    if (trace_follows(app->trace) && trace_state(app->trace) == TRACE_WAITING)
        n += (size_t)snprintf(right + n, sizeof right - n, "following  ");
    else if (trace_state(app->trace) == TRACE_WAITING && !trace_unflushed(app->trace))
        n += (size_t)snprintf(right + n, sizeof right - n, "waiting  ");
    else if (done < 0)
        n += (size_t)snprintf(right + n, sizeof right - n, "reading  ");
    else if (done < 100)
        n += (size_t)snprintf(right + n, sizeof right - n, "idx %d%%  ", done);
    if (app->timeline.tracks.order != ORDER_BY_INTEREST && app->views.current == app->views.home &&
        g->cols >= 60)
        n += (size_t)snprintf(right + n, sizeof right - n, "%s  ",
                              track_order_name(app->timeline.tracks.order));
    snprintf(right + n, sizeof right - n, "%s", view);
    int x = g->cols - (int)strlen(right) - 1;
    if (x > 8)
        grid_ztext(g, x, 0, g->cols, right, look);
    x = draw_filter(&app->grid, x, filter, look);
    if (problems > 0 && x > 20) {
        char count[40];
        snprintf(count, sizeof count, "%s", units_count(problems, true, a));
        x -= (int)strlen(count) + 3;
        struct look warn = style_look(ROLE_TITLE_WARN);
        grid_put(g, x, 0, grid_glyph(g, GLYPH_WARN), warn);
        grid_ztext(g, x + 1, 0, g->cols, count, warn);
    }
    const char *slash = strrchr(trace_path(app->trace), '/');
    struct str name = str_of(slash ? slash + 1 : trace_path(app->trace));
    int at = grid_ztext(g, 1, 0, x - 1, "fxtop", look) + 2;
    at = grid_text(g, (struct grid_place){at, 0, x - 1},
                   strcmp(trace_path(app->trace), "-") == 0 ? STR("standard input") : name, look,
                   TEXT_TRACK | (g->ascii ? TEXT_ASCII : 0), true);
    int first = shows_less(app) ? 2 : 0; /* that the window is not all comes first */
    for (int i = first; i < first + 3; i++) {
        if (i % 3 == 0)
            snprintf(part, sizeof part, "  %s", units_bytes(file_size(trace_file(app->trace)), a));
        else if (i % 3 == 1)
            snprintf(part, sizeof part, "  %s ev", units_count(trace_events(app->trace), true, a));
        else
            put_span(app, part, sizeof part, x - 1 - at);
        if (at + (int)strlen(part) < x - 1)
            at = grid_ztext(g, at, 0, x - 1, part, look);
    }
}

/* ---- where the cursor is ---- */

#define CRUMBS 16    /* slices that are named at most */
#define NAME_MOST 40 /* columns of a name before it is cut */
#define NAME_LEAST 8 /* columns that are worth cutting a name to */

struct crumb {
    struct str name;
    int width;
    struct look look;
};

/* The slices around the cursor, innermost first, then the thread; returns their number. buf: of the
 * thread's name. */
static int crumbs(struct app *app, struct crumb all[CRUMBS + 1], char buf[40], bool *whole) {
    const struct selection *now = &app->timeline.selection;
    uint32_t thread = selection_any(now) ? selection_thread(app->trace, now)
                                         : track_list_thread(session_track(&app->timeline));
    if (thread == NO_THREAD)
        return 0;
    const struct thread *t = trace_thread(app->trace, thread);
    uint32_t row = now->row, i = now->i;
    struct trace_point point = {thread, {now->time, now->offset}, false};
    bool found = selection_is_slice(now) ||
                 (selection_any(now)
                      ? trace_point_slice(app->trace, &point, &row, &i)
                      : trace_slice_at(app->trace, thread, app->timeline.cursor, &row, &i)),
         named;
    int n = 0;
    for (; found && n < CRUMBS; n++) {
        struct str name = trace_slice_name(app->trace, lane_at(nest_row(&t->nest, row), i));
        all[n] = (struct crumb){.name = name, .look = style_look(ROLE_STATUS)};
        found = nest_parent(&t->nest, trace_slice_extra(app->trace), row, i, &row, &i);
    }
    *whole = !found;
    if (!found)
        all[n++] = (struct crumb){.name = trace_thread_name(app->trace, t, buf, &named),
                                  .look = style_look(ROLE_STATUS)};
    unsigned flags = TEXT_TRACK | (app->grid.ascii ? TEXT_ASCII : 0);
    for (int k = 0; k < n; k++)
        all[k].width = (int)text_width(all[k].name, flags, NAME_MOST);
    return n;
}

/* main > Frame 213 > Layout, cut from the left: the innermost name is the last to go. */
static void breadcrumb(struct app *app, int y, int from) {
    struct grid *g = &app->grid;
    struct crumb all[CRUMBS + 1];
    struct look look = style_look(ROLE_STATUS);
    char buf[40];
    bool whole = true;
    int n = crumbs(app, all, buf, &whole), shown = 0, width = 0, room = g->cols - 1 - from;
    if (n > 0 && all[0].width > room) { /* the innermost name is cut itself */
        if (room < NAME_LEAST)
            return;
        all[0].width = room;
    }
    while (shown < n) { /* a name that is left out leaves "... > " */
        int separator = shown > 0 ? 3 : 0, rest = shown + 1 < n || !whole ? 4 : 0;
        if (shown > 0 && width + separator + all[shown].width + rest > room)
            break;
        width += separator + all[shown++].width;
    }
    bool cut = (shown < n || !whole) && width + 4 <= room;
    int x = g->cols - 1 - width - (cut ? 4 : 0);
    if (cut) {
        grid_put(g, x, y, grid_glyph(g, GLYPH_ELLIPSIS), look);
        x = grid_ztext(g, x + 1, y, g->cols, " > ", look);
    }
    if (n > 1)
        all[0].look.attr |= ATTR_BOLD;
    for (int k = shown - 1; k >= 0; k--) {
        x = grid_name(g, (struct grid_place){x, y, x + all[k].width}, all[k].name, all[k].look,
                      TEXT_TRACK);
        if (k > 0)
            x = grid_ztext(g, x, y, g->cols, " > ", look);
    }
}

/* "17 hits", "3 of 48 tracks", "12 of 400 rows": the events that the typed text finds, or the rows
 * left. "": none. */
static void typed_text(struct app *app, char text[80]) {
    char a[32], b[32];
    const struct track_verdicts *v = &app->timeline.verdicts;
    const struct find_state *find = &app->find;
    snprintf(text, 80, "%s", app->prompts.found);
    if (find->typing && find->search)
        snprintf(text, 80, "%s%s %s ", units_count(find->hits, false, a),
                 find->hits_known ? "" : " ...",
                 find->hits == 1 && find->hits_known ? "hit" : "hits");
    else if (app->timeline.typing.on && app->timeline.filter)
        snprintf(text, 80, "%s of %s%s tracks ", units_count(v->hits, false, a),
                 units_count(v->of, false, b),
                 v->pending || (app->timeline.events && !app->timeline.events_known) ? " ..." : "");
}

static void draw_typed(struct app *app, int y) {
    char text[80];
    typed_text(app, text);
    int x = app->grid.cols - (int)strlen(text);
    if (x > app->grid.cols / 2)
        grid_ztext(&app->grid, x, y, app->grid.cols, text, style_look(ROLE_DIM));
}

/* The line that is typed, scrolled so that its cursor is on the screen. */
static void draw_prompt(struct app *app, int y) {
    struct grid *g = &app->grid;
    draw_typed(app, y);
    int x = grid_ztext(g, 1, y, g->cols, app->prompts.line.label, style_look(ROLE_PROMPT));
    struct str line = str_of(prompt_text(&app->prompts.line));
    struct str head = {line.s,
                       app->prompts.line.cursor < line.n ? app->prompts.line.cursor : line.n};
    unsigned flags = g->ascii ? TEXT_ASCII : 0;
    size_t skip = 0; /* the cursor stays on the screen */
    while (text_width((struct str){head.s + skip, head.n - skip}, flags, 4000) + 2 >
           (size_t)(g->cols - x)) {
        skip++;
        while (skip < head.n && ((unsigned char)head.s[skip] & 0xc0) == 0x80)
            skip++;
    }
    int at = x + (int)text_width((struct str){head.s + skip, head.n - skip}, flags, 4000);
    grid_text(g, (struct grid_place){x, y, g->cols}, (struct str){line.s + skip, line.n - skip},
              style_look(ROLE_TEXT), flags, false);
    struct cell *c = grid_at(g, at, y);
    if (c)
        c->look.attr |= ATTR_REVERSE;
    grid_here(g, at, y);
}

/* The ground of the status line; returns its row. */
static int ground(struct app *app) {
    grid_fill(&app->grid, 0, app->layout.status, app->grid.cols, ' ', style_look(ROLE_STATUS));
    return app->layout.status;
}

bool status_draw_message(struct app *app) {
    if (app->prompts.line.active)
        draw_prompt(app, app->layout.status);
    else if (app->message.text[0] && app->message.is_error)
        grid_zcut(&app->grid, 1, app->layout.status, app->message.text, style_look(ROLE_ERROR));
    else if (app->message.text[0])
        grid_zcut(&app->grid, 1, ground(app), app->message.text, style_look(ROLE_STATUS));
    return app->prompts.line.active || app->message.text[0];
}

void status_draw_texts(struct app *app, const char *left, const char *right) {
    struct grid *g = &app->grid;
    int y = app->layout.status;
    if (status_draw_message(app))
        return;
    int x = 1 + (int)text_width(str_of(left), 0, 200), n = (int)text_width(str_of(right), 0, 200);
    ground(app);
    grid_zcut(g, 1, y, left, style_look(ROLE_STATUS));
    if (g->cols - n - 1 > x + 2)
        grid_ztext(g, g->cols - n - 1, y, g->cols, right, style_look(ROLE_STATUS));
}

/* ---- the parts of the status line ---- */

enum { PART_CURSOR, PART_RANGE, PART_MARKS, PART_WINDOW, PART_COLUMN, PART_ROW, PART_HITS, PARTS };

struct part {
    char text[128]; /* empty: none */
    enum role role;
};

/* "row 120/6004" if not all lines are on the screen. */
static void row_part(struct app *app, struct part *part) {
    const struct timeline *timeline = &app->timeline;
    char a[32], b[32];
    if (timeline->tracks.lines > (uint64_t)app->layout.track_rows)
        snprintf(part->text, sizeof part->text, "row %s/%s",
                 units_count(timeline->line + 1, false, a),
                 units_count(timeline->tracks.lines, false, b));
}

/* "hit 3/17", or how far counting is. */
static void hits_part(struct app *app, struct part *part) {
    uint64_t rank = 0;
    char a[32], b[32];
    struct hit h;
    bool known = app->find.hits_known;
    if (app->find.search == NULL)
        return;
    if (known && find_hit(app, &h))
        rank = search_rank(app->find.search, &h);
    if (app->find.looking)
        snprintf(part->text, sizeof part->text, "searching %u%%", search_percent(app->find.search));
    else if (rank > 0)
        snprintf(part->text, sizeof part->text, "hit %s/%s", units_count(rank, false, a),
                 units_count(app->find.hits, false, b));
    else if (app->find.hits == 0 && !known)
        snprintf(part->text, sizeof part->text, "counting hits");
    else
        snprintf(part->text, sizeof part->text, "%s%s %s", units_count(app->find.hits, false, a),
                 known ? "" : "+", app->find.hits == 1 && known ? "hit" : "hits");
}

/* Draws the parts from column 1 on; what does not fit is left out whole, as a number that is cut is
 * another number. */
static int draw_parts(struct grid *g, int y, struct part parts[PARTS]) {
    static const int first_to_go[] = {PART_COLUMN, PART_ROW,   PART_WINDOW,
                                      PART_HITS,   PART_MARKS, PART_RANGE};
    int width[PARTS] = {0}, total = 1, x = 1;
    for (int i = 0; i < PARTS; i++) {
        if (parts[i].text[0])
            width[i] = (int)text_width(str_of(parts[i].text), 0, 200) + (i > 0 ? 2 : 0);
        total += width[i];
    }
    for (size_t k = 0; k < sizeof first_to_go / sizeof first_to_go[0] && total > g->cols; k++) {
        total -= width[first_to_go[k]];
        parts[first_to_go[k]].text[0] = 0;
    }
    for (int i = 0; i < PARTS; i++)
        if (parts[i].text[0])
            x = grid_ztext(g,
                           i > 0 ? grid_ztext(g, x, y, g->cols, "  ", style_look(ROLE_STATUS)) : x,
                           y, g->cols, parts[i].text, style_look(parts[i].role));
    return x;
}

void status_draw(struct app *app) {
    struct grid *g = &app->grid;
    int y = app->layout.status;
    char when[48], width[32], each[32];
    struct part parts[PARTS] = {{"", ROLE_STATUS}, {"", ROLE_STATUS}, {"", ROLE_STATUS},
                                {"", ROLE_STATUS}, {"", ROLE_STATUS}, {"", ROLE_STATUS},
                                {"", ROLE_HIT}};
    app->prompts.found[0] = 0;
    if (y < 0 || status_draw_message(app))
        return;
    int64_t per_column = window_per_column(&app->timeline.window);
    snprintf(parts[PART_CURSOR].text, sizeof parts->text, "%s",
             session_point(app, app->timeline.cursor, per_column / 1000, when));
    ranges_text(app, parts[PART_RANGE].text);
    marks_text(app, parts[PART_MARKS].text);
    snprintf(parts[PART_WINDOW].text, sizeof parts->text, "window %s",
             units_duration_short(app->timeline.window.width, g->ascii, width));
    snprintf(parts[PART_COLUMN].text, sizeof parts->text, "%s/col",
             units_duration_short(per_column, g->ascii, each));
    ground(app);
    row_part(app, &parts[PART_ROW]);
    hits_part(app, &parts[PART_HITS]);
    breadcrumb(app, y, draw_parts(g, y, parts) + 2);
}
