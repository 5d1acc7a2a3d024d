/* program.c - runs another program on the terminal.
 *
 * posix_spawn() copies no memory, so a large trace is no obstacle. The file of the input is in
 * $TMPDIR, or in /tmp. All other descriptors are closed by the program's exec. */
#include "src/io/program.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static bool write_all(int fd, struct str text) {
    while (text.n > 0) {
        ssize_t put = write(fd, text.s, text.n);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        text = (struct str){text.s + put, text.n - (size_t)put};
    }
    return true;
}

/* A file without a name that holds the text, to be read from its begin; -1 on failure. */
static int file_of(struct str text) {
    const char *folder = getenv("TMPDIR");
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/fxtop-XXXXXX", folder && *folder ? folder : "/tmp") >=
        (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int low = mkstemp(path);
    if (low < 0)
        return -1;
    unlink(path);
    /* the low ones are replaced in the program */
    int fd = fcntl(low, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int why = errno;
    close(low);
    if (fd >= 0 && write_all(fd, text) && lseek(fd, 0, SEEK_SET) == 0)
        return fd;
    if (fd >= 0) {
        why = errno;
        close(fd);
    }
    errno = why;
    return -1;
}

static int status_of(pid_t child) {
    int status = 0;
    pid_t ended;
    do
        ended = waitpid(child, &status, 0);
    while (ended < 0 && errno == EINTR);
    if (ended < 0)
        return 0; /* its status went elsewhere */
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int program_run(const struct program *program, struct err *err) {
    posix_spawn_file_actions_t actions;
    pid_t child = 0;
    int input = program->input ? file_of(*program->input) : -1;
    if (program->input && input < 0) {
        err_set(err, ERR_NO_OFFSET, "no temporary file: %s", strerror(errno));
        return -1;
    }
    int why = posix_spawn_file_actions_init(&actions);
    if (why == 0) {
        why = posix_spawn_file_actions_adddup2(&actions, input >= 0 ? input : program->in,
                                               STDIN_FILENO);
        for (int fd = STDOUT_FILENO; why == 0 && fd <= STDERR_FILENO; fd++)
            why = posix_spawn_file_actions_adddup2(&actions, program->out, fd);
        if (why == 0)
            why = posix_spawnp(&child, program->argv[0], &actions, NULL, program->argv, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    if (input >= 0)
        close(input);
    if (why == 0)
        return status_of(child);
    err_set(err, ERR_NO_OFFSET, "%s", strerror(why));
    return -1;
}
