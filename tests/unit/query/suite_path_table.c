/* suite_path_table.c - trees made of a tree, and names, callers and callees, against sums over all
 * paths one by one. */
#include "model/query/stat/path_table.h"

#include <string.h>

#include "model/query/stat/path_derive.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

static struct chance chance = {31337};

static int64_t owns[1100][PATH_WEIGHTS]; /* of the nodes of the last tree alone */

struct ordering {
    struct path_tree *tree;
    enum path_weight by;
};

static void make_order(struct task *task, void *ctx) {
    const struct ordering *o = ctx;
    path_tree_order(task, o->tree, o->by);
}

/* A tree, of few names for recursion of all sorts, or of many for nodes with many children. */
static void throw_tree(struct path_tree *tree, unsigned nodes, unsigned names) {
    path_tree_init(tree, 1000, 1000);
    for (unsigned i = 0; i < nodes; i++) {
        uint32_t parent = (uint32_t)below(&chance, names > 20 ? 6 : tree->nodes.n),
                 name = (uint32_t)below(&chance, names);
        if (parent == PATH_NO_SLICE_NODE || parent == PATH_LEFT_OUT_NODE || parent >= tree->nodes.n)
            parent = PATH_ROOT;
        uint32_t node = path_tree_child(tree, parent, name, path_tree_hash(parent, name));
        for (int w = 0; w < PATH_WEIGHTS; w++)
            path_tree_add(tree, node, (enum path_weight)w,
                          (int64_t)below(&chance, 3) * (int64_t)below(&chance, 50));
    }
    path_tree_add(tree, PATH_NO_SLICE_NODE, PATH_WALL, 17);
    for (uint32_t i = 0; i < tree->nodes.n; i++)
        for (int w = 0; w < PATH_WEIGHTS; w++)
            owns[i][w] = sum_ns(path_tree_all(tree, i, (enum path_weight)w));
    path_tree_order(NULL, tree, PATH_WALL);
    for (int i = 0; i < 4; i++) { /* the order changes in mid-work */
        struct ordering ordering = {tree, i % 2 ? PATH_COUNT : PATH_WALL};
        task_whole(make_order, &ordering, TASK_OF((uint32_t)below(&chance, 900)));
    }
    path_tree_order(NULL, tree, PATH_WALL);
}

/* Own weights are those that were added, also of nodes with many children. */
START_TEST(own_weights_are_those_added) {
    for (int round = 0; round < 60; round++) {
        struct path_tree tree;
        throw_tree(&tree, (unsigned)below(&chance, 900), 1 + (unsigned)below(&chance, 700));
        for (uint32_t i = 0; i < tree.nodes.n; i++)
            for (int w = 0; w < PATH_WEIGHTS; w++)
                MUST(sum_ns(path_tree_own(&tree, i, (enum path_weight)w)) == owns[i][w]);
        path_tree_free(&tree);
    }
}
END_TEST

static void make_table(struct task *task, void *ctx) {
    path_table_make(task, ctx);
}

static void make_all(struct path_table *t) {
    ck_assert(task_whole(make_table, t, NULL) && t->done);
}

/* A frame of a slice that only touches the range. */
START_TEST(callees_without_weight_are_left_out) {
    struct path_tree tree;
    struct path_table callees;
    path_tree_init(&tree, 1000, 1000);
    uint32_t outer = path_tree_child(&tree, PATH_ROOT, 5, path_tree_hash(PATH_ROOT, 5));
    uint32_t inner = path_tree_child(&tree, outer, 6, path_tree_hash(outer, 6));
    path_tree_child(&tree, outer, 7, path_tree_hash(outer, 7));
    path_tree_add(&tree, inner, PATH_COUNT, 1); /* of no length */
    path_tree_order(NULL, &tree, PATH_WALL);
    path_table_init(&callees, &tree, PATH_CALLEES, 5, PATH_WALL);
    make_all(&callees);
    ck_assert_uint_eq(callees.order.n, 1);
    ck_assert_uint_eq(callees.rows.v[callees.order.v[0]].name, 6);
    path_table_free(&callees);
    path_tree_free(&tree);
}
END_TEST

/* The names of a path, innermost first; returns their number. */
static size_t names_of(const struct path_tree *tree, uint32_t node, uint32_t *names) {
    size_t n = 0;
    for (; node != PATH_ROOT; node = tree->nodes.v[node].parent)
        names[n++] = tree->nodes.v[node].name;
    return n;
}

/* The node of the names, outermost last; PATH_ROOT: there is none. */
static uint32_t node_of(const struct path_tree *tree, const uint32_t *names, size_t n) {
    uint32_t v[1100];
    for (uint32_t i = 1; i < tree->nodes.n; i++)
        if (names_of(tree, i, v) == n && memcmp(v, names, n * sizeof *v) == 0)
            return i;
    return PATH_ROOT;
}

static size_t fold(uint32_t *names, size_t n) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (i + 1 == n || names[i] != names[i + 1] || names[i] >= PATH_SPECIAL)
            names[kept++] = names[i];
    return kept;
}

static void reverse(uint32_t *names, size_t n) {
    for (size_t i = 0; i < n / 2; i++) {
        uint32_t name = names[i];
        names[i] = names[n - 1 - i];
        names[n - 1 - i] = name;
    }
}

struct deriving {
    const struct path_tree *from;
    struct path_tree *to;
    enum path_derived kind;
};

static void make_derived(struct task *task, void *ctx) {
    const struct deriving *d = ctx;
    path_derive_make(task, d->from, d->to, d->kind);
}

static void derive_all(const struct path_tree *from, struct path_tree *to, enum path_derived kind) {
    ck_assert(task_whole(make_derived, &(struct deriving){from, to, kind}, NULL));
}

/* Both: recursion is folded first, and that tree is not summed. */
static void compare_derived(const struct path_tree *from, bool folded, bool bottom_up) {
    struct path_tree once, to;
    uint32_t names[1100];
    derive_all(from, folded && bottom_up ? &once : &to, folded ? PATH_FOLDED : PATH_BOTTOM_UP);
    if (folded && bottom_up) {
        derive_all(&once, &to, PATH_BOTTOM_UP);
        path_tree_free(&once);
    }
    /* each path is taken out of the derived tree again */
    for (uint32_t i = 1; i < from->nodes.n; i++) {
        size_t n = names_of(from, i, names);
        const int64_t *own = owns[i];
        if (folded)
            n = fold(names, n);
        if (bottom_up)
            reverse(names, n);
        if (own[0] == 0 && own[1] == 0 && own[2] == 0)
            continue;
        uint32_t node = node_of(&to, names, n);
        MUST(node != PATH_ROOT);
        for (int w = 0; w < PATH_WEIGHTS; w++)
            path_tree_add(&to, node, (enum path_weight)w, -own[w]);
    }
    for (uint32_t i = 0; i < to.nodes.n; i++)
        for (int w = 0; w < PATH_WEIGHTS; w++)
            MUST(sum_ns(path_tree_all(&to, i, (enum path_weight)w)) == 0);
    path_tree_free(&to);
}

START_TEST(derived_paths_are_those_of_the_tree) {
    for (int n = 0; n < 300; n++) {
        struct path_tree tree;
        throw_tree(&tree, 2 + (unsigned)below(&chance, 60), 1 + (unsigned)below(&chance, 5));
        compare_derived(&tree, n % 3 != 0, n % 3 != 1);
        path_tree_free(&tree);
    }
}
END_TEST

/* Each name has the weight of all paths that end in it. */
START_TEST(ends_have_the_weights_of_their_paths) {
    for (int n = 0; n < 300; n++) {
        struct path_tree tree, ends;
        int64_t sum;
        throw_tree(&tree, 2 + (unsigned)below(&chance, 200),
                   1 + (unsigned)below(&chance, n % 2 ? 5 : 90));
        derive_all(&tree, &ends, PATH_ENDS);
        for (uint32_t node = 0; node < ends.nodes.n; node++)
            for (int w = 0; w < PATH_WEIGHTS; w++) {
                sum = 0;
                for (uint32_t i = 0; i < tree.nodes.n; i++)
                    sum += tree.nodes.v[i].name == ends.nodes.v[node].name ? owns[i][w] : 0;
                MUST(ends.nodes.v[node].parent == PATH_ROOT &&
                     sum_ns(path_tree_all(&ends, node, (enum path_weight)w)) == sum);
            }
        for (uint32_t i = 1; i < tree.nodes.n; i++)
            MUST(node_of(&ends, &tree.nodes.v[i].name, 1) != PATH_ROOT);
        path_tree_free(&ends);
        path_tree_free(&tree);
    }
}
END_TEST

/* A million callers would take a million passes. */
START_TEST(callers_are_followed_up_to_a_limit) {
    struct path_tree tree, up;
    uint32_t node = PATH_ROOT;
    path_tree_init(&tree, 1000, 1000);
    for (uint32_t i = 0; i < 900; i++)
        node = path_tree_child(&tree, node, i, path_tree_hash(node, i));
    path_tree_add(&tree, node, PATH_WALL, 5);
    path_tree_order(NULL, &tree, PATH_WALL);
    derive_all(&tree, &up, PATH_BOTTOM_UP);
    ck_assert_uint_eq(up.nodes.n, 3 + PATH_CALLERS_UP);
    ck_assert_int_eq(sum_ns(path_tree_all(&up, (uint32_t)up.nodes.n - 1, PATH_WALL)), 5);
    path_tree_free(&up);
    path_tree_free(&tree);
}
END_TEST

/* ---- tables ---- */

/* Whether the frame k of a path (innermost first) is of a row. */
static bool is_of(enum path_table_kind kind, uint32_t middle, const uint32_t *names, size_t n,
                  size_t k, uint32_t name) {
    uint32_t above = k + 1 < n ? names[k + 1] : PATH_ALL;
    if (names[k] == PATH_NO_SLICE)
        return false;
    if (kind == PATH_NAMES)
        return names[k] == name;
    return kind == PATH_CALLERS ? names[k] == middle && above == name
                                : above == middle && names[k] == name;
}

static void compare_row(const struct path_table *t, const struct path_tree *tree, uint32_t name) {
    const struct path_row_by_name *row = path_table_row(t, name);
    int64_t own[PATH_WEIGHTS] = {0}, all[PATH_WEIGHTS] = {0};
    uint32_t names[1100];
    bool exists = false;
    for (uint32_t i = 1; i < tree->nodes.n; i++) {
        size_t n = names_of(tree, i, names), on = 0;
        for (size_t k = 0; k < n; k++)
            on += is_of(t->kind, t->name, names, n, k, name);
        bool last = is_of(t->kind, t->name, names, n, 0, name);
        exists = exists || last;
        for (int w = 0; w < PATH_WEIGHTS; w++) {
            own[w] += last ? owns[i][w] : 0;
            all[w] += on > 0 ? owns[i][w] : 0;
        }
    }
    MUST((row != NULL) == exists);
    for (int w = 0; w < PATH_WEIGHTS && row; w++)
        MUST(sum_ns(row->own[w]) == own[w] && sum_ns(row->all[w]) == all[w] && row->within == 0);
}

START_TEST(rows_are_those_of_all_paths) {
    for (int n = 0; n < 600; n++) {
        struct path_tree tree;
        struct path_table t;
        unsigned names = 1 + (unsigned)below(&chance, 5);
        throw_tree(&tree, 2 + (unsigned)below(&chance, 60), names);
        path_table_init(&t, &tree, (enum path_table_kind)(n % 3), (uint32_t)below(&chance, names),
                        (enum path_weight)below(&chance, PATH_WEIGHTS));
        make_all(&t);
        for (uint32_t name = 0; name < names; name++)
            compare_row(&t, &tree, name);
        compare_row(&t, &tree, PATH_ALL);
        size_t listed = 0; /* names with slices of their own, callers and callees with any weight */
        for (size_t i = 0; i < t.rows.n; i++) {
            const struct path_row_by_name *row = &t.rows.v[i];
            bool weight = false;
            for (int w = 0; w < PATH_WEIGHTS; w++)
                weight = weight || sum_ns(row->all[w]) != 0;
            listed += t.kind == PATH_NAMES ? row->own[PATH_COUNT].low > 0 : weight;
        }
        MUST(t.order.n == listed);
        for (size_t i = 1; i < t.order.n; i++) {
            const struct path_row_by_name *a = &t.rows.v[t.order.v[i - 1]],
                                          *b = &t.rows.v[t.order.v[i]];
            bool by_own = t.kind == PATH_NAMES || t.by == PATH_COUNT;
            MUST(by_own ? sum_cmp(a->own[t.by], b->own[t.by]) >= 0
                        : sum_cmp(a->all[t.by], b->all[t.by]) >= 0);
        }
        path_table_free(&t);
        path_tree_free(&tree);
    }
}
END_TEST

/* The table of nodes grows: each path is found again, and is of one node. */
START_TEST(more_paths_than_announced_are_added) {
    enum { WIDE = 300, DEEP = 300 };
    struct path_tree tree;
    uint32_t nodes[WIDE + DEEP];
    path_tree_init(&tree, 10000, 0);
    for (int again = 0; again < 2; again++) {
        uint32_t at = PATH_ROOT;
        for (uint32_t i = 0; i < WIDE + DEEP; i++) {
            uint32_t above = i < WIDE ? PATH_ROOT : at;
            at = path_tree_child(&tree, above, i, path_tree_hash(above, i));
            ck_assert(again == 0 || at == nodes[i]);
            nodes[i] = at;
        }
    }
    ck_assert_uint_eq(tree.nodes.n, 3 + WIDE + DEEP);
    path_tree_free(&tree);
}
END_TEST

SUITE(path_derive) {
    Suite *s = suite_create("path_derive");
    TCase *c = tcase_create("path_derive");
    tcase_add_test(c, derived_paths_are_those_of_the_tree);
    tcase_add_test(c, ends_have_the_weights_of_their_paths);
    tcase_add_test(c, more_paths_than_announced_are_added);
    tcase_add_test(c, callers_are_followed_up_to_a_limit);
    suite_add_tcase(s, c);
    return s;
}

SUITE(path_table) {
    Suite *s = suite_create("path_table");
    TCase *c = tcase_create("path_table");
    tcase_add_test(c, rows_are_those_of_all_paths);
    tcase_add_test(c, own_weights_are_those_added);
    tcase_add_test(c, callees_without_weight_are_left_out);
    suite_add_tcase(s, c);
    return s;
}
