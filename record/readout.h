/* readout.h - takes the records out of a trace buffer: while it is written, when a half is full,
 * and after the end.
 *
 * The buffer is shared with a provider that may be hostile. So its geometry is read once and kept,
 * each word is read once, and records are copied before they are checked. Only whole records come
 * out, each at most once, in the order in which they were written to a chunk or a half. Metadata
 * records never come out, so a provider cannot speak for another one. Contents of records are not
 * checked.
 *
 * A buffer with chunks is ours (fxttrace(7), "Chunks"): it is exact at any time. Another one is
 * plain: its halves are taken when they are announced, and at the end. Sizes and places are words
 * of 8 bytes, except in parameters named bytes. */
#ifndef FXTOP_READOUT_H
#define FXTOP_READOUT_H

#include "provider/wire.h"
#include "src/base/err.h"
#include "src/base/vec.h"

struct readout_records {
    uint64_t *v;
    size_t n, cap; /* as in vec.h */
};

struct readout_news {               /* what a step has taken; the owner empties it */
    struct readout_records durable; /* strings, threads: to be written before: */
    struct readout_records rolling;
    uint64_t records; /* number of both */
    uint64_t faults;  /* places after them at which others were given up */
};

enum readout_when {
    READOUT_NOW,     /* the provider goes on: what is committed; of a plain buffer nothing */
    READOUT_STOPPED, /* the provider has stopped, the header is final */
    READOUT_DEAD,    /* it ended without stopping */
};

struct readout_half {
    bool begun;
    uint32_t wrap;       /* of what was taken */
    uint64_t sum;        /* over both ends of the last save; 0: none, or the buffer has chunks */
    VEC(uint32_t) taken; /* by cell: words of the chunk that begins there */
};

struct readout_part { /* a half of one wrap that is being taken */
    unsigned half;
    uint32_t wrap;
    size_t at, limit; /* in the half: the next record or cell, and the end */
    bool by_size;     /* plain: all up to the limit are records */
    bool mixed;       /* plain: records of an earlier wrap may follow */
    bool bounded;     /* plain: ends at the first event older than: */
    uint64_t older;   /* ticks; unless a newer event follows than: */
    uint64_t newest;  /* ticks, of the events so far */
    size_t newer;     /* in the half: a later event that is as new; 0: none was looked for */
};

struct readout {
    const uint64_t *words;
    size_t n; /* words that are there: fewer than in the header if the buffer is cut */
    enum wire_mode mode;
    size_t durable_at, durable_size;
    size_t rolling_at[2], rolling_size;
    size_t cell; /* words; 0: a plain buffer */
    /* what was taken */
    size_t durable_taken;
    uint32_t saved;   /* halves saved: wraps below it are done */
    bool saved_known; /* else the buffer has to show it */
    bool used;        /* a plain buffer may have records from before its last start */
    uint64_t faults;  /* chunks and halves that were given up at a record of an impossible size */
    struct readout_half halves[2];
    /* under way */
    struct readout_part parts[2];
    unsigned nparts, part;
    size_t durable_limit; /* of a plain buffer */
    bool durable_walks;   /* up to a size of 0 */
    enum readout_when when;
};

/* Checks the header of a buffer, which the caller keeps mapped. mode: the one that was asked for,
 * or -1. cut: a copy of a buffer, which may have lost its end. False with one line in err: it
 * cannot be used. */
bool readout_open(struct readout *readout, const void *buffer, size_t bytes, int mode, bool cut,
                  struct err *err);
void readout_close(struct readout *readout);
/* Whether all its events so far have found space. */
bool readout_is_fresh(const struct readout *readout);
/* Whether there is no space for an event: its threads' records are dropped. That of a plain buffer
 * is known in oneshot mode, once all is taken. */
bool readout_is_full(const struct readout *readout);
void readout_news_empty(struct readout_news *news);
void readout_news_free(struct readout_news *news);

/* Begins to take what there is; readout_step() does it. */
void readout_begin(struct readout *readout, enum readout_when when);
/* Begins to take the half that SAVE_BUFFER announces, and its durable data. False: the announcement
 * contradicts the protocol or the buffer. */
bool readout_save(struct readout *readout, uint32_t wrap, uint64_t durable_bytes, struct err *err);
/* Adds to `news`, which is empty, records of one part, at most about 4 MiB or one record; true:
 * there is more. */
bool readout_step(struct readout *readout, struct readout_news *news);

/* Whether a plain buffer has the header that its provider writes when it stops. */
bool readout_is_final(const struct readout *readout);
/* The number of records that the provider has dropped so far, by its own count. */
uint64_t readout_dropped(const struct readout *readout);
#endif
