/* connect.c - the way to a manager.
 *
 * A manager reads all that the program writes, so it has to be the user's own or root's. The kernel
 * knows whose process listens. A setuid program and its like are not traced, because their caller
 * chooses the path. */
#include "provider/connect.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "provider/wire.h"

#define BUFFER_MAX (UINT64_C(1) << 30)

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

ssize_t connect_receive(int from, unsigned char *buffer, size_t size, int fds[2]) {
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(8 * sizeof(int))];
    } ancillary;
    struct iovec io = {buffer, size};
    struct msghdr msg = {.msg_iov = &io,
                         .msg_iovlen = 1,
                         .msg_control = ancillary.bytes,
                         .msg_controllen = sizeof ancillary.bytes};
    int got = 0;
    fds[0] = fds[1] = -1;
    ssize_t n = recvmsg(from, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    for (struct cmsghdr *c = n < 0 ? NULL : CMSG_FIRSTHDR(&msg); c; c = CMSG_NXTHDR(&msg, c))
        for (size_t i = 0;
             c->cmsg_type == SCM_RIGHTS && i < (c->cmsg_len - CMSG_LEN(0)) / sizeof(int); i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
            if (got < 2)
                fds[got++] = fd;
            else
                close(fd);
        }
    return n >= 0 && msg.msg_flags & MSG_TRUNC ? 0 : n;
}

void *connect_buffer(int fd, uint64_t size) {
    struct stat st;
    int seals = fcntl(fd, F_GET_SEALS);
    if (seals < 0 || (seals & (F_SEAL_SHRINK | F_SEAL_GROW)) != (F_SEAL_SHRINK | F_SEAL_GROW) ||
        size < WIRE_BUFFER_MIN || size > BUFFER_MAX || size % 4096 != 0 || fstat(fd, &st) != 0 ||
        (uint64_t)st.st_size != size)
        return NULL;
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED)
        return NULL;
    madvise(p, size, MADV_DONTFORK);
    return p;
}
