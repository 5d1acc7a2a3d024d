/* watch.h - notice of changes of a file, so that it need not be polled. */
#ifndef FXTOP_WATCH_H
#define FXTOP_WATCH_H

#include <stdbool.h>

/* fd: of the open file or its copy, open as long as the watch. Returns a descriptor that becomes
 * readable when the file at path may have changed or been replaced; close() ends it. -1 if the
 * system cannot report it: network file systems, directories that are links, no more watches. */
int watch_open(const char *path, int fd);
bool watch_told(int watch); /* whether events are waiting */
/* takes the waiting events; false: the file was surely not written to */
bool watch_take(int watch);

#endif
