/* source.h - a complete trace as SQL sees it: clock, numbers of threads, processes and tracks,
 * texts.
 *
 * Times of SQL are ns of the trace's own clock, clamped to INT64_MAX; times of the model are
 * relative to the reader's base. Numbers: utid is the number of the thread plus one. upid is the
 * place of the process plus one; 0 is the process with pid 0, which always exists. track_id is the
 * utid, then come rows of async operations, then counters.
 *
 * A source belongs to one trace, which does not step while it lives, and to one thread. Only
 * source_stop() may be called from elsewhere. */
#ifndef FXTOP_SOURCE_H
#define FXTOP_SOURCE_H

#include <stdatomic.h>

#include "model/query/detail.h"
#include "model/query/slice_iter.h"
#include "model/trace/trace.h"
#include "src/base/u64map.h"

struct source_operations { /* a row of async operations: a track */
    uint32_t group, row;
};

enum source_open_kind {
    SOURCE_OPEN_ROWS,   /* slices or states */
    SOURCE_OPEN_FLOWS,  /* flows that have not arrived */
    SOURCE_OPEN_BEFORE, /* runs from before the first record of their CPU, which are no rows */
};

/* Slices without an end whose durations an answer has read, all of one name; or flows or runs that
 * are in no duration. */
struct source_open {
    enum source_open_kind kind;
    uint32_t name;
    const char *state;   /* they are states of threads, of this name; NULL: they are not */
    bool operations;     /* async ones */
    bool joined;         /* flows whose ends were read: it counts if times of slices were, too */
    bool judged, unsure; /* judged: unsure is known (aggregate_unsure()) */
    uint64_t n;
    int64_t lasted; /* of the longest so far */
};

struct source_kept { /* what a table made for later questions */
    const void *key;
    void *of;
    void (*free)(void *of);
};

struct source {
    struct trace *trace;
    /* it was made from Chrome's JSON: names and numbers are those that Perfetto makes of that */
    bool json;
    bool without_wakeups; /* its states are those of JSON, also of an .fxt that was made from it */
    uint64_t absolute;    /* of the origin, ns of the trace's clock, at most INT64_MAX */
    int64_t origin;       /* relative to the reader's base */
    uint32_t threads;
    VEC(struct source_operations) operations; /* tracks after those of threads */
    VEC(uint32_t) first_operations; /* by group: the place of its first row in `operations` */
    unsigned char *text_state;      /* by number of a name: 0 unknown, 1 valid UTF-8, 2 not */
    uint32_t names;                 /* numbers of names when the source was made */
    uint32_t *rank;                 /* of names by their text; NULL: not asked for yet */
    VEC(struct source_kept) kept;
    int64_t start, end; /* of trace_bounds */
    bool bounded;       /* start and end are known */
    bool damaged_rows;  /* rows of an answer were damaged slices */
    unsigned left_out;  /* kinds of which an answer left out a damaged one (SEMANTICS 4.7) */
    VEC(struct source_open) open; /* of the answer so far; its number in it by key */
    struct u64map open_keys;
    bool flows_joined;           /* the answer has both ends of flows */
    bool slice_times;            /* it has read when slices begin */
    unsigned long batch_columns; /* bits of those that its statement reads */
    uint64_t batch; /* rows for which the current one stands, in a database of batches */
    bool declaring; /* SQLite gets the columns of a table: everything is allowed */
    atomic_bool stop;
    struct budget time; /* of `task`; is spent when stopped */
    struct task task;
};

void source_init(struct source *source, struct trace *trace);
void source_free(struct source *source);

/* Ends the statement under way soon; may be called by another thread or a signal handler. */
static inline void source_stop(struct source *source) {
    atomic_store_explicit(&source->stop, true, memory_order_relaxed);
}
static inline bool source_stopped(const struct source *source) {
    return atomic_load_explicit(&source->stop, memory_order_relaxed);
}

/* A task that lasts until the query is stopped. */
struct task *source_task(struct source *source);

/* The answer that was kept under a key, the address of anything; NULL: none was. */
void *source_find(const struct source *source, const void *key);
/* Keeps `of` until the source is freed. */
void source_keep(struct source *source, const void *key, void *of, void (*free)(void *of));

/* Notes that an answer has read the duration of these; a key counts once. */
void source_read_open(struct source *source, uint64_t key, const struct source_open *open);
void source_forget_open(struct source *source);

/* A time of the model as ns of the trace's clock. */
static inline int64_t source_time(const struct source *source, int64_t time) {
    uint64_t since = (uint64_t)time - (uint64_t)source->origin;
    return since > (uint64_t)INT64_MAX - source->absolute ? INT64_MAX
                                                          : (int64_t)(source->absolute + since);
}

/* The utid of a thread by its number, or of the full thread if it is known by its koid alone. */
int64_t source_utid(const struct source *source, uint32_t thread);
/* The upid of a process by its place; -1: NO_PROCESS. */
int64_t source_upid(const struct source *source, uint32_t process);
/* The place of a process by its upid; NO_PROCESS: it has no record. */
uint32_t source_process(const struct source *source, int64_t upid);
/* Tracks of a row of async operations, of a counter. */
static inline int64_t source_operations_track(const struct source *source, uint32_t place) {
    return (int64_t)source->threads + 1 + place;
}
static inline int64_t source_counter_track(const struct source *source, uint32_t series) {
    return (int64_t)source->threads + 1 + (int64_t)source->operations.n + series;
}

/* Whether the text of a name is valid UTF-8, so that SQLite may keep a pointer to it. */
bool source_name_valid(struct source *source, uint32_t name);
/* The text with each ill-formed part as U+FFFD; the caller frees it. */
char *source_valid_text(struct str text, size_t *n);
/* The places of names in the order of their texts; equal texts have equal ranks. NULL: stopped. */
const uint32_t *source_ranks(struct source *source);

#endif
