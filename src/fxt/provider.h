/* provider.h - the writers of a trace: their string and thread tables, and their clocks.
 *
 * The reader owns the providers. Records before the first provider belong to the implicit provider
 * (SEMANTICS 3.4). */
#ifndef FXTOP_PROVIDER_H
#define FXTOP_PROVIDER_H

#include <stdbool.h>

#include "src/base/str.h"
#include "src/base/wide.h"
#include "src/fxt/index_table.h"

/* ns: the difference of two such times cannot overflow */
#define TIME_BRIEF ((UINT64_C(1) << 61) - 1)

struct clock {
    uint64_t tps;   /* ticks per second; never 0 */
    uint64_t whole; /* ns per tick, rounded down */
    uint64_t part;  /* and the rest of it, in 2^-64 ns, rounded down */
    uint64_t brief; /* the most ticks that are at most TIME_BRIEF ns, or less */
};

/* ticks * 10^9 / tps, rounded down, if they are not more than the clock allows (SEMANTICS 4.2). The
 * product with `part` is less than 1 too small, and so is its rounding: the rest decides whether 1
 * is missing. */
static inline uint64_t clock_ns(const struct clock *c, uint64_t ticks) {
    uint64_t ns = ticks * c->whole;
    if (c->part != 0) {
        ns += wide_high(ticks, c->part);
        ns += ticks * 1000000000 - ns * c->tps >= c->tps;
    }
    return ns;
}

#define PROVIDER_NO_TIME INT64_MIN /* no event has this time: it is out of range */

struct provider {
    uint32_t number; /* in the order of the file; 0 is the implicit provider */
    uint32_t id;
    uint32_t part;   /* of the file */
    uint16_t world;  /* that ids are of (threads.h) */
    uint32_t shared; /* the implicit provider of its part, whose tables it shares */
    struct str name; /* owned */
    uint64_t offset; /* of the first record that introduced or mentioned it, in bytes */
    bool declared;   /* a provider info record introduced it */
    bool implicit;
    bool passed; /* its events are passed over (reader_only()) */
    struct index_table strings; /* value: name id + 1 */
    struct index_table threads; /* value: thread number + 1 */
    struct clock clock;
    /* ticks of the earliest event that reader_fast.c took at this rate, in the core; UINT64_MAX:
     * none */
    uint64_t earliest;
    uint64_t records;
    int64_t last_time; /* the end of its last event; PROVIDER_NO_TIME: it has no event */
};

#endif
