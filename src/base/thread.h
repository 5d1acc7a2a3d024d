/* thread.h - starting worker threads, and whether the process has a second processor for them. */
#ifndef FXTOP_THREAD_H
#define FXTOP_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Whether this process may use more than one processor. Two threads on one processor are slower
 * than one thread. */
bool thread_worthwhile(void);
/* Starts work(ctx) with all signals but SIGBUS blocked: the main thread handles them. False: no
 * thread could be started. */
bool thread_start(pthread_t *thread, void *(*work)(void *ctx), void *ctx);

#endif
