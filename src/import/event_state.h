/* event_state.h - states of threads (phase T with a duration, as Perfetto reads and `--export=json` writes them) as
 * context switches and wakeups.
 *
 * A switch is written once the state that its outgoing thread goes to is known, which is when a later state begins.
 * States that are not in the order of time lose that: their threads are taken for blocked. */
#ifndef FXTOP_EVENT_STATE_H
#define FXTOP_EVENT_STATE_H

#include "src/base/u64map.h"
#include "src/base/vec.h"
#include "src/fxt/writer.h"

#define EVENT_STATE_CPUS 1024 /* states on a CPU with a higher number are left out */

struct event_state {
    uint64_t pid, tid, begin, end; /* ns */
    char name;                     /* 'R': runs if cpu >= 0, else runnable; S, T, Z, X as Perfetto's */
    int cpu;                       /* -1: not running */
};

struct event_cpu {
    uint64_t pid, tid, end; /* of its last run */
    int number;
    bool runs;
};

struct event_switch {
    uint64_t ts;
    int cpu;
    uint64_t out_pid, out_tid, in_pid, in_tid; /* 0 and 0: idle */
    unsigned out_state;
};

struct event_last { /* the last state of a thread that does not run */
    uint64_t ts;
    unsigned state;
};

struct event_states {
    VEC(struct event_cpu) cpus;
    struct u64map by_number;           /* CPU -> its place */
    VEC(struct event_switch) waiting;  /* of one time */
    VEC(struct event_last) last;
    struct u64map threads; /* hash of pid and tid -> the place in `last` */
};

void event_states_free(struct event_states *states);
void event_states_add(struct event_states *states, struct writer *w, const struct event_state *s);
void event_states_end(struct event_states *states, struct writer *w);

#endif
