/* reader_fast.c - the fast path: decodes and resolves usual events without a struct fxt_record.
 *
 * An event is usual if nothing but its thread is inline, its references are registered, its arguments are well formed,
 * and its times are small. reader_plain_events() takes a run of them. The first unusual event ends the run, and the
 * general path of reader.c takes it. So the fast path only detects faults and reports none.
 *
 * Nearly all records of a common trace come here: what they cost is the number of instructions in this loop
 * (PERFORMANCE.md, What a record costs). Measurements gave the code its shape: - Arguments are checked without
 * branches. Masks collect their faults, and one test after the last argument decides. Types and references differ
 * from one argument to the next, so branches on them would be mispredicted. The only branch is the end of the
 * arguments; a version without it, which always took three, was slower by a seventh. - Words are prefetched 1 KiB
 * ahead, because the processor's own prefetcher stops at the end of a page. The event buffers must not be
 * prefetched: the worker shares their cache lines, and each store would stall. That cost a third of the reader's
 * time. - The reader's time and the first and last time are kept in local variables and stored at the end of a run. If
 * one of them is outside of the core (bulk.h), which is rare, add_times() goes through the run once more. */
#include "src/fxt/reader_internal.h"

/* Faults of the arguments of a record, collected over all of them. The two references of an argument are at
 * bits 16 and 32 of its header, so that one operation checks both. */
struct plain_arguments {
    uint64_t limit; /* the last index of the dense strings at both places, with the top bits of both set */
    uint64_t over;  /* a top bit is set if a reference is inline */
    uint64_t under; /* a top bit is 0 if a reference exceeds the limit: the subtraction borrowed from it */
    uint64_t small; /* bit 63 is set if an argument is too short */
};

#define REFERENCES (UINT64_C(1) << 31 | UINT64_C(1) << 47) /* the top bits of the name's and of the value's reference */

/* Checks the argument with header a. Returns its size in words. `references` has the bits of its references, `least`
 * its least size; unknown types and blobs never pass. */
static inline __attribute__((always_inline)) uint64_t plain_argument(struct plain_arguments *all, uint64_t a) {
    enum { NAME = 0xffff0000, NEVER = 9999 };
    static const uint64_t references[16] = {NAME, NAME, NAME, NAME, NAME, NAME, NAME * UINT64_C(0x10001),
                                            NAME, NAME, NAME, NAME, NAME, NAME, NAME,
                                            NAME, NAME};
    static const uint64_t least[16] = {1, 1, 1, 2, 2, 2, 1, 2, 2, 1, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER};
    uint64_t words = FXT_BITS(a, 4, 15), type = FXT_BITS(a, 0, 3), refers = a & references[type];
    all->over |= refers;
    all->under &= all->limit - refers;
    all->small |= words - least[type];
    return words;
}

static inline uint32_t defined_thread(const struct reader *r, uint32_t index, uint32_t near) {
    const struct index_table *t = &r->provider->threads;
    return index - 1 < near ? t->near[index] : index_table_get(t, index);
}

static struct duration_buffer *buffer_of(struct reader *r, uint32_t thread) {
    while (r->buffers.n <= thread)
        vec_push(&r->buffers, &r->no_buffer);
    return r->buffers.v[thread] = r->sink.buffer(r->sink.ctx, thread, r->provider);
}

/* Are argc arguments at w[*at] usual, and followed by `tail` words of the record's `size`? Moves *at after them. */
static inline __attribute__((always_inline)) bool plain_arguments(const uint64_t *w, uint64_t *at, uint64_t size,
                                                                  uint64_t argc, uint64_t tail, uint64_t strings) {
    struct plain_arguments all = {REFERENCES | strings << 16 | strings << 32, 0, REFERENCES, 0};
    uint64_t next = *at;
    for (; argc > 0 && next < size; argc--)
        next += plain_argument(&all, record_word(w + next, false));
    *at = next;
    return !((all.over | ~all.under) & REFERENCES || (all.small | -argc | (size - next - tail)) >> 63);
}

/* Converts ticks to ns; false if that is more than TIME_BRIEF. */
static inline bool brief_ns(const struct clock *clock, uint64_t ticks, uint64_t *ns) {
    *ns = ticks * clock->scale;
    return ticks <= clock->brief || (clock->scale == 0 && reader_clock_ns(clock, ticks, ns) && *ns <= TIME_BRIEF);
}

bool reader_plain_switch(struct reader *r, const uint64_t *w, uint64_t h, uint64_t offset) {
    struct provider *p = r->provider;
    uint64_t type = FXT_BITS(h, 60, 63), size = FXT_BITS(h, 4, 15), argc = FXT_BITS(h, 16, 19), ns;
    uint64_t first = type == FXT_SWITCH ? 4 : 3, at = first;
    if ((type != FXT_SWITCH && type != FXT_WAKEUP) || size < first ||
        !plain_arguments(w, &at, size, argc, 0, p->strings.dense) ||
        !brief_ns(&p->clock, record_word(w + 1, false), &ns))
        return false;
    struct plain_event e = {.offset = offset,
                            .time = (int64_t)(ns - r->base.lo),
                            .args = {w + first, (size_t)(at - first), (uint32_t)argc, false},
                            .provider = p,
                            .thread = NO_THREAD,
                            .cpu = (uint16_t)FXT_BITS(h, 20, 35),
                            .kind = type == FXT_SWITCH ? FXT_K_SWITCH : FXT_K_WAKEUP};
    if (type == FXT_SWITCH) {
        e.thread = reader_tid_thread(r, record_word(w + 2, false), offset);
        e.state = (uint8_t)FXT_BITS(h, 36, 39);
    }
    e.thread2 = reader_tid_thread(r, record_word(w + first - 1, false), offset);
    r->now = p->last_time = e.time;
    r->min = e.time < r->min ? e.time : r->min;
    if (!bulk_add_core(&r->bulk, e.time, e.time))
        bulk_add(&r->bulk, e.time, offset);
    r->kinds[e.kind]++;
    p->records++;
    r->sink.event(r->sink.ctx, &e);
    return true;
}

#define INLINE_STRINGS (UINT64_C(1) << 47 | UINT64_C(1) << 63) /* of an event's header: category or name is inline */

static const uint32_t no_names[] = {1}; /* reference 0 alone: the empty name */
static const int64_t durs[] = {
    [FXT_DURATION_BEGIN] = DURATION_BEGINS, [FXT_DURATION_END] = DURATION_ENDS, [FXT_DURATION_COMPLETE] = 0};

/* The place for the next duration of thread number `thread` - 1. */
static inline __attribute__((always_inline)) struct duration *next_duration(struct reader *r, const struct provider *p,
                                                                            uint32_t thread) {
    struct duration_buffer *buffer = thread <= r->buffers.n ? r->buffers.v[thread - 1] : &r->no_buffer;
    if (buffer->next == buffer->end || buffer->provider != p)
        buffer = buffer_of(r, thread - 1);
    return buffer->next++;
}

/* Hands on an event that is no duration and whose header is h. The caller has found its thread, name and time, and that
 * its arguments are usual and end at w[at]. False: take the general path. Not inline: that would cost each duration 4
 * instructions. */
static __attribute__((noinline)) bool plain_other(struct reader *r, const uint64_t *w, uint64_t h, uint64_t at,
                                                  struct plain_event *e) {
    enum { TAILED = 1 << FXT_COUNTER | 7 << FXT_ASYNC_BEGIN | 7 << FXT_FLOW_BEGIN };
    uint64_t kind = FXT_BITS(h, 16, 19), tail = TAILED >> kind & 1, first = FXT_BITS(h, 24, 31) == 0 ? 4 : 2;
    uint16_t category = (uint16_t)FXT_BITS(h, 32, 47);
    if (at + tail > FXT_BITS(h, 4, 15))
        return false;
    e->id = tail ? record_word(w + at, false) : 0;
    e->args = (struct fxt_arguments){w + first, (size_t)(at - first), (uint32_t)FXT_BITS(h, 20, 23), false};
    e->provider = r->provider;
    e->thread2 = NO_THREAD;
    e->category = 0;
    e->cpu = 0;
    e->state = 0;
    e->kind = (uint8_t)(FXT_K_INSTANT + kind);
    const struct index_table *strings = &r->provider->strings;
    if (category - 1u < strings->dense)
        e->category = strings->near[category] - 1;
    else if (category != 0)
        reader_string_defined(r, category, &e->category);
    r->sink.event(r->sink.ctx, e);
    return true;
}

/* Adds the times of a run of events: the earliest and that of the last one in ns, the latest in ticks. False: they are
 * not all in the core. */
static inline bool add_run(struct reader *r, int64_t min, uint64_t latest, int64_t last) {
    uint64_t ns = 0;
    r->now = r->provider->last_time = last;
    brief_ns(&r->provider->clock, latest, &ns);
    r->min = min < r->min ? min : r->min;
    return bulk_add_core(&r->bulk, min, (int64_t)(ns - r->base.lo));
}

static inline void add_time(struct reader *r, int64_t time, uint64_t offset) {
    if (!bulk_add_core(&r->bulk, time, time))
        bulk_add(&r->bulk, time, offset);
}

/* Adds the times of the usual events words[i .. end) to the bulk one by one. Their words are read a second time and may
 * have changed, so no size is trusted. */
static __attribute__((noinline)) void add_times(struct reader *r, const uint64_t *words, uint64_t i, uint64_t end,
                                                uint64_t offset) {
    while (i < end) {
        uint64_t h = record_word(words + i, false), size = FXT_BITS(h, 4, 15), ns = 0;
        if (size < 2 || size > end - i)
            return;
        brief_ns(&r->provider->clock, record_word(words + i + 1, false), &ns);
        add_time(r, (int64_t)(ns - r->base.lo), offset + i * 8);
        if (FXT_BITS(h, 16, 19) == FXT_DURATION_COMPLETE) {
            uint64_t at = FXT_BITS(h, 24, 31) == 0 ? 4 : 2;
            for (uint64_t argc = FXT_BITS(h, 20, 23); argc > 0 && at < size; argc--)
                at += FXT_BITS(record_word(words + i + at, false), 4, 15);
            if (at >= size)
                return;
            brief_ns(&r->provider->clock, record_word(words + i + at, false), &ns);
            add_time(r, (int64_t)(ns - r->base.lo), offset + i * 8);
        }
        i += size;
    }
}

uint64_t reader_plain_events(struct reader *r, const uint64_t *words, uint64_t i, uint64_t n, uint64_t avail,
                             uint64_t offset) {
    struct provider *p = r->provider;
    const struct clock clock = p->clock;
    const uint64_t strings = p->strings.dense, base = r->base.lo, shift = offset - (uint64_t)(uintptr_t)words;
    const uint64_t *last = words + n, *limit = words + avail, *w = words + i, *next;
    const uint32_t threads = p->threads.dense, *names = strings > 0 ? p->strings.near : no_names;
    int64_t min = INT64_MAX, time = r->now;
    uint64_t latest = 0, from = i;
    for (; w < last; w = next, p->records++) {
        uint64_t h = record_word(w, false), size = FXT_BITS(h, 4, 15), kind = FXT_BITS(h, 16, 19);
        __builtin_prefetch(w + 128);
        next = w + size;
        if ((h & (INLINE_STRINGS | 15)) != FXT_EVENT || next > limit || kind > FXT_FLOW_END)
            break;
        uint32_t thread = (uint32_t)FXT_BITS(h, 24, 31), number = 0, id;
        uint64_t at = thread == 0 ? 4 : 2; /* the word after the thread */
        if (thread != 0)
            number = defined_thread(r, thread, threads);
        if ((thread != 0 && number == 0) || size < at)
            break;
        uint64_t category = FXT_BITS(h, 32, 47), name = h >> 48;
        if (category > strings && !reader_string_defined(r, (uint16_t)category, &id))
            break;
        if (name <= strings)
            id = names[name] - 1;
        else if (!reader_string_defined(r, (uint16_t)name, &id))
            break;
        uint64_t argc = FXT_BITS(h, 20, 23), complete = kind == FXT_DURATION_COMPLETE;
        if (!plain_arguments(w, &at, size, argc, complete, strings) || id == r->watched)
            break;
        uint64_t ts = record_word(w + 1, false), end = record_word(w + (complete ? at : 1), false), ns, end_ns;
        if (end < ts || !brief_ns(&clock, end, &end_ns) || !brief_ns(&clock, ts, &ns))
            break;
        latest = end > latest ? end : latest;
        uint64_t place = (uint64_t)(uintptr_t)w + shift; /* the offset of that address */
        if (thread == 0)
            number = reader_pair_thread(r, record_word(w + 2, false), record_word(w + 3, false), place) + 1;
        int64_t t = (int64_t)(ns - base);
        if (kind - FXT_DURATION_BEGIN <= FXT_DURATION_COMPLETE - FXT_DURATION_BEGIN) {
            struct duration *d = next_duration(r, p, number);
            *d = (struct duration){t, (int64_t)(end_ns - ns) | durs[kind], event_pack(place, id)};
        } else {
            struct plain_event e;
            e.offset = place;
            e.time = t;
            e.thread = number - 1;
            e.name = id;
            if (!plain_other(r, w, h, at, &e))
                break;
        }
        time = t;
        min = time < min ? time : min;
        r->kinds[FXT_K_INSTANT + kind]++;
    }
    i = (uint64_t)(w - words);
    if (i > from && !add_run(r, min, latest, time))
        add_times(r, words, from, i, offset);
    return i;
}
