/* ticks.c - the clock of a recording, and how often the recording looks for new records.
 *
 * While much comes, ticks are frequent. So little of a half is left when it is full, and its
 * provider gets it back soon. When nothing comes, they are rare. */
#include "record/ticks.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define PAIRS 8
/* a pair is exact to some 10 ns: the rate to a few millionths, mostly far better */
#define MEASURE_NS 5000000
#define BYTES (UINT64_C(1) << 20) /* that the file may grow by between ticks */
#define QUIET 20                  /* ticks without news, after which they are rare */

static uint64_t nanoseconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

uint64_t ticks_monotonic(void) {
    return nanoseconds(CLOCK_MONOTONIC);
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
        steady = strncmp(line, "flags", 5) == 0 && strstr(line, " constant_tsc") &&
                 strstr(line, " nonstop_tsc");
    if (f)
        fclose(f);
    return steady &&
           line_of("/sys/devices/system/clocksource/clocksource0/current_clocksource", line,
                   sizeof line) &&
           strcmp(line, "tsc\n") == 0;
}
#endif

/* The same time by two clocks: of several pairs the one that was taken in the shortest time. */
static void pair(const struct ticks *t, clockid_t clock, uint64_t *ticks, uint64_t *ns) {
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < PAIRS; i++) {
        uint64_t before = ticks_now(t), read = nanoseconds(clock), after = ticks_now(t);
        if (after - before < best) {
            best = after - before;
            *ticks = before + (after - before) / 2;
            *ns = read;
        }
    }
}

void ticks_pair(struct ticks *t) {
    pair(t, CLOCK_MONOTONIC, &t->pair_ticks, &t->pair_ns);
    if (t->clock == WIRE_CLOCK_MONOTONIC) /* the same clock */
        t->pair_ticks = t->pair_ns;
}

struct ticks_wall ticks_wall(const struct ticks *t) {
    struct ticks_wall wall = {0, 0};
    pair(t, CLOCK_REALTIME, &wall.ticks, &wall.unix_ns);
    return wall;
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

uint64_t ticks_next(struct ticks_pace *p, uint64_t now, uint64_t bytes, bool live) {
    uint64_t grown = bytes - p->bytes, took = now - p->last;
    p->last = now;
    p->bytes = bytes;
    if (++p->quiet > QUIET && !live)
        return TICKS_IDLE;
    if (grown <= BYTES || took >= TICKS_IDLE)
        return TICKS_TICK;
    uint64_t next = took * BYTES / grown;
    if (next < TICKS_SHORTEST)
        return TICKS_SHORTEST;
    return next < TICKS_TICK ? next : TICKS_TICK;
}
