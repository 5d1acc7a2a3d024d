/* place.h - the socket that providers connect to: its path, and a directory of its own if none was asked for. */
#ifndef FXTOP_PLACE_H
#define FXTOP_PLACE_H

#include <stdbool.h>
#include <sys/un.h>

#include "src/base/err.h"

struct place {
    int fd;             /* the listening socket */
    char directory[96]; /* that was made for it; "": none */
    char path[sizeof((struct sockaddr_un *)0)->sun_path];
};

/* path: NULL makes a directory that only the user can enter. A socket that is left from a process that is gone is
 * replaced. False with one line in err, in ASCII if ascii. */
bool place_open(struct place *place, const char *path, bool ascii, struct err *err);
void place_close(struct place *place);
/* The path of --listen without one: in XDG_RUNTIME_DIR, else in a directory in `temporary` that the user alone can write
 * to. False with one line in err. */
bool place_default(const char *temporary, char *path, size_t size, struct err *err);

#endif
