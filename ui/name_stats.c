#include "ui/name_stats.h"

#define CHEAP 32 /* slices looked at for a unit of the budget: little more than memory gives */

void name_stats_free(struct name_stats *same) {
    quantiles_free(&same->quantiles);
    *same = (struct name_stats){0};
}

/* Its name; false: nothing is selected that has a length. */
static bool about(struct trace *trace, const struct selection *selection, uint32_t *of) {
    if (selection->kind != SELECTION_SLICE && selection->kind != SELECTION_ASYNC)
        return false;
    const struct slice *s = selection_slice(trace, selection);
    if (s == NULL)
        return false;
    *of = trace_packed_name(trace, s->a);
    return true;
}

static bool is_about(const struct name_stats *same, const struct trace *trace, const struct selection *selection,
                     uint32_t of) {
    return same->any && same->kind == selection->kind && same->of == of && same->version == trace_version(trace);
}

/* Those of the next n slices that belong. */
static void gather(struct name_stats *same, struct trace *trace, const struct slice *v, uint32_t n) {
    bool counts = same->kind == SELECTION_SLICE;
    same->i += n;
    for (; n > 0; n--, v++) {
        uint32_t name = event_name(v->a);
        if (name != same->of && (name != EVENT_NAME_MAX || trace_packed_name(trace, v->a) != same->of))
            continue;
        if (slice_open(v))
            continue;
        int64_t dur = slice_dur(v);
        quantiles_add(&same->quantiles, dur, 0);
        if (__builtin_add_overflow(same->total, dur, &same->total))
            same->total = INT64_MAX;
        if (counts && same->counted != same->thread + 1) {
            same->counted = same->thread + 1;
            same->threads++;
        }
    }
}

/* The next lane to look at, behind those that were; NULL: there is none. */
static const struct lane *lane_of(struct name_stats *same, struct trace *trace) {
    const struct async *async = trace_async(trace);
    for (; same->kind == SELECTION_ASYNC && same->thread < async_group_count(async); same->thread++, same->row = 0)
        if (same->row < async_group_rows(async_group(async, same->thread)))
            return async_group_row(async_group(async, same->thread), same->row);
    if (same->kind == SELECTION_ASYNC)
        return NULL;
    for (; same->thread < trace_thread_count(trace); same->thread++, same->row = 0) {
        const struct thread *t = trace_thread(trace, same->thread);
        if (!trace_thread_hidden(trace, t) && same->row < nest_rows(&t->nest))
            return nest_row(&t->nest, same->row);
    }
    return NULL;
}

static bool gather_some(struct name_stats *same, struct trace *trace, uint64_t *budget) {
    const struct lane *lane;
    while ((lane = lane_of(same, trace)) != NULL) {
        while (same->i < lane->n) {
            if (*budget == 0)
                return false;
            uint32_t n;
            const struct slice *v = lane_array(lane, same->i, &n);
            --*budget;
            *budget -= *budget < LANE_PIECE / CHEAP ? *budget : LANE_PIECE / CHEAP;
            gather(same, trace, v, n);
        }
        same->row++;
        same->i = 0;
    }
    return true;
}

bool name_stats_step(struct name_stats *same, struct trace *trace, const struct selection *selection, uint64_t budget,
                     bool *news) {
    uint32_t of;
    if (!about(trace, selection, &of))
        return false;
    if (!is_about(same, trace, selection, of)) {
        if (trace_unsettled(trace))
            return false; /* more is coming: not all again and again */
        name_stats_free(same);
        *same = (struct name_stats){.any = true, .kind = selection->kind, .of = of, .version = trace_version(trace)};
    }
    if (!same->gathered)
        same->gathered = gather_some(same, trace, &budget);
    if (!same->gathered)
        return true;
    bool before = same->quantiles.sorted, done = quantiles_step(&same->quantiles, &budget);
    *news = done && !before;
    return !done;
}

const struct name_stats *same_of(const struct name_stats *same, struct trace *trace,
                                 const struct selection *selection) {
    uint32_t of;
    return about(trace, selection, &of) && is_about(same, trace, selection, of) && same->gathered &&
                   same->quantiles.sorted
               ? same
               : NULL;
}
