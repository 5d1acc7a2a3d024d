/* thread.c - worker threads block all signals: the main thread handles them. SIGBUS is the
 * exception, because a thread that reads a mapping gets it for its own access
 * (src/io/map_guard.c). */
#include "src/base/thread.h"

#include <sched.h>
#include <signal.h>
#include <unistd.h>

bool thread_worthwhile(void) {
#ifdef HAVE_SCHED_GETAFFINITY
    cpu_set_t mine;
    if (sched_getaffinity(0, sizeof mine, &mine) == 0)
        return CPU_COUNT(&mine) > 1;
#endif
    return sysconf(_SC_NPROCESSORS_ONLN) > 1;
}

bool thread_start(pthread_t *thread, void *(*work)(void *ctx), void *ctx) {
    sigset_t all, before;
    sigfillset(&all);
    sigdelset(&all, SIGBUS);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(thread, NULL, work, ctx) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}
