/* json_read.h - what the tokens of JSON mean: strings without escapes, numbers without rounding. */
#ifndef FXTOP_JSON_READ_H
#define FXTOP_JSON_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/str.h"

int json_read_hex(char c); /* the value of a hexadecimal digit; -1: it is none */

/* Writes the bytes of a string to `to`, at most cap, cut before a character that does not fit
 * (*cut). An unpaired surrogate becomes U+FFFD, an escape that does not exist stays. Never more
 * bytes than the raw text has, and `to` may be its begin. */
size_t json_read_string(struct str raw, char *to, size_t cap, bool *cut);

/* A number that is written as an integer and fits. */
bool json_read_u64(struct str text, uint64_t *value);
bool json_read_i64(struct str text, int64_t *value);
/* A number without a fraction, also as 7.0 or 1e3, which some writers make of all numbers. */
bool json_read_whole(struct str text, uint64_t *value);
/* Any number of JSON, NaN or infinity. False: not a number. */
bool json_read_double(struct str text, double *value);

/* A time: nanoseconds and the picoseconds (0..999) beyond them; what is less is cut. */
struct json_time {
    uint64_t ns;
    uint32_t ps;
};

/* too large: beyond 2^63 - 1 ns */
enum json_read_kind { JSON_READ_NO_TIME, JSON_READ_TIME, JSON_READ_TOO_LARGE };

/* Reads a decimal number of 10^unit nanoseconds, exactly: 9 for seconds. negative: of which time is
 * the amount. */
enum json_read_kind json_read_unit(struct str text, int unit, struct json_time *time,
                                   bool *negative);
/* Reads microseconds as above. */
enum json_read_kind json_read_time(struct str text, struct json_time *time, bool *negative);
/* The sum, or the difference; false: beyond 2^63 - 1 ns, or negative. */
bool json_read_add(struct json_time a, struct json_time b, struct json_time *sum);
bool json_read_subtract(struct json_time a, struct json_time b, struct json_time *rest);
/* The nearest nanosecond. */

static inline uint64_t json_read_ns(struct json_time t) {
    return t.ns + (t.ps >= 500 && t.ns < INT64_MAX ? 1 : 0);
}

#endif
