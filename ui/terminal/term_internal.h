/* term_internal.h - shared by the files of the terminal (term.h): its state, and the flags that
 * signal handlers set. */
#ifndef FXTOP_TERM_INTERNAL_H
#define FXTOP_TERM_INTERNAL_H

#include <signal.h>
#include <stdio.h>
#include <termios.h>

#include "ui/screen/key_decode.h"
#include "ui/screen/style.h"
#include "ui/terminal/term.h"

#define TERM_MOUSE_ON "\033[?1002h\033[?1006h"
#define TERM_MOUSE_OFF "\033[?1006l\033[?1002l"
#define TERM_PASTE_ON "\033[?2004h"
#define TERM_PASTE_OFF "\033[?2004l"
#define TERM_ASK_BACKGROUND "\033]11;?\033\\"
#define TERM_ASK_SYNC "\033[?2026$p"
#define TERM_SYNC_ON "\033[?2026h"
#define TERM_SYNC_OFF "\033[?2026l"

struct screen; /* of curses */

struct term_sequence { /* bytes for the terminal, prepared before they are needed */
    char bytes[256];
    size_t n;
};

extern struct term_state {
    bool open;
    int in, out;              /* descriptors of the terminal, our own */
    FILE *in_file, *out_file; /* the same, for curses */
    struct screen *screen;
    bool ascii, direct, default_colors, hides_cursor;
    bool speaks_xterm; /* mouse and paste modes may be requested */
    bool mouse;
    bool slow; /* crowded pictures take fewer bytes */
    int cols, rows;
    bool repaint;
    bool asks_background;        /* an answer about it is taken */
    bool synchronized;           /* frames are shown as a whole (mode 2026) */
    int64_t asked_at;            /* ms: when the background and the mode were asked for */
    struct grid shown;           /* the terminal's content: only rows that differ go to curses */
    struct grid next;            /* what it is to show */
    int thinned;                 /* thin_copy() of the last frame */
    int64_t read_at, resized_at; /* ms */
    struct termios shell_modes, screen_modes; /* of the terminal line, outside and inside */
    struct term_sequence retake;              /* takes the screen again */
    int wake[2];                              /* pipe from the handlers to the poll in term_key() */
} term;

/* apart from term, which has initial values and so lies in the file */
extern struct key_decode term_decoder;

extern volatile struct term_flags {
    sig_atomic_t taken;   /* there is a screen to restore */
    sig_atomic_t leaving; /* number of the signal that asks to leave */
    sig_atomic_t gone;    /* the terminal hung up */
    sig_atomic_t resized, stopped, continued;
} term_flags;

extern struct term_sequence term_restore; /* leaves the screen: read by handlers */

/* ---- term_caps.c ---- */

/* TERM, or the nearest type that this machine knows; NULL and err set if there is none. */
const char *term_caps_type(struct term_options *options, struct err *err);
bool term_caps_xterm(const char *type); /* whether it understands xterm's modes */
bool term_caps_answers(const char *type); /* whether it answers questions */
bool term_caps_ascii(const char *type); /* whether it cannot show UTF-8, whatever the locale */
enum color_depth term_caps_depth(int wanted); /* after newterm(); wanted: term_options.color */
/* Sets the style's background: `wanted` (term_options.background), else COLORFGBG, else dark.
 * Returns whether to query the terminal: it is none of those that do not answer. */
bool term_caps_background(const char *type, int wanted);
void term_caps_keys(void);      /* passes the decoder the sequences of this terminal's keys */
void term_caps_sequences(void); /* sets term_restore and term.retake, after each change of size */

/* ---- term_signal.c ---- */

void term_signal_remember(void); /* the handlers as they were, before newterm() sets some */
void term_signal_install(void);  /* ours; signals that were ignored stay so (nohup) */
void term_signal_remove(void);
/* While another program has the terminal: Ctrl-C is meant for it, Ctrl-Z for both. Its exec()
 * resets handlers, so none of them is ignored there that was not before. */
void term_signal_lend(void);
bool term_signal_stop_ignored(void); /* Ctrl-Z cannot stop the program */

/* ---- term_input.c ---- */

/* Before leaving: an answer that was asked for a moment ago must not come as input of the shell. */
void term_input_answer(void);
/* Waits for Enter, q or Ctrl-C; also ends if the program is asked to leave. */
void term_input_enter(void);

/* ---- term_curses.c ---- */

void term_curses_size(void);     /* reads the size, and resizes the buffers */
void term_curses_continue(void); /* after SIGCONT without a stop of our own */

#endif
