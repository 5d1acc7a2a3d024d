/* apart.h - a process of its own for work that may take long, or end badly: it has nothing of the
 * recording but one end of a socket. */
#ifndef FXTOP_APART_H
#define FXTOP_APART_H

#include <stdbool.h>
#include <sys/types.h>

struct apart {
    pid_t pid; /* 0: there is none */
    int fd;    /* the other end of its socket */
};

/* Begins it: it calls run() with its end of the socket, and must not return. It ends with the
 * recording. False: the system has none. */
bool apart_start(struct apart *apart, void (*run)(void *ctx, int fd), void *ctx);
/* Ends it. How it has ended, as wait() gives it: 0 also if there was none. */
int apart_stop(struct apart *apart);

#endif
