/* time_text.h - points in time as typed, on the screen and in options. Times: ns relative to the
 * reader's base. */
#ifndef FXTOP_TIME_TEXT_H
#define FXTOP_TIME_TEXT_H

#include "model/trace/trace.h"

struct time_text {  /* what texts mean */
    int64_t cursor; /* "+20us" and "-1ms" count from it */
    int64_t end;    /* "100%" */
    bool clock;     /* "49493200000ns" is of the trace's clock */
};

/* Parses n bytes: "1.5s" and "50%" count from the begin of the span, "+20us" and "-1ms" from the
 * cursor. "00:00:01.5" is of the wall clock. A number other than 0 needs a unit. Times beyond 64
 * bits saturate. False: it is no time. */
bool time_text_parse(const struct trace *trace, const struct time_text *how, const char *text,
                     size_t n, int64_t *t);
bool time_text_duration(const char *text, size_t n, int64_t *ns); /* "40ms"; false without a unit */
/* The Unix time of the reader's base, in ns; false if the trace has no wall clock. */
bool time_text_unix(const struct trace *trace, uint64_t *ns);

#endif
