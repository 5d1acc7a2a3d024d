/* output_file.c - opens the file of a path, writes to another one in its folder, and puts that in
 * its place. */
#include "src/io/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/vfs.h>
#endif

#include "src/io/files_read.h"
#include "src/io/temporary.h"

#define LINKS_MOST 40    /* as the system follows */
#define TRIES 100        /* names in the folder */
#define PATIENCE_MS 1000 /* for a pipe that takes nothing */
#define PIECE ((size_t)64 << 10)
#define PROC_FS 0x9fa0 /* PROC_SUPER_MAGIC */
#define UNNAMED ".fxtop-XXXXXX"

static bool fail(struct err *err, int number) {
    const char *text = strerror(number);
    if (number == ENXIO)
        text = "nothing reads this pipe";
    if (number == EAGAIN)
        text = "its reader takes nothing";
    err_set(err, ERR_NO_OFFSET, "%s", text);
    errno = number;
    return false;
}

/* path: NULL for the target. */
static bool is_read(const struct output_file *out, const char *path, struct err *err) {
    unsigned kinds = FILES_READ_INPUT | (out->how & OUTPUT_FILE_SESSION ? 0 : FILES_READ_SESSION);
    bool read = files_read_has(out->target, path, kinds);
    if (read)
        err_set(err, ERR_NO_OFFSET, "it is read itself: write to another file");
    return read;
}

/* ---- descriptors as paths ---- */

/* The folder of a path, for free(). */
static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return err_copy(".", 1);
    return slash == path ? err_copy("/", 1) : err_copy(path, (size_t)(slash - path));
}

#ifdef __linux__
static const char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
#endif

/* Whether a path names an open descriptor of a process: /dev/fd/3, /dev/stdout, /proc/self/fd/3.
 * *fd: if it is one of this process, else -1. Such a file may have no name, or another offset than
 * a name would give. */
static bool is_descriptor(const char *path, int *fd) {
    *fd = -1;
#ifdef __linux__
    char now[PATH_MAX], link[PATH_MAX], next[PATH_MAX], own[64];
    struct statfs fs;
    snprintf(own, sizeof own, "/proc/%ld/fd", (long)getpid());
    snprintf(now, sizeof now, "%s", path);
    for (int i = 0; i < LINKS_MOST; i++) {
        ssize_t n = readlink(now, link, sizeof link - 1);
        char *folder = n < 0 ? NULL : folder_of(now);
        if (folder && statfs(folder, &fs) == 0 && fs.f_type == PROC_FS && realpath(folder, next)) {
            if (strcmp(next, own) == 0)
                *fd = (int)strtol(name_of(now), NULL, 10);
            free(folder);
            return true;
        }
        if (folder == NULL)
            return false;
        link[n] = 0;
        bool whole = link[0] == '/';
        int length =
            snprintf(next, sizeof next, "%s%s%s", whole ? "" : folder, whole ? "" : "/", link);
        free(folder);
        if (length >= (int)sizeof next)
            return false;
        memcpy(now, next, (size_t)length + 1);
    }
#else
    (void)path;
#endif
    return false;
}

/* The descriptors of this program itself are closed on exec; those that it was given are not. */
static int descriptor_of(int fd) {
    int flags = fcntl(fd, F_GETFD);
    if (flags < 0 || flags & FD_CLOEXEC) {
        errno = EBADF;
        return -1;
    }
    return fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

/* ---- opening ---- */

/* A file without a name in the folder of a path, that can get one. -1: there can be none. */
static int make_unnamed(const char *path, mode_t mode) {
    char *folder = folder_of(path);
#ifdef O_TMPFILE
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
#else
    int fd = -1;
    (void)mode;
    errno = EOPNOTSUPP;
#endif
    if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == ENOENT || errno == EINVAL)) {
        char name[PATH_MAX + sizeof UNNAMED];
        snprintf(name, sizeof name, "%.*s/" UNNAMED, PATH_MAX - 2, folder);
        fd = mkstemp(name);
        if (fd >= 0) {
            fcntl(fd, F_SETFD, FD_CLOEXEC);
            unlink(name);
        }
    }
    free(folder);
    return temporary_above_standard(fd);
}

/* Opens the file that has the name. False: err is set. True without out->target: there is none. */
static bool open_target(struct output_file *out, const char *path, struct err *err) {
    struct stat status;
    int own, flags = O_WRONLY | O_CLOEXEC | O_NOCTTY;
    bool direct = out->how & OUTPUT_FILE_DIRECT;
    if (!direct || stat(path, &status) != 0 || !S_ISFIFO(status.st_mode))
        flags |= O_NONBLOCK; /* a pipe without a reader fails at once */
    else if (is_read(out, path, err))
        return false; /* its reader would be this program */
    bool descriptor = is_descriptor(path, &own);
    out->target = own >= 0 ? descriptor_of(own) : temporary_above_standard(open(path, flags));
    if (out->target < 0 && errno == ENOENT && lstat(path, &status) == 0 &&
        S_ISLNK(status.st_mode)) {
        out->target = temporary_above_standard(
            open(path, flags | O_CREAT, 0666)); /* a link that leads nowhere so far */
        out->made = out->target >= 0;
    }
    if (out->target < 0)
        return errno == ENOENT || fail(err, errno);
    if (fstat(out->target, &out->before) != 0)
        return fail(err, errno);
    if (is_read(out, NULL, err))
        return false;
    if (own < 0 && S_ISREG(out->before.st_mode) && out->before.st_nlink == 0)
        return err_set(err, ERR_NO_OFFSET, "has no name"); /* it may be a temporary file of ours */
    if (!(out->how & OUTPUT_FILE_OVER) && !out->made && !S_ISFIFO(out->before.st_mode)) {
        err_set(err, ERR_NO_OFFSET, "exists");
        errno = EEXIST;
        return false;
    }
    if (!direct && isatty(out->target))
        return err_set(err, ERR_NO_OFFSET, "is a terminal");
    bool regular = S_ISREG(out->before.st_mode);
    out->given = own >= 0;
    out->direct = direct && !regular;
    out->in_place = !out->direct && (!regular || descriptor || out->before.st_nlink > 1);
    return true;
}

/* The name of the target without links; the path itself if there is none so far. */
static void resolve(struct output_file *out, const char *path) {
    struct stat status;
    char *real = out->target >= 0 ? realpath(path, NULL) : NULL;
    bool same = real && stat(real, &status) == 0 && status.st_dev == out->before.st_dev &&
                status.st_ino == out->before.st_ino;
    if (out->target >= 0 && !same)
        out->in_place = true;
    out->path = real ? real : err_copy(path, strlen(path));
}

bool output_file_open(struct output_file *out, const char *path, unsigned how, struct err *err) {
    *out = (struct output_file){.fd = -1, .target = -1, .how = how};
    bool good = open_target(out, path, err);
    int why = errno;
    resolve(out, path);
    if (good && out->direct) {
        if (!out->given)
            fcntl(out->target, F_SETFL, 0); /* from here on it may be waited for */
        out->fd = out->target;
        return true;
    }
    if (good && !out->in_place)
        out->fd = make_unnamed(out->path, how & OUTPUT_FILE_PRIVATE ? 0600 : 0666);
    if (good && out->fd < 0 && out->target >= 0) {
        out->in_place = true;
        out->fd = temporary_open();
    }
    if (out->fd >= 0)
        return true;
    if (good) {
        why = errno;
        fail(err, why);
    }
    output_file_drop(out);
    errno = why;
    return false;
}

/* ---- closing ---- */

/* Writes, and waits for a pipe at most so long; 0: it took nothing. */
static ssize_t put(int fd, const char *bytes, size_t n) {
    ssize_t done;
    while ((done = write(fd, bytes, n)) < 0) {
        struct pollfd ready = {fd, POLLOUT, 0};
        if (errno == EAGAIN && poll(&ready, 1, PATIENCE_MS) == 1)
            continue;
        if (errno != EINTR)
            return -1;
    }
    return done;
}

/* All bytes of `from`, from its begin. */
static bool copy(int from, int to) {
    char *buf = err_malloc(PIECE);
    off_t at = 0;
    ssize_t n, done = 0;
    while (done >= 0 && (n = pread(from, buf, PIECE, at)) > 0) {
        done = put(to, buf, (size_t)n);
        at += done;
    }
    int why = errno;
    free(buf);
    errno = why;
    return done >= 0 && n == 0;
}

/* The same without SIGPIPE, which would end the screen, if the reader of a pipe goes. */
static bool copy_quietly(int from, int to) {
    sigset_t broken, before, pending;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    bool done = copy(from, to);
    int why = errno;
    int came;
    if (!done && why == EPIPE && sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE))
        sigwait(&broken, &came);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = why;
    return done;
}

/* An errno value; EOPNOTSUPP: the system has no such call. */
static int reserve(int fd, off_t size) {
#ifdef HAVE_POSIX_FALLOCATE
    return posix_fallocate(fd, 0, size);
#else
    (void)fd;
    (void)size;
    return EOPNOTSUPP;
#endif
}

/* Writes over the target. Space that is missing is found before a byte of it changes. */
static bool write_in_place(struct output_file *out) {
    struct stat status;
    bool regular = S_ISREG(out->before.st_mode) &&
                   !out->given; /* others may write to a descriptor that was given */
    if (fstat(out->fd, &status) != 0)
        return false;
    int why = regular && status.st_size > 0 ? reserve(out->target, status.st_size) : 0;
    if (why != 0 && why != EOPNOTSUPP && why != EINVAL) {
        if (ftruncate(out->target, out->before.st_size) == 0)
            errno = why;
        return false;
    }
    return copy_quietly(out->fd, out->target) &&
           (!regular || ftruncate(out->target, status.st_size) == 0);
}

/* Gives the file a name; false: errno is EEXIST if another has it. */
static bool link_as(int fd, const char *path) {
    char from[64];
    snprintf(from, sizeof from, "/proc/self/fd/%d", fd);
    return linkat(AT_FDCWD, from, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0;
}

/* Gives it a name in its folder; where the system cannot, that is the name of a copy. */
static bool name_it(const struct output_file *out, char *name, size_t cap, mode_t mode) {
    static unsigned number;
    char *folder = folder_of(out->path);
    bool named = false;
    for (int i = 0; i < TRIES && !named && (i == 0 || errno == EEXIST); i++) {
        snprintf(name, cap, "%.*s/.fxtop-%ld-%u", PATH_MAX - 2, folder, (long)getpid(), number++);
        named = link_as(out->fd, name);
    }
    if (!named) {
        snprintf(name, cap, "%.*s/" UNNAMED, PATH_MAX - 2, folder);
        int fd = mkstemp(name);
        named = fd >= 0 && copy(out->fd, fd) && fchmod(fd, mode) == 0;
        int why = errno;
        if (fd >= 0)
            close(fd);
        if (fd >= 0 && !named)
            unlink(name);
        errno = why;
    }
    free(folder);
    return named;
}

/* Mode and owner are those of the file that had the name. If the owner cannot be, it is written in
 * place. */
static mode_t take_mode(struct output_file *out) {
    mode_t mask = umask(077);
    umask(mask);
    mode_t mode = out->how & OUTPUT_FILE_PRIVATE ? 0600 : 0666 & ~mask;
    if (out->target >= 0 && !(out->how & OUTPUT_FILE_PRIVATE) && !out->made)
        mode = out->before.st_mode & 0777;
    struct stat own;
    if (out->target >= 0 && fstat(out->fd, &own) == 0 &&
        (own.st_uid != out->before.st_uid || own.st_gid != out->before.st_gid) &&
        fchown(out->fd, out->before.st_uid, out->before.st_gid) != 0)
        out->in_place = true;
    fchmod(out->fd, mode);
    return mode;
}

static bool put_in_place(struct output_file *out) {
    char name[PATH_MAX + 64];
    bool over = out->how & OUTPUT_FILE_OVER || out->target >= 0;
    mode_t mode = take_mode(out);
    if (out->in_place)
        return write_in_place(out);
    if (out->how & OUTPUT_FILE_SYNCED && fsync(out->fd) != 0 && errno != EINVAL && errno != EROFS)
        return false;
    if (!over && link_as(out->fd, out->path)) /* another that came meanwhile is not replaced */
        return true;
    if (!over && errno == EEXIST)
        return false;
    bool named = name_it(out, name, sizeof name, mode);
    if (named && renameat(AT_FDCWD, name, AT_FDCWD, out->path) == 0)
        return true;
    int why = errno;
    if (named)
        unlink(name);
    errno = why;
    return out->target >= 0 && write_in_place(out);
}

bool output_file_close(struct output_file *out, struct err *err) {
    /* The path may have got another file since, and this one may have been opened. */
    if (!out->direct &&
        ((out->target >= 0 && is_read(out, NULL, err)) || is_read(out, out->path, err))) {
        output_file_drop(out);
        return false;
    }
    bool good = out->direct ? close(out->fd) == 0 : put_in_place(out);
    int why = errno;
    if (out->direct)
        out->fd = out->target = -1;
    out->made = out->made && !good;
    output_file_drop(out);
    return good || fail(err, why);
}

void output_file_drop(struct output_file *out) {
    if (out->made)
        unlink(out->path);
    if (out->target >= 0)
        close(out->target);
    if (out->fd >= 0 && out->fd != out->target)
        close(out->fd);
    free(out->path);
    *out = (struct output_file){.fd = -1, .target = -1};
}

bool output_file_write(const char *path, unsigned how, const char *bytes, size_t n,
                       struct err *err) {
    struct output_file out;
    if (!output_file_open(&out, path, how, err))
        return false;
    while (n > 0) {
        ssize_t done = put(out.fd, bytes, n);
        if (done < 0) {
            fail(err, errno);
            output_file_drop(&out);
            return false;
        }
        bytes += done;
        n -= (size_t)done;
    }
    return output_file_close(&out, err);
}

/* ---- standard output ---- */

static struct output_file standard = {.fd = -1, .target = -1};

bool output_file_begin(const char *path, struct err *err) {
    if (path == NULL)
        return !files_read_has(STDOUT_FILENO, NULL, FILES_READ_INPUT) ||
               err_set(err, ERR_NO_OFFSET, "standard output is a file that is read");
    if (!output_file_open(&standard, path, OUTPUT_FILE_OVER | OUTPUT_FILE_DIRECT, err))
        return false;
    return dup2(standard.fd, STDOUT_FILENO) >= 0 || fail(err, errno);
}

bool output_file_end(bool good, struct err *err) {
    bool whole = fflush(stdout) == 0 && !ferror(stdout);
    if (standard.direct || (good && whole))
        return output_file_close(&standard, err);
    output_file_drop(&standard);
    return !good || err_set(err, ERR_NO_OFFSET, "cannot be written whole");
}
