/* pack.c - packs and unpacks blocks of slices (pack.h), and gives them places.
 *
 * Columns are written from the first to the last, each value with a store of 8 bytes whose upper
 * ones the next store overwrites: so there is no case for each width. */
#include "model/store/pack.h"

#include <assert.h>
#include <stdlib.h>

#include "src/base/vec.h"

#define FIRST_UNITS 32u /* of the first piece */

/* The width of a column whose values have these bits, in its place in the head. */
static inline uint64_t width_of(uint64_t bits, unsigned column) {
    return (uint64_t)(63 - (unsigned)__builtin_clzll(bits | 1)) / 8 << (41 + 3 * column);
}

/* Whether all slices have a known end. */
static bool all_ended(const struct slice v[PACK_SLICES], const struct pack_sum *sum) {
    bool ended = true;
    for (unsigned i = 0; sum->ends >> 60 & SLICE_MISMATCH >> 1 && i < PACK_SLICES; i++)
        ended = ended && !slice_open(&v[i]);
    return ended;
}

uint64_t pack_head(const struct slice v[PACK_SLICES], const struct pack_sum *sum, unsigned longest,
                   int64_t most) {
    bool plain =
        most < SLICE_SHORT && (sum->ends >> 57 & SLICE_NO_LENGTH) == 0 && all_ended(v, sum);
    return v->begin_word % EVENT_WORDS | (uint64_t)longest << 37 | (plain ? PACK_PLAIN : 0) |
           width_of((uint64_t)v[PACK_SLICES - 1].start - (uint64_t)v->start, PACK_START) |
           width_of(sum->ends % SLICE_SHORT, PACK_LOW) | width_of(sum->begins >> 37, PACK_NAME) |
           width_of(sum->offsets % EVENT_WORDS, PACK_OFFSET) |
           width_of(pack_high(sum->ends), PACK_HIGH);
}

/* Without a loop. VALUE is of slice s. */
#define WRITE_COLUMN(column, VALUE)                                                                \
    do {                                                                                           \
        const unsigned width = pack_width(head, (column));                                         \
        _Pragma("GCC unroll 16") for (const struct slice *s = v; s < v + PACK_SLICES; s++) {       \
            pack_store(to, (VALUE));                                                               \
            to += width;                                                                           \
        }                                                                                          \
    } while (0)

void pack_write(uint64_t head, const struct slice v[PACK_SLICES], unsigned char *to) {
    pack_store(to, head);
    to += 8;
    WRITE_COLUMN(PACK_START, (uint64_t)s->start - (uint64_t)v->start);
    WRITE_COLUMN(PACK_LOW, s->end_word);
    WRITE_COLUMN(PACK_NAME, s->begin_word >> 37);
    WRITE_COLUMN(PACK_OFFSET, s->begin_word - v->begin_word);
    WRITE_COLUMN(PACK_HIGH, pack_high(s->end_word));
    pack_store(to, 0);
}

void pack_blank(unsigned char *to) {
    memset(to, 0, PACK_LEAST);
    pack_store(to, PACK_PLAIN);
    for (unsigned i = 0; i < PACK_SLICES; i++) {
        to[8 + PACK_SLICES * PACK_START + i] = (unsigned char)i;
        to[8 + PACK_SLICES * PACK_LOW + i] = 1;
        to[8 + PACK_SLICES * PACK_HIGH + i] = SLICE_END_IN_BEGIN_RECORD;
    }
}

/* Two values a turn. USE has the value v and the slice s. */
#define READ_COLUMN(column, USE)                                                                   \
    do {                                                                                           \
        struct pack_values values = pack_values(block, head, (column), i);                         \
        struct slice *s = to, *end = to + n;                                                       \
        uint64_t v;                                                                                \
        if (n % 2 != 0) {                                                                          \
            v = pack_next(&values);                                                                \
            USE;                                                                                   \
            s++;                                                                                   \
        }                                                                                          \
        for (; s < end; values.p += 2 * values.width) {                                            \
            v = pack_word(values.p) & values.mask;                                                 \
            USE;                                                                                   \
            s++;                                                                                   \
            v = pack_word(values.p + values.width) & values.mask;                                  \
            USE;                                                                                   \
            s++;                                                                                   \
        }                                                                                          \
    } while (0)

void pack_read(const unsigned char *block, int64_t first, unsigned i, unsigned n,
               struct slice *to) {
    uint64_t head = pack_word(block), word = head % EVENT_WORDS;
    READ_COLUMN(PACK_START, s->start = (int64_t)((uint64_t)first + v));
    READ_COLUMN(PACK_LOW, s->end_word = v);
    READ_COLUMN(PACK_NAME, s->begin_word = v << 37);
    READ_COLUMN(PACK_OFFSET, s->begin_word |= (word + v) % EVENT_WORDS);
    READ_COLUMN(PACK_HIGH, s->end_word |= pack_end_word(0, v));
}

/* All names of a column of less bytes are held. */
#define NAMES_HELD 3
static_assert(EVENT_NAME_MAX >> 8 * NAMES_HELD != 0,
              "a wider column for the name that is decoded again");

void pack_read_times(const unsigned char *block, int64_t first, unsigned i, unsigned n,
                     struct slice *to) {
    const uint64_t ended = (uint64_t)SLICE_END_IN_BEGIN_RECORD << 57;
    uint64_t head = pack_word(block);
    if ((head & PACK_PLAIN) == 0 || pack_width(head, PACK_NAME) > NAMES_HELD) {
        pack_read(block, first, i, n, to);
        return;
    }
    struct pack_values start = pack_values(block, head, PACK_START, i),
                       low = pack_values(block, head, PACK_LOW, i);
    struct pack_values name = pack_values(block, head, PACK_NAME, i);
    for (struct slice *s = to; s < to + n; s++) {
        s->start = (int64_t)((uint64_t)first + pack_next(&start));
        s->begin_word = pack_next(&name) << 37;
        s->end_word = pack_next(&low) | ended;
    }
}

int64_t pack_rare_dur(const unsigned char *block, unsigned i) {
    struct slice s = pack_slice(block, 0, i);
    return slice_dur_ended(&s);
}

/* ---- pieces ---- */

static uint32_t pieces_of(uint32_t units) {
    return units / PACK_PIECE + (units % PACK_PIECE > 0);
}

static unsigned char *piece_new(void) {
    size_t size = PACK_PIECE * 8;
    unsigned char *piece = err_malloc(size);
    vec_map_pages(piece, size);
    return piece;
}

static void grow(struct pack_pieces *pieces) {
    uint32_t n = pieces_of(pieces->cap);
    if (pieces->cap < PACK_PIECE) {
        if (n == 0)
            pieces->v = err_calloc(1, sizeof *pieces->v);
        uint32_t cap = n > 0 ? pieces->cap * 2 : FIRST_UNITS;
        pieces->cap = cap < PACK_PIECE / 2 ? cap : PACK_PIECE; /* half would be copied soon */
        pieces->v[0] = err_realloc(pieces->v[0], pieces->cap, 8);
        return;
    }
    if (pieces->cap > UINT32_MAX - 2 * PACK_PIECE)
        err_no_memory();    /* 32 GiB of slices in one row */
    if ((n & (n - 1)) == 0) /* the table is full */
        pieces->v = err_realloc(pieces->v, (size_t)n * 2, sizeof *pieces->v);
    pieces->v[n] = piece_new();
    pieces->cap += PACK_PIECE;
}

unsigned char *pack_take(struct pack_pieces *pieces, unsigned size, uint32_t *place) {
    uint32_t units = size / 8, left = PACK_CHECKED - pieces->used % PACK_CHECKED, gap = 0;
    if (left < units + PACK_SLACK / 8)
        gap = left;
    while (pieces->cap < pieces->used + gap + units + PACK_SLACK / 8)
        grow(pieces);
    if (gap > 0)
        memset(pack_at(pieces, pieces->used), 0, gap * (size_t)8);
    *place = pieces->used + gap;
    pieces->used = *place + units;
    return pack_at(pieces, *place);
}

void pack_pieces_free(struct pack_pieces *pieces) {
    for (uint32_t i = 0; pieces->far == NULL && i < pieces_of(pieces->cap); i++)
        free(pieces->v[i]);
    free(pieces->v);
}

void pack_pieces_walk(struct pack_pieces *pieces, struct cache *cache) {
    cache_value(cache, pieces->used);
    uint32_t units = pieces->used + PACK_SLACK / 8;
    for (uint32_t at = 0; !cache_reads(cache) && at < units; at += PACK_PIECE)
        cache_put_far(cache, pieces->v[at / PACK_PIECE],
                      (units - at < PACK_PIECE ? units - at : PACK_PIECE) * (size_t)8);
    if (!cache_reads(cache))
        return;
    pieces->cap = units;
    pieces->far = cache_take_far(cache, units * (uint64_t)8);
    pieces->v = err_calloc(pieces_of(units), sizeof *pieces->v);
    for (uint32_t i = 0; pieces->far && i < pieces_of(units); i++)
        pieces->v[i] = pieces->far->v + i * (size_t)PACK_PIECE * 8;
}
