/* suite_draw_lane.c - a lane as cells: blank if no slice is in the column, and names if they
 * fit. */
#include <stdio.h>
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/screen/style.h"
#include "ui/timeline/track_ops.h"

/* The row of the screen that shows row `row` of thread `of`. */
static int row_of(uint32_t of, uint32_t row) {
    uint64_t line;
    ck_assert(track_list_find(&shown.timeline.tracks, &track_thread, of, row, &line));
    for (int y = shown.layout.tracks; y < shown.layout.tracks + shown.layout.track_rows; y++)
        if (session_line_at(&shown, y) == line)
            return y;
    ck_abort_msg("line %d is not shown", (int)line);
}

static bool blank(const struct cell *c) {
    return c->cp[0] == ' ' && c->look.bg == LOOK_DEFAULT && !(c->look.attr & ATTR_REVERSE);
}

/* One row of random slices without overlap; most are shorter than a column. */
static void random_row(struct chance *chance, int columns_per_slice) {
    static char text[40000];
    size_t n = (size_t)snprintf(text, sizeof text, "magic\ninit 1000000000\n");
    for (int i = 0, t = 0; i < 200; i++) {
        int gap = (int)below(chance, 3000),
            length = 1 + (int)below(chance, 1000) * columns_per_slice;
        t += below(chance, 3) == 0 ? gap : 0;
        n += (size_t)snprintf(text + n, sizeof text - n, "complete %d 5/6 \"c\" \"n%d\" end=%d\n",
                              t, i % 5, t + length);
        t += length;
    }
    shown_text(text, 120, 24);
}

START_TEST(a_column_is_blank_if_no_slice_is_in_it) {
    struct chance chance = {17};
    for (int set = 0; set < 40; set++) {
        random_row(&chance, set % 4);
        shown.timeline.selection = (struct selection){0};
        shown.timeline.line = 0; /* the cursor is on another row */
        if (set % 2)
            shown_keys("wwa");
        shown.timeline.line = 0;
        app_draw(&shown);
        const struct lane *lane = nest_row(&trace_thread(shown.trace, 0)->nest, 0);
        int y = row_of(0, 0);
        for (int c = 0; c < shown.timeline.window.columns; c++) {
            int64_t from = window_edge(&shown.timeline.window, c),
                    to = window_edge(&shown.timeline.window, c + 1);
            bool any = false, begins = false;
            for (uint32_t i = 0; i < lane->n; i++) {
                const struct slice *s = lane_at(lane, i);
                any = any || (s->start < to && (slice_end(s) > from || s->start >= from));
                begins = begins || (s->start >= from && s->start < to);
            }
            const struct cell *cell = grid_at(&shown.grid, shown.layout.lane + c, y);
            MUST(any || blank(cell), set * 1000 + c);
            MUST(!begins || !blank(cell), set * 1000 + c);
        }
        shown_close();
    }
}
END_TEST

START_TEST(a_name_that_fits_is_whole) {
    shown_text("magic\ninit 1000000000\n"
               "complete 0 5/6 \"c\" \"a rather long name\" end=50000\n"
               "complete 60000 5/6 \"c\" \"another long name\" end=63000\n"
               "complete 70000 5/6 \"c\" \"the last\" end=100000\n",
               140, 24);
    const char *row = shown_row(row_of(0, 0));
    ck_assert_ptr_nonnull(strstr(row, "a rather long name"));
    ck_assert_ptr_nonnull(strstr(row, "the last"));
    ck_assert_ptr_null(strstr(row, "another long name"));
    ck_assert_ptr_nonnull(strchr(row, '['));
    shown_close();
}
END_TEST

START_TEST(the_selected_slice_is_drawn_in_another_way) {
    shown_text(
        "magic\ninit 1000000000\n"
        "complete 0 5/6 \"c\" \"one\" end=50000\ncomplete 60000 5/6 \"c\" \"two\" end=100000\n",
        140, 24);
    shown_select("two", 0);
    int y = row_of(0, 0), one = shown.layout.lane + window_column(&shown.timeline.window, 10000),
        two = shown.layout.lane + window_column(&shown.timeline.window, 90000);
    struct look a = grid_at(&shown.grid, one, y)->look, b = grid_at(&shown.grid, two, y)->look;
    ck_assert(memcmp(&a, &b, sizeof a) != 0);
    shown_select("one", 0);
    b = grid_at(&shown.grid, one, y)->look;
    ck_assert(memcmp(&a, &b, sizeof a) != 0);
    shown_close();
}
END_TEST

/* Without colours a dimmed slice differs from one that is left by its attribute, outlines and
 * names, too. */
START_TEST(dimmed_slices_are_so_without_colours) {
    shown_text("magic\ninit 1000000000\ncomplete 0 5/6 \"c\" \"first\" end=4000\n"
               "complete 5000 5/6 \"c\" \"second\" end=9000\ninstant 4500 5/6 \"c\" \"third\"\n",
               100, 24);
    style_init(COLOR_MONO);
    shown_keys(":only second<Enter>x");
    shown.timeline.line = 0; /* the cursor is on another row */
    app_draw(&shown);
    const struct lane *lane = nest_row(&trace_thread(shown.trace, 0)->nest, 0);
    int y = row_of(0, 0), cells = 0;
    int64_t begin = lane_start(lane, 1);
    for (int c = 0; c < shown.timeline.window.columns; c++) {
        const struct cell *cell = grid_at(&shown.grid, shown.layout.lane + c, y);
        bool left = window_edge(&shown.timeline.window, c + 1) > begin;
        cells += !blank(cell);
        MUST(blank(cell) || left == !(cell->look.attr & ATTR_DIM), c);
    }
    ck_assert_int_gt(cells, 10);
    shown_close();
}
END_TEST

static int brightness(int32_t color) {
    int32_t rgb = style_rgb(color);
    return (rgb >> 16 & 0xff) * 3 + (rgb >> 8 & 0xff) * 6 + (rgb & 0xff);
}

/* Its bar is brighter than the ground above it, as bars are on a dark terminal; darker on a light
 * one. Else the eye takes the ground for the bar. */
START_TEST(a_column_with_a_hit_shows_its_height) {
    struct chance chance = {17};
    for (int light = 0; light < 2; light++) {
        int cells = 0;
        random_row(&chance, 0);
        style_init(COLOR_256);
        style_background(light);
        shown_keys("/n1<Enter>");
        int y = row_of(0, 0);
        for (int c = 0; c < shown.timeline.window.columns; c++) {
            const struct cell *cell = grid_at(&shown.grid, shown.layout.lane + c, y);
            if (!style_eq(cell->look, style_look(ROLE_HIT_BAR)))
                continue;
            MUST(cell->cp[0] != '#', c); /* a full one is drawn in another way */
            cells++;
            ck_assert((brightness(cell->look.fg) < brightness(cell->look.bg)) == light);
        }
        ck_assert_int_gt(cells, 10);
        shown_close();
    }
    style_background(false);
    style_init(COLOR_MONO);
}
END_TEST

/* A hit in a column is seen without colours: a star, or a bar on a ground that bars without hits do
 * not have. */
START_TEST(a_column_with_a_hit_is_told_without_its_colour) {
    static const enum color_depth depths[] = {COLOR_MONO, COLOR_8, COLOR_256};
    struct chance chance = {17};
    for (int set = 0; set < 6; set++) {
        int stars = 0, hits = 0;
        random_row(&chance, 1);
        style_init(depths[set % 3]);
        shown.grid.ascii = set > 2;
        shown_keys("/n1<Enter>");
        struct look look = style_look(ROLE_HIT_BAR), full = {look.bg, look.fg, look.attr};
        int y = row_of(0, 0);
        for (int c = 0; c < shown.timeline.window.columns; c++) {
            const struct cell *cell = grid_at(&shown.grid, shown.layout.lane + c, y);
            bool star = cell->cp[0] == '*',
                 hit = style_eq(cell->look, look) || style_eq(cell->look, full);
            MUST(!star || hit || (cell->look.attr & ATTR_REVERSE), c);
            MUST(!hit || star ||
                     (cell->look.bg != LOOK_DEFAULT && cell->cp[0] != 0x2588 && cell->cp[0] != '#'),
                 c);
            stars += star;
            hits += hit;
        }
        MUST(hits > 10 && stars > 0 && (set % 3 || stars >= hits), set);
        shown_close();
    }
    style_init(COLOR_MONO);
}
END_TEST

SUITE(draw_lane) {
    Suite *s = suite_create("draw_lane");
    TCase *t = tcase_create("lane");
    tcase_add_test(t, a_column_is_blank_if_no_slice_is_in_it);
    tcase_add_test(t, a_name_that_fits_is_whole);
    tcase_add_test(t, the_selected_slice_is_drawn_in_another_way);
    tcase_add_test(t, dimmed_slices_are_so_without_colours);
    tcase_add_test(t, a_column_with_a_hit_shows_its_height);
    tcase_add_test(t, a_column_with_a_hit_is_told_without_its_colour);
    suite_add_tcase(s, t);
    return s;
}
