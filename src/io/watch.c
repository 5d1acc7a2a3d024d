/* watch.c - inotify on the file and on a link to it, or kqueue on the file. The replacement of a
 * file is an event of the file that loses its name. Writes through a mapping cause no event. */
#include "src/io/watch.h"

#if defined HAVE_SYS_INOTIFY_H || defined HAVE_SYS_EVENT_H
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether a directory of the path is a link. Its target may change without an event of any file. */
static bool through_links(const char *path) {
    char part[PATH_MAX];
    struct stat status;
    for (const char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
        size_t n = (size_t)(p - path);
        if (n >= sizeof part)
            return true;
        memcpy(part, path, n);
        part[n] = 0;
        if (lstat(part, &status) != 0 || S_ISLNK(status.st_mode))
            return true;
    }
    return false;
}

bool watch_told(int watch) {
    struct pollfd ready = {watch, POLLIN, 0};
    return poll(&ready, 1, 0) == 1;
}
#endif

#ifdef HAVE_SYS_INOTIFY_H
#include <sys/inotify.h>
#include <sys/vfs.h>

/* File systems whose files change without this system knowing of it. */
static bool is_remote(const char *path) {
    static const unsigned long types[] = {0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546,
                                          /* NFS, SMB, FUSE, 9P ... */
                                          0x01021997, 0x00c36400, 0x5346414f, 0x73757245};
    struct statfs fs;
    if (statfs(path, &fs) != 0)
        return true;
    for (unsigned i = 0; i < sizeof types / sizeof *types; i++)
        if (((unsigned long)fs.f_type & 0xffffffff) == types[i])
            return true;
    return false;
}

int watch_open(const char *path, int fd) {
    (void)fd;
    const uint32_t events = IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF;
    if (is_remote(path) || through_links(path))
        return -1;
    int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (watch < 0)
        return -1;
    if (inotify_add_watch(watch, path, events) < 0 ||
        inotify_add_watch(watch, path, events | IN_DONT_FOLLOW) < 0) {
        close(watch);
        return -1;
    }
    return watch;
}

bool watch_take(int watch) {
    /* one is at most its struct and NAME_MAX + 1 bytes */
    _Alignas(struct inotify_event) char events[4096];
    bool written = false;
    ssize_t n;
    while ((n = read(watch, events, sizeof events)) > 0)
        for (ssize_t at = 0; at < n;) {
            const struct inotify_event *event = (const void *)(events + at);
            written = written || event->mask & (IN_MODIFY | IN_Q_OVERFLOW);
            at += (ssize_t)(sizeof *event + event->len);
        }
    return written;
}

#elif defined HAVE_SYS_EVENT_H
#include <fcntl.h>
#include <sys/event.h>
#include <sys/mount.h>
#include <sys/param.h>

#define CHANGES (NOTE_WRITE | NOTE_EXTEND | NOTE_ATTRIB | NOTE_RENAME | NOTE_DELETE)

int watch_open(const char *path, int fd) {
    struct statfs fs;
    struct stat named, open;
    bool local = fstatfs(fd, &fs) == 0 && (fs.f_flags & MNT_LOCAL) != 0;
    if (!local || through_links(path) || lstat(path, &named) != 0 || fstat(fd, &open) != 0 ||
        named.st_ino != open.st_ino || named.st_dev != open.st_dev)
        return -1; /* a copy of it is open, or it is a link */
    int watch = kqueue();
    struct kevent event;
    EV_SET(&event, fd, EVFILT_VNODE, EV_ADD | EV_CLEAR, CHANGES, 0, NULL);
    if (watch >= 0 &&
        (fcntl(watch, F_SETFD, FD_CLOEXEC) != 0 || kevent(watch, &event, 1, NULL, 0, NULL) != 0)) {
        close(watch);
        return -1;
    }
    return watch;
}

bool watch_take(int watch) {
    struct kevent event;
    bool written = false;
    while (kevent(watch, NULL, 0, &event, 1, &(struct timespec){0}) > 0)
        written = written || event.fflags & (NOTE_WRITE | NOTE_EXTEND);
    return written;
}

#else

int watch_open(const char *path, int fd) {
    (void)path;
    (void)fd;
    return -1;
}

bool watch_told(int watch) {
    (void)watch;
    return true;
}

bool watch_take(int watch) {
    (void)watch;
    return true;
}

#endif
