/* suite_track_scope.c - which tracks a pattern names: those that & would leave. */
#include "model/query/stat/track_scope.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/suites.h"

static const char text[] = "magic\n"
                           "kernel_object 1 3 \"make\"\n"
                           "kernel_object 1 7 \"cc1 18425\"\n"
                           "kernel_object 2 4 \"main\" process=koid:3\n"
                           "kernel_object 2 18426 \"cc1\" process=koid:7\n"
                           "complete 10 3/4 \"\" \"a\" end=20\n"
                           "complete 10 3/5 \"\" \"a\" end=20\n"
                           "complete 10 7/18426 \"\" \"a\" end=20\n"
                           "async_begin 11 3/4 \"\" \"load\" id=1\n"
                           "counter 12 7/18426 \"\" \"heap\" id=3 bytes=u32:9\n"
                           "switch 13 2 4 2 18426\n";

/* The tracks as "t4 t5 async heap.bytes #3 cpu2". */
static const char *found(struct trace *trace, const char *pattern, char out[300]) {
    struct track_set set = {0};
    struct err err;
    out[0] = 0;
    if (!track_scope_find(trace, pattern, &set, &err)) {
        snprintf(out, 300, "%s", err.text);
        return out;
    }
    for (size_t i = 0; i < set.v.n; i++) {
        uint32_t track = set.v.v[i];
        char one[40] = "none";
        if (track < SLICE_ITER_ASYNC)
            snprintf(one, sizeof one, "t%d", (int)trace_thread(trace, track)->id.tid);
        else if (track < SLICE_ITER_COUNTER_TRACK)
            snprintf(one, sizeof one, "async");
        else if (track < SLICE_ITER_STATE_TRACK)
            snprintf(one, sizeof one, "counter");
        else if (track == SLICE_ITER_LOG_TRACK)
            snprintf(one, sizeof one, "log");
        else if (track == SCOPE_PROFILE)
            snprintf(one, sizeof one, "profile");
        else if (track != SCOPE_NONE)
            snprintf(one, sizeof one, "cpu%d",
                     (int)sched_cpu(trace_sched(trace), track - SCOPE_CPU)->number);
        snprintf(out + strlen(out), 300 - strlen(out), "%s%s", i ? " " : "", one);
    }
    track_set_free(&set);
    return out;
}

START_TEST(a_pattern_names_tracks_as_the_gutter_shows_them) {
    static const char not_tracks[] =
        "expected tracks: words, thread, process, pid, tid, cpu; --filter is for events";
    static const struct {
        const char *pattern, *tracks;
    } cases[] = {
        {"main", "t4"},
        {"make", "t4 t5 async"},
        {"3", "t4 t5 async counter"}, /* the counter is heap.bytes #3 */
        {"cc1 18426", "t18426"},
        {"18426", "t18426"},
        {"\"cc1 18425\"", "t18426 counter"},
        {"pid=3", "t4 t5 async"},
        {"tid=5", "t5"},
        {"process=make !main", "t5 async"},
        {"load", "async"},
        {"heap", "counter"},
        {"cpu=2", "cpu2"},
        {"cpu", "cpu2"},
        {"log", "log"},
        {"/^thread 5$/", "t5"},
        {"nothing", "none"},
        {"dur>1ms", not_tracks},
        {"arg=3", not_tracks},
        {"", "expected the name or number of a track"},
    };
    struct trace *trace = loaded_text(text);
    char out[300];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(strcmp(found(trace, cases[i].pattern, out), cases[i].tracks) == 0, "%s: %s",
                      cases[i].pattern, out);
    ck_assert_uint_eq(track_scope_all(trace), 6);
    trace_free(trace);
}
END_TEST

SUITE(track_scope) {
    Suite *s = suite_create("track_scope");
    TCase *c = tcase_create("track_scope");
    tcase_add_test(c, a_pattern_names_tracks_as_the_gutter_shows_them);
    suite_add_tcase(s, c);
    return s;
}
