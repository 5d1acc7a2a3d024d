/* waits.c - the library of `fxtop record --waits`: calls of the C library that wait become slices.
 *
 * The program loads it before the C library (LD_PRELOAD), so that its calls come here first. A call
 * that takes less than the limit leaves nothing; it costs two readings of the clock. The C library's
 * own calls, as of stdio, do not come here, nor do those of a program that is linked statically.
 *
 * The trace library inside calls the same functions: the linker turns its calls into those of
 * __wrap_NAME(), which pass on without a slice (--wrap in Makefile.am). */
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "provider/lib/trace/event.h"
#include "provider/preload/since.h"

#define CATEGORY "wait"
#define LIMIT_NS 10000 /* unless the environment has another */

/* The thing that a call waits for. */
struct subject {
    enum { NOTHING, DESCRIPTOR, OBJECT, NUMBER } kind;
    const char *key; /* of OBJECT and NUMBER */
    const void *object;
    int64_t number; /* the descriptor, or another number */
};

static uint64_t limit_ns = LIMIT_NS;

static __thread bool inside; /* a slice is written: calls on the way are no waits of the program */

/* ---- the functions of the C library ---- */

/* glibc has two functions of this name: the older one is for programs of 2003. */
static void *find_next(const char *name) {
    void *found = NULL;
#ifdef __GLIBC__
    if (name[0] == 'p' && name[8] == 'c') /* pthread_cond_... */
        found = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
#endif
    if (found == NULL)
        found = dlsym(RTLD_NEXT, name);
    if (found == NULL)
        abort(); /* the C library lacks a function that the program calls */
    return found;
}

#define REAL(name)                                                                                 \
    static __typeof__(name) *real_##name;                                                          \
    static __typeof__(name) *next_##name(void) {                                                   \
        __typeof__(name) *real = __atomic_load_n(&real_##name, __ATOMIC_RELAXED);                  \
        if (real == NULL) {                                                                        \
            real = (__typeof__(name) *)(uintptr_t)find_next(#name);                                \
            __atomic_store_n(&real_##name, real, __ATOMIC_RELAXED);                                \
        }                                                                                          \
        return real;                                                                               \
    }

/* ---- slices ---- */

static inline struct since begin(void) {
    return inside ? (struct since){0, 0} : since_now();
}

/* The path of a descriptor, or its kind and number: "socket:[1234]". */
static size_t path_of(int fd, char *path, size_t size) {
    char link[40];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, size);
    return n > 0 ? (size_t)n : 0;
}

static uint32_t describe(struct fxttrace_arg v[3], const struct subject *of, char *text,
                         size_t size) {
    Dl_info info;
    uint32_t n = 0;
    if (of->kind == DESCRIPTOR) {
        size_t length = path_of((int)of->number, text, size);
        if (length > 0)
            v[n++] = (struct fxttrace_arg){"file", TA_CHAR_ARRAY(text, length)};
        v[n++] = (struct fxttrace_arg){"fd", TA_INT32(of->number)};
    } else if (of->kind == OBJECT) {
        if (dladdr(of->object, &info) != 0 && info.dli_sname && info.dli_saddr == of->object)
            v[n++] = (struct fxttrace_arg){"symbol", TA_STRING(info.dli_sname)};
        v[n++] = (struct fxttrace_arg){of->key, TA_POINTER(of->object)};
    } else if (of->kind == NUMBER) {
        v[n++] = (struct fxttrace_arg){of->key, TA_INT64(of->number)};
    }
    return n;
}

/* Keeps errno: it is the call's. */
static void end(struct since from, const char *name, const struct subject *of, int64_t result) {
    int saved = errno;
    char text[256];
    struct fxttrace_arg v[3];
    uint64_t begin;
    inside = true;
    if (since_begin(from, limit_ns, CATEGORY, &begin)) {
        uint32_t n = describe(v, of, text, sizeof text);
        if (of->kind == DESCRIPTOR && result >= 0)
            v[n++] = (struct fxttrace_arg){"result", TA_INT64(result)};
        fxttrace_complete(CATEGORY, name, begin, v, n);
    }
    inside = false;
    errno = saved;
}

static inline struct subject of_fd(int fd) {
    return (struct subject){.kind = DESCRIPTOR, .number = fd};
}

static inline struct subject of_object(const char *key, const void *object) {
    return (struct subject){.kind = OBJECT, .key = key, .object = object};
}

static inline struct subject of_number(const char *key, int64_t number) {
    return (struct subject){.kind = NUMBER, .key = key, .number = number};
}

/* A function that may wait, and the way around it for the trace library. */
#define WAITS(type, name, parameters, arguments, of)                                               \
    REAL(name)                                                                                     \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters {                                                                \
        return next_##name() arguments;                                                            \
    }                                                                                              \
    __attribute__((visibility("default"))) type name parameters {                                  \
        struct since from = begin();                                                               \
        type result = next_##name() arguments;                                                     \
        if (from.generation > 0)                                                                   \
            end(from, #name, &(struct subject[1]){of}[0], (int64_t)result);                        \
        return result;                                                                             \
    }

/* A lock: only one that is taken is waited for. */
#define LOCKS(name, attempt, type, key)                                                            \
    REAL(attempt)                                                                                  \
    REAL(name)                                                                                     \
    int __wrap_##name(type *lock);                                                                 \
    int __wrap_##name(type *lock) {                                                                \
        return next_##name()(lock);                                                                \
    }                                                                                              \
    __attribute__((visibility("default"))) int name(type *lock) {                                  \
        int result = next_##attempt()(lock);                                                       \
        if (result != EBUSY)                                                                       \
            return result;                                                                         \
        struct since from = begin();                                                               \
        result = next_##name()(lock);                                                              \
        if (from.generation > 0)                                                                   \
            end(from, #name, &(struct subject[1]){of_object(key, lock)}[0], 0);                    \
        return result;                                                                             \
    }

LOCKS(pthread_mutex_lock, pthread_mutex_trylock, pthread_mutex_t, "mutex")
LOCKS(pthread_rwlock_rdlock, pthread_rwlock_tryrdlock, pthread_rwlock_t, "rwlock")
LOCKS(pthread_rwlock_wrlock, pthread_rwlock_trywrlock, pthread_rwlock_t, "rwlock")

WAITS(int, pthread_mutex_timedlock, (pthread_mutex_t * m, const struct timespec *t), (m, t),
      of_object("mutex", m))
WAITS(int, pthread_cond_wait, (pthread_cond_t * c, pthread_mutex_t *m), (c, m),
      of_object("condition", c))
WAITS(int, pthread_cond_timedwait,
      (pthread_cond_t * c, pthread_mutex_t *m, const struct timespec *t), (c, m, t),
      of_object("condition", c))
WAITS(int, pthread_join, (pthread_t thread, void **value), (thread, value),
      of_object("thread", (const void *)(uintptr_t)thread))
WAITS(int, pthread_barrier_wait, (pthread_barrier_t * b), (b), of_object("barrier", b))
WAITS(int, sem_wait, (sem_t * s), (s), of_object("semaphore", s))
WAITS(int, sem_timedwait, (sem_t * s, const struct timespec *t), (s, t), of_object("semaphore", s))

#ifdef __GLIBC__
WAITS(int, pthread_mutex_clocklock,
      (pthread_mutex_t * m, clockid_t clock, const struct timespec *t), (m, clock, t),
      of_object("mutex", m))
WAITS(int, pthread_cond_clockwait,
      (pthread_cond_t * c, pthread_mutex_t *m, clockid_t clock, const struct timespec *t),
      (c, m, clock, t), of_object("condition", c))
WAITS(int, sem_clockwait, (sem_t * s, clockid_t clock, const struct timespec *t), (s, clock, t),
      of_object("semaphore", s))
WAITS(ssize_t, pread64, (int fd, void *to, size_t n, off64_t at), (fd, to, n, at), of_fd(fd))
WAITS(ssize_t, pwrite64, (int fd, const void *from_, size_t n, off64_t at), (fd, from_, n, at),
      of_fd(fd))
#endif

WAITS(unsigned, sleep, (unsigned s), (s), of_number("seconds", s))
WAITS(int, usleep, (useconds_t us), (us), of_number("us", us))
WAITS(int, nanosleep, (const struct timespec *t, struct timespec *left), (t, left),
      of_number("us", t ? t->tv_sec *INT64_C(1000000) + t->tv_nsec / 1000 : 0))
WAITS(int, clock_nanosleep,
      (clockid_t clock, int flags, const struct timespec *t, struct timespec *left),
      (clock, flags, t, left), of_number("clock", clock))

WAITS(int, poll, (struct pollfd * v, nfds_t n, int ms), (v, n, ms),
      n == 1 ? of_fd(v->fd) : of_number("descriptors", (int64_t)n))
WAITS(int, ppoll, (struct pollfd * v, nfds_t n, const struct timespec *t, const sigset_t *signals),
      (v, n, t, signals), n == 1 ? of_fd(v->fd) : of_number("descriptors", (int64_t)n))
WAITS(int, select, (int n, fd_set *r, fd_set *w, fd_set *x, struct timeval *t), (n, r, w, x, t),
      of_number("descriptors", n))
WAITS(int, pselect,
      (int n, fd_set *r, fd_set *w, fd_set *x, const struct timespec *t, const sigset_t *signals),
      (n, r, w, x, t, signals), of_number("descriptors", n))
WAITS(int, epoll_wait, (int fd, struct epoll_event *v, int n, int ms), (fd, v, n, ms), of_fd(fd))
WAITS(int, epoll_pwait, (int fd, struct epoll_event *v, int n, int ms, const sigset_t *signals),
      (fd, v, n, ms, signals), of_fd(fd))

WAITS(ssize_t, read, (int fd, void *to, size_t n), (fd, to, n), of_fd(fd))
WAITS(ssize_t, readv, (int fd, const struct iovec *v, int n), (fd, v, n), of_fd(fd))
WAITS(ssize_t, pread, (int fd, void *to, size_t n, off_t at), (fd, to, n, at), of_fd(fd))
WAITS(ssize_t, write, (int fd, const void *from_, size_t n), (fd, from_, n), of_fd(fd))
WAITS(ssize_t, writev, (int fd, const struct iovec *v, int n), (fd, v, n), of_fd(fd))
WAITS(ssize_t, pwrite, (int fd, const void *from_, size_t n, off_t at), (fd, from_, n, at),
      of_fd(fd))
WAITS(int, fsync, (int fd), (fd), of_fd(fd))
WAITS(int, fdatasync, (int fd), (fd), of_fd(fd))
WAITS(int, flock, (int fd, int operation), (fd, operation), of_fd(fd))

WAITS(int, connect, (int fd, const struct sockaddr *to, socklen_t n), (fd, to, n), of_fd(fd))
WAITS(int, accept, (int fd, struct sockaddr *of_, socklen_t *n), (fd, of_, n), of_fd(fd))
WAITS(int, accept4, (int fd, struct sockaddr *of_, socklen_t *n, int flags), (fd, of_, n, flags),
      of_fd(fd))
WAITS(ssize_t, recv, (int fd, void *to, size_t n, int flags), (fd, to, n, flags), of_fd(fd))
WAITS(ssize_t, recvfrom,
      (int fd, void *to, size_t n, int flags, struct sockaddr *of_, socklen_t *size),
      (fd, to, n, flags, of_, size), of_fd(fd))
WAITS(ssize_t, recvmsg, (int fd, struct msghdr *m, int flags), (fd, m, flags), of_fd(fd))
WAITS(ssize_t, send, (int fd, const void *from_, size_t n, int flags), (fd, from_, n, flags),
      of_fd(fd))
WAITS(ssize_t, sendto,
      (int fd, const void *from_, size_t n, int flags, const struct sockaddr *to, socklen_t size),
      (fd, from_, n, flags, to, size), of_fd(fd))
WAITS(ssize_t, sendmsg, (int fd, const struct msghdr *m, int flags), (fd, m, flags), of_fd(fd))

WAITS(pid_t, wait, (int *status), (status), of_number("pid", result))
WAITS(pid_t, waitpid, (pid_t pid, int *status, int options), (pid, status, options),
      of_number("pid", result))
WAITS(pid_t, wait4, (pid_t pid, int *status, int options, struct rusage *usage),
      (pid, status, options, usage), of_number("pid", result))

__attribute__((constructor(102))) static void waits_begin(void) {
    const char *limit = getenv("FXTTRACE_WAITS");
    if (limit)
        limit_ns = strtoull(limit, NULL, 10);
}
