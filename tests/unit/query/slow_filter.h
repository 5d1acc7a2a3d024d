/* slow_filter.h - the events of a trace as --export=ndjson prints them, and whether terms of a
 * filter hold for one.
 *
 * The reading knows no store of the model: it takes events, parents, states and flows from the
 * lines, goes over all of them for each term, and paints self times nanosecond by nanosecond. It
 * expects threads 10 to 12, of which 10 is "ui", and a process 1 that is "render". Fails the test
 * if a number is garbage. */
#ifndef FXTOP_SLOW_FILTER_H
#define FXTOP_SLOW_FILTER_H

#include "model/trace/trace.h"

struct argument {
    char name[8], text[24], object[12];
    bool is_number;
    double number;
};

struct slow_event {
    unsigned kind; /* enum filter_kind */
    char name[40], cat[8], series[8], state[12];
    long long ts, dur, offset, id, parent, slice, depth, pid, tid, cpu, self;
    long long before_ts, before_slice; /* of the point before; -1 */
    bool open, has_before;
    struct argument args[8];
    size_t nargs;
};

struct slow_reading {
    struct slow_event *v;
    size_t n, cap;
    VEC(struct slow_event) sched;
    long long end;
};

struct slow_term {
    const char *field, *op;
    char values[2][16];
    size_t n;
    bool negated;
};

struct slow_reading slow_filter_read(struct trace *trace); /* free v and sched */
bool slow_filter_holds(const struct slow_reading *r, const struct slow_term *terms, size_t n,
                       const struct slow_event *e);
const char *slow_filter_kind(unsigned kind); /* the value of kind= */

#endif
