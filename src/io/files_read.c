/* files_read.c - a list, since few files are read and it is searched only when one is written. */
#include "src/io/files_read.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/vec.h"

/* A file that gets the number of one that is gone has another time of birth. With one, the device
 * does not count: an overlay has a device of its own for files of another. */
struct identity {
    dev_t dev;
    ino_t ino;
    int64_t born_s, born_ns; /* 0 where the file system does not keep it */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static VEC(struct known {
    struct identity id;
    unsigned kinds;
}) all;

static struct known *find(const struct identity *id) {
    for (size_t i = 0; i < all.n; i++) {
        const struct identity *other = &all.v[i].id;
        bool same =
            other->ino == id->ino && other->born_s == id->born_s && other->born_ns == id->born_ns;
        bool is_born = id->born_s != 0 || id->born_ns != 0;
        if (same && (is_born || other->dev == id->dev))
            return &all.v[i];
    }
    return NULL;
}

/* path: NULL for the file of the descriptor. False: it is no regular file and no pipe. */
static bool identify(struct identity *id, int fd, const char *path) {
    struct stat status;
    if ((path ? stat(path, &status) : fstat(fd, &status)) != 0 ||
        (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode)))
        return false;
    *id = (struct identity){.dev = status.st_dev, .ino = status.st_ino};
#ifdef STATX_BTIME
    struct statx more;
    int done = path ? statx(AT_FDCWD, path, 0, STATX_INO | STATX_BTIME, &more)
                    : statx(fd, "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &more);
    if (done == 0 && more.stx_mask & STATX_BTIME && more.stx_ino == status.st_ino) {
        id->born_s = more.stx_btime.tv_sec;
        id->born_ns = more.stx_btime.tv_nsec;
    }
#endif
    return true;
}

static void add(int fd, const char *path, enum files_read_kind kind) {
    struct identity id;
    if (!identify(&id, fd, path))
        return;
    pthread_mutex_lock(&lock);
    struct known *known = find(&id);
    if (known)
        known->kinds |= kind;
    else
        vec_push(&all, ((struct known){id, kind}));
    pthread_mutex_unlock(&lock);
}

void files_read_fd(int fd) {
    add(fd, NULL, FILES_READ_INPUT);
}

void files_read_path(const char *path, enum files_read_kind kind) {
    add(-1, path, kind);
}

void files_read_paths(char *const *paths, int n) {
    for (int i = 0; i < n; i++)
        if (strcmp(paths[i], "-") == 0)
            files_read_fd(STDIN_FILENO);
        else
            files_read_path(paths[i], FILES_READ_INPUT);
}

bool files_read_has(int fd, const char *path, unsigned kinds) {
    struct identity id;
    if (!identify(&id, fd, path))
        return false;
    pthread_mutex_lock(&lock);
    const struct known *known = find(&id);
    bool found = known && known->kinds & kinds;
    pthread_mutex_unlock(&lock);
    return found;
}
