/* why.c - a slice against the median of its name.
 *
 * One pass over all slices finds the median, and the slices whose arguments are decoded: evenly
 * spaced ones of the slowest and of the others. Then the children of both slices are added up, then
 * the own times of all names in them. Last come the arguments. Values of the slow slices are
 * interned; those of the others are only looked up, so memory is bounded by the sample. */
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
        thread,         row, i, s->start, units_since(s->start, trace_slice_end(trace, thread, s)),
        slice_offset(s)};
}

void why_init(struct why *w, struct trace *trace, uint32_t thread, uint32_t row, uint32_t i,
              const struct aggregate_row *all) {
    const struct quantiles *durations = &all->durations;
    *w = (struct why){.trace = trace, .name = all->key.name};
    w->side[WHY_THIS] = slice_of(trace, thread, row, i);
    w->median = quantiles_at(durations, 500);
    w->p95 = durations->v.n >= QUANTILES_USUAL ? quantiles_at(durations, 950) : INT64_MAX;
    if (w->p95 < INT64_MAX)
        w->slow = durations->v.n - quantiles_below(durations, w->p95 + 1);
    w->others = durations->v.n - w->slow;
}

static void free_parts(struct why_parts *parts) {
    vec_free(&parts->v);
    u64map_free(&parts->by_name);
}

static void release(void *why) {
    struct why *w = why;
    for (size_t k = 0; k < w->arguments.n; k++)
        free((char *)w->arguments.v[k].name.s); /* the value is part of it */
    vec_free(&w->arguments);
    free_parts(&w->parts);
    free_parts(&w->own);
    *w = (struct why){0};
}

/* ---- the pass over all slices ---- */

struct sample {         /* of slices of the name: at most `most` evenly spaced ones */
    uint64_t all, seen; /* their number; those passed */
    uint64_t most;
    VEC(uint64_t) at; /* their records */
};

static void sample_add(struct sample *s, uint64_t offset) {
    uint64_t k = s->seen++;
    if (s->all <= s->most || k * s->most / s->all != (k + 1) * s->most / s->all)
        vec_push(&s->at, offset);
}

static bool earlier(const struct slice *s, const struct why_slice *than) {
    return s->start < than->start || (s->start == than->start && slice_offset(s) < than->offset);
}

static void look_at(struct why *w, struct sample *slow, struct sample *others,
                    const struct slice_run *run, uint32_t k) {
    const struct slice *s = &run->v[k];
    if (slice_open(s))
        return;
    int64_t dur = slice_dur(s);
    if (dur == w->median && (!w->has_median || earlier(s, &w->side[WHY_MEDIAN]))) {
        w->side[WHY_MEDIAN] =
            (struct why_slice){run->track, run->row, run->i + k, s->start, dur, slice_offset(s)};
        w->has_median = true;
    }
    if (w->slow > 0)
        sample_add(dur > w->p95 ? slow : others, slice_offset(s));
}

static void find(struct task *task, struct why *w, struct sample *slow, struct sample *others) {
    struct slice_set set = SLICE_SET_ALL(SLICE_ITER_SLICES);
    struct slice_iter iter;
    struct slice_run run;
    set.named = w->name + 1;
    slice_iter_init(&iter, w->trace, &set);
    while (slice_iter_next(&iter, task, &run))
        for (uint32_t k = 0; k < run.n; k++) {
            uint32_t name = event_name(run.v[k].begin_word);
            if (name == EVENT_NAME_MAX)
                name = trace_packed_name(w->trace, run.v[k].begin_word);
            if (name == w->name)
                look_at(w, slow, others, &run, k);
        }
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
    uint64_t far_x = dx < 0 ? 0 - (uint64_t)dx : (uint64_t)dx,
             far_y = dy < 0 ? 0 - (uint64_t)dy : (uint64_t)dy;
    if (far_x != far_y)
        return far_x < far_y ? 1 : -1;
    return (x->name > y->name) - (x->name < y->name);
}

static void add_children(struct why *w, enum why_side side, const struct children *c) {
    struct why_parts *parts = &w->parts;
    for (size_t k = 0; k < c->parts.n; k++) {
        struct why_part *part = part_of(parts, c->parts.v[k].name);
        part->ns[side] = c->parts.v[k].total;
        part->n[side] = c->parts.v[k].count;
    }
    part_of(parts, WHY_SELF)->ns[side] = c->self;
    part_of(parts, WHY_SELF)->n[side] = 1;
}

static void put_in_order(struct why_parts *parts) {
    if (parts->v.n > 0)
        qsort(parts->v.v, parts->v.n, sizeof *parts->v.v, by_difference);
}

static void compare_children(struct task *task, struct why *w) {
    for (enum why_side side = WHY_THIS; side <= WHY_MEDIAN && !task_over(task); side++) {
        const struct why_slice *s = &w->side[side];
        struct children c = {.trace = w->trace, .thread = s->thread, .row = s->row, .i = s->i};
        children_make(task, &c);
        add_children(w, side, &c);
        children_free(&c);
    }
    put_in_order(&w->parts);
}

/* ---- own times ---- */

/* All of its time is its own. */
static void add_alone(struct why *w, enum why_side side) {
    const struct why_slice *s = &w->side[side];
    const struct slice *slice =
        lane_at(nest_row(&trace_thread(w->trace, s->thread)->nest, s->row), s->i);
    struct why_part *part = part_of(&w->own, trace_packed_name(w->trace, slice->begin_word));
    part->ns[side] = s->dur;
    part->n[side] = 1;
}

/* The names of the table but for the slices around this one, which have no time of their own in
 * it. */
static void add_names(struct why *w, enum why_side side, const struct names_table *names) {
    const struct why_slice *s = &w->side[side];
    const struct nest *nest = &trace_thread(w->trace, s->thread)->nest;
    uint32_t row = s->row, i = s->i;
    for (uint32_t k = 0; k < names_table_rows(names); k++) {
        const struct aggregate_row *r = names_table_row(names, k);
        struct why_part *part = part_of(&w->own, r->key.name);
        part->ns[side] = sum_ns(r->self);
        part->n[side] = (uint32_t)r->count;
    }
    while (nest_parent(nest, trace_slice_extra(w->trace), row, i, &row, &i)) {
        const struct slice *around = lane_at(nest_row(nest, row), i);
        struct why_part *part = part_of(&w->own, trace_packed_name(w->trace, around->begin_word));
        part->n[side] -= part->n[side] > 0 && !trace_damaged_slice(w->trace, around);
    }
}

static void own_times(struct task *task, struct why *w, enum why_side side) {
    const struct why_slice *s = &w->side[side];
    struct range range = {.timed = false};
    struct names_table names = {0};
    range_set_time(&range, w->trace, s->start, units_sum(s->start, s->dur));
    track_set_put(&range.tracks, s->thread, true);
    const struct names_query query = {
        .range = &range, .kinds = SLICE_ITER_SLICES, .no_percentiles = true};
    names_table_make(task, &names, w->trace, &query);
    if (names.ready)
        add_names(w, side, &names);
    names_table_free(&names);
    range_free(&range);
}

/* The own times in both slices; none in one of no length. */
static void compare_own_times(struct task *task, struct why *w) {
    for (enum why_side side = WHY_THIS; side <= WHY_MEDIAN && !task_over(task); side++) {
        const struct why_slice *s = &w->side[side];
        const struct nest *nest = &trace_thread(w->trace, s->thread)->nest;
        if (s->dur > 0 && trace_unset_slice(w->trace, lane_at(nest_row(nest, s->row), s->i)))
            add_alone(w, side);
        else if (s->dur > 0)
            own_times(task, w, side);
    }
    put_in_order(&w->own);
}

static void add_states(struct why *w) {
    for (enum why_side side = WHY_THIS; side <= WHY_MEDIAN; side++) {
        const struct why_slice *s = &w->side[side];
        const struct sched_thread *t = sched_thread(trace_sched(w->trace), s->thread);
        w->scheduled[side] =
            t && trace_thread_scheduled(w->trace, trace_thread(w->trace, s->thread));
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

static uint32_t intern(struct why *w, struct map *values, const struct value *v, uint64_t hash) {
    struct why_argument a = {.name = {NULL, v->name.n}, .value = {NULL, v->text.n}};
    char *copy = err_malloc(v->name.n + v->text.n + 1);
    if (v->name.n > 0)
        memcpy(copy, v->name.s, v->name.n);
    if (v->text.n > 0)
        memcpy(copy + v->name.n, v->text.s, v->text.n);
    a.name.s = copy;
    a.value.s = copy + v->name.n;
    map_add(values, hash, (uint32_t)w->arguments.n);
    vec_push(&w->arguments, a);
    return (uint32_t)w->arguments.n - 1;
}

/* The slice is number k of the slow ones, or of the others. */
static void count_value(struct why *w, struct map *values, struct detail_argument *arg, uint32_t k,
                        bool slow) {
    char buf[64];
    struct value v = {w, arg->name, arg->object.n > 0 ? arg->object : detail_value(arg, buf)};
    if (arg->type == FXT_ARG_BLOB || v.text.n > VALUE_MOST || v.name.n > VALUE_MOST)
        return;
    uint64_t hash = hash_words(hash_bytes(v.name.s, v.name.n), hash_bytes(v.text.s, v.text.n));
    uint32_t found = map_find(values, hash, same_value, &v);
    if (found == MAP_NONE && slow && w->arguments.n < VALUES_MOST)
        found = intern(w, values, &v, hash);
    if (found == MAP_NONE || w->arguments.v[found].last == k + 1)
        return;
    struct why_argument *a = &w->arguments.v[found];
    a->last = k + 1;
    a->slow += slow;
    a->others += !slow;
}

static void read_arguments(struct task *task, struct why *w, struct map *values,
                           const struct sample *from, bool slow) {
    struct detail d;
    struct detail_argument arg;
    for (uint32_t k = 0; k < from->at.n && task_spend(task, 40); k++) {
        if (!detail_open(&d, w->trace, from->at.v[k]))
            continue;
        struct fxt_arguments args = d.record.args;
        for (int i = 0; i < ARGUMENTS_MOST && detail_argument(&d, &args, &arg); i++)
            count_value(w, values, &arg, k, slow);
    }
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
    if (kept > 0)
        qsort(w->arguments.v, kept, sizeof *w->arguments.v, by_frequency);
}

static void find_arguments(struct task *task, struct why *w, const struct sample *slow,
                           const struct sample *others) {
    struct map values = {0}; /* of names and values of arguments */
    w->slow_read = (uint32_t)slow->at.n;
    w->others_read = (uint32_t)others->at.n;
    read_arguments(task, w, &values, slow, true);
    for (size_t k = 0; k < w->arguments.n; k++)
        w->arguments.v[k].last = 0;
    read_arguments(task, w, &values, others, false);
    choose_arguments(w);
    map_free(&values);
}

static void make(struct task *task, void *why) {
    struct why *w = why;
    struct sample slow = {.all = w->slow, .most = WHY_SLOW_MOST};
    struct sample others = {.all = w->others, .most = WHY_OTHERS_MOST};
    find(task, w, &slow, &others);
    if (w->has_median && !task_over(task)) {
        compare_children(task, w);
        add_states(w);
        compare_own_times(task, w);
    }
    find_arguments(task, w, &slow, &others);
    vec_free(&slow.at);
    vec_free(&others.at);
}

const struct answer_ops why_ops = {sizeof(struct why), make, release};
