/* suite_table.c - what a table shows of a made-up list, and what it asks for it. */
#include "ui/screen/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

struct list { /* row i has the value i * 7919 % n, and every `quiet`-th one comes late */
    uint32_t n, quiet, odd;
    uint64_t asked;
};

static uint64_t count(void *ctx) {
    return ((struct list *)ctx)->n;
}

static int64_t value(const struct list *l, uint64_t row) {
    return (int64_t)(row * 7919 % l->n);
}

static void get(void *ctx, struct relation_row row, int column, struct relation_value *cell) {
    struct list *l = ctx;
    l->asked++;
    if (column == 1) {
        relation_set_integer(cell, -value(l, row.row));
        return;
    }
    if (column == 0)
        snprintf(cell->buf, sizeof cell->buf, "row %" PRIu64, row.row);
    else if (row.row == 3)
        snprintf(cell->buf, sizeof cell->buf, "=two\n\x1blines");
    else
        snprintf(cell->buf, sizeof cell->buf,
                 "a text of row %" PRIu64 " \x1b[31m and more of it that is long", row.row);
    relation_set_text(cell, str_of(cell->buf));
}

static void format(void *ctx, struct relation_row row, int column, struct table_cell *cell) {
    if (column == 1) {
        snprintf(cell->buf, sizeof cell->buf, "%" PRId64, value(ctx, row.row));
        cell->text = str_of(cell->buf);
    } else if (column == 2) {
        snprintf(cell->mark, sizeof cell->mark, "+1");
    }
}

static bool keeps(void *ctx, uint64_t row) {
    return row % 2 == ((struct list *)ctx)->odd;
}

static int64_t key(void *ctx, struct relation_row row, int column) {
    (void)column;
    return value(ctx, row.row);
}

static int64_t gap(void *ctx, struct relation_row row) {
    struct list *l = ctx;
    int64_t ns = 0;
    for (uint64_t i = row.before + 1; i <= row.row; i++)
        ns += l->quiet && i % l->quiet == 0 ? 1000 : 10;
    return ns;
}

static const struct table_column columns[] = {
    {NULL, 12, 16, 0, false, false}, {NULL, 8, 10, 2, true, true}, {NULL, 20, 0, 1, false, false}};
static const struct relation_column relation_columns[] = {
    {"name", "name", RELATION_TEXT, RELATION_NONE, false},
    {"value", "value", RELATION_INTEGER, RELATION_NONE, false},
    {"text", "text", RELATION_TEXT, RELATION_NONE, true},
};
static const struct relation relation = {"list", relation_columns, 3, false, count, get};
static const struct table_source source = {&relation,      columns,    format,
                                           .keeps = keeps, .key = key, .gap = gap};

static struct table *open_table(struct list *l) {
    struct table *t = malloc(sizeof *t);
    table_init(t, &source, l, false);
    return t;
}

static void close_table(struct table *t) {
    table_free(t);
    free(t);
}

/* In steps of about so many rows; returns how many there were before the last. */
static uint64_t work(struct table *t, uint32_t rows) {
    uint64_t steps = 0;
    struct budget budget = budget_units(rows * 4);
    while (table_step(t, TASK_WITHIN(&budget))) {
        budget = budget_units(rows * 4);
        steps++;
    }
    return steps;
}

static uint32_t row_at(const struct table *t, uint32_t at) {
    struct relation_row row;
    MUST(table_row(t, at, &row));
    return (uint32_t)row.row;
}

static struct filter *filter_for(const char *text) {
    struct err err;
    return filter_new(text, false, &err);
}

START_TEST(a_frame_asks_for_what_it_shows) {
    struct list l = {.n = 4000000000u};
    struct table *t = open_table(&l);
    struct grid g;
    MUST(work(t, 1) == 0); /* nothing looks at all rows */
    grid_init(&g, 100, 30, false);
    table_draw(t, &g, 1, 20);
    MUST(l.asked <= 3 * 19 * 3); /* the first screen and the shown rows for widths, then cells */
    table_move(t, INT64_C(1) << 40);
    MUST(t->at == l.n - 1);
    l.asked = 0;
    table_draw(t, &g, 1, 20);
    MUST(l.asked <= 3 * 19 * 3);
    MUST(grid_at(&g, 0, 20)->cp[0] == '>');
    table_go(t, 123456);
    table_draw(t, &g, 1, 20);
    MUST(t->top == 123456);
    table_move(t, 18);
    table_draw(t, &g, 1, 20);
    MUST(t->top == 123456);
    table_move(t, 1);
    table_draw(t, &g, 1, 20);
    MUST(t->top == 123457);
    grid_free(&g);
    close_table(t);
}
END_TEST

START_TEST(columns_stay_apart_at_any_width) {
    struct list l = {.n = 1000};
    struct table *t = open_table(&l);
    for (int cols = 1; cols <= 250; cols++)
        for (int ascii = 0; ascii < 2; ascii++) {
            struct grid g;
            grid_init(&g, cols, 10, ascii);
            table_draw(t, &g, 0, 10);
            for (int y = 0; y < 10; y++)
                for (int x = 0; x < cols; x++)
                    MUST(grid_at(&g, x, y)->cp[0] != 0x1b);
            /* all columns are there: name, value to the right, text */
            if (cols == 100 || cols == 60 || cols == 200) {
                MUST(grid_at(&g, 1, 0)->cp[0] == 'n' && grid_at(&g, 1, 1)->cp[0] == 'r');
                int x = 0;
                while (grid_at(&g, x, 0)->cp[0] != 'v')
                    x++;
                MUST(grid_at(&g, x + 4, 1)->cp[0] == '0' && grid_at(&g, x + 3, 1)->cp[0] == ' ');
                MUST(grid_at(&g, x + 5, 1)->cp[0] == ' ' && grid_at(&g, x + 6, 1)->cp[0] == ' ');
                MUST(grid_at(&g, x + 7, 0)->cp[0] == 't' && grid_at(&g, x + 7, 1)->cp[0] == 'a');
                if (cols == 60) /* the text is cut, its mark is not */
                    MUST(grid_at(&g, cols - 1, 1)->cp[0] == '1' &&
                         grid_at(&g, cols - 2, 1)->cp[0] == '+');
            }
            grid_free(&g);
        }
    close_table(t);
}
END_TEST

START_TEST(filter_and_order_are_those_of_a_slow_count) {
    static const uint32_t budgets[] = {1, 64, 1000000};
    for (int k = 0; k < 12; k++) {
        struct list l = {.n = 3001, .odd = 1};
        struct table *t = open_table(&l);
        table_go(t, 2000);
        bool selects = k & 1, filter = k & 2;
        table_select(t, selects);
        if (filter)
            table_filter(t, filter_for("/row [0-9]*7$/"));
        work(t, budgets[k % 3]);
        uint32_t n = 0;
        for (uint32_t row = 0; row < l.n; row++) {
            if ((selects && row % 2 == 0) || (filter && row % 10 != 7))
                continue;
            MUST(row_at(t, n) == row);
            n++;
        }
        MUST(table_count(t) == n);
        /* it is where it was, or after */
        MUST(row_at(t, t->at) >= 2000 && row_at(t, t->at) < 2010);
        table_sort(t, 1);
        work(t, budgets[(k + 1) % 3]);
        MUST(table_count(t) == n && t->at == 0);
        for (uint32_t i = 1; i < n; i++)
            MUST(value(&l, row_at(t, i - 1)) > value(&l, row_at(t, i)));
        struct relation_row row;
        MUST(table_row(t, 5, &row)); /* the row before is that of the source's order */
        MUST(row.before == RELATION_NO_ROW || row.before < row.row);
        table_invert(t);
        work(t, budgets[k % 3]);
        for (uint32_t i = 1; i < n; i++)
            MUST(value(&l, row_at(t, i - 1)) < value(&l, row_at(t, i)));
        table_sort(t, 1);
        work(t, 100);
        MUST(t->sort == -1 && row_at(t, 0) < row_at(t, 1));
        close_table(t);
    }
}
END_TEST

START_TEST(a_search_goes_round_at_the_end) {
    struct list l = {.n = 5000};
    struct table *t = open_table(&l);
    table_go(t, 4000);
    table_search(t, filter_for("/row 12.4$/"), 1);
    MUST(work(t, 10) > 5); /* in steps */
    MUST(t->seek == SEEK_FOUND && t->seek_wrapped && row_at(t, t->at) == 1204);
    table_search(t, NULL, 1);
    work(t, 10);
    MUST(t->seek == SEEK_FOUND && !t->seek_wrapped && row_at(t, t->at) == 1214);
    table_search(t, NULL, -1);
    work(t, 1000000);
    table_search(t, NULL, -1);
    work(t, 1000000);
    MUST(t->seek_wrapped && row_at(t, t->at) == 1294);
    table_search(t, filter_for("no such row"), 1);
    work(t, 100);
    MUST(t->seek == SEEK_NOT_FOUND && row_at(t, t->at) == 1294);
    close_table(t);
}
END_TEST

START_TEST(silences_stand_between_rows) {
    struct list l = {.n = 1000, .quiet = 50};
    struct table *t = open_table(&l);
    struct grid g;
    grid_init(&g, 80, 24, false);
    t->silences = true;
    table_renew(t);
    work(t, 13);
    MUST(t->breaks.n == 19 && t->longest == 1000);
    for (size_t i = 0; i < t->breaks.n; i++)
        MUST(t->breaks.v[i] == 50 * (i + 1));
    table_draw(t, &g, 0, 21);
    table_go(t, 50);
    grid_clear(&g, style_look(ROLE_TEXT));
    table_draw(t, &g, 0, 21);
    MUST(grid_at(&g, 0, 20)->cp[0] == '>'); /* its silence is above it */
    MUST(grid_at(&g, 1, 19)->cp[0] == ' ' && grid_at(&g, 1, 20)->cp[0] == 'r');
    MUST(!table_click(t, 18) && table_click(t, 19) && t->at == 50);
    table_scroll(t, 3);
    table_draw(t, &g, 0, 21);
    MUST(t->top == 35 && t->at == 50);
    table_scroll(t, 40);
    MUST(t->top == 75 && t->at == 74); /* what is on the screen: one silence is above */
    table_scroll(t, -4000);
    MUST(t->top == 0 && t->at == 19);
    table_move(t, 100000);
    table_draw(t, &g, 0, 21);
    MUST(grid_at(&g, 0, 20)->cp[0] == '>');
    grid_free(&g);
    close_table(t);
}
END_TEST

START_TEST(a_growing_list_goes_on) {
    struct list l = {.n = 100, .odd = 1};
    struct table *t = open_table(&l);
    table_go(t, 50);
    l.n = 200;
    table_grow(t);
    MUST(work(t, 0) == 0 && table_count(t) == 200 && t->at == 50);
    table_select(t, true);
    work(t, 7);
    MUST(table_count(t) == 100 && row_at(t, t->at) == 51);
    l.n = 300;
    table_grow(t);
    MUST(table_count(t) == 100); /* what was found stays meanwhile */
    work(t, 7);
    MUST(table_count(t) == 150 && row_at(t, t->at) == 51);
    l.n = 10;
    table_grow(t);
    work(t, 7);
    MUST(table_count(t) == 5);
    l.n = 0;
    table_renew(t);
    work(t, 7);
    struct relation_row row;
    MUST(table_count(t) == 0 && !table_current(t, &row));
    table_move(t, 5);
    table_search(t, filter_for("x"), 1);
    work(t, 7);
    MUST(t->seek == SEEK_NOT_FOUND);
    close_table(t);
}
END_TEST

/* Filtered, in its order, escapes spelled out, formulas guarded, numbers plain, messages with their
 * lines. */
/* In an order the greatest row stays the current one while rows come. A row that was chosen stays,
 * too. */
/* Also before a frame has clamped it. */
START_TEST(the_current_row_of_a_shorter_list_is_its_last) {
    struct list l = {.n = 10};
    struct table *t = open_table(&l);
    struct relation_row row = {0, 0};
    work(t, 100);
    table_move(t, 9);
    MUST(table_current(t, &row) && row.row == 9);
    l.n = 4;
    table_renew(t);
    work(t, 100);
    t->at = 9;
    MUST(table_current(t, &row) && row.row == 3);
    l.n = 0;
    table_renew(t);
    work(t, 100);
    MUST(!table_current(t, &row));
    close_table(t);
}
END_TEST

START_TEST(the_greatest_row_stays_current) {
    struct list l = {.n = 0};
    struct table *t = open_table(&l);
    table_sort_by(t, 1);
    for (l.n = 1; l.n < 2000; l.n += 1 + l.n / 3) {
        table_renew(t);
        if (l.n % 2)
            table_step(t, TASK_OF(5));
        table_select(t, false); /* before the order is known */
        table_grow(t);
        work(t, 7);
        MUST(t->at == 0 && value(&l, row_at(t, 0)) == l.n - 1);
    }
    l.n = 500;
    table_renew(t);
    work(t, 7);
    table_move(t, 3);
    uint32_t row = row_at(t, 3);
    table_select(t, true);
    table_select(t, false);
    work(t, 7);
    MUST(row_at(t, t->at) == row);
    close_table(t);
}
END_TEST

static uint64_t id(void *ctx, uint64_t row) {
    return (uint64_t)value(ctx, row);
}

/* Rows go and come again a few at a time, with other numbers. */
START_TEST(a_row_known_by_its_id_is_waited_for) {
    struct table_source named = source;
    struct list l = {.n = 100};
    struct table t;
    named.id = id;
    table_init(&t, &named, &l, false);
    table_sort_by(&t, 1);
    work(&t, 7);
    table_move(&t, 30); /* value 69, which is in no list of less rows */
    for (int round = 0; round < 2; round++) {
        int64_t wanted = value(&l, row_at(&t, t.at));
        table_keep(&t);
        for (l.n = 0; l.n <= 60; l.n += 20) {
            table_renew(&t);
            work(&t, 7);
            table_keep(&t);
        }
        l.n = 101;
        table_renew(&t);
        work(&t, 7);
        MUST(value(&l, row_at(&t, t.at)) == wanted, round);
    }
    table_keep(&t);
    l.n = 0;
    table_renew(&t);
    table_move(&t, 1); /* the user goes elsewhere */
    l.n = 101;
    table_renew(&t);
    work(&t, 7);
    MUST(t.at == 0);
    table_free(&t);
}
END_TEST

START_TEST(csv_is_what_is_shown_whole) {
    struct list l = {4, 0, 1, 0};
    struct table *t = open_table(&l);
    table_select(t, true);
    table_sort(t, 1);
    work(t, 3);
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    ck_assert_ptr_nonnull(f);
    table_csv(t, f, 0);
    fclose(f);
    ck_assert_str_eq(text, "\"name\",\"value\",\"text\"\r\n"
                           "\"row 1\",-3,\"a text of row 1 ^[[31m and more of it that is long\"\r\n"
                           "\"row 3\",-1,\"'=two\n^[lines\"\r\n");
    free(text);
    table_free(t);
    free(t);
}
END_TEST

/* The rows that contain "row 7..." by their number, of all or of those that are kept. */
static uint32_t slow_matches(const struct list *l, bool selects) {
    uint32_t n = 0;
    for (uint32_t row = 0; row < l->n; row++) {
        uint32_t first = row;
        while (first >= 10)
            first /= 10;
        n += first == 7 && (!selects || row % 2 == l->odd);
    }
    return n;
}

/* While a search is typed its rows are counted in steps; the current row stays, and so does the
 * search before. */
START_TEST(rows_are_counted_while_a_search_is_typed) {
    for (int set = 0; set < 8; set++) {
        struct list l = {.n = 5000, .odd = (uint32_t)set % 2};
        struct table *t = open_table(&l);
        bool known;
        work(t, 1000);
        table_go(t, 40);
        struct filter *before = filter_for("row 9");
        table_search(t, before, 1);
        work(t, 1000);
        uint32_t at = t->at;
        if (set & 2)
            table_sort_by(t, 1);
        if (set & 4)
            table_select(t, true);
        work(t, 1000);
        uint32_t placed = t->at;
        table_type_search(t, filter_for("\"row 7\""));
        MUST(table_typed(t, &known) == 0 && !known, set);
        MUST(work(t, 100) > 3, set);
        MUST(table_typed(t, &known) == slow_matches(&l, set & 4) && known, set);
        MUST(t->at == placed && t->search == before && at > 40, set);
        table_type_search(t, NULL);
        MUST(work(t, 100) == 0, set);
        close_table(t);
    }
}
END_TEST

/* A name of 60 columns, a count, an average, arguments that are too long, and a column without
 * texts. */
static void get_named(void *ctx, struct relation_row row, int column, struct relation_value *cell) {
    (void)ctx;
    if (column == 0)
        snprintf(cell->buf, sizeof cell->buf, "%059d%" PRIu64, 0, row.row % 10);
    else if (column == 3)
        snprintf(cell->buf, sizeof cell->buf, "arguments %0150d", 0);
    if (column == 0 || column == 3)
        relation_set_text(cell, str_of(cell->buf));
    else if (column < 3)
        relation_set_integer(cell, 12345678);
}

static const struct relation_column named_columns[] = {
    {"name", "name", RELATION_TEXT, RELATION_NONE, false},
    {"count", "count", RELATION_INTEGER, RELATION_NONE, false},
    {"avg", "avg", RELATION_INTEGER, RELATION_NONE, false},
    {"args", "args", RELATION_TEXT, RELATION_NONE, true},
    {"open", "open", RELATION_INTEGER, RELATION_NONE, false},
};
static const struct table_column named_looks[] = {
    {NULL, 14, 0, 0, false, false}, {NULL, 8, 8, 1, true, true}, {NULL, 9, 9, 9, true, true},
    {NULL, 10, 0, 8, false, false}, {NULL, 5, 6, 2, true, true},
};
static const struct relation named = {"named", named_columns, 5, false, count, get_named};

/* The column at which a title begins; -1: it is not shown. */
static int title_at(struct grid *g, const char *title) {
    for (int x = 0; x + (int)strlen(title) <= g->cols; x++) {
        size_t n = 0;
        while (title[n] && grid_at(g, x + (int)n, 0)->cp[0] == (unsigned char)title[n])
            n++;
        if (title[n] == 0)
            return x;
    }
    return -1;
}

/* A name is whole before a column of greater rank has space; a text never leaves out its own
 * column, however long it is. More columns of the screen never show less. */
START_TEST(columns_give_way_to_texts_of_lesser_rank) {
    static const struct table_source of = {&named, named_looks, .asked = false};
    static const struct table_source asked = {&named, named_looks, .asked = true};
    struct list l = {.n = 20};
    int before = 0;
    for (int cols = 62; cols <= 260; cols++) {
        struct table t;
        struct grid g;
        table_init(&t, &of, &l, true);
        grid_init(&g, cols, 10, true);
        table_draw(&t, &g, 0, 10);
        bool whole = grid_at(&g, 60, 1)->cp[0] == '0', avg = title_at(&g, "avg") > 0,
             args = title_at(&g, "args") > 0;
        ck_assert_msg(whole || (!avg && !args), "%d", cols);
        ck_assert(title_at(&g, "open") < 0);
        ck_assert(title_at(&g, "count") > 0);
        ck_assert_msg(cols < 85 || args, "%d", cols);
        ck_assert_msg(avg + args >= before, "%d", cols);
        before = avg + args;
        grid_free(&g);
        table_free(&t);
    }
    ck_assert_int_eq(before, 2);
    struct table t;
    struct grid g;
    table_init(&t, &asked, &l, true);
    grid_init(&g, 100, 10, true);
    table_draw(&t, &g, 0, 10);
    ck_assert(title_at(&g, "open") > 0 && title_at(&g, "avg") > 0 && title_at(&g, "args") > 0);
    grid_free(&g);
    table_free(&t);
}
END_TEST

SUITE(table) {
    Suite *s = suite_create("table");
    TCase *t = tcase_create("table");
    tcase_add_test(t, the_current_row_of_a_shorter_list_is_its_last);
    tcase_add_test(t, the_greatest_row_stays_current);
    tcase_add_test(t, a_row_known_by_its_id_is_waited_for);
    tcase_add_test(t, csv_is_what_is_shown_whole);
    tcase_add_test(t, a_frame_asks_for_what_it_shows);
    tcase_add_test(t, columns_give_way_to_texts_of_lesser_rank);
    tcase_add_test(t, rows_are_counted_while_a_search_is_typed);
    tcase_add_test(t, columns_stay_apart_at_any_width);
    tcase_add_test(t, filter_and_order_are_those_of_a_slow_count);
    tcase_add_test(t, a_search_goes_round_at_the_end);
    tcase_add_test(t, silences_stand_between_rows);
    tcase_add_test(t, a_growing_list_goes_on);
    suite_add_tcase(s, t);
    return s;
}
