/* waiting.c - a program that knows nothing of traces and waits in each way once: record.sh records
 * it with --waits.
 *
 * It prints a line for each wait: the call, the thread, and the ns that it took by its own clock,
 * which reads before and after. Calls that do not wait are many, and not printed.
 *
 *     waiting malloc    uses memory in several threads, and prints the bytes that it keeps, and its calls */
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WAIT_US 20000

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* The time between is not that of a call of ours: no wait of the program. */
static void pass(void) {
    int64_t end = now() + WAIT_US * INT64_C(1000);
    while (now() < end)
        continue;
}

static void told(const char *call, int64_t from) {
    int64_t ns = now() - from;
    printf("%s %d %lld\n", call, (int)gettid(), (long long)ns);
}

pthread_mutex_t contended = PTHREAD_MUTEX_INITIALIZER; /* its name is in the trace */
static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static sem_t locked, step, tokens;
static int pipes[2], sockets[2];

static bool main_sleeps(void) {
    char path[60], stat[200];
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)getpid());
    FILE *f = fopen(path, "r");
    bool sleeps = f && fgets(stat, sizeof stat, f) && strstr(stat, ") S ");
    if (f)
        fclose(f);
    return sleeps;
}

/* Returns when the main thread has waited for a while in the call that it has announced. */
static void let_it_wait(void) {
    while (sem_trywait(&step) != 0)
        continue;
    while (!main_sleeps())
        continue;
    pass();
}

static void *helper(void *unused) {
    (void)unused;
    pthread_mutex_lock(&contended);
    pthread_rwlock_wrlock(&shared);
    sem_post(&locked);
    let_it_wait();
    pthread_mutex_unlock(&contended);
    let_it_wait();
    pthread_rwlock_unlock(&shared);
    let_it_wait();
    pthread_mutex_lock(&plain);
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&plain);
    let_it_wait();
    sem_post(&tokens);
    let_it_wait();
    if (write(pipes[1], "x", 1) != 1)
        exit(1);
    let_it_wait();
    if (send(sockets[1], "x", 1, 0) != 1)
        exit(1);
    let_it_wait();
    return NULL;
}

#define TOLD(name, call)                                                                           \
    do {                                                                                           \
        sem_post(&step);                                                                           \
        int64_t from = now();                                                                      \
        if ((call) < 0)                                                                            \
            exit(1);                                                                               \
        told(name, from);                                                                          \
    } while (0)

static void wait_for_helper(void) {
    pthread_t thread;
    char c;
    if (pthread_create(&thread, NULL, helper, NULL) != 0)
        exit(1);
    while (sem_trywait(&locked) != 0)
        continue;
    TOLD("pthread_mutex_lock", pthread_mutex_lock(&contended));
    pthread_mutex_unlock(&contended);
    TOLD("pthread_rwlock_rdlock", pthread_rwlock_rdlock(&shared));
    pthread_rwlock_unlock(&shared);
    pthread_mutex_lock(&plain);
    TOLD("pthread_cond_wait", pthread_cond_wait(&ready, &plain));
    pthread_mutex_unlock(&plain);
    TOLD("sem_wait", sem_wait(&tokens));
    TOLD("read", read(pipes[0], &c, 1));
    TOLD("recv", recv(sockets[0], &c, 1, 0));
    TOLD("pthread_join", pthread_join(thread, NULL));
}

/* ---- malloc() ---- */

enum { THREADS = 3, ROUNDS = 1000, KEPT = 100 };

static void *use_memory(void *unused) {
    for (size_t i = 0; i < ROUNDS; i++) {
        char *volatile block = malloc(1 + i);
        free(block);
    }
    return unused;
}

/* Prints the bytes of the blocks that it keeps, and its calls. */
static int allocate(void) {
    static void *volatile kept[KEPT];
    long long bytes = 0, calls = 0;
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, use_memory, NULL) != 0)
            return 1;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    calls += THREADS * ROUNDS;
    for (int i = 0; i < KEPT; i++) {
        void *p = NULL;
        size_t n = 10000 + (size_t)i * 64;
        if (i % 4 == 0)
            p = realloc(malloc(n), 2 * n);
        else if (i % 4 == 1)
            p = calloc(n, 1);
        else if (i % 4 == 2)
            p = aligned_alloc(64, n / 64 * 64);
        else if (posix_memalign(&p, 64, n) != 0)
            return 1;
        if (p == NULL)
            return 1;
        kept[i] = p;
        calls += 1 + (i % 4 == 0);
    }
    for (int i = 0; i < KEPT; i++)
        bytes += (long long)malloc_usable_size(kept[i]);
    dprintf(1, "%lld %lld\n", bytes, calls);
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "malloc") == 0)
        return allocate();
    const struct timespec t = {0, WAIT_US * 1000L};
    char bytes[8];
    int zero = open("/dev/zero", O_RDONLY);
    if (zero < 0 || pipe(pipes) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0 ||
        sem_init(&locked, 0, 0) != 0 || sem_init(&step, 0, 0) != 0 || sem_init(&tokens, 0, 0) != 0)
        return 1;
    wait_for_helper();
    TOLD("usleep", usleep(WAIT_US));
    TOLD("nanosleep", nanosleep(&t, NULL));
    struct pollfd p = {pipes[0], POLLIN, 0};
    TOLD("poll", poll(&p, 1, WAIT_US / 1000));
    for (int i = 0; i < 1000; i++) { /* nothing that waits */
        pthread_mutex_lock(&plain);
        pthread_mutex_unlock(&plain);
        if (read(zero, bytes, sizeof bytes) != sizeof bytes)
            return 1;
    }
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) { /* it connects when it has waited for the first time */
        TOLD("usleep", usleep(WAIT_US));
        fflush(stdout);
        _exit(0);
    }
    TOLD("waitpid", waitpid(pid, NULL, 0));
    return 0;
}
