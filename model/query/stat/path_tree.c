/* path_tree.c - the nodes of paths: found by parent and name, added up, put in order.
 *
 * A node is found by its parent and name in a hash table of its own. That reads one slot and one node, which a caller
 * can fetch ahead. The table has its full size from the start: memory that is not touched costs nothing, and moving it
 * would take too long for one step.
 *
 * A node comes after its parent, so one pass from the last node to the first adds up all of them. For the order all
 * nodes are sorted by weight once. They are linked from the least on, each at the front of its parent's children. */
#include "model/query/stat/path_tree.h"

#include "src/base/units.h"

#define CHEAP 4 /* nodes for a unit of the budget */

static uint32_t new_node(struct path_tree *tree, uint32_t parent, uint32_t name) {
    vec_push(&tree->nodes, ((struct path_node){.name = name, .parent = parent}));
    return (uint32_t)tree->nodes.n - 1;
}

static uint32_t child(struct path_tree *tree, uint32_t parent, uint32_t name) {
    return path_tree_child(tree, parent, name, path_tree_hash(parent, name));
}

void path_tree_init(struct path_tree *tree, uint32_t most, uint64_t events) {
    uint64_t nodes = 2 * (uint64_t)most < events + 16 ? 2 * (uint64_t)most : events + 16;
    *tree = (struct path_tree){.most = most, .mask = 63};
    while (tree->mask < nodes * 3 / 2) /* between a third and two thirds are in use */
        tree->mask = 2 * tree->mask + 1;
    tree->slots = err_calloc(tree->mask + 1, sizeof *tree->slots);
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
    free_slots(tree);
    free(tree->sums);
    quantiles_free(&tree->order);
    *tree = (struct path_tree){0};
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

/* A sum that wrapped around did not fit. */
static void sum_up(struct path_tree *tree, uint32_t i) {
    struct path_node *node = &tree->nodes.v[i];
    struct path_sum *sum = &tree->sums[i], *parent = &tree->sums[node->parent];
    for (int w = 0; w < PATH_WEIGHTS; w++) {
        if (node->own[w] < 0)
            node->own[w] = INT64_MAX;
        sum->all[w] = units_sum(sum->all[w], node->own[w]);
        if (i > 0)
            parent->all[w] = units_sum(parent->all[w], sum->all[w]);
    }
}

static bool sum_all(struct path_tree *tree, struct budget *budget) {
    while (tree->at > 0) {
        if (!budget_left(budget))
            return false;
        size_t n = tree->at < 1024 ? tree->at : 1024;
        for (; n > 0; n--)
            sum_up(tree, (uint32_t)--tree->at);
        budget_spend(budget, 1024 / CHEAP);
    }
    return true;
}

/* Removes the links of the last order and collects the weights. */
static void begin_order(struct path_tree *tree, enum path_weight by) {
    quantiles_free(&tree->order);
    tree->order = (struct quantiles){0};
    tree->by = by;
    tree->at = 0;
}

/* Nodes without a name come last, whatever their weight. */
static int64_t key_of(const struct path_tree *tree, uint32_t i) {
    uint32_t name = tree->nodes.v[i].name;
    return name < PATH_SPECIAL ? tree->sums[i].all[tree->by] : -1 - (int64_t)(PATH_OTHER - name);
}

static bool collect(struct path_tree *tree, struct budget *budget) {
    while (tree->order.v.n < tree->nodes.n) {
        uint32_t i = (uint32_t)tree->order.v.n;
        tree->sums[i].first = tree->sums[i].next = PATH_ROOT;
        quantiles_add(&tree->order, key_of(tree, i), (uint32_t)tree->nodes.n - i);
        if (i % 64 == 63 && !budget_spend(budget, 64 / CHEAP))
            return false;
    }
    return true;
}

static bool link_all(struct path_tree *tree, struct budget *budget) {
    for (; tree->at < tree->order.v.n; tree->at++) {
        uint32_t i = (uint32_t)tree->nodes.n - tree->order.v.v[tree->at].id;
        struct path_sum *parent = &tree->sums[tree->nodes.v[i].parent];
        if (i == PATH_ROOT)
            continue;
        tree->sums[i].next = parent->first;
        parent->first = i;
        if (tree->at % 64 == 63 && !budget_spend(budget, 64 / CHEAP * 2)) {
            tree->at++;
            return false;
        }
    }
    return true;
}

bool path_tree_order(struct path_tree *tree, enum path_weight by, struct budget *budget) {
    if (tree->ordered && tree->by == by)
        return true;
    if (!tree->summed) {
        if (tree->sums == NULL) {
            free_slots(tree);
            tree->sums = err_calloc(tree->nodes.n, sizeof *tree->sums);
            tree->at = tree->nodes.n;
        }
        if (!sum_all(tree, budget))
            return false;
        tree->summed = true;
        begin_order(tree, by);
    }
    if (tree->ordered || tree->by != by)
        begin_order(tree, by);
    tree->ordered = false;
    if (!collect(tree, budget) || !quantiles_step(&tree->order, budget) || !link_all(tree, budget))
        return false;
    quantiles_free(&tree->order);
    tree->order = (struct quantiles){0};
    tree->ordered = true;
    return true;
}
