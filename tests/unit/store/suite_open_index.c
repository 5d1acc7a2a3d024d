/* suite_open_index.c - what is open, held against a list that is searched; logs that are derived from in pieces. */
#include "model/store/open_index.h"

#include <stdio.h>

#include "model/store/time_log.h"
#include "tests/lib/chance.h"
#include "tests/lib/must.h"
#include "tests/lib/suites.h"

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
            uint32_t node = n_members ? open_index_latest(set, k, key << k) : 0, count = 0;
            for (size_t i = n_members; i-- > 0;) {
                if (members[i].key[k] != key << k)
                    continue;
                MUST(node == members[i].node, number);
                MUST(open_index_node(set, node)->value == members[i].value, number);
                node = open_index_older(set, k, node);
                count++;
            }
            MUST(node == 0, number);
            if (k == 0 && count > 0)
                MUST(open_index_node(set, open_index_latest(set, 0, key))->rank == count, number);
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
            bool add = n_members == 0 || (n_members < most && below(&chance, 2 + turn / 300 % 3) > 0);
            if (add) {
                struct member m = {.value = turn};
                for (unsigned k = 0; k < keys; k++)
                    m.key[k] = keys_of[turn][k] = (1 + below(&chance, values)) << k;
                m.node = open_index_add(&set, &(struct open_who){.id = turn}, m.key[0],
                                        open_index_latest(&set, 0, m.key[0]), m.value);
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

START_TEST(an_empty_set_has_nothing) {
    struct open_index set;
    open_index_init(&set, 3, key_of);
    for (unsigned k = 0; k < 3; k++)
        ck_assert_uint_eq(open_index_latest(&set, k, 7), 0);
    open_index_free(&set);
}
END_TEST

/* ---- logs ---- */

struct mark {
    struct moment at;
    uint64_t value;
};

static bool in_order(const struct mark *v, size_t n) {
    for (size_t i = 1; i < n; i++)
        if (v[i].at.time < v[i - 1].at.time ||
            (v[i].at.time == v[i - 1].at.time && v[i].at.offset <= v[i - 1].at.offset))
            return false;
    return true;
}

START_TEST(a_log_in_pieces_is_derived_from_once_each_in_order) {
    struct chance chance = {77};
    for (int number = 0; number < 300; number++) {
        static struct mark v[MOST];
        struct time_log time_log = {0};
        uint64_t derived = 0; /* what a reader has summed up since it last began anew */
        size_t taken = 0, again = 0;
        uint64_t late = below(&chance, 4) ? below(&chance, 20) : 0;
        for (size_t n = 0; n < MOST;) {
            for (size_t more = 1 + below(&chance, 40); more > 0 && n < MOST; more--, n++)
                v[n] = (struct mark){{(int64_t)(n / 3) - (int64_t)below(&chance, late + 1), n * 8}, n + 1};
            size_t from;
            bool all = n == MOST || below(&chance, 10) == 0;
            if (!time_log_next(&time_log, v, n, sizeof *v, all, &from)) {
                MUST(!all || taken == n, number);
                continue;
            }
            MUST(from == 0 || from == taken, number);
            if (from == 0) {
                derived = 0;
                again += !all;
            }
            for (size_t i = from; i < n; i++)
                derived += v[i].value;
            taken = n;
            MUST(in_order(v, n), number);
            MUST(derived == (uint64_t)n * (n + 1) / 2, number);
        }
        MUST(taken == MOST, number);
        MUST(again <= 12, number); /* not more often than the log doubles */
        MUST(late > 0 || again <= 1, number);
    }
}
END_TEST

/* A file that grows, each piece with one entry a little late, and looked at after each. */
START_TEST(what_comes_a_little_late_costs_what_is_new) {
    enum { PIECES = 2000, PIECE = 50 };
    static struct moment log[PIECES * PIECE];
    struct time_log time_log = {0};
    size_t n = 0, derived = 0, from;
    for (int64_t piece = 0; piece < PIECES; piece++) {
        for (int64_t i = 0; i < PIECE; i++, n++) {
            log[n] = (struct moment){(piece * PIECE + i) * 10 - (i == PIECE / 2 ? 25 : 0), n};
            derived += time_log_follows(&time_log, log[n].time);
        }
        if (time_log_next(&time_log, log, n, sizeof *log, true, &from))
            derived += n - from;
        ck_assert_uint_eq(time_log.done, n);
    }
    for (size_t i = 1; i < n; i++)
        ck_assert_int_le(log[i - 1].time, log[i].time);
    ck_assert_uint_lt(derived, 4 * n);
}
END_TEST

Suite *suite_open_index(void) {
    Suite *s = suite_create("open_index");
    TCase *t = tcase_create("open_index");
    tcase_add_test(t, what_is_open_is_what_was_added_and_not_removed);
    tcase_add_test(t, an_empty_set_has_nothing);
    tcase_add_test(t, what_comes_a_little_late_costs_what_is_new);
    suite_add_tcase(s, t);
    t = tcase_create("time_log");
    tcase_add_test(t, a_log_in_pieces_is_derived_from_once_each_in_order);
    suite_add_tcase(s, t);
    return s;
}
