/* rings.h - how writers wake the helper thread: a pipe of which the helper has both ends. */
#ifndef FXTTRACE_RINGS_H
#define FXTTRACE_RINGS_H

#include <stdbool.h>

#include "provider/symbols.h"

/* For the helper: makes the pipe, also again if the program has closed its ends. */
void rings_begin(void);
/* Its end to wait at, or -1. */
int rings_fd(void);
/* Empties it. */
void rings_take(void);
/* Some writer could not wake the helper: it has to look by itself. */
bool rings_fail(void);

/* For any thread: opens the program's end ahead. */
void rings_open(void);
/* Wakes the helper; false: it cannot be woken. It keeps errno. */
bool rings_ring(void);

/* Closes the program's end; all: and both ends of the helper. */
void rings_close(bool all);

#endif
