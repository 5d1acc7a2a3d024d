/* ticks.c - the clock of a recording. */
#include "record/ticks.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define PAIRS 8
#define MEASURE_NS 5000000 /* a pair is exact to some 10 ns: the rate to a few millionths, mostly far better */

uint64_t ticks_monotonic(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

uint64_t ticks_now(const struct ticks *t) {
#if defined(__x86_64__) || defined(__i386__)
    if (t->clock == WIRE_CLOCK_TSC)
        return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    if (t->clock == WIRE_CLOCK_CNTVCT) {
        uint64_t ticks;
        __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
        return ticks;
    }
#endif
    return ticks_monotonic();
}

/* A file's first line. */
static bool line_of(const char *path, char *line, int size) {
    FILE *f = fopen(path, "re");
    bool ok = f && fgets(line, size, f);
    if (f)
        fclose(f);
    return ok;
}

#if defined(__x86_64__) || defined(__i386__)
/* Whether all processors have the flags of a counter that runs at one rate, whatever they do. */
static bool is_steady(void) {
    char line[8192];
    bool steady = false;
    FILE *f = fopen("/proc/cpuinfo", "re");
    while (f && !steady && fgets(line, sizeof line, f))
        steady = strncmp(line, "flags", 5) == 0 && strstr(line, " constant_tsc") && strstr(line, " nonstop_tsc");
    if (f)
        fclose(f);
    return steady && line_of("/sys/devices/system/clocksource/clocksource0/current_clocksource", line, sizeof line) &&
           strcmp(line, "tsc\n") == 0;
}
#endif

void ticks_pair(struct ticks *t) {
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < PAIRS; i++) { /* the pair that was taken in the shortest time */
        uint64_t before = ticks_now(t), ns = ticks_monotonic(), after = ticks_now(t);
        if (after - before < best) {
            best = after - before;
            t->pair_ticks = before + (after - before) / 2;
            t->pair_ns = ns;
        }
    }
}

void ticks_init(struct ticks *t) {
    *t = (struct ticks){WIRE_CLOCK_MONOTONIC, 1000000000, 0, 0};
#if defined(__aarch64__)
    __asm__("mrs %0, cntfrq_el0" : "=r"(t->per_second));
    t->clock = WIRE_CLOCK_CNTVCT;
#elif defined(__x86_64__) || defined(__i386__)
    if (is_steady()) {
        t->clock = WIRE_CLOCK_TSC;
        ticks_pair(t);
        struct ticks first = *t;
        nanosleep(&(struct timespec){0, MEASURE_NS}, NULL);
        ticks_pair(t);
        uint64_t ns = t->pair_ns - first.pair_ns;
        t->per_second = (uint64_t)((double)(t->pair_ticks - first.pair_ticks) * 1e9 / (double)ns);
    }
#endif
    ticks_pair(t);
}

uint64_t ticks_of(const struct ticks *t, uint64_t ns) {
    if (t->clock == WIRE_CLOCK_MONOTONIC)
        return ns;
    double since = (double)(int64_t)(ns - t->pair_ns); /* the difference is small, and exact */
    return t->pair_ticks + (uint64_t)(int64_t)(since * (double)t->per_second / 1e9);
}
