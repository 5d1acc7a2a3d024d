/* ftrace_graph.h - a function in a line of the function_graph tracer: `  1.234 us   |  foo();`. */
#ifndef FXTOP_FTRACE_GRAPH_H
#define FXTOP_FTRACE_GRAPH_H

#include <stdint.h>

#include "src/base/str.h"

enum ftrace_graph_kind {
    FTRACE_GRAPH_NONE,  /* nothing of a function: interrupt marks */
    FTRACE_GRAPH_ENTER, /* foo() { */
    FTRACE_GRAPH_LEAVE, /* }, maybe with its name */
    FTRACE_GRAPH_LEAF,  /* foo(); */
    FTRACE_GRAPH_TEXT,  /* an event, or text, between functions */
};

struct ftrace_graph {
    enum ftrace_graph_kind kind;
    struct str name; /* of the function; or the text */
    bool has_dur;
    uint64_t dur; /* ns */
    unsigned cpu; /* of tracefs */
    bool has_tid;
    uint64_t tid; /* of tracefs, with funcgraph-proc */
    struct str comm;
};

/* Reads the text of funcgraph_entry or funcgraph_exit (trace-cmd). False: it is none. */
bool ftrace_graph_read(struct str text, struct ftrace_graph *to);
/* Reads the text after the time of tracefs: the CPU and maybe the task come first. */
bool ftrace_graph_read_line(struct str text, struct ftrace_graph *to);

#endif
