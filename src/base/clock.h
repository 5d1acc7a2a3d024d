/* clock.h - the time between two moments. */
#ifndef FXTOP_CLOCK_H
#define FXTOP_CLOCK_H

#include <stdint.h>

int64_t clock_now(void); /* CLOCK_MONOTONIC, ns */

#endif
