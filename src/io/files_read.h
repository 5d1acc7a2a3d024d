/* files_read.h - the regular files that this process has read from, so that nothing is written to
 * one of them.
 *
 * A file is known by its number and its time of birth, whatever its name or mount: hard links,
 * symbolic links and /dev/fd are the same file. It stays known to the end: an output is put in its
 * place when the inputs are closed, and its map may outlive its name.
 * Any thread may call these. */
#ifndef FXTOP_FILES_READ_H
#define FXTOP_FILES_READ_H

#include <stdbool.h>

enum files_read_kind {
    FILES_READ_INPUT = 1,
    FILES_READ_SESSION = 2, /* :session may write it again */
};

void files_read_fd(int fd);
void files_read_path(const char *path, enum files_read_kind kind);
/* The paths will be read as input; - is standard input. */
void files_read_paths(char *const *paths, int n);
/* Whether the file was read as one of these kinds, a set. path: NULL for that of the descriptor. */
bool files_read_has(int fd, const char *path, unsigned kinds);

#endif
