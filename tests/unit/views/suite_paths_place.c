/* suite_paths_place.c - what y copies in flame and sandwich, and how frames are found again. */
#include "ui/views/stat/paths_place.h"

#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/keep/keep_copy.h"
#include "ui/views/view.h"

static const char *copied(void) {
    static char text[4000];
    struct chars out = {0};
    keep_copy_text(&shown, &out);
    ck_assert_uint_lt(out.n, sizeof text);
    if (out.n > 0)
        memcpy(text, out.v, out.n);
    text[out.n] = 0;
    vec_free(&out);
    return text;
}

/* Frame of 100 has two Load of 20, and one of 30 in a Decode of 40. A name of the trace could end a
 * cell. */
static const char trace[] = "magic\ninit 1000000000\n"
                            "begin 0 1/2 \"\" \"Frame\"\n"
                            "complete 0 1/2 \"\" \"Load\" end=20\n"
                            "complete 20 1/2 \"\" \"Load\" end=40\n"
                            "begin 50 1/2 \"\" \"Decode\"\n"
                            "complete 50 1/2 \"\" \"Load\" end=80\n"
                            "complete 80 1/2 \"\" \"a\\t\\e/b\" end=84\n"
                            "end 90 1/2 \"\" \"Decode\"\n"
                            "end 100 1/2 \"\" \"Frame\"\n";

START_TEST(a_frame_is_copied_with_its_numbers) {
    shown_text(trace, 120, 40);
    shown_keys("3jj");
    ck_assert_str_eq(copied(), "all > Frame > Load\t40 ns\t40.0% of all\tself 40 ns\t2 calls\n");
    shown_keys("l");
    ck_assert_str_eq(copied(), "all > Frame > Decode\t40 ns\t40.0% of all\tself 6 ns\t1 call\n");
    shown_keys("W");
    while (!strstr(copied(), "of all\t1 call"))
        shown_keys("W");
    shown_keys("i0");
    ck_assert(strncmp(copied(), "all\t", 4) == 0);
    shown_close();
}
END_TEST

static const char *copied_row(void) {
    shown_keys("yy");
    vec_push(&shown.requests.copy, '\0');
    return shown.requests.copy.v;
}

START_TEST(rows_of_a_range_are_a_table) {
    shown_text(trace, 120, 40);
    shown_keys(":range 0..100ns<Enter>3");
    const char *names = copied();
    ck_assert_ptr_eq(
        strstr(names, "name\tcalls\ttotal\tshare\tself\nLoad\t3\t70 ns\t70.0%\t70 ns\n"), names);
    shown_keys("4:place in name Load<Enter>");
    ck_assert_str_eq(copied(), "\tname\tcalls\ttotal\tshare\tself\n"
                               "caller\tDecode\t1\t30 ns\t42.9%\t30 ns\n"
                               "caller\tFrame\t2\t40 ns\t57.1%\t40 ns\n"
                               "middle\tLoad\t3\t70 ns\t70.0%\t70 ns\n");
    ck_assert_str_eq(copied_row(), "middle\tLoad\t3\t70 ns\t70.0%\t70 ns");
    shown_keys("k");
    ck_assert_str_eq(copied_row(), "caller\tFrame\t2\t40 ns\t57.1%\t40 ns");
    shown_close();
}
END_TEST

START_TEST(a_frame_is_found_by_its_path) {
    uint32_t node;
    struct chars line = {0};
    shown_text(trace, 120, 40);
    shown_keys("3");
    struct paths *p = paths_of_app(&shown);
    ck_assert(paths_place_find(p, "Frame/Decode/a\\x09\\x1b\\x2fb", &node));
    paths_place_node(p, "frame", node, &line);
    chars_add(&line, (struct str){"", 1});
    ck_assert_str_eq(line.v, "place in frame Frame/Decode/a\\x09\\x1b\\x2fb\n");
    p->selected = node;
    ck_assert(strstr(copied(), "\x1b") == NULL &&
              strchr(copied(), '\t') == strstr(copied(), "\t4 ns"));
    ck_assert(!paths_place_find(p, "Frame/Loa", &node) && !paths_place_find(p, "", &node));
    ck_assert(paths_place_put(p, "weight calls") && p->measure == PATHS_CALLS);
    ck_assert(!paths_place_put(p, "weight never") && !paths_place_put(p, "zoom Frame"));
    vec_free(&line);
    shown_close();
}
END_TEST

SUITE(paths_place) {
    Suite *s = suite_create("paths_place");
    TCase *t = tcase_create("paths_place");
    tcase_add_test(t, a_frame_is_copied_with_its_numbers);
    tcase_add_test(t, rows_of_a_range_are_a_table);
    tcase_add_test(t, a_frame_is_found_by_its_path);
    suite_add_tcase(s, t);
    return s;
}
