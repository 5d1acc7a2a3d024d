/* place.c - the socket that providers connect to. */
#include "record/place.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "record/ticks.h"
#include "src/base/text.h"

#define PREFIX "fxttrace-"
#define YOUNG_S 10 /* a directory without a socket, of another pid namespace, is left so long */
#define QUEUE 4096 /* connections that wait to be accepted; the system may allow fewer */
#define ACCEPT_NS UINT64_C(100000000)   /* after a connection that could not be accepted */
#define PATIENCE_NS UINT64_C(250000000) /* of the library's START_MS */

static const char *runtime_directory(void) {
    const char *path = getenv("XDG_RUNTIME_DIR");
    return path && *path == '/' ? path : NULL;
}

/* Makes a directory that the user alone can write to. One that is there has to be such a one, and
 * no link to it. */
static bool own_directory(const char *path, struct err *err) {
    struct stat st;
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return err_set(err, ERR_NO_OFFSET, "no directory for the socket: %s", strerror(errno));
    if (lstat(path, &st) != 0 || !S_ISDIR(st.st_mode) || st.st_uid != geteuid() ||
        (st.st_mode & 022) != 0)
        return err_set(err, ERR_NO_OFFSET,
                       "%s is not a directory of yours alone: give --listen a path", path);
    return true;
}

bool place_default(const char *temporary, char *path, size_t size, struct err *err) {
    const char *base = runtime_directory();
    int n =
        base ? snprintf(path, size, "%s/fxttrace.socket", base)
             : snprintf(path, size, "%s/fxttrace-%lu/socket", temporary, (unsigned long)geteuid());
    if (n < 0 || (size_t)n >= size)
        return err_set(err, ERR_NO_OFFSET, "the path of the socket is too long");
    char *slash = strrchr(path, '/');
    *slash = 0;
    bool ok = base || own_directory(path, err);
    *slash = '/';
    return ok;
}

/* Removes a socket to which no process listens; false: there is none. One that listens to sockets
 * of another type notices nothing. */
static bool remove_dead(const struct sockaddr_un *address) {
    struct stat st;
    if (lstat(address->sun_path, &st) != 0 || !S_ISSOCK(st.st_mode))
        return false;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool dead = fd >= 0 && connect(fd, (const struct sockaddr *)address, sizeof *address) != 0 &&
                errno == ECONNREFUSED;
    if (fd >= 0)
        close(fd);
    return dead && unlink(address->sun_path) == 0;
}

static bool program_of(const char *link, char path[4096]) {
    ssize_t n = readlink(link, path, 4095);
    path[n > 0 ? n : 0] = 0;
    return n > 0;
}

/* Whether the recorder of this process id may live: the id may be in use again, by another
 * program. */
static bool may_live(pid_t pid) {
    char link[40], own[4096], other[4096];
    if (kill(pid, 0) != 0)
        return errno != ESRCH;
    snprintf(link, sizeof link, "/proc/%ld/exe", (long)pid);
    return !program_of("/proc/self/exe", own) || !program_of(link, other) ||
           strcmp(own, other) == 0;
}

/* The number of this process's pid namespace; 0: it is not known. */
static unsigned long pid_namespace(void) {
    struct stat st;
    return stat("/proc/self/ns/pid", &st) == 0 ? (unsigned long)st.st_ino : 0;
}

/* A directory that a recorder has made has its process id and pid namespace in its name. One that
 * was killed has left it. */
static void remove_left(const char *base, const char *name) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct stat st;
    char directory[sizeof address.sun_path], *rest;
    size_t n = sizeof PREFIX - 1;
    if (strncmp(name, PREFIX, n) != 0 || name[n] < '0' || name[n] > '9')
        return;
    long pid = strtol(name + n, &rest, 10);
    unsigned long space = *rest == '.' ? strtoul(rest + 1, &rest, 10) : 0;
    int length = snprintf(directory, sizeof directory, "%s/%s", base, name);
    if (*rest != '-' || length < 0 || (size_t)length + sizeof "/socket" > sizeof directory)
        return;
    bool ours = lstat(directory, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid();
    if (!ours || pid <= 0 || pid > INT32_MAX || may_live((pid_t)pid))
        return;
    snprintf(address.sun_path, sizeof address.sun_path, "%.*s/socket", length, directory);
    /* It was killed before it listened; that of another pid namespace may be about to. */
    bool known = space != 0 && space == pid_namespace();
    bool bare = lstat(address.sun_path, &(struct stat){0}) != 0 && errno == ENOENT &&
                (known || time(NULL) - st.st_mtime > YOUNG_S);
    if (bare || remove_dead(&address))
        rmdir(directory);
}

static void remove_all_left(const char *base) {
    DIR *d = opendir(base);
    for (const struct dirent *e; d && (e = readdir(d));)
        remove_left(base, e->d_name);
    if (d)
        closedir(d);
}

static bool make_in(struct place *place, const char *base) {
    int n = base
                ? snprintf(place->directory, sizeof place->directory, "%s/" PREFIX "%lu.%lu-XXXXXX",
                           base, (unsigned long)getpid(), pid_namespace())
                : -1;
    if (n > 0 && (size_t)n + sizeof "/socket" <= sizeof place->directory &&
        mkdtemp(place->directory)) {
        remove_all_left(base);
        return true;
    }
    place->directory[0] = 0;
    return false;
}

static bool make_directory(struct place *place, struct err *err) {
    return make_in(place, runtime_directory()) || make_in(place, "/tmp") ||
           err_set(err, ERR_NO_OFFSET, "no directory for the socket: %s", strerror(errno));
}

bool place_open(struct place *place, const char *path, bool ascii, struct err *err) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    *place = (struct place){.fd = -1};
    if (path == NULL && !make_directory(place, err))
        return false;
    int n = path ? snprintf(place->path, sizeof place->path, "%s", path)
                 : snprintf(place->path, sizeof place->path, "%s/socket", place->directory);
    if (n < 0 || (size_t)n >= sizeof place->path) {
        place->path[0] = 0;
        place_close(place);
        return err_set(err, ERR_NO_OFFSET, "the path of the socket is too long");
    }
    memcpy(address.sun_path, place->path, sizeof address.sun_path);
    remove_dead(&address);
    place->fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    mode_t before = umask(0177); /* 0600 from the start */
    bool bound =
        place->fd >= 0 && bind(place->fd, (struct sockaddr *)&address, sizeof address) == 0;
    int saved = errno;
    umask(before);
    if (!bound || listen(place->fd, QUEUE) != 0) {
        saved = bound ? errno : saved;
        if (!bound)
            place->path[0] = 0; /* it is another's */
        place_close(place);
        char safe[200];
        text_plain(safe, sizeof safe, str_of(path ? path : "its socket"), ascii ? TEXT_ASCII : 0);
        return err_set(err, ERR_NO_OFFSET, "no recording: cannot listen at %s: %s", safe,
                       strerror(saved));
    }
    return true;
}

void place_close(struct place *place) {
    if (place->fd >= 0)
        close(place->fd);
    if (place->path[0])
        unlink(place->path);
    if (place->directory[0])
        rmdir(place->directory);
    *place = (struct place){.fd = -1};
}

static bool is_ready(const struct place *place) {
    struct pollfd p = {place->fd, POLLIN, 0};
    return poll(&p, 1, 0) > 0;
}

bool place_accepts(struct place *place, bool few) {
    uint64_t now = ticks_monotonic();
    if (!few && place->waits == 0 && is_ready(place))
        place->waits = now;
    return few && now >= place->accept_at;
}

int place_accept(struct place *place) {
    int fd;
    do
        fd = accept4(place->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    while (fd < 0 && (errno == EINTR || errno == ECONNABORTED));
    int why = fd < 0 ? errno : 0;
    if (why == EAGAIN || (why != 0 && !is_ready(place))) {
        place->waits = 0;
        place->unaccepted = 0;
    } else if (why != 0) { /* no descriptors, no memory: the socket stays readable */
        uint64_t now = ticks_monotonic();
        place->waits = place->waits > 0 ? place->waits : now;
        place->unaccepted = why;
        place->accept_at = now + ACCEPT_NS;
    }
    return fd;
}

bool place_is_late(const struct place *place) {
    return place->waits > 0 && ticks_monotonic() - place->waits > PATIENCE_NS;
}
