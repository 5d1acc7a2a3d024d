/* suite_vote.c - what a vote promises of the name that covers most, in any order and however votes
 * are merged. */
#include "model/store/vote.h"

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

#define NAMES 6
#define SLICES 200

struct piece {
    uint32_t name;
    uint64_t weight;
};

/* The candidate covers at least the surplus and at most half of total + surplus; any other at most
 * half of the rest. */
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
        v[i] = (struct piece){below(chance, 3) ? 0 : (uint32_t)below(chance, names),
                              below(chance, 1000)};
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

/* A surplus of half of all, or such a rest, decides although the rest of the pieces is not
 * known. */
START_TEST(a_part_can_decide) {
    struct chance chance = {43};
    struct piece v[SLICES];
    int decided = 0;
    for (int set = 0; set < 3000; set++) {
        size_t n = thrown(&chance, v), part = below(&chance, n + 1);
        uint64_t covered[NAMES] = {0}, total = 0, voted = 0;
        struct vote vote = VOTE_EMPTY;
        for (size_t i = 0; i < n; i++) {
            covered[v[i].name] += v[i].weight;
            total += v[i].weight;
            if (i < part) {
                vote_add(&vote, v[i].name, v[i].weight);
                voted += v[i].weight;
            }
        }
        decided += part < n && (vote.surplus * 2 >= total || (voted - vote.surplus) * 2 > total);
        if (vote.surplus > 0 && vote.surplus * 2 >= total)
            MUST(covered[vote.name] * 2 >= total, set);
        for (uint32_t name = 0; name < NAMES; name++)
            MUST((voted - vote.surplus) * 2 <= total || covered[name] * 4 < total * 3, set);
    }
    ck_assert_int_gt(decided, 500);
}
END_TEST

#define BLOCKS 1100

/* The votes of all levels hold for the blocks that they cover, after any cut; their rests are
 * hardly too small. */
START_TEST(levels_are_votes_of_their_blocks) {
    struct chance chance = {47};
    static struct piece v[BLOCKS];
    for (int set = 0; set < 200; set++) {
        struct votes votes = {0};
        unsigned shift = (unsigned)below(&chance, 40);
        size_t n = 0;
        for (int cut = 0; cut < 4; cut++) {
            for (size_t more = below(&chance, BLOCKS / 4); more > 0; more--) {
                if (votes_stale(&votes)) {
                    votes.run = VOTE_EMPTY;
                    for (size_t i = n - n % VOTE_FIRST; i < n; i++, votes.run.blocks++)
                        vote_add(&votes.run, v[i].name, v[i].weight);
                }
                uint64_t weight = below(&chance, 1000) << shift;
                v[n] =
                    (struct piece){below(&chance, 3) ? 0 : (uint32_t)below(&chance, NAMES), weight};
                bool full = votes_push(&votes, v[n].name, v[n].weight, v[n].weight);
                uint64_t busy = 0;
                MUST(full == (++n % VOTE_FIRST == 0), set);
                for (size_t i = 0; full && i < VOTE_FIRST; i++)
                    busy += v[n - 1 - i].weight;
                if (full)
                    votes_level(&votes, busy);
            }
            for (unsigned level = 0; level < VOTE_LEVELS; level++) {
                uint32_t size = votes_size(level) / VOTE_BLOCK, count;
                const struct vote *of = votes_of_level(&votes, level, &count);
                MUST(count == n / size, set);
                for (uint32_t k = 0; k < count; k++) {
                    uint64_t total = 0;
                    for (size_t i = (size_t)k * size; i < (size_t)(k + 1) * size; i++)
                        total += v[i].weight;
                    holds(&of[k], &v[(size_t)k * size], size, set);
                    MUST(vote_rest(&of[k]) <= total - of[k].surplus, set);
                    MUST(vote_rest(&of[k]) + (total >> 20) >= total - of[k].surplus, set);
                }
            }
            if (below(&chance, 4) > 0) {
                n -= below(&chance, 2) ? n > 0 : below(&chance, n + 1);
                votes_cut(&votes, n);
            }
        }
        votes_free(&votes);
    }
}
END_TEST

/* The vote of four blocks claims no more than what they cover: its surplus and its rest hold for
 * all names. */
START_TEST(the_vote_of_four_blocks_holds) {
    struct chance chance = {53};
    int named = 0;
    for (int set = 0; set < 20000; set++) {
        struct votes votes = {0};
        uint64_t covered[NAMES] = {0}, total = 0, busy[VOTE_FOUR] = {0};
        unsigned shift = (unsigned)below(&chance, 40), names = 1 + (unsigned)below(&chance, NAMES);
        for (size_t b = 0; b < VOTE_FOUR; b++) {
            struct vote vote = VOTE_EMPTY;
            for (int i = 0; i < 16; i++) {
                uint32_t name = (uint32_t)below(&chance, names);
                uint64_t dur = below(&chance, 1000) << shift;
                vote_add(&vote, name, dur);
                covered[name] += dur;
                busy[b] += dur;
            }
            total += busy[b];
            votes_push(&votes, vote.name, vote.surplus, busy[b]);
        }
        votes_add_four(&votes, busy);
        struct vote_four four = votes.fours.v[0];
        uint64_t surplus = vote_time(four.surplus), rest = vote_time(four.rest);
        MUST(surplus + rest <= total, set);
        MUST(surplus + rest + total / 8 + 1000 >= total, set);
        MUST(surplus == 0 || covered[four.name] >= surplus, set);
        for (uint32_t name = 0; name < NAMES; name++)
            MUST(total - covered[name] >= rest / 2, set);
        named += surplus * 2 > total;
        votes_cut(&votes, 3);
        MUST(votes.fours.n == 0, set);
        votes_free(&votes);
    }
    ck_assert_int_gt(named, 1000);
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

SUITE(vote) {
    Suite *s = suite_create("vote");
    TCase *t = tcase_create("vote");
    tcase_add_test(t, the_bounds_of_a_vote_hold);
    tcase_add_test(t, the_bounds_survive_merging);
    tcase_add_test(t, a_part_can_decide);
    tcase_add_test(t, levels_are_votes_of_their_blocks);
    tcase_add_test(t, the_vote_of_four_blocks_holds);
    tcase_add_test(t, a_majority_is_the_candidate);
    suite_add_tcase(s, t);
    return s;
}
