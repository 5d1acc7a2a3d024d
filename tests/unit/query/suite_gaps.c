/* suite_gaps.c - gaps of threads, of all of them and of CPUs against a reading that looks at every
 * nanosecond. */
#include "model/query/stat/tables/gaps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/output/chars.h"
#include "model/query/stat/track_scope.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/lib/thrown.h"
#include "tests/unit/lib/thrown_sched.h"

static struct chance chance = {2468};

struct asked {
    struct gaps *gaps;
    struct trace *trace;
    const struct range *range;
};

static void make(struct task *task, void *ctx) {
    const struct asked *a = ctx;
    gaps_make(task, a->gaps, a->trace, a->range);
}

struct found {
    struct gap *v;
    size_t n, cap;
};

static int longest_first(const void *a, const void *b) {
    const struct gap *x = a, *y = b;
    if (x->duration != y->duration)
        return x->duration > y->duration ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->on < y->on ? -1 : x->on > y->on;
}

/* Adds the runs of moments that are free. */
static void add_runs(struct found *want, const bool *is_free, int64_t from, int64_t to,
                     uint32_t on) {
    for (int64_t t = from; t < to; t++) {
        int64_t start = t;
        while (t < to && is_free[t - from])
            t++;
        if (t > start)
            vec_push(want, ((struct gap){start, t - start, on}));
    }
}

static bool any_in_range(const struct trace *trace, const struct thrown_slices *all, uint32_t track,
                         const struct range *range) {
    for (size_t i = 0; i < all->n; i++) {
        const struct thrown_slice *s = &all->v[i];
        int64_t start = s->slice.start;
        if (s->track == track &&
            (!range->timed || ((start < range->to || (start == range->to && range->to_end)) &&
                               (slice_end(&s->slice) > range->from || start >= range->from))) &&
            !trace_damaged_slice(trace, &s->slice))
            return true;
    }
    return false;
}

static struct found read_slowly(struct trace *trace, const struct range *range) {
    struct thrown_slices all = thrown_slices(trace);
    struct found want = {0};
    int64_t from = range_begin(range, trace), to = range_end(range, trace),
            n = to > from ? to - from : 0;
    bool *is_free = malloc((size_t)n + 1), *all_free = malloc((size_t)n + 1);
    uint32_t threads = 0;
    memset(all_free, true, (size_t)n + 1);
    for (uint32_t k = 0; k < trace_thread_count(trace); k++) {
        if (!any_in_range(trace, &all, k, range) || range->tracks.v.n > 0)
            continue;
        int64_t begin, end;
        bool ended;
        trace_thread_span(trace, trace_thread(trace, k), &begin, &end, &ended);
        for (int64_t t = from; t < to; t++) {
            is_free[t - from] = t >= begin && (!ended || t < end);
            for (size_t i = 0; i < all.n; i++)
                if (all.v[i].track == k && all.v[i].slice.start <= t &&
                    slice_iter_end(trace, k, &all.v[i].slice) > t)
                    is_free[t - from] = all_free[t - from] = false;
        }
        add_runs(&want, is_free, from, to, k);
        threads++;
    }
    if (threads > 1)
        add_runs(&want, all_free, from, to, GAPS_ALL);
    for (size_t c = 0; c < sched_cpu_count(trace_sched(trace)); c++) {
        struct sched_cpu *cpu = sched_cpu(trace_sched(trace), c);
        if (range->tracks.v.n > 0 && c % 2 > 0)
            continue;
        for (int64_t t = from; t < to; t++) {
            is_free[t - from] = true;
            for (uint32_t i = 0; i < cpu->lane.n; i++) {
                const struct slice *s = lane_at(&cpu->lane, i);
                if (s->start <= t && slice_end(s) > t && !(sched_flags(cpu, i) & SCHED_OF_IDLE))
                    is_free[t - from] = false;
            }
        }
        add_runs(&want, is_free, from, to, GAPS_CPU + (uint32_t)c);
    }
    free(is_free);
    free(all_free);
    vec_free(&all);
    if (want.n > 0)
        qsort(want.v, want.n, sizeof *want.v, longest_first);
    return want;
}

START_TEST(they_are_all_moments_that_nothing_covers) {
    size_t cpus = 0, alls = 0;
    for (int n = 0; n < 600; n++) {
        struct trace *trace = n % 2 ? thrown_sched(&chance, 2 + (unsigned)below(&chance, 60))
                                    : thrown_trace(&chance, 2 + (unsigned)below(&chance, 60));
        struct range range = {0};
        struct gaps gaps = {0};
        uint64_t span = (uint64_t)(trace_end(trace) - trace_begin(trace)) + 1;
        if (below(&chance, 2))
            range_set_time(&range, trace, trace_begin(trace) + (int64_t)below(&chance, span),
                           trace_begin(trace) + (int64_t)below(&chance, span));
        for (uint32_t c = 0; n % 5 == 0 && c < sched_cpu_count(trace_sched(trace)); c += 2)
            track_set_put(&range.tracks, SCOPE_CPU + c, true);
        struct found want = read_slowly(trace, &range);
        task_whole(make, &(struct asked){&gaps, trace, &range}, NULL);
        MUST(gaps.v.n == want.n && gaps.count == want.n, n, (int)gaps.v.n, (int)want.n);
        for (size_t i = 0; i < want.n; i++) {
            MUST(gaps.v.v[i].start == want.v[i].start &&
                     gaps.v.v[i].duration == want.v[i].duration && gaps.v.v[i].on == want.v[i].on,
                 n);
            cpus += want.v[i].on >= GAPS_CPU;
            alls += want.v[i].on == GAPS_ALL;
        }
        vec_free(&want);
        gaps_free(&gaps);
        range_free(&range);
        trace_free(trace);
    }
    ck_assert_uint_gt(cpus, 300);
    ck_assert_uint_gt(alls, 100);
}
END_TEST

/* Many gaps of threads do not crowd out those of CPUs, which are shorter. */
START_TEST(gaps_of_cpus_stay_beside_those_of_threads) {
    enum { MANY = 45000 };
    struct chars text = {0};
    char line[96];
    chars_add(&text,
              STR("magic\nswitch_legacy 2 1 1/9 3 1/8 16 0\nswitch_legacy 5 1 1/8 3 1/9 0 16\n"));
    for (int i = 0; i < MANY; i++) {
        snprintf(line, sizeof line, "complete %d 1/9 \"\" \"a\" end=%d\n", 10 * i, 10 * i + 1);
        chars_add(&text, str_of(line));
    }
    chars_add(&text, (struct str){"", 1});
    struct trace *trace = loaded_text(text.v);
    struct range range = {0};
    struct gaps gaps = {0};
    size_t cpus = 0;
    task_whole(make, &(struct asked){&gaps, trace, &range}, NULL);
    for (size_t i = 0; i < gaps.v.n; i++)
        cpus += gaps.v.v[i].on >= GAPS_CPU;
    ck_assert_uint_ge(cpus, 1);
    ck_assert_uint_eq(gaps.v.n, GAPS_KEPT + cpus);
    ck_assert_uint_eq(gaps.count, MANY - 1 + cpus);
    gaps_free(&gaps);
    trace_free(trace);
    vec_free(&text);
}
END_TEST

/* Before they are done, the longest of those passed so far are known, in order. */
START_TEST(the_longest_so_far_are_those_of_what_was_passed) {
    enum { MANY = 9000 };
    struct chars text = {0};
    char line[96];
    chars_add(&text, STR("magic\n"));
    for (int i = 0, t = 0; i < MANY; i++, t += 2 + (int)below(&chance, i % 3 ? 1000 : 100000)) {
        snprintf(line, sizeof line, "complete %d 1/%d \"\" \"a\" end=%d\n", t, 8 + i * 3 / MANY,
                 t + 1);
        chars_add(&text, str_of(line));
    }
    chars_add(&text, (struct str){"", 1});
    struct trace *trace = loaded_text(text.v);
    struct range range = {0};
    struct gaps gaps = {0};
    struct gap so_far[GAPS_SO_FAR];
    unsigned looks = 0, before = 0;
    struct asked asked = {&gaps, trace, &range};
    struct tasks all = {0};
    struct task *task = task_new(&all, make, &asked);
    while (!task_step(task, TASK_OF(1 + (uint32_t)below(&chance, 2000)))) {
        struct found want = {0};
        for (size_t i = 0; i < gaps.v.n; i++)
            vec_push(&want, gaps.v.v[i]);
        if (want.n > 0)
            qsort(want.v, want.n, sizeof *want.v, longest_first);
        size_t n = gaps_so_far(&gaps, so_far);
        MUST(n == (want.n < GAPS_SO_FAR ? want.n : GAPS_SO_FAR), (int)n, (int)want.n);
        for (size_t i = 0; i < n; i++)
            MUST(so_far[i].start == want.v[i].start && so_far[i].duration == want.v[i].duration,
                 (int)i);
        MUST(gaps_percent(&gaps) >= before && gaps_percent(&gaps) < 100);
        before = gaps_percent(&gaps);
        looks += n == GAPS_SO_FAR;
        vec_free(&want);
    }
    task_free(task);
    ck_assert_uint_gt(looks, 1);
    ck_assert_uint_eq(gaps_percent(&gaps), 100);
    gaps_free(&gaps);
    trace_free(trace);
    vec_free(&text);
}
END_TEST

SUITE(gaps) {
    Suite *s = suite_create("gaps");
    TCase *t = tcase_create("gaps");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, they_are_all_moments_that_nothing_covers);
    tcase_add_test(t, gaps_of_cpus_stay_beside_those_of_threads);
    tcase_add_test(t, the_longest_so_far_are_those_of_what_was_passed);
    suite_add_tcase(s, t);
    return s;
}
