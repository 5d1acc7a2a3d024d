/* steps NAME TRACE TWICE [linear] - is what fxtop does linear? Counted in steps, for n of something and for 2n.
 *
 * The floors are compiled into this program with a call at each branch of their code (trace-pc) and with the calls that
 * copy, clear and compare memory led through here: a step is a branch, or 32 bytes. Nothing is timed, and the same
 * bytes give the same count in every run: no second thread, and hashes with a secret of our own. Reading and each
 * export may take 2.4 times the steps for twice the events, what n log n needs included; a key and a picture, which are
 * of what is visible, hardly more than for n; "linear" says that they, too, may take twice as many.
 * Nothing takes more than 1000 steps a byte of the trace. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/export.h"
#include "model/report.h"
#include "model/trace.h"
#include "src/tables.h"
#include "ui/app.h"

#define BYTES_A_STEP 32
#define STEPS_A_BYTE 1000

static uint64_t steps;

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) {
    steps++;
}

void *__real_memcpy(void *to, const void *from, size_t n);
void *__real_memmove(void *to, const void *from, size_t n);
void *__real_memset(void *to, int c, size_t n);
int __real_memcmp(const void *a, const void *b, size_t n);
size_t __real_strlen(const char *s);
void *__wrap_memcpy(void *to, const void *from, size_t n);
void *__wrap_memmove(void *to, const void *from, size_t n);
void *__wrap_memset(void *to, int c, size_t n);
int __wrap_memcmp(const void *a, const void *b, size_t n);
size_t __wrap_strlen(const char *s);
bool __wrap_beside_pays(void);

bool __wrap_beside_pays(void) { /* on one processor all is done by this thread */
    return false;
}
void *__wrap_memcpy(void *to, const void *from, size_t n) {
    steps += n / BYTES_A_STEP;
    return __real_memcpy(to, from, n);
}
void *__wrap_memmove(void *to, const void *from, size_t n) {
    steps += n / BYTES_A_STEP;
    return __real_memmove(to, from, n);
}
void *__wrap_memset(void *to, int c, size_t n) {
    steps += n / BYTES_A_STEP;
    return __real_memset(to, c, n);
}
int __wrap_memcmp(const void *a, const void *b, size_t n) {
    steps += n / BYTES_A_STEP;
    return __real_memcmp(a, b, n);
}
size_t __wrap_strlen(const char *s) {
    size_t n = __real_strlen(s);
    steps += n / BYTES_A_STEP;
    return n;
}

/* ---- what is counted ---- */

enum growth {
    LINEAR,  /* in the trace */
    VISIBLE, /* in what is on the screen */
};

/* Keys: what they open is counted with them, then one more key, if any, and its picture. Hits are marked wherever they
 * are: with a search a picture is of all rows. */
static const struct screen {
    const char *open, *key;
} screens[] = {
    {"jl", "l"},
    {"G", "k"},
    {"f", "d"},
    {"W", "a"},
    {"0E", "J"},
    {"<Tab>l", "j"},
    {"ll", "h"},
    {"<Tab>15", "j"},
    {"G", "k"},
    {"16", "j"},
    {"G", "k"},
    {"17", "j"},
    {"18", "j"},
    {"9", "j"},
    {":problems<Enter>", "j"},
    {":objects<Enter>", "j"},
    {":blobs<Enter>", "j"},
    {":profile<Enter>", "j"},
    {"1lX", "j"},
    {"1/zq<Enter>n", NULL},
};

enum { SCREENS = sizeof screens / sizeof *screens, WHAT = 8, COUNTS = WHAT + 2 * SCREENS };

struct count {
    char what[60];
    enum growth growth;
    uint64_t steps;
};

struct counts {
    struct count v[COUNTS];
    size_t n;
};

static uint64_t from;

static void counted(struct counts *counts, enum growth growth, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static void counted(struct counts *counts, enum growth growth, const char *fmt, ...) {
    struct count *c = &counts->v[counts->n++];
    va_list args;
    c->steps = steps - from;
    c->growth = growth;
    va_start(args, fmt);
    vsnprintf(c->what, sizeof c->what, fmt, args);
    va_end(args);
    from = steps;
}

static void press(struct app *app, const char *keys) {
    struct key key;
    while (key_parse(&keys, &key))
        app_key(app, &key);
    while (app_idle(app))
        continue;
    app_draw(app);
}

/* Returns the size of the trace. */
static uint64_t count(const char *path, struct counts *counts) {
    struct trace_options options = {0};
    struct err err;
    struct app app;
    FILE *null = fopen("/dev/null", "w");
    if (null == NULL)
        abort();
    from = steps;
    struct trace *trace = trace_open(path, &options, &err);
    if (trace == NULL) {
        printf("FAILED: %s: %s\n", path, err.text);
        exit(1);
    }
    trace_load(trace);
    counted(counts, LINEAR, "reading");
    report_summary(trace, null, false);
    counted(counts, LINEAR, "--summary");
    export_ndjson(trace, null);
    counted(counts, LINEAR, "--export=ndjson");
    export_json(trace, null);
    counted(counts, LINEAR, "--export=json");
    export_csv(trace, null);
    counted(counts, LINEAR, "--export=csv");
    report_records(path, &options, null, false, &err);
    counted(counts, LINEAR, "--records");
    app_init(&app, trace, 120, 40, false);
    while (app_idle(&app))
        continue;
    app_draw(&app);
    counted(counts, LINEAR, "the first picture");
    for (size_t i = 0; i < SCREENS; i++) {
        press(&app, screens[i].open);
        counted(counts, LINEAR, "keys '%s'", screens[i].open);
        if (screens[i].key == NULL)
            continue;
        press(&app, screens[i].key);
        counted(counts, VISIBLE, "key '%s' after '%s'", screens[i].key, screens[i].open);
    }
    uint64_t size = file_size(trace_file(trace));
    app_free(&app);
    trace_free(trace);
    counted(counts, LINEAR, "leaving");
    fclose(null);
    return size;
}

int main(int argc, char **argv) {
    static struct counts once, twice;
    static const uint64_t secret[4] = {UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707344),
                                       UINT64_C(0xa4093822299f31d0), UINT64_C(0x082efa98ec4e6c89)};
    unsigned passed = 0, failed = 0;
    bool show = getenv("STEPS_SHOW") != NULL;
    if (argc != 4 && argc != 5) {
        fputs("usage: steps NAME TRACE TWICE [linear]\n", stderr);
        return 2;
    }
    if (!map_share_secret(secret))
        abort();
    count(argv[2], &once);
    uint64_t size = count(argv[3], &twice);
    for (size_t i = 0; i < once.n; i++) {
        uint64_t a = once.v[i].steps, b = twice.v[i].steps;
        bool fine = once.v[i].growth == LINEAR || argc == 5 ? b <= a * 24 / 10 + 20000 : b <= a * 13 / 10 + 3000;
        fine = fine && b <= size * STEPS_A_BYTE;
        if (show || !fine)
            printf("%s: %s: %s: %llu steps for n, %llu for 2n: %.2f times\n", fine ? "fine" : "FAILED", argv[1],
                   once.v[i].what, (unsigned long long)a, (unsigned long long)b, (double)b / (double)(a ? a : 1));
        passed += fine;
        failed += !fine;
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed > 0;
}
