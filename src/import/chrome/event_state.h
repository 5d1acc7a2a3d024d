/* event_state.h - states of threads (phase T with a duration, as Perfetto reads and `--export=json`
 * writes them) as context switches and wakeups.
 *
 * The order of the source means nothing: states are kept until it ends, and are then taken by
 * time. While a source is still written they are taken as they come, but for the latest time. A
 * state that does not end a run is a wakeup with the argument "state". The record also has what the
 * thread waits for. The record of a state that is marked as damaged is damaged; a priority of a
 * switch names which of its two states are.
 */
#ifndef FXTOP_EVENT_STATE_H
#define FXTOP_EVENT_STATE_H

#include "src/base/map.h"
#include "src/base/u64map.h"
#include "src/base/vec.h"
#include "src/fxt/fxt.h"
#include "src/fxt/writer.h"
#include "src/import/chrome/event_fields.h"
#include "src/import/chrome/event_overlap.h"
#include "src/import/json/json_scan.h"

#define EVENT_STATE_CPUS 1024 /* states on a CPU with a higher number are left out */

#define EVENT_STATE_LETTERS 4 /* of the name of a state, with its NUL */

struct event_state {
    uint64_t pid, tid, begin, end;                /* ns; an end may be FXT_NO_END */
    struct str name;                              /* R, S, D, T, Z, X as Perfetto has them */
    int cpu;                                      /* of a running thread, else -1 */
    const struct event_value *io_wait, *function; /* its arguments, or NULL */
    bool marked;                                  /* as damaged */
    struct import_place at;                       /* in the source */
    unsigned char begin_unit, end_unit;           /* as of its span */
};

/* The reason of a wait. */
struct event_wait {
    char letters[EVENT_STATE_LETTERS]; /* of a state that is blocked by another name; empty: none */
    unsigned char io;                  /* 0: not known, 1: no, 2: yes */
    uint32_t function;                 /* its place in `functions`, + 1; 0: none */
};

/* How a thread is that does not run. */
struct event_stop {
    unsigned state;
    size_t from; /* its place in `held`, + 1; 0: none */
};

/* A state until it is taken, and for the comparison with later ones. */
struct event_held {
    struct event_span span; /* its thread: the place in `last` */
    uint64_t pid, tid;
    struct event_wait wait; /* of a state that is no run */
    char letter;            /* R, S, T, Z or X */
    bool marked;            /* as damaged */
    uint16_t place;         /* of the CPU of a run */
};

struct event_cpu {
    uint64_t end;    /* of its last run */
    uint32_t thread; /* of it */
    int number;
    bool runs, stopped;
    struct event_stop stop; /* the state of its thread after it, if it has stopped */
    size_t run;             /* its place in `held`, + 1 */
    size_t latest;          /* the same of the latest run that is not damaged; 0: none */
};

struct event_switch {
    uint64_t ts;
    int cpu;
    uint32_t out, in;       /* threads; 0: idle */
    struct event_stop stop; /* of the outgoing thread */
    size_t
        run; /* as above: the run that begins; before idle time, which is not marked, that before */
    bool idles;
};

struct event_last { /* the last state of a thread that does not run */
    uint64_t pid, tid, ts;
    struct event_stop stop;
    uint64_t ran;  /* the CPU of its last run, by its place, + 1; 0: none */
    size_t latest; /* the latest state: its place in `held`, + 1; 0: none */
};

struct event_written { /* a record: its offset in the words, and the state that it is made of */
    uint64_t words;
    struct import_place at;
    bool marked;
};

struct event_states {
    VEC(struct event_held) held;
    size_t taken; /* the first ones of them */
    bool late;    /* another one began before one that came earlier */
    VEC(struct event_cpu) cpus;
    uint16_t by_number[EVENT_STATE_CPUS]; /* the place of each, + 1; 0: none */
    VEC(struct event_switch) waiting;     /* of one time */
    VEC(struct event_last) last;          /* the first one is the idle thread */
    size_t asked;          /* the place in there of the thread that was asked for last */
    struct u64map threads; /* hash of pid and tid -> the place in `last` */
    VEC(struct str) functions;
    struct map by_text; /* places in `functions` */
    size_t bytes;       /* of them */
    uint64_t until;     /* the last end of a state */
    uint32_t until_thread;
    VEC(struct event_written) written; /* since the caller took them */
    struct event_overlaps overlaps;
};

void event_states_free(struct event_states *states);
void event_states_add(struct event_states *states, const struct event_state *s);
/* Writes the states so far, but for those that begin last. */
void event_states_write(struct event_states *states, struct writer *w);
/* Bytes of memory that they take. */
static inline uint64_t event_states_bytes(const struct event_states *states) {
    return states->held.n * sizeof *states->held.v;
}

/* Writes all. latest: the last time of the other events. */
void event_states_end(struct event_states *states, struct writer *w, uint64_t latest);

#endif
