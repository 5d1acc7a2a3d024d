/* suite_names_table.c - counts, covered time and percentiles by group against a reading that looks
 * at every nanosecond.
 */
#include "model/query/stat/names_table.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/query/detail.h"
#include "model/query/filter/filter_match.h"
#include "src/base/thread.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/lib/thrown.h"

static struct chance chance = {778899};
static unsigned in_parts; /* tables so far that two threads counted */

/* Some slices, as a filter would. */
static bool some(void *ctx, uint32_t track, uint32_t row, uint32_t i) {
    (void)ctx;
    return (track + 2 * row + i) % 3 > 0;
}

struct asked {
    struct trace *trace;
    const struct thrown_slices *all;
    const struct names_query *query;
};

static bool is_kind(const struct asked *a, const struct thrown_slice *s) {
    return (s->kind & a->query->kinds) != 0 && thrown_inside(a->trace, a->query->range, s);
}

static bool holds(const struct asked *a, const struct thrown_slice *s) {
    return is_kind(a, s) && (a->query->has == NULL || some(NULL, s->track, s->row, s->i));
}

/* The text of a slice's group, made without the module. */
static const char *group_of(const struct asked *a, const struct thrown_slice *s, char text[200]) {
    struct str name = trace_slice_name(a->trace, &s->slice);
    char made[40];
    size_t at = 0;
    bool named;
    const struct thread *t = s->kind == SLICE_ITER_SLICES ? trace_thread(a->trace, s->track) : NULL;
    struct str thread = t ? trace_thread_name(a->trace, t, made, &named) : STR("no thread");
    switch (a->query->by) {
    case GROUP_BY_NAME:
        snprintf(text, 200, "%.*s", (int)name.n, name.s);
        break;
    case GROUP_BY_NAME_THREAD:
        if (t)
            snprintf(text, 200, "%.*s  %.*s", (int)name.n, name.s, (int)thread.n, thread.s);
        else
            snprintf(text, 200, "%.*s", (int)name.n, name.s);
        break;
    case GROUP_BY_THREAD:
        snprintf(text, 200, "%.*s", (int)thread.n, thread.s);
        break;
    case GROUP_BY_PATTERN: /* thrown.h writes names without quotes */
        for (size_t i = 0; i < name.n && at < 198; i++)
            if (!isdigit((unsigned char)name.s[i]))
                text[at++] = name.s[i];
            else if (i == 0 || !isdigit((unsigned char)name.s[i - 1]))
                text[at++] = 'N';
        text[at] = 0;
        break;
    case GROUP_BY_CATEGORY:
        snprintf(text, 200, "c"); /* thrown.h writes no other one */
        break;
    case GROUP_BY_ARGUMENT:
        snprintf(text, 200, "(none)");
        break;
    default:
        text[0] = 0;
        break;
    }
    return text;
}

struct slow {
    uint64_t count, open;
    int64_t total, self, sum;
    int64_t *durations;
    size_t ended;
};

/* Whether x comes after y in nesting order; both cover the same moment. */
static bool later(const struct trace *trace, const struct thrown_slice *x,
                  const struct thrown_slice *y) {
    const struct nest *nest = &trace_thread(trace, x->track)->nest;
    const struct slice_extra *extra = trace_slice_extra(trace);
    if (x->slice.start != y->slice.start)
        return x->slice.start > y->slice.start;
    return nest_depth(nest, extra, x->row, x->i) > nest_depth(nest, extra, y->row, y->i);
}

/* One moment of one track: the slices that cover it, and the last of them. Returns whether any
 * slice covers it. */
static bool look(const struct asked *a, uint32_t track, int64_t t, const char *group,
                 struct slow *sums) {
    const struct thrown_slice *last = NULL;
    bool in = false;
    char text[200];
    for (size_t i = 0; i < a->all->n; i++) {
        const struct thrown_slice *s = &a->all->v[i];
        if (s->track != track || !is_kind(a, s) || s->slice.start > t ||
            slice_iter_end(a->trace, s->track, &s->slice) <= t)
            continue;
        if (group)
            in = in || (holds(a, s) && strcmp(group_of(a, s, text), group) == 0);
        if (last == NULL || (s->kind == SLICE_ITER_SLICES && later(a->trace, s, last)))
            last = s;
    }
    if (group && in)
        sums->total++;
    if (group && last && last->kind == SLICE_ITER_SLICES && holds(a, last) &&
        strcmp(group_of(a, last, text), group) == 0)
        sums->self++;
    return last != NULL;
}

static int by_value(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static struct slow read_slowly(const struct asked *a, const char *group) {
    struct slow sums = {.durations = malloc((a->all->n + 1) * sizeof *sums.durations)};
    int64_t from = range_begin(a->query->range, a->trace),
            to = range_end(a->query->range, a->trace);
    char text[200];
    uint32_t before = UINT32_MAX;
    for (size_t i = 0; i < a->all->n; i++) {
        const struct thrown_slice *s = &a->all->v[i];
        if (s->track != before)
            for (int64_t t = from; t < to; t++)
                look(a, s->track, t, group, &sums);
        before = s->track;
        if (!holds(a, s) || strcmp(group_of(a, s, text), group) != 0)
            continue;
        sums.count++;
        if (slice_open(&s->slice))
            sums.open++;
        else
            sums.sum += sums.durations[sums.ended++] = slice_dur(&s->slice);
    }
    qsort(sums.durations, sums.ended, sizeof *sums.durations, by_value);
    return sums;
}

static int64_t nearest_rank(const struct slow *s, size_t percent) {
    size_t i = 0;
    while ((i + 1) * 100 < s->ended * percent)
        i++;
    return s->durations[i];
}

static int64_t value(const struct names_table *t, uint32_t row, enum names_column column) {
    int64_t n = -1;
    return names_table_value(t, row, column, &n) ? n : -1;
}

struct making {
    struct names_table *table;
    struct trace *trace;
    const struct names_query *query;
};

static void make(struct task *task, void *ctx) {
    const struct making *m = ctx;
    if (m->query->no_percentiles) {
        names_table_make(task, m->table, m->trace, m->query);
        return;
    }
    names_table_begin(m->table, m->trace, m->query);
    in_parts += m->table->parts != NULL;
    names_table_count(task, m->table);
    MUST(m->table->counted && !m->table->lived);
    names_table_finish(task, m->table);
}

static void make_whole(struct names_table *t, struct trace *trace,
                       const struct names_query *query) {
    MUST(task_whole(make, &(struct making){t, trace, query}, NULL) && t->ready);
}

static void make_in_steps(struct names_table *t, struct trace *trace,
                          const struct names_query *query) {
    struct making making = {t, trace, query};
    struct tasks all = {0};
    struct task *task = task_new(&all, make, &making);
    while (!task_step(task, TASK_OF(1 + (uint32_t)below(&chance, 300))))
        MUST(names_table_percent(t) < 100);
    task_free(task);
}

static void compare_row(const struct asked *a, const struct names_table *t, uint32_t row, int set) {
    char buf[400], group[200];
    struct str text = names_table_text(t, row, buf, sizeof buf);
    snprintf(group, sizeof group, "%.*s", (int)text.n, text.s);
    struct slow want = read_slowly(a, group);
    MUST(value(t, row, NAMES_COUNT) == (int64_t)want.count, set);
    MUST(value(t, row, NAMES_OPEN) == (int64_t)want.open, set);
    MUST(value(t, row, NAMES_TOTAL) == want.total, set);
    MUST(value(t, row, NAMES_SELF) == (a->query->kinds == SLICE_ITER_SLICES ? want.self : -1), set);
    bool ended = want.ended > 0;
    MUST(value(t, row, NAMES_MIN) == (ended ? want.durations[0] : -1), set);
    MUST(value(t, row, NAMES_MAX) == (ended ? want.durations[want.ended - 1] : -1), set);
    MUST(value(t, row, NAMES_AVG) ==
             (ended ? (2 * want.sum + (int64_t)want.ended) / (2 * (int64_t)want.ended) : -1),
         set);
    MUST(value(t, row, NAMES_P50) == (ended ? nearest_rank(&want, 50) : -1), set);
    MUST(value(t, row, NAMES_P90) == (ended ? nearest_rank(&want, 90) : -1), set);
    MUST(value(t, row, NAMES_P95) == (ended ? nearest_rank(&want, 95) : -1), set);
    MUST(value(t, row, NAMES_P99) == (ended ? nearest_rank(&want, 99) : -1), set);
    free(want.durations);
}

/* Thread time of the threads that have slices in the range; uncovered: the part without a slice. */
static int64_t thread_time(const struct asked *a, int64_t *uncovered) {
    int64_t time = 0, from = range_begin(a->query->range, a->trace),
            to = range_end(a->query->range, a->trace);
    *uncovered = 0;
    for (uint32_t k = 0; k < trace_thread_count(a->trace); k++) {
        bool any = false;
        for (size_t i = 0; i < a->all->n; i++)
            any = any || (a->all->v[i].track == k && is_kind(a, &a->all->v[i]));
        for (int64_t t = from; t < to && any; t++)
            if (t >= trace_thread(a->trace, k)->first) {
                time++;
                *uncovered += !look(a, k, t, NULL, NULL);
            }
    }
    return time;
}

/* Without percentiles all else is the same. */
static void compare_totals(const struct names_table *t, int set) {
    static const enum names_column same[] = {NAMES_COUNT, NAMES_OPEN, NAMES_TOTAL,
                                             NAMES_SELF,  NAMES_MIN,  NAMES_MAX};
    struct names_query query = t->query;
    struct names_table totals = {0};
    int64_t n, m;
    query.no_percentiles = true;
    make_whole(&totals, t->trace, &query);
    MUST(names_table_rows(&totals) == names_table_rows(t), set);
    for (uint32_t row = 0; row < names_table_rows(t); row++) {
        for (size_t k = 0; k < sizeof same / sizeof *same; k++)
            MUST(names_table_value(&totals, row, same[k], &n) ==
                         names_table_value(t, row, same[k], &m) &&
                     n == m,
                 set);
        MUST(!names_table_value(&totals, row, NAMES_P50, &n) &&
                 !names_table_value(&totals, row, NAMES_SHARE, &n),
             set);
    }
    names_table_free(&totals);
}

static void compare(const struct asked *a, int set) {
    struct names_table t = {0};
    size_t want = 0;
    int64_t uncovered;
    (below(&chance, 4) ? make_whole : make_in_steps)(&t, a->trace, a->query);
    for (uint32_t row = 0; row < names_table_rows(&t); row++)
        compare_row(a, &t, row, set);
    for (size_t i = 0; i < a->all->n; i++)
        want += holds(a, &a->all->v[i]);
    MUST(t.slices == want, set);
    if (a->query->kinds == SLICE_ITER_SLICES) {
        int64_t time = thread_time(a, &uncovered);
        MUST(sum_ns(t.thread_time) == time, set);
        if (a->query->has == NULL)
            MUST(sum_ns(t.self) + uncovered == time, set, (int)t.self.low, (int)uncovered,
                 (int)time);
        for (uint32_t row = 0; row < names_table_rows(&t) && time > 0; row++)
            MUST(value(&t, row, NAMES_SHARE) ==
                     sum_share(sum_from(value(&t, row, NAMES_TOTAL)), sum_from(time)),
                 set);
    }
    compare_totals(&t, set);
    names_table_free(&t);
}

START_TEST(numbers_are_those_of_every_moment) {
    static const enum slice_group_by by[] = {
        GROUP_BY_NAME,    GROUP_BY_NAME,     GROUP_BY_NAME_THREAD, GROUP_BY_THREAD,
        GROUP_BY_PATTERN, GROUP_BY_CATEGORY, GROUP_BY_ARGUMENT};
    for (int n = 0; n < 3000; n++) {
        struct trace *trace = n % 3 ? thrown_trace(&chance, 2 + (unsigned)below(&chance, 40))
                                    : thrown_nested(&chance, 2 + (unsigned)below(&chance, 60), 4);
        struct thrown_slices all = thrown_slices(trace);
        struct range range = thrown_range(&chance, trace, &all);
        struct names_query query = {.range = &range,
                                    .kinds = below(&chance, 5) ? SLICE_ITER_SLICES
                                                               : SLICE_ITER_OPERATIONS,
                                    .has = below(&chance, 3) == 0 ? some : NULL,
                                    .by = by[below(&chance, 7)],
                                    .argument = "level",
                                    .two_from = below(&chance, 2)};
        if (query.kinds == SLICE_ITER_OPERATIONS && query.by == GROUP_BY_NAME_THREAD)
            query.by = GROUP_BY_NAME; /* groups of operations have no text */
        compare(&(struct asked){trace, &all, &query}, n);
        range_free(&range);
        vec_free(&all);
        trace_free(trace);
    }
    ck_assert(in_parts > 150 || !thread_worthwhile());
}
END_TEST

START_TEST(sorted_rows_fall_and_equal_ones_are_in_the_order_of_their_texts) {
    struct trace *trace = thrown_trace(&chance, 300);
    struct range range = {0};
    struct names_table t = {0};
    uint32_t v[64];
    make_whole(&t, trace, &(struct names_query){.range = &range, .kinds = SLICE_ITER_SLICES});
    ck_assert_uint_gt(names_table_rows(&t), 3);
    for (int by = NAMES_COUNT; by <= NAMES_SHARE; by++) {
        names_table_sort(&t, (enum names_column)by, v);
        for (uint32_t i = 1; i < names_table_rows(&t); i++) {
            char a[400], b[400];
            int64_t x = value(&t, v[i - 1], (enum names_column)by),
                    y = value(&t, v[i], (enum names_column)by);
            struct str p = names_table_text(&t, v[i - 1], a, sizeof a),
                       q = names_table_text(&t, v[i], b, sizeof b);
            ck_assert(x > y || (x == y && (p.n < q.n || memcmp(p.s, q.s, p.n) < 0)));
        }
    }
    names_table_free(&t);
    trace_free(trace);
}
END_TEST

SUITE(names_table) {
    Suite *s = suite_create("names_table");
    TCase *t = tcase_create("names_table");
    tcase_set_timeout(t, 120);
    tcase_add_test(t, numbers_are_those_of_every_moment);
    tcase_add_test(t, sorted_rows_fall_and_equal_ones_are_in_the_order_of_their_texts);
    suite_add_tcase(s, t);
    return s;
}
