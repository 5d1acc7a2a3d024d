/* answer.h - the answer to a question about the trace, made in a task, and the former answer until
 * then.
 *
 * A question is a number, which the owner compares before each step. If it or the trace has
 * changed, the owner asks again. The answer to the same question about an earlier version stays
 * until the next one is complete. After another question, rows are shown as they come. Answers that
 * are not needed any more are freed in the background.
 *
 * The data of a question may borrow from the owner, such as the tracks of its range: the owner
 * drops the answer or asks another question before a step after these have changed. */
#ifndef FXTOP_ANSWER_H
#define FXTOP_ANSWER_H

#include "model/trace/trace.h"

struct answer_ops {
    size_t size; /* of the data of an answer: all 0, then the owner puts the question in */
    void (*make)(struct task *task, void *data);
    void (*free)(void *data); /* memory of the data: in the background; NULL: none */
};

struct answer {  /* zero-initialised: nothing was asked */
    void *shown; /* the data to show; NULL: none so far */
    void *next;  /* being made, or complete: then the same as `shown`. NULL: nothing was asked */
    bool begun, done;             /* ops->make() of `next` has run so far; is complete */
    const struct answer_ops *ops; /* of both */
    struct task *task;
    uint64_t question, version; /* that `next` is of; of the trace */
    uint32_t generation;
};

/* Whether `next` is of this question and of the trace as it is. */
bool answer_is_of(const struct answer *answer, struct trace *trace, uint64_t question);
/* Asks. Returns the data, for the question; the first step calls ops->make(). */
void *answer_ask(struct answer *answer, const struct answer_ops *ops, struct trace *trace,
                 uint64_t question);
/* A step; true if `next` is complete now, and shown. Do nothing before an answer_ask() or after it
 * is done. */
bool answer_step(struct answer *answer, struct task *task);
void answer_drop(struct answer *answer); /* nothing is asked or shown any more */

/* Whether `shown` is complete, of this or an earlier version of the trace. */
static inline bool answer_is_complete(const struct answer *answer) {
    return answer->done || (answer->shown && answer->shown != answer->next);
}
/* `shown` if it is complete and of this question, of this or an earlier version of the trace; or
 * NULL. */
static inline void *answer_about(const struct answer *answer, struct trace *trace,
                                 uint64_t question) {
    return answer_is_complete(answer) && answer->question == question &&
                   answer->generation == trace_generation(trace)
               ? answer->shown
               : NULL;
}
/* Whether `shown` is of the trace as it is: numbers of slices in it hold. */
static inline bool answer_holds(const struct answer *answer, const struct trace *trace) {
    return answer->shown == answer->next && answer->version == trace_version(trace);
}

#endif
