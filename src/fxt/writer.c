/* writer.c - writes records.
 *
 * A record is begun with its header, grows word by word, and gets its size at the end. If something
 * does not fit, all of the record is cut off again. */
#include "src/fxt/writer.h"

#include <errno.h>

#include "src/base/map.h"
#include "src/fxt/record.h"

#define FLUSH_AT ((size_t)1 << 20) /* bytes that wait for the file */
#define STRINGS 32767
#define THREADS 255

struct writer_tables {
    struct map strings, threads;
    VEC(struct str) texts; /* owned; [i] has index i + 1 */
    VEC(struct writer_thread) pairs;
};

/* One record under construction. */
struct record {
    struct writer *w;
    size_t start; /* in w->bytes */
    bool ok;
};

static uint64_t in_order(const struct writer *w, uint64_t word) {
    return record_order(word, w->big_endian);
}

static void put(struct writer *w, const void *bytes, size_t n) {
    vec_reserve(&w->bytes, w->bytes.n + n);
    if (n > 0)
        memcpy(w->bytes.v + w->bytes.n, bytes, n);
    w->bytes.n += n;
}

static bool fail(struct writer *w, uint64_t at, const char *what) {
    if (!w->failed)
        err_set(&w->err, at, "%s", what);
    w->failed = true;
    return false;
}

static void drain(struct writer *w) {
    if (w->file != NULL && w->bytes.n > 0) {
        if (fwrite(w->bytes.v, 1, w->bytes.n, w->file) != w->bytes.n)
            fail(w, writer_offset(w), strerror(errno));
        w->flushed += w->bytes.n;
        w->bytes.n = 0;
    }
}

static void refuse(struct record *r, const char *what) {
    if (r->ok)
        fail(r->w, r->w->flushed + r->start, what);
    r->ok = false;
}

/* A value that its field cannot hold would silently become another one. */
static uint64_t fitting(struct record *r, uint64_t value, int bits, const char *what) {
    if (value >> bits != 0)
        refuse(r, what);
    return value;
}

static void word(struct record *r, uint64_t value) {
    value = in_order(r->w, value);
    put(r->w, &value, 8);
}

static void stream(struct record *r, struct str s) {
    static const char zeros[8];
    put(r->w, s.s, s.n);
    put(r->w, zeros, -s.n % 8);
}

static struct record begin(struct writer *w, uint64_t header) {
    struct record r = {w, w->bytes.n, true};
    word(&r, header);
    return r;
}

static bool is_moment(uint64_t header) {
    switch (FXT_BITS(header, 0, 3)) {
    case FXT_EVENT:
    case FXT_SCHEDULING:
    case FXT_LOG:
        return true;
    case FXT_LARGE:
        return FXT_BITS(header, 40, 43) == FXT_LARGE_EVENT;
    default:
        return false;
    }
}

/* The size goes into the header that begin() wrote: it is the same word in memory, in the trace's
 * byte order. */
static bool end(struct record *r) {
    struct writer *w = r->w;
    uint64_t words = (w->bytes.n - r->start) / 8, header;
    memcpy(&header, w->bytes.v + r->start, 8);
    header = in_order(w, header);
    bool large = FXT_BITS(header, 0, 3) == FXT_LARGE;
    if (words > (large ? UINT32_MAX : WRITER_RECORD_MAX))
        refuse(r, "the record is longer than its size field can say");
    if (!r->ok) {
        w->bytes.n = r->start;
        return false;
    }
    header = in_order(w, header | (large ? FXT_PUT(words, 4, 35) : FXT_PUT(words, 4, 15)));
    memcpy(w->bytes.v + r->start, &header, 8);
    w->records++;
    w->moments += is_moment(header);
    if (w->bytes.n >= FLUSH_AT)
        drain(w);
    return true;
}

/* The 16 bits of a string reference; its bytes, if inline, follow with string_stream(). */
static uint64_t string_ref(struct record *r, struct writer_string s) {
    if (s.text.s == NULL)
        return fitting(r, s.index, 15, "a string index above 32767");
    if (s.text.n > WRITER_STRING_MAX) {
        refuse(r, "a string of more than 32000 bytes");
        return 0;
    }
    return FXT_INLINE | s.text.n;
}

static void string_stream(struct record *r, struct writer_string s) {
    if (s.text.s != NULL && r->ok)
        stream(r, s.text);
}

static void inline_thread(struct record *r, struct writer_thread t) {
    if (t.index != 0)
        return;
    word(r, t.pid);
    if (!t.no_tid)
        word(r, t.tid);
}

static void argument(struct record *r, const struct writer_argument *a) {
    size_t start = r->w->bytes.n;
    uint64_t h = FXT_PUT(fitting(r, a->type, 4, "an argument type above 15"), 0, 3);
    word(r, 0); /* the header, once the size is known */
    h |= FXT_PUT(string_ref(r, a->name), 16, 31);
    string_stream(r, a->name);
    switch (a->type) {
    case FXT_ARG_INT32:
    case FXT_ARG_UINT32:
        h |= FXT_PUT(a->bits, 32, 63);
        break;
    case FXT_ARG_BOOL:
        h |= FXT_PUT(a->bits != 0, 32, 32);
        break;
    case FXT_ARG_INT64:
    case FXT_ARG_UINT64:
    case FXT_ARG_DOUBLE:
    case FXT_ARG_POINTER:
    case FXT_ARG_KOID:
        word(r, a->bits);
        break;
    case FXT_ARG_STRING:
        h |= FXT_PUT(string_ref(r, a->string), 32, 47);
        string_stream(r, a->string);
        break;
    case FXT_ARG_BLOB:
        h |= FXT_PUT(fitting(r, a->blob.n, 32, "a blob argument of 4 GiB"), 32, 63);
        if (r->ok)
            stream(r, a->blob);
        break;
    default:
        break;
    }
    uint64_t words = (r->w->bytes.n - start) / 8;
    if (words > WRITER_RECORD_MAX)
        refuse(r, "an argument longer than its size field can say");
    h = in_order(r->w, h | FXT_PUT(words, 4, 15));
    memcpy(r->w->bytes.v + start, &h, 8);
}

static void arguments(struct record *r, struct writer_arguments args) {
    for (size_t i = 0; i < args.n && r->ok; i++)
        argument(r, &args.v[i]);
}

static uint64_t count_of(struct record *r, struct writer_arguments args) {
    return fitting(r, args.n, 4, "more than 15 arguments");
}

/* Fields that need the checks of a record under construction are added to its header afterwards. */
static void add_to_header(struct record *r, uint64_t bits) {
    uint64_t h;
    memcpy(&h, r->w->bytes.v + r->start, 8);
    h |= in_order(r->w, bits);
    memcpy(r->w->bytes.v + r->start, &h, 8);
}

/* ---- the writer itself ---- */

void writer_init(struct writer *w, FILE *file) {
    *w = (struct writer){.file = file, .err.at = ERR_NO_OFFSET};
}

static void tables_free(struct writer_tables *t) {
    for (size_t i = 0; i < t->texts.n; i++)
        free((char *)t->texts.v[i].s);
    vec_free(&t->texts);
    vec_free(&t->pairs);
    map_free(&t->strings);
    map_free(&t->threads);
    free(t);
}

void writer_free(struct writer *w) {
    for (size_t i = 0; i < w->tables.n; i++)
        tables_free(w->tables.v[i]);
    vec_free(&w->tables);
    u64map_free(&w->places);
    vec_free(&w->bytes);
}

uint64_t writer_offset(const struct writer *w) {
    return w->flushed + w->bytes.n;
}

bool writer_flush(struct writer *w, struct err *err) {
    drain(w);
    if (w->file != NULL && fflush(w->file) != 0)
        fail(w, writer_offset(w), strerror(errno));
    return w->failed ? err_set(err, w->err.at, "%s", w->err.text) : true;
}

static struct writer_tables *tables_of(struct writer *w, uint32_t provider, bool implicit) {
    uint64_t key = implicit ? UINT64_MAX - 1 : provider, place = u64map_get(&w->places, key);
    if (place != UINT64_MAX)
        return w->tables.v[place];
    struct writer_tables *t = err_calloc(1, sizeof *t);
    u64map_set(&w->places, key, w->tables.n);
    vec_push(&w->tables, t);
    return t;
}

struct text_query {
    const struct writer_tables *tables;
    struct str text;
};

static bool same_text(const void *ctx, uint32_t number) {
    const struct text_query *q = ctx;
    return str_eq(q->tables->texts.v[number], q->text);
}

struct writer_string writer_intern(struct writer *w, struct str text) {
    if (text.n == 0)
        return writer_index(0);
    if (w->current == NULL)
        w->current = tables_of(w, 0, true);
    struct writer_tables *t = w->current;
    struct text_query q = {t, text};
    uint32_t *guess = map_guess(&t->strings, hash_sketch(text.s, text.n));
    if (*guess != 0 && same_text(&q, *guess - 1))
        return writer_index((uint16_t)*guess);
    uint64_t hash = hash_bytes(text.s, text.n);
    uint32_t number = map_find(&t->strings, hash, same_text, &q);
    if (number != UINT32_MAX) {
        *guess = number + 1;
        return writer_index((uint16_t)(number + 1));
    }
    if (t->texts.n >= STRINGS || !writer_string(w, (uint16_t)(t->texts.n + 1), text))
        return writer_inline(text);
    char *copy = err_malloc(text.n);
    memcpy(copy, text.s, text.n);
    map_add(&t->strings, hash, (uint32_t)t->texts.n);
    vec_push(&t->texts, ((struct str){copy, text.n}));
    return writer_index((uint16_t)t->texts.n);
}

struct pair_query {
    const struct writer_tables *tables;
    uint64_t pid, tid;
};

static bool same_pair(const void *ctx, uint32_t number) {
    const struct pair_query *q = ctx;
    const struct writer_thread *t = &q->tables->pairs.v[number];
    return t->pid == q->pid && t->tid == q->tid;
}

struct writer_thread writer_intern_thread(struct writer *w, uint64_t pid, uint64_t tid) {
    if (w->current == NULL)
        w->current = tables_of(w, 0, true);
    struct writer_tables *t = w->current;
    struct pair_query q = {t, pid, tid};
    uint64_t hash = hash_words(pid, tid);
    uint32_t number = map_find(&t->threads, hash, same_pair, &q);
    if (number != UINT32_MAX)
        return t->pairs.v[number];
    struct writer_thread pair = writer_inline_thread(pid, tid);
    if (t->pairs.n >= THREADS)
        return pair;
    pair.index = (uint8_t)(t->pairs.n + 1);
    writer_thread(w, pair.index, pid, tid);
    map_add(&t->threads, hash, (uint32_t)t->pairs.n);
    vec_push(&t->pairs, pair);
    return pair;
}

struct writer_argument writer_double(struct writer_string name, double value) {
    struct writer_argument a = {.type = FXT_ARG_DOUBLE, .name = name};
    memcpy(&a.bits, &value, sizeof a.bits);
    return a;
}

/* ---- metadata ---- */

static uint64_t metadata(enum fxt_metadata type, uint32_t id) {
    return FXT_PUT(FXT_METADATA, 0, 3) | FXT_PUT(type, 16, 19) | FXT_PUT(id, 20, 51);
}

bool writer_magic(struct writer *w) {
    return writer_trace_info(w, 0, FXT_MAGIC_NUMBER);
}

bool writer_trace_info(struct writer *w, unsigned type, uint64_t data) {
    struct record r = begin(w, metadata(FXT_TRACE_INFO, 0));
    add_to_header(&r, FXT_PUT(fitting(&r, type, 4, "a trace info type above 15"), 20, 23));
    add_to_header(&r, FXT_PUT(fitting(&r, data, 40, "trace info of more than 40 bits"), 24, 63));
    return end(&r);
}

bool writer_provider_info(struct writer *w, uint32_t id, struct str name) {
    struct record r = begin(w, metadata(FXT_PROVIDER_INFO, id));
    add_to_header(
        &r, FXT_PUT(fitting(&r, name.n, 8, "a provider name of more than 255 bytes"), 52, 59));
    if (r.ok)
        stream(&r, name);
    bool ok = end(&r);
    if (ok)
        w->current = tables_of(w, id, false);
    return ok;
}

bool writer_provider_section(struct writer *w, uint32_t id) {
    struct record r = begin(w, metadata(FXT_PROVIDER_SECTION, id));
    w->current = tables_of(w, id, false);
    return end(&r);
}

bool writer_provider_event(struct writer *w, uint32_t id, unsigned event) {
    struct record r = begin(w, metadata(FXT_PROVIDER_EVENT, id));
    add_to_header(&r, FXT_PUT(fitting(&r, event, 4, "a provider event above 15"), 52, 55));
    return end(&r);
}

/* ---- definitions ---- */

bool writer_init_record(struct writer *w, uint64_t ticks_per_second) {
    struct record r =
        begin(w, FXT_PUT(FXT_INITIALIZATION, 0, 3) | FXT_PUT(w->ends_by_name, 16, 16));
    word(&r, ticks_per_second);
    return end(&r);
}

bool writer_init_base(struct writer *w, uint64_t ticks_per_second, uint64_t base_tick,
                      uint64_t base_unix_ns) {
    struct record r =
        begin(w, FXT_PUT(FXT_INITIALIZATION, 0, 3) | FXT_PUT(w->ends_by_name, 16, 16));
    word(&r, ticks_per_second);
    word(&r, base_tick);
    word(&r, base_unix_ns);
    return end(&r);
}

bool writer_string(struct writer *w, uint16_t index, struct str text) {
    struct record r = begin(w, FXT_PUT(FXT_STRING, 0, 3));
    add_to_header(&r, FXT_PUT(fitting(&r, index, 15, "a string index above 32767"), 16, 30));
    if (text.n > WRITER_STRING_MAX)
        refuse(&r, "a string of more than 32000 bytes");
    add_to_header(&r, FXT_PUT(text.n, 32, 46));
    if (r.ok)
        stream(&r, text);
    return end(&r);
}

bool writer_thread(struct writer *w, uint8_t index, uint64_t pid, uint64_t tid) {
    struct record r = begin(w, FXT_PUT(FXT_THREAD, 0, 3) | FXT_PUT(index, 16, 23));
    word(&r, pid);
    word(&r, tid);
    return end(&r);
}

/* ---- events ---- */

static struct record event(struct writer *w, enum fxt_event type, const struct writer_event *e) {
    struct record r = begin(w, FXT_PUT(FXT_EVENT, 0, 3) | FXT_PUT(type, 16, 19) |
                                   FXT_PUT(e->thread.index, 24, 31));
    add_to_header(&r, FXT_PUT(count_of(&r, e->args), 20, 23) |
                          FXT_PUT(string_ref(&r, e->category), 32, 47) |
                          FXT_PUT(string_ref(&r, e->name), 48, 63));
    word(&r, e->ts);
    inline_thread(&r, e->thread);
    string_stream(&r, e->category);
    string_stream(&r, e->name);
    arguments(&r, e->args);
    return r;
}

static bool plain_event(struct writer *w, enum fxt_event type, const struct writer_event *e) {
    struct record r = event(w, type, e);
    return end(&r);
}

static bool tailed_event(struct writer *w, enum fxt_event type, const struct writer_event *e,
                         uint64_t tail) {
    struct record r = event(w, type, e);
    word(&r, tail);
    return end(&r);
}

bool writer_instant(struct writer *w, const struct writer_event *e) {
    return plain_event(w, FXT_INSTANT, e);
}

bool writer_instant_scope(struct writer *w, const struct writer_event *e, uint64_t scope) {
    return tailed_event(w, FXT_INSTANT, e, scope);
}

bool writer_counter(struct writer *w, const struct writer_event *e, uint64_t id) {
    return tailed_event(w, FXT_COUNTER, e, id);
}

bool writer_begin(struct writer *w, const struct writer_event *e) {
    return plain_event(w, FXT_DURATION_BEGIN, e);
}

bool writer_end(struct writer *w, const struct writer_event *e) {
    return plain_event(w, FXT_DURATION_END, e);
}

bool writer_complete(struct writer *w, const struct writer_event *e, uint64_t end_ts) {
    return tailed_event(w, FXT_DURATION_COMPLETE, e, end_ts);
}

bool writer_async(struct writer *w, enum fxt_event type, const struct writer_event *e,
                  uint64_t id) {
    return tailed_event(w, type, e, id);
}

bool writer_flow(struct writer *w, enum fxt_event type, const struct writer_event *e, uint64_t id) {
    return tailed_event(w, type, e, id);
}

/* ---- objects and blobs ---- */

bool writer_blob(struct writer *w, struct writer_string name, unsigned type, struct str payload) {
    struct record r = begin(w, FXT_PUT(FXT_BLOB, 0, 3));
    add_to_header(
        &r, FXT_PUT(string_ref(&r, name), 16, 31) |
                FXT_PUT(fitting(&r, payload.n, 15, "a blob of more than 32767 bytes"), 32, 46) |
                FXT_PUT(fitting(&r, type, 8, "a blob type above 255"), 48, 55));
    string_stream(&r, name);
    if (r.ok)
        stream(&r, payload);
    return end(&r);
}

bool writer_userspace_object(struct writer *w, uint64_t pointer, struct writer_thread process,
                             struct writer_string name, struct writer_arguments args) {
    struct record r =
        begin(w, FXT_PUT(FXT_USERSPACE_OBJECT, 0, 3) | FXT_PUT(process.index, 16, 23));
    add_to_header(&r, FXT_PUT(string_ref(&r, name), 24, 39) | FXT_PUT(count_of(&r, args), 40, 43));
    word(&r, pointer);
    inline_thread(&r, process);
    string_stream(&r, name);
    arguments(&r, args);
    return end(&r);
}

bool writer_kernel_object(struct writer *w, unsigned type, uint64_t koid, struct writer_string name,
                          struct writer_arguments args) {
    struct record r = begin(w, FXT_PUT(FXT_KERNEL_OBJECT, 0, 3));
    add_to_header(&r, FXT_PUT(fitting(&r, type, 8, "an object type above 255"), 16, 23) |
                          FXT_PUT(string_ref(&r, name), 24, 39) |
                          FXT_PUT(count_of(&r, args), 40, 43));
    word(&r, koid);
    string_stream(&r, name);
    arguments(&r, args);
    return end(&r);
}

static void payload_with_size(struct record *r, struct str payload) {
    word(r, payload.n);
    stream(r, payload);
}

bool writer_large_event(struct writer *w, const struct writer_event *e, struct str payload) {
    struct record r = begin(w, FXT_PUT(FXT_LARGE, 0, 3) | FXT_PUT(FXT_LARGE_EVENT, 40, 43));
    word(&r, FXT_PUT(string_ref(&r, e->category), 0, 15) |
                 FXT_PUT(string_ref(&r, e->name), 16, 31) | FXT_PUT(count_of(&r, e->args), 32, 35) |
                 FXT_PUT(e->thread.index, 36, 43));
    string_stream(&r, e->category);
    string_stream(&r, e->name);
    word(&r, e->ts);
    inline_thread(&r, e->thread);
    arguments(&r, e->args);
    payload_with_size(&r, payload);
    return end(&r);
}

bool writer_large_attachment(struct writer *w, struct writer_string category,
                             struct writer_string name, struct str payload) {
    struct record r = begin(w, FXT_PUT(FXT_LARGE, 0, 3) | FXT_PUT(FXT_LARGE_ATTACHMENT, 40, 43));
    word(&r, FXT_PUT(string_ref(&r, category), 0, 15) | FXT_PUT(string_ref(&r, name), 16, 31));
    string_stream(&r, category);
    string_stream(&r, name);
    payload_with_size(&r, payload);
    return end(&r);
}

/* ---- scheduling ---- */

bool writer_switch_legacy(struct writer *w, const struct writer_switch *s) {
    struct record r = begin(w, FXT_PUT(FXT_SCHEDULING, 0, 3) | FXT_PUT(FXT_SWITCH_LEGACY, 60, 63));
    add_to_header(
        &r, FXT_PUT(fitting(&r, s->cpu, 8, "a CPU above 255 in a legacy context switch"), 16, 23) |
                FXT_PUT(fitting(&r, s->out_state, 4, "a thread state above 15"), 24, 27) |
                FXT_PUT(s->out.index, 28, 35) | FXT_PUT(s->in.index, 36, 43) |
                FXT_PUT(s->out_priority, 44, 51) | FXT_PUT(s->in_priority, 52, 59));
    word(&r, s->ts);
    inline_thread(&r, s->out);
    inline_thread(&r, s->in);
    return end(&r);
}

static struct record scheduling(struct writer *w, enum fxt_scheduling type, unsigned cpu,
                                struct writer_arguments args) {
    struct record r = begin(w, FXT_PUT(FXT_SCHEDULING, 0, 3) | FXT_PUT(type, 60, 63));
    add_to_header(&r, FXT_PUT(count_of(&r, args), 16, 19) |
                          FXT_PUT(fitting(&r, cpu, 16, "a CPU above 65535"), 20, 35));
    return r;
}

bool writer_switch(struct writer *w, const struct writer_switch *s) {
    struct record r = scheduling(w, FXT_SWITCH, s->cpu, s->args);
    add_to_header(&r, FXT_PUT(fitting(&r, s->out_state, 4, "a thread state above 15"), 36, 39));
    word(&r, s->ts);
    word(&r, s->out_tid);
    word(&r, s->in_tid);
    arguments(&r, s->args);
    return end(&r);
}

bool writer_wakeup(struct writer *w, uint64_t ts, unsigned cpu, uint64_t tid,
                   struct writer_arguments args) {
    struct record r = scheduling(w, FXT_WAKEUP, cpu, args);
    word(&r, ts);
    word(&r, tid);
    arguments(&r, args);
    return end(&r);
}

/* ---- logs and the profiler ---- */

bool writer_log(struct writer *w, uint64_t ts, struct writer_thread thread, struct str message) {
    struct record r = begin(w, FXT_PUT(FXT_LOG, 0, 3) | FXT_PUT(thread.index, 32, 39));
    add_to_header(
        &r, FXT_PUT(fitting(&r, message.n, 15, "a log message of more than 32767 bytes"), 16, 30));
    word(&r, ts);
    inline_thread(&r, thread);
    if (r.ok)
        stream(&r, message);
    return end(&r);
}

static struct record profiler(struct writer *w, enum fxt_profiler type, uint64_t ts,
                              struct writer_thread thread) {
    struct record r = begin(w, FXT_PUT(FXT_PROFILER, 0, 3) | FXT_PUT(type, 16, 19) |
                                   FXT_PUT(thread.index, 20, 27));
    word(&r, ts);
    inline_thread(&r, thread);
    return r;
}

bool writer_module(struct writer *w, uint64_t ts, struct writer_thread thread, unsigned id,
                   struct str name, struct str build_id) {
    struct record r = profiler(w, FXT_MODULE, ts, thread);
    add_to_header(
        &r, FXT_PUT(fitting(&r, id, 16, "a module id above 65535"), 28, 43) |
                FXT_PUT(fitting(&r, name.n, 8, "a module name of more than 255 bytes"), 44, 51) |
                FXT_PUT(fitting(&r, build_id.n, 8, "a build id of more than 255 bytes"), 52, 59));
    if (r.ok) {
        stream(&r, name);
        stream(&r, build_id);
    }
    return end(&r);
}

bool writer_mmap(struct writer *w, uint64_t ts, struct writer_thread thread,
                 const struct writer_mapping *m) {
    struct record r = profiler(w, FXT_MMAP, ts, thread);
    add_to_header(&r, FXT_PUT(fitting(&r, m->module_id, 16, "a module id above 65535"), 28, 43) |
                          FXT_PUT(fitting(&r, m->flags, 3, "mapping flags above 7"), 44, 46));
    word(&r, m->start);
    word(&r, m->size);
    word(&r, m->address);
    return end(&r);
}

bool writer_backtrace(struct writer *w, uint64_t ts, struct writer_thread thread,
                      const uint64_t *pcs, size_t n) {
    struct record r = profiler(w, FXT_BACKTRACE, ts, thread);
    add_to_header(&r, FXT_PUT(fitting(&r, n, 8, "a backtrace of more than 255 frames"), 28, 35));
    for (size_t i = 0; i < n && r.ok; i++)
        word(&r, pcs[i]);
    return end(&r);
}

/* ---- raw content ---- */

void writer_word(struct writer *w, uint64_t value) {
    value = in_order(w, value);
    writer_bytes(w, &value, sizeof value);
}

void writer_bytes(struct writer *w, const void *bytes, size_t n) {
    put(w, bytes, n);
    if (w->bytes.n >= FLUSH_AT)
        drain(w);
}
