/* suite_reader_fast.c - the fast path of plain events reports the same as the general path.
 *
 * Sets of random words, most of which are records, are read twice: by a sink with buffers and
 * events, and by one that takes records alone. Each notes its calls by the word of the record in
 * the file, and the notes must be equal. */
#include <string.h>
#include <unistd.h>

#include "src/fxt/reader_internal.h"
#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

#define WATCHED 3 /* a name: its durations come as records */
#define SHARED 63 /* a buffer */

struct calls { /* of the sink, by the word of the record in the file */
    struct {
        int64_t time, end;
        uint64_t id, args;
        uint32_t thread, thread2, category, name, provider;
        enum fxt_kind kind; /* 0: no call */
    } at[40000];
    /* of a thread, the last one of every third: its buffer of durations, and their provider */
    struct {
        struct duration_buffer space;
        struct duration v[5];
        uint32_t threads[5]; /* of the last one */
        uint32_t provider;
    } buffers[64];
    uint64_t problems, lost, by_buffers, by_events, logs;
    struct reader *reader;
};

static void collect(struct calls *calls, uint32_t thread) {
    static const enum fxt_kind kinds[] = {FXT_K_DURATION_COMPLETE, FXT_K_DURATION_BEGIN,
                                          FXT_K_DURATION_END};
    struct duration_buffer *space = &calls->buffers[thread].space;
    for (const struct duration *d = calls->buffers[thread].v; d < space->next; d++) {
        uint64_t word = event_offset(d->packed) / 8;
        ck_assert_int_eq(calls->at[word].kind, 0);
        ck_assert_uint_ne(event_name(d->packed), WATCHED);
        calls->at[word].time = d->time;
        calls->at[word].end = d->dur >= 0 ? d->time + d->dur : d->time;
        calls->at[word].thread = thread == SHARED
                                     ? calls->buffers[SHARED].threads[d - calls->buffers[SHARED].v]
                                     : thread;
        calls->at[word].thread2 = NO_THREAD;
        calls->at[word].name = event_name(d->packed);
        calls->at[word].provider = calls->buffers[thread].provider;
        calls->at[word].kind = kinds[d->dur >= 0 ? 0 : -d->dur];
        calls->by_buffers++;
    }
    ck_assert(thread != SHARED || space->thread - calls->buffers[SHARED].threads ==
                                      space->next - calls->buffers[SHARED].v);
    space->next = calls->buffers[thread].v;
    space->thread = thread == SHARED ? calls->buffers[SHARED].threads : NULL;
}

static struct duration_buffer *report_buffer(void *ctx, uint32_t thread,
                                             const struct provider *provider) {
    struct calls *calls = ctx;
    ck_assert_uint_lt(thread, SHARED);
    thread = thread % 3 == 0 ? SHARED : thread;
    struct duration_buffer *space = &calls->buffers[thread].space;
    if (thread == SHARED && space->next < space->end && space->next > calls->buffers[SHARED].v &&
        calls->buffers[SHARED].provider == provider->number)
        return space;
    collect(calls, thread);
    calls->buffers[thread].provider = provider->number;
    space->provider = provider;
    space->end = space->next + 1 + (calls->by_buffers + thread) % 5;
    return space;
}

/* With what the names of arguments mean while the sink has the event. */
static uint64_t arguments(const struct calls *calls, const struct fxt_arguments *args) {
    uint64_t all = args->count;
    struct fxt_arguments left = *args;
    struct fxt_argument_value v;
    char buf[24];
    for (size_t i = 0; i < args->n; i++)
        all = (all ^ args->words[i]) * UINT64_C(0x9e3779b97f4a7c15);
    while (record_argument(&left, &v) > 0) {
        struct str name = reader_string_now(calls->reader, &v.name, buf);
        for (size_t i = 0; i < name.n; i++)
            all = (all ^ (unsigned char)name.s[i]) * UINT64_C(0x9e3779b97f4a7c15);
    }
    return all;
}

static void report_event(struct calls *calls, const struct plain_event *e,
                         const struct provider *provider) {
    uint64_t word = e->offset / 8;
    bool sched = e->kind >= FXT_K_SWITCH_LEGACY && e->kind <= FXT_K_WAKEUP,
         bare = sched || e->kind == FXT_K_LOG;
    ck_assert_int_eq(calls->at[word].kind, 0);
    calls->at[word].time = calls->at[word].end = e->time;
    bool has_id = e->kind != FXT_K_LOG && e->kind != FXT_K_INSTANT;
    struct fxt_arguments args = plain_arguments(e);
    calls->at[word].id = has_id ? e->id : 0;
    calls->at[word].args = arguments(calls, &args);
    calls->at[word].thread = e->thread;
    calls->at[word].thread2 = sched ? e->thread2 : NO_THREAD;
    calls->at[word].category = bare ? 0 : e->category;
    calls->at[word].name = bare ? 0 : e->name;
    calls->at[word].provider = provider->number;
    calls->at[word].kind = (enum fxt_kind)e->kind;
    calls->by_events++;
    calls->logs += e->kind == FXT_K_LOG;
}

static void report_events(void *ctx, const struct plain_event *events, size_t n,
                          const struct provider *provider) {
    for (size_t i = 0; i < n; i++)
        report_event(ctx, &events[i], provider);
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
        bool sched = kind >= FXT_K_SWITCH_LEGACY && kind <= FXT_K_WAKEUP,
             legacy = kind == FXT_K_SWITCH_LEGACY;
        calls->at[word].id = sched ? plain_sched(kind, r->sched.cpu, r->sched.state,
                                                 legacy && r->sched.out_priority == 0,
                                                 legacy && r->sched.in_priority == 0)
                             : kind == FXT_K_INSTANT || kind == FXT_K_LOG ? 0
                                                                          : r->id;
        calls->at[word].args = arguments(calls, &r->args);
        calls->at[word].category = item->category;
    }
    calls->at[word].time = item->time;
    calls->at[word].end = item->end;
    calls->at[word].thread = item->thread;
    calls->at[word].thread2 = item->thread2;
    calls->at[word].name = item->name;
    calls->at[word].provider = item->provider->number;
    calls->at[word].kind = kind;
}

static void report_problem(void *ctx, enum problem_kind kind, uint64_t offset, uint64_t detail,
                           int64_t time) {
    struct calls *calls = ctx;
    calls->problems =
        (calls->problems ^ (kind + offset * 100 + detail)) * UINT64_C(0x9e3779b97f4a7c15);
    (void)time;
}

static struct reader *read_calls(const char *path, struct file **file, struct calls *calls,
                                 bool buffers) {
    struct err err;
    *file = file_open(path, NULL, &err);
    ck_assert_ptr_nonnull(*file);
    struct sink sink = {calls, buffers ? report_buffer : NULL, buffers ? report_events : NULL,
                        report_record, report_problem, NULL};
    memset(calls, 0, sizeof *calls);
    for (size_t i = 0; i < sizeof calls->buffers / sizeof *calls->buffers; i++)
        calls->buffers[i].space = (struct duration_buffer){calls->buffers[i].v, calls->buffers[i].v,
                                                           calls->buffers[i].threads, NULL};
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

/* A reference, mostly to an index. Appends the stream of an inline string, some of which differ in
 * the middle alone. */
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

/* A log record, whose message may be longer than its words, or shorter. */
static void any_log(uint64_t *w, size_t *n, uint64_t time) {
    static const uint64_t threads[] = {1, 2, 3, 200, 0, 4};
    size_t first = *n;
    uint64_t thread = threads[any() % (any() % 40 == 0 ? 6 : 5)], bytes = (uint64_t)any() % 40;
    *n += 2;
    for (int k = 0; thread == 0 && k < 2; k++)
        w[(*n)++] = k == 0 ? 10 : 100 + (uint64_t)any() % 9;
    for (uint64_t at = 0; at < bytes; at += 8)
        w[(*n)++] = (uint64_t)any();
    uint64_t size = *n - first + (uint64_t)(any() % 40 == 0 ? any() % 3 : 0);
    size = any() % 40 == 0 ? 2 + (uint64_t)any() % (size - 1) : size;
    w[first] = 9 | size << 4 | bytes << 16 | thread << 32;
    w[first + 1] = time;
    *n = first + size; /* words from before are in the longer ones */
}

static void any_event(uint64_t *w, size_t *n, uint64_t time) {
    static const uint64_t threads[] = {1, 2, 3, 200, 0, 9, 4};
    size_t first = *n;
    uint64_t kind = (uint64_t)(any() % 2 ? 2 + any() % 3 : any() % 12), argc = (uint64_t)any() % 4;
    uint64_t thread = threads[(size_t)any() % (any() % 40 == 0 ? 7 : 5)], category = 0, name = 0;
    bool sched = any() % 8 == 0;
    *n += 2;
    for (int i = sched         ? any() % 8 == 0 ? any() % 3 : 1 + (int)(kind & 1)
                         : thread == 0 ? 2
                               : 0;
         i > 0; i--)
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
        w[first] = 8 | size << 4 | argc << 16 | (uint64_t)(any() % 5) << 20 |
                   (uint64_t)(any() % 16) << 36 |
                   (any() % 20 ? 2 - (kind & 1) : (uint64_t)any() % 4) << 60;
}

static const uint64_t indices[] = {1, 2, 3, 4, 5, 6, 40, 300, 0x7fff, 301};

/* A string record; few have another size than their text needs, or index 0. */
static void any_definition(uint64_t *w, size_t *n) {
    uint64_t bytes = any() % 8 ? 1 : (uint64_t)any() % 20, size = 1 + (bytes + 7) / 8;
    uint64_t declared = any() % 20 == 0 ? 1 + (uint64_t)any() % 4 : size;
    w[*n] = 2 | declared << 4 | (any() % 30 ? indices[any() % 10] : 0) << 16 | bytes << 32;
    for (uint64_t i = 1; i < size || i < declared; i++)
        w[*n + i] = 'a' + (uint64_t)any() % 8;
    *n += declared;
}

/* Records as words: events, most of them plain, and the records that define their references. */
static size_t any_records(uint64_t *w, size_t most) {
    static const uint64_t rates[] = {1000000000,        1000000000, 1000000000, 3,
                                     24000000,          2112000123, 1,          0,
                                     UINT64_C(1) << 62, UINT64_MAX, 999999937};
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
            any_definition(w, &n);
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
            time = any() % 2   ? UINT64_C(1) << (58 + any() % 4)
                   : any() % 2 ? 1000
                               : (uint64_t)any() << (any() % 34);
            break;
        default:
            time += (uint64_t)(any() % 5 - 1);
            if (any() % 30 == 0)
                any_legacy_switch(w, &n, time);
            else if (any() % 16 == 0)
                any_log(w, &n, time);
            else if (any() % 16 == 0)
                any_definition(w, &n);
            else
                any_event(w, &n, time);
            break;
        }
    }
    w[n++] = UINT64_C(0x20010) | 7 << 20; /* a provider that has strings and no event */
    any_definition(w, &n);
    return n;
}

/* Times by 128-bit arithmetic. */
static void times_are_exact(const struct reader *r, const struct calls *calls,
                            const uint64_t *words, size_t n) {
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
    uint64_t by_buffers = 0, by_events = 0, lost = 0, logs = 0;
    for (unsigned set = 0; set < 80; set++) {
        char path[SCRATCH_PATH];
        chance.seed = (set + 1) * UINT64_C(0x9e3779b97f4a7c15);
        size_t n = any_records(words, 600 + 900 * (set % 40));
        for (size_t i = 0; i < n; i++)
            words[i] = record_order(words[i], false);
        ck_assert(scratch_write(path, "reader", words, 8 * n));
        struct file *file, *other;
        struct reader *a = read_calls(path, &file, &fast, true),
                      *b = read_calls(path, &other, &general, false);
        ck_assert_msg(memcmp(fast.at, general.at, sizeof fast.at) == 0, "set %u", set);
        ck_assert_uint_eq(fast.problems, general.problems);
        times_are_exact(a, &fast, words, n);
        ck_assert_uint_eq(names_count(reader_names(a)), names_count(reader_names(b)));
        ck_assert_uint_eq(reader_min(a).lo, reader_min(b).lo);
        ck_assert_uint_eq(reader_wide(a), reader_wide(b));
        struct bulk_stretch bulk = {0}, other_bulk = {0};
        ck_assert_int_eq(reader_bulk_find(a, 0, &bulk), reader_bulk_find(b, 0, &other_bulk));
        ck_assert(bulk.from == other_bulk.from && bulk.to == other_bulk.to &&
                  bulk.far == other_bulk.far);
        ck_assert_uint_eq(threads_count(reader_threads(a)), threads_count(reader_threads(b)));
        for (int kind = 0; kind < FXT_K_COUNT; kind++)
            ck_assert_uint_eq(reader_kind_count(a, (enum fxt_kind)kind),
                              reader_kind_count(b, (enum fxt_kind)kind));
        for (size_t i = 0; i < reader_provider_count(a); i++) {
            ck_assert_uint_eq(reader_provider(a, i)->records, reader_provider(b, i)->records);
            ck_assert_int_eq(reader_provider(a, i)->last_time, reader_provider(b, i)->last_time);
        }
        by_buffers += fast.by_buffers;
        by_events += fast.by_events;
        lost += fast.lost;
        logs += fast.logs;
        reader_free(a);
        reader_free(b);
        file_close(file);
        file_close(other);
        unlink(path);
    }
    ck_assert_uint_gt(by_buffers, 20000);
    ck_assert_uint_gt(by_events, 20000);
    ck_assert_uint_gt(lost, 100);
    ck_assert_uint_gt(logs, 2000);
}
END_TEST

/* ---- inline threads ---- */

#define MANY 40000 /* threads */

struct crowd {
    struct duration_buffer space;
    struct duration v[50];
    uint32_t threads[50];
    struct reader *reader;
    const uint64_t *words;
    uint64_t durations, records;
};

/* Each duration has the thread that its record has, its words 2 and 3. */
static void check_crowd(struct crowd *crowd) {
    for (struct duration *d = crowd->v; d < crowd->space.next; d++, crowd->durations++) {
        const uint64_t *w = crowd->words + event_offset(d->packed) / 8;
        const struct thread_id *id =
            threads_id(reader_threads(crowd->reader), crowd->threads[d - crowd->v]);
        MUST(id->pid == w[2] && id->tid == w[3], event_offset(d->packed));
    }
    crowd->space =
        (struct duration_buffer){crowd->v, crowd->v + 50, crowd->threads, crowd->space.provider};
}

static struct duration_buffer *crowd_buffer(void *ctx, uint32_t thread,
                                            const struct provider *provider) {
    struct crowd *crowd = ctx;
    (void)thread;
    if (crowd->space.next == crowd->space.end || crowd->space.provider != provider)
        check_crowd(crowd);
    crowd->space.provider = provider;
    return &crowd->space;
}

static void no_events(void *ctx, const struct plain_event *events, size_t n,
                      const struct provider *provider) {
    (void)ctx, (void)events, (void)n, (void)provider;
    ck_abort();
}

static void crowd_record(void *ctx, const struct item *item) {
    ((struct crowd *)ctx)->records += item->is_event;
}

static void no_problem(void *ctx, enum problem_kind kind, uint64_t offset, uint64_t detail,
                       int64_t time) {
    (void)ctx, (void)kind, (void)offset, (void)detail, (void)time;
    ck_abort();
}

/* Ids in order, and anywhere, so that many of them share a place in the table of inline threads
 * while it grows. Some have the same thread id in two processes. */
START_TEST(tens_of_thousands_of_inline_threads_keep_their_durations) {
    static uint64_t words[MANY * 4 * 4 + 100], tids[MANY];
    static struct crowd crowd;
    char path[SCRATCH_PATH];
    struct err err;
    size_t n = 0;
    chance.seed = 577215;
    for (int i = 0; i < MANY; i++)
        tids[i] = i % 2 ? (uint64_t)i : (uint64_t)any() << 32 | (uint64_t)any();
    words[n++] = UINT64_C(0x0016547846040010);
    for (int i = 0; i < 3 * MANY; i++) {
        int k = i < MANY ? i : any() % MANY;
        words[n++] = 4 | 4 << 4 | FXT_DURATION_BEGIN << 16;
        words[n++] = (uint64_t)i;
        words[n++] = (uint64_t)(k % 5);
        words[n++] = tids[k - k % 3];
    }
    for (size_t i = 0; i < n; i++)
        words[i] = record_order(words[i], false);
    ck_assert(scratch_write(path, "crowd", words, 8 * n));
    for (size_t i = 0; i < n; i++)
        words[i] = record_order(words[i], false);
    struct file *file = file_open(path, NULL, &err);
    struct sink sink = {&crowd, crowd_buffer, no_events, crowd_record, no_problem, NULL};
    crowd = (struct crowd){.words = words};
    crowd.reader = reader_new(file, &sink);
    while (reader_step(crowd.reader, 50000) == READER_MORE)
        ;
    check_crowd(&crowd);
    ck_assert_uint_eq(crowd.durations + crowd.records, 3 * MANY);
    ck_assert_uint_lt(crowd.records, 100);
    ck_assert_uint_ge(crowd.reader->near->pair_places, threads_count(reader_threads(crowd.reader)));
    reader_free(crowd.reader);
    file_close(file);
    unlink(path);
}
END_TEST

SUITE(reader_fast) {
    Suite *s = suite_create("reader_fast");
    TCase *t = tcase_create("paths");
    tcase_add_test(t, plain_events_are_reported_alike_on_both_paths);
    tcase_add_test(t, tens_of_thousands_of_inline_threads_keep_their_durations);
    suite_add_tcase(s, t);
    return s;
}
