/* nest_late.c - nests late events: those that are earlier than slices that were nested already.
 *
 * The slices from the earliest affected time on are taken back (TAKE) and merged with the late
 * events (MERGE). If a late begin, end or complete event of no length precedes others of the stack,
 * ends may close other begins now: then all slices and strays are taken back and matched again
 * (MATCH). The result is sorted in nesting order and appended again (PLACE). [N4] is restored in
 * between, for the rows that stay. The second time the same is done with open slices that were
 * assumed to end inside another [N7].
 *
 * All of it is resumable. Few slices, or all of them if there is no deadline, are cut from the rows
 * and nested again in one go. Else the rows stay as they are, so that they can be drawn: a second
 * nest gets a copy of the slices that stay, and takes the place of the first when it is complete.
 *
 * Slices are sorted by writers' habits first (nest_sort.c). Times: ns relative to the reader's
 * base. */
#include <string.h>

#include "model/nest/nest_close.h"
#include "model/nest/nest_sort.h"

/* of an end that was taken back: decoded again if it meets another begin */
#define NAME_UNKNOWN EVENT_NAME_MAX

/* Kinds of an item: its event, or a pair. */
enum kind {
    KIND_BEGIN = NEST_BEGIN,
    KIND_END = NEST_END,
    KIND_COMPLETE = NEST_COMPLETE,
    KIND_PAIR = NEST_PAIR,
};

typedef VEC(struct nest_item) items;

enum stage { SORT_LATE, COPY, TAKE, SORT_BACK, MERGE, MATCH, SORT, TIES, PLACE, FREE };

#define AT_ONCE 8192     /* slices and events nested in one go: a millisecond or two of work */
#define CHUNK 256u       /* items between two looks at the budget */
#define PLACE_COST 2     /* of an item, in units of the budget */
#define NAME_COST 16     /* of decoding a name */
#define ITEM_COST 8      /* of an item in all stages */
#define FREE_COST 16     /* of a piece of a lane */
#define INDEX_ITEMS 4096 /* items placed between two updates of the block indexes */

struct nest_again {
    enum stage stage;
    bool open;  /* of the open slices, after the late events */
    bool apart; /* into `next`; else into the nest itself */
    struct nest_effect effect;
    bool rows;        /* slices are nested again, not only strays added */
    size_t fresh;     /* late events */
    items work, back; /* the late events, then all; the slices and events that were taken back */
    struct nest_sort sort;
    size_t items;   /* that were placed */
    size_t i, k, n; /* of the stage */
    uint32_t row, at;
    struct nest_match *match;
    bool claim;       /* ends of their own time close begins now [N11] */
    struct nest next; /* later the rows before, to be freed */
};

static bool event_before(const struct nest_item *a, const struct nest_item *b) {
    if (a->start != b->start)
        return a->start < b->start;
    return nest_offset(a) < nest_offset(b);
}

/* SEMANTICS 6.2 except ties between a slice of the stack and a complete event: see nest_ties.c. */
static bool nests_before(const struct nest_item *a, const struct nest_item *b) {
    if (a->start != b->start)
        return a->start < b->start;
    bool sa = nest_item_of_stack(a), sb = nest_item_of_stack(b);
    if (sa != sb)
        return sa;
    if (!sa && a->dur != b->dur)
        return a->dur > b->dur;
    return nest_offset(a) < nest_offset(b);
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
    items tails = {0}; /* start, row as dur */
    for (uint32_t row = 0; row < nest->nlanes; row++) {
        if (nest->lanes[row].n == 0)
            continue;
        const struct slice *s = nest_tail(nest, row);
        if (slice_end(s) >= t && (!nest_flagged(s, SLICE_COMPLETE) || slice_dur(s) > 0))
            vec_push(&tails, ((struct nest_item){.start = s->start, .dur = row, .packed = row}));
    }
    struct nest_sort sort;
    nest_sort_begin(&sort, tails.v, tails.n, event_before);
    nest_sort_step(&sort, BUDGET_ENDLESS);
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
                              const struct slice *s, bool unmatch, items *ends) {
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
                vec_push(ends, late_end(slice_end(s), end));
            x = (struct nest_item){
                .start = x.start, .dur = SLICE_OPEN, .packed = x.packed, .event = KIND_BEGIN};
        }
    }
    return x;
}

static struct nest *target(struct nest *nest, struct nest_again *again) {
    return again->apart ? &again->next : nest;
}

/* Takes back the slices from again->effect.from on; if the target is another nest, they stay in the
 * rows. Takes back the strays, too, if begins and ends are matched again. */
static bool take_back(struct nest *nest, struct nest_again *again, const struct slice_extra *extra,
                      struct budget *budget) {
    struct nest *to = target(nest, again);
    for (; again->row < nest->nlanes; again->row++, again->i = 0) {
        struct lane *lane = &nest->lanes[again->row];
        if (again->i == 0)
            again->at = lane_from(lane, again->effect.from);
        for (uint32_t i = again->at + (uint32_t)again->i; i < lane->n; i++, again->i++) {
            const struct slice *s = lane_at(lane, i);
            if (!budget_spend(budget, s->end_word & SLICE_IS_LONG ? NAME_COST : 1))
                return false;
            struct nest_item x = taken(nest, extra, s, again->effect.unmatch, &again->back);
            vec_push(&again->back, x);
            to->overlaps -= nest_flagged(s, SLICE_OVERLAP);
            to->displaced -= nest_flagged(s, SLICE_DISPLACED);
            to->unended -= slice_unended(s);
            bool mismatch =
                again->effect.unmatch && nest_flagged(s, SLICE_MISMATCH) && !slice_open(s);
            to->mismatches -= mismatch;
            to->ends_lost -=
                mismatch && !nest->named && nest_end_lost(nest, extra, slice_offset(s));
            to->dangling = slice_endless(s) && slice_unended(s) ? 0 : to->dangling;
            to->slices--;
        }
        if (!again->apart)
            lane_cut(lane, again->at);
    }
    for (; again->effect.unmatch && again->k < nest->strays.n; again->k++) {
        vec_push(&again->back,
                 late_end(nest->strays.v[again->k].time, nest->strays.v[again->k].offset));
        if (!budget_spend(budget, 1))
            return false;
    }
    if (again->effect.unmatch)
        to->strays.n = 0;
    return true;
}

/* Lets ends close begins (nest_close.h); slices remain. work must be sorted by event_before(). */
static bool match(struct nest *to, struct nest_again *again, const struct slice_extra *extra,
                  struct budget *budget) {
    items *work = &again->work;
    if (again->match == NULL)
        again->match = nest_match_new(to, extra);
    for (; again->i < work->n; again->i++) {
        struct nest_item x = work->v[again->i];
        bool named = (enum kind)x.event == KIND_END && nest_match_by_name(again->match, to);
        if (!budget_spend(budget, named ? NAME_COST : 1))
            return false;
        if ((enum kind)x.event != KIND_END) {
            if ((enum kind)x.event == KIND_BEGIN)
                nest_match_begin(again->match, to, &x, again->n);
            work->v[again->n++] = x;
            continue;
        }
        uint32_t name = event_name(x.packed);
        if (named && name == NAME_UNKNOWN)
            name = extra->end_name(extra->ctx, nest_offset(&x));
        nest_match_end(again->match, to, &x, name, work->v);
    }
    bool claims = nest_match_done(again->match, to, work->v, again->claim);
    /* else the strays were not taken back */
    to->claims = claims || (to->claims && !again->effect.unmatch);
    work->n = again->n;
    nest_match_free(again->match);
    again->match = NULL;
    return true;
}

/* work[0..fresh) is sorted, and `back` too: merges both in place, from the end. */
static bool merge_back(struct nest_again *again, struct budget *budget) {
    while (again->n > 0) {
        for (unsigned c = 0; c < CHUNK && again->n > 0; c++) {
            bool first = again->i > 0 &&
                         event_before(&again->back.v[again->n - 1], &again->work.v[again->i - 1]);
            again->work.v[--again->k] =
                first ? again->work.v[--again->i] : again->back.v[--again->n];
        }
        if (!budget_spend(budget, CHUNK))
            return again->n == 0;
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

static bool place_again(struct nest *to, struct nest_again *again, const struct slice_extra *extra,
                        struct budget *budget) {
    if (again->i == 0) {
        to->last_complete = to->last_start = INT64_MIN;
        to->tie = INT64_MAX;
    }
    for (; again->i < again->work.n; again->i++) {
        if (!budget_spend(budget, PLACE_COST))
            return false;
        nest_place(to, extra, &again->work.v[again->i], !again->open);
        if (again->i % INDEX_ITEMS == 0)
            index_rows(to);
    }
    /* its slices are on higher rows now */
    while (to->nlanes > 0 && to->lanes[to->nlanes - 1].n == 0)
        lane_free(&to->lanes[--to->nlanes]);
    index_rows(to);
    return true;
}

/* ---- the stages ---- */

/* The number of slices that are nested again. */
static uint64_t moved(const struct nest *nest, int64_t from) {
    uint64_t n = 0;
    for (uint32_t row = 0; row < nest->nlanes; row++)
        n += nest->lanes[row].n - lane_from(&nest->lanes[row], from);
    return n;
}

/* A nest of the same events without slices. */
static void begin_next(const struct nest *nest, struct nest_again *again) {
    struct nest *next = &again->next;
    *next = *nest;
    next->lanes = NULL;
    next->nlanes = next->cap = 0;
    next->again = NULL;
    memset(&next->active, 0, sizeof next->active);
    for (size_t i = 0; i < nest->active.n && !again->rows; i++)
        vec_push(&next->active, nest->active.v[i]);
    memset(&next->late, 0, sizeof next->late);
    memset(&next->strays, 0, sizeof next->strays);
    vec_reserve(&next->strays, nest->strays.n);
    if (nest->strays.n > 0)
        memcpy(next->strays.v, nest->strays.v, nest->strays.n * sizeof *nest->strays.v);
    next->strays.n = nest->strays.n;
    again->apart = true;
}

/* Moves the late events to `work`; a placeholder keeps `late` from being empty [N6]. */
static void hold_late(struct nest *nest, items *work) {
    const struct nest_item placeholder = {.event = KIND_END};
    memcpy(work, &nest->late, sizeof *work);
    memset(&nest->late, 0, sizeof nest->late);
    vec_push(&nest->late, placeholder);
}

/* Removes the placeholder; the order of the others does not matter. Keeps some memory of `work` for
 * more. */
static void release_late(struct nest *nest, items *work) {
    nest->late.n--;
    nest->late.v[0] = nest->late.v[nest->late.n];
    if (nest->late.n > 0 || work->cap > 65536)
        return;
    vec_free(&nest->late);
    work->n = 0;
    memcpy(&nest->late, work, sizeof *work);
    memset(work, 0, sizeof *work);
}

/* Begins to nest the sorted late events; false if they wait, and are in `late` again: so that all
 * work stays linear, and short if there is a deadline. */
static bool begin_late(struct nest *nest, struct nest_again *again, bool all, bool at_once) {
    again->fresh = again->work.n;
    again->effect = nest_effect_of(nest, again->work.v, again->work.n);
    if (again->claim) {
        again->effect.unmatch = true;
        again->effect.from = INT64_MIN;
    }
    uint64_t n = moved(nest, again->effect.from);
    if (!all && (at_once ? n > 4 * again->fresh + 65536 : n + again->fresh > AT_ONCE)) {
        vec_free(&nest->late);
        memcpy(&nest->late, &again->work, sizeof nest->late);
        memset(&again->work, 0, sizeof again->work);
        return false;
    }
    again->rows = again->effect.from < INT64_MAX || n > 0;
    if (!at_once && n + again->fresh > AT_ONCE)
        begin_next(nest, again);
    return true;
}

/* Copies the slices that stay to the other nest. */
static bool copy_rows(const struct nest *nest, struct nest_again *again, struct budget *budget) {
    for (; again->row < nest->nlanes; again->row++, again->i = 0) {
        struct nest *next = &again->next;
        const struct lane *lane = &nest->lanes[again->row];
        if (again->i == 0)
            again->at = lane_from(lane, again->effect.from);
        if (next->nlanes == again->row)
            nest_add_row(next);
        for (; again->i < again->at; again->i++) {
            if (!budget_spend(budget, 1))
                return false;
            lane_push(&next->lanes[again->row], lane_at(lane, (uint32_t)again->i));
        }
    }
    return true;
}

static void finish(struct nest *to, const struct nest_again *again) {
    to->last_stack = again->effect.last_stack;
    to->provisional = again->open ? to->provisional : again->claim;
    if (again->open || to->last_start != INT64_MIN)
        return;
    /* only strays were late: the rows are as before */
    for (uint32_t row = 0; row < to->nlanes; row++)
        if (to->lanes[row].n > 0 && nest_tail(to, row)->start > to->last_start)
            to->last_start = nest_tail(to, row)->start;
    to->last_complete = to->last_start;
    to->tie = -1;
}

/* Makes the other nest this one, with the late events that came meanwhile. */
static void swap(struct nest *nest, struct nest_again *again) {
    struct nest before = *nest;
    *nest = again->next;
    nest->extra = before.extra;
    nest->again = before.again;
    nest->first = before.first;
    nest->reach = before.reach;
    nest->events = before.events;
    nest->version = before.version + 1;
    memcpy(&nest->late, &before.late, sizeof nest->late);
    memset(&before.late, 0, sizeof before.late);
    before.again = NULL;
    again->next = before;
}

/* Frees the rows as they were before. */
static bool free_before(struct nest_again *again, struct budget *budget) {
    struct nest *before = &again->next;
    while (before->nlanes > 0) {
        struct lane *lane = &before->lanes[--before->nlanes];
        uint32_t cost = 1 + lane->n / LANE_PIECE * FREE_COST;
        lane_free(lane);
        if (!budget_spend(budget, cost))
            return before->nlanes == 0;
    }
    return true;
}

static void begin_stage(struct nest_again *again, enum stage stage) {
    again->stage = stage;
    again->i = again->k = again->n = 0;
    again->row = 0;
}

/* The slices are taken back. Late events and their ends are merged by time; open slices are only
 * sorted. */
static void begin_sort(struct nest *nest, struct nest_again *again,
                       const struct slice_extra *extra) {
    if (again->rows)
        restore_active(target(nest, again), extra, again->effect.from);
    if (again->open) {
        again->work = again->back;
        memset(&again->back, 0, sizeof again->back);
        begin_stage(again, SORT);
        nest_sort_begin(&again->sort, again->work.v, again->work.n, nests_before);
        return;
    }
    begin_stage(again, SORT_BACK);
    nest_sort_begin(&again->sort, again->back.v, again->back.n, event_before);
}

static void begin_merge(struct nest_again *again) {
    begin_stage(again, MERGE);
    vec_reserve(&again->work, again->fresh + again->back.n);
    again->i = again->fresh;
    again->n = again->back.n;
    again->k = again->work.n = again->fresh + again->back.n;
}

/* Works on the stage until the budget is spent; true if it is done, and the next one has begun. */
static bool step(struct nest *nest, struct nest_again *again, const struct slice_extra *extra,
                 struct budget *budget) {
    struct nest *to = target(nest, again);
    switch (again->stage) {
    case COPY:
        if (again->apart && !copy_rows(nest, again, budget))
            return false;
        begin_stage(again, TAKE);
        return true;
    case TAKE:
        if (!take_back(nest, again, extra, budget))
            return false;
        begin_sort(nest, again, extra);
        return true;
    case SORT_BACK:
        if (!nest_sort_step(&again->sort, budget))
            return false;
        begin_merge(again);
        return true;
    case MERGE:
        if (!merge_back(again, budget))
            return false;
        if (!vec_free_step(&again->back, budget))
            return false;
        begin_stage(again, MATCH);
        return true;
    case MATCH:
        if (!match(to, again, extra, budget))
            return false;
        begin_stage(again, SORT);
        nest_sort_begin(&again->sort, again->work.v, again->work.n, nests_before);
        return true;
    case SORT:
        if (!nest_sort_step(&again->sort, budget))
            return false;
        begin_stage(again, TIES);
        return true;
    case TIES:
        if (!nest_ties_merge(again->work.v, again->work.n, &again->i, budget))
            return false;
        begin_stage(again, PLACE);
        return true;
    default:
        if (!place_again(to, again, extra, budget))
            return false;
        finish(to, again);
        again->items = again->work.n;
        if (again->apart)
            swap(nest, again);
        if (again->apart || !again->open)
            release_late(nest, &again->work);
        begin_stage(again, FREE);
        return true;
    }
}

void nest_late_free(struct nest *nest) {
    struct nest_again *again = nest->again;
    nest->again = NULL;
    if (again == NULL)
        return;
    vec_free(&again->work);
    vec_free(&again->back);
    nest_match_free(again->match);
    nest_sort_free(&again->sort);
    if (again->apart)
        nest_free(&again->next);
    free(again);
}

/* The stages after the late events were sorted. In place they are done in one go. */
static bool steps(struct nest *nest, const struct slice_extra *extra, struct budget *budget) {
    struct nest_again *again = nest->again;
    while (again->stage != FREE)
        if (!step(nest, again, extra, again->apart ? budget : BUDGET_ENDLESS))
            return false;
    if (again->apart && (!free_before(again, budget) || !vec_free_step(&again->work, budget)))
        return false;
    if (!again->apart)
        budget_spend(budget, 1 + (uint32_t)again->items * ITEM_COST);
    nest_late_free(nest);
    return true;
}

/* Sorts the late events, and begins to nest them; false if they are put off, or the budget is
 * spent. */
static bool start_late(struct nest *nest, bool all, bool claim, struct budget *budget) {
    bool at_once = budget_is_endless(budget);
    struct nest_again *again = nest->again;
    if (again == NULL) {
        if (!all && !at_once && nest->late.n > AT_ONCE)
            return false;
        again = nest->again = err_calloc(1, sizeof *again);
        again->claim = claim;
        hold_late(nest, &again->work);
        nest_sort_begin(&again->sort, again->work.v, again->work.n, event_before);
    }
    if (!nest_sort_step(&again->sort, again->work.n > AT_ONCE ? budget : BUDGET_ENDLESS))
        return false;
    if (!begin_late(nest, again, all, at_once)) {
        nest_late_free(nest);
        return false;
    }
    begin_stage(again, COPY);
    return true;
}

/* Begins to nest open slices again; false if there is nothing to do. */
static bool start_open(struct nest *nest, const struct slice_extra *extra, bool at_once) {
    int64_t from = hopeful(nest, extra);
    if (from == INT64_MAX)
        return false;
    struct nest_again *again = nest->again = err_calloc(1, sizeof *again);
    again->effect.from = from;
    again->effect.last_stack = nest->last_stack;
    again->open = again->rows = true;
    if (!at_once && moved(nest, from) > AT_ONCE) {
        begin_next(nest, again);
        hold_late(nest, &again->work);
        vec_free(&again->work);
    }
    begin_stage(again, COPY);
    return true;
}

/* After the last event: the end of a complete parent bounds a slice without a known end [N11]. */
static void bound_last(struct nest *nest, const struct slice_extra *extra) {
    if (nest->dangling)
        nest_bound(nest, extra, INT64_MAX, true);
    nest->provisional |= nest->unended > 0;
}

bool nest_late_step(struct nest *nest, const struct slice_extra *extra, bool all,
                    struct budget *budget) {
    for (;;) {
        bool sorting = nest->again && nest->again->stage == SORT_LATE;
        if (nest->again == NULL || sorting) {
            bool claim = all && nest->late.n == 0 && nest->claims;
            if (sorting || nest->late.n > 0 || claim) {
                if (!start_late(nest, all, claim, budget))
                    return !all;
            } else if (!all) {
                return true;
            } else {
                bound_last(nest, extra);
                if (!start_open(nest, extra, budget_is_endless(budget)))
                    return true;
            }
        }
        if (!steps(nest, extra, budget))
            return false;
    }
}
