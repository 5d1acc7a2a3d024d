/* time_log.h - logs whose entries arrive in file order and are processed in (time, file order).
 *
 * A log is a VEC of structs that begin with struct moment; what is derived from it is its owner's.
 * While entries arrive in time order, each is processed as it comes. An entry that is earlier than
 * a processed one forces a rebuild: everything is derived again from the sorted log. Invariants and
 * states: time_log.c.
 *
 * There are two ways to process. time_log_follows() looks at one entry that was just appended, and
 * never at the log. time_log_next() answers which of those that wait are next. A rebuild processes
 * a sorted copy, and makes a second derived state. The log and the first state stay as they are
 * until then, so they can be drawn between the steps of a task. No entry is added meanwhile. */
#ifndef FXTOP_TIME_LOG_H
#define FXTOP_TIME_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/task.h"
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
void time_log_array_discard(struct time_log_array *array); /* frees it in the background */
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
    TIME_LOG_NOTHING, /* all is processed, or a rebuild is put off, or the task is cancelled */
    TIME_LOG_REST,    /* process the entries [*from, consumed) */
    TIME_LOG_ALL,     /* process all of time_log_sorted() again, then time_log_replace() */
};

/* Sorts the entries to process next, which are *from and those after it. all: process every entry,
 * at any cost. */
enum time_log_todo time_log_next(struct time_log *log, struct time_log_entries entries, bool all,
                                 struct task *task, size_t *from);
/* A sorted copy of all entries, from malloc(). NULL: the task is cancelled. */
void *time_log_sorted(struct task *task, struct time_log_entries entries);
/* All n > 0 entries were processed, the last of them of time `last`. `log` becomes that of the new
 * derived state. */
void time_log_rebuilt(struct time_log *log, size_t n, int64_t last);
/* Puts a sorted copy in the place of the entries. */
void time_log_array_replace(struct time_log_array *array, struct time_log_entry *sorted);
/* Before time_log_next() with `all`: entries that follow are not packed. */
void time_log_array_end(struct time_log_array *array);

/* The next time_log_next() processes every entry again. */
static inline void time_log_restart(struct time_log *log) {
    log->consumed = 0;
}

/* The rest from `from` on is late after all. */
static inline void time_log_refuse(struct time_log *log, size_t from) {
    log->consumed = from;
    log->state = TIME_LOG_LATE;
}

/* A list that is asked for while entries are added in file order. A short one is sorted then. In a
 * longer one only the entries before the first late one are in order until a flush sorts it. */
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

#endif
