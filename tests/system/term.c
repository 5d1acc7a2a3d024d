/* term.c - the real screen on pseudo-terminals: every way in and out, sizes, signals, terminals,
 * what they say.
 *
 * The program is $FXTOP, else fxtop in $FXTOP_BUILD. After each exit the status and the terminal's
 * modes are checked; by the output also the main screen, cursor, mouse, paste mode and colours.
 * tmux and screen are programs on a pseudo-terminal, too. Every wait is for something visible, with
 * a deadline. */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"
#include "tests/system/term.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED true /* it makes statuses of its own of faults */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED true
#endif
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif

#define PASTE_ON "\033[?2004h"

enum { STORM = 300, STORM_MS = 1500, FRAMES_MOST = 10 };

struct pty pty;
static char fxtop[4096], directory[SCRATCH_PATH];
static unsigned passed, failed;

bool check(bool good, const char *what, const char *why) {
    if (good) {
        passed++;
        return true;
    }
    failed++;
    printf("FAILED: %s: %s\n", what, why);
    fflush(stdout);
    pty_print(&pty);
    if (failed == 12) {
        printf("too much fails; the rest is left out\n%u passed, %u failed\n", passed, failed);
        exit(1);
    }
    return false;
}

void open_as(int cols, int rows, unsigned how, const char *command) {
    char line[8192];
    snprintf(line, sizeof line, command, fxtop, fxtop);
    pty_open(&pty, cols, rows);
    pty_start(&pty, how, (const char *const[]){"sh", "-c", line, NULL});
}

bool see_trace(const char *what) {
    return check(pty_see_loaded(&pty), what, "there is no picture of the whole trace");
}

/* command: a line for sh, in which %s is fxtop. */
bool start_as(const char *what, int cols, int rows, const char *command) {
    open_as(cols, rows, PTY_PLAIN, command);
    return see_trace(what);
}

bool start(const char *what) {
    return start_as(what, 100, 30, "exec %s small.fxt");
}

void see(const char *what, const char *text) {
    char why[200];
    snprintf(why, sizeof why, "'%s' is not to be seen", text);
    check(pty_see(&pty, text), what, why);
}

/* It ends, or has been asked to, and all is as it was. */
void left(const char *what, int status) {
    char why[200];
    int got = pty_ended(&pty, PTY_PATIENCE_MS);
    snprintf(why, sizeof why, "status %d and not %d", got, status);
    check(got == status, what, why);
    const char *bad = pty_left(&pty);
    check(bad == NULL, what, bad ? bad : "");
    pty_close(&pty);
}

/* One line, with status 2, and nothing done to the terminal. */
static void refuses(const char *what, const char *command, const char *text) {
    open_as(100, 30, PTY_PLAIN, command);
    see(what, text);
    int status = pty_ended(&pty, PTY_PATIENCE_MS);
    check(status == 2 && pty.out.n > 7 && memcmp(pty.out.v, "fxtop: ", 7) == 0 &&
              memchr(pty.out.v, '\033', pty.out.n) == NULL &&
              memchr(pty.out.v, '\n', pty.out.n) == pty.out.v + pty.out.n - 1 &&
              pty_left(&pty) == NULL,
          what, "not one line and status 2");
    pty_close(&pty);
}

/* ---- keys and ways out ---- */

static void keys_and_leaving(void) {
    start("keys");
    pty_type(&pty, "ll");
    see("keys", "vsync  category ui  app 100");
    pty_type(&pty, "?");
    see("keys", "one slice; the heaviest names");
    pty_type(&pty, "q");
    see("keys", PTY_PICTURE);
    pty_type(&pty, "/Read\r");
    see("keys", "hit 2/2");
    pty_type(&pty, ":q\r");
    left(":q", 0);

    start_as("first row", 100, 30, "exec %s demo.fxt");
    pty_type(&pty, "l");
    see("first row", "Frame  category ui  render_svc.cm 1100");
    pty_type(&pty, "Q");
    left("Q", 0);

    start("Ctrl-C");
    pty_type(&pty, "\003");
    left("Ctrl-C", 130);
    start("Ctrl-C in a prompt");
    pty_type(&pty, "/x\003");
    see("Ctrl-C in a prompt", " +0 ns  window");
    pty_type(&pty, "q");
    left("Ctrl-C in a prompt", 0);

    refuses("a directory", "exec %s .", "directory");
    refuses("an empty file", "exec %s nothing.fxt", "empty file");
    refuses("a device", "exec %s /dev/zero", "device");
    refuses("no such file", "exec %s none.fxt", "no such file");
}

/* ---- size ---- */

static bool fills(void) {
    char *first = pty_line(&pty, 0), *last = pty_line(&pty, pty.rows - 1);
    bool good =
        strstr(first, PTY_PICTURE) && strlen(first) + 4 > (size_t)pty.cols && strstr(last, "zoom");
    free(first);
    free(last);
    return good;
}

void must_fill(const char *what) {
    int64_t end = pty_now_ms() + PTY_PATIENCE_MS;
    while (!fills() && pty_now_ms() < end)
        pty_take(&pty, 20);
    check(fills(), what, "the picture does not fill the screen");
}

static void resized(const char *what, int cols, int rows) {
    pty_resize(&pty, cols, rows);
    must_fill(what);
}

static unsigned frames_of(const char *path) {
    char line[200];
    unsigned n = 0;
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "frames %u", &n) == 1)
            break;
    if (f)
        fclose(f);
    return n;
}

static void sizes(void) {
    static const int small[][2] = {{1, 1}, {2, 1}, {1, 200}, {19, 5}, {20, 4}};
    start("sizes");
    must_fill("100x30");
    resized("80x24", 80, 24);
    resized("500x200", 500, 200);
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        pty_resize(&pty, small[i][0], small[i][1]);
        pty_settle(&pty, 250);
        pty_type(&pty, "lj");
    }
    pty_resize(&pty, 19, 4);
    see("19x4", "fxtop needs 20x5");
    pty_resize(&pty, 20, 5);
    see("20x5", "+700 ns   … > Read"); /* the window does not fit */
    resized("100x30 again", 100, 30);
    pty_type(&pty, "Q");
    left("sizes", 0);
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) { /* from the start */
        open_as(small[i][0], small[i][1], PTY_PLAIN, "exec %s small.fxt");
        pty_wrote(&pty, PASTE_ON);
        pty_type(&pty, "lQ");
        left("a small screen", 0);
    }

    unlink("stats");
    start_as("a storm of sizes", 100, 30, "exec %s --stats small.fxt 2>stats");
    pty_settle(&pty, QUIET_MS);
    int64_t from = pty_now_ms();
    for (int i = 1; i <= STORM; i++) {
        pty_resize(&pty, 60 + i % 60, 20 + i % 30);
        while (pty_now_ms() < from + i * STORM_MS / STORM)
            pty_take(&pty, 1);
    }
    int64_t ms = pty_now_ms() - from; /* more than STORM_MS if this machine is busy */
    resized("a storm of sizes", 90, 28);
    pty_type(&pty, "Q");
    left("a storm of sizes", 0);
    unsigned frames = frames_of("stats");
    char why[80];
    snprintf(why, sizeof why, "%d sizes in %d ms cost %u frames", STORM, (int)ms, frames);
    check(frames > 1 && frames <= FRAMES_MOST * ms / STORM_MS + 2, "a storm of sizes",
          why); /* the first, and the last size's */
}

/* ---- several files ---- */

/* The screen goes on without it, and has the reason in its place. */
static void unread(void) {
    static const char what[] = "a FILE that cannot be read";
    start_as(what, 100, 30, "exec %s --no-session missing.fxt small.fxt demo.fxt");
    see(what, "no such file or directory");
    see(what, "render_svc.cm");
    pty_type(&pty, "Q");
    left(what, 0);
}

/* ---- signals ---- */

static void signals(void) {
    static const int all[] = {SIGTERM, SIGINT, SIGQUIT, SIGHUP,  SIGABRT, SIGSEGV, SIGFPE,
                              SIGILL,  SIGBUS, SIGPIPE, SIGUSR1, SIGUSR2, SIGALRM};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char what[40];
        bool fault = all[i] == SIGSEGV || all[i] == SIGFPE || all[i] == SIGILL ||
                     all[i] == SIGBUS || all[i] == SIGABRT;
        snprintf(what, sizeof what, "signal %d", all[i]);
        start(what);
        pty_signal(&pty, all[i]);
        if (SANITIZED && fault) {
            check(pty_ended(&pty, PTY_PATIENCE_MS) > 0 && pty_left(&pty) == NULL, what,
                  "the terminal is not as it was");
            pty_close(&pty);
        } else {
            left(what, 128 + all[i]);
        }
    }
    start("signals that say nothing");
    pty_signal(&pty, SIGWINCH);
    pty_signal(&pty, SIGCHLD);
    pty_signal(&pty, SIGCONT);
    pty_type(&pty, "ll");
    see("signals that say nothing", "vsync  category ui  app 100");
    pty_signal(&pty, SIGKILL);
    pty_ended(&pty, PTY_PATIENCE_MS);
    pty_close(&pty);
    open_as(100, 30, PTY_PLAIN, "trap '' INT QUIT; exec %s small.fxt");
    see_trace("ignored signals");
    pty_signal(&pty, SIGINT);
    pty_signal(&pty, SIGQUIT);
    pty_type(&pty, "ll");
    see("ignored signals", "vsync  category ui  app 100");
    pty_type(&pty, "Q");
    left("ignored signals", 0);
}

static double seconds_of_children(void) {
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static void terminal_gone(const char *what, const char *command) {
    start_as(what, 100, 30, command);
    double before = seconds_of_children();
    pty_hang_up(&pty);
    int status = pty_ended(&pty, PTY_PATIENCE_MS);
    check(status == 129, what, status < 0 ? "it did not end" : "not status 129");
    check(seconds_of_children() - before < 3, what, "it spins");
    pty_close(&pty);
}

#define HANG_UPS 6

/* The kernel and the shell both send the signal when a terminal closes: the session is kept all the
 * same. */
static void told_twice(void) {
    char command[100];
    for (int i = 0; i < HANG_UPS; i++) {
        snprintf(command, sizeof command, "XDG_STATE_HOME=$PWD/told%d exec %%s small.fxt", i);
        if (!start_as("told twice", 100, 30, command))
            return;
        pty_type(&pty, "ll");
        see("told twice", "vsync  category ui  app 100");
        pty_signal(&pty, SIGHUP);
        pty_signal(&pty, SIGHUP);
        left("told twice", 129);
        start_as("told twice, again", 100, 30, command);
        see("told twice, again", "session");
        pty_type(&pty, "Q");
        left("told twice, again", 0);
    }
}

static void stopping(void) {
    pty_open(&pty, 100, 30);
    pty_start(
        &pty, PTY_PLAIN,
        (const char *const[]){"env", "PS1=shell> ", "bash", "--norc", "--noprofile", "-i", NULL});
    see("a shell", "shell>");
    char line[4200];
    snprintf(line, sizeof line,
             " bind 'set enable-bracketed-paste off'; HISTFILE=; clear; %s small.fxt\r", fxtop);
    pty_type(&pty, line);
    see("Ctrl-Z", PTY_PICTURE);
    pty_type(&pty, "\032");
    see("Ctrl-Z", "Stopped");
    check(!pty.alternate && pty.cursor && !pty.mouse && !pty.paste, "Ctrl-Z",
          "the terminal is not the shell's");
    pty_resize(&pty, 90, 28);
    pty_type(&pty, "fg; echo status=$?\r");
    see("fg", PTY_PICTURE);
    resized("fg", 90, 28);
    check(pty.alternate && pty.mouse && pty.paste, "fg", "the screen was not taken again");
    pty_type(&pty, "?");
    see("fg", "one slice; the heaviest names");
    pty_type(&pty, "qq");
    see("fg", "status=0");
    check(!pty.alternate && pty.cursor && !pty.mouse && !pty.paste, "fg",
          "the terminal is not the shell's again");
    pty_close(&pty);
}

/* ---- terminals ---- */

static void terminals(void) {
    static const struct {
        const char *name, *note;
    } types[] = {{"xterm-256color", NULL},
                 {"xterm", NULL},
                 {"tmux-256color", NULL},
                 {"screen-256color", NULL},
                 {"screen", NULL},
                 {"linux", NULL},
                 {"vt100", NULL},
                 {"no-such", "using vt100"},
                 {"xterm-no-such", "using xterm-256color"},
                 {"tmux-no-such", "using screen-256color"},
                 {"alacritty-no-such", "using xterm-256color"},
                 {"foot-no-such", "using xterm-256color"},
                 {"kitty-no-such", "using xterm-256color"},
                 {"", "TERM is not set: using vt100"}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        char what[60], command[100];
        snprintf(what, sizeof what, "TERM=%s", types[i].name);
        snprintf(command, sizeof command, "TERM=%s exec %%s small.fxt", types[i].name);
        start_as(what, 100, 30, command);
        if (types[i].note)
            see(what, types[i].note);
        pty_type(&pty, "ll");
        see(what, "vsync  category ui  app 100");
        pty_resize(&pty, 90, 28);
        pty_settle(&pty, 300);
        pty_type(&pty, "?");
        see(what, "one slice; the heaviest names");
        pty_type(&pty, "qQ");
        left(what, 0);
    }
    start_as("no TERM", 100, 30, "unset TERM; exec %s small.fxt");
    see("no TERM", "TERM is not set: using vt100");
    pty_type(&pty, "Q");
    left("no TERM", 0);
    refuses("TERM=dumb", "TERM=dumb exec %s small.fxt", "dumb");
    refuses("no descriptions",
            "TERM=xterm TERMINFO=/dev/null TERMINFO_DIRS=/dev/null HOME=/dev/null exec env -u "
            "TERMINFO_DIRS TERM=no-such %s nothing.fxt",
            "empty file");

    start_as("LC_ALL=C", 100, 30, "LC_ALL=C exec %s small.fxt");
    see("LC_ALL=C", ">main");
    pty_type(&pty, "ll\t?q");
    pty_settle(&pty, QUIET_MS);
    bool ascii = true;
    for (size_t i = 0; i < pty.out.n; i++)
        ascii = ascii && (unsigned char)pty.out.v[i] < 0x80;
    check(ascii, "LC_ALL=C", "something that is not ASCII");
    pty_type(&pty, "Q");
    left("LC_ALL=C", 0);
}

static bool installed(const char *program) {
    char command[60];
    snprintf(command, sizeof command, "command -v %s >/dev/null", program);
    return check(system(command) == 0, program, "is not installed");
}

/* Inside of tmux and screen, which are on terminals of their own. */
static void multiplexers(void) {
    static const char *const inner[] = {"tmux-256color",  "screen-256color", "screen",
                                        "xterm-256color", "vt100",           "linux"};
    char command[400];
    for (size_t i = 0; installed("tmux") && i < sizeof inner / sizeof *inner; i++) {
        snprintf(command, sizeof command,
                 "exec tmux -L fxtop-term-%ld-%zu -f /dev/null new-session \"TERM=%s exec %%s "
                 "small.fxt\"",
                 /* a server of its own: the one before may still be leaving */
                 (long)getpid(), i, inner[i]);
        start_as("tmux", 100, 31, command); /* its own line is the last */
        pty_type(&pty, "ll");
        see(inner[i], "vsync  category ui  app 100");
        pty_resize(&pty, 90, 25);
        see(inner[i], "zoom");
        pty_type(&pty, "?");
        see(inner[i], "one slice; the heaviest names");
        pty_type(&pty, "qQ");
        left("tmux", 0);
    }
    for (size_t i = 0; installed("screen") && i < 2; i++) {
        snprintf(command, sizeof command, "exec screen -c /dev/null -T %s %%s small.fxt",
                 i ? "screen-256color" : "screen");
        start_as("screen", 100, 30, command);
        pty_type(&pty, "ll");
        see("screen", "vsync  category ui  app 100");
        pty_resize(&pty, 90, 25);
        pty_type(&pty, "?");
        see("screen", "one slice; the heaviest names");
        pty_type(&pty, "qQ");
        check(pty_ended(&pty, PTY_PATIENCE_MS) == 0, "screen", "fxtop did not end in it");
        pty_close(&pty); /* its own leaving is screen's business */
    }
}

/* ---- files that are written meanwhile ---- */

void append(const char *path, const char *text, bool anew) {
    struct err err;
    struct trace_bytes bytes = tracegen(text, &err);
    FILE *f = fopen(path, anew ? "wb" : "ab");
    if (bytes.v == NULL || f == NULL || fwrite(bytes.v, 1, bytes.n, f) != bytes.n ||
        fclose(f) != 0) {
        fprintf(stderr, "term: %s: %s\n", path, bytes.v ? strerror(errno) : err.text);
        exit(2);
    }
    free(bytes.v);
}

static void following(void) {
    fclose(fopen("grows.fxt", "wb"));
    open_as(100, 30, PTY_PLAIN, "exec %s -F grows.fxt");
    see("following", "waiting for data");
    append("grows.fxt", "magic\ninit 1000000000\ninstant 1000 7/8 \"c\" \"first seen\"\n", false);
    see("following", "following  " PTY_PICTURE);
    see("following", " 1 ev ");
    append("grows.fxt", "instant 2000 7/8 \"c\" \"then seen\"\n", false);
    see("following", " 2 ev ");
    append("grows.fxt",
           "magic\ninit 1000000000\nkernel_object 2 8 \"other\" process=koid:7\ninstant 1 7/8 "
           "\"c\" \"i\"\n",
           true);
    see("following", "was replaced");
    see("following", "other");
    pty_type(&pty, "F");
    see("following", "stopped following");
    append("grows.fxt", "instant 2000 7/8 \"c\" \"then seen\"\n", false);
    see("following", "has grown: R");
    pty_type(&pty, "R");
    see("following", "reloaded");
    pty_type(&pty, "Q");
    left("following", 0);
}

/* A pipe that brings one piece after the other: each of them is read at once, but not painted. */
static void pieces(void) {
    static char text[100000];
    size_t n = 0;
    for (int i = 0; i < 1000; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "instant %d 7/8 \"c\" \"in a piece\"\n",
                              1000 + i);
    append("pieces.fxt", text, true);
    append("first.fxt", "magic\ninit 1000000000\n", true);
    unlink("stats");
    int64_t from = pty_now_ms();
    open_as(100, 30, PTY_PLAIN,
            "i=0; { cat first.fxt; while [ $i -lt 400 ]; do cat pieces.fxt; i=$((i + 1)); done; } "
            "| %s --stats - 2>stats");
    see("pieces", "400k ev");
    pty_type(&pty, "Q");
    left("pieces", 0);
    int64_t ms = pty_now_ms() - from;
    unsigned frames = frames_of("stats");
    check(frames > 1 && frames <= ms / 100 + 6, "pieces", "more than ten pictures a second");
}

/* ---- fxtop record --live ---- */

#define LIVE                                                                                       \
    "XDG_STATE_HOME=$PWD/state exec %s record --live --no-sched --no-stacks --sample=0 "           \
    "-o live.fxt -- "                                                                              \
    "sh -c 'echo a line of it; exec sleep 60'"

static void live(void) {
    open_as(100, 30, PTY_PLAIN, LIVE);
    see("--live", "following");
    pty_type(&pty, "5");
    see("--live", "a line of it");
    pty_type(&pty, "Q");
    see("--live", "Stop it, and the program? [y/N]");
    pty_type(&pty, "y\n");
    see("--live", "was killed by signal 15");
    left("--live", 143);
    /* The session that was kept is the older trace's. */
    open_as(100, 30, PTY_PLAIN, LIVE);
    see("--live again", "following");
    pty_settle(&pty, 300);
    check(access("live.fxt.out.old", F_OK) == 0, "--live again", "older output is not kept");
    check(!pty_shows(&pty, "session"), "--live again", "it takes up the session of an older trace");
    pty_type(&pty, "Q");
    see("--live again", "[y/N]");
    pty_type(&pty, "y\n");
    left("--live again", 143);
}

/* ---- */

static void set_up(void) {
    const char *srcdir = getenv("srcdir"), *build = getenv("FXTOP_BUILD"),
               *program = getenv("FXTOP");
    static char cwd[4096], path[8300], command[8300];
    int fd = 0;
    while (fd >= 0 && fd <= STDERR_FILENO) /* else the terminal could be one of them */
        fd = open("/dev/null", O_RDWR);
    close(fd);
    if (getcwd(cwd, sizeof cwd) == NULL)
        exit(2);
    build = build && *build ? build : cwd;
    if (program && *program)
        snprintf(fxtop, sizeof fxtop, "%s", program);
    else
        snprintf(fxtop, sizeof fxtop, "%.4000s/fxtop", build);
    srcdir = srcdir && *srcdir ? srcdir : ".";
    snprintf(path, sizeof path,
             *srcdir == '/' ? "%.0s%s/tests/screens/small.txt" : "%s/%s/tests/screens/small.txt",
             cwd, srcdir);
    FILE *f = fopen(path, "rb");
    static char text[100000];
    if (f == NULL || fread(text, 1, sizeof text - 1, f) == 0 ||
        !scratch_folder(directory, "term") || chdir(directory) != 0) {
        fprintf(stderr, "term: %s: %s\n", path, strerror(errno));
        exit(2);
    }
    fclose(f);
    append("small.fxt", text, true);
    fclose(fopen("nothing.fxt", "wb"));
    snprintf(command, sizeof command, "%s/tests/tools/demo demo.fxt", build);
    if (system(command) != 0)
        exit(2);
    mkdir("sessions", 0700);
    snprintf(path, sizeof path, "%s/sessions", directory);
    setenv("SCREENDIR", path, 1);
    setenv("TMUX_TMPDIR", path, 1);
    setlocale(LC_CTYPE, "C.UTF-8");
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("TERM", "xterm-256color", 1);
    unsetenv("NO_COLOR");
    unsetenv("COLORFGBG");
    unsetenv("COLUMNS");
    unsetenv("LINES");
    unsetenv("TMUX");
    unsetenv("STY");
    /* The leak checker's own helper hangs when the terminal is gone while it runs; others look for
     * leaks. */
    const char *asan = getenv("ASAN_OPTIONS");
    snprintf(command, sizeof command, "%s%sdetect_leaks=0", asan ? asan : "", asan ? ":" : "");
    setenv("ASAN_OPTIONS", command, 1);
}

static void hang_ups(void) {
    terminal_gone("hang-up", "exec %s small.fxt");
    terminal_gone("hang-up ignored", "trap '' HUP; exec %s small.fxt");
    told_twice();
    told_late();
}

static const struct part {
    const char *name;
    void (*run)(void);
} parts[] = {
    {"leaving", keys_and_leaving},
    {"sizes", sizes},
    {"signals", signals},
    {"hang-ups", hang_ups},
    {"stopping", stopping},
    {"piping", piping},
    {"editing", editing},
    {"not-played", not_played},
    {"terminals", terminals},
    {"multiplexers", multiplexers},
    {"pipes", pipes},
    {"no-keys", what_is_no_key},
    {"background", background},
    {"bytes", bytes},
    {"pieces", pieces},
    {"following", following},
    {"unread", unread},
#ifdef __linux__
    {"live", live},
#endif
};

int main(int argc, char **argv) {
    set_up();
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        bool wanted = argc < 2;
        for (int k = 1; k < argc; k++)
            wanted = wanted || strcmp(argv[k], parts[i].name) == 0;
        if (wanted)
            parts[i].run();
    }
    char command[SCRATCH_PATH + 20];
    snprintf(command, sizeof command, "rm -rf %s", directory);
    check(chdir("/") == 0 && system(command) == 0, "directory", "could not be removed");
    printf("%u passed, %u failed\n", passed, failed);
    return failed > 0;
}
