/* restarts.c - the library under a second manager: threads, modes, restarts, forks and signals at
 * once.
 *
 *     restarts [ROUNDS]   the manager, which starts itself as the traced program
 *     restarts program    the program
 *
 * The manager is written from fxttrace(7) and shares nothing with record/ or provider/. In each
 * mode it starts and stops the program with each disposition. Meanwhile three threads write
 * numbered events, signals interrupt them with events of their own, and children are forked. A
 * thread's numbers rise, and those that are missing were counted as dropped. All that was written
 * between STARTED and STOP is there. Then managers follow that send nonsense or close in each
 * state: the program goes on and ends well. tests/system/threads.sh runs it under TSan. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/system/restarts.h"

enum { PATIENCE_MS = 60000, STRINGS_ROOM = 64, WINDOW = 600 };
enum { RUNNER_GAVE_UP = 4 }; /* exit status: qemu failed itself, and said nothing of the program */

/* ---- the manager: one provider ---- */

enum { ONESHOT, CIRCULAR, STREAMING };
#if defined(__aarch64__)
enum { CLOCK = 2 }; /* CNTVCT */
#else
enum { CLOCK = 0 }; /* CLOCK_MONOTONIC */
#endif

struct provider {
    int control, packets;
    uint64_t *words; /* the buffer */
    uint64_t size;
    uint64_t durable, rolling, cell; /* bytes */
    uint32_t saved;
    uint32_t wrap_of[2]; /* of what was taken of a half, + 1 */
    uint32_t *taken[2];  /* words, by cell */
    bool started, stopped;
    bool window[PROCESSES][THREADS]; /* some event of this start was seen */
    unsigned last[PROCESSES][THREADS], first[PROCESSES][THREADS];
    uint64_t gaps, events;
};

static struct {
    char path[100];
    pid_t program;
    int listener, mode;
    uint64_t size;
    struct provider *v[PROCESSES];
    unsigned n;
    unsigned disposition;
    bool runs;
    unsigned passed, failed, whole; /* whole: windows without a dropped record */
    uint64_t events, dropped;
} now;

static void check(bool good, const char *what) {
    now.passed += good;
    now.failed += !good;
    if (!good)
        printf("FAILED: mode %d, size %" PRIu64 ", disposition %u: %s\n", now.mode, now.size,
               now.disposition, what);
}

static uint64_t word(const struct provider *p, uint64_t offset) {
    return __atomic_load_n(&p->words[offset / 8], __ATOMIC_ACQUIRE);
}

static void send_message(int fd, uint16_t type, const void *body, uint32_t n, const int *fds) {
    unsigned char bytes[256], ancillary[CMSG_SPACE(2 * sizeof(int))] = {0};
    struct iovec io = {bytes, 8 + n};
    struct msghdr msg = {.msg_iov = &io, .msg_iovlen = 1};
    memset(bytes, 0, 8);
    memcpy(bytes, &type, 2);
    memcpy(bytes + 4, &n, 4);
    if (n > 0)
        memcpy(bytes + 8, body, n);
    if (fds) {
        msg.msg_control = ancillary;
        msg.msg_controllen = sizeof ancillary;
        struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(2 * sizeof(int));
        memcpy(CMSG_DATA(c), fds, 2 * sizeof(int));
    }
    if (sendmsg(fd, &msg, MSG_NOSIGNAL) < 0 && errno != EPIPE && errno != ECONNRESET)
        perror("sendmsg");
}

static int new_buffer(uint64_t size, int seals) {
    int fd = memfd_create("buffer", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0 || ftruncate(fd, (off_t)size) != 0 ||
        (seals && fcntl(fd, F_ADD_SEALS, seals) != 0)) {
        perror("memfd_create");
        exit(2);
    }
    return fd;
}

static void initialize_as(int control, int buffer, int packets, int mode, uint64_t size) {
    unsigned char body[24 + 10] = {(unsigned char)mode, CLOCK, 1, 0};
    const uint64_t second = 1000000000;
    memcpy(body + 8, &size, 8);
    memcpy(body + 16, &second, 8);
    memcpy(body + 24, "\011restarts*", 10);
    send_message(control, 0x82, body, sizeof body, (int[]){buffer, packets});
}

static void initialize(struct provider *p) {
    int pair[2], buffer = new_buffer(now.size, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        exit(2);
    p->size = now.size;
    p->words = mmap(NULL, p->size, PROT_READ, MAP_SHARED, buffer, 0);
    p->packets = pair[0];
    initialize_as(p->control, buffer, pair[1], now.mode, p->size);
    close(pair[1]);
    close(buffer);
    p->started = p->stopped = false;
    p->saved = p->wrap_of[0] = p->wrap_of[1] = 0;
    memset(p->last, 0, sizeof p->last);
}

static void start(struct provider *p) {
    const unsigned char body[8] = {(unsigned char)now.disposition};
    memset(p->window, 0, sizeof p->window);
    p->gaps = 0;
    p->stopped = p->started = false;
    if (now.disposition < 2) {
        p->saved = p->wrap_of[0] = p->wrap_of[1] = 0;
        memset(p->last, 0, sizeof p->last);
    }
    send_message(p->control, 0x83, body, sizeof body, NULL);
}

/* ---- the manager: records ---- */

static size_t text_words(uint64_t ref) {
    return ref & 0x8000 ? ((ref & 0x7fff) + 7) / 8 : 0;
}

/* An event with three arguments is a tick: p, t and i. */
static void take_event(struct provider *p, const uint64_t *v, size_t n) {
    size_t at =
        2 + ((v[0] >> 24 & 255) ? 0 : 2) + text_words(v[0] >> 32 & 0xffff) + text_words(v[0] >> 48);
    unsigned values[3];
    p->events++;
    if ((v[0] >> 16 & 15) != 0 || (v[0] >> 20 & 15) != 3)
        return;
    for (int i = 0; i < 3; i++) {
        if (at >= n || (v[at] >> 4 & 0xfff) == 0) {
            check(false, "an argument is damaged");
            return;
        }
        values[i] = (unsigned)(v[at] >> 32);
        at += v[at] >> 4 & 0xfff;
    }
    if (values[0] >= PROCESSES || values[1] >= THREADS) {
        check(false, "an event is damaged");
        return;
    }
    unsigned *last = &p->last[values[0]][values[1]];
    bool *window = &p->window[values[0]][values[1]];
    if (values[2] + 1 <= *last)
        check(false, "an event comes twice, or out of order");
    if (*window)
        p->gaps += values[2] - *last;
    else
        p->first[values[0]][values[1]] = values[2];
    *window = true;
    *last = values[2] + 1;
}

static void take_chunk(struct provider *p, const uint64_t *chunk, size_t n, uint32_t *taken) {
    size_t at = *taken > 0 ? *taken : 1;
    while (at < n) {
        uint64_t header = __atomic_load_n(&chunk[at], __ATOMIC_ACQUIRE);
        size_t size = (header & 15) == 15 ? header >> 4 & 0xffffffff : header >> 4 & 0xfff;
        if (header == 0)
            break;
        if (size == 0 || size > n - at) {
            check(false, "a record does not fit into its chunk");
            break;
        }
        if ((header & 15) == 4)
            take_event(p, chunk + at, size);
        at += size;
    }
    *taken = (uint32_t)at;
}

static void take_half(struct provider *p, uint32_t wrap, uint64_t limit) {
    unsigned half = now.mode == ONESHOT ? 0 : wrap & 1;
    const uint64_t *base = p->words + (128 + p->durable + half * p->rolling) / 8;
    size_t cells = p->rolling / p->cell, words = p->cell / 8;
    if (p->wrap_of[half] != wrap + 1) {
        free(p->taken[half]);
        p->taken[half] = calloc(cells, sizeof *p->taken[half]);
        p->wrap_of[half] = wrap + 1;
    }
    for (size_t cell = 0; cell < cells && cell * p->cell < limit;) {
        uint64_t mark = __atomic_load_n(&base[cell * words], __ATOMIC_ACQUIRE);
        size_t span = mark >> 52 & 255;
        if ((mark & 0xfffff) != (1 << 4 | 15 << 16) || (uint32_t)(mark >> 20) != wrap ||
            span == 0 || span > cells - cell) {
            cell++;
            continue;
        }
        take_chunk(p, base + cell * words, span * words, &p->taken[half][cell]);
        cell += span;
    }
}

static void take_rest(struct provider *p) {
    uint64_t state = word(p, 80);
    uint32_t wrap = now.mode == ONESHOT ? 0 : (uint32_t)(state >> 32);
    if (wrap > 0 && (now.mode == CIRCULAR || wrap > p->saved))
        take_half(p, wrap - 1, UINT64_MAX);
    take_half(p, wrap, (uint32_t)state);
}

static void read_header(struct provider *p) {
    p->durable = word(p, 24);
    p->rolling = word(p, 32);
    p->cell = word(p, 88);
    check(word(p, 0) == UINT64_C(0x627566ee68656164) &&
              (word(p, 8) >> 16 & 255) == (uint64_t)now.mode && word(p, 16) == p->size &&
              word(p, 72) == UINT64_C(0x316b6e6863747866) && p->cell >= 512 &&
              p->rolling >= p->cell,
          "the header is wrong");
}

/* One packet; false: the connection has ended. */
static bool take_packet(struct provider *p) {
    struct {
        uint16_t request, data16;
        uint32_t data32;
        uint64_t data64;
    } m;
    ssize_t n = recv(p->packets, &m, sizeof m, 0);
    if (n <= 0) { /* as at STOPPED; a child may end without it */
        if (p->started && !p->stopped)
            take_rest(p);
        check(!p->started || p->gaps <= word(p, 64), "events are missing at the end of a process");
        close(p->packets);
        p->packets = -1;
        munmap(p->words, p->size);
        return false;
    }
    if (m.request == 1) {
        read_header(p);
        p->started = true;
    } else if (m.request == 2) {
        check(now.mode == STREAMING && m.data32 == p->saved, "a half is announced out of order");
        take_half(p, m.data32, UINT64_MAX);
        p->saved = m.data32 + 1;
        m.request = 0x100;
        send(p->packets, &m, sizeof m, MSG_NOSIGNAL);
    } else if (m.request == 3) {
        take_rest(p);
        p->stopped = true;
    } else {
        check(false, "a packet of an unknown kind");
    }
    return true;
}

/* ---- the manager: the loop ---- */

static void register_one(struct provider *p) {
    static const uint32_t accepted[2] = {0, 0};
    unsigned char bytes[256];
    ssize_t n = recv(p->control, bytes, sizeof bytes, 0);
    if (n < 8 + 16 + 1)
        return;
    send_message(p->control, 0x81, (uint32_t[2]){accepted[0], now.runs}, 8, NULL);
    if (now.runs) {
        unsigned disposition = now.disposition;
        initialize(p);
        now.disposition = 0;
        start(p);
        now.disposition = disposition;
    }
}

static void take_new(void) {
    int fd = accept4(now.listener, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0 || now.n == PROCESSES)
        return;
    struct provider *p = calloc(1, sizeof *p);
    p->control = fd;
    p->packets = -1;
    now.v[now.n++] = p;
    register_one(p);
}

static void forget(unsigned k) {
    struct provider *p = now.v[k];
    close(p->control);
    free(p->taken[0]);
    free(p->taken[1]);
    now.events += p->events;
    free(p);
    now.v[k] = now.v[--now.n];
}

/* It stays to be waited for. */
static bool has_ended(pid_t pid) {
    siginfo_t info = {.si_pid = 0};
    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

/* One turn; false: nothing came for long, or the program has ended before its time. */
static bool turn(void) {
    struct pollfd fds[1 + 2 * PROCESSES] = {{now.listener, POLLIN, 0}};
    unsigned n = now.n;
    for (unsigned i = 0; i < n; i++) {
        fds[1 + 2 * i] = (struct pollfd){now.v[i]->control, POLLIN, 0};
        fds[2 + 2 * i] = (struct pollfd){now.v[i]->packets, POLLIN, 0};
    }
    if (poll(fds, 1 + 2 * n, PATIENCE_MS) <= 0)
        return false;
    for (unsigned i = n; i-- > 0;) {
        bool gone = fds[2 + 2 * i].revents && !take_packet(now.v[i]);
        if ((fds[1 + 2 * i].revents || gone) && now.v[i]->packets < 0 &&
            recv(now.v[i]->control, (char[8]){0}, 8, MSG_DONTWAIT | MSG_PEEK) == 0)
            forget(i);
    }
    if (fds[0].revents)
        take_new();
    return now.n > 0 || !has_ended(now.program);
}

static bool wait_until(const bool *what) {
    while (!*what)
        if (!turn())
            return false;
    return true;
}

/* Lets each thread of the program write so many events. */
static bool wait_for_events(unsigned n) {
    unsigned until[THREADS];
    for (int k = 0; k < THREADS; k++)
        until[k] = atomic_load(&board->done[0][k]) + n;
    for (int ms = 0; ms < PATIENCE_MS; ms++) {
        bool all = true;
        for (int k = 0; k < THREADS; k++)
            all = all && atomic_load(&board->done[0][k]) >= until[k];
        if (all)
            return true;
        struct pollfd some = {now.v[0]->packets, POLLIN, 0};
        if (poll(&some, 1, 1) > 0 && !turn())
            return false;
        struct pollfd new_one = {now.listener, POLLIN, 0};
        if (poll(&new_one, 1, 0) > 0 && !turn())
            return false;
    }
    return false;
}

/* From START to STOPPED of the program, which is the first provider. */
static bool run_window(unsigned disposition) {
    struct provider *p = now.v[0];
    unsigned from[THREADS], to[THREADS];
    /* Before START: records may be dropped before STARTED is read, and the count of a stopped
     * session stays. */
    uint64_t dropped = disposition == 2 ? word(p, 64) : 0;
    now.disposition = disposition;
    now.runs = true;
    start(p);
    if (!wait_until(&p->started))
        return false;
    for (int k = 0; k < THREADS; k++)
        from[k] = atomic_load(&board->begun[0][k]);
    if (!wait_for_events(WINDOW))
        return false;
    for (int k = 0; k < THREADS; k++)
        to[k] = atomic_load(&board->done[0][k]);
    send_message(p->control, 0x84, NULL, 0, NULL);
    now.runs = false;
    if (!wait_until(&p->stopped))
        return false;
    dropped = word(p, 64) - dropped;
    check(p->gaps <= dropped, "events are missing, and were not counted as dropped");
    /* else other threads may overwrite them */
    bool keeps_all = now.mode != CIRCULAR || now.size > 65536;
    for (int k = 0; k < THREADS && dropped == 0 && keeps_all; k++) {
        check(p->window[0][k] && p->last[0][k] >= to[k], "the last events are missing");
        check(now.mode == CIRCULAR || p->first[0][k] <= from[k], "the first events are missing");
    }
    now.dropped += dropped;
    now.whole += dropped == 0;
    return true;
}

static bool run_session(int mode, uint64_t size) {
    static unsigned sessions;
    unsigned dispositions[] = {sessions++ % 3, 2, 1, 2, 0}; /* of a new buffer each clears all */
    struct provider *p = now.v[0];
    bool good = true;
    now.mode = mode;
    now.size = size;
    initialize(p);
    for (size_t i = 0; i < sizeof dispositions / sizeof *dispositions && good; i++)
        good = run_window(dispositions[i]);
    if (good)
        send_message(p->control, 0x85, NULL, 0, NULL);
    while (good && p->packets >= 0)
        good = turn();
    check(good, "no answer");
    for (unsigned i = now.n; i-- > 1;) { /* children that have not ended */
        if (now.v[i]->packets >= 0) {
            close(now.v[i]->packets);
            munmap(now.v[i]->words, now.v[i]->size);
            now.v[i]->packets = -1;
        }
        now.v[i]->started = false;
        forget(i);
    }
    return good;
}

/* ---- managers that lie ---- */

/* Sends one sort of nonsense after REGISTER, and closes. */
static void lie(struct provider *p, int which) {
    static const char nonsense[200] = "nonsense";
    const int seals = which == 3 ? 0 : F_SEAL_SHRINK | F_SEAL_GROW;
    int pair[2], buffer = new_buffer(which == 4 ? 65536 : 1 << 20, seals);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        exit(2);
    send_message(p->control, 0x84, NULL, 0, NULL); /* after a STOP the library comes again soon */
    if (which == 0)
        send(p->control, nonsense, sizeof nonsense, MSG_NOSIGNAL);
    send_message(p->control, 0x81, (uint32_t[2]){which == 1 ? 2 : 0, 1}, 8, NULL);
    if (which == 2)
        send_message(p->control, 0x82, nonsense, 24, NULL); /* no descriptors */
    if (which > 2)
        initialize_as(p->control, buffer, pair[1], which == 5 ? 7 : which % 3,
                      which == 6 ? 5000 : 1 << 20);
    close(pair[1]);
    close(buffer);
    if (which > 7)
        send_message(p->control, 0x83, (unsigned char[8]){which == 8 ? 9 : 0}, which == 9 ? 3 : 8,
                     NULL);
    if (which == 10)
        send_message(p->control, 0x77, nonsense, 100, NULL); /* a later version's */
    if (which == 11)
        send(pair[0], nonsense, 16, MSG_NOSIGNAL);
    if (which == 12)
        send(pair[0], nonsense, 5, MSG_NOSIGNAL);
    for (int i = 0; which >= 13 && i < 50; i++) {
        uint64_t saved[2] = {0x100 | (uint64_t)(unsigned)i << 32, 1u << 30};
        send(pair[0], saved, sizeof saved, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    if (which >= 14) { /* another session within the first one, STOP again and again */
        send_message(p->control, 0x84, NULL, 0, NULL);
        send_message(p->control, 0x84, NULL, 0, NULL);
        send_message(p->control, 0x83, (unsigned char[8]){2}, 8, NULL);
        send_message(p->control, 0x85, NULL, 0, NULL);
        send_message(p->control, 0x84, NULL, 0, NULL);
    }
    close(pair[0]);
    close(p->control);
}

static void run_liars(void) {
    for (int which = 0; which < 16; which++) {
        struct pollfd one = {now.listener, POLLIN, 0};
        if (poll(&one, 1, PATIENCE_MS) <= 0) {
            check(false, "the program does not come again");
            return;
        }
        struct provider p = {.control = accept4(now.listener, NULL, NULL, SOCK_CLOEXEC)};
        char bytes[256];
        if (recv(p.control, bytes, sizeof bytes, 0) > 0)
            lie(&p, which);
        now.passed++;
    }
}

/* ---- begin and end ---- */

static bool set_up(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *tmp = getenv("TMPDIR");
    char number[20];
    int fd = memfd_create("board", 0);
    snprintf(now.path, sizeof now.path, "%s/restarts-%ld", tmp ? tmp : "/tmp", (long)getpid());
    snprintf(address.sun_path, sizeof address.sun_path, "%s", now.path);
    now.listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    snprintf(number, sizeof number, "%d", fd);
    if (fd < 0 || ftruncate(fd, sizeof *board) != 0 || setenv("RESTARTS_BOARD", number, 1) != 0 ||
        bind(now.listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(now.listener, 64) != 0)
        return false;
    board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    atomic_store(&board->processes, 1);
    return board != MAP_FAILED;
}

static bool few_whole(int sessions) {
    return now.whole < 2u * (unsigned)sessions;
}

int main(int argc, char **argv) {
    static const uint64_t sizes[] = {65536, 1 << 20};
    int status = 0;
    if (argc > 1 && strcmp(argv[1], "program") == 0)
        return run_program();
    int times = argc > 1 ? whole_number(argv[1], 1000000) : 1;
    if (times < 1) {
        fputs("usage: restarts [N], with N from 1 to 1000000\n", stderr);
        return 2;
    }
    if (!set_up()) {
        perror("restarts");
        return 2;
    }
    now.program = fork();
    if (now.program == 0) {
        setenv("FXTTRACE_SOCKET", now.path, 1);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getenv("RUNNER")) /* qemu, which cannot run a program of its machine by itself */
            execlp(getenv("RUNNER"), getenv("RUNNER"), argv[0], "program", (char *)NULL);
        execl("/proc/self/exe", argv[0], "program", (char *)NULL);
        _exit(127);
    }
    while (now.n == 0 && turn())
        ;
    bool good = now.n > 0;
    int sessions = 6 * times;
    /* on a busy machine most windows lose records: more of them until enough are whole */
    for (int i = 0; good && (i < sessions || (i < 9 * sessions && few_whole(sessions))); i++)
        good = run_session(i % 3, sizes[i / 3 % 2]);
    if (good) {
        now.events += now.v[0]->events;
        close(now.v[0]->control);
        run_liars();
    }
    atomic_store(&board->ends, true);
    close(now.listener);
    unlink(now.path);
    waitpid(now.program, &status, 0);
    if (getenv("RUNNER") && WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return RUNNER_GAVE_UP;
    check(good && WIFEXITED(status) && WEXITSTATUS(status) == 0, "the program did not end well");
    check(!few_whole(sessions), "records were dropped nearly everywhere");
    printf("%" PRIu64 " events, %" PRIu64
           " dropped, %u windows whole, %u processes\n%u passed, %u failed\n",
           now.events, now.dropped, now.whole, atomic_load(&board->processes), now.passed,
           now.failed);
    return now.failed > 0;
}
