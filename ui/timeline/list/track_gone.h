/* track_gone.h - which threads are quiet: they have nothing, little or only idling to show in a
 * window, and fold into a line.
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
                      PRESENCE_UNKNOWN, /* it has neither events nor states */
                      PRESENCE_GONE,    /* it ended before the window, or has not begun in it */
                      /* it ended, lived for less than two columns, and threads exceed the rows */
                      PRESENCE_SHORT,
                      /* no slices, it ran for less than GONE_HARDLY; threads fill two screens */
                      PRESENCE_HARDLY,
                      PRESENCE_FEW,  /* track_shape.few, and it ran for no longer than a column */
                      PRESENCE_IDLE, /* track_shape.idle */
                      PRESENCE_SEEN
};

#define GONE_HARDLY 1000000 /* ns */

static inline bool track_gone_folds(enum track_presence presence) {
    return presence != PRESENCE_UNKNOWN && presence != PRESENCE_SEEN;
}

struct track_gone {    /* a line of folded threads */
    bool processes;    /* the line of whole processes, else of threads of one */
    uint32_t first, n; /* its processes, in track_list.gone_processes */
    uint32_t threads;
    uint32_t of[PRESENCE_SEEN]; /* the threads by their presence */
    int64_t cpu_time;           /* of those that do not idle, in the whole trace */
};

/* Fills in the presence of each thread; true: one of them has changed. None is quiet because of
 * FEW and IDLE if all are quiet. */
bool track_gone_decide(const struct track_gone_window *window, const struct track_lives *lives,
                       struct trace *trace, uint8_t *presence);
/* Whether the threads fold together: some of them are quiet, and none is seen. */
bool track_gone_together(const uint8_t *presence, const uint32_t *threads, size_t n);
/* Adds all threads that are known to a line. */
void track_gone_add_threads(struct track_gone *line, const struct track_lives *lives,
                            const uint8_t *presence, const uint32_t *threads, size_t n);
/* Adds one thread to a line. */
void track_gone_add(struct track_gone *line, const struct track_life *life,
                    enum track_presence presence);

#endif
