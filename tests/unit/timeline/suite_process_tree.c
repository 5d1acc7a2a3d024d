/* suite_process_tree.c - the walk through random trees, and parents that a recording names. */
#include "ui/timeline/list/process_tree.h"

#include <stdlib.h>
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

#define MOST 40

static struct chance chance = {77};

/* The number of steps to a process without a parent; more than n: there is a circle. */
static size_t depth_of(const struct process_tree *tree, uint32_t process, size_t n) {
    size_t depth = 0;
    while (depth <= n && process_tree_parent(tree, process) < n) {
        process = process_tree_parent(tree, process);
        depth++;
    }
    return depth;
}

static bool is_below(const struct process_tree *tree, uint32_t process, uint32_t other, size_t n) {
    for (size_t i = 0; i <= n && process < n; i++) {
        if (process == other)
            return true;
        process = process_tree_parent(tree, process);
    }
    return false;
}

struct walked {
    const struct process_tree *tree;
    uint32_t *v;
    size_t n;
};

static void walk(struct task *task, void *ctx) {
    struct walked *w = ctx;
    process_tree_walk(task, w->tree, w->v, w->n);
}

/* Each process once; without circles a process is followed by all that are below it, and siblings
 * are in the order that they had. */
START_TEST(a_walk_has_children_after_their_parents) {
    unsigned circles = 0;
    for (int n = 0; n < 3000; n++) {
        size_t count = 1 + below(&chance, MOST);
        struct process_tree tree = {0};
        uint32_t before[MOST], v[MOST], place[MOST], at[MOST];
        bool circle = false;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t parent = (uint32_t)below(&chance, n % 4 ? i + 1 : count);
            vec_push(&tree.parents, parent == i || below(&chance, 5) == 0 ? NO_PROCESS : parent);
            before[i] = i;
        }
        for (size_t i = count; i > 1; i--) { /* any order */
            size_t k = below(&chance, i);
            uint32_t other = before[k];
            before[k] = before[i - 1];
            before[i - 1] = other;
        }
        for (uint32_t i = 0; i < count; i++) {
            at[before[i]] = i;
            circle = circle || depth_of(&tree, i, count) > count;
        }
        memcpy(v, before, count * sizeof *v);
        task_whole(walk, &(struct walked){&tree, v, count}, NULL);
        memset(place, 0xff, sizeof place);
        for (uint32_t i = 0; i < count; i++) {
            MUST(v[i] < count && place[v[i]] == UINT32_MAX, n);
            place[v[i]] = i;
        }
        circles += circle;
        for (uint32_t i = 0; i < count && !circle; i++) {
            size_t last = i;
            for (uint32_t k = 0; k < count; k++) {
                if (k != v[i] && is_below(&tree, k, v[i], count)) {
                    MUST(place[k] > i, n);
                    last = place[k] > last ? place[k] : last;
                }
                if (k != v[i] && process_tree_parent(&tree, k) == process_tree_parent(&tree, v[i]))
                    MUST((place[k] > i) == (at[k] > at[v[i]]), n);
            }
            for (size_t k = i + 1; k <= last; k++)
                MUST(is_below(&tree, v[k], v[i], count), n);
        }
        process_tree_free(&tree);
    }
    ck_assert_uint_gt(circles, 100);
}
END_TEST

START_TEST(a_recording_names_parents) {
    struct trace *trace =
        loaded_text("magic\ninit 1000000000\n"
                    "async_begin 10 5/5 \"process\" \"make\" id=5 parent=koid:1\n"
                    "async_begin 20 6/6 \"process\" \"cc\" id=6 parent=koid:5\n"
                    "async_begin 30 7/7 \"process\" \"as\" id=7 parent=koid:6\n"
                    "async_begin 35 8/8 \"other\" \"as\" id=8 parent=koid:6\n"
                    "async_begin 40 9/9 \"process\" \"own\" id=9 parent=koid:9\n"
                    "async_begin 50 10/10 \"process\" \"text\" id=10 parent=\"6\"\n");
    struct process_tree tree = {0};
    ck_assert(process_tree_asks(&tree, trace));
    ck_assert(process_tree_ask(&tree, trace));
    ck_assert(!process_tree_asks(&tree, trace) && !process_tree_ask(&tree, trace));
    uint32_t make = trace_pid_process(trace, 0, 5), cc = trace_pid_process(trace, 0, 6);
    ck_assert_uint_eq(process_tree_parent(&tree, cc), make);
    ck_assert_uint_eq(process_tree_parent(&tree, trace_pid_process(trace, 0, 7)), cc);
    for (uint64_t pid = 8; pid <= 10; pid++)
        ck_assert_uint_eq(process_tree_parent(&tree, trace_pid_process(trace, 0, pid)), NO_PROCESS);
    ck_assert_uint_eq(process_tree_parent(&tree, make), NO_PROCESS);
    process_tree_free(&tree);
    trace_free(trace);
}
END_TEST

SUITE(process_tree) {
    Suite *s = suite_create("process_tree");
    TCase *t = tcase_create("process_tree");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, a_walk_has_children_after_their_parents);
    tcase_add_test(t, a_recording_names_parents);
    suite_add_tcase(s, t);
    return s;
}
