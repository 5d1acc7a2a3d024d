/* time_log.c - when entries of a log are processed, and when all of them are processed again.
 *
 * Invariants:
 *
 *  [L1] Entries [0, consumed) are sorted by (time, offset) and processed. The rest is in file order.
 *  [L2] `last` is the time of the latest processed entry; no processed entry is later.
 *  [L3] Unless IN_ORDER, time_log_follows() refuses every entry: entries are processed in the order of the log.
 *  [L4] A rebuild waits until the log has twice the entries of the rebuild before, or until `all`. So all rebuilds
 *       together cost no more than a constant number of sorts of the whole log.
 *  [L5] After a call with `all` follows() refuses until the log has doubled. Entries that come a little late are sorted
 *       among the waiting ones then, and force no rebuild.
 *  [L6] The last `pending` of the consumed entries are not processed yet; then the state is not IN_ORDER. The next
 *       time_log_next() returns them first.
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

#include "src/base/vec.h"

#define AT_ONCE 8192       /* entries that are sorted and processed in one go, a millisecond or two of work */
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

/* Sorts the entries from `first` on, and finds out whether they follow those before it: 0 if not. */
static size_t sort_tail(struct time_log_entries e, size_t first) {
    if (first == 0) {
        sort_all(e.v, e.n, e.size);
    } else if (!sorted(e.v, first - 1, e.n, e.size)) {
        if (!sorted(e.v, first, e.n, e.size))
            qsort((char *)e.v + first * e.size, e.n - first, e.size, order);
        if (order(at(e.v, first - 1, e.size), at(e.v, first, e.size)) > 0)
            return 0;
    }
    return first;
}

enum time_log_todo time_log_next(struct time_log *log, struct time_log_entries e, bool all, bool at_once,
                                 size_t *from) {
    bool put_off = !all && e.n < 2 * log->consumed_at_rebuild; /* [L4] */
    if (all)
        log->size_at_flush = e.n; /* [L5] */
    if (log->pending > 0) {       /* [L6] */
        *from = log->consumed - log->pending;
        log->pending = 0;
        return TIME_LOG_REST;
    }
    if (log->consumed == e.n || (log->state == TIME_LOG_LATE && put_off))
        return TIME_LOG_NOTHING;
    bool many = !at_once && e.n > AT_ONCE;
    bool late = log->consumed == 0 || log->state == TIME_LOG_LATE;
    if (many && !late && e.n - log->consumed > TAIL)
        late = !sorted(e.v, log->consumed - 1, e.n, e.size);
    if (many && late) {
        log->state = TIME_LOG_LATE;
        return put_off ? TIME_LOG_NOTHING : TIME_LOG_AGAIN;
    }
    size_t first = sort_tail(e, log->consumed);
    if (first == 0 && log->consumed > 0) {
        if (put_off || many) {
            log->state = TIME_LOG_LATE;
            return put_off ? TIME_LOG_NOTHING : TIME_LOG_AGAIN;
        }
        qsort(e.v, e.n, e.size, order);
    }
    if (first == 0)
        log->consumed_at_rebuild = e.n;
    log->state = TIME_LOG_IN_ORDER;
    log->last = at(e.v, e.n - 1, e.size)->time;
    log->consumed = e.n;
    *from = first;
    return first == 0 ? TIME_LOG_ALL : TIME_LOG_REST;
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

/* Copies all entries and sorts them by blocks; false: not all yet. */
static bool copy_blocks(struct time_log_again *a, const char *from, struct budget *budget) {
    while (a->copied < a->n) {
        size_t n = a->n - a->copied < BLOCK ? a->n - a->copied : BLOCK;
        if (!budget_left(budget))
            return false;
        memcpy(a->v + a->copied * a->size, from + a->copied * a->size, n * a->size);
        sort_block(a, a->copied, n);
        a->copied += n;
        budget_spend(budget, BLOCK);
    }
    return true;
}

/* Merges the pair of runs at a->at into `other`, from where it stopped; false: not all of it yet. */
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

bool time_log_again_sort(struct time_log_again *a, struct time_log_entries e, struct budget *budget) {
    if (a->v == NULL) {
        *a = (struct time_log_again){.n = e.n, .size = e.size, .order = e.order, .run = BLOCK};
        a->v = err_malloc(a->n * a->size);
    }
    if (!copy_blocks(a, e.v, budget))
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
        memcpy(v + a->n * e.size, (const char *)e.v + a->n * e.size, (e.n - a->n) * e.size);
    }
    return v;
}

void *time_log_again_swap(struct time_log_again *a, struct time_log *log, struct time_log_entries e) {
    void *v = take(a, e);
    a->other = e.v;
    a->bytes = e.n * e.size;
    log->consumed = log->consumed_at_rebuild = a->n;
    log->pending = 0;
    log->last = at(v, a->n - 1, e.size)->time;
    log->state = e.n > a->n ? TIME_LOG_BLOCKED : TIME_LOG_IN_ORDER;
    return v;
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

void *time_log_list_step(struct time_log_list *list, struct time_log_again *a, struct time_log_entries e,
                         struct budget *budget) {
    if (!time_log_again_sort(a, e, budget))
        return NULL;
    char *v = take(a, e);
    list->ordered = a->n;
    list->unsorted = a->n < e.n;
    time_log_again_free(a);
    return v;
}
