/* saved.c - a trace as a database of SQLite.
 *
 * SQLite writes to a file by its name. The name is removed as soon as the file is open; a descriptor of our own reads
 * it back. */
#include "sql/modes/saved.h"

#include <errno.h>
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
    return n >= 0 || err_set(err, ERR_NO_OFFSET, "cannot read the temporary file: %s", strerror(errno));
}

bool saved_write(struct query *query, FILE *out, struct err *err) {
    char *path = NULL;
    int fd = make_file(&path);
    if (fd < 0)
        return err_set(err, ERR_NO_OFFSET, "no temporary file: %s", strerror(errno));
    bool done = query_attach(query, path, err);
    unlink(path);
    done = done && query_save(query, err) && copy(fd, out, err);
    close(fd);
    free(path);
    return done;
}
