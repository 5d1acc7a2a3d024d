/* clocks.h - the clocks of a trace, and times of each as those of the trace's own.
 *
 * A snapshot has the times of several clocks at one moment. The latest one that has both of two
 * clocks gives their difference. Numbers from 64 to 127 are clocks of one sequence. */
#ifndef FXTOP_CLOCKS_H
#define FXTOP_CLOCKS_H

#include "src/base/str.h"
#include "src/base/u64map.h"
#include "src/base/vec.h"

enum { CLOCKS_REALTIME = 1, CLOCKS_MONOTONIC = 3, CLOCKS_BOOTTIME = 6 };

struct clock_link { /* its time + offset is that of another clock */
    bool known;
    size_t to;
    uint64_t offset; /* modulo 2^64 */
};

struct clock_state {
    uint64_t unit; /* ns */
    bool incremental;
    uint64_t latest;              /* ns: of the snapshot, and of differences since */
    struct clock_link own, other; /* own: to the clock of the trace */
};

struct clocks {
    VEC(struct clock_state) v;
    struct u64map by_key;
    uint64_t trace; /* number of the clock of the trace */
    bool decided;   /* a snapshot was read */
};

void clocks_init(struct clocks *c);
void clocks_free(struct clocks *c);

struct clocks_wall { /* a moment by the clock of the trace and as unix time */
    bool known;
    uint64_t ns, unix_ns;
};

/* Reads a ClockSnapshot of a sequence. */
void clocks_snapshot(struct clocks *c, uint64_t sequence, struct str snapshot,
                     struct clocks_wall *wall);

/* A time of the clock in ns of the trace. False: no snapshots lead there; it stays as it is. */
bool clocks_time(struct clocks *c, uint64_t sequence, uint64_t clock, uint64_t time, uint64_t *ns);

#endif
