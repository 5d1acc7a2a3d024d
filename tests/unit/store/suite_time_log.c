/* suite_time_log.c - logs that come in any order and are derived from in pieces, each entry once,
 * in order. */
#include "model/store/time_log.h"

#include <stdlib.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

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
                v[n] = (struct mark){{(int64_t)(n / 3) - (int64_t)below(&chance, late + 1), n * 8},
                                     n + 1};
            size_t from;
            bool all = n == MOST || below(&chance, 10) == 0;
            if (time_log_next(&time_log, (struct time_log_entries){v, n, sizeof *v, NULL, NULL},
                              all, true, &from) == TIME_LOG_NOTHING) {
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
        if (time_log_next(&time_log, (struct time_log_entries){log, n, sizeof *log, NULL, NULL},
                          true, true, &from) != TIME_LOG_NOTHING)
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
        MUST(time_log_list_ordered(&list, (struct time_log_entries){v, n, sizeof *v, NULL, NULL}) ==
                 n,
             number);
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
    /* nor the entry after it, though it is the latest of all */
    ck_assert(!time_log_follows(&log, 30));
    ck_assert_uint_eq(log.consumed, 2);
    const struct time_log_entries entries = {v, 4, sizeof *v, NULL, NULL};
    ck_assert_int_eq(time_log_next(&log, entries, false, true, &from), TIME_LOG_ALL);
    ck_assert_uint_eq(from, 0);
    ck_assert(v[1].time == 15 && v[3].time == 30 && log.last == 30);
    /* nothing is new */
    ck_assert_int_eq(time_log_next(&log, entries, true, true, &from), TIME_LOG_NOTHING);
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
            v[n] = (struct mark){
                {(int64_t)n - (n > 100 ? (int64_t)below(&chance, 3000) : 0), n * 8}, n + 1};
            time_log_list_add(&list, n, n > 0 ? v[n - 1].at.time : 0, v[n].at.time);
        }
        size_t ordered =
            time_log_list_ordered(&list, (struct time_log_entries){v, n, sizeof *v, NULL, NULL});
        MUST(ordered > 100 && ordered < 200 && in_order(v, ordered), number);
        while ((w = time_log_list_step(&list, &again,
                                       (struct time_log_entries){v, n, sizeof *v, NULL, NULL},
                                       BUDGET_OF(3000))) == NULL) {
            steps++;
            if (n < LONG && number % 2) {
                v[n] = (struct mark){{0, n * 8}, n + 1};
                n++;
            }
        }
        MUST(steps > 10, number);
        ordered =
            time_log_list_ordered(&list, (struct time_log_entries){w, n, sizeof *w, NULL, NULL});
        MUST(ordered == LONG * 2 / 3 && in_order(w, ordered) && list.unsorted == (ordered < n),
             number);
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

static bool same(const struct time_log_entry *x, const struct time_log_entry *y) {
    return x->at.time == y->at.time && x->at.offset == y->at.offset && x->value == y->value;
}

/* A number of any width. */
static uint64_t wide(struct chance *c, unsigned most) {
    return chance_star(c) >> (64 - most) >> below(c, most);
}

struct arrival { /* as the owners of logs have them: an entry, and more */
    struct time_log_entry entry;
    uint64_t more;
};

/* Adds n entries in pieces of any size. */
static void add_pieces(struct chance *c, struct time_log_array *array, const struct arrival *v,
                       size_t n) {
    for (size_t i = 0, piece; i < n; i += piece) {
        piece = 1 + below(c, 40);
        piece = piece < n - i ? piece : n - i;
        time_log_array_add(array, v + i, sizeof *v, piece);
    }
}

START_TEST(packed_entries_are_given_back) {
    static struct arrival v[MOST];
    struct chance chance = {11};
    size_t some = 0, all = 0;
    for (int number = 0; number < 2000; number++) {
        struct time_log_array array = {0};
        size_t n = 2 + below(&chance, MOST - 1),
               late = below(&chance, 3) ? n : 1 + below(&chance, n - 1);
        unsigned times = 1 + (unsigned)below(&chance, 50), ids = 1 + (unsigned)below(&chance, 64);
        int64_t time = below(&chance, 4) ? 0 : INT64_MIN + 1;
        uint64_t place = below(&chance, 9);
        for (size_t i = 0; i < n; i++, place += 1 + wide(&chance, 20)) {
            time += (int64_t)wide(&chance, times);
            int64_t at = i == late ? v[i - 1].entry.at.time - 1 : time;
            v[i].entry =
                (struct time_log_entry){{at, place << 27 | wide(&chance, 27)}, wide(&chance, ids)};
        }
        add_pieces(&chance, &array, v, n);
        MUST(time_log_array_count(&array) == n && array.packed.n == (late < n ? late - 1 : n),
             number);
        MUST(late == n || same(&array.v[0], &v[late - 1].entry), number);
        some += array.packed.n;
        all += array.packed.bytes.n;
        time_log_array_prepare(&array, &(struct time_log){0}, false, true); /* unpacks all */
        MUST(array.n == n && array.packed.n == 0, number);
        for (size_t i = 0; i < n; i++)
            MUST(same(&array.v[i], &v[i].entry), number);
        time_log_array_free(&array);
    }
    ck_assert(all > 0 && all < 24 * some);
}
END_TEST

/* A log of which most is packed, sorted together with its late entries while others are added. */
START_TEST(a_packed_log_is_sorted_in_steps) {
    enum { LONG = 20000, LATE = 15000, MORE = 100 };
    struct chance chance = {6};
    struct arrival *v = malloc(LONG * sizeof *v);
    for (int number = 0; number < 8; number++) {
        struct time_log_array array = {0};
        struct time_log_again again = {0};
        struct time_log time_log = {0};
        size_t n = LONG - MORE, follow = 0, from;
        for (size_t i = 0; i < LONG; i++)
            v[i].entry = (struct time_log_entry){
                {i < LATE ? (int64_t)(i / 3) : (int64_t)below(&chance, LONG),
                 (i + 1) << 27 | i % 100},
                i};
        v[LATE].entry.at.time = 7;
        add_pieces(&chance, &array, v, n);
        while (follow < n && time_log_follows(&time_log, v[follow].entry.at.time))
            follow++;
        MUST(follow == LATE && array.packed.n == LATE - 1 && time_log_array_count(&array) == n,
             number);
        if (number % 2) /* the packed ones, too, are processed again */
            time_log_restart(&time_log);
        MUST(time_log_next(&time_log, time_log_array_entries(&array), false, false, &from) ==
                 TIME_LOG_AGAIN,
             number);
        unsigned steps = 0;
        for (; !time_log_again_sort(&again, time_log_array_entries(&array), BUDGET_OF(1000));
             steps++)
            if (n < LONG)
                time_log_array_add(&array, &v[n++], sizeof *v, 1);
        struct time_log_entry *sorted = (struct time_log_entry *)(void *)again.v;
        MUST(steps > 10 && again.n == LONG - MORE, number);
        uint64_t sum = 0;
        for (size_t i = 0; i < again.n; sum += sorted[i++].value)
            MUST(i == 0 || sorted[i - 1].at.time < sorted[i].at.time ||
                     (sorted[i - 1].at.time == sorted[i].at.time &&
                      sorted[i - 1].at.offset < sorted[i].at.offset),
                 number);
        MUST(sum == (uint64_t)(LONG - MORE) * (LONG - MORE - 1) / 2, number);
        struct time_log_packed packed = time_log_again_swap_array(&again, &time_log, &array);
        MUST(array.n == n && time_log_array_count(&array) == n, number);
        for (size_t i = again.n; i < n; i++)
            MUST(same(&array.v[i], &v[i].entry), number);
        time_log_again_free(&again);
        vec_free(&packed.bytes);
        time_log_array_free(&array);
    }
    free(v);
}
END_TEST

SUITE(time_log) {
    Suite *s = suite_create("time_log");
    TCase *t = tcase_create("time_log");
    tcase_add_test(t, a_log_in_pieces_is_derived_from_once_each_in_order);
    tcase_add_test(t, what_comes_a_little_late_costs_what_is_new);
    tcase_add_test(t, a_log_is_sorted_by_time_then_by_place);
    tcase_add_test(t, what_is_late_stops_entries_from_following_until_all_is_in_order);
    tcase_add_test(t, a_long_list_is_sorted_in_steps);
    tcase_add_test(t, packed_entries_are_given_back);
    tcase_add_test(t, a_packed_log_is_sorted_in_steps);
    suite_add_tcase(s, t);
    return s;
}
