/* record_faults.c - the n-th call of the system fails while fxtop record runs: record_faults [all]
 *
 *     record_faults [all]         for each use, call and error: n = 1, 2 ... until a run passes untouched
 *     record_faults program N     the traced program: numbered slices on two threads
 *
 * This is fxtop record, and the library in its program, linked so that their calls pass through
 * here (ld's --wrap). A run in which the manager's call fails ends in time, with the program's exit
 * status or with a line that names the reason. Its file ends at a whole record. If it lacks slices,
 * there is a line, too. A fault in the library never changes the program. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <lib/trace/event.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "record/recording.h"
#include "tests/lib/pty.h"
#include "tests/lib/scratch.h"

enum { SLICES = 120, LINES = 6 };

/* ---- the calls ---- */

#define ALL_CALLS(X)                                                                               \
    X(MEMORY)                                                                                      \
    X(READ)                                                                                        \
    X(WRITE)                                                                                       \
    X(MMAP)                                                                                        \
    X(OPEN) X(OPENPT) X(STAT) X(FSTAT) X(FTRUNCATE) X(FCNTL) X(PIPE) X(FORK) X(POLL) X(SOCKET)     \
        X(BIND) X(LISTEN) X(ACCEPT) X(CONNECT) X(SOCKETPAIR) X(GETSOCKOPT) X(SEND) X(SENDMSG)      \
            X(RECV) X(RECVMSG) X(MEMFD) X(SIGNALFD) X(SYSCALL) X(MKDIR) X(MKDTEMP) X(RENAME)       \
                X(OPENDIR) X(FOPEN) X(STATVFS) X(IOCTL) X(WAITPID) X(INOTIFY_INIT) X(INOTIFY_ADD)  \
                    X(MADVISE) X(THREAD)
#define NAME(call) call,
enum call { ALL_CALLS(NAME) CALLS };
#undef NAME

enum side { MANAGER, PROGRAM };

static struct plan { /* shared by all processes */
    atomic_bool fired;
    enum side side;
    enum call call;
    int error;
    long nth;
    bool on;     /* and all that follow */
    bool unseen; /* the session comes all the same */
    atomic_long counts[2][CALLS];
} * plan;
static int armed = -1; /* the side that this process is */

static bool fault(enum call call) {
    if (armed < 0)
        return false;
    long n = atomic_fetch_add(&plan->counts[armed][call], 1) + 1;
    if ((int)plan->side != armed || call != plan->call ||
        (plan->on ? n < plan->nth : n != plan->nth))
        return false;
    plan->fired = true;
    errno = plan->error;
    return true;
}

#define WRAP(type, name, parameters, arguments, call, failure)                                     \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters {                                                                \
        return fault(call) ? (failure) : __real_##name arguments;                                  \
    }

WRAP(void *, malloc, (size_t n), (n), MEMORY, NULL)
WRAP(void *, calloc, (size_t n, size_t size), (n, size), MEMORY, NULL)
WRAP(void *, realloc, (void *p, size_t n), (p, n), MEMORY, NULL)
WRAP(ssize_t, read, (int fd, void *v, size_t n), (fd, v, n), READ, -1)
WRAP(ssize_t, write, (int fd, const void *v, size_t n), (fd, v, n), WRITE, -1)
WRAP(void *, mmap, (void *p, size_t n, int prot, int flags, int fd, off_t at),
     (p, n, prot, flags, fd, at), MMAP, MAP_FAILED)
WRAP(int, posix_openpt, (int flags), (flags), OPENPT, -1)
WRAP(int, stat, (const char *path, struct stat *s), (path, s), STAT, -1)
WRAP(int, fstat, (int fd, struct stat *s), (fd, s), FSTAT, -1)
WRAP(int, ftruncate, (int fd, off_t n), (fd, n), FTRUNCATE, -1)
WRAP(int, pipe2, (int v[2], int flags), (v, flags), PIPE, -1)
WRAP(pid_t, fork, (void), (), FORK, -1)
WRAP(int, poll, (struct pollfd * v, nfds_t n, int ms), (v, n, ms), POLL, -1)
WRAP(int, socket, (int a, int b, int c), (a, b, c), SOCKET, -1)
WRAP(int, bind, (int fd, const struct sockaddr *a, socklen_t n), (fd, a, n), BIND, -1)
WRAP(int, listen, (int fd, int n), (fd, n), LISTEN, -1)
WRAP(int, accept4, (int fd, struct sockaddr *a, socklen_t *n, int flags), (fd, a, n, flags), ACCEPT,
     -1)
WRAP(int, connect, (int fd, const struct sockaddr *a, socklen_t n), (fd, a, n), CONNECT, -1)
WRAP(int, socketpair, (int a, int b, int c, int v[2]), (a, b, c, v), SOCKETPAIR, -1)
WRAP(int, getsockopt, (int fd, int a, int b, void *v, socklen_t *n), (fd, a, b, v, n), GETSOCKOPT,
     -1)
WRAP(ssize_t, send, (int fd, const void *v, size_t n, int flags), (fd, v, n, flags), SEND, -1)
WRAP(ssize_t, sendmsg, (int fd, const struct msghdr *m, int flags), (fd, m, flags), SENDMSG, -1)
WRAP(ssize_t, recv, (int fd, void *v, size_t n, int flags), (fd, v, n, flags), RECV, -1)
WRAP(ssize_t, recvmsg, (int fd, struct msghdr *m, int flags), (fd, m, flags), RECVMSG, -1)
WRAP(int, memfd_create, (const char *name, unsigned flags), (name, flags), MEMFD, -1)
WRAP(int, signalfd, (int fd, const sigset_t *set, int flags), (fd, set, flags), SIGNALFD, -1)
WRAP(int, mkdir, (const char *path, mode_t mode), (path, mode), MKDIR, -1)
WRAP(char *, mkdtemp, (char *path), (path), MKDTEMP, NULL)
WRAP(int, rename, (const char *from, const char *to), (from, to), RENAME, -1)
WRAP(DIR *, opendir, (const char *path), (path), OPENDIR, NULL)
WRAP(FILE *, fopen, (const char *path, const char *how), (path, how), FOPEN, NULL)
WRAP(int, statvfs, (const char *path, struct statvfs *s), (path, s), STATVFS, -1)
WRAP(pid_t, waitpid, (pid_t pid, int *status, int flags), (pid, status, flags), WAITPID, -1)
WRAP(int, inotify_init1, (int flags), (flags), INOTIFY_INIT, -1)
WRAP(int, inotify_add_watch, (int fd, const char *path, uint32_t events), (fd, path, events),
     INOTIFY_ADD, -1)
WRAP(int, madvise, (void *p, size_t n, int how), (p, n, how), MADVISE, -1)
WRAP(int, pthread_create, (pthread_t * t, const pthread_attr_t *a, void *(*run)(void *), void *ctx),
     (t, a, run, ctx), THREAD, plan->error)

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...) {
    va_list args;
    va_start(args, flags);
    unsigned mode = va_arg(args, unsigned); /* ignored unless the flags ask for it */
    va_end(args);
    return fault(OPEN) ? -1 : __real_open(path, flags, mode);
}

int __real_fcntl(int fd, int what, ...);
int __wrap_fcntl(int fd, int what, ...);
int __wrap_fcntl(int fd, int what, ...) {
    va_list args;
    va_start(args, what);
    long value = va_arg(args, long);
    va_end(args);
    return fault(FCNTL) ? -1 : __real_fcntl(fd, what, value);
}

int __real_ioctl(int fd, unsigned long what, ...);
int __wrap_ioctl(int fd, unsigned long what, ...);
int __wrap_ioctl(int fd, unsigned long what, ...) {
    va_list args;
    va_start(args, what);
    void *value = va_arg(args, void *);
    va_end(args);
    return fault(IOCTL) ? -1 : __real_ioctl(fd, what, value);
}

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);
/* It takes six arguments from whatever was passed, as syscall() does, which a sanitizer would
 * refuse. */
__attribute__((no_sanitize("address", "undefined"))) long __wrap_syscall(long number, ...) {
    va_list args;
    long v[6];
    va_start(args, number);
    for (int i = 0; i < 6; i++)
        v[i] = va_arg(args, long);
    va_end(args);
    return fault(SYSCALL) ? -1 : __real_syscall(number, v[0], v[1], v[2], v[3], v[4], v[5]);
}

struct kind {
    enum call call;
    const char *name;
    int error;
    bool on;
    bool unseen; /* the fault must have no visible effect */
    bool gone;   /* as if the other end had closed: without a line something may be missing */
};

static const struct kind kinds[] = {
    {MEMORY, "malloc ENOMEM", ENOMEM, false, false, false},
    {READ, "read EINTR", EINTR, false, true, false},
    {READ, "read EIO", EIO, false, false, true},
    {WRITE, "write EINTR", EINTR, false, true, false},
    {WRITE, "write EIO", EIO, false, false, false},
    {WRITE, "write ENOSPC", ENOSPC, true, false, false},
    {MMAP, "mmap ENOMEM", ENOMEM, false, false, false},
    {OPEN, "open EMFILE", EMFILE, false, false, false},
    {OPENPT, "posix_openpt ENOSPC", ENOSPC, false, false, false},
    {STAT, "stat EACCES", EACCES, false, false, false},
    {FSTAT, "fstat EIO", EIO, false, false, false},
    {FTRUNCATE, "ftruncate EIO", EIO, false, false, false},
    {FCNTL, "fcntl EINVAL", EINVAL, false, false, false},
    {PIPE, "pipe2 EMFILE", EMFILE, false, false, false},
    {FORK, "fork EAGAIN", EAGAIN, false, false, false},
    {POLL, "poll EINTR", EINTR, false, true, false},
    {POLL, "poll ENOMEM", ENOMEM, false, true, false},
    {SOCKET, "socket EMFILE", EMFILE, false, false, false},
    {BIND, "bind EADDRINUSE", EADDRINUSE, false, false, false},
    {LISTEN, "listen EADDRINUSE", EADDRINUSE, false, false, false},
    {ACCEPT, "accept4 EINTR", EINTR, false, true, false},
    {ACCEPT, "accept4 EMFILE", EMFILE, false, true, false},
    {ACCEPT, "accept4 EMFILE, on and on", EMFILE, true, false, false},
    {CONNECT, "connect EACCES", EACCES, true, false, false},
    {SOCKETPAIR, "socketpair EMFILE", EMFILE, false, false, false},
    {GETSOCKOPT, "getsockopt EINVAL", EINVAL, false, false, false},
    {SEND, "send EAGAIN", EAGAIN, false, false, false},
    {SEND, "send EPIPE", EPIPE, false, false, true},
    {SENDMSG, "sendmsg EAGAIN", EAGAIN, false, false, false},
    {SENDMSG, "sendmsg EPIPE", EPIPE, false, false, true},
    {RECV, "recv EINTR", EINTR, false, true, false},
    {RECV, "recv EAGAIN", EAGAIN, false, true, false},
    {RECV, "recv ECONNRESET", ECONNRESET, false, false, true},
    {RECVMSG, "recvmsg EINTR", EINTR, false, true, false},
    {RECVMSG, "recvmsg ECONNRESET", ECONNRESET, false, false, false},
    {MEMFD, "memfd_create ENOMEM", ENOMEM, false, false, false},
    {SIGNALFD, "signalfd EMFILE", EMFILE, false, false, false},
    {SYSCALL, "syscall EACCES", EACCES, false, false, false},
    {SYSCALL, "syscall ENOSYS, on and on", ENOSYS, true, false, false},
    {MKDIR, "mkdir EACCES", EACCES, false, true, false},
    {MKDTEMP, "mkdtemp EACCES", EACCES, true, false, false},
    {RENAME, "rename EACCES", EACCES, false, false, false},
    {OPENDIR, "opendir EMFILE", EMFILE, true, false, false},
    {FOPEN, "fopen EMFILE", EMFILE, true, false, false},
    {STATVFS, "statvfs EIO", EIO, false, true, false},
    {IOCTL, "ioctl ENOTTY", ENOTTY, false, false, false},
    {WAITPID, "waitpid EINTR", EINTR, false, true, false},
    {INOTIFY_INIT, "inotify_init1 EMFILE", EMFILE, true, false, false},
    {INOTIFY_ADD, "inotify_add_watch ENOSPC", ENOSPC, true, false, false},
    {MADVISE, "madvise EINVAL", EINVAL, true, true, false},
    {THREAD, "pthread_create EAGAIN", EAGAIN, false, false, false},
};

struct mode {
    const char *name;
    enum side side;
    const char *options[8];
};

static const struct mode modes[] = {
    {"streaming", MANAGER, {"--no-sched", "--no-stacks", "--sample=0"}},
    {"circular, with all that the system tells",
     MANAGER,
     {"-m", "circular", "-b", "1m", "--no-stacks", "--sample=200"}},
    {"the output as log", MANAGER, {"--no-sched", "--no-stacks", "--sample=0", "--log"}},
    {"the library, streaming", PROGRAM, {"--no-sched", "--no-stacks", "--sample=0", "-b", "64k"}},
    {"the library, oneshot",
     PROGRAM,
     {"--no-sched", "--no-stacks", "--sample=0", "-m", "oneshot", "-b", "1m"}},
};

enum { KINDS = sizeof kinds / sizeof *kinds, MODES = sizeof modes / sizeof *modes };

static struct {
    char directory[SCRATCH_PATH], self[SCRATCH_PATH];
    int out, err;
    bool all;
    unsigned passed, failed;
    unsigned long runs, injected;
} now;

/* ---- the program ---- */

/* Before the library's own constructor. */
__attribute__((constructor(101))) static void arm(void) {
    const char *number = getenv("RECORD_FAULTS_PLAN"), *socket_path = getenv("FXTTRACE_SOCKET");
    if (number == NULL || socket_path == NULL)
        return;
    plan = __real_mmap(NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED,
                       (int)strtol(number, NULL, 10), 0);
    if (plan == MAP_FAILED)
        _exit(99);
    armed = PROGRAM;
}

static void *write_slices(void *unused) {
    for (uint32_t i = 0; i < SLICES; i++) {
        TRACE_DURATION("faults", "slice", "i", TA_UINT32(i), "and", TA_INT32(1));
    }
    return unused;
}

static int run_program(void) {
    pthread_t thread;
    /* A machine that is busy may start the session after the time that the library waits for it. */
    for (int i = 0; i < PTY_PATIENCE_MS / 4 && !TRACE_ENABLED() && (plan->unseen || !plan->fired);
         i++)
        __real_poll(NULL, 0, 1);
    bool two = __real_pthread_create(&thread, NULL, write_slices, NULL) == 0;
    write_slices(NULL);
    if (two)
        pthread_join(thread, NULL);
    armed = -1; /* what it prints is its own */
    for (int i = 0; i < LINES; i++)
        printf("line %d\n", i);
    return 5;
}

/* ---- a run ---- */

static void fatal(const char *what) {
    fprintf(stderr, "record_faults: %s: %s\n", what, strerror(errno));
    exit(2);
}

struct outcome {
    int status; /* -1: it did not end */
    bool fired;
    long slices; /* in the file; -1: there is none, -2: it does not end at a record */
    char *err, *out;
};

static char *contents(int fd) {
    struct stat s;
    if (fstat(fd, &s) != 0)
        fatal("fstat");
    char *text = malloc((size_t)s.st_size + 1);
    if (text == NULL || pread(fd, text, (size_t)s.st_size, 0) != s.st_size)
        fatal("pread");
    text[s.st_size] = '\0';
    return text;
}

/* The begins with two arguments among the records of the file, which must be whole. */
static long slices_in(const char *path) {
    long slices = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat s;
    if (fd < 0)
        return -1;
    if (fstat(fd, &s) != 0)
        fatal(path);
    size_t n = (size_t)s.st_size / 8, at = 1;
    uint64_t *v = malloc((size_t)s.st_size + 8);
    if (v == NULL || read(fd, v, (size_t)s.st_size) != s.st_size)
        fatal(path);
    close(fd);
    if (s.st_size % 8 != 0)
        n = 0;
    while (at < n) {
        size_t size = (v[at] & 15) == 15 ? v[at] >> 4 & 0xffffffff : v[at] >> 4 & 0xfff;
        if (size == 0 || size > n - at)
            break;
        slices += (v[at] & 15) == 4 && ((v[at] >> 16 & 15) == 2 || (v[at] >> 16 & 15) == 4) &&
                  (v[at] >> 20 & 15) == 2;
        at += size;
    }
    free(v);
    return at == n || s.st_size == 0 ? slices : -2;
}

static void become(const struct mode *mode) {
    static struct recording_live live;
    const char *argv[20] = {"record"};
    int n = 1, null = open("/dev/null", O_RDONLY);
    setpgid(0, 0);
    for (int i = 0; i < 8 && mode->options[i]; i++)
        argv[n++] = mode->options[i];
    argv[n++] = "-o";
    argv[n++] = "t.fxt";
    argv[n++] =
        /* a machine may be busy for 1 s */
        plan->unseen || plan->call == CALLS ? "--timeout=10s" : "--timeout=1s";
    argv[n++] = "--";
    argv[n++] = now.self;
    argv[n++] = "program";
    argv[n] = NULL;
    dup2(null, STDIN_FILENO);
    dup2(now.out, STDOUT_FILENO);
    dup2(now.err, STDERR_FILENO);
    armed = MANAGER;
    int status = recording_main(n, (char **)argv, true, &live);
    armed = -1;
    exit(status);
}

static struct outcome run(const struct mode *mode, const struct kind *kind, long nth) {
    struct outcome o = {.status = -1};
    int status;
    unlink("t.fxt");
    unlink("t.fxt.old");
    if (ftruncate(now.out, 0) != 0 || ftruncate(now.err, 0) != 0 ||
        lseek(now.out, 0, SEEK_SET) != 0 || lseek(now.err, 0, SEEK_SET) != 0)
        fatal("memfd");
    memset(plan, 0, sizeof *plan);
    plan->side = mode->side;
    plan->call = kind ? kind->call : CALLS;
    plan->error = kind ? kind->error : 0;
    plan->on = kind && kind->on;
    plan->unseen = kind && kind->unseen;
    plan->nth = nth;
    fflush(stdout);
    pid_t pid = fork();
    if (pid < 0)
        fatal("fork");
    if (pid == 0)
        become(mode);
    int64_t end = pty_now_ms() + PTY_PATIENCE_MS;
    while (waitpid(pid, &status, WNOHANG) == 0)
        if (pty_now_ms() > end) {
            kill(-pid, SIGKILL);
            waitpid(pid, &status, 0);
            status = -1;
            break;
        } else {
            poll(NULL, 0, 1);
        }
    o.status = status == -1          ? -1
               : WIFSIGNALED(status) ? 128 + WTERMSIG(status)
                                     : WEXITSTATUS(status);
    while (waitpid(-1, NULL, 0) > 0) /* a program that outlived it */
        ;
    o.fired = plan->fired;
    o.slices = slices_in("t.fxt");
    o.err = contents(now.err);
    o.out = contents(now.out);
    now.runs++;
    now.injected += o.fired;
    return o;
}

/* ---- what must be true of it ---- */

/* The file, processes with their CPU time, and the heaviest function. */
static bool is_summary(const char *line, const char *end) {
    const char *used = strstr(line, " of CPU"), *most = strstr(line, ": most time in ");
    return strncmp(line, "t.fxt: ", 7) == 0 || (used && used < end) || (most && most < end);
}

/* Lines besides the summary; -1: one is not ours. */
static int lines_of(const char *err) {
    int lines = 0;
    for (const char *end; *err; err = end + 1) {
        end = strchr(err, '\n');
        if (end == NULL)
            return -1;
        if (is_summary(err, end))
            continue;
        if (strncmp(err, "fxtop record: ", 14) == 0 || strncmp(err, "fxtop: ", 7) == 0 ||
            (strstr(err, "fxtop record: out of memory\n") && strchr(err, '\n') == end &&
             end[1] == '\0'))
            lines++;
        else
            return -1;
    }
    return lines;
}

static bool is_whole_output(const char *out) {
    const char *at = out;
    for (int i = 0; i < LINES; i++) {
        char line[20];
        int n = snprintf(line, sizeof line, "line %d\n", i);
        if (strncmp(at, line, (size_t)n) != 0)
            return false;
        at += n;
    }
    return *at == '\0';
}

static const char *bad_outcome(const struct mode *mode, const struct kind *kind,
                               const struct outcome *o) {
    int lines = lines_of(o->err);
    bool complete = o->slices == 2 * SLICES;
    if (o->status < 0)
        return "it did not end";
    if (lines < 0)
        return "a line on standard error that is not of fxtop record";
    if (lines > 3)
        return "many lines on standard error";
    if (o->slices == -2)
        return "the file does not end at a record";
    if (o->status == 5 && !is_whole_output(o->out) && lines == 0 && !(kind && kind->gone))
        return "the program's output is not whole";
    if (mode->side == PROGRAM)
        return o->status != 5 ? "a fault in the library changed the program" : NULL;
    if (o->status != 5 && o->status != 125 && o->status != 126)
        return "an exit status that the manual does not know";
    if (o->status != 5 && lines == 0)
        return "it failed, and did not tell why";
    if (!complete && lines == 0 && !(kind && kind->gone))
        return "slices are missing, and no line tells that";
    if ((kind == NULL || kind->unseen) && (!complete || o->status != 5 || lines > 0))
        return "it changed the recording";
    return NULL;
}

static void report(const char *mode, const char *kind, long nth, const char *why,
                   const struct outcome *o) {
    now.failed++;
    printf("FAILED: %s, %s, the %ld.: %s (status %d, %ld slices)\n%s", mode, kind, nth, why,
           o->status, o->slices, o->err);
    fflush(stdout);
    if (now.failed == 20) {
        printf("too much fails; the rest is left out\n%u passed, %u failed\n", now.passed,
               now.failed);
        exit(1);
    }
}

static void forget(struct outcome *o) {
    free(o->err);
    free(o->out);
}

static void try_kind(const struct mode *mode, const struct kind *kind) {
    for (long nth = 1;; nth = now.all || nth < 3 ? nth + 1 : nth + 1 + nth / 2) {
        struct outcome o = run(mode, kind, nth);
        const char *why = bad_outcome(mode, kind, &o);
        if (why)
            report(mode->name, kind->name, nth, why, &o);
        forget(&o);
        if (!o.fired || nth > 10000)
            break;
    }
    now.passed++;
}

static void try_mode(const struct mode *mode) {
    struct outcome o = run(mode, NULL, 0);
    const char *why = bad_outcome(mode, NULL, &o);
    long counts[CALLS];
    for (int i = 0; i < CALLS; i++)
        counts[i] = plan->counts[mode->side][i];
    if (why || o.slices != 2 * SLICES)
        report(mode->name, "nothing", 0, why ? why : "the untouched run lacks slices", &o);
    forget(&o);
    unsigned long injected = now.injected;
    for (int k = 0; k < KINDS; k++)
        if (counts[kinds[k].call] > 0)
            try_kind(mode, &kinds[k]);
    printf("%s: %lu faults\n", mode->name, now.injected - injected);
    fflush(stdout);
}

/* ---- setting up ---- */

static void set_up(void) {
    char number[20];
    ssize_t n = readlink("/proc/self/exe", now.self, sizeof now.self - 1);
    int fd = memfd_create("plan", 0);
    now.out = memfd_create("out", MFD_CLOEXEC);
    now.err = memfd_create("err", MFD_CLOEXEC);
    snprintf(number, sizeof number, "%d", fd);
    if (n < 0 || fd < 0 || now.out < 0 || now.err < 0 || ftruncate(fd, sizeof *plan) != 0 ||
        prctl(PR_SET_CHILD_SUBREAPER, 1) != 0 || !scratch_folder(now.directory, "record_faults") ||
        chdir(now.directory) != 0)
        fatal("setting up");
    plan = mmap(NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (plan == MAP_FAILED)
        fatal("mmap");
    setenv("RECORD_FAULTS_PLAN", number, 1);
    setenv("XDG_RUNTIME_DIR", now.directory, 1);
}

static void tear_down(void) {
    unsigned left = 0;
    unlink("t.fxt");
    unlink("t.fxt.old");
    DIR *d = opendir(".");
    for (const struct dirent *e; d && (e = readdir(d)) != NULL;)
        if (e->d_name[0] != '.') {
            char socket_path[400];
            left++;
            snprintf(socket_path, sizeof socket_path, "%s/socket", e->d_name);
            unlink(socket_path);
            rmdir(e->d_name);
        }
    if (d)
        closedir(d);
    if (left > 0)
        printf("%u directories of sockets were left\n", left);
    if (chdir("/") != 0 || rmdir(now.directory) != 0)
        printf("something was left in %s\n", now.directory);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "program") == 0)
        return run_program();
    now.all = argc > 1 && strcmp(argv[1], "all") == 0;
    set_up();
    for (int m = 0; m < MODES; m++)
        try_mode(&modes[m]);
    tear_down();
    printf("%lu faults in %lu runs\n%u passed, %u failed\n", now.injected, now.runs, now.passed,
           now.failed);
    return now.failed > 0;
}
