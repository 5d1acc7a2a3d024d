/* name_set.h - the names of a trace that a filter (filter.h) matches.
 *
 * Names are few and events are many: each name is matched once, and events are tested by the number of their name.
 * Matching is done in steps. While loading only new names are matched; after the trace was read again
 * (trace_generation()) all of them are. */
#ifndef FXTOP_NAME_SET_H
#define FXTOP_NAME_SET_H

#include "model/query/filter.h"
#include "model/trace/trace.h"
#include "src/base/budget.h"

struct name_set {
    struct trace *trace;         /* borrowed */
    const struct filter *filter; /* borrowed */
    VEC(unsigned char) has;      /* by name: whether it matches; n: names that were matched */
    uint32_t count;              /* names that match */
    uint32_t generation;         /* of the trace when they were matched */
};

void name_set_init(struct name_set *set, struct trace *trace, const struct filter *filter);
void name_set_free(struct name_set *set); /* neither the trace nor the filter */

/* Matches names until the budget is spent; true: all are matched. */
bool name_set_step(struct name_set *set, struct budget *budget);

/* Whether the name was matched and is in the set; O(1). */
static inline bool name_set_has(const struct name_set *set, uint32_t name) {
    return name < set->has.n && set->has.v[name];
}

/* The number of names in the set, among those matched so far. */
static inline uint32_t name_set_count(const struct name_set *set) {
    return set->count;
}

#endif
