/* suite_marks.c - marks, jumps and notes as keys make them, and the distances that are shown. */
#include "ui/timeline/range/marks.h"

#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"

#define KINDS "../screens/kinds"

START_TEST(a_mark_is_a_time_and_a_line) {
    shown_fixture(KINDS, 120, 40);
    shown_keys("wwLLLLLjjma");
    int64_t at = shown.timeline.cursor;
    uint64_t line = shown.timeline.line;
    shown_keys("LLLLjj");
    int64_t before = shown.timeline.cursor;
    uint64_t line_before = shown.timeline.line;
    shown_keys("'a");
    ck_assert(shown.timeline.cursor == at && shown.timeline.line == line);
    shown_keys("''");
    ck_assert(shown.timeline.cursor == before && shown.timeline.line == line_before);
    shown_keys("''");
    ck_assert(shown.timeline.cursor == at && shown.timeline.line == line);
    shown_keys("m'LLLL''");
    ck_assert(shown.timeline.cursor == at);
    shown_keys("'q");
    ck_assert(shown_has("no such mark") && shown.timeline.cursor == at);
    shown_keys("m1");
    ck_assert(shown_has("marks are a to z"));
    shown_keys("m<Esc>L");
    ck_assert_int_gt(shown.timeline.cursor, at);
    shown_close();
}
END_TEST

START_TEST(the_distance_is_of_the_marks_set_last_or_from_the_cursor) {
    char text[128];
    shown_fixture(KINDS, 120, 40);
    ck_assert_str_eq(marks_text(&shown, text), "");
    shown_keys(":mark a 1ms<Enter>:goto 3ms<Enter>");
    ck_assert_str_eq(marks_text(&shown, text), "from a 2.000 ms");
    shown_keys(":mark b 6ms<Enter>");
    ck_assert_str_eq(marks_text(&shown, text), "a to b 5.000 ms");
    ck_assert(shown_has("5.000 ms"));
    shown_keys(":mark c 2ms<Enter>");
    ck_assert_str_eq(marks_text(&shown, text), "b to c 4.000 ms");
    shown_keys(":mark c x<Enter>");
    ck_assert(shown_has("not a time"));
    shown_keys(":mark cc<Enter>");
    ck_assert(shown_has("marks are a to z"));
    shown_close();
}
END_TEST

START_TEST(a_note_is_shown_at_its_time_and_made_safe) {
    char text[128];
    shown_fixture(KINDS, 120, 40);
    shown_keys(":goto 3ms<Enter>Mslow here<Enter>");
    ck_assert_str_eq(marks_text(&shown, text), "note: slow here");
    shown_keys("LL");
    ck_assert_str_eq(marks_text(&shown, text), "");
    shown_keys("HHM<Enter>");
    ck_assert_str_eq(marks_text(&shown, text), "");
    marks_note(&shown, "a\033[2Jb");
    ck_assert(strchr(marks_text(&shown, text), '\033') == NULL);
    shown_close();
}
END_TEST

SUITE(marks) {
    Suite *s = suite_create("marks");
    TCase *t = tcase_create("marks");
    tcase_add_test(t, a_mark_is_a_time_and_a_line);
    tcase_add_test(t, the_distance_is_of_the_marks_set_last_or_from_the_cursor);
    tcase_add_test(t, a_note_is_shown_at_its_time_and_made_safe);
    suite_add_tcase(s, t);
    return s;
}
