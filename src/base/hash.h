/* hash.h - keyed hashes of bytes and of words. The key is drawn once for each process.
 *
 * The writer of a trace neither knows nor sees the key, so that it cannot choose content that collides. */
#ifndef FXTOP_HASH_H
#define FXTOP_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The secret of all maps: they may be kept and read again by a run that has the same. The second is false where this
 * run has another one already. */
void hash_secret(uint64_t secret[4]);
bool hash_share_secret(const uint64_t secret[4]);

uint64_t hash_bytes(const void *bytes, size_t n);
uint64_t hash_words(uint64_t a, uint64_t b);

static inline uint64_t hash_rotate(uint64_t x, int b) {
    return x << b | x >> (64 - b);
}

#endif
