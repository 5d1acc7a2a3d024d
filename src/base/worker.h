/* worker.h - a second pair of hands: places runs of events while the reader reads on.
 *
 * What is given is a full run of a nest, or a full batch (batch.h); whoever gives it gets an empty one. Those of one nest,
 * and batches of one kind, are worked off in the order they were given, by a thread and, when that falls behind or is waited
 * for, by whoever gives or waits, never two of one nest at a time. Work touches nothing but the rows of its nest, what
 * batches are for, and, locked, the facts set aside for both: no bytes of the file, no names, no other part of the
 * model. Until placer_wait() nobody else may look at those.
 *
 * The thread starts with the first run, so that a small trace needs none. Where there is only one processor, or no
 * thread to be had, placer_give() does the work itself. */
#ifndef FXTOP_WORKER_H
#define FXTOP_WORKER_H

#define PLACER_BYTES (192u << 10) /* of a run: most of a millisecond of work */

struct placer;

struct placer *placer_new(void);
void placer_free(struct placer *placer); /* NULL is fine */

/* work(ctx, run), and then the run is another's: PLACER_BYTES from malloc(), or NULL where there is none. Returns one that
 * is free, perhaps the same. May work off others, or wait. ctx: what no other work touches. */
void *placer_give(struct placer *placer, void (*work)(void *ctx, void *run), void *ctx, void *run);
void placer_wait(struct placer *placer); /* until all is done */
void placer_rest(struct placer *placer); /* waits, and keeps neither the thread nor memory until the next run */

/* Around what the work of two may touch, in one and the other; NULL is fine. */
void placer_lock(struct placer *placer);
void placer_unlock(struct placer *placer);

#endif
