/* suite_search.c - which names match, and hits in order against a list of all events. */
#include "model/query/search.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

static struct chance chance = {2463534242u};

static struct trace *open_text(const char *text, bool load) {
    struct err err;
    struct trace_bytes bytes = tracegen(text, &err);
    char path[SCRATCH_PATH];
    ck_assert_msg(bytes.v != NULL, "%s", err.text);
    ck_assert(scratch_write(path, "search", bytes.v, bytes.n));
    free(bytes.v);
    struct trace *trace = trace_open(path, &(struct trace_options){0}, &err);
    ck_assert_msg(trace != NULL, "%s", err.text);
    unlink(path);
    if (load)
        trace_load(trace);
    return trace;
}

/* ---- names ---- */

static bool name_matches(struct search *search, struct trace *trace, const char *name, size_t n) {
    uint64_t total;
    search_count(search, NULL, &total);
    return search_draws(search, 0, 0, 0, names_intern(reader_names(trace_reader(trace)), name, n));
}

START_TEST(a_pattern_matches_the_names_it_should) {
    static const struct {
        const char *pattern, *name;
        size_t n;
        bool exact, match;
    } cases[] = {
        {"load", "LoadTexture", 11, false, true}, /* lower case finds both */
        {"Load", "LoadTexture", 11, false, true},
        {"Load", "loadTexture", 11, false, false}, /* upper case itself */
        {"texture", "LoadTexture", 11, false, true},
        {"texturex", "LoadTexture", 11, false, false},
        {"a.c", "abc", 3, false, false}, /* a literal is one */
        {"a.c", "xa.cx", 5, false, true},
        {"[", "a[0]", 4, false, true},
        {"aab", "aaab", 4, false, true},
        {"x", "", 0, false, false},
        {"b", "a\0b", 3, false, true},
        {"\xc3\xa4", "B\xc3\xa4r", 4, false, true},
        {"/a.c/", "xABCx", 5, false, true},
        {"/a.c", "abc", 3, false, true}, /* the closing slash may be missing */
        {"/^a.c$/", "xabc", 4, false, false},
        {"/^(ab|cd)+$/", "abcdab", 6, false, true},
        {"/Ab/", "ab", 2, false, false},
        {"/^$/", "", 0, false, true},
        {"/b$/", "a\0b", 3, false, true},
        {"/a$/", "a\0b", 3, false, false}, /* a NUL does not end a name */
        {"/b/",
         "\xff\xfe"
         "b\xc3",
         4, false, true},
        {"/a\\/", "xa/x", 4, false, true}, /* no closing slash */
        {"/a\\\\/", "xa\\x", 4, false, true},
        {"a/", "xa/x", 4, false, true},
        {"load", "load", 4, true, true},
        {"load", "Load", 4, true, false},
        {"load", "loads", 5, true, false},
        {"/a.c/", "abc", 3, true, false},
        {"/a.c/", "/a.c/", 5, true, true},
    };
    struct trace *trace = open_text("magic\n", true);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err;
        struct search *search = search_new(trace, cases[i].pattern, cases[i].exact, &err);
        ck_assert_msg(search != NULL, "%s: %s", cases[i].pattern, err.text);
        ck_assert_msg(name_matches(search, trace, cases[i].name, cases[i].n) == cases[i].match,
                      "%s, %s", cases[i].pattern, cases[i].name);
        ck_assert_str_eq(search_pattern(search), cases[i].pattern);
        search_free(search);
    }
    trace_free(trace);
}
END_TEST

START_TEST(bad_patterns_fail_in_one_line) {
    static const char *const bad[] = {"", "/", "//", "/(/", "/[/", "/a{2,1}/"};
    struct trace *trace = open_text("magic\n", true);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct err err = {.text = ""};
        ck_assert_ptr_null(search_new(trace, bad[i], false, &err));
        ck_assert(*err.text != '\0' && strchr(err.text, '\n') == NULL);
    }
    trace_free(trace);
}
END_TEST

START_TEST(new_names_are_matched_when_they_come) {
    struct trace *trace = open_text("magic\n", true);
    struct err err;
    struct search *search = search_new(trace, "new", false, &err);
    for (int i = 0; i < 1000; i++) {
        char name[32];
        int n = snprintf(name, sizeof name, i % 3 ? "old %d" : "new %d", i);
        ck_assert(name_matches(search, trace, name, (size_t)n) == (i % 3 == 0));
    }
    search_free(search);
    trace_free(trace);
}
END_TEST

/* ---- hits ---- */

static const char *const name_texts[] = {"alpha", "Beta",  "beta two",
                                         "gamma", "delta", "rare beta"};

static struct trace *random_trace(int events, int threads, int64_t step, bool load) {
    size_t size = (size_t)events * 80 + 100, n = 0;
    char *text = malloc(size);
    int64_t now = 1000;
    n += (size_t)snprintf(text + n, size - n, "magic\n");
    for (int i = 0; i < events; i++) {
        int thread = 1 + (int)below(&chance, (uint64_t)threads);
        const char *name = name_texts[below(&chance, 200) ? below(&chance, 5) : 5];
        now += (int64_t)below(&chance, (uint64_t)step);
        switch (below(&chance, 6)) {
        case 0:
            n += (size_t)snprintf(text + n, size - n,
                                  "instant %" PRId64 " 7/%d \"c\" \"%s\" scope=0\n", now, thread,
                                  name);
            break;
        case 1:
            n += (size_t)snprintf(text + n, size - n, "begin %" PRId64 " 7/%d \"c\" \"%s\"\n", now,
                                  thread, name);
            break;
        case 2:
            n += (size_t)snprintf(text + n, size - n, "end %" PRId64 " 7/%d \"c\" \"%s\"\n", now,
                                  thread, name);
            break;
        case 3: /* late ones, too */
            n += (size_t)snprintf(text + n, size - n,
                                  "instant %" PRId64 " 7/%d \"c\" \"%s\" scope=0\n",
                                  now - (int64_t)below(&chance, 50), thread, name);
            break;
        case 4: /* operations that cross, and instants with none open */
            n += (size_t)snprintf(text + n, size - n,
                                  "async_%s %" PRId64 " 7/%d \"c\" \"%s\" id=%d\n",
                                  (const char *[]){"begin", "instant", "end"}[below(&chance, 3)],
                                  now, thread, name, (int)below(&chance, 3));
            break;
        default:
            n += (size_t)snprintf(text + n, size - n,
                                  "complete %" PRId64 " 7/%d \"c\" \"%s\" end=%" PRId64 "\n", now,
                                  thread, name, now + (int64_t)below(&chance, 30));
            break;
        }
    }
    struct trace *trace = open_text(text, load);
    free(text);
    return trace;
}

#define MOST 20000

static struct hit hits[MOST];
static size_t n_hits;

static int compare_hits(const struct hit *x, const struct hit *y) {
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return x->i < y->i ? -1 : x->i > y->i;
}

static int hit_order(const void *a, const void *b) {
    return compare_hits(a, b);
}

static void add_hit(struct trace *trace, const char *pattern, uint32_t id, struct hit hit) {
    struct str name = trace_name(trace, id);
    char z[64];
    snprintf(z, sizeof z, "%.*s", (int)name.n, name.s);
    if (str_has(z, pattern))
        hits[n_hits++] = hit;
}

/* All hits of a lower-case literal, by looking at every event. */
static void list_hits(struct trace *trace, const char *pattern) {
    n_hits = 0;
    for (uint32_t t = 0; t < trace_thread_count(trace); t++) {
        struct thread *thread = trace_thread(trace, t);
        for (uint32_t row = 0; row < thread->nest.nlanes; row++)
            for (uint32_t i = 0; i < thread->nest.lanes[row].n; i++) {
                const struct slice *s = lane_at(&thread->nest.lanes[row], i);
                add_hit(trace, pattern, slice_name(s), (struct hit){t, row, i, s->start});
            }
        size_t n;
        const struct instant *v = trace_instants(thread, &n);
        for (size_t i = 0; i < n; i++)
            add_hit(trace, pattern, (uint32_t)(v[i].packed >> 37),
                    (struct hit){t, SEARCH_INSTANT, (uint32_t)i, v[i].time});
    }
    for (uint32_t k = 0; k < async_group_count(trace_async(trace)); k++) {
        const struct async_group *g = async_group(trace_async(trace), k);
        for (uint32_t row = 0; row < g->nlanes; row++)
            for (uint32_t i = 0; i < g->lanes[row].n; i++)
                add_hit(trace, pattern, slice_name(lane_at(&g->lanes[row], i)),
                        (struct hit){SEARCH_ASYNC + k, row, i, lane_start(&g->lanes[row], i)});
        for (uint32_t i = 0; i < g->instants.n; i++)
            add_hit(trace, pattern, g->instants.v[i].name,
                    (struct hit){SEARCH_ASYNC + k, SEARCH_INSTANT, i, g->instants.v[i].at.time});
    }
    qsort(hits, n_hits, sizeof *hits, hit_order);
}

static struct hit some_place(struct trace *trace) {
    if (below(&chance, 3) && n_hits > 0) {
        struct hit at = hits[below(&chance, n_hits)];
        at.i += (uint32_t)below(&chance, 3) == 0;
        at.thread += (uint32_t)below(&chance, 4) == 0;
        at.time += (int64_t)below(&chance, 3) - 1;
        return at;
    }
    int64_t lo = trace_origin(trace), hi = trace_end(trace);
    return (struct hit){(uint32_t)below(&chance, 6),
                        below(&chance, 3) ? (uint32_t)below(&chance, 4) : SEARCH_INSTANT,
                        (uint32_t)below(&chance, 100),
                        lo - 5 + (int64_t)below(&chance, (uint64_t)(hi - lo) + 10)};
}

/* search_next() without wrapping, in steps that may end anywhere. */
static bool in_steps(struct search *search, struct hit at, bool forward, struct hit *got) {
    enum search_state state;
    bool wrapped;
    search_begin(search, at, forward, false);
    while ((state = search_step(search, TASK_OF(1 + (uint32_t)below(&chance, 60)), got,
                                &wrapped)) == SEARCH_GOES_ON)
        MUST(search_percent(search) < 100);
    MUST(state == SEARCH_NONE || !wrapped);
    return state == SEARCH_FOUND;
}

static void next_from(struct search *search, struct hit at, bool forward) {
    size_t i = 0; /* hits before it, or up to it */
    while (i < n_hits && compare_hits(&hits[i], &at) < (forward ? 1 : 0))
        i++;
    struct hit got = {0};
    bool wrapped, inside = forward ? i < n_hits : i > 0;
    if (below(&chance, 16) == 0) /* each takes a thread */
        MUST(in_steps(search, at, forward, &got) == inside);
    else
        MUST(search_next(search, at, forward, &got, NULL) == inside);
    if (inside)
        MUST(compare_hits(&got, &hits[forward ? i : i - 1]) == 0);
    MUST(search_next(search, at, forward, &got, &wrapped) == (n_hits > 0));
    MUST(wrapped == (!inside && n_hits > 0));
    if (wrapped)
        MUST(compare_hits(&got, &hits[forward ? 0 : n_hits - 1]) == 0);
}

static void from_time(struct search *search, int64_t t) {
    struct hit at = {.thread = UINT32_MAX, .time = t}, got;
    size_t i = 0, k = n_hits;
    while (i < n_hits && hits[i].time < t)
        i++;
    while (k > 0 && hits[k - 1].time > t)
        k--;
    MUST(search_next(search, at, true, &got, NULL) == (i < n_hits));
    MUST(i == n_hits || compare_hits(&got, &hits[i]) == 0);
    MUST(search_next(search, at, false, &got, NULL) == (k > 0));
    MUST(k == 0 || compare_hits(&got, &hits[k - 1]) == 0);
}

/* all: every hit was counted; else some of them. */
static void columns(struct search *search, struct trace *trace, bool all) {
    enum { MOST_COLUMNS = 90 };
    int64_t edges[MOST_COLUMNS + 1];
    bool news = false;
    int n = 1 + (int)below(&chance, MOST_COLUMNS);
    int64_t span = trace_end(trace) - trace_origin(trace);
    edges[0] = trace_origin(trace) - 3 + (int64_t)below(&chance, (uint64_t)span + 3);
    uint64_t width = 1 + below(&chance, (uint64_t)span * 2 / (uint64_t)n + 1);
    for (int c = 0; c < n; c++)
        edges[c + 1] = edges[c] + 1 + (int64_t)below(&chance, width);
    while (
        !search_columns_step(search, edges, n, TASK_OF(1 + (uint32_t)below(&chance, 100)), &news))
        ;
    const unsigned char *flags = search_columns(search, n);
    MUST(flags != NULL);
    for (int c = 0; c < n; c++) {
        bool want = false;
        for (size_t i = 0; i < n_hits; i++)
            want |= edges[c] <= hits[i].time && hits[i].time < edges[c + 1];
        MUST(!all || flags[c] == want); /* else they may be those of the columns completed last */
    }
}

static uint64_t rank_of(struct search *search, const struct hit *hit) {
    while (!search_rank_step(search, hit, TASK_OF(1 + (uint32_t)below(&chance, 50))))
        ;
    return search_rank(search, hit);
}

static uint64_t listed_rank(const struct hit *hit) {
    for (size_t i = 0; i < n_hits; i++)
        if (hits[i].thread == hit->thread && hits[i].row == hit->row && hits[i].i == hit->i)
            return i + 1;
    return 0;
}

/* From a hit of known rank, the next one has its rank without another step. */
static void ranks_follow_the_hits(struct search *search) {
    bool wrapped;
    if (n_hits == 0)
        return;
    size_t i = below(&chance, n_hits);
    struct hit at = hits[i], got;
    MUST(rank_of(search, &at) == i + 1);
    for (int k = 0; k < 5; k++, at = got) {
        MUST(search_next(search, at, below(&chance, 2), &got, &wrapped));
        MUST(search_rank(search, &got) == listed_rank(&got));
    }
}

static int number_order(const void *a, const void *b) {
    const struct hit *x = a, *y = b;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return x->i < y->i ? -1 : x->i > y->i;
}

/* Hits by their number, one after the other and with jumps, are those of the list track by track.
 * Goes on from the number of the call before, so that a place of other counts is asked for its next
 * hit. */
static void hits_by_number(struct search *search) {
    static struct hit listed[MOST];
    static size_t k;
    struct slice_series s;
    struct hit got;
    memcpy(listed, hits, n_hits * sizeof *hits);
    qsort(listed, n_hits, sizeof *listed, number_order);
    for (size_t n = 0; n < n_hits * 2; n++, k++) {
        k = k >= n_hits || below(&chance, 20) == 0 ? below(&chance, n_hits) : k;
        MUST(search_at(search, k, &got, &s));
        MUST(compare_hits(&got, &listed[k]) == 0);
        MUST(s.track == got.thread && s.row == got.row && got.i < s.n);
    }
    MUST(!search_at(search, n_hits, &got, &s));
}

static void all_questions(struct trace *trace, const char *pattern, int times) {
    struct err err;
    struct search *search = search_new(trace, pattern, false, &err);
    uint64_t total;
    list_hits(trace, pattern);
    for (int k = 0; k < times; k++) {
        next_from(search, some_place(trace), k % 2);
        from_time(search, some_place(trace).time);
    }
    if (n_hits > 1) {
        bool done = search_count(search, TASK_OF(1), &total);
        MUST(done || search_rank(search, &hits[0]) == 0);
    }
    while (!search_count(search, TASK_OF(1 + (uint32_t)below(&chance, 100)), &total))
        columns(search, trace, false);
    MUST(total == n_hits);
    hits_by_number(search);
    for (int k = 0; k < times && n_hits > 0; k++) {
        size_t i = below(&chance, n_hits);
        MUST(rank_of(search, &hits[i]) == i + 1);
        struct hit none = hits[i];
        none.i++;
        if (listed_rank(&none) == 0)
            MUST(rank_of(search, &none) == 0);
    }
    ranks_follow_the_hits(search);
    for (int k = 0; k < times / 2; k++)
        columns(search, trace, true);
    for (int k = 0; k < times; k++) { /* the same answers, now from the counts */
        next_from(search, some_place(trace), k % 2);
        from_time(search, some_place(trace).time);
    }
    search_free(search);
}

START_TEST(hits_are_those_of_a_full_list) {
    static const char *const patterns[] = {"beta", "rare", "a", "gamma", "none"};
    for (int n = 0; n < 2000; n++) {
        bool large = n % 130 == 0;
        int events = 1 + (int)below(&chance, large ? 9000 : 60),
            threads = 1 + (int)below(&chance, 5);
        struct trace *trace = random_trace(events, threads, 1 + (int64_t)below(&chance, 20), true);
        for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
            all_questions(trace, patterns[i], large || n % 40 == 0 ? 40 : 4);
        trace_free(trace);
    }
}
END_TEST

START_TEST(walking_visits_each_hit_once) {
    struct trace *trace = random_trace(3000, 3, 3, true);
    struct err err;
    struct search *search = search_new(trace, "beta", false, &err);
    struct hit at = {.thread = UINT32_MAX, .time = INT64_MIN};
    size_t n = 0;
    list_hits(trace, "beta");
    for (; search_next(search, at, true, &at, NULL); n++)
        MUST(compare_hits(&at, &hits[n]) == 0);
    MUST(n == n_hits);
    at = (struct hit){.thread = UINT32_MAX, .time = INT64_MAX};
    for (; search_next(search, at, false, &at, NULL); n--)
        MUST(compare_hits(&at, &hits[n - 1]) == 0);
    MUST(n == 0);
    search_free(search);
    trace_free(trace);
}
END_TEST

START_TEST(counts_begin_again_when_more_was_loaded) {
    struct trace *trace = random_trace(9000, 3, 3, false);
    struct err err;
    struct search *search = search_new(trace, "beta", false, &err);
    uint64_t total = 0;
    while (trace_state(trace) != TRACE_COMPLETE) {
        trace_step(trace, 40000);
        while (!search_count(search, TASK_OF(10000), &total))
            ;
        list_hits(trace, "beta");
        ck_assert_uint_eq(total, n_hits);
        hits_by_number(search);
        if (n_hits > 0)
            ck_assert_uint_eq(rank_of(search, &hits[n_hits - 1]), n_hits);
    }
    ck_assert_uint_gt(total, 100);
    search_free(search);
    trace_free(trace);
}
END_TEST

START_TEST(a_trace_without_slices_has_no_hits) {
    static const char *const texts[] = {"magic\n", "magic\nthread 1 5 6\n"};
    for (size_t i = 0; i < 2; i++) {
        struct trace *trace = open_text(texts[i], true);
        struct err err;
        struct search *search = search_new(trace, "a", false, &err);
        struct hit hit, at = {.thread = UINT32_MAX};
        bool wrapped, news;
        uint64_t total;
        int64_t edges[] = {0, 10, 20};
        ck_assert(!search_next(search, at, true, &hit, &wrapped));
        ck_assert(!wrapped);
        ck_assert(!search_next(search, at, false, &hit, NULL));
        ck_assert(search_count(search, TASK_OF(1), &total));
        ck_assert_uint_eq(total, 0);
        ck_assert(search_columns_step(search, edges, 2, TASK_OF(0), &news));
        ck_assert(search_columns(search, 2)[0] == 0 && search_columns(search, 2)[1] == 0);
        search_free(search);
        trace_free(trace);
    }
    search_free(NULL);
}
END_TEST

SUITE(search) {
    Suite *s = suite_create("search");
    TCase *t = tcase_create("names");
    tcase_add_test(t, a_pattern_matches_the_names_it_should);
    tcase_add_test(t, bad_patterns_fail_in_one_line);
    tcase_add_test(t, new_names_are_matched_when_they_come);
    suite_add_tcase(s, t);
    t = tcase_create("hits");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, hits_are_those_of_a_full_list);
    tcase_add_test(t, walking_visits_each_hit_once);
    tcase_add_test(t, counts_begin_again_when_more_was_loaded);
    tcase_add_test(t, a_trace_without_slices_has_no_hits);
    suite_add_tcase(s, t);
    return s;
}
