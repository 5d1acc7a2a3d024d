/* suite_reader.c - the stream: framing, steps, damage. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/fxt/reader.h"
#include "src/fxt/writer.h"
#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/lib/suites.h"
#include "tests/lib/tracegen.h"

struct seen { /* what a sink got, as numbers that must not depend on how it was cut into steps */
    uint64_t records, problems, sum;
    uint64_t offsets[64];
    enum problem_kind kinds[64];
    uint64_t problem_offsets[64];
};

static void mix(struct seen *s, uint64_t v) {
    s->sum = (s->sum ^ v) * UINT64_C(0x9e3779b97f4a7c15) + 1;
}

static void on_record(void *ctx, const struct item *item) {
    struct seen *s = ctx;
    if (s->records < 64)
        s->offsets[s->records] = item->offset;
    s->records++;
    mix(s, item->offset);
    mix(s, (uint64_t)item->time);
    mix(s, (uint64_t)item->end);
    mix(s, item->thread);
    mix(s, item->name);
    mix(s, item->record->kind);
}

static void on_problem(void *ctx, enum problem_kind kind, uint64_t offset, uint64_t detail, int64_t time) {
    struct seen *s = ctx;
    (void)time;
    if (s->problems < 64) {
        s->kinds[s->problems] = kind;
        s->problem_offsets[s->problems] = offset;
    }
    s->problems++;
    mix(s, kind);
    mix(s, offset);
    mix(s, detail);
}

static void save(const struct trace_bytes *bytes, char path[SCRATCH_PATH]) {
    ck_assert(scratch_write(path, "reader", bytes->v, bytes->n));
}

static enum reader_state read_all(const char *path, uint64_t budget, struct seen *seen) {
    struct err err;
    struct file *file = file_open(path, NULL, &err);
    ck_assert_ptr_nonnull(file);
    struct sink sink = {seen, NULL, NULL, on_record, on_problem};
    struct reader *reader = reader_new(file, &sink);
    enum reader_state state;
    uint64_t steps = 0;
    *seen = (struct seen){0};
    do {
        state = reader_step(reader, budget);
        ck_assert_uint_lt(++steps, 200000);
    } while (state == READER_MORE);
    reader_free(reader);
    file_close(file);
    return state;
}

static struct seen of_text(const char *text) {
    struct err err;
    char path[SCRATCH_PATH];
    struct seen whole, cut;
    struct trace_bytes bytes = tracegen(text, &err);
    ck_assert_msg(bytes.v != NULL, "%s (line %d)", bytes.v ? "" : err.text, (int)err.at);
    save(&bytes, path);
    ck_assert_int_eq(read_all(path, UINT64_MAX / 2, &whole), READER_END);
    for (uint64_t budget = 1; budget < 200; budget = budget * 3 + 1) { /* steps do not show */
        ck_assert_int_eq(read_all(path, budget, &cut), READER_END);
        ck_assert_uint_eq(cut.records, whole.records);
        ck_assert_uint_eq(cut.sum, whole.sum);
    }
    unlink(path);
    free(bytes.v);
    return whole;
}

START_TEST(a_run_of_zeros_is_one_note) {
    struct seen s = of_text("magic\nthread 1 1 2\nzeros 700\ninstant 5 t1 \"c\" \"a\"\nzeros 3\n");
    ck_assert_uint_eq(s.records, 3);
    ck_assert_uint_eq(s.problems, 2);
    ck_assert_int_eq(s.kinds[0], PROBLEM_ZERO_WORDS);
    ck_assert_uint_eq(s.problem_offsets[0], 32);
    ck_assert_int_eq(s.kinds[1], PROBLEM_ZERO_WORDS);
}
END_TEST

/* A section is already its provider's. */
START_TEST(a_switch_holds_from_its_own_record_on) {
    struct err err;
    char path[SCRATCH_PATH];
    struct seen seen = {0};
    struct trace_bytes bytes = tracegen("magic\nprovider 1 \"a\"\nprovider 2 \"b\"\nsection 1\nsection 2\n", &err);
    const struct { uint64_t offset; uint32_t id; } wanted[] = {{8, 1}, {24, 2}, {40, 1}, {48, 2}};
    ck_assert_ptr_nonnull(bytes.v);
    save(&bytes, path);
    struct file *file = file_open(path, NULL, &err);
    const struct sink sink = {.ctx = &seen, .record = on_record, .problem = on_problem};
    struct reader *r = reader_new(file, &sink);
    while (reader_step(r, 8) == READER_MORE)
        ;
    for (int i = 0; i < 4; i++) {
        struct fxt_record record;
        struct provider *p;
        ck_assert(reader_record_at(r, wanted[i].offset, &record, &p));
        ck_assert_uint_eq(p->id, wanted[i].id);
    }
    reader_free(r);
    file_close(file);
    unlink(path);
    free(bytes.v);
}
END_TEST

/* A word that happens to look like a record is not one where no chain follows it. */
START_TEST(resynchronising_asks_for_a_chain) {
    struct seen s = of_text("magic\nthread 1 1 2\n"
                            "word 0x0000000000000005\n"          /* size 0 */
                            "word 0x0000000000000033 7 7\n"      /* a thread record, but after it: */
                            "word 0xffffffffffffffff\n"
                            "instant 5 t1 \"c\" \"a\"\ninstant 6 t1 \"c\" \"b\"\ninstant 7 t1 \"c\" \"d\"\n");
    ck_assert_uint_eq(s.problems, 1);
    ck_assert_int_eq(s.kinds[0], PROBLEM_ZERO_SIZE);
    ck_assert_uint_eq(s.records, 5);
    ck_assert_uint_eq(s.offsets[2], 8 + 24 + 8 + 24 + 8);
}
END_TEST

START_TEST(fewer_than_a_chain_do_at_the_end) {
    struct seen s = of_text("magic\nthread 1 1 2\nword 0x8000000000000005\ninstant 5 t1 \"c\" \"a\"\n");
    ck_assert_uint_eq(s.problems, 1);
    ck_assert_uint_eq(s.records, 3);
}
END_TEST

START_TEST(a_record_past_the_end_hides_nothing_after_it) {
    struct seen s = of_text("magic\nthread 1 1 2\nword 0x000000000000fff4\n"
                            "instant 5 t1 \"c\" \"a\"\ninstant 6 t1 \"c\" \"b\"\n");
    ck_assert_uint_eq(s.problems, 1);
    ck_assert_int_eq(s.kinds[0], PROBLEM_TRUNCATED_RECORD);
    ck_assert_uint_eq(s.records, 4);
}
END_TEST

START_TEST(a_large_record_of_32_GiB_allocates_nothing) {
    struct seen s = of_text("magic\nthread 1 1 2\ninstant 5 t1 \"c\" \"a\"\nword 0x0000000fffffffff 1 2\n");
    ck_assert_uint_eq(s.records, 3);
    ck_assert_uint_eq(s.problems, 1);
    ck_assert_int_eq(s.kinds[0], PROBLEM_TRUNCATED_RECORD);
}
END_TEST

/* A trace in the other byte order reads the same. */
START_TEST(both_byte_orders_read_alike) {
    const char *text = "magic\nprovider 1 \"p\"\ninit 24000000\nstring 1 \"n\"\nthread 1 5 6\n"
                       "begin 100 t1 \"c\" s1 x=i32:-5 s=\"text\" d=f64:1.5\nend 900 t1 \"c\" s1\n"
                       "complete 200 7/8 \"c\" \"inline name\" end=300\nkernel_object 1 5 \"proc\"\n"
                       "log 400 t1 \"hello\"\nswitch 500 3 6 3 8\nblob \"b\" 1 fill:20\n";
    size_t size = strlen(text) + 32;
    char *big = malloc(size);
    snprintf(big, size, "big_endian\n%s", text);
    struct seen a = of_text(text), b = of_text(big);
    ck_assert_uint_eq(a.records, 12);
    ck_assert_uint_eq(a.records, b.records);
    ck_assert_uint_eq(a.sum, b.sum);
    free(big);
}
END_TEST

START_TEST(what_is_no_trace_is_refused) {
    static const char elf[] = "bytes 7f 45 4c 46 02 01 01 00 00 00 00 00 00 00 00 00 03 00 3e 00 01 00 00 00";
    static const char *const texts[] = {"bytes 01 02 03", "zeros 100", elf, "word 0xffffffffffffffff 1 2 3 4 5"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct err err;
        struct seen seen;
        char path[SCRATCH_PATH];
        struct trace_bytes bytes = tracegen(texts[i], &err);
        save(&bytes, path);
        ck_assert_msg(read_all(path, 1 << 20, &seen) == READER_ALIEN, "%s was read", texts[i]);
        ck_assert_uint_eq(seen.records, 0);
        unlink(path);
        free(bytes.v);
    }
}
END_TEST

/* ---- the fast path of plain events, and the general one ---- */

#define WATCHED 3 /* a name: its events come as records */

struct calls { /* of the sink, by the word of the record in the file */
    struct {
        int64_t time, end;
        uint64_t id, args;
        uint32_t thread, thread2, category, name, provider;
        uint16_t cpu, state;
        bool out_idle, in_idle;
        enum fxt_kind kind; /* 0: no call */
    } at[40000];
    struct { /* of a thread: its buffer of durations, and their provider */
        struct duration_buffer space;
        struct duration v[5];
        uint32_t provider;
    } buffers[64];
    uint64_t problems, lost, by_buffers, by_events;
    struct reader *reader;
};

static void collect(struct calls *calls, uint32_t thread) {
    static const enum fxt_kind kinds[] = {FXT_K_DURATION_COMPLETE, FXT_K_DURATION_BEGIN, FXT_K_DURATION_END};
    struct duration_buffer *space = &calls->buffers[thread].space;
    for (const struct duration *d = calls->buffers[thread].v; d < space->next; d++) {
        uint64_t word = event_offset(d->packed) / 8;
        ck_assert_int_eq(calls->at[word].kind, 0);
        ck_assert_uint_ne(event_name(d->packed), WATCHED);
        calls->at[word].time = d->time;
        calls->at[word].end = d->dur >= 0 ? d->time + d->dur : d->time;
        calls->at[word].thread = thread;
        calls->at[word].thread2 = NO_THREAD;
        calls->at[word].name = event_name(d->packed);
        calls->at[word].provider = calls->buffers[thread].provider;
        calls->at[word].kind = kinds[d->dur >= 0 ? 0 : -d->dur];
        calls->by_buffers++;
    }
    space->next = calls->buffers[thread].v;
}

static struct duration_buffer *report_buffer(void *ctx, uint32_t thread, const struct provider *provider) {
    struct calls *calls = ctx;
    struct duration_buffer *space = &calls->buffers[thread].space;
    collect(calls, thread);
    calls->buffers[thread].provider = provider->number;
    space->provider = provider;
    space->end = space->next + 1 + (calls->by_buffers + thread) % 5;
    return space;
}

static uint64_t arguments(const struct fxt_arguments *args) {
    uint64_t all = args->count;
    for (size_t i = 0; i < args->n; i++)
        all = (all ^ args->words[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return all;
}

static void report_event(void *ctx, const struct plain_event *e) {
    struct calls *calls = ctx;
    uint64_t word = e->offset / 8;
    ck_assert_int_eq(calls->at[word].kind, 0);
    ck_assert_uint_ne(e->name, WATCHED);
    calls->at[word].time = calls->at[word].end = e->time;
    calls->at[word].id = e->id;
    calls->at[word].args = arguments(&e->args);
    calls->at[word].thread = e->thread;
    calls->at[word].thread2 = e->thread2;
    calls->at[word].category = e->category;
    calls->at[word].name = e->name;
    calls->at[word].provider = e->provider->number;
    calls->at[word].cpu = e->cpu;
    calls->at[word].state = e->state;
    calls->at[word].out_idle = e->out_idle;
    calls->at[word].in_idle = e->in_idle;
    calls->at[word].kind = (enum fxt_kind)e->kind;
    calls->by_events++;
}

static void report_record(void *ctx, const struct item *item) {
    struct calls *calls = ctx;
    const struct fxt_record *r = item->record;
    enum fxt_kind kind = (enum fxt_kind)r->kind;
    if (kind == FXT_K_PROVIDER_EVENT) { /* until the next event, all come as records */
        calls->lost++;
        reader_watch(calls->reader, WATCHED, true);
    }
    if (!item->is_event)
        return;
    reader_watch(calls->reader, WATCHED, false);
    uint64_t word = item->offset / 8;
    if (kind < FXT_K_DURATION_BEGIN || kind > FXT_K_DURATION_COMPLETE) {
        bool sched = kind >= FXT_K_SWITCH_LEGACY && kind <= FXT_K_WAKEUP;
        calls->at[word].id = sched || kind == FXT_K_INSTANT ? 0 : r->id;
        calls->at[word].args = arguments(&r->args);
        calls->at[word].category = item->category;
        calls->at[word].cpu = sched ? r->sched.cpu : 0;
        calls->at[word].state = sched ? r->sched.state : 0;
        calls->at[word].out_idle = kind == FXT_K_SWITCH_LEGACY && r->sched.out_priority == 0;
        calls->at[word].in_idle = kind == FXT_K_SWITCH_LEGACY && r->sched.in_priority == 0;
    }
    calls->at[word].time = item->time;
    calls->at[word].end = item->end;
    calls->at[word].thread = item->thread;
    calls->at[word].thread2 = item->thread2;
    calls->at[word].name = item->name;
    calls->at[word].provider = item->provider->number;
    calls->at[word].kind = kind;
}

static void report_problem(void *ctx, enum problem_kind kind, uint64_t offset, uint64_t detail, int64_t time) {
    struct calls *calls = ctx;
    calls->problems = (calls->problems ^ (kind + offset * 100 + detail)) * UINT64_C(0x9e3779b97f4a7c15);
    (void)time;
}

static struct reader *read_calls(const char *path, struct file **file, struct calls *calls, bool buffers) {
    struct err err;
    *file = file_open(path, NULL, &err);
    ck_assert_ptr_nonnull(*file);
    struct sink sink = {calls, buffers ? report_buffer : NULL, buffers ? report_event : NULL, report_record,
                        report_problem};
    memset(calls, 0, sizeof *calls);
    for (size_t i = 0; i < sizeof calls->buffers / sizeof *calls->buffers; i++)
        calls->buffers[i].space.next = calls->buffers[i].space.end = calls->buffers[i].v;
    calls->reader = reader_new(*file, &sink);
    reader_watch(calls->reader, WATCHED, false);
    enum reader_state state;
    while ((state = reader_step(calls->reader, 50000)) == READER_MORE)
        ;
    ck_assert_int_eq(state, READER_END);
    for (uint32_t i = 0; i < sizeof calls->buffers / sizeof *calls->buffers; i++)
        collect(calls, i);
    return calls->reader;
}

static struct chance chance; /* rand() is another one in each libc */

static int any(void) {
    return (int)below(&chance, 1 << 30);
}

/* A reference, mostly to an index. Appends the stream of an inline string, some of which differ in the middle alone. */
static uint64_t any_string(uint64_t *w, size_t *n) {
    static const uint64_t some[] = {0, 1, 2, 3, 4, 5, 6, 40, 300, 0x7fff, 301, 41, 7};
    if (any() % 300 == 0)
        return 0x8000 + (uint64_t)any() % 0x8000; /* longer than the record */
    if (any() % 8)
        return some[(size_t)any() % (any() % 20 == 0 ? 13 : 11)];
    uint64_t bytes = (uint64_t)any() % 26;
    for (uint64_t at = 0; at < bytes; at += 8)
        w[(*n)++] = UINT64_C(0x6161616161616161) + (at == 8 ? (uint64_t)any() % 3 : 0);
    return 0x8000 + bytes;
}

/* An argument; few are malformed. */
static void any_argument(uint64_t *w, size_t *n) {
    size_t first = (*n)++;
    uint64_t type = (uint64_t)(any() % 50 == 0 ? any() % 16 : any() % 11), value = (uint64_t)any();
    uint64_t name = any_string(w, n);
    if (type == FXT_ARG_STRING) {
        value = any_string(w, n);
    } else if (type == FXT_ARG_BLOB) {
        value = (uint64_t)any() % 140;
        for (uint64_t at = 0; at < value; at += 8)
            w[(*n)++] = (uint64_t)any();
    } else if (type != 6 && type > 2 && type < 9) {
        w[(*n)++] = (uint64_t)any();
    }
    for (int more = any() % 30 == 0 ? any() % 24 : 0; more > 0; more--) /* the format may grow */
        w[(*n)++] = (uint64_t)any();
    uint64_t size = *n - first;
    if (any() % 80 == 0)
        size = (uint64_t)any() % 6;
    w[first] = type | size << 4 | name << 16 | value << 32;
}

/* A switch of subtype 0: threads by index or inline. */
static void any_legacy_switch(uint64_t *w, size_t *n, uint64_t time) {
    static const uint64_t threads[] = {1, 2, 3, 200, 0, 4};
    size_t first = *n;
    *n += 2;
    uint64_t header = (uint64_t)any() % 256 << 16 | (uint64_t)any() % 16 << 24;
    for (int i = 0; i < 2; i++) {
        uint64_t thread = threads[any() % (any() % 40 == 0 ? 6 : 5)];
        header |= thread << (28 + 8 * i) | (uint64_t)any() % 3 << (44 + 8 * i);
        for (int k = 0; thread == 0 && k < 2 && any() % 40; k++)
            w[(*n)++] = k == 0 ? 10 : 100 + (uint64_t)any() % 9;
    }
    w[first] = 8 | (*n - first) << 4 | header;
    w[first + 1] = time;
}

static void any_event(uint64_t *w, size_t *n, uint64_t time) {
    static const uint64_t threads[] = {1, 2, 3, 200, 0, 9, 4};
    size_t first = *n;
    uint64_t kind = (uint64_t)(any() % 2 ? 2 + any() % 3 : any() % 12), argc = (uint64_t)any() % 4;
    uint64_t thread = threads[(size_t)any() % (any() % 40 == 0 ? 7 : 5)], category = 0, name = 0;
    bool sched = any() % 8 == 0;
    *n += 2;
    for (int i = sched ? any() % 8 == 0 ? any() % 3 : 1 + (int)(kind & 1) : thread == 0 ? 2 : 0; i > 0; i--)
        w[(*n)++] = i == 2 ? 10 : 100 + (uint64_t)any() % 9;
    if (!sched) {
        category = any_string(w, n);
        name = any_string(w, n);
    }
    for (uint64_t i = 0; i < argc; i++)
        any_argument(w, n);
    if (!sched && any() % 50 && kind != 2 && kind != 3)
        w[(*n)++] = time + (uint64_t)(any() % 9 - (any() % 40 == 0 ? 4 : 0));
    uint64_t size = *n - first;
    if (any() % 100 == 0)
        argc = (uint64_t)any() % 16;
    w[first] = 4 | size << 4 | kind << 16 | argc << 20 | thread << 24 | category << 32 | name << 48;
    w[first + 1] = time;
    if (sched) /* mostly a wakeup or a switch, of as many words */
        w[first] = 8 | size << 4 | argc << 16 | (uint64_t)(any() % 5) << 20 | (uint64_t)(any() % 16) << 36 |
                   (any() % 20 ? 2 - (kind & 1) : (uint64_t)any() % 4) << 60;
}

/* Records as words: events, most of them plain, and what changes what they mean. */
static size_t any_records(uint64_t *w, size_t most) {
    static const uint64_t indices[] = {1, 2, 3, 4, 5, 6, 40, 300, 0x7fff, 301};
    static const uint64_t rates[] = {1000000000, 1000000000, 1000000000,        3,          24000000, 2112000123,
                                     1,          0,          UINT64_C(1) << 62, UINT64_MAX, 999999937};
    size_t n = 0;
    uint64_t time = 1000;
    w[n++] = UINT64_C(0x0016547846040010);
    for (unsigned i = 0; i < 9; i++) {
        w[n++] = 2 | 2 << 4 | indices[i] << 16 | UINT64_C(1) << 32;
        w[n++] = 'a' + i % 6;
    }
    for (unsigned i = 1; i <= 4; i++) {
        w[n++] = 3 | 3 << 4 | (i == 4 ? 200 : i) << 16;
        w[n++] = 10;
        w[n++] = 100 + i;
    }
    while (n + 512 < most) {
        switch (any() % 400) {
        case 0: /* a provider's section, or its introduction */
            w[n++] = UINT64_C(0x20010) | (uint64_t)(any() % 3) << 20;
            break;
        case 1: /* an index means something else */
        case 2:
            w[n++] = 2 | 2 << 4 | indices[any() % 10] << 16 | UINT64_C(1) << 32;
            w[n++] = 'a' + (uint64_t)any() % 8;
            break;
        case 3:
            w[n++] = 3 | 3 << 4 | (uint64_t)(any() % 2 ? 9 : 1 + any() % 4) << 16;
            w[n++] = 10;
            w[n++] = 100 + (uint64_t)any() % 5;
            break;
        case 4: /* lost records */
            w[n++] = UINT64_C(0x30010) | (uint64_t)(any() % 3) << 20;
            break;
        case 5:
            w[n++] = 1 | 2 << 4; /* ticks a second */
            w[n++] = rates[any() % 11];
            break;
        case 6: /* a time that is late */
            time = any() % 2 ? UINT64_C(1) << (58 + any() % 4) : any() % 2 ? 1000 : (uint64_t)any() << (any() % 34);
            break;
        default:
            time += (uint64_t)(any() % 5 - 1);
            if (any() % 30 == 0)
                any_legacy_switch(w, &n, time);
            else
                any_event(w, &n, time);
            break;
        }
    }
    return n;
}

/* Times by 128-bit arithmetic. */
static void times_are_exact(const struct reader *r, const struct calls *calls, const uint64_t *words, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (calls->at[i].kind == 0)
            continue;
        const struct provider *p = reader_provider((struct reader *)r, calls->at[i].provider);
        struct wide ns = reader_ns_at(r, p, i * 8, record_order(words[i + 1], false));
        ck_assert_int_eq(calls->at[i].time, wide_diff(ns, reader_base(r), INT64_C(1) << 61));
    }
}

START_TEST(plain_events_are_reported_alike_on_both_paths) {
    static uint64_t words[40000];
    static struct calls fast, general;
    uint64_t by_buffers = 0, by_events = 0, lost = 0;
    for (unsigned set = 0; set < 80; set++) {
        char path[SCRATCH_PATH];
        chance.seed = (set + 1) * UINT64_C(0x9e3779b97f4a7c15);
        size_t n = any_records(words, 600 + 900 * (set % 40));
        for (size_t i = 0; i < n; i++)
            words[i] = record_order(words[i], false);
        struct trace_bytes bytes = {(unsigned char *)words, 8 * n};
        save(&bytes, path);
        struct file *file, *other;
        struct reader *a = read_calls(path, &file, &fast, true), *b = read_calls(path, &other, &general, false);
        ck_assert_msg(memcmp(fast.at, general.at, sizeof fast.at) == 0, "set %u", set);
        ck_assert_uint_eq(fast.problems, general.problems);
        times_are_exact(a, &fast, words, n);
        ck_assert_uint_eq(names_count(reader_names(a)), names_count(reader_names(b)));
        ck_assert_uint_eq(reader_min(a).lo, reader_min(b).lo);
        ck_assert_uint_eq(reader_wide(a), reader_wide(b));
        struct bulk_stretch bulk = {0}, other_bulk = {0};
        ck_assert_int_eq(reader_bulk_find(a, &bulk), reader_bulk_find(b, &other_bulk));
        ck_assert(bulk.from == other_bulk.from && bulk.to == other_bulk.to && bulk.far == other_bulk.far);
        ck_assert_uint_eq(threads_count(reader_threads(a)), threads_count(reader_threads(b)));
        for (int kind = 0; kind < FXT_K_COUNT; kind++)
            ck_assert_uint_eq(reader_kind_count(a, (enum fxt_kind)kind), reader_kind_count(b, (enum fxt_kind)kind));
        for (size_t i = 0; i < reader_provider_count(a); i++) {
            ck_assert_uint_eq(reader_provider(a, i)->records, reader_provider(b, i)->records);
            ck_assert_int_eq(reader_provider(a, i)->last_time, reader_provider(b, i)->last_time);
        }
        by_buffers += fast.by_buffers;
        by_events += fast.by_events;
        lost += fast.lost;
        reader_free(a);
        reader_free(b);
        file_close(file);
        file_close(other);
        unlink(path);
    }
    ck_assert_uint_gt(by_buffers, 20000);
    ck_assert_uint_gt(by_events, 20000);
    ck_assert_uint_gt(lost, 100);
}
END_TEST

/* ---- little address space ---- */

#if defined(__SANITIZE_ADDRESS__) /* needs terabytes of it */
#elif defined(__has_feature)
#if !__has_feature(address_sanitizer)
#define HAS_LIMITS 1
#endif
#else
#define HAS_LIMITS 1
#endif

#ifdef HAS_LIMITS
/* Reads each record again, from the last to the first. */
static uint64_t found_again(const char *path, size_t *most) {
    struct err err;
    struct seen seen = {0};
    struct sink sink = {&seen, NULL, NULL, on_record, on_problem};
    struct file *file = file_open(path, NULL, &err);
    if (file == NULL)
        _exit(3);
    struct reader *reader = reader_new(file, &sink);
    while (reader_step(reader, 1 << 20) == READER_MORE)
        continue;
    uint64_t n = 0, sum = seen.sum;
    for (uint64_t i = 64; i-- > 0;) {
        struct fxt_record record;
        struct reader_frame frame;
        struct provider *provider;
        if (!reader_record_at(reader, seen.offsets[i], &record, &provider) ||
            !reader_frame_at(reader, seen.offsets[i], &frame))
            _exit(4);
        sum = sum * 31 + (uint64_t)record.kind + frame.size + frame.bytes;
    }
    /* Bytes that are no record, from the end: half a word, zeros, garbage. */
    uint64_t end = file_size(file) / 8 * 8;
    for (uint64_t at = end; n < 400; n++, at -= n % 7 * 8000) {
        struct fxt_record record;
        struct reader_frame frame;
        bool found = reader_record_at(reader, at, &record, NULL);
        if (!reader_frame_at(reader, at, &frame) || (at == end && (found || frame.kind != FRAME_BYTES)))
            _exit(5);
        sum = sum * 31 + (uint64_t)frame.kind + frame.size + frame.bytes;
    }
    struct fxt_record record;
    struct reader_frame frame;
    if (reader_record_at(reader, end + 8, &record, NULL) || reader_frame_at(reader, end + 8, &frame))
        _exit(6); /* after all */
    if (reader_step(reader, 8) != READER_END || reader_resume(reader))
        _exit(7); /* there is a word that is not whole */
    file_span(file, 0, SIZE_MAX, most);
    reader_free(reader);
    file_close(file);
    return sum;
}

/* Large records between small ones, garbage, and a long run that is plain: windows end anywhere in them. */
START_TEST(a_window_that_moves_is_not_seen) {
    static uint64_t words[400000];
    char path[SCRATCH_PATH];
    FILE *f = fdopen(scratch_file(path, "reader"), "wb");
    ck_assert_ptr_nonnull(f);
    struct writer w;
    struct err err;
    writer_init(&w, f);
    writer_magic(&w);
    writer_init_record(&w, 1000000000);
    writer_thread(&w, 1, 7, 8);
    writer_string(&w, 1, STR("name"));
    chance.seed = 5;
    for (uint64_t i = 0; i < 400000; i++)
        words[i] = i * UINT64_C(0x9e3779b97f4a7c15) & ~UINT64_C(15);
    for (int i = 0; i < 60; i++) {
        uint64_t size = i == 0 ? 399999 : 1 + (uint64_t)any() % (i % 5 == 0 ? 399999 : 5000);
        words[0] = 15 | size << 4 | UINT64_C(9) << 36; /* a large record of a type that is not known */
        writer_bytes(&w, (const char *)words, size * 8);
        for (int k = 0; k < 4000; k++)
            writer_complete(&w,
                            &(struct writer_event){.ts = (uint64_t)(i * 4000 + k) * 10,
                                                   .thread = {.index = 1},
                                                   .category = writer_index(1),
                                                   .name = writer_index(1)},
                            (uint64_t)(i * 4000 + k) * 10 + 5);
        if (i % 20 == 7)
            writer_bytes(&w, (const char *)(words + 1), 24000); /* headers of size 0, and others */
    }
    memset(words, 0, sizeof words);
    writer_bytes(&w, (const char *)words, sizeof words); /* more zeros than are looked at for a frame */
    words[0] = 15;
    writer_bytes(&w, (const char *)words, sizeof words); /* and a size of 0 before more of them */
    writer_bytes(&w, "half", 4);
    ck_assert(writer_flush(&w, &err));
    writer_free(&w);
    fclose(f);
    size_t whole;
    uint64_t sum = found_again(path, &whole);
    pid_t child = fork();
    if (child == 0) {
        unsigned long pages = 0;
        FILE *statm = fopen("/proc/self/statm", "r");
        if (statm == NULL || fscanf(statm, "%lu", &pages) != 1)
            _exit(5);
        fclose(statm);
        rlim_t most = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (12 << 20);
        setrlimit(RLIMIT_AS, &(struct rlimit){most, most});
        size_t part;
        bool same = found_again(path, &part) == sum;
        _exit(!same ? 1 : part < whole ? 0 : 2);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %d", status);
    unlink(path);
}
END_TEST
#endif

/* Without the magic a chain of records proves a trace; while bytes may follow, the reader waits for a whole one. */
START_TEST(what_comes_by_and_by_may_turn_out_to_be_a_trace) {
    struct err err;
    for (int good = 0; good < 2; good++) {
        struct trace_bytes bytes = tracegen("thread 1 7 8\nstring 1 \"a long name of a thing\"\ninstant 5 t1 \"c\" s1\n"
                                            "instant 6 t1 \"c\" s1\ninstant 7 t1 \"c\" s1\n", &err);
        ck_assert_ptr_nonnull(bytes.v);
        if (!good)
            bytes.v[24] = 0xff; /* what follows is no record */
        int ends[2], saved = dup(STDIN_FILENO);
        ck_assert_int_eq(pipe(ends), 0);
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        ck_assert_int_eq(write(ends[1], bytes.v, 4), 4); /* what opening waits for */
        struct file *file = file_open("-", NULL, &err);
        dup2(saved, STDIN_FILENO);
        close(saved);
        ck_assert_ptr_nonnull(file);
        struct seen seen = {0};
        struct sink sink = {&seen, NULL, NULL, on_record, on_problem};
        struct reader *reader = reader_new(file, &sink);
        enum reader_state state = READER_WAIT;
        for (size_t i = 4; i < bytes.n; i++) {
            ck_assert_int_eq(write(ends[1], bytes.v + i, 1), 1);
            file_step(file, 1 << 20, 0);
            while ((state = reader_step(reader, 8)) == READER_MORE)
                continue;
            if (state == READER_ALIEN)
                break;
        }
        close(ends[1]);
        while (state == READER_WAIT || state == READER_MORE) {
            file_step(file, 1 << 20, 0);
            state = reader_step(reader, 1 << 20);
        }
        ck_assert_int_eq(state, good ? READER_END : READER_ALIEN);
        ck_assert_uint_eq(seen.records, good ? 5 : 0);
        if (good) {
            ck_assert_int_eq(reader_step(reader, 8), READER_END);
            ck_assert(reader_resume(reader)); /* all was whole: more may follow */
            ck_assert(reader_resume(reader));
            ck_assert_int_eq(reader_step(reader, 8), READER_END);
        }
        reader_free(reader);
        file_close(file);
        free(bytes.v);
    }
}
END_TEST

Suite *suite_reader(void) {
    Suite *s = suite_create("reader");
    TCase *t = tcase_create("stream");
    tcase_add_test(t, a_run_of_zeros_is_one_note);
    tcase_add_test(t, a_switch_holds_from_its_own_record_on);
    tcase_add_test(t, resynchronising_asks_for_a_chain);
    tcase_add_test(t, fewer_than_a_chain_do_at_the_end);
    tcase_add_test(t, a_record_past_the_end_hides_nothing_after_it);
    tcase_add_test(t, a_large_record_of_32_GiB_allocates_nothing);
    tcase_add_test(t, both_byte_orders_read_alike);
    tcase_add_test(t, what_is_no_trace_is_refused);
    tcase_add_test(t, plain_events_are_reported_alike_on_both_paths);
    tcase_add_test(t, what_comes_by_and_by_may_turn_out_to_be_a_trace);
#ifdef HAS_LIMITS
    tcase_add_test(t, a_window_that_moves_is_not_seen);
#endif
    suite_add_tcase(s, t);
    return s;
}
