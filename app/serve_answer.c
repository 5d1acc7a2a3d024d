/* serve_answer.c - an answer of serve, by a process of its own.
 *
 * The process is a copy of this one, with its traces. So a question that fails, or takes too much
 * memory, ends nothing else. It prints into two pipes. It is killed when the answer is as
 * long as it may be, is not wanted any more, or is late. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/serve.h"
#include "app/serve_internal.h"
#include "src/base/clock.h"

#define ERRORS_MOST 4096 /* bytes of notes and faults that are kept */
#define LOOK_MS 1000

void serve_answer_free(struct serve_answer *answer) {
    vec_free(&answer->out);
    vec_free(&answer->err);
}

static _Noreturn void be_asked(const struct serve *serve, size_t trace, struct options *options,
                               int out, int err) {
    int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    signal(SIGPIPE, SIG_DFL);
    if (in < 0 || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
        dup2(err, STDERR_FILENO) < 0)
        _exit(2);
    int status = serve->ask(serve->ctx, trace, options);
    fflush(stdout);
    _exit(status);
}

/* Reads the bytes that are in a pipe; false: it has ended. */
static bool take(int fd, struct chars *to, size_t most) {
    static char buf[65536];
    ssize_t n = read(fd, buf, sizeof buf);
    if (n < 0)
        return errno == EINTR || errno == EAGAIN;
    size_t space = to->n < most ? most - to->n : 0;
    chars_add(to, (struct str){buf, (size_t)n < space ? (size_t)n : space});
    return n > 0;
}

/* Cuts the answer to so many rows and bytes; true: there was more. */
static bool cut(struct chars *out, uint64_t rows) {
    uint64_t lines = 0;
    size_t end = 0;
    for (size_t i = 0; rows > 0 && i < out->n && i < SERVE_BYTES; i++)
        if (out->v[i] == '\n') {
            end = i + 1;
            if (++lines == rows)
                break;
        }
    if (rows == 0)
        end = (size_t)str_head((struct str){out->v, out->n}, SERVE_BYTES);
    bool more = end < out->n && (rows == 0 || lines == rows || out->n > SERVE_BYTES);
    out->n = more ? end : out->n;
    return more;
}

bool serve_answer_get(const struct serve *serve, size_t trace, struct options *options,
                      uint64_t rows, enum serve_heard (*hear)(void *ctx), void *ctx,
                      struct serve_answer *answer, struct err *err) {
    int out[2], faults[2] = {-1, -1};
    pid_t pid = -1;
    *answer = (struct serve_answer){.status = 0};
    if (pipe(out) != 0)
        return err_set(err, ERR_NO_OFFSET, "no pipe: %s", strerror(errno));
    if (pipe(faults) == 0)
        pid = fork();
    if (pid == 0)
        be_asked(serve, trace, options, out[1], faults[1]);
    close(out[1]);
    close(faults[1]);
    if (pid < 0) {
        close(out[0]);
        close(faults[0]);
        return err_set(err, ERR_NO_OFFSET, "no process: %s", strerror(errno));
    }
    int64_t until = clock_now() + (int64_t)SERVE_SECONDS * 1000000000;
    struct pollfd fds[] = {{out[0], POLLIN, 0}, {faults[0], POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
    bool killed = false;
    while (fds[0].fd >= 0 || fds[1].fd >= 0) {
        fds[2].fd = hear && !killed ? STDIN_FILENO : -1;
        int n = poll(fds, 3, LOOK_MS);
        size_t space = answer->truncated ? 0 : SERVE_BYTES + 1;
        for (int i = 0; i < 2 && n > 0; i++)
            if (fds[i].fd >= 0 && fds[i].revents &&
                !take(fds[i].fd, i == 0 ? &answer->out : &answer->err,
                      i == 0 ? space : ERRORS_MOST))
                fds[i].fd = -1;
        answer->truncated = answer->truncated || cut(&answer->out, rows);
        if (n > 0 && fds[2].fd >= 0 && fds[2].revents) {
            enum serve_heard heard = hear(ctx);
            answer->cancelled = heard == HEARD_CANCELLED;
            hear = heard == HEARD_LAST ? NULL : hear;
        }
        answer->late = clock_now() > until;
        if (!killed && (answer->truncated || answer->cancelled || answer->late)) {
            killed = true;
            kill(pid, SIGKILL);
        }
    }
    while (waitpid(pid, &answer->status, 0) < 0 && errno == EINTR)
        ;
    close(out[0]);
    close(faults[0]);
    return true;
}
