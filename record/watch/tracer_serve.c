/* tracer_serve.c - the process that traces system calls, by ptrace(2).
 *
 * Its messages wait in memory for some milliseconds, so that the recording is not woken by each. A
 * timer ends the wait for the next thread that stops. */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/elf-em.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "record/ticks.h"
#include "record/watch/tracer.h"
#include "record/watch/tracer_news.h"
#include "src/base/u64map.h"
#include "src/base/vec.h"

#define SENT 32768   /* bytes that are sent at once */
#define WAIT_US 5000 /* between messages and their sending */
#define TRIES 100    /* ms for the program to let itself be traced */
#define PAGE 4096

#if defined(__aarch64__)
#define NARROW AUDIT_ARCH_ARM
#else
#define NARROW AUDIT_ARCH_I386
#endif

struct serve {
    int fd;
    pid_t program;
    bool begun;              /* the exec of the program was seen */
    struct u64map processes; /* thread -> process */
    struct u64map opening;   /* thread -> 1: its call opens a file */
    VEC(char) bytes;         /* of messages */
    /* the last call before that, which becomes its exec */
    struct tracer_news first;
    char first_file[TRACER_TEXT];
};

static volatile sig_atomic_t rings;

static void ring(int number) {
    (void)number;
    rings = 1;
}

/* ---- messages ---- */

static void set_timer(bool on) {
    const struct timeval wait = {0, on ? WAIT_US : 0};
    setitimer(ITIMER_REAL, &(struct itimerval){wait, wait}, NULL);
}

/* The recording takes them, or it has ended: then threads go on alone. */
static void send_all(struct serve *s) {
    size_t at = 0;
    while (at < s->bytes.n) {
        ssize_t n = send(s->fd, s->bytes.v + at, s->bytes.n - at, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR)
            _exit(0);
        at += n > 0 ? (size_t)n : 0;
    }
    s->bytes.n = 0;
    set_timer(false);
}

static void put(struct serve *s, struct tracer_news *news, const char *text) {
    news->text = (uint16_t)strnlen(text, TRACER_TEXT - 1);
    news->size = (uint32_t)(sizeof *news + (news->text + 8u) / 8 * 8);
    if (s->bytes.n == 0)
        set_timer(true);
    vec_reserve(&s->bytes, s->bytes.n + news->size);
    char *to = s->bytes.v + s->bytes.n;
    memset(to, 0, news->size);
    memcpy(to, news, sizeof *news);
    memcpy(to + sizeof *news, text, news->text);
    s->bytes.n += news->size;
    if (s->bytes.n >= SENT)
        send_all(s);
}

static void put_kind(struct serve *s, enum tracer_kind kind, pid_t tid, const char *text) {
    struct tracer_news news = {.kind = (uint8_t)kind, .tid = (uint32_t)tid};
    news.time = ticks_monotonic();
    put(s, &news, text);
}

/* ---- the program ---- */

static uint32_t process_of(struct serve *s, pid_t tid) {
    uint64_t key = u64map_key((uint64_t)tid), known = u64map_get(&s->processes, key);
    char path[64], line[100];
    if (known != UINT64_MAX)
        return (uint32_t)known;
    unsigned long pid = (unsigned long)tid;
    snprintf(path, sizeof path, "/proc/%ld/status", (long)tid);
    FILE *f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "Tgid:", 5) == 0)
            pid = strtoul(line + 5, NULL, 10);
    if (f)
        fclose(f);
    u64map_set(&s->processes, key, pid);
    return (uint32_t)pid;
}

/* A file of a descriptor; "": there is none. */
static void read_link(uint32_t pid, uint64_t number, char *text) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%lu/fd/%u", (unsigned long)pid, (unsigned)number);
    ssize_t n = number <= INT32_MAX ? readlink(path, text, TRACER_TEXT - 1) : 0;
    text[n > 0 ? n : 0] = 0;
}

/* A text in the memory of the program, page by page; "": there is none. */
static void read_text(pid_t tid, uint64_t from, char *text) {
    size_t at = 0;
    while (at < TRACER_TEXT - 1) {
        size_t n = PAGE - (size_t)((from + at) % PAGE);
        n = n < TRACER_TEXT - 1 - at ? n : TRACER_TEXT - 1 - at;
        const struct iovec to = {text + at, n};
        const struct iovec there = {(void *)(uintptr_t)(from + at), n};
        ssize_t got = process_vm_readv(tid, &to, 1, &there, 1, 0);
        const char *end = got > 0 ? memchr(text + at, 0, (size_t)got) : NULL;
        at += got > 0 ? (size_t)got : 0;
        if (end || got <= 0)
            break;
    }
    text[at] = 0;
}

/* The file that a call is about: a name in memory, or that of a descriptor. */
static void find_file(uint32_t pid, pid_t tid, const struct call_name *name, const uint64_t *args,
                      char *text) {
    for (unsigned i = 0; i < name->n && *text == 0; i++)
        if (name->arguments[i].kind == CALL_PATH)
            read_text(tid, args[i], text);
    for (unsigned i = 0; i < name->n && *text == 0; i++)
        if (name->arguments[i].kind == CALL_DESCRIPTOR)
            read_link(pid, (uint32_t)args[i], text);
}

/* The kernel shows no calls: the program goes on alone. */
static _Noreturn void give_up(struct serve *s, pid_t tid, const char *why) {
    put_kind(s, TRACER_REFUSED, tid, why);
    send_all(s);
    _exit(0);
}

static void take_call(struct serve *s, pid_t tid) {
    static char text[TRACER_TEXT];
    struct __ptrace_syscall_info info;
    struct tracer_news news = {.pid = process_of(s, tid), .tid = (uint32_t)tid};
    news.time = ticks_monotonic();
    text[0] = 0;
    if (ptrace(PTRACE_GET_SYSCALL_INFO, tid, sizeof info, &info) <= 0) {
        if (errno == EIO)
            give_up(s, tid, "it shows them since Linux 5.3");
        return;
    }
    if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
        news.kind = TRACER_ENTERS;
        news.narrow = sizeof(long) == 8 && info.arch == NARROW;
        news.number = info.entry.nr;
        for (int i = 0; i < CALL_NAMES_ARGUMENTS; i++)
            news.arguments[i] = info.entry.args[i];
        const struct call_name *name = call_names_find(news.number, news.narrow);
        find_file(news.pid, tid, name, news.arguments, text);
        u64map_set(&s->opening, u64map_key((uint64_t)tid), call_names_opens(name));
    } else if (info.op == PTRACE_SYSCALL_INFO_EXIT) {
        news.kind = TRACER_LEAVES;
        news.result = (uint64_t)info.exit.rval;
        if (!info.exit.is_error && u64map_get(&s->opening, u64map_key((uint64_t)tid)) == 1)
            read_link(news.pid, news.result, text);
    } else {
        return;
    }
    if (s->begun) {
        put(s, &news, text);
    } else if (news.kind == TRACER_ENTERS) {
        s->first = news;
        memcpy(s->first_file, text, sizeof text);
    }
}

static void forget(struct serve *s, pid_t tid) {
    u64map_set(&s->processes, u64map_key((uint64_t)tid), UINT64_MAX);
    if (s->begun)
        put_kind(s, TRACER_ENDS, tid, "");
}

/* A thread that executes a program gets the number of its process, whose other threads end. */
static void take_exec(struct serve *s, pid_t tid) {
    unsigned long before = 0;
    ptrace(PTRACE_GETEVENTMSG, tid, 0, &before);
    if (before != 0 && (pid_t)before != tid)
        forget(s, (pid_t)before);
    if (!s->begun && tid == s->program) {
        s->begun = true;
        put(s, &s->first, s->first_file);
    }
}

static bool stops(int signal) {
    return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

/* A thread has stopped: lets it go on. */
static void take_stop(struct serve *s, pid_t tid, int status) {
    int signal = WSTOPSIG(status), event = status >> 16;
    bool group = event == PTRACE_EVENT_STOP && stops(signal);
    if (signal == (SIGTRAP | 0x80))
        take_call(s, tid);
    else if (event == PTRACE_EVENT_EXEC)
        take_exec(s, tid);
    bool passes = event == 0 && signal != (SIGTRAP | 0x80);
    ptrace(group ? PTRACE_LISTEN : PTRACE_SYSCALL, tid, 0, passes ? (long)signal : 0L);
}

/* 0, or errno. */
static int seize(pid_t program) {
    const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                         PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC;
    int why = EPERM;
    for (int i = 0; why == EPERM && i < TRIES; i++) {
        why = ptrace(PTRACE_SEIZE, program, 0, options) == 0 ? 0 : errno;
        if (why == EPERM)
            nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    if (why == 0 && ptrace(PTRACE_INTERRUPT, program, 0, 0) != 0)
        why = errno;
    return why;
}

void tracer_serve(pid_t program, int fd) {
    static struct serve s;
    s.fd = fd;
    s.program = program;
    const struct sigaction rung = {.sa_handler = ring};
    sigset_t others;
    sigfillset(&others); /* those for all of a terminal or a group are for the program */
    sigdelset(&others, SIGALRM);
    sigaction(SIGALRM, &rung, NULL);
    sigprocmask(SIG_SETMASK, &others, NULL);
    int why = seize(program);
    put_kind(&s, why == 0 ? TRACER_READY : TRACER_REFUSED, program, why ? strerror(why) : "");
    send_all(&s);
    while (why == 0) {
        int status;
        pid_t tid = rings ? 0 : waitpid(-1, &status, __WALL);
        if (tid < 0 && errno != EINTR)
            break;
        if (tid > 0 && WIFSTOPPED(status))
            take_stop(&s, tid, status);
        else if (tid > 0)
            forget(&s, tid);
        if (rings) { /* after all that was seen before */
            rings = 0;
            put_kind(&s, TRACER_SENT, 0, "");
            send_all(&s);
        }
    }
    send_all(&s);
    _exit(0);
}
