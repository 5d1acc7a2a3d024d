/* process_busy.h - how busy the threads of a process are together, column by column, for its
 * header.
 *
 * A process may have 100,000 threads, and a screen as many headers as lines. So a frame adds few
 * threads of each, and shows their mean. Background work adds the others, and then a frame shows
 * the mean of all. */
#ifndef FXTOP_PROCESS_BUSY_H
#define FXTOP_PROCESS_BUSY_H

#include "model/query/filter/filter_lanes.h"
#include "model/trace/trace.h"

struct process_busy_of {  /* the columns and events of the sums */
    const int64_t *edges; /* of the columns */
    int columns;
    const struct filter_lanes *left; /* the events that count; NULL: all */
    uint32_t changes;                /* another number for each set of events; 0: all */
};

struct process_busy_row {
    uint32_t process; /* place */
    uint32_t frame;   /* the last one that it was in */
    uint64_t version; /* of the trace */
    int64_t from, to; /* edges of all columns */
    int columns;
    uint32_t changes;
    size_t next, threads; /* the thread to be added next, by place; threads that count so far */
    double *sums;         /* by column: the sum of the busy shares of these */
};

struct process_busy { /* zero-initialised: nothing is known */
    VEC(struct process_busy_row) rows;
    uint32_t frame, added; /* the number of the frame; threads that were added in it */
};

/* Adds how busy a thread is, as a share of each column. */
void process_busy_add(struct trace *trace, struct thread *thread, const struct process_busy_of *of,
                      double *share);
void process_busy_frame(struct process_busy *busy); /* before the first question of a frame */
/* The sums of shares by column; *threads: of how many. Valid until the next call. */
const double *process_busy_sums(struct process_busy *busy, struct trace *trace, uint32_t process,
                                const struct process_busy_of *of, size_t *threads);
/* Adds threads of the last frame's processes. True: there are more; *news: a process is
 * complete. */
bool process_busy_step(struct process_busy *busy, struct trace *trace,
                       const struct process_busy_of *of, struct task *task, bool *news);
void process_busy_free(struct process_busy *busy);

#endif
