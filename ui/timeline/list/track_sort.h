/* track_sort.h - puts processes or threads in an order of the list of tracks.
 *
 * 100,000 names take 100 ms, which no key waits for. Equal ones stay as they were. */
#ifndef FXTOP_TRACK_SORT_H
#define FXTOP_TRACK_SORT_H

#include "src/base/task.h"
#include "ui/timeline/list/process_tree.h"
#include "ui/timeline/list/track_order.h"

struct track_sorted {
    enum track_order order;
    bool processes; /* else threads */
    struct trace *trace;
    const struct track_lives *lives; /* of all threads */
    /* by interest: children follow their parents, which count with all below them; NULL: they do
     * not */
    const struct process_tree *tree;
};

/* Sorts v[0..n), numbers of processes or of threads, by their numbers in the trace. False: the task
 * is cancelled, and v is as before. */
bool track_sort(struct task *task, const struct track_sorted *of, uint32_t *v, size_t n);
/* Whether the order is that of the numbers. */
bool track_sort_needless(enum track_order order, const struct trace *trace);

struct track_sorting { /* in a task; zero-initialised: none is under way */
    struct task *task;
    struct track_sorted of;
    uint64_t version; /* of the trace when it began */
    VEC(uint32_t) v;
};

/* Whether n numbers of this version of the trace are being sorted so. */
bool track_sort_is(const struct track_sorting *sorting, const struct track_sorted *of, size_t n);
void track_sort_begin(struct track_sorting *sorting, const struct track_sorted *of,
                      const uint32_t *numbers, size_t n);
/* True: v has them in order, and the sorting has ended. */
bool track_sort_step(struct track_sorting *sorting, uint32_t *v, struct task *task);
void track_sort_end(struct track_sorting *sorting);

#endif
