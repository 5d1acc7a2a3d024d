/* track_line.h - the events on one line of the tracks: the slices of a lane, and moments among
 * them. All that moves and draws asks here what a line holds. Times: ns relative to the reader's
 * base. */
#ifndef FXTOP_TRACKS_LINE_H
#define FXTOP_TRACKS_LINE_H

#include "model/query/filter/filter_lanes.h"
#include "ui/timeline/selection.h"
#include "ui/timeline/track_list.h"

struct track_line {
    const struct track *track;
    uint32_t row;                                 /* of the lanes */
    struct lane *lane;                            /* NULL: none */
    const struct selection_ops *slices, *moments; /* their kinds; NULL: there are none */
    /* what the gaps of the slices show, and its kind; NULL: nothing */
    struct lane *gaps;
    const struct selection_ops *gaps_kind;
    const struct filter_lanes *left; /* the events that are not hidden, once known; NULL: all */
};

/* False if the line holds nothing to select. */
bool track_line_of(struct trace *trace, const struct track *track, uint32_t row,
                   struct track_line *line);
bool track_line_at(struct trace *trace, const struct track_list *list, uint64_t at,
                   struct track_line *line);

/* The slices of the line that are not hidden; NULL: there are none. */
struct lane *track_line_left(struct trace *trace, const struct track_line *line);
/* The moment nearest to number i, i included, that is not hidden: from there on (d > 0) or before
 * it; UINT32_MAX: none.
 */
uint32_t track_line_left_along(struct trace *trace, const struct track_line *line, uint32_t i,
                               int d);

struct selection track_line_slice(const struct track_line *line, uint32_t i);
/* The event that the gaps show at a time, or none. */
struct selection track_line_gap(const struct track_line *line, int64_t time);
/* The moments of the line's track; not all need be on this line: track_line_holds(). */
size_t track_line_moments(struct trace *trace, const struct track_line *line);
struct moment track_line_moment(struct trace *trace, const struct track_line *line, size_t i);
/* of the track, for moment i */
uint32_t track_line_row(struct trace *trace, const struct track_line *line, size_t i);
bool track_line_holds(struct trace *trace, const struct track_line *line, size_t i);
/* Does so, and sets *next to the first moment after it that may be on the line. */
bool track_line_holds_next(struct trace *trace, const struct track_line *line, size_t i,
                           size_t *next);
/* The first moment at or after (t, offset). */
size_t track_line_from(struct trace *trace, const struct track_line *line, int64_t t,
                       uint64_t offset);
/* The first moment from i on that is at or after t. It looks around i + guess first. */
size_t track_line_from_near(struct trace *trace, const struct track_line *line, size_t i,
                            size_t guess, int64_t t);
struct selection track_line_selection(struct trace *trace, const struct track_line *line, size_t i);

#define MOMENTS_TRIED 4096 /* moments of other rows that are skipped before none is found */
/* The event after (d > 0) or before `now`, which is on the line, or NULL: the cursor. Slices, and
 * the moments among them; hidden ones are passed over. */
struct selection track_line_along(struct trace *trace, const struct track_line *line,
                                  const struct selection *now, int64_t cursor, int d);

#endif
