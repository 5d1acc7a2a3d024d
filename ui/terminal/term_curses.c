/* term_curses.c - the terminal's screen: opening, showing frames, stopping, closing.
 *
 * Only this file and term_caps.c include ncurses. curses writes. The terminal's replies are read as
 * bytes (term_input.c) and decoded by key_decode.c, so that pastes, replies and mouse reports work
 * under any TERM. */
#define NCURSES_WIDECHAR 1

#include "ui/terminal/term.h"

#include "src/base/clock.h"
#include "ui/screen/thin.h"
#include "ui/terminal/builtin/term_builtin.h"
#include "ui/terminal/term_internal.h"

#define key_name curses_key_name /* curses has a function of that name, too */
#include <curses.h>
#undef key_name

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

struct term_state term = {.in = -1, .out = -1, .wake = {-1, -1}};
struct key_decode term_decoder;

static cchar_t *row_cells; /* one row for curses */

static struct {
    int fd; /* counts what this thread has written; -1 if not asked for */
    uint64_t bytes, most;
} count = {.fd = -1};

/* --- Writing past curses --- */

/* Bytes that this thread has written in all: curses bypasses stdio and does not count. */
static bool thread_wrote(uint64_t *bytes) {
    char text[256];
    ssize_t n = count.fd < 0 ? -1 : pread(count.fd, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    const char *line = strstr(text, "wchar: ");
    if (line == NULL)
        return false;
    *bytes = strtoull(line + strlen("wchar: "), NULL, 10);
    return true;
}

bool term_written(uint64_t *bytes, uint64_t *most) {
    *bytes = count.bytes;
    *most = count.most;
    return count.bytes > 0;
}

/* All of it, unless the terminal is gone. curses keeps nothing back between frames, so order
 * holds. */
void term_send(const char *bytes, size_t n) {
    while (n > 0) {
        ssize_t sent = write(term.out, bytes, n);
        if (sent < 0 && errno == EAGAIN) {
            struct pollfd ready = {term.out, POLLOUT, 0};
            poll(&ready, 1, -1);
        } else if (sent < 0 && errno != EINTR) {
            return;
        } else if (sent > 0) {
            bytes += sent;
            n -= (size_t)sent;
        }
    }
}

static void send(const char *s) {
    term_send(s, strlen(s));
}

/* --- Opening --- */

/* A descriptor of our own for fd, if it is a terminal, else for the controlling terminal; -1: there
 * is none. */
static int open_terminal(int fd, int mode) {
    return isatty(fd) ? fcntl(fd, F_DUPFD_CLOEXEC, 3)
                      : open("/dev/tty", mode | O_NOCTTY | O_CLOEXEC);
}

void term_curses_size(void) {
    struct winsize size;
    if (ioctl(term.out, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
        term.cols = size.ws_col;
        term.rows = size.ws_row;
        if (term.cols != COLS || term.rows != LINES)
            resizeterm(term.rows, term.cols);
    } else {
        term.cols = COLS;
        term.rows = LINES;
    }
    free(row_cells);
    row_cells = err_calloc((size_t)term.cols + 1, sizeof *row_cells);
    grid_resize(&term.shown, term.cols, term.rows);
    term_caps_sequences();
}

/* Modes that curses does not know. */
static void enter_modes(void) {
    if (term.speaks_xterm)
        send(term.mouse ? TERM_PASTE_ON TERM_MOUSE_ON : TERM_PASTE_ON);
}

static void leave_modes(void) {
    if (term.speaks_xterm)
        send(term.mouse ? TERM_MOUSE_OFF TERM_PASTE_OFF : TERM_PASTE_OFF);
}

static bool open_descriptors(struct err *err) {
    term.out = open_terminal(STDOUT_FILENO, O_RDWR);
    term.in = term.out < 0 ? -1 : open_terminal(STDIN_FILENO, O_RDWR);
    int in = term.in < 0 ? -1 : fcntl(term.in, F_DUPFD_CLOEXEC, 3);
    int out = in < 0 ? -1 : fcntl(term.out, F_DUPFD_CLOEXEC, 3);
    term.in_file = in < 0 ? NULL : fdopen(in, "r");
    term.out_file = out < 0 ? NULL : fdopen(out, "w");
    if (term.in_file != NULL && term.out_file != NULL && pipe(term.wake) == 0) {
        for (int i = 0; i < 2; i++) {
            fcntl(term.wake[i], F_SETFD, FD_CLOEXEC);
            fcntl(term.wake[i], F_SETFL, O_NONBLOCK);
        }
        return tcgetattr(term.out, &term.shell_modes) == 0 ||
               err_set(err, ERR_NO_OFFSET, "the terminal does not answer");
    }
    return err_set(err, ERR_NO_OFFSET, "no terminal to draw on: %s", strerror(errno));
}

static void close_descriptor(int *fd) {
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void close_descriptors(void) {
    if (term.in_file != NULL)
        fclose(term.in_file);
    if (term.out_file != NULL)
        fclose(term.out_file);
    term.in_file = term.out_file = NULL;
    close_descriptor(&term.in);
    close_descriptor(&term.out);
    close_descriptor(&term.wake[0]);
    close_descriptor(&term.wake[1]);
}

/* Called before newterm(), which changes the modes: from here on, running out of memory restores
 * the terminal. */
static void prepare_to_leave(void) {
    term_restore.n = term.retake.n = 0;
    term_flags.taken = 1;
}

static void take_screen(const char *type, struct term_options *options) {
    term.speaks_xterm = term_caps_xterm(type);
    term_caps_sequences();
    /* ncurses 6.4 flushes at every cursor movement until the screen was left and taken again once;
     * before start_color(), or the user's palette is reset. */
    endwin();
    doupdate();
    style_init(term_caps_depth(options->color));
    raw(); /* Ctrl-C, Ctrl-Z, Ctrl-S and Ctrl-Q are keys */
    noecho();
    nonl();
    tcgetattr(term.out, &term.screen_modes);
    typeahead(-1);
    set_escdelay(25);
    idcok(stdscr, TRUE);
    idlok(stdscr, FALSE);
    term.hides_cursor = curs_set(0) != ERR;
    term.mouse = options->mouse;
    options->ascii = options->ascii || !term_locale_utf8() || term_caps_ascii(type);
    term.ascii = options->ascii;
}

bool term_open(struct term_options *options, struct err *err) {
    options->note[0] = '\0';
    if (options->count)
        count.fd = open("/proc/thread-self/io", O_RDONLY | O_CLOEXEC);
    memset(&term, 0, sizeof term);
    term.in = term.out = term.wake[0] = term.wake[1] = -1;
    term_flags.leaving = term_flags.gone = term_flags.resized = term_flags.stopped =
        term_flags.continued = 0;
    term_locale_utf8();
    const char *type = NULL;
    if (open_descriptors(err)) {
        term_signal_remember();
        type = term_caps_type(options, err);
        prepare_to_leave();
        term.screen = type == NULL ? NULL : newterm(type, term.out_file, term.in_file);
        term_builtin_hide();
        if (type != NULL && term.screen == NULL)
            err_set(err, ERR_NO_OFFSET, "cannot use the terminal as %s", type);
    }
    if (type == NULL || term.screen == NULL) {
        term_flags.taken = 0;
        close_descriptors();
        return false;
    }
    take_screen(type, options);
    term_caps_keys();
    term.asks_background = term_decoder.asked = term_caps_background(type, options->background);
    term_decoder.asked_mode = term_caps_answers(type);
    term_curses_size();
    term_signal_install();
    term.open = true;
    term.resized_at = INT64_MIN / 2;
    enter_modes();
    if (term_decoder.asked)
        send(TERM_ASK_BACKGROUND);
    if (term_decoder.asked_mode) /* the first frame clears what a terminal makes of it */
        send(TERM_ASK_SYNC);
    term.asked_at = clock_now() / 1000000;
    term.repaint = true;
    return true;
}

void term_close(void) {
    if (!term.open)
        return;
    leave_modes();
    term_input_answer();
    curs_set(1);
    if (exit_ca_mode == NULL) { /* the frame stays: the prompt gets a line of its own */
        move(term.rows - 1, 0);
        clrtoeol();
        refresh();
    }
    endwin();
    tcsetattr(term.out, TCSANOW, &term.shell_modes);
    term_flags.taken = 0;
    term_signal_remove();
    delscreen(term.screen);
    grid_free(&term.shown);
    grid_free(&term.next);
    free(row_cells);
    close_descriptors();
    if (count.fd >= 0)
        close(count.fd);
    count.fd = -1;
    row_cells = NULL;
    term.screen = NULL;
    term.open = false;
}

/* --- Showing --- */

/* The number of a colour in curses. */
static int curses_color(int32_t color, int otherwise) {
    if (color == LOOK_DEFAULT)
        return term.default_colors ? -1 : otherwise;
    if (color < 0x1000000)
        return color < COLORS ? color : otherwise;
    int rgb = color & 0xFFFFFF;
    return rgb < 8 ? 8 : rgb; /* the first eight of a direct-colour terminal are its palette */
}

static attr_t curses_attr(uint8_t attr) {
    return (attr & ATTR_BOLD ? A_BOLD : 0) | (attr & ATTR_DIM ? A_DIM : 0) |
           (attr & ATTR_REVERSE ? A_REVERSE : 0) | (attr & ATTR_UNDERLINE ? A_UNDERLINE : 0);
}

static int pair_of(struct look look) {
    if (style_depth() == COLOR_MONO || (look.fg == LOOK_DEFAULT && look.bg == LOOK_DEFAULT))
        return 0;
    int pair = alloc_pair(curses_color(look.fg, 7), curses_color(look.bg, 0));
    return pair < 0 ? 0 : pair;
}

static void make_cell(cchar_t *out, const struct cell *cell, int pair) {
    wchar_t text[4] = {0};
    for (int i = 0; i < 3 && cell->cp[i] != 0; i++)
        text[i] = (wchar_t)cell->cp[i];
    if (text[0] < ' ' || text[0] == 0x7F ||
        /* cells hold no controls; checked again before the terminal */
        (term.ascii && text[0] > 0x7E)) {
        text[0] = '?';
        text[1] = 0;
    }
    setcchar(out, text, curses_attr(cell->look.attr), (short)pair, &pair);
}

/* Gives one row to curses, which sends the cells that differ. A wide character is one entry: its
 * right half is left out. */
static void show_row(const struct cell *row, int cols, int y) {
    struct look look = {LOOK_DEFAULT, LOOK_DEFAULT, 0};
    int n = 0, pair = 0;
    for (int x = 0; x < cols; x++) {
        if (row[x].cp[0] == 0)
            continue;
        if (row[x].look.fg != look.fg || row[x].look.bg != look.bg)
            pair = pair_of(row[x].look);
        look = row[x].look;
        make_cell(&row_cells[n++], &row[x], pair);
    }
    mvadd_wchnstr(y, 0, row_cells, n);
}

void term_show(const struct grid *grid) {
    int cols = grid->cols < term.cols ? grid->cols : term.cols,
        rows = grid->rows < term.rows ? grid->rows : term.rows;
    bool all = term.repaint, changed = all;
    if (!term.open || term_flags.gone)
        return;
    if (all)
        clearok(curscr, TRUE);
    if (term.next.cols != grid->cols || term.next.rows != grid->rows)
        grid_resize(&term.next, grid->cols, grid->rows);
    term.thinned = thin_copy(&term.next, grid, thin_limit(cols, rows, term.slow), term.thinned);
    for (int y = 0; y < rows; y++) {
        const struct cell *row = &term.next.cells[(size_t)y * (size_t)grid->cols];
        struct cell *shown = &term.shown.cells[(size_t)y * (size_t)term.shown.cols];
        if (!all && memcmp(row, shown, (size_t)cols * sizeof *row) == 0)
            continue;
        changed = true;
        memcpy(shown, row, (size_t)cols * sizeof *row);
        show_row(row, cols, y);
    }
    if (grid->here_y < term.rows && grid->here_x < term.cols)
        move(grid->here_y, grid->here_x);
    term.repaint = false;
    wnoutrefresh(stdscr);
    uint64_t before, after;
    bool counts = thread_wrote(&before), synchronized = changed && term.synchronized;
    if (synchronized)
        send(TERM_SYNC_ON);
    doupdate();
    if (synchronized)
        send(TERM_SYNC_OFF);
    if (counts && thread_wrote(&after)) {
        count.bytes += after - before;
        if (after - before > count.most)
            count.most = after - before;
    }
}

void term_redraw(void) {
    term.repaint = true;
}

void term_size(int *cols, int *rows) {
    *cols = term.cols;
    *rows = term.rows;
}

void term_mouse(bool on) {
    if (term.open && term.speaks_xterm && on != term.mouse)
        send(on ? TERM_MOUSE_ON : TERM_MOUSE_OFF);
    term.mouse = on;
}

void term_slow(bool slow) {
    term.slow = slow;
}

void term_cursor(bool shown) {
    if (term.open && shown == term.hides_cursor) {
        term.hides_cursor = !shown && curs_set(0) != ERR;
        if (shown)
            curs_set(1);
        term_caps_sequences();
    }
}

/* --- Stopping and going on --- */

/* Takes the screen again: the shell may have changed modes, size and content. */
static void retake(void) {
    tcsetattr(term.out, TCSANOW, &term.screen_modes);
    term_signal_install();
    term_curses_size();
    term_flags.taken = 1;
    term_send(term.retake.bytes, term.retake.n);
    enter_modes();
    term.repaint = true;
    term_flags.resized = 1; /* the program gets a resize, so that it draws */
    term.resized_at = INT64_MIN / 2;
}

static void leave(void) {
    term_send(term_restore.bytes, term_restore.n);
    tcsetattr(term.out, TCSANOW, &term.shell_modes);
    term_flags.taken = 0;
}

void term_lend(int *in, int *out) {
    term_input_answer();
    leave();
    term_signal_lend();
    *in = term.in;
    *out = term.out;
}

void term_take_back(const char *ask) {
    if (ask) {
        tcsetattr(term.out, TCSANOW, &term.shell_modes);
        send(ask);
        tcsetattr(term.out, TCSANOW, &term.screen_modes); /* Enter is read without an echo */
        term_input_enter();
        send("\r\n"); /* the next text on this screen begins a line */
    }
    term_flags.stopped = term_flags.continued = 0;
    retake();
}

void term_suspend(void) {
    if (!term.open || term_signal_stop_ignored())
        return;
    leave();
    struct sigaction stop = {.sa_handler = SIG_DFL};
    sigemptyset(&stop.sa_mask);
    sigaction(SIGTSTP, &stop, NULL);
    kill(0, SIGTSTP); /* the whole job, including the process that feeds standard input */
    term_flags.stopped = term_flags.continued = 0;
    tcgetattr(term.out, &term.shell_modes);
    retake();
}

/* SIGCONT without our own stop: another process sent SIGSTOP, and the shell has drawn over the
 * screen. */
void term_curses_continue(void) {
    term_flags.continued = 0;
    retake();
}
