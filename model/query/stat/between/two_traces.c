/* two_traces.c - A is read, then its names are found in a task. */
#include "model/query/stat/between/two_traces.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/base/units.h"

#define READ_BYTES (256u << 10) /* a step: a key waits for it twice, and for its own work */

static const struct question whole; /* zero: all of a trace */

static void make_answer(struct task *task, void *data) {
    struct two_traces_answer *a = data;
    struct between *b = &a->between;
    b->threshold = BETWEEN_THRESHOLD;
    vec_push(&b->runs[BETWEEN_A], a->two->names);
    vec_push(&b->runs[BETWEEN_B], ((struct trace_names){.span = 0}));
    trace_names_make(task, b->runs[BETWEEN_B].v, a->two->own, &whole);
    if (!task_over(task))
        between_make(task, b);
    if (!task_over(task))
        between_contain_make(task, b, a->two->own, &whole);
    if (!task_over(task) && between_wants_gone(b))
        between_gone_make(task, b, a->two->other, &whole);
}

static void free_answer(void *data) {
    struct between *b = &((struct two_traces_answer *)data)->between;
    b->runs[BETWEEN_A].n = 0; /* its names belong to the struct two_traces */
    between_free(b);
}

const struct answer_ops two_traces_answer_ops = {sizeof(struct two_traces_answer), make_answer,
                                                 free_answer};

void two_traces_close(struct two_traces *two) {
    if (two->other == NULL)
        return;
    task_free(two->naming);
    trace_names_free(&two->names);
    trace_free_beside(two->own, two->other);
    *two = (struct two_traces){.own = NULL};
}

bool two_traces_open(struct two_traces *two, struct trace *own, const char *path, struct err *err) {
    two_traces_close(two);
    two->other = trace_open_beside(own, path, err);
    two->own = own;
    two->state = two->other ? TWO_READING : TWO_CLOSED;
    return two->other != NULL;
}

/* ---- A ---- */

static void make_names(struct task *task, void *ctx) {
    struct two_traces *two = ctx;
    trace_names_make(task, &two->names, two->other, &whole);
}

/* Reading is no task: the next step of a trace ends those that read it. */
static void read_other(struct two_traces *two, struct task *task) {
    while (trace_step(two->other, READ_BYTES) != TRACE_COMPLETE)
        if (!task_spend(task, BUDGET_UNITS))
            return;
    two->state =
        file_fault(trace_file(two->other), &two->fault) < FILE_NO_SPACE ? TWO_NAMING : TWO_FAILED;
    trace_persist(two->other);
}

static void name_other(struct two_traces *two, struct task *task) {
    if (two->naming == NULL)
        two->naming = task_new(&two->tasks, make_names, two);
    if (!task_step(two->naming, task))
        return;
    task_free(two->naming);
    two->naming = NULL;
    two->state = TWO_READY;
}

bool two_traces_step(struct two_traces *two, struct task *task) {
    if (two->state == TWO_READING && !task_over(task))
        read_other(two, task);
    if (two->state == TWO_NAMING && !task_over(task))
        name_other(two, task);
    return two->state == TWO_READING || two->state == TWO_NAMING;
}

/* ---- progress ---- */

/* The part of the bytes of A that is read. */
static unsigned read_percent(const struct two_traces *two) {
    const struct file *file = trace_file(two->other);
    uint64_t done, all;
    file_progress(file, &done, &all);
    if (file_compression(file) == FILE_PLAIN && !file_imported(file))
        done = reader_offset(trace_reader(two->other));
    return units_percent(done, all);
}

const char *two_traces_progress(const struct two_traces *two, const struct two_traces_answer *a,
                                char buf[80]) {
    buf[0] = '\0';
    if (two->state == TWO_READING)
        snprintf(buf, 80, "reading A, %u%%", read_percent(two));
    else if (two->state == TWO_NAMING)
        snprintf(buf, 80, "counting names of A, %u%%", trace_names_percent(&two->names));
    else if (a && a->between.percent > 0)
        snprintf(buf, 80, "comparing, %u%%", a->between.percent);
    else if (a && a->between.runs[BETWEEN_B].n > 0)
        snprintf(buf, 80, "counting names of B, %u%%",
                 trace_names_percent(a->between.runs[BETWEEN_B].v));
    return buf;
}
