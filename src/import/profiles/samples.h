/* samples.h - the stacks of a sampling profiler, as slices and instants.
 *
 * An importer gives the samples of each thread in the order of their times; other threads may be
 * between them. All records have the category `sampled`: a slice for each frame that two samples in
 * a row have alike, from the outermost on, and an instant `sample` for each sample (doc/IMPORT.md).
 * So the samples of a stack are the instants whose innermost slices are that stack.
 *
 * A slice lasts from its first sample to the first one without it. The period of an event is the
 * usual time between two samples. If the next sample of a thread is more than 2.5 periods later,
 * its slices end a period after the last one. The stack of a blocked sample, taken when the thread
 * leaves its CPU, lasts at least until the thread runs again. An event whose period is not known
 * holds back its first 256 samples; then it is the median interval between those of one thread. */
#ifndef FXTOP_SRC_IMPORT_PROFILES_SAMPLES_H
#define FXTOP_SRC_IMPORT_PROFILES_SAMPLES_H

#include "src/fxt/writer.h"
#include "src/io/import.h"

#define SAMPLES_MADE_TID UINT64_C(1000000000) /* the first number of a row without a thread */
#define SAMPLES_DEEP 4096                     /* frames of a stack */

struct samples;

/* Takes the records and the faults. Ticks are nanoseconds. */
struct samples_out {
    struct writer *w;
    uint64_t *made_tid; /* the next number of a row without a thread; it is counted up */
    void *ctx;
    /* The records from here on are made of this place. */
    void (*mark)(void *ctx, const struct import_place *source);
    void (*fault)(void *ctx, enum import_fault kind, const struct import_place *source,
                  const char *sentence);
};

struct samples_frame {
    uint32_t id;   /* samples_frame() */
    uint32_t line; /* in the file, or 0 */
};

struct samples_sample {
    uint64_t ts; /* at most INT64_MAX */
    uint64_t pid, tid;
    const struct samples_frame *frames; /* the outermost first */
    size_t n;
    int64_t cpu;       /* -1: not known */
    uint64_t weight;   /* 1: it has none */
    bool blocked;      /* the thread leaves its CPU in this stack: samples_off() changes nothing */
    uint32_t event;    /* samples_event(), which is called before the first sample */
    struct str thread; /* its name, for the row of a second event */
    struct import_place source;
};

struct samples *samples_new(struct samples_out out);
void samples_free(struct samples *s);

/* The number of a frame. Frames of one name, file and dso are one; the file and the dso may be
 * empty. A text that is too long is cut, with a fault. */
uint32_t samples_frame(struct samples *s, const struct import_place *source, struct str name,
                       struct str file, struct str dso);
struct str samples_name(const struct samples *s, uint32_t frame);
/* The number of a sampling event, from 0. Threads have a row of their own for each but the first:
 * `NAME (EVENT)`. */
uint32_t samples_event(struct samples *s, struct str name);
/* The period of an event in ns, if the source has it: the first one counts. SAMPLES_NO_GAPS: each
 * sample lasts to the next one of its thread, or to samples_off(). */
#define SAMPLES_NO_GAPS UINT64_MAX
void samples_period(struct samples *s, uint32_t event, uint64_t ns);

/* A sample earlier than the last one of its thread and event is put at that time, with a fault. */
void samples_add(struct samples *s, const struct samples_sample *sample);
/* The thread leaves its CPU, or ends. */
void samples_off(struct samples *s, uint64_t ts, uint64_t pid, uint64_t tid,
                 const struct import_place *source);
/* It runs again, in the stack of its blocked sample, if that was its last one. */
void samples_on(struct samples *s, uint64_t ts, uint64_t pid, uint64_t tid,
                const struct import_place *source);
/* No more will come. ts: the time until which samples were taken, or 0. */
void samples_end(struct samples *s, uint64_t ts);

#endif
