/* refuse.c - runs a program for which the kernel refuses one call, as a container does: refuse CALL
 * PROGRAM [ARGUMENT...]
 *
 * CALL is perf (perf_event_open fails with EPERM) or membarrier (fails with ENOSYS). A seccomp
 * filter does it; it also holds for the children of the program. The exit status is 77 if the
 * kernel has no such filters. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int perf = argc > 2 && strcmp(argv[1], "perf") == 0;
    if (argc < 3 || (!perf && strcmp(argv[1], "membarrier") != 0)) {
        fputs("usage: refuse perf|membarrier PROGRAM [ARGUMENT...]\n", stderr);
        return 2;
    }
    const unsigned call = perf ? SYS_perf_event_open : SYS_membarrier,
                   error = perf ? EPERM : ENOSYS;
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof code / sizeof *code, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) {
        perror("refuse: seccomp");
        return 77;
    }
    execvp(argv[2], argv + 2);
    perror(argv[2]);
    return 127;
}
