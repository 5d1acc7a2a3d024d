/* track_known.c - keeps answers about processes until the trace changes. */
#include "ui/timeline/list/track_known.h"

#include <string.h>

#define ASK_UNITS 8 /* some cache misses */

static void free_members(struct track_known *known) {
    for (size_t k = 0; k < known->kinds; k++) {
        vec_free(&known->members[k].next);
        vec_free(&known->members[k].first);
        vec_free(&known->members[k].last);
    }
    free(known->members);
    known->members = NULL;
    known->kinds = 0;
}

bool track_known_current(struct track_known *known, const struct trace *trace, size_t kinds) {
    if (known->members && known->version == trace_version(trace))
        return true;
    free_members(known);
    known->members = err_calloc(kinds, sizeof *known->members);
    known->kinds = kinds;
    known->version = trace_version(trace);
    known->ordered = known->any = false;
    return false;
}

bool track_known_chain(struct track_members *m, struct trace *trace, uint32_t n,
                       uint32_t (*process)(struct trace *trace, uint32_t of),
                       void (*order)(struct trace *trace, uint32_t *of)) {
    if (n == 0)
        return false;
    uint32_t *sorted = err_malloc(((size_t)n + 1) * sizeof *sorted);
    for (size_t i = 0; i < trace_process_count(trace) + PLACES_BEFORE; i++) {
        vec_push(&m->first, 0);
        vec_push(&m->last, 0);
    }
    for (uint32_t i = 0; i < n; i++) {
        vec_push(&m->next, 0);
        sorted[i] = i;
    }
    if (order)
        order(trace, sorted);
    for (uint32_t i = 0; i < n; i++) {
        size_t p = track_known_place(process(trace, sorted[i]));
        if (m->last.v[p])
            m->next.v[m->last.v[p] - 1] = sorted[i] + 1;
        else
            m->first.v[p] = sorted[i] + 1;
        m->last.v[p] = sorted[i] + 1;
    }
    free(sorted);
    return true;
}

/* Begins another round, if there is need of one; false: all processes are known. */
static bool begin(struct track_known *known, struct trace *trace) {
    size_t n = trace_process_count(trace);
    if (known->generation != trace_generation(trace) || known->processes.n > n)
        known->processes.n = known->next = 0;
    known->generation = trace_generation(trace);
    if (known->asked != trace_version(trace) && known->next >= known->processes.n) {
        known->asked = trace_version(trace);
        known->next = 0;
    }
    vec_reserve(&known->processes, n + 1);
    return known->next < n;
}

static void ask(struct track_known *known, struct trace *trace) {
    size_t i = known->next++, threads;
    const uint32_t *numbers = trace_process_threads(trace_process(trace, i), &threads);
    known->processes.v[i] =
        (struct track_known_process){(uint32_t)threads, threads > 0 ? numbers[0] : 0};
    known->processes.n = i < known->processes.n ? known->processes.n : i + 1;
}

void track_known_ask(struct track_known *known, struct trace *trace) {
    if (process_tree_ask(&known->tree, trace))
        known->ordered = false;
    if (trace_process_count(trace) <= FEW_PROCESSES && known->asked != trace_version(trace))
        known->next = known->processes.n; /* one round is enough */
    if (!begin(known, trace))
        return;
    for (size_t asked = 0; known->next < trace_process_count(trace) && asked < FEW_PROCESSES;
         asked++)
        ask(known, trace);
}

static bool is_ordered(const struct track_known *known, enum track_order order) {
    return known->ordered && known->order_of == order && known->order.n == known->processes.n;
}

/* known->order is in order, or will be as soon as all lives are known. */
static void set_order(struct track_known *known, enum track_order order,
                      const struct track_lives *lives) {
    known->order_of = order;
    known->ordered = lives->next >= lives->v.n; /* else more threads are asked soon */
}

void track_known_sort(struct track_known *known, enum track_order order, struct trace *trace,
                      const struct track_lives *lives) {
    size_t n = known->processes.n;
    bool later = n > FEW_PROCESSES && !track_sort_needless(order, trace);
    if (is_ordered(known, order))
        return;
    known->ordered = false;
    vec_reserve(&known->order, n + 1);
    if (!later || known->order.n > n)
        known->order.n = 0;
    for (; known->order.n < n; known->order.n++)
        known->order.v[known->order.n] = (uint32_t)known->order.n;
    if (later)
        return;
    if (!track_sort_needless(order, trace))
        track_sort(NULL, &(struct track_sorted){order, true, trace, lives, &known->tree},
                   known->order.v, n);
    set_order(known, order, lives);
}

/* Sorts the processes that are listed; true: there is more to do. */
static bool sort_some(struct track_known *known, enum track_order order, struct trace *trace,
                      const struct track_lives *lives, struct task *task, bool *news) {
    size_t n = known->order.n;
    if (n <= FEW_PROCESSES || is_ordered(known, order))
        return false;
    struct track_sorted of = {order, true, trace, lives, &known->tree};
    if (!track_sort_is(&known->sorting, &of, n)) {
        uint32_t *numbers = err_malloc(n * sizeof *numbers);
        for (size_t i = 0; i < n; i++)
            numbers[i] = (uint32_t)i;
        track_sort_begin(&known->sorting, &of, numbers, n);
        free(numbers);
    }
    if (!track_sort_step(&known->sorting, known->order.v, task))
        return true;
    set_order(known, order, lives);
    *news = true;
    return false;
}

bool track_known_step(struct track_known *known, enum track_order order, struct trace *trace,
                      const struct track_lives *lives, struct task *task, bool *news) {
    while (begin(known, trace)) {
        for (; known->next < trace_process_count(trace); *news = true) {
            if (task_over(task))
                return true;
            ask(known, trace);
            task_spend(task, ASK_UNITS);
        }
    }
    for (; process_tree_asks(&known->tree, trace); task_spend(task, PROCESS_TREE_FEW * ASK_UNITS)) {
        if (task_over(task))
            return true;
        if (process_tree_ask(&known->tree, trace)) {
            known->ordered = false;
            *news = true;
        }
    }
    /* the list is made before they are sorted */
    return *news || sort_some(known, order, trace, lives, task, news);
}

void track_known_free(struct track_known *known) {
    free_members(known);
    track_sort_end(&known->sorting);
    process_tree_free(&known->tree);
    vec_free(&known->order);
    vec_free(&known->processes);
}
