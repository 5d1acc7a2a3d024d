/* hash.h - keyed hashes of bytes and of words. The key is drawn once for each process.
 *
 * The writer of a trace neither knows nor sees the key, so that it cannot choose content that collides. */
#ifndef FXTOP_HASH_H
#define FXTOP_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The process-wide key. A map that is read from the index cache needs the key it was made with: hash_share_secret()
 * adopts a stored key; false if a different key is already in use. */
void hash_secret(uint64_t secret[4]);
bool hash_share_secret(const uint64_t secret[4]);

uint64_t hash_bytes(const void *bytes, size_t n);
uint64_t hash_words(uint64_t a, uint64_t b);

static inline uint64_t hash_rotate(uint64_t x, int b) {
    return x << b | x >> (64 - b);
}

#endif
