/* nest_late.c - nests late events: those that are earlier than slices that were nested already.
 *
 * nest_late_place() takes back the slices from the earliest affected time on (take_back()) and merges them with the
 * late events. If a late begin, end or complete event of no length precedes others of the stack, ends may close other
 * begins now: then all slices and strays are taken back and matched again (match()). The result is sorted in nesting
 * order and appended again (place_again()). [N4] is restored in between, for the rows that stay.
 *
 * Slices are sorted by writers' habits first: already in order, children before parents, then a merge of runs. Times:
 * ns relative to the reader's base. */
#include "model/nest/nest_internal.h"

#include <string.h>

#define NAME_UNKNOWN EVENT_NAME_MAX /* of an end that was taken back: decoded again if it meets another begin */

/* Kinds of an item: its event, or a pair. */
enum kind {
    KIND_BEGIN = NEST_BEGIN,
    KIND_END = NEST_END,
    KIND_COMPLETE = NEST_COMPLETE,
    KIND_PAIR, /* begin and end, matched */
};

typedef VEC(struct nest_item) items;

static bool event_before(const struct nest_item *a, const struct nest_item *b) {
    if (a->start != b->start)
        return a->start < b->start;
    return nest_offset(a) < nest_offset(b);
}

/* SEMANTICS 6.2 except ties between a slice of the stack and a complete event: see merge_ties(). */
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

typedef bool order(const struct nest_item *, const struct nest_item *);

static bool is_sorted(const struct nest_item *v, size_t n, order *before) {
    for (size_t i = 1; i < n; i++)
        if (before(&v[i], &v[i - 1]))
            return false;
    return true;
}

/* Sorts in linear time if parents follow their children, as writers of complete events leave them. One pass makes each
 * slice the parent of those before it that sort after it; a second reads the tree from the left. Returns false, and
 * leaves v as it is, if the result is not sorted. */
static bool sort_children_first(struct nest_item *v, size_t n, order *before) {
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
    struct nest_item *out = err_malloc(n * sizeof *out);
    for (size_t i = depth; i > 0; i--) /* the roots are on the stack, the last one on top: chain them in order */
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

/* A stable sort: nothing, if v is sorted; children first; else a merge of its sorted runs. */
static void sort_slices(struct nest_item *v, size_t n, order *before) {
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
    struct nest_item *from = v, *to = err_malloc(n * sizeof *v), *extra = to;
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
        struct nest_item *t = from;
        from = to;
        to = t;
    }
    if (from != v)
        memcpy(v, from, n * sizeof *v);
    free(extra);
    vec_free(&runs);
}

/* Merges slices that begin together: v[0..na) of the stack in file order, then complete events, longest first. By
 * SEMANTICS 6.2 a complete event goes after the last slice of the stack that is longer, or as long and earlier in the
 * file. */
static void merge_ties(struct nest_item *v, size_t na, size_t n, items *buffer) {
    VEC(size_t) maxima = {0}; /* from the right, each slice that is at least as long as all after it */
    VEC(size_t) after = {0};  /* where each complete event goes, last one first */
    for (size_t i = na; i > 0; i--)
        if (maxima.n == 0 || v[i - 1].dur >= v[maxima.v[maxima.n - 1]].dur)
            vec_push(&maxima, i - 1);
    size_t p = 0, done = 0;
    for (size_t c = n; c > na; c--) { /* shortest first: its place is the rightmost */
        const struct nest_item *x = &v[c - 1];
        for (; p < maxima.n; p++) {
            const struct nest_item *m = &v[maxima.v[p]];
            if (m->dur > x->dur || (m->dur == x->dur && nest_offset(m) < nest_offset(x)))
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

static void merge_all_ties(struct nest_item *v, size_t n) {
    items buffer = {0};
    for (size_t i = 0; i < n;) {
        size_t na = 0, m = 0;
        while (i + m < n && v[i + m].start == v[i].start) {
            na += nest_item_of_stack(&v[i + m]);
            m++;
        }
        if (na > 0 && na < m)
            merge_ties(v + i, na, m, &buffer);
        i += m;
    }
    vec_free(&buffer);
}

static const struct slice *top(const struct nest *nest) {
    return nest_tail(nest, nest->active.v[nest->active.n - 1]);
}

static bool is_child_of_top(const struct nest *nest, const struct slice_extra *extra, uint32_t row) {
    uint32_t parent_row, parent, top_row = nest->active.v[nest->active.n - 1];
    return nest_parent(nest, extra, row, nest->lanes[row].n - 1, &parent_row, &parent) && parent_row == top_row &&
           parent == nest->lanes[top_row].n - 1;
}

/* Restores [N4] after a cut at t: rows whose last slice reaches t, in nesting order, without those outlasted. */
static void restore_active(struct nest *nest, const struct slice_extra *extra, int64_t t) {
    items tails = {0}; /* start, row as dur */
    for (uint32_t row = 0; row < nest->nlanes; row++) {
        if (nest->lanes[row].n == 0)
            continue;
        const struct slice *s = nest_tail(nest, row);
        if (slice_end(s) >= t && (!nest_flagged(s, SLICE_COMPLETE) || slice_dur(s) > 0))
            vec_push(&tails, ((struct nest_item){.start = s->start, .dur = row, .packed = row}));
    }
    sort_slices(tails.v, tails.n, event_before);
    nest->active.n = 0;
    for (size_t i = 0; i < tails.n; i++) {
        uint32_t row = (uint32_t)tails.v[i].dur;
        const struct slice *s = nest_tail(nest, row);
        while (nest->active.n > 0 && slice_end(top(nest)) < slice_end(s) && !is_child_of_top(nest, extra, row))
            nest->active.n--;
        vec_push(&nest->active, row);
    }
    vec_free(&tails);
}

/* An end that was matched, or a stray, as an item again. */
static struct nest_item late_end(int64_t time, uint64_t offset) {
    return (struct nest_item){
        .start = time, .dur = SLICE_OPEN, .packed = event_pack(offset, NAME_UNKNOWN), .event = KIND_END};
}

static void take_back(struct nest *nest, const struct slice_extra *extra, items *work, int64_t t, bool unmatch) {
    for (uint32_t row = 0; row < nest->nlanes; row++) {
        struct lane *lane = &nest->lanes[row];
        uint32_t from = lane_from(lane, t);
        for (uint32_t i = from; i < lane->n; i++) {
            const struct slice *s = lane_at(lane, i);
            unsigned flags = slice_flags(s);
            struct nest_item x = {
                .start = s->start, .dur = slice_dur(s), .packed = s->begin_word, .event = KIND_COMPLETE};
            if (s->end_word & SLICE_IS_LONG)
                x.packed = event_pack(slice_offset(s), extra->end_name(extra->ctx, slice_offset(s)));
            nest->overlaps -= (flags & SLICE_OVERLAP) != 0;
            nest->displaced -= (flags & SLICE_DISPLACED) != 0;
            nest->slices--;
            x.flags = flags & (SLICE_COMPLETE | SLICE_MISMATCH);
            if (slice_open(s)) {
                x.event = KIND_BEGIN;
            } else if (!(flags & SLICE_COMPLETE)) {
                uint64_t end = slice_extra_end_offset(extra, s);
                x.event = KIND_PAIR;
                x.end = end / 8 + 1;
                if (unmatch) {
                    vec_push(work, late_end(slice_end(s), end));
                    nest->mismatches -= (flags & SLICE_MISMATCH) != 0;
                    x = (struct nest_item){
                        .start = x.start, .dur = SLICE_OPEN, .packed = x.packed, .event = KIND_BEGIN};
                }
            }
            vec_push(work, x);
        }
        lane_cut(lane, from);
    }
    if (unmatch) {
        for (size_t i = 0; i < nest->strays.n; i++)
            vec_push(work, late_end(nest->strays.v[i].time, nest->strays.v[i].offset));
        nest->strays.n = 0;
    }
}

/* Lets ends close the latest open begin (SEMANTICS 6.1); slices remain. work must be sorted by event_before(). */
static void match(struct nest *nest, const struct slice_extra *extra, items *work) {
    VEC(size_t) open = {0};
    size_t n = 0;
    for (size_t i = 0; i < work->n; i++) {
        struct nest_item x = work->v[i];
        if ((enum kind)x.event != KIND_END) {
            if ((enum kind)x.event == KIND_BEGIN)
                vec_push(&open, n);
            work->v[n++] = x;
            continue;
        }
        if (open.n == 0) {
            nest_add_stray(nest, x.start, nest_offset(&x));
            continue;
        }
        struct nest_item *s = &work->v[open.v[--open.n]];
        uint32_t name = event_name(x.packed);
        if (name == NAME_UNKNOWN)
            name = extra->end_name(extra->ctx, nest_offset(&x));
        bool differs = nest_name_differs(s->packed, event_pack(0, name));
        nest->mismatches += differs;
        s->flags = differs ? SLICE_MISMATCH : 0;
        s->dur = x.start - s->start;
        s->end = nest_offset(&x) / 8 + 1;
        s->event = KIND_PAIR;
    }
    work->n = n;
    vec_free(&open);
}

/* The number of open slices in the rows that the late ends close. `late` must be sorted by event_before(). */
static size_t closes(const struct nest *nest) {
    size_t open = nest_open(nest), inside = 0, closed = 0;
    for (size_t i = 0; i < nest->late.n; i++) {
        switch ((enum kind)nest->late.v[i].event) {
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

/* v[0..fresh) is sorted; the tail is grouped by row. Sorts the tail, then merges both in place, from the end. */
static void merge_back(items *work, size_t fresh, order *before) {
    size_t n = work->n - fresh;
    if (n == 0)
        return;
    struct nest_item *back = err_malloc(n * sizeof *back);
    memcpy(back, work->v + fresh, n * sizeof *back);
    sort_slices(back, n, before);
    for (size_t i = fresh, k = work->n; n > 0;)
        work->v[--k] = i > 0 && before(&back[n - 1], &work->v[i - 1]) ? work->v[--i] : back[--n];
    free(back);
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

static void place_again(struct nest *nest, const struct slice_extra *extra, items *work, bool allow_open) {
    sort_slices(work->v, work->n, nests_before);
    merge_all_ties(work->v, work->n);
    nest->last_complete = nest->last_start = INT64_MIN;
    nest->tie = INT64_MAX;
    for (size_t i = 0; i < work->n; i++)
        nest_place(nest, extra, &work->v[i], allow_open);
    while (nest->nlanes > 0 && nest->lanes[nest->nlanes - 1].n == 0) /* its slices are on higher rows now */
        lane_free(&nest->lanes[--nest->nlanes]);
    for (uint32_t row = 0; row < nest->nlanes; row++)
        lane_index(&nest->lanes[row]);
}

void nest_late_place_open(struct nest *nest, const struct slice_extra *extra) {
    int64_t from = hopeful(nest, extra);
    if (from == INT64_MAX)
        return;
    items work = {0};
    take_back(nest, extra, &work, from, false);
    restore_active(nest, extra, from);
    place_again(nest, extra, &work, false);
    vec_free(&work);
}

void nest_late_place(struct nest *nest, const struct slice_extra *extra, bool all) {
    if (nest->late.n == 0)
        return;
    sort_slices(nest->late.v, nest->late.n, event_before);
    bool unmatch = false;
    int64_t from = INT64_MAX, last_stack = nest->last_stack;
    for (size_t i = 0; i < nest->late.n; i++) {
        const struct nest_item *x = &nest->late.v[i];
        bool stack = (enum kind)x->event != KIND_COMPLETE || x->dur == 0;
        if (stack && x->start < nest->last_stack)
            unmatch = true;
        if (stack && x->start > last_stack)
            last_stack = x->start;
        if ((enum kind)x->event != KIND_END && x->start < from)
            from = x->start;
    }
    if (unmatch) {
        from = INT64_MIN;
    } else {
        size_t n = closes(nest);
        for (size_t i = nest->active.n; n > 0; i--) {
            const struct slice *s = nest_tail(nest, nest->active.v[i - 1]);
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

    items work = {nest->late.v, nest->late.n, nest->late.cap};
    size_t fresh = work.n;
    nest->late.v = NULL;
    nest->late.n = nest->late.cap = 0;
    take_back(nest, extra, &work, from, unmatch);
    if (from < INT64_MAX || again > 0) /* else only strays were late */
        restore_active(nest, extra, from);
    merge_back(&work, fresh, event_before);
    match(nest, extra, &work);
    place_again(nest, extra, &work, true);
    nest->last_stack = last_stack;
    if (nest->last_start == INT64_MIN) { /* only strays were late: the rows are as before */
        for (uint32_t row = 0; row < nest->nlanes; row++)
            if (nest->lanes[row].n > 0 && nest_tail(nest, row)->start > nest->last_start)
                nest->last_start = nest_tail(nest, row)->start;
        nest->last_complete = nest->last_start;
        nest->tie = -1;
    }
    work.n = 0;
    if (work.cap > 65536)
        vec_free(&work);
    nest->late.v = work.v;
    nest->late.cap = work.cap;
}
