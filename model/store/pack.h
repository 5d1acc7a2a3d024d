/* pack.h - a block of slices in about half of its bytes: columns of whole bytes.
 *
 * A block has a head of 8 bytes, then five columns of PACK_SLICES values. All values of a column
 * have one width, the least number of bytes that holds them, at least 1: a width of 8 holds
 * everything, so there is no other case. Values are little-endian on every host; bits above those
 * of a column have no meaning. No slice of a block is endless.
 *
 *   head     63  57 56    55 53 52 50 49 47 46 44 43 41 40     37 36                         0
 *           |  0   | plain | widths - 1, column 0 on the right | longest | word of the first begin |
 *
 *   column 0  start - the block's first start, which the block index has
 *          1  end_word, bits 0..32: the duration of a plain block's slices, which are not open
 *          2  begin_word, bits 37..63: the name
 *          3  word of the begin record - that of the first one, modulo EVENT_WORDS
 *          4  end_word, bits 32..63, rotated so that the distance to the end record is on the left of kind and flags
 *
 * A column of which only part is asked is read alone. Reading a value reads 8 bytes, so PACK_SLACK
 * bytes that have a value follow a block. */
#ifndef FXTOP_PACK_H
#define FXTOP_PACK_H

#include <stddef.h>
#include <string.h>

#include "model/store/slice.h"
#include "src/io/cache.h"

enum pack_column { PACK_START, PACK_LOW, PACK_NAME, PACK_OFFSET, PACK_HIGH, PACK_COLUMNS };

#define PACK_SLICES 16u /* of a block */
#define PACK_SLACK 8u
#define PACK_MOST (8 + PACK_SLICES * (8 + 5 + 4 + 5 + 4)) /* bytes of a block */
#define PACK_LEAST (8 + PACK_SLICES * PACK_COLUMNS)
#define PACK_PLAIN (UINT64_C(1) << 56)

struct pack_sum {          /* of a block: the bits that are set in any slice */
    uint64_t begins, ends; /* begin_word, end_word */
    uint64_t offsets;      /* begin_word, less the first one */
};

/* Adds both words of a slice in one vector. */
static inline struct pack_sum pack_sum(const struct slice v[PACK_SLICES]) {
    typedef uint64_t __attribute__((vector_size(16))) pair;
    const pair first = {v->begin_word, 0};
    pair words = {0, 0}, offsets = {0, 0};
#pragma GCC unroll 4
    for (unsigned i = 0; i < PACK_SLICES; i++) {
        pair both;
        memcpy(&both, &v[i].begin_word, sizeof both);
        words |= both;
        offsets |= both - first;
    }
    return (struct pack_sum){words[0], words[1], offsets[0]};
}

/* The head of a block. longest: number of its longest slice; most: its duration. */
uint64_t pack_head(const struct slice v[PACK_SLICES], const struct pack_sum *sum, unsigned longest,
                   int64_t most);
/* Writes the block and PACK_SLACK bytes after it. */
void pack_write(uint64_t head, const struct slice v[PACK_SLICES], unsigned char *to);
/* Writes a block of PACK_LEAST bytes: complete slices of 1 ns, one after the other, without a
 * name. */
void pack_blank(unsigned char *to);
/* Reads the slices [i, i + n) of a block that starts at `first`. */
void pack_read(const unsigned char *block, int64_t first, unsigned i, unsigned n, struct slice *to);
/* The same without the records: only slice_name(), times and whether there is a length hold. A name
 * that is decoded again has its record. */
void pack_read_times(const unsigned char *block, int64_t first, unsigned i, unsigned n,
                     struct slice *to);

static inline uint64_t pack_word(const unsigned char *p) {
    uint64_t v;
    memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

static inline void pack_store(unsigned char *p, uint64_t v) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    memcpy(p, &v, sizeof v);
}

static inline unsigned pack_width(uint64_t head, unsigned column) {
    return (unsigned)(head >> (41 + 3 * column) & 7) + 1;
}

static inline unsigned pack_longest(const unsigned char *block) {
    return (unsigned)(pack_word(block) >> 37) & (PACK_SLICES - 1);
}

/* Bytes of a block, without PACK_SLACK. */
static inline unsigned pack_size(uint64_t head) {
    /* less 1 each */
    unsigned widths = (unsigned)(head >> 41), pairs = (widths & 070707) + (widths >> 3 & 0707);
    return 8 +
           PACK_SLICES * (PACK_COLUMNS + (pairs & 077) + (pairs >> 6 & 077) + (pairs >> 12 & 077));
}

struct pack_values { /* of a column: next() reads one after the other */
    const unsigned char *p;
    unsigned width;
    uint64_t mask;
};

/* The values of a column from i on. */
static inline struct pack_values pack_values(const unsigned char *block, uint64_t head,
                                             unsigned column, unsigned i) {
    const unsigned char *p = block + 8;
    for (unsigned k = 0; k < column; k++)
        p += PACK_SLICES * pack_width(head, k);
    unsigned width = pack_width(head, column);
    uint64_t mask = UINT64_MAX >> (64 - 8 * width);
    return (struct pack_values){p + i * width, width,
                                column == PACK_LOW ? mask & (SLICE_SHORT - 1) : mask};
}

static inline uint64_t pack_next(struct pack_values *values) {
    uint64_t v = pack_word(values->p) & values->mask;
    values->p += values->width;
    return v;
}

/* Value i of the column at *at, whose width is the lowest in `widths`; moves both to the next
 * column. */
static inline uint64_t pack_across(const unsigned char **at, uint64_t *widths, unsigned i) {
    unsigned width = (unsigned)(*widths & 7) + 1;
    uint64_t v = pack_word(*at + i * width) & UINT64_MAX >> (64 - 8 * width);
    *at += PACK_SLICES * width;
    *widths >>= 3;
    return v;
}

/* The last column of an end_word. Both the other one and this have bit 32 of it. */
static inline uint32_t pack_high(uint64_t end_word) {
    uint32_t high = (uint32_t)(end_word >> 32);
    return high << 7 | high >> 25;
}

/* A slice's end_word from its two columns. */
static inline uint64_t pack_end_word(uint64_t low, uint64_t high) {
    uint32_t rotated = (uint32_t)high;
    return low | (uint64_t)(rotated >> 7 | rotated << 25) << 32;
}

/* Slice i of a block that starts at `first`. */
static inline struct slice pack_slice(const unsigned char *block, int64_t first, unsigned i) {
    uint64_t head = pack_word(block), widths = head >> 41;
    const unsigned char *at = block + 8;
    uint64_t start = (uint64_t)first + pack_across(&at, &widths, i);
    uint64_t low = pack_across(&at, &widths, i) & (SLICE_SHORT - 1);
    uint64_t name = pack_across(&at, &widths, i);
    uint64_t begin = (head + pack_across(&at, &widths, i)) % EVENT_WORDS | name << 37;
    return (struct slice){(int64_t)start, begin, pack_end_word(low, pack_across(&at, &widths, i))};
}

/* Whether one of the PACK_SLICES values of 1 or 2 bytes from p on is v: in words of 8 or 4 values.
 * A value that is equal leaves zero, and only a zero, or what is above one, borrows into its
 * highest bit. */
static inline bool pack_narrow_has(const unsigned char *p, unsigned width, uint64_t v) {
    const uint64_t ones = UINT64_MAX / (width == 1 ? UINT8_MAX : UINT16_MAX),
                   highest = ones << (8 * width - 1);
    uint64_t zeros = 0;
    for (const unsigned char *end = p + PACK_SLICES * width; p < end; p += 8) {
        uint64_t x = pack_word(p) ^ v * ones;
        zeros |= (x - ones) & ~x & highest;
    }
    return zeros != 0;
}

/* Whether one of the slices [i, i + n) has this name, or one of EVENT_NAME_MAX or more. */
static inline bool pack_has_name(const unsigned char *block, unsigned i, unsigned n,
                                 uint32_t name) {
    struct pack_values names = pack_values(block, pack_word(block), PACK_NAME, i);
    if (names.width <= 2 && name > names.mask)
        return false;
    if (names.width <= 2 && n == PACK_SLICES)
        return pack_narrow_has(names.p, names.width, name);
    for (; n > 0; n--) {
        uint64_t v = pack_next(&names);
        if ((v == name) | (v >= EVENT_NAME_MAX))
            return true;
    }
    return false;
}

/* The number of slices that start before `after`, a time since the first start. */
static inline unsigned pack_before(const unsigned char *block, uint64_t after) {
    struct pack_values start = pack_values(block, pack_word(block), PACK_START, 0);
    unsigned lo = 0, hi = PACK_SLICES;
    while (lo < hi) {
        unsigned mid = (lo + hi) / 2;
        bool before = (pack_word(start.p + mid * start.width) & start.mask) < after;
        lo = before ? mid + 1 : lo;
        hi = before ? hi : mid;
    }
    return lo;
}

/* The time from the first start to that of slice i. */
static inline uint64_t pack_start(const unsigned char *block, unsigned i) {
    struct pack_values start = pack_values(block, pack_word(block), PACK_START, i);
    return pack_next(&start);
}

/* slice_dur() of slice i, if the block is not plain. */
int64_t pack_rare_dur(const unsigned char *block, unsigned i);

/* slice_dur() of slice i; adds the time since the first start to *start. */
static inline int64_t pack_times(const unsigned char *block, unsigned i, uint64_t *start) {
    uint64_t head = pack_word(block), widths = head >> 41;
    const unsigned char *at = block + 8;
    *start += pack_across(&at, &widths, i);
    return head & PACK_PLAIN ? (int64_t)(pack_across(&at, &widths, i) & (SLICE_SHORT - 1))
                             : pack_rare_dur(block, i);
}

static inline int64_t pack_dur(const unsigned char *block, unsigned i) {
    uint64_t start = 0;
    return pack_times(block, i, &start);
}

/* ---- the pieces of bytes that hold blocks ----
 *
 * A place counts units of 8 bytes. Blocks do not move, but for those of the first piece while it is
 * small. A stretch that one checksum of the index cache covers has whole blocks, so what is damaged
 * there is known. */

#define PACK_CHECKED (CACHE_BLOCK / 8) /* units of a stretch */
#define PACK_PIECE (8 * PACK_CHECKED)  /* of a piece */

struct pack_pieces {
    unsigned char **v;
    uint32_t used, cap;    /* units; the owner may take back `used` to a place */
    struct cache_far *far; /* they are in the index cache; or NULL */
};

static inline unsigned char *pack_at(const struct pack_pieces *pieces, uint32_t place) {
    return pieces->v[place / PACK_PIECE] + place % PACK_PIECE * 8;
}

/* Takes a place for a block of that size and what follows it. */
unsigned char *pack_take(struct pack_pieces *pieces, unsigned size, uint32_t *place);
void pack_pieces_free(struct pack_pieces *pieces);
void pack_pieces_walk(struct pack_pieces *pieces, struct cache *cache);

#endif
