/* write_model.c - the machines of the model: the writers with their buffers of stores, the helper
 * and the manager.
 *
 * Each function of a machine is one step, up to the next load or atomic exchange. It changes the
 * state, and reports forbidden states with model_violate(). A broken order is asked for in the step
 * that it changes. */
#include "tests/unit/record/write_model.h"

#include <string.h>

struct search search;

void model_violate(const char *what) {
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

static void store(struct model_writer *w, unsigned address, unsigned value, bool release) {
    if (w->n == PENDING) {
        model_violate("the model's buffer of stores is too small");
        return;
    }
    w->stores[w->n].address = (uint8_t)address;
    w->stores[w->n].value = (uint8_t)value;
    w->stores[w->n++].release = release;
}

/* Whether a store may reach the memory before those ahead of it. */
bool model_may_drain(const struct model_writer *w, unsigned k) {
    if (w->stores[k].release || w->stores[k].address == FENCE)
        return k == 0;
    for (unsigned i = 0; i < k; i++)
        if (w->stores[i].address == w->stores[k].address || w->stores[i].address == FENCE)
            return false;
    return true;
}

void model_drain(struct state *s, struct model_writer *w, unsigned k) {
    if (w->stores[k].address != FENCE)
        s->memory[w->stores[k].address] = w->stores[k].value;
    w->n--;
    memmove(&w->stores[k], &w->stores[k + 1], (w->n - k) * sizeof w->stores[0]);
    memset(&w->stores[w->n], 0, sizeof w->stores[0]);
}

void model_drain_all(struct state *s, struct model_writer *w) {
    while (w->n > 0)
        model_drain(s, w, 0);
}

/* ---- writers ---- */

static unsigned record_id(const struct state *s, unsigned writer) {
    unsigned id = s->writers[writer].record;
    for (unsigned i = 0; i < writer; i++)
        id += search.config->records[i];
    return id;
}

static void leave(struct state *s, unsigned k) {
    struct model_writer *w = &s->writers[k];
    store(w, BUSY + k, 0, !breaks(BUSY_RELAXED));
    if (breaks(WRAP_BEFORE_BUSY))
        w->newest = s->known;
    w->record++;
    w->pc = w->record < search.config->records[k] ? ENTER : DONE;
}

static void enter(struct state *s, unsigned k) {
    struct model_writer *w = &s->writers[k];
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

static bool has_room(const struct model_writer *w) {
    const struct slot *slot = &w->slots[w->node_wrap & 1];
    return slot->open && slot->wrap == w->node_wrap && slot->pos + 2 <= search.config->words;
}

static void fill_up(struct model_writer *w, struct slot *slot) {
    if (slot->open && slot->pos < search.config->words)
        store(w, word_of(slot->wrap & 1, slot->cell, slot->pos), FILLER, true);
    slot->open = 0;
}

static void reserve(struct state *s, unsigned k) {
    struct model_writer *w = &s->writers[k];
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
static void decide(struct model_writer *w) {
    w->pc = MAY_SWITCH;
    if (w->given < search.config->cells) {
        w->to_wrap = w->wrap;
        w->to_cell = w->given;
        w->pc = EXCHANGE;
    }
}

static void may_switch(struct state *s, unsigned k) {
    struct model_writer *w = &s->writers[k];
    if (w->wrap + 1 > s->free) {
        if (search.config->circular && !s->freeing) {
            s->freeing = 1;
            w->node_wrap = w->wrap;
            store(w, NODE_WRAP + k, w->node_wrap, true);
            w->pc = FREE;
            return;
        }
        s->dropped = 1;
        leave(s, k);
        return;
    }
    w->to_wrap = w->wrap + 1;
    w->to_cell = 0;
    w->pc = EXCHANGE;
}

static void fill_for(struct state *s, struct model_writer *w, unsigned half);

/* A writer frees the half that it needs, as the helper does. */
static void free_half(struct state *s, unsigned k) {
    struct model_writer *w = &s->writers[k];
    unsigned other = 1 - k, wrap = s->free - 1u;
    switch (w->pc) {
    case FREE:
        s->known = s->known < w->wrap ? w->wrap : s->known;
        w->pc = FENCED;
        return;
    case FENCED:
        if (!breaks(FREE_AT_ONCE))
            model_drain_all(s, &s->writers[other]);
        w->pc = LOOK;
        return;
    default:
        s->freeing = 0;
        w->pc = CLAIM;
        if (s->memory[BUSY + other] && s->memory[NODE_WRAP + other] <= wrap && !breaks(FREE_BUSY)) {
            s->dropped = 1;
            leave(s, k);
            return;
        }
        for (unsigned i = 0; i < WRITERS; i++)
            if (s->writers[i].slots[wrap & 1].wrap == wrap)
                fill_for(s, &s->writers[i], wrap & 1);
        s->free = (uint8_t)(wrap + 2);
    }
}

static void exchange(struct state *s, struct model_writer *w) {
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
    struct model_writer *w = &s->writers[k];
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
    struct model_writer *w = &s->writers[k];
    const struct slot *slot = &w->slots[w->node_wrap & 1];
    unsigned at = word_of(slot->wrap & 1, slot->cell, slot->pos);
    if (!breaks(HEADER_FIRST))
        store(w, at + 1, PAYLOAD | record_id(s, k), false);
    if (slot->pos + 2 < search.config->words && !breaks(NO_ZERO_AFTER))
        store(w, at + 2, 0, false);
    w->pc = COMMIT;
}

static void commit(struct state *s, unsigned k) {
    struct model_writer *w = &s->writers[k];
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

bool model_step_writer(struct state *s, unsigned k) {
    struct model_writer *w = &s->writers[k];
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
    case FREE:
    case FENCED:
    case LOOK:
        if (w->n > 0)
            return false;
        free_half(s, k);
        return true;
    case EXCHANGE:
    case PUBLISH:
        if (w->n > 0) /* an exchange releases the earlier stores */
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

static void fill_for(struct state *s, struct model_writer *w, unsigned half) {
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
        s->freeing = 0;
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
    struct model_writer *w = &s->writers[s->at];
    unsigned wrap = s->handled;
    bool busy = s->memory[BUSY + s->at],
         inside = s->stopping || s->memory[NODE_WRAP + s->at] <= wrap;
    if (busy && inside && !breaks(NO_WAIT)) {
        if (search.config->circular && !s->stopping) { /* it looks again later */
            s->freeing = 0;
            s->helper = IDLE;
        }
        return;
    }
    for (unsigned half = 0; half < 2; half++)
        if (s->stopping || (half == (wrap & 1) && w->slots[half].wrap == wrap))
            fill_for(s, w, half);
    if (++s->at == WRITERS)
        all_left(s);
}

bool model_step_helper(struct state *s) {
    switch (s->helper) {
    case IDLE:
        if (s->answered > 0) {
            s->free = s->answered + 1;
            s->waits = s->answered = 0;
        } else if (search.config->circular && (s->freeing || s->known < s->free)) {
            return false;
        } else if (!s->waits && (search.config->circular || s->handled < s->known)) {
            s->freeing = search.config->circular;
            s->handled = search.config->circular ? (uint8_t)(s->free - 1) : s->handled;
            s->helper = breaks(NO_BARRIER) ? WAITS : BARRIERS;
            s->at = 0;
        } else {
            return false;
        }
        return true;
    case BARRIERS:
        model_drain_all(s, &s->writers[s->at]);
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

bool model_stop(struct state *s) {
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
        model_violate("what is read was never committed");
    else if (memory[at + 1] != (PAYLOAD | id))
        model_violate("a record is torn");
    else if (*set >> id & 1)
        model_violate("a record is read twice");
    else
        *set |= 1u << id;
}

/* The records of a chunk from *pos on. */
void model_take_cell(const struct state *s, unsigned wrap, unsigned cell, uint8_t *pos,
                     unsigned *set) {
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
            model_violate("a record does not fit into its chunk");
            return;
        }
        take_record(s->memory, base + *pos, s->committed, set);
        if (search.violation)
            return;
    }
}

unsigned model_durable_bits(const struct state *s) {
    unsigned bits = 0;
    for (unsigned k = 0; k < WRITERS; k++)
        bits |= s->memory[DURABLE + k] ? 1u << k : 0;
    return bits;
}

/* Each record's writer has registered its names. */
void model_check_durable(unsigned records, unsigned durable) {
    for (unsigned id = 0; id < RECORDS; id++)
        if (records >> id & 1 && !(durable >> (id >= search.config->records[0]) & 1))
            model_violate("a record comes without its names");
}

/* Records that were taken now; their durable data is looked at in another step. */
static void hold(struct state *s, unsigned set) {
    s->held = (uint8_t)(set & ~(unsigned)s->got);
    s->got = (uint8_t)set;
    s->manager = HOLDS;
}

bool model_step_manager(struct state *s) {
    unsigned set = s->got;
    if (s->manager == HOLDS) {
        model_check_durable(s->held, breaks(DURABLE_FIRST) ? s->durable : model_durable_bits(s));
        if (s->answers)
            s->answered = s->saved;
        s->manager = s->held = s->answers = s->durable = s->knows_durable = 0;
        return true;
    }
    if (s->announced == 0 || s->manager != AWAY)
        return false;
    unsigned wrap = s->announced - 1u;
    for (unsigned cell = 0; cell < search.config->cells; cell++)
        model_take_cell(s, wrap, cell, &s->taken[wrap & 1][cell], &set);
    memset(s->taken[wrap & 1], 0, sizeof s->taken[0]);
    s->saved = s->announced;
    s->announced = 0;
    s->answers = 1;
    if (!s->knows_durable)
        s->durable = (uint8_t)model_durable_bits(s);
    hold(s, set);
    return true;
}

/* A look at a cell while writers run: of the current half, or of the one before. */
bool model_look(struct state *s, unsigned back, unsigned cell) {
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
        s->durable = (uint8_t)model_durable_bits(s);
        s->knows_durable = 1;
        return true;
    }
    model_take_cell(s, wrap, cell, &s->taken[wrap & 1][cell], &set);
    s->looks--;
    hold(s, set);
    return set != s->got || s->held != 0;
}

/* The loads of a snapshot of a circular buffer: header, payload, and the mark again. */
bool model_step_snapshot(struct state *s) {
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
        s->manager = s->snap_step = s->snap_header = s->snap_payload = s->snap_at = s->snap_wrap =
            0;
    }
    return true;
}
