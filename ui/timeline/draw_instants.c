/* draw_instants.c - instants, large blobs and log records on their lines, and where records were lost. */
#include <ctype.h>

#include "model/query/detail.h"
#include "model/trace/trace_problems.h"
#include "ui/timeline/draw.h"

#define COUNTED 10 /* moments of a column looked at one by one; more are as good */

/* Instants say whom they concern: their thread, process, or all. */
static uint32_t glyph_of(struct app *app, const struct track_line *line, uint64_t offset) {
    struct detail d;
    bool ascii = app->grid.ascii;
    if (line->moments == SELECTION_LOG || line->moments == SELECTION_PROFILE)
        return ascii ? '.' : 0xB7;
    if (line->moments == SELECTION_INSTANT && blob_event(trace_blobs(app->trace), offset))
        return ascii ? 'b' : 0x25A0;
    if (line->moments == SELECTION_INSTANT && detail_open(&d, app->trace, offset) && d.record.kind == FXT_K_INSTANT &&
        d.record.scope.present) {
        if (d.record.scope.value == 1)
            return ascii ? 'p' : 0x25C7;
        if (d.record.scope.value == 2)
            return ascii ? 'g' : 0x25CF;
    }
    return grid_glyph(&app->grid, GLYPH_INSTANT);
}

struct crowd { /* of a column */
    int column;
    bool dense;             /* on the track's first row, which shows for all rows that there are some */
    size_t from, to;        /* moments */
    uint32_t rows[COUNTED]; /* on which the first of them stand */
};

struct crowds { /* of a track: asked once for all of its lines */
    enum selection_kind kind; /* of the moments; SELECTION_NONE: nothing is known */
    uint32_t of;
    VEC(struct crowd) v;
};

void draw_instants_free(struct app *app) {
    if (app->timeline.crowds)
        vec_free(&app->timeline.crowds->v);
    free(app->timeline.crowds);
    app->timeline.crowds = NULL;
}

void draw_instants_begin(struct app *app) {
    if (app->timeline.crowds)
        app->timeline.crowds->kind = SELECTION_NONE;
}

static const struct crowds *crowds_of(struct app *app, const struct track_line *line) {
    if (app->timeline.crowds == NULL)
        app->timeline.crowds = err_calloc(1, sizeof *app->timeline.crowds);
    struct crowds *all = app->timeline.crowds;
    if (all->kind == line->moments && all->of == line->track->of)
        return all;
    all->kind = line->moments;
    all->of = line->track->of;
    all->v.n = 0;
    size_t n = track_line_moments(app->trace, line), i = track_line_from(app->trace, line, app->timeline.edges[0], 0);
    bool rows = line->moments != SELECTION_LOG && line->moments != SELECTION_PROFILE;
    while (i < n) {
        int64_t time = track_line_moment(app->trace, line, i).time;
        if (time >= app->timeline.edges[app->timeline.window.columns])
            break;
        struct crowd c = {.column = window_column(&app->timeline.window, time), .from = i};
        c.dense = line->row == 0 && app->timeline.dense[c.column];
        c.to = track_line_from_near(app->trace, line, i, n, app->timeline.edges[c.column + 1]);
        for (size_t k = i; rows && !c.dense && k < c.to && k - i < COUNTED; k++)
            c.rows[k - i] = track_line_row(app->trace, line, k);
        vec_push(&all->v, c);
        i = c.to;
    }
    return all;
}

/* How many stand on this line, and one of them; more than 9 are as good as 10. */
static unsigned count(const struct track_line *line, const struct crowd *c, size_t *one) {
    unsigned n = 0;
    if (line->moments == SELECTION_LOG || line->moments == SELECTION_PROFILE) {
        *one = c->from;
        return c->to - c->from > 9 ? 10 : (unsigned)(c->to - c->from);
    }
    for (size_t k = 0; k < c->to - c->from && k < COUNTED; k++) {
        if (c->rows[k] != line->row)
            continue;
        *one = c->from + k;
        n++;
    }
    return n;
}

void draw_instants(struct app *app, int y, const struct track_line *line) {
    struct grid *g = &app->grid;
    bool mine = app->timeline.selection.kind == line->moments && app->timeline.selection.of == line->track->of;
    const struct crowds *all = crowds_of(app, line);
    for (size_t k = 0; k < all->v.n; k++) {
        const struct crowd *c = &all->v.v[k];
        int x = app->layout.lane + c->column;
        size_t one = 0;
        bool picked = mine && app->timeline.selection.i >= c->from && app->timeline.selection.i < c->to &&
                      track_line_holds(app->trace, line, app->timeline.selection.i);
        struct cell *cell = grid_at(g, x, y);
        unsigned here = cell && !c->dense && (picked || !app->timeline.dense[c->column]) ? count(line, c, &one) : 0;
        struct look look = style_look(ROLE_INSTANT);
        if (cell && picked && c->dense) {
            one = app->timeline.selection.i;
            here = 1;
        }
        if (here == 0 && cell && c->dense && line->row == 0) { /* how busy it is says more; its colour says this */
            look.attr |= cell->look.attr;
            grid_look(g, x, y, 1, look);
        } else if (here > 0) {
            if (cell->look.bg != LOOK_DEFAULT)
                look.bg = cell->look.bg, look.fg = cell->look.fg;
            uint32_t glyph = here == 1  ? glyph_of(app, line, track_line_moment(app->trace, line, one).offset)
                             : here > 9 ? '+'
                                        : '0' + here;
            grid_put(g, x, y, glyph, picked ? style_selected(look) : look);
        }
    }
}

#define PROFILE_LOOKED 4096 /* records in the window, of all threads */

void draw_profile(struct app *app, int y, uint32_t thread) {
    const struct track all = {.kind = TRACK_PROFILE};
    struct track_line line;
    size_t n;
    track_line_of(app->trace, &all, 0, &line);
    const struct occurrence *v = trace_profile(app->trace, &n);
    size_t lo = track_line_from(app->trace, &line, app->timeline.edges[0], 0);
    for (size_t i = lo;
         i < n && i < lo + PROFILE_LOOKED && v[i].at.time < app->timeline.edges[app->timeline.window.columns]; i++) {
        struct cell *c =
            v[i].thread == thread
                ? grid_at(&app->grid, app->layout.lane + window_column(&app->timeline.window, v[i].at.time), y)
                : NULL;
        if (c && c->cp[0] == ' ' && c->look.bg == LOOK_DEFAULT)
            grid_put(&app->grid, app->layout.lane + window_column(&app->timeline.window, v[i].at.time), y,
                     app->grid.ascii ? '\'' : 0x2022, style_look(ROLE_INSTANT));
    }
}

static bool is_letter(uint32_t cp) {
    return cp < 0x80 ? isalnum((int)cp) : (cp >= 0xC0 && cp < 0x2000) || cp >= 0x3000;
}

/* A name stays readable: of its letter only the look tells. */
static void shade(struct app *app, int y, int64_t time) {
    int c = window_column(&app->timeline.window, time), x = app->layout.lane + c;
    const struct cell *cell = c >= 0 && c < app->timeline.window.columns ? grid_at(&app->grid, x, y) : NULL;
    if (cell && is_letter(cell->cp[0]))
        grid_look(&app->grid, x, y, 1, style_look(ROLE_WARN));
    else if (cell)
        grid_put(&app->grid, x, y, app->grid.ascii ? '%' : 0x2591, style_look(ROLE_WARN));
}

#define THREADS_LOOKED 64 /* of a process, for who wrote of it */

/* Did the provider write of what stands on this track? */
static bool concerns(const struct app *app, const struct track *track, const struct lost *lost) {
    struct trace *trace = app->trace;
    if (track->kind == TRACK_THREAD)
        return trace_thread_written_by(trace_thread(trace, track->of), lost->provider);
    if (track->kind == TRACK_CPU)
        return lost->thread != NO_THREAD; /* the kernel's */
    if (track->process >= trace_process_count(trace))
        return true;
    const struct process *p = trace_process(trace, track->process);
    size_t n;
    const uint32_t *threads = trace_process_threads(p, &n);
    for (size_t i = 0; i < n && i < THREADS_LOOKED; i++)
        if (trace_thread_written_by(trace_thread(trace, threads[i]), lost->provider))
            return true;
    return n > THREADS_LOOKED;
}

/* A provider's losses on what it wrote of, damage on all. */
void draw_losses(struct app *app, int y, const struct track *track) {
    size_t n;
    const struct lost *lost = trace_lost(app->trace, &n);
    const struct problems *problems = trace_damage(app->trace);
    if (track->kind != TRACK_THREAD && track->kind != TRACK_CPU && track->kind != TRACK_ASYNC &&
        track->kind != TRACK_COUNTER)
        return;
    for (size_t i = 0; i < n && i < PROBLEM_KEPT; i++)
        if (lost[i].has_time && lost[i].time >= app->timeline.edges[0] &&
            lost[i].time < app->timeline.edges[app->timeline.window.columns] && concerns(app, track, &lost[i]))
            shade(app, y, lost[i].time);
    for (int kind = PROBLEM_ZERO_SIZE; kind <= PROBLEM_TRUNCATED_RECORD; kind++)
        for (size_t i = 0; i < problem_case_count(&problems->kinds[kind]); i++)
            shade(app, y, problem_case(&problems->kinds[kind], i)->time);
}
