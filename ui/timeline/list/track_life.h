/* track_life.h - when each thread lived, how long it ran and what it shows, in memory, for the list
 * of tracks.
 *
 * Asking every thread each time would cost a few cache misses each. They are asked again in rounds
 * when the trace has changed: all at once if they are few, else some at each call and the rest in
 * steps, so that no call takes long. Times: ns relative to the reader's base. */
#ifndef FXTOP_TRACK_LIFE_H
#define FXTOP_TRACK_LIFE_H

#include "model/trace/trace.h"

struct track_life { /* trace_thread_span(), trace_thread_cpu_time() of the whole trace */
    int64_t begin, end, cpu_time;
    int64_t covered;  /* trace_thread_covered() of the whole trace */
    int64_t interest; /* trace_thread_interest() */
    bool single;      /* trace_thread_single() */
    bool known, ended;
    bool scheduled; /* trace_thread_scheduled() */
};

/* the data of a thread that the list needs: small, as it is read in any order */
struct track_shape {
    unsigned rows : 25;   /* of slices */
    unsigned derived : 1; /* trace_thread_derived(): samples, at first on one line */
    unsigned marks : 1;   /* no slices, and few instants: they fit on the strip of states */
    unsigned idle : 1;    /* trace_thread_idle() */
    unsigned few : 1;     /* no slices, and fewer than TRACK_FEW instants and states */
    unsigned slices : 1;  /* it has slices or instants */
    unsigned states : 1;  /* it has a strip of states */
    unsigned loose : 1;   /* it has no process */
};

struct track_lives {
    VEC(struct track_life) v; /* by thread, as the shapes; zero if it was not asked so far */
    VEC(struct track_shape) shapes;
    size_t next;      /* the first thread that this round has not asked; v.n: none */
    uint64_t version; /* of the trace when the round began */
    uint64_t generation;
};

#define TRACK_FEW 3
#define TRACK_MARKS 32 /* instants that are few */

#define FEW_THREADS 1024 /* threads asked at a call */

void track_life_free(struct track_lives *lives);
/* Asks all of few threads, if the trace has changed; else so many of a round. */
void track_life_update(struct track_lives *lives, struct trace *trace);
/* Goes on after an update until the task is over; true: there is more to do. */
bool track_life_step(struct track_lives *lives, struct trace *trace, struct task *task);

#endif
