/* key.h - key codes and their names, both ways: "a", "<Tab>", "<C-z>", "<PgUp>", "<lt>". */
#ifndef FXTOP_KEY_H
#define FXTOP_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum key_code { /* above Unicode; below it a character is itself */
    KEY_NONE = 0,
    KEY_CTRL_BASE = 0x200000, /* + letter: <C-z> is KEY_CTRL('z') */
    KEY_ESCAPE = 0x210000,
    KEY_ENTERED, /* Enter: curses owns KEY_ENTER */
    KEY_TABBED,
    KEY_BACKTAB,
    KEY_ERASE, /* Backspace */
    KEY_CURSOR_UP, KEY_CURSOR_DOWN, KEY_CURSOR_LEFT, KEY_CURSOR_RIGHT,
    KEY_PAGE_UP, KEY_PAGE_DOWN, KEY_TO_HOME, KEY_TO_END, KEY_INSERT_, KEY_DELETE_,
    KEY_FUNCTION, /* + 1..12 */
    KEY_FUNCTION_LAST = KEY_FUNCTION + 12,
    KEY_POINTER, /* mouse: x, y, what */
    KEY_RESIZED,
    KEY_TIMEOUT,
};
#define KEY_CTRL(c) (KEY_CTRL_BASE + (c))

enum pointer_what { POINTER_PRESS, POINTER_RELEASE, POINTER_DRAG, POINTER_WHEEL_UP, POINTER_WHEEL_DOWN };

struct key {
    uint32_t code;
    int x, y;     /* KEY_POINTER: cell; KEY_RESIZED: columns, rows */
    uint8_t what; /* enum pointer_what */
};

/* The name as --list-keys prints it, in buf. */
const char *key_name(uint32_t code, char buf[16]);
/* Takes one key off the front of *keys ("ab<Tab><C-z><lt>"); false at the end or where a name in <> is unknown
 * (*keys then points at it). Names are case-insensitive. Also the mouse, cells from 0: <Click:x,y> <Release:x,y>
 * <Drag:x,y> <WheelUp:x,y> <WheelDown:x,y>; and <Resize:80x24>. Keys that terminals cannot tell apart are the same
 * here: <C-i> is <Tab>, <C-m> and <C-j> are <Enter>, <C-h> is <BS>, <C-[> is <Esc>. */
bool key_parse(const char **keys, struct key *key);

/* Bytes of a terminal as keys: xterm, rxvt, linux console and vt100 keys with modifiers ignored, SGR and X10 mouse,
 * bracketed paste. Replies, focus reports and unknown sequences are eaten, whole and in pieces. Any bytes will do. */
struct key_sequence {
    char bytes[12];
    uint8_t n;
    uint32_t code;
};

struct key_decoder {
    unsigned char bytes[4096]; /* not yet decoded: bytes[at..n) */
    size_t at, n;
    uint8_t state;             /* private to key.c */
    bool paste_wanted;
    struct key_sequence extra[64]; /* what the terminal's own description adds */
    int extra_n;
};

void key_decoder_init(struct key_decoder *decoder);
/* Adds a sequence that starts with ESC; one that is known already, or too long, or one too many, is left out. */
void key_decoder_define(struct key_decoder *decoder, const char *sequence, uint32_t code);
/* Takes up to n bytes in; returns how many there was room for (all, once key_decoder_next() has returned false). */
size_t key_decoder_feed(struct key_decoder *decoder, const char *bytes, size_t n);
/* Where what came so far is the beginning of something: the milliseconds to wait for its rest, else -1. */
int key_decoder_patience(const struct key_decoder *decoder);
/* The next key. `in_prompt`: pasted characters are keys (line ends and controls dropped), else they are eaten. `idle`:
 * the patience ran out, so a lone ESC is the Escape key and anything else unfinished is dropped. */
bool key_decoder_next(struct key_decoder *decoder, bool in_prompt, bool idle, struct key *key);

#endif
