/* unended.h - slices and states that have no end, among those whose durations an answer has read.
 *
 * A hang has no end, so it is in no duration. An answer is not sure if such a slice has lasted
 * longer than all that ended. */
#ifndef FXTOP_UNENDED_H
#define FXTOP_UNENDED_H

#include <stdbool.h>
#include <stdint.h>

#include "model/query/slice_iter.h"
#include "sql/source.h"

struct unended {
    enum source_open_kind kind;
    uint64_t names;   /* with such slices; 0: there are none */
    bool unsure;      /* of the one below, such a slice has lasted longer than all that ended */
    struct str name;  /* of the trace, or a state: the one whose slice has lasted longest */
    const char *noun; /* slice, state, flow */
    uint64_t n;       /* its slices without an end */
    int64_t lasted;   /* the longest of these, ns */
};

/* Takes the notes of the answer so far. */
struct unended unended_take(struct source *source);
/* The sentence of them, if there are any: why the answer is not sure, or a note. */
const char *unended_text(const struct unended *open, bool ascii, char buf[SLICE_ITER_OPEN_TEXT]);

#endif
