/* track_sort.c - asks each track for its name or rank once, and sorts by these. */
#include "ui/timeline/list/track_sort.h"

#include <string.h>

#include "src/base/sort.h"
#include "src/base/units.h"

#define NAME_UNITS 20 /* of work: some cache misses */

struct sort_track {
    struct str name;
    struct track_rank rank;
    uint32_t number;
};

static int by_rank(const void *a, const void *b) {
    const struct sort_track *x = a, *y = b;
    if (x->rank.first != y->rank.first)
        return x->rank.first < y->rank.first ? -1 : 1;
    return x->rank.second < y->rank.second ? -1 : x->rank.second > y->rank.second;
}

static int by_name(const void *a, const void *b) {
    const struct sort_track *x = a, *y = b;
    size_t n = x->name.n < y->name.n ? x->name.n : y->name.n;
    int order = n > 0 ? memcmp(x->name.s, y->name.s, n) : 0;
    if (order != 0)
        return order;
    return x->name.n < y->name.n ? -1 : x->name.n > y->name.n;
}

/* buf: for a name that is made up; NULL: the rank is asked. */
static struct sort_track ask(const struct track_sorted *s, uint32_t number, char *buf,
                             uint32_t *cost) {
    struct sort_track item = {.number = number};
    bool named;
    *cost = buf ? NAME_UNITS : 1;
    if (buf == NULL)
        item.rank = track_order_rank(s->order, s->processes, s->trace, s->lives, number, cost);
    else if (s->processes)
        item.name = trace_process_name(s->trace, trace_process(s->trace, number), buf, &named);
    else
        item.name = trace_thread_name(s->trace, trace_thread(s->trace, number), buf, &named);
    return item;
}

static bool is_nested(const struct track_sorted *s) {
    return s->processes && s->order == ORDER_BY_INTEREST && s->tree && s->tree->any;
}

/* Adds the interest of each process to that of its parent, from the last of a walk to the first. */
static bool add_to_parents(struct task *task, const struct track_sorted *s,
                           struct sort_track *items, const uint32_t *v, size_t n) {
    size_t most = trace_process_count(s->trace);
    uint32_t *places = err_malloc((most + 1) * sizeof *places),
             *walk = err_malloc((n + 1) * sizeof *walk);
    for (size_t i = 0; i < n; i++) {
        places[items[i].number] = (uint32_t)i;
        walk[i] = v[i];
    }
    bool going = process_tree_walk(task, s->tree, walk, n);
    for (size_t i = n; going && i-- > 0;) {
        uint32_t parent = process_tree_parent(s->tree, walk[i]);
        if (parent >= n)
            continue;
        int64_t *to = &items[places[parent]].rank.second;
        *to = ~units_sum(~*to, ~items[places[walk[i]]].rank.second);
    }
    free(places);
    free(walk);
    return going;
}

bool track_sort(struct task *task, const struct track_sorted *s, uint32_t *v, size_t n) {
    struct sort_track *items = err_malloc((n + 1) * sizeof *items);
    bool named = s->order == ORDER_BY_NAME, going = true;
    char(*bufs)[40] = named ? err_malloc((n + 1) * sizeof *bufs) : NULL;
    for (size_t i = 0; i < n && going; i++) {
        uint32_t cost;
        items[i] = ask(s, v[i], bufs ? bufs[i] : NULL, &cost);
        going = task_spend(task, cost);
    }
    if (is_nested(s))
        going = going && add_to_parents(task, s, items, v, n);
    going = going && sort_items(task, items, n, sizeof *items, named ? by_name : by_rank);
    uint32_t *sorted = err_malloc((n + 1) * sizeof *sorted);
    for (size_t i = 0; i < n && going; i++)
        sorted[i] = items[i].number;
    if (is_nested(s))
        going = going && process_tree_walk(task, s->tree, sorted, n);
    if (going && n > 0)
        memcpy(v, sorted, n * sizeof *v);
    free(sorted);
    free(bufs);
    free(items);
    return going;
}

bool track_sort_needless(enum track_order order, const struct trace *trace) {
    return order == ORDER_BY_FILE && !trace_has_sort_index(trace);
}

static void make(struct task *task, void *ctx) {
    struct track_sorting *sorting = ctx;
    track_sort(task, &sorting->of, sorting->v.v, sorting->v.n);
}

bool track_sort_is(const struct track_sorting *sorting, const struct track_sorted *of, size_t n) {
    return sorting->task && !task_is_lost(sorting->task) && sorting->v.n == n &&
           sorting->of.order == of->order && sorting->version == trace_version(of->trace);
}

void track_sort_begin(struct track_sorting *sorting, const struct track_sorted *of,
                      const uint32_t *numbers, size_t n) {
    track_sort_end(sorting);
    sorting->of = *of;
    sorting->version = trace_version(of->trace);
    vec_reserve(&sorting->v, n);
    memcpy(sorting->v.v, numbers, n * sizeof *numbers);
    sorting->v.n = n;
    sorting->task = task_new(trace_tasks(of->trace), make, sorting);
}

bool track_sort_step(struct track_sorting *sorting, uint32_t *v, struct task *task) {
    if (!task_step(sorting->task, task))
        return false;
    memcpy(v, sorting->v.v, sorting->v.n * sizeof *v);
    track_sort_end(sorting);
    return true;
}

void track_sort_end(struct track_sorting *sorting) {
    task_free(sorting->task);
    vec_free(&sorting->v);
    *sorting = (struct track_sorting){0};
}
