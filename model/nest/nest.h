/* nest.h - begin, end and complete events of one thread become its rows of slices (SEMANTICS 6).
 *
 * Events arrive in file order, a buffer at a time (nest_buffer.h). A buffer whose events are in the
 * order of their ends is nested as a whole (nest_run.c). Else events go one by one, in constant
 * time if they are in nesting order (nest.c). Late events wait for nest_flush_late(), which takes
 * back slices and nests them again (nest_late.c).
 *
 * The final rows are a function of the set of events alone: buffers and steps do not show.
 * README.md has pictures, nest.c the invariants. Times: ns relative to the reader's base. */
#ifndef FXTOP_NEST_H
#define FXTOP_NEST_H

#include "model/store/lane.h"
#include "model/store/slice.h"
#include "src/base/task.h"
#include "src/base/vec.h"

#define NEST_NO_ROW UINT32_MAX

struct nest_stray { /* an end that closes nothing [N9] */
    int64_t time;
    uint64_t offset;
};

enum nest_event { NEST_BEGIN, NEST_END, NEST_COMPLETE }; /* in the format's order */

struct nest_item {      /* an event on its way into the rows; after matching, a slice */
    int64_t start, dur; /* of an end, start is its time */
    uint64_t packed;    /* event_pack() */
    uint64_t end : 56;  /* the end record's word + 1; 0: none so far */
    uint64_t flags : 4; /* enum slice_flag */
    uint64_t event : 4; /* enum nest_event */
};

struct nest_items {
    struct nest_item *v;
    size_t n, cap;
};

struct nest {
    const struct slice_extra *extra; /* for buffers that the worker nests */
    struct lane *lanes;              /* the rows [N1] */
    VEC(uint32_t) active;   /* stack of rows whose last slice may contain the next one [N4] */
    struct nest_items late; /* events that wait for nest_flush_late() [N6] */
    size_t put_off;         /* so many of them did not pay, last */
    uint32_t nlanes, cap;
    int64_t last_stack;    /* time of the latest begin, end or complete event of no length */
    int64_t last_complete; /* start of the latest other complete event */
    int64_t last_start;    /* start of the latest slice */
    /* minimum duration of the slices that start at last_start, if all are complete events; else
     * -1 */
    int64_t tie;
    int64_t first, reach; /* earliest begin and latest end of all events so far */
    uint64_t events;      /* taken so far; the owner sets it to 0 after counting them */
    uint64_t slices;      /* in all rows */
    uint32_t may_settle;  /* slices that may move for late events, at once; grows with the events */
    uint32_t displaced, overlaps, mismatches; /* slices with the flag [N8] */
    uint32_t apart;     /* the first row of damaged slices [N12]; NEST_NO_ROW: none is apart */
    uint32_t ends_lost; /* of the mismatches of a nest that is not `named`: SLICE_EXTRA_LOST */
    /* slices without a known end; row + 1 of one that is endless [N11] */
    uint32_t unended, dangling;
    /* number of the provider that wrote first on the thread; set before the first event */
    uint32_t writer;
    bool named;               /* ends close by name (SEMANTICS 6.12); set before the first event */
    bool claims, provisional; /* [N11] */
    VEC(struct nest_stray) strays;
    uint64_t version; /* grows with each change of the rows */
};

void nest_init(struct nest *nest);
void nest_free(struct nest *nest);

/* Takes the next n events in file order, 0 < n <= NEST_BUFFER_EVENTS (nest_buffer.h). */
void nest_place_run(struct nest *nest, const struct slice_extra *extra, const struct duration *v,
                    uint32_t n);

/* Nests the late events. While few of them would move many slices it does nothing, so that all work
 * stays linear. all: no event may be left, and open slices are final. Until it returns the rows are
 * as before, but for parents in the side table. No event may come meanwhile. False: the task is
 * cancelled, and nest_free() must follow. */
bool nest_flush_late(struct nest *nest, const struct slice_extra *extra, bool all,
                     struct task *task);

/* Nests all slices again: damaged ones go to rows of their own, the last, and are around nothing.
 * An event that comes later nests all as if nothing was known. Nothing may wait for
 * nest_flush_late(). False: the task is cancelled, and nest_free() must follow. */
bool nest_set_apart(struct nest *nest, const struct slice_extra *extra,
                    const struct slice_damage *damage, struct task *task);

/* The rows of the thread, outermost first. A lane is valid until the nest changes. */
static inline uint32_t nest_rows(const struct nest *nest) {
    return nest->nlanes;
}

static inline struct lane *nest_row(const struct nest *nest, uint32_t row) { /* row < nest_rows() */
    return &nest->lanes[row];
}

/* The rows of slices that are not apart. */
static inline uint32_t nest_sound_rows(const struct nest *nest) {
    return nest->apart < nest->nlanes ? nest->apart : nest->nlanes;
}

/* True if late events wait for nest_flush_late(): the thread has slices, perhaps without a row so
 * far. */
static inline bool nest_waiting(const struct nest *nest) {
    return nest->late.n > 0;
}

/* The number of slices without an end. */
uint32_t nest_open(const struct nest *nest);

/* The row and number of the parent of slice `i` of row `row`; false if it has none. */
bool nest_parent(const struct nest *nest, const struct slice_extra *extra, uint32_t row, uint32_t i,
                 uint32_t *parent_row, uint32_t *parent);
uint32_t nest_depth(const struct nest *nest, const struct slice_extra *extra, uint32_t row,
                    uint32_t i);

/* The last slice in nesting order with start <= t < end, or start = t; none that is apart. False if
 * there is none. */
bool nest_at(const struct nest *nest, const struct slice_extra *extra, int64_t t, uint32_t *row,
             uint32_t *i);
/* Until when the innermost slice is further down than `row`, from t on; t: it may be on the row.
 * One search. */
int64_t nest_deeper_until(const struct nest *nest, uint32_t row, int64_t t);
/* Until when the innermost slice is on `row`, after t, at which it is; t: not known. Two searches.
 * No slice further down begins or ends in between. */
int64_t nest_same_until(const struct nest *nest, uint32_t row, int64_t t);

/* The row and number of the slice that starts at t with its record at byte `offset`; false if there
 * is none. */
bool nest_find(const struct nest *nest, int64_t t, uint64_t offset, uint32_t *row, uint32_t *i);

struct nest_open_ends {
    /* The end of an open slice that began at `begun`: at or after that. */
    int64_t (*end)(const void *ctx, int64_t begun);
    /* The first slice of a row at or after number i that is not added up; UINT32_MAX: there is
     * none. NULL: all are. */
    uint32_t (*left_out)(const void *ctx, const struct lane *lane, uint32_t i);
    const void *ctx;
};

/* The time in [from, to) that slices cover. If slices overlap, top-level slices may be on any row;
 * then the row that covers most counts. */
int64_t nest_busy(struct nest *nest, const struct nest_open_ends *ends, int64_t from, int64_t to);
/* Adds nest_busy() of each column [edges[c], edges[c + 1]), as a share of the column, to
 * share[c]. */
void nest_busy_columns(struct nest *nest, const struct nest_open_ends *ends, const int64_t *edges,
                       int columns, double *share);

/* The time in [start, end), that of a slice on the row, which the row below leaves: its self time
 * if no slices of the thread overlap. */
int64_t nest_self(const struct nest *nest, uint32_t row, int64_t start, int64_t end);

size_t nest_bytes(const struct nest *nest);
/* writes or reads a nest after nest_flush_late(all) */
void nest_walk(struct nest *nest, struct cache *cache);

#endif
