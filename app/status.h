/* status.h - faults of a mode in one line, and the exit status that they lead to. */
#ifndef FXTOP_APP_STATUS_H
#define FXTOP_APP_STATUS_H

#include <stdbool.h>

#include "src/base/err.h"

extern bool status_ascii; /* the terminal shows no other characters, or --ascii is set */

/* Prints a fault of a file, or of none, and returns 2. */
int status_complain(const char *path, const struct err *err);
/* The status, if standard output took all that was printed; else 2 with a line, but for a reader
 * that has gone. ok: nothing went wrong before. */
int status_written(bool ok, int status);

#endif
