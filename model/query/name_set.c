/* name_set.c - one byte for each name, filled in the order of their numbers.
 *
 * The length of the array is the number of names that were matched, so a step continues there. A match is charged with
 * the cost that the filter reports (filter_cost()), for a regular expression may be expensive. */
#include "model/query/name_set.h"

void name_set_init(struct name_set *set, struct trace *trace, const struct filter *filter) {
    *set = (struct name_set){.trace = trace, .filter = filter, .generation = trace_generation(trace)};
}

void name_set_free(struct name_set *set) {
    vec_free(&set->has);
}

bool name_set_step(struct name_set *set, struct budget *budget) {
    const struct names *names = reader_names(trace_reader(set->trace));
    uint32_t n = names_count(names);
    if (set->generation != trace_generation(set->trace)) {
        set->has.n = set->count = 0;
        set->generation = trace_generation(set->trace);
    }
    while (set->has.n < n) {
        if (!budget_left(budget))
            return false;
        bool match = filter_matches(set->filter, names_str(names, (uint32_t)set->has.n));
        vec_push(&set->has, match);
        set->count += match;
        budget_spend(budget, filter_cost(set->filter));
    }
    return true;
}
