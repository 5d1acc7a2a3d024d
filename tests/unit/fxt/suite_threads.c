/* suite_threads.c - interned threads: each has one number, whatever its ids look like. */
#include "src/fxt/threads.h"

#include <stdbool.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

START_TEST(threads_are_told_apart_by_all_that_names_them) {
    struct threads *threads = threads_new();
    uint32_t a = threads_intern(threads, &(struct thread_id){.pid = 1, .tid = 2});
    uint32_t b =
        threads_intern(threads, &(struct thread_id){.pid = UINT64_C(1) << 32 | 1, .tid = 2});
    uint32_t c = threads_intern(threads, &(struct thread_id){.tid = 2, .form = THREAD_TID});
    uint32_t d = threads_intern(
        threads, &(struct thread_id){.index = 9, .form = THREAD_UNDEFINED, .provider = 1});
    uint32_t e = threads_intern(
        threads, &(struct thread_id){.index = 9, .form = THREAD_UNDEFINED, .provider = 2});
    ck_assert_uint_eq(a, 0);
    ck_assert_uint_eq(b, 1);
    ck_assert_uint_eq(c, 2);
    ck_assert_uint_eq(d, 3);
    ck_assert_uint_eq(e, 4);
    ck_assert_uint_eq(
        threads_intern(threads, &(struct thread_id){.pid = 1, .tid = 2, .offset = 99}), a);
    threads_free(threads);
    threads_free(NULL);
}
END_TEST

START_TEST(a_guess_is_never_believed) { /* all of these ids have the same */
    static const struct {
        enum thread_form form;
        uint64_t pid, tid;
    } ids[] = {{THREAD_PAIR, 0, 5},
               {THREAD_TID, 0, 5},
               {THREAD_PAIR, UINT64_C(1) << 32, 5},
               {THREAD_PAIR, 1, UINT64_C(1) << 32 | 5},
               {THREAD_PAIR, 0, UINT64_C(1) << 63 | 5}};
    enum { IDS = sizeof ids / sizeof *ids };
    struct threads *threads = threads_new();
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < IDS * IDS; i++) {
            uint32_t one = i / IDS < i % IDS ? i / IDS : i % IDS, other = i / IDS + i % IDS - one;
            ck_assert_uint_eq(
                threads_intern_ids(threads, 0, ids[one].form, ids[one].pid, ids[one].tid, 8), one);
            ck_assert_uint_eq(
                threads_intern_ids(threads, 0, ids[other].form, ids[other].pid, ids[other].tid, 8),
                other);
        }
        for (uint32_t i = 0; i < 100; i++) /* more entries: the guesses start again */
            threads_intern_ids(threads, 0, THREAD_PAIR, 7 + round, i, 8);
    }
    ck_assert_uint_eq(threads_count(threads), IDS + 300);
    threads_free(threads);
}
END_TEST

static struct thread_id any_id(struct chance *chance) {
    struct thread_id id = {.form = (uint8_t)below(chance, 3), .offset = 8 * below(chance, 1000)};
    if (id.form == THREAD_UNDEFINED) {
        id.index = (uint8_t)below(chance, 4);
        id.provider = (uint32_t)below(chance, 3);
    } else {
        id.pid = id.form == THREAD_PAIR ? below(chance, 5) << below(chance, 2) * 32 : 0;
        id.tid = below(chance, 20) << below(chance, 2) * 40;
    }
    return id;
}

static bool equal(const struct thread_id *a, const struct thread_id *b) {
    return a->form == b->form && a->pid == b->pid && a->tid == b->tid && a->index == b->index &&
           a->provider == b->provider;
}

START_TEST(threads_have_the_numbers_that_a_search_gives) {
    enum { MOST = 1000 };
    static struct thread_id list[MOST];
    struct chance chance = {163};
    struct threads *threads = threads_new();
    uint32_t known = 0;
    for (int turn = 0; turn < 20000; turn++) {
        struct thread_id id = any_id(&chance);
        uint32_t i = 0;
        while (i < known && !equal(&list[i], &id))
            i++;
        MUST(threads_find(threads, &id) == (i < known ? i : NO_THREAD), turn);
        if (below(&chance, 2))
            continue;
        bool brief = id.form != THREAD_UNDEFINED && below(&chance, 2);
        uint32_t got = brief ? threads_intern_ids(threads, 0, (enum thread_form)id.form, id.pid,
                                                  id.tid, id.offset)
                             : threads_intern(threads, &id);
        MUST(got == i, turn);
        if (i == known)
            list[known++] = id;
        MUST(threads_count(threads) == known, turn);
        MUST(equal(threads_id(threads, i), &id) && threads_id(threads, i)->offset == list[i].offset,
             turn);
    }
    threads_free(threads);
}
END_TEST

SUITE(threads) {
    Suite *s = suite_create("threads");
    TCase *t = tcase_create("threads");
    tcase_add_test(t, threads_are_told_apart_by_all_that_names_them);
    tcase_add_test(t, a_guess_is_never_believed);
    tcase_add_test(t, threads_have_the_numbers_that_a_search_gives);
    suite_add_tcase(s, t);
    return s;
}
