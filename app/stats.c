/* stats.c - prints a line for each of the numbers of --stats. */
#include "app/stats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "ui/terminal/term.h"

static int shorter(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

struct stats stats;

void stats_print(const struct trace *trace) {
    size_t n = stats.frames.n;
    uint64_t bytes, most;
    if (n > 0)
        fprintf(stderr, "first picture %.1f ms\n",
                (double)(stats.first_picture - stats.started) / 1e6);
    if (stats.indexed > 0) /* else the program ended before */
        fprintf(stderr, "index %.1f ms%s\n", (double)(stats.indexed - stats.started) / 1e6,
                trace_cached(trace) ? ", cached" : "");
    fprintf(stderr, "own memory %" PRIu64 " bytes\n", trace_bytes(trace));
    if (n > 0) {
        qsort(stats.frames.v, n, sizeof *stats.frames.v, shorter);
        size_t slow = n - 1 - n / 100;
        fprintf(stderr, "frames %zu\n99%% of frames %.0f us\nslowest frame %.0f us\n", n,
                (double)stats.frames.v[slow] / 1e3, (double)stats.frames.v[n - 1] / 1e3);
    }
    vec_free(&stats.frames);
    if (term_written(&bytes, &most))
        fprintf(stderr, "written %" PRIu64 " bytes, %" PRIu64 " for the largest frame\n", bytes,
                most);
}
