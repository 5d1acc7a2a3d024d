/* output_file.h - a file in place of standard output (--output). */
#ifndef FXTOP_OUTPUT_FILE_H
#define FXTOP_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "src/base/err.h"

/* Opens it. Fails with one line if it is one of the traces that are read, or cannot be written. */
bool output_file_begin(const char *path, char *const *traces, size_t n, struct err *err);
/* Removes it again if the exit status is that of a failure, unless it is a pipe or a device; returns the status. path may
 * be NULL. */
int output_file_end(const char *path, int status);

#endif
