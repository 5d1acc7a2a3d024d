/* sample_iter.c - goes over the instants of a thread, and looks blocked ones up in the states of
 * the thread that was sampled.
 *
 * A thread runs before it is sampled again. So the states up to the next sample hold the end of a
 * wait, and each state is read once. */
#include "model/query/stat/sample_iter.h"

#include "model/query/detail.h"
#include "src/base/lower_bound.h"
#include "src/fxt/sampled.h"

static uint32_t name_of(const struct trace *trace, struct str text) {
    return names_find(reader_names(trace_reader(trace)), text.s, text.n);
}

static bool is_one(const struct sample_iter *iter, size_t i, bool *blocked) {
    uint32_t name = trace_packed_name(iter->trace, iter->v[i].packed);
    *blocked = name == iter->blocked && name != UINT32_MAX;
    return *blocked || (name == iter->name && name != UINT32_MAX);
}

void sample_iter_init(struct sample_iter *iter, struct trace *trace, uint32_t thread,
                      const struct range *range) {
    uint32_t of = trace_sampled_thread(trace, trace_thread(trace, thread));
    bool blocked;
    *iter = (struct sample_iter){.trace = trace, .thread = thread, .range = range};
    iter->v = trace_instants(trace_thread(trace, thread), &iter->n);
    iter->name = name_of(trace, SAMPLED_INSTANT);
    iter->blocked = name_of(trace, SAMPLED_BLOCKED);
    iter->states = sched_thread(trace_sched(trace), of);
    if (!range->timed)
        return;
    lower_bound(iter->i, iter->n, k, iter->v[k].time < range->from);
    size_t before = iter->i;
    while (before > 0 && !is_one(iter, before - 1, &blocked))
        before--;
    if (before > 0)
        iter->i = before - 1;
}

/* The time at which the thread that left its CPU at `at` runs again, or ends; at most `most`. */
static int64_t runs_again(const struct sample_iter *iter, int64_t at, int64_t most) {
    const struct sched_thread *t = iter->states;
    for (uint32_t i = t ? lane_from(&t->lane, at) : 0; t && i < t->lane.n; i++) {
        struct slice s = lane_slice(&t->lane, i);
        unsigned state = t->states.v[i] & SCHED_LEFT;
        if (s.start >= most)
            return most;
        if (state == SCHED_RUNNING || state == SCHED_DEAD)
            return s.start;
    }
    return most;
}

/* The time of the next sample, or the end of the trace. */
static int64_t next_time(const struct sample_iter *iter, size_t i) {
    bool blocked;
    for (i++; i < iter->n; i++)
        if (is_one(iter, i, &blocked))
            return iter->v[i].time;
    return trace_end(iter->trace);
}

bool sample_iter_next(struct sample_iter *iter, struct sample *sample) {
    const struct range *range = iter->range;
    for (; iter->i < iter->n; iter->i++) {
        int64_t at = iter->v[iter->i].time;
        *sample = (struct sample){.at = {at, event_offset(iter->v[iter->i].packed)}};
        if (range->timed && at > range->to)
            return false;
        bool in = range_has_time(range, at);
        if (!is_one(iter, iter->i, &sample->blocked) || (!in && !sample->blocked))
            continue;
        if (sample->blocked) {
            sample->before = !in;
            sample->to = runs_again(iter, at, next_time(iter, iter->i));
            sample->from = range->timed && at < range->from ? range->from : at;
            if (range->timed && sample->to > range->to)
                sample->to = range->to;
            if (sample->to < sample->from)
                sample->to = sample->from;
            if (!in && sample->to == sample->from)
                continue;
        }
        iter->i++;
        return true;
    }
    return false;
}

bool sample_iter_of_kernel(struct trace *trace, const struct slice *frame) {
    struct detail d;
    struct detail_argument a;
    return detail_open(&d, trace, slice_offset(frame)) && detail_find(&d, "dso", &a) &&
           a.type == FXT_ARG_STRING && str_eq(a.string, STR("[kernel]"));
}
