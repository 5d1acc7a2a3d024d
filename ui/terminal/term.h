/* term.h - the terminal: shows a grid, gives keys. Only term_curses.c and term_caps.c include
 * ncurses.
 *
 * One terminal at a time (curses has one). RELIABILITY 2 is its contract: screen, cursor, mouse,
 * paste mode and colours are restored on every way out: term_close(), signals that end the program,
 * SIGSEGV and SIGABRT, err_no_memory(). */
#ifndef FXTOP_UI_TERMINAL_TERM_H
#define FXTOP_UI_TERMINAL_TERM_H

#include "src/base/err.h"
#include "ui/screen/grid.h"
#include "ui/screen/key.h"

struct term_options {
    bool ascii;     /* --ascii; also set if the locale or TERM allow nothing else */
    int color;      /* -1 never, 0 auto (NO_COLOR, what TERM offers), 1 always */
    int background; /* 0: COLORFGBG, or what the terminal answers; 1 dark, 2 light */
    bool mouse;
    bool count;     /* counts the bytes of frames: term_written() */
    char note[160]; /* out: the fallback that was taken; "": none */
};

/* Takes the screen. Keys and screen are those of /dev/tty if standard input or output is not a
 * terminal. An unknown TERM falls back along RELIABILITY 2.1, with a note. Fails without a
 * terminal, or if it has no cursor addressing (TERM=dumb). Sets the style's depth and background,
 * and options->ascii. A background that is not known is asked for (OSC 11) and never waited for: it
 * is dark until the answer comes. */
bool term_open(struct term_options *options, struct err *err);
void term_close(void);

void term_size(int *cols, int *rows);

/* Shows the grid: sends the rows that changed, in few writes; after a resize, SIGCONT or
 * term_redraw(), all of it. */
void term_show(const struct grid *grid);
void term_redraw(void);
/* Bytes that frames wrote to the terminal, if term_options.count is set. False if the system does
 * not count them. Also after term_close(). */
bool term_written(uint64_t *bytes, uint64_t *most);

/* Waits at most timeout_ms (-1: for ever) for a key, or until fd (>= 0) is readable. Returns false
 * for neither a key nor a resize: then look at term_signal() and term_gone(). Keys that belong to
 * pastes outside a prompt, replies and unknown sequences are eaten; after them it returns false,
 * too. A resize is a key: KEY_RESIZED, the new size in x and y. So is a stop, and a background that
 * turns out to be light. Several resizes within a fifth of a second are one. Ctrl-C, Ctrl-Z, Ctrl-S
 * and Ctrl-Q are keys. */
bool term_key(struct key *key, int timeout_ms, int fd, bool in_prompt);
/* Whether a key is waiting already. Frames are drawn only after the last one was taken. */
bool term_pending(void);

/* Restores screen, cursor and modes, with system calls that a signal handler may make; main passes
 * it to err_no_memory_hook. Does nothing if the screen is not taken. */
void term_restore_raw(void);
/* The same before SIGBUS ends the program; to be called before the first file is opened
 * (file.h). */
void term_handle_bus(void);

void term_send(const char *bytes, size_t n); /* past the grid, which they must not move: OSC 52 */
void term_mouse(bool on);
void term_cursor(bool shown); /* at grid.here_x, here_y; hidden at first */
/* Whether the line to the terminal is slow: then frames of 120x40 take 10 kB at most (thin.h). */
void term_slow(bool slow);
bool term_remote(void); /* by the environment: it is at the other end of ssh */
/* Lends the terminal to another program: leaves the screen, with the shell's modes. Keys such as
 * Ctrl-C are for that program until term_take_back(). in, out: descriptors of the terminal, which
 * stay ours. */
void term_lend(int *in, int *out);
/* Takes the screen again; the next key is KEY_RESIZED. ask: a text that is shown first, until
 * Enter; NULL: none. */
void term_take_back(const char *ask);
void term_suspend(void); /* Ctrl-Z: back to the shell, and all again at SIGCONT */
/* The number of the signal that asks to leave (TERM, INT, QUIT, HUP; HUP also when the terminal is
 * gone), 0: none. A second one while the program is busy ends it at once, the terminal restored. */
int term_signal(void);
bool term_gone(void); /* the terminal hung up */

/* Whether the environment uses UTF-8, for --print and tests without a terminal. Sets LC_CTYPE,
 * nothing else. */
bool term_locale_utf8(void);

#endif
