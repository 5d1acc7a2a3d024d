/* beat.c - how long an event takes to the live screen: beat FXTOP MACROS N FILE [lines]
 *
 * Runs `FXTOP record --live` on a pseudo-terminal of 120x40, with a program that writes one event
 * at a time, and no other source of events. The screen changes only because an event came; the
 * program's file has the times of its events. With `lines` the program prints lines, and the log
 * shows them: the time of one is when its text is there. Prints the latencies: median, 95 %,
 * most. */
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/lib/pty.h"

enum { COLS = 120, ROWS = 40, MOST = 1000 };

static struct pty pty;
static uint64_t wrote[100000]; /* ns: when the screen was written to */
static size_t nwrote;

static uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void watch(uint64_t until) {
    static char bytes[65536];
    struct pollfd ready = {pty.master, POLLIN, 0};
    while (now_ns() < until)
        if (poll(&ready, 1, 50) > 0) {
            if (read(pty.master, bytes, sizeof bytes) <= 0)
                return;
            if (nwrote < sizeof wrote / sizeof *wrote)
                wrote[nwrote++] = now_ns();
        }
}

static void watch_lines(unsigned long lines) {
    char text[32];
    pty_type(&pty, "5");
    for (unsigned long i = 0; i < lines; i++) {
        snprintf(text, sizeof text, "beat %lu.", i);
        if (!pty_see(&pty, text))
            return;
        wrote[nwrote++] = now_ns();
    }
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int print(const char *file, bool lines) {
    static double ms[MOST];
    size_t n = 0, at = 0;
    char line[64];
    FILE *f = fopen(file, "r");
    while (f && n < MOST && fgets(line, sizeof line, f)) {
        uint64_t beat = strtoull(line, NULL, 10);
        while (!lines && at < nwrote && wrote[at] < beat)
            at++;
        if (at == nwrote)
            break;
        ms[n++] = (double)(wrote[at] - beat) / 1e6;
        at += lines;
    }
    if (f)
        fclose(f);
    qsort(ms, n, sizeof *ms, by_value);
    if (n > 0)
        printf("%s to the live screen, %zu, ms: median %.0f, 95 %% %.0f, most %.0f\n",
               lines ? "line of output" : "event", n, ms[n / 2], ms[n * 95 / 100], ms[n - 1]);
    return n > 0 ? 0 : 1;
}

int main(int argc, char **argv) {
    char trace[4096], *end = NULL;
    bool lines = argc == 6 && strcmp(argv[5], "lines") == 0;
    unsigned long beats = argc == 5 || lines ? strtoul(argv[3], &end, 10) : 0;
    if (beats == 0 || beats > MOST || *end) {
        fprintf(stderr, "usage: beat FXTOP MACROS N FILE [lines], with N from 1 to %d\n", MOST);
        return 2;
    }
    snprintf(trace, sizeof trace, "%s.fxt", argv[4]);
    const char *const record[] = {argv[1],
                                  "record",
                                  "--live",
                                  "--no-sched",
                                  "--no-stacks",
                                  "--sample=0",
                                  "-o",
                                  trace,
                                  "--",
                                  argv[2],
                                  lines ? "lines" : "beat",
                                  argv[3],
                                  argv[4],
                                  NULL};
    pty_open(&pty, COLS, ROWS);
    pty_start(&pty, PTY_PLAIN, record);
    if (lines)
        watch_lines(beats);
    else
        watch(now_ns() + (uint64_t)beats * 510000000 + 1000000000);
    pty_type(&pty, "q");
    pty_close(&pty);
    return print(argv[4], lines);
}
