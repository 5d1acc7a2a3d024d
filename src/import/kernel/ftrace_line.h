/* ftrace_line.h - the parts of one line of ftrace: `comm-123 (120) [001] .... 12.345: name: text`.
 *
 * All texts point into the line. */
#ifndef FXTOP_FTRACE_LINE_H
#define FXTOP_FTRACE_LINE_H

#include <stdint.h>

#include "src/base/str.h"

enum ftrace_kind {
    FTRACE_NONE,
    FTRACE_EVENT,
    FTRACE_CALL,     /* name: sys_read, text: its arguments */
    FTRACE_RETURN,   /* name: sys_read, text: its result */
    FTRACE_FUNCTION, /* name <-text: of the function tracer */
    FTRACE_LOST,     /* CPU:2 [LOST 123 EVENTS] */
    FTRACE_FRAME,    /* => function: of a stack trace */
    FTRACE_GRAPH,    /* of the function_graph tracer with times; text: after the bar of the time */
    FTRACE_TASK,     /* 0) bash-12 => sshd-34: function_graph goes on with another task */
    FTRACE_OTHER,    /* a line that has no event: cpus=4, buffer started */
};

struct ftrace_line {
    enum ftrace_kind kind;
    struct str comm; /* empty: it is not known */
    uint64_t tid, tgid;
    bool has_tgid;
    unsigned cpu;             /* below 65536 */
    bool has_point, too_late; /* the time has a fraction; it is beyond 2^63-1 ns */
    uint64_t ts;              /* ns */
    struct str name, text;
    uint64_t lost; /* events; 0: unknown */
};

/* NULL, or a text about the fault of the line; *at is its place then. */
const char *ftrace_line_read(struct str line, struct ftrace_line *to, const char **at);

#endif
