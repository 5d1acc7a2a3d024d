/* database_files.c - the files of SQLite.
 *
 * No file has a name: neither sorts that do not fit into memory, temporary tables and journals, nor
 * a database that is written. The name that SQLite has for that one is the number of its
 * descriptor. A write that would touch the reserve of the disk fails as on a full one. */
#include "src/io/database_files.h"

#ifdef HAVE_SQLITE

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/io/spool.h"
#include "src/io/temporary.h"

#define SPACE_CHECK (1 << 20) /* bytes of growth between two looks at the free space */

struct database_file {
    sqlite3_file base;
    int fd;
    sqlite3_int64 size, checked; /* checked: up to here there was space */
};

static int close_file(sqlite3_file *base) {
    close(((struct database_file *)base)->fd);
    return SQLITE_OK;
}

static int read_file(sqlite3_file *base, void *to, int n, sqlite3_int64 at) {
    const struct database_file *file = (const struct database_file *)base;
    int done = 0;
    while (done < n) {
        ssize_t got = pread(file->fd, (char *)to + done, (size_t)(n - done), at + done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return SQLITE_IOERR_READ;
        if (got == 0)
            break;
        done += (int)got;
    }
    if (done == n)
        return SQLITE_OK;
    memset((char *)to + done, 0, (size_t)n - (size_t)done);
    return SQLITE_IOERR_SHORT_READ;
}

/* Whether the file may grow to a size. */
static bool fits(struct database_file *file, sqlite3_int64 size) {
    if (size <= file->checked)
        return true;
    if (!spool_fits(file->fd, SPACE_CHECK))
        return false;
    file->checked = size + SPACE_CHECK;
    return true;
}

static int write_file(sqlite3_file *base, const void *from, int n, sqlite3_int64 at) {
    struct database_file *file = (struct database_file *)base;
    if (at + n > file->size && !fits(file, at + n))
        return SQLITE_FULL;
    for (int done = 0; done < n;) {
        ssize_t got = pwrite(file->fd, (const char *)from + done, (size_t)(n - done), at + done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return SQLITE_FULL;
        done += (int)got;
    }
    file->size = at + n > file->size ? at + n : file->size;
    return SQLITE_OK;
}

static int truncate_file(sqlite3_file *base, sqlite3_int64 size) {
    struct database_file *file = (struct database_file *)base;
    if (ftruncate(file->fd, size) != 0)
        return SQLITE_IOERR_TRUNCATE;
    file->size = size;
    return SQLITE_OK;
}

static int size_of_file(sqlite3_file *base, sqlite3_int64 *size) {
    *size = ((struct database_file *)base)->size;
    return SQLITE_OK;
}

static int do_nothing(sqlite3_file *base, int what) {
    (void)base;
    (void)what;
    return SQLITE_OK;
}

static int is_reserved(sqlite3_file *base, int *out) {
    (void)base;
    *out = 0;
    return SQLITE_OK;
}

static int control(sqlite3_file *base, int what, void *arg) {
    (void)base;
    (void)what;
    (void)arg;
    return SQLITE_NOTFOUND;
}

static int no_property(sqlite3_file *base) {
    (void)base;
    return 0;
}

static const sqlite3_io_methods methods = {
    .iVersion = 1,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = do_nothing,
    .xFileSize = size_of_file,
    .xLock = do_nothing,
    .xUnlock = do_nothing,
    .xCheckReservedLock = is_reserved,
    .xFileControl = control,
    .xSectorSize = no_property,
    .xDeviceCharacteristics = no_property,
};

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags,
                     int *given) {
    struct database_file *file = (struct database_file *)base;
    (void)vfs;
    int saved = name && flags & SQLITE_OPEN_MAIN_DB ? (int)strtol(name, NULL, 10) : -1;
    *file = (struct database_file){
        .fd = saved >= 0 ? fcntl(saved, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : temporary_open()};
    if (file->fd < 0)
        return SQLITE_CANTOPEN;
    struct stat status;
    if (saved >= 0 && fstat(file->fd, &status) == 0)
        file->size = file->checked = status.st_size;
    file->base.pMethods = &methods;
    if (given)
        *given = flags;
    return SQLITE_OK;
}

static int delete_file(sqlite3_vfs *vfs, const char *name, int synced) {
    (void)vfs;
    (void)name;
    (void)synced;
    return SQLITE_OK;
}

/* No journal is there that could be a file's. */
static int is_there(sqlite3_vfs *vfs, const char *name, int what, int *out) {
    (void)vfs;
    (void)name;
    (void)what;
    *out = 0;
    return SQLITE_OK;
}

static int whole_name(sqlite3_vfs *vfs, const char *name, int size, char *out) {
    (void)vfs;
    return snprintf(out, (size_t)size, "%s", name) < size ? SQLITE_OK : SQLITE_CANTOPEN;
}

static const char *registered;

static void add_vfs(void) {
    static sqlite3_vfs own;
    const sqlite3_vfs *usual = sqlite3_vfs_find(NULL);
    if (usual == NULL)
        return;
    own = *usual;
    own.pNext = NULL;
    own.zName = "fxtop";
    own.xOpen = open_file;
    own.xDelete = delete_file;
    own.xAccess = is_there;
    own.xFullPathname = whole_name;
    if (own.szOsFile < (int)sizeof(struct database_file))
        own.szOsFile = (int)sizeof(struct database_file);
    if (sqlite3_vfs_register(&own, 0) == SQLITE_OK)
        registered = own.zName;
}

/* An importer asks on a thread of its own. */
const char *database_files_vfs(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, add_vfs);
    return registered;
}

#endif
