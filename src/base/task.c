/* task.c - a task is a thread that is given the turn, and gives it back.
 *
 * A thread has a stack of its own that debuggers and sanitizers understand. A turn takes some 10
 * us, a step thousands. Within a step the task's budget is that of its caller; when it is spent,
 * the task waits for the next one. */
#include "src/base/task.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#include "src/base/err.h"
#include "src/base/thread.h"

struct task_made {
    struct task task; /* its budget: `own`, or on the caller's stack that of the caller */
    task_run *run;
    void *ctx;
    struct budget own;
    sem_t go, back; /* the turn is the thread's; the caller's */
    pthread_t thread;
    bool threaded, ended, cancelled;
    struct tasks *all;
    struct task_made *next, **link; /* of those with a thread */
};

static struct task_made *made(struct task *task) {
    return (struct task_made *)task; /* its first member */
}

struct task *task_new(struct tasks *all, task_run *run, void *ctx) {
    struct task_made *task = err_calloc(1, sizeof *task);
    task->all = all;
    task->run = run;
    task->ctx = ctx;
    return &task->task;
}

static void take(sem_t *turn) {
    while (sem_wait(turn) != 0)
        ; /* a signal came */
}

static void *work(void *ctx) {
    struct task_made *task = ctx;
    take(&task->go);
    task->run(&task->task, task->ctx);
    task->ended = true;
    sem_post(&task->back);
    return NULL;
}

static void turn(struct task_made *task) {
    sem_post(&task->go);
    take(&task->back);
}

/* On the thread of the task: the next step. */
static bool wait_for_step(struct budget *budget) {
    struct task_made *task = budget->ctx;
    if (task->cancelled)
        return false;
    sem_post(&task->back);
    take(&task->go);
    return !task->cancelled;
}

static bool begin(struct task_made *task) {
    sem_init(&task->go, 0, 0);
    sem_init(&task->back, 0, 0);
    task->task.budget = &task->own;
    task->threaded = thread_start(&task->thread, work, task);
    if (!task->threaded) {
        sem_destroy(&task->go);
        sem_destroy(&task->back);
        return false;
    }
    task->next = task->all->first;
    task->link = &task->all->first;
    if (task->next)
        task->next->link = &task->next;
    task->all->first = task;
    return true;
}

/* Its thread ends. */
static void end(struct task_made *task) {
    task->cancelled = true;
    task->own.units = 0;
    task->own.deadline = INT64_MIN;
    while (!task->ended)
        turn(task);
    pthread_join(task->thread, NULL);
    sem_destroy(&task->go);
    sem_destroy(&task->back);
    task->threaded = false;
    *task->link = task->next;
    if (task->next)
        task->next->link = task->link;
}

void tasks_cancel(struct tasks *all) {
    while (all->first)
        end(all->first);
}

static bool run_here(struct task_made *task, struct budget *budget) {
    task->task.budget = budget;
    task->run(&task->task, task->ctx);
    task->ended = true;
    task->cancelled = !budget_left(budget);
    return !task->cancelled;
}

static bool step_apart(struct task_made *task, struct budget *budget) {
    task->own.deadline = budget->deadline;
    task->own.units = budget->units;
    turn(task);
    budget->deadline = task->own.deadline;
    budget->units = task->own.units;
    if (!task->ended)
        return false;
    end(task);
    task->cancelled = false;
    return true;
}

bool task_step(struct task *of, struct task *within) {
    struct task_made *task = made(of);
    struct budget *budget = within ? within->budget : BUDGET_ENDLESS;
    if (task->ended || !budget_left(budget))
        return task->ended && !task->cancelled;
    if (!task->threaded && (budget_is_endless(budget) || budget->again))
        return run_here(task, budget);
    if (!task->threaded && !begin(task))
        return run_here(task, BUDGET_ENDLESS);
    task->own.again = wait_for_step;
    task->own.ctx = task;
    while (!step_apart(task, budget))
        if (budget->again == NULL || !budget_spend(budget, 0))
            return false;
    return true;
}

void task_free(struct task *task) {
    if (task && made(task)->threaded)
        end(made(task));
    free(task);
}

bool task_is_lost(const struct task *task) {
    return ((const struct task_made *)task)->cancelled;
}
