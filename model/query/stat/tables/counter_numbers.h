/* counter_numbers.h - series of counters over a range: least, mean over time, greatest value, and
 * the change.
 *
 * A value holds until the next sample, so the one before the range counts, too. A value that is not
 * finite is a gap (SEMANTICS 9). Made in a task, a series at a time, for one version of the
 * trace. */
#ifndef FXTOP_COUNTER_NUMBERS_H
#define FXTOP_COUNTER_NUMBERS_H

#include "model/query/stat/range.h"

struct counter_numbers_row {
    uint32_t series;
    uint64_t samples;   /* in the range */
    bool any, has_mean; /* a finite value holds in the range */
    double mean;
    struct counter_sample least, most, first, last; /* the latter two: at both ends of the range */
    bool has_change;
    double change; /* from the first to the last one */
};

struct counter_numbers {
    struct trace *trace;
    const struct range *range; /* borrowed until the work is done */
    VEC(struct counter_numbers_row) rows;
};

void counter_numbers_make(struct task *task, struct counter_numbers *numbers, struct trace *trace,
                          const struct range *range);
void counter_numbers_free(struct counter_numbers *numbers);

#endif
