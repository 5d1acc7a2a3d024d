/* growth.c - growth NAME TRACE TWICE EIGHT [JOINED]: the program over n, 2n and 8n of something, in
 * all modes and views.
 *
 * The growth from 2n to 8n is compared with that from n to 2n, so that the start is in neither. It
 * is 6 times as much for linear work, about 7 for n log n, and 20 for a square. Tables that double
 * do so now or then. So 10 times is too much, in steps (counted.h) and in memory. Nothing is timed.
 *
 * All runs are in one process, since to begin one takes longer than most of them. JOINED is how
 * many views are opened in one run, one after the other. With GROWTH_SHOW all numbers are printed,
 * with GROWTH_ONLY only the command lines that contain it are run. */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/discard.h"
#include "src/base/hash.h"
#include "tests/system/command_lines.h"
#include "tests/system/counted.h"

#define SIZES 3
#define LIMIT 10
/* n log n, and a cost that doubles once: what grows in jumps is held against all of it, too */
#define FOUR_TIMES 6
#define LEAST_STEPS 100000 /* that 8n takes more than 2n: less is noise */
#define LEAST_BYTES 1000000
#define STEPS_A_BYTE 32 /* that is printed: then the steps may grow with the text */

static FILE *say;      /* standard output of the test: that of the program is `out` */
static int out = -1;   /* what the program prints: a file without a name */
static char now[4200]; /* what runs */
static unsigned passed, failed;

static void fall(int number) {
    dprintf(fileno(say), "FAILED: %s: signal %d\n%u passed, %u failed\n", now, number, passed,
            failed + 1);
    _exit(1);
}

static const int deadly[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};

struct cost {
    uint64_t steps, bytes, printed;
};

static struct cost run(const char *const *words, int n, char *trace) {
    discard_wait(); /* what the run before has left */
    off_t before = lseek(out, 0, SEEK_END);
    int64_t bytes = counted_most = counted_bytes;
    counted_steps = 0;
    command_lines_run(words, n, trace);
    fflush(stdout);
    return (struct cost){counted_steps, (uint64_t)(counted_most - bytes),
                         (uint64_t)(lseek(out, 0, SEEK_END) - before)};
}

static bool may_grow(const uint64_t v[SIZES]) {
    return v[2] > FOUR_TIMES * v[1];
}

static bool grows(const uint64_t v[SIZES], uint64_t least) {
    uint64_t first = v[1] > v[0] ? v[1] - v[0] : 0, more = v[2] > v[1] ? v[2] - v[1] : 0;
    return more > LIMIT * first + least && may_grow(v);
}

struct held {
    const char *name;
    char **traces; /* SIZES of them */
};

static void hold(void *user, const char *what, const char *const *words, int n) {
    const struct held *held = user;
    const char *name = held->name;
    uint64_t steps[SIZES] = {0}, bytes[SIZES] = {0}, printed[SIZES] = {0};
    const char *only = getenv("GROWTH_ONLY");
    bool shows = getenv("GROWTH_SHOW") != NULL;
    if (only && strstr(what, only) == NULL)
        return;
    snprintf(now, sizeof now, "%s: %s", name, what);
    if (ftruncate(out, 0) != 0)
        abort();
    for (int k = SIZES - 1; k >= 0; k--) {
        if (k == 0 && !shows && !may_grow(steps) && !may_grow(bytes))
            break; /* whatever it takes */
        struct cost cost = run(words, n, held->traces[k]);
        steps[k] = cost.steps;
        bytes[k] = cost.bytes;
        printed[k] = cost.printed;
    }
    /* paths with all frames */
    bool square = grows(printed, 0) && steps[SIZES - 1] < STEPS_A_BYTE * printed[SIZES - 1];
    bool slow = grows(steps, LEAST_STEPS) && !square, large = grows(bytes, LEAST_BYTES);
    passed += !slow && !large;
    failed += slow || large;
    if (slow || large || shows)
        fprintf(say, "%s: %s: %s: %llu, %llu, %llu steps, %llu, %llu, %llu bytes\n",
                slow || large ? "FAILED" : "fine", name, what, (unsigned long long)steps[0],
                (unsigned long long)steps[1], (unsigned long long)steps[2],
                (unsigned long long)bytes[0], (unsigned long long)bytes[1],
                (unsigned long long)bytes[2]);
}

/* The program reads nothing, and what it prints is counted. */
static void redirect(void) {
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    say = fdopen(dup(STDOUT_FILENO), "w");
    out = fileno(tmpfile());
    if (null < 0 || say == NULL || dup2(null, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
        dup2(null, STDERR_FILENO) < 0)
        abort();
    setvbuf(say, NULL, _IOLBF, 0);
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
        signal(deadly[i], fall);
}

int main(int argc, char **argv) {
    static const uint64_t secret[4] = {UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707344),
                                       UINT64_C(0xa4093822299f31d0), UINT64_C(0x082efa98ec4e6c89)};
    if ((argc != 2 + SIZES && argc != 3 + SIZES) || !hash_share_secret(secret)) {
        fputs("usage: growth NAME TRACE TWICE EIGHT [JOINED]\n", stderr);
        return 2;
    }
    size_t joined = argc > 2 + SIZES ? strtoul(argv[2 + SIZES], NULL, 10) : 1;
    redirect();
    command_lines(joined, hold, &(struct held){argv[1], argv + 2});
    fprintf(say, "%u passed, %u failed\n", passed, failed);
    return failed > 0;
}
