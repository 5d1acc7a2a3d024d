/* reader.c - reads records in file order and hands them to the sink.
 *
 * records() goes through spans of the file. A record inside of a span is decoded in place; one that
 * crosses its end is the start of the next span. Runs of usual events are left to reader_fast.c.
 * All other records take the general path: read_record() decodes them, carries out definitions,
 * reports problems, and resolves times and references. Damage is left to reader_resync.c. */
#include <inttypes.h>
#include <stdio.h>

#include "src/fxt/reader_internal.h"

/* Types that reader_fast.c may take. */
#define USUAL (1u << FXT_EVENT | 1u << FXT_SCHEDULING | 1u << FXT_LOG | 1u << FXT_STRING)
#define TIME_LIMIT (INT64_C(1) << 61) /* ns: larger relative times are wide */

/* ---- providers ---- */

static struct clock clock_of(uint64_t tps) {
    if (tps == 0)
        tps = 1000000000;
    struct clock clock = {.tps = tps, .whole = 1000000000 / tps};
    struct wide part = wide_div((struct wide){1000000000 % tps, 0}, tps), brief = {0, 0};
    if (tps >> 63 == 0) /* else twice the rest does not fit into a word */
        brief = wide_div(wide_mul(TIME_BRIEF, tps), 1000000000);
    clock.part = part.lo;
    clock.brief = brief.hi == 0 && brief.lo < UINT64_MAX ? brief.lo : UINT64_MAX - 1;
    return clock;
}

/* Whether the events of a provider are read. */
static bool is_wanted(const struct reader *r, struct str name) {
    for (size_t i = 0; i < r->wanted.n; i++)
        if (str_eq(r->wanted.v[i], name))
            return true;
    return r->wanted.n == 0;
}

struct provider *reader_provider_add(struct reader *r, uint32_t id, struct str name, bool declared,
                                     uint64_t offset) {
    struct provider *p = err_calloc(1, sizeof *p);
    char *copy = err_malloc(name.n + 1);
    memcpy(copy, name.n ? name.s : "", name.n);
    p->name = (struct str){copy, name.n};
    p->passed = !is_wanted(r, name);
    p->id = id;
    p->number = (uint32_t)r->providers.n;
    p->declared = declared;
    p->offset = offset;
    p->last_time = PROVIDER_NO_TIME;
    p->earliest = UINT64_MAX;
    p->part = r->part->number;
    p->world = r->part->world;
    p->clock = r->part->implicit ? r->part->implicit->clock : clock_of(0);
    p->shared = r->part->implicit ? r->part->implicit->number : p->number;
    vec_push(&r->providers, p);
    return p;
}

struct id_query {
    const struct reader_part *part;
    uint32_t id;
};

static bool same_id(const void *ctx, uint32_t number) {
    const struct id_query *q = ctx;
    return q->part->current_by_id.v[number]->id == q->id;
}

static struct provider **provider_find(struct reader *r, uint32_t id) {
    struct id_query q = {r->part, id};
    uint32_t n = map_find(&r->part->by_id, hash_words(id, 0), same_id, &q);
    return n == UINT32_MAX ? NULL : &r->part->current_by_id.v[n];
}

static void provider_make_current(struct reader *r, struct provider *p, uint64_t from) {
    if (r->provider == p)
        return;
    r->provider = r->part->provider = p;
    reader_near_forget(r);
    vec_push(&r->part->switches, ((struct provider_switch){from, p->number}));
}

static struct provider *provider_register(struct reader *r, uint32_t id, struct str name,
                                          bool declared, uint64_t offset) {
    struct provider *p = reader_provider_add(r, id, name, declared, offset);
    struct provider **known = provider_find(r, id);
    if (known) {
        *known = p;
    } else {
        vec_push(&r->part->current_by_id, p);
        map_add(&r->part->by_id, hash_words(id, 0), (uint32_t)r->part->current_by_id.n - 1);
    }
    return p;
}

/* The provider of a section or an event; one that was never introduced is made (SEMANTICS 3.5). */
static struct provider *provider_of(struct reader *r, uint32_t id, uint64_t offset) {
    struct provider **known = provider_find(r, id);
    if (known)
        return *known;
    char name[32];
    int n = snprintf(name, sizeof name, "provider %" PRIu32, id);
    reader_problem(r, PROBLEM_UNDECLARED_PROVIDER, offset, id);
    return provider_register(r, id, (struct str){name, (size_t)n}, false, offset);
}

/* The name that a provider had before its trace, `of`, was put into an archive. */
static struct str own_name(struct str name, struct str of) {
    if (of.n == 0 || name.n < of.n + 1 || memcmp(name.s, of.s, of.n) != 0 || name.s[of.n] != '/')
        return name;
    return (struct str){name.s + of.n + 1, name.n - of.n - 1};
}

static struct provider *provider_info(struct reader *r, uint32_t id, struct str name,
                                      uint64_t offset) {
    struct str of = r->part->archived.name;
    if (of.n > 0 && str_eq(name, of)) /* the records of no provider */
        return r->part->implicit;
    name = own_name(name, of);
    struct provider **known = provider_find(r, id);
    if (known && (*known)->declared && str_eq((*known)->name, name))
        return *known;
    if (known && !(*known)->declared) {
        struct provider *p = *known;
        free((char *)p->name.s);
        char *copy = err_malloc(name.n + 1);
        memcpy(copy, name.n ? name.s : "", name.n);
        p->name = (struct str){copy, name.n};
        p->passed = !is_wanted(r, name);
        p->declared = true;
        return p;
    }
    return provider_register(r, id, name, true, offset);
}

/* ---- clock ---- */

static void set_clock(struct reader *r, uint64_t tps, uint64_t offset) {
    struct clock clock = clock_of(tps);
    if (clock.tps != r->provider->clock.tps)
        vec_push(&r->part->rates, ((struct rate_change){offset, clock.tps, r->provider->number}));
    r->provider->clock = clock;
    r->provider->earliest = UINT64_MAX;
}

static void know_base(struct reader *r, struct wide base) {
    r->common = base;
    r->have_base = true;
    reader_part_base(r);
}

/* Not inline: of most traces only the first event comes here. */
static __attribute__((noinline)) int64_t relative_wide(struct reader *r, struct wide ns,
                                                       bool is_start, bool *saturated) {
    ns = wide_plus(ns, (struct wide){0, r->part->shift});
    if (!r->have_base) {
        struct wide ahead = {0, r->ahead};
        know_base(r, wide_cmp(ns, ahead) < 0 ? ahead : ns);
        r->min_wide = ns;
    }
    if (is_start && (!r->have_min_wide || wide_cmp(ns, r->min_wide) < 0)) {
        r->min_wide = ns;
        r->have_min_wide = true;
    }
    if (r->exact) {
        int64_t t = wide_diff(ns, r->common, INT64_MAX);
        if (t == INT64_MAX && wide_cmp(ns, wide_add(r->common, INT64_MAX)) > 0)
            *saturated = true;
        /* it has come since the base was set: the trace grows */
        r->wide = r->wide || (is_start && t < 0);
        return t < 0 ? 0 : t;
    }
    int64_t t = wide_diff(ns, r->common, TIME_LIMIT);
    if (t == TIME_LIMIT || t == -TIME_LIMIT)
        r->wide = true;
    return t;
}

static int64_t relative(struct reader *r, uint64_t ticks, bool is_start, bool *saturated) {
    uint64_t ns = 0; /* gcc -O1 does not see that it is set if it is used */
    if (r->have_base && r->base.hi == 0 && reader_clock_ns(&r->provider->clock, ticks, &ns)) {
        int64_t t = (int64_t)(ns - r->base.lo);
        if ((ns >= r->base.lo) == (t >= 0) && t < TIME_LIMIT && t > -TIME_LIMIT) {
            if (is_start && t < r->min)
                r->min = t;
            return t;
        }
    }
    int64_t t =
        relative_wide(r, reader_clock_wide(&r->provider->clock, ticks), is_start, saturated);
    if (is_start && t < r->min)
        r->min = t;
    return t;
}

/* ---- references ---- */

static uint32_t undefined_string(struct reader *r, uint16_t index, uint64_t offset) {
    char text[24];
    int n = snprintf(text, sizeof text, "<string %u>", index);
    reader_problem(r, PROBLEM_UNDEFINED_STRING, offset, index);
    return names_intern(r->names, text, (size_t)n);
}

static uint32_t resolve_string(struct reader *r, const struct fxt_string *s, uint64_t offset) {
    uint32_t id;
    if (s->ref == 0 || s->ref == FXT_INLINE)
        return 0;
    if (s->ref & FXT_INLINE)
        return names_intern(r->names, s->bytes, s->ref & FXT_STRING_MAX);
    return reader_string_defined(r, s->ref, &id) ? id : undefined_string(r, s->ref, offset);
}

static uint32_t resolve_thread(struct reader *r, const struct fxt_thread_ref *t, uint64_t offset) {
    if (t->index == 0)
        return t->no_tid ? NO_THREAD : reader_pair_thread(r, t->pid, t->tid, offset);
    uint32_t thread = reader_thread_now(r, t->index);
    if (thread != NO_THREAD)
        return thread;
    reader_problem(r, PROBLEM_UNDEFINED_THREAD, offset, t->index);
    return threads_intern(r->threads, &(struct thread_id){.index = t->index,
                                                          .form = THREAD_UNDEFINED,
                                                          .world = r->part->world,
                                                          .provider = r->provider->number,
                                                          .offset = offset});
}

/* Reports problems of arguments. Their values are decoded only when they are shown, but problems
 * are counted now. */
static void check_arguments(struct reader *r, const struct fxt_arguments *args, uint64_t offset) {
    const uint64_t *p = args->words;
    uint32_t id;
    for (uint32_t i = 0; i < args->count; i++) {
        uint64_t h = record_word(p, args->swap);
        uint16_t name = (uint16_t)FXT_BITS(h, 16, 31), string = (uint16_t)FXT_BITS(h, 32, 47);
        unsigned type = (unsigned)FXT_BITS(h, 0, 3);
        if (name != 0 && !(name & FXT_INLINE) && !reader_string_defined(r, name, &id))
            undefined_string(r, name, offset);
        if (type == FXT_ARG_STRING && string != 0 && !(string & FXT_INLINE) &&
            !reader_string_defined(r, string, &id))
            undefined_string(r, string, offset);
        if (type > FXT_ARG_BLOB)
            reader_problem(r, PROBLEM_UNKNOWN_ARGUMENT, offset, type);
        p += FXT_BITS(h, 4, 15);
    }
}

/* ---- one record ---- */

static void define(struct reader *r, const struct fxt_record *rec, uint64_t offset) {
    switch (rec->kind) {
    case FXT_K_PROVIDER_INFO:
        provider_make_current(r, provider_info(r, rec->provider.id, rec->payload, offset), offset);
        break;
    case FXT_K_PROVIDER_SECTION:
        provider_make_current(r, provider_of(r, rec->provider.id, offset), offset);
        break;
    case FXT_K_MAGIC:
        if (r->part->magic_seen)
            reader_problem(r, PROBLEM_SECOND_MAGIC, offset, 0);
        r->part->magic_seen = true;
        break;
    case FXT_K_INITIALIZATION:
        if (rec->faults & FXT_FAULT_CONTENTS)
            break;
        set_clock(r, rec->init.ticks_per_second, offset);
        if (reader_is_begin(r))
            r->part->ends_by_name = rec->init.ends_by_name;
        if (rec->init.ticks_per_second == 0)
            reader_problem(r, PROBLEM_TICK_RATE_ZERO, offset, 0);
        if (rec->init.has_base)
            bulk_clock(&r->part->bulk,
                       wide_sub(reader_clock_wide(&r->provider->clock, rec->init.base_tick),
                                (struct wide){0, r->part->archived.zero}),
                       rec->init.base_unix_ns);
        if (!r->part->has_init) {
            r->part->has_init = true;
            r->part->tps = rec->init.ticks_per_second;
            r->part->has_base_tick = rec->init.has_base;
            r->part->base_tick = rec->init.base_tick;
            r->part->base_unix_ns = rec->init.base_unix_ns;
        }
        break;
    case FXT_K_STRING:
        if (!(rec->faults & FXT_FAULT_CONTENTS) && rec->string_index != 0) {
            uint32_t value = names_intern(r->names, rec->payload.s, rec->payload.n) + 1;
            index_table_set(&r->provider->strings, rec->string_index, offset, value);
            reader_near_string(r, rec->string_index, value);
        }
        break;
    case FXT_K_THREAD:
        if (!(rec->faults & FXT_FAULT_CONTENTS) && rec->thread_def.index != 0) {
            index_table_set(
                &r->provider->threads, rec->thread_def.index, offset,
                reader_pair_thread(r, rec->thread_def.pid, rec->thread_def.tid, offset) + 1);
            reader_near_thread(r, rec->thread_def.index);
        }
        break;
    default:
        break;
    }
}

static void note_unknown(struct reader *r, const struct fxt_record *rec, uint64_t offset) {
    uint64_t type = rec->unknown.type;
    switch (rec->kind) {
    case FXT_K_PROVIDER_EVENT:
        if (rec->provider.event != 0)
            reader_problem(r, PROBLEM_UNKNOWN_PROVIDER_EVENT, offset, rec->provider.event);
        break;
    case FXT_K_TRACE_INFO_UNKNOWN:
        reader_problem(r, PROBLEM_UNKNOWN_TRACE_INFO, offset, type);
        break;
    case FXT_K_METADATA_UNKNOWN:
        reader_problem(r, PROBLEM_UNKNOWN_METADATA, offset, type);
        break;
    case FXT_K_EVENT_UNKNOWN:
        reader_problem(r, PROBLEM_UNKNOWN_EVENT, offset, type);
        break;
    case FXT_K_SCHEDULING_UNKNOWN:
        reader_problem(r, PROBLEM_UNKNOWN_SCHEDULING, offset, type);
        break;
    case FXT_K_PROFILER_UNKNOWN:
        reader_problem(r, PROBLEM_UNKNOWN_PROFILER, offset, type);
        break;
    case FXT_K_LARGE_UNKNOWN:
        reader_problem(r, PROBLEM_UNKNOWN_LARGE, offset, type << 8 | rec->unknown.format);
        break;
    case FXT_K_RECORD_UNKNOWN:
        reader_problem(r, PROBLEM_UNKNOWN_RECORD, offset, type);
        break;
    case FXT_K_BLOB:
        if (rec->blob.type < FXT_BLOB_DATA || rec->blob.type > FXT_BLOB_PERFETTO)
            reader_problem(r, PROBLEM_UNKNOWN_BLOB, offset, rec->blob.type);
        break;
    default:
        break;
    }
}

static inline void note_faults(struct reader *r, const struct fxt_record *rec, uint64_t offset) {
    if (rec->faults & FXT_FAULT_CONTENTS)
        reader_problem(r, PROBLEM_CONTENTS_EXCEED_RECORD, offset, 0);
    else if (rec->faults & FXT_FAULT_ARGUMENTS)
        reader_problem(r, PROBLEM_ARGUMENTS_MALFORMED, offset, 0);
}

static void read_time(struct reader *r, const struct fxt_record *rec, struct item *item) {
    bool saturated = false;
    item->is_event = true;
    item->time = item->end = relative(r, rec->ts, true, &saturated);
    r->now = item->time;
    bulk_add(&r->part->bulk, item->time, item->offset);
    if (rec->kind == FXT_K_DURATION_COMPLETE && !(rec->faults & FXT_FAULT_NO_TAIL) &&
        !record_unended(rec)) {
        if (rec->end < rec->ts) {
            reader_problem(r, PROBLEM_END_BEFORE_BEGIN, item->offset, 0);
        } else {
            item->end = relative(r, rec->end, false, &saturated);
            bulk_add_end(&r->part->bulk, item->time, item->end, item->offset);
        }
    }
    r->provider->last_time = item->end;
    if (saturated)
        reader_problem(r, PROBLEM_TIME_SATURATED, item->offset, 0);
}

/* The parts of a record that the reader resolves for the sink. */
enum resolved {
    RESOLVE_TIME = 1, /* it is an event */
    RESOLVE_THREAD = 2,
    RESOLVE_INCOMING = 4, /* thread2: the incoming thread of a legacy switch */
    RESOLVE_OUT_KOID = 8,
    RESOLVE_IN_KOID = 16,
    RESOLVE_CATEGORY = 32,
    RESOLVE_NAME = 64,
    RESOLVE_ARGUMENTS = 128,

    RESOLVE_NAMED = RESOLVE_NAME | RESOLVE_ARGUMENTS,
    RESOLVE_EVENT = RESOLVE_TIME | RESOLVE_THREAD | RESOLVE_CATEGORY | RESOLVE_NAMED,
    /* A record that lacks its time or thread has none of these. */
    RESOLVE_OF_EVENT =
        RESOLVE_TIME | RESOLVE_THREAD | RESOLVE_INCOMING | RESOLVE_OUT_KOID | RESOLVE_IN_KOID,
};

static const uint8_t resolved[FXT_K_COUNT] = {
    [FXT_K_INSTANT] = RESOLVE_EVENT,
    [FXT_K_COUNTER] = RESOLVE_EVENT,
    [FXT_K_DURATION_BEGIN] = RESOLVE_EVENT,
    [FXT_K_DURATION_END] = RESOLVE_EVENT,
    [FXT_K_DURATION_COMPLETE] = RESOLVE_EVENT,
    [FXT_K_ASYNC_BEGIN] = RESOLVE_EVENT,
    [FXT_K_ASYNC_INSTANT] = RESOLVE_EVENT,
    [FXT_K_ASYNC_END] = RESOLVE_EVENT,
    [FXT_K_FLOW_BEGIN] = RESOLVE_EVENT,
    [FXT_K_FLOW_STEP] = RESOLVE_EVENT,
    [FXT_K_FLOW_END] = RESOLVE_EVENT,
    [FXT_K_BLOB] = RESOLVE_NAMED,
    [FXT_K_USERSPACE_OBJECT] = RESOLVE_THREAD | RESOLVE_NAMED,
    [FXT_K_KERNEL_OBJECT] = RESOLVE_NAMED,
    [FXT_K_SWITCH_LEGACY] = RESOLVE_TIME | RESOLVE_THREAD | RESOLVE_INCOMING,
    [FXT_K_SWITCH] = RESOLVE_TIME | RESOLVE_OUT_KOID | RESOLVE_IN_KOID | RESOLVE_ARGUMENTS,
    [FXT_K_WAKEUP] = RESOLVE_TIME | RESOLVE_IN_KOID | RESOLVE_ARGUMENTS,
    [FXT_K_LOG] = RESOLVE_TIME | RESOLVE_THREAD,
    [FXT_K_MODULE] = RESOLVE_TIME | RESOLVE_THREAD,
    [FXT_K_MMAP] = RESOLVE_TIME | RESOLVE_THREAD,
    [FXT_K_BACKTRACE] = RESOLVE_TIME | RESOLVE_THREAD,
    [FXT_K_LARGE_EVENT] = RESOLVE_EVENT,
    [FXT_K_LARGE_ATTACHMENT] = RESOLVE_CATEGORY | RESOLVE_NAMED,
};

static void resolve(struct reader *r, const struct fxt_record *rec, struct item *item) {
    unsigned what = resolved[rec->kind];
    if (rec->faults & FXT_FAULT_NO_EVENT)
        what &= ~(unsigned)RESOLVE_OF_EVENT;
    if (what & RESOLVE_TIME)
        read_time(r, rec, item);
    if (what & RESOLVE_THREAD)
        item->thread = resolve_thread(r, &rec->thread, item->offset);
    if (what & RESOLVE_INCOMING)
        item->thread2 = resolve_thread(r, &rec->sched.in, item->offset);
    if (what & RESOLVE_OUT_KOID)
        item->thread = reader_tid_thread(r, rec->sched.out_tid, item->offset);
    if (what & RESOLVE_IN_KOID)
        item->thread2 = reader_tid_thread(r, rec->sched.in_tid, item->offset);
    if (what & RESOLVE_CATEGORY)
        item->category = resolve_string(r, &rec->category, item->offset);
    if (what & RESOLVE_NAME)
        item->name = resolve_string(r, &rec->name, item->offset);
    if (what & RESOLVE_ARGUMENTS && rec->args.count > 0)
        check_arguments(r, &rec->args, item->offset);
}

/* Whether a record is an event of a provider whose events are not wanted. */
static bool is_passed(const struct reader *r, const uint64_t *words, uint64_t avail,
                      uint64_t size) {
    uint64_t type = FXT_BITS(record_word(words, r->part->swap), 0, 3);
    struct fxt_record rec;
    if (!r->provider->passed)
        return false;
    if (type != FXT_LARGE)
        return type == FXT_EVENT || type == FXT_SCHEDULING || type == FXT_LOG ||
               type == FXT_PROFILER;
    record_decode(&rec, words, avail, size, r->part->swap);
    return rec.kind == FXT_K_LARGE_EVENT;
}

static void read_record(struct reader *r, const uint64_t *words, uint64_t avail, uint64_t size,
                        uint64_t offset) {
    struct fxt_record rec;
    struct item item = {.record = &rec,
                        .offset = offset,
                        .words = words,
                        .avail = avail,
                        .thread = NO_THREAD,
                        .thread2 = NO_THREAD};
    record_decode(&rec, words, avail, size, r->part->swap);
    if (r->part->archived.ids != 0)
        record_own_ids(&rec, r->part->archived.ids);
    if (rec.kind < FXT_K_INSTANT || rec.kind > FXT_K_FLOW_END) { /* events define nothing */
        define(r, &rec, offset);
        note_unknown(r, &rec, offset);
    }
    resolve(r, &rec, &item);
    note_faults(r, &rec, offset);
    item.provider =
        rec.kind == FXT_K_PROVIDER_EVENT ? provider_of(r, rec.provider.id, offset) : r->provider;
    item.provider->records++;
    r->kinds[rec.kind]++;
    r->sink.record(r->sink.ctx, &item);
}

/* ---- framing ---- */

/* The record at r->part->at would end after the end of the file (SEMANTICS 3.8, 3.9). */
static enum reader_state cut_record(struct reader *r) {
    if (!reader_bounds(r, r->part).ended)
        return READER_WAIT;
    reader_damaged(r, false);
    return READER_MORE;
}

/* The words of the next record, whose span ended inside of it. *avail: the number of words in
 * memory, which is smaller than size if the record is large. NULL: none. */
static const uint64_t *long_record(struct reader *r, uint64_t size, uint64_t *avail) {
    size_t n;
    const uint64_t *words =
        file_span(r->file, r->part->at, size > LARGE_AT_HAND / 8 ? LARGE_AT_HAND : size * 8, &n);
    *avail = n / 8 < size ? n / 8 : size;
    return *avail > 0 ? words : NULL;
}

/* Ends a run of zeros, and passes over the rest of a record that it cut. */
static enum reader_state after_zeros(struct reader *r, uint64_t size) {
    uint64_t resume;
    if (reader_after_zeros(r, r->part->at, size, &resume) == CHAIN_UNKNOWN)
        return READER_WAIT;
    reader_zeros_end(r);
    if (resume > r->part->at)
        reader_problem(r, PROBLEM_TRUNCATED_RECORD, r->part->at, resume - r->part->at);
    r->part->at = resume;
    return READER_MORE;
}

/* Whole words of the part from r->part->at on. */
static uint64_t words_left(const struct reader *r) {
    return (reader_bounds(r, r->part).end - r->part->at) / 8;
}

static enum reader_state records(struct reader *r, uint64_t until) {
    for (;;) {
        size_t n;
        uint64_t base = r->part->at;
        if (base >= until)
            return READER_MORE;
        const uint64_t *span = file_span(r->file, base, WHOLE_RECORD, &n);
        uint64_t span_words = span ? n / 8 : 0, words = span_words, i = 0;
        if (words == 0)
            return reader_rest(r);
        if (words > (until - base + 7) / 8)
            words = (until - base + 7) / 8;
        while (i < words) {
            uint64_t h = record_word(span + i, r->part->swap);
            if (USUAL >> FXT_BITS(h, 0, 3) & 1 && r->brief && r->part->zeros == NO_RUN &&
                !r->watch_all && !r->provider->passed) {
                uint64_t stop = words - i > RUN_WORDS ? i + RUN_WORDS : words;
                i = reader_plain_events(r, span, i, stop, span_words, base);
                if (i >= stop)
                    continue;
                h = record_word(span + i, false);
            }
            r->part->at = base + i * 8;
            if (h == 0) {
                if (r->part->zeros == NO_RUN)
                    r->part->zeros = r->part->at;
                i++;
                if ((r->part->at - r->part->zeros) % HOLE_LOOK != HOLE_LOOK - 8)
                    continue;
                r->part->at = file_data(r->file, r->part->at + 8);
                return READER_MORE;
            }
            uint64_t size = record_words(h), avail = size;
            if (size == 0) {
                reader_damaged(r, true);
                return READER_MORE;
            }
            if (r->part->zeros != NO_RUN && size <= words_left(r))
                return after_zeros(r, size);
            if (size > span_words - i) {
                if (size > words_left(r))
                    return cut_record(r);
                if (r->part->at != base)
                    break; /* starts the next span */
                span = long_record(r, size, &avail);
                if (span == NULL)
                    return reader_rest(r);
                words = i + 1; /* and then a new span */
            }
            if (!is_passed(r, span + i, avail, size))
                read_record(r, span + i, avail, size, r->part->at);
            i += size;
        }
        r->part->at = base + i * 8;
    }
}

/* ---- the interface ---- */

void reader_ignore_problem(void *ctx, enum problem_kind kind, uint64_t offset, uint64_t detail,
                           int64_t time) {
    (void)ctx;
    (void)kind;
    (void)offset;
    (void)detail;
    (void)time;
}

struct reader *reader_new(struct file *file, const struct sink *sink) {
    struct reader *r = err_calloc(1, sizeof *r);
    r->file = file;
    r->sink = *sink;
    r->names = names_new();
    r->threads = threads_new();
    r->watched = UINT32_MAX;
    r->near = reader_near_new(r);
    reader_parts_add(r);
    return r;
}

struct reader *reader_again(const struct reader *r, const struct sink *sink) {
    struct reader *again = reader_new(r->file, sink);
    reader_only(again, r->wanted);
    for (size_t i = 0; i < again->parts.n && i < r->parts.n; i++) {
        reader_part_archived(again, i, r->parts.v[i]->archived);
        reader_place_part(again, i, r->parts.v[i]->world, r->parts.v[i]->shift);
    }
    if (r->exact)
        reader_set_base(again, r->common);
    else if (r->have_base && r->parts.n > 1)
        know_base(again, r->common);
    return again;
}

void reader_free(struct reader *r) {
    if (r == NULL)
        return;
    for (size_t i = 0; i < r->providers.n; i++) {
        struct provider *p = r->providers.v[i];
        index_table_free(&p->strings);
        index_table_free(&p->threads);
        free((char *)p->name.s);
        free(p);
    }
    vec_free(&r->providers);
    for (size_t i = 0; i < r->parts.n; i++)
        reader_part_free(r->parts.v[i]);
    vec_free(&r->parts);
    reader_near_free(r->near);
    names_free(r->names);
    threads_free(r->threads);
    free(r);
}

void reader_only(struct reader *r, struct reader_providers wanted) {
    r->wanted = wanted;
    for (size_t i = 0; i < r->providers.n; i++)
        r->providers.v[i]->passed = !is_wanted(r, r->providers.v[i]->name);
}

struct reader_providers reader_wanted(const struct reader *r) {
    return r->wanted;
}

const struct str *reader_missing(const struct reader *r) {
    for (size_t i = 0; i < r->wanted.n; i++) {
        size_t k = 0;
        while (k < r->providers.n && !str_eq(r->providers.v[k]->name, r->wanted.v[i]))
            k++;
        if (k == r->providers.n)
            return &r->wanted.v[i];
    }
    return NULL;
}

void reader_watch(struct reader *r, uint32_t name, bool all) {
    if (r->watched != name) {
        r->watched = name;
        reader_near_forget(r);
    }
    r->watch_all = all;
}

void reader_set_base(struct reader *r, struct wide base) {
    know_base(r, base);
    r->exact = true;
}

enum reader_state reader_step_part(struct reader *r, uint64_t until) {
    enum reader_state state = READER_MORE;
    while (state == READER_MORE && r->part->at < until) {
        switch (r->part->phase) {
        case PHASE_START:
            state = reader_start(r);
            break;
        case PHASE_RECORDS:
            state = records(r, until);
            break;
        case PHASE_RESYNC:
            state = reader_resync(r, until);
            break;
        case PHASE_END:
            return READER_END;
        }
    }
    return state;
}

enum reader_state reader_step(struct reader *r, uint64_t bytes) {
    if (file_part_count(r->file) > 1)
        return reader_turns(r, bytes);
    return reader_step_part(r, r->part->at + bytes);
}

uint64_t reader_times(const struct reader *r) {
    uint64_t events = 0;
    for (int kind = 0; kind < FXT_K_COUNT; kind++)
        events += resolved[kind] & RESOLVE_TIME ? r->kinds[kind] : 0;
    return events + r->kinds[FXT_K_DURATION_COMPLETE];
}
