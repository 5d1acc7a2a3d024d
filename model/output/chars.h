/* chars.h - text that grows in memory. The owner frees it with vec_free(). */
#ifndef FXTOP_CHARS_H
#define FXTOP_CHARS_H

#include "src/base/str.h"
#include "src/base/vec.h"

struct chars {
    char *v;
    size_t n, cap;
};

/* Appends text. v is not NULL afterwards, even if nothing was added. */
void chars_add(struct chars *chars, struct str s);

#endif
