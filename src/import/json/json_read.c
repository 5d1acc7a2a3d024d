/* json_read.c - values of JSON's strings and numbers.
 *
 * Times never pass through a double: a double has 53 bits, and nanoseconds since 1970 take 61. The
 * digits are collected as an integer with a decimal exponent; digits that do not fit 64 bits only
 * count for the exponent. */
#include "src/import/json/json_read.h"

#include <float.h>
#include <stdlib.h>

#define POWER_MAX 19 /* 10 to this power fits uint64_t */
#define EXPONENT_MAX 100000

/* ---- strings ---- */

int json_read_hex(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static int hex4(const char *s) {
    int value = 0;
    for (int i = 0; i < 4; i++) {
        int digit = json_read_hex(s[i]);
        if (digit < 0)
            return -1;
        value = value << 4 | digit;
    }
    return value;
}

static size_t utf8(uint32_t c, char to[4]) {
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    size_t n = 2u + (c >= 0x800) + (c >= 0x10000);
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = n; i-- > 1; c >>= 6)
        to[i] = (char)(0x80 | (c & 0x3f));
    to[0] = (char)(lead[n] | c);
    return n;
}

/* Decodes the escape at s (n bytes, the first a backslash); *used: its length. */
static uint32_t escape(const char *s, size_t n, size_t *used) {
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char *plain = n >= 2 && s[1] != '\0' ? strchr(from, s[1]) : NULL;
    *used = 2;
    if (plain)
        return (unsigned char)to[plain - from];
    int high = n >= 6 && s[1] == 'u' ? hex4(s + 2) : -1;
    *used = high < 0 ? 1 : 6;
    if (high < 0) /* as in a path of Windows that was not escaped */
        return '\\';
    if (high < 0xd800 || high > 0xdfff)
        return (uint32_t)high;
    int low = high < 0xdc00 && n >= 12 && s[6] == '\\' && s[7] == 'u' ? hex4(s + 8) : -1;
    if (low < 0xdc00 || low > 0xdfff)
        return 0xfffd;
    *used = 12;
    return 0x10000 + ((uint32_t)(high - 0xd800) << 10) + (uint32_t)(low - 0xdc00);
}

/* The length of a text cut to at most cap bytes, not within a character of UTF-8. */
static size_t cut_length(const char *s, size_t cap) {
    size_t n = cap;
    for (int back = 0; back < 3 && n > 0 && ((unsigned char)s[n] & 0xc0) == 0x80; back++)
        n--;
    return ((unsigned char)s[n] & 0xc0) == 0x80 ? cap : n;
}

size_t json_read_string(struct str raw, char *to, size_t cap, bool *cut) {
    size_t done = 0, i = 0;
    while (i < raw.n) {
        const char *next = memchr(raw.s + i, '\\', raw.n - i);
        size_t run = next ? (size_t)(next - (raw.s + i)) : raw.n - i;
        if (run > cap - done) {
            *cut = true;
            size_t n = cut_length(raw.s + i, cap - done);
            memmove(to + done, raw.s + i, n);
            return done + n;
        }
        memmove(to + done, raw.s + i, run);
        done += run;
        i += run;
        if (next == NULL)
            break;
        char bytes[4];
        size_t used, n = utf8(escape(raw.s + i, raw.n - i, &used), bytes);
        if (n > cap - done) {
            *cut = true;
            return done;
        }
        memcpy(to + done, bytes, n);
        done += n;
        i += used;
    }
    return done;
}

/* ---- numbers ---- */

struct decimal { /* digits * 10 ^ exponent */
    uint64_t digits;
    int exponent;
    bool negative, integer; /* integer: no point and no exponent */
    bool full;              /* a digit did not fit; further ones are left out */
};

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static void add_digit(struct decimal *d, char c, bool fraction) {
    uint64_t digit = (uint64_t)(c - '0');
    d->full = d->full || d->digits > UINT64_MAX / 10 ||
              (d->digits == UINT64_MAX / 10 && digit > UINT64_MAX % 10);
    if (d->full) {
        d->exponent += !fraction;
    } else {
        d->digits = d->digits * 10 + digit;
        d->exponent -= fraction;
    }
}

/* Adds the digits from i on. Returns the place after them. */
static size_t add_digits(struct decimal *d, struct str text, size_t i, bool fraction) {
    const size_t from = i;
    while (i < text.n && is_digit(text.s[i]) && d->digits < UINT64_MAX / 100) /* these fit */
        d->digits = d->digits * 10 + (uint64_t)(text.s[i++] - '0');
    if (fraction)
        d->exponent -= (int)(i - from);
    for (; i < text.n && is_digit(text.s[i]); i++)
        add_digit(d, text.s[i], fraction);
    return i;
}

static bool decimal(struct str text, struct decimal *d) {
    size_t i = text.n > 0 && text.s[0] == '-' ? 1 : 0, start = i;
    int exponent = 0;
    *d = (struct decimal){.negative = i == 1, .integer = true};
    i = add_digits(d, text, i, false);
    if (i == start)
        return false;
    if (i < text.n && text.s[i] == '.') {
        d->integer = false;
        i = add_digits(d, text, i + 1, true);
    }
    if (i < text.n && (text.s[i] == 'e' || text.s[i] == 'E')) {
        d->integer = false;
        i++;
        bool minus = i < text.n && text.s[i] == '-';
        if (i < text.n && (text.s[i] == '-' || text.s[i] == '+'))
            i++;
        if (i >= text.n)
            return false;
        for (; i < text.n && is_digit(text.s[i]); i++)
            if (exponent < EXPONENT_MAX)
                exponent = exponent * 10 + (text.s[i] - '0');
        d->exponent += minus ? -exponent : exponent;
    }
    return i == text.n;
}

bool json_read_u64(struct str text, uint64_t *value) {
    struct decimal d;
    if (!decimal(text, &d) || !d.integer || d.full || (d.negative && d.digits != 0))
        return false;
    *value = d.digits;
    return true;
}

bool json_read_i64(struct str text, int64_t *value) {
    struct decimal d;
    if (!decimal(text, &d) || !d.integer || d.full || d.digits > (uint64_t)INT64_MAX + d.negative)
        return false;
    *value = d.negative ? (int64_t)(0 - d.digits) : (int64_t)d.digits;
    return true;
}

bool json_read_whole(struct str text, uint64_t *value) {
    struct decimal d;
    if (!decimal(text, &d) || d.full || (d.negative && d.digits != 0))
        return false;
    for (; d.exponent < 0 && d.digits != 0; d.exponent++, d.digits /= 10)
        if (d.digits % 10 != 0)
            return false;
    for (; d.exponent > 0 && d.digits != 0; d.exponent--, d.digits *= 10)
        if (d.digits > UINT64_MAX / 10)
            return false;
    *value = d.digits;
    return true;
}

/* A number of few digits: these and the power of ten are doubles without an error, so that the
 * result is rounded once, as strtod() does. */
static bool read_short(struct str text, double *value) {
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const int most = sizeof powers / sizeof *powers - 1;
    struct decimal d;
    if (FLT_EVAL_METHOD != 0 || !decimal(text, &d) || d.full || d.digits >> DBL_MANT_DIG != 0 ||
        d.exponent < -most || d.exponent > most)
        return false;
    double x = (double)d.digits;
    x = d.exponent < 0 ? x / powers[-d.exponent] : x * powers[d.exponent];
    *value = d.negative ? -x : x;
    return true;
}

bool json_read_double(struct str text, double *value) {
    char buf[512]; /* more digits than any double needs */
    char *end;
    if (read_short(text, value))
        return true;
    if (text.n == 0 || text.n >= sizeof buf)
        return false;
    memcpy(buf, text.s, text.n);
    buf[text.n] = '\0';
    *value = strtod(buf, &end);
    return *end == '\0';
}

static uint64_t power10(int n) {
    uint64_t p = 1;
    while (n-- > 0)
        p *= 10;
    return p;
}

enum json_read_kind json_read_unit(struct str text, int unit, struct json_time *time,
                                   bool *negative) {
    struct decimal d;
    if (!decimal(text, &d))
        return JSON_READ_NO_TIME;
    *time = (struct json_time){0, 0};
    *negative = d.negative && d.digits != 0;
    if (d.digits == 0)
        return JSON_READ_TIME;
    int exponent = d.exponent + unit; /* of nanoseconds */
    if (exponent > POWER_MAX)
        return JSON_READ_TOO_LARGE;
    if (exponent >= 0) {
        uint64_t p = power10(exponent);
        time->ns = d.digits * p;
        return d.digits <= INT64_MAX / p ? JSON_READ_TIME : JSON_READ_TOO_LARGE;
    }
    if (exponent < -POWER_MAX - 3)
        return JSON_READ_TIME;
    int beyond = exponent < -POWER_MAX ? -POWER_MAX : exponent;
    uint64_t p = power10(-beyond);
    time->ns = beyond == exponent ? d.digits / p : 0;
    uint64_t rest = beyond == exponent ? d.digits % p : d.digits / power10(beyond - exponent);
    time->ps = (uint32_t)(-beyond <= 3 ? rest * power10(3 + beyond) : rest / power10(-beyond - 3));
    return time->ns <= INT64_MAX ? JSON_READ_TIME : JSON_READ_TOO_LARGE;
}

enum json_read_kind json_read_time(struct str text, struct json_time *time, bool *negative) {
    return json_read_unit(text, 3, time, negative);
}

bool json_read_add(struct json_time a, struct json_time b, struct json_time *sum) {
    uint32_t ps = a.ps + b.ps;
    uint64_t most = a.ns <= INT64_MAX ? INT64_MAX - a.ns : 0;
    if (b.ns > most || (ps >= 1000 && b.ns == most))
        return false;
    *sum = (struct json_time){a.ns + b.ns + ps / 1000, ps % 1000};
    return true;
}

bool json_read_subtract(struct json_time a, struct json_time b, struct json_time *rest) {
    if (a.ns < b.ns || (a.ns == b.ns && a.ps < b.ps))
        return false;
    *rest = (struct json_time){a.ns - b.ns - (a.ps < b.ps), a.ps + (a.ps < b.ps ? 1000 : 0) - b.ps};
    return true;
}
