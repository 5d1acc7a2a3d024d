/* term_traffic.c - the bytes from and to the terminal: sources of keys, replies, and the number of
 * bytes written.
 *
 * Replies of a terminal and pasted text are no keys, so nothing is written for them. A key may cost
 * so many bytes and no more, and an idle program neither writes nor wakes up. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/system/term.h"

enum { IDLE_MS = 3000, TRIES = 10 };

/* ---- sources of keys ---- */

void pipes(void) {
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
    check(system("test $(grep -c '^fxtop: no terminal to draw on: ' out) = 1 && test $(wc -l <out) "
                 "= 1") == 0,
          "no terminal", "not one line that says so");
}

/* A string longer than any buffer. It comes in pieces, and is given up if one is 300 ms late: then
 * this machine had no time for it, and it is sent again to another one. */
static void what_is_long(void) {
    char string[6000] = "\033]0;";
    memset(string + 4, 'Q', sizeof string - 7);
    memcpy(string + sizeof string - 3, "\033\\", 3);
    for (int tries = 0; tries < TRIES; tries++) {
        start("a long string");
        pty_settle(&pty, QUIET_MS);
        int64_t from = pty_now_ms();
        pty_type(&pty, string);
        if (pty_now_ms() - from < 200 || tries == TRIES - 1)
            break;
        pty_close(&pty);
    }
    pty_type(&pty, "?");
    see("a long string", "zoom in at the time cursor");
    pty_type(&pty, "qQ");
    left("a long string", 0);
}

/* Unsolicited replies of terminals, and pasted text, are no keys: nothing happens, nothing is
 * written. */
void what_is_no_key(void) {
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
    pty_settle(&pty, QUIET_MS);
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        char why[80], *safe = why;
        pty_forget(&pty);
        pty_type(&pty, said[i]);
        pty_settle(&pty, QUIET_MS);
        safe += snprintf(why, 40, "it answered to ESC");
        for (const char *p = said[i] + 1; *p && safe < why + 70; p++)
            safe += snprintf(safe, 5, *p >= ' ' && *p < 0x7f ? "%c" : "^", *p);
        check(pty.bytes == 0, "no keys", why);
    }
    pty_type(&pty, "\033[27;5;81~"); /* these are one, but none that quits */
    see("no keys", "unknown key <C-q>");
    pty_type(&pty, "\033[113;5u");
    pty_type(&pty, "?");
    see("no keys", "zoom in at the time cursor");
    pty_type(&pty, "qQ");
    left("no keys", 0);
    what_is_long();
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

/* An answer in pieces, further apart than Escape and a key, is expected for 1.5 s. Returns whether
 * this machine had the time to send it until then. */
static bool answers_in_pieces(void) {
    static const char *const pieces[] = {"\033", "]11;r", "gb:0000/11", "11/2222\033", "\\"};
    int64_t from = pty_now_ms();
    bool quiet = true;
    start("background");
    check(pty_wrote(&pty, ASKS) && pty_wrote(&pty, ON_DARK), "background",
          "it does not ask, or is not dark until then");
    pty_settle(&pty, QUIET_MS);
    pty_forget(&pty);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        pty_type(&pty, pieces[i]);
        pty_settle(&pty, 40);
        quiet = quiet && pty.bytes == 0;
    }
    if (pty_now_ms() - from >= 1500)
        return false;
    check(quiet, "background", "a piece of the answer is taken for a key");
    return true;
}

/* A terminal that answers that it has mode 2026 gets each frame within it. Returns whether this
 * machine had the time to answer while that is expected. */
static bool is_synchronized(void) {
    static const char on[] = "\033[?2026h", off[] = "\033[?2026l";
    size_t n = sizeof on - 1;
    int64_t from = pty_now_ms();
    start("synchronized");
    check(pty_wrote(&pty, "\033[?2026$p"), "synchronized", "it does not ask for the mode");
    pty_type(&pty, "\033[?2026;2$y");
    pty_settle(&pty, QUIET_MS);
    if (pty_now_ms() - from >= 1500)
        return false;
    check(!has_written(on), "synchronized", "it takes the mode without an answer");
    pty_forget(&pty);
    pty_type(&pty, "d");
    pty_settle(&pty, QUIET_MS);
    check(pty.out.n > 2 * n && memcmp(pty.out.v, on, n) == 0 &&
              memcmp(pty.out.v + pty.out.n - n, off, n) == 0,
          "synchronized", "a frame is not within the mode");
    return true;
}

void background(void) {
    for (int tries = 1; !is_synchronized() && tries < TRIES; tries++)
        pty_close(&pty);
    pty_type(&pty, "Q");
    left("synchronized", 0);

    for (int tries = 1; !answers_in_pieces() && tries < TRIES; tries++)
        pty_close(&pty);
    pty_type(&pty, "\033]11;rgb:ff/ff/ee\a");
    check(pty_wrote(&pty, ON_LIGHT), "background", "a later answer is not drawn");
    pty_settle(&pty, QUIET_MS);
    pty_forget(&pty);
    pty_type(&pty, "\033]11;rgba:ffff/ffff/eeee/ffff\a\033]11;rgb:x/y\a\033]11;\a");
    pty_settle(&pty, QUIET_MS);
    check(pty.bytes == 0, "background", "the same answer is drawn again");
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

/* The most bytes of one of the keys. */
static uint64_t bytes_of(const char *keys) {
    uint64_t worst = 0;
    for (const char *key = keys; *key; key++) {
        pty_forget(&pty);
        pty_type(&pty, (const char[]){*key, '\0'});
        pty_settle(&pty, QUIET_MS);
        worst = pty.bytes > worst ? pty.bytes : worst;
    }
    return worst;
}

/* The keys return to the state before them. One frame answers a key, unless this machine is too
 * busy: then the keys are pressed again. */
static void costs(const char *what, const char *keys, uint64_t most) {
    char why[100];
    uint64_t worst = bytes_of(keys);
    for (int tries = 1; worst > most && tries < TRIES; tries++)
        worst = bytes_of(keys);
    snprintf(why, sizeof why, "%llu bytes for a key, %llu at most", (unsigned long long)worst,
             (unsigned long long)most);
    check(worst <= most, what, why);
}

/* The bytes of the whole picture, once all is read: before, a busy machine may draw more than
 * one. */
static void whole_picture(const char *what) {
    pty_settle(&pty, QUIET_MS);
    pty_forget(&pty);
    pty_type(&pty, "\f");
    pty_settle(&pty, QUIET_MS);
    check(pty.bytes > 2048 && pty.bytes <= 10240, what, "not 2 to 10 kB for a whole picture");
}

/* Over ssh the first picture waits for the whole trace, as long as a picture takes: a second one
 * would take as long. */
static void one_first_picture(void) {
    check(system("for i in 1 2 3 4 5 6 7 8; do cat demo.fxt; done >longer.fxt") == 0, "longer",
          "it is not written");
    start_as("over ssh, longer", 120, 40, "SSH_TTY=/dev/pts/1 exec %s --stats longer.fxt 2>stats");
    pty_type(&pty, "Q");
    left("over ssh, longer", 0);
    double picture = 0, index = 0;
    FILE *f = fopen("stats", "r");
    check(f && fscanf(f, "first picture %lf ms index %lf", &picture, &index) == 2,
          "over ssh, longer", "no statistics");
    if (f)
        fclose(f);
    check(picture >= index || picture >= 250, "over ssh, longer", "a picture before all is read");
}

/* Over ssh, and with :set link slow, no frame takes more than 10 kB, as crowded pictures otherwise
 * do. */
static void bytes_of_slow_link(void) {
    one_first_picture();
    start_as("over ssh", 120, 40, "SSH_TTY=/dev/pts/1 exec %s demo.fxt");
    whole_picture("over ssh");
    costs("over ssh, a window", "wwDADA", 10240);
    costs("over ssh, a zoom", "wwss", 10240);
    costs("over ssh, a row", "jk", 400);
    pty_forget(&pty);
    pty_type(&pty, ":set link fast\r");
    pty_settle(&pty, QUIET_MS);
    check(pty.bytes > 2048, "over ssh, link fast", "the picture is the same");
    pty_type(&pty, "Q");
    left("over ssh", 0);
    start_as("a slow link", 120, 40, "exec %s --keys=':set link slow<Enter>' demo.fxt");
    whole_picture("a slow link");
    pty_type(&pty, "Q");
    left("a slow link", 0);
}

/* Screen readers speak what the cursor is at. */
static void cursor(void) {
    start_as("cursor", 100, 30, "exec %s demo.fxt");
    pty_type(&pty, "2j");
    see("cursor", "[2 Slices]");
    pty_settle(&pty, QUIET_MS);
    char *line = pty_line(&pty, pty.screens[pty.alternate].y);
    check(*line == '>', "cursor", "it is not where the selection is");
    check(!pty.cursor, "cursor", "it is not hidden");
    free(line);
    pty_type(&pty, ":set cursor on\r");
    pty_settle(&pty, QUIET_MS);
    check(pty.cursor, "cursor", ":set cursor on does not show it");
    pty_type(&pty, "Q");
    left("cursor", 0);
}

void bytes(void) {
    char many[201];
    cursor();
    bytes_of_slow_link();
    start_as("the first picture", 120, 40, "exec %s small.fxt");
    pty_settle(&pty, QUIET_MS);
    check(pty.bytes <= 10240, "the first picture", "more than 10 kB");
    pty_type(&pty, "Q");
    left("the first picture", 0);
    start_as("bytes", 120, 40, "exec %s demo.fxt");
    pty_settle(&pty, QUIET_MS);
    costs("a row", "jkjk", 400);
    pty_type(&pty, "jjl");
    pty_settle(&pty, QUIET_MS);
    costs("a slice, with details", "lhlh", 1024);
    costs("a column of the cursor", "HLHL", 2560);
    costs("a pan", "wwdada", 10240);
    costs("a window", "DADA", 14336); /* in which all of them are full */
    costs("a zoom", "wwss", 10240);
    costs("a key without a meaning", "@@@", 256); /* a message */
    costs("other views", "?q51617181", 30720);
    pty_type(&pty, "5");
    pty_settle(&pty, QUIET_MS);
    costs("a row of a list, with its text below", "jjjjkkkk", 1024);
    pty_type(&pty, "1");
    pty_settle(&pty, QUIET_MS);
    for (size_t i = 0; i < 200; i++)
        many[i] = "dadadaww"[i % 8];
    many[200] = '\0';
    pty_forget(&pty);
    pty_type(&pty, many);
    pty_settle(&pty, QUIET_MS);
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
