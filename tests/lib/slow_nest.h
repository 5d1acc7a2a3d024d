/* slow_nest.h - a slow and obvious reading of SEMANTICS 6: the slices, parents and strays of a set
 * of events. */
#ifndef FXTOP_SLOW_NEST_H
#define FXTOP_SLOW_NEST_H

#include "model/nest/nest_buffer.h"

#define SLOW_NEST_MOST 4096 /* events of a set */

struct slow_event {
    enum nest_event event;
    int64_t time, end;
    uint64_t offset;
    uint32_t name;
};

/* Whether it is a complete event without a known end. */
#define SLOW_UNENDED (-INT64_C(0x5eed5eed5eed5eed)) /* `end` of it */
static inline bool slow_unended(const struct slow_event *e) {
    return e->event == NEST_COMPLETE && e->end == SLOW_UNENDED;
}

struct slow_node {               /* a slice */
    int64_t start, end;          /* INT64_MAX: open */
    uint64_t offset, end_offset; /* 0: has none */
    uint32_t name;
    bool stack, complete, open, mismatch, lost, overlap, unended;
    bool seen;
    int parent, depth, place;
};

extern struct slow_nest {
    struct slow_node nodes[SLOW_NEST_MOST]; /* in nesting order */
    size_t n_nodes;
    struct nest_stray strays[SLOW_NEST_MOST];
    size_t n_strays, n_overlaps, n_mismatches, n_lost;
} slow_nest;

/* Offsets at which records were lost: between a begin and an end, ends close by name
 * (SEMANTICS 6.12). */
#define SLOW_NEST_LOSSES 8
extern uint64_t slow_nest_losses[SLOW_NEST_LOSSES];
extern size_t slow_nest_n_losses;
bool slow_nest_lost(uint64_t from, uint64_t to);

/* Reads n events into slow_nest; they may come in any order. named: ends close by name. */
void slow_nest_read(const struct slow_event *events, size_t n, bool named);

/* The number of the node whose record is at the offset, or -1. */
int slow_nest_at(uint64_t offset);

#endif
