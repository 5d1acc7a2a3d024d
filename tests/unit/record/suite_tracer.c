/* suite_tracer.c - system calls by ptrace: those of a program and of its children, from its exec to
 * its end, with the names of their files. */
#include "record/watch/tracer.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/lib/suites.h"
#include "tests/unit/record/written.h"

static pid_t start(int gate[2], const char *script) {
    ck_assert_int_eq(pipe(gate), 0);
    pid_t pid = fork();
    if (pid > 0)
        return pid;
    char byte;
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    close(gate[1]);
    if (read(gate[0], &byte, 1) == 0)
        execlp("sh", "sh", "-c", script, (char *)NULL);
    _exit(127);
}

static const int of_groups[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGUSR1, SIGUSR2};

static bool has(const struct written *w, const char *text) {
    return memmem(w->v, w->n * 8, text, strlen(text)) != NULL;
}

/* False: the kernel traces no process. */
static bool trace(struct tracer *tracer, pid_t pid, int gate[2]) {
    struct err err;
    close(gate[0]);
    if (tracer_start(tracer, pid, &err))
        return true;
    puts(err.text); /* as in a container */
    close(gate[1]);
    waitpid(pid, NULL, 0);
    return false;
}

static const struct ticks ticks = {.clock = WIRE_CLOCK_MONOTONIC, .per_second = 1000000000};

START_TEST(calls_are_slices_with_their_files) {
    struct tracer tracer;
    struct written w;
    struct err err;
    int gate[2], status;
    pid_t pid = start(gate, "cat /nowhere/at/all 2>&-; (exit 3); exit 5");
    if (!trace(&tracer, pid, gate))
        return;
    written_begin(&w, UINT64_MAX);
    for (size_t i = 0; i < sizeof of_groups / sizeof *of_groups; i++)
        kill(tracer.apart.pid, of_groups[i]); /* they are for the program */
    close(gate[1]);
    siginfo_t info = {.si_pid = 0};
    while (info.si_pid == 0) {
        ck_assert_int_eq(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT), 0);
        tracer_take(&tracer, &w.output, &ticks);
    }
    tracer_finish(&tracer, &w.output, &ticks);
    ck_assert_uint_eq(tracer.calls.n, 0); /* also those that never return */
    ck_assert_str_eq(tracer.why.text, "");
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(WEXITSTATUS(status), 5);
    tracer_close(&tracer);
    ck_assert(output_close(&w.output, &err));
    written_read(&w);
    ck_assert(has(&w, "execve") && has(&w, "exit_group") && has(&w, "wait4"));
    ck_assert(has(&w, "/nowhere/at/all") && has(&w, "ENOENT"));
    ck_assert_uint_ge(written_count(&w, 4, 4), 50); /* complete events */
    written_end(&w);
}
END_TEST

/* Takes all messages until the process that traces has ended. The program ends as without it. */
static void take_to_end(struct tracer *tracer, pid_t pid, const int gate[2]) {
    struct written w;
    struct err err;
    int status;
    written_begin(&w, UINT64_MAX);
    while (tracer_fd(tracer) >= 0) {
        struct pollfd p = {tracer_fd(tracer), POLLIN, 0};
        ck_assert_int_eq(poll(&p, 1, -1), 1);
        tracer_take(tracer, &w.output, &ticks);
    }
    close(gate[1]);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 5);
    tracer_finish(tracer, &w.output, &ticks);
    ck_assert(output_close(&w.output, &err));
    written_read(&w);
    ck_assert_uint_eq(written_count(&w, 4, 0), tracer->ready); /* instants */
    ck_assert(has(&w, "no system calls from here on") == tracer->ready);
    written_end(&w);
}

START_TEST(a_tracer_that_is_killed_is_told) {
    struct tracer tracer;
    int gate[2];
    pid_t pid = start(gate, "exit 5");
    if (!trace(&tracer, pid, gate))
        return;
    kill(tracer.apart.pid, SIGKILL);
    take_to_end(&tracer, pid, gate);
    ck_assert_str_eq(tracer.why.text, "the last system calls are missing: the process that traces "
                                      "them has ended: Killed");
    tracer_close(&tracer);
}
END_TEST

/* A process that traces, whose requests for calls fail as before Linux 5.3. */
static void serve_old(void *ctx, int fd) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PTRACE_GET_SYSCALL_INFO, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EIO),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof code / sizeof *code, code};
    const struct tracer *tracer = ctx;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0)
        tracer_serve(tracer->program, fd);
}

START_TEST(an_old_kernel_is_told) {
    int gate[2];
    struct tracer tracer = {.program = start(gate, "exit 5")};
    close(gate[0]);
    ck_assert(apart_start(&tracer.apart, serve_old, &tracer));
    take_to_end(&tracer, tracer.program, gate);
    if (tracer.ready) /* else there are no such filters, or the kernel traces no process */
        ck_assert_str_eq(tracer.why.text, "no system calls: ptrace: it shows them since Linux 5.3");
    tracer_close(&tracer);
}
END_TEST

START_TEST(a_process_that_is_gone_is_one_line) {
    struct tracer tracer;
    struct err err;
    int gate[2];
    pid_t pid = start(gate, "exit");
    close(gate[0]);
    close(gate[1]);
    ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
    ck_assert(!tracer_start(&tracer, pid, &err));
    ck_assert_int_eq(strncmp(err.text, "no system calls: ", 17), 0);
    ck_assert_int_eq(tracer_fd(&tracer), -1);
}
END_TEST

SUITE(tracer) {
    Suite *s = suite_create("tracer");
    TCase *c = tcase_create("tracer");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, calls_are_slices_with_their_files);
    tcase_add_test(c, a_tracer_that_is_killed_is_told);
    tcase_add_test(c, an_old_kernel_is_told);
    tcase_add_test(c, a_process_that_is_gone_is_one_line);
    suite_add_tcase(s, c);
    return s;
}
