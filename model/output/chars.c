/* chars.c - text that grows in memory: numbers, and text in a format. */
#include "model/output/chars.h"

#include <stdarg.h>

#include "src/base/text.h"
#include "src/base/units.h"

void chars_u64(struct chars *chars, uint64_t n) {
    chars->n += units_decimal(n, chars_space(chars, 20));
}

void chars_i64(struct chars *chars, int64_t n) {
    if (n < 0)
        chars_put(chars, '-');
    chars_u64(chars, n < 0 ? 0 - (uint64_t)n : (uint64_t)n);
}

void chars_hex(struct chars *chars, uint64_t n) {
    static const char digits[] = "0123456789abcdef";
    char *to = chars_space(chars, 18);
    int shift = 60;
    *to++ = '0';
    *to++ = 'x';
    while (shift > 0 && n >> shift == 0)
        shift -= 4;
    for (; shift >= 0; shift -= 4)
        *to++ = digits[n >> shift & 15];
    chars->n = (size_t)(to - chars->v);
}

bool chars_quoted(struct chars *chars, struct str s) {
    if (text_json_plain(s) < s.n)
        return false;
    char *to = chars_space(chars, s.n + 2);
    *to++ = '"';
    if (s.n > 0)
        memcpy(to, s.s, s.n);
    to[s.n] = '"';
    chars->n += s.n + 2;
    return true;
}

void chars_format(struct chars *chars, const char *format, ...) {
    size_t space = 64;
    for (;;) {
        char *to = chars_space(chars, space);
        va_list args;
        va_start(args, format);
        int n = vsnprintf(to, space, format, args);
        va_end(args);
        if (n < 0)
            return;
        if ((size_t)n < space) {
            chars->n += (size_t)n;
            return;
        }
        space = (size_t)n + 1;
    }
}

void chars_write(struct chars *chars, FILE *out) {
    if (chars->n > 0)
        fwrite(chars->v, 1, chars->n, out);
    chars->n = 0;
}
