/* files_read.c - a list, since few files are read and it is searched only when one is written. */
#include "src/io/files_read.h"

#include <pthread.h>

#include "src/base/vec.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static VEC(struct known {
    dev_t dev;
    ino_t ino;
    enum files_read_kind kind;
}) all;

static void add(const struct stat *status, enum files_read_kind kind) {
    if (!S_ISREG(status->st_mode) || files_read_has(status, kind))
        return;
    pthread_mutex_lock(&lock);
    vec_push(&all, ((struct known){status->st_dev, status->st_ino, kind}));
    pthread_mutex_unlock(&lock);
}

void files_read_fd(int fd) {
    struct stat status;
    if (fstat(fd, &status) == 0)
        add(&status, FILES_READ_INPUT);
}

void files_read_path(const char *path, enum files_read_kind kind) {
    struct stat status;
    if (stat(path, &status) == 0)
        add(&status, kind);
}

void files_read_paths(char *const *paths, int n) {
    for (int i = 0; i < n; i++)
        files_read_path(paths[i], FILES_READ_INPUT);
}

bool files_read_has(const struct stat *status, unsigned kinds) {
    bool found = false;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < all.n && !found; i++)
        found = all.v[i].dev == status->st_dev && all.v[i].ino == status->st_ino &&
                all.v[i].kind & kinds;
    pthread_mutex_unlock(&lock);
    return found;
}
