/* suite_batch.c - events that pass through the queues: all arrive, once, and in their order. */
#include "model/trace/batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/trace/trace.h"
#include "src/base/worker.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

static uint32_t no_name(void *ctx, uint64_t offset) {
    (void)ctx;
    (void)offset;
    return 0;
}

static void no_set(void *ctx, uint64_t key, uint64_t value) {
    (void)ctx;
    (void)key;
    (void)value;
}

static uint64_t no_get(void *ctx, uint64_t key) {
    (void)ctx;
    (void)key;
    return UINT64_MAX;
}

/* n samples over three series; flush: how often the queues are emptied on the way. */
static void samples_arrive(size_t n, size_t flush) {
    /* a reader for the origin */
    struct trace *trace = loaded_text("magic\ninit 1000000000\ninstant 5 1/2 \"c\" \"x\"\n");
    struct derived *to = err_calloc(1, sizeof *to);
    struct worker *worker = worker_new();
    struct slice_extra extra = {NULL, no_name, no_set, no_get, worker, NULL};
    struct batches batches;
    batches_init(&batches, to, trace_reader(trace), &extra);
    for (size_t i = 0; i < n; i++) {
        struct batch_sample *s = batch_next(&batches, BATCH_SAMPLE, sizeof *s);
        *s = (struct batch_sample){
            .sample = {.at = {(int64_t)i, i * 8}, .bits = i}, .id = i % 3, .name = 7};
        if (flush > 0 && i % flush == 0) {
            worker_wait(worker);
            ck_assert(batch_flush(&batches, NULL));
        }
    }
    worker_wait(worker);
    ck_assert(batch_flush(&batches, NULL));
    ck_assert_uint_eq(counter_series_count(&to->counters), n < 3 ? n : 3);
    for (size_t k = 0; k < counter_series_count(&to->counters); k++) {
        size_t count;
        const struct counter_sample *v = counter_samples(counter_series(&to->counters, k), &count);
        ck_assert_uint_eq(count, (n - k + 2) / 3);
        for (size_t i = 0; i < count; i++)
            MUST(v[i].bits == i * 3 + k, i);
    }
    batches_free(&batches);
    worker_free(worker);
    counters_free(&to->counters);
    free(to);
    trace_free(trace);
}

START_TEST(samples_of_many_buffers_arrive_in_order) {
    static const size_t counts[] = {0, 1, 3000, 100000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        samples_arrive(counts[i], 0);
        samples_arrive(counts[i], 777);
    }
}
END_TEST

/* Events of every queue, many more than a buffer holds. */
START_TEST(each_queue_of_a_long_trace_arrives_whole) {
    enum { N = 20000 };
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\ninit 1000000000\n", f);
    for (int i = 0; i < N; i++)
        fprintf(f,
                "counter %d 5/6 \"c\" \"n\" x=i32:%d id=0\nasync_begin %d 5/6 \"c\" \"a\" id=%d\n"
                "async_end %d 5/6 \"c\" \"a\" id=%d\nflow_begin %d 5/6 \"c\" \"f\" id=%d\n"
                "flow_end %d 5/6 \"c\" \"f\" id=%d\nswitch %d 0 %d 3 %d\n"
                "instant %d 5/6 \"c\" \"i\"\nlog %d 5/6 \"text\"\n",
                i * 10, i, i * 10, i, i * 10 + 5, i, i * 10, i, i * 10 + 5, i, i * 10, 6 + i % 2,
                7 - i % 2, i * 10 + 1, i * 10 + 2);
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    ck_assert_uint_eq(trace_events(trace), (uint64_t)N * 8);
    ck_assert_uint_eq(counter_sample_count(counter_series(trace_counters(trace), 0)), N);
    ck_assert_uint_eq(async_group(trace_async(trace), 0)->ops, N);
    ck_assert_uint_eq(flow_count(trace_flows(trace)), N);
    for (size_t i = 0; i < N; i++)
        MUST(flow_complete(flows_at(trace_flows(trace), i)), i);
    ck_assert_uint_eq(sched_cpu(trace_sched(trace), 0)->lane.n, N);
    size_t n, logs;
    const struct instant *instants = trace_instants(trace_thread(trace, 0), &n);
    const struct occurrence *v = trace_logs(trace, &logs);
    ck_assert_uint_eq(n, N);
    ck_assert_uint_eq(logs, N);
    for (size_t i = 0; i < N; i++)
        MUST(instants[i].time == (int64_t)i * 10 + 1 && v[i].at.time == (int64_t)i * 10 + 2 &&
                 v[i].thread == 0,
             i);
    trace_free(trace);
}
END_TEST

SUITE(batch) {
    Suite *s = suite_create("batch");
    TCase *t = tcase_create("batch");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, samples_of_many_buffers_arrive_in_order);
    tcase_add_test(t, each_queue_of_a_long_trace_arrives_whole);
    suite_add_tcase(s, t);
    return s;
}
