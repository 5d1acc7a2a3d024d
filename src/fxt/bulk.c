/* bulk.c - octaves of times around a centre, and the shortest stretch that leaves few of them out.
 *
 * The first BULK_SAMPLE times are kept. Their median is the centre; the unit is eight times the stretch in which
 * most of them lie. So a trace whose events come in any order stays in the core. The core grows by each octave
 * that has more times than may ever be far off. So nearly all times are in the core, where the reader counts them by
 * runs, without a call for each. */
#include "src/fxt/bulk.h"

#include <stdlib.h>
#include <string.h>

#define ALLOWED 8        /* times that may be far off in any trace */
#define ALLOWED_OF 1000  /* one of so many may be */
#define UNIT 8           /* lengths of most of the sample: less than SPANS, so that the core has no far time */
#define SPANS 10         /* lengths of the bulk that are more than a gap inside of it */
#define AGREE 1000000    /* ns that two clocks may differ by, and a hundredth of the time between two readings */

void bulk_init(struct bulk *bulk, uint64_t sure) {
    *bulk = (struct bulk){.from = 1, .to = 0, .sure = sure > ALLOWED ? sure : ALLOWED};
    for (size_t i = 0; i < sizeof bulk->octaves / sizeof *bulk->octaves; i++)
        bulk->octaves[i] = (struct bulk_octave){0, INT64_MAX, INT64_MIN};
}

void bulk_free(struct bulk *bulk) {
    vec_free(&bulk->cases);
}

static uint64_t distance(int64_t a, int64_t b) {
    return a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b;
}

/* The number of the octave that begins unit * 8^(k - 1) from the centre, k > 0, and holds the distance; 0: the core. */
static unsigned octave_of(const struct bulk *bulk, uint64_t away) {
    uint64_t units = away / bulk->unit;
    return units > 0 ? (63 - (unsigned)__builtin_clzll(units)) / 3 + 1 : 0;
}

/* unit * 8^k, at most UINT64_MAX. */
static uint64_t reach(const struct bulk *bulk, unsigned k) {
    return k > 21 || bulk->unit > UINT64_MAX >> 3 * k ? UINT64_MAX : bulk->unit << 3 * k;
}

static int64_t after(int64_t t, uint64_t by) {
    return by > (uint64_t)INT64_MAX - (uint64_t)t ? INT64_MAX : (int64_t)((uint64_t)t + by);
}

static int64_t before(int64_t t, uint64_t by) {
    return by > (uint64_t)t - (uint64_t)INT64_MIN ? INT64_MIN : (int64_t)((uint64_t)t - by);
}

/* The number of a time's octave in bulk->octaves, and k as octave_of() counts it. */
static unsigned octave(const struct bulk *bulk, int64_t time, unsigned *k) {
    *k = octave_of(bulk, distance(time, bulk->centre));
    return time < bulk->centre ? BULK_OCTAVES - *k : BULK_OCTAVES + *k;
}

/* The core takes all octaves up to number k of one side. */
static void absorb(struct bulk *bulk, bool later, unsigned k) {
    if (later)
        bulk->to = after(bulk->centre, reach(bulk, k) - 1);
    else
        bulk->from = before(bulk->centre, reach(bulk, k) - 1);
    for (unsigned i = 1; i <= k; i++) {
        struct bulk_octave *o = &bulk->octaves[later ? BULK_OCTAVES + i : BULK_OCTAVES - i];
        if (o->n > 0)
            bulk_add_core(bulk, o->first, o->last);
        *o = (struct bulk_octave){0, INT64_MAX, INT64_MIN};
    }
}

static void count(struct bulk *bulk, struct bulk_case c) {
    unsigned k;
    if (bulk_add_core(bulk, c.time, c.time))
        return;
    struct bulk_octave *o = &bulk->octaves[octave(bulk, c.time, &k)];
    o->n++;
    o->first = c.time < o->first ? c.time : o->first;
    o->last = c.time > o->last ? c.time : o->last;
    if (o->n <= BULK_CASES)
        vec_push(&bulk->cases, c);
    if (o->n > bulk->sure)
        absorb(bulk, c.time > bulk->centre, k);
}

static int by_time(const void *a, const void *b) {
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Chooses centre and unit by the sample, and counts its times. */
static void take_sample(struct bulk *bulk) {
    struct bulk_case *sample = bulk->cases.v;
    size_t cap = bulk->cases.cap;
    int64_t *times = err_malloc(BULK_SAMPLE * sizeof *times);
    for (unsigned i = 0; i < BULK_SAMPLE; i++)
        times[i] = sample[i].time;
    qsort(times, BULK_SAMPLE, sizeof *times, by_time);
    bulk->centre = times[BULK_SAMPLE / 2];
    uint64_t most = distance(times[BULK_SAMPLE / 10], times[BULK_SAMPLE - BULK_SAMPLE / 10]);
    bulk->unit = most > UINT64_MAX / UNIT ? UINT64_MAX : most > 0 ? most * UNIT : 1;
    free(times);
    memset(&bulk->cases, 0, sizeof bulk->cases);
    bulk->from = before(bulk->centre, bulk->unit - 1);
    bulk->to = after(bulk->centre, bulk->unit - 1);
    for (unsigned i = 0; i < BULK_SAMPLE; i++)
        count(bulk, sample[i]);
    vec_drop(sample, cap);
}

void bulk_add(struct bulk *bulk, int64_t time, uint64_t offset) {
    struct bulk_case c = {offset, time};
    if (bulk->unit > 0) {
        count(bulk, c);
        return;
    }
    vec_push(&bulk->cases, c);
    if (bulk->cases.n == BULK_SAMPLE)
        take_sample(bulk);
}

void bulk_clock(struct bulk *bulk, struct wide ns, uint64_t unix_ns) {
    struct wide from = bulk->clock, to = ns;
    int64_t took = wide_diff(ns, bulk->clock, INT64_MAX);
    int64_t wall = wide_diff((struct wide){0, unix_ns}, (struct wide){0, bulk->unix_ns}, INT64_MAX);
    if (bulk->has_clock && took > 0 && distance(took, wall) <= AGREE + (uint64_t)took / 100) {
        bulk->vouched_from = bulk->vouched && wide_cmp(bulk->vouched_from, from) < 0 ? bulk->vouched_from : from;
        bulk->vouched_to = bulk->vouched && wide_cmp(bulk->vouched_to, to) > 0 ? bulk->vouched_to : to;
        bulk->vouched = true;
    }
    bulk->clock = ns;
    bulk->unix_ns = unix_ns;
    bulk->has_clock = true;
}

/* Are the times of octave b more than ten spans after, or before, those of octave a? */
static bool apart(const struct bulk_octave *a, const struct bulk_octave *b, uint64_t span) {
    uint64_t gap = a->last < b->first ? distance(a->last, b->first) : distance(b->last, a->first);
    return span > 0 && gap / SPANS >= span && gap > span * SPANS;
}

/* All times, as if none was far off; false before the first one. */
static bool all_times(const struct bulk *bulk, struct bulk_stretch *found) {
    *found = (struct bulk_stretch){INT64_MAX, INT64_MIN, 0};
    for (size_t i = 0; bulk->unit == 0 && i < bulk->cases.n; i++) {
        found->from = bulk->cases.v[i].time < found->from ? bulk->cases.v[i].time : found->from;
        found->to = bulk->cases.v[i].time > found->to ? bulk->cases.v[i].time : found->to;
    }
    for (size_t i = 0; bulk->unit > 0 && i <= 2 * BULK_OCTAVES; i++) {
        found->from = bulk->octaves[i].first < found->from ? bulk->octaves[i].first : found->from;
        found->to = bulk->octaves[i].last > found->to ? bulk->octaves[i].last : found->to;
    }
    return found->from <= found->to;
}

static bool is_in(const struct bulk_stretch *s, const struct bulk_octave *o) {
    return o->first >= s->from && o->last <= s->to;
}

static void include(struct bulk_stretch *s, int64_t first, int64_t last, uint64_t n) {
    s->from = first < s->from ? first : s->from;
    s->to = last > s->to ? last : s->to;
    s->far -= n;
}

/* The bulk grows by the stretch that the clocks prove, if they overlap: by whole octaves, and by single times. */
static void extend(const struct bulk *bulk, struct wide base, const struct bulk_octave *const *v,
                   const uint64_t *counts, int n, struct bulk_stretch *found) {
    const struct bulk_stretch bulk_was = *found,
                              vouched = {wide_diff(bulk->vouched_from, base, INT64_MAX),
                                         wide_diff(bulk->vouched_to, base, INT64_MAX), 0};
    if (!bulk->vouched || found->far == 0 || found->to < vouched.from || found->from > vouched.to)
        return;
    for (int i = 0; i < n; i++)
        if (is_in(&vouched, v[i]) && !is_in(&bulk_was, v[i]))
            include(found, v[i]->first, v[i]->last, counts[i]);
    for (size_t i = 0; i < bulk->cases.n; i++) {
        int64_t t = bulk->cases.v[i].time;
        unsigned k;
        const struct bulk_octave *o = &bulk->octaves[octave(bulk, t, &k)];
        if (o->n > 0 && !is_in(&vouched, o) && t >= vouched.from && t <= vouched.to && bulk_is_far(&bulk_was, t))
            include(found, t, t, 1);
    }
}

bool bulk_find(const struct bulk *bulk, uint64_t times, uint64_t events, struct wide base, struct bulk_stretch *found) {
    const struct bulk_octave *v[2 * BULK_OCTAVES + 1];
    uint64_t counts[2 * BULK_OCTAVES + 1], rest = times, left = 0, right;
    int n = 0, core = 0;
    if (!all_times(bulk, found) || bulk->unit == 0 || events < BULK_EVENTS)
        return found->from <= found->to;
    for (size_t i = 0; i <= 2 * BULK_OCTAVES; i++) {
        if (bulk->octaves[i].first > bulk->octaves[i].last)
            continue;
        core = i == BULK_OCTAVES ? n : core;
        rest -= bulk->octaves[i].n;
        counts[n] = bulk->octaves[i].n;
        v[n++] = &bulk->octaves[i];
    }
    counts[core] = rest;
    uint64_t allowed = times / ALLOWED_OF > ALLOWED ? times / ALLOWED_OF : ALLOWED;
    for (int i = 0; i < n && left <= allowed; left += counts[i++]) {
        right = 0;
        for (int j = n - 1; j >= i && left + right <= allowed; right += counts[j--]) {
            uint64_t span = distance(v[i]->first, v[j]->last);
            bool shorter = left + right > 0 && span < distance(found->from, found->to);
            if (shorter && (i == 0 || apart(v[i - 1], v[i], span)) && (j == n - 1 || apart(v[j], v[j + 1], span)))
                *found = (struct bulk_stretch){v[i]->first, v[j]->last, left + right};
        }
    }
    extend(bulk, base, v, counts, n, found);
    return true;
}
