/* why.h - why a slice is as long as it is: it against the median of its name (the nearest rank; of
 * equals the earliest).
 *
 * The differences by child name and self sum to the difference of the lengths. So do those of the
 * own times of all names in the slice, its own one included, and those by state. Arguments are
 * listed whose value is far more frequent among the slowest 5 % (longer than p95, of 20 or more)
 * than among the others: in at least a fifth of them, at least three of them, and at least three
 * times as often. A sample of many slices is decoded: evenly spaced ones. All slices of the name in
 * the trace count, without those that have a far time.
 *
 * Valid until the trace changes. Times: ns. */
#ifndef FXTOP_WHY_H
#define FXTOP_WHY_H

#include "model/query/aggregate.h"
#include "model/query/answer.h"
#include "model/query/detail.h"
#include "model/query/stat/names_table.h"
#include "model/query/stat/slice/children.h"

#define WHY_SELF CHILDREN_ANY /* as a name: the time without children */
#define WHY_SLOW_MOST 400u    /* slices that are decoded: slow ones, others */
#define WHY_OTHERS_MOST 1600u

enum why_state { WHY_RUNNING, WHY_RUNNABLE, WHY_BLOCKED, WHY_OTHER, WHY_STATES };
enum why_side { WHY_THIS, WHY_MEDIAN };

struct why_part { /* a child name, or WHY_SELF */
    uint32_t name;
    int64_t ns[2]; /* of enum why_side */
    uint32_t n[2];
};

struct why_parts {
    VEC(struct why_part) v;
    struct u64map by_name; /* until they are in order */
};

struct why_slice {
    uint32_t thread, row, i;
    int64_t start, dur;
    uint64_t offset;
};

struct why_argument {
    struct str name, value; /* copies, one after the other */
    uint32_t slow, others;  /* slices that have it, of those decoded */
    uint32_t last;          /* the slice that was counted last, + 1 */
};

struct why {
    /* the question */
    struct trace *trace;
    uint32_t name;
    int64_t median, p95; /* of its durations */
    /* the answer */
    bool has_median;          /* one of the name has ended */
    struct why_slice side[2]; /* the slice, the median */
    struct why_parts parts;   /* the greatest difference first */
    struct why_parts own; /* the own time of each name inside, at any depth; in the same order */
    bool scheduled[2];
    int64_t states[WHY_STATES][2];      /* if both are scheduled, they sum to the lengths */
    VEC(struct why_argument) arguments; /* the most frequent first */
    uint64_t slow, others;              /* slices of the name that have ended */
    uint32_t slow_read, others_read;    /* of them decoded */
};

/* Asks. slice: of a thread. all: the durations of its name, sorted (name_stats.h). */
void why_init(struct why *why, struct trace *trace, uint32_t thread, uint32_t row, uint32_t i,
              const struct aggregate_row *all);
extern const struct answer_ops why_ops; /* data: a struct why that was asked */
/* dur of this less that of the median. */
static inline int64_t why_difference(const struct why *why) {
    return why->side[WHY_THIS].dur - why->side[WHY_MEDIAN].dur;
}

#endif
