/* path_walk.h - adds the slices of a range to a tree of paths.
 *
 * A filter selects the slices that count, never those that nest: an ancestor that it leaves out is
 * a frame without a weight of its own. Slices with a damaged time are no frames. The part of a
 * slice that is in the range counts. A slice that ends when the range begins is a frame for slices
 * of no length inside it.
 *
 * The walk holds 4 bytes a slice of two rows, or of one thread if its slices overlap. It is valid
 * until the trace changes. */
#ifndef FXTOP_PATH_WALK_H
#define FXTOP_PATH_WALK_H

#include "model/query/slice_order.h"
#include "model/query/stat/path_processes.h"
#include "model/query/stat/path_tree.h"
#include "model/query/stat/range.h"
#include "src/base/task.h"

struct path_row { /* of the current thread */
    /* numbers of its slices that overlap the range, and of one that ends where it begins */
    uint32_t first, end;
    size_t base; /* of `first` in `nodes` */
};

/* The weight of a frame. It is time, or of a profiler's samples in it their number, the sum of
 * their weights, or the off-CPU time of blocked ones. PATH_MEASURED: time, of threads that are not
 * sampled. All but PATH_TIME are of PATH_WALL. */
enum path_unit { PATH_TIME, PATH_MEASURED, PATH_SAMPLES, PATH_SAMPLE_WEIGHTS, PATH_OFF_CPU };

struct path_walk {
    struct trace *trace;
    const struct range *range; /* borrowed */
    struct slice_set set;
    struct path_tree *tree; /* borrowed */
    enum path_unit unit;    /* but for PATH_TIME after trace_find_sampled() */
    bool threads; /* the nodes below the root are threads: their name is the thread's number */
    bool inside;  /* the filter's slices count with all that is in them */
    bool running; /* running times are added up: costs about as much again */
    bool processes_alone; /* also of a recording with slices, if there is no filter */
    struct names *labels; /* borrowed: the names of processes */
    /* results */
    uint64_t slices;      /* counted, open ones included */
    uint64_t open;        /* that have not ended */
    uint32_t with_slices; /* threads that have slices in the range */
    uint32_t scheduled;   /* those of them whose running time is known */
    /* of a recording without any slice, or of processes_alone, if there is no filter: its paths are
     * those of processes */
    struct path_processes processes;
    bool labelled; /* so the names of nodes are numbers in `labels` */
    /* the current thread */
    uint32_t thread;
    uint32_t top;         /* its node: PATH_ROOT, or its own */
    bool overlaps;        /* self time takes a second pass, in nesting order */
    bool any;             /* a slice of it is in the range */
    int64_t covered, ran; /* by slices; and that it ran in them */
    uint32_t row, i;      /* the slice that is added */
    uint32_t parent;      /* the one that it may be in, on the row above */
    VEC(struct path_row) rows;
    VEC(uint32_t) nodes; /* of slices: node, and PATH_WALK_OUT if the filter leaves it out */
    struct sched_life_cursor cursor;
    struct slice_order_stack covers; /* by node */
};

#define PATH_WALK_OUT (UINT32_C(1) << 31)

/* The tree is new. `set` may have a filter (has, ctx); its kinds, times and tracks are those of the
 * range. */
void path_walk_init(struct path_walk *walk, struct trace *trace, const struct range *range,
                    struct path_tree *tree);
void path_walk_free(struct path_walk *walk);
void path_walk_make(struct task *task, void *walk); /* adds all slices */

#endif
