/* suite_time_log.c - logs that come in any order and are derived from in pieces, each entry once, in order. */
#include "model/store/time_log.h"

#include <stdlib.h>

#include "tests/lib/chance.h"
#include "tests/lib/must.h"
#include "tests/lib/suites.h"

#define MOST 600

struct mark {
    struct moment at;
    uint64_t value;
};

static bool in_order(const struct mark *v, size_t n) {
    for (size_t i = 1; i < n; i++)
        if (v[i].at.time < v[i - 1].at.time ||
            (v[i].at.time == v[i - 1].at.time && v[i].at.offset <= v[i - 1].at.offset))
            return false;
    return true;
}

START_TEST(a_log_in_pieces_is_derived_from_once_each_in_order) {
    struct chance chance = {77};
    for (int number = 0; number < 300; number++) {
        static struct mark v[MOST];
        struct time_log time_log = {0};
        uint64_t derived = 0; /* the sum of a reader since its last rebuild */
        size_t taken = 0, again = 0;
        uint64_t late = below(&chance, 4) ? below(&chance, 20) : 0;
        for (size_t n = 0; n < MOST;) {
            for (size_t more = 1 + below(&chance, 40); more > 0 && n < MOST; more--, n++)
                v[n] = (struct mark){{(int64_t)(n / 3) - (int64_t)below(&chance, late + 1), n * 8}, n + 1};
            size_t from;
            bool all = n == MOST || below(&chance, 10) == 0;
            if (time_log_next(&time_log, (struct time_log_entries){v, n, sizeof *v, NULL}, all, true, &from) ==
                TIME_LOG_NOTHING) {
                MUST(!all || taken == n, number);
                continue;
            }
            MUST(from == 0 || from == taken, number);
            if (from == 0) {
                derived = 0;
                again += !all;
            }
            for (size_t i = from; i < n; i++)
                derived += v[i].value;
            taken = n;
            MUST(in_order(v, n), number);
            MUST(derived == (uint64_t)n * (n + 1) / 2, number);
        }
        MUST(taken == MOST, number);
        MUST(again <= 12, number); /* not more often than the log doubles */
        MUST(late > 0 || again <= 1, number);
    }
}
END_TEST

/* A file that grows, each piece with one entry a little late, and looked at after each. */
START_TEST(what_comes_a_little_late_costs_what_is_new) {
    enum { PIECES = 2000, PIECE = 50 };
    static struct moment log[PIECES * PIECE];
    struct time_log time_log = {0};
    size_t n = 0, derived = 0, from;
    for (int64_t piece = 0; piece < PIECES; piece++) {
        for (int64_t i = 0; i < PIECE; i++, n++) {
            log[n] = (struct moment){(piece * PIECE + i) * 10 - (i == PIECE / 2 ? 25 : 0), n};
            derived += time_log_follows(&time_log, log[n].time);
        }
        if (time_log_next(&time_log, (struct time_log_entries){log, n, sizeof *log, NULL}, true, true, &from) !=
            TIME_LOG_NOTHING)
            derived += n - from;
        ck_assert_uint_eq(time_log.consumed, n);
    }
    for (size_t i = 1; i < n; i++)
        ck_assert_int_le(log[i - 1].time, log[i].time);
    ck_assert_uint_lt(derived, 4 * n);
}
END_TEST

START_TEST(a_log_is_sorted_by_time_then_by_place) {
    struct chance chance = {41};
    for (int number = 0; number < 300; number++) {
        struct mark v[MOST];
        size_t n = below(&chance, MOST + 1);
        uint64_t sum = 0, times = 1 + below(&chance, 50);
        for (size_t i = 0; i < n; i++) {
            int64_t time = number % 4 == 0 ? (int64_t)i : (int64_t)below(&chance, times) - 10;
            v[i] = (struct mark){{time, (n - i) * 8}, i + 1};
        }
        struct time_log_list list = {true, 0};
        MUST(time_log_list_ordered(&list, (struct time_log_entries){v, n, sizeof *v, NULL}) == n, number);
        MUST(in_order(v, n), number);
        for (size_t i = 0; i < n; i++) {
            sum += v[i].value;
            MUST(v[i].at.offset == (n + 1 - v[i].value) * 8, number); /* each is still whole */
        }
        MUST(sum == (uint64_t)n * (n + 1) / 2, number);
    }
}
END_TEST

START_TEST(what_is_late_stops_entries_from_following_until_all_is_in_order) {
    struct time_log log = {0};
    struct moment v[4] = {{10, 0}, {20, 8}, {15, 16}, {30, 24}};
    size_t from;
    ck_assert(time_log_follows(&log, 10) && time_log_follows(&log, 20));
    ck_assert(!time_log_follows(&log, 15));
    ck_assert(!time_log_follows(&log, 30)); /* nor the entry after it, though it is the latest of all */
    ck_assert_uint_eq(log.consumed, 2);
    const struct time_log_entries entries = {v, 4, sizeof *v, NULL};
    ck_assert_int_eq(time_log_next(&log, entries, false, true, &from), TIME_LOG_ALL);
    ck_assert_uint_eq(from, 0);
    ck_assert(v[1].time == 15 && v[3].time == 30 && log.last == 30);
    ck_assert_int_eq(time_log_next(&log, entries, true, true, &from), TIME_LOG_NOTHING); /* nothing is new */
}
END_TEST

/* A list that is too long to be sorted when it is asked for: in steps, while entries are added. */
START_TEST(a_long_list_is_sorted_in_steps) {
    enum { LONG = 30000 };
    struct chance chance = {5};
    for (int number = 0; number < 10; number++) {
        struct mark *v = malloc(LONG * sizeof *v), *w;
        struct time_log_list list = {0};
        struct time_log_again again = {0};
        size_t n = 0, steps = 0;
        for (; n < LONG * 2 / 3; n++) {
            v[n] = (struct mark){{(int64_t)n - (n > 100 ? (int64_t)below(&chance, 3000) : 0), n * 8}, n + 1};
            time_log_list_add(&list, n, n > 0 ? v[n - 1].at.time : 0, v[n].at.time);
        }
        size_t ordered = time_log_list_ordered(&list, (struct time_log_entries){v, n, sizeof *v, NULL});
        MUST(ordered > 100 && ordered < 200 && in_order(v, ordered), number);
        while ((w = time_log_list_step(&list, &again, (struct time_log_entries){v, n, sizeof *v, NULL},
                                       BUDGET_OF(3000))) == NULL) {
            steps++;
            if (n < LONG && number % 2) {
                v[n] = (struct mark){{0, n * 8}, n + 1};
                n++;
            }
        }
        MUST(steps > 10, number);
        ordered = time_log_list_ordered(&list, (struct time_log_entries){w, n, sizeof *w, NULL});
        MUST(ordered == LONG * 2 / 3 && in_order(w, ordered) && list.unsorted == (ordered < n), number);
        for (size_t i = ordered; i < n; i++)
            MUST(w[i].value == i + 1, number);
        uint64_t sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += w[i].value;
        MUST(sum == (uint64_t)n * (n + 1) / 2, number);
        free(v);
        free(w);
    }
}
END_TEST

Suite *suite_time_log(void) {
    Suite *s = suite_create("time_log");
    TCase *t = tcase_create("time_log");
    tcase_add_test(t, a_log_in_pieces_is_derived_from_once_each_in_order);
    tcase_add_test(t, what_comes_a_little_late_costs_what_is_new);
    tcase_add_test(t, a_log_is_sorted_by_time_then_by_place);
    tcase_add_test(t, what_is_late_stops_entries_from_following_until_all_is_in_order);
    tcase_add_test(t, a_long_list_is_sorted_in_steps);
    suite_add_tcase(s, t);
    return s;
}
