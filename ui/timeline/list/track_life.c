/* track_life.c - the lives of all threads of a trace. */
#include "ui/timeline/list/track_life.h"

#include "model/trace/trace_life.h"

#define ASKED 2048 /* threads at a call, while the trace grows */

void track_life_free(struct track_lives *lives) {
    vec_free(&lives->v);
}

static int64_t cover(struct trace *trace, size_t i) {
    return trace_thread_covered(trace, trace_thread(trace, i), trace_begin(trace), trace_end(trace));
}

static struct track_life ask(struct trace *trace, size_t i, bool covered) {
    const struct thread *t = trace_thread(trace, i);
    struct track_life life = {0};
    life.known = trace_thread_span(trace, t, &life.begin, &life.end, &life.ended);
    life.scheduled = trace_thread_scheduled(trace, t);
    life.cpu_time = !life.scheduled ? 0 : trace_thread_cpu_time(trace, t, trace_begin(trace), trace_end(trace));
    if (covered)
        life.covered = cover(trace, i);
    return life;
}

void track_life_update(struct track_lives *lives, struct trace *trace, bool covered) {
    size_t n = trace_thread_count(trace), known = lives->v.n < n ? lives->v.n : n;
    bool all = trace_state(trace) == TRACE_COMPLETE || n <= ASKED;
    for (size_t i = 0; covered && !lives->covered && i < known; i++)
        lives->v.v[i].covered = cover(trace, i);
    lives->covered = covered;
    if (lives->version != trace_version(trace) || lives->v.n != n)
        lives->next = lives->next < known && !all ? lives->next : 0;
    lives->version = trace_version(trace);
    lives->v.n = known;
    vec_reserve(&lives->v, n);
    for (; lives->v.n < n; lives->v.n++)
        lives->v.v[lives->v.n] = ask(trace, lives->v.n, covered);
    for (size_t asked = 0; lives->next < known && (all || asked < ASKED); asked++, lives->next++)
        lives->v.v[lives->next] = ask(trace, lives->next, covered);
    if (lives->next >= known)
        lives->next = n;
}
