/* apart.c - a process of its own that has nothing of the recording but one end of a socket: not its
 * terminal, its file or its rings. */
#include "record/apart.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/err.h"

#define DESCRIPTORS 65536 /* that are closed one by one at most */

static void close_from(int first) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)first, ~0u, 0u) == 0)
        return;
#endif
    long most = sysconf(_SC_OPEN_MAX);
    for (int i = first; i < most && i < DESCRIPTORS; i++)
        close(i);
}

static _Noreturn void become(int fd, void (*run)(void *ctx, int fd), void *ctx) {
    int null = open("/dev/null", O_RDWR);
    struct sigaction plain = {.sa_handler = SIG_DFL};
    static const int ends[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    err_no_memory_hook = NULL; /* it would end the recording */
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        sigaction(ends[i], &plain, NULL);
    if (dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0 || dup2(fd, 3) < 0)
        _exit(1);
    close_from(4);
    run(ctx, 3);
    _exit(1);
}

bool apart_start(struct apart *a, void (*run)(void *ctx, int fd), void *ctx) {
    int ends[2];
    *a = (struct apart){.fd = -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    a->pid = fork();
    if (a->pid == 0)
        become(ends[1], run, ctx);
    close(ends[1]);
    a->fd = ends[0];
    if (a->pid > 0)
        return true;
    close(a->fd);
    *a = (struct apart){.fd = -1};
    return false;
}

int apart_stop(struct apart *a) {
    int status = 0;
    if (a->pid <= 0)
        return 0;
    close(a->fd);
    kill(a->pid, SIGKILL);
    while (waitpid(a->pid, &status, 0) < 0 && errno == EINTR)
        ;
    *a = (struct apart){.fd = -1};
    return status;
}
