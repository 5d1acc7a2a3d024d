/* wakes.c - which thread has woken which. */
#include "record/watch/wakes.h"

#include <string.h>

#include "record/watch/tracepoints.h"

#define RING (2u << 20) /* bytes; it has the wakeups of all processes */
/* of the flags of an event: in an interrupt, a deferred one, and one that cannot be masked */
#define INTERRUPTS (0x08 | 0x10 | 0x40)

void wakes_open(struct wakes *w) {
    uint64_t number;
    bool memory;
    if (tracepoints_find("sched/sched_waking", &number) != 0)
        return;
    const struct perf_event_attr a = tracepoints_attributes(number);
    perf_rings_open(&w->rings, &a, RING, PERF_RINGS_ALL, &memory);
}

void wakes_close(struct wakes *w) {
    if (w->rings.n > 0)
        perf_rings_close(&w->rings);
    *w = (struct wakes){.lost = 0};
}

bool wakes_next(struct wakes *w, unsigned ring, uint64_t until, struct perf_news *news) {
    return perf_rings_news(&w->rings, &w->rings.v[ring], until, news);
}

struct wake wakes_read(const struct wakes *w, unsigned ring, const struct perf_news *news) {
    struct {
        uint64_t head[4]; /* IDENTIFIER, TID, TIME, CPU */
        uint32_t size;
        unsigned char bytes[36];
    } r;
    struct perf_event_header h;
    uint32_t tid, cpu;
    memset(&r, 0, sizeof r);
    perf_rings_copy(&w->rings, &w->rings.v[ring], news->at, &h, sizeof h);
    size_t n = h.size - sizeof h;
    perf_rings_copy(&w->rings, &w->rings.v[ring], news->at + sizeof h, &r,
                    n < sizeof r ? n : sizeof r);
    memcpy(&tid, r.bytes + 24, sizeof tid); /* the offsets of its format */
    memcpy(&cpu, r.bytes + 32, sizeof cpu);
    bool interrupt = r.bytes[2] & INTERRUPTS;
    return (struct wake){tid, interrupt ? 0 : news->tid, cpu};
}
