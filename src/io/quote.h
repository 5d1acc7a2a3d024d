/* quote.h - texts that are read as commands: a word of a shell, and a line of commands.
 *
 * All that is given away to be pasted, or kept to be run again, is quoted here: names come from
 * traces, and a name must stay one argument whatever its bytes are. */
#ifndef FXTOP_QUOTE_H
#define FXTOP_QUOTE_H

#include <stdbool.h>

#include "src/base/str.h"

/* The string as one word of sh, dash, bash, zsh and fish, in memory that the caller frees: as it
 * is, 'so', or, if a character is strange by `flags` (text.h), as octal numbers that printf of the
 * shell makes bytes of. A string has no NUL. always: in quotes even if it needs none. */
char *quote_shell(struct str s, unsigned flags, bool always);

/* A line of commands without its end, in memory that the caller frees: the words, a blank, the
 * text. If the text cannot be typed, or has a blank at either end, QUOTE_LINE precedes the words,
 * and such bytes are %NN in base 16. */
char *quote_line(const char *words, struct str text);
#define QUOTE_LINE "place escaped "
/* The words and the text of a line of quote_line(), in memory that the caller frees; another line
 * is copied. NULL: a % precedes no byte. */
char *quote_line_read(const char *line);

#endif
