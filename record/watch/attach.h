/* attach.h - processes that run already, as /proc has them: which of them are to be recorded, and
 * their threads. */
#ifndef FXTOP_ATTACH_H
#define FXTOP_ATTACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "src/base/err.h"
#include "src/base/vec.h"

struct attach_process { /* one that was named */
    pid_t pid;
    int end; /* can be read once it has ended; -1: it has, or the kernel has no such descriptor */
    bool ended;
};

struct attach {
    VEC(struct attach_process) v;
    bool all; /* all processes that the kernel lets us see; v is empty */
};

/* Looks whether each of the processes can be recorded. False with one line in err. */
bool attach_open(struct attach *attach, const pid_t *pids, size_t n, bool all, struct err *err);
void attach_close(struct attach *attach);
/* Whether one of them goes on; all of them always do. */
bool attach_goes_on(struct attach *attach);

struct attach_thread {
    uint32_t pid, parent, tid;
    bool waits; /* it was blocked */
    char name[16];
};

struct attach_threads {
    VEC(struct attach_thread) v;
};

/* Whether a thread has not begun to end. */
bool attach_lives(const struct attach_thread *thread);

/* Adds all threads of the processes and their descendants that there are now, those of a process
 * next to each other, but not ours. everywhere: if all processes are recorded, those of other users
 * and of the kernel, too. */
void attach_list(const struct attach *attach, bool everywhere, struct attach_threads *threads);

#endif
