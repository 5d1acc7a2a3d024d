/* nest_late.c - nests late events: those that are earlier than slices that were nested already.
 *
 * The slices from the earliest affected time on are taken back and merged with the late events. If
 * a late begin, end or complete event of no length precedes others of the stack, ends may close
 * other begins now: then all slices and strays are taken back and matched again. The result is
 * sorted in nesting order and appended again. [N4] is restored in between, for the rows that stay.
 * The second time the same is done with open slices that were assumed to end inside another [N7].
 *
 * Few slices, or all of them if nothing is drawn meanwhile, are cut from the rows and nested again
 * in one go. Else the rows stay as they are, so that they can be drawn: a second nest gets a copy
 * of the slices that stay, and takes the place of the first when it is complete.
 *
 * Slices are sorted by writers' habits first (nest_sort.c). Times: ns relative to the reader's
 * base. */
#include <string.h>

#include "model/nest/nest_close.h"
#include "model/nest/nest_damaged.h"
#include "model/nest/nest_sort.h"
#include "src/base/discard.h"

/* of an end that was taken back: decoded again if it meets another begin */
#define NAME_UNKNOWN EVENT_NAME_MAX

/* Kinds of an item: its event, or a pair. */
enum kind {
    KIND_BEGIN = NEST_BEGIN,
    KIND_END = NEST_END,
    KIND_COMPLETE = NEST_COMPLETE,
    KIND_PAIR = NEST_PAIR,
};

#define AT_ONCE 8192     /* slices and events nested in one go: a millisecond or two of work */
#define CHUNK 256u       /* items between two looks at the clock */
#define PLACE_COST 2     /* of an item, in units of work */
#define NAME_COST 16     /* of decoding a name */
#define ITEM_COST 8      /* of an item that is nested in one go */
#define INDEX_ITEMS 4096 /* items placed between two updates of the block indexes */
#define KEPT 65536       /* items that late events keep memory for */

/* Slices that are nested again. */
struct again {
    struct nest *nest, *to; /* `to`: another nest, or the same */
    const struct slice_extra *extra;
    struct task *task; /* NULL: in one go */
    struct nest_effect effect;
    bool open;                    /* they are open slices, and not moved by late events */
    bool rows;                    /* slices are nested again, not only strays added */
    bool claim;                   /* ends of their own time close begins now [N11] */
    struct nest_damaged *damaged; /* all that is damaged is set apart; or NULL */
};

static int event_order(const void *x, const void *y) {
    const struct nest_item *a = x, *b = y;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return nest_offset(a) < nest_offset(b) ? -1 : nest_offset(a) > nest_offset(b);
}

/* SEMANTICS 6.2 except ties between a slice of the stack and a complete event: see nest_ties.c. */
static int nesting_order(const void *x, const void *y) {
    const struct nest_item *a = x, *b = y;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    bool sa = nest_item_of_stack(a), sb = nest_item_of_stack(b);
    if (sa != sb)
        return sa ? -1 : 1;
    if (!sa && a->dur != b->dur)
        return a->dur > b->dur ? -1 : 1;
    return event_order(a, b);
}

static const struct slice *top(const struct nest *nest) {
    return nest_tail(nest, nest->active.v[nest->active.n - 1]);
}

static bool is_child_of_top(const struct nest *nest, const struct slice_extra *extra,
                            uint32_t row) {
    uint32_t parent_row, parent, top_row = nest->active.v[nest->active.n - 1];
    return nest_parent(nest, extra, row, nest->lanes[row].n - 1, &parent_row, &parent) &&
           parent_row == top_row && parent == nest->lanes[top_row].n - 1;
}

/* Restores [N4] after a cut at t: rows whose last slice reaches t, in nesting order, without those
 * outlasted. */
static void restore_active(struct nest *nest, const struct slice_extra *extra, int64_t t) {
    struct nest_items tails = {0}; /* start, row as dur */
    for (uint32_t row = 0; row < nest->nlanes; row++) {
        if (nest->lanes[row].n == 0)
            continue;
        const struct slice *s = nest_tail(nest, row);
        if (slice_end(s) >= t && (!nest_flagged(s, SLICE_COMPLETE) || slice_dur(s) > 0))
            vec_push(&tails, ((struct nest_item){.start = s->start, .dur = row, .packed = row}));
    }
    nest_sort(NULL, tails.v, tails.n, event_order);
    nest->active.n = 0;
    for (size_t i = 0; i < tails.n; i++) {
        uint32_t row = (uint32_t)tails.v[i].dur;
        const struct slice *s = nest_tail(nest, row);
        while (nest->active.n > 0 && slice_end(top(nest)) < slice_end(s) &&
               !is_child_of_top(nest, extra, row))
            nest->active.n--;
        vec_push(&nest->active, row);
    }
    vec_free(&tails);
}

/* An end that was matched, or a stray, as an item again. */
static struct nest_item late_end(int64_t time, uint64_t offset) {
    return (struct nest_item){.start = time,
                              .dur = SLICE_OPEN,
                              .packed = event_pack(offset, NAME_UNKNOWN),
                              .event = KIND_END};
}

/* The slice as an item again. If begins and ends are matched again, its end becomes an item of its
 * own, but not that of another slice. */
static struct nest_item taken(const struct nest *nest, const struct slice_extra *extra,
                              const struct slice *s, bool unmatch, struct nest_items *ends) {
    unsigned flags = slice_flags(s);
    struct nest_item x = {
        .start = s->start, .dur = slice_dur(s), .packed = s->begin_word, .event = KIND_COMPLETE};
    if (s->end_word & SLICE_IS_LONG)
        x.packed = event_pack(slice_offset(s), extra->end_name(extra->ctx, slice_offset(s)));
    x.flags = flags & (SLICE_COMPLETE | SLICE_MISMATCH);
    if (slice_unended(s)) {
        x.dur = 0;
        x.flags = SLICE_UNENDED;
    } else if (slice_open(s)) {
        x.event = KIND_BEGIN;
    } else if (!(flags & SLICE_COMPLETE)) {
        uint64_t end = slice_extra_end_offset(extra, s);
        x.event = KIND_PAIR;
        x.end = end / 8 + 1;
        if (unmatch) {
            if (!(flags & SLICE_MISMATCH) || !nest_end_lost(nest, extra, slice_offset(s)))
                vec_push(ends, late_end(nest_damaged_end(extra, s), end));
            x = (struct nest_item){
                .start = x.start, .dur = SLICE_OPEN, .packed = x.packed, .event = KIND_BEGIN};
        }
    }
    return x;
}

/* `to` loses a slice of `nest`. */
static void uncount(struct again *again, const struct slice *s) {
    struct nest *nest = again->nest, *to = again->to;
    bool mismatch = again->effect.unmatch && nest_flagged(s, SLICE_MISMATCH) && !slice_open(s);
    to->overlaps -= nest_flagged(s, SLICE_OVERLAP);
    to->displaced -= nest_flagged(s, SLICE_DISPLACED);
    to->unended -= slice_unended(s);
    to->mismatches -= mismatch;
    to->ends_lost -= mismatch && !nest->named && nest_end_lost(nest, again->extra, slice_offset(s));
    to->dangling = slice_endless(s) && slice_unended(s) ? 0 : to->dangling;
    to->slices--;
}

/* Takes back the slices from effect.from on; if they go to another nest, they stay in the rows.
 * Takes back the strays, too, if begins and ends are matched again. */
static bool take_back(struct again *again, struct nest_items *back) {
    struct nest *nest = again->nest, *to = again->to;
    bool unmatch = again->effect.unmatch;
    for (uint32_t row = 0; row < nest->nlanes; row++) {
        struct lane *lane = &nest->lanes[row];
        uint32_t from = lane_from(lane, again->effect.from);
        for (uint32_t i = from; i < lane->n; i++) {
            const struct slice *s = lane_at(lane, i);
            if (!task_spend(again->task, s->end_word & SLICE_IS_LONG ? NAME_COST : 1))
                return false;
            struct nest_item x = taken(nest, again->extra, s, unmatch, back);
            vec_push(back, x);
            uncount(again, s);
        }
        if (to == nest)
            lane_cut(lane, from);
    }
    for (size_t k = 0; unmatch && k < nest->strays.n; k++) {
        vec_push(back, late_end(nest->strays.v[k].time, nest->strays.v[k].offset));
        if (!task_spend(again->task, 1))
            return false;
    }
    if (unmatch)
        to->strays.n = 0;
    return true;
}

/* Lets ends close begins (nest_close.h); slices remain. work must be in event_order(). */
static bool match_ends(struct again *again, struct nest_match *match, struct nest_items *work) {
    struct nest *to = again->to;
    const struct slice_extra *extra = again->extra;
    size_t n = 0;
    for (size_t i = 0; i < work->n; i++) {
        struct nest_item x = work->v[i];
        bool named = (enum kind)x.event == KIND_END && nest_match_by_name(match, to);
        if (!task_spend(again->task, named ? NAME_COST : 1))
            return false;
        if ((enum kind)x.event != KIND_END) {
            if ((enum kind)x.event == KIND_BEGIN)
                nest_match_begin(match, to, &x, n);
            work->v[n++] = x;
            continue;
        }
        uint32_t name = event_name(x.packed);
        if (named && name == NAME_UNKNOWN)
            name = extra->end_name(extra->ctx, nest_offset(&x));
        nest_match_end(match, to, &x, name, work->v);
    }
    bool claims = nest_match_done(match, to, work->v, again->claim);
    /* else the strays were not taken back */
    to->claims = claims || (to->claims && !again->effect.unmatch);
    work->n = n;
    return true;
}

static bool match(struct again *again, struct nest_items *work) {
    struct nest_match *match = nest_match_new(again->to, again->extra);
    bool done = match_ends(again, match, work);
    nest_match_free(match);
    return done;
}

/* Both are in event_order(): merges `back` into `work`, from the end. */
static bool merge_back(struct task *task, struct nest_items *work, const struct nest_items *back) {
    size_t i = work->n, n = back->n, k = i + n;
    vec_reserve(work, k);
    work->n = k;
    while (n > 0) {
        bool first = i > 0 && event_order(&back->v[n - 1], &work->v[i - 1]) < 0;
        work->v[--k] = first ? work->v[--i] : back->v[--n];
        if (k % CHUNK == 0 && !task_spend(task, CHUNK))
            return false;
    }
    return true;
}

/* Begin of the first open slice inside a slice that ends [N7]; INT64_MAX: none. */
static int64_t hopeful(const struct nest *nest, const struct slice_extra *extra) {
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < nest->active.n; i++) {
        uint32_t row = nest->active.v[i];
        if (slice_open(nest_tail(nest, row)) && nest_parent_end(nest, extra, row) != INT64_MAX &&
            nest_tail(nest, row)->start < first)
            first = nest_tail(nest, row)->start;
    }
    return first;
}

static void index_rows(struct nest *nest) {
    for (uint32_t row = 0; row < nest->nlanes; row++)
        lane_index(&nest->lanes[row]);
}

static bool place_again(struct again *again, const struct nest_items *work) {
    struct nest *to = again->to;
    to->last_complete = to->last_start = INT64_MIN;
    to->tie = INT64_MAX;
    for (size_t i = 0; i < work->n; i++) {
        if (!task_spend(again->task, PLACE_COST))
            return false;
        nest_place(to, again->extra, &work->v[i], !again->open);
        if (i % INDEX_ITEMS == 0)
            index_rows(to);
    }
    /* its slices are on higher rows now */
    while (to->nlanes > 0 && to->lanes[to->nlanes - 1].n == 0)
        lane_free(&to->lanes[--to->nlanes]);
    index_rows(to);
    return true;
}

/* The number of slices that are nested again. */
static uint64_t moved(const struct nest *nest, int64_t from) {
    uint64_t n = 0;
    for (uint32_t row = 0; row < nest->nlanes; row++)
        n += nest->lanes[row].n - lane_from(&nest->lanes[row], from);
    return n;
}

/* A nest of the same events without slices. */
static void init_next(struct nest *next, const struct nest *nest, bool rows) {
    *next = *nest;
    next->lanes = NULL;
    next->nlanes = next->cap = 0;
    memset(&next->active, 0, sizeof next->active);
    for (size_t i = 0; i < nest->active.n && !rows; i++)
        vec_push(&next->active, nest->active.v[i]);
    memset(&next->late, 0, sizeof next->late);
    memset(&next->strays, 0, sizeof next->strays);
    vec_reserve(&next->strays, nest->strays.n);
    if (nest->strays.n > 0)
        memcpy(next->strays.v, nest->strays.v, nest->strays.n * sizeof *nest->strays.v);
    next->strays.n = nest->strays.n;
}

/* Copies the slices that stay to the other nest. */
static bool copy_rows(const struct again *again) {
    for (uint32_t row = 0; row < again->nest->nlanes; row++) {
        const struct lane *lane = &again->nest->lanes[row];
        const uint32_t end = lane_from(lane, again->effect.from);
        nest_add_row(again->to);
        for (uint32_t i = 0; i < end; i++) {
            if (!task_spend(again->task, 1))
                return false;
            lane_push(&again->to->lanes[row], lane_at(lane, i));
        }
    }
    return true;
}

static void finish(const struct again *again) {
    struct nest *to = again->to;
    to->last_stack = again->effect.last_stack;
    to->provisional = again->open ? to->provisional : again->claim;
    to->apart = again->open ? to->apart : NEST_NO_ROW;
    if (again->open || to->last_start != INT64_MIN)
        return;
    /* only strays were late: the rows are as before */
    for (uint32_t row = 0; row < to->nlanes; row++)
        if (to->lanes[row].n > 0 && nest_tail(to, row)->start > to->last_start)
            to->last_start = nest_tail(to, row)->start;
    to->last_complete = to->last_start;
    to->tie = -1;
}

/* Sorts the late events in `work` and the slices that are affected, and matches begins and ends. */
static bool add_back(struct again *again, struct nest_items *work, struct nest_items *back) {
    struct nest_damaged *damaged = again->damaged;
    return (!damaged || nest_damaged_order(damaged, back, again->task)) &&
           nest_sort(again->task, back->v, back->n, event_order) &&
           merge_back(again->task, work, back) && match(again, work) &&
           (!damaged || nest_damaged_take(damaged, again->to, again->extra, work, again->task));
}

/* Nests the slices from effect.from on again; late events are in `work` at first. */
static bool nest_work(struct again *again, struct nest_items *work) {
    struct nest_items back = {0};
    bool done = (again->to == again->nest || copy_rows(again)) &&
                take_back(again, again->open ? work : &back);
    if (done && again->rows)
        restore_active(again->to, again->extra, again->effect.from);
    if (done && !again->open)
        done = add_back(again, work, &back);
    discard_vec(&back);
    if (!done || !nest_sort(again->task, work->v, work->n, nesting_order) ||
        !nest_ties_merge(again->task, work->v, work->n) || !place_again(again, work))
        return false;
    finish(again);
    return true;
}

static void release(void *nest) {
    nest_free(nest);
    free(nest);
}

/* Makes the other nest this one. */
static void swap(struct nest *nest, struct nest *next) {
    struct nest before = *nest;
    *nest = *next;
    nest->late = before.late;
    memset(&before.late, 0, sizeof before.late);
    *next = before;
}

/* Does so in another nest if others look meanwhile and there are many, n. */
static bool nest_apart(struct again *again, struct nest_items *work, uint64_t n) {
    struct nest *nest = again->nest;
    nest->version++;
    if (!task_pauses(again->task) || n <= AT_ONCE) {
        struct task *task = again->task;
        again->task = NULL;
        nest_work(again, work);
        return task_spend(task, 1 + (uint32_t)(work->n < AT_ONCE ? work->n : AT_ONCE) * ITEM_COST);
    }
    again->to = err_malloc(sizeof *again->to);
    init_next(again->to, nest, again->rows);
    bool done = nest_work(again, work);
    if (done)
        swap(nest, again->to);
    nest->version++;
    discard(release, again->to);
    return done;
}

/* Nests the late events, or puts them off. False: cancelled. */
static bool nest_late(struct nest *nest, const struct slice_extra *extra, bool all, bool claim,
                      struct task *task) {
    struct nest_items *work = &nest->late;
    struct again again = {.nest = nest, .to = nest, .extra = extra, .task = task, .claim = claim};
    if (!nest_sort(work->n > AT_ONCE ? task : NULL, work->v, work->n, event_order))
        return false;
    again.effect = nest_effect_of(nest, work->v, work->n);
    if (claim) {
        again.effect.unmatch = true;
        again.effect.from = INT64_MIN;
    }
    uint64_t n = moved(nest, again.effect.from);
    /* so that all work stays linear, and short if a key may wait for it */
    bool is_long = task_pauses(task) ? n + work->n > AT_ONCE : n > 4 * work->n + KEPT;
    if (!all && is_long) {
        nest->put_off = work->n;
        return true;
    }
    again.rows = again.effect.from < INT64_MAX || n > 0;
    bool done = nest_apart(&again, work, n + work->n);
    nest->late.n = nest->put_off = 0;
    if (nest->late.cap > KEPT)
        discard_vec(&nest->late);
    return done;
}

/* Nests open slices again that were assumed to end inside another [N7]. */
static bool nest_open_again(struct nest *nest, const struct slice_extra *extra, int64_t from,
                            struct task *task) {
    struct nest_items work = {0};
    struct again again = {.nest = nest,
                          .to = nest,
                          .extra = extra,
                          .task = task,
                          .effect = {from, nest->last_stack, false},
                          .open = true,
                          .rows = true};
    bool done = nest_apart(&again, &work, moved(nest, from));
    discard_vec(&work);
    return done;
}

/* After the last event: the end of a complete parent bounds a slice without a known end [N11]. */
static void bound_last(struct nest *nest, const struct slice_extra *extra) {
    if (nest->dangling)
        nest_bound(nest, extra, INT64_MAX, true);
    nest->provisional |= nest->unended > 0;
}

/* After the last event: nests open slices again until each is in its place. */
static bool place_open(struct nest *nest, const struct slice_extra *extra, struct task *task) {
    int64_t from;
    do {
        bound_last(nest, extra);
        from = hopeful(nest, extra);
    } while (from != INT64_MAX && nest_open_again(nest, extra, from, task));
    return from == INT64_MAX;
}

bool nest_set_apart(struct nest *nest, const struct slice_extra *extra,
                    const struct slice_damage *damage, struct task *task) {
    struct nest_damaged damaged = {.by = damage};
    struct nest_items work = {0};
    struct again again = {.nest = nest,
                          .to = nest,
                          .extra = extra,
                          .task = task,
                          .effect = {INT64_MIN, nest->last_stack, !nest->named},
                          .rows = true,
                          .damaged = &damaged};
    bool done = nest_apart(&again, &work, moved(nest, INT64_MIN)) && place_open(nest, extra, task);
    if (done)
        nest_damaged_place(&damaged, nest, extra);
    nest_damaged_free(&damaged);
    discard_vec(&work);
    return done;
}

bool nest_flush_late(struct nest *nest, const struct slice_extra *extra, bool all,
                     struct task *task) {
    if (nest->late.n > 0 || all)
        nest->version++;
    bool pays = all || nest->late.n >= 2 * nest->put_off;
    if (nest->late.n > 0 && pays && !nest_late(nest, extra, all, false, task))
        return false;
    if (!all)
        return true;
    if (nest->claims && !nest_late(nest, extra, true, true, task))
        return false;
    return place_open(nest, extra, task);
}
