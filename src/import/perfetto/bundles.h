/* bundles.h - events of the kernel in packets: FtraceEventBundle, of one CPU, through
 * kernel_events.h as all such events are.
 *
 * Bundles of CPUs follow each other, so the end of a system call may come before its begin: those
 * wait in a window until they can be put in order. */
#ifndef FXTOP_BUNDLES_H
#define FXTOP_BUNDLES_H

#include "src/import/kernel/kernel_events.h"
#include "src/import/perfetto/clocks.h"
#include "src/import/perfetto/sequence.h"

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
    const struct sequence *sequence;     /* of the packet */
    VEC(struct bundles_running) running; /* by CPU */
    VEC(struct bundles_call) calls;
};

void bundles_init(struct bundles *b, struct kernel_events *kernel, struct clocks *clocks);
void bundles_free(struct bundles *b);
/* The source ends. */
void bundles_end(struct bundles *b);
/* Reads a FtraceEventBundle of a packet of this sequence. */
void bundles_take(struct bundles *b, const struct sequence *s, struct str message);
/* A thread of a CPU gives way to another one; state: that of the kernel's flags. */
void bundles_switch(struct bundles *b, struct kernel_event *e, const struct kernel_task *prev,
                    int64_t state, const struct kernel_task *next);
/* The thread that runs on a CPU. */
struct bundles_running *bundles_on(struct bundles *b, unsigned cpu);

#endif
