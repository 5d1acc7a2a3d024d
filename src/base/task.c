/* task.c - a task is a thread that is given the turn, and gives it back.
 *
 * A thread has a stack of its own that debuggers and sanitizers understand. A turn takes some 10
 * us, a step thousands. Within a step the task's budget is that of its caller; when it is spent,
 * the task waits for the next one. */
#include "src/base/task.h"

#include <pthread.h>
#include <stdlib.h>

#include "src/base/err.h"
#include "src/base/thread.h"

struct task_made {
    struct task task; /* its budget: `own`, or on the caller's stack that of the caller */
    task_run *run;
    void *ctx;
    struct budget own;
    pthread_mutex_t lock;
    pthread_cond_t passed; /* the turn */
    bool turn;             /* whose it is: the thread's, or the caller's */
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

static void take(struct task_made *task, bool turn) {
    pthread_mutex_lock(&task->lock);
    while (task->turn != turn)
        pthread_cond_wait(&task->passed, &task->lock);
    pthread_mutex_unlock(&task->lock);
}

/* One of the two waits at a time. */
static void pass(struct task_made *task) {
    pthread_mutex_lock(&task->lock);
    task->turn = !task->turn;
    pthread_mutex_unlock(&task->lock);
    pthread_cond_signal(&task->passed); /* not before: the other would wait for the lock */
}

static void *work(void *ctx) {
    struct task_made *task = ctx;
    take(task, true);
    task->run(&task->task, task->ctx);
    task->ended = true;
    pass(task);
    return NULL;
}

static void turn(struct task_made *task) {
    pass(task);
    take(task, false);
}

/* On the thread of the task: the next step. */
static bool wait_for_step(struct budget *budget) {
    struct task_made *task = budget->ctx;
    if (task->cancelled)
        return false;
    pass(task);
    take(task, true);
    return !task->cancelled;
}

static bool begin(struct task_made *task) {
    pthread_mutex_init(&task->lock, NULL);
    pthread_cond_init(&task->passed, NULL);
    task->task.budget = &task->own;
    task->threaded = thread_start(&task->thread, work, task);
    if (!task->threaded) {
        pthread_mutex_destroy(&task->lock);
        pthread_cond_destroy(&task->passed);
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
    pthread_mutex_destroy(&task->lock);
    pthread_cond_destroy(&task->passed);
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
