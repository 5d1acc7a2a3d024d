/* scratch.h - files and folders of a test's own, in $TMPDIR, or in /tmp if that is not set. */
#ifndef FXTOP_SCRATCH_H
#define FXTOP_SCRATCH_H

#include <stdbool.h>

enum { SCRATCH_PATH = 4096 }; /* bytes of a path, with its NUL */

/* Creates an empty file fxtop-WHAT-XXXXXX and stores its path. Returns a descriptor to write to, or -1. */
int scratch_file(char path[SCRATCH_PATH], const char *what);

/* The same with a folder. */
bool scratch_folder(char path[SCRATCH_PATH], const char *what);

#endif
