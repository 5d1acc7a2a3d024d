/* flow_ladder.c - draws one flow: a rail for each thread, a dot for each stop, an arrow for each
 * hop.
 *
 * A stop shows its slice and that slice's duration, a hop the time that it took. The lines are
 * those of the stops from the first to the last with a hop between two; as many as fit are
 * shown. */
#include "ui/views/stat/flow_ladder.h"

#include <stdio.h>

#include "src/base/units.h"
#include "ui/drawer/phrase.h"

#define THREADS 12 /* side by side, at most */
#define LADDER 20  /* columns for each of them, at least */

struct ladder {
    struct flow_tables *flows;
    uint32_t threads[THREADS];
    int n, x[THREADS], width;
};

static int rail(const struct ladder *l, uint32_t thread) {
    for (int i = 0; i < l->n; i++)
        if (l->threads[i] == thread)
            return i;
    return -1;
}

/* Columns of the threads; false if they do not fit side by side. */
static bool ladder_of(struct flow_tables *f, struct ladder *l) {
    int cols = f->app->grid.cols;
    *l = (struct ladder){.flows = f};
    if (cols < 100)
        return false;
    for (size_t i = 0; i < f->stops.n; i++) {
        uint32_t thread = f->stops.v[i].place.thread;
        if (rail(l, thread) >= 0)
            continue;
        if (l->n == THREADS || (l->n + 1) * LADDER > cols)
            return false;
        l->threads[l->n++] = thread;
    }
    if (l->n == 0)
        return false;
    l->width = (cols - 6) / l->n;
    if (l->width > 46)
        l->width = 46;
    for (int i = 0; i < l->n; i++)
        l->x[i] = 6 + i * l->width;
    return true;
}

static void rails(const struct ladder *l, int y) {
    struct grid *g = &l->flows->app->grid;
    for (int i = 0; i < l->n; i++)
        grid_put(g, l->x[i], y, grid_glyph(g, GLYPH_BAR), style_look(ROLE_DIM));
}

static void ladder_stop(const struct ladder *l, int y, uint32_t stop, bool current) {
    struct flow_tables *f = l->flows;
    struct grid *g = &f->app->grid;
    struct flow_hop h = flow_tables_hop(f, stop);
    char dur[32];
    int i = rail(l, h.here->place.thread), x = l->x[i],
        right = i + 1 < l->n ? l->x[i + 1] : g->cols;
    struct look look = style_look(current ? ROLE_GUTTER_CURRENT : ROLE_TEXT);
    if (current)
        grid_put(g, 0, y, '>', look);
    grid_put(g, x, y, g->ascii ? 'o' : 0x25cf, style_look(ROLE_ARROW));
    if (!h.here->place.in_slice) {
        grid_ztext(g, x + 2, y, right, "in no slice", style_look(ROLE_DIM));
        return;
    }
    const char *length =
        units_duration(units_since(h.here->place.start, h.here->place.end), g->ascii, dur);
    int n = (int)text_width(str_of(length), 0, 20), room = right - x - 3 - n - 1;
    int end = grid_text(g, (struct grid_place){x + 2, y, x + 2 + (room > 0 ? room : 0)},
                        phrase_place(f->app->trace, &h.here->place), look, TEXT_TRACK, true);
    grid_ztext(g, end + 1, y, right, length, style_look(current ? ROLE_GUTTER_CURRENT : ROLE_DIM));
}

static void ladder_hop(const struct ladder *l, int y, uint32_t stop) {
    struct flow_tables *f = l->flows;
    struct grid *g = &f->app->grid;
    struct flow_hop h = flow_tables_hop(f, stop);
    char text[40], dur[32];
    struct look look = style_look(ROLE_ARROW),
                label = style_look(flow_tables_slow(&h) ? ROLE_WARN : ROLE_TEXT);
    if (h.from == NULL)
        return;
    int a = rail(l, h.from->place.thread), b = rail(l, h.here->place.thread);
    int from = l->x[a], to = l->x[b];
    snprintf(text, sizeof text, " %s ", units_duration(h.transit, g->ascii, dur));
    int n = (int)text_width(str_of(text), 0, 39);
    if (a == b) { /* the same thread, later */
        grid_put(g, from, y, grid_glyph(g, GLYPH_DOWN), look);
        grid_ztext(g, from + 1, y, g->cols, text, label);
        return;
    }
    int lo = from < to ? from : to, hi = from < to ? to : from;
    grid_fill(g, lo + 1, y, hi - lo - 1, grid_glyph(g, GLYPH_RULE), look);
    uint32_t begin = from < to ? 0x251c : 0x2524;
    grid_put(g, from, y, g->ascii ? '+' : begin, look);
    grid_put(g, from < to ? to - 1 : to + 1, y, grid_glyph(g, from < to ? GLYPH_RIGHT : GLYPH_LEFT),
             look);
    int first = from < to ? from : from - l->width; /* in the span next to the thread it leaves */
    grid_ztext(g, first + (l->width - n) / 2 + 1, y, hi, text, label);
}

bool flow_ladder_fits(struct flow_tables *f) {
    struct ladder ladder;
    return ladder_of(f, &ladder);
}

void flow_ladder_draw(struct flow_tables *f, int y, int rows, uint32_t current) {
    struct grid *g = &f->app->grid;
    struct ladder ladder, *l = &ladder;
    char buf[TABLE_TEXT];
    if (!ladder_of(f, l))
        return;
    int64_t all = (int64_t)f->stops.n * 2 - 1, shown = rows - 1,
            top = (int64_t)current * 2 - shown / 2;
    top = top > all - shown ? all - shown : top;
    top = top < 0 ? 0 : top;
    for (int i = 0; i < l->n; i++)
        grid_text(g, (struct grid_place){l->x[i] - 2, y, l->x[i] + l->width - 3},
                  phrase_thread(f->app->trace, l->threads[i], "/", buf, sizeof buf),
                  style_look(ROLE_HEADER), TEXT_TRACK, true);
    for (int64_t line = top; line < all && line - top < shown; line++) {
        uint32_t stop = (uint32_t)((line + 1) / 2);
        int at = y + 1 + (int)(line - top);
        rails(l, at);
        if (line % 2 == 0)
            ladder_stop(l, at, stop, stop == current);
        else
            ladder_hop(l, at, stop);
    }
    if (top > 0)
        grid_put(g, g->cols - 1, y + 1, grid_glyph(g, GLYPH_UP), style_look(ROLE_DIM));
    if (top + shown < all)
        grid_put(g, g->cols - 1, y + rows - 1, grid_glyph(g, GLYPH_DOWN), style_look(ROLE_DIM));
}
