/* track_known.c - keeps answers about processes until the trace changes. */
#include "ui/timeline/list/track_known.h"

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
    known->ordered = known->shown = false;
    return false;
}

void track_known_chain(struct track_members *m, struct trace *trace, uint32_t n,
                       uint32_t (*process)(struct trace *trace, uint32_t of),
                       void (*order)(struct trace *trace, uint32_t *of)) {
    uint32_t *sorted = err_malloc(((size_t)n + 1) * sizeof *sorted);
    for (size_t i = 0; i < trace_process_count(trace) + 2; i++) {
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
}

void track_known_sort(struct track_known *known, enum track_order order, struct trace *trace,
                      const struct track_lives *lives) {
    size_t n = trace_process_count(trace);
    if (known->ordered && known->order_of == order)
        return;
    vec_reserve(&known->order, n + 1);
    known->order.n = n;
    track_order_processes(order, trace, lives, known->order.v, n);
    known->order_of = order;
    known->ordered = lives->next >= lives->v.n; /* else more threads are asked soon */
}

bool track_known_shows(struct track_known *known, const struct trace *trace, unsigned shows_for) {
    size_t n = trace_process_count(trace);
    if (known->shown && known->shows_for == shows_for)
        return true;
    vec_reserve(&known->shows, n + 1);
    known->shows.n = n;
    known->shows_for = shows_for;
    known->shown = true;
    return false;
}

void track_known_free(struct track_known *known) {
    free_members(known);
    vec_free(&known->order);
    vec_free(&known->shows);
}
