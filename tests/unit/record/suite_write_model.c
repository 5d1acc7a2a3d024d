/* suite_write_model.c - all interleavings of a small model of the write path (fxttrace(7),
 * "Chunks").
 *
 * Two writers, the helper and the manager run as state machines over a few words of shared memory.
 * A step ends at each load and at each atomic exchange. Stores wait in a buffer of their writer,
 * and reach the memory in any order that C11 allows: a release store after all earlier ones, others
 * whenever they like. The search visits each reachable state once. In each a manager reads the
 * buffer as if the writers were killed there. It has to find all records whose commit was executed,
 * none twice, none torn. The same search finds a violation if one order of the protocol is
 * broken. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/record/write_model.h"

/* ---- what holds in each state ---- */

/* The writers are killed here: their stores arrive, and the manager reads the buffer. */
static void check_death(const struct state *now) {
    struct state s = *now;
    bool circular = search.config->circular;
    unsigned set = circular ? 0 : s.got, expected = 0;
    for (unsigned k = 0; k < WRITERS; k++)
        model_drain_all(&s, &s.writers[k]);
    for (unsigned back = 2; back-- > 0;)
        if (back <= s.wrap && (circular || s.wrap - back >= s.saved))
            for (unsigned cell = 0; cell < search.config->cells; cell++)
                model_take_cell(&s, s.wrap - back, cell, &s.taken[(s.wrap - back) & 1][cell], &set);
    for (unsigned id = 0; id < RECORDS; id++)
        if (s.committed >> id & 1 && (!circular || s.record_wrap[id] + 1 >= s.wrap))
            expected |= 1u << id;
    if (set != expected)
        model_violate(expected & ~set ? "a committed record is lost"
                                      : "a record is there that was overwritten");
    model_check_durable(set, model_durable_bits(&s));
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
        model_violate("the model has too many states");
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

#define TRY(call)                                                                                  \
    do {                                                                                           \
        struct state next = s;                                                                     \
        if (call)                                                                                  \
            visit(&next);                                                                          \
    } while (0)

static void expand(struct state s) {
    for (unsigned k = 0; k < WRITERS; k++) {
        TRY(model_step_writer(&next, k));
        for (unsigned i = 0; i < s.writers[k].n; i++)
            if (model_may_drain(&s.writers[k], i))
                TRY((model_drain(&next, &next.writers[k], i), true));
    }
    TRY(model_step_helper(&next));
    TRY(model_stop(&next));
    TRY(model_step_manager(&next));
    TRY(model_step_snapshot(&next));
    for (unsigned back = 0; back < 2; back++)
        for (unsigned cell = 0; cell < search.config->cells; cell++)
            TRY(model_look(&next, back, cell));
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
    {"circular, two records a chunk", true, 1, 5, {4, 2}, 0, false, 0},
};
enum { CONFIGS = sizeof configs / sizeof *configs };

START_TEST(no_interleaving_loses_or_repeats_or_tears_a_record) {
    unsigned most_wrap = 0, snapshots = 0;
    bool dropped = false, stopped = false;
    for (int i = 0; i < CONFIGS; i++) {
        const char *violation = explore(&configs[i]);
        if (getenv("MODEL_STATES"))
            printf("%s: %zu states, wraps to %u\n", configs[i].name, search.states,
                   search.most_wrap);
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
    for (unsigned order = 1; order <= FREE_AT_ONCE; order *= 2) {
        const char *violation = NULL;
        for (int i = 0; i < CONFIGS && violation == NULL; i++) {
            struct config config = configs[i];
            config.broken = order;
            violation = explore(&config);
            if (getenv("MODEL_STATES") && violation)
                printf("%u: %s: %s after %zu states\n", order, config.name, violation,
                       search.states);
        }
        ck_assert_msg(violation != NULL, "no state shows that order %u is broken", order);
        ck_assert_msg(strncmp(violation, "the model", 9) != 0, "%s", violation);
    }
}
END_TEST

SUITE(write_model) {
    Suite *s = suite_create("write_model");
    TCase *c = tcase_create("write_model");
    tcase_set_timeout(c, 240);
    tcase_add_test(c, no_interleaving_loses_or_repeats_or_tears_a_record);
    tcase_add_test(c, each_broken_order_is_found);
    suite_add_tcase(s, c);
    return s;
}
