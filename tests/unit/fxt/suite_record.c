/* suite_record.c - random records of every kind, in both byte orders, are decoded as they were
 * written. */
#include "src/fxt/record.h"

#include <stdlib.h>
#include <string.h>

#include "src/fxt/writer.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/suites.h"

#define TRIPS 3000 /* of each kind and byte order */

struct trip { /* one random record and the values that were written */
    struct writer w;
    struct chance chance;
    char text[8][40];
    unsigned texts;
    struct writer_event e;
    struct writer_argument args[15];
    struct fxt_record r; /* the record read back */
};

/* Small numbers, large ones and those at the edges of their fields. */
static uint64_t any(struct trip *t, int bits) {
    uint64_t r = chance_star(&t->chance), mask = UINT64_MAX >> (64 - bits);
    switch (r >> 62) {
    case 0:
        return r % 5 & mask;
    case 1:
        return (r & 1 ? mask : mask ^ mask >> 1);
    default:
        return r & mask;
    }
}

static struct str any_bytes(struct trip *t) {
    char *s = t->text[t->texts++ % 8];
    size_t n = chance_star(&t->chance) % 35;
    for (size_t i = 0; i < n; i++)
        s[i] = (char)chance_star(&t->chance);
    return (struct str){s, n};
}

static struct writer_string any_string(struct trip *t) {
    return chance_star(&t->chance) & 1 ? writer_index((uint16_t)any(t, 15))
                                       : writer_inline(any_bytes(t));
}

static struct writer_thread any_thread(struct trip *t) {
    uint8_t index = (uint8_t)any(t, 8);
    return (struct writer_thread){
        .index = index, .pid = index ? 0 : any(t, 64), .tid = index ? 0 : any(t, 64)};
}

static struct writer_arguments any_args(struct trip *t) {
    size_t n = chance_star(&t->chance) % 3; /* so few that the eight texts do not run out */
    for (size_t i = 0; i < n; i++) {
        struct writer_argument *a = &t->args[i];
        *a = (struct writer_argument){.type = (uint8_t)(chance_star(&t->chance) % 11),
                                      .name = any_string(t)};
        switch (a->type) {
        case FXT_ARG_NULL:
            break;
        case FXT_ARG_INT32:
            a->bits = (uint64_t)(int64_t)(int32_t)any(t, 32);
            break;
        case FXT_ARG_UINT32:
            a->bits = any(t, 32);
            break;
        case FXT_ARG_BOOL:
            a->bits = any(t, 1);
            break;
        case FXT_ARG_STRING:
            a->string = any_string(t);
            break;
        case FXT_ARG_BLOB:
            a->blob = any_bytes(t);
            break;
        default:
            a->bits = any(t, 64);
            break;
        }
    }
    return (struct writer_arguments){t->args, n};
}

static void same_bytes(struct str got, struct str wanted) {
    ck_assert_msg(str_eq(got, wanted), "%zu bytes, wanted %zu", got.n, wanted.n);
}

static void same_string(const struct fxt_string *got, struct writer_string wanted) {
    if (wanted.text.s == NULL) {
        ck_assert_uint_eq(got->ref, wanted.index);
        return;
    }
    ck_assert_uint_eq(got->ref, FXT_INLINE | wanted.text.n);
    same_bytes((struct str){got->bytes, got->ref & FXT_STRING_MAX}, wanted.text);
}

static void same_thread(const struct fxt_thread_ref *got, struct writer_thread wanted) {
    ck_assert_uint_eq(got->index, wanted.index);
    ck_assert_uint_eq(got->pid, wanted.pid);
    ck_assert_uint_eq(got->tid, wanted.no_tid ? 0 : wanted.tid);
    ck_assert(got->no_tid == wanted.no_tid);
}

static void same_args(const struct fxt_record *r, struct writer_arguments wanted) {
    struct fxt_arguments args = r->args;
    struct fxt_argument_value v;
    ck_assert_uint_eq(r->argc, wanted.n);
    for (size_t i = 0; i < wanted.n; i++) {
        const struct writer_argument *a = &wanted.v[i];
        ck_assert_int_eq(record_argument(&args, &v), 1);
        ck_assert_uint_eq(v.type, a->type);
        same_string(&v.name, a->name);
        ck_assert_uint_eq(v.bits, a->bits);
        if (a->type == FXT_ARG_STRING)
            same_string(&v.string, a->string);
        if (a->type == FXT_ARG_BLOB)
            same_bytes(v.blob, a->blob);
    }
    ck_assert_int_eq(record_argument(&args, &v), 0);
}

/* Decodes the record that was just written: whole, without a fault, plausible, of this kind. */
static const struct fxt_record *back(struct trip *t, enum fxt_kind kind) {
    bool more = false, swap = t->w.big_endian;
    /* from realloc: aligned */
    const uint64_t *words = (const uint64_t *)(const void *)t->w.bytes.v;
    uint64_t n = t->w.bytes.n / 8, size = record_words(record_word(words, swap));
    ck_assert_msg(!t->w.failed, "refused: %s", t->w.err.text);
    ck_assert_uint_eq(size, n);
    ck_assert_uint_eq(record_decode(&t->r, words, n, n, swap), n);
    ck_assert_uint_eq(t->r.kind, kind);
    ck_assert_uint_eq(t->r.faults, 0);
    ck_assert_uint_eq(record_plausible(words, n, swap, &more), n);
    ck_assert(!more);
    return &t->r;
}

/* Words may change under the map between the one look that found them right and the next. */
START_TEST(an_argument_is_looked_at_before_it_is_taken) {
    uint64_t words[3] = {0, 7, 0};
    struct fxt_argument_value v;
    static const struct {
        uint64_t header;
        size_t n;
        int got;
    } cases[] = {{FXT_ARG_UINT64 | 2 << 4, 3, 1},  {FXT_ARG_UINT64 | 2 << 4, 0, -1},
                 {FXT_ARG_UINT64 | 2 << 4, 1, -1}, {FXT_ARG_UINT64, 3, -1},
                 {FXT_ARG_UINT64 | 1 << 4, 3, -1}, {FXT_ARG_STRING | 1 << 4, 3, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        words[0] = record_order(cases[i].header, false);
        struct fxt_arguments args = {words, cases[i].n, 1, false, 0};
        ck_assert_int_eq(record_argument(&args, &v), cases[i].got);
    }
}
END_TEST

/* On random words the short way to a number is the long one. */
START_TEST(a_number_is_the_argument_that_it_is) {
    struct chance chance = {4};
    for (int i = 0; i < 100000; i++) {
        uint64_t words[3] = {chance_star(&chance), chance_star(&chance), chance_star(&chance)};
        words[0] = (words[0] & ~UINT64_C(0xff)) | words[1] % 12 | words[2] % 4 << 4;
        words[0] &= words[1] & 32 ? UINT64_MAX : ~(UINT64_C(1) << 31);
        bool swap = words[2] & 64;
        words[0] = record_order(words[0], swap);
        struct fxt_arguments args = {words, words[1] >> 6 & 3, words[1] >> 8 & 1, swap, 0},
                             same = args;
        struct fxt_argument_value v = {0}, wanted = {0};
        int got = record_number(&args, &v);
        ck_assert_int_eq(got, record_argument(&same, &wanted));
        ck_assert(args.words == same.words && args.n == same.n && args.count == same.count);
        if (got == 1)
            ck_assert(v.type == wanted.type && v.bits == wanted.bits &&
                      v.name.ref == wanted.name.ref && v.name.bytes == wanted.name.bytes);
    }
}
END_TEST

/* A clock's base has two words, or there is none. */
START_TEST(a_base_of_one_word_is_ignored) {
    bool more = false;
    /* of nothing nothing is known */
    ck_assert(record_plausible((uint64_t[1]){0}, 0, false, &more) == 0 && more);
    const uint64_t words[4] = {FXT_INITIALIZATION | 3 << 4, 1000, 5, 6};
    for (uint64_t size = 1; size <= 4; size++) {
        struct fxt_record r;
        uint64_t v[4];
        for (int k = 0; k < 4; k++)
            v[k] = record_order(k == 0 ? FXT_INITIALIZATION | size << 4 : words[k], false);
        record_decode(&r, v, size, size, false);
        ck_assert_int_eq(r.kind, FXT_K_INITIALIZATION);
        ck_assert_int_eq((r.faults & FXT_FAULT_CONTENTS) != 0, size == 1);
        ck_assert_int_eq(size > 1 && r.init.has_base, size == 4);
    }
}
END_TEST

START_TEST(a_provider_with_more_words_than_its_name_is_not_plausible) {
    const uint64_t words[] = {0x0030123456710030, 0x636261, 0};
    uint64_t v[3];
    bool more = false;
    for (int i = 0; i < 3; i++)
        v[i] = record_order(words[i], false);
    ck_assert_uint_eq(record_plausible(v, 3, false, &more), 0);
    v[0] = record_order(0x0030123456710020, false);
    ck_assert_uint_eq(record_plausible(v, 3, false, &more), 2);
    ck_assert(!more);
}
END_TEST

static const struct fxt_record *back_event(struct trip *t, enum fxt_kind kind) {
    const struct fxt_record *r = back(t, kind);
    ck_assert_uint_eq(r->ts, t->e.ts);
    same_thread(&r->thread, t->e.thread);
    same_string(&r->category, t->e.category);
    same_string(&r->name, t->e.name);
    same_args(r, t->e.args);
    return r;
}

static void trip_metadata(struct trip *t) {
    uint32_t id = (uint32_t)any(t, 32);
    struct str name = any_bytes(t);
    const struct fxt_record *r;
    switch (chance_star(&t->chance) % 3) {
    case 0:
        writer_provider_info(&t->w, id, name);
        r = back(t, FXT_K_PROVIDER_INFO);
        same_bytes(r->payload, name);
        break;
    case 1:
        writer_provider_section(&t->w, id);
        r = back(t, FXT_K_PROVIDER_SECTION);
        break;
    default:
        writer_provider_event(&t->w, id, 0);
        r = back(t, FXT_K_PROVIDER_EVENT);
        ck_assert_uint_eq(r->provider.event, 0);
        break;
    }
    ck_assert_uint_eq(r->provider.id, id);
}

static void trip_init(struct trip *t) {
    uint64_t tps = any(t, 64), tick = any(t, 64), ns = any(t, 64);
    bool base = chance_star(&t->chance) & 1;
    if (base)
        writer_init_base(&t->w, tps, tick, ns);
    else
        writer_init_record(&t->w, tps);
    const struct fxt_record *r = back(t, FXT_K_INITIALIZATION);
    ck_assert_uint_eq(r->init.ticks_per_second, tps);
    ck_assert(r->init.has_base == base);
    ck_assert_uint_eq(r->init.base_tick, base ? tick : 0);
    ck_assert_uint_eq(r->init.base_unix_ns, base ? ns : 0);
}

static void trip_tables(struct trip *t) {
    uint16_t index = (uint16_t)any(t, 15);
    uint8_t thread = (uint8_t)any(t, 8);
    uint64_t pid = any(t, 64), tid = any(t, 64);
    struct str text = any_bytes(t);
    if (chance_star(&t->chance) & 1) {
        writer_string(&t->w, index, text);
        const struct fxt_record *r = back(t, FXT_K_STRING);
        ck_assert_uint_eq(r->string_index, index);
        same_bytes(r->payload, text);
    } else {
        writer_thread(&t->w, thread, pid, tid);
        const struct fxt_record *r = back(t, FXT_K_THREAD);
        ck_assert_uint_eq(r->thread_def.index, thread);
        ck_assert_uint_eq(r->thread_def.pid, pid);
        ck_assert_uint_eq(r->thread_def.tid, tid);
    }
}

static void trip_event(struct trip *t) {
    enum fxt_event type = (enum fxt_event)(chance_star(&t->chance) % 11);
    enum fxt_kind kind = (enum fxt_kind)(FXT_K_INSTANT + type);
    uint64_t tail = any(t, 64);
    switch (type) {
    case FXT_INSTANT:
        if (tail & 1) {
            writer_instant_scope(&t->w, &t->e, tail);
            back_event(t, kind);
            ck_assert(t->r.scope.present && t->r.scope.value == tail);
        } else {
            writer_instant(&t->w, &t->e);
            back_event(t, kind);
            ck_assert(!t->r.scope.present);
        }
        break;
    case FXT_DURATION_BEGIN:
        writer_begin(&t->w, &t->e);
        back_event(t, kind);
        break;
    case FXT_DURATION_END:
        writer_end(&t->w, &t->e);
        back_event(t, kind);
        break;
    case FXT_DURATION_COMPLETE:
        writer_complete(&t->w, &t->e, tail);
        ck_assert_uint_eq(back_event(t, kind)->end, tail);
        break;
    default:
        if (type == FXT_COUNTER)
            writer_counter(&t->w, &t->e, tail);
        else if (type < FXT_FLOW_BEGIN)
            writer_async(&t->w, type, &t->e, tail);
        else
            writer_flow(&t->w, type, &t->e, tail);
        ck_assert_uint_eq(back_event(t, kind)->id, tail);
        break;
    }
}

static void trip_object(struct trip *t) {
    uint64_t koid = any(t, 64);
    unsigned type = (unsigned)any(t, 8);
    struct writer_thread process = any_thread(t);
    const struct fxt_record *r;
    if (chance_star(&t->chance) & 1) {
        writer_kernel_object(&t->w, type, koid, t->e.name, t->e.args);
        r = back(t, FXT_K_KERNEL_OBJECT);
        ck_assert_uint_eq(r->object.type, type);
        ck_assert_uint_eq(r->object.koid, koid);
    } else {
        writer_userspace_object(&t->w, koid, process, t->e.name, t->e.args);
        r = back(t, FXT_K_USERSPACE_OBJECT);
        ck_assert_uint_eq(r->user.pointer, koid);
        ck_assert_uint_eq(r->thread.index, process.index);
        ck_assert_uint_eq(r->thread.pid, process.pid);
    }
    same_string(&r->name, t->e.name);
    same_args(r, t->e.args);
}

static void trip_blob(struct trip *t) {
    unsigned type = (unsigned)any(t, 8);
    struct str payload = any_bytes(t);
    const struct fxt_record *r;
    switch (chance_star(&t->chance) % 3) {
    case 0:
        writer_blob(&t->w, t->e.name, type, payload);
        r = back(t, FXT_K_BLOB);
        ck_assert_uint_eq(r->blob.type, type);
        same_string(&r->name, t->e.name);
        break;
    case 1:
        writer_large_event(&t->w, &t->e, payload);
        r = back_event(t, FXT_K_LARGE_EVENT);
        break;
    default:
        writer_large_attachment(&t->w, t->e.category, t->e.name, payload);
        r = back(t, FXT_K_LARGE_ATTACHMENT);
        same_string(&r->category, t->e.category);
        same_string(&r->name, t->e.name);
        break;
    }
    ck_assert_uint_eq(r->blob.size, payload.n);
    same_bytes(r->payload, payload);
}

static void trip_scheduling(struct trip *t) {
    struct writer_switch s = {.ts = any(t, 64),
                              .cpu = (unsigned)any(t, 8),
                              .out_state = (unsigned)any(t, 4),
                              .out = any_thread(t),
                              .in = any_thread(t),
                              .out_priority = (uint8_t)any(t, 8),
                              .in_priority = (uint8_t)any(t, 8),
                              .out_tid = any(t, 64),
                              .in_tid = any(t, 64),
                              .args = t->e.args};
    uint64_t which = chance_star(&t->chance) % 3;
    if (which == 0) {
        writer_switch_legacy(&t->w, &s);
        const struct fxt_record *r = back(t, FXT_K_SWITCH_LEGACY);
        same_thread(&r->thread, s.out);
        same_thread(&r->sched.in, s.in);
        ck_assert_uint_eq(r->sched.out_priority, s.out_priority);
        ck_assert_uint_eq(r->sched.in_priority, s.in_priority);
    } else {
        s.cpu = (unsigned)any(t, 16);
        if (which == 1)
            writer_switch(&t->w, &s);
        else
            writer_wakeup(&t->w, s.ts, s.cpu, s.in_tid, s.args);
        const struct fxt_record *r = back(t, which == 1 ? FXT_K_SWITCH : FXT_K_WAKEUP);
        ck_assert_uint_eq(r->sched.in_tid, s.in_tid);
        ck_assert_uint_eq(r->sched.out_tid, which == 1 ? s.out_tid : 0);
        same_args(r, s.args);
    }
    ck_assert_uint_eq(t->r.ts, s.ts);
    ck_assert_uint_eq(t->r.sched.cpu, s.cpu);
    ck_assert_uint_eq(t->r.sched.state, which < 2 ? s.out_state : 0);
}

static void trip_profiler(struct trip *t) {
    uint64_t ts = any(t, 64), numbers[3] = {any(t, 64), any(t, 64), any(t, 64)},
             n = chance_star(&t->chance) % 4;
    struct writer_thread thread = any_thread(t);
    unsigned id = (unsigned)any(t, 16), flags = (unsigned)any(t, 3);
    struct str name = any_bytes(t), build_id = any_bytes(t);
    const struct fxt_record *r;
    if (thread.index == 0 && chance_star(&t->chance) & 1) {
        thread.no_tid = true;
        thread.tid = 0;
    }
    switch (chance_star(&t->chance) % 4) {
    case 0:
        writer_module(&t->w, ts, thread, id, name, build_id);
        r = back(t, FXT_K_MODULE);
        ck_assert_uint_eq(r->module.id, id);
        same_bytes(r->payload, name);
        same_bytes(r->module.build_id, build_id);
        break;
    case 1:
        writer_mmap(&t->w, ts, thread,
                    &(struct writer_mapping){id, flags, numbers[0], numbers[1], numbers[2]});
        r = back(t, FXT_K_MMAP);
        ck_assert_uint_eq(r->mmap.module_id, id);
        ck_assert_uint_eq(r->mmap.flags, flags);
        ck_assert_uint_eq(r->mmap.start, numbers[0]);
        ck_assert_uint_eq(r->mmap.size, numbers[1]);
        ck_assert_uint_eq(r->mmap.address, numbers[2]);
        break;
    case 2:
        thread.no_tid = false;
        writer_backtrace(&t->w, ts, thread, numbers, n > 3 ? 3 : n);
        r = back(t, FXT_K_BACKTRACE);
        ck_assert_uint_eq(r->backtrace.n, n);
        for (size_t i = 0; i < n; i++)
            ck_assert_uint_eq(record_word(r->backtrace.pcs + i, r->swap), numbers[i]);
        break;
    default:
        thread.no_tid = false;
        writer_log(&t->w, ts, thread, name);
        r = back(t, FXT_K_LOG);
        same_bytes(r->payload, name);
        break;
    }
    ck_assert_uint_eq(r->ts, ts);
    same_thread(&r->thread, thread);
}

START_TEST(what_is_written_is_read_again) {
    static void (*const trips[])(struct trip *) = {trip_metadata,   trip_init,    trip_tables,
                                                   trip_event,      trip_object,  trip_blob,
                                                   trip_scheduling, trip_profiler};
    struct trip t = {.chance = {UINT64_C(88172645463325252)}};
    writer_init(&t.w, NULL);
    t.w.big_endian = _i;
    for (size_t kind = 0; kind < sizeof trips / sizeof *trips; kind++) {
        for (int i = 0; i < TRIPS; i++) {
            t.w.bytes.n = 0;
            t.e = (struct writer_event){.ts = any(&t, 64),
                                        .thread = any_thread(&t),
                                        .category = any_string(&t),
                                        .name = any_string(&t)};
            t.e.args = any_args(&t);
            trips[kind](&t);
        }
    }
    writer_free(&t.w);
}
END_TEST

SUITE(record) {
    Suite *s = suite_create("record");
    TCase *t = tcase_create("record");
    tcase_add_test(t, an_argument_is_looked_at_before_it_is_taken);
    tcase_add_test(t, a_number_is_the_argument_that_it_is);
    tcase_add_test(t, a_base_of_one_word_is_ignored);
    tcase_add_test(t, a_provider_with_more_words_than_its_name_is_not_plausible);
    tcase_add_loop_test(t, what_is_written_is_read_again, 0, 2);
    suite_add_tcase(s, t);
    return s;
}
