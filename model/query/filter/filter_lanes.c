/* filter_lanes.c - counts hits, then copies those that are drawn, row by row: slices, operations,
 * states, samples.
 *
 * Then come the runs of CPUs, by the states of their threads. Last, the rows of each thread are
 * merged into the stretches that they cover together, always two that are of as many rows. */
#include "model/query/filter/filter_lanes.h"

#include <stdlib.h>

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

struct merged { /* what 2^rank rows of a thread, or a few more, cover */
    struct lane lane;
    uint32_t rank;
};

/* Each row is merged with as many others: so a long row among many short ones is not passed for
 * each of them. */
struct merge {
    size_t row;         /* the place of the next row */
    uint32_t thread;    /* of `covers`, if there are any */
    bool reading;       /* it is made a cover; else the last two of `covers` are merged */
    uint32_t at, other; /* the next slices of the first, and of the second */
    int64_t from, to;   /* the stretch that grows; from == to: none */
    struct lane into;
    VEC(struct merged) covers; /* of the thread, ranks descending */
};

struct filter_lanes {
    struct trace *trace;
    struct search *search;
    VEC(struct left) rows;             /* in (track, row) order */
    VEC(struct left_counter) counters; /* in the order of `of` */
    VEC(struct cover) covers;          /* in the order of threads */
    struct merge merge;
    uint64_t hits;
    uint64_t version;    /* of the trace that they are made from */
    bool copied, known;  /* copied: all series are */
    uint32_t generation; /* of the trace then */
    uint32_t track, row; /* of the next series */
    struct slice_series series;
    uint32_t i;
    uint32_t cpu; /* the next CPU, after all series */
};

struct filter_lanes *filter_lanes_new(struct trace *trace, struct filter *filter) {
    struct filter_lanes *l = err_calloc(1, sizeof *l);
    l->trace = trace;
    l->search = search_of(trace, filter);
    l->version = UINT64_MAX;
    return l;
}

static void forget(struct filter_lanes *l) {
    for (size_t i = 0; i < l->rows.n; i++)
        lane_free(&l->rows.v[i].lane);
    for (size_t i = 0; i < l->covers.n; i++)
        lane_free(&l->covers.v[i].lane);
    for (size_t i = 0; i < l->counters.n; i++)
        counter_series_free(l->counters.v[i].series);
    lane_free(&l->merge.into);
    for (size_t i = 0; i < l->merge.covers.n; i++)
        lane_free(&l->merge.covers.v[i].lane);
    vec_free(&l->merge.covers);
    l->rows.n = l->covers.n = l->counters.n = 0;
    l->merge = (struct merge){.into = LANE_EMPTY};
    l->track = l->row = l->i = l->cpu = 0;
    l->series = (struct slice_series){0};
    l->copied = l->known = false;
}

void filter_lanes_free(struct filter_lanes *l) {
    if (l == NULL)
        return;
    forget(l);
    vec_free(&l->rows);
    vec_free(&l->covers);
    vec_free(&l->counters);
    search_free(l->search);
    free(l);
}

const char *filter_lanes_text(const struct filter_lanes *l) {
    return search_pattern(l->search);
}

const char *filter_lanes_fault(const struct filter_lanes *l, char line[FILTER_FAULT]) {
    return search_fault(l->search, line);
}

static void add_left(struct filter_lanes *l, uint32_t track, uint32_t row,
                     const struct slice *slice) {
    struct left *last = l->rows.n > 0 ? &l->rows.v[l->rows.n - 1] : NULL;
    if (last == NULL || last->track != track || last->row != row)
        vec_push(&l->rows, ((struct left){track, row, LANE_EMPTY}));
    lane_push(&l->rows.v[l->rows.n - 1].lane, slice);
}

/* Copies a slice, an operation or a state of the current series if it is left. Names alone decide
 * about no state. */
static void copy_slice(struct filter_lanes *l) {
    const struct slice_series *s = &l->series;
    const struct slice *slice = lane_at(s->lane, l->i);
    uint32_t name =
        s->kind == SLICE_ITER_STATES ? 0 : trace_packed_name(l->trace, slice->begin_word);
    if (search_draws(l->search, s->track, s->row, l->i, name))
        add_left(l, s->track, s->row, slice);
}

static void copy_sample(struct filter_lanes *l) {
    const struct slice_series *s = &l->series;
    uint32_t of = s->track - SLICE_ITER_COUNTER_TRACK;
    struct counter_sample sample = *counter_sample(s->counter, l->i);
    if (l->i == 0) {
        vec_push(&l->counters,
                 ((struct left_counter){of, err_calloc(1, sizeof(struct counter_series))}));
        vec_reserve(&l->counters.v[l->counters.n - 1].series->samples, s->n);
    }
    if (!search_draws(l->search, s->track, s->row, l->i, 0))
        counter_hide(&sample);
    vec_push(&l->counters.v[l->counters.n - 1].series->samples, sample);
}

/* Copies the events of the current series that are left. */
static bool copy_series(struct filter_lanes *l, struct budget *budget) {
    for (; l->i < l->series.n; l->i++) {
        if (l->i % SLICES_A_UNIT == 0 && !budget_spend(budget, 1))
            return false;
        if (l->series.lane)
            copy_slice(l);
        else
            copy_sample(l);
    }
    return true;
}

/* ---- runs of CPUs ---- */

static bool is_run_left(const struct filter_lanes *l, const struct sched_cpu *cpu,
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

static bool copy_runs(struct filter_lanes *l, struct budget *budget) {
    const struct sched *sched = trace_sched(l->trace);
    for (; l->cpu < sched_cpu_count(sched); l->cpu++, l->i = 0) {
        struct sched_cpu *cpu = sched_cpu(sched, l->cpu);
        const struct lane *runs = sched_busy(cpu);
        for (; l->i < runs->n; l->i++) {
            if (!budget_spend(budget, 1))
                return false;
            if (is_run_left(l, cpu, lane_at(runs, l->i)))
                add_left(l, FILTER_LANES_CPU + l->cpu, 0, lane_at(runs, l->i));
        }
    }
    return true;
}

/* ---- what the rows of a thread cover together ---- */

static void end_stretch(struct merge *m) {
    if (m->from < m->to) {
        struct slice s = slice_make(m->from, units_since(m->from, m->to), 0, 0, SLICE_COMPLETE);
        lane_push(&m->into, &s);
    }
    m->from = m->to = 0;
}

/* Adds [from, to), which begins no earlier than those before it. */
static void cover_more(struct merge *m, int64_t from, int64_t to) {
    if (from >= to)
        return;
    if (m->from < m->to && from <= m->to) {
        m->to = to > m->to ? to : m->to;
        return;
    }
    end_stretch(m);
    m->from = from;
    m->to = to;
}

static bool next_of(const struct lane *lane, uint32_t at, struct slice *s) {
    if (at < lane->n)
        *s = *lane_at(lane, at);
    return at < lane->n;
}

/* One slice of the two, whichever begins first; false: all of both are merged. */
static bool merge_one(struct filter_lanes *l, const struct left *row) {
    struct merge *m = &l->merge;
    const struct merged *last = m->reading ? NULL : &m->covers.v[m->covers.n - 2];
    struct slice a = {0}, b = {0};
    bool first = next_of(m->reading ? &row->lane : &last[0].lane, m->at, &a);
    bool second = !m->reading && next_of(&last[1].lane, m->other, &b);
    if (second && (!first || b.start < a.start)) {
        m->other++;
        cover_more(m, b.start, slice_end(&b));
        return true;
    }
    m->at += first;
    if (first && !m->reading)
        cover_more(m, a.start, slice_end(&a));
    else if (first && !trace_damaged_slice(l->trace, &a))
        cover_more(m, a.start, slice_iter_end(l->trace, m->thread, &a));
    return first;
}

/* The rows that were merged become a cover. */
static void end_merge(struct merge *m) {
    end_stretch(m);
    struct merged merged = {m->into, 0};
    for (int k = 0; k < 2 && !m->reading; k++) {
        struct merged *last = &m->covers.v[--m->covers.n];
        merged.rank = last->rank + 1 > merged.rank ? last->rank + 1 : merged.rank;
        lane_free(&last->lane);
    }
    m->row += m->reading;
    vec_push(&m->covers, merged);
    m->into = LANE_EMPTY;
    m->at = m->other = 0;
}

/* Whether the last two covers are to be merged: they are of as many rows, or no row of the thread
 * is left. */
static bool merges_covers(const struct merge *m, bool more_rows) {
    size_t n = m->covers.n;
    return n > 1 && (!more_rows || m->covers.v[n - 2].rank == m->covers.v[n - 1].rank);
}

static bool merge_step(struct filter_lanes *l, struct budget *budget) {
    struct merge *m = &l->merge;
    while (m->row < l->rows.n || m->covers.n > 0) {
        const struct left *row = m->row < l->rows.n ? &l->rows.v[m->row] : NULL;
        if (row && row->track >= SLICE_ITER_ASYNC)
            row = NULL;
        bool first = m->covers.n == 0, more = row && (first || row->track == m->thread);
        if (first && !more)
            break;
        m->thread = first ? row->track : m->thread;
        if (!merges_covers(m, more) && !more) {
            struct cover cover = {m->thread, m->covers.v[0].lane};
            lane_index(&cover.lane);
            vec_push(&l->covers, cover);
            m->covers.n = 0;
            continue;
        }
        m->reading = !merges_covers(m, more);
        while (merge_one(l, row))
            if (!budget_spend(budget, 1))
                return false;
        end_merge(m);
    }
    return true;
}

void filter_lanes_busy(const struct filter_lanes *l, uint32_t thread, const int64_t *edges,
                       int columns, double *share) {
    const struct cover *v = l->covers.v;
    size_t n = l->covers.n, at = 0;
    lower_bound(at, n, i, v[i].thread < thread);
    if (at < n && v[at].thread == thread)
        lane_busy_columns(&l->covers.v[at].lane, edges, columns, share);
}

bool filter_lanes_step(struct filter_lanes *l, struct budget *budget, bool *news) {
    if (l->known && l->version == trace_version(l->trace))
        return false;
    if (!search_count(l->search, budget, &l->hits))
        return true;
    if (l->version != trace_version(l->trace)) {
        forget(l);
        l->version = trace_version(l->trace);
        l->generation = trace_generation(l->trace);
    }
    while (!l->copied) {
        if (!budget_left(budget) || !copy_series(l, budget))
            return true;
        l->copied = !slice_iter_series(l->trace, COPIED_KINDS, &l->track, &l->row, &l->series);
        l->i = l->copied || search_has_in(l->search, &l->series) ? 0 : l->series.n;
        budget_spend(budget, SERIES_UNITS);
    }
    if ((search_asks(l->search, SLICE_ITER_STATES) && !copy_runs(l, budget)) ||
        !merge_step(l, budget))
        return true;
    l->known = *news = true;
    return false;
}

bool filter_lanes_known(const struct filter_lanes *l) {
    return l->known && l->generation == trace_generation(l->trace);
}

uint64_t filter_lanes_hits(const struct filter_lanes *l) {
    return l->hits;
}

struct lane *filter_lanes_of(const struct filter_lanes *l, uint32_t track, uint32_t row) {
    struct left *v = l->rows.v;
    size_t n = l->rows.n, at = 0;
    lower_bound(at, n, i, v[i].track < track || (v[i].track == track && v[i].row < row));
    return at < n && v[at].track == track && v[at].row == row ? &v[at].lane : NULL;
}

struct counter_series *filter_lanes_counter(const struct filter_lanes *l, uint32_t series) {
    const struct left_counter *v = l->counters.v;
    size_t n = l->counters.n, at = 0;
    lower_bound(at, n, i, v[i].of < series);
    return at < n && v[at].of == series ? v[at].series : NULL;
}

uint32_t filter_lanes_moment_along(const struct filter_lanes *l, uint32_t track, uint32_t i,
                                   int d) {
    return search_moment_along(l->search, track, i, d);
}
