/* write_model.h - the model of the write path of suite_write_model: a state of it, and the steps of
 * its machines.
 *
 * A step returns whether it is possible in the state; if not, the state is of no use afterwards. */
#ifndef FXTOP_WRITE_MODEL_H
#define FXTOP_WRITE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WRITERS = 2, CELLS = 2, WORDS = 5, PENDING = 10, RECORDS = 8, SNAPSHOT_LOADS = 4 };

/* Shared words that writers store to. A chunk: mark, and records of a header and a payload. */
enum {
    BUSY = 2 * CELLS * WORDS,
    NODE_WRAP = BUSY + WRITERS,
    DURABLE = NODE_WRAP + WRITERS, /* the writer's names are registered */
    ADDRESSES = DURABLE + WRITERS,
    FENCE, /* no address: later stores stay after it */
};

enum { HEADER = 0x40, PAYLOAD = 0x60, FILLER = 0x80, STALE = HEADER | 15 };

/* Orders of the protocol that may be broken. */
enum broken {
    HEADER_FIRST = 1,      /* the header is stored before the payload */
    HEADER_RELAXED = 2,    /* the header is no release store */
    NO_ZERO_AFTER = 4,     /* the word after a record is not cleared */
    MARK_FIRST = 8,        /* the mark is stored before the word after it is cleared */
    NO_BARRIER = 16,       /* the helper omits membarrier() */
    NO_WAIT = 32,          /* the helper does not wait for busy writers */
    WRAP_BEFORE_BUSY = 64, /* a writer looks at the wrap before it is busy */
    BUSY_RELAXED = 128,    /* leaving is no release store */
    FREE_EARLY = 256,      /* a half is free once it was announced */
    DURABLE_FIRST = 512,   /* the manager looks at the durable data before the records */
    CLAIM_APART = 1024,    /* a chunk is claimed by a load and a store */
    WRAP_KEPT = 2048,      /* a writer without space for a new chunk goes on in its old one */
    NO_FENCE = 4096,       /* nothing orders the mark before the records of its chunk */
    MARK_ONCE = 8192,      /* a snapshot does not look at the mark again */
    FREE_BUSY = 16384,     /* a writer frees a half in which another one is */
    FREE_AT_ONCE = 32768,  /* a writer frees a half without membarrier() */
};

struct config {
    const char *name;
    bool circular;
    uint8_t cells, words; /* of a half, of a chunk: 3 or 5 */
    uint8_t records[WRITERS];
    uint8_t looks; /* of the manager while writers run */
    bool stops;    /* the helper may stop */
    unsigned broken;
};

enum {
    ENTER,
    RESERVE,
    CLAIM,
    MAY_SWITCH,
    FREE,
    FENCED,
    LOOK,
    EXCHANGE,
    PUBLISH,
    BODY,
    COMMIT,
    DONE
};
enum { IDLE, BARRIERS, WAITS, STOPPED };
enum { AWAY, HOLDS, SNAPSHOT };

struct slot {
    uint8_t wrap, cell, pos, open;
};

struct model_writer {
    uint8_t pc, record, newest, node_wrap, wrap, given; /* wrap, given: as loaded from the state */
    uint8_t to_wrap, to_cell;                           /* that it wants, and then has */
    struct slot slots[2];
    uint8_t n;
    struct {
        uint8_t address, value, release;
    } stores[PENDING]; /* that are not in memory */
};

struct state {
    uint8_t memory[ADDRESSES];
    uint8_t wrap, given; /* the state word */
    uint8_t known, free; /* wraps: published, and the last that may begin */
    uint8_t freeing;     /* a thread frees a half, in circular mode */
    uint8_t on, waits, handled, announced, answered;
    struct model_writer writers[WRITERS];
    uint8_t helper, at, stopping;
    /* held: records that were taken and wait for durable data */
    uint8_t manager, saved, looks, answers, durable, knows_durable, held;
    uint8_t snap_wrap, snap_at, snap_header, snap_payload, snap_step;
    uint8_t taken[2][CELLS];
    uint8_t got, committed, dropped; /* bits */
    uint8_t record_wrap[RECORDS];
};

/* A search visits the states of one configuration. The machines read it, and note their
 * findings. */
extern struct search {
    const struct config *config;
    const char *violation;
    struct state *stack;
    size_t depth, room;
    uint64_t *seen;
    size_t slots, states;
    unsigned most_wrap, snapshots;
    bool dropped, stopped;
} search;

void model_violate(const char *what);

/* Stores of a writer: whether the k-th may reach the memory now, and that it does. */
bool model_may_drain(const struct model_writer *w, unsigned k);
void model_drain(struct state *s, struct model_writer *w, unsigned k);
void model_drain_all(struct state *s, struct model_writer *w);

bool model_step_writer(struct state *s, unsigned k);
bool model_step_helper(struct state *s);
bool model_stop(struct state *s); /* the helper begins to stop */

bool model_step_manager(struct state *s);
bool model_step_snapshot(struct state *s);
/* A look at a cell while writers run: of the current half, or of the one before. */
bool model_look(struct state *s, unsigned back, unsigned cell);

/* Adds the records of a chunk from *pos on to a set, and checks them. */
void model_take_cell(const struct state *s, unsigned wrap, unsigned cell, uint8_t *pos,
                     unsigned *set);

/* The writers with registered names, as bits; and that those of these records are. */
unsigned model_durable_bits(const struct state *s);
void model_check_durable(unsigned records, unsigned durable);

#endif
