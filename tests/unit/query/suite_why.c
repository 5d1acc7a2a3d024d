/* suite_why.c - why a slice is longer than the median: differences that sum, the median itself, and
 * frequent arguments.
 */
#include "model/query/stat/slice/why.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/query/name_stats.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/lib/thrown.h"

static struct chance chance = {8128};

static void ask(struct why *why, struct trace *trace, const struct thrown_slice *s) {
    struct name_stats stats = {.trace = trace,
                               .set = SLICE_SET_ALL(SLICE_ITER_SLICES),
                               .name = trace_packed_name(trace, s->slice.begin_word)};
    MUST(task_whole(name_stats_make, &stats, NULL));
    why_init(why, trace, s->track, s->row, s->i, name_stats_row(&stats));
    MUST(task_whole(why_ops.make, why, NULL));
    name_stats_free(&stats);
}

static int by_value(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The nearest-rank median of a name, and of equals the one that begins first; NULL: none has
 * ended. */
static const struct thrown_slice *slow_median(struct trace *trace, const struct thrown_slices *all,
                                              uint32_t name) {
    int64_t *durations = malloc((all->n + 1) * sizeof *durations);
    const struct thrown_slice *best = NULL;
    size_t n = 0;
    for (size_t k = 0; k < all->n; k++)
        if (all->v[k].kind == SLICE_ITER_SLICES && !slice_open(&all->v[k].slice) &&
            trace_packed_name(trace, all->v[k].slice.begin_word) == name)
            durations[n++] = slice_dur(&all->v[k].slice);
    qsort(durations, n, sizeof *durations, by_value);
    for (size_t k = 0; k < all->n && n > 0; k++) {
        const struct thrown_slice *s = &all->v[k];
        if (s->kind == SLICE_ITER_SLICES && !slice_open(&s->slice) &&
            trace_packed_name(trace, s->slice.begin_word) == name &&
            slice_dur(&s->slice) == durations[(n + 1) / 2 - 1] &&
            (best == NULL || s->slice.start < best->slice.start ||
             (s->slice.start == best->slice.start &&
              slice_offset(&s->slice) < slice_offset(&best->slice))))
            best = s;
    }
    free(durations);
    return best;
}

/* A part's time and count in a slice, by its children. */
static void compare_part(struct trace *trace, const struct why_part *part,
                         const struct why_slice *s, enum why_side side, int set) {
    struct children c = {.trace = trace, .thread = s->thread, .row = s->row, .i = s->i};
    int64_t ns = 0;
    uint32_t n = 0;
    MUST(task_whole(children_make, &c, NULL));
    for (size_t k = 0; k < c.parts.n; k++)
        if (c.parts.v[k].name == part->name)
            ns = c.parts.v[k].total, n = c.parts.v[k].count;
    if (part->name == WHY_SELF)
        ns = c.self, n = 1;
    MUST(part->ns[side] == ns && part->n[side] == n, set);
    children_free(&c);
}

START_TEST(differences_sum_and_the_median_is_the_earliest) {
    for (int set = 0; set < 1000; set++) {
        struct trace *trace = set % 2
                                  ? thrown_trace(&chance, 2 + (unsigned)below(&chance, 200))
                                  : thrown_nested(&chance, 2 + (unsigned)below(&chance, 200), 4);
        struct thrown_slices all = thrown_slices(trace);
        for (int k = 0; k < 3 && all.n > 0; k++) {
            const struct thrown_slice *s = &all.v[below(&chance, all.n)];
            struct why why;
            int64_t sum = 0, last = INT64_MAX;
            if (s->kind != SLICE_ITER_SLICES)
                continue;
            ask(&why, trace, s);
            const struct thrown_slice *median = slow_median(trace, &all, why.name);
            MUST(why.has_median == (median != NULL), set);
            MUST(median == NULL || (why.side[WHY_MEDIAN].thread == median->track &&
                                    why.side[WHY_MEDIAN].row == median->row &&
                                    why.side[WHY_MEDIAN].i == median->i),
                 set);
            for (size_t i = 0; i < why.parts.v.n; i++) {
                const struct why_part *part = &why.parts.v.v[i];
                int64_t difference = part->ns[WHY_THIS] - part->ns[WHY_MEDIAN];
                MUST(llabs(difference) <= last, set);
                last = llabs(difference);
                sum += difference;
                compare_part(trace, part, &why.side[WHY_THIS], WHY_THIS, set);
                compare_part(trace, part, &why.side[WHY_MEDIAN], WHY_MEDIAN, set);
            }
            MUST(median == NULL || sum == why_difference(&why), set);
            for (enum why_side side = WHY_THIS; side <= WHY_MEDIAN && median; side++) {
                int64_t own = 0;
                for (size_t i = 0; i < why.own.v.n; i++)
                    own += why.own.v.v[i].ns[side];
                MUST(own == why.side[side].dur, set);
            }
            why_ops.free(&why);
        }
        vec_free(&all);
        trace_free(trace);
    }
}
END_TEST

/* 100 slices on two threads with scheduling; the slowest five have level=7, and so has one other;
 * file=wood is in half of all. */
static struct trace *with_arguments(void) {
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    fputs("magic\nprovider 1 \"p\"\ninit 1000000000\nthread 1 1 10\nthread 2 1 11\n", f);
    for (int k = 0; k < 100; k++) {
        int begin = k * 1000, dur = k % 20 == 3 ? 500 + k : 100 + k % 7;
        fprintf(f, "complete %d t1 \"c\" \"work\" file=\"%s\" level=i32:%d id=i32:%d end=%d\n",
                begin, k % 2 ? "wood" : "rock", dur > 400 || k == 50 ? 7 : k % 5, k, begin + dur);
        fprintf(f, "complete %d t1 \"c\" \"%s\" end=%d\n", begin, dur > 400 ? "slow part" : "part",
                begin + dur / 2);
        fprintf(f, "complete %d t1 \"c\" \"leaf\" end=%d\n", begin, begin + dur / 4);
        if (dur > 400)
            fprintf(f, "switch %d 0 10 3 11\nwakeup %d 0 10\nswitch %d 0 11 3 10\n", begin + 300,
                    begin + 320, begin + 350);
    }
    fputs("instant 200000 t1 \"c\" \"last\"\n", f);
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}

START_TEST(arguments_states_and_own_times_are_named) {
    struct trace *trace = with_arguments();
    struct thrown_slices all = thrown_slices(trace);
    struct why why;
    for (size_t k = 0; k < all.n; k++) {
        const struct thrown_slice *s = &all.v[k];
        if (!str_eq(trace_slice_name(trace, &s->slice), STR("work")) || slice_dur(&s->slice) < 400)
            continue;
        ask(&why, trace, s);
        int64_t difference = why_difference(&why), sum = 0;
        ck_assert_uint_eq(why.slow, 5);
        ck_assert_uint_eq(why.slow_read, 5);
        ck_assert_uint_eq(why.others_read, 95);
        ck_assert_uint_eq(why.arguments.n, 1);
        ck_assert(str_eq(why.arguments.v[0].name, STR("level")) &&
                  str_eq(why.arguments.v[0].value, STR("7")));
        ck_assert_uint_eq(why.arguments.v[0].slow, 5);
        ck_assert_uint_eq(why.arguments.v[0].others, 1);
        for (int state = 0; state < WHY_STATES; state++)
            sum += why.states[state][WHY_THIS] - why.states[state][WHY_MEDIAN];
        ck_assert_int_eq(sum, difference);
        ck_assert_int_eq(why.states[WHY_BLOCKED][WHY_THIS], 20);
        ck_assert_int_eq(why.states[WHY_RUNNABLE][WHY_THIS], 30);
        ck_assert(str_eq(trace_name(trace, why.parts.v.v[0].name), STR("slow part")));
        /* part, slow part, leaf, work: nothing of what is around */
        ck_assert_uint_eq(why.own.v.n, 4);
        ck_assert(str_eq(trace_name(trace, why.own.v.v[0].name), STR("work")));
        for (size_t i = 0; i < why.own.v.n; i++) {
            const struct why_part *own = &why.own.v.v[i];
            if (!str_eq(trace_name(trace, own->name), STR("leaf")))
                continue;
            ck_assert_int_eq(own->ns[WHY_THIS], slice_dur(&s->slice) / 4);
            ck_assert_int_eq(own->ns[WHY_MEDIAN], why.side[WHY_MEDIAN].dur / 4);
            ck_assert(own->n[WHY_THIS] == 1 && own->n[WHY_MEDIAN] == 1);
        }
        why_ops.free(&why);
    }
    vec_free(&all);
    trace_free(trace);
}
END_TEST

SUITE(why) {
    Suite *s = suite_create("why");
    TCase *t = tcase_create("why");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, differences_sum_and_the_median_is_the_earliest);
    tcase_add_test(t, arguments_states_and_own_times_are_named);
    suite_add_tcase(s, t);
    return s;
}
