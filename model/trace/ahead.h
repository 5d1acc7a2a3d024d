/* ahead.h - pages of the file that the reader will come to, mapped by the worker while it has no
 * other work.
 *
 * The reader has no time for page faults when the worker would sleep. The worker asks the system
 * for the pages and reads no byte. So what vanishes from the file is met by the reader alone, as
 * before (src/io/map_guard.h). */
#ifndef FXTOP_AHEAD_H
#define FXTOP_AHEAD_H

#include "src/base/worker.h"
#include "src/io/file.h"

struct ahead {
    const unsigned char *from, *end; /* what the worker maps */
    uint64_t until;                  /* offset: all before it was mapped, or passed */
    bool failed;                     /* the system does not do it, or the file was cut */
};

/* Gives the worker some of the pages after offset `at`, if it is idle. To be called again and again
 * while reading. */
void ahead_give(struct ahead *ahead, struct file *file, uint64_t at, struct worker *worker);

#endif
