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

/* The processor that the calling thread runs on, or -1. */
int thread_cpu(void);
/* Moves the calling thread to another processor than this one, if it may use another. Takes some 50
 * us. */
void thread_leave_cpu(int cpu);

#endif
