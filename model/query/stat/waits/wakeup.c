/* wakeup.c - which thread woke a thread.
 *
 * A wakeup record names the waker in its argument. Traces without such records may have a flow for
 * each wakeup: it arrives at the very time at which the thread leaves its state. */
#include "model/query/stat/waits/wakeup.h"

#include "model/query/detail.h"
#include "src/base/lower_bound.h"

#define POINTS_TRIED 16 /* points of a thread at one time */

static bool by_record(struct trace *trace, const struct sched_thread *t, uint32_t i,
                      struct wakeup *wakeup) {
    const struct slice *s = lane_at(&t->lane, i);
    struct detail d;
    struct detail_argument a;
    if (!sched_woken(t, i) || !detail_open(&d, trace, slice_offset(s)) ||
        !detail_find(&d, "waker", &a) || a.type != FXT_ARG_KOID)
        return false;
    uint16_t world = trace_thread(trace, t->thread)->id.world;
    *wakeup = (struct wakeup){s->start, trace_koid_thread(trace, world, a.bits), a.bits};
    return true;
}

static bool by_flow(const struct trace *trace, const struct sched_thread *t, uint32_t i,
                    struct wakeup *wakeup) {
    const struct flows *flows = trace_flows(trace);
    int64_t at = lane_start(&t->lane, i);
    size_t n, first = 0;
    const uint32_t *points = flow_points_on(flows, t->thread, &n);
    if (i == 0 || sched_state(t, i - 1) == SCHED_RUNNING)
        return false;
    lower_bound(first, n, k, flow_time(flows, points[k]) < at);
    for (size_t k = first; k < n && k < first + POINTS_TRIED && flow_time(flows, points[k]) == at;
         k++) {
        uint32_t from = flow_link(flows, points[k])->before;
        if (from == NO_POINT || flow_thread(flows, from) == t->thread ||
            trace_damaged_point(trace, from))
            continue;
        *wakeup = (struct wakeup){flow_time(flows, from), flow_thread(flows, from), 0};
        return true;
    }
    return false;
}

bool wakeup_of(struct trace *trace, const struct sched_thread *t, uint32_t i,
               struct wakeup *wakeup) {
    return i < t->lane.n && (by_record(trace, t, i, wakeup) || by_flow(trace, t, i, wakeup));
}
