/* restarts_program.c - the traced program of restarts: threads, a signal handler and children that
 * write events.
 *
 * A thread counts on the board the events that it has begun and has done. By these the manager
 * knows which ones must be in the buffer. The program goes on until the manager ends it by the
 * board. */
#include <lib/trace/event.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/system/restarts.h"

struct board *board;

static int own; /* number of this process */

static void interrupt(int signal) {
    (void)signal;
    TRACE_INSTANT("restarts", "handler", TRACE_SCOPE_THREAD);
}

static void event(int thread, unsigned i) {
    static const char text[] =
        "a text that is longer than some others and not a literal of the call site";
    atomic_store(&board->begun[own][thread], i + 1);
    TRACE_INSTANT("restarts", "tick", TRACE_SCOPE_THREAD, "p", TA_INT32(own), "t", TA_INT32(thread),
                  "i", TA_UINT32(i));
    atomic_store(&board->done[own][thread], i + 1);
    if (i % 16 == 0) {
        TRACE_DURATION("restarts", "work", "text", TA_CHAR_ARRAY(text, i % sizeof text));
        TRACE_COUNTER("restarts", "count", 1, "i", TA_UINT32(i));
    }
}

/* A child of its own: a provider from its first event on. */
static void run_child(void) {
    own = (int)atomic_fetch_add(&board->processes, 1);
    for (unsigned i = 0; own < PROCESSES && i < 40; i++)
        event(0, i);
    _exit(0);
}

/* TSan takes a number for one file in all threads: those of the helper are not to be used here. */
static void use_descriptors(void) {
    int fds[16];
    for (int i = 0; i < 16; i++)
        fds[i] = dup(STDERR_FILENO);
    for (int i = 0; i < 16; i++)
        if (fds[i] >= 0)
            close(fds[i]);
}

static void *work(void *number) {
    int thread = (int)(intptr_t)number;
    for (unsigned i = 0; !atomic_load(&board->ends); i++) {
        event(thread, i);
        if (i % 64 == 0)
            sched_yield();
        if (i % 1024 == 0)
            use_descriptors();
        if (i % 256 == 0) /* as many as are looked at, not as many as there can be */
            poll(NULL, 0, 1);
    }
    return NULL;
}

int whole_number(const char *text, int most) {
    char *end = NULL;
    unsigned long n = text ? strtoul(text, &end, 10) : 0;
    return text && *text >= '0' && *text <= '9' && *end == '\0' && n <= (unsigned long)most ? (int)n
                                                                                            : -1;
}

int run_program(void) {
    pthread_t threads[THREADS];
    bool forks = getenv("RUNNER") == NULL; /* qemu does not follow fork() with threads */
    int fd = whole_number(getenv("RESTARTS_BOARD"), INT_MAX);
    if (fd < 0) {
        fputs("restarts: RESTARTS_BOARD is not a descriptor: restarts starts its program itself\n",
              stderr);
        return 2;
    }
    board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (board == MAP_FAILED)
        return 1;
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = SA_RESTART};
    sigaction(SIGUSR2, &action, NULL);
    for (intptr_t k = 0; k < THREADS; k++)
        if (pthread_create(&threads[k], NULL, work, (void *)k) != 0)
            return 1;
    for (unsigned round = 0; !atomic_load(&board->ends); round++) {
        poll(NULL, 0, 5);
        pthread_kill(threads[round % THREADS], SIGUSR2);
        if (round % 20 == 0 && forks && atomic_load(&board->processes) < PROCESSES) {
            pid_t pid = fork();
            if (pid == 0)
                run_child();
            if (pid > 0)
                waitpid(pid, NULL, 0);
        }
    }
    for (int k = 0; k < THREADS; k++)
        pthread_join(threads[k], NULL);
    return 0;
}
