/* batch.c - queues of events that go to the worker when they are full.
 *
 * A batch is one buffer of WORKER_BUFFER_BYTES: a head with the end of its events, then the events.
 * Handing it over returns a free one to fill next. The functions work_...() run on the worker, or
 * on the reader thread while it waits: they ask nothing of the reader, so the head brings the
 * origin along. */
#include "model/trace/batch.h"

#include "src/base/worker.h"

struct batch_run {
    const struct slice_extra *extra;
    int64_t origin;         /* of the trace, as far as it is known */
    const char *from, *end; /* the events to work on */
    uint64_t v[];           /* all events */
};

#define FLUSH_EVENTS 256 /* between two looks at the clock */
#define FLUSH_COST 6     /* of an event, in units of work */

static void work_async(void *ctx, void *bytes) {
    const struct batch_run *run = bytes;
    const struct async_arrival *v = (const void *)run->from, *end = (const void *)run->end;
    async_take(ctx, run->extra, v, (size_t)(end - v));
}

static void work_flows(void *ctx, void *bytes) {
    const struct batch_run *run = bytes;
    const struct flow_point *v = (const void *)run->from, *end = (const void *)run->end;
    flows_take(ctx, v, (size_t)(end - v));
}

static void work_sched(void *ctx, void *bytes) {
    const struct batch_run *run = bytes;
    const struct sched_event *v = (const void *)run->from, *end = (const void *)run->end;
    sched_take(ctx, v, (size_t)(end - v), run->origin);
}

static void work_samples(void *ctx, void *bytes) {
    const struct batch_run *run = bytes;
    for (const struct batch_sample *s = (const void *)run->from; (const char *)s < run->end; s++)
        counters_add(ctx, s->process, s->name, s->id, s->argument, &s->sample);
}

static void work_instants(void *ctx, void *bytes) {
    struct unsorted *unsorted = ctx;
    const struct batch_run *run = bytes;
    for (const struct batch_instant *i = (const void *)run->from; (const char *)i < run->end; i++) {
        struct thread *t = i->thread;
        bool in_order = !t->instants_order.unsorted;
        if (t->instants.n > 0)
            time_log_list_add(&t->instants_order, t->instants.n,
                              t->instants.v[t->instants.n - 1].time, i->instant.time);
        if (in_order && t->instants_order.unsorted)
            vec_push(&unsorted->threads, t->number);
        vec_push(&t->instants, i->instant);
    }
}

static void work_occurrences(void *ctx, void *bytes) {
    struct occurrence_lists *lists = ctx;
    const struct batch_run *run = bytes;
    for (const struct occurrence *o = (const void *)run->from; (const char *)o < run->end; o++) {
        struct occurrences *list = o->kind == FXT_K_LOG ? &lists->logs : &lists->profile;
        if (list->v.n > 0)
            time_log_list_add(&list->order, list->v.n, list->v.v[list->v.n - 1].at.time,
                              o->at.time);
        vec_push(&list->v, *o);
    }
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

/* Works on the events up to `end`. later: perhaps on the worker; returns a free batch. */
static struct batch_run *work(const struct batches *batches, enum batch_kind kind, const char *end,
                              bool later) {
    struct derived *to = batches->to;
    const struct {
        void (*work)(void *ctx, void *run);
        void *ctx;
        struct time_log_array *log; /* of this thread, or NULL */
    } whose[BATCH_KINDS] = {[BATCH_ASYNC] = {work_async, &to->async.state, &to->async.input.log},
                            [BATCH_SCHED] = {work_sched, &to->sched.state, &to->sched.input.log},
                            [BATCH_FLOW] = {work_flows, &to->flows, NULL},
                            [BATCH_SAMPLE] = {work_samples, &to->counters, NULL},
                            [BATCH_INSTANT] = {work_instants, &to->unsorted, NULL},
                            [BATCH_OCCURRENCE] = {work_occurrences, &to->lists, NULL}};
    const struct batch *b = &batches->of[kind];
    struct batch_run *run = b->run;
    run->extra = batches->extra;
    run->origin = wide_diff(reader_min(batches->reader), reader_base(batches->reader), INT64_MAX);
    run->end = end;
    if (whose[kind].log)
        time_log_array_add(whose[kind].log, run->from, b->size,
                           (size_t)(end - run->from) / b->size);
    if (later)
        return worker_give(batches->extra->worker, whose[kind].work, whose[kind].ctx, run);
    whose[kind].work(whose[kind].ctx, run);
    run->from = end;
    return run;
}

static void start(struct batch *b, size_t size) {
    b->size = size;
    b->run->from = b->next = (char *)b->run->v;
    b->end = b->next + (WORKER_BUFFER_BYTES - sizeof *b->run) / size * size;
}

void batch_make_space(struct batches *batches, enum batch_kind kind, size_t size) {
    struct batch *b = &batches->of[kind];
    b->run = b->run ? work(batches, kind, b->end, true) : err_malloc(WORKER_BUFFER_BYTES);
    start(b, size);
}

bool batch_flush(struct batches *batches, struct task *task) {
    for (enum batch_kind kind = 0; kind < BATCH_KINDS; kind++) {
        struct batch *b = &batches->of[kind];
        if (b->run == NULL)
            continue;
        while (b->run->from < b->next) {
            size_t left = (size_t)(b->next - b->run->from), part = FLUSH_EVENTS * b->size;
            work(batches, kind, b->run->from + (left < part ? left : part), false);
            if (!task_spend(task, FLUSH_EVENTS * FLUSH_COST))
                return false;
        }
        start(b, b->size);
    }
    return true;
}
