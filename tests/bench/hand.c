/* hand.c - hand [MB] measures what a second thread gains at best if it gets events from the first
 * one.
 *
 * The first thread makes events in buffers of src/base/worker.c, and the other one sums them. Each
 * computes for some ns an event, and touches no other memory. The lines of the buffers move from
 * the cache of one processor to that of the other.
 *
 * Each line has the size of an event and the ns that each thread computes for it. Then it has ns an
 * event on one processor and on two, of the latter those of the first thread, and the gain. All are
 * medians of five rounds. */
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "src/base/err.h"
#include "src/base/worker.h"

#define ROUNDS 5
#define WORDS_MOST 6

static struct loop {
    unsigned words; /* of an event */
    unsigned turns; /* of compute() for it, in each thread */
    uint64_t sum;   /* of what was computed, so that nothing is left out */
} loop;

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Each turn waits for the one before. */
static inline uint64_t compute(uint64_t x, unsigned turns) {
    for (; turns > 0; turns--)
        x = (x ^ x >> 29) * UINT64_C(0x9e3779b97f4a7c15);
    return x;
}

static size_t events_of_buffer(void) {
    return WORKER_BUFFER_BYTES / (loop.words * sizeof(uint64_t));
}

static void use(void *ctx, void *run) {
    const uint64_t *event = run;
    (void)ctx;
    for (size_t n = events_of_buffer(); n > 0; n--) {
        for (unsigned i = 0; i < loop.words; i++)
            loop.sum ^= *event++;
        loop.sum = compute(loop.sum, loop.turns);
    }
}

static void fill(uint64_t *event, uint64_t x) {
    for (size_t n = events_of_buffer(); n > 0; n--) {
        x = compute(x, loop.turns);
        for (unsigned i = 0; i < loop.words; i++)
            *event++ = x + i;
        __asm__ volatile("" : : : "memory");
    }
}

struct times { /* ns an event */
    double all, first;
};

static struct times run(uint64_t buffers) {
    struct worker *worker = worker_new();
    uint64_t *buffer = err_malloc(WORKER_BUFFER_BYTES);
    double start = now_ns(), first = 0;
    for (uint64_t i = 0; i < buffers; i++) {
        double from = now_ns();
        fill(buffer, i);
        first += now_ns() - from;
        buffer = worker_give(worker, use, &loop, buffer);
    }
    worker_wait(worker);
    double events = (double)(buffers * events_of_buffer()), all = now_ns() - start;
    free(buffer);
    worker_free(worker);
    return (struct times){all / events, first / events};
}

static int by_all(const void *a, const void *b) {
    const struct times *x = a, *y = b;
    return (x->all > y->all) - (x->all < y->all);
}

static struct times median(uint64_t buffers) {
    struct times v[ROUNDS];
    for (int i = 0; i < ROUNDS; i++)
        v[i] = run(buffers);
    qsort(v, ROUNDS, sizeof *v, by_all);
    return v[ROUNDS / 2];
}

/* The first of the processors that this program may use. */
static cpu_set_t first_of(const cpu_set_t *all) {
    cpu_set_t one;
    int cpu = 0;
    while (cpu + 1 < CPU_SETSIZE && !CPU_ISSET(cpu, all))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    return one;
}

int main(int argc, char **argv) {
    uint64_t buffers =
        (argc > 1 ? strtoull(argv[1], NULL, 10) : 100) * 1000000 / WORKER_BUFFER_BYTES;
    cpu_set_t all;
    if (sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) < 2) {
        fputs("hand: needs two processors\n", stderr);
        return 2;
    }
    cpu_set_t one = first_of(&all);
    double from = now_ns();
    uint64_t x = compute(1, 10000000);
    double turn = (now_ns() - from) / 10000000 + (double)(x == 0);
    printf("%6s %10s %12s %12s %9s %6s\n", "bytes", "compute ns", "one: ns each", "two: ns each",
           "the first", "gain");
    for (unsigned words = 3; words <= WORDS_MOST; words++)
        for (unsigned ns = 0; ns <= 40; ns += 20) {
            loop = (struct loop){.words = words, .turns = (unsigned)(ns / turn)};
            sched_setaffinity(0, sizeof one, &one);
            struct times alone = median(buffers);
            sched_setaffinity(0, sizeof all, &all);
            struct times both = median(buffers);
            printf("%6u %10u %12.1f %12.1f %9.1f %6.2f\n", words * 8, ns, alone.all, both.all,
                   both.first, alone.all / both.all);
        }
    return loop.sum == 0;
}
