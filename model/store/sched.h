/* sched.h - scheduling: intervals of CPUs and states of threads (SEMANTICS 10).
 *
 * Both are lanes, so that windows are asked as of slices, with a parallel array of what a slice
 * cannot hold. For a CPU that is enum sched_flag with the state the thread left in; the slice has
 * the thread as its name. Its offset is that of the switch at its begin; for SCHED_FIRST, at its
 * end. For a thread it is enum sched_state, with SCHED_WOKEN if a wakeup made it. The offset is
 * that of the record that made it. The last slice of each lane has no end.
 *
 * Times: ns relative to the reader's base; a slice from before the first event begins at that
 * event. Valid until the next trace_step(). */
#ifndef FXTOP_SCHED_H
#define FXTOP_SCHED_H

#include "model/store/lane.h"
#include "model/store/problem.h"
#include "model/store/time_log.h"
#include "model/store/world.h"
#include "src/base/u64map.h"
#include "src/base/vec.h"
#include "src/fxt/threads.h"

enum sched_state { /* as outgoing states are numbered; others by number */
                   SCHED_NEW = 0,
                   SCHED_RUNNABLE = 1,
                   SCHED_SUSPENDED = 2,
                   SCHED_BLOCKED = 3,
                   SCHED_DYING = 4,
                   SCHED_DEAD = 5,
                   SCHED_UNKNOWN = 15, /* the recorder saw no more of the thread */
                   SCHED_RUNNING = 16, /* beyond the four bits of an outgoing state */
};

enum sched_flag {
    SCHED_LEFT = 0x1f,      /* low bits: the state it left in, when SCHED_KNOWN */
    SCHED_KNOWN = 1 << 5,   /* the switch at its end took out this thread */
    SCHED_OF_IDLE = 1 << 6, /* the idle thread; also of its states while it runs and after it */
    SCHED_FIRST = 1 << 7,   /* the CPU's first: it ran since the trace began */
    SCHED_WOKEN = 1 << 5,   /* of a thread's state */
    /* of a thread's state: its begin or end is damaged, so it is not known (SEMANTICS 4.7) */
    SCHED_DAMAGED = 1 << 7,
};

/* entry: its offset is a sched_mark(), its value the sched_pair() of its threads. */
struct sched_event {
    struct time_log_entry entry;
    uint32_t out_as, in_as; /* the full threads of both: sched_stand(); out_as: of switches */
};

/* The word of a record [27..63] and its plain_sched(). */
static inline uint64_t sched_mark(uint64_t offset, uint64_t plain) {
    return offset << (PLAIN_SCHED_BITS - 3) | plain;
}

/* The outgoing thread, 0 of a wakeup, and the incoming one: numbers below 256 make a small one, for
 * the packed log. */
static inline uint64_t sched_pair(uint32_t out, uint32_t in) {
    return (out & 0xff) | (in & 0xff) << 8 | (uint64_t)(out >> 8) << 16 | (uint64_t)(in >> 8) << 40;
}

static inline uint32_t sched_pair_out(uint64_t pair) {
    return (uint32_t)((pair & 0xff) | (pair >> 8 & 0xffffff00));
}

static inline uint32_t sched_pair_in(uint64_t pair) {
    return (uint32_t)((pair >> 8 & 0xff) | (pair >> 32 & 0xffffff00));
}

struct sched_run {
    uint32_t thread;
    uint8_t flags;
};

struct sched_cpu {
    uint16_t number, world; /* world: that it is a CPU of */
    bool running;           /* the last of its lane is open */
    uint32_t thread;        /* of it */
    struct lane lane;       /* the names of its slices are numbers of threads */
    VEC(uint8_t) flags;     /* of each of them */
    struct u64map threads;  /* of slices whose name does not hold their thread, by number */
    bool idles;             /* one of them is of the idle thread */
    struct lane busy;       /* if so, the slices of other threads; else empty: see sched_busy() */
};

enum sched_sum {
    SCHED_RAN, /* not as the idle thread */
    SCHED_WAITED,
    SCHED_WAS_BLOCKED,
    SCHED_WAS_SUSPENDED,
    SCHED_WAS_DEAD,
    SCHED_WAS_UNKNOWN,
    SCHED_SUMS
};

struct sched_sums { /* time by state, in ns, modulo 2^64 */
    uint64_t of[SCHED_SUMS];
};

#define SCHED_LIFE_BLOCK 32u /* states in a block */

struct sched_death {
    uint64_t state; /* dead, or the state that replaced it */
    uint64_t word;  /* of the record */
};

struct sched_life {                /* sched_life.h */
    VEC(struct sched_sums) blocks; /* per block of states: the sums of those before it */
    struct sched_sums sums;        /* of all states but the last */
    VEC(struct sched_death) deaths;
    uint32_t dying;      /* the first dying state after the thread ran last, + 1; 0: none */
    uint64_t dying_word; /* of the record of that */
    uint32_t ran; /* that in which it ran last, if no life ended later in its time, + 1; or 0 */
};

struct sched_thread {
    uint32_t thread;
    struct lane lane;
    VEC(uint8_t) states; /* of each of its slices, with flags */
    struct sched_life life;
};

/* The part that the reader thread fills. */
struct sched_input {
    struct time_log_array log;
    VEC(uint32_t) stands_for; /* thread number -> its full thread; NO_THREAD: not in the log */
};

/* Intervals and states, derived from the log. */
struct sched_derived {
    struct time_log time_log;
    VEC(struct sched_cpu *) cpus; /* in the order of their first records */
    const struct worlds *worlds;  /* or NULL: all is of world 0 */
    uint32_t *by_number;          /* 65536 of each world, place + 1; NULL while there is none */
    VEC(struct sched_thread *) threads;
    VEC(uint32_t) by_thread; /* thread number -> place + 1 */
    struct problems problems;
    int64_t begins;         /* the earliest event: threads that ran from the start ran from there */
    const int64_t *origins; /* the same of each world; or NULL */
    uint64_t origins_known; /* a hash of these when all was derived with them; 0: it was not */
};

struct sched {
    struct sched_input input;
    char apart[64]; /* so that no cache line is in it and in the rest, which the worker fills */
    struct sched_derived state;
};

void sched_free(struct sched *sched);
/* The full thread of a number when it was first seen, or at the latest sched_flush(). */
uint32_t sched_stand_first(struct sched_input *sched, uint32_t thread,
                           uint32_t (*stands_for)(const void *ctx, uint32_t thread),
                           const void *ctx);
static inline uint32_t sched_stand(struct sched_input *sched, uint32_t thread,
                                   uint32_t (*stands_for)(const void *ctx, uint32_t thread),
                                   const void *ctx) {
    uint32_t full = thread < sched->stands_for.n ? sched->stands_for.v[thread] : NO_THREAD;
    return full != NO_THREAD ? full : sched_stand_first(sched, thread, stands_for, ctx);
}
/* Takes the next events in file order, which are in the log of the input. It touches no input, so
 * that another thread may run it: it derives from them while they are in order. The others wait for
 * sched_flush(). origin: the earliest event so far. */
void sched_take(struct sched_derived *state, const struct sched_event *events, size_t n,
                int64_t origin);
/* The answers that intervals and states depend on: a change of either leads to a rebuild. */
struct sched_world {
    /* of a thread known by its koid alone; asked if `all` */
    uint32_t (*stands_for)(const void *ctx, uint32_t thread);
    const void *ctx;
    int64_t origin;         /* the earliest event */
    const int64_t *origins; /* of each world, of which there are several; or NULL */
};
/* Processes waiting events. all: every event, whatever it costs. Until it returns intervals and
 * states are as before. False: the task is cancelled, and sched_free() must follow. */
bool sched_flush(struct sched *sched, const struct sched_world *world, bool all, struct task *task);
/* Frees the log. Everything must be derived, and no event may follow. */
void sched_release(struct sched *sched);
struct sched_thread *sched_thread(const struct sched *sched, uint32_t thread); /* NULL: none */
/* blocked, or waiting for a CPU: it is not known without wakeups */
#define SCHED_NOT_RUNNING "not running"
/* of a thread that neither runs nor is runnable: S, D, T, Z, X */
uint32_t sched_state_lettered(struct str letters);
const char *sched_state_name(uint32_t state); /* NULL: by number */
uint64_t sched_bytes(const struct sched *sched);

/* CPUs are counted in the order of their first records; `i` is not the CPU's own number. */
static inline size_t sched_cpu_count(const struct sched *sched) {
    return sched->state.cpus.n;
}

static inline struct sched_cpu *sched_cpu(const struct sched *sched, size_t i) {
    return sched->state.cpus.v[i];
}

/* The place of the CPU with this number in a world; UINT32_MAX if no record names it. */
static inline uint32_t sched_cpu_place(const struct sched *sched, uint16_t world, uint16_t number) {
    const uint32_t *places = sched->state.by_number;
    return places ? places[(size_t)world << 16 | number] - 1 : UINT32_MAX;
}

/* The thread and flags of slice `i` of the CPU's lane. */
struct sched_run sched_run(const struct sched_cpu *cpu, uint32_t i);
static inline uint32_t sched_flags(const struct sched_cpu *cpu, uint32_t i) {
    return cpu->flags.v[i];
}

static inline size_t sched_thread_count(const struct sched *sched) {
    return sched->state.threads.n;
}

static inline struct sched_thread *sched_thread_at(const struct sched *sched, size_t i) {
    return sched->state.threads.v[i];
}

/* The place of a thread among these; UINT32_MAX: it is not scheduled. */
static inline uint32_t sched_thread_place(const struct sched *sched, uint32_t thread) {
    return thread < sched->state.by_thread.n ? sched->state.by_thread.v[thread] - 1 : UINT32_MAX;
}

static inline uint32_t sched_state(const struct sched_thread *t, size_t i) {
    return t->states.v[i] & SCHED_LEFT;
}

static inline bool sched_woken(const struct sched_thread *t, size_t i) {
    return (t->states.v[i] & SCHED_WOKEN) != 0;
}

static inline bool sched_damaged(const struct sched_thread *t, size_t i) {
    return (t->states.v[i] & SCHED_DAMAGED) != 0;
}

/* A CPU's intervals without those of the idle thread: for utilisation. */
static inline struct lane *sched_busy(struct sched_cpu *cpu) {
    return cpu->idles ? &cpu->busy : &cpu->lane;
}

/* The thread of a slice of sched_busy(), or of a copy of one; NO_THREAD: the CPU has no such run
 * any more. */
uint32_t sched_busy_thread(const struct sched_cpu *cpu, const struct slice *slice);

#endif
