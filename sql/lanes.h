/* lanes.h - rows of the tables counter, sched and thread_state, and the bounds of all that has a
 * time.
 *
 * Left out are runs and states of idle threads, and those that began before the first record of
 * their CPU. */
#ifndef FXTOP_LANES_H
#define FXTOP_LANES_H

#include "sql/rows.h"

struct rows *lanes_counters(struct source *source); /* keys: track_id; owners: series */
struct rows *lanes_sched(struct source *source);    /* keys: cpu; owners: places of CPUs */
/* keys: utid; owners: places of scheduled threads */
struct rows *lanes_states(struct source *source);

/* Whether a run, or a state of a thread, has a damaged time: its duration is NULL, and the answer
 * leaves it out. */
bool lanes_run_damaged(struct source *source, const struct rows_lane *lane, uint32_t i);
bool lanes_state_damaged(struct source *source, const struct rows_lane *lane, uint32_t i);

/* Whether a row of sched or thread_state has no end and has lasted longer than all that ended
 * (lanes_open.c); also if it was stopped. */
bool lanes_any_open(struct rows *rows);
/* Notes that an answer has read the duration of a row, if it is one of these. */
void lanes_read_open(struct rows *rows, const struct rows_lane *lane, uint32_t i);

/* The least time and the greatest end over slice, counter, sched and thread_state; both 0 if they
 * are empty. */
void lanes_bounds(struct source *source, int64_t *start, int64_t *end);

#endif
