/* range_text.c - ranges as typed: two times with ".." between them. */
#include "model/query/stat/range_text.h"

#include <stdio.h>
#include <string.h>

#include "src/base/text.h"
#include "src/base/units.h"

#define TYPED_MAX 80 /* characters of one end */

struct typed { /* how a text is read */
    const struct trace *trace;
    const struct time_text *how;
    bool ascii;
};

static bool refuse(struct err *err, const char *why, const char *text, bool ascii) {
    char safe[TYPED_MAX];
    text_plain(safe, sizeof safe, str_of(text), ascii ? TEXT_ASCII : 0);
    return err_set(err, ERR_NO_OFFSET, why, safe);
}

/* One end of a range, the first n bytes of text. A blank one is left out: *t stays. */
static bool parse_end(const struct typed *typed, const char *text, size_t n, int64_t cursor,
                      int64_t *t, struct err *err) {
    char one[TYPED_MAX];
    int64_t ns;
    bool ascii = typed->ascii;
    struct time_text how = *typed->how;
    how.cursor = cursor;
    if (strspn(text, " ") >= n || time_text_parse(typed->trace, &how, text, n, t))
        return true;
    snprintf(one, sizeof one, "%.*s", (int)(n < sizeof one ? n : sizeof one), text);
    if (units_parse(one, strlen(one), &ns) && !time_text_duration(one, strlen(one), &ns))
        return refuse(err, "%s has no unit: s, ms, us or ns", one, ascii);
    return refuse(err, "not a time: '%s' (a range is A..B, e.g. 1.5s..1.6s or 0..50%%)", one,
                  ascii);
}

/* The origin of a sign at the begin of text: "-20us" counts from the end of the trace if the other
 * end of the range is left out. */
static int64_t origin(const struct typed *typed, const char *text, const char *other, size_t n,
                      int64_t cursor) {
    bool open = strspn(other, " ") >= n;
    return open && text[strspn(text, " ")] == '-' ? typed->how->end : cursor;
}

bool range_text_parse(struct range *range, const struct trace *trace, const struct time_text *how,
                      const char *text, bool ascii, struct err *err) {
    const char *dots = strstr(text, "..");
    struct typed typed = {trace, how, ascii};
    int64_t from = trace_begin(trace), to = how->end;
    if (dots == NULL)
        return refuse(err, "'%s' is no range: A..B, e.g. 1.5s..1.6s or 0..50%%", text, ascii);
    const char *second = dots + 2;
    size_t n = (size_t)(dots - text), second_n = strlen(second);
    if (!parse_end(&typed, text, n, origin(&typed, text, second, second_n, how->cursor), &from,
                   err) ||
        !parse_end(&typed, second, second_n, origin(&typed, second, text, n, from), &to, err))
        return false;
    /* a trace of one moment has a range, which includes its end */
    bool moment = from == to && from == trace_begin(trace) && to == trace_end(trace);
    if (from >= to && !moment && from <= trace_end(trace))
        return refuse(err, "the range %s is empty: its end has to be after its begin", text, ascii);
    if (from > trace_end(trace) || to < trace_begin(trace))
        return refuse(err, "the range %s is outside of the trace", text, ascii);
    range_set_time(range, trace, from, to);
    return true;
}
