/* batch.h - queues of events that are no durations. The reader thread appends; full batches go to
 * the worker (src/base/worker.h), which derives operations, flows, states and series from them, and
 * lists instants and logs.
 *
 * From batch_next() to the next worker_wait() struct derived belongs to the worker, but for
 * sched.input and async.input; so do the instants of threads. */
#ifndef FXTOP_MODEL_TRACE_BATCH_H
#define FXTOP_MODEL_TRACE_BATCH_H

#include "model/trace/trace.h"

enum batch_kind {
    BATCH_ASYNC,
    BATCH_FLOW,
    BATCH_SCHED,
    BATCH_SAMPLE,
    BATCH_INSTANT,
    BATCH_OCCURRENCE,
    BATCH_KINDS
};

/* of a counter; others hold async_arrival, flow_point, sched_event, occurrence */
struct batch_sample {
    struct counter_sample sample;
    uint64_t id;
    uint32_t process, name, argument;
};

struct batch_instant {
    struct thread *thread;
    struct instant instant;
};

/* The structures that the worker fills from batches. */
struct derived {
    struct async async;
    struct flows flows;
    struct counters counters;
    struct sched sched;
    struct unsorted {
        VEC(uint32_t) threads; /* numbers of those with instants out of order */
    } unsorted;
    struct occurrence_lists {
        struct occurrences logs, profile;
    } lists;
};

struct batches {
    struct batch {
        struct batch_run *run; /* the batch being filled; NULL: none yet */
        char *next, *end;      /* of its free space */
        size_t size;           /* of an event */
    } of[BATCH_KINDS];
    struct derived *to;
    const struct reader *reader;     /* for the origin */
    const struct slice_extra *extra; /* its worker gets full batches */
};

void batches_init(struct batches *batches, struct derived *to, const struct reader *reader,
                  const struct slice_extra *extra);
void batches_free(struct batches *batches);

void batch_make_space(struct batches *batches, enum batch_kind kind, size_t size);

/* Space for the next event, `size` bytes of the kind's struct; the caller fills it at once. */
static inline void *batch_next(struct batches *batches, enum batch_kind kind, size_t size) {
    struct batch *batch = &batches->of[kind];
    if (batch->next == batch->end)
        batch_make_space(batches, kind, size);
    char *event = batch->next;
    batch->next += size;
    return event;
}

/* As many of the next *n events as there is space for; *n: how many they are, at least 1. */
static inline void *batch_next_few(struct batches *batches, enum batch_kind kind, size_t size,
                                   size_t *n) {
    struct batch *batch = &batches->of[kind];
    if (batch->next == batch->end)
        batch_make_space(batches, kind, size);
    char *events = batch->next;
    size_t space = (size_t)(batch->end - events) / size;
    *n = *n < space ? *n : space;
    batch->next += *n * size;
    return events;
}

/* Empties all queues, as the worker does, which must be idle. Events that are not in order wait in
 * their logs, for async_flush() and its like. False: the task is cancelled. */
bool batch_flush(struct batches *batches, struct task *task);

#endif
