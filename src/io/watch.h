/* watch.h - is told by the system when a file changes, so that nobody has to ask now and then. */
#ifndef FXTOP_WATCH_H
#define FXTOP_WATCH_H

#include <stdbool.h>

/* A descriptor that becomes readable when the regular file at path, or what stands there, may have changed since; -1
 * where the system does not say: network file systems, directories that are links, no more watches. close() ends it. */
int watch_open(const char *path);
bool watch_told(int watch); /* has it something to say? */
void watch_take(int watch); /* takes all it says */

#endif
