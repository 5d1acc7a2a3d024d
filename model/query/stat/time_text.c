/* time_text.c - reads points in time as a person types them.
 *
 * A percent sign at the end marks a percentage, a colon a time of the day. All others are
 * durations: they count from the begin of the bulk, or from the cursor if they have a sign. */
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

/* Nanoseconds from midnight: "1:02:03" or "01:02:03.5". */
static bool time_of_day(const char *text, size_t n, uint64_t *ns) {
    static const unsigned most[] = {23, 59, 59};
    const char *s = text, *end = text + n;
    uint64_t sum = 0;
    for (int i = 0; i < 3; i++) {
        unsigned v = 0, digits = 0;
        for (; s < end && *s >= '0' && *s <= '9' && digits < 3; s++, digits++)
            v = v * 10 + (unsigned)(*s - '0');
        if (digits == 0 || digits > 2 || v > most[i] || (i < 2 && (s == end || *s++ != ':')))
            return false;
        sum = sum * 60 + v;
    }
    sum *= SECOND;
    if (s < end && *s == '.') {
        uint64_t place = SECOND / 10;
        for (s++; s < end && *s >= '0' && *s <= '9'; s++, place /= 10)
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

bool time_text_parse(const struct trace *trace, const struct time_text *how, const char *text,
                     size_t n, int64_t *t) {
    int64_t ns;
    while (n > 0 && *text == ' ') {
        text++;
        n--;
    }
    while (n > 0 && text[n - 1] == ' ')
        n--;
    char sign = n > 0 && (*text == '+' || *text == '-') ? *text : 0;
    if (n > 0 && text[n - 1] == '%')
        return percent_time(trace, how, text, n, t);
    if (memchr(text, ':', n))
        return wall_time(trace, text, n, t);
    if (how->clock && !sign)
        return clock_time(trace, text, n, t);
    if (!units_parse(text + (sign != 0), n - (sign != 0), &ns) || ns < 0 || lacks_unit(text, n, ns))
        return false;
    int64_t from = sign ? how->cursor : trace_begin(trace);
    if (sign == '-')
        ns = -ns;
    if (__builtin_add_overflow(from, ns, t))
        *t = sign == '-' ? INT64_MIN : INT64_MAX;
    return true;
}
