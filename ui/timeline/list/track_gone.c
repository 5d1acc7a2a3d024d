/* track_gone.c - compares the life of a thread with the window. */
#include "ui/timeline/list/track_gone.h"

#include "model/trace/trace_life.h"
#include "src/base/units.h"

enum known { /* of a thread */
    UNKNOWN,
    GONE,
    SHORT, /* it ended and lived for less than two columns */
    PRESENT
};

static enum known look(const struct track_gone_window *w, const struct trace *trace, const struct thread *thread) {
    int64_t begin, end;
    bool ended;
    if (!trace_thread_span(trace, thread, &begin, &end, &ended))
        return UNKNOWN;
    if (begin >= w->to || end < w->from || (ended && end == w->from && begin < end))
        return GONE;
    begin = begin > w->from ? begin : w->from;
    if (ended && end <= w->to && end - begin < 2 * w->column && trace_thread_count(trace) > w->rows)
        return SHORT;
    return PRESENT;
}

bool track_gone_thread(const struct track_gone_window *window, const struct trace *trace, const struct thread *thread,
                       bool *short_lived) {
    enum known known = window->from < window->to ? look(window, trace, thread) : PRESENT;
    *short_lived = known == SHORT;
    return known == GONE || known == SHORT;
}

void track_gone_add(struct track_gone *line, const struct trace *trace, const struct thread *thread, bool short_lived) {
    line->threads++;
    line->short_lived += short_lived;
    line->cpu_time = units_sum(line->cpu_time,
                               trace_thread_cpu_time(trace, thread, trace_origin(trace), trace_end(trace)));
}

bool track_gone_threads(const struct track_gone_window *window, const struct trace *trace, const uint32_t *threads,
                        size_t n, struct track_gone *line) {
    struct track_gone all = *line;
    if (window->from >= window->to)
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct thread *t = trace_thread(trace, threads[i]);
        enum known known = look(window, trace, t);
        if (known == PRESENT)
            return false;
        if (known != UNKNOWN)
            track_gone_add(&all, trace, t, known == SHORT);
    }
    bool any = all.threads > line->threads;
    if (any)
        *line = all;
    return any;
}
