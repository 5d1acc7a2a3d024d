/* reader_fast.c - the fast path: decodes and resolves usual events without a struct fxt_record.
 *
 * An event is usual if its references have a meaning, its arguments are well formed, and its times are small.
 * reader_plain_events() takes a run of events, switches and wakeups. The first unusual one ends the run, and the
 * general path of reader.c takes it. So the fast path only detects faults and reports none. It asks reader_near.c what
 * references mean; that also takes what is inline.
 *
 * Nearly all records of a common trace come here: what they cost is the number of instructions in this loop
 * (PERFORMANCE.md, What a record costs). Measurements gave the code its shape:
 * - Arguments are checked without branches. Masks collect their faults, and one test after the last argument decides.
 *   Types and references differ from one argument to the next, so branches on them would be mispredicted. The only
 *   branch is the end of the arguments; a version without it, which always took three, was slower by a seventh.
 * - Arguments are at most 15 words long here, so those of a record cannot reach over SLACK words. Only the last records
 *   before the end of the words in memory need a bound.
 * - Words are prefetched 1 KiB ahead, because the processor's own prefetcher stops at the end of a page. The event
 *   buffers must not be prefetched: the worker shares their cache lines, and each store would stall. That cost a third
 *   of the reader's time.
 * - The reader's time and the first and last time are kept in local variables and stored at the end of a run. If one of
 *   them is outside of the core (bulk.h), which is rare, add_times() goes through the run once more. */
#include "src/fxt/reader_internal.h"

#define SLACK 256                          /* words: 15 arguments of 15 words, and what is before them */
#define FAR (WHOLE_RECORD / 8 + 1 + SLACK) /* and the longest record */

/* By the lowest byte of an argument's header, which has its type and the size if that is below 16 words: whether the
 * type is known and the value inside of the argument, and which bits of the value are a reference. Blobs are left to
 * reader_near_arguments(). */
#define SIZES(row)                                                                                                     \
    row(1) row(2) row(3) row(4) row(5) row(6) row(7) row(8) row(9) row(10) row(11) row(12) row(13) row(14) row(15)
#define WHOLE(size) [(size) << 4] = 1, 1, 1, (size) > 1, (size) > 1, (size) > 1, 1, (size) > 1, (size) > 1, 1,
#define REFERENCE(size) [(size) << 4 | FXT_ARG_STRING] = 0xffff,
static const uint8_t whole[256] = {SIZES(WHOLE)};
static const uint16_t reference[256] = {SIZES(REFERENCE)};

/* Are argc arguments at *w usual, and followed by `tail` words before `end`? Moves *w after them. checked: there may be
 * less than SLACK words after them. */
static inline __attribute__((always_inline)) bool plain_arguments(const struct near *near, const uint64_t **w,
                                                                  const uint64_t *end, uint64_t argc, uint64_t tail,
                                                                  bool checked) {
    const uint64_t *at = *w;
    uint64_t sizes = 0;
    unsigned good = 1;
    for (; argc > 0 && (!checked || at < end); argc--) {
        uint64_t a = record_word(at, false);
        uint8_t low = (uint8_t)a;
        good &= near->known[(uint16_t)(a >> 16)] & near->known[(a >> 32) & reference[low]] & whole[low];
        sizes |= a;
        at += low >> 4;
    }
    *w = at;
    return good && (sizes & 0xff00) == 0 && argc == 0 && (ptrdiff_t)tail <= end - at;
}

/* Converts ticks to ns; false if that is more than TIME_BRIEF. */
static inline bool brief_ns(const struct clock *clock, uint64_t ticks, uint64_t *ns) {
    return reader_clock_ns(clock, ticks, ns);
}

static const int64_t durs[] = {
    [FXT_DURATION_BEGIN] = DURATION_BEGINS, [FXT_DURATION_END] = DURATION_ENDS, [FXT_DURATION_COMPLETE] = 0};

static __attribute__((noinline)) struct duration_buffer *buffer_of(struct reader *r, struct near_thread *thread) {
    return thread->buffer = r->sink.buffer(r->sink.ctx, thread->number - 1, r->provider);
}

/* Hands on an event that is no duration. The caller has found its thread, category, name and time, and that its
 * arguments are usual and end at `at`. False: take the general path. Not inline: that would cost each duration 4
 * instructions. */
static __attribute__((noinline)) bool plain_other(struct reader *r, uint64_t h, const uint64_t *at, const uint64_t *end,
                                                  struct plain_event *e) {
    enum { TAILED = 1 << FXT_COUNTER | 7 << FXT_ASYNC_BEGIN | 7 << FXT_FLOW_BEGIN };
    uint64_t kind = FXT_BITS(h, 16, 19), tail = TAILED >> kind & 1;
    if ((ptrdiff_t)tail > end - at)
        return false;
    e->id = tail ? record_word(at, false) : 0;
    e->args.n = (size_t)(at - e->args.words);
    e->args.count = (uint32_t)FXT_BITS(h, 20, 23);
    e->args.swap = false;
    e->provider = r->provider;
    e->thread2 = NO_THREAD;
    e->cpu = 0;
    e->state = 0;
    e->kind = (uint8_t)(FXT_K_INSTANT + kind);
    e->out_idle = e->in_idle = false;
    r->sink.event(r->sink.ctx, e);
    return true;
}

/* The thread of a reference in a legacy switch; moves *w after an inline one. */
static bool switch_thread(struct reader *r, uint8_t index, const uint64_t **w, uint64_t offset, uint32_t *number) {
    struct near_thread *t = index != 0
                                ? reader_near_find_thread(r, index)
                                : reader_near_find_pair(r, record_word(*w, false), record_word(*w + 1, false), offset);
    *w += index != 0 ? 0 : 2;
    if (t)
        *number = t->number - 1;
    return t != NULL;
}

static bool legacy_switch(struct reader *r, const uint64_t *w, uint64_t h, const uint64_t *end, struct plain_event *e) {
    uint8_t out = (uint8_t)FXT_BITS(h, 28, 35), in = (uint8_t)FXT_BITS(h, 36, 43);
    const uint64_t *at = w + 2;
    if (end - w < 2 + (out == 0) * 2 + (in == 0) * 2 || !switch_thread(r, out, &at, e->offset, &e->thread) ||
        !switch_thread(r, in, &at, e->offset, &e->thread2))
        return false;
    e->args = (struct fxt_arguments){NULL, 0, 0, false};
    e->kind = FXT_K_SWITCH_LEGACY;
    e->cpu = (uint16_t)FXT_BITS(h, 16, 23);
    e->state = (uint8_t)FXT_BITS(h, 24, 27);
    e->out_idle = FXT_BITS(h, 44, 51) == 0;
    e->in_idle = FXT_BITS(h, 52, 59) == 0;
    return true;
}

/* Takes the switch or wakeup at w, which has a time: e->time. False: take the general path. */
static __attribute__((noinline)) bool plain_switch(struct reader *r, const uint64_t *w, uint64_t h, const uint64_t *end,
                                                   struct plain_event *e) {
    uint64_t type = FXT_BITS(h, 60, 63), argc = FXT_BITS(h, 16, 19);
    e->thread = NO_THREAD;
    e->state = 0;
    e->out_idle = e->in_idle = false;
    if (type == FXT_SWITCH_LEGACY) {
        if (!legacy_switch(r, w, h, end, e))
            return false;
    } else {
        const uint64_t *first = w + (type == FXT_SWITCH ? 4 : 3), *at = first;
        if (type > FXT_WAKEUP || first > end)
            return false;
        if (!plain_arguments(r->near, &at, end, argc, 0, true))
            at = reader_near_arguments(r, first, end, argc);
        if (at == NULL)
            return false;
        e->args = (struct fxt_arguments){first, (size_t)(at - first), (uint32_t)argc, false};
        e->kind = type == FXT_SWITCH ? FXT_K_SWITCH : FXT_K_WAKEUP;
        e->cpu = (uint16_t)FXT_BITS(h, 20, 35);
        if (type == FXT_SWITCH) {
            e->thread = reader_tid_thread(r, record_word(w + 2, false), e->offset);
            e->state = (uint8_t)FXT_BITS(h, 36, 39);
        }
        e->thread2 = reader_tid_thread(r, record_word(first - 1, false), e->offset);
    }
    e->id = 0;
    e->provider = r->provider;
    e->category = e->name = 0;
    r->kinds[e->kind]++;
    r->sink.event(r->sink.ctx, e);
    return true;
}

/* ---- the times of a run ---- */

struct run {
    const uint64_t *last;  /* events begin before it */
    const uint64_t *limit; /* and end before it */
    uint64_t shift;        /* offset - address */
    int64_t min, time;     /* the earliest, that of the last event */
    uint64_t latest;       /* ticks */
};

static inline void add_time_of_run(struct run *run, int64_t time, uint64_t end) {
    run->latest = end > run->latest ? end : run->latest;
    run->time = time;
    run->min = time < run->min ? time : run->min;
}

/* Adds the times of a run of events. False: they are not all in the core. */
static inline bool add_run(struct reader *r, const struct run *run) {
    uint64_t ns = 0;
    r->now = r->provider->last_time = run->time;
    brief_ns(&r->provider->clock, run->latest, &ns);
    r->min = run->min < r->min ? run->min : r->min;
    return bulk_add_core(&r->bulk, run->min, (int64_t)(ns - r->base.lo));
}

static inline void add_time(struct reader *r, int64_t time, uint64_t offset) {
    if (!bulk_add_core(&r->bulk, time, time))
        bulk_add(&r->bulk, time, offset);
}

/* Words of an inline string. */
static uint64_t stream_words(uint64_t ref) {
    return ref & FXT_INLINE ? ((ref & FXT_STRING_MAX) + 7) / 8 : 0;
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
        if (FXT_BITS(h, 0, 3) == FXT_EVENT && FXT_BITS(h, 16, 19) == FXT_DURATION_COMPLETE) {
            uint64_t at = FXT_BITS(h, 24, 31) == 0 ? 4 : 2;
            at += stream_words(FXT_BITS(h, 32, 47)) + stream_words(h >> 48);
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

/* ---- a run ---- */

/* The switch or wakeup at w, which ends at `next`. */
static inline bool take_switch(struct reader *r, const uint64_t *w, uint64_t h, const uint64_t *next, struct run *run) {
    struct plain_event e = {.offset = (uint64_t)(uintptr_t)w + run->shift};
    uint64_t ns, ts;
    if (FXT_BITS(h, 0, 3) != FXT_SCHEDULING || next > run->limit || next < w + 2)
        return false;
    ts = record_word(w + 1, false);
    if (!brief_ns(&r->provider->clock, ts, &ns))
        return false;
    e.time = (int64_t)(ns - r->base.lo);
    if (!plain_switch(r, w, h, next, &e))
        return false;
    add_time_of_run(run, e.time, ts);
    return true;
}

/* Takes usual events from w on. Returns the word after them. */
static inline __attribute__((always_inline)) const uint64_t *take_events(struct reader *r, const uint64_t *w,
                                                                         struct run *run, bool checked) {
    struct provider *p = r->provider;
    struct near *near = r->near;
    const struct clock clock = p->clock;
    const uint64_t base = r->base.lo, *next;
    for (; w < run->last; w = next, p->records++) {
        uint64_t h = record_word(w, false), kind = FXT_BITS(h, 16, 19), place = (uint64_t)(uintptr_t)w + run->shift;
        __builtin_prefetch(w + 128);
        next = w + FXT_BITS(h, 4, 15);
        if (FXT_BITS(h, 0, 3) != FXT_EVENT) {
            if (!take_switch(r, w, h, next, run))
                break;
            continue;
        }
        if (next > run->limit || kind > FXT_FLOW_END)
            break;
        struct near_thread *thread = &near->threads[FXT_BITS(h, 24, 31)];
        uint32_t category = near->strings[FXT_BITS(h, 32, 47)] - 1, name = near->strings[h >> 48] - 1;
        const uint64_t *args = w + 2, *at;
        if (thread->number == 0 || category == UINT32_MAX || name == UINT32_MAX) {
            struct near_event e;
            if (!reader_near_find_event(r, w, h, next, place, &e))
                break;
            thread = e.thread;
            category = e.category;
            name = e.name;
            args = e.arguments;
        }
        uint64_t argc = FXT_BITS(h, 20, 23), complete = kind == FXT_DURATION_COMPLETE;
        at = args;
        if (!plain_arguments(near, &at, next, argc, complete, checked)) {
            at = reader_near_arguments(r, args, next, argc);
            if (at == NULL || (ptrdiff_t)complete > next - at)
                break;
        }
        uint64_t ts = record_word(w + 1, false), end = record_word(complete ? at : w + 1, false), ns, end_ns;
        if (end < ts || !brief_ns(&clock, end, &end_ns) || !brief_ns(&clock, ts, &ns))
            break;
        int64_t t = (int64_t)(ns - base);
        if (kind - FXT_DURATION_BEGIN <= FXT_DURATION_COMPLETE - FXT_DURATION_BEGIN) {
            struct duration_buffer *buffer = thread->buffer;
            if (buffer->next == buffer->end)
                buffer = buffer_of(r, thread);
            *buffer->next++ = (struct duration){t, (int64_t)(end_ns - ns) | durs[kind], event_pack(place, name)};
        } else {
            struct plain_event e = {
                place, t, 0, {args, 0, 0, false}, NULL, thread->number - 1, 0, category, name, 0, 0, 0, false, false};
            if (!plain_other(r, h, at, next, &e))
                break;
        }
        add_time_of_run(run, t, end);
        r->kinds[FXT_K_INSTANT + kind]++;
    }
    return w;
}

uint64_t reader_plain_events(struct reader *r, const uint64_t *words, uint64_t i, uint64_t n, uint64_t avail,
                             uint64_t offset) {
    uint64_t safe = avail > FAR ? avail - FAR : 0; /* records that begin before it need no bound for arguments */
    const uint64_t *w = words + i;
    struct run run = {.last = words + (safe < n ? safe : n),
                      .limit = words + avail,
                      .shift = offset - (uint64_t)(uintptr_t)words,
                      .min = INT64_MAX,
                      .time = r->now};
    w = take_events(r, w, &run, false);
    if (w >= run.last && run.last < words + n) {
        run.last = words + n;
        w = take_events(r, w, &run, true);
    }
    if (w > words + i && !add_run(r, &run))
        add_times(r, words, i, (uint64_t)(w - words), offset);
    return (uint64_t)(w - words);
}
