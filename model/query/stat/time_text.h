/* time_text.h - points in time as typed, on the screen and in options. Times: ns relative to the
 * reader's base. */
#ifndef FXTOP_TIME_TEXT_H
#define FXTOP_TIME_TEXT_H

#include "model/trace/trace.h"

struct time_text {        /* what texts mean */
    int64_t cursor;       /* "+20us" and "-1ms" count from it */
    int64_t end;          /* "end" and "100%" */
    bool clock;           /* "49493200000ns" is of the trace's clock */
    const int64_t *marks; /* of 'a to 'z, INT64_MIN: not set; NULL: there are none */
};

enum { TIME_TEXT_MARKS = 26 };

/* Parses n bytes: a point, a point and a distance ("end-20us", "'a+3ms"), or a distance from the
 * cursor ("+20us", "-1ms"). Points are "1.5s" and "50%" from the begin of the span, "start", "end",
 * a mark, and times of the wall clock: "00:00:01.5", "2026-11-29 10:00:01.5", RFC 3339; of several
 * traces "client:1.2s", from the begin of that one. A number other than 0 needs a unit. Times
 * beyond 64 bits saturate. False: it is no time. */
bool time_text_parse(const struct trace *trace, const struct time_text *how, const char *text,
                     size_t n, int64_t *t);
bool time_text_duration(const char *text, size_t n, int64_t *ns); /* "40ms"; false without a unit */
bool time_text_is_wall(const char *text, size_t n); /* it needs a wall clock: a date, or a colon */
/* The Unix time of the reader's base, in ns; false if the trace has no wall clock. */
bool time_text_unix(const struct trace *trace, uint64_t *ns);

#endif
