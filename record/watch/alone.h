/* alone.h - processes whose library names its thread after the error that keeps it alone.
 *
 * However soon a process ends, the kernel reports that name. The library takes it back once it has
 * connected, so a process counts only if no connection of it came (fxttrace(7)). */
#ifndef FXTOP_ALONE_H
#define FXTOP_ALONE_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/u64map.h"
#include "src/base/vec.h"

#define ALONE_LIBRARY "fxttrace" /* the name of the thread; after " e" the number of an error */

struct alone_process {
    uint32_t pid;
    int error; /* errno of the latest attempt */
    char name[16];
};

struct alone {
    VEC(struct alone_process) v; /* in the order of their first attempts */
    struct u64map places;        /* pid -> number */
};

/* Whether that is the name of the library's thread. */
bool alone_is_library(const char *name);
/* Takes the new name of a thread of a process, which is called `process`. */
void alone_take(struct alone *alone, uint32_t pid, const char *name, const char *process);
void alone_free(struct alone *alone);

#endif
