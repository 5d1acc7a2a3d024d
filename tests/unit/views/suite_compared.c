/* suite_compared.c - the columns of a comparison on the screen: rows by the size of their change,
 * and sums in words. */
#include "ui/views/stat/traces/compared.h"

#include <string.h>

#include "tests/unit/lib/suites.h"

enum { SLOWER, NEW, GONE, SAME, FEW, ROWS };

/* Totals in ms on both sides. */
static const struct {
    double ms[BETWEEN_SIDES];
    enum between_verdict verdict;
} numbers[ROWS] = {[SLOWER] = {{100, 160}, BETWEEN_SLOWER},
                   [NEW] = {{0, 50}, BETWEEN_NEW},
                   [GONE] = {{40, 0}, BETWEEN_GONE},
                   [SAME] = {{10, 10}, BETWEEN_SAME},
                   [FEW] = {{1, 21}, BETWEEN_FEW}};

static struct trace_names_row likes[ROWS];
static struct between b;

static void set_up(void) {
    b = (struct between){.threshold = BETWEEN_THRESHOLD};
    for (int i = 0; i < ROWS; i++) {
        struct between_row row = {
            .like = &likes[i], .because = BETWEEN_NO_ROW, .verdict = numbers[i].verdict};
        likes[i] =
            (struct trace_names_row){.name = (char *)"row", .n = 3, .kind = SLICE_ITER_SLICES};
        for (int side = 0; side < BETWEEN_SIDES; side++) {
            row.values[BETWEEN_TOTAL][side] = numbers[i].ms[side] * 1e6;
            row.has[side] = numbers[i].ms[side] > 0;
        }
        vec_push(&b.v, row);
    }
    between_count(&b);
}

/* The change of the total is a time, also of what one side alone has; so is its place. */
START_TEST(totals_come_by_their_change_in_time) {
    static const char *const texts[ROWS] = {"+60 ms", "+50 ms", "-40 ms", "+0 ns", "+20 ms"};
    set_up();
    for (int i = 0; i < ROWS; i++) {
        struct table_cell cell = {.role = ROLE_TEXT};
        between_relation_get(&b, (uint64_t)i, COMPARED_TOTAL_BY, false, &cell.value);
        compared_format(&b, &b.v.v[i], COMPARED_TOTAL_BY, true, &cell);
        ck_assert_msg(str_eq(cell.text, str_of(texts[i])), "row %d: %.*s", i, (int)cell.text.n,
                      cell.text.s);
    }
    ck_assert_int_eq(compared_key(&b, &b.v.v[GONE], COMPARED_TOTAL_BY), 40000000);
    ck_assert_int_gt(compared_key(&b, &b.v.v[NEW], COMPARED_TOTAL_BY),
                     compared_key(&b, &b.v.v[GONE], COMPARED_TOTAL_BY));
    ck_assert_int_gt(compared_key(&b, &b.v.v[SLOWER], COMPARED_VERDICT),
                     compared_key(&b, &b.v.v[NEW], COMPARED_VERDICT));
    vec_free(&b.v);
}
END_TEST

/* As in the text of --compare. */
START_TEST(verdicts_say_what_decided) {
    static const struct {
        enum between_number decided;
        const char *text;
    } cases[] = {{BETWEEN_P50, "slower"},
                 {BETWEEN_P99, "slower (p99)"},
                 {BETWEEN_LONGEST, "slower (longest)"}};
    set_up();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct table_cell cell = {.role = ROLE_TEXT};
        b.v.v[SLOWER].decided = cases[i].decided;
        between_relation_get(&b, SLOWER, COMPARED_VERDICT, false, &cell.value);
        cell.text = cell.value.text;
        compared_format(&b, &b.v.v[SLOWER], COMPARED_VERDICT, true, &cell);
        ck_assert(str_eq(cell.text, str_of(cases[i].text)) && cell.role == ROLE_WARN);
    }
    vec_free(&b.v);
}
END_TEST

START_TEST(verdicts_are_summed_up) {
    char text[200];
    set_up();
    compared_status(&b, text, sizeof text);
    ck_assert_str_eq(text, "1 slower  1 new  1 gone of 5 names");
    ck_assert_ptr_nonnull(
        strstr(compared_none(&b, true, text), "nothing changed for sure, 1 with too few slices"));
    ck_assert_str_eq(compared_none(&b, false, text), "no name here: Tab goes to the next tab");
    b.counts[BETWEEN_FEW] = 0;
    ck_assert_str_eq(compared_none(&b, true, text), "nothing changed: Tab shows all names");
    vec_free(&b.v);
}
END_TEST

SUITE(compared) {
    Suite *suite = suite_create("compared");
    TCase *c = tcase_create("compared");
    tcase_add_test(c, totals_come_by_their_change_in_time);
    tcase_add_test(c, verdicts_say_what_decided);
    tcase_add_test(c, verdicts_are_summed_up);
    suite_add_tcase(suite, c);
    return suite;
}
