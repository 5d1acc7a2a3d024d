/* child.c - the program that is recorded.
 *
 * A pipe holds it between fork() and exec(), so that everything that watches it is there first. A
 * second pipe, closed by a successful exec(), carries the error of one that fails. It keeps
 * terminal, standard input and process group. */
#include "record/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/io/files_read.h"

static _Noreturn void become(const struct child_options *o, int gate, int failed) {
    char go;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    if (o->traced)
        prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    while (read(gate, &go, 1) < 0 && errno == EINTR)
        ;
    if (o->traced)
        prctl(PR_SET_PTRACER, 0, 0, 0, 0);
    int empty = o->no_input ? open("/dev/null", O_RDONLY | O_CLOEXEC) : -1;
    if (empty >= 0)
        dup2(empty, STDIN_FILENO);
    if (o->to_error)
        dup2(STDERR_FILENO, STDOUT_FILENO);
    if (o->lines)
        lines_become(o->lines);
    limits_restore(o->limits);
    for (size_t i = 0; i < sizeof o->variables / sizeof *o->variables; i++)
        if (o->variables[i])
            putenv((char *)(uintptr_t)o->variables[i]);
    execvp(o->argv[0], o->argv);
    int why = errno;
    while (write(failed, &why, sizeof why) < 0 && errno == EINTR)
        ;
    _exit(127);
}

/* 0, or why the file cannot be executed. */
static int refusal(const char *path) {
    struct stat st;
    if (stat(path, &st) != 0)
        return errno;
    if (!S_ISREG(st.st_mode) || access(path, X_OK) != 0)
        return EACCES;
    files_read_path(path, FILES_READ_INPUT); /* no output takes its place */
    return 0;
}

int child_missing(const char *program) {
    char path[4096];
    const char *at = getenv("PATH");
    int why = ENOENT;
    if (strchr(program, '/'))
        return refusal(program);
    if (at == NULL || *program == 0)
        return at ? ENOENT : 0; /* execvp() has a path of its own */
    for (;; at++) {
        size_t n = strcspn(at, ":");
        int length = snprintf(path, sizeof path, "%.*s%s%s", (int)n, at, n > 0 ? "/" : "", program);
        int one = length > 0 && (size_t)length < sizeof path ? refusal(path) : ENAMETOOLONG;
        if (one == 0)
            return 0;
        why = one == EACCES ? EACCES : why;
        at += n;
        if (*at == 0)
            return why;
    }
}

bool child_start(struct child *c, const struct child_options *options, struct err *err) {
    int gate[2], failed[2];
    *c = (struct child){.gate = -1, .failed = -1};
    if (pipe2(gate, O_CLOEXEC) != 0)
        return err_set(err, ERR_NO_OFFSET, "no pipe: %s", strerror(errno));
    if (pipe2(failed, O_CLOEXEC) != 0) {
        close(gate[0]);
        close(gate[1]);
        return err_set(err, ERR_NO_OFFSET, "no pipe: %s", strerror(errno));
    }
    c->pid = fork();
    if (c->pid == 0) {
        close(gate[1]);
        close(failed[0]);
        become(options, gate[0], failed[1]);
    }
    int saved = errno;
    close(gate[0]);
    close(failed[1]);
    if (c->pid < 0) {
        close(gate[1]);
        close(failed[0]);
        return err_set(err, ERR_NO_OFFSET, "no process: %s", strerror(saved));
    }
    if (options->lines)
        lines_started(options->lines);
    c->gate = gate[1];
    c->failed = failed[0];
    return true;
}

/* Signals of the terminal that came before the program was there, and wait to be taken. */
static void pass_early(pid_t pid) {
    sigset_t early;
    sigpending(&early);
    if (sigismember(&early, SIGINT) == 1)
        kill(pid, SIGINT);
    if (sigismember(&early, SIGQUIT) == 1)
        kill(pid, SIGQUIT);
}

int child_release(struct child *c) {
    int why = 0;
    ssize_t n;
    pass_early(c->pid);
    close(c->gate);
    while ((n = read(c->failed, &why, sizeof why)) < 0 && errno == EINTR)
        ;
    close(c->failed);
    c->gate = c->failed = -1;
    return n == sizeof why ? why : 0;
}

void child_reap(struct child *c) {
    int status;
    pid_t pid;
    if (c->pid <= 0 || c->ended)
        return;
    while ((pid = waitpid(c->pid, &status, WNOHANG)) < 0 && errno == EINTR)
        ;
    if (pid != c->pid)
        return;
    c->ended = true;
    c->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    c->core = c->signal != 0 && WCOREDUMP(status);
    c->status = c->signal != 0 ? 128 + c->signal : WEXITSTATUS(status);
}

struct str child_command_line(char *const *argv, char *to, size_t size) {
    size_t at = 0;
    for (int i = 0; argv && argv[i]; i++) {
        int n = snprintf(to + at, size - at, "%s%s", i > 0 ? " " : "", argv[i]);
        if (n < 0 || (size_t)n >= size - at) {
            at = size - 1;
            break;
        }
        at += (size_t)n;
    }
    return (struct str){to, at};
}
