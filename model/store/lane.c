/* lane.c - packed blocks, a block index over them, a tail of slices, and questions about single
 * times. Times: ns.
 *
 * A short lane is a tail that doubles. Later, a full tail is packed, but for the last slices. */
#include "model/store/lane.h"

#include <assert.h>
#include <string.h>

#include "model/store/lane_internal.h"
#include "src/base/lower_bound.h"
#include "src/base/vec.h"

static_assert(BLOCK == PACK_SLICES, "the unit of packing");

/* slices that stay in the tail, as the last ones are often asked for, moved or cut */
#define KEPT BLOCK
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
    return (int64_t)((uint64_t)lane->index->blocks.v[i / BLOCK].start +
                     pack_start(packed(lane, i / BLOCK), i % BLOCK));
}

int64_t lane_dur(const struct lane *lane, uint32_t i) {
    return i >= lane->first ? slice_dur(&lane->tail[i - lane->first])
                            : pack_dur(packed(lane, i / BLOCK), i % BLOCK);
}

uint32_t lane_name(const struct lane *lane, uint32_t i) {
    if (i >= lane->first)
        return slice_name(&lane->tail[i - lane->first]);
    const unsigned char *block = packed(lane, i / BLOCK);
    struct pack_values name = pack_values(block, pack_word(block), PACK_NAME, i % BLOCK);
    uint64_t v = pack_next(&name);
    return v < EVENT_NAME_MAX ? (uint32_t)v : EVENT_NAME_MAX;
}

void lane_prefetch(const struct lane *lane, uint32_t i) {
    if (i < lane->first)
        fetch(packed_at(lane->index, i / BLOCK), USUAL);
}

static inline void copy(const struct lane *lane, uint32_t i, uint32_t n, struct slice *to,
                        void (*read)(const unsigned char *, int64_t, unsigned, unsigned,
                                     struct slice *)) {
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
            if (pack_dur(packed_at(x, at / BLOCK), at % BLOCK) >
                pack_dur(packed_at(x, best / BLOCK), best % BLOCK))
                best = at;
        }
        vec_push(&x->longest[level], best);
    }
}

/* Sums of a block's slices. */
struct tally {
    struct vote vote;
    uint64_t busy;
    int64_t most; /* the duration of the longest one: */
    unsigned longest;
};

static inline void tally_add(struct tally *tally, const struct slice *s, unsigned i, int64_t dur) {
    tally->busy += (uint64_t)dur;
    vote_add(&tally->vote, (uint32_t)(s->begin_word >> 37), (uint64_t)dur);
    tally->longest = dur > tally->most ? i : tally->longest;
    tally->most = dur > tally->most ? dur : tally->most;
}

static inline struct tally tally_of(const struct slice v[BLOCK], const struct pack_sum *sum) {
    struct tally tally = {VOTE_EMPTY, 0, -1, 0};
    if (sum->ends & SLICE_IS_LONG) {
        for (unsigned i = 0; i < BLOCK; i++)
            tally_add(&tally, v + i, i, slice_dur_ended(v + i));
        return tally;
    }
#pragma GCC unroll 2
    for (unsigned i = 0; i < BLOCK; i++)
        tally_add(&tally, v + i, i, slice_dur_brief(v + i));
    return tally;
}

/* Packs and indexes the slices of a block. */
static __attribute__((noinline)) void add_block(struct lane_index *x, const struct slice *v) {
    const struct pack_sum sum = pack_sum(v);
    const struct tally tally = tally_of(v, &sum);
    if (x->blocks.n % BLOCK == 0)
        vec_push(&x->coarse, v->start);
    vec_push(&x->blocks, ((struct block){v->start, x->busy}));
    x->busy += tally.busy;
    if (votes_push(&x->votes, tally.vote.name, tally.vote.surplus, tally.busy))
        votes_level(&x->votes, x->busy - x->blocks.v[x->blocks.n - VOTE_FIRST].busy);
    if (x->blocks.n % VOTE_FOUR == 0)
        vote_four(x, x->busy);
    uint64_t head = pack_head(v, &sum, tally.longest, tally.most);
    uint32_t place;
    pack_write(head, v, pack_take(&x->pieces, pack_size(head), &place));
    vec_push(&x->places, place);
    index_longest(x, (uint32_t)(x->blocks.n - 1) * BLOCK + tally.longest, tally.most);
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
        n += sizeof *x + x->blocks.n * 20 + votes_bytes(&x->votes) +
             (x->pieces.far ? 0 : (size_t)x->pieces.used * 8);
    return n;
}

/* Replaces the blocks of a damaged stretch of the index cache by slices of 1 ns at the times that
 * the index has. */
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
    a = lane_block_below(x, a, t);
    unsigned before = pack_before(packed(lane, a), (uint64_t)t - (uint64_t)x->blocks.v[a].start);
    return before == BLOCK && a + 1 == x->blocks.n ? tail_from(lane, t)
                                                   : (uint32_t)a * BLOCK + before;
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

/* The longest of the largest block of slices that begins at *i and fits before j; moves *i to its
 * end. */
static uint32_t longest_from(const struct lane *lane, uint32_t *i, uint32_t j) {
    const struct lane_index *x = lane->index;
    uint32_t first = *i;
    int level = -1; /* of that block; in slices: */
    uint64_t size = 1;
    if (first % BLOCK == 0 && first + UINT64_C(1) * BLOCK <= j && first < lane->first)
        size = BLOCK;
    while (size > 1 && level + 1 < LEVELS && first % (size * BLOCK) == 0 &&
           first + size * BLOCK <= j && first / (size * BLOCK) < x->longest[level + 1].n) {
        level++;
        size *= BLOCK;
    }
    *i += (uint32_t)size;
    if (level >= 0)
        return x->longest[level].v[first / size];
    return size > 1 ? first + pack_longest(packed(lane, first / BLOCK)) : first;
}

#define SOME 16 /* slices that are prefetched before the first of them is read */

uint32_t lane_longest(struct lane *lane, uint32_t i, uint32_t j) {
    uint32_t best = i, some[SOME];
    int64_t most = -1;
    lane_index(lane);
    while (i < j) {
        unsigned n = 0;
        for (; i < j && n < SOME; n++) { /* they are far from each other */
            some[n] = longest_from(lane, &i, j);
            if (some[n] < lane->first)
                fetch(packed_at(lane->index, some[n] / BLOCK), TIMES);
        }
        for (unsigned k = 0; k < n; k++) {
            int64_t dur = lane_dur(lane, some[k]);
            best = dur > most ? some[k] : best;
            most = dur > most ? dur : most;
        }
    }
    return best;
}

bool lane_has_name(const struct lane *lane, uint32_t i, uint32_t n, uint32_t name) {
    for (uint32_t end = i + n, k; i < end; i += k) {
        k = BLOCK - i % BLOCK < end - i ? BLOCK - i % BLOCK : end - i;
        if (i < lane->first) {
            if (pack_has_name(packed(lane, i / BLOCK), i % BLOCK, k, name))
                return true;
            continue;
        }
        for (const struct slice *s = lane->tail + (i - lane->first), *stop = s + k; s < stop; s++)
            if (slice_name(s) == name || slice_name(s) == EVENT_NAME_MAX)
                return true;
    }
    return false;
}
