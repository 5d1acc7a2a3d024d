/* pattern.h - a smart-case literal, or /re/ a Perl-compatible regular expression, matched against
 * names.
 *
 * Smart case: upper and lower case are the same unless the pattern has an upper-case ASCII letter;
 * of a literal, ASCII letters alone. A regular expression is UTF-8 with Unicode properties, POSIX
 * classes included; its "." matches any character, "$" only the end of the name. Ill-formed parts
 * of a name match nothing but what surrounds them still does. An expression that is not UTF-8
 * itself is matched byte by byte.
 *
 * One match costs at most PATTERN_MOST units, however the expression backtracks; a match that would
 * cost more counts as none. Memory ends the program (err.h). A pattern belongs to one thread. */
#ifndef FXTOP_PATTERN_H
#define FXTOP_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/err.h"
#include "src/base/str.h"

#define PATTERN_MOST 50000u /* units of 10 to 20 ns */

struct pattern;

/* text: "abc" or "/a.c/"; the closing slash may be missing. exact: the whole name equals text,
 * whatever it is. NULL: text is empty, or a bad regular expression; err->text names the fault and
 * its column, the slash being column 1. */
struct pattern *pattern_new(const char *text, bool exact, struct err *err);
/* A literal, whatever its characters; whole: all of the name, by smart case. Not NULL. */
struct pattern *pattern_literal(const char *text, bool whole);
/* text: "/re/" or "/re"; column: of its first slash in the line that err is about. NULL: as
 * pattern_new(). */
struct pattern *pattern_regex(const char *text, size_t column, struct err *err);
void pattern_free(struct pattern *pattern);              /* may be NULL */
const char *pattern_text(const struct pattern *pattern); /* as it was given */
bool pattern_matches(struct pattern *pattern, struct str name);
/* The first group of a regular expression as a part of the name. The whole match if there is none,
 * or it is empty or takes no part. False: it does not match. */
bool pattern_group(struct pattern *pattern, struct str name, struct str *part);
/* The next match of a regular expression that begins at a byte or after it. */
bool pattern_match_from(struct pattern *pattern, struct str name, size_t from, struct str *match);
uint32_t pattern_cost(const struct pattern *pattern); /* of the last match, in units of work */

#endif
