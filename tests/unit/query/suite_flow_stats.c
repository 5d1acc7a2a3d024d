/* suite_flow_stats.c - statistics of flows and hops, against a slow count. */
#include "model/query/flow_stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

static struct chance chance = {88172645463325252u};

static int by_value(const void *a, const void *b) {
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Slices on a few threads and flows of a few names and ids through them, with ends and begins
 * missing. */
static char *any_flows(unsigned events) {
    static const char *const kinds[] = {"flow_begin", "flow_step", "flow_end"};
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\nprovider 1 \"p\"\ninit 1000000000\n", f);
    unsigned t = 1;
    for (unsigned i = 0; i < events; i++) {
        unsigned thread = (unsigned)below(&chance, 4), name = (unsigned)below(&chance, 3),
                 kind = (unsigned)below(&chance, 3);
        t += (unsigned)below(&chance, 20);
        if (below(&chance, 12) == 0)
            fprintf(f, "%s %u 1/%u \"c\" \"s\"\n", below(&chance, 3) ? "begin" : "end", t,
                    thread + 10);
        else if (below(&chance, 3) == 0)
            fprintf(f, "complete %u 1/%u \"c\" \"s\" end=%u\n", t, thread + 10,
                    t + (unsigned)below(&chance, 60));
        else
            fprintf(f, "%s %u 1/%u \"c%u\" \"n%u\" id=%u\n", kinds[kind], t, thread + 10, name,
                    name, (unsigned)below(&chance, 5));
    }
    fclose(f);
    return text;
}

struct value {
    uint32_t name, from, to;
    int64_t ns;
};

static bool same_slice(const struct flow_slice_place *a, const struct flow_slice_place *b) {
    return a->in_slice && b->in_slice && a->thread == b->thread && a->row == b->row && a->i == b->i;
}

/* All flows walked at once, point by point; hops into `hops`, totals of the complete ones into
 * `totals`. */
static void walk_all(struct trace *trace, const struct flow_stats *stat, struct value *hops,
                     size_t *nhops, struct value *totals, size_t *ntotals) {
    const struct flows *flows = trace_flows(trace);
    *nhops = *ntotals = 0;
    for (uint32_t i = 0; i < flow_count(flows); i++) {
        const struct flow *f = flows_at(flows, i);
        uint32_t name = flow_name(flows, f->first), stops = 1, slowest = NO_POINT, last = f->first;
        uint32_t source = f->first;
        int64_t within = 0, flight = 0, sum = 0, most = INT64_MIN, *part = &sum;
        for (uint32_t p = flow_link(flows, f->first)->after; p != NO_POINT;
             p = flow_link(flows, p)->after) {
            /* an end after the end: no hop leads there */
            if (flow_link(flows, p)->before == NO_POINT)
                continue;
            MUST(flow_link(flows, p)->before == source);
            struct flow_slice_place before = flow_slice_place(trace, source),
                                    here = flow_slice_place(trace, p);
            int64_t step = flow_time(flows, p) - flow_time(flows, source);
            MUST(step >= 0);
            if (last != source) /* of several ends, the last one is that of the total */
                *part -= flow_time(flows, last) - flow_time(flows, source);
            part = same_slice(&before, &here) ? &within : &sum;
            *part += step;
            last = p;
            source = flow_point(flows, p).kind == FLOW_END ? source : p;
            if (part == &within)
                continue;
            hops[*nhops] = (struct value){name, before.thread, here.thread, step};
            if (hops[*nhops].ns > most) {
                most = hops[*nhops].ns;
                slowest = p;
            }
            ++*nhops;
            flight += here.start > before.end ? here.start - before.end : 0;
            stops++;
        }
        const struct flow_stats_flow *got = flow_stats_flow(stat, i);
        MUST(got != NULL);
        MUST(got->total == sum + within &&
             got->total == flow_time(flows, last) - flow_time(flows, f->first));
        MUST(got->within == within && got->in_flight == flight);
        MUST(got->stops == stops && got->arrival == slowest);
        MUST(slowest == NO_POINT || got->slowest == most);
        if (flow_complete(f))
            totals[(*ntotals)++] = (struct value){name, 0, 0, sum + within};
    }
}

static void same_values(const struct quantiles *spread, const struct value *all, size_t n,
                        const struct value *of) {
    int64_t *mine = malloc((n + 1) * sizeof *mine);
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (all[i].name == of->name && all[i].from == of->from && all[i].to == of->to)
            mine[count++] = all[i].ns;
    qsort(mine, count, sizeof *mine, by_value);
    MUST(spread->sorted && spread->v.n == count);
    for (size_t i = 0; i < count; i++)
        MUST(spread->v.v[i].value == mine[i]);
    free(mine);
}

static void compare(struct trace *trace, const struct flow_stats *stat) {
    const struct flows *flows = trace_flows(trace);
    size_t points = flow_point_count(flows), nhops, ntotals, seen = 0, listed = 0;
    struct value *hops = malloc((points + 1) * sizeof *hops),
                 *totals = malloc((points + 1) * sizeof *totals);
    walk_all(trace, stat, hops, &nhops, totals, &ntotals);
    for (uint32_t k = 0; k < stat->names.n; k++) {
        const struct flow_stats_name *name = &stat->names.v[k];
        uint64_t complete = 0, unfinished = 0, unbegun = 0, unresolved = 0;
        size_t n = 0;
        for (uint32_t i = 0; i < flow_count(flows); i++) {
            const struct flow *f = flows_at(flows, i);
            if (flow_name(flows, f->first) != name->name)
                continue;
            MUST(n < name->flows.n && name->flows.v[n++] == i);
            if (f->unresolved)
                unresolved++;
            else if (f->begun && f->ended)
                complete++;
            else if (f->begun)
                unfinished++;
            else
                unbegun++;
        }
        listed += n;
        MUST(n == name->flows.n && complete == name->complete && unfinished == name->unfinished);
        MUST(unbegun == name->unbegun && unresolved == name->unresolved);
        same_values(&stat->totals.rows.v[k].durations, totals, ntotals,
                    &(struct value){name->name, 0, 0, 0});
        for (size_t h = 0; h < name->hops.n; h++) {
            const struct aggregate_row *hop = &stat->hops.rows.v[name->hops.v[h]];
            MUST(hop->key.name == k && flow_stats_between(stat, k, hop->key.a, hop->key.b) == hop);
            same_values(&hop->durations, hops, nhops,
                        &(struct value){name->name, hop->key.a, hop->key.b, 0});
            seen += hop->durations.v.n;
        }
        MUST(flow_stats_between(stat, k, UINT32_MAX - 5, 0) == NULL);
    }
    MUST(listed == flow_count(flows) && seen == nhops);
    free(hops);
    free(totals);
}

START_TEST(statistics_are_those_of_a_slow_count) {
    for (unsigned round = 0; round < 1500; round++) {
        char *text = any_flows(round < 3 ? round : round % 50 == 3 ? 400 : 40);
        struct trace *trace = loaded_text(text);
        struct flow_stats stat = {.trace = trace};
        MUST(task_whole(flow_stats_make, &stat, NULL));
        compare(trace, &stat);
        MUST(stat.done && stat.counted == flow_count(trace_flows(trace)));
        flow_stats_free(&stat);
        trace_free(trace);
        free(text);
    }
}
END_TEST

START_TEST(stops_are_points_in_slices_of_their_own) {
    struct trace *trace = loaded_text("magic\nprovider 1 \"p\"\ninit 1000000000\n"
                                      "complete 10 1/2 \"c\" \"a\" end=50\n"
                                      "flow_begin 20 1/2 \"c\" \"f\" id=1\n"
                                      "flow_step 30 1/2 \"c\" \"f\" id=1\n" /* the same slice */
                                      "complete 60 1/3 \"c\" \"b\" end=80\n"
                                      "flow_end 65 1/3 \"c\" \"f\" id=1\n");
    struct flow_stats stat = {.trace = trace};
    MUST(task_whole(flow_stats_make, &stat, NULL));
    const struct flow_stats_flow *f = flow_stats_flow(&stat, 0);
    ck_assert_uint_eq(f->stops, 2);
    ck_assert_int_eq(f->total, 45);     /* first point to last */
    ck_assert_int_eq(f->slowest, 35);   /* 30 to 65 */
    ck_assert_int_eq(f->within, 10);    /* 20 to 30 */
    ck_assert_int_eq(f->in_flight, 10); /* 50 to 60, between the slices */
    ck_assert_int_eq(flow_time(trace_flows(trace), f->arrival), trace_origin(trace) + 55);
    flow_stats_free(&stat);
    trace_free(trace);
}
END_TEST

/* A wake-up out of a slice that goes on: the hop is short, not the negative distance to the end of
 * the slice. */
START_TEST(a_hop_out_of_a_slice_that_goes_on_is_not_negative) {
    struct trace *trace = loaded_text("magic\nprovider 1 \"p\"\ninit 1000000000\n"
                                      "complete 10 1/2 \"c\" \"syscall\" end=4000\n"
                                      "flow_begin 20 1/2 \"c\" \"wakeup\" id=1\n"
                                      "complete 25 1/3 \"c\" \"woken\" end=80\n"
                                      "flow_end 25 1/3 \"c\" \"wakeup\" id=1\n");
    struct flow_stats stat = {.trace = trace};
    char verdict[24];
    MUST(task_whole(flow_stats_make, &stat, NULL));
    const struct flow_stats_flow *f = flow_stats_flow(&stat, 0);
    ck_assert_int_eq(f->total, 5);
    ck_assert_int_eq(f->slowest, 5);
    ck_assert_int_eq(f->in_flight, 0);
    flow_stats_verdict(&stat.hops.rows.v[0], 5, verdict);
    ck_assert_str_eq(verdict, "only one");
    flow_stats_free(&stat);
    trace_free(trace);
}
END_TEST

/* A flow from 1000 to 30 s with a step and an end. If the file contradicts the time of the step, it
 * is in no hop; the total only needs the first point and the last. */
START_TEST(a_damaged_step_leaves_the_total) {
    static const struct {
        const char *step, *end, *after; /* the end is contradicted if its thread goes on before */
        bool damaged;
        int64_t total;
        size_t hops;
    } cases[] = {{"1150", "30000000000", "30000000000", false, 29999999000, 2},
                 {"7000000000", "30000000000", "30000000000", false, 29999999000, 0},
                 {"1150", "7000000000", "1250", true, 6999999000, 1}};
    char *text = NULL;
    size_t size = 0, hops = 0;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\nprovider 1 \"p\"\ninit 1000000000\nflow_begin 1000 1/2 \"c\" \"f\" id=1\n", f);
    for (int i = 0; i < 100; i++)
        fprintf(f, "instant %d 1/3 \"c\" \"i\"\n", 1100 + i / 2);
    fprintf(f, "flow_step %s 1/3 \"c\" \"f\" id=1\n", cases[_i].step);
    for (int i = 0; i < 100; i++)
        fprintf(f, "instant %d 1/3 \"c\" \"i\"\n", 1150 + i / 2);
    fprintf(f, "instant 1200 1/4 \"c\" \"i\"\nflow_end %s 1/4 \"c\" \"f\" id=1\n", cases[_i].end);
    fprintf(f, "instant %s 1/4 \"c\" \"i\"\n", cases[_i].after);
    fclose(f);
    struct trace *trace = loaded_text(text);
    struct flow_stats stat = {.trace = trace};
    MUST(task_whole(flow_stats_make, &stat, NULL));
    const struct flow_stats_flow *flow = flow_stats_flow(&stat, 0);
    for (size_t i = 0; i < stat.hops.rows.n; i++)
        hops += stat.hops.rows.v[i].durations.v.n;
    ck_assert_int_eq(flow->total, cases[_i].total);
    ck_assert(flow->damaged == cases[_i].damaged);
    ck_assert_uint_eq(hops, cases[_i].hops);
    ck_assert_uint_eq(stat.totals.rows.v[0].durations.v.n, !cases[_i].damaged);
    flow_stats_free(&stat);
    trace_free(trace);
    free(text);
}
END_TEST

/* The longest of 19 is not above their p95; of 20 it is. */
START_TEST(verdicts_take_twenty_hops) {
    struct aggregate_row row = {0};
    char verdict[24];
    for (int n = 1; n <= 40; n++) {
        quantiles_add(&row.durations, n, 0);
        ck_assert(quantiles_sort(&row.durations, NULL));
        flow_stats_verdict(&row, n, verdict);
        char rank[24];
        snprintf(rank, sizeof rank, "rank 1 of %d", n);
        ck_assert_str_eq(verdict, n == 1 ? "only one" : n < 20 ? rank : "slow: p100.0");
    }
    flow_stats_verdict(&row, 1, verdict);
    ck_assert_str_eq(verdict, "fast: p0.0");
    flow_stats_verdict(&row, 20, verdict);
    ck_assert_str_eq(verdict, "usual: p48");
    quantiles_free(&row.durations);
}
END_TEST

SUITE(flow_stats) {
    Suite *s = suite_create("flow_stats");
    TCase *t = tcase_create("flow_stats");
    tcase_add_test(t, statistics_are_those_of_a_slow_count);
    tcase_add_test(t, stops_are_points_in_slices_of_their_own);
    tcase_add_test(t, a_hop_out_of_a_slice_that_goes_on_is_not_negative);
    tcase_add_loop_test(t, a_damaged_step_leaves_the_total, 0, 3);
    tcase_add_test(t, verdicts_take_twenty_hops);
    suite_add_tcase(s, t);
    return s;
}
