/* bare.c - bare FILE.fxt [LOOP] measures loops that do only the work that every index needs.
 *
 * `read` takes each event and log record: it looks up references, inline texts and the thread, and
 * passes the arguments. It stores 24 bytes in a buffer of the thread, or 40 for any other event.
 * The other loops begin with its result:
 * - `nest` finds the row of each slice by a stack and stores the slice.
 * - `pack` writes slices as columns.
 * - `async` joins begins and ends by a hash of the id.
 * - `sched` ends a state and an interval of a CPU at each switch.
 * - `grow` appends 24 bytes to an array for each record that is no duration. None has bounds,
 *   faults, late events, clocks, statistics, an index to look things up, or a second thread.
 *
 * Each line has the events of a loop, and best and median of five rounds, in ms and ns an event.
 * The last line is the sum of the medians. With LOOP it is run once, for valgrind
 * --toggle-collect=bare_LOOP. */
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

#include "model/store/pack.h"
#include "src/base/err.h"
#include "src/base/vec.h"
#include "src/fxt/event.h"
#include "src/fxt/record.h"

#define ROUNDS 5
#define PLACES (1u << 16) /* of hash tables */
#define RING 4096u        /* results that are kept of each kind: they stay in the CPU's cache */
#define DEPTH 8192u
#define CPUS 256u
#define TEXTS 4096u /* places of inline texts */

struct event { /* one that is no duration */
    int64_t time;
    uint64_t id, packed;
    uint32_t thread, other;
    uint32_t cpu, kind; /* FXT_ASYNC_BEGIN ...; LOG, SWITCH, WAKEUP */
};

enum { LOG = 99, SWITCH, WAKEUP };

struct thread {
    uint64_t pid, tid; /* of an inline one */
    VEC(struct duration) v;
    size_t next; /* of v, where the next goes in each round */
};

static struct {
    const uint64_t *words;
    size_t n;
    uint8_t known[1 << 16];
    uint64_t names[1 << 16];
    uint32_t places[PLACES]; /* of inline threads: number + 1 */
    struct text {            /* an inline one; bytes: 0 of a free place */
        uint64_t first, last;
        uint32_t bytes, name;
    } texts[TEXTS];
    uint32_t ntexts;
    VEC(struct thread) threads; /* the first 256 by index */
    VEC(struct event) events;
    size_t durations, next;
} all;

static double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static inline uint32_t place_of(uint64_t a) {
    return (uint32_t)(a * UINT64_C(0x9e3779b97f4a7c15) >> 48);
}

static inline uint32_t thread_of(uint64_t pid, uint64_t tid) {
    for (uint32_t at = place_of(tid ^ pid << 32);; at = (at + 1) % PLACES) {
        uint32_t number = all.places[at];
        if (number == 0) {
            vec_push(&all.threads, ((struct thread){.pid = pid, .tid = tid}));
            return (all.places[at] = (uint32_t)all.threads.n) - 1;
        }
        const struct thread *t = &all.threads.v[number - 1];
        if (t->pid == pid && t->tid == tid)
            return number - 1;
    }
}

/* The name of an inline text, by its first and last words; moves *w after it. */
static inline uint64_t text_of(uint32_t bytes, const uint64_t **w) {
    uint64_t words = (bytes + 7) / 8;
    if (words == 0)
        return 0;
    uint64_t first = (*w)[0], last = (*w)[words - 1];
    *w += words;
    for (uint32_t at = place_of(first ^ last << 17 ^ bytes) % TEXTS;; at = (at + 1) % TEXTS) {
        struct text *t = &all.texts[at];
        if (t->bytes == 0 && all.ntexts < TEXTS / 2)
            *t = (struct text){first, last, bytes, ++all.ntexts};
        if (t->bytes == 0 || (t->first == first && t->last == last && t->bytes == bytes))
            return event_pack(0, t->name);
    }
}

/* ---- the loops ---- */

/* Keeps the compiler from removing stores that nothing reads. */
static inline void used(const void *v) {
    __asm__ volatile("" : : "r"(v) : "memory");
}

static inline bool is_duration(uint64_t kind) {
    return kind - FXT_DURATION_BEGIN <= FXT_DURATION_COMPLETE - FXT_DURATION_BEGIN;
}

/* Stores an event: in the first round all are kept. */
static inline void keep(const uint64_t *w, uint64_t name, uint32_t thread, uint64_t last,
                        bool first) {
    uint64_t kind = FXT_BITS(*w, 16, 19), packed = name + (uint64_t)(w - all.words);
    if (is_duration(kind)) {
        static const int64_t durs[] = {DURATION_BEGINS, DURATION_ENDS};
        struct thread *t = &all.threads.v[thread];
        int64_t dur = kind == FXT_DURATION_COMPLETE ? (int64_t)(last - w[1])
                                                    : durs[kind - FXT_DURATION_BEGIN];
        struct duration d = {(int64_t)w[1], dur, packed};
        if (first) {
            vec_push(&t->v, d);
            all.durations++;
        } else {
            t->v.v[t->next++] = d;
        }
        return;
    }
    struct event e = {(int64_t)w[1], last, packed, thread, 0, 0, (uint32_t)kind};
    if (first)
        vec_push(&all.events, e);
    else
        all.events.v[all.next++] = e;
}

static inline void keep_log(const uint64_t *w, uint64_t h, bool first) {
    uint32_t thread = (uint32_t)FXT_BITS(h, 32, 39);
    if (thread == 0)
        thread = thread_of(w[2], w[3]);
    struct event e = {(int64_t)w[1], 0, (uint64_t)(w - all.words), thread, 0, 0, LOG};
    if (first)
        vec_push(&all.events, e);
    else
        all.events.v[all.next++] = e;
}

static inline void keep_switch(const uint64_t *w, uint64_t h, bool first) {
    bool wakes = FXT_BITS(h, 60, 63) == FXT_WAKEUP;
    uint32_t out = thread_of(UINT64_MAX, w[2]), in = wakes ? out : thread_of(UINT64_MAX, w[3]);
    struct event e = {
        (int64_t)w[1],          0, (uint64_t)(w - all.words), out, in, FXT_BITS(h, 20, 35) % CPUS,
        wakes ? WAKEUP : SWITCH};
    if (first)
        vec_push(&all.events, e);
    else
        all.events.v[all.next++] = e;
}

static inline uint64_t read_all(bool first) {
    /* the last ones are left out */
    const uint64_t *w = all.words, *end = w + (all.n > 4096 ? all.n - 4096 : 0), *next;
    uint64_t n = 0;
    for (; w < end && (next = w + FXT_BITS(*w, 4, 15)) > w; w = next) {
        uint64_t h = *w, kind = FXT_BITS(h, 0, 3), known = all.known[FXT_BITS(h, 32, 47)];
        const uint64_t *at = w + 2;
        uint32_t thread = (uint32_t)FXT_BITS(h, 24, 31);
        if (kind == FXT_SCHEDULING && FXT_BITS(h, 60, 63) != FXT_SWITCH_LEGACY) {
            keep_switch(w, h, first);
            n++;
        }
        if (kind == FXT_LOG) {
            keep_log(w, h, first);
            n++;
        }
        if (kind != FXT_EVENT)
            continue;
        if (thread == 0) {
            thread = thread_of(w[2], w[3]);
            at += 2;
        }
        if (h >> 32 & FXT_INLINE)
            text_of((uint32_t)FXT_BITS(h, 32, 46), &at);
        uint64_t name = h >> 63 ? text_of((uint32_t)FXT_BITS(h, 48, 62), &at) : all.names[h >> 48];
        for (uint64_t count = at < next ? FXT_BITS(h, 20, 23) : 0; count > 0; count--) {
            uint64_t a = *at;
            known &= all.known[FXT_BITS(a, 16, 31)];
            known &= all.known[(a & 15) == FXT_ARG_STRING ? FXT_BITS(a, 32, 47) : 0];
            at += FXT_BITS(a, 4, 15) & 255;
        }
        if (known)
            keep(w, name, thread, next[-1], first);
        n++;
    }
    return n;
}

static __attribute__((noinline)) uint64_t bare_read(void) {
    for (size_t i = 0; i < all.threads.n; i++)
        all.threads.v[i].next = 0;
    all.next = 0;
    return read_all(false);
}

static struct slice rows[DEPTH][64];

/* Backwards: an end opens a slice, its begin closes it; a complete event is inside of what begins
 * before it ends. */
static __attribute__((noinline)) uint64_t bare_nest(void) {
    static struct open {
        int64_t start; /* INT64_MIN: not known so far */
        int64_t end;
    } stack[DEPTH];
    uint64_t n = 0;
    for (size_t t = 0; t < all.threads.n; t++) {
        const struct duration *v = all.threads.v[t].v.v;
        uint32_t depth = 0;
        for (size_t i = all.threads.v[t].v.n; i-- > 0;) {
            int64_t time = v[i].time, dur = v[i].dur;
            if (dur == DURATION_ENDS) {
                stack[depth++ % DEPTH] = (struct open){INT64_MIN, time};
                continue;
            }
            if (dur == DURATION_BEGINS) {
                while (depth > 0 && stack[--depth % DEPTH].start != INT64_MIN)
                    ;
                dur = stack[depth % DEPTH].end - time;
            } else {
                while (depth > 0 && stack[(depth - 1) % DEPTH].start >= time + dur)
                    depth--;
                stack[depth % DEPTH].start = time;
            }
            rows[depth % DEPTH][n++ % 64] = (struct slice){time, v[i].packed, (uint64_t)dur};
            depth += v[i].dur >= 0;
        }
    }
    used(rows);
    return n;
}

static inline struct slice slice_of(int64_t from, int64_t to, uint64_t packed) {
    uint64_t dur = (uint64_t)(to - from) % SLICE_SHORT;
    return (struct slice){from, packed,
                          dur | UINT64_C(5) << 33 | (uint64_t)SLICE_END_DISTANCE << 57};
}

static inline void pack_block(const struct slice v[PACK_SLICES]) {
    static unsigned char out[64 * PACK_MOST];
    static size_t at;
    struct pack_sum sum = pack_sum(v);
    uint64_t head = pack_head(v, &sum, 0, 0);
    at = at + PACK_MOST + PACK_SLACK > sizeof out ? 0 : at;
    pack_write(head, v, out + at);
    at += pack_size(head);
}

/* Slices of two events each: of durations, of async operations. One of each switch and of each
 * wakeup, and two more of a switch. */
static __attribute__((noinline)) uint64_t bare_pack(void) {
    struct slice v[PACK_SLICES], other[PACK_SLICES];
    unsigned n = 0, begun = 0;
    uint64_t blocks = 0;
    for (size_t t = 0; t < all.threads.n; t++)
        for (size_t i = 0; i + 2 * PACK_SLICES <= all.threads.v[t].v.n;
             i += 2 * PACK_SLICES, blocks++) {
            const struct duration *d = &all.threads.v[t].v.v[i];
            for (unsigned k = 0; k < PACK_SLICES; k++)
                v[k] = slice_of(d[2 * k].time, d[2 * k + 1].time, d[2 * k].packed);
            pack_block(v);
        }
    for (const struct event *e = all.events.v, *end = e + all.events.n; e + 1 < end; e++) {
        bool async = e->kind - FXT_ASYNC_BEGIN <= FXT_ASYNC_END - FXT_ASYNC_BEGIN;
        if (!async && e->kind < SWITCH)
            continue;
        begun += async ? 1 : e->kind == SWITCH ? 6 : 2; /* halves of slices */
        for (; begun >= 2; begun -= 2) {
            other[n] = slice_of(e->time, e[1].time, e->packed);
            n = (n + 1) % PACK_SLICES;
            if (n == 0) {
                pack_block(other);
                blocks++;
            }
        }
    }
    return blocks * PACK_SLICES;
}

/* An open addressing table of the open operations; a begin of an open id ends it. */
static __attribute__((noinline)) uint64_t bare_async(void) {
    static struct {
        uint64_t id;
        uint32_t op; /* + 1 */
    } open[PLACES];
    static struct slice ops[RING];
    uint64_t n = 0, opened = 0;
    memset(open, 0, sizeof open);
    for (const struct event *e = all.events.v, *end = e + all.events.n; e < end; e++) {
        if (e->kind - FXT_ASYNC_BEGIN > FXT_ASYNC_END - FXT_ASYNC_BEGIN)
            continue;
        n++;
        uint32_t at = place_of(e->id);
        while (open[at].op != 0 && open[at].id != e->id)
            at = (at + 1) % PLACES;
        if (e->kind == FXT_ASYNC_BEGIN) {
            ops[opened % RING] = (struct slice){e->time, e->packed, 0};
            open[at].id = e->id;
            open[at].op = (uint32_t)(opened++ % RING) + 1;
        } else if (e->kind == FXT_ASYNC_END && open[at].op != 0) {
            struct slice *s = &ops[open[at].op - 1];
            s->end_word = (uint64_t)(e->time - s->start) | (e->packed - s->begin_word) % EVENT_WORDS
                                                               << 33;
            open[at].op = 0; /* entries after it in the same chain are lost: few collide */
        }
    }
    used(ops);
    return n;
}

static __attribute__((noinline)) uint64_t bare_sched(void) {
    static struct {
        int64_t since;
        uint32_t thread;
    } cpus[CPUS];
    static struct slice out[RING];
    struct last {
        int64_t since;
        uint64_t state;
    } *last = err_calloc(all.threads.n, sizeof *last);
    uint64_t n = 0, k = 0;
    for (const struct event *e = all.events.v, *end = e + all.events.n; e < end; e++) {
        if (e->kind < SWITCH)
            continue;
        n++;
        if (e->kind == SWITCH) {
            out[k++ % RING] =
                (struct slice){cpus[e->cpu].since, cpus[e->cpu].thread, (uint64_t)e->time};
            cpus[e->cpu].since = e->time;
            cpus[e->cpu].thread = e->other;
            out[k++ % RING] =
                (struct slice){last[e->thread].since, last[e->thread].state, (uint64_t)e->time};
            last[e->thread] = (struct last){e->time, 3};
        }
        out[k++ % RING] =
            (struct slice){last[e->other].since, last[e->other].state, (uint64_t)e->time};
        last[e->other] = (struct last){e->time, e->kind};
    }
    used(out);
    free(last);
    return n;
}

static __attribute__((noinline)) uint64_t bare_grow(void) {
    VEC(struct slice) log = {0};
    for (const struct event *e = all.events.v, *end = e + all.events.n; e < end; e++)
        vec_push(&log, ((struct slice){e->time, e->packed, e->id}));
    uint64_t n = log.n;
    used(log.v);
    vec_free(&log);
    return n;
}

/* ---- */

static const struct loop {
    const char *name;
    uint64_t (*run)(void);
} loops[] = {{"read", bare_read},   {"nest", bare_nest},   {"pack", bare_pack},
             {"async", bare_async}, {"sched", bare_sched}, {"grow", bare_grow}};

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double measure(const struct loop *loop) {
    double ms[ROUNDS];
    volatile uint64_t n = loop->run(); /* volatile: the work must be done */
    for (int i = 0; i < ROUNDS; i++) {
        double from = now_ms();
        n = loop->run();
        ms[i] = now_ms() - from;
    }
    qsort(ms, ROUNDS, sizeof *ms, by_value);
    printf("%-6s events %" PRIu64 " best %.1f ms median %.1f ms, %.1f ns each\n", loop->name, n,
           ms[0], ms[ROUNDS / 2], n > 0 ? ms[ROUNDS / 2] * 1e6 / (double)n : 0);
    return ms[ROUNDS / 2];
}

static void prepare(void) {
    memset(all.known, 1, sizeof all.known);
    for (unsigned i = 0; i < 1 << 16; i++)
        all.names[i] = event_pack(0, i);
    for (unsigned i = 0; i < 256; i++)
        vec_push(&all.threads, (struct thread){0});
    read_all(true);
}

int main(int argc, char **argv) {
    struct stat st;
    const char *only = argc == 3 ? argv[2] : NULL;
    double sum = 0;
    if (argc != 2 && argc != 3) {
        fputs("usage: bare FILE.fxt [LOOP]\n", stderr);
        return 2;
    }
    int fd = open(argv[1], O_RDONLY | O_CLOEXEC);
    void *map = MAP_FAILED;
    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size >= 8)
        map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED) {
        fprintf(stderr, "bare: %s: %s\n", argv[1], strerror(errno));
        return 2;
    }
    vec_map_large();
    all.words = map;
    all.n = (size_t)st.st_size / 8;
    prepare();
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
        if (only == NULL)
            sum += measure(&loops[i]);
        else if (strcmp(only, loops[i].name) == 0)
            printf("%s events %" PRIu64 "\n", only, loops[i].run());
    if (only == NULL)
        printf("all %.1f ms, of %zu durations and %zu other events\n", sum, all.durations,
               all.events.n);
    return 0;
}
