/* saved.c - a trace as a database of SQLite.
 *
 * SQLite writes to a file by its name, and refuses one whose name was removed. So the name is
 * removed at the end, or by the handler of a signal that ends the program. A descriptor of our own
 * reads the file back. */
#include "sql/modes/saved.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/err.h"
#include "src/io/temporary.h"

#define PIECE 65536

/* A new file in $TMPDIR or /var/tmp; -1: errno has the reason. The caller frees *path. */
static int make_file(char **path) {
    const char *directory = getenv("TMPDIR");
    static const char name[] = "/fxtop-XXXXXX";
    for (int other = directory == NULL || *directory == '\0'; other < 2; other++) {
        const char *in = other ? "/var/tmp" : directory;
        size_t n = strlen(in);
        *path = err_malloc(n + sizeof name);
        memcpy(*path, in, n);
        memcpy(*path + n, name, sizeof name);
        int fd = temporary_above_standard(mkstemp(*path));
        if (fd >= 0)
            return fd;
        free(*path);
        *path = NULL;
    }
    return -1;
}

static bool copy(int fd, FILE *out, struct err *err) {
    static char buf[PIECE];
    ssize_t n;
    for (off_t at = 0; (n = pread(fd, buf, sizeof buf, at)) > 0 && !ferror(out); at += n)
        fwrite(buf, 1, (size_t)n, out);
    return n >= 0 ||
           err_set(err, ERR_NO_OFFSET, "cannot read the temporary file: %s", strerror(errno));
}

static char *unfinished; /* path of the file; NULL: none */

static void end_at_once(int signal) {
    if (unfinished)
        unlink(unfinished);
    _exit(128 + signal);
}

bool saved_write(struct query *query, FILE *out, struct err *err) {
    char *path = NULL;
    int fd = make_file(&path);
    if (fd < 0)
        return err_set(err, ERR_NO_OFFSET, "no temporary file: %s", strerror(errno));
    struct sigaction action = {.sa_handler = end_at_once};
    unfinished = path;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    bool done = query_attach(query, path, fd, err) && query_save(query, err);
    unlink(path);
    unfinished = NULL;
    done = done && copy(fd, out, err);
    close(fd);
    free(path);
    return done;
}
