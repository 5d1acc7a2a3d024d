/* set.c - see set.h.
 *
 * A set is either calls and returns of one thread or events by their weights. Facts are a list that
 * is searched from its begin. The name of an end is looked up in the set.
 */
#include "tests/unit/nest/set.h"
#include "tests/unit/lib/libcheck.h"

#include <stdio.h>

struct slow_event set_events[SLOW_NEST_MOST];
size_t set_n_events;
int set_number;

struct chance set_chance = {4711};

const char *set_show(void) {
    static char text[4000];
    size_t n = (size_t)snprintf(text, sizeof text, "set %d:\n", set_number);
    for (size_t i = 0; i < set_n_events && n + 100 < sizeof text; i++) {
        const struct slow_event *e = &set_events[i];
        static const char *const words[] = {"begin", "end", "complete"};
        n += (size_t)snprintf(text + n, sizeof text - n, "%s %lld", words[e->event],
                              (long long)e->time);
        if (e->event == NEST_COMPLETE)
            n += (size_t)snprintf(text + n, sizeof text - n, "..%lld", (long long)e->end);
        n += (size_t)snprintf(text + n, sizeof text - n, " name %u @%llu\n", e->name,
                              (unsigned long long)e->offset);
    }
    return text;
}

/* ---- callbacks of the nest ---- */

static struct { uint64_t key, value; } facts[8 * SLOW_NEST_MOST];
size_t set_n_facts;
uint64_t set_read = UINT64_MAX;

static void put(void *ctx, uint64_t key, uint64_t value) {
    size_t i = 0;
    (void)ctx;
    while (i < set_n_facts && facts[i].key != key)
        i++;
    if (i == set_n_facts)
        set_n_facts++;
    facts[i].key = key;
    facts[i].value = value;
}

static uint64_t get(void *ctx, uint64_t key) {
    (void)ctx;
    for (size_t i = 0; i < set_n_facts; i++)
        if (facts[i].key == key)
            return facts[i].value;
    return UINT64_MAX;
}

static uint32_t end_name(void *ctx, uint64_t offset) {
    (void)ctx;
    for (size_t i = 0; i < set_n_events; i++)
        if (set_events[i].offset == offset)
            return set_events[i].name;
    ck_abort_msg("name asked of what is no record");
}

static bool lost(void *ctx, uint32_t writer, uint64_t from, uint64_t to) {
    (void)ctx;
    (void)writer;
    return slow_nest_lost(from, to < set_read ? to : set_read);
}

const struct slice_extra set_aside = {NULL, end_name, put, get, NULL, lost};

struct set_taste set_any_taste(void) {
    struct set_taste t = {.begins = 1 + (unsigned)below(&set_chance, 6),
                          .ends = 1 + (unsigned)below(&set_chance, 6),
                          .completes = (unsigned)below(&set_chance, 7),
                          .steps = 1 + below(&set_chance, 4),
                          .longest = below(&set_chance, 4) * below(&set_chance, 9),
                          .late = (unsigned)below(&set_chance, 4) * 2,
                          .how_late = 1 + below(&set_chance, 12),
                          .names = 1 + below(&set_chance, 4),
                          .apart = 1 + below(&set_chance, 5),
                          .unit = 1,
                          .settle = 1 + (unsigned)below(&set_chance, 12),
                          .calls = below(&set_chance, 3) == 0};
    if (t.calls && below(&set_chance, 2))
        t.settle *= 1 + (unsigned)below(&set_chance, 8);
    if (below(&set_chance, 4) == 0)
        t.begins = t.ends = 0;
    if (t.begins + t.ends + t.completes == 0)
        t.completes = 1;
    if (below(&set_chance, 8) == 0)
        t.apart = UINT64_C(1) << 29; /* farther than a slice can store */
    if (below(&set_chance, 8) == 0)
        t.unit = INT64_C(1) << 48;
    t.named = below(&set_chance, 2) == 0;
    t.unended = below(&set_chance, 4) == 0 ? 1 + (unsigned)below(&set_chance, 4) : 0;
    return t;
}

/* Events of a program that calls and returns: begins and ends as they happen, completes when they
 * end. Some begins never end, some ends never began. */
static void make_calls(const struct set_taste *t, size_t n) {
    struct {
        int64_t begin;
        bool complete;
    } stack[64];
    unsigned depth = 0;
    uint64_t offset = 8, deep = 1 + below(&set_chance, 8) * below(&set_chance, 8);
    int64_t now = -3 * t->unit;
    for (size_t i = 0; i < n;) {
        struct slow_event e = {NEST_END, 0, 0, offset, (uint32_t)below(&set_chance, t->names)};
        now += (int64_t)below(&set_chance, t->steps) * t->unit;
        e.time = e.end = now;
        if (depth < deep && below(&set_chance, 2) == 0) {
            stack[depth].begin = now;
            stack[depth].complete = below(&set_chance, t->begins + t->completes) >= t->begins;
            if (!stack[depth++].complete) {
                e.event = NEST_BEGIN;
                e.name++;
                set_events[i++] = e;
            } else if (below(&set_chance, 30) == 0) {
                depth--; /* it has not ended when the trace does */
            }
        } else if (depth > 0 && below(&set_chance, 40) != 0) {
            depth--;
            if (stack[depth].complete) {
                e.event = NEST_COMPLETE;
                e.time = stack[depth].begin;
                e.name++;
            }
            set_events[i++] = e;
        } else if (below(&set_chance, 40) == 0) {
            set_events[i++] = e;
        }
        offset += (1 + below(&set_chance, t->apart)) * 8;
    }
    set_n_events = n;
    set_n_facts = 0;
}

void set_lose(void) {
    slow_nest_n_losses = below(&set_chance, 3) ? 0 : 1 + below(&set_chance, SLOW_NEST_LOSSES);
    for (size_t i = 0; i < slow_nest_n_losses; i++)
        slow_nest_losses[i] = set_events[below(&set_chance, set_n_events)].offset + 1;
}

void set_make(const struct set_taste *t, size_t n) {
    if (t->calls) {
        make_calls(t, n);
        set_lose();
        return;
    }
    int64_t now = t->unit == 1 ? (int64_t)below(&set_chance, 3) - 1 : -(t->unit << 8);
    uint64_t offset = 8;
    for (size_t i = 0; i < n; i++) {
        struct slow_event *e = &set_events[i];
        uint64_t selection = below(&set_chance, t->begins + t->ends + t->completes);
        now += (int64_t)below(&set_chance, t->steps) * t->unit;
        e->event = selection < t->begins             ? NEST_BEGIN
                   : selection < t->begins + t->ends ? NEST_END
                                                     : NEST_COMPLETE;
        e->time = e->end = now;
        if (t->late > 0 && below(&set_chance, t->late) == 0)
            e->time = e->end = now - (int64_t)below(&set_chance, t->how_late) * t->unit;
        if (e->event == NEST_COMPLETE) {
            int64_t length = (int64_t)below(&set_chance, t->longest + 1) * t->unit;
            e->end = e->time + length;
            if (t->settle % 2) { /* written when it ends, after its children */
                e->time -= length;
                e->end -= length;
            }
        }
        if (e->event == NEST_COMPLETE && t->unended > 0 && below(&set_chance, t->unended) == 0)
            e->end = SLOW_UNENDED;
        e->name = (uint32_t)below(&set_chance, t->names) + (e->event != NEST_END);
        e->offset = offset;
        offset += (1 + below(&set_chance, t->apart)) * 8;
    }
    set_n_events = n;
    set_n_facts = 0;
    set_lose();
}

void set_make_coarse(size_t most) {
    struct slow_event open[40];
    size_t depth = 0, n = 0;
    for (int64_t now = 0; n < most || depth > 0; now += (int64_t)below(&set_chance, 4)) {
        struct slow_event e = {NEST_END, now / 8, now / 8, 8 + 8 * n, 1};
        if (n < most && depth < sizeof open / sizeof *open && below(&set_chance, 2)) {
            e.event = below(&set_chance, 2) ? NEST_BEGIN : NEST_COMPLETE;
            open[depth++] = e;
            if (e.event == NEST_BEGIN)
                set_events[n++] = e;
        } else if (depth > 0) {
            if (open[--depth].event == NEST_COMPLETE) {
                e.event = NEST_COMPLETE;
                e.time = open[depth].time;
            }
            set_events[n++] = e;
        }
    }
    set_n_events = n;
    set_n_facts = 0;
}
