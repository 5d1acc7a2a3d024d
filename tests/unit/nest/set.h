/* set.h - random sets of events for suite_nest, and the callbacks of a nest about them. */
#ifndef FXTOP_NEST_SET_H
#define FXTOP_NEST_SET_H

#include "tests/lib/chance.h"
#include "tests/lib/slow_nest.h"

extern struct slow_event set_events[SLOW_NEST_MOST];
extern size_t set_n_events;
extern int set_number; /* for messages */
extern struct chance set_chance;

/* The number of facts that set_aside has stored; 0 forgets them. */
extern size_t set_n_facts;
extern const struct slice_extra set_aside;
extern uint64_t set_read; /* offset of the last event so far: losses after it are not known */

/* How a set looks: some writers have one of these habits; damage has several at a time. */
struct set_taste {
    unsigned begins, ends, completes; /* weights */
    uint64_t steps;                   /* by which time goes on at most */
    uint64_t longest;                 /* complete events */
    unsigned late;                    /* one in so many comes from earlier; 0: none */
    uint64_t how_late;
    uint64_t names;
    uint64_t apart;   /* records in words */
    int64_t unit;     /* ns */
    unsigned settle;  /* one in so many events is followed by a settling */
    bool calls;       /* make_calls() */
    bool named;       /* ends close by name */
    unsigned unended; /* one in so many complete events has no known end; 0: none */
};

struct set_taste set_any_taste(void);

/* Makes n events of a taste, and forgets all facts. */
void set_make(const struct set_taste *t, size_t n);

/* Loses records at some places of the set, or none. */
void set_lose(void);

/* Makes events of a program that calls and returns, whose clock has a tick for several of them:
 * begins and ends as they happen, complete events when they end. `most`: then all ends follow. */
void set_make_coarse(size_t most);

/* The events as they were, for the message of a failed test. Valid until the next call. */
const char *set_show(void);

#endif
