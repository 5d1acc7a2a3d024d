/* path_processes.h - the processes of a recording as paths, each below the one that began it
 * (SEMANTICS 6.11). A frame is called as the track is (process_label.h), or else by its program;
 * those of the same label are one.
 *
 * The weight of a frame is the time that its processes lived without a living child, the time that
 * their threads ran, or their number. Only what is in the range counts. */
#ifndef FXTOP_PATH_PROCESSES_H
#define FXTOP_PATH_PROCESSES_H

#include "model/query/stat/path_tree.h"
#include "model/query/stat/range.h"
#include "src/base/task.h"
#include "src/fxt/names.h"

struct path_processes {
    uint32_t processes; /* that lived in the range */
    uint32_t open;      /* of them, without an end */
    uint32_t scheduled; /* of them, with a running time */
};

/* Adds all processes to a new tree, and counts them. Cancelled: in part. The names of nodes are
 * numbers in `labels`, which keeps those that it has. */
void path_processes_add(struct task *task, struct trace *trace, const struct range *range,
                        struct path_tree *tree, struct names *labels,
                        struct path_processes *counts);

#endif
