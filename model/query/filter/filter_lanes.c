/* filter_lanes.c - counts hits, then copies those that are slices, row by row. */
#include "model/query/filter/filter_lanes.h"

#include <stdlib.h>

#include "src/base/lower_bound.h"

#define SERIES_UNITS 2
#define SLICES_A_UNIT 2

struct left { /* of one row */
    uint32_t track, row;
    struct lane lane;
};

struct filter_lanes {
    struct trace *trace;
    struct search *search;
    VEC(struct left) rows; /* in (track, row) order */
    uint64_t version;      /* of the trace that they are made from */
    bool known;
    uint32_t track, row; /* of the next series */
    struct slice_series series;
    uint32_t i;
};

struct filter_lanes *filter_lanes_new(struct trace *trace, struct filter *filter) {
    struct filter_lanes *l = err_calloc(1, sizeof *l);
    l->trace = trace;
    l->search = search_of(trace, filter);
    l->version = UINT64_MAX;
    return l;
}

static void forget(struct filter_lanes *l) {
    for (size_t i = 0; i < l->rows.n; i++)
        lane_free(&l->rows.v[i].lane);
    l->rows.n = 0;
    l->track = l->row = l->i = 0;
    l->series = (struct slice_series){0};
    l->known = false;
}

void filter_lanes_free(struct filter_lanes *l) {
    if (l == NULL)
        return;
    forget(l);
    vec_free(&l->rows);
    search_free(l->search);
    free(l);
}

const char *filter_lanes_text(const struct filter_lanes *l) {
    return search_pattern(l->search);
}

/* Copies the slices of the current series that are left. */
static bool copy_series(struct filter_lanes *l, struct budget *budget) {
    const struct slice_series *s = &l->series;
    for (; l->i < s->n; l->i++) {
        if (l->i % SLICES_A_UNIT == 0 && !budget_spend(budget, 1))
            return false;
        const struct slice *slice = lane_at(s->lane, l->i);
        if (!search_draws(l->search, s->track, s->row, l->i, trace_packed_name(l->trace, slice->begin_word)))
            continue;
        struct left *last = l->rows.n > 0 ? &l->rows.v[l->rows.n - 1] : NULL;
        if (last == NULL || last->track != s->track || last->row != s->row)
            vec_push(&l->rows, ((struct left){s->track, s->row, LANE_EMPTY}));
        lane_append(&l->rows.v[l->rows.n - 1].lane, slice);
    }
    return true;
}

bool filter_lanes_step(struct filter_lanes *l, struct budget *budget, bool *news) {
    uint64_t hits;
    if (l->known && l->version == trace_version(l->trace))
        return false;
    if (!search_count(l->search, budget, &hits))
        return true;
    if (l->version != trace_version(l->trace)) {
        forget(l);
        l->version = trace_version(l->trace);
    }
    for (;;) {
        if (!budget_left(budget) || !copy_series(l, budget))
            return true;
        if (!slice_iter_series(l->trace, SLICE_ITER_SLICES | SLICE_ITER_OPERATIONS, &l->track, &l->row, &l->series))
            break;
        l->i = search_has(l->search, l->series.track) ? 0 : l->series.n;
        budget_spend(budget, SERIES_UNITS);
    }
    l->known = *news = true;
    return false;
}

bool filter_lanes_known(const struct filter_lanes *l) {
    return l->known;
}

struct lane *filter_lanes_of(const struct filter_lanes *l, uint32_t track, uint32_t row) {
    struct left *v = l->rows.v;
    size_t n = l->rows.n, at = 0;
    lower_bound(at, n, i, v[i].track < track || (v[i].track == track && v[i].row < row));
    return at < n && v[at].track == track && v[at].row == row ? &v[at].lane : NULL;
}

bool filter_lanes_has(const struct filter_lanes *l, uint32_t track, uint32_t i, uint32_t name) {
    return search_draws(l->search, track, SEARCH_INSTANT, i, name);
}

uint32_t filter_lanes_instant_along(const struct filter_lanes *l, uint32_t track, uint32_t i, int d) {
    return search_instant_along(l->search, track, i, d);
}
