/* nest_internal.h - shared by nest.c (events one by one), nest_run.c (whole buffers), nest_parts.c
 * (buffers in parts), nest_close.c (ends), nest_late.c (late events) and nest_ties.c (equal
 * begins).
 *
 * Functions on the last slice of a row need a row that has one. Times: ns relative to the reader's
 * base. */
#ifndef FXTOP_NEST_INTERNAL_H
#define FXTOP_NEST_INTERNAL_H

#include "model/nest/nest_buffer.h"

/* Takes the next event in file order: nests it, or adds it to `late`. */
void nest_take(struct nest *nest, const struct slice_extra *extra, const struct nest_item *x);
void nest_one_by_one(struct nest *nest, const struct slice_extra *extra, const struct duration *v,
                     size_t n);

/* Nests the next 0 < n <= NEST_BUFFER_EVENTS events if they are in the order of their ends; `late`
 * must be empty. Returns false, and changes nothing, if they are not, if slices overlap, or at some
 * equal times. */
bool nest_run_place(struct nest *nest, const struct slice_extra *extra, const struct duration *v,
                    uint32_t n);

/* Nests the next n events in file order: all of them, or parts of them, as runs, the others one by
 * one. */
void nest_parts(struct nest *nest, const struct slice_extra *extra, const struct duration *v,
                uint32_t n);

enum {
    NEST_PAIR = NEST_COMPLETE + 1, /* an item: a begin and its end, matched */
    NEST_WRONG_BEGIN,              /* a slice that is apart, and begins with a wrong time */
};

struct nest_effect {    /* of late events on the slices that are nested already */
    int64_t from;       /* slices from here on are nested again; INT64_MAX: none */
    int64_t last_stack; /* of the nest with these events */
    bool unmatch;       /* begins and ends are matched again */
};

/* v[0..n) must be sorted by time. */
struct nest_effect nest_effect_of(const struct nest *nest, const struct nest_item *v, size_t n);

/* slices that a new nest may nest again at once; more come with the events */
#define SETTLE_FIRST 1024u

/* Nests the one late event at once if no begin or end is matched again, and few slices move. False:
 * it waits. */
bool nest_settle(struct nest *nest, const struct slice_extra *extra);

struct lane *nest_add_row(struct nest *nest);

/* Appends x, which must be the last in nesting order [N5], on the row below its parent, and sets
 * its flags. allow_open: an open slice may be inside a slice that has an end [N7]. */
void nest_place(struct nest *nest, const struct slice_extra *extra, const struct nest_item *x,
                bool allow_open);

/* Puts x, which is after the others that are apart, on a row of damaged slices [N12]. */
void nest_place_apart(struct nest *nest, const struct slice_extra *extra,
                      const struct nest_item *x);

/* Merges slices of the stack with complete events that begin at the same time, in v[0..n), which is
 * sorted but for these ties. False: cancelled. */
bool nest_ties_merge(struct task *task, struct nest_item *v, size_t n);

/* The last slice of a row. */
static inline struct slice *nest_tail(const struct nest *nest, uint32_t row) {
    return lane_last(&nest->lanes[row]);
}

static inline bool nest_open_at(const struct nest *nest, uint32_t row) {
    return nest->lanes[row].end == INT64_MAX && slice_open(nest_tail(nest, row));
}

static inline bool nest_flagged(const struct slice *s, enum slice_flag flag) {
    return (slice_flags(s) & flag) != 0;
}

/* Whether records of the thread's writer were lost between two records: then an end closes by its
 * name (SEMANTICS 6.12). */
static inline bool nest_lost(const struct nest *nest, const struct slice_extra *extra,
                             uint64_t from, uint64_t to) {
    return extra && extra->lost && extra->lost(extra->ctx, nest->writer, from, to);
}

/* Whether some ends may close by name. */
static inline bool nest_by_name(const struct nest *nest, const struct slice_extra *extra) {
    return nest->named || nest_lost(nest, extra, 0, UINT64_MAX);
}

/* Whether the slice with a mismatch has lost its end. offset: of its begin. */
static inline bool nest_end_lost(const struct nest *nest, const struct slice_extra *extra,
                                 uint64_t offset) {
    return nest->named || extra->get(extra->ctx, offset + SLICE_EXTRA_LOST) == 1;
}

/* Notes whether the mismatch of a slice is a lost end. */
static inline void nest_note_lost(struct nest *nest, const struct slice_extra *extra,
                                  uint64_t offset, bool lost) {
    if (!nest->named && extra->lost && (lost || nest_end_lost(nest, extra, offset)))
        extra->set(extra->ctx, offset + SLICE_EXTRA_LOST, lost);
    nest->ends_lost += lost && !nest->named;
}

/* Whether an end at that time that closed nothing may close a begin of its time. */
static inline bool nest_claims(const struct nest *nest, int64_t time) {
    return nest->named && nest->strays.n > 0 && nest->strays.v[nest->strays.n - 1].time == time;
}

static inline uint64_t nest_offset(const struct nest_item *x) {
    return event_offset(x->packed);
}

static inline bool nest_item_open(const struct nest_item *x) {
    return x->end == 0 && !(x->flags & SLICE_COMPLETE);
}

/* INT64_MAX while open. */
static inline int64_t nest_item_end(const struct nest_item *x) {
    return nest_item_open(x) ? INT64_MAX : x->start + x->dur;
}

/* Time at which an event ends. */
static inline int64_t nest_event_end(const struct nest_item *x) {
    return x->event == NEST_COMPLETE ? x->start + x->dur : x->start;
}

static inline bool nest_fresh_complete(const struct duration *x) {
    return x->dur >= 0;
}

static inline int64_t nest_fresh_end(const struct duration *x) {
    return x->time + (x->dur & -(int64_t)(x->dur >= 0));
}

/* A slice without a known end is nested as one of no length. */
static inline struct nest_item nest_item_of(const struct duration *x) {
    bool complete = nest_fresh_complete(x);
    if (x->dur == DURATION_UNENDED)
        return (struct nest_item){
            .start = x->time, .packed = x->packed, .flags = SLICE_UNENDED, .event = NEST_COMPLETE};
    enum nest_event half = x->dur == DURATION_BEGINS ? NEST_BEGIN : NEST_END;
    return (struct nest_item){.start = x->time,
                              .dur = complete ? x->dur : SLICE_OPEN,
                              .packed = x->packed,
                              .flags = complete ? SLICE_COMPLETE : 0,
                              .event = complete ? NEST_COMPLETE : half};
}

/* SEMANTICS 6.1: begins, ends and complete events of no length nest as a stack does. */
static inline bool nest_of_stack(const struct slice *s) {
    return !nest_flagged(s, SLICE_COMPLETE) || slice_dur(s) == 0;
}

static inline bool nest_item_of_stack(const struct nest_item *x) {
    return !(x->flags & SLICE_COMPLETE) || x->dur == 0;
}

/* Whether an end has a name, and another one than its begin. Both are packed. */
static inline bool nest_name_differs(uint64_t begin, uint64_t end) {
    return (end >= EVENT_WORDS) & ((begin ^ end) >= EVENT_WORDS);
}

/* The slice as it is kept in a row; its end goes to the side table if it does not fit. */
static inline struct slice nest_slice(const struct slice_extra *extra, const struct nest_item *x,
                                      unsigned flags) {
    uint64_t end = x->end == 0 ? UINT64_MAX : (x->end - 1) * 8;
    struct slice s = slice_make(x->start, x->dur, x->packed, end, flags);
    if (slice_end_in_side_table(&s))
        extra->set(extra->ctx, slice_offset(&s) + SLICE_EXTRA_END, end);
    return s;
}

static inline void nest_add_stray(struct nest *nest, int64_t time, uint64_t offset) {
    vec_push(&nest->strays, ((struct nest_stray){time, offset}));
}

/* End of the parent of a row's last slice; INT64_MAX if it has none. */
int64_t nest_parent_end(const struct nest *nest, const struct slice_extra *extra, uint32_t row);

#endif
