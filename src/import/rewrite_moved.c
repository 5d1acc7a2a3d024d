/* rewrite_moved.c - moves times by whole ticks if the shift is so many, else writes them in ns. */
#include "src/import/rewrite_moved.h"

#include <string.h>

#define NS_A_SECOND 1000000000
#define DIGITS_MOST 38 /* 128 bits hold such a number */

/* The ticks by which times of a clock are moved. False: they are no whole number, so that times
 * are written in ns. */
static bool whole_ticks(const struct rewrite_moved *m, uint64_t tps, uint64_t *ticks) {
    struct wide product = wide_mul(m->shift, tps), quotient = wide_div(product, NS_A_SECOND);
    *ticks = quotient.lo;
    return quotient.hi == 0 && quotient.lo <= INT64_MAX &&
           wide_cmp(wide_mul(quotient.lo, NS_A_SECOND), product) == 0;
}

uint64_t rewrite_moved_rate(const struct rewrite_moved *m, uint64_t tps) {
    uint64_t ticks;
    return whole_ticks(m, tps, &ticks) ? tps : NS_A_SECOND;
}

uint64_t rewrite_moved_time(const struct rewrite_moved *m, uint64_t tps, uint64_t ticks) {
    uint64_t more;
    struct wide at = {0, ticks};
    if (m->shift == 0)
        return ticks;
    if (whole_ticks(m, tps, &more))
        at = wide_plus(at, (struct wide){0, more});
    else
        at = wide_plus(wide_div(wide_mul(ticks, NS_A_SECOND), tps), (struct wide){0, m->shift});
    return at.hi == 0 && at.lo < FXT_NO_END ? at.lo : FXT_NO_END - 1;
}

struct str rewrite_moved_name(const struct rewrite_moved *m, const struct provider *p,
                              struct str name, char buf[REWRITE_PROVIDER_NAME + 1]) {
    size_t n = m->name.n, left = REWRITE_PROVIDER_NAME - n - 1;
    memcpy(buf, m->name.s, n);
    if (p->implicit)
        return (struct str){buf, n};
    left = name.n < left ? name.n : left;
    buf[n] = '/';
    memcpy(buf + n + 1, name.n > 0 ? name.s : "", left);
    return (struct str){buf, n + 1 + left};
}

struct str rewrite_moved_range(const struct rewrite_moved *m, struct str text, char *buf,
                               size_t size) {
    size_t n = 0;
    for (size_t i = 0; i < text.n && m->shift > 0;) {
        struct wide number = {0, 0};
        char digits[40];
        size_t from = i;
        for (; i < text.n && text.s[i] >= '0' && text.s[i] <= '9' && i - from < DIGITS_MOST; i++)
            number = wide_add(wide_scale(number, 10, 1, 0), text.s[i] - '0');
        i += i == from;
        number = wide_plus(number, (struct wide){0, m->shift});
        bool is_number = text.s[from] >= '0' && text.s[from] <= '9';
        struct str piece = {text.s + from, i - from};
        piece = is_number ? str_of(wide_text(number, digits)) : piece;
        if (piece.n > size - n)
            return text;
        memcpy(buf + n, piece.s, piece.n);
        n += piece.n;
    }
    return m->shift > 0 ? (struct str){buf, n} : text;
}
