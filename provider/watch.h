/* watch.h - the directory in which the manager's socket will appear. */
#ifndef FXTTRACE_WATCH_H
#define FXTTRACE_WATCH_H

#include <stdbool.h>

#include "provider/held.h"
#include "provider/symbols.h"

/* Watches the directory of a path, unless that is done; before a look for the path itself. */
void watch_begin(struct held *watch, const char *path);
/* Reads what happened. True: it is time to look for the path. */
bool watch_take(struct held *watch, const char *path);

#endif
