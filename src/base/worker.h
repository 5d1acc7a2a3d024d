/* worker.h - a second pair of hands: places runs of events while the reader reads on.
 *
 * What is given is a full run of a nest, or a full batch (batch.h); whoever gives it gets an empty one. Those of one
 * nest, and batches of one kind, are worked off in the order they were given, by a thread and, when that falls behind
 * or is waited for, by whoever gives or waits, never two of one nest at a time. Work touches nothing but the rows of
 * its nest, what batches are for, and, locked, the facts set aside for both: no bytes of the file, no names, no other
 * part of the model. Until worker_wait() nobody else may look at those.
 *
 * The thread starts with the first run, so that a small trace needs none. Where there is only one processor, or no
 * thread to be had, worker_give() does the work itself. */
#ifndef FXTOP_WORKER_H
#define FXTOP_WORKER_H

#define WORKER_BUFFER_BYTES (192u << 10) /* of a run: most of a millisecond of work */

struct worker;

struct worker *worker_new(void);
void worker_free(struct worker *worker); /* NULL is fine */

/* work(ctx, run), and then the run is another's: WORKER_BUFFER_BYTES from malloc(), or NULL where there is none.
 * Returns one that is free, perhaps the same. May work off others, or wait. ctx: what no other work touches. */
void *worker_give(struct worker *worker, void (*work)(void *ctx, void *run), void *ctx, void *run);
void worker_wait(struct worker *worker); /* until all is done */
void worker_rest(struct worker *worker); /* waits, and keeps neither the thread nor memory until the next run */

/* Around what the work of two may touch, in one and the other; NULL is fine. */
void worker_lock(struct worker *worker);
void worker_unlock(struct worker *worker);

#endif
