/* trace_internal.h - struct trace, for the files of model/trace alone, and the sink that fills it
 * (ingest.c, ingest_flush.c).
 *
 * Invariants [T1] to [T7]: trace.c. */
#ifndef FXTOP_TRACE_INTERNAL_H
#define FXTOP_TRACE_INTERNAL_H

#include "model/nest/nest_losses.h"
#include "model/store/async.h"
#include "model/store/blob.h"
#include "model/store/counter.h"
#include "model/store/flow.h"
#include "model/store/problem.h"
#include "model/store/row_track.h"
#include "model/store/sched.h"
#include "model/store/world.h"
#include "model/trace/batch.h"
#include "model/trace/crowd.h"
#include "model/trace/damaged.h"
#include "model/trace/trace.h"
#include "model/trace/trace_remains.h"
#include "src/base/u64map.h"

#define NEST_KINDS 5 /* of problems that nests count */

/* that a stream is asked for at a time, until its first word is there */
#define FIRST_BYTES (64u << 10)

/* How much of the buffered events a flush nests and derives from. */
enum ingest_flush {
    FLUSH_LATER, /* none: more input follows soon, and nothing is drawn */
    /* of the threads that wait longest: more input follows; each thread costs, however few its
     * events */
    FLUSH_SOME,
    FLUSH_NOW, /* of all threads, but late events may wait */
    FLUSH_ALL, /* everything: the end of input, or a pause */
};

struct whole {
    int64_t from, to; /* of all times but damaged and unset ones; from > to: none */
    bool whole;       /* it is of all times */
};

/* The range that a trace was cut at (trace_part.c). */
struct part {
    bool sought, known;
    bool closed;    /* the range includes its end */
    bool rangeless; /* it has the blob, without text */
    int64_t from, to;
    struct wide from_wide; /* from the clock's 0, as in the file */
};

/* How the times of a file are judged (SEMANTICS 4.5 to 4.8). */
struct judged {
    struct bulk_stretch bulk;
    struct whole span;
    struct damaged damaged;
    struct part part;
};

struct trace {
    char *path, *shown;
    struct trace_options options;
    struct file *file;
    struct cache *cache; /* that the model was read from, or NULL */
    bool given;          /* the index was given to a writer, or was not to be written */
    pid_t writer;        /* process that writes the index; 0: none */
    struct reader *reader;
    /* of the parts of the file; of one file there are none */
    struct worlds worlds;
    VEC(uint64_t) shifts;        /* ns to the common clock, never negative */
    const struct trace_set *set; /* or NULL */
    struct archived *archived;   /* the set of an archive, or NULL */
    const struct trace_unread *unread;
    size_t nunread;
    VEC(struct align_part) aligned;
    VEC(int64_t) offsets;        /* that are in their moves */
    VEC(struct whole) spans;     /* of each file: its first and last time */
    VEC(struct whole) bounds;    /* of each world: the same */
    VEC(int64_t) origins;        /* of each world: its first time */
    VEC(uint64_t) source_faults; /* that were taken over, by part and kind */
    enum trace_state state;
    enum reader_state reached; /* after the latest read */
    bool paused;               /* it waits for input, and nothing came since the read before */
    bool unflushed;
    bool flushing;      /* a flush in a pause is not done */
    bool released;      /* logs that only later events need were freed: no event can follow */
    struct tasks tasks; /* that read it */
    uint64_t version;
    uint32_t generation, reloads;
    VEC(struct thread *) threads; /* by the reader's number */
    struct trace_remains remains; /* threads from before it was read again */
    VEC(struct process *) processes;
    struct map by_pid;
    struct crowd crowds[CROWDS]; /* durations of threads that are many */
    uint32_t filled;             /* threads whose event buffers the reader fills */
    VEC(uint32_t) touched;       /* numbers of threads with events that are not final [T3] */
    uint64_t flushed;            /* bytes that had been read at the latest flush */
    struct flush {
        struct tasks tasks;
        struct task *task; /* of the one under way, or NULL: nothing is read until it has ended */
        enum ingest_flush how;
        size_t threads; /* of `touched`: so many */
    } flush;
    struct mend { /* trace_mend.c */
        struct tasks tasks;
        struct task *task;     /* the one under way, or NULL */
        VEC(uint32_t) threads; /* with a damaged slice, once each */
        size_t anew;           /* so many of them are set apart by the latest look */
        uint64_t looked_at;    /* bytes of the file at the look that they are of */
        bool operations;       /* an operation may have a damaged or unset time */
        bool times;            /* the first and last times of threads are to be found */
    } mend;
    struct u64map side_table; /* of slices: what does not fit into them [T7] */
    struct slice_extra slice_extra;
    struct objects kernel, user;
    struct u64map
        tids; /* world and koid -> number of the first thread of that koid that has a process */
    VEC(struct lost) lost;
    struct nest_losses losses; /* the same by provider, for the nests; not in the index cache */
    size_t timeless;           /* the first loss without a time [T6]; lost.n: none */
    struct blobs blobs;
    struct problems stream; /* of the records */
    struct problems all;    /* of the whole trace, as of all_version */
    uint64_t all_version;
    uint64_t counted[2], counted_version; /* problems without and with notes */
    struct nest_problems {
        uint64_t count[NEST_KINDS]; /* by place in nest_kinds */
        uint64_t version;
    } nest_problems;
    uint64_t events;
    int64_t end;                      /* the last time of all */
    struct judged judged;             /* of the one file; of a set: of all of them together */
    VEC(struct judged) by_file;       /* of each file of a set; no places for one file */
    size_t look_file, part_blobs;     /* the file that is looked at; blobs that were looked at */
    struct trace_unset damaged_unset; /* of the damaged ones */
    uint32_t ktrace_drop_stats, kernel_meta; /* names */
    VEC(struct profile *) profiles; /* by part (ingest_profile.c); none without such records */
    struct row_tracks row_tracks;   /* of questions, not of the file */
    struct batches batches; /* the reader thread's; what they lead to is the worker's (batch.h): */
    char apart[64];         /* so that no cache line is in both */
    struct derived derived;
};

/* A followed file has its first event since the files were put on one clock. */
bool trace_is_late(const struct trace *trace);
/* Puts them on one clock again, which may begin to read again. */
void trace_align_late(struct trace *trace);
/* A new part has words that were derived from those of another one. */
void trace_place_derived(struct trace *trace, size_t part, size_t from);
/* of the worlds of a set, as far as they are read */
void trace_bounds_find(struct trace *trace);
void trace_part_find(struct trace *trace); /* as far as it is read, of each file */
/* Nothing is judged. */
void trace_judged_clear(struct trace *trace);
/* archived.c: an archive of several traces is opened as the set that it was. */
/* Splits a file that was just opened. NULL: it is no archive. */
struct archived *archived_open(struct file *file, const char *path);
void archived_free(struct archived *archived);
const struct trace_set *archived_set(const struct archived *archived);
/* How part i was put on the clock of the archive, without a move. */
struct align_part archived_aligned(const struct archived *archived, size_t i);
struct reader_archived archived_part(const struct archived *archived, size_t i);
/* Splits the file that was opened again. False: it has other traces now. */
bool archived_again(struct archived *archived, struct file *file, struct err *err);

/* of the one file, or of the file that has an offset */
static inline struct judged *trace_judged_at(const struct trace *trace, uint64_t offset) {
    return trace->by_file.n == 0 ? (struct judged *)&trace->judged
                                 : &trace->by_file.v[world_file_at(&trace->worlds, offset)];
}
/* The files that are judged, and one of them, `file`. */
static inline size_t trace_judged_count(const struct trace *trace) {
    return trace->by_file.n == 0 ? 1 : trace->by_file.n;
}
static inline struct judged *trace_judged_of(const struct trace *trace, size_t file) {
    return trace->by_file.n == 0 ? (struct judged *)&trace->judged : &trace->by_file.v[file];
}
/* bulk, span, damaged slices, runs and states: after reading, flushing, and a look */
void trace_times_find(struct trace *trace);
void trace_times_judge(struct trace *trace);  /* the first part of it: bulks and spans */
void trace_damaged_find(struct trace *trace); /* a part of it: slices and hops */
/* Whether a time is the 0 of a file in which that is unset. */
bool trace_is_zero(const struct trace *trace, uint64_t offset, int64_t time);
/* The time before a damaged record, of its thread; false: it is not known. */
bool trace_damaged_before(const struct trace *trace, uint64_t offset, int64_t *time);
/* Whether a slice has a damaged record, or lasts from an unset time. */
bool trace_damaged_by_time(const struct trace *trace, const struct slice *slice);
/* Whether a damaged slice is so for an unset time. */
bool trace_damaged_is_unset(const struct trace *trace, const struct lane *lane, uint32_t i);
/* Whether a thread has a damaged or unset time that is not in the span. */
bool trace_sound_times_needed(const struct trace *trace);
/* Leaves such times out of the first and last times of threads. Nothing changes if the task is
 * cancelled. */
void trace_sound_times_find(struct trace *trace, struct task *task);
/* Sets the damaged slices of all threads apart (nest.h), after a flush and a look. False: it is to
 * be called again before more is read. */
bool trace_mend(struct trace *trace, struct task *task);
static inline bool trace_mending(const struct trace *trace) {
    return trace->mend.task != NULL;
}
void trace_mend_clear(struct trace *trace);
void trace_damaged_sched_find(struct trace *trace); /* the same: runs and states, by the span */
/* The records of a file were chosen from a whole, whose damaged times have marks: the order of
 * those that are left proves nothing. */
bool trace_is_chosen(const struct trace *trace, size_t file);
/* Whether the order of a file proves nothing, as of JSON and of an .fxt made from it
 * (SEMANTICS 6.12). */
bool trace_is_unordered(const struct trace *trace, size_t file);
/* Looks for damaged times, for a step of so many bytes; true: nothing is left to look at. */
bool trace_times_look(struct trace *trace, uint64_t bytes);
/* Gives up a look that is under way: more was read. */
void trace_times_stop(struct trace *trace);
/* of a new process, for trace_pid_process() */
void trace_index_process(struct trace *trace, uint32_t i);
/* of a new thread with a process, for trace_koid_thread() */
void trace_index_koid(struct trace *trace, const struct thread *t);

void ingest_start(struct trace *trace);             /* a new reader, an empty model */
void ingest_clear(struct trace *trace, bool again); /* again: another one is read into it */

/* Begins one, or goes on with that under way, until the task is over; true if it is done. */
bool ingest_flush(struct trace *trace, enum ingest_flush how, struct task *task);
void ingest_flush_stop(struct trace *trace); /* the model is to be cleared next */
/* To be called at the end of input, after FLUSH_ALL. Frees large logs that only later events would
 * need. */
void ingest_release(struct trace *trace);
/* Instants, samples, logs and profiler records, as far as they are asked for. */
bool trace_is_sampled(const struct trace *trace, uint64_t offset); /* by the record's category */
struct time_log_entries ingest_instants(const struct thread *thread);
struct time_log_entries ingest_occurrences(const struct occurrences *list);

/* Counts n events of a thread (NULL: of none) with times from first to last. counter: these are no
 * sign of life. */
void ingest_count(struct trace *trace, struct thread *t, uint64_t n, int64_t first, int64_t last,
                  bool counter);

/* ingest_profile.c: samples of the profiler's records */
void ingest_profile(struct trace *trace, const struct item *item);
void ingest_profile_blob(struct trace *trace, const struct item *item);
/* a switch or a wakeup, after such a record */
void ingest_profile_switch(struct trace *trace, const struct plain_event *e);
/* Between two steps of the reader. True: words are added, and their end is not known. */
bool ingest_profile_step(struct trace *trace);
void ingest_profile_end(struct trace *trace);   /* of all files */
void ingest_profile_again(struct trace *trace); /* its problems, of a reading before this one */
void ingest_profile_free(struct trace *trace);  /* the file is another one from here on */

/* ingest_losses.c */
/* asks the reader for every event while losses wait for a time [T6] */
void ingest_watch_losses(struct trace *trace);
void ingest_records_lost(struct trace *trace, const struct item *item);
/* of a begin or complete event */
void ingest_drop_stats(struct trace *trace, const struct item *item);
void ingest_date_losses(struct trace *trace, int64_t time);
/* struct slice_extra */
bool ingest_lost_between(void *ctx, uint32_t writer, uint64_t from, uint64_t to);

/* trace_stands_for() for the functions of sched.h. */
static inline uint32_t ingest_stands_for(const void *trace, uint32_t thread) {
    return trace_stands_for(trace, thread);
}
/* the name of the record there, interned */
uint32_t ingest_name_at(struct trace *trace, uint64_t offset);

#endif
