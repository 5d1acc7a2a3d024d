/* kernel_threads.h - the threads of a source that has numbers and names of the Linux kernel.
 *
 * Such a source may say late, or never, of which process a thread is. Records of the scheduler need
 * no process; the first record that does decides: without a known one it is process 0. */
#ifndef FXTOP_KERNEL_THREADS_H
#define FXTOP_KERNEL_THREADS_H

#include "src/base/u64map.h"
#include "src/import/import_lines.h"

#define KERNEL_NO_PID UINT64_MAX /* it is not known */
#define KERNEL_LETTERS 24        /* bytes of the letters of a state, with the zero */

struct kernel_threads_text {
    VEC(char) v;
};

/* The giver of a name: a later one knows better. */
enum kernel_named {
    KERNEL_NAMED_NOT,
    KERNEL_NAMED_BY_COLUMN,
    KERNEL_NAMED_BY_EVENT,
    KERNEL_NAMED_BY_LIST,
    KERNEL_NAMED_BY_TRACK,
    KERNEL_NAMED_BY_SYSTEM
};

struct kernel_call { /* a system call that has begun */
    uint64_t begin;
    struct kernel_threads_text name, args;
    bool open;
};

struct kernel_thread {
    uint64_t tid, pid;
    bool homeless; /* it is of process 0, because no other was known */
    bool gone;     /* it has ended: its number may be of another one next */
    bool born;     /* it was made at born_at, and has not run since */
    bool waits;    /* it left its CPU, blocked, and its reason has not come */
    enum kernel_named named;
    uint64_t born_at, parent;
    uint64_t left_at; /* waits: when, from which CPU, and the letters of its state */
    unsigned left_cpu;
    char left_as[KERNEL_LETTERS];
    uint64_t open;  /* begins without an end */
    uint64_t until; /* end of its latest function with a duration */
    struct kernel_call call;
    struct kernel_threads_text comm;
};

struct kernel_threads {
    struct import_lines *lines;
    const char *no_processes; /* a note: which option records them */
    VEC(struct kernel_thread *) v;
    struct u64map by_tid;
    struct kernel_thread *last; /* that was asked for */
    struct u64map
        processes; /* those that kernel_threads_process() has named: the giver, and a hash */
    bool has_idle, has_homeless;
};

void kernel_threads_init(struct kernel_threads *threads, struct import_lines *lines,
                         const char *no_processes);
void kernel_threads_free(struct kernel_threads *threads);

struct kernel_thread *kernel_threads_get(struct kernel_threads *threads, uint64_t tid);
/* Its process and its name become known. */
void kernel_threads_is_of(struct kernel_threads *threads, struct kernel_thread *t, uint64_t pid);
void kernel_threads_name(struct kernel_threads *threads, struct kernel_thread *t, struct str comm,
                         enum kernel_named by);
/* Names a process. One that is not named so has the name of its first thread. */
void kernel_threads_process(struct kernel_threads *threads, uint64_t pid, struct str name,
                            enum kernel_named by);
/* It as a record of an event needs it. */
struct writer_thread kernel_threads_place(struct kernel_threads *threads, struct kernel_thread *t);
/* Threads whose process has not become known are of process 0. */
void kernel_threads_end(struct kernel_threads *threads);

static inline struct str kernel_threads_text(const struct kernel_threads_text *b) {
    return (struct str){b->v.v ? b->v.v : "", b->v.n};
}

void kernel_threads_keep(struct kernel_threads_text *b, struct str s, size_t most);

#endif
