/* units.c - times, counts and sizes as text, and durations from text.
 *
 * All arithmetic is on integers, so results are exact and do not depend on the locale. rounded()
 * scales a number to a unit and a number of decimals; the callers choose these so that the wanted
 * digits remain. */
#include "src/base/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define SECOND UINT64_C(1000000000)
#define DAY (86400 * SECOND)
#define MOST_SECONDS 10000000 /* more are days, so that all durations fit into 9 columns */

static const uint64_t tens[] = {1,      10,      100,      1000,      10000,
                                100000, 1000000, 10000000, 100000000, SECOND};

static uint64_t magnitude(int64_t ns) {
    return ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
}

/* n / unit, rounded to `decimals` places (10^decimals <= unit), half away from zero. */
static uint64_t rounded(uint64_t n, uint64_t unit, int decimals) {
    uint64_t place = unit / tens[decimals];
    return n / place + (n % place >= place - n % place);
}

/* Two digits at a time, from the last on: exports write a dozen numbers a line. */
size_t units_decimal(uint64_t n, char buf[20]) {
    static const char pairs[] =
        "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
        "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
        "8081828384858687888990919293949596979899";
    char digits[20];
    size_t at = sizeof digits;
    for (; n >= 100; n /= 100)
        memcpy(digits + (at -= 2), pairs + n % 100 * 2, 2);
    if (n >= 10)
        memcpy(digits + (at -= 2), pairs + n * 2, 2);
    else
        digits[--at] = (char)('0' + n);
    memcpy(buf, digits + at, sizeof digits - at);
    return sizeof digits - at;
}

struct unit {
    uint64_t size; /* in ns */
    const char *name;
};

/* v * 10^-decimals, without a zero after it; returns its end. Reports print millions of numbers. */
static char *print_decimals(char *to, uint64_t v, int decimals) {
    to += units_decimal(v / tens[decimals], to);
    if (decimals > 0)
        *to++ = '.';
    for (v %= tens[decimals]; decimals-- > 0; v %= tens[decimals])
        *to++ = (char)('0' + v / tens[decimals]);
    return to;
}

/* "12.42 s" in at most 32 bytes. */
static const char *print(char *buf, const char *sign, uint64_t n, struct unit unit, int decimals) {
    buf[0] = *sign;
    char *to = print_decimals(buf + (*sign != '\0'), rounded(n, unit.size, decimals), decimals);
    *to++ = ' ';
    stpcpy(to, unit.name);
    return buf;
}

static const struct unit nanoseconds = {1, "ns"}, seconds = {SECOND, "s"};

/* shortly: without zeros at the fraction's end. */
static const char *duration(int64_t ns, bool ascii, bool shortly, char *buf) {
    const struct unit units[] = {{1000, ascii ? "us" : "µs"}, {1000000, "ms"}, seconds, {DAY, "d"}};
    uint64_t n = magnitude(ns);
    const char *sign = ns < 0 ? "-" : "";
    /* whole days, rounded down: of no time is too much said */
    if (ns == INT64_MAX || ns == INT64_MIN) {
        snprintf(buf, 32, "%s%" PRIu64 " d", ns > 0 ? ">" : "<-", INT64_MAX / DAY);
        return buf;
    }
    if (n < 1000)
        return print(buf, sign, n, nanoseconds, 0);
    for (size_t i = 0;; i++) {
        /* rounding may bring a digit more: then one decimal less, or the next unit */
        int decimals = 3;
        while (decimals > 0 && rounded(n, units[i].size, decimals) >= 10000)
            decimals--;
        if (i < 3 && decimals == 0 && (i < 2 || rounded(n, SECOND, 0) >= MOST_SECONDS))
            continue;
        for (uint64_t v = rounded(n, units[i].size, decimals);
             shortly && decimals > 0 && v % 10 == 0; v /= 10)
            decimals--;
        return print(buf, sign, n, units[i], decimals);
    }
}

int64_t units_shared(int64_t least, int64_t greatest) {
    static const int64_t sizes[] = {DAY, SECOND, 1000000, 1000, 1};
    size_t i = greatest / (int64_t)SECOND < MOST_SECONDS;
    while (greatest < sizes[i])
        i++;
    return least >= sizes[i] / 10 ? sizes[i] : 0;
}

const char *units_duration_in(int64_t ns, int64_t unit, bool ascii, char buf[32]) {
    const struct unit units[] = {
        nanoseconds, {1000, ascii ? "us" : "µs"}, {1000000, "ms"}, seconds, {DAY, "d"}};
    const char *sign = ns < 0 ? "-" : "";
    uint64_t n = magnitude(ns);
    size_t i = 0;
    int decimals = 3;
    while (units[i].size < (uint64_t)unit)
        i++;
    while (decimals > 0 && (i == 0 || n == 0 || rounded(n, units[i].size, decimals) >= 10000))
        decimals--;
    return print(buf, sign, n, units[i], decimals);
}

const char *units_duration(int64_t ns, bool ascii, char buf[32]) {
    return duration(ns, ascii, false, buf);
}

const char *units_duration_short(int64_t ns, bool ascii, char buf[32]) {
    return duration(ns, ascii, true, buf);
}

const char *units_point(int64_t ns, int64_t resolution, bool ascii, char buf[32]) {
    (void)ascii; /* seconds and nanoseconds read the same */
    uint64_t n = magnitude(ns);
    int decimals = 9;
    while (decimals > 0 && resolution >= (int64_t)tens[10 - decimals])
        decimals--;
    bool small = n < 1000 && decimals > 6;
    const char *sign = ns < 0 && (small || rounded(n, SECOND, decimals) > 0) ? "-" : "+";
    return small ? print(buf, sign, n, nanoseconds, 0) : print(buf, sign, n, seconds, decimals);
}

/* Three significant digits of n >= 1000 with the prefix that leaves the fewest. */
static void print_brief(char *buf, uint64_t n, const char *space, const char *prefixes,
                        const char *unit) {
    uint64_t size = 1000;
    for (;; size *= 1000, prefixes++) {
        int decimals = 2;
        while (decimals > 0 && rounded(n, size, decimals) >= 1000)
            decimals--;
        uint64_t v = rounded(n, size, decimals);
        if (v >= 1000 && prefixes[1])
            continue; /* rounding brought a digit more */
        char *to = stpcpy(print_decimals(buf, v, decimals), space);
        *to++ = *prefixes;
        stpcpy(to, unit);
        return;
    }
}

const char *units_count(uint64_t n, bool brief, char buf[32]) {
    if (n < (brief ? 10000 : 1000)) {
        *print_decimals(buf, n, 0) = '\0';
    } else if (brief) {
        print_brief(buf, n, "", "kMGTPE", "");
    } else {
        char digits[24]; /* UINT64_MAX has 20 digits */
        int length = snprintf(digits, sizeof digits, "%" PRIu64, n), out = 0;
        for (int i = 0; i < length; i++) {
            if (i > 0 && (length - i) % 3 == 0)
                buf[out++] = ',';
            buf[out++] = digits[i];
        }
        buf[out] = '\0';
    }
    return buf;
}

const char *units_bytes(uint64_t n, char buf[32]) {
    if (n < 1000)
        snprintf(buf, 32, "%" PRIu64 " B", n);
    else
        print_brief(buf, n, " ", "kMGTPE", "B");
    return buf;
}

const char *units_wall(uint64_t unix_ns, char buf[48]) {
    time_t whole = (time_t)(unix_ns / SECOND);
    struct tm date;
    size_t n = gmtime_r(&whole, &date) ? strftime(buf, 48, "%Y-%m-%d %H:%M:%S", &date) : 0;
    snprintf(buf + n, 48 - n, ".%09u UTC", (unsigned)(unix_ns % SECOND));
    return buf;
}

int64_t units_step(int64_t min_step) {
    for (int64_t ten = 1;; ten *= 10) {
        for (int i = 1; i <= 5; i += i == 1 ? 1 : 3)
            if (ten * i >= min_step)
                return ten * i;
        if (ten == INT64_C(1000000000000000000)) /* no such step is left */
            return INT64_MAX;
    }
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Nanoseconds in the unit of that name; 0 if there is none. */
static uint64_t unit_of(const char *s, size_t n) {
    static const struct {
        const char *name;
        uint64_t ns;
    } units[] = {{"", 1},
                 {"ns", 1},
                 {"us", 1000},
                 {"\xc2\xb5s", 1000}, /* micro sign */
                 {"\xce\xbcs", 1000}, /* Greek mu, which some keyboards have */
                 {"ms", 1000000},
                 {"s", SECOND},
                 {"m", 60 * SECOND},
                 {"min", 60 * SECOND},
                 {"h", 3600 * SECOND},
                 {"d", DAY}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strlen(units[i].name) == n && memcmp(units[i].name, s, n) == 0)
            return units[i].ns;
    return 0;
}

bool units_parse(const char *text, size_t n, int64_t *ns) {
    const char *s = text, *end = text + n;
    bool negative = false;
    while (s < end && *s == ' ')
        s++;
    while (s < end && end[-1] == ' ')
        end--;
    if (s < end && (*s == '+' || *s == '-'))
        negative = *s++ == '-';
    const char *whole = s;
    while (s < end && is_digit(*s))
        s++;
    const char *point = s, *fraction = s;
    if (s < end && *s == '.') {
        fraction = ++s;
        while (s < end && is_digit(*s))
            s++;
    }
    const char *fraction_end = s;
    if (point == whole && fraction == fraction_end)
        return false;
    while (s < end && *s == ' ')
        s++;
    uint64_t unit = unit_of(s, (size_t)(end - s)), v = 0, part = 0;
    if (unit == 0)
        return false;
    uint64_t most = (uint64_t)INT64_MAX / unit;
    for (; whole < point; whole++)
        /* one too many stays so */
        v = v > most / 10 ? most + 1 : v * 10 + (uint64_t)(*whole - '0');
    while (fraction_end > fraction) /* from the last digit on: exact but for what is below 1 ns */
        part = (part + (uint64_t)(*--fraction_end - '0') * unit) / 10;
    v = v > most ? UINT64_MAX : v * unit + part;
    if (v > (uint64_t)INT64_MAX)
        v = (uint64_t)INT64_MAX;
    *ns = negative ? -(int64_t)v : (int64_t)v;
    return true;
}
