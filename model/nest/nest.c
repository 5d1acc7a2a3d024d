/* nest.c - nests the events of one thread as they arrive, and answers questions about its rows.
 *
 * The final rows are those of SEMANTICS 6; README.md of this folder shows examples. Times: ns
 * relative to the reader's base.
 *
 * Invariants, whenever no function of the nest runs:
 *
 *  [N1] A lane holds one row: sorted by start, never overlapping (lane.h). Rows are filled from 0.
 *  [N2] The parent of a slice is on a higher row (a smaller number): on the next one, or, if the
 *       slice is
 *       SLICE_DISPLACED, on the row that the side table holds. `displaced` counts these slices; while it is 0 every
 *       parent is on the next row above, and questions find rows by binary search.
 *  [N3] The parent of a slice that has a length is the last slice on the parent's row that begins
 *       no later. A slice of
 *       no length keeps the number of its parent.
 *  [N4] `active` is a stack of rows. Only their last slices can contain the next slice that is
 *       placed; a later entry
 *       comes later in nesting order. A slice that a later one outlasts can contain nothing that the later one cannot,
 *       so it is dropped: each slice enters and leaves once.
 *  [N5] nest_place() appends in nesting order only. last_stack, last_complete, last_start and tie
 *       hold what is needed
 *       to decide in constant time whether an event may still be appended: the cases are in nest_take().
 *  [N6] While `late` is not empty every event goes there: the rows are those of the events before
 *       the first late one.
 *  [N7] An open slice inside a complete one is assumed to end inside it ("hope"). That is how
 *       writers nest, and so the
 *       usual mixture of both is placed at once. Its end is checked when it arrives. Without an end, after the last
 *       event, it is placed again as a slice that ends after everything: nest_open_again() in nest_late.c.
 *  [N8] overlaps, mismatches and displaced count the slices in the rows that have the flag.
 *  [N9] An end that closes nothing is a stray. It is kept, because a late begin may claim it.
 * [N10] The final rows are a function of the set of events: how they were cut into buffers and
 *       steps has no effect.
 * [N11] A complete event without a known end (`unended`) contains nothing: the next slice, or the
 *       end of its parent,
 *       bounds it. Until then it is endless, the last slice, and `dangling` is its row + 1. After the last event the
 *       end of a complete parent bounds it, and ends of their own time close begins (`claims`): if another event comes
 *       (`provisional`), all is nested again.
 * [N12] Slices with a damaged time are on rows of their own, from `apart` on, displaced and without
 *       a parent.
 *       They are in no other slice, and none is in them. The nest is provisional then.
 *
 * The ways of an event:
 *
 *    reader, nest_buffer_add() or nest_buffer_add_packed()
 *      |
 *      v
 *    buffer --- worker, nest_buffer_flush() ---------> nest_place_run(), in parts (nest_parts.c)
 *                                                        |
 *        .-----------------------------------------------+--------------------------.
 *        | in the order of the ends, nothing late        | anything else            | `late` is not empty [N6]
 *        v                                               v                          v
 *    nest_run_place()  (nest_run.c)               nest_one_by_one()           nest_one_by_one()
 *        |  slices        |  events without              |                          |
 *        |                |  their other half            v                          |
 *        |                `----------------------> nest_take() <--------------------'
 *        |                                               |
 *        |          .--------------------+---------------+----------------+
 *        |          | in nesting order   | an end        | a complete     | too early [N5],
 *        |          v                    v               v after its      | or `late` is
 *        |     nest_place()         nest_close()      adopt() children    | not empty
 *        |          |                |        |          |       |        |
 *        v          v                v        `-----.    v       `------. |
 *      ROWS <---- ROWS             ROWS, stray       | ROWS             v v
 *        ^                                           `---------------> late
 *        |                                                               |
 *        `---- place_again() <- match() <- take_back() <- nest_flush_late() (nest_late.c)
 */
#include "model/nest/nest_close.h"

/* Limits that keep each step short; what exceeds them takes a slower way with the same result. */
#define ROW_SCAN 64       /* rows tried for an overlapping slice before it gets a new one */
#define ADOPT_ROWS 256    /* rows below a parent that is written after its children */
#define ADOPT_SLICES 4096 /* descendants that move down for it */

void nest_init(struct nest *nest) {
    *nest = (struct nest){.last_stack = INT64_MIN,
                          .last_complete = INT64_MIN,
                          .last_start = INT64_MIN,
                          .tie = INT64_MAX,
                          .first = INT64_MAX,
                          .reach = INT64_MIN,
                          .apart = NEST_NO_ROW,
                          .may_settle = SETTLE_FIRST};
}

void nest_free(struct nest *nest) {
    for (uint32_t i = 0; i < nest->nlanes; i++)
        lane_free(&nest->lanes[i]);
    free(nest->lanes);
    vec_free(&nest->active);
    vec_free(&nest->late);
    vec_free(&nest->strays);
}

/* Whether c, which is before x in nesting order, has ended when x begins. */
static bool ended(const struct slice_extra *extra, const struct slice *c,
                  const struct nest_item *x) {
    int64_t end = slice_end(c);
    if (end != x->start || slice_endless(c))
        return end < x->start;
    if (!nest_of_stack(c) || !nest_item_of_stack(x))
        return true;
    /* 0 if c is a complete event of no length */
    return slice_extra_end_offset(extra, c) < nest_offset(x);
}

struct lane *nest_add_row(struct nest *nest) {
    if (nest->nlanes == nest->cap) {
        nest->cap += nest->cap / 2 + 4;
        nest->lanes = err_realloc(nest->lanes, nest->cap, sizeof *nest->lanes);
    }
    nest->lanes[nest->nlanes] = LANE_EMPTY;
    return &nest->lanes[nest->nlanes++];
}

static bool row_free(const struct nest *nest, uint32_t row, const struct nest_item *x) {
    return nest->lanes[row].end <= x->start;
}

/* The first free row from `row` on; after ROW_SCAN rows, a new one. */
static uint32_t find_row(struct nest *nest, uint32_t row, const struct nest_item *x) {
    for (uint32_t last = row + ROW_SCAN; row < nest->nlanes && row < last; row++)
        if (row_free(nest, row, x))
            return row;
    if (row < nest->nlanes)
        row = nest->nlanes;
    nest_add_row(nest);
    return row;
}

void nest_place(struct nest *nest, const struct slice_extra *extra, const struct nest_item *x,
                bool allow_open) {
    int64_t above_end = INT64_MAX, end = nest_item_end(x);
    if (nest->dangling)
        nest_bound(nest, extra, x->start, false);
    size_t n = nest->active.n;
    for (; n > 0; n--) {
        above_end = nest->lanes[nest->active.v[n - 1]].end;
        if (above_end > x->start ||
            (above_end == x->start && !ended(extra, nest_tail(nest, nest->active.v[n - 1]), x)))
            break;
    }
    unsigned flags = x->flags & (SLICE_COMPLETE | SLICE_MISMATCH);
    if (n > 0 && above_end < end && !(allow_open && nest_item_open(x))) {
        flags |= SLICE_OVERLAP;
        nest->overlaps++;
        while (n > 0 && nest->lanes[nest->active.v[n - 1]].end < end)
            n--;
    }
    nest->active.n = n;
    uint32_t parent_row = n > 0 ? nest->active.v[n - 1] : NEST_NO_ROW, row = parent_row + 1;
    if (row >= nest->nlanes || !row_free(nest, row, x)) {
        uint32_t want = row;
        row = find_row(nest, row, x);
        if (row != want) {
            flags |= SLICE_DISPLACED;
            nest->displaced++;
            extra->set(extra->ctx, nest_offset(x) + SLICE_EXTRA_PARENT_ROW, parent_row);
        }
    }
    bool unended = (flags & SLICE_UNENDED) == SLICE_UNENDED;
    struct slice s =
        unended ? slice_make(x->start, SLICE_OPEN, x->packed, UINT64_MAX, flags & ~SLICE_COMPLETE)
                : nest_slice(extra, x, flags);
    slice_set_parent(&s, n > 0 ? nest->lanes[parent_row].n - 1 : SLICE_NO_PARENT);
    lane_push(&nest->lanes[row], &s);
    nest->slices++;
    nest->unended += unended;
    nest->dangling = unended ? row + 1 : 0;
    bool stack = nest_item_of_stack(x);
    if (x->start != nest->last_start)
        nest->tie = stack ? -1 : x->dur;
    else if (stack || nest->tie < 0)
        nest->tie = -1;
    else if (x->dur < nest->tie)
        nest->tie = x->dur;
    nest->last_start = x->start;
    if (!stack)
        nest->last_complete = x->start;
    if (x->dur > 0 || !(flags & SLICE_COMPLETE) || unended)
        vec_push(&nest->active, row);
}

void nest_place_apart(struct nest *nest, const struct slice_extra *extra,
                      const struct nest_item *x) {
    bool unended = x->flags == SLICE_UNENDED;
    unsigned flags = (x->flags & (SLICE_COMPLETE | SLICE_MISMATCH)) | SLICE_DISPLACED;
    struct slice s =
        unended ? slice_make(x->start, 0, x->packed, UINT64_MAX, SLICE_UNENDED | SLICE_DISPLACED)
                : nest_slice(extra, x, flags);
    uint32_t row = find_row(nest, nest->apart, x);
    extra->set(extra->ctx, nest_offset(x) + SLICE_EXTRA_PARENT_ROW,
               (unsigned)x->event == NEST_WRONG_BEGIN ? SLICE_APART_BEGIN : SLICE_APART);
    slice_set_parent(&s, SLICE_NO_PARENT);
    lane_push(&nest->lanes[row], &s);
    nest->slices++;
    nest->displaced++;
    nest->unended += unended;
    if (slice_open(&s))
        vec_push(&nest->active, row);
}

static void put_off(struct nest *nest, const struct nest_item *x) {
    vec_push(&nest->late, *x);
}

/* The first of the lane's last slices that start at or after t. They are few, so it looks from the
 * end. */
static uint32_t suffix_from(const struct lane *lane, int64_t t) {
    uint32_t i = lane->n, least = i > 64 ? i - 64 : 0;
    while (i > least && lane_start(lane, i - 1) >= t)
        i--;
    return i > 0 && i == least ? lane_from(lane, t) : i;
}

/* ---- a complete event after its children ----
 *
 * Most writers write a complete event when it ends, after all that is inside it. Then x takes a
 * place on the row of its children, and they and their descendants move one row down:
 *
 *              before                                   after
 *
 *              | around                      |          | around                      |      active[at - 1]
 *   row        | a | child | child |                    | a | x             |
 *   row + 1    | b | gr. |   | g. |                     | b | child | child |
 *   last         c |                                      c | gr. |   | g. |
 *                  ^ from[0], from[1], from[2] = n
 *
 * a, b and c end before x begins: what stays on rows row .. last must not contain x. If anything is
 * less simple, the event goes to `late`. */
struct adoption {
    uint32_t row, last;        /* rows of x and of the deepest descendants after the move */
    size_t at;                 /* place of x in `active` */
    uint32_t from[ADOPT_ROWS]; /* on row `row` + k, the first slice that moves */
};

/* Finds the row: active slices that began before x are around it, and x is below the last of them
 * [N4]. */
static bool adopt_row(const struct nest *nest, const struct nest_item *x, struct adoption *a) {
    a->row = 0;
    for (a->at = nest->active.n; a->at > 0; a->at--) {
        const struct lane *lane = &nest->lanes[nest->active.v[a->at - 1]];
        if (lane->start < x->start) {
            a->row = nest->active.v[a->at - 1] + 1;
            return lane->end >= x->start + x->dur;
        }
        if (lane->end == INT64_MAX)
            return false; /* it is open, and hopes to end in a slice that has ended [N7] */
    }
    return true;
}

/* Finds the slices that move: on each row those that began since x did, all inside x. */
static bool adopt_children(const struct nest *nest, const struct nest_item *x, struct adoption *a) {
    int64_t start = x->start, end = x->start + x->dur;
    uint64_t moved = 0;
    for (a->last = a->row; a->last < nest->nlanes; a->last++) {
        if (a->last - a->row == ADOPT_ROWS)
            return false;
        const struct lane *lane = &nest->lanes[a->last];
        if (lane->start < start) {
            if (lane->end > start)
                return false;
            a->from[a->last - a->row] = lane->n;
            break;
        }
        uint32_t i = a->from[a->last - a->row] = suffix_from(lane, start);
        if (lane->end > end || lane->start >= end ||
            (i > 0 && lane_start(lane, i - 1) + lane_dur(lane, i - 1) > start))
            return false;
        if (lane_start(lane, i) == start &&
            (nest_of_stack(lane_at(lane, i)) || lane_dur(lane, i) >= x->dur))
            return false;
        moved += lane->n - i;
    }
    if (a->last == a->row || moved > ADOPT_SLICES || a->last - a->row == ADOPT_ROWS)
        return false;
    /* A slice further down that begins at `start` has a parent that stays, and would lose it. */
    for (uint32_t r = a->last; r < nest->nlanes && nest->lanes[r].end == start; r++)
        if (r + 1 < nest->nlanes && nest->lanes[r + 1].start >= start)
            return false;
    return true;
}

/* The number of slices from i to the end of its block. */
static uint32_t some_of(const struct lane *lane, uint32_t i) {
    uint32_t n = LANE_BLOCK - i % LANE_BLOCK;
    return n < lane->n - i ? n : lane->n - i;
}

static void adopt_move(struct nest *nest, struct adoption *a) {
    if (a->last == nest->nlanes) {
        a->from[a->last - a->row] = 0;
        nest_add_row(nest);
    }
    for (uint32_t r = a->last; r > a->row; r--) { /* row r - 1 to row r */
        struct lane *lane = &nest->lanes[r - 1];
        /* The parent of a child is x, the next slice on its row; other parents have moved, to the
         * end of row r - 1. */
        bool child = r - 1 == a->row;
        uint32_t first = a->from[r - 1 - a->row],
                 by = child ? first : first - a->from[r - 2 - a->row];
        struct slice v[LANE_BLOCK];
        for (uint32_t i = first; i < lane->n; i++) {
            struct slice *to = lane_extend(&nest->lanes[r]);
            if (i == first || i % LANE_BLOCK == 0)
                lane_copy(lane, i, some_of(lane, i), v + i % LANE_BLOCK);
            *to = v[i % LANE_BLOCK];
            slice_set_parent(to, child ? by : slice_parent(to) + by);
        }
        lane_tail(&nest->lanes[r]);
        lane_cut(lane, first);
    }
}

static bool adopt(struct nest *nest, const struct slice_extra *extra, const struct nest_item *x) {
    struct adoption a;
    if (nest->displaced != 0 || !adopt_row(nest, x, &a) || !adopt_children(nest, x, &a))
        return false;
    adopt_move(nest, &a);
    struct slice s = nest_slice(extra, x, SLICE_COMPLETE); /* it has a length */
    lane_push(&nest->lanes[a.row], &s);
    nest->slices++;
    /* x goes below its children that are still active; they are one row further down now. */
    size_t n = nest->active.n;
    vec_push(&nest->active, 0);
    for (size_t k = n; k > a.at; k--)
        nest->active.v[k] = nest->active.v[k - 1] + 1;
    nest->active.v[a.at] = a.row;
    return true;
}

static void adopt_or_wait(struct nest *nest, const struct slice_extra *extra,
                          const struct nest_item *x) {
    if (!adopt(nest, extra, x))
        put_off(nest, x);
}

void nest_take(struct nest *nest, const struct slice_extra *extra, const struct nest_item *x) {
    enum nest_event event = (enum nest_event)x->event;
    int64_t time = x->start, end = nest_event_end(x);
    if (end > nest->reach)
        nest->reach = end;
    if (time < nest->first)
        nest->first = time;
    if (nest->late.n > 0 || nest->provisional) {
        put_off(nest, x);
    } else if (event == NEST_COMPLETE && x->dur > 0) {
        if (time < nest->last_stack || time < nest->last_start ||
            (time == nest->last_start && x->dur > nest->tie))
            adopt_or_wait(nest, extra, x);
        else
            nest_place(nest, extra, x, true);
    } else if (time < nest->last_stack || (event != NEST_END && time < nest->last_complete) ||
               (event == NEST_BEGIN && (time == nest->last_complete || nest_claims(nest, time)))) {
        put_off(nest, x);
    } else if (event == NEST_END) {
        if (!nest_close(nest, extra, x))
            put_off(nest, x);
    } else {
        nest->last_stack = time;
        nest_place(nest, extra, x, true);
    }
}

void nest_one_by_one(struct nest *nest, const struct slice_extra *extra, const struct duration *v,
                     size_t n) {
    for (size_t i = 0; i < n; i++) {
        struct nest_item x = nest_item_of(&v[i]);
        nest_take(nest, extra, &x);
    }
}

void nest_place_run(struct nest *nest, const struct slice_extra *extra, const struct duration *v,
                    uint32_t n) {
    nest->events += n;
    nest->version++;
    nest_parts(nest, extra, v, n);
    for (uint32_t row = 0; row < nest->nlanes; row++)
        lane_index(&nest->lanes[row]);
}

/* ---- questions ---- */

uint32_t nest_open(const struct nest *nest) {
    uint32_t n = 0;
    for (size_t i = 0; i < nest->active.n; i++)
        n += slice_open(nest_tail(nest, nest->active.v[i]));
    return n;
}

bool nest_parent(const struct nest *nest, const struct slice_extra *extra, uint32_t row, uint32_t i,
                 uint32_t *parent_row, uint32_t *parent) {
    const struct slice *s = lane_at(&nest->lanes[row], i);
    uint32_t above =
        nest_flagged(s, SLICE_DISPLACED)
            ? (uint32_t)extra->get(extra->ctx, slice_offset(s) + SLICE_EXTRA_PARENT_ROW)
            : row - 1;
    /* NEST_NO_ROW; or a row of the nest that is about to take this one's place [N2] */
    if (above >= row)
        return false;
    const struct lane *lane = &nest->lanes[above];
    *parent_row = above;
    if (!slice_has_length(s))
        *parent = slice_parent(s);
    else
        *parent = lane->start <= s->start ? lane->n - 1 : lane_before(lane, s->start);
    return *parent < lane->n;
}

int64_t nest_parent_end(const struct nest *nest, const struct slice_extra *extra, uint32_t row) {
    uint32_t parent_row, parent;
    if (!nest_parent(nest, extra, row, nest->lanes[row].n - 1, &parent_row, &parent))
        return INT64_MAX;
    const struct lane *lane = &nest->lanes[parent_row];
    return parent == lane->n - 1 ? lane->end : slice_end(lane_at(lane, parent));
}

uint32_t nest_depth(const struct nest *nest, const struct slice_extra *extra, uint32_t row,
                    uint32_t i) {
    if (nest->displaced == 0)
        return row;
    uint32_t depth = 0;
    while (nest_parent(nest, extra, row, i, &row, &i))
        depth++;
    return depth;
}

struct place {
    uint32_t row, i;
};

static struct place up(const struct nest *nest, const struct slice_extra *extra, struct place p) {
    struct place parent = {UINT32_MAX, UINT32_MAX};
    nest_parent(nest, extra, p.row, p.i, &parent.row, &parent.i);
    return parent;
}

/* Whether a is before b in nesting order. If neither is inside the other, their ancestors below the
 * common one decide. If these begin together both nest as a stack does, and file order holds
 * (SEMANTICS 6.1). */
static bool comes_before(const struct nest *nest, const struct slice_extra *extra, struct place a,
                         struct place b) {
    uint32_t da = nest_depth(nest, extra, a.row, a.i), db = nest_depth(nest, extra, b.row, b.i),
             d = da;
    for (; d > db; d--)
        a = up(nest, extra, a);
    for (uint32_t k = db; k > d; k--)
        b = up(nest, extra, b);
    if (a.row == b.row && a.i == b.i)
        return da < db;
    for (; d > 0; d--) {
        struct place pa = up(nest, extra, a), pb = up(nest, extra, b);
        if (pa.row == pb.row && pa.i == pb.i)
            break;
        a = pa;
        b = pb;
    }
    struct slice x = lane_slice(&nest->lanes[a.row], a.i), y = lane_slice(&nest->lanes[b.row], b.i);
    return x.start != y.start ? x.start < y.start : slice_offset(&x) < slice_offset(&y);
}

/* The first row without a slice that begins before t, or `at` it, and ends after t. While every
 * parent is on the row above [N2], the rows with such a slice come first: it is found by halves, at
 * any depth. */
static uint32_t row_from(const struct nest *nest, int64_t t, bool at) {
    uint32_t lo = 0, hi = nest->displaced == 0 ? nest->nlanes : 0;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2, k = lane_before(&nest->lanes[mid], t);
        const struct slice *s = k == UINT32_MAX ? NULL : lane_at(&nest->lanes[mid], k);
        if (s && (at || s->start < t) && slice_end(s) > t)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

bool nest_find(const struct nest *nest, int64_t t, uint64_t offset, uint32_t *row, uint32_t *i) {
    for (*row = row_from(nest, t, false); *row < nest->nlanes; ++*row) {
        const struct lane *lane = &nest->lanes[*row];
        *i = lane_find(lane, t, offset);
        if (*i != UINT32_MAX)
            return true;
        uint32_t k = nest->displaced == 0 ? lane_before(lane, t) : 0;
        if (k == UINT32_MAX ||
            (nest->displaced == 0 && lane_start(lane, k) != t && slice_end(lane_at(lane, k)) < t))
            return false; /* no slice further down begins at t */
    }
    return false;
}

bool nest_at(const struct nest *nest, const struct slice_extra *extra, int64_t t, uint32_t *row,
             uint32_t *i) {
    uint32_t from = row_from(nest, t, true);
    bool found = from > 0;
    if (found) { /* the innermost slice around t */
        *row = from - 1;
        *i = lane_before(&nest->lanes[from - 1], t);
    }
    for (uint32_t r = from; r < nest_sound_rows(nest); r++) {
        uint32_t k = lane_before(&nest->lanes[r], t);
        if (k == UINT32_MAX && nest->displaced == 0)
            break; /* no slice further down has begun */
        if (k == UINT32_MAX)
            continue;
        const struct slice *s = lane_at(&nest->lanes[r], k);
        if (slice_end(s) < t && nest->displaced == 0)
            break; /* no slice further down outlasts it */
        if (slice_end(s) <= t && s->start != t)
            continue;
        if (found) {
            const struct slice *best = lane_at(&nest->lanes[*row], *i);
            struct place outer = up(nest, extra, (struct place){r, k});
            bool inside = outer.row == *row && outer.i == *i;
            if (s->start < best->start ||
                (s->start == best->start && !inside &&
                 !comes_before(nest, extra, (struct place){*row, *i}, (struct place){r, k})))
                continue;
        }
        found = true;
        *row = r;
        *i = k;
    }
    return found;
}

int64_t nest_deeper_until(const struct nest *nest, uint32_t row, int64_t t) {
    if (nest->displaced > 0 || row + 1 >= nest->nlanes)
        return t;
    const struct lane *lane = &nest->lanes[row + 1];
    uint32_t i = lane_before(lane, t);
    return i == UINT32_MAX || slice_end(lane_at(lane, i)) < t ? t : slice_end(lane_at(lane, i));
}

int64_t nest_same_until(const struct nest *nest, uint32_t row, int64_t t) {
    if (nest->displaced > 0 || row >= nest->nlanes)
        return t;
    uint32_t i = lane_before(&nest->lanes[row], t);
    int64_t until = i == UINT32_MAX ? t : slice_end(lane_at(&nest->lanes[row], i));
    if (until <= t || row + 1 == nest->nlanes)
        return until > t ? until : t;
    const struct lane *lane = &nest->lanes[row + 1];
    uint32_t k = lane_before(lane, t), next = k + 1; /* UINT32_MAX + 1 is 0 */
    if (k != UINT32_MAX && slice_end(lane_at(lane, k)) > t)
        return t;
    return next < lane->n && lane_start(lane, next) < until ? lane_start(lane, next) : until;
}

size_t nest_bytes(const struct nest *nest) {
    size_t n = nest->cap * sizeof *nest->lanes + nest->active.cap * 4 +
               nest->late.cap * sizeof(struct nest_item) +
               nest->strays.cap * sizeof *nest->strays.v;
    for (uint32_t i = 0; i < nest->nlanes; i++)
        n += lane_bytes(&nest->lanes[i]);
    return n;
}

void nest_walk(struct nest *nest, struct cache *cache) {
    uint64_t *counts[] = {&nest->slices, &nest->events};
    uint32_t *few[] = {&nest->displaced, &nest->overlaps, &nest->mismatches, &nest->ends_lost,
                       &nest->unended,   &nest->dangling, &nest->apart};
    bool *rules[] = {&nest->named, &nest->claims, &nest->provisional};
    cache_value(cache, nest->nlanes);
    if (cache_reads(cache)) {
        nest->cap = nest->nlanes;
        nest->lanes = nest->nlanes > 0 ? err_calloc(nest->nlanes, sizeof *nest->lanes) : NULL;
    }
    for (uint32_t row = 0; row < nest->nlanes; row++)
        lane_walk(&nest->lanes[row], cache);
    cache_vec(cache, &nest->active);
    cache_vec(cache, &nest->strays);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        cache_value(cache, *counts[i]);
    for (size_t i = 0; i < sizeof few / sizeof *few; i++)
        cache_value(cache, *few[i]);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        cache_value(cache, *rules[i]);
}
