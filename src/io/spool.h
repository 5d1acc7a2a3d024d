/* spool.h - copies a pipe or a compressed file into the spool file, which is mapped in its place.
 *
 * A compressed file is inflated by a thread of its own, as far ahead as the disk allows, while
 * others read the part so far. Pipes are copied step by step, and so is everything if a second
 * thread does not pay. */
#ifndef FXTOP_SPOOL_H
#define FXTOP_SPOOL_H

#include "src/io/convert.h"
#include "src/io/inflate.h"

struct spool;

struct spool_state {
    uint64_t size; /* bytes written */
    /* bytes of the source read for these; not for what a thread has written further */
    uint64_t done;
    bool ended; /* no more will come */
    enum file_fault fault;
    const char *why; /* a short sentence, static */
};

/* input: started; convert: what turns it into words, or NULL; fd: the file to write; all stay the
 * caller's. most: bytes to write at most, 0: as the disk allows. waits: the input may have nothing
 * for now. */
struct spool_source {
    struct inflate *input;
    struct convert *convert;
    bool waits;
};
struct spool *spool_new(struct spool_source source, int fd, uint64_t most);
void spool_free(struct spool *spool); /* may be NULL; stops its thread */

/* Whether the end of the input is only what there is for now. False: a thread may have reached it
 * already. */
bool spool_wait_for_more(struct spool *spool, bool on);

/* Copies more and reports the progress: at most about so many bytes after *state, the last report
 * (0 at first). For a pipe it waits at most wait_ms (0: not at all; -1: until there is input, or a
 * signal). For the thread it waits at least a moment, because there is nothing else to wait for. */
void spool_step(struct spool *spool, size_t bytes, int wait_ms, struct spool_state *state);

/* Whether so many bytes fit on the disk of this file and leave it its reserve (5 % or 1 GB,
 * whichever is less). */
bool spool_fits(int fd, uint64_t bytes);

#endif
