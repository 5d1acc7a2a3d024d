/* strict.c - checks the output of fxtop against a grammar of its own.
 *
 * strict modes|big|screen FXTOP TRACE [trace|refused] | options|names FXTOP TRACE
 *
 * modes runs every mode that prints, screen the real screen on a pseudo-terminal, options and names
 * hostile command lines and file names. Answers have the forms of strict_forms.c, and the screen is
 * that of strict_screen.c. FXTOP may be tests/system/runs where no screen is asked for. The last
 * line is "N passed, N failed". */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "tests/system/strict.h"

struct strict strict;

/* ---- saying what is wrong ---- */

static void show_bytes(const char *s, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (s[i] >= ' ' && s[i] < 0x7F)
            putchar(s[i]);
        else
            printf("\\x%02x", (unsigned char)s[i]);
}

void strict_complain(const char *what, const char *why, const char *bytes, size_t n, size_t at) {
    size_t from = at > 30 ? at - 30 : 0, to = at + 30 < n ? at + 30 : n;
    strict.failed++;
    printf("FAILED: %s: ", strict.subject);
    show_bytes(what, strlen(what));
    printf(": %s", why);
    if (bytes) {
        printf(", at byte %zu: ", at);
        show_bytes(bytes + from, to - from);
    }
    putchar('\n');
}

_Noreturn void strict_die(const char *what) {
    fprintf(stderr, "strict: %s: %s\n", what, strerror(errno));
    exit(2);
}

/* ---- modes that print ---- */

enum form { TEXT, TEXT_ASCII_ONLY, TEXT_COLOURED, JSON, JSON_LINES, CSV, CSV_LINES };

struct mode {
    const char *option, *second; /* second may be NULL */
    enum form form;
    bool always; /* under sanitizers too: the screen's test shows the same views in one process */
};

/* A name that holds something of everything, typed. */
#define NASTY                                                                                      \
    "a\xE2\x80\xAE"                                                                                \
    "b\xE2\x80\x8B\xEE\x80\x80\xF3\xA0\x81\x81\xEF\xB7\x90\xF0\x9F\x87\xA9\xC2\x9B%"               \
    "n\xCC\x81\xCC\x81\xCC\x81"

static const struct mode modes[] = {
    {"--summary", NULL, TEXT, true},
    {"--check", NULL, TEXT, true},
    {"--check=strict", NULL, TEXT, false},
    {"--records", NULL, TEXT, true},
    {"--records", "--ascii", TEXT_ASCII_ONLY, false},
    {"--summary", "--ascii", TEXT_ASCII_ONLY, false},
    {"--export=ndjson", NULL, JSON_LINES, true},
    {"--export=json", NULL, JSON, true},
    {"--export=csv", NULL, CSV, true},
    {"--export=csv", "--keys=5", CSV_LINES, true},
    {"--export=csv", "--keys=6", CSV, true},
    {"--print=120x40", "--keys=jl", TEXT, true},
    {"--print=20x5", "--keys=jlf", TEXT, false},
    {"--print=300x90", "--keys=Ejl<Tab>l", TEXT, false},
    {"--print=100x30", "--keys=jlWWWff<Tab>lll", TEXT, false},
    {"--print=100x30", "--keys=5/e<Enter>n<Enter>", TEXT, false},
    {"--print=100x30", "--keys=6<Enter>jj<Enter>", TEXT, false},
    {"--print=100x30", "--keys=!!!X", TEXT, false},
    {"--print=100x30", "--keys=:blobs<Enter><Enter>jj", TEXT, false},
    {"--print=100x30", "--keys=/" NASTY "<Enter>n", TEXT, false},
    {"--print=60x20", "--ascii", TEXT_ASCII_ONLY, false},
    {"--print=60x20", "--color=always", TEXT_COLOURED, true},
};

static bool form_holds(const char *what, const struct strict_output *out, enum form form) {
    const char *v = out->n > 0 ? out->v : "";
    switch (form) {
    case TEXT:
        return strict_text_holds(what, v, out->n, 0);
    case TEXT_ASCII_ONLY:
        return strict_text_holds(what, v, out->n, ASCII);
    case TEXT_COLOURED:
        return strict_text_holds(what, v, out->n, COLOURED);
    case JSON:
        return strict_json_holds(what, v, out->n);
    case JSON_LINES:
        return strict_lines_hold(what, v, out->n);
    default:
        return strict_csv_holds(what, v, out->n, form == CSV_LINES);
    }
}

/* One line that begins with fxtop's name, or none. */
static bool error_holds(const char *what, const struct strict_output *err, bool wanted,
                        unsigned flags) {
    const char *v = err->n > 0 ? err->v : "", *end = memchr(v, '\n', err->n);
    const char *why = NULL;
    if (wanted != (err->n > 0))
        why = wanted ? "nothing on standard error" : "something on standard error";
    else if (wanted && (end == NULL || (size_t)(end - v) + 1 != err->n))
        why = "not one line on standard error";
    else if (wanted && strncmp(v, "fxtop: ", 7) != 0)
        why = "an error without fxtop's name";
    if (why)
        strict_complain(what, why, v, err->n, 0);
    return why == NULL && strict_text_holds(what, v, err->n, flags);
}

/* A run of a mode must be refused (status 2 and one line), or answer in the mode's form. */
static void judge(struct strict_run *r, const char *what, enum form form, bool refused,
                  bool answers_no) {
    char why[60];
    bool status = refused ? r->status == 2 : r->status == 0 || (answers_no && r->status == 1);
    if (!status) {
        snprintf(why, sizeof why, r->status < 0 ? "a signal, or no end in time" : "status %d",
                 r->status);
        strict_complain(what, why, r->err.n > 0 ? r->err.v : NULL, r->err.n, 0);
    } else if (error_holds(what, &r->err, refused, form == TEXT_ASCII_ONLY ? ASCII : 0)) {
        if (refused && r->out.n > 0)
            strict_complain(what, "refused, and yet an answer", r->out.v, r->out.n, 0);
        else if (refused || form_holds(what, &r->out, form))
            strict.passed++;
    }
}

static void run_mode(struct strict_run *r, const struct mode *m, const char *path, bool refused) {
    char what[200];
    char *argv[] = {(char *)(uintptr_t) "fxtop",
                    (char *)(uintptr_t) "--no-cache",
                    (char *)(uintptr_t)m->option,
                    (char *)(uintptr_t)(m->second ? m->second : path),
                    (char *)(uintptr_t)(m->second ? path : NULL),
                    NULL};
    snprintf(what, sizeof what, "%s %s", m->option, m->second ? m->second : "");
    strict_run(r, argv, strict_memory_for(path),
               m->form == TEXT_ASCII_ONLY && m->second == NULL ? "C" : "C.UTF-8");
    judge(r, what, m->form, refused, strncmp(m->option, "--check", 7) == 0);
}

static void test_modes(const char *path, bool refused) {
    struct strict_run r = {0};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (modes[i].always || !SANITIZED)
            run_mode(&r, &modes[i], path, refused);
    static const struct mode in_c[] = {{"--summary", NULL, TEXT_ASCII_ONLY, true}};
    run_mode(&r, &in_c[0], path, refused);
    strict_run_free(&r);
}

/* Runs for traces of millions of events: the modes that read all, and a frame. */
static void test_big(const char *path) {
    static const struct mode few[] = {{"--summary", NULL, TEXT, true},
                                      {"--print=120x40", "--keys=jlEf", TEXT, true}};
    struct strict_run r = {0};
    for (size_t i = 0; i < sizeof few / sizeof *few; i++)
        run_mode(&r, &few[i], path, false);
    strict_run_free(&r);
}

/* ---- command lines and file names ---- */

#define HOSTILE "\033]0;x\a\033[2J\xE2\x80\xAE\xC2\x9B\xFF\n\r%n"

static const struct {
    const char *options[3];
    bool refused;
    enum form form;
} option_lines[] = {
    {{"--print", "--at=" HOSTILE}, true, TEXT},
    {{"--print", "--at=nan"}, true, TEXT},
    {{"--print", "--at=1e400s"}, true, TEXT},
    {{"--print", "--at=99999999999999999999s"}, false, TEXT},
    {{"--print", "--at=-5s"}, false, TEXT},
    {{"--print", "--at="}, true, TEXT},
    {{"--print", "--window=" HOSTILE}, true, TEXT},
    {{"--print", "--window=0"}, true, TEXT},
    {{"--print", "--window=-1ms"}, true, TEXT},
    {{"--print", "--window=9e999s"}, true, TEXT},
    {{"--print", "--window=99999999999999999999s", "--at=100%"}, false, TEXT},
    {{"--print", "--window=1ns", "--at=50%"}, false, TEXT},
    {{"--print", "--keys=" HOSTILE}, true, TEXT},
    {{"--print", "--keys=<" HOSTILE ">"}, true, TEXT},
    {{"--print", "--keys=<Nonsense>"}, true, TEXT},
    {{"--print", "--keys=:" NASTY "<Enter>"}, false, TEXT},
    {{"--print", "--keys=/" NASTY "<Enter>"}, false, TEXT},
    {{"--print", "--keys=&" NASTY "<Enter>"}, false, TEXT},
    {{"--print", "--keys=:" NASTY}, false, TEXT},
    {{"--print", "--keys=//(" NASTY "<Enter>"}, false, TEXT},
    {{"--print", "--keys=g" NASTY "<Enter>"}, false, TEXT},
    {{"--print", "--keys=t" NASTY "<Enter>"}, false, TEXT},
    {{"--print", "--keys=P" NASTY "<Enter>"}, false, TEXT},
    {{"--print", "--keys=:scale " NASTY "<Enter>"}, false, TEXT},
    {{"--print", "--keys=:flows " NASTY "<Enter>"}, false, TEXT},
    {{"--print", "--keys=:blobs<Enter>:w /nowhere/" NASTY "<Enter>"}, false, TEXT},
    {{"--print=" HOSTILE}, true, TEXT},
    {{"--print=0x0"}, true, TEXT},
    {{"--print=99999999999x1"}, true, TEXT},
    {{"--print=1x1"}, false, TEXT},
    {{"--print=1000x1000"}, false, TEXT},
    {{"--export=" HOSTILE}, true, TEXT},
    {{"--check=" HOSTILE}, true, TEXT},
    {{"--color=" HOSTILE}, true, TEXT},
    {{"--max-inflate=" HOSTILE}, true, TEXT},
    {{"--max-inflate=99999999999999999999t"}, true, TEXT},
    {{"--" HOSTILE}, true, TEXT},
    {{"-" HOSTILE}, true, TEXT},
    {{"--summary=" HOSTILE}, true, TEXT},
    {{"--print", HOSTILE}, true, TEXT}, /* a second file */
    {{"--export=csv", "--keys=9"}, true, TEXT},
    {{"--export=csv", "--keys=5&" NASTY "<Enter>"}, false, CSV_LINES},
};

static void test_options(const char *path) {
    struct strict_run r = {0};
    for (size_t i = 0; i < sizeof option_lines / sizeof *option_lines; i++) {
        char *argv[6] = {(char *)(uintptr_t) "fxtop"}, what[200] = "";
        int n = 1;
        for (int k = 0; k < 3 && option_lines[i].options[k]; k++) {
            argv[n++] = (char *)(uintptr_t)option_lines[i].options[k];
            snprintf(what + strlen(what), sizeof what - strlen(what), "%s ",
                     option_lines[i].options[k]);
        }
        argv[n++] = (char *)(uintptr_t)path;
        argv[n] = NULL;
        strict_run(&r, argv, strict_memory_for(path), "C.UTF-8");
        judge(&r, what, option_lines[i].form, option_lines[i].refused, false);
        if (option_lines[i].refused) { /* the same line in a locale of ASCII alone */
            strict_run(&r, argv, strict_memory_for(path), "C");
            judge(&r, what, TEXT_ASCII_ONLY, true, false);
        }
    }
    strict_run_free(&r);
}

static void copy(const char *from, const char *to) {
    static char bytes[65536];
    int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ssize_t n;
    if (in < 0 || out < 0)
        strict_die(to);
    while ((n = read(in, bytes, sizeof bytes)) > 0)
        if (write(out, bytes, (size_t)n) != n)
            strict_die(to);
    close(in);
    close(out);
}

/* Opens a trace under hostile names, and the same names without a file. */
static void test_names(const char *path) {
    static const char *const names[] = {HOSTILE,
                                        NASTY,
                                        "\033[2J",
                                        "\xC2\x9B"
                                        "31m",
                                        "\x9B"
                                        "31m",
                                        "a\nb\nfxtop: all is well",
                                        "=cmd|'!A0",
                                        "\xE2\x80\xAEtxf",
                                        "\"},{",
                                        "%s%s%n",
                                        " ",
                                        "\\x1b",
                                        "\xED\xA0\x80",
                                        "a\xE2\x80",
                                        "-",
                                        "--help"};
    static const struct mode on[] = {
        {"--summary", NULL, TEXT, true},
        {"--export=ndjson", NULL, JSON_LINES, true},
        {"--export=json", NULL, JSON, true},
        {"--export=csv", NULL, CSV, true},
        {"--print", NULL, TEXT, true},
        {"--print", "--keys=9", TEXT, true},
        {"--summary", "--ascii", TEXT_ASCII_ONLY, true},
    };
    struct strict_run r = {0};
    char dir[PATH_MAX], name[PATH_MAX + 100];
    snprintf(dir, sizeof dir, "%s.names", path);
    if (mkdir(dir, 0700) != 0)
        strict_die(dir);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(name, sizeof name, "%s/%s", dir, names[i]);
        for (size_t k = 0; k < sizeof on / sizeof *on; k++) { /* not there */
            run_mode(&r, &on[k], name, true);
            k += 2;
        }
        static const struct mode in_c = {"--summary", NULL, TEXT_ASCII_ONLY, true};
        run_mode(&r, &in_c, name, true);
        copy(path, name);
        for (size_t k = 0; k < sizeof on / sizeof *on; k++)
            run_mode(&r, &on[k], name, false);
        if (truncate(name, 0) != 0)
            strict_die(name);
        run_mode(&r, &on[0], name, true);
        unlink(name);
        if (mkdir(name, 0700) != 0)
            strict_die(name);
        run_mode(&r, &on[0], name, true);
        rmdir(name);
    }
    rmdir(dir);
    strict_run_free(&r);
}

/* ---- files that cannot be read ---- */

/* Root may read everything: a mode of 000 means something once that is given up. */
static void give_up_override(void) {
#if defined __linux__ && defined PR_CAPBSET_DROP
    prctl(PR_CAPBSET_DROP, 1 /* CAP_DAC_OVERRIDE */, 0, 0, 0);
    prctl(PR_CAPBSET_DROP, 2 /* CAP_DAC_READ_SEARCH */, 0, 0, 0);
#endif
}

static void test_unreadable(const char *path) {
    static const struct mode on[] = {{"--summary", NULL, TEXT, true},
                                     {"--check", NULL, TEXT, true},
                                     {"--records", NULL, TEXT, true},
                                     {"--export=ndjson", NULL, TEXT, true},
                                     {"--print", NULL, TEXT, true}};
    struct strict_run r = {0};
    for (size_t i = 0; i < sizeof on / sizeof *on; i++)
        run_mode(&r, &on[i], path, true);
    strict_refused_screen(path);
    strict_run_free(&r);
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "sanitized") == 0)
        return SANITIZED ? 0 : 1;
    if (argc < 4) {
        fputs(
            "usage: strict modes|big|screen|options|names|unreadable FXTOP TRACE [trace|refused]\n",
            stderr);
        return 2;
    }
    bool refused = argc > 4 && strcmp(argv[4], "refused") == 0;
    strict.fxtop = argv[2];
    strict.subject = strrchr(argv[3], '/') ? strrchr(argv[3], '/') + 1 : argv[3];
    signal(SIGPIPE, SIG_IGN);
    unsetenv("NO_COLOR");
    unsetenv("COLUMNS");
    unsetenv("LINES");
    if (strcmp(argv[1], "modes") == 0) {
        test_modes(argv[3], refused);
    } else if (strcmp(argv[1], "big") == 0) {
        test_big(argv[3]);
    } else if (strcmp(argv[1], "options") == 0) {
        test_options(argv[3]);
    } else if (strcmp(argv[1], "names") == 0) {
        test_names(argv[3]);
    } else if (strcmp(argv[1], "unreadable") == 0) {
        give_up_override();
        test_unreadable(argv[3]);
    } else if (refused) {
        strict_refused_screen(argv[3]);
    } else {
        strict_screen(argv[3]);
    }
    printf("%u passed, %u failed\n", strict.passed, strict.failed);
    return strict.failed > 0;
}
