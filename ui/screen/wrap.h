/* wrap.h - where a text is broken into lines of a width. Text is measured as it will be drawn
 * (src/base/text.h). */
#ifndef FXTOP_WRAP_H
#define FXTOP_WRAP_H

#include "src/base/text.h"

#define WRAP_LINES 1000 /* of one text, at most: longer ones are cut */

enum wrap_at {
    WRAP_ANYWHERE, /* between characters */
    /* before the last blank that fits, but not between a number and its unit; else anywhere */
    WRAP_BLANK,
    WRAP_HALF, /* after a blank in the second half of the line; else anywhere */
};

/* Bytes of the first line: at least one character, however narrow the line is. The text has no line
 * ends. */
size_t wrap_fit(struct str text, size_t columns, unsigned flags, enum wrap_at at);

/* wrap_fit() at blanks, for a text that begins with a word on a line that has only `columns` left.
 *
 * A word goes to the next line if it fits into the `full` columns there: 0 if that is the first
 * word. A longer one begins on this line. */
size_t wrap_fill(struct str text, int columns, int full, unsigned flags);

/* Columns of the first word, a number with its unit; or more than `most`. */
size_t wrap_word(struct str text, size_t most, unsigned flags);

/* Takes the next line off the text, which is broken at its line ends and between characters. */
struct str wrap_take(struct str *rest, int columns, unsigned flags);
/* How many such lines a text has: at least 1, at most WRAP_LINES. */
int wrap_count(struct str text, int columns, unsigned flags);

#endif
