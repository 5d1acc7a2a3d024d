/* text.h - the only way of a trace's text (and file names) to the screen, to text output and to
 * error messages.
 *
 * RELIABILITY 1: strict UTF-8, each maximal bad part one U+FFFD; C0 and DEL as ^X. C1, U+2028/9,
 * format, default-ignorable, private-use, unassigned characters and noncharacters visible as
 * <U+202E> (one substitute in tracks). Widths 1 and 2 only if utf8proc and libc agree, else
 * substituted. At most two combining marks, only after a base; regional indicators, ZWJ, variation
 * selector 16 substituted. In ASCII: \xNN, \u{N}. The same answer in every locale. Linear; no
 * allocation except text_dup. */
#ifndef FXTOP_TEXT_H
#define FXTOP_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/str.h"

struct err;

enum text_flags {
    TEXT_ASCII = 1, /* only printable ASCII comes out */
    TEXT_TRACK = 2, /* a strange character becomes one substitute cell, newlines and tabs too */
};

struct glyph {      /* content of one cell, or of two if wide */
    uint32_t cp[3]; /* base and up to two combining marks, 0 ends */
    uint8_t width;  /* 1 or 2 columns */
    bool strange;   /* part of an escape or a substitute: drawn in its own style */
};

struct text { /* an iterator over one string */
    struct str rest;
    unsigned flags;
    char pending[16]; /* the rest of an escape being spelled out, at most \xNN three times */
    uint8_t pending_at, pending_n;
};

struct text text_begin(struct str s, unsigned flags);
bool text_next(struct text *text, struct glyph *glyph);

/* Columns the string takes (stops counting at limit). */
size_t text_width(struct str s, unsigned flags, size_t limit);

/* The string without the characters of its first columns; less is left out if an escape or a wide
 * one would be cut. */
struct str text_skip(struct str s, unsigned flags, size_t columns);

/* Writes the visible form as UTF-8 (or ASCII), NUL-terminated and never cut inside a character;
 * returns its length. */
size_t text_plain(char *out, size_t cap, struct str s, unsigned flags);

/* Returns the whole text so, in memory that the caller frees. */
char *text_dup(struct str s, unsigned flags);

/* Whether it is text, not data: hardly a character that a terminal cannot show, in the first 4096
 * bytes. */
bool text_readable(struct str s);

/* Appends the inside of a JSON string through put(ctx, bytes, n), EXPORT 2.3: bad UTF-8 becomes
 * U+FFFD, controls and all that RELIABILITY 1.2 substitutes are \u escapes. */
void text_json(struct str s, void (*put)(void *ctx, const char *bytes, size_t n), void *ctx);

/* The number of leading bytes that are printable ASCII which text_json() passes as they are. */
size_t text_json_plain(struct str s);

/* Prints a line "fxtop: WHAT: NOTE..." to standard error. what: a path, of which "-" is standard
 * input, or NULL. */
void text_complain(const char *what, const char *note, bool ascii, const struct err *err);
/* From now on it drops those of which NOTE is "note: ". */
void text_quiet(void);

/* Whether RELIABILITY 1.2 or 1.3 substitutes the character. */
bool text_strange(uint32_t cp);

size_t text_utf8(uint32_t cp, char out[4]); /* encodes; returns 1..4 */

/* Takes one character, or one maximal ill-formed part (then *cp is TEXT_BAD), off the front of s,
 * which is not empty; returns its length. */
#define TEXT_BAD UINT32_MAX
size_t text_decode(struct str s, uint32_t *cp);

#endif
