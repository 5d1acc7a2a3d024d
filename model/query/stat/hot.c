/* hot.c - adds up samples by their innermost frames. */
#include "model/query/stat/hot.h"

#include <stdlib.h>

#include "model/query/detail.h"
#include "model/query/stat/sample_iter.h"
#include "src/base/map.h"
#include "src/base/units.h"

#define SAMPLE_UNITS 32
#define KERNEL STR("[kernel]") /* the argument `dso` of its frames */

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

static bool is_of_kernel(const struct frame *f) {
    struct detail d;
    struct detail_argument a;
    struct slice s = slice_of(f);
    return detail_open(&d, f->hot->trace, slice_offset(&s)) && detail_find(&d, "dso", &a) &&
           a.type == FXT_ARG_STRING && str_eq(a.string, KERNEL);
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
static void meet_callers(struct hot_function *of, struct frame f, bool first) {
    uint32_t n = 0, most = first ? HOT_CALLERS : of->ncallers;
    while (n < most && up(&f)) {
        uint32_t name = name_of(&f);
        if (!first && of->callers[n] != name)
            break;
        of->callers[n++] = name;
    }
    of->ncallers = n;
}

static void add(struct hot *hot, const struct sample *sample, struct frame f) {
    struct frame user = f;
    bool more = sample->blocked, kernel = more;
    while (more && (kernel = is_of_kernel(&user)))
        more = up(&user);
    if (sample->blocked && !kernel)
        f = user;
    struct wanted wanted = {sample->blocked ? hot->off.v : hot->on.v, name_of(&f)};
    size_t n = sample->blocked ? hot->off.n : hot->on.n;
    uint32_t i = map_intern(&hot->by_name[sample->blocked], hash_words(wanted.name, 0), same_name,
                            &wanted, (uint32_t)n);
    bool first = i == n;
    if (first && sample->blocked)
        vec_push(&hot->off, ((struct hot_function){.name = wanted.name}));
    else if (first)
        vec_push(&hot->on, ((struct hot_function){.name = wanted.name}));
    struct hot_function *of = sample->blocked ? &hot->off.v[i] : &hot->on.v[i];
    of->samples++;
    meet_callers(of, f, first);
    if (sample->blocked) {
        sum_add(&of->off, units_since(sample->from, sample->to));
        sum_add(&hot->off_time, units_since(sample->from, sample->to));
    } else {
        hot->samples++;
    }
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
    if (hot->on.n > 0)
        qsort(hot->on.v, hot->on.n, sizeof *hot->on.v, heaviest_first);
    if (hot->off.n > 0)
        qsort(hot->off.v, hot->off.n, sizeof *hot->off.v, heaviest_first);
}

static void hot_free(void *data) {
    struct hot *hot = data;
    vec_free(&hot->on);
    vec_free(&hot->off);
    map_free(&hot->by_name[0]);
    map_free(&hot->by_name[1]);
    range_free(&hot->range);
}

const struct answer_ops hot_ops = {sizeof(struct hot), hot_make, hot_free};
