/* unended.h - slices and states that have no end, among those whose durations an answer has read.
 *
 * A hang has no end, so it is in no duration. An answer is not sure if such a slice has lasted
 * longer than all that ended. */
#ifndef FXTOP_UNENDED_H
#define FXTOP_UNENDED_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/str.h"

struct source;

struct unended {
    uint64_t names;   /* with such slices; 0: there are none */
    bool unsure;      /* of the one below, such a slice has lasted longer than all that ended */
    struct str name;  /* of the trace, or a state: the one whose slice has lasted longest */
    const char *noun; /* slice, state */
    uint64_t n;       /* its slices without an end */
    int64_t lasted;   /* the longest of these, ns */
};

/* Takes the notes of the answer so far. */
struct unended unended_take(struct source *source);

#endif
