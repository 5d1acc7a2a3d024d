/* postorder.c - events of one thread in the order of their ends, as most writers leave them: begins and ends as they
 * happen, a complete event when it ends, so that parents stand behind their children. Coordinates: ns relative to the
 * reader's base.
 *
 * Read from the last to the first such a run is a walk of the tree from the root: a stack of what is around an event
 * gives its row, and shows whether all nest. A second pass in the file's order pushes each slice there. So a slice is
 * written once, wherever its ancestors stand.
 *
 * Only what is plain is placed so: where two times are the same in a way that the rules decide (SEMANTICS "Nesting"),
 * or anything overlaps, nothing is touched and the events go one by one. */
#include "model/nest_inside.h"

#define ALONE UINT32_MAX /* its begin or end is not in this run */

struct around {    /* what is around an event, as seen from behind */
    int64_t start; /* INT64_MIN of an end, whose begin is still to come */
    uint32_t i;
};

struct step {
    uint32_t depth; /* how much of the run is around it */
    uint32_t mate;  /* of a begin its end, of an end its begin */
};

/* Could a slice of no length at t belong in or before one of length that begins or ends there? `left`: begin of the
 * last that was left behind. */
static bool touches(const struct nest_item *v, const struct around *top, int64_t left, int64_t t) {
    return left == t || top->start == t || (top->start != INT64_MIN && nest_event_end(&v[top->i]) == t);
}

/* From the last to the first. How many of the run are around what comes before it in *open: ends without a begin here,
 * and completes that begin no later than `before`; and nothing else may be around those. False: not plain. */
static bool walk(const struct nest_item *v, uint32_t n, int64_t before, struct around *stack, struct step *steps,
                 uint32_t *open) {
    struct around *top = stack;
    int64_t left = INT64_MAX, next = INT64_MAX;
    *top = (struct around){INT64_MIN, ALONE};
    for (uint32_t i = n; i-- > 0;) {
        const struct nest_item *x = &v[i];
        int64_t start = x->start, time = nest_event_end(x);
        enum nest_event event = (enum nest_event)x->event;
        if (time > next)
            return false;
        next = time;
        if (event == NEST_COMPLETE && x->dur == 0) {
            for (; top->start > time; top--)
                left = top->start;
            if (touches(v, top, left, time))
                return false;
            steps[i] = (struct step){(uint32_t)(top - stack), ALONE};
            continue;
        }
        for (; top->start >= time; top--)
            left = top->start;
        if (event == NEST_COMPLETE) {
            if (top->start >= start && (top->start > start || nest_event_end(&v[top->i]) == time))
                return false;
            steps[i] = (struct step){(uint32_t)(top - stack), ALONE};
            *++top = (struct around){start, i};
        } else if (event == NEST_END) {
            steps[i] = (struct step){(uint32_t)(top - stack), ALONE};
            *++top = (struct around){INT64_MIN, i};
        } else if (top == stack) {
            steps[i].mate = ALONE;
        } else {
            uint32_t end = top->i;
            if (top->start != INT64_MIN)
                return false; /* it is open in what ends */
            top--;
            int64_t end_time = v[end].start;
            if (top->start >= start && (top->start > start || nest_event_end(&v[top->i]) == end_time))
                return false;
            if (end_time == start && touches(v, top, left, start))
                return false;
            steps[i].mate = end;
            steps[end].mate = i;
        }
    }
    if (next < before || left <= before)
        return false;
    *open = 0;
    for (const struct around *a = stack + 1; a <= top; a++) {
        if (a->start > before)
            continue;
        if (a - stack != (ptrdiff_t)*open + 1)
            return false;
        ++*open;
    }
    return true;
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

/* What walk() found, from the first to the last. */
static void place(struct nest *nest, const struct nest_aside *aside, struct nest_item *v, uint32_t n,
                  const struct step *steps, uint32_t open) {
    int64_t before = nest->reach;
    uint32_t base = ALONE;
    for (uint32_t i = 0; i < n; i++) {
        struct nest_item *x = &v[i];
        bool complete = x->event == NEST_COMPLETE;
        if (x->event == NEST_BEGIN && steps[i].mate != ALONE)
            continue;
        if (complete ? x->start <= before && x->dur > 0 : steps[i].mate == ALONE) {
            if (base != ALONE)
                activate(nest, base);
            base = ALONE;
            open -= x->event != NEST_BEGIN;
            nest_take(nest, aside, x);
            if (nest->late.n > 0) {
                nest_one_by_one(nest, aside, v + i + 1, n - i - 1);
                return;
            }
            continue;
        }
        if (base == ALONE)
            base = below_open(nest);
        if (!complete) {
            struct nest_item *begin = &v[steps[i].mate];
            nest->mismatches += nest_match(begin, x, slice_packed_name(x->packed));
            nest->last_stack = x->start;
            x = begin;
        } else if (x->dur == 0) {
            nest->last_stack = x->start;
        } else if (x->start > nest->last_complete) {
            nest->last_complete = x->start;
        }
        uint32_t row = base + steps[i].depth - open;
        while (row >= nest->nlanes)
            nest_add_row(nest);
        struct slice s = nest_slice(aside, x, x->flags);
        /* around it is what is open there, or what comes next */
        slice_set_parent(&s, row > 0 ? nest->lanes[row - 1].n - (row == base) : SLICE_NO_PARENT);
        lane_push(&nest->lanes[row], &s);
        nest->slices++;
        if (x->start >= nest->last_start) {
            nest->last_start = x->start;
            nest->tie = -1;
        }
    }
    nest->reach = nest_event_end(&v[n - 1]);
    if (base != ALONE)
        activate(nest, base);
}

bool postorder_place(struct nest *nest, const struct nest_aside *aside, struct nest_item *v, uint32_t n) {
    if (nest->displaced != 0)
        return false;
    struct around *stack = err_malloc((n + 1) * sizeof *stack + n * sizeof(struct step));
    struct step *steps = (struct step *)(stack + n + 1);
    uint32_t open;
    bool plain = walk(v, n, nest->reach, stack, steps, &open);
    if (plain)
        place(nest, aside, v, n, steps, open);
    free(stack);
    return plain;
}
