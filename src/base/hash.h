/* hash.h - keyed hashes of bytes and of words. The key is drawn once for each process.
 *
 * The writer of a trace neither knows nor sees the key, so that it cannot choose content that
 * collides. */
#ifndef FXTOP_HASH_H
#define FXTOP_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "src/base/wide.h"

/* The process-wide key. A map that is read from the index cache needs the key it was made with:
 * hash_share_secret() adopts a stored key; false if a different key is already in use. */
void hash_secret(uint64_t secret[4]);
bool hash_share_secret(const uint64_t secret[4]);

uint64_t hash_bytes(const void *bytes, size_t n);

extern uint64_t hash_key[4]; /* hash_key[0] is odd once it is drawn */
void hash_draw(void);

static inline uint64_t hash_fold(uint64_t a, uint64_t b) {
    struct wide w = wide_mul(a, b);
    return w.hi ^ w.lo;
}

/* Two products with secret factors: a file's writer can neither see nor guess what meets what. */
static inline uint64_t hash_words(uint64_t a, uint64_t b) {
    if (hash_key[0] == 0)
        hash_draw();
    return hash_fold(hash_fold(a ^ hash_key[1], hash_key[2] | 1) + (b ^ hash_key[3]), hash_key[0]);
}

static inline uint64_t hash_rotate(uint64_t x, int b) {
    return x << b | x >> (64 - b);
}

/* A key for map_guess(): the first and last bytes of a text, which differ between most texts. */
static inline uint64_t hash_sketch(const char *s, size_t n) {
    uint64_t first = 0, last = 0;
    if (n >= 8) {
        memcpy(&first, s, 8);
        memcpy(&last, s + n - 8, 8);
    } else if (n >= 4) {
        memcpy(&first, s, 4);
        memcpy(&last, s + n - 4, 4);
    } else if (n > 0) {
        first = (unsigned char)s[0] | (uint64_t)(unsigned char)s[n / 2] << 8 |
                (uint64_t)(unsigned char)s[n - 1] << 16;
    }
    return first ^ hash_rotate(last, 23) ^ n;
}

#endif
