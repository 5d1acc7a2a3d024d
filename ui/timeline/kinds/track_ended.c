/* track_ended.c - the line of quiet threads or processes: what has nothing, little or only idling
 * to show. Enter shows them. */
#include <stdio.h>
#include <string.h>

#include "src/base/units.h"
#include "ui/timeline/draw_gutter.h"
#include "ui/timeline/track_ops.h"

static struct str name(struct trace *trace, const struct track *track, char buf[96]) {
    (void)trace;
    (void)track;
    (void)buf;
    return STR("quiet threads");
}

/* The window was panned out of the one that decided. */
static bool moved(const struct timeline *timeline) {
    const struct window *w = &timeline->window;
    const struct track_gone_window *decided = &timeline->tracks.window;
    return w->from < decided->from || w->from + w->width > decided->to;
}

/* "12 quiet threads". */
static int count_text(const struct track_gone *gone, char *buf, size_t size) {
    uint32_t n = gone->processes ? gone->n : gone->threads;
    const char *noun = n == 1 ? "thread" : "threads";
    char count[32];
    if (gone->processes)
        noun = n == 1 ? "process" : "processes";
    return snprintf(buf, size, "%s quiet %s", units_count(n, false, count), noun);
}

size_t track_ended_text(const struct timeline *timeline, const struct track_gone *gone,
                        char buf[TRACK_ENDED_TEXT]) {
    static const char *const why[PRESENCE_SEEN] = {
        [PRESENCE_GONE] = "not alive here",
        [PRESENCE_SHORT] = "shorter than two columns",
        [PRESENCE_HARDLY] = "with less than 1 ms of CPU",
        [PRESENCE_FEW] = "with hardly any events",
        [PRESENCE_IDLE] = "idle",
    };
    const char *before = ":";
    char count[32];
    int reasons = 0;
    uint32_t all = 0; /* that have a reason: threads, or processes of one thread */
    bool pans = moved(timeline);
    size_t n = (size_t)count_text(gone, buf, TRACK_ENDED_TEXT);
    if (pans)
        n += (size_t)snprintf(buf + n, TRACK_ENDED_TEXT - n, " at the last zoom");
    for (int i = 0; i < PRESENCE_SEEN; i++) {
        reasons += gone->of[i] > 0;
        all += gone->of[i];
    }
    if (gone->processes && reasons > 1 && all != gone->n)
        n += (size_t)snprintf(buf + n, TRACK_ENDED_TEXT - n, " of %s threads",
                              units_count(all, false, count));
    for (int i = 0; i < PRESENCE_SEEN; i++) {
        if (gone->of[i] == 0)
            continue;
        const char *word = pans && i == PRESENCE_GONE ? "not alive" : why[i];
        if (reasons == 1)
            return n + (size_t)snprintf(buf + n, TRACK_ENDED_TEXT - n, ", %s", word);
        n += (size_t)snprintf(buf + n, TRACK_ENDED_TEXT - n, "%s %s %s", before,
                              units_count(gone->of[i], false, count), word);
        before = ",";
    }
    return n;
}

static void draw(struct app *app, int y, const struct track *track, uint32_t row) {
    struct grid *g = &app->grid;
    const struct track_gone *gone = &app->timeline.tracks.gone.v[track->of];
    bool current = app->timeline.line == track->top + row;
    struct look look = style_look(current ? ROLE_GUTTER_CURRENT : ROLE_DIM);
    char text[TRACK_ENDED_TEXT], time[32];
    track_ended_text(&app->timeline, gone, text);
    grid_fill(g, 0, y, g->cols, ' ', style_look(ROLE_TEXT));
    grid_put(g, 0, y, grid_glyph(g, GLYPH_OPEN), look);
    grid_put(g, 1, y, current ? '>' : ' ', look);
    int x = grid_ztext(g, 2, y, g->cols, text, look);
    if (gone->cpu_time > 0) {
        snprintf(text, sizeof text, "%s of CPU", units_duration(gone->cpu_time, g->ascii, time));
        x = x + 3 + (int)strlen(text) < g->cols ? grid_ztext(g, x + 3, y, g->cols, text, look) : x;
    }
    if (x + 17 < g->cols)
        grid_ztext(g, x + 3, y, g->cols, "Enter unfolds", look);
}

const struct track_ops track_ended = {.name = name, .draw = draw};
