/* nest.h - begin, end and complete events of one thread -> its rows of slices (SEMANTICS 6).
 *
 * Events are kept until there are enough of them, or nest_settle() is called. Then, in this order of haste: a run in
 * the order of its ends is placed as a whole (postorder.c); else events go one by one, in constant time where they come
 * in order (nest.c); and what comes late, or closes more than what is inside it, waits until nest_settle() takes back
 * the slices from the earliest affected time on, matches and sorts, and places them again (settle.c).
 *
 * The final rows are a function of the set of events alone; how they were cut into steps does not show. */
#ifndef FXTOP_NEST_H
#define FXTOP_NEST_H

#include "model/store/lane.h"
#include "model/store/slice_extra.h"
#include "src/base/vec.h"

struct nest_stray { /* an end that closes nothing; kept because a late begin may still claim it */
    int64_t time;
    uint64_t offset;
};

enum nest_event { NEST_BEGIN, NEST_END, NEST_COMPLETE }; /* as the format orders them */

struct nest_item {      /* on its way into the rows: an event; when settled, a slice */
    int64_t start, dur; /* an end: at its time */
    uint64_t packed;    /* event_pack() */
    uint64_t end : 56;  /* the end record's word + 1; 0: it has none, so far */
    uint64_t flags : 4; /* enum slice_flag */
    uint64_t event : 4; /* enum nest_event */
};

struct nest {
    const struct slice_extra *extra; /* for full buffers, which the worker nests */
    struct lane *lanes;   /* one a row */
    VEC(uint32_t) active; /* rows whose last slice may contain what comes: ends fall from bottom to top */
    VEC(struct nest_item) late;
    uint32_t nlanes, cap;
    int64_t last_stack;    /* time of the last begin, end or complete of no length placed */
    int64_t last_complete; /* start of the last other complete placed */
    int64_t last_start;    /* start of the last slice placed */
    int64_t tie;           /* all placed at last_start are completes at least this long; -1: not so */
    int64_t first, reach;  /* the earliest and latest time at which an event that was looked at begins or ends */
    uint64_t events;       /* that were looked at; for whoever counts them to set back */
    uint64_t slices;
    uint32_t displaced, overlaps, mismatches;
    VEC(struct nest_stray) strays;
    uint64_t version; /* grows with each change of the rows */
};

#define NEST_NO_ROW UINT32_MAX

void nest_init(struct nest *nest);
void nest_free(struct nest *nest);

/* Takes the next n events in file order, 0 < n <= NEST_BUFFER_EVENTS (nest_buffer.h). */
void nest_place_run(struct nest *nest, const struct slice_extra *extra, const struct duration *v, uint32_t n);

/* Places what came and what waits. Where little waits and much would have to be placed again it may leave it for later,
 * unless `all`: so the work stays linear. */
void nest_settle(struct nest *nest, const struct slice_extra *extra, bool all);

/* The rows of the thread, outermost first. A lane is valid until the nest changes. */
static inline uint32_t nest_rows(const struct nest *nest) {
    return nest->nlanes;
}

static inline struct lane *nest_row(const struct nest *nest, uint32_t row) { /* row < nest_rows() */
    return &nest->lanes[row];
}

/* True if late events wait for nest_settle(): there are slices though there may be no row yet. */
static inline bool nest_waiting(const struct nest *nest) {
    return nest->late.n > 0;
}

/* Slices that never ended. */
uint32_t nest_open(const struct nest *nest);

/* Where the parent of slice `i` of row `row` is; false where it has none. */
bool nest_parent(const struct nest *nest, const struct slice_extra *extra, uint32_t row, uint32_t i,
                 uint32_t *parent_row, uint32_t *parent);
uint32_t nest_depth(const struct nest *nest, const struct slice_extra *extra, uint32_t row, uint32_t i);

/* The last slice in nesting order with start <= t < end, or start = t; false where there is none. */
bool nest_at(const struct nest *nest, const struct slice_extra *extra, int64_t t, uint32_t *row, uint32_t *i);

/* Where the slice with the record at `offset` that starts at t stands; false: nowhere. */
bool nest_find(const struct nest *nest, int64_t t, uint64_t offset, uint32_t *row, uint32_t *i);

/* Adds to share[c] how much of each column [edges[c], edges[c + 1]) slices cover. Where some overlap, and so stand on a
 * row below though nothing is around them, the row that covers most of a column counts. */
void nest_busy_columns(struct nest *nest, const int64_t *edges, int columns, double *share);

size_t nest_bytes(const struct nest *nest);
void nest_walk(struct nest *nest, struct cache *cache); /* of one that is settled */

#endif
