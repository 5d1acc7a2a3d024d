/* hostile_many.c - cases of many of a kind: slices, threads, counters, flows, operations, objects,
 * CPUs, blobs.
 *
 * Ids count up, or differ in some bits alone, against hashes. */
#include "tests/system/hostile.h"

#include <inttypes.h>
#include <stdio.h>

void make_nested(struct hostile *h) {
    begin_case(h);
    writer_thread(&h->w, 1, PID, TID);
    writer_string(&h->w, 1, STR("deep"));
    for (uint64_t i = 0; i < h->n; i++) {
        struct writer_event e = event(h, "");
        e.thread = (struct writer_thread){.index = 1};
        e.name = e.category = writer_index(1);
        writer_begin(&h->w, &e);
    }
}

void make_nested_ended(struct hostile *h) { /* half of them begins, then as many ends */
    uint64_t n = h->n / 2;
    h->n = n;
    make_nested(h);
    for (uint64_t i = 0; i < n; i++) {
        struct writer_event e = event(h, "");
        e.thread = (struct writer_thread){.index = 1};
        e.name = e.category = writer_index(1);
        writer_end(&h->w, &e);
    }
}

/* Events of one kind, each of another id (or of one id, spread over threads). */
static void many(struct hostile *h, enum fxt_event type, uint64_t (*id)(uint64_t i), bool threads) {
    struct writer_argument value = writer_number(FXT_ARG_UINT64, text("v"), 1);
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++) {
        struct writer_event e = event(h, "m");
        if (threads)
            e.thread = writer_inline_thread(id(i), id(i + h->n));
        if (type == FXT_COUNTER) {
            e.args = list(&value, 1);
            writer_counter(&h->w, &e, id(i));
        } else if (type >= FXT_FLOW_BEGIN) {
            writer_flow(&h->w, type, &e, id(i));
        } else if (type >= FXT_ASYNC_BEGIN) {
            writer_async(&h->w, type, &e, id(i));
        } else {
            writer_instant(&h->w, &e);
        }
    }
}

static uint64_t in_turn(uint64_t i) {
    return i + 1;
}
static uint64_t high_bits(uint64_t i) { /* differ in their upper half alone */
    return (i + 1) << 32;
}
static uint64_t highest_bits(uint64_t i) {
    return (i + 1) << 44 | 1;
}
static uint64_t inverse(uint64_t i) { /* number whose product with the golden ratio is i + 1 */
    return (i + 1) * UINT64_C(0xF1DE83E19937733D);
}
static uint64_t same(uint64_t i) {
    (void)i;
    return 1;
}

void make_threads(struct hostile *h) {
    many(h, FXT_INSTANT, in_turn, true);
}
void make_counters(struct hostile *h) {
    many(h, FXT_COUNTER, in_turn, false);
}
void make_flows(struct hostile *h) {
    many(h, FXT_FLOW_BEGIN, in_turn, false);
}
void make_asyncs(struct hostile *h) {
    many(h, FXT_ASYNC_BEGIN, in_turn, false);
}
void make_threads_high(struct hostile *h) {
    many(h, FXT_INSTANT, high_bits, true);
}
void make_threads_highest(struct hostile *h) {
    many(h, FXT_INSTANT, highest_bits, true);
}
void make_threads_inverse(struct hostile *h) {
    many(h, FXT_INSTANT, inverse, true);
}
void make_counters_high(struct hostile *h) {
    many(h, FXT_COUNTER, high_bits, false);
}
void make_flows_high(struct hostile *h) {
    many(h, FXT_FLOW_BEGIN, high_bits, false);
}
void make_flows_inverse(struct hostile *h) {
    many(h, FXT_FLOW_BEGIN, inverse, false);
}
void make_asyncs_high(struct hostile *h) {
    many(h, FXT_ASYNC_BEGIN, highest_bits, false);
}
void make_async_deep(struct hostile *h) {
    many(h, FXT_ASYNC_BEGIN, same, false);
}
void make_async_strays(struct hostile *h) {
    many(h, FXT_ASYNC_END, same, false);
}
void make_flow_steps(struct hostile *h) {
    many(h, FXT_FLOW_STEP, same, false);
}
void make_flow_begins(struct hostile *h) {
    many(h, FXT_FLOW_BEGIN, same, false);
}

void make_async_ended(struct hostile *h) { /* one id, n open, ended first to last by name */
    char name[32];
    begin_case(h);
    for (int ends = 0; ends < 2; ends++)
        for (uint64_t i = 0; i < h->n / 2; i++) {
            snprintf(name, sizeof name, "a%" PRIu64, i);
            struct writer_event e = event(h, name);
            writer_async(&h->w, ends ? FXT_ASYNC_END : FXT_ASYNC_BEGIN, &e, 1);
        }
}

/* one id open in n categories, then points of none of them */
void make_flow_categories(struct hostile *h) {
    char name[32];
    begin_case(h);
    for (uint64_t i = 0; i < h->n / 2; i++) {
        snprintf(name, sizeof name, "c%" PRIu64, i);
        struct writer_event e = event(h, "f");
        e.category = text(name);
        writer_flow(&h->w, FXT_FLOW_BEGIN, &e, 1);
    }
    for (uint64_t i = 0; i < h->n / 2; i++) {
        struct writer_event e = event(h, "f");
        e.category = text("other");
        writer_flow(&h->w, FXT_FLOW_STEP, &e, 1);
    }
}

void make_objects(struct hostile *h) {
    char name[32];
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++) {
        struct writer_argument args[1] = {writer_number(FXT_ARG_KOID, text("process"), i)};
        snprintf(name, sizeof name, "o%" PRIu64, i);
        writer_kernel_object(&h->w, 1 + i % 5, (i + 1) << 20, text(name), list(args, 1));
    }
    plain(h);
}

void make_renamed(struct hostile *h) { /* the same thread, object and pointer under new names */
    char name[32];
    begin_case(h);
    for (uint64_t i = 0; i < h->n / 3; i++) {
        struct writer_argument args[1] = {writer_number(FXT_ARG_KOID, text("process"), PID)};
        snprintf(name, sizeof name, "o%" PRIu64, i);
        writer_kernel_object(&h->w, FXT_OBJECT_THREAD, TID, text(name), list(args, 1));
        writer_kernel_object(&h->w, FXT_OBJECT_PROCESS, PID, text(name), list(NULL, 0));
        writer_userspace_object(&h->w, 0x1000, writer_inline_thread(PID, TID), text(name),
                                list(NULL, 0));
    }
    struct writer_argument args[2] = {writer_number(FXT_ARG_KOID, text("k"), TID),
                                      writer_number(FXT_ARG_POINTER, text("p"), 0x1000)};
    struct writer_event e = event(h, "named");
    e.args = list(args, 2);
    writer_complete(&h->w, &e, e.ts + 100);
}

void make_cpus(struct hostile *h) {
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++) {
        struct writer_switch sw = {.ts = h->ts += 1000,
                                   .cpu = (unsigned)(i % 65536),
                                   .out_state = (unsigned)(i % 16),
                                   .out_tid = TID + i,
                                   .in_tid = TID + i + 1};
        writer_switch(&h->w, &sw);
    }
}

void make_legacy_cpus(struct hostile *h) { /* 256 of them, unknown states */
    begin_case(h);
    for (unsigned i = 0; i < 1024; i++) {
        struct writer_switch sw = {.ts = h->ts += 1000,
                                   .cpu = i % 256,
                                   .out_state = i % 16,
                                   .out = writer_inline_thread(PID, TID),
                                   .in = writer_inline_thread(PID, TID + i)};
        writer_switch_legacy(&h->w, &sw);
    }
}

/* one thread, by itself and others, and switches at the same time */
void make_wakeups(struct hostile *h) {
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++) {
        struct writer_argument waker[1] = {writer_number(FXT_ARG_KOID, text("waker"), TID + i % 3)};
        struct writer_switch sw = {.ts = h->ts,
                                   .cpu = (unsigned)(i % 7),
                                   .out_state = (unsigned)(i % 16),
                                   .out_tid = TID + i % 5,
                                   .in_tid = TID + (i + 1) % 5};
        writer_wakeup(&h->w, h->ts, 1, TID, list(waker, 1));
        writer_switch(&h->w, &sw);
        h->ts += i % 2 * 1000;
    }
}

/* a process each, which runs once, leaves a slice open and is dead */
void make_deaths(struct hostile *h) {
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++) {
        struct writer_switch sw = {.ts = h->ts,
                                   .cpu = 1,
                                   .out_state = 4 + (unsigned)(i % 2),
                                   .out_tid = TID + i,
                                   .in_tid = TID + i + 1};
        struct writer_event e = {.ts = h->ts + 10,
                                 .thread = writer_inline_thread(PID + i, TID + i + 1),
                                 .category = text("c"),
                                 .name = text("exit_group")};
        writer_switch(&h->w, &sw);
        writer_begin(&h->w, &e);
        h->ts += 1000;
    }
}

void make_logs(struct hostile *h) {
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++)
        writer_log(&h->w, h->ts, writer_inline_thread(PID, TID), STR("said at one time"));
}

void make_blobs(struct hostile *h) { /* chunks of many names, no two of one name in a row */
    char name[32];
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++) {
        snprintf(name, sizeof name, "b%" PRIu64, i * 7919 % 1000);
        writer_blob(&h->w, text(name), 1 + i % 4, STR("chunk"));
        if (i % 16 == 0)
            writer_large_attachment(&h->w, text("c"), text(name), STR("large"));
    }
}

void make_blob_names(struct hostile *h) {
    char name[32];
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++) {
        snprintf(name, sizeof name, "b%" PRIu64, i);
        writer_blob(&h->w, text(name), FXT_BLOB_DATA, STR("x"));
    }
}

void make_profile(struct hostile *h) {
    uint64_t pcs[3] = {1, 2, 3};
    begin_case(h);
    for (uint64_t i = 0; i < h->n / 3; i++) {
        struct writer_thread t = writer_inline_thread(PID, TID);
        writer_module(&h->w, h->ts += 10, t, (unsigned)(i % 65536), STR("libc.so"),
                      STR("\1\2\3\4"));
        writer_mmap(&h->w, h->ts += 10, t,
                    &(struct writer_mapping){(unsigned)(i % 65536), 7, i << 12, UINT64_MAX,
                                             UINT64_MAX - i});
        writer_backtrace(&h->w, h->ts += 10, t, pcs, 3);
    }
}
