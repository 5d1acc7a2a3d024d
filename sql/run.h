/* run.h - the mode --query: statements over one trace or several, as text on standard output. */
#ifndef FXTOP_RUN_H
#define FXTOP_RUN_H

#include "model/trace/trace.h"
#include "sql/print.h"

struct run_question {
    const char *sql; /* the statements, or @FILE */
    char *const *paths;
    int npaths;
    struct trace_options trace;
    struct query_options query;
    enum print_format format;
    bool ascii;
    bool with_trace; /* a first column `trace`; always with several traces */
};

/* An exit status: 0; 2 if something could not be done, which was printed; 130 after SIGINT, which ends at once. */
int run_query(const struct run_question *request);

#endif
