/* search.c - matches names once, then events by the number of their name. Times are ns relative to the reader's base.
 *
 * Slices and instants are alike here: entries of a series (slice_iter.h) with a time and a name. The next hit is
 * searched in all series at once, in windows of time that grow: the cost is that of the entries before the hit. For
 * counts and ranks each series gets an array of the hits before each of its blocks of 256 entries. */
#include "model/query/search.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/lower_bound.h"

#define BLOCK 256
#define WINDOWS 21 /* a first window is 2^-21 of the trace */

struct counted { /* a series: the hits before each of its blocks, then those of all blocks */
    uint32_t thread, row;
    VEC(uint32_t) before;
};

struct search {
    struct trace *trace;
    struct filter *filter;
    struct name_set names;
    /* counting: the version of the trace, and the progress */
    uint64_t version, total;
    bool all_counted;
    VEC(struct counted) counts; /* in (thread, row) order; the last one may be incomplete */
    struct slice_series at;     /* the incomplete one */
    bool at_work;
    uint32_t next_thread, next_row;
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

static void forget_counts(struct search *search) {
    for (size_t i = 0; i < search->counts.n; i++)
        vec_free(&search->counts.v[i].before);
    search->counts.n = 0;
}

void search_free(struct search *search) {
    if (search == NULL)
        return;
    forget_counts(search);
    vec_free(&search->counts);
    name_set_free(&search->names);
    filter_free(search->filter);
    free(search);
}

const char *search_pattern(const struct search *search) {
    return filter_text(search->filter);
}

/* ---- series ---- */

static bool next_series(const struct trace *trace, uint32_t *track, uint32_t *row, struct slice_series *s) {
    return slice_iter_series(
        trace, SLICE_ITER_SLICES | SLICE_ITER_INSTANTS | SLICE_ITER_OPERATIONS | SLICE_ITER_ASYNC_INSTANTS, track, row,
        s);
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

/* The counts of a series; NULL: none yet. */
static const struct counted *counted_of(const struct search *search, const struct slice_series *s) {
    const struct counted *v = search->counts.v;
    size_t n = search->counts.n, at = 0;
    lower_bound(at, n, i, v[i].thread < s->track || (v[i].thread == s->track && v[i].row < s->row));
    return at < n && v[at].thread == s->track && v[at].row == s->row ? &v[at] : NULL;
}

/* The first entry from i on that is in a block with hits; skip_back(): the end of the last such block before i. */
static uint32_t skip(const struct counted *c, const struct slice_series *s, uint32_t i) {
    while (i < s->n && c->before.v[i / BLOCK] == c->before.v[i / BLOCK + 1])
        i = s->n - i / BLOCK * BLOCK > BLOCK ? (i / BLOCK + 1) * BLOCK : s->n;
    return i;
}

static uint32_t skip_back(const struct counted *c, uint32_t i) {
    while (i > 0 && c->before.v[(i - 1) / BLOCK] == c->before.v[(i - 1) / BLOCK + 1])
        i = (i - 1) / BLOCK * BLOCK;
    return i;
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
    const struct counted *c = search->all_counted && is_current(search) ? counted_of(search, s) : NULL;
    uint32_t i = r->around ? 0 : up_to(s, &r->at, true), k = from(s, r->lo);
    for (i = i > k ? i : k; i < s->n; i++) {
        if (c)
            i = skip(c, s, i);
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
    const struct counted *c = search->all_counted && is_current(search) ? counted_of(search, s) : NULL;
    uint32_t i = r->around ? s->n : up_to(s, &r->at, false), k = behind(s, r->hi);
    for (i = i < k ? i : k; i > 0; i--) {
        if (c)
            i = skip_back(c, i);
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
    if (name_set_count(&search->names) == 0 || (search->all_counted && is_current(search) && search->total == 0))
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
    forget_counts(search);
    search->version = trace_version(search->trace);
    search->total = 0;
    search->next_thread = search->next_row = 0;
    search->at_work = false;
    search->all_counted = false;
}

/* Begins the next series; false: there is none. */
static bool begin_series(struct search *search) {
    if (!next_series(search->trace, &search->next_thread, &search->next_row, &search->at))
        return false;
    vec_push(&search->counts, ((struct counted){.thread = search->at.track, .row = search->at.row}));
    vec_push(&search->counts.v[search->counts.n - 1].before, 0);
    search->at_work = true;
    return true;
}

/* Counts the next block of the current series. */
static void count_block(struct search *search) {
    struct counted *c = &search->counts.v[search->counts.n - 1];
    const struct slice_series *s = &search->at;
    uint32_t i = (uint32_t)(c->before.n - 1) * BLOCK, end = s->n - i > BLOCK ? i + BLOCK : s->n, hits = 0;
    search->at_work = end < s->n;
    while (i < end)
        hits += count_run(search, s, &i, end);
    uint32_t before = c->before.v[c->before.n - 1];
    vec_push(&c->before, before + hits);
    search->total += hits;
}

bool search_count(struct search *search, struct budget *budget, uint64_t *total) {
    bool matched = name_set_step(&search->names, budget);
    if (!is_current(search))
        count_again(search);
    if (matched && name_set_count(&search->names) == 0)
        search->all_counted = true;
    while (matched && !search->all_counted) {
        if (!search->at_work && !begin_series(search)) {
            search->all_counted = true;
            break;
        }
        while (search->at_work && budget_left(budget)) {
            count_block(search);
            budget_spend(budget, BLOCK / 8); /* 5 ns an event */
        }
        if (search->at_work)
            break;
    }
    *total = search->total;
    return matched && search->all_counted;
}

uint64_t search_rank(struct search *search, const struct hit *hit) {
    struct slice_series s;
    uint64_t rank = 0;
    if (!is_current(search) || !search->all_counted || search->total == 0)
        return 0;
    for (uint32_t thread = 0, row = 0; next_series(search->trace, &thread, &row, &s);) {
        if (s.track == hit->thread && s.row == hit->row && !is_hit(search, &s, hit->i))
            return 0;
        const struct counted *c = counted_of(search, &s);
        if (c == NULL || c->before.v[c->before.n - 1] == 0)
            continue;
        uint32_t n = up_to(&s, hit, true), i = n - n % BLOCK;
        rank += c->before.v[n / BLOCK];
        for (; i < n; i++)
            rank += is_hit(search, &s, i);
    }
    return rank;
}

/* The first counted hit from i on; s->n if there is none. */
static uint32_t next_counted(struct search *search, const struct slice_series *s, const struct counted *c, uint32_t i) {
    struct slice_series part = *s;
    size_t counted = (c->before.n - 1) * BLOCK; /* of an incomplete series: whole blocks */
    if (counted < s->n)
        part.n = (uint32_t)counted;
    for (; i < part.n; i++) {
        i = skip(c, &part, i);
        if (i < part.n && is_hit(search, s, i))
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
        const struct counted *c = counted_of(search, &s);
        if (c == NULL || c->before.v[c->before.n - 1] == 0)
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
