/* suite_view_pages.c - the pages: help has every command, info is the summary, problems lead to
 * their records. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/output/report.h"
#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/command.h"

#define KINDS "../screens/kinds"

START_TEST(help_has_the_key_of_every_command) {
    shown_fixture(KINDS, 140, 40);
    shown_keys("?");
    for (size_t i = 0; i < command_count; i++) {
        char key[32];
        snprintf(key, sizeof key, "%.*s", (int)strcspn(commands[i].keys, " "), commands[i].keys);
        ck_assert_msg(*key == 0 || strstr(shown_page(), key), "no %s of %s in\n%s", key,
                      commands[i].name, shown_page());
    }
    shown_close();
}
END_TEST

SUITE(view_help) {
    Suite *s = suite_create("view_help");
    TCase *t = tcase_create("help");
    tcase_add_test(t, help_has_the_key_of_every_command);
    suite_add_tcase(s, t);
    return s;
}

START_TEST(info_is_the_summary) {
    char *text = NULL;
    size_t size;
    shown_fixture(KINDS, 500, 40); /* no line wraps */
    shown_keys("9");
    FILE *out = open_memstream(&text, &size);
    report_summary(shown.trace, out, true);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_uint_gt(size, 500);
    ck_assert_str_eq(shown_page(), text);
    free(text);
    shown_close();
}
END_TEST

SUITE(view_info) {
    Suite *s = suite_create("view_info");
    TCase *t = tcase_create("info");
    tcase_add_test(t, info_is_the_summary);
    suite_add_tcase(s, t);
    return s;
}

/* Two ends without a begin, on a thread of their own. */
static const char stray[] = "magic\n"
                            "init 1000000000\n"
                            "complete 0 5/6 \"c\" \"work\" end=9000\n"
                            "end 1000 5/7 \"c\" \"stray\"\n"
                            "end 2000 5/7 \"c\" \"stray\"\n";

START_TEST(each_case_leads_to_its_time_and_its_record) {
    static const char *const keys[] = {"j", "jj"};
    uint64_t before = 0;
    for (int i = 0; i < 2; i++) {
        struct view_record record;
        shown_text(stray, 120, 40);
        shown_keys(":problems<Enter>");
        shown_keys(keys[i]);
        ck_assert(view_record(&shown.views, &record));
        ck_assert_uint_gt(record.offset, before);
        ck_assert_uint_gt(strlen(record.heading), 0);
        before = record.offset;
        shown_keys("<Enter>");
        ck_assert_ptr_eq(shown.views.current->ops, &view_timeline);
        ck_assert_int_eq(shown.timeline.cursor - trace_origin(shown.trace), (i + 1) * 1000);
        shown_close();
    }
}
END_TEST

START_TEST(without_problems_the_page_reports_it) {
    struct view_record record;
    shown_text("magic\ninit 1000000000\ncomplete 0 5/6 \"c\" \"work\" end=9000\n", 120, 40);
    shown_keys(":problems<Enter>");
    ck_assert(shown_has("No problems"));
    ck_assert(!view_record(&shown.views, &record));
    shown_keys("<Enter>");
    ck_assert_ptr_eq(shown.views.current->ops, &view_problems);
    shown_close();
}
END_TEST

SUITE(view_problems) {
    Suite *s = suite_create("view_problems");
    TCase *t = tcase_create("problems");
    tcase_add_test(t, each_case_leads_to_its_time_and_its_record);
    tcase_add_test(t, without_problems_the_page_reports_it);
    suite_add_tcase(s, t);
    return s;
}
