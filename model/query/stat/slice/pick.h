/* pick.h - one slice or operation of a name by its duration: the first in a range of durations, or
 * the next one in the order of ranks.
 *
 * Ranks: the longest first; equal ones by their begin, then by their record. Only those that have
 * ended count, without those with a far time. Valid until the trace changes. Times: ns. */
#ifndef FXTOP_PICK_H
#define FXTOP_PICK_H

#include "model/query/answer.h"
#include "model/query/slice_iter.h"

struct pick_slice {
    uint32_t track, row, i; /* track: as in slice_iter.h */
    int64_t start, dur;
    uint64_t offset;
};

struct pick {
    /* the question */
    struct trace *trace;
    unsigned kind; /* enum slice_iter_kind */
    uint32_t name;
    int64_t least, most; /* durations, both included */
    bool ranked;         /* the first in the order of ranks; else the first by its begin */
    bool has_after;      /* ranked: after this one */
    struct pick_slice after;
    /* the answer */
    bool found;
    struct pick_slice best;
};

/* Asks for the slice that begins first, of those of a duration from `least` to `most`. kind: enum
 * slice_iter_kind. */
void pick_first(struct pick *pick, struct trace *trace, unsigned kind, uint32_t name, int64_t least,
                int64_t most);
/* Asks for the slowest; after: the next slowest after that one, or NULL. */
void pick_slowest(struct pick *pick, struct trace *trace, unsigned kind, uint32_t name,
                  const struct pick_slice *after);
extern const struct answer_ops pick_ops; /* data: a struct pick that was asked */

#endif
