/* counter.c - series of samples, with an index of extents: least, greatest, area, per 64^k samples.
 *
 * A few samples are sorted on demand, more of them by counters_sort(). The index covers
 * whole blocks only and grows when a question is asked; sorting drops it. A question about samples
 * [i, j) joins the largest blocks that fit, so it costs O(log n). */
#include "model/store/counter.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/base/discard.h"
#include "src/base/lower_bound.h"
#include "src/base/wide.h"
#include "src/fxt/fxt.h"

#define BLOCK 64 /* samples, or extents, in an extent of the next level */

void counter_series_free(struct counter_series *s) {
    if (s == NULL)
        return;
    vec_free(&s->samples);
    for (int level = 0; level < COUNTER_LEVELS; level++)
        vec_free(&s->extents[level]);
    free(s);
}

void counters_free(struct counters *counters) {
    for (size_t i = 0; i < counters->v.n; i++) {
        counter_series_free(counters->v.v[i]);
    }
    vec_free(&counters->v);
    vec_free(&counters->unsorted);
    map_free(&counters->by_key);
    *counters = (struct counters){0};
}

struct query {
    const struct counters *counters;
    uint32_t process, name, argument;
    uint64_t id;
    uint16_t world;
};

static bool same(const void *ctx, uint32_t i) {
    const struct query *q = ctx;
    const struct counter_series *s = q->counters->v.v[i];
    return s->process == q->process && s->name == q->name && s->argument == q->argument &&
           s->id == q->id && s->world == q->world;
}

static __attribute__((noinline)) uint32_t number(struct counters *counters, const struct query *q,
                                                 uint32_t *guess) {
    uint64_t hash = hash_words(hash_words((uint64_t)q->process << 32 | q->name, q->id),
                               (uint64_t)q->world << 32 | q->argument);
    uint32_t i = map_intern(&counters->by_key, hash, same, q, (uint32_t)counters->v.n);
    if (i < counters->v.n) {
        *guess = i + 1;
        return i;
    }
    struct counter_series *s = err_calloc(1, sizeof *s);
    s->process = q->process;
    s->name = q->name;
    s->argument = q->argument;
    s->id = q->id;
    s->world = q->world;
    vec_push(&counters->v, s);
    return i;
}

/* Names of series without a process mean something in one world. */
static uint16_t world_of(const struct counters *counters, uint32_t process,
                         const struct counter_sample *sample) {
    bool asks = process == UINT32_MAX && counters->worlds;
    return asks ? world_at(counters->worlds, counter_offset(sample)) : 0;
}

void counters_add(struct counters *counters, uint32_t process, uint32_t name, uint64_t id,
                  uint32_t argument, const struct counter_sample *sample) {
    uint64_t near = (uint64_t)argument << 40 ^ (uint64_t)name << 20 ^ id ^ process;
    uint32_t *guess = map_guess(&counters->by_key, near), i = *guess - 1;
    struct counter_series *s = *guess ? counters->v.v[i] : NULL;
    uint16_t world = world_of(counters, process, sample);
    if (s == NULL || s->name != name || s->argument != argument || s->process != process ||
        s->id != id || s->world != world) {
        i = number(counters, &(struct query){counters, process, name, argument, id, world}, guess);
        s = counters->v.v[i];
    }
    if (s->samples.n > 0 && !s->order.unsorted &&
        s->samples.v[s->samples.n - 1].at.time > sample->at.time) {
        s->order = (struct time_log_list){true, s->samples.n};
        vec_push(&counters->unsorted, i);
    }
    vec_push(&s->samples, *sample);
    counters->samples++;
}

uint64_t counters_bytes(const struct counters *counters) {
    return counters->samples * sizeof(struct counter_sample) +
           counters->v.n * sizeof(struct counter_series);
}

static bool same_counter(const struct counter_series *a, const struct counter_series *b) {
    return a->process == b->process && a->name == b->name && a->id == b->id && a->world == b->world;
}

uint32_t counter_leader(const struct counters *counters, uint32_t series) {
    while (series > 0 && same_counter(counters->v.v[series - 1], counters->v.v[series]))
        series--;
    return series;
}

double counter_value(const struct counter_sample *s) {
    double x;
    switch (counter_type(s)) {
    case FXT_ARG_INT32:
    case FXT_ARG_INT64:
        return (double)(int64_t)s->bits;
    case FXT_ARG_DOUBLE:
        memcpy(&x, &s->bits, sizeof x);
        return isfinite(x) ? x : (double)NAN;
    default:
        return (double)s->bits;
    }
}

/* An integer as sign and magnitude; false for a double. */
static bool integer(const struct counter_sample *s, bool *negative, uint64_t *size) {
    bool is_signed = counter_type(s) == FXT_ARG_INT32 || counter_type(s) == FXT_ARG_INT64;
    *negative = is_signed && (int64_t)s->bits < 0;
    *size = *negative ? 0 - s->bits : s->bits;
    return counter_type(s) != FXT_ARG_DOUBLE;
}

double counter_difference(const struct counter_sample *a, const struct counter_sample *b) {
    bool a_negative, b_negative;
    uint64_t x, y;
    if (!integer(a, &a_negative, &x) || !integer(b, &b_negative, &y))
        return counter_value(a) - counter_value(b);
    if (a_negative != b_negative) { /* the sizes add up, to 65 bits at most */
        double sum = x > UINT64_MAX - y ? (double)x + (double)y : (double)(x + y);
        return a_negative ? -sum : sum;
    }
    double size = x > y ? (double)(x - y) : (double)(y - x);
    bool less = a_negative ? x > y : x < y;
    return less ? -size : size;
}

bool counter_digits(const struct counter_sample *a, const struct counter_sample *b, char buf[48]) {
    char digits[40];
    bool negative, b_negative;
    uint64_t x, y = 0;
    struct wide size;
    if (!integer(a, &negative, &x) || (b && !integer(b, &b_negative, &y)))
        return false;
    if (b && negative != b_negative) {
        size = (struct wide){x > UINT64_MAX - y, x + y};
    } else {
        size = (struct wide){0, x > y ? x - y : y - x};
        negative = negative ? x > y : x < y;
    }
    snprintf(buf, 48, "%s%s", negative ? "-" : "", wide_text(size, digits));
    return true;
}

static const struct counter_extent nothing = {NO_SAMPLE, NO_SAMPLE, {0, 0}, 0};

/* The value of a sample that is a number, exact. */
static struct double2 exact_value(const struct counter_sample *s) {
    bool negative;
    uint64_t size;
    if (!integer(s, &negative, &size))
        return (struct double2){counter_value(s), 0};
    struct double2 x = double2_from(size);
    return negative ? (struct double2){-x.high, -x.low} : x;
}

/* Adds a sample whose value holds in [from, to). */
static void hold(struct counter_extent *e, const struct counter_sample *s, int64_t from,
                 int64_t to) {
    if (isnan(counter_value(s)) || to <= from)
        return;
    struct double2 ns = double2_from((uint64_t)to - (uint64_t)from);
    e->area = double2_add(e->area, double2_product(exact_value(s), ns));
    e->time += ns.high;
}

/* Appends the extent b of samples from i on to e. any: e has samples, and the last of them holds
 * until sample i. */
static void join(struct counter_extent *e, const struct counter_series *s, size_t i, bool any,
                 struct counter_extent b) {
    const struct counter_sample *v = s->samples.v;
    if (any)
        hold(e, &v[i - 1], v[i - 1].at.time, v[i].at.time);
    if (b.least != NO_SAMPLE) {
        if (e->least == NO_SAMPLE || counter_difference(&v[b.least], &v[e->least]) < 0)
            e->least = b.least;
        if (e->most == NO_SAMPLE || counter_difference(&v[b.most], &v[e->most]) > 0)
            e->most = b.most;
    }
    e->area = double2_add(e->area, b.area);
    e->time += b.time;
}

static struct counter_extent of_sample(const struct counter_series *s, size_t i) {
    return isnan(counter_value(&s->samples.v[i])) ? nothing
                                                  : (struct counter_extent){i, i, {0, 0}, 0};
}

static struct time_log_entries entries_of(const struct counter_series *s) {
    return (struct time_log_entries){s->samples.v, s->samples.n, sizeof *s->samples.v, NULL, NULL};
}

/* The number of samples in order. Sorting drops the index. */
static size_t ordered(struct counter_series *s) {
    bool before = s->order.unsorted;
    size_t n = time_log_list_ordered(&s->order, entries_of(s));
    for (int level = 0; before && !s->order.unsorted && level < COUNTER_LEVELS; level++)
        s->extents[level].n = 0;
    return n;
}

/* Extends the index by the blocks that are full now. Their samples change only by sorting. */
bool counter_index(struct counter_series *s, struct task *task) {
    size_t blocks = ordered(s) / BLOCK;
    while (s->extents[0].n < blocks) {
        size_t first = s->extents[0].n * BLOCK, size = BLOCK;
        struct counter_extent e = nothing;
        for (size_t i = first; i < first + BLOCK; i++)
            join(&e, s, i, i > first, of_sample(s, i));
        vec_push(&s->extents[0], e);
        for (int level = 1; level < COUNTER_LEVELS && s->extents[level - 1].n % BLOCK == 0;
             level++, size *= BLOCK) {
            size_t n = s->extents[level - 1].n;
            e = nothing;
            for (size_t k = n - BLOCK; k < n; k++)
                join(&e, s, k * size, k > n - BLOCK, s->extents[level - 1].v[k]);
            vec_push(&s->extents[level], e);
        }
        if (!task_spend(task, BLOCK / 2))
            return false;
    }
    return true;
}

bool counters_sort(struct counters *counters, struct task *task) {
    for (; counters->unsorted.n > 0; counters->unsorted.n--) {
        struct counter_series *s = counters->v.v[counters->unsorted.v[counters->unsorted.n - 1]];
        size_t n = s->samples.n;
        struct counter_sample *sorted = time_log_sorted(task, entries_of(s));
        if (sorted == NULL)
            return false;
        discard_vec(&s->samples);
        s->samples.v = sorted;
        s->samples.n = s->samples.cap = n;
        s->order.unsorted = false;
        for (int level = 0; level < COUNTER_LEVELS; level++)
            s->extents[level].n = 0;
    }
    return true;
}

const struct counter_sample *counter_samples(struct counter_series *s, size_t *n) {
    counter_index(s, NULL);
    *n = ordered(s);
    return s->samples.v;
}

size_t counter_from(struct counter_series *s, int64_t t) {
    size_t at = 0, n;
    const struct counter_sample *v = counter_samples(s, &n);
    lower_bound(at, n, i, v[i].at.time < t);
    return at;
}

/* The extent of samples [i, j). */
static struct counter_extent between(struct counter_series *s, size_t i, size_t j) {
    struct counter_extent e = nothing;
    size_t n, first = i;
    counter_samples(s, &n);
    j = j < n ? j : n;
    while (i < j) {
        int level = -1; /* the largest block that begins at i and ends by j */
        size_t size = 1;
        while (level + 1 < COUNTER_LEVELS && i % (size * BLOCK) == 0 && i + size * BLOCK <= j &&
               i / (size * BLOCK) < s->extents[level + 1].n) {
            level++;
            size *= BLOCK;
        }
        join(&e, s, i, i > first, level < 0 ? of_sample(s, i) : s->extents[level].v[i / size]);
        i += size;
    }
    return e;
}

bool counter_extent(struct counter_series *s, size_t i, size_t j, size_t *least, size_t *most) {
    struct counter_extent e = between(s, i, j);
    *least = e.least;
    *most = e.most;
    return e.least != NO_SAMPLE;
}

struct counter_series *counter_derive(struct counter_series *series, bool rate) {
    struct counter_series *d = err_calloc(1, sizeof *d);
    size_t n;
    const struct counter_sample *v = counter_samples(series, &n);
    for (size_t i = 1; i < n; i++) {
        double x = counter_difference(&v[i], &v[i - 1]),
               seconds = (double)(v[i].at.time - v[i - 1].at.time) / 1e9;
        if (rate)
            x = seconds > 0 ? x / seconds : (double)NAN;
        struct counter_sample s = {{v[i].at.time, counter_offset(&v[i]) | FXT_ARG_DOUBLE}, 0};
        memcpy(&s.bits, &x, sizeof x);
        vec_push(&d->samples, s);
    }
    return d;
}

void counter_hide(struct counter_sample *sample) {
    double gap = (double)NAN;
    sample->at.offset = (sample->at.offset & ~UINT64_C(7)) | FXT_ARG_DOUBLE;
    memcpy(&sample->bits, &gap, sizeof gap);
}

/* The average of samples [i, j) and of the value before, of so many ns: values are weighed before
 * they are added up, for the area of great ones is no number. */
static double weighed(const struct counter_sample *v, size_t i, size_t j, int64_t from, int64_t to,
                      double ns) {
    double sum = 0;
    for (size_t k = i > 0 ? i - 1 : i; k < j; k++) {
        int64_t start = k < i ? from : v[k].at.time, end = k + 1 < j ? v[k + 1].at.time : to;
        struct counter_extent held = nothing;
        hold(&held, &v[k], start, end);
        if (held.time > 0)
            sum += counter_value(&v[k]) * (held.time / ns);
    }
    return sum;
}

bool counter_average(struct counter_series *s, int64_t from, int64_t to, double *average) {
    size_t i = counter_from(s, from), j = counter_from(s, to), n;
    const struct counter_sample *v = counter_samples(s, &n);
    struct counter_extent e = between(s, i, j);
    if (i > 0)
        hold(&e, &v[i - 1], from, i < j ? v[i].at.time : to);
    if (i < j)
        hold(&e, &v[j - 1], v[j - 1].at.time, to);
    *average = e.time > 0 ? e.area.high / e.time : 0;
    if (e.time > 0 && !isfinite(e.area.high))
        *average = weighed(v, i, j, from, to, e.time);
    return e.time > 0;
}
