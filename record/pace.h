/* pace.h - how long a recording waits until it looks for new records again. Times are ns. */
#ifndef FXTOP_PACE_H
#define FXTOP_PACE_H

#include <stdbool.h>
#include <stdint.h>

#define PACE_TICK UINT64_C(100000000)
#define PACE_SHORTEST UINT64_C(5000000)
#define PACE_IDLE UINT64_C(1000000000) /* if nothing came for a while */

struct pace {
    uint64_t last, bytes; /* time and size of the file at the last tick */
    unsigned quiet;       /* ticks since something came; the owner sets it to 0 */
};

/* The time from this tick to the next one. bytes: the size of the file; live: a screen follows it. */
uint64_t pace_next(struct pace *pace, uint64_t now, uint64_t bytes, bool live);

#endif
