/* suite_time_log.c - logs that come in any order and are derived from in pieces, each entry once,
 * in order. */
#include "model/store/time_log.h"

#include <stdlib.h>
#include <string.h>

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

/* time_log_next(), and the rebuild that it asks for; true: process [*from, n). */
static bool next(struct time_log *log, struct time_log_entries e, bool all, size_t *from) {
    enum time_log_todo todo = time_log_next(log, e, all, NULL, from);
    if (todo == TIME_LOG_ALL) {
        void *sorted = time_log_sorted(NULL, e);
        memcpy(e.v, sorted, e.n * e.size);
        free(sorted);
        const struct moment *last = (const void *)((const char *)e.v + (e.n - 1) * e.size);
        time_log_rebuilt(log, e.n, last->time);
        *from = 0;
    }
    return todo != TIME_LOG_NOTHING;
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
            if (!next(&time_log, (struct time_log_entries){v, n, sizeof *v, NULL, NULL}, all,
                      &from)) {
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
        if (next(&time_log, (struct time_log_entries){log, n, sizeof *log, NULL, NULL}, true,
                 &from))
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
    ck_assert(next(&log, entries, false, &from));
    ck_assert_uint_eq(from, 0);
    ck_assert(v[1].time == 15 && v[3].time == 30 && log.last == 30);
    /* nothing is new */
    ck_assert(!next(&log, entries, true, &from));
}
END_TEST

struct sorting {
    struct time_log_entries entries;
    void *sorted;
};

static void sort(struct task *task, void *ctx) {
    struct sorting *s = ctx;
    s->sorted = time_log_sorted(task, s->entries);
}

/* In a task; *steps: how many it takes. */
static void *sorted_in_steps(struct time_log_entries entries, size_t *steps) {
    struct sorting s = {entries, NULL};
    struct tasks all = {0};
    struct task *task = task_new(&all, sort, &s);
    for (*steps = 0; !task_step(task, TASK_OF(3000)); ++*steps)
        ck_assert_ptr_null(s.sorted);
    task_free(task);
    return s.sorted;
}

/* A list that is too long to be sorted when it is asked for. */
START_TEST(a_long_list_is_sorted_in_steps) {
    enum { LONG = 30000 };
    struct chance chance = {5};
    for (int number = 0; number < 10; number++) {
        struct mark *v = malloc(LONG * sizeof *v), *w;
        const struct time_log_entries entries = {v, LONG, sizeof *v, NULL, NULL};
        struct time_log_list list = {0};
        size_t steps;
        for (size_t n = 0; n < LONG; n++) {
            v[n] = (struct mark){
                {(int64_t)n - (n > 100 ? (int64_t)below(&chance, 3000) : 0), n * 8}, n + 1};
            time_log_list_add(&list, n, n > 0 ? v[n - 1].at.time : 0, v[n].at.time);
        }
        size_t ordered = time_log_list_ordered(&list, entries);
        MUST(ordered > 100 && ordered < 200 && in_order(v, ordered), number);
        w = sorted_in_steps(entries, &steps);
        MUST(steps > 10 && in_order(w, LONG), number);
        uint64_t sum = 0;
        for (size_t i = 0; i < LONG; i++)
            sum += w[i].value;
        MUST(sum == (uint64_t)LONG * (LONG + 1) / 2, number);
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
        time_log_array_replace(&array, time_log_sorted(NULL, time_log_array_entries(&array)));
        MUST(array.n == n && array.packed.n == 0, number);
        if (late < n) { /* it is where it belongs */
            struct arrival one = v[late];
            size_t i = late;
            for (; i > 0 && v[i - 1].entry.at.time > one.entry.at.time; i--)
                v[i] = v[i - 1];
            v[i] = one;
        }
        for (size_t i = 0; i < n; i++)
            MUST(same(&array.v[i], &v[i].entry), number);
        time_log_array_free(&array);
    }
    ck_assert(all > 0 && all < 24 * some);
}
END_TEST

/* A log of which most is packed, sorted together with its late entries. */
START_TEST(a_packed_log_is_sorted_in_steps) {
    enum { LONG = 20000, LATE = 15000 };
    struct chance chance = {6};
    struct arrival *v = malloc(LONG * sizeof *v);
    for (int number = 0; number < 8; number++) {
        struct time_log_array array = {0};
        struct time_log time_log = {0};
        size_t follow = 0, from, steps;
        for (size_t i = 0; i < LONG; i++)
            v[i].entry = (struct time_log_entry){
                {i < LATE ? (int64_t)(i / 3) : (int64_t)below(&chance, LONG),
                 (i + 1) << 27 | i % 100},
                i};
        v[LATE].entry.at.time = 7;
        add_pieces(&chance, &array, v, LONG);
        while (follow < LONG && time_log_follows(&time_log, v[follow].entry.at.time))
            follow++;
        MUST(follow == LATE && array.packed.n == LATE - 1 && time_log_array_count(&array) == LONG,
             number);
        if (number % 2) /* the packed ones, too, are processed again */
            time_log_restart(&time_log);
        MUST(time_log_next(&time_log, time_log_array_entries(&array), false, NULL, &from) ==
                 TIME_LOG_ALL,
             number);
        struct time_log_entry *sorted = sorted_in_steps(time_log_array_entries(&array), &steps);
        uint64_t sum = 0;
        MUST(steps > 10, number);
        for (size_t i = 0; i < LONG; sum += sorted[i++].value)
            MUST(i == 0 || sorted[i - 1].at.time < sorted[i].at.time ||
                     (sorted[i - 1].at.time == sorted[i].at.time &&
                      sorted[i - 1].at.offset < sorted[i].at.offset),
                 number);
        MUST(sum == (uint64_t)LONG * (LONG - 1) / 2, number);
        time_log_array_replace(&array, sorted);
        MUST(array.n == LONG && time_log_array_count(&array) == LONG, number);
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
