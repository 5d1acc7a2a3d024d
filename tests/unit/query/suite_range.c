/* suite_range.c - the slices of a range, the time that its threads lived, and the filter of a set
 * (SEMANTICS 6.10). */
#include "model/query/stat/range.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/query/filter/filter_match.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/lib/thrown.h"

static struct chance chance = {55221};

START_TEST(its_slices_overlap_it_and_are_on_its_tracks) {
    for (int n = 0; n < 600; n++) {
        struct trace *trace = n % 200 == 0 ? thrown_far(&chance) : thrown_trace(&chance, 60);
        struct thrown_slices all = thrown_slices(trace);
        struct range range = thrown_range(&chance, trace, &all);
        struct slice_set set = range_slices(&range, SLICE_ITER_SLICES | SLICE_ITER_OPERATIONS);
        struct slice_iter iter;
        struct slice_run run;
        size_t found = 0, wanted = 0;
        slice_iter_init(&iter, trace, &set);
        while (slice_iter_next(&iter, NULL, &run))
            found += run.n;
        for (size_t i = 0; i < all.n; i++)
            wanted += thrown_inside(trace, &range, &all.v[i]);
        MUST(found == wanted, n, (int)found, (int)wanted);
        range_free(&range);
        vec_free(&all);
        trace_free(trace);
    }
}
END_TEST

/* No trace of this kind has scheduling, so no end is known. */
START_TEST(thread_time_is_from_the_first_event_to_the_end) {
    for (int n = 0; n < 300; n++) {
        struct trace *trace = thrown_trace(&chance, 40);
        struct thrown_slices all = thrown_slices(trace);
        struct range range = thrown_range(&chance, trace, &all);
        for (uint32_t k = 0; k < trace_thread_count(trace); k++) {
            const struct thread *thread = trace_thread(trace, k);
            int64_t time = 0, got = range_thread_time(&range, trace, k);
            for (int64_t t = trace_begin(trace); t < trace_end(trace) && thread->events > 0; t++)
                time += t >= thread->first && (!range.timed || (t >= range.from && t < range.to));
            MUST(got == time, n, (int)got, (int)time);
            MUST(range_running(&range, trace, k) == -1, n);
        }
        range_free(&range);
        vec_free(&all);
        trace_free(trace);
    }
}
END_TEST

/* Two sets of tracks without a common one: no more slices in one than in the other and its largest
 * track. */
START_TEST(parts_have_all_tracks_with_slices_and_about_half_of_them_each) {
    unsigned split = 0;
    for (int n = 0; n < 300; n++) {
        struct trace *trace = thrown_trace(&chance, 2 + (unsigned)below(&chance, 90));
        struct thrown_slices all = thrown_slices(trace);
        struct range range = thrown_range(&chance, trace, &all);
        struct track_set parts[2] = {{{0}}};
        unsigned kinds = below(&chance, 2) ? SLICE_ITER_SLICES : SLICE_ITER_OPERATIONS;
        bool two = range_split(&range, trace, kinds, parts);
        size_t in[2] = {0, 0}, most = 0, of_track = 0;
        for (size_t i = 0; i < all.n && two; i++) {
            uint32_t track = all.v[i].track;
            if (all.v[i].kind != kinds || !range_has_track(&range, track))
                continue;
            bool first = track_set_has(&parts[0], track), second = track_set_has(&parts[1], track);
            MUST(first != second, n);
            in[second]++;
            of_track = i > 0 && all.v[i - 1].track == track ? of_track + 1 : 1;
            most = of_track > most ? of_track : most;
        }
        if (two && !range.timed)
            MUST(in[0] > 0 && in[1] > 0 && in[0] <= in[1] + most && in[1] <= in[0] + most, n);
        split += two;
        track_set_free(&parts[0]);
        track_set_free(&parts[1]);
        range_free(&range);
        vec_free(&all);
        trace_free(trace);
    }
    ck_assert_uint_gt(split, 50);
}
END_TEST

START_TEST(a_filter_selects_slices_of_a_set) {
    struct err err;
    for (int n = 0; n < 100; n++) {
        struct trace *trace = thrown_trace(&chance, 60);
        struct thrown_slices all = thrown_slices(trace);
        struct filter *filter = filter_new("dur>20ns", false, &err);
        struct filter_match *match = filter_match_new(trace, filter);
        ck_assert(filter_match_step(match, NULL));
        for (size_t k = 0; k < all.n; k++) {
            const struct thrown_slice *s = &all.v[below(&chance, all.n)];
            int64_t end = slice_open(&s->slice) ? slice_iter_end(trace, s->track, &s->slice)
                                                : slice_end(&s->slice);
            MUST(filter_match_slice(match, s->track, s->row, s->i) == (end - s->slice.start > 20),
                 n);
        }
        filter_match_free(match);
        filter_free(filter);
        vec_free(&all);
        trace_free(trace);
    }
}
END_TEST

/* The number is exact for the whole trace, and within a fifth for half of it, whichever thread has
 * most slices. */
START_TEST(about_how_many_slices_of_many_threads) {
    enum { THREADS = 9000 };
    static char text[THREADS * 100];
    for (int heavy = -1; heavy < THREADS; heavy += 1501) {
        struct range half = {0}, whole = {0};
        unsigned all = 0, inside = 0;
        size_t n = (size_t)snprintf(text, sizeof text, "magic\ninit 1000000000\n");
        for (int i = 0; i < THREADS; i++) {
            n += (size_t)snprintf(text + n, sizeof text - n,
                                  "complete %d %d/%d \"c\" \"a\" end=%d\n", i * 7 % THREADS, i + 1,
                                  i + 1, i * 7 % THREADS + 1);
            all++;
            inside += i * 7 % THREADS < THREADS / 2;
        }
        for (int i = 0; heavy >= 0 && i < 8000; i++, all++, inside += i / 2 < THREADS / 2)
            n += (size_t)snprintf(text + n, sizeof text - n,
                                  "complete %d %d/%d \"c\" \"a\" end=%d\n", i / 2, heavy + 1,
                                  heavy + 1, i / 2 + 1);
        ck_assert_uint_lt(n, sizeof text - 1);
        struct trace *trace = loaded_text(text);
        range_set_time(&half, trace, trace_begin(trace), trace_begin(trace) + THREADS / 2);
        uint64_t got = range_slices_about(&half, trace, SLICE_ITER_SLICES);
        ck_assert_uint_eq(range_slices_about(&whole, trace, SLICE_ITER_SLICES), all);
        MUST(got > inside * 0.8 && got < inside * 1.2, heavy, (int)got, (int)inside);
        trace_free(trace);
    }
}
END_TEST

SUITE(range) {
    Suite *s = suite_create("range");
    TCase *c = tcase_create("range");
    tcase_add_test(c, its_slices_overlap_it_and_are_on_its_tracks);
    tcase_add_test(c, thread_time_is_from_the_first_event_to_the_end);
    tcase_add_test(c, parts_have_all_tracks_with_slices_and_about_half_of_them_each);
    tcase_add_test(c, a_filter_selects_slices_of_a_set);
    tcase_add_test(c, about_how_many_slices_of_many_threads);
    suite_add_tcase(s, c);
    return s;
}
