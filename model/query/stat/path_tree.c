/* path_tree.c - the nodes of paths: found by parent and name, added up, put in order.
 *
 * A node is found by its parent and name in a hash table of its own. That reads one slot and one
 * node, which a caller can fetch ahead. Table and nodes have their full size from the start: memory
 * that is not touched costs nothing, and moving it would take too long for one step.
 *
 * A node comes after its parent, so one pass from the last node to the first adds up all of them,
 * in place: memory for a second weight of each node would be as much again. For the order all nodes
 * are sorted by weight once. They are linked from the least on, each at the front of its parent's
 * children.
 *
 * The weight of a node alone is that of all without that of its children. A frame asks for it, so
 * that of nodes with many children is kept. */
#include "model/query/stat/path_tree.h"

#include "src/base/lower_bound.h"

#define CHEAP 4 /* nodes for a unit of the budget */

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
    tree->slot_bytes = (tree->mask + 1) * sizeof *tree->slots;
    vec_reserve(&tree->nodes, nodes < most ? nodes : most);
    new_node(tree, PATH_ROOT, PATH_ALL);
    child(tree, PATH_ROOT, PATH_NO_SLICE);
    child(tree, PATH_ROOT, PATH_LEFT_OUT);
}

static void free_slots(struct path_tree *tree) {
    free(tree->slots);
    tree->slots = NULL;
}

void path_tree_free(struct path_tree *tree) {
    vec_free(&tree->nodes);
    vec_free(&tree->running);
    vec_free(&tree->high);
    free_slots(tree);
    quantiles_free(&tree->order);
    vec_free(&tree->wide);
    *tree = (struct path_tree){0};
}

bool path_tree_free_step(struct path_tree *tree, struct budget *budget) {
    if ((tree->slots && !vec_release(tree->slots, &tree->slot_bytes, budget)) ||
        !vec_free_step(&tree->nodes, budget) || !vec_free_step(&tree->running, budget) ||
        !vec_free_step(&tree->high, budget))
        return false;
    path_tree_free(tree);
    return true;
}

uint32_t path_tree_child(struct path_tree *tree, uint32_t parent, uint32_t name, uint64_t hash) {
    struct path_slot *slot;
    for (size_t at = hash >> 32;; at++) {
        slot = &tree->slots[at & tree->mask];
        if (slot->node == 0)
            break;
        const struct path_node *node = &tree->nodes.v[slot->node - 1];
        if (slot->hash == (uint32_t)hash && node->parent == parent && node->name == name)
            return slot->node - 1;
    }
    if (tree->nodes.n >= tree->most && name < PATH_SPECIAL)
        return tree->nodes.v[parent].name == PATH_OTHER ? parent : child(tree, parent, PATH_OTHER);
    *slot = (struct path_slot){(uint32_t)tree->nodes.n + 1, (uint32_t)hash};
    return new_node(tree, parent, name);
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
static bool sum_all(struct path_tree *tree, struct budget *budget) {
    while (tree->at > 0) {
        if (!budget_left(budget))
            return false;
        for (size_t n = tree->at < 1024 ? tree->at : 1024; n > 0; n--, tree->at--)
            if (tree->at > 1)
                sum_up(tree, (uint32_t)tree->at - 1);
        budget_spend(budget, 1024 / CHEAP);
    }
    return true;
}

/* Links change with the order, so the children of a node are taken again. */
static void begin_wide(struct path_tree *tree, uint32_t node) {
    tree->asking = (struct path_wide){.node = node};
    tree->asking_child = PATH_ROOT;
    tree->asked = 0;
    for (int w = 0; node < tree->nodes.n && w < PATH_WEIGHTS; w++)
        tree->asking.own.v[w] = path_tree_all(tree, node, (enum path_weight)w);
}

/* Removes the links of the last order and collects the weights. */
static void begin_order(struct path_tree *tree, enum path_weight by) {
    quantiles_free(&tree->order);
    tree->order = (struct quantiles){0};
    tree->by = by;
    tree->at = 0;
    begin_wide(tree, tree->asking.node);
}

/* Nodes without a name come last, whatever their weight. */
static int64_t key_of(const struct path_tree *tree, uint32_t i) {
    uint32_t name = tree->nodes.v[i].name;
    return name < PATH_SPECIAL ? sum_key(path_tree_all(tree, i, tree->by))
                               : -1 - (int64_t)(PATH_OTHER - name);
}

static bool collect(struct path_tree *tree, struct budget *budget) {
    while (tree->order.v.n < tree->nodes.n) {
        uint32_t i = (uint32_t)tree->order.v.n;
        tree->nodes.v[i].first = tree->nodes.v[i].next = PATH_ROOT;
        quantiles_add(&tree->order, key_of(tree, i), (uint32_t)tree->nodes.n - i);
        if (i % 64 == 63 && !budget_spend(budget, 64 / CHEAP))
            return false;
    }
    return true;
}

static bool link_all(struct path_tree *tree, struct budget *budget) {
    for (; tree->at < tree->order.v.n; tree->at++) {
        uint32_t i = (uint32_t)tree->nodes.n - tree->order.v.v[tree->at].id;
        struct path_node *parent = &tree->nodes.v[tree->nodes.v[i].parent];
        if (i == PATH_ROOT)
            continue;
        tree->nodes.v[i].next = parent->first;
        parent->first = i;
        if (tree->at % 64 == 63 && !budget_spend(budget, 64 / CHEAP * 2)) {
            tree->at++;
            return false;
        }
    }
    return true;
}

/* Takes the children of each node from its weight, and keeps the rest if they are many. Done once:
 * the order of the children does not matter. */
static bool find_wide(struct path_tree *tree, struct budget *budget) {
    while (tree->asking.node < tree->nodes.n) {
        uint32_t c =
            tree->asking_child ? tree->asking_child : tree->nodes.v[tree->asking.node].first;
        for (; c != PATH_ROOT; c = tree->nodes.v[c].next, tree->asked++) {
            tree->asking_child = c;
            if (!budget_spend(budget, 1))
                return false;
            for (int w = 0; w < PATH_WEIGHTS; w++)
                tree->asking.own.v[w] =
                    sum_minus(tree->asking.own.v[w], path_tree_all(tree, c, (enum path_weight)w));
        }
        if (tree->asked > PATH_FEW)
            vec_push(&tree->wide, tree->asking);
        begin_wide(tree, tree->asking.node + 1);
        if (!budget_spend(budget, 1))
            return false;
    }
    return true;
}

/* No node will be added: space for more is returned. */
static void fit(struct path_tree *tree) {
    struct path_node *nodes = realloc(tree->nodes.v, tree->nodes.n * sizeof *nodes);
    if (nodes == NULL)
        return;
    tree->nodes.v = nodes;
    tree->nodes.cap = tree->nodes.n;
}

bool path_tree_order(struct path_tree *tree, enum path_weight by, struct budget *budget) {
    if (tree->ordered && tree->by == by)
        return true;
    if (!tree->summed) {
        if (tree->slots) {
            if (!vec_release(tree->slots, &tree->slot_bytes, budget))
                return false;
            free_slots(tree);
            tree->at = tree->nodes.n;
        }
        if (!sum_all(tree, budget))
            return false;
        fit(tree);
        tree->summed = true;
        begin_order(tree, by);
    }
    if (tree->ordered || tree->by != by)
        begin_order(tree, by);
    tree->ordered = false;
    if (!collect(tree, budget) || !quantiles_step(&tree->order, budget) ||
        !link_all(tree, budget) || !find_wide(tree, budget) ||
        !vec_free_step(&tree->order.v, budget))
        return false;
    quantiles_free(&tree->order);
    tree->order = (struct quantiles){0};
    tree->ordered = true;
    return true;
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
