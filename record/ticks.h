/* ticks.h - the clock of a recording: which one, its rate, and the ticks of a time of
 * CLOCK_MONOTONIC.
 *
 * The processor's counter is used if the kernel itself keeps time by it; else CLOCK_MONOTONIC in
 * ns. The rate is measured once and is not corrected later: absolute ticks times another rate would
 * jump. */
#ifndef FXTOP_TICKS_H
#define FXTOP_TICKS_H

#include <stdbool.h>

#include "provider/wire.h"

#define TICKS_TICK UINT64_C(100000000) /* ns between looks for new records */
#define TICKS_SHORTEST UINT64_C(5000000)
#define TICKS_IDLE UINT64_C(1000000000) /* if nothing came for a while */

struct ticks {
    enum wire_clock clock;
    uint64_t per_second;
    uint64_t pair_ticks, pair_ns; /* the latest pair */
};

struct ticks_wall { /* the same time by two clocks */
    uint64_t ticks, unix_ns;
};

struct ticks_pace {
    uint64_t last, bytes; /* time and size of the file at the last tick */
    unsigned quiet;       /* ticks since something came; the owner sets it to 0 */
};

/* Takes about 5 ms if the rate has to be measured. */
void ticks_init(struct ticks *ticks);
uint64_t ticks_now(const struct ticks *ticks);
/* Takes a new pair, so that ticks_of() is exact to about 0.1 us near now. */
void ticks_pair(struct ticks *ticks);
/* The ticks at a time of CLOCK_MONOTONIC, in ns. */
uint64_t ticks_of(const struct ticks *ticks, uint64_t ns);
uint64_t ticks_monotonic(void);                          /* now, in ns */
struct ticks_wall ticks_wall(const struct ticks *ticks); /* now */

/* The time from this tick to the next one, in ns. bytes: the size of the file; live: a screen
 * follows it. */
uint64_t ticks_next(struct ticks_pace *pace, uint64_t now, uint64_t bytes, bool live);

#endif
