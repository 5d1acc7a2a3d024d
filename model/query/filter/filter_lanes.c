/* filter_lanes.c - counts hits, then copies those that are drawn, row by row: slices, operations,
 * states, samples.
 *
 * Then come the runs of CPUs, by the states of their threads. Last, the rows of each thread are
 * merged into the stretches that they cover together. */
#include "model/query/filter/filter_lanes.h"

#include <stdlib.h>

#include "model/query/answer.h"
#include "src/base/lower_bound.h"
#include "src/base/units.h"

#define SERIES_UNITS 2
#define SLICES_A_UNIT 2
#define COPIED_KINDS                                                                               \
    (SLICE_ITER_SLICES | SLICE_ITER_OPERATIONS | SLICE_ITER_STATES | SLICE_ITER_COUNTERS)

struct left { /* of one row */
    uint32_t track, row;
    struct lane lane;
};

struct left_counter {
    uint32_t of;
    struct counter_series *series;
};

struct cover { /* of a thread: stretches that do not touch, as slices without a record */
    uint32_t thread;
    struct lane lane;
};

struct lanes { /* of one version of the trace */
    struct trace *trace;
    struct search *search;             /* borrowed */
    VEC(struct left) rows;             /* in (track, row) order */
    VEC(struct left_counter) counters; /* in the order of `of` */
    VEC(struct cover) covers;          /* in the order of threads */
    uint64_t hits;
};

struct filter_lanes {
    struct trace *trace;
    struct search *search;
    struct answer answer; /* struct lanes */
};

static void free_lanes(void *data) {
    struct lanes *l = data;
    for (size_t i = 0; i < l->rows.n; i++)
        lane_free(&l->rows.v[i].lane);
    for (size_t i = 0; i < l->covers.n; i++)
        lane_free(&l->covers.v[i].lane);
    for (size_t i = 0; i < l->counters.n; i++)
        counter_series_free(l->counters.v[i].series);
    vec_free(&l->rows);
    vec_free(&l->covers);
    vec_free(&l->counters);
}

struct filter_lanes *filter_lanes_new(struct trace *trace, struct filter *filter) {
    struct filter_lanes *l = err_calloc(1, sizeof *l);
    l->trace = trace;
    l->search = search_of(trace, filter);
    return l;
}

void filter_lanes_free(struct filter_lanes *l) {
    if (l == NULL)
        return;
    answer_drop(&l->answer);
    search_free(l->search);
    free(l);
}

const char *filter_lanes_text(const struct filter_lanes *l) {
    return search_pattern(l->search);
}

const char *filter_lanes_fault(const struct filter_lanes *l, char line[FILTER_FAULT]) {
    return search_fault(l->search, line);
}

/* ---- rows ---- */

static void add_left(struct lanes *l, uint32_t track, uint32_t row, const struct slice *slice) {
    struct left *last = l->rows.n > 0 ? &l->rows.v[l->rows.n - 1] : NULL;
    if (last == NULL || last->track != track || last->row != row)
        vec_push(&l->rows, ((struct left){track, row, LANE_EMPTY}));
    lane_push(&l->rows.v[l->rows.n - 1].lane, slice);
}

/* Copies a slice, an operation or a state if it is left. Names alone decide about no state. */
static void copy_slice(struct lanes *l, const struct slice_series *s, uint32_t i) {
    const struct slice *slice = lane_at(s->lane, i);
    uint32_t name =
        s->kind == SLICE_ITER_STATES ? 0 : trace_packed_name(l->trace, slice->begin_word);
    if (search_draws(l->search, s->track, s->row, i, name))
        add_left(l, s->track, s->row, slice);
}

static void copy_sample(struct lanes *l, const struct slice_series *s, uint32_t i) {
    uint32_t of = s->track - SLICE_ITER_COUNTER_TRACK;
    struct counter_sample sample = *counter_sample(s->counter, i);
    if (i == 0) {
        vec_push(&l->counters,
                 ((struct left_counter){of, err_calloc(1, sizeof(struct counter_series))}));
        vec_reserve(&l->counters.v[l->counters.n - 1].series->samples, s->n);
    }
    if (!search_draws(l->search, s->track, s->row, i, 0))
        counter_hide(&sample);
    vec_push(&l->counters.v[l->counters.n - 1].series->samples, sample);
}

static bool copy_series(struct task *task, struct lanes *l, const struct slice_series *s) {
    for (uint32_t i = 0; i < s->n; i++) {
        if (i % SLICES_A_UNIT == 0 && !task_spend(task, 1))
            return false;
        if (s->lane)
            copy_slice(l, s, i);
        else
            copy_sample(l, s, i);
    }
    return true;
}

static bool copy_all(struct task *task, struct lanes *l) {
    struct slice_series s;
    uint32_t track = 0, row = 0;
    while (slice_iter_series(l->trace, COPIED_KINDS, &track, &row, &s))
        if (!task_spend(task, SERIES_UNITS) ||
            (search_has_in(l->search, &s) && !copy_series(task, l, &s)))
            return false;
    return true;
}

/* ---- runs of CPUs ---- */

static bool is_run_left(const struct lanes *l, const struct sched_cpu *cpu,
                        const struct slice *run) {
    const struct sched *sched = trace_sched(l->trace);
    uint32_t number = sched_busy_thread(cpu, run);
    uint32_t place = sched_thread_place(sched, number);
    if (place == UINT32_MAX)
        return false;
    const struct sched_thread *t = sched_thread_at(sched, place);
    uint32_t i = lane_find(&t->lane, run->start, slice_offset(run));
    if (i == UINT32_MAX) /* the CPU's first: the records differ */
        i = lane_before(&t->lane, run->start);
    return i != UINT32_MAX && sched_state(t, i) == SCHED_RUNNING &&
           search_draws(l->search, SLICE_ITER_STATE_TRACK + place, 0, i, 0);
}

static bool copy_runs(struct task *task, struct lanes *l) {
    const struct sched *sched = trace_sched(l->trace);
    for (uint32_t k = 0; k < sched_cpu_count(sched); k++) {
        struct sched_cpu *cpu = sched_cpu(sched, k);
        const struct lane *runs = sched_busy(cpu);
        for (uint32_t i = 0; i < runs->n; i++) {
            if (!task_spend(task, 1))
                return false;
            if (is_run_left(l, cpu, lane_at(runs, i)))
                add_left(l, FILTER_LANES_CPU + k, 0, lane_at(runs, i));
        }
    }
    return true;
}

/* ---- what the rows of a thread cover together ---- */

struct growing { /* stretches that do not touch, and the one that may still grow */
    struct lane lane;
    int64_t from, to; /* from == to: none */
};

static void end_stretch(struct growing *g) {
    if (g->from < g->to) {
        struct slice s = slice_make(g->from, units_since(g->from, g->to), 0, 0, SLICE_COMPLETE);
        lane_push(&g->lane, &s);
    }
    g->from = g->to = 0;
}

/* Adds [from, to), which begins no earlier than those before it. */
static void cover_more(struct growing *g, int64_t from, int64_t to) {
    if (from >= to)
        return;
    if (g->from < g->to && from <= g->to) {
        g->to = to > g->to ? to : g->to;
        return;
    }
    end_stretch(g);
    g->from = from;
    g->to = to;
}

static struct lane cover_row(struct task *task, const struct lanes *l, const struct left *row) {
    struct growing g = {LANE_EMPTY, 0, 0};
    for (uint32_t i = 0; i < row->lane.n && task_spend(task, 1); i++) {
        const struct slice *s = lane_at(&row->lane, i);
        if (!trace_damaged_slice(l->trace, s))
            cover_more(&g, s->start, slice_iter_end(l->trace, row->track, s));
    }
    end_stretch(&g);
    return g.lane;
}

static struct lane cover_both(struct task *task, const struct lane *a, const struct lane *b) {
    struct growing g = {LANE_EMPTY, 0, 0};
    for (uint32_t i = 0, k = 0; (i < a->n || k < b->n) && task_spend(task, 1);) {
        bool second = k < b->n && (i == a->n || lane_start(b, k) < lane_start(a, i));
        const struct slice *s = second ? lane_at(b, k++) : lane_at(a, i++);
        cover_more(&g, s->start, slice_end(s));
    }
    end_stretch(&g);
    return g.lane;
}

struct merged { /* the stretches that 2^rank rows of a thread, or a few more, cover */
    struct lane lane;
    unsigned rank;
};

/* The last two become one. */
static void merge_last(struct task *task, struct merged *covers, size_t n) {
    struct merged *a = &covers[n - 2], *b = &covers[n - 1];
    struct lane both = cover_both(task, &a->lane, &b->lane);
    lane_free(&a->lane);
    lane_free(&b->lane);
    *a = (struct merged){both, (a->rank > b->rank ? a->rank : b->rank) + 1};
}

/* Merges each row with as many others, so that a long one among many short ones is not passed for
 * each of them. first < end. */
static struct lane cover_rows(struct task *task, const struct lanes *l, size_t first, size_t end) {
    /* ranks descend, and rows are fewer than 2^32 */
    struct merged covers[34] = {{cover_row(task, l, &l->rows.v[first]), 0}};
    size_t n = 1;
    for (size_t i = first + 1; i < end; i++) {
        covers[n++] = (struct merged){cover_row(task, l, &l->rows.v[i]), 0};
        for (; n > 1 && covers[n - 2].rank == covers[n - 1].rank; n--)
            merge_last(task, covers, n);
    }
    for (; n > 1; n--)
        merge_last(task, covers, n);
    return covers[0].lane;
}

static void cover_threads(struct task *task, struct lanes *l) {
    for (size_t i = 0, end; i < l->rows.n && l->rows.v[i].track < SLICE_ITER_ASYNC; i = end) {
        struct cover cover = {.thread = l->rows.v[i].track};
        end = i;
        while (end < l->rows.n && l->rows.v[end].track == cover.thread)
            end++;
        cover.lane = cover_rows(task, l, i, end);
        lane_index(&cover.lane);
        vec_push(&l->covers, cover);
    }
}

static void make(struct task *task, void *data) {
    struct lanes *l = data;
    if (search_count(l->search, task, &l->hits) && copy_all(task, l) &&
        (!search_asks(l->search, SLICE_ITER_STATES) || copy_runs(task, l)))
        cover_threads(task, l);
}

static const struct answer_ops ops = {sizeof(struct lanes), make, free_lanes};

bool filter_lanes_step(struct filter_lanes *l, struct task *task, bool *news) {
    if (!answer_is_of(&l->answer, l->trace, 0)) {
        struct lanes *data = answer_ask(&l->answer, &ops, l->trace, 0);
        data->trace = l->trace;
        data->search = l->search;
    }
    if (l->answer.done)
        return false;
    *news = answer_step(&l->answer, task);
    return !*news;
}

/* ---- answers ---- */

/* Complete, of this or an earlier version of the trace; or NULL. */
static struct lanes *known(const struct filter_lanes *l) {
    return answer_about(&l->answer, l->trace, 0);
}

bool filter_lanes_known(const struct filter_lanes *l) {
    return known(l) != NULL;
}

uint64_t filter_lanes_hits(const struct filter_lanes *l) {
    const struct lanes *lanes = known(l);
    return lanes ? lanes->hits : 0;
}

void filter_lanes_busy(const struct filter_lanes *lanes, uint32_t thread, const int64_t *edges,
                       int columns, double *share) {
    const struct lanes *l = known(lanes);
    if (l == NULL)
        return;
    size_t n = l->covers.n, at = 0;
    lower_bound(at, n, i, l->covers.v[i].thread < thread);
    if (at < n && l->covers.v[at].thread == thread)
        lane_busy_columns(&l->covers.v[at].lane, edges, columns, share);
}

struct lane *filter_lanes_of(const struct filter_lanes *lanes, uint32_t track, uint32_t row) {
    const struct lanes *l = known(lanes);
    if (l == NULL)
        return NULL;
    struct left *v = l->rows.v;
    size_t n = l->rows.n, at = 0;
    lower_bound(at, n, i, v[i].track < track || (v[i].track == track && v[i].row < row));
    return at < n && v[at].track == track && v[at].row == row ? &v[at].lane : NULL;
}

struct counter_series *filter_lanes_counter(const struct filter_lanes *lanes, uint32_t series) {
    const struct lanes *l = known(lanes);
    if (l == NULL)
        return NULL;
    const struct left_counter *v = l->counters.v;
    size_t n = l->counters.n, at = 0;
    lower_bound(at, n, i, v[i].of < series);
    return at < n && v[at].of == series ? v[at].series : NULL;
}

uint32_t filter_lanes_moment_along(const struct filter_lanes *l, uint32_t track, uint32_t i,
                                   int d) {
    return search_moment_along(l->search, track, i, d);
}
