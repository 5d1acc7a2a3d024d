/* name_pattern.h - names that differ in numbers or quoted parts alone, as one: `ProfilerStep#N`,
 * `Worker #N`, `action '...'`. */
#ifndef FXTOP_NAME_PATTERN_H
#define FXTOP_NAME_PATTERN_H

#include "src/base/str.h"
#include "src/base/vec.h"

struct name_pattern { /* a text; its owner frees it with vec_free() */
    char *v;
    size_t n, cap;
};

/* Appends the name with N for each run of digits, 0xN for a hexadecimal number, and three dots
 * between quotes. An apostrophe within a word is no quote. */
void name_pattern_add(struct str name, struct name_pattern *to);
/* Does that, but leaves quoted parts as they are. */
void name_pattern_add_numbers(struct str name, struct name_pattern *to);
/* Appends a regular expression that fits the names of a pattern. */
void name_pattern_regex(struct str pattern, struct name_pattern *to);

#endif
