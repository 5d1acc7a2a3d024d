/* perf_rings.h - an event of the kernel for processes and their descendants, with a ring buffer for
 * each processor (perf_event_open(2)).
 *
 * Records of a ring are in the order of their times, mostly. They stay there until
 * perf_rings_release(). */
#ifndef FXTOP_PERF_RINGS_H
#define FXTOP_PERF_RINGS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "src/base/err.h"
#include "src/base/u64map.h"
#include "src/base/vec.h"

#define PERF_RINGS_LEAST (32u << 10) /* bytes of a ring: of other recordings too little is left */

#define PERF_RINGS_ALL (-1) /* all processes, which needs rights */
#define PERF_RINGS_NONE 0   /* only events that are added */

struct perf_ring { /* of a processor */
    int fd;
    int cpu;
    void *memory;   /* mapped */
    uint64_t next;  /* the byte of the first record that was not read */
    size_t at, end; /* its records that are not written, of the owner's list, during a take */
};

struct perf_rings {
    struct perf_ring *v;
    unsigned n;    /* 0: closed */
    size_t data;   /* bytes of a ring */
    VEC(int) more; /* descriptors of events that write into the rings, too */
    /* For threads that have events of their own: event -> thread; thread -> ns of CLOCK_MONOTONIC
     * from which on these are complete; kind, processor and thread -> event of the last record. */
    struct u64map owners, since, last;
};

/* Rings of `size` bytes, a power of two, for all processors. pid: a process that has not begun to
 * run, with its descendants, or one of the numbers above. 0, or errno; *memory: the kernel has no
 * space for one. */
int perf_rings_open(struct perf_rings *rings, const struct perf_event_attr *attr, size_t size,
                    pid_t pid, bool *memory);
/* 0, or the errno with which the kernel refuses such an event of this process. */
int perf_rings_try(const struct perf_event_attr *attr);
/* Lets an event of a thread and of its descendants write into the rings, too. 0, or errno. */
int perf_rings_add(struct perf_rings *rings, const struct perf_event_attr *attr, pid_t tid);
/* ns of CLOCK_MONOTONIC from which on the thread has events of its own; 0: it has none. */
uint64_t perf_rings_since(const struct perf_rings *rings, pid_t tid);
/* The thread has no event of its own: another one has got its number. */
void perf_rings_forget(struct perf_rings *rings, pid_t tid);
void perf_rings_close(struct perf_rings *rings);
/* Sets the reason for which there are none of `what`, one line. Returns false. */
bool perf_rings_refused(const char *what, int why, bool memory, struct err *err);

/* The next record of a ring, *at its first byte, which is not taken before the next call; false:
 * there is none. */
bool perf_rings_next(const struct perf_rings *rings, struct perf_ring *ring,
                     struct perf_event_header *header, uint64_t *at);
/* Bytes of a ring, which may wrap around. */
void perf_rings_copy(const struct perf_rings *rings, const struct perf_ring *ring, uint64_t at,
                     void *to, size_t n);
/* A sample with IDENTIFIER, TID, TIME and CPU first, before it is looked into. */
struct perf_news {
    uint64_t time; /* ns of CLOCK_MONOTONIC */
    uint32_t pid, tid, cpu;
    uint64_t at;   /* in the ring */
    uint64_t lost; /* samples that found no space; 0: it is a sample */
};

/* Whether a record of an event is to be left out: the events of its thread are not complete, or
 * another one has made the same record. A thread that was found in /proc before a record of its
 * fork has events of its own, and those of its parent. */
bool perf_rings_twice(struct perf_rings *rings, const struct perf_event_header *h,
                      const struct perf_news *news, uint64_t event);
/* The next one up to a time; false: there is none. */
bool perf_rings_news(struct perf_rings *rings, struct perf_ring *ring, uint64_t until,
                     struct perf_news *news);
/* The kernel may write over the records that were read. */
void perf_rings_release(struct perf_ring *ring);

#endif
