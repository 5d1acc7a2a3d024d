/* hop.c - hop FILE.fxt measures what the memory allows: raw figures of a mapped trace, to compare
 * an index with.
 *
 * Prints `hop`: from record header to record header and nothing else, and `sum`: all words read
 * once. `decode` is what no reader of durations can leave out: it looks up each reference, passes
 * the arguments, compares the times and stores 24 bytes. It has no bounds, faults, clocks, other
 * events and no second thread. Best and median of five rounds each, in ms, with the pages in the
 * cache (a first round that is not counted sees to that). */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "src/fxt/event.h"
#include "src/fxt/record.h"

#define ROUNDS 5

static double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static uint64_t hop(const uint64_t *words, size_t n) {
    uint64_t records = 0;
    for (size_t i = 0; i < n; records++) {
        uint64_t size = record_words(words[i]);
        if (size == 0)
            break;
        i += size;
    }
    return records;
}

static uint64_t sum(const uint64_t *words, size_t n) {
    uint64_t s = 0;
    for (size_t i = 0; i < n; i++)
        s += words[i];
    return s;
}

static struct {
    uint8_t known[1 << 16];
    uint64_t names[1 << 16];
    struct duration v[256][1024], *next[256]; /* by thread */
} tables;

/* Gives all references a meaning, before decode(). */
static void prepare(void) {
    memset(tables.known, 1, sizeof tables.known);
    for (unsigned i = 0; i < 1 << 16; i++)
        tables.names[i] = event_pack(0, i);
}

static uint64_t decode(const uint64_t *words, size_t n) {
    /* the last records are left out */
    const uint64_t *end = words + (n > 4096 ? n - 4096 : 0), *w = words;
    uint64_t durations = 0;
    for (unsigned i = 0; i < 256; i++)
        tables.next[i] = tables.v[i];
    while (w < end) {
        uint64_t h = *w, kind = h >> 16 & 15;
        const uint64_t *at = w + 2, *next = w + (h >> 4 & 0xfff);
        if (next == w)
            break;
        if ((h & 15) == FXT_EVENT &&
            kind - FXT_DURATION_BEGIN <= FXT_DURATION_COMPLETE - FXT_DURATION_BEGIN) {
            unsigned known = tables.known[h >> 32 & 0xffff], thread = h >> 24 & 255;
            for (uint64_t count = h >> 20 & 15; count > 0; count--) {
                uint64_t a = *at;
                known &= tables.known[a >> 16 & 0xffff];
                known &= tables.known[(a & 15) == FXT_ARG_STRING ? a >> 32 & 0xffff : 0];
                at += a >> 4 & 15;
            }
            uint64_t ts = w[1], last = kind == FXT_DURATION_COMPLETE ? *at : ts;
            if (known && last >= ts) {
                struct duration *to = tables.next[thread];
                *to = (struct duration){(int64_t)ts, (int64_t)(last - ts),
                                        tables.names[h >> 48] + (uint64_t)(w - words)};
                tables.next[thread] = to + 1 == tables.v[thread] + 1024 ? tables.v[thread] : to + 1;
                durations++;
            }
        }
        w = next;
    }
    return durations;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static uint64_t measure(const char *name, uint64_t (*f)(const uint64_t *, size_t),
                        const uint64_t *words, size_t n) {
    double ms[ROUNDS];
    volatile uint64_t result = f(words, n); /* volatile: the work must be done */
    for (int i = 0; i < ROUNDS; i++) {
        double from = now_ms();
        result = f(words, n);
        ms[i] = now_ms() - from;
    }
    qsort(ms, ROUNDS, sizeof *ms, by_value);
    printf("%s best %.1f ms median %.1f ms\n", name, ms[0], ms[ROUNDS / 2]);
    return result;
}

int main(int argc, char **argv) {
    struct stat st;
    if (argc != 2) {
        fputs("usage: hop FILE.fxt\n", stderr);
        return 2;
    }
    int fd = open(argv[1], O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) != 0 || st.st_size < 8) {
        fprintf(stderr, "hop: %s: %s\n", argv[1], fd < 0 ? strerror(errno) : "too short");
        return 2;
    }
    void *map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED) {
        fprintf(stderr, "hop: %s: %s\n", argv[1], strerror(errno));
        return 2;
    }
    size_t n = (size_t)st.st_size / 8;
    uint64_t records = measure("hop", hop, map, n);
    measure("sum", sum, map, n);
    prepare();
    uint64_t durations = measure("decode", decode, map, n);
    printf("records %" PRIu64 " bytes %" PRIu64 " durations %" PRIu64 "\n", records,
           (uint64_t)st.st_size, durations);
    munmap(map, (size_t)st.st_size);
    close(fd);
    return 0;
}
