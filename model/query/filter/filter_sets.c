/* filter_sets.c - passes over the rows of each thread, one after the other.
 *
 * A parent is on a row above its child. A pass from the outermost row on knows the answer of each
 * parent: in, depth. A pass from the innermost row on knows that of all children: has. Each visits
 * a slice once.
 *
 * Self time on a thread without overlaps is the duration without the row below. On others, and if
 * times are damaged, the slices are taken in nesting order (slice_order.h), and a stack holds those
 * that may still be running: the top one that has not ended is the last in nesting order that
 * covers the moment. */
#include "model/query/filter/filter_sets.h"

#include <string.h>

#include "model/query/aggregate.h"
#include "model/query/flow_slice.h"
#include "model/query/slice_order.h"
#include "model/store/sched_life.h"
#include "src/base/units.h"

#define STATES 4096 /* intervals of a thread between two looks at the clock */

static bool is_marked(enum filter_field field) {
    return field == FILTER_IN || field == FILTER_HAS || field == FILTER_FLOW;
}

static bool asks_percentile(const struct filter_term *term) {
    for (size_t k = 0; k < term->values.n; k++)
        if (term->values.v[k].number.type == FILTER_PERCENTILE)
            return true;
    return false;
}

void filter_sets_init(struct filter_sets *sets, struct trace *trace, const struct filter *filter,
                      const struct filter_names *names) {
    size_t n = filter->terms.n;
    *sets =
        (struct filter_sets){.trace = trace, .filter = filter, .names = names, .wanted = names + n};
    sets->threads = trace_thread_count(trace);
    sets->marks = err_calloc(n, sizeof *sets->marks);
    for (size_t k = 0; k < n; k++) {
        const struct filter_term *term = &filter->terms.v[k];
        if (is_marked(term->field)) {
            sets->needs_rows = true;
            sets->marks[k].fits = err_calloc(sets->threads + 1, sizeof *sets->marks[k].fits);
            sets->marks[k].present = err_calloc(sets->threads + 1, sizeof *sets->marks[k].present);
        }
        sets->needs_rows =
            sets->needs_rows || term->field == FILTER_DEPTH || term->field == FILTER_SELF;
        sets->needs_depth = sets->needs_depth || term->field == FILTER_DEPTH;
        sets->needs_self = sets->needs_self || term->field == FILTER_SELF;
        sets->needs_states = sets->needs_states || term->field == FILTER_STATE;
        sets->needs_percentiles = sets->needs_percentiles || asks_percentile(term);
    }
    sets->row_start = err_calloc(sets->threads + 1, sizeof *sets->row_start);
    sets->depth = err_calloc(sets->threads + 1, sizeof *sets->depth);
    sets->self = err_calloc(sets->threads + 1, sizeof *sets->self);
}

void filter_sets_free(struct filter_sets *sets) {
    if (sets->trace == NULL)
        return;
    for (size_t t = 0; t < sets->threads; t++) {
        free(sets->row_start[t]);
        free(sets->depth[t]);
        free(sets->self[t]);
    }
    for (size_t k = 0; k < sets->filter->terms.n; k++) {
        struct filter_marks *marks = &sets->marks[k];
        for (size_t t = 0; marks->fits && t < sets->threads; t++) {
            free(marks->fits[t]);
            free(marks->present[t]);
        }
        free(marks->fits);
        free(marks->present);
        vec_free(&marks->next);
        vec_free(&marks->least);
    }
    free(sets->row_start);
    free(sets->depth);
    free(sets->self);
    free(sets->marks);
    vec_free(&sets->first_state);
    *sets = (struct filter_sets){0};
}

/* ---- slices of a thread ---- */

static uint64_t place_of(const struct filter_sets *sets, size_t thread, uint32_t row, uint32_t i) {
    return sets->row_start[thread][row] + i;
}

static bool bit(const uint64_t *bits, uint64_t at) {
    return bits[at / 64] >> at % 64 & 1;
}

static void set_bit(uint64_t *bits, uint64_t at) {
    bits[at / 64] |= UINT64_C(1) << at % 64;
}

/* Rows and sets of a thread. */
static void begin_thread(struct filter_sets *sets, size_t thread) {
    const struct nest *nest = &trace_thread(sets->trace, thread)->nest;
    uint32_t rows = nest_rows(nest);
    uint64_t n = 0, *start = err_malloc(((size_t)rows + 1) * sizeof *start);
    for (uint32_t row = 0; row < rows; row++) {
        start[row] = n;
        n += nest_row(nest, row)->n;
    }
    start[rows] = n;
    sets->row_start[thread] = start;
    for (size_t k = 0; k < sets->filter->terms.n; k++)
        if (sets->marks[k].fits) {
            sets->marks[k].fits[thread] = err_calloc(n / 64 + 1, sizeof(uint64_t));
            sets->marks[k].present[thread] = err_calloc(n / 64 + 1, sizeof(uint64_t));
        }
    if (sets->needs_depth && nest->displaced > 0)
        sets->depth[thread] = err_calloc(n + 1, sizeof(uint32_t));
    if (sets->needs_self && slice_iter_displaced(sets->trace, (uint32_t)thread))
        sets->self[thread] = err_calloc(n + 1, sizeof(int64_t));
}

struct visited { /* a slice, its parent if it has one */
    const struct nest *nest;
    size_t thread;
    uint32_t row, i, parent_row, parent;
    bool has_parent;
    uint64_t at, parent_at;
};

typedef void visit(struct filter_sets *sets, size_t term, const struct visited *v);

/* Visits the slices of a thread, row by row; up: from the innermost row. False: cancelled. */
static bool walk(struct task *task, struct filter_sets *sets, size_t thread, visit *call,
                 size_t term, bool up) {
    struct visited v = {.nest = &trace_thread(sets->trace, thread)->nest, .thread = thread};
    uint32_t rows = nest_rows(v.nest);
    for (uint32_t k = 0; k < rows; k++) {
        v.row = up ? rows - 1 - k : k;
        uint32_t n = nest_row(v.nest, v.row)->n;
        for (v.i = 0; v.i < n; v.i++) {
            v.has_parent = nest_parent(v.nest, trace_slice_extra(sets->trace), v.row, v.i,
                                       &v.parent_row, &v.parent);
            v.at = place_of(sets, thread, v.row, v.i);
            v.parent_at = v.has_parent ? place_of(sets, thread, v.parent_row, v.parent) : 0;
            call(sets, term, &v);
            if (!task_spend(task, 2))
                return false;
        }
        if (!task_spend(task, 1))
            return false;
    }
    return true;
}

static bool fits_name(const struct filter_sets *sets, size_t term, const struct nest *nest,
                      uint32_t row, uint32_t i) {
    uint64_t word = lane_at(nest_row(nest, row), i)->begin_word;
    uint32_t name = event_name(word);
    if (name == EVENT_NAME_MAX)
        name = trace_packed_name(sets->trace, word);
    return name < sets->names[term].has.n && sets->names[term].has.v[name];
}

static void visit_in(struct filter_sets *sets, size_t term, const struct visited *v) {
    uint64_t *fits = sets->marks[term].fits[v->thread];
    if (v->has_parent &&
        (bit(fits, v->parent_at) || fits_name(sets, term, v->nest, v->parent_row, v->parent)))
        set_bit(fits, v->at);
    if (v->has_parent)
        set_bit(sets->marks[term].present[v->thread], v->at);
}

static void visit_has(struct filter_sets *sets, size_t term, const struct visited *v) {
    uint64_t *fits = sets->marks[term].fits[v->thread];
    if (!v->has_parent)
        return;
    set_bit(sets->marks[term].present[v->thread], v->parent_at);
    if (bit(fits, v->at) || fits_name(sets, term, v->nest, v->row, v->i))
        set_bit(fits, v->parent_at);
}

static void visit_depth(struct filter_sets *sets, size_t term, const struct visited *v) {
    (void)term;
    uint32_t *depth = sets->depth[v->thread];
    depth[v->at] = v->has_parent ? depth[v->parent_at] + 1 : 0;
}

/* Marks the slices around the points of flows whose names fit. */
static bool mark_flows(struct task *task, struct filter_sets *sets, size_t thread, size_t term) {
    const struct flows *flows = trace_flows(sets->trace);
    size_t n;
    const uint32_t *points = flow_points_on(flows, (uint32_t)thread, &n);
    for (size_t i = 0; i < n; i++) {
        uint32_t name = filter_sets_flow_name(flows, points[i]);
        if (!task_spend(task, 5))
            return false;
        struct flow_slice_place slice = flow_slice_place(sets->trace, points[i]);
        if (!slice.in_slice)
            continue;
        uint64_t at = place_of(sets, thread, slice.row, slice.i);
        set_bit(sets->marks[term].present[thread], at);
        if (name < sets->names[term].has.n && sets->names[term].has.v[name])
            set_bit(sets->marks[term].fits[thread], at);
    }
    return true;
}

/* ---- self time with overlaps ---- */

struct covering { /* the slices of a thread that are not over */
    struct filter_sets *sets;
    size_t thread;
    struct slice_order_stack stack; /* by place_of() */
};

static inline void give_self(void *ctx, uint64_t place, int64_t from, int64_t to) {
    struct covering *c = ctx;
    int64_t *self = &c->sets->self[c->thread][place];
    *self = units_sum(*self, units_since(from, to));
}

static void add_run(struct covering *c, const struct slice_run *run) {
    struct trace *trace = c->sets->trace;
    const struct slice *s = run->v;
    for (uint32_t k = 0; k < run->n; k++, s++) {
        int64_t end = slice_iter_end(trace, run->track, s);
        uint64_t place = place_of(c->sets, c->thread, run->row, run->i + k);
        if (trace_unset_slice(trace, s))
            give_self(c, place, s->start, end);
        else if (s->start < end)
            slice_order_put(&c->stack, place, s->start, end, give_self, c);
    }
}

static bool sum_selves(struct task *task, struct filter_sets *sets, size_t thread) {
    struct slice_set set = SLICE_SET_ALL(SLICE_ITER_SLICES);
    struct covering covering = {.sets = sets, .thread = thread};
    struct slice_order order;
    struct slice_run run;
    set.track = (uint32_t)thread;
    set.times = true;
    slice_order_init(&order, sets->trace, &set);
    while (slice_order_next(&order, task, &run) && task_spend(task, run.n / 4))
        add_run(&covering, &run);
    bool done = slice_order_done(&order);
    if (done)
        slice_order_until(&covering.stack, INT64_MAX, give_self, &covering);
    slice_order_free(&order);
    vec_free(&covering.stack.v);
    return done;
}

/* ---- passes ---- */

static bool mark_term(struct task *task, struct filter_sets *sets, size_t thread, size_t term) {
    switch (sets->filter->terms.v[term].field) {
    case FILTER_IN:
        return walk(task, sets, thread, visit_in, term, false);
    case FILTER_HAS:
        return walk(task, sets, thread, visit_has, term, true);
    case FILTER_FLOW:
        return mark_flows(task, sets, thread, term);
    default:
        return true;
    }
}

static bool make_thread(struct task *task, struct filter_sets *sets, size_t thread) {
    begin_thread(sets, thread);
    if (!task_spend(task, 1 + nest_rows(&trace_thread(sets->trace, thread)->nest) / 16))
        return false;
    if (sets->depth[thread] && !walk(task, sets, thread, visit_depth, 0, false))
        return false;
    if (sets->self[thread] && !sum_selves(task, sets, thread))
        return false;
    for (size_t term = 0; term < sets->filter->terms.n; term++)
        if (!mark_term(task, sets, thread, term))
            return false;
    return true;
}

static bool make_threads(struct task *task, struct filter_sets *sets) {
    for (size_t thread = 0; sets->needs_rows && thread < sets->threads; thread++)
        if (!make_thread(task, sets, thread))
            return false;
    return true;
}

static bool in_states(const struct filter_term *term, uint32_t state) {
    for (size_t k = 0; k < term->values.n; k++)
        if (state < 64 && term->values.v[k].number.u >> state & 1)
            return true;
    return false;
}

/* For each interval of a scheduled thread, from the last to the first, the next one in a state that
 * the term names. */
static bool mark_states(struct task *task, const struct filter_term *term,
                        const struct sched_thread *t, uint32_t *next) {
    uint32_t found = UINT32_MAX;
    for (uint32_t i = t->lane.n; i-- > 0;) {
        next[i] = found = in_states(term, sched_life_state(t, i)) ? i : found;
        if (i % STATES == 0 && !task_spend(task, STATES / 8 + 1))
            return false;
    }
    return true;
}

static bool make_states(struct task *task, struct filter_sets *sets) {
    const struct sched *sched = trace_sched(sets->trace);
    size_t threads = sets->needs_states ? sched_thread_count(sched) : 0;
    for (size_t place = 0, first = 0; place < threads; place++) {
        const struct sched_thread *t = sched_thread_at(sched, place);
        for (size_t k = 0; k < sets->filter->terms.n; k++) {
            struct filter_marks *marks = &sets->marks[k];
            if (sets->filter->terms.v[k].field != FILTER_STATE)
                continue;
            vec_reserve(&marks->next, first + t->lane.n);
            marks->next.n = first + t->lane.n;
            if (t->lane.n > 0 &&
                !mark_states(task, &sets->filter->terms.v[k], t, marks->next.v + first))
                return false;
        }
        vec_push(&sets->first_state, first);
        first += t->lane.n;
    }
    return true;
}

/* Only those of names that can match are kept. */
static void add_durations(const struct filter_sets *sets, struct aggregate *a,
                          const struct slice_run *run) {
    for (const struct slice *s = run->v; s < run->v + run->n; s++) {
        uint32_t name = event_name(s->begin_word);
        if (name == EVENT_NAME_MAX)
            name = trace_packed_name(sets->trace, s->begin_word);
        if (!slice_open(s) && name < sets->wanted->has.n && sets->wanted->has.v[name])
            aggregate_add(a, aggregate_row(a, &(struct aggregate_key){name, 0, 0}), slice_dur(s),
                          0);
    }
}

static bool collect_durations(struct task *task, struct filter_sets *sets, struct aggregate *a,
                              unsigned kind) {
    struct slice_set set = SLICE_SET_ALL(kind);
    struct slice_iter iter;
    struct slice_run run;
    *a = AGGREGATE_INIT(AGGREGATE_NAME);
    a->durations = true;
    slice_iter_init(&iter, sets->trace, &set);
    while (slice_iter_next(&iter, task, &run))
        add_durations(sets, a, &run);
    return slice_iter_done(&iter) && aggregate_sort(task, a);
}

/* The thresholds of one term, by the durations of slices and of operations. */
static void take_percentiles(struct filter_sets *sets, size_t term,
                             const struct aggregate durations[2]) {
    struct filter_marks *marks = &sets->marks[term];
    const struct filter_term *t = &sets->filter->terms.v[term];
    size_t names = sets->percentile_names, n = t->values.n * 2 * names;
    vec_reserve(&marks->least, n);
    for (size_t k = 0; k < n; k++)
        marks->least.v[marks->least.n++] = -1;
    for (int a = 0; a < 2; a++)
        for (size_t r = 0; r < durations[a].rows.n; r++) {
            const struct aggregate_row *row = &durations[a].rows.v[r];
            for (size_t k = 0; k < t->values.n && row->count > 0 && row->key.name < names; k++)
                if (t->values.v[k].number.type == FILTER_PERCENTILE)
                    marks->least.v[(k * 2 + (size_t)a) * names + row->key.name] = quantiles_at(
                        &row->durations, (unsigned)(t->values.v[k].number.d * 10 + 0.5));
        }
}

static void make_percentiles(struct task *task, struct filter_sets *sets) {
    struct aggregate durations[2] = {{0}};
    bool done = collect_durations(task, sets, &durations[0], SLICE_ITER_SLICES) &&
                collect_durations(task, sets, &durations[1], SLICE_ITER_OPERATIONS);
    sets->percentile_names = names_count(reader_names(trace_reader(sets->trace)));
    for (size_t k = 0; done && k < sets->filter->terms.n; k++)
        if (asks_percentile(&sets->filter->terms.v[k]))
            take_percentiles(sets, k, durations);
    aggregate_free(&durations[0]);
    aggregate_free(&durations[1]);
}

void filter_sets_make(struct task *task, struct filter_sets *sets) {
    if (make_threads(task, sets) && make_states(task, sets) && sets->needs_percentiles)
        make_percentiles(task, sets);
}

/* ---- answers ---- */

bool filter_sets_fits(const struct filter_sets *sets, size_t term, uint32_t thread, uint32_t row,
                      uint32_t i, bool *present) {
    const struct filter_marks *marks = &sets->marks[term];
    uint64_t at = place_of(sets, thread, row, i);
    *present = bit(marks->present[thread], at);
    return bit(marks->fits[thread], at);
}

uint32_t filter_sets_depth(const struct filter_sets *sets, uint32_t thread, uint32_t row,
                           uint32_t i) {
    return sets->depth[thread] ? sets->depth[thread][place_of(sets, thread, row, i)] : row;
}

int64_t filter_sets_self(const struct filter_sets *sets, uint32_t thread, uint32_t row,
                         uint32_t i) {
    const struct nest *nest = &trace_thread(sets->trace, thread)->nest;
    const struct slice *s = lane_at(nest_row(nest, row), i);
    if (sets->self[thread])
        return sets->self[thread][place_of(sets, thread, row, i)];
    return trace_slice_self(sets->trace, thread, row, s);
}

bool filter_sets_state(const struct filter_sets *sets, size_t term, uint32_t thread, int64_t from,
                       int64_t to, bool *present) {
    const struct sched *sched = trace_sched(sets->trace);
    const struct sched_thread *t = sched_thread(sched, thread);
    *present = false;
    if (t == NULL || t->lane.n == 0)
        return false;
    uint32_t i = lane_before(&t->lane, from);
    if (i == UINT32_MAX)
        i = 0;
    else if (slice_end(lane_at(&t->lane, i)) <= from)
        i++;
    if (to <= from) /* a moment */
        to = from < INT64_MAX ? from + 1 : from;
    if (i >= t->lane.n || lane_start(&t->lane, i) >= to)
        return false;
    *present = true;
    uint32_t place = sched->state.by_thread.v[thread] - 1;
    uint32_t next = sets->marks[term].next.v[sets->first_state.v[place] + i];
    return next != UINT32_MAX && lane_start(&t->lane, next) < to;
}

bool filter_sets_percentile(const struct filter_sets *sets, size_t term, size_t k, bool operation,
                            uint32_t name, int64_t *ns) {
    if (name >= sets->percentile_names)
        return false;
    *ns = sets->marks[term].least.v[(k * 2 + operation) * sets->percentile_names + name];
    return *ns >= 0;
}
