/* spool.h - what comes through a pipe or is compressed, on its way into the file that is mapped in its place.
 *
 * A compressed file is inflated by a thread of its own, as far ahead as the disk allows, while others read what is
 * there; pipes and all where a second thread does not pay, step by step. */
#ifndef FXTOP_SPOOL_H
#define FXTOP_SPOOL_H

#include "src/io/inflate.h"

struct spool;

struct spool_state {
    uint64_t size; /* bytes written */
    uint64_t done; /* bytes of the source read */
    bool ended;    /* no more will come */
    enum file_fault fault;
    const char *why; /* a short sentence, static */
};

/* input: started; fd: what is written to; both stay the caller's. most: bytes to write at most, 0: as the disk allows.
 * waits: the input may have nothing for now. */
struct spool *spool_new(struct inflate *input, int fd, uint64_t most, bool waits);
void spool_free(struct spool *spool); /* may be NULL; stops what is under way */

/* Lets more in and says how far it is: at most `budget` bytes behind state->size, which is what it said last (0 at
 * first). Waits at most wait_ms (0: not at all; -1: until there is something, or a signal came) for a pipe; for the
 * thread a moment at least, for there is nothing else to wait for. */
void spool_step(struct spool *spool, size_t budget, int wait_ms, struct spool_state *state);

/* May so much be written where this file is, and enough of the disk stays free for others (5 % or 1 GB of it, whichever
 * is less)? */
bool spool_fits(int fd, uint64_t bytes);

#endif
