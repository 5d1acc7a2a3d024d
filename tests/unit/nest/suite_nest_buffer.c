/* suite_nest_buffer.c - event buffers grow, go to the worker full or in parts, and are released;
 * packed events. */
#include "model/nest/nest_buffer.h"

#include <pthread.h>
#include <stdatomic.h>

#include "src/base/thread.h"
#include "tests/unit/lib/suites.h"

struct fixture {
    struct slice_extra extra;
    struct nest nest;
    struct nest_buffer buffer;
    int64_t time; /* of the next event */
};

static void start(struct fixture *f, struct worker *worker) {
    *f = (struct fixture){.extra = {.worker = worker}};
    nest_init(&f->nest);
    nest_buffer_init(&f->buffer, &f->nest, &f->extra);
}

static void finish(struct fixture *f) {
    worker_free(f->extra.worker);
    nest_buffer_free(&f->buffer);
    nest_free(&f->nest);
}

static void add(struct fixture *f, unsigned n) {
    for (; n > 0; n--, f->time++)
        nest_buffer_add(&f->buffer, NEST_COMPLETE, f->time, f->time + 1, (uint64_t)f->time * 8 + 8,
                        1);
}

/* With hundreds of threads no buffer would be full before the end of most traces. */
START_TEST(a_worker_without_work_gets_a_buffer_that_is_not_full) {
    struct fixture f;
    start(&f, worker_new());
    add(&f, 1000);
    worker_wait(f.extra.worker);
    ck_assert(!thread_worthwhile() || f.nest.events > 0);
    ck_assert_uint_lt(f.nest.events, 1000);
    nest_buffer_flush_late(&f.buffer, true, NULL);
    ck_assert_uint_eq(f.nest.events, 1000);
    finish(&f);
}
END_TEST

struct hold {
    pthread_mutex_t lock;
    atomic_bool began;
};

static void wait_for(void *ctx, void *none) {
    struct hold *hold = ctx;
    (void)none;
    atomic_store(&hold->began, true);
    pthread_mutex_lock(&hold->lock);
    pthread_mutex_unlock(&hold->lock);
}

/* While the worker waits for this test, buffers wait for the worker. */
START_TEST(a_worker_with_little_work_gets_a_buffer_of_a_quarter) {
    struct hold hold = {PTHREAD_MUTEX_INITIALIZER, false};
    struct fixture f;
    start(&f, worker_new());
    if (thread_worthwhile()) { /* else there is no worker */
        pthread_mutex_lock(&hold.lock);
        worker_give(f.extra.worker, wait_for, &hold, NULL);
        while (!atomic_load(&hold.began))
            ;
        add(&f, 2048);
        ck_assert_uint_eq(nest_buffer_count(&f.buffer), 2048);
        add(&f, 1);
        ck_assert_uint_eq(nest_buffer_count(&f.buffer), 1);
        for (int i = 0; i < 4; i++)
            worker_give(f.extra.worker, wait_for, &hold, NULL);
        ck_assert(!worker_has_little(f.extra.worker));
        add(&f, NEST_BUFFER_EVENTS - 1);
        ck_assert_uint_eq(nest_buffer_count(&f.buffer), NEST_BUFFER_EVENTS);
        pthread_mutex_unlock(&hold.lock);
        worker_wait(f.extra.worker);
        nest_buffer_flush_late(&f.buffer, true, NULL);
        ck_assert_uint_eq(f.nest.events, 2048 + NEST_BUFFER_EVENTS);
    }
    finish(&f);
}
END_TEST

START_TEST(a_buffer_without_a_worker_is_nested_when_it_is_full) {
    struct fixture f;
    start(&f, NULL);
    add(&f, NEST_BUFFER_EVENTS);
    ck_assert_uint_eq(f.nest.events, 0);
    add(&f, 1);
    ck_assert_uint_eq(f.nest.events, NEST_BUFFER_EVENTS);
    nest_buffer_flush(&f.buffer);
    ck_assert_uint_eq(f.nest.slices, NEST_BUFFER_EVENTS + 1);
    finish(&f);
}
END_TEST

static void add_packed(struct fixture *f, int64_t dur) {
    struct duration event =
        nest_buffer_event(NEST_COMPLETE, f->time, f->time + dur, (uint64_t)f->time * 8 + 8, 1);
    nest_buffer_add_packed(&f->buffer, &event);
    f->time += dur;
}

START_TEST(packed_events_are_nested_when_there_are_many) {
    struct fixture f;
    start(&f, NULL);
    while (f.time < NEST_CHUNKS_ENTRIES)
        add_packed(&f, 1);
    ck_assert_uint_eq(f.nest.events, 0);
    ck_assert_uint_eq(nest_buffer_count(&f.buffer), NEST_CHUNKS_ENTRIES);
    add_packed(&f, INT64_C(1) << 40);
    ck_assert_uint_eq(f.nest.events, NEST_CHUNKS_ENTRIES);
    add_packed(&f, 1);
    nest_buffer_flush(&f.buffer);
    ck_assert_uint_eq(f.nest.slices, NEST_CHUNKS_ENTRIES + 2);
    ck_assert_uint_eq(nest_buffer_count(&f.buffer), 0);
    ck_assert_uint_eq(nest_rows(&f.nest), 1);
    finish(&f);
}
END_TEST

/* While input follows: many threads with few events each would keep a block of 192 kB. */
START_TEST(a_flush_releases_a_buffer_that_is_large_for_its_thread) {
    struct fixture f;
    start(&f, NULL);
    add(&f, 100);
    ck_assert(nest_buffer_flush_late(&f.buffer, false, NULL));
    ck_assert_ptr_nonnull(f.buffer.v);
    add(&f, 600);
    ck_assert(nest_buffer_flush_late(&f.buffer, false, NULL));
    ck_assert_ptr_null(f.buffer.v);
    add(&f, 6 * NEST_BUFFER_EVENTS);
    ck_assert(nest_buffer_flush_late(&f.buffer, false, NULL));
    ck_assert_ptr_null(f.buffer.v);
    add(&f, NEST_BUFFER_EVENTS);
    ck_assert(nest_buffer_flush_late(&f.buffer, false, NULL));
    ck_assert_ptr_nonnull(f.buffer.v);
    ck_assert(nest_buffer_flush_late(&f.buffer, true, NULL));
    ck_assert_ptr_null(f.buffer.v);
    ck_assert_uint_eq(f.nest.slices, 700 + 7 * NEST_BUFFER_EVENTS);
    finish(&f);
}
END_TEST

SUITE(nest_buffer) {
    Suite *s = suite_create("nest_buffer");
    TCase *c = tcase_create("nest_buffer");
    tcase_add_test(c, a_worker_without_work_gets_a_buffer_that_is_not_full);
    tcase_add_test(c, a_worker_with_little_work_gets_a_buffer_of_a_quarter);
    tcase_add_test(c, a_buffer_without_a_worker_is_nested_when_it_is_full);
    tcase_add_test(c, packed_events_are_nested_when_there_are_many);
    tcase_add_test(c, a_flush_releases_a_buffer_that_is_large_for_its_thread);
    suite_add_tcase(s, c);
    return s;
}
