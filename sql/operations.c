/* operations.c - the parents of async operations.
 *
 * An operation may be on any row below its parent, so a search by rows would read most of its
 * group. The operations of a group are taken in the order of their begins instead, and the last one
 * of each key and depth is remembered. */
#include "sql/operations.h"

#include <stdlib.h>

#include "src/base/hash.h"
#include "src/base/u64map.h"

static const char kept;

struct operations {
    uint64_t first;   /* number of the first row of operations */
    uint32_t *parent; /* by row number less `first`; UINT32_MAX: none */
};

struct begun {
    int64_t start, end;
    uint64_t key;
    uint32_t row, depth;
};

struct operations_key operations_key_at(struct source *source, uint64_t offset) {
    struct detail d;
    if (!detail_open(&d, source->trace, offset))
        return (struct operations_key){.known = false};
    return (struct operations_key){
        d.record.id,
        names_find(reader_names(trace_reader(source->trace)), d.category.s, d.category.n), true};
}

static int by_begin(const void *a, const void *b) {
    const struct begun *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* Finds the parents of the operations of a group, which are sorted. */
static void find_parents(struct operations *o, const struct begun *v, size_t n) {
    struct u64map last = {0};
    for (size_t i = 0; i < n; i++) {
        uint64_t key = u64map_key(hash_words(v[i].key, v[i].depth)), above = UINT64_MAX;
        if (v[i].depth > 0)
            above = u64map_get(&last, u64map_key(hash_words(v[i].key, v[i].depth - 1)));
        if (above != UINT64_MAX && v[above].end >= v[i].start)
            o->parent[v[i].row - o->first] = v[above].row;
        u64map_set(&last, key, i);
    }
    u64map_free(&last);
}

/* The lanes [from, to) are those of a group. */
static void read_group(struct operations *o, struct rows *rows, size_t from, size_t to) {
    const struct slice_extra *extra = trace_slice_extra(rows->source->trace);
    VEC(struct begun) v = {0};
    bool deep = false;
    for (size_t k = from; k < to; k++) {
        const struct rows_lane *lane = &rows->v.v[k];
        for (uint32_t i = 0; lane->kind == ROWS_LANE && i < lane->n; i++) {
            const struct slice *s = lane_at(lane->of, i);
            struct begun x = {.start = s->start, .end = slice_open(s) ? INT64_MAX : slice_end(s)};
            x.row = (uint32_t)(lane->base - rows->first + i);
            x.depth = async_depth(extra, s);
            deep = deep || x.depth > 0;
            x.key = slice_offset(s);
            vec_push(&v, x);
        }
    }
    for (size_t i = 0; deep && i < v.n; i++) {
        struct operations_key key = operations_key_at(rows->source, v.v[i].key);
        v.v[i].key =
            key.known ? hash_words(key.id, key.category) : hash_words(UINT64_MAX, v.v[i].key);
        if (i % 4096 == 0 && source_stopped(rows->source))
            deep = false;
    }
    if (deep) {
        qsort(v.v, v.n, sizeof *v.v, by_begin);
        find_parents(o, v.v, v.n);
    }
    vec_free(&v);
}

static void release(void *of) {
    struct operations *o = of;
    free(o->parent);
    free(o);
}

static struct operations *read_all(struct rows *rows) {
    struct operations *o = err_calloc(1, sizeof *o);
    size_t k = 0;
    while (k < rows->v.n && !rows->v.v[k].operations && rows->v.v[k].kind != ROWS_ASYNC_INSTANTS)
        k++;
    o->first = k < rows->v.n ? rows->v.v[k].base - rows->first : rows->n;
    o->parent = err_malloc((rows->n - o->first + 1) * sizeof *o->parent);
    memset(o->parent, 0xff, (rows->n - o->first) * sizeof *o->parent);
    for (size_t to; k < rows->v.n && !source_stopped(rows->source); k = to) {
        to = k;
        while (to < rows->v.n && rows->v.v[to].owner == rows->v.v[k].owner)
            to++;
        read_group(o, rows, k, to);
    }
    return o;
}

int64_t operations_parent(struct rows *rows, const struct rows_lane *lane, uint32_t i) {
    struct operations *o = source_find(rows->source, &kept);
    if (rows->n > UINT32_MAX) /* numbers of rows do not fit */
        return -1;
    if (o == NULL) {
        o = read_all(rows);
        if (source_stopped(rows->source)) {
            release(o);
            return -1;
        }
        source_keep(rows->source, &kept, o, release);
    }
    uint32_t parent = o->parent[lane->base - rows->first + i - o->first];
    return parent == UINT32_MAX ? -1 : (int64_t)(rows->first + parent);
}
