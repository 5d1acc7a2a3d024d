/* suite_children.c - children of slices by name against a slow reading: parents one by one, and
 * each moment by itself. */
#include "model/query/stat/slice/children.h"

#include <stdlib.h>

#include "src/base/units.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/lib/thrown.h"

static struct chance chance = {65537};

struct child {
    int64_t start, end;
    uint32_t name;
};

static bool is_parent(const struct trace *trace, const struct thrown_slice *s, uint32_t row,
                      uint32_t i) {
    uint32_t up, parent;
    return nest_parent(&trace_thread(trace, s->track)->nest, trace_slice_extra(trace), s->row, s->i,
                       &up, &parent) &&
           up == row && parent == i;
}

static int by_time(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The time of [start, end) in which a child of that name is the last one that begins and covers. */
static int64_t slow_total(const struct child *v, size_t n, uint32_t name) {
    int64_t *times = malloc((2 * n + 1) * sizeof *times), total = 0;
    for (size_t k = 0; k < n; k++)
        times[2 * k] = v[k].start, times[2 * k + 1] = v[k].end;
    qsort(times, 2 * n, sizeof *times, by_time);
    for (size_t k = 0; k + 1 < 2 * n; k++) {
        const struct child *last = NULL;
        for (size_t c = 0; c < n; c++)
            if (v[c].start <= times[k] && times[k] < v[c].end &&
                (last == NULL || v[c].start >= last->start))
                last = &v[c];
        if (last && last->name == name)
            total += times[k + 1] - times[k];
    }
    free(times);
    return total;
}

/* All slices whose parent is the slice. */
static size_t slow_children(struct trace *trace, const struct thrown_slices *all,
                            const struct thrown_slice *of, struct child *v) {
    int64_t end = trace_slice_end(trace, of->track, &of->slice);
    size_t n = 0;
    for (size_t k = 0; k < all->n; k++) {
        const struct thrown_slice *s = &all->v[k];
        if (s->kind != SLICE_ITER_SLICES || s->track != of->track ||
            !is_parent(trace, s, of->row, of->i))
            continue;
        int64_t to = trace_slice_end(trace, s->track, &s->slice);
        v[n++] = (struct child){s->slice.start, to < end ? to : end,
                                trace_packed_name(trace, s->slice.begin_word)};
    }
    return n;
}

static void compare(struct children *c, struct trace *trace, const struct thrown_slices *all,
                    const struct thrown_slice *of, int set) {
    struct child *v = malloc((all->n + 1) * sizeof *v);
    size_t n = slow_children(trace, all, of, v), counted = 0;
    int64_t sum = c->self;
    MUST(task_whole(children_make, c, NULL), set);
    sum = c->self;
    for (size_t k = 0; k < c->parts.n; k++) {
        uint32_t count = 0;
        int64_t longest = -1;
        for (size_t i = 0; i < n; i++) {
            count += v[i].name == c->parts.v[k].name;
            if (v[i].name == c->parts.v[k].name && v[i].end - v[i].start > longest)
                longest = v[i].end - v[i].start;
        }
        MUST(count == c->parts.v[k].count && count > 0, set);
        MUST(longest == c->parts.v[k].longest, set);
        MUST(c->parts.v[k].total == slow_total(v, n, c->parts.v[k].name), set);
        counted += count;
        sum += c->parts.v[k].total;
    }
    MUST(counted == n, set);
    MUST(sum == trace_slice_end(trace, of->track, &of->slice) - of->slice.start, set);
    free(v);
}

START_TEST(children_are_those_of_a_slow_reading_and_sum_to_the_slice) {
    for (int set = 0; set < 1500; set++) {
        struct trace *trace = set % 2
                                  ? thrown_trace(&chance, 2 + (unsigned)below(&chance, 150))
                                  : thrown_nested(&chance, 2 + (unsigned)below(&chance, 150), 4);
        struct thrown_slices all = thrown_slices(trace);
        for (int k = 0; k < 6 && all.n > 0; k++) {
            const struct thrown_slice *of = &all.v[below(&chance, all.n)];
            struct children c = {.trace = trace, .thread = of->track, .row = of->row, .i = of->i};
            if (of->kind != SLICE_ITER_SLICES)
                continue;
            compare(&c, trace, &all, of, set);
            children_free(&c);
        }
        vec_free(&all);
        trace_free(trace);
    }
}
END_TEST

SUITE(children) {
    Suite *s = suite_create("children");
    TCase *t = tcase_create("children");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, children_are_those_of_a_slow_reading_and_sum_to_the_slice);
    suite_add_tcase(s, t);
    return s;
}
