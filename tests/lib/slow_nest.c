/* slow_nest.c - see slow_nest.h.
 *
 * The events are sorted by time, and begins and ends are matched by a stack. Then all slices are
 * brought into nesting order, and each one searches all before it for its parent: quadratic time,
 * and nothing of model/nest is used. */
#include "tests/lib/slow_nest.h"

#include <stdlib.h>

struct slow_nest slow_nest;
uint64_t slow_nest_losses[SLOW_NEST_LOSSES];
size_t slow_nest_n_losses;

bool slow_nest_lost(uint64_t from, uint64_t to) {
    for (size_t i = 0; i < slow_nest_n_losses; i++)
        if (slow_nest_losses[i] > from && slow_nest_losses[i] < to)
            return true;
    return false;
}

static bool is_stack(const struct slow_event *e) {
    return e->event != NEST_COMPLETE || e->end == e->time || slow_unended(e);
}

static int by_time(const void *a, const void *b) {
    const struct slow_event *x = *(const struct slow_event *const *)a,
                            *y = *(const struct slow_event *const *)b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static struct slow_node *add_node(const struct slow_event *e) {
    slow_nest.nodes[slow_nest.n_nodes] = (struct slow_node){
        .start = e->time, .end = e->end, .offset = e->offset, .name = e->name, .parent = -1};
    return &slow_nest.nodes[slow_nest.n_nodes++];
}

static uint32_t stray_names[SLOW_NEST_MOST];
static bool claimed[SLOW_NEST_MOST]; /* strays that close a begin of their time */

static void close_node(struct slow_node *b, int64_t end, uint64_t end_offset, bool mismatch) {
    b->end = end;
    b->end_offset = end_offset;
    b->open = false;
    b->mismatch = mismatch;
    slow_nest.n_mismatches += mismatch;
}

/* SEMANTICS 6.12: the latest end of the time and name of a begin, before it in the file, that
 * closes nothing else; or -1. */
static int claim_of(const struct slow_node *b) {
    for (int i = (int)slow_nest.n_strays - 1; i >= 0; i--)
        if (b->name != 0 && slow_nest.strays[i].time == b->start &&
            slow_nest.strays[i].offset < b->offset && stray_names[i] == b->name && !claimed[i])
            return i;
    return -1;
}

/* A begin without an end of its own: that of its time and name closes it, else what closes a slice
 * around it. */
static void lose(struct slow_node *b, const struct slow_event *around, bool named) {
    int claim = named ? claim_of(b) : -1;
    if (claim >= 0) {
        claimed[claim] = true;
        close_node(b, b->start, slow_nest.strays[claim].offset, false);
    } else if (around) {
        close_node(b, around->time, around->offset, true);
        b->lost = true;
        slow_nest.n_lost++;
    }
}

/* SEMANTICS 6.1: begins, ends and completes of length zero nest as a stack does; 6.12: ends close
 * by name. */
static void reference_stack(const struct slow_event **sorted, size_t n, bool named) {
    static int open[SLOW_NEST_MOST]; /* nodes */
    int depth = 0;
    size_t strays = 0;
    for (size_t i = 0; i < n; i++) {
        const struct slow_event *e = sorted[i];
        if (!is_stack(e))
            continue;
        if (e->event == NEST_END) {
            int k = depth - 1;
            bool by_name =
                named || (k >= 0 && slow_nest_lost(slow_nest.nodes[open[k]].offset, e->offset));
            while (by_name && e->name != 0 && k >= 0 && slow_nest.nodes[open[k]].name != e->name)
                k--;
            if (k < 0) {
                claimed[slow_nest.n_strays] = false;
                stray_names[slow_nest.n_strays] = e->name;
                slow_nest.strays[slow_nest.n_strays++] = (struct nest_stray){e->time, e->offset};
                continue;
            }
            while (depth - 1 > k)
                lose(&slow_nest.nodes[open[--depth]], e, named);
            struct slow_node *b = &slow_nest.nodes[open[--depth]];
            close_node(b, e->time, e->offset, e->name != 0 && e->name != b->name);
            continue;
        }
        struct slow_node *x = add_node(e);
        x->stack = true;
        x->complete = e->event == NEST_COMPLETE;
        x->unended = slow_unended(e);
        x->end = e->time;
        if (e->event == NEST_BEGIN) {
            x->open = true;
            x->end = INT64_MAX;
            open[depth++] = (int)slow_nest.n_nodes - 1;
        }
    }
    while (depth > 0)
        lose(&slow_nest.nodes[open[--depth]], NULL, named);
    for (size_t i = 0; i < slow_nest.n_strays; i++)
        if (!claimed[i])
            slow_nest.strays[strays++] = slow_nest.strays[i];
    slow_nest.n_strays = strays;
}

/* SEMANTICS 6.13: the next slice, or the end of the one around it, bounds a slice without a known
 * end. */
static void bound(struct slow_node *x, const struct slow_node *next) {
    int64_t around = x->parent < 0 ? INT64_MAX : slow_nest.nodes[x->parent].end;
    x->open = x->mismatch = true;
    x->end = next && next->start < around ? next->start : around;
    x->complete = x->end != INT64_MAX;
}

/* SEMANTICS 6.2 at one begin time: how many of the stack's slices stand before complete c. */
static int place_among(const struct slow_node *c, size_t n_stack) {
    int place = 0, k = 0;
    for (size_t i = 0; i < n_stack; i++) {
        const struct slow_node *s = &slow_nest.nodes[i];
        if (s->start != c->start)
            continue;
        k++;
        if (s->end > c->end || (s->end == c->end && s->offset < c->offset))
            place = k;
    }
    return place;
}

static int in_order(const void *a, const void *b) {
    const struct slow_node *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    /* the stack's own place is its number; completes at that place follow it */
    if (x->stack != y->stack)
        return x->stack ? -1 : 1;
    if (!x->stack && x->end != y->end)
        return x->end > y->end ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* SEMANTICS 6.3: has c, which is before x, ended when x begins? */
static bool has_ended(const struct slow_node *c, const struct slow_node *x) {
    if (c->open || c->end > x->start)
        return false;
    if (c->end < x->start || !c->stack || !x->stack)
        return true;
    return c->complete || c->end_offset < x->offset; /* as the stack had it */
}

static bool contains(const struct slow_node *c, const struct slow_node *x) {
    return c->open || (!x->open && c->end >= x->end);
}

void slow_nest_read(const struct slow_event *events, size_t n, bool named) {
    static const struct slow_event *sorted[SLOW_NEST_MOST];
    slow_nest.n_nodes = slow_nest.n_strays = slow_nest.n_overlaps = slow_nest.n_mismatches =
        slow_nest.n_lost = 0;
    for (size_t i = 0; i < n; i++)
        sorted[i] = &events[i];
    qsort(sorted, n, sizeof *sorted, by_time);
    reference_stack(sorted, n, named);
    size_t n_stack = slow_nest.n_nodes;
    for (size_t i = 0; i < n_stack; i++) {
        slow_nest.nodes[i].place = 1;
        for (size_t k = 0; k < i; k++)
            slow_nest.nodes[i].place += slow_nest.nodes[k].start == slow_nest.nodes[i].start;
    }
    for (size_t i = 0; i < n; i++)
        if (!is_stack(sorted[i])) {
            struct slow_node *x = add_node(sorted[i]);
            x->complete = true;
            x->place = place_among(x, n_stack);
        }
    qsort(slow_nest.nodes, slow_nest.n_nodes, sizeof *slow_nest.nodes, in_order);
    for (size_t i = 0; i < slow_nest.n_nodes; i++) {
        struct slow_node *x = &slow_nest.nodes[i];
        bool latest = true;
        for (size_t k = i; k-- > 0 && x->parent < 0;) {
            if (has_ended(&slow_nest.nodes[k], x))
                continue;
            if (contains(&slow_nest.nodes[k], x))
                x->parent = (int)k;
            else if (latest)
                x->overlap = true;
            latest = false;
        }
        slow_nest.n_overlaps += x->overlap;
        x->depth = x->parent < 0 ? 0 : slow_nest.nodes[x->parent].depth + 1;
    }
    for (size_t i = 0; i < slow_nest.n_nodes; i++)
        if (slow_nest.nodes[i].unended)
            bound(&slow_nest.nodes[i], i + 1 < slow_nest.n_nodes ? &slow_nest.nodes[i + 1] : NULL);
}

int slow_nest_at(uint64_t offset) {
    for (size_t i = 0; i < slow_nest.n_nodes; i++)
        if (slow_nest.nodes[i].offset == offset)
            return (int)i;
    return -1;
}
