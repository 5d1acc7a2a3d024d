/* batch.c - queues of events that go to the worker when they are full.
 *
 * A batch is one buffer of WORKER_BUFFER_BYTES: a head with the end of its events, then the events. Handing it over
 * returns a free one to fill next. The functions work_...() run on the worker, or on the reader thread while it waits:
 * they ask nothing of the reader, so the head brings the origin along. */
#include "model/trace/batch.h"

#include "src/base/worker.h"
#include "src/fxt/reader.h"

struct batch_run {
    const struct slice_extra *extra;
    int64_t origin; /* of the trace, as far as it is known */
    const char *end;
    uint64_t v[]; /* events, up to `end` */
};

static void work_async(void *ctx, void *bytes) {
    const struct batch_run *run = bytes;
    for (const struct async_event *e = (const void *)run->v; (const char *)e < run->end; e++)
        async_follow(ctx, run->extra, e);
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

void batches_init(struct batches *batches, struct derived *to, const struct reader *reader,
                  const struct slice_extra *extra) {
    *batches = (struct batches){.to = to, .reader = reader, .extra = extra};
}

void batches_free(struct batches *batches) {
    for (int kind = 0; kind < BATCH_KINDS; kind++)
        free(batches->of[kind].run);
    batches_init(batches, batches->to, batches->reader, batches->extra);
}

void batch_make_space(struct batches *batches, enum batch_kind kind, size_t size) {
    struct derived *to = batches->to;
    const struct {
        void (*work)(void *ctx, void *run);
        void *ctx;
    } whose[BATCH_KINDS] = {[BATCH_ASYNC] = {work_async, &to->async.state},
                            [BATCH_FLOW] = {work_flows, &to->flows.state},
                            [BATCH_SCHED] = {work_sched, &to->sched.state},
                            [BATCH_SAMPLE] = {work_samples, &to->counters}};
    struct batch *b = &batches->of[kind];
    if (b->run) {
        b->run->extra = batches->extra;
        b->run->origin = wide_diff(reader_min(batches->reader), reader_base(batches->reader), INT64_MAX);
        b->run->end = b->end;
        b->run = worker_give(batches->extra->worker, whose[kind].work, whose[kind].ctx, b->run);
    } else {
        b->run = err_malloc(WORKER_BUFFER_BYTES);
    }
    b->next = (char *)b->run->v;
    b->end = b->next + (WORKER_BUFFER_BYTES - sizeof *b->run) / size * size;
}

void batch_flush(struct batches *batches) {
    struct derived *to = batches->to;
    for (int kind = 0; kind < BATCH_KINDS; kind++) {
        struct batch *b = &batches->of[kind];
        if (b->run == NULL)
            continue;
        b->run->end = b->next;
        if (kind == BATCH_SAMPLE)
            work_samples(&to->counters, b->run);
        b->next = (char *)b->run->v;
    }
    time_log_withhold(&to->async.state.time_log, to->async.input.log.n);
    time_log_withhold(&to->flows.state.time_log, to->flows.input.log.n);
    time_log_withhold(&to->sched.state.time_log, to->sched.input.log.n);
}
