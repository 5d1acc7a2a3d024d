/* suite_track_sort.c - many processes in each order, in steps, against a slow sort; the list has
 * the former order until then. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/trace/trace_life.h"
#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "ui/timeline/track_list.h"
#include "ui/timeline/track_ops.h"

#define MANY (FEW_PROCESSES + 900)

static struct trace *trace;
static struct track_list list;

/* Names of few kinds, so that many are equal, or equal for 8 or 16 bytes; some processes have
 * none. */
static void load(struct chance *chance, unsigned processes) {
    size_t size = 300 * (processes + 1), n = 0;
    char *text = err_malloc(size);
    n += (size_t)snprintf(text, size, "magic\n");
    for (unsigned i = 0; i < processes; i++) {
        static const char *const kinds[] = {"sh", "process ", "12345678", "a name of one prefix ",
                                            "",   "z"};
        unsigned kind = (unsigned)below(chance, 7), number = (unsigned)below(chance, 40),
                 threads = 1;
        if (kind < 6)
            n += (size_t)snprintf(text + n, size - n, "kernel_object 1 %u \"%s%.*u\"\n", 100 + i,
                                  kinds[kind], kind % 2 ? 2 : 1, number);
        for (threads += below(chance, 8) == 0; threads > 0; threads--) {
            unsigned begin = 1 + (unsigned)below(chance, 5000);
            n += (size_t)snprintf(text + n, size - n, "complete %u %u/%u \"c\" \"n\" end=%u\n",
                                  begin, 100 + i, 100000 + 2 * i + threads,
                                  begin + (unsigned)below(chance, 300));
        }
    }
    trace = loaded_text(text);
    free(text);
}

/* By which slow_less() compares, asked of the trace itself. */
static int64_t sum_or_begin(enum track_order order, uint32_t process) {
    size_t n;
    const uint32_t *threads = trace_process_threads(trace_process(trace, process), &n);
    int64_t all = order == ORDER_BY_START ? INT64_MAX : 0;
    for (size_t i = 0; i < n; i++) {
        struct thread *t = trace_thread(trace, threads[i]);
        int64_t begin, end;
        bool ended;
        trace_thread_span(trace, t, &begin, &end, &ended);
        if (order == ORDER_BY_START)
            all = begin < all ? begin : all;
        else if (order == ORDER_BY_INTEREST)
            all += trace_thread_interest(trace, t);
        else if (order == ORDER_BY_COVERED)
            all += trace_thread_covered(trace, t, trace_begin(trace), trace_end(trace));
    }
    return order == ORDER_BY_START ? all : -all;
}

static bool slow_less(enum track_order order, uint32_t a, uint32_t b) {
    char buf[2][40];
    bool named;
    if (order != ORDER_BY_NAME) {
        int64_t x = sum_or_begin(order, a), y = sum_or_begin(order, b);
        return x != y ? x < y : a < b;
    }
    struct str x = trace_process_name(trace, trace_process(trace, a), buf[0], &named);
    struct str y = trace_process_name(trace, trace_process(trace, b), buf[1], &named);
    int c = memcmp(x.s, y.s, x.n < y.n ? x.n : y.n);
    return c != 0 ? c < 0 : x.n != y.n ? x.n < y.n : a < b;
}

static void must_be_in_order(enum track_order order, int number) {
    size_t shown = 0;
    uint32_t last = 0;
    for (size_t i = 0; i < list.tracks.n; i++) {
        const struct track *t = &list.tracks.v[i];
        if (!(t->kind == &track_process || t->alone) || t->process == NO_PROCESS)
            continue;
        MUST(shown == 0 || slow_less(order, last, t->process), number);
        last = t->process;
        shown++;
    }
    MUST(shown == trace_process_count(trace), number);
}

/* Takes steps to the end; each of them is short, and the list changes with the last ones alone. */
static unsigned finish(int number) {
    unsigned steps = 0;
    for (bool more = true; more; steps++) {
        bool news = false;
        more = track_list_step(&list, trace, TASK_OF(2000), &news);
        if (news)
            track_list_update(&list, trace);
        MUST(steps < 10000, number);
    }
    return steps;
}

START_TEST(few_and_many_processes_are_in_each_order) {
    struct chance chance = {161803};
    for (int number = 0; number < 4; number++) {
        bool many = number == 3;
        load(&chance, many ? MANY : 50 + (unsigned)below(&chance, 300));
        track_list_init(&list);
        track_list_update(&list, trace);
        MUST(finish(number) > (many ? 3 : 0), number);
        must_be_in_order(ORDER_BY_INTEREST, number);
        for (enum track_order order = ORDER_BY_START; order < ORDERS; order++) {
            uint32_t first = list.tracks.v[0].process;
            list.order = order;
            bool sorts = order != ORDER_BY_FILE;
            MUST(track_list_sorts_later(&list, trace) == (many && sorts), number);
            track_list_update(&list, trace);
            MUST(!many || !sorts || list.tracks.v[0].process == first,
                 number); /* the former order so far */
            MUST(finish(number) > (many && sorts && order != ORDER_BY_CPU_TIME ? 10 : 0), number);
            must_be_in_order(order, number);
        }
        track_list_free(&list);
        trace_free(trace);
    }
}
END_TEST

static void load_threads(struct chance *chance, unsigned threads) {
    size_t size = 150 * (threads + 1), n = 0;
    char *text = err_malloc(size);
    n += (size_t)snprintf(text, size, "magic\n");
    for (unsigned i = 0; i < threads; i++)
        n += (size_t)snprintf(text + n, size - n,
                              "kernel_object 2 %u \"worker %u\" process=koid:5\n"
                              "complete %u 5/%u \"c\" \"n\" end=6000\n",
                              100 + i, (unsigned)below(chance, 2000),
                              1 + (unsigned)below(chance, 5000), 100 + i);
    trace = loaded_text(text);
    free(text);
}

static bool slow_thread_less(enum track_order order, uint32_t a, uint32_t b) {
    char buf[2][40];
    bool named;
    struct thread *t = trace_thread(trace, a), *u = trace_thread(trace, b);
    if (order == ORDER_BY_START)
        return t->first != u->first ? t->first < u->first : a < b;
    struct str x = trace_thread_name(trace, t, buf[0], &named),
               y = trace_thread_name(trace, u, buf[1], &named);
    int c = memcmp(x.s, y.s, x.n < y.n ? x.n : y.n);
    return c != 0 ? c < 0 : x.n != y.n ? x.n < y.n : a < b;
}

static void threads_must_be_in_order(enum track_order order, int number) {
    const struct track *last = NULL;
    uint32_t threads = 0;
    for (size_t i = 0; i < list.tracks.n; i++) {
        const struct track *t = &list.tracks.v[i];
        if (t->kind != &track_thread)
            continue;
        MUST(last == NULL || slow_thread_less(order, last->of, t->of), number);
        last = t;
        threads++;
    }
    MUST(threads == trace_thread_count(trace), number);
}

START_TEST(threads_of_a_process_are_in_order) {
    struct chance chance = {299792};
    for (int number = 0; number < 2; number++) {
        bool many = number == 1;
        load_threads(&chance, many ? MANY_THREADS + 1000 : 300);
        track_list_init(&list);
        track_list_update(&list, trace);
        finish(number);
        for (enum track_order order = ORDER_BY_START; order <= ORDER_BY_NAME; order++) {
            list.order = order;
            track_list_update(&list, trace);
            MUST(finish(number) > (many ? 10 : 0), number);
            threads_must_be_in_order(order, number);
        }
        track_list_free(&list);
        trace_free(trace);
    }
}
END_TEST

static void write_threads(const char *path, unsigned threads) {
    size_t size = 60 * (threads + 1), n = 0;
    char *text = err_malloc(size);
    struct err err;
    n += (size_t)snprintf(text, size, "magic\n");
    for (unsigned i = 0; i < threads; i++)
        n += (size_t)snprintf(text + n, size - n, "complete 5 5/%u \"c\" \"n\" end=6000\n",
                              100000 - i);
    struct trace_bytes bytes = tracegen(text, &err);
    FILE *f = fopen(path, "wb");
    MUST(bytes.v && f && fwrite(bytes.v, 1, bytes.n, f) == bytes.n && fclose(f) == 0);
    free(bytes.v);
    free(text);
}

/* A sort is under way, and the file has other threads when it goes on. */
START_TEST(a_sort_ends_with_the_threads_that_it_is_of) {
    char path[SCRATCH_PATH];
    struct err err;
    bool news = false;
    MUST(scratch_write(path, "track_sort", "", 0));
    write_threads(path, MANY_THREADS + 1000);
    trace = trace_open(path, &(struct trace_options){0}, &err);
    MUST(trace != NULL);
    trace_load(trace);
    track_list_init(&list);
    track_list_update(&list, trace);
    finish(0);
    list.order = ORDER_BY_NAME;
    track_list_update(&list, trace);
    MUST(track_list_step(&list, trace, TASK_OF(2000), &news) && list.many.sorting.task);
    write_threads(path, 20);
    MUST(trace_reload(trace, &err));
    trace_load(trace);
    track_list_update(&list, trace);
    finish(1);
    threads_must_be_in_order(ORDER_BY_NAME, 1);
    track_list_free(&list);
    trace_free(trace);
    unlink(path);
}
END_TEST

START_TEST(processes_that_are_asked_late_are_listed) {
    size_t size = 40 * (MANY + 1), n = 0;
    char *text = err_malloc(size);
    n += (size_t)snprintf(text, size, "magic\n");
    for (unsigned i = 0; i < MANY; i++) /* without threads, whose lives are known at once then */
        n += (size_t)snprintf(text + n, size - n, "kernel_object 1 %u \"p%u\"\n", 100 + i,
                              (i * 7919) % MANY);
    trace = loaded_text(text);
    free(text);
    for (enum track_order order = ORDER_BY_FILE; order < ORDERS; order++) {
        track_list_init(&list);
        list.order = order;
        track_list_update(&list, trace);
        finish((int)order);
        must_be_in_order(order, (int)order);
        track_list_free(&list);
    }
    trace_free(trace);
}
END_TEST

SUITE(track_sort) {
    Suite *s = suite_create("track_sort");
    TCase *t = tcase_create("track_sort");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, few_and_many_processes_are_in_each_order);
    tcase_add_test(t, threads_of_a_process_are_in_order);
    tcase_add_test(t, a_sort_ends_with_the_threads_that_it_is_of);
    tcase_add_test(t, processes_that_are_asked_late_are_listed);
    suite_add_tcase(s, t);
    return s;
}
