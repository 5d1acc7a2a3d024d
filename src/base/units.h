/* units.h - times and durations as text, and a ruler's steps. Nanoseconds in, no locale.
 *
 * Durations have four significant digits: "8.800 ms", "518.3 µs", "40.00 ms", "7 ns", "0 ns",
 * "12.42 s", "3600 s", "115.7 d". They fit into nine columns, negative ones into ten. The greatest
 * and the least, which sums saturate at (sum.h), are marked: ">106751 d", "<-106751 d". Points in
 * time are printed to a chosen place and in seconds, so that numbers in a column align:
 * "+3.434600 s"; but "+12 ns" near the origin where single nanoseconds show.
 * Everything is rounded half away from zero. */
#ifndef FXTOP_UNITS_H
#define FXTOP_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `to` - `from`, and a + b. Both saturate at INT64_MIN and INT64_MAX. */
static inline int64_t units_since(int64_t from, int64_t to) {
    int64_t ns;
    if (__builtin_sub_overflow(to, from, &ns))
        return to < from ? INT64_MIN : INT64_MAX;
    return ns;
}

static inline int64_t units_sum(int64_t a, int64_t b) {
    int64_t ns;
    if (__builtin_add_overflow(a, b, &ns))
        return a < 0 ? INT64_MIN : INT64_MAX;
    return ns;
}

/* A part of a picture in cells, rounded: from 0 to `most`, whatever the quotient that it comes
 * from. */
static inline int units_cells(double cells, int most) {
    if (!(cells > 0))
        return 0;
    return cells < most ? (int)(cells + 0.5) : most;
}

/* All functions with a buf fill it and return it; 32 bytes hold a sign, 20 digits, a point and a
 * unit. "µs" is UTF-8; ascii asks for "us". */
const char *units_duration(int64_t ns, bool ascii, char buf[32]);
/* Trailing zeros of the fraction removed: "40 ms", "518.3 µs". */
const char *units_duration_short(int64_t ns, bool ascii, char buf[32]);
/* The unit, in ns, that suits durations from `least` to `greatest`, both > 0: that of the greatest,
 * if the least is a tenth of it or more; else 0. */
int64_t units_shared(int64_t least, int64_t greatest);
/* A duration in a unit of units_shared(): four significant digits, but at most three decimals. */
const char *units_duration_in(int64_t ns, int64_t unit, bool ascii, char buf[32]);
/* A point `ns` after the origin, exact to `resolution` ns (the least that must show, e.g. time a
 * column): "+3.434600 s". Negative ones read "-1.204000 s". At most 9 decimals. */
const char *units_point(int64_t ns, int64_t resolution, bool ascii, char buf[32]);
/* "1,234", "1,234,567"; compact "61.8M", "12.4k", and plain below 10,000: "1234". */
const char *units_count(uint64_t n, bool brief, char buf[32]);
const char *units_bytes(uint64_t n, char buf[32]); /* "2.41 GB", "517 kB", "96 B" */
/* Nanoseconds since 1970 as "2022-04-20 01:45:13.989693816 UTC". */
const char *units_wall(uint64_t unix_ns, char buf[48]);

/* The decimal digits of a number, without a zero after them; returns how many. */
size_t units_decimal(uint64_t n, char buf[20]);

/* The part of a job that is done, in percent: at most 99, because its owner knows when it is
 * done. */
static inline unsigned units_percent(uint64_t done, uint64_t all) {
    return done < all ? (unsigned)(done * 99 / all) : 99;
}

/* The smallest step of 1, 2, 5 x 10^k ns that is >= min_step (> 0); INT64_MAX if there is none. */
int64_t units_step(int64_t min_step);

/* Parses typed durations: "1.5ms", "+3.4 s", "120us", "120 µs", "7ns", "2s", "1m", "2h", "3d",
 * "250" (ns); values too large saturate. False if it is no duration. */
bool units_parse(const char *text, size_t n, int64_t *ns);

#endif
