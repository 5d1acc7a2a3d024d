/* since.h - how long something has taken, and its begin in ticks.
 *
 * The manager of a session chooses the clock of its ticks. Before a session begins, and in a child of
 * fork() before its first event, time is that of CLOCK_MONOTONIC. */
#ifndef FXTTRACE_SINCE_H
#define FXTTRACE_SINCE_H

#include <stdbool.h>
#include <stdint.h>

#include "provider/clock.h"
#include "provider/lib/trace/event.h"
#include "provider/write.h"

struct since {
    uint64_t at;         /* ticks; without a session: ns */
    uint32_t generation; /* the session; 0: nothing is recorded */
};

static inline bool since_has_session(uint32_t generation) {
    return (int32_t)generation > 0 && generation != WRITE_FORKED;
}

static inline struct since since_now(void) {
    uint32_t generation = __atomic_load_n(&fxttrace_generation, __ATOMIC_ACQUIRE);
    if (generation == 0)
        return (struct since){0, 0};
    bool ticks = since_has_session(generation);
    return (struct since){ticks ? fxttrace_ticks() : clock_monotonic(), generation};
}

/* Whether it has taken so many ns, and its begin in ticks. A child of fork() connects only then, if
 * the category is recorded. False: not, or its session has ended. A late session is waited for;
 * events that it misses are counted as others are. */
bool since_begin(struct since since, uint64_t ns, const char *category, uint64_t *begin);

#endif
