/* suite_colors.c - the heaviest names have colours of their own, which they keep. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/screen/style.h"
#include "ui/timeline/colors.h"

#define NAMES 14

/* Names n0, n1, ...: each is heavier than the next one, besides async operations. */
static char *heavy(void) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\ninit 1000000000\n", f);
    for (int i = 0; i < NAMES; i++)
        fprintf(f, "complete %d 5/6 \"c\" \"n%d\" end=%d\n", i * 1000, i, i * 1000 + 900 - i * 50);
    fprintf(f, "async_begin 20000 5/6 \"c\" \"operation\" id=1\n"
               "async_end 22000 5/6 \"c\" \"operation\" id=1\n");
    fclose(f);
    return text;
}

static struct look look_of(int i) {
    char name[16];
    snprintf(name, sizeof name, "n%d", i);
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

SUITE(colors) {
    Suite *s = suite_create("colors");
    TCase *t = tcase_create("colors");
    tcase_add_test(t, the_heaviest_names_have_their_own_colours);
    tcase_add_test(t, a_name_keeps_its_colour);
    suite_add_tcase(s, t);
    return s;
}
