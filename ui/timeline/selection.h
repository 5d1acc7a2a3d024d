/* selection.h - an event that is selected, or could be: a slice of a lane, or a moment of a list.
 *
 * Times: ns relative to the reader's base. A selection names the track and the index in its lane or list; `offset`, that
 * of its record, finds it again after the model has changed. */
#ifndef FXTOP_SELECTION_H
#define FXTOP_SELECTION_H

#include "model/query/slice_iter.h"
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

/* The slice i of a lane. */
struct selection selection_of_lane(enum selection_kind kind, uint32_t of, uint32_t row, const struct lane *lane,
                                   uint32_t i);
/* The moments of a kind on track `of`: their count (0 if there is no such track), and the moment i. */
size_t selection_moments(struct trace *trace, enum selection_kind kind, uint32_t of);
struct moment selection_moment(struct trace *trace, enum selection_kind kind, uint32_t of, size_t i);
/* The first of the moments [lo, hi) at or after (t, offset). */
size_t selection_moment_from(struct trace *trace, enum selection_kind kind, uint32_t of, size_t lo, size_t hi, int64_t t,
                             uint64_t offset);

/* The row of the innermost slice around an instant of a thread; 0 if there is none. */
uint32_t selection_instant_row(struct trace *trace, uint32_t thread, int64_t time);

/* The lane and slice of a selection, or NULL. */
struct lane *selection_lane(struct trace *trace, const struct selection *selection);
const struct slice *selection_slice(struct trace *trace, const struct selection *selection);
/* The name of a selected slice or operation, and which of the two it is; false: neither is selected. */
bool selection_name(struct trace *trace, const struct selection *selection, enum slice_iter_kind *kind, uint32_t *name);
/* The track and row it stands on. */
void selection_place(struct trace *trace, const struct selection *selection, enum track_kind *kind, uint32_t *row);
/* Puts row and i right after the trace has changed; false: it is gone. */
bool selection_find(struct trace *trace, struct selection *selection);
/* The thread it is about, or NO_THREAD. */
uint32_t selection_thread(struct trace *trace, const struct selection *selection);
/* Where a slice with the record at `offset` that starts at t stands on its thread. */
struct selection selection_of_slice(const struct thread *thread, uint32_t row, uint32_t i);

#endif
