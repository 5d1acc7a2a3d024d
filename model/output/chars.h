/* chars.h - text that grows in memory. The owner frees it with vec_free(). */
#ifndef FXTOP_CHARS_H
#define FXTOP_CHARS_H

#include <string.h>

#include "src/base/str.h"
#include "src/base/vec.h"

struct chars {
    char *v;
    size_t n, cap;
};

/* v is not NULL afterwards, even if nothing was added. */
static inline void chars_add(struct chars *chars, struct str s) {
    vec_reserve(chars, chars->n + s.n + 1);
    if (s.n > 0)
        memcpy(chars->v + chars->n, s.s, s.n);
    chars->n += s.n;
}

#endif
