/* pty.c - see pty.h. The screen knows what curses sends to an xterm, screen or linux console, and
 * no more. */
#include "tests/lib/pty.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include "src/base/text.h"

static void fail(const char *what) {
    fprintf(stderr, "pty: %s: %s\n", what, strerror(errno));
    exit(2);
}

int64_t pty_now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- the screen ---- */

static struct pty_screen *screen(const struct pty *p) {
    return (struct pty_screen *)&p->screens[p->alternate];
}

static uint32_t *cell(const struct pty *p, int x, int y) {
    return &screen(p)->cells[(size_t)y * (size_t)p->cols + (size_t)x];
}

static void blank(struct pty *p, int y, int from, int to) {
    for (int x = from < 0 ? 0 : from; x < to && x < p->cols; x++)
        *cell(p, x, y) = ' ';
}

static void scroll(struct pty *p, int top, int lines) { /* up; negative: down */
    int bottom = p->bottom, n = bottom - top + 1, by = abs(lines) < n ? abs(lines) : n;
    size_t row = (size_t)p->cols * sizeof(uint32_t);
    if (n < 1)
        return;
    if (lines > 0)
        memmove(cell(p, 0, top), cell(p, 0, top + by), (size_t)(n - by) * row);
    else
        memmove(cell(p, 0, top + by), cell(p, 0, top), (size_t)(n - by) * row);
    for (int i = 0; i < by; i++)
        blank(p, lines > 0 ? bottom - i : top + i, 0, p->cols);
}

static void line_feed(struct pty *p) {
    struct pty_screen *s = screen(p);
    if (s->y == p->bottom)
        scroll(p, p->top, 1);
    else if (s->y < p->rows - 1)
        s->y++;
}

static void put(struct pty *p, uint32_t code) {
    struct pty_screen *s = screen(p);
    int width = code < 0x80 ? 1 : wcwidth((wchar_t)code);
    if (width < 1)
        return;
    if (p->wraps || s->x + width > p->cols) {
        p->wraps = false;
        s->x = 0;
        line_feed(p);
    }
    *cell(p, s->x, s->y) = code;
    if (width == 2 && s->x + 1 < p->cols)
        *cell(p, s->x + 1, s->y) = 0;
    s->x += width;
    if (s->x >= p->cols) {
        s->x = p->cols - 1;
        p->wraps = true;
    }
}

static void go(struct pty *p, int x, int y) {
    struct pty_screen *s = screen(p);
    s->x = x < 0 ? 0 : x >= p->cols ? p->cols - 1 : x;
    s->y = y < 0 ? 0 : y >= p->rows ? p->rows - 1 : y;
    p->wraps = false;
}

static void clear(struct pty *p, int how) { /* 0: after the cursor, 1: up to it, 2: all */
    struct pty_screen *s = screen(p);
    for (int y = how == 0 ? s->y : 0; y < (how == 1 ? s->y + 1 : p->rows); y++)
        blank(p, y, how == 0 && y == s->y ? s->x : 0, how == 1 && y == s->y ? s->x + 1 : p->cols);
}

static void mode(struct pty *p, int number, bool on) {
    if (number == 25) {
        p->cursor = on;
    } else if (number == 47 || number == 1047 || number == 1049) {
        if (number == 1049 && on && !p->alternate) {
            p->saved_x = p->screens[0].x;
            p->saved_y = p->screens[0].y;
        }
        p->alternate = on;
        if (number == 1049 && on)
            clear(p, 2);
        if (number == 1049 && !on)
            go(p, p->saved_x, p->saved_y);
    } else if (number >= 1000 && number <= 1006) {
        p->mouse = on ? p->mouse | 1u << (number - 1000) : p->mouse & ~(1u << (number - 1000));
    } else if (number == 2004) {
        p->paste = on;
    }
}

/* Inserts or deletes characters in the cursor's line. */
static void shift(struct pty *p, int by) {
    struct pty_screen *s = screen(p);
    int n = p->cols - s->x, k = abs(by) < n ? abs(by) : n;
    uint32_t *at = cell(p, s->x, s->y);
    if (by > 0)
        memmove(at + k, at, (size_t)(n - k) * sizeof *at);
    else
        memmove(at, at + k, (size_t)(n - k) * sizeof *at);
    blank(p, s->y, by > 0 ? s->x : p->cols - k, by > 0 ? s->x + k : p->cols);
}

static void control(struct pty *p) { /* CSI ... */
    struct pty_screen *s = screen(p);
    char last = p->sequence[p->sequence_n - 1];
    bool private = p->sequence[2] == '?' || p->sequence[2] == '>';
    int v[16] = {0}, n = 0;
    char *at = p->sequence + 2 + private;
    p->sequence[p->sequence_n - 1] = '\0';
    for (; n < 16; n++) {
        v[n] = (int)strtol(at, &at, 10);
        if (*at != ';' && *at != ':') {
            n++;
            break;
        }
        at++;
    }
    int one = v[0] > 0 ? v[0] : 1;
    switch (last) {
    case 'h':
    case 'l':
        for (int i = 0; private && i < n; i++)
            mode(p, v[i], last == 'h');
        return;
    case 'm':
        p->colored = !private && (v[0] != 0 || n > 1) && !(n == 2 && v[0] == 39 && v[1] == 49);
        return;
    default:
        break;
    }
    if (private)
        return;
    switch (last) {
    case 'A':
        go(p, s->x, s->y - one);
        break;
    case 'B':
    case 'e':
        go(p, s->x, s->y + one);
        break;
    case 'C':
    case 'a':
        go(p, s->x + one, s->y);
        break;
    case 'D':
        go(p, s->x - one, s->y);
        break;
    case 'G':
    case '`':
        go(p, one - 1, s->y);
        break;
    case 'd':
        go(p, s->x, one - 1);
        break;
    case 'H':
    case 'f':
        go(p, (v[1] > 0 ? v[1] : 1) - 1, one - 1);
        break;
    case 'J':
        clear(p, v[0] == 3 ? 2 : v[0]);
        break;
    case 'K':
        blank(p, s->y, v[0] == 0 ? s->x : 0, v[0] == 1 ? s->x + 1 : p->cols);
        break;
    case 'L':
        scroll(p, s->y, -one);
        break;
    case 'M':
        scroll(p, s->y, one);
        break;
    case 'S':
        scroll(p, p->top, one);
        break;
    case 'T':
        scroll(p, p->top, -one);
        break;
    case 'P':
        shift(p, -one);
        break;
    case '@':
        shift(p, one);
        break;
    case 'X':
        blank(p, s->y, s->x, s->x + one);
        break;
    case 'b':
        for (uint32_t code = s->x > 0 ? *cell(p, s->x - 1, s->y) : ' '; one > 0; one--)
            put(p, code);
        break;
    case 'r':
        p->top = one - 1;
        p->bottom = (n > 1 && v[1] > 0 && v[1] <= p->rows ? v[1] : p->rows) - 1;
        go(p, 0, 0);
        break;
    default:
        break;
    }
}

/* Whether an escape begins a new sequence before the last one ended, as in a frame that a signal
 * cut. As in a real terminal the new one counts; a string ends at an escape, with a backslash or
 * without. */
static bool begins_again(struct pty *p, unsigned char c) {
    bool string = p->sequence_n > 1 && strchr("]P^_k", p->sequence[1]) != NULL;
    if (!string && c == '\033') {
        p->sequence_n = 1;
        return true;
    }
    if (string && p->sequence_n > 2 && p->sequence[p->sequence_n - 1] == '\033' && c != '\\')
        p->sequence_n = 1;
    return false;
}

/* An escape sequence grows by one byte; true: that was its last. */
static bool sequence(struct pty *p, unsigned char c) {
    if (begins_again(p, c))
        return false;
    if (p->sequence_n < sizeof p->sequence - 1)
        p->sequence[p->sequence_n++] = (char)c;
    p->sequence[p->sequence_n] = '\0';
    char kind = p->sequence_n > 1 ? p->sequence[1] : '\0';
    if (kind == '\0')
        return false;
    if (kind == '[') {
        if (p->sequence_n < 3 || c < 0x40 || c > 0x7e)
            return false;
        control(p);
        return true;
    }
    if (kind == ']' || kind == 'P' || kind == '^' || kind == '_' || kind == 'k')
        return c == '\a' ||
               (c == '\\' && p->sequence_n > 2 && p->sequence[p->sequence_n - 2] == '\033');
    if (kind == '(' || kind == ')' || kind == '#' || kind == ' ') {
        if (p->sequence_n == 3 && kind == '(')
            p->graphics = c == '0';
        return p->sequence_n == 3;
    }
    if (kind == 'M') {
        if (screen(p)->y == p->top)
            scroll(p, p->top, -1);
        else
            go(p, screen(p)->x, screen(p)->y - 1);
    } else if (kind == 'c') {
        p->colored = p->graphics = false;
        p->top = 0;
        p->bottom = p->rows - 1;
        clear(p, 2);
        go(p, 0, 0);
    } else if (kind == '7') {
        p->saved_x = screen(p)->x;
        p->saved_y = screen(p)->y;
    } else if (kind == '8') {
        go(p, p->saved_x, p->saved_y);
    }
    return true;
}

static void byte(struct pty *p, unsigned char c) {
    struct pty_screen *s = screen(p);
    if (p->sequence_n > 0) {
        if (sequence(p, c))
            p->sequence_n = 0;
    } else if (c == '\033') {
        p->sequence[p->sequence_n++] = '\033';
    } else if (c == '\r') {
        go(p, 0, s->y);
    } else if (c == '\n') {
        line_feed(p);
    } else if (c == '\b') {
        go(p, s->x - 1, s->y);
    } else if (c == '\t') {
        go(p, (s->x / 8 + 1) * 8, s->y);
    } else if (c == 14 || c == 15) {
        p->graphics = c == 14;
    } else if (c >= 0xc0) {
        p->more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : 1;
        p->code = c & (0x3fu >> p->more);
    } else if (c >= 0x80 && p->more > 0) {
        p->code = p->code << 6 | (c & 0x3fu);
        if (--p->more == 0)
            put(p, p->code);
    } else if (c >= ' ' && c < 0x7f) {
        put(p, c);
    }
}

static void resize_screen(struct pty *p, int cols, int rows) {
    for (int i = 0; i < 2; i++) {
        uint32_t *cells = err_malloc((size_t)cols * (size_t)rows * sizeof *cells);
        for (int at = 0; at < cols * rows; at++) {
            int x = at % cols, y = at / cols;
            bool old = p->screens[i].cells && x < p->cols && y < p->rows;
            cells[at] = old ? p->screens[i].cells[y * p->cols + x] : ' ';
        }
        free(p->screens[i].cells);
        p->screens[i].cells = cells;
        p->screens[i].x = p->screens[i].x < cols ? p->screens[i].x : cols - 1;
        p->screens[i].y = p->screens[i].y < rows ? p->screens[i].y : rows - 1;
    }
    p->cols = cols;
    p->rows = rows;
    p->top = 0;
    p->bottom = rows - 1;
    p->wraps = false;
}

/* ---- the terminal ---- */

void pty_resize(struct pty *p, int cols, int rows) {
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
    if (ioctl(p->master, TIOCSWINSZ, &size) != 0)
        fail("TIOCSWINSZ");
    resize_screen(p, cols, rows);
}

void pty_open(struct pty *p, int cols, int rows) {
    *p = (struct pty){.cursor = true};
    p->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (p->master < 0 || grantpt(p->master) != 0 || unlockpt(p->master) != 0)
        fail("no pseudo-terminal");
    p->slave = open(ptsname(p->master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (p->slave < 0 || tcgetattr(p->slave, &p->before) != 0)
        fail("no pseudo-terminal");
    p->before.c_iflag |= IXON | ICRNL; /* something to be restored */
    p->before.c_lflag |= ICANON | ECHO | ISIG;
    tcsetattr(p->slave, TCSANOW, &p->before);
    tcgetattr(p->slave, &p->before);
    pty_resize(p, cols, rows);
}

pid_t pty_fork(struct pty *p, unsigned how) {
    pid_t pid = fork();
    if (pid < 0)
        fail("fork");
    if (pid > 0) {
        p->pid = pid;
        return pid;
    }
    if (setsid() < 0 || (!(how & PTY_NO_CONTROL) && ioctl(p->slave, TIOCSCTTY, 0) != 0))
        _exit(127);
    const int ignored[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE}; /* as in a shell's background job */
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_DFL);
    for (int fd = 0; fd < 3; fd++)
        if (!(how & (1u << fd)) && dup2(p->slave, fd) < 0)
            _exit(127);
    close(p->master);
    if (p->slave > 2)
        close(p->slave);
    return 0;
}

void pty_signal(const struct pty *p, int number) {
    if (p->pid > 0) /* 0 would be all of us */
        kill(p->pid, number);
}

void pty_start(struct pty *p, unsigned how, const char *const *argv) {
    if (pty_fork(p, how) > 0)
        return;
    setenv("XDG_STATE_HOME", "/dev/null", 0); /* no sessions, unless a test has a folder for them */
    execvp(argv[0], (char *const *)argv);
    _exit(127);
}

void pty_hang_up(struct pty *p) {
    close(p->slave);
    close(p->master);
    p->master = p->slave = -1;
}

void pty_forget(struct pty *p) {
    p->out.n = 0;
    p->bytes = p->reads = 0;
}

/* One read, after at most so long; false: nothing. */
static bool take(struct pty *p, int ms) {
    static char bytes[65536];
    struct pollfd ready = {p->master, POLLIN, 0}; /* -1, if it is closed, only waits */
    int n = poll(&ready, 1, ms);
    ssize_t got = n > 0 ? read(p->master, bytes, sizeof bytes) : 0;
    if (got <= 0)
        return false;
    for (ssize_t i = 0; i < got; i++) {
        vec_push(&p->out, bytes[i]);
        byte(p, (unsigned char)bytes[i]);
    }
    p->bytes += (uint64_t)got;
    p->reads++;
    return true;
}

bool pty_take(struct pty *p, int quiet_ms) {
    bool any = false;
    while (take(p, quiet_ms))
        any = true;
    return any;
}

/* Whether something typed was not read yet, or a thread of the program runs or waits for a
 * processor. */
static bool is_busy(const struct pty *p) {
    char path[40], state;
    int unread = 0;
    bool busy = ioctl(p->slave, FIONREAD, &unread) == 0 && unread > 0;
    glob_t found = {0};
    snprintf(path, sizeof path, "/proc/%ld/task/*/stat", (long)p->pid);
    if (!busy && glob(path, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc && !busy; i++) {
            FILE *f = fopen(found.gl_pathv[i], "r");
            busy = f && fscanf(f, "%*d (%*[^)]) %c", &state) == 1 && (state == 'R' || state == 'D');
            if (f)
                fclose(f);
        }
    globfree(&found);
    return busy;
}

void pty_settle(struct pty *p, int quiet_ms) {
    int64_t end = pty_now_ms() + PTY_PATIENCE_MS;
    while (pty_take(p, quiet_ms) || (is_busy(p) && pty_now_ms() < end))
        continue;
}

void pty_type(struct pty *p, const char *keys) {
    for (size_t n = strlen(keys); n > 0;) {
        struct pollfd ready = {p->master, POLLOUT | POLLIN, 0};
        if (poll(&ready, 1, PTY_PATIENCE_MS) <= 0)
            return; /* no reader is left */
        if (ready.revents & POLLIN)
            take(p, 0);
        if (!(ready.revents & POLLOUT))
            continue;
        ssize_t wrote = write(p->master, keys, n);
        if (wrote < 0 && errno != EINTR)
            fail("write to the terminal");
        if (wrote > 0) {
            keys += wrote;
            n -= (size_t)wrote;
        }
    }
}

char *pty_line(const struct pty *p, int y) {
    char *line = err_malloc((size_t)p->cols * 4 + 1);
    size_t n = 0, end = 0;
    for (int x = 0; x < p->cols; x++) {
        uint32_t code = *cell(p, x, y);
        if (code == 0)
            continue;
        n += text_utf8(code, line + n);
        if (code != ' ')
            end = n;
    }
    line[end] = '\0';
    return line;
}

bool pty_shows(const struct pty *p, const char *text) {
    bool found = false;
    for (int y = 0; y < p->rows && !found; y++) {
        char *line = pty_line(p, y);
        found = strstr(line, text) != NULL;
        free(line);
    }
    return found;
}

bool pty_loaded(const struct pty *p) {
    return pty_shows(p, PTY_PICTURE) && !pty_shows(p, PTY_INDEXING) && !pty_shows(p, PTY_READING) &&
           !pty_shows(p, PTY_WAITING);
}

/* text: NULL is the picture of a whole trace. */
static bool shows(const struct pty *p, const char *text) {
    return text ? pty_shows(p, text) : pty_loaded(p);
}

static bool see(struct pty *p, const char *text) {
    int64_t end = pty_now_ms() + PTY_PATIENCE_MS;
    while (!shows(p, text)) {
        int64_t rest = end - pty_now_ms();
        if (rest <= 0)
            return false;
        take(p, rest < 100 ? (int)rest : 100);
        siginfo_t info = {.si_pid = 0};
        bool gone = p->pid > 0 &&
                    waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
                    info.si_pid;
        if (gone && !pty_take(p, 20))
            return shows(p, text); /* what has ended shows nothing more */
    }
    return true;
}

bool pty_see(struct pty *p, const char *text) {
    return see(p, text);
}

bool pty_see_loaded(struct pty *p) {
    return see(p, NULL);
}

static bool wrote(const struct pty *p, const char *bytes, size_t n) { /* memmem() is not of POSIX */
    for (size_t i = 0; i + n <= p->out.n; i++)
        if (memcmp(p->out.v + i, bytes, n) == 0)
            return true;
    return false;
}

bool pty_wrote(struct pty *p, const char *bytes) {
    int64_t end = pty_now_ms() + PTY_PATIENCE_MS;
    while (!wrote(p, bytes, strlen(bytes))) {
        int64_t rest = end - pty_now_ms();
        if (rest <= 0)
            return false;
        take(p, (int)rest);
    }
    return true;
}

int pty_ended(struct pty *p, int patience_ms) {
    int64_t end = pty_now_ms() + patience_ms;
    int status;
    if (p->pid == 0)
        return -1;
    for (;;) {
        pid_t got = waitpid(p->pid, &status, WNOHANG);
        if (got == p->pid || (got < 0 && errno != EINTR))
            break;
        if (pty_now_ms() >= end)
            return -1;
        take(p, 5);
    }
    p->pid = 0;
    while (take(p, 0))
        continue;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void pty_print(const struct pty *p) {
    for (int y = 0; y < p->rows; y++) {
        char *line = pty_line(p, y);
        fprintf(stderr, "    |%s\n", line);
        free(line);
    }
}

const char *pty_left(const struct pty *p) {
    struct termios now;
    if (p->slave >= 0 && (tcgetattr(p->slave, &now) != 0 || now.c_iflag != p->before.c_iflag ||
                          now.c_oflag != p->before.c_oflag || now.c_cflag != p->before.c_cflag ||
                          now.c_lflag != p->before.c_lflag ||
                          memcmp(now.c_cc, p->before.c_cc, sizeof now.c_cc) != 0))
        return "the terminal's modes are not what they were";
    return p->alternate        ? "the alternate screen is still there"
           : !p->cursor        ? "the cursor is still hidden"
           : p->mouse          ? "the mouse is still asked for"
           : p->paste          ? "paste mode is still on"
           : p->colored        ? "colours are still on"
           : p->graphics       ? "line drawing is still on"
           : p->sequence_n > 0 ? "an escape sequence was not finished"
                               : NULL;
}

void pty_close(struct pty *p) {
    if (p->pid > 0) {
        kill(p->pid, SIGKILL);
        waitpid(p->pid, NULL, 0);
    }
    if (p->master >= 0) {
        close(p->slave);
        close(p->master);
    }
    vec_free(&p->out);
    free(p->screens[0].cells);
    free(p->screens[1].cells);
    *p = (struct pty){.master = -1, .slave = -1};
}

long pty_wakes(const struct pty *p) {
    char path[40], line[128];
    long n = -1;
    snprintf(path, sizeof path, "/proc/%ld/status", (long)p->pid);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f) &&
           sscanf(line, "voluntary_ctxt_switches: %ld", &n) != 1)
        continue;
    if (f)
        fclose(f);
    return n;
}
