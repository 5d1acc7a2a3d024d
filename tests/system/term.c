/* term.c - the real screen on pseudo-terminals: every way in and out, sizes, signals, terminals, what they say.
 *
 * The program is $FXTOP, else fxtop in $FXTOP_BUILD. After each exit the status and the
 * terminal's modes are checked; by the output also the main screen, cursor, mouse, paste mode and colours. tmux and
 * screen are programs on a pseudo-terminal, too. Every wait is for something visible, with a deadline. */
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

#include "tests/lib/pty.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"

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

#define PICTURE "[1 Timeline]"
#define PASTE_ON "\033[?2004h"

enum { QUIET_MS = 60, STORM = 300, STORM_MS = 1500, FRAMES_MOST = 10, IDLE_MS = 3000 };

static struct pty pty;
static char fxtop[4096], directory[SCRATCH_PATH];
static unsigned passed, failed;

static bool check(bool good, const char *what, const char *why) {
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

static void open_as(int cols, int rows, unsigned how, const char *command) {
    char line[8192];
    snprintf(line, sizeof line, command, fxtop, fxtop);
    pty_open(&pty, cols, rows);
    pty_start(&pty, how, (const char *const[]){"sh", "-c", line, NULL});
}

/* command: a line for sh, in which %s is fxtop. */
static bool start_as(const char *what, int cols, int rows, const char *command) {
    open_as(cols, rows, PTY_PLAIN, command);
    return check(pty_see(&pty, PICTURE), what, "there is no picture");
}

static bool start(const char *what) {
    return start_as(what, 100, 30, "exec %s small.fxt");
}

static void see(const char *what, const char *text) {
    char why[200];
    snprintf(why, sizeof why, "'%s' is not to be seen", text);
    check(pty_see(&pty, text), what, why);
}

/* It ends, or has been asked to, and all is as it was. */
static void left(const char *what, int status) {
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
              memchr(pty.out.v, '\n', pty.out.n) == pty.out.v + pty.out.n - 1 && pty_left(&pty) == NULL,
          what, "not one line and status 2");
    pty_close(&pty);
}

/* ---- keys and ways out ---- */

static void keys_and_leaving(void) {
    start("keys");
    pty_type(&pty, "ll");
    see("keys", "vsync  category ui  app 100");
    pty_type(&pty, "?");
    see("keys", "zoom in at the time cursor");
    pty_type(&pty, "q");
    see("keys", PICTURE);
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
    bool good = strstr(first, PICTURE) && strlen(first) + 4 > (size_t)pty.cols && strstr(last, "zoom");
    free(first);
    free(last);
    return good;
}

static void must_fill(const char *what) {
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
        pty_take(&pty, 250);
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
    pty_take(&pty, QUIET_MS);
    int64_t from = pty_now_ms();
    for (int i = 1; i <= STORM; i++) {
        pty_resize(&pty, 60 + i % 60, 20 + i % 30);
        while (pty_now_ms() < from + i * STORM_MS / STORM)
            pty_take(&pty, 1);
    }
    resized("a storm of sizes", 90, 28);
    pty_type(&pty, "Q");
    left("a storm of sizes", 0);
    unsigned frames = frames_of("stats");
    char why[80];
    snprintf(why, sizeof why, "%d sizes in %d ms cost %u frames", STORM, STORM_MS, frames);
    check(frames > 1 && frames <= FRAMES_MOST + 2, "a storm of sizes", why); /* the first, and the last size's */
}

/* ---- signals ---- */

static void signals(void) {
    static const int all[] = {SIGTERM, SIGINT, SIGQUIT, SIGHUP,  SIGABRT, SIGSEGV, SIGFPE,
                              SIGILL,  SIGBUS, SIGPIPE, SIGUSR1, SIGUSR2, SIGALRM};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char what[40];
        bool fault = all[i] == SIGSEGV || all[i] == SIGFPE || all[i] == SIGILL || all[i] == SIGBUS || all[i] == SIGABRT;
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
    see("ignored signals", PICTURE);
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
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
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

static void stopping(void) {
    pty_open(&pty, 100, 30);
    pty_start(&pty, PTY_PLAIN,
              (const char *const[]){"env", "PS1=shell> ", "bash", "--norc", "--noprofile", "-i", NULL});
    see("a shell", "shell>");
    char line[4200];
    snprintf(line, sizeof line, " bind 'set enable-bracketed-paste off'; HISTFILE=; clear; %s small.fxt\r", fxtop);
    pty_type(&pty, line);
    see("Ctrl-Z", PICTURE);
    pty_type(&pty, "\032");
    see("Ctrl-Z", "Stopped");
    check(!pty.alternate && pty.cursor && !pty.mouse && !pty.paste, "Ctrl-Z", "the terminal is not the shell's");
    pty_resize(&pty, 90, 28);
    pty_type(&pty, "fg; echo status=$?\r");
    see("fg", PICTURE);
    resized("fg", 90, 28);
    check(pty.alternate && pty.mouse && pty.paste, "fg", "the screen was not taken again");
    pty_type(&pty, "?");
    see("fg", "zoom in at the time cursor");
    pty_type(&pty, "qq");
    see("fg", "status=0");
    check(!pty.alternate && pty.cursor && !pty.mouse && !pty.paste, "fg", "the terminal is not the shell's again");
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
        pty_take(&pty, 300);
        pty_type(&pty, "?");
        see(what, "zoom in at the time cursor");
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
    pty_take(&pty, QUIET_MS);
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
                 "exec tmux -L fxtop-term-%ld-%zu -f /dev/null new-session \"TERM=%s exec %%s small.fxt\"",
                 (long)getpid(), i, inner[i]); /* a server of its own: the one before may still be leaving */
        start_as("tmux", 100, 31, command);    /* its own line is the last */
        pty_type(&pty, "ll");
        see(inner[i], "vsync  category ui  app 100");
        pty_resize(&pty, 90, 25);
        see(inner[i], "zoom");
        pty_type(&pty, "?");
        see(inner[i], "zoom in at the time cursor");
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
        see("screen", "zoom in at the time cursor");
        pty_type(&pty, "qQ");
        check(pty_ended(&pty, PTY_PATIENCE_MS) == 0, "screen", "fxtop did not end in it");
        pty_close(&pty); /* its own leaving is screen's business */
    }
}

/* ---- where the keys come from ---- */

static void pipes(void) {
    start_as("a pipe", 100, 30, "cat small.fxt | %s -");
    pty_type(&pty, "ll");
    see("a pipe", "vsync  category ui  app 100");
    pty_type(&pty, "qq");
    left("a pipe", 0);
    start_as("output to a file", 100, 30, "exec %s small.fxt >out");
    pty_type(&pty, "Q");
    left("output to a file", 0);
    struct stat s;
    check(stat("out", &s) == 0 && s.st_size == 0, "output to a file", "there is something in it");
    open_as(100, 30, PTY_NO_CONTROL, "exec %s small.fxt </dev/null >out 2>&1");
    check(pty_ended(&pty, PTY_PATIENCE_MS) == 2, "no terminal", "not status 2");
    pty_close(&pty);
    check(system("test $(grep -c '^fxtop: no terminal to draw on: ' out) = 1 && test $(wc -l <out) = 1") == 0,
          "no terminal", "not one line that says so");
}

/* Unsolicited replies of terminals, and pasted text, are no keys: nothing happens, nothing is written. */
static void what_is_no_key(void) {
    static const char *const said[] = {"\033[200~QQQ:q\r\003\033[201~",
                                       "\033[?1;2c",
                                       "\033[>41;354;0c",
                                       "\033[12;40R",
                                       "\033[8;30;100t",
                                       "\033[?2004;1$y",
                                       "\033]11;rgb:0000/0000/0000\033\\",
                                       "\033]52;c;UVFRCg==\a",
                                       "\033P1$r0mQ\033\\",
                                       "\033P1+r436f=383838\033\\",
                                       "\033_Gi=1;OK\033\\",
                                       "\033[I\033[O",
                                       "\033[99z\033[1;2;3;4;5Q\033[<>=?Q"};
    start("no keys");
    pty_type(&pty, "l");
    pty_take(&pty, 300);
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        char why[80], *safe = why;
        pty_forget(&pty);
        pty_type(&pty, said[i]);
        bool quiet = !pty_take(&pty, QUIET_MS);
        safe += snprintf(why, 40, "it answered to ESC");
        for (const char *p = said[i] + 1; *p && safe < why + 70; p++)
            safe += snprintf(safe, 5, *p >= ' ' && *p < 0x7f ? "%c" : "^", *p);
        check(quiet, "no keys", why);
    }
    pty_type(&pty, "\033[27;5;81~"); /* these are one, but none that quits */
    see("no keys", "unknown key <C-q>");
    pty_type(&pty, "\033[113;5u");
    char long_one[6000] = "\033]0;"; /* longer than any buffer */
    memset(long_one + 4, 'Q', sizeof long_one - 7);
    memcpy(long_one + sizeof long_one - 3, "\033\\", 3);
    pty_type(&pty, long_one);
    pty_type(&pty, "?");
    see("no keys", "zoom in at the time cursor");
    pty_type(&pty, "qQ");
    left("no keys", 0);
}

/* ---- dark or light ---- */

#define ASKS "\033]11;?\033\\"
#define ON_LIGHT "48;5;252m" /* the ground of the title */
#define ON_DARK "48;5;237m"

static bool has_written(const char *bytes) {
    size_t n = strlen(bytes);
    for (size_t i = 0; i + n <= pty.out.n; i++)
        if (memcmp(pty.out.v + i, bytes, n) == 0)
            return true;
    return false;
}

static void not_asked(const char *what, const char *command, const char *ground) {
    start_as(what, 100, 30, command);
    check(!has_written(ASKS), what, "it asks for the background");
    check(ground == NULL || has_written(ground), what, "the background is taken for another");
    pty_type(&pty, "Q");
    left(what, 0);
}

static void background(void) {
    const char *answer = "\033]11;rgb:0000/1111/2222\033\\";
    start("background");
    check(pty_wrote(&pty, ASKS) && pty_wrote(&pty, ON_DARK), "background", "it does not ask, or is not dark until then");
    pty_take(&pty, 300);
    pty_forget(&pty);
    for (const char *p = answer; *p; p++) { /* in pieces, further apart than Escape and a key */
        pty_type(&pty, (const char[2]){*p, '\0'});
        check(!pty_take(&pty, 40), "background", "a piece of the answer is taken for a key");
    }
    pty_type(&pty, "\033]11;rgb:ff/ff/ee\a");
    check(pty_wrote(&pty, ON_LIGHT), "background", "a later answer is not drawn");
    pty_take(&pty, 300);
    pty_forget(&pty);
    pty_type(&pty, "\033]11;rgba:ffff/ffff/eeee/ffff\a\033]11;rgb:x/y\a\033]11;\a");
    check(!pty_take(&pty, QUIET_MS), "background", "the same answer is drawn again");
    pty_type(&pty, "Q");
    left("background", 0);
    not_asked("background light", "exec %s --background=light small.fxt", ON_LIGHT);
    not_asked("background dark", "COLORFGBG='0;15' exec %s --background=dark small.fxt", ON_DARK);
    not_asked("COLORFGBG light", "COLORFGBG='0;default;15' exec %s small.fxt", ON_LIGHT);
    not_asked("COLORFGBG dark", "COLORFGBG='15;0' exec %s small.fxt", ON_DARK);
    not_asked("background, console", "TERM=linux exec %s small.fxt", NULL);
    not_asked("background, no colours", "NO_COLOR=1 exec %s small.fxt", NULL);
}

/* ---- bytes, wake-ups ---- */

static void costs(const char *what, const char *keys, uint64_t most) {
    char why[100];
    uint64_t worst = 0;
    for (const char *key = keys; *key; key++) {
        pty_forget(&pty);
        pty_type(&pty, (const char[]){*key, '\0'});
        pty_take(&pty, QUIET_MS);
        worst = pty.bytes > worst ? pty.bytes : worst;
    }
    snprintf(why, sizeof why, "%llu bytes for a key, %llu at most", (unsigned long long)worst,
             (unsigned long long)most);
    check(worst <= most, what, why);
}

static void bytes(void) {
    char many[201];
    start_as("the first picture", 120, 40, "exec %s small.fxt");
    pty_take(&pty, 300);
    check(pty.bytes <= 10240, "the first picture", "more than 10 kB");
    pty_type(&pty, "Q");
    left("the first picture", 0);
    start_as("bytes", 120, 40, "exec %s demo.fxt");
    pty_take(&pty, 300);
    costs("a row", "jkjk", 400);
    pty_type(&pty, "jjl");
    pty_take(&pty, 300);
    costs("a slice, with details", "lhlh", 1024);
    costs("a column of the cursor", "HLHL", 2560);
    costs("a pan", "wwdada", 10240);
    costs("a window", "DADA", 14336); /* where all of them are full */
    costs("a zoom", "wwss", 10240);
    costs("a key without a meaning", "~~~", 256); /* a message */
    costs("other views", "?q51617181", 30720);
    pty_type(&pty, "5");
    pty_take(&pty, 300);
    costs("a row of a list, with its text below", "jjjjkkkk", 1024);
    pty_type(&pty, "1");
    pty_take(&pty, QUIET_MS);
    for (size_t i = 0; i < 200; i++)
        many[i] = "dadadaww"[i % 8];
    many[200] = '\0';
    pty_forget(&pty);
    pty_type(&pty, many);
    pty_take(&pty, 200);
    check(pty.bytes <= 30720, "200 keys at once", "more than 30 kB");
    pty_take(&pty, 2500); /* the last look at the file without a message */
    pty_forget(&pty);
    long before = pty_wakes(&pty);
    pty_take(&pty, IDLE_MS);
    long after = pty_wakes(&pty);
    check(pty.bytes == 0, "idle", "something was written");
    check(before >= 0 && after - before <= 1, "idle", "it was woken");
    pty_type(&pty, "Q");
    left("bytes", 0);
}

/* ---- files that are written meanwhile ---- */

static void append(const char *path, const char *text, bool anew) {
    struct err err;
    struct trace_bytes bytes = tracegen(text, &err);
    FILE *f = fopen(path, anew ? "wb" : "ab");
    if (bytes.v == NULL || f == NULL || fwrite(bytes.v, 1, bytes.n, f) != bytes.n || fclose(f) != 0) {
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
    see("following", "following  " PICTURE);
    see("following", " 1 ev ");
    append("grows.fxt", "instant 2000 7/8 \"c\" \"then seen\"\n", false);
    see("following", " 2 ev ");
    append("grows.fxt",
           "magic\ninit 1000000000\nkernel_object 2 8 \"other\" process=koid:7\ninstant 1 7/8 \"c\" \"i\"\n", true);
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
        n += (size_t)snprintf(text + n, sizeof text - n, "instant %d 7/8 \"c\" \"in a piece\"\n", 1000 + i);
    append("pieces.fxt", text, true);
    append("first.fxt", "magic\ninit 1000000000\n", true);
    unlink("stats");
    int64_t from = pty_now_ms();
    open_as(100, 30, PTY_PLAIN,
            "i=0; { cat first.fxt; while [ $i -lt 400 ]; do cat pieces.fxt; i=$((i + 1)); done; } | %s --stats - 2>stats");
    see("pieces", "400k ev");
    see("pieces", "idx 100%");
    pty_type(&pty, "Q");
    left("pieces", 0);
    int64_t ms = pty_now_ms() - from;
    unsigned frames = frames_of("stats");
    check(frames > 1 && frames <= ms / 100 + 6, "pieces", "more than ten pictures a second");
}

/* ---- fxtop record --live ---- */

#define LIVE                                                                                                           \
    "XDG_STATE_HOME=$PWD/state exec %s record --live --no-sched --sample=0 -o live.fxt -- "                            \
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
    while (pty_take(&pty, 300))
        ;
    check(!pty_shows(&pty, "session"), "--live again", "it takes up the session of an older trace");
    pty_type(&pty, "Q");
    see("--live again", "[y/N]");
    pty_type(&pty, "y\n");
    left("--live again", 143);
}

/* ---- other programs on the terminal ---- */

static void is_left(const char *what) {
    check(!pty.alternate && pty.cursor && !pty.mouse && !pty.paste, what, "the program has not the shell's terminal");
}

/* Types, and waits until a text is written again: the shell's screen still shows what ran before. */
static void type_until(const char *what, const char *keys, const char *text) {
    char why[100];
    snprintf(why, sizeof why, "'%s' is not written", text);
    pty_forget(&pty);
    pty_type(&pty, keys);
    check(pty_wrote(&pty, text), what, why);
}

/* After the keys a line asks for Enter; after Enter the whole screen is there, with a message. */
static void comes_back(const char *what, const char *keys, const char *message) {
    type_until(what, keys, "fxtop: press Enter");
    is_left(what);
    pty_type(&pty, "\r");
    see(what, message);
    must_fill(what);
    check(pty.alternate && pty.mouse && pty.paste, what, "the screen was not taken again");
}

/* | runs a command on the text of y; the terminal is the command's meanwhile, with its keys. */
static void piping(void) {
    start("|");
    pty_type(&pty, "ll");
    see("|", "vsync  category ui  app 100");
    comes_back("|", "|cat >piped; stty -a </dev/tty >modes\r", "piped to cat >piped");
    check(system("grep -q 'vsync  category ui' piped && grep -qE '(^| )icanon .*echo ' modes") == 0, "|",
          "not the text of y, or not the modes of a shell");
    comes_back("its status", "|printf 'a line'; exit 3\r", "ended with status 3");
    type_until("Ctrl-C for a command", "|printf 'be%s' gun; exec sleep 100\r", "begun");
    comes_back("Ctrl-C for a command", "\003", "ended by signal 2");
    type_until("another size", "|printf 'si%s' zed; read x </dev/tty\r", "sized");
    pty_resize(&pty, 90, 28);
    comes_back("another size", "x\r", "piped to printf");
    type_until("| in a table", "2|cut -f1 >piped\r", "fxtop: press Enter");
    pty_type(&pty, "\r");
    see("| in a table", "piped to cut");
    check(system("grep -q '^Frame' piped") == 0, "| in a table", "not the row");
    pty_type(&pty, "Q");
    left("|", 0);
}

/* O runs the editor, with its words, on a file that exists; it has the keyboard. */
static void editing(void) {
    append("place.fxt", "magic\ninit 1000000000\ncomplete 1000 7/8 \"c\" \"drawn\" file=\"small.fxt\" line=u32:12 end=2000\n",
           true);
    FILE *f = fopen("editor", "w");
    fputs("printf '%s.' \"$@\" >edited; echo editing; read line; echo \"$line\" >>edited; exit ${line#s}\n", f);
    fclose(f);
    start_as("O", 100, 30, "VISUAL='sh ./editor  -x' exec %s place.fxt");
    pty_type(&pty, "ll");
    see("O", "drawn  category c");
    type_until("O", "O", "editing");
    is_left("O");
    pty_type(&pty, "s0\r");
    see("O", "back from sh");
    must_fill("O");
    char line[SCRATCH_PATH + 100];
    snprintf(line, sizeof line, "test \"$(cat edited)\" = \"-x.+12.$(realpath small.fxt).s0\"");
    check(system(line) == 0, "O", "the editor got other arguments");
    type_until("O", "O", "editing");
    comes_back("O", "s1\r", "ended with status 1: sh");
    pty_type(&pty, "Q");
    left("O", 0);
    start_as("no editor", 100, 30, "VISUAL=/none/ed exec %s place.fxt");
    pty_type(&pty, "llO");
    see("no editor", "cannot run /none/ed: No such file");
    must_fill("no editor");
    pty_type(&pty, "Q");
    left("no editor", 0);
}

/* --keys and --print run nothing. */
static void not_played(void) {
    start_as("| in --keys", 100, 30, "exec %s --no-session --keys='|touch made<Enter>' small.fxt");
    see("| in --keys", "not for --keys");
    pty_type(&pty, "Q");
    left("| in --keys", 0);
    open_as(100, 30, PTY_PLAIN, "exec %s --print=80x24 --keys='|touch made<Enter>' small.fxt");
    see("| in --print", "not for --keys");
    left("| in --print", 0);
    check(access("made", F_OK) != 0, "--keys", "a command was run");
}

/* ---- */

static void set_up(void) {
    const char *srcdir = getenv("srcdir"), *build = getenv("FXTOP_BUILD"), *program = getenv("FXTOP");
    static char cwd[4096], path[8300], command[8300];
    if (getcwd(cwd, sizeof cwd) == NULL)
        exit(2);
    build = build && *build ? build : cwd;
    if (program && *program)
        snprintf(fxtop, sizeof fxtop, "%s", program);
    else
        snprintf(fxtop, sizeof fxtop, "%.4000s/fxtop", build);
    srcdir = srcdir && *srcdir ? srcdir : ".";
    snprintf(path, sizeof path, *srcdir == '/' ? "%.0s%s/tests/screens/small.txt" : "%s/%s/tests/screens/small.txt",
             cwd, srcdir);
    FILE *f = fopen(path, "rb");
    static char text[100000];
    if (f == NULL || fread(text, 1, sizeof text - 1, f) == 0 || !scratch_folder(directory, "term") ||
        chdir(directory) != 0) {
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
    /* The leak checker's own helper hangs when the terminal is gone while it runs; others look for leaks. */
    const char *asan = getenv("ASAN_OPTIONS");
    snprintf(command, sizeof command, "%s%sdetect_leaks=0", asan ? asan : "", asan ? ":" : "");
    setenv("ASAN_OPTIONS", command, 1);
}

int main(void) {
    set_up();
    keys_and_leaving();
    sizes();
    signals();
    terminal_gone("hang-up", "exec %s small.fxt");
    terminal_gone("hang-up ignored", "trap '' HUP; exec %s small.fxt");
    stopping();
    piping();
    editing();
    not_played();
    terminals();
    multiplexers();
    pipes();
    what_is_no_key();
    background();
    bytes();
    pieces();
    following();
#ifdef __linux__
    live();
#endif
    char command[SCRATCH_PATH + 20];
    snprintf(command, sizeof command, "rm -rf %s", directory);
    check(chdir("/") == 0 && system(command) == 0, "directory", "could not be removed");
    printf("%u passed, %u failed\n", passed, failed);
    return failed > 0;
}
