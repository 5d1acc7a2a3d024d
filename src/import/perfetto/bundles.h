/* bundles.h - events of the kernel in packets: FtraceEventBundle, of one CPU, through
 * kernel_events.h as all such events are.
 *
 * Bundles of CPUs follow each other, so the end of a system call may come before its begin: those
 * wait in a window until they can be put in order. */
#ifndef FXTOP_BUNDLES_H
#define FXTOP_BUNDLES_H

#include "src/import/kernel/kernel_events.h"
#include "src/import/perfetto/clocks.h"

struct bundles_call { /* a begin or an end of a system call */
    uint64_t ts, tid;
    int64_t number, ret;
    struct import_place at;
    bool ends;
};

struct bundles_running { /* the thread on a CPU */
    bool known;
    uint64_t tid;
};

struct bundles {
    struct kernel_events *kernel;
    struct clocks *clocks;
    VEC(struct bundles_running) running; /* by CPU */
    VEC(struct bundles_call) calls;
};

void bundles_init(struct bundles *b, struct kernel_events *kernel, struct clocks *clocks);
void bundles_free(struct bundles *b);
/* The source ends. */
void bundles_end(struct bundles *b);
/* Reads a FtraceEventBundle. */
void bundles_take(struct bundles *b, struct str message);

#endif
