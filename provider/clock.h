/* clock.h - the clock of events: ticks of the processor's counter, or of CLOCK_MONOTONIC, as the
 * manager decided. */
#ifndef FXTTRACE_CLOCK_H
#define FXTTRACE_CLOCK_H

#include <stdint.h>
#include <time.h>

#include "provider/wire.h"

static inline uint64_t clock_monotonic(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static inline uint64_t clock_ticks(unsigned clock) {
#if defined(__x86_64__) || defined(__i386__)
    if (clock == WIRE_CLOCK_TSC)
        return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    if (clock == WIRE_CLOCK_CNTVCT) {
        uint64_t ticks;
        __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
        return ticks;
    }
#endif
    (void)clock;
    return clock_monotonic();
}

/* The time of day in so many ms, as pthread_cond_timedwait() wants it. */
static inline struct timespec clock_in_ms(long ms) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec += ms * 1000000;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

#endif
