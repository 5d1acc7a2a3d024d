/* ticks.h - the clock of a recording: which one, its rate, and the ticks of a time of CLOCK_MONOTONIC.
 *
 * The processor's counter is used if the kernel itself keeps time by it; else CLOCK_MONOTONIC in ns. The rate is
 * measured once and is not corrected later: absolute ticks times another rate would jump. */
#ifndef FXTOP_TICKS_H
#define FXTOP_TICKS_H

#include "provider/wire.h"

struct ticks {
    enum wire_clock clock;
    uint64_t per_second;
    uint64_t pair_ticks, pair_ns; /* the latest pair */
};

/* Takes about 5 ms if the rate has to be measured. */
void ticks_init(struct ticks *ticks);
uint64_t ticks_now(const struct ticks *ticks);
/* Takes a new pair, so that ticks_of() is exact to about 0.1 us near now. */
void ticks_pair(struct ticks *ticks);
/* The ticks at a time of CLOCK_MONOTONIC, in ns. */
uint64_t ticks_of(const struct ticks *ticks, uint64_t ns);
uint64_t ticks_monotonic(void); /* now, in ns */

#endif
