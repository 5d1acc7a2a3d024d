/* track_line.h - what can be selected on one line of the tracks: the slices of a lane, and moments beside them (instants,
 * samples, log records). All that moves and draws asks here what a line holds. Times: ns of the reader's base. */
#ifndef FXTOP_TRACK_LINE_H
#define FXTOP_TRACK_LINE_H

#include "ui/timeline/selection.h"
#include "ui/timeline/track_list.h"

struct track_line {
    const struct track *track;
    uint32_t row;                   /* of the lanes */
    struct lane *lane;              /* NULL: none */
    enum selection_kind slices, moments; /* what they are; SELECTION_NONE: there are none */
};

/* False where the line holds nothing to select. */
bool track_line_of(struct trace *trace, const struct track *track, uint32_t row, struct track_line *line);
bool track_line_at(struct trace *trace, const struct track_list *rows, uint64_t at, struct track_line *line);

struct selection track_line_slice(const struct track_line *line, uint32_t i);
/* The moments of the line's track; not all need stand on this line: track_line_holds(). */
size_t track_line_moments(struct trace *trace, const struct track_line *line);
struct moment track_line_moment(struct trace *trace, const struct track_line *line, size_t i);
uint32_t track_line_row(struct trace *trace, const struct track_line *line,
                        size_t i); /* of its track, on which moment i stands */
bool track_line_holds(struct trace *trace, const struct track_line *line, size_t i);
size_t track_line_from(struct trace *trace, const struct track_line *line, int64_t t,
                       uint64_t offset); /* first at or after */
/* The same of the moments [i, n), where it is thought to be near i. */
size_t track_line_from_near(struct trace *trace, const struct track_line *line, size_t i, size_t n, int64_t t);
struct selection track_line_pick(struct trace *trace, const struct track_line *line, size_t i);

#endif
