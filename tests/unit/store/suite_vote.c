/* suite_vote.c - what a vote promises of the name that covers most, in any order and however votes are merged. */
#include "model/store/vote.h"

#include "tests/lib/chance.h"
#include "tests/lib/must.h"
#include "tests/lib/suites.h"

#define NAMES 6
#define SLICES 200

struct piece {
    uint32_t name;
    uint64_t weight;
};

/* The candidate covers at least the surplus and at most half of total + surplus; any other at most half of the rest. */
static void holds(const struct vote *v, const struct piece *pieces, size_t n, long long set) {
    uint64_t covered[NAMES] = {0}, total = 0;
    for (size_t i = 0; i < n; i++) {
        covered[pieces[i].name] += pieces[i].weight;
        total += pieces[i].weight;
    }
    for (uint32_t name = 0; name < NAMES; name++)
        if (name == v->name && v->surplus > 0)
            MUST(covered[name] >= v->surplus && covered[name] * 2 <= total + v->surplus, set);
        else
            MUST(covered[name] * 2 <= total - v->surplus, set);
}

static size_t thrown(struct chance *chance, struct piece v[SLICES]) {
    size_t n = 1 + (size_t)below(chance, SLICES);
    uint32_t names = 1 + (uint32_t)below(chance, NAMES);
    for (size_t i = 0; i < n; i++)
        v[i] = (struct piece){below(chance, 3) ? 0 : (uint32_t)below(chance, names), below(chance, 1000)};
    return n;
}

START_TEST(the_bounds_of_a_vote_hold) {
    struct chance chance = {31};
    struct piece v[SLICES];
    for (int set = 0; set < 3000; set++) {
        size_t n = thrown(&chance, v);
        struct vote vote = VOTE_EMPTY;
        for (size_t i = 0; i < n; i++)
            vote_add(&vote, v[i].name, v[i].weight);
        holds(&vote, v, n, set);
    }
}
END_TEST

START_TEST(the_bounds_survive_merging) {
    struct chance chance = {37};
    struct piece v[SLICES];
    for (int set = 0; set < 3000; set++) {
        size_t n = thrown(&chance, v);
        struct vote parts[8], merged = VOTE_EMPTY;
        for (int k = 0; k < 8; k++)
            parts[k] = VOTE_EMPTY;
        for (size_t i = 0; i < n; i++)
            vote_add(&parts[below(&chance, 8)], v[i].name, v[i].weight);
        for (int k = 0, first = (int)below(&chance, 8); k < 8; k++)
            vote_add(&merged, parts[(first + k) % 8].name, parts[(first + k) % 8].surplus);
        holds(&merged, v, n, set);
    }
}
END_TEST

START_TEST(a_majority_is_the_candidate) {
    struct chance chance = {41};
    for (int set = 0; set < 2000; set++) {
        struct vote vote = VOTE_EMPTY;
        uint64_t rest = 1000, mine = 1001;
        while (rest + mine > 0) {
            uint64_t part = 1 + below(&chance, 50);
            bool own = rest == 0 || (mine > 0 && below(&chance, 2));
            uint64_t *left = own ? &mine : &rest;
            part = part < *left ? part : *left;
            vote_add(&vote, own ? 7 : 1 + (uint32_t)below(&chance, 3), part);
            *left -= part;
        }
        MUST(vote.name == 7 && vote.surplus > 0, set);
    }
}
END_TEST

Suite *suite_vote(void) {
    Suite *s = suite_create("vote");
    TCase *t = tcase_create("vote");
    tcase_add_test(t, the_bounds_of_a_vote_hold);
    tcase_add_test(t, the_bounds_survive_merging);
    tcase_add_test(t, a_majority_is_the_candidate);
    suite_add_tcase(s, t);
    return s;
}
