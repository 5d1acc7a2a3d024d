/* time_log.h - logs that are answered in (time, file order) though their records may come in any.
 *
 * A log is a VEC of structs that begin with struct moment. What is derived from it goes on where it stood while the
 * records come in order; when one comes late all is derived again, not more often than the log doubles, and at the end.
 *
 * There are two ways to derive: from each entry as it is added, and from what is in the log. The first is for another
 * thread, which does not look at the log, for that moves as it grows. */
#ifndef FXTOP_TIME_LOG_H
#define FXTOP_TIME_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct moment {
    int64_t time;    /* ns relative to the reader's base */
    uint64_t offset; /* bytes, or what else orders by the file */
};

struct time_log {
    size_t done;   /* entries derived from */
    size_t behind; /* of them, when all was derived last */
    size_t settled; /* entries when all had to be done, whatever it cost */
    bool late;     /* what came since goes before some of them: nothing to do until it is worth it */
    bool waits;    /* one did not follow: nor do those behind it */
    int64_t last;  /* time of the last derived from */
};

/* May the next entry of the log, added or about to be, be derived from at once? Then it counts as done. Not where little
 * has come since all was settled: what comes a little late among it would make all be derived again, but does not if it
 * is sorted first. */
static inline bool time_log_follows(struct time_log *time_log, int64_t time) {
    if (time_log->waits || time_log->done < 2 * time_log->settled || (time_log->done > 0 && time < time_log->last)) {
        time_log->waits = true;
        return false;
    }
    time_log->last = time;
    time_log->done++;
    return true;
}

/* Sorts what is to be derived from next: v[from..n), where *from is 0 when all must be derived again. False: nothing
 * now. `all`: whatever it costs. */
bool time_log_next(struct time_log *time_log, void *v, size_t n, size_t size, bool all, size_t *from);

/* By (time, offset), for a whole log at once. */
void time_log_sort(void *v, size_t n, size_t size);

#endif
