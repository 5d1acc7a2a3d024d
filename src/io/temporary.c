/* temporary.c - files without a name, in $TMPDIR or /var/tmp.
 *
 * Linux makes them without a name; elsewhere the name is removed at once. */
#include "src/io/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/err.h"

int temporary_above_standard(int fd) {
    if (fd < 0 || fd > STDERR_FILENO)
        return fd;
    int high = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int saved = errno;
    close(fd);
    errno = saved;
    return high;
}

static int spool_in(const char *directory) {
#ifdef O_TMPFILE
    int nameless = open(directory, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
    if (nameless >= 0)
        return temporary_above_standard(nameless);
#endif
    static const char name[] = "/fxtop-XXXXXX";
    size_t length = strlen(directory);
    char *path = err_malloc(length + sizeof name);
    memcpy(path, directory, length);
    memcpy(path + length, name, sizeof name);
    int fd = temporary_above_standard(mkstemp(path));
    if (fd >= 0) {
        fcntl(fd, F_SETFD, FD_CLOEXEC);
        unlink(path);
    }
    int saved = errno;
    free(path);
    errno = saved;
    return fd;
}

int temporary_open(void) {
    const char *directory = getenv("TMPDIR");
    int fd = directory != NULL && *directory != '\0' ? spool_in(directory) : -1;
    if (fd < 0)
        fd = spool_in("/var/tmp");
    return fd;
}

/* Lets write() fail with EFBIG at ulimit -f, where SIGXFSZ would kill; unlike SIG_IGN it is not
 * inherited. */
static void on_sigxfsz(int signal_number) {
    (void)signal_number;
}

void temporary_outlive_limit(void) {
    struct sigaction before;
    struct sigaction limit = {.sa_handler = on_sigxfsz, .sa_flags = SA_RESTART};
    sigemptyset(&limit.sa_mask);
    if (sigaction(SIGXFSZ, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
        sigaction(SIGXFSZ, &limit, NULL);
}
