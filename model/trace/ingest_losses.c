/* ingest_losses.c - the places in the file at which records were lost, their times, and the answers
 * to nests.
 *
 * Invariants [T1] to [T7]: trace.c. Times: ns relative to the reader's base. */
#include "model/trace/trace_internal.h"

#include "src/base/worker.h"

void ingest_watch_losses(struct trace *trace) {
    reader_watch(trace->reader, trace->ktrace_drop_stats, trace->timeless < trace->lost.n);
}

/* The worker asks for the losses. */
static void add_loss(struct trace *trace, struct lost lost) {
    vec_push(&trace->lost, lost);
    worker_lock(trace->slice_extra.worker);
    nest_losses_add(&trace->losses, lost.provider, lost.offset);
    worker_unlock(trace->slice_extra.worker);
}

bool ingest_lost_between(void *ctx, uint32_t writer, uint64_t from, uint64_t to) {
    const struct trace *trace = ctx;
    worker_lock(trace->slice_extra.worker);
    bool lost = nest_losses_between(&trace->losses, writer, from, to);
    worker_unlock(trace->slice_extra.worker);
    return lost;
}

void ingest_records_lost(struct trace *trace, const struct item *item) {
    const struct provider *p = item->provider;
    bool has_time = p->last_time != PROVIDER_NO_TIME;
    int64_t time = has_time ? p->last_time : 0;
    if (has_time && trace->timeless == trace->lost.n)
        trace->timeless++;
    add_loss(trace, (struct lost){item->offset, time, has_time, p->number, NO_THREAD});
    ingest_watch_losses(trace);
    problem_add(&trace->stream, PROBLEM_RECORDS_LOST, item->offset, 0, time, NO_THREAD);
}

/* Begins and complete events ktrace_drop_stats of kernel:meta: the kernel lost records
 * (SEMANTICS 5.8). */
void ingest_drop_stats(struct trace *trace, const struct item *item) {
    if (item->name != trace->ktrace_drop_stats || item->category != trace->kernel_meta)
        return;
    add_loss(trace,
             (struct lost){item->offset, item->time, true, item->provider->number, item->thread});
    trace->timeless = trace->lost.n;
    problem_add(&trace->stream, PROBLEM_RECORDS_LOST, item->offset, 1, item->time, item->thread);
}

/* Gives waiting losses the time of the next event [T6]. */
void ingest_date_losses(struct trace *trace, int64_t time) {
    for (; trace->timeless < trace->lost.n; trace->timeless++) {
        struct lost *l = &trace->lost.v[trace->timeless];
        if (!l->has_time)
            l->time = time;
        l->has_time = true;
    }
    ingest_watch_losses(trace);
}
