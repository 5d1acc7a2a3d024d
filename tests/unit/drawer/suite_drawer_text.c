/* suite_drawer_text.c - text wraps without loss at any width; bytes and arguments as text. */
#include <stdio.h>
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/drawer/drawer_text.h"

static const char alone[] =
    "magic\ninit 1000000000\ncomplete 0 5/6 \"c\" \"work\" x=i32:1 end=9000\n";

/* The whole screen as a drawer. */
static struct drawer_text page(int cols) {
    shown_resize(cols, 60);
    shown.drawer.scroll = 0;
    grid_clear(&shown.grid, style_look(ROLE_TEXT));
    return (struct drawer_text){.app = &shown, .rows = shown.grid.rows, .x = 1, .current = -1};
}

START_TEST(wrapped_text_is_all_of_the_text) {
    struct chance chance = {5};
    shown_text(alone, 80, 60);
    for (int set = 0; set < 200; set++) {
        char text[600], seen[6000] = "", *out = seen;
        size_t n = 0, size = 1 + below(&chance, 500);
        for (; n < size; n++) {
            bool blank = below(&chance, 6) == 0 && n > 0 && text[n - 1] != ' ';
            text[n] = blank ? ' ' : (char)('a' + below(&chance, 26));
        }
        int cols = 20 + (int)below(&chance, 100);
        struct drawer_text p = page(cols);
        drawer_text_value(&p, ROLE_TEXT, (struct str){text, n});
        ck_assert_int_lt(p.line, 60);
        for (int y = 0; y <= p.line; y++)
            for (int x = 0; x < cols; x++) {
                uint32_t c = grid_at(&shown.grid, x, y)->cp[0];
                if (c != ' ')
                    *out++ = (char)c;
            }
        *out = 0;
        out = seen;
        for (size_t i = 0; i < n; i++) /* blanks may be line breaks */
            ck_assert_msg(text[i] == ' ' || text[i] == *out++, "set %d, byte %zu of %.*s", set, i,
                          (int)n, text);
        ck_assert_int_eq(*out, 0);
    }
    shown_close();
}
END_TEST

/* At any width a label and its number are on one line, and no line has two labels in a row. */
START_TEST(labels_stay_with_their_numbers) {
    static const char *const labels[] = {"p50 ", "  self ", "  avg ", "  total ", "  max "};
    shown_text(alone, 80, 60);
    for (int cols = 20; cols < 120; cols++) {
        struct drawer_text p = page(cols);
        drawer_text_say(&p, ROLE_TEXT, "rank 3 of 42 ");
        for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
            drawer_text_say(&p, ROLE_DIM, labels[i]);
            drawer_text_say(&p, ROLE_TEXT, "1.204 ms");
        }
        drawer_text_next_line(&p);
        for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
            char pair[40];
            snprintf(pair, sizeof pair, "%s1.204 ms", labels[i] + strspn(labels[i], " "));
            ck_assert_msg(shown_has(pair), "%d columns: %s", cols, pair);
        }
    }
    shown_close();
}
END_TEST

START_TEST(only_visible_lines_are_drawn) {
    shown_text(alone, 80, 60);
    struct drawer_text p = page(80);
    p.y = 10;
    p.rows = 5;
    shown.drawer.scroll = 3;
    for (int i = 0; i < 20; i++) {
        char text[16];
        snprintf(text, sizeof text, "line %d", i);
        ck_assert_int_eq(drawer_text_visible(&p), i >= 3 && i < 8);
        drawer_text_say(&p, ROLE_TEXT, text);
        drawer_text_next_line(&p);
    }
    ck_assert_int_eq(p.line, 20); /* all are counted */
    for (int y = 0; y < 60; y++) {
        char text[16] = "";
        if (y >= 10 && y < 15)
            snprintf(text, sizeof text, " line %d", y - 10 + 3);
        ck_assert_str_eq(shown_row(y), text);
    }
    shown_close();
}
END_TEST

START_TEST(bytes_in_hexadecimal_and_as_characters) {
    char text[96];
    ck_assert_str_eq(
        drawer_text_hex(STR("hex \x01\xff"), 16, text),
        "00000010  68 65 78 20 01 ff                                 hex ..          ");
    ck_assert_str_eq(
        drawer_text_hex(STR("0123456789abcdef"), 0, text),
        "00000000  30 31 32 33 34 35 36 37  38 39 61 62 63 64 65 66  0123456789abcdef");
    shown_text(alone, 100, 60);
    struct drawer_text p = page(100);
    drawer_text_contents(&p, STR("two\nlines\n"));
    ck_assert_int_eq(p.line, 2);
    ck_assert_str_eq(shown_row(1), " lines");
    drawer_text_contents(&p, (struct str){"\x00\x01\x02\x03 not text \xfe\xff..", 18});
    ck_assert_int_eq(p.line, 4);
    ck_assert_ptr_nonnull(strstr(shown_row(2), "00 01 02 03"));
    shown_close();
}
END_TEST

START_TEST(arguments_are_counted_and_named) {
    static const char some[] = "magic\ninit 1000000000\n"
                               "instant 1 5/6 \"c\" \"x\" a=i32:-1 b=\"text\" c=bool:true d=u64:7\n"
                               "instant 2 5/6 \"c\" \"y\"\n";
    shown_text(some, 100, 60);
    struct thread *t = trace_thread(shown.trace, 0);
    size_t n;
    const struct instant *v = trace_instants(t, &n);
    ck_assert_uint_eq(n, 2);
    struct drawer_text p = page(100);
    ck_assert_uint_eq(drawer_text_arguments(&p, event_offset(v[0].packed), "args: ", false), 4);
    ck_assert_str_eq(shown_row(0), " args: a=-1  b=\"text\"  c=true  d=7");
    p = page(100);
    ck_assert_uint_eq(drawer_text_arguments(&p, event_offset(v[0].packed), "", true), 4);
    ck_assert_int_eq(p.line, 4);
    ck_assert_str_eq(shown_row(0), " a int32 = -1");
    ck_assert_str_eq(shown_row(3), " d uint64 = 7");
    p = page(100);
    ck_assert_uint_eq(drawer_text_arguments(&p, event_offset(v[1].packed), "args: ", false), 0);
    ck_assert_str_eq(shown_row(0), "");
    shown_close();
}
END_TEST

START_TEST(a_field_has_its_width) {
    shown_text(alone, 80, 60);
    struct drawer_text p = page(80);
    drawer_text_field(&p, ROLE_TEXT, STR("a name that is too long"), 10);
    ck_assert_int_eq(p.x, 11);
    drawer_text_right(&p, ROLE_TEXT, "7", 20);
    ck_assert_int_eq(p.x, 20);
    drawer_text_say(&p, ROLE_TEXT, "|");
    ck_assert_int_eq(shown_row(0)[20], '|');
    ck_assert_int_eq(shown_row(0)[19], '7');
    ck_assert_int_eq(shown_row(0)[11], ' ');
    shown_close();
}
END_TEST

SUITE(drawer_text) {
    Suite *s = suite_create("drawer_text");
    TCase *t = tcase_create("text");
    tcase_add_test(t, wrapped_text_is_all_of_the_text);
    tcase_add_test(t, labels_stay_with_their_numbers);
    tcase_add_test(t, only_visible_lines_are_drawn);
    tcase_add_test(t, bytes_in_hexadecimal_and_as_characters);
    tcase_add_test(t, arguments_are_counted_and_named);
    tcase_add_test(t, a_field_has_its_width);
    suite_add_tcase(s, t);
    return s;
}
