/* file_source.c - opens the file of a path, if it may be a trace. */
#include "src/io/file_source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "src/io/files_read.h"
#include "src/io/foreign/foreign.h"
#include "src/io/temporary.h"

/* Standard input may be what a path may not: /dev/null, a socket. */
static bool may_be_trace(const struct stat *status, const char *path, struct err *err) {
    bool standard_input = strcmp(path, "-") == 0;
    const char *folder = S_ISDIR(status->st_mode) && !standard_input ? foreign_folder(path) : NULL;
    if (S_ISDIR(status->st_mode))
        return err_set(err, ERR_NO_OFFSET, "%s", folder ? folder : "is a directory");
    if (S_ISREG(status->st_mode) || S_ISFIFO(status->st_mode) || standard_input)
        return true;
    return err_set(err, ERR_NO_OFFSET, "is a %s, not a trace",
                   S_ISSOCK(status->st_mode) ? "socket" : "device");
}

int file_source_open(const char *path, struct stat *status, struct err *err) {
    bool standard_input = strcmp(path, "-") == 0;
    int fd;
    if (standard_input) {
        /* main may put the keyboard in its place */
        fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        if (fd < 0 && errno == EBADF) {
            err_set(err, ERR_NO_OFFSET, "is closed");
            return -1;
        }
    } else {
        /* before open(), which already starts a tape or waits for a modem */
        if (stat(path, status) != 0) {
            err_errno(err, "", errno);
            return -1;
        }
        if (!may_be_trace(status, path, err))
            return -1;
        do
            fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        while (fd < 0 && errno == EINTR);
        fd = temporary_above_standard(fd);
    }
    if (fd < 0 || fstat(fd, status) != 0) {
        err_errno(err, "", errno);
    } else if (standard_input && isatty(fd)) {
        err_set(err, ERR_NO_OFFSET, "is a terminal");
    } else if (may_be_trace(status, path, err)) {
        files_read_fd(fd);
        return fd;
    }
    if (fd >= 0)
        close(fd);
    return -1;
}
