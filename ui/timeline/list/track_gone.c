/* track_gone.c - compares the lives of threads with the window. */
#include "ui/timeline/list/track_gone.h"

#include "model/trace/trace_life.h"
#include "src/base/units.h"

/* The life is within the window: the time that it ran is known. */
static bool hardly_ran(const struct track_gone_window *w, const struct track_life *life,
                       struct trace *trace, size_t i) {
    if (w->column < GONE_HARDLY || !life->scheduled)
        return false;
    if (life->cpu_time < GONE_HARDLY || (life->begin >= w->from && life->end < w->to))
        return life->cpu_time < GONE_HARDLY;
    return trace_thread_cpu_time(trace, trace_thread(trace, i), w->from, w->to) < GONE_HARDLY;
}

static enum track_presence look(const struct track_gone_window *w, const struct track_lives *lives,
                                struct trace *trace, size_t i) {
    const struct track_life *life = &lives->v.v[i];
    const struct track_shape *shape = &lives->shapes.v[i];
    int64_t begin = life->begin, end = life->end;
    if (!life->known || shape->derived) /* its thread decides */
        return PRESENCE_UNKNOWN;
    if (begin >= w->to || end < w->from || (life->ended && end == w->from && begin < end))
        return PRESENCE_GONE;
    if (shape->idle)
        return PRESENCE_IDLE;
    if (shape->few && life->cpu_time <= w->column)
        return PRESENCE_FEW;
    begin = begin > w->from ? begin : w->from;
    if (life->ended && end <= w->to && end - begin < 2 * w->column && lives->v.n > w->rows)
        return PRESENCE_SHORT;
    if (shape->rows == 0 && lives->v.n / 2 >= w->rows && hardly_ran(w, life, trace, i))
        return PRESENCE_HARDLY;
    return PRESENCE_SEEN;
}

/* Whether the window shows anything besides idling threads and those with few events. */
static bool any_seen(const struct track_gone_window *w, const struct track_lives *lives,
                     struct trace *trace) {
    for (size_t i = 0; i < lives->v.n; i++) {
        enum track_presence presence = look(w, lives, trace, i);
        if (presence == PRESENCE_SEEN || presence == PRESENCE_HARDLY)
            return true;
    }
    return false;
}

bool track_gone_decide(const struct track_gone_window *window, const struct track_lives *lives,
                       struct trace *trace, uint8_t *presence) {
    bool changed = false, decides = window->from < window->to,
         seen = decides && any_seen(window, lives, trace);
    for (size_t i = 0; i < lives->v.n; i++) {
        enum track_presence now = decides ? look(window, lives, trace, i) : PRESENCE_SEEN;
        if ((now == PRESENCE_FEW || now == PRESENCE_IDLE) && !seen)
            now = PRESENCE_SEEN;
        changed = changed || presence[i] != now;
        presence[i] = (uint8_t)now;
    }
    return changed;
}

bool track_gone_together(const uint8_t *presence, const uint32_t *threads, size_t n) {
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        if (presence[threads[i]] == PRESENCE_SEEN)
            return false;
        any = any || presence[threads[i]] != PRESENCE_UNKNOWN;
    }
    return any;
}

void track_gone_add(struct track_gone *line, const struct track_life *life,
                    enum track_presence presence) {
    line->threads++;
    line->of[presence]++;
    if (presence != PRESENCE_IDLE)
        line->cpu_time = units_sum(line->cpu_time, life->cpu_time);
}

void track_gone_add_threads(struct track_gone *line, const struct track_lives *lives,
                            const uint8_t *presence, const uint32_t *threads, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (presence[threads[i]] != PRESENCE_UNKNOWN)
            track_gone_add(line, &lives->v.v[threads[i]],
                           (enum track_presence)presence[threads[i]]);
}
