/* process_tree.c - reads the begin of the first operation of each group, and walks through
 * children. */
#include "ui/timeline/list/process_tree.h"

#include <string.h>

#include "model/query/process_label.h"
#include "src/base/err.h"

#define NONE UINT32_MAX

static void set_parent(struct process_tree *tree, uint32_t process, uint32_t parent) {
    while (tree->parents.n <= process)
        vec_push(&tree->parents, NO_PROCESS);
    tree->parents.v[process] = parent;
    tree->any = true;
}

bool process_tree_asks(const struct process_tree *tree, struct trace *trace) {
    return tree->generation != trace_generation(trace) ||
           tree->asked < async_group_count(trace_async(trace));
}

bool process_tree_ask(struct process_tree *tree, struct trace *trace) {
    size_t n = async_group_count(trace_async(trace)), most;
    uint64_t parent;
    bool news = false;
    if (tree->generation != trace_generation(trace))
        process_tree_free(tree);
    tree->generation = trace_generation(trace);
    most = n - tree->asked < PROCESS_TREE_FEW ? n : tree->asked + PROCESS_TREE_FEW;
    for (; tree->asked < most; tree->asked++) {
        uint32_t process = async_group(trace_async(trace), tree->asked)->process;
        if (process >= trace_process_count(trace) ||
            !process_label_parent(trace, (uint32_t)tree->asked, &parent))
            continue;
        uint32_t place = trace_pid_process(trace, trace_process(trace, process)->world, parent);
        if (place >= trace_process_count(trace) || place == process)
            continue;
        set_parent(tree, process, place);
        news = true;
    }
    return news;
}

void process_tree_free(struct process_tree *tree) {
    vec_free(&tree->parents);
    *tree = (struct process_tree){0};
}

/* ---- the walk ---- */

struct links { /* of a place in `v` */
    uint32_t parent, first, last, next;
    bool seen;
};

/* Chains children in their order. */
static struct links *link_all(const struct process_tree *tree, const uint32_t *v, size_t n) {
    struct links *links = err_malloc((n + 1) * sizeof *links);
    size_t most = tree->parents.n;
    for (size_t i = 0; i < n; i++)
        most = v[i] > most ? v[i] : most;
    uint32_t *places = err_malloc((most + 1) * sizeof *places);
    memset(places, 0xff, (most + 1) * sizeof *places);
    for (size_t i = 0; i < n; i++) {
        places[v[i]] = (uint32_t)i;
        links[i] = (struct links){NONE, NONE, NONE, NONE, false};
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t parent = process_tree_parent(tree, v[i]),
                 at = parent <= most ? places[parent] : NONE;
        links[i].parent = at;
        if (at == NONE)
            continue;
        if (links[at].last == NONE)
            links[at].first = i;
        else
            links[links[at].last].next = i;
        links[at].last = i;
    }
    free(places);
    return links;
}

static uint32_t unseen(const struct links *links, uint32_t i) {
    while (i != NONE && links[i].seen)
        i = links[i].next;
    return i;
}

/* Adds a place and all below it to `order`, parents first. */
static size_t walk(struct links *links, uint32_t root, uint32_t *order, size_t at) {
    for (uint32_t i = root; i != NONE;) {
        order[at++] = i;
        links[i].seen = true;
        uint32_t next = unseen(links, links[i].first);
        while (next == NONE && i != root) {
            next = unseen(links, links[i].next);
            i = links[i].parent;
        }
        i = next;
    }
    return at;
}

bool process_tree_walk(struct task *task, const struct process_tree *tree, uint32_t *v, size_t n) {
    struct links *links = link_all(tree, v, n);
    uint32_t *order = err_malloc((n + 1) * sizeof *order);
    size_t at = 0;
    for (int round = 0; round < 2; round++) /* then those in a circle, or below one */
        for (uint32_t i = 0; i < n; i++)
            if (!links[i].seen && (round > 0 || links[i].parent == NONE))
                at = walk(links, i, order, at);
    bool going = task_spend(task, n < UINT32_MAX / 8 ? (uint32_t)n * 4 : UINT32_MAX);
    for (size_t i = 0; i < n; i++)
        order[i] = v[order[i]];
    if (going && n > 0)
        memcpy(v, order, n * sizeof *v);
    free(order);
    free(links);
    return going;
}
