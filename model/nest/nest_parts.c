/* nest_parts.c - nests a buffer of events by parts: plain parts as a whole, the events of others
 * one by one.
 *
 * One event that is not plain would send a whole buffer one by one. One that comes too early for
 * its row would send all later events of the thread to `late`. Both are frequent if ticks of the
 * clock are longer than slices. So a buffer is divided if it cannot be nested as a whole. A late
 * event is nested at once if that moves few slices. The worker runs this, so nothing is nested
 * again here that needs a name from the file. nest_late.c also uses nest_effect_of(). */
#include "model/nest/nest_internal.h"

#define PART_LEAST 64 /* events that are not divided further */
/* events for each slice that may be nested again: so all work stays linear */
#define EVENTS_EACH 3u
#define SETTLE_MOST 16384u /* such slices, at most: a millisecond or two of work */
#define SETTLE_COST 16u    /* of a late event, in slices */

/* The place in `active` of the latest open begin before place i; SIZE_MAX: there is none. */
static size_t open_below(const struct nest *nest, size_t i) {
    while (i-- > 0)
        if (slice_open(nest_tail(nest, nest->active.v[i])) &&
            nest->active.v[i] + 1 != nest->dangling)
            return i;
    return SIZE_MAX;
}

typedef VEC(uint64_t) words; /* event_pack() */

/* Looks at the ends among v[0..n), which come after the slices: the first place in `active` that
 * they close becomes *first. False: they close by name, and not just the latest begin. */
static bool closes(const struct nest *nest, const struct nest_item *v, size_t n, words *inside,
                   size_t *first) {
    size_t next = open_below(nest, nest->active.n);
    bool by_name = nest_by_name(nest, nest->extra);
    for (size_t i = 0; i < n; i++) {
        bool begin = v[i].event == NEST_BEGIN;
        if (begin)
            vec_push(inside, v[i].packed);
        if (begin && nest_claims(nest, v[i].start))
            return false;
        if (v[i].event != NEST_END || (inside->n == 0 && next == SIZE_MAX))
            continue;
        uint64_t closed = inside->n > 0 ? inside->v[inside->n - 1]
                                        : nest_tail(nest, nest->active.v[next])->begin_word;
        if (by_name && nest_name_differs(closed, v[i].packed))
            return false;
        if (inside->n > 0) {
            inside->n--;
        } else {
            *first = next;
            next = open_below(nest, next);
        }
    }
    return true;
}

struct nest_effect nest_effect_of(const struct nest *nest, const struct nest_item *v, size_t n) {
    struct nest_effect e = {.from = INT64_MAX, .last_stack = nest->last_stack};
    words inside = {0};
    size_t first = nest->active.n;
    e.unmatch = nest->provisional;
    for (size_t i = 0; i < n; i++) {
        bool stack = nest_item_of_stack(&v[i]);
        e.unmatch = e.unmatch || (stack && v[i].start < nest->last_stack);
        if (stack && v[i].start > e.last_stack)
            e.last_stack = v[i].start;
        if (v[i].event != NEST_END && v[i].start < e.from)
            e.from = v[i].start;
    }
    e.unmatch = e.unmatch || !closes(nest, v, n, &inside, &first);
    vec_free(&inside);
    if (e.unmatch || nest->unended > 0) {
        e.from = INT64_MIN;
        return e;
    }
    for (size_t i = first; i < nest->active.n; i++) {
        const struct slice *s = nest_tail(nest, nest->active.v[i]);
        if (slice_open(s) && s->start < e.from)
            e.from = s->start;
    }
    return e;
}

/* The number of slices from `from` on; UINT32_MAX if they are more than `most`, or if one does not
 * hold its name. */
static uint32_t moved(const struct nest *nest, int64_t from, uint32_t most) {
    uint32_t n = 0;
    for (uint32_t row = 0; row < nest->nlanes; row++) {
        const struct lane *lane = &nest->lanes[row];
        for (uint32_t i = lane->n; i > 0 && lane_start(lane, i - 1) >= from; i--)
            if (++n > most || lane_at(lane, i - 1)->end_word & SLICE_IS_LONG)
                return UINT32_MAX;
    }
    return n;
}

bool nest_settle(struct nest *nest, const struct slice_extra *extra) {
    if (nest->late.n != 1 || event_name(nest->late.v[0].packed) == EVENT_NAME_MAX)
        return false;
    struct nest_effect e = nest_effect_of(nest, nest->late.v, 1);
    if (e.unmatch)
        return false;
    uint64_t cost = (uint64_t)moved(nest, e.from, nest->may_settle) + nest->nlanes + SETTLE_COST;
    if (cost > nest->may_settle)
        return false;
    nest->may_settle -= (uint32_t)cost;
    nest_flush_late(nest, extra, false, NULL);
    return nest->late.n == 0;
}

/* Returns the number of events that were taken: all, unless one is late. */
static uint32_t each(struct nest *nest, const struct slice_extra *extra, const struct duration *v,
                     uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        struct nest_item x = nest_item_of(&v[i]);
        nest_take(nest, extra, &x);
        if (nest->late.n > 0 && !nest_settle(nest, extra))
            return i + 1;
    }
    return n;
}

void nest_parts(struct nest *nest, const struct slice_extra *extra, const struct duration *v,
                uint32_t n) {
    uint32_t size = n;
    nest->may_settle += n / EVENTS_EACH;
    if (nest->may_settle > SETTLE_MOST)
        nest->may_settle = SETTLE_MOST;
    for (uint32_t i = 0; i < n;) {
        uint32_t part = size < n - i ? size : n - i;
        if (nest->late.n > 0) {
            nest_one_by_one(nest, extra, v + i, n - i);
            return;
        }
        if (nest_run_place(nest, extra, v + i, part)) {
            size = part < n / 2 ? part * 2 : n;
            i += part;
        } else if (part > PART_LEAST) {
            size = part / 4;
        } else {
            i += each(nest, extra, v + i, part);
        }
    }
}
