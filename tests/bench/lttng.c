/* lttng.c - instants of LTTng-UST, measured as macros.c measures ours: best of ROUNDS rounds of
 * EVENTS events.
 *
 * recording.sh builds it if lttng-ust is installed. lttng_events.h has its tracepoints. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "tests/bench/lttng_events.h"

#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum { EVENTS = 20000, ROUNDS = 12 };

#define ROW(name, ...)                                                                             \
    static void name(void) {                                                                       \
        for (int i = 0; i < EVENTS; i++) {                                                         \
            __VA_ARGS__;                                                                           \
            __asm__ volatile("" : "+r"(i));                                                        \
        }                                                                                          \
    }

ROW(row_nothing, (void)0)
ROW(row_0, lttng_ust_tracepoint(fxtop_bench, instant))
ROW(row_1, lttng_ust_tracepoint(fxtop_bench, instant_1, i))
ROW(row_4, lttng_ust_tracepoint(fxtop_bench, instant_4, i, i, i, i))

static uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static double best_of(void (*run)(void)) {
    double best = 1e9;
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t from = now_ns();
        run();
        double ns = (double)(now_ns() - from) / EVENTS;
        best = ns < best ? ns : best;
        nanosleep(&(struct timespec){0, 120000000}, NULL);
    }
    return best;
}

int main(void) {
    double loop = best_of(row_nothing);
    printf("LTTng-UST: instant %36.2f ns\n", best_of(row_0) - loop);
    printf("LTTng-UST: instant, 1 int %29.2f ns\n", best_of(row_1) - loop);
    printf("LTTng-UST: instant, 4 int %29.2f ns\n", best_of(row_4) - loop);
    return 0;
}
