/* track_life.c - the lives of all threads of a trace. */
#include "ui/timeline/list/track_life.h"

#include <string.h>

#include "model/store/sched_life.h"
#include "model/trace/trace_life.h"

#define ASK_UNITS 16 /* some cache misses */
#define ROWS_MOST ((1u << 25) - 1)

void track_life_free(struct track_lives *lives) {
    vec_free(&lives->v);
    vec_free(&lives->shapes);
}

static void ask_next(struct track_lives *lives, struct trace *trace) {
    size_t i = lives->next++;
    struct thread *t = trace_thread(trace, i);
    struct track_life life = {0};
    uint32_t rows = nest_rows(&t->nest);
    bool slices = rows > 0 || trace_instant_count(t) > 0 || nest_waiting(&t->nest);
    bool none = trace_thread_none(trace, t);
    const struct sched_thread *states = none ? NULL : sched_thread(trace_sched(trace), (uint32_t)i);
    size_t events = trace_instant_count(t) + (states ? states->lane.n : 0);
    bool loose = t->process == NO_PROCESS && !none && !trace_thread_hidden(trace, t);
    life.known = trace_thread_span(trace, t, &life.begin, &life.end, &life.ended);
    life.scheduled = trace_thread_scheduled(trace, t);
    life.cpu_time =
        !life.scheduled ? 0 : trace_thread_cpu_time(trace, t, trace_begin(trace), trace_end(trace));
    life.covered = trace_thread_covered(trace, t, trace_begin(trace), trace_end(trace));
    life.interest = trace_thread_rank(trace, t, life.scheduled ? life.cpu_time : life.covered);
    life.single = trace_thread_single(trace, t);
    lives->v.v[i] = life;
    lives->shapes.v[i] =
        (struct track_shape){.rows = rows < ROWS_MOST ? rows : ROWS_MOST,
                             .derived = trace_thread_derived(trace, t),
                             .marks = rows == 0 && states && !nest_waiting(&t->nest) &&
                                      trace_instant_count(t) <= TRACK_MARKS,
                             .idle = trace_thread_idle(trace, t),
                             .few = rows == 0 && !nest_waiting(&t->nest) && events < TRACK_FEW,
                             .slices = slices,
                             .states = states != NULL,
                             .loose = loose};
}

/* Whether the answers of the last round still hold. */
static bool is_current(const struct track_lives *lives, const struct trace *trace) {
    return lives->version == trace_version(trace) && lives->v.n == trace_thread_count(trace);
}

/* Begins another round after the last one, if there is need of one. While the trace grows a round
 * goes on, so that all threads have their turn. */
static bool begin(struct track_lives *lives, struct trace *trace) {
    size_t n = trace_thread_count(trace), known = lives->v.n;
    if (is_current(lives, trace))
        return lives->next < n;
    if (lives->generation != trace_generation(trace))
        known = 0; /* numbers are of other threads */
    known = known < n ? known : n;
    vec_reserve(&lives->v, n + 1);
    vec_reserve(&lives->shapes, n + 1);
    memset(lives->v.v + known, 0, (n - known) * sizeof *lives->v.v);
    memset(lives->shapes.v + known, 0, (n - known) * sizeof *lives->shapes.v);
    if (known == 0 || lives->next >= lives->v.n) {
        lives->next = 0;
        lives->version = trace_version(trace);
    }
    lives->v.n = lives->shapes.n = n;
    lives->generation = trace_generation(trace);
    return lives->next < n;
}

void track_life_update(struct track_lives *lives, struct trace *trace) {
    size_t n = trace_thread_count(trace);
    if (n <= FEW_THREADS && !is_current(lives, trace))
        lives->next = lives->v.n; /* one round is enough */
    if (!begin(lives, trace))
        return;
    size_t most = n <= FEW_THREADS ? n : FEW_THREADS / 2; /* covered times are asked, too */
    for (size_t asked = 0; lives->next < n && asked < most; asked++)
        ask_next(lives, trace);
}

bool track_life_step(struct track_lives *lives, struct trace *trace, struct task *task) {
    while (begin(lives, trace)) {
        while (lives->next < lives->v.n) {
            if (task_over(task))
                return true;
            ask_next(lives, trace);
            task_spend(task, ASK_UNITS);
        }
    }
    return false;
}
