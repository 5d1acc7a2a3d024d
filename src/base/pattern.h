/* pattern.h - a smart-case literal, or /re/ a POSIX extended regular expression, held against names.
 *
 * Smart case: upper and lower case are the same unless the pattern has an upper-case ASCII letter. */
#ifndef FXTOP_PATTERN_H
#define FXTOP_PATTERN_H

#include <stdbool.h>

#include "src/base/err.h"
#include "src/base/str.h"

struct pattern;

/* "abc" or "/a.c/" (the closing slash may be missing); exact: the whole name equals it, whatever it is. Fails in one line
 * on a bad regular expression. An empty pattern is an error. */
struct pattern *pattern_new(const char *text, bool exact, struct err *err);
void pattern_free(struct pattern *pattern);
const char *pattern_text(const struct pattern *pattern); /* as it was given */
bool pattern_matches(struct pattern *pattern, struct str name);

#endif
