/* suite_process_busy.c - headers of processes with many threads, against the sum of all their
 * threads. */
#include "ui/timeline/list/process_busy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/trace/trace_life.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

#define PROCESSES 6
#define COLUMNS 40

static struct trace *trace;

static void load(struct chance *chance, unsigned threads) {
    size_t size = 60 * (PROCESSES * (threads + 1) + 1), n = 0;
    char *text = err_malloc(size);
    n += (size_t)snprintf(text, size, "magic\n");
    for (unsigned p = 0; p < PROCESSES; p++)
        for (unsigned i = 0; i < threads / (p + 1) + 1; i++) {
            unsigned begin = 1 + (unsigned)below(chance, 4000);
            n += (size_t)snprintf(text + n, size - n, "complete %u %u/%u \"c\" \"n\" end=%u\n",
                                  begin, 5 + p, 1000 + p * 10000 + i,
                                  begin + (unsigned)below(chance, 600));
        }
    trace = loaded_text(text);
    free(text);
}

static void must_be_all(uint32_t process, const struct process_busy_of *of, const double *sums,
                        size_t threads, int number) {
    double all[COLUMNS] = {0};
    size_t n;
    const uint32_t *numbers = trace_process_threads(trace_process(trace, process), &n);
    for (size_t i = 0; i < n; i++)
        if (of->left)
            filter_lanes_busy(of->left, numbers[i], of->edges, COLUMNS, all);
        else
            trace_thread_busy(trace, trace_thread(trace, numbers[i]), of->edges, COLUMNS, all);
    MUST(threads == n, number);
    for (int c = 0; c < COLUMNS; c++)
        MUST(fabs(all[c] - sums[c]) < 1e-9, number);
}

static struct filter_lanes *filtered(const char *text) {
    struct err err;
    bool news = false;
    struct filter_lanes *lanes = filter_lanes_new(trace, filter_new(text, false, &err));
    while (filter_lanes_step(lanes, NULL, &news))
        ;
    MUST(news && filter_lanes_hits(lanes) > 0);
    return lanes;
}

/* A frame adds no more than so many threads; after the steps it has all of them. */
START_TEST(a_header_is_of_all_threads_after_the_steps) {
    struct chance chance = {314159};
    struct process_busy busy = {0};
    int64_t before[COLUMNS + 1] = {0};
    load(&chance, 900);
    struct filter_lanes *few = filtered("dur>400ns");
    for (int number = 0; number < 30; number++) {
        int64_t edges[COLUMNS + 1], from = (int64_t)below(&chance, 3000),
                                    column = 1 + (int64_t)below(&chance, 60);
        size_t threads, first[PROCESSES], added = 0;
        bool news = false;
        for (int c = 0; c <= COLUMNS; c++)
            edges[c] = from + c * column;
        if (number % 3 == 1) /* other events in the same columns */
            memcpy(edges, before, sizeof edges);
        memcpy(before, edges, sizeof edges);
        struct process_busy_of of = {edges, COLUMNS, number % 3 == 1 ? few : NULL, number % 3 == 1};
        process_busy_frame(&busy);
        for (uint32_t p = 0; p < PROCESSES; p++) {
            process_busy_sums(&busy, trace, p, &of, &first[p]);
            added += first[p];
            MUST(first[p] > 0, number);
        }
        MUST(added <= 512 + 8 * PROCESSES, number);
        for (int steps = 0; process_busy_step(&busy, trace, &of, TASK_OF(2000), &news); steps++)
            MUST(steps < 1000, number);
        MUST(news, number);
        process_busy_frame(&busy);
        for (uint32_t p = 0; p < PROCESSES; p++) {
            const double *sums = process_busy_sums(&busy, trace, p, &of, &threads);
            must_be_all(p, &of, sums, threads, number);
        }
        news = false;
        MUST(!process_busy_step(&busy, trace, &of, TASK_OF(2000), &news) && !news, number);
    }
    process_busy_free(&busy);
    filter_lanes_free(few);
    trace_free(trace);
}
END_TEST

SUITE(process_busy) {
    Suite *s = suite_create("process_busy");
    TCase *t = tcase_create("process_busy");
    tcase_add_test(t, a_header_is_of_all_threads_after_the_steps);
    suite_add_tcase(s, t);
    return s;
}
