/* style.h - one table: role x (monochrome, 8, 16, 256 colours, true colour) -> colours and attributes. */
#ifndef FXTOP_STYLE_H
#define FXTOP_STYLE_H

#include <stdbool.h>
#include <stdint.h>

enum color_depth { COLOR_MONO, COLOR_8, COLOR_16, COLOR_256, COLOR_TRUE };

enum attr { ATTR_BOLD = 1, ATTR_DIM = 2, ATTR_REVERSE = 4, ATTR_UNDERLINE = 8 };

#define LOOK_DEFAULT (-1) /* the terminal's own colour */

struct look {
    int32_t fg, bg; /* palette number below 256, or 0x1000000 | rgb at COLOR_TRUE, or LOOK_DEFAULT */
    uint8_t attr;
};

enum role {
    ROLE_TEXT, ROLE_TITLE, ROLE_DIM, ROLE_RULER, ROLE_CURSOR, ROLE_GUTTER, ROLE_GUTTER_CURRENT, ROLE_HEADER,
    ROLE_OVERVIEW, ROLE_WINDOW_MARK, ROLE_DENSITY, ROLE_HIT, ROLE_STRANGE, ROLE_TAB, ROLE_TAB_CURRENT, ROLE_STATUS,
    ROLE_HINT, ROLE_HINT_KEY, ROLE_WARN, ROLE_ERROR, ROLE_PROMPT, ROLE_INSTANT, ROLE_LABEL, ROLE_VALUE, ROLE_RUNNING,
    ROLE_RUNNABLE, ROLE_BLOCKED, ROLE_CURVE, ROLE_ARROW, ROLE_ARROW_DIM,
    ROLE_COUNT
};

void style_init(enum color_depth depth); /* before the first style_look() */
enum color_depth style_depth(void);
struct look style_look(enum role role);
/* The look of a slice by its name: stable across runs (hash of the bytes), from twelve colour-blind-safe hues (six at 8
 * and 16 colours). `alternate` picks the lighter or darker shade (at 8: bold or underlined) so that neighbours differ.
 * Text on it is readable. Monochrome: the plain look. */
struct look style_slice(uint32_t name_hash, bool alternate);
/* Reverse and bold; on a coloured background in the terminal's own two colours: they stand out on dark and light. */
struct look style_selected(struct look look);
bool style_eq(struct look a, struct look b);

#endif
