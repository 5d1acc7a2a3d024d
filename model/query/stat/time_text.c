/* time_text.c - reads points in time as a person types them.
 *
 * The last sign before which a point stands begins a distance. A percent sign at the end marks a
 * percentage, a quote a mark, a colon or a date the wall clock. All others are durations: they
 * count from the begin of the bulk, or from the cursor if they have a sign. A trace of several and
 * a colon before a duration: it counts from its begin. */
#include "model/query/stat/time_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/units.h"

/* A number without a unit may be seconds as well as ticks. */
static bool lacks_unit(const char *text, size_t n, int64_t ns) {
    return n > 0 && ((text[n - 1] >= '0' && text[n - 1] <= '9') || text[n - 1] == '.') && ns != 0;
}

bool time_text_duration(const char *text, size_t n, int64_t *ns) {
    while (n > 0 && text[n - 1] == ' ')
        n--;
    return units_parse(text, n, ns) && !lacks_unit(text, n, *ns);
}

static bool percent_time(const struct trace *trace, const struct time_text *how, const char *text,
                         size_t n, int64_t *t) {
    int64_t begin = trace_begin(trace);
    uint64_t span = (uint64_t)trace_end(trace) - (uint64_t)begin;
    char *end;
    double percent = strtod(text, &end);
    if (end != text + n - 1 || !(percent >= 0 && percent <= 100))
        return false;
    *t = how->end;
    if (percent < 100)
        *t = (int64_t)((uint64_t)begin + (uint64_t)((double)span * (percent / 100)));
    return true;
}

#define SECOND UINT64_C(1000000000)
#define DAY (86400 * SECOND)

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* A number of one or two digits, moving *s past it; false: there is none up to `most`. */
static bool two_digits(const char **s, const char *end, unsigned most, unsigned *v) {
    const char *from = *s;
    for (*v = 0; *s < end && is_digit(**s) && *s - from < 3; (*s)++)
        *v = *v * 10 + (unsigned)(**s - '0');
    return *s > from && *s - from <= 2 && *v <= most;
}

/* Nanoseconds from midnight: "1:02", "1:02:03" or "01:02:03.5". */
static bool time_of_day(const char *text, size_t n, uint64_t *ns) {
    static const unsigned most[] = {23, 59, 59};
    const char *s = text, *end = text + n;
    uint64_t sum = 0;
    for (int i = 0; i < 3; i++) {
        unsigned v = 0;
        bool there = i < 2 || (s < end && *s == ':'); /* seconds may be missing */
        if (i > 0 && there && (s == end || *s++ != ':'))
            return false;
        if (there && !two_digits(&s, end, most[i], &v))
            return false;
        sum = sum * 60 + v;
    }
    sum *= SECOND;
    if (s < end && *s == '.') {
        uint64_t place = SECOND / 10;
        for (s++; s < end && is_digit(*s); s++, place /= 10)
            sum += (uint64_t)(*s - '0') * place;
    }
    *ns = sum;
    return s == end;
}

/* The Unix time of the reader's base, in ns; false if the trace has no wall clock. */
bool time_text_unix(const struct trace *trace, uint64_t *ns) {
    uint64_t tps, base_tick, base_unix;
    bool wall = false;
    const struct reader *reader = trace_reader(trace);
    if (!reader_init(reader, &tps, &base_tick, &base_unix, &wall) || !wall)
        return false;
    struct wide base =
        tps ? wide_div(wide_mul(base_tick, SECOND), tps) : (struct wide){0, base_tick};
    *ns = base_unix + (uint64_t)wide_diff(reader_base(reader), base, INT64_MAX);
    return true;
}

/* Days since 1970-01-01 in the Gregorian calendar; years count from March, so that a leap day is
 * the last one. */
static int64_t days_since_1970(unsigned year, unsigned month, unsigned day) {
    int64_t y = (int64_t)year - (month <= 2),
            of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    return y * 365 + y / 4 - y / 100 + y / 400 + of_year - 719468;
}

/* "2026-11-29", with the year in four digits; moves *s past it. */
static bool date(const char **s, const char *end, int64_t *days) {
    unsigned year = 0, month, day;
    const char *from = *s;
    for (; *s < end && is_digit(**s) && *s - from < 5; (*s)++)
        year = year * 10 + (unsigned)(**s - '0');
    if (*s - from != 4 || *s == end || *(*s)++ != '-' || !two_digits(s, end, 12, &month) ||
        *s == end || *(*s)++ != '-' || !two_digits(s, end, 31, &day) || month == 0 || day == 0)
        return false;
    unsigned next = month < 12 ? month + 1 : 1;
    *days = days_since_1970(year, month, day);
    return *days < days_since_1970(year + (month == 12), next, 1); /* not the 30th of February */
}

/* Minutes east of Greenwich: "Z", "+02:00", "-0530"; cuts them off the text. */
static bool zone(const char *text, size_t *n, int64_t *minutes) {
    const char *end = text + *n, *sign = end;
    unsigned hours = 0, rest = 0;
    *minutes = 0;
    if (*n > 0 && (end[-1] == 'Z' || end[-1] == 'z')) {
        (*n)--;
        return true;
    }
    while (sign > text && (is_digit(sign[-1]) || sign[-1] == ':'))
        sign--;
    if (sign == text || (sign[-1] != '+' && sign[-1] != '-'))
        return true;
    const char *s = sign, *middle = end - s == 4 ? s + 2 : end;
    if (!two_digits(&s, middle, 23, &hours) || (s < end && *s == ':' && ++s == end) ||
        (s < end && !two_digits(&s, end, 59, &rest)) || s != end)
        return false;
    *minutes = (int64_t)(hours * 60 + rest) * (sign[-1] == '-' ? -1 : 1);
    *n = (size_t)(sign - 1 - text);
    return true;
}

/* "2026-11-29", "2026-11-29 10:00:01.5", "2026-11-29T10:00:01.5+02:00"; without a zone in UTC. */
static bool dated_time(const struct trace *trace, const char *text, size_t n, int64_t *t) {
    const char *s = text, *end = text + n;
    int64_t days, minutes = 0;
    uint64_t of_day = 0, at_base;
    if (!date(&s, end, &days) || !time_text_unix(trace, &at_base))
        return false;
    if (s < end) {
        size_t left = (size_t)(end - s - 1);
        if ((*s != 'T' && *s != 't' && *s != ' ') || !zone(s + 1, &left, &minutes) ||
            !time_of_day(s + 1, left, &of_day))
            return false;
    }
    int64_t seconds = days * 86400 + (int64_t)(of_day / SECOND) - minutes * 60;
    if (seconds < 0 || seconds > INT64_MAX / (int64_t)SECOND - 1 || at_base > INT64_MAX)
        return false; /* no clock of a trace shows it */
    *t = seconds * (int64_t)SECOND + (int64_t)(of_day % SECOND) - (int64_t)at_base;
    return true;
}

static bool is_dated(const char *text, size_t n) {
    return n > 4 && is_digit(text[0]) && is_digit(text[1]) && is_digit(text[2]) &&
           is_digit(text[3]) && text[4] == '-';
}

bool time_text_is_wall(const char *text, size_t n) {
    return memchr(text, ':', n) || is_dated(text, n);
}

/* That time of the day on which the trace begins, or of the next one if the trace reaches it. */
static bool wall_time(const struct trace *trace, const char *text, size_t n, int64_t *t) {
    uint64_t day_ns, at_base;
    if (!time_of_day(text, n, &day_ns) || !time_text_unix(trace, &at_base))
        return false;
    uint64_t begin = at_base + (uint64_t)trace_begin(trace);
    uint64_t span = (uint64_t)trace_end(trace) - (uint64_t)trace_begin(trace);
    uint64_t at = begin - begin % DAY + day_ns;
    if (at < begin && at + DAY - begin <= span)
        at += DAY;
    *t = (int64_t)(at - at_base);
    return true;
}

/* Times of the trace's clock, as its ruler shows them: "49493200000 ns". */
static bool clock_time(const struct trace *trace, const char *text, size_t n, int64_t *t) {
    struct wide base = reader_base(trace_reader(trace)), at;
    char *end;
    int64_t ns;
    errno = 0;
    unsigned long long whole = strtoull(text, &end, 10);
    while (*end == ' ')
        end++;
    if (errno == 0 && text[0] >= '0' && text[0] <= '9' && strncmp(end, "ns", 2) == 0 &&
        end + 2 == text + n)
        at = (struct wide){0, whole};
    else if (units_parse(text, n, &ns) && ns >= 0 && !lacks_unit(text, n, ns))
        at = (struct wide){0, (uint64_t)ns};
    else
        return false;
    *t = wide_diff(at, base, INT64_MAX);
    return true;
}

static bool mark_time(const struct time_text *how, const char *text, size_t n, int64_t *t) {
    if (n != 2 || text[1] < 'a' || text[1] > 'z' || how->marks == NULL)
        return false;
    *t = how->marks[text[1] - 'a'];
    return *t != INT64_MIN;
}

/* Whether a text is a time of one of several traces: "client:1.2s", "2:1.2s" (no time of the day
 * has a unit), "client:". */
static bool is_of_trace(const struct trace *trace, const char *text, size_t n, size_t *file,
                        size_t *colon) {
    struct err err;
    for (*colon = n; trace_files(trace) > 1 && *colon > 0; --*colon) {
        bool divides = text[*colon - 1] == ':', unit = !is_digit(text[n - 1]);
        if (divides && unit && trace_file_named(trace, (struct str){text, *colon - 1}, file, &err))
            return true;
    }
    return false;
}

static bool trace_time(const struct trace *trace, size_t file, const char *text, size_t n,
                       int64_t *t) {
    int64_t from, to, ns = 0;
    if (!trace_file_span(trace, file, &from, &to) ||
        (n > 0 && (!units_parse(text, n, &ns) || ns < 0 || lacks_unit(text, n, ns))))
        return false;
    if (__builtin_add_overflow(from, ns, t))
        *t = INT64_MAX;
    return true;
}

/* A point without a distance. */
static bool point(const struct trace *trace, const struct time_text *how, const char *text,
                  size_t n, int64_t *t) {
    int64_t ns;
    size_t file, colon;
    bool at_end = n == 3 && memcmp(text, "end", 3) == 0;
    if (at_end || (n == 5 && memcmp(text, "start", 5) == 0)) {
        *t = at_end ? how->end : trace_begin(trace);
        return true;
    }
    if (n > 0 && text[0] == '\'')
        return mark_time(how, text, n, t);
    if (is_of_trace(trace, text, n, &file, &colon))
        return trace_time(trace, file, text + colon, n - colon, t);
    if (n > 0 && text[n - 1] == '%')
        return percent_time(trace, how, text, n, t);
    if (is_dated(text, n))
        return dated_time(trace, text, n, t);
    if (memchr(text, ':', n))
        return wall_time(trace, text, n, t);
    if (how->clock)
        return clock_time(trace, text, n, t);
    if (!units_parse(text, n, &ns) || ns < 0 || lacks_unit(text, n, ns))
        return false;
    if (__builtin_add_overflow(trace_begin(trace), ns, t))
        *t = INT64_MAX;
    return true;
}

/* The place of a distance with its sign: of the last sign that a duration follows; n and 0 ns:
 * there is none. */
static size_t distance(const char *text, size_t n, int64_t *ns) {
    for (size_t i = n; i-- > 0;)
        if ((text[i] == '+' || text[i] == '-') && i + 1 < n && text[i + 1] != '+' &&
            text[i + 1] != '-' && time_text_duration(text + i + 1, n - i - 1, ns)) {
            if (text[i] == '-')
                *ns = -*ns;
            return i;
        }
    *ns = 0;
    return n;
}

bool time_text_parse(const struct trace *trace, const struct time_text *how, const char *text,
                     size_t n, int64_t *t) {
    int64_t from = how->cursor, ns;
    while (n > 0 && *text == ' ') {
        text++;
        n--;
    }
    while (n > 0 && text[n - 1] == ' ')
        n--;
    size_t sign = distance(text, n, &ns), before = sign;
    while (before > 0 && text[before - 1] == ' ')
        before--;
    if ((before > 0 || sign == n) && !point(trace, how, text, before, &from))
        return false;
    if (__builtin_add_overflow(from, ns, t))
        *t = ns < 0 ? INT64_MIN : INT64_MAX;
    return true;
}
