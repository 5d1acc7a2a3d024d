/* program.h - runs another program on the terminal, and waits for its end.
 *
 * Text goes to it by its standard input alone, in a file without a name. So a program that does not
 * read cannot hold the caller up, and one that ends early causes no SIGPIPE. The caller has made
 * the terminal fit for it. */
#ifndef FXTOP_PROGRAM_H
#define FXTOP_PROGRAM_H

#include "src/base/err.h"
#include "src/base/str.h"

struct program {
    char *const *argv;       /* ends with NULL; argv[0] without a slash is searched in PATH */
    const struct str *input; /* NULL: it reads from `in` */
    int in, out;             /* descriptors: standard input; standard output and standard error */
};

/* Returns its status as in a shell, 128 + the signal that ended it; -1, and err: it did not start.
 * Signals that the caller ignores are ignored by the program, too. */
int program_run(const struct program *program, struct err *err);

#endif
