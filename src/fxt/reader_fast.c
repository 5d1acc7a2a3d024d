/* reader_fast.c - the fast path: decodes and resolves usual events without a struct fxt_record.
 *
 * An event is usual if its references have a meaning, its arguments are well formed, and its times are small.
 * reader_plain_events() takes a run of events, switches, wakeups, log and string records. The first unusual one ends
 * the run, and the general path of reader.c takes it. So the fast path only detects faults and reports none. It looks
 * up references in reader_near.c, which also takes inline strings and threads.
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
 * - The entries of inline threads that are many are prefetched some records ahead (look_ahead()).
 * - A header is read in parts, each by one load, so that no word has to stay in a register for shifts.
 * - One test of two differences decides whether a time is too large, an end before its begin, or a time before the
 *   provider's earliest: so the loop keeps no minimum. An earlier time goes to take_others(). After a run with a time
 *   outside of the core, the earliest is looked for again, so it is always in the core, as all later times that the
 *   loop takes.
 * - What is no duration, or not known so far, goes to take_others() without leaving the loop, whose constants are many.
 * - Time and last time are kept in local variables and stored at the end of a run. If a time of it is outside of the
 *   core (bulk.h), which is rare, add_times() goes through the run once more. */
#include "src/fxt/reader_internal.h"

#define SLACK 256                          /* words: 15 arguments of 15 words, and what is before them */
#define FAR (WHOLE_RECORD / 8 + 1 + SLACK) /* and the longest record: nothing before the end by that needs a bound */

/* Arguments that were looked at. */
struct seen {
    const uint64_t *at; /* after the last one */
    unsigned good;      /* 1; 0: a fault was found */
    uint32_t sizes;     /* bits 8 to 15 are set if one is long */
};

/* Parts of a word, each read once: bits 16 * i to 16 * i + 15, and the lower half. */
static inline uint32_t quarter(const uint64_t *p, unsigned i) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    typedef uint16_t __attribute__((may_alias)) part;
    return __atomic_load_n((const part *)p + i, __ATOMIC_RELAXED);
#else
    return (uint16_t)(record_word(p, false) >> 16 * i);
#endif
}

/* Bits 8 * i to 8 * i + 7. */
static inline uint32_t eighth(const uint64_t *p, unsigned i) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return __atomic_load_n((const unsigned char *)p + i, __ATOMIC_RELAXED);
#else
    return (uint8_t)(record_word(p, false) >> 8 * i);
#endif
}

static inline uint32_t lower_half(const uint64_t *p) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    typedef uint32_t __attribute__((may_alias)) part;
    return __atomic_load_n((const part *)p, __ATOMIC_RELAXED);
#else
    return (uint32_t)record_word(p, false);
#endif
}

/* True if all arguments are usual: no fault, and none is long. */
static inline bool all_good(const struct seen *seen) {
    return (seen->sizes & 0xff00) < seen->good;
}

/* Looks at `count` arguments from seen->at on, of which only the first may be outside of the record. */
static inline __attribute__((always_inline)) void see_arguments(const struct near *near, struct seen *seen,
                                                                uint64_t count) {
    for (; count > 0; count--) {
        uint32_t head = quarter(seen->at, 0), low = (uint8_t)head;
        unsigned string = quarter(seen->at, 2) & near->reference[low];
        seen->good &= near->known[quarter(seen->at, 1)] & near->known[string] & near->whole[low];
        seen->sizes |= head;
        seen->at = (const uint64_t *)((const char *)seen->at + near->bytes[low]);
    }
}

/* take_run() writes no numbers of threads, so those with an index do not keep a buffer that many threads share. */
static __attribute__((noinline)) struct duration_buffer *buffer_of(struct reader *r, struct near_thread *thread) {
    struct duration_buffer *buffer = r->sink.buffer(r->sink.ctx, thread->number - 1, r->provider);
    bool index = thread >= r->near->threads && thread < r->near->threads + 256;
    if (buffer->thread == NULL || !index)
        thread->buffer = buffer;
    return buffer;
}

/* The thread of a reference in a legacy switch or a log record; moves *w after an inline one. */
static inline bool find_thread(struct reader *r, uint8_t index, const uint64_t **w, uint64_t offset, uint32_t *number) {
    const struct near_thread *t = &r->near->threads[index]; /* [0] is never known */
    if (t->number == 0) {
        t = index != 0 ? reader_near_find_thread(r, index)
                       : reader_near_find_pair(r, record_word(*w, false), record_word(*w + 1, false), offset);
        *w += index != 0 ? 0 : 2;
        if (t == NULL)
            return false;
    }
    *number = t->number - 1;
    return true;
}

static inline bool legacy_switch(struct reader *r, const uint64_t *w, uint64_t h, const uint64_t *end,
                                 struct plain_event *e) {
    uint8_t out = (uint8_t)FXT_BITS(h, 28, 35), in = (uint8_t)FXT_BITS(h, 36, 43);
    const uint64_t *at = w + 2;
    if (end - w < 2 + (out == 0) * 2 + (in == 0) * 2 || !find_thread(r, out, &at, e->offset, &e->thread) ||
        !find_thread(r, in, &at, e->offset, &e->thread2))
        return false;
    e->args = (struct fxt_arguments){NULL, 0, 0, false};
    e->kind = FXT_K_SWITCH_LEGACY;
    e->id = plain_sched(FXT_K_SWITCH_LEGACY, (uint16_t)FXT_BITS(h, 16, 23), (uint8_t)FXT_BITS(h, 24, 27),
                        FXT_BITS(h, 44, 51) == 0, FXT_BITS(h, 52, 59) == 0);
    return true;
}

/* Takes the switch or wakeup at w; the caller has set its offset and time. False: take the general path. */
static inline bool plain_switch(struct reader *r, const uint64_t *w, uint64_t h, const uint64_t *end,
                                struct plain_event *e) {
    uint64_t type = FXT_BITS(h, 60, 63), argc = FXT_BITS(h, 16, 19);
    if (type == FXT_SWITCH_LEGACY)
        return legacy_switch(r, w, h, end, e);
    uint64_t switches = type == FXT_SWITCH; /* no branch depends on it: switches and wakeups come in any order */
    const uint64_t *first = w + 3 + switches, *at = first;
    if (type > FXT_WAKEUP || first > end || (argc > 0 && (at = reader_near_arguments(r, first, end, argc)) == NULL))
        return false;
    e->args = (struct fxt_arguments){first, (size_t)(at - first), (uint32_t)argc, false};
    e->kind = (uint8_t)(FXT_K_SWITCH_LEGACY + type);
    e->id = plain_sched((enum fxt_kind)e->kind, (uint16_t)FXT_BITS(h, 20, 35),
                        (uint8_t)(FXT_BITS(h, 36, 39) & -switches), false, false);
    e->thread = reader_near_tid(r, record_word(w + 2, false), e->offset) | ((uint32_t)switches - 1); /* or NO_THREAD */
    e->thread2 = reader_near_tid(r, record_word(first - 1, false), e->offset);
    return true;
}

/* ---- the times of a run ---- */

#define AHEAD 8 /* records: look_ahead() */

/* A duration in ticks that needs no look at the earliest time: it begins less than `size` after `from`, and is shorter
 * than `size`, a power of two or 0. So it ends by the last tick that the fast path takes. */
struct window {
    uint64_t from, size;
};

static inline struct window window_of(const struct reader *r) {
    uint64_t from = r->provider->earliest, brief = r->provider->clock.brief;
    return (struct window){from, from <= brief ? (UINT64_C(1) << 62) >> __builtin_clzll(brief - from + 1) : 0};
}

struct run {
    struct plain_event *next[PLAIN_GROUPS]; /* space for the next ones */
    const uint64_t *safe;                   /* events that begin before it cannot reach over the words in memory */
    const uint64_t *limit;                  /* all end before it */
    uint64_t shift;                         /* offset - address */
    int64_t min, time;                      /* the earliest, that of the last event */
    uint64_t latest;                        /* ticks */
    const uint64_t *ahead;                  /* look_ahead() has not looked at this record, or NULL */
    uint64_t strings;                       /* records that define one: they have no time */
    struct window window;                   /* at the provider's earliest time */
};

/* Hands the events so far over. */
static void hand_over(struct reader *r, struct run *run) {
    for (int g = 0; g < PLAIN_GROUPS; g++) {
        size_t n = (size_t)(run->next[g] - r->events[g]);
        if (n > 0)
            r->sink.events(r->sink.ctx, r->events[g], n, r->provider);
        run->next[g] = r->events[g];
    }
}

/* ts, end: ticks. */
static inline void add_time_of_run(struct reader *r, struct run *run, int64_t time, uint64_t ts, uint64_t end) {
    uint64_t *earliest = &r->provider->earliest;
    run->latest = end > run->latest ? end : run->latest;
    run->time = time;
    if (ts < *earliest) { /* rarely: most times follow the earliest */
        run->min = time < run->min ? time : run->min;
        *earliest = ts;
        run->window = window_of(r);
    }
}

/* Adds the times of a run of events. False: they are not all in the core. */
static inline bool add_run(struct reader *r, const struct run *run) {
    uint64_t ns = 0;
    r->now = r->provider->last_time = run->time;
    reader_clock_ns(&r->provider->clock, run->latest, &ns);
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
        bool timed = FXT_BITS(h, 0, 3) != FXT_STRING;
        if (size < (timed ? 2 : 1) || size > end - i)
            return;
        i += timed ? 0 : size;
        if (!timed)
            continue;
        reader_clock_ns(&r->provider->clock, record_word(words + i + 1, false), &ns);
        add_time(r, (int64_t)(ns - r->base.lo), offset + i * 8);
        if (FXT_BITS(h, 0, 3) == FXT_EVENT && FXT_BITS(h, 16, 19) == FXT_DURATION_COMPLETE) {
            uint64_t at = FXT_BITS(h, 24, 31) == 0 ? 4 : 2;
            at += stream_words(FXT_BITS(h, 32, 47)) + stream_words(h >> 48);
            for (uint64_t argc = FXT_BITS(h, 20, 23); argc > 0 && at < size; argc--)
                at += FXT_BITS(record_word(words + i + at, false), 4, 15);
            if (at >= size)
                return;
            reader_clock_ns(&r->provider->clock, record_word(words + i + at, false), &ns);
            add_time(r, (int64_t)(ns - r->base.lo), offset + i * 8);
        }
        i += size;
    }
}

/* ---- a run ---- */

/* reader_near_find_event(), without a call if all references are known. */
static inline __attribute__((always_inline)) bool find_event(struct reader *r, const uint64_t *w, uint64_t h,
                                                             const uint64_t *end, uint64_t offset,
                                                             struct near_event *e) {
    struct near *near = r->near;
    uint32_t category = near->strings[(uint16_t)(h >> 32)], thread = (uint32_t)FXT_BITS(h, 24, 31);
    *e = (struct near_event){&near->threads[thread], category - 1, near->strings[h >> 48] - 1, w + 2};
    if (category == 0 || near->packed[h >> 48] == 0 || e->thread->number == 0) {
        struct near_event found; /* so that the address of *e is not taken */
        if (!reader_near_find_event(r, w, h, end, offset, &found))
            return false;
        *e = found;
    }
    return e->arguments <= end;
}

/* The end of `count` arguments at w; NULL: take the general path. safe: they cannot reach over the words in memory. */
static inline const uint64_t *find_arguments(struct reader *r, const uint64_t *w, const uint64_t *end, uint64_t count,
                                             bool safe) {
    struct seen seen = {w, 1, 0};
    if (safe)
        see_arguments(r->near, &seen, count);
    if ((!safe && count > 0) || !all_good(&seen) || seen.at > end)
        return reader_near_arguments(r, w, end, count);
    return seen.at;
}

/* Type and kind of event in one: kind - FXT_DURATION_BEGIN of a duration, else a larger number. */
static inline uint32_t duration_kind(uint32_t h) {
    uint32_t kind = (h & 0xf000f) - (FXT_DURATION_BEGIN << 16 | FXT_EVENT);
    return kind >> 16 | kind << 16;
}

static inline bool is_duration(uint64_t kind) {
    return kind <= FXT_DURATION_COMPLETE - FXT_DURATION_BEGIN;
}

enum { TAILED = 1 << FXT_COUNTER | 1 << FXT_DURATION_COMPLETE | 7 << FXT_ASYNC_BEGIN | 7 << FXT_FLOW_BEGIN };

/* Takes the event at w, whatever is inline in it. Returns the word after it; NULL: it is not usual. */
static const uint64_t *take_event(struct reader *r, const uint64_t *w, uint64_t h, struct run *run) {
    uint64_t kind = FXT_BITS(h, 16, 19), place = (uint64_t)(uintptr_t)w + run->shift;
    const uint64_t *next = w + FXT_BITS(h, 4, 15), *at;
    struct near_event e;
    if (FXT_BITS(h, 0, 3) != FXT_EVENT || next > run->limit || kind > FXT_FLOW_END ||
        !find_event(r, w, h, next, place, &e))
        return NULL;
    at = find_arguments(r, e.arguments, next, FXT_BITS(h, 20, 23), w < run->safe);
    uint64_t tailed = TAILED >> kind & 1;
    if (at == NULL || (ptrdiff_t)tailed > next - at)
        return NULL;
    const struct clock *clock = &r->provider->clock;
    uint64_t ts = record_word(w + 1, false), tail = tailed ? record_word(at, false) : 0;
    uint64_t end = kind == FXT_DURATION_COMPLETE ? tail : ts;
    if (end < ts || end > clock->brief)
        return NULL;
    uint64_t ns = clock_ns(clock, ts);
    int64_t time = (int64_t)(ns - r->base.lo);
    if (kind - FXT_DURATION_BEGIN <= FXT_DURATION_COMPLETE - FXT_DURATION_BEGIN) {
        struct duration_buffer *buffer = e.thread->buffer;
        if (buffer->next == buffer->end)
            buffer = buffer_of(r, e.thread);
        int64_t dur = (int64_t)(clock_ns(clock, end) - ns) | r->near->durs[kind - FXT_DURATION_BEGIN];
        duration_buffer_add(buffer, e.thread->number - 1, (struct duration){time, dur, event_pack(place, e.name)});
    } else {
        *run->next[plain_group(kind)]++ = (struct plain_event){
            .offset = place,
            .time = time,
            .args = {e.arguments, (size_t)(at - e.arguments), (uint32_t)FXT_BITS(h, 20, 23), false},
            .id = tail,
            .thread = e.thread->number - 1,
            .name = e.name,
            .category = e.category,
            .kind = (uint8_t)(FXT_K_INSTANT + kind)};
    }
    add_time_of_run(r, run, time, ts, end);
    r->kinds[FXT_K_INSTANT + kind]++;
    r->provider->records++;
    return next;
}

/* Takes the switch or wakeup at w, as take_event() does. */
static const uint64_t *take_switch(struct reader *r, const uint64_t *w, uint64_t h, struct run *run) {
    const struct clock *clock = &r->provider->clock;
    const uint64_t *next = w + FXT_BITS(h, 4, 15);
    struct plain_event *e = run->next[GROUP_SCHED];
    if (next > run->limit || next < w + 2)
        return NULL;
    uint64_t ts = record_word(w + 1, false);
    e->offset = (uint64_t)(uintptr_t)w + run->shift;
    if (ts > clock->brief || !plain_switch(r, w, h, next, e))
        return NULL;
    e->time = (int64_t)(clock_ns(clock, ts) - r->base.lo);
    run->next[GROUP_SCHED]++;
    add_time_of_run(r, run, e->time, ts, ts);
    r->kinds[e->kind]++;
    r->provider->records++;
    return next;
}

/* Takes the log record at w, as take_event() does. */
static const uint64_t *take_log(struct reader *r, const uint64_t *w, uint64_t h, struct run *run) {
    const struct clock *clock = &r->provider->clock;
    uint8_t thread = (uint8_t)FXT_BITS(h, 32, 39);
    uint64_t size = FXT_BITS(h, 4, 15), before = thread == 0 ? 4 : 2, place = (uint64_t)(uintptr_t)w + run->shift;
    const uint64_t *at = w + 2;
    uint32_t number;
    if (w + size > run->limit || size < before + (FXT_BITS(h, 16, 30) + 7) / 8)
        return NULL;
    uint64_t ts = record_word(w + 1, false);
    if (ts > clock->brief || !find_thread(r, thread, &at, place, &number))
        return NULL;
    int64_t time = (int64_t)(clock_ns(clock, ts) - r->base.lo);
    *run->next[GROUP_LOG]++ = (struct plain_event){.offset = place, .time = time, .thread = number, .kind = FXT_K_LOG};
    add_time_of_run(r, run, time, ts, ts);
    r->kinds[FXT_K_LOG]++;
    r->provider->records++;
    return w + size;
}

/* Takes the string record at w. Events before it mean the text that its index had, so they go to the sink first. */
static __attribute__((noinline)) const uint64_t *take_string(struct reader *r, const uint64_t *w, uint64_t h,
                                                             struct run *run) {
    uint64_t size = FXT_BITS(h, 4, 15), bytes = FXT_BITS(h, 32, 46);
    uint16_t index = (uint16_t)FXT_BITS(h, 16, 30);
    if (w + size > run->limit || size < 1 + (bytes + 7) / 8 || index == 0)
        return NULL;
    hand_over(r, run);
    reader_near_define(r, index, (struct str){(const char *)(w + 1), bytes}, (uint64_t)(uintptr_t)w + run->shift);
    run->strings++;
    return w + size;
}

/* Takes the event at w, which has header h, if it is without a duration and its references are known. NULL: it is not. */
static inline const uint64_t *take_plain(struct reader *r, const uint64_t *w, uint64_t h, struct run *run) {
    enum { KINDS = 1 << FXT_INSTANT | 1 << FXT_COUNTER | 7 << FXT_ASYNC_BEGIN | 7 << FXT_FLOW_BEGIN };
    const struct near *near = r->near;
    const struct clock *clock = &r->provider->clock;
    const uint64_t *next = w + FXT_BITS(h, 4, 15);
    uint64_t kind = FXT_BITS(h, 16, 19), tailed = TAILED >> kind & 1;
    uint32_t thread = near->threads[FXT_BITS(h, 24, 31)].number, category = near->strings[(uint16_t)(h >> 32)];
    struct seen seen = {w + 2, 1, 0};
    if (!(KINDS >> kind & 1) || thread == 0 || category == 0 || near->packed[h >> 48] == 0) /* 0 of what is inline */
        return NULL;
    see_arguments(near, &seen, FXT_BITS(h, 20, 23));
    uint64_t ts = record_word(w + 1, false), id = record_word(tailed ? seen.at : w, false);
    if (!all_good(&seen) || seen.at + tailed > next || ts > clock->brief)
        return NULL;
    struct plain_event *e = run->next[plain_group(kind)]++;
    e->offset = (uint64_t)(uintptr_t)w + run->shift;
    e->time = (int64_t)(clock_ns(clock, ts) - r->base.lo);
    e->args = (struct fxt_arguments){w + 2, (size_t)(seen.at - w - 2), (uint32_t)FXT_BITS(h, 20, 23), false};
    e->id = id & -tailed;
    e->thread = thread - 1;
    e->name = near->strings[h >> 48] - 1;
    e->category = category - 1;
    e->kind = (uint8_t)(FXT_K_INSTANT + kind);
    add_time_of_run(r, run, e->time, ts, ts);
    r->kinds[FXT_K_INSTANT + kind]++;
    r->provider->records++;
    return next;
}

/* Whether take_run() shall look at the record at w: a duration whose name and thread it knows. */
static inline bool may_be_seen(const struct reader *r, const uint64_t *w) {
    uint32_t head = lower_half(w);
    return is_duration(duration_kind(head)) && r->near->packed[quarter(w, 3)] != 0 &&
           r->near->threads[head >> 24].number != 0;
}

/* Prefetches the inline threads of the events after w. Threads that come in turn are in no cache. */
static inline void look_ahead(const struct near *near, const uint64_t *w, struct run *run) {
    bool again = run->ahead > w;
    const uint64_t *at = again ? run->ahead : w;
    for (unsigned more = again ? 1 : AHEAD; more > 0 && at < run->safe; more--) {
        uint64_t h = record_word(at, false);
        if (FXT_BITS(h, 24, 31) == 0)
            __builtin_prefetch(reader_near_pair(near, record_word(at + 2, false), record_word(at + 3, false)), 1);
        at += FXT_BITS(h, 4, 15);
    }
    run->ahead = at;
}

/* Takes the duration at w, which has header h, if its thread is inline and was seen before, and its strings are known.
 * NULL: they are not. */
static inline const uint64_t *take_inline(struct reader *r, const uint64_t *w, uint64_t h, struct run *run) {
    const struct near *near = r->near;
    const struct clock *clock = &r->provider->clock;
    uint64_t kind = duration_kind((uint32_t)h), complete = kind >> 1, packed = near->packed[h >> 48];
    if (!is_duration(kind) || packed == 0 || near->known[(uint16_t)(h >> 32)] == 0)
        return NULL;
    uint64_t pid = record_word(w + 2, false), tid = record_word(w + 3, false);
    const struct near_pair *pair = reader_near_pair(near, pid, tid);
    if (pair->tid != tid || pair->pid != pid || pair->thread.epoch != near->epoch)
        return NULL;
    struct duration_buffer *buffer = pair->thread.buffer;
    if (buffer->next == buffer->end)
        return NULL;
    struct seen seen = {w + 4, 1, 0};
    see_arguments(near, &seen, FXT_BITS(h, 20, 23));
    const uint64_t *next = w + FXT_BITS(h, 4, 15);
    uint64_t ts = record_word(w + 1, false), end = record_word(complete ? seen.at : w + 1, false);
    if (!all_good(&seen) || seen.at + complete > next || end < ts || end > clock->brief)
        return NULL;
    uint64_t ns = clock_ns(clock, ts), place = (uint64_t)(uintptr_t)w + run->shift;
    int64_t time = (int64_t)(ns - r->base.lo);
    int64_t dur = (int64_t)(clock_ns(clock, end) - ns) | near->durs[kind];
    duration_buffer_add(buffer, pair->thread.number - 1, (struct duration){time, dur, packed - 1 + place / 8});
    add_time_of_run(r, run, time, ts, end);
    r->kinds[FXT_K_DURATION_BEGIN + kind]++;
    r->provider->records++;
    return next;
}

/* Takes the record at w, and those after it that are not for take_run(). Returns the word after them; NULL: the first
 * one is not usual. */
static __attribute__((noinline)) const uint64_t *take_others(struct reader *r, const uint64_t *w, struct run *run) {
    const uint64_t *from = w, *next;
    do {
        uint64_t h = record_word(w, false);
        __builtin_prefetch(w + 128);
        uint64_t type = FXT_BITS(h, 0, 3);
        bool inlined = FXT_BITS(h, 24, 31) == 0;
        next = NULL;
        if (type == FXT_EVENT && w < run->safe) {
            if (inlined && r->near->entered > NEAR_FEW)
                look_ahead(r->near, w, run);
            next = inlined ? take_inline(r, w, h, run) : take_plain(r, w, h, run);
        }
        if (next == NULL)
            reader_near_settle(r);
        if (next == NULL)
            next = type == FXT_SCHEDULING ? take_switch(r, w, h, run)
                   : type == FXT_STRING   ? take_string(r, w, h, run)
                   : type == FXT_LOG      ? take_log(r, w, h, run)
                                          : take_event(r, w, h, run);
        w = next ? next : w;
    } while (next && w < run->safe && !may_be_seen(r, w));
    return w > from ? w : NULL;
}

struct seen_duration {
    const uint64_t *next; /* after it */
    struct duration_buffer *buffer;
    uint64_t packed; /* its name, + 1 */
    uint64_t ts, end, dur; /* ticks; of what is no complete event, dur is 0 */
};

/* Looks at the event at w, whose lower half is head. False: something in it is inline, not known so far, early, or not
 * usual, or there is no space for it. */
static inline __attribute__((always_inline)) bool see_duration(const struct near *near, const uint64_t *w,
                                                               uint32_t head, struct window window,
                                                               struct seen_duration *d) {
    uint64_t kind = duration_kind(head), complete = kind >> 1;
    if (!is_duration(kind))
        return false;
    d->packed = near->packed[quarter(w, 3)];
    struct seen seen = {w + 2, near->known[quarter(w, 2)] & (unsigned)d->packed, 0};
    see_arguments(near, &seen, eighth(w, 2) >> 4);
    d->end = record_word(complete ? seen.at : w + 1, false);
    if (!all_good(&seen))
        return false;
    d->ts = record_word(w + 1, false);
    d->dur = d->end - d->ts;
    if (((d->ts - window.from) | d->dur) >= window.size)
        return false;
    d->next = w + (quarter(w, 0) >> 4);
    if (seen.at + complete > d->next)
        return false;
    d->buffer = near->threads[eighth(w, 3)].buffer;
    return d->buffer->next != d->buffer->end;
}

/* How the loop makes ns of ticks. */
enum ticks { TICKS_NS, TICKS_WHOLE_NS, TICKS_OTHER };

/* Takes events from w on, durations whose references are known without a call. Returns the word after them. */
static inline __attribute__((always_inline)) const uint64_t *take_run(struct reader *r, const uint64_t *w,
                                                                      struct run *run, enum ticks ticks) {
    const struct near *near = r->near;
    const struct clock *clock = &r->provider->clock;
    const uint64_t *safe = run->safe;
    uint64_t place = (uint64_t)((int64_t)run->shift / 8) - 1, base = r->base.lo, latest = 0, kinds[3] = {0};
    uint64_t ns_each = ticks == TICKS_NS ? 1 : clock->whole;
    struct window window = run->window;
    int64_t time = run->time;
    while (w < safe) {
        uint32_t head = lower_half(w);
        struct seen_duration d;
        __builtin_prefetch(w + 128);
        if (__builtin_expect(see_duration(near, w, head, window, &d), true)) {
            uint64_t kind = duration_kind(head), other = ticks == TICKS_OTHER;
            uint64_t ns = other ? clock_ns(clock, d.ts) : d.ts * ns_each;
            uint64_t dur = other ? clock_ns(clock, d.end) - ns : d.dur * ns_each;
            struct duration *to = d.buffer->next++;
            to->time = time = (int64_t)(ns - base);
            to->dur = (int64_t)dur | near->durs[kind];
            to->packed = d.packed + place + (uint64_t)(uintptr_t)w / 8;
            latest = d.end > latest ? d.end : latest;
            kinds[kind]++;
            w = d.next;
            continue;
        }
        run->time = time;
        const uint64_t *next = take_others(r, w, run);
        if (next == NULL)
            break;
        window = run->window;
        time = run->time;
        w = next;
    }
    run->time = time;
    run->latest = latest > run->latest ? latest : run->latest;
    for (int kind = 0; kind < 3; kind++) {
        r->kinds[FXT_K_DURATION_BEGIN + kind] += kinds[kind];
        r->provider->records += kinds[kind];
    }
    return w;
}

static __attribute__((noinline)) const uint64_t *take_ns(struct reader *r, const uint64_t *w, struct run *run) {
    return take_run(r, w, run, TICKS_NS);
}

static __attribute__((noinline)) const uint64_t *take_whole_ns(struct reader *r, const uint64_t *w, struct run *run) {
    return take_run(r, w, run, TICKS_WHOLE_NS);
}

static __attribute__((noinline)) const uint64_t *take_other(struct reader *r, const uint64_t *w, struct run *run) {
    return take_run(r, w, run, TICKS_OTHER);
}

uint64_t reader_plain_events(struct reader *r, const uint64_t *words, uint64_t i, uint64_t n, uint64_t avail,
                             uint64_t offset) {
    const uint64_t *w = words + i, *last = words + n, *next;
    uint64_t safe = avail > FAR && (offset + avail * 8) / 8 < EVENT_WORDS ? avail - FAR : 0;
    struct run run = {.safe = words + (safe < n ? safe : n),
                      .limit = words + avail,
                      .shift = offset - (uint64_t)(uintptr_t)words,
                      .min = INT64_MAX,
                      .time = r->now,
                      .window = window_of(r)};
    const struct clock *clock = &r->provider->clock;
    uint64_t before = r->provider->records;
    for (int g = 0; g < PLAIN_GROUPS; g++)
        run.next[g] = r->events[g];
    if (w < run.safe)
        w = clock->part != 0     ? take_other(r, w, &run)
            : clock->whole == 1 ? take_ns(r, w, &run)
                                : take_whole_ns(r, w, &run);
    for (; w < last && (next = take_others(r, w, &run)) != NULL; w = next)
        ;
    reader_near_settle(r);
    hand_over(r, &run);
    bool timed = r->provider->records != before;
    r->kinds[FXT_K_STRING] += run.strings;
    r->provider->records += run.strings;
    if (timed && !add_run(r, &run)) {
        add_times(r, words, i, (uint64_t)(w - words), offset);
        r->provider->earliest = UINT64_MAX; /* it may be far off: others after it would not be seen */
    }
    return (uint64_t)(w - words);
}
