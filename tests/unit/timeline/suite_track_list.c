/* suite_track_list.c - lines and tracks cover each other, whatever is folded, pinned, filtered or
 * made deeper. */
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "ui/timeline/track_list.h"
#include "ui/timeline/track_ops.h"

#define KINDS "../screens/kinds"

static struct trace *trace;
static struct track_list list;

static void start(const char *fixture) {
    trace = loaded_fixture(fixture);
    track_list_init(&list);
    list.curve = 2;
    track_list_update(&list, trace);
}

static void stop(void) {
    track_list_free(&list);
    trace_free(trace);
}

/* The lines of the tracks follow each other without gaps, pinned ones first, and each leads back to
 * its track. */
static void lines_are_covered(int set) {
    uint64_t line = 0, pinned = 0;
    for (size_t i = 0; i < list.tracks.n; i++) {
        const struct track *t = &list.tracks.v[i];
        MUST(t->top == line, set);
        MUST(t->height > 0, set);
        MUST(!t->pinned || pinned == line, set);
        for (; line < t->top + t->height; line++)
            MUST(track_list_at(&list, line) == t, set);
        if (t->pinned)
            pinned = line;
    }
    MUST(list.lines == line, set);
    MUST(list.pinned == pinned, set);
    MUST(track_list_at(&list, line) == NULL, set);
}

/* Answers that are known from earlier lists lead to the same list as new ones. */
static void known_answers_hold(int set) {
    struct track_list with = list;
    struct track *before = err_malloc((list.tracks.n + 1) * sizeof *before);
    for (size_t i = 0; i < with.tracks.n; i++)
        before[i] = with.tracks.v[i];
    track_known_free(&list.known);
    list.known = (struct track_known){0};
    track_list_update(&list, trace);
    MUST(list.tracks.n == with.tracks.n && list.lines == with.lines, set);
    for (size_t i = 0; i < list.tracks.n; i++) {
        const struct track *a = &before[i], *b = &list.tracks.v[i];
        MUST(a->kind == b->kind && a->process == b->process && a->of == b->of && a->top == b->top,
             set);
    }
    free(before);
}

START_TEST(every_line_is_of_one_track) {
    struct chance chance = {7};
    start(_i == 0 ? KINDS : "../screens/deep");
    for (int step = 0; step < 300; step++) {
        const struct track *t = &list.tracks.v[below(&chance, list.tracks.n)];
        switch (below(&chance, 6)) {
        case 0:
            track_list_fold(&list, t->process, below(&chance, 2));
            break;
        case 1:
            if (t->kind->count)
                track_list_pin(&list, t->kind, t->of);
            break;
        case 2:
            list.order = (enum track_order)below(&chance, ORDERS);
            break;
        case 3:
            list.set = (enum track_list_set)below(&chance, LIST_SCHED + 1);
            break;
        case 4:
            track_list_set_depth_of_all(&list, (uint32_t)below(&chance, 4));
            break;
        default:
            if (t->kind->rows || t->kind->stretch)
                track_list_set_depth(&list, t->kind, t->of, (uint32_t)below(&chance, 5));
            break;
        }
        track_list_update(&list, trace);
        if (list.tracks.n == 0) {
            list.set = LIST_ALL;
            track_list_update(&list, trace);
        }
        lines_are_covered(step);
        if (step % 4 == 0)
            known_answers_hold(step);
    }
    stop();
}
END_TEST

START_TEST(what_is_folded_and_unfolded_is_as_it_was) {
    start(KINDS);
    uint64_t lines = list.lines, header, folded;
    size_t tracks = list.tracks.n;
    ck_assert(track_list_find_header(&list, 0, &header));
    track_list_fold(&list, 0, true);
    track_list_update(&list, trace);
    ck_assert(track_list_folded(&list, 0));
    ck_assert(track_list_find_header(&list, 0, &folded));
    ck_assert_uint_eq(folded, header);
    ck_assert_uint_lt(list.lines, lines);
    for (size_t i = 0; i < list.tracks.n; i++)
        ck_assert(list.tracks.v[i].process != 0 || list.tracks.v[i].kind->header);
    track_list_fold(&list, 0, false);
    track_list_update(&list, trace);
    ck_assert_uint_eq(list.lines, lines);
    ck_assert_uint_eq(list.tracks.n, tracks);
    stop();
}
END_TEST

START_TEST(a_depth_hides_rows_and_counts_them) {
    start("../screens/deep");
    const struct track *t = list.tracks.v;
    while (!t->kind->rows || t->height + t->deeper < 4)
        t++;
    uint32_t of = t->of, all = t->height + t->deeper - t->strip;
    const struct track_ops *kind = t->kind;
    uint64_t line, last;
    for (uint32_t depth = 1; depth <= all; depth++) {
        track_list_set_depth(&list, kind, of, depth);
        track_list_update(&list, trace);
        ck_assert(track_list_find(&list, kind, of, 0, &line));
        t = track_list_at(&list, line);
        ck_assert_uint_eq(t->height - t->strip, depth);
        ck_assert_uint_eq(t->deeper, all - depth);
        /* a row that is not shown: the last one that is */
        ck_assert(track_list_find(&list, kind, of, 1000, &last));
        ck_assert_uint_eq(last, t->top + t->height - 1);
    }
    track_list_set_depth(&list, kind, of, UINT32_MAX);
    track_list_update(&list, trace);
    ck_assert(track_list_find(&list, kind, of, 0, &line));
    ck_assert_uint_eq(track_list_at(&list, line)->deeper, 0);
    stop();
}
END_TEST

START_TEST(a_track_is_found_again_after_an_update) {
    start(KINDS);
    for (size_t i = 0; i < list.tracks.n; i++) {
        struct track before = list.tracks.v[i];
        uint64_t line;
        if (!before.kind->thread)
            continue;
        list.order = ORDER_BY_NAME;
        track_list_pin(&list, before.kind, before.of);
        track_list_update(&list, trace);
        ck_assert(track_list_again(&list, &before, 0, &line));
        ck_assert_ptr_eq(track_list_at(&list, line)->kind, before.kind);
        ck_assert_uint_eq(track_list_at(&list, line)->of, before.of);
        ck_assert(track_list_at(&list, line)->pinned);
        track_list_pin(&list, before.kind, before.of);
        list.order = ORDER_BY_FILE;
        track_list_update(&list, trace);
    }
    stop();
}
END_TEST

static bool has_a(void *ctx, struct trace *of, const struct track *track) {
    char buf[96];
    struct str name = track_list_name(of, track, buf);
    (void)ctx;
    return memchr(name.s, 'a', name.n) != NULL;
}

START_TEST(a_filter_leaves_what_matches) {
    start(KINDS);
    size_t n = 0, all = list.tracks.n;
    list.match = has_a;
    list.others = LIST_HIDDEN;
    track_list_update(&list, trace);
    ck_assert_uint_lt(list.tracks.n, all);
    for (size_t i = 0; i < list.tracks.n; i++) {
        const struct track *t = &list.tracks.v[i];
        if (!t->kind->thread)
            continue;
        ck_assert(track_list_matches(&list, trace, t));
        ck_assert(has_a(NULL, trace, t));
        n++;
    }
    /* main, its samples, raster and a thread without a name; 0 is no thread (SEMANTICS 10.6) */
    ck_assert_uint_eq(n, 4);
    list.others = LIST_DIMMED;
    track_list_update(&list, trace);
    ck_assert_uint_eq(list.tracks.n, all);
    stop();
}
END_TEST

START_TEST(names_sort_by_their_bytes) {
    char before[96] = "";
    size_t n = 0;
    start(KINDS);
    list.order = ORDER_BY_NAME;
    track_list_update(&list, trace);
    for (size_t i = 0; i < list.tracks.n; i++) {
        char buf[96], name[96] = "";
        if (!list.tracks.v[i].kind->thread)
            continue;
        struct str s = track_list_name(trace, &list.tracks.v[i], buf);
        ck_assert_uint_lt(s.n, sizeof name);
        memcpy(name, s.s, s.n);
        ck_assert_str_lt(before, name);
        memcpy(before, name, sizeof before);
        n++;
    }
    ck_assert_uint_eq(n, 6);
    stop();
}
END_TEST

/* Two processes of one thread each, the second one busier. One of two threads, of which one is
 * quiet. One with a strip and a counter, as has one that was recorded. One idles. */
static const char interest[] =
    "magic\ninit 1000000000\n"
    "kernel_object 1 10 \"light\"\nkernel_object 1 20 \"heavy\"\nkernel_object 1 30 \"pair\"\n"
    "kernel_object 1 40 \"monitor\"\nkernel_object 1 50 \"command\"\nkernel_object 1 60 \"idle\"\n"
    "kernel_object 2 41 \"m\" process=koid:40\nkernel_object 2 51 \"c\" process=koid:50\n"
    "kernel_object 2 61 \"idle\" process=koid:60\n"
    "complete 0 10/11 \"c\" \"a\" end=100\ncomplete 0 20/21 \"c\" \"a\" end=900\n"
    "complete 0 30/31 \"c\" \"a\" end=500\ninstant 7 30/32 \"c\" \"i\"\n"
    "switch 0 0 0 3 41 outgoing_weight=i32:-2147483648\nswitch 60 0 41 3 51\nswitch 110 0 51 3 "
    "41\nswitch 115 0 41 3 51\n"
    "switch 120 0 51 3 61\nswitch 900 0 61 3 41\nswitch 901 0 41 3 0 "
    "incoming_weight=i32:-2147483648\n"
    "counter 5 40/41 \"c\" \"rss\" id=1 v=u32:1\ncounter 5 50/51 \"c\" \"rss\" id=1 v=u32:1\n"
    "instant 60 50/51 \"process\" \"exec\" name=\"command\"\n";

static const struct {
    const struct track_ops *kind;
    uint64_t pid; /* 0: the quiet processes */
    bool alone;
} interesting[] = {{&track_cpus, 0, false},     {&track_thread, 20, true},
                   {&track_process, 30, false}, {&track_thread, 30, false},
                   {&track_ended, 30, false},   {&track_thread, 10, true},
                   {&track_thread, 40, true},   {&track_counter, 40, false},
                   {&track_thread, 50, true},   {&track_ended, 60, false}};

/* Whether what is of interest comes first, each process is where it should be, and only the counter
 * of the recorded one is hidden. */
START_TEST(the_list_is_in_the_order_of_interest) {
    trace = loaded_text(interest);
    track_list_init(&list);
    const struct track_gone_window whole = {trace_begin(trace), trace_end(trace) + 1, 1, 1000};
    track_list_update(&list, trace);
    track_list_decide(&list, trace, &whole, NULL);
    track_list_update(&list, trace);
    size_t n = sizeof interesting / sizeof *interesting;
    ck_assert_uint_eq(list.tracks.n, n);
    for (size_t i = 0; i < n; i++) {
        const struct track *t = &list.tracks.v[i];
        ck_assert_msg(t->kind == interesting[i].kind && t->alone == interesting[i].alone, "row %zu",
                      i);
        if (interesting[i].pid)
            ck_assert_uint_eq(trace_process(trace, t->process)->pid, interesting[i].pid);
    }
    ck_assert_uint_eq(list.gone.v[0].of[PRESENCE_FEW], 1);
    ck_assert(list.gone.v[1].processes && list.gone.v[1].of[PRESENCE_IDLE] == 1);
    track_list_show_more(&list, list.tracks.v[8].process, true);
    track_list_update(&list, trace);
    ck_assert_ptr_eq(list.tracks.v[9].kind, &track_counter);
    stop();
}
END_TEST

SUITE(track_list) {
    Suite *s = suite_create("track_list");
    TCase *t = tcase_create("list");
    tcase_add_loop_test(t, every_line_is_of_one_track, 0, 2);
    tcase_add_test(t, what_is_folded_and_unfolded_is_as_it_was);
    tcase_add_test(t, a_depth_hides_rows_and_counts_them);
    tcase_add_test(t, a_track_is_found_again_after_an_update);
    tcase_add_test(t, a_filter_leaves_what_matches);
    tcase_add_test(t, names_sort_by_their_bytes);
    tcase_add_test(t, the_list_is_in_the_order_of_interest);
    suite_add_tcase(s, t);
    return s;
}
