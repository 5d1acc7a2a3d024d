/* suite_ranges.c - the range as keys make it: its time, of which tracks it is, and its text. */
#include "ui/timeline/range/ranges.h"

#include <stdlib.h>
#include <string.h>

#include "model/query/stat/track_scope.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/drawer/tab_name.h"

#define KINDS "../screens/kinds"

static const struct range *range_now(void) {
    return session_range(&shown);
}

static const char *text(void) {
    static char buf[128];
    return ranges_text(&shown, buf);
}

START_TEST(motions_extend_it_and_enter_keeps_it) {
    shown_fixture(KINDS, 120, 40);
    shown_keys("wwLLLLL");
    int64_t anchor = shown.timeline.cursor;
    shown_keys("vLLL");
    ck_assert(range_now()->timed && range_now()->from == anchor &&
              range_now()->to == shown.timeline.cursor);
    shown_keys("HHHHHH");
    ck_assert(range_now()->to == anchor && range_now()->from == shown.timeline.cursor);
    int64_t from = range_now()->from;
    shown_keys("<Enter>LLLLLLLL");
    ck_assert(range_now()->from == from && range_now()->to == anchor);
    shown_keys("vLL<Esc>");
    ck_assert(!range_any(range_now()) && text()[0] == 0);
    shown_keys("vLLvL");
    ck_assert(range_now()->to < shown.timeline.cursor);
    shown_keys("vv"); /* of no length */
    ck_assert(!range_any(range_now()) && shown_has("empty range"));
    shown_close();
}
END_TEST

START_TEST(an_event_that_a_motion_selects_is_in_it) {
    shown_fixture(KINDS, 120, 40);
    shown_select("Frame 212", 0);
    shown_keys("<Esc>vl");
    int64_t from, to;
    ck_assert(selection_stretch(shown.trace, &shown.timeline.selection, &from, &to) && from < to);
    ck_assert_int_ge(range_now()->to, to);
    ck_assert_int_le(range_now()->from, from);
    int64_t end = range_now()->to;
    shown_keys("L"); /* the cursor alone again */
    ck_assert_int_lt(range_now()->to, end);
    shown_close();
}
END_TEST

START_TEST(r_is_the_selected_event_on_its_track) {
    int64_t from, to;
    shown_fixture(KINDS, 120, 40);
    shown_select("Frame 213", 0);
    uint32_t thread = shown.timeline.selection.of;
    shown_keys("r");
    ck_assert(selection_stretch(shown.trace, &shown.timeline.selection, &from, &to));
    ck_assert(range_now()->from == from && range_now()->to == to);
    ck_assert(range_now()->tracks.v.n == 1 && range_has_track(range_now(), thread));
    ck_assert(strstr(text(), "  1 of "));
    shown_keys("%");
    ck_assert(range_now()->tracks.v.n == 0 &&
              range_now()->to == session_end(shown.trace, &shown.timeline, &shown.reload));
    shown_close();
}
END_TEST

START_TEST(space_tags_tracks_and_processes) {
    shown_fixture(KINDS, 120, 40);
    shown_select("Frame 213", 0);
    uint32_t thread = shown.timeline.selection.of,
             process = trace_thread(shown.trace, thread)->process, serial;
    shown_keys("<Space>");
    ck_assert(range_any(range_now()) && !range_now()->timed && range_now()->tracks.v.n == 1);
    serial = shown.range.serial;
    shown_keys("<Space>");
    ck_assert(!range_any(range_now()) && shown.range.serial != serial);
    shown_keys("{<Space>"); /* the header */
    ck_assert(track_set_has(&range_now()->tracks, thread));
    for (size_t k = 0; k < trace_thread_count(shown.trace); k++) {
        const struct thread *t = trace_thread(shown.trace, k);
        bool member = t->process == process && !trace_thread_hidden(shown.trace, t);
        ck_assert_int_eq(track_set_has(&range_now()->tracks, t->number), member);
    }
    shown_keys("vLLL<Enter>");
    ck_assert(range_now()->timed && track_set_has(&range_now()->tracks, thread));
    shown_keys("<Esc><Esc><Esc>");
    ck_assert(!range_any(range_now()));
    shown_close();
}
END_TEST

START_TEST(without_tags_it_is_of_the_tracks_that_a_filter_shows) {
    shown_fixture(KINDS, 120, 40);
    shown_keys("%");
    ck_assert_uint_eq(range_now()->tracks.v.n, 0);
    shown_keys("&main<Enter>");
    ck_assert_uint_gt(range_now()->tracks.v.n, 0);
    for (size_t i = 0; i < shown.timeline.tracks.tracks.n; i++) {
        uint32_t thread = track_list_thread(&shown.timeline.tracks.tracks.v[i]);
        ck_assert(thread == NO_THREAD || track_set_has(&range_now()->tracks, thread));
    }
    shown_keys("&no such track<Enter>");
    ck_assert(track_set_has(&range_now()->tracks, SCOPE_NONE) &&
              strstr(text(), "  0 slices  0 of "));
    shown_keys("x"); /* nothing is hidden any more */
    ck_assert_uint_eq(range_now()->tracks.v.n, 0);
    shown_close();
}
END_TEST

START_TEST(its_slices_are_those_that_overlap_it) {
    struct chance chance = {771};
    shown_fixture(KINDS, 120, 40);
    int64_t begin = trace_begin(shown.trace);
    uint64_t span = (uint64_t)(trace_end(shown.trace) - begin);
    for (int n = 0; n < 200; n++) {
        int64_t a = begin + (int64_t)below(&chance, span),
                b = a + 1 + (int64_t)below(&chance, span);
        uint64_t wanted = 0;
        ranges_set(&shown, a, b);
        shown_keys("<C-l>");
        for (size_t k = 0; k < trace_thread_count(shown.trace); k++) {
            const struct nest *nest = &trace_thread(shown.trace, k)->nest;
            for (uint32_t row = 0; row < nest_rows(nest); row++)
                for (uint32_t i = 0; i < nest_row(nest, row)->n; i++) {
                    const struct slice *s = lane_at(nest_row(nest, row), i);
                    wanted += range_overlaps(range_now(), s->start, slice_end(s));
                }
        }
        const struct range_count *count = shown.range.slices.shown;
        MUST(shown.range.slices.done && count->slices == wanted, n);
    }
    shown_close();
}
END_TEST

START_TEST(escape_peels_drawer_selection_and_range) {
    shown_fixture(KINDS, 120, 40);
    shown_select("Frame 213", 0);
    shown_keys("%<Tab>");
    ck_assert(shown.drawer.focus);
    shown_keys("<Esc>");
    ck_assert(!shown.drawer.focus && selection_any(&shown.timeline.selection));
    shown_keys("<Esc>");
    ck_assert(!shown.drawer.open && range_any(range_now()) &&
              !selection_any(&shown.timeline.selection));
    shown_keys("<Esc>");
    ck_assert(!range_any(range_now()));
    shown_close();
}
END_TEST

START_TEST(a_kept_range_stays_when_another_is_made) {
    shown_fixture(KINDS, 120, 40);
    shown_keys("=");
    ck_assert(session_kept_range(&shown) == NULL);
    shown_keys("=:range 10%%..20%%<Enter>");
    ck_assert(session_kept_range(&shown) == NULL && shown_has("not a time"));
    shown_keys(":range 10%..20%<Enter>=:range 30%..40%<Enter>");
    ck_assert(session_kept_range(&shown)->to < range_now()->from);
    shown_keys("<Esc>");
    ck_assert(!range_any(range_now()) && session_kept_range(&shown)->timed);
    shown_keys(":range 40%..30%<Enter>");
    ck_assert(!range_any(range_now()) && shown_has("is empty"));
    shown_close();
}
END_TEST

START_TEST(a_table_drops_it_and_brings_it_back) {
    shown_fixture(KINDS, 120, 40);
    shown_keys(":range 10%..20%<Enter>5");
    int64_t from = range_now()->from;
    shown_keys("v");
    ck_assert(!range_any(range_now()));
    shown_keys("v");
    ck_assert(range_now()->timed && range_now()->from == from);
    shown_close();
}
END_TEST

START_TEST(zoom_shows_all_of_it) {
    shown_fixture(KINDS, 120, 40);
    shown_keys("Z");
    ck_assert(shown_has("no range"));
    shown_keys(":range 41%..43%<Enter>Z");
    const struct window *w = &shown.timeline.window;
    ck_assert(w->from <= range_now()->from && window_edge(w, w->columns) >= range_now()->to);
    ck_assert_int_le(w->width / 2, range_now()->to - range_now()->from);
    ck_assert(shown_find("range  ") == shown.layout.range);
    shown_keys("<lt>");
    ck_assert_int_gt(w->width / 10, range_now()->to - range_now()->from);
    shown_close();
}
END_TEST

/* The number before " of " in the first row that begins with the heading; UINT64_MAX: there is
 * none. */
static uint64_t headed(const char *heading) {
    int y = shown_find(heading);
    const char *row = y >= 0 ? strstr(shown_row(y), heading) : NULL;
    return row && strstr(row, " of ") ? strtoull(row + strlen(heading), NULL, 10) : UINT64_MAX;
}

START_TEST(tables_have_the_rows_of_the_range) {
    struct chance chance = {1297};
    shown_fixture("../screens/chain", 120, 40);
    int64_t begin = trace_begin(shown.trace);
    uint64_t span = (uint64_t)(trace_end(shown.trace) - begin);
    for (int n = 0; n < 60; n++) {
        int64_t a = begin + (int64_t)below(&chance, span),
                b = a + 1 + (int64_t)below(&chance, span);
        const struct flows *flows = trace_flows(shown.trace);
        uint64_t logs = 0, crossing = 0;
        size_t records;
        ranges_set(&shown, a, b);
        const struct occurrence *v = trace_logs(shown.trace, &records);
        for (size_t i = 0; i < records; i++)
            logs += range_has_time(range_now(), v[i].at.time);
        for (size_t i = 0; i < flow_count(flows); i++) {
            const struct flow *f = flows_at(flows, i);
            crossing += range_has_time(range_now(), flow_time(flows, f->first)) ||
                        (flow_time(flows, f->first) < a && flow_time(flows, f->last) >= a);
        }
        shown_keys("6");
        MUST(headed("Flows  ") == crossing, n);
        shown_keys("5");
        MUST(headed("Log  ") == logs, n);
        MUST(shown_has("range "), n);
        shown_keys("1");
    }
    shown_close();
}
END_TEST

START_TEST(the_same_name_is_counted_in_the_range) {
    struct chance chance = {81};
    shown_fixture("../screens/chain", 120, 40);
    int64_t begin = trace_begin(shown.trace);
    uint64_t span = (uint64_t)(trace_end(shown.trace) - begin);
    for (int n = 0; n < 60; n++) {
        int64_t a = begin + (int64_t)below(&chance, span),
                b = a + 1 + (int64_t)below(&chance, span);
        enum slice_iter_kind kind;
        uint32_t name, wanted = 0;
        shown_select("Frame", 2);
        ck_assert(selection_name(shown.trace, &shown.timeline.selection, &kind, &name));
        ranges_set(&shown, a, b);
        shown_keys("<C-l>");
        for (size_t k = 0; k < trace_thread_count(shown.trace); k++) {
            const struct nest *nest = &trace_thread(shown.trace, k)->nest;
            for (uint32_t row = 0; row < nest_rows(nest); row++)
                for (uint32_t i = 0; i < nest_row(nest, row)->n; i++) {
                    const struct slice *s = lane_at(nest_row(nest, row), i);
                    wanted += trace_packed_name(shown.trace, s->begin_word) == name &&
                              range_overlaps(range_now(), s->start, slice_end(s));
                }
        }
        const struct aggregate_row *row = tab_name_stats(&shown);
        MUST(row && row->count == wanted, n);
    }
    shown_close();
}
END_TEST

/* A trace that is read again may end before the range. */
START_TEST(zoom_leaves_the_cursor_in_the_trace) {
    shown_text("magic\ninit 1000000000\ncomplete 0 1/2 \"c\" \"work\" end=100\n", 100, 30);
    range_set_time(&shown.range.range, shown.trace, 5000, 6000);
    ranges_zoom(&shown);
    ck_assert_int_le(shown.timeline.cursor, trace_end(shown.trace));
    shown_close();
}
END_TEST

SUITE(ranges) {
    Suite *s = suite_create("ranges");
    TCase *t = tcase_create("ranges");
    tcase_add_test(t, motions_extend_it_and_enter_keeps_it);
    tcase_add_test(t, an_event_that_a_motion_selects_is_in_it);
    tcase_add_test(t, r_is_the_selected_event_on_its_track);
    tcase_add_test(t, space_tags_tracks_and_processes);
    tcase_add_test(t, without_tags_it_is_of_the_tracks_that_a_filter_shows);
    tcase_add_test(t, its_slices_are_those_that_overlap_it);
    tcase_add_test(t, escape_peels_drawer_selection_and_range);
    tcase_add_test(t, a_kept_range_stays_when_another_is_made);
    tcase_add_test(t, a_table_drops_it_and_brings_it_back);
    tcase_add_test(t, zoom_shows_all_of_it);
    tcase_add_test(t, zoom_leaves_the_cursor_in_the_trace);
    tcase_add_test(t, tables_have_the_rows_of_the_range);
    tcase_add_test(t, the_same_name_is_counted_in_the_range);
    suite_add_tcase(s, t);
    return s;
}
