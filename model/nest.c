/* nest.c - matching and nesting. Coordinates: ns relative to the reader's base.
 *
 * `active` is a monotone stack: a slice that a later one outlasts can contain nothing that the later one cannot, so it
 * is dropped; each slice enters and leaves once.
 *
 * An open slice inside a complete one is taken to end inside it until it does otherwise: that is how writers nest, and
 * it lets the usual mixture be placed at once. Its end is checked when it comes; if none has come when all was read,
 * the open slice is placed again as one that ends after everything. */
#include "model/nest.h"

#include <string.h>

#define NAME_UNKNOWN SLICE_NAME_MAX /* of an end taken back: decoded again where it meets another begin */
#define ROW_SCAN 64                 /* rows tried for an overlapping slice before it gets a new one */
#define ADOPT_ROWS 256 /* rows looked at, and slices moved, to place a parent behind its children at once */
#define ADOPT_SLICES 4096

enum kind { /* of an item on its way into the rows: the low word of b, where the parent will stand */
            KIND_BEGIN = NEST_BEGIN,
            KIND_END = NEST_END,
            KIND_COMPLETE = NEST_COMPLETE,
            KIND_PAIR, /* begin and end, matched */
};

#define ASIDE_END 0 /* keys of nest_aside: byte offset + this */
#define ASIDE_PARENT_ROW 1

void nest_init(struct nest *nest) {
    *nest =
        (struct nest){.last_stack = INT64_MIN, .last_complete = INT64_MIN, .last_start = INT64_MIN, .tie = INT64_MAX};
}

void nest_free(struct nest *nest) {
    for (uint32_t i = 0; i < nest->nlanes; i++)
        lane_free(&nest->lanes[i]);
    free(nest->lanes);
    vec_free(&nest->active);
    vec_free(&nest->late);
    vec_free(&nest->strays);
}

/* Is the last slice of a row open? */
static inline bool is_open(const struct nest *nest, uint32_t row) {
    const struct lane *lane = &nest->lanes[row];
    return lane->end == INT64_MAX && slice_open(&lane->v[lane->n - 1]);
}

static struct slice *tail(const struct nest *nest, uint32_t row) {
    return &nest->lanes[row].v[nest->lanes[row].n - 1];
}

static struct slice *top(const struct nest *nest) {
    return tail(nest, nest->active.v[nest->active.n - 1]);
}

static bool is_flagged(const struct slice *s, enum slice_flag flag) {
    return (s->b >> 60 & flag) != 0;
}

/* Of rule (1): begins, ends and completes of no length nest as a stack does. */
static bool of_stack(const struct slice *s) {
    return !is_flagged(s, SLICE_COMPLETE) || s->dur == 0;
}

uint64_t nest_end_offset(const struct nest_aside *aside, const struct slice *s) {
    uint64_t words = slice_end_words(s);
    if (words == 0)
        return 0;
    return words == SLICE_FAR ? aside->get(aside->ctx, slice_offset(s) + ASIDE_END) : slice_offset(s) + words * 8;
}

static inline void set_end(const struct nest_aside *aside, struct slice *s, int64_t time, uint64_t offset) {
    uint64_t begin = slice_offset(s), words = offset > begin ? (offset - begin) / 8 : SLICE_FAR;
    if (words >= SLICE_FAR) {
        words = SLICE_FAR;
        aside->set(aside->ctx, begin + ASIDE_END, offset);
    }
    s->dur = time - s->start;
    s->b = (s->b & ~(SLICE_FAR << 32)) | words << 32;
}

/* Has c, which begins before x in nesting order, ended when x begins? */
static bool ended(const struct nest_aside *aside, const struct slice *c, const struct slice *x) {
    int64_t end = slice_end(c);
    if (end != x->start || slice_open(c))
        return end < x->start;
    if (!of_stack(c) || !of_stack(x))
        return true;
    return nest_end_offset(aside, c) < slice_offset(x); /* 0 of a complete of no length: it has */
}

static struct lane *lane_add(struct nest *nest) {
    if (nest->nlanes == nest->cap) {
        nest->cap += nest->cap / 2 + 4;
        nest->lanes = err_realloc(nest->lanes, nest->cap, sizeof *nest->lanes);
    }
    nest->lanes[nest->nlanes] = LANE_EMPTY;
    return &nest->lanes[nest->nlanes++];
}

static bool row_free(const struct nest *nest, uint32_t row, const struct slice *x) {
    return nest->lanes[row].end <= x->start;
}

/* The row of x: below its parent's, lower where that is taken. */
static uint32_t find_row(struct nest *nest, uint32_t row, const struct slice *x) {
    for (uint32_t last = row + ROW_SCAN; row < nest->nlanes && row < last; row++)
        if (row_free(nest, row, x))
            return row;
    if (row < nest->nlanes)
        row = nest->nlanes;
    lane_add(nest);
    return row;
}

static void place(struct nest *nest, const struct nest_aside *aside, struct slice *x, bool hope) {
    int64_t above_end = INT64_MAX, end = slice_end(x);
    size_t n = nest->active.n;
    for (; n > 0; n--) {
        above_end = nest->lanes[nest->active.v[n - 1]].end;
        if (above_end > x->start || (above_end == x->start && !ended(aside, tail(nest, nest->active.v[n - 1]), x)))
            break;
    }
    uint64_t flags = x->b >> 60 & (SLICE_COMPLETE | SLICE_MISMATCH);
    if (n > 0 && above_end < end && !(hope && slice_open(x))) {
        flags |= SLICE_OVERLAP;
        nest->overlaps++;
        while (n > 0 && nest->lanes[nest->active.v[n - 1]].end < end)
            n--;
    }
    nest->active.n = n;
    uint32_t row = 0, parent = SLICE_NO_PARENT, parent_row = 0;
    if (n > 0) {
        parent_row = nest->active.v[n - 1];
        parent = nest->lanes[parent_row].n - 1;
        row = parent_row + 1;
    }
    if (row >= nest->nlanes || !row_free(nest, row, x)) {
        uint32_t want = row;
        row = find_row(nest, row, x);
        if (row != want) {
            flags |= SLICE_DISPLACED;
            nest->displaced++;
            aside->set(aside->ctx, slice_offset(x) + ASIDE_PARENT_ROW, parent_row);
        }
    }
    x->b = (x->b & SLICE_FAR << 32) | flags << 60 | parent;
    lane_push(&nest->lanes[row], x);
    nest->slices++;
    bool stack = of_stack(x);
    if (x->start != nest->last_start)
        nest->tie = stack ? -1 : x->dur;
    else if (stack || nest->tie < 0)
        nest->tie = -1;
    else if (x->dur < nest->tie)
        nest->tie = x->dur;
    nest->last_start = x->start;
    if (!stack)
        nest->last_complete = x->start;
    if (x->dur > 0 || !is_flagged(x, SLICE_COMPLETE))
        vec_push(&nest->active, row);
}

static bool name_differs(const struct slice *begin, uint32_t end_name) {
    return end_name != 0 && slice_name(begin) != (end_name < SLICE_NAME_MAX ? end_name : SLICE_NAME_MAX);
}

static void stray(struct nest *nest, int64_t time, uint64_t offset) {
    vec_push(&nest->strays, ((struct nest_stray){time, offset}));
}

/* When the parent of a row's last slice ends; INT64_MAX where it has none. */
static inline int64_t parent_end(const struct nest *nest, const struct nest_aside *aside, uint32_t row) {
    const struct slice *s = tail(nest, row);
    uint32_t parent = slice_parent(s), parent_row = row - 1;
    if (parent == SLICE_NO_PARENT)
        return INT64_MAX;
    if (is_flagged(s, SLICE_DISPLACED))
        nest_parent(nest, aside, row, nest->lanes[row].n - 1, &parent_row, &parent);
    const struct lane *lane = &nest->lanes[parent_row];
    return parent == lane->n - 1 ? lane->end : slice_end(&lane->v[parent]);
}

/* Is there a complete event inside the open slice s of a row that is just as long as it will be, and stands before it
 * in the file? Then it belongs around it. */
static bool twin_inside(const struct nest *nest, uint32_t row, const struct slice *s, int64_t time) {
    uint32_t last = nest->displaced == 0 && nest->nlanes > row + 2 ? row + 2 : nest->nlanes;
    if (last > row + ROW_SCAN)
        return true; /* not looked for: settling finds out */
    for (uint32_t r = row + 1; r < last && time > s->start; r++) {
        const struct lane *lane = &nest->lanes[r];
        uint32_t i = lane->n;
        if (lane->end != time)
            continue;
        while (i > 0 && lane->v[i - 1].start == time)
            i--;
        if (i == 0)
            continue;
        const struct slice *x = &lane->v[i - 1];
        if (x->start == s->start && slice_end(x) == time && !of_stack(x) && slice_offset(x) < slice_offset(s))
            return true;
    }
    return false;
}

static void wait(struct nest *nest, enum nest_event event, const struct slice *x) {
    vec_push(&nest->late, *x);
    nest->late.v[nest->late.n - 1].b |= (uint64_t)event;
}

/* An end that closes the latest open begin, with nothing inside that outlasts it; or nothing is open. */
static void close_now(struct nest *nest, const struct nest_aside *aside, const struct slice *x) {
    int64_t time = x->start;
    uint32_t row = 0;
    size_t i = nest->active.n;
    for (; i > 0; i--) {
        row = nest->active.v[i - 1];
        if (is_open(nest, row))
            break;
        if (nest->lanes[row].end > time) {
            wait(nest, NEST_END, x);
            return;
        }
    }
    if (i == 0) {
        nest->last_stack = time;
        stray(nest, time, slice_offset(x));
        return;
    }
    struct slice *s = tail(nest, row);
    if (is_flagged(s, SLICE_OVERLAP) || twin_inside(nest, row, s, time) || parent_end(nest, aside, row) < time) {
        wait(nest, NEST_END, x); /* it was placed as if it ended later, or earlier */
        return;
    }
    nest->last_stack = time;
    set_end(aside, s, time, slice_offset(x));
    nest->lanes[row].end = time;
    if (name_differs(s, slice_name(x))) {
        s->b |= (uint64_t)SLICE_MISMATCH << 60;
        nest->mismatches++;
    }
    nest->active.n = i - 1;
}

/* First of the lane's last slices that start at or after t: few, so from behind. */
static uint32_t suffix_from(const struct lane *lane, int64_t t) {
    uint32_t i = lane->n, least = i > 64 ? i - 64 : 0;
    while (i > least && lane->v[i - 1].start >= t)
        i--;
    return i > 0 && i == least ? lane_from(lane, t) : i;
}

/* A complete event that comes behind its children, as most writers do it: what began since it began and ends within
 * it moves one row down, and it takes the place above. False where anything is less simple; then nothing has moved.
 *
 * What is active and began before is around it, and the row below the last such one is its own: nothing but what the
 * active slices say can contain it there, if what stands before it on that row has ended. */
static bool adopt(struct nest *nest, const struct slice *x) {
    uint32_t from[ADOPT_ROWS], row = 0;
    int64_t start = x->start, end = slice_end(x);
    if (nest->displaced != 0)
        return false;
    size_t at = nest->active.n;
    for (; at > 0; at--) {
        const struct lane *lane = &nest->lanes[nest->active.v[at - 1]];
        if (lane->start < start) {
            if (lane->end < end)
                return false;
            row = nest->active.v[at - 1] + 1;
            break;
        }
        if (lane->end == INT64_MAX)
            return false; /* it hopes to end in what has ended */
    }
    uint32_t last = row;
    uint64_t moved = 0;
    for (;; last++) {
        if (last - row == ADOPT_ROWS)
            return false;
        if (last == nest->nlanes)
            break;
        const struct lane *lane = &nest->lanes[last];
        if (lane->start < start) {
            if (lane->end > start)
                return false;
            from[last - row] = lane->n;
            break;
        }
        uint32_t n = lane->n, i = from[last - row] = suffix_from(lane, start);
        const struct slice *first = &lane->v[i];
        if ((i > 0 && slice_end(first - 1) > start) || lane->end > end || lane->start >= end ||
            (first->start == start && (of_stack(first) || first->dur >= x->dur)))
            return false;
        moved += n - i;
    }
    if (last == row || moved > ADOPT_SLICES)
        return false;
    /* what stands below would be inside what is not there, unless that ends just here */
    for (uint32_t r = last; r < nest->nlanes && nest->lanes[r].end == start; r++)
        if (r + 1 < nest->nlanes && nest->lanes[r + 1].start >= start)
            return false;
    if (last == nest->nlanes) {
        from[last - row] = 0;
        lane_add(nest);
    }
    for (uint32_t r = last; r > row; r--) { /* row r - 1 to row r */
        struct lane *lane = &nest->lanes[r - 1];
        uint32_t i = from[r - 1 - row], n = lane->n - i;
        const struct slice *of = lane->v + i;
        struct slice *to = lane_extend(&nest->lanes[r], n);
        if (r - 1 == row) { /* its children */
            for (uint32_t k = 0; k < n; k++) {
                to[k] = of[k];
                to[k].b = (to[k].b & ~(uint64_t)UINT32_MAX) | i;
            }
        } else {
            uint32_t by = i - from[r - 2 - row];
            for (uint32_t k = 0; k < n; k++) {
                to[k] = of[k];
                to[k].b = (to[k].b & ~(uint64_t)UINT32_MAX) | (uint32_t)(to[k].b + by);
            }
        }
        lane_tail(&nest->lanes[r]);
        lane_cut(lane, i);
    }
    struct slice s = *x;
    s.b = (s.b & ~(uint64_t)UINT32_MAX) | (row > 0 ? nest->lanes[row - 1].n - 1 : SLICE_NO_PARENT);
    lane_push(&nest->lanes[row], &s);
    nest->slices++;
    /* it stands below those of its children that are still there */
    size_t n = nest->active.n;
    vec_push(&nest->active, 0);
    for (size_t k = n; k > at; k--)
        nest->active.v[k] = nest->active.v[k - 1] + 1;
    nest->active.v[at] = row;
    return true;
}

static void adopt_or_wait(struct nest *nest, const struct slice *x) {
    if (!adopt(nest, x))
        wait(nest, NEST_COMPLETE, x);
}

void nest_take(struct nest *nest, const struct nest_aside *aside, enum nest_event event, struct slice *x) {
    int64_t time = x->start;
    if (nest->late.n > 0) {
        wait(nest, event, x);
    } else if (event == NEST_COMPLETE && x->dur > 0) {
        if (time < nest->last_stack || time < nest->last_start || (time == nest->last_start && x->dur > nest->tie))
            adopt_or_wait(nest, x);
        else
            place(nest, aside, x, true);
    } else if (time < nest->last_stack || (event != NEST_END && time < nest->last_complete) ||
               (event == NEST_BEGIN && time == nest->last_complete)) {
        wait(nest, event, x);
    } else if (event == NEST_END) {
        close_now(nest, aside, x);
    } else {
        nest->last_stack = time;
        place(nest, aside, x, true);
    }
}

/* ---- settling ---- */

typedef VEC(struct slice) slices;

static enum kind kind_of(const struct slice *x) {
    return (enum kind)(uint32_t)x->b;
}

static void set_kind(struct slice *x, enum kind kind) {
    x->b = (x->b & ~(uint64_t)UINT32_MAX) | kind;
}

static bool event_before(const struct slice *a, const struct slice *b) {
    if (a->start != b->start)
        return a->start < b->start;
    return slice_offset(a) < slice_offset(b);
}

/* Rule (2) but for ties between the two sorts, which merge_ties() settles. */
static bool nests_before(const struct slice *a, const struct slice *b) {
    if (a->start != b->start)
        return a->start < b->start;
    bool sa = of_stack(a), sb = of_stack(b);
    if (sa != sb)
        return sa;
    if (!sa && a->dur != b->dur)
        return a->dur > b->dur;
    return slice_offset(a) < slice_offset(b);
}

typedef bool order(const struct slice *, const struct slice *);

static bool is_sorted(const struct slice *v, size_t n, order *before) {
    for (size_t i = 1; i < n; i++)
        if (before(&v[i], &v[i - 1]))
            return false;
    return true;
}

/* What writers of complete events leave: parents behind their children. One pass hangs each slice's later ones below
 * it, a second reads the tree from the left; linear. Where that does not come out sorted, false, and v is as it was. */
static bool sort_children_first(struct slice *v, size_t n, order *before) {
    struct link {
        uint32_t first, next; /* child, sibling; index + 1 */
    } *links = err_malloc((n + 1) * sizeof *links);
    uint32_t *stack = err_malloc((n + 1) * sizeof *stack);
    size_t depth = 0, k = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t children = 0;
        while (depth > 0 && before(&v[i], &v[stack[depth - 1]])) {
            uint32_t c = stack[--depth];
            links[c].next = children;
            children = c + 1;
        }
        links[i] = (struct link){children, 0};
        stack[depth++] = (uint32_t)i;
    }
    struct slice *out = err_malloc(n * sizeof *out);
    for (size_t i = depth; i > 0; i--) /* the roots are on the stack, the last on top: turn it round */
        links[stack[i - 1]].next = i < depth ? stack[i] + 1 : 0;
    uint32_t at = stack[0] + 1;
    depth = 0;
    bool sorted = true;
    while (at != 0 && sorted) {
        const struct link *l = &links[at - 1];
        out[k++] = v[at - 1];
        sorted = k < 2 || !before(&out[k - 1], &out[k - 2]);
        if (l->next != 0)
            stack[depth++] = l->next;
        at = l->first != 0 ? l->first : depth > 0 ? stack[--depth] : 0;
    }
    if (sorted)
        memcpy(v, out, n * sizeof *v);
    free(out);
    free(links);
    free(stack);
    return sorted;
}

/* Sorted already, or children first, or else a stable merge of the runs that are there. */
static void sort_slices(struct slice *v, size_t n, order *before) {
    if (is_sorted(v, n, before) || (n < UINT32_MAX && sort_children_first(v, n, before)))
        return;
    VEC(size_t) runs = {0};
    vec_push(&runs, 0);
    for (size_t i = 1; i < n; i++)
        if (before(&v[i], &v[i - 1]))
            vec_push(&runs, i);
    vec_push(&runs, n);
    if (runs.n == 2 || n < 2) {
        vec_free(&runs);
        return;
    }
    struct slice *from = v, *to = err_malloc(n * sizeof *v), *extra = to;
    while (runs.n > 2) {
        size_t out = 0, r = 0;
        for (; r + 2 < runs.n; r += 2) {
            size_t i = runs.v[r], mid = runs.v[r + 1], j = mid, end = runs.v[r + 2], k = i;
            runs.v[out++] = i;
            while (i < mid && j < end)
                to[k++] = before(&from[j], &from[i]) ? from[j++] : from[i++];
            memcpy(to + k, from + i, (mid - i) * sizeof *v);
            k += mid - i;
            memcpy(to + k, from + j, (end - j) * sizeof *v);
        }
        if (r + 1 < runs.n) { /* an odd one out */
            memcpy(to + runs.v[r], from + runs.v[r], (n - runs.v[r]) * sizeof *v);
            runs.v[out++] = runs.v[r];
        }
        runs.v[out++] = n;
        runs.n = out;
        struct slice *t = from;
        from = to;
        to = t;
    }
    if (from != v)
        memcpy(v, from, n * sizeof *v);
    free(extra);
    vec_free(&runs);
}

/* At one begin: a[0..na) of the stack in file order, then completes, longest first. A complete goes after the last of
 * the stack's that is longer (as long: earlier in the file) and before the rest. */
static void merge_ties(struct slice *v, size_t na, size_t n, slices *buffer) {
    VEC(size_t)
    maxima = {0},
    after = {0}; /* indices from the right, each as long as all behind it; places, last first */
    for (size_t i = na; i > 0; i--)
        if (maxima.n == 0 || v[i - 1].dur >= v[maxima.v[maxima.n - 1]].dur)
            vec_push(&maxima, i - 1);
    size_t p = 0, done = 0;
    for (size_t c = n; c > na; c--) { /* shortest first: its place is the rightmost */
        const struct slice *x = &v[c - 1];
        for (; p < maxima.n; p++) {
            const struct slice *m = &v[maxima.v[p]];
            if (m->dur > x->dur || (m->dur == x->dur && slice_offset(m) < slice_offset(x)))
                break;
        }
        vec_push(&after, p < maxima.n ? maxima.v[p] + 1 : 0);
    }
    buffer->n = 0;
    for (size_t c = na; c < n; c++) {
        for (size_t place = after.v[n - 1 - c]; done < place; done++)
            vec_push(buffer, v[done]);
        vec_push(buffer, v[c]);
    }
    for (; done < na; done++)
        vec_push(buffer, v[done]);
    memcpy(v, buffer->v, n * sizeof *v);
    vec_free(&maxima);
    vec_free(&after);
}

static void merge_all_ties(struct slice *v, size_t n) {
    slices buffer = {0};
    for (size_t i = 0; i < n;) {
        size_t na = 0, m = 0;
        while (i + m < n && v[i + m].start == v[i].start) {
            na += of_stack(&v[i + m]);
            m++;
        }
        if (na > 0 && na < m)
            merge_ties(v + i, na, m, &buffer);
        i += m;
    }
    vec_free(&buffer);
}

static bool is_child_of_top(const struct nest *nest, const struct nest_aside *aside, uint32_t row) {
    uint32_t parent_row, parent, top_row = nest->active.v[nest->active.n - 1];
    return nest_parent(nest, aside, row, nest->lanes[row].n - 1, &parent_row, &parent) && parent_row == top_row &&
           parent == nest->lanes[top_row].n - 1;
}

/* After a cut: which rows' last slices reach the time of the cut, in nesting order, without those outlasted. */
static void restore_active(struct nest *nest, const struct nest_aside *aside, int64_t t) {
    slices tails = {0}; /* start, row as dur */
    for (uint32_t row = 0; row < nest->nlanes; row++) {
        if (nest->lanes[row].n == 0)
            continue;
        const struct slice *s = tail(nest, row);
        if (slice_end(s) >= t && (s->dur > 0 || !is_flagged(s, SLICE_COMPLETE)))
            vec_push(&tails, ((struct slice){s->start, row, (uint64_t)row * 8, 0}));
    }
    sort_slices(tails.v, tails.n, event_before);
    nest->active.n = 0;
    for (size_t i = 0; i < tails.n; i++) {
        uint32_t row = (uint32_t)tails.v[i].dur;
        const struct slice *s = tail(nest, row);
        while (nest->active.n > 0 && slice_end(top(nest)) < slice_end(s) && !is_child_of_top(nest, aside, row))
            nest->active.n--;
        vec_push(&nest->active, row);
    }
    vec_free(&tails);
}

static void take_back(struct nest *nest, const struct nest_aside *aside, slices *work, int64_t t, bool unmatch) {
    for (uint32_t row = 0; row < nest->nlanes; row++) {
        struct lane *lane = &nest->lanes[row];
        uint32_t from = lane_from(lane, t);
        for (uint32_t i = from; i < lane->n; i++) {
            struct slice x = lane->v[i];
            nest->overlaps -= is_flagged(&x, SLICE_OVERLAP);
            nest->displaced -= is_flagged(&x, SLICE_DISPLACED);
            nest->slices--;
            x.b &= ~((uint64_t)(SLICE_OVERLAP | SLICE_DISPLACED) << 60);
            if (is_flagged(&x, SLICE_COMPLETE)) {
                set_kind(&x, KIND_COMPLETE);
            } else if (slice_open(&x)) {
                set_kind(&x, KIND_BEGIN);
            } else if (!unmatch) {
                set_kind(&x, KIND_PAIR);
            } else {
                struct slice end = {slice_end(&x), SLICE_OPEN, slice_pack(nest_end_offset(aside, &x), NAME_UNKNOWN),
                                    KIND_END};
                vec_push(work, end);
                nest->mismatches -= is_flagged(&x, SLICE_MISMATCH);
                x.dur = SLICE_OPEN;
                x.b = KIND_BEGIN;
            }
            vec_push(work, x);
        }
        lane_cut(lane, from);
    }
    if (unmatch) {
        for (size_t i = 0; i < nest->strays.n; i++)
            vec_push(work, ((struct slice){nest->strays.v[i].time, SLICE_OPEN,
                                           slice_pack(nest->strays.v[i].offset, NAME_UNKNOWN), KIND_END}));
        nest->strays.n = 0;
    }
}

/* Ends close the latest open begin, in (time, file order); what remains in work is slices. work is sorted so. */
static void match(struct nest *nest, const struct nest_aside *aside, slices *work) {
    VEC(size_t) open = {0};
    size_t n = 0;
    for (size_t i = 0; i < work->n; i++) {
        struct slice x = work->v[i];
        if (kind_of(&x) != KIND_END) {
            if (kind_of(&x) == KIND_BEGIN)
                vec_push(&open, n);
            work->v[n++] = x;
            continue;
        }
        if (open.n == 0) {
            stray(nest, x.start, slice_offset(&x));
            continue;
        }
        struct slice *s = &work->v[open.v[--open.n]];
        uint32_t name = slice_name(&x);
        if (name == NAME_UNKNOWN)
            name = aside->end_name(aside->ctx, slice_offset(&x));
        set_end(aside, s, x.start, slice_offset(&x));
        set_kind(s, KIND_PAIR);
        if (name_differs(s, name)) {
            s->b |= (uint64_t)SLICE_MISMATCH << 60;
            nest->mismatches++;
        }
    }
    work->n = n;
    vec_free(&open);
}

/* How many begins that are open in the rows do the late ends close? late is sorted by event_before. */
static size_t closes(const struct nest *nest) {
    size_t open = nest_open(nest), inside = 0, closed = 0;
    for (size_t i = 0; i < nest->late.n; i++) {
        switch (kind_of(&nest->late.v[i])) {
        case KIND_BEGIN:
            inside++;
            break;
        case KIND_END:
            if (inside > 0)
                inside--;
            else if (closed < open)
                closed++;
            break;
        default:
            break;
        }
    }
    return closed;
}

/* v[0..fresh) is sorted, and what was taken back behind it is by rows: sorts that, then merges the two from behind. */
static void merge_back(slices *work, size_t fresh, order *before) {
    size_t n = work->n - fresh;
    if (n == 0)
        return;
    struct slice *back = err_malloc(n * sizeof *back);
    memcpy(back, work->v + fresh, n * sizeof *back);
    sort_slices(back, n, before);
    for (size_t i = fresh, k = work->n; n > 0;)
        work->v[--k] = i > 0 && before(&back[n - 1], &work->v[i - 1]) ? work->v[--i] : back[--n];
    free(back);
}

/* Where the first open slice begins that stands in one that ends; INT64_MAX: none. */
static int64_t hopeful(const struct nest *nest, const struct nest_aside *aside) {
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < nest->active.n; i++) {
        uint32_t row = nest->active.v[i];
        if (slice_open(tail(nest, row)) && parent_end(nest, aside, row) != INT64_MAX && tail(nest, row)->start < first)
            first = tail(nest, row)->start;
    }
    return first;
}

static void place_again(struct nest *nest, const struct nest_aside *aside, slices *work, bool hope) {
    sort_slices(work->v, work->n, nests_before);
    merge_all_ties(work->v, work->n);
    nest->last_complete = nest->last_start = INT64_MIN;
    nest->tie = INT64_MAX;
    for (size_t i = 0; i < work->n; i++)
        place(nest, aside, &work->v[i], hope);
}

static void end_hope(struct nest *nest, const struct nest_aside *aside) {
    int64_t from = hopeful(nest, aside);
    if (from == INT64_MAX)
        return;
    slices work = {0};
    take_back(nest, aside, &work, from, false);
    restore_active(nest, aside, from);
    place_again(nest, aside, &work, false);
    vec_free(&work);
}

static void settle(struct nest *nest, const struct nest_aside *aside, bool all) {
    if (nest->late.n == 0)
        return;
    sort_slices(nest->late.v, nest->late.n, event_before);
    bool unmatch = false;
    int64_t from = INT64_MAX, last_stack = nest->last_stack;
    for (size_t i = 0; i < nest->late.n; i++) {
        const struct slice *x = &nest->late.v[i];
        bool stack = kind_of(x) != KIND_COMPLETE || x->dur == 0;
        if (stack && x->start < nest->last_stack)
            unmatch = true;
        if (stack && x->start > last_stack)
            last_stack = x->start;
        if (kind_of(x) != KIND_END && x->start < from)
            from = x->start;
    }
    if (unmatch) {
        from = INT64_MIN;
    } else {
        size_t n = closes(nest);
        for (size_t i = nest->active.n; n > 0; i--) {
            const struct slice *s = tail(nest, nest->active.v[i - 1]);
            if (slice_open(s)) {
                n--;
                if (s->start < from)
                    from = s->start;
            }
        }
    }
    uint64_t again = 0;
    for (uint32_t row = 0; row < nest->nlanes; row++)
        again += nest->lanes[row].n - lane_from(&nest->lanes[row], from);
    if (!all && again > 4 * nest->late.n + 65536)
        return;

    slices work = {nest->late.v, nest->late.n, nest->late.cap};
    size_t fresh = work.n;
    nest->late.v = NULL;
    nest->late.n = nest->late.cap = 0;
    take_back(nest, aside, &work, from, unmatch);
    if (from < INT64_MAX || again > 0) /* else only strays came */
        restore_active(nest, aside, from);
    merge_back(&work, fresh, event_before);
    match(nest, aside, &work);
    place_again(nest, aside, &work, true);
    nest->last_stack = last_stack;
    if (nest->last_start == INT64_MIN) { /* only strays came: what is in the rows stands */
        for (uint32_t row = 0; row < nest->nlanes; row++)
            if (nest->lanes[row].n > 0 && tail(nest, row)->start > nest->last_start)
                nest->last_start = tail(nest, row)->start;
        nest->last_complete = nest->last_start;
        nest->tie = -1;
    }
    work.n = 0;
    if (work.cap > 65536)
        vec_free(&work);
    nest->late.v = work.v;
    nest->late.cap = work.cap;
}

void nest_settle(struct nest *nest, const struct nest_aside *aside, bool all) {
    settle(nest, aside, all);
    if (all)
        end_hope(nest, aside);
}

/* ---- questions ---- */

uint32_t nest_open(const struct nest *nest) {
    uint32_t n = 0;
    for (size_t i = 0; i < nest->active.n; i++)
        n += slice_open(tail(nest, nest->active.v[i]));
    return n;
}

bool nest_parent(const struct nest *nest, const struct nest_aside *aside, uint32_t row, uint32_t i,
                 uint32_t *parent_row, uint32_t *parent) {
    const struct slice *s = &nest->lanes[row].v[i];
    if (slice_parent(s) == SLICE_NO_PARENT)
        return false;
    *parent = slice_parent(s);
    *parent_row =
        is_flagged(s, SLICE_DISPLACED) ? (uint32_t)aside->get(aside->ctx, slice_offset(s) + ASIDE_PARENT_ROW) : row - 1;
    return true;
}

uint32_t nest_depth(const struct nest *nest, const struct nest_aside *aside, uint32_t row, uint32_t i) {
    if (nest->displaced == 0)
        return row;
    uint32_t depth = 0;
    while (nest_parent(nest, aside, row, i, &row, &i))
        depth++;
    return depth;
}

struct place {
    uint32_t row, i;
};

static struct place up(const struct nest *nest, const struct nest_aside *aside, struct place p) {
    struct place parent = {UINT32_MAX, UINT32_MAX};
    nest_parent(nest, aside, p.row, p.i, &parent.row, &parent.i);
    return parent;
}

/* Does a come before b in nesting order? Where neither is inside the other, their ancestors below the one they share
 * tell; if those begin together, both are of the stack, and the file's order holds. */
static bool comes_before(const struct nest *nest, const struct nest_aside *aside, struct place a, struct place b) {
    uint32_t da = nest_depth(nest, aside, a.row, a.i), db = nest_depth(nest, aside, b.row, b.i), d = da;
    for (; d > db; d--)
        a = up(nest, aside, a);
    for (uint32_t k = db; k > d; k--)
        b = up(nest, aside, b);
    if (a.row == b.row && a.i == b.i)
        return da < db;
    for (; d > 0; d--) {
        struct place pa = up(nest, aside, a), pb = up(nest, aside, b);
        if (pa.row == pb.row && pa.i == pb.i)
            break;
        a = pa;
        b = pb;
    }
    const struct slice *x = &nest->lanes[a.row].v[a.i], *y = &nest->lanes[b.row].v[b.i];
    return x->start != y->start ? x->start < y->start : slice_offset(x) < slice_offset(y);
}

bool nest_at(const struct nest *nest, const struct nest_aside *aside, int64_t t, uint32_t *row, uint32_t *i) {
    bool found = false;
    for (uint32_t r = 0; r < nest->nlanes; r++) {
        uint32_t k = lane_before(&nest->lanes[r], t);
        if (k == UINT32_MAX)
            continue;
        const struct slice *s = &nest->lanes[r].v[k];
        if (slice_end(s) < t && nest->displaced == 0)
            break; /* nothing below a slice outlasts it */
        if (slice_end(s) <= t && s->start != t)
            continue;
        if (found) {
            const struct slice *best = &nest->lanes[*row].v[*i];
            if (s->start < best->start ||
                (s->start == best->start && !comes_before(nest, aside, (struct place){*row, *i}, (struct place){r, k})))
                continue;
        }
        found = true;
        *row = r;
        *i = k;
    }
    return found;
}

size_t nest_bytes(const struct nest *nest) {
    size_t n = nest->cap * sizeof *nest->lanes + nest->active.cap * 4 + nest->late.cap * sizeof(struct slice) +
               nest->strays.cap * sizeof *nest->strays.v;
    for (uint32_t i = 0; i < nest->nlanes; i++)
        n += lane_bytes(&nest->lanes[i]);
    return n;
}
