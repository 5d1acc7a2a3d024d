/* track_gone.h - which threads have nothing or little to show in a window: they fold into a line
 * with their neighbours.
 *
 * The window that decides is that of the last zoom, so that rows stay where they are while it is
 * panned. Times: ns relative to the reader's base. */
#ifndef FXTOP_TRACK_GONE_H
#define FXTOP_TRACK_GONE_H

#include "ui/timeline/list/track_life.h"

struct track_gone_window {
    int64_t from, to; /* from == to: nothing is gone */
    int64_t column;   /* ns per column */
    uint32_t rows;    /* of the screen */
};

enum track_presence {                   /* of a thread in the window */
                      PRESENCE_UNKNOWN, /* the thread has neither events nor states */
                      PRESENCE_GONE,    /* it ended before the window, or has not begun in it */
                      /* there are more threads than rows; it ended, and lived for less than two
                       * columns */
                      PRESENCE_SHORT,
                      /* two threads or more for a row; it ran for less than GONE_QUIET, which is no
                       * column */
                      PRESENCE_QUIET,
                      PRESENCE_SEEN
};

#define GONE_QUIET 1000000 /* ns */

struct track_gone {    /* a line of folded threads */
    bool quiet;        /* it holds the processes that have a thread of PRESENCE_QUIET */
    uint32_t first, n; /* its processes, in track_list.gone_processes */
    uint32_t threads;
    uint32_t short_lived; /* of them: PRESENCE_SHORT */
    int64_t cpu_time;     /* of all of them, in the whole trace */
};

/* Fills in the presence of each thread; true: one of them has changed. */
bool track_gone_decide(const struct track_gone_window *window, const struct track_lives *lives,
                       struct trace *trace, uint8_t *presence);
/* The presence of threads together: SEEN or QUIET if one is, UNKNOWN if all are, else GONE. */
enum track_presence track_gone_together(const uint8_t *presence, const uint32_t *threads, size_t n);
/* Adds all threads that are known to a line. */
void track_gone_add_threads(struct track_gone *line, const struct track_lives *lives,
                            const uint8_t *presence, const uint32_t *threads, size_t n);
/* Adds one thread to a line. */
void track_gone_add(struct track_gone *line, const struct track_life *life, uint8_t presence);

#endif
