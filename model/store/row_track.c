/* row_track.c - makes lanes of the rows of a question.
 *
 * The rows are sorted by track and time. A tree over the ends of the lanes finds the first one
 * that is free at a time. So n rows cost n log n, however many overlap. */
#include "model/store/row_track.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/sort.h"

#define FIRST_WORD (EVENT_WORDS - ROW_TRACK_ROWS - 1) /* the offset of row 0, in words */
#define TIME_MOST (INT64_C(1) << 61)                  /* times of traces are nearer to 0 */

/* ---- the maker ---- */

void row_track_maker_init(struct row_track_maker *maker) {
    *maker = (struct row_track_maker){.texts = names_new()};
}

void row_track_maker_free(struct row_track_maker *maker) {
    names_free(maker->texts);
    vec_free(&maker->rows);
    *maker = (struct row_track_maker){.texts = NULL};
}

static uint32_t text_of(struct row_track_maker *maker, struct str text) {
    return text.n > 0 ? names_intern(maker->texts, text.s, text.n) : 0;
}

bool row_track_maker_add(struct row_track_maker *maker, bool has_time, int64_t time, int64_t dur,
                         const struct row_texts *texts) {
    if (!has_time || time < -TIME_MOST || time > TIME_MOST || dur > TIME_MOST) {
        maker->left_out++;
        return true;
    }
    if (maker->rows.n >= ROW_TRACK_ROWS)
        return false;
    struct row_track_row row = {.time = time,
                                .dur = dur < 0 ? -1 : dur,
                                .name = text_of(maker, texts->name),
                                .value = text_of(maker, texts->value),
                                .colour = text_of(maker, texts->colour),
                                .track = text_of(maker, texts->track)};
    vec_push(&maker->rows, row);
    return true;
}

/* ---- lanes ---- */

/* By track, begin, and the longer one first; those without an end are the longest. */
static int by_time(const void *a, const void *b) {
    const struct row_track_row *x = a, *y = b;
    uint64_t longer_x = (uint64_t)x->dur, longer_y = (uint64_t)y->dur;
    if (x->track != y->track)
        return x->track < y->track ? -1 : 1;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (longer_x < longer_y) - (longer_x > longer_y);
}

struct ends { /* the end of each lane from [ROW_TRACK_DEPTH] on; above it, the least of two */
    int64_t v[2 * ROW_TRACK_DEPTH];
};

/* The first lane that is free from a time on, which is taken until `end`; UINT32_MAX: there is
 * none. */
static uint32_t take_lane(struct ends *ends, int64_t time, int64_t end) {
    uint32_t at = 1;
    if (ends->v[at] > time)
        return UINT32_MAX;
    while (at < ROW_TRACK_DEPTH)
        at = 2 * at + (ends->v[2 * at] > time);
    uint32_t lane = at - ROW_TRACK_DEPTH;
    ends->v[at] = end;
    for (at /= 2; at > 0; at /= 2)
        ends->v[at] = ends->v[2 * at] < ends->v[2 * at + 1] ? ends->v[2 * at] : ends->v[2 * at + 1];
    return lane;
}

static struct slice slice_of(const struct row_track_row *row, size_t number) {
    uint64_t begin = event_pack((FIRST_WORD + number) * 8, row->name ? row->name : row->value);
    if (row->dur < 0)
        return slice_make(row->time, 1, begin, UINT64_MAX, 0);
    return slice_make(row->time, row->dur, begin, begin, SLICE_COMPLETE);
}

/* False: too many rows overlap. */
static bool make_lanes(struct row_track *track) {
    struct ends ends;
    for (uint32_t i = 0; i < 2 * ROW_TRACK_DEPTH; i++)
        ends.v[i] = INT64_MIN;
    for (size_t i = 0; i < track->rows.n; i++) {
        const struct row_track_row *row = &track->rows.v[i];
        int64_t end = row->dur < 0 ? INT64_MAX : row->time + row->dur;
        uint32_t lane = take_lane(&ends, row->time, end);
        if (lane == UINT32_MAX)
            return false;
        if (lane == track->lanes.n)
            vec_push(&track->lanes, LANE_EMPTY);
        struct slice slice = slice_of(row, i);
        lane_push(&track->lanes.v[lane], &slice);
        track->colours = track->colours || row->colour;
    }
    for (size_t i = 0; i < track->lanes.n; i++)
        lane_index(&track->lanes.v[i]);
    return true;
}

static void free_track(struct row_track *track) {
    if (track == NULL)
        return;
    for (size_t i = 0; i < track->lanes.n; i++)
        lane_free(&track->lanes.v[i]);
    vec_free(&track->lanes);
    vec_free(&track->rows);
    names_free(track->texts);
    free(track->question);
    free(track->name);
    free(track);
}

static uint32_t moved_text(struct row_track *track, const struct names *texts, uint32_t text) {
    struct str s = names_str(texts, text);
    return text ? names_intern(track->texts, s.s, s.n) : 0;
}

/* A track of the rows [from, to) of the maker, without lanes. */
static struct row_track *new_track(const char *question, const struct row_track_maker *maker,
                                   size_t from, size_t to) {
    struct row_track *track = err_calloc(1, sizeof *track);
    struct str of = from < to ? names_str(maker->texts, maker->rows.v[from].track) : STR("");
    size_t n = strlen(question) + of.n + 3;
    track->question = err_copy(question, strlen(question));
    track->name = err_malloc(n);
    snprintf(track->name, n, "%s%s%.*s", question, of.n > 0 ? ": " : "", (int)of.n,
             of.s ? of.s : "");
    track->texts = names_new();
    for (size_t i = from; i < to; i++) {
        struct row_track_row row = maker->rows.v[i];
        row.name = moved_text(track, maker->texts, row.name);
        row.value = moved_text(track, maker->texts, row.value);
        row.colour = moved_text(track, maker->texts, row.colour);
        vec_push(&track->rows, row);
    }
    return track;
}

/* ---- the list ---- */

static bool is_of(const struct row_track *track, const char *question) {
    return track && strcmp(track->question, question) == 0;
}

static void free_list(struct row_tracks *tracks) {
    for (size_t i = 0; i < tracks->v.n; i++)
        free_track(tracks->v.v[i]);
    vec_free(&tracks->v);
}

/* The number of tracks of other questions. */
static size_t count_others(const struct row_tracks *tracks, const char *question) {
    size_t n = 0;
    for (size_t i = 0; i < tracks->v.n; i++)
        n += tracks->v.v[i] && !is_of(tracks->v.v[i], question);
    return n;
}

/* A track for each text of the column `track`, which the rows are sorted by; without rows one. */
static bool make_tracks(struct row_tracks *made, const char *question,
                        const struct row_track_maker *maker, size_t most, struct err *err) {
    const struct row_track_row *rows = maker->rows.v;
    size_t from = 0, to;
    do {
        for (to = from + 1; to < maker->rows.n && rows[to].track == rows[from].track; to++) {
        }
        to = maker->rows.n == 0 ? 0 : to;
        if (made->v.n >= most)
            return err_set(err, ERR_NO_OFFSET, "more than %u tracks: choose some in the question",
                           ROW_TRACK_TRACKS);
        struct row_track *track = new_track(question, maker, from, to);
        vec_push(&made->v, track);
        if (!make_lanes(track))
            return err_set(err, ERR_NO_OFFSET,
                           "more than %u rows overlap: a column `track` divides them",
                           ROW_TRACK_DEPTH);
        from = to;
    } while (from < maker->rows.n);
    return true;
}

bool row_tracks_remove(struct row_tracks *tracks, const char *question) {
    bool any = false;
    for (size_t i = 0; i < tracks->v.n; i++) {
        if (!is_of(tracks->v.v[i], question))
            continue;
        free_track(tracks->v.v[i]);
        tracks->v.v[i] = NULL;
        any = true;
    }
    tracks->changes += any;
    return any;
}

/* The place of a track of that name, or else a free one. */
static size_t place_for(struct row_tracks *tracks, const struct row_track *track) {
    size_t free_place = tracks->v.n;
    for (size_t i = 0; i < tracks->v.n; i++) {
        const struct row_track *other = tracks->v.v[i];
        if (is_of(other, track->question) && strcmp(other->name, track->name) == 0)
            return i;
        free_place = other == NULL && free_place == tracks->v.n ? i : free_place;
    }
    if (free_place == tracks->v.n)
        vec_push(&tracks->v, NULL);
    return free_place;
}

bool row_tracks_put(struct row_tracks *tracks, const char *question, struct row_track_maker *maker,
                    struct err *err) {
    struct row_tracks made = {.changes = 0};
    size_t others = count_others(tracks, question);
    sort_items(NULL, maker->rows.v, maker->rows.n, sizeof *maker->rows.v, by_time);
    bool done = make_tracks(&made, question, maker, ROW_TRACK_TRACKS - others, err);
    row_track_maker_free(maker);
    if (!done) {
        free_list(&made);
        return false;
    }
    for (size_t i = 0; i < made.v.n; i++) {
        size_t at = place_for(tracks, made.v.v[i]);
        free_track(tracks->v.v[at]); /* the one before */
        tracks->v.v[at] = made.v.v[i];
    }
    for (size_t i = 0; i < tracks->v.n; i++) { /* those that it has no more */
        bool made_now = false;
        for (size_t k = 0; k < made.v.n && !made_now; k++)
            made_now = tracks->v.v[i] == made.v.v[k];
        if (made_now || !is_of(tracks->v.v[i], question))
            continue;
        free_track(tracks->v.v[i]);
        tracks->v.v[i] = NULL;
    }
    vec_free(&made.v);
    tracks->changes++;
    return true;
}

void row_tracks_free(struct row_tracks *tracks) {
    free_list(tracks);
}

const struct row_track_row *row_track_row_of(const struct row_track *track,
                                             const struct slice *slice) {
    return &track->rows.v[slice_offset(slice) / 8 - FIRST_WORD];
}

struct str row_track_name(const struct row_track *track, const struct row_track_row *row) {
    return names_str(track->texts, row->name ? row->name : row->value);
}
