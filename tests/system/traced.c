/* traced.c - a program that traces itself, for record.sh.
 *
 *     traced steps THREADS N [FILE]   N numbered slices and instants each; with FILE the number committed is kept in it
 *     traced kill FILE US             steps without end on two threads, and SIGKILL after so many us
 *     traced fork                     events before and after fork(), in a child, in two threads of a child, and in a
 *                                     child that calls exec
 *     traced kinds                    one event of each kind
 *     traced alert NAME               an alert, and then sleep
 *     traced again N                  N steps when tracing is on, and N when it begins again
 *     traced closes N                 closes all descriptors, uses their numbers and leaves its directory, as a daemon
 *                                     does; N steps if tracing is on, and N when it begins again
 *     traced copies                   copies that fork() has not made have events, and end by exit() and exec
 *     traced interrupted N            forks N times in a signal handler, in the midst of events with new names
 *     traced leaves N                 N steps, then the main thread ends; N of another thread after that
 *     traced wait                     waits until tracing is on, and writes one event
 *     traced plugin FILE              calls a library with macros that is loaded twice, and unloaded
 *     traced late N                   stops the recorder, calls exec and writes 2 N events; N more once it is traced
 *     traced refused SOCKET MS        is the manager that refuses a provider for so long: prints how often
 *     traced pause [alone]            has the manager pause and go on, twice, and writes before, meanwhile and after; alone:
 *                                     it may open no file once it is traced
 *     traced snapshots FILE           writes 100 instants before a snapshot, FILE.1.fxt, and before another one
 *     traced early FILE               a provider that asks for the snapshot FILE of an event, and sends STARTED later
 *     traced burst FILE               20,000 instants at once, then an instant and a line of output, and waits for FILE
 *     traced crash                    SIGSEGV in a slice
 *     traced hurry N                  N children, each with an instant, that end after 200 ms
 *     traced crowd N TOGETHER         N children, each with an instant; TOGETHER 1: none ends before all are traced
 *     traced shut N                   N children that may open no file and end after an instant
 *     traced usage FILE               uses memory and a processor, sleeps, and writes what the kernel counts of it: peak bytes,
 *                                     minor faults, ns of CPU time, voluntary switches; ends with status 7
 *     traced orphan                   a child is killed by a signal, and not waited for until the manager may know
 *     traced lie SOCKET               a provider that breaks the protocol in each state */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <lib/trace/event.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "provider/wire.h"

#define THREADS 8 /* at most */

static unsigned steps;
static volatile uint64_t *committed; /* by thread, in lines of their own */

static void pause_us(long us) {
    nanosleep(&(struct timespec){us / 1000000, us % 1000000 * 1000}, NULL);
}

static void wait_for_tracing(void) {
    for (int i = 0; i < 20000 && !TRACE_ENABLED(); i++)
        pause_us(1000);
}

static void *step(void *number) {
    int thread = (int)(intptr_t)number;
    for (unsigned i = 0; i < steps; i++) {
        { TRACE_DURATION("steps", "work", "k", TA_INT32(thread), "i", TA_UINT32(i)); }
        TRACE_INSTANT("steps", "tick", TRACE_SCOPE_THREAD, "k", TA_INT32(thread), "i",
                      TA_UINT32(i));
        if (committed)
            committed[8 * thread] = i + 1;
        if (i % 200 == 0)
            pause_us(100);
    }
    return NULL;
}

static int run_steps(int threads, const char *file) {
    pthread_t v[THREADS];
    if (file) {
        int fd = open(file, O_RDWR | O_CREAT | O_TRUNC, 0600);
        if (fd < 0 || ftruncate(fd, 4096) != 0)
            return 1;
        committed = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        wait_for_tracing(); /* a machine that is busy may start the session late */
    }
    for (intptr_t k = 0; k < threads; k++)
        pthread_create(&v[k], NULL, step, (void *)k);
    for (int k = 0; k < threads; k++)
        pthread_join(v[k], NULL);
    return 0;
}

static void *kill_later(void *us) {
    pause_us((intptr_t)us);
    kill(getpid(), SIGKILL);
    return NULL;
}

/* known: the thread has had an event before. */
static bool copy_ends(const char *self, bool known, bool execs) {
    int status;
    if (known)
        TRACE_INSTANT("copies", "before", TRACE_SCOPE_THREAD);
    pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) {
        alarm(20);
        TRACE_INSTANT("copies", "in the copy", TRACE_SCOPE_THREAD);
        TRACE_ALERT("copies", "of a copy");
        if (execs)
            execl(self, self, "wait", (char *)NULL);
        exit(execs ? 127 : 0);
    }
    return waitpid(child, &status, 0) == child && status == 0;
}

static int run_copies(const char *self) {
    bool ok = true;
    wait_for_tracing();
    for (int i = 0; i < 4; i++)
        ok = copy_ends(self, i >= 2, i % 2 == 1) && ok;
    TRACE_INSTANT("copies", "after", TRACE_SCOPE_THREAD);
    return ok ? 0 : 3;
}

static int run_fork(const char *self) {
    { TRACE_DURATION("fork", "before"); }
    pid_t child = fork();
    if (child == 0) {
        if (!TRACE_CATEGORY_ENABLED("fork"))
            return 3;
        TRACE_DURATION("fork", "in the child");
        return 0;
    }
    pid_t other = fork();
    if (other == 0) {
        execl(self, self, "wait", (char *)NULL);
        _exit(127);
    }
    pid_t both = fork();
    if (both == 0) { /* the first events of two threads at once */
        steps = 300;
        return run_steps(2, NULL);
    }
    { TRACE_DURATION("fork", "after"); }
    waitpid(child, NULL, 0);
    waitpid(other, NULL, 0);
    waitpid(both, NULL, 0);
    return 0;
}

/* glibc passes the command line. */
__attribute__((constructor)) static void before_main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "kinds") == 0)
        TRACE_INSTANT("kinds", "before main", TRACE_SCOPE_THREAD);
}

static bool ran_kinds;

__attribute__((destructor)) static void after_main(void) {
    if (ran_kinds)
        TRACE_INSTANT("kinds", "after main", TRACE_SCOPE_THREAD);
}

static int run_kinds(void) {
    ran_kinds = true;
    uint64_t id = TRACE_NONCE();
    char bytes[3000];
    memset(bytes, 'b', sizeof bytes);
    TRACE_DURATION("kinds", "scope", "null", TA_NULL(), "bool", TA_BOOL(1), "i32", TA_INT32(-1),
                   "u32", TA_UINT32(2), "i64", TA_INT64(-3), "u64", TA_UINT64(4), "double",
                   TA_DOUBLE(0.5), "string", TA_STRING("text"), "literal",
                   TA_STRING_LITERAL("literal"), "array", TA_CHAR_ARRAY("array", 3), "pointer",
                   TA_POINTER((void *)16), "koid", TA_KOID(17));
    TRACE_DURATION_BEGIN("kinds", "begin");
    TRACE_FLOW_BEGIN("kinds", "flow", id);
    TRACE_FLOW_STEP("kinds", "flow", id);
    TRACE_FLOW_END("kinds", "flow", id);
    TRACE_DURATION_END("kinds", "begin");
    TRACE_DURATION_END("kinds", "without a begin");
    TRACE_COUNTER("kinds", "counter", 1, "value", TA_INT32(5));
    TRACE_ASYNC_BEGIN("kinds", "async", id);
    TRACE_ASYNC_INSTANT("kinds", "async", id);
    TRACE_ASYNC_END("kinds", "async", id);
    TRACE_INSTAFLOW_BEGIN("kinds", "flow2", "instaflow", id);
    TRACE_INSTAFLOW_STEP("kinds", "flow2", "instaflow", id);
    TRACE_INSTAFLOW_END("kinds", "flow2", "instaflow", id);
    TRACE_BLOB(TRACE_BLOB_TYPE_DATA, "blob", bytes, sizeof bytes);
    TRACE_BLOB_EVENT("kinds", "blob event", bytes, sizeof bytes, "size", TA_INT32(3000));
    TRACE_BLOB_ATTACHMENT("kinds", "attachment", bytes, sizeof bytes);
    TRACE_VTHREAD_DURATION_BEGIN("kinds", "virtual", "queue", 7, fxttrace_ticks());
    TRACE_VTHREAD_DURATION_END("kinds", "virtual", "queue", 7, fxttrace_ticks());
    static char text[20001];
    memset(text, 't', sizeof text - 1);
    TRACE_INSTANT("kinds", "long", TRACE_SCOPE_THREAD, "one", TA_STRING(text), "two",
                  TA_STRING(text));
    TRACE_INSTANT("other", "other category", TRACE_SCOPE_GLOBAL);
    for (int i = 0; i < 3; i++) {
        char name[32];
        snprintf(name, sizeof name, "made %d", i);
        TRACE_INSTANT("kinds", name, TRACE_SCOPE_PROCESS);
    }
    fxttrace_instant("kinds", "plain");
    return TRACE_CATEGORY_ENABLED("kinds") ? 0 : 3;
}

static int connect_to(const char *path) {
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    snprintf(to.sun_path, sizeof to.sun_path, "%s", path);
    if (connect(fd, (struct sockaddr *)&to, sizeof to) != 0)
        exit(1);
    return fd;
}

static void send_register(int fd, uint32_t version, size_t name) {
    struct {
        struct wire_control head;
        struct wire_register body;
        char name[200];
    } m = {{WIRE_REGISTER, 0, (uint32_t)(sizeof m.body + name)},
           {version, 0, (uint64_t)getpid()},
           "liar"};
    if (send(fd, &m, sizeof m.head + sizeof m.body + name, MSG_NOSIGNAL) < 0)
        exit(2);
}

/* The descriptors of INITIALIZE; -1: the connection was closed. */
static int initialized(int fd, int fds[2]) {
    char buffer[4096], ancillary[CMSG_SPACE(2 * sizeof(int))];
    for (;;) {
        struct iovec io = {buffer, sizeof buffer};
        struct msghdr msg = {.msg_iov = &io,
                             .msg_iovlen = 1,
                             .msg_control = ancillary,
                             .msg_controllen = sizeof ancillary};
        ssize_t n = recvmsg(fd, &msg, 0);
        struct cmsghdr *c = n > 0 ? CMSG_FIRSTHDR(&msg) : NULL;
        if (n <= 0)
            return -1;
        if (c) {
            memcpy(fds, CMSG_DATA(c), 2 * sizeof(int));
            return 0;
        }
    }
}

static void send_packet(int fd, uint16_t request, uint16_t data16, uint32_t data32,
                        uint64_t data64) {
    const struct wire_packet p = {request, data16, data32, data64};
    send(fd, &p, sizeof p, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* One lie each; the manager has to close the connection, or to ignore it. */
static void lie(const char *path, int which) {
    int fd = connect_to(path), fds[2];
    static char big[60000];
    if (which == 0) { /* no message at all */
        send(fd, big, sizeof big, MSG_NOSIGNAL);
        return;
    }
    send_register(fd, which == 1 ? 9 : 1, which == 2 ? 150 : which == 3 ? 0 : 4);
    if (initialized(fd, fds) != 0)
        return;
    struct stat st;
    uint64_t *words = fstat(fds[0], &st) == 0 ? mmap(NULL, (size_t)st.st_size,
                                                     PROT_READ | PROT_WRITE, MAP_SHARED, fds[0], 0)
                                              : MAP_FAILED;
    if (words == MAP_FAILED)
        exit(3);
    if (which == 4)
        send_packet(fds[1], WIRE_STARTED, 0, 2, 0); /* another version */
    if (which == 5)
        send_packet(fds[1], WIRE_STARTED, 0, 1, 0); /* without a header */
    if (which == 6)
        send_packet(fds[1], 0x77, 0, 0, 0);
    if (which == 7)
        send_packet(fds[1], WIRE_STARTED, 5, 1, 0);
    if (which == 8)
        send(fds[1], big, 60000, MSG_NOSIGNAL);
    if (which >= 9) { /* a header that is right, and a state and chunks of anything */
        size_t data = (size_t)st.st_size - WIRE_HEADER, durable = 4096,
               rolling = (data - durable) / 2;
        *(struct wire_header *)(void *)words = (struct wire_header){.magic = WIRE_MAGIC,
                                                                    .mode = WIRE_STREAMING,
                                                                    .total = (uint64_t)st.st_size,
                                                                    .durable_size = durable,
                                                                    .rolling_size = rolling,
                                                                    .signature = WIRE_SIGNATURE,
                                                                    .chunk_size = 512};
        send_packet(fds[1], WIRE_STARTED, 0, 1, 0);
        for (unsigned k = 0, seed = (unsigned)which; k < 20000; k++) {
            seed = seed * 1103515245 + 12345;
            words[16 + seed / 7 % 8000] =
                which % 2 ? wire_mark(seed & 3, seed >> 8 & 7, 0) : (uint64_t)seed << 20 | seed;
            if (k % 100 == 0)
                words[10] = (uint64_t)(k / 5000) << 32 | (seed & 0xffff);
            if (k % 1000 == 0)
                send_packet(fds[1], WIRE_SAVE_BUFFER, 0, k / 5000, 16);
        }
    }
    close(fd);
    close(fds[0]);
    close(fds[1]);
}

/* ---- more programs ---- */

static int run_plugin(const char *file) {
    for (int round = 0; round < 2; round++) {
        void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
        void (*run)(int) = handle ? (void (*)(int))(uintptr_t)dlsym(handle, "plugin_run") : NULL;
        if (run == NULL) {
            fprintf(stderr, "traced: %s\n", dlerror());
            return 1;
        }
        TRACE_DURATION("plugin", "call");
        run(round);
        dlclose(handle);
    }
    pid_t child = fork(); /* a handler of the library that is gone must not be called */
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
    return 0;
}

static long ms_since(const struct timespec *from) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - from->tv_sec) * 1000 + (now.tv_nsec - from->tv_nsec) / 1000000;
}

/* Refuses each connection, as too many providers, for so long from the first one on, and until the
 * second one. */
static int run_refused(const char *self, const char *path, int ms) {
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), times = 0;
    struct timespec begun = {0, 0};
    snprintf(at.sun_path, sizeof at.sun_path, "%s", path);
    if (bind(fd, (struct sockaddr *)&at, sizeof at) != 0 || listen(fd, 10) != 0)
        return 1;
    setenv("FXTTRACE_SOCKET", path, 1);
    pid_t provider = fork();
    if (provider == 0) {
        execl(self, self, "wait", (char *)NULL);
        _exit(127);
    }
    for (;;) {
        struct pollfd ready = {fd, POLLIN, 0};
        long rest = times < 2 ? 20000 : ms - ms_since(&begun);
        if (rest <= 0 || poll(&ready, 1, (int)rest) <= 0)
            break;
        struct {
            struct wire_control head;
            struct wire_registered body;
        } m = {{WIRE_REGISTERED, 0, sizeof m.body}, {WIRE_TOO_MANY, 0}};
        int connection = accept(fd, NULL, NULL);
        if (times++ == 0)
            clock_gettime(CLOCK_MONOTONIC, &begun);
        if (send(connection, &m, sizeof m, MSG_NOSIGNAL) < 0)
            fprintf(stderr, "traced: a provider did not wait for its answer\n");
        close(connection);
    }
    kill(provider, SIGKILL);
    waitpid(provider, NULL, 0);
    printf("%d\n", times);
    return 0;
}

static int run_late(const char *self, const char *text, unsigned n, bool stopped) {
    if (!stopped) {
        kill(getppid(), SIGSTOP);
        execl(self, self, "late", text, "stopped", (char *)NULL);
        return 127;
    }
    if (TRACE_ENABLED())
        return 1;
    for (unsigned i = 0; i < n; i++) {
        TRACE_DURATION("late", "missed");
        TRACE_INSTANT("late", "missed", TRACE_SCOPE_THREAD);
    }
    kill(getppid(), SIGCONT);
    wait_for_tracing();
    for (unsigned i = 0; i < n; i++)
        TRACE_INSTANT("late", "tick", TRACE_SCOPE_THREAD);
    return 0;
}

/* alone: no files may be opened any more. */
static int run_pause(bool alone) {
    wait_for_tracing(); /* a machine that is busy may start the session late */
    if (alone && setrlimit(RLIMIT_NOFILE, &(struct rlimit){0, 0}) != 0)
        return 1;
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < 100; i++)
            TRACE_INSTANT("pause", "seen", TRACE_SCOPE_THREAD, "k", TA_INT32(round), "i",
                          TA_UINT32(i));
        if (round == 2)
            break;
        kill(getppid(), SIGUSR2);
        for (int ms = 0; ms < 20000 && TRACE_ENABLED(); ms++)
            pause_us(1000);
        TRACE_INSTANT("pause", "unseen", TRACE_SCOPE_THREAD);
        kill(getppid(), SIGUSR2);
        for (int ms = 0; ms < 20000 && !TRACE_ENABLED(); ms++)
            pause_us(1000);
    }
    return 0;
}

/* written: it is not empty. */
static void wait_for_file(const char *path, bool written) {
    struct stat st;
    for (int ms = 0; ms < 20000 && (stat(path, &st) != 0 || (written && st.st_size == 0)); ms++)
        pause_us(1000);
}

static int run_snapshots(const char *base) {
    char path[4096];
    wait_for_tracing();
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 100; i++)
            TRACE_INSTANT("snapshots", "kept", TRACE_SCOPE_THREAD, "k", TA_INT32(round), "i",
                          TA_UINT32(i));
        snprintf(path, sizeof path, "%s.%d.fxt", base, round + 1);
        kill(getppid(), SIGUSR1);
        wait_for_file(path, true);
    }
    TRACE_ALERT("snapshots", "enough");
    pause_us(20000000);
    return 0;
}

/* Writes into the buffer itself: one chunk with one instant. */
static int run_early(const char *path) {
    int fd = connect_to(getenv("FXTTRACE_SOCKET")), fds[2];
    const size_t size = 65536, rolling = (size - WIRE_HEADER - 128) / 2;
    send_register(fd, 1, 4);
    uint64_t *words = initialized(fd, fds) == 0
                          ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fds[0], 0)
                          : MAP_FAILED;
    if (words == MAP_FAILED)
        return 1;
    *(struct wire_header *)(void *)words = (struct wire_header){.magic = WIRE_MAGIC,
                                                                .mode = WIRE_CIRCULAR,
                                                                .total = size,
                                                                .durable_size = 128,
                                                                .rolling_size = rolling,
                                                                .signature = WIRE_SIGNATURE,
                                                                .state = WIRE_CHUNK_MIN,
                                                                .chunk_size = WIRE_CHUNK_MIN};
    uint64_t *chunk = words + (WIRE_HEADER + 128) / 8;
    chunk[0] = wire_mark(0, 1, 0);
    chunk[1] = 4 | 7 << 4 | UINT64_C(0x8004) << 32 | UINT64_C(0x8005) << 48;
    chunk[2] = fxttrace_ticks();
    chunk[3] = chunk[4] = (uint64_t)getpid();
    memcpy(&chunk[5], "cats\0\0\0\0early\0\0", 16);
    kill(getppid(), SIGUSR1);
    wait_for_file(path, true);
    send_packet(fds[1], WIRE_STARTED, 0, 1, 0);
    send_packet(fds[1], WIRE_STOPPED, 0, 0, 0);
    return 0;
}

static int run_burst(const char *gone) {
    wait_for_tracing();
    for (uint32_t i = 0; i < 20000; i++)
        TRACE_INSTANT("burst", "tick", TRACE_SCOPE_THREAD, "k", TA_INT32(0), "i", TA_UINT32(i));
    puts("one");
    fflush(stdout);
    pause_us(300000); /* many lengths of the burst; the manager has written the line */
    TRACE_INSTANT("burst", "late", TRACE_SCOPE_THREAD);
    puts("two");
    puts("three");
    fflush(stdout);
    wait_for_file(gone, false);
    return 0;
}

static pthread_t main_thread;

static void *work_after_main(void *unused) {
    pthread_join(main_thread, NULL);
    return step(unused);
}

/* The main thread ends; another one goes on, and flushes its text. */
static int run_leaves(void) {
    pthread_t thread;
    main_thread = pthread_self();
    step((void *)0);
    printf("left");
    if (pthread_create(&thread, NULL, work_after_main, (void *)1) != 0)
        return 1;
    pthread_exit(NULL);
}

static volatile unsigned forks;

static void fork_again(int signal) {
    (void)signal;
    int saved = errno;
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    waitpid(pid, NULL, 0);
    forks++;
    errno = saved;
}

/* A signal handler forks while its thread registers one name after the other. */
static int run_interrupted(unsigned times) {
    const struct itimerval never = {{0, 0}, {0, 0}};
    signal(SIGALRM, fork_again);
    for (unsigned i = 0, armed = 0; forks < times; i++) {
        const struct itimerval soon = {{0, 0}, {0, 20 + i % 60}};
        char name[32];
        if (armed <= forks) {
            armed = forks + 1;
            setitimer(ITIMER_REAL, &soon, NULL);
        }
        snprintf(name, sizeof name, "name %u", i);
        TRACE_INSTANT("interrupted", name, TRACE_SCOPE_THREAD);
    }
    setitimer(ITIMER_REAL, &never, NULL);
    return 0;
}

static void run_again(void) {
    uint32_t before = __atomic_load_n(&fxttrace_generation, __ATOMIC_RELAXED), now = before;
    if (before != 0)
        step((void *)0);
    for (int ms = 0; ms < 20000 && (now == before || now == 0); ms++) {
        pause_us(1000);
        now = __atomic_load_n(&fxttrace_generation, __ATOMIC_RELAXED);
    }
    step((void *)1);
}

/* Whether the kernel can give the library's helper descriptors of its own. */
static bool kernel_parts(void) {
#ifdef SYS_close_range
    return syscall(SYS_close_range, 1u << 30, 1u << 30, 0u) == 0; /* there is none to close */
#else
    return false;
#endif
}

/* Whether a descriptor of the program is a watch, or a socket as the library has them. */
static bool sees_the_helper(void) {
    char path[40], name[64];
    for (int fd = STDERR_FILENO + 1, type = 0; fd < 1024; fd++) {
        socklen_t size = sizeof type;
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        ssize_t n = readlink(path, name, sizeof name - 1);
        name[n > 0 ? n : 0] = 0;
        if (strcmp(name, "anon_inode:inotify") == 0 ||
            (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET))
            return true;
    }
    return false;
}

/* Returns 4 if the library has read, written or closed a descriptor of the program. 5: the program
 * could do that to the library. */
static int run_closes(void) {
    enum { PIPES = 16, TAKEN = 64 };
    int pipes[PIPES][2], n;
    bool apart = kernel_parts(), traced = TRACE_ENABLED();
    if (apart && sees_the_helper())
        return 5;
    for (int fd = STDERR_FILENO + 1; fd < TAKEN; fd++)
        close(fd);
    if (chdir("/") != 0)
        return 1;
    for (int i = 0; i < PIPES; i++)
        if (pipe(pipes[i]) != 0 || write(pipes[i][1], "own", 3) != 3)
            return 1;
    if (apart && traced) { /* the library has lost nothing */
        step((void *)0);
        step((void *)1);
    } else
        run_again();
    for (int i = 0; i < PIPES; i++)
        if (ioctl(pipes[i][0], FIONREAD, &n) != 0 || n != 3 || close(pipes[i][1]) != 0)
            return 4;
    return 0;
}

static int run_crash(void) {
    const struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    signal(SIGSEGV, SIG_DFL); /* sanitizers handle it */
    TRACE_DURATION("crash", "the last slice");
    raise(SIGSEGV);
    return 0;
}

/* A number on the command line. */
static unsigned number(const char *text, unsigned most) {
    char *end;
    errno = 0;
    unsigned long n = strtoul(text, &end, 10);
    if (errno != 0 || end == text || *end != 0 || *text == '-' || n > most) {
        fprintf(stderr, "traced: expected a number of at most %u, not %s\n", most, text);
        exit(2);
    }
    return (unsigned)n;
}

/* Children that are traced at once, or one after the other. */
static int run_crowd(uint32_t n, bool together) {
    uint32_t *traced = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (uint32_t i = 0; i < n; i++)
        if (fork() == 0) {
            wait_for_tracing();
            TRACE_INSTANT("crowd", "tick", TRACE_SCOPE_THREAD, "k", TA_INT32(0), "i", TA_UINT32(i));
            __atomic_add_fetch(traced, 1, __ATOMIC_SEQ_CST);
            for (int ms = 0;
                 ms < 20000 && together && __atomic_load_n(traced, __ATOMIC_SEQ_CST) < n; ms++)
                pause_us(1000);
            _exit(0);
        }
    while (wait(NULL) > 0)
        ;
    return 0;
}

/* Children that end after 200 ms, whether they are traced by then or not. */
static int run_hurry(uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (fork() == 0) {
            TRACE_INSTANT("hurry", "tick", TRACE_SCOPE_THREAD, "k", TA_INT32(0), "i", TA_UINT32(i));
            pause_us(200000);
            _exit(0);
        }
    while (wait(NULL) > 0)
        ;
    return 0;
}

/* The slices of these children cannot be in the trace. */
static int run_shut(uint32_t n) {
    const struct rlimit none = {0, 0};
    for (uint32_t i = 0; i < n; i++) {
        if (fork() == 0) {
            setrlimit(RLIMIT_NOFILE, &none);
            TRACE_INSTANT("shut", "tick", TRACE_SCOPE_THREAD, "k", TA_INT32(0), "i", TA_UINT32(i));
            _exit(0);
        }
        while (wait(NULL) > 0)
            ;
    }
    return 0;
}

static int run_orphan(void) {
    siginfo_t info;
    pid_t pid = fork();
    if (pid == 0) {
        TRACE_INSTANT("orphan", "the last one", TRACE_SCOPE_THREAD);
        raise(SIGKILL);
    }
    int status = waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
    pause_us(50000);
    return status;
}

/* Itself alone. */
static int run_usage(const char *path) {
    size_t size = 32u << 20;
    struct rusage u;
    struct timespec cpu = {0};
    char *memory = malloc(size);
    if (memory == NULL)
        return 1;
    for (size_t i = 0; i < size; i += 512)
        *(volatile char *)(memory + i) = 1;
    for (int i = 0; i < 20; i++)
        pause_us(1000);
    while (cpu.tv_sec == 0 && cpu.tv_nsec < 200000000)
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    free(memory); /* before it counts: a sanitizer writes to pages for it */
    FILE *f = fopen(path, "w");
    if (f == NULL)
        return 1;
    getrusage(RUSAGE_SELF, &u);
    fprintf(f, "%ld %ld %lld %ld\n", u.ru_maxrss * 1024, u.ru_minflt,
            (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000000LL +
                (u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1000LL,
            u.ru_nvcsw);
    fclose(f);
    return 7;
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "steps") == 0 && argc >= 4) {
        steps = number(argv[3], UINT32_MAX);
        return run_steps((int)number(argv[2], THREADS), argc > 4 ? argv[4] : NULL);
    }
    if (strcmp(what, "kill") == 0 && argc == 4) {
        pthread_t killer;
        steps = UINT32_MAX;
        pthread_create(&killer, NULL, kill_later, (void *)(intptr_t)number(argv[3], 60000000));
        return run_steps(2, argv[2]);
    }
    if ((strcmp(what, "again") == 0 || strcmp(what, "closes") == 0) && argc == 3) {
        steps = number(argv[2], UINT32_MAX);
        if (strcmp(what, "closes") == 0)
            return run_closes();
        wait_for_tracing();
        run_again();
        return 0;
    }
    if (strcmp(what, "fork") == 0)
        return run_fork(argv[0]);
    if (strcmp(what, "leaves") == 0 && argc == 3) {
        steps = number(argv[2], UINT32_MAX);
        return run_leaves();
    }
    if (strcmp(what, "copies") == 0)
        return run_copies(argv[0]);
    if (strcmp(what, "interrupted") == 0 && argc == 3)
        return run_interrupted(number(argv[2], UINT32_MAX));
    if (strcmp(what, "kinds") == 0)
        return run_kinds();
    if (strcmp(what, "alert") == 0 && argc == 3) {
        TRACE_ALERT("alerts", argv[2]);
        pause_us(20000000);
        return 0;
    }
    if (strcmp(what, "wait") == 0) {
        wait_for_tracing();
        TRACE_DURATION("wait", "traced at last");
        return 0;
    }
    if (strcmp(what, "plugin") == 0 && argc == 3)
        return run_plugin(argv[2]);
    if (strcmp(what, "refused") == 0 && argc == 4)
        return run_refused(argv[0], argv[2], (int)number(argv[3], 60000));
    if (strcmp(what, "pause") == 0)
        return run_pause(argc == 3 && strcmp(argv[2], "alone") == 0);
    if (strcmp(what, "snapshots") == 0 && argc == 3)
        return run_snapshots(argv[2]);
    if (strcmp(what, "early") == 0 && argc == 3)
        return run_early(argv[2]);
    if (strcmp(what, "burst") == 0 && argc == 3)
        return run_burst(argv[2]);
    if (strcmp(what, "crash") == 0)
        return run_crash();
    if (strcmp(what, "hurry") == 0 && argc == 3)
        return run_hurry((uint32_t)number(argv[2], 1000));
    if (strcmp(what, "shut") == 0 && argc == 3)
        return run_shut((uint32_t)number(argv[2], 1000));
    if (strcmp(what, "crowd") == 0 && argc == 4)
        return run_crowd((uint32_t)number(argv[2], 1000), number(argv[3], 1));
    if (strcmp(what, "late") == 0 && argc >= 3)
        return run_late(argv[0], argv[2], number(argv[2], 1000), argc == 4);
    if (strcmp(what, "usage") == 0 && argc == 3)
        return run_usage(argv[2]);
    if (strcmp(what, "orphan") == 0)
        return run_orphan();
    if (strcmp(what, "lie") == 0 && argc == 3) {
        for (int i = 0; i < 14; i++)
            lie(argv[2], i);
        return 0;
    }
    return 2;
}
