/* chars.c - text that grows in memory. */
#include "model/output/chars.h"

#include <string.h>

void chars_add(struct chars *chars, struct str s) {
    vec_reserve(chars, chars->n + s.n + 1);
    if (s.n > 0)
        memcpy(chars->v + chars->n, s.s, s.n);
    chars->n += s.n;
}
