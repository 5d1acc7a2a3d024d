/* unseen.h - processes that go on, but whose events the kernel does not show us any more.
 *
 * A program that has rights that we lack, as a setuid one, is seen up to its exec, and its children
 * never. Its end is seen through a descriptor, or by looking. */
#ifndef FXTOP_UNSEEN_H
#define FXTOP_UNSEEN_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/vec.h"

#define UNSEEN_PROGRAMS 8 /* that are named */

struct unseen_program {
    char name[16];
    uint32_t pid; /* of the first of its processes */
    unsigned processes;
};

struct unseen_programs {
    struct unseen_program v[UNSEEN_PROGRAMS];
    unsigned n;
    unsigned others; /* processes of more programs */
};

struct unseen_process {
    uint32_t pid;
    int fd; /* can be read once the process has ended; -1: it is looked at */
};

struct unseen {
    VEC(struct unseen_process) v; /* that have not ended */
    struct unseen_programs programs;
};

void unseen_add(struct unseen *unseen, uint32_t pid, const char *name);
/* Takes out a process that has ended; false: all go on. */
bool unseen_next_end(struct unseen *unseen, uint32_t *pid);
void unseen_close(struct unseen *unseen);
/* A line on standard error for each program, and one for the others. */
void unseen_print(const struct unseen_programs *programs, bool ascii);

#endif
