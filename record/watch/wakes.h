/* wakes.h - which thread has woken which, by the kernel's event sched_waking.
 *
 * It happens on the processor of the waker, so it takes rights to events of the whole system, as
 * root has them. */
#ifndef FXTOP_WAKES_H
#define FXTOP_WAKES_H

#include "record/watch/perf_rings.h"

struct wakes {
    struct perf_rings rings; /* n is 0: there are none */
    uint64_t lost;
};

struct wake {
    uint32_t tid;   /* it is woken */
    uint32_t waker; /* 0: an interrupt, or the idle thread */
    uint32_t cpu;   /* on which it is to run */
};

/* Opens the rings, if the kernel allows it. */
void wakes_open(struct wakes *wakes);
void wakes_close(struct wakes *wakes);
bool wakes_next(struct wakes *wakes, unsigned ring, uint64_t until, struct perf_news *news);
/* Reads a record that wakes_next() found. */
struct wake wakes_read(const struct wakes *wakes, unsigned ring, const struct perf_news *news);

#endif
