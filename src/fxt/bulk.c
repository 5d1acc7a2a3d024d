/* bulk.c - octaves of times around a centre, and the shortest stretch that leaves few of them out.
 *
 * The first BULK_SAMPLE times are kept. Their median is the centre; the unit is eight times the
 * stretch in which most of them lie. So a trace whose events come in any order stays in the core.
 * The core grows by each octave that has more times than may ever be far off. So nearly all times
 * are in the core, where the reader counts them by runs, without a call for each. */
#include "src/fxt/bulk.h"

#include <stdlib.h>
#include <string.h>

#define ALLOWED 8       /* times that may be far off in any trace of enough times */
#define ALLOWED_FEW 16  /* one of so many, up to ALLOWED */
#define ALLOWED_OF 1000 /* one of so many may be, however many */
/* ns: a clock that is later does not count from the begin of the trace */
#define EPOCH (UINT64_C(86400) * 1000000000)
#define EPOCH_END (UINT64_C(1) << 62) /* ns: and no clock is later, in this century */
/* lengths of most of the sample: less than SPANS, so that the core has no far time */
#define UNIT 8
#define SPANS 10 /* lengths of the bulk that are more than a gap inside of it */
/* ns that two clocks may differ by, and a hundredth of the time between two readings */
#define AGREE 1000000

void bulk_init(struct bulk *bulk, uint64_t sure) {
    *bulk = (struct bulk){
        .from = 1, .to = 0, .sure = sure > ALLOWED ? sure : ALLOWED, .zero = BULK_NO_ZERO};
    for (size_t i = 0; i < sizeof bulk->octaves / sizeof *bulk->octaves; i++)
        bulk->octaves[i] = (struct bulk_octave){0, INT64_MAX, INT64_MIN};
    bulk->zero_ends = (struct bulk_octave){0, INT64_MAX, INT64_MIN};
}

void bulk_zero(struct bulk *bulk, int64_t zero) {
    bulk->zero = zero;
}

void bulk_free(struct bulk *bulk) {
    vec_free(&bulk->cases);
}

static uint64_t distance(int64_t a, int64_t b) {
    return a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b;
}

/* The number of the octave that begins unit * 8^(k - 1) from the centre, k > 0, and holds the
 * distance; 0: the core. */
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

/* After tick 0, so that no time of 0 is in the core. */
static int64_t before(const struct bulk *bulk, int64_t t, uint64_t by) {
    int64_t at = by > (uint64_t)t - (uint64_t)INT64_MIN ? INT64_MIN : (int64_t)((uint64_t)t - by);
    return at > bulk->zero ? at : bulk->zero + 1;
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
        bulk->from = before(bulk, bulk->centre, reach(bulk, k) - 1);
    for (unsigned i = 1; i <= k; i++) {
        struct bulk_octave *o = &bulk->octaves[later ? BULK_OCTAVES + i : BULK_OCTAVES - i];
        if (o->n > 0)
            bulk_add_core(bulk, o->first, o->last);
        *o = (struct bulk_octave){0, INT64_MAX, INT64_MIN};
    }
}

static void add_to(struct bulk_octave *o, int64_t time) {
    o->n++;
    o->first = time < o->first ? time : o->first;
    o->last = time > o->last ? time : o->last;
}

static void count(struct bulk *bulk, struct bulk_case c) {
    unsigned k;
    if (bulk_add_core(bulk, c.time, c.time))
        return;
    struct bulk_octave *o = &bulk->octaves[octave(bulk, c.time, &k)];
    add_to(o, c.time);
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
    bulk->unit = most > 0 ? most * UNIT : 1;
    if (most > UINT64_MAX / UNIT)
        bulk->unit = UINT64_MAX;
    free(times);
    memset(&bulk->cases, 0, sizeof bulk->cases);
    bulk->from = before(bulk, bulk->centre, bulk->unit - 1);
    bulk->to = after(bulk->centre, bulk->unit - 1);
    for (unsigned i = 0; i < BULK_SAMPLE; i++)
        count(bulk, sample[i]);
    vec_drop(sample, cap);
}

void bulk_add(struct bulk *bulk, int64_t time, uint64_t offset) {
    struct bulk_case c = {offset, time};
    if (time == bulk->zero) {
        bulk->zero_offset =
            bulk->zeros++ == 0 || offset < bulk->zero_offset ? offset : bulk->zero_offset;
        return;
    }
    if (bulk->unit > 0) {
        count(bulk, c);
        return;
    }
    vec_push(&bulk->cases, c);
    if (bulk->cases.n == BULK_SAMPLE)
        take_sample(bulk);
}

void bulk_add_end(struct bulk *bulk, int64_t begin, int64_t end, uint64_t offset) {
    if (begin != bulk->zero || end <= begin || distance(begin, end) >= EPOCH) {
        bulk_add(bulk, end, offset);
        return;
    }
    bulk->zero_ends_offset =
        bulk->zero_ends.n == 0 || offset < bulk->zero_ends_offset ? offset : bulk->zero_ends_offset;
    add_to(&bulk->zero_ends, end);
}

void bulk_clock(struct bulk *bulk, struct wide ns, uint64_t unix_ns) {
    struct wide from = bulk->clock, to = ns;
    int64_t took = wide_diff(ns, bulk->clock, INT64_MAX);
    int64_t wall = wide_diff((struct wide){0, unix_ns}, (struct wide){0, bulk->unix_ns}, INT64_MAX);
    if (bulk->has_clock && took > 0 && distance(took, wall) <= AGREE + (uint64_t)took / 100) {
        bulk->vouched_from =
            bulk->vouched && wide_cmp(bulk->vouched_from, from) < 0 ? bulk->vouched_from : from;
        bulk->vouched_to =
            bulk->vouched && wide_cmp(bulk->vouched_to, to) > 0 ? bulk->vouched_to : to;
        bulk->vouched = true;
    }
    bulk->clock = ns;
    bulk->unix_ns = unix_ns;
    bulk->has_clock = true;
}

/* ---- the bulk ---- */

/* Times that are far off together, or not at all: an octave, or while the sample is not complete,
 * one time. */
struct part {
    uint64_t n;
    int64_t first, last;
};

/* All parts in the order of time, and the stretch that is looked for. */
struct search {
    const struct bulk *bulk;
    struct part *v; /* [0]: the times of 0, [1]: ends of what began there */
    int n, from;    /* from: 2 if there are none, or they are unset */
    struct bulk_stretch found;
};

static bool more_than_spans(uint64_t gap, uint64_t span) {
    return span > 0 && gap / SPANS >= span && gap > span * SPANS;
}

bool bulk_apart(const struct bulk_stretch *bulk, int64_t a, int64_t b) {
    return more_than_spans(distance(a, b), distance(bulk->from, bulk->to));
}

static int by_first(const void *a, const void *b) {
    const struct part *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

static void add_times(struct search *s) {
    const struct bulk *bulk = s->bulk;
    for (size_t i = 0; i < bulk->cases.n; i++)
        s->v[s->n++] = (struct part){1, bulk->cases.v[i].time, bulk->cases.v[i].time};
    qsort(s->v + 2, (size_t)s->n - 2, sizeof *s->v, by_first);
}

/* times: all but those of 0. */
static void add_octaves(struct search *s, uint64_t times) {
    const struct bulk *bulk = s->bulk;
    uint64_t rest = times;
    int core = 0;
    for (size_t i = 0; i <= 2 * BULK_OCTAVES; i++) {
        const struct bulk_octave *o = &bulk->octaves[i];
        if (o->first > o->last)
            continue;
        core = i == BULK_OCTAVES ? s->n : core;
        rest -= o->n;
        s->v[s->n++] = (struct part){o->n, o->first, o->last};
    }
    s->v[core].n = rest;
}

/* Finds the shortest stretch that leaves out few enough of so many times. */
static void find_stretch(struct search *s, uint64_t times) {
    const struct part *v = s->v;
    int n = s->n, from = s->from;
    uint64_t few = times / ALLOWED_FEW < ALLOWED ? times / ALLOWED_FEW : ALLOWED, left = 0, right;
    uint64_t allowed = times / ALLOWED_OF > few ? times / ALLOWED_OF : few;
    s->found = (struct bulk_stretch){v[from].first, v[n - 1].last, 0, 0, BULK_NO_ZERO};
    for (int i = from; i < n && left <= allowed; left += v[i++].n) {
        right = 0;
        for (int j = n - 1; j >= i && left + right <= allowed; right += v[j--].n) {
            uint64_t span = distance(v[i].first, v[j].last);
            bool shorter = left + right > 0 && span < distance(s->found.from, s->found.to);
            if (shorter &&
                (i == from || more_than_spans(distance(v[i - 1].last, v[i].first), span)) &&
                (j == n - 1 || more_than_spans(distance(v[j].last, v[j + 1].first), span)))
                s->found =
                    (struct bulk_stretch){v[i].first, v[j].last, left + right, 0, BULK_NO_ZERO};
        }
    }
}

/* ---- clocks ---- */

static bool is_in(const struct bulk_stretch *s, int64_t first, int64_t last) {
    return first >= s->from && last <= s->to;
}

static void include(struct bulk_stretch *s, int64_t first, int64_t last, uint64_t n) {
    s->from = first < s->from ? first : s->from;
    s->to = last > s->to ? last : s->to;
    s->far -= n;
}

/* The bulk grows by the stretch that the clocks prove, if they overlap: by whole parts, and by
 * single times. */
static void extend(struct search *s, struct wide base) {
    const struct bulk *bulk = s->bulk;
    struct bulk_stretch *found = &s->found;
    const struct bulk_stretch bulk_was = *found,
                              vouched = {wide_diff(bulk->vouched_from, base, INT64_MAX),
                                         wide_diff(bulk->vouched_to, base, INT64_MAX), 0, 0,
                                         BULK_NO_ZERO};
    if (!bulk->vouched || found->far == 0 || found->to < vouched.from || found->from > vouched.to)
        return;
    for (int i = s->from; i < s->n; i++)
        if (is_in(&vouched, s->v[i].first, s->v[i].last) &&
            !is_in(&bulk_was, s->v[i].first, s->v[i].last))
            include(found, s->v[i].first, s->v[i].last, s->v[i].n);
    for (size_t i = 0; i < bulk->cases.n && bulk->unit > 0; i++) {
        int64_t t = bulk->cases.v[i].time;
        unsigned k;
        const struct bulk_octave *o = &bulk->octaves[octave(bulk, t, &k)];
        if (o->n > 0 && !is_in(&vouched, o->first, o->last) && is_in(&vouched, t, t) &&
            bulk_is_far(&bulk_was, t))
            include(found, t, t, 1);
    }
}

/* ---- both ---- */

/* Whether times of 0 mean none: the others are of a clock that began long before, and far from its
 * begin. */
static bool zero_is_unset(const struct search *s) {
    const struct bulk_stretch *others = &s->found;
    uint64_t gap = distance(s->bulk->zero, others->from), span = distance(others->from, others->to);
    return gap >= EPOCH && gap < EPOCH_END && gap / SPANS >= span;
}

/* Puts the times of 0 and the ends kept with them among the others: parts that overlap become
 * one. */
static void with_zeros(struct search *s) {
    int n = 0;
    if (s->v[0].n == 0)
        return;
    s->from = 0;
    if (s->v[1].n == 0)
        s->v[1] = s->v[--s->n];
    qsort(s->v, (size_t)s->n, sizeof *s->v, by_first);
    for (int i = 1; i < s->n; i++) {
        struct part *last = &s->v[n];
        if (s->v[i].first > last->last) {
            s->v[++n] = s->v[i];
            continue;
        }
        last->n += s->v[i].n;
        last->last = s->v[i].last > last->last ? s->v[i].last : last->last;
    }
    s->n = n + 1;
}

bool bulk_find(const struct bulk *bulk, uint64_t times, struct wide base,
               struct bulk_stretch *found) {
    const struct bulk_octave *ends = &bulk->zero_ends;
    uint64_t zeros = bulk->zeros, others = times - zeros - ends->n;
    size_t most = (bulk->unit == 0 ? bulk->cases.n : 2 * BULK_OCTAVES + 1) + 2;
    struct search s = {.bulk = bulk, .v = err_malloc(most * sizeof *s.v), .n = 2, .from = 2};
    bool unset = false;
    s.v[0] = (struct part){zeros, bulk->zero, bulk->zero};
    s.v[1] = (struct part){ends->n, ends->first, ends->last};
    if (bulk->unit == 0)
        add_times(&s);
    else
        add_octaves(&s, others);
    if (s.n > 2) {
        find_stretch(&s, others);
        unset = zeros > 0 && zero_is_unset(&s);
    }
    if (!unset)
        with_zeros(&s);
    if (!unset && s.from < s.n)
        find_stretch(&s, times);
    if (s.from < s.n)
        extend(&s, base);
    *found = s.found;
    if (unset) {
        found->unset = zeros;
        found->unset_to = ends->n > 0 ? ends->last : bulk->zero;
    }
    free(s.v);
    return s.from < s.n;
}

void bulk_core(const struct bulk *bulk, bool zeros, int64_t *first, int64_t *last) {
    const struct bulk_octave *core = &bulk->octaves[BULK_OCTAVES], *ends = &bulk->zero_ends;
    *first = core->first;
    *last = core->last;
    if (!zeros || bulk->zeros == 0)
        return;
    *first = bulk->zero;
    *last = *last > bulk->zero ? *last : bulk->zero;
    *last = *last > ends->last ? *last : ends->last;
}
