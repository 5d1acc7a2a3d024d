/* suite_jobs.c - background work ends, and small steps lead to the same screen as large ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/jobs.h"

#define KINDS "../screens/kinds"

/* The whole screen after background work in steps of so many units; fails if it never ends. */
static void screen(const char *keys, uint32_t units, char *out, size_t size) {
    struct key key;
    size_t n = 0;
    shown_fixture(KINDS, 100, 30);
    while (key_parse(&keys, &key))
        app_key(&shown, &key);
    int steps = 0;
    while (jobs_step(&shown, TASK_OF(units)))
        ck_assert_int_lt(++steps, 1000000);
    ck_assert(!jobs_step(&shown, TASK_OF(units))); /* done is done */
    ck_assert_int_eq(shown.timeline.overview.columns, shown.timeline.window.columns);
    ck_assert(shown.find.search == NULL || shown.find.hits_known);
    app_draw(&shown);
    /* without the title: the file has another name */
    for (int y = 1; y < 30 && n + 128 < size; y++)
        n += (size_t)snprintf(out + n, size - n, "%s\n", shown_row(y));
    shown_close();
}

START_TEST(steps_of_any_size_lead_to_the_same_screen) {
    static const char *const keys[] = {"",  "/a<Enter>",  "jjl<Tab>h",
                                       "6", "jjl<Tab>ll", "5/frame<Enter>"};
    char whole[8000], pieces[8000];
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        screen(keys[i], 1000000, whole, sizeof whole);
        for (uint32_t units = 1; units < 2000; units = units * 40) {
            screen(keys[i], units, pieces, sizeof pieces);
            ck_assert_msg(strcmp(whole, pieces) == 0, "%s in steps of %u:\n%s\nnot\n%s", keys[i],
                          units, pieces, whole);
        }
    }
}
END_TEST

/* The overview asks for columns of the whole trace meanwhile. */
START_TEST(headers_are_of_all_threads_of_the_window) {
    enum { THREADS = 1500 };
    size_t size = 50 * (THREADS + 1), n = 0;
    char *text = err_malloc(size);
    n += (size_t)snprintf(text, size, "magic\n");
    for (unsigned i = 0; i < THREADS; i++)
        n += (size_t)snprintf(text + n, size - n, "complete %u 5/%u \"c\" \"n\" end=%u\n", 10 * i,
                              100 + i, 10 * i + 5000);
    shown_text(text, 100, 30);
    free(text);
    shown_keys("www");
    app_draw(&shown);
    shown.timeline.overview.columns = 0;
    process_busy_free(&shown.timeline.busy);
    app_draw(&shown);
    ck_assert_uint_eq(shown.timeline.busy.rows.n, 1);
    ck_assert_uint_lt(shown.timeline.busy.rows.v[0].next, THREADS);
    while (jobs_step(&shown, TASK_OF(1000)))
        ;
    ck_assert_uint_eq(shown.timeline.busy.rows.v[0].next, THREADS);
    shown_close();
}
END_TEST

START_TEST(without_a_budget_nothing_is_done) {
    shown_fixture(KINDS, 100, 30);
    shown.timeline.overview.columns = 0;
    struct budget none = budget_units(0);
    ck_assert(jobs_step(&shown, TASK_WITHIN(&none)));
    ck_assert_int_eq(shown.timeline.overview.columns, 0);
    shown_close();
}
END_TEST

SUITE(jobs) {
    Suite *s = suite_create("jobs");
    TCase *t = tcase_create("jobs");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, steps_of_any_size_lead_to_the_same_screen);
    tcase_add_test(t, headers_are_of_all_threads_of_the_window);
    tcase_add_test(t, without_a_budget_nothing_is_done);
    suite_add_tcase(s, t);
    return s;
}
