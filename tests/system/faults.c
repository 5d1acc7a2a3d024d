/* faults.c - the n-th call of the system fails: faults [all | MODE ...]
 *
 * This is fxtop itself, linked so that its own calls of malloc, read, write, mmap and more pass through here (ld's
 * --wrap). For each way to use it, each call and each error: n = 1, 2 ... until a run passes untouched. Each run must
 * end as the manual describes, with at most one line on standard error, the terminal as before, and no file left. If it
 * succeeds it must have printed the same as an untouched run. Real faults follow: full disks, closed pipes, and
 * files that change while they are drawn. If n reaches hundreds only some are tried; "all" tries each. */
#undef main /* of fxtop it is fxtop_main */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>
#ifdef HAVE_SQLITE
#include <sqlite3.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "tests/lib/pty.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"

#if defined(__SANITIZE_ADDRESS__)
#define DENSE 4 /* a run costs ten times as much, for leaks are looked for */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DENSE 4
#endif
#endif
#ifndef DENSE
#define DENSE 12
#endif

int fxtop_main(int argc, char **argv);

/* ---- the calls ---- */

enum call {
    MEMORY,
    SQL_MEMORY, /* SQLite's, which is a library of its own */
    READ,
    WRITE,
    PREAD,
    PWRITE,
    MMAP,
    OPEN,
    OPENAT,
    FSTAT,
    STAT,
    FTRUNCATE,
    FCNTL,
    DUP,
    PIPE,
    POLL,
    LSEEK,
    MKSTEMP,
    THREAD,
    FORK,
    MKDIR,
    FLOCK,
    LINKAT,
    RENAMEAT,
    REALPATH,
    FDOPEN,
    FDOPENDIR,
    INOTIFY_INIT,
    INOTIFY_ADD,
    TCGETATTR,
    GETRANDOM,
    CALLS
};

#define SHORT (-1) /* no error: one byte alone */

static struct plan { /* shared with the processes that are made */
    atomic_bool fired;
    enum call call;
    int error;
    long nth;
    bool on; /* and all that follow */
    atomic_long counts[CALLS];
} * plan;
static bool armed; /* in fxtop and what it forks */

static bool fault(enum call call) {
    if (!armed)
        return false;
    long n = atomic_fetch_add(&plan->counts[call], 1) + 1;
    if (call != plan->call || (plan->on ? n < plan->nth : n != plan->nth))
        return false;
    plan->fired = true;
    errno = plan->error;
    return true;
}

#define WRAP(type, name, parameters)                                                                                   \
    type __real_##name parameters;                                                                                     \
    type __wrap_##name parameters;                                                                                     \
    type __wrap_##name parameters

WRAP(void *, malloc, (size_t n)) {
    return fault(MEMORY) ? NULL : __real_malloc(n);
}

WRAP(void *, calloc, (size_t n, size_t size)) {
    return fault(MEMORY) ? NULL : __real_calloc(n, size);
}

WRAP(void *, realloc, (void *p, size_t n)) {
    return fault(MEMORY) ? NULL : __real_realloc(p, n);
}

/* Reads and writes may be short. */
static bool some(enum call call, size_t *n) {
    if (!fault(call))
        return true;
    if (plan->error != SHORT)
        return false;
    *n = *n > 1 ? 1 : *n;
    return true;
}

WRAP(ssize_t, read, (int fd, void *v, size_t n)) {
    return some(READ, &n) ? __real_read(fd, v, n) : -1;
}

/* A terminal that fails is gone, and output to it then does not matter. */
WRAP(ssize_t, write, (int fd, const void *v, size_t n)) {
    bool transient = !armed || plan->error == EINTR || plan->error == SHORT || plan->error == EAGAIN;
    return (!transient && isatty(fd)) || some(WRITE, &n) ? __real_write(fd, v, n) : -1;
}

WRAP(ssize_t, pread, (int fd, void *v, size_t n, off_t at)) {
    return some(PREAD, &n) ? __real_pread(fd, v, n, at) : -1;
}

WRAP(ssize_t, pwrite, (int fd, const void *v, size_t n, off_t at)) {
    return some(PWRITE, &n) ? __real_pwrite(fd, v, n, at) : -1;
}

WRAP(void *, mmap, (void *p, size_t n, int prot, int flags, int fd, off_t at)) {
    return fault(MMAP) ? MAP_FAILED : __real_mmap(p, n, prot, flags, fd, at);
}

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...) {
    va_list args;
    va_start(args, flags);
    unsigned mode = va_arg(args, unsigned); /* where there is none it is not looked at */
    va_end(args);
    return fault(OPEN) ? -1 : __real_open(path, flags, mode);
}

int __real_openat(int dir, const char *path, int flags, ...);
int __wrap_openat(int dir, const char *path, int flags, ...);
int __wrap_openat(int dir, const char *path, int flags, ...) {
    va_list args;
    va_start(args, flags);
    unsigned mode = va_arg(args, unsigned);
    va_end(args);
    return fault(OPENAT) ? -1 : __real_openat(dir, path, flags, mode);
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

WRAP(int, fstat, (int fd, struct stat *s)) {
    return fault(FSTAT) ? -1 : __real_fstat(fd, s);
}

WRAP(int, stat, (const char *path, struct stat *s)) {
    return fault(STAT) ? -1 : __real_stat(path, s);
}

WRAP(int, ftruncate, (int fd, off_t n)) {
    return fault(FTRUNCATE) ? -1 : __real_ftruncate(fd, n);
}

WRAP(int, dup, (int fd)) {
    return fault(DUP) ? -1 : __real_dup(fd);
}

WRAP(int, pipe, (int v[2])) {
    return fault(PIPE) ? -1 : __real_pipe(v);
}

WRAP(int, poll, (struct pollfd * v, nfds_t n, int ms)) {
    return fault(POLL) ? -1 : __real_poll(v, n, ms);
}

WRAP(off_t, lseek, (int fd, off_t at, int how)) {
    return fault(LSEEK) ? -1 : __real_lseek(fd, at, how);
}

WRAP(int, mkstemp, (char *path)) {
    return fault(MKSTEMP) ? -1 : __real_mkstemp(path);
}

WRAP(int, pthread_create, (pthread_t * t, const pthread_attr_t *a, void *(*run)(void *), void *ctx)) {
    return fault(THREAD) ? plan->error : __real_pthread_create(t, a, run, ctx);
}

WRAP(pid_t, fork, (void)) {
    return fault(FORK) ? -1 : __real_fork();
}

WRAP(int, mkdir, (const char *path, mode_t mode)) {
    return fault(MKDIR) ? -1 : __real_mkdir(path, mode);
}

WRAP(ssize_t, getrandom, (void *to, size_t n, unsigned how)) {
    return fault(GETRANDOM) ? -1 : __real_getrandom(to, n, how);
}

WRAP(int, flock, (int fd, int how)) {
    return fault(FLOCK) ? -1 : __real_flock(fd, how);
}

WRAP(int, linkat, (int a, const char *from, int b, const char *to, int flags)) {
    return fault(LINKAT) ? -1 : __real_linkat(a, from, b, to, flags);
}

WRAP(int, renameat, (int a, const char *from, int b, const char *to)) {
    return fault(RENAMEAT) ? -1 : __real_renameat(a, from, b, to);
}

WRAP(char *, realpath, (const char *path, char *out)) {
    return fault(REALPATH) ? NULL : __real_realpath(path, out);
}

WRAP(FILE *, fdopen, (int fd, const char *how)) {
    return fault(FDOPEN) ? NULL : __real_fdopen(fd, how);
}

WRAP(DIR *, fdopendir, (int fd)) {
    return fault(FDOPENDIR) ? NULL : __real_fdopendir(fd);
}

WRAP(int, inotify_init1, (int flags)) {
    return fault(INOTIFY_INIT) ? -1 : __real_inotify_init1(flags);
}

WRAP(int, inotify_add_watch, (int fd, const char *path, uint32_t events)) {
    return fault(INOTIFY_ADD) ? -1 : __real_inotify_add_watch(fd, path, events);
}

WRAP(int, tcgetattr, (int fd, struct termios *modes)) {
    return fault(TCGETATTR) ? -1 : __real_tcgetattr(fd, modes);
}

#ifdef HAVE_SQLITE
static sqlite3_mem_methods sql_memory;

static void *sql_malloc(int n) {
    return fault(SQL_MEMORY) ? NULL : sql_memory.xMalloc(n);
}

static void *sql_realloc(void *p, int n) {
    return fault(SQL_MEMORY) ? NULL : sql_memory.xRealloc(p, n);
}

/* To be called before SQLite is used. */
static void fail_in_sqlite(void) {
    sqlite3_config(SQLITE_CONFIG_GETMALLOC, &sql_memory);
    sqlite3_mem_methods mine = sql_memory;
    mine.xMalloc = sql_malloc;
    mine.xRealloc = sql_realloc;
    sqlite3_config(SQLITE_CONFIG_MALLOC, &mine);
}
#else
static void fail_in_sqlite(void) {}
#endif

struct kind {
    enum call call;
    const char *name;
    int error;
    bool on;
    bool unseen; /* the fault must have no visible effect */
};

static const struct kind kinds[] = {
    {MEMORY, "malloc", ENOMEM, false, false},
    {MEMORY, "malloc, on and on", ENOMEM, true, false},
    {SQL_MEMORY, "malloc of SQLite", ENOMEM, false, false},
    {SQL_MEMORY, "malloc of SQLite, on and on", ENOMEM, true, false},
    {READ, "read EINTR", EINTR, false, true},
    {READ, "read short", SHORT, true, true},
    {READ, "read EIO", EIO, false, false},
    {READ, "read EAGAIN", EAGAIN, false, true},
    {WRITE, "write EINTR", EINTR, false, true},
    {WRITE, "write short", SHORT, true, true},
    {WRITE, "write ENOSPC", ENOSPC, true, false},
    {WRITE, "write EIO", EIO, false, false},
    {WRITE, "write EPIPE", EPIPE, false, false},
    {PREAD, "pread EINTR", EINTR, false, true},
    {PREAD, "pread short", SHORT, false, true},
    {PREAD, "pread EIO", EIO, true, false},
    {PWRITE, "pwrite EINTR", EINTR, false, true},
    {PWRITE, "pwrite short", SHORT, false, true},
    {PWRITE, "pwrite ENOSPC", ENOSPC, true, true},
    {PWRITE, "pwrite EIO", EIO, false, true},
    {MMAP, "mmap ENOMEM", ENOMEM, false, true},
    {MMAP, "mmap ENOMEM, on and on", ENOMEM, true, true},
    {MMAP, "mmap ENODEV", ENODEV, true, true},
    {OPEN, "open EMFILE", EMFILE, false, false},
    {OPEN, "open EINTR", EINTR, false, false},
    {OPENAT, "openat EMFILE", EMFILE, true, true},
    {FSTAT, "fstat EIO", EIO, false, false},
    {STAT, "stat EACCES", EACCES, false, false},
    {FTRUNCATE, "ftruncate ENOSPC", ENOSPC, false, true},
    {FCNTL, "fcntl EMFILE", EMFILE, false, false},
    {DUP, "dup EMFILE", EMFILE, false, true},
    {PIPE, "pipe EMFILE", EMFILE, false, false},
    {POLL, "poll EINTR", EINTR, false, true},
    {LSEEK, "lseek EINVAL", EINVAL, false, true},
    {MKSTEMP, "mkstemp EMFILE", EMFILE, false, false},
    {THREAD, "pthread_create EAGAIN", EAGAIN, false, true},
    {FORK, "fork EAGAIN", EAGAIN, false, true},
    {MKDIR, "mkdir EACCES", EACCES, false, true},
    {FLOCK, "flock EWOULDBLOCK", EWOULDBLOCK, false, true},
    {LINKAT, "linkat ENOSPC", ENOSPC, false, true},
    {RENAMEAT, "renameat ENOSPC", ENOSPC, false, true},
    {REALPATH, "realpath EACCES", EACCES, false, true},
    {FDOPEN, "fdopen ENOMEM", ENOMEM, false, false},
    {FDOPENDIR, "fdopendir ENOMEM", ENOMEM, false, true},
    {INOTIFY_INIT, "inotify_init EMFILE", EMFILE, false, true},
    {INOTIFY_ADD, "inotify_add_watch ENOSPC", ENOSPC, false, true},
    {TCGETATTR, "tcgetattr EIO", EIO, false, false},
    {GETRANDOM, "getrandom EAGAIN", EAGAIN, false, true},
};

/* ---- the ways to use it ---- */

enum input { A_FILE, A_PIPE };
enum cache { NO_CACHE, EMPTY_CACHE, FULL_CACHE };

struct mode {
    const char *name;
    const char *argv[8];
    enum input input;
    enum cache cache;
    const char *keys; /* of one on the screen, else NULL */
    bool follows;
};

#define A_QUERY                                                                                                        \
    "create perfetto table own as select id, name, dur from slice where name glob 'v*'; "                              \
    "select o.name, count(*), p99(o.dur), extract_arg(s.arg_set_id, 'n') from own o join slice s using (id) "          \
    "group by o.name order by 2 desc, 1"

static const struct mode modes[] = {
    {"print", {"fxtop", "--no-cache", "--print=100x30", "--keys=l<Tab>", "small.fxt"}, A_FILE, NO_CACHE, NULL, false},
    {"summary", {"fxtop", "--summary", "small.fxt"}, A_FILE, NO_CACHE, NULL, false},
    {"check", {"fxtop", "--check=strict", "small.fxt"}, A_FILE, NO_CACHE, NULL, false},
    {"records", {"fxtop", "--records", "small.fxt"}, A_FILE, NO_CACHE, NULL, false},
    {"ndjson", {"fxtop", "--export=ndjson", "small.fxt"}, A_FILE, NO_CACHE, NULL, false},
    {"json", {"fxtop", "--export=json", "small.fxt"}, A_FILE, NO_CACHE, NULL, false},
    {"csv", {"fxtop", "--export=csv", "--keys=6", "small.fxt"}, A_FILE, NO_CACHE, NULL, false},
    {"pipe", {"fxtop", "--print=100x30", "-"}, A_PIPE, NO_CACHE, NULL, false},
    {"gzip", {"fxtop", "--export=ndjson", "small.fxt.gz"}, A_FILE, NO_CACHE, NULL, false},
#ifdef HAVE_ZSTD
    {"zstd", {"fxtop", "--export=ndjson", "small.fxt.zst"}, A_FILE, NO_CACHE, NULL, false},
#endif
    {"import", {"fxtop", "--export=ndjson", "small.json"}, A_FILE, NO_CACHE, NULL, false},
    {"rewrite", {"fxtop", "--export=fxt", "small.json.gz"}, A_FILE, NO_CACHE, NULL, false},
    {"keeping", {"fxtop", "--print=100x30", "small.fxt"}, A_FILE, EMPTY_CACHE, NULL, false},
    {"kept", {"fxtop", "--print=100x30", "--keys=l<Tab>", "small.fxt"}, A_FILE, FULL_CACHE, NULL, false},
    {"screen", {"fxtop", "small.fxt"}, A_FILE, EMPTY_CACHE, "ljlww\t5qX1/vs\rn?qR9Q", false},
    {"screen pipe", {"fxtop", "-"}, A_PIPE, NO_CACHE, "lljQ", false},
#ifdef HAVE_SQLITE
    {"query", {"fxtop", "--format=csv", "--query", A_QUERY, "clean.fxt"}, A_FILE, NO_CACHE, NULL, false},
    {"screen query", {"fxtop", "clean.fxt"}, A_FILE, NO_CACHE, ":sql " A_QUERY "\rj>Q", false},
#endif
    {"following", {"fxtop", "-F", "grows.fxt"}, A_FILE, NO_CACHE, "jQ", true},
};
enum { MODES = sizeof modes / sizeof *modes, KINDS = sizeof kinds / sizeof *kinds };

static struct {
    char directory[SCRATCH_PATH], tmp[SCRATCH_PATH + 20], cache[SCRATCH_PATH + 20], index[SCRATCH_PATH + 20];
    struct trace_bytes small, first, rest;
    int out, err;
    char *reference; /* what the untouched run of the mode prints */
    size_t reference_n;
    int reference_status;
    bool all;
    unsigned long runs, injected;
    unsigned passed, failed;
} now;

static void fatal(const char *what) {
    fprintf(stderr, "faults: %s: %s\n", what, strerror(errno));
    exit(2);
}

static void put_file(const char *path, const void *v, size_t n) {
    FILE *f = fopen(path, "wb");
    if (f == NULL || fwrite(v, 1, n, f) != n || fclose(f) != 0)
        fatal(path);
}

static void add_to_file(const char *path, const void *v, size_t n) {
    FILE *f = fopen(path, "ab");
    if (f == NULL || fwrite(v, 1, n, f) != n || fclose(f) != 0)
        fatal(path);
}

/* Returns the content of a descriptor's file, NUL-terminated; the caller frees it. */
static char *contents(int fd, size_t *n) {
    struct stat s;
    if (fstat(fd, &s) != 0)
        fatal("fstat");
    char *text = malloc((size_t)s.st_size + 1);
    *n = (size_t)s.st_size;
    if (text == NULL || (*n > 0 && pread(fd, text, *n, 0) != s.st_size))
        fatal("pread");
    text[*n] = '\0';
    return text;
}

static unsigned entries(const char *path, char name[256]) {
    DIR *d = opendir(path);
    unsigned n = 0;
    for (const struct dirent *e; d && (e = readdir(d)) != NULL;)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) {
            snprintf(name, 256, "%s", e->d_name);
            n++;
        }
    if (d)
        closedir(d);
    return n;
}

static void empty(const char *path) {
    char name[256], whole[SCRATCH_PATH + 300];
    while (entries(path, name) > 0) {
        snprintf(whole, sizeof whole, "%s/%s", path, name);
        if (unlink(whole) != 0)
            fatal(whole);
    }
}

/* ---- a run ---- */

struct outcome {
    int status;
    bool fired;
    const char *left; /* of the terminal */
    bool seen;        /* there was a picture */
};

static int argc_of(const struct mode *mode) {
    int n = 0;
    while (mode->argv[n])
        n++;
    return n;
}

/* In the child: fxtop as it would be started. */
static void become(const struct mode *mode, int input) {
    if (input >= 0)
        dup2(input, STDIN_FILENO);
    else if (mode->keys == NULL)
        dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    if (mode->keys == NULL)
        dup2(now.out, STDOUT_FILENO);
    dup2(now.err, STDERR_FILENO);
    fail_in_sqlite();
    armed = true;
    int status = fxtop_main(argc_of(mode), (char **)mode->argv);
    armed = false;
    exit(status);
}

static int pipe_of(const struct trace_bytes *bytes) {
    int ends[2];
    if (pipe(ends) != 0 || fcntl(ends[1], F_SETPIPE_SZ, 1 << 20) < 0 ||
        write(ends[1], bytes->v, bytes->n) != (ssize_t)bytes->n)
        fatal("pipe");
    close(ends[1]);
    return ends[0];
}

/* Writers of the index cache outlive their parents and become children of this process. */
static void wait_for_all(void) {
    int64_t end = pty_now_ms() + PTY_PATIENCE_MS;
    while (waitpid(-1, NULL, WNOHANG) >= 0 && pty_now_ms() < end)
        poll(NULL, 0, 1);
}

static void on_screen(const struct mode *mode, int input, struct outcome *o) {
    struct pty pty;
    pty_open(&pty, 100, 30);
    if (pty_fork(&pty, 0) == 0) {
        setsid();
        become(mode, input);
    }
    bool typed = false;
    int64_t end = pty_now_ms() + PTY_PATIENCE_MS;
    for (o->status = -1; o->status < 0 && pty_now_ms() < end;) {
        o->status = pty_ended(&pty, 5);
        if (!typed && pty_shows(&pty, "[1 Timeline]")) {
            if (mode->follows) {
                add_to_file("grows.fxt", now.rest.v, now.rest.n);
                pty_see(&pty, " 2 ev ");
            }
            pty_type(&pty, mode->keys);
            typed = true;
        }
    }
    o->seen = typed;
    o->left = pty_left(&pty);
    if (o->status < 0)
        pty_print(&pty);
    pty_close(&pty);
}

static struct outcome run(const struct mode *mode, const struct kind *kind, long nth) {
    struct outcome o = {.status = -1};
    int input = mode->input == A_PIPE ? pipe_of(&now.small) : -1;
    if (mode->follows)
        put_file("grows.fxt", now.first.v, now.first.n);
    if (mode->cache == EMPTY_CACHE)
        empty(now.index);
    if (ftruncate(now.out, 0) != 0 || ftruncate(now.err, 0) != 0 || lseek(now.out, 0, SEEK_SET) != 0 ||
        lseek(now.err, 0, SEEK_SET) != 0)
        fatal("memfd");
    memset(plan, 0, sizeof *plan);
    plan->call = kind ? kind->call : CALLS;
    plan->error = kind ? kind->error : 0;
    plan->on = kind && kind->on;
    plan->nth = nth;
    fflush(stdout); /* or the child writes it once more */
    if (mode->keys) {
        on_screen(mode, input, &o);
    } else {
        pid_t pid = fork();
        if (pid < 0)
            fatal("fork");
        if (pid == 0)
            become(mode, input);
        int status;
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            continue;
        o.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
    if (input >= 0)
        close(input);
    wait_for_all();
    o.fired = plan->fired;
    now.runs++;
    now.injected += o.fired;
    return o;
}

/* ---- what must be true of it ---- */

/* One line of fxtop's, or nothing. */
static const char *bad_lines(const char *text, int status, bool fired) {
    const char *end = strchr(text, '\n');
    if (*text == '\0')
        return status == 2 ? "status 2 and nothing said" : NULL;
    if (strncmp(text, "fxtop: ", 7) != 0 || end == NULL || end[1] != '\0')
        return "not one line on standard error";
    return status == 2 || !fired ? NULL : "a line on standard error though all went well";
}

static const char *bad_outcome(const struct mode *mode, const struct kind *kind, const struct outcome *o,
                               const char *err) {
    char name[256];
    size_t n;
    if (o->status < 0)
        return "it did not end";
    bool gone = mode->keys && o->status == 129 && !kind->unseen; /* no keys to be had: the terminal is gone */
    if (o->status > 2 && !gone)
        return "an end that the manual does not know";
    const char *why = bad_lines(err, o->status, o->fired);
    if (why)
        return why;
    if (o->status != now.reference_status && kind->unseen)
        return "what nobody should notice ended it";
    if (mode->keys && o->left)
        return o->left;
    if (mode->keys && o->status == 0 && !o->seen)
        return "no picture, and no reason said";
    if (!mode->keys && o->status == now.reference_status) {
        char *out = contents(now.out, &n);
        bool same = n == now.reference_n && memcmp(out, now.reference, n) == 0;
        free(out);
        if (!same)
            return "it ended well, but printed something else";
    }
    if (entries(now.tmp, name) > 0)
        return "a temporary file was left";
    return NULL;
}

/* The index that was left is none, or a whole one. */
static const char *bad_index(const struct mode *mode) {
    char name[256], whole[SCRATCH_PATH + 300];
    unsigned n = entries(now.index, name);
    size_t length = strlen(name);
    if (n == 0)
        return NULL;
    if (n > 1 || length < 7 || strcmp(name + length - 6, ".index") != 0)
        return "something unfinished was left beside the index";
    if (mode->keys)
        return NULL;
    snprintf(whole, sizeof whole, "%s/%s", now.index, name);
    struct stat before, after;
    if (stat(whole, &before) != 0)
        fatal(whole);
    struct mode again = *mode;
    again.cache = FULL_CACHE;
    char *out;
    size_t out_n;
    struct outcome o = run(&again, NULL, 0);
    out = contents(now.out, &out_n);
    bool same = o.status == 0 && out_n == now.reference_n && memcmp(out, now.reference, out_n) == 0;
    free(out);
    if (!same || stat(whole, &after) != 0 || after.st_ino != before.st_ino)
        return "the index that was left is not whole";
    return NULL;
}

static void report(const char *mode, const char *kind, long nth, const char *why, const char *err) {
    now.failed++;
    printf("FAILED: %s, %s, the %ld.: %s\n", mode, kind, nth, why);
    if (err && *err)
        printf("%s%s", err, err[strlen(err) - 1] == '\n' ? "" : "\n");
    fflush(stdout);
    if (now.failed == 20) {
        printf("too much fails; the rest is left out\n%u passed, %u failed\n", now.passed, now.failed);
        exit(1);
    }
}

/* Which n is tried after this one: the first all, then fewer and fewer. */
static long next(const struct mode *mode, const struct kind *kind, long nth) {
    if (now.all)
        return nth + 1;
    long dense = mode->follows ? 2 : mode->keys ? 6 : DENSE, often = kind->call == MEMORY ? 3 : 1;
    return nth < dense * often ? nth + 1 : nth + 1 + nth / 3;
}

static void try_kind(const struct mode *mode, const struct kind *kind) {
    for (long nth = 1;; nth = next(mode, kind, nth)) {
        struct outcome o = run(mode, kind, nth);
        size_t n;
        char *err = contents(now.err, &n);
        const char *why = bad_outcome(mode, kind, &o, err);
        if (why == NULL && mode->cache == EMPTY_CACHE && o.fired)
            why = bad_index(mode);
        if (why)
            report(mode->name, kind->name, nth, why, err);
        free(err);
        if (!o.fired || nth > 100000)
            break;
    }
    now.passed++;
}

static void try_mode(const struct mode *mode) {
    if (mode->cache == FULL_CACHE) {
        struct mode first = *mode;
        first.cache = EMPTY_CACHE;
        run(&first, NULL, 0);
    }
    struct outcome o = run(mode, NULL, 0);
    char name[256];
    size_t n;
    char *err = contents(now.err, &n);
    free(now.reference);
    now.reference = contents(now.out, &now.reference_n);
    now.reference_status = o.status;
    long counts[CALLS];
    for (int i = 0; i < CALLS; i++)
        counts[i] = plan->counts[i];
    if (o.status != (strcmp(mode->name, "check") == 0 ? 1 : 0) || *err || (mode->keys && (o.left || !o.seen)))
        report(mode->name, "nothing", 0, "the untouched run fails", err);
    free(err);
    if (mode->cache == EMPTY_CACHE && entries(now.index, name) != 1)
        report(mode->name, "nothing", 0, "no index was kept", NULL);
    unsigned before = now.failed;
    unsigned long injected = now.injected;
    for (int k = 0; k < KINDS && now.failed < before + 5; k++)
        if (counts[kinds[k].call] > 0)
            try_kind(mode, &kinds[k]);
    printf("%-12s %lu faults, of", mode->name, now.injected - injected);
    for (int k = 0; k < KINDS; k++)
        if (counts[kinds[k].call] > 0 && (k == 0 || kinds[k].call != kinds[k - 1].call))
            printf(" %ld %.*s", counts[kinds[k].call], (int)strcspn(kinds[k].name, " ,"), kinds[k].name);
    putchar('\n');
    fflush(stdout);
}

/* ---- setting up ---- */

static struct trace_bytes trace_of(const char *text) {
    struct err err;
    struct trace_bytes bytes = tracegen(text, &err);
    if (bytes.v == NULL) {
        fprintf(stderr, "faults: line %d: %s\n", (int)err.at, err.text);
        exit(2);
    }
    return bytes;
}

/* All kinds of records, some of them damaged, so that there is something to be said. */
static void make_traces(void) {
    static char text[60000];
    size_t n = (size_t)snprintf(text, sizeof text,
                                "magic\nprovider 1 \"p\"\ninit 1000000000\nthread 1 7 8\nthread 2 7 9\n"
                                "kernel_object 1 7 \"shell\"\nkernel_object 2 8 \"main\" process=koid:7\n");
    for (int i = 0; i < 40; i++)
        n += (size_t)snprintf(
            text + n, sizeof text - n,
            "begin %d t1 \"ui\" \"vsync %d\" n=i32:%d s=\"text\"\ncomplete %d t2 \"ui\" \"leaf\" end=%d\n"
            "flow_%s %d t1 \"c\" \"f\" id=%d\ncounter %d t1 \"c\" \"n\" id=1 v=u32:%d\n"
            "instant %d t2 \"c\" \"i\"\nasync_%s %d t1 \"c\" \"a\" id=%d\nlog %d t1 \"line %d\"\n"
            "switch %d %d %d 3 %d\nend %d t1 \"ui\" \"vsync %d\"\n",
            i * 100, i, i, i * 100 + 10, i * 100 + 60, i % 2 ? "end" : "begin", i * 100 + 5, i / 2, i * 100, i,
            i * 100 + 7, i % 2 ? "end" : "begin", i * 100, i / 2, i * 100, i, i * 100, i % 2, 8 + i % 2, 9 - i % 2,
            i * 100 + 60, i);
    snprintf(text + n, sizeof text - n, "end 9000 t1 \"ui\" \"alone\"\nblob \"b\" 1 \"bytes\"\n");
    now.small = trace_of(text);
    now.first = trace_of("magic\ninit 1000000000\ninstant 1000 7/8 \"c\" \"first\"\n");
    now.rest = trace_of("instant 2000 7/8 \"c\" \"then\"\n");
    put_file("small.fxt", now.small.v, now.small.n);
    struct trace_bytes clean = trace_of("magic\nprovider 1 \"p\"\ninit 1000000000\nthread 1 7 8\n"
                                        "begin 0 t1 \"ui\" \"vsync\" n=i32:5\nend 500 t1 \"ui\" \"vsync\"\n"
                                        "complete 600 t1 \"ui\" \"leaf\" end=900\n");
    put_file("clean.fxt", clean.v, clean.n);
    free(clean.v);
    gzFile gz = gzopen("small.fxt.gz", "wb");
    if (gz == NULL || gzwrite(gz, now.small.v, (unsigned)now.small.n) <= 0 || gzclose(gz) != Z_OK)
        fatal("gzip");
#ifdef HAVE_ZSTD
    static char packed[100000];
    size_t size = ZSTD_compress(packed, sizeof packed, now.small.v, now.small.n, 3);
    if (ZSTD_isError(size))
        fatal("zstd");
    put_file("small.fxt.zst", packed, size);
#endif
}

/* Chrome's JSON: owners that are texts, frames, more arguments than FXT holds, and an array that is not closed. */
static void put_json(void) {
    static char text[40000];
    size_t n = (size_t)snprintf(text, sizeof text, "{\"stackFrames\":{\"1\":{\"name\":\"main\"}},\"traceEvents\":[\n");
    for (int i = 0; i < 60; i++)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "{\"ph\":\"X\",\"name\":\"n %d\",\"ts\":%d.5,\"dur\":3,\"pid\":\"server\",\"tid\":%d,\"sf\":1,"
                              "\"args\":{\"a\":1,\"b\":[1,{\"c\":2}],\"d\":\"\\u00e9\"}},\n"
                              "{\"ph\":\"C\",\"name\":\"c\",\"ts\":%d,\"pid\":1,\"args\":{\"v\":%d}},\n"
                              "{\"ph\":\"%c\",\"name\":\"f\",\"id\":%d,\"ts\":%d,\"pid\":1,\"tid\":1},\n",
                              i, i * 10, i % 3, i * 10, i, i % 2 ? 'f' : 's', i / 2, i * 10 + 1);
    put_file("small.json", text, n);
    gzFile gz = gzopen("small.json.gz", "wb");
    if (gz == NULL || gzwrite(gz, text, (unsigned)n) <= 0 || gzclose(gz) != Z_OK)
        fatal("gzip");
}

static void set_up(void) {
    if (!scratch_folder(now.directory, "faults") || chdir(now.directory) != 0)
        fatal("a temporary folder");
    snprintf(now.tmp, sizeof now.tmp, "%s/tmp", now.directory);
    snprintf(now.cache, sizeof now.cache, "%s/cache", now.directory);
    snprintf(now.index, sizeof now.index, "%s/cache/fxtop", now.directory);
    if (mkdir(now.tmp, 0700) != 0 || mkdir(now.cache, 0700) != 0 || mkdir(now.index, 0700) != 0)
        fatal(now.directory);
    setenv("TMPDIR", now.tmp, 1);
    setenv("XDG_CACHE_HOME", now.cache, 1);
    setenv("XDG_STATE_HOME", "/dev/null", 1); /* no sessions: suite_state_file.c has their faults */
    setenv("TERM", "xterm-256color", 1);
    setlocale(LC_CTYPE, "C.UTF-8");
    now.out = memfd_create("out", MFD_CLOEXEC);
    now.err = memfd_create("err", MFD_CLOEXEC);
    plan = mmap(NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (now.out < 0 || now.err < 0 || plan == MAP_FAILED || prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
        fatal("setting up");
    make_traces();
    put_json();
}

static void tear_down(void) {
    char name[256];
    empty(now.index);
    if (rmdir(now.index) != 0 || rmdir(now.cache) != 0 || rmdir(now.tmp) != 0)
        report("all", "all", 0, "something was left in the directories", NULL);
    while (entries(".", name) > 0)
        if (unlink(name) != 0)
            break;
    if (chdir("/") != 0 || rmdir(now.directory) != 0)
        report("all", "all", 0, "something was left", NULL);
    free(now.small.v);
    free(now.first.v);
    free(now.rest.v);
    free(now.reference);
}

/* ---- what really happens ---- */

struct real {
    const char *argv[8];
    const struct trace_bytes *piped; /* the content of standard input, or NULL */
    int out;                         /* standard output, -1: a file */
    rlim_t most;                     /* bytes of a file that may be written, 0: any */
    const char *tmp, *cache;         /* other directories, or NULL */
};

static int start_real(const struct real *real) {
    struct mode mode = {.name = "real"};
    memcpy(mode.argv, real->argv, sizeof mode.argv);
    if (ftruncate(now.out, 0) != 0 || ftruncate(now.err, 0) != 0 || lseek(now.out, 0, SEEK_SET) != 0 ||
        lseek(now.err, 0, SEEK_SET) != 0)
        fatal("memfd");
    memset(plan, 0, sizeof *plan);
    plan->call = CALLS;
    fflush(stdout);
    int input = real->piped ? pipe_of(real->piped) : -1, saved = now.out;
    pid_t pid = fork();
    if (pid < 0)
        fatal("fork");
    if (pid == 0) {
        struct rlimit limit = {real->most, real->most};
        if (real->most > 0)
            setrlimit(RLIMIT_FSIZE, &limit);
        if (real->tmp)
            setenv("TMPDIR", real->tmp, 1);
        if (real->cache)
            setenv("XDG_CACHE_HOME", real->cache, 1);
        if (real->out >= 0)
            now.out = real->out;
        become(&mode, input);
    }
    now.out = saved;
    if (input >= 0)
        close(input);
    if (real->out >= 0)
        close(real->out);
    int status;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    wait_for_all();
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void expect(bool good, const char *what, const char *why) {
    size_t n;
    char *err = contents(now.err, &n);
    if (good)
        now.passed++;
    else
        report(what, "for real", 1, why, err);
    free(err);
}

static bool said(const char *text) {
    size_t n;
    char *err = contents(now.err, &n);
    bool found = text ? strncmp(err, "fxtop: ", 7) == 0 && strstr(err, text) != NULL && strchr(err, '\n') == err + n - 1
                      : *err == '\0';
    free(err);
    return found;
}

static bool printed(const char *text) {
    size_t n;
    char *out = contents(now.out, &n);
    bool found = strstr(out, text) != NULL;
    free(out);
    return found;
}

/* A full disk: the part of a pipe that fits is shown, with a message; an index is not cached, without a message. */
static void full_disks(const struct trace_bytes *large) {
    char name[256], small[SCRATCH_PATH + 20], cache[SCRATCH_PATH + 40];
    int status = start_real(&(struct real){{"fxtop", "--print=100x30", "-"}, large, -1, 65536, NULL, NULL});
    expect(status == 2 && said("no space left for the temporary file") && printed("[1 Timeline]"), "a file size limit",
           "what came is not shown, or not why there is no more");
    empty(now.index);
    status = start_real(&(struct real){{"fxtop", "--print=100x30", "large.fxt"}, NULL, -1, 65536, NULL, NULL});
    expect(status == 0 && said(NULL) && entries(now.index, name) == 0, "an index over the file size limit",
           "something was said, or left");

    snprintf(small, sizeof small, "%s/disk", now.directory);
    snprintf(cache, sizeof cache, "%s/fxtop", small);
    if (mkdir(small, 0700) != 0)
        fatal(small);
    if (mount("tmpfs", small, "tmpfs", 0, "size=128k") != 0) {
        printf("no small disk can be mounted here (%s): the limit of sizes stands for it\n", strerror(errno));
    } else {
        status = start_real(&(struct real){{"fxtop", "--print=100x30", "-"}, large, -1, 0, small, NULL});
        expect(status == 2 && said("space") && printed("[1 Timeline]") && entries(small, name) == 0, "a full disk",
               "what came is not shown, or not why there is no more");
        status = start_real(&(struct real){{"fxtop", "--print=100x30", "large.fxt"}, NULL, -1, 0, NULL, small});
        expect(status == 0 && said(NULL) && entries(cache, name) == 0, "an index on a full disk",
               "something was said, or left");
        if (umount(small) != 0)
            fatal(small);
    }
    rmdir(small);
}

static void outputs_that_fail(void) {
    static const char *const options[] = {"--print",      "--summary",       "--check",
                                          "--records",    "--export=ndjson", "--export=json",
                                          "--export=csv", "--list-keys",     "--help"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        struct real real = {{"fxtop", options[i], "small.fxt"}, NULL, open("/dev/full", O_WRONLY), 0, NULL, NULL};
        int status = start_real(&real);
        expect(status == 2 && said("cannot write: "), options[i], "a full disk was not reported");
        int ends[2];
        if (pipe(ends) != 0)
            fatal("pipe");
        close(ends[0]);
        real.out = ends[1];
        status = start_real(&real);
        expect((status == 0 || status == 1 || status == 128 + SIGPIPE) && said(NULL), options[i],
               "a reader that went away was complained of");
    }
}

enum { TRUNCATED, EMPTIED, GREW, REPLACED, OVERWRITTEN, REMOVED, CHANGES };

static const struct {
    const char *name, *again; /* the message of R */
} changes[CHANGES] = {
    [TRUNCATED] = {"truncated", "reloaded"},
    [EMPTIED] = {"emptied", "cannot reload: empty file"},
    [GREW] = {"grown", "reloaded"},
    [REPLACED] = {"replaced", "reloaded"},
    [OVERWRITTEN] = {"overwritten", "reloaded"},
    [REMOVED] = {"removed", "cannot reload: no such file"},
};

static void change(int how, const char *path, const struct trace_bytes *large) {
    int fd = open(path, O_WRONLY);
    bool good = fd >= 0;
    switch (how) {
    case TRUNCATED:
        good = good && ftruncate(fd, 5000) == 0;
        break;
    case EMPTIED:
        good = good && ftruncate(fd, 0) == 0;
        break;
    case GREW:
        add_to_file(path, now.rest.v, now.rest.n);
        break;
    case REPLACED:
        put_file("other", now.small.v, now.small.n);
        good = rename("other", path) == 0;
        break;
    case OVERWRITTEN: /* as long as it was, and no record is where one was; the start is still that of a trace */
        for (size_t at = 4099; good && at < large->n; at += 4096)
            good = pwrite(fd, large->v, at + 4000 < large->n ? 4000 : large->n - at, (off_t)at) > 0;
        good = good && pwrite(fd, "xxxxxxxx", 8, (off_t)(large->n - 8)) == 8;
        break;
    default:
        good = unlink(path) == 0;
        break;
    }
    if (fd >= 0)
        close(fd);
    if (!good)
        fatal(path);
}

/* All at once: what happens to a file is looked for every other second. Before it is noticed what is gone is drawn. */
static void files_that_change(const struct trace_bytes *large) {
    static struct pty ptys[CHANGES];
    char paths[CHANGES][20];
    for (int i = 0; i < CHANGES; i++) {
        snprintf(paths[i], sizeof paths[i], "%s.fxt", changes[i].name);
        put_file(paths[i], large->v, large->n);
        struct mode mode = {.name = changes[i].name, .argv = {"fxtop", "--no-cache", paths[i]}, .keys = ""};
        fflush(stdout);
        pty_open(&ptys[i], 100, 30);
        if (pty_fork(&ptys[i], 0) == 0)
            become(&mode, -1);
    }
    for (int i = 0; i < CHANGES; i++) {
        bool good = pty_see(&ptys[i], "idx 100%");
        expect(good, changes[i].name, "there is no picture");
        change(i, paths[i], large);
        pty_type(&ptys[i], "lG$hgg^lw\twww\t5G1/leaf\rnnX1$");
    }
    for (int i = 0; i < CHANGES; i++) {
        struct pty *p = &ptys[i];
        bool good = pty_see(p, "changed  idx");
        expect(good, changes[i].name, "it was not noticed");
        expect(i > EMPTIED || pty_see(p, "file truncated"), changes[i].name, "a truncated file is not reported");
        pty_type(p, "R");
        bool again = pty_see(p, changes[i].again);
        expect(again, changes[i].name, "it was not read again");
        if (!good || !again)
            pty_print(p);
        pty_type(p, "G0l/leaf\rnQ");
        int status = pty_ended(p, PTY_PATIENCE_MS);
        const char *left = pty_left(p);
        expect(status == 0 && left == NULL, changes[i].name, left ? left : "it did not end well");
        pty_close(p);
        unlink(paths[i]);
    }
}

/* More than a pipe holds, and than a page; its index is more than the small disk. */
static struct trace_bytes large_trace(void) {
    enum { CALLS_MADE = 9000 };
    const size_t room = CALLS_MADE * 100 + 200;
    char *text = malloc(room);
    size_t n = (size_t)snprintf(
        text, room, "magic\ninit 1000000000\nthread 1 7 8\nstring 1 \"c\"\nstring 2 \"call\"\nstring 3 \"leaf\"\n");
    for (int i = 0; i < CALLS_MADE; i++)
        n += (size_t)snprintf(text + n, room - n, "complete %d t1 s1 s2 end=%d\ncomplete %d t1 s1 s3 end=%d n=i32:%d\n", i * 100,
                             i * 100 + 60, i * 100 + 10, i * 100 + 30, i);
    struct trace_bytes bytes = trace_of(text);
    free(text);
    return bytes;
}

/* Bytes of the kept index's last half, where the slices are. */
static void damage_index(void) {
    char name[256], path[SCRATCH_PATH + 300];
    struct stat s;
    if (entries(now.index, name) != 1)
        fatal("no index");
    snprintf(path, sizeof path, "%s/%s", now.index, name);
    int fd = open(path, O_WRONLY);
    if (fd < 0 || fstat(fd, &s) != 0)
        fatal(path);
    for (off_t at = s.st_size / 2; at < s.st_size; at += 1000)
        if (pwrite(fd, "damage", 6, at) != 6)
            fatal(path);
    close(fd);
}

static void indexes_that_are_damaged(void) {
    static const struct real print = {{"fxtop", "--print=100x30", "--keys=l<Tab>", "large.fxt"}, NULL, -1, 0, NULL, NULL};
    empty(now.index);
    int status = start_real(&print);
    size_t n;
    char *first = contents(now.out, &n);
    damage_index();
    status += start_real(&print);
    char *second = contents(now.out, &n);
    expect(status == 0 && said(NULL) && strcmp(first, second) == 0, "a damaged index, printed",
           "it is not as if there were none");
    free(first);
    free(second);
    damage_index();
    struct pty pty;
    fflush(stdout);
    pty_open(&pty, 100, 30);
    if (pty_fork(&pty, 0) == 0)
        become(&(struct mode){.argv = {"fxtop", "large.fxt"}, .keys = ""}, -1);
    bool seen = pty_see(&pty, "idx 100%") && pty_see(&pty, "call");
    pty_type(&pty, "l\033OQ\033OQQ"); /* the mouse off and on, too */
    status = pty_ended(&pty, PTY_PATIENCE_MS);
    expect(seen && status == 0 && pty_left(&pty) == NULL, "a damaged index, on the screen", "it did not end well");
    pty_close(&pty);
    wait_for_all();
}

static void what_is_asked_wrongly(void) {
    static const struct {
        const char *argv[6], *says;
    } cases[] = {
        {{"fxtop", "--export=csv", "--keys=?", "small.fxt"}, "lead to another view"},
        {{"fxtop", "--export=csv", "--keys=<nothing>", "small.fxt"}, "--keys: no such key"},
        {{"fxtop", "--print", "--at=soon", "small.fxt"}, "--at: not a time: soon"},
        {{"fxtop", "--print", "--window=wide", "small.fxt"}, "--window expects a duration"},
        {{"fxtop", "--summary", "missing.fxt"}, "no such file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct real real = {.out = -1};
        memcpy(real.argv, cases[i].argv, sizeof cases[i].argv);
        int status = start_real(&real);
        expect(status == 2 && said(cases[i].says), cases[i].argv[1], "it is not refused in one line");
    }
    struct pty pty;
    fflush(stdout);
    pty_open(&pty, 100, 30);
    if (pty_fork(&pty, 0) == 0)
        become(&(struct mode){.argv = {"fxtop", "--at=soon", "small.fxt"}, .keys = ""}, -1);
    expect(pty_ended(&pty, PTY_PATIENCE_MS) == 2 && pty_left(&pty) == NULL, "--at=soon on the screen",
           "it is not refused");
    pty_close(&pty);
    int status = start_real(&(struct real){{"fxtop", "--version"}, NULL, -1, 0, NULL, NULL});
    expect(status == 0 && said(NULL) && printed("fxtop "), "--version", "it does not say");
    static const char *const stats[] = {"--print", "--summary", "--check", "--records", "--export=ndjson"};
    for (size_t i = 0; i < sizeof stats / sizeof *stats; i++) {
        status = start_real(&(struct real){{"fxtop", "--stats", stats[i], "small.fxt"}, NULL, -1, 0, NULL, NULL});
        size_t n;
        char *err = contents(now.err, &n), *ms = strstr(err, "index ");
        expect(status < 2 && (strcmp(stats[i], "--records") == 0 || (ms && strtod(ms + 6, NULL) > 0)), stats[i],
               "--stats does not say how long the index took");
        free(err);
    }
}

static void try_real(void) {
    struct trace_bytes large = large_trace();
    put_file("large.fxt", large.v, large.n);
    indexes_that_are_damaged();
    what_is_asked_wrongly();
    full_disks(&large);
    outputs_that_fail();
    files_that_change(&large);
    free(large.v);
    empty(now.index);
    empty(now.tmp);
}

int main(int argc, char **argv) {
    bool named = false;
    set_up();
    now.all = argc > 1 && strcmp(argv[1], "all") == 0;
    for (int i = 1 + now.all; i < argc; i++) {
        named = named || strcmp(argv[i], "real") == 0;
        for (int m = 0; m < MODES; m++)
            if (strcmp(modes[m].name, argv[i]) == 0) {
                try_mode(&modes[m]);
                named = true;
            }
    }
    for (int m = 0; m < MODES && !named; m++)
        try_mode(&modes[m]);
    if (!named || strcmp(argv[1], "real") == 0)
        try_real();
    tear_down();
    printf("%lu faults in %lu runs\n%u passed, %u failed\n", now.injected, now.runs, now.passed, now.failed);
    return now.failed > 0;
}
