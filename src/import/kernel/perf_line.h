/* perf_line.h - the parts of one line of perf script.
 *
 * All texts point into the line. */
#ifndef FXTOP_PERF_LINE_H
#define FXTOP_PERF_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/str.h"

/* `COMM PID/TID [CPU] FLAGS SECONDS.MICROS: PERIOD EVENT: rest` */
struct perf_line {
    struct str comm;
    bool has_pid; /* else one number was there, the thread */
    uint64_t pid, tid;
    int64_t cpu;    /* -1: not there */
    bool too_large; /* the time is beyond 2^63-1 ns */
    uint64_t ts;    /* ns */
    bool has_period;
    uint64_t period;
    struct str event; /* without its last colon, or PERF_RECORD_COMM; empty: there is none */
    struct str rest;  /* without blanks around it */
};

/* False: it is no line of an event. */
bool perf_line_read(struct str text, struct perf_line *to);
/* `COMM PID/TID [CPU] PERIOD EVENT:` and nothing else: a sample without a time. Its ts is 0. */
bool perf_line_read_untimed(struct str text, struct perf_line *to);

/* Events by count or time, not by place in a program: a name without a colon, or with letters that
 * modify it alone (`cycles:u`). */
bool perf_line_samples(struct str event);
/* The period of such an event is a time: `cpu-clock:ppp`. */
bool perf_line_is_clock(struct str event);

/* `ADDRESS SYMBOL+0xOFFSET (DSO)`, where all but the address may be missing. */
struct perf_frame {
    struct str address; /* hexadecimal digits */
    struct str symbol;  /* empty: not known */
    struct str dso;     /* empty: not known, or inlined */
};

bool perf_line_frame(struct str text, struct perf_frame *to);

/* `FILE:LINE` below a frame (-F srcline). False: it is another line. line: 0: the file is not
 * known. */
bool perf_line_source(struct str text, struct str *file, uint32_t *line);

#endif
