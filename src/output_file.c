/* output_file.c - standard output becomes the file, so that all that prints is as it was. */
#include "src/output_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool output_file_begin(const char *path, char *const *traces, size_t n, struct err *err) {
    struct stat out, in;
    bool there = stat(path, &out) == 0;
    for (size_t i = 0; there && i < n; i++)
        if (stat(traces[i], &in) == 0 && in.st_dev == out.st_dev && in.st_ino == out.st_ino && S_ISREG(in.st_mode))
            return err_set(err, ERR_NO_OFFSET, "--output is the trace itself");
    if (freopen(path, "w", stdout) == NULL)
        return err_set(err, ERR_NO_OFFSET, "%s", strerror(errno));
    return true;
}

int output_file_end(const char *path, int status) {
    struct stat out;
    if (path && status >= 2 && stat(path, &out) == 0 && S_ISREG(out.st_mode))
        unlink(path);
    return status;
}
