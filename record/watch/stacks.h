/* stacks.h - stack samples of the program and its descendants, from the kernel.
 *
 * The task clock of each thread takes a sample so many times a second of CPU time. If the kernel
 * allows it, another one is taken as a thread leaves its processor, which shows where it blocks.
 * Both have the kernel's part of the stack if perf_event_paranoid allows it. Samples are read in
 * the order of time, between the records of switches.c.
 *
 * The kernel follows frame pointers, and copies the registers and the top of the stack. By these
 * the callers are found in programs without frame pointers, too (unwind.h). */
#ifndef FXTOP_STACKS_H
#define FXTOP_STACKS_H

#include "record/output.h"
#include "record/ticks.h"
#include "record/watch/images.h"
#include "record/watch/names.h"
#include "record/watch/perf_rings.h"

#define STACKS_FRAMES 255 /* as many as a backtrace record holds */

struct stacks_sample { /* a stack, the innermost address first */
    uint32_t pid, tid;
    unsigned n; /* 0: there is none */
    uint64_t pcs[STACKS_FRAMES];
};

struct stacks {
    struct perf_rings rings;        /* of the clock; n is 0: closed */
    struct perf_rings leaves;       /* of switches; n is 0: there are none */
    uint64_t period;                /* ns */
    bool kernel;                    /* samples have the kernel's part */
    bool nameless;                  /* but the addresses of its functions are hidden */
    struct stacks_sample **leaving; /* by processor, of the thread that is about to leave it */
    uint32_t processors;
    unsigned char *record; /* one that is copied */
    struct images images;
    struct names names;
    uint64_t samples, lost, skipped;
};

/* Begins with a process that has not begun to run, or as perf_rings_open() has it. size: bytes of a
 * ring at most. 0, or errno; *memory as that of perf_rings_open(). */
int stacks_open(struct stacks *stacks, pid_t pid, uint64_t period, size_t size, bool *memory);
/* Begins with a thread that runs already. 0, or errno. */
int stacks_add(struct stacks *stacks, pid_t tid);
void stacks_close(struct stacks *stacks);
/* Names a folder with more files that have code or names (image_file.h), which lasts as long. */
void stacks_symbols(struct stacks *stacks, const char *folder);
/* Writes the blob with the period of samples. */
void stacks_begin(const struct stacks *stacks, struct output *output);

/* The rings of both. */
unsigned stacks_rings(const struct stacks *stacks);
struct perf_ring *stacks_ring(const struct stacks *stacks, unsigned i);
/* The next record of a ring up to a time; false: there is none so far. */
bool stacks_next(struct stacks *stacks, unsigned ring, uint64_t until, struct perf_news *news);
/* Takes a sample, and writes it if it is the clock's. */
void stacks_take(struct stacks *stacks, unsigned ring, const struct perf_news *news,
                 struct output *output, const struct ticks *ticks);
/* A thread leaves its processor, and blocks: writes the sample of that at the same time. */
void stacks_leave(struct stacks *stacks, struct output *output, uint32_t tid, uint32_t cpu,
                  bool blocks, uint64_t ts);
/* Writes names that have come, and asks for others. */
void stacks_step(struct stacks *stacks, struct output *output);
/* Writes all that wait for names, which have so many ns to come. */
void stacks_finish(struct stacks *stacks, struct output *output, uint64_t patience);
/* The kernel's record of a mapping, without its header and its tail. */
void stacks_map(struct stacks *stacks, const unsigned char *body, size_t n, bool has_build_id);

#endif
