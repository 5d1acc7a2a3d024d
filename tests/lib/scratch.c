/* scratch.c - files and folders of a test's own. */
#include "tests/lib/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void template(char path[SCRATCH_PATH], const char *what) {
    const char *base = getenv("TMPDIR");
    snprintf(path, SCRATCH_PATH, "%s/fxtop-%s-XXXXXX",
             base != NULL && *base != '\0' ? base : "/tmp", what);
}

int scratch_file(char path[SCRATCH_PATH], const char *what) {
    template(path, what);
    return mkstemp(path);
}

bool scratch_write(char path[SCRATCH_PATH], const char *what, const void *v, size_t n) {
    int fd = scratch_file(path, what);
    bool written = fd >= 0 && write(fd, v, n) == (ssize_t)n;
    return (fd < 0 || close(fd) == 0) && written;
}

bool scratch_folder(char path[SCRATCH_PATH], const char *what) {
    template(path, what);
    return mkdtemp(path) != NULL;
}
