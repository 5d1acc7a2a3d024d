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

/* One end of a range, up to n characters of text. */
static bool parse_end(const struct typed *typed, const char *text, size_t n, int64_t *t,
                      struct err *err) {
    char one[TYPED_MAX];
    int64_t ns;
    bool ascii = typed->ascii;
    snprintf(one, sizeof one, "%.*s", (int)(n < sizeof one ? n : sizeof one), text);
    if (n > 0 && time_text_parse(typed->trace, typed->how, text, n, t))
        return true;
    if (n > 0 && units_parse(one, strlen(one), &ns) && !time_text_duration(one, strlen(one), &ns))
        return refuse(err, "%s has no unit: s, ms, us or ns", one, ascii);
    return refuse(err, "not a time: '%s' (a range is A..B, e.g. 1.5s..1.6s or 0..50%%)", one,
                  ascii);
}

bool range_text_parse(struct range *range, const struct trace *trace, const struct time_text *how,
                      const char *text, bool ascii, struct err *err) {
    const char *dots = strstr(text, "..");
    struct typed typed = {trace, how, ascii};
    int64_t from, to;
    if (dots == NULL)
        return refuse(err, "'%s' is no range: A..B, e.g. 1.5s..1.6s or 0..50%%", text, ascii);
    if (!parse_end(&typed, text, (size_t)(dots - text), &from, err))
        return false;
    struct time_text since = *how;
    since.cursor = from;
    typed.how = &since;
    if (!parse_end(&typed, dots + 2, strlen(dots + 2), &to, err))
        return false;
    /* a trace of one moment has a range, which includes its end */
    bool moment = from == to && from == trace_begin(trace) && to == trace_end(trace);
    if (from >= to && !moment)
        return refuse(err, "the range %s is empty: its end has to be after its begin", text, ascii);
    if (from > trace_end(trace) || to < trace_begin(trace))
        return refuse(err, "the range %s is outside of the trace", text, ascii);
    range_set_time(range, trace, from, to);
    return true;
}
