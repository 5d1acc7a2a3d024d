/* suite_view_objects.c - every named object is a row, in file order, sorted without loss. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/views/view_table.h"

static const char objects[] = "magic\n"
                              "init 1000000000\n"
                              "kernel_object 1 18446744073709551615 \"last\"\n"
                              "kernel_object 2 11 \"thread\" process=koid:10\n"
                              "kernel_object 1 10 \"process\"\n"
                              "kernel_object 77 12 \"odd\" a=i32:5\n"
                              "userspace_object 0x1000 10/- \"user\" x=\"y\"\n"
                              "userspace_object 0x2000 10/- \"other\"\n"
                              "instant 5 10/11 \"c\" \"x\"\n";

static struct table *table(void) {
    return shown.views.current->ops->table(shown.views.current);
}

START_TEST(each_object_is_a_row) {
    static const char *const rows[] = {
        "18446744073709551615", "thread", "process", "type 77", "0x1000", "0x2000"};
    shown_text(objects, 120, 30);
    shown_keys(":objects<Enter>");
    ck_assert(shown_has("Objects  6"));
    int y = shown_find("koid") + 1;
    for (int i = 0; i < 6; i++)
        ck_assert_msg(strstr(shown_row(y + i), rows[i]), "row %d: %s", i, shown_row(y + i));
    ck_assert_ptr_nonnull(strstr(shown_row(y + 3), "a=5"));
    ck_assert_ptr_nonnull(strstr(shown_row(y + 4), "x=y"));
    shown_close();
}
END_TEST

START_TEST(koids_sort_as_unsigned_numbers) {
    static const uint64_t sorted[] = {10, 11, 12, 0x1000, 0x2000, UINT64_MAX};
    shown_text(objects, 120, 30);
    shown_keys(":objects<Enter>");
    int y = shown_find("koid") + 1;
    for (int k = 0; k < 12 && !(strstr(shown_row(y), "10 ") && strstr(shown_row(y + 1), "11 "));
         k++)
        shown_keys(k % 2 ? ">" : "I"); /* until koids ascend */
    for (int i = 0; i < 6; i++) {
        char text[32];
        snprintf(text, sizeof text, i == 3 || i == 4 ? "0x%" PRIx64 : "%" PRIu64, sorted[i]);
        ck_assert_msg(strstr(shown_row(y + i), text), "row %d: %s", i, shown_row(y + i));
    }
    shown_close();
}
END_TEST

START_TEST(a_row_leads_to_its_record) {
    struct view_record record;
    uint64_t before = 0;
    shown_text(objects, 120, 30);
    shown_keys(":objects<Enter>");
    for (int i = 0; i < 6; i++) {
        ck_assert_uint_eq(table()->at, (uint32_t)i);
        ck_assert(view_record(&shown.views, &record));
        ck_assert_uint_gt(record.offset, before);
        before = record.offset;
        shown_keys("j");
    }
    shown_close();
}
END_TEST

START_TEST(a_trace_without_objects_has_no_rows) {
    struct view_record record;
    shown_text("magic\ninit 1000000000\ninstant 5 10/11 \"c\" \"x\"\n", 120, 30);
    shown_keys(":objects<Enter>");
    ck_assert(shown_has("no objects"));
    ck_assert(!view_record(&shown.views, &record));
    ck_assert_uint_gt(strlen(shown.message.text), 0);
    shown_close();
}
END_TEST

SUITE(view_objects) {
    Suite *s = suite_create("view_objects");
    TCase *t = tcase_create("objects");
    tcase_add_test(t, each_object_is_a_row);
    tcase_add_test(t, koids_sort_as_unsigned_numbers);
    tcase_add_test(t, a_row_leads_to_its_record);
    tcase_add_test(t, a_trace_without_objects_has_no_rows);
    suite_add_tcase(s, t);
    return s;
}
