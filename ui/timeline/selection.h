/* selection.h - an event that is selected, or could be: a slice of a lane, or a moment of a list.
 *
 * A selection holds its track and its index in the lane or list. After the model has changed,
 * selection_find() finds it again by its time and the offset of its record. Times: ns relative to
 * the reader's base. */
#ifndef FXTOP_SELECTION_H
#define FXTOP_SELECTION_H

#include "model/query/slice_iter.h"
#include "model/store/time_log.h"
#include "model/trace/trace.h"

struct selection_ops;

struct selection {
    const struct selection_ops *kind; /* NULL: nothing is selected */
    uint32_t of;                      /* number of the track among those of its kind */
    uint32_t row, i;                  /* row: of lanes; i: in the lane or list */
    int64_t time;                     /* its start */
    uint64_t offset;                  /* of its record */
};

/* Slice i of a lane; of a row of a thread. */
struct selection selection_of_lane(const struct selection_ops *kind, uint32_t of, uint32_t row,
                                   const struct lane *lane, uint32_t i);
struct selection selection_of_slice(const struct thread *thread, uint32_t row, uint32_t i);
/* Moment i of a track; its row is 0 unless the kind has rows. */
struct selection selection_of_moment(struct trace *trace, const struct selection_ops *kind,
                                     uint32_t of, size_t i);

/* The first of the moments [lo, hi) of a track that is not before `at`. */
size_t selection_moment_from(struct trace *trace, const struct selection_ops *kind, uint32_t of,
                             size_t lo, size_t hi, struct moment at);
/* The slice of a lane that the record began or ended; UINT32_MAX: none. */
uint32_t selection_of_record(struct trace *trace, const struct lane *lane, struct moment record);

/* The lane and slice of a selection; NULL if it has no length. */
struct lane *selection_lane(struct trace *trace, const struct selection *selection);
const struct slice *selection_copy(struct trace *trace, const struct selection *selection,
                                   struct slice *to);
/* Points to a copy, as lane_at() does. */
#define selection_slice(trace, selection)                                                          \
    selection_copy((trace), (selection), (struct slice[1]){{0}})
/* The time from its begin to its end; false: it has no length. */
bool selection_stretch(struct trace *trace, const struct selection *selection, int64_t *from,
                       int64_t *to);
/* The slice or operation around an event without a length; without one, and for a sample, the time
 * between its neighbours on the track. False: there are none. */
bool selection_surroundings(struct trace *trace, const struct selection *selection, int64_t *from,
                            int64_t *to);
/* The row of its track that it is on, not counting the strip. */
uint32_t selection_row(struct trace *trace, const struct selection *selection);
/* Sets row and i again after the trace has changed; false: the event is gone. True if nothing is
 * selected. */
bool selection_find(struct trace *trace, struct selection *selection);
/* selection_find() in one lane, for the kinds. */
bool selection_find_in(struct selection *selection, uint32_t row, const struct lane *lane);
/* The thread that it is on, or NO_THREAD. */
uint32_t selection_thread(struct trace *trace, const struct selection *selection);
/* The track of the search (model/query/search.h) that the events of a kind on `of` are on; false:
 * it has none. */
bool selection_searched(const struct trace *trace, const struct selection_ops *kind, uint32_t of,
                        uint32_t *track);

static inline bool selection_any(const struct selection *selection) {
    return selection->kind != NULL;
}
/* The name of a selected slice or operation, and which of the two it is; false: neither is
 * selected. */
bool selection_name(struct trace *trace, const struct selection *selection,
                    enum slice_iter_kind *kind, uint32_t *name);
/* of a thread: row and i are its place in the nest */
bool selection_is_slice(const struct selection *selection);
/* a slice or an operation: compared with all of its name */
bool selection_is_named(const struct selection *selection);

#endif
