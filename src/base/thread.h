/* thread.h - starting worker threads, and whether the process has a second processor for them. */
#ifndef FXTOP_THREAD_H
#define FXTOP_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Has this process more than one processor? Two threads on one are slower than one. */
bool thread_worthwhile(void);
/* Starts work(ctx) with all signals blocked: they are for the thread that draws. False: no thread is to be had. */
bool thread_start(pthread_t *thread, void *(*work)(void *ctx), void *ctx);

#endif
