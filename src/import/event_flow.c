/* event_flow.c - a ring of ends of flows, and for each the next slice so far.
 *
 * Most slices are on a thread without a waiting end: a counter by hash of the thread shows that at once. The slices
 * that flows left last are in a ring, too. */
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

static struct event_bound *find_bound(struct event_flows *flows, uint64_t id) {
    for (uint64_t i = 0; i < flows->nbound && i < EVENT_FLOW_BOUND; i++)
        if (flows->bound[i].id == id)
            return &flows->bound[i];
    return NULL;
}

void event_flows_leave(struct event_flows *flows, const struct event_bound *slice) {
    struct event_bound *b = find_bound(flows, slice->id);
    if (b == NULL)
        b = &flows->bound[flows->nbound++ % EVENT_FLOW_BOUND];
    *b = *slice;
}

void event_flows_enter(struct event_flows *flows, struct writer *w, const struct writer_event *e, uint64_t id) {
    struct event_bound *b = find_bound(flows, id);
    struct writer_event end = *e;
    if (b) /* the id is of all categories, that of FXT of one */
        end.category = b->category;
    if (b && b->ends++ > 0) {
        struct writer_event begin = {
            .ts = b->ts, .thread = writer_intern_thread(w, b->pid, b->tid), .category = b->category, .name = b->name};
        id = (id ^ b->ts) * UINT64_C(0x9e3779b97f4a7c15) + b->ends;
        writer_flow(w, FXT_FLOW_BEGIN, &begin, id);
    }
    writer_flow(w, FXT_FLOW_END, &end, id);
}
