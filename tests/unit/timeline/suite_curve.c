/* suite_curve.c - the samples of a counter as its mode shows them, and numbers as text. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/keep/keep_state.h"
#include "ui/timeline/kinds/curve.h"
#include "ui/timeline/track_ops.h"
#include "ui/timeline/tracks.h"

static const char samples[] = "magic\n"
                              "init 1000000000\n"
                              "counter 0 5/6 \"c\" \"n\" x=i64:10 id=0\n"
                              "counter 1000000000 5/6 \"c\" \"n\" x=i64:16 id=0\n"
                              "counter 3000000000 5/6 \"c\" \"n\" x=i64:12 id=0\n"
                              "counter 3500000000 5/6 \"c\" \"n\" x=i64:-3 id=0\n";

static const struct counter_sample *values(size_t *n) {
    return counter_samples(curve_series(&shown, 0, NULL), n);
}

static double change(const struct counter_sample *v, int i) {
    return counter_value(&v[i]) - counter_value(&v[i - 1]);
}

START_TEST(deltas_and_rates_are_of_the_samples) {
    size_t n, m;
    shown_text(samples, 100, 30);
    tracks_find(&shown, "n");
    struct counter_sample raw[4];
    memcpy(raw, values(&n), sizeof raw);
    ck_assert_uint_eq(n, 4);
    curve_set_mode(&shown, "delta");
    const struct counter_sample *v = values(&m);
    ck_assert_uint_eq(m, 3);
    for (int i = 1; i < 4; i++) {
        ck_assert_int_eq(v[i - 1].at.time, raw[i].at.time);
        ck_assert_double_eq(counter_value(&v[i - 1]), change(raw, i));
    }
    curve_set_mode(&shown, "rate");
    v = values(&m);
    ck_assert_uint_eq(m, 3);
    for (int i = 1; i < 4; i++)
        ck_assert_double_eq_tol(
            counter_value(&v[i - 1]),
            change(raw, i) * 1e9 / (double)(raw[i].at.time - raw[i - 1].at.time), 1e-9);
    curve_set_mode(&shown, "other");
    ck_assert(shown.message.is_error);
    curve_set_mode(&shown, "value");
    v = values(&m);
    ck_assert_uint_eq(m, 4);
    ck_assert_double_eq(counter_value(&v[3]), -3);
    shown_close();
}
END_TEST

START_TEST(a_sample_holds_until_the_next_one) {
    size_t n;
    shown_text(samples, 100, 30);
    struct counter_series *s = curve_series(&shown, 0, NULL);
    const struct counter_sample *v = counter_samples(s, &n);
    ck_assert_ptr_null(curve_at(s, v[0].at.time - 1));
    for (size_t i = 0; i < n; i++) {
        ck_assert_ptr_eq(curve_at(s, v[i].at.time), &v[i]);
        ck_assert_ptr_eq(curve_at(s, i + 1 < n ? v[i + 1].at.time - 1 : INT64_MAX), &v[i]);
    }
    shown_close();
}
END_TEST

START_TEST(four_digits_are_within_half_of_the_last) {
    struct chance chance = {99};
    for (int set = 0; set < 20000; set++) {
        char buf[24], *end;
        double x = ldexp((double)(int64_t)chance_star(&chance), -(int)below(&chance, 80)),
               factor = 1;
        ck_assert_ptr_eq(curve_number(x, buf), buf);
        double y = strtod(buf, &end);
        MUST(strlen(buf) <= 10, set);
        for (const char *u = " kMGTPE"; *end && *u && *u != *end; u++)
            factor *= 1000;
        factor *= *end ? 1000 : 1;
        MUST(fabs(y * (*end ? factor / 1000 : 1) - x) <= fabs(x) * 0.00501 + 1e-300, set);
    }
    char buf[24];
    ck_assert_str_eq(curve_number(0, buf), "0");
    ck_assert_str_eq(curve_number(9999, buf), "9999");
    ck_assert_str_eq(curve_number(12345, buf), "12.35k");
    ck_assert_str_eq(curve_number(NAN, buf), "NaN");
}
END_TEST

START_TEST(large_integers_keep_their_digits_or_their_difference) {
    char buf[32];
    size_t n;
    shown_text("magic\ninit 1000000000\n"
               "counter 0 5/6 \"c\" \"n\" x=u64:18446744073709551609 id=0\n"
               "counter 9 5/6 \"c\" \"n\" x=u64:18446744073709551615 id=0\n",
               100, 30);
    const struct counter_sample *v = values(&n);
    ck_assert_str_eq(curve_text(&v[1], NULL, 20, buf), "18446744073709551615");
    ck_assert_str_eq(curve_text(&v[1], &v[0], 19, buf), "min+6");
    ck_assert_str_ne(curve_text(&v[0], &v[0], 19, buf), "min+0");
    shown_close();
}
END_TEST

START_TEST(a_range_is_two_numbers_in_order) {
    static const char *const bad[] = {"",     "..",     "1..",    "..1",    "5..1", "1..1",
                                      "a..b", "1..nan", "0..inf", "1...2x", "0,5"};
    shown_text(samples, 100, 30);
    tracks_find(&shown, "n");
    curve_set_scale(&shown, "0.5..1e3");
    struct curve *c = curve_of(&shown.timeline, 0);
    ck_assert_int_eq((int)c->scale, CURVE_FIXED);
    ck_assert_double_eq(c->lo, 0.5);
    ck_assert_double_eq(c->hi, 1000);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        shown.message.is_error = false;
        curve_set_scale(&shown, bad[i]);
        ck_assert_msg(shown.message.is_error, "%s", bad[i]);
        ck_assert_double_eq(curve_of(&shown.timeline, 0)->hi, 1000);
    }
    curve_set_scale(&shown, "log");
    ck_assert_int_eq((int)curve_of(&shown.timeline, 0)->scale, CURVE_LOG);
    shown_close();
}
END_TEST

static const char group[] = "magic\ninit 1000000000\n"
                            "counter 0 5/6 \"c\" \"mem 0\" id=1 used=i32:10\n"
                            "counter 0 5/6 \"c\" \"mem 12\" id=1 used=i32:1000\n"
                            "counter 0 5/6 \"c\" \"memory\" id=1 used=i32:7\n"
                            "counter 0 7/8 \"c\" \"mem 0\" id=1 used=i32:5000\n"
                            "counter 100 5/6 \"c\" \"mem 0\" id=1 used=i32:20\n";

START_TEST(counters_of_one_name_share_a_scale) {
    double lo, hi;
    shown_text(group, 100, 40);
    shown_keys("7tmem 12<Enter>:scale shared<Enter>");
    ck_assert(shown_has("2 counters share the scale"));
    ck_assert(curve_group_extent(&shown, 1, NULL, &lo, &hi) && lo == 10 && hi == 1000);
    ck_assert(curve_group_extent(&shown, 3, NULL, &lo, &hi) && lo == 5000 && hi == 5000);
    ck_assert_int_eq(curve_of(&shown.timeline, 0)->scale, CURVE_SHARED);
    ck_assert_int_eq(curve_of(&shown.timeline, 2)->scale, CURVE_FIT);
    shown_keys(":scale zero<Enter>"); /* all leave it */
    ck_assert_int_eq(curve_of(&shown.timeline, 0)->scale, CURVE_ZERO);
    shown_keys("tmemory<Enter>:scale shared<Enter>");
    ck_assert(shown_has("no other counter of the process has this name"));
    shown_close();
}
END_TEST

#define MEMBERS 30
#define TIMES 20

/* Samples of two groups, the values of each member about its own middle. */
static char *many(int32_t v[2][MEMBERS][TIMES], struct chance chance) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\ninit 1000000000\n", f);
    for (int t = 0; t < TIMES; t++)
        for (int i = 0; i < MEMBERS * 2; i++) {
            int32_t *value = &v[i % 2][i / 2][t];
            *value = (int32_t)below(&chance, 1024) - (i / 2) * 40;
            fprintf(f, "counter %d 5/6 \"c\" \"%s %d\" id=1 x=i32:%d\n", t * 1000,
                    i % 2 ? "load" : "heat", i / 2, *value);
        }
    fclose(f);
    return text;
}

/* Each window has the extent that a look at all samples finds, also with two groups in turns. */
START_TEST(a_shared_scale_is_that_of_all_samples) {
    static int32_t v[2][MEMBERS][TIMES];
    for (uint64_t seed = 1; seed < 6; seed++) {
        char *text = many(v, (struct chance){seed});
        shown_text(text, 100, 40);
        shown_keys("7theat 3<Enter>:scale shared<Enter>tload 3<Enter>:scale shared<Enter>");
        for (int from = 0; from < TIMES - 4; from += 3) {
            char keys[80];
            snprintf(keys, sizeof keys, ":goto %d.5us..%d.5us<Enter>", from, from + 4);
            shown_keys(keys);
            for (uint32_t series = 0; series < 4; series++) {
                double lo, hi;
                int32_t least = INT32_MAX, most = INT32_MIN;
                for (int i = 0; i < MEMBERS; i++)
                    for (int t = from; t <= from + 4; t++) {
                        int32_t x = v[series % 2][i][t];
                        least = x < least ? x : least;
                        most = x > most ? x : most;
                    }
                ck_assert(curve_group_extent(&shown, series, NULL, &lo, &hi));
                ck_assert_double_eq(lo, least);
                ck_assert_double_eq(hi, most);
            }
        }
        shown_close();
        free(text);
    }
}
END_TEST

START_TEST(a_session_keeps_settings) {
    struct chars lines = {0};
    char first[80];
    shown_text(group, 100, 40);
    shown_keys("7tmem 12<Enter>:scale -1.5..100<Enter>VU");
    keep_state_write(&shown, &lines);
    chars_add(&lines, (struct str){"", 1});
    ck_assert_ptr_nonnull(strstr(lines.v, "place curve -1.5..100 delta stacked counter 5 mem 12"));
    shown_close();
    shown_text(group, 100, 40);
    ck_assert_uint_eq(keep_state_run(&shown, lines.v, KEEP_ALL, first), 0);
    const struct curve *curve = curve_of(&shown.timeline, 1);
    ck_assert(curve->scale == CURVE_FIXED && curve->lo == -1.5 && curve->hi == 100);
    ck_assert_int_eq(curve->mode, CURVE_DELTA);
    ck_assert(track_list_stacked(&shown.timeline.tracks, 1));
    ck_assert(!curve_put_settings(&shown, 0, "zero some apart"));
    ck_assert(!curve_put_settings(&shown, 0, "3..1 value apart"));
    ck_assert(!curve_put_settings(&shown, 0, "zero"));
    vec_free(&lines);
    shown_close();
}
END_TEST

SUITE(curve) {
    Suite *s = suite_create("curve");
    TCase *t = tcase_create("curve");
    tcase_add_test(t, deltas_and_rates_are_of_the_samples);
    tcase_add_test(t, a_sample_holds_until_the_next_one);
    tcase_add_test(t, four_digits_are_within_half_of_the_last);
    tcase_add_test(t, large_integers_keep_their_digits_or_their_difference);
    tcase_add_test(t, a_range_is_two_numbers_in_order);
    tcase_add_test(t, counters_of_one_name_share_a_scale);
    tcase_add_test(t, a_shared_scale_is_that_of_all_samples);
    tcase_add_test(t, a_session_keeps_settings);
    suite_add_tcase(s, t);
    return s;
}
