/* group_key.h - the key of a slice of a track in the aggregate of a slice_group, for suites. */
#ifndef FXTOP_GROUP_KEY_H
#define FXTOP_GROUP_KEY_H

#include "model/query/stat/slice_group.h"

static inline struct aggregate_key group_key(struct slice_group *group, uint32_t track,
                                             const struct slice *s) {
    struct aggregate aggregate = {0};
    slice_group_apply(group, &aggregate);
    if (aggregate.by == AGGREGATE_GROUP)
        return (struct aggregate_key){aggregate.group(aggregate.group_ctx, track, s), 0, 0};
    return (struct aggregate_key){trace_packed_name(group->trace, s->begin_word),
                                  aggregate.by == AGGREGATE_NAME ? 0 : track, 0};
}

#endif
