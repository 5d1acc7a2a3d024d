/* percentiles.c - selects the wanted ranks of each group by the digits of their values.
 *
 * A key is the distance of a duration from the least one of its group, without so many low bits
 * that it has 32. All keys of a group are neighbours in one array. Digits are found from the
 * highest on: the keys that begin with those found so far are counted by the next one, for the four
 * ranks at the same time. Few keys are sorted instead.
 *
 * If the keys lack low bits, these are asked for in a second pass, only of durations whose key was
 * selected. They are at most as many as the keys, so they take the place of these. */
#include "model/query/stat/percentiles.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/discard.h"
#include "src/base/units.h"

#define DIGIT 8                   /* bits */
#define FEW 48                    /* values that are sorted instead */
#define CHUNK 2048                /* values counted between two looks at the clock */
#define CHEAP 16                  /* values counted for one unit of work */
#define SMALL (UINT64_C(1) << 20) /* values that are freed at once */

static const unsigned thousandths[PERCENTILES] = {500, 900, 950, 990};

void percentiles_free(struct percentiles *p) {
    free(p->values);
    vec_free(&p->groups);
    *p = (struct percentiles){0};
}

static uint64_t distance(const struct percentiles_group *g, int64_t duration) {
    return (uint64_t)duration - (uint64_t)g->least;
}

void percentiles_add_group(struct percentiles *p, uint64_t n, int64_t least, int64_t most) {
    struct percentiles_group g = {.least = least, .most = most, .n = n};
    while (n > 0 && distance(&g, most) >> g.shift > UINT32_MAX)
        g.shift++;
    for (int k = 0; k < PERCENTILES && n > 0; k++)
        g.ranks[k].at = (n * thousandths[k] + 999) / 1000 - 1;
    g.first = p->size;
    p->size += n;
    p->wide = p->wide || g.shift > 0;
    vec_push(&p->groups, g);
}

void percentiles_begin(struct percentiles *p) {
    p->size = p->size > 0 ? p->size : 1;
    p->values = err_malloc((size_t)p->size * sizeof *p->values);
}

/* The first of the ranks that have the same key as this one; and how many values are before those
 * of that key. */
static int first_of_key(const struct percentiles_group *g, int k) {
    uint32_t key = g->ranks[k].key;
    while (k > 0 && g->ranks[k - 1].key == key)
        k--;
    return k;
}

static uint64_t before_key(const struct percentiles_group *g, int k) {
    uint64_t n = 0;
    for (int j = 0; j < k; j++)
        if (first_of_key(g, j) == j)
            n += g->ranks[j].equal;
    return n;
}

void percentiles_add(struct percentiles *p, uint32_t group, int64_t duration) {
    struct percentiles_group *g = &p->groups.v[group];
    uint64_t key = distance(g, duration) >> g->shift;
    if (!p->second) {
        if (g->filled < g->n)
            p->values[g->first + g->filled++] = (uint32_t)key;
        return;
    }
    for (int k = 0; k < PERCENTILES && g->shift > 0; k++)
        if (g->ranks[k].key == key) {
            if (g->low[k] < g->ranks[k].equal)
                p->values[g->first + before_key(g, k) + g->low[k]++] =
                    (uint32_t)(distance(g, duration) & ((UINT64_C(1) << g->shift) - 1));
            return;
        }
}

/* ---- selection ---- */

struct part { /* values, and the ranks that are wanted of them: [from, to) */
    uint32_t *v;
    uint64_t n;
    int from, to;
    uint32_t most; /* no value is greater */
};

/* Few values: in place. */
static void sort_part(const struct part *part, struct percentiles_rank *ranks) {
    uint32_t *v = part->v;
    for (uint64_t i = 1; i < part->n; i++) {
        uint32_t x = v[i];
        uint64_t j = i;
        for (; j > 0 && v[j - 1] > x; j--)
            v[j] = v[j - 1];
        v[j] = x;
    }
    for (int k = part->from; k < part->to; k++) {
        uint64_t at = ranks[k].at, first = at, end = at + 1;
        while (first > 0 && v[first - 1] == v[at])
            first--;
        while (end < part->n && v[end] == v[at])
            end++;
        ranks[k] = (struct percentiles_rank){at - first, end - first, v[at]};
    }
}

/* The digit that is counted: for each rank, values that begin like it. */
struct digit {
    unsigned bits; /* below it */
    uint32_t counts[PERCENTILES][256];
};

/* False: cancelled. */
static bool count_digit(struct task *task, struct digit *d, const struct part *part,
                        const struct percentiles_rank *ranks) {
    unsigned above = d->bits + DIGIT;
    memset(d->counts, 0, sizeof d->counts);
    for (uint64_t from = 0; from < part->n; from += CHUNK) {
        uint64_t end = part->n - from < CHUNK ? part->n : from + CHUNK;
        for (int k = part->from; k < part->to; k++) {
            if (k > part->from &&
                (above >= 32 || ranks[k].key >> above == ranks[k - 1].key >> above))
                continue;
            uint32_t *counts = d->counts[k], prefix = above >= 32 ? 0 : ranks[k].key >> above;
            for (uint64_t i = from; i < end; i++)
                if (above >= 32 || part->v[i] >> above == prefix)
                    counts[part->v[i] >> d->bits & 255]++;
        }
        if (!task_spend(task, 1 + (uint32_t)(end - from) / CHEAP))
            return false;
    }
    return true;
}

/* The next digit of each rank, from the counts. */
static void take_digit(const struct digit *d, const struct part *part,
                       struct percentiles_rank *ranks) {
    unsigned above = d->bits + DIGIT;
    const uint32_t *counts = NULL;
    uint32_t before = 0;
    for (int k = part->from; k < part->to; k++) {
        uint32_t digit = 0, prefix = above >= 32 ? 0 : ranks[k].key >> above;
        if (counts == NULL || prefix != before)
            counts = d->counts[k];
        before = prefix;
        while (digit < 255 && ranks[k].at >= counts[digit])
            ranks[k].at -= counts[digit++];
        ranks[k].equal = counts[digit];
        ranks[k].key |= digit << d->bits;
    }
}

/* The values of a part at its ranks; their `at` becomes their place among equal values. False:
 * cancelled. */
static bool select_part(struct task *task, const struct part *part,
                        struct percentiles_rank *ranks) {
    struct digit d = {.bits = 0};
    if (part->n <= FEW) {
        sort_part(part, ranks);
        return task_spend(task, 2 + (uint32_t)part->n / 2);
    }
    while (d.bits + DIGIT < 32 && part->most >> (d.bits + DIGIT) > 0)
        d.bits += DIGIT;
    for (int k = part->from; k < part->to; k++)
        ranks[k].key = 0;
    for (;; d.bits -= DIGIT) {
        if (!count_digit(task, &d, part, ranks))
            return false;
        take_digit(&d, part, ranks);
        if (d.bits == 0)
            return true;
    }
}

/* Keys of a group: exact answers unless they lack low bits. */
static bool select_keys(struct task *task, struct percentiles *p, struct percentiles_group *g) {
    struct part part = {p->values + g->first, g->n, 0, PERCENTILES,
                        (uint32_t)(distance(g, g->most) >> g->shift)};
    if (g->n == 0)
        return true;
    if (!select_part(task, &part, g->ranks))
        return false;
    for (int k = 0; k < PERCENTILES; k++)
        g->at[k] = (int64_t)((uint64_t)g->least + ((uint64_t)g->ranks[k].key << g->shift));
    return true;
}

/* The low bits of a group's ranks, key by key. */
static bool select_low(struct task *task, struct percentiles *p, struct percentiles_group *g) {
    for (int from = 0, to; g->n > 0 && g->shift > 0 && from < PERCENTILES; from = to) {
        for (to = from + 1; to < PERCENTILES && g->ranks[to].key == g->ranks[from].key;)
            to++;
        struct percentiles_rank low[PERCENTILES];
        struct part part = {p->values + g->first + before_key(g, from), g->low[from], from, to,
                            (uint32_t)((UINT64_C(1) << g->shift) - 1)};
        memcpy(low, g->ranks, sizeof low);
        if (part.n != g->ranks[from].equal) /* the second time was another one */
            return true;
        if (!select_part(task, &part, low))
            return false;
        for (int k = from; k < to; k++)
            g->at[k] = (int64_t)((uint64_t)g->at[k] + low[k].key);
    }
    return true;
}

bool percentiles_again(struct task *task, struct percentiles *p) {
    for (size_t k = 0; k < p->groups.n; k++)
        if (!(p->second ? select_low : select_keys)(task, p, &p->groups.v[k]))
            return false;
    if (p->wide && !p->second) {
        p->second = true;
        return true;
    }
    if (p->size > SMALL)
        discard(free, p->values);
    else
        free(p->values);
    p->values = NULL;
    return false;
}
