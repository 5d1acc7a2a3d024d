/* compare_traces.h - the mode --compare: names that became slower or faster, more or fewer, new or
 * gone between traces.
 */
#ifndef FXTOP_COMPARE_TRACES_H
#define FXTOP_COMPARE_TRACES_H

#include "model/output/top.h"
#include "model/trace/trace.h"

struct compare_question {
    const char *sides[2]; /* a path, or paths of several runs with commas between */
    struct question_texts texts;
    enum relation_format format;
    double threshold; /* 0.05: 5 % of p50 or p99 */
    bool all;         /* print names that have not changed, too */
    const char *load; /* only this stretch of each; NULL: all */
    bool by_thread;   /* names of each pool of threads apart (trace_pools.h) */
    bool any;         /* faster, fewer and gone names count for the status, too */
    bool ascii;
};

/* Prints to standard output, faults to standard error. Returns an exit status: 0 nothing is worse,
 * 1 a name is slower, more or new, 2 a trace could not be read or a text is wrong. */
int compare_traces(const struct compare_question *question, const struct trace_options *how);

#endif
