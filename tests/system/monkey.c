/* monkey.c - random keys on traces, in process: monkey [-v] [-b] [KEYS [SEED [FILE or DIRECTORY
 * ...]]]
 *
 * Keys of the command table, others, the mouse, sizes, texts in prompts; the file is cut, mended
 * and read again meanwhile. After each key a frame is drawn and checked: places of the window, the
 * cursor and the lines, contents of the cells; drawing twice draws the same. Then the keys are
 * repeated: allocated memory must not grow. Without files: tests/traces and tests/fuzz/corpus of
 * the source tree, and $FXTOP_TRACES. -b: with budgets of background work by chance
 * (monkey_budget.c); without arguments both are done. -v prints each key before it is pressed, to
 * find the one that ends the program. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/query/search.h"
#include "src/base/discard.h"
#include "src/base/vec.h"
#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"
#include "tests/system/monkey.h"
#include "ui/command.h"
#include "ui/keep/keep_run.h"

#if defined(__SANITIZE_ADDRESS__)
#define HAS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ASAN 1
#endif
#endif
#ifdef HAS_ASAN
size_t __sanitizer_get_current_allocated_bytes(void);
#endif

enum {
    KEYS = 120,
    CORPUS_KEYS = 40, /* of tests/fuzz/corpus, which has many and small ones */
    CYCLE = 60,       /* keys that are pressed again and again */
    CYCLES = 8,       /* at least, until everything has the size that it comes to */
    /* bytes: of tables that grow by doubling, like the lines of help in a narrow window */
    GROWTH = 128 << 10,
    STEADY_EVERY = 10,    /* of that many files one, where the keys are few */
    STEADY_ALWAYS = 1000, /* keys, from which it is each */
    HISTORY = 24,         /* keys that are said where something does not hold */
};

static struct chance chance;
static uint64_t first_seed;
static bool verbose, budgets;
static unsigned sessions, passed, failed;
static uint64_t pressed;
static char history[HISTORY][24];
static char temporary[SCRATCH_PATH];

static uint64_t allocated(void) {
#ifdef HAS_ASAN
    return __sanitizer_get_current_allocated_bytes();
#else
    struct mallinfo2 m = mallinfo2();
    return m.uordblks + m.hblkhd;
#endif
}

/* ---- keys ---- */

static struct key plain(uint32_t code) {
    return (struct key){.code = code};
}

/* One of a command that has keys: zz are two. Returns how many. */
static int command_keys(unsigned mode, struct key keys[2]) {
    const struct command *c;
    do
        c = &commands[below(&chance, command_count)];
    while (*c->keys == '\0' || (!(c->modes & mode) && below(&chance, 8) != 0));
    const char *at = c->keys;
    int n = 0;
    for (uint64_t skip = below(&chance, 3); skip > 0 && strchr(at, ' '); skip--)
        at = strchr(at, ' ') + 1;
    while (n < 2 && *at != '\0' && *at != ' ') {
        if (!key_parse(&at, &keys[n]))
            keys[n] = plain((unsigned char)*at++);
        n++;
    }
    return n;
}

static struct key mouse(const struct app *app) {
    return (struct key){.code = KEY_POINTER,
                        .x = (int)below(&chance, (uint64_t)app->grid.cols + 2) - 1,
                        .y = (int)below(&chance, (uint64_t)app->grid.rows + 2) - 1,
                        .what = (uint8_t)below(&chance, POINTER_WHEEL_DOWN + 1)};
}

static struct key any_key(void) {
    static const uint32_t codes[] = {
        KEY_ESCAPE,       KEY_ENTERED,      KEY_TABBED,      KEY_BACKTAB,      KEY_ERASE,
        KEY_CURSOR_UP,    KEY_CURSOR_DOWN,  KEY_CURSOR_LEFT, KEY_CURSOR_RIGHT, KEY_PAGE_UP,
        KEY_PAGE_DOWN,    KEY_TO_HOME,      KEY_TO_END,      KEY_INSERT_,      KEY_DELETE_,
        KEY_FUNCTION + 1, KEY_FUNCTION + 2, KEY_NONE,        KEY_TIMEOUT};
    switch (below(&chance, 4)) {
    case 0:
        return plain(KEY_CTRL((uint32_t)('a' + below(&chance, 26))));
    case 1:
        return plain((uint32_t)(' ' + below(&chance, 95)));
    case 2:
        return plain((uint32_t)below(&chance, 0x110000));
    default:
        return plain(codes[below(&chance, sizeof codes / sizeof *codes)]);
    }
}

/* In the line editor; a slash there could make :w write somewhere. */
static struct key prompt_key_of(void) {
    struct key key = any_key();
    if (key.code == '/' || key.code == '.')
        key.code = 'n';
    return key;
}

static void remember(const struct key *key) {
    char *text = history[pressed++ % HISTORY], name[16];
    if (key->code == KEY_POINTER)
        snprintf(text, 24, "mouse %d at %d,%d", key->what, key->x, key->y);
    else if (key->code == KEY_RESIZED)
        snprintf(text, 24, "<Resize:%dx%d>", key->x, key->y);
    else
        snprintf(text, 24, "%s", key_name(key->code, name));
    if (verbose)
        fprintf(stderr, "%s\n", text);
}

struct session {
    const char *name, *path; /* path: a copy that may be damaged, or NULL */
    const struct trace_bytes *bytes;
    struct trace *trace;
    struct app app;
    uint64_t keys;
    bool types; /* into prompts: what is typed is kept, up to a limit */
};

static void press(struct session *s, struct key key) {
    struct app *app = &s->app;
    s->keys++;
    remember(&key);
    if (key.code == KEY_RESIZED)
        app_resize(app, key.x, key.y);
    else {
        if (app->reload.version != trace_version(s->trace))
            app_update(app);
        app_key(app, &key);
    }
    vec_free(&app->requests.copy); /* as the owner of the terminal does */
    keep_run_free(&app->requests.run);
    app->requests = (struct requests){0};
}

static void type(struct session *s, const char *text) {
    for (struct str rest = str_of(text); rest.n > 0;) {
        uint32_t cp;
        size_t n = text_decode(rest, &cp);
        press(s, plain(cp));
        rest.s += n;
        rest.n -= n;
    }
}

/* Texts for the prompts : / & g t P, some of them wrong. */
static void type_something(struct session *s) {
    static const char *const texts[] = {"scale 0..100",
                                        "scale log",
                                        "scale 9..1",
                                        "scale nan..inf",
                                        "value rate",
                                        "value delta",
                                        "value",
                                        "stack",
                                        "flows all",
                                        "flows direct",
                                        "flows off",
                                        "flows",
                                        "problems",
                                        "objects",
                                        "blobs",
                                        "profile",
                                        "bytes",
                                        "log",
                                        "flow-list",
                                        "counters",
                                        "cpus",
                                        "help",
                                        "w",
                                        "w blob",
                                        "w! blob",
                                        "no-such",
                                        "reload",
                                        "follow",
                                        "quit",
                                        "1.5s",
                                        "50%",
                                        "+20us",
                                        "-1ns",
                                        "99999999999999999999s",
                                        "100%",
                                        "-0",
                                        "1e400",
                                        "a",
                                        "main",
                                        "e",
                                        ".",
                                        "*",
                                        "[",
                                        "(a*)*b",
                                        "^$",
                                        "\xc3\xa4\xe4\xb8\xad",
                                        "\xe2\x80\xae",
                                        "%s%n",
                                        " ",
                                        "thread",
                                        "kind:log"};
    static const char *const patterns[] = {
        "/a/", "/(/", "/.*/", "/[/", "//", "/x*x*x*x*y/", "/+++++++++++++++++++++++++++/"};
    if (below(&chance, 6) == 0 && s->app.prompts.line.label[0] == '/')
        type(s, patterns[below(&chance, sizeof patterns / sizeof *patterns)] + 1);
    else
        type(s, texts[below(&chance, sizeof texts / sizeof *texts)]);
}

static void resize(struct session *s) {
    static const int sizes[][2] = {{1, 1},  {20, 5},  {80, 24}, {100, 30},
                                   {19, 4}, {200, 3}, {3, 100}};
    uint64_t which = below(&chance, 12);
    struct key key = {
        .code = KEY_RESIZED, .x = (int)below(&chance, 160) + 1, .y = (int)below(&chance, 50) + 1};
    if (which < sizeof sizes / sizeof *sizes) {
        key.x = sizes[which][0];
        key.y = sizes[which][1];
    } else if (which == 11 && below(&chance, 8) == 0) {
        key.x = 500;
        key.y = 200;
    }
    press(s, key);
}

static void prompt_step(struct session *s) {
    uint64_t what = below(&chance, 10);
    if (what < 4)
        type_something(s);
    if (what < 5)
        press(s, plain(KEY_ENTERED));
    else if (what == 5)
        press(s, plain(KEY_ESCAPE));
    else if (what == 6)
        press(s, plain(KEY_TABBED));
    else
        press(s, prompt_key_of());
}

/* One or a few keys. */
static void step(struct session *s) {
    struct app *app = &s->app;
    struct key keys[2];
    uint64_t what = below(&chance, 100);
    if (what < 4) {
        resize(s);
    } else if (what < 12) {
        press(s, mouse(app));
    } else if (app_in_prompt(app) && !s->types) {
        press(s, plain(KEY_ESCAPE));
    } else if (app_in_prompt(app)) {
        prompt_step(s);
    } else if (what < 20) {
        press(s, any_key());
    } else {
        int n = command_keys(view_modes(app), keys);
        for (int i = 0; i < n; i++)
            press(s, keys[i]);
    }
}

/* ---- sessions ---- */

static bool put(const char *path, const unsigned char *bytes, size_t n, bool anew) {
    FILE *f = fopen(path, anew ? "wb" : "r+b");
    bool good = f != NULL && (n == 0 || fwrite(bytes, 1, n, f) == n);
    if (f != NULL && fclose(f) != 0)
        good = false;
    return good;
}

/* Truncates the file below the mapping, overwrites some of it, mends it. */
static void damage(struct session *s) {
    uint64_t n = s->bytes->n;
    unsigned char junk[64];
    for (size_t i = 0; i < sizeof junk; i++)
        junk[i] = (unsigned char)below(&chance, 256);
    switch (below(&chance, 3)) {
    case 0:
        if (truncate(s->path, (off_t)below(&chance, n + 1)) != 0)
            failed++;
        break;
    case 1:
        put(s->path, junk, n < sizeof junk ? (size_t)n : sizeof junk, false);
        break;
    default:
        put(s->path, s->bytes->v, s->bytes->n, false);
        break;
    }
}

static bool holds(struct session *s, int cols, int rows) {
    struct app *app = &s->app;
    const char *why = bad_window(app);
    why = why ? why : bad_lines(app);
    why = why ? why : bad_text(app->message.text);
    why = why ? why : bad_grid(&app->grid, cols, rows);
    bool twice = below(&chance, 8) == 0 || budgets;
    why = why || !twice ? why : draws_another(app);
    if (why == NULL)
        return true;
    fprintf(stderr, "%s%s, after %" PRIu64 " keys: %s\n   ", s->name, budgets ? ", -b" : "",
            s->keys, why);
    for (uint64_t i = pressed < HISTORY ? 0 : pressed - HISTORY; i < pressed; i++)
        fprintf(stderr, " %s", history[i % HISTORY]);
    fputc('\n', stderr);
    return false;
}

static bool look(struct session *s) {
    struct app *app = &s->app;
    int cols = app->grid.cols, rows = app->grid.rows;
    if (trace_state(s->trace) == TRACE_LOADING)
        trace_step(s->trace, 4096);
    if (trace_state(s->trace) != TRACE_LOADING || below(&chance, 4) == 0)
        app_update(app);
    if (trace_state(s->trace) != TRACE_LOADING)
        app_idle(app);
    app_draw(app);
    return holds(s, cols, rows);
}

/* Repeats the keys: they must not leak memory. A view may keep something or not, so the moment with
 * the least memory counts. */
static bool stays_small(struct session *s) {
    uint64_t first = chance.seed, least[3] = {UINT64_MAX, UINT64_MAX, UINT64_MAX};
    uint64_t cycles = s->keys / CYCLE / 3;
    if (cycles < CYCLES)
        cycles = CYCLES;
    for (uint64_t cycle = 0; cycle < 3 * cycles; cycle++) {
        chance.seed = first;
        budget_by_chance(budgets ? first : 0);
        press(s, plain(KEY_ESCAPE));
        press(s, plain('1'));
        press(s, (struct key){.code = KEY_RESIZED, .x = 90, .y = 28});
        for (uint64_t end = s->keys + CYCLE; s->keys < end;) {
            step(s);
            if (!look(s))
                return false;
        }
        while (trace_step(s->trace, 1 << 20) == TRACE_LOADING)
            ;
        app_update(&s->app);
        while (app_idle(&s->app))
            ;
        discard_wait();
        uint64_t now = allocated(), *third = &least[cycle / cycles];
        *third = now < *third ? now : *third;
    }
    if (least[2] <= least[1] + GROWTH)
        return true;
    fprintf(stderr, "%s%s: %" PRIu64 " bytes more after the same keys %" PRIu64 " times\n", s->name,
            budgets ? ", -b" : "", least[2] - least[1], cycles);
    return false;
}

static bool play(struct session *s, uint64_t keys) {
    bool damages = s->path != NULL;
    s->types = true;
    while (s->keys < keys) {
        step(s);
        if (damages && below(&chance, 150) == 0)
            damage(s);
        if (!look(s))
            return false;
    }
    if (damages) {
        put(s->path, s->bytes->v, s->bytes->n, true);
        press(s, plain(KEY_ESCAPE));
        press(s, plain('R'));
    }
    s->types = false;
    return (keys < STEADY_ALWAYS && sessions % STEADY_EVERY != 0) || stays_small(s);
}

static void empty_directory(void) {
    DIR *d = opendir(".");
    for (const struct dirent *e; d && (e = readdir(d)) != NULL;)
        if (e->d_name[0] != '.')
            unlink(e->d_name);
    if (d)
        closedir(d);
}

/* path: what is opened. bytes: what it holds where it is ours to damage. */
static void session(const char *name, const char *path, const struct trace_bytes *bytes,
                    uint64_t keys) {
    struct session s = {.name = name, .path = bytes ? path : NULL, .bytes = bytes};
    struct trace_options options = {.file.max_inflate = 64 << 20};
    struct err err;
    s.trace = trace_open(path, &options, &err);
    if (s.trace == NULL) /* no trace, and that is said elsewhere */
        return;
    app_init(&s.app, s.trace, 100, 30, below(&chance, 4) == 0);
    sessions++;
    bool good = play(&s, keys);
    app_free(&s.app);
    trace_free(s.trace);
    empty_directory();
    if (good)
        passed++;
    else
        failed++;
}

/* The bytes of a text of tests/traces, or of any file. */
static struct trace_bytes contents(const char *path) {
    struct trace_bytes bytes = {0};
    VEC(char) text = {0};
    struct err err;
    size_t n, length = strlen(path);
    FILE *f = fopen(path, "rb");
    if (f == NULL) {
        fprintf(stderr, "monkey: %s: %s\n", path, strerror(errno));
        failed++;
        return bytes;
    }
    do {
        vec_reserve(&text, text.n + 65537);
        n = fread(text.v + text.n, 1, 65536, f);
        text.n += n;
    } while (n > 0);
    fclose(f);
    text.v[text.n] = '\0';
    if (length > 4 && strcmp(path + length - 4, ".txt") == 0) {
        bytes = tracegen(text.v, &err);
        vec_free(&text);
    } else {
        bytes = (struct trace_bytes){(unsigned char *)text.v, text.n};
    }
    return bytes;
}

static bool ends(const char *name, const char *end) {
    size_t n = strlen(name), m = strlen(end);
    return n >= m && strcmp(name + n - m, end) == 0;
}

/* A file has the same keys alone as among others. */
static void file(const char *path, uint64_t keys) {
    static const char *const others[] = {"json", ".csv", ".md", ".screen"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (ends(path, others[i]))
            return;
    chance.seed = first_seed;
    for (const char *c = strrchr(path, '/'); c && *c; c++)
        chance.seed = chance.seed * 31 + (unsigned char)*c;
    chance.seed = chance.seed ? chance.seed : 1;
    budget_by_chance(budgets ? chance.seed : 0);
    if (ends(path, "gz") || ends(path, "zst")) {
        if (strstr(path, ".fxt."))
            session(path, path, NULL, keys);
        return;
    }
    struct trace_bytes bytes = contents(path);
    if (bytes.v != NULL && bytes.n > 0 && put("trace.fxt", bytes.v, bytes.n, true))
        session(path, "trace.fxt", &bytes, keys);
    free(bytes.v);
}

static void all(const char *path, uint64_t keys) {
    struct dirent **entries = NULL;
    int n = scandir(path, &entries, NULL, alphasort);
    if (n < 0) {
        file(path, keys);
        return;
    }
    for (int i = 0; i < n; i++) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.')
            file(name, keys);
        free(entries[i]);
    }
    free(entries);
}

static char *absolute(const char *path) {
    char *real = realpath(path, NULL);
    if (real != NULL)
        return real;
    fprintf(stderr, "monkey: %s: %s\n", path, strerror(errno));
    exit(2);
}

/* All that has no name of its own. */
static void all_of(const char *top, const char *given, uint64_t keys) {
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/traces", top);
    all(path, keys ? keys : KEYS);
    snprintf(path, sizeof path, "%s/tests/screens", top);
    all(path, keys ? keys : KEYS);
    snprintf(path, sizeof path, "%s/tests/fuzz/corpus", top);
    all(path, keys ? keys : CORPUS_KEYS);
    if (given)
        all(given, keys ? keys : KEYS);
}

int main(int argc, char **argv) {
    const char *srcdir = getenv("srcdir"), *traces = getenv("FXTOP_TRACES");
    setlocale(LC_CTYPE, "C.UTF-8");
    bool both = argc == 1;
    for (; argc > 1 && argv[1][0] == '-'; argc--, argv++) {
        verbose = verbose || strcmp(argv[1], "-v") == 0;
        budgets = budgets || strcmp(argv[1], "-b") == 0;
    }
    uint64_t keys = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    first_seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 20;
    char *top = absolute(srcdir && *srcdir ? srcdir : "."),
         *given = traces && *traces ? absolute(traces) : NULL;
    VEC(char *) paths = {0};
    for (int i = 3; i < argc; i++)
        vec_push(&paths, absolute(argv[i]));
    if (!scratch_folder(temporary, "monkey") || chdir(temporary) != 0) {
        perror("monkey: a temporary folder");
        return 2;
    }
    for (size_t i = 0; i < paths.n; i++) {
        all(paths.v[i], keys ? keys : KEYS);
        free(paths.v[i]);
    }
    if (paths.n == 0)
        all_of(top, given, keys);
    if (both) {
        budgets = true;
        all_of(top, given, keys);
    }
    vec_free(&paths);
    free(top);
    free(given);
    empty_directory();
    if (chdir("/") != 0 || rmdir(temporary) != 0) {
        fprintf(stderr, "monkey: %s: %s\n", temporary, strerror(errno));
        failed++;
    }
    if (passed == 0)
        failed++;
    printf("%" PRIu64 " keys\n%u passed, %u failed\n", pressed, passed, failed);
    return failed > 0;
}
