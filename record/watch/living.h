/* living.h - the threads that live, by their numbers, as far as the records of the kernel show.
 *
 * One number may be that of two threads: if the first thread of a process ends before another one
 * executes a program, that one takes over its number. */
#ifndef FXTOP_LIVING_H
#define FXTOP_LIVING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/watch/lives.h"
#include "src/base/u64map.h"
#include "src/base/vec.h"

struct living_thread {
    uint64_t tid; /* 0: a free entry */
    uint32_t pid;
    char name[16];
    bool execs;    /* and has mapped no program so far */
    uint64_t runs; /* ns: since then; 0: it does not */
    uint64_t left; /* ns: it has waited since then; 0: it has not */
};

struct living {
    VEC(struct living_thread) v;
    VEC(uint32_t) unused; /* entries */
    struct u64map places; /* tid -> entry + 1; 0: none */
};

/* A thread that lives; NULL: it is not known. Valid until the next call of living_make(). */
struct living_thread *living_find(const struct living *living, uint64_t tid);
/* That of living_find(), or a new one. */
struct living_thread *living_make(struct living *living, uint64_t tid);
void living_forget(struct living *living, uint64_t tid);
/* Whether all threads of that number were forgotten. */
bool living_has_ended(const struct living *living, uint64_t tid);
/* Whether one lives. */
bool living_any(const struct living *living);
/* Once the first thread of a process has ended: another one, which is copied to *was, goes on as
 * that, and is to be forgotten. `from` is 0 at first. False: there is none more. */
bool living_take_over(struct living *living, uint32_t pid, size_t *from, struct living_thread *was);
/* Whether a thread lives on after its last record, with rights that we lack. life: of its process;
 * NULL: it is not known. lost: records have found no space. */
bool living_is_far(struct living *living, const struct life *life, uint32_t pid, uint32_t tid,
                   bool lost);
void living_free(struct living *living);

#endif
