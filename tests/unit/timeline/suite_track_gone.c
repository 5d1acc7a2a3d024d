/* suite_track_gone.c - threads that fold at a zoom, against a slow look at everything that they
 * hold. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/trace/trace_life.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/lib/thrown.h"
#include "ui/timeline/track_list.h"
#include "ui/timeline/track_ops.h"

static struct trace *trace;
static struct track_list list;

/* Any slice or instant of the thread in [from, to), and any before or after it. */
struct held {
    bool inside, before, after;
};

static struct held held_by(struct thread *t, int64_t from, int64_t to) {
    struct held held = {0};
    size_t n;
    for (uint32_t row = 0; row < nest_rows(&t->nest); row++)
        for (uint32_t i = 0; i < nest_row(&t->nest, row)->n; i++) {
            const struct slice *s = lane_at(nest_row(&t->nest, row), i);
            bool inside = s->start < to && (slice_end(s) > from || s->start >= from);
            held.inside = held.inside || inside;
            held.before = held.before || (!inside && s->start < from);
            held.after = held.after || (!inside && s->start >= to);
        }
    const struct instant *v = trace_instants(t, &n);
    for (size_t i = 0; i < n; i++) {
        held.inside = held.inside || (v[i].time >= from && v[i].time < to);
        held.before = held.before || v[i].time < from;
        held.after = held.after || v[i].time >= to;
    }
    return held;
}

static bool has_track(uint32_t thread) {
    uint64_t line;
    return track_list_find(&list, &track_thread, thread, 0, &line);
}

/* The threads of all lines of folded ones. */
static uint32_t folded_threads(void) {
    uint32_t n = 0;
    for (size_t i = 0; i < list.tracks.n; i++)
        if (list.tracks.v[i].kind == &track_ended)
            n += list.gone.v[list.tracks.v[i].of].threads;
    return n;
}

/* Fewer than three instants, and no slices: it folds if another thread shows more. */
static bool has_few(uint32_t thread) {
    const struct thread *t = trace_thread(trace, thread);
    return nest_rows(&t->nest) == 0 && trace_instant_count(t) < TRACK_FEW;
}

static struct track_gone_window any_window(struct chance *c) {
    int64_t begin = trace_begin(trace), span = trace_end(trace) - begin + 1;
    int64_t from = begin + (int64_t)below(c, (uint64_t)span);
    return (struct track_gone_window){from, from + 1 + (int64_t)below(c, (uint64_t)span / 4 + 1), 1,
                                      1000};
}

/* Nothing that the window shows is hidden, and a thread with all of its events on one side has no
 * track. */
START_TEST(a_thread_folds_if_the_window_has_nothing_of_it) {
    struct chance chance = {577215};
    for (int set = 0; set < 300; set++) {
        trace = thrown_trace(&chance, 20 + (unsigned)below(&chance, 100));
        track_list_init(&list);
        track_list_update(&list, trace);
        uint32_t all = 0, seen = 0;
        for (uint32_t i = 0; i < trace_thread_count(trace); i++)
            all += has_track(i);
        for (int k = 0; k < 10; k++) {
            const struct track_gone_window w = any_window(&chance);
            track_list_decide(&list, trace, &w, NULL);
            track_list_update(&list, trace);
            seen = 0;
            for (uint32_t i = 0; i < trace_thread_count(trace); i++) {
                struct held held = held_by(trace_thread(trace, i), w.from, w.to);
                seen += has_track(i);
                MUST(!held.inside || has_track(i) || has_few(i), set, k, (int)i);
                bool outside = !held.inside && held.before != held.after;
                MUST(!outside || track_list_quiet(&list, i) ||
                         trace_thread(trace, i)->last >= w.from,
                     set, k, (int)i);
            }
            /* threads without slices are counted in folded processes */
            MUST(seen + folded_threads() >= all, set, k);
        }
        track_list_free(&list);
        trace_free(trace);
    }
}
END_TEST

/* A decision that changes nothing returns false: then no list is made. */
START_TEST(only_a_change_makes_the_list_again) {
    struct chance chance = {5772};
    trace = thrown_trace(&chance, 100);
    track_list_init(&list);
    track_list_update(&list, trace);
    const struct track_gone_window none = {trace_begin(trace) - 2, trace_begin(trace) - 1, 1, 1000};
    const struct track_gone_window whole = {trace_begin(trace), trace_end(trace) + 1, 1, 1000};
    ck_assert(track_list_decide(&list, trace, &none, NULL));
    ck_assert(!track_list_decide(&list, trace, &none, NULL));
    track_list_update(&list, trace);
    ck_assert_uint_gt(list.gone.n, 0);
    ck_assert(track_list_open(&list, list.gone_processes.v[0]));
    ck_assert(track_list_decide(&list, trace, &none, NULL)); /* opened processes are folded again */
    ck_assert(track_list_decide(&list, trace, &whole, NULL));
    track_list_update(&list, trace);
    for (uint32_t i = 0; i < trace_thread_count(trace); i++)
        ck_assert(!track_list_quiet(&list, i) || has_few(i));
    track_list_free(&list);
    trace_free(trace);
}
END_TEST

#define QUIET_THREADS 30

/* Threads of as many processes take turns on a CPU, for 0.1 to 10 ms; some of them are woken only
 * later. */
static struct trace *taking_turns(struct chance *chance) {
    char *text = NULL;
    size_t size = 0;
    int64_t t = 0;
    unsigned on = 0;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\nprovider 1 \"p\"\ninit 1000000000\n", f);
    for (unsigned k = 1; k <= QUIET_THREADS; k++)
        fprintf(f, "kernel_object 2 %u \"t%u\" process=koid:%u\n", k, k, 100 + k);
    for (int i = 0; i < 400; i++) {
        unsigned next = below(chance, 4) ? 1 + (unsigned)below(chance, 5)
                                         : 1 + (unsigned)below(chance, QUIET_THREADS);
        if (next == on)
            continue;
        fprintf(f, "switch %" PRId64 " 0 %u %d %u\n", t, on, below(chance, 9) ? 3 : 5, next);
        on = next;
        t += 100000 * (1 + (int64_t)(below(chance, 3) ? below(chance, 4) : below(chance, 100)));
    }
    fclose(f);
    struct trace *made = loaded_text(text);
    free(text);
    return made;
}

/* The time in [from, to) that a thread ran, state by state. */
static int64_t slow_cpu_time(uint32_t thread, int64_t from, int64_t to) {
    const struct sched_thread *t = sched_thread(trace_sched(trace), thread);
    int64_t sum = 0;
    for (uint32_t i = 0; t && i < t->lane.n; i++) {
        const struct slice *s = lane_at(&t->lane, i);
        int64_t a = s->start > from ? s->start : from, b = slice_end(s) < to ? slice_end(s) : to;
        sum += sched_state(t, i) == SCHED_RUNNING && b > a ? b - a : 0;
    }
    return sum;
}

static bool hardly_ran(uint32_t thread) {
    return list.presence.v[thread] == PRESENCE_HARDLY && !has_track(thread);
}

/* Columns are of 1 ms or more, and there are twice as many threads as rows: a thread that ran for
 * less than 1 ms folds. One that ran for longer has a track. */
START_TEST(a_live_thread_folds_if_it_hardly_ran) {
    struct chance chance = {271828};
    int quiet = 0;
    for (int set = 0; set < 40; set++) {
        trace = taking_turns(&chance);
        track_list_init(&list);
        track_list_update(&list, trace);
        for (int k = 0; k < 10; k++) {
            struct track_gone_window w = any_window(&chance);
            w.to = w.to < trace_end(trace) + 1 ? w.to : trace_end(trace) + 1;
            w.rows = 20;
            w.column = k % 3 == 0 ? GONE_HARDLY - 1 : GONE_HARDLY;
            track_list_decide(&list, trace, &w, NULL);
            track_list_update(&list, trace);
            for (uint32_t i = 0; i < trace_thread_count(trace); i++) {
                int64_t time = slow_cpu_time(i, w.from, w.to);
                bool folds = hardly_ran(i);
                quiet += folds;
                MUST(!folds || (time < GONE_HARDLY && w.column >= GONE_HARDLY), set, k, (int)i);
                MUST(time < 2 * w.column || has_track(i), set, k, (int)i);
                bool known = list.presence.v[i] >= PRESENCE_HARDLY &&
                             list.presence.v[i] != PRESENCE_FEW &&
                             trace_thread(trace, i)->process != NO_PROCESS;
                MUST(!known || folds || w.column < GONE_HARDLY || time >= GONE_HARDLY ||
                         !has_track(i) || !trace_thread_scheduled(trace, trace_thread(trace, i)),
                     set, k, (int)i);
            }
        }
        track_list_free(&list);
        trace_free(trace);
    }
    ck_assert_int_gt(quiet, 500);
}
END_TEST

SUITE(track_gone) {
    Suite *s = suite_create("track_gone");
    TCase *t = tcase_create("track_gone");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, a_thread_folds_if_the_window_has_nothing_of_it);
    tcase_add_test(t, a_live_thread_folds_if_it_hardly_ran);
    tcase_add_test(t, only_a_change_makes_the_list_again);
    suite_add_tcase(s, t);
    return s;
}
