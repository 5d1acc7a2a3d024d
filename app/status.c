/* status.c - prints faults, and looks for those of standard output. */
#include "app/status.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "src/base/text.h"

bool status_ascii;

int status_complain(const char *path, const struct err *err) {
    text_complain(path, "", status_ascii, err);
    return 2;
}

int status_written(bool ok, int status) {
    struct err err;
    if ((ok && fflush(stdout) == 0 && !ferror(stdout)) || errno == EPIPE)
        return status;
    err_set(&err, ERR_NO_OFFSET, "cannot write: %s", strerror(errno));
    return status_complain(NULL, &err);
}
