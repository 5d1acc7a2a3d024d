/* suite_names.c - interned names: each has one number, and its bytes stay. */
#include "src/fxt/names.h"

#include <stdio.h>
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

START_TEST(a_name_has_one_number_and_keeps_its_bytes) {
    struct names *names = names_new();
    char text[64];
    ck_assert_uint_eq(names_intern(names, "", 0), 0);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 20000; i++) {
            int n = snprintf(text, sizeof text, "name %d%c%d", i, 0, i * 7);
            uint32_t id = names_intern(names, text, (size_t)n);
            ck_assert_uint_eq(id, (uint32_t)i + 1);
            ck_assert(str_eq(names_str(names, id), (struct str){text, (size_t)n}));
        }
    }
    ck_assert_uint_eq(names_find(names, "no such", 7), UINT32_MAX);
    static char longest[300000]; /* larger than what names are kept in otherwise */
    memset(longest, 'n', sizeof longest);
    uint32_t id = names_intern(names, longest, sizeof longest);
    ck_assert(str_eq(names_str(names, id), (struct str){longest, sizeof longest}));
    ck_assert_uint_eq(names_intern(names, longest, sizeof longest), id);
    names_free(names);
    names = names_new(); /* also as the first of all */
    ck_assert_uint_eq(names_intern(names, longest, sizeof longest), 1);
    names_free(names);
    names_free(NULL);
}
END_TEST

/* Their first and last bytes and lengths are the same, so that each has the guess of another. */
START_TEST(a_guess_is_never_believed) {
    struct names *names = names_new();
    char name[] = "12345678 00 12345678";
    for (int round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < 100; i++) {
            name[9] = (char)('0' + i / 10);
            name[10] = (char)('0' + i % 10);
            ck_assert_uint_eq(names_intern(names, name, strlen(name)), 1 + i);
            ck_assert_uint_eq(names_intern(names, name, strlen(name)), 1 + i);
        }
    }
    ck_assert_uint_eq(names_count(names), 101);
    names_free(names);
}
END_TEST

START_TEST(names_of_any_bytes_are_told_apart_as_a_search_does) {
    enum { MOST = 3000 };
    static char list[MOST][6];
    static size_t n[MOST];
    struct chance chance = {161};
    struct names *names = names_new();
    uint32_t known = 1; /* [0] is the empty one */
    for (int turn = 0; turn < 20000; turn++) {
        char name[6];
        size_t length = below(&chance, sizeof name + 1);
        uint32_t i = 0;
        for (size_t k = 0; k < length; k++)
            name[k] = "ab\0\xFF"[below(&chance, 4)];
        while (i < known && !(n[i] == length && memcmp(list[i], name, length) == 0))
            i++;
        MUST(names_find(names, name, length) == (i < known ? i : UINT32_MAX), turn);
        if (below(&chance, 3) || known == MOST)
            continue;
        MUST(names_intern(names, name, length) == i, turn);
        if (i == known) {
            memcpy(list[i], name, length);
            n[i] = length;
            known++;
        }
        MUST(names_count(names) == known, turn);
    }
    for (uint32_t i = 0; i < known; i++)
        MUST(str_eq(names_str(names, i), (struct str){list[i], n[i]}), i);
    MUST(known > 1000 && names_bytes(names) > known * 4);
    names_free(names);
}
END_TEST

SUITE(names) {
    Suite *s = suite_create("names");
    TCase *t = tcase_create("names");
    tcase_add_test(t, a_name_has_one_number_and_keeps_its_bytes);
    tcase_add_test(t, a_guess_is_never_believed);
    tcase_add_test(t, names_of_any_bytes_are_told_apart_as_a_search_does);
    suite_add_tcase(s, t);
    return s;
}
