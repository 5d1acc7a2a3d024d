/* batch.h - what is derived in the order of time, async operations, flows and scheduling, and the samples of counters:
 * noted by the one who reads, and worked off thousands at a time by the placer's thread (placer.h) while he reads on.
 *
 * The inside of struct trace for build.c. From batch_next() to the next placer_wait() the reader's thread adds to the
 * first three, and touches nothing of them but what stands above their `apart`, and nothing of the fourth. */
#ifndef FXTOP_BATCH_H
#define FXTOP_BATCH_H

#include "model/async.h"
#include "model/counter.h"
#include "model/flow.h"
#include "model/sched.h"

struct trace;

enum batch_kind { BATCH_ASYNC, BATCH_FLOW, BATCH_SCHED, BATCH_COUNTER };

struct batch_event {
    union {
        struct async_event async;
        struct flow_point flow;
        struct sched_event sched;
        struct {
            struct counter_sample sample;
            uint64_t id;
            uint32_t process, name, argument;
        } counter;
    };
    enum batch_kind kind;
};

struct batch { /* those that came last */
    struct batch_run *run;
    struct batch_event *next, *end; /* in it */
};

void batch_more(struct trace *trace); /* room */

/* The next event, for the caller to fill at once. */
static inline struct batch_event *batch_next(struct trace *trace, struct batch *batch, enum batch_kind kind) {
    if (batch->next == batch->end)
        batch_more(trace);
    batch->next->kind = kind;
    return batch->next++;
}

/* What came is in the model, and as much as can be is derived from it; all: for good. The placer is idle. */
void batch_settle(struct trace *trace, bool all);
void batch_free(struct batch *batch);

#endif
