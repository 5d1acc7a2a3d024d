/* trace_mend.c - nests the threads again that have a damaged or unset time, and joins operations
 * again (SEMANTICS 4.7, 4.8).
 *
 * Both take events by time, so one that is wrong closes, or leaves open, slices around it. A look
 * at the whole file finds such times. Then damaged slices and operations are set apart: begins and
 * ends are matched in file order, and all others are as if these were not there. It is a task, like
 * a flush. If a file is in no order, the rows alone change. The threads' first
 * and last times are found, too (trace_sound_times.c). */
#include "model/trace/trace_internal.h"

#define THREAD_COST 8 /* of a thread that is looked at, in units of work */

static bool record_is_wrong(const void *ctx, uint64_t offset, int64_t time) {
    const struct trace *trace = ctx;
    return (trace_damaged_at(trace, offset) || trace_is_zero(trace, offset, time)) &&
           !trace_is_unordered(trace, trace_record_file(trace, offset));
}

static bool time_before(const void *ctx, uint64_t offset, int64_t *time) {
    return trace_damaged_before(ctx, offset, time);
}

static bool slice_is_damaged(const void *ctx, const struct slice *s) {
    return trace_damaged_by_time(ctx, s);
}

/* ---- which threads ---- */

static bool of_operation(enum fxt_kind kind) {
    return kind == FXT_K_ASYNC_BEGIN || kind == FXT_K_ASYNC_END;
}

static bool of_nest(enum fxt_kind kind) {
    return kind >= FXT_K_DURATION_BEGIN && kind <= FXT_K_DURATION_COMPLETE;
}

/* Marks the threads of damaged begins, ends and complete events. Returns whether one is of an
 * operation. */
static bool mark_damaged(struct trace *trace, bool *marked) {
    const struct damaged *damaged = &trace->judged.damaged;
    bool operations = false;
    for (size_t i = 0; i < damaged->v.n; i++) {
        struct fxt_record r;
        struct provider *p;
        uint64_t offset = damaged->v.v[i].offset;
        if (!reader_record_at(trace->reader, offset, &r, &p))
            continue;
        operations = operations || of_operation(r.kind);
        if (!of_nest(r.kind))
            continue;
        uint32_t thread = trace_record_thread(trace, &r, p, offset);
        if (thread < trace->threads.n)
            marked[thread] = true;
    }
    return operations;
}

/* Whether a thread has a begin or an end at an unset time, or lasts from one. */
static bool has_unset(const struct trace *trace, const struct nest *nest) {
    for (size_t i = 0; i < nest->strays.n; i++)
        if (trace_is_zero(trace, nest->strays.v[i].offset, nest->strays.v[i].time))
            return true;
    for (uint32_t row = 0; row < nest_rows(nest); row++) {
        const struct lane *lane = nest_row(nest, row);
        for (uint32_t i = 0; i < lane->n && lane_start(lane, i) <= trace->judged.bulk.unset_to;
             i++) {
            const struct slice *s = lane_at(lane, i);
            bool pair = !(slice_flags(s) & SLICE_COMPLETE) &&
                        trace_is_zero(trace, slice_offset(s), s->start);
            if (pair || trace_damaged_by_time(trace, s))
                return true;
        }
    }
    return false;
}

/* Lists the threads of the latest look, and those of the one before, which may be sound now. */
static void list_threads(struct trace *trace) {
    struct mend *mend = &trace->mend;
    bool *marked = err_calloc(trace->threads.n + 1, sizeof *marked);
    trace_times_judge(trace);
    for (size_t i = 0; i < mend->threads.n; i++)
        marked[mend->threads.v[i]] = true;
    mend->operations = mark_damaged(trace, marked) || trace->judged.bulk.unset > 0 ||
                       trace->derived.async.state.apart > 0;
    trace->derived.async.state.judged = false;
    mend->threads.n = 0;
    for (uint32_t k = 0; k < trace->threads.n; k++)
        if (marked[k] ||
            (trace->judged.bulk.unset > 0 && has_unset(trace, &trace->threads.v[k]->nest)))
            vec_push(&mend->threads, k);
    free(marked);
    mend->anew = 0;
    mend->times = trace_sound_times_needed(trace);
    mend->looked_at = trace->judged.damaged.looked_at;
}

/* ---- the task ---- */

static void set_apart(struct task *task, void *ctx) {
    struct trace *trace = ctx;
    struct mend *mend = &trace->mend;
    const struct slice_damage damage = {record_is_wrong, time_before, slice_is_damaged, trace};
    for (size_t i = 0; i < mend->threads.n; i++) {
        struct nest *nest = &trace->threads.v[mend->threads.v[i]]->nest;
        bool as_known = nest->apart != NEST_NO_ROW && i < mend->anew;
        if (!as_known && !nest_waiting(nest) &&
            !nest_set_apart(nest, &trace->slice_extra, &damage, task))
            return;
        mend->anew = i + 1 > mend->anew ? i + 1 : mend->anew;
        if (!task_spend(task, THREAD_COST))
            return;
    }
    if (mend->operations && !trace->derived.async.state.judged &&
        !async_set_apart(&trace->derived.async, &trace->slice_extra, &damage, task))
        return;
    if (mend->times)
        trace_sound_times_find(trace, task);
    mend->times = false;
}

static bool is_anew(const struct trace *trace) {
    return trace->mend.looked_at != trace->judged.damaged.looked_at;
}

bool trace_mend(struct trace *trace, struct task *task) {
    struct mend *mend = &trace->mend;
    if (mend->task == NULL) {
        if (is_anew(trace))
            list_threads(trace);
        if (mend->threads.n == 0 && !mend->operations && !mend->times)
            return true;
        mend->task = task_new(&mend->tasks, set_apart, trace);
    }
    if (!task_step(mend->task, task))
        return false;
    task_free(mend->task);
    mend->task = NULL;
    return true;
}

void trace_mend_clear(struct trace *trace) {
    task_free(trace->mend.task);
    vec_free(&trace->mend.threads);
    trace->mend = (struct mend){.tasks = trace->mend.tasks};
}
