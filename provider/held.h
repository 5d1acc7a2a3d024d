/* held.h - descriptors that the library holds in a program that may close them.
 *
 * A daemon closes all descriptors when it begins, and gives their numbers to files of its own. So
 * the helper thread has its own descriptors where it can. For all others each use asks first
 * whether the number still means the same file. Any thread may ask; only one changes. */
#ifndef FXTTRACE_HELD_H
#define FXTTRACE_HELD_H

#include <stdbool.h>
#include <stdint.h>

#include "provider/symbols.h"

struct held {
    int fd;        /* -1: none */
    uint64_t file; /* its identity */
};
#define HELD_NONE                                                                                  \
    { -1, 0 }

/* Gives the calling thread descriptors of its own: none of the program's, and no other thread sees
 * or closes them. False: the kernel cannot (before Linux 5.9), or the program has TSan. */
bool held_apart(void);
/* Holds a descriptor, which may be -1. An inotify descriptor must have its first watch. */
void held_take(struct held *held, int fd);
/* The descriptor; -1: there is none, or its number means another file by now. It changes errno. */
int held_fd(const struct held *held);
/* Forgets it, and closes it if it is ours. */
void held_close(struct held *held);

#endif
