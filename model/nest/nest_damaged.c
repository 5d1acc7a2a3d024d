/* nest_damaged.c - sets slices with a damaged time apart, so that one odd record moves nothing
 * around it (SEMANTICS 4.7).
 *
 * A begin or an end with a wrong time is matched where it is in the file: between its neighbours.
 * The slice has the times of its records then. If it ends before it begins it has no length. It is
 * in no other slice, and none is in it. */
#include "model/nest/nest_damaged.h"

#include "model/nest/nest_sort.h"
#include "src/base/discard.h"
#include "src/base/lower_bound.h"

static int file_order(const void *x, const void *y) {
    uint64_t a = nest_offset(x), b = nest_offset(y);
    return (a > b) - (a < b);
}

static int nesting_order(const void *x, const void *y) {
    const struct nest_item *a = x, *b = y;
    return a->start != b->start ? (a->start > b->start) - (a->start < b->start) : file_order(x, y);
}

static bool is_wrong(const struct nest_damaged *damaged, const struct nest_item *x) {
    return (x->event == NEST_BEGIN || x->event == NEST_END) &&
           damaged->by->record(damaged->by->ctx, nest_offset(x), x->start);
}

/* The time of the first begin or end that is not wrong: those before it are matched first. */
static int64_t first_sound(const struct nest_damaged *damaged, const struct nest_items *events) {
    for (size_t i = 0; i < events->n; i++)
        if (events->v[i].event != NEST_COMPLETE && !is_wrong(damaged, &events->v[i]))
            return events->v[i].start;
    return 0;
}

bool nest_damaged_order(struct nest_damaged *damaged, struct nest_items *events,
                        struct task *task) {
    if (!nest_sort(task, events->v, events->n, file_order))
        return false;
    int64_t sound = first_sound(damaged, events);
    for (size_t i = 0; i < events->n; i++) {
        struct nest_item *x = &events->v[i];
        if (!task_spend(task, 1))
            return false;
        if (is_wrong(damaged, x)) {
            vec_push(&damaged->wrong, ((struct nest_wrong){nest_offset(x), x->start}));
            x->start = sound;
        } else if (x->event != NEST_COMPLETE) {
            sound = x->start;
        }
    }
    return true;
}

static size_t place_of(const struct nest_damaged *damaged, uint64_t offset) {
    size_t i = 0;
    lower_bound(i, damaged->wrong.n, k, damaged->wrong.v[k].offset < offset);
    return i;
}

static bool is_listed(const struct nest_damaged *damaged, uint64_t offset) {
    size_t i = place_of(damaged, offset);
    return i < damaged->wrong.n && damaged->wrong.v[i].offset == offset;
}

/* The time that a record has; matched: the one by which it was matched. */
static int64_t own_time(const struct nest_damaged *damaged, uint64_t offset, int64_t matched) {
    return is_listed(damaged, offset) ? damaged->wrong.v[place_of(damaged, offset)].time : matched;
}

#define SIGN (UINT64_C(1) << 63) /* so that no time is the value of a missing key */

static void keep_end(const struct slice_extra *extra, const struct nest_item *x, int64_t end) {
    extra->set(extra->ctx, nest_offset(x) + SLICE_EXTRA_EARLY_END, (uint64_t)end ^ SIGN);
}

int64_t nest_damaged_end(const struct slice_extra *extra, const struct slice *s) {
    if (slice_dur(s) > 0 || !slice_is_apart(extra, s))
        return slice_end(s);
    uint64_t end = extra->get(extra->ctx, slice_offset(s) + SLICE_EXTRA_EARLY_END);
    return end == UINT64_MAX ? slice_end(s) : (int64_t)(end ^ SIGN);
}

/* Returns whether the slice ends before it begins. Its end is kept for when it is nested again. */
static bool restore(const struct nest_damaged *damaged, const struct slice_extra *extra,
                    struct nest_item *x) {
    bool pair = (unsigned)x->event == NEST_PAIR;
    int64_t start = x->start, end = pair ? start + x->dur : start;
    if (x->event == NEST_COMPLETE)
        return false;
    x->start = own_time(damaged, nest_offset(x), start);
    if (pair) {
        end = own_time(damaged, (uint64_t)(x->end - 1) * 8, end);
        x->dur = end > x->start ? end - x->start : 0;
        if (end < x->start)
            keep_end(extra, x, end);
    }
    if (is_listed(damaged, nest_offset(x)))
        x->event = NEST_WRONG_BEGIN;
    return pair && end < x->start;
}

/* Whether it goes apart by its times: one without length reaches nothing else. */
static bool is_damaged(const struct nest_damaged *damaged, const struct slice_extra *extra,
                       const struct nest_item *x) {
    if (x->dur == 0 && x->flags != SLICE_UNENDED)
        return false;
    struct slice s = x->flags == SLICE_UNENDED
                         ? slice_make(x->start, 0, x->packed, UINT64_MAX, SLICE_UNENDED)
                         : nest_slice(extra, x, x->flags);
    return damaged->by->slice(damaged->by->ctx, &s);
}

bool nest_damaged_take(struct nest_damaged *damaged, struct nest *nest,
                       const struct slice_extra *extra, struct nest_items *slices,
                       struct task *task) {
    size_t n = 0;
    for (size_t i = 0; i < slices->n; i++) {
        struct nest_item x = slices->v[i];
        if (!task_spend(task, 1))
            return false;
        if (restore(damaged, extra, &x) || is_damaged(damaged, extra, &x))
            vec_push(&damaged->apart, x);
        else
            slices->v[n++] = x;
    }
    slices->n = n;
    for (size_t i = 0; i < nest->strays.n; i++) {
        struct nest_stray *stray = &nest->strays.v[i];
        stray->time = own_time(damaged, stray->offset, stray->time);
    }
    return true;
}

void nest_damaged_place(struct nest_damaged *damaged, struct nest *nest,
                        const struct slice_extra *extra) {
    nest_sort(NULL, damaged->apart.v, damaged->apart.n, nesting_order);
    nest->apart = nest->nlanes;
    nest->provisional = true;
    for (size_t i = 0; i < damaged->apart.n; i++)
        nest_place_apart(nest, extra, &damaged->apart.v[i]);
    for (uint32_t row = nest->apart; row < nest->nlanes; row++)
        lane_index(&nest->lanes[row]);
    nest->version++;
}

void nest_damaged_free(struct nest_damaged *damaged) {
    discard_vec(&damaged->wrong);
    discard_vec(&damaged->apart);
}
