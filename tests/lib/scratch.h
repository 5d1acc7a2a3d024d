/* scratch.h - files and folders of a test's own, in $TMPDIR, or in /tmp if that is not set. */
#ifndef FXTOP_SCRATCH_H
#define FXTOP_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>

enum { SCRATCH_PATH = 1024 }; /* bytes of a path, with its NUL */

/* Creates an empty file fxtop-WHAT-XXXXXX and stores its path. Returns a descriptor to write to, or
 * -1. */
int scratch_file(char path[SCRATCH_PATH], const char *what);

/* Makes a file likewise, with these bytes in it, and closes it. */
bool scratch_write(char path[SCRATCH_PATH], const char *what, const void *v, size_t n);

/* A folder. */
bool scratch_folder(char path[SCRATCH_PATH], const char *what);

#endif
