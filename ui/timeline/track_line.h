/* track_line.h - what can be selected on one line of the tracks: the slices of a lane, and moments beside them (instants,
 * samples, log records). All that moves and draws asks here what a line holds. Times: ns of the reader's base. */
#ifndef FXTOP_TRACK_LINE_H
#define FXTOP_TRACK_LINE_H

#include "model/store/time_log.h"
#include "ui/timeline/track_list.h"

enum selection_kind {
    SELECTION_NONE,
    SELECTION_SLICE,   /* of a thread */
    SELECTION_ASYNC,   /* an async operation */
    SELECTION_STATE,   /* a thread's scheduling state */
    SELECTION_RUN,     /* what ran on a CPU */
    SELECTION_INSTANT, /* from here on moments */
    SELECTION_ASYNC_INSTANT,
    SELECTION_SAMPLE, /* of a counter */
    SELECTION_LOG,
    SELECTION_PROFILE, /* a module, mapping or backtrace */
};

struct selection { /* a selected event; found again by its offset when the model has moved */
    enum selection_kind kind;
    uint32_t of;     /* thread's number, place of the async group, series or CPU */
    uint32_t row, i; /* row: of lanes; i: in the lane or list */
    int64_t time;    /* its start */
    uint64_t offset;
};

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

/* The lane and slice of a selection, or NULL. */
struct lane *selection_lane(struct trace *trace, const struct selection *selection);
const struct slice *selection_slice(struct trace *trace, const struct selection *selection);
/* The track and row it stands on. */
void selection_place(struct trace *trace, const struct selection *selection, enum track_kind *kind, uint32_t *row);
/* Puts row and i right after the trace has changed; false: it is gone. */
bool selection_find(struct trace *trace, struct selection *selection);
/* The thread it is about, or NO_THREAD. */
uint32_t selection_thread(struct trace *trace, const struct selection *selection);
/* Where a slice with the record at `offset` that starts at t stands on its thread. */
struct selection selection_of_slice(const struct thread *thread, uint32_t row, uint32_t i);

#endif
