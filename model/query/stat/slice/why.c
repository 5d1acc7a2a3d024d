/* why.c - a slice against the median of its name.
 *
 * One pass over all slices finds the median, and the slices whose arguments are decoded: evenly spaced ones of the
 * slowest and of the others. Then the children of both slices are added up, then the own times of all names in them.
 * Last come the arguments. Values of the slow slices are interned; those of the others are only looked up, so
 * memory is bounded by the sample. */
#include "model/query/stat/slice/why.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/err.h"
#include "src/base/units.h"

#define VALUE_MOST 120     /* bytes of a value that is compared */
#define ARGUMENTS_MOST 64  /* of a slice */
#define VALUES_MOST 20000u /* different ones */

static struct why_slice slice_of(struct trace *trace, uint32_t thread, uint32_t row, uint32_t i) {
    const struct slice *s = lane_at(nest_row(&trace_thread(trace, thread)->nest, row), i);
    return (struct why_slice){
        thread, row, i, s->start, units_since(s->start, trace_slice_end(trace, thread, s)), slice_offset(s)};
}

void why_init(struct why *w, struct trace *trace, uint32_t thread, uint32_t row, uint32_t i,
              const struct aggregate_row *all) {
    const struct quantiles *durations = &all->durations;
    *w = (struct why){.trace = trace, .name = all->key.name, .version = trace_version(trace)};
    w->side[WHY_THIS] = slice_of(trace, thread, row, i);
    w->median = quantiles_at(durations, 500);
    w->p95 = durations->v.n >= QUANTILES_USUAL ? quantiles_at(durations, 950) : INT64_MAX;
    if (w->p95 < INT64_MAX)
        w->slow = durations->v.n - quantiles_below(durations, w->p95 + 1);
    w->others = durations->v.n - w->slow;
    struct slice_set set = SLICE_SET_ALL(SLICE_ITER_SLICES);
    set.named = w->name + 1;
    slice_iter_init(&w->iter, trace, &set);
}

static void free_children(struct why *w) {
    if (w->at_work)
        children_free(&w->children);
    w->at_work = false;
}

static void free_names(struct why *w) {
    if (w->names == NULL)
        return;
    names_table_free(w->names);
    free(w->names);
    range_free(&w->range);
    w->names = NULL;
    w->range = (struct range){.timed = false};
}

static void free_parts(struct why_parts *parts) {
    vec_free(&parts->v);
    u64map_free(&parts->by_name);
}

void why_free(struct why *w) {
    free_names(w);
    free_children(w);
    for (size_t k = 0; k < w->arguments.n; k++)
        free((char *)w->arguments.v[k].name.s); /* the value is part of it */
    vec_free(&w->arguments);
    free_parts(&w->parts);
    free_parts(&w->own);
    vec_free(&w->slow_at);
    vec_free(&w->others_at);
    map_free(&w->values);
    *w = (struct why){0};
}

/* ---- the pass over all slices ---- */

/* Whether number `seen` of `all` is one of at most `most` evenly spaced ones. */
static bool sampled(uint64_t seen, uint64_t all, uint64_t most) {
    return all <= most || seen * most / all != (seen + 1) * most / all;
}

static bool earlier(const struct slice *s, const struct why_slice *than) {
    return s->start < than->start || (s->start == than->start && slice_offset(s) < than->offset);
}

static void look_at(struct why *w, const struct slice_run *run, uint32_t k) {
    const struct slice *s = &run->v[k];
    if (slice_open(s))
        return;
    int64_t dur = slice_dur(s);
    if (dur == w->median && (!w->has_median || earlier(s, &w->side[WHY_MEDIAN]))) {
        w->side[WHY_MEDIAN] = (struct why_slice){run->track, run->row, run->i + k, s->start, dur, slice_offset(s)};
        w->has_median = true;
    }
    if (w->slow == 0)
        return;
    if (dur > w->p95) {
        if (sampled(w->slow_seen++, w->slow, WHY_SLOW_MOST))
            vec_push(&w->slow_at, slice_offset(s));
    } else if (sampled(w->others_seen++, w->others, WHY_OTHERS_MOST)) {
        vec_push(&w->others_at, slice_offset(s));
    }
}

static bool find(struct why *w, struct budget *budget) {
    struct slice_run run;
    while (slice_iter_next(&w->iter, budget, &run))
        for (uint32_t k = 0; k < run.n; k++) {
            uint32_t name = event_name(run.v[k].begin_word);
            if (name == EVENT_NAME_MAX)
                name = trace_packed_name(w->trace, run.v[k].begin_word);
            if (name == w->name)
                look_at(w, &run, k);
        }
    return slice_iter_done(&w->iter);
}

/* ---- children ---- */

static struct why_part *part_of(struct why_parts *parts, uint32_t name) {
    uint64_t known = u64map_get(&parts->by_name, name);
    if (known == UINT64_MAX) {
        known = parts->v.n;
        u64map_set(&parts->by_name, name, known);
        vec_push(&parts->v, ((struct why_part){.name = name}));
    }
    return &parts->v.v[known];
}

static int by_difference(const void *a, const void *b) {
    const struct why_part *x = a, *y = b;
    int64_t dx = x->ns[WHY_THIS] - x->ns[WHY_MEDIAN], dy = y->ns[WHY_THIS] - y->ns[WHY_MEDIAN];
    uint64_t far_x = dx < 0 ? 0 - (uint64_t)dx : (uint64_t)dx, far_y = dy < 0 ? 0 - (uint64_t)dy : (uint64_t)dy;
    return far_x != far_y ? (far_x < far_y ? 1 : -1) : (x->name > y->name) - (x->name < y->name);
}

static void add_children(struct why *w, enum why_side side) {
    struct why_parts *parts = &w->parts;
    const struct children *c = &w->children;
    for (size_t k = 0; k < c->parts.n; k++) {
        struct why_part *part = part_of(parts, c->parts.v[k].name);
        part->ns[side] = c->parts.v[k].total;
        part->n[side] = c->parts.v[k].count;
    }
    part_of(parts, WHY_SELF)->ns[side] = c->self;
    part_of(parts, WHY_SELF)->n[side] = 1;
}

static void put_in_order(struct why *w, struct why_parts *parts) {
    w->at = WHY_THIS;
    if (parts->v.n > 0)
        qsort(parts->v.v, parts->v.n, sizeof *parts->v.v, by_difference);
}

/* The children of both slices. True: done. */
static bool children(struct why *w, struct budget *budget) {
    for (; w->at <= WHY_MEDIAN; w->at++) {
        const struct why_slice *s = &w->side[w->at];
        if (!w->at_work) {
            w->at_work = true;
            children_init(&w->children, w->trace, s->thread, s->row, s->i);
        }
        if (!children_step(&w->children, budget))
            return false;
        add_children(w, w->at);
        free_children(w);
    }
    put_in_order(w, &w->parts);
    return true;
}

/* ---- own times ---- */

static void begin_names(struct why *w, const struct why_slice *s) {
    range_set_time(&w->range, w->trace, s->start, units_sum(s->start, s->dur));
    track_set_put(&w->range.tracks, s->thread, true);
    w->names = err_calloc(1, sizeof *w->names);
    names_table_begin(w->names, w->trace,
                      &(struct names_query){.range = &w->range, .kinds = SLICE_ITER_SLICES, .no_percentiles = true});
}

/* All of its time is its own. */
static void add_alone(struct why *w, const struct why_slice *s) {
    const struct slice *slice = lane_at(nest_row(&trace_thread(w->trace, s->thread)->nest, s->row), s->i);
    struct why_part *part = part_of(&w->own, trace_packed_name(w->trace, slice->begin_word));
    part->ns[w->at] = s->dur;
    part->n[w->at] = 1;
}

/* The names of the table but for the slices around this one, which have no time of their own in it. */
static void add_names(struct why *w, const struct why_slice *s) {
    const struct nest *nest = &trace_thread(w->trace, s->thread)->nest;
    uint32_t row = s->row, i = s->i;
    for (uint32_t k = 0; k < names_table_rows(w->names); k++) {
        const struct aggregate_row *r = names_table_row(w->names, k);
        struct why_part *part = part_of(&w->own, r->key.name);
        part->ns[w->at] = sum_ns(r->self);
        part->n[w->at] = (uint32_t)r->count;
    }
    while (nest_parent(nest, trace_slice_extra(w->trace), row, i, &row, &i)) {
        uint32_t name = trace_packed_name(w->trace, lane_at(nest_row(nest, row), i)->begin_word);
        struct why_part *part = part_of(&w->own, name);
        part->n[w->at] -= part->n[w->at] > 0;
    }
}

/* The own times in both slices; none in one of no length. True: done. */
static bool own_times(struct why *w, struct budget *budget) {
    for (; w->at <= WHY_MEDIAN; w->at++) {
        const struct why_slice *s = &w->side[w->at];
        if (s->dur <= 0)
            continue;
        if (trace_unset_slice(w->trace, lane_at(nest_row(&trace_thread(w->trace, s->thread)->nest, s->row), s->i))) {
            add_alone(w, s);
            continue;
        }
        if (w->names == NULL)
            begin_names(w, s);
        if (!names_table_step(w->names, budget))
            return false;
        add_names(w, s);
        free_names(w);
    }
    put_in_order(w, &w->own);
    return true;
}

static void add_states(struct why *w) {
    for (enum why_side side = WHY_THIS; side <= WHY_MEDIAN; side++) {
        const struct why_slice *s = &w->side[side];
        const struct sched_thread *t = sched_thread(trace_sched(w->trace), s->thread);
        w->scheduled[side] = t && trace_thread_scheduled(w->trace, trace_thread(w->trace, s->thread));
        if (!w->scheduled[side])
            continue;
        struct sched_shares shares = sched_life_shares(t, s->start, units_sum(s->start, s->dur));
        w->states[WHY_RUNNING][side] = shares.run;
        w->states[WHY_RUNNABLE][side] = shares.wait;
        w->states[WHY_BLOCKED][side] = shares.blocked;
        w->states[WHY_OTHER][side] = s->dur - shares.run - shares.wait - shares.blocked;
    }
}

/* ---- arguments ---- */

struct value {
    const struct why *why;
    struct str name, text;
};

static bool same_value(const void *ctx, uint32_t number) {
    const struct value *v = ctx;
    const struct why_argument *a = &v->why->arguments.v[number];
    return str_eq(a->name, v->name) && str_eq(a->value, v->text);
}

static uint32_t intern(struct why *w, const struct value *v, uint64_t hash) {
    struct why_argument a = {.name = {NULL, v->name.n}, .value = {NULL, v->text.n}};
    char *copy = err_malloc(v->name.n + v->text.n + 1);
    if (v->name.n > 0)
        memcpy(copy, v->name.s, v->name.n);
    if (v->text.n > 0)
        memcpy(copy + v->name.n, v->text.s, v->text.n);
    a.name.s = copy;
    a.value.s = copy + v->name.n;
    map_add(&w->values, hash, (uint32_t)w->arguments.n);
    vec_push(&w->arguments, a);
    return (uint32_t)w->arguments.n - 1;
}

static void count_value(struct why *w, struct detail_argument *arg, bool slow) {
    char buf[64];
    struct value v = {w, arg->name, arg->object.n > 0 ? arg->object : detail_value(arg, buf)};
    if (arg->type == FXT_ARG_BLOB || v.text.n > VALUE_MOST || v.name.n > VALUE_MOST)
        return;
    uint64_t hash = hash_words(hash_bytes(v.name.s, v.name.n), hash_bytes(v.text.s, v.text.n));
    uint32_t k = map_find(&w->values, hash, same_value, &v);
    if (k == MAP_NONE && slow && w->arguments.n < VALUES_MOST)
        k = intern(w, &v, hash);
    if (k == MAP_NONE || w->arguments.v[k].last == w->reading + 1)
        return;
    w->arguments.v[k].last = (uint32_t)w->reading + 1;
    if (slow)
        w->arguments.v[k].slow++;
    else
        w->arguments.v[k].others++;
}

/* The arguments of the slices at these records; true: of all of them. */
static bool read_arguments(struct why *w, const uint64_t *at, size_t n, bool slow, struct budget *budget) {
    struct detail d;
    struct detail_argument arg;
    for (; w->reading < n; w->reading++) {
        if (!budget_spend(budget, 40))
            return false;
        if (!detail_open(&d, w->trace, at[w->reading]))
            continue;
        struct fxt_arguments args = d.record.args;
        for (int k = 0; k < ARGUMENTS_MOST && detail_argument(&d, &args, &arg); k++)
            count_value(w, &arg, slow);
    }
    w->reading = 0;
    return true;
}

static int by_frequency(const void *a, const void *b) {
    const struct why_argument *x = a, *y = b;
    if (x->slow != y->slow)
        return x->slow < y->slow ? 1 : -1;
    if (x->others != y->others)
        return x->others < y->others ? -1 : 1;
    return x->last < y->last ? -1 : x->last > y->last;
}

/* Keeps the values that are far more frequent among the slow slices. */
static void choose_arguments(struct why *w) {
    size_t kept = 0;
    for (size_t k = 0; k < w->arguments.n; k++) {
        struct why_argument *a = &w->arguments.v[k];
        a->last = (uint32_t)k; /* orders equal ones */
        if (a->slow >= 3 && (uint64_t)a->slow * 5 >= w->slow_read &&
            (uint64_t)a->slow * w->others_read >= 3 * (uint64_t)a->others * w->slow_read)
            w->arguments.v[kept++] = *a;
        else
            free((char *)a->name.s);
    }
    w->arguments.n = kept;
    map_free(&w->values);
    if (kept > 0)
        qsort(w->arguments.v, kept, sizeof *w->arguments.v, by_frequency);
}

/* ---- all of it ---- */

/* The answer of the current stage; true: it is complete. */
static bool step(struct why *w, struct budget *budget) {
    switch (w->stage) {
    case WHY_FIND:
        return find(w, budget);
    case WHY_CHILDREN:
        if (w->has_median && !children(w, budget))
            return false;
        if (w->has_median)
            add_states(w);
        return true;
    case WHY_OWN:
        return !w->has_median || own_times(w, budget);
    case WHY_READ_SLOW:
        w->slow_read = (uint32_t)w->slow_at.n;
        return read_arguments(w, w->slow_at.v, w->slow_at.n, true, budget);
    case WHY_READ_OTHERS:
        for (size_t k = 0; w->reading == 0 && k < w->arguments.n; k++)
            w->arguments.v[k].last = 0;
        w->others_read = (uint32_t)w->others_at.n;
        return read_arguments(w, w->others_at.v, w->others_at.n, false, budget);
    case WHY_CHOOSE:
        choose_arguments(w);
        return true;
    default:
        return true;
    }
}

bool why_step(struct why *w, struct budget *budget) {
    while (!w->done) {
        if (!step(w, budget))
            return false;
        w->stage++;
        w->done = w->stage == WHY_READY;
    }
    return true;
}
