/* filter_sets.h - what terms ask of a slice's neighbours, worked out for all slices in one pass:
 * in, has, flow; depth and self time on threads whose rows are displaced; time in a state;
 * percentiles of names.
 *
 * Everything is linear in the trace (has and in too, however deep slices nest). It costs one bit a
 * slice for each such term, and 4 or 8 bytes for depth and self on threads with overlaps. An answer
 * holds for one version of the trace. */
#ifndef FXTOP_FILTER_SETS_H
#define FXTOP_FILTER_SETS_H

#include "model/query/filter.h"
#include "model/trace/trace.h"
#include "src/base/task.h"

struct filter_names { /* by name: whether a term's values fit it */
    VEC(unsigned char) has;
};

struct filter_marks {   /* of one term, by thread; NULL: not needed */
    uint64_t **fits;    /* a bit per slice, by filter_sets_place() */
    uint64_t **present; /* the slice has descendants, or flows */
    /* state=: of all scheduled threads: the first interval from here on in such a state */
    VEC(uint32_t) next;
    VEC(int64_t) least; /* dur>p99: by value, then by name; slices, then operations */
};

struct filter_sets {
    struct trace *trace;
    const struct filter *filter;
    const struct filter_names *names;  /* by term */
    const struct filter_names *wanted; /* names that all terms allow */
    struct filter_marks *marks;        /* by term */
    size_t threads;
    uint64_t **row_start; /* by thread: number of the first slice of each row; NULL: not needed */
    uint32_t **depth;
    int64_t **self;
    VEC(size_t) first_state; /* by place of a scheduled thread: its first entry in `next` */
    size_t percentile_names; /* length of each part of `least` */
    bool needs_rows, needs_depth, needs_self, needs_states, needs_percentiles;
};

/* names: of each term, then those that all terms allow; complete, and borrowed. */
void filter_sets_init(struct filter_sets *sets, struct trace *trace, const struct filter *filter,
                      const struct filter_names *names);
void filter_sets_free(struct filter_sets *sets);
/* Works out all answers, unless the task is cancelled. */
void filter_sets_make(struct task *task, struct filter_sets *sets);

/* ---- answers, once all is known ---- */

/* in, has, flow of a slice; *present: whether it has the field of the term. */
bool filter_sets_fits(const struct filter_sets *sets, size_t term, uint32_t thread, uint32_t row,
                      uint32_t i, bool *present);
uint32_t filter_sets_depth(const struct filter_sets *sets, uint32_t thread, uint32_t row,
                           uint32_t i);
int64_t filter_sets_self(const struct filter_sets *sets, uint32_t thread, uint32_t row, uint32_t i);
/* Whether some time of [from, to) on a thread is in a state of the term; of an empty stretch, the
 * moment `from`. */
bool filter_sets_state(const struct filter_sets *sets, size_t term, uint32_t thread, int64_t from,
                       int64_t to, bool *present);
/* The percentile of the durations of a name that value k of the term asks for; false: none has
 * ended. */
bool filter_sets_percentile(const struct filter_sets *sets, size_t term, size_t k, bool operation,
                            uint32_t name, int64_t *ns);

/* A flow has the name and the category of its first point. */
static inline uint32_t filter_sets_first_point(const struct flows *flows, uint32_t point) {
    return flows_at(flows, flow_link(flows, point)->flow)->first;
}
static inline uint32_t filter_sets_flow_name(const struct flows *flows, uint32_t point) {
    return flow_name(flows, filter_sets_first_point(flows, point));
}

#endif
