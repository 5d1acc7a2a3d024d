/* task.h - a function that is written as if it never stopped, and runs in steps.
 *
 * It calls task_spend() for the work that it does, which returns when the next step begins. Its
 * state between two steps is its local variables. It never runs at the same time as its caller, so
 * nothing needs a lock. Its result does not depend on the steps. False from task_spend()
 * means that it is cancelled: it frees its memory and returns soon. Others may read its results
 * between two steps, so these are complete before task_spend().
 *
 * Tasks that read one thing, such as a trace, are together in a struct tasks; before the thing
 * changes, tasks_cancel() ends them. They are made, stepped and freed on one thread. */
#ifndef FXTOP_TASK_H
#define FXTOP_TASK_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/budget.h"

struct task;

struct tasks {          /* zero-initialised: none */
    struct task *first; /* of those with a thread */
};

typedef void task_run(struct task *task, void *ctx);

/* Nothing runs before the first step. `all` is not NULL. ctx is borrowed until the task has ended,
 * `all` until it is freed. */
struct task *task_new(struct tasks *all, task_run *run, void *ctx);
void task_free(struct task *task); /* cancels it if it has not ended; NULL is fine */
/* Whether it was cancelled, and will never return true from a step. */
bool task_is_lost(const struct task *task);
/* Cancels all that have begun and not ended; they are still to be freed. */
void tasks_cancel(struct tasks *all);

/* Runs it until the budget is spent or run() returns; true: it has returned, and was not cancelled.
 * It runs to its end on the caller's stack if no thread can be started, or its first budget is
 * endless or a task's. */
bool task_step(struct task *task, struct budget *budget);
/* run() on the caller's stack, without a task to free; true: it was not cancelled, which is to say
 * the budget is left. */
bool task_whole(task_run *run, void *ctx, struct budget *budget);

/* ---- within run(); elsewhere NULL, for work without steps ---- */

/* Charges work that was done, as budget_spend() does; false: cancelled. */
bool task_spend(struct task *task, uint32_t cost);
bool task_cancelled(const struct task *task);
/* Whether others may look between two steps: not if the budget of the step is endless. */
bool task_pauses(const struct task *task);
/* For functions that take a budget: this one is spent only if the task is cancelled. Not of
 * NULL. */
struct budget *task_budget(struct task *task);

#endif
