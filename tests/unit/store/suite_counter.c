/* suite_counter.c - series, their order and their extents, held against loops over all samples. */
#include "model/store/counter.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/fxt/fxt.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

#define MOST 9000 /* two levels of 64 */

static struct counter_sample thrown[MOST];

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static struct counter_sample sample(int64_t time, uint64_t offset, unsigned argument, uint8_t type,
                                    uint64_t bits) {
    return (struct counter_sample){{time, counter_place_of(offset, argument, type)}, bits};
}

static void throw_samples(struct chance *c, size_t n) {
    static const double odd[] = {NAN, INFINITY, -INFINITY, 0.0, -0.0};
    uint64_t late = below(c, 2) ? 0 : 1 + below(c, 100), range = 1 + below(c, 1000),
             odds = below(c, 3);
    int64_t now = -1000;
    for (size_t i = 0; i < n; i++) {
        uint8_t type = FXT_ARG_INT32 + (uint8_t)below(c, 5);
        uint64_t x = below(c, range);
        now += (int64_t)below(c, 3);
        if (type == FXT_ARG_DOUBLE)
            x = bits_of(below(c, 3) < odds ? odd[below(c, 5)] : (double)x / 3 - 40);
        else if (type == FXT_ARG_INT32 || type == FXT_ARG_INT64)
            x = (uint64_t)((int64_t)x - (int64_t)range / 2);
        thrown[i] = sample(now - (int64_t)below(c, late + 1), (i + 1) * 8, 0, type, x);
    }
}

static void check_extents(struct counter_series *s, struct chance *c, size_t n, int set) {
    counter_samples(s, &n);
    for (int turn = 0; turn < 60; turn++) {
        size_t i = below(c, n + 1), j = i + below(c, n - i + 1);
        double min = INFINITY, max = -INFINITY;
        size_t least, most;
        for (size_t k = i; k < j; k++) {
            double x = counter_value(&s->samples.v[k]);
            min = x < min ? x : min;
            max = x > max ? x : max;
        }
        int64_t from = below(c, 2) ? s->samples.v[below(c, n)].at.time
                                   : -2000 + (int64_t)below(c, 9000),
                to = from + (int64_t)below(c, 5000);
        double area = 0, time = 0, average;
        for (size_t k = 0; k < n; k++) { /* each value holds until the next sample */
            int64_t a = s->samples.v[k].at.time, b = k + 1 < n ? s->samples.v[k + 1].at.time : to;
            double x = counter_value(&s->samples.v[k]);
            a = a > from ? a : from;
            b = b < to ? b : to;
            area += isnan(x) || b <= a ? 0 : x * (double)(b - a);
            time += isnan(x) || b <= a ? 0 : (double)(b - a);
        }
        MUST(counter_average(s, from, to, &average) == (time > 0), set);
        MUST(time == 0 || fabs(average - area / time) <= 1e-9 * (1 + fabs(average)), set);
        bool any = counter_extent(s, i, j, &least, &most);
        MUST(any == (min <= max), set);
        MUST(!any || (least >= i && least < j && most >= i && most < j), set);
        MUST(!any || (counter_value(&s->samples.v[least]) == min &&
                      counter_value(&s->samples.v[most]) == max),
             set);
    }
}

START_TEST(a_series_answers_as_a_loop_over_it_does) {
    struct chance chance = {1234567};
    for (int set = 0; set < 60; set++) {
        struct counters counters = {0};
        size_t n = 1 + below(&chance, set % 10 == 0 ? MOST : 300), seen = 0;
        uint64_t ask = 1 + below(&chance, n);
        throw_samples(&chance, n);
        for (size_t i = 0; i < n; i++) {
            counters_add(&counters, 1, 2, 3, 4, &thrown[i]);
            if (below(&chance, ask) == 0) /* while loading */
                check_extents(counters.v.v[0], &chance, i + 1, set);
        }
        MUST(counters.v.n == 1 && counters.samples == n, set);
        struct counter_series *s = counters.v.v[0];
        const struct counter_sample *v = counter_samples(s, &seen);
        MUST(seen == n, set);
        for (size_t i = 0; i < n; i++) {
            MUST(i == 0 || v[i].at.time > v[i - 1].at.time ||
                     (v[i].at.time == v[i - 1].at.time &&
                      counter_offset(&v[i]) > counter_offset(&v[i - 1])),
                 set);
            const struct counter_sample *same = &thrown[counter_offset(&v[i]) / 8 - 1];
            MUST(same->at.time == v[i].at.time && same->bits == v[i].bits &&
                     counter_type(same) == counter_type(&v[i]),
                 set);
        }
        check_extents(s, &chance, n, set);
        for (int turn = 0; turn < 50; turn++) {
            int64_t t = v[below(&chance, n)].at.time + (int64_t)below(&chance, 3) - 1;
            size_t from = 0;
            while (from < n && v[from].at.time < t)
                from++;
            MUST(counter_from(s, t) == from, set);
        }
        counters_free(&counters);
    }
}
END_TEST

START_TEST(values_keep_all_bits_and_draw_as_the_nearest_double) {
    struct counter_sample s = sample(0, 8, 15, FXT_ARG_UINT64, UINT64_MAX);
    ck_assert_uint_eq(counter_offset(&s), 8);
    ck_assert_uint_eq(counter_argument(&s), 15);
    ck_assert_uint_eq(counter_type(&s), FXT_ARG_UINT64);
    ck_assert_uint_eq(s.bits, UINT64_MAX);
    ck_assert(counter_value(&s) == 18446744073709551616.0);
    s = sample(0, 8, 0, FXT_ARG_INT64, UINT64_C(1) << 63);
    ck_assert(counter_value(&s) == -9223372036854775808.0);
    s = sample(0, 8, 0, FXT_ARG_INT32, (uint64_t)(int64_t)INT32_MIN);
    ck_assert(counter_value(&s) == -2147483648.0);
    s = sample(0, 8, 0, FXT_ARG_UINT32, UINT32_MAX);
    ck_assert(counter_value(&s) == 4294967295.0);
    s = sample(0, 8, 0, FXT_ARG_DOUBLE, bits_of(-0.125));
    ck_assert(counter_value(&s) == -0.125);
    s = sample(0, 8, 0, FXT_ARG_DOUBLE, bits_of(INFINITY));
    ck_assert(isnan(counter_value(&s)));
}
END_TEST

START_TEST(the_least_of_large_integers_is_told_to_the_last_bit) {
    for (int is_signed = 0; is_signed < 2; is_signed++) {
        struct counters counters = {0};
        size_t least, most;
        for (uint64_t i = 0; i < 5000; i++) { /* through blocks and the rest */
            uint64_t near = i == 3210 ? 0 : i == 4990 ? 12 : 1 + i % 10;
            struct counter_sample s =
                sample((int64_t)i, i * 8, 0, is_signed ? FXT_ARG_INT64 : FXT_ARG_UINT64,
                       (is_signed ? (uint64_t)INT64_MIN : UINT64_MAX - 12) + near);
            counters_add(&counters, 1, 2, 3, 4, &s);
        }
        ck_assert(counter_extent(counters.v.v[0], 0, 5000, &least, &most));
        ck_assert_uint_eq(least, 3210);
        ck_assert_uint_eq(most, 4990);
        counters_free(&counters);
    }
}
END_TEST

START_TEST(differences_are_exact_however_large_the_values) {
    struct chance c = {99};
    for (int turn = 0; turn < 20000; turn++) {
        uint8_t type = FXT_ARG_INT32 + (uint8_t)below(&c, 4);
        bool is_signed = type == FXT_ARG_INT32 || type == FXT_ARG_INT64;
        uint64_t bits = (below(&c, UINT64_MAX) | below(&c, 2) << 63),
                 by = below(&c, UINT64_C(1) << 53);
        if (is_signed ? (int64_t)bits > INT64_MAX - (int64_t)by : bits > UINT64_MAX - by)
            continue;
        struct counter_sample a = sample(0, 8, 0, type, bits + by),
                              b = sample(0, 16, 0, type, bits);
        MUST(counter_difference(&a, &b) == (double)by, turn);
        MUST(counter_difference(&b, &a) == -(double)by, turn);
        char got[48], want[48];
        snprintf(want, sizeof want, "-%" PRIu64, by);
        MUST(counter_digits(&b, &a, got) && strcmp(got, by > 0 ? want : "0") == 0, turn);
        MUST(counter_digits(&a, &b, got) && strcmp(got, want + 1) == 0, turn);
        snprintf(want, sizeof want, is_signed ? "%" PRId64 : "%" PRIu64, bits);
        MUST(counter_digits(&b, NULL, got) && strcmp(got, want) == 0, turn);
    }
    struct counter_sample least = sample(0, 8, 0, FXT_ARG_INT64, (uint64_t)INT64_MIN),
                          most = sample(0, 16, 0, FXT_ARG_UINT64, UINT64_MAX),
                          half = sample(0, 24, 0, FXT_ARG_DOUBLE, bits_of(0.5));
    MUST(counter_difference(&most, &least) == 0x1.8p64 &&
             counter_difference(&least, &most) == -0x1.8p64,
         0);
    MUST(!signbit(counter_difference(&least, &least)) &&
             counter_difference(&half, &most) == -0x1p64,
         0);
    char digits[48];
    MUST(counter_digits(&most, &least, digits) && strcmp(digits, "27670116110564327423") == 0, 0);
    MUST(counter_digits(&least, &most, digits) && strcmp(digits, "-27670116110564327423") == 0, 0);
    MUST(counter_digits(&least, NULL, digits) && strcmp(digits, "-9223372036854775808") == 0, 0);
    MUST(counter_digits(&most, NULL, digits) && strcmp(digits, "18446744073709551615") == 0, 0);
    MUST(counter_digits(&least, &least, digits) && strcmp(digits, "0") == 0, 0);
    MUST(!counter_digits(&half, NULL, digits) && !counter_digits(&most, &half, digits), 0);
    struct counter_series series = {0};
    for (uint64_t i = 0; i < 10; i++)
        vec_push(&series.samples,
                 sample((int64_t)i, i * 8, 0, FXT_ARG_UINT64, UINT64_MAX - 20 + i));
    struct counter_series *steps = counter_derive(&series, false);
    for (size_t i = 0; i < steps->samples.n; i++)
        MUST(counter_value(&steps->samples.v[i]) == 1, (int)i);
    MUST(steps->samples.n == 9, 0);
    counter_series_free(steps);
    vec_free(&series.samples);
}
END_TEST

START_TEST(a_series_is_one_of_process_name_id_and_argument) {
    struct counters counters = {0};
    struct counter_sample s = sample(0, 8, 0, FXT_ARG_INT32, 1);
    for (int turn = 0; turn < 2; turn++)
        for (uint32_t key = 0; key < 16; key++)
            counters_add(&counters, key & 1, key >> 1 & 1, key >> 2 & 1, key >> 3 & 1, &s);
    ck_assert_uint_eq(counters.v.n, 16);
    ck_assert_uint_eq(counters.samples, 32);
    for (uint32_t key = 0; key < 16; key++)
        ck_assert_uint_eq(counters.v.v[key]->samples.n, 2);
    counters_free(&counters);
}
END_TEST

START_TEST(the_mean_of_the_greatest_values_is_between_them) {
    static const double values[] = {1e308, 1.7e308, -1.7e308, 1e308};
    struct counters counters = {0};
    double mean;
    for (int i = 0; i < 4; i++) {
        struct counter_sample s =
            sample(10 * (i + 1), 8 * ((uint64_t)i + 1), 0, FXT_ARG_DOUBLE, bits_of(values[i]));
        counters_add(&counters, 0, 0, 0, 0, &s);
    }
    ck_assert(counter_average(counters.v.v[0], 15, 55, &mean) && fabs(mean - 5e307) < 1e300);
    ck_assert(counter_average(counters.v.v[0], 22, 28, &mean) && fabs(mean - 1.7e308) < 1e300);
    counters_free(&counters);
}
END_TEST

START_TEST(the_mean_of_values_that_cancel_out_is_what_is_left) {
    enum { N = 300 }; /* two levels of the index */
    for (int set = 0; set < 20; set++) {
        struct counters counters = {0};
        struct chance c = {(uint64_t)set};
        int64_t left = 0, time = 0;
        double mean;
        for (int i = 0; i < N; i++) {
            int64_t size = INT64_MAX - (int64_t)below(&c, 1000), low = (int64_t)below(&c, 1000);
            int64_t values[] = {low - size, size};
            for (int k = 0; k < 2; k++, time += 1000000007) {
                uint64_t offset = 8 * (2 * (uint64_t)i + (uint64_t)k + 1);
                struct counter_sample s =
                    sample(time, offset, 0, FXT_ARG_INT64, (uint64_t)values[k]);
                counters_add(&counters, 0, 0, 0, 0, &s);
            }
            left += low;
        }
        MUST(counter_average(counters.v.v[0], 0, time, &mean), set);
        MUST(fabs(mean - (double)left / (2 * N)) < 1e-9, set);
        counters_free(&counters);
    }
}
END_TEST

/* One record may name an argument twice. */
START_TEST(samples_of_one_record_stay_in_its_order_when_others_come_late) {
    for (int late = 0; late < 2; late++) {
        struct counters counters = {0};
        size_t n;
        struct counter_sample s = sample(10, 800, 0, FXT_ARG_DOUBLE, bits_of(1.5));
        counters_add(&counters, 0, 0, 0, 0, &s);
        for (uint64_t i = 0; i < 14; i++) {
            s = sample(10, 800, (unsigned)i + 1, i % 2 ? FXT_ARG_INT32 : FXT_ARG_UINT64, 20 - i);
            counters_add(&counters, 0, 0, 0, 0, &s);
        }
        s = sample(late ? 9 : 10, 880, 0, FXT_ARG_INT32, 0);
        counters_add(&counters, 0, 0, 0, 0, &s);
        const struct counter_sample *v = counter_samples(counters.v.v[0], &n);
        ck_assert_uint_eq(n, 16);
        v += late;
        ck_assert_uint_eq(counter_type(&v[0]), FXT_ARG_DOUBLE);
        for (uint64_t i = 0; i < 14; i++)
            ck_assert_uint_eq(v[i + 1].bits, 20 - i);
        counters_free(&counters);
    }
}
END_TEST

SUITE(counter) {
    Suite *s = suite_create("counter");
    TCase *t = tcase_create("counter");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, a_series_answers_as_a_loop_over_it_does);
    tcase_add_test(t, values_keep_all_bits_and_draw_as_the_nearest_double);
    tcase_add_test(t, the_least_of_large_integers_is_told_to_the_last_bit);
    tcase_add_test(t, differences_are_exact_however_large_the_values);
    tcase_add_test(t, the_mean_of_the_greatest_values_is_between_them);
    tcase_add_test(t, the_mean_of_values_that_cancel_out_is_what_is_left);
    tcase_add_test(t, a_series_is_one_of_process_name_id_and_argument);
    tcase_add_test(t, samples_of_one_record_stay_in_its_order_when_others_come_late);
    suite_add_tcase(s, t);
    return s;
}
