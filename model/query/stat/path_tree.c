/* path_tree.c - the nodes of paths: found by parent and name, added up, put in order.
 *
 * A node is found by its parent and name in a hash table of its own. That reads one slot and one
 * node, which a caller can fetch ahead. Table and nodes have the size of the announced paths from
 * the start: memory that is not touched costs nothing, and moving it would take long.
 *
 * A node comes after its parent, so one pass from the last node to the first adds up all of them,
 * in place: memory for a second weight of each node would be as much again. For the order all nodes
 * are sorted by weight once. They are linked from the least on, each at the front of its parent's
 * children.
 *
 * The weight of a node alone is that of all without that of its children. A frame asks for it, so
 * that of nodes with many children is kept. */
#include "model/query/stat/path_tree.h"

#include "src/base/discard.h"
#include "src/base/lower_bound.h"

#define CHEAP 4 /* nodes for a unit of work */

static uint32_t new_node(struct path_tree *tree, uint32_t parent, uint32_t name) {
    vec_push(&tree->nodes, ((struct path_node){.name = name, .parent = parent}));
    return (uint32_t)tree->nodes.n - 1;
}

static uint32_t child(struct path_tree *tree, uint32_t parent, uint32_t name) {
    return path_tree_child(tree, parent, name, path_tree_hash(parent, name));
}

uint32_t path_tree_most(uint64_t index_bytes) {
    uint64_t most = index_bytes / PATH_INDEX_PART / sizeof(struct path_node);
    if (most > PATH_NODES)
        return PATH_NODES;
    return most < PATH_NODES_LEAST ? PATH_NODES_LEAST : (uint32_t)most;
}

void path_tree_init(struct path_tree *tree, uint32_t most, uint64_t events) {
    uint64_t nodes = 2 * (uint64_t)most < events + 16 ? 2 * (uint64_t)most : events + 16;
    *tree = (struct path_tree){.most = most, .mask = 63};
    while (tree->mask < nodes * 3 / 2) /* between a third and two thirds are in use */
        tree->mask = 2 * tree->mask + 1;
    tree->slots = err_calloc(tree->mask + 1, sizeof *tree->slots);
    vec_reserve(&tree->nodes, nodes < most ? nodes : most);
    new_node(tree, PATH_ROOT, PATH_ALL);
    child(tree, PATH_ROOT, PATH_NO_SLICE);
    child(tree, PATH_ROOT, PATH_LEFT_OUT);
}

/* No node will be added. */
static void free_slots(struct path_tree *tree) {
    if (tree->slots)
        discard_memory(tree->slots, (tree->mask + 1) * sizeof *tree->slots);
    tree->slots = NULL;
}

void path_tree_free(struct path_tree *tree) {
    discard_vec(&tree->nodes);
    discard_vec(&tree->running);
    discard_vec(&tree->high);
    free_slots(tree);
    vec_free(&tree->wide);
    *tree = (struct path_tree){0};
}

/* The slot of a node, or the free one where it belongs. */
static struct path_slot *slot_of(const struct path_tree *tree, uint32_t parent, uint32_t name,
                                 uint64_t hash) {
    for (size_t at = hash >> 32;; at++) {
        struct path_slot *slot = &tree->slots[at & tree->mask];
        if (slot->node == 0)
            return slot;
        const struct path_node *node = &tree->nodes.v[slot->node - 1];
        if (slot->hash == (uint32_t)hash && node->parent == parent && node->name == name)
            return slot;
    }
}

/* There are more paths than were announced. */
static void grow(struct path_tree *tree) {
    free_slots(tree);
    tree->mask = 2 * tree->mask + 1;
    tree->slots = err_calloc(tree->mask + 1, sizeof *tree->slots);
    for (size_t i = 1; i < tree->nodes.n; i++) { /* the root is found without */
        const struct path_node *node = &tree->nodes.v[i];
        uint64_t hash = path_tree_hash(node->parent, node->name);
        *slot_of(tree, node->parent, node->name, hash) =
            (struct path_slot){(uint32_t)i + 1, (uint32_t)hash};
    }
}

uint32_t path_tree_child(struct path_tree *tree, uint32_t parent, uint32_t name, uint64_t hash) {
    struct path_slot *slot = slot_of(tree, parent, name, hash);
    if (slot->node != 0)
        return slot->node - 1;
    if (tree->nodes.n >= tree->most && name < PATH_SPECIAL)
        return tree->nodes.v[parent].name == PATH_OTHER ? parent : child(tree, parent, PATH_OTHER);
    *slot = (struct path_slot){(uint32_t)tree->nodes.n + 1, (uint32_t)hash};
    uint32_t node = new_node(tree, parent, name);
    if (tree->nodes.n > tree->mask / 3 * 2)
        grow(tree);
    return node;
}

/* ---- sums and order ---- */

void path_tree_run(struct path_tree *tree) {
    vec_reserve(&tree->running, tree->nodes.n);
    while (tree->running.n < tree->nodes.n)
        tree->running.v[tree->running.n++] = 0;
}

void path_tree_carry(struct path_tree *tree, uint32_t node, enum path_weight weight, int64_t n) {
    if (tree->high.n < tree->nodes.n)
        vec_reserve(&tree->high, tree->nodes.n);
    while (tree->high.n < tree->nodes.n)
        tree->high.v[tree->high.n++] = (struct path_high){0};
    *(weight == PATH_WALL ? &tree->high.v[node].wall : &tree->high.v[node].running) += n;
}

struct sum path_tree_wide(const struct path_tree *tree, uint32_t node, enum path_weight weight) {
    const struct path_high *high = node < tree->high.n ? &tree->high.v[node] : NULL;
    switch (weight) {
    case PATH_WALL:
        return (struct sum){tree->nodes.v[node].wall, high ? high->wall : 0};
    case PATH_RUNNING:
        return (struct sum){node < tree->running.n ? tree->running.v[node] : 0,
                            high ? high->running : 0};
    default:
        return sum_from(tree->nodes.v[node].count);
    }
}

/* The nodes below it are in it already. */
static void sum_up(struct path_tree *tree, uint32_t i) {
    const struct path_node *node = &tree->nodes.v[i];
    path_tree_add(tree, node->parent, PATH_WALL, node->wall);
    path_tree_add(tree, node->parent, PATH_COUNT, node->count);
    if (i < tree->running.n)
        path_tree_add(tree, node->parent, PATH_RUNNING, tree->running.v[i]);
    if (i < tree->high.n) {
        path_tree_carry(tree, node->parent, PATH_WALL, tree->high.v[i].wall);
        path_tree_carry(tree, node->parent, PATH_RUNNING, tree->high.v[i].running);
    }
}

/* From the last node to the first. */
static bool sum_all(struct task *task, struct path_tree *tree) {
    for (size_t i = tree->nodes.n; i-- > 1;) {
        sum_up(tree, (uint32_t)i);
        if (i % 1024 == 0 && !task_spend(task, 1024 / CHEAP))
            return false;
    }
    return true;
}

/* Nodes without a name come last, whatever their weight. */
static int64_t key_of(const struct path_tree *tree, uint32_t i) {
    uint32_t name = tree->nodes.v[i].name;
    return name < PATH_SPECIAL ? sum_key(path_tree_all(tree, i, tree->by))
                               : -1 - (int64_t)(PATH_OTHER - name);
}

/* Removes the links of the last order, and links all nodes. */
static bool link_all(struct task *task, struct path_tree *tree) {
    struct quantiles order = {0};
    uint32_t n = (uint32_t)tree->nodes.n, i = 0;
    vec_reserve(&order.v, n);
    for (; i < n && (i % 64 > 0 || task_spend(task, 64 / CHEAP)); i++) {
        tree->nodes.v[i].first = tree->nodes.v[i].next = PATH_ROOT;
        quantiles_add(&order, key_of(tree, i), n - i);
    }
    bool going = i == n && quantiles_sort(&order, task);
    for (uint32_t k = 0; k < n && going; k++) {
        i = n - order.v.v[k].id;
        struct path_node *parent = &tree->nodes.v[tree->nodes.v[i].parent];
        if (i != PATH_ROOT) {
            tree->nodes.v[i].next = parent->first;
            parent->first = i;
        }
        going = k % 64 < 63 || task_spend(task, 64 / CHEAP * 2);
    }
    discard_vec(&order.v);
    return going;
}

/* Takes the children of each node from its weight, and keeps the rest if they are many. Done once:
 * the order of the children does not matter. */
static bool find_wide(struct task *task, struct path_tree *tree) {
    tree->wide.n = 0;
    for (uint32_t i = 0; i < tree->nodes.n; i++) {
        struct path_wide wide = {.node = i};
        uint32_t children = 0;
        for (int w = 0; w < PATH_WEIGHTS; w++)
            wide.own.v[w] = path_tree_all(tree, i, (enum path_weight)w);
        for (uint32_t c = tree->nodes.v[i].first; c != PATH_ROOT; c = tree->nodes.v[c].next) {
            for (int w = 0; w < PATH_WEIGHTS; w++)
                wide.own.v[w] =
                    sum_minus(wide.own.v[w], path_tree_all(tree, c, (enum path_weight)w));
            children++;
            if (!task_spend(task, 1))
                return false;
        }
        if (children > PATH_FEW)
            vec_push(&tree->wide, wide);
        if (!task_spend(task, 1))
            return false;
    }
    return tree->wide_known = true;
}

/* Returns the space for more nodes. */
static void fit(struct path_tree *tree) {
    struct path_node *nodes = realloc(tree->nodes.v, tree->nodes.n * sizeof *nodes);
    if (nodes == NULL)
        return;
    tree->nodes.v = nodes;
    tree->nodes.cap = tree->nodes.n;
}

static bool sum_once(struct task *task, struct path_tree *tree) {
    if (tree->summed)
        return true;
    free_slots(tree);
    if (!sum_all(task, tree))
        return false;
    fit(tree);
    return tree->summed = true;
}

bool path_tree_order(struct task *task, struct path_tree *tree, enum path_weight by) {
    if (tree->ordered && tree->by == by)
        return true;
    tree->ordered = false;
    tree->by = by;
    tree->ordered =
        sum_once(task, tree) && link_all(task, tree) && (tree->wide_known || find_wide(task, tree));
    return tree->ordered;
}

static struct sum own_of_wide(const struct path_tree *tree, uint32_t node,
                              enum path_weight weight) {
    size_t at = 1;
    lower_bound(at, tree->wide.n, i, tree->wide.v[i].node <= node);
    return tree->wide.v[at - 1].own.v[weight];
}

struct sum path_tree_own(const struct path_tree *tree, uint32_t node, enum path_weight weight) {
    struct sum own = path_tree_all(tree, node, weight);
    uint32_t c = tree->nodes.v[node].first;
    for (int few = 0; c != PATH_ROOT && few < PATH_FEW; few++, c = tree->nodes.v[c].next)
        own = sum_minus(own, path_tree_all(tree, c, weight));
    return c == PATH_ROOT ? own : own_of_wide(tree, node, weight);
}
