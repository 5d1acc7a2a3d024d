/* two_traces.c - another trace, and the open one.
 *
 * The stages follow each other as in enum two_traces_stage. Up to TWO_NAMES_A they are about the
 * other trace alone, so a change of the open one interrupts only those that follow. Each answer has
 * a shallow copy of the names of A. */
#include "model/query/stat/between/two_traces.h"

#include <stdlib.h>

#include "src/base/units.h"

#define READ_BYTES (256u << 10) /* a step: a key waits for it twice, and for its own work */

void two_traces_drop(struct between *answer) {
    if (answer == NULL)
        return;
    answer->runs[BETWEEN_A].n = 0; /* its names belong to the struct two_traces */
    between_free(answer);
    free(answer);
}

static void drop_next(struct two_traces *two) {
    trace_names_stop(&two->work);
    between_contain_stop(&two->contain);
    two_traces_drop(two->next);
    two->next = NULL;
}

void two_traces_close(struct two_traces *two) {
    if (two->other == NULL)
        return;
    drop_next(two);
    trace_names_free(&two->names);
    trace_free_beside(two->own, two->other);
    *two = (struct two_traces){.own = NULL};
}

bool two_traces_open(struct two_traces *two, struct trace *own, const char *path, struct err *err) {
    two_traces_close(two);
    two->other = trace_open_beside(own, path, err);
    two->own = own;
    two->stage = two->other ? TWO_READING : TWO_CLOSED;
    return two->other != NULL;
}

void two_traces_again(struct two_traces *two) {
    if (two->stage <= TWO_NAMES_A)
        return;
    drop_next(two);
    two->stage = TWO_NAMES_B;
}

/* ---- steps ---- */

/* True: all of it was read. */
static bool read_other(struct two_traces *two, struct budget *budget) {
    while (budget_left(budget)) {
        if (trace_step(two->other, READ_BYTES) == TRACE_COMPLETE)
            return true;
        budget_spend(budget, BUDGET_UNITS);
    }
    return false;
}

/* The names of B, which begin with the first step. True: done. */
static bool name_own(struct two_traces *two, struct budget *budget) {
    if (two->next == NULL) {
        two->next = err_calloc(1, sizeof *two->next);
        two->next->threshold = BETWEEN_THRESHOLD;
        vec_push(&two->next->runs[BETWEEN_A], two->names);
        vec_push(&two->next->runs[BETWEEN_B], ((struct trace_names){.span = 0}));
        trace_names_begin(two->next->runs[BETWEEN_B].v, &two->work, two->own, &two->whole);
    }
    return trace_names_step(two->next->runs[BETWEEN_B].v, &two->work, budget);
}

/* Ends a stage and begins the next one. */
static void go_on(struct two_traces *two) {
    if (two->stage == TWO_READING) {
        two->stage = file_fault(trace_file(two->other), &two->fault) < FILE_NO_SPACE ? TWO_NAMES_A
                                                                                     : TWO_FAILED;
        if (two->stage == TWO_NAMES_A)
            trace_names_begin(&two->names, &two->work, two->other, &two->whole);
        return;
    }
    if (two->stage == TWO_TESTING)
        between_contain_begin(&two->contain, two->next, two->own, &two->whole);
    two->stage++;
}

static bool step_stage(struct two_traces *two, struct budget *budget) {
    switch (two->stage) {
    case TWO_READING:
        return read_other(two, budget);
    case TWO_NAMES_A:
        return trace_names_step(&two->names, &two->work, budget);
    case TWO_NAMES_B:
        return name_own(two, budget);
    case TWO_TESTING:
        return between_compare_step(two->next, budget);
    default:
        return between_contain_step(&two->contain, two->next, budget);
    }
}

static bool has_ended(const struct two_traces *two) {
    return two->stage == TWO_CLOSED || two->stage == TWO_FAILED || two->stage == TWO_READY;
}

bool two_traces_step(struct two_traces *two, struct budget *budget) {
    while (!has_ended(two) && budget_left(budget)) {
        enum two_traces_stage stage = two->stage;
        if (step_stage(two, budget))
            go_on(two);
        if (stage == TWO_NAMES_A && two->stage > stage)
            break; /* the caller looks whether B has changed */
    }
    return !has_ended(two);
}

struct between *two_traces_take(struct two_traces *two) {
    struct between *answer = two->next;
    two->next = NULL;
    return answer;
}

unsigned two_traces_percent(const struct two_traces *two) {
    uint64_t done, all;
    switch (two->stage) {
    case TWO_READING:
        file_progress(trace_file(two->other), &done, &all);
        if (file_compression(trace_file(two->other)) == FILE_PLAIN &&
            !file_imported(trace_file(two->other)))
            done = reader_offset(trace_reader(two->other));
        return units_percent(done, all);
    case TWO_NAMES_A:
    case TWO_NAMES_B:
        return trace_names_percent(&two->work);
    case TWO_TESTING:
        return between_percent(two->next);
    default:
        return two->stage == TWO_READY ? 100 : 0;
    }
}
