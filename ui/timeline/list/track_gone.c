/* track_gone.c - compares the lives of threads with the window. */
#include "ui/timeline/list/track_gone.h"

#include "src/base/units.h"

static enum track_presence look(const struct track_gone_window *w, const struct track_life *life, size_t threads) {
    int64_t begin = life->begin, end = life->end;
    if (!life->known)
        return PRESENCE_UNKNOWN;
    if (begin >= w->to || end < w->from || (life->ended && end == w->from && begin < end))
        return PRESENCE_GONE;
    begin = begin > w->from ? begin : w->from;
    if (life->ended && end <= w->to && end - begin < 2 * w->column && threads > w->rows)
        return PRESENCE_SHORT;
    return PRESENCE_SEEN;
}

bool track_gone_decide(const struct track_gone_window *window, const struct track_lives *lives, uint8_t *presence) {
    bool changed = false;
    for (size_t i = 0; i < lives->v.n; i++) {
        uint8_t now = PRESENCE_SEEN;
        if (window->from < window->to)
            now = (uint8_t)look(window, &lives->v.v[i], lives->v.n);
        changed = changed || presence[i] != now;
        presence[i] = now;
    }
    return changed;
}

void track_gone_add(struct track_gone *line, const struct track_life *life, uint8_t presence) {
    line->threads++;
    line->short_lived += presence == PRESENCE_SHORT;
    line->cpu_time = units_sum(line->cpu_time, life->cpu_time);
}

bool track_gone_threads(const struct track_lives *lives, const uint8_t *presence, const uint32_t *threads, size_t n,
                        struct track_gone *line) {
    struct track_gone all = *line;
    for (size_t i = 0; i < n; i++) {
        uint32_t t = threads[i];
        if (presence[t] == PRESENCE_SEEN)
            return false;
        if (presence[t] != PRESENCE_UNKNOWN)
            track_gone_add(&all, &lives->v.v[t], presence[t]);
    }
    bool any = all.threads > line->threads;
    if (any)
        *line = all;
    return any;
}
