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
    int64_t start; /* NOT_BEGUN of an end: the walk has not reached its begin */
    struct step *step;
};

#define NOT_BEGUN INT64_MIN
#define ROOT (INT64_MIN + 1) /* start of what is around all slices; a run with such a time, a saturated one, is not plain */

/* One step of push(), in the order of ends: its loop over steps has hardly a branch that is hard to predict. */
struct step {
    struct slice slice;         /* without its end word if STEP_SPECIAL; undefined if STEP_ALONE */
    const struct duration *end; /* the complete event itself; of a begin without an end, that */
    uint64_t place;             /* [0..31] number of slices of the run around it; the other bits: */
};

/* A special slice has no length, or one of seconds, or its records are far from each other. A step that is alone
 * is no slice of this run: an end or a begin without its other half, or a complete event from before. The end of one
 * that differs has another name. A flat one is an end; a slice of no length is inside of its slice, at its time. */
#define STEP_ALONE (UINT64_C(1) << 32)
#define STEP_SPECIAL (UINT64_C(2) << 32)
#define STEP_DIFFERS (UINT64_C(4) << 32)
#define STEP_FLAT (UINT64_C(8) << 32)

#define FEW 64        /* events of a run that needs no allocation: of many threads each has few */
#define MOST_TWINS 16 /* slices of the same begin and end; a run with more goes one by one */

struct run {
    const struct duration *v;
    uint32_t n;
    struct around *stack; /* n + 2 */
    struct step *steps;   /* n, and one below the stack */
    struct step *step;    /* the first valid one; so are all after it */
    int64_t first;        /* the earliest begin, or end that has none */
    uint32_t open; /* slices around the run's first event: ends without a begin here, complete events from before */
    bool of_stack; /* some slices nest as a stack does (SEMANTICS 6.1) */
};

/* Whether a slice of no length at t is adjacent to a slice that begins or ends there. left: begin of the slice that the
 * walk left last. */
static bool touches(const struct around *top, int64_t left, int64_t t) {
    return left == t || top->start == t || (top->start > ROOT && nest_fresh_end(top->step->end) == t);
}

/* Whether a complete event that begins at t is around a slice of no length: no longer slice of the stack that begins
 * there is later in the file (SEMANTICS 6.2). */
static inline bool starts_inside(const struct around *top, int64_t left, int64_t t, int64_t before) {
    return top->start == t && left != t && t > before;
}

/* Whether the slice start..end is not inside the one around it, or of equal length, so that file order decides. */
static inline bool crosses(const struct around *top, int64_t start, int64_t end) {
    return top->start >= start && (top->start > start || start <= ROOT || nest_fresh_end(top->step->end) == end);
}

/* The number of complete events on the stack, from its top on, that begin and end at these times. A slice of the same
 * times that is earlier in the file goes around them (SEMANTICS 6.2). 0: there are none, or too many, or they are not
 * of this run alone. */
static uint32_t twins(const struct around *top, int64_t start, int64_t end, int64_t before) {
    const struct around *a = top;
    before = before > ROOT ? before : ROOT;
    while (start > before && a->start == start && nest_fresh_end(a->step->end) == end && top - a <= MOST_TWINS)
        a--;
    return top - a <= MOST_TWINS ? (uint32_t)(top - a) : 0;
}

/* Makes space below the twins of complete event x on the stack. Returns the slice around x; NULL: it crosses another.
 */
static __attribute__((noinline)) struct around *below_twins(struct around *top, const struct duration *x,
                                                            int64_t before) {
    uint32_t k = nest_fresh_complete(x) ? twins(top, x->time, nest_fresh_end(x), before) : 0;
    for (uint32_t i = 0; i < k && top->start > ROOT; i++, top--) {
        top->step->place++;
        top[1] = top[0];
    }
    return k > 0 ? top : NULL;
}

/* A slice of no length at t is inside the slice on top. */
static __attribute__((noinline)) void flat_inside(const struct run *run, const struct around *top, int64_t t) {
    if (top > run->stack && top->start == NOT_BEGUN && top->step->end->time == t)
        top->step->place |= STEP_FLAT;
}

/* The slice of a step goes around its twins: those on the stack, and those inside of it, which are earlier in the file
 * than the others. False: it crosses a slice, or a slice of the stack has the same times, or it is not inside its
 * twins. */
static __attribute__((noinline)) bool around_twins(const struct around *top, struct step *step, int64_t start,
                                                   int64_t before) {
    const struct around *inside = top + 2; /* above the end */
    int64_t end = step->end->time;
    uint32_t k = twins(top, start, end, before), m = 0;
    if (k == 0 || step->place & STEP_FLAT)
        return false;
    for (; inside[m].step && inside[m].start == start && nest_fresh_end(inside[m].step->end) == end; m++)
        if (m == MOST_TWINS || !nest_fresh_complete(inside[m].step->end))
            return false;
    step->place -= k;
    for (uint32_t i = 0; i < m; i++)
        inside[i].step->place -= k;
    for (; k > 0; k--, top--)
        top->step->place += 1 + m;
    return true;
}

/* Marks the slices on the stack that began earlier than the run as alone. Returns false if one of them is inside a later
 * one. */
static bool count_open(struct run *run, const struct around *top, int64_t before) {
    run->open = 0;
    for (const struct around *a = run->stack + 1; a <= top; a++) {
        run->first = a->start != NOT_BEGUN && a->start < run->first ? a->start : run->first;
        if (a->start > before)
            continue;
        if (a - run->stack != (ptrdiff_t)run->open + 1)
            return false;
        a->step->place |= STEP_ALONE;
        run->open++;
    }
    return true;
}

/* A complete event of no length. False: another slice is adjacent to it. */
static __attribute__((noinline)) bool walk_flat(const struct run *run, const struct around *top, int64_t left,
                                                const struct duration *x, int64_t before) {
    if (!starts_inside(top, left, x->time, before) && touches(top, left, x->time))
        return false;
    flat_inside(run, top, x->time);
    return true;
}

#define NOT_PLAIN INT64_MIN

/* The slice of `step` begins when another one does, or has no length. Returns the new `left`, or NOT_PLAIN. */
static __attribute__((noinline)) int64_t walk_tie(const struct run *run, const struct around *top, struct step *step,
                                                  int64_t start, int64_t left, int64_t before) {
    int64_t end = step->end->time;
    bool around = crosses(top, start, end);
    if (around ? !around_twins(top, step, start, before) : end == start && touches(top, left, start))
        return NOT_PLAIN;
    if (end == start) {
        step->place |= STEP_SPECIAL;
        flat_inside(run, top, start);
    }
    return around ? start : left; /* a slice of no length there is not inside the twins */
}

/* The bits of all durations and distances of a run: special slices have high ones. */
struct extent {
    uint64_t durs, distances; /* ns, words */
};

/* Marks the slices of seconds, and those whose records are far from each other. */
static __attribute__((noinline)) void mark_special(const struct run *run, struct extent extent) {
    if (extent.durs < SLICE_SHORT && extent.distances < SLICE_DISTANCES)
        return;
    for (struct step *step = run->step; step < run->steps + run->n; step++) {
        const struct duration *end = step->end;
        uint64_t words = nest_fresh_complete(end) ? 0 : (end->packed - step->slice.begin_word) % EVENT_WORDS;
        if (!(step->place & STEP_ALONE) &&
            (nest_fresh_end(end) - step->slice.start >= SLICE_SHORT || words >= SLICE_DISTANCES))
            step->place |= STEP_SPECIAL;
    }
}

/* nest_fresh_end() by a branch, which walk() has anyway. */
static inline int64_t end_of(const struct duration *x) {
    return x->dur > 0 ? x->time + x->dur : x->time;
}

/* Leaves the slices that begin at t or later. left: begin of the last one. Returns the slice around t. */
static inline struct around *leave(struct around *top, int64_t t, int64_t *left) {
    for (; top->start >= t && top->start > ROOT; top--)
        *left = top->start;
    return top;
}

/* The step of a complete event. */
static inline void step_complete(struct step *step, const struct duration *x, ptrdiff_t depth) {
    step->slice.start = x->time;
    step->slice.begin_word = x->packed;
    step->slice.end_word = (uint64_t)x->dur | (uint64_t)SLICE_END_IN_BEGIN_RECORD << 57;
    step->end = x;
    step->place = (uint64_t)depth;
}

/* The slice of an end begins with x. */
static inline void step_begin(struct step *step, const struct duration *x, struct extent *extent) {
    const struct duration *end = step->end;
    uint64_t words = (end->packed - x->packed) % EVENT_WORDS, word = (uint64_t)end->time - (uint64_t)x->time;
    extent->durs |= word;
    extent->distances |= words;
    if ((end->packed ^ x->packed) >= EVENT_WORDS && end->packed >= EVENT_WORDS) { /* nest_name_differs() */
        step->place |= STEP_DIFFERS;
        word |= (uint64_t)(SLICE_MISMATCH >> 1) << 60;
    }
    step->slice.start = x->time;
    step->slice.begin_word = x->packed;
    step->slice.end_word = word | words << 33 | (uint64_t)SLICE_END_DISTANCE << 57;
}

/* From the last event to the first. before: the latest time of all events so far. Returns false if the run is not
 * plain. */
static __attribute__((noinline)) bool walk(struct run *run, int64_t before) {
    const struct duration *x = run->v + run->n;
    struct around *const root = run->stack, *top = root, *at;
    int64_t left = INT64_MAX, next = INT64_MAX;
    struct extent extent = {0, 0};
    struct step *step = run->steps + run->n;
    *top = (struct around){ROOT, step};
    do {
        x--;
        int64_t start = x->time, dur = x->dur, time = end_of(x);
        if (time > next)
            return false;
        next = time;
        if (dur > 0) {
            at = top = leave(top, time, &left);
            if (top->start >= start && crosses(top, start, time) && !(at = below_twins(top, x, before)))
                return false;
            extent.durs |= (uint64_t)dur;
            step_complete(--step, x, at - root);
            at[1] = (struct around){start, step};
            (++top)[1].step = NULL; /* nothing is inside of it so far */
        } else if (dur == DURATION_ENDS) {
            top = leave(top, time, &left);
            --step;
            step->end = x;
            step->place = (uint64_t)(top - root);
            *++top = (struct around){NOT_BEGUN, step};
            top[1].step = NULL;
        } else if (dur == 0) {
            for (; top->start > time && top->start > ROOT; top--)
                left = top->start;
            if (!walk_flat(run, top, left, x, before))
                return false;
            *--step = (struct step){{start, x->packed, 0}, x, (uint32_t)(top - root) | STEP_SPECIAL};
            run->of_stack = true;
        } else if ((top = leave(top, time, &left))->start == NOT_BEGUN) {
            struct step *closed = top->step;
            top->start = start; /* for around_twins() */
            top--;
            if ((top->start >= start || closed->end->time == start) &&
                (left = walk_tie(run, top, closed, start, left, before)) == NOT_PLAIN)
                return false;
            step_begin(closed, x, &extent);
        } else if (top == root) {
            *--step = (struct step){.end = x, .place = STEP_ALONE};
        } else {
            return false; /* it is open inside a slice that ends */
        }
    } while (x != run->v);
    run->step = step;
    run->first = next;
    run->of_stack = run->of_stack || extent.distances != 0;
    if (next < before || left <= before || !count_open(run, top, before))
        return false;
    mark_special(run, extent);
    return true;
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
        int64_t start = step->slice.start, end = nest_fresh_end(step->end);
        if (!stack && end < nest->last_start)
            break;
        nest->last_start = start > nest->last_start ? start : nest->last_start;
        if (step->end->dur > 0) {
            nest->last_complete = start > nest->last_complete ? start : nest->last_complete;
        } else if (stack) {
            nest->last_stack = end;
            stack = false;
        }
    }
    nest->tie = -1;
}

/* Appends the slice of a step with flags, or of a new row, to its row. base: the row below the innermost open slice. */
static __attribute__((noinline)) void push_unusual(struct nest *nest, const struct slice_extra *extra,
                                                   const struct step *step, uint32_t row, uint32_t base) {
    const struct duration *e = step->end;
    int64_t start = step->slice.start, end = nest_fresh_end(e);
    uint64_t begin = step->slice.begin_word, end_offset = event_offset(e->packed);
    unsigned differs = step->place & STEP_DIFFERS ? SLICE_MISMATCH : 0;
    while (row >= nest->nlanes)
        nest_add_row(nest);
    struct lane *lane = &nest->lanes[row];
    lane_count(lane);
    nest->mismatches += differs != 0;
    if (!(step->place & STEP_SPECIAL)) {
        lane_push(lane, &step->slice);
        return;
    }
    struct slice s = slice_make(start, end - start, begin, end_offset,
                                (nest_fresh_complete(e) ? SLICE_COMPLETE : 0) | differs);
    if (slice_end_in_side_table(&s))
        extra->set(extra->ctx, slice_offset(&s) + SLICE_EXTRA_END, end_offset);
    if (row > 0)
        lane_count(lane - 1);
    if (!slice_has_length(&s)) /* its parent is the open slice, or the next one on the row above */
        slice_set_parent(&s, row > 0 ? lane[-1].n - (row == base) : SLICE_NO_PARENT);
    lane_push(lane, &s);
}

/* Counts the slices that push() appended to the rows from `top` on: row by row, or step by step if these are fewer. */
static void count_rows(const struct nest *nest, const struct step *first, const struct step *last, ptrdiff_t top) {
    if (nest->nlanes - top <= last - first) {
        for (ptrdiff_t row = top > 0 ? top : 0; row < nest->nlanes; row++)
            lane_count(&nest->lanes[row]);
        return;
    }
    for (; first < last; first++)
        lane_count(&nest->lanes[top + (uint32_t)first->place]);
}

/* Appends slices from `step` on. Returns the first step that is no slice. */
static __attribute__((noinline)) const struct step *push(struct nest *nest, const struct slice_extra *extra,
                                                         const struct run *run, const struct step *step) {
    const struct step *first = step, *last = run->steps + run->n;
    uint32_t base = below_open(nest);
    ptrdiff_t top = (ptrdiff_t)base - run->open; /* less than 0 if complete events from before take the first rows */
    struct lane *lanes = nest->lanes; /* here: a store might change those of the nest */
    ptrdiff_t nlanes = nest->nlanes;
    for (; step < last; step++) {
        ptrdiff_t row = top + (ptrdiff_t)step->place;
        if (row >= nlanes) { /* a step with flags is as large */
            if (step->place & STEP_ALONE)
                break;
            push_unusual(nest, extra, step, (uint32_t)row, base);
            lanes = nest->lanes;
            nlanes = nest->nlanes;
            continue;
        }
        struct lane *lane = &lanes[row];
        if (lane->next == lane->stop) {
            lane_count(lane);
            lane_grow(lane);
        }
        *lane->next++ = step->slice;
    }
    nest->slices += (uint64_t)(step - first);
    count_rows(nest, first, step, top);
    remember(nest, first, step, run->of_stack);
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
    run.steps[n] = (struct step){.end = v}; /* of the root */
    bool plain = walk(&run, nest->reach);
    if (plain)
        place(nest, extra, &run);
    if (n > FEW)
        free(run.steps);
    return plain;
}
