/* path_derive.c - goes over the nodes of a tree, parents before children.
 *
 * A tree in order has the weights of nodes with all below them: first those of the nodes alone are found again.
 *
 * Bottom-up all paths with an own weight are followed at once, a frame outwards in each pass over them. A path that has
 * reached the root leaves its weight at the node that it has come to. So the work is the number of paths times their
 * depth, at most PATH_CALLERS_UP. */
#include "model/query/stat/path_derive.h"

#define PART 6       /* of the nodes of a tree that one made of it has at most: both are kept */
#define NODE_UNITS 4 /* of the budget: a node is sought by its name, perhaps twice */
#define CHUNK 512 /* nodes between two looks at the budget */

void path_derive_init(struct path_derive *d, const struct path_tree *from, struct path_tree *to,
                      enum path_derived kind) {
    *d = (struct path_derive){.from = from, .to = to, .kind = kind};
    uint32_t most = from->most / PART > PATH_NODES_LEAST ? from->most / PART : PATH_NODES_LEAST;
    path_tree_init(to, most, kind == PATH_BOTTOM_UP ? 2 * (uint64_t)most : from->nodes.n);
}

void path_derive_free(struct path_derive *d) {
    vec_free(&d->own);
    vec_free(&d->nodes);
    vec_free(&d->ends);
}

bool path_derive_free_step(struct path_derive *d, struct budget *budget) {
    return vec_free_step(&d->own, budget) && vec_free_step(&d->nodes, budget) && vec_free_step(&d->ends, budget);
}

static uint32_t child(struct path_derive *d, uint32_t parent, uint32_t name) {
    return path_tree_child(d->to, parent, name, path_tree_hash(parent, name));
}

static void add_sum(struct path_derive *d, uint32_t node, enum path_weight weight, struct sum sum) {
    if (sum.low != 0)
        path_tree_add(d->to, node, weight, sum.low);
    if (sum.high != 0)
        path_tree_carry(d->to, node, weight, sum.high);
}

static void add_own(struct path_derive *d, uint32_t node, uint32_t path) {
    for (int w = 0; w < PATH_WEIGHTS; w++)
        add_sum(d, node, (enum path_weight)w, d->own.v[path].v[w]);
}

static void fold_node(struct path_derive *d, uint32_t i) {
    const struct path_node *node = &d->from->nodes.v[i];
    uint32_t parent = i == PATH_ROOT ? PATH_ROOT : d->nodes.v[node->parent], to = parent;
    if (i != PATH_ROOT && (node->name >= PATH_SPECIAL || d->to->nodes.v[parent].name != node->name))
        to = child(d, parent, node->name);
    vec_push(&d->nodes, to);
    add_own(d, to, i);
}

static void begin_end(struct path_derive *d, uint32_t i) {
    const struct path_node *node = &d->from->nodes.v[i];
    bool any = false;
    for (int w = 0; w < PATH_WEIGHTS; w++)
        any = any || sum_cmp(d->own.v[i].v[w], sum_from(0)) != 0;
    if (!any)
        return;
    uint32_t to = child(d, PATH_ROOT, node->name), above = node->name < PATH_SPECIAL ? node->parent : PATH_ROOT;
    if (above == PATH_ROOT)
        add_own(d, to, i);
    else
        vec_push(&d->ends, ((struct path_end){i, above, to}));
}

/* One frame outwards. */
static void next_end(struct path_derive *d, struct path_end end) {
    const struct path_node *above = &d->from->nodes.v[end.above];
    end.node = child(d, end.node, above->name);
    end.above = above->parent;
    if (end.above == PATH_ROOT || d->level + 1 == PATH_CALLERS_UP)
        add_own(d, end.node, end.path);
    else
        d->ends.v[d->kept++] = end;
}

/* The node of a path's last name gets the weight of the path, less that of the paths inside it, as these come. */
static void add_name(struct path_derive *d, uint32_t i) {
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

/* All nodes, by one of the functions above. */
static bool each_node(struct path_derive *d, void (*add)(struct path_derive *d, uint32_t i), struct budget *budget) {
    while (d->at < d->from->nodes.n) {
        if (!budget_left(budget))
            return false;
        for (uint32_t n = 0; n < CHUNK && d->at < d->from->nodes.n; n++)
            add(d, d->at++);
        budget_spend(budget, CHUNK * NODE_UNITS);
    }
    return true;
}

static void take_from_parent(struct path_derive *d, uint32_t i) {
    for (int w = 0; w < PATH_WEIGHTS; w++) {
        struct sum all = path_tree_all(d->from, i, (enum path_weight)w);
        struct sum *own = &d->own.v[i].v[w], *above = &d->own.v[d->from->nodes.v[i].parent].v[w];
        *own = sum_plus(*own, all);
        if (i != PATH_ROOT && d->from->summed)
            *above = sum_minus(*above, all);
    }
}

/* Once summed, the weight of each node is that in all without that of its children. */
static bool find_own(struct path_derive *d, struct budget *budget) {
    uint32_t n = (uint32_t)d->from->nodes.n;
    while (d->own.n < n) {
        vec_push(&d->own, ((struct path_weights){{{0}}}));
        if (d->own.n % CHUNK == 0 && !budget_spend(budget, CHUNK / 4))
            return false;
    }
    while (d->owned < n) {
        take_from_parent(d, d->owned++);
        if (d->owned % CHUNK == 0 && !budget_spend(budget, CHUNK))
            return d->owned == n;
    }
    return true;
}

bool path_derive_step(struct path_derive *d, struct budget *budget) {
    if (d->kind == PATH_ENDS)
        return each_node(d, add_name, budget);
    if (d->owned < d->from->nodes.n && !find_own(d, budget))
        return false;
    if (d->kind == PATH_FOLDED)
        return each_node(d, fold_node, budget);
    if (d->level == 0) {
        if (!each_node(d, begin_end, budget))
            return false;
        d->level = 1;
        d->at = 0;
    }
    while (d->ends.n > 0) {
        if (!budget_left(budget))
            return false;
        uint32_t n = 0;
        for (; n < CHUNK && d->at < d->ends.n; n++)
            next_end(d, d->ends.v[d->at++]);
        budget_spend(budget, n * NODE_UNITS);
        if (d->at < d->ends.n)
            continue;
        d->ends.n = d->kept;
        d->kept = 0;
        d->at = 0;
        d->level++;
    }
    return true;
}
