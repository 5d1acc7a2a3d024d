/* death.h - the signal that has ended a process which is no child of ours. */
#ifndef FXTOP_DEATH_H
#define FXTOP_DEATH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A descriptor by which the kernel knows the process after its end, too, that the caller closes;
 * -1: there is none. */
int death_watch(pid_t pid);
/* The signal, once the process ends or has ended; 0: there was none, or it is not known any
 * more. */
int death_signal(int watch, pid_t pid);

struct death_numbers {
    bool known;            /* how it ended: */
    int status;            /* as wait() gives it */
    uint64_t user, system; /* ticks of the system's clock, and page faults: */
    uint64_t minor, major;
};
/* Asks for a process that has ended, by a descriptor or -1, or ends within so many ms. False: its
 * parent has noticed, and no more is known than how it ended. */
bool death_numbers(int watch, pid_t pid, int ms, struct death_numbers *numbers);
/* Whether a thread of the process goes on: it has not begun to end. */
bool death_is_far(pid_t pid, pid_t tid);

#endif
