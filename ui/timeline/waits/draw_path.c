/* draw_path.c - a critical path over the tracks of its threads.
 *
 * The thread of the question comes first, then the others in the order in which the walk reaches
 * them, as far as there are rows: with a row of the thread above the path, or without. The
 * path is a line in the rows of its threads; where it goes from one to another the line turns. A
 * turn is left out if the one before it is in the same column. */
#include "ui/timeline/waits/draw_path.h"

#include <stdio.h>

#include "src/base/lower_bound.h"
#include "ui/timeline/draw_gutter.h"
#include "ui/timeline/draw_tracks.h"
#include "ui/timeline/track_ops.h"

#define THREADS 12   /* at most */
#define LOOKED 4096u /* stretches that are looked at for the order of threads */

struct picture {
    struct app *app;
    const struct critical *path;
    size_t current;
    uint32_t threads[THREADS];
    int lines[THREADS]; /* rows of the screen that have the path of each */
    int n;
};

static int place_of(const struct picture *p, uint32_t thread) {
    for (int i = 0; i < p->n; i++)
        if (p->threads[i] == thread)
            return i;
    return -1;
}

/* The threads with most time on the path, in the order of the walk. */
static void choose(struct picture *p, int most) {
    uint32_t best[THREADS];
    size_t n = critical_threads(p->path, best, (size_t)most), all = p->path->v.n;
    n = n < (size_t)most ? n : (size_t)most;
    p->threads[p->n++] = p->path->thread;
    for (size_t k = 0; k < all && k < LOOKED && p->n < most; k++) {
        uint32_t thread = p->path->v.v[k].thread;
        bool wanted = false;
        for (size_t i = 0; i < n; i++)
            wanted = wanted || best[i] == thread;
        if (wanted && place_of(p, thread) < 0)
            p->threads[p->n++] = thread;
    }
    for (size_t i = 0; i < n && p->n < most; i++)
        if (place_of(p, best[i]) < 0)
            p->threads[p->n++] = best[i];
}

/* ---- tracks ---- */

static void name(struct app *app, int y, uint32_t thread) {
    struct thread *t = trace_thread(app->trace, thread);
    char buf[40], id[DRAW_GUTTER_NUMBER] = "";
    bool named;
    struct str called = trace_thread_name(app->trace, t, buf, &named);
    if (named)
        draw_gutter_number(id, t->id.tid);
    grid_fill(&app->grid, 0, y, app->layout.gutter, ' ', style_look(ROLE_TEXT));
    draw_gutter(app, y, 1, called, id, style_look(ROLE_GUTTER));
}

static void track_row(struct picture *p, int y, const struct track *track, uint32_t row) {
    if (row < track->height)
        draw_tracks_row(p->app, y, track, row);
    draw_tracks_bar(p->app, y);
    draw_tracks_cursor(p->app, y);
}

/* The rows of one thread, 1 or 2; returns the row after them. */
static int tracks(struct picture *p, int i, int y, int rows) {
    struct app *app = p->app;
    struct track track = {.kind = &track_thread, .of = p->threads[i]};
    track_thread.measure(&app->timeline.tracks, app->trace, &track);
    if (rows > 1)
        track_row(p, y++, &track, 0);
    p->lines[i] = y;
    draw_tracks_bar(app, y);
    draw_tracks_cursor(app, y);
    return y + 1;
}

/* ---- the path ---- */

static uint32_t bar(const struct grid *g, uint32_t state, enum role *role) {
    switch (state) {
    case CRITICAL_COVERED:
        *role = ROLE_TEXT;
        return g->ascii ? '=' : 0x25AC;
    case SCHED_RUNNING:
        *role = ROLE_RUNNING;
        return g->ascii ? '=' : 0x25AC;
    case SCHED_RUNNABLE:
        *role = ROLE_RUNNABLE;
        return g->ascii ? '~' : 0x254C;
    case SCHED_BLOCKED:
        *role = ROLE_BLOCKED;
        return g->ascii ? '.' : 0xB7;
    default:
        *role = ROLE_DIM;
        return g->ascii ? '-' : 0x2504;
    }
}

/* First and last column of a stretch; false: it is outside of the window. */
static bool columns_of(const struct app *app, const struct critical_stretch *s, int *first,
                       int *last) {
    int columns = app->timeline.window.columns;
    *first = window_column(&app->timeline.window, s->from);
    *last = window_column(&app->timeline.window, s->to - 1);
    if (*last < 0 || *first >= columns)
        return false;
    *first = *first < 0 ? 0 : *first;
    *last = *last >= columns ? columns - 1 : *last;
    return true;
}

static void bars(struct picture *p, size_t first, size_t last) {
    struct app *app = p->app;
    for (size_t k = last; k-- > first;) {
        const struct critical_stretch *s = &p->path->v.v[k];
        int i = place_of(p, s->thread), a, b;
        enum role role;
        if (i < 0 || !columns_of(app, s, &a, &b))
            continue;
        uint32_t glyph = bar(&app->grid, s->state, &role);
        struct look look = style_look(role);
        if (k == p->current)
            grid_here(&app->grid, app->layout.lane + a, p->lines[i]);
        grid_fill(&app->grid, app->layout.lane + a, p->lines[i], b - a + 1, glyph,
                  k == p->current ? style_selected(look) : look);
    }
}

static bool is_blank(const struct cell *cell) {
    return cell && (cell->cp[0] == ' ' || cell->cp[0] == 0) && cell->look.bg == LOOK_DEFAULT;
}

/* From the row of one thread to that of another in one column. */
static void turn(struct picture *p, int x, int from, int to) {
    struct grid *g = &p->app->grid;
    struct look look = style_look(ROLE_ARROW);
    bool down = to > from;
    uint32_t leaves = down ? 0x256E : 0x256F, arrives = down ? 0x2570 : 0x256D;
    grid_put(g, x, from, g->ascii ? '+' : leaves, look);
    grid_put(g, x, to, g->ascii ? '+' : arrives, look);
    for (int y = (down ? from : to) + 1; y < (down ? to : from); y++)
        if (is_blank(grid_at(g, x, y)))
            grid_put(g, x, y, g->ascii ? '|' : 0x2502, look);
}

/* Stretch k follows stretch k + 1 in time. */
static void turns(struct picture *p, size_t first, size_t last) {
    struct app *app = p->app;
    int before = -1;
    for (size_t k = last; k-- > first;) {
        const struct critical_stretch *s = &p->path->v.v[k];
        int to = place_of(p, s->thread),
            from = k + 1 < p->path->v.n ? place_of(p, s[1].thread) : -1;
        int column = window_column(&app->timeline.window, s->from);
        if (from < 0 || to < 0 || from == to || column < 0 ||
            column >= app->timeline.window.columns || column == before)
            continue;
        turn(p, app->layout.lane + column, p->lines[from], p->lines[to]);
        before = column;
    }
}

int draw_path(struct app *app, const struct critical *path, size_t current, int y, int rows) {
    struct picture p = {.app = app, .path = path, .current = current};
    const struct window *window = &app->timeline.window;
    size_t first = 0, last = 0;
    int top = y;
    if (rows < 1 || path->v.n == 0)
        return 0;
    int most = rows < 4 ? rows : rows / 2; /* with a row of the track each */
    choose(&p, most < THREADS ? most : THREADS);
    int each = rows / p.n < 2 ? rows / p.n : 2;
    for (int i = 0; i < p.n; i++) {
        int line = y;
        y = tracks(&p, i, y, each);
        name(app, line, p.threads[i]);
    }
    lower_bound(first, path->v.n, k, path->v.v[k].from >= window_edge(window, window->columns));
    last = first;
    lower_bound(last, path->v.n, k, path->v.v[k].to > window->from);
    bars(&p, first, last);
    turns(&p, first, last);
    return y - top;
}
