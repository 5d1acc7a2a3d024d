/* search_counted.c - hit number k, tracks with hits, ranks and columns, by the counts of a search.
 *
 * Series come by their place in the running counts. A block without hits is passed over; in one
 * with hits, entries are tested one by one. */
#include <string.h>

#include "model/query/search_internal.h"
#include "src/base/lower_bound.h"

/* The first counted hit from i on; s->n if there is none. */
static uint32_t next_counted(struct search *search, const struct slice_series *s,
                             const struct aggregate_series *c, uint32_t i) {
    for (; i < s->n; i++) {
        i = aggregate_skip(c, i, s->n);
        if (i < s->n && search_is_hit(search, s, i))
            return i;
    }
    return s->n;
}

/* Sums of the hits of all series before each. */
static void sum_series(struct search *search) {
    const struct aggregate_running *running = &search->hits.running;
    uint64_t sum = 0;
    search->before.n = 0;
    for (size_t i = 0; i < running->v.n; i++) {
        vec_push(&search->before, sum);
        sum += aggregate_series_count(&running->v.v[i]);
    }
}

/* Hit number k by the counts: the last series and the last block with at most k hits before
 * them. */
static bool look_up(struct search *search, uint64_t k, struct search_place *at) {
    const struct aggregate_running *running = &search->hits.running;
    struct slice_series *s = &at->s;
    if (search->before.n != running->v.n)
        sum_series(search);
    size_t place = 1, block = 1;
    lower_bound(place, running->v.n, i, search->before.v[i] <= k);
    const struct aggregate_series *c = &running->v.v[place - 1];
    uint64_t left = k - search->before.v[place - 1];
    uint32_t track = c->track, row = c->row;
    if (!slice_iter_series(search->trace, search->kinds, &track, &row, s) || s->track != c->track ||
        s->row != c->row)
        return false;
    lower_bound(block, c->blocks + 1, i, aggregate_before(c, (uint32_t)i) <= left);
    at->i = (uint32_t)(block - 1) * AGGREGATE_BLOCK;
    for (left -= aggregate_before(c, (uint32_t)block - 1); at->i < s->n; at->i++)
        if (search_is_hit(search, s, at->i) && left-- == 0)
            break;
    return at->i < s->n;
}

/* Hit number k after the one before it, in the same series. */
static bool look_on(struct search *search, uint64_t k, struct search_place *at) {
    if (at->s.n == 0 || at->version != search->version || k != at->k + 1)
        return false;
    at->i = next_counted(search, &at->s, aggregate_series_of(&search->hits, &at->s), at->i + 1);
    return at->i < at->s.n;
}

bool search_at(struct search *search, uint64_t k, struct hit *hit, struct slice_series *s) {
    struct search_place *at = &search->place;
    if (!search_has_counts(search) || k >= search_total(search))
        return false;
    if (!look_on(search, k, at) && !look_up(search, k, at)) {
        at->s.n = 0;
        return false;
    }
    at->k = k;
    at->version = search->version;
    *s = at->s;
    *hit = (struct hit){s->track, s->row, at->i, slice_iter_time(s, at->i)};
    return true;
}

/* ---- threads of flows ---- */

static void mark_thread(struct search_flow_threads *threads, uint32_t thread) {
    while (threads->has.n <= thread)
        vec_push(&threads->has, 0);
    threads->has.v[thread] = 1;
}

bool search_flow_threads_step(struct search *search, struct task *task) {
    struct search_flow_threads *threads = &search->flow_threads;
    const struct flows *flows = trace_flows(search->trace);
    struct slice_series s;
    uint32_t track = SLICE_ITER_FLOW_TRACK, row = 0;
    if (!(search->kinds & SLICE_ITER_FLOWS) || !search_has_counts(search))
        return true;
    if (threads->version != search->version) {
        threads->has.n = 0;
        threads->next = 0;
        threads->known = false;
        threads->version = search->version;
    }
    if (threads->known)
        return true;
    const struct aggregate_series *c = NULL;
    if (slice_iter_series(search->trace, search->kinds, &track, &row, &s) &&
        s.track == SLICE_ITER_FLOW_TRACK)
        c = aggregate_series_of(&search->hits, &s);
    for (; c && threads->next < s.n && !task_over(task); threads->next++) {
        uint32_t i = aggregate_skip(c, threads->next, s.n);
        task_spend(task, 1 + (i - threads->next) / AGGREGATE_BLOCK);
        threads->next = i;
        if (i == s.n)
            break;
        if (search_is_hit(search, &s, i))
            mark_thread(threads, flow_thread(flows, i));
    }
    threads->known = c == NULL || threads->next >= s.n;
    return threads->known;
}

bool search_has_in(const struct search *search, const struct slice_series *s) {
    const struct aggregate_series *c = aggregate_series_of(&search->hits, s);
    return c && aggregate_series_count(c) > 0;
}

bool search_has(const struct search *search, uint32_t track) {
    const struct search_flow_threads *flows = &search->flow_threads;
    const struct aggregate_series *v = search->hits.running.v.v;
    if (flows->known && flows->version == search->version && track < flows->has.n &&
        flows->has.v[track])
        return true;
    size_t n = search->hits.running.v.n, at = 0;
    lower_bound(at, n, i, v[i].track < track);
    for (; at < n && v[at].track == track; at++)
        if (aggregate_series_count(&v[at]) > 0)
            return true;
    return false;
}

/* moments that are looked at one by one while the counts are not known */
#define UNCOUNTED_TRIED 64

/* search_moment_along() without counts, which are of an older version of the trace: by names. */
static uint32_t named_along(struct search *search, const struct slice_series *s, uint32_t i,
                            int d) {
    if (search->names == NULL || search->generation != trace_generation(search->trace))
        return UINT32_MAX;
    for (uint32_t k = 0; k < UNCOUNTED_TRIED && i<s->n; k++, i += d> 0 ? 1 : UINT32_MAX)
        if (search_is_hit(search, s, i))
            return i;
    return UINT32_MAX;
}

uint32_t search_moment_along(struct search *search, uint32_t track, uint32_t i, int d) {
    struct slice_series s;
    uint32_t at = track, row = SEARCH_INSTANT;
    if (!slice_iter_series(search->trace, search->kinds, &at, &row, &s) || s.track != track ||
        s.row != (track < SLICE_ITER_COUNTER_TRACK ? SEARCH_INSTANT : 0) || i >= s.n)
        return UINT32_MAX;
    if (!search_has_counts(search))
        return named_along(search, &s, i, d);
    const struct aggregate_series *c = aggregate_series_of(&search->hits, &s);
    if (c == NULL)
        return UINT32_MAX;
    if (d > 0) {
        i = next_counted(search, &s, c, i);
        return i < s.n ? i : UINT32_MAX;
    }
    for (i++; (i = aggregate_skip_back(c, i)) > 0; i--)
        if (search_is_hit(search, &s, i - 1))
            return i - 1;
    return UINT32_MAX;
}

/* ---- ranks ---- */

static void begin_rank(struct search *search, const struct hit *hit) {
    struct slice_series s;
    uint32_t track = hit->thread, row = hit->row;
    bool is = slice_iter_series(search->trace, search->kinds, &track, &row, &s) &&
              s.track == hit->thread && s.row == hit->row && hit->i < s.n &&
              search_is_hit(search, &s, hit->i);
    search->ranking = (struct search_ranking){.of = *hit, .version = search->version, .known = !is};
}

static bool is_ranked(const struct search *search, const struct hit *hit) {
    const struct search_ranking *r = &search->ranking;
    return r->version == search->version && search_same_hit(&r->of, hit);
}

bool search_rank_step(struct search *search, const struct hit *hit, struct task *task) {
    struct search_ranking *r = &search->ranking;
    struct slice_series s;
    const struct aggregate_series *c;
    if (!search_has_counts(search) || search_total(search) == 0)
        return true;
    if (!is_ranked(search, hit))
        begin_rank(search, hit);
    while (!r->known && search_next_counted_series(search, &r->walk, &s, &c, task)) {
        uint32_t n = search_up_to(&s, hit, true), i = n - n % AGGREGATE_BLOCK;
        r->rank += aggregate_before(c, n / AGGREGATE_BLOCK);
        task_spend(task, (n - i) / SEARCH_CHEAP);
        if (i < n && aggregate_skip(c, i, n) == i)
            for (; i < n; i++)
                r->rank += search_is_hit(search, &s, i);
    }
    r->known = r->known || r->walk.place == search->hits.running.v.n;
    return r->known;
}

uint64_t search_rank(const struct search *search, const struct hit *hit) {
    const struct search_ranking *r = &search->ranking;
    return search_has_counts(search) && is_ranked(search, hit) && r->known ? r->rank : 0;
}

/* ---- columns ---- */

/* Flags the columns of a series. Returns how many places were looked for in it. */
static uint32_t flag_columns(struct search *search, const struct slice_series *s,
                             const struct aggregate_series *c) {
    const int64_t *edges = search->columns.edges.v;
    unsigned char *flags = search->columns.flags.v;
    int columns = (int)search->columns.flags.n;
    uint32_t places = 0;
    for (int column = 0; column < columns; column++) {
        if (flags[column])
            continue;
        uint32_t i = next_counted(search, s, c, search_from(s, edges[column]));
        places++;
        if (i == s->n)
            break;
        int64_t t = slice_iter_time(s, i);
        while (column < columns && edges[column + 1] <= t)
            column++;
        if (column < columns)
            flags[column] = 1;
    }
    return places;
}

static void begin_columns(struct search *search, const int64_t *edges, int columns) {
    struct search_columns *c = &search->columns;
    size_t n = (size_t)columns;
    c->edges.n = c->flags.n = 0;
    for (size_t i = 0; i <= n; i++)
        vec_push(&c->edges, edges[i]);
    for (size_t i = 0; i < n; i++)
        vec_push(&c->flags, 0);
    c->version = search->version;
    c->walk = (struct search_walk){0};
    c->known = false;
}

bool search_columns_step(struct search *search, const int64_t *edges, int columns,
                         struct task *task, bool *news) {
    struct search_columns *c = &search->columns;
    struct slice_series s;
    const struct aggregate_series *counts;
    size_t n = (size_t)columns + 1;
    if (c->edges.n != n || c->version != search->version ||
        memcmp(c->edges.v, edges, n * sizeof *edges) != 0)
        begin_columns(search, edges, columns);
    while (!c->known && search_is_current(search) &&
           search_next_counted_series(search, &c->walk, &s, &counts, task))
        task_spend(task, SEARCH_SERIES_UNITS * flag_columns(search, &s, counts));
    if (!c->known && search_has_counts(search) && c->walk.place == search->hits.running.v.n) {
        c->known = *news = true;
        c->shown.n = 0;
        for (size_t i = 0; i + 1 < n; i++)
            vec_push(&c->shown, c->flags.v[i]);
    }
    return c->known || !search_has_counts(search);
}

const unsigned char *search_columns(const struct search *search, int columns) {
    const struct search_columns *c = &search->columns;
    if (c->shown.n == (size_t)columns)
        return c->shown.v;
    return c->flags.n == (size_t)columns ? c->flags.v : NULL;
}
