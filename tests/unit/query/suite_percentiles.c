/* suite_percentiles.c - percentiles of groups against sorted durations, near and far from each
 * other. */
#include "model/query/stat/percentiles.h"

#include <stdlib.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

static struct chance chance = {90210};

#define GROUPS 5
#define MOST 6000

struct durations {
    int64_t v[MOST];
    size_t n;
};

static int by_value(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Few different ones, many, those of one power of two, or any. */
static int64_t any_duration(unsigned sort) {
    uint64_t x = chance_star(&chance) >> 1;
    switch (sort) {
    case 0:
        return (int64_t)(x % 3);
    case 1:
        return (int64_t)(x % 100000);
    case 2:
        return INT64_C(1) << (x % 62);
    case 3:
        return (int64_t)(x >> x % 62);
    default:
        return (INT64_C(5) << 40) + (int64_t)(x % 2 ? x % (UINT64_C(1) << 34) : x % 7);
    }
}

/* The least duration that at least so many thousandths do not exceed, by counting. */
static int64_t nearest_rank(const struct durations *d, unsigned thousandths) {
    size_t i = 0;
    while ((i + 1) * 1000 < d->n * (size_t)thousandths)
        i++;
    return d->v[i];
}

static void give(struct percentiles *p, const struct durations *all) {
    size_t next[GROUPS] = {0};
    for (int left = GROUPS; left > 0;) { /* in turns: groups come mixed */
        left = 0;
        for (uint32_t g = 0; g < GROUPS; g++)
            for (uint64_t k = below(&chance, 4); next[g] < all[g].n; k--) {
                left++;
                if (k == 0)
                    break;
                percentiles_add(p, g, all[g].v[next[g]++]);
            }
    }
}

struct selecting {
    struct percentiles *p;
    const struct durations *all;
    unsigned passes;
};

static void run(struct task *task, void *ctx) {
    struct selecting *s = ctx;
    do {
        s->passes++;
        give(s->p, s->all);
    } while (percentiles_again(task, s->p));
}

/* Whether everything was given twice. */
static bool select_all(struct percentiles *p, const struct durations *all) {
    struct selecting s = {p, all, 0};
    MUST(task_whole(run, &s, NULL) && s.passes <= 2);
    return s.passes == 2;
}

START_TEST(they_are_those_of_sorted_durations) {
    static const unsigned thousandths[PERCENTILES] = {500, 900, 950, 990};
    static struct durations all[GROUPS];
    unsigned twice = 0;
    for (int n = 0; n < 400; n++) {
        struct percentiles p = {0};
        for (int g = 0; g < GROUPS; g++) {
            unsigned sort = (unsigned)below(&chance, 5);
            all[g].n =
                below(&chance, 4) == 0 ? below(&chance, 3) : below(&chance, n % 8 ? 200 : MOST);
            int64_t least = INT64_MAX, most = 0;
            for (size_t i = 0; i < all[g].n; i++) {
                int64_t d = all[g].v[i] = any_duration(sort);
                least = d < least ? d : least;
                most = d > most ? d : most;
            }
            percentiles_add_group(&p, all[g].n, least, most);
        }
        percentiles_begin(&p);
        twice += select_all(&p, all);
        for (int g = 0; g < GROUPS; g++) {
            qsort(all[g].v, all[g].n, sizeof *all[g].v, by_value);
            for (int k = 0; k < PERCENTILES && all[g].n > 0; k++)
                MUST(p.groups.v[g].at[k] == nearest_rank(&all[g], thousandths[k]), n);
        }
        percentiles_free(&p);
    }
    ck_assert_uint_gt(twice, 50);
}
END_TEST

SUITE(percentiles) {
    Suite *s = suite_create("percentiles");
    TCase *t = tcase_create("percentiles");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, they_are_those_of_sorted_durations);
    suite_add_tcase(s, t);
    return s;
}
