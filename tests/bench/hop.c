/* hop.c - hop FILE.fxt measures what the memory allows: raw figures of a mapped trace, to compare an index with.
 *
 * Prints `hop`: from record header to record header and nothing else, and `sum`: all words read once. Best and median
 * of five rounds each, in ms, with the pages in the cache (a first round that is not counted sees to that). */
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

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static uint64_t measure(const char *name, uint64_t (*f)(const uint64_t *, size_t), const uint64_t *words, size_t n) {
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
    printf("records %" PRIu64 " bytes %" PRIu64 "\n", records, (uint64_t)st.st_size);
    munmap(map, (size_t)st.st_size);
    close(fd);
    return 0;
}
