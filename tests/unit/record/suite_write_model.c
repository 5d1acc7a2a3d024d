/* suite_write_model.c - all interleavings of a small model of the write path (fxttrace(7), "Chunks").
 *
 * Two writers, the helper and the manager run as state machines over a few words of shared memory. A step ends at each
 * load and at each atomic exchange. Stores wait in a buffer of their writer, and reach the memory in any order that C11
 * allows: a release store after all earlier ones, others whenever they like. The search visits each reachable state
 * once. In each a manager reads the buffer as if the writers were killed there. It has to find all
 * records whose commit was executed, none twice, none torn. The same search finds a violation if one order of the protocol is broken. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/must.h"
#include "tests/lib/suites.h"

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
    HEADER_FIRST = 1,       /* the header is stored before the payload */
    HEADER_RELAXED = 2,     /* the header is no release store */
    NO_ZERO_AFTER = 4,      /* the word after a record is not cleared */
    MARK_FIRST = 8,         /* the mark is stored before the word after it is cleared */
    NO_BARRIER = 16,        /* the helper omits membarrier() */
    NO_WAIT = 32,           /* the helper does not wait for busy writers */
    WRAP_BEFORE_BUSY = 64,  /* a writer looks at the wrap before it is busy */
    BUSY_RELAXED = 128,     /* leaving is no release store */
    FREE_EARLY = 256,       /* a half is free once it was announced */
    DURABLE_FIRST = 512,    /* the manager looks at the durable data before the records */
    CLAIM_APART = 1024,     /* a chunk is claimed by a load and a store */
    WRAP_KEPT = 2048,       /* a writer without space for a new chunk goes on in its old one */
    NO_FENCE = 4096,        /* nothing orders the mark before the records of its chunk */
    MARK_ONCE = 8192,       /* a snapshot does not look at the mark again */
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

enum { ENTER, RESERVE, CLAIM, MAY_SWITCH, EXCHANGE, PUBLISH, BODY, COMMIT, DONE };
enum { IDLE, BARRIERS, WAITS, STOPPED };
enum { AWAY, HOLDS, SNAPSHOT };

struct slot {
    uint8_t wrap, cell, pos, open;
};

struct writer {
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
    uint8_t wrap, given;   /* the state word */
    uint8_t known, free;   /* wraps: published, and the last that may begin */
    uint8_t on, waits, handled, announced, answered;
    struct writer writers[WRITERS];
    uint8_t helper, at, stopping;
    uint8_t manager, saved, looks, answers, durable, knows_durable, held; /* held: records that were taken and wait for durable data */
    uint8_t snap_wrap, snap_at, snap_header, snap_payload, snap_step;
    uint8_t taken[2][CELLS];
    uint8_t got, committed, dropped; /* bits */
    uint8_t record_wrap[RECORDS];
};

static struct {
    const struct config *config;
    const char *violation;
    struct state *stack;
    size_t depth, room;
    uint64_t *seen;
    size_t slots, states;
    unsigned most_wrap, snapshots;
    bool dropped, stopped;
} search;

static void violate(const char *what) {
    if (search.violation == NULL)
        search.violation = what;
}

static bool breaks(unsigned order) {
    return (search.config->broken & order) != 0;
}

static unsigned word_of(unsigned half, unsigned cell, unsigned word) {
    return (half * CELLS + cell) * WORDS + word;
}

/* ---- stores ---- */

static void store(struct writer *w, unsigned address, unsigned value, bool release) {
    if (w->n == PENDING) {
        violate("the model's buffer of stores is too small");
        return;
    }
    w->stores[w->n].address = (uint8_t)address;
    w->stores[w->n].value = (uint8_t)value;
    w->stores[w->n++].release = release;
}

/* Whether a store may reach the memory before those ahead of it. */
static bool may_drain(const struct writer *w, unsigned k) {
    if (w->stores[k].release || w->stores[k].address == FENCE)
        return k == 0;
    for (unsigned i = 0; i < k; i++)
        if (w->stores[i].address == w->stores[k].address || w->stores[i].address == FENCE)
            return false;
    return true;
}

static void drain(struct state *s, struct writer *w, unsigned k) {
    if (w->stores[k].address != FENCE)
        s->memory[w->stores[k].address] = w->stores[k].value;
    w->n--;
    memmove(&w->stores[k], &w->stores[k + 1], (w->n - k) * sizeof w->stores[0]);
    memset(&w->stores[w->n], 0, sizeof w->stores[0]);
}

static void drain_all(struct state *s, struct writer *w) {
    while (w->n > 0)
        drain(s, w, 0);
}

/* ---- writers ---- */

static unsigned record_id(const struct state *s, unsigned writer) {
    unsigned id = s->writers[writer].record;
    for (unsigned i = 0; i < writer; i++)
        id += search.config->records[i];
    return id;
}

static void leave(struct state *s, unsigned k) {
    struct writer *w = &s->writers[k];
    store(w, BUSY + k, 0, !breaks(BUSY_RELAXED));
    if (breaks(WRAP_BEFORE_BUSY))
        w->newest = s->known;
    w->record++;
    w->pc = w->record < search.config->records[k] ? ENTER : DONE;
}

static void enter(struct state *s, unsigned k) {
    struct writer *w = &s->writers[k];
    store(w, BUSY + k, 1, false);
    if (!s->on) {
        leave(s, k);
        w->pc = DONE;
        return;
    }
    if (w->record == 0)
        store(w, DURABLE + k, 1, true);
    w->pc = RESERVE;
}

static bool has_room(const struct writer *w) {
    const struct slot *slot = &w->slots[w->node_wrap & 1];
    return slot->open && slot->wrap == w->node_wrap && slot->pos + 2 <= search.config->words;
}

static void fill_up(struct writer *w, struct slot *slot) {
    if (slot->open && slot->pos < search.config->words)
        store(w, word_of(slot->wrap & 1, slot->cell, slot->pos), FILLER, true);
    slot->open = 0;
}

static void reserve(struct state *s, unsigned k) {
    struct writer *w = &s->writers[k];
    if (!breaks(WRAP_BEFORE_BUSY))
        w->newest = s->known;
    if (w->node_wrap < w->newest && !breaks(WRAP_KEPT)) {
        w->node_wrap = w->newest;
        store(w, NODE_WRAP + k, w->node_wrap, true);
    }
    w->pc = BODY;
    if (has_room(w))
        return;
    if (w->slots[w->node_wrap & 1].wrap == w->node_wrap)
        fill_up(w, &w->slots[w->node_wrap & 1]);
    w->pc = CLAIM;
}

/* Decides by the state word that was loaded. */
static void decide(struct writer *w) {
    w->pc = MAY_SWITCH;
    if (w->given < search.config->cells) {
        w->to_wrap = w->wrap;
        w->to_cell = w->given;
        w->pc = EXCHANGE;
    }
}

static void may_switch(struct state *s, unsigned k) {
    struct writer *w = &s->writers[k];
    if (w->wrap + 1 > s->free) {
        s->dropped = 1;
        leave(s, k);
        return;
    }
    w->to_wrap = w->wrap + 1;
    w->to_cell = 0;
    w->pc = EXCHANGE;
}

static void exchange(struct state *s, struct writer *w) {
    if (!breaks(CLAIM_APART) && (s->wrap != w->wrap || s->given != w->given)) {
        w->wrap = s->wrap;
        w->given = s->given;
        decide(w);
        return;
    }
    s->wrap = w->to_wrap;
    s->given = w->to_cell + 1;
    w->pc = PUBLISH;
}

static void publish(struct state *s, unsigned k) {
    struct writer *w = &s->writers[k];
    unsigned half = w->to_wrap & 1, mark = word_of(half, w->to_cell, 0);
    s->known = s->known < w->to_wrap ? w->to_wrap : s->known;
    if (breaks(MARK_FIRST))
        store(w, mark, w->to_wrap + 1, true);
    store(w, mark + 1, 0, false);
    if (!breaks(MARK_FIRST))
        store(w, mark, w->to_wrap + 1, true);
    if (!breaks(NO_FENCE))
        store(w, FENCE, 0, false);
    w->slots[half] = (struct slot){w->to_wrap, w->to_cell, 1, 1};
    w->node_wrap = w->to_wrap;
    store(w, NODE_WRAP + k, w->node_wrap, true);
    w->pc = BODY;
}

static void body(struct state *s, unsigned k) {
    struct writer *w = &s->writers[k];
    const struct slot *slot = &w->slots[w->node_wrap & 1];
    unsigned at = word_of(slot->wrap & 1, slot->cell, slot->pos);
    if (!breaks(HEADER_FIRST))
        store(w, at + 1, PAYLOAD | record_id(s, k), false);
    if (slot->pos + 2 < search.config->words && !breaks(NO_ZERO_AFTER))
        store(w, at + 2, 0, false);
    w->pc = COMMIT;
}

static void commit(struct state *s, unsigned k) {
    struct writer *w = &s->writers[k];
    struct slot *slot = &w->slots[w->node_wrap & 1];
    unsigned at = word_of(slot->wrap & 1, slot->cell, slot->pos), id = record_id(s, k);
    store(w, at, HEADER | id, !breaks(HEADER_RELAXED));
    if (breaks(HEADER_FIRST))
        store(w, at + 1, PAYLOAD | id, true);
    slot->pos += 2;
    s->committed |= (uint8_t)(1u << id);
    s->record_wrap[id] = slot->wrap;
    leave(s, k);
}

static bool step_writer(struct state *s, unsigned k) {
    struct writer *w = &s->writers[k];
    switch (w->pc) {
    case ENTER:
        if (w->n > 2)
            return false;
        enter(s, k);
        return true;
    case RESERVE:
        reserve(s, k);
        return true;
    case CLAIM:
        w->wrap = s->wrap;
        w->given = s->given;
        decide(w);
        return true;
    case MAY_SWITCH:
        may_switch(s, k);
        return true;
    case EXCHANGE:
    case PUBLISH:
        if (w->n > 0) /* an exchange releases what was stored before */
            return false;
        if (w->pc == EXCHANGE)
            exchange(s, w);
        else
            publish(s, k);
        return true;
    case BODY:
        body(s, k);
        return true;
    case COMMIT:
        commit(s, k);
        return true;
    default:
        return false;
    }
}

/* ---- the helper ---- */

static void fill_for(struct state *s, struct writer *w, unsigned half) {
    struct slot *slot = &w->slots[half];
    if (slot->open && slot->pos < search.config->words)
        s->memory[word_of(half, slot->cell, slot->pos)] = FILLER;
    slot->open = 0;
}

static void all_left(struct state *s) {
    s->helper = s->stopping ? STOPPED : IDLE;
    if (s->stopping)
        return;
    if (search.config->circular) {
        s->free = s->handled + 2;
    } else {
        s->announced = s->handled + 1;
        s->waits = 1;
        if (breaks(FREE_EARLY))
            s->free = s->handled + 2;
    }
    s->handled++;
}

/* One load of a writer's node: whether it has left the wrap. */
static void look_at_writer(struct state *s) {
    struct writer *w = &s->writers[s->at];
    unsigned wrap = s->handled;
    bool busy = s->memory[BUSY + s->at], inside = s->stopping || s->memory[NODE_WRAP + s->at] <= wrap;
    if (busy && inside && !breaks(NO_WAIT))
        return;
    for (unsigned half = 0; half < 2; half++)
        if (s->stopping || (half == (wrap & 1) && w->slots[half].wrap == wrap))
            fill_for(s, w, half);
    if (++s->at == WRITERS)
        all_left(s);
}

static bool step_helper(struct state *s) {
    switch (s->helper) {
    case IDLE:
        if (s->answered > 0) {
            s->free = s->answered + 1;
            s->waits = s->answered = 0;
        } else if (!s->waits && s->handled < s->known) {
            s->helper = breaks(NO_BARRIER) ? WAITS : BARRIERS;
            s->at = 0;
        } else {
            return false;
        }
        return true;
    case BARRIERS:
        drain_all(s, &s->writers[s->at]);
        if (++s->at == WRITERS) {
            s->helper = WAITS;
            s->at = 0;
        }
        return true;
    case WAITS:
        look_at_writer(s);
        return true;
    default:
        return false;
    }
}

static bool stop(struct state *s) {
    if (!search.config->stops || s->helper != IDLE || s->stopping)
        return false;
    s->on = 0;
    s->stopping = 1;
    s->at = 0;
    s->helper = BARRIERS;
    return true;
}

/* ---- the manager ---- */

/* Checks the record at a word, and adds it to a set. */
static void take_record(const uint8_t *memory, unsigned at, unsigned committed, unsigned *set) {
    unsigned header = memory[at], id = header & 15;
    if ((header & 0xf0) != HEADER || id >= RECORDS || !(committed >> id & 1))
        violate("what is read was never committed");
    else if (memory[at + 1] != (PAYLOAD | id))
        violate("a record is torn");
    else if (*set >> id & 1)
        violate("a record is read twice");
    else
        *set |= 1u << id;
}

/* The records of a chunk from *pos on. */
static void take_cell(const struct state *s, unsigned wrap, unsigned cell, uint8_t *pos, unsigned *set) {
    unsigned base = word_of(wrap & 1, cell, 0);
    if (s->memory[base] != wrap + 1)
        return;
    for (*pos = *pos > 0 ? *pos : 1; *pos < search.config->words; *pos += 2) {
        unsigned header = s->memory[base + *pos];
        if (header == 0)
            return;
        if (header == FILLER) {
            *pos = search.config->words;
            return;
        }
        if (*pos + 2 > search.config->words) {
            violate("a record does not fit into its chunk");
            return;
        }
        take_record(s->memory, base + *pos, s->committed, set);
        if (search.violation)
            return;
    }
}

static unsigned durable_bits(const struct state *s) {
    unsigned bits = 0;
    for (unsigned k = 0; k < WRITERS; k++)
        bits |= s->memory[DURABLE + k] ? 1u << k : 0;
    return bits;
}

/* Each record's writer has registered its names. */
static void check_durable(unsigned records, unsigned durable) {
    for (unsigned id = 0; id < RECORDS; id++)
        if (records >> id & 1 && !(durable >> (id >= search.config->records[0]) & 1))
            violate("a record comes without its names");
}

/* Records that were taken now; their durable data is looked at in another step. */
static void hold(struct state *s, unsigned set) {
    s->held = (uint8_t)(set & ~(unsigned)s->got);
    s->got = (uint8_t)set;
    s->manager = HOLDS;
}

static bool step_manager(struct state *s) {
    unsigned set = s->got;
    if (s->manager == HOLDS) {
        check_durable(s->held, breaks(DURABLE_FIRST) ? s->durable : durable_bits(s));
        if (s->answers)
            s->answered = s->saved;
        s->manager = s->held = s->answers = s->durable = s->knows_durable = 0;
        return true;
    }
    if (s->announced == 0 || s->manager != AWAY)
        return false;
    unsigned wrap = s->announced - 1u;
    for (unsigned cell = 0; cell < search.config->cells; cell++)
        take_cell(s, wrap, cell, &s->taken[wrap & 1][cell], &set);
    memset(s->taken[wrap & 1], 0, sizeof s->taken[0]);
    s->saved = s->announced;
    s->announced = 0;
    s->answers = 1;
    if (!s->knows_durable)
        s->durable = (uint8_t)durable_bits(s);
    hold(s, set);
    return true;
}

/* A look at a cell while writers run: of the current half, or of the one before. */
static bool look(struct state *s, unsigned back, unsigned cell) {
    unsigned set = s->got, wrap = s->wrap - back;
    if (s->looks == 0 || s->manager != AWAY || back > s->wrap || s->helper == STOPPED)
        return false;
    if (search.config->circular) {
        s->snap_wrap = s->memory[word_of(wrap & 1, cell, 0)];
        s->snap_at = (uint8_t)word_of(wrap & 1, cell, 0);
        s->manager = SNAPSHOT;
        s->snap_step = 1;
        s->looks--;
        return s->snap_wrap == wrap + 1;
    }
    if (wrap < s->saved)
        return false;
    if (breaks(DURABLE_FIRST) && !s->knows_durable) { /* the records in another step */
        s->durable = (uint8_t)durable_bits(s);
        s->knows_durable = 1;
        return true;
    }
    take_cell(s, wrap, cell, &s->taken[wrap & 1][cell], &set);
    s->looks--;
    hold(s, set);
    return set != s->got || s->held != 0;
}

/* The loads of a snapshot of a circular buffer: header, payload, and the mark again. */
static bool step_snapshot(struct state *s) {
    if (s->manager != SNAPSHOT)
        return false;
    switch (s->snap_step++) {
    case 1:
        s->snap_header = s->memory[s->snap_at + 1];
        break;
    case 2:
        s->snap_payload = s->memory[s->snap_at + 2];
        break;
    default:
        if ((s->memory[s->snap_at] == s->snap_wrap || breaks(MARK_ONCE)) && s->snap_header != 0 &&
            s->snap_header != FILLER) {
            const uint8_t record[2] = {s->snap_header, s->snap_payload};
            unsigned set = 0;
            take_record(record, 0, s->committed, &set);
            search.snapshots++;
        }
        s->manager = s->snap_step = s->snap_header = s->snap_payload = s->snap_at = s->snap_wrap = 0;
    }
    return true;
}

/* ---- what holds in each state ---- */

/* The writers are killed here: their stores arrive, and the manager reads the buffer. */
static void check_death(const struct state *now) {
    struct state s = *now;
    bool circular = search.config->circular;
    unsigned set = circular ? 0 : s.got, expected = 0;
    for (unsigned k = 0; k < WRITERS; k++)
        drain_all(&s, &s.writers[k]);
    for (unsigned back = 2; back-- > 0;)
        if (back <= s.wrap && (circular || s.wrap - back >= s.saved))
            for (unsigned cell = 0; cell < search.config->cells; cell++)
                take_cell(&s, s.wrap - back, cell, &s.taken[(s.wrap - back) & 1][cell], &set);
    for (unsigned id = 0; id < RECORDS; id++)
        if (s.committed >> id & 1 && (!circular || s.record_wrap[id] + 1 >= s.wrap))
            expected |= 1u << id;
    if (set != expected)
        violate(expected & ~set ? "a committed record is lost" : "a record is there that was overwritten");
    check_durable(set, durable_bits(&s));
}

/* ---- the search ---- */

static uint64_t fingerprint(const struct state *s) {
    const unsigned char *p = (const unsigned char *)s;
    uint64_t h = UINT64_C(0x9e3779b97f4a7c15), word = 0;
    for (size_t i = 0; i < sizeof *s; i += 8) {
        memcpy(&word, p + i, sizeof *s - i < 8 ? sizeof *s - i : 8);
        word = (word ^ word >> 32) * UINT64_C(0xff51afd7ed558ccd);
        h = ((h ^ word ^ word >> 29) + i) * UINT64_C(0xc4ceb9fe1a85ec53);
        h ^= h >> 32;
    }
    return h | 1;
}

static bool is_new(const struct state *s) {
    uint64_t h = fingerprint(s);
    size_t at = (size_t)(h >> 20) % search.slots;
    for (; search.seen[at] != 0; at = (at + 1) % search.slots)
        if (search.seen[at] == h)
            return false;
    search.seen[at] = h;
    if (++search.states > search.slots / 2)
        violate("the model has too many states");
    return true;
}

static void visit(const struct state *s) {
    if (search.violation || !is_new(s))
        return;
    check_death(s);
    search.most_wrap = s->wrap > search.most_wrap ? s->wrap : search.most_wrap;
    search.dropped = search.dropped || s->dropped;
    search.stopped = search.stopped || s->helper == STOPPED;
    if (search.depth == search.room) {
        search.room = search.room ? 2 * search.room : 4096;
        search.stack = realloc(search.stack, search.room * sizeof *search.stack);
        ck_assert_ptr_nonnull(search.stack);
    }
    search.stack[search.depth++] = *s;
}

#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        struct state next = s;                                                                                         \
        if (call)                                                                                                      \
            visit(&next);                                                                                              \
    } while (0)

static void expand(struct state s) {
    for (unsigned k = 0; k < WRITERS; k++) {
        TRY(step_writer(&next, k));
        for (unsigned i = 0; i < s.writers[k].n; i++)
            if (may_drain(&s.writers[k], i))
                TRY((drain(&next, &next.writers[k], i), true));
    }
    TRY(step_helper(&next));
    TRY(stop(&next));
    TRY(step_manager(&next));
    TRY(step_snapshot(&next));
    for (unsigned back = 0; back < 2; back++)
        for (unsigned cell = 0; cell < search.config->cells; cell++)
            TRY(look(&next, back, cell));
}

/* Visits all states; returns the violation that was found, or NULL. */
static const char *explore(const struct config *config) {
    struct state s;
    memset(&search, 0, sizeof search);
    search.config = config;
    search.slots = 1u << 22;
    search.seen = calloc(search.slots, sizeof *search.seen);
    ck_assert_ptr_nonnull(search.seen);
    memset(&s, 0, sizeof s);
    memset(s.memory, STALE, BUSY); /* of an earlier session, */
    for (unsigned cell = 0; cell < 2 * CELLS; cell++)
        s.memory[cell * WORDS] = 0; /* whose marks were cleared */
    s.on = s.free = 1;
    s.looks = config->looks;
    visit(&s);
    while (search.depth > 0 && search.violation == NULL)
        expand(search.stack[--search.depth]);
    free(search.seen);
    free(search.stack);
    return search.violation;
}

static const struct config configs[] = {
    {"streaming, a record a chunk", false, 1, 3, {2, 2}, 1, true, 0},
    {"streaming, two records a chunk", false, 1, 5, {4, 2}, 0, false, 0},
    {"streaming, two chunks a half", false, 2, 3, {3, 2}, 0, false, 0},
    {"circular, a record a chunk", true, 1, 3, {2, 1}, 1, true, 0},
    {"circular, two records a chunk", true, 1, 5, {4, 1}, 0, false, 0},
};
enum { CONFIGS = sizeof configs / sizeof *configs };

START_TEST(no_interleaving_loses_or_repeats_or_tears_a_record) {
    unsigned most_wrap = 0, snapshots = 0;
    bool dropped = false, stopped = false;
    for (int i = 0; i < CONFIGS; i++) {
        const char *violation = explore(&configs[i]);
        if (getenv("MODEL_STATES"))
            printf("%s: %zu states, wraps to %u\n", configs[i].name, search.states, search.most_wrap);
        ck_assert_msg(violation == NULL, "%s: %s", configs[i].name, violation);
        MUST(search.states > 10000, i);
        MUST(search.most_wrap >= 2, i); /* a half is used again */
        most_wrap = most_wrap > search.most_wrap ? most_wrap : search.most_wrap;
        snapshots += search.snapshots;
        dropped = dropped || search.dropped;
        stopped = stopped || search.stopped;
    }
    ck_assert(most_wrap >= 3 && snapshots > 0 && dropped && stopped);
}
END_TEST

START_TEST(each_broken_order_is_found) {
    for (unsigned order = 1; order <= MARK_ONCE; order *= 2) {
        const char *violation = NULL;
        for (int i = 0; i < CONFIGS && violation == NULL; i++) {
            struct config config = configs[i];
            config.broken = order;
            violation = explore(&config);
            if (getenv("MODEL_STATES") && violation)
                printf("%u: %s: %s after %zu states\n", order, config.name, violation, search.states);
        }
        ck_assert_msg(violation != NULL, "no state shows that order %u is broken", order);
        ck_assert_msg(strncmp(violation, "the model", 9) != 0, "%s", violation);
    }
}
END_TEST

Suite *suite_write_model(void) {
    Suite *s = suite_create("write_model");
    TCase *c = tcase_create("write_model");
    tcase_set_timeout(c, 240);
    tcase_add_test(c, no_interleaving_loses_or_repeats_or_tears_a_record);
    tcase_add_test(c, each_broken_order_is_found);
    suite_add_tcase(s, c);
    return s;
}
