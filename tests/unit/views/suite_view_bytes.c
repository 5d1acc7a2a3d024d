/* suite_view_bytes.c - the words of a record at the left of their fields: each word once. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/views/view.h"

static const char ends[] =
    "magic\n"
    "init 1000000000\n"
    "begin 10 5/6 \"category\" \"work\" first=\"a text of more than three words\"\n"
    "end 30 5/6 \"category\" \"work\"\n";

START_TEST(each_word_of_the_record_is_there_once) {
    static const int widths[] = {140, 100, 60, 30};
    for (int i = 0; i < 4; i++) {
        shown_text(ends, widths[i], 40);
        shown_select("work", 0);
        uint64_t offset = shown.timeline.selection.offset;
        shown_keys("X");
        ck_assert_ptr_eq(shown.views.current->ops, &view_bytes);
        const char *text = shown_page(), *end = strstr(text, "end: ");
        ck_assert_ptr_nonnull(strstr(text, "begin: duration_begin"));
        ck_assert_ptr_nonnull(end);
        unsigned long long bytes;
        ck_assert_int_eq(sscanf(strstr(text, "), "), "), %llu bytes", &bytes), 1);
        for (uint64_t at = offset; at < offset + bytes; at += 8) {
            char word[24];
            snprintf(word, sizeof word, "%06llx ", (unsigned long long)at);
            const char *first = strstr(text, word);
            ck_assert_msg(first != NULL && first < end, "%s on %d columns:\n%s", word, widths[i],
                          text);
            ck_assert(strstr(first + 1, word) == NULL || strstr(first + 1, word) > end);
        }
        shown_close();
    }
}
END_TEST

START_TEST(fields_have_names_and_values) {
    shown_text(ends, 140, 40);
    shown_select("work", 0);
    shown_keys("X");
    ck_assert_ptr_nonnull(strstr(shown_page(), "number of arguments 1"));
    ck_assert_ptr_nonnull(strstr(shown_page(), "inline of 8 bytes"));
    ck_assert_ptr_nonnull(strstr(shown_page(), "timestamp"));
    ck_assert_ptr_nonnull(strstr(shown_page(), "\"work\""));
    shown_close();
}
END_TEST

START_TEST(x_opens_and_closes) {
    shown_text(ends, 100, 30);
    shown_keys("X");
    ck_assert_ptr_eq(shown.views.current->ops, &view_timeline); /* nothing is selected */
    ck_assert_uint_gt(strlen(shown.message.text), 0);
    shown_select("work", 0);
    shown_keys("X");
    ck_assert_ptr_eq(shown.views.current->ops, &view_bytes);
    shown_keys("X");
    ck_assert_ptr_eq(shown.views.current->ops, &view_timeline);
    shown_close();
}
END_TEST

START_TEST(a_damaged_record_is_shown_with_its_reason) {
    shown_text("magic\ninit 1000000000\n"
               "instant 10 5/6 \"c\" \"x\" a=i32:1\npoke 0 0x00f0000000f00054\n"
               "instant 20 5/6 \"c\" \"y\"\n",
               120, 40);
    shown_keys(":problems<Enter>X");
    if (shown.views.current->ops != &view_bytes)
        shown_keys("jX");
    ck_assert_ptr_eq(shown.views.current->ops, &view_bytes);
    ck_assert_ptr_nonnull(strstr(shown_page(), "!"));
    shown_close();
}
END_TEST

SUITE(view_bytes) {
    Suite *s = suite_create("view_bytes");
    TCase *t = tcase_create("bytes");
    tcase_add_test(t, each_word_of_the_record_is_there_once);
    tcase_add_test(t, fields_have_names_and_values);
    tcase_add_test(t, x_opens_and_closes);
    tcase_add_test(t, a_damaged_record_is_shown_with_its_reason);
    suite_add_tcase(s, t);
    return s;
}
