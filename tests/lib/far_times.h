/* far_times.h - the property of SEMANTICS 4.5: a few timestamps at far times leave the first
 * picture as it was.
 *
 * Up to 8 timestamps of a trace are replaced by times more than ten of its lengths away: of events
 * of any kind, and ends of complete events. Then the window, the slices and the lines of all other
 * threads must be the same. Following the file in small steps must find the same times. */
#ifndef FXTOP_FAR_TIMES_H
#define FXTOP_FAR_TIMES_H

#include <stdbool.h>

#include "tests/lib/chance.h"

struct far_times {
    unsigned rounds, replaced; /* so far */
    char why[400];             /* what differs */
};

/* Damages the trace so many times, and compares. True also if the trace is too short, or has far
 * times already. */
bool far_times_hold(struct far_times *far, const char *path, struct chance *chance,
                    unsigned rounds);

#endif
