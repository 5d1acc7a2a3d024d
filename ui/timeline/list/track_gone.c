/* track_gone.c - compares the lives of threads with the window. */
#include "ui/timeline/list/track_gone.h"

#include "model/trace/trace_life.h"
#include "src/base/units.h"

/* The life is within the window: the time that it ran is known. */
static bool is_quiet(const struct track_gone_window *w, const struct track_life *life,
                     struct trace *trace, size_t i) {
    if (w->column < GONE_QUIET || !life->scheduled)
        return false;
    if (life->cpu_time < GONE_QUIET || (life->begin >= w->from && life->end < w->to))
        return life->cpu_time < GONE_QUIET;
    return trace_thread_cpu_time(trace, trace_thread(trace, i), w->from, w->to) < GONE_QUIET;
}

static enum track_presence look(const struct track_gone_window *w, const struct track_lives *lives,
                                struct trace *trace, size_t i) {
    const struct track_life *life = &lives->v.v[i];
    int64_t begin = life->begin, end = life->end;
    if (!life->known)
        return PRESENCE_UNKNOWN;
    if (begin >= w->to || end < w->from || (life->ended && end == w->from && begin < end))
        return PRESENCE_GONE;
    begin = begin > w->from ? begin : w->from;
    if (life->ended && end <= w->to && end - begin < 2 * w->column && lives->v.n > w->rows)
        return PRESENCE_SHORT;
    return lives->v.n / 2 >= w->rows && is_quiet(w, life, trace, i) ? PRESENCE_QUIET
                                                                    : PRESENCE_SEEN;
}

bool track_gone_decide(const struct track_gone_window *window, const struct track_lives *lives,
                       struct trace *trace, uint8_t *presence) {
    bool changed = false;
    for (size_t i = 0; i < lives->v.n; i++) {
        uint8_t now = PRESENCE_SEEN;
        if (window->from < window->to)
            now = (uint8_t)look(window, lives, trace, i);
        changed = changed || presence[i] != now;
        presence[i] = now;
    }
    return changed;
}

enum track_presence track_gone_together(const uint8_t *presence, const uint32_t *threads,
                                        size_t n) {
    enum track_presence all = PRESENCE_UNKNOWN;
    for (size_t i = 0; i < n && all != PRESENCE_SEEN; i++) {
        enum track_presence one = (enum track_presence)presence[threads[i]];
        if (one == PRESENCE_SHORT)
            one = PRESENCE_GONE;
        all = one > all ? one : all;
    }
    return all;
}

void track_gone_add(struct track_gone *line, const struct track_life *life, uint8_t presence) {
    line->threads++;
    line->short_lived += presence == PRESENCE_SHORT;
    line->cpu_time = units_sum(line->cpu_time, life->cpu_time);
}

void track_gone_add_threads(struct track_gone *line, const struct track_lives *lives,
                            const uint8_t *presence, const uint32_t *threads, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (presence[threads[i]] != PRESENCE_UNKNOWN)
            track_gone_add(line, &lives->v.v[threads[i]], presence[threads[i]]);
}
