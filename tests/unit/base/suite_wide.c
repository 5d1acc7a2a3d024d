/* suite_wide.c - 128-bit numbers: what the compiler computes, where it can. */
#define WIDE_PORTABLE
#include "src/base/wide.c" /* mul_portable, div_portable */
#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

static struct chance chance = {0x2545f4914f6cdd1d};

static uint64_t random_bits(void) { /* of every length, often at the edges */
    switch (chance_next(&chance) % 8) {
    case 0:
        return UINT64_MAX - chance_next(&chance) % 3;
    case 1:
        return ((uint64_t)1 << chance_next(&chance) % 64) - chance_next(&chance) % 2;
    default:
        return chance_next(&chance) >> chance_next(&chance) % 64;
    }
}

#ifdef __SIZEOF_INT128__
typedef unsigned __int128 u128;

static u128 wide_value(struct wide a) {
    return (u128)a.hi << 64 | a.lo;
}

START_TEST(arithmetic_is_the_compilers) {
    for (int i = 0; i < 1000000; i++) {
        uint64_t x = random_bits(), y = random_bits();
        struct wide a = {chance_next(&chance) % 4 == 0 ? 0 : random_bits(), random_bits()};
        struct wide b = {chance_next(&chance) % 4 == 0 ? a.hi : random_bits(), random_bits()};
        u128 va = wide_value(a), vb = wide_value(b);
        MUST(wide_value(wide_mul(x, y)) == (u128)x * y);
        MUST(wide_value(mul_portable(x, y)) == (u128)x * y);
        if (y > 0) {
            MUST(wide_value(wide_div(a, y)) == va / y);
            MUST(wide_value(div_portable(a, y)) == va / y);
        }
        if (y > 0 && va >> 64 < y) {
            MUST(wide_value(wide_scale((struct wide){0, x}, a.lo, y, b.lo >> 1)) ==
                 ((u128)x * a.lo + (b.lo >> 1)) / y);
            MUST(wide_value(wide_scale(a, y, y, 0)) == va);
        }
        MUST(wide_value(wide_add(a, (int64_t)x)) == va + (u128)(__int128)(int64_t)x);
        MUST(wide_value(wide_sub(a, b)) == va - vb);
        MUST(wide_cmp(a, b) == (va < vb ? -1 : va > vb));
        int64_t limit = (int64_t)(y >> 1);
        u128 size = va < vb ? vb - va : va - vb;
        int64_t clamped = size > (u128)limit ? limit : (int64_t)size;
        MUST(wide_diff(a, b, limit) == (va < vb ? -clamped : clamped));
    }
}
END_TEST
#endif

START_TEST(division_undoes_the_product) { /* also where the compiler has no 128 bits */
    for (int i = 0; i < 200000; i++) {
        uint64_t x = random_bits(), y = random_bits();
        if (y == 0)
            continue;
        struct wide p = mul_portable(x, y);
        struct wide q = div_portable(p, y);
        MUST(q.hi == 0 && q.lo == x);
        q = div_portable(wide_add(p, -1), y);
        MUST(x == 0 || (q.hi == 0 && q.lo == x - 1));
        struct wide same = wide_mul(x, y);
        MUST(same.hi == p.hi && same.lo == p.lo);
    }
}
END_TEST

START_TEST(text_is_decimal) {
    char buf[40];
    ck_assert_str_eq(wide_text((struct wide){0, 0}, buf), "0");
    ck_assert_str_eq(wide_text((struct wide){0, 10}, buf), "10");
    ck_assert_str_eq(wide_text((struct wide){0, UINT64_MAX}, buf), "18446744073709551615");
    ck_assert_str_eq(wide_text((struct wide){1, 0}, buf), "18446744073709551616");
    ck_assert_str_eq(wide_text((struct wide){UINT64_MAX, UINT64_MAX}, buf),
                     "340282366920938463463374607431768211455");
    ck_assert_str_eq(wide_text(wide_mul(UINT64_MAX, 1000000000), buf),
                     "18446744073709551615000000000");
}
END_TEST

START_TEST(a_difference_is_clamped_to_its_limit) {
    struct wide zero = {0, 0}, top = {UINT64_MAX, UINT64_MAX};
    ck_assert_int_eq(wide_diff(top, zero, INT64_MAX), INT64_MAX);
    ck_assert_int_eq(wide_diff(zero, top, INT64_MAX), -INT64_MAX);
    ck_assert_int_eq(wide_diff((struct wide){1, 0}, (struct wide){0, UINT64_MAX}, 5), 1);
    ck_assert_int_eq(wide_diff((struct wide){0, UINT64_MAX}, (struct wide){1, 4}, 5), -5);
    ck_assert_int_eq(wide_diff(top, zero, 0), 0);
}
END_TEST

SUITE(wide) {
    Suite *s = suite_create("wide");
    TCase *t = tcase_create("numbers");
    tcase_set_timeout(t, 60);
#ifdef __SIZEOF_INT128__
    tcase_add_test(t, arithmetic_is_the_compilers);
#endif
    tcase_add_test(t, division_undoes_the_product);
    tcase_add_test(t, text_is_decimal);
    tcase_add_test(t, a_difference_is_clamped_to_its_limit);
    suite_add_tcase(s, t);
    return s;
}
