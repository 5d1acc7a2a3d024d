/* span_lanes.c - goes over all spans once, in the order of their begins.
 *
 * Each process has two heaps: of its lanes in use by the time at which they are free, and of its
 * free lanes by their number. A lane of a thread is in neither.
 *
 * An arrow begins on the lane of a parent, at the slice that is the innermost one there: at the
 * begin of the child, or else at the last moment before at which that was the parent. */
#include "src/import/spans/span_lanes.h"

#include "src/base/sort.h"

struct entry {
    uint64_t key;
    uint32_t lane;
};

struct heap {
    VEC(struct entry) v;
};

struct span_free {
    struct heap busy, idle;
    uint32_t lanes;
};

#define NEVER UINT64_MAX

/* ---- heaps ---- */

static void heap_push(struct heap *heap, uint64_t key, uint32_t lane) {
    size_t i = heap->v.n;
    vec_push(&heap->v, ((struct entry){key, lane}));
    struct entry *v = heap->v.v, one = v[i];
    for (; i > 0 && v[(i - 1) / 2].key > key; i = (i - 1) / 2)
        v[i] = v[(i - 1) / 2];
    v[i] = one;
}

static struct entry heap_pop(struct heap *heap) {
    struct entry *v = heap->v.v, first = v[0], last = v[--heap->v.n];
    size_t n = heap->v.n, i = 0, child;
    while ((child = 2 * i + 1) < n) {
        if (child + 1 < n && v[child + 1].key < v[child].key)
            child++;
        if (v[child].key >= last.key)
            break;
        v[i] = v[child];
        i = child;
    }
    v[i] = last;
    return first;
}

/* ---- lanes ---- */

static uint32_t add_lane(struct span_lanes *lanes, uint32_t process, uint32_t thread) {
    uint32_t number = thread == SPAN_NONE ? ++lanes->free[process].lanes : 0;
    vec_push(&lanes->lanes,
             ((struct span_lane){.process = process, .thread = thread, .number = number}));
    return (uint32_t)lanes->lanes.n - 1;
}

/* The innermost slice that is open at a time, or SPAN_NONE. */
static uint32_t innermost(struct span_lanes *lanes, uint32_t lane, uint64_t ts) {
    struct span_lane *l = &lanes->lanes.v[lane];
    while (l->open.n > 0 && lanes->store->spans.v[l->open.v[l->open.n - 1]].end <= ts)
        l->open.n--;
    return l->open.n > 0 ? l->open.v[l->open.n - 1] : SPAN_NONE;
}

/* Whether its parent is the innermost slice of a lane, and lasts as long. */
static bool fits_above(struct span_lanes *lanes, const struct span_entry *s, uint32_t lane) {
    const struct span_entry *v = lanes->store->spans.v;
    return v[s->up].process == s->process && innermost(lanes, lane, s->begin) == s->up &&
           v[s->up].end >= s->end;
}

static bool same_thread(const void *ctx, uint32_t i) {
    const struct span_lanes *lanes = ((const void *const *)ctx)[0];
    const uint32_t *thread = ((const void *const *)ctx)[1];
    return lanes->lanes.v[lanes->named.v[i]].thread == *thread;
}

static uint32_t lane_of_thread(struct span_lanes *lanes, const struct span_entry *s) {
    const void *q[] = {lanes, &s->thread};
    uint32_t n = (uint32_t)lanes->named.n,
             i = map_intern(&lanes->by_thread, hash_words(s->thread, 0), same_thread, q, n);
    if (i == n)
        vec_push(&lanes->named, add_lane(lanes, s->process, s->thread));
    return lanes->named.v[i];
}

static uint32_t free_lane(struct span_lanes *lanes, const struct span_entry *s) {
    struct span_free *f = &lanes->free[s->process];
    while (f->busy.v.n > 0 && f->busy.v.v[0].key <= s->begin) {
        uint32_t lane = heap_pop(&f->busy).lane;
        heap_push(&f->idle, lanes->lanes.v[lane].number, lane);
    }
    return f->idle.v.n > 0 ? heap_pop(&f->idle).lane : add_lane(lanes, s->process, SPAN_NONE);
}

/* *above: it is on the slice of its parent. */
static uint32_t choose(struct span_lanes *lanes, const struct span_entry *s, bool *above) {
    uint32_t parent = s->up == SPAN_NONE ? SPAN_NONE : lanes->places[s->up].lane;
    uint32_t own = s->thread == SPAN_NONE ? SPAN_NONE : lane_of_thread(lanes, s);
    *above = false;
    if (own != SPAN_NONE && own != parent && lanes->lanes.v[own].until <= s->begin)
        return own;
    *above = parent != SPAN_NONE && fits_above(lanes, s, parent);
    if (*above)
        return parent;
    return own != SPAN_NONE && lanes->lanes.v[own].until <= s->begin ? own : free_lane(lanes, s);
}

/* A slice right above another one begins. */
static void cover(struct span_place *below, const struct span_entry *s) {
    if (s->begin > below->covered)
        below->alone = s->begin - 1;
    below->covered = s->end;
}

static void place(struct span_lanes *lanes, uint32_t i) {
    const struct span_entry *s = &lanes->store->spans.v[i];
    struct span_place *p = &lanes->places[i];
    p->lane = choose(lanes, s, &p->above);
    p->covered = s->begin;
    p->alone = NEVER;
    struct span_lane *lane = &lanes->lanes.v[p->lane];
    if (p->above) {
        cover(&lanes->places[s->up], s);
    } else {
        lane->open.n = 0;
        lane->until = s->end;
        if (lane->thread == SPAN_NONE)
            heap_push(&lanes->free[s->process].busy, s->end, p->lane);
    }
    vec_push(&lane->open, i);
}

/* ---- arrows ---- */

/* When a span leads to another one that is not above it. */
static uint64_t leaves(struct span_lanes *lanes, uint32_t from, const struct span_entry *to) {
    const struct span_entry *s = &lanes->store->spans.v[from];
    uint64_t ts = to->begin;
    const struct span_place *p = &lanes->places[from];
    if (p->lane == SPAN_NONE) { /* it begins later */
        bool apart = s->begin >= to->end;
        lanes->apart += apart;
        return apart ? NEVER : s->begin;
    }
    if (s->end > ts && innermost(lanes, p->lane, ts) == from)
        return ts;
    if (s->end <= ts && (p->covered < s->end || s->end == s->begin))
        return s->end - (s->end > s->begin);
    if (p->alone != NEVER)
        return p->alone;
    return s->end > ts ? ts : s->end - 1;
}

static size_t first_link(const struct span_store *store, uint32_t span) {
    size_t low = 0, high = store->links.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (store->links.v[middle].span < span)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void find_arrows(struct span_lanes *lanes, uint32_t i) {
    struct span_store *store = lanes->store;
    const struct span_entry *s = &store->spans.v[i];
    if (s->up != SPAN_NONE && !lanes->places[i].above) {
        const struct span_entry *up = &store->spans.v[s->up];
        lanes->places[i].from = leaves(lanes, s->up, s);
        lanes->clamped += s->begin < up->begin || s->begin > up->end;
    }
    for (size_t k = first_link(store, i); k < store->links.n && store->links.v[k].span == i; k++)
        if (store->links.v[k].from != SPAN_NONE)
            store->links.v[k].leaves = leaves(lanes, store->links.v[k].from, s);
}

/* ---- all of them ---- */

struct key {
    uint64_t begin, end;
    uint32_t depth, span;
};

static int in_order(const void *a, const void *b) {
    const struct key *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    if (x->end != y->end)
        return x->end > y->end ? -1 : 1;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    return x->span < y->span ? -1 : x->span > y->span;
}

void span_lanes_make(struct span_lanes *lanes, struct span_store *store) {
    VEC(struct key) keys = {0};
    lanes->store = store;
    lanes->free = err_calloc(store->processes.n + 1, sizeof *lanes->free);
    lanes->places = err_calloc(store->spans.n + 1, sizeof *lanes->places);
    for (uint32_t i = 0; i < store->spans.n; i++) {
        const struct span_entry *s = &store->spans.v[i];
        lanes->places[i].lane = SPAN_NONE;
        if (!s->again)
            vec_push(&keys, ((struct key){s->begin, s->end, s->depth, i}));
    }
    sort_items(NULL, keys.v, keys.n, sizeof *keys.v, in_order);
    for (size_t i = 0, k; i < keys.n; i = k) {
        for (k = i; k < keys.n && keys.v[k].begin == keys.v[i].begin; k++) {
            vec_push(&lanes->order, keys.v[k].span);
            place(lanes, keys.v[k].span);
        }
        for (k = i; k < keys.n && keys.v[k].begin == keys.v[i].begin; k++)
            find_arrows(lanes, keys.v[k].span);
    }
    vec_free(&keys);
}

void span_lanes_free(struct span_lanes *lanes) {
    for (size_t i = 0; i < lanes->lanes.n; i++)
        vec_free(&lanes->lanes.v[i].open);
    for (size_t i = 0; lanes->store && i < lanes->store->processes.n; i++) {
        vec_free(&lanes->free[i].busy.v);
        vec_free(&lanes->free[i].idle.v);
    }
    vec_free(&lanes->lanes);
    vec_free(&lanes->order);
    vec_free(&lanes->named);
    map_free(&lanes->by_thread);
    free(lanes->places);
    free(lanes->free);
}
