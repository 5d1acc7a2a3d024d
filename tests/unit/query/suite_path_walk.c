/* suite_path_walk.c - the paths of a range against a reading of every moment (SEMANTICS 6.11).
 *
 * The reading takes each slice's ancestors one by one and writes the path as text. It gives each
 * stretch in which no slice begins or ends to the last slice in nesting order that covers it. */
#include "model/query/stat/path_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/query/filter/filter_match.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/lib/thrown.h"

static struct chance chance = {77123};

/* ---- the slow reading ---- */

#define PATH_TEXT 4096

struct slow_path {
    char text[PATH_TEXT];
    int64_t own[PATH_WEIGHTS];
};

struct slow {
    VEC(struct slow_path) paths;
    int64_t uncovered[PATH_WEIGHTS], left_out[PATH_WEIGHTS];
};

static struct slow_path *slow_path(struct slow *slow, const char *text) {
    for (size_t i = 0; i < slow->paths.n; i++)
        if (strcmp(slow->paths.v[i].text, text) == 0)
            return &slow->paths.v[i];
    struct slow_path path = {.own = {0}};
    snprintf(path.text, sizeof path.text, "%s", text);
    vec_push(&slow->paths, path);
    return &slow->paths.v[slow->paths.n - 1];
}

/* Puts ";NUMBER" before the text. */
static void prepend(char text[PATH_TEXT], uint32_t number) {
    char one[16];
    size_t n = (size_t)snprintf(one, sizeof one, ";%u", number), old = strlen(text);
    ck_assert_uint_lt(n + old, PATH_TEXT);
    memmove(text + n, text, old + 1);
    memcpy(text, one, n);
}

/* ";n1;n2" of a slice; slices with a far time are no frames. */
static void path_of(struct trace *trace, uint32_t thread, uint32_t row, uint32_t i,
                    char text[PATH_TEXT]) {
    const struct nest *nest = &trace_thread(trace, thread)->nest;
    text[0] = 0;
    for (bool more = true; more;
         more = nest_parent(nest, trace_slice_extra(trace), row, i, &row, &i)) {
        const struct slice *s = lane_at(nest_row(nest, row), i);
        if (!trace_damaged_slice(trace, s))
            prepend(text, trace_packed_name(trace, s->begin_word));
    }
}

static bool inside(const struct trace *trace, const struct range *range,
                   const struct thrown_slice *s) {
    int64_t start = s->slice.start, end = slice_iter_end(trace, s->track, &s->slice);
    if (s->kind != SLICE_ITER_SLICES || trace_damaged_slice(trace, &s->slice) ||
        (range->tracks.v.n > 0 && !track_set_has(&range->tracks, s->track)))
        return false;
    if (!range->timed)
        return true;
    bool before = start < range->to || (range->to >= trace_end(trace) && start == range->to);
    return before && (end > range->from || start >= range->from);
}

static bool later(const struct trace *trace, const struct thrown_slice *x,
                  const struct thrown_slice *y) {
    const struct nest *nest = &trace_thread(trace, x->track)->nest;
    const struct slice_extra *extra = trace_slice_extra(trace);
    if (x->slice.start != y->slice.start)
        return x->slice.start > y->slice.start;
    return nest_depth(nest, extra, x->row, x->i) > nest_depth(nest, extra, y->row, y->i);
}

/* The time of [from, to) that the thread ran, state by state. */
static int64_t ran(const struct trace *trace, uint32_t thread, int64_t from, int64_t to) {
    const struct sched_thread *t = sched_thread(trace_sched(trace), thread);
    int64_t sum = 0, begin, end;
    if (t == NULL || !sched_life_span(t, &begin, &end))
        return 0;
    from = from > begin ? from : begin;
    to = to < end ? to : end;
    for (uint32_t i = 0; i < t->states.n; i++) {
        const struct slice *s = lane_at(&t->lane, i);
        int64_t a = s->start > from ? s->start : from, b = slice_end(s) < to ? slice_end(s) : to;
        if (t->states.v[i] == SCHED_RUNNING && b > a)
            sum += b - a;
    }
    return sum;
}

static int by_time(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Gives the stretches of one thread to its slices v. */
static void add_stretches(struct slow *slow, struct trace *trace, const struct range *range,
                          const struct thrown_slice *const *v, size_t n,
                          const struct slice_set *set) {
    int64_t *times = malloc((2 * n + 4) * sizeof *times),
            from = range->timed ? range->from : INT64_MIN;
    int64_t to = range->timed && range->to < trace_end(trace) ? range->to : trace_end(trace),
            covered = 0, in = 0;
    size_t k = 0;
    char text[PATH_TEXT];
    for (size_t i = 0; i < n; i++) {
        times[k++] = v[i]->slice.start;
        times[k++] = slice_iter_end(trace, v[i]->track, &v[i]->slice);
    }
    times[k++] = from;
    times[k++] = to;
    qsort(times, k, sizeof *times, by_time);
    for (size_t i = 1; i < k; i++) {
        const struct thrown_slice *last = NULL;
        int64_t x = times[i - 1], y = times[i];
        if (x >= y || x < from || y > to)
            continue;
        for (size_t j = 0; j < n; j++)
            if (v[j]->slice.start <= x && slice_iter_end(trace, v[j]->track, &v[j]->slice) >= y &&
                (last == NULL || later(trace, v[j], last)))
                last = v[j];
        if (last == NULL)
            continue;
        int64_t *own = slow->left_out;
        if (set->has == NULL || set->has(set->ctx, last->track, last->row, last->i)) {
            path_of(trace, last->track, last->row, last->i, text);
            own = slow_path(slow, text)->own;
        }
        own[PATH_WALL] += y - x;
        own[PATH_RUNNING] += ran(trace, last->track, x, y);
        covered += y - x;
        in += ran(trace, last->track, x, y);
    }
    slow->uncovered[PATH_WALL] += range_thread_time(range, trace, v[0]->track) - covered;
    slow->uncovered[PATH_RUNNING] +=
        ran(trace, v[0]->track, range_begin(range, trace), range_end(range, trace)) - in;
    free(times);
}

static struct slow slow_read(struct trace *trace, const struct range *range,
                             const struct thrown_slices *all,
                             bool (*has)(void *, uint32_t, uint32_t, uint32_t), void *ctx) {
    struct slow slow = {.uncovered = {0}};
    const struct thrown_slice **v = malloc((all->n + 1) * sizeof *v);
    char text[PATH_TEXT];
    for (size_t i = 0; i < all->n;) {
        size_t n = 0;
        uint32_t track = all->v[i].track;
        for (; i < all->n && all->v[i].track == track; i++) {
            const struct thrown_slice *s = &all->v[i];
            if (!inside(trace, range, s))
                continue;
            v[n++] = s;
            if (has == NULL || has(ctx, track, s->row, s->i)) {
                path_of(trace, track, s->row, s->i, text);
                slow_path(&slow, text)->own[PATH_COUNT]++;
            } else {
                slow.left_out[PATH_COUNT]++;
            }
        }
        if (n > 0)
            add_stretches(&slow, trace, range, v, n, &(struct slice_set){.has = has, .ctx = ctx});
    }
    free(v);
    return slow;
}

/* ---- against the tree ---- */

static void node_path(const struct path_tree *tree, uint32_t node, char text[PATH_TEXT]) {
    text[0] = 0;
    for (; node != PATH_ROOT; node = tree->nodes.v[node].parent)
        prepend(text, tree->nodes.v[node].name);
}

static void compare_node(const struct path_tree *tree, uint32_t i, struct slow *slow) {
    const struct path_node *node = &tree->nodes.v[i];
    char text[PATH_TEXT];
    int64_t *own = i == PATH_NO_SLICE_NODE ? slow->uncovered : slow->left_out;
    if (i == PATH_ROOT)
        return;
    if (node->name < PATH_SPECIAL) {
        node_path(tree, i, text);
        own = slow_path(slow, text)->own;
    }
    for (int w = 0; w < PATH_WEIGHTS; w++) {
        /* of the node alone, so far */
        MUST(sum_ns(path_tree_all(tree, i, (enum path_weight)w)) == own[w], w);
        own[w] = 0;
    }
}

/* Sums, links and order: the children of each node fall in weight, and are in it. */
static void check_order(struct path_tree *tree, enum path_weight by) {
    static int64_t owns[30000][PATH_WEIGHTS]; /* of the nodes alone, before they are summed */
    size_t linked = 1;
    ck_assert_uint_le(tree->nodes.n, sizeof owns / sizeof *owns);
    for (uint32_t i = 0; i < tree->nodes.n && !tree->summed; i++)
        for (int w = 0; w < PATH_WEIGHTS; w++)
            owns[i][w] = sum_ns(path_tree_all(tree, i, (enum path_weight)w));
    path_tree_order(NULL, tree, by);
    for (uint32_t i = 0; i < tree->nodes.n; i++) {
        int64_t sum = owns[i][by], before = INT64_MAX;
        MUST(sum_ns(path_tree_own(tree, i, by)) == sum);
        for (uint32_t c = tree->nodes.v[i].first; c != PATH_ROOT;
             c = tree->nodes.v[c].next, linked++) {
            const struct path_node *child = &tree->nodes.v[c];
            int64_t all = sum_ns(path_tree_all(tree, c, by));
            MUST(child->parent == i && c > i);
            MUST(child->name >= PATH_SPECIAL || all <= before);
            before = child->name >= PATH_SPECIAL ? -1 : all;
            sum += all;
        }
        MUST(sum_ns(path_tree_all(tree, i, by)) == sum);
    }
    MUST(linked == tree->nodes.n);
}

static void compare(struct trace *trace, const struct range *range, const struct thrown_slices *all,
                    bool (*has)(void *, uint32_t, uint32_t, uint32_t), void *ctx) {
    struct path_tree tree;
    struct path_walk walk;
    struct slow slow = slow_read(trace, range, all, has, ctx);
    int64_t time = 0;
    uint32_t last = UINT32_MAX;
    path_tree_init(&tree, PATH_NODES, all->n);
    path_walk_init(&walk, trace, range, &tree);
    walk.set.has = has;
    walk.set.ctx = ctx;
    walk.running = true;
    MUST(task_whole(path_walk_make, &walk, NULL));
    for (uint32_t i = 0; i < tree.nodes.n; i++)
        compare_node(&tree, i, &slow);
    for (size_t i = 0; i < slow.paths.n; i++) /* each path has a node */
        for (int w = 0; w < PATH_WEIGHTS; w++)
            MUST(slow.paths.v[i].own[w] == 0);
    check_order(&tree, (enum path_weight)below(&chance, PATH_WEIGHTS));
    check_order(&tree, PATH_WALL);
    for (size_t i = 0; i < all->n; i++)
        if (inside(trace, range, &all->v[i]) && all->v[i].track != last) {
            last = all->v[i].track;
            time += range_thread_time(range, trace, last);
        }
    MUST(sum_ns(path_tree_all(&tree, PATH_ROOT, PATH_WALL)) == time);
    path_walk_free(&walk);
    path_tree_free(&tree);
    vec_free(&slow.paths);
}

static struct range any_range(const struct trace *trace, const struct thrown_slices *all) {
    struct range range = {0};
    uint64_t span = (uint64_t)(trace_end(trace) - trace_begin(trace)) + 10;
    if (below(&chance, 3) > 0) {
        int64_t from = trace_begin(trace) - 5 + (int64_t)below(&chance, span);
        if (below(&chance, 2) && all->n > 0) /* where some slice begins */
            from = all->v[below(&chance, all->n)].slice.start;
        range_set_time(&range, trace, from, trace_begin(trace) + (int64_t)below(&chance, span));
    }
    for (unsigned k = (unsigned)below(&chance, 3); k > 0 && all->n > 0; k--)
        track_set_put(&range.tracks, all->v[below(&chance, all->n)].track, true);
    return range;
}

static bool some(void *ctx, uint32_t track, uint32_t row, uint32_t i) {
    (void)ctx;
    return (track + row + i) % 3 > 0;
}

START_TEST(paths_have_the_weights_of_every_moment) {
    for (int n = 0; n < 1500; n++) {
        unsigned events = 2 + (unsigned)below(&chance, n % 16 == 0 ? 120 : 30);
        struct trace *trace = n % 500 == 0 ? thrown_far(&chance)
                              : n % 3
                                  ? thrown_trace(&chance, events)
                                  : thrown_nested(&chance, events, 2 + (unsigned)below(&chance, 5));
        struct thrown_slices all = thrown_slices(trace);
        for (int k = 0; k < 3; k++) {
            struct range range = any_range(trace, &all);
            compare(trace, &range, &all, k == 1 ? some : NULL, NULL);
            range_free(&range);
        }
        vec_free(&all);
        trace_free(trace);
    }
}
END_TEST

/* Threads that run, wait, die with an open slice, and come back. */
static void throw_states(FILE *f, unsigned events) {
    unsigned t = 1;
    for (unsigned i = 0; i < events; i++, t += (unsigned)below(&chance, 12)) {
        unsigned thread = 10 + (unsigned)below(&chance, 3),
                 other = 10 + (unsigned)below(&chance, 4);
        switch (below(&chance, 6)) {
        case 0:
            fprintf(f, "switch %u %u %u %u %u\n", t, (unsigned)below(&chance, 2), thread,
                    (unsigned)below(&chance, 6), other);
            break;
        case 1:
            fprintf(f, "begin %u 1/%u \"c\" \"n%u\"\n", t, thread, (unsigned)below(&chance, 4));
            break;
        case 2:
            fprintf(f, "end %u 1/%u \"c\" \"n\"\n", t, thread);
            break;
        default:
            fprintf(f, "complete %u 1/%u \"c\" \"n%u\" end=%u\n", t, thread,
                    (unsigned)below(&chance, 4), t + (unsigned)below(&chance, 40));
            break;
        }
    }
}

/* The open slice ended with its thread before the range. Slices inside it still come by start, on
 * all rows. */
START_TEST(a_slice_that_ended_with_its_thread_changes_no_order) {
    struct trace *trace = loaded_text("magic\nprovider 1 \"p\"\ninit 1000000000\n"
                                      "begin 1 1/11 \"c\" \"open\"\n"
                                      "switch 6 1 11 5 11\n"
                                      "complete 11 1/11 \"c\" \"outer\" end=48\n"
                                      "switch 28 1 11 5 13\n"
                                      "complete 29 1/11 \"c\" \"inner\" end=48\n"
                                      "complete 82 1/11 \"c\" \"late\" end=88\n"
                                      "complete 86 1/10 \"c\" \"other\" end=124\n");
    struct thrown_slices all = thrown_slices(trace);
    struct range range = {0};
    range_set_time(&range, trace, 40, 87);
    compare(trace, &range, &all, NULL, NULL);
    range_free(&range);
    vec_free(&all);
    trace_free(trace);
}
END_TEST

START_TEST(running_time_is_of_what_was_on_top) {
    uint32_t scheduled = 0;
    for (int n = 0; n < 300; n++) {
        char *text = NULL;
        size_t size = 0;
        FILE *f = open_memstream(&text, &size);
        fputs("magic\nprovider 1 \"p\"\ninit 1000000000\n", f);
        throw_states(f, 5 + (unsigned)below(&chance, 60));
        fclose(f);
        struct trace *trace = loaded_text(text);
        struct thrown_slices all = thrown_slices(trace);
        for (int k = 0; k < 3; k++) {
            struct range range = any_range(trace, &all);
            compare(trace, &range, &all, k == 1 ? some : NULL, NULL);
            range_free(&range);
        }
        for (uint32_t k = 0; k < trace_thread_count(trace); k++)
            scheduled += trace_thread_scheduled(trace, trace_thread(trace, k));
        vec_free(&all);
        trace_free(trace);
        free(text);
    }
    ck_assert_uint_gt(scheduled, 300);
}
END_TEST

/* Further paths stay below the node that they leave, and nothing is lost. */
START_TEST(paths_beyond_the_limit_are_other) {
    for (int n = 0; n < 200; n++) {
        struct trace *trace = thrown_trace(&chance, 200);
        struct range range = {0};
        struct path_tree all, few;
        struct path_walk walk;
        uint32_t most = 4 + (uint32_t)below(&chance, 20), others = 0;
        path_tree_init(&all, PATH_NODES, 300);
        path_walk_init(&walk, trace, &range, &all);
        ck_assert(task_whole(path_walk_make, &walk, NULL));
        path_walk_free(&walk);
        path_tree_init(&few, most, 300);
        path_walk_init(&walk, trace, &range, &few);
        ck_assert(task_whole(path_walk_make, &walk, NULL));
        path_walk_free(&walk);
        check_order(&all, PATH_WALL);
        check_order(&few, PATH_WALL);
        for (int w = 0; w < PATH_WEIGHTS; w++)
            MUST(sum_ns(path_tree_all(&all, PATH_ROOT, (enum path_weight)w)) ==
                     sum_ns(path_tree_all(&few, PATH_ROOT, (enum path_weight)w)),
                 n);
        for (uint32_t i = 0; i < few.nodes.n; i++)
            others += few.nodes.v[i].name == PATH_OTHER;
        MUST(few.nodes.n - others <= most && others <= most, n);
        MUST(others > 0 || all.nodes.n <= most, n);
        path_tree_free(&all);
        path_tree_free(&few);
        trace_free(trace);
    }
}
END_TEST

/* A small index allows few nodes, a large one a million. */
START_TEST(nodes_take_a_part_of_the_index) {
    for (uint64_t bytes = 1; bytes < UINT64_C(1) << 40; bytes = bytes * 3 / 2 + 1) {
        uint64_t most = path_tree_most(bytes);
        MUST(most >= PATH_NODES_LEAST && most <= PATH_NODES, bytes);
        MUST(most == PATH_NODES_LEAST || most * sizeof(struct path_node) <= bytes / PATH_INDEX_PART,
             bytes);
    }
    ck_assert_uint_eq(path_tree_most(UINT64_C(1400000000)), PATH_NODES);
    /* 5 % */
    ck_assert_uint_le(2 * path_tree_most(UINT64_C(1000000000)) * sizeof(struct path_node),
                      50000000);
}
END_TEST

/* Nothing recurses. */
START_TEST(a_deep_chain_is_one_path) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    enum { DEEP = 20000 };
    fputs("magic\nprovider 1 \"p\"\ninit 1000000000\n", f);
    for (unsigned i = 0; i < DEEP; i++)
        fprintf(f, "begin %u 1/10 \"c\" \"n%u\"\n", i + 1, i % 7);
    for (unsigned i = 0; i < DEEP; i++)
        fprintf(f, "end %u 1/10 \"c\" \"\"\n", DEEP + 1 + i);
    fclose(f);
    struct trace *trace = loaded_text(text);
    struct range range = {0};
    struct path_tree tree;
    struct path_walk walk;
    path_tree_init(&tree, PATH_NODES, 2000000);
    path_walk_init(&walk, trace, &range, &tree);
    ck_assert(task_whole(path_walk_make, &walk, NULL));
    check_order(&tree, PATH_WALL);
    ck_assert_uint_eq(tree.nodes.n, DEEP + 3);
    ck_assert_uint_eq(tree.nodes.v[DEEP + 2].parent, DEEP + 1);
    ck_assert_int_eq(sum_ns(path_tree_all(&tree, PATH_ROOT, PATH_WALL)), 2 * DEEP - 1);
    path_walk_free(&walk);
    path_tree_free(&tree);
    trace_free(trace);
    free(text);
}
END_TEST

SUITE(path_tree) {
    Suite *s = suite_create("path_tree");
    TCase *c = tcase_create("path_tree");
    tcase_add_test(c, paths_beyond_the_limit_are_other);
    tcase_add_test(c, nodes_take_a_part_of_the_index);
    tcase_add_test(c, a_deep_chain_is_one_path);
    suite_add_tcase(s, c);
    return s;
}

SUITE(path_walk) {
    Suite *s = suite_create("path_walk");
    TCase *c = tcase_create("path_walk");
    tcase_add_test(c, paths_have_the_weights_of_every_moment);
    tcase_add_test(c, a_slice_that_ended_with_its_thread_changes_no_order);
    tcase_add_test(c, running_time_is_of_what_was_on_top);
    tcase_set_timeout(c, 60);
    suite_add_tcase(s, c);
    return s;
}
