/* lane.c - packed blocks, a block index over them, a tail of slices, and the questions of drawing. Times: ns.
 *
 * A short lane is a tail that doubles. Later, a full tail is packed, but for the last slices. Questions about many columns
 * go through struct edges, which finds the blocks of several edges ahead and prefetches them. */
#include "model/store/lane.h"

#include <assert.h>
#include <string.h>

#include "model/store/lane_internal.h"
#include "src/base/lower_bound.h"
#include "src/base/vec.h"

static_assert(BLOCK == PACK_SLICES, "the unit of packing");

#define KEPT BLOCK           /* slices that stay in the tail, as the last ones are often asked for, moved or cut */
#define TAIL (KEPT + 2 * BLOCK + 1) /* of a tail that is packed when it is full */

struct slice lane_slice(const struct lane *lane, uint32_t i) {
    if (i >= lane->first)
        return lane->tail[i - lane->first];
    return pack_slice(packed(lane, i / BLOCK), lane->index->blocks.v[i / BLOCK].start, i % BLOCK);
}

int64_t lane_start(const struct lane *lane, uint32_t i) {
    if (i >= lane->first)
        return lane->tail[i - lane->first].start;
    if (i % BLOCK == 0)
        return lane->index->blocks.v[i / BLOCK].start;
    const unsigned char *block = packed(lane, i / BLOCK);
    struct pack_values start = pack_values(block, pack_word(block), PACK_START, i % BLOCK);
    return (int64_t)((uint64_t)lane->index->blocks.v[i / BLOCK].start + pack_next(&start));
}

int64_t lane_dur(const struct lane *lane, uint32_t i) {
    return i >= lane->first ? slice_dur(&lane->tail[i - lane->first]) : pack_dur(packed(lane, i / BLOCK), i % BLOCK);
}

struct times {
    int64_t start, end;
};

/* Start and end of slice i. */
static inline struct times times_of(const struct lane *lane, uint32_t i) {
    if (i >= lane->first) {
        const struct slice *s = &lane->tail[i - lane->first];
        return (struct times){s->start, slice_end(s)};
    }
    uint64_t start = (uint64_t)lane->index->blocks.v[i / BLOCK].start;
    int64_t dur = pack_times(packed(lane, i / BLOCK), i % BLOCK, &start);
    return (struct times){(int64_t)start, (int64_t)(start + (uint64_t)dur)};
}

static inline void fetch(const void *v, size_t n) {
    for (size_t line = 0; line < n; line += 64)
        __builtin_prefetch((const char *)v + line);
}

#define USUAL 192 /* bytes of a block, as most are */
#define TIMES 128 /* and of its head, starts and durations */

void lane_prefetch(const struct lane *lane, uint32_t i) {
    if (i < lane->first)
        fetch(packed_at(lane->index, i / BLOCK), USUAL);
}

static inline void copy(const struct lane *lane, uint32_t i, uint32_t n, struct slice *to,
                        void (*read)(const unsigned char *, int64_t, unsigned, unsigned, struct slice *)) {
    while (n > 0 && i < lane->first) {
        uint32_t k = BLOCK - i % BLOCK < n ? BLOCK - i % BLOCK : n;
        read(packed(lane, i / BLOCK), lane->index->blocks.v[i / BLOCK].start, i % BLOCK, k, to);
        i += k;
        to += k;
        n -= k;
    }
    if (n > 0)
        memcpy(to, lane->tail + (i - lane->first), n * sizeof *to);
}

void lane_copy(const struct lane *lane, uint32_t i, uint32_t n, struct slice *to) {
    copy(lane, i, n, to, pack_read);
}

void lane_copy_times(const struct lane *lane, uint32_t i, uint32_t n, struct slice *to) {
    copy(lane, i, n, to, pack_read_times);
}

void lane_starts(const struct lane *lane, uint32_t i, uint32_t n, int64_t *to) {
    while (n > 0 && i < lane->first) {
        const unsigned char *block = packed(lane, i / BLOCK);
        int64_t first = lane->index->blocks.v[i / BLOCK].start;
        struct pack_values start = pack_values(block, pack_word(block), PACK_START, i % BLOCK);
        uint32_t k = BLOCK - i % BLOCK < n ? BLOCK - i % BLOCK : n;
        i += k;
        n -= k;
        for (; k > 0; k--)
            *to++ = (int64_t)((uint64_t)first + pack_next(&start));
    }
    for (; n > 0; n--)
        *to++ = lane->tail[i++ - lane->first].start;
}

static uint32_t longer(const struct lane *lane, uint32_t i, uint32_t j) {
    return lane_dur(lane, j) > lane_dur(lane, i) ? j : i;
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

static inline void add_longest(struct lane_index *x, uint32_t i, int64_t dur) {
    bool longer = x->best_of == 0 || dur > x->most;
    x->best = longer ? i : x->best;
    x->most = longer ? dur : x->most;
}

/* Adds a block, the last one, whose longest slice is i, and the larger ones whose last it is. */
static void index_longest(struct lane_index *x, uint32_t i, int64_t dur) {
    size_t n = x->blocks.n - 1, first = n - n % BLOCK;
    if (x->best_of != n - first) /* after a cut */
        for (x->best_of = 0; x->best_of < n - first; x->best_of++) {
            const unsigned char *block = packed_at(x, first + x->best_of);
            unsigned k = pack_longest(block);
            add_longest(x, (uint32_t)(first + x->best_of) * BLOCK + k, pack_dur(block, k));
        }
    add_longest(x, i, dur);
    if (++x->best_of < BLOCK)
        return;
    x->best_of = 0;
    vec_push(&x->longest[0], x->best);
    for (int level = 1; level < LEVELS && x->longest[level - 1].n % BLOCK == 0; level++) {
        size_t end = x->longest[level - 1].n, k = end - BLOCK;
        uint32_t best = x->longest[level - 1].v[k++];
        for (; k < end; k++) {
            uint32_t at = x->longest[level - 1].v[k];
            if (pack_dur(packed_at(x, at / BLOCK), at % BLOCK) > pack_dur(packed_at(x, best / BLOCK), best % BLOCK))
                best = at;
        }
        vec_push(&x->longest[level], best);
    }
}

/* Packs and indexes the slices of a block. */
static __attribute__((noinline)) void add_block(struct lane_index *x, const struct slice *v) {
    struct pack_sum sum = {0, 0, 0};
    struct vote vote = VOTE_EMPTY;
    uint64_t busy = 0, first = v->begin_word;
    int64_t most = -1;
    unsigned longest = 0;
    for (unsigned i = 0; i < BLOCK; i++) {
        const struct slice s = v[i];
        int64_t dur = slice_dur_ended(&s);
        pack_sum_add(&sum, s, first);
        busy += (uint64_t)dur;
        vote_add(&vote, (uint32_t)(s.begin_word >> 37), (uint64_t)dur);
        longest = dur > most ? i : longest;
        most = dur > most ? dur : most;
    }
    if (x->blocks.n % BLOCK == 0)
        vec_push(&x->coarse, v->start);
    vec_push(&x->blocks, ((struct block){v->start, x->busy}));
    x->busy += busy;
    if (votes_push(&x->votes, vote.name, vote.surplus, busy))
        votes_level(&x->votes, x->busy - x->blocks.v[x->blocks.n - VOTE_FIRST].busy);
    if (x->blocks.n % VOTE_FOUR == 0)
        vote_four(x, x->busy);
    uint64_t head = pack_head(v, &sum, longest, most);
    uint32_t place;
    pack_write(head, v, pack_take(&x->pieces, pack_size(head), &place));
    vec_push(&x->places, place);
    index_longest(x, (uint32_t)(x->blocks.n - 1) * BLOCK + longest, most);
}

/* Packs the blocks of the tail that are followed by that many slices. */
static void pack_tail(struct lane *lane, uint32_t followed) {
    uint32_t blocks = lane->n > followed ? (lane->n - followed) / BLOCK : 0, first = blocks * BLOCK;
    struct lane_index *x = lane->index;
    if (first <= lane->first)
        return;
    if (x == NULL)
        x = lane->index = err_calloc(1, sizeof *x);
    if (votes_stale(&x->votes))
        vote_again(lane, x);
    while (x->blocks.n < blocks)
        add_block(x, lane->tail + ((uint32_t)x->blocks.n * BLOCK - lane->first));
    memmove(lane->tail, lane->tail + (first - lane->first), (lane->n - first) * sizeof *lane->tail);
    lane->next = lane->tail + (lane->n - first);
    lane->first = first;
}

void lane_index(struct lane *lane) {
    pack_tail(lane, 1 + KEPT);
}

void lane_grow(struct lane *lane) {
    uint32_t n = lane->n - lane->first, cap = n < TAIL / 2 ? n * 2 : TAIL;
    if (lane->n == UINT32_MAX)
        err_no_memory();
    if (n == TAIL) {
        lane_index(lane);
        return;
    }
    cap = cap > 0 ? cap : 2;
    lane->tail = err_realloc(lane->tail, cap, sizeof *lane->tail);
    lane->next = lane->tail + n;
    lane->stop = lane->tail + cap;
}

/* Drops what the index has of the blocks from that one on. */
static void cut_index(struct lane_index *x, size_t blocks) {
    x->busy = x->blocks.v[blocks].busy;
    x->pieces.used = x->places.v[blocks];
    x->blocks.n = x->places.n = blocks;
    x->best_of = BLOCK; /* unknown */
    votes_cut(&x->votes, blocks);
    x->coarse.n = (blocks + BLOCK - 1) / BLOCK;
    for (int level = 0; level < LEVELS; level++)
        if (x->longest[level].n > (blocks /= BLOCK))
            x->longest[level].n = blocks;
}

void lane_cut(struct lane *lane, uint32_t n) {
    if (n < lane->first || (n == lane->first && n > 0)) {
        size_t block = n > 0 ? (n - 1) / BLOCK : 0;
        lane->first = (uint32_t)block * BLOCK;
        pack_read(packed(lane, block), lane->index->blocks.v[block].start, 0, BLOCK, lane->tail);
        cut_index(lane->index, block);
    }
    if (lane->n > n)
        lane->next = lane->tail + (n - lane->first);
    lane->n = n;
    lane_tail(lane);
}

void lane_free(struct lane *lane) {
    struct lane_index *x = lane->index;
    if (x) {
        vec_free(&x->blocks);
        vec_free(&x->places);
        vec_free(&x->coarse);
        for (int level = 0; level < LEVELS; level++)
            vec_free(&x->longest[level]);
        votes_free(&x->votes);
        pack_pieces_free(&x->pieces);
        free(x);
    }
    if (lane->stop) /* else it is in the index cache */
        free(lane->tail);
    *lane = LANE_EMPTY;
}

size_t lane_bytes(const struct lane *lane) {
    const struct lane_index *x = lane->index;
    size_t n = lane->stop ? (size_t)(lane->stop - lane->tail) * sizeof(struct slice) : 0;
    if (x)
        n += sizeof *x + x->blocks.n * 20 + votes_bytes(&x->votes) + (x->pieces.far ? 0 : (size_t)x->pieces.used * 8);
    return n;
}

/* Replaces the blocks of a damaged stretch of the index cache by slices of 1 ns at the times that the index has. */
static void fill(void *ctx, uint64_t stretch) {
    const struct lane_index *x = ((const struct lane *)ctx)->index;
    size_t b = 0;
    lower_bound(b, x->places.n, i, x->places.v[i] / PACK_CHECKED < stretch);
    for (; b < x->places.n && x->places.v[b] / PACK_CHECKED == stretch; b++)
        pack_blank(pack_at(&x->pieces, x->places.v[b]));
}

void lane_look(const struct lane *lane, uint32_t stretch) {
    cache_look(lane->index->pieces.far, stretch, fill, (void *)lane);
}

static void walk_index(struct lane *lane, struct cache *cache) {
    bool has = lane->index != NULL;
    cache_value(cache, has);
    if (!has)
        return;
    if (cache_reads(cache))
        lane->index = err_calloc(1, sizeof *lane->index);
    assert(lane->index != NULL);
    struct lane_index *x = lane->index;
    cache_vec(cache, &x->blocks);
    cache_vec(cache, &x->places);
    cache_vec(cache, &x->coarse);
    for (int level = 0; level < LEVELS; level++)
        cache_vec(cache, &x->longest[level]);
    votes_walk(&x->votes, cache);
    pack_pieces_walk(&x->pieces, cache);
}

void lane_walk(struct lane *lane, struct cache *cache) {
    if (cache_reads(cache))
        *lane = LANE_EMPTY;
    else
        pack_tail(lane, 1); /* it will not change any more */
    cache_value(cache, lane->n);
    cache_value(cache, lane->first);
    cache_value(cache, lane->start);
    cache_value(cache, lane->end);
    uint32_t n = lane->n - lane->first;
    struct slice *tail = cache_array(cache, lane->tail, n, sizeof *lane->tail);
    walk_index(lane, cache);
    if (!cache_reads(cache))
        return;
    lane->tail = tail;
    bool whole = (n == 0 || tail) && (lane->first == 0 || (lane->index && lane->index->pieces.far));
    if (!whole)
        lane->n = lane->first = 0;
}

/* The first slice of the tail that starts at or after t, else n. */
static uint32_t tail_from(const struct lane *lane, int64_t t) {
    size_t i = 0;
    lower_bound(i, lane->n - lane->first, k, lane->tail[k].start < t);
    return lane->first + (uint32_t)i;
}

/* The last block of one coarse entry that starts before t; its first block if none does. */
static size_t block_below(const struct lane_index *x, size_t coarse, int64_t t) {
    size_t lo = coarse * BLOCK, hi = x->blocks.n - lo < BLOCK ? x->blocks.n : lo + BLOCK;
    for (size_t n = hi - lo; n > 1; n -= n / 2) /* no branch depends on a time: half of them would be mispredicted */
        lo = x->blocks.v[lo + n / 2].start < t ? lo + n / 2 : lo;
    return lo;
}

uint32_t lane_from(const struct lane *lane, int64_t t) {
    const struct lane_index *x = lane->index;
    if (x == NULL || x->blocks.n == 0 || x->blocks.v[0].start >= t)
        return x == NULL || x->blocks.n == 0 ? tail_from(lane, t) : 0;
    size_t a = 0, b = x->coarse.n; /* narrow to a block on the dense arrays first */
    while (b - a > 1) {
        size_t mid = a + (b - a) / 2;
        if (x->coarse.v[mid] < t)
            a = mid;
        else
            b = mid;
    }
    a = block_below(x, a, t);
    unsigned before = pack_before(packed(lane, a), (uint64_t)t - (uint64_t)x->blocks.v[a].start);
    return before == BLOCK && a + 1 == x->blocks.n ? tail_from(lane, t) : (uint32_t)a * BLOCK + before;
}

uint32_t lane_find(const struct lane *lane, int64_t t, uint64_t offset) {
    uint32_t lo = lane_from(lane, t), hi = t == INT64_MAX ? lane->n : lane_from(lane, t + 1);
    if (lo == hi)
        return UINT32_MAX;
    if (slice_offset(lane_at(lane, hi - 1)) == offset)
        return hi - 1;
    for (hi--; lo < hi;) { /* slices of no length, in file order */
        uint32_t mid = lo + (hi - lo) / 2;
        if (slice_offset(lane_at(lane, mid)) < offset)
            lo = mid + 1;
        else
            hi = mid;
    }
    const struct slice *s = lo < lane->n ? lane_at(lane, lo) : NULL;
    return s && s->start == t && slice_offset(s) == offset ? lo : UINT32_MAX;
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
{
            fetch(&x->blocks.v[coarse * BLOCK], BLOCK * sizeof *x->blocks.v);
            fetch(&x->places.v[coarse * BLOCK], BLOCK * sizeof *x->places.v);
        }
        e->coarse = e->blocks[k] = coarse;
    }
    for (int k = 0; x && x->blocks.n > 0 && k < e->found; k++) {
        size_t block = block_below(x, e->blocks[k], e->t[c + k]);
        if (block != last)
            fetch(packed_at(x, block), TIMES);
        last = e->blocks[k] = block;
    }
}

/* Passes the slices of a packed block that start before t, and begin no later than it does. Returns the start of the last
 * of them, and adds the durations of the others to *busy, its own to *dur. */
static int64_t pass_packed(const struct lane *lane, size_t number, int64_t t, struct edge *e, int64_t *dur) {
    const unsigned char *block = packed(lane, number);
    uint64_t head = pack_word(block), first = (uint64_t)lane->index->blocks.v[number].start, start = 0, s;
    struct pack_values starts = pack_values(block, head, PACK_START, 0), low = pack_values(block, head, PACK_LOW, 0);
    for (unsigned i = 0; i < BLOCK && (s = pack_next(&starts)) < (uint64_t)t - first; i++) {
        e->busy += (uint64_t)*dur;
        e->i++;
        *dur = head & PACK_PLAIN ? (int64_t)pack_next(&low) : pack_dur(block, i);
        start = s;
    }
    return (int64_t)(first + start);
}

/* Finds an edge by one pass over the slices of its block, and over the tail if it is the last one. */
static struct edge edge_at(struct edges *edges, int c) {
    const struct lane *lane = edges->lane;
    if (c >= edges->first + edges->found)
        look_ahead(edges, c);
    size_t block = edges->blocks[c - edges->first];
    int64_t t = edges->t[c], start = 0, dur = 0;
    struct edge e = {.i = (uint32_t)block * BLOCK, .busy = block > 0 ? lane->index->blocks.v[block].busy : 0};
    uint32_t first = e.i;
    if (first < lane->first && lane->index->blocks.v[block].start < t)
        start = pass_packed(lane, block, t, &e, &dur);
    for (; e.i >= lane->first && e.i < lane->n; e.i++) {
        const struct slice *s = &lane->tail[e.i - lane->first];
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
        int level = -1; /* of the largest block that begins at i and fits; in slices: */
        uint64_t size = 1;
        if (i % BLOCK == 0 && i + UINT64_C(1) * BLOCK <= j && i < lane->first)
            size = BLOCK;
        while (size > 1 && level + 1 < LEVELS && i % (size * BLOCK) == 0 && i + size * BLOCK <= j &&
               i / (size * BLOCK) < x->longest[level + 1].n) {
            level++;
            size *= BLOCK;
        }
        uint32_t one = level >= 0 ? x->longest[level].v[i / size]
                       : size > 1 ? i + pack_longest(packed(lane, i / BLOCK))
                                  : i;
        best = longer(lane, best, one);
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
    if (i > 0 && times_of(lane, i - 1).end > t[0])
        i--;
    for (int c = 0; i < lane->n;) {
        struct times s = times_of(lane, i);
        if (s.start >= t[columns])
            break;
        c = s.start <= t[0] ? 0 : column_of(t, columns, c, s.start);
        struct span *span = &out[n++];
        *span = (struct span){s.start, s.end, 0, i, 1, c};
        uint32_t next = i + 1;
        if (s.end <= t[c + 1] && next < lane->n && lane_start(lane, next) < t[c + 1]) {
            /* it ends in its first column: with what else begins there */
            if (left_of != c)
                left = edge_at(&edges, c);
            struct edge right = edge_at(&edges, c + 1);
            next = right.i;
            if (times_of(lane, next - 1).end > t[c + 1])
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
