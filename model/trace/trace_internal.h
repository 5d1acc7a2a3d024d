/* trace_internal.h - inside of struct trace, for the model's own files only; and the sink that fills it. */
#ifndef FXTOP_TRACE_INTERNAL_H
#define FXTOP_TRACE_INTERNAL_H

#include "model/store/async.h"
#include "model/store/blob.h"
#include "model/store/counter.h"
#include "model/store/flow.h"
#include "model/store/problem.h"
#include "model/store/sched.h"
#include "model/trace/batch.h"
#include "model/trace/trace.h"
#include "src/base/u64map.h"

struct trace {
    char *path;
    struct trace_options options;
    struct file *file;
    struct cache *cache; /* that all was taken from, or NULL */
    bool given;          /* to be kept */
    pid_t writer;        /* the process that does it; 0: none */
    struct reader *reader;
    enum trace_state state;
    bool unflushed;
    uint64_t version;
    uint32_t generation, reloads;
    VEC(struct thread *) threads; /* by the reader's number */
    VEC(struct process *) processes;
    struct map by_pid;
    VEC(uint32_t) touched; /* threads with events since they were settled */
    uint64_t flushed;      /* bytes that had been read when some were, last */
    struct u64map aside;   /* slice_extra's facts */
    struct slice_extra slice_extra;
    struct objects kernel, user;
    struct u64map tids; /* koid -> number + 1 of the first thread of that koid that has a process */
    VEC(struct lost) lost;
    size_t timeless; /* the first of them that waits for an event's time; lost.n: none */
    struct blobs blobs;
    struct occurrences logs, profile;
    struct problems stream; /* what the reader found */
    struct problems all;    /* and nesting, as of all_version */
    uint64_t all_version;
    uint64_t counted[2], counted_version; /* how many, without notes and with them */
    uint64_t events;
    int64_t end;
    uint32_t ktrace_drop_stats, kernel_meta; /* names */
    struct batches batches; /* the reader thread's; what they lead to is the worker's (batch.h): */
    char apart[64];         /* so that no cache line is in both */
    struct derived derived;
};

void ingest_start(struct trace *trace); /* a new reader, an empty model */
void ingest_clear(struct trace *trace);

/* What has come takes its place: of none now; of some threads, those that wait longest, where more will come anyway; of
 * all; or for good, because it was all. Between steps of 10,000 threads most of each would be looking at them. */
enum ingest_flush { FLUSH_LATER, FLUSH_SOME, FLUSH_NOW, FLUSH_ALL };
void ingest_flush(struct trace *trace, enum ingest_flush how);

uint32_t ingest_name_at(struct trace *trace, uint64_t offset);  /* the name of the record there, interned */

#endif
