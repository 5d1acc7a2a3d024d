/* filter_match_internal.h - what the files of filter_match.h share. */
#ifndef FXTOP_FILTER_MATCH_INTERNAL_H
#define FXTOP_FILTER_MATCH_INTERNAL_H

#include "model/query/filter/filter_match.h"
#include "model/query/filter/filter_sets.h"

enum filter_match_cost {
    FILTER_COST_TRACK,
    FILTER_COST_NAME,
    FILTER_COST_WORDS,
    FILTER_COST_NEIGHBOURS,
    FILTER_COST_TEXT,
    FILTER_COST_RECORD
};

#define FILTER_TERM_UNITS 3   /* of a term but those on records */
#define FILTER_RECORD_UNITS 6 /* of decoding a record */

enum filter_reading {
    FILTER_READING_UNKNOWN,
    FILTER_READING_ARGUMENT,
    FILTER_READING_FILE,
    FILTER_READING_TEXT,
    FILTER_READING_NOTHING /* arg.NAME that no event has */
};

struct filter_match {
    struct trace *trace;
    const struct filter *filter;
    VEC(size_t) order;                 /* of terms, by cost */
    VEC(enum filter_reading) readings; /* by term */
    struct filter_names *names;        /* by term, then those that all terms allow */
    uint32_t named;                    /* of these: how many names */
    uint32_t generation;               /* of the trace when they were matched */
    unsigned kinds;                    /* enum filter_kind */
    bool names_alone, has_sets, asks_problem;
    struct filter_sets sets;
    VEC(uint64_t) problems; /* offsets of their records, sorted */
    uint64_t version;       /* of the trace that the rest is ready for */
    struct task *making;    /* NULL: nothing was asked yet */
    /* the last answer */
    uint32_t series_track;
    uint64_t series_version;
    bool track_holds;
    uint32_t cost;
    uint32_t cpu;              /* the place of the CPU that was found last */
    struct slice_series asked; /* of the last filter_match_slice(), for: */
    uint64_t asked_version;
};

/* When a term is evaluated. */
enum filter_match_cost filter_match_cost_of(const struct filter_term *term);
/* Whether term k is about the name of an event, and nothing else. */
static inline bool filter_match_is_name(const struct filter_match *match, size_t k) {
    enum filter_field field = match->filter->terms.v[k].field;
    return (field == FILTER_TEXT && match->filter->owner == FILTER_NO_OWNER) ||
           field == FILTER_NAME || match->readings.v[k] == FILTER_READING_TEXT;
}
/* The record of the end of entry i; 0: none. */
uint64_t filter_match_end(const struct filter_match *match, const struct slice_series *series,
                          uint32_t i);

#endif
