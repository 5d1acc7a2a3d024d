/* faults_calls.c - calls of the system that pass through here and may fail (ld's --wrap).
 *
 * The plan has the call that fails, its error, and which one of them. Calls of the test itself
 * never fail. */
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>
#ifdef HAVE_SQLITE
#include <sqlite3.h>
#endif

#include "tests/system/faults.h"

struct plan *faults_plan;
static bool armed;

static bool fault(enum call call) {
    if (!armed)
        return false;
    long n = atomic_fetch_add(&faults_plan->counts[call], 1) + 1;
    if (call != faults_plan->call ||
        (faults_plan->on ? n < faults_plan->nth : n != faults_plan->nth))
        return false;
    faults_plan->fired = true;
    errno = faults_plan->error;
    return true;
}

#define WRAP(type, name, parameters)                                                               \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
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
    if (faults_plan->error != SHORT)
        return false;
    *n = *n > 1 ? 1 : *n;
    return true;
}

WRAP(ssize_t, read, (int fd, void *v, size_t n)) {
    return some(READ, &n) ? __real_read(fd, v, n) : -1;
}

/* A terminal that fails is gone, and output to it then does not matter. */
WRAP(ssize_t, write, (int fd, const void *v, size_t n)) {
    bool transient = !armed || faults_plan->error == EINTR || faults_plan->error == SHORT ||
                     faults_plan->error == EAGAIN;
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
    unsigned mode = va_arg(args, unsigned); /* ignored unless the flags ask for it */
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

WRAP(int, pthread_create,
     (pthread_t * t, const pthread_attr_t *a, void *(*run)(void *), void *ctx)) {
    return fault(THREAD) ? faults_plan->error : __real_pthread_create(t, a, run, ctx);
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
static void fail_in_sqlite(void) {
}
#endif

void faults_arm(bool arm) {
    if (arm)
        fail_in_sqlite();
    armed = arm;
}
