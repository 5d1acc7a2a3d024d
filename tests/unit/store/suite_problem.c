/* suite_problem.c - problems by kind: counted, the first by its byte, and a sentence each. */
#include "model/store/problem.h"

#include <ctype.h>
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

enum { MOST = 3000 };

static void compare(const struct problem *p, const struct problem_case *all, size_t n, int set) {
    MUST(p->count == n, set);
    MUST(problem_case_count(p) == (n < PROBLEM_KEPT ? n : PROBLEM_KEPT), set);
    size_t first = 0;
    for (size_t i = 0; i < n; i++)
        first = all[i].offset < all[first].offset ? i : first;
    MUST(n == 0 || (p->first_offset == all[first].offset && p->detail == all[first].detail), set);
    for (size_t i = 0; i < problem_case_count(p); i++) {
        const struct problem_case *c = problem_case(p, i);
        MUST(c->offset == all[i].offset && c->detail == all[i].detail, set);
        MUST(c->time == all[i].time && c->thread == all[i].thread, set);
    }
}

START_TEST(all_are_counted_and_the_first_thousand_kept) {
    static struct problem_case all[2][MOST];
    struct chance chance = {71};
    for (int set = 0; set < 60; set++) {
        struct problems some = {0}, more = {0};
        size_t n = below(&chance, set % 2 ? 20 : MOST / 2),
               m = below(&chance, set % 3 ? 20 : MOST / 2);
        for (size_t i = 0; i < n + m; i++) {
            struct problem_case c = {below(&chance, 1000) * 8, chance_next(&chance), (int64_t)i,
                                     (uint32_t)(i % 7), NULL};
            all[0][i] = c;
            problem_add(i < n ? &some : &more, PROBLEM_ZERO_SIZE, c.offset, c.detail, c.time,
                        c.thread);
        }
        compare(&some.kinds[PROBLEM_ZERO_SIZE], all[0], n, set);
        compare(&more.kinds[PROBLEM_ZERO_SIZE], all[0] + n, m, set);
        MUST(some.kinds[PROBLEM_NO_MAGIC].count == 0, set);
        problems_merge(&some, &more); /* as if they had been added one after the other */
        compare(&some.kinds[PROBLEM_ZERO_SIZE], all[0], n + m < MOST ? n + m : MOST, set);
        problems_free(&some);
        problems_free(&more);
        MUST(some.kinds[PROBLEM_ZERO_SIZE].count == 0, set);
    }
}
END_TEST

START_TEST(problems_come_before_notes) {
    bool seen[PROBLEM_KINDS] = {false}, notes = false;
    int n = 0, last = -1;
    for (int kind = problem_next_kind(PROBLEM_KINDS); kind < PROBLEM_KINDS;
         kind = problem_next_kind(kind), n++) {
        ck_assert(!seen[kind]);
        seen[kind] = true;
        ck_assert(problem_is_note(kind) || !notes);
        ck_assert(problem_is_note(kind) != notes || kind > last);
        notes = problem_is_note(kind);
        last = kind;
    }
    ck_assert_int_eq(n, PROBLEM_KINDS);
}
END_TEST

START_TEST(each_kind_has_a_name_of_its_own_and_a_sentence_with_its_number) {
    for (int kind = 0; kind < PROBLEM_KINDS; kind++) {
        const char *name = problem_name(kind);
        ck_assert_ptr_nonnull(name);
        for (const char *c = name; *c; c++)
            ck_assert_msg(islower((unsigned char)*c) || *c == '_', "%s", name);
        for (int other = 0; other < kind; other++)
            ck_assert_str_ne(name, problem_name(other));
        char a[96], b[96];
        struct problem one = {.count = 1, .detail = 123456789},
                       two = {.count = 1, .detail = UINT64_MAX};
        const char *said = problem_message(kind, &one, a);
        ck_assert_msg(strlen(said) > 5 && strlen(said) < 90 && said[strlen(said) - 1] != '.', "%s",
                      said);
        bool number = strstr(said, "123456789") != NULL || strstr(said, "75bcd15") != NULL ||
                      strstr(said, "123.5 ms") != NULL;
        ck_assert_int_eq(strcmp(said, problem_message(kind, &two, b)) != 0, number);
        ck_assert_ptr_null(strchr(said, '%'));
    }
}
END_TEST

SUITE(problem) {
    Suite *s = suite_create("problem");
    TCase *t = tcase_create("problem");
    tcase_add_test(t, all_are_counted_and_the_first_thousand_kept);
    tcase_add_test(t, problems_come_before_notes);
    tcase_add_test(t, each_kind_has_a_name_of_its_own_and_a_sentence_with_its_number);
    suite_add_tcase(s, t);
    return s;
}
