/* suite_index_table.c - names, threads and index tables against the obvious way. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/fxt/index_table.h"
#include "src/fxt/names.h"
#include "src/fxt/threads.h"
#include "tests/lib/chance.h"
#include "tests/lib/suites.h"

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

START_TEST(threads_are_told_apart_by_all_that_names_them) {
    struct threads *threads = threads_new();
    uint32_t a = threads_intern(threads, &(struct thread_id){.pid = 1, .tid = 2});
    uint32_t b = threads_intern(threads, &(struct thread_id){.pid = UINT64_C(1) << 32 | 1, .tid = 2});
    uint32_t c = threads_intern(threads, &(struct thread_id){.tid = 2, .form = THREAD_TID});
    uint32_t d = threads_intern(threads, &(struct thread_id){.index = 9, .form = THREAD_UNDEFINED, .provider = 1});
    uint32_t e = threads_intern(threads, &(struct thread_id){.index = 9, .form = THREAD_UNDEFINED, .provider = 2});
    ck_assert_uint_eq(a, 0);
    ck_assert_uint_eq(b, 1);
    ck_assert_uint_eq(c, 2);
    ck_assert_uint_eq(d, 3);
    ck_assert_uint_eq(e, 4);
    ck_assert_uint_eq(threads_intern(threads, &(struct thread_id){.pid = 1, .tid = 2, .offset = 99}), a);
    threads_free(threads);
    threads_free(NULL);
}
END_TEST

/* Ids that have the same guess, and names whose first and last bytes are the same. */
START_TEST(a_guess_is_never_believed) {
    static const struct {
        enum thread_form form;
        uint64_t pid, tid;
    } ids[] = {{THREAD_PAIR, 0, 5},
               {THREAD_TID, 0, 5},
               {THREAD_PAIR, UINT64_C(1) << 32, 5},
               {THREAD_PAIR, 1, UINT64_C(1) << 32 | 5},
               {THREAD_PAIR, 0, UINT64_C(1) << 63 | 5}};
    struct threads *threads = threads_new();
    struct names *names = names_new();
    enum { IDS = sizeof ids / sizeof *ids };
    char name[] = "12345678 00 12345678";
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < IDS * IDS; i++) {
            uint32_t one = i / IDS < i % IDS ? i / IDS : i % IDS, other = i / IDS + i % IDS - one;
            ck_assert_uint_eq(threads_intern_ids(threads, ids[one].form, ids[one].pid, ids[one].tid, 8), one);
            ck_assert_uint_eq(threads_intern_ids(threads, ids[other].form, ids[other].pid, ids[other].tid, 8), other);
        }
        for (uint32_t i = 0; i < 100; i++) {
            name[9] = (char)('0' + i / 10);
            name[10] = (char)('0' + i % 10);
            ck_assert_uint_eq(names_intern(names, name, strlen(name)), 1 + i);
            ck_assert_uint_eq(names_intern(names, name, strlen(name)), 1 + i);
        }
        for (uint32_t i = 0; i < 100; i++) /* more entries: the guesses start again */
            threads_intern_ids(threads, THREAD_PAIR, 7 + round, i, 8);
    }
    ck_assert_uint_eq(threads_count(threads), IDS + 300);
    ck_assert_uint_eq(names_count(names), 101);
    threads_free(threads);
    names_free(names);
}
END_TEST

/* The last definition before an offset, by walking back over all of them. */
START_TEST(an_index_means_what_it_last_meant) {
    struct index_table t = {0};
    static uint32_t index[5000], value[5000];
    struct chance chance = {1};
    for (uint32_t i = 0; i < 5000; i++) {
        index[i] = i % 97 == 0 ? 0x7fff : 1 + (uint32_t)below(&chance, 300);
        value[i] = 1 + (uint32_t)below(&chance, 4);
        index_table_set(&t, index[i], (uint64_t)i * 8, value[i]);
        ck_assert_uint_eq(index_table_get(&t, index[i]), value[i]);
        for (uint32_t k = 1; k <= t.dense + 1; k++)
            ck_assert_uint_eq(index_table_get(&t, k), k <= t.dense ? t.near[k] : 0);
        if (i % 7 != 0)
            continue;
        uint32_t at = (uint32_t)below(&chance, i + 2), wanted = 0, look = index[below(&chance, i + 1)];
        for (uint32_t k = 0; k < at && k <= i; k++)
            if (index[k] == look)
                wanted = value[k];
        ck_assert_uint_eq(index_table_at(&t, look, (uint64_t)at * 8), wanted);
    }
    ck_assert_uint_eq(index_table_get(&t, 0x7ffe), 0);
    ck_assert_uint_eq(index_table_at(&t, 0x7ffe, UINT64_MAX / 4), 0);
    index_table_free(&t);
}
END_TEST

Suite *suite_index_table(void) {
    Suite *s = suite_create("index_table");
    TCase *t = tcase_create("index_table");
    tcase_add_test(t, a_name_has_one_number_and_keeps_its_bytes);
    tcase_add_test(t, threads_are_told_apart_by_all_that_names_them);
    tcase_add_test(t, a_guess_is_never_believed);
    tcase_add_test(t, an_index_means_what_it_last_meant);
    suite_add_tcase(s, t);
    return s;
}
