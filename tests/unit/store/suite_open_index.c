/* suite_open_index.c - what is open, held against a list that is searched. */
#include "model/store/open_index.h"

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

#define MOST 600

struct member {
    uint64_t key[OPEN_INDEX_KEYS];
    uint32_t value, node;
};

static struct member members[MOST]; /* in the order they were added */
static size_t n_members;

#define TURNS 1500

static uint64_t keys_of[TURNS][OPEN_INDEX_KEYS]; /* by id */

static uint64_t key_of(const struct open_who *who, unsigned k) {
    return keys_of[who->id][k];
}

static void take_out(size_t i) {
    for (n_members--; i < n_members; i++)
        members[i] = members[i + 1];
}

static void compare(struct open_index *set, unsigned keys, uint64_t values, int number) {
    MUST(set->n == n_members, number);
    for (unsigned k = 0; k < keys; k++) {
        for (uint64_t key = 1; key <= values; key++) {
            uint32_t node = n_members ? open_index_latest(set, k, key << k) : 0;
            for (size_t i = n_members; i-- > 0;) {
                if (members[i].key[k] != key << k)
                    continue;
                MUST(node == members[i].node, number);
                MUST(open_index_node(set, node)->value == members[i].value, number);
                MUST(open_index_node(set, node)->more == ~members[i].value, number);
                MUST(open_index_node(set, node)->rank == members[i].value / 2, number);
                node = open_index_older(set, k, node);
            }
            MUST(node == 0, number);
        }
    }
}

START_TEST(what_is_open_is_what_was_added_and_not_removed) {
    struct chance chance = {2024};
    for (int number = 0; number < 60; number++) {
        struct open_index set;
        unsigned keys = 1 + (unsigned)below(&chance, OPEN_INDEX_KEYS);
        uint64_t values = 1 + below(&chance, number % 3 == 0 ? 200 : 4);
        size_t most = 1 + below(&chance, MOST);
        open_index_init(&set, keys, key_of);
        n_members = 0;
        for (uint32_t turn = 0; turn < TURNS; turn++) {
            bool add =
                n_members == 0 || (n_members < most && below(&chance, 2 + turn / 300 % 3) > 0);
            if (add) {
                struct member m = {.value = turn};
                for (unsigned k = 0; k < keys; k++)
                    m.key[k] = keys_of[turn][k] = (1 + below(&chance, values)) << k;
                m.node = open_index_add(&set, &(struct open_who){.id = turn}, m.key[0], m.value / 2,
                                        m.value, ~m.value);
                members[n_members++] = m;
            } else {
                size_t i = below(&chance, 2) ? n_members - 1 : below(&chance, n_members);
                open_index_remove(&set, members[i].node);
                take_out(i);
            }
            if (turn % 50 == 0)
                compare(&set, keys, values, number);
        }
        MUST(set.nodes.n <= most, number);
        open_index_free(&set);
    }
}
END_TEST

/* Growing splits few buckets an addition, and all of them before it grows again. Other keys are
 * known by the time that finding them all would take long. */
START_TEST(no_addition_takes_long) {
    struct open_index set;
    open_index_init(&set, 3, key_of);
    for (uint32_t i = 0; i < 3 * OPEN_INDEX_FEW; i++) {
        uint32_t half = set.half, split = set.split;
        open_index_add(&set, &(struct open_who){.id = i % TURNS}, i * UINT64_C(0x9e3779b97f4a7c15),
                       0, i, 0);
        if (set.half == half)
            MUST(set.split - split <= 8, (int)i);
        else
            MUST(split == half && set.split <= 8, (int)i);
        MUST((set.buckets[2] != NULL) == (i >= OPEN_INDEX_FEW), (int)i);
        MUST(open_index_node(&set, open_index_latest(&set, 0, i / 2 * UINT64_C(0x9e3779b97f4a7c15)))
                     ->value == i / 2,
             (int)i);
    }
    open_index_free(&set);
}
END_TEST

/* ---- families ---- */

static bool alike(const struct open_who *a, const struct open_who *b, unsigned k) {
    return (k < 1 || a->category == b->category) && (k < 2 || a->process == b->process);
}

static uint64_t key_of_family(const struct open_who *who, unsigned k) {
    return 1 + who->id + (k < 1 ? 0 : 100 * (1 + who->category)) +
           (k < 2 ? 0 : 10000 * (1 + who->process));
}

START_TEST(the_latest_of_a_family_is_the_latest_of_its_key) {
    struct chance chance = {20261201};
    static struct open_who all[MOST];
    for (int number = 0; number < 40; number++) {
        struct open_index set;
        uint32_t nodes[MOST], ids = 1 + (uint32_t)below(&chance, 60);
        open_index_init(&set, 3, key_of_family);
        for (uint32_t i = 0; i < MOST; i++) {
            all[i] = (struct open_who){.id = below(&chance, ids),
                                       .category = (uint32_t)below(&chance, 3),
                                       .process = (uint32_t)below(&chance, 1 + (size_t)number)};
            nodes[i] = open_index_add(&set, &all[i], key_of_family(&all[i], 0), 0, i, 0);
            for (unsigned k = 0; k < 3; k++) {
                struct open_who who = all[below(&chance, i + 1)];
                uint32_t family = open_index_latest(&set, 0, key_of_family(&who, 0)), want = i + 1;
                while (want > 0 && (all[want - 1].id != who.id || !alike(&all[want - 1], &who, k)))
                    want--;
                MUST(open_index_in_family(&set, family, &who, k, alike) == nodes[want - 1], number);
            }
        }
        open_index_free(&set);
    }
}
END_TEST

START_TEST(an_empty_set_has_nothing) {
    struct open_index set;
    open_index_init(&set, 3, key_of);
    for (unsigned k = 0; k < 3; k++)
        ck_assert_uint_eq(open_index_latest(&set, k, 7), 0);
    open_index_free(&set);
}
END_TEST

SUITE(open_index) {
    Suite *s = suite_create("open_index");
    TCase *t = tcase_create("open_index");
    tcase_add_test(t, what_is_open_is_what_was_added_and_not_removed);
    tcase_add_test(t, no_addition_takes_long);
    tcase_add_test(t, the_latest_of_a_family_is_the_latest_of_its_key);
    tcase_add_test(t, an_empty_set_has_nothing);
    suite_add_tcase(s, t);
    return s;
}
