/* answer.c - keeps two answers at most: the one that is shown, and the one that is made. */
#include "model/query/answer.h"

#include <stdlib.h>

#include "src/base/discard.h"

struct dropped {
    const struct answer_ops *ops;
    void *data;
};

static void release(void *ctx) {
    struct dropped *dropped = ctx;
    if (dropped->ops->free)
        dropped->ops->free(dropped->data);
    free(dropped->data);
    free(dropped);
}

static void drop(const struct answer *a, void *data) {
    if (data == NULL)
        return;
    struct dropped *dropped = err_malloc(sizeof *dropped);
    *dropped = (struct dropped){a->ops, data};
    discard(release, dropped);
}

/* Ends the task, and drops its answer. */
static void stop(struct answer *a) {
    task_free(a->task);
    a->task = NULL;
    if (a->next != a->shown)
        drop(a, a->next);
    a->next = NULL;
}

bool answer_is_of(const struct answer *a, struct trace *trace, uint64_t question) {
    return a->next && a->question == question && a->version == trace_version(trace) &&
           !(a->task && task_is_lost(a->task));
}

void *answer_ask(struct answer *a, const struct answer_ops *ops, struct trace *trace,
                 uint64_t question) {
    bool same = answer_is_complete(a) && a->ops == ops && a->question == question &&
                a->generation == trace_generation(trace);
    stop(a);
    if (!same) {
        drop(a, a->shown);
        a->shown = NULL;
    }
    a->ops = ops;
    a->next = err_calloc(1, ops->size);
    a->question = question;
    a->version = trace_version(trace);
    a->generation = trace_generation(trace);
    a->begun = a->done = false;
    a->task = task_new(trace_tasks(trace), ops->make, a->next);
    return a->next;
}

bool answer_step(struct answer *a, struct task *task) {
    if (a->task == NULL || task_over(task))
        return false;
    bool done = task_step(a->task, task);
    a->begun = true;
    if (a->shown == NULL)
        a->shown = a->next; /* its rows are shown as they come */
    if (!done)
        return false;
    task_free(a->task);
    a->task = NULL;
    a->done = true;
    if (a->shown != a->next)
        drop(a, a->shown);
    a->shown = a->next;
    return true;
}

void answer_drop(struct answer *a) {
    stop(a);
    drop(a, a->shown);
    *a = (struct answer){0};
}
