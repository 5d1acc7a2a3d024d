/* chars.h - text that grows in memory: of one value, or of many rows of an export. The owner frees
 * it with vec_free().
 *
 * The functions that append are cheap: an export calls some of them for each field of each row. */
#ifndef FXTOP_CHARS_H
#define FXTOP_CHARS_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "src/base/str.h"
#include "src/base/vec.h"

struct chars {
    char *v;
    size_t n, cap;
};

/* Space for n more bytes. The caller fills it, and adds to chars->n what it has used. */
static inline char *chars_space(struct chars *chars, size_t n) {
    vec_reserve(chars, chars->n + n);
    return chars->v + chars->n;
}

/* Appends text. v is not NULL afterwards, even if nothing was added. */
static inline void chars_add(struct chars *chars, struct str s) {
    char *to = chars_space(chars, s.n + 1);
    if (to && s.n > 0) /* gcc -fanalyzer cannot see that it is never NULL */
        memcpy(to, s.s, s.n);
    chars->n += s.n;
}

static inline void chars_put(struct chars *chars, char c) {
    *chars_space(chars, 1) = c;
    chars->n++;
}

static inline void chars_text(struct chars *chars, const char *s) {
    chars_add(chars, (struct str){s, strlen(s)});
}

/* Appends text in quotes if no format has to escape any of it (text_json_plain()); else returns
 * false. */
bool chars_quoted(struct chars *chars, struct str s);
void chars_u64(struct chars *chars, uint64_t n);
void chars_i64(struct chars *chars, int64_t n);
void chars_hex(struct chars *chars, uint64_t n); /* "0x1f" */
void chars_format(struct chars *chars, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define CHARS_PIECE ((size_t)64 << 10) /* bytes that are written at once */

/* Writes the text to a file and empties it. Errors are those of the file. */
void chars_write(struct chars *chars, FILE *out);

#endif
