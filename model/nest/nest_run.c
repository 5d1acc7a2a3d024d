/* nest_run.c - nests a buffer of events that are in the order of their ends, as most writers leave
 * them.
 *
 * They write begins and ends as these happen, and a complete event when it ends: parents follow
 * their children. Times: ns relative to the reader's base.
 *
 * Read from the last event to the first, such a run is a walk of the tree from the root (walk()). A
 * stack of the slices around an event gives its row, and shows whether all of them nest. A second
 * pass in file order appends each slice to its row (place(), push()): so each is written once, and
 * no slice moves ([N1] to [N5]).
 *
 * Equal times are frequent if a clock is coarse. If slices begin and end at the same times, begins
 * are outside, then what is earlier in the file: those around it move one row down (twins()). A
 * slice of no length is appended after all that ends at its time and does not contain it (sink()).
 *
 * Only plain runs are nested like this. If slices overlap, or at some equal times, nothing has
 * changed and the events go one by one. */
#include <assert.h>
#include <string.h>

#include "model/nest/nest_internal.h"

struct around {    /* a slice around the event, as the walk from the end sees it */
    int64_t start; /* NOT_BEGUN of an end: the walk has not reached its begin */
    struct step *step;
};

#define NOT_BEGUN INT64_MIN
#define ROOT (INT64_MIN + 1) /* start of the root: no event of a plain run ends by then */

/* One step of push(), in the order of ends: its loop over steps has hardly a branch that is hard to
 * predict. */
struct step {
    struct slice slice;         /* without its end word if STEP_SPECIAL; undefined if STEP_ALONE */
    const struct duration *end; /* the complete event itself; of a begin without an end, that */
    uint64_t place;             /* [0..31] number of slices of the run around it; the other bits: */
};

/* A special slice has no length, or one of seconds, or its records are far from each other. A step
 * that is alone is no slice of this run: an end or a begin without its other half, or a complete
 * event from before. The end of one that differs has another name. A flat one has no length. */
#define STEP_ALONE (UINT64_C(1) << 32)
#define STEP_SPECIAL (UINT64_C(2) << 32)
#define STEP_DIFFERS (UINT64_C(4) << 32)
#define STEP_FLAT (UINT64_C(8) << 32)

#define FEW 64       /* events of a run that needs no allocation: of many threads each has few */
#define MOST_TIES 64 /* slices that matter for a tie; a run with more goes one by one */

struct run {
    const struct duration *v;
    uint32_t n;
    struct around *stack; /* n + 2 */
    struct step *steps;   /* n, and one below the stack */
    struct step *step;    /* the first valid one; so are all after it */
    int64_t first;        /* the earliest begin, or end that has none */
    /* slices around the run's first event: ends without a begin here, complete events from
     * before */
    uint32_t open;
    bool of_stack; /* some slices nest as a stack does (SEMANTICS 6.1) */
    bool differs;  /* some ends have other names than their begins */
    /* The walk has left complete events that begin at this time: slices of no length there are
     * inside all of them. */
    int64_t begun;
    uint32_t inside; /* slices around such a slice */
};

/* Whether the slice start..end is not inside the one around it, or of equal length, so that file
 * order decides. */
static inline bool crosses(const struct around *top, int64_t start, int64_t end) {
    return top->start >= start &&
           (top->start > start || start <= ROOT || nest_fresh_end(top->step->end) == end);
}

static inline bool is_flat_at(const struct step *step, int64_t t) {
    return step->place & STEP_FLAT && step->slice.start == t;
}

/* The number of complete events on the stack, from its top on, that begin and end at these times. A
 * slice of the same times that is earlier in the file goes around them (SEMANTICS 6.2). 0: there
 * are none, or too many, or they are not of this run alone. */
static uint32_t twins(const struct around *top, int64_t start, int64_t end, int64_t before) {
    const struct around *a = top;
    before = before > ROOT ? before : ROOT;
    while (start > before && a->start == start && nest_fresh_end(a->step->end) == end &&
           top - a <= MOST_TIES)
        a--;
    return top - a <= MOST_TIES ? (uint32_t)(top - a) : 0;
}

/* Makes space below the twins of complete event x on the stack. Returns the slice around x; NULL:
 * it crosses another.
 */
static __attribute__((noinline)) struct around *below_twins(struct around *top,
                                                            const struct duration *x,
                                                            int64_t before) {
    uint32_t k = nest_fresh_complete(x) ? twins(top, x->time, nest_fresh_end(x), before) : 0;
    for (uint32_t i = 0; i < k && top->start > ROOT; i++, top--) {
        top->step->place++;
        top[1] = top[0];
    }
    return k > 0 ? top : NULL;
}

/* The begin at byte `last` goes around k twins. Slices of no length at `start` that are earlier in
 * the file are in no twin, then. first: of all steps. Returns false if they are too many. */
static bool leave_twins(struct step *first, int64_t start, uint64_t last, uint32_t k) {
    struct step *step = first;
    for (; is_flat_at(step, start) && event_offset(step->slice.begin_word) < last; step++)
        if (step - first == MOST_TIES)
            return false;
    while (step-- > first)
        step->place -= k;
    return true;
}

/* Puts the slice of `step`, whose begin the walk has reached, around its twins: those on the stack,
 * and those inside of it, which are earlier in the file. Its step moves after those on the stack,
 * and with it what is in no twin: begins inside of the same times, and slices of no length at the
 * end. first: of all steps. Returns the slice around it; NULL: it crosses another, or there are too
 * many. */
static __attribute__((noinline)) struct around *around_twins(struct around *top, struct step *step,
                                                             struct step *first, int64_t before) {
    int64_t start = step->slice.start, end = step->end->time;
    uint32_t k = twins(top, start, end, before), n = 0, same = 0, after = k;
    uint64_t last = 0; /* begin of these times */
    bool in_twin = false;
    for (const struct step *in = step;
         in > first && n <= MOST_TIES && nest_fresh_end(in[-1].end) == end; in--, n++) {
        uint64_t begin = event_offset(in[-1].slice.begin_word);
        same += in[-1].slice.start == start;
        if (in[-1].slice.start == start && !nest_fresh_complete(in[-1].end) && begin > last)
            last = begin;
    }
    if (k == 0 || n > MOST_TIES || (top - k + 1)->step != step + 1 ||
        !leave_twins(first, start, last, k))
        return NULL;
    for (; k > 0; k--, top--)
        top->step->place += 1 + same;
    top[1].step = NULL; /* nothing earlier in the file is inside the twins */
    for (k = after, n++; n > 0; n--, step--) {
        bool twin = step->slice.start == start;
        if (!is_flat_at(step, end)) /* which is inside the next end */
            in_twin = !twin || nest_fresh_complete(step->end);
        step->place -= twin || !in_twin ? k : 0;
        if (in_twin) {
            after++;
            continue;
        }
        struct step moved = *step;
        memmove(step, step + 1, after * sizeof *step);
        step[after] = moved;
    }
    return top;
}

/* Marks the slices on the stack that began earlier than the run as alone. Returns false if one of
 * them is inside a later one. */
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

/* Moves a step after those of the slices on the stack above `around`, which are the next ones. */
static void sink(struct step *step, struct around *top, const struct around *around) {
    struct step sunk = *step;
    for (; top > around; step++, top--) {
        *step = step[1];
        top->step--;
    }
    *step = sunk;
}

/* Sets the number of slices around one of no length at t. No complete event that ends there
 * contains it. A begin that ends there does, unless a complete event begins there (SEMANTICS 6.2,
 * 6.3). Returns the first slice on the stack that contains it, or does not end at t; NULL: the run
 * is not plain. */
static const struct around *around_flat(const struct run *run, const struct around *top, int64_t t,
                                        int64_t before, uint64_t *place) {
    const struct around *a = top;
    bool begun = run->begun == t;
    if (t <= ROOT || (top->start == t && t <= before))
        return NULL;
    while (a > run->stack && nest_fresh_end(a->step->end) == t &&
           (begun || nest_fresh_complete(a->step->end)))
        if (top - a-- == MOST_TIES)
            return NULL;
    *place = begun ? run->inside : (uint64_t)(a - run->stack);
    return a;
}

/* A complete event of no length. Returns false if the run is not plain. */
static __attribute__((noinline)) bool walk_flat(const struct run *run, struct around *top,
                                                struct step *step, int64_t before) {
    uint64_t place;
    const struct around *around = around_flat(run, top, step->slice.start, before, &place);
    if (around == NULL)
        return false;
    step->place = place | STEP_SPECIAL | STEP_FLAT;
    sink(step, top, around);
    return true;
}

/* The slice of `step` ends when it begins, and so does all inside of it. first: of all steps.
 * Returns false if the run is not plain. */
static bool close_flat(const struct run *run, struct around *top, struct step *step,
                       struct step *first, int64_t before) {
    uint64_t place, had = (uint32_t)step->place;
    const struct around *around = around_flat(run, top, step->end->time, before, &place);
    if (around == NULL || step - first > MOST_TIES)
        return false;
    step->place = (step->place - had + place) | STEP_SPECIAL | STEP_FLAT;
    const struct duration *end = step->end;
    sink(step, top, around);
    for (struct step *in = step; top > around && in-- > first;) {
        in->place += place - had;
        sink(in, top, around);
    }
    uint32_t inside = 0;
    for (step += top - around; step[1].place & STEP_FLAT && step[1].end < end; step++) {
        struct step in = step[1]; /* it has been moved, as a complete event begins here */
        if (++inside > MOST_TIES)
            return false;
        step[1] = step[0];
        step[0] = in;
        step->place++;
    }
    top[1].step = NULL; /* it has moved */
    return true;
}

/* The slice of `step` begins when another one does, or has no length. Returns the slice around it;
 * NULL: the run is not plain. */
static __attribute__((noinline)) struct around *walk_tie(struct run *run, struct around *top,
                                                         struct step *step, struct step *first,
                                                         int64_t before) {
    int64_t start = step->slice.start, end = step->end->time;
    if (end == start)
        return close_flat(run, top, step, first, before) ? top : NULL;
    run->begun = NOT_BEGUN; /* what has begun is inside of it; what is earlier in the file is not */
    return crosses(top, start, end) ? around_twins(top, step, first, before) : top;
}

/* The walk has left slices that begin at t, and has reached another event at t. */
static __attribute__((noinline)) void begins_at(struct run *run, const struct around *top,
                                                int64_t t) {
    const struct around *a = top;
    while (a[1].step && a[1].start == t && a[1].step->end->dur > 0)
        a++;
    if (a > top) {
        run->begun = t;
        run->inside = (uint32_t)(a - run->stack);
    }
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
        uint64_t words =
            nest_fresh_complete(end) ? 0 : (end->packed - step->slice.begin_word) % EVENT_WORDS;
        if (!(step->place & STEP_ALONE) &&
            (nest_fresh_end(end) - step->slice.start >= SLICE_SHORT || words >= SLICE_DISTANCES))
            step->place |= STEP_SPECIAL;
    }
}

/* nest_fresh_end() by a branch, which walk() has anyway. */
static inline int64_t end_of(const struct duration *x) {
    return x->dur > 0 ? x->time + x->dur : x->time;
}

/* Leaves the slices that begin at t or later. left: begin of the last one. Returns the slice around
 * t. */
static inline struct around *leave(struct run *run, struct around *top, int64_t t, int64_t *left) {
    if (top->start < t)
        return top;
    for (; top->start >= t && top > run->stack; top--)
        *left = top->start;
    if (*left == t)
        begins_at(run, top, t);
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
static inline void step_begin(struct run *run, struct step *step, const struct duration *x,
                              struct extent *extent) {
    const struct duration *end = step->end;
    uint64_t words = (end->packed - x->packed) % EVENT_WORDS,
             word = (uint64_t)end->time - (uint64_t)x->time;
    extent->durs |= word;
    extent->distances |= words;
    /* nest_name_differs() */
    if ((end->packed ^ x->packed) >= EVENT_WORDS && end->packed >= EVENT_WORDS) {
        step->place |= STEP_DIFFERS;
        run->differs = true;
        word |= (uint64_t)(SLICE_MISMATCH >> 1) << 60;
    }
    step->slice.start = x->time;
    step->slice.begin_word = x->packed;
    step->slice.end_word = word | words << 33 | (uint64_t)SLICE_END_DISTANCE << 57;
}

/* From the last event to the first. before: complete events that begin there, or earlier, may be
 * around slices that are nested already. Returns false if the run is not plain. */
static __attribute__((noinline)) bool walk(struct run *run, int64_t before) {
    const struct duration *x = run->v + run->n;
    struct around *const root = run->stack, *top = root, *at;
    int64_t left = INT64_MAX, next = INT64_MAX;
    struct extent extent = {0, 0};
    struct step *step = run->steps + run->n;
    *top = (struct around){ROOT, step};
    top[1].step = NULL;
    do {
        x--;
        int64_t start = x->time, dur = x->dur, time = end_of(x);
        if (time > next)
            return false;
        next = time;
        if (dur > 0) {
            at = top = leave(run, top, time, &left);
            if (top->start >= start && crosses(top, start, time) &&
                !(at = below_twins(top, x, before)))
                return false;
            extent.durs |= (uint64_t)dur;
            step_complete(--step, x, at - root);
            at[1] = (struct around){start, step};
            (++top)[1].step = NULL; /* nothing is inside of it so far */
        } else if (dur == DURATION_ENDS) {
            top = leave(run, top, time, &left);
            --step;
            step->end = x;
            step->place = (uint64_t)(top - root);
            *++top = (struct around){NOT_BEGUN, step};
            top[1].step = NULL;
        } else if (dur == 0) {
            for (; top->start > time && top->start > ROOT; top--)
                left = top->start;
            *--step = (struct step){.slice = {start, x->packed, 0}, .end = x};
            if (!walk_flat(run, top, step, before))
                return false;
            run->of_stack = true;
        } else if (dur == DURATION_BEGINS &&
                   (top = leave(run, top, time, &left))->start == NOT_BEGUN) {
            struct step *closed = top->step;
            (top--)->start = start; /* for begins_at() */
            step_begin(run, closed, x, &extent);
            if (__builtin_expect(top->start >= start || left == start || closed->end->time == start,
                                 false) &&
                !(top = walk_tie(run, top, closed, step, before)))
                return false;
        } else if (dur == DURATION_BEGINS && top == root) {
            *--step = (struct step){.end = x, .place = STEP_ALONE};
            top[1].step = NULL; /* it is around all that begins there */
            run->begun = NOT_BEGUN;
        } else {
            return false; /* it is open inside a slice that ends, or has no known end */
        }
    } while (x != run->v);
    run->step = step;
    run->first = next;
    run->of_stack = run->of_stack || extent.distances != 0;
    if (left <= before || !count_open(run, top, before))
        return false;
    mark_special(run, extent);
    return true;
}

/* The row below the innermost open slice, which contains all of the run. Slices that ended leave
 * the stack [N4]. */
static uint32_t below_open(struct nest *nest) {
    for (; nest->active.n > 0; nest->active.n--) {
        uint32_t row = nest->active.v[nest->active.n - 1];
        if (nest_open_at(nest, row))
            return row + 1;
    }
    return 0;
}

/* Puts slices that ended on the stack, as they may contain late events: the last of a row, the last
 * inside it, ... */
static void activate(struct nest *nest, uint32_t row) {
    for (; row < nest->nlanes && nest->lanes[row].n > 0; row++) {
        if (nest_of_stack(nest_tail(nest, row)) ||
            (row > 0 && nest->lanes[row].start < nest->lanes[row - 1].start))
            return;
        vec_push(&nest->active, row);
    }
}

/* Sets the times of [N5] from the slices first..last that were appended. stack: some of them nest
 * as a stack does. It looks from the end: of slices that end before last_start, none begins
 * later. */
static void remember(struct nest *nest, const struct step *first, const struct step *last,
                     bool stack) {
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

/* Appends the slice of a step with flags, or of a new row, to its row. base: the row below the
 * innermost open slice. */
static __attribute__((noinline)) void push_unusual(struct nest *nest,
                                                   const struct slice_extra *extra,
                                                   const struct step *step, uint32_t row,
                                                   uint32_t base) {
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

/* Counts the slices that push() appended to the rows from `top` on: row by row, or step by step if
 * these are fewer. */
static void count_rows(const struct nest *nest, const struct step *first, const struct step *last,
                       ptrdiff_t top) {
    if (nest->nlanes - top <= last - first) {
        for (ptrdiff_t row = top > 0 ? top : 0; row < nest->nlanes; row++)
            lane_count(&nest->lanes[row]);
        return;
    }
    for (; first < last; first++)
        lane_count(&nest->lanes[top + (uint32_t)first->place]);
}

/* Appends slices from `step` on. Returns the first step that is no slice. */
static __attribute__((noinline)) const struct step *push(struct nest *nest,
                                                         const struct slice_extra *extra,
                                                         const struct run *run,
                                                         const struct step *step) {
    const struct step *first = step, *last = run->steps + run->n;
    uint32_t base = below_open(nest);
    /* less than 0 if complete events from before take the first rows */
    ptrdiff_t top = (ptrdiff_t)base - run->open;
    struct lane *lanes = nest->lanes; /* here: a store might change those of the nest */
    ptrdiff_t nlanes = nest->nlanes;
    for (; step < last; step++) {
        int64_t row = top + (int64_t)step->place;
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

/* Takes the slices of no length after the step that are earlier in the file: sink() has moved
 * them. */
static void take_passed(struct nest *nest, const struct slice_extra *extra, const struct step *step,
                        const struct step *last) {
    const struct duration *x = step->end;
    for (step++; step < last && nest_fresh_end(step->end) == nest_fresh_end(x); step++) {
        const struct duration begin = {step->slice.start, DURATION_BEGINS, step->slice.begin_word};
        if (step->end < x && !nest_fresh_complete(step->end))
            nest_one_by_one(nest, extra, &begin, 1);
        if (step->end < x)
            nest_one_by_one(nest, extra, step->end, 1);
    }
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
            take_passed(nest, extra, next, last);
            nest_one_by_one(nest, extra, x + 1, (size_t)(run->v + run->n - (x + 1)));
            return;
        }
        step = next + 1;
    }
    nest->reach = after;
}

/* Whether ends that close by name close what they do without names: the latest open begin. */
static bool closes_latest(const struct nest *nest, const struct run *run) {
    size_t i = nest->active.n;
    uint32_t left = run->open;
    for (const struct step *step = run->step; left > 0 && !run->differs; step++) {
        if (!(step->place & STEP_ALONE) || step->end->dur == DURATION_BEGINS)
            continue;
        left--;
        if (step->end->dur != DURATION_ENDS)
            continue;
        while (i > 0 && !nest_open_at(nest, nest->active.v[i - 1]))
            i--;
        if (i > 0 &&
            nest_name_differs(nest_tail(nest, nest->active.v[--i])->begin_word, step->end->packed))
            return false;
    }
    return !run->differs;
}

bool nest_run_place(struct nest *nest, const struct slice_extra *extra, const struct duration *v,
                    uint32_t n) {
    int64_t first = nest_fresh_end(v); /* in a plain run no event ends earlier */
    if (nest->displaced != 0 || first < nest->reach || first <= ROOT || nest->dangling ||
        nest->provisional)
        return false;
    struct step steps[FEW + 1];
    struct around stack[FEW + 2];
    struct run run = {.v = v, .n = n, .steps = steps, .stack = stack, .begun = NOT_BEGUN};
    if (n > FEW) {
        run.steps = err_malloc((n + 1) * sizeof *run.steps + (n + 2) * sizeof *run.stack);
        run.stack = (struct around *)(run.steps + n + 1);
    }
    run.steps[n] = (struct step){.end = v}; /* of the root */
    bool plain = walk(&run, nest->reach - (nest->last_start < nest->reach));
    plain = plain && (!nest_by_name(nest, extra) || closes_latest(nest, &run));
    if (plain)
        place(nest, extra, &run);
    if (n > FEW)
        free(run.steps);
    return plain;
}
