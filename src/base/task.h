/* task.h - work that takes long, in steps.
 *
 * A function that may take long has a struct task: it charges what it does with task_spend(), and
 * returns soon after that has returned false. NULL: it works to its end.
 *
 * task_new() makes a task of a function that is written as if it never stopped: task_spend()
 * returns when the next step begins, so its state between two steps is its local variables. It
 * never runs at the same time as its caller, so nothing needs a lock. Its result does not depend on
 * the steps. False from task_spend() means that it is cancelled: it frees its memory and returns.
 * Others may read its results between two steps, so these are complete before task_spend().
 *
 * TASK_WITHIN(budget) is the task of a function that returns when its time is up, and goes on when
 * it is called again.
 *
 * Tasks that read one thing, such as a trace, are together in a struct tasks; before the thing
 * changes, tasks_cancel() ends them. They are made, stepped and freed on one thread. */
#ifndef FXTOP_TASK_H
#define FXTOP_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/budget.h"

struct task {
    struct budget *budget; /* of the step */
};

struct tasks {               /* zero-initialised: none */
    struct task_made *first; /* of those with a thread */
};

/* Its address lasts to the end of the block. TASK_OF(): for so many units, the same in each run. */
#define TASK_WITHIN(time) (&(struct task){.budget = (time)})
#define TASK_OF(units) TASK_WITHIN(BUDGET_OF(units))

/* Charges work that was done, in units of 10 to 100 ns; false: the work is over. */
static inline bool task_spend(struct task *task, uint32_t cost) {
    return task == NULL || budget_spend(task->budget, cost);
}
/* Whether it is cancelled, or its time is up. Does not read the clock. */
static inline bool task_over(const struct task *task) {
    return task && !budget_left(task->budget);
}
/* Whether others may look between two steps: not if it works to its end. */
static inline bool task_pauses(const struct task *task) {
    return task && !budget_is_endless(task->budget);
}

typedef void task_run(struct task *task, void *ctx);

/* Nothing runs before the first step. `all` is not NULL. ctx is borrowed until the task has ended,
 * `all` until it is freed. */
struct task *task_new(struct tasks *all, task_run *run, void *ctx);

/* ---- of task_new(), by its owner ---- */

void task_free(struct task *task); /* cancels it if it has not ended; NULL is fine */
/* Whether it was cancelled, and will never return true from a step. */
bool task_is_lost(const struct task *task);
/* Cancels all that have begun and not ended; they are still to be freed. */
void tasks_cancel(struct tasks *all);

/* Runs it within a step of the caller's task, until that is over or run() returns; true: it has
 * returned, and was not cancelled. It runs to its end on the caller's stack if no thread can be
 * started. So it does if its first step is to the end, or of a task of task_new(). */
bool task_step(struct task *task, struct task *within);
/* run() as a part of a task; true: that is not over. */
static inline bool task_whole(task_run *run, void *ctx, struct task *within) {
    run(within, ctx);
    return !task_over(within);
}

#endif
