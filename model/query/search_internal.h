/* search_internal.h - what the files of search.h share. */
#ifndef FXTOP_SEARCH_INTERNAL_H
#define FXTOP_SEARCH_INTERNAL_H

#include "model/query/aggregate.h"
#include "model/query/filter/filter_match.h"
#include "model/query/search.h"

/* to find a place in a series, mostly not in a cache */
#define SEARCH_SERIES_UNITS 8
#define SEARCH_CHEAP 8 /* entries for a unit of work */

/* A walk over series. With complete counts it is over those with hits, by their place in the
 * counts. */
struct search_walk {
    uint32_t track, row;
    size_t place;
};

/* The entries that a hit is searched in: those after `at` (or before it) in the order of hits, at
 * times [lo, hi]. */
struct search_range {
    struct hit at;
    bool forward;
    bool around; /* wrapped: from the other end of the trace to the time of `at` */
    int64_t lo, hi;
};

struct search_looking { /* for the next hit */
    struct hit at;
    bool forward, wrap;
    uint64_t left;      /* ns of the trace to look through */
    bool found, around; /* around: it has wrapped */
    struct hit best;    /* of those in the last window */
    struct task *task;
};

struct search_ranking {
    struct hit of;
    uint64_t version; /* of the trace; UINT64_MAX: no rank was requested */
    bool known;
    uint64_t rank; /* so far */
    struct search_walk walk;
};

struct search_columns {
    VEC(int64_t) edges;              /* n: columns + 1; 0: none were requested */
    VEC(unsigned char) flags, shown; /* of the columns; shown: of the edges completed last */
    uint64_t version;
    struct search_walk walk;
    bool known;
};

struct search_flow_threads { /* the threads with counted points of flows */
    VEC(unsigned char) has;  /* by thread */
    uint32_t next;           /* the point to look at next */
    uint64_t version;        /* of the trace; meaningful if known or next > 0 */
    bool known;
};

struct search_place {      /* the last answer of search_at(), for the hit after it */
    uint64_t k, version;   /* version: of the trace */
    struct slice_series s; /* n = 0: there is none */
    uint32_t i;
};

struct search_marked {      /* a bit per entry of a series: whether it is a hit */
    uint32_t track, row, n; /* n: entries that were tested */
    uint32_t size;          /* of the series */
    uint64_t few;           /* the bits if size is at most 64 */
    uint64_t *bits;         /* else; NULL: none is */
};

struct search {
    struct trace *trace;
    struct filter *filter;
    struct filter_match *match;
    const unsigned char *names; /* by name, if it alone decides: filter_match_names() */
    size_t nnames;
    uint32_t generation;  /* of the trace when they were matched */
    unsigned kinds;       /* of series that can hold hits */
    uint32_t extra;       /* units that events have cost since they were charged last */
    VEC(uint64_t) before; /* sum_series() */
    /* unless names decide: in the order of the series that are counted */
    VEC(struct search_marked) marked;
    struct aggregate hits; /* one row: their count, and the running counts of each series */
    uint64_t version;      /* of the trace that is counted */
    bool all_counted;
    struct search_place place;
    struct search_looking looking;
    struct search_ranking ranking;
    struct search_columns columns;
    struct search_flow_threads flow_threads;
};

/* Whether entry i of a series is a hit. */
bool search_is_hit(struct search *search, const struct slice_series *s, uint32_t i);
/* The number of entries of the series before `at` in (time, thread, row, i) order; included: and
 * `at` itself. */
uint32_t search_up_to(const struct slice_series *s, const struct hit *at, bool included);
/* The first entry at or after t. */
uint32_t search_from(const struct slice_series *s, int64_t t);
/* Whether the counts of all series are known and valid. */
bool search_has_counts(const struct search *search);
uint64_t search_total(const struct search *search);
/* The next series with counted hits; *c: its counts. */
bool search_next_counted_series(const struct search *search, struct search_walk *walk,
                                struct slice_series *s, const struct aggregate_series **c,
                                struct task *task);
bool search_is_current(const struct search *search);
bool search_same_hit(const struct hit *a, const struct hit *b);

#endif
