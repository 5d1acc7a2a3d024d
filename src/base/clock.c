/* clock.c - asks the kernel for the time. */
#include "src/base/clock.h"

#include <time.h>

int64_t clock_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}
