/* search.c - matches names once, then events by the number of their name. Times are ns relative to the reader's base.
 *
 * Slices and instants are alike here: entries of a series (slice_iter.h) with a time and a name. The next hit is
 * searched in all series at once, in windows of time that grow: the cost is that of the entries before the hit. For
 * counts and ranks an aggregate (aggregate.h) counts them and keeps running counts of each series. */
#include "model/query/search.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "model/query/aggregate.h"
#include "src/base/lower_bound.h"

#define WINDOWS 21 /* a first window is 2^-21 of the trace */
#define KINDS (SLICE_ITER_SLICES | SLICE_ITER_INSTANTS | SLICE_ITER_OPERATIONS | SLICE_ITER_ASYNC_INSTANTS)

struct search {
    struct trace *trace;
    struct filter *filter;
    struct name_set names;
    struct aggregate hits; /* one row: their count, and the running counts of each series */
    uint64_t version;      /* of the trace that is counted */
    bool all_counted;
};

/* ---- names ---- */

/* Matches all names that were not matched yet. */
static void match_names(struct search *search) {
    struct budget endless = budget_endless();
    name_set_step(&search->names, &endless);
}

bool search_name(struct search *search, uint32_t name) {
    if (name >= search->names.has.n || search->names.generation != trace_generation(search->trace))
        match_names(search);
    return name_set_has(&search->names, name);
}

/* ---- new and free ---- */

struct search *search_new(struct trace *trace, const char *text, bool exact, struct err *err) {
    struct filter *filter = filter_new(text, exact, err);
    if (filter == NULL)
        return NULL;
    struct search *search = err_calloc(1, sizeof *search);
    search->trace = trace;
    search->filter = filter;
    name_set_init(&search->names, trace, filter);
    search->version = UINT64_MAX;
    return search;
}

void search_free(struct search *search) {
    if (search == NULL)
        return;
    aggregate_free(&search->hits);
    name_set_free(&search->names);
    filter_free(search->filter);
    free(search);
}

const char *search_pattern(const struct search *search) {
    return filter_text(search->filter);
}

/* ---- series ---- */

static bool next_series(const struct trace *trace, uint32_t *track, uint32_t *row, struct slice_series *s) {
    return slice_iter_series(trace, KINDS, track, row, s);
}

static int64_t time_of(const struct slice_series *s, uint32_t i) {
    assert(s->lane || s->instants || s->async_instants);
    return s->lane ? lane_at(s->lane, i)->start : s->instants ? s->instants[i].time : s->async_instants[i].at.time;
}

static inline bool named(struct search *search, uint64_t a) {
    uint32_t name = event_name(a);
    if (name < EVENT_NAME_MAX)
        return name_set_has(&search->names, name);
    return search_name(search, trace_packed_name(search->trace, a));
}

static bool is_hit(struct search *search, const struct slice_series *s, uint32_t i) {
    if (s->async_instants)
        return search_name(search, s->async_instants[i].name);
    assert(s->lane || s->instants);
    return named(search, s->lane ? lane_at(s->lane, i)->begin_word : s->instants[i].packed);
}

/* The number of hits from *i to the end of the run in memory, or to `end`; moves *i past them. */
static uint32_t count_run(struct search *search, const struct slice_series *s, uint32_t *i, uint32_t end) {
    uint32_t n, hits = 0;
    if (s->lane == NULL)
        return is_hit(search, s, (*i)++);
    const struct slice *v = lane_array(s->lane, *i, &n);
    n = n < end - *i ? n : end - *i;
    *i += n;
    for (; n > 0; n--, v++)
        hits += named(search, v->begin_word);
    return hits;
}

/* The first entry at or after t. */
static uint32_t from(const struct slice_series *s, int64_t t) {
    if (s->lane)
        return lane_from(s->lane, t);
    uint32_t at = 0;
    lower_bound(at, s->n, i, time_of(s, (uint32_t)i) < t);
    return at;
}

/* The first entry after t. */
static uint32_t behind(const struct slice_series *s, int64_t t) {
    return t == INT64_MAX ? s->n : from(s, t + 1);
}

/* The number of entries of the series before `at` in (time, thread, row, i) order; included: and `at` itself. */
static uint32_t up_to(const struct slice_series *s, const struct hit *at, bool included) {
    if (s->track != at->thread)
        return s->track < at->thread ? behind(s, at->time) : from(s, at->time);
    if (s->row != at->row)
        return s->row < at->row ? behind(s, at->time) : from(s, at->time);
    uint32_t first = from(s, at->time), last = behind(s, at->time), i = at->i < s->n ? at->i + included : s->n;
    return i < first ? first : i > last ? last : i;
}

/* ---- what was counted ---- */

static bool is_current(const struct search *search) {
    return search->version == trace_version(search->trace);
}

static uint64_t total(const struct search *search) {
    return search->hits.rows.n > 0 ? search->hits.rows.v[0].count : 0;
}

/* The counts of a series while they are complete and valid; else NULL. */
static const struct aggregate_series *counts_of(const struct search *search, const struct slice_series *s) {
    return search->all_counted && is_current(search) ? aggregate_series_of(&search->hits, s) : NULL;
}

/* ---- the next hit ---- */

/* The entries that a hit is searched in: those after `at` (or before it) in the order of hits, at times [lo, hi]. */
struct range {
    struct hit at;
    bool forward;
    bool around; /* wrapped: from the other end of the trace to the time of `at` */
    int64_t lo, hi;
};

static bool first_in(struct search *search, const struct slice_series *s, const struct range *r, struct hit *hit) {
    const struct aggregate_series *c = counts_of(search, s);
    uint32_t i = r->around ? 0 : up_to(s, &r->at, true), k = from(s, r->lo);
    for (i = i > k ? i : k; i < s->n; i++) {
        if (c)
            i = aggregate_skip(c, i, s->n);
        if (i == s->n || time_of(s, i) > r->hi)
            break;
        if (is_hit(search, s, i)) {
            *hit = (struct hit){s->track, s->row, i, time_of(s, i)};
            return true;
        }
    }
    return false;
}

static bool last_in(struct search *search, const struct slice_series *s, const struct range *r, struct hit *hit) {
    const struct aggregate_series *c = counts_of(search, s);
    uint32_t i = r->around ? s->n : up_to(s, &r->at, false), k = behind(s, r->hi);
    for (i = i < k ? i : k; i > 0; i--) {
        if (c)
            i = aggregate_skip_back(c, i);
        if (i == 0 || time_of(s, i - 1) < r->lo)
            break;
        if (is_hit(search, s, i - 1)) {
            *hit = (struct hit){s->track, s->row, i - 1, time_of(s, i - 1)};
            return true;
        }
    }
    return false;
}

/* The nearest hit of all series. Among hits at one time, that of the first series is first: a later series wins only
 * backward. */
static bool best_in(struct search *search, struct range r, struct hit *best) {
    struct slice_series s;
    struct hit hit;
    bool found = false;
    for (uint32_t thread = 0, row = 0; next_series(search->trace, &thread, &row, &s);) {
        if (!(r.forward ? first_in(search, &s, &r, &hit) : last_in(search, &s, &r, &hit)))
            continue;
        *best = hit;
        found = true;
        if (!r.forward)
            r.lo = hit.time;
        else if (hit.time == r.lo)
            break;
        else
            r.hi = hit.time - 1;
    }
    return found;
}

static int64_t limited(int64_t t, int64_t lo, int64_t hi) {
    return t < lo ? lo : t > hi ? hi : t;
}

/* Searches windows, each four times as long as the one before. */
static bool look(struct search *search, struct range r, struct hit *hit) {
    int64_t lo = trace_origin(search->trace), hi = trace_end(search->trace), t = limited(r.at.time, lo, hi);
    uint64_t length = (((uint64_t)hi - (uint64_t)lo) >> WINDOWS) + 1, left;
    if (r.forward == r.around) /* the part between the origin and t */
        left = (uint64_t)t - (uint64_t)lo;
    else
        left = (uint64_t)hi - (uint64_t)t;
    if (r.around)
        t = r.forward ? lo : hi;
    for (;;) {
        uint64_t now = length < left ? length : left;
        if (r.forward) {
            r.lo = t;
            r.hi = t += (int64_t)now;
        } else {
            r.hi = t;
            r.lo = t -= (int64_t)now;
        }
        if (best_in(search, r, hit))
            return true;
        left -= now;
        if (left == 0)
            return false;
        length *= length < UINT64_C(1) << 60 ? 4 : 1;
    }
}

bool search_next(struct search *search, struct hit at, bool forward, struct hit *hit, bool *wrapped) {
    struct range r = {.at = at, .forward = forward};
    if (wrapped)
        *wrapped = false;
    match_names(search);
    if (name_set_count(&search->names) == 0 || (search->all_counted && is_current(search) && total(search) == 0))
        return false;
    if (forward && at.thread == UINT32_MAX && at.time > INT64_MIN)
        r.at.time--; /* from that time on: after everything before it */
    if (look(search, r, hit))
        return true;
    if (wrapped == NULL)
        return false;
    r.around = true;
    *wrapped = look(search, r, hit);
    return *wrapped;
}

/* ---- counting ---- */

/* Starts to count with the first series of the trace as it is now. */
static void count_again(struct search *search) {
    aggregate_free(&search->hits);
    search->hits = AGGREGATE_INIT(AGGREGATE_NAME);
    aggregate_row(&search->hits, &(struct aggregate_key){0});
    search->version = trace_version(search->trace);
    search->all_counted = false;
}

static uint32_t count_hits(void *ctx, const struct slice_series *s, uint32_t i, uint32_t end) {
    uint32_t hits = 0;
    while (i < end)
        hits += count_run(ctx, s, &i, end);
    return hits;
}

bool search_count(struct search *search, struct budget *budget, uint64_t *hits) {
    bool matched = name_set_step(&search->names, budget);
    if (!is_current(search))
        count_again(search);
    if (matched && !search->all_counted)
        search->all_counted = name_set_count(&search->names) == 0 ||
                              aggregate_count(&search->hits, 0, search->trace,
                                              &(struct aggregate_events){KINDS, count_hits, search}, budget);
    *hits = total(search);
    return matched && search->all_counted;
}

uint64_t search_rank(struct search *search, const struct hit *hit) {
    struct slice_series s;
    uint64_t rank = 0;
    if (!is_current(search) || !search->all_counted || total(search) == 0)
        return 0;
    for (uint32_t thread = 0, row = 0; next_series(search->trace, &thread, &row, &s);) {
        if (s.track == hit->thread && s.row == hit->row && !is_hit(search, &s, hit->i))
            return 0;
        const struct aggregate_series *c = aggregate_series_of(&search->hits, &s);
        if (c == NULL || aggregate_series_count(c) == 0)
            continue;
        uint32_t n = up_to(&s, hit, true), i = n - n % AGGREGATE_BLOCK;
        rank += c->before.v[n / AGGREGATE_BLOCK];
        for (; i < n; i++)
            rank += is_hit(search, &s, i);
    }
    return rank;
}

/* The first counted hit from i on; s->n if there is none. */
static uint32_t next_counted(struct search *search, const struct slice_series *s, const struct aggregate_series *c,
                             uint32_t i) {
    for (uint32_t n = aggregate_counted(c, s); i < n; i++) {
        i = aggregate_skip(c, i, n);
        if (i < n && is_hit(search, s, i))
            return i;
    }
    return s->n;
}

void search_columns(struct search *search, const int64_t *edges, int columns, unsigned char *flags) {
    struct slice_series s;
    memset(flags, 0, (size_t)columns);
    if (!is_current(search))
        return;
    for (uint32_t thread = 0, row = 0; next_series(search->trace, &thread, &row, &s);) {
        const struct aggregate_series *c = aggregate_series_of(&search->hits, &s);
        if (c == NULL || aggregate_series_count(c) == 0)
            continue;
        for (int column = 0; column < columns; column++) {
            if (flags[column])
                continue;
            uint32_t i = next_counted(search, &s, c, from(&s, edges[column]));
            if (i == s.n)
                break;
            int64_t t = time_of(&s, i);
            while (column < columns && edges[column + 1] <= t)
                column++;
            if (column < columns)
                flags[column] = 1;
        }
    }
}
