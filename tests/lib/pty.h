/* pty.h - a pseudo-terminal and its user: starts a program, types, resizes, reads its output, and
 * keeps the screen that an xterm would show, with the modes that the program set.
 *
 * The driver holds the program's end open too, so that tcgetattr() still answers when the program
 * has ended. Waits end when something was seen, or after PTY_PATIENCE_MS. Failures of the system
 * end the driver. */
#ifndef FXTOP_PTY_H
#define FXTOP_PTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>

#include "src/base/vec.h"

#define PTY_PATIENCE_MS 20000
#define PTY_PICTURE "[1 Timeline]"
#define PTY_INDEXING "  idx " /* in the title: how much of the file was read */
#define PTY_READING "  reading "
#define PTY_WAITING "  waiting " /* as the one before: the end of a pipe was not read yet */

struct pty_screen {
    uint32_t *cells;
    int x, y;
};

struct pty {
    int master, slave;
    pid_t pid; /* 0: none */
    int cols, rows;
    struct termios before; /* the modes as they were when it was opened */
    VEC(char) out;         /* all that was written since pty_forget() */
    uint64_t bytes, reads; /* of it, and how often something came */
    /* the screen */
    struct pty_screen screens[2];
    bool alternate, cursor, wraps; /* wraps: the next character goes to the next line */
    int top, bottom;               /* of what scrolls */
    int saved_x, saved_y;
    bool colored, graphics; /* attributes or line drawing are on */
    unsigned mouse, paste;  /* of modes 1000 to 1006, and 2004, those that are on */
    char sequence[256];     /* the escape sequence so far */
    size_t sequence_n;
    uint32_t code; /* the UTF-8 character so far */
    int more;      /* bytes of it to come */
};

enum pty_how {
    PTY_PLAIN = 0,
    PTY_STDIN = 1,     /* keeps standard input as it is: the terminal is the controlling one */
    PTY_STDOUT = 2,    /* keeps standard output */
    PTY_STDERR = 4,    /* keeps standard error */
    PTY_NO_CONTROL = 8 /* it is nobody's controlling terminal */
};

void pty_open(struct pty *pty, int cols, int rows);
void pty_close(struct pty *pty); /* ends the program, too */
/* A process whose terminal it is; 0 in the child. how: enum pty_how. */
pid_t pty_fork(struct pty *pty, unsigned how);
void pty_signal(const struct pty *pty, int number); /* to what runs on it, if anything does */
/* Does the same for a program: argv[0] is looked for in PATH. */
void pty_start(struct pty *pty, unsigned how, const char *const *argv);
void pty_resize(struct pty *pty, int cols, int rows);
void pty_type(struct pty *pty, const char *keys);
void pty_forget(struct pty *pty);
/* The driver's end is closed: the terminal is gone. */
void pty_hang_up(struct pty *pty);

/* Reads output until none came for so long; false: none came at all. */
bool pty_take(struct pty *pty, int quiet_ms);
/* Reads output until all that was typed is answered: the program has read it and sleeps, and
 * nothing came for so long. A busy machine may let a program wait longer than any such time. */
void pty_settle(struct pty *pty, int quiet_ms);
/* Until a line of the screen holds the text. */
bool pty_see(struct pty *pty, const char *text);
bool pty_shows(const struct pty *pty, const char *text);
/* Until fxtop's first picture of the whole file is there. Before that a key is answered from a part
 * of it. */
bool pty_see_loaded(struct pty *pty);
bool pty_loaded(const struct pty *pty);
/* Until the output holds these bytes. */
bool pty_wrote(struct pty *pty, const char *bytes);
/* Waits until the program has ended: its status as in a shell (128 + signal), or -1 if it goes
 * on. */
int pty_ended(struct pty *pty, int patience_ms);
/* A line of the screen as UTF-8, blanks at its end left out: free it. */
char *pty_line(const struct pty *pty, int y);
void pty_print(const struct pty *pty); /* the screen, to standard error */
/* Compares the terminal with its state before the program: NULL, or the first difference. */
const char *pty_left(const struct pty *pty);

/* How often the program was woken; -1 if the system does not count it. */
long pty_wakes(const struct pty *pty);

int64_t pty_now_ms(void);

#endif
