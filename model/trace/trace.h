/* trace.h - one trace: opened, read step by step, asked questions.
 *
 * The trace owns the file and all reached from it; pointers stay good until the next trace_step() or trace_free().
 * Times are ns relative to the reader's base; trace_origin() is the earliest event, subtract it to show a time. Both
 * may change while loading (the base only once, when the whole is taken up again: trace_generation()). */
#ifndef FXTOP_TRACE_H
#define FXTOP_TRACE_H

#include "model/nest/nest_buffer.h"
#include "model/nest/nest_enclosing.h"
#include "model/store/async.h"
#include "model/store/blob.h"
#include "model/store/counter.h"
#include "model/store/flow.h"
#include "model/store/object.h"
#include "model/store/sched.h"
#include "src/fxt/reader.h"

struct instant { /* or a large blob with metadata, which stands where an instant would: its record tells */
    int64_t time;
    uint64_t a; /* event_pack(): offset and name */
};

struct lost { /* records that a provider or the kernel could not write */
    uint64_t offset;
    int64_t time;
    bool has_time;
    uint32_t provider; /* number */
    uint32_t thread;   /* of ktrace_drop_stats, which are slices too; NO_THREAD: a provider event */
};

struct occurrence { /* what has a time and a thread, and is decoded when somebody looks */
    struct moment at;
    uint32_t thread; /* number, or NO_THREAD */
    uint8_t kind;    /* enum fxt_kind */
};

struct occurrences {
    VEC(struct occurrence) v;
    bool unsorted;
};

#define NO_PROCESS UINT32_MAX

struct thread {
    uint64_t events;
    int64_t first, last; /* of its events; valid when events > 0 */
    uint32_t provider;   /* number of the one that wrote its latest event; UINT32_MAX: none did */
    struct nest_buffer buffer; /* the reader thread's; the nest may be the worker's */
    char apart[64];            /* so that no cache line is in both */
    struct nest nest;
    struct nest_enclosing_cache enclosing;
    bool touched; /* in the list of those to settle */
    bool instants_unsorted;
    uint32_t number;  /* the reader's */
    uint32_t process; /* place in the trace's processes, or NO_PROCESS */
    struct thread_id id;
    VEC(struct instant) instants;
    VEC(uint32_t) providers; /* that wrote events of it; more than THREAD_PROVIDERS: too many to tell apart */
};

#define THREAD_PROVIDERS 32

struct process {
    uint64_t pid;
    uint64_t offset;       /* of the first record that names it */
    VEC(uint32_t) threads; /* numbers, in file order */
};

struct trace;

struct trace_options {
    uint64_t max_inflate; /* 0: as much as the disk allows */
    bool follow;          /* the file is still written: waits for its first word, and never ends by itself */
    uint64_t keep_from;   /* bytes: of plain files at least as large the index is kept (cache.h); 0: of none */
};

/* Fails in one line for all that RELIABILITY 4.1 lists and for what is not an FXT trace; waits for a pipe's
 * first word. */
struct trace *trace_open(const char *path, const struct trace_options *options, struct err *err);
void trace_free(struct trace *trace);

enum trace_state { TRACE_LOADING, TRACE_WAITING, TRACE_COMPLETE };

/* Reads about `budget` bytes more and brings everything up to date with them, but for what came late and costs much:
 * that is done at the end, or when a step finds nothing new. */
enum trace_state trace_step(struct trace *trace, uint64_t budget);
/* The same where nobody looks: what a pipe or a growing file brings is there to see only after the next trace_step(), or
 * when nothing comes for a while. It comes in small pieces, and each would cost as much as all threads do. */
enum trace_state trace_read(struct trace *trace, uint64_t budget);
enum trace_state trace_state(const struct trace *trace);
bool trace_unflushed(const struct trace *trace); /* while TRACE_WAITING: step again when nothing comes for a while */
int trace_fd(const struct trace *trace);         /* to poll while TRACE_WAITING, or -1 */
void trace_load(struct trace *trace);    /* steps until complete, waiting for pipes */

/* Opens the file again and begins anew, as loading; where that fails, a sentence, and the trace stays as it is. */
bool trace_reload(struct trace *trace, struct err *err);
uint32_t trace_reloads(const struct trace *trace); /* how often */
/* Keeps the index of a complete trace for the next time, where the options say so and that has not been done; and
 * looks after the process that does it. */
void trace_persist(struct trace *trace);
bool trace_cached(const struct trace *trace); /* it was not read, but taken from what was kept */
/* It was, and something in it turned out to be damaged: nothing that was said is sure. trace_reload() mends it. */
bool trace_cache_damaged(const struct trace *trace);

/* Goes on when the file grows, or ends where it is; a sentence where there is nothing to follow. */
bool trace_follow(struct trace *trace, bool on, struct err *err);
bool trace_follows(const struct trace *trace);

uint64_t trace_version(const struct trace *trace);    /* grows with every change */
uint32_t trace_generation(const struct trace *trace); /* grows when everything was taken up again */

const char *trace_path(const struct trace *trace);
struct file *trace_file(const struct trace *trace);
struct reader *trace_reader(const struct trace *trace);
uint64_t trace_events(const struct trace *trace);
bool trace_has_events(const struct trace *trace);
int64_t trace_origin(const struct trace *trace);
int64_t trace_end(const struct trace *trace); /* greatest time of an event, ends of complete events included */
struct wide trace_origin_wide(const struct trace *trace);
uint64_t trace_kind_count(const struct trace *trace, enum fxt_kind kind);
uint64_t trace_bytes(const struct trace *trace); /* own memory, about */

size_t trace_thread_count(const struct trace *trace);
struct thread *trace_thread(const struct trace *trace, size_t number);
size_t trace_process_count(const struct trace *trace);
struct process *trace_process(const struct trace *trace, size_t i);
const struct async *trace_async(const struct trace *trace);
const struct flows *trace_flows(const struct trace *trace);
const struct counters *trace_counters(const struct trace *trace);
const struct sched *trace_sched(const struct trace *trace);
const struct blobs *trace_blobs(const struct trace *trace);
/* The threads of a process: *n numbers, in file order. */
static inline const uint32_t *trace_process_threads(const struct process *process, size_t *n) {
    *n = process->threads.n;
    return process->threads.v;
}
static inline size_t trace_process_thread_count(const struct process *process) {
    return process->threads.n;
}
/* Whether events of a provider (a number) may be on the thread: true for all if it has too many to tell apart. */
static inline bool trace_thread_written_by(const struct thread *thread, uint32_t provider) {
    bool written = thread->providers.n > THREAD_PROVIDERS;
    for (size_t i = 0; i < thread->providers.n && !written; i++)
        written = thread->providers.v[i] == provider;
    return written;
}
static inline size_t trace_instant_count(const struct thread *thread) {
    return thread->instants.n;
}
/* Log records; modules, mappings and backtraces: by (time, file order), sorted where needed. */
const struct occurrence *trace_logs(struct trace *trace, size_t *n);
size_t trace_log_count(const struct trace *trace);
const struct occurrence *trace_profile(struct trace *trace, size_t *n);
const struct lost *trace_lost(const struct trace *trace, size_t *n); /* in file order */
/* The last slice of a thread (a number) in nesting order with start <= t < end, or start = t; false: there is none. */
bool trace_slice_at(const struct trace *trace, uint32_t thread, int64_t t, uint32_t *row, uint32_t *i);
/* Where the slice with the record at `offset` that starts at t stands on a thread; false: nowhere. */
bool trace_find_slice(const struct thread *thread, int64_t t, uint64_t offset, uint32_t *row, uint32_t *i);
/* The thread that one known by its koid alone stands for (SEMANTICS 5.7), or itself. */
uint32_t trace_stands_for(const struct trace *trace, uint32_t number);
/* The thread of the record at an offset, as it was then; NO_THREAD: it has none. */
uint32_t trace_thread_at(struct trace *trace, uint64_t offset);

const struct objects *trace_kernel_objects(const struct trace *trace);
const struct objects *trace_user_objects(const struct trace *trace);
const struct slice_extra *trace_slice_extra(const struct trace *trace);

/* A thread known by its koid alone that another one, with a process, is. Such a one is not shown. */
bool trace_thread_hidden(const struct trace *trace, const struct thread *thread);

/* Instants by (time, file order); sorts them where needed. */
const struct instant *trace_instants(struct thread *thread, size_t *n);

struct str trace_name(const struct trace *trace, uint32_t id);
/* The name of a slice or an instant from its packed word; decoded again where it did not fit. */
uint32_t trace_packed_name(struct trace *trace, uint64_t a);

struct str trace_slice_name(struct trace *trace, const struct slice *slice); /* the same, as text */

/* "main", or "thread 2107", "<thread 9>" where it has none (written to buf). named: whether it is the trace's own. */
struct str trace_thread_name(const struct trace *trace, const struct thread *thread, char buf[40], bool *named);
struct str trace_process_name(const struct trace *trace, const struct process *process, char buf[40], bool *named);

#endif
