/* path_table.c - goes over a tree in depth, by the links of its nodes, without recursion.
 *
 * A row counts how many of its frames are around the current node. The weight in all of a node
 * counts if there are none: then no frame further out has counted it. */
#include "model/query/stat/path_table.h"

#include "src/base/sort.h"

void path_table_init(struct path_table *t, const struct path_tree *tree, enum path_table_kind kind,
                     uint32_t name, enum path_weight by) {
    *t = (struct path_table){.tree = tree, .kind = kind, .name = name, .by = by};
}

void path_table_free(struct path_table *t) {
    vec_free(&t->rows);
    vec_free(&t->order);
    vec_free(&t->by_name);
    *t = (struct path_table){0};
}

/* The place of a name in the rows, + 1; 0: none. NULL: the name has no entry. */
static uint32_t *entry_of(struct path_table *t, uint32_t name) {
    if (name >= PATH_SPECIAL)
        return &t->special[name - PATH_SPECIAL];
    return name < t->by_name.n ? &t->by_name.v[name] : NULL;
}

const struct path_row_by_name *path_table_row(const struct path_table *t, uint32_t name) {
    uint32_t place = 0;
    if (name >= PATH_SPECIAL)
        place = t->special[name - PATH_SPECIAL];
    else if (name < t->by_name.n)
        place = t->by_name.v[name];
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
    struct path_row_by_name *above =
                                i == PATH_ROOT ? NULL : row_of_node(t, t->tree->nodes.v[i].parent),
                            *row;
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

static bool gather(struct task *task, struct path_table *t) {
    bool leaving = false;
    uint32_t at = PATH_ROOT;
    for (uint32_t n = 1;; n++) {
        const struct path_node *node = &t->tree->nodes.v[at];
        if (!leaving) {
            enter_node(t, at);
            leaving = node->first == PATH_ROOT;
            at = leaving ? at : node->first;
        } else {
            leave_node(t, at);
            if (at == PATH_ROOT)
                return true;
            leaving = node->next == PATH_ROOT;
            at = leaving ? node->parent : node->next;
        }
        if (n % 256 == 0 && !task_spend(task, 256))
            return false;
    }
}

/* Names by their own weight, callers and callees by that in all. */
static int64_t key_of(const struct path_table *t, const struct path_row_by_name *row) {
    return sum_key(t->kind == PATH_NAMES || t->by == PATH_COUNT ? row->own[t->by]
                                                                : row->all[t->by]);
}

/* Names that are only around others, and callers and callees without any weight in the range, are
 * left out. */
static bool is_listed(const struct path_table *t, const struct path_row_by_name *row) {
    bool any = false;
    for (int w = 0; w < PATH_WEIGHTS; w++)
        any = any || sum_cmp(row->all[w], sum_from(0)) != 0;
    return t->kind == PATH_NAMES ? row->own[PATH_COUNT].low > 0 : any;
}

struct keyed {
    int64_t key;
    uint32_t row;
};

static int greatest_first(const void *a, const void *b) {
    int64_t x = ((const struct keyed *)a)->key, y = ((const struct keyed *)b)->key;
    return (x < y) - (x > y);
}

void path_table_make(struct task *task, struct path_table *t) {
    VEC(struct keyed) keys = {0};
    if (!gather(task, t))
        return;
    for (uint32_t i = 0; i < t->rows.n; i++)
        if (is_listed(t, &t->rows.v[i]))
            vec_push(&keys, ((struct keyed){key_of(t, &t->rows.v[i]), i}));
    t->done = sort_items(task, keys.v, keys.n, sizeof *keys.v, greatest_first);
    for (size_t i = 0; i < keys.n && t->done; i++)
        vec_push(&t->order, keys.v[i].row);
    vec_free(&keys);
}
