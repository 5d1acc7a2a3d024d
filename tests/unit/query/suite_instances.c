/* suite_instances.c - the longest slices of a group, with their numbers, against a sorted list of
 * all of them. */
#include "model/query/stat/instances.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/output/chars.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/lib/thrown.h"
#include "tests/unit/query/group_key.h"

static struct chance chance = {665544};

static struct trace *sorting;

static int64_t length(const struct thrown_slice *s) {
    return slice_iter_end(sorting, s->track, &s->slice) - s->slice.start;
}

static int longest_first(const void *a, const void *b) {
    const struct thrown_slice *x = a, *y = b;
    int64_t p = length(x), q = length(y);
    if (p != q)
        return p > q ? -1 : 1;
    if (x->slice.start != y->slice.start)
        return x->slice.start < y->slice.start ? -1 : 1;
    if (x->track != y->track)
        return x->track < y->track ? -1 : 1;
    return x->row != y->row ? (x->row < y->row ? -1 : 1) : (x->i > y->i) - (x->i < y->i);
}

static bool some(void *ctx, uint32_t track, uint32_t row, uint32_t i) {
    (void)ctx;
    return (track + row + i) % 4 > 0;
}

static bool in_range(const struct range *range, const struct thrown_slice *s) {
    int64_t start = s->slice.start;
    if (trace_damaged_slice(sorting, &s->slice))
        return false;
    return !range->timed || ((start < range->to || (start == range->to && range->to_end)) &&
                             (slice_end(&s->slice) > range->from || start >= range->from));
}

/* The time of a slice in which it is the last that covers, moment by moment. */
static int64_t slow_self(const struct thrown_slices *all, const struct thrown_slice *s) {
    const struct nest *nest = &trace_thread(sorting, s->track)->nest;
    const struct slice_extra *extra = trace_slice_extra(sorting);
    int64_t self = 0;
    for (int64_t t = s->slice.start; t < slice_iter_end(sorting, s->track, &s->slice); t++) {
        bool mine = true;
        for (size_t k = 0; k < all->n && mine; k++) {
            const struct thrown_slice *o = &all->v[k];
            if (trace_damaged_slice(sorting, &o->slice) || o->track != s->track ||
                (o->row == s->row && o->i == s->i) || o->slice.start > t ||
                slice_iter_end(sorting, o->track, &o->slice) <= t)
                continue;
            mine = o->slice.start < s->slice.start ||
                   (o->slice.start == s->slice.start &&
                    nest_depth(nest, extra, o->row, o->i) < nest_depth(nest, extra, s->row, s->i));
        }
        self += mine;
    }
    return self;
}

static void compare(const struct instances *got, const struct thrown_slices *want,
                    const struct thrown_slices *all, uint32_t most, int set) {
    int64_t n;
    uint64_t open = 0;
    for (size_t i = 0; i < want->n; i++)
        open += slice_open(&want->v[i].slice);
    MUST(got->count == want->n && got->open == open, set);
    MUST(instances_rows(got) == (most > 0 && most < want->n ? most : want->n), set);
    for (uint32_t i = 0; i < instances_rows(got); i++) {
        const struct thrown_slice *s = &want->v[i];
        const struct instance *x = &got->v.v[i];
        MUST(x->track == s->track && x->row == s->row && x->i == s->i, set);
        MUST(instances_value(got, i, INSTANCES_DURATION, &n) && n == length(s), set);
        MUST(instances_value(got, i, INSTANCES_TIME, &n) && n == s->slice.start, set);
        MUST(instances_value(got, i, INSTANCES_OPEN, &n) && n == slice_open(&s->slice), set);
        MUST(instances_value(got, i, INSTANCES_OFFSET, &n) &&
                 (uint64_t)n == slice_offset(&s->slice),
             set);
        /* no scheduling in these traces */
        MUST(!instances_value(got, i, INSTANCES_RUNNING, &n), set);
        if (s->kind == SLICE_ITER_SLICES) {
            MUST(instances_value(got, i, INSTANCES_SELF, &n) && n == slow_self(all, s), set);
            MUST(instances_value(got, i, INSTANCES_TID, &n) &&
                     (uint64_t)n == trace_thread(sorting, s->track)->id.tid,
                 set);
        }
    }
}

struct asked {
    struct instances *instances;
    struct trace *trace;
    const struct instances_query *query;
};

static void make(struct task *task, void *ctx) {
    const struct asked *a = ctx;
    instances_make(task, a->instances, a->trace, a->query);
}

START_TEST(they_are_the_first_of_all_sorted_slices) {
    for (int n = 0; n < 800; n++) {
        struct trace *trace = sorting = thrown_trace(&chance, 2 + (unsigned)below(&chance, 60));
        struct thrown_slices all = thrown_slices(trace), want = {0};
        struct range range = {0};
        struct slice_group group;
        struct instances got = {0};
        uint64_t span = (uint64_t)(trace_end(trace) - trace_begin(trace)) + 1;
        if (below(&chance, 2))
            range_set_time(&range, trace, trace_begin(trace) + (int64_t)below(&chance, span),
                           trace_begin(trace) + (int64_t)below(&chance, span));
        slice_group_init(&group, trace, (enum slice_group_by)below(&chance, GROUP_BY_CATEGORY + 1),
                         NULL);
        struct instances_query query = {.range = &range,
                                        .kinds = below(&chance, 4) ? SLICE_ITER_SLICES
                                                                   : SLICE_ITER_OPERATIONS,
                                        .has = below(&chance, 2) ? some : NULL,
                                        .most = (uint32_t)below(&chance, 6)};
        if (below(&chance, 3) && all.n > 0) {
            const struct thrown_slice *s = &all.v[below(&chance, all.n)];
            query.group = &group;
            query.key = group_key(&group, s->track, &s->slice);
        }
        for (size_t i = 0; i < all.n; i++) {
            const struct thrown_slice *s = &all.v[i];
            struct aggregate_key key = group_key(&group, s->track, &s->slice);
            if ((s->kind & query.kinds) && in_range(&range, s) &&
                (query.group == NULL || (key.name == query.key.name && key.a == query.key.a)) &&
                (query.has == NULL || some(NULL, s->track, s->row, s->i)))
                vec_push(&want, *s);
        }
        if (want.n > 0)
            qsort(want.v, want.n, sizeof *want.v, longest_first);
        task_whole(make, &(struct asked){&got, trace, &query}, NULL);
        compare(&got, &want, &all, query.most, n);
        instances_free(&got);
        slice_group_free(&group);
        vec_free(&want);
        vec_free(&all);
        trace_free(trace);
    }
}
END_TEST

static int by_length(const void *a, const void *b) {
    const struct instance *x = a, *y = b;
    if (x->duration != y->duration)
        return x->duration > y->duration ? -1 : 1;
    return x->start < y->start ? -1 : x->start > y->start;
}

/* Before they are in order, the longest of the slices passed so far are known. */
START_TEST(the_longest_so_far_are_those_of_the_slices_passed) {
    enum { MANY = 5000 };
    struct chars text = {0};
    char line[96];
    unsigned looks = 0, before = 0;
    chars_add(&text, STR("magic\n"));
    for (int i = 0, t = 0; i < MANY; i++, t += 1000) {
        snprintf(line, sizeof line, "complete %d 1/%d \"\" \"a\" end=%d\n", t, 8 + i * 3 / MANY,
                 t + i % 5 * 100 + (int)below(&chance, 99));
        chars_add(&text, str_of(line));
    }
    chars_add(&text, (struct str){"", 1});
    struct trace *trace = loaded_text(text.v);
    struct range range = {0};
    struct instances got = {0};
    struct instance so_far[INSTANCES_SO_FAR];
    struct instances_query query = {.range = &range, .kinds = SLICE_ITER_SLICES, .so_far = true};
    struct asked asked = {&got, trace, &query};
    struct tasks all = {0};
    struct task *task = task_new(&all, make, &asked);
    while (!task_step(task, TASK_OF(1 + (uint32_t)below(&chance, 200)))) {
        if (got.collected)
            continue;
        VEC(struct instance) want = {0};
        for (size_t i = 0; i < got.v.n; i++)
            vec_push(&want, got.v.v[i]);
        if (want.n > 0)
            qsort(want.v, want.n, sizeof *want.v, by_length);
        uint32_t n = instances_so_far(&got, so_far);
        MUST(n == (want.n < INSTANCES_SO_FAR ? want.n : INSTANCES_SO_FAR), (int)n);
        for (uint32_t i = 0; i < n; i++)
            MUST(so_far[i].duration == want.v[i].duration && so_far[i].start == want.v[i].start,
                 (int)i);
        MUST(instances_passed(&got) >= before && instances_passed(&got) < 100);
        before = instances_passed(&got);
        looks += n == INSTANCES_SO_FAR;
        vec_free(&want);
    }
    ck_assert_uint_gt(looks, 1);
    task_free(task);
    instances_free(&got);
    trace_free(trace);
    vec_free(&text);
}
END_TEST

SUITE(instances) {
    Suite *s = suite_create("instances");
    TCase *t = tcase_create("instances");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, they_are_the_first_of_all_sorted_slices);
    tcase_add_test(t, the_longest_so_far_are_those_of_the_slices_passed);
    suite_add_tcase(s, t);
    return s;
}
