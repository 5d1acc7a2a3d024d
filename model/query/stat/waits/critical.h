/* critical.h - the critical path of a stretch of time on a thread: of what its end had to wait for
 * (SEMANTICS 10.11).
 *
 * The path is found backwards. It is a list of stretches from the last one to the first, which tile
 * the time: each begins where the one after it in the list ends. It costs O(log n) a stretch.
 * Times: ns relative to the reader's base. */
#ifndef FXTOP_CRITICAL_H
#define FXTOP_CRITICAL_H

#include "model/query/answer.h"

#define CRITICAL_MOST 250000u /* stretches; the time before them is one of CRITICAL_REST */

enum critical_state {                                    /* enum sched_state, and: */
                      CRITICAL_IDLE = SCHED_RUNNING + 1, /* the idle thread runs */
                      CRITICAL_COVERED,  /* in slices: no state of the thread is known */
                      CRITICAL_UNKNOWN,  /* it did not live, or a last wakeup alone */
                      CRITICAL_NO_SLICE, /* no state is known, and no slice covers the time */
                      CRITICAL_REST,     /* not looked at: there are too many stretches */
                      CRITICAL_STATES
};

enum critical_why {                    /* why the path is here */
                    CRITICAL_END,      /* the path begins here, at its end */
                    CRITICAL_BEFORE,   /* it was here already */
                    CRITICAL_WOKE,     /* this thread woke `other` */
                    CRITICAL_SENT,     /* a flow from this thread arrived at `other` */
                    CRITICAL_AGAIN,    /* it waited for `other` */
                    CRITICAL_NO_WAKER, /* blocked, and the waker is unknown */
                    CRITICAL_IDLED,    /* blocked, and an interrupt of the idle thread ended it */
                    CRITICAL_ENDED,    /* it waits for `other`, which did not live any more */
                    /* the waker, or the source of the flow, is `other`, which waits for this one */
                    CRITICAL_CYCLE,
};

struct critical_stretch {
    int64_t from, to;
    uint32_t thread, other; /* numbers; other: NO_THREAD, by `why` */
    uint8_t state;          /* enum sched_state or critical_state */
    uint8_t why;            /* enum critical_why */
};

struct critical_frame { /* a thread on whose path the walk is, from its end down to `low` */
    /* waits: the state of the thread that waits for it, which is that of the frame before */
    uint32_t thread, waits;
    int64_t low;
};

/* of the points on a thread, [from, to) have been looked at: no flow arrives there */
struct critical_passed {
    size_t from, to;
};

struct critical {
    /* the question */
    struct trace *trace;
    uint32_t thread;
    int64_t from, to;
    /* the answer, once done */
    VEC(struct critical_stretch) v;
    int64_t by_state[CRITICAL_STATES];
    int64_t *by_thread; /* by number, of `threads`: later there may be more */
    size_t threads;
    bool done;
    /* the walk */
    VEC(struct critical_frame) frames; /* no thread is in it twice */
    bool *on_path;                     /* by number of the thread: it is in `frames` */
    /* the same: the walk comes to a thread again, each time earlier */
    struct critical_passed *passed;
    int64_t at;            /* time that the walk has reached, from the end down */
    enum critical_why why; /* of the next stretch */
    uint32_t other;
};

/* The end of a path that is asked for up to `to`: that of the thread's life, if it is earlier; at
 * least `from`. */
int64_t critical_end(struct trace *trace, uint32_t thread, int64_t from, int64_t to);
/* The question: from < to. The path ends at critical_end(), and is empty if that is `from`. */
void critical_set(struct critical *critical, struct trace *trace, uint32_t thread, int64_t from,
                  int64_t to);
void critical_make(struct task *task, void *critical); /* its answer */
void critical_free(void *critical);
extern const struct answer_ops critical_ops;
/* The threads with most time on the path, at most n of them, in order. Returns how many there
 * are. */
size_t critical_threads(const struct critical *critical, uint32_t *threads, size_t n);

#endif
