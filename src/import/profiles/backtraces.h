/* backtraces.h - the profiler records of FXT as sampled slices (SEMANTICS 12).
 *
 * Modules, mappings, backtraces, switches and blobs are given in file order. Each address of a
 * backtrace is looked up among the mappings of its process before it, then among the symbols. The
 * stack becomes slices and an instant of samples.h on a row of its own, `NAME (samples)`. The words
 * are a trace for themselves, with a clock in nanoseconds.
 *
 * Samples and switches are taken by time: samples as far as they are within a second of each
 * other, switches that come up to 30 s before samples of their time. A sample is blocked if its
 * thread leaves its CPU at that time. */
#ifndef FXTOP_BACKTRACES_H
#define FXTOP_BACKTRACES_H

#include "src/fxt/record.h"
#include "src/import/profiles/symbols.h"
#include "src/io/import.h"

struct backtraces;

struct backtraces_faults {
    void *ctx;
    /* offset: of the record */
    void (*fault)(void *ctx, enum import_fault kind, uint64_t offset, const char *sentence);
};

/* part: its rows have other numbers than those of other parts. */
struct backtraces *backtraces_new(struct backtraces_faults to, size_t part);
void backtraces_free(struct backtraces *b); /* may be NULL */
/* source: is asked for names that the trace has not; it lasts as long. NULL: none is. */
void backtraces_source(struct backtraces *b, const struct symbols_source *source);

void backtraces_module(struct backtraces *b, uint64_t offset, uint64_t pid,
                       const struct fxt_record *r);
void backtraces_mmap(struct backtraces *b, uint64_t offset, uint64_t pid,
                     const struct fxt_record *r);
/* Whether a blob of that name may say something about samples. */
bool backtraces_wants_blob(struct str name);
void backtraces_blob(struct backtraces *b, uint64_t offset, struct str name, struct str bytes);

struct backtraces_sample {
    uint64_t offset;
    uint64_t ts; /* ns of the trace's clock, at most INT64_MAX */
    uint64_t pid, tid;
    struct str thread; /* its name so far, or empty; to last until the next record of the thread */
};
void backtraces_add(struct backtraces *b, const struct backtraces_sample *sample,
                    const struct fxt_record *r);
/* A thread leaves its CPU for another one. dead: for good. */
void backtraces_switch(struct backtraces *b, uint64_t ts, uint64_t out, bool dead, uint64_t in);
/* No more will come. */
void backtraces_end(struct backtraces *b);

/* Words since the last call, whole records; valid until the next call of any kind. */
struct str backtraces_take(struct backtraces *b);

#endif
