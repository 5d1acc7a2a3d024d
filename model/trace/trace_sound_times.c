/* trace_sound_times.c - the first and the last time of each thread without damaged and unset ones
 * (SEMANTICS 4.7, 4.8).
 *
 * They are counted while the file is read, when no time is known to be wrong. If a thread has one
 * outside of the span, its records are read once more. A thread that has no other times keeps
 * them. */
#include "model/trace/trace_internal.h"

#define STEP (UINT64_C(16) << 10) /* bytes between two looks at the clock */
#define STEP_COST 4000            /* of them, in units of work */

struct times {
    int64_t first, last, last_counter;
};

struct again {
    struct trace *trace;
    struct reader *reader;
    struct times *times; /* by thread */
};

static bool is_outside(const struct trace *trace, const struct thread *t) {
    int64_t begin = trace_world_begin(trace, t->id.world),
            end = trace_world_end(trace, t->id.world);
    return t->events > 0 && (t->first < begin || t->last > end || t->last_counter > end);
}

bool trace_sound_times_needed(const struct trace *trace) {
    bool any = false;
    if (trace->judged.damaged.v.n == 0 && trace->judged.bulk.unset == 0)
        return false;
    for (size_t i = 0; i < trace->threads.n && !any; i++)
        any = is_outside(trace, trace->threads.v[i]);
    return any;
}

static void take_record(void *ctx, const struct item *item) {
    const struct again *again = ctx;
    struct trace *trace = again->trace;
    if (!item->is_event || item->thread == NO_THREAD || trace_damaged_at(trace, item->offset) ||
        trace_is_zero(trace, item->offset, item->time))
        return;
    uint32_t thread = threads_find(reader_threads(trace->reader),
                                   threads_id(reader_threads(again->reader), item->thread));
    if (thread >= trace->threads.n)
        return;
    struct times *t = &again->times[thread];
    int64_t *last = item->record->kind == FXT_K_COUNTER ? &t->last_counter : &t->last;
    t->first = item->time < t->first ? item->time : t->first;
    *last = item->end > *last ? item->end : *last;
}

/* Reads what the trace has read. */
static bool read_again(const struct again *again, struct task *task) {
    uint64_t end = reader_offset(again->trace->reader);
    enum reader_state state = READER_MORE;
    while (state == READER_MORE && reader_offset(again->reader) < end) {
        state = reader_step(again->reader, STEP);
        if (!task_spend(task, STEP_COST))
            return false;
    }
    return true;
}

void trace_sound_times_find(struct trace *trace, struct task *task) {
    struct again again = {.trace = trace};
    const struct sink sink = {&again, NULL, NULL, take_record, reader_ignore_problem, NULL};
    size_t n = trace->threads.n;
    again.times = err_malloc((n + 1) * sizeof *again.times);
    for (size_t i = 0; i < n; i++)
        again.times[i] = (struct times){INT64_MAX, INT64_MIN, INT64_MIN};
    again.reader = reader_again(trace->reader, &sink);
    bool done = read_again(&again, task);
    for (size_t i = 0; i < n && done; i++) {
        struct thread *t = trace->threads.v[i];
        if (again.times[i].first == INT64_MAX)
            continue;
        t->first = again.times[i].first;
        t->last = again.times[i].last;
        t->last_counter = again.times[i].last_counter;
    }
    reader_free(again.reader);
    free(again.times);
}
