/* track_ended.c - the line of threads that are gone: they ended before the window, or have not
 * begun in it; and that of threads that hardly ran in it. Enter shows them. */
#include <stdio.h>
#include <string.h>

#include "src/base/units.h"
#include "ui/timeline/draw_gutter.h"
#include "ui/timeline/track_ops.h"

static struct str name(struct trace *trace, const struct track *track, char buf[96]) {
    (void)trace;
    (void)track;
    (void)buf;
    return STR("threads not alive here");
}

/* The window was panned out of the one that decided. */
static bool moved(struct timeline *timeline) {
    const struct window *w = &timeline->window;
    const struct track_gone_window *decided = &timeline->tracks.window;
    return w->from < decided->from || w->from + w->width > decided->to;
}

static const char *why_gone(const struct track_gone *gone) {
    if (gone->quiet)
        return " with less than 1 ms of CPU";
    if (gone->short_lived == 0)
        return " not alive";
    if (gone->short_lived < gone->threads)
        return " not alive or shorter than two columns";
    return " ended within two columns";
}

static void draw(struct app *app, int y, const struct track *track, uint32_t row) {
    struct grid *g = &app->grid;
    const struct track_gone *gone = &app->timeline.tracks.gone.v[track->of];
    bool current = app->timeline.line == track->top + row;
    struct look look = style_look(current ? ROLE_GUTTER_CURRENT : ROLE_DIM);
    char count[32], text[120], time[32];
    const char *when = " here";
    if (moved(&app->timeline))
        when = " at the last zoom";
    snprintf(text, sizeof text, "%s %s%s%s", units_count(gone->threads, false, count),
             gone->threads == 1 ? "thread" : "threads", why_gone(gone), when);
    grid_fill(g, 0, y, g->cols, ' ', style_look(ROLE_TEXT));
    grid_put(g, 0, y, grid_glyph(g, GLYPH_OPEN), look);
    grid_put(g, 1, y, current ? '>' : ' ', look);
    int x = grid_ztext(g, 2, y, g->cols, text, look);
    if (gone->cpu_time > 0 && !gone->quiet) {
        snprintf(text, sizeof text, "%s of CPU", units_duration(gone->cpu_time, g->ascii, time));
        x = x + 3 + (int)strlen(text) < g->cols ? grid_ztext(g, x + 3, y, g->cols, text, look) : x;
    }
    if (x + 17 < g->cols)
        grid_ztext(g, x + 3, y, g->cols, "Enter unfolds", look);
}

const struct track_ops track_ended = {.name = name, .draw = draw};
