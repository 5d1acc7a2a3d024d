/* style.h - one table: role x (monochrome, 8, 16, 256 colours, true colour) x background -> colours
 * and attributes. */
#ifndef FXTOP_STYLE_H
#define FXTOP_STYLE_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/str.h"

enum color_depth { COLOR_MONO, COLOR_8, COLOR_16, COLOR_256, COLOR_TRUE };

enum attr { ATTR_BOLD = 1, ATTR_DIM = 2, ATTR_REVERSE = 4, ATTR_UNDERLINE = 8 };

#define LOOK_DEFAULT (-1) /* the terminal's own colour */

struct look {
    /* palette number below 256, or 0x1000000 | rgb at COLOR_TRUE, or LOOK_DEFAULT */
    int32_t fg, bg;
    uint8_t attr;
};

enum role {
    ROLE_TEXT,
    ROLE_TITLE,
    ROLE_DIM,
    ROLE_RULER,
    ROLE_CURSOR,
    ROLE_GUTTER,
    ROLE_GUTTER_CURRENT,
    ROLE_HEADER,
    ROLE_OVERVIEW,
    ROLE_WINDOW_MARK,
    ROLE_DENSITY,
    ROLE_HIT,
    ROLE_STRANGE,
    ROLE_TAB,
    ROLE_TAB_CURRENT,
    ROLE_STATUS,
    ROLE_HINT,
    ROLE_HINT_KEY,
    ROLE_WARN,
    ROLE_ERROR,
    ROLE_PROMPT,
    ROLE_INSTANT,
    ROLE_LABEL,
    ROLE_VALUE,
    ROLE_RUNNING,
    ROLE_RUNNABLE,
    ROLE_BLOCKED,
    ROLE_CURVE,
    ROLE_ARROW,
    ROLE_ARROW_DIM,
    ROLE_TITLE_WARN, /* ROLE_WARN on the ground of the title */
    ROLE_FADED,  /* a slice of a track that does not match the filter: its extent stays visible */
    ROLE_GROUND, /* of a bar in whose column instants are */
    /* a column of density with a hit, whose height has to be seen; marks of the hits of all the
     * trace */
    ROLE_HIT_BAR,
    ROLE_GAP, /* the terminal's background as a text colour: between two slices of one colour */
    ROLE_COUNT
};

void style_init(enum color_depth depth); /* before the first style_look() */
/* of the terminal; dark until it is known; a theme may have its own */
void style_background(bool light);
bool style_light(void);
enum color_depth style_depth(void);
struct look style_look(enum role role);
uint32_t style_name_hash(struct str name); /* FNV-1a: the same in every run */
/* A hash that names which differ in numbers alone share; without digits it is style_name_hash(). */
uint32_t style_pattern_hash(struct str name);
#define STYLE_SERIES 10 /* as many colours of slices at most */
/* The look of a slice by its name: of a ranked name its own colour, of another one a muted one by
 * the hash of its bytes. Until names are ranked, one of all colours by that hash. Text on it is
 * readable. Monochrome: the plain look. */
struct look style_slice(uint32_t name_hash);
/* The look of another name, such as that of a thread: one of all colours, by its hash. */
struct look style_hashed(uint32_t name_hash);
/* the i-th of the same looks; neighbours differ in lightness */
struct look style_series(uint32_t i);
/* How many colours names get: ten, five at 8 and 16 colours. */
uint32_t style_hues(void);
/* Gives the heaviest names colours of their own; hashes: the heaviest first, n at most
 * style_hues(). A name that has one keeps it. 0: no name is ranked. True: a colour has changed. */
bool style_rank(const uint32_t *hashes, uint32_t n);
/* The ranked name with colour i; false: none has it. */
bool style_ranked(uint32_t i, uint32_t *hash);
/* Gives a name the colour i if that is free or the name is ranked: as a session had it. */
void style_keep(uint32_t i, uint32_t hash);
/* Text on that colour of a slice. */
struct look style_on(int32_t color);
/* A grey in place of the black or white of such a text, for marks that are less than it. */
int32_t style_quiet(int32_t text);
/* Reverse and bold; on a coloured background in the terminal's own two colours: they stand out on
 * dark and light. */
struct look style_selected(struct look look);
bool style_eq(struct look a, struct look b);
/* A colour of a look as 0xrrggbb; the first 16 as xterm has them. Not LOOK_DEFAULT. */
int32_t style_rgb(int32_t color);

/* ---- themes ---- */

/* The first: for the background that style_background() got. STYLE_MONO: as if the terminal had no
 * colours. */
enum style_theme { STYLE_AUTO, STYLE_DARK, STYLE_LIGHT, STYLE_CONTRAST, STYLE_MONO };

/* Chooses the looks that changes are made to, and drops all changes. */
void style_theme(enum style_theme theme);
/* The role, or a number from ROLE_COUNT on for the looks of slices, "slice-1" to "slice-10"; -1:
 * there is none. */
int style_role(struct str name);
/* Changes the look of one of these. Colours: 0 to 255, 0x1000000 | rgb, LOOK_DEFAULT; the nearest
 * that the terminal has is taken. */
void style_change(int role, struct look look);

#endif
