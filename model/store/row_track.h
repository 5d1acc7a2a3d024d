/* row_track.h - tracks that are no part of the trace: the rows of a question, each with a time, a
 * length and a name.
 *
 * A maker takes the rows of one question in any order. row_tracks_put() makes tracks of them: one,
 * or one for each text of the column `track`. Rows that overlap are on several lanes, the longer of
 * two that begin together on the upper one. A track keeps its place in the list until it is
 * removed; the next one takes a free place. Times: ns relative to the reader's base.
 *
 * Slices of the lanes have the number of their row as offset, far from all records of the file. */
#ifndef FXTOP_ROW_TRACK_H
#define FXTOP_ROW_TRACK_H

#include "model/store/lane.h"
#include "src/base/err.h"
#include "src/base/vec.h"
#include "src/fxt/names.h"

#define ROW_TRACK_ROWS 1000000u /* of a question, at most */
#define ROW_TRACK_TRACKS 100u   /* of all questions */
#define ROW_TRACK_DEPTH 256u    /* rows that overlap at one time */
#define ROW_TRACK_NAME 80u      /* bytes of the name of a question */

struct row_track_row {
    int64_t time, dur;            /* dur: -1 without an end */
    uint32_t name, value, colour; /* texts of the maker; 0: none */
    uint32_t track;
};

struct row_track {
    char *question;                 /* its name */
    char *name;                     /* "slow", or "slow: ui" of a question with several tracks */
    struct names *texts;            /* of its rows, owned */
    VEC(struct row_track_row) rows; /* by time */
    VEC(struct lane) lanes;
    bool colours; /* a row has a colour of its own */
};

struct row_tracks {
    VEC(struct row_track *) v; /* NULL: a free place */
    uint64_t changes;          /* counted */
};

struct row_track_maker {
    struct names *texts;
    VEC(struct row_track_row) rows;
    uint64_t left_out; /* rows without a time, or with one that no trace has */
};

struct row_texts {
    struct str name, value, colour, track;
};

void row_track_maker_init(struct row_track_maker *maker);
void row_track_maker_free(struct row_track_maker *maker);
/* Adds a row, whose texts are copied. has_time false: it has none, and is left out. False: there
 * are too many rows. */
bool row_track_maker_add(struct row_track_maker *maker, bool has_time, int64_t time, int64_t dur,
                         const struct row_texts *texts);

/* Makes the tracks of a question, in place of those that it had. The maker is empty afterwards.
 * Fails with one line; then the tracks are as before. */
bool row_tracks_put(struct row_tracks *tracks, const char *question, struct row_track_maker *maker,
                    struct err *err);
/* True: it had tracks. */
bool row_tracks_remove(struct row_tracks *tracks, const char *question);
void row_tracks_free(struct row_tracks *tracks);
/* NULL: there is none in that place. */
static inline struct row_track *row_tracks_at(const struct row_tracks *tracks, uint32_t place) {
    return place < tracks->v.n ? tracks->v.v[place] : NULL;
}

/* The row of a slice of the track's lanes. */
const struct row_track_row *row_track_row_of(const struct row_track *track,
                                             const struct slice *slice);
/* Its name, or else its value. */
struct str row_track_name(const struct row_track *track, const struct row_track_row *row);
static inline struct str row_track_text(const struct row_track *track, uint32_t text) {
    return names_str(track->texts, text);
}

#endif
