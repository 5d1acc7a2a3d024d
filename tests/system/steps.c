/* steps.c - counts the steps of fxtop, to show that its work is linear.
 *
 * steps NAME TRACE TWICE [linear] compares n and 2n of something. steps each TRACE ... holds each
 * trace to a limit per byte. steps text does the former with a character that has n combining
 * marks, and 2n, of which a trace holds too few. steps keys NAME TRACE KEYS ... holds a key with
 * its frame, and a step of the jobs, to a limit. Some key's whole work must be far more: it is left
 * to the jobs. steps loading NAME TRACE KEYS does so for keys while the trace loads.
 *
 * A step is defined in counted.h. Nothing is timed. The same bytes give the same count in every
 * run: there is no second thread, and the hash key is fixed. For twice the events, reading and each
 * export may take 2.4 times the steps, which allows for n log n. A key and a frame depend on what
 * is visible and may take hardly more; with "linear" they may take twice as many, too. Nothing
 * takes more than 1000 steps per byte of the trace. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/output/folded.h"
#include "model/output/ndjson.h"
#include "model/output/report.h"
#include "model/trace/trace.h"
#include "src/base/hash.h"
#include "src/base/text.h"
#include "tests/system/counted.h"
#include "ui/app.h"

#define STEPS_A_BYTE 1000
/* Limits for any trace: a screen, and each byte more. */
#define STEPS_A_SCREEN 300000
#define STEPS_MORE_A_BYTE 200
/* Limits of a key with its frame and of a step of the jobs with its frame, whatever the trace
 * holds: some ms of work.
 */
#define STEPS_A_KEY 10000000
#define STEPS_A_JOB 10000000
/* Statistics have a limit of their own: threads as deep as the trace, a name for each slice. These
 * are about 9 ms. */
#define STEPS_OF_STATISTICS 22000000

/* ---- what is counted ---- */

enum growth {
    LINEAR,  /* in the trace */
    VISIBLE, /* in what is on the screen */
};

/* Keys: what they open is counted with them, then one more key, if any, and its picture. Hits are
 * marked wherever they are: with a search a picture is of all rows. */
static const struct screen {
    const char *open, *key;
} screens[] = {
    {"jl", "l"},
    {"G", "k"},
    {"f", "d"},
    {"W", "a"},
    {"ww", "d"},
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
    {"13jkjk", "j"},
    {"i", "j"},
    {"iWjj*", NULL}, /* goes over all paths */
    {"r4", "k"},
    {"<Enter>W", "j"},
    {"1Jh", NULL}, /* children are counted before the next view stops that */
    {"X", "j"},    /* of the event before the cursor, which may be between two events */
    /* without a selection, whose statistics may be asked or not */
    {"1<Esc><Esc>/zq<Enter>n", NULL},
};

enum { SCREENS = sizeof screens / sizeof *screens, WHAT = 9, COUNTS = WHAT + 2 * SCREENS };

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
    c->steps = counted_steps - from;
    c->growth = growth;
    va_start(args, fmt);
    vsnprintf(c->what, sizeof c->what, fmt, args);
    va_end(args);
    from = counted_steps;
}

static void press(struct app *app, const char *keys) {
    struct key key;
    while (key_parse(&keys, &key))
        app_key(app, &key);
    while (app_idle(app))
        continue;
    app_draw(app);
}

/* Returns the size of the trace; 0: it is none. */
static uint64_t count(const char *path, struct counts *counts) {
    struct trace_options options = {0};
    struct err err;
    struct app app;
    FILE *null = fopen("/dev/null", "w");
    if (null == NULL)
        abort();
    from = counted_steps;
    struct trace *trace = trace_open(path, &options, &err);
    if (trace == NULL) {
        fclose(null);
        return 0;
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
    folded_export(trace, &(struct range){0}, NULL, FOLDED_BY_DEFAULT, null);
    counted(counts, LINEAR, "--export=folded");
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

static bool show;
static unsigned passed, failed;

static void say(bool fine, const char *name, const struct count *c, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

static void say(bool fine, const char *name, const struct count *c, const char *fmt, ...) {
    va_list args;
    passed += fine;
    failed += !fine;
    if (fine && !show)
        return;
    printf("%s: %s: %s: ", fine ? "fine" : "FAILED", name, c->what);
    va_start(args, fmt);
    vprintf(fmt, args);
    va_end(args);
    putchar('\n');
}

static void hold_against_twice(const char *name, const char *path, const char *twice_path,
                               bool linear) {
    static struct counts once, twice;
    uint64_t size = count(path, &once) > 0 ? count(twice_path, &twice) : 0;
    if (size == 0) {
        printf("FAILED: %s: no traces\n", name);
        failed++;
        return;
    }
    for (size_t i = 0; i < once.n; i++) {
        uint64_t a = once.v[i].steps, b = twice.v[i].steps;
        bool fine = once.v[i].growth == LINEAR || linear ? b <= a * 24 / 10 + 20000
                                                         : b <= a * 13 / 10 + 3000;
        say(fine && b <= size * STEPS_A_BYTE, name, &once.v[i],
            "%llu steps for n, %llu for 2n: %.2f times", (unsigned long long)a,
            (unsigned long long)b, (double)b / (double)(a ? a : 1));
    }
}

static void hold_against_size(const char *path) {
    static struct counts counts;
    counts.n = 0;
    uint64_t size = count(path, &counts);
    if (size == 0)
        return;
    const struct count *most = &counts.v[0];
    for (size_t i = 1; i < counts.n; i++)
        most = counts.v[i].steps > most->steps ? &counts.v[i] : most;
    say(most->steps <= STEPS_A_SCREEN + size * STEPS_MORE_A_BYTE, path, most,
        "%llu steps for %llu bytes", (unsigned long long)most->steps, (unsigned long long)size);
}

/* A key as the program takes it, then each step of the jobs. Returns the steps of all. */
static uint64_t key_steps(struct app *app, const char *name, const struct key *key,
                          const char *keys) {
    struct count c = {.steps = 0};
    uint64_t first = counted_steps, most = 0,
             limit = strstr(name, "statistics") ? STEPS_OF_STATISTICS : STEPS_A_KEY;
    app_key(app, key);
    app_draw(app);
    c.steps = counted_steps - first;
    snprintf(c.what, sizeof c.what, "a key of '%s'", keys);
    say(c.steps <= limit, name, &c, "%llu steps until its frame", (unsigned long long)c.steps);
    for (bool more = true; more;) {
        from = counted_steps;
        more = app_idle(app);
        if (app->dirty)
            app_draw(app);
        most = counted_steps - from > most ? counted_steps - from : most;
    }
    say(most <= (limit > STEPS_A_JOB ? limit : STEPS_A_JOB), name, &c,
        "%llu steps between two looks at the keyboard", (unsigned long long)most);
    return counted_steps - first;
}

static void hold_keys(const char *name, const char *path, char **keys, int n) {
    struct err err;
    struct app app;
    uint64_t most = 0;
    struct trace *trace = trace_open(path, &(struct trace_options){0}, &err);
    if (trace == NULL)
        abort();
    trace_load(trace);
    app_init(&app, trace, 120, 40, false);
    app_draw(&app);
    for (int i = 0; i < n; i++) {
        const char *rest = keys[i];
        struct key key;
        while (key_parse(&rest, &key)) {
            uint64_t all = key_steps(&app, name, &key, keys[i]);
            most = all > most ? all : most;
        }
    }
    struct count c = {.what = "the work of a key", .steps = most};
    say(most > 4 * (uint64_t)STEPS_A_KEY, name, &c, "%llu steps: too few for this test",
        (unsigned long long)most);
    app_free(&app);
    trace_free(trace);
}

/* While a trace of 10,000 threads loads: a step of reading, a key with its frame, and the list of
 * the tracks. A key lists them once at most. */
#define STEPS_A_READ 8000000
#define STEPS_A_LOADING_KEY 2500000
#define STEPS_A_LIST 2500000
#define LOADING_BYTES (256 << 10) /* of a step */

/* Keys while a trace loads. Each waits for a step of reading, and for its own frame. In between the
 * screen ingests the events read, in a turn of its own. */
static void hold_loading(const char *name, const char *path, const char *keys) {
    struct err err;
    struct app app;
    uint64_t read = 0, answer = 0, news = 0, turns = 0;
    const char *rest = keys;
    struct trace *trace = trace_open(path, &(struct trace_options){0}, &err);
    if (trace == NULL)
        abort();
    app_init(&app, trace, 120, 40, false);
    app_draw(&app);
    for (struct key key; trace_state(trace) != TRACE_COMPLETE; turns++) {
        from = counted_steps;
        trace_read(trace, LOADING_BYTES);
        read = counted_steps - from > read ? counted_steps - from : read;
        from = counted_steps;
        if (trace_state(trace) == TRACE_LOADING) {
            if (!key_parse(&rest, &key) && (rest = keys, !key_parse(&rest, &key)))
                abort();
            app_key(&app, &key);
            app_draw(&app);
        }
        answer = counted_steps - from > answer ? counted_steps - from : answer;
        from = counted_steps;
        if (turns % 32 == 0 || trace_state(trace) == TRACE_COMPLETE)
            app_update(&app);
        news = counted_steps - from > news ? counted_steps - from : news;
    }
    struct count c = {.what = "while it loads", .steps = answer};
    say(read <= STEPS_A_READ, name, &c, "%llu steps to read some bytes", (unsigned long long)read);
    say(answer <= STEPS_A_LOADING_KEY, name, &c, "%llu steps for a key and its frame",
        (unsigned long long)answer);
    say(news <= STEPS_A_LIST, name, &c, "%llu steps to ingest the events read",
        (unsigned long long)news);
    say(turns > 50, name, &c, "%llu turns: too few for this test", (unsigned long long)turns);
    app_free(&app);
    trace_free(trace);
}

static uint64_t width_steps(size_t marks, unsigned flags) {
    char *name = err_malloc(1 + 2 * marks);
    name[0] = 'e';
    for (size_t i = 0; i < marks; i++)
        memcpy(name + 1 + 2 * i, "\u0301", 2);
    from = counted_steps;
    text_width((struct str){name, 1 + 2 * marks}, flags, SIZE_MAX);
    uint64_t taken = counted_steps - from;
    free(name);
    return taken;
}

static void hold_text(void) {
    enum { MANY_MARKS = 100000 };
    static const unsigned flags[] = {0, TEXT_TRACK};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        uint64_t a = width_steps(MANY_MARKS, flags[i]), b = width_steps(2 * MANY_MARKS, flags[i]);
        struct count c = {.what = "width of a character with marks", .steps = a};
        say(a > MANY_MARKS && b <= a * 24 / 10, flags[i] & TEXT_TRACK ? "track" : "details", &c,
            "%llu steps for n, %llu for 2n", (unsigned long long)a, (unsigned long long)b);
    }
}

int main(int argc, char **argv) {
    static const uint64_t secret[4] = {UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707344),
                                       UINT64_C(0xa4093822299f31d0), UINT64_C(0x082efa98ec4e6c89)};
    bool each = argc > 1 && strcmp(argv[1], "each") == 0;
    show = getenv("STEPS_SHOW") != NULL;
    bool text = argc == 2 && strcmp(argv[1], "text") == 0;
    bool loading = argc == 5 && strcmp(argv[1], "loading") == 0;
    bool keys = argc > 4 && strcmp(argv[1], "keys") == 0;
    if (each ? argc < 3 : !text && !keys && !loading && argc != 4 && argc != 5) {
        fputs("usage: steps NAME TRACE TWICE [linear]\n       steps each TRACE ...\n       steps "
              "text\n"
              "       steps keys NAME TRACE KEYS ...\n       steps loading NAME TRACE KEYS\n",
              stderr);
        return 2;
    }
    if (!hash_share_secret(secret))
        abort();
    if (text)
        hold_text();
    else if (loading)
        hold_loading(argv[2], argv[3], argv[4]);
    else if (keys)
        hold_keys(argv[2], argv[3], argv + 4, argc - 4);
    else if (each)
        for (int i = 2; i < argc; i++)
            hold_against_size(argv[i]);
    else
        hold_against_twice(argv[1], argv[2], argv[3], argc == 5);
    printf("%u passed, %u failed\n", passed, failed);
    return failed > 0;
}
