/* suite_worker.c - two threads place what one places; buffers between them rest before they are
 * filled again. */
#include "model/nest/nest_buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/output/ndjson.h"
#include "src/base/thread.h"
#include "src/base/u64map.h"
#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

static struct chance chance = {4711};

#define NESTS 5
#define DEEP 40

static uint32_t no_name(void *ctx, uint64_t offset) {
    (void)ctx;
    (void)offset;
    return 0;
}

struct side {
    struct u64map facts;
    struct slice_extra aside;
    struct nest_buffer buffers[NESTS];
    struct nest nests[NESTS];
};

static void put(void *ctx, uint64_t key, uint64_t value) {
    struct side *side = ctx;
    worker_lock(side->aside.worker);
    u64map_set(&side->facts, key, value);
    worker_unlock(side->aside.worker);
}

static uint64_t get(void *ctx, uint64_t key) {
    struct side *side = ctx;
    worker_lock(side->aside.worker);
    uint64_t value = u64map_get(&side->facts, key);
    worker_unlock(side->aside.worker);
    return value;
}

static void start(struct side *side) {
    memset(side, 0, sizeof *side);
    side->aside = (struct slice_extra){side, no_name, put, get, NULL, NULL};
    for (int i = 0; i < NESTS; i++) {
        nest_init(&side->nests[i]);
        nest_buffer_init(&side->buffers[i], &side->nests[i], &side->aside);
    }
}

static void finish(struct side *side) {
    worker_free(side->aside.worker);
    for (int i = 0; i < NESTS; i++) {
        nest_buffer_free(&side->buffers[i]);
        nest_free(&side->nests[i]);
    }
    u64map_free(&side->facts);
}

static void flush(struct side *side, bool all) {
    if (side->aside.worker)
        (all ? worker_rest : worker_wait)(side->aside.worker);
    for (int i = 0; i < NESTS; i++)
        nest_buffer_flush_late(&side->buffers[i], all, NULL);
}

static void must_equal(const struct side *a, const struct side *b) {
    for (int i = 0; i < NESTS; i++) {
        const struct nest *x = &a->nests[i], *y = &b->nests[i];
        MUST(x->nlanes == y->nlanes && x->slices == y->slices && x->events == y->events &&
                 x->first == y->first && x->reach == y->reach && x->overlaps == y->overlaps &&
                 x->mismatches == y->mismatches,
             i);
        for (uint32_t row = 0; row < x->nlanes; row++) {
            MUST(x->lanes[row].n == y->lanes[row].n, i);
            for (uint32_t k = 0; k < x->lanes[row].n; k++) {
                const struct slice *s = lane_at(&x->lanes[row], k), *t = lane_at(&y->lanes[row], k);
                MUST(s->start == t->start && s->begin_word == t->begin_word &&
                         s->end_word == t->end_word,
                     i);
                MUST(slice_extra_end_offset(&a->aside, s) == slice_extra_end_offset(&b->aside, t),
                     i);
            }
        }
    }
}

/* Nested events of each nest in turn, some of them late, in steps of any size. */
START_TEST(two_threads_place_what_one_places) {
    struct side one, two;
    start(&one);
    start(&two);
    two.aside.worker = worker_new();
    int64_t time[NESTS] = {0}, began[NESTS][DEEP];
    bool complete[NESTS][DEEP];
    unsigned depth[NESTS] = {0};
    uint64_t offset = 8, events[NESTS] = {0};
    int64_t first[NESTS], last[NESTS] = {0};
    for (int i = 0; i < NESTS; i++)
        first[i] = INT64_MAX;
    for (int i = 0; i < 1200000; i++) {
        /* one nest in the long run, all of them, one that gets most */
        unsigned k = (unsigned)(i < 300000                             ? 0
                                : i < 600000 || below(&chance, 4) == 0 ? below(&chance, NESTS)
                                                                       : 1);
        enum nest_event event;
        int64_t from, to;
        time[k] += 1 + (int64_t)below(&chance, 3);
        from = to = time[k];
        if (below(&chance, 15000) == 0) { /* late */
            event = NEST_COMPLETE;
            from -= (int64_t)below(&chance, 2000);
        } else if (depth[k] > 0 && (depth[k] == DEEP || below(&chance, 2) == 0)) {
            event = complete[k][--depth[k]] ? NEST_COMPLETE : NEST_END;
            if (event == NEST_COMPLETE)
                from = began[k][depth[k]];
        } else {
            event = NEST_BEGIN;
            began[k][depth[k]] = from;
            if ((complete[k][depth[k]++] = below(&chance, 2)))
                continue; /* it is written when it ends */
        }
        uint32_t name = (uint32_t)below(&chance, 3);
        events[k]++;
        first[k] = from < first[k] ? from : first[k];
        last[k] = to > last[k] ? to : last[k];
        offset += below(&chance, 100000) == 0 ? UINT64_C(1) << 32 : 32; /* some ends are far away */
        nest_buffer_add(&one.buffers[k], event, from, to, offset, name);
        nest_buffer_add(&two.buffers[k], event, from, to, offset, name);
        if (below(&chance, 150000) == 0) {
            flush(&one, false);
            flush(&two, false);
            must_equal(&one, &two);
        }
        if (i == 600000) { /* the thread ends, and starts again */
            flush(&one, true);
            flush(&two, true);
            must_equal(&one, &two);
        }
    }
    flush(&one, true);
    flush(&two, true);
    must_equal(&one, &two);
    for (int i = 0; i < NESTS; i++)
        MUST(one.nests[i].events == events[i] && one.nests[i].first == first[i] &&
                 one.nests[i].reach == last[i],
             i);
    MUST(one.nests[0].slices > 10 * NEST_BUFFER_EVENTS &&
             one.nests[1].slices > 10 * NEST_BUFFER_EVENTS,
         0);
    finish(&one);
    finish(&two);
}
END_TEST

START_TEST(what_is_on_its_way_can_be_thrown_away) {
    struct side side;
    start(&side);
    side.aside.worker = worker_new();
    for (int i = 0; i < 30000; i++)
        nest_buffer_add(&side.buffers[i % 2], NEST_COMPLETE, i, i + 1, (uint64_t)i * 8 + 8, 1);
    finish(&side);
}
END_TEST

/* Batches of operations, points, switches and samples, of ever more threads and names. One in
 * `late` is earlier than the entries so far. */
static void write_derived(FILE *f, uint64_t late) {
    fputs("magic\ninit 1000000000\nstring 1 \"c\"\nkernel_object 2 105 \"known\" process=koid:7\n",
          f);
    for (int i = 0; i < 40000; i++) {
        unsigned thread = 100 + (unsigned)below(&chance, 3 + (uint64_t)i / 1000),
                 id = (unsigned)below(&chance, 12),
                 name = (unsigned)below(&chance, 2 + (uint64_t)i / 4000);
        long time = i * 3L;
        if (late && below(&chance, late) == 0)
            time -= (long)below(&chance, (uint64_t)i + 1) * 3;
        static const char *const kinds[] = {"begin", "end",  "end", "instant",
                                            "begin", "step", "end"};
        unsigned what = (unsigned)below(&chance, 11);
        if (what < 7)
            fprintf(f, "%s_%s %ld %u/%u s1 \"n%u\" id=%u\n", what < 4 ? "async" : "flow",
                    kinds[what], time, thread % 4, thread, name, id);
        else if (what == 7)
            fprintf(f, "counter %ld %u/%u s1 \"n%u\" v%u=i64:%d id=%u\n", time, thread % 4, thread,
                    name, id % 3, -i, id);
        else if (what == 8)
            fprintf(f, "wakeup %ld %u %u\n", time, id % 4, thread);
        else
            fprintf(f, "switch %ld %u %u %u %u%s\n", time, id % 4, thread, id % 6, 100 + name,
                    i > 20000 && id == 0 ? " incoming_weight=i32:-2147483648" : "");
    }
}

static char *exported(const char *path, uint64_t step) {
    char *text = NULL;
    size_t n;
    struct err err;
    struct trace *trace = trace_open(path, &(struct trace_options){0}, &err);
    ck_assert_msg(trace != NULL, "%s", err.text);
    while (trace_step(trace, step) != TRACE_COMPLETE)
        ;
    FILE *f = open_memstream(&text, &n);
    ck_assert(export_ndjson(trace, f));
    ck_assert_int_eq(fclose(f), 0);
    trace_free(trace);
    return text;
}

/* Durations of more threads than are placed one after the other; some overlap, some are late. */
static void write_threads(FILE *f) {
    fputs("magic\ninit 1000000000\n", f);
    for (int i = 0; i < 40000; i++) {
        unsigned thread = 100 + (unsigned)below(&chance, 700), name = (unsigned)below(&chance, 5);
        long time = 1000 + i * 3L, dur = (long)below(&chance, 9000),
             late = (long)below(&chance, 40) == 0 ? 900 : 0;
        static const char *const kinds[] = {"begin", "end"};
        unsigned what = (unsigned)below(&chance, 4);
        if (what < 2)
            fprintf(f, "%s %ld %u/%u \"c\" \"n%u\"\n", kinds[what], time - late, thread % 4, thread,
                    name);
        else
            fprintf(f, "complete %ld %u/%u \"c\" \"n%u\" end=%ld\n", time - late, thread % 4,
                    thread, name, time - late + dur);
    }
}

/* Large steps hand batches on, or the threads in groups; small ones none. The caller's text is
 * freed. */
static void steps_must_not_show(char *text) {
    char path[SCRATCH_PATH];
    struct err err;
    struct trace_bytes bytes = tracegen(text, &err);
    ck_assert_msg(bytes.v != NULL, "%s (line %d)", err.text, (int)err.at);
    ck_assert(scratch_write(path, "worker", bytes.v, bytes.n));
    char *one = exported(path, 30000), *two = exported(path, 64 << 20),
         *some = exported(path, 700000);
    ck_assert_uint_gt(strlen(one), 1000000);
    ck_assert_str_eq(one, two);
    ck_assert_str_eq(one, some);
    free(one);
    free(two);
    free(some);
    free(bytes.v);
    free(text);
    unlink(path);
}

START_TEST(what_another_thread_derives_is_what_one_does) {
    static const uint64_t lates[] = {0, 30000, 2000, 10};
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    write_derived(f, lates[_i]);
    ck_assert_int_eq(fclose(f), 0);
    steps_must_not_show(text);
}
END_TEST

START_TEST(many_threads_are_placed_by_two_as_by_one) {
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    write_threads(f);
    ck_assert_int_eq(fclose(f), 0);
    steps_must_not_show(text);
}
END_TEST

static void nothing(void *ctx, void *run) {
    (void)ctx;
    (void)run;
}

static void *spin(void *ctx) {
    while (!__atomic_load_n((const bool *)ctx, __ATOMIC_RELAXED))
        ;
    return NULL;
}

/* Also while its thread is just starting, or takes its last work.
 * With two processors, and another thread that is busy, it often begins there. */
START_TEST(a_worker_ends_at_any_time) {
    bool stop = false;
    pthread_t busy;
    ck_assert(thread_start(&busy, spin, &stop));
    for (int i = 0; i < 3000; i++) {
        struct worker *worker = worker_new();
        for (int k = 0; k < i % 3; k++)
            worker_give(worker, nothing, worker, NULL);
        for (volatile int turns = i * 30; turns > 0; turns--)
            ; /* up to 0.1 ms later */
        worker_free(worker);
    }
    __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
    pthread_join(busy, NULL);
}
END_TEST

SUITE(worker) {
    Suite *s = suite_create("worker");
    TCase *c = tcase_create("worker");
    tcase_add_test(c, two_threads_place_what_one_places);
    tcase_add_test(c, what_is_on_its_way_can_be_thrown_away);
    tcase_add_loop_test(c, what_another_thread_derives_is_what_one_does, 0, 4);
    tcase_add_test(c, many_threads_are_placed_by_two_as_by_one);
    tcase_add_test(c, a_worker_ends_at_any_time);
    suite_add_tcase(s, c);
    return s;
}
