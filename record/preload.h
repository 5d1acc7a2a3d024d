/* preload.h - libraries that `fxtop record` puts in front of the program's others: --waits and
 * --functions. */
#ifndef FXTOP_PRELOAD_H
#define FXTOP_PRELOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/err.h"

#define PRELOAD_PATH 4096

struct preload_options {
    bool waits;
    uint64_t waits_least;     /* ns: shorter waits are left out */
    const char *functions;    /* patterns of names, separated by commas; NULL: no functions */
    uint64_t functions_least; /* ns: shorter calls are left out; 0: none */
};

#define PRELOAD_VARIABLES 4

struct preload { /* "NAME=value" for the program's environment */
    char libraries[PRELOAD_PATH];
    char waits[48], functions[1024], functions_least[48];
    const char *variables[PRELOAD_VARIABLES]; /* those above that it gets; NULL: none */
};

/* Fails with one line: a library is not installed. */
bool preload_make(struct preload *preload, const struct preload_options *options, struct err *err);

#endif
