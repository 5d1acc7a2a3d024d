/* nest_run.c - nests a buffer of events that are in the order of their ends, as most writers leave them.
 *
 * They write begins and ends as these happen, and a complete event when it ends: parents follow their children. Times:
 * ns relative to the reader's base.
 *
 * Read from the last event to the first, such a run is a walk of the tree from the root (walk()). A stack of the slices
 * around an event gives its row, and shows whether all of them nest. A second pass in file order appends each slice to
 * its row (place(), push()): so each is written once, and no slice moves ([N1] to [N5]).
 *
 * Slices that begin and end at the same times are frequent if a clock is coarse: the one that is earlier in the file is
 * outside, so those around it move one row down (twins()).
 *
 * Only plain runs are nested like this. If slices overlap, or if other equal times need SEMANTICS 6.1 or 6.2, nothing
 * has changed and the events go one by one. */
#include <assert.h>

#include "model/nest/nest_internal.h"

struct around {    /* a slice around the event, as the walk from the end sees it */
    int64_t start; /* INT64_MIN of an end: the walk has not reached its begin */
    struct step *step; /* whose `end` it has */
};

/* Bits. A special slice has no length, or one of seconds, or its records are far from each other. A step that is alone
 * is no slice of this run: an end or a begin without its other half, or a complete event from before. A stack step
 * nests as a stack does (SEMANTICS 6.1). A flat one is an end; a slice of no length is inside of its slice, at its
 * time. */
enum step_state { STEP_ALONE = 1, STEP_SPECIAL = 2, STEP_STACK = 4, STEP_FLAT = 8 };

/* One step of push(), in the order of ends: its loop over steps has hardly a branch that is hard to predict. */
struct step {
    uint64_t end_word;   /* of its slice, unless STEP_SPECIAL or STEP_ALONE */
    const struct duration *begin, *end; /* one and the same if it is a complete, or alone */
    uint32_t depth;      /* number of slices of the run around it */
    uint16_t state;      /* enum step_state */
    uint16_t differs;    /* 1: its end has another name */
};

#define FEW 64        /* events of a run that needs no allocation: of many threads each has few */
#define MOST_TWINS 16 /* slices of the same begin and end; a run with more goes one by one */

static_assert(STEP_ALONE == 1, "the sign of a duration that is none");

struct run {
    const struct duration *v;
    uint32_t n;
    struct around *stack; /* n + 2 */
    struct step *steps;   /* n, and one below the stack */
    struct step *step;    /* the first valid one; so are all after it */
    int64_t first;        /* the earliest begin, or end that has none */
    uint32_t open; /* slices around the run's first event: ends without a begin here, complete events from before */
};

/* Whether a slice of no length at t is adjacent to a slice that begins or ends there. left: begin of the slice that the
 * walk left last. */
static bool touches(const struct around *top, int64_t left, int64_t t) {
    return left == t || top->start == t || (top->start != INT64_MIN && nest_fresh_end(top->step->end) == t);
}

/* Whether a complete event that begins at t is around a slice of no length: no longer slice of the stack that begins
 * there is later in the file (SEMANTICS 6.2). */
static inline bool starts_inside(const struct around *top, int64_t left, int64_t t, int64_t before) {
    return top->start == t && left != t && t > before;
}

/* Whether the slice start..end is not inside the one around it, or of equal length, so that file order decides. */
static inline bool crosses(const struct around *top, int64_t start, int64_t end) {
    return top->start >= start && (top->start > start || nest_fresh_end(top->step->end) == end);
}

/* The number of complete events on the stack, from its top on, that begin and end at these times. A slice of the same
 * times that is earlier in the file goes around them (SEMANTICS 6.2). 0: there are none, or too many, or they are not
 * of this run alone. */
static uint32_t twins(const struct around *top, int64_t start, int64_t end, int64_t before) {
    const struct around *a = top;
    while (start > before && a->start == start && nest_fresh_end(a->step->end) == end && top - a <= MOST_TWINS)
        a--;
    return top - a <= MOST_TWINS ? (uint32_t)(top - a) : 0;
}

/* Makes space below the twins of complete event x on the stack. Returns the slice around x; NULL: it crosses another.
 */
static __attribute__((noinline)) struct around *below_twins(struct around *top, const struct duration *x,
                                                            int64_t before) {
    uint32_t k = nest_fresh_complete(x) ? twins(top, x->time, nest_fresh_end(x), before) : 0;
    for (uint32_t i = 0; i < k; i++, top--) {
        top->step->depth++;
        top[1] = top[0];
    }
    return k > 0 ? top : NULL;
}

/* A slice of no length at t is inside the slice on top. */
static __attribute__((noinline)) void flat_inside(const struct run *run, const struct around *top, int64_t t) {
    if (top > run->stack && top->start == INT64_MIN && top->step->end->time == t)
        top->step->state |= STEP_FLAT;
}

/* The slice of a step goes around its twins: those on the stack, and those inside of it, which are earlier in the file
 * than the others. False: it crosses a slice, or a slice of the stack has the same times, or it is not inside its
 * twins. */
static __attribute__((noinline)) bool around_twins(const struct around *top, struct step *step, int64_t start,
                                                   int64_t before) {
    const struct around *inside = top + 2; /* above the end */
    int64_t end = step->end->time;
    uint32_t k = twins(top, start, end, before), m = 0;
    if (k == 0 || step->state & STEP_FLAT)
        return false;
    for (; inside[m].start == start && nest_fresh_end(inside[m].step->end) == end; m++)
        if (m == MOST_TWINS || !nest_fresh_complete(inside[m].step->end))
            return false;
    step->depth -= k;
    for (uint32_t i = 0; i < m; i++)
        inside[i].step->depth -= k;
    for (; k > 0; k--, top--)
        top->step->depth += 1 + m;
    return true;
}

/* The step of a complete event with a length, or of an end: it is alone so far. */
static inline void step_end(struct step *step, const struct duration *x, ptrdiff_t depth, bool early) {
    step->end_word = (uint64_t)x->dur | (uint64_t)SLICE_END_IN_BEGIN_RECORD << 57;
    step->begin = step->end = x;
    step->depth = (uint32_t)depth;
    step->state = (uint16_t)((uint64_t)x->dur >> 63); /* STEP_ALONE */
    step->differs = 0;
    if (early || x->dur >= SLICE_SHORT)
        step->state = early ? STEP_ALONE : STEP_SPECIAL;
}

/* Begin x belongs to the end of a step. */
static inline void step_begin(struct step *step, const struct duration *x, const struct duration *end) {
    uint64_t dur = (uint64_t)end->time - (uint64_t)x->time, words = (end->packed - x->packed) % EVENT_WORDS;
    uint64_t differs = nest_name_differs(x->packed, end->packed);
    step->end_word = dur | words << 33 | (SLICE_END_DISTANCE + (differs << 4)) << 57; /* SLICE_MISMATCH */
    step->begin = x;
    step->state = STEP_STACK;
    step->differs = (uint16_t)differs;
    if (dur - 1 >= SLICE_SHORT - 1 || words >= SLICE_DISTANCES)
        step->state = STEP_STACK | STEP_SPECIAL;
}

/* Counts the slices on the stack that began earlier than the run; false if one of them is inside a later one. */
static bool count_open(struct run *run, const struct around *top, int64_t before) {
    run->open = 0;
    for (const struct around *a = run->stack + 1; a <= top; a++) {
        if (a->start > before)
            continue;
        if (a - run->stack != (ptrdiff_t)run->open + 1)
            return false;
        run->open++;
    }
    return true;
}

/* From the last event to the first. before: the latest time of all events so far. Returns false if the run is not
 * plain. */
static __attribute__((noinline)) bool walk(struct run *run, int64_t before) {
    const struct duration *v = run->v;
    struct around *top = run->stack;
    int64_t left = INT64_MAX, next = INT64_MAX, first = INT64_MAX;
    struct step *step = run->steps + run->n;
    *step = (struct step){.begin = v, .end = v};
    *top = (struct around){INT64_MIN, step};
    for (const struct duration *x = v + run->n; x-- > v;) {
        bool complete = nest_fresh_complete(x);
        int64_t start = x->time, time = nest_fresh_end(x);
        if (time > next)
            return false;
        next = time;
        first = start < first ? start : first;
        if (x->dur == 0) {
            for (; top->start > time; top--)
                left = top->start;
            if (!starts_inside(top, left, time, before) && touches(top, left, time))
                return false;
            flat_inside(run, top, time);
            *--step = (struct step){
                .begin = x, .end = x, .depth = (uint32_t)(top - run->stack), .state = STEP_SPECIAL | STEP_STACK};
            continue;
        }
        for (; top->start >= time; top--)
            left = top->start;
        if (x->dur != DURATION_BEGINS) {
            struct around *at = top;
            if (crosses(top, complete ? start : INT64_MAX, time) && !(at = below_twins(top, x, before)))
                return false;
            step_end(--step, x, at - run->stack, start <= before);
            at[1] = (struct around){complete ? start : INT64_MIN, step};
            (++top)[1].start = INT64_MAX; /* nothing is inside of it so far */
        } else if (top == run->stack) {
            *--step = (struct step){.begin = x, .end = x, .state = STEP_ALONE};
        } else {
            if (top->start != INT64_MIN)
                return false; /* it is open inside a slice that ends */
            struct step *closed = top->step;
            const struct duration *end = closed->end;
            top->start = start; /* for around_twins() */
            top--;
            bool around = crosses(top, start, end->time);
            if (around ? !around_twins(top, closed, start, before) : end->time == start && touches(top, left, start))
                return false;
            left = around ? start : left; /* a slice of no length there is not inside the twins */
            if (end->time == start)
                flat_inside(run, top, start);
            step_begin(closed, x, end);
        }
    }
    run->step = step;
    run->first = first;
    return next >= before && left > before && count_open(run, top, before);
}

/* The row below the innermost open slice, which contains all of the run. Slices that ended leave the stack [N4]. */
static uint32_t below_open(struct nest *nest) {
    for (; nest->active.n > 0; nest->active.n--) {
        uint32_t row = nest->active.v[nest->active.n - 1];
        if (nest_open_at(nest, row))
            return row + 1;
    }
    return 0;
}

/* Puts slices that ended on the stack, as they may contain late events: the last of a row, the last inside it, ... */
static void activate(struct nest *nest, uint32_t row) {
    for (; row < nest->nlanes && nest->lanes[row].n > 0; row++) {
        if (nest_of_stack(nest_tail(nest, row)) || (row > 0 && nest->lanes[row].start < nest->lanes[row - 1].start))
            return;
        vec_push(&nest->active, row);
    }
}

/* Sets the times of [N5] from the slices first..last that were appended. stack: some of them nest as a stack does. It
 * looks from the end: of slices that end before last_start, none begins later. */
static void remember(struct nest *nest, const struct step *first, const struct step *last, bool stack) {
    for (const struct step *step = last; step-- > first;) {
        const struct duration *b = step->begin, *e = step->end;
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

/* Makes the slice of a special step, the last one of its row. base: the row below the innermost open slice. */
static __attribute__((noinline)) void make_special(const struct nest *nest, const struct slice_extra *extra,
                                                   const struct step *step, uint32_t row, uint32_t base) {
    const struct duration *b = step->begin, *e = step->end;
    struct slice *to = nest_tail(nest, row);
    uint64_t end_offset = event_offset(e->packed);
    nest->lanes[row].end = nest_fresh_end(e);
    *to = slice_make(b->time, nest_fresh_end(e) - b->time, b->packed, end_offset,
                     (b != e ? 0 : SLICE_COMPLETE) | (step->differs ? SLICE_MISMATCH : 0));
    if (slice_end_in_side_table(to))
        extra->set(extra->ctx, slice_offset(to) + SLICE_EXTRA_END, end_offset);
    if (!slice_has_length(to)) /* its parent is the open slice, or the next one on the row above */
        slice_set_parent(to, row > 0 ? nest->lanes[row - 1].n - (row == base) : SLICE_NO_PARENT);
}

/* Appends slices from `step` on. Returns the first step that is no slice. */
static __attribute__((noinline)) const struct step *push(struct nest *nest, const struct slice_extra *extra,
                                                        const struct run *run, const struct step *step) {
    const struct step *first = step, *last = run->steps + run->n;
    uint32_t base = below_open(nest), top = base - run->open, mismatches = 0;
    unsigned states = 0;
    for (; step < last; step++) {
        unsigned state = step->state;
        if (state & STEP_ALONE)
            break;
        uint32_t row = top + step->depth;
        while (row >= nest->nlanes)
            nest_add_row(nest);
        struct lane *lane = &nest->lanes[row];
        struct slice *to = lane_extend(lane);
        uint64_t end_word = step->end_word;
        const struct duration *begin = step->begin;
        *to = (struct slice){begin->time, begin->packed, end_word};
        lane->start = begin->time;
        lane->end = begin->time + (int64_t)(end_word & (SLICE_SHORT - 1));
        mismatches += step->differs;
        states |= state;
        if (state & STEP_SPECIAL)
            make_special(nest, extra, step, row, base);
    }
    nest->slices += (uint64_t)(step - first);
    nest->mismatches += mismatches;
    remember(nest, first, step, (states & STEP_STACK) != 0);
    activate(nest, base);
    return step;
}

/* Appends the slices that walk() found; the events between them go one by one. */
static void place(struct nest *nest, const struct slice_extra *extra, struct run *run) {
    int64_t after = nest_fresh_end(&run->v[run->n - 1]);
    nest->first = run->first < nest->first ? run->first : nest->first;
    const struct step *step = run->step, *last = run->steps + run->n;
    while (step < last) {
        const struct step *next = push(nest, extra, run, step);
        if (next == last)
            break;
        const struct duration *x = next->end;
        struct nest_item item = nest_item_of(x);
        run->open -= item.event != NEST_BEGIN;
        nest_take(nest, extra, &item);
        if (nest->late.n > 0 && !nest_settle(nest, extra)) {
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
    struct step steps[FEW + 1];
    struct around stack[FEW + 2];
    struct run run = {.v = v, .n = n, .steps = steps, .stack = stack};
    if (n > FEW) {
        run.steps = err_malloc((n + 1) * sizeof *run.steps + (n + 2) * sizeof *run.stack);
        run.stack = (struct around *)(run.steps + n + 1);
    }
    bool plain = walk(&run, nest->reach);
    if (plain)
        place(nest, extra, &run);
    if (n > FEW)
        free(run.steps);
    return plain;
}
