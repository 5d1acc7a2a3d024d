/* two_traces.h - another trace, read in steps, and its names compared with those of a trace that is
 * open already.
 *
 * The other trace is A, the open one is B. Verdicts are those of between.h with one run a side, of
 * whole traces. The names of A are found once; those of B once for each version of it, for B may
 * grow meanwhile. An answer outlives both traces, but borrows the names of A: drop it before
 * two_traces_close(). */
#ifndef FXTOP_TWO_TRACES_H
#define FXTOP_TWO_TRACES_H

#include "model/query/stat/between/between.h"

enum two_traces_stage {
    TWO_CLOSED,
    TWO_READING, /* A */
    TWO_FAILED,  /* A could not be read to its end: `fault` */
    TWO_NAMES_A,
    TWO_NAMES_B,
    TWO_TESTING,
    TWO_CONTAINING, /* the names that contain changed ones */
    TWO_READY       /* until two_traces_again() */
};

struct two_traces {      /* zero-initialised: closed */
    struct trace *own;   /* B, not owned */
    struct trace *other; /* A; NULL: closed */
    enum two_traces_stage stage;
    const char *fault; /* a short sentence */
    struct question whole;
    struct trace_names names; /* of A */
    struct trace_names_work work;
    struct between_contain contain;
    struct between *next; /* the answer on its way, or ready */
};

/* Closes the other trace and opens a regular file. False: it cannot be read, or is no trace; none
 * is open then. */
bool two_traces_open(struct two_traces *two, struct trace *own, const char *path, struct err *err);
void two_traces_close(struct two_traces *two);
/* Drops the names and tests of B, because the open trace has changed. */
void two_traces_again(struct two_traces *two);
/* A step; B is as it was when TWO_NAMES_B began. True: there is more to do. */
bool two_traces_step(struct two_traces *two, struct budget *budget);
/* The answer, if the stage is TWO_READY; it belongs to the caller. */
struct between *two_traces_take(struct two_traces *two);
void two_traces_drop(struct between *answer); /* NULL is fine */
/* About how much of the stage is done. While TWO_READING: of the bytes. */
unsigned two_traces_percent(const struct two_traces *two);

#endif
