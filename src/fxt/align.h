/* align.h - the shifts of the traces of a set to the clock of one of them, the reference
 * (SEMANTICS 13.2). */
#ifndef FXTOP_ALIGN_H
#define FXTOP_ALIGN_H

#include "src/base/wide.h"
#include "src/io/file.h"

enum align_how { ALIGN_FOUND, ALIGN_WALL, ALIGN_BEGIN, ALIGN_RAW };

enum align_method {
    ALIGN_REFERENCE, /* it is the reference */
    ALIGN_BY_WALL,   /* both know the wall clock */
    ALIGN_BY_CLOCK,  /* their clocks are the same */
    ALIGN_BY_BEGIN,  /* their earliest events are put at the same time */
    ALIGN_AS_WRITTEN,
};

/* The part of a trace in an alignment. */
struct align_part {
    enum align_method method;
    int64_t move; /* ns, to be added to its times; less than 2 * ALIGN_MOST either way */
    /* found on the way: the Unix time of tick 0, if the wall clock is known and sensible */
    bool has_wall;
    int64_t unix_ns;
    uint64_t tps;     /* of its first initialization record; 0: none that knows the wall clock */
    bool seen, whole; /* it was looked at: up to its first event, or to its end */
    bool timed;       /* then: it has an event */
    struct wide first, last; /* ns on its own clock; of all its events if it is `whole` */
};

/* ns; an offset that a user sets is smaller */
#define ALIGN_MOST (INT64_C(1) << 61)

/* Finds the moves of the parts of a file to the clock of the part `reference`. It reads each to its
 * first event, or to its end if that decides; a part that is followed, as far as it is
 * written. False: `failed` is the number of the part that err is about. */
bool align_files(struct file *file, enum align_how how, size_t reference, struct align_part *parts,
                 size_t *failed, struct err *err);

/* Whether times are those of the reference's clock without an error. */
bool align_is_exact(enum align_method method);
/* Whether times of the trace alone placed it: its clock is not known. */
bool align_is_guess(enum align_method method);
/* "by wall clock (as good as NTP)" */
const char *align_text(enum align_method method);

#endif
