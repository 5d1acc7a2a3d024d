/* connect.c - the way to a manager.
 *
 * A manager reads all that the program writes, so it has to be the user's own or root's. The kernel
 * knows whose process listens. A setuid program and its like are not traced, because their caller
 * chooses the path. */
#include "provider/connect.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

bool connect_path(char *path, size_t size) {
    const char *from = secure_getenv("FXTTRACE_SOCKET");
    size_t n = from ? strlen(from) : 0, at = 0;
    if (n == 0 || n >= size)
        return false;
    if (*from != '/' && getcwd(path, size - n - 1)) {
        at = strlen(path);
        path[at++] = '/';
    }
    memcpy(path + at, from, n + 1);
    return true;
}

static bool is_trusted(int fd) {
    struct ucred who;
    socklen_t n = sizeof who;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &n) != 0)
        return false;
    if (who.uid != geteuid() && who.uid != 0)
        errno = EPERM;
    return who.uid == geteuid() || who.uid == 0;
}

int connect_manager(const char *path) {
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool connected = false;
    memcpy(to.sun_path, path, strnlen(path, sizeof to.sun_path - 1));
    errno = fd < 0 ? errno : EAGAIN;
    for (int tries = 0; fd >= 0 && !connected && errno == EAGAIN && tries <= CONNECT_MS; tries++) {
        if (tries > 0)
            poll(NULL, 0, 1); /* the manager's queue is full */
        connected = connect(fd, (struct sockaddr *)&to, sizeof to) == 0;
    }
    if (connected && is_trusted(fd))
        return fd;
    int saved = errno;
    if (fd >= 0)
        close(fd);
    errno = saved;
    return -1;
}
