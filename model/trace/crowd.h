/* crowd.h - the durations of many threads on their way to the event buffers of these threads.
 *
 * The buffers of thousands of threads are in no cache when the next event comes. So the reader
 * stores the durations of such threads one after the other, each with the number of its thread. A
 * full run of them goes to the worker. That moves the durations to the buffers of their threads,
 * and nests each buffer that is full.
 *
 * Threads of even and odd number have a crowd each, so that both processors may have work. The run
 * being filled belongs to the reader thread; the buffers and nests of these threads belong to the
 * worker until worker_wait(). */
#ifndef FXTOP_CROWD_H
#define FXTOP_CROWD_H

#include "model/trace/trace.h"
#include "src/base/worker.h"

#define CROWDS 2

struct crowd {
    struct duration_buffer space; /* free space of `run` */
    struct crowd_run *run;        /* being filled; NULL: none yet */
    VEC(uint32_t) touched; /* threads whose buffers were empty before; the owner takes them out */
    struct thread ***threads; /* the array of all threads, by number */
    struct worker *worker;
};

/* threads: the array may move while the worker is idle. */
void crowd_init(struct crowd *crowd, struct thread ***threads, struct worker *worker);
void crowd_free(struct crowd *crowd); /* with the events of the run; the worker must be idle */

/* Makes space for the next event: hands a full run to the worker. */
void crowd_make_space(struct crowd *crowd);

/* Moves all events to the buffers of their threads, which are in `touched` then. The worker must be
 * idle. */
void crowd_flush(struct crowd *crowd);

#endif
