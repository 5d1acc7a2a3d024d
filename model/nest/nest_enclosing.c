/* nest_enclosing.c - which slice is the innermost around a time, if slices overlap, or if many end
 * at one time.
 *
 * The index is an array of all slices by begin, then by nesting order, with a pyramid of the
 * greatest ends: level 0 holds the ends, each further level the greatest of FAN entries of the
 * level below. The answer for t is the last slice that begins at t. Without one it is the last
 * slice that begins before t and ends after it: the pyramid finds it in O(log n).
 *
 * Slices around each other that end together are a chain. Its links lie one after the other, the
 * outermost first, with a pyramid of the file offsets of their ends: it finds the innermost one
 * that ends after a record.
 *
 * Damaged slices, which contain nothing, are by begin with two pyramids, of their ends and of the
 * places of these.
 *
 * Slices that end at their begin are known by the places of both in the file: by begin, with a
 * pyramid of the ends, the last that begins before a place and ends after it is the innermost. */
#include "model/nest/nest_enclosing.h"

#include <stdlib.h>

#include "src/base/err.h"
#include "src/base/lower_bound.h"

#define FAN 16u
#define LEVELS 8 /* FAN to the power of LEVELS is more than there are */
#define NONE UINT32_MAX
#define ROWS_SCANNED 64 /* so many rows are asked one by one, without an index */

struct pyramid {
    int64_t *most[LEVELS];
};

struct nest_enclosing_slice {
    int64_t start;
    uint32_t row, i;
    uint32_t rank; /* in nesting order: the last of slices that begin together is the innermost */
    uint32_t link; /* in a chain; NONE */
};

struct link {
    uint32_t k;        /* the slice */
    uint32_t head;     /* the first link of the chain */
    uint32_t complete; /* the last link so far that is a complete event; NONE */
};

struct instant { /* a slice that ends at its begin */
    int64_t time;
    uint64_t begin, end; /* bytes of the file */
    uint32_t row, i;
};

struct nest_enclosing {
    uint32_t n;
    struct nest_enclosing_slice *v; /* by start, then by rank */
    struct pyramid ends;
    struct link *links;
    struct pyramid written; /* file offsets of the ends of the links */
    uint32_t n_instants;
    struct instant *instants; /* by time, then by begin */
    struct pyramid closed;    /* file offsets of their ends */
};

/* A slice in the tree: siblings are in the order of their begins, then of their records. */
struct node {
    int64_t start;
    uint64_t offset;
    uint32_t row, i;
    uint32_t parent, first, next; /* nodes, n is the thread itself; or NONE */
};

static int by_begin(const void *a, const void *b) {
    const struct node *x = *(struct node *const *)a, *y = *(struct node *const *)b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static int by_start(const void *a, const void *b) {
    const struct nest_enclosing_slice *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static int by_place(const void *a, const void *b) {
    const struct instant *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* All slices, row by row, and the thread as the last node; a parent is on a row above [N2]. */
static struct node *nodes(const struct nest *nest, const struct slice_extra *extra, uint32_t n) {
    struct node *v = err_malloc((n + (size_t)1) * sizeof *v);
    uint32_t *row_start = err_malloc((nest_sound_rows(nest) + (size_t)1) * sizeof *row_start),
             at = 0;
    for (uint32_t row = 0; row < nest_sound_rows(nest); row++) {
        row_start[row] = at;
        for (uint32_t i = 0; i < nest->lanes[row].n; i++) {
            const struct slice *s = lane_at(&nest->lanes[row], i);
            uint32_t prow, p;
            bool inside = nest_parent(nest, extra, row, i, &prow, &p);
            v[at++] = (struct node){
                s->start, slice_offset(s), row, i, inside ? row_start[prow] + p : n, NONE, NONE};
        }
    }
    v[n] = (struct node){.parent = NONE, .first = NONE, .next = NONE};
    free(row_start);
    return v;
}

/* Ranks the slices in the order of the tree, each before the slices inside it. Their links are
 * nodes so far. */
static void number(struct nest_enclosing *index, struct node *v) {
    uint32_t n = index->n, rank = 0;
    struct node **order = err_malloc((n + (size_t)1) * sizeof *order);
    for (uint32_t k = 0; k < n; k++)
        order[k] = &v[k];
    qsort(order, n, sizeof *order, by_begin);
    for (uint32_t k = n; k-- > 0;) {
        struct node *parent = &v[order[k]->parent];
        order[k]->next = parent->first;
        parent->first = (uint32_t)(order[k] - v);
    }
    free(order);
    for (uint32_t k = v[n].first; k != NONE;) {
        index->v[rank] = (struct nest_enclosing_slice){v[k].start, v[k].row, v[k].i, rank, k};
        rank++;
        uint32_t to = v[k].first;
        while (to == NONE && k != n) {
            to = v[k].next;
            k = v[k].parent;
        }
        k = to;
    }
}

/* Level 0 is given. */
static void pyramid_raise(struct pyramid *p, uint32_t n) {
    for (int level = 1; n > FAN; level++) {
        const int64_t *below = p->most[level - 1];
        int64_t *most = p->most[level] = err_malloc((n / FAN + (size_t)1) * sizeof *most);
        for (uint32_t k = 0; k < n; k++)
            most[k / FAN] = k % FAN == 0 || below[k] > most[k / FAN] ? below[k] : most[k / FAN];
        n = (n - 1) / FAN + 1;
    }
}

/* The largest index <= k whose value is more than t, or NONE. To the left of a group of FAN it
 * looks one level up. */
static uint32_t pyramid_last(const struct pyramid *p, uint32_t k, int64_t t) {
    int level = 0;
    for (;; level++) {
        uint32_t group = k / FAN;
        while (p->most[level][k] <= t && k > group * FAN)
            k--;
        if (p->most[level][k] > t)
            break;
        if (group == 0)
            return NONE;
        k = group - 1;
    }
    while (level-- > 0) {
        k = k * FAN + FAN - 1;
        while (p->most[level][k] <= t)
            k--;
    }
    return k;
}

static void pyramid_free(struct pyramid *p) {
    for (int level = 0; level < LEVELS; level++)
        free(p->most[level]);
}

/* The place of the end of a slice in the file: of a complete event, as late as its record. */
static uint64_t end_written(const struct slice_extra *extra, const struct slice *s) {
    return slice_flags(s) & SLICE_COMPLETE ? slice_offset(s) : slice_extra_end_offset(extra, s);
}

static int64_t level(uint64_t offset) {
    return offset < INT64_MAX ? (int64_t)offset : INT64_MAX;
}

/* Loose: the end of a complete event may come after any other record. */
static bool ends_after(const struct slice_extra *extra, const struct slice *s,
                       const struct nest_ending *e) {
    return (e->loose && slice_flags(s) & SLICE_COMPLETE) || end_written(extra, s) > e->after;
}

static const struct slice *slice_of(const struct nest *nest, const struct nest_enclosing *index,
                                    uint32_t k, struct slice *to) {
    *to = lane_slice(&nest->lanes[index->v[k].row], index->v[k].i);
    return to;
}

/* inner[k]: the slice inside slice k that begins before its end, and ends then. It is one: of two
 * slices that end together, the later one is inside the other. */
static uint32_t *find_inner(const struct nest_enclosing *index, const struct node *v) {
    uint32_t n = index->n, *of_node = err_malloc((n + (size_t)1) * sizeof *of_node),
             *inner = err_malloc((n + (size_t)1) * sizeof *inner);
    const int64_t *ends = index->ends.most[0];
    of_node[n] = NONE;
    for (uint32_t k = 0; k < n; k++) {
        of_node[index->v[k].link] = k;
        inner[k] = NONE;
    }
    for (uint32_t k = 0; k < n; k++) {
        uint32_t around = of_node[v[index->v[k].link].parent];
        bool linked = around != NONE && ends[around] == ends[k] && index->v[k].start < ends[k];
        if (linked)
            inner[around] = k;
        index->v[k].link = linked ? around : NONE;
    }
    free(of_node);
    return inner;
}

static void add_chains(struct nest_enclosing *index, const struct nest *nest,
                       const struct slice_extra *extra, const struct node *v) {
    uint32_t *inner = find_inner(index, v), n = 0;
    index->links = err_malloc((index->n + (size_t)1) * sizeof *index->links);
    int64_t *written = index->written.most[0] =
        err_malloc((index->n + (size_t)1) * sizeof *written);
    for (uint32_t k = 0; k < index->n; k++) {
        if (index->v[k].link != NONE || inner[k] == NONE)
            continue;
        for (uint32_t at = k, head = n, complete = NONE; at != NONE; at = inner[at], n++) {
            struct slice s;
            uint64_t end = end_written(extra, slice_of(nest, index, at, &s));
            if (slice_flags(&s) & SLICE_COMPLETE)
                complete = n;
            index->links[n] = (struct link){at, head, complete};
            written[n] = level(end);
            index->v[at].link = n;
        }
    }
    free(inner);
    pyramid_raise(&index->written, n);
}

/* A slice of begin and end without length. A complete event has one place: nothing is inside. */
static bool is_instant(const struct slice *s) {
    return slice_end(s) == s->start && !(slice_flags(s) & SLICE_COMPLETE);
}

static void add_instants(struct nest_enclosing *index, const struct nest *nest,
                         const struct slice_extra *extra) {
    const int64_t *ends = index->ends.most[0];
    uint32_t most = 0, n = 0;
    for (uint32_t k = 0; k < index->n; k++)
        most += ends[k] == index->v[k].start;
    index->instants = err_malloc((most + (size_t)1) * sizeof *index->instants);
    int64_t *closed = index->closed.most[0] = err_malloc((most + (size_t)1) * sizeof *closed);
    for (uint32_t k = 0; k < index->n; k++) {
        const struct nest_enclosing_slice *at = &index->v[k];
        struct slice s;
        if (ends[k] == at->start && is_instant(slice_of(nest, index, k, &s)))
            index->instants[n++] = (struct instant){at->start, slice_offset(&s),
                                                    end_written(extra, &s), at->row, at->i};
    }
    qsort(index->instants, n, sizeof *index->instants, by_place);
    for (uint32_t k = 0; k < n; k++)
        closed[k] = level(index->instants[k].end);
    index->n_instants = n;
    pyramid_raise(&index->closed, n);
}

struct nest_enclosing *nest_enclosing_new(const struct nest *nest,
                                          const struct slice_extra *extra) {
    struct nest_enclosing *index = err_calloc(1, sizeof *index);
    for (uint32_t row = 0; row < nest_sound_rows(nest); row++)
        index->n += nest->lanes[row].n;
    uint32_t n = index->n;
    index->v = err_malloc((n + (size_t)1) * sizeof *index->v);
    struct node *v = nodes(nest, extra, n);
    number(index, v);
    qsort(index->v, n, sizeof *index->v, by_start);
    int64_t *ends = index->ends.most[0] = err_malloc((n + (size_t)1) * sizeof *ends);
    for (uint32_t k = 0; k < n; k++)
        ends[k] = slice_end(lane_at(&nest->lanes[index->v[k].row], index->v[k].i));
    pyramid_raise(&index->ends, n);
    add_chains(index, nest, extra, v);
    free(v);
    add_instants(index, nest, extra);
    return index;
}

void nest_enclosing_free(struct nest_enclosing *index) {
    if (index == NULL)
        return;
    pyramid_free(&index->ends);
    pyramid_free(&index->written);
    pyramid_free(&index->closed);
    free(index->instants);
    free(index->links);
    free(index->v);
    free(index);
}

bool nest_enclosing_at(const struct nest_enclosing *index, int64_t t, uint32_t *row, uint32_t *i) {
    uint32_t begun = 0; /* slices that begin at t or before */
    lower_bound(begun, index->n, k, index->v[k].start <= t);
    if (begun == 0)
        return false;
    uint32_t k = begun - 1;
    if (index->v[k].start != t)
        k = pyramid_last(&index->ends, k, t);
    if (k == NONE)
        return false;
    *row = index->v[k].row;
    *i = index->v[k].i;
    return true;
}

bool nest_enclosing_ending(const struct nest_enclosing *index, const struct nest *nest,
                           const struct slice_extra *extra, const struct nest_ending *e,
                           uint32_t *row, uint32_t *i) {
    uint32_t begun = 0; /* slices that begin before the end */
    lower_bound(begun, index->n, k, index->v[k].start < e->time);
    uint32_t k = begun > 0 ? pyramid_last(&index->ends, begun - 1, e->time - 1) : NONE;
    if (k == NONE || index->ends.most[0][k] != e->time)
        return false;
    uint32_t link = index->v[k].link;
    struct slice s;
    if (!e->any && link == NONE && !ends_after(extra, slice_of(nest, index, k, &s), e))
        return false;
    if (!e->any && link != NONE) {
        const struct link *last = &index->links[link];
        uint32_t found = pyramid_last(&index->written, link, (int64_t)e->after);
        if (e->loose && last->complete != NONE && (found == NONE || found < last->complete))
            found = last->complete;
        if (found == NONE || found < last->head)
            return false;
        k = index->links[found].k;
    }
    *row = index->v[k].row;
    *i = index->v[k].i;
    return true;
}

bool nest_enclosing_instant(const struct nest_enclosing *index, int64_t t, uint64_t offset,
                            uint32_t *row, uint32_t *i) {
    uint32_t begun = 0;
    lower_bound(begun, index->n_instants, k,
                index->instants[k].time < t ||
                    (index->instants[k].time == t && index->instants[k].begin < offset));
    uint32_t k = begun > 0 ? pyramid_last(&index->closed, begun - 1, level(offset)) : NONE;
    if (k == NONE || index->instants[k].time != t)
        return false;
    *row = index->instants[k].row;
    *i = index->instants[k].i;
    return true;
}

struct instant_search {
    const struct nest *nest;
    const struct slice_extra *extra;
    int64_t t;
    uint64_t offset;
    struct instant found; /* begin 0: none so far */
};

/* Takes the last slice of a row that begins before the place, if its end is after it. False: no
 * slice of the row begins or ends at the time. */
static bool instant_on_row(struct instant_search *search, uint32_t row) {
    const struct lane *lane = &search->nest->lanes[row];
    uint32_t k = lane_before(lane, search->t), begun = 0;
    if (k == NONE)
        return false;
    if (lane_start(lane, k) != search->t)
        return slice_end(lane_at(lane, k)) == search->t;
    /* those without length are in the order of the file, before one that lasts */
    size_t instants_end = slice_end(lane_at(lane, k)) == search->t ? k + (size_t)1 : k;
    lower_bound(begun, instants_end, at,
                lane_start(lane, (uint32_t)at) < search->t ||
                    slice_offset(lane_at(lane, (uint32_t)at)) < search->offset);
    if (begun == 0)
        return true;
    const struct slice *s = lane_at(lane, begun - 1);
    uint64_t end = end_written(search->extra, s);
    if (s->start == search->t && is_instant(s) && end > search->offset &&
        slice_offset(s) >= search->found.begin)
        search->found = (struct instant){search->t, slice_offset(s), end, row, begun - 1};
    return true;
}

/* nest_enclosing_instant() without an index. The rows of slices that begin or end at one time are
 * next to each other, if no slices overlap. */
static bool instant_on_rows(const struct nest *nest, const struct slice_extra *extra, int64_t t,
                            uint64_t offset, uint32_t *row, uint32_t *i) {
    struct instant_search search = {nest, extra, t, offset, .found = {.row = *row, .i = *i}};
    bool few = nest_sound_rows(nest) <= ROWS_SCANNED;
    for (uint32_t r = *row; r < nest_sound_rows(nest) && (instant_on_row(&search, r) || few); r++)
        continue;
    for (uint32_t r = *row; r-- > 0 && (instant_on_row(&search, r) || few);)
        continue;
    *row = search.found.row;
    *i = search.found.i;
    return search.found.begin > 0;
}

/* nest_enclosing_ending() for few rows: only slices that began and ended in the ns before the end
 * are passed over, and a chain. */
static bool ending_on_rows(const struct nest *nest, const struct slice_extra *extra,
                           const struct nest_ending *e, uint32_t *row, uint32_t *i) {
    bool found = e->time != INT64_MIN && nest_at(nest, extra, e->time - 1, row, i);
    for (; found; found = nest_parent(nest, extra, *row, *i, row, i)) {
        const struct slice *s = lane_at(&nest->lanes[*row], *i);
        int64_t end = slice_end(s);
        if (end > e->time)
            return false;
        if (end == e->time && (e->any || ends_after(extra, s, e)))
            return true;
    }
    return false;
}

/* Whether slices on many rows, which do not overlap, begin or end at one time: then they do so on
 * two rows that are ROWS_SCANNED apart. */
static bool many_together(const struct nest *nest) {
    for (uint32_t row = ROWS_SCANNED; row < nest_sound_rows(nest); row += ROWS_SCANNED) {
        const struct lane *lane = &nest->lanes[row], *above = &nest->lanes[row - ROWS_SCANNED];
        for (uint32_t i = 0; i < lane->n; i++) {
            const struct slice *s = lane_at(lane, i);
            int64_t end = slice_end(s);
            uint32_t begun = lane_before(above, s->start),
                     ended = end != INT64_MAX ? lane_before(above, end) : NONE;
            if ((begun != NONE && lane_start(above, begun) == s->start) ||
                (ended != NONE && slice_end(lane_at(above, ended)) == end))
                return true;
        }
    }
    return false;
}

struct nest_damaged_index {
    uint32_t n;
    struct nest_enclosing_slice *v; /* by start, then by record */
    struct pyramid ends, written;   /* times; bytes of the file */
};

static int by_record(const void *a, const void *b) {
    const struct node *x = a, *y = b;
    return by_begin(&x, &y);
}

static struct nest_damaged_index *damaged_new(const struct nest *nest,
                                              const struct slice_extra *extra) {
    struct nest_damaged_index *index = err_calloc(1, sizeof *index);
    VEC(struct node) nodes = {0};
    for (uint32_t row = nest_sound_rows(nest); row < nest->nlanes; row++)
        for (uint32_t i = 0; i < nest->lanes[row].n; i++) {
            struct slice s = lane_slice(&nest->lanes[row], i);
            struct node node = {.start = s.start, .offset = slice_offset(&s), .row = row, .i = i};
            if (extra->get(extra->ctx, node.offset + SLICE_EXTRA_PARENT_ROW) == SLICE_APART)
                vec_push(&nodes, node);
        }
    uint32_t n = index->n = (uint32_t)nodes.n;
    if (n > 1)
        qsort(nodes.v, n, sizeof *nodes.v, by_record);
    index->v = err_malloc((n + (size_t)1) * sizeof *index->v);
    int64_t *ends = index->ends.most[0] = err_malloc((n + (size_t)1) * sizeof *ends);
    int64_t *written = index->written.most[0] = err_malloc((n + (size_t)1) * sizeof *written);
    for (uint32_t k = 0; k < n; k++) {
        const struct slice *s = lane_at(&nest->lanes[nodes.v[k].row], nodes.v[k].i);
        index->v[k] = (struct nest_enclosing_slice){
            .start = nodes.v[k].start, .row = nodes.v[k].row, .i = nodes.v[k].i};
        ends[k] = slice_end(s);
        written[k] = slice_open(s) ? INT64_MAX : level(end_written(extra, s));
    }
    pyramid_raise(&index->ends, n);
    pyramid_raise(&index->written, n);
    vec_free(&nodes);
    return index;
}

static void damaged_free(struct nest_damaged_index *index) {
    if (index == NULL)
        return;
    pyramid_free(&index->ends);
    pyramid_free(&index->written);
    free(index->v);
    free(index);
}

/* Builds what is needed after the rows changed. */
static void prepare(struct nest_enclosing_cache *cache, const struct nest *nest,
                    const struct slice_extra *extra) {
    bool many = nest_sound_rows(nest) > ROWS_SCANNED,
         damaged = nest_sound_rows(nest) < nest->nlanes;
    if ((!many && !damaged) || (cache->known && cache->version == nest->version))
        return;
    nest_enclosing_cache_free(cache);
    bool needed = many && (nest->displaced > 0 || many_together(nest));
    *cache = (struct nest_enclosing_cache){needed ? nest_enclosing_new(nest, extra) : NULL,
                                           damaged ? damaged_new(nest, extra) : NULL, nest->version,
                                           true};
}

bool nest_enclosing_prepare(struct nest_enclosing_cache *cache, const struct nest *nest,
                            const struct slice_extra *extra) {
    prepare(cache, nest, extra);
    return nest_sound_rows(nest) > ROWS_SCANNED && cache->index != NULL;
}

bool nest_enclosing_find_damaged(struct nest_enclosing_cache *cache, const struct nest *nest,
                                 const struct slice_extra *extra, const struct nest_within *of,
                                 uint32_t *row, uint32_t *i) {
    uint32_t begun = 0;
    if (nest_sound_rows(nest) == nest->nlanes)
        return false;
    prepare(cache, nest, extra);
    const struct nest_damaged_index *index = cache->damaged;
    lower_bound(begun, index->n, at, index->v[at].start <= of->time);
    uint32_t k = begun == 0 ? NONE : begun - 1;
    if (k != NONE)
        k = of->in_order ? pyramid_last(&index->written, k, level(of->offset))
                         : pyramid_last(&index->ends, k, of->time);
    if (k == NONE)
        return false;
    *row = index->v[k].row;
    *i = index->v[k].i;
    return true;
}

bool nest_enclosing_find(struct nest_enclosing_cache *cache, const struct nest *nest,
                         const struct slice_extra *extra, int64_t t, uint32_t *row, uint32_t *i) {
    return nest_enclosing_prepare(cache, nest, extra) ? nest_enclosing_at(cache->index, t, row, i)
                                                      : nest_at(nest, extra, t, row, i);
}

bool nest_enclosing_find_ending(struct nest_enclosing_cache *cache, const struct nest *nest,
                                const struct slice_extra *extra, const struct nest_ending *e,
                                uint32_t *row, uint32_t *i) {
    return nest_enclosing_prepare(cache, nest, extra)
               ? nest_enclosing_ending(cache->index, nest, extra, e, row, i)
               : ending_on_rows(nest, extra, e, row, i);
}

bool nest_enclosing_find_instant(struct nest_enclosing_cache *cache, const struct nest *nest,
                                 const struct slice_extra *extra, int64_t t, uint64_t offset,
                                 uint32_t *row, uint32_t *i) {
    return nest_enclosing_prepare(cache, nest, extra)
               ? nest_enclosing_instant(cache->index, t, offset, row, i)
               : instant_on_rows(nest, extra, t, offset, row, i);
}

void nest_enclosing_cache_free(struct nest_enclosing_cache *cache) {
    nest_enclosing_free(cache->index);
    damaged_free(cache->damaged);
    *cache = (struct nest_enclosing_cache){0};
}
