/* search.c - the next hit, the number of all hits, the rank of one. Times are ns relative to the
 * reader's base.
 *
 * All kinds of events are alike here: entries of a series (slice_iter.h) with a time. The next hit
 * is searched in all series at once, in windows of time that grow: the cost is that of the entries
 * before the hit. For counts and ranks an aggregate (aggregate.h) counts them and keeps running
 * counts of each series. With complete counts series without hits are passed over, and the first
 * window is as long as the trace has for a hit.
 *
 * If names decide, an entry is a hit by the number of its name. Else counting asks the filter for
 * each entry and marks the hits, and later questions read the marks.
 *
 * Looking, ranks and columns stop when the budget is spent and go on from there: their states are
 * struct search_looking, ranking and columns. */
#include <stdlib.h>
#include <string.h>

#include "model/query/search_internal.h"
#include "src/base/lower_bound.h"

#define WINDOWS 21 /* a first window is 2^-21 of the trace */
#define LOOKED 512 /* entries looked at between two looks at the budget */

/* ---- new and free ---- */

struct search *search_new(struct trace *trace, const char *text, bool exact, struct err *err) {
    return search_of(trace, filter_new(text, exact, err));
}

struct search *search_of(struct trace *trace, struct filter *filter) {
    if (filter == NULL)
        return NULL;
    struct search *search = err_calloc(1, sizeof *search);
    search->trace = trace;
    search->filter = filter;
    search->match = filter_match_new(trace, filter);
    search->kinds = filter_match_kinds(search->match);
    search->version = search->ranking.version = UINT64_MAX;
    return search;
}

const char *search_fault(const struct search *search, char line[FILTER_FAULT]) {
    return filter_match_fault(search->match, line);
}

static void forget_marks(struct search *search) {
    for (size_t i = 0; i < search->marked.n; i++)
        free(search->marked.v[i].bits);
    search->marked.n = 0;
}

void search_free(struct search *search) {
    if (search == NULL)
        return;
    forget_marks(search);
    vec_free(&search->marked);
    vec_free(&search->before);
    aggregate_free(&search->hits);
    vec_free(&search->columns.edges);
    vec_free(&search->columns.flags);
    vec_free(&search->columns.shown);
    vec_free(&search->flow_threads.has);
    filter_match_free(search->match);
    filter_free(search->filter);
    free(search);
}

const char *search_pattern(const struct search *search) {
    return filter_text(search->filter);
}

char *search_typed(const struct search *search) {
    return filter_typed(search->filter);
}

/* Gets ready to ask events; false: the budget is spent. */
static bool prepare(struct search *search, struct budget *budget) {
    if (!filter_match_step(search->match, budget))
        return false;
    search->names = filter_match_names(search->match, &search->nnames);
    search->generation = trace_generation(search->trace);
    return true;
}

/* ---- marks ---- */

static const struct search_marked *marked_of(const struct search *search, uint32_t track,
                                             uint32_t row) {
    const struct search_marked *v = search->marked.v;
    size_t n = search->marked.n, at = 0;
    lower_bound(at, n, i, v[i].track < track || (v[i].track == track && v[i].row < row));
    return at < n && v[at].track == track && v[at].row == row ? &v[at] : NULL;
}

static bool is_marked(const struct search_marked *m, uint32_t i) {
    return m->bits ? m->bits[i / 64] >> i % 64 & 1 : i < 64 && (m->few >> i & 1);
}

static void mark(struct search_marked *m, uint32_t i) {
    if (m->size <= 64) {
        m->few |= UINT64_C(1) << i;
        return;
    }
    if (m->bits == NULL)
        m->bits = err_calloc(m->size / 64 + 1, sizeof *m->bits);
    m->bits[i / 64] |= UINT64_C(1) << i % 64;
}

/* The marks of the series that is being counted. */
static struct search_marked *marks_for(struct search *search, const struct slice_series *s) {
    struct search_marked *last =
        search->marked.n > 0 ? &search->marked.v[search->marked.n - 1] : NULL;
    if (last == NULL || last->track != s->track || last->row != s->row)
        vec_push(&search->marked,
                 ((struct search_marked){.track = s->track, .row = s->row, .size = s->n}));
    return &search->marked.v[search->marked.n - 1];
}

/* ---- series ---- */

static inline bool named(const struct search *search, uint64_t a) {
    uint32_t name = event_name(a);
    if (name == EVENT_NAME_MAX)
        name = trace_packed_name(search->trace, a);
    return name < search->nnames && search->names[name];
}

bool search_is_hit(struct search *search, const struct slice_series *s, uint32_t i) {
    if (search->names && s->async_instants)
        return s->async_instants[i].name < search->nnames &&
               search->names[s->async_instants[i].name];
    if (search->names)
        return named(search, s->lane ? lane_at(s->lane, i)->begin_word : s->instants[i].packed);
    const struct search_marked *m = search->version == trace_version(search->trace)
                                        ? marked_of(search, s->track, s->row)
                                        : NULL;
    if (m && i < m->n)
        return is_marked(m, i);
    bool hit = filter_match_event(search->match, s, i);
    search->extra += filter_match_cost(search->match);
    return hit;
}

static void charge(struct search *search, struct budget *budget) {
    budget_spend(budget, search->extra);
    search->extra = 0;
}

#define TOGETHER 256u /* slices that are looked at in one go */

/* The number of hits from *i to the end of a run, or to `end`; moves *i past them. */
static uint32_t count_run(struct search *search, const struct slice_series *s, uint32_t *i,
                          uint32_t end) {
    struct slice v[TOGETHER];
    uint32_t n = TOGETHER - *i % TOGETHER, hits = 0;
    if (s->lane == NULL)
        return search_is_hit(search, s, (*i)++);
    n = n < end - *i ? n : end - *i;
    lane_copy(s->lane, *i, n, v);
    *i += n;
    for (uint32_t k = 0; k < n; k++)
        hits += named(search, v[k].begin_word);
    return hits;
}

bool search_by_name(const struct search *search) {
    return search->names != NULL;
}

bool search_asks(const struct search *search, unsigned kinds) {
    return (search->kinds & kinds) != 0;
}

bool search_draws(const struct search *search, uint32_t track, uint32_t row, uint32_t i,
                  uint32_t name) {
    if (search->names && search->generation == trace_generation(search->trace))
        return name < search->nnames
                   ? search->names[name]
                   : filter_matches(search->filter, trace_name(search->trace, name));
    const struct search_marked *m =
        search->version == trace_version(search->trace) ? marked_of(search, track, row) : NULL;
    return m && i < m->n && is_marked(m, i);
}

/* The first entry at or after t. */
uint32_t search_from(const struct slice_series *s, int64_t t) {
    if (s->lane)
        return lane_from(s->lane, t);
    uint32_t at = 0;
    lower_bound(at, s->n, i, slice_iter_time(s, (uint32_t)i) < t);
    return at;
}

/* The first entry after t. */
static uint32_t first_after(const struct slice_series *s, int64_t t) {
    return t == INT64_MAX ? s->n : search_from(s, t + 1);
}

/* The number of entries of the series before `at` in (time, thread, row, i) order; included: and
 * `at` itself. */
uint32_t search_up_to(const struct slice_series *s, const struct hit *at, bool included) {
    if (s->track != at->thread)
        return s->track < at->thread ? first_after(s, at->time) : search_from(s, at->time);
    if (s->row != at->row)
        return s->row < at->row ? first_after(s, at->time) : search_from(s, at->time);
    uint32_t first = search_from(s, at->time), last = first_after(s, at->time);
    uint32_t i = at->i < s->n ? at->i + included : s->n;
    if (i < first)
        return first;
    return i > last ? last : i;
}

/* ---- the counts ---- */

bool search_is_current(const struct search *search) {
    return search->version == trace_version(search->trace);
}

uint64_t search_total(const struct search *search) {
    return search->hits.rows.n > 0 ? search->hits.rows.v[0].count : 0;
}

/* Whether the counts of all series are known and valid. */
bool search_has_counts(const struct search *search) {
    return search->all_counted && search_is_current(search);
}

/* The next series with counted hits; *c: its counts. Incomplete series and those after them are
 * left out. */
bool search_next_counted_series(const struct search *search, struct search_walk *walk,
                                struct slice_series *s, const struct aggregate_series **c,
                                struct budget *budget) {
    const struct aggregate_running *running = &search->hits.running;
    size_t n = running->v.n - running->at_work;
    for (; walk->place < n && budget_left(budget); budget_spend(budget, 1)) {
        *c = &running->v.v[walk->place++];
        if (aggregate_series_count(*c) == 0)
            continue;
        walk->track = (*c)->track;
        walk->row = (*c)->row;
        budget_spend(budget, SEARCH_SERIES_UNITS);
        return slice_iter_series(search->trace, search->kinds, &walk->track, &walk->row, s);
    }
    return false;
}

/* ---- the next hit ---- */

/* The part of the current series in the window; mostly it is empty, if there are many series. */
static void enter_series(struct search_looking *l) {
    const struct slice_series *s = &l->s;
    const struct search_range *r = &l->r;
    if (r->forward) {
        l->i = l->end = !r->around && r->at.time >= r->lo ? search_up_to(s, &r->at, true)
                                                          : search_from(s, r->lo);
        if (l->i < s->n && slice_iter_time(s, l->i) <= r->hi)
            l->end = first_after(s, r->hi);
    } else {
        l->i = l->end = !r->around && r->at.time <= r->hi ? search_up_to(s, &r->at, false)
                                                          : first_after(s, r->hi);
        if (l->end > 0 && slice_iter_time(s, l->end - 1) >= r->lo)
            l->i = search_from(s, r->lo);
    }
    l->hit = false;
}

static bool is_best(struct search *search, uint32_t i) {
    struct search_looking *l = &search->looking;
    if (!search_is_hit(search, &l->s, i))
        return false;
    l->best = (struct hit){l->s.track, l->s.row, i, slice_iter_time(&l->s, i)};
    l->hit = l->found = true;
    return true;
}

/* Looks at the next entries of the current series; true: one is a hit, or none is left. */
static bool look_forward(struct search *search, const struct aggregate_series *c) {
    struct search_looking *l = &search->looking;
    uint32_t end = l->end - l->i < LOOKED ? l->end : l->i + LOOKED;
    for (; l->i < end; l->i++) {
        if (c && (l->i = aggregate_skip(c, l->i, end)) == end)
            break;
        if (is_best(search, l->i))
            return true;
    }
    return l->i == l->end;
}

static bool look_back(struct search *search, const struct aggregate_series *c) {
    struct search_looking *l = &search->looking;
    uint32_t first = l->end - l->i < LOOKED ? l->i : l->end - LOOKED;
    while (l->end > first) {
        uint32_t end = c ? aggregate_skip_back(c, l->end) : l->end;
        l->end = end > first ? end : first;
        if (end > first && is_best(search, --l->end))
            return true;
    }
    return l->end == l->i;
}

/* After a hit, the window ends there. Among hits at one time, that of the first series is first: a
 * later series wins only backward. Returns whether no other series can win. */
static bool narrow(struct search_looking *l) {
    if (!l->r.forward)
        l->r.lo = l->best.time;
    else if (l->best.time > l->r.lo)
        l->r.hi = l->best.time - 1;
    else
        return true;
    return false;
}

/* The next series of the window, and its counts if they are complete. */
static bool next_in_window(struct search *search, const struct aggregate_series **c,
                           struct budget *budget) {
    struct search_looking *l = &search->looking;
    *c = NULL;
    if (!(l->counted ? search_next_counted_series(search, &l->walk, &l->s, c, budget)
                     : slice_iter_series(search->trace, search->kinds, &l->walk.track, &l->walk.row,
                                         &l->s)))
        return false;
    enter_series(l);
    return true;
}

/* Looks through the series of the current window; false: the budget is spent before the last
 * one. */
static bool look_in_window(struct search *search, struct budget *budget) {
    struct search_looking *l = &search->looking;
    const struct aggregate_series *c =
        l->s.n > 0 && l->counted ? aggregate_series_of(&search->hits, &l->s) : NULL;
    for (; budget_left(budget); budget_spend(budget, SEARCH_SERIES_UNITS)) {
        uint32_t left = l->end - l->i;
        if (l->s.n == 0 && !next_in_window(search, &c, budget))
            return budget_left(budget);
        bool looked = (l->r.forward ? look_forward : look_back)(search, c);
        charge(search, budget);
        if (!looked) {
            budget_spend(budget, LOOKED / SEARCH_CHEAP);
            continue;
        }
        budget_spend(budget, (left < LOOKED ? left : LOOKED) / SEARCH_CHEAP);
        l->s.n = 0;
        if (l->hit && narrow(l))
            return true;
    }
    return false;
}

static int64_t limited(int64_t t, int64_t lo, int64_t hi) {
    if (t < lo)
        return lo;
    return t > hi ? hi : t;
}

/* Begins with the windows from `at`, or after wrapping with those from the other end of the
 * trace. */
static void begin_looking(struct search *search, struct search_range r) {
    struct search_looking *l = &search->looking;
    int64_t lo = trace_origin(search->trace), hi = trace_last(search->trace),
            t = limited(r.at.time, lo, hi);
    uint64_t span = (uint64_t)hi - (uint64_t)lo, hits = search_total(search);
    l->r = r;
    l->length = (search_has_counts(search) && hits > 0 ? span / hits : span >> WINDOWS) + 1;
    l->left = r.forward == r.around ? (uint64_t)t - (uint64_t)lo : (uint64_t)hi - (uint64_t)t;
    l->t = t;
    if (r.around)
        l->t = r.forward ? lo : hi;
    l->at_work = false;
}

static void begin_window(struct search *search) {
    struct search_looking *l = &search->looking;
    uint64_t now = l->length < l->left ? l->length : l->left;
    l->r.lo = l->r.hi = l->t;
    if (l->r.forward)
        l->r.hi = l->t += (int64_t)now;
    else
        l->r.lo = l->t -= (int64_t)now;
    l->left -= now;
    l->length *= l->length < UINT64_C(1) << 60 ? 4 : 1;
    l->walk = (struct search_walk){0};
    l->s.n = 0;
    l->found = false;
    l->counted = search_has_counts(search);
    l->at_work = true;
}

void search_begin(struct search *search, struct hit at, bool forward, bool wrap) {
    struct search_range r = {.at = at, .forward = forward};
    if (forward && at.thread == UINT32_MAX && at.time > INT64_MIN)
        r.at.time--; /* from that time on: after everything before it */
    search->looking.wrap = wrap;
    begin_looking(search, r);
}

bool search_same_hit(const struct hit *a, const struct hit *b) {
    return a->thread == b->thread && a->row == b->row && a->i == b->i;
}

/* The rank of a hit that was found from one whose rank is known. */
static void rank_found(struct search *search, const struct search_looking *l) {
    struct search_ranking *r = &search->ranking;
    if (!search_has_counts(search) || r->version != search->version || !r->known || r->rank == 0 ||
        !search_same_hit(&r->of, &l->r.at))
        return;
    r->of = l->best;
    if (l->r.around)
        r->rank = l->r.forward ? 1 : search_total(search);
    else
        r->rank += l->r.forward ? 1 : -1;
}

enum search_state search_step(struct search *search, struct budget *budget, struct hit *hit,
                              bool *wrapped) {
    struct search_looking *l = &search->looking;
    if (!prepare(search, budget))
        return SEARCH_GOES_ON;
    if (filter_match_none(search->match) ||
        (search_has_counts(search) && search_total(search) == 0))
        return SEARCH_NONE;
    for (;;) {
        if (!l->at_work)
            begin_window(search);
        if (!look_in_window(search, budget))
            return SEARCH_GOES_ON;
        l->at_work = false;
        if (l->found)
            break;
        if (l->left > 0)
            continue;
        if (!l->wrap || l->r.around)
            return SEARCH_NONE;
        l->r.around = true;
        begin_looking(search, l->r);
    }
    rank_found(search, l);
    *hit = l->best;
    *wrapped = l->r.around;
    return SEARCH_FOUND;
}

unsigned search_percent(const struct search *search) {
    double span =
        (double)((uint64_t)trace_last(search->trace) - (uint64_t)trace_origin(search->trace));
    double part = span > 0 ? 1 - (double)search->looking.left / span : 0;
    if (part < 0)
        return 0;
    return part > 0.99 ? 99 : (unsigned)(part * 100);
}

/* ---- counting ---- */

/* Starts to count with the first series of the trace as it is now. */
static void count_again(struct search *search) {
    aggregate_free(&search->hits);
    forget_marks(search);
    search->before.n = 0;
    search->hits = AGGREGATE_INIT(AGGREGATE_NAME);
    aggregate_row(&search->hits, &(struct aggregate_key){0});
    search->version = trace_version(search->trace);
    search->all_counted = false;
}

struct counting {
    struct search *search;
    struct budget *budget;
};

static uint32_t count_hits(void *ctx, const struct slice_series *s, uint32_t i, uint32_t end) {
    struct search *search = ((struct counting *)ctx)->search;
    uint32_t hits = 0;
    while (search->names && i < end)
        hits += count_run(search, s, &i, end);
    if (i == end)
        return hits;
    struct search_marked *m = marks_for(search, s);
    for (; i < end; i++) {
        if (filter_match_event(search->match, s, i)) {
            mark(m, i);
            hits++;
        }
        search->extra += filter_match_cost(search->match);
    }
    m->n = end;
    charge(search, ((struct counting *)ctx)->budget);
    return hits;
}

bool search_count(struct search *search, struct budget *budget, uint64_t *hits) {
    bool matched = prepare(search, budget);
    if (!search_is_current(search))
        count_again(search);
    if (matched && !search->all_counted)
        search->all_counted =
            filter_match_none(search->match) ||
            aggregate_count(&search->hits, 0, search->trace,
                            &(struct aggregate_events){search->kinds, count_hits,
                                                       &(struct counting){search, budget}},
                            budget);
    *hits = search_total(search);
    return matched && search->all_counted;
}
