/* str.h - bytes with a length: not terminated, not owned, any content (NULs too).
 *
 * The owner decides how long it is valid. */
#ifndef FXTOP_STR_H
#define FXTOP_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

struct str {
    const char *s;
    size_t n;
};

#define STR(literal) ((struct str){(literal), sizeof(literal) - 1})

static inline struct str str_of(const char *z) {
    return (struct str){z, strlen(z)};
}

/* The bytes of a text that fit into `most`, without a part of a character; for "%.*s". */
static inline int str_head(struct str s, size_t most) {
    if (s.n <= most)
        return (int)s.n;
    while (most > 0 && ((unsigned char)s.s[most] & 0xC0) == 0x80)
        most--;
    return (int)most;
}

static inline bool str_eq(struct str a, struct str b) {
    return a.n == b.n && (a.n == 0 || memcmp(a.s, b.s, a.n) == 0);
}

/* Whether z contains `part`; upper and lower case of ASCII letters are the same. */
static inline bool str_has(const char *z, const char *part) {
    size_t n = strlen(part);
    while (*z != '\0' && strncasecmp(z, part, n) != 0)
        z++;
    return n == 0 || *z != '\0';
}

#endif
