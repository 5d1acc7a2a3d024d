/* hostile_times.c - cases of contents of events: times, slices, flows, counters, koids and
 * arguments.
 *
 * Times are equal, far apart, saturate or go back. Slices overlap, and values are at the limits of
 * their types. */
#include "tests/system/hostile.h"

/* ---- times ---- */

void make_one_time(struct hostile *h) {
    struct writer_argument value = writer_number(FXT_ARG_INT64, text("v"), 1);
    begin_case(h);
    uint64_t ts = h->ts;
    for (uint64_t i = 0; i < h->n; i++) {
        struct writer_event e = event(h, "same");
        e.ts = ts;
        switch (i % 9) {
        case 0:
            writer_begin(&h->w, &e);
            break;
        case 1:
            writer_complete(&h->w, &e, ts);
            break;
        case 2:
            writer_complete(&h->w, &e, ts + 1000);
            break;
        case 3:
            writer_end(&h->w, &e);
            break;
        case 4:
            writer_instant(&h->w, &e);
            break;
        case 5:
            e.args = list(&value, 1);
            writer_counter(&h->w, &e, 0);
            break;
        case 6:
            writer_flow(&h->w, (enum fxt_event)(FXT_FLOW_BEGIN + i / 9 % 3), &e, 1);
            break;
        case 7:
            writer_async(&h->w, (enum fxt_event)(FXT_ASYNC_BEGIN + i / 9 % 3), &e, 1);
            break;
        default:
            writer_log(&h->w, ts, e.thread, STR("same"));
            break;
        }
    }
}

static void everything_at(struct hostile *h, uint64_t ts, uint64_t end) {
    struct writer_argument value = writer_number(FXT_ARG_INT64, text("v"), ts);
    struct writer_event e = event(h, "far");
    e.ts = ts;
    writer_instant(&h->w, &e);
    writer_complete(&h->w, &e, end);
    writer_begin(&h->w, &e);
    writer_async(&h->w, FXT_ASYNC_BEGIN, &e, ts);
    writer_flow(&h->w, FXT_FLOW_BEGIN, &e, 1);
    writer_log(&h->w, ts, e.thread, STR("far"));
    struct writer_switch sw = {.ts = ts, .cpu = 1, .out_tid = TID, .in_tid = TID + 1};
    writer_switch(&h->w, &sw);
    e.args = list(&value, 1);
    writer_counter(&h->w, &e, 0);
    e.args = list(NULL, 0);
    e.ts = end;
    writer_flow(&h->w, FXT_FLOW_END, &e, 1);
    writer_async(&h->w, FXT_ASYNC_END, &e, ts);
    writer_end(&h->w, &e);
}

static void far_times(struct hostile *h) {
    static const uint64_t times[] = {0,
                                     1,
                                     2,
                                     UINT64_C(1) << 31,
                                     UINT64_C(1) << 32,
                                     UINT64_C(1) << 53,
                                     UINT64_C(1) << 62,
                                     INT64_MAX,
                                     UINT64_C(1) << 63,
                                     (UINT64_C(1) << 63) + 1,
                                     UINT64_MAX - 1,
                                     UINT64_MAX};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        for (size_t k = i; k < sizeof times / sizeof *times; k += 3)
            everything_at(h, times[i], times[k]);
}

void make_far(struct hostile *h) {
    open_trace(h);
    struct writer_event e = event(h, "near");
    e.ts = 0;
    writer_complete(&h->w, &e, 1);
    e.ts = UINT64_C(1) << 62;
    writer_complete(&h->w, &e, e.ts + 1);
}
void make_to_max(struct hostile *h) {
    open_trace(h);
    far_times(h);
}
void make_rate_0(struct hostile *h) {
    writer_magic(&h->w);
    writer_init_base(&h->w, 0, UINT64_MAX, UINT64_MAX);
    far_times(h);
}
void make_rate_1(struct hostile *h) {
    writer_magic(&h->w);
    writer_init_base(&h->w, 1, 0, UINT64_MAX);
    far_times(h);
}
void make_rate_max(struct hostile *h) {
    writer_magic(&h->w);
    writer_init_base(&h->w, UINT64_MAX, UINT64_MAX / 2, 0);
    far_times(h);
}
void make_rates(struct hostile *h) { /* the clock changes its rate between begins and their ends */
    static const uint64_t rates[] = {1, UINT64_MAX, 0, 1000, 3, 1000000000, UINT64_C(1) << 63, 7};
    writer_magic(&h->w);
    for (size_t i = 0; i < 64; i++) {
        writer_init_base(&h->w, rates[i % 8], rates[i / 8], rates[(i + 3) % 8]);
        everything_at(h, i * 1000, i * 999 + 5000);
    }
}

/* Everything that is ordered by time, from the last to the first. */
void make_backwards(struct hostile *h) {
    struct writer_argument value = writer_number(FXT_ARG_INT64, text("v"), 1);
    begin_case(h);
    for (uint64_t i = h->n; i > 0; i--) {
        struct writer_event e = event(h, "back");
        e.ts = 20000 * MS + i * 1000; /* far from the first one, whatever n */
        struct writer_switch sw = {.ts = e.ts,
                                   .cpu = (unsigned)(i % 4),
                                   .out_tid = TID + i % 9,
                                   .in_tid = TID + (i + 1) % 9};
        switch (i % 8) {
        case 0:
            writer_begin(&h->w, &e);
            break;
        case 1:
            writer_end(&h->w, &e);
            break;
        case 2:
            writer_complete(&h->w, &e, e.ts + 100000);
            break;
        case 3:
            writer_instant(&h->w, &e);
            break;
        case 4:
            e.args = list(&value, 1);
            writer_counter(&h->w, &e, 0);
            break;
        case 5:
            writer_flow(&h->w, (enum fxt_event)(FXT_FLOW_BEGIN + i / 8 % 3), &e, i % 100);
            break;
        case 6:
            writer_async(&h->w, (enum fxt_event)(FXT_ASYNC_BEGIN + i / 8 % 3), &e, i % 100);
            break;
        default:
            writer_switch(&h->w, &sw);
            break;
        }
    }
}

/* every other one lies before all that were: the nest begins again */
void make_late(struct hostile *h) {
    begin_case(h);
    uint64_t ts = h->ts + 1000 * MS * 1000;
    for (uint64_t i = 0; i < h->n; i++) {
        struct writer_event e = event(h, "late");
        e.ts = i % 2 ? ts - i * 100 : ts + i * 100;
        writer_complete(&h->w, &e, e.ts + 150);
    }
}

void make_saw(struct hostile *h) { /* in runs of a thousand, each run before the one before it */
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++) {
        struct writer_event e = event(h, "saw");
        e.ts = 2000 * MS + (h->n / 1000 - i / 1000) * 1000000 + i % 1000 * 1000;
        if (i % 2)
            writer_begin(&h->w, &e);
        else
            writer_end(&h->w, &e);
    }
}

/* ---- slices ---- */

/* each overlaps all others and lies in none; returns when the first begins */
static uint64_t overlap(struct hostile *h) {
    begin_case(h);
    uint64_t ts = h->ts;
    for (uint64_t i = 0; i < h->n; i++) {
        struct writer_event e = event(h, "part");
        e.ts = ts + i * 10;
        writer_complete(&h->w, &e, ts + (h->n + i) * 10);
    }
    return ts;
}

void make_overlap(struct hostile *h) {
    overlap(h);
}

void make_overlap_late(struct hostile *h) { /* the same in the order of their ends, last first */
    begin_case(h);
    uint64_t ts = h->ts;
    for (uint64_t i = h->n; i > 0; i--) {
        struct writer_event e = event(h, "part");
        e.ts = ts + i * 10;
        writer_complete(&h->w, &e, ts + (h->n + i) * 10);
    }
}

/* and events that look up the enclosing slice at each time */
void make_overlap_asked(struct hostile *h) {
    uint64_t ts = overlap(h);
    for (uint64_t i = 0; i < h->n; i++) {
        struct writer_event e = event(h, "when");
        e.ts = ts + i * 20 + 7;
        writer_instant(&h->w, &e);
        writer_log(&h->w, e.ts, e.thread, STR("said"));
    }
}

/* children first, and each overlaps the next parent a little */
void make_stairs(struct hostile *h) {
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++) {
        struct writer_event e = event(h, "stair");
        e.ts = 3000 * MS + i * 10;
        writer_complete(&h->w, &e, e.ts + 15);
    }
}

/* parents and children that begin, or end, or both, at one time */
void make_same_ends(struct hostile *h) {
    begin_case(h);
    uint64_t ts = h->ts + MS * 1000;
    for (uint64_t i = 0; i < h->n; i++) {
        struct writer_event e = event(h, "twin");
        e.ts = i % 3 == 0 ? ts : i % 3 == 1 ? ts - i : ts + i;
        writer_complete(&h->w, &e, i % 3 == 0 ? ts + i : i % 3 == 1 ? ts : ts + h->n * 2);
    }
}

/* open begins under complete events that cross them */
void make_begins_and_completes(struct hostile *h) {
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++) {
        struct writer_event e = event(h, "mix");
        if (i % 3 == 2)
            writer_complete(&h->w, &e, e.ts + h->n * 500);
        else if (i % 3 == 1 && i % 2)
            writer_end(&h->w, &e);
        else
            writer_begin(&h->w, &e);
    }
}

/* ---- flows, counters, koids, arguments ---- */

void make_flow_loops(struct hostile *h) {
    begin_case(h);
    for (int i = 0; i < 40; i++) {
        struct writer_event e = event(h, "loop");
        uint64_t ts = e.ts = 1000 * MS + (uint64_t)(i % 4) * 1000; /* back in time at each fourth */
        writer_complete(&h->w, &e, e.ts + 900);
        for (int id = 1; id < 4; id++) {
            e.ts = ts + 100 * (uint64_t)id;
            writer_flow(&h->w, (enum fxt_event)(FXT_FLOW_BEGIN + (i + id) % 3), &e, (uint64_t)id);
            e.ts = ts + 800 - 100 * (uint64_t)id;
            writer_flow(&h->w, (enum fxt_event)(FXT_FLOW_BEGIN + i % 3), &e, (uint64_t)id);
        }
    }
    struct writer_event e = event(h, "round"); /* two slices, each the other's end */
    for (int i = 0; i < 6; i++) {
        e.thread.tid = TID + (uint64_t)(i % 2);
        e.ts = 1001 * MS;
        writer_complete(&h->w, &e, e.ts + 1000);
        e.ts += (uint64_t)i;
        writer_flow(&h->w, i == 0 ? FXT_FLOW_BEGIN : i == 5 ? FXT_FLOW_END : FXT_FLOW_STEP, &e, 77);
    }
}

void make_counter_limits(struct hostile *h) {
    static const uint64_t doubles[] = {0x7ff0000000000000,
                                       0xfff0000000000000,
                                       0x7ff8000000000000,
                                       0xffffffffffffffff,
                                       0x7fefffffffffffff,
                                       0xffefffffffffffff,
                                       1,
                                       0x8000000000000000};
    static const uint64_t bits[] = {
        0, 1, INT64_MAX, UINT64_C(1) << 63, UINT64_MAX, UINT64_C(1) << 53};
    begin_case(h);
    for (size_t i = 0; i < 48; i++) {
        struct writer_argument args[6] = {
            writer_number(FXT_ARG_INT64, text("i64"), bits[i % 6]),
            writer_number(FXT_ARG_UINT64, text("u64"), bits[(i + 1) % 6]),
            {.type = FXT_ARG_DOUBLE, .name = text("f64"), .bits = doubles[i % 8]},
            writer_number(FXT_ARG_INT32, text("i32"), i % 2 ? 0x80000000 : 0x7fffffff),
            writer_number(FXT_ARG_UINT64, text("mixed"), UINT64_MAX),
            writer_text(text("text"), text("no number")),
        };
        if (i % 2)
            args[4] = writer_number(FXT_ARG_INT64, text("mixed"), UINT64_C(1) << 63);
        struct writer_event e = event(h, "limits");
        e.args = list(args, 6);
        writer_counter(&h->w, &e, i % 2 ? 0 : UINT64_MAX);
    }
}

/* process and thread at once, each in the other, and one in itself */
void make_koids(struct hostile *h) {
    begin_case(h);
    for (uint64_t k = 1; k < 9; k++) {
        struct writer_argument self[1] = {writer_number(FXT_ARG_KOID, text("process"), k)};
        struct writer_argument next[1] = {writer_number(FXT_ARG_KOID, text("process"), k % 8 + 1)};
        writer_kernel_object(&h->w, FXT_OBJECT_PROCESS, k, text("both"), list(self, 1));
        writer_kernel_object(&h->w, FXT_OBJECT_THREAD, k, text("both"), list(next, 1));
        writer_kernel_object(&h->w, FXT_OBJECT_THREAD, k, text("itself"), list(self, 1));
        struct writer_event e = event(h, "in itself");
        struct writer_argument args[2] = {writer_number(FXT_ARG_KOID, text("me"), k),
                                          writer_number(FXT_ARG_KOID, text("max"), UINT64_MAX)};
        e.thread = writer_inline_thread(k, k);
        e.args = list(args, 2);
        writer_complete(&h->w, &e, e.ts + 900);
        struct writer_switch sw = {.ts = h->ts, .cpu = 0, .out_tid = k, .in_tid = k};
        writer_switch(&h->w, &sw);
        e.thread = writer_inline_thread(UINT64_MAX - k, UINT64_MAX);
        writer_instant(&h->w, &e);
        e.thread = writer_inline_thread(0, 0);
        writer_instant(&h->w, &e);
    }
}

void make_arguments(struct hostile *h) {
    begin_case(h);
    event_header(h, FXT_INSTANT, 4, 15, 0, 0); /* fifteen, and none there */
    event_header(h, FXT_DURATION_COMPLETE, 5, 15, 0, 0);
    writer_word(&h->w, h->ts + 100);
    /* each type in sizes too small and too large, names past the end */
    for (uint64_t type = 0; type < 16; type++)
        for (uint64_t size = 0; size < 6; size++) {
            event_header(h, type % 11, 8, 2, 0, 0);
            writer_word(&h->w, type | size << 4 | FXT_PUT(0x8000 | 5 * size, 16, 31) |
                                   FXT_PUT(0x8000 | 9 * type, 32, 47));
            words(h, 0x6e616d65006e616d, 3);
        }
    /* names that overlap the value, the next argument, the record */
    for (uint64_t name = 0; name < 0x40; name += 5) {
        event_header(h, FXT_INSTANT, 8, 3, 0, 0);
        writer_word(&h->w, FXT_ARG_STRING | 2 << 4 | FXT_PUT(0x8000 | name, 16, 31) |
                               FXT_PUT(0x8000 | name, 32, 47));
        writer_word(&h->w, 0x1b5b324a1b5b324a);
        writer_word(&h->w, FXT_ARG_BLOB | 2 << 4 | FXT_PUT(0x8000 | name, 16, 31) |
                               FXT_PUT(UINT32_MAX - name, 32, 63));
        writer_word(&h->w, 0x4242424242424242);
    }
    plain(h);
}

void make_scopes(struct hostile *h) { /* instants with unknown scopes, and extra words everywhere */
    begin_case(h);
    for (uint64_t i = 0; i < 64; i++) {
        struct writer_event e = event(h, "scope");
        writer_instant_scope(&h->w, &e, i < 4 ? i : UINT64_MAX >> i);
        event_header(h, i % 11, 4 + i % 8, 0, 0, 0);
        words(h, i * 0x0101010101010101, i % 8);
    }
}
