/* state_file.h - small text files that are kept for a user: sessions of traces, and the copied
 * text.
 *
 * They are in $XDG_STATE_HOME/fxtop, or in ~/.local/state/fxtop, and readable by the user alone. A
 * file is written whole or not at all (output_file.h). Functions that fail leave no partial file
 * and give the reason in one line. */
#ifndef FXTOP_STATE_FILE_H
#define FXTOP_STATE_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/err.h"

#define STATE_FILE_MOST ((size_t)1 << 20) /* bytes that are read */

/* The path of a file of that name. make: creates the folder. */
bool state_file_path(const char *name, bool make, char path[PATH_MAX], struct err *err);
/* The name of the session of a trace, or of several as one in their order: by real paths. False:
 * there is none, as one is no file. */
bool state_file_of_traces(const char *const *traces, size_t n, char name[64]);
/* A hash of the first 4 KiB of files, the same in every run; 0: the only one cannot be read. */
uint64_t state_file_heads(const char *const *paths, size_t n);
/* All bytes of a file, with a NUL after them, for free(). NULL: it cannot be read, is too large, or
 * has a NUL. */
char *state_file_read(const char *path, struct err *err);
bool state_file_write(const char *path, const char *text, size_t n, struct err *err);

#endif
