/* reader_fast.c - the fast path: decodes and resolves usual events without a struct fxt_record.
 *
 * An event is usual if its references have a meaning, its arguments are well formed, and its times
 * are small. reader_plain_events() takes a run of events, switches, wakeups, log and string
 * records. The first unusual one ends the run, and the general path of reader.c takes it. So the
 * fast path only detects faults and reports none. Durations whose references are known are taken
 * here, all else in reader_near.c.
 *
 * Nearly all records of a common trace come here: what they cost is the number of instructions in
 * this loop (tests/bench/bare.c has the least of it). Measurements gave the code its shape:
 * - Arguments are checked without branches. Masks collect their faults, and one test after the last
 *   argument decides.
 *   Types and references differ from one argument to the next, so branches on them would be mispredicted. The only
 *   branch is the end of the arguments; a version without it, which always took three, was slower by a seventh.
 * - Arguments are at most 15 words long here, so those of a record cannot reach over SLACK words.
 *   Only the last records before the end of the words in memory need a bound.
 * - Words are prefetched 1 KiB ahead, because the processor's own prefetcher stops at the end of a
 *   page. The event buffers must not be prefetched: the worker shares their cache lines, and each
 *   store would stall. That cost a third of the reader's time.
 * - A header is read in parts, each by one load, so that no word has to stay in a register for
 *   shifts.
 * - One test of two differences decides whether a time is too large, an end before its begin, or a
 *   time before the provider's earliest: so the loop keeps no minimum. An earlier time goes to
 *   reader_near.c. After a run with a time outside of the core, the earliest is looked for again,
 *   so it is always in the core, as all later times that the loop takes.
 * - What is no duration, or not known so far, goes to reader_near.c without leaving the loop, whose
 *   constants are many.
 * - Time and last time are kept in local variables and stored at the end of a run. If a time of it
 *   is outside of the core (bulk.h), which is rare, add_times() goes through the run once more. */
#include "src/fxt/reader_fast_internal.h"

/* the longest record, too: nothing before the end by that needs a bound */
#define FAR (WHOLE_RECORD / 8 + 1 + SLACK)

/* Gives operations and flows the ids that they had before their trace was put into an archive. */
static void own_ids(struct reader *r, enum plain_group group, size_t n) {
    uint64_t ids = r->part->archived.ids;
    struct plain_event *v = r->events[group];
    for (size_t i = 0; i < n; i++)
        v[i].id = group == GROUP_FLOW ? record_flow_id(ids, v[i].id) : v[i].id ^ ids;
}

void reader_hand_over(struct reader *r, struct run *run) {
    for (int g = 0; g < PLAIN_GROUPS; g++) {
        size_t n = (size_t)(run->next[g] - r->events[g]);
        if (r->part->archived.ids != 0 && (g == GROUP_ASYNC || g == GROUP_FLOW))
            own_ids(r, (enum plain_group)g, n);
        r->provider->records += n;
        if (n > 0)
            r->sink.events(r->sink.ctx, r->events[g], n, r->provider);
        run->next[g] = r->events[g];
    }
}

/* Adds the times of a run of events. False: they are not all in the core. */
static inline bool add_run(struct reader *r, const struct run *run) {
    uint64_t ns = 0;
    r->now = run->time;
    reader_clock_ns(&r->provider->clock, run->last, &ns);
    r->provider->last_time = (int64_t)(ns - r->base.lo);
    reader_clock_ns(&r->provider->clock, run->latest, &ns);
    r->min = run->min < r->min ? run->min : r->min;
    return bulk_add_core(&r->part->bulk, run->min, (int64_t)(ns - r->base.lo));
}

static inline void add_time(struct reader *r, int64_t time, uint64_t offset) {
    if (!bulk_add_core(&r->part->bulk, time, time))
        bulk_add(&r->part->bulk, time, offset);
}

/* Adds the times of the usual events words[i .. end) to the bulk one by one. Their words are read a
 * second time and may have changed, so no size is trusted. */
static __attribute__((noinline)) void add_times(struct reader *r, const uint64_t *words, uint64_t i,
                                                uint64_t end, uint64_t offset) {
    while (i < end) {
        uint64_t h = record_word(words + i, false), size = FXT_BITS(h, 4, 15), ns = 0;
        bool timed = FXT_BITS(h, 0, 3) != FXT_STRING;
        if (size < (timed ? 2 : 1) || size > end - i)
            return;
        i += timed ? 0 : size;
        if (!timed)
            continue;
        reader_clock_ns(&r->provider->clock, record_word(words + i + 1, false), &ns);
        int64_t begin = (int64_t)(ns - r->base.lo);
        add_time(r, begin, offset + i * 8);
        if (FXT_BITS(h, 0, 3) == FXT_EVENT && FXT_BITS(h, 16, 19) == FXT_DURATION_COMPLETE) {
            uint64_t at = FXT_BITS(h, 24, 31) == 0 ? 4 : 2;
            at += stream_words(FXT_BITS(h, 32, 47)) + stream_words(h >> 48);
            for (uint64_t argc = FXT_BITS(h, 20, 23); argc > 0 && at < size; argc--)
                at += FXT_BITS(record_word(words + i + at, false), 4, 15);
            if (at >= size)
                return;
            reader_clock_ns(&r->provider->clock, record_word(words + i + at, false), &ns);
            int64_t last = (int64_t)(ns - r->base.lo);
            if (begin == r->part->bulk.zero || !bulk_add_core(&r->part->bulk, last, last))
                bulk_add_end(&r->part->bulk, begin, last, offset + i * 8);
        }
        i += size;
    }
}

/* ---- a run ---- */

struct seen_duration {
    const uint64_t *next; /* after it */
    struct duration_buffer *buffer;
    uint64_t packed;       /* its name, + 1 */
    uint64_t ts, end, dur; /* ticks; of what is no complete event, dur is 0 */
};

/* Looks at the event at w, whose lower half is head. False: something in it is inline, not known so
 * far, early, or not usual, or there is no space for it. */
static inline __attribute__((always_inline)) bool see_duration(const struct near *near,
                                                               const uint64_t *w, uint32_t head,
                                                               struct window window,
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

/* Takes events from w on, durations whose references are known without a call. Returns the word
 * after them. */
static inline __attribute__((always_inline)) const uint64_t *take_run(struct reader *r,
                                                                      const uint64_t *w,
                                                                      struct run *run,
                                                                      enum ticks ticks) {
    const struct near *near = r->near;
    const struct clock *clock = &r->provider->clock;
    const uint64_t *safe = run->safe;
    uint64_t place = (uint64_t)((int64_t)run->shift / 8) - 1, base = r->base.lo, latest = 0,
             last = 0, kinds[3] = {0};
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
            last = d.end;
            kinds[kind]++;
            w = d.next;
            continue;
        }
        run->time = time;
        run->last = last;
        const uint64_t *next = reader_take_others(r, w, run);
        if (next == NULL)
            break;
        window = run->window;
        time = run->time;
        last = run->last;
        w = next;
    }
    run->time = time;
    run->last = last;
    run->latest = latest > run->latest ? latest : run->latest;
    for (int kind = 0; kind < 3; kind++) {
        r->kinds[FXT_K_DURATION_BEGIN + kind] += kinds[kind];
        r->provider->records += kinds[kind];
    }
    return w;
}

static __attribute__((noinline)) const uint64_t *take_ns(struct reader *r, const uint64_t *w,
                                                         struct run *run) {
    return take_run(r, w, run, TICKS_NS);
}

static __attribute__((noinline)) const uint64_t *take_whole_ns(struct reader *r, const uint64_t *w,
                                                               struct run *run) {
    return take_run(r, w, run, TICKS_WHOLE_NS);
}

static __attribute__((noinline)) const uint64_t *take_other(struct reader *r, const uint64_t *w,
                                                            struct run *run) {
    return take_run(r, w, run, TICKS_OTHER);
}

uint64_t reader_plain_events(struct reader *r, const uint64_t *words, uint64_t i, uint64_t n,
                             uint64_t avail, uint64_t offset) {
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
    if (w < run.safe && clock->part != 0)
        w = take_other(r, w, &run);
    else if (w < run.safe)
        w = clock->whole == 1 ? take_ns(r, w, &run) : take_whole_ns(r, w, &run);
    for (; w < last && (next = reader_take_others(r, w, &run)) != NULL; w = next)
        ;
    reader_near_settle(r);
    reader_hand_over(r, &run);
    bool timed = r->provider->records != before;
    r->kinds[FXT_K_STRING] += run.strings;
    r->provider->records += run.strings;
    if (timed && !add_run(r, &run)) {
        add_times(r, words, i, (uint64_t)(w - words), offset);
        /* it may be far off: others after it would not be seen */
        r->provider->earliest = UINT64_MAX;
    }
    return (uint64_t)(w - words);
}
