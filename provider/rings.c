/* rings.c - how writers wake the helper thread.
 *
 * The helper may have descriptors of its own (held.c), so the program has another end of the pipe.
 * Its threads open it by the helper's number in /proc, and once more after the program has closed
 * it. It is open to be read as well: a pipe without a reader would send SIGPIPE. */
#include "provider/rings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "provider/held.h"

static struct held in = HELD_NONE, out = HELD_NONE; /* of the helper */
static struct held end = HELD_NONE;                 /* of the program */
static uint64_t where; /* the helper's thread, and its number of `out` */
static bool opens, fail;

void rings_begin(void) {
    int ends[2];
    if (held_fd(&in) >= 0 && held_fd(&out) >= 0)
        return;
    held_close(&in);
    held_close(&out);
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    fchmod(ends[1], 0666); /* the program may become another user; /proc lets no other one in */
    held_take(&in, ends[0]);
    held_take(&out, ends[1]);
    __atomic_store_n(&where, (uint64_t)syscall(SYS_gettid) << 32 | (uint64_t)ends[1],
                     __ATOMIC_RELEASE);
}

int rings_fd(void) {
    return in.fd;
}

void rings_take(void) {
    uint64_t rings[32];
    while (read(in.fd, rings, sizeof rings) == sizeof rings)
        ;
}

bool rings_fail(void) {
    return __atomic_load_n(&fail, __ATOMIC_RELAXED);
}

/* A new end, which the caller closes. */
static int new_end(void) {
    uint64_t at = __atomic_load_n(&where, __ATOMIC_ACQUIRE);
    struct stat st;
    char path[64];
    if (at == 0)
        return -1;
    snprintf(path, sizeof path, "/proc/self/task/%u/fd/%u", (unsigned)(at >> 32), (unsigned)at);
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || (fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode) &&
                   st.st_ino == __atomic_load_n(&out.file, __ATOMIC_RELAXED)))
        return fd;
    close(fd); /* the program uses that number by now */
    return -1;
}

/* Keeps a new end, unless another thread has one or is about to. */
static void keep(int fd) {
    bool taken = __atomic_exchange_n(&opens, true, __ATOMIC_ACQUIRE), kept = false;
    if (!taken && held_fd(&end) < 0) {
        held_take(&end, fd);
        kept = true;
    }
    if (!taken)
        __atomic_store_n(&opens, false, __ATOMIC_RELEASE);
    if (!kept)
        close(fd);
}

void rings_open(void) {
    int fd = held_fd(&end) < 0 ? new_end() : -1;
    if (fd >= 0)
        keep(fd);
}

bool rings_ring(void) {
    uint64_t one = 1;
    int saved = errno, fd = held_fd(&end), fresh = fd < 0 ? new_end() : -1;
    fd = fd < 0 ? fresh : fd;
    /* full: the helper is awake */
    bool rung = fd >= 0 && (write(fd, &one, sizeof one) > 0 || errno == EAGAIN);
    if (fresh >= 0)
        keep(fresh);
    __atomic_store_n(&fail, !rung, __ATOMIC_RELAXED);
    errno = saved;
    return rung;
}

void rings_close(bool all) {
    if (all) {
        held_close(&in);
        held_close(&out);
    }
    in = out = (struct held)HELD_NONE;
    held_close(&end);
    where = 0;
    opens = fail = false;
}
