/* suite_crowd.c - threads that share a buffer get the slices that they get if each has its own.
 *
 * A trace of many threads is compared with traces of few of them each: the same events, in the same
 * order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/trace/trace.h"
#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

#define THREADS 640 /* more than have buffers of their own */
#define PARTS 4
#define EVENTS 26000

/* Events in any order of threads: begins, ends, complete events after their children, and some that
 * are late. parts: each event goes to the trace of its thread, too. */
static void write_events(FILE *whole, FILE *parts[PARTS]) {
    static int depth[THREADS], since[THREADS];
    struct chance chance = {2718};
    memset(depth, 0, sizeof depth);
    memset(since, 0, sizeof since);
    for (int i = 0; i < EVENTS; i++) {
        int thread =
            i < THREADS ? i : (int)below(&chance, below(&chance, 4) ? THREADS : 1) + THREADS - 1;
        thread %= THREADS;
        int t = 10000 + 10 * i, late = below(&chance, 200) == 0 ? 3000 : 0;
        char event[100], who[20];
        if (thread >= THREADS - 3 && below(&chance, 2)) /* these have an index, too */
            snprintf(who, sizeof who, "t%d", thread - (THREADS - 4));
        else
            snprintf(who, sizeof who, "5/%d", thread + 1);
        if (below(&chance, 40) == 0)
            snprintf(event, sizeof event, "instant %d %s s1 s2\n", t, who);
        else if (below(&chance, 3) == 0)
            snprintf(event, sizeof event, "complete %d %s s1 s%d n=i32:%d end=%d\n",
                     (since[thread] ? since[thread] : 9000) + 1, who, 2 + i % 3, i, t);
        else if (depth[thread] > 0 && below(&chance, 2))
            snprintf(event, sizeof event, "end %d %s s1 %s\n", t - late, who,
                     --depth[thread] % 2 ? "\"inline\"" : "s2");
        else
            snprintf(event, sizeof event, "begin %d %s s1 %s\n", t - late, who,
                     depth[thread]++ % 2 ? "\"inline\"" : "s2");
        since[thread] = below(&chance, 4) ? t : since[thread];
        fprintf(whole, "%s\n", event);
        fprintf(parts[thread * PARTS / THREADS], "%s\n", event);
    }
}

static void head(FILE *f, int clock) {
    fprintf(f, "magic\ninit %d\n", clock);
    fputs("string 1 \"c\"\nstring 2 \"two\"\nstring 3 \"three\"\nstring 4 \"four\"\n", f);
    for (int i = 1; i <= 3; i++)
        fprintf(f, "thread %d 5 %d\n", i, THREADS - 3 + i);
}

static const struct thread *thread_of(struct trace *trace, uint64_t tid) {
    for (size_t i = 0; i < trace_thread_count(trace); i++)
        if (trace_thread(trace, i)->id.tid == tid)
            return trace_thread(trace, i);
    return NULL;
}

static struct str name_of(struct trace *trace, const struct slice *s) {
    return names_str(reader_names(trace_reader(trace)), slice_name(s));
}

static void same_thread(struct trace *a, struct trace *b, uint64_t tid) {
    const struct thread *x = thread_of(a, tid), *y = thread_of(b, tid);
    MUST(x != NULL && y != NULL, tid);
    MUST(x->events == y->events && x->first == y->first && x->last == y->last, tid);
    MUST(x->instants.n == y->instants.n && x->nest.strays.n == y->nest.strays.n, tid);
    MUST(nest_rows(&x->nest) == nest_rows(&y->nest), tid);
    for (uint32_t row = 0; row < nest_rows(&x->nest); row++) {
        MUST(x->nest.lanes[row].n == y->nest.lanes[row].n, tid);
        for (uint32_t k = 0; k < x->nest.lanes[row].n; k++) {
            const struct slice *s = lane_at(&x->nest.lanes[row], k),
                               *r = lane_at(&y->nest.lanes[row], k);
            MUST(s->start == r->start && slice_end(s) == slice_end(r), tid);
            MUST(str_eq(name_of(a, s), name_of(b, r)), tid);
        }
    }
}

/* With a slow clock events are long, and seconds from each other. */
START_TEST(threads_that_share_a_buffer_have_the_same_slices) {
    char *texts[PARTS + 1] = {NULL}, path[SCRATCH_PATH];
    size_t sizes[PARTS + 1];
    FILE *files[PARTS + 1];
    struct trace *parts[PARTS];
    struct err err = {.text = ""};
    for (int i = 0; i <= PARTS; i++) {
        files[i] = open_memstream(&texts[i], &sizes[i]);
        head(files[i], _i == 0 ? 1000000000 : 1000);
        fprintf(files[i], "instant 1 9/9 s1 s2\n"); /* one origin */
    }
    write_events(files[PARTS], files);
    for (int i = 0; i <= PARTS; i++)
        fclose(files[i]);
    for (int i = 0; i < PARTS; i++)
        parts[i] = loaded_text(texts[i]);
    struct trace_bytes bytes = tracegen(texts[PARTS], &err);
    ck_assert_msg(bytes.v != NULL, "%s", err.text);
    ck_assert(scratch_write(path, "crowd", bytes.v, bytes.n));
    for (uint64_t step = 40000; step <= 4000000; step *= 100) { /* in steps, and at once */
        struct trace *whole = trace_open(path, &(struct trace_options){0}, &err);
        ck_assert(whole != NULL);
        while (trace_step(whole, step) != TRACE_COMPLETE)
            ;
        ck_assert_uint_eq(trace_thread_count(whole), THREADS + 1);
        int shared = 0;
        for (size_t i = 0; i < trace_thread_count(whole); i++)
            shared += trace_thread(whole, i)->way == WAY_CROWD;
        ck_assert_int_gt(shared, THREADS / 10);
        for (int i = 0; i < THREADS; i++)
            same_thread(whole, parts[i * PARTS / THREADS], (uint64_t)i + 1);
        trace_free(whole);
    }
    for (int i = 0; i < PARTS; i++)
        trace_free(parts[i]);
    for (int i = 0; i <= PARTS; i++)
        free(texts[i]);
    unlink(path);
    free(bytes.v);
}
END_TEST

SUITE(crowd) {
    Suite *s = suite_create("crowd");
    TCase *t = tcase_create("crowd");
    tcase_add_loop_test(t, threads_that_share_a_buffer_have_the_same_slices, 0, 2);
    suite_add_tcase(s, t);
    return s;
}
