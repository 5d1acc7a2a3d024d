/* draw_instants.c - moments on their lines: instants, large blobs, log records, the profiler's
 * records.
 *
 * All moments of a track in one column are a crowd. The crowds of a track are found once per frame,
 * for all of its lines. Each line draws those that have moments on its row: a glyph for one, a
 * digit for more, "+" for ten and more; heights next to other moments. In columns of density a
 * moment only shades the ground of the bar, on the first row of the track. */
#include "ui/timeline/draw_instants.h"

#include <string.h>

#include "model/query/filter/filter_lanes.h"
#include "ui/timeline/draw_lane.h"
#include "ui/timeline/track_ops.h"

/* moments of a column that are looked at one by one; ten and more are drawn alike */
#define COUNTED 10
#define ROW_UNKNOWN UINT32_MAX

static uint32_t glyph_of(struct app *app, const struct track_line *line, uint64_t offset) {
    if (line->moments->glyph)
        return line->moments->glyph(app, offset);
    return app->grid.ascii ? '.' : 0xB7;
}

struct crowd { /* of a column */
    int column;
    bool dense;      /* density on the track's first row: it shows the moments of all rows */
    bool dim;        /* :only leaves none of them */
    size_t from, to; /* indices of its moments */
    unsigned n;      /* the first of them that are not hidden: */
    size_t at[COUNTED];
    uint32_t rows[COUNTED]; /* of these, once asked for */
};

struct crowds {                       /* of one track */
    const struct selection_ops *kind; /* of the moments; NULL: not found yet */
    uint32_t of;
    VEC(struct crowd) v;
};

void draw_instants_free(struct timeline *timeline) {
    if (timeline->crowds)
        vec_free(&timeline->crowds->v);
    free(timeline->crowds);
    timeline->crowds = NULL;
}

void draw_instants_begin(struct timeline *timeline) {
    if (timeline->crowds)
        timeline->crowds->kind = NULL;
}

/* Fills in the moments of a crowd, of which :only may hide or dim some. */
static void look_at(const struct timeline *timeline, struct crowd *c, uint32_t searched) {
    const struct filter_lanes *only = session_only(timeline);
    bool hides = only && only == session_left(timeline);
    size_t i = c->from;
    for (c->n = 0; c->n < COUNTED && i < c->to; i++) {
        if (only && (hides || c->n == 0)) {
            uint32_t next = filter_lanes_moment_along(only, searched, (uint32_t)i, 1);
            c->dim = c->n == 0 && next >= c->to;
            if (hides && next >= c->to)
                return;
            i = hides ? next : i;
        }
        c->rows[c->n] = ROW_UNKNOWN;
        c->at[c->n++] = i;
    }
}

static struct crowds *crowds_of(struct app *app, const struct track_line *line) {
    if (app->timeline.crowds == NULL)
        app->timeline.crowds = err_calloc(1, sizeof *app->timeline.crowds);
    struct crowds *all = app->timeline.crowds;
    if (all->kind == line->moments && all->of == line->track->of)
        return all;
    all->kind = line->moments;
    all->of = line->track->of;
    all->v.n = 0;
    size_t n = track_line_moments(app->trace, line),
           i = track_line_from(app->trace, line, app->timeline.edges[0], 0);
    size_t guess = 1;
    uint32_t searched;
    if (!selection_searched(app->trace, line->moments, line->track->of, &searched))
        searched = UINT32_MAX;
    while (i < n) {
        int64_t time = track_line_moment(app->trace, line, i).time;
        if (time >= app->timeline.edges[app->timeline.window.columns])
            break;
        struct crowd c = {.column = window_column(&app->timeline.window, time), .from = i};
        c.dense = line->row == 0 && app->timeline.dense[c.column];
        c.to = track_line_from_near(app->trace, line, i, guess, app->timeline.edges[c.column + 1]);
        guess = c.to - i; /* columns have about as many */
        look_at(&app->timeline, &c, searched);
        if (c.n > 0)
            vec_push(&all->v, c);
        i = c.to;
    }
    return all;
}

/* Facts about the moments of a line that are asked one after the other. */
struct known {
    int64_t later;      /* until then they are further down, as most are */
    int64_t from, same; /* after the one and before the other they are on the line */
};

/* Whether moment k of the crowd is on this line. */
static bool is_here(struct trace *trace, const struct track_line *line, struct crowd *c, unsigned k,
                    struct known *known) {
    const struct selection_ops *kind = line->moments;
    if (c->rows[k] == ROW_UNKNOWN) {
        int64_t t = track_line_moment(trace, line, c->at[k]).time;
        bool same = t > known->from && t < known->same;
        if (!same && t >= known->later && kind->later)
            known->later = kind->later(trace, line->track->of, line->row, t);
        if (!same && t < known->later)
            return false;
        c->rows[k] = same ? line->row : track_line_row(trace, line, c->at[k]);
        if (!same && kind->same && c->rows[k] == line->row) {
            known->from = t;
            known->same = kind->same(trace, line->track->of, line->row, t);
        }
    }
    return c->rows[k] == line->row;
}

/* The number of moments on this line, at most 10, and the index of one of them. */
static unsigned count(struct trace *trace, const struct track_line *line, struct crowd *c,
                      size_t *one, struct known *known) {
    unsigned n = 0;
    *one = c->at[0];
    if (line->moments->row == NULL)
        return c->n;
    for (unsigned k = 0; k < c->n; k++) {
        if (!is_here(trace, line, c, k, known))
            continue;
        *one = c->at[k];
        n++;
    }
    return n;
}

/* Heights for 1, 2, 4 and 10 moments or more. */
static uint32_t height_of(const struct grid *g, unsigned here) {
    int level = 1;
    if (here >= COUNTED)
        level = 8;
    else if (here >= 4)
        level = 5;
    else if (here >= 2)
        level = 3;
    return grid_level(g, level);
}

/* A digit or a glyph fits if no column next to it has moments. */
static bool fits(const struct crowds *all, size_t k) {
    int column = all->v.v[k].column;
    return (k == 0 || all->v.v[k - 1].column + 1 < column) &&
           (k + 1 == all->v.n || all->v.v[k + 1].column > column + 1);
}

/* Moments in a column of density: height and colour of the bar stay. */
static void mark_density(struct grid *g, int x, int y) {
    struct cell *cell = grid_at(g, x, y);
    struct look ground = style_look(ROLE_GROUND);
    if (ground.bg == LOOK_DEFAULT)
        cell->look.attr |= ATTR_UNDERLINE;
    else if (cell->cp[0] == 0x2588 && cell->look.bg == LOOK_DEFAULT)
        grid_put(g, x, y, 0xB7, style_on(cell->look.fg));
    else if (cell->look.bg == LOOK_DEFAULT && !(cell->look.attr & ATTR_REVERSE))
        cell->look.bg = ground.bg;
}

/* Whether a cell of a bar has a character of its label, or a blank. Bars without a colour have
 * brackets. */
static bool is_label(const struct cell *cell, struct look look) {
    uint32_t cp = cell->cp[0];
    bool edge = look.bg == LOOK_DEFAULT && cp < 128 && strchr("[]|{}", (int)cp);
    return style_eq(cell->look, look) && cp != 0 && !edge && (cp < 0x2580 || cp > 0x259F);
}

/* Moves the rest of a bar's label to the right, so that a glyph hides none of its characters. If it
 * has no blank after it, its end is cut; but not where it may go on. */
static void make_room(struct grid *g, int x, int y) {
    struct cell *from = grid_at(g, x, y);
    int n = 0, last = 0;
    for (; x + n < g->cols && is_label(from + n, from->look); n++)
        last = from[n].cp[0] == ' ' ? last : n;
    bool wide = x + n < g->cols && from[n].cp[0] == 0; /* a half of it would be left */
    if (n < 2 || from->cp[0] == ' ' || wide)
        return;
    bool cut = last == n - 1, strange = x + n < g->cols && from[n].look.bg == from->look.bg;
    if (cut && (from->look.bg == LOOK_DEFAULT || strange)) /* the label may go on */
        return;
    int move = cut ? last : last + 1;
    memmove(from + 1, from, (size_t)move * sizeof *from);
    if (cut && from[last].cp[0] != ' ')
        grid_put(g, x + last, y, grid_glyph(g, GLYPH_ELLIPSIS), from->look);
}

void draw_instants(struct app *app, int y, const struct track_line *line) {
    struct grid *g = &app->grid;
    bool mine = app->timeline.selection.kind == line->moments &&
                app->timeline.selection.of == line->track->of;
    struct crowds *all = crowds_of(app, line);
    struct known known = {INT64_MIN, INT64_MIN, INT64_MIN};
    for (size_t k = 0; k < all->v.n; k++) {
        struct crowd *c = &all->v.v[k];
        int x = app->layout.lane + c->column;
        bool selected = mine && app->timeline.selection.i >= c->from &&
                        app->timeline.selection.i < c->to &&
                        track_line_holds(app->trace, line, app->timeline.selection.i);
        if (!selected && (c->dense ? line->row > 0 : app->timeline.dense[c->column] != 0))
            continue; /* the first row shows it, or a bar hides it */
        size_t one = 0;
        struct cell *cell = grid_at(g, x, y);
        unsigned here = cell && !c->dense ? count(app->trace, line, c, &one, &known) : 0;
        struct look look = c->dim ? draw_lane_dim() : style_look(ROLE_INSTANT);
        if (cell && selected && c->dense) {
            one = app->timeline.selection.i;
            here = 1;
        }
        /* the density stays, in the colour of moments */
        if (here == 0 && cell && c->dense && line->row == 0) {
            mark_density(g, x, y);
        } else if (here > 0) {
            if (cell->look.bg != LOOK_DEFAULT)
                look.bg = cell->look.bg, look.fg = cell->look.fg;
            else if ((cell->look.attr & ATTR_REVERSE) &&
                     (cell->look.attr & ATTR_BOLD)) /* on the selected slice */
                look = cell->look;
            else if (cell->cp[0] == 0x2588)
                look = style_on(cell->look.fg);
            bool room = fits(all, k), plain = look.fg == LOOK_DEFAULT && !c->dim;
            uint32_t glyph = here > 9 ? '+' : '0' + here;
            if (!room && plain)
                look = style_look(ROLE_DENSITY);
            else if (!room)
                look.fg = style_quiet(look.fg);
            if (!room)
                glyph = height_of(g, here);
            else if (here == 1)
                glyph = glyph_of(app, line, track_line_moment(app->trace, line, one).offset);
            make_room(g, x, y);
            grid_put(g, x, y, glyph, selected ? style_selected(look) : look);
        }
    }
}

#define PROFILE_LOOKED 4096 /* records in the window that are looked at, of all threads */

void draw_instants_profile(struct app *app, int y, uint32_t thread) {
    const struct track all = {.kind = &track_profile};
    struct track_line line;
    size_t n;
    track_line_of(app->trace, &all, 0, &line);
    const struct occurrence *v = trace_profile(app->trace, &n);
    size_t lo = track_line_from(app->trace, &line, app->timeline.edges[0], 0), next;
    for (size_t i = lo; i < n && i < lo + PROFILE_LOOKED &&
                        v[i].at.time < app->timeline.edges[app->timeline.window.columns];
         i = next) {
        next = i + 1;
        if (v[i].thread != thread)
            continue;
        int column = window_column(&app->timeline.window, v[i].at.time),
            x = app->layout.lane + column;
        struct cell *c = grid_at(&app->grid, x, y);
        if (c && c->cp[0] == ' ' && c->look.bg == LOOK_DEFAULT)
            grid_put(&app->grid, x, y, app->grid.ascii ? '\'' : 0x2022, style_look(ROLE_INSTANT));
        /* the others of the column would be drawn where it is */
        next = track_line_from_near(app->trace, &line, i, 1, app->timeline.edges[column + 1]);
        next = next > i ? next : i + 1;
    }
}
