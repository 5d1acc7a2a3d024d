/* suite_name_stats.c - the statistics of a name are those that counting its slices one by one
 * gives. */
#include "model/query/name_stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

#define SLICES 9000 /* more than a piece of a lane */
#define NAMES 7

static struct chance chance = {4711};

struct thrown {
    int name, thread;
    int64_t time, dur;
};

static struct thrown thrown[SLICES];

static struct trace *throw_trace(int slices) {
    static char text[SLICES * 64];
    size_t n = (size_t)snprintf(
        text, sizeof text, "magic\ninit 1000000000\nthread 1 7 8\nthread 2 7 9\nthread 3 7 10\n");
    for (int i = 0; i < slices; i++) {
        struct thrown *s = &thrown[i];
        /* one name on all threads, others on one or two; few lengths, so that many are equal */
        *s = (struct thrown){(int)below(&chance, NAMES), 0, i * INT64_C(1000),
                             1 + (int64_t)below(&chance, 300)};
        s->thread = 1 + (int)below(&chance, s->name == 0 ? 3 : s->name < 4 ? 2 : 1);
        n += (size_t)snprintf(text + n, sizeof text - n, "complete %d t%d \"c\" \"n%d\" end=%d\n",
                              (int)s->time, s->thread, s->name, (int)(s->time + s->dur));
    }
    return loaded_text(text);
}

static int by_length(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static uint32_t name_of(struct trace *trace, const struct thrown *s) {
    for (size_t t = 0; t < trace_thread_count(trace); t++) {
        const struct thread *thread = trace_thread(trace, t);
        if (thread->id.tid != (uint64_t)s->thread + 7)
            continue;
        const struct lane *lane = &thread->nest.lanes[0];
        uint32_t i = lane_from(lane, trace_origin(trace) + s->time - thrown[0].time);
        if (i < lane->n && slice_dur(lane_at(lane, i)) == s->dur)
            return trace_packed_name(trace, lane_at(lane, i)->begin_word);
    }
    ck_abort_msg("a slice is lost");
}

static struct name_stats stats_of(struct trace *trace, enum slice_iter_kind kind, uint32_t name,
                                  task_run *make) {
    struct name_stats stats = {.trace = trace, .set = SLICE_SET_ALL(kind), .name = name};
    MUST(task_whole(make, &stats, NULL));
    return stats;
}

static void compare(struct trace *trace, int slices, const struct thrown *s, int set) {
    uint32_t name = name_of(trace, s);
    static int64_t lengths[SLICES];
    size_t n = 0;
    int64_t total = 0;
    unsigned threads = 0;
    for (int i = 0; i < slices; i++) {
        if (thrown[i].name != s->name)
            continue;
        lengths[n++] = thrown[i].dur;
        total += thrown[i].dur;
        threads |= 1u << thrown[i].thread;
    }
    qsort(lengths, n, sizeof *lengths, by_length);
    struct name_stats same = stats_of(trace, SLICE_ITER_SLICES, name, name_stats_make);
    struct name_stats of_all = stats_of(trace, SLICE_ITER_SLICES, 0, name_stats_times_ops.make);
    const struct aggregate_row *all = name_stats_row(&same);
    MUST(all->durations.v.n == n && all->count == n && sum_ns(all->sum) == total, set);
    uint32_t row = aggregate_find(&of_all.aggregate, &(struct aggregate_key){.name = name});
    MUST(row != AGGREGATE_ANY, set);
    const struct aggregate_row *times = &of_all.aggregate.rows.v[row];
    /* no slice is in another */
    MUST(times->count == n && sum_ns(times->total) == total && sum_ns(times->self) == total, set);
    MUST(all->tracks == (threads >> 1 & 1) + (threads >> 2 & 1) + (threads >> 3 & 1), set);
    for (size_t i = 0; i < n; i++)
        MUST(all->durations.v.v[i].value == lengths[i], set);
    MUST(quantiles_at(&all->durations, 500) == lengths[(n * 500 + 999) / 1000 - 1], set);
    MUST(quantiles_at(&all->durations, 990) == lengths[(n * 990 + 999) / 1000 - 1], set);
    MUST(quantiles_at(&all->durations, 1000) == lengths[n - 1], set);
    name_stats_free(&same);
    name_stats_free(&of_all);
}

START_TEST(numbers_are_those_of_all_of_the_name) {
    for (int set = 0; set < 2000; set++) {
        int slices = set % 100 == 0 ? SLICES : 1 + (int)below(&chance, 60);
        struct trace *trace = throw_trace(slices);
        for (int k = set % 100 == 0 ? 40 : 4; k > 0; k--)
            compare(trace, slices, &thrown[below(&chance, (uint64_t)slices)], set);
        trace_free(trace);
    }
}
END_TEST

/* Nested operations are in the rows of the outer one, but count for their own name. */
START_TEST(operations_of_a_name_are_those_of_all_groups) {
    static const char text[] =
        "magic\ninit 1000000000\nthread 1 7 8\nthread 2 9 9\n"
        "async_begin 0 t1 \"c\" \"outer\" id=1\nasync_begin 10 t1 \"c\" \"inner\" id=1\n"
        "async_end 15 t1 \"c\" \"inner\" id=1\nasync_end 100 t1 \"c\" \"outer\" id=1\n"
        "async_begin 200 t2 \"c\" \"outer\" id=2\nasync_end 203 t2 \"c\" \"outer\" id=2\n"
        "async_begin 300 t2 \"c\" \"inner\" id=3\nasync_end 307 t2 \"c\" \"inner\" id=3\n"
        "async_begin 400 t2 \"c\" \"inner\" id=4\n"; /* never ends */
    struct trace *trace = loaded_text(text);
    static const struct {
        uint32_t group, row;
        int64_t lengths[2];
    } wanted[] = {{0, 0, {3, 100}}, {0, 1, {5, 7}}, {1, 0, {3, 100}}, {2, 0, {5, 7}}};
    ck_assert_uint_eq(async_group_count(trace_async(trace)), 3);
    for (int k = 0; k < 4; k++) {
        const struct async_group *group = async_group(trace_async(trace), wanted[k].group);
        uint32_t name =
            trace_packed_name(trace, lane_at(async_group_row(group, wanted[k].row), 0)->begin_word);
        struct name_stats same = stats_of(trace, SLICE_ITER_OPERATIONS, name, name_stats_make);
        const struct aggregate_row *all = name_stats_row(&same);
        MUST(all->durations.v.n == 2, k);
        MUST(all->durations.v.v[0].value == wanted[k].lengths[0] &&
                 all->durations.v.v[1].value == wanted[k].lengths[1],
             k);
        name_stats_free(&same);
    }
    trace_free(trace);
}
END_TEST

SUITE(name_stats) {
    Suite *s = suite_create("name_stats");
    TCase *c = tcase_create("name_stats");
    tcase_add_test(c, operations_of_a_name_are_those_of_all_groups);
    tcase_add_test(c, numbers_are_those_of_all_of_the_name);
    suite_add_tcase(s, c);
    return s;
}
