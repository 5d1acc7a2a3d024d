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
                KEY_CURSOR_UP,
                KEY_CURSOR_DOWN,
                KEY_CURSOR_LEFT,
                KEY_CURSOR_RIGHT,
                KEY_PAGE_UP,
                KEY_PAGE_DOWN,
                KEY_TO_HOME,
                KEY_TO_END,
                KEY_INSERT_,
                KEY_DELETE_,
                KEY_FUNCTION, /* + 1..12 */
                KEY_FUNCTION_LAST = KEY_FUNCTION + 12,
                KEY_POINTER, /* mouse: x, y, what */
                KEY_RESIZED,
                KEY_TIMEOUT,
};
#define KEY_CTRL(c) (KEY_CTRL_BASE + (c))

enum pointer_what {
    POINTER_PRESS,
    POINTER_RELEASE,
    POINTER_DRAG,
    POINTER_WHEEL_UP,
    POINTER_WHEEL_DOWN
};

struct key {
    uint32_t code;
    int x, y;     /* KEY_POINTER: cell; KEY_RESIZED: columns, rows */
    uint8_t what; /* enum pointer_what */
};

/* The name as --list-keys prints it, in buf. */
const char *key_name(uint32_t code, char buf[16]);
/* Takes one key off the front of *keys ("ab<Tab><C-z><lt>"); false at the end or if a name in <> is
 * unknown (*keys then points at it). Names are case-insensitive. Also the mouse, cells from 0:
 * <Click:x,y> <Release:x,y> <Drag:x,y> <WheelUp:x,y> <WheelDown:x,y>; and <Resize:80x24>. Keys with
 * the same bytes are the same key: <C-i> is <Tab>, <C-m> and <C-j> are <Enter>, <C-h> is <BS>,
 * <C-[> is <Esc>. */
bool key_parse(const char **keys, struct key *key);

/* A byte below 0x20, or DEL, as a key. */
uint32_t key_of_control(unsigned char byte);

#endif
