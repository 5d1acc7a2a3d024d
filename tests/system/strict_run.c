/* strict_run.c - runs fxtop once for a command line: in a process of its own, or by
 * tests/system/runs, which is one process for all runs with as much memory.
 *
 * Below 1 MB of trace 256 MB of memory are enough, above that a number of bytes for each byte.
 * Every answer has a deadline; nothing sleeps. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/system/strict.h"

enum {
    SMALL = 1 << 20, /* bytes of a trace that ... */
    SMALL_MB = 256,  /* ... this much memory is enough for */
    BIG_FACTOR = 24, /* of each further byte of the trace */
    REQUEST_MOST = 20000,
};

static struct {
    pid_t pid; /* 0: none */
    int to, from, said;
    uint64_t memory;
} runs;

static int64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void reserve(struct strict_output *to, size_t bytes) {
    if (to->cap - to->n > bytes)
        return;
    to->cap = to->cap * 2 + bytes + 65536;
    to->v = realloc(to->v, to->cap);
    if (to->v == NULL)
        strict_die("realloc");
}

/* Reads what is available; false at the end. */
static bool take(int fd, struct strict_output *to) {
    reserve(to, 65536);
    ssize_t n = read(fd, to->v + to->n, to->cap - to->n - 1);
    if (n < 0 && errno == EINTR)
        return true;
    if (n <= 0)
        return false;
    to->n += (size_t)n;
    to->v[to->n] = '\0';
    return true;
}

/* Sanitizers reserve terabytes: memory is limited on plain builds alone. */
uint64_t strict_memory_for(const char *path) {
    struct stat status;
    uint64_t size = stat(path, &status) == 0 ? (uint64_t)status.st_size : 0;
    uint64_t limit = (uint64_t)SMALL_MB << 20;
    return SANITIZED ? 0 : size > SMALL ? limit + size * BIG_FACTOR : limit;
}

void strict_limit_memory(uint64_t bytes) {
    struct rlimit limit = {(rlim_t)bytes, (rlim_t)bytes};
    if (bytes > 0 && setrlimit(RLIMIT_AS, &limit) != 0)
        _exit(126);
    limit = (struct rlimit){0, 0};
    setrlimit(RLIMIT_CORE, &limit);
}

int strict_wait_for(pid_t pid) {
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            strict_die("waitpid");
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* In a child: runs the program with these descriptors. */
static _Noreturn void begin(char *const argv[], const int fds[3], uint64_t memory) {
    for (int i = 0; i < 3; i++)
        dup2(fds[i], i);
    for (int fd = 3; fd < 32; fd++)
        close(fd);
    strict_limit_memory(memory);
    setenv("XDG_STATE_HOME", "/dev/null", 0);
    execv(strict.fxtop, argv);
    _exit(127);
}

static void run_alone(struct strict_run *r, char *const argv[], uint64_t memory,
                      const char *locale) {
    int out[2], err[2];
    fflush(stdout);
    if (pipe(out) != 0 || pipe(err) != 0)
        strict_die("pipe");
    pid_t pid = fork();
    if (pid < 0)
        strict_die("fork");
    if (pid == 0) {
        setenv("LC_ALL", locale, 1);
        begin(argv, (const int[]){open("/dev/null", O_RDONLY), out[1], err[1]}, memory);
    }
    close(out[1]);
    close(err[1]);
    struct pollfd fds[2] = {{out[0], POLLIN, 0}, {err[0], POLLIN, 0}};
    int64_t until = now_ms() + DEADLINE_MS;
    bool late = false;
    while ((fds[0].fd >= 0 || fds[1].fd >= 0) && !late) {
        int64_t left = until - now_ms();
        late = left <= 0;
        if (late || poll(fds, 2, (int)left) <= 0)
            continue;
        for (int i = 0; i < 2; i++)
            if (fds[i].fd >= 0 && fds[i].revents && !take(fds[i].fd, i == 0 ? &r->out : &r->err))
                fds[i].fd = -1;
    }
    if (late)
        kill(pid, SIGKILL);
    r->status = strict_wait_for(pid);
    close(out[0]);
    close(err[0]);
}

/* ---- tests/system/runs ---- */

static void runs_begin(uint64_t memory) {
    int to[2], from[2];
    FILE *said = tmpfile();
    fflush(stdout);
    if (said == NULL || pipe(to) != 0 || pipe(from) != 0)
        strict_die("pipe");
    runs.said = dup(fileno(said));
    fclose(said);
    runs.pid = fork();
    if (runs.pid < 0)
        strict_die("fork");
    if (runs.pid == 0)
        begin((char *[]){(char[]){"runs"}, NULL}, (const int[]){to[0], from[1], runs.said}, memory);
    close(to[0]);
    close(from[1]);
    runs.to = to[1], runs.from = from[0], runs.memory = memory;
}

/* Returns the status, with its last words in said. A sanitizer's are its status, too. */
static int runs_end(struct strict_output *said) {
    close(runs.to);
    int status = strict_wait_for(runs.pid);
    if (said && lseek(runs.said, 0, SEEK_SET) == 0)
        while (take(runs.said, said))
            ;
    close(runs.from);
    close(runs.said);
    runs.pid = 0;
    return status;
}

static bool read_answer(struct strict_output *out, int *status, size_t *from, size_t *size) {
    int64_t until = now_ms() + DEADLINE_MS;
    struct pollfd fd = {runs.from, POLLIN, 0};
    size_t out_bytes = 0, err_bytes = 0;
    int head = 0;
    while (head == 0 || out->n < (size_t)head + out_bytes + err_bytes) {
        int64_t left = until - now_ms();
        if (left <= 0)
            kill(runs.pid, SIGKILL);
        if (left > 0 && poll(&fd, 1, (int)left) <= 0)
            continue;
        if (!take(runs.from, out))
            return false;
        if (memchr(out->v, '\n', out->n) == NULL ||
            sscanf(out->v, "%d %zu %zu%n", status, &out_bytes, &err_bytes, &head) != 3)
            head = -1;
        head++;
    }
    *from = (size_t)head, *size = out_bytes;
    return true;
}

static void run_in_runs(struct strict_run *r, char *const argv[], uint64_t memory,
                        const char *locale) {
    static char request[REQUEST_MOST + 32];
    static char words[REQUEST_MOST];
    size_t n = (size_t)snprintf(words, sizeof words, "LC_ALL=%s", locale) + 1, from, size;
    for (int i = 0; argv[i]; i++) {
        size_t bytes = strlen(argv[i]) + 1;
        if (bytes > sizeof words - n)
            strict_die("a long command line");
        memcpy(words + n, argv[i], bytes);
        n += bytes;
    }
    if (runs.pid != 0 && runs.memory != memory)
        runs_end(NULL);
    if (runs.pid == 0)
        runs_begin(memory);
    size_t head = (size_t)snprintf(request, sizeof request, "%zu\n", n);
    memcpy(request + head, words, n);
    bool asked = write(runs.to, request, head + n) == (ssize_t)(head + n);
    if (!asked || !read_answer(&r->out, &r->status, &from, &size)) {
        r->out.n = 0;
        r->status = runs_end(&r->err);
        r->status = r->status == 0 ? -1 : r->status;
        return;
    }
    reserve(&r->err, r->out.n + 1);
    r->err.n = r->out.n - from - size;
    memcpy(r->err.v, r->out.v + from + size, r->err.n);
    memmove(r->out.v, r->out.v + from, size);
    r->out.n = size;
    r->out.v[size] = r->err.v[r->err.n] = '\0';
}

void strict_run(struct strict_run *r, char *const argv[], uint64_t memory, const char *locale) {
    const char *slash = strrchr(strict.fxtop, '/');
    r->out.n = r->err.n = 0;
    if (slash && strcmp(slash, "/runs") == 0)
        run_in_runs(r, argv, memory, locale);
    else
        run_alone(r, argv, memory, locale);
}

void strict_run_free(struct strict_run *r) {
    free(r->out.v);
    free(r->err.v);
    if (runs.pid != 0 && runs_end(NULL) != 0)
        strict_complain("the end", "a status of its own", NULL, 0, 0);
}
