/* place.c - the socket that providers connect to. */
#include "record/place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/text.h"

static const char *runtime_directory(void) {
    const char *path = getenv("XDG_RUNTIME_DIR");
    return path && *path == '/' ? path : NULL;
}

/* Makes a directory that the user alone can write to. One that is there has to be such a one, and no link to it. */
static bool own_directory(const char *path, struct err *err) {
    struct stat st;
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return err_set(err, ERR_NO_OFFSET, "no directory for the socket: %s", strerror(errno));
    if (lstat(path, &st) != 0 || !S_ISDIR(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & 022) != 0)
        return err_set(err, ERR_NO_OFFSET, "%s is not a directory of yours alone: give --listen a path", path);
    return true;
}

bool place_default(const char *temporary, char *path, size_t size, struct err *err) {
    const char *base = runtime_directory();
    int n = base ? snprintf(path, size, "%s/fxttrace.socket", base)
                 : snprintf(path, size, "%s/fxttrace-%lu/socket", temporary, (unsigned long)geteuid());
    if (n < 0 || (size_t)n >= size)
        return err_set(err, ERR_NO_OFFSET, "the path of the socket is too long");
    char *slash = strrchr(path, '/');
    *slash = 0;
    bool ok = base || own_directory(path, err);
    *slash = '/';
    return ok;
}

static bool make_directory(struct place *place, struct err *err) {
    const char *base = runtime_directory();
    int n = base ? snprintf(place->directory, sizeof place->directory, "%s/fxttrace-%lu", base, (unsigned long)getpid())
                 : -1;
    if (n > 0 && (size_t)n + sizeof "/socket" <= sizeof place->path && mkdir(place->directory, 0700) == 0)
        return true;
    snprintf(place->directory, sizeof place->directory, "/tmp/fxttrace-XXXXXX");
    if (mkdtemp(place->directory))
        return true;
    place->directory[0] = 0;
    return err_set(err, ERR_NO_OFFSET, "no directory for the socket: %s", strerror(errno));
}

/* Removes a socket to which no process listens. */
static void remove_dead(const struct sockaddr_un *address) {
    struct stat st;
    if (lstat(address->sun_path, &st) != 0 || !S_ISSOCK(st.st_mode))
        return;
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && connect(fd, (const struct sockaddr *)address, sizeof *address) != 0 && errno == ECONNREFUSED)
        unlink(address->sun_path);
    if (fd >= 0)
        close(fd);
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
    bool bound = place->fd >= 0 && bind(place->fd, (struct sockaddr *)&address, sizeof address) == 0;
    int saved = errno;
    umask(before);
    if (!bound || listen(place->fd, 128) != 0) {
        saved = bound ? errno : saved;
        if (!bound)
            place->path[0] = 0; /* it is another's */
        place_close(place);
        char safe[200];
        text_plain(safe, sizeof safe, str_of(path ? path : "its socket"), ascii ? TEXT_ASCII : 0);
        return err_set(err, ERR_NO_OFFSET, "no recording: cannot listen at %s: %s", safe, strerror(saved));
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
