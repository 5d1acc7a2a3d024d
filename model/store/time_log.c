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

#include <stdlib.h>

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

void time_log_sort(void *v, size_t n, size_t size) {
    if (!sorted(v, 0, n, size))
        qsort(v, n, size, order);
}

bool time_log_next(struct time_log *log, void *v, size_t n, size_t size, bool all, size_t *from) {
    bool put_off = !all && n < 2 * log->consumed_at_rebuild; /* [L4] */
    if (all)
        log->size_at_flush = n; /* [L5] */
    if (log->consumed == n || (log->state == TIME_LOG_LATE && put_off))
        return false;
    size_t first = log->consumed;
    if (first > 0 && !sorted(v, first - 1, n, size)) {
        if (!sorted(v, first, n, size))
            qsort((char *)v + first * size, n - first, size, order);
        if (order(at(v, first - 1, size), at(v, first, size)) > 0)
            first = 0;
    } else if (first == 0) {
        time_log_sort(v, n, size);
    }
    if (first == 0 && log->consumed > 0) {
        if (put_off) {
            log->state = TIME_LOG_LATE;
            return false;
        }
        qsort(v, n, size, order);
    }
    if (first == 0)
        log->consumed_at_rebuild = n;
    log->state = TIME_LOG_IN_ORDER;
    log->last = at(v, n - 1, size)->time;
    log->consumed = n;
    *from = first;
    return true;
}
