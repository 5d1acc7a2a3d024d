/* thread_states.h - threads with scheduling over a range: time by state, longest states, switches,
 * and the thread that woke each most often.
 *
 * Times are of the part of states in the range, longest ones of whole states. Running, runnable,
 * blocked and other time is that of known states (SEMANTICS 10.7); the rest of the thread's time is
 * unknown. Made in a task, for one version of the trace: first all rows with their times, then the
 * other columns, row after row. Times: ns. */
#ifndef FXTOP_THREAD_STATES_H
#define FXTOP_THREAD_STATES_H

#include "model/query/aggregate.h"
#include "model/query/stat/range.h"

enum thread_state {
    THREAD_RUNNING,
    THREAD_RUNNABLE,
    THREAD_BLOCKED,
    THREAD_OTHER,
    THREAD_UNKNOWN,
    THREAD_STATES
};

#define THREAD_OTHER_IDLE UINT8_MAX        /* it ran as an idle thread */
#define THREAD_OTHER_MIXED (UINT8_MAX - 1) /* they differ */

struct thread_states_row {
    uint32_t thread;
    int64_t lived; /* thread time of the range: the sum of `time` */
    int64_t time[THREAD_STATES];
    uint64_t count[THREAD_STATES];     /* states that overlap the range; of unknown time 0 */
    int64_t longest[THREAD_STATES];    /* whole */
    int64_t longest_at[THREAD_STATES]; /* begin of that state */
    uint8_t other;                     /* enum sched_state of all its other states, or one of: */
    uint32_t waker;                    /* that woke it most often; NO_THREAD: unknown */
    uint64_t wakes;                    /* how often */
};

struct thread_states {
    struct trace *trace;
    const struct range *range; /* borrowed until the work is done */
    VEC(struct thread_states_row) rows;
    bool times;           /* all rows exist, with their times */
    uint32_t known;       /* rows that have all of their numbers */
    uint64_t passed, all; /* states of all rows; known with their times */
};

/* timed(ctx), if it is not NULL, is called once all rows have their times. */
void thread_states_make(struct task *task, struct thread_states *states, struct trace *trace,
                        const struct range *range, void (*timed)(void *ctx), void *ctx);
void thread_states_free(struct thread_states *states);
unsigned thread_states_percent(const struct thread_states *states);
/* Whether a row has all of its numbers; before, its times alone. */
static inline bool thread_states_known(const struct thread_states *states, uint32_t row) {
    return row < states->known;
}
/* "running"; of other states "suspended", "idle" ..., or "other" if they differ. */
const char *thread_states_name(const struct trace *trace, const struct thread_states_row *row,
                               enum thread_state state);

#endif
