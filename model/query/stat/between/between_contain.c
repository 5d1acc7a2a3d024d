/* between_contain.c - names that contain changed ones: passes over the slices of the last run.
 *
 * The first goes from each changed slice to its ancestors. The cause of an ancestor is the name in
 * it whose own time changed most, so one in between is none. This decides verdicts, so only names
 * with a verdict count. The second weighs each name by the part of its time that is in the
 * ancestor. It names the one that has most of the change: also one below the threshold, or one that
 * another name cancels. A pass over the last run of A does the same with names that are gone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/query/stat/between/between.h"
#include "src/base/units.h"

#define FIND_UNITS 8
/* levels from a cause up to its ancestors: all of them would take the square of the depth */
#define CLIMB_MOST 200
#define ELSEWHERE 2 /* times the change of its ancestor: a cause may have changed elsewhere, too */
/* names that are weighed: those whose total changed most, and in them those whose own time did */
#define OUTER_MOST 256
#define INNER_MOST 1024
#define MOSTLY 0.5 /* of the time of a cause is in its ancestor, or of the change is its own */

/* Rows by the names of slices in the last run of a side. */
struct contain {
    struct trace *trace;
    const struct question *asked;
    struct between *between;
    enum between_side side;
    uint32_t *rows, n;               /* by the number of the name; BETWEEN_NO_ROW: none */
    struct u64map row_of;            /* the same by trace_names_key(), if there are pools */
    const struct trace_pools *pools; /* of that run; NULL: none */
};

/* Whether the trace still has this name: it may have been read twice, and be another one. */
static bool is_name(const struct trace *trace, const struct trace_names_row *row) {
    struct str text = trace_name(trace, row->number);
    return text.n == row->n && memcmp(text.s, row->name, row->n) == 0;
}

/* The row of each name in the last run. */
static void number_rows(struct task *task, struct contain *c) {
    const struct between *b = c->between;
    const struct trace_names *last = &b->runs[c->side].v[b->runs[c->side].n - 1];
    c->pools = last->by_pool ? &last->pools : NULL;
    for (size_t i = 0; i < last->v.n; i++)
        c->n = last->v.v[i].number >= c->n ? last->v.v[i].number + 1 : c->n;
    c->rows = err_calloc((size_t)c->n + 1, sizeof *c->rows);
    for (uint32_t i = 0; i < c->n; i++)
        c->rows[i] = BETWEEN_NO_ROW;
    for (uint32_t i = 0; i < b->v.n; i++) {
        const struct trace_names_row *like = b->v.v[i].like;
        const struct trace_names_row *own =
            like->kind == SLICE_ITER_SLICES ? trace_names_find(last, like) : NULL;
        if (own && !is_name(c->trace, own))
            continue;
        if (own && c->pools)
            u64map_set(&c->row_of, trace_names_key(own->pool_number, own->number), i);
        else if (own)
            c->rows[own->number] = i;
        if (!task_spend(task, FIND_UNITS))
            return;
    }
}

static void free_rows(struct contain *c) {
    free(c->rows);
    u64map_free(&c->row_of);
    c->rows = NULL;
}

/* The row of a slice with this name on a track. */
static inline uint32_t row_at(const struct contain *c, uint32_t track, uint32_t name) {
    if (c->pools == NULL)
        return name < c->n ? c->rows[name] : BETWEEN_NO_ROW;
    uint64_t row = u64map_get(&c->row_of, trace_names_key(trace_pools_of(c->pools, track), name));
    return row < BETWEEN_NO_ROW ? (uint32_t)row : BETWEEN_NO_ROW;
}

/* Whether a change is one to more time: 1, -1; 0: it is none that another name could owe its own
 * to. */
static int way_of(const struct between_row *row) {
    switch (row->verdict) {
    case BETWEEN_SLOWER:
    case BETWEEN_MORE_OF:
    case BETWEEN_NEW:
        return 1;
    case BETWEEN_FASTER:
    case BETWEEN_FEWER:
    case BETWEEN_GONE:
        return -1;
    case BETWEEN_FEW:
        return between_by(row, BETWEEN_TOTAL) < 0 ? -1 : 1;
    default:
        return 0;
    }
}

static bool is_of_speed(const struct between_row *row) {
    return row->verdict == BETWEEN_SLOWER || row->verdict == BETWEEN_FASTER;
}

static bool moved(const struct between_row *row, int sign) {
    double p50 = 0, total = 0, count = 0;
    between_change(row, BETWEEN_P50, &p50);
    between_change(row, BETWEEN_TOTAL, &total);
    between_change(row, BETWEEN_COUNT, &count);
    return row->has[0] && row->has[1] && (p50 * sign > 0 || (total - count) * sign > 0);
}

/* Whether the own time of a name changed more than that of the row's cause so far, which is the row
 * itself at first. It may have changed elsewhere, too, but not mostly. */
static bool is_more(const struct between *b, const struct between_row *row,
                    const struct between_row *changed) {
    int sign = way_of(changed);
    bool itself = row->because == BETWEEN_NO_ROW,
         own = between_changed(row) || row->verdict == BETWEEN_FEW;
    double by = between_by(changed, BETWEEN_SELF) * sign;
    if (!moved(row, sign) || (own ? way_of(row) != sign : !is_of_speed(changed)))
        return false;
    if (between_changed(row) && !between_changed(changed))
        return false;
    if (own && by > ELSEWHERE * between_by(row, BETWEEN_TOTAL) * sign)
        return false;
    if (itself && !own)
        return true;
    const struct between_row *so_far = itself ? row : &b->v.v[row->because];
    return by > between_by(so_far, BETWEEN_SELF) * sign;
}

/* The rows above one slice whose name has changed. Returns the number of slices above it. */
static uint32_t climb(const struct contain *c, void *ctx, const struct slice_run *run, uint32_t k,
                      uint32_t changed) {
    (void)ctx;
    struct between *b = c->between;
    const struct nest *nest = &trace_thread(c->trace, run->track)->nest;
    uint32_t row = run->row, i = run->i + k, above, at, n = 0, last = BETWEEN_NO_ROW;
    if (way_of(&b->v.v[changed]) == 0)
        return 0;
    for (; n < CLIMB_MOST && trace_slice_parent(c->trace, run->track, row, i, &above, &at); n++) {
        uint32_t name = trace_packed_name(c->trace, lane_at(nest_row(nest, above), at)->begin_word);
        uint32_t own = row_at(c, run->track, name);
        if (own != BETWEEN_NO_ROW && own != changed && own != last &&
            b->v.v[own].because != changed && is_more(b, &b->v.v[own], &b->v.v[changed]))
            b->v.v[own].because = changed;
        last = own;
        row = above;
        i = at;
    }
    return n;
}

/* Calls a function with each slice whose name has a row. It returns the levels that it climbed. */
static void each_slice(struct task *task, const struct contain *c, void *ctx,
                       uint32_t (*with)(const struct contain *c, void *ctx,
                                        const struct slice_run *run, uint32_t k, uint32_t row)) {
    struct slice_set set = question_slices(c->asked, SLICE_ITER_SLICES);
    struct slice_iter iter;
    struct slice_run run;
    slice_iter_init(&iter, c->trace, &set);
    while (slice_iter_next(&iter, task, &run)) {
        uint32_t climbed = 0;
        for (uint32_t k = 0; k < run.n; k++) {
            uint32_t name = trace_packed_name(c->trace, run.v[k].begin_word);
            uint32_t row = row_at(c, run.track, name);
            if (row != BETWEEN_NO_ROW)
                climbed += with(c, ctx, &run, k, row);
        }
        task_spend(task, climbed);
    }
}

/* ---- the part of each name in others ---- */

struct weights {
    uint32_t *outer_of, *inner_of; /* by row: its place in the next two; BETWEEN_NO_ROW: none */
    VEC(uint32_t) outer, inner;    /* rows: names that changed, and their possible causes */
    double *in;                    /* ns of each inner name in each outer one */
    double *all;                   /* of each inner one */
    uint64_t *seen;                /* by outer: the last slice that was added */
    uint64_t slices;
};

static void weights_free(struct weights *w) {
    vec_free(&w->outer);
    vec_free(&w->inner);
    free(w->outer_of);
    free(w->inner_of);
    free(w->in);
    free(w->all);
    free(w->seen);
}

/* The change of the own time of a row's named cause, in the direction of the row's own. */
static double named_by(const struct between *b, const struct between_row *row) {
    const struct between_row *named = row->because == BETWEEN_NO_ROW ? row : &b->v.v[row->because];
    return between_by(named, BETWEEN_SELF) * way_of(row);
}

/* Whether a changed row may owe its change to other names. */
static bool is_outer(const struct between_row *row) {
    int sign = way_of(row);
    return row->like->kind == SLICE_ITER_SLICES && between_changed(row) && moved(row, sign) &&
           between_by(row, BETWEEN_TOTAL) * sign > 0;
}

/* Whether a pass over a side can weigh a row: over A, names that are gone. */
static bool is_inner(const struct between_row *row, enum between_side side) {
    return row->like->kind == SLICE_ITER_SLICES && row->has[side] &&
           (side == BETWEEN_B || !row->has[BETWEEN_B]);
}

struct inner {
    double by;
    uint32_t row;
};

static int by_size(const void *a, const void *b) {
    const struct inner *x = a, *y = b;
    if (fabs(x->by) != fabs(y->by))
        return fabs(x->by) > fabs(y->by) ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Chooses the rows. False: no name can be a better cause. */
static bool choose(struct task *task, const struct between *b, enum between_side side,
                   struct weights *w) {
    double bars[2] = {INFINITY, INFINITY}; /* of less time and of more: the least cause so far */
    VEC(struct inner) inner = {0};
    for (uint32_t i = 0; i < b->v.n && w->outer.n < OUTER_MOST; i++) {
        const struct between_row *row = &b->v.v[i];
        if (!is_outer(row))
            continue;
        double *bar = &bars[way_of(row) > 0], by = named_by(b, row);
        *bar = by < *bar ? by : *bar;
        vec_push(&w->outer, i);
    }
    for (uint32_t i = 0; i < b->v.n; i++) {
        double by = is_inner(&b->v.v[i], side) ? between_by(&b->v.v[i], BETWEEN_SELF) : 0;
        if (by != 0 && fabs(by) > bars[by > 0])
            vec_push(&inner, ((struct inner){by, i}));
    }
    if (sort_items(task, inner.v, inner.n, sizeof *inner.v, by_size))
        for (size_t i = 0; i < inner.n && i < INNER_MOST; i++)
            vec_push(&w->inner, inner.v[i].row);
    vec_free(&inner);
    return w->inner.n > 0;
}

/* Adds a slice to the names around it, once to each. */
static uint32_t weigh(const struct contain *c, void *ctx, const struct slice_run *run, uint32_t k,
                      uint32_t of) {
    struct weights *w = ctx;
    const struct nest *nest = &trace_thread(c->trace, run->track)->nest;
    uint32_t inner = w->inner_of[of], row = run->row, i = run->i + k, above, at, n = 0;
    if (inner == BETWEEN_NO_ROW)
        return 0;
    double lasts =
        (double)units_since(run->v[k].start, slice_iter_end(c->trace, run->track, &run->v[k]));
    w->all[inner] += lasts;
    w->slices++;
    for (; n < CLIMB_MOST && trace_slice_parent(c->trace, run->track, row, i, &above, &at); n++) {
        uint32_t name = trace_packed_name(c->trace, lane_at(nest_row(nest, above), at)->begin_word);
        uint32_t own = row_at(c, run->track, name);
        uint32_t outer = own == BETWEEN_NO_ROW ? own : w->outer_of[own];
        if (outer != BETWEEN_NO_ROW && w->seen[outer] != w->slices) {
            w->seen[outer] = w->slices;
            w->in[outer * w->inner.n + inner] += lasts;
        }
        row = above;
        i = at;
    }
    return n;
}

/* The name that has most of the change of a row. One without a verdict of its own has to have most
 * of all of it. */
static void name_cause(struct between *b, const struct weights *w, uint32_t outer) {
    struct between_row *row = &b->v.v[w->outer.v[outer]];
    int sign = way_of(row);
    double most = named_by(b, row), change = between_by(row, BETWEEN_TOTAL) * sign;
    for (uint32_t k = 0; k < w->inner.n; k++) {
        const struct between_row *inner = &b->v.v[w->inner.v[k]];
        double part = w->all[k] > 0 ? w->in[outer * w->inner.n + k] / w->all[k] : 0;
        double by = between_by(inner, BETWEEN_SELF) * sign * part;
        bool judged = between_changed(inner) && way_of(inner) == sign;
        if (inner == row || part < MOSTLY || by <= most || (!judged && by < MOSTLY * change))
            continue;
        most = by;
        row->because = w->inner.v[k];
    }
}

static uint32_t *places(const struct between *b, const uint32_t *rows, size_t n) {
    uint32_t *places = err_malloc((b->v.n + 1) * sizeof *places);
    for (size_t i = 0; i < b->v.n; i++)
        places[i] = BETWEEN_NO_ROW;
    for (uint32_t i = 0; i < n; i++)
        places[rows[i]] = i;
    return places;
}

/* Names the causes of changed rows by the names inside them. */
static void name_causes(struct task *task, struct contain *c) {
    struct weights w = {.slices = 0};
    struct between *b = c->between;
    if (choose(task, b, c->side, &w)) {
        number_rows(task, c);
        w.outer_of = places(b, w.outer.v, w.outer.n);
        w.inner_of = places(b, w.inner.v, w.inner.n);
        w.in = err_calloc(w.outer.n * w.inner.n, sizeof *w.in);
        w.all = err_calloc(w.inner.n, sizeof *w.all);
        w.seen = err_calloc(w.outer.n, sizeof *w.seen);
        each_slice(task, c, &w, weigh);
        for (uint32_t i = 0; i < w.outer.n && !task_over(task); i++)
            name_cause(b, &w, i);
        free_rows(c);
    }
    weights_free(&w);
}

bool between_wants_gone(const struct between *b) {
    struct weights w = {.slices = 0};
    bool wants = choose(NULL, b, BETWEEN_A, &w);
    weights_free(&w);
    return wants;
}

void between_gone_make(struct task *task, struct between *b, struct trace *trace,
                       const struct question *asked) {
    name_causes(task,
                &(struct contain){.trace = trace, .asked = asked, .between = b, .side = BETWEEN_A});
}

void between_contain_make(struct task *task, struct between *b, struct trace *trace,
                          const struct question *asked) {
    struct contain c = {.trace = trace, .asked = asked, .between = b, .side = BETWEEN_B};
    if (b->v.n > 1 && b->counts[BETWEEN_SAME] + b->counts[BETWEEN_CHANCE] < b->v.n) {
        number_rows(task, &c);
        each_slice(task, &c, NULL, climb);
        free_rows(&c);
    }
    for (size_t i = 0; i < b->v.n; i++) {
        struct between_row *row = &b->v.v[i];
        if (row->because != BETWEEN_NO_ROW && !between_changed(row) &&
            is_of_speed(&b->v.v[row->because]))
            row->verdict = b->v.v[row->because].verdict;
    }
    between_count(b);
    if (!task_over(task))
        name_causes(task, &c);
}

void between_contain(struct between *b, struct trace *trace, const struct question *asked) {
    between_contain_make(NULL, b, trace, asked);
}
