/* run.h - the modes --query and --assert: statements, or assertions, over one trace or several. */
#ifndef FXTOP_RUN_H
#define FXTOP_RUN_H

#include "model/trace/trace.h"
#include "sql/print.h"

#define RUN_ASSERTIONS 64

struct run_question {
    const char *sql;                        /* the statements, or @FILE */
    const char *assertions[RUN_ASSERTIONS]; /* none: it is a query */
    int nassertions;
    const char *files_from; /* a file that lists more traces, "-": standard input; NULL: none */
    unsigned jobs;          /* traces that are read at a time; 0: one */
    char *const *paths;
    int npaths;
    struct trace_options trace;
    struct query_options query;
    enum relation_format format;
    bool ascii;
    bool with_trace; /* a first column `trace`; always with several traces, or a list of them */
};

/* An exit status: 0; 1 if an assertion does not hold; 2 if something could not be done, which was
 * printed; 130 after SIGINT, which ends at once. */
int run_query(const struct run_question *request);
/* --export=sqlite of the first path, to standard output. */
int run_save(const struct run_question *request);

#endif
