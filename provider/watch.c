/* watch.c - the directory in which the manager's socket will appear. */
#include "provider/watch.h"

#include <string.h>
#include <sys/inotify.h>
#include <sys/un.h>
#include <unistd.h>

void watch_begin(struct held *watch, const char *path) {
    char directory[sizeof((struct sockaddr_un *)0)->sun_path];
    memcpy(directory, path, sizeof directory);
    char *slash = strrchr(directory, '/');
    if (slash)
        slash[slash == directory] = 0;
    int fd = watch->fd >= 0 ? -1 : inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (fd < 0)
        return;
    inotify_add_watch(fd, "/", IN_DELETE_SELF); /* the first watch, which stays (held.c) */
    if (inotify_add_watch(fd, slash ? directory : ".", IN_CREATE | IN_MOVED_TO | IN_ATTRIB) < 0)
        close(fd);
    else
        held_take(watch, fd);
}

bool watch_take(struct held *watch, const char *path) {
    union {
        struct inotify_event align;
        char bytes[4096];
    } events;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    bool concerned = false;
    ssize_t n;
    while (watch->fd >= 0 && (n = read(watch->fd, events.bytes, sizeof events.bytes)) > 0)
        for (size_t at = 0; at < (size_t)n;) {
            struct inotify_event e;
            memcpy(&e, events.bytes + at, sizeof e);
            if (e.mask & IN_IGNORED) /* the directory is gone */
                held_close(watch);
            concerned = concerned || e.mask & (IN_IGNORED | IN_Q_OVERFLOW) ||
                        (e.len > 0 && strcmp(events.bytes + at + sizeof e, name) == 0);
            at += sizeof e + e.len;
        }
    return concerned;
}
