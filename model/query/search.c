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
 * Looking is a task. Ranks and columns stop when time is up and go on from there: their
 * states are struct search_ranking and search_columns. */
#include <stdlib.h>
#include <string.h>

#include "model/query/search_internal.h"
#include "src/base/lower_bound.h"

#define WINDOWS 21 /* a first window is 2^-21 of the trace */
#define LOOKED 512 /* entries looked at between two looks at the clock */

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
    task_free(search->looking.task);
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

const struct filter *search_filter(const struct search *search) {
    return search->filter;
}

const char *search_pattern(const struct search *search) {
    return filter_text(search->filter);
}

char *search_typed(const struct search *search) {
    return filter_typed(search->filter);
}

/* Gets ready to ask events; false: time is up. */
static bool prepare(struct search *search, struct task *task) {
    if (!filter_match_step(search->match, task))
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
                                struct task *task) {
    const struct aggregate_running *running = &search->hits.running;
    size_t n = running->v.n - running->at_work;
    for (; walk->place < n && !task_over(task); task_spend(task, 1)) {
        *c = &running->v.v[walk->place++];
        if (aggregate_series_count(*c) == 0)
            continue;
        walk->track = (*c)->track;
        walk->row = (*c)->row;
        task_spend(task, SEARCH_SERIES_UNITS);
        return slice_iter_series(search->trace, search->kinds, &walk->track, &walk->row, s);
    }
    return false;
}

/* ---- the next hit ---- */

struct window { /* the entries among which a hit is looked for, and the best one so far */
    struct search_range r;
    bool found;
    struct hit best;
};

/* The entries [*i, *end) of a series in the window; mostly none, if there are many series. */
static void enter_series(const struct slice_series *s, const struct search_range *r, uint32_t *i,
                         uint32_t *end) {
    if (r->forward) {
        *i = *end = !r->around && r->at.time >= r->lo ? search_up_to(s, &r->at, true)
                                                      : search_from(s, r->lo);
        if (*i < s->n && slice_iter_time(s, *i) <= r->hi)
            *end = first_after(s, r->hi);
    } else {
        *i = *end = !r->around && r->at.time <= r->hi ? search_up_to(s, &r->at, false)
                                                      : first_after(s, r->hi);
        if (*end > 0 && slice_iter_time(s, *end - 1) >= r->lo)
            *i = search_from(s, r->lo);
    }
}

/* The first or the last hit of entries [i, end); UINT32_MAX: none. */
static uint32_t look_forward(struct search *search, const struct slice_series *s,
                             const struct aggregate_series *c, uint32_t i, uint32_t end) {
    for (; i < end; i++) {
        if (c && (i = aggregate_skip(c, i, end)) == end)
            break;
        if (search_is_hit(search, s, i))
            return i;
    }
    return UINT32_MAX;
}

static uint32_t look_back(struct search *search, const struct slice_series *s,
                          const struct aggregate_series *c, uint32_t i, uint32_t end) {
    while ((end = c ? aggregate_skip_back(c, end) : end) > i)
        if (search_is_hit(search, s, --end))
            return end;
    return UINT32_MAX;
}

/* The first or the last hit of any number of entries; none if the task is cancelled, too. */
static uint32_t look(struct task *task, struct search *search, const struct slice_series *s,
                     const struct aggregate_series *c, uint32_t i, uint32_t end, bool forward) {
    uint32_t hit = UINT32_MAX;
    while (i < end && hit == UINT32_MAX) {
        uint32_t n = end - i < LOOKED ? end - i : LOOKED;
        if (forward) {
            hit = look_forward(search, s, c, i, i + n);
            i += n;
        } else {
            hit = look_back(search, s, c, end - n, end);
            end -= n;
        }
        uint32_t cost = search->extra + n / SEARCH_CHEAP;
        search->extra = 0;
        if (!task_spend(task, cost))
            return UINT32_MAX;
    }
    return hit;
}

/* After a hit, the window ends there. Among hits at one time, that of the first series is first: a
 * later series wins only backward. Returns whether no other series can win. */
static bool narrow(struct window *w) {
    if (!w->r.forward)
        w->r.lo = w->best.time;
    else if (w->best.time > w->r.lo)
        w->r.hi = w->best.time - 1;
    else
        return true;
    return false;
}

/* Looks through the series of a window, by their counts if all are known; false: cancelled. */
static bool look_in_window(struct task *task, struct search *search, struct window *w) {
    bool counted = search_has_counts(search);
    struct search_walk walk = {0};
    struct slice_series s;
    const struct aggregate_series *c = NULL;
    while (counted ? search_next_counted_series(search, &walk, &s, &c, task)
                   : slice_iter_series(search->trace, search->kinds, &walk.track, &walk.row, &s)) {
        uint32_t i, end;
        enter_series(&s, &w->r, &i, &end);
        uint32_t hit = look(task, search, &s, c, i, end, w->r.forward);
        if (hit != UINT32_MAX) {
            w->best = (struct hit){s.track, s.row, hit, slice_iter_time(&s, hit)};
            w->found = true;
            if (narrow(w))
                return true;
        }
        if (!task_spend(task, SEARCH_SERIES_UNITS))
            return false;
    }
    return !task_over(task);
}

static int64_t limited(int64_t t, int64_t lo, int64_t hi) {
    if (t < lo)
        return lo;
    return t > hi ? hi : t;
}

/* Looks from r.at to the end of the trace, or from the other end to r.at; whether there is a hit.
 * Windows are four times as long as the one before. */
static bool look_on(struct task *task, struct search *search, struct search_range r,
                    struct hit *best) {
    int64_t lo = trace_origin(search->trace), hi = trace_last(search->trace),
            t = limited(r.at.time, lo, hi);
    uint64_t span = (uint64_t)hi - (uint64_t)lo, hits = search_total(search);
    uint64_t length = (search_has_counts(search) && hits > 0 ? span / hits : span >> WINDOWS) + 1;
    uint64_t *left = &search->looking.left;
    *left = r.forward == r.around ? (uint64_t)t - (uint64_t)lo : (uint64_t)hi - (uint64_t)t;
    if (r.around)
        t = r.forward ? lo : hi;
    do {
        uint64_t now = length < *left ? length : *left;
        struct window w = {.r = r};
        w.r.lo = w.r.hi = t;
        if (r.forward)
            w.r.hi = t += (int64_t)now;
        else
            w.r.lo = t -= (int64_t)now;
        *left -= now;
        length *= length < UINT64_C(1) << 60 ? 4 : 1;
        if (!look_in_window(task, search, &w))
            return false;
        *best = w.best;
        if (w.found)
            return true;
    } while (*left > 0);
    return false;
}

bool search_same_hit(const struct hit *a, const struct hit *b) {
    return a->thread == b->thread && a->row == b->row && a->i == b->i;
}

/* The rank of a hit that was found from one whose rank is known. */
static void rank_found(struct search *search, const struct search_looking *l) {
    struct search_ranking *r = &search->ranking;
    if (!search_has_counts(search) || r->version != search->version || !r->known || r->rank == 0 ||
        !search_same_hit(&r->of, &l->at))
        return;
    r->of = l->best;
    if (l->around)
        r->rank = l->forward ? 1 : search_total(search);
    else
        r->rank += l->forward ? 1 : -1;
}

static void find_next(struct task *task, void *ctx) {
    struct search *search = ctx;
    struct search_looking *l = &search->looking;
    struct search_range r = {.at = l->at, .forward = l->forward};
    if (!prepare(search, task) || filter_match_none(search->match) ||
        (search_has_counts(search) && search_total(search) == 0))
        return;
    l->found = look_on(task, search, r, &l->best);
    r.around = l->around = !l->found && l->wrap;
    if (r.around)
        l->found = look_on(task, search, r, &l->best);
    if (l->found)
        rank_found(search, l);
}

void search_begin(struct search *search, struct hit at, bool forward, bool wrap) {
    struct search_looking *l = &search->looking;
    if (forward && at.thread == UINT32_MAX && at.time > INT64_MIN)
        at.time--; /* from that time on: after everything before it */
    task_free(l->task);
    *l = (struct search_looking){.at = at, .forward = forward, .wrap = wrap};
    l->left = (uint64_t)trace_last(search->trace) - (uint64_t)trace_origin(search->trace);
    l->task = task_new(trace_tasks(search->trace), find_next, search);
}

enum search_state search_step(struct search *search, struct task *task, struct hit *hit,
                              bool *wrapped) {
    struct search_looking *l = &search->looking;
    if (task_is_lost(l->task)) {
        task_free(l->task);
        l->task = task_new(trace_tasks(search->trace), find_next, search);
    }
    if (!task_step(l->task, task))
        return SEARCH_GOES_ON;
    if (!l->found)
        return SEARCH_NONE;
    *hit = l->best;
    *wrapped = l->around;
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
    struct task *task;
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
    task_spend(((struct counting *)ctx)->task, search->extra);
    search->extra = 0;
    return hits;
}

bool search_count(struct search *search, struct task *task, uint64_t *hits) {
    bool matched = prepare(search, task);
    if (!search_is_current(search))
        count_again(search);
    if (matched && !search->all_counted)
        search->all_counted =
            filter_match_none(search->match) ||
            aggregate_count(&search->hits, 0, search->trace,
                            &(struct aggregate_events){search->kinds, count_hits,
                                                       &(struct counting){search, task}},
                            task);
    *hits = search_total(search);
    return matched && search->all_counted;
}
