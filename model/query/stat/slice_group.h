/* slice_group.h - what slices are grouped by: name, name and thread, thread, process, trace,
 * pattern of the name (name_pattern.h), category, or the value of an argument; and the text of a
 * group.
 *
 * A group is a key of aggregate.h. Categories and values are decoded from the record of each slice,
 * which costs about 200 ns. Texts are those of the trace: not safe to print as they are. */
#ifndef FXTOP_SLICE_GROUP_H
#define FXTOP_SLICE_GROUP_H

#include "model/query/aggregate.h"

enum slice_group_by {
    GROUP_BY_NAME,
    GROUP_BY_NAME_THREAD,
    GROUP_BY_THREAD,
    GROUP_BY_PROCESS,
    GROUP_BY_TRACE, /* of several */
    GROUP_BY_PATTERN,
    GROUP_BY_CATEGORY,
    GROUP_BY_ARGUMENT,
    GROUPS_BY
};

#define SLICE_GROUP_NONE 0 /* the category or value of slices that have none */

struct slice_group {
    struct trace *trace;
    enum slice_group_by by;
    const char *argument; /* GROUP_BY_ARGUMENT: its name; borrowed */
    struct map map;
    VEC(char) bytes;        /* of all texts */
    VEC(size_t) texts;      /* where each begins; the last: the end */
    VEC(uint32_t) patterns; /* of names: 1 + the number of the text; 0: not yet known */
    bool apart;             /* sampled threads have keys of their own (aggregate.h) */
};

void slice_group_init(struct slice_group *group, struct trace *trace, enum slice_group_by by,
                      const char *argument);
void slice_group_free(struct slice_group *group);

/* Whether it reads the records of slices; else their names and times are enough. NULL: no group. */
static inline bool slice_group_reads(const struct slice_group *group) {
    return group && group->by >= GROUP_BY_CATEGORY;
}
/* Whether it takes their records, or the places of these: names and times are not enough. */
static inline bool slice_group_needs_records(const struct slice_group *group) {
    return slice_group_reads(group) || (group && group->by == GROUP_BY_TRACE);
}
/* Whether groups are numbered as they occur: then two threads must not ask it. */
static inline bool slice_group_numbers(enum slice_group_by by) {
    return by >= GROUP_BY_PATTERN;
}
/* Sets the aggregate's key; it borrows the group. */
void slice_group_apply(struct slice_group *group, struct aggregate *aggregate);
/* Whether a slice of a track has that key. */
bool slice_group_has(struct slice_group *group, const struct aggregate_key *key, uint32_t track,
                     const struct slice *s);
/* The same group in another slice_group, where texts have other numbers. */
struct aggregate_key slice_group_same(struct slice_group *group, const struct slice_group *from,
                                      const struct aggregate_key *key);
/* The text of a key: valid until the next slice; it may lie in buf. */
struct str slice_group_text(const struct slice_group *group, const struct aggregate_key *key,
                            char *buf, size_t cap);
/* The text of a slice's group, cut to `cap` bytes in buf: also of a group that was not begun. By
 * thread and process the slice may be NULL. */
struct str slice_group_text_of(const struct slice_group *group, uint32_t track,
                               const struct slice *s, char *buf, size_t cap);

#endif
