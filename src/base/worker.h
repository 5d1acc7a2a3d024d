/* worker.h - a worker thread with a queue: nests event buffers while the reader thread reads on.
 *
 * The queue takes event buffers of a nest and batches (batch.h), and returns an empty buffer for
 * each. Buffers of one nest, and batches of one kind, are processed in order and never two at a
 * time. The worker thread processes them; so does the caller of worker_give() or worker_wait() if
 * the queue is full or waited for. Work may touch the rows of its nest, the stores that batches
 * fill, and, locked, the side table of slices. It touches no bytes of the file, no names and no
 * other part of the model. Until worker_wait() no other code may use these.
 *
 * The thread starts with the first buffer, so a trace of few events needs none. With one processor,
 * or if no thread can be started, worker_give() does the work itself. */
#ifndef FXTOP_WORKER_H
#define FXTOP_WORKER_H

#include <stdbool.h>

/* of a buffer: 8191 events of 24 bytes, most of a millisecond of work */
#define WORKER_BUFFER_BYTES (192u << 10)

struct worker;

struct worker *worker_new(void);
void worker_free(struct worker *worker); /* NULL is fine */

/* Queues work(ctx, run) and takes ownership of run, a buffer of WORKER_BUFFER_BYTES from malloc(),
 * or NULL. Returns a free buffer to fill next, perhaps the same; NULL for NULL. May run queued work
 * on the calling thread, or wait. Two works with the same ctx never run at a time. */
void *worker_give(struct worker *worker, void (*work)(void *ctx, void *run), void *ctx, void *run);
/* True if no work with ctx is queued or being done, and its thread is idle, or worker_give() would
 * start it. */
bool worker_has_time(struct worker *worker, const void *ctx);
/* True if so few buffers wait for it that it may soon have time. */
bool worker_has_little(struct worker *worker);
void worker_wait(struct worker *worker); /* returns when all queued work is done */
/* waits, then ends the thread and frees spare buffers until the next run */
void worker_rest(struct worker *worker);

/* Work of its own on a thread of its own. Returns NULL if it is done already: with one processor,
 * or without a thread, the caller does it. */
struct worker_aside *worker_aside(void (*work)(void *ctx), void *ctx);
/* returns when it is done, and frees it; NULL is fine */
void worker_aside_wait(struct worker_aside *aside);

/* A lock for data that works with different ctx share. NULL is fine. */
void worker_lock(struct worker *worker);
void worker_unlock(struct worker *worker);

#endif
