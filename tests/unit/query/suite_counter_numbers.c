/* suite_counter_numbers.c - least, mean, greatest and change of a counter against values held
 * moment by moment. */
#include "model/query/stat/tables/counter_numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

static struct chance chance = {31415};

#define MOST 60

struct held { /* values of a counter, and the times at which it takes them */
    unsigned count, times[MOST];
    int values[MOST];
};

/* Compares with a reading that looks at each ns. */
static void compare(const struct held *h, const struct trace *trace, const struct range *range,
                    const struct counter_numbers *numbers, int n) {
    int64_t from = range_begin(range, trace), to = range_end(range, trace);
    bool includes_end = !range->timed || range->to_end, any = false;
    double sum = 0, ns = 0;
    int least = 1000, most = -1000, first = 0, last = 0;
    uint64_t samples = 0;
    for (unsigned i = 0; i < h->count; i++) { /* relative to the base, which is the first event */
        int64_t begin = h->times[i], end = i + 1 < h->count ? h->times[i + 1] : INT64_MAX;
        bool inside = begin >= from && (begin < to || (includes_end && begin <= to));
        bool holds = inside || (begin < from && end > from && (from < to || includes_end));
        samples += inside;
        for (int64_t at = from; at < to; at++)
            if (at >= begin && at < end) {
                sum += h->values[i];
                ns++;
            }
        if (!holds)
            continue;
        first = any ? first : h->values[i];
        last = h->values[i];
        any = true;
        least = h->values[i] < least ? h->values[i] : least;
        most = h->values[i] > most ? h->values[i] : most;
    }
    if (numbers->rows.n > 0) {
        const struct counter_numbers_row *row = &numbers->rows.v[0];
        MUST(any && row->any, n);
        MUST(row->samples == samples, n, (int)row->samples, (int)samples);
        MUST((int)counter_value(&row->least) == least && (int)counter_value(&row->most) == most, n);
        MUST((int)row->change == last - first, n);
        if (ns > 0)
            MUST(row->has_mean && fabs(row->mean - sum / ns) < 1e-6, n);
    } else {
        MUST(!any, n);
    }
}

struct asked {
    struct counter_numbers *numbers;
    struct trace *trace;
    const struct range *range;
};

static void make(struct task *task, void *ctx) {
    const struct asked *a = ctx;
    counter_numbers_make(task, a->numbers, a->trace, a->range);
}

START_TEST(numbers_are_those_of_values_held) {
    for (int n = 0; n < 600; n++) {
        char *text = NULL;
        size_t size = 0;
        unsigned t = 10;
        struct held h = {.count = 1 + (unsigned)below(&chance, MOST - 1)};
        FILE *f = open_memstream(&text, &size);
        fputs("magic\ninit 1000000000\ninstant 0 1/2 \"c\" \"begin\"\n", f);
        for (unsigned i = 0; i < h.count; i++) {
            t += 1 + (unsigned)below(&chance, 9);
            h.times[i] = t;
            h.values[i] = (int)below(&chance, 100) - 50;
            fprintf(f, "counter %u 1/2 \"c\" \"n\" v=i32:%d id=1\n", t, h.values[i]);
        }
        fprintf(f, "instant %u 1/2 \"c\" \"end\"\n", t + (unsigned)below(&chance, 20));
        fclose(f);
        struct trace *trace = loaded_text(text);
        free(text);
        struct range range = {0};
        struct counter_numbers numbers = {0};
        uint64_t span = (uint64_t)(trace_end(trace) - trace_begin(trace)) + 1;
        if (below(&chance, 3))
            range_set_time(&range, trace, trace_begin(trace) + (int64_t)below(&chance, span),
                           trace_begin(trace) + (int64_t)below(&chance, span));
        task_whole(make, &(struct asked){&numbers, trace, &range}, NULL);
        compare(&h, trace, &range, &numbers, n);
        counter_numbers_free(&numbers);
        trace_free(trace);
    }
}
END_TEST

/* A sample without a time is before the span, and in the range without limits. */
START_TEST(an_unset_time_is_a_sample) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\nprovider 1 \"p\"\ninit 1000000000\n", f);
    for (int i = 0; i < 40; i++)
        fprintf(f, "counter %s%d 1/2 \"c\" \"n\" id=0 v=i32:%d\n",
                i == 20 ? "" : "17820000000000000", i == 20 ? 0 : 10 + i, i);
    fclose(f);
    struct trace *trace = loaded_text(text);
    struct range range = {0};
    struct counter_numbers numbers = {0};
    task_whole(make, &(struct asked){&numbers, trace, &range}, NULL);
    ck_assert_uint_eq(numbers.rows.n, 1);
    ck_assert_uint_eq(numbers.rows.v[0].samples, 40);
    counter_numbers_free(&numbers);
    trace_free(trace);
    free(text);
}
END_TEST

SUITE(counter_numbers) {
    Suite *s = suite_create("counter_numbers");
    TCase *t = tcase_create("counter_numbers");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, an_unset_time_is_a_sample);
    tcase_add_test(t, numbers_are_those_of_values_held);
    suite_add_tcase(s, t);
    return s;
}
