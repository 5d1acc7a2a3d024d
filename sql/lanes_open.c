/* lanes_open.c - runs and states that have no end, or are no rows, and have lasted longer than all
 * that ended.
 *
 * A thread that runs until the trace ends, or waits for a CPU until then, is in no duration: such a
 * hang passes a test of durations, as a slice without an end does (answer/unended.h). A sleep until
 * the end is usual. A run from before the first record of its CPU is no row, but all times of its
 * thread have it. The longest that ended is sought only until it is as long as those without an
 * end. */
#include "sql/lanes.h"

#include <stdlib.h>

#include "model/store/sched_life.h"
#include "src/base/lower_bound.h"
#include "src/base/units.h"

enum way { RUNS, WAITS, WAYS };

struct open_row {
    uint64_t id;
    int64_t lasted;
    enum way way;
    enum source_open_kind kind;
    bool alone; /* no row of its lane is of its way */
};

struct open_rows { /* of a table, by id */
    VEC(struct open_row) v;
    int64_t most[WAYS], ended[WAYS]; /* the longest without an end, and with one */
};

static void free_open(void *of) {
    struct open_rows *open = of;
    vec_free(&open->v);
    free(open);
}

/* WAYS: another one. Runs of CPUs, and what is damaged, have no state of a thread. A wakeup after a
 * thread's end, or alone, does not say that it lives. */
static enum way way_of(struct rows *rows, const struct rows_lane *lane, uint32_t i) {
    struct source *source = rows->source;
    if (rows == lanes_sched(source))
        return trace_damaged_run(source->trace, lane->of, i) ? WAYS : RUNS;
    const struct sched_thread *t = sched_thread_at(trace_sched(source->trace), lane->owner);
    if (sched_damaged(t, i))
        return WAYS;
    switch (sched_life_state(t, i)) {
    case SCHED_RUNNING:
        return RUNS;
    case SCHED_NEW:
    case SCHED_RUNNABLE:
        return WAITS;
    default:
        return WAYS;
    }
}

/* Whether nothing but a switch to a third thread took this one from its CPU, as where records were
 * lost: that it is runnable since then is a guess. */
static bool is_guess(struct source *source, const struct rows_lane *lane, uint32_t i) {
    struct detail d;
    uint64_t offset = slice_offset(lane_at(lane->of, i));
    if (!detail_open(&d, source->trace, offset) || d.record.kind == FXT_K_WAKEUP)
        return false;
    uint32_t place =
        sched_cpu_place(trace_sched(source->trace),
                        reader_world_at(trace_reader(source->trace), offset), d.record.sched.cpu);
    if (place == UINT32_MAX)
        return false;
    const struct sched_cpu *cpu = sched_cpu(trace_sched(source->trace), place);
    uint32_t run = lane_find(&cpu->lane, lane_start(lane->of, i), offset);
    return run != UINT32_MAX && run > 0 && !(sched_flags(cpu, run - 1) & SCHED_KNOWN);
}

static void add(struct open_rows *open, const struct open_row *row) {
    vec_push(&open->v, *row);
    if (row->lasted > open->most[row->way])
        open->most[row->way] = row->lasted;
}

static bool runs_again(struct rows *rows, const struct rows_lane *lane) {
    for (uint32_t i = 1; i < lane->n; i++)
        if (way_of(rows, lane, i) == RUNS)
            return true;
    return false;
}

static void find_before(struct open_rows *open, struct rows *rows, const struct rows_lane *lane) {
    int64_t begin = trace_begin(rows->source->trace), start = lane_start(lane->of, 0),
            end = slice_end(lane_at(lane->of, 0));
    begin = begin > start ? begin : start;
    if (end > begin && lane->before && way_of(rows, lane, 0) == RUNS)
        add(open, &(struct open_row){lane->base, units_since(begin, end), RUNS, SOURCE_OPEN_BEFORE,
                                     !runs_again(rows, lane)});
}

/* The last of each lane has no end. */
static void find_open(struct open_rows *open, struct rows *rows) {
    int64_t end = trace_end(rows->source->trace);
    for (size_t k = 0; k < rows->v.n; k++) {
        const struct rows_lane *lane = &rows->v.v[k];
        find_before(open, rows, lane);
        const struct slice *s = lane_at(lane->of, lane->n - 1);
        if (!slice_open(s) || s->start >= end || rows->skip(rows->source, lane, lane->n - 1))
            continue;
        enum way way = way_of(rows, lane, lane->n - 1);
        int64_t lasted = units_since(s->start, end);
        if (way == WAYS || (way == WAITS && is_guess(rows->source, lane, lane->n - 1)))
            continue;
        add(open,
            &(struct open_row){lane->base + lane->n - 1, lasted, way, SOURCE_OPEN_ROWS, false});
    }
}

/* No row of that length or less is of interest. INT64_MAX: none is. */
static int64_t least(const struct open_rows *open) {
    int64_t dur = INT64_MAX;
    for (int way = 0; way < WAYS; way++)
        if (open->ended[way] < open->most[way] && open->ended[way] < dur)
            dur = open->ended[way];
    return dur;
}

/* False: stopped. */
static bool find_ended(struct open_rows *open, struct rows *rows, const struct rows_lane *lane) {
    struct slice v[ROWS_RUN];
    int64_t over = least(open);
    for (uint32_t from = 0, n; from < lane->n && over < INT64_MAX; from += n) {
        n = lane->n - from < ROWS_RUN ? lane->n - from : ROWS_RUN;
        if (source_stopped(rows->source))
            return false;
        lane_copy(lane->of, from, n, v);
        for (uint32_t i = 0; i < n; i++) {
            int64_t dur = slice_open(&v[i]) ? 0 : slice_dur_ended(&v[i]);
            if (dur <= over)
                continue;
            enum way way = way_of(rows, lane, from + i);
            if (way == WAYS || dur <= open->ended[way] || rows->skip(rows->source, lane, from + i))
                continue;
            open->ended[way] = dur;
            over = least(open);
        }
    }
    return true;
}

static const struct open_rows *open_of(struct rows *rows) {
    struct open_rows *open = source_find(rows->source, rows);
    if (open)
        return open;
    open = err_calloc(1, sizeof *open);
    find_open(open, rows);
    for (size_t k = 0; k < rows->v.n && least(open) < INT64_MAX; k++)
        if (!find_ended(open, rows, &rows->v.v[k])) {
            free_open(open);
            return NULL;
        }
    size_t kept = 0;
    for (size_t i = 0; i < open->v.n; i++)
        if (open->v.v[i].lasted > open->ended[open->v.v[i].way])
            open->v.v[kept++] = open->v.v[i];
    open->v.n = kept;
    source_keep(rows->source, rows, open, free_open);
    return open;
}

bool lanes_any_open(struct rows *rows) {
    const struct open_rows *open = open_of(rows);
    return open == NULL || open->v.n > 0;
}

/* The state as the table has it. */
static const char *letter(struct rows *rows, const struct rows_lane *lane, uint32_t i,
                          enum way way) {
    struct source *source = rows->source;
    if (way == RUNS)
        return "Running";
    const struct sched_thread *t = sched_thread_at(trace_sched(source->trace), lane->owner);
    return sched_woken(t, i) && !source->without_wakeups ? "W" : "R";
}

static const struct open_row *row_of(struct rows *rows, uint64_t id) {
    const struct open_rows *open = open_of(rows);
    size_t at = 0, n = open ? open->v.n : 0;
    lower_bound(at, n, k, open->v.v[k].id < id);
    return at < n && open->v.v[at].id == id ? &open->v.v[at] : NULL;
}

static void report(struct rows *rows, const struct rows_lane *lane, uint32_t i,
                   const struct open_row *row) {
    uint64_t table = rows == lanes_sched(rows->source);
    source_read_open(rows->source, UINT64_C(3) << 62 | table << 61 | row->id,
                     &(struct source_open){.kind = row->kind,
                                           .state = letter(rows, lane, i, row->way),
                                           .judged = true,
                                           .unsure = true,
                                           .n = 1,
                                           .lasted = row->lasted});
}

void lanes_read_open(struct rows *rows, const struct rows_lane *lane, uint32_t i) {
    const struct open_row *row = lane->before ? row_of(rows, lane->base) : NULL;
    if (row && (row->alone || way_of(rows, lane, i) == RUNS))
        report(rows, lane, 0, row);
    row = i + 1 == lane->n ? row_of(rows, lane->base + i) : NULL;
    if (row)
        report(rows, lane, i, row);
}
