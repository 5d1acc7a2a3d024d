/* numbers.h - processes and threads of another pid namespace, as in a container, by the numbers
 * that they have in ours.
 *
 * The kernel's records have ours, so a process would be two. */
#ifndef FXTOP_RECORD_WATCH_NUMBERS_H
#define FXTOP_RECORD_WATCH_NUMBERS_H

#include <sys/types.h>

#include "src/base/u64map.h"

struct numbers {
    pid_t ours;            /* of the process, by the kernel */
    uint64_t its_own;      /* as the process sees it */
    struct u64map threads; /* its own -> ours */
    struct u64map seen;    /* ours -> its own */
};

/* Replaces the numbers in records of the process, if they differ. A thread that has ended before
 * keeps its own. */
void numbers_replace(struct numbers *numbers, uint64_t *records, size_t words);
/* Learns the numbers of the threads that there are now. */
void numbers_look(struct numbers *numbers);
void numbers_free(struct numbers *numbers);

#endif
