/* scratch.c - files and folders of a test's own. */
#include "tests/lib/scratch.h"

#include <stdio.h>
#include <stdlib.h>

static void template(char path[SCRATCH_PATH], const char *what) {
    const char *base = getenv("TMPDIR");
    snprintf(path, SCRATCH_PATH, "%s/fxtop-%s-XXXXXX", base != NULL && *base != '\0' ? base : "/tmp", what);
}

int scratch_file(char path[SCRATCH_PATH], const char *what) {
    template(path, what);
    return mkstemp(path);
}

bool scratch_folder(char path[SCRATCH_PATH], const char *what) {
    template(path, what);
    return mkdtemp(path) != NULL;
}
