/* paths_measure.c - one row a measure. */
#include "ui/views/stat/paths_measure.h"

#include <string.h>

#include "model/query/process_label.h"
#include "src/fxt/sampled.h"
#include "ui/timeline/track_ops.h"

#define GROUPS_LOOKED 1000 /* of operations: a recording begins with its first processes */
#define SEVERAL 3          /* processes */
#define SHORT 10           /* a thread that lives for less than such a part of the range */
#define WAITING 20         /* a thread that runs for less than such a part of its life */

static const struct {
    const char *word, *text;
    enum path_weight weight;
} measures[PATHS_MEASURES] = {
    [PATHS_WALL] = {"wall", "wall time", PATH_WALL},
    [PATHS_RUNNING] = {"running", "time that the thread ran", PATH_RUNNING},
    [PATHS_CALLS] = {"calls", NULL, PATH_COUNT},
    [PATHS_PROCESSES] = {"processes", "wall time of processes", PATH_WALL},
    [PATHS_SAMPLES] = {"samples", "samples", PATH_WALL},
    [PATHS_OFF_CPU] = {"off-cpu", "off-CPU time: of blocked samples", PATH_WALL},
};

static bool has_name(const struct trace *trace, struct str name) {
    return names_find(reader_names(trace_reader(trace)), name.s, name.n) != UINT32_MAX;
}

/* The number of processes with a life, as `fxtop record` writes them, up to SEVERAL. */
static uint32_t count_lives(struct trace *trace) {
    uint32_t groups = track_async.count(trace), n = 0;
    for (uint32_t i = 0; i < groups && i < GROUPS_LOOKED && n < SEVERAL; i++)
        n += process_label_life(trace, i);
    return n;
}

/* Whether a thread has no slice but one since the begin of the trace: the call that it was in when
 * a recording of running processes began. */
static bool is_caught(struct trace *trace, const struct thread *t) {
    const struct lane *row = nest_row(&t->nest, 0);
    return nest_rows(&t->nest) == 1 && row->n == 1 &&
           lane_slice(row, 0).start == trace_origin(trace);
}

/* Whether the thread of a row of samples ran for long enough to be where the time went. */
static bool has_run(struct trace *trace, const struct range *range, const struct thread *row) {
    uint32_t thread = trace_sampled_thread(trace, row);
    if (thread == NO_THREAD)
        return true;
    int64_t time = range_thread_time(range, trace, thread),
            running = range_running(range, trace, thread),
            all = range_end(range, trace) - range_begin(range, trace);
    return running < 0 || (time >= all / SHORT && running >= time / WAITING);
}

void paths_measure_look(struct trace *trace, const struct range *range, struct paths_has *has) {
    uint32_t lives = count_lives(trace);
    trace_find_sampled(trace);
    *has = (struct paths_has){.processes = lives > 0, .several = lives == SEVERAL};
    bool ran = false;
    for (uint32_t i = 0; i < trace_thread_count(trace); i++) {
        const struct thread *t = trace_thread(trace, i);
        if (nest_rows(&t->nest) == 0 || !range_has_track(range, i))
            continue;
        has->sampled = has->sampled || t->sampled;
        has->measured = has->measured || (!t->sampled && !is_caught(trace, t));
        ran = ran || (t->sampled && has_run(trace, range, t));
    }
    has->blocked = has->sampled && has_name(trace, SAMPLED_BLOCKED);
    has->running = has->sampled && has_name(trace, SAMPLED_INSTANT);
    has->waiting = has->blocked && !ran;
}

enum paths_measure paths_measure_first(const struct paths_has *has, bool processes) {
    if (!has->sampled || has->measured)
        return PATHS_WALL;
    if (processes && has->several)
        return PATHS_PROCESSES;
    return has->blocked && (has->waiting || !has->running) ? PATHS_OFF_CPU : PATHS_SAMPLES;
}

static bool has_measure(const struct paths_has *has, enum paths_measure measure) {
    switch (measure) {
    case PATHS_PROCESSES: /* the other ones are of processes, too, if there are no slices */
        return has->processes && (has->sampled || has->measured);
    case PATHS_SAMPLES:
        return has->sampled;
    case PATHS_OFF_CPU:
        return has->blocked;
    default:
        return true;
    }
}

enum paths_measure paths_measure_next(const struct paths_has *has, enum paths_measure measure) {
    do
        measure = (enum paths_measure)((measure + 1) % PATHS_MEASURES);
    while (!has_measure(has, measure));
    return measure;
}

enum path_weight paths_measure_weight(enum paths_measure measure) {
    return measures[measure].weight;
}

enum paths_measure paths_measure_tree(enum paths_measure measure) {
    return measure <= PATHS_CALLS ? PATHS_WALL : measure;
}

const char *paths_measure_word(enum paths_measure measure) {
    return measures[measure].word;
}

bool paths_measure_of(const char *word, enum paths_measure *measure) {
    for (int i = 0; i < PATHS_MEASURES; i++)
        if (strcmp(word, measures[i].word) == 0) {
            *measure = (enum paths_measure)i;
            return true;
        }
    return false;
}

const char *paths_measure_text(enum paths_measure measure) {
    return measures[measure].text;
}
