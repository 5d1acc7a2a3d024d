/* checked.h - numbers of texts, and text appended to a buffer. Garbage and text that does not fit
 * fail the test. */
#ifndef FXTOP_CHECKED_H
#define FXTOP_CHECKED_H

#include "tests/unit/lib/libcheck.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Decimal, or hexadecimal after 0x. */
static inline long long checked_integer(const char *text) {
    char *end;
    errno = 0;
    long long n = strtoll(text, &end, strncmp(text, "0x", 2) == 0 ? 16 : 10);
    ck_assert_msg(end > text && *end == '\0' && errno == 0, "no integer: '%s'", text);
    return n;
}

/* The number may have `unit` after it. */
static inline double checked_real(const char *text, const char *unit) {
    char *end;
    errno = 0;
    double x = strtod(text, &end);
    ck_assert_msg(end > text && (*end == '\0' || strcmp(end, unit) == 0) && errno == 0,
                  "no number: '%s'", text);
    return x;
}

/* cap: bytes of the whole buffer. */
__attribute__((format(printf, 3, 4))) static inline void checked_append(char *text, size_t cap,
                                                                        const char *format, ...) {
    size_t n = strlen(text);
    va_list list;
    va_start(list, format);
    int more = vsnprintf(text + n, cap - n, format, list);
    va_end(list);
    ck_assert_msg(more >= 0 && (size_t)more < cap - n, "more than %zu bytes: '%s'", cap, text);
}

#endif
