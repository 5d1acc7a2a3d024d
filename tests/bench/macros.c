/* macros.c - a program that traces itself as fast as it can, or at a rate, and prints what that
 * takes.
 *
 *     macros rows              ns of each macro, best of ROUNDS rounds of EVENTS events; off if it is not recorded
 *     macros flood N           N instants without a pause: written, ns each
 *     macros pace MB SECONDS   slices of MB million bytes a second: written, rate, own CPU time
 *     macros silent SECONDS    a provider that writes nothing: its own wake-ups
 *     macros beat N FILE       N instants at intervals of 400 to 600 ms; FILE has their times, ns of CLOCK_MONOTONIC
 *     macros lines N FILE      N lines "beat 0." and so on, in the same way
 *     macros fork N [thread|bare] us of fork(), _exit() and waitpid(), median, and page faults of parent and child; with a
 *                              second thread that sleeps; with that and all else that the library has, but without it
 *     macros first             ns of CLOCK_MONOTONIC when main() begins, and after its first event
 *     macros exec PROGRAM ...  the same time, and then becomes the program
 *     macros switch N [rings]  N round trips between two threads on one processor: us each; with rings that the kernel
 *                              fills as those of fxtop record, and that are read by no process
 *
 * A round is short enough for the buffer (recording.sh), and the next one comes when the manager
 * has taken it. */
#include <inttypes.h>
#include <lib/trace/event.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EVENTS = 20000, ROUNDS = 12, WARM = 40 };

static uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void pause_ms(long ms) {
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

static double own_seconds(void) {
    struct rusage r;
    getrusage(RUSAGE_SELF, &r);
    return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
           (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec) / 1e6;
}

/* ---- rows: EVENTS times one macro ---- */

#define ROW(name, ...)                                                                             \
    static void name(void) {                                                                       \
        for (int i = 0; i < EVENTS; i++) {                                                         \
            __VA_ARGS__;                                                                           \
            __asm__ volatile("" : "+r"(i));                                                        \
        }                                                                                          \
    }

ROW(row_nothing, (void)0)
ROW(row_clock, trace_ticks_t t = fxttrace_ticks(); __asm__ volatile("" ::"r"(t)))
ROW(row_disabled, TRACE_INSTANT("disabled", "instant", TRACE_SCOPE_THREAD))
ROW(row_disabled_duration, TRACE_DURATION("disabled", "duration", "i", TA_INT32(i)))
ROW(row_instant, TRACE_INSTANT("bench", "instant", TRACE_SCOPE_THREAD))
ROW(row_instant_1, TRACE_INSTANT("bench", "instant", TRACE_SCOPE_THREAD, "a", TA_INT32(i)))
ROW(row_instant_4, TRACE_INSTANT("bench", "instant", TRACE_SCOPE_THREAD, "a", TA_INT32(i), "b",
                                 TA_INT32(i), "c", TA_INT32(i), "d", TA_INT32(i)))
ROW(row_instant_64, TRACE_INSTANT("bench", "instant", TRACE_SCOPE_THREAD, "a", TA_UINT64(i)))
ROW(row_literal,
    TRACE_INSTANT("bench", "instant", TRACE_SCOPE_THREAD, "a", TA_STRING_LITERAL("a literal")))
ROW(row_string,
    TRACE_INSTANT("bench", "instant", TRACE_SCOPE_THREAD, "a", TA_STRING("sixteen bytes...")))
ROW(row_duration, TRACE_DURATION("bench", "duration"))
ROW(row_duration_1, TRACE_DURATION("bench", "duration", "a", TA_INT32(i)))
ROW(row_duration_4, TRACE_DURATION("bench", "duration", "a", TA_INT32(i), "b", TA_INT32(i), "c",
                                   TA_INT32(i), "d", TA_INT32(i)))
ROW(row_pair, TRACE_DURATION_BEGIN("bench", "pair"); TRACE_DURATION_END("bench", "pair"))
ROW(row_counter, TRACE_COUNTER("bench", "counter", 0, "value", TA_INT32(i)))
ROW(row_async, TRACE_ASYNC_INSTANT("bench", "async", i))
ROW(row_flow, TRACE_FLOW_STEP("bench", "flow", i))

struct row {
    const char *name;
    void (*run)(void);
    bool is_off; /* it is measured without a recording, too */
};

static const struct row rows[] = {
    {"clock (T)", row_clock, true},
    {"category disabled: instant", row_disabled, true},
    {"category disabled: TRACE_DURATION, 1 int32", row_disabled_duration, true},
    {"instant", row_instant, true},
    {"  1 int32", row_instant_1, true},
    {"  4 int32", row_instant_4, true},
    {"  1 uint64", row_instant_64, false},
    {"  1 literal", row_literal, false},
    {"  1 string of 16 bytes", row_string, false},
    {"TRACE_DURATION, both records", row_duration, true},
    {"  1 int32", row_duration_1, true},
    {"  4 int32", row_duration_4, true},
    {"TRACE_DURATION_BEGIN and _END", row_pair, true},
    {"counter, 1 int32", row_counter, false},
    {"async instant", row_async, false},
    {"flow step", row_flow, false},
};
#define COUNT(v) (sizeof(v) / sizeof *(v))

/* ns of one event, loop left out. */
static double once(void (*run)(void)) {
    uint64_t from = now_ns();
    run();
    return (double)(now_ns() - from) / EVENTS;
}

static double best_of(void (*run)(void), bool pauses) {
    double best = 1e9;
    for (int i = 0; i < ROUNDS; i++) {
        double ns = once(run);
        best = ns < best ? ns : best;
        if (pauses)
            pause_ms(120);
    }
    return best;
}

static pthread_barrier_t barrier;

static void *one_of_two(void *best) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_barrier_wait(&barrier);
        double ns = once(row_instant);
        *(double *)best = ns < *(double *)best ? ns : *(double *)best;
        pthread_barrier_wait(&barrier);
        pause_ms(120);
    }
    return NULL;
}

static double two_threads(void) {
    pthread_t threads[2];
    double best[2] = {1e9, 1e9};
    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, one_of_two, &best[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return best[0] > best[1] ? best[0] : best[1];
}

static void print_rows(void) {
    bool on = TRACE_ENABLED();
    double loop = best_of(row_nothing, false);
    for (int i = 0; i < WARM && on; i++) { /* each page of the buffer is touched */
        row_duration_4();
        pause_ms(i % 4 == 3 ? 120 : 0);
    }
    for (size_t i = 0; i < COUNT(rows); i++)
        if (on || rows[i].is_off)
            printf("%-46s %7.2f ns%s\n", rows[i].name, best_of(rows[i].run, on) - loop,
                   on || i == 0 ? "" : " (off)");
    if (on)
        printf("%-46s %7.2f ns\n", "instant, two threads at once, each", two_threads() - loop);
}

/* ---- many ---- */

static void flood(uint64_t n) {
    uint64_t from = now_ns();
    for (uint64_t i = 0; i < n; i++)
        TRACE_INSTANT("bench", "flood", TRACE_SCOPE_THREAD);
    printf("written %" PRIu64 " events of 24 bytes, %.1f ns each, CPU %.3f s\n", n,
           (double)(now_ns() - from) / (double)n, own_seconds());
}

/* Slices of 32 bytes, so many in each ms. */
static void pace(uint64_t mb, uint64_t seconds) {
    uint64_t begun = now_ns(), n = 0, each = mb * 1000 / 32;
    for (uint64_t ms = 0; ms < seconds * 1000; ms++) {
        for (uint64_t i = 0; i < each; i++) {
            TRACE_DURATION("bench", "paced");
        }
        n += each;
        while (now_ns() < begun + (ms + 1) * 1000000)
            ;
    }
    double took = (double)(now_ns() - begun) / 1e9;
    printf("written %" PRIu64
           " slices of 32 bytes in %.2f s, %.1f MB/s, %.2f million records/s, CPU %.3f s\n",
           n, took, (double)n * 32 / took / 1e6, (double)n * 2 / took / 1e6, own_seconds());
}

static void silent(uint64_t seconds) {
    pause_ms((long)seconds * 1000);
    FILE *tasks = popen("cat /proc/$PPID/task/*/status | grep '^voluntary' | tr '\\n' ' '", "r");
    char line[400] = "";
    if (tasks && fgets(line, sizeof line, tasks))
        printf("silent, waits by thread: %s\n", line);
    if (tasks)
        pclose(tasks);
}

static void beat(uint64_t n, const char *file, bool lines) {
    FILE *f = fopen(file, "w");
    for (uint64_t i = 0; f && i < n; i++) {
        pause_ms(400 + (long)(i * 73 % 200));
        fprintf(f, "%" PRIu64 "\n", now_ns());
        fflush(f);
        if (lines)
            printf("beat %" PRIu64 ".\n", i); /* the terminal takes whole lines */
        else
            TRACE_INSTANT("bench", "beat", TRACE_SCOPE_THREAD, "number", TA_UINT64(i));
    }
    if (f)
        fclose(f);
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void *sleep_on(void *unused) {
    for (;;)
        pause_ms(1000000);
    return unused;
}

static int sockets[4];

static void close_in_child(void) {
    struct stat st;
    for (int i = 0; i < 2; i++)
        if (fstat(sockets[2 * i], &st) == 0)
            close(sockets[2 * i]);
}

static void nothing(void) {
}

/* Makes the state of a traced program: a buffer that children do not get, sockets that they close,
 * handlers of fork(). */
static bool be_like_traced(void) {
    size_t size = 8u << 20;
    int fd = memfd_create("bare", MFD_CLOEXEC);
    void *p = fd >= 0 && ftruncate(fd, (off_t)size) == 0
                  ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
                  : MAP_FAILED;
    if (p == MAP_FAILED || madvise(p, size, MADV_DONTFORK) != 0 ||
        socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets) != 0 ||
        socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets + 2) != 0)
        return false;
    memset(p, 1, size / 32);
    return pthread_atfork(nothing, nothing, close_in_child) == 0;
}

static long faults(int whose) {
    struct rusage r;
    getrusage(whose, &r);
    return r.ru_minflt;
}

static void forks(uint64_t n) {
    double *us = calloc(n + 1, sizeof *us);
    long own = faults(RUSAGE_SELF), of_children = faults(RUSAGE_CHILDREN);
    for (uint64_t i = 0; us && i < n; i++) {
        uint64_t from = now_ns();
        pid_t child = fork();
        if (child == 0)
            _exit(0);
        waitpid(child, NULL, 0);
        us[i] = (double)(now_ns() - from) / 1e3;
    }
    if (us && n > 0) {
        qsort(us, n, sizeof *us, by_value);
        printf("fork, _exit and waitpid: median %.1f us, best %.1f us; page faults of the parent "
               "%.1f, of the child %.1f\n",
               us[n / 2], us[0], (double)(faults(RUSAGE_SELF) - own) / (double)n,
               (double)(faults(RUSAGE_CHILDREN) - of_children) / (double)n);
    }
    free(us);
}

/* ---- switches ---- */

static int pipes[2][2];
static uint64_t trips;

static void *answer(void *unused) {
    char byte;
    for (uint64_t i = 0; i < trips; i++)
        if (read(pipes[0][0], &byte, 1) != 1 || write(pipes[1][1], &byte, 1) != 1)
            exit(1);
    return unused;
}

/* A ring for each processor, which the kernel overwrites, because it is mapped for reading
 * alone. */
static void open_rings(void) {
    struct perf_event_attr a = {.type = PERF_TYPE_SOFTWARE,
                                .size = sizeof a,
                                .config = PERF_COUNT_SW_DUMMY,
                                .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
                                .sample_id_all = 1,
                                .context_switch = 1,
                                .comm = 1,
                                .comm_exec = 1,
                                .task = 1,
                                .inherit = 1,
                                .exclude_kernel = 1,
                                .exclude_hv = 1,
                                .use_clockid = 1,
                                .clockid = CLOCK_MONOTONIC,
                                .watermark = 1,
                                .wakeup_watermark = 256 << 10};
    for (long cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++) {
        int fd = (int)syscall(SYS_perf_event_open, &a, 0, (int)cpu, -1, 0);
        if (fd >= 0 && mmap(NULL, (size_t)sysconf(_SC_PAGESIZE) + (512 << 10), PROT_READ,
                            MAP_SHARED, fd, 0) != MAP_FAILED)
            continue;
        perror("perf_event_open");
        exit(1);
    }
}

static void switches(uint64_t n) {
    cpu_set_t one;
    pthread_t other;
    char byte = 0;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    sched_setaffinity(0, sizeof one, &one);
    trips = n;
    if (pipe(pipes[0]) != 0 || pipe(pipes[1]) != 0 ||
        pthread_create(&other, NULL, answer, NULL) != 0)
        exit(1);
    uint64_t from = now_ns();
    for (uint64_t i = 0; i < n; i++)
        if (write(pipes[0][1], &byte, 1) != 1 || read(pipes[1][0], &byte, 1) != 1)
            exit(1);
    double us = (double)(now_ns() - from) / 1e3;
    pthread_join(other, NULL);
    printf("%" PRIu64 " switches, %.3f us each, %.0f a second, CPU %.3f s\n", 2 * n,
           us / (double)n / 2, 2e6 * (double)n / us, own_seconds());
}

int main(int argc, char **argv) {
    uint64_t begun = now_ns();
    const char *what = argc > 1 ? argv[1] : "";
    uint64_t n = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    if (strcmp(what, "rows") == 0)
        print_rows();
    else if (strcmp(what, "flood") == 0)
        flood(n);
    else if (strcmp(what, "pace") == 0 && argc > 3)
        pace(n, strtoull(argv[3], NULL, 10));
    else if (strcmp(what, "silent") == 0)
        silent(n);
    else if ((strcmp(what, "beat") == 0 || strcmp(what, "lines") == 0) && argc > 3)
        beat(n, argv[3], strcmp(what, "lines") == 0);
    else if (strcmp(what, "fork") == 0) {
        pthread_t other;
        if (argc > 3 && pthread_create(&other, NULL, sleep_on, NULL) != 0)
            return 1;
        if (argc > 3 && strcmp(argv[3], "bare") == 0 && !be_like_traced())
            return 1;
        forks(n);
    } else if (strcmp(what, "switch") == 0) {
        if (argc > 3)
            open_rings();
        switches(n);
    } else if (strcmp(what, "exec") == 0 && argc > 2) {
        printf("%" PRIu64 " ", now_ns());
        fflush(stdout);
        execvp(argv[2], argv + 2);
        return 127;
    } else if (strcmp(what, "first") == 0) {
        bool on = TRACE_ENABLED();
        TRACE_INSTANT("bench", "first", TRACE_SCOPE_THREAD);
        printf("%" PRIu64 " %" PRIu64 " %d\n", begun, now_ns(), on);
    } else
        return 2;
    return 0;
}
