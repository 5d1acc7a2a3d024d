#include "model/batch.h"

#include "model/build.h"
#include "model/placer.h"

#define BATCH ((PLACER_BYTES - sizeof(struct batch_run)) / sizeof(struct batch_event))

struct batch_run {
    int64_t origin; /* the trace's, as far as it is known */
    struct batch_event v[];
};

static void add_sample(struct trace *trace, const struct batch_event *e) {
    counters_add(&trace->counters, e->counter.process, e->counter.name, e->counter.id, e->counter.argument,
                 &e->counter.sample);
}

/* On the placer's thread: nothing of the reader is asked. */
static void work(void *ctx, void *bytes) {
    struct trace *trace = ctx;
    const struct batch_run *run = bytes;
    for (size_t i = 0; i < BATCH; i++) {
        const struct batch_event *e = &run->v[i];
        switch (e->kind) {
        case BATCH_ASYNC:
            async_follow(&trace->async, &trace->nest_aside, &e->async);
            break;
        case BATCH_FLOW:
            flows_follow(&trace->flows, &e->flow);
            break;
        case BATCH_SCHED:
            sched_follow(&trace->sched, &e->sched, run->origin);
            break;
        case BATCH_COUNTER:
            add_sample(trace, e);
            break;
        }
    }
}

void batch_more(struct trace *trace) {
    struct batch *b = &trace->batch;
    if (b->run) {
        b->run->origin = trace_origin(trace);
        b->run = placer_give(trace->nest_aside.placer, work, trace, b->run);
    } else {
        b->run = err_malloc(PLACER_BYTES);
    }
    b->next = b->run->v;
    b->end = b->next + BATCH;
}

void batch_settle(struct trace *trace, bool all) {
    struct batch *b = &trace->batch;
    if (b->run) {
        for (const struct batch_event *e = b->run->v; e < b->next; e++) /* the others are in their logs */
            if (e->kind == BATCH_COUNTER)
                add_sample(trace, e);
        b->next = b->run->v;
    }
    async_settle(&trace->async, &trace->nest_aside, all);
    flows_settle(&trace->flows, all);
    sched_settle(&trace->sched, build_stands_for, trace, trace_origin(trace), all);
    if (all)
        batch_free(b);
}

void batch_free(struct batch *batch) {
    free(batch->run);
    *batch = (struct batch){0};
}
