/* serve.h - fxtop serve --stdio: requests of programs, a line of JSON each (fxtop-serve(1)). */
#ifndef FXTOP_SERVE_H
#define FXTOP_SERVE_H

#include "app/options.h"

struct serve {
    char *const *names; /* of the traces */
    size_t n;
    const char *version; /* of the program */
    /* Answers about a trace in a process of its own: prints to standard output, and faults to
     * standard error. Returns an exit status. */
    int (*ask)(void *ctx, size_t trace, struct options *options);
    void *ctx;
};

/* Answers standard input until it ends, or the answers cannot be written. Returns an exit
 * status. */
int serve_run(const struct serve *serve);

#endif
