/* suite_write.c - the library's write path against the manager's readout, in one process.
 *
 * Threads write numbered events. This thread is helper and manager: it waits for writers to leave a
 * half, saves it or frees it, and reads while they write. Each thread's sequence comes out as it
 * went in, without the events that were dropped. Under TSan the same runs show that no access is a
 * race. */
#include "provider/write.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "provider/lib/trace/event.h"
#include "provider/names.h"
#include "record/readout.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

#define THREADS 3
#define LONG_TEXT 700 /* bytes: more than a small chunk has */

static uint32_t generation = 1;
static unsigned events;
static int threads_run;

static void *write_events(void *number) {
    char text[LONG_TEXT] = "";
    int thread = (int)(intptr_t)number;
    for (unsigned i = 0; i < events; i++) {
        TRACE_INSTANT("c", "n", TRACE_SCOPE_THREAD, "i", TA_UINT32(i), "k", TA_INT32(thread));
        if (i % 64 == 0) {
            memset(text, 'x', sizeof text - 1);
            TRACE_INSTANT("c", "long", TRACE_SCOPE_THREAD, "text", TA_STRING(text));
        }
        if (i % 512 == 0)
            sched_yield();
    }
    __atomic_sub_fetch(&threads_run, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

struct seen {
    uint32_t next[THREADS], came[THREADS];
    bool ordered;
    uint64_t others;
};

/* The arguments "i" and "k" are the third and fourth word of an event of an indexed thread, else
 * two words later. */
static void look(struct seen *seen, const struct readout_news *news) {
    for (size_t at = 0; at < news->rolling.n;) {
        const uint64_t *r = news->rolling.v + at;
        size_t n = r[0] >> 4 & 0xfff, args = 2 + (r[0] >> 24 & 0xff ? 0 : 2);
        ck_assert(n > 0 && n <= news->rolling.n - at);
        if ((r[0] & 15) == 4 && (r[0] >> 20 & 15) == 2) {
            uint32_t i = (uint32_t)(r[args] >> 32), thread = (uint32_t)(r[args + 1] >> 32);
            ck_assert_uint_lt(thread, THREADS);
            seen->ordered = seen->ordered && i >= seen->next[thread];
            seen->next[thread] = i + 1;
            seen->came[thread]++;
        } else {
            seen->others++;
        }
        at += n;
    }
}

static void take_all(struct readout *r, struct seen *seen) {
    struct readout_news news = {0};
    for (bool more = true; more;) {
        more = readout_step(r, &news);
        look(seen, &news);
        news.durable.n = news.rolling.n = 0;
    }
    readout_news_free(&news);
}

/* The work of helper and manager for a wrap that threads have left. */
static void handle(struct readout *r, struct seen *seen, uint32_t *handled) {
    struct err err;
    if (write_buffer.mode == WIRE_CIRCULAR) {
        write_free_half();
        return;
    }
    if (*handled >= __atomic_load_n(&write_buffer.wrap, __ATOMIC_SEQ_CST) ||
        !write_quiesce(*handled, 100))
        return;
    if (write_buffer.mode == WIRE_STREAMING) {
        uint64_t durable = __atomic_load_n(&write_buffer.header->durable_end, __ATOMIC_ACQUIRE);
        ck_assert_msg(readout_save(r, *handled, durable, &err), "%s", err.text);
        take_all(r, seen);
    }
    write_half_is_free((*handled)++);
}

static void begin(void *bytes, uint64_t size, enum wire_mode mode) {
    memset(bytes, 0, size);
    write_layout(bytes, size, mode);
    write_buffer.epoch++;
    write_start(WIRE_CLEAR_ALL);
    names_session(1000000000);
    write_buffer.generation = ++generation;
    __atomic_store_n(&fxttrace_generation, generation, __ATOMIC_SEQ_CST);
}

/* Writers at work, read at the same time; returns the events that were read. */
static struct seen run(void *bytes, uint64_t size, enum wire_mode mode, uint64_t *dropped) {
    struct seen seen = {.ordered = true};
    struct readout r;
    struct err err;
    pthread_t threads[THREADS];
    uint32_t handled = 0;
    begin(bytes, size, mode);
    ck_assert_msg(readout_open(&r, bytes, size, (int)mode, false, &err), "%s", err.text);
    r.saved_known = true;
    threads_run = THREADS;
    for (intptr_t k = 0; k < THREADS; k++)
        pthread_create(&threads[k], NULL, write_events, (void *)k);
    while (__atomic_load_n(&threads_run, __ATOMIC_SEQ_CST) > 0) {
        if (mode != WIRE_CIRCULAR) {
            readout_begin(&r, READOUT_NOW);
            take_all(&r, &seen);
        }
        if (mode != WIRE_ONESHOT)
            handle(&r, &seen, &handled);
        sched_yield();
    }
    for (int k = 0; k < THREADS; k++)
        pthread_join(threads[k], NULL);
    __atomic_store_n(&fxttrace_generation, 0, __ATOMIC_SEQ_CST);
    ck_assert(write_quiesce(WRITE_ALL, 1000));
    write_stop();
    readout_begin(&r, READOUT_STOPPED);
    take_all(&r, &seen);
    ck_assert_uint_eq(r.faults, 0);
    *dropped = readout_dropped(&r);
    readout_close(&r);
    return seen;
}

START_TEST(threads_in_all_modes_lose_only_what_is_counted) {
    static const uint64_t sizes[] = {16384, 65536, 1 << 20};
    write_init();
    for (int set = 0; set < 27; set++) {
        enum wire_mode mode = (enum wire_mode)(set % 3);
        uint64_t size = sizes[set / 3 % 3], dropped, came = 0;
        void *bytes = malloc(size);
        events = set < 9 ? 100 : 3000;
        struct seen seen = run(bytes, size, mode, &dropped);
        MUST(seen.ordered, set);
        for (int k = 0; k < THREADS; k++)
            came += seen.came[k];
        if (mode != WIRE_CIRCULAR)
            MUST(came + seen.others + dropped == THREADS * ((uint64_t)events + (events + 63) / 64),
                 set, (int)came, (int)dropped);
        if (set < 9 && size == sizes[2])
            MUST(came == THREADS * (uint64_t)events, set, (int)came);
        free(bytes);
    }
}
END_TEST

/* Reads the buffer after the end of its writers. */
static struct seen finish(struct readout *r, uint64_t *dropped) {
    struct seen seen = {.ordered = true};
    __atomic_store_n(&fxttrace_generation, 0, __ATOMIC_SEQ_CST);
    ck_assert(write_quiesce(WRITE_ALL, 1000));
    write_stop();
    readout_begin(r, READOUT_STOPPED);
    take_all(r, &seen);
    ck_assert_uint_eq(r->faults, 0);
    *dropped = readout_dropped(r);
    readout_close(r);
    return seen;
}

START_TEST(names_of_32_kilobytes_are_cut_or_counted) {
    static const uint64_t sizes[] = {4096, 65536, 1 << 20};
    static char name[32769];
    memset(name, 'n', sizeof name - 1);
    write_init();
    for (int set = 0; set < 9; set++) {
        uint64_t size = sizes[set / 3], dropped;
        void *bytes = malloc(size);
        struct readout r;
        struct err err;
        begin(bytes, size, (enum wire_mode)(set % 3));
        ck_assert(readout_open(&r, bytes, size, set % 3, false, &err));
        r.saved_known = true;
        for (int i = 0; i < 3; i++)
            TRACE_INSTANT("c", name, TRACE_SCOPE_THREAD);
        TRACE_INSTANT("c", "short", TRACE_SCOPE_THREAD);
        TRACE_INSTANT(name, name, TRACE_SCOPE_THREAD); /* both do not fit into a record */
        struct seen seen = finish(&r, &dropped);
        MUST(seen.others + dropped == 5, set, (int)seen.others, (int)dropped);
        MUST(seen.others == (size == 1 << 20 ? 4 : 1), set, (int)seen.others);
        free(bytes);
    }
}
END_TEST

START_TEST(a_flight_recorder_keeps_the_last_events_though_its_helper_does_not_run) {
    static const uint64_t sizes[] = {16384, 65536, 1 << 20};
    write_init();
    events = 40000;
    for (int set = 0; set < 3; set++) {
        void *bytes = malloc(sizes[set]);
        uint64_t dropped;
        struct readout r;
        struct err err;
        begin(bytes, sizes[set], WIRE_CIRCULAR);
        ck_assert(readout_open(&r, bytes, sizes[set], WIRE_CIRCULAR, false, &err));
        write_events(0);
        struct seen seen = finish(&r, &dropped);
        MUST(dropped == 0 && seen.ordered && seen.next[0] == events, set, (int)dropped);
        MUST(seen.came[0] > sizes[set] / 256, set, (int)seen.came[0]);
        free(bytes);
    }
}
END_TEST

/* ---- losses ---- */

enum { DEPTH = 4, LOSSES = 40 };

struct nesting {           /* of one thread, as its records come in file order */
    uint64_t last;         /* time */
    uint64_t names[DEPTH]; /* of the open slices: references */
    unsigned depth, cut;
    bool ordered, matches;
};

static void nest(struct nesting *n, const struct readout_news *news) {
    for (size_t at = 0; at < news->rolling.n; at += news->rolling.v[at] >> 4 & 0xfff) {
        const uint64_t *r = news->rolling.v + at;
        unsigned type = r[0] >> 16 & 15;
        bool cut = (r[0] >> 20 & 15) == 1; /* it has the argument cut_by_loss, and no name */
        n->ordered = n->ordered && r[1] >= n->last;
        n->last = r[1];
        if (type == 2) {
            n->matches = n->matches && n->depth < DEPTH;
            n->names[n->depth++ % DEPTH] = r[0] >> 48;
        } else if (type == 3) {
            n->matches = n->matches && n->depth > 0 &&
                         (cut || r[0] >> 48 == n->names[(n->depth - 1) % DEPTH]);
            n->depth -= n->depth > 0;
            n->cut += cut;
        }
    }
}

static void take_nested(struct readout *r, struct nesting *n) {
    struct readout_news news = {0};
    for (bool more = true; more;) {
        more = readout_step(r, &news);
        nest(n, &news);
        news.durable.n = news.rolling.n = 0;
    }
    readout_news_free(&news);
}

/* Slices in slices, some of them with begin and end apart, until records are dropped. */
static void write_until_dropped(unsigned inner) {
    uint64_t dropped = write_buffer.header->dropped;
    while (write_buffer.header->dropped < dropped + 50) {
        TRACE_DURATION("c", "a");
        for (unsigned i = 0; i < inner; i++) {
            TRACE_DURATION("c", "b", "i", TA_UINT32(i));
            TRACE_DURATION_BEGIN("c", "d");
            { TRACE_DURATION("c", "e"); }
            TRACE_DURATION_END("c", "d");
        }
    }
}

/* The work of helper and manager: one thread, so no writer is inside. */
static void save_halves(struct readout *r, struct nesting *n, uint32_t *handled) {
    struct err err;
    while (*handled < write_buffer.wrap) {
        ck_assert(write_quiesce(*handled, 100));
        ck_assert_msg(readout_save(r, *handled, write_buffer.header->durable_end, &err), "%s",
                      err.text);
        take_nested(r, n);
        write_half_is_free((*handled)++);
    }
}

START_TEST(after_a_loss_a_thread_goes_on_in_order_and_the_slices_that_were_cut_are_marked) {
    static uint64_t bytes[2048];
    struct nesting n = {.ordered = true, .matches = true};
    struct readout r;
    struct err err;
    uint32_t handled = 0;
    write_init();
    begin(bytes, sizeof bytes, WIRE_STREAMING);
    ck_assert(readout_open(&r, bytes, sizeof bytes, WIRE_STREAMING, false, &err));
    r.saved_known = true;
    for (unsigned loss = 0; loss < LOSSES; loss++) {
        write_until_dropped(1 + loss % 5);
        save_halves(&r, &n, &handled);
    }
    __atomic_store_n(&fxttrace_generation, 0, __ATOMIC_SEQ_CST);
    ck_assert(write_quiesce(WRITE_ALL, 1000));
    write_stop();
    readout_begin(&r, READOUT_STOPPED);
    take_nested(&r, &n);
    ck_assert(n.ordered && n.matches);
    ck_assert_uint_ge(n.cut, LOSSES / 2); /* a loss may begin between two slices */
    readout_close(&r);
}
END_TEST

/* Begins slices in slices until some are dropped, and leaves them all. */
static void flood(unsigned depth) {
    TRACE_DURATION("c", "deep");
    if (depth > 1)
        flood(depth - 1);
    else
        for (uint64_t dropped = write_buffer.header->dropped;
             write_buffer.header->dropped < dropped + 50;)
            TRACE_INSTANT("c", "n", TRACE_SCOPE_THREAD);
}

static void *flood_and_exit(void *depth) {
    flood((unsigned)(uintptr_t)depth);
    return NULL;
}

/* An exited thread pays once there is space, and one that lives at the stop. */
START_TEST(the_ends_owed_by_a_thread_are_written_after_its_exit_or_at_the_stop) {
    static uint64_t bytes[2048];
    for (unsigned depth = 1; depth <= DEPTH; depth++) {
        struct nesting exited = {.ordered = true, .matches = true}, lives = exited;
        struct readout r;
        struct err err;
        uint32_t handled = 0;
        pthread_t thread;
        write_init();
        begin(bytes, sizeof bytes, WIRE_STREAMING);
        ck_assert(readout_open(&r, bytes, sizeof bytes, WIRE_STREAMING, false, &err));
        r.saved_known = true;
        pthread_create(&thread, NULL, flood_and_exit, (void *)(uintptr_t)depth);
        pthread_join(thread, NULL);
        uint64_t dropped = write_buffer.header->dropped;
        ck_assert(!write_pay(false)); /* there is no space */
        ck_assert_uint_eq(write_buffer.header->dropped, dropped);
        save_halves(&r, &exited, &handled);
        ck_assert(write_pay(false));
        save_halves(&r, &exited, &handled);
        flood(depth);
        ck_assert(!write_pay_own());
        save_halves(&r, &lives, &handled); /* with the ends of the other one: they come first */
        __atomic_store_n(&fxttrace_generation, 0, __ATOMIC_SEQ_CST);
        ck_assert(write_quiesce(WRITE_ALL, 1000));
        ck_assert(write_pay(true));
        write_stop();
        readout_begin(&r, READOUT_STOPPED);
        take_nested(&r, &lives);
        ck_assert_uint_eq(exited.cut + lives.cut, 2 * depth);
        ck_assert_uint_eq(exited.depth, lives.cut - depth);
        readout_close(&r);
    }
}
END_TEST

static pthread_key_t key;

static void write_at_exit(void *value) {
    TRACE_INSTANT("c", "exit", TRACE_SCOPE_THREAD);
    (void)value;
}

static void *write_and_exit(void *unused) {
    pthread_setspecific(key, &key);
    for (int i = 0; i < 5; i++)
        TRACE_INSTANT("c", "n", TRACE_SCOPE_THREAD);
    return unused;
}

START_TEST(threads_that_exit_lose_nothing) {
    enum { ROUNDS = 100 };
    uint64_t size = 8 << 20, dropped;
    void *bytes = malloc(size);
    struct readout r;
    struct err err;
    write_init();
    ck_assert_int_eq(pthread_key_create(&key, write_at_exit), 0);
    begin(bytes, size, WIRE_ONESHOT);
    ck_assert(readout_open(&r, bytes, size, WIRE_ONESHOT, false, &err));
    for (int i = 0; i < ROUNDS; i++) {
        pthread_t threads[THREADS];
        for (int k = 0; k < THREADS; k++)
            pthread_create(&threads[k], NULL, write_and_exit, NULL);
        for (int k = 0; k < THREADS; k++)
            pthread_join(threads[k], NULL);
    }
    struct seen seen = finish(&r, &dropped);
    ck_assert_uint_eq(seen.others, ROUNDS * THREADS * 6);
    ck_assert_uint_eq(dropped, 0);
    pthread_key_delete(key);
    free(bytes);
}
END_TEST

static void interrupt(int signal) {
    (void)signal;
    TRACE_INSTANT("c", "handler", TRACE_SCOPE_THREAD);
}

START_TEST(events_in_signal_handlers_are_written_or_counted) {
    uint64_t size = 1 << 20, dropped = 0;
    void *bytes = malloc(size);
    struct seen seen = {.ordered = true};
    struct readout r;
    struct err err;
    unsigned raised = 0;
    signal(SIGUSR2, interrupt);
    write_init();
    begin(bytes, size, WIRE_ONESHOT);
    ck_assert(readout_open(&r, bytes, size, WIRE_ONESHOT, false, &err));
    for (uint32_t i = 0; i < 200; i++) {
        TRACE_INSTANT("c", "n", TRACE_SCOPE_THREAD, "i", TA_UINT32(i), "k", TA_INT32(0));
        raise(SIGUSR2);
        raised++;
    }
    __atomic_store_n(&fxttrace_generation, 0, __ATOMIC_SEQ_CST);
    ck_assert(write_quiesce(WRITE_ALL, 1000));
    write_stop();
    readout_begin(&r, READOUT_STOPPED);
    take_all(&r, &seen);
    dropped = readout_dropped(&r);
    ck_assert_uint_eq(seen.came[0], 200);
    ck_assert_uint_eq(seen.others + dropped, raised);
    readout_close(&r);
    free(bytes);
}
END_TEST

/* Off, the buffer may be unmapped, and an event that comes is none of the session's. */
START_TEST(a_handler_counts_its_event_as_dropped_only_while_tracing_is_on) {
    uint64_t size = 65536;
    void *bytes = malloc(size);
    uint32_t now, interrupted;
    write_init();
    begin(bytes, size, WIRE_ONESHOT);
    struct write_node *node = write_enter(&interrupted);
    ck_assert_ptr_nonnull(node);
    ck_assert_ptr_null(write_enter(&now));
    ck_assert_uint_eq(write_buffer.header->dropped, 1);
    __atomic_store_n(&fxttrace_generation, 0, __ATOMIC_SEQ_CST);
    ck_assert_ptr_null(write_enter(&now));
    ck_assert_uint_eq(write_buffer.header->dropped, 1);
    ck_assert_uint_eq(node->busy, 1); /* the interrupted event leaves by itself */
    write_leave(node);
    ck_assert(write_quiesce(WRITE_ALL, 1000));
    write_stop();
    free(bytes);
}
END_TEST

SUITE(write) {
    Suite *s = suite_create("write");
    TCase *c = tcase_create("write");
    tcase_set_timeout(c, 240);
    tcase_add_test(c, threads_in_all_modes_lose_only_what_is_counted);
    tcase_add_test(c, a_flight_recorder_keeps_the_last_events_though_its_helper_does_not_run);
    tcase_add_test(c, names_of_32_kilobytes_are_cut_or_counted);
    tcase_add_test(c,
                   after_a_loss_a_thread_goes_on_in_order_and_the_slices_that_were_cut_are_marked);
    tcase_add_test(c, the_ends_owed_by_a_thread_are_written_after_its_exit_or_at_the_stop);
    tcase_add_test(c, threads_that_exit_lose_nothing);
    tcase_add_test(c, events_in_signal_handlers_are_written_or_counted);
    tcase_add_test(c, a_handler_counts_its_event_as_dropped_only_while_tracing_is_on);
    suite_add_tcase(s, c);
    return s;
}
