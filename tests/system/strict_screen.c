/* strict_screen.c - walks through fxtop on a pseudo-terminal, and knows each escape sequence that
 * it may send.
 *
 * Every byte is read by a terminal of its own, which has the sequences in the tables below and no
 * others. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "tests/system/strict.h"

/* Sequences that ncurses sends to an xterm-256color, and fxtop past it. Whatever is not here is a
 * leak. */
static const struct csi {
    char final;
    const char *prefix; /* "?" or "" */
    int numbers;        /* at most; -1: exactly the list in `only` */
    const char *only;   /* of ';' lists with ends, each like ";1;" ; NULL: any number up to 9999 */
} allowed[] = {
    {'H', "", 2, NULL},
    {'A', "", 1, NULL},
    {'B', "", 1, NULL},
    {'C', "", 1, NULL},
    {'D', "", 1, NULL},
    {'G', "", 1, NULL},
    {'d', "", 1, NULL},
    {'X', "", 1, NULL},
    {'P', "", 1, NULL},
    {'@', "", 1, NULL},
    {'L', "", 1, NULL},
    {'M', "", 1, NULL},
    {'S', "", 1, NULL},
    {'T', "", 1, NULL},
    {'b', "", 1, NULL},
    {'Z', "", 0, NULL},
    {'r', "", 2, NULL},
    {'J', "", -1, ";; ;2;"}, /* to the end of the screen, all of it */
    {'K', "", -1, ";; ;1;"}, /* to the end of the line, to its begin */
    {'h', "", -1, ";4;"},
    {'l', "", -1, ";4;"}, /* insert mode */
    {'h', "?", -1, ";1; ;7; ;25; ;12;25; ;1049; ;1002; ;1006; ;2004;"},
    {'l', "?", -1, ";1; ;7; ;12; ;25; ;1049; ;1002; ;1006; ;2004;"},
    {'p', "?", -1, ";2026$;"},          /* whether it has the mode: it never answers */
    {'t', "", -1, ";22;0;0; ;23;0;0;"}, /* the title is saved and restored with the screen */
};

static const int sgr_numbers[] = {0, 1, 2, 4, 7, 22, 24, 27, 39, 49};

enum state { GROUND, ESCAPE, CHARSET, SEQUENCE, QUESTION };

/* After ESC: the question for the background colour, the only command of this form; it is asked
 * once. */
static const char question[] = "]11;?\033\\";

static struct screen {
    int master;
    pid_t pid;
    enum state state;
    char seen[24]; /* the sequence, or the character, so far */
    size_t n;
    uint64_t at;     /* bytes read */
    unsigned clears; /* of the whole screen: a frame follows */
    unsigned marks;
    bool cursor_on, second_screen, mouse, paste; /* modes as they are now */
    bool asked;                                  /* for the background */
    bool leaked, ended;
    const char *doing;
    char tail[64]; /* the bytes before */
} term;

static void leak(const char *why) {
    char context[64], what[120];
    size_t n = term.at < sizeof context ? (size_t)term.at : sizeof context;
    for (size_t i = 0; i < n; i++)
        context[i] = term.tail[(term.at - n + i) % sizeof term.tail];
    if (!term.leaked) {
        snprintf(what, sizeof what, "screen, at byte %llu, in '%s'", (unsigned long long)term.at,
                 term.doing);
        strict_complain(what, why, context, n, n);
    }
    term.leaked = true;
}

/* Numbers of a sequence; -1: it is not made of numbers. */
static int numbers_of(const char *s, int v[8]) {
    int n = 0;
    if (*s == '\0')
        return 0;
    for (;;) {
        if (n == 8)
            return -1;
        v[n] = -1;
        for (int digits = 0; *s >= '0' && *s <= '9'; s++) {
            if (++digits > 4)
                return -1;
            v[n] = (v[n] < 0 ? 0 : v[n]) * 10 + *s - '0';
        }
        n++;
        if (*s == '\0')
            return n;
        if (*s++ != ';')
            return -1;
    }
}

static bool colours_hold(const int *v, int n) {
    for (int i = 0; i < n; i++) {
        bool known = v[i] == -1 || (v[i] >= 30 && v[i] <= 37) || (v[i] >= 40 && v[i] <= 47) ||
                     (v[i] >= 90 && v[i] <= 107);
        for (size_t k = 0; k < sizeof sgr_numbers / sizeof *sgr_numbers; k++)
            known = known || v[i] == sgr_numbers[k];
        if ((v[i] == 38 || v[i] == 48) && i + 2 < n && v[i + 1] == 5 && v[i + 2] >= 0 &&
            v[i + 2] < 256)
            i += 2;
        else if (!known)
            return false;
    }
    return true;
}

static void set_mode(const char *modes_, bool on) {
    if (strcmp(modes_, "1049") == 0)
        term.second_screen = on;
    else if (strcmp(modes_, "1002") == 0 || strcmp(modes_, "1006") == 0)
        term.mouse = on;
    else if (strcmp(modes_, "2004") == 0)
        term.paste = on;
    else if (strstr(modes_, "25"))
        term.cursor_on = on;
}

static void sequence(char final) {
    const char *prefix = term.seen[0] == '?' ? "?" : "", *body = term.seen + strlen(prefix);
    char in_list[160];
    int v[8], n = numbers_of(body, v);
    term.seen[term.n] = '\0';
    n = numbers_of(body, v);
    if (n < 0 && final != 'p') {
        leak("a sequence that is not made of numbers");
        return;
    }
    if (final == 'm' && *prefix == '\0') {
        if (!colours_hold(v, n))
            leak("a colour or attribute that fxtop has not");
        return;
    }
    snprintf(in_list, sizeof in_list, ";%s;", body);
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
        const struct csi *c = &allowed[i];
        if (c->final != final || strcmp(c->prefix, prefix) != 0 ||
            (c->numbers >= 0 ? n > c->numbers : !strstr(c->only, in_list)))
            continue;
        if (*prefix && final != 'p')
            set_mode(body, final == 'h');
        term.clears += final == 'J' && strcmp(body, "2") == 0;
        return;
    }
    leak("a sequence that fxtop has not");
}

static void character(void) {
    uint32_t cp = 0;
    bool whole = strict_decode((const unsigned char *)term.seen, term.n, &cp) == term.n;
    const char *why = whole ? strict_forbidden_cell(cp) : "no UTF-8";
    term.marks = strict_is_mark(cp) ? term.marks + 1 : 0;
    if (why == NULL && term.marks > MARKS_MOST)
        why = "too many combining marks";
    if (why)
        leak(why);
}

static void in_ground(unsigned char c) {
    term.seen[0] = (char)c;
    term.n = 1;
    if (c == 0x1B) {
        term.state = ESCAPE;
    } else if (c < 0x20 || c == 0x7F) {
        if (c != '\n' && c != '\r' && c != '\b')
            leak("a control character");
        term.marks = 0;
    } else if (c < 0x80) {
        character();
    }
}

static void byte(unsigned char c) {
    term.tail[term.at++ % sizeof term.tail] = (char)c;
    switch (term.state) {
    case GROUND:
        if (c >= 0x80 && c < 0xC0 && term.n > 0 && (unsigned char)term.seen[0] >= 0xC0 &&
            term.n < 4)
            term.seen[term.n++] = (char)c;
        else
            in_ground(c);
        unsigned char first = (unsigned char)term.seen[0];
        size_t wanted = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
        if (first >= 0x80 && (term.n == wanted || first < 0xC0)) {
            character();
            term.n = 0;
            term.seen[0] = 0;
        }
        break;
    case ESCAPE:
        term.state = c == '['                  ? SEQUENCE
                     : c == '('                ? CHARSET
                     : c == ']' && !term.asked ? QUESTION
                                               : GROUND;
        term.n = term.state == QUESTION;
        term.seen[0] = 0;
        if (term.state == GROUND && c != 'M' && c != '=' && c != '>' && c != '7' && c != '8')
            leak("an escape that fxtop has not");
        break;
    case QUESTION:
        if (c != (unsigned char)question[term.n++]) {
            leak("a command that fxtop has not");
            term.state = GROUND;
        } else if (question[term.n] == '\0') {
            term.asked = true;
            term.state = GROUND;
        }
        term.n = term.state == QUESTION ? term.n : 0;
        break;
    case CHARSET:
        term.state = GROUND;
        if (c != 'B' && c != '0')
            leak("a character set that fxtop has not");
        break;
    default:
        if (c >= 0x40 && c < 0x7F) {
            term.seen[term.n] = '\0';
            sequence((char)c);
            term.state = GROUND;
            term.n = 0;
            term.seen[0] = 0;
        } else if (c < 0x20 || c > 0x7E || term.n + 2 > sizeof term.seen) {
            leak("a sequence that never ends");
            term.state = GROUND;
            term.n = 0;
        } else {
            term.seen[term.n++] = (char)c;
        }
        break;
    }
}

/* Reads until something came (and all of it that is there); false: fxtop has ended, or nothing came
 * in time. */
static bool read_screen(void) {
    static unsigned char bytes[65536];
    struct pollfd ready = {term.master, POLLIN, 0};
    int n;
    while ((n = poll(&ready, 1, DEADLINE_MS)) < 0 && errno == EINTR)
        continue;
    if (n == 0) {
        leak("no answer in time");
        return false;
    }
    ssize_t got = read(term.master, bytes, sizeof bytes);
    if (got <= 0 && errno == EINTR)
        return true;
    if (got <= 0) {
        term.ended = true;
        return false;
    }
    for (ssize_t i = 0; i < got; i++)
        byte(bytes[i]);
    return true;
}

/* A terminal that takes nothing while it sends is read meanwhile. */
static void press(const char *keys, size_t n) {
    while (n > 0 && !term.ended) {
        struct pollfd ready = {term.master, POLLIN | POLLOUT, 0};
        if (poll(&ready, 1, DEADLINE_MS) <= 0)
            return;
        if (ready.revents & (POLLIN | POLLHUP) && !read_screen())
            return;
        if (!(ready.revents & POLLOUT))
            continue;
        ssize_t wrote = write(term.master, keys, n < 512 ? n : 512);
        if (wrote < 0 && errno != EINTR)
            return;
        if (wrote > 0) {
            keys += wrote;
            n -= (size_t)wrote;
        }
    }
}

static void wait_clear(unsigned before) {
    while (term.clears == before && read_screen())
        continue;
}

static void start_screen(const char *path) {
    struct winsize size = {.ws_row = 5, .ws_col = 20};
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0 ||
        ioctl(master, TIOCSWINSZ, &size) != 0)
        strict_die("no pseudo-terminal");
    term =
        (struct screen){.master = master, .marks = MARKS_MOST, .cursor_on = true, .doing = "start"};
    fflush(stdout);
    term.pid = fork();
    if (term.pid < 0)
        strict_die("fork");
    if (term.pid > 0)
        return;
    setsid();
    int fd = open(ptsname(master), O_RDWR);
    if (fd < 0 || ioctl(fd, TIOCSCTTY, 0) != 0 || dup2(fd, 0) < 0 || dup2(fd, 1) < 0 ||
        dup2(fd, 2) < 0)
        _exit(125);
    for (fd = 3; fd < 32; fd++)
        close(fd);
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("TERM", "xterm-256color", 1);
    strict_limit_memory(strict_memory_for(path));
    execl(strict.fxtop, "fxtop", "--no-cache", path, (char *)NULL);
    _exit(127);
}

/* Text that a web page could put on the clipboard: also the end of the paste itself, in 7 and 8
 * bits. */
#define PASTED                                                                                     \
    "z\033[31m\033]0;x\a\033P$q\033\\\xC2\x9B"                                                     \
    "2J\x9B"                                                                                       \
    "2J\xE2\x80\xAE\xE2\x80\x8B\xF3\xA0\x81\x81\xEE\x80\x80\xEF\xB7\x90"                           \
    "\xED\xA0\x80\xC0\x9B%n\r\n\t\b\x7f"                                                           \
    "e\xCC\x81\xCC\x81\xCC\x81\xCC\x81\xF0\x9F\x87\xA9z"
#define PASTE "\033[200~" PASTED "\033[201~"

#define SEEN "\1" /* not a key */
/* One key per step, so that each is drawn. After each, Ctrl-L redraws the screen, so that all cells
 * are seen and the answer is known to be complete. Before it, keys that surely change something
 * (SEEN) are waited for, so that their change is seen alone. Enter leaves a prompt; Ctrl-U with
 * Backspace cancels it. */
static const char *const walk[] = {
    "j",
    "l",
    "l",
    "f",
    "f",
    "\t",
    "l",
    "l",
    "l",
    "j",
    "\t",
    "u",
    "i",
    "^",
    "$",
    "*",
    "n",
    "]",
    "[",
    ")",
    "W",
    "d",
    "S",
    "G",
    "0",
    "E",
    "J",
    "}",
    "p",
    "j",
    "P\r",
    "o",
    "T",
    "T",
    "T",
    "!",
    "!",
    "X",
    "j",
    "1",
    "x",
    "C",
    SEEN "5",
    "j",
    "\r",
    "5",
    "s",
    ">",
    "I",
    "X",
    "1",
    SEEN "6",
    "\r",
    "j",
    "\r",
    "1",
    SEEN "7",
    "j",
    ":scale log\r",
    ":stack\r",
    ":value\r",
    SEEN "8",
    "j",
    "l",
    SEEN "9",
    "G",
    "1",
    SEEN "?",
    "G",
    "1",
    ":problems\r",
    "G",
    "\r",
    ":objects\r",
    "G",
    ":blobs\r",
    "j",
    "\r",
    "X",
    ":profile\r",
    "\r",
    "1",
    ":flows all\r",
};

static const char *const sized_walk[] = {"1", "j",          "l",        "\t", "l", "l", "\t",
                                         "5", "6",          "\r",       "7",  "8", "9", "1",
                                         "X", ":objects\r", ":blobs\r", "\r", "1"};

static const char *const prompts[] = {"/", ":", "g", "&", "t", "5&", "5/", "9/"};

static void step(const char *keys) {
    unsigned before = term.clears;
    term.doing = keys;
    press(keys, strlen(keys));
    press("\f", 1);
    wait_clear(before);
}

/* The change is seen before the screen is redrawn. */
static void seen_step(const char *keys) {
    uint64_t before = term.at;
    term.doing = keys;
    press(keys, strlen(keys));
    while (term.at == before && read_screen())
        continue;
    step("");
}

static void resize(int cols, int rows) {
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
    unsigned before = term.clears;
    term.doing = "resize";
    if (ioctl(term.master, TIOCSWINSZ, &size) != 0)
        strict_die("TIOCSWINSZ");
    wait_clear(before);
}

static void paste_into(const char *prompt, bool enter) {
    size_t n = strlen(prompt);
    if (n > 1)
        step((char[]){prompt[0], '\0'});
    uint64_t before = term.at;
    term.doing = "paste";
    press(prompt + n - 1, 1);
    press(PASTE, sizeof PASTE - 1);
    while (term.at == before && read_screen())
        continue;
    step(enter ? "\r" : "\025\177");
    if (enter && n > 1)
        step("n");
    step("1");
}

static bool goes_on(void) {
    return !term.ended && !term.leaked;
}

static void walk_again(void) {
    for (size_t i = 0; i < sizeof sized_walk / sizeof *sized_walk && goes_on(); i++)
        step(sized_walk[i]);
}

/* The size in which most is done comes second: a third that came at once would have to wait. */
void strict_screen(const char *path) {
    start_screen(path);
    wait_clear(0);
    walk_again();
    resize(80, 24);
    for (size_t i = 0; i < sizeof walk / sizeof *walk && goes_on(); i++)
        if (walk[i][0] == *SEEN)
            seen_step(walk[i] + 1);
        else
            step(walk[i]);
    for (size_t i = 0; i < sizeof prompts / sizeof *prompts && goes_on(); i++) {
        paste_into(prompts[i], false);
        paste_into(prompts[i], true);
    }
    if (goes_on())
        resize(200, 60);
    walk_again();
    if (term.ended && !term.leaked)
        leak("fxtop has ended by itself");
    term.doing = "leaving";
    if (!term.ended)
        press("1Q", 2);
    if (term.leaked)
        kill(term.pid, SIGKILL);
    while (!term.ended && read_screen())
        continue;
    int status = strict_wait_for(term.pid);
    close(term.master);
    if (term.leaked)
        return;
    if (status != 0)
        leak("it did not end with status 0");
    else if (!term.cursor_on || term.second_screen || term.mouse || term.paste ||
             term.state != GROUND)
        leak("a mode of the terminal is not as it was");
    else
        strict.passed++;
}

/* A refusal is one line, before the screen is taken. */
void strict_refused_screen(const char *path) {
    start_screen(path);
    term.doing = "refused";
    while (read_screen())
        continue;
    int status = strict_wait_for(term.pid);
    close(term.master);
    if (status != 2 && !term.leaked)
        leak("it did not end with status 2");
    else if (term.clears > 0 && !term.leaked)
        leak("it took the screen");
    else if (!term.leaked)
        strict.passed++;
}
