/* place.h - the socket that providers connect to: its path, and a directory of its own if none was
 * asked for. */
#ifndef FXTOP_RECORD_PLACE_H
#define FXTOP_RECORD_PLACE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/un.h>

#include "src/base/err.h"

struct place {
    int fd;             /* the listening socket */
    char directory[96]; /* that was made for it; "": none */
    /* ns of CLOCK_MONOTONIC: not before it, because a connection could not be accepted */
    uint64_t accept_at;
    int unaccepted; /* errno of that; 0: all could be */
    uint64_t waits; /* ns: since then connections may wait to be accepted; 0: none do */
    char path[sizeof((struct sockaddr_un *)0)->sun_path];
};

/* path: NULL makes a directory that only the user can enter, and removes those of recorders that
 * were killed. A socket that is left from a process that is gone is replaced. False with one line
 * in err, in ASCII if ascii. */
bool place_open(struct place *place, const char *path, bool ascii, struct err *err);
void place_close(struct place *place);
/* Whether connections may be accepted now. few: there may be more providers; else connections wait
 * from now on. */
bool place_accepts(struct place *place, bool few);
/* The next connection; -1: none can be accepted now. */
int place_accept(struct place *place);
/* Whether it has waited for so long that its program does not wait for it any more. */
bool place_is_late(const struct place *place);
/* The path of --listen without one: in XDG_RUNTIME_DIR, else in a directory in `temporary` that the
 * user alone can write to. False with one line in err. */
bool place_default(const char *temporary, char *path, size_t size, struct err *err);

#endif
