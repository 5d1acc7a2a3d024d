/* suite_style.c - colours: readable on dark and light, and distinct to any eyes. */
#include <math.h>
#include <string.h>

#include "tests/lib/suites.h"
#include "ui/screen/style.h"

/* Linear light of a palette number of the cube or the greys, red, green and blue. */
static void light(int32_t color, double out[3]) {
    static const int level[6] = {0, 95, 135, 175, 215, 255};
    int grey = 8 + (color - 232) * 10, rgb[3] = {grey, grey, grey};
    ck_assert(color >= 16 && color < 256);
    if (color < 232) {
        rgb[0] = level[(color - 16) / 36];
        rgb[1] = level[(color - 16) / 6 % 6];
        rgb[2] = level[(color - 16) % 6];
    }
    for (int i = 0; i < 3; i++) {
        double c = rgb[i] / 255.0;
        out[i] = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
    }
}

static double luminance(int32_t color) {
    double c[3];
    light(color, c);
    return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}

static double contrast(double a, double b) {
    return a > b ? (a + 0.05) / (b + 0.05) : (b + 0.05) / (a + 0.05);
}

/* All looks that names get, up to `most`; returns how many there are. */
static int all_hues(bool alternate, struct look out[], int most) {
    int n = 0;
    for (uint32_t h = 0; h < 2000; h++) {
        struct look look = style_slice(h * 2654435761U, alternate);
        int i = 0;
        while (i < n && !style_eq(out[i], look))
            i++;
        if (i == n && n < most)
            out[n++] = look;
    }
    return n;
}

START_TEST(a_depth_has_its_hues) {
    struct look looks[32];
    static const int expected[] = {
        [COLOR_MONO] = 1, [COLOR_8] = 6, [COLOR_16] = 6, [COLOR_256] = 12, [COLOR_TRUE] = 12,
    };
    style_init((enum color_depth)_i);
    ck_assert_int_eq(all_hues(false, looks, 32), expected[_i]);
    ck_assert_int_eq(all_hues(true, looks, 32), expected[_i]);
    for (uint32_t h = 0; h < 100; h++) {
        ck_assert(style_eq(style_slice(h, false), style_slice(h, false)));
        ck_assert(_i == COLOR_MONO || !style_eq(style_slice(h, false), style_slice(h, true)));
    }
}
END_TEST

START_TEST(text_on_a_slice_is_readable) {
    struct look looks[32];
    style_init(COLOR_256);
    for (int alternate = 0; alternate < 2; alternate++)
        for (int i = all_hues(alternate, looks, 32); i-- > 0;)
            ck_assert_double_ge(contrast(luminance(looks[i].fg), luminance(looks[i].bg)), 4.5);
}
END_TEST

/* CIELAB of linear light as eyes of a kind see it (Machado, Oliveira, Fernandes 2009, severity 1). */
static void lab(int32_t color, int eyes, double out[3]) {
    static const double seen[4][3][3] = {
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
        {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
        {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
        {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
    };
    static const double xyz[3][3] = {
        {0.4124 / 0.95047, 0.3576 / 0.95047, 0.1805 / 0.95047},
        {0.2126, 0.7152, 0.0722},
        {0.0193 / 1.08883, 0.1192 / 1.08883, 0.9505 / 1.08883},
    };
    double c[3], s[3], f[3];
    light(color, c);
    for (int i = 0; i < 3; i++) {
        double v = seen[eyes][i][0] * c[0] + seen[eyes][i][1] * c[1] + seen[eyes][i][2] * c[2];
        s[i] = v < 0 ? 0 : v > 1 ? 1 : v;
    }
    for (int i = 0; i < 3; i++)
        f[i] = cbrt(xyz[i][0] * s[0] + xyz[i][1] * s[1] + xyz[i][2] * s[2]);
    out[0] = 116 * f[1] - 16;
    out[1] = 500 * (f[0] - f[1]);
    out[2] = 200 * (f[1] - f[2]);
}

START_TEST(hues_differ_for_any_eyes) {
    struct look looks[32];
    style_init(COLOR_256);
    int n = all_hues(false, looks, 32);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < a; b++) {
            double p[3], q[3];
            lab(looks[a].bg, _i, p);
            lab(looks[b].bg, _i, q);
            double d = sqrt(pow(p[0] - q[0], 2) + pow(p[1] - q[1], 2) + pow(p[2] - q[2], 2));
            ck_assert_double_ge(d, 10); /* 2.3 is the least difference that is visible side by side */
        }
}
END_TEST

START_TEST(roles_are_readable_on_dark_and_light) {
    for (int depth = COLOR_MONO; depth <= COLOR_TRUE; depth++) {
        style_init((enum color_depth)depth);
        ck_assert_int_eq(style_depth(), (enum color_depth)depth);
        for (int role = 0; role < ROLE_COUNT; role++) {
            struct look look = style_look((enum role)role);
            ck_assert(depth != COLOR_MONO || (look.fg == LOOK_DEFAULT && look.bg == LOOK_DEFAULT));
            ck_assert(depth == COLOR_TRUE || depth == COLOR_256 || look.fg < 8);
            if (depth == COLOR_256 && look.bg != LOOK_DEFAULT)
                ck_assert_double_ge(contrast(luminance(look.fg), luminance(look.bg)), 4.5);
            else if (depth == COLOR_256 && look.fg != LOOK_DEFAULT) {
                ck_assert_double_ge(contrast(luminance(look.fg), 0), 2.8);
                ck_assert_double_ge(contrast(luminance(look.fg), 1), 2.8);
            }
        }
    }
}
END_TEST

START_TEST(selected_is_reverse_at_any_depth) {
    for (int depth = COLOR_MONO; depth <= COLOR_TRUE; depth++) {
        style_init((enum color_depth)depth);
        struct look slice = style_slice(77, false), selected = style_selected(slice);
        ck_assert(selected.attr & ATTR_REVERSE);
        ck_assert(!style_eq(slice, selected));
    }
}
END_TEST

Suite *suite_style(void) {
    Suite *suite = suite_create("style");
    TCase *looks = tcase_create("looks");
    tcase_add_loop_test(looks, a_depth_has_its_hues, COLOR_MONO, COLOR_TRUE + 1);
    tcase_add_test(looks, text_on_a_slice_is_readable);
    tcase_add_loop_test(looks, hues_differ_for_any_eyes, 0, 4);
    tcase_add_test(looks, roles_are_readable_on_dark_and_light);
    tcase_add_test(looks, selected_is_reverse_at_any_depth);
    suite_add_tcase(suite, looks);
    return suite;
}
