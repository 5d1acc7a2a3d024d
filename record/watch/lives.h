/* lives.h - processes from fork to exit, by the records of the kernel, and what they used.
 *
 * Each is an asynchronous operation, because a slice would have to nest with those of its thread.
 * It begins with the fork, under the name of its first program, and each further exec begins
 * another one. A flow leads from the thread that forked to the first moment that the child runs. */
#ifndef FXTOP_LIVES_H
#define FXTOP_LIVES_H

#include <sys/types.h>

#include "record/output.h"
#include "src/base/u64map.h"
#include "src/base/vec.h"

struct life { /* of a process */
    uint32_t pid, parent;
    unsigned threads; /* that have not ended */
    uint64_t since;   /* ticks: it was forked, or seen first */
    uint64_t id;      /* of the operation; 0: it is not begun */
    uint64_t flow;    /* that its fork began; 0: none, or it has run */
    char name[16];    /* of the operation */
    int watch;        /* a descriptor for its end; -1: none */
    int status;       /* that it has asked to end with, + 1; 0: it has not */
    bool forked;
    bool headless; /* its first thread has ended before others */
    uint64_t cpu;  /* ns that its threads ran */
    uint64_t blocked, preempted;
};

struct lives {
    VEC(struct life) v;   /* pid 0: a free entry */
    VEC(uint32_t) unused; /* entries */
    struct u64map places; /* pid -> entry + 1; 0: none */
    uint64_t ids;         /* of operations and flows, used so far */
    uint64_t begun;       /* processes so far */
    unsigned watches;     /* open descriptors */
};

/* A process that lives; NULL: it is not known. Valid until the next call of lives_begin(). */
struct life *lives_find(const struct lives *lives, uint32_t pid);
/* A process that has one thread from then on. */
struct life *lives_begin(struct lives *lives, uint32_t pid, uint32_t parent, uint64_t ts);
/* Opens a descriptor for its end, if there are not too many. */
void lives_watch(struct lives *lives, struct life *life);
/* Writes that a thread of the parent forked the process. */
void lives_write_fork(struct lives *lives, struct output *output, struct life *life,
                      uint32_t parent_tid, uint64_t ts);
/* It runs for the first time. */
void lives_write_run(struct output *output, struct life *life, uint64_t ts);
/* An exec, with the command line if it is known: begins the operation, or the next one. */
void lives_write_exec(struct lives *lives, struct output *output, struct life *life,
                      const char *name, struct str command, uint64_t ts);
/* Names a process without an exec: as its first thread, whatever its others are called. */
void lives_call(struct life *life, const char *name);
/* The end, with the numbers of the process, which are forgotten then. */
void lives_write_end(struct lives *lives, struct output *output, struct life *life, uint64_t ts);
void lives_close(struct lives *lives);

#endif
