/* suite_row_track.c - the lanes of a track against its rows, placed one by one. */
#include "model/store/row_track.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

#define ROWS 600

static struct chance chance = {77};

struct plain { /* a row as it was given */
    int64_t time, dur;
    char name[8], value[8], colour[8];
    unsigned track;
    bool found;
};

static void give(struct row_track_maker *maker, const struct plain *p) {
    char track[8];
    snprintf(track, sizeof track, "t%u", p->track);
    struct row_texts texts = {str_of(p->name), str_of(p->value), str_of(p->colour),
                              p->track > 0 ? str_of(track) : STR("")};
    ck_assert(row_track_maker_add(maker, true, p->time, p->dur, &texts));
}

static void some_rows(struct plain *rows, size_t n, unsigned tracks, int64_t longest) {
    for (size_t i = 0; i < n; i++) {
        struct plain *p = &rows[i];
        *p = (struct plain){.time = (int64_t)below(&chance, 3000) - 500,
                            .dur = (int64_t)below(&chance, (uint64_t)longest),
                            .track = (unsigned)below(&chance, tracks)};
        if (below(&chance, 4) == 0)
            p->dur = 0;
        snprintf(p->name, sizeof p->name, "n%u", (unsigned)below(&chance, 5));
        if (below(&chance, 2))
            snprintf(p->value, sizeof p->value, "%u", (unsigned)below(&chance, 50));
        if (below(&chance, 3) == 0)
            snprintf(p->colour, sizeof p->colour, "c%u", (unsigned)below(&chance, 3));
    }
}

static bool is_text(const struct row_track *track, uint32_t text, const char *wanted) {
    return str_eq(row_track_text(track, text), str_of(wanted));
}

/* Takes the row that a slice shows from those that were given; false: it is none of them. */
static bool take(struct plain *rows, size_t n, const struct row_track *track, unsigned number,
                 const struct slice *slice) {
    const struct row_track_row *row = row_track_row_of(track, slice);
    int64_t dur = slice_open(slice) ? -1 : slice_dur(slice);
    for (size_t i = 0; i < n; i++) {
        struct plain *p = &rows[i];
        if (p->found || p->time != slice->start || p->dur != dur || p->track != number ||
            !is_text(track, row->name, p->name) || !is_text(track, row->value, p->value) ||
            !is_text(track, row->colour, p->colour))
            continue;
        p->found = true;
        return true;
    }
    return false;
}

/* Lanes do not overlap, and a row is on the first lane that is free at its begin. */
static void check_lanes(const struct row_track *track) {
    for (size_t k = 0; k < track->lanes.n; k++) {
        const struct lane *lane = &track->lanes.v[k];
        for (uint32_t i = 0; i < lane->n; i++) {
            struct slice s = lane_slice(lane, i);
            ck_assert(i == 0 || slice_end(lane_at(lane, i - 1)) <= s.start);
            for (size_t above = 0; above < k; above++) {
                uint32_t at = lane_before(&track->lanes.v[above], s.start);
                ck_assert_uint_ne(at, UINT32_MAX);
                struct slice other = lane_slice(&track->lanes.v[above], at);
                ck_assert(slice_end(&other) > s.start || other.start == s.start);
            }
        }
    }
}

static unsigned number_of(const struct row_track *track) {
    const char *of = strstr(track->name, ": t");
    return of ? (unsigned)strtoul(of + 3, NULL, 10) : 0;
}

START_TEST(tracks_have_the_rows_that_were_given) {
    for (unsigned set = 0; set < 40; set++) {
        struct row_tracks tracks = {.changes = 0};
        struct plain rows[ROWS];
        struct row_track_maker maker;
        struct err err;
        size_t n = below(&chance, ROWS), seen = 0;
        some_rows(rows, n, 1 + (unsigned)below(&chance, 4), 1 + (int64_t)below(&chance, 200));
        if (n > 0 && set % 3 == 0)
            rows[0].dur = -1; /* without an end */
        row_track_maker_init(&maker);
        for (size_t i = 0; i < n; i++)
            give(&maker, &rows[i]);
        MUST(row_tracks_put(&tracks, "q", &maker, &err), set);
        for (uint32_t at = 0; at < tracks.v.n; at++) {
            const struct row_track *track = row_tracks_at(&tracks, at);
            check_lanes(track);
            for (size_t k = 0; k < track->lanes.n; k++)
                for (uint32_t i = 0; i < track->lanes.v[k].n; i++, seen++)
                    MUST(take(rows, n, track, number_of(track), lane_at(&track->lanes.v[k], i)),
                         set);
        }
        MUST(seen == n, set);
        row_tracks_free(&tracks);
    }
}
END_TEST

static void put(struct row_tracks *tracks, const char *question, const char *track) {
    struct row_track_maker maker;
    struct err err;
    row_track_maker_init(&maker);
    ck_assert(row_track_maker_add(&maker, true, 1, 2, &(struct row_texts){.track = str_of(track)}));
    ck_assert(row_tracks_put(tracks, question, &maker, &err));
}

START_TEST(tracks_keep_their_places) {
    struct row_tracks tracks = {.changes = 0};
    put(&tracks, "a", "");
    put(&tracks, "b", "x");
    put(&tracks, "c", "");
    ck_assert(row_tracks_remove(&tracks, "a"));
    ck_assert(!row_tracks_remove(&tracks, "a"));
    ck_assert_ptr_null(row_tracks_at(&tracks, 0));
    put(&tracks, "b", "x"); /* again */
    ck_assert_str_eq(row_tracks_at(&tracks, 1)->name, "b: x");
    put(&tracks, "b", "y"); /* another track: in the free place; the one before is gone */
    ck_assert_str_eq(row_tracks_at(&tracks, 0)->name, "b: y");
    ck_assert_ptr_null(row_tracks_at(&tracks, 1));
    ck_assert_str_eq(row_tracks_at(&tracks, 2)->name, "c");
    ck_assert_ptr_null(row_tracks_at(&tracks, 3));
    row_tracks_free(&tracks);
    ck_assert_ptr_null(row_tracks_at(&tracks, 0));
}
END_TEST

/* Too many rows or tracks are refused in a sentence, and nothing changes. */
START_TEST(sizes_are_bounded) {
    struct row_tracks tracks = {.changes = 0};
    struct row_track_maker maker;
    struct err err;
    put(&tracks, "q", "");
    row_track_maker_init(&maker);
    for (unsigned i = 0; i <= ROW_TRACK_DEPTH; i++)
        ck_assert(
            row_track_maker_add(&maker, true, i, 1000000, &(struct row_texts){.name = STR("n")}));
    ck_assert(!row_tracks_put(&tracks, "q", &maker, &err));
    ck_assert_str_eq(err.text, "more than 256 rows overlap: a column `track` divides them");
    row_track_maker_init(&maker);
    for (unsigned i = 0; i <= ROW_TRACK_TRACKS; i++) {
        char name[8];
        snprintf(name, sizeof name, "%u", i);
        ck_assert(
            row_track_maker_add(&maker, true, i, 0, &(struct row_texts){.track = str_of(name)}));
    }
    ck_assert(!row_tracks_put(&tracks, "q", &maker, &err));
    ck_assert_str_eq(err.text, "more than 100 tracks: choose some in the question");
    ck_assert_uint_eq(row_tracks_at(&tracks, 0)->rows.n, 1);
    row_track_maker_init(&maker);
    ck_assert(row_track_maker_add(&maker, false, 0, 0, &(struct row_texts){.name = STR("n")}));
    ck_assert(
        row_track_maker_add(&maker, true, INT64_MAX, 0, &(struct row_texts){.name = STR("n")}));
    ck_assert(
        row_track_maker_add(&maker, true, 0, INT64_MAX, &(struct row_texts){.name = STR("n")}));
    ck_assert(
        row_track_maker_add(&maker, true, INT64_MIN, 0, &(struct row_texts){.name = STR("n")}));
    ck_assert_uint_eq(maker.left_out, 4);
    ck_assert(row_tracks_put(&tracks, "q", &maker, &err)); /* a track without rows */
    ck_assert_uint_eq(row_tracks_at(&tracks, 0)->rows.n, 0);
    ck_assert_uint_eq(row_tracks_at(&tracks, 0)->lanes.n, 0);
    row_tracks_free(&tracks);
}
END_TEST

SUITE(row_track) {
    Suite *suite = suite_create("row_track");
    TCase *c = tcase_create("row_track");
    tcase_add_test(c, tracks_have_the_rows_that_were_given);
    tcase_add_test(c, tracks_keep_their_places);
    tcase_add_test(c, sizes_are_bounded);
    suite_add_tcase(suite, c);
    return suite;
}
