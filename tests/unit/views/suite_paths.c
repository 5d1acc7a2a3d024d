/* suite_paths.c - the paths of views 3 and 4 after any keys are those that are made at once; and
 * what survives news. */
#include "ui/views/stat/paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/units.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/views/view.h"

static struct chance chance = {66123};

static char *random_text(unsigned events) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\ninit 1000000000\nswitch 0 0 10 3 11\n", f);
    for (unsigned i = 0, t = 1; i < events; i++, t += (unsigned)below(&chance, 30)) {
        if (below(&chance, 6) == 0)
            fprintf(f, "switch %u 0 %u 3 %u\n", t, 10 + i % 2, 11 - i % 2);
        fprintf(f, "%s %u 1/%u \"c\" \"n%u\"\n", below(&chance, 10) < 5 ? "begin" : "end", t,
                10 + (unsigned)below(&chance, 2), (unsigned)below(&chance, 4));
    }
    fclose(f);
    return text;
}

static bool step(struct paths *p, struct task *task) {
    bool news;
    shown.work = task;
    bool more = paths_step(p, &news);
    shown.work = &shown.key;
    return more;
}

static void finish(struct paths *p) {
    for (int n = 0; step(p, TASK_OF(5000)); n++)
        MUST(n < 100000);
}

/* The same tree, node by node of equal names and weights, in order. */
static void compare(const struct path_tree *a, uint32_t i, const struct path_tree *b, uint32_t k) {
    MUST(a->nodes.v[i].name == b->nodes.v[k].name);
    for (int w = 0; w < PATH_WEIGHTS; w++)
        MUST(sum_cmp(path_tree_all(a, i, (enum path_weight)w),
                     path_tree_all(b, k, (enum path_weight)w)) == 0);
    uint32_t x = a->nodes.v[i].first, y = b->nodes.v[k].first;
    for (; x != PATH_ROOT; x = a->nodes.v[x].next, y = b->nodes.v[y].next) {
        MUST(y != PATH_ROOT);
        compare(a, x, b, y);
    }
    MUST(y == PATH_ROOT);
}

static void compare_table(const struct paths_table *a, const struct paths_table *b) {
    MUST(a->shown.done && b->shown.done && a->shown.order.n == b->shown.order.n);
    for (size_t i = 0; i < a->shown.order.n; i++) {
        const struct path_row_by_name *x = &a->shown.rows.v[a->shown.order.v[i]];
        const struct path_row_by_name *y = path_table_row(&b->shown, x->name);
        MUST(y != NULL && memcmp(x->own, y->own, sizeof x->own) == 0);
        MUST(sum_cmp(x->all[0], y->all[0]) == 0 && sum_cmp(x->all[1], y->all[1]) == 0);
    }
}

/* Many slices: first come those of a stretch in the middle, whose numbers are right, then all. */
START_TEST(the_middle_of_many_slices_comes_first) {
    unsigned samples = 0;
    for (int n = 0; n < 40; n++) {
        char *text = random_text(3000);
        bool more = true, sample = false;
        char heading[440];
        shown_text(text, 100, 30);
        struct paths *p = paths_of_app(&shown);
        p->many = 100;
        p->bottom_up = n % 3 == 0;
        while (more) {
            more = step(p, TASK_OF(50));
            paths_heading(p, heading, sizeof heading);
            MUST((strstr(heading, "so far only") != NULL) == (p->known && p->of.sample), n);
            if (sample || !p->known || !p->of.sample)
                continue;
            struct path_tree tree;
            struct path_walk walk;
            sample = true;
            path_tree_init(&tree, PATH_NODES, 10000);
            path_walk_init(&walk, shown.trace, &p->sample, &tree);
            MUST(task_whole(path_walk_make, &walk, NULL) &&
                     path_tree_order(NULL, &tree, paths_measure_weight(p->measure)),
                 n);
            compare(&p->base, PATH_ROOT, &tree, PATH_ROOT);
            MUST(walk.slices == p->slices && walk.slices < 400, n);
            path_walk_free(&walk);
            path_tree_free(&tree);
            samples++;
        }
        MUST(!p->of.sample && p->slices > 500, n);
        shown_close();
        free(text);
    }
    ck_assert_uint_gt(samples, 30);
}
END_TEST

/* Bottom-up of many paths: first the names with their weights, said to be without callers, then
 * all. */
START_TEST(names_come_before_their_callers) {
    for (int n = 0; n < 40; n++) {
        char *text = random_text(300);
        unsigned ends = 0;
        bool more = true;
        shown_text(text, 100, 30);
        shown_keys(n % 2 ? "3r" : "3");
        struct paths *p = paths_of_app(&shown);
        p->many = PATHS_ENDS * (uint64_t)(n % 4 / 2 ? 1 : 1000);
        p->bottom_up = true;
        while (more) {
            more = step(p, TASK_OF(50));
            MUST(!p->derived_ends || !p->has_derived || more, n);
            if (!p->has_derived || !p->derived_up || !p->derived_ends)
                continue;
            ends++;
            app_draw(&shown);
            MUST(shown_has("bottom-up, recursion folded, so far without callers") == (n % 2), n);
            MUST(shown_has("so far without callers"), n);
        }
        MUST((ends > 0) == (n % 4 >= 2), n);
        app_draw(&shown);
        MUST(shown_has("bottom-up") && !shown_has("so far without callers"), n);
        shown_close();
        free(text);
    }
}
END_TEST

/* A typed filter: no number but the last one, neither of the middle nor of the filter before. */
START_TEST(slices_of_a_typed_filter_are_known_or_counted) {
    char *text = random_text(3000), words[80], n[32], last[80];
    bool counted = false;
    shown_text(text, 100, 30);
    struct paths *p = paths_of_app(&shown);
    p->many = 100;
    finish(p);
    paths_type_filter(p, "n1");
    finish(p);
    snprintf(last, sizeof last, "%s slices ", units_count(p->slices, false, n));
    paths_typed_filter_end(p);
    finish(p);
    paths_type_filter(p, "n1");
    for (bool more = true; more;) {
        paths_typed_words(p, words, sizeof words);
        ck_assert_msg(strncmp(words, "counting ", 9) == 0 || strcmp(words, last) == 0, "%s, %s",
                      words, last);
        counted = counted || words[0] == 'c';
        more = step(p, TASK_OF(50));
    }
    paths_typed_words(p, words, sizeof words);
    ck_assert_str_eq(words, last);
    ck_assert(counted);
    shown_close();
    free(text);
}
END_TEST

/* Switches something, by chance. */
static void switch_one(struct paths *p, const char **filter) {
    static const char *const filters[] = {"", "name=n1", "dur>40ns", "in=n2"};
    switch (below(&chance, 6)) {
    case 0:
        p->bottom_up = !p->bottom_up;
        break;
    case 1:
        p->folded = !p->folded;
        break;
    case 2:
        p->measure = (enum paths_measure)below(&chance, PATHS_SAMPLES);
        break;
    case 3:
        *filter = filters[below(&chance, 4)];
        MUST(paths_set_filter(p, *filter));
        break;
    case 4:
        range_set_time(&shown.range.range, shown.trace, (int64_t)below(&chance, 2000),
                       (int64_t)below(&chance, 2000));
        shown.range.serial++;
        break;
    default:
        p->middle = (uint32_t)below(&chance, 4);
        break;
    }
}

/* Switches of all sorts, with work of any length between them. */
START_TEST(any_order_of_keys_leads_to_the_same_paths) {
    for (int n = 0; n < 60; n++) {
        char *text = random_text(150);
        shown_text(text, 100, 30);
        struct paths *p = paths_of_app(&shown), *fresh;
        const char *filter = "";
        p->many = 30 * (uint64_t)(n % 2) + 10;
        for (int k = 0; k < 12; k++) {
            switch_one(p, &filter);
            for (int m = (int)below(&chance, 8); m > 0; m--)
                step(p, TASK_OF((uint32_t)below(&chance, 200)));
            if (below(&chance, 3) == 0)
                finish(p);
        }
        finish(p);
        fresh = calloc(1, sizeof *fresh);
        fresh->app = &shown;
        fresh->bottom_up = p->bottom_up;
        fresh->folded = p->folded;
        fresh->measure = p->measure;
        fresh->middle = p->middle;
        MUST(paths_set_filter(fresh, filter));
        finish(fresh);
        /* more is known of one */
        for (struct paths *q = p; p->of.running != fresh->of.running; q = fresh) {
            enum paths_measure measure = q->measure;
            q->measure = PATHS_RUNNING;
            finish(q);
            q->measure = measure;
            finish(q);
        }
        MUST(paths_tree(p) != NULL && paths_tree(fresh) != NULL &&
             paths_weight(p) == paths_weight(fresh));
        compare(paths_tree(p), PATH_ROOT, paths_tree(fresh), PATH_ROOT);
        compare_table(&p->by_name, &fresh->by_name);
        if (p->middle != PATH_ALL) {
            compare_table(&p->callers, &fresh->callers);
            compare_table(&p->callees, &fresh->callees);
        }
        paths_free(fresh);
        shown_close();
        free(text);
    }
}
END_TEST

static const char recursive[] =
    "magic\ninit 1000000000\n"
    "complete 0 5/6 \"c\" \"a\" end=1000\ncomplete 100 5/6 \"c\" \"b\" end=900\n"
    "complete 200 5/6 \"c\" \"a\" end=700\ncomplete 300 5/6 \"c\" \"b\" end=400\n";

/* The share of what / marks counts each moment once, though frames that match are inside such. */
START_TEST(marked_time_counts_once) {
    shown_text(recursive, 100, 30);
    shown_keys("3/b<Enter>");
    struct paths *p = paths_of_app(&shown);
    ck_assert(p->marks_known);
    ck_assert_int_eq(p->marked[PATH_WALL].low, 800);
    ck_assert(shown_has("marked: 80.0%"));
    shown_keys("/a<Enter>");
    ck_assert_int_eq(p->marked[PATH_WALL].low, 1000);
    shown_keys("/none<Enter>");
    ck_assert(shown_has("no frame matches"));
    shown_keys("/<Enter>");
    ck_assert_ptr_null(p->pattern);
    shown_close();
}
END_TEST

/* Marks follow each letter of a search, and Esc brings those from before back. */
START_TEST(marks_follow_while_a_search_is_typed) {
    shown_text(recursive, 100, 30);
    shown_keys("3/b<Enter>/a");
    struct paths *p = paths_of_app(&shown);
    ck_assert_int_eq(p->marked[PATH_WALL].low, 1000);
    ck_assert(shown_has("2 frames  100%"));
    shown_keys("[");
    ck_assert(shown_has("0 frames  0.0%"));
    shown_keys("<BS><BS>b<Esc>");
    ck_assert_str_eq(pattern_text(p->pattern), "b");
    ck_assert_int_eq(p->marked[PATH_WALL].low, 800);
    ck_assert(shown_has("marked: 80.0%"));
    shown_keys("4/a");
    ck_assert(shown_has("2 frames  100%"));
    shown_keys("<Enter>");
    ck_assert(p->pattern && !p->typing.pattern_on && p->typing.pattern == NULL);
    ck_assert_int_eq(p->marked[PATH_WALL].low, 1000);
    shown_close();
}
END_TEST

/* Frames follow each letter of a filter; Esc brings back the filter from before, and the tree that
 * it leaves. */
START_TEST(frames_follow_while_a_filter_is_typed) {
    shown_text(recursive, 100, 30);
    shown_keys("3&name=b<Enter>");
    struct paths *p = paths_of_app(&shown);
    ck_assert_uint_eq(p->slices, 3); /* with what is inside */
    shown_keys("&a");
    ck_assert(shown_has("filter: a") && shown_has("flt a ") && shown_has("4 slices"));
    shown_keys(" dur<lt>600ns");
    ck_assert(shown_has("2 slices"));
    ck_assert_uint_eq(p->slices, 2);
    shown_keys(" !dur>"); /* no filter: that before it stays */
    ck_assert_uint_eq(p->slices, 2);
    shown_keys("<Esc>");
    ck_assert_str_eq(filter_text(p->filter), "name=b");
    ck_assert_uint_eq(p->slices, 3);
    shown_keys("&a<Enter>");
    ck_assert_str_eq(filter_text(p->filter), "a");
    ck_assert(!p->typing.filter_on && p->typing.filter == NULL);
    shown_keys("&<Enter>");
    ck_assert_ptr_null(p->filter);
    ck_assert_uint_eq(p->slices, 4);
    shown_close();
}
END_TEST

/* Selection and zoom are paths, not numbers of nodes. */
START_TEST(places_stay_when_the_tree_is_made_again) {
    shown_text(recursive, 100, 30);
    shown_keys("3jj<Enter>j");
    ck_assert(shown_has("a  50.0% of all  500 ns  self 400 ns  1 call"));
    shown.range.serial++;
    shown_keys("");
    ck_assert(shown_has("a  50.0% of all  500 ns  self 400 ns  1 call"));
    struct paths *p = paths_of_app(&shown);
    ck_assert_uint_ne(p->zoom, PATH_ROOT);
    shown_close();
}
END_TEST

SUITE(paths) {
    Suite *s = suite_create("paths");
    TCase *c = tcase_create("paths");
    tcase_add_test(c, names_come_before_their_callers);
    tcase_add_test(c, slices_of_a_typed_filter_are_known_or_counted);
    tcase_add_test(c, any_order_of_keys_leads_to_the_same_paths);
    tcase_add_test(c, the_middle_of_many_slices_comes_first);
    tcase_add_test(c, marked_time_counts_once);
    tcase_add_test(c, marks_follow_while_a_search_is_typed);
    tcase_add_test(c, frames_follow_while_a_filter_is_typed);
    tcase_add_test(c, places_stay_when_the_tree_is_made_again);
    suite_add_tcase(s, c);
    return s;
}
