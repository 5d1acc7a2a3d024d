/* time_log.c - when entries of a log are processed, and when all of them are processed again.
 *
 * Invariants:
 *
 *  [L1] Entries [0, consumed) are sorted by (time, offset) and processed. The rest is in file
 *       order.
 *  [L2] `last` is the time of the latest processed entry; no processed entry is later.
 *  [L3] Unless IN_ORDER, time_log_follows() refuses every entry: entries are processed in the order
 *       of the log.
 *  [L4] A rebuild waits until the log has twice the entries of the rebuild before, or until `all`.
 *       So all rebuilds
 *       together cost no more than a constant number of sorts of the whole log.
 *  [L5] After a call with `all` follows() refuses until the log has doubled. Entries that come a
 *       little late are sorted
 *       among the waiting ones then, and force no rebuild.
 *  [L6] The last `pending` of the consumed entries are not processed yet; then the state is not
 *       IN_ORDER. The next
 *       time_log_next() returns them first.
 *  [L7] Packed entries are processed, and so is the first entry of the array that follows them, but
 *       after
 *       time_log_restart().
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

/* entries that are sorted and processed in one go, a millisecond or two of work */
#define AT_ONCE 8192
#define TAIL (4 * AT_ONCE) /* that are sorted in one go */
#define BLOCK 512          /* entries of a copy that are sorted by qsort() */
#define MERGED 128         /* entries merged between two looks at the budget */

static const struct moment *at(const void *v, size_t i, size_t size) {
    return (const void *)((const char *)v + i * size);
}

static int order(const void *a, const void *b) {
    const struct moment *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static bool sorted(const void *v, size_t from, size_t n, size_t size) {
    for (size_t i = from + 1; i < n; i++)
        if (order(at(v, i - 1, size), at(v, i, size)) > 0)
            return false;
    return true;
}

static void sort_all(void *v, size_t n, size_t size) {
    if (!sorted(v, 0, n, size))
        qsort(v, n, size, order);
}

static size_t packed_of(const struct time_log_entries *e) {
    return e->packed ? e->packed->n : 0;
}

/* Sorts the entries from `first` on, and finds out whether they follow those before it: 0 if
 * not. */
static size_t sort_tail(struct time_log_entries e, size_t first) {
    size_t packed = packed_of(&e), n = e.n - packed, i = first - packed;
    if (first == 0) {
        sort_all(e.v, n, e.size);
    } else if (!sorted(e.v, i - 1, n, e.size)) {
        if (!sorted(e.v, i, n, e.size))
            qsort((char *)e.v + i * e.size, n - i, e.size, order);
        if (order(at(e.v, i - 1, e.size), at(e.v, i, e.size)) > 0)
            return 0;
    }
    return first;
}

/* Whether time_log_next() may sort all entries in place, so that none of them may be packed. */
static bool is_short(size_t n, bool at_once) {
    return at_once || n <= AT_ONCE;
}

enum time_log_todo time_log_next(struct time_log *log, struct time_log_entries e, bool all,
                                 bool at_once, size_t *from) {
    bool put_off = !all && e.n < 2 * log->consumed_at_rebuild; /* [L4] */
    size_t packed = packed_of(&e);
    if (all)
        log->size_at_flush = e.n; /* [L5] */
    if (log->pending > 0) {       /* [L6] */
        *from = log->consumed - log->pending;
        log->pending = 0;
        return TIME_LOG_REST;
    }
    if (log->consumed == e.n || (log->state == TIME_LOG_LATE && put_off))
        return TIME_LOG_NOTHING;
    bool many = !is_short(e.n, at_once);
    bool late = log->consumed == 0 || log->state == TIME_LOG_LATE;
    if (many && !late && e.n - log->consumed > TAIL)
        late = !sorted(e.v, log->consumed - 1 - packed, e.n - packed, e.size);
    if (many && late) {
        log->state = TIME_LOG_LATE;
        return put_off ? TIME_LOG_NOTHING : TIME_LOG_AGAIN;
    }
    assert(packed <= log->consumed); /* [L7] */
    size_t first = sort_tail(e, log->consumed);
    if (first == 0 && log->consumed > 0) {
        if (put_off || many) {
            log->state = TIME_LOG_LATE;
            return put_off ? TIME_LOG_NOTHING : TIME_LOG_AGAIN;
        }
        assert(packed == 0);
        qsort(e.v, e.n, e.size, order);
    }
    if (first == 0)
        log->consumed_at_rebuild = e.n;
    log->state = TIME_LOG_IN_ORDER;
    log->last = at(e.v, e.n - packed - 1, e.size)->time;
    log->consumed = e.n;
    *from = first;
    return first == 0 ? TIME_LOG_ALL : TIME_LOG_REST;
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

/* Moves all entries to the array. */
static void unpack(struct time_log_array *array) {
    struct time_log_cursor cursor = {0};
    size_t n = array->packed.n, i = 0;
    vec_reserve(array, n + array->n);
    memmove(array->v + n, array->v, array->n * sizeof *array->v);
    array->n += n;
    while (i < n) /* the last block may hold the entry after them, too */
        i += unpack_block(&array->packed, &cursor, array->v + i);
    vec_free(&array->packed.bytes);
    array->packed.n = 0;
}

void time_log_array_prepare(struct time_log_array *array, const struct time_log *log, bool all,
                            bool at_once) {
    size_t n = time_log_array_count(array);
    if (all && n > 0) /* the next ones wait until the log has doubled */
        end_packing(array);
    if (array->packed.n > 0 && log->consumed < n && is_short(n, at_once))
        unpack(array);
}

bool time_log_array_free_step(struct time_log_array *array, struct budget *budget) {
    array->n = array->packed.n = 0;
    return vec_free_step(&array->packed.bytes, budget) && vec_free_step(array, budget);
}

void time_log_array_free(struct time_log_array *array) {
    vec_free(&array->packed.bytes);
    vec_free(array);
}

/* ---- a rebuild in steps ---- */

static inline void copy(char *to, const char *from, size_t size) {
    if (size == 24) /* inlined */
        memcpy(to, from, 24);
    else
        memcpy(to, from, size);
}

static int compare(const struct time_log_again *a, size_t i, size_t j) {
    const char *x = a->v + i * a->size, *y = a->v + j * a->size;
    return a->order ? a->order(x, y) : order(x, y);
}

static void sort_block(const struct time_log_again *a, size_t from, size_t n) {
    for (size_t i = 1; i < n; i++)
        if (compare(a, from + i - 1, from + i) > 0) {
            qsort(a->v + from * a->size, n, a->size, a->order ? a->order : order);
            return;
        }
}

/* Copies n entries, or unpacks them. The block that holds the last packed one holds the next one,
 * too, at most. */
static void copy_some(struct time_log_again *a, struct time_log_entries e, size_t n) {
    size_t packed = packed_of(&e), end = a->copied + n,
           first = a->copied > packed ? a->copied : packed;
    while (a->unpacked < end && a->unpacked < packed)
        a->unpacked +=
            unpack_block(e.packed, &a->cursor, (struct time_log_entry *)a->v + a->unpacked);
    if (end > first)
        memcpy(a->v + first * a->size, at(e.v, first - packed, e.size), (end - first) * a->size);
}

/* Copies all entries and sorts them by blocks; false: not all yet. */
static bool copy_blocks(struct time_log_again *a, struct time_log_entries e,
                        struct budget *budget) {
    while (a->copied < a->n) {
        size_t n = a->n - a->copied < BLOCK ? a->n - a->copied : BLOCK;
        if (!budget_left(budget))
            return false;
        copy_some(a, e, n);
        sort_block(a, a->copied, n);
        a->copied += n;
        budget_spend(budget, BLOCK);
    }
    return true;
}

/* Merges the pair of runs at a->at into `other`, from where it stopped; false: not all of it
 * yet. */
static bool merge_pair(struct time_log_again *a, struct budget *budget) {
    size_t middle = a->n - a->at < a->run ? a->n : a->at + a->run;
    size_t end = a->n - middle < a->run ? a->n : middle + a->run;
    while (a->at + a->i + a->j < end) {
        if (!budget_left(budget))
            return false;
        for (unsigned k = 0; k < MERGED && a->at + a->i + a->j < end; k++) {
            size_t x = a->at + a->i, y = middle + a->j;
            bool first = y >= end || (x < middle && compare(a, x, y) <= 0);
            copy(a->other + (x + a->j) * a->size, a->v + (first ? x : y) * a->size, a->size);
            a->i += first;
            a->j += !first;
        }
        budget_spend(budget, MERGED / 4);
    }
    a->at = end;
    a->i = a->j = 0;
    return true;
}

bool time_log_again_sort(struct time_log_again *a, struct time_log_entries e,
                         struct budget *budget) {
    if (a->v == NULL) {
        *a = (struct time_log_again){.n = e.n, .size = e.size, .order = e.order, .run = BLOCK};
        a->v = err_malloc(a->n * a->size);
    }
    if (!copy_blocks(a, e, budget))
        return false;
    while (a->run < a->n) {
        if (a->other == NULL)
            a->other = err_malloc(a->bytes = a->n * a->size);
        while (a->at < a->n)
            if (!merge_pair(a, budget))
                return false;
        char *merged = a->other;
        a->other = a->v;
        a->v = merged;
        a->run *= 2;
        a->at = 0;
    }
    if (a->other && !vec_release(a->other, &a->bytes, budget))
        return false;
    free(a->other);
    a->other = NULL;
    return true;
}

static void *take(struct time_log_again *a, struct time_log_entries e) {
    char *v = a->v;
    a->v = NULL;
    if (e.n > a->n) {
        v = err_realloc(v, e.n, e.size);
        memcpy(v + a->n * e.size, at(e.v, a->n - packed_of(&e), e.size), (e.n - a->n) * e.size);
    }
    return v;
}

void *time_log_again_swap(struct time_log_again *a, struct time_log *log,
                          struct time_log_entries e) {
    void *v = take(a, e);
    a->other = e.v;
    a->bytes = (e.n - packed_of(&e)) * e.size;
    log->consumed = log->consumed_at_rebuild = a->n;
    log->pending = 0;
    log->last = at(v, a->n - 1, e.size)->time;
    log->state = e.n > a->n ? TIME_LOG_BLOCKED : TIME_LOG_IN_ORDER;
    return v;
}

struct time_log_packed time_log_again_swap_array(struct time_log_again *a, struct time_log *log,
                                                 struct time_log_array *array) {
    struct time_log_packed packed = array->packed;
    array->v = time_log_again_swap(a, log, time_log_array_entries(array));
    array->cap = array->n += packed.n;
    array->packed = (struct time_log_packed){.ended = true};
    return packed;
}

bool time_log_again_free_step(struct time_log_again *a, struct budget *budget) {
    if (a->other && !vec_release(a->other, &a->bytes, budget))
        return false;
    time_log_again_free(a);
    return true;
}

void time_log_again_free(struct time_log_again *a) {
    free(a->v);
    free(a->other);
    *a = (struct time_log_again){0};
}

/* ---- lists that are sorted if they are asked for ---- */

size_t time_log_list_ordered(struct time_log_list *list, struct time_log_entries e) {
    if (list->unsorted && e.n <= TIME_LOG_SHORT) {
        qsort(e.v, e.n, e.size, e.order ? e.order : order);
        list->unsorted = false;
    }
    return list->unsorted ? list->ordered : e.n;
}

void *time_log_list_step(struct time_log_list *list, struct time_log_again *a,
                         struct time_log_entries e, struct budget *budget) {
    if (!time_log_again_sort(a, e, budget))
        return NULL;
    char *v = take(a, e);
    list->ordered = a->n;
    list->unsorted = a->n < e.n;
    time_log_again_free(a);
    return v;
}
