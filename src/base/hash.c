/* hash.c - keyed hashes and their key.
 *
 * Bytes are hashed by SipHash-1-3. Two words are hashed by two products with hash_key factors,
 * which is cheaper and as hard to guess. The key comes from the system; without random bytes it is
 * made of the time of day. */
#include "src/base/hash.h"

#include <string.h>
#ifdef HAVE_SYS_RANDOM_H
#include <sys/random.h>
#endif
#include <time.h>
#include <unistd.h>

#include "src/base/wide.h"

#define BIG_ENDIAN_HOST (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

uint64_t hash_key[4];

void hash_draw(void) {
    if (getentropy(hash_key, sizeof hash_key) != 0) {
        struct timespec t;
        clock_gettime(CLOCK_REALTIME, &t);
        for (size_t i = 0; i < sizeof hash_key / sizeof *hash_key; i++)
            hash_key[i] = ((uint64_t)t.tv_nsec << 32 ^ (uint64_t)t.tv_sec) * (2 * i + 1);
    }
    hash_key[0] |= 1;
}

void hash_secret(uint64_t out[4]) {
    if (hash_key[0] == 0)
        hash_draw();
    memcpy(out, hash_key, sizeof hash_key);
}

bool hash_share_secret(const uint64_t in[4]) {
    if (hash_key[0] == 0 && in[0] & 1)
        memcpy(hash_key, in, sizeof hash_key);
    return memcmp(hash_key, in, sizeof hash_key) == 0;
}

/* Inlined, so that v is in registers. */
static inline __attribute__((always_inline)) void sip_round(uint64_t v[4]) {
    v[0] += v[1], v[1] = hash_rotate(v[1], 13) ^ v[0], v[0] = hash_rotate(v[0], 32);
    v[2] += v[3], v[3] = hash_rotate(v[3], 16) ^ v[2];
    v[0] += v[3], v[3] = hash_rotate(v[3], 21) ^ v[0];
    v[2] += v[1], v[1] = hash_rotate(v[1], 17) ^ v[2], v[2] = hash_rotate(v[2], 32);
}

static inline __attribute__((always_inline)) void sip_start(uint64_t v[4]) {
    if (hash_key[0] == 0)
        hash_draw();
    v[0] = hash_key[0] ^ UINT64_C(0x736f6d6570736575);
    v[1] = hash_key[1] ^ UINT64_C(0x646f72616e646f6d);
    v[2] = hash_key[0] ^ UINT64_C(0x6c7967656e657261);
    v[3] = hash_key[1] ^ UINT64_C(0x7465646279746573);
}

static inline __attribute__((always_inline)) void sip_word(uint64_t v[4], uint64_t w) {
    v[3] ^= w;
    sip_round(v);
    v[0] ^= w;
}

static inline __attribute__((always_inline)) uint64_t sip_end(uint64_t v[4]) {
    v[2] ^= 0xff;
    sip_round(v);
    sip_round(v);
    sip_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

uint64_t hash_bytes(const void *bytes, size_t n) {
    const unsigned char *p = bytes;
    uint64_t v[4], w, tail = (uint64_t)n << 56;
    sip_start(v);
    for (; n >= 8; n -= 8, p += 8) {
        memcpy(&w, p, 8);
        sip_word(v, w);
    }
    w = 0;
    if (n > 0) /* the up to seven last bytes leave the highest byte of the word to the length */
        memcpy((unsigned char *)&w + (BIG_ENDIAN_HOST ? sizeof w - n : 0), p, n);
    sip_word(v, w | tail);
    return sip_end(v);
}
