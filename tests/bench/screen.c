/* screen.c - what a full-screen program writes for each key and how long that takes: screen PROGRAM
 * ARG...
 *
 * Runs PROGRAM on a pseudo-terminal of 120x40 and plays keys. A row has the bytes of a key: median,
 * most. Then come the times from the key to the first byte (median, p95, most) and to the last byte
 * (median, p95). A key is answered by its first frame, and jobs may complete it. The next key comes
 * when nothing was written for 60 ms. Nothing is judged: the limits are printed next to the
 * figures. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/lib/pty.h"

enum { COLS = 120, ROWS = 40, QUIET_MS = 60, START_QUIET_MS = 400, KEYS_MOST = 400 };

struct answer {
    double first, ms; /* to the first byte, to the last one; 0: there was none */
    size_t bytes, reads;
};

struct step {
    /* before: keys that are not measured; of keys, one after the other ... */
    const char *name, *before, *keys;
    unsigned times; /* ... so often; 0: all at once */
    const char *limits;
};

static const struct step steps[] = {
    {"row move", "gg", "jk", 40, "400 B, 1/5 ms"},
    {"slice move, with details", "jj", "lh", 40, "1 kB, 1/5 ms"},
    {"cursor a column", "", "HL", 40, "2.5 kB, 4/16 ms"},
    {"pan by a quarter", "ssssssww", "da", 40, "10 kB, 8/30 ms"},
    {"pan by a window", "", "DA", 40, "10 kB, 8/30 ms"},
    {"zoom", "", "wwss", 40, "10 kB, 8/30 ms"},
    {"200 keys at once", "",
     "dadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadad"
     "ada"
     "dadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadad"
     "adaww",
     0, "30 kB, 100 ms"},
    {"key without effect", "", "Y", 20, "0 B"},
    {"log row, with details", "5", "jjjjjkkkkk", 40, "1 kB, 2/8 ms"},
    {"log sorted", "", ">", 12, "16 ms"},
    {"log searched", "/no such row\r", "nN", 12, "16 ms"},
    {"next hit", "1/re\r", "nN", 40, "16 ms"},
    {"order of the tracks", "", "o", 6, "16 ms"},
    {"help and back", "1", "?q", 20, "14 kB"},
};

static struct pty pty;

static double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void fail(const char *what) {
    fprintf(stderr, "screen: %s: %s\n", what, strerror(errno));
    exit(2);
}

/* Reads until nothing came for so long; times count from `from`. */
static struct answer answer(double from, int quiet) {
    static char bytes[65536];
    struct answer a = {0};
    struct pollfd ready = {pty.master, POLLIN, 0};
    while (poll(&ready, 1, quiet) > 0) {
        ssize_t n = read(pty.master, bytes, sizeof bytes);
        if (n <= 0)
            break;
        a.ms = now_ms() - from;
        a.first = a.reads == 0 ? a.ms : a.first;
        a.bytes += (size_t)n;
        a.reads++;
    }
    return a;
}

static struct answer press(const char *keys, size_t n, int quiet) {
    double from = now_ms();
    while (n > 0) {
        ssize_t wrote = write(pty.master, keys, n);
        if (wrote < 0 && errno != EINTR)
            fail("write");
        if (wrote > 0) {
            keys += wrote;
            n -= (size_t)wrote;
        }
    }
    return answer(from, quiet);
}

static void start(char **argv) {
    pty_open(&pty, COLS, ROWS);
    if (pty_fork(&pty, PTY_STDERR) > 0)
        return;
    setenv("TERM", "xterm-256color", 1);
    execvp(argv[0], argv);
    _exit(127);
}

static int by_ms(const void *a, const void *b) {
    double x = ((const struct answer *)a)->ms, y = ((const struct answer *)b)->ms;
    return (x > y) - (x < y);
}

static int by_first(const void *a, const void *b) {
    double x = ((const struct answer *)a)->first, y = ((const struct answer *)b)->first;
    return (x > y) - (x < y);
}

static int by_bytes(const void *a, const void *b) {
    size_t x = ((const struct answer *)a)->bytes, y = ((const struct answer *)b)->bytes;
    return (x > y) - (x < y);
}

static void row(const char *name, struct answer *v, size_t n, const char *limits) {
    qsort(v, n, sizeof *v, by_bytes);
    size_t median = v[n / 2].bytes, most = v[n - 1].bytes;
    size_t p95 = (n - 1) * 95 / 100;
    qsort(v, n, sizeof *v, by_first);
    printf("%-26s %9zu %9zu %9.2f %9.2f %9.2f", name, median, most, v[n / 2].first, v[p95].first,
           v[n - 1].first);
    qsort(v, n, sizeof *v, by_ms);
    printf(" %9.2f %9.2f   %s\n", v[n / 2].ms, v[p95].ms, limits);
    fflush(stdout);
}

int main(int argc, char **argv) {
    static struct answer answers[KEYS_MOST];
    if (argc < 2) {
        fputs("usage: screen PROGRAM ARG...\n", stderr);
        return 2;
    }
    double from = now_ms();
    start(argv + 1);
    answers[0] = answer(from, START_QUIET_MS);
    if (answers[0].bytes == 0) {
        fputs("screen: the program wrote nothing\n", stderr);
        return 2;
    }
    printf("%-26s %9s %9s %9s %9s %9s %9s %9s   %s\n", "120x40", "bytes", "most", "answered", "p95",
           "most", "complete", "p95", "at most");
    row("start", answers, 1, "10 kB, 50 ms");
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const struct step *s = &steps[i];
        size_t n = s->times > 0 ? s->times : 1, keys = strlen(s->keys);
        press(s->before, strlen(s->before), START_QUIET_MS);
        for (size_t k = 0; k < n; k++)
            answers[k] = s->times > 0 ? press(s->keys + k % keys, 1, QUIET_MS)
                                      : press(s->keys, keys, START_QUIET_MS);
        row(s->name, answers, n, s->limits);
    }
    press("1", 1, START_QUIET_MS);
    answer(now_ms(), 2500);
    long before = pty_wakes(&pty);
    answers[0] = answer(now_ms(), 10000);
    printf("%-26s %9zu bytes, woken %ld times in 10 s%15s0\n", "idle", answers[0].bytes,
           pty_wakes(&pty) - before, "");
    for (int i = 0; i < 3; i++) /* the drawer, the help, and then all */
        press("q", 1, QUIET_MS);
    int status = 0;
    pty_signal(&pty, SIGHUP);
    waitpid(pty.pid, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : 1;
}
