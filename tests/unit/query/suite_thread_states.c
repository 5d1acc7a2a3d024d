/* suite_thread_states.c - times by state against each nanosecond of the lanes; states tile a
 * thread's time. */
#include "model/query/stat/tables/thread_states.h"

#include "model/query/stat/waits/wakeup.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/lib/thrown_sched.h"

static struct chance chance = {97531};

static enum thread_state class_of(const struct sched_thread *t, uint32_t i) {
    uint32_t state = sched_state(t, i);
    if (!sched_life_known(t, i))
        return THREAD_UNKNOWN;
    if (state == SCHED_RUNNING && !(t->states.v[i] & SCHED_OF_IDLE))
        return THREAD_RUNNING;
    return state == SCHED_RUNNABLE  ? THREAD_RUNNABLE
           : state == SCHED_BLOCKED ? THREAD_BLOCKED
                                    : THREAD_OTHER;
}

static void compare_row(struct trace *trace, const struct range *range,
                        const struct thread_states_row *row, int set) {
    const struct sched_thread *t = sched_thread(trace_sched(trace), row->thread);
    int64_t from = range_begin(range, trace), to = range_end(range, trace),
            time[THREAD_STATES] = {0}, sum = 0;
    for (int64_t at = from; at < to; at++)
        for (uint32_t i = 0; i < t->lane.n; i++) {
            const struct slice *s = lane_at(&t->lane, i);
            if (s->start <= at && slice_end(s) > at)
                time[class_of(t, i)]++;
        }
    for (int k = 0; k < THREAD_UNKNOWN; k++)
        MUST(row->time[k] == time[k], set, k);
    for (int k = 0; k < THREAD_STATES; k++)
        sum += row->time[k];
    MUST(row->lived == range_thread_time(range, trace, row->thread), set);
    MUST(sum == row->lived, set, (int)sum, (int)row->lived);
    if (!range->timed) {
        uint64_t count[THREAD_STATES] = {0}, wakes[64] = {0}, most = 0;
        int64_t longest[THREAD_STATES] = {0};
        for (uint32_t i = 0; i < t->lane.n; i++) {
            const struct slice *s = lane_at(&t->lane, i);
            int64_t end =
                slice_open(s) ? trace_open_end(trace, row->thread, s->start) : slice_end(s);
            struct wakeup w;
            count[class_of(t, i)]++;
            if (end - s->start > longest[class_of(t, i)])
                longest[class_of(t, i)] = end - s->start;
            if (wakeup_of(trace, t, i, &w) && w.thread < 64 && ++wakes[w.thread] > most)
                most = wakes[w.thread];
        }
        for (int k = 0; k < THREAD_UNKNOWN; k++)
            MUST(row->count[k] == count[k] && row->longest[k] == longest[k], set, k);
        MUST(row->wakes == most && (most == 0 || wakes[row->waker] == most), set);
    }
}

struct asked {
    struct thread_states *states;
    struct trace *trace;
    const struct range *range;
};

static void make(struct task *task, void *ctx) {
    const struct asked *a = ctx;
    thread_states_make(task, a->states, a->trace, a->range, NULL, NULL);
}

START_TEST(times_are_those_of_every_moment_and_tile) {
    size_t rows = 0, woken = 0, partly = 0;
    for (int n = 0; n < 800; n++) {
        struct trace *trace = thrown_sched(&chance, 5 + (unsigned)below(&chance, 80));
        struct range range = {0};
        struct thread_states states = {0};
        uint64_t span = (uint64_t)(trace_end(trace) - trace_begin(trace)) + 1;
        if (below(&chance, 2))
            range_set_time(&range, trace, trace_begin(trace) + (int64_t)below(&chance, span),
                           trace_begin(trace) + (int64_t)below(&chance, span));
        struct asked asked = {&states, trace, &range};
        struct tasks all = {0};
        struct task *task = task_new(&all, make, &asked);
        while (!task_step(task, TASK_OF(1 + (uint32_t)below(&chance, 60)))) {
            /* rows have their times before anything else, and do not change them */
            size_t known = 0;
            for (uint32_t i = 0; i < states.rows.n; i++)
                known += thread_states_known(&states, i);
            MUST(known <= states.rows.n && (states.times || known == 0) &&
                     thread_states_percent(&states) < 100,
                 n);
            for (uint32_t i = 0; states.times && i < states.rows.n; i++) {
                int64_t sum = 0;
                for (int state = 0; state < THREAD_STATES; state++)
                    sum += states.rows.v[i].time[state];
                MUST(sum == states.rows.v[i].lived, n);
            }
            partly += states.times && known < states.rows.n;
        }
        task_free(task);
        for (size_t i = 0; i < states.rows.n; i++) {
            compare_row(trace, &range, &states.rows.v[i], n);
            woken += states.rows.v[i].wakes > 0;
        }
        rows += states.rows.n;
        thread_states_free(&states);
        trace_free(trace);
    }
    ck_assert_uint_gt(rows, 1000);
    ck_assert_uint_gt(partly, 1000);
    ck_assert_uint_gt(woken, 100);
}
END_TEST

SUITE(thread_states) {
    Suite *s = suite_create("thread_states");
    TCase *t = tcase_create("thread_states");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, times_are_those_of_every_moment_and_tile);
    suite_add_tcase(s, t);
    return s;
}
