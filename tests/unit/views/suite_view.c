/* suite_view.c - the registry of views: each opens, is drawn at any size, and leads back. */
#include <stdio.h>
#include <string.h>

#include "tests/lib/sound_grid.h"
#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/views/view.h"

#define KINDS "../screens/kinds"

static const struct view_ops *const all[] = {
#define VIEW(ops, ...) &ops,
#define SUBVIEW(ops) &ops,
#include "ui/views/view_list.h"
#undef VIEW
#undef SUBVIEW
};
#define VIEWS (sizeof all / sizeof *all)

START_TEST(ops_are_complete) {
    for (size_t i = 0; i < VIEWS; i++) {
        ck_assert_ptr_nonnull(all[i]->title);
        ck_assert_ptr_nonnull(all[i]->draw);
        ck_assert_ptr_nonnull(all[i]->find);
        ck_assert_uint_ne(all[i]->modes, 0);
        ck_assert((all[i]->make == NULL) == (all[i]->free == NULL));
        ck_assert(!(all[i]->modes & MODE_TABLE) || (all[i]->table && all[i]->step && all[i]->csv));
        for (size_t k = 0; k < i; k++)
            ck_assert_str_ne(all[i]->title, all[k]->title);
    }
}
END_TEST

START_TEST(each_view_opens_with_its_title_and_q_leads_back) {
    shown_fixture(KINDS, 120, 30);
    shown_select("Submit", 0);
    for (size_t i = 0; i < VIEWS; i++) {
        bool opened_by_another = all[i] == &view_blob;
        view_open(&shown, opened_by_another ? &view_blobs : all[i]);
        if (opened_by_another)
            view_enter(&shown);
        app_draw(&shown);
        ck_assert_msg(strstr(shown_row(0), all[i]->title), "%s: %s", all[i]->title, shown_row(0));
        ck_assert(view_is(&shown.views, all[i]->modes));
        for (int k = 0; k < 5 && view_leave(&shown); k++)
            ;
        ck_assert_ptr_eq(shown.views.current, shown.views.home);
        ck_assert(view_is(&shown.views, MODE_TIMELINE));
        view_open_timeline(&shown);
    }
    ck_assert_str_eq(shown_selected(), "Submit");
    shown_close();
}
END_TEST

START_TEST(a_view_is_drawn_at_any_size) {
    static const int sizes[][2] = {{200, 60}, {80, 24}, {60, 12}, {40, 9},
                                   {20, 5},   {19, 4},  {1, 1},   {120, 30}};
    shown_fixture(KINDS, 120, 30);
    for (size_t i = 0; i < VIEWS; i++) {
        view_open(&shown, all[i] == &view_blob ? &view_blobs : all[i]);
        if (all[i] == &view_blob)
            view_enter(&shown);
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            shown_resize(sizes[k][0], sizes[k][1]);
            ck_assert_msg(sound_grid(&shown.grid), "%s at %dx%d", all[i]->title, sizes[k][0],
                          sizes[k][1]);
        }
        shown_keys("q");
    }
    shown_close();
}
END_TEST

START_TEST(closing_leads_to_the_timeline_view_that_was_last) {
    shown_fixture(KINDS, 120, 30);
    view_open(&shown, &view_counters);
    view_open(&shown, &view_log);
    view_open(&shown, &view_objects); /* no view over the log: both lead home */
    ck_assert(view_leave(&shown));
    ck_assert_ptr_eq(shown.views.current->ops, &view_counters);
    shown_close();
}
END_TEST

START_TEST(help_and_bytes_lead_back_to_what_they_cover) {
    shown_fixture(KINDS, 120, 30);
    view_open(&shown, &view_log);
    view_open(&shown, &view_bytes);
    view_open(&shown, &view_help);
    ck_assert_ptr_eq(shown.views.current->ops, &view_help);
    ck_assert(view_leave(&shown));
    ck_assert_ptr_eq(shown.views.current->ops, &view_bytes);
    ck_assert(view_leave(&shown));
    ck_assert_ptr_eq(shown.views.current->ops, &view_log);
    ck_assert(view_leave(&shown));
    ck_assert_ptr_eq(shown.views.current->ops, &view_timeline);
    shown_close();
}
END_TEST

START_TEST(a_record_is_that_of_the_row_or_of_the_selection) {
    struct view_record record;
    shown_fixture(KINDS, 120, 30);
    ck_assert(!view_record(&shown.views, &record)); /* nothing is selected */
    shown_select("Submit", 1);
    ck_assert(view_record(&shown.views, &record));
    ck_assert_uint_eq(record.offset, shown.timeline.selection.offset);
    view_open(&shown, &view_log);
    uint64_t before = 0;
    for (int i = 0; i < 5; i++) {
        ck_assert(view_record(&shown.views, &record));
        ck_assert_uint_gt(record.offset, before);
        before = record.offset;
        shown_keys("j");
    }
    shown_close();
}
END_TEST

SUITE(view) {
    Suite *s = suite_create("view");
    TCase *t = tcase_create("view");
    tcase_add_test(t, ops_are_complete);
    tcase_add_test(t, each_view_opens_with_its_title_and_q_leads_back);
    tcase_add_test(t, a_view_is_drawn_at_any_size);
    tcase_add_test(t, closing_leads_to_the_timeline_view_that_was_last);
    tcase_add_test(t, help_and_bytes_lead_back_to_what_they_cover);
    tcase_add_test(t, a_record_is_that_of_the_row_or_of_the_selection);
    suite_add_tcase(s, t);
    return s;
}
