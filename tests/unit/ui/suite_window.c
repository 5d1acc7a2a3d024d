/* suite_window.c - zoom, pan and columns over many sizes and limits. */
#include "ui/timeline/window.h"

#include <stdlib.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

static struct chance chance = {88172645463325252u};

static int64_t between(int64_t lo, int64_t hi) { /* both included */
    uint64_t n = (uint64_t)hi - (uint64_t)lo + 1;
    return (int64_t)((uint64_t)lo + (n == 0 ? chance_next(&chance) : chance_next(&chance) % n));
}

/* A number of any order of magnitude. */
static int64_t any_length(void) {
    return (int64_t)(chance_next(&chance) >> (1 + chance_next(&chance) % 63));
}

static int any_columns(void) {
    static const int some[] = {1, 2, 3, 7, 20, 59, 78, 79, 80, 100, 299, 300, 1000};
    return some[chance_next(&chance) % (sizeof some / sizeof *some)];
}

static struct window any_window(void) {
    struct window w;
    int64_t length = any_length(), first;
    switch (chance_next(&chance) % 5) {
    case 0:
        first = 0;
        break;
    case 1:
        first = INT64_MIN;
        break;
    case 2:
        first = INT64_MAX - length;
        break;
    case 3:
        first = -length / 2;
        break;
    default:
        first = between(INT64_MIN, INT64_MAX - length);
        break;
    }
    window_whole(&w, first, first + length, any_columns());
    if (chance_next(&chance) % 4)
        window_set(&w, between(w.lo, w.hi), any_length());
    return w;
}

static void holds(const struct window *w) {
    MUST(w->hi > w->lo);
    uint64_t span = (uint64_t)w->hi - (uint64_t)w->lo;
    MUST(span <= INT64_MAX);
    MUST(w->width >= w->columns);
    MUST(w->from <= INT64_MAX - w->width);
    if ((uint64_t)w->width >= span) {
        MUST(w->from <= w->lo); /* before it only if no label fits after it */
        MUST(w->from == w->lo || w->from + w->width == INT64_MAX);
        MUST(w->width == (int64_t)span || w->width == w->columns);
    } else {
        MUST(w->from >= w->lo);
        MUST(w->from + w->width <= w->hi);
    }
}

START_TEST(edges_and_columns_agree) {
    for (int n = 0; n < 4000; n++) {
        struct window w = any_window();
        int64_t edges[1001];
        holds(&w);
        window_edges(&w, edges);
        MUST(edges[0] == w.from);
        MUST(edges[w.columns] == w.from + w.width);
        for (int c = 0; c < w.columns; c++) {
            MUST(edges[c] == window_edge(&w, c));
            MUST(edges[c] < edges[c + 1]);
            MUST(edges[c + 1] - edges[c] <= window_per_column(&w) + 1);
            MUST(edges[c + 1] - edges[c] >= window_per_column(&w));
            MUST(window_column(&w, edges[c]) == c);
            MUST(window_column(&w, edges[c + 1] - 1) == c);
            MUST(window_column(&w, between(edges[c], edges[c + 1] - 1)) == c);
        }
        if (w.from > INT64_MIN)
            MUST(window_column(&w, w.from - 1) == -1);
        MUST(window_column(&w, w.from + w.width) == w.columns);
        MUST(window_column(&w, INT64_MAX) == w.columns);
        MUST(window_column(&w, INT64_MIN) == (w.from == INT64_MIN ? 0 : -1));
    }
}
END_TEST

START_TEST(eighths_lie_in_their_column) {
    for (int n = 0; n < 20000; n++) {
        struct window w = any_window();
        int64_t t = between(w.from, w.from + w.width - 1), u = between(t, w.from + w.width - 1);
        MUST(window_eighth(&w, t) / 8 == window_column(&w, t));
        MUST(window_eighth(&w, t) <= window_eighth(&w, u));
        int c = (int)between(0, w.columns);
        MUST(window_eighth(&w, window_edge(&w, c)) == 8 * c);
        MUST(window_eighth(&w, INT64_MAX) == 8 * w.columns);
        if (w.from > INT64_MIN)
            MUST(window_eighth(&w, w.from - 1) == 0);
    }
    /* 16 ns a column */
    struct window w = {.from = 100, .width = 160, .columns = 10, .lo = 0, .hi = 1000};
    MUST(window_eighth(&w, 101) == 0);
    MUST(window_eighth(&w, 102) == 1);
    MUST(window_eighth(&w, 131) == 15);
}
END_TEST

START_TEST(no_move_leaves_the_limits) {
    for (int n = 0; n < 3000; n++) {
        struct window w = any_window();
        for (int k = 0; k < 30; k++) {
            int64_t t =
                chance_next(&chance) % 2 ? between(w.lo, w.hi) : (int64_t)chance_next(&chance);
            int64_t u =
                chance_next(&chance) % 2 ? between(w.lo, w.hi) : (int64_t)chance_next(&chance);
            struct window before = w;
            switch (chance_next(&chance) % 8) {
            case 0:
                window_zoom(&w, t, (int)between(1, 9), (int)between(1, 9));
                break;
            case 1:
                window_pan(&w, chance_next(&chance) % 2 ? between(-500, 500)
                                                        : (int64_t)chance_next(&chance));
                MUST(w.width == before.width);
                break;
            case 2:
                window_center(&w, t);
                MUST(w.width == before.width);
                break;
            case 3:
                window_fit(&w, t, u);
                break;
            case 4:
                window_set(&w, t, u);
                break;
            case 5:
                window_limits(&w, t, u < t ? t : u, any_columns());
                break;
            case 6:
                window_zoom(&w, t, chance_next(&chance) % 2 ? INT32_MAX : 1,
                            chance_next(&chance) % 2 ? INT32_MAX : 1);
                break;
            default:
                window_reveal(&w, t);
                MUST(w.width == before.width);
                break;
            }
            holds(&w);
        }
    }
}
END_TEST

static bool inside_limits(const struct window *w) { /* the limits had no say in where it is */
    return w->from > w->lo && w->from + w->width < w->hi;
}

START_TEST(zoom_keeps_the_column_of_its_time) {
    int free = 0;
    for (int n = 0; n < 40000; n++) {
        struct window w = any_window();
        int64_t t = between(w.from, w.from + w.width - 1);
        int c = window_column(&w, t), num = 2, den = 3;
        if (n % 2)
            num = 3, den = 2;
        if (n % 5 == 0)
            num = num > den ? 8 : 1, den = num > den ? 1 : 8;
        struct window before = w;
        window_zoom(&w, t, num, den);
        MUST(window_column(&w, t) >= 0);
        MUST(window_column(&w, t) < w.columns);
        if (num < den)
            MUST(w.width <= before.width);
        else
            MUST(w.width > before.width || w.width >= w.hi - w.lo);
        if (num < den && before.width > before.columns)
            MUST(w.width < before.width);
        if (inside_limits(&w)) {
            MUST(window_column(&w, t) == c);
            free++;
        }
    }
    MUST(free > 10000);
}
END_TEST

START_TEST(zoom_in_then_out_returns_near) {
    for (int n = 0; n < 40000; n++) {
        struct window w = any_window();
        int64_t t = between(w.from, w.from + w.width - 1);
        struct window before = w;
        int steps = (int)between(1, 6), done = 0;
        while (done < steps && w.width / 3 * 2 - 3 > w.columns) {
            window_zoom(&w, t, 2, 3);
            done++;
        }
        while (done-- > 0)
            window_zoom(&w, t, 3, 2);
        /* a rounding of 1 ns, thrice as wide after each step out; in `from` one of 2^-30 of a
         * column as well */
        int64_t near = 40 + before.width / (INT64_C(1) << 28);
        MUST(llabs(w.width - before.width) <= near);
        MUST(llabs(w.from - before.from) <= 2 * near + 2 * (before.width / before.columns < 64));
    }
}
END_TEST

START_TEST(zoom_out_ends_at_the_whole) {
    for (int n = 0; n < 2000; n++) {
        struct window w = any_window(), whole = w;
        window_set(&whole, w.lo, INT64_MAX);
        for (int k = 0; k < 200; k++)
            window_zoom(&w, between(w.lo, w.hi), 3, 2);
        MUST(window_eq(&w, &whole));
        for (int k = 0; k < 200; k++)
            window_zoom(&w, between(w.lo, w.hi), 2, 3);
        MUST(w.width == w.columns);
    }
}
END_TEST

START_TEST(pans_back_and_forth) {
    for (int n = 0; n < 20000; n++) {
        struct window w = any_window(), before = w;
        int by = (int)between(-3 * w.columns, 3 * w.columns);
        window_pan(&w, by);
        bool free = inside_limits(&w);
        if (by >= 0 && by <= w.columns && free)
            MUST(w.from == window_edge(&before, by));
        window_pan(&w, -by);
        if (free)
            MUST(window_eq(&w, &before));
    }
}
END_TEST

START_TEST(whole_shows_first_and_last) {
    for (int n = 0; n < 20000; n++) {
        struct window w;
        int64_t length = any_length(), first = between(INT64_MIN, INT64_MAX - length - 1),
                last = first + length;
        window_whole(&w, first, last, any_columns());
        holds(&w);
        MUST(window_column(&w, first) >= 0);
        if (length < INT64_MAX) {
            MUST(window_column(&w, last) < w.columns);
            MUST((uint64_t)w.hi - (uint64_t)last <= (uint64_t)length / 100 + 1);
        }
    }
    struct window w;
    window_whole(&w, 5, 5, 80); /* one event */
    MUST(w.width == 80);
    MUST(window_column(&w, 5) == 0);
    window_whole(&w, INT64_MAX, INT64_MAX, 80);
    holds(&w);
}
END_TEST

START_TEST(reveal_moves_only_what_is_hidden) {
    for (int n = 0; n < 20000; n++) {
        struct window w = any_window(), before = w;
        int64_t t = between(w.lo, w.hi - 1);
        bool inside = window_column(&w, t) >= 0 && window_column(&w, t) < w.columns;
        MUST(window_reveal(&w, t) != inside);
        if (inside) {
            MUST(window_eq(&w, &before));
            continue;
        }
        MUST(window_column(&w, t) >= 0);
        MUST(window_column(&w, t) < w.columns);
        int64_t left = t - w.from, right = w.from + w.width - 1 - t;
        if (inside_limits(&w))
            MUST((left < right ? left : right) == w.width / 10);
    }
}
END_TEST

START_TEST(fit_leaves_room_at_both_sides) {
    struct window w;
    window_whole(&w, 0, 1000000, 100);
    window_fit(&w, 400000, 490000);
    MUST(w.width == 100000);
    MUST(w.from == 395000);
    window_fit(&w, 7000, 7000); /* of no length: in the middle of the narrowest window */
    MUST(w.width == 100);
    MUST(w.from == 6950);
    for (int n = 0; n < 20000; n++) {
        w = any_window();
        int64_t a = between(w.lo, w.hi - 1), b = between(a, w.hi);
        window_fit(&w, a, b);
        MUST(w.from <= a);
        MUST(b <= w.from + w.width);
    }
}
END_TEST

START_TEST(limits_keep_what_is_shown) {
    struct window w;
    window_whole(&w, 0, 1000, 80);
    window_set(&w, 100, 200);
    window_limits(&w, -500, 100000, 120);
    MUST(w.from == 100);
    MUST(w.width == 200);
    window_limits(&w, -500, 100000, 300); /* too many columns for that width */
    MUST(w.from == 100);
    MUST(w.width == 300);
}
END_TEST

SUITE(window) {
    Suite *s = suite_create("window");
    TCase *t = tcase_create("arithmetic");
    tcase_add_test(t, edges_and_columns_agree);
    tcase_add_test(t, eighths_lie_in_their_column);
    tcase_add_test(t, no_move_leaves_the_limits);
    tcase_add_test(t, zoom_keeps_the_column_of_its_time);
    tcase_add_test(t, zoom_in_then_out_returns_near);
    tcase_add_test(t, zoom_out_ends_at_the_whole);
    tcase_add_test(t, pans_back_and_forth);
    tcase_add_test(t, whole_shows_first_and_last);
    tcase_add_test(t, reveal_moves_only_what_is_hidden);
    tcase_add_test(t, fit_leaves_room_at_both_sides);
    tcase_add_test(t, limits_keep_what_is_shown);
    suite_add_tcase(s, t);
    return s;
}
