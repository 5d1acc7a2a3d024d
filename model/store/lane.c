/* lane.c - slices in pieces, a block index over them, and the questions of drawing. Times: ns.
 *
 * A short lane is one allocation that doubles; from LANE_PIECE slices on, pieces are added and nothing moves. Questions
 * about many columns go through struct edges, which finds the blocks of several edges ahead and prefetches them. */
#include "model/store/lane.h"

#include <assert.h>
#include <string.h>
#include <sys/mman.h>

#include "model/store/lane_internal.h"
#include "src/base/vec.h"

struct slice lane_slice(const struct lane *lane, uint32_t i) {
    return *at(lane, i);
}

struct slice *lane_end(const struct lane *lane) {
    return at(lane, lane->n - 1);
}

int64_t lane_start(const struct lane *lane, uint32_t i) {
    return at(lane, i)->start;
}

int64_t lane_dur(const struct lane *lane, uint32_t i) {
    return slice_dur(at(lane, i));
}

void lane_prefetch(const struct lane *lane, uint32_t i) {
    __builtin_prefetch(at(lane, i));
}

void lane_copy(const struct lane *lane, uint32_t i, uint32_t n, struct slice *to) {
    for (uint32_t end = i + n; i < end;)
        *to++ = *at(lane, i++);
}

static int64_t length(const struct lane *lane, uint32_t i) {
    return slice_dur(at(lane, i));
}

static uint32_t longer(const struct lane *lane, uint32_t i, uint32_t j) {
    return length(lane, j) > length(lane, i) ? j : i;
}

/* The vote of the blocks that do not make up a level yet, after a cut. */
static void vote_again(const struct lane *lane, struct lane_index *x) {
    uint32_t blocks = (uint32_t)x->blocks.n, first = blocks - blocks % BLOCK;
    x->votes.run = VOTE_EMPTY;
    lane_vote(lane, first * BLOCK, blocks * BLOCK, &x->votes.run);
    x->votes.run.blocks = blocks % BLOCK;
}

/* busy: what all blocks cover. */
static void vote_four(struct lane_index *x, uint64_t busy) {
    const struct block *last = &x->blocks.v[x->blocks.n - VOTE_FOUR];
    const uint64_t lengths[VOTE_FOUR] = {last[1].busy - last[0].busy, last[2].busy - last[1].busy,
                                         last[3].busy - last[2].busy, busy - last[3].busy};
    votes_add_four(&x->votes, lengths);
}

/* Indexes the blocks that are followed by another slice: only the last slice of a lane may still change. */
void lane_index(struct lane *lane) {
    uint32_t blocks = lane->n > 0 ? (lane->n - 1) / BLOCK : 0;
    struct lane_index *x = lane->index;
    if (blocks == 0 || (x && x->blocks.n >= blocks))
        return;
    if (x == NULL)
        x = lane->index = err_calloc(1, sizeof *x);
    if (votes_stale(&x->votes))
        vote_again(lane, x);
    while (x->blocks.n < blocks) {
        uint32_t first = (uint32_t)x->blocks.n * BLOCK;
        const struct slice *v = at(lane, first), *longest = v;
        struct vote vote = VOTE_EMPTY;
        uint64_t busy = x->busy;
        int64_t most = -1;
        for (const struct slice *s = v; s < v + BLOCK; s++) {
            int64_t dur = slice_dur_ended(s);
            busy += (uint64_t)dur;
            vote_add(&vote, (uint32_t)(s->begin_word >> 37), (uint64_t)dur);
            longest = dur > most ? s : longest;
            most = dur > most ? dur : most;
        }
        uint32_t best = first + (uint32_t)(longest - v);
        if (x->blocks.n % BLOCK == 0)
            vec_push(&x->coarse, v->start);
        vec_push(&x->blocks, ((struct block){v->start, x->busy}));
        if (votes_push(&x->votes, vote.name, vote.surplus, busy - x->busy))
            votes_level(&x->votes, busy - x->blocks.v[x->blocks.n - VOTE_FIRST].busy);
        if (x->blocks.n % VOTE_FOUR == 0)
            vote_four(x, busy);
        x->busy = busy;
        vec_push(&x->longest[0], best);
        for (int level = 1; level < LEVELS && x->longest[level - 1].n % BLOCK == 0; level++) {
            size_t from = x->longest[level - 1].n - BLOCK;
            best = x->longest[level - 1].v[from];
            for (size_t i = from + 1; i < from + BLOCK; i++)
                best = longer(lane, best, x->longest[level - 1].v[i]);
            vec_push(&x->longest[level], best);
        }
    }
}

/* Maps all its pages at once: one page fault after the other costs half as much again. */
static struct slice *piece_new(void) {
    size_t size = LANE_PIECE * sizeof(struct slice);
    struct slice *piece = err_malloc(size);
#ifdef MADV_POPULATE_WRITE
    const size_t page = 4096;
    uintptr_t from = ((uintptr_t)piece + page - 1) & ~(uintptr_t)(page - 1);
    madvise((void *)from, ((uintptr_t)piece + size - from) & ~(uintptr_t)(page - 1), MADV_POPULATE_WRITE);
#endif
    return piece;
}

/* A short lane doubles; beyond a piece it grows by pieces, and nothing moves again. */
static void more_room(struct lane *lane) {
    uint32_t cap = lane->cap > 0 ? lane->cap * 2 : 2;
    if (cap < LANE_PIECE) {
        const size_t head = sizeof(uint64_t); /* a pointer, and what aligns a slice where pointers are shorter */
        lane->pieces = err_realloc(lane->pieces, 1, head + cap * sizeof(struct slice));
        lane->pieces[0] = (struct slice *)(void *)((char *)lane->pieces + head);
        lane->cap = cap;
        return;
    }
    uint32_t pieces = lane->cap / LANE_PIECE;
    if (pieces == 0) {
        struct slice **table = err_malloc(sizeof *table);
        table[0] = piece_new();
        memcpy(table[0], lane->pieces[0], lane->n * sizeof(struct slice));
        free(lane->pieces);
        lane->pieces = table;
        lane->cap = LANE_PIECE;
        return;
    }
    if (lane->cap > UINT32_MAX - LANE_PIECE)
        err_no_memory();              /* 128 GiB of slices in one row */
    if ((pieces & (pieces - 1)) == 0) /* the table is full */
        lane->pieces = err_realloc(lane->pieces, (size_t)pieces * 2, sizeof *lane->pieces);
    lane->pieces[pieces] = piece_new();
    lane->cap += LANE_PIECE;
}

void lane_grow(struct lane *lane) {
    if (lane->n == lane->cap)
        more_room(lane);
    lane->next = at(lane, lane->n);
    lane->stop = lane->next + (lane->cap < LANE_PIECE ? lane->cap - lane->n : LANE_PIECE - lane->n % LANE_PIECE);
}

void lane_cut(struct lane *lane, uint32_t n) {
    struct lane_index *x = lane->index;
    if (lane->next && n > 0 && (lane->n - 1) / LANE_PIECE == (n - 1) / LANE_PIECE)
        lane->next -= lane->n - n;
    else
        lane->next = lane->stop = NULL;
    lane->n = n;
    lane_tail(lane);
    if (x == NULL)
        return;
    size_t blocks = n > 0 ? (n - 1) / BLOCK : 0;
    if (x->blocks.n <= blocks)
        return;
    x->busy = x->blocks.v[blocks].busy;
    x->blocks.n = blocks;
    votes_cut(&x->votes, blocks);
    x->coarse.n = (blocks + BLOCK - 1) / BLOCK;
    for (int level = 0; level < LEVELS; level++, blocks /= BLOCK)
        if (x->longest[level].n > blocks)
            x->longest[level].n = blocks;
}

void lane_free(struct lane *lane) {
    if (lane->index) {
        vec_free(&lane->index->blocks);
        vec_free(&lane->index->coarse);
        for (int level = 0; level < LEVELS; level++)
            vec_free(&lane->index->longest[level]);
        votes_free(&lane->index->votes);
        free(lane->index);
    }
    for (uint32_t i = 0; i < lane->cap / LANE_PIECE; i++)
        free(lane->pieces[i]);
    free(lane->pieces);
    *lane = LANE_EMPTY;
}

size_t lane_bytes(const struct lane *lane) {
    size_t n = lane->far ? 0 : (size_t)lane->n * sizeof(struct slice) + 16;
    if (lane->index)
        n += sizeof *lane->index + lane->index->blocks.n * 20 + votes_bytes(&lane->index->votes);
    return n;
}

/* Replaces a damaged block of the index cache by slices of 1 ns at the times that the index has. */
static void fill(void *ctx, uint64_t block) {
    const struct lane *lane = ctx;
    for (uint32_t i = (uint32_t)block * CHECKED, last = i + CHECKED; i < lane->n && i < last; i++) {
        size_t b = i / BLOCK;
        int64_t start = lane->index && b < lane->index->blocks.n ? lane->index->blocks.v[b].start : lane->start - BLOCK;
        lane->pieces[i / LANE_PIECE][i % LANE_PIECE] = slice_make(start + i % BLOCK, 1, 0, UINT64_MAX, SLICE_COMPLETE);
    }
}

void lane_look(const struct lane *lane, uint32_t block) {
    cache_look(lane->far, block, fill, (void *)lane);
}

static void walk_index(struct lane *lane, struct cache *cache) {
    bool has = lane->index != NULL;
    cache_value(cache, has);
    if (!has)
        return;
    if (cache_reads(cache))
        lane->index = err_calloc(1, sizeof *lane->index);
    assert(lane->index != NULL);
    cache_vec(cache, &lane->index->blocks);
    cache_vec(cache, &lane->index->coarse);
    for (int level = 0; level < LEVELS; level++)
        cache_vec(cache, &lane->index->longest[level]);
    votes_walk(&lane->index->votes, cache);
}

void lane_walk(struct lane *lane, struct cache *cache) {
    uint64_t size = LANE_PIECE * sizeof(struct slice);
    if (cache_reads(cache))
        *lane = LANE_EMPTY;
    cache_value(cache, lane->n);
    cache_value(cache, lane->start);
    cache_value(cache, lane->end);
    for (uint32_t i = 0; !cache_reads(cache) && i < lane->n; i += LANE_PIECE)
        cache_put_far(cache, lane->pieces[i / LANE_PIECE],
                      (lane->n - i < LANE_PIECE ? lane->n - i : LANE_PIECE) * sizeof(struct slice));
    if (cache_reads(cache)) {
        lane->far = lane->n > 0 ? cache_take_far(cache, lane->n * sizeof(struct slice)) : NULL;
        if (lane->far == NULL)
            lane->n = 0;
        uint32_t pieces = lane->n / LANE_PIECE + (lane->n % LANE_PIECE > 0);
        lane->pieces = pieces > 0 ? err_malloc(pieces * sizeof *lane->pieces) : NULL;
        for (uint32_t i = 0; i < pieces; i++)
            lane->pieces[i] = (struct slice *)(void *)(lane->far->v + i * size);
    }
    walk_index(lane, cache);
}

/* First slice of [lo, hi) that starts at or after t, else hi. */
static uint32_t first_from(const struct lane *lane, uint32_t lo, uint32_t hi, int64_t t) {
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (at(lane, mid)->start < t)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* The last block of one coarse entry that starts before t; its first block if none does. */
static size_t block_below(const struct lane_index *x, size_t coarse, int64_t t) {
    size_t lo = coarse * BLOCK, hi = x->blocks.n - lo < BLOCK ? x->blocks.n : lo + BLOCK;
    while (hi - lo > 1) {
        size_t mid = lo + (hi - lo) / 2;
        if (x->blocks.v[mid].start < t)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

uint32_t lane_from(const struct lane *lane, int64_t t) {
    uint32_t lo = 0, hi = lane->n;
    const struct lane_index *x = lane->index;
    if (x && x->blocks.n > 0) { /* narrow to a block on the dense arrays first */
        size_t a = 0, b = x->coarse.n;
        while (b - a > 1) {
            size_t mid = a + (b - a) / 2;
            if (x->coarse.v[mid] < t)
                a = mid;
            else
                b = mid;
        }
        a = block_below(x, a, t);
        if (a + 1 < x->blocks.n)
            hi = (uint32_t)(a + 1) * BLOCK;
        lo = (uint32_t)a * BLOCK;
    }
    return first_from(lane, lo, hi, t);
}

uint32_t lane_find(const struct lane *lane, int64_t t, uint64_t offset) {
    uint32_t lo = lane_from(lane, t), hi = t == INT64_MAX ? lane->n : lane_from(lane, t + 1);
    if (lo == hi)
        return UINT32_MAX;
    if (slice_offset(at(lane, hi - 1)) == offset)
        return hi - 1;
    for (hi--; lo < hi;) { /* slices of no length, in file order */
        uint32_t mid = lo + (hi - lo) / 2;
        if (slice_offset(at(lane, mid)) < offset)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < lane->n && at(lane, lo)->start == t && slice_offset(at(lane, lo)) == offset ? lo : UINT32_MAX;
}

uint32_t lane_place(const struct lane *lane, const struct slice *slice) {
    return slice ? lane_find(lane, slice->start, slice_offset(slice)) : UINT32_MAX;
}

uint32_t lane_before(const struct lane *lane, int64_t t) {
    uint32_t i = t == INT64_MAX ? lane->n : lane_from(lane, t + 1);
    return i == 0 ? UINT32_MAX : i - 1;
}

/* ---- edges: of columns, asked in their order ---- */

#define AHEAD 16 /* edges whose blocks are found and prefetched before the first of them is used */

struct edges {
    const struct lane *lane;
    const int64_t *t; /* rising */
    int n;
    int first, found; /* edges [first, first + found), whose blocks are known: */
    size_t blocks[AHEAD];
    size_t coarse, stride; /* the latest coarse entry, and its distance from the one before: a guess for the next */
};

struct edge {
    uint32_t i;    /* the first slice that starts at or after it */
    uint64_t busy; /* time before it that slices cover, modulo 2^64 */
};

/* The last of v[from, n), sorted, that is before t; `from` if none is. Looks around from + guess first. */
static size_t last_before(const int64_t *v, size_t n, size_t from, size_t guess, int64_t t) {
    size_t lo = from, hi, step = 1;
    hi = guess < n - from ? from + guess : n;
    if (hi < n && v[hi] < t) {
        for (lo = hi; step < n - lo && v[lo + step] < t; step *= 2)
            lo += step;
        hi = step < n - lo ? lo + step : n;
    } else {
        for (; step < hi - lo && v[hi - step] >= t; step *= 2)
            hi -= step;
        lo = step < hi - lo ? hi - step : lo;
    }
    while (hi - lo > 1) {
        size_t mid = lo + (hi - lo) / 2;
        if (v[mid] < t)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

static inline void fetch(const void *v, size_t n) {
    for (size_t line = 0; line < n; line += 64)
        __builtin_prefetch((const char *)v + line);
}

/* Finds the blocks of the next edges: prefetches first blocks, then slices, for all of them before it uses any. */
static void look_ahead(struct edges *e, int c) {
    const struct lane_index *x = e->lane->index;
    size_t last = SIZE_MAX;
    e->first = c;
    e->found = e->n - c < AHEAD ? e->n - c : AHEAD;
    for (int k = 0; k < e->found; k++) {
        size_t coarse =
            x && x->blocks.n > 0 ? last_before(x->coarse.v, x->coarse.n, e->coarse, e->stride, e->t[c + k]) : 0;
        if (c + k > 0)
            e->stride = coarse - e->coarse;
        if (x && x->blocks.n > 0 && (k == 0 || coarse != e->coarse))
            fetch(&x->blocks.v[coarse * BLOCK], BLOCK * sizeof *x->blocks.v);
        e->coarse = e->blocks[k] = coarse;
    }
    for (int k = 0; x && x->blocks.n > 0 && k < e->found; k++) {
        size_t block = block_below(x, e->blocks[k], e->t[c + k]);
        if (block != last)
            fetch(e->lane->pieces[block * BLOCK / LANE_PIECE] + block * BLOCK % LANE_PIECE,
                  BLOCK * sizeof(struct slice));
        last = e->blocks[k] = block;
    }
}

/* Finds an edge by one pass over the slices of its block. */
static struct edge edge_at(struct edges *edges, int c) {
    const struct lane *lane = edges->lane;
    if (c >= edges->first + edges->found)
        look_ahead(edges, c);
    size_t block = edges->blocks[c - edges->first];
    int64_t t = edges->t[c], start = 0, dur = 0;
    struct edge e = {.i = (uint32_t)block * BLOCK, .busy = block > 0 ? lane->index->blocks.v[block].busy : 0};
    uint32_t first = e.i;
    for (; e.i < lane->n; e.i++) {
        const struct slice *s = at(lane, e.i);
        if (s->start >= t)
            break;
        e.busy += (uint64_t)dur;
        start = s->start;
        dur = slice_dur(s);
    }
    if (e.i > first) { /* the last slice may reach over the edge */
        uint64_t until = (uint64_t)t - (uint64_t)start;
        e.busy += (uint64_t)dur < until ? (uint64_t)dur : until;
    }
    return e;
}

static struct edges edges_of(struct lane *lane, const int64_t *t, int n) {
    lane_index(lane);
    return (struct edges){.lane = lane, .t = t, .n = n, .stride = lane->index ? lane->index->coarse.n / 2 : 0};
}

void lane_froms(const struct lane *lane, const int64_t *t, int n, uint32_t *first) {
    struct edges edges = {.lane = lane, .t = t, .n = n};
    for (int k = 0; k < n; k++)
        first[k] = edge_at(&edges, k).i;
}

int64_t lane_busy(struct lane *lane, int64_t from, int64_t to) {
    if (lane->n == 0 || from >= to)
        return 0;
    const int64_t t[] = {from, to};
    struct edges edges = edges_of(lane, t, 2);
    struct edge a = edge_at(&edges, 0), b = edge_at(&edges, 1);
    return (int64_t)(b.busy - a.busy);
}

void lane_busy_columns(struct lane *lane, const int64_t *t, int columns, double *share) {
    if (lane->n == 0)
        return;
    struct edges edges = edges_of(lane, t, columns + 1);
    struct edge e = edge_at(&edges, 0);
    for (int c = 0; c < columns; c++) {
        struct edge next = edge_at(&edges, c + 1);
        share[c] += (double)(next.busy - e.busy) / (double)((uint64_t)t[c + 1] - (uint64_t)t[c]);
        e = next;
    }
}

uint32_t lane_longest(struct lane *lane, uint32_t i, uint32_t j) {
    uint32_t best = i;
    lane_index(lane);
    const struct lane_index *x = lane->index;
    while (i < j) {
        int level = -1; /* the largest block that begins at i and fits, in slices */
        uint64_t size = 1;
        while (x && level + 1 < LEVELS && i % (size * BLOCK) == 0 && i + size * BLOCK <= j &&
               i / (size * BLOCK) < x->longest[level + 1].n) {
            level++;
            size *= BLOCK;
        }
        best = longer(lane, best, level < 0 ? i : x->longest[level].v[i / size]);
        i += (uint32_t)size;
    }
    return best;
}

static int column_of(const int64_t *edges, int columns, int c, int64_t t) {
    if (c + 1 < columns && t < edges[c + 2 < columns ? c + 2 : columns])
        return t < edges[c + 1] ? c : c + 1;
    int lo = c, hi = columns - 1;
    while (lo < hi) {
        int mid = lo + (hi - lo + 1) / 2;
        if (edges[mid] <= t)
            lo = mid;
        else
            hi = mid - 1;
    }
    return lo;
}

size_t lane_spans(struct lane *lane, const int64_t *t, int columns, struct span *out) {
    size_t n = 0;
    if (lane->n == 0)
        return 0;
    struct edges edges = edges_of(lane, t, columns + 1);
    struct edge left = edge_at(&edges, 0);
    int left_of = 0; /* the column whose left edge `left` is */
    uint32_t i = left.i;
    if (i > 0 && slice_end(at(lane, i - 1)) > t[0])
        i--;
    for (int c = 0; i < lane->n && at(lane, i)->start < t[columns];) {
        const struct slice *s = at(lane, i);
        c = s->start <= t[0] ? 0 : column_of(t, columns, c, s->start);
        struct span *span = &out[n++];
        *span = (struct span){s->start, slice_end(s), 0, i, 1, c};
        uint32_t next = i + 1;
        if (slice_end(s) <= t[c + 1] && next < lane->n && at(lane, next)->start < t[c + 1]) {
            /* it ends in its first column: with what else begins there */
            if (left_of != c)
                left = edge_at(&edges, c);
            struct edge right = edge_at(&edges, c + 1);
            next = right.i;
            if (slice_end(at(lane, next - 1)) > t[c + 1])
                next--; /* the last one reaches out: it is shown by itself */
            if (next > i + 1)
                *span = (struct span){t[c], t[c + 1], (int64_t)(right.busy - left.busy), i, next - i, c};
            left = right;
            left_of = c + 1;
        }
        i = next;
    }
    return n;
}
