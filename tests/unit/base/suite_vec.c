/* suite_vec.c - arrays that grow: their own, and borrowed ones. */
#include "src/base/vec.h"

#ifdef HAVE_MALLOPT
#include <malloc.h>
#endif
#include <stdint.h>

#include "tests/unit/lib/suites.h"

START_TEST(a_vector_holds_what_was_pushed_in_order) {
    struct {
        char odd[3];
    } element;
    VEC(uint64_t) words = {0};
    struct {
        char (*v)[3];
        size_t n, cap;
    } odd = {0};
    for (size_t i = 0; i < 10000; i++) {
        vec_push(&words, i * i);
        vec_reserve(&odd, odd.n + 1);
        odd.v[odd.n][0] = odd.v[odd.n][2] = (char)i;
        odd.n++;
    }
    ck_assert_uint_eq(words.n, 10000);
    for (size_t i = 0; i < words.n; i++) {
        ck_assert_uint_eq(words.v[i], i * i);
        ck_assert(odd.v[i][0] == (char)i && odd.v[i][2] == (char)i);
    }
    ck_assert_uint_eq(sizeof *odd.v, sizeof element);
    vec_free(&odd);
    vec_free(&words);
    ck_assert(words.v == NULL && words.n == 0 && words.cap == 0);
}
END_TEST

START_TEST(growth_is_amortised) {
    VEC(int) v = {0};
    size_t moved = 0, grown = 0;
    for (int i = 0; i < 1000000; i++) {
        size_t cap = v.cap;
        vec_push(&v, i);
        moved += v.cap != cap ? v.n - 1 : 0;
        grown += v.cap != cap;
    }
    ck_assert_uint_lt(grown, 40);
    ck_assert_uint_lt(moved, 4000000);
    ck_assert_uint_lt(v.cap, 1600000);
    vec_free(&v);
}
END_TEST

START_TEST(what_is_reserved_is_there_and_shrinks_nothing) {
    VEC(int) v = {0};
    vec_reserve(&v, 1000);
    ck_assert(v.cap >= 1000 && v.n == 0);
    size_t cap = v.cap;
    vec_reserve(&v, 10);
    ck_assert_uint_eq(v.cap, cap);
    vec_free(&v);
}
END_TEST

START_TEST(what_is_borrowed_is_copied_when_it_grows_and_never_freed) {
    int lent[3] = {1, 2, 3};
    VEC(int) v = {lent, 3, 0}, again = {lent, 3, 0};
    vec_push(&v, 4);
    v.v[0] = 9;
    ck_assert(v.v != lent && v.n == 4 && v.v[1] == 2 && v.v[2] == 3 && v.v[3] == 4);
    ck_assert_int_eq(lent[0], 1);
    vec_free(&v);
    vec_free(&again);
    ck_assert(again.v == NULL && lent[2] == 3);
}
END_TEST

static size_t mapped_alone(void) {
#ifdef HAVE_MALLOPT
    return mallinfo2().hblks;
#else
    return 0;
#endif
}

START_TEST(large_vectors_are_mapped_alone_whatever_was_freed) {
    VEC(uint64_t) v = {0};
    vec_map_large();
    size_t before = mapped_alone();
    void *large = err_malloc(64 << 20);
    bool counts = mapped_alone() > before; /* sanitizers have another allocator */
    free(large);
    free(err_malloc(30 << 20));
    before = mapped_alone();
    vec_reserve(&v, 1 << 20);
    ck_assert(!counts || mapped_alone() == before + 1);
    vec_free(&v);
}
END_TEST

START_TEST(large_zeros_are_mapped_and_not_cleared) {
#ifdef HAVE_MALLOPT
    static const size_t kb[] = {513, 880, 1000};
    vec_map_large();
    for (size_t i = 0; i < sizeof kb / sizeof *kb; i++) {
        size_t before = mapped_alone();
        void *large = err_malloc(64 << 20);
        bool counts = mapped_alone() > before;
        free(large);
        malloc_trim(0); /* what other tests have freed at the end of the heap */
        before = mapped_alone();
        void *zeros = err_calloc(kb[i], 1024);
        ck_assert(!counts || mapped_alone() == before + 1);
        free(zeros);
    }
#endif
}
END_TEST

SUITE(vec) {
    Suite *s = suite_create("vec");
    TCase *t = tcase_create("vec");
    tcase_add_test(t, a_vector_holds_what_was_pushed_in_order);
    tcase_add_test(t, growth_is_amortised);
    tcase_add_test(t, what_is_reserved_is_there_and_shrinks_nothing);
    tcase_add_test(t, what_is_borrowed_is_copied_when_it_grows_and_never_freed);
    tcase_add_test(t, large_vectors_are_mapped_alone_whatever_was_freed);
    tcase_add_test(t, large_zeros_are_mapped_and_not_cleared);
    suite_add_tcase(s, t);
    return s;
}
