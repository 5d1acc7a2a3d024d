/* path_tree.h - slices merged by path over a range and its threads: the tree of a flame graph
 * (SEMANTICS 6.11).
 *
 * The path of a slice is the names of its ancestors, outermost first, and its own. A node is a
 * path: its own weight is the self time of its slices, the time that their threads ran in it, or
 * their number. Its weight in all is that of the node and of all below it. The root's is the thread
 * time of all threads that have slices in the range: what no slice covers is in the node
 * PATH_NO_SLICE, and what a filter leaves out in PATH_LEFT_OUT. Paths beyond the limit of nodes are
 * PATH_OTHER below the node that they leave.
 *
 * path_walk.h adds the slices of a trace. path_derive.h makes one tree of another: recursion
 * folded, or bottom-up. Then path_tree_order() adds up and puts the children of each node in order.
 * A node's number is greater than its parent's. Times are ns, sums exact. Nothing here knows
 * versions: the owner starts again when the trace has changed. */
#ifndef FXTOP_PATH_TREE_H
#define FXTOP_PATH_TREE_H

#include "src/base/hash.h"
#include "src/base/quantiles.h"
#include "src/base/task.h"
#include "src/base/time/sum.h"

enum path_weight { PATH_WALL, PATH_RUNNING, PATH_COUNT, PATH_WEIGHTS };

/* Names of nodes that have none. */
#define PATH_SPECIAL UINT32_C(0xfffffff0) /* the least of them */
#define PATH_ALL UINT32_C(0xfffffff0)
#define PATH_NO_SLICE UINT32_C(0xfffffff1)
#define PATH_LEFT_OUT UINT32_C(0xfffffff2)
#define PATH_OTHER UINT32_C(0xfffffff3)

#define PATH_NODES (1u << 20) /* nodes kept at most, unless the owner sets another limit */
#define PATH_NODES_LEAST (1u << 16)
/* Nodes kept take at most one part in so many of the index, and `other paths` at most as much
 * again: 5 % in all. So a trace has a million of them if its index takes 1.3 GB; below, memory
 * decides. */
#define PATH_INDEX_PART 40
#define PATH_FEW 64  /* children that a frame may add up */
#define PATH_ROOT 0u /* node 0; as a parent or child: none */

struct path_node {
    uint32_t name, parent;
    /* by path_tree_order(): child of greatest weight, next of the parent; PATH_ROOT: none */
    uint32_t first, next;
    int64_t wall, count; /* of the node alone; once `summed`, of those below it, too */
};

struct path_high { /* upper halves of sums (sum.h) */
    int64_t wall, running;
};

struct path_weights {
    struct sum v[PATH_WEIGHTS];
};

struct path_slot {
    uint32_t node, hash; /* node + 1, 0: free; the lower half of the key's hash */
};

struct path_wide {
    uint32_t node;
    struct path_weights own;
};

struct path_tree {
    uint32_t most; /* nodes kept; PATH_OTHER comes on top of it, at most one for each node */
    VEC(struct path_node) nodes;
    /* as wall; of the first nodes, 0 of the others: none if it is not asked for */
    VEC(int64_t) running;
    /* of the first nodes, 0 of the others: none unless a sum does not fit 64 bits */
    VEC(struct path_high) high;
    /* mask + 1; NULL once the tree is in order: then no node can be added */
    struct path_slot *slots;
    size_t mask;
    /* path_tree_order() */
    bool summed;
    enum path_weight by; /* meaningful if ordered, or while it is made */
    bool ordered;
    /* Nodes of more than PATH_FEW children, ascending: their own weights, which a frame must not
     * add up again. */
    VEC(struct path_wide) wide;
    bool wide_known;
};

/* The limit of nodes for an index of so many bytes: at most PATH_NODES. */
uint32_t path_tree_most(uint64_t index_bytes);
/* With the root, PATH_NO_SLICE and PATH_LEFT_OUT. events: about as many paths are added at most;
 * more of them take longer. */
void path_tree_init(struct path_tree *tree, uint32_t most, uint64_t events);
void path_tree_free(struct path_tree *tree); /* large allocations in the background */

#define PATH_NO_SLICE_NODE 1u
#define PATH_LEFT_OUT_NODE 2u

/* The node of a name below another one; it is added if it is missing. hash: path_tree_hash() of
 * both. */
uint32_t path_tree_child(struct path_tree *tree, uint32_t parent, uint32_t name, uint64_t hash);
static inline uint64_t path_tree_hash(uint32_t parent, uint32_t name) {
    return hash_words(parent, name);
}
/* Fetches into the CPU cache what path_tree_child() needs: the first, then the second, some time
 * before. */
static inline void path_tree_fetch_slot(const struct path_tree *tree, uint64_t hash) {
    __builtin_prefetch(&tree->slots[hash >> 32 & tree->mask]);
}
static inline void path_tree_fetch_node(const struct path_tree *tree, uint64_t hash) {
    const struct path_slot *slot = &tree->slots[hash >> 32 & tree->mask];
    if (slot->node > 0)
        __builtin_prefetch(&tree->nodes.v[slot->node - 1], 1);
}

/* The place of a node's weight. Not all nodes have a running time so far: path_tree_run() gives it
 * to them. */
void path_tree_run(struct path_tree *tree);
static inline int64_t *path_tree_place(struct path_tree *tree, uint32_t node,
                                       enum path_weight weight) {
    if (weight == PATH_RUNNING && node >= tree->running.n)
        path_tree_run(tree);
    if (weight == PATH_WALL)
        return &tree->nodes.v[node].wall;
    return weight == PATH_RUNNING ? &tree->running.v[node] : &tree->nodes.v[node].count;
}

/* Adds to the upper half of a node's weight. */
void path_tree_carry(struct path_tree *tree, uint32_t node, enum path_weight weight, int64_t n);

/* Adds to a node's own weight, which may be less than 0 for a time. Not once it is summed. */
static inline void path_tree_add(struct path_tree *tree, uint32_t node, enum path_weight weight,
                                 int64_t n) {
    int64_t *own = path_tree_place(tree, node, weight);
    if (__builtin_expect(__builtin_add_overflow(*own, n, own), 0))
        path_tree_carry(tree, node, weight, n < 0 ? -1 : 1);
}

/* The weight of a node and of those below it, once summed; before, of the node alone. */
struct sum path_tree_wide(const struct path_tree *tree, uint32_t node, enum path_weight weight);
static inline struct sum path_tree_all(const struct path_tree *tree, uint32_t node,
                                       enum path_weight weight) {
    if (__builtin_expect(tree->high.n > 0, 0))
        return path_tree_wide(tree, node, weight);
    if (weight == PATH_WALL)
        return sum_from(tree->nodes.v[node].wall);
    if (weight == PATH_COUNT)
        return sum_from(tree->nodes.v[node].count);
    return sum_from(node < tree->running.n ? tree->running.v[node] : 0);
}

/* The weight of a node alone, once the tree is in order; costs as much as PATH_FEW children. */
struct sum path_tree_own(const struct path_tree *tree, uint32_t node, enum path_weight weight);

/* Adds up all weights, and puts children in order by one. To be called again for another weight.
 * False: cancelled; a tree that was not summed is then to be freed. */
bool path_tree_order(struct task *task, struct path_tree *tree, enum path_weight by);

#endif
