/* readout.c - takes the records out of a trace buffer.
 *
 * A take has up to two parts, halves of the buffer in the order of their wraps. In a buffer with
 * chunks each cell has a count of the words that were taken of it, so any take continues the one
 * before. The mark of a chunk holds its wrap. The first header word that is 0 ends the committed
 * part of a chunk.
 *
 * A plain half is one run of records up to the end that the header names. After a death the current
 * half has no end. Then it is walked until a record does not fit, or until an event is older than
 * the first events of the other half: such an event is of an earlier wrap. A thread that was held
 * up writes an old time, too; newer events follow it. The walk may end in the middle of an older
 * record, so it takes only words that have the shape of a record.
 *
 * Records are copied before the durable news are looked at. A record's strings were committed
 * before it, so the news hold them, and they are written first. */
#include "record/readout.h"

#include <string.h>

#include "src/fxt/record.h"

#define PIECE (512u << 10) /* words of a step */
#define LOOKED 65536       /* records in which the first events of a half are looked for */
#define FIRST 16           /* of them: the latest one counts, because a thread may be late */
#define LATE 64            /* records among which a newer event follows that of a late thread */
#define SUMMED 256         /* words at each end of a half */
#define SMALL 4095         /* words of a record that is not a large one, at most */

/* ---- words ---- */

static uint64_t load(const struct readout *r, size_t at) {
    return at < r->n ? __atomic_load_n(&r->words[at], __ATOMIC_ACQUIRE) : 0;
}

/* Appends a record whose header word was read already. */
static void copy(const struct readout *r, size_t at, uint64_t header, size_t n,
                 struct readout_news *news, bool durable) {
    struct readout_records *to = durable ? &news->durable : &news->rolling;
    vec_reserve(to, to->n + n);
    to->v[to->n] = header;
    memcpy(to->v + to->n + 1, r->words + at + 1, (n - 1) * sizeof *r->words);
    to->n += n;
    news->records++;
}

/* The time of a record, ticks: of a complete event its end. False: it has none. */
static bool time_of(const uint64_t *record, size_t n, uint64_t *time) {
    uint64_t header = record[0];
    unsigned type = (unsigned)FXT_BITS(header, 0, 3);
    if ((type != FXT_EVENT && type != FXT_SCHEDULING && type != FXT_LOG) || n < 2)
        return false;
    *time = type == FXT_EVENT && FXT_BITS(header, 16, 19) == FXT_DURATION_COMPLETE ? record[n - 1]
                                                                                   : record[1];
    return true;
}

static bool has_shape(const uint64_t *record, size_t n) {
    bool more;
    return FXT_BITS(record[0], 0, 3) == FXT_METADATA ||
           record_plausible(record, n, false, &more) == n;
}

/* ---- the header ---- */

struct header { /* read once */
    uint64_t words[WIRE_HEADER / 8];
};

static uint64_t word_at(const struct header *h, size_t offset) {
    return h->words[offset / 8];
}

#define FIELD(h, name) word_at(h, offsetof(struct wire_header, name))

static bool is_size(uint64_t size, uint64_t max) {
    return size % 8 == 0 && size <= max;
}

static bool check(const struct header *h, size_t bytes, int mode, bool cut, struct err *err) {
    uint64_t kind = h->words[1], total = FIELD(h, total), durable = FIELD(h, durable_size),
             rolling = FIELD(h, rolling_size);
    unsigned is = (unsigned)(kind >> 16 & 0xff);
    if (h->words[0] != WIRE_MAGIC)
        return err_set(err, ERR_NO_OFFSET, "not a trace buffer");
    if ((kind & 0xffff) != 0)
        return err_set(err, 8, "trace buffer of unknown version %u", (unsigned)(kind & 0xffff));
    if (is > WIRE_STREAMING || (mode >= 0 && is != (unsigned)mode))
        return err_set(err, 10,
                       mode < 0 ? "trace buffer of unknown mode %u"
                                : "trace buffer of mode %u, not as asked",
                       is);
    if (total % 8 != 0 || total < WIRE_HEADER || total > WIRE_BUFFER_MAX ||
        (cut ? total < 1024 : total != bytes))
        return err_set(err, 16, "trace buffer whose size is wrong");
    bool sums = is == WIRE_ONESHOT
                    ? durable == 0 && rolling == total - WIRE_HEADER
                    : is_size(durable, total) && is_size(rolling, total) && durable < rolling &&
                          rolling < total / 2 && WIRE_HEADER + durable + 2 * rolling == total;
    if (!sums)
        return err_set(err, 24, "trace buffer whose parts do not fill it");
    if (!is_size(FIELD(h, durable_end), durable) || !is_size(word_at(h, 48), rolling) ||
        !is_size(word_at(h, 56), rolling))
        return err_set(err, 40, "trace buffer with data beyond its parts");
    return true;
}

bool readout_open(struct readout *r, const void *buffer, size_t bytes, int mode, bool cut,
                  struct err *err) {
    struct header h;
    *r = (struct readout){.words = buffer, .n = bytes / 8};
    if (r->n < WIRE_HEADER / 8)
        return err_set(err, ERR_NO_OFFSET, "not a trace buffer: it has %zu bytes", bytes);
    for (size_t i = 0; i < WIRE_HEADER / 8; i++)
        h.words[i] = load(r, i);
    if (!check(&h, bytes, mode, cut, err))
        return false;
    r->mode = (enum wire_mode)(h.words[1] >> 16 & 0xff);
    r->durable_at = WIRE_HEADER / 8;
    r->durable_size = FIELD(&h, durable_size) / 8;
    r->rolling_size = FIELD(&h, rolling_size) / 8;
    r->rolling_at[0] = r->durable_at + r->durable_size;
    r->rolling_at[1] = r->rolling_at[0] + (r->mode == WIRE_ONESHOT ? 0 : r->rolling_size);
    uint64_t cell = FIELD(&h, chunk_size);
    if (FIELD(&h, signature) != WIRE_SIGNATURE)
        return true;
    if (!is_size(cell, FIELD(&h, rolling_size)) || cell < 64)
        return err_set(err, 88, "trace buffer with chunks of %llu bytes", (unsigned long long)cell);
    r->cell = cell / 8;
    if (cut) {
        r->saved = (uint32_t)FIELD(&h, saved);
        r->saved_known = true;
    }
    return true;
}

void readout_close(struct readout *r) {
    for (int i = 0; i < 2; i++)
        vec_free(&r->halves[i].taken);
}

void readout_news_empty(struct readout_news *news) {
    news->durable.n = news->rolling.n = 0;
    news->records = news->faults = 0;
}

void readout_news_free(struct readout_news *news) {
    vec_free(&news->durable);
    vec_free(&news->rolling);
}

uint64_t readout_dropped(const struct readout *r) {
    return load(r, offsetof(struct wire_header, dropped) / 8);
}

bool readout_is_final(const struct readout *r) {
    size_t end = r->mode == WIRE_ONESHOT ? offsetof(struct wire_header, rolling_end)
                                         : offsetof(struct wire_header, durable_end);
    return r->cell == 0 && load(r, end / 8) != 0;
}

bool readout_is_fresh(const struct readout *r) {
    uint64_t state = load(r, offsetof(struct wire_header, state) / 8);
    return r->cell > 0 && (r->mode == WIRE_ONESHOT ? !readout_is_full(r) : state >> 32 == 0);
}

bool readout_is_full(const struct readout *r) {
    if (r->cell == 0)
        return r->mode == WIRE_ONESHOT && r->nparts > 0 &&
               (r->rolling_size - r->parts[0].at) * 8 < wire_chunk_size(r->rolling_size * 8);
    uint64_t state = load(r, offsetof(struct wire_header, state) / 8);
    bool waits = r->mode == WIRE_ONESHOT ||
                 (r->mode == WIRE_STREAMING && r->saved_known && state >> 32 > r->saved);
    return r->cell > 0 && waits && (state & 0xffffffff) / 8 + r->cell > r->rolling_size;
}

/* Ends and sizes of the header as they are now, in words and cut to the part. */
static size_t end_now(const struct readout *r, size_t offset, size_t size) {
    uint64_t end = load(r, offset / 8) / 8;
    return end < size ? (size_t)end : size;
}

/* ---- what to take: plain buffers ---- */

/* The record at a word of a half: its size in words, or 0 if the words there have not the shape of
 * one. */
static size_t record_at(const struct readout *r, unsigned half, size_t at) {
    size_t begin = r->rolling_at[half] + at, n = (size_t)record_words(load(r, begin));
    return n > 0 && n <= r->rolling_size - at && begin + n <= r->n && has_shape(r->words + begin, n)
               ? n
               : 0;
}

/* The latest time of the first events of a half; false: there is none. */
static bool first_time(const struct readout *r, unsigned half, uint64_t *latest) {
    int found = 0;
    size_t at = 0, n;
    for (int i = 0;
         i < LOOKED && found < FIRST && at < r->rolling_size && (n = record_at(r, half, at)) > 0;
         i++) {
        uint64_t time;
        if (time_of(r->words + r->rolling_at[half] + at, n, &time))
            *latest = found++ == 0 || time > *latest ? time : *latest;
        at += n;
    }
    return found > 0;
}

/* Whether an event that is newer than all before follows soon. It does for all late events up to
 * that one. */
static bool newer_follows(const struct readout *r, struct readout_part *part, size_t at) {
    size_t n;
    if (at <= part->newer)
        return true;
    for (int i = 0; i < LATE && at < part->limit && (n = record_at(r, part->half, at)) > 0; i++) {
        uint64_t time;
        if (time_of(r->words + r->rolling_at[part->half] + at, n, &time) && time >= part->newest) {
            part->newer = at;
            return true;
        }
        at += n;
    }
    return false;
}

/* Adds a half to the take; `end` in words, 0: it is walked. other: it may hold events of an earlier
 * wrap than that. */
static void add_plain(struct readout *r, unsigned half, size_t end, bool other) {
    struct readout_part *part = &r->parts[r->nparts++];
    *part = (struct readout_part){.half = half,
                                  .limit = end > 0 ? end : r->rolling_size,
                                  .by_size = end > 0,
                                  .mixed = end == 0 && (other || r->used)};
    part->bounded = end == 0 && other && first_time(r, !half, &part->older);
    part->newest = part->older;
}

/* After a death the header lacks the wrapped count. A half whose end is set is full, and not saved
 * unless the provider ended before it saw the answer. If neither has an end, the current half is
 * the one whose first event is later, and the other one was saved or is empty. */
static void add_dead(struct readout *r, const size_t end[2]) {
    uint64_t first[2];
    bool known[2] = {first_time(r, 0, &first[0]), first_time(r, 1, &first[1])};
    unsigned current;
    if ((end[0] > 0) != (end[1] > 0))
        current = end[0] > 0;
    else if (r->mode == WIRE_STREAMING && r->saved_known && end[0] == 0)
        current = r->saved & 1;
    else
        current = known[1] && (!known[0] || first[1] > first[0]);
    /* The full half has the wrap of the last save, or the next one. */
    bool was_saved = r->mode == WIRE_STREAMING && r->saved_known && r->saved > 0 &&
                     ((r->saved - 1) & 1) != current;
    if (end[!current] > 0 && !was_saved)
        add_plain(r, !current, end[!current], false);
    if (end[current] > 0 || load(r, r->rolling_at[current]) != 0)
        add_plain(r, current, end[current], known[!current]);
}

static void begin_plain(struct readout *r) {
    uint64_t kind = load(r, 1),
             durable_end = load(r, offsetof(struct wire_header, durable_end) / 8);
    uint32_t wrapped = (uint32_t)(kind >> 32);
    size_t end[2] = {end_now(r, 48, r->rolling_size), end_now(r, 56, r->rolling_size)};
    /* A provider may write it before the end, and go on. */
    bool dead = durable_end == 0 || (r->when == READOUT_DEAD && r->saved_known);
    r->durable_walks = durable_end == 0 || (dead && !r->used);
    r->durable_limit = r->durable_walks ? r->durable_size : end_now(r, 40, r->durable_size);
    if (r->mode == WIRE_ONESHOT) {
        add_plain(r, 0, end[0], false);
    } else if (dead) {
        add_dead(r, end);
    } else {
        unsigned current = wrapped & 1;
        bool was_saved = r->saved_known ? wrapped <= r->saved : end[!current] == 0;
        if (wrapped > 0 && (r->mode == WIRE_CIRCULAR || !was_saved))
            add_plain(r, !current, end[!current], false);
        /* Its durable part full, Fuchsia's engine ends as if the half were, too: older records may
         * follow. */
        size_t last = end[current] < r->rolling_size ? end[current] : 0;
        if (!r->saved_known || wrapped >= r->saved)
            add_plain(r, current, last, wrapped > 0);
    }
}

/* ---- what to take: buffers with chunks ---- */

static void add_chunks(struct readout *r, uint32_t wrap, size_t limit) {
    unsigned half = r->mode == WIRE_ONESHOT ? 0 : wrap & 1;
    struct readout_half *h = &r->halves[half];
    if (!h->begun || h->wrap != wrap) {
        size_t cells = r->rolling_size / r->cell;
        h->taken.n = 0;
        vec_reserve(&h->taken, cells);
        memset(h->taken.v, 0, cells * sizeof *h->taken.v);
        h->taken.n = cells;
        h->begun = true;
        h->wrap = wrap;
    }
    r->parts[r->nparts++] = (struct readout_part){
        .half = half, .wrap = wrap, .limit = limit < r->rolling_size ? limit : r->rolling_size};
}

static void begin_chunks(struct readout *r) {
    uint64_t state = load(r, offsetof(struct wire_header, state) / 8);
    uint32_t wrap = r->mode == WIRE_ONESHOT ? 0 : (uint32_t)(state >> 32);
    size_t given = (size_t)(state & 0xffffffff) / 8;
    if (wrap > 0 && (r->mode == WIRE_CIRCULAR || wrap > r->saved))
        add_chunks(r, wrap - 1, r->rolling_size);
    if (r->mode != WIRE_STREAMING || wrap >= r->saved)
        add_chunks(r, wrap, given);
}

void readout_begin(struct readout *r, enum readout_when when) {
    r->when = when;
    r->nparts = r->part = 0;
    r->durable_limit = 0;
    if (r->cell > 0)
        begin_chunks(r);
    else if (when != READOUT_NOW)
        begin_plain(r);
}

/* A sum that shows whether a half was written again, by the times of its first and last records;
 * not 0. */
static uint64_t sum_of(const struct readout *r, size_t at, size_t n) {
    uint64_t sum = n;
    for (size_t i = 0; i < n; i++) {
        if (i == SUMMED && n > 2 * SUMMED)
            i = n - SUMMED;
        sum = (sum ^ load(r, at + i)) * UINT64_C(0x9e3779b97f4a7c15) + (sum >> 47);
    }
    return sum | 1;
}

bool readout_save(struct readout *r, uint32_t wrap, uint64_t durable_bytes, struct err *err) {
    uint64_t state = load(r, offsetof(struct wire_header, state) / 8);
    r->saved_known = true;
    r->when = READOUT_STOPPED;
    r->nparts = r->part = 0;
    if (r->mode != WIRE_STREAMING || wrap != r->saved)
        return err_set(err, ERR_NO_OFFSET, "half %lu announced, not %lu", (unsigned long)wrap,
                       (unsigned long)r->saved);
    /* With chunks more may have been registered, and taken, since the provider looked. */
    size_t least = r->cell > 0 ? 0 : r->durable_taken;
    if (durable_bytes < 16 || durable_bytes % 8 != 0 || durable_bytes / 8 > r->durable_size ||
        durable_bytes / 8 < least)
        return err_set(err, ERR_NO_OFFSET, "%llu durable bytes announced",
                       (unsigned long long)durable_bytes);
    if (r->cell > 0) {
        if ((uint32_t)(state >> 32) != wrap + 1)
            return err_set(err, ERR_NO_OFFSET, "half %lu announced that is not full",
                           (unsigned long)wrap);
        add_chunks(r, wrap, r->rolling_size);
    } else {
        size_t end = end_now(r, wrap & 1 ? 56 : 48, r->rolling_size);
        uint64_t sum = sum_of(r, r->rolling_at[wrap & 1], end);
        /* else a small packet would cost a half of disk space */
        if (end > 0 && sum == r->halves[wrap & 1].sum)
            return err_set(err, ERR_NO_OFFSET, "half %lu announced that has not changed",
                           (unsigned long)wrap);
        r->halves[wrap & 1].sum = sum;
        r->durable_walks = false;
        r->durable_limit = (size_t)durable_bytes / 8;
        if (end > 0)
            add_plain(r, wrap & 1, end, false);
    }
    r->saved = wrap + 1;
    return true;
}

/* ---- taking ---- */

/* Whether a record of a bounded part, which was copied, is one of its wrap. */
static bool is_of_wrap(const struct readout *r, struct readout_part *part, const uint64_t *record,
                       size_t n) {
    uint64_t time;
    if (!has_shape(record, n))
        return false;
    if (!time_of(record, n, &time))
        return true;
    if (time < part->older)
        return newer_follows(r, part, part->at + n);
    part->newest = time > part->newest ? time : part->newest;
    return true;
}

/* Records of a plain run from *at to `limit`; false: it ends before the limit, with *at there. */
static bool walk(struct readout *r, size_t base, size_t *at, size_t limit,
                 struct readout_news *news, struct readout_part *part) {
    while (*at < limit && news->rolling.n < PIECE) {
        uint64_t header = load(r, base + *at);
        size_t n = (size_t)record_words(header);
        if (n == 0 || n > limit - *at || base + *at + n > r->n)
            return false;
        if ((header & 15) != FXT_METADATA) {
            copy(r, base + *at, header, n, news, part == NULL);
            if (part && part->bounded &&
                !is_of_wrap(r, part, news->rolling.v + news->rolling.n - n, n)) {
                news->rolling.n -= n;
                news->records--;
                return false;
            }
        }
        *at += n;
    }
    return true;
}

/* Whether the walk of a plain half ended before records that are lost. A record that its thread did
 * not write before it died is 0, and others may follow it. */
static bool ends_early(const struct readout *r, const struct readout_part *part) {
    bool lost = part->by_size;
    size_t base = r->rolling_at[part->half];
    for (size_t i = 0; !part->mixed && !lost && i <= SMALL && part->at + i < part->limit; i++)
        lost = load(r, base + part->at + i) != 0;
    return lost;
}

/* The committed records of a chunk from word *taken of it on. */
static void take_chunk(struct readout *r, size_t at, size_t size, uint32_t *taken,
                       struct readout_news *news, bool durable) {
    size_t pos = *taken > 0 ? *taken : 1;
    while (pos < size) {
        uint64_t header = load(r, at + pos);
        size_t n = (size_t)record_words(header);
        if (header == 0)
            break;
        if (n == 0 || n > size - pos || at + pos + n > r->n) {
            r->faults++;
            pos = size;
            break;
        }
        if ((header & 15) != FXT_METADATA)
            copy(r, at + pos, header, n, news, durable);
        pos += n;
    }
    *taken = (uint32_t)pos;
}

static bool is_mark(uint64_t mark, uint32_t wrap) {
    return (mark & 0xfffff) == WIRE_MARK_BASE && wire_mark_wrap(mark) == wrap &&
           wire_mark_span(mark) > 0;
}

/* The chunks of a part, as far as the step goes. durable: those of registrations (oneshot). True:
 * all were seen. */
static bool take_chunks(struct readout *r, struct readout_part *part, struct readout_news *news,
                        bool durable) {
    uint32_t *taken = r->halves[part->half].taken.v;
    while (part->at + r->cell <= part->limit) {
        size_t at = r->rolling_at[part->half] + part->at;
        uint64_t mark = load(r, at);
        size_t span = wire_mark_span(mark) * r->cell;
        if (!is_mark(mark, part->wrap) || span > part->limit - part->at) {
            /* its owner is about to write the mark, and others have gone on */
            if (r->when == READOUT_NOW) {
                if (!durable) /* else `part` is none of r->parts */
                    r->nparts = r->part + 1;
                return true;
            }
            part->at += r->cell;
            continue;
        }
        if (((mark & WIRE_MARK_DURABLE) != 0 && r->mode == WIRE_ONESHOT) == durable) {
            size_t before = news->rolling.n;
            uint64_t records = news->records;
            take_chunk(r, at, span, &taken[part->at / r->cell], news, durable);
            __atomic_thread_fence(__ATOMIC_ACQUIRE);
            if (r->mode == WIRE_CIRCULAR && load(r, at) != mark) { /* overwritten meanwhile */
                news->rolling.n = before;
                news->records = records;
            }
        }
        part->at += span;
        if (!durable && news->rolling.n >= PIECE)
            return false;
    }
    return true;
}

/* The durable data that came before what this step took. */
static void take_durable(struct readout *r, struct readout_news *news) {
    if (r->cell > 0 && r->mode == WIRE_ONESHOT) {
        uint64_t state = load(r, offsetof(struct wire_header, state) / 8);
        size_t given = (size_t)(state & 0xffffffff) / 8;
        struct readout_part part = {.limit = given < r->rolling_size ? given : r->rolling_size};
        take_chunks(r, &part, news, true);
        return;
    }
    size_t limit = r->cell > 0
                       ? end_now(r, offsetof(struct wire_header, durable_end), r->durable_size)
                       : r->durable_limit;
    if (!walk(r, r->durable_at, &r->durable_taken, limit, news, NULL) &&
        !(r->cell == 0 && r->durable_walks)) {
        r->faults++;
        r->durable_taken = limit;
    }
}

bool readout_step(struct readout *r, struct readout_news *news) {
    uint64_t faults = r->faults;
    for (unsigned of = r->part; r->part == of && of < r->nparts && news->rolling.n < PIECE;) {
        struct readout_part *part = &r->parts[r->part];
        if (r->cell > 0) {
            if (take_chunks(r, part, news, false))
                r->part++;
            continue;
        }
        bool all = walk(r, r->rolling_at[part->half], &part->at, part->limit, news, part);
        if (all && part->at < part->limit)
            continue;
        r->faults += !all && ends_early(r, part);
        r->part++;
    }
    size_t rolling = news->rolling.n;
    news->rolling.n = 0; /* the durable data has no limit of its own but the part */
    take_durable(r, news);
    news->rolling.n = rolling;
    news->faults = r->faults - faults;
    return r->part < r->nparts;
}
