/* slice_order.c - merges the rows of a track.
 *
 * Rows of slices that do not overlap are a tree. After a slice comes the first one inside it, which
 * is on the next row. If there is none, it is the next one of its row or of a row above. So each
 * slice is reached in constant time, and rows are looked at only if the tree is as deep. Operations
 * overlap, and some slices do: then a heap of all rows gives the earliest slice. So it does if a
 * time is damaged, or a thread ends before a slice that stays open: that parent may be left out,
 * and later slices are not.
 *
 * A slice of no length may be at the very end of its parent, or outside all slices of the window.
 * It is passed at the next chance: with the next slice that starts no earlier, or after row 0 is at
 * its end. */
#include "model/query/slice_order.h"

#define BUFFER 32u /* slices of a row that are copied at once, at most */
#define CHEAP 2    /* slices for a unit of work */
/* of a row that is read and added to the heap: little of it is in the CPU cache */
#define ROW_UNITS 20
#define HEAP_UNITS 8 /* of a run from the heap */
#define UPS 1024     /* rows passed on the way up between two looks at the clock */

void slice_order_init(struct slice_order *o, const struct trace *trace,
                      const struct slice_set *set) {
    *o = (struct slice_order){
        .trace = trace, .set = *set, .track = set->track == NO_THREAD ? 0 : set->track};
    o->set.times = o->set.times && !trace_unset_by_record(trace);
}

void slice_order_free(struct slice_order *o) {
    vec_free(&o->rows);
    vec_free(&o->slices);
    vec_free(&o->heap);
}

/* ---- tracks ---- */

/* The next track, whether or not it has slices. */
static void next_track(struct slice_order *o) {
    uint32_t groups = (uint32_t)async_group_count(trace_async(o->trace));
    o->track = o->set.track == NO_THREAD ? o->track + 1 : UINT32_MAX;
    if (o->track < SLICE_ITER_ASYNC && o->track >= trace_thread_count(o->trace))
        o->track = SLICE_ITER_ASYNC;
    if (o->track >= SLICE_ITER_ASYNC && o->track - SLICE_ITER_ASYNC >= groups)
        o->track = UINT32_MAX;
}

/* Enters the track o->track; false: there is nothing on it. */
static bool begin_track(struct slice_order *o) {
    o->rows.n = o->slices.n = o->heap.n = 0;
    o->at = 0;
    o->drained = 0;
    if (o->set.tracks && !track_set_has(o->set.tracks, o->track))
        return false;
    if (o->track < SLICE_ITER_ASYNC) {
        if ((o->set.kinds & SLICE_ITER_SLICES) == 0 || o->track >= trace_thread_count(o->trace))
            return false;
        const struct thread *t = trace_thread(o->trace, o->track);
        if (trace_thread_hidden(o->trace, t))
            return false;
        o->nrows = nest_rows(&t->nest);
        o->lanes = t->nest.lanes;
        o->overlaps = slice_iter_overlaps(o->trace, o->track);
    } else {
        uint32_t group = o->track - SLICE_ITER_ASYNC;
        if ((o->set.kinds & SLICE_ITER_OPERATIONS) == 0 ||
            group >= async_group_count(trace_async(o->trace)))
            return false;
        const struct async_group *g = async_group(trace_async(o->trace), group);
        o->nrows = async_group_rows(g);
        o->lanes = g->lanes;
        o->overlaps = true;
    }
    return o->nrows > 0;
}

/* ---- rows ---- */

static void reach_rows(struct slice_order *o, uint32_t at) {
    while (o->rows.n <= at) {
        const struct lane *lane = &o->lanes[o->rows.n];
        vec_reserve(&o->rows, o->rows.n + 1);
        struct slice_order_row *row = &o->rows.v[o->rows.n++];
        row->next = row->stop = 0;
        row->reach = INT64_MIN;
        slice_iter_row(o->trace, &o->set, o->track, lane, &row->i, &row->end);
        row->buffer = o->slices.n;
        uint32_t left = row->i < row->end ? row->end - row->i : 0,
                 n = left < BUFFER ? left : BUFFER;
        vec_reserve(&o->slices, o->slices.n + n);
        o->slices.n += n;
    }
}

/* Reaches rows up to number `at`. */
static inline void reach(struct slice_order *o, uint32_t at) {
    if (o->rows.n <= at)
        reach_rows(o, at);
}

static inline const struct slice *next_of(const struct slice_order *o, uint32_t at) {
    return &o->slices.v[o->rows.v[at].buffer + o->rows.v[at].next];
}

/* The next slice of a reached row, or NULL. */
static inline const struct slice *head(struct slice_order *o, uint32_t at) {
    struct slice_order_row *row = &o->rows.v[at];
    if (row->next != row->stop)
        return next_of(o, at);
    uint32_t end = slice_iter_sound(o->trace, &o->lanes[at], &row->i, row->end);
    if (row->i == row->end)
        return NULL;
    row->next = 0;
    row->stop = BUFFER - row->i % LANE_BLOCK;
    row->stop = row->stop < end - row->i ? row->stop : end - row->i;
    slice_iter_copy(&o->set, &o->lanes[at], row->i, row->stop, &o->slices.v[row->buffer]);
    return next_of(o, at);
}

static inline void take(struct slice_order *o, uint32_t at, uint32_t n, struct slice_run *run) {
    struct slice_order_row *row = &o->rows.v[at];
    *run = (struct slice_run){next_of(o, at), n, row->i, o->track, at};
    row->next += n;
    row->i += n;
    o->passed += n;
}

/* ---- nested rows ---- */

/* Whether a slice that starts no earlier than another can be inside it; `end` is the other's. */
static inline bool can_be_inside(const struct slice *s, int64_t end) {
    return s->start < end || (s->start == end && !slice_has_length(s));
}

/* The slices of row `at` up to one that another is inside of, or to the end of the parent. */
static void take_siblings(struct slice_order *o, uint32_t at, struct slice_run *run) {
    const struct slice *child = NULL;
    if (at + 1 < o->nrows) {
        reach(o, at + 1);
        child = head(o, at + 1);
    }
    struct slice_order_row *row = &o->rows.v[at];
    const struct slice *v = next_of(o, at);
    int64_t above = at > 0 ? row[-1].reach : INT64_MAX, end;
    uint32_t n = 0, most = row->stop - row->next;
    do
        end = slice_end(&v[n++]);
    while (n < most && (child == NULL || !can_be_inside(child, end)) &&
           can_be_inside(&v[n], above));
    row->reach = end;
    take(o, at, n, run);
    o->at = at + 1;
}

/* Slices of no length that no slice led to; false: there are none. */
static bool take_rest(struct slice_order *o, struct slice_run *run) {
    for (uint32_t looked = 0; o->drained < o->nrows && looked < UPS; looked++, o->drained++) {
        reach(o, o->drained);
        if (head(o, o->drained)) {
            struct slice_order_row *row = &o->rows.v[o->drained];
            take(o, o->drained, (uint32_t)(row->stop - row->next), run);
            return true;
        }
    }
    return false;
}

/* The next run of nested rows. False: nothing so far, or, if o->drained is o->nrows, nothing any
 * more. */
static bool from_nested(struct slice_order *o, struct slice_run *run) {
    const struct slice *s;
    uint32_t at = o->at, ups = 0;
    if (o->drained > 0)
        return take_rest(o, run);
    for (; at > 0; at--) {
        if (at < o->nrows) {
            reach(o, at);
            s = head(o, at);
            if (s && can_be_inside(s, o->rows.v[at - 1].reach))
                break;
        }
        if (++ups == UPS) {
            o->at = at - 1;
            return false;
        }
    }
    if (at == 0) {
        reach(o, 0);
        if (head(o, 0) == NULL) {
            o->drained = 1;
            return false;
        }
    }
    take_siblings(o, at, run);
    return true;
}

/* ---- overlapping rows ---- */

static int64_t next_start(const struct slice_order *o, uint32_t row) {
    return next_of(o, row)->start;
}

static bool earlier(const struct slice_order *o, uint32_t a, uint32_t b) {
    int64_t x = next_start(o, a), y = next_start(o, b);
    return x != y ? x < y : a < b;
}

static void sift_down(struct slice_order *o) {
    uint32_t *heap = o->heap.v, n = (uint32_t)o->heap.n, i = 0, row = n > 0 ? heap[0] : 0;
    for (uint32_t k = 1; k < n; k = 2 * i + 1) {
        k += k + 1 < n && earlier(o, heap[k + 1], heap[k]);
        if (!earlier(o, heap[k], row))
            break;
        heap[i] = heap[k];
        i = k;
    }
    if (n > 0)
        heap[i] = row;
}

static void heap_add(struct slice_order *o, uint32_t row) {
    size_t i = o->heap.n;
    vec_push(&o->heap, row);
    for (; i > 0 && earlier(o, row, o->heap.v[(i - 1) / 2]); i = (i - 1) / 2)
        o->heap.v[i] = o->heap.v[(i - 1) / 2];
    o->heap.v[i] = row;
}

/* Adds all rows to the heap; false: not all yet. */
static bool fill_heap(struct slice_order *o, struct task *task) {
    while (o->rows.n < o->nrows) {
        uint32_t row = (uint32_t)o->rows.n;
        reach(o, row);
        if (head(o, row))
            heap_add(o, row);
        if (!task_spend(task, ROW_UNITS))
            return o->rows.n == o->nrows;
    }
    return true;
}

static bool from_heap(struct slice_order *o, struct slice_run *run) {
    if (o->moved) { /* not before: the last run is in the buffer of this row */
        if (head(o, o->heap.v[0]) == NULL)
            o->heap.v[0] = o->heap.v[--o->heap.n];
        sift_down(o);
        o->moved = false;
    }
    if (o->heap.n == 0)
        return false;
    uint32_t row = o->heap.v[0], n = 1;
    uint32_t most = o->rows.v[row].stop - o->rows.v[row].next, other = UINT32_MAX;
    const struct slice *v = next_of(o, row);
    if (o->heap.n > 1)
        other = o->heap.v[o->heap.n > 2 && earlier(o, o->heap.v[2], o->heap.v[1]) ? 2 : 1];
    int64_t limit = other == UINT32_MAX ? INT64_MAX : next_start(o, other);
    while (n < most && (v[n].start < limit || (v[n].start == limit && row < other)))
        n++;
    take(o, row, n, run);
    o->moved = true;
    return true;
}

/* ---- all ---- */

bool slice_order_next(struct slice_order *o, struct task *task, struct slice_run *run) {
    while (o->track != UINT32_MAX && !task_over(task)) {
        task_spend(task, 1);
        if (o->nrows == 0) {
            if (begin_track(o)) {
                *run = (struct slice_run){.track = o->track};
                return true;
            }
            o->nrows = 0;
            next_track(o);
            continue;
        }
        if (o->overlaps && !fill_heap(o, task))
            return false;
        size_t rows = o->rows.n;
        bool any = o->overlaps ? from_heap(o, run) : from_nested(o, run);
        /* a row that is reached costs as a run */
        uint32_t cost = o->overlaps ? HEAP_UNITS : (uint32_t)(o->rows.n - rows);
        if (any) {
            task_spend(task, run->n / CHEAP + cost);
            return true;
        }
        task_spend(task, UPS / 16 + (o->overlaps ? 0 : cost));
        if (o->overlaps || o->drained == o->nrows) {
            o->nrows = 0;
            next_track(o);
        }
    }
    return false;
}
