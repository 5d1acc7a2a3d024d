/* death.h - the signal that has ended a process which is no child of ours. */
#ifndef FXTOP_DEATH_H
#define FXTOP_DEATH_H

#include <stdbool.h>
#include <sys/types.h>

/* A descriptor by which the kernel knows the process after its end, too, that the caller closes;
 * -1: there is none. */
int death_watch(pid_t pid);
/* The signal, once the process ends or has ended; 0: there was none, or it is not known any
 * more. */
int death_signal(int watch, pid_t pid);
/* Whether a thread of the process goes on: it has not begun to end. */
bool death_is_far(pid_t pid, pid_t tid);

#endif
