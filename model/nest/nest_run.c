/* nest_run.c - events of one thread in the order of their ends, as most writers leave them: begins and ends as they
 * happen, a complete event when it ends, so that parents stand behind their children. Coordinates: ns relative to the
 * reader's base.
 *
 * Read from the last to the first such a run is a walk of the tree from the root: a stack of what is around an event
 * gives its row, and shows whether all nest. A second pass in the file's order pushes each slice there. So a slice is
 * written once, wherever its ancestors stand.
 *
 * Only what is plain is placed so: where two times are the same in a way that the rules decide (SEMANTICS 6),
 * or anything overlaps, nothing is touched and the events go one by one. */
#include <assert.h>

#include "model/nest/nest_internal.h"

struct nest_enclosing { /* what is around an event, as seen from behind */
    int64_t start; /* INT64_MIN of an end, whose begin is still to come */
    uint32_t i;    /* event */
    uint32_t k;    /* step */
};

/* What is to be done, in the order of ends: the loop over these has hardly a branch that cannot be foretold. */
struct step {
    uint16_t begin, end; /* events; one and the same if it is a complete, or alone */
    uint16_t depth;      /* how much of the run is around it */
    bool alone;          /* not a slice: an end or a begin by itself, or what began before the run */
};

static_assert(NEST_BUFFER_EVENTS <= UINT16_MAX, "they are counted by struct step");

struct run {
    const struct duration *v;
    uint32_t n;
    struct nest_enclosing *stack; /* n + 1 */
    struct step *steps;   /* n; the last `nsteps` are valid */
    int64_t first;        /* the earliest begin, or end that has none */
    uint32_t nsteps;
    uint32_t open; /* around all of the run's first event: ends without a begin here, completes that begin before it */
};

/* Could a slice of no length at t belong in or before one of length that begins or ends there? `left`: begin of the
 * last that was left behind. */
static bool touches(const struct duration *v, const struct nest_enclosing *top, int64_t left, int64_t t) {
    return left == t || top->start == t || (top->start != INT64_MIN && nest_fresh_end(&v[top->i]) == t);
}

/* Is what begins at `start` and ends at `end` not inside what is around it, or as long, so that the file's order tells?
 */
static inline bool crosses(const struct duration *v, const struct nest_enclosing *top, int64_t start, int64_t end) {
    return top->start >= start && (top->start > start || nest_fresh_end(&v[top->i]) == end);
}

/* From the last to the first; `before`: the latest time known so far. False: not plain. */
static bool walk(struct run *run, int64_t before) {
    const struct duration *v = run->v;
    struct nest_enclosing *top = run->stack;
    int64_t left = INT64_MAX, next = INT64_MAX, first = INT64_MAX;
    uint32_t k = run->n;
    *top = (struct nest_enclosing){INT64_MIN, 0, 0};
    for (uint32_t i = run->n; i-- > 0;) {
        const struct duration *x = &v[i];
        bool complete = nest_fresh_complete(x);
        int64_t start = x->time, time = nest_fresh_end(x);
        if (time > next)
            return false;
        next = time;
        first = start < first ? start : first;
        if (x->dur == 0) {
            for (; top->start > time; top--)
                left = top->start;
            if (touches(v, top, left, time))
                return false;
            run->steps[--k] = (struct step){(uint16_t)i, (uint16_t)i, (uint16_t)(top - run->stack), false};
            continue;
        }
        for (; top->start >= time; top--)
            left = top->start;
        if (x->dur != DURATION_BEGINS) {
            if (crosses(v, top, complete ? start : INT64_MAX, time))
                return false;
            run->steps[--k] =
                (struct step){(uint16_t)i, (uint16_t)i, (uint16_t)(top - run->stack), !complete | (start <= before)};
            *++top = (struct nest_enclosing){complete ? start : INT64_MIN, i, k};
        } else if (top == run->stack) {
            run->steps[--k] = (struct step){(uint16_t)i, (uint16_t)i, 0, true};
        } else {
            if (top->start != INT64_MIN)
                return false; /* it is open in what ends */
            struct step *step = &run->steps[top->k];
            const struct duration *end = &v[top->i];
            top--;
            if (crosses(v, top, start, end->time) || (end->time == start && touches(v, top, left, start)))
                return false;
            step->begin = (uint16_t)i;
            step->alone = false;
        }
    }
    run->nsteps = run->n - k;
    run->first = first;
    run->open = 0;
    for (const struct nest_enclosing *a = run->stack + 1; a <= top; a++) {
        if (a->start > before)
            continue;
        if (a - run->stack != (ptrdiff_t)run->open + 1)
            return false;
        run->open++;
    }
    return next >= before && left > before;
}

/* What is open contains all that comes: the row below it. What ended is no longer active. */
static uint32_t below_open(struct nest *nest) {
    for (; nest->active.n > 0; nest->active.n--) {
        uint32_t row = nest->active.v[nest->active.n - 1];
        if (nest_open_at(nest, row))
            return row + 1;
    }
    return 0;
}

/* What ended and may still contain what comes out of order: the last slice on a row, the last inside it, and so on. */
static void activate(struct nest *nest, uint32_t row) {
    for (; row < nest->nlanes && nest->lanes[row].n > 0; row++) {
        if (nest_of_stack(nest_tail(nest, row)) || (row > 0 && nest->lanes[row].start < nest->lanes[row - 1].start))
            return;
        vec_push(&nest->active, row);
    }
}

/* Where the latest of the slices that were pushed stand; are there some that nest as a stack does? Looked for from
 * behind: what ends earlier began earlier, too, and what began before the last of a stack ended is behind it anyway. */
static void remember(struct nest *nest, const struct run *run, const struct step *first, const struct step *last,
                     bool stack) {
    for (const struct step *step = last; step-- > first;) {
        const struct duration *b = &run->v[step->begin], *e = &run->v[step->end];
        int64_t end = nest_fresh_end(e);
        if (!stack && end < nest->last_start)
            break;
        nest->last_start = b->time > nest->last_start ? b->time : nest->last_start;
        if (b == e && b->dur > 0) {
            nest->last_complete = b->time > nest->last_complete ? b->time : nest->last_complete;
        } else if (stack) {
            nest->last_stack = end;
            stack = false;
        }
    }
    nest->tie = -1;
}

/* Pushes slices from `step` on, up to what is none; says which. */
static const struct step *push(struct nest *nest, const struct slice_extra *extra, const struct run *run,
                               const struct step *step) {
    const struct step *first = step, *last = run->steps + run->n;
    uint32_t base = below_open(nest), mismatches = 0;
    bool stack = false;
    for (; step < last; step++) {
        if (step->alone)
            break;
        const struct duration *b = &run->v[step->begin], *e = &run->v[step->end];
        bool pair = b != e, differs = nest_name_differs(b->packed, e->packed);
        int64_t start = b->time, end = nest_fresh_end(e), dur = end - start;
        uint32_t row = base + step->depth - run->open;
        while (row >= nest->nlanes)
            nest_add_row(nest);
        struct lane *lane = &nest->lanes[row];
        struct slice *to = lane_extend(lane);
        lane->start = start;
        lane->end = end;
        mismatches += differs;
        stack |= pair;
        if (slice_make_plain(to, start, dur, b->packed, e->packed, differs))
            continue;
        stack |= dur == 0;
        uint64_t end_offset = event_offset(e->packed);
        *to =
            slice_make(start, dur, b->packed, end_offset, (pair ? 0 : SLICE_COMPLETE) | (differs ? SLICE_MISMATCH : 0));
        if (slice_end_in_side_table(to))
            extra->set(extra->ctx, slice_offset(to) + SLICE_EXTRA_END, end_offset);
        if (!slice_has_length(to)) /* around it is what is open, or what comes next on the row above */
            slice_set_parent(to, row > 0 ? nest->lanes[row - 1].n - (row == base) : SLICE_NO_PARENT);
    }
    nest->slices += (uint64_t)(step - first);
    nest->mismatches += mismatches;
    remember(nest, run, first, step, stack);
    activate(nest, base);
    return step;
}

/* What walk() found: slices, and between them what goes by itself. */
static void place(struct nest *nest, const struct slice_extra *extra, struct run *run) {
    int64_t after = nest_fresh_end(&run->v[run->n - 1]);
    nest->first = run->first < nest->first ? run->first : nest->first;
    const struct step *step = run->steps + run->n - run->nsteps, *last = run->steps + run->n;
    while (step < last) {
        const struct step *next = push(nest, extra, run, step);
        if (next == last)
            break;
        const struct duration *x = &run->v[next->end];
        struct nest_item item = nest_item_of(x);
        run->open -= item.event != NEST_BEGIN;
        nest_take(nest, extra, &item);
        if (nest->late.n > 0) {
            nest_one_by_one(nest, extra, x + 1, (size_t)(run->v + run->n - (x + 1)));
            return;
        }
        step = next + 1;
    }
    nest->reach = after;
}

bool nest_run_place(struct nest *nest, const struct slice_extra *extra, const struct duration *v, uint32_t n) {
    if (nest->displaced != 0)
        return false;
    struct run run = {.v = v, .n = n};
    run.steps = err_malloc(n * sizeof *run.steps + (n + 1) * sizeof *run.stack);
    run.stack = (struct nest_enclosing *)(run.steps + n);
    bool plain = walk(&run, nest->reach);
    if (plain)
        place(nest, extra, &run);
    free(run.steps);
    return plain;
}
