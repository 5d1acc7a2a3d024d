/* write.h - the trace buffer as its writers see it: chunks of threads, and the part of it that the
 * helper thread does.
 *
 * A writer is inside between write_enter() and write_leave(). It waits for no lock. It makes system
 * calls for the first event of a thread and for a new half alone. Before session.c changes the
 * buffer it sets the generation to 0, or takes a half that no writer can come back to. Then it
 * waits with write_quiesce() for writers that are inside. */
#ifndef FXTTRACE_WRITE_H
#define FXTTRACE_WRITE_H

#include <stdbool.h>

#include "provider/symbols.h"
#include "provider/wire.h"

#define WRITE_FORKED 1u /* generation of a child after fork(): the next event connects it */
/* generation while a manager is late to answer: events are counted */
#define WRITE_LATE UINT32_C(0x80000000)

struct write_slot { /* a chunk that a thread writes to */
    uint64_t *pos, *end;
    uint32_t wrap;
    bool open;
};

enum write_use {
    WRITE_FREE,
    WRITE_USED,
    WRITE_LEFT /* its thread has exited, and owes ends: the helper's */
};

struct write_node { /* of a thread; never freed, but used again */
    struct write_node *next;
    uint32_t used, busy; /* used: enum write_use */
    uint32_t wrap;       /* of the slot in use: slot[wrap & 1] */
    uint32_t ready;      /* the generation for which all of it holds */
    uint32_t generation; /* for which the slots hold */
    /* the helper fills that of the older wrap, once its owner cannot come back to it */
    struct write_slot slot[2];
    uint64_t tid;
    uint32_t epoch; /* of the thread's registration */
    uint8_t thread; /* its index; 0: inline */
    uint32_t owed;  /* ends that were dropped, to be written first */
    bool pays; /* they are being written without another record: none is dropped if that fails */
    uint32_t raw_depth;   /* begins without a scope that are open, */
    uint64_t raw_written; /* and which of the first 64 were written: bits */
} __attribute__((aligned(128)));

struct write_buffer {
    uint64_t *words; /* NULL: none */
    struct wire_header *header;
    enum wire_mode mode;
    unsigned clock;
    uint64_t size;                                /* bytes */
    uint64_t *durable, *half[2];                  /* parts */
    uint64_t durable_size, chunk_size, given_max; /* bytes; of a half in whole cells */
    uint32_t wrap;                                /* newest one that threads know of */
    uint32_t free_wrap;                           /* wraps up to this may be begun */
    uint32_t waits;      /* vain ones for the next half, after a thread waited for long */
    bool freeing;        /* a thread is in write_free_half() */
    uint32_t epoch;      /* counts the starts that cleared strings and threads */
    uint32_t generation; /* of the session that runs, or ran last */
    bool fences;         /* there is no membarrier */
    uint64_t pid;
    uint64_t populated[2]; /* bytes of each half whose pages exist */
};

extern struct write_buffer write_buffer;
/* fxttrace_generation of this copy of the library; that of another copy may be in use instead. */
extern uint32_t write_generation;

/* The calling thread's node, or NULL: tracing is off, or a signal handler interrupted an event,
 * which counts as dropped. *generation: that of the session. */
struct write_node *write_enter(uint32_t *generation);
/* Counts an event that came before the session. */
void write_missed(void);
/* Counts the events that came before as dropped, or forgets them. */
void write_count_missed(bool dropped);
static inline void write_leave(struct write_node *node) {
    __atomic_store_n(&node->busy, 0, __ATOMIC_RELEASE);
}

/* Does what write_reserve() does if the thread's chunk is full or of an older wrap. */
uint64_t *write_reserve_chunk(struct write_node *node, size_t n);
/* Space for a record of n words, to be filled from word 1 on; NULL: it is dropped. */
static inline uint64_t *write_reserve(struct write_node *node, size_t n) {
    uint32_t newest = __atomic_load_n(&write_buffer.wrap, __ATOMIC_SEQ_CST);
    /* the slot of the older wrap is the helper's now, even if no chunk is to be had */
    if (node->wrap < newest)
        __atomic_store_n(&node->wrap, newest, __ATOMIC_RELEASE);
    struct write_slot *s = &node->slot[node->wrap & 1];
    if (__builtin_expect(!s->open || s->wrap != node->wrap || n > (size_t)(s->end - s->pos), 0))
        return write_reserve_chunk(node, n);
    return s->pos;
}

/* Makes the record visible. */
static inline void write_commit(struct write_node *node, uint64_t *record, size_t n,
                                uint64_t header) {
    struct write_slot *s = &node->slot[node->wrap & 1];
    if (record + n < s->end)
        __atomic_store_n(&record[n], 0, __ATOMIC_RELAXED);
    __atomic_store_n(record, header, __ATOMIC_RELEASE);
    s->pos = record + n;
}
void write_dropped(void);
/* Writes what the node owes, now, as its thread inside or as the helper, if no thread has it.
 * False: some is left, as there is no space. (event.c) */
bool event_pay(struct write_node *node);

/* ---- under the registration lock (names.c) ---- */

/* Appends a registration; false: there is no space. */
bool write_durable(const uint64_t *record, size_t n);

/* ---- for the helper ---- */

/* Lays out a buffer of `size` bytes and begins it; disposition: enum wire_disposition. */
void write_layout(void *bytes, uint64_t size, enum wire_mode mode);
void write_start(unsigned disposition);
/* Makes all threads see what was stored before. */
void write_barrier(void);
/* Waits until no writer is inside, or only in a wrap after `wrap`, and fills up chunks of that
 * wrap; WRITE_ALL: of all, after the generation was set to 0. False: some writer did not leave
 * within the time. */
#define WRITE_ALL UINT32_MAX
bool write_quiesce(uint32_t wrap, int milliseconds);
/* Circular mode, for any thread that writes to no older wrap: frees the half of the wrap before the
 * newest one. False: a writer is inside, or another thread is at it. */
bool write_free_half(void);
/* The half of this wrap is the next but one's. */
void write_half_is_free(uint32_t wrap);
/* Makes pages ahead of the writers. */
void write_populate(void);
/* Pays for threads that have exited; all: after the generation was set to 0 and no writer is
 * inside, for all, for the last time. False: one that has exited owes ends still. */
bool write_pay(bool all);
/* Pays for the calling thread. */
bool write_pay_own(void);
/* The final header. */
void write_stop(void);
/* Whether a thread lives that has written events. */
bool write_has_threads(void);
void write_forked(void); /* in the child */
/* Whether this is a child for which that was not called. */
bool write_is_copy(void);
void write_init(void); /* before the first session of a process */
void write_exit(void);

#endif
