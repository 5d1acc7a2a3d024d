/* run.h - the modes --query and --assert: statements, or assertions, asked of one trace after
 * another. */
#ifndef FXTOP_RUN_H
#define FXTOP_RUN_H

#include "model/trace/trace.h"
#include "sql/print.h"

#define RUN_ASSERTIONS 64

struct run_question {
    const char *sql;                        /* the statements, or @FILE */
    const char *assertions[RUN_ASSERTIONS]; /* none: it is a query */
    int nassertions;
    struct query_options query;
    enum relation_format format;
    bool ascii;
};

struct run;

/* Reads @FILE. NULL: it could not, or there is no SQLite, which was printed. From then on SIGINT
 * ends the program at once, with 130. The question is not copied. */
struct run *run_new(const struct run_question *question);
void run_free(struct run *run); /* may be NULL */

/* Asks a complete trace. name: of the trace, in a first column of rows and before verdicts; NULL: a
 * query has no such column. Returns an exit status: 0; 1 if an assertion does not hold; 2 if
 * something could not be done, which was printed. */
int run_ask(const struct run *run, struct trace *trace, const char *name);
/* --export=sqlite of a complete trace, to standard output. */
int run_save(const struct run_question *question, struct trace *trace);

#endif
