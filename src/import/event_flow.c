/* event_flow.c - a ring of ends of flows, and for each the next slice so far.
 *
 * Most slices are on a thread without a waiting end: a counter by hash of the thread shows that at once. */
#include "src/import/event_flow.h"

static uint8_t *counter(struct event_flows *flows, uint64_t pid, uint64_t tid) {
    return &flows->threads[(pid * 31 + tid) * UINT64_C(0x9e3779b97f4a7c15) >> 56];
}

static void write_oldest(struct event_flows *flows, struct writer *w) {
    const struct event_flow *f = &flows->v[flows->first];
    struct writer_event e = {.ts = f->slice != UINT64_MAX ? f->slice : f->ts,
                             .thread = writer_intern_thread(w, f->pid, f->tid),
                             .category = f->category,
                             .name = f->name};
    writer_flow(w, FXT_FLOW_END, &e, f->id);
    --*counter(flows, f->pid, f->tid);
    flows->first = (flows->first + 1) % EVENT_FLOW_WAITS;
    flows->n--;
}

void event_flows_wait(struct event_flows *flows, struct writer *w, const struct event_flow *end) {
    if (flows->n == EVENT_FLOW_WAITS)
        write_oldest(flows, w);
    flows->v[(flows->first + flows->n++) % EVENT_FLOW_WAITS] = *end;
    ++*counter(flows, end->pid, end->tid);
}

void event_flows_slice(struct event_flows *flows, uint64_t pid, uint64_t tid, uint64_t ts) {
    if (*counter(flows, pid, tid) == 0)
        return;
    for (size_t i = 0; i < flows->n; i++) {
        struct event_flow *f = &flows->v[(flows->first + i) % EVENT_FLOW_WAITS];
        if (f->pid == pid && f->tid == tid && ts >= f->ts && ts < f->slice)
            f->slice = ts;
    }
}

void event_flows_write(struct event_flows *flows, struct writer *w) {
    while (flows->n > 0)
        write_oldest(flows, w);
}
