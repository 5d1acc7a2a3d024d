/* event_flow.c - a ring of ends of flows, and for each the next slice so far, and a ring of slices.
 *
 * Most slices are on a thread without a waiting end: a counter by hash of the thread shows that at
 * once. The slices that flows left last are in a ring, too. */
#include "src/import/chrome/event_flow.h"

static uint8_t *counter(struct event_flows *flows, uint64_t pid, uint64_t tid) {
    return &flows->threads[(pid * 31 + tid) * UINT64_C(0x9e3779b97f4a7c15) >> 56];
}

static void write_oldest(struct event_flows *flows, struct writer *w) {
    struct event_flow *f = &flows->v[flows->first];
    if (f->slice != UINT64_MAX)
        f->words[1] = f->slice;
    vec_push(&flows->written, ((struct import_mark){writer_offset(w), f->end.at}));
    writer_bytes(w, f->words, f->n);
    --*counter(flows, f->end.pid, f->end.tid);
    flows->first = (flows->first + 1) % EVENT_FLOW_WAITS;
    flows->n--;
}

/* The begin of the first slice of a thread from ts on that was seen; UINT64_MAX: none. */
static uint64_t seen_slice(const struct event_flows *flows, uint64_t pid, uint64_t tid,
                           uint64_t ts) {
    uint64_t begin = UINT64_MAX;
    for (uint64_t i = 0; i < flows->nslices && i < EVENT_FLOW_SLICES; i++) {
        const struct event_flow_slice *s = &flows->slices[i];
        if (s->tid == tid && s->pid == pid && s->ts >= ts && s->ts < begin)
            begin = s->ts;
    }
    return begin;
}

void event_flows_wait(struct event_flows *flows, struct writer *w, size_t n,
                      const struct event_flow_end *end) {
    uint64_t slice = seen_slice(flows, end->pid, end->tid, end->ts);
    struct event_flow f = {*end, slice, n, {0}};
    if (n == 0 || n > sizeof f.words)
        return;
    w->bytes.n -= n;
    memcpy(f.words, w->bytes.v + w->bytes.n, n);
    if (flows->n == EVENT_FLOW_WAITS)
        write_oldest(flows, w);
    flows->v[(flows->first + flows->n++) % EVENT_FLOW_WAITS] = f;
    ++*counter(flows, end->pid, end->tid);
}

void event_flows_slice(struct event_flows *flows, uint64_t pid, uint64_t tid, uint64_t ts) {
    flows->slices[flows->nslices++ % EVENT_FLOW_SLICES] = (struct event_flow_slice){pid, tid, ts};
    if (*counter(flows, pid, tid) == 0)
        return;
    for (size_t i = 0; i < flows->n; i++) {
        struct event_flow *f = &flows->v[(flows->first + i) % EVENT_FLOW_WAITS];
        if (f->end.pid == pid && f->end.tid == tid && ts >= f->end.ts && ts < f->slice)
            f->slice = ts;
    }
}

void event_flows_write(struct event_flows *flows, struct writer *w) {
    while (flows->n > 0)
        write_oldest(flows, w);
}

void event_flows_free(struct event_flows *flows) {
    vec_free(&flows->written);
}

static struct event_bound *find_bound(struct event_flows *flows, uint64_t id) {
    for (uint64_t i = 0; i < flows->nbound && i < EVENT_FLOW_BOUND; i++)
        if (flows->bound[i].known && flows->bound[i].id == id)
            return &flows->bound[i];
    return NULL;
}

/* Texts that are not by index cannot be kept. */
static void keep_bound(struct event_flows *flows, struct event_bound *b,
                       const struct writer_event *e, const struct event_bind *bind) {
    if (b == NULL)
        b = &flows->bound[flows->nbound++ % EVENT_FLOW_BOUND];
    *b = (struct event_bound){
        bind->id,    bind->pid, bind->tid, e->ts,
        e->category, e->name,   0,         e->category.text.s == NULL && e->name.text.s == NULL};
}

void event_flows_bind(struct event_flows *flows, struct writer *w, const struct writer_event *e,
                      const struct event_bind *bind) {
    struct event_bound *from = find_bound(flows, bind->id);
    struct writer_event point = *e;
    uint64_t id = bind->id;
    if (bind->in && from)
        point.category = from->category;
    if (bind->in && !bind->out && from && from->ends++ > 0) {
        struct writer_event begin = {.ts = from->ts,
                                     .thread = writer_intern_thread(w, from->pid, from->tid),
                                     .category = from->category,
                                     .name = from->name};
        id = (id ^ from->ts) * UINT64_C(0x9e3779b97f4a7c15) + from->ends;
        writer_flow(w, FXT_FLOW_BEGIN, &begin, id);
    }
    enum fxt_event arrives = bind->out ? FXT_FLOW_STEP : FXT_FLOW_END;
    writer_flow(w, bind->in ? arrives : FXT_FLOW_BEGIN, &point, id);
    if (bind->out)
        keep_bound(flows, from, &point, bind);
}
