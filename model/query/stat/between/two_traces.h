/* two_traces.h - another trace, read in steps, and its names compared with those of a trace that is
 * open already.
 *
 * The other trace is A, the open one is B. Verdicts are those of between.h with one run a side, of
 * whole traces. The names of A are found once. The answer is that of one version of B, for B may
 * grow meanwhile. It borrows the names of A: drop it before two_traces_close(). */
#ifndef FXTOP_TWO_TRACES_H
#define FXTOP_TWO_TRACES_H

#include "model/query/answer.h"
#include "model/query/stat/between/between.h"

enum two_traces_state {
    TWO_CLOSED,
    TWO_READING, /* A */
    TWO_FAILED,  /* A could not be read to its end: `fault` */
    TWO_NAMING,  /* A */
    TWO_READY    /* to answer */
};

struct two_traces {      /* zero-initialised: closed */
    struct trace *own;   /* B, not owned */
    struct trace *other; /* A; NULL: closed */
    enum two_traces_state state;
    const char *fault;        /* a short sentence */
    struct trace_names names; /* of A */
    struct tasks tasks;
    struct task *naming;
};

/* The comparison, and the names that contain changed ones. A shallow copy of the names of A is in
 * `between`. */
struct two_traces_answer {
    struct two_traces *two; /* the question: the owner sets it when it is ready */
    struct between between;
};
extern const struct answer_ops two_traces_answer_ops;

/* Closes the other trace and opens a regular file. False: it cannot be read, or is no trace; none
 * is open then. */
bool two_traces_open(struct two_traces *two, struct trace *own, const char *path, struct err *err);
void two_traces_close(struct two_traces *two);
/* A step of reading and naming A, which stays at its place. True: there is more to do. */
bool two_traces_step(struct two_traces *two, struct task *task);
/* "reading A, 34%", or the same of an answer that is made, which may be NULL; "": nothing is under
 * way. */
const char *two_traces_progress(const struct two_traces *two,
                                const struct two_traces_answer *answer, char buf[80]);

#endif
