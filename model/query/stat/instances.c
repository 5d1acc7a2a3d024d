/* instances.c - collects slices, drops the shortest when there are twice as many as asked for, and
 * sorts them.
 *
 * Self times are those of nest.h. On threads with overlaps a filter that asks for self and depth
 * works these out for all slices in one pass. */
#include "model/query/stat/instances.h"

#include "model/query/sample_counts.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/sort.h"
#include "src/base/units.h"

#define SLICES_A_UNIT 4
#define SELF_UNITS 10

void instances_free(struct instances *t) {
    vec_free(&t->v);
    vec_free(&t->longest);
    *t = (struct instances){0};
}

/* ---- collecting ---- */

/* Whether a comes before b: longest first. */
static bool before(const struct instance *a, const struct instance *b) {
    if (a->duration != b->duration)
        return a->duration > b->duration;
    if (a->start != b->start)
        return a->start < b->start;
    if (a->track != b->track)
        return a->track < b->track;
    return a->row != b->row ? a->row < b->row : a->i < b->i;
}

/* Moves the first `most` of them to the front, in any order. */
static void select_first(struct instance *v, size_t n, size_t most) {
    size_t from = 0, to = n; /* the border is in here */
    while (to - from > 1) {
        struct instance pivot = v[from + (to - from) / 2];
        size_t i = from, j = to - 1;
        for (;;) {
            while (before(&v[i], &pivot))
                i++;
            while (before(&pivot, &v[j]))
                j--;
            if (i >= j)
                break;
            struct instance x = v[i];
            v[i++] = v[j];
            v[j--] = x;
        }
        if (i == from) /* the pivot is the first of all */
            i++;
        if (most < i)
            to = i;
        else
            from = i;
    }
}

static int by_length(const void *a, const void *b) {
    return before(a, b) ? -1 : before(b, a);
}

static void cut_longest(struct instances *t) {
    if (t->longest.n > 1)
        qsort(t->longest.v, t->longest.n, sizeof *t->longest.v, by_length);
    t->bounded = t->longest.n >= INSTANCES_SO_FAR;
    t->longest.n = t->bounded ? INSTANCES_SO_FAR : t->longest.n;
}

static void add_longest(struct task *task, struct instances *t, const struct instance *x) {
    if (t->bounded && !before(x, &t->longest.v[INSTANCES_SO_FAR - 1]))
        return;
    vec_push(&t->longest, *x);
    if (t->longest.n < 2 * (size_t)INSTANCES_SO_FAR)
        return;
    cut_longest(t);
    task_spend(task, 4 * INSTANCES_SO_FAR);
}

uint32_t instances_so_far(struct instances *t, struct instance v[INSTANCES_SO_FAR]) {
    cut_longest(t);
    if (t->longest.n > 0)
        memcpy(v, t->longest.v, t->longest.n * sizeof *v);
    return (uint32_t)t->longest.n;
}

unsigned instances_passed(const struct instances *t) {
    return t->collected ? 100 : units_percent(t->passed, t->all);
}

static bool is_of(struct instances *t, const struct slice_run *run, uint32_t k) {
    const struct instances_query *q = &t->query;
    if (q->group && !slice_group_has(q->group, &q->key, run->track, &run->v[k]))
        return false;
    return q->has == NULL || q->has(q->ctx, run->track, run->row, run->i + k);
}

static void keep_most(struct instances *t) {
    select_first(t->v.v, t->v.n, t->query.most);
    t->v.n = t->query.most;
}

static void add(struct task *task, struct instances *t, const struct slice_run *run, uint32_t k) {
    const struct slice *s = &run->v[k];
    struct instance x = {.start = s->start,
                         .duration = units_since(s->start, slice_iter_end(t->trace, run->track, s)),
                         .begin_word = s->begin_word,
                         .track = run->track,
                         .row = run->row,
                         .i = run->i + k,
                         .open = slice_open(s),
                         .sampled = sample_counts_of(t->trace, run->track)};
    t->count++;
    t->open += x.open;
    vec_push(&t->v, x);
    if (t->query.so_far)
        add_longest(task, t, &x);
    if (t->query.most > 0 && t->v.n == 2 * (size_t)t->query.most) {
        keep_most(t);
        task_spend(task, t->query.most / SLICES_A_UNIT);
    }
}

static bool collect(struct task *task, struct instances *t) {
    struct slice_set set = range_slices(t->query.range, t->query.kinds);
    struct slice_iter iter;
    struct slice_run run;
    slice_iter_init(&iter, t->trace, &set);
    while (slice_iter_next(&iter, task, &run)) {
        for (uint32_t k = 0; k < run.n; k++)
            if (is_of(t, &run, k))
                add(task, t, &run, k);
        t->passed += run.n;
        if (!task_spend(task, run.n / SLICES_A_UNIT))
            return false;
    }
    if (t->query.most > 0 && t->v.n > t->query.most)
        keep_most(t);
    return t->collected = !task_over(task);
}

/* ---- self times ---- */

static bool any_overlaps(const struct instances *t) {
    for (size_t i = 0; i < t->v.n; i++)
        if (t->v.v[i].track < SLICE_ITER_ASYNC && slice_iter_displaced(t->trace, t->v.v[i].track))
            return true;
    return false;
}

/* known: of threads with slices that overlap. Their depths would be walks over all ancestors. */
static void find_self(struct instances *t, struct filter_match *known, struct sample_counts *counts,
                      struct instance *x) {
    if (x->track >= SLICE_ITER_ASYNC)
        return;
    const struct nest *nest = &trace_thread(t->trace, x->track)->nest;
    struct slice s = lane_slice(nest_row(nest, x->row), x->i);
    if (x->sampled) {
        struct sample_stretch in = sample_counts_slice(counts, t->trace, x->track, &s);
        x->samples = in.to - in.from;
    }
    if (slice_iter_displaced(t->trace, x->track)) {
        x->self = filter_match_self(known, x->track, x->row, x->i);
        x->depth = filter_match_depth(known, x->track, x->row, x->i);
    } else {
        x->self =
            trace_slice_self(t->trace, x->track, x->row, lane_at(nest_row(nest, x->row), x->i));
        x->depth = x->row;
    }
}

static void find_selves(struct task *task, struct instances *t) {
    struct filter *filter = NULL;
    struct filter_match *known = NULL;
    struct sample_counts counts = {0};
    struct err err;
    if (any_overlaps(t)) {
        filter = filter_new("self>=0ns depth>=0", false, &err);
        known = filter_match_new(t->trace, filter);
    }
    if (known == NULL || filter_match_step(known, task))
        for (size_t i = 0; i < t->v.n && task_spend(task, SELF_UNITS); i++)
            find_self(t, known, &counts, &t->v.v[i]);
    sample_counts_free(&counts);
    filter_match_free(known);
    filter_free(filter);
}

void instances_make(struct task *task, struct instances *t, struct trace *trace,
                    const struct instances_query *query) {
    *t = (struct instances){.trace = trace, .query = *query};
    trace_find_sampled(trace);
    t->all = query->all > 0 ? query->all : range_slices_about(query->range, trace, query->kinds);
    if (!collect(task, t) || !sort_items(task, t->v.v, t->v.n, sizeof *t->v.v, by_length))
        return;
    t->sorted = true;
    find_selves(task, t);
    t->ready = !task_over(task);
}

/* ---- rows ---- */

uint32_t instances_rows(const struct instances *t) {
    return t->sorted ? (uint32_t)t->v.n : 0;
}

struct slice instances_slice(const struct instances *t, uint32_t row) {
    const struct instance *x = &t->v.v[row];
    const struct lane *lanes =
        x->track < SLICE_ITER_ASYNC
            ? trace_thread(t->trace, x->track)->nest.lanes
            : async_group(trace_async(t->trace), x->track - SLICE_ITER_ASYNC)->lanes;
    return lane_slice(&lanes[x->row], x->i);
}

static bool state_of(const struct instances *t, const struct instance *x,
                     enum instances_column column, int64_t *value) {
    const struct sched_thread *states = sched_thread(trace_sched(t->trace), x->track);
    if (states == NULL || !trace_thread_scheduled(t->trace, trace_thread(t->trace, x->track)))
        return false;
    struct sched_shares shares = sched_life_shares(states, x->start, x->start + x->duration);
    if (column == INSTANCES_RUNNING)
        *value = shares.run;
    else if (column == INSTANCES_RUNNABLE)
        *value = shares.wait;
    else if (column == INSTANCES_BLOCKED)
        *value = shares.blocked;
    else
        *value = x->duration - shares.run - shares.wait - shares.blocked;
    return true;
}

bool instances_value(const struct instances *t, uint32_t row, enum instances_column column,
                     int64_t *value) {
    return instances_value_of(t, &t->v.v[row], column, value);
}

bool instances_value_of(const struct instances *t, const struct instance *x,
                        enum instances_column column, int64_t *value) {
    const struct thread *thread =
        x->track < SLICE_ITER_ASYNC ? trace_thread(t->trace, x->track) : NULL;
    switch (column) {
    case INSTANCES_NAME:
        *value = trace_packed_name(t->trace, x->begin_word);
        return true;
    case INSTANCES_PID:
        *value = thread ? (int64_t)thread->id.pid : 0;
        return thread != NULL;
    case INSTANCES_TID:
        *value = thread ? (int64_t)thread->id.tid : 0;
        return thread != NULL;
    case INSTANCES_TIME:
        *value = x->start;
        return true;
    case INSTANCES_DURATION:
        *value = x->duration;
        return !x->sampled;
    case INSTANCES_OPEN:
        *value = x->open;
        return !x->sampled;
    case INSTANCES_SELF:
    case INSTANCES_ABOUT:
        *value = x->self;
        return thread && t->ready && x->sampled == (column == INSTANCES_ABOUT);
    case INSTANCES_SAMPLES:
        *value = (int64_t)x->samples;
        return x->sampled && t->ready;
    case INSTANCES_DEPTH:
        *value = x->depth;
        return thread && t->ready;
    case INSTANCES_RUNNING:
    case INSTANCES_RUNNABLE:
    case INSTANCES_BLOCKED:
    case INSTANCES_OTHER:
        return thread && !x->sampled && state_of(t, x, column, value);
    case INSTANCES_OFFSET:
        *value = (int64_t)event_offset(x->begin_word);
        return true;
    default:
        return false;
    }
}
