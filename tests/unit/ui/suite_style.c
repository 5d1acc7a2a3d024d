/* suite_style.c - colours: readable on dark and light, and distinct to any eyes. */
#include <math.h>
#include <string.h>

#include "tests/unit/lib/suites.h"
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

static void light_of(int32_t color, double out[3]) {
    if (color < 0x1000000) {
        light(color, out);
        return;
    }
    for (int i = 0; i < 3; i++) {
        double c = (color >> (16 - 8 * i) & 255) / 255.0;
        out[i] = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
    }
}

static double luminance(int32_t color) {
    double c[3];
    light_of(color, c);
    return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}

static double contrast(double a, double b) {
    return a > b ? (a + 0.05) / (b + 0.05) : (b + 0.05) / (a + 0.05);
}

/* All looks that names get, up to `most`; returns how many there are. */
static int all_hues(struct look out[], int most) {
    int n = 0;
    for (uint32_t h = 0; h < 2000; h++) {
        struct look look = style_slice(h * 2654435761U);
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
        [COLOR_MONO] = 1, [COLOR_8] = 5, [COLOR_16] = 5, [COLOR_256] = 10, [COLOR_TRUE] = 10,
    };
    for (int background = 0; background < 2; background++) {
        style_init((enum color_depth)_i);
        style_background(background);
        ck_assert(style_light() == (background != 0));
        ck_assert_int_eq(all_hues(looks, 32), expected[_i]);
        for (uint32_t h = 0; h < 100; h++)
            ck_assert(style_eq(style_slice(h), style_slice(h)));
        for (uint32_t i = 1; i < (uint32_t)expected[_i]; i++)
            ck_assert(!style_eq(style_series(i - 1), style_series(i)));
    }
    style_background(false);
}
END_TEST

START_TEST(numbers_make_no_other_hash) {
    static const struct {
        const char *a, *b;
        bool same;
    } pairs[] = {{"Frame 212", "Frame 7", true}, {"0x7f3 in f", "0x10 in f", true},
                 {"a1b22", "a9b3", true},        {"0x", "1x", true},
                 {"Frame", "Frame 7", false},    {"1", "1.5", false},
                 {"0xfg", "0x1h", false},        {"7 Frame", "Frame 7", false},
                 {"0x12 in f", "12 in f", false}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        ck_assert_msg((style_pattern_hash(str_of(pairs[i].a)) ==
                       style_pattern_hash(str_of(pairs[i].b))) == pairs[i].same,
                      "%s and %s", pairs[i].a, pairs[i].b);
    ck_assert_uint_eq(style_pattern_hash(STR("Layout")), style_name_hash(STR("Layout")));
}
END_TEST

START_TEST(text_on_a_slice_is_readable) {
    struct look looks[32];
    for (int background = 0; background < 2; background++) {
        style_init(COLOR_256);
        style_background(background);
        for (int i = all_hues(looks, 32); i-- > 0;) {
            ck_assert_double_ge(contrast(luminance(looks[i].fg), luminance(looks[i].bg)), 4.5);
            ck_assert(style_eq(style_on(looks[i].bg), looks[i]));
        }
    }
    style_background(false);
}
END_TEST

enum { ANY_EYES = 4 }; /* of normal, protan, deutan and tritan vision */

/* CIELAB (D65) of a colour as eyes of a kind see it: the matrices for severity 1.0 of Machado,
 * Oliveira, Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency",
 * IEEE TVCG 15 (2009), for linear light. */
static void lab(int32_t color, int eyes, double out[3]) {
    static const double seen[ANY_EYES][3][3] = {
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
        {{0.152286, 1.052583, -0.204868},
         {0.114503, 0.786281, 0.099216},
         {-0.003882, -0.048116, 1.051998}},
        {{0.367322, 0.860646, -0.227968},
         {0.280085, 0.672501, 0.047413},
         {-0.011820, 0.042940, 0.968881}},
        {{1.255528, -0.076749, -0.178779},
         {-0.078411, 0.930809, 0.147602},
         {0.004733, 0.691367, 0.303900}},
    };
    static const double xyz[3][3] = {
        {0.4124564 / 0.95047, 0.3575761 / 0.95047, 0.1804375 / 0.95047},
        {0.2126729, 0.7151522, 0.0721750},
        {0.0193339 / 1.08883, 0.1191920 / 1.08883, 0.9503041 / 1.08883},
    };
    double c[3], s[3], f[3];
    light_of(color, c);
    for (int i = 0; i < 3; i++) {
        double v = seen[eyes][i][0] * c[0] + seen[eyes][i][1] * c[1] + seen[eyes][i][2] * c[2];
        s[i] = v < 0 ? 0 : v > 1 ? 1 : v;
    }
    for (int i = 0; i < 3; i++) {
        double t = xyz[i][0] * s[0] + xyz[i][1] * s[1] + xyz[i][2] * s[2];
        f[i] = t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
    }
    out[0] = 116 * f[1] - 16;
    out[1] = 500 * (f[0] - f[1]);
    out[2] = 200 * (f[1] - f[2]);
}

static double radians(double degrees) {
    return degrees * 3.14159265358979323846 / 180;
}

static double hue(double a, double b) { /* in degrees, from 0 */
    double h = a == 0 && b == 0 ? 0 : atan2(b, a) / radians(1);
    return h < 0 ? h + 360 : h;
}

/* CIEDE2000 with the names of Sharma, Wu, Dalal, "The CIEDE2000 Color-Difference Formula:
 * Implementation Notes, Supplementary Test Data, and Mathematical Observations", Color Research and
 * Application 30 (2005). */
static double difference(const double p[3], const double q[3]) {
    double c = (hypot(p[1], p[2]) + hypot(q[1], q[2])) / 2, c7 = pow(c, 7),
           g = (1 - sqrt(c7 / (c7 + pow(25, 7)))) / 2;
    double a1 = (1 + g) * p[1], a2 = (1 + g) * q[1], c1 = hypot(a1, p[2]), c2 = hypot(a2, q[2]);
    double h1 = hue(a1, p[2]), h2 = hue(a2, q[2]), dh = h2 - h1, sum = h1 + h2, h = sum / 2;
    if (c1 * c2 == 0) {
        dh = 0;
        h = sum;
    } else if (fabs(dh) >
               180 + 1e-9) { /* opposite hues are 180 apart, whatever the machine rounds to */
        dh += dh > 0 ? -360 : 360;
        h += sum < 360 ? 180 : -180;
    }
    double dl = q[0] - p[0], dc = c2 - c1, dH = 2 * sqrt(c1 * c2) * sin(radians(dh / 2));
    double l = (p[0] + q[0]) / 2 - 50, m = (c1 + c2) / 2, m7 = pow(m, 7);
    double t = 1 - 0.17 * cos(radians(h - 30)) + 0.24 * cos(radians(2 * h)) +
               0.32 * cos(radians(3 * h + 6)) - 0.20 * cos(radians(4 * h - 63));
    double sl = 1 + 0.015 * l * l / sqrt(20 + l * l), sc = 1 + 0.045 * m, sh = 1 + 0.015 * m * t;
    double rt = -sin(radians(60 * exp(-pow((h - 275) / 25, 2)))) * 2 * sqrt(m7 / (m7 + pow(25, 7)));
    return sqrt(pow(dl / sl, 2) + pow(dc / sc, 2) + pow(dH / sh, 2) + rt * (dc / sc) * (dH / sh));
}

/* Quiet marks are seen on each colour, less than text is, and differ from the ground around it. */
START_TEST(quiet_marks_are_less_than_text) {
    struct look looks[32];
    for (int background = 0; background < 2; background++) {
        style_init(COLOR_256);
        style_background(background);
        for (int i = all_hues(looks, 32); i-- > 0;) {
            int32_t quiet = style_quiet(looks[i].fg);
            double on = luminance(looks[i].bg), seen = contrast(luminance(quiet), on);
            ck_assert_double_ge(seen, 1.8);
            ck_assert_double_le(seen, contrast(luminance(looks[i].fg), on));
            ck_assert_double_ge(contrast(luminance(quiet), luminance(background ? 231 : 16)), 1.5);
        }
        ck_assert_int_eq(style_quiet(3), 3);
    }
    style_init(COLOR_8);
    ck_assert_int_eq(style_quiet(16), 16);
    style_background(false);
}
END_TEST

START_TEST(differences_are_the_published_ones) { /* table 1 of the paper: all 34 pairs */
    static const double pairs[34][7] = {
        {50, 2.6772, -79.7751, 50, 0, -82.7485, 2.0425},
        {50, 3.1571, -77.2803, 50, 0, -82.7485, 2.8615},
        {50, 2.8361, -74.0200, 50, 0, -82.7485, 3.4412},
        {50, -1.3802, -84.2814, 50, 0, -82.7485, 1.0000},
        {50, -1.1848, -84.8006, 50, 0, -82.7485, 1.0000},
        {50, -0.9009, -85.5211, 50, 0, -82.7485, 1.0000},
        {50, 0, 0, 50, -1, 2, 2.3669},
        {50, -1, 2, 50, 0, 0, 2.3669},
        {50, 2.4900, -0.0010, 50, -2.4900, 0.0009, 7.1792},
        {50, 2.4900, -0.0010, 50, -2.4900, 0.0010, 7.1792},
        {50, 2.4900, -0.0010, 50, -2.4900, 0.0011, 7.2195},
        {50, 2.4900, -0.0010, 50, -2.4900, 0.0012, 7.2195},
        {50, -0.0010, 2.4900, 50, 0.0009, -2.4900, 4.8045},
        {50, -0.0010, 2.4900, 50, 0.0010, -2.4900, 4.8045},
        {50, -0.0010, 2.4900, 50, 0.0011, -2.4900, 4.7461},
        {50, 2.5, 0, 50, 0, -2.5, 4.3065},
        {50, 2.5, 0, 73, 25, -18, 27.1492},
        {50, 2.5, 0, 61, -5, 29, 22.8977},
        {50, 2.5, 0, 56, -27, -3, 31.9030},
        {50, 2.5, 0, 58, 24, 15, 19.4535},
        {50, 2.5, 0, 50, 3.1736, 0.5854, 1.0000},
        {50, 2.5, 0, 50, 3.2972, 0, 1.0000},
        {50, 2.5, 0, 50, 1.8634, 0.5757, 1.0000},
        {50, 2.5, 0, 50, 3.2592, 0.3350, 1.0000},
        {60.2574, -34.0099, 36.2677, 60.4626, -34.1751, 39.4387, 1.2644},
        {63.0109, -31.0961, -5.8663, 62.8187, -29.7946, -4.0864, 1.2630},
        {61.2901, 3.7196, -5.3901, 61.4292, 2.2480, -4.9620, 1.8731},
        {35.0831, -44.1164, 3.7933, 35.0232, -40.0716, 1.5901, 1.8645},
        {22.7233, 20.0904, -46.6940, 23.0331, 14.9730, -42.5619, 2.0373},
        {36.4612, 47.8580, 18.3852, 36.2715, 50.5065, 21.2231, 1.4146},
        {90.8027, -2.0831, 1.4410, 91.1528, -1.6435, 0.0447, 1.4441},
        {90.9257, -0.5406, -0.9208, 88.6381, -0.8985, -0.7239, 1.5381},
        {6.7747, -0.2908, -2.4247, 5.8714, -0.0985, -2.2286, 0.6377},
        {2.0776, 0.0795, -1.1350, 0.9033, -0.0636, -0.5514, 0.9082},
    };
    for (int i = 0; i < 34; i++)
        ck_assert_double_eq_tol(difference(pairs[i], pairs[i] + 3), pairs[i][6], 0.00006);
}
END_TEST

/* The colours of slices, the background, slate and the colour of hits: any two of them. */
START_TEST(hues_differ_for_any_eyes) {
    for (int depth = COLOR_256; depth <= COLOR_TRUE; depth++)
        for (int background = 0; background < 2; background++) {
            struct look looks[32];
            int32_t colors[32];
            style_init((enum color_depth)depth);
            style_background(background);
            int n = all_hues(looks, 29);
            for (int i = 0; i < n; i++)
                colors[i] = looks[i].bg;
            colors[n++] = background ? 231 : 16;
            colors[n++] = style_look(ROLE_DENSITY).fg;
            colors[n++] = style_look(ROLE_HIT).bg;
            for (int a = 0; a < n; a++)
                for (int b = 0; b < a; b++) {
                    double p[3], q[3];
                    lab(colors[a], _i, p);
                    lab(colors[b], _i, q);
                    if (b < n - 3 || a == n - 2) /* background and hits never touch */
                        ck_assert_double_ge(difference(p, q), 10);
                }
        }
    style_background(false);
}
END_TEST

/* Names without a rank: readable, seen on the background, and no ranked one to any eyes. */
START_TEST(muted_looks_differ_from_ranked_ones) {
    const uint32_t hash = 1;
    for (int background = 0; background < 2; background++) {
        struct look hues[32], looks[32];
        style_init(COLOR_256);
        style_background(background);
        style_rank(NULL, 0);
        int n = all_hues(hues, 32);
        style_rank(&hash, 1);
        int m = all_hues(looks, 32);
        ck_assert_int_ge(m, 3);
        for (int i = 0; i < m; i++) {
            double p[3], q[3], seen = luminance(looks[i].bg);
            ck_assert_double_ge(contrast(luminance(looks[i].fg), seen), 4.5);
            ck_assert_double_ge(contrast(seen, background), 2.5);
            ck_assert(style_eq(style_on(looks[i].bg), looks[i]));
            lab(looks[i].bg, _i, p);
            for (int k = 0; k < n; k++) {
                lab(hues[k].bg, _i, q);
                ck_assert_double_ge(difference(p, q), 8);
            }
        }
    }
    style_rank(NULL, 0);
    style_background(false);
}
END_TEST

/* Luminance of the first eight colours as xterm has them. */
static double luminance_of_8(int32_t color, bool background) {
    static const double on = 205 / 255.0, blue = 238 / 255.0;
    if (color == LOOK_DEFAULT)
        return background;
    double c[3] = {color & 1 ? on : 0, color & 2 ? on : 0,
                   color & 4 ? (color == 4 ? blue : on) : 0};
    for (int i = 0; i < 3; i++)
        c[i] = (color == 7 ? 229 / 255.0 : c[i]) <= 0
                   ? 0
                   : pow(((color == 7 ? 229 / 255.0 : c[i]) + 0.055) / 1.055, 2.4);
    return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}

START_TEST(roles_are_readable_on_dark_and_light) {
    for (int background = 0; background < 2; background++)
        for (int depth = COLOR_MONO; depth <= COLOR_TRUE; depth++) {
            style_init((enum color_depth)depth);
            style_background(background);
            ck_assert_int_eq(style_depth(), (enum color_depth)depth);
            for (int role = 0; role < ROLE_COUNT; role++) {
                struct look look = style_look((enum role)role);
                ck_assert(depth != COLOR_MONO ||
                          (look.fg == LOOK_DEFAULT && look.bg == LOOK_DEFAULT));
                ck_assert(depth == COLOR_TRUE || depth == COLOR_256 || look.fg < 8);
                /* it is meant to vanish; it is the terminal's own */
                if (role == ROLE_GAP || look.fg == LOOK_DEFAULT)
                    continue;
                if (depth >= COLOR_256 && look.bg != LOOK_DEFAULT)
                    ck_assert_double_ge(contrast(luminance(look.fg), luminance(look.bg)), 4.5);
                else if (depth >= COLOR_256)
                    ck_assert_double_ge(contrast(luminance(look.fg), background), 3);
                else
                    ck_assert_double_ge(contrast(luminance_of_8(look.fg, !background),
                                                 luminance_of_8(look.bg, background)),
                                        3);
            }
        }
    style_background(false);
}
END_TEST

/* WCAG asks 7 to 1 of text for people with low vision. */
START_TEST(high_contrast_is_high) {
    style_theme(STYLE_CONTRAST);
    for (int background = 0; background < 2; background++) {
        style_init(COLOR_256);
        style_background(background);
        for (int role = 0; role < ROLE_COUNT; role++) {
            struct look look = style_look((enum role)role);
            if (role == ROLE_GAP || look.fg == LOOK_DEFAULT)
                continue;
            double ground = look.bg == LOOK_DEFAULT ? background : luminance(look.bg);
            ck_assert_msg(contrast(luminance(look.fg), ground) >= 7, "role %d: %f", role,
                          contrast(luminance(look.fg), ground));
        }
    }
    style_theme(STYLE_AUTO);
    style_background(false);
}
END_TEST

START_TEST(a_changed_look_is_the_nearest_that_the_terminal_has) {
    struct look amber = {0x1000000 | 0xffb000, LOOK_DEFAULT, ATTR_BOLD};
    static const int32_t shown[] = {[COLOR_MONO] = LOOK_DEFAULT,
                                    [COLOR_8] = 3,
                                    [COLOR_16] = 3,
                                    [COLOR_256] = 214,
                                    [COLOR_TRUE] = 0x1ffb000};
    for (int depth = COLOR_MONO; depth <= COLOR_TRUE; depth++) {
        style_init((enum color_depth)depth);
        style_change(style_role(STR("running")), amber);
        ck_assert_int_eq(style_look(ROLE_RUNNING).fg, shown[depth]);
        ck_assert_int_eq(style_look(ROLE_RUNNING).attr, ATTR_BOLD);
        style_theme(STYLE_MONO);
        ck_assert_int_eq(style_depth(), COLOR_MONO);
        style_theme(STYLE_AUTO);
        ck_assert_int_eq(style_depth(), (enum color_depth)depth);
        ck_assert_int_ne(style_look(ROLE_RUNNING).attr, ATTR_BOLD);
    }
}
END_TEST

START_TEST(few_colours_are_readable) {
    for (int background = 0; background < 2; background++) {
        struct look looks[32];
        style_init(COLOR_8);
        style_background(background);
        for (int i = all_hues(looks, 32); i-- > 0;) {
            ck_assert_double_ge(
                contrast(luminance_of_8(looks[i].fg, false), luminance_of_8(looks[i].bg, false)),
                4);
            ck_assert(background || contrast(luminance_of_8(looks[i].bg, false), 0) >= 3);
        }
    }
    style_background(false);
}
END_TEST

START_TEST(selected_is_reverse_at_any_depth) {
    for (int depth = COLOR_MONO; depth <= COLOR_TRUE; depth++) {
        style_init((enum color_depth)depth);
        struct look slice = style_slice(77), selected = style_selected(slice);
        ck_assert(selected.attr & ATTR_REVERSE);
        ck_assert(!style_eq(slice, selected));
    }
}
END_TEST

SUITE(style) {
    Suite *suite = suite_create("style");
    TCase *looks = tcase_create("looks");
    tcase_add_loop_test(looks, a_depth_has_its_hues, COLOR_MONO, COLOR_TRUE + 1);
    tcase_add_test(looks, numbers_make_no_other_hash);
    tcase_add_test(looks, text_on_a_slice_is_readable);
    tcase_add_test(looks, quiet_marks_are_less_than_text);
    tcase_add_test(looks, differences_are_the_published_ones);
    tcase_add_loop_test(looks, hues_differ_for_any_eyes, 0, ANY_EYES);
    tcase_add_loop_test(looks, muted_looks_differ_from_ranked_ones, 0, ANY_EYES);
    tcase_add_test(looks, few_colours_are_readable);
    tcase_add_test(looks, high_contrast_is_high);
    tcase_add_test(looks, a_changed_look_is_the_nearest_that_the_terminal_has);
    tcase_add_test(looks, roles_are_readable_on_dark_and_light);
    tcase_add_test(looks, selected_is_reverse_at_any_depth);
    suite_add_tcase(suite, looks);
    return suite;
}
