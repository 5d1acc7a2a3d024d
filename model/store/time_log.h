/* time_log.h - logs whose entries arrive in file order and are processed in (time, file order).
 *
 * A log is a VEC of structs that begin with struct moment; what is derived from it is its owner's.
 * While entries arrive in time order, each is processed as it comes. An entry that is earlier than
 * a processed one forces a rebuild: everything is derived again from the sorted log. Invariants and
 * states: time_log.c.
 *
 * There are three ways to process. time_log_follows() looks at one entry that was just appended,
 * and never at the log. time_log_next() sorts the log, so what was derived has to wait for it. A
 * rebuild of many entries is done in steps, struct time_log_again: of a sorted copy, into a second
 * derived state. The log and what was derived from it stay as they are until the copy takes their
 * place. */
#ifndef FXTOP_TIME_LOG_H
#define FXTOP_TIME_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/budget.h"
#include "src/base/vec.h"

struct moment {
    int64_t time;    /* ns relative to the reader's base */
    uint64_t offset; /* bytes, or another number that orders as the file does */
};

enum time_log_state {
    TIME_LOG_IN_ORDER, /* every entry was processed as it came */
    TIME_LOG_BLOCKED,  /* one was refused; it and all after it wait for time_log_next() */
    /* one is earlier than processed ones, or too many wait; a rebuild waits until it pays */
    TIME_LOG_LATE,
};

struct time_log {
    size_t consumed;            /* entries processed so far */
    size_t consumed_at_rebuild; /* of these, at the latest rebuild */
    size_t size_at_flush;       /* entries in the log when all of it had to be processed, last */
    /* consumed entries, the last ones, that time_log_stop() left unprocessed [L6] */
    size_t pending;
    enum time_log_state state;
    int64_t last; /* time of the latest processed entry, ns */
};

/* Returns true if the next entry, added or about to be, can be processed now; it then counts as
 * processed. After a flush it stays false until the log has doubled [L5]. */
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

/* as of qsort(); of entries that are never equal */
typedef int time_log_order(const void *, const void *);

/* ---- packed entries ---- */

struct time_log_entry {
    struct moment at;
    uint64_t value;
};

/* The first entries of a log, as long as each follows the one before: as numbers of whole bytes,
 * mostly a quarter of their size, as fresh memory costs more than packing. They are only read again
 * if a late one comes. The owner processes them as they come, and keeps the entries after them in
 * an array. */
struct time_log_packed {
    VEC(unsigned char) bytes; /* blocks */
    size_t n; /* entries; without the last one if it is ended: that is the first of the array */
    struct time_log_entry last; /* the last one in blocks */
    bool ended;                 /* the next ones may have to wait, so they are not packed */
};

/* The place of the next block to read. Zeros: the first one. */
struct time_log_cursor {
    size_t at; /* byte */
    struct time_log_entry last;
};

/* A log of such entries: the packed ones, then v[0 .. n), a vector (vec.h). */
struct time_log_array {
    struct time_log_entry *v;
    size_t n, cap;
    struct time_log_packed packed;
};

void time_log_array_free(struct time_log_array *array);
/* Adds entries. v: n structs of `size` bytes that begin with struct time_log_entry. */
void time_log_array_add(struct time_log_array *array, const void *v, size_t size, size_t n);
/* true if it is done */
bool time_log_array_free_step(struct time_log_array *array, struct budget *budget);
static inline size_t time_log_array_count(const struct time_log_array *array) {
    return array->packed.n + array->n;
}

/* ---- when entries are processed ---- */

/* The entries of a log: n structs of `size` bytes. */
struct time_log_entries {
    void *v; /* those that are not packed */
    size_t n, size;
    time_log_order *order;                /* NULL: by struct moment */
    const struct time_log_packed *packed; /* the first ones; NULL: none. All are processed. */
};

static inline struct time_log_entries time_log_array_entries(const struct time_log_array *array) {
    return (struct time_log_entries){array->v, time_log_array_count(array), sizeof *array->v, NULL,
                                     &array->packed};
}

/* The answer of time_log_next(). */
enum time_log_todo {
    TIME_LOG_NOTHING, /* all is processed, or a rebuild is put off */
    TIME_LOG_REST,    /* process the entries [*from, consumed) */
    TIME_LOG_ALL,     /* drop everything derived before, then process [0, consumed) */
    TIME_LOG_AGAIN,   /* the same, but they are many: do it in steps, by time_log_again */
};

/* Before time_log_next(): unpacks entries that it may sort in place, and those that follow are not
 * packed after `all`.
 */
void time_log_array_prepare(struct time_log_array *array, const struct time_log *log, bool all,
                            bool at_once);
/* Sorts the entries to process next, which are *from and those after it. all: process every entry,
 * at any cost. at_once: never TIME_LOG_AGAIN. */
enum time_log_todo time_log_next(struct time_log *log, struct time_log_entries entries, bool all,
                                 bool at_once, size_t *from);

/* The entries from `at` on were not processed after all: the budget is spent. */
static inline void time_log_stop(struct time_log *log, size_t at) {
    log->pending = log->consumed - at;
    if (log->pending > 0)
        log->state = TIME_LOG_BLOCKED;
}

/* The next time_log_next() processes every entry again. */
static inline void time_log_restart(struct time_log *log) {
    log->consumed = log->pending = 0;
}

/* A rebuild in steps. Zeros: it begins. */
struct time_log_again {
    char *v;      /* the sorted copy of the first entries */
    char *other;  /* target of the merge pass; later the log that was replaced, to be freed */
    size_t bytes; /* of `other` */
    size_t n;     /* their number */
    size_t size;  /* of each, in bytes: 24, or 16 */
    time_log_order *order;
    size_t copied;   /* so many of them, and their blocks sorted */
    size_t unpacked; /* so many of them, up to: */
    struct time_log_cursor cursor;
    size_t run;     /* length of the sorted runs */
    size_t at;      /* begin of the pair of runs being merged */
    size_t i, j;    /* entries taken from its first and second run */
    size_t derived; /* for the owner: so many of them are processed */
};

/* Copies and sorts entries until the budget is spent; true if v[0 .. n) is sorted. Entries may be
 * appended between two steps; they are no part of the copy. */
bool time_log_again_sort(struct time_log_again *again, struct time_log_entries entries,
                         struct budget *budget);
/* Returns the copy, with the entries appended since at its end, for the owner to replace the log
 * with: from malloc(), of entries.n entries. Takes entries.v. The sorted ones were processed; `log`
 * is of the new derived state. */
void *time_log_again_swap(struct time_log_again *again, struct time_log *log,
                          struct time_log_entries entries);
/* true if it is done */
bool time_log_again_free_step(struct time_log_again *again, struct budget *budget);
void time_log_again_free(struct time_log_again *again);
/* time_log_again_swap() of an array. Returns its packed entries, which the owner frees. */
struct time_log_packed time_log_again_swap_array(struct time_log_again *again, struct time_log *log,
                                                 struct time_log_array *array);

/* A list that is asked for while entries are added in file order. A short one is sorted then. In a
 * longer one only the entries before the first late one are in order until it is sorted in steps,
 * by time_log_again. */
#define TIME_LOG_SHORT 8192

struct time_log_list {
    bool unsorted;
    size_t ordered; /* entries in order, if it is unsorted */
};

/* Before an entry is added to n others, the last of which is at time `last`. */
static inline void time_log_list_add(struct time_log_list *list, size_t n, int64_t last,
                                     int64_t time) {
    if (!list->unsorted && n > 0 && last > time)
        *list = (struct time_log_list){true, n};
}

/* The number of entries in order, from the first on. */
size_t time_log_list_ordered(struct time_log_list *list, struct time_log_entries entries);
/* A step of sorting it. Returns the entries in place of entries.v when they are sorted, but for
 * those appended since; NULL before. */
void *time_log_list_step(struct time_log_list *list, struct time_log_again *again,
                         struct time_log_entries entries, struct budget *budget);

#endif
