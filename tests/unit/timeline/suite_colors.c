/* suite_colors.c - the heaviest names have colours of their own, which they keep. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/keep/keep_state.h"
#include "ui/screen/style.h"
#include "ui/timeline/colors.h"

#define NAMES 14

/* Names na, nb, ...: each is heavier than the next one, besides async operations. */
static char *heavy(void) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\ninit 1000000000\n", f);
    for (int i = 0; i < NAMES; i++)
        fprintf(f, "complete %d 5/6 \"c\" \"n%c\" end=%d\n", i * 1000, 'a' + i,
                i * 1000 + 900 - i * 50);
    fprintf(f, "async_begin 20000 5/6 \"c\" \"operation\" id=1\n"
               "async_end 22000 5/6 \"c\" \"operation\" id=1\n");
    fclose(f);
    return text;
}

static struct look look_of(int i) {
    char name[16];
    snprintf(name, sizeof name, "n%c", 'a' + i);
    return style_slice(style_name_hash(str_of(name)));
}

static bool is_own(struct look look) {
    for (uint32_t i = 0; i < style_hues(); i++)
        if (style_eq(style_series(i), look))
            return true;
    return false;
}

START_TEST(the_heaviest_names_have_their_own_colours) {
    char *text = heavy();
    shown_text(text, 120, 30);
    style_init(COLOR_256);
    shown_keys("j");
    /* the operation is one of the ten */
    for (int i = 0; i < NAMES; i++) {
        ck_assert_int_eq(is_own(look_of(i)), i < 9);
        for (int k = 0; k < i && i < 9; k++)
            ck_assert(!style_eq(look_of(i), look_of(k)));
    }
    ck_assert(is_own(style_slice(style_name_hash(STR("operation")))));
    shown_close();
    free(text);
    style_init(COLOR_MONO);
}
END_TEST

/* As many totals as there are colours, each alone on a thread, take none from shorter names. */
START_TEST(names_of_threads_with_one_slice_come_after_others) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\ninit 1000000000\n", f);
    for (int i = 0; i < NAMES; i++)
        fprintf(f, "complete 0 5/%d \"c\" \"t%c\" end=%d\n", 100 + i, 'a' + i, 90000 - i * 100);
    for (int i = 0; i < 8; i++)
        fprintf(f, "complete %d 5/6 \"c\" \"n%c\" end=%d\n", i * 1000, 'a' + i, i * 1000 + 900 - i);
    fputs("complete 9000 5/7 \"c\" \"ta\" end=9100\ncomplete 9200 5/7 \"c\" \"ta\" end=9300\n", f);
    fclose(f);
    shown_text(text, 120, 30);
    style_init(COLOR_256);
    shown_keys("j");
    for (int i = 0; i < 8; i++)
        ck_assert(is_own(look_of(i)));
    /* one has a thread with more slices; the next one has the last colour that is left */
    for (int i = 0; i < NAMES; i++) {
        char name[] = {'t', (char)('a' + i), 0};
        ck_assert_int_eq(is_own(style_slice(style_name_hash(str_of(name)))), i < 2);
    }
    shown_close();
    free(text);
    style_init(COLOR_MONO);
}
END_TEST

START_TEST(a_name_keeps_its_colour) {
    uint32_t hashes[STYLE_SERIES], kept;
    struct look before[STYLE_SERIES];
    for (uint32_t i = 0; i < STYLE_SERIES; i++)
        hashes[i] = i * 2654435761U + 7;
    style_init(COLOR_TRUE);
    ck_assert(style_rank(hashes, STYLE_SERIES));
    for (uint32_t i = 0; i < STYLE_SERIES; i++)
        before[i] = style_slice(hashes[i]);
    ck_assert(!style_rank(hashes, STYLE_SERIES)); /* nothing is new */
    hashes[9] = 4;                                /* another name took the last rank */
    ck_assert(style_rank(hashes, STYLE_SERIES));
    for (uint32_t i = 0; i < 9; i++)
        ck_assert(style_eq(style_slice(hashes[i]), before[i]));
    ck_assert(style_eq(style_slice(4), before[9]));
    ck_assert(style_ranked(3, &kept));
    style_rank(NULL, 0);
    style_keep(3, kept); /* as a session does, before anything is ranked */
    style_keep(99, 5);
    hashes[9] = kept;
    style_rank(hashes, STYLE_SERIES);
    ck_assert(style_eq(style_slice(kept), style_series(3)));
    style_rank(NULL, 0);
    ck_assert(!style_ranked(3, &kept));
    style_init(COLOR_MONO);
}
END_TEST

static const char groups[] = "magic\ninit 1000000000\n"
                             "complete 0 5/6 \"gfx\" \"draw\" end=900 size=i32:1\n"
                             "complete 1000 5/6 \"net\" \"recv\" end=1200 size=i32:2\n"
                             "complete 1300 5/7 \"gfx\" \"swap\" end=1400 size=i32:1\n"
                             "complete 1500 5/7 \"net\" \"both\" end=1600\n"
                             "complete 1700 5/7 \"gfx\" \"both\" end=1800 size=i32:2\n";

static uint32_t name_of(const char *text) {
    uint32_t name = 0;
    while (!str_eq(trace_name(shown.trace, name), str_of(text)))
        name++;
    return name;
}

static struct look name_look(const char *text) {
    struct look look;
    ck_assert(colors_name(&shown, name_of(text), &look));
    return look;
}

/* The look of the slice on which the selection is. */
static struct look selected_look(const char *name, int nth) {
    shown_select(name, nth);
    const struct slice *s = session_slice(shown.trace, &shown.timeline);
    return colors_slice(&shown, shown.timeline.selection.of, s);
}

/* Ten others, and frames with numbers, each heavier than these. */
static char *numbered(int others) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\ninit 1000000000\n", f);
    for (int i = 0; i < 4; i++)
        fprintf(f, "complete %d 5/6 \"c\" \"Frame %d of 0x%x\" end=%d\n", i * 1000, i, i * 10,
                i * 1000 + 900);
    for (int i = 0; i < others; i++)
        fprintf(f, "complete %d 5/6 \"c\" \"n%c\" end=%d\n", i * 1000 + 5000, 'a' + i,
                i * 1000 + 5500 - i);
    fclose(f);
    return text;
}

START_TEST(names_that_differ_in_numbers_share_a_colour) {
    for (int others = 6; others < 11; others++) { /* ten names of which each has its own first */
        char *text = numbered(others);
        shown_text(text, 120, 30);
        style_init(COLOR_256);
        shown_keys("j");
        ck_assert_int_eq(
            style_eq(selected_look("Frame 0 of 0x0", 0), selected_look("Frame 3 of 0x1e", 0)),
            others > 6);
        for (int i = 0; i < others; i++) {
            struct look look = name_look((char[]){'n', (char)('a' + i), '\0'});
            ck_assert_int_eq(is_own(look), i < 9);
            ck_assert(!style_eq(look, name_look("Frame 1 of 0xa")));
        }
        shown_keys("?");
        ck_assert_int_eq(strstr(shown_page(), "# Frame N of 0xN") != NULL, others > 6);
        shown_close();
        style_init(COLOR_MONO);
        free(text);
    }
}
END_TEST

START_TEST(colours_are_by_a_key) {
    struct look look, other;
    shown_text(groups, 120, 30);
    style_init(COLOR_256);
    shown_keys(":color category<Enter>");
    ck_assert(style_eq(name_look("draw"), name_look("swap")));
    ck_assert(!style_eq(name_look("draw"), name_look("recv")));
    ck_assert(is_own(name_look("draw")) && is_own(name_look("recv")));
    ck_assert(!colors_name(&shown, name_of("both"), &look)); /* half of it is gfx */
    ck_assert(style_eq(selected_look("both", 0), name_look("recv")));
    ck_assert(style_eq(selected_look("both", 1), name_look("draw")));
    ck_assert(colors_group(&shown, GROUP_BY_CATEGORY, "", STR("gfx"), &look));
    ck_assert(style_eq(look, name_look("draw")));
    ck_assert(!colors_group(&shown, GROUP_BY_THREAD, "", STR("gfx"), &look));
    ck_assert(!colors_track(&shown, 0, &look));
    shown_keys("?");
    ck_assert_ptr_nonnull(strstr(shown_page(), "by category:  # gfx  # net"));
    shown_keys("q:color arg.size<Enter>");
    ck_assert(style_eq(name_look("draw"), name_look("swap")));
    ck_assert(style_eq(selected_look("both", 1), name_look("recv")));
    ck_assert(!is_own(selected_look("both", 0))); /* without the argument */
    ck_assert(!colors_group(&shown, GROUP_BY_ARGUMENT, "other", STR("1"), &look));
    shown_keys(":color thread<Enter>");
    ck_assert(style_eq(name_look("draw"), name_look("recv")));
    ck_assert(style_eq(selected_look("both", 0), name_look("swap")));
    ck_assert(colors_track(&shown, 0, &look) && colors_track(&shown, 1, &other));
    ck_assert(!style_eq(look, other) && style_eq(look, name_look("draw")));
    shown_keys(":color process<Enter>");
    ck_assert(style_eq(name_look("draw"), name_look("both")));
    shown_keys(":color<Enter>");
    ck_assert(!style_eq(name_look("draw"), name_look("both")));
    shown_keys(":color size<Enter>");
    ck_assert(shown_has("expected name, category"));
    shown_close();
    style_init(COLOR_MONO);
}
END_TEST

START_TEST(a_session_keeps_the_key) {
    struct chars lines = {0};
    char first[80], buf[COLORS_ARGUMENT + 8];
    shown_text(groups, 120, 30);
    style_init(COLOR_256);
    shown_keys(":color arg.size<Enter>");
    struct look look = name_look("draw");
    keep_state_write(&shown, &lines);
    chars_add(&lines, (struct str){"", 1});
    shown_close();
    shown_text(groups, 120, 30);
    style_init(COLOR_256);
    ck_assert_uint_eq(keep_state_run(&shown, lines.v, KEEP_ALL, first), 0);
    ck_assert_str_eq(colors_key(&shown.timeline, buf), "arg.size");
    shown_keys("j");
    ck_assert(style_eq(name_look("draw"), look));
    vec_free(&lines);
    shown_close();
    style_init(COLOR_MONO);
}
END_TEST

SUITE(colors) {
    Suite *s = suite_create("colors");
    TCase *t = tcase_create("colors");
    tcase_add_test(t, the_heaviest_names_have_their_own_colours);
    tcase_add_test(t, names_that_differ_in_numbers_share_a_colour);
    tcase_add_test(t, names_of_threads_with_one_slice_come_after_others);
    tcase_add_test(t, a_name_keeps_its_colour);
    tcase_add_test(t, colours_are_by_a_key);
    tcase_add_test(t, a_session_keeps_the_key);
    suite_add_tcase(s, t);
    return s;
}
