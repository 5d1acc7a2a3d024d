/* trace.h - one trace: opened, loaded step by step, asked questions.
 *
 * The trace owns the file and everything reached from it; pointers are valid until the next
 * trace_step() or trace_free(). Times are ns relative to the reader's base; exports subtract
 * trace_origin(), that of the earliest event, and the interface trace_begin(). All may change while
 * loading; the base changes only when everything is read again (trace_generation()). Invariants:
 * trace.c. States: trace_load.c. */
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
#include "src/base/quantiles.h"
#include "src/base/task.h"
#include "src/fxt/align.h"
#include "src/fxt/reader.h"

struct instant { /* also a large blob with metadata, which is an event: its record decides */
    int64_t time;
    uint64_t packed; /* event_pack(): offset and name */
};

struct lost { /* records that a provider or the kernel could not write */
    uint64_t offset;
    int64_t time;
    bool has_time;
    uint32_t provider; /* number */
    uint32_t thread;   /* of ktrace_drop_stats, which are slices too; NO_THREAD: a provider event */
};

struct occurrence { /* a record with a time and a thread, decoded on demand */
    struct moment at;
    uint32_t thread; /* number, or NO_THREAD */
    uint8_t kind;    /* enum fxt_kind */
};

struct occurrences {
    VEC(struct occurrence) v; /* in file order while unsorted */
    struct time_log_list order;
};

#define NO_PROCESS UINT32_MAX

struct thread {
    uint64_t events;
    /* of its events; valid when events > 0. last: counters left out, as they are no sign of life */
    int64_t first, last;
    int64_t last_counter;
    uint32_t provider; /* number of the provider of its latest event; UINT32_MAX: none */
    uint32_t number;   /* of the reader */
    uint32_t process;  /* place in the trace's processes, or NO_PROCESS */
    bool touched;      /* in the list of threads to flush */
    /* of its durations: the reader fills `buffer`, or a crowd */
    enum { WAY_NONE, WAY_BUFFER, WAY_CROWD } way;
    struct thread_id id;
    /* numbers of its writers; more than THREAD_PROVIDERS: not all of them */
    VEC(uint32_t) providers;
    struct nest_buffer buffer;
    /* keeps the fields of the reader thread and of the worker in different cache lines */
    char apart[64];
    struct nest nest;
    VEC(struct instant) instants;
    struct time_log_list instants_order;
    struct nest_enclosing_cache enclosing; /* for queries */
    bool sampled;                          /* trace_find_sampled(): its slices are a profiler's */
    size_t sampled_seen;                   /* instants that were looked at for that */
};

#define THREAD_PROVIDERS 32

struct process {
    uint64_t pid;
    uint16_t world;        /* that its id is of (src/fxt/threads.h) */
    uint64_t offset;       /* of the first record that names it */
    VEC(uint32_t) threads; /* numbers, in file order */
};

struct trace;

#define TRACE_NEVER UINT64_MAX

/* A file that is left out, because it cannot be opened. */
struct trace_unread {
    const char *name;
    struct err why;
};

/* Several files that are opened as one trace. The arrays have a value for each. */
struct trace_set {
    const char *const *paths, *const *names;
    size_t n; /* at least 2 */
    enum align_how how;
    size_t reference;       /* whose clock is that of the trace */
    const int64_t *offsets; /* ns, added to what is found; 0 of the reference */
    const uint16_t *worlds; /* that ids are of (src/fxt/threads.h): from 0 on, without gaps */
    const struct trace_unread *unread;
    size_t nunread;
    bool joins_all; /* flows with small ids, too, go from one world to another (SEMANTICS 13.6) */
    const char *joins_category; /* of these alone; NULL: of all */
};

struct trace_options {
    struct file_options file;
    /* the file is still being written: waits for its first word, never ends by itself */
    bool follow;
    /* bytes: the index of files at least as large is written to the cache (TRACE_NEVER: of none).
     * 0: nor is any read */
    uint64_t cache_from;
    /* a cached index is verified as a whole before it is used: its answers cannot be taken back */
    bool cache_whole;
    /* only times of events, and records without a time, are read: for questions about its span */
    bool times;
    bool insists;      /* it is read even if memory seems too small (load.h) */
    const char *shown; /* the name in trace_path(); NULL: the path */
    /* names that the trace has not: no index of it is to be cached; NULL: none */
    const struct symbols_source *symbols;
    /* whose events are read: no index of it is to be cached */
    struct reader_providers providers;
};

/* An archive of several traces (src/fxt/archive.h) is opened as the set that it was.
 * Fails in one line for the cases of RELIABILITY 4.1 and for a file that is no FXT trace
 * (SEMANTICS 3.1). Waits for the first word of a pipe. */
struct trace *trace_open(const char *path, const struct trace_options *options, struct err *err);
void trace_free(struct trace *trace);

/* Opens several files as one trace (SEMANTICS 13.1). The set lasts as long. *failed: the number of
 * the file that err is about. No index of such a trace is cached. The times of each file are judged
 * as if it were alone. */
struct trace *trace_open_set(const struct trace_set *set, const struct trace_options *options,
                             size_t *failed, struct err *err);
/* The files of a trace: 1, or those of the set. */
size_t trace_files(const struct trace *trace);
/* The files that were left out: *n of them. */
const struct trace_unread *trace_unread(const struct trace *trace, size_t *n);
/* Sets them of a trace that is the only one left; they last as long. */
void trace_tell_unread(struct trace *trace, const struct trace_unread *unread, size_t n);
/* The name of a file of a set, and its path; its alignment; its world; the file of a record, or of
 * its source. */
const char *trace_file_name(const struct trace *trace, size_t file);
const char *trace_file_path(const struct trace *trace, size_t file);
const char *const *trace_file_paths(const struct trace *trace); /* of a set: all of them */
uint16_t trace_file_world(const struct trace *trace, size_t file);
size_t trace_reference(const struct trace *trace); /* the file whose clock is that of the set */
const struct align_part *trace_aligned(const struct trace *trace, size_t file);
/* ns from the clock of a file to that of the reference, each as it was when it was written. */
int64_t trace_move(const struct trace *trace, size_t file);
size_t trace_record_file(const struct trace *trace, uint64_t offset);
/* The worlds of a set, which are hosts; 1 of one file. Their names: "server", "server + kernel";
 * returns the length. */
uint32_t trace_hosts(const struct trace *trace);
size_t trace_host_name(const struct trace *trace, uint16_t world, char *buf, size_t size);
/* The read part of a file of a set: its events; its first and last time, false without an
 * event. */
uint64_t trace_file_events(const struct trace *trace, size_t file);
bool trace_file_span(const struct trace *trace, size_t file, int64_t *from, int64_t *to);
/* Whether it was cut at a range, which its span is then. */
bool trace_file_is_part(const struct trace *trace, size_t file, bool *closed);
/* The file's own part of the bytes, to which offsets within it are relative. */
void trace_file_part(const struct trace *trace, size_t file, struct file_part *part);
/* The begin of a file of a set after that of the reference, and how it was put there: "+6.000 ms by
 * wall clock (as good as NTP)", "the reference". */
#define TRACE_ALIGNED_TEXT 96
const char *trace_aligned_text(const struct trace *trace, size_t file, bool ascii,
                               char buf[TRACE_ALIGNED_TEXT]);
/* trace_begin() and trace_end() of a world: of the files whose ids are of it. */
int64_t trace_world_begin(const struct trace *trace, uint16_t world);
int64_t trace_world_end(const struct trace *trace, uint16_t world);

/* Whether flows with small ids go between worlds; of one category, or (NULL) of all. */
const char *trace_joins(const struct trace *trace, bool *all);
/* ns from the clock of a file to that of the set, as it is now. */
uint64_t trace_shift(const struct trace *trace, size_t file);

/* The file of a set with a name or a number. Fails with one line that has the names. */
bool trace_file_named(const struct trace *trace, struct str name, size_t *file, struct err *err);
/* The offset of a file, and another one, for which all is read again: times mean nothing before the
 * next step. Fails in one line; the trace stays as it is. */
int64_t trace_offset(const struct trace *trace, size_t file);
bool trace_set_offset(struct trace *trace, size_t file, int64_t ns, struct err *err);
/* The worlds of the files, from 0 on without gaps, for which all is read again. Fails in one line;
 * the trace stays as it is. */
bool trace_set_worlds(struct trace *trace, const uint16_t *worlds, struct err *err);
/* The clock of the reference at time 0 of a set, if it is known: after a step. */
bool trace_reference_zero(const struct trace *trace, struct wide *zero);

/* Opens another trace as `trace` was opened, but neither followed nor from a pipe. Fails in one
 * line. Free it with trace_free_beside(): a thread of its own does it, which `trace` waits for
 * before it opens or closes a file. */
struct trace *trace_open_beside(struct trace *trace, const char *path, struct err *err);
void trace_free_beside(struct trace *trace, struct trace *other); /* other may be NULL */

enum trace_state { TRACE_LOADING, TRACE_WAITING, TRACE_COMPLETE };

/* Reads about so many bytes more and brings the model up to date, except late events that would
 * force much re-nesting: these wait for the end of input, or for a step that finds nothing new. A
 * step of up to 16 MB is read for 4 ms at most, as a key may wait. */
enum trace_state trace_step(struct trace *trace, uint64_t bytes);
/* Like trace_step(), but defers nesting: new events become visible at the next trace_step() or
 * after an idle period. Use it when no frame will be drawn: nesting after every small read costs
 * O(threads). */
enum trace_state trace_read(struct trace *trace, uint64_t bytes);
enum trace_state trace_state(const struct trace *trace);
/* while TRACE_WAITING: step again if input pauses */
bool trace_unflushed(const struct trace *trace);
/* the same, and at once: the last step was not enough */
bool trace_flushing(const struct trace *trace);
int trace_fd(const struct trace *trace); /* to poll while TRACE_WAITING, or -1 */
void trace_load(struct trace *trace);    /* steps until complete, waiting for pipes */

/* Opens the file again and starts to load. If that fails, an error of one line, and the trace stays
 * as it is. */
bool trace_reload(struct trace *trace, struct err *err);
uint32_t trace_reloads(const struct trace *trace); /* number of trace_reload() */
/* Writes the index of a complete trace to the cache, in a child process, if enabled and not yet
 * done. Call it regularly: it also reaps the child. */
void trace_persist(struct trace *trace);
/* Writes the index in this process, and whatever the size of the trace. False: there is no place
 * for it, or the file has changed. */
bool trace_persist_now(struct trace *trace);
bool trace_cached(const struct trace *trace); /* its index came from the cache */
/* The index came from the cache and a checksum failed: earlier answers may be wrong. trace_reload()
 * rebuilds it. */
bool trace_cache_damaged(const struct trace *trace);

/* Follows the file as it grows, or stops that. Fails in one line for pipes and compressed files. */
bool trace_follow(struct trace *trace, bool on, struct err *err);
bool trace_follows(const struct trace *trace);

uint64_t trace_version(const struct trace *trace); /* grows with every change of the model */
/* that read it: they are cancelled before it changes */
struct tasks *trace_tasks(struct trace *trace);
uint32_t trace_generation(const struct trace *trace); /* grows when everything is read again */

const char *trace_path(const struct trace *trace);
const struct symbols_source *trace_symbols(const struct trace *trace); /* as it was opened */
struct file *trace_file(const struct trace *trace);
struct reader *trace_reader(const struct trace *trace);
uint64_t trace_events(const struct trace *trace);
bool trace_has_events(const struct trace *trace);
/* The first and the last time of all, ends of complete events and the range of a part included:
 * for exports. */
int64_t trace_origin(const struct trace *trace);
int64_t trace_last(const struct trace *trace);
/* Whether it is a part that was cut (--cut), with times outside of its range. Complete slices and
 * flows reach there. */
bool trace_is_part(const struct trace *trace);
bool trace_part_closed(const struct trace *trace); /* its range includes its end */
/* The span: begin and end of all that happened, without damaged and unset times (SEMANTICS 4.6,
 * 4.7) and what is outside of a part. Sums over the whole trace take it. */
int64_t trace_begin(const struct trace *trace);
int64_t trace_end(const struct trace *trace);
/* The stretch that the timeline shows first: the bulk, if some times are far from it, else the
 * span. */
int64_t trace_window_begin(const struct trace *trace);
int64_t trace_window_end(const struct trace *trace);
bool trace_has_outside(const struct trace *trace); /* there are times outside of the span */
/* times far from the bulk, damaged ones included */
uint64_t trace_far_times(const struct trace *trace);
uint64_t trace_unset_times(const struct trace *trace);
/* Records with a damaged time. */
size_t trace_damaged_times(const struct trace *trace);
/* the record at byte `offset` has one */
bool trace_damaged_at(const struct trace *trace, uint64_t offset);
/* Whether a time of the record at byte `offset` is unset (SEMANTICS 4.8). A slice with unset times
 * alone counts with its duration, and nests in none. */
bool trace_unset_time(const struct trace *trace, uint64_t offset, int64_t time);
/* Whether what has place i of a lane begins at an unset time. */
bool trace_unset_begin(const struct trace *trace, const struct lane *lane, uint32_t i);
/* Whether that takes the record of a slice: of several files of which some have unset times. */
bool trace_unset_by_record(const struct trace *trace);
bool trace_unset_slice(const struct trace *trace, const struct slice *slice);
/* The nth of them by offset, and the times of its writer before and after it in the file; the same
 * time twice: not known. False: there are not so many. */
bool trace_damaged_between(const struct trace *trace, size_t n, uint64_t *offset, int64_t *from,
                           int64_t *to);
/* A slice whose begin or end is damaged: neither busy nor in durations. */
size_t trace_damaged_slices(const struct trace *trace);
struct slice trace_damaged_slice_at(const struct trace *trace, size_t n);
bool trace_damaged_slice(const struct trace *trace, const struct slice *slice);
/* Which of its two records has the damaged time. A complete event is one record: neither. */
enum trace_damaged_part { TRACE_DAMAGED_BEGIN = 1, TRACE_DAMAGED_END = 2 };
unsigned trace_damaged_parts(const struct trace *trace, const struct slice *slice); /* bits */
/* of those, one that nothing shows to be so: neither its times nor a damaged record of it */
bool trace_damaged_untold(const struct trace *trace, const struct slice *slice);
bool trace_damaged_name(const struct trace *trace, uint32_t name); /* there is one of that name */
/* The first damaged slice of a lane at or after number i; UINT32_MAX: there is none. */
uint32_t trace_damaged_next(const struct trace *trace, const struct lane *lane, uint32_t i);
/* Runs of CPUs and states of threads that begin or end at a damaged or unset time: in no duration,
 * and not known. */
size_t trace_damaged_states(const struct trace *trace); /* of threads */
/* Whether the time of a flow's point is damaged or unset: no hop that begins or ends there is
 * known. */
bool trace_damaged_point(const struct trace *trace, uint32_t point);
/* Such hops; a point that has none, because its flow is another one at that time, counts as one. */
uint64_t trace_damaged_hops(const struct trace *trace);
struct trace_unset {
    uint64_t slices, states, hops;
};
/* How many of these are so for an unset time: slices and states that begin there, hops from or to
 * one. */
struct trace_unset trace_damaged_unset(const struct trace *trace);
/* The thread of the n-th damaged state, and whether that begins at an unset time; false: there are
 * no more. */
bool trace_damaged_state_at(const struct trace *trace, size_t n, uint32_t *thread, bool *unset);
/* of a CPU's lane */
bool trace_damaged_run(const struct trace *trace, const struct lane *lane, uint32_t i);
/* The first damaged run of a CPU's lane at or after number i; UINT32_MAX: there is none. */
uint32_t trace_damaged_next_run(const struct trace *trace, const struct lane *lane, uint32_t i);
/* The time in [from, to) in which a CPU ran a thread that is not its idle one, without damaged
 * runs. */
int64_t trace_cpu_busy(const struct trace *trace, struct sched_cpu *cpu, int64_t from, int64_t to);
/* lane_longest() of the slices [i, j) without damaged ones, or of all if all are damaged. i < j. */
uint32_t trace_longest(const struct trace *trace, struct lane *lane, uint32_t i, uint32_t j);
struct wide trace_origin_wide(const struct trace *trace);
struct wide trace_begin_wide(const struct trace *trace);
uint64_t trace_kind_count(const struct trace *trace, enum fxt_kind kind);
uint64_t trace_bytes(const struct trace *trace); /* memory of the model in bytes, about */

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
/* Whether events of a provider (a number) may be on the thread: always true if it has more than
 * THREAD_PROVIDERS. */
static inline bool trace_thread_written_by(const struct thread *thread, uint32_t provider) {
    bool written = thread->providers.n > THREAD_PROVIDERS;
    for (size_t i = 0; i < thread->providers.n && !written; i++)
        written = thread->providers.v[i] == provider;
    return written;
}
static inline size_t trace_instant_count(const struct thread *thread) {
    return thread->instants.n;
}
/* Log records; modules, mappings and backtraces: by (time, file order), sorted if needed. */
const struct occurrence *trace_logs(struct trace *trace, size_t *n);
size_t trace_log_count(const struct trace *trace);
const struct occurrence *trace_profile(struct trace *trace, size_t *n);
/* Tracks of the rows of questions (row_track.h): no part of the trace, and no change of it. */
struct row_tracks;
struct row_tracks *trace_row_tracks(struct trace *trace);
const struct lost *trace_lost(const struct trace *trace, size_t *n); /* in file order */
/* The last slice of a thread (a number) in nesting order with start <= t < end, or start = t; none
 * that is apart (nest.h). False: there is none. */
bool trace_slice_at(const struct trace *trace, uint32_t thread, int64_t t, uint32_t *row,
                    uint32_t *i);

/* Marks the threads, `sampled`, whose slices are frames of a sampling profiler, as far as they are
 * read: how long those lasted is not known. It takes no time but for new instants. */
void trace_find_sampled(struct trace *trace);
/* The number of the thread that the samples on a thread are of: another one if samples have a row
 * of their own. */
uint32_t trace_sampled_thread(const struct trace *trace, const struct thread *thread);
/* Marks one thread, if it is of that kind, and returns its `sampled`. */
bool trace_thread_sampled(struct trace *trace, struct thread *thread);

struct trace_point {  /* an instant, a log record, a point of a flow */
    uint32_t thread;  /* number, or NO_THREAD */
    struct moment at; /* with the offset of its record */
    bool arrives;     /* it is a step or an end of a flow */
};
/* The slice that a point belongs to (SEMANTICS 7.4): it may end at that time. False: there is
 * none. */
bool trace_point_slice(const struct trace *trace, const struct trace_point *point, uint32_t *row,
                       uint32_t *i);
/* A slice that ends at a time (nest_enclosing.h). */
bool trace_slice_ending(const struct trace *trace, uint32_t thread, const struct nest_ending *e,
                        uint32_t *row, uint32_t *i);
/* The row and number of the slice that starts at t with its record at byte `offset`; false if there
 * is none. */
bool trace_find_slice(const struct thread *thread, int64_t t, uint64_t offset, uint32_t *row,
                      uint32_t *i);
/* The process with a pid in a world; UINT32_MAX: there is none. */
uint32_t trace_pid_process(const struct trace *trace, uint16_t world, uint64_t pid);
/* The thread of a koid in a world: the full one if there is one (SEMANTICS 5.7). NO_THREAD: no
 * record refers to it. */
uint32_t trace_koid_thread(const struct trace *trace, uint16_t world, uint64_t koid);
/* The full thread of a thread that is known by its koid alone (SEMANTICS 5.7), or itself. */
uint32_t trace_stands_for(const struct trace *trace, uint32_t number);
/* The thread of the record at byte `offset`, by the tables of that time; NO_THREAD: it has none. */
uint32_t trace_thread_at(struct trace *trace, uint64_t offset);
/* trace_thread_at(), if the record was decoded already. */
uint32_t trace_record_thread(struct trace *trace, const struct fxt_record *record,
                             struct provider *provider, uint64_t offset);
/* Ends the threads that work for a complete trace, so that a copy of the process lacks none. */
void trace_rest(struct trace *trace);
/* Prepares a complete trace for two threads that read records, names and slices: look-ups change
 * nothing until the next trace_step(). Returns the worker for the second thread; NULL: one thread
 * only, because the file is not mapped as a whole. */
struct worker *trace_share(struct trace *trace);
/* Prepares slices and their names alone, and at once. Returns NULL also without a second processor,
 * and while the trace may grow. */
struct worker *trace_share_slices(struct trace *trace);

const struct objects *trace_kernel_objects(const struct trace *trace);
const struct objects *trace_user_objects(const struct trace *trace);
const struct slice_extra *trace_slice_extra(const struct trace *trace);

/* A thread known by its koid alone, if another thread with a process is the same: it is not
 * shown. */
bool trace_thread_hidden(const struct trace *trace, const struct thread *thread);

/* Instants by (time, file order); sorts them if needed. */
const struct instant *trace_instants(struct thread *thread, size_t *n);

struct str trace_name(const struct trace *trace, uint32_t id);
/* The name of a slice or an instant from its packed word; decoded again if it did not fit. */
uint32_t trace_packed_name(struct trace *trace, uint64_t packed);

struct str trace_slice_name(struct trace *trace, const struct slice *slice); /* the same, as text */

/* "main"; without a name "thread 2107" or "<thread 9>", written to buf. *named: whether the trace
 * gives the name. */
struct str trace_thread_name(const struct trace *trace, const struct thread *thread, char buf[40],
                             bool *named);
/* Whether the writer orders processes or threads, and the order that it gives to one (0 if
 * none). */
bool trace_has_sort_index(const struct trace *trace);
int32_t trace_thread_sort_index(const struct trace *trace, const struct thread *thread);
int32_t trace_process_sort_index(const struct trace *trace, const struct process *process);
struct str trace_process_name(const struct trace *trace, const struct process *process,
                              char buf[40], bool *named);

#endif
