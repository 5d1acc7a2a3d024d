/* between_contain.c - names that contain changed ones: a pass over the slices of the last run.
 *
 * It goes from each changed slice to its ancestors. The cause of an ancestor is the name in it
 * whose own time changed most, so one in between is none. */
#include <stdlib.h>

#include "model/query/stat/between/between.h"

#define FIND_UNITS 8
/* levels from a cause up to its ancestors: all of them would take the square of the depth */
#define CLIMB_MOST 200
#define ELSEWHERE 2 /* times the change of its ancestor: a cause may have changed elsewhere, too */

/* Rows by the names of slices in the last run of B. */
struct contain {
    struct trace *trace;
    const struct question *asked;
    struct between *between;
    uint32_t *rows, n;               /* by the number of the name; BETWEEN_NO_ROW: none */
    struct u64map row_of;            /* the same by trace_names_key(), if there are pools */
    const struct trace_pools *pools; /* of that run; NULL: none */
};

/* The row of each name in the last run of B. */
static void number_rows(struct task *task, struct contain *c) {
    const struct between *b = c->between;
    const struct trace_names *last = &b->runs[BETWEEN_B].v[b->runs[BETWEEN_B].n - 1];
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
        if (own && c->pools)
            u64map_set(&c->row_of, trace_names_key(own->pool_number, own->number), i);
        else if (own)
            c->rows[own->number] = i;
        if (!task_spend(task, FIND_UNITS))
            return;
    }
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
static uint32_t climb(const struct contain *c, const struct slice_run *run, uint32_t k,
                      uint32_t changed) {
    struct between *b = c->between;
    const struct nest *nest = &trace_thread(c->trace, run->track)->nest;
    uint32_t row = run->row, i = run->i + k, above, at, n = 0, last = BETWEEN_NO_ROW;
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

/* Finds the cause of each name that contains a changed one. */
static void find_causes(struct task *task, const struct contain *c) {
    struct slice_set set = question_slices(c->asked, SLICE_ITER_SLICES);
    struct slice_iter iter;
    struct slice_run run;
    slice_iter_init(&iter, c->trace, &set);
    while (slice_iter_next(&iter, task, &run)) {
        uint32_t climbed = 0;
        for (uint32_t k = 0; k < run.n; k++) {
            uint32_t name = trace_packed_name(c->trace, run.v[k].begin_word);
            uint32_t row = row_at(c, run.track, name);
            if (row != BETWEEN_NO_ROW && way_of(&c->between->v.v[row]) != 0)
                climbed += climb(c, &run, k, row);
        }
        task_spend(task, climbed);
    }
}

void between_contain_make(struct task *task, struct between *b, struct trace *trace,
                          const struct question *asked) {
    struct contain c = {.trace = trace, .asked = asked, .between = b};
    if (b->counts[BETWEEN_SAME] + b->counts[BETWEEN_CHANCE] < b->v.n) {
        number_rows(task, &c);
        find_causes(task, &c);
        free(c.rows);
        u64map_free(&c.row_of);
    }
    for (size_t i = 0; i < b->v.n; i++) {
        struct between_row *row = &b->v.v[i];
        if (row->because != BETWEEN_NO_ROW && !between_changed(row) &&
            is_of_speed(&b->v.v[row->because]))
            row->verdict = b->v.v[row->because].verdict;
    }
    between_count(b);
}

static void make(struct task *task, void *ctx) {
    struct contain *c = ctx;
    between_contain_make(task, c->between, c->trace, c->asked);
}

void between_contain(struct between *b, struct trace *trace, const struct question *asked) {
    make(NULL, &(struct contain){.trace = trace, .asked = asked, .between = b});
}
