/* trace_remains.h - the slices and the file of a trace that is read again, freed and unmapped by
 * threads of their own.
 *
 * Both take time in proportion to the trace, and a key waits for it. All else is freed at once. */
#ifndef FXTOP_TRACE_REMAINS_H
#define FXTOP_TRACE_REMAINS_H

#include "model/trace/trace.h"

struct file;
struct worker_aside;

struct trace_remains { /* zero-initialised: none */
    VEC(struct thread *) threads;
    struct worker_aside *aside;   /* frees them, or NULL */
    struct worker_aside *closing; /* closes a file or frees another trace, or NULL */
};

/* Closes a file that nothing reads any more, by a thread of its own. */
void trace_remains_close(struct trace_remains *remains, struct file *file);
/* Frees another trace likewise, with its file. */
void trace_remains_free(struct trace_remains *remains, struct trace *other);
/* Waits until it is closed. Before that, no other file is opened or closed: their guards are one
 * table. */
void trace_remains_wait(struct trace_remains *remains);

/* Takes n threads of the trace over, and frees them, after those taken before. again: another trace
 * is read, so a thread of its own does it; else no file is being closed afterwards, either. */
void trace_remains_take(struct trace_remains *remains, struct thread *const *threads, size_t n,
                        bool again);

#endif
