/* track_line.h - what can be selected on one line of the tracks: the slices of a lane, and moments beside them (instants,
 * samples, log records). All that moves and draws asks here what a line holds. Times: ns of the reader's base. */
#ifndef FXTOP_TRACK_LINE_H
#define FXTOP_TRACK_LINE_H

#include "model/store/time_log.h"
#include "ui/timeline/track_list.h"

enum pick_kind {
    PICK_NONE,
    PICK_SLICE,   /* of a thread */
    PICK_ASYNC,   /* an async operation */
    PICK_STATE,   /* a thread's scheduling state */
    PICK_RUN,     /* what ran on a CPU */
    PICK_INSTANT, /* from here on moments */
    PICK_ASYNC_INSTANT,
    PICK_SAMPLE, /* of a counter */
    PICK_LOG,
    PICK_PROFILE, /* a module, mapping or backtrace */
};

struct pick { /* a selected event; found again by its offset when the model has moved */
    enum pick_kind kind;
    uint32_t of;     /* thread's number, place of the async group, series or CPU */
    uint32_t row, i; /* row: of lanes; i: in the lane or list */
    int64_t time;    /* its start */
    uint64_t offset;
};

struct line {
    const struct track *track;
    uint32_t row;                   /* of the lanes */
    struct lane *lane;              /* NULL: none */
    enum pick_kind slices, moments; /* what they are; PICK_NONE: there are none */
};

/* False where the line holds nothing to select. */
bool line_of(struct trace *trace, const struct track *track, uint32_t row, struct line *line);
bool line_at(struct trace *trace, const struct rows *rows, uint64_t at, struct line *line);

struct pick line_slice(const struct line *line, uint32_t i);
/* The moments of the line's track; not all need stand on this line: line_holds(). */
size_t line_moments(struct trace *trace, const struct line *line);
struct moment line_moment(struct trace *trace, const struct line *line, size_t i);
uint32_t line_row(struct trace *trace, const struct line *line, size_t i); /* of its track, on which moment i stands */
bool line_holds(struct trace *trace, const struct line *line, size_t i);
size_t line_from(struct trace *trace, const struct line *line, int64_t t, uint64_t offset); /* first at or after */
/* The same of the moments [i, n), where it is thought to be near i. */
size_t line_from_near(struct trace *trace, const struct line *line, size_t i, size_t n, int64_t t);
struct pick line_pick(struct trace *trace, const struct line *line, size_t i);

/* The lane and slice of a pick, or NULL. */
struct lane *pick_lane(struct trace *trace, const struct pick *pick);
const struct slice *pick_slice(struct trace *trace, const struct pick *pick);
/* The track and row it stands on. */
void pick_place(struct trace *trace, const struct pick *pick, enum track_kind *kind, uint32_t *row);
/* Puts row and i right after the trace has changed; false: it is gone. */
bool pick_find(struct trace *trace, struct pick *pick);
/* The thread it is about, or NO_THREAD. */
uint32_t pick_thread(struct trace *trace, const struct pick *pick);
/* Where a slice with the record at `offset` that starts at t stands on its thread. */
struct pick pick_of_slice(const struct thread *thread, uint32_t row, uint32_t i);

#endif
