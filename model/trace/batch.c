#include "model/trace/batch.h"

#include "model/trace/trace_internal.h"
#include "src/base/worker.h"

struct batch_run {
    struct trace *trace;
    int64_t origin; /* the trace's, as far as it is known */
    const char *end;
    uint64_t v[]; /* events, up to there */
};

/* On either of two threads (placer.h): nothing of the reader is asked. */

static void work_async(void *ctx, void *bytes) {
    const struct batch_run *run = bytes;
    for (const struct async_event *e = (const void *)run->v; (const char *)e < run->end; e++)
        async_follow(ctx, &run->trace->slice_extra, e);
}

static void work_flows(void *ctx, void *bytes) {
    const struct batch_run *run = bytes;
    for (const struct flow_point *p = (const void *)run->v; (const char *)p < run->end; p++)
        flows_follow(ctx, p);
}

static void work_sched(void *ctx, void *bytes) {
    const struct batch_run *run = bytes;
    for (const struct sched_event *e = (const void *)run->v; (const char *)e < run->end; e++)
        sched_follow(ctx, e, run->origin);
}

static void work_samples(void *ctx, void *bytes) {
    const struct batch_run *run = bytes;
    for (const struct batch_sample *s = (const void *)run->v; (const char *)s < run->end; s++)
        counters_add(ctx, s->process, s->name, s->id, s->argument, &s->sample);
}

void batch_more(struct trace *trace, enum batch_kind kind, size_t size) {
    const struct {
        void (*work)(void *ctx, void *run);
        void *ctx;
    } whose[BATCH_KINDS] = {[BATCH_ASYNC] = {work_async, &trace->async},
                            [BATCH_FLOW] = {work_flows, &trace->flows},
                            [BATCH_SCHED] = {work_sched, &trace->sched},
                            [BATCH_SAMPLE] = {work_samples, &trace->counters}};
    struct batch *b = &trace->batches.of[kind];
    if (b->run) {
        b->run->trace = trace;
        b->run->origin = trace_origin(trace);
        b->run->end = b->end;
        b->run = worker_give(trace->slice_extra.worker, whose[kind].work, whose[kind].ctx, b->run);
    } else {
        b->run = err_malloc(WORKER_BUFFER_BYTES);
    }
    b->next = (char *)b->run->v;
    b->end = b->next + (WORKER_BUFFER_BYTES - sizeof *b->run) / size * size;
}

void batch_settle(struct trace *trace, bool all) {
    struct batches *batches = &trace->batches;
    for (int kind = 0; kind < BATCH_KINDS; kind++) {
        struct batch *b = &batches->of[kind];
        if (b->run == NULL)
            continue;
        b->run->end = b->next;
        if (kind == BATCH_SAMPLE) /* the others are in their logs */
            work_samples(&trace->counters, b->run);
        b->next = (char *)b->run->v;
    }
    async_settle(&trace->async, &trace->slice_extra, all);
    flows_settle(&trace->flows, all);
    sched_settle(&trace->sched, ingest_stands_for, trace, trace_origin(trace), all);
    if (all)
        batches_free(batches);
}

void batches_free(struct batches *batches) {
    for (int kind = 0; kind < BATCH_KINDS; kind++)
        free(batches->of[kind].run);
    *batches = (struct batches){0};
}
