/* names.h - interned strings: bytes -> dense id, copied once. Id 0 is the empty string. */
#ifndef FXTOP_NAMES_H
#define FXTOP_NAMES_H

#include <stdint.h>

#include "src/base/str.h"

struct cache;

struct names;
struct names *names_new(void);
void names_free(struct names *names);
void names_persist(struct names *names, struct cache *cache);
uint32_t names_intern(struct names *names, const char *s, size_t n); /* one that came before: by a guess */
uint32_t names_find(const struct names *names, const char *s, size_t n); /* UINT32_MAX: not there */
struct str names_str(const struct names *names, uint32_t id);
uint32_t names_count(const struct names *names);
uint64_t names_bytes(const struct names *names); /* own memory */

#endif
