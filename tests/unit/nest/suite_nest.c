/* suite_nest.c - nesting against a slow and obvious reading of SEMANTICS 6, and against itself in other
 * steps. */
#include "model/nest/nest_buffer.h"
#include "model/nest/nest_enclosing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUST_SHOW show()
#include "tests/lib/chance.h"
#include "tests/lib/must.h"
#include "tests/lib/suites.h"

#define MOST 4096 /* events of a set that the reference sees */

struct event {
    enum nest_event event;
    int64_t time, end;
    uint64_t offset;
    uint32_t name;
};

static struct event events[MOST];
static size_t n_events;
static int set_number;

static struct chance chance = {4711};

/* The events as they were, for the message of a failed test. */
static const char *show(void) {
    static char text[4000];
    size_t n = (size_t)snprintf(text, sizeof text, "set %d:\n", set_number);
    for (size_t i = 0; i < n_events && n + 100 < sizeof text; i++) {
        const struct event *e = &events[i];
        static const char *const words[] = {"begin", "end", "complete"};
        n += (size_t)snprintf(text + n, sizeof text - n, "%s %lld", words[e->event], (long long)e->time);
        if (e->event == NEST_COMPLETE)
            n += (size_t)snprintf(text + n, sizeof text - n, "..%lld", (long long)e->end);
        n += (size_t)snprintf(text + n, sizeof text - n, " name %u @%llu\n", e->name, (unsigned long long)e->offset);
    }
    return text;
}

/* ---- what the nest asks ---- */

static struct { uint64_t key, value; } facts[8 * MOST];
static size_t n_facts;

static void put(void *ctx, uint64_t key, uint64_t value) {
    size_t i = 0;
    (void)ctx;
    while (i < n_facts && facts[i].key != key)
        i++;
    if (i == n_facts)
        n_facts++;
    facts[i].key = key;
    facts[i].value = value;
}

static uint64_t get(void *ctx, uint64_t key) {
    (void)ctx;
    for (size_t i = 0; i < n_facts; i++)
        if (facts[i].key == key)
            return facts[i].value;
    return UINT64_MAX;
}

static uint32_t end_name(void *ctx, uint64_t offset) {
    (void)ctx;
    for (size_t i = 0; i < n_events; i++)
        if (events[i].offset == offset)
            return events[i].name;
    ck_abort_msg("name asked of what is no record");
}

static const struct slice_extra aside = {NULL, end_name, put, get, NULL};

/* ---- the reference ---- */

struct node {
    int64_t start, end;          /* INT64_MAX: open */
    uint64_t offset, end_offset; /* 0: has none */
    uint32_t name;
    bool stack, complete, open, mismatch, overlap;
    bool seen;
    int parent, depth, place;
};

static struct node nodes[MOST];
static size_t n_nodes;
static struct nest_stray strays[MOST];
static size_t n_strays, n_overlaps, n_mismatches;

static bool is_stack(const struct event *e) {
    return e->event != NEST_COMPLETE || e->end == e->time;
}

static int by_time(const void *a, const void *b) {
    const struct event *x = *(const struct event *const *)a, *y = *(const struct event *const *)b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static struct node *add_node(const struct event *e) {
    nodes[n_nodes] = (struct node){.start = e->time, .end = e->end, .offset = e->offset, .name = e->name, .parent = -1};
    return &nodes[n_nodes++];
}

/* SEMANTICS 6.1: begins, ends and completes of length zero nest as a stack does. */
static void reference_stack(const struct event **sorted, size_t n) {
    static int open[MOST];
    int depth = 0;
    for (size_t i = 0; i < n; i++) {
        const struct event *e = sorted[i];
        if (!is_stack(e))
            continue;
        if (e->event == NEST_END) {
            if (depth == 0) {
                strays[n_strays++] = (struct nest_stray){e->time, e->offset};
                continue;
            }
            struct node *b = &nodes[open[--depth]];
            b->end = e->time;
            b->end_offset = e->offset;
            b->open = false;
            b->mismatch = e->name != 0 && e->name != b->name;
            n_mismatches += b->mismatch;
            continue;
        }
        struct node *x = add_node(e);
        x->stack = true;
        x->complete = e->event == NEST_COMPLETE;
        if (e->event == NEST_BEGIN) {
            x->open = true;
            x->end = INT64_MAX;
            open[depth++] = (int)n_nodes - 1;
        }
    }
}

/* SEMANTICS 6.2 at one begin time: how many of the stack's slices stand before complete c. */
static int place_among(const struct node *c, size_t n_stack) {
    int place = 0, k = 0;
    for (size_t i = 0; i < n_stack; i++) {
        const struct node *s = &nodes[i];
        if (s->start != c->start)
            continue;
        k++;
        if (s->end > c->end || (s->end == c->end && s->offset < c->offset))
            place = k;
    }
    return place;
}

static int in_order(const void *a, const void *b) {
    const struct node *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    if (x->stack != y->stack) /* the stack's own place is its number; completes at that place follow it */
        return x->stack ? -1 : 1;
    if (!x->stack && x->end != y->end)
        return x->end > y->end ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* SEMANTICS 6.3: has c, which is before x, ended when x begins? */
static bool has_ended(const struct node *c, const struct node *x) {
    if (c->open || c->end > x->start)
        return false;
    if (c->end < x->start || !c->stack || !x->stack)
        return true;
    return c->complete || c->end_offset < x->offset; /* as the stack had it */
}

static bool contains(const struct node *c, const struct node *x) {
    return c->open || (!x->open && c->end >= x->end);
}

static void reference(size_t n) {
    static const struct event *sorted[MOST];
    n_nodes = n_strays = n_overlaps = n_mismatches = 0;
    for (size_t i = 0; i < n; i++)
        sorted[i] = &events[i];
    qsort(sorted, n, sizeof *sorted, by_time);
    reference_stack(sorted, n);
    size_t n_stack = n_nodes;
    for (size_t i = 0; i < n_stack; i++) {
        nodes[i].place = 1;
        for (size_t k = 0; k < i; k++)
            nodes[i].place += nodes[k].start == nodes[i].start;
    }
    for (size_t i = 0; i < n; i++)
        if (!is_stack(sorted[i])) {
            struct node *x = add_node(sorted[i]);
            x->complete = true;
            x->place = place_among(x, n_stack);
        }
    qsort(nodes, n_nodes, sizeof *nodes, in_order);
    for (size_t i = 0; i < n_nodes; i++) {
        struct node *x = &nodes[i];
        bool latest = true;
        for (size_t k = i; k-- > 0 && x->parent < 0;) {
            if (has_ended(&nodes[k], x))
                continue;
            if (contains(&nodes[k], x))
                x->parent = (int)k;
            else if (latest)
                x->overlap = true;
            latest = false;
        }
        n_overlaps += x->overlap;
        x->depth = x->parent < 0 ? 0 : nodes[x->parent].depth + 1;
    }
}

static int node_at(uint64_t offset) {
    for (size_t i = 0; i < n_nodes; i++)
        if (nodes[i].offset == offset)
            return (int)i;
    return -1;
}

/* ---- comparison ---- */

static int by_offset(const void *a, const void *b) {
    const struct nest_stray *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void same_strays(const struct nest *nest) {
    static struct nest_stray got[MOST];
    MUST(nest->strays.n == n_strays);
    for (size_t i = 0; i < n_strays; i++)
        got[i] = nest->strays.v[i];
    qsort(got, n_strays, sizeof *got, by_offset);
    qsort(strays, n_strays, sizeof *strays, by_offset);
    for (size_t i = 0; i < n_strays; i++)
        MUST(got[i].time == strays[i].time && got[i].offset == strays[i].offset);
}

static void same_slice(const struct nest *nest, uint32_t row, uint32_t i) {
    const struct slice *s = lane_at(&nest->lanes[row], i);
    int k = node_at(slice_offset(s));
    MUST(k >= 0);
    struct node *x = &nodes[k];
    MUST(!x->seen);
    x->seen = true;
    MUST(s->start == x->start && slice_end(s) == x->end && slice_open(s) == x->open);
    MUST(slice_name(s) == x->name);
    MUST(slice_extra_end_offset(&aside, s) == x->end_offset);
    MUST(((slice_flags(s) & SLICE_COMPLETE) != 0) == x->complete);
    MUST(((slice_flags(s) & SLICE_OVERLAP) != 0) == x->overlap);
    MUST(((slice_flags(s) & SLICE_MISMATCH) != 0) == x->mismatch);
    uint32_t parent_row, parent;
    bool has = nest_parent(nest, &aside, row, i, &parent_row, &parent);
    MUST(has == (x->parent >= 0));
    if (has) {
        MUST(parent_row < row && parent_row < nest->nlanes && parent < nest->lanes[parent_row].n);
        MUST(slice_offset(lane_at(&nest->lanes[parent_row], parent)) == nodes[x->parent].offset);
    }
    MUST(nest_depth(nest, &aside, row, i) == (uint32_t)x->depth);
    uint32_t want = has ? parent_row + 1 : 0;
    MUST(((slice_flags(s) & SLICE_DISPLACED) != 0) == (row != want));
}

static void same_rows(const struct nest *nest) {
    size_t slices = 0, displaced = 0, open = 0;
    for (uint32_t row = 0; row < nest->nlanes; row++) {
        const struct lane *lane = &nest->lanes[row];
        for (uint32_t i = 0; i < lane->n; i++) {
            MUST(i == 0 || slice_end(lane_at(lane, i - 1)) <= lane_at(lane, i)->start);
            MUST(!slice_open(lane_at(lane, i)) || i == lane->n - 1);
            same_slice(nest, row, i);
            displaced += (slice_flags(lane_at(lane, i)) & SLICE_DISPLACED) != 0;
            open += slice_open(lane_at(lane, i));
        }
        slices += lane->n;
    }
    MUST(slices == n_nodes && nest->slices == n_nodes);
    MUST(nest->overlaps == n_overlaps);
    MUST(nest->mismatches == n_mismatches);
    MUST(nest->displaced == displaced);
    MUST(nest_open(nest) == open);
    same_strays(nest);
}

/* Checks that also hold while events wait, because the nest may be asked at any time. */
static void sound(const struct nest *nest) {
    size_t slices = 0, open = 0;
    for (uint32_t row = 0; row < nest->nlanes; row++) {
        const struct lane *lane = &nest->lanes[row];
        slices += lane->n;
        for (uint32_t i = 0; i < lane->n; i++) {
            uint32_t parent_row, parent;
            MUST(i == 0 || slice_end(lane_at(lane, i - 1)) <= lane_at(lane, i)->start);
            open += slice_open(lane_at(lane, i));
            if (!nest_parent(nest, &aside, row, i, &parent_row, &parent))
                continue;
            MUST(parent_row < row && parent < nest->lanes[parent_row].n);
            MUST(lane_at(&nest->lanes[parent_row], parent)->start <= lane_at(lane, i)->start);
        }
    }
    MUST(nest->slices == slices);
    MUST(nest_open(nest) == open);
}

static void same_at(struct nest *nest, const struct nest_enclosing *around, int64_t t) {
    int want = -1;
    for (size_t i = 0; i < n_nodes; i++)
        if (nodes[i].start == t || (nodes[i].start < t && (nodes[i].open || t < nodes[i].end)))
            want = (int)i;
    uint32_t row = 0, i = 0;
    bool found = nest_at(nest, &aside, t, &row, &i);
    MUST(found == (want >= 0));
    if (found)
        MUST(slice_offset(lane_at(&nest->lanes[row], i)) == nodes[want].offset);
    MUST(nest_enclosing_at(around, t, &row, &i) == found); /* which nest_at() asks where there are many rows */
    if (found)
        MUST(slice_offset(lane_at(&nest->lanes[row], i)) == nodes[want].offset);
}

/* While nest_deeper_until() holds, the innermost slice is further down. If every parent is on the row above, it ends
 * with the slice that is open on the next row. */
static void same_deeper(const struct nest *nest, int64_t t) {
    for (uint32_t above = 0; above < nest->nlanes; above++) {
        const struct lane *lane = above + 1 < nest->nlanes ? &nest->lanes[above + 1] : NULL;
        int64_t until = nest_deeper_until(nest, above, t), want = t;
        for (uint32_t i = 0; lane && nest->displaced == 0 && i < lane->n; i++)
            if (lane_at(lane, i)->start <= t && slice_end(lane_at(lane, i)) > t)
                want = slice_end(lane_at(lane, i));
        MUST(until == want);
        for (int k = 0; k < 3 && until > t; k++) {
            uint32_t row, i;
            int64_t at = k == 0 ? t : k == 1 ? until - 1 : t + (int64_t)(((uint64_t)until - (uint64_t)t) / 2);
            MUST(nest_at(nest, &aside, at, &row, &i) && row > above);
        }
    }
}

static void compare(struct nest *nest, size_t n) {
    MUST(nest->late.n == 0);
    MUST(nest->nlanes == 0 || nest->lanes[nest->nlanes - 1].n > 0);
    reference(n);
    same_rows(nest);
    struct nest_enclosing *around = nest_enclosing_new(nest, &aside);
    for (int k = 0; k < 8 && n > 0; k++) {
        const struct event *e = &events[below(&chance, n)];
        same_at(nest, around, e->time + (int64_t)below(&chance, 3) - 1);
        same_deeper(nest, e->time + k % 3 - 1);
        same_at(nest, around, e->end);
    }
    nest_enclosing_free(around);
}

static bool same_nests(const struct nest *a, const struct nest *b) {
    if (a->nlanes != b->nlanes)
        return false;
    for (uint32_t row = 0; row < a->nlanes; row++) {
        uint32_t n = a->lanes[row].n;
        if (n != b->lanes[row].n)
            return false;
        for (uint32_t i = 0; i < n; i++)
            if (memcmp(lane_at(&a->lanes[row], i), lane_at(&b->lanes[row], i), sizeof(struct slice)) != 0)
                return false;
    }
    return a->slices == b->slices && a->overlaps == b->overlaps && a->mismatches == b->mismatches &&
           a->displaced == b->displaced && a->strays.n == b->strays.n;
}

/* ---- sets of events ---- */

/* How a set looks: each of these alone is what some writers do; together they are what damage makes of it. */
struct taste {
    unsigned begins, ends, completes; /* weights */
    uint64_t steps;                   /* by which time goes on at most */
    uint64_t longest;                 /* complete events */
    unsigned late;                    /* one in so many comes from earlier; 0: none */
    uint64_t how_late;
    uint64_t names;
    uint64_t apart;  /* records in words */
    int64_t unit;    /* ns */
    unsigned settle; /* one in so many events is followed by a settling */
    bool calls;      /* make_calls() */
};

static struct taste any_taste(void) {
    struct taste t = {.begins = 1 + (unsigned)below(&chance, 6),
                      .ends = 1 + (unsigned)below(&chance, 6),
                      .completes = (unsigned)below(&chance, 7),
                      .steps = 1 + below(&chance, 4),
                      .longest = below(&chance, 4) * below(&chance, 9),
                      .late = (unsigned)below(&chance, 4) * 2,
                      .how_late = 1 + below(&chance, 12),
                      .names = 1 + below(&chance, 4),
                      .apart = 1 + below(&chance, 5),
                      .unit = 1,
                      .settle = 1 + (unsigned)below(&chance, 12),
                      .calls = below(&chance, 3) == 0};
    if (t.calls && below(&chance, 2))
        t.settle *= 1 + (unsigned)below(&chance, 8);
    if (below(&chance, 4) == 0)
        t.begins = t.ends = 0;
    if (t.begins + t.ends + t.completes == 0)
        t.completes = 1;
    if (below(&chance, 8) == 0)
        t.apart = UINT64_C(1) << 29; /* farther than a slice can store */
    if (below(&chance, 8) == 0)
        t.unit = INT64_C(1) << 48;
    return t;
}

/* Events of a program that calls and returns: begins and ends as they happen, completes when they end. Some begins
 * never end, some ends never began. */
static void make_calls(const struct taste *t, size_t n) {
    struct {
        int64_t begin;
        bool complete;
    } stack[64];
    unsigned depth = 0;
    uint64_t offset = 8, deep = 1 + below(&chance, 8) * below(&chance, 8);
    int64_t now = -3 * t->unit;
    for (size_t i = 0; i < n;) {
        struct event e = {NEST_END, 0, 0, offset, (uint32_t)below(&chance, t->names)};
        now += (int64_t)below(&chance, t->steps) * t->unit;
        e.time = e.end = now;
        if (depth < deep && below(&chance, 2) == 0) {
            stack[depth].begin = now;
            stack[depth].complete = below(&chance, t->begins + t->completes) >= t->begins;
            if (!stack[depth++].complete) {
                e.event = NEST_BEGIN;
                e.name++;
                events[i++] = e;
            } else if (below(&chance, 30) == 0) {
                depth--; /* it has not ended when the trace does */
            }
        } else if (depth > 0 && below(&chance, 40) != 0) {
            depth--;
            if (stack[depth].complete) {
                e.event = NEST_COMPLETE;
                e.time = stack[depth].begin;
                e.name++;
            }
            events[i++] = e;
        } else if (below(&chance, 40) == 0) {
            events[i++] = e;
        }
        offset += (1 + below(&chance, t->apart)) * 8;
    }
    n_events = n;
    n_facts = 0;
}

static void make_events(const struct taste *t, size_t n) {
    if (t->calls) {
        make_calls(t, n);
        return;
    }
    int64_t now = t->unit == 1 ? (int64_t)below(&chance, 3) - 1 : -(t->unit << 8);
    uint64_t offset = 8;
    for (size_t i = 0; i < n; i++) {
        struct event *e = &events[i];
        uint64_t selection = below(&chance, t->begins + t->ends + t->completes);
        now += (int64_t)below(&chance, t->steps) * t->unit;
        e->event = selection < t->begins ? NEST_BEGIN : selection < t->begins + t->ends ? NEST_END : NEST_COMPLETE;
        e->time = e->end = now;
        if (t->late > 0 && below(&chance, t->late) == 0)
            e->time = e->end = now - (int64_t)below(&chance, t->how_late) * t->unit;
        if (e->event == NEST_COMPLETE) {
            int64_t length = (int64_t)below(&chance, t->longest + 1) * t->unit;
            e->end = e->time + length;
            if (t->settle % 2) { /* written when it ends, after its children */
                e->time -= length;
                e->end -= length;
            }
        }
        e->name = (uint32_t)below(&chance, t->names) + (e->event != NEST_END);
        e->offset = offset;
        offset += (1 + below(&chance, t->apart)) * 8;
    }
    n_events = n;
    n_facts = 0;
}

struct fed { /* a nest and what feeds it */
    struct nest nest;
    struct nest_buffer buffer;
};

static void start(struct fed *f, const struct slice_extra *extra) {
    nest_init(&f->nest);
    nest_buffer_init(&f->buffer, &f->nest, extra);
}

static void finish(struct fed *f) {
    nest_buffer_free(&f->buffer);
    nest_free(&f->nest);
}

static void feed(struct fed *f, const struct event *e) {
    nest_buffer_add(&f->buffer, e->event, e->time, e->end, e->offset, e->name);
}

START_TEST(sets_that_once_failed) {
    static const struct {
        size_t n;
        struct {
            enum nest_event event;
            int64_t time, end;
            int settle; /* after it: 1 flushes the cheap part, 2 all */
        } v[5];
    } sets[] = {
        /* a begin placed as if it had no end, though the complete event around it contains it in the end */
        {3, {{NEST_COMPLETE, 0, 3, 0}, {NEST_BEGIN, 1, 1, 2}, {NEST_END, 2, 2, 0}}},
        /* a settling of nothing but an end that closes nothing: what runs goes on */
        {3, {{NEST_COMPLETE, 0, 10, 0}, {NEST_END, -1, -1, 1}, {NEST_COMPLETE, 2, 3, 0}}},
        /* a late complete event inside a pair that has ended before it came */
        {4, {{NEST_BEGIN, 0, 0, 0}, {NEST_BEGIN, 0, 0, 0}, {NEST_END, 2, 2, 0}, {NEST_COMPLETE, 1, 2, 0}}},
        /* what a begin outlasts has ended when a later part is placed again */
        {5,
         {{NEST_BEGIN, -1, -1, 0},
          {NEST_COMPLETE, -2, 0, 1},
          {NEST_BEGIN, 1, 1, 0},
          {NEST_END, 3, 3, 0},
          {NEST_COMPLETE, 2, 3, 1}}},
        /* as long as the complete event of the same begin, which is earlier in the file: inside it */
        {3, {{NEST_COMPLETE, 13, 14, 0}, {NEST_BEGIN, 13, 13, 1}, {NEST_END, 14, 14, 0}}},
    };
    for (set_number = 0; set_number < (int)(sizeof sets / sizeof *sets); set_number++) {
        struct fed nest;
        start(&nest, &aside);
        n_events = n_facts = 0;
        for (size_t i = 0; i < sets[set_number].n; i++) {
            int64_t time = sets[set_number].v[i].time, end = sets[set_number].v[i].end;
            events[n_events++] = (struct event){sets[set_number].v[i].event, time, end, 8 + 16 * i, 1};
            feed(&nest, &events[i]);
            if (sets[set_number].v[i].settle > 0)
                nest_buffer_flush_all(&nest.buffer, sets[set_number].v[i].settle == 2);
            sound(&nest.nest);
        }
        nest_buffer_flush_all(&nest.buffer, true);
        compare(&nest.nest, n_events);
        finish(&nest);
    }
}
END_TEST

START_TEST(nests_as_the_rules_say) {
    for (set_number = 0; set_number < 30000; set_number++) {
        struct taste taste = any_taste();
        make_events(&taste, 1 + below(&chance, below(&chance, 4) ? 12 : 60));
        struct fed steps, once;
        start(&steps, &aside);
        start(&once, &aside);
        for (size_t i = 0; i < n_events; i++) {
            feed(&steps, &events[i]);
            if (below(&chance, taste.settle) == 0) {
                bool all = below(&chance, 2);
                nest_buffer_flush_all(&steps.buffer, all);
                if (all)
                    compare(&steps.nest, i + 1);
            }
            sound(&steps.nest);
        }
        nest_buffer_flush_all(&steps.buffer, true);
        compare(&steps.nest, n_events);
        for (size_t i = 0; i < n_events; i++)
            feed(&once, &events[i]);
        nest_buffer_flush_all(&once.buffer, true);
        compare(&once.nest, n_events);
        MUST(same_nests(&steps.nest, &once.nest));
        finish(&steps);
        finish(&once);
    }
}
END_TEST

START_TEST(any_order_in_the_file) { /* shuffled: most of it is late */
    for (set_number = 0; set_number < 3000; set_number++) {
        struct taste taste = any_taste();
        taste.unit = 1000;
        make_events(&taste, 2 + below(&chance, 30));
        for (size_t i = 0; i < n_events; i++) { /* times that differ */
            events[i].time += (int64_t)i;
            events[i].end += events[i].event == NEST_COMPLETE ? (int64_t)i : 0;
            if (events[i].event != NEST_COMPLETE)
                events[i].end = events[i].time;
        }
        struct fed nest;
        start(&nest, &aside);
        for (size_t i = n_events; i > 1; i--) {
            size_t k = below(&chance, i);
            struct event e = events[k];
            events[k] = events[i - 1];
            events[i - 1] = e;
        }
        for (size_t i = 0; i < n_events; i++)
            events[i].offset = 8 + 8 * i;
        for (size_t i = 0; i < n_events; i++) {
            feed(&nest, &events[i]);
            if (below(&chance, 4) == 0)
                nest_buffer_flush_all(&nest.buffer, true);
        }
        nest_buffer_flush_all(&nest.buffer, true);
        compare(&nest.nest, n_events);
        finish(&nest);
    }
}
END_TEST

START_TEST(late_behind_what_was_placed_as_a_whole) {
    for (set_number = 0; set_number < 6000; set_number++) {
        struct taste taste = any_taste();
        taste.calls = true;
        taste.unit = 1;
        make_events(&taste, 3 + below(&chance, 20));
        struct fed nest;
        start(&nest, &aside);
        size_t n = n_events;
        for (size_t i = 0; i < n; i++)
            feed(&nest, &events[i]);
        nest_buffer_flush_all(&nest.buffer, false);
        for (size_t late = 1 + below(&chance, 3); late > 0; late--) {
            struct event *e = &events[n_events], *last = &events[n_events - 1];
            *e = (struct event){.event = (enum nest_event)below(&chance, 3),
                                .time = events[below(&chance, n)].time + (int64_t)below(&chance, 4) - 1,
                                .offset = last->offset + 8,
                                .name = 1};
            e->end = e->event == NEST_COMPLETE ? e->time + (int64_t)below(&chance, 8) : e->time;
            n_events++;
            feed(&nest, e);
            if (below(&chance, 2))
                nest_buffer_flush_all(&nest.buffer, false);
        }
        nest_buffer_flush_all(&nest.buffer, true);
        compare(&nest.nest, n_events);
        finish(&nest);
    }
}
END_TEST

START_TEST(deep_and_long_sets) {
    for (set_number = 0; set_number < 60; set_number++) {
        struct taste taste = any_taste();
        taste.longest *= 1 + below(&chance, 30);
        taste.apart = 2;
        make_events(&taste, 600);
        struct fed nest;
        start(&nest, &aside);
        for (size_t i = 0; i < n_events; i++) {
            feed(&nest, &events[i]);
            if (below(&chance, 100) == 0)
                nest_buffer_flush_all(&nest.buffer, false);
        }
        nest_buffer_flush_all(&nest.buffer, true);
        compare(&nest.nest, n_events);
        finish(&nest);
    }
}
END_TEST

/* A pair with the times of a complete event inside and of one around it, which so must wait: all that comes after it is
 * nested nevertheless, and slices of no length at the begin of a complete event need no wait. */
START_TEST(one_event_that_waits_holds_up_no_later_ones) {
    struct fed nest;
    start(&nest, &aside);
    n_events = n_facts = 0;
    for (int64_t t = 0; n_events + 8 < MOST; t += 8) {
        const struct event v[] = {{NEST_BEGIN, t, t, 0, 1},        {NEST_COMPLETE, t, t, 0, 1},
                                  {NEST_COMPLETE, t, t + 2, 0, 1}, {NEST_COMPLETE, t, t + 4, 0, 1},
                                  {NEST_END, t + 4, t + 4, 0, 1},  {NEST_COMPLETE, t, t + 4, 0, 1}};
        for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
            if (t != 800 && i >= 3 && i != 4)
                continue;
            events[n_events] = v[i];
            events[n_events].offset = 8 + 8 * n_events;
            feed(&nest, &events[n_events++]);
        }
    }
    nest_buffer_flush(&nest.buffer);
    ck_assert(!nest_waiting(&nest.nest));
    ck_assert_uint_gt(nest.nest.may_settle, n_events / 4); /* few slices have moved */
    nest_buffer_flush_all(&nest.buffer, true);
    compare(&nest.nest, n_events);
    finish(&nest);
}
END_TEST

/* A parent written after a child that is the first slice of its piece of memory: it is placed at once. */
START_TEST(a_parent_after_a_child_at_the_border_of_a_piece) {
    struct fed nest;
    uint64_t offset = 8;
    start(&nest, &aside);
    n_facts = 0;
    for (int64_t i = 0; i < LANE_PIECE; i++, offset += 8)
        nest_buffer_add(&nest.buffer, NEST_COMPLETE, 10 * i, 10 * i + 5, offset, 1);
    nest_buffer_flush(&nest.buffer);
    nest_buffer_add(&nest.buffer, NEST_COMPLETE, 10 * LANE_PIECE + 1, 10 * LANE_PIECE + 2, offset, 1);
    nest_buffer_flush(&nest.buffer);
    nest_buffer_add(&nest.buffer, NEST_COMPLETE, 10 * LANE_PIECE, 10 * LANE_PIECE + 5, offset + 8, 1);
    nest_buffer_flush(&nest.buffer);
    ck_assert(!nest_waiting(&nest.nest));
    ck_assert_uint_eq(nest_rows(&nest.nest), 2);
    ck_assert_uint_eq(nest_row(&nest.nest, 0)->n, LANE_PIECE + 1);
    ck_assert_uint_eq(nest_row(&nest.nest, 1)->n, 1);
    finish(&nest);
}
END_TEST

/* Facts of many slices, for the sets that the reference does not see. */
static uint64_t *table;

static void put_table(void *ctx, uint64_t key, uint64_t value) {
    (void)ctx;
    table[key] = value;
}

static uint64_t get_table(void *ctx, uint64_t key) {
    (void)ctx;
    return table[key];
}

static uint32_t end_name_table(void *ctx, uint64_t offset) {
    (void)ctx;
    return (uint32_t)(offset / 8 % 3);
}

static struct event *many_events(size_t n, bool completes) {
    struct event *v = malloc(n * sizeof *v);
    int64_t now = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t offset = 8 + 8 * (uint64_t)i;
        now += (int64_t)below(&chance, 3);
        v[i] = (struct event){i % 2 ? NEST_END : NEST_BEGIN, now, now, offset, end_name_table(NULL, offset)};
        if (completes && below(&chance, 3) == 0)
            v[i].event = NEST_COMPLETE;
        if (below(&chance, n / 6) == 0)
            v[i].time = (int64_t)below(&chance, (uint64_t)now + 1); /* from anywhere before */
        v[i].end = v[i].event == NEST_COMPLETE ? v[i].time + (int64_t)below(&chance, 20) : v[i].time;
    }
    return v;
}

START_TEST(what_is_put_off_comes_right_in_the_end) { /* more slices than a settling takes back for a few late events */
    enum { COUNT = 300000 };
    static const struct slice_extra big = {NULL, end_name_table, put_table, get_table, NULL};
    size_t bytes = (COUNT + 2) * 8 * sizeof *table;
    table = malloc(bytes);
    for (set_number = 0; set_number < 4; set_number++) {
        struct event *v = many_events(COUNT, set_number % 2);
        struct fed patient, once;
        size_t put_off = 0;
        n_events = 0;
        start(&patient, &big);
        memset(table, 0xff, bytes);
        for (size_t i = 0; i < COUNT; i++) {
            nest_buffer_add(&patient.buffer, v[i].event, v[i].time, v[i].end, v[i].offset, v[i].name);
            if (i % 4096 == 0) {
                nest_buffer_flush_all(&patient.buffer, false);
                put_off += patient.nest.late.n > 0;
            }
        }
        nest_buffer_flush_all(&patient.buffer, true);
        MUST(put_off > 0);
        start(&once, &big);
        memset(table, 0xff, bytes);
        for (size_t i = 0; i < COUNT; i++)
            nest_buffer_add(&once.buffer, v[i].event, v[i].time, v[i].end, v[i].offset, v[i].name);
        nest_buffer_flush_all(&once.buffer, true);
        MUST(same_nests(&patient.nest, &once.nest));
        finish(&patient);
        finish(&once);
        free(v);
    }
    free(table);
}
END_TEST

/* Late events of many slices are nested in steps: more arrive meanwhile, and the rows are those of before until then. */
START_TEST(late_events_are_nested_in_steps_as_at_once) {
    enum { COUNT = 120000 };
    static const struct slice_extra big = {NULL, end_name_table, put_table, get_table, NULL};
    size_t bytes = (COUNT + 2) * 8 * sizeof *table;
    table = malloc(bytes);
    for (set_number = 0; set_number < 6; set_number++) {
        struct event *v = many_events(COUNT, set_number % 2);
        struct fed steps, once;
        size_t unfinished = 0, swapped = 0, most = COUNT / (set_number < 3 ? 1 : 3);
        n_events = 0;
        start(&steps, &big);
        memset(table, 0xff, bytes);
        for (size_t i = 0; i < COUNT; i++) {
            const struct event *e = &v[i];
            nest_buffer_add(&steps.buffer, e->event, e->time, e->end, e->offset, e->name);
            if (i % 512 == 0 && i > most) {
                uint64_t before = steps.nest.slices;
                bool done = nest_buffer_flush_step(&steps.buffer, true, BUDGET_OF(20000));
                unfinished += !done;
                swapped += steps.nest.slices != before;
                MUST(steps.nest.slices >= before);
            }
        }
        while (!nest_buffer_flush_step(&steps.buffer, true, BUDGET_OF(20000)))
            unfinished++;
        MUST(unfinished > 20 && (swapped > 0 || most == COUNT));
        start(&once, &big);
        memset(table, 0xff, bytes);
        for (size_t i = 0; i < COUNT; i++)
            nest_buffer_add(&once.buffer, v[i].event, v[i].time, v[i].end, v[i].offset, v[i].name);
        nest_buffer_flush_all(&once.buffer, true);
        MUST(same_nests(&steps.nest, &once.nest));
        finish(&steps);
        finish(&once);
        free(v);
    }
    free(table);
}
END_TEST

Suite *suite_nest(void) {
    Suite *s = suite_create("nest");
    TCase *t = tcase_create("rules");
    tcase_set_timeout(t, 120);
    tcase_add_test(t, a_parent_after_a_child_at_the_border_of_a_piece);
    tcase_add_test(t, one_event_that_waits_holds_up_no_later_ones);
    tcase_add_test(t, sets_that_once_failed);
    tcase_add_test(t, nests_as_the_rules_say);
    tcase_add_test(t, any_order_in_the_file);
    tcase_add_test(t, late_behind_what_was_placed_as_a_whole);
    tcase_add_test(t, deep_and_long_sets);
    tcase_add_test(t, what_is_put_off_comes_right_in_the_end);
    tcase_add_test(t, late_events_are_nested_in_steps_as_at_once);
    suite_add_tcase(s, t);
    return s;
}
