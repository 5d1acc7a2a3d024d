#include "model/batch.h"

#include "model/build.h"
#include "model/placer.h"

#define BATCH ((PLACER_BYTES - sizeof(struct batch)) / sizeof(struct batch_event))

struct batch {
    int64_t origin; /* the trace's, as far as it is known */
    size_t n;
    struct batch_event v[];
};

static void add_sample(struct trace *trace, const struct batch_event *e) {
    counters_add(&trace->counters, e->counter.process, e->counter.name, e->counter.id, e->counter.argument,
                 &e->counter.sample);
}

/* On the placer's thread: nothing of the reader is asked. */
static void work(void *ctx, void *bytes) {
    struct trace *trace = ctx;
    const struct batch *b = bytes;
    for (size_t i = 0; i < b->n; i++) {
        const struct batch_event *e = &b->v[i];
        switch (e->kind) {
        case BATCH_ASYNC:
            async_follow(&trace->async, &trace->nest_aside, &e->async);
            break;
        case BATCH_FLOW:
            flows_follow(&trace->flows, &e->flow);
            break;
        case BATCH_SCHED:
            sched_follow(&trace->sched, &e->sched, b->origin);
            break;
        case BATCH_COUNTER:
            add_sample(trace, e);
            break;
        }
    }
}

static uint32_t stands_for(const void *ctx, uint32_t thread) {
    return trace_stands_for(ctx, thread);
}

struct batch_event *batch_next(struct trace *trace, enum batch_kind kind) {
    struct batch *b = trace->batch;
    if (b == NULL || b->n == BATCH) {
        if (b)
            b->origin = trace_origin(trace);
        b = trace->batch = b ? placer_give(trace->nest_aside.placer, work, trace, b) : err_malloc(PLACER_BYTES);
        b->n = 0;
    }
    b->v[b->n].kind = kind;
    return &b->v[b->n++];
}

void batch_settle(struct trace *trace, bool all) {
    struct batch *b = trace->batch;
    for (size_t i = 0; b && i < b->n; i++) /* the others are in their logs */
        if (b->v[i].kind == BATCH_COUNTER)
            add_sample(trace, &b->v[i]);
    if (b)
        b->n = 0;
    async_settle(&trace->async, &trace->nest_aside, all);
    flows_settle(&trace->flows, all);
    sched_settle(&trace->sched, stands_for, trace, trace_origin(trace), all);
    if (all) {
        batch_free(b);
        trace->batch = NULL;
    }
}

void batch_free(struct batch *batch) {
    free(batch);
}
