/* file_source.h - opens the file of a path: a regular file, a pipe, standard input; not a directory
 * or a device. */
#ifndef FXTOP_FILE_SOURCE_H
#define FXTOP_FILE_SOURCE_H

#include <sys/stat.h>

#include "src/base/err.h"

/* Opens path ("-": standard input) to read. Returns a descriptor above the standard ones, or -1. */
int file_source_open(const char *path, struct stat *status, struct err *err);

#endif
