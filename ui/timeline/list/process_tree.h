/* process_tree.h - which process of a recording began which, for the list of tracks.
 *
 * `fxtop record` writes the life of a process as an operation with its parent (SEMANTICS 8.4), the
 * first of its group. Groups are asked once, as they come. */
#ifndef FXTOP_PROCESS_TREE_H
#define FXTOP_PROCESS_TREE_H

#include "model/trace/trace.h"
#include "src/base/task.h"

#define PROCESS_TREE_FEW 4096 /* groups asked at a call */

struct process_tree {
    VEC(uint32_t) parents; /* by place of a process; NO_PROCESS: not known. May be shorter */
    size_t asked;          /* groups of async operations */
    uint64_t generation;   /* of the trace */
    bool any;              /* a parent is known */
};

/* Asks some groups. True: it found parents. */
bool process_tree_ask(struct process_tree *tree, struct trace *trace);
/* Whether there are more groups to ask. */
bool process_tree_asks(const struct process_tree *tree, struct trace *trace);
void process_tree_free(struct process_tree *tree);
static inline uint32_t process_tree_parent(const struct process_tree *tree, uint32_t process) {
    return process < tree->parents.n ? tree->parents.v[process] : NO_PROCESS;
}

/* Puts n numbers in the order of a walk through their tree: each right after its parent, or after
 * the siblings before it and what is below them. Siblings stay in the order that they have; in a
 * circle the first one has no parent. False: the task is cancelled, and v is as before. */
bool process_tree_walk(struct task *task, const struct process_tree *tree, uint32_t *v, size_t n);

#endif
