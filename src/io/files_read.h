/* files_read.h - the regular files that this process has read from, so that nothing is written to
 * one of them.
 *
 * A file is known by its number on its device, whatever its name: hard links, symbolic links and
 * /dev/fd are the same file. A file stays known to the end, because its map may outlive its name.
 * Any thread may call these. */
#ifndef FXTOP_FILES_READ_H
#define FXTOP_FILES_READ_H

#include <stdbool.h>
#include <sys/stat.h>

enum files_read_kind {
    FILES_READ_INPUT = 1,
    FILES_READ_SESSION = 2, /* :session may write it again */
};

void files_read_fd(int fd);
void files_read_path(const char *path, enum files_read_kind kind);
void files_read_paths(char *const *paths, int n); /* that will be read as input */
/* Whether it was read as one of these kinds, a set. */
bool files_read_has(const struct stat *status, unsigned kinds);

#endif
