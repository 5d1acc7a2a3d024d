/* time_log.h - logs whose entries arrive in file order and are processed in (time, file order).
 *
 * A log is a VEC of structs that begin with struct moment; what is derived from it is its owner's. While entries arrive
 * in time order, each is processed as it comes. An entry that is earlier than a processed one forces a rebuild:
 * everything is derived again from the sorted log. Invariants and states: time_log.c.
 *
 * There are two ways to process. time_log_follows() looks at one entry and never at the log, so the worker may use it
 * while the reader thread appends. time_log_next() sorts the log, so it needs both threads to be idle. */
#ifndef FXTOP_TIME_LOG_H
#define FXTOP_TIME_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct moment {
    int64_t time;    /* ns relative to the reader's base */
    uint64_t offset; /* bytes, or another number that orders as the file does */
};

enum time_log_state {
    TIME_LOG_IN_ORDER, /* every entry was processed as it came */
    TIME_LOG_BLOCKED,  /* one was refused; it and all after it wait for time_log_next() */
    TIME_LOG_LATE,     /* one is known to be earlier than processed ones; a rebuild waits until it pays */
};

struct time_log {
    size_t consumed;            /* entries processed so far */
    size_t consumed_at_rebuild; /* of these, at the latest rebuild */
    size_t size_at_flush;       /* entries in the log when all of it had to be processed, last */
    enum time_log_state state;
    int64_t last; /* time of the latest processed entry, ns */
};

/* Returns true if the next entry, added or about to be, can be processed now; it then counts as processed. After a
 * flush it stays false until the log has doubled [L5]. */
static inline bool time_log_follows(struct time_log *log, int64_t time) {
    if (log->state != TIME_LOG_IN_ORDER || log->consumed < 2 * log->size_at_flush ||
        (log->consumed > 0 && time < log->last)) {
        if (log->state == TIME_LOG_IN_ORDER)
            log->state = TIME_LOG_BLOCKED;
        return false;
    }
    log->last = time;
    log->consumed++;
    return true;
}

/* Sorts the entries to process next: v[*from .. n). *from is 0 if the owner has to drop everything derived before.
 * Returns false if there is nothing to process, or if a rebuild is put off. all: process every entry, at any cost. */
bool time_log_next(struct time_log *log, void *v, size_t n, size_t size, bool all, size_t *from);

/* The next time_log_next() processes every entry again. */
static inline void time_log_restart(struct time_log *log) {
    log->consumed = 0;
}

/* Sorts a whole log by (time, offset). */
void time_log_sort(void *v, size_t n, size_t size);

#endif
