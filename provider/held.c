/* held.c - descriptors that the library holds in a program that may close them.
 *
 * Between the question and the use a number may get another meaning. So the helper thread has a
 * table of descriptors of its own, which the program cannot close, where the kernel can do that.
 *
 * The number of its inode identifies a socket or a pipe. All inotify descriptors share one; the
 * first watch, as /proc/self/fdinfo describes it, identifies each. */
#include "provider/held.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A hash of the line of the first watch; 0: none. */
static uint64_t first_watch(int fd) {
    char path[40], text[2048];
    snprintf(path, sizeof path, "/proc/thread-self/fdinfo/%d", fd);
    int info = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = info >= 0 ? read(info, text, sizeof text - 1) : 0;
    if (info >= 0)
        close(info);
    text[n > 0 ? n : 0] = 0;
    uint64_t h = 0;
    for (const char *at = strstr(text, "inotify wd:1 "); at && *at && *at != '\n'; at++)
        h = (h ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    return h;
}

static uint64_t file_of(int fd) {
    struct stat st;
    if (fstat(fd, &st) != 0)
        return 0;
    return S_ISSOCK(st.st_mode) || S_ISFIFO(st.st_mode) ? (uint64_t)st.st_ino : first_watch(fd);
}

extern void __tsan_init(void) __attribute__((weak));

bool held_apart(void) {
#ifdef SYS_close_range
    if (__tsan_init) /* TSan takes a number for the same file in all threads, and reports races */
        return false;
    const unsigned unshare = 2; /* CLOSE_RANGE_UNSHARE, which not all headers have */
    if (syscall(SYS_close_range, 0u, ~0u, unshare) != 0)
        return false;
    /* else text for standard error could get into a socket */
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        (void)eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return true;
#else
    return false;
#endif
}

void held_take(struct held *held, int fd) {
    __atomic_store_n(&held->file, fd >= 0 ? file_of(fd) : 0, __ATOMIC_RELAXED);
    __atomic_store_n(&held->fd, fd, __ATOMIC_RELEASE);
}

int held_fd(const struct held *held) {
    int fd = __atomic_load_n(&held->fd, __ATOMIC_ACQUIRE);
    return fd >= 0 && file_of(fd) == __atomic_load_n(&held->file, __ATOMIC_RELAXED) ? fd : -1;
}

void held_close(struct held *held) {
    int fd = held_fd(held);
    __atomic_store_n(&held->fd, -1, __ATOMIC_RELEASE);
    if (fd >= 0)
        close(fd);
}
