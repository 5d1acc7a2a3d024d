/* bulk.h - the stretch of time that holds the bulk of a trace's times, found while reading
 * (SEMANTICS 4.5).
 *
 * The bulk is the shortest stretch that leaves out few times: one in a thousand, or up to 8 and one
 * in 16. Each of these is far off: more than ten lengths of the bulk away. Times of 0 far before an
 * epoch are unset, and in no stretch.
 *
 * Times are counted by their distance from a centre, in octaves of a factor of 8, each with its
 * first and last time. Ten lengths are more than that, so the ends of the bulk are ends of octaves,
 * and exact, if the centre is inside of it. The centre is the median of the first BULK_SAMPLE
 * times: it is outside only if half of these are far off. Memory is constant. Times: ns relative to
 * the reader's base. */
#ifndef FXTOP_BULK_H
#define FXTOP_BULK_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/vec.h"
#include "src/base/wide.h"

#define BULK_SAMPLE 1000u /* times that decide the centre */
#define BULK_OCTAVES 22u  /* each side of the core */
#define BULK_NO_ZERO INT64_MIN

struct bulk_case {
    uint64_t offset; /* bytes */
    int64_t time;
};

struct bulk_octave {
    uint64_t n; /* times; of the core: 0 */
    int64_t first, last;
};

struct bulk {
    uint64_t sure; /* more times of an octave than may ever be far off */
    /* [BULK_OCTAVES] is the core: times of [from, to], at least up to `unit` from the centre.
     * [BULK_OCTAVES + k] and [BULK_OCTAVES - k] reach from unit * 8^(k - 1) to unit * 8^k after and
     * before it. */
    struct bulk_octave octaves[2 * BULK_OCTAVES + 1];
    int64_t centre;
    uint64_t unit;    /* ns; 0: the sample is not complete */
    int64_t from, to; /* from > to: the sample is not complete */
    /* outside of the core, in file order; while the sample is not complete: all times */
    VEC(struct bulk_case) cases;
    int64_t zero; /* tick 0 of the trace's clock, no time is earlier; BULK_NO_ZERO: out of reach */
    /* Never in the core or among the cases: times of 0, and ends of complete events that began at
     * 0, less than a day later; and the first record of each. */
    uint64_t zeros, zero_offset, zero_ends_offset;
    struct bulk_octave zero_ends;
    /* of initialization records */
    struct wide clock, vouched_from, vouched_to; /* clock: of the last one */
    uint64_t unix_ns;                            /* of the last one */
    bool has_clock, vouched;                     /* there was one; two agreed */
};

/* The bulk of the times so far. */
struct bulk_stretch {
    int64_t from, to; /* of its first and last time */
    uint64_t far;     /* times that are far off; 0: from and to are of all times */
    uint64_t unset;   /* times of 0 that mean none */
    /* they and what began there and ended soon: up to this time nothing is far off; BULK_NO_ZERO:
     * none */
    int64_t unset_to;
};

/* sure: a thousandth of all the times that may come, at least. */
void bulk_init(struct bulk *bulk, uint64_t sure);
void bulk_free(struct bulk *bulk);

/* Adds the time of the record at `offset`. */
void bulk_add(struct bulk *bulk, int64_t time, uint64_t offset);

/* Adds the end of the complete event at `offset`, which began at `begin`. */
void bulk_add_end(struct bulk *bulk, int64_t begin, int64_t end, uint64_t offset);

/* Adds times from `first` to `last` if they are in the core. It does not count them: their number
 * is that of all times less the counted ones. False: they have to be added one by one. */
static inline bool bulk_add_core(struct bulk *bulk, int64_t first, int64_t last) {
    struct bulk_octave *core = &bulk->octaves[BULK_OCTAVES];
    if (first >= core->first && last <= core->last)
        return true;
    if (first < bulk->from || last > bulk->to)
        return false;
    core->first = first < core->first ? first : core->first;
    core->last = last > core->last ? last : core->last;
    return true;
}

/* Takes the wall clock of an initialization record, at a time of the trace's clock. */
void bulk_clock(struct bulk *bulk, struct wide ns, uint64_t unix_ns);

/* The time of tick 0, before any time is added. */
void bulk_zero(struct bulk *bulk, int64_t zero);

/* The bulk of so many times, all that were added; false before the first one. base: the
 * reader's. */
bool bulk_find(const struct bulk *bulk, uint64_t times, struct wide base,
               struct bulk_stretch *found);

/* First and last of the core and of what is kept apart for times of 0: with the cases, these are
 * all times. */
void bulk_core(const struct bulk *bulk, bool zeros, int64_t *first, int64_t *last);

static inline bool bulk_is_far(const struct bulk_stretch *bulk, int64_t time) {
    return bulk->far > 0 && (time < bulk->from || time > bulk->to) && time > bulk->unset_to;
}

/* Whether two times are more than ten lengths of the bulk apart. */
bool bulk_apart(const struct bulk_stretch *bulk, int64_t a, int64_t b);

#endif
