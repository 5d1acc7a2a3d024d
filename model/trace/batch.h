/* batch.h - what is derived in the order of time, async operations, flows and scheduling, and the samples of counters:
 * noted by the one who reads, and worked off thousands at a time (placer.h), mostly while he reads on.
 *
 * The inside of struct trace for build.c. From batch_next() to the next worker_wait() the reader's thread adds to the
 * first three, and touches nothing of them but what stands above their `apart`, and nothing of the fourth. */
#ifndef FXTOP_BATCH_H
#define FXTOP_BATCH_H

#include "model/store/async.h"
#include "model/store/counter.h"
#include "model/store/flow.h"
#include "model/store/sched.h"

struct trace;

enum batch_kind { BATCH_ASYNC, BATCH_FLOW, BATCH_SCHED, BATCH_SAMPLE, BATCH_KINDS };

struct batch_sample { /* of a counter; what the others hold is an async_event, a flow_point, a sched_event */
    struct counter_sample sample;
    uint64_t id;
    uint32_t process, name, argument;
};

struct batches { /* of each kind, those that came last */
    struct batch {
        struct batch_run *run;
        char *next, *end; /* in it */
    } of[BATCH_KINDS];
};

void batch_more(struct trace *trace, enum batch_kind kind, size_t size); /* room */

/* The next event, `size` bytes of what its kind holds, for the caller to fill at once. */
static inline void *batch_next(struct trace *trace, struct batches *batches, enum batch_kind kind, size_t size) {
    struct batch *batch = &batches->of[kind];
    if (batch->next == batch->end)
        batch_more(trace, kind, size);
    char *event = batch->next;
    batch->next += size;
    return event;
}

/* What came is in the model, and as much as can be is derived from it; all: for good. The worker is idle. */
void batch_settle(struct trace *trace, bool all);
void batches_free(struct batches *batches);

#endif
