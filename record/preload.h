/* preload.h - the library that `fxtop record --waits` puts in front of the program's others. */
#ifndef FXTOP_PRELOAD_H
#define FXTOP_PRELOAD_H

#include <stdint.h>

#include "src/base/err.h"

#define PRELOAD_PATH 4096

struct preload {
    char library[2 * PRELOAD_PATH + 16]; /* "LD_PRELOAD=...": before those that are there */
    char limit[48];                      /* "FXTTRACE_WAITS=..." */
};

/* ns: shorter waits are left out. Fails with one line: the library is not installed. */
bool preload_waits(struct preload *preload, uint64_t ns, struct err *err);

#endif
