/* curve_group.c - counters that share one scale.
 *
 * A group may have thousands. Its members are found once for a version of the trace, with the
 * least and greatest value that each has anywhere. A window asks them in that order, and ends at
 * the first that cannot reach beyond the others. */
#include "ui/timeline/kinds/curve.h"

#include <stdlib.h>

#define GROUPS 16 /* that are known at a time: as many as a screen may show */

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Skips a run of digits at i. */
static size_t after_digits(struct str s, size_t i) {
    while (i < s.n && is_digit(s.s[i]))
        i++;
    return i;
}

static bool same_but_digits(struct str a, struct str b) {
    size_t i = 0, k = 0;
    while (i < a.n && k < b.n) {
        if (is_digit(a.s[i]) && is_digit(b.s[k])) {
            i = after_digits(a, i);
            k = after_digits(b, k);
        } else if (a.s[i++] != b.s[k++]) {
            return false;
        }
    }
    return i == a.n && k == b.n;
}

bool curve_group_same(const struct trace *trace, uint32_t a, uint32_t b) {
    const struct counter_series *x = counter_series(trace_counters(trace), a),
                                *y = counter_series(trace_counters(trace), b);
    return x->process == y->process &&
           (x->name == y->name ||
            same_but_digits(trace_name(trace, x->name), trace_name(trace, y->name)));
}

/* ---- members ---- */

static int by_least(const void *a, const void *b) {
    const struct curve_member *x = a, *y = b;
    return (x->lo > y->lo) - (x->lo < y->lo);
}

static int by_greatest(const void *a, const void *b) {
    const struct curve_member *x = a, *y = b;
    return (x->hi < y->hi) - (x->hi > y->hi);
}

/* The extent of a series in [from, to). */
static bool extent(struct app *app, uint32_t series, const struct filter_lanes *only, int64_t from,
                   int64_t to, struct curve_member *member) {
    struct counter_series *s = curve_series(app, series, only);
    size_t least, most, n;
    if (s == NULL || !curve_extent(s, from, to, &least, &most))
        return false;
    const struct counter_sample *v = counter_samples(s, &n);
    *member = (struct curve_member){counter_value(&v[least]), counter_value(&v[most]), series};
    return true;
}

static void find_members(struct app *app, struct curve_group *g, const struct filter_lanes *only) {
    struct curve_member member;
    g->least.n = g->greatest.n = 0;
    for (uint32_t i = 0; i < g->count; i++)
        if (curve_group_same(app->trace, g->of, i) &&
            curve_of(&app->timeline, i)->mode == g->mode &&
            extent(app, i, only, INT64_MIN, INT64_MAX, &member)) {
            vec_push(&g->least, member);
            vec_push(&g->greatest, member);
        }
    if (g->least.n == 0)
        return;
    qsort(g->least.v, g->least.n, sizeof *g->least.v, by_least);
    qsort(g->greatest.v, g->greatest.n, sizeof *g->greatest.v, by_greatest);
}

static void free_group(struct curve_group *g) {
    vec_free(&g->least);
    vec_free(&g->greatest);
}

/* The group of a series, with the members of this version. */
static struct curve_group *group_of(struct app *app, uint32_t series,
                                    const struct filter_lanes *only) {
    struct timeline *timeline = &app->timeline;
    struct curve_group now = {
        .of = series,
        .count = (uint32_t)counter_series_count(trace_counters(app->trace)),
        .mode = curve_of(timeline, series)->mode,
        .version = app->reload.version,
        .changes = only ? timeline->only_changes : 0,
    };
    size_t i = 0;
    for (; i < timeline->shared.n; i++) {
        struct curve_group *g = &timeline->shared.v[i];
        if (g->mode != now.mode || g->of >= now.count ||
            !curve_group_same(app->trace, g->of, series))
            continue;
        if (g->version == now.version && g->changes == now.changes && g->count == now.count)
            return g;
        break;
    }
    if (i == GROUPS)
        i = series % GROUPS;
    if (i == timeline->shared.n)
        vec_push(&timeline->shared, now);
    free_group(&timeline->shared.v[i]);
    timeline->shared.v[i] = now;
    find_members(app, &timeline->shared.v[i], only);
    return &timeline->shared.v[i];
}

void curve_group_free(struct timeline *timeline) {
    for (size_t i = 0; i < timeline->shared.n; i++)
        free_group(&timeline->shared.v[i]);
    vec_free(&timeline->shared);
}

/* ---- the window ---- */

static void ask_window(struct app *app, struct curve_group *g, const struct filter_lanes *only) {
    int64_t from = app->timeline.edges[0], to = app->timeline.edges[g->n];
    struct curve_member m;
    bool low = false;
    g->any = false;
    for (size_t i = 0; i < g->least.n && !(low && g->least.v[i].lo >= g->lo); i++)
        if (extent(app, g->least.v[i].series, only, from, to, &m)) {
            g->lo = low && g->lo < m.lo ? g->lo : m.lo;
            low = true;
        }
    for (size_t i = 0; i < g->greatest.n && !(g->any && g->greatest.v[i].hi <= g->hi); i++)
        if (extent(app, g->greatest.v[i].series, only, from, to, &m)) {
            g->hi = g->any && g->hi > m.hi ? g->hi : m.hi;
            g->any = true;
        }
}

bool curve_group_extent(struct app *app, uint32_t series, const struct filter_lanes *only,
                        double *lo, double *hi) {
    const struct window *w = &app->timeline.window;
    struct curve_group *g = group_of(app, series, only);
    if (g->n != w->columns || g->from != w->from || g->width != w->width) {
        g->from = w->from;
        g->width = w->width;
        g->n = w->columns;
        ask_window(app, g, only);
    }
    *lo = g->lo;
    *hi = g->hi;
    return g->any;
}
