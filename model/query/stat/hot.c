/* hot.c - adds up samples by their innermost frames. */
#include "model/query/stat/hot.h"

#include <stdlib.h>

#include "model/query/stat/sample_iter.h"
#include "src/base/map.h"
#include "src/base/units.h"

#define SAMPLE_UNITS 32

struct wanted {
    const struct hot_function *v;
    uint32_t name;
};

static bool same_name(const void *ctx, uint32_t i) {
    const struct wanted *w = ctx;
    return w->v[i].name == w->name;
}

/* ---- frames ---- */

struct frame {
    const struct hot *hot;
    uint32_t thread, row, i;
};

static const struct nest *nest_of(const struct frame *f) {
    return &trace_thread(f->hot->trace, f->thread)->nest;
}

static struct slice slice_of(const struct frame *f) {
    return lane_slice(nest_row(nest_of(f), f->row), f->i);
}

static uint32_t name_of(const struct frame *f) {
    return trace_packed_name(f->hot->trace, slice_of(f).begin_word);
}

static bool up(struct frame *f) {
    return nest_parent(nest_of(f), trace_slice_extra(f->hot->trace), f->row, f->i, &f->row, &f->i);
}

/* Whether the stack has a slice of the name that is asked for. */
static bool is_inside(struct frame f) {
    if (f.hot->inside == UINT32_MAX)
        return true;
    do
        if (name_of(&f) == f.hot->inside)
            return true;
    while (up(&f));
    return false;
}

/* ---- adding up ---- */

/* Keeps the callers that the function has at this sample, too. */
static void meet_callers(struct hot_function *of, struct frame f) {
    bool first = of->samples == 0;
    uint32_t n = 0, most = first ? HOT_CALLERS : of->ncallers;
    while (n < most && up(&f)) {
        uint32_t name = name_of(&f);
        if (!first && of->callers[n] != name)
            break;
        of->callers[n++] = name;
    }
    of->ncallers = n;
}

/* Goes up to the innermost frame outside of the kernel, if there is one. */
static void leave_kernel(struct frame *f) {
    struct frame at = *f;
    struct slice s = slice_of(&at);
    while (sample_iter_of_kernel(at.hot->trace, &s)) {
        if (!up(&at))
            return;
        s = slice_of(&at);
    }
    *f = at;
}

static struct hot_function *function_of(struct hot_side *side, uint32_t name) {
    struct wanted wanted = {side->v.v, name};
    uint32_t i =
        map_intern(&side->by_name, hash_words(name, 0), same_name, &wanted, (uint32_t)side->v.n);
    if (i == side->v.n)
        vec_push(&side->v, ((struct hot_function){.name = name}));
    return &side->v.v[i];
}

static void add(struct hot *hot, const struct sample *sample, struct frame f) {
    struct hot_side *side = sample->blocked ? &hot->off : &hot->on;
    if (sample->blocked)
        leave_kernel(&f);
    struct hot_function *of = function_of(side, name_of(&f));
    int64_t off = sample->blocked ? units_since(sample->from, sample->to) : 0;
    meet_callers(of, f);
    of->samples++;
    side->samples++;
    sum_add(&of->off, off);
    sum_add(&side->time, off);
}

static bool is_asked(const struct hot *hot, const struct thread *t) {
    if (!t->sampled || trace_thread_hidden(hot->trace, t))
        return false;
    if (hot->thread != NO_THREAD)
        return t->number == hot->thread || trace_sampled_thread(hot->trace, t) == hot->thread;
    return (hot->process == NO_PROCESS || t->process == hot->process) &&
           range_has_track(&hot->range, t->number);
}

static int heaviest_first(const void *a, const void *b) {
    const struct hot_function *x = a, *y = b;
    int off = sum_cmp(y->off, x->off);
    if (off != 0)
        return off;
    if (x->samples != y->samples)
        return x->samples < y->samples ? 1 : -1;
    return (x->name > y->name) - (x->name < y->name);
}

static void order(struct hot_side *side) {
    if (side->v.n > 0)
        qsort(side->v.v, side->v.n, sizeof *side->v.v, heaviest_first);
}

/* False: cancelled. */
static bool add_thread(struct task *task, struct hot *hot, uint32_t thread) {
    struct sample_iter iter;
    struct sample sample;
    sample_iter_init(&iter, hot->trace, thread, &hot->range);
    while (sample_iter_next(&iter, &sample)) {
        const struct trace_point point = {.thread = thread, .at = sample.at};
        struct frame f = {.hot = hot, .thread = thread};
        if (trace_point_slice(hot->trace, &point, &f.row, &f.i) && is_inside(f))
            add(hot, &sample, f);
        if (!task_spend(task, SAMPLE_UNITS))
            return false;
    }
    return true;
}

static void hot_make(struct task *task, void *data) {
    struct hot *hot = data;
    trace_find_sampled(hot->trace);
    for (uint32_t i = 0; i < trace_thread_count(hot->trace); i++)
        if (is_asked(hot, trace_thread(hot->trace, i)) && !add_thread(task, hot, i))
            return;
    order(&hot->on);
    order(&hot->off);
}

static void free_side(struct hot_side *side) {
    vec_free(&side->v);
    map_free(&side->by_name);
}

static void hot_free(void *data) {
    struct hot *hot = data;
    free_side(&hot->on);
    free_side(&hot->off);
    range_free(&hot->range);
}

const struct answer_ops hot_ops = {sizeof(struct hot), hot_make, hot_free};
