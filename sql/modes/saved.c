/* saved.c - a trace as a database of SQLite, which is written to a file without a name and read
 * back from there. */
#include "sql/modes/saved.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "src/io/temporary.h"

#define PIECE 65536

static bool copy(int fd, FILE *out, struct err *err) {
    static char buf[PIECE];
    ssize_t n;
    for (off_t at = 0; (n = pread(fd, buf, sizeof buf, at)) > 0 && !ferror(out); at += n)
        fwrite(buf, 1, (size_t)n, out);
    return n >= 0 ||
           err_set(err, ERR_NO_OFFSET, "cannot read the temporary file: %s", strerror(errno));
}

bool saved_write(struct query *query, FILE *out, struct err *err) {
    int fd = temporary_open();
    if (fd < 0)
        return err_set(err, ERR_NO_OFFSET, "no temporary file: %s", strerror(errno));
    bool done = query_attach(query, fd, err) && query_save(query, err) && copy(fd, out, err);
    close(fd);
    return done;
}
