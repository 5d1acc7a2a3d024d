/* stat_filter.h - a group of slices as terms of a filter: name="Frame" pid=5 tid=6. */
#ifndef FXTOP_STAT_FILTER_H
#define FXTOP_STAT_FILTER_H

#include "model/output/chars.h"
#include "model/query/stat/slice_group.h"

/* Appends them, after a blank if there is text. */
void stat_filter_group(const struct slice_group *group, const struct aggregate_key *key,
                       struct chars *to);

#endif
