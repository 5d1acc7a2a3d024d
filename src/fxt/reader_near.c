/* reader_near.c - the records of the fast path that are not for the loop of reader_fast.c, and what
 * references mean.
 *
 * reader_take_others() takes plain events, which have no duration, in a loop of its own. It leaves
 * events with something inline or not known so far, switches, wakeups, logs and string records to a
 * function for each.
 *
 * Strings and threads are in arrays by reference, so that the fast path asks with one load and
 * without a limit: indices may have holes. An index enters when it is first used, from the tables
 * of the provider and of the implicit one. All are forgotten when another provider is current. So
 * the memory is constant, however many providers there are. Only the table of inline threads grows,
 * to 32 MiB with half a million of them.
 *
 * Inline threads and strings are in direct-mapped caches, by content. A text of up to 16 bytes is
 * its first and last word; of a longer one the bytes are compared as well. Writers that have no
 * tables write everything inline, so take_event() finds threads, short texts and most arguments
 * without a call. */
#include <string.h>

#include "src/fxt/reader_fast_internal.h"

#define PAIRS 16384           /* places, at first, for inline threads */
#define PAIRS_MOST (1u << 20) /* 32 MiB */

/* Makes places for inline threads, two in a cache line; most of their pages are never touched. */
static void make_pairs(struct near *near, uint64_t places) {
    size_t size = sizeof *near->pairs;
    free(near->pairs_from);
    near->pairs_from = err_calloc(places + 1, size);
    near->pairs = (struct near_pair *)(((uintptr_t)near->pairs_from + size - 1) & ~(size - 1));
    near->pair_places = places;
    near->entered = 0;
}

struct near *reader_near_new(struct reader *r) {
    struct near *near = err_calloc(1, sizeof *near); /* most of its pages are never touched */
    r->near = near;
    make_pairs(near, PAIRS);
    for (unsigned low = 16; low < 256; low++) {
        unsigned type = low % 16;
        near->whole[low] = type <= FXT_ARG_BOOL && record_argument_fits(low, low / 16);
        near->reference[low] = type == FXT_ARG_STRING ? UINT16_MAX : 0;
        near->bytes[low] = low / 16 * 8;
    }
    for (unsigned low = 0; low < 256; low++) {
        near->least[low] = record_argument_fits(low, 1) ? 1 : 2;
        if (low % 16 > FXT_ARG_BOOL)
            near->least[low] = UINT16_MAX;
    }
    near->durs[0] = DURATION_BEGINS;
    near->durs[1] = DURATION_ENDS;
    reader_near_forget(r);
    return near;
}

void reader_near_free(struct near *near) {
    vec_free(&near->used);
    free(near->pairs_from);
    free(near);
}

void reader_near_forget(struct reader *r) {
    struct near *near = r->near;
    for (size_t i = 0; i < near->used.n; i++) {
        near->known[near->used.v[i]] = 0;
        near->strings[near->used.v[i]] = 0;
        near->packed[near->used.v[i]] = 0;
    }
    near->used.n = 0;
    for (unsigned i = 0; i < 256; i++)
        near->threads[i] = (struct near_thread){&r->no_buffer, 0, 0};
    if (++near->epoch == 0) {
        memset(near->pairs, 0, near->pair_places * sizeof *near->pairs);
        near->epoch = 1;
    }
    near->entered = 0;
    near->known[0] = near->known[FXT_INLINE] = 1;
    near->strings[0] = near->strings[FXT_INLINE] = near->packed[0] = 1; /* name 0, never watched */
}

static void set(struct reader *r, uint16_t index, uint32_t value) {
    r->near->strings[index] = value;
    r->near->packed[index] = value - 1 == r->watched ? 0 : event_pack(0, value - 1) + 1;
}

void reader_near_string(struct reader *r, uint16_t index, uint32_t value) {
    if (r->near->known[index])
        set(r, index, value);
}

void reader_near_look_up(struct reader *r) {
    struct near_defined *d = &r->near->defined;
    uint32_t value = names_intern_hashed(r->names, d->text.s, d->text.n, d->hash) + 1;
    index_table_set(&r->provider->strings, d->index, d->offset, value);
    if (d->known) {
        r->near->known[d->index] = 1;
        set(r, d->index, value);
    }
    d->text.s = NULL;
}

void reader_near_thread(struct reader *r, uint8_t index) {
    r->near->threads[index] = (struct near_thread){&r->no_buffer, 0, 0};
}

/* Number + 1 of the name of an index; 0: it was never registered. */
static __attribute__((noinline)) uint32_t string_of(struct reader *r, uint16_t index) {
    struct near *near = r->near;
    uint32_t id;
    if (!reader_string_defined(r, index, &id))
        return 0;
    if (!near->known[index])
        vec_push(&near->used, index);
    near->known[index] = 1;
    set(r, index, id + 1);
    return id + 1;
}

static __attribute__((noinline)) struct near_thread *thread_of(struct reader *r, uint8_t index) {
    struct near_thread *t = &r->near->threads[index];
    if (t->number == 0)
        t->number = reader_thread_now(r, index) + 1; /* NO_THREAD: 0 */
    return t->number != 0 ? t : NULL;
}

/* With twice as many places as threads few threads share one. A new table is empty: threads enter
 * it when they come again. */
static __attribute__((noinline)) struct near_thread *enter_pair(struct reader *r,
                                                                struct near_pair *pair,
                                                                uint64_t pid, uint64_t tid,
                                                                uint64_t offset) {
    struct near *near = r->near;
    uint64_t ids = r->part->archived.ids;
    uint32_t number = reader_pair_thread(r, record_id(ids, pid), record_id(ids, tid), offset) + 1;
    uint64_t places = near->pair_places;
    if (near->entered > places / 2 && threads_count(r->threads) > places / 2 &&
        places < PAIRS_MOST) {
        make_pairs(near, places * 2);
        pair = reader_near_pair(near, pid, tid);
    }
    *pair = (struct near_pair){pid, tid, {&r->no_buffer, number, near->epoch}};
    near->entered++;
    return &pair->thread;
}

/* The thread of a reference whose inline ids would be at w; NULL: the index was never
 * registered. */
static inline struct near_thread *find_thread(struct reader *r, uint8_t index, const uint64_t *w,
                                              uint64_t offset) {
    if (index != 0)
        return r->near->threads[index].number != 0 ? &r->near->threads[index] : thread_of(r, index);
    uint64_t pid = record_word(w, false), tid = record_word(w + 1, false);
    struct near_pair *pair = reader_near_pair(r->near, pid, tid);
    if (pair->tid != tid || pair->pid != pid || pair->thread.epoch != r->near->epoch)
        return enter_pair(r, pair, pid, tid, offset);
    return &pair->thread;
}

/* The name of a string, and the word after its stream; NULL: the index was never registered, or the
 * stream is too long. */
struct found {
    const uint64_t *next;
    uint32_t name;
};

static __attribute__((noinline)) uint32_t enter_text(struct reader *r, struct near_text *text,
                                                     const uint64_t *w, struct near_text is) {
    is.name = names_intern(r->names, (const char *)w, is.ref);
    *text = is;
    return is.name;
}

/* The bytes of a long text whose first and last words are those of `text`: are they its name? */
static __attribute__((noinline)) bool same_text(const struct reader *r,
                                                const struct near_text *text, const uint64_t *w) {
    return str_eq(names_str(r->names, text->name), (struct str){(const char *)w, text->ref});
}

/* An inline string that is not empty. */
static inline __attribute__((always_inline)) struct found find_text(struct reader *r,
                                                                    uint32_t bytes,
                                                                    const uint64_t *w,
                                                                    const uint64_t *end) {
    uint64_t words = (bytes + 7) / 8;
    if (words > (uint64_t)(end - w))
        return (struct found){NULL, 0};
    uint64_t first = record_word(w, false), last = record_word(w + words - 1, false);
    uint64_t hash = (first ^ hash_rotate(last, 23) ^ bytes) * UINT64_C(0x9e3779b97f4a7c15);
    struct near_text *text = &r->near->texts[hash >> 32 & (NEAR_TEXTS - 1)];
    uint32_t name = text->name;
    if (((text->first ^ first) | (text->last ^ last) | (text->ref ^ bytes)) != 0 ||
        (words > 2 && !same_text(r, text, w)))
        name = enter_text(r, text, w, (struct near_text){first, last, bytes, 0});
    return (struct found){w + words, name};
}

static inline __attribute__((always_inline)) struct found find_string(struct reader *r,
                                                                      uint16_t ref,
                                                                      const uint64_t *w,
                                                                      const uint64_t *end) {
    uint32_t v = r->near->strings[ref]; /* the empty string is known, inline or not */
    if (v == 0 && ref & FXT_INLINE)
        return find_text(r, ref & FXT_STRING_MAX, w, end);
    if (v == 0)
        v = string_of(r, ref);
    return (struct found){v != 0 ? w : NULL, v - 1};
}

/* Does an index mean something, or is the reference inline? */
static bool means(struct reader *r, uint16_t ref) {
    return r->near->known[ref] || ref & FXT_INLINE || string_of(r, ref) != 0;
}

/* see_arguments() with names and texts that may be inline. */
static inline __attribute__((always_inline)) void see_inline_arguments(const struct near *near,
                                                                       struct seen *seen,
                                                                       uint64_t count) {
    for (; count > 0; count--) {
        uint64_t h = record_word(seen->at, false);
        unsigned low = (uint8_t)h, name = (uint16_t)(h >> 16),
                 text = (uint16_t)(h >> 32) & near->reference[low];
        uint64_t need = near->least[low] + stream_words(name) + stream_words(text);
        seen->good &= (near->known[name] | name >> 15) & (near->known[text] | text >> 15) &
                      (need <= low >> 4);
        seen->sizes |= (uint32_t)h;
        seen->at = (const uint64_t *)((const char *)seen->at + near->bytes[low]);
    }
}

/* The end of `count` arguments at w, before `end`; NULL: take the general path. */
static __attribute__((noinline)) const uint64_t *find_arguments(struct reader *r, const uint64_t *w,
                                                                const uint64_t *end,
                                                                uint64_t count) {
    for (; count > 0; count--) {
        if (w >= end)
            return NULL;
        uint64_t h = record_word(w, false), size = FXT_BITS(h, 4, 15), type = FXT_BITS(h, 0, 3);
        if (size == 0 || size > (uint64_t)(end - w) || type > FXT_ARG_BLOB ||
            !record_argument_fits(h, size) || !means(r, (uint16_t)FXT_BITS(h, 16, 31)) ||
            (type == FXT_ARG_STRING && !means(r, (uint16_t)FXT_BITS(h, 32, 47))))
            return NULL;
        w += size;
    }
    return w;
}

/* ---- records ---- */

/* take_run() writes no numbers of threads, so those with an index do not keep a buffer that many
 * threads share. */
static __attribute__((noinline)) struct duration_buffer *buffer_of(struct reader *r,
                                                                   struct near_thread *thread) {
    struct duration_buffer *buffer = r->sink.buffer(r->sink.ctx, thread->number - 1, r->provider);
    bool index = thread >= r->near->threads && thread < r->near->threads + 256;
    if (buffer->thread == NULL || !index)
        thread->buffer = buffer;
    return buffer;
}

static inline bool legacy_switch(struct reader *r, const uint64_t *w, uint64_t h,
                                 const uint64_t *end, struct plain_event *e) {
    uint8_t out = (uint8_t)FXT_BITS(h, 28, 35), in = (uint8_t)FXT_BITS(h, 36, 43);
    const uint64_t *at = w + 2;
    if (end - w < 2 + (out == 0) * 2 + (in == 0) * 2)
        return false;
    const struct near_thread *from = find_thread(r, out, at, e->offset);
    if (from == NULL)
        return false;
    e->thread = from->number - 1; /* before the next one takes its place, or makes a new table */
    const struct near_thread *to = find_thread(r, in, at + (out == 0) * 2, e->offset);
    if (to == NULL)
        return false;
    e->thread2 = to->number - 1;
    e->count = 0;
    e->arguments = e->end = at;
    e->kind = FXT_K_SWITCH_LEGACY;
    e->id = plain_sched(FXT_K_SWITCH_LEGACY, (uint16_t)FXT_BITS(h, 16, 23),
                        (uint8_t)FXT_BITS(h, 24, 27), FXT_BITS(h, 44, 51) == 0,
                        FXT_BITS(h, 52, 59) == 0);
    return true;
}

/* Takes the switch or wakeup at w; the caller has set its offset and time. False: take the general
 * path. */
static inline bool plain_switch(struct reader *r, const uint64_t *w, uint64_t h,
                                const uint64_t *end, struct plain_event *e) {
    uint64_t type = FXT_BITS(h, 60, 63), argc = FXT_BITS(h, 16, 19);
    if (type == FXT_SWITCH_LEGACY)
        return legacy_switch(r, w, h, end, e);
    /* no branch depends on it: switches and wakeups come in any order */
    uint64_t switches = type == FXT_SWITCH;
    const uint64_t *first = w + 3 + switches, *at = first;
    if (type > FXT_WAKEUP || first > end ||
        (argc > 0 && (at = find_arguments(r, first, end, argc)) == NULL))
        return false;
    e->arguments = first;
    e->end = at;
    e->count = (uint8_t)argc;
    e->kind = (uint8_t)(FXT_K_SWITCH_LEGACY + type);
    e->id = plain_sched((enum fxt_kind)e->kind, (uint16_t)FXT_BITS(h, 20, 35),
                        (uint8_t)(FXT_BITS(h, 36, 39) & -switches), false, false);
    /* or NO_THREAD */
    e->thread = reader_near_tid(r, record_word(w + 2, false), e->offset) | ((uint32_t)switches - 1);
    e->thread2 = reader_near_tid(r, record_word(first - 1, false), e->offset);
    return true;
}

/* The kinds of events without a duration, and the kinds that have a word after their arguments. */
enum {
    PLAIN = 1 << FXT_INSTANT | 1 << FXT_COUNTER | 7 << FXT_ASYNC_BEGIN | 7 << FXT_FLOW_BEGIN,
    TAILED =
        1 << FXT_COUNTER | 1 << FXT_DURATION_COMPLETE | 7 << FXT_ASYNC_BEGIN | 7 << FXT_FLOW_BEGIN
};

/* An event without a duration. */
static inline bool is_plain(uint32_t head) {
    return (head & 15) == FXT_EVENT && (PLAIN >> (head >> 16 & 15) & 1);
}

/* Takes the event at w, whatever is inline in it. Returns the word after it; NULL: it is not
 * usual. */
static __attribute__((noinline)) const uint64_t *take_event(struct reader *r, const uint64_t *w,
                                                            uint64_t h, struct run *run) {
    uint64_t kind = FXT_BITS(h, 16, 19), place = (uint64_t)(uintptr_t)w + run->shift,
             argc = FXT_BITS(h, 20, 23);
    uint8_t index = (uint8_t)FXT_BITS(h, 24, 31);
    const uint64_t *next = w + FXT_BITS(h, 4, 15);
    if (next > run->limit || kind > FXT_FLOW_END || next < w + (index == 0 ? 4 : 2))
        return NULL;
    struct near_thread *thread = find_thread(r, index, w + 2, place);
    if (thread == NULL)
        return NULL;
    struct found category = find_string(r, (uint16_t)(h >> 32), w + (index == 0 ? 4 : 2), next);
    if (category.next == NULL)
        return NULL;
    struct found name = find_string(r, (uint16_t)(h >> 48), category.next, next);
    if (name.next == NULL || name.name == r->watched)
        return NULL;
    struct seen seen = {name.next, w < run->safe, 0};
    if (seen.good && h >> 63) /* writers of inline names do so in arguments */
        see_inline_arguments(r->near, &seen, argc);
    else if (seen.good)
        see_arguments(r->near, &seen, argc);
    const uint64_t *at =
        all_good(&seen) && seen.at <= next ? seen.at : find_arguments(r, name.next, next, argc);
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
        struct duration_buffer *buffer = thread->buffer;
        if (buffer->next == buffer->end)
            buffer = buffer_of(r, thread);
        int64_t dur =
            (int64_t)(clock_ns(clock, end) - ns) | r->near->durs[kind - FXT_DURATION_BEGIN];
        duration_buffer_add(buffer, thread->number - 1,
                            (struct duration){time, dur, event_pack(place, name.name)});
        r->provider->records++;
    } else {
        *run->next[plain_group(kind)]++ =
            (struct plain_event){.offset = place,
                                 .time = time,
                                 .id = tail,
                                 .arguments = name.next,
                                 .end = at,
                                 .thread = thread->number - 1,
                                 .name = name.name,
                                 .category = category.name,
                                 .kind = (uint8_t)(FXT_K_INSTANT + kind),
                                 .count = (uint8_t)argc};
    }
    add_time_of_run(r, run, time, ts, end);
    r->kinds[FXT_K_INSTANT + kind]++;
    return next;
}

/* Takes switches and wakeups from w on. Returns the word after them; NULL: the first one is not
 * usual. */
static __attribute__((noinline)) const uint64_t *take_switches(struct reader *r, const uint64_t *w,
                                                               struct run *run) {
    const struct clock *clock = &r->provider->clock;
    const uint64_t *from = w;
    struct plain_event *e = run->next[GROUP_SCHED];
    uint64_t h = record_word(w, false);
    do {
        const uint64_t *next = w + FXT_BITS(h, 4, 15);
        if (next > run->limit || next < w + 2)
            break;
        uint64_t ts = record_word(w + 1, false);
        e->offset = (uint64_t)(uintptr_t)w + run->shift;
        if (ts > clock->brief || !plain_switch(r, w, h, next, e))
            break;
        e->time = (int64_t)(clock_ns(clock, ts) - r->base.lo);
        add_time_of_run(r, run, e->time, ts, ts);
        r->kinds[e->kind]++;
        e++;
        w = next;
        __builtin_prefetch(w + 128);
    } while (w < run->safe && FXT_BITS(h = record_word(w, false), 0, 3) == FXT_SCHEDULING);
    run->next[GROUP_SCHED] = e;
    return w > from ? w : NULL;
}

/* Takes log records from w on. Returns the word after them; NULL: the first one is not usual. */
static __attribute__((noinline)) const uint64_t *take_logs(struct reader *r, const uint64_t *w,
                                                           struct run *run) {
    const struct clock *clock = &r->provider->clock;
    const uint64_t *from = w;
    struct plain_event *e = run->next[GROUP_LOG];
    uint64_t h = record_word(w, false);
    do {
        uint64_t size = FXT_BITS(h, 4, 15), place = (uint64_t)(uintptr_t)w + run->shift;
        uint8_t thread = (uint8_t)FXT_BITS(h, 32, 39);
        if (w + size > run->limit || size < (thread == 0 ? 4 : 2) + (FXT_BITS(h, 16, 30) + 7) / 8)
            break;
        uint64_t ts = record_word(w + 1, false);
        const struct near_thread *t =
            ts > clock->brief ? NULL : find_thread(r, thread, w + 2, place);
        if (t == NULL)
            break;
        int64_t time = (int64_t)(clock_ns(clock, ts) - r->base.lo);
        e->offset = place;
        e->time = time;
        e->thread = t->number - 1;
        e->kind = FXT_K_LOG;
        e++;
        add_time_of_run(r, run, time, ts, ts);
        w += size;
        __builtin_prefetch(w + 128);
    } while (w < run->safe && FXT_BITS(h = record_word(w, false), 0, 3) == FXT_LOG);
    r->kinds[FXT_K_LOG] += (uint64_t)(e - run->next[GROUP_LOG]);
    run->next[GROUP_LOG] = e;
    return w > from ? w : NULL;
}

/* Registers an index. Its name is looked up later, in reader_near_settle(): what that reads is in
 * no cache. */
static void define(struct reader *r, uint16_t index, struct str text, uint64_t offset) {
    struct near *near = r->near;
    near->defined = (struct near_defined){text, names_hash(r->names, text.s, text.n), offset, index,
                                          near->known[index]};
    near->known[index] = 0;
    near->strings[index] = 0;
    near->packed[index] = 0;
}

/* Takes the string record at w. Events before it mean the text that its index had, so they go to
 * the sink first. */
static __attribute__((noinline)) const uint64_t *take_string(struct reader *r, const uint64_t *w,
                                                             uint64_t h, struct run *run) {
    uint64_t size = FXT_BITS(h, 4, 15), bytes = FXT_BITS(h, 32, 46);
    uint16_t index = (uint16_t)FXT_BITS(h, 16, 30);
    if (w + size > run->limit || size < 1 + (bytes + 7) / 8 || index == 0)
        return NULL;
    reader_hand_over(r, run);
    define(r, index, (struct str){(const char *)(w + 1), bytes},
           (uint64_t)(uintptr_t)w + run->shift);
    run->strings++;
    return w + size;
}

/* True if a loop shall look at the record at w: a duration or a plain event whose name and thread
 * are known. */
static inline bool may_be_seen(const struct reader *r, const uint64_t *w) {
    uint32_t head = lower_half(w);
    return (is_duration(duration_kind(head)) || is_plain(head)) &&
           r->near->packed[quarter(w, 3)] != 0 && r->near->threads[head >> 24].number != 0;
}

/* Takes durations from w on whose threads are inline and were seen before, and whose strings are
 * known. Returns the word after them, or w. */
static __attribute__((noinline)) const uint64_t *take_inline(struct reader *r, const uint64_t *w,
                                                             struct run *run) {
    const struct near *near = r->near;
    const struct clock *clock = &r->provider->clock;
    while (w < run->safe) {
        uint32_t head = lower_half(w), kind = duration_kind(head), complete = kind >> 1;
        if (!is_duration(kind) || head >> 24 != 0)
            break;
        uint64_t packed = near->packed[quarter(w, 3)], pid = record_word(w + 2, false),
                 tid = record_word(w + 3, false);
        const struct near_pair *pair = reader_near_pair(near, pid, tid);
        __builtin_prefetch(w + 128);
        if (pair->tid != tid || pair->pid != pid || pair->thread.epoch != near->epoch)
            break;
        struct duration_buffer *buffer = pair->thread.buffer;
        struct seen seen = {w + 4, near->known[quarter(w, 2)] & (unsigned)packed, 0};
        see_arguments(near, &seen, head >> 20 & 15);
        const uint64_t *next = w + (quarter(w, 0) >> 4);
        uint64_t ts = record_word(w + 1, false),
                 end = record_word(complete ? seen.at : w + 1, false);
        if (!all_good(&seen) || seen.at + complete > next || buffer->next == buffer->end ||
            ((ts - run->window.from) | (end - ts)) >= run->window.size)
            break;
        uint64_t ns = clock_ns(clock, ts), place = (uint64_t)(uintptr_t)w + run->shift;
        int64_t dur = (int64_t)(clock_ns(clock, end) - ns) | near->durs[kind];
        run->time = (int64_t)(ns - r->base.lo);
        duration_buffer_add(buffer, pair->thread.number - 1,
                            (struct duration){run->time, dur, packed - 1 + place / 8});
        run->latest = end > run->latest ? end : run->latest;
        run->last = end;
        r->kinds[FXT_K_DURATION_BEGIN + kind]++;
        r->provider->records++;
        w = next;
    }
    return w;
}

/* Takes the record at w, and those after it that are for none of the two loops. */
static __attribute__((noinline)) const uint64_t *take_rest(struct reader *r, const uint64_t *w,
                                                           struct run *run) {
    const uint64_t *from = w, *next = w;
    do {
        w = next;
        uint64_t h = record_word(w, false), type = FXT_BITS(h, 0, 3);
        bool inlined = type == FXT_EVENT && FXT_BITS(h, 24, 31) == 0;
        bool name_known = r->near->packed[h >> 48] != 0;
        if (inlined && name_known && (next = take_inline(r, w, run)) > w)
            continue;
        reader_near_settle(r);
        __builtin_prefetch(w + 128);
        if (type == FXT_EVENT)
            next = take_event(r, w, h, run);
        else if (type == FXT_SCHEDULING)
            next = take_switches(r, w, run);
        else if (type == FXT_STRING)
            next = take_string(r, w, h, run);
        else
            next = type == FXT_LOG ? take_logs(r, w, run) : NULL;
    } while (next && next < run->safe && !may_be_seen(r, next));
    if (next)
        return next;
    return w > from ? w : NULL;
}

const uint64_t *reader_take_others(struct reader *r, const uint64_t *w, struct run *run) {
    const struct near *near = r->near;
    const struct clock *clock = &r->provider->clock;
    const uint64_t *from = w;
    while (w < run->safe) {
        uint32_t head = lower_half(w), kind = head >> 16 & 15;
        if (!is_plain(head))
            break;
        uint32_t thread = near->threads[head >> 24].number - 1; /* all ones of what is not known */
        uint32_t category = near->strings[quarter(w, 2)] - 1,
                 name = near->strings[quarter(w, 3)] - 1;
        __builtin_prefetch(w + 128);
        struct seen seen = {w + 2, 1, 0};
        see_arguments(near, &seen, head >> 20 & 15);
        uint64_t ts = record_word(w + 1, false);
        const uint64_t *next = w + (quarter(w, 0) >> 4);
        if ((thread | category | name) >> 31 || !all_good(&seen) ||
            seen.at + (kind != FXT_INSTANT) > next || ts - run->window.from >= run->window.size)
            break;
        struct plain_event *e = run->next[plain_group(kind)]++;
        e->offset = (uint64_t)(uintptr_t)w + run->shift;
        e->time = run->time = (int64_t)(clock_ns(clock, ts) - r->base.lo);
        e->id = record_word(seen.at, false);
        e->arguments = w + 2;
        e->end = seen.at;
        e->thread = thread;
        e->name = name;
        e->category = category;
        e->kind = (uint8_t)(FXT_K_INSTANT + kind);
        e->count = (uint8_t)(head >> 20 & 15);
        run->latest = ts > run->latest ? ts : run->latest;
        run->last = ts;
        r->kinds[FXT_K_INSTANT + kind]++;
        w = next;
    }
    return w > from ? w : take_rest(r, w, run);
}
