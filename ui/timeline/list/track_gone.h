/* track_gone.h - which threads have nothing to show in a window: they fold into one line with their neighbours.
 *
 * The window that decides is that of the last zoom, so that rows stay where they are while it is panned. Times: ns
 * relative to the reader's base. */
#ifndef FXTOP_TRACK_GONE_H
#define FXTOP_TRACK_GONE_H

#include "model/trace/trace.h"

struct track_gone_window {
    int64_t from, to; /* from == to: nothing is gone */
    int64_t column;   /* ns per column */
    uint32_t rows;    /* of the screen */
};

struct track_gone { /* a line of folded threads */
    uint32_t first, n; /* its processes, in track_list.gone_processes */
    uint32_t threads;
    uint32_t short_lived; /* of them: lived for less than two columns of the window */
    int64_t cpu_time;  /* of all of them, in the whole trace */
};

/* Whether a thread ended before the window or has not begun in it. If there are more threads than rows, also whether it
 * ended and lived for less than two columns: *short_lived. False if nothing is known of it. */
bool track_gone_thread(const struct track_gone_window *window, const struct trace *trace, const struct thread *thread,
                       bool *short_lived);
/* Whether all threads that have events or states are, and there is one: adds them to *line. */
bool track_gone_threads(const struct track_gone_window *window, const struct trace *trace, const uint32_t *threads,
                        size_t n, struct track_gone *line);
/* Adds one thread to a line. */
void track_gone_add(struct track_gone *line, const struct trace *trace, const struct thread *thread, bool short_lived);

#endif
