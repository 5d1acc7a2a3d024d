/* names.h - interned strings: bytes -> dense number, copied once. Number 0 is the empty string.
 *
 * Names are never removed; the bytes of a struct str last as long as the names. */
#ifndef FXTOP_SRC_FXT_NAMES_H
#define FXTOP_SRC_FXT_NAMES_H

#include <stdint.h>

#include "src/base/str.h"

struct cache;

struct names;
struct names *names_new(void);
void names_free(struct names *names);
void names_persist(struct names *names, struct cache *cache);
/* The number of a string; a new one is copied. A known one is usually found without a hash
 * (map_guess()). */
uint32_t names_intern(struct names *names, const char *s, size_t n);
/* names_intern() in two parts. The first one has what the second one reads fetched, which takes a
 * little time. */
uint64_t names_hash(const struct names *names, const char *s, size_t n);
uint32_t names_intern_hashed(struct names *names, const char *s, size_t n, uint64_t hash);
/* UINT32_MAX: not interned */
uint32_t names_find(const struct names *names, const char *s, size_t n);
struct str names_str(const struct names *names, uint32_t id);
uint32_t names_count(const struct names *names);
uint64_t names_bytes(const struct names *names); /* own memory */

#endif
