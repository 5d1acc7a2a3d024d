/* path_derive.c - goes over the nodes of a tree, parents before children.
 *
 * A tree in order has the weights of nodes with all below them: first those of the nodes alone are
 * found again.
 *
 * Bottom-up all paths with an own weight are followed at once, a frame outwards in each pass over
 * them. A path that has reached the root leaves its weight at the node that it has come to. So the
 * work is the number of paths times their depth, at most PATH_CALLERS_UP. */
#include "model/query/stat/path_derive.h"

#include "src/base/discard.h"

#define PART 6       /* of the nodes of a tree that one made of it has at most: both are kept */
#define NODE_UNITS 4 /* of work: a node is sought by its name, perhaps twice */
#define CHUNK 512    /* nodes between two looks at the clock */

struct path_end {         /* a path on its way out */
    uint32_t path, above; /* where it ends; the frame to add next */
    uint32_t node;        /* of the new tree, so far */
};

struct derive {
    const struct path_tree *from;
    struct path_tree *to;
    VEC(struct path_weights) own; /* of the nodes alone */
    VEC(uint32_t) nodes;          /* folded: the new node of each */
    VEC(struct path_end) ends;    /* bottom-up */
};

static uint32_t child(struct derive *d, uint32_t parent, uint32_t name) {
    return path_tree_child(d->to, parent, name, path_tree_hash(parent, name));
}

static void add_sum(struct derive *d, uint32_t node, enum path_weight weight, struct sum sum) {
    if (sum.low != 0)
        path_tree_add(d->to, node, weight, sum.low);
    if (sum.high != 0)
        path_tree_carry(d->to, node, weight, sum.high);
}

static void add_own(struct derive *d, uint32_t node, uint32_t path) {
    for (int w = 0; w < PATH_WEIGHTS; w++)
        add_sum(d, node, (enum path_weight)w, d->own.v[path].v[w]);
}

static void fold_node(struct derive *d, uint32_t i) {
    const struct path_node *node = &d->from->nodes.v[i];
    uint32_t parent = i == PATH_ROOT ? PATH_ROOT : d->nodes.v[node->parent], to = parent;
    if (i != PATH_ROOT && (node->name >= PATH_SPECIAL || d->to->nodes.v[parent].name != node->name))
        to = child(d, parent, node->name);
    vec_push(&d->nodes, to);
    add_own(d, to, i);
}

static void begin_end(struct derive *d, uint32_t i) {
    const struct path_node *node = &d->from->nodes.v[i];
    bool any = false;
    for (int w = 0; w < PATH_WEIGHTS; w++)
        any = any || sum_cmp(d->own.v[i].v[w], sum_from(0)) != 0;
    if (!any)
        return;
    uint32_t to = child(d, PATH_ROOT, node->name),
             above = node->name < PATH_SPECIAL ? node->parent : PATH_ROOT;
    if (above == PATH_ROOT)
        add_own(d, to, i);
    else
        vec_push(&d->ends, ((struct path_end){i, above, to}));
}

/* All ends one frame outwards in each pass. */
static bool follow_ends(struct task *task, struct derive *d) {
    for (uint32_t frames = 2; d->ends.n > 0; frames++) {
        size_t kept = 0, n = d->ends.n;
        for (size_t i = 0; i < n; i++) {
            struct path_end end = d->ends.v[i];
            const struct path_node *above = &d->from->nodes.v[end.above];
            end.node = child(d, end.node, above->name);
            end.above = above->parent;
            if (end.above == PATH_ROOT || frames == PATH_CALLERS_UP)
                add_own(d, end.node, end.path);
            else
                d->ends.v[kept++] = end;
            if (i % CHUNK == CHUNK - 1 && !task_spend(task, CHUNK * NODE_UNITS))
                return false;
        }
        d->ends.n = kept;
        if (!task_spend(task, (uint32_t)(n % CHUNK) * NODE_UNITS))
            return false;
    }
    return true;
}

/* The node of a path's last name gets the weight of the path, less that of the paths inside it, as
 * these come. */
static void add_name(struct derive *d, uint32_t i) {
    const struct path_node *node = &d->from->nodes.v[i];
    uint32_t to = i == PATH_ROOT ? PATH_ROOT : child(d, PATH_ROOT, node->name), above = PATH_ROOT;
    bool inside = i != PATH_ROOT && d->from->summed;
    if (inside && node->parent != PATH_ROOT)
        above = child(d, PATH_ROOT, d->from->nodes.v[node->parent].name);
    for (int w = 0; w < PATH_WEIGHTS; w++) {
        struct sum all = path_tree_all(d->from, i, (enum path_weight)w);
        add_sum(d, to, (enum path_weight)w, all);
        if (inside)
            add_sum(d, above, (enum path_weight)w, sum_minus(sum_from(0), all));
    }
}

/* Once summed, the weight of each node is that in all without that of its children. */
static void find_own(struct derive *d, uint32_t i) {
    vec_push(&d->own, ((struct path_weights){{{0}}}));
    for (int w = 0; w < PATH_WEIGHTS; w++) {
        struct sum all = path_tree_all(d->from, i, (enum path_weight)w);
        struct sum *own = &d->own.v[i].v[w], *above = &d->own.v[d->from->nodes.v[i].parent].v[w];
        *own = sum_plus(*own, all);
        if (i != PATH_ROOT && d->from->summed)
            *above = sum_minus(*above, all);
    }
}

/* All nodes, by one of the functions above. */
static bool each_node(struct task *task, struct derive *d,
                      void (*add)(struct derive *d, uint32_t i)) {
    for (uint32_t i = 0; i < d->from->nodes.n; i++) {
        add(d, i);
        if (i % CHUNK == CHUNK - 1 && !task_spend(task, CHUNK * NODE_UNITS))
            return false;
    }
    return true;
}

void path_derive_make(struct task *task, const struct path_tree *from, struct path_tree *to,
                      enum path_derived kind) {
    struct derive d = {.from = from, .to = to};
    uint32_t most = from->most / PART > PATH_NODES_LEAST ? from->most / PART : PATH_NODES_LEAST;
    path_tree_init(to, most, kind == PATH_BOTTOM_UP ? 2 * (uint64_t)most : from->nodes.n);
    bool going = kind == PATH_ENDS ? each_node(task, &d, add_name) : each_node(task, &d, find_own);
    if (going && kind == PATH_FOLDED)
        each_node(task, &d, fold_node);
    else if (going && kind == PATH_BOTTOM_UP && each_node(task, &d, begin_end))
        follow_ends(task, &d);
    discard_vec(&d.own);
    discard_vec(&d.nodes);
    discard_vec(&d.ends);
}
