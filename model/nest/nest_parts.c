/* nest_parts.c - nests a buffer of events by parts: as a whole what is plain, one by one what is not.
 *
 * One event that is not plain would send a whole buffer one by one. One that comes too early for its row would send all
 * later events of the thread to `late`. Both are frequent if ticks of the clock are longer than slices. So a buffer is
 * divided if it cannot be nested as a whole. Events that a part leaves in `late` are nested again at its end, if that
 * moves few slices. The worker runs this, so nothing is nested again here that needs a name from the file. */
#include "model/nest/nest_internal.h"

#define PART_LEAST 64    /* events that are not divided further */
#define MOVED_MOST 8192u /* slices that are nested again for one part: a millisecond or two of work */

/* The begin of the first of the innermost `ends` open slices, which so many ends may close; `from` if it is earlier. */
static int64_t first_closed(const struct nest *nest, size_t ends, int64_t from) {
    for (size_t i = nest->active.n; i > 0 && ends > 0; i--) {
        uint32_t row = nest->active.v[i - 1];
        if (!nest_open_at(nest, row))
            continue;
        from = nest->lanes[row].start < from ? nest->lanes[row].start : from;
        ends--;
    }
    return from;
}

/* The number of slices from `from` on; UINT64_MAX if one of them does not hold its name, or if they are many. */
static uint64_t moved(const struct nest *nest, int64_t from) {
    uint64_t n = 0;
    for (uint32_t row = 0; row < nest->nlanes; row++) {
        const struct lane *lane = &nest->lanes[row];
        for (uint32_t i = lane->n; i > 0 && lane_at(lane, i - 1)->start >= from; i--)
            if (++n > MOVED_MOST || lane_at(lane, i - 1)->end_word & SLICE_IS_LONG)
                return UINT64_MAX;
    }
    return n;
}

/* Nests the late events if no begin or end is matched again, and few slices move; so all work stays linear. */
static void settle(struct nest *nest, const struct slice_extra *extra) {
    int64_t from = INT64_MAX;
    size_t ends = 0;
    for (size_t i = 0; i < nest->late.n; i++) {
        const struct nest_item *x = &nest->late.v[i];
        if ((nest_item_of_stack(x) && x->start < nest->last_stack) || event_name(x->packed) == EVENT_NAME_MAX)
            return;
        ends += x->event == NEST_END;
        from = x->event != NEST_END && x->start < from ? x->start : from;
    }
    uint64_t n = moved(nest, first_closed(nest, ends, from));
    if (n > MOVED_MOST || nest->resettled + n > nest->slices / 2 + PART_LEAST)
        return;
    nest->resettled += n;
    nest_flush_late(nest, extra, false, BUDGET_ENDLESS);
}

void nest_parts(struct nest *nest, const struct slice_extra *extra, const struct duration *v, uint32_t n) {
    uint32_t size = n;
    for (uint32_t i = 0; i < n;) {
        uint32_t part = size < n - i ? size : n - i;
        if (nest->late.n > 0) {
            nest_one_by_one(nest, extra, v + i, n - i);
            return;
        }
        if (nest_run_place(nest, extra, v + i, part)) {
            size = part < n / 2 ? part * 2 : n;
        } else if (part > PART_LEAST) {
            size = part / 4;
            continue;
        } else {
            nest_one_by_one(nest, extra, v + i, part);
        }
        if (nest->late.n > 0)
            settle(nest, extra);
        i += part;
    }
}
