/* path_table.c - goes over a tree in depth, by the links of its nodes, without recursion.
 *
 * A row counts how many of its frames are around the current node. The weight in all of a node counts if there are
 * none: then no frame further out has counted it. */
#include "model/query/stat/path_table.h"

#define NO_ROW UINT32_MAX

void path_table_init(struct path_table *t, const struct path_tree *tree, enum path_table_kind kind, uint32_t name,
                     enum path_weight by) {
    *t = (struct path_table){.tree = tree, .kind = kind, .name = name, .by = by};
}

void path_table_free(struct path_table *t) {
    vec_free(&t->rows);
    vec_free(&t->order);
    vec_free(&t->by_name);
    quantiles_free(&t->sorted);
    *t = (struct path_table){0};
}

/* The place of a name in the rows, + 1; 0: none. NULL: the name has no entry. */
static uint32_t *entry_of(struct path_table *t, uint32_t name) {
    if (name >= PATH_SPECIAL)
        return &t->special[name - PATH_SPECIAL];
    return name < t->by_name.n ? &t->by_name.v[name] : NULL;
}

const struct path_row_by_name *path_table_row(const struct path_table *t, uint32_t name) {
    uint32_t place = name >= PATH_SPECIAL  ? t->special[name - PATH_SPECIAL]
                     : name < t->by_name.n ? t->by_name.v[name]
                                           : 0;
    return place > 0 ? &t->rows.v[place - 1] : NULL;
}

static struct path_row_by_name *row_of(struct path_table *t, uint32_t name) {
    uint32_t *entry = entry_of(t, name);
    if (entry == NULL) {
        vec_reserve(&t->by_name, (size_t)name + 1);
        while (t->by_name.n <= name)
            t->by_name.v[t->by_name.n++] = 0;
        entry = &t->by_name.v[name];
    }
    if (*entry == 0) {
        vec_push(&t->rows, ((struct path_row_by_name){.name = name}));
        *entry = (uint32_t)t->rows.n;
    }
    return &t->rows.v[*entry - 1];
}

/* The row that a node is of, by its name or by its parent's. */
static struct path_row_by_name *row_of_node(struct path_table *t, uint32_t i) {
    const struct path_node *node = &t->tree->nodes.v[i];
    uint32_t above = t->tree->nodes.v[node->parent].name;
    if (i == PATH_ROOT || node->name == PATH_NO_SLICE || node->name == PATH_LEFT_OUT)
        return NULL;
    switch (t->kind) {
    case PATH_NAMES:
        return row_of(t, node->name);
    case PATH_CALLERS:
        return node->name == t->name ? row_of(t, above) : NULL;
    default:
        return above == t->name ? row_of(t, node->name) : NULL;
    }
}

/* A node alone has the weight in all without that of its children, which are entered later. */
static void enter_node(struct path_table *t, uint32_t i) {
    struct path_row_by_name *above = i == PATH_ROOT ? NULL : row_of_node(t, t->tree->nodes.v[i].parent), *row;
    for (int w = 0; w < PATH_WEIGHTS && above; w++)
        above->own[w] = sum_minus(above->own[w], path_tree_all(t->tree, i, (enum path_weight)w));
    row = row_of_node(t, i);
    if (row == NULL)
        return;
    for (int w = 0; w < PATH_WEIGHTS; w++) {
        struct sum all = path_tree_all(t->tree, i, (enum path_weight)w);
        row->own[w] = sum_plus(row->own[w], all);
        if (row->within == 0)
            row->all[w] = sum_plus(row->all[w], all);
    }
    row->within++;
}

static void leave_node(struct path_table *t, uint32_t i) {
    struct path_row_by_name *row = row_of_node(t, i);
    if (row)
        row->within--;
}

/* Goes to the next node, in depth; false: there is none. */
static bool next_node(struct path_table *t) {
    const struct path_node *node = &t->tree->nodes.v[t->at];
    if (!t->leaving) {
        enter_node(t, t->at);
        t->leaving = node->first == PATH_ROOT;
        t->at = t->leaving ? t->at : node->first;
        return true;
    }
    leave_node(t, t->at);
    if (t->at == PATH_ROOT)
        return false;
    t->leaving = node->next == PATH_ROOT;
    t->at = t->leaving ? node->parent : node->next;
    return true;
}

static bool gather(struct path_table *t, struct budget *budget) {
    while (budget_left(budget)) {
        for (int n = 0; n < 256; n++)
            if (!next_node(t))
                return true;
        budget_spend(budget, 256);
    }
    return false;
}

/* Names by their own weight, callers and callees by that in all. */
static int64_t key_of(const struct path_table *t, const struct path_row_by_name *row) {
    return sum_key(t->kind == PATH_NAMES || t->by == PATH_COUNT ? row->own[t->by] : row->all[t->by]);
}

/* Names that are only around others, and callers and callees without any weight in the range, are left out. */
static bool is_listed(const struct path_table *t, const struct path_row_by_name *row) {
    bool any = false;
    for (int w = 0; w < PATH_WEIGHTS; w++)
        any = any || sum_cmp(row->all[w], sum_from(0)) != 0;
    return t->kind == PATH_NAMES ? row->own[PATH_COUNT].low > 0 : any;
}

bool path_table_step(struct path_table *t, struct budget *budget) {
    if (t->done)
        return true;
    if (!t->gathered) {
        if (!gather(t, budget))
            return false;
        t->gathered = true;
        for (uint32_t i = 0; i < t->rows.n; i++)
            if (is_listed(t, &t->rows.v[i]))
                quantiles_add(&t->sorted, key_of(t, &t->rows.v[i]), (uint32_t)t->rows.n - i);
    }
    if (!quantiles_step(&t->sorted, budget))
        return false;
    for (size_t i = t->sorted.v.n; i > 0; i--)
        vec_push(&t->order, (uint32_t)t->rows.n - t->sorted.v.v[i - 1].id);
    quantiles_free(&t->sorted);
    t->sorted = (struct quantiles){0};
    return t->done = true;
}
