/* flow_worlds.c - joins flows of several worlds (SEMANTICS 13.6).
 *
 * A flow without an end and one without a begin in another world become one, if no third one has
 * their category and id. It keeps the number of the one that begins. The others move up, so flows
 * stay numbered by their first points. */
#include <stdlib.h>

#include "model/store/flow.h"

struct half { /* a flow that is not complete */
    uint64_t id;
    uint32_t category, flow;
    bool begun;
};

static int half_order(const void *x, const void *y) {
    const struct half *a = x, *b = y;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    if (a->category != b->category)
        return a->category < b->category ? -1 : 1;
    return (a->flow > b->flow) - (a->flow < b->flow);
}

static bool may_join(const struct flow_input *in, const struct flow_point *p) {
    if (p->id >= FLOW_JOINED_FROM)
        return true;
    return in->joins_all &&
           (in->joins_category == NO_CATEGORY || in->joins_category == p->category);
}

static bool is_half(const struct flow *f) {
    return f->begun ? !f->ended : !f->unresolved;
}

/* Puts the points of a flow without a begin after those of one without an end. */
static void join(struct flows *flows, uint32_t begin, uint32_t rest) {
    struct flow_derived *state = &flows->state;
    struct flow *a = &state->v.v[begin], *b = &state->v.v[rest];
    state->points.v[b->first].before = a->last;
    state->points.v[a->last].after = b->first;
    state->backwards += flow_time(flows, b->first) < flow_time(flows, a->last);
    for (uint32_t k = b->first; k != NO_POINT; k = state->points.v[k].after)
        state->points.v[k].flow = begin;
    uint64_t points = (uint64_t)a->points + b->points;
    a->points = points < FLOW_MOST ? (unsigned)points : FLOW_MOST;
    a->last = b->last;
    a->ended = b->ended;
    a->at_end = b->at_end;
    a->ended_again |= b->ended_again;
    b->points = 0;
    state->across++;
    state->complete += a->ended;
    state->unbegun--;
}

/* Takes the flows that were joined to others out of the list. */
static void close_gaps(struct flow_derived *state) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < state->v.n; i++) {
        if (state->v.v[i].points == 0)
            continue;
        if (n < i)
            for (uint32_t k = state->v.v[i].first; k != NO_POINT; k = state->points.v[k].after)
                state->points.v[k].flow = n;
        state->v.v[n++] = state->v.v[i];
    }
    state->v.n = n;
}

void flow_worlds_join(struct flows *flows) {
    const struct flow_input *in = &flows->input;
    struct flow_derived *state = &flows->state;
    VEC(struct half) v = {0};
    if (in->worlds == NULL || in->worlds->count < 2 || state->across > 0)
        return;
    for (uint32_t i = 0; i < state->v.n; i++) {
        struct flow_point p = flow_point(flows, state->v.v[i].first);
        if (is_half(&state->v.v[i]) && may_join(in, &p))
            vec_push(&v, ((struct half){p.id, p.category, i, state->v.v[i].begun}));
    }
    if (v.n > 1)
        qsort(v.v, v.n, sizeof *v.v, half_order);
    for (size_t i = 0, n; i < v.n; i += n) {
        for (n = 1;
             i + n < v.n && v.v[i + n].id == v.v[i].id && v.v[i + n].category == v.v[i].category;)
            n++;
        const struct half *a = &v.v[i], *b = &v.v[i + 1];
        if (n != 2 || a->begun == b->begun)
            continue;
        const struct half *begin = a->begun ? a : b, *rest = a->begun ? b : a;
        uint64_t from = flow_offset(flows, state->v.v[begin->flow].first),
                 to = flow_offset(flows, state->v.v[rest->flow].first);
        if (world_at(in->worlds, from) != world_at(in->worlds, to))
            join(flows, begin->flow, rest->flow);
    }
    vec_free(&v);
    if (state->across > 0)
        close_gaps(state);
}
