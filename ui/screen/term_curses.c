/* term_curses.c - the terminal, and the only file that includes ncurses.
 *
 * curses writes; what comes back is read here as bytes and decoded by key.c, so that pastes, replies and mouse reports
 * are understood under any TERM. Signal handlers set flags and wake the poll in term_key(); only those that end the
 * program at once write, and what they write was prepared beforehand. */
#define NCURSES_WIDECHAR 1

#include "ui/screen/term.h"

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

#define MOUSE_ON "\033[?1002h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1002l"
#define PASTE_ON "\033[?2004h"
#define PASTE_OFF "\033[?2004l"

enum {
    RESIZE_GAP = 200,      /* ms between two resizes told: 300 in 1.5 s are at most 8 */
};

static struct {
    bool open;
    int in, out;              /* of the terminal, our own */
    FILE *in_file, *out_file; /* the same, for curses */
    SCREEN *screen;
    bool ascii, direct, default_colors, hides_cursor;
    bool speaks_xterm; /* mouse and paste modes may be asked for */
    bool mouse;
    int cols, rows;
    bool repaint;
    struct grid shown; /* what the terminal holds: only rows that differ go to curses */
    cchar_t *line;     /* one row for curses */
    struct key_decoder decoder;
    int64_t read_at, resized_at; /* ms */
} term;

static struct {
    int fd; /* tells what this thread has written; -1 where nobody asked */
    uint64_t bytes, most;
} count = {.fd = -1};

/* What handlers read and write. */
static volatile sig_atomic_t taken, leaving, gone, resized, stopped, continued;
static struct termios shell_modes, screen_modes;
static struct sequence {
    char bytes[256];
    size_t n;
} restore_string, retake_string;
static int restore_out = -1, wake[2] = {-1, -1};

/* --- Writing past curses --- */

/* What this thread has written to anything so far: curses writes past stdio, and does not say how much. */
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

/* All of it, unless the terminal is gone. curses keeps nothing back between frames, so order holds. */
static void send_bytes(const char *bytes, size_t n) {
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
    send_bytes(s, strlen(s));
}

/* --- Leaving by signal --- */

void term_restore_raw(void) {
    if (!taken)
        return;
    taken = 0;
    int saved = errno;
    struct pollfd ready = {restore_out, POLLOUT, 0};
    if (poll(&ready, 1, 0) == 1) { /* a terminal that takes nothing must not keep us */
        ssize_t n = write(restore_out, restore_string.bytes, restore_string.n);
        (void)n;
    }
    tcsetattr(restore_out, TCSANOW, &shell_modes);
    errno = saved;
}

/* Adds a capability; padding, which only real vt100s need, is left out. */
static void add(struct sequence *sequence, const char *s) {
    if (s == NULL || s == (char *)-1)
        return;
    for (; *s != '\0' && sequence->n < sizeof sequence->bytes; s++) {
        if (s[0] == '$' && s[1] == '<' && strchr(s, '>') != NULL)
            s = strchr(s, '>');
        else
            sequence->bytes[sequence->n++] = *s;
    }
}

static bool has(const char *capability) {
    char *s = tigetstr(capability);
    return s != NULL && s != (char *)-1 && *s != '\0';
}

/* What leaves the screen and what takes it again, prepared while memory and locks are at hand. Coming back is not left
 * to curses: it would reset the palette that the user gave the terminal (OSC 104). */
static void prepare_sequences(void) {
    struct sequence new_leave = {.n = 0}, new_enter = {.n = 0}, *leave = &new_leave, *enter = &new_enter;
    int bottom = term.rows > 0 ? term.rows - 1 : 0;
    if (term.speaks_xterm)
        add(leave, MOUSE_OFF PASTE_OFF);
    add(leave, tigetstr("sgr0"));
    add(leave, tigetstr("op"));
    add(leave, tigetstr("rmacs"));
    add(leave, tigetstr("cnorm"));
    if (!has("rmcup")) { /* no second screen: leave the picture, continue below it */
        add(leave, tiparm(tigetstr("cup"), bottom, 0));
        add(leave, tigetstr("el"));
    }
    add(leave, tigetstr("rmcup"));
    add(enter, tigetstr("smcup"));
    if (has("csr"))
        add(enter, tiparm(tigetstr("csr"), 0, bottom));
    add(enter, tigetstr("sgr0"));
    add(enter, tigetstr("rmir"));
    add(enter, tigetstr("smam"));
    if (term.hides_cursor)
        add(enter, tigetstr("civis"));
    restore_out = term.out;
    restore_string = new_leave;
    retake_string = new_enter;
}

enum { ASKING = 8, FATAL = 4 };
static const int asking[ASKING] = {SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGPIPE, SIGUSR1, SIGUSR2, SIGALRM},
                 fatal[FATAL] = {SIGSEGV, SIGABRT, SIGFPE, SIGILL};
static struct sigaction before_asking[ASKING], before_fatal[FATAL], before_bus, before_stop, before_continue, before_resize;

static void wake_up(void) {
    int saved = errno;
    ssize_t n = write(wake[1], "", 1);
    (void)n; /* a full pipe wakes too */
    errno = saved;
}

static void on_asking(int number) {
    if (leaving != 0) { /* the program did not get round to it */
        term_restore_raw();
        _exit(128 + number);
    }
    leaving = number;
    wake_up();
}

static void on_fatal(int number, siginfo_t *info, void *context) {
    (void)context;
    term_restore_raw();
    for (size_t i = 0; i < FATAL; i++)
        if (fatal[i] == number)
            sigaction(number, &before_fatal[i], NULL);
    if (number == SIGBUS)
        sigaction(number, &before_bus, NULL);
    if (info->si_code <= 0 || number == SIGABRT) /* sent, not a fault that happens again upon return */
        raise(number);
}

static void on_stop(int number) {
    (void)number;
    stopped = 1;
    wake_up();
}

static void on_continue(int number) {
    (void)number;
    continued = 1;
    wake_up();
}

static void on_resize(int number) {
    (void)number;
    resized = 1;
    wake_up();
}

static void handle(int number, void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

static void handle_fatal(int number, struct sigaction *before) {
    struct sigaction action = {.sa_sigaction = on_fatal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, before);
}

void term_handle_bus(void) {
    handle_fatal(SIGBUS, &before_bus);
}

static void remember_handlers(void) {
    for (size_t i = 0; i < ASKING; i++)
        sigaction(asking[i], NULL, &before_asking[i]);
    for (size_t i = 0; i < FATAL; i++)
        sigaction(fatal[i], NULL, &before_fatal[i]);
    sigaction(SIGTSTP, NULL, &before_stop);
    sigaction(SIGCONT, NULL, &before_continue);
    sigaction(SIGWINCH, NULL, &before_resize);
}

/* After newterm(), which sets some, too. What was ignored (nohup) stays so. */
static void install_handlers(void) {
    static char stack[32768]; /* for a fault that is the end of the stack */
    stack_t now;
    if (sigaltstack(NULL, &now) == 0 && now.ss_flags & SS_DISABLE)
        sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    for (size_t i = 0; i < ASKING; i++)
        if (before_asking[i].sa_handler == SIG_IGN)
            sigaction(asking[i], &before_asking[i], NULL);
        else
            handle(asking[i], on_asking);
    for (size_t i = 0; i < FATAL; i++)
        handle_fatal(fatal[i], NULL);
    if (before_stop.sa_handler == SIG_IGN)
        sigaction(SIGTSTP, &before_stop, NULL);
    else
        handle(SIGTSTP, on_stop);
    handle(SIGCONT, on_continue);
    handle(SIGWINCH, on_resize);
}

static void remove_handlers(void) {
    for (size_t i = 0; i < ASKING; i++)
        sigaction(asking[i], &before_asking[i], NULL);
    for (size_t i = 0; i < FATAL; i++)
        sigaction(fatal[i], &before_fatal[i], NULL);
    sigaction(SIGTSTP, &before_stop, NULL);
    sigaction(SIGCONT, &before_continue, NULL);
    sigaction(SIGWINCH, &before_resize, NULL);
}

/* --- Opening --- */

/* The locale's characters, and nothing else of it: numbers keep their point. A UTF-8 locale that this machine does not
 * have (its name came over ssh) is still a promise about the terminal. */
bool term_locale_utf8(void) {
    if (setlocale(LC_CTYPE, "") == NULL) {
        const char *name = getenv("LC_ALL");
        if (name == NULL || *name == '\0')
            name = getenv("LC_CTYPE");
        if (name == NULL || *name == '\0')
            name = getenv("LANG");
        if (name != NULL && (str_has(name, "utf-8") || str_has(name, "utf8")))
            setlocale(LC_CTYPE, "C.UTF-8");
    }
    return strcasecmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* fd itself where it is a terminal, else the controlling terminal: a descriptor of our own, or -1. */
static int open_terminal(int fd, int mode) {
    return isatty(fd) ? fcntl(fd, F_DUPFD_CLOEXEC, 3) : open("/dev/tty", mode | O_NOCTTY | O_CLOEXEC);
}

enum known { UNKNOWN, NO_SCREEN, USABLE };

/* What the database says about a terminal type. */
static enum known look_up(const char *name) {
    int error;
    if (setupterm(name, term.out, &error) != OK)
        return UNKNOWN;
    enum known known = has("cup") && has("clear") && !tigetflag("hc") ? USABLE : NO_SCREEN;
    del_curterm(cur_term);
    return known;
}

static bool starts_with(const char *s, const char *prefix) {
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

static bool is_emulator(const char *name) { /* speaks xterm's language */
    static const char *const emulators[] = {"xterm",   "alacritty", "kitty", "foot",  "wezterm", "ghostty", "rxvt",
                                            "konsole", "gnome",     "vte",   "iterm", "st-",     "mintty",  "contour"};
    for (size_t i = 0; i < sizeof emulators / sizeof *emulators; i++)
        if (starts_with(name, emulators[i]))
            return true;
    return false;
}

/* TERM, or the nearest type that this machine knows; NULL and err set where there is none. */
static const char *choose_type(struct term_options *options, struct err *err) {
    const char *name = getenv("TERM");
    bool named = name != NULL && *name != '\0';
    if (!named)
        name = "";
    enum known known = named ? look_up(name) : UNKNOWN;
    if (known == USABLE)
        return name;
    char shown[48];
    text_plain(shown, sizeof shown, str_of(name), TEXT_ASCII);
    if (known == NO_SCREEN || strcmp(name, "dumb") == 0) {
        err_set(err, ERR_NO_OFFSET, "TERM=%s cannot position text on the screen; set TERM to your terminal's type", shown);
        return NULL;
    }
    static const char *const chain[] = {"xterm-256color", "screen-256color", "screen", "vt100"};
    bool multiplexer = starts_with(name, "tmux") || starts_with(name, "screen");
    for (size_t i = is_emulator(name) ? 0 : multiplexer ? 1 : 3; i < sizeof chain / sizeof *chain; i++) {
        if (i == 1 && !multiplexer)
            i = 3;
        if (look_up(chain[i]) != USABLE)
            continue;
        if (named)
            snprintf(options->note, sizeof options->note, "TERM=%s is unknown: using %s", shown, chain[i]);
        else
            snprintf(options->note, sizeof options->note, "TERM is not set: using %s", chain[i]);
        return chain[i];
    }
    err_set(err, ERR_NO_OFFSET, "no description of terminal type '%s': set TERM, or install terminfo", shown);
    return NULL;
}

/* Escape sequences that this terminal's keys send and key.c may not know. */
static void define_keys(void) {
    static const struct {
        const char *capability;
        uint32_t code;
    } keys[] = {
        {"kcuu1", KEY_CURSOR_UP},    {"kcud1", KEY_CURSOR_DOWN},  {"kcub1", KEY_CURSOR_LEFT},
        {"kcuf1", KEY_CURSOR_RIGHT}, {"khome", KEY_TO_HOME},      {"kend", KEY_TO_END},
        {"kpp", KEY_PAGE_UP},        {"knp", KEY_PAGE_DOWN},      {"kich1", KEY_INSERT_},
        {"kdch1", KEY_DELETE_},      {"kcbt", KEY_BACKTAB},       {"kbs", KEY_ERASE},
        {"kent", KEY_ENTERED},       {"kf1", KEY_FUNCTION + 1},   {"kf2", KEY_FUNCTION + 2},
        {"kf3", KEY_FUNCTION + 3},   {"kf4", KEY_FUNCTION + 4},   {"kf5", KEY_FUNCTION + 5},
        {"kf6", KEY_FUNCTION + 6},   {"kf7", KEY_FUNCTION + 7},   {"kf8", KEY_FUNCTION + 8},
        {"kf9", KEY_FUNCTION + 9},   {"kf10", KEY_FUNCTION + 10}, {"kf11", KEY_FUNCTION + 11},
        {"kf12", KEY_FUNCTION + 12},
    };
    key_decoder_init(&term.decoder);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (has(keys[i].capability))
            key_decoder_define(&term.decoder, tigetstr(keys[i].capability), keys[i].code);
}

/* What the terminal offers and the user wants. */
static enum color_depth choose_depth(int wanted) {
    const char *no_color = getenv("NO_COLOR");
    if (wanted < 0 || (wanted == 0 && no_color != NULL && *no_color != '\0') || !has_colors() || start_color() == ERR)
        return COLOR_MONO;
    term.default_colors = use_default_colors() == OK;
    term.direct = COLORS > 256 && (tigetflag("RGB") > 0 || tigetnum("RGB") > 0 || has("RGB"));
    if (term.direct)
        return COLOR_TRUE;
    return COLORS >= 256 ? COLOR_256 : COLORS >= 16 ? COLOR_16 : COLORS >= 8 ? COLOR_8 : COLOR_MONO;
}

static void read_size(void) {
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
    free(term.line);
    term.line = err_calloc((size_t)term.cols + 1, sizeof *term.line);
    grid_resize(&term.shown, term.cols, term.rows);
    prepare_sequences();
}

/* Modes that curses knows nothing of. */
static void enter_modes(void) {
    if (term.speaks_xterm)
        send(term.mouse ? PASTE_ON MOUSE_ON : PASTE_ON);
}

static void leave_modes(void) {
    if (term.speaks_xterm)
        send(term.mouse ? MOUSE_OFF PASTE_OFF : PASTE_OFF);
}

static bool open_descriptors(struct err *err) {
    term.out = open_terminal(STDOUT_FILENO, O_RDWR);
    term.in = term.out < 0 ? -1 : open_terminal(STDIN_FILENO, O_RDWR);
    int in = term.in < 0 ? -1 : fcntl(term.in, F_DUPFD_CLOEXEC, 3);
    int out = in < 0 ? -1 : fcntl(term.out, F_DUPFD_CLOEXEC, 3);
    term.in_file = in < 0 ? NULL : fdopen(in, "r");
    term.out_file = out < 0 ? NULL : fdopen(out, "w");
    if (term.in_file != NULL && term.out_file != NULL && pipe(wake) == 0) {
        for (int i = 0; i < 2; i++) {
            fcntl(wake[i], F_SETFD, FD_CLOEXEC);
            fcntl(wake[i], F_SETFL, O_NONBLOCK);
        }
        return tcgetattr(term.out, &shell_modes) == 0 || err_set(err, ERR_NO_OFFSET, "the terminal does not answer");
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
    close_descriptor(&wake[0]);
    close_descriptor(&wake[1]);
}

/* From before newterm() on, which changes the modes, who runs out of memory restores what there is to restore. */
static void prepare_to_leave(void) {
    restore_out = term.out;
    restore_string.n = retake_string.n = 0;
    taken = 1;
}

static void take_screen(const char *type, struct term_options *options) {
    term.speaks_xterm = has("kmous") || is_emulator(type);
    prepare_sequences();
    /* ncurses 6.4 flushes at every cursor movement until the screen was left and taken again once; before
     * start_color(), or the user's palette is reset. */
    endwin();
    doupdate();
    style_init(choose_depth(options->color));
    raw(); /* Ctrl-C, Ctrl-Z, Ctrl-S and Ctrl-Q are keys */
    noecho();
    nonl();
    tcgetattr(term.out, &screen_modes);
    typeahead(-1);
    set_escdelay(25);
    idcok(stdscr, TRUE);
    idlok(stdscr, FALSE);
    term.hides_cursor = curs_set(0) != ERR;
    leaveok(stdscr, term.hides_cursor);
    term.mouse = options->mouse;
    options->ascii = options->ascii || !term_locale_utf8() || starts_with(type, "linux") || starts_with(type, "vt1");
    term.ascii = options->ascii;
}

bool term_open(struct term_options *options, struct err *err) {
    options->note[0] = '\0';
    if (options->count)
        count.fd = open("/proc/thread-self/io", O_RDONLY | O_CLOEXEC);
    memset(&term, 0, sizeof term);
    term.in = term.out = -1;
    leaving = gone = resized = stopped = continued = 0;
    term_locale_utf8();
    const char *type = NULL;
    if (open_descriptors(err)) {
        remember_handlers();
        type = choose_type(options, err);
        prepare_to_leave();
        term.screen = type == NULL ? NULL : newterm(type, term.out_file, term.in_file);
        if (type != NULL && term.screen == NULL)
            err_set(err, ERR_NO_OFFSET, "cannot use the terminal as %s", type);
    }
    if (type == NULL || term.screen == NULL) {
        taken = 0;
        close_descriptors();
        return false;
    }
    take_screen(type, options);
    define_keys();
    read_size();
    install_handlers();
    term.open = true;
    term.resized_at = INT64_MIN / 2;
    enter_modes();
    term.repaint = true;
    return true;
}

void term_close(void) {
    if (!term.open)
        return;
    leave_modes();
    curs_set(1);
    if (exit_ca_mode == NULL) { /* the picture stays: the prompt gets a line of its own */
        move(term.rows - 1, 0);
        clrtoeol();
        refresh();
    }
    endwin();
    tcsetattr(term.out, TCSANOW, &shell_modes);
    taken = 0;
    remove_handlers();
    delscreen(term.screen);
    grid_free(&term.shown);
    free(term.line);
    close_descriptors();
    if (count.fd >= 0)
        close(count.fd);
    count.fd = -1;
    term.line = NULL;
    term.screen = NULL;
    term.open = false;
}

/* --- Showing --- */

/* A colour as curses wants it. */
static int curses_color(int32_t color, int otherwise) {
    if (color == LOOK_DEFAULT)
        return term.default_colors ? -1 : otherwise;
    if (color < 0x1000000)
        return color < COLORS ? color : otherwise;
    int rgb = color & 0xFFFFFF;
    return rgb < 8 ? 8 : rgb; /* the first eight of a direct-colour terminal are its palette */
}

static attr_t curses_attr(uint8_t attr) {
    return (attr & ATTR_BOLD ? A_BOLD : 0) | (attr & ATTR_DIM ? A_DIM : 0) | (attr & ATTR_REVERSE ? A_REVERSE : 0) |
           (attr & ATTR_UNDERLINE ? A_UNDERLINE : 0);
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
    if (text[0] < ' ' || text[0] == 0x7F || (term.ascii && text[0] > 0x7E)) { /* cells hold no such thing; to be sure */
        text[0] = '?';
        text[1] = 0;
    }
    setcchar(out, text, curses_attr(cell->look.attr), (short)pair, &pair);
}

#define GAP_MOST 4 /* blanks; longer runs are cleared by one sequence, if they have no colour */

/* Does a look show nothing on a blank? */
static bool shows_blank(struct look look) {
    return look.bg == LOOK_DEFAULT && (look.attr & (ATTR_REVERSE | ATTR_UNDERLINE)) == 0;
}

static bool is_blank(const struct cell *cell) {
    return cell->cp[0] == ' ' && cell->cp[1] == 0 && shows_blank(cell->look);
}

/* Is this one of few blanks between other cells? */
static bool in_gap(const struct cell *row, int cols, int x) {
    int end = x;
    while (end < cols && end <= x + GAP_MOST && is_blank(&row[end]))
        end++;
    return end < cols && !is_blank(&row[end]);
}

/* One row to curses, which sends what differs. A wide character is one entry: its right half is left out. Blanks in a
 * gap take the colour of what is before them, so that none is set and set back for nothing. */
static void show_row(const struct cell *row, int cols, int y) {
    struct look look = {LOOK_DEFAULT, LOOK_DEFAULT, 0};
    int n = 0, pair = 0;
    for (int x = 0; x < cols; x++) {
        if (row[x].cp[0] == 0)
            continue;
        struct cell cell = row[x];
        if (is_blank(&cell) && shows_blank(look) && in_gap(row, cols, x))
            cell.look = look;
        if (cell.look.fg != look.fg || cell.look.bg != look.bg)
            pair = pair_of(cell.look);
        look = cell.look;
        make_cell(&term.line[n++], &cell, pair);
    }
    mvadd_wchnstr(y, 0, term.line, n);
}

void term_show(const struct grid *grid) {
    int cols = grid->cols < term.cols ? grid->cols : term.cols, rows = grid->rows < term.rows ? grid->rows : term.rows;
    bool all = term.repaint;
    if (!term.open || gone)
        return;
    if (all)
        clearok(curscr, TRUE);
    for (int y = 0; y < rows; y++) {
        const struct cell *row = &grid->cells[(size_t)y * (size_t)grid->cols];
        struct cell *shown = &term.shown.cells[(size_t)y * (size_t)term.shown.cols];
        if (!all && memcmp(row, shown, (size_t)cols * sizeof *row) == 0)
            continue;
        memcpy(shown, row, (size_t)cols * sizeof *row);
        show_row(row, cols, y);
    }
    if (!term.hides_cursor)
        move(term.rows - 1, term.cols - 1); /* where it disturbs least */
    term.repaint = false;
    wnoutrefresh(stdscr);
    uint64_t before, after;
    bool counts = thread_wrote(&before);
    doupdate();
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
        send(on ? MOUSE_ON : MOUSE_OFF);
    term.mouse = on;
}

/* --- Stopping and going on --- */

/* The screen is ours again: the shell may have changed modes, size and picture. */
static void retake(void) {
    tcsetattr(term.out, TCSANOW, &screen_modes);
    install_handlers();
    read_size();
    taken = 1;
    send_bytes(retake_string.bytes, retake_string.n);
    enter_modes();
    term.repaint = true;
    resized = 1; /* told to the program, so that it draws */
    term.resized_at = INT64_MIN / 2;
}

void term_suspend(void) {
    if (!term.open || before_stop.sa_handler == SIG_IGN)
        return;
    send_bytes(restore_string.bytes, restore_string.n);
    tcsetattr(term.out, TCSANOW, &shell_modes);
    taken = 0;
    struct sigaction stop = {.sa_handler = SIG_DFL};
    sigemptyset(&stop.sa_mask);
    sigaction(SIGTSTP, &stop, NULL);
    kill(0, SIGTSTP); /* the whole job: what feeds our standard input too */
    stopped = continued = 0;
    tcgetattr(term.out, &shell_modes);
    retake();
}

/* SIGCONT without our own stop: somebody sent SIGSTOP, and the shell has drawn over us. */
static void continue_after_stop(void) {
    continued = 0;
    retake();
}

/* --- Keys --- */

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Takes in what is there; at most what the decoder has room for. */
static void read_bytes(void) {
    char bytes[1024];
    size_t room = sizeof term.decoder.bytes - (term.decoder.n - term.decoder.at);
    if (room == 0) /* many keys wait already */
        return;
    ssize_t n = read(term.in, bytes, room < sizeof bytes ? room : sizeof bytes);
    if (n > 0) {
        key_decoder_feed(&term.decoder, bytes, (size_t)n);
        term.read_at = now_ms();
    } else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
        gone = 1;
    }
}

static void empty_wake_pipe(void) {
    char bytes[64];
    while (read(wake[0], bytes, sizeof bytes) > 0)
        continue;
}

/* Smaller of two waits, where negative is for ever. */
static int sooner(int a, int64_t b) {
    if (b < 0)
        return a;
    return a < 0 || b < a ? (int)b : a;
}

static int64_t not_below_0(int64_t x) {
    return x < 0 ? 0 : x;
}

/* Something other than keys that must be told first. */
static bool take_resize(struct key *key) {
    if (stopped)
        term_suspend();
    if (continued)
        continue_after_stop();
    if (!resized || now_ms() - term.resized_at < RESIZE_GAP)
        return false;
    resized = 0;
    term.resized_at = now_ms();
    read_size();
    term.repaint = true;
    *key = (struct key){.code = KEY_RESIZED, .x = term.cols, .y = term.rows};
    return true;
}

bool term_key(struct key *key, int timeout_ms, int fd, bool in_prompt) {
    int64_t start = now_ms();
    bool idle = false;
    *key = (struct key){.code = KEY_TIMEOUT};
    while (term.open && !gone && !leaving) {
        if (take_resize(key))
            return true;
        if (key_decoder_next(&term.decoder, in_prompt, idle, key))
            return true;
        *key = (struct key){.code = KEY_TIMEOUT};
        int patience = key_decoder_patience(&term.decoder);
        int64_t now = now_ms(), rest = patience < 0 ? -1 : not_below_0(term.read_at + patience - now);
        int wait = timeout_ms < 0 ? -1 : (int)not_below_0(start + timeout_ms - now);
        bool last = wait == 0;
        wait = sooner(wait, rest);
        if (resized)
            wait = sooner(wait, not_below_0(term.resized_at + RESIZE_GAP - now));
        struct pollfd fds[3] = {{term.in, POLLIN, 0}, {wake[0], POLLIN, 0}, {fd, POLLIN, 0}};
        int n = poll(fds, 3, wait);
        idle = n == 0 && rest == wait && patience >= 0;
        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0 && fds[1].revents)
            empty_wake_pipe();
        if (n > 0 && fds[0].revents)
            read_bytes();
        else if (n > 0 && fds[2].revents)
            return false;
        else if (n <= 0 && last && !idle)
            return false;
    }
    return false;
}

bool term_pending(void) {
    if (!term.open || gone)
        return false;
    struct pollfd ready = {term.in, POLLIN, 0};
    if (poll(&ready, 1, 0) == 1)
        read_bytes();
    if (resized && now_ms() - term.resized_at >= RESIZE_GAP)
        return true;
    static struct key_decoder trial; /* a copy: the prompt that a paste is for may not be open yet */
    struct key key;
    trial = term.decoder;
    return key_decoder_next(&trial, true, false, &key);
}

int term_signal(void) {
    return leaving != 0 ? leaving : gone ? SIGHUP : 0;
}

bool term_gone(void) {
    return gone;
}
