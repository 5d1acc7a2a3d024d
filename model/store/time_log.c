/* time_log.c - when entries of a log are processed, and when all of them are processed again.
 *
 * Invariants:
 *
 *  [L1] Entries [0, consumed) are sorted by (time, offset) and processed. The rest is in file
 *       order.
 *  [L2] `last` is the time of the latest processed entry; no processed entry is later.
 *  [L3] Unless IN_ORDER, time_log_follows() refuses every entry: entries are processed in the order
 *       of the log.
 *  [L4] A rebuild waits until the log has four times the entries of the rebuild before, or until
 *       `all`. So all rebuilds together cost no more than a constant number of sorts of the whole
 *       log.
 *  [L5] After a call with `all` follows() refuses until the log has doubled. Entries that come a
 *       little late are sorted
 *       among the waiting ones then, and force no rebuild.
 *  [L6] Packed entries are processed, and so is the first entry of the array that follows them, but
 *       after time_log_restart().
 *
 * States (A: time_log_follows(), N: time_log_next()):
 *
 *      A: in time order
 *        .------.
 *        v      |       A: earlier than `last`, or [L5]
 *      +----------+ ------------------------------------> +---------+
 *      | IN_ORDER |                                       | BLOCKED |
 *      +----------+ <------------------------------------ +---------+
 *        |      ^       N: the rest, sorted, follows `last`,   |
 *        |      |          or a rebuild is due [L4]            |
 *        |      |                                              |
 *        |      | N: a rebuild is due [L4]                     |
 *        |      |                                              |
 *        |   +------+                                          |
 *        `-> | LATE | <----------------------------------------'
 *            +------+   N: an entry is earlier than `last`, no rebuild is due
 */
#include "model/store/time_log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "model/store/pack.h"
#include "src/base/discard.h"
#include "src/base/sort.h"

#define COPIED 512 /* entries between two looks at the clock */

static const struct moment *at(const void *v, size_t i, size_t size) {
    return (const void *)((const char *)v + i * size);
}

static int order(const void *a, const void *b) {
    const struct moment *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static size_t packed_of(const struct time_log_entries *e) {
    return e->packed ? e->packed->n : 0;
}

/* Sorts the entries from `first` on, of which there is one. Whether they follow those before. */
static bool sort_rest(struct task *task, struct time_log_entries e, size_t first) {
    size_t i = first - packed_of(&e), n = e.n - first;
    char *rest = (char *)e.v + i * e.size;
    return sort_items(task, rest, n, e.size, order) && order(at(e.v, i - 1, e.size), rest) <= 0;
}

enum time_log_todo time_log_next(struct time_log *log, struct time_log_entries e, bool all,
                                 struct task *task, size_t *from) {
    bool put_off = !all && e.n < 4 * log->consumed_at_rebuild; /* [L4] */
    if (all)
        log->size_at_flush = e.n; /* [L5] */
    if (log->consumed == e.n || (log->state == TIME_LOG_LATE && put_off))
        return TIME_LOG_NOTHING;
    assert(log->consumed == 0 || packed_of(&e) <= log->consumed); /* [L6] */
    bool follow =
        log->consumed > 0 && log->state != TIME_LOG_LATE && sort_rest(task, e, log->consumed);
    if (task_over(task))
        return TIME_LOG_NOTHING;
    if (!follow) {
        log->state = TIME_LOG_LATE;
        return put_off ? TIME_LOG_NOTHING : TIME_LOG_ALL;
    }
    *from = log->consumed;
    log->state = TIME_LOG_IN_ORDER;
    log->last = at(e.v, e.n - packed_of(&e) - 1, e.size)->time;
    log->consumed = e.n;
    return TIME_LOG_REST;
}

void time_log_rebuilt(struct time_log *log, size_t n, int64_t last) {
    log->consumed = log->consumed_at_rebuild = n;
    log->last = last;
    log->state = TIME_LOG_IN_ORDER;
}

/* ---- packed entries ----
 *
 * A block has a head of two bytes: its entries less one, and the widths of four numbers less one.
 * Then each entry has them: time, place and the low bits of its offset, value. Times and places are
 * less those of the entry before the block, the value is exclusive-or with that one's. */

#define PACKED 16u  /* entries of a block, at most */
#define LOW_BITS 27 /* of an offset, which are a number of their own: event_key.h */
#define LOWS ((UINT64_C(1) << LOW_BITS) - 1)
#define BLOCK_BYTES (2 + PACKED * 4 * 8 + PACK_SLACK)

static inline size_t width_of(uint64_t bits) {
    return (71 - (size_t)__builtin_clzll(bits | 1)) / 8;
}

struct stretch { /* entries that follow each other, at most PACKED */
    const char *v;
    size_t size; /* of each struct */
    unsigned n;
    uint64_t lows, values; /* bits that are set in any, values less the one before */
};

static inline const struct time_log_entry *entry_at(const void *at) {
    return at;
}

/* The first of `most` entries that follow `last` and each other. */
static inline struct stretch following(const char *v, size_t size, size_t most,
                                       struct time_log_entry last) {
    struct stretch s = {v, size, 0, 0, 0};
    unsigned end = most < PACKED ? (unsigned)most : PACKED;
    for (int64_t time = last.at.time; s.n < end && entry_at(v)->at.time >= time; s.n++, v += size) {
        time = entry_at(v)->at.time;
        s.lows |= entry_at(v)->at.offset;
        s.values |= entry_at(v)->value ^ last.value;
    }
    return s;
}

/* Returns its end. */
static inline unsigned char *pack_block(unsigned char *to, struct stretch s,
                                        struct time_log_entry last) {
    const struct time_log_entry *end = entry_at(s.v + (s.n - 1) * s.size);
    const uint64_t time = (uint64_t)last.at.time, place = last.at.offset >> LOW_BITS;
    const size_t times = width_of((uint64_t)end->at.time - time);
    const size_t places = width_of((end->at.offset >> LOW_BITS) - place);
    const size_t low = width_of(s.lows & LOWS), wide = width_of(s.values);
    pack_store(to, (s.n - 1) | (times - 1) << 4 | (places - 1) << 7 | (low - 1) << 10 |
                       (wide - 1) << 13);
    to += 2;
    for (const char *at = s.v; at <= (const char *)end; at += s.size) {
        const struct time_log_entry *e = entry_at(at);
        pack_store(to, (uint64_t)e->at.time - time);
        pack_store(to += times, (e->at.offset >> LOW_BITS) - place);
        pack_store(to += places, e->at.offset & LOWS);
        pack_store(to += low, e->value ^ last.value);
        to += wide;
    }
    return to;
}

/* Packs entries until one does not follow; returns how many. */
static size_t pack(struct time_log_packed *packed, const void *v, size_t size, size_t n) {
    const char *from = v;
    size_t left = n;
    while (left > 0 && !packed->ended) {
        struct time_log_entry last = packed->last;
        if (packed->n == 0)
            last.at.time = INT64_MIN;
        struct stretch s = following(from, size, left, last);
        if (s.n == 0)
            break;
        vec_reserve(&packed->bytes, packed->bytes.n + BLOCK_BYTES);
        unsigned char *to = packed->bytes.v + packed->bytes.n;
        packed->bytes.n += (size_t)(pack_block(to, s, last) - to);
        from += s.n * size;
        packed->last = *entry_at(from - size);
        packed->n += s.n;
        left -= s.n;
    }
    return n - left;
}

static inline uint64_t read_number(const unsigned char **from, size_t width) {
    uint64_t v = pack_word(*from) & UINT64_MAX >> (64 - 8 * width);
    *from += width;
    return v;
}

/* Unpacks a block; returns how many entries it has. */
static unsigned unpack_block(const struct time_log_packed *packed, struct time_log_cursor *cursor,
                             struct time_log_entry *to) {
    const unsigned char *from = packed->bytes.v + cursor->at;
    const unsigned head = pack_word(from) & 0xffff, n = head % PACKED + 1;
    struct time_log_entry last = cursor->last;
    if (cursor->at == 0)
        last.at.time = INT64_MIN;
    from += 2;
    for (unsigned i = 0; i < n; i++) {
        to[i].at.time = (int64_t)((uint64_t)last.at.time + read_number(&from, (head >> 4 & 7) + 1));
        uint64_t place = (last.at.offset >> LOW_BITS) + read_number(&from, (head >> 7 & 7) + 1);
        to[i].at.offset = place << LOW_BITS | read_number(&from, (head >> 10 & 7) + 1);
        to[i].value = last.value ^ read_number(&from, (head >> 13) + 1);
    }
    cursor->at = (size_t)(from - packed->bytes.v);
    cursor->last = to[n - 1];
    return n;
}

/* The array begins with the last entry that was packed. */
static void end_packing(struct time_log_array *array) {
    struct time_log_packed *packed = &array->packed;
    if (!packed->ended && packed->n > 0) {
        vec_push(array, packed->last);
        packed->n--;
    }
    packed->ended = true;
}

void time_log_array_add(struct time_log_array *array, const void *v, size_t size, size_t n) {
    size_t i = pack(&array->packed, v, size, n);
    if (i == n)
        return;
    end_packing(array);
    for (; i < n; i++)
        vec_push(array, *entry_at(at(v, i, size)));
}

void time_log_array_end(struct time_log_array *array) {
    if (time_log_array_count(array) > 0)
        end_packing(array);
}

void time_log_array_discard(struct time_log_array *array) {
    discard_vec(&array->packed.bytes);
    discard_vec(array);
    array->packed = (struct time_log_packed){.ended = true};
}

void time_log_array_free(struct time_log_array *array) {
    vec_free(&array->packed.bytes);
    vec_free(array);
}

/* ---- sorted copies ---- */

/* The block that holds the last packed entry holds the next one, too, at most. */
static bool copy_packed(struct task *task, const struct time_log_packed *packed, void *to) {
    struct time_log_cursor cursor = {0};
    struct time_log_entry *v = to;
    for (size_t n = 0; n < packed->n;) {
        n += unpack_block(packed, &cursor, v + n);
        if (!task_spend(task, PACKED))
            return false;
    }
    return true;
}

static bool copy_rest(struct task *task, struct time_log_entries e, char *to) {
    size_t n = e.n - packed_of(&e), some = COPIED;
    for (size_t i = 0; i < n; i += some) {
        some = n - i < COPIED ? n - i : COPIED;
        memcpy(to + i * e.size, at(e.v, i, e.size), some * e.size);
        if (!task_spend(task, COPIED / 2))
            return false;
    }
    return true;
}

void *time_log_sorted(struct task *task, struct time_log_entries e) {
    char *v = err_malloc(e.n * e.size + sizeof(struct time_log_entry));
    if ((e.packed == NULL || copy_packed(task, e.packed, v)) &&
        copy_rest(task, e, v + packed_of(&e) * e.size) &&
        sort_items(task, v, e.n, e.size, e.order ? e.order : order))
        return v;
    free(v);
    return NULL;
}

void time_log_array_replace(struct time_log_array *array, struct time_log_entry *sorted) {
    size_t n = time_log_array_count(array);
    time_log_array_discard(array);
    array->v = sorted;
    array->n = array->cap = n;
}

/* ---- lists that are sorted if they are asked for ---- */

size_t time_log_list_ordered(struct time_log_list *list, struct time_log_entries e) {
    if (list->unsorted && e.n <= TIME_LOG_SHORT) {
        qsort(e.v, e.n, e.size, e.order ? e.order : order);
        list->unsorted = false;
    }
    return list->unsorted ? list->ordered : e.n;
}
