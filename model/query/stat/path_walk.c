/* path_walk.c - goes over the rows of each thread, outermost first.
 *
 * The node of a slice is a child of that of its parent, so the nodes of the row above are kept.
 * Slices of both rows come by start: a slice's parent is found by moving along the row above. If
 * slices of the thread do not overlap, each adds its time to its own node and takes it from that of
 * its parent. This leaves self times.
 *
 * On other threads a parent may be on any row above, so that the nodes of the whole thread are
 * kept. Self time comes from a second pass, in nesting order: the time up to the begin of a slice
 * goes to the last slice in that order that covers (struct slice_order_stack). So it does if an
 * open slice ends with its thread, before slices that are inside it.
 *
 * Running time is the difference of two readings of the time that the thread ran so far.
 *
 * Samples are instants: each belongs to the slice that is found for it as for any point, see
 * SEMANTICS 7.4. */
#include "model/query/stat/path_walk.h"

#include <string.h>

#include "model/query/detail.h"
#include "model/query/stat/sample_iter.h"
#include "src/base/units.h"

#define CHUNK 256u       /* slices between two looks at the clock */
#define CHEAP 2          /* slices for a unit of work */
#define NEW_UNITS 16     /* of a new node: its memory was not touched before */
#define THREAD_UNITS 128 /* of a thread: its time and its running time are sought */
#define NO_PARENT_NODE UINT32_MAX

void path_walk_init(struct path_walk *w, struct trace *trace, const struct range *range,
                    struct path_tree *tree) {
    *w = (struct path_walk){.trace = trace, .range = range, .tree = tree};
    w->set = range_slices(range, SLICE_ITER_SLICES);
}

void path_walk_free(struct path_walk *w) {
    vec_free(&w->rows);
    vec_free(&w->nodes);
    vec_free(&w->covers.v);
}

/* ---- threads ---- */

static const struct nest *nest_of(const struct path_walk *w) {
    return &trace_thread(w->trace, w->thread)->nest;
}

static bool of_samples(const struct path_walk *w) {
    return w->unit >= PATH_SAMPLES;
}

static void begin_thread(struct path_walk *w) {
    const struct thread *t = trace_thread(w->trace, w->thread);
    /* samples need the nodes of all rows */
    w->overlaps = of_samples(w) || slice_iter_overlaps(w->trace, w->thread);
    w->any = false;
    w->covered = w->ran = 0;
    w->rows.n = w->nodes.n = 0;
    w->top = PATH_ROOT;
    sched_life_cursor_init(&w->cursor,
                           w->running ? sched_thread(trace_sched(w->trace), w->thread) : NULL);
    if (w->threads)
        w->top =
            path_tree_child(w->tree, PATH_ROOT, t->number, path_tree_hash(PATH_ROOT, t->number));
}

/* Whether the current thread is in the range and has slices. */
static bool is_walked(const struct path_walk *w) {
    const struct thread *t = trace_thread(w->trace, w->thread);
    if (w->unit != PATH_TIME && t->sampled != of_samples(w))
        return false;
    return nest_rows(&t->nest) > 0 && !trace_thread_hidden(w->trace, t) &&
           (w->set.tracks == NULL || track_set_has(w->set.tracks, w->thread));
}

/* Adds the time that no slice covers. */
static void end_thread(struct path_walk *w) {
    int64_t rest = units_since(w->covered, range_thread_time(w->range, w->trace, w->thread));
    w->with_slices++;
    if (of_samples(w))
        return;
    if (rest > 0)
        path_tree_add(w->tree, PATH_NO_SLICE_NODE, PATH_WALL, rest);
    int64_t running = range_running(w->range, w->trace, w->thread);
    if (running < 0)
        return;
    w->scheduled++;
    if (w->running && running > w->ran)
        path_tree_add(w->tree, PATH_NO_SLICE_NODE, PATH_RUNNING, running - w->ran);
}

/* ---- rows ---- */

static const struct path_row *row_at(const struct path_walk *w, uint32_t row) {
    return &w->rows.v[w->overlaps ? row : row % 2];
}

/* Finds the slices of the next row and makes space for their nodes. */
static void begin_row(struct path_walk *w) {
    const struct lane *lane = nest_row(nest_of(w), w->row);
    struct path_row r = {.end = lane->n};
    if (w->set.from > INT64_MIN || w->set.to < INT64_MAX)
        slice_iter_window(lane, w->set.from, w->set.to, &r.first, &r.end);
    if (r.first > 0 && slice_end(lane_at(lane, r.first - 1)) == w->set.from)
        r.first--;
    if (w->overlaps) {
        r.base = w->nodes.n;
    } else {
        const struct path_row *above = w->row > 0 ? row_at(w, w->row - 1) : NULL;
        size_t n = above ? above->end - above->first : 0;
        if (above && above->base > 0) /* the row above moves to the front, over the one above it */
            memmove(w->nodes.v, w->nodes.v + above->base, n * sizeof *w->nodes.v);
        if (above)
            w->rows.v[(w->row - 1) % 2].base = 0;
        w->nodes.n = r.base = n;
    }
    vec_reserve(&w->nodes, r.base + (r.end - r.first));
    size_t at = w->overlaps ? w->row : w->row % 2;
    if (w->rows.n <= at)
        vec_push(&w->rows, r);
    else
        w->rows.v[at] = r;
    w->i = r.first;
    w->parent = w->row > 0 && !w->overlaps ? row_at(w, w->row - 1)->first : 0;
}

/* slices whose slots and nodes are fetched together: they are rarely in the CPU cache */
#define BATCH 32

struct found {                    /* a slice on its way to its node */
    uint32_t parent, above, name; /* entry and node of its parent */
    uint64_t hash;
};

/* The current row while its slices are added. */
struct pass {
    struct path_walk *w;
    const struct lane *above; /* NULL: row 0 */
    const uint32_t *nodes;    /* of the row above: of slice `first` on */
    uint32_t first, end;
    int64_t next; /* start of the slice after the parent; INT64_MAX: there is none */
    int64_t from, to;
    bool damaged;         /* there are damaged slices */
    bool unset;           /* there are unset times */
    uint32_t read, known; /* the slices of the row above whose starts are read: [read, known) */
    int64_t starts[LANE_BLOCK]; /* theirs */
    struct found found[BATCH];
};

/* The start of the slice after the parent, on the row above. */
static inline int64_t start_after(struct pass *p, uint32_t parent) {
    uint32_t i = parent + 1;
    if (i >= p->end)
        return INT64_MAX;
    if (i >= p->known) {
        uint32_t n = LANE_BLOCK - i % LANE_BLOCK;
        p->read = i;
        p->known = i + (n < p->end - i ? n : p->end - i);
        lane_starts(p->above, i, p->known - i, p->starts);
    }
    return p->starts[i - p->read];
}

/* The parent's entry in `nodes`; NO_PARENT_NODE: there is none. */
static inline uint32_t parent_of(struct pass *p, const struct slice *s) {
    struct path_walk *w = p->w;
    if (p->above == NULL || (p->unset && trace_unset_slice(w->trace, s)))
        return NO_PARENT_NODE;
    if (w->overlaps) {
        uint32_t row, i;
        const struct path_row *r;
        if (!nest_parent(nest_of(w), trace_slice_extra(w->trace), w->row, w->i, &row, &i))
            return NO_PARENT_NODE;
        r = &w->rows.v[row];
        return i >= r->first && i < r->end ? w->nodes.v[r->base + (i - r->first)] : NO_PARENT_NODE;
    }
    uint32_t parent = w->parent;
    if (!slice_has_length(s)) {
        parent = slice_parent(s);
    } else {
        while (parent + 1 < p->end && p->next <= s->start) { /* both may be INT64_MAX */
            parent = ++w->parent;
            p->next = start_after(p, parent);
        }
    }
    return parent >= p->first && parent < p->end ? p->nodes[parent - p->first] : NO_PARENT_NODE;
}

static inline uint32_t name_of(struct path_walk *w, const struct slice *s) {
    uint32_t name = event_name(s->begin_word);
    return name == EVENT_NAME_MAX ? trace_packed_name(w->trace, s->begin_word) : name;
}

/* The node that gets the weights of a slice. */
static inline uint32_t owner(uint32_t entry) {
    return entry & PATH_WALK_OUT ? PATH_LEFT_OUT_NODE : entry;
}

static inline void take_time(struct pass *p, uint32_t entry, uint32_t parent, int64_t start,
                             int64_t end) {
    struct path_walk *w = p->w;
    int64_t ns = units_since(start, end), ran = 0;
    if (w->cursor.t)
        ran = sched_life_ran(&w->cursor, start);
    if (w->cursor.t)
        ran = sched_life_ran(&w->cursor, end) - ran;
    path_tree_add(w->tree, owner(entry), PATH_WALL, ns);
    if (ran > 0)
        path_tree_add(w->tree, owner(entry), PATH_RUNNING, ran);
    if (parent == NO_PARENT_NODE) {
        w->covered = units_sum(w->covered, ns);
        w->ran = units_sum(w->ran, ran);
        return;
    }
    path_tree_add(w->tree, owner(parent), PATH_WALL, -ns);
    if (ran > 0)
        path_tree_add(w->tree, owner(parent), PATH_RUNNING, -ran);
}

static inline void find_slice(struct pass *p, const struct slice *s, struct found *f) {
    struct path_walk *w = p->w;
    f->parent = parent_of(p, s);
    f->above = f->parent == NO_PARENT_NODE ? w->top : f->parent & ~PATH_WALK_OUT;
    f->name = name_of(w, s);
    f->hash = path_tree_hash(f->above, f->name);
    path_tree_fetch_slot(w->tree, f->hash);
}

/* Whether the filter leaves a slice out. */
static bool is_out(struct path_walk *w, uint32_t parent) {
    bool in = w->inside && parent != NO_PARENT_NODE && parent != w->top;
    return w->set.has && !(in && !(parent & PATH_WALK_OUT)) &&
           !w->set.has(w->set.ctx, w->thread, w->row, w->i);
}

static void add_slice(struct pass *p, const struct slice *s, const struct found *f) {
    struct path_walk *w = p->w;
    uint32_t parent = f->parent;
    if (p->damaged && trace_damaged_slice(w->trace, s)) { /* no frame */
        w->nodes.v[w->nodes.n++] = parent == NO_PARENT_NODE ? w->top : parent;
        return;
    }
    uint32_t entry = path_tree_child(w->tree, f->above, f->name, f->hash);
    int64_t start = s->start > p->from ? s->start : p->from,
            last = slice_iter_end(w->trace, w->thread, s);
    int64_t end = last < p->to ? last : p->to;
    if (last > p->from || s->start >= p->from) {
        w->any = true;
        if (is_out(w, parent))
            entry |= PATH_WALK_OUT;
        path_tree_add(w->tree, owner(entry), PATH_COUNT, 1);
        w->slices += (entry & PATH_WALK_OUT) == 0;
        w->open += (entry & PATH_WALK_OUT) == 0 && slice_open(s);
        if (of_samples(w))
            end = start;
        if (end > start && p->unset && trace_unset_slice(w->trace, s))
            /* it covers nothing */
            path_tree_add(w->tree, owner(entry), PATH_WALL, units_since(start, end));
        else if (end > start && !w->overlaps)
            take_time(p, entry, parent, start, end);
    }
    w->nodes.v[w->nodes.n++] = entry; /* begin_row() has made space */
}

static void add_chunk(struct pass *p, const struct slice *v, uint32_t n) {
    struct path_walk *w = p->w;
    struct found *found = p->found;
    for (uint32_t done = 0; done < n;) {
        uint32_t first = w->i, batch = n - done < BATCH ? n - done : BATCH;
        for (uint32_t k = 0; k < batch; k++, w->i++)
            find_slice(p, v + done + k, &found[k]);
        for (uint32_t k = 0; k < batch; k++)
            path_tree_fetch_node(w->tree, found[k].hash);
        w->i = first;
        for (uint32_t k = 0; k < batch; k++, w->i++)
            add_slice(p, v + done + k, &found[k]);
        done += batch;
    }
}

/* Adds the slices of the current row. False: cancelled. */
static bool add_row(struct task *task, struct path_walk *w) {
    const struct nest *nest = nest_of(w);
    const struct lane *lane = nest_row(nest, w->row);
    const struct path_row *r = row_at(w, w->row),
                          *above = w->row > 0 ? row_at(w, w->row - 1) : NULL;
    struct pass p = {.w = w,
                     .from = w->set.from,
                     .to = w->set.to,
                     .damaged = trace_damaged_slices(w->trace) > 0,
                     .unset = trace_unset_times(w->trace) > 0};
    if (above) {
        p.above = nest_row(nest, w->row - 1);
        p.first = above->first;
        p.end = above->end;
        p.nodes = w->nodes.v ? w->nodes.v + above->base : NULL; /* both rows may be empty */
        p.next = start_after(&p, w->parent);
    }
    bool records = p.damaged || trace_unset_by_record(w->trace);
    struct slice v[CHUNK];
    uint32_t costly = w->overlaps || w->cursor.t || w->set.has ? 4 : 1;
    while (w->i < r->end) {
        uint32_t n = CHUNK - w->i % CHUNK, nodes = (uint32_t)w->tree->nodes.n;
        n = n < r->end - w->i ? n : r->end - w->i;
        if (records)
            lane_copy(lane, w->i, n, v);
        else
            lane_copy_times(lane, w->i, n, v);
        add_chunk(&p, v, n);
        nodes = (uint32_t)w->tree->nodes.n - nodes;
        if (!task_spend(task, nodes * NEW_UNITS + n / CHEAP * costly))
            return false;
    }
    return true;
}

/* One row after the other. Below a row without slices there are none. False: cancelled. */
static bool add_rows(struct task *task, struct path_walk *w) {
    for (w->row = 0; w->row < nest_rows(nest_of(w)); w->row++) {
        begin_row(w);
        if (!w->overlaps && row_at(w, w->row)->first == row_at(w, w->row)->end)
            return true;
        if (!task_spend(task, 2) || !add_row(task, w))
            return false;
    }
    return true;
}

/* ---- the second pass of threads with overlaps ---- */

static void give_time(void *ctx, uint64_t node, int64_t from, int64_t to) {
    struct path_walk *w = ctx;
    int64_t ns = units_since(from, to), ran = 0;
    if (w->cursor.t)
        ran = sched_life_ran(&w->cursor, from);
    if (w->cursor.t)
        ran = sched_life_ran(&w->cursor, to) - ran;
    path_tree_add(w->tree, (uint32_t)node, PATH_WALL, ns);
    path_tree_add(w->tree, (uint32_t)node, PATH_RUNNING, ran);
    w->covered = units_sum(w->covered, ns);
    w->ran = units_sum(w->ran, ran);
}

static void add_cover(struct path_walk *w, const struct slice_run *run, uint32_t k) {
    const struct slice *s = &run->v[k];
    const struct path_row *r = &w->rows.v[run->row];
    int64_t start = s->start > w->set.from ? s->start : w->set.from,
            end = slice_iter_end(w->trace, w->thread, s);
    end = end < w->set.to ? end : w->set.to;
    if (end <= start || trace_unset_slice(w->trace, s))
        return;
    slice_order_put(&w->covers, owner(w->nodes.v[r->base + (run->i + k - r->first)]), start, end,
                    give_time, w);
}

/* False: cancelled. */
static bool add_covers(struct task *task, struct path_walk *w) {
    struct slice_set set = w->set;
    struct slice_order order;
    struct slice_run run;
    set.track = w->thread;
    set.has = NULL;
    set.times = true;
    slice_order_init(&order, w->trace, &set);
    w->covers.v.n = 0;
    while (slice_order_next(&order, task, &run)) {
        for (uint32_t k = 0; k < run.n; k++)
            add_cover(w, &run, k);
        task_spend(task, run.n * (w->cursor.t ? 4 : 1));
    }
    slice_order_free(&order);
    if (!task_over(task))
        slice_order_until(&w->covers, INT64_MAX, give_time, w);
    return !task_over(task);
}

/* ---- samples ---- */

#define SAMPLE_UNITS 16

/* The off-CPU time of a sample, or its argument `weight`; 1: it has none. */
static int64_t weight_of(const struct path_walk *w, const struct sample *sample) {
    struct detail d;
    struct detail_argument a;
    if (w->unit == PATH_OFF_CPU)
        return units_since(sample->from, sample->to);
    if (w->unit == PATH_SAMPLES || !detail_open(&d, w->trace, sample->at.offset) ||
        !detail_find(&d, "weight", &a) || a.type != FXT_ARG_UINT64)
        return 1;
    return a.bits < INT64_MAX ? (int64_t)a.bits : INT64_MAX;
}

/* The node of the innermost frame at a sample; without one, that of the thread or of no slice. */
static uint32_t node_at(const struct path_walk *w, const struct moment *at) {
    const struct trace_point point = {.thread = w->thread, .at = *at};
    uint32_t none = w->threads ? w->top : PATH_NO_SLICE_NODE, row, i;
    if (!trace_point_slice(w->trace, &point, &row, &i) || row >= w->rows.n)
        return none;
    const struct path_row *r = &w->rows.v[row];
    return i >= r->first && i < r->end ? owner(w->nodes.v[r->base + (i - r->first)]) : none;
}

/* False: cancelled. */
static bool add_samples(struct task *task, struct path_walk *w) {
    struct sample_iter iter;
    struct sample sample;
    sample_iter_init(&iter, w->trace, w->thread, w->range);
    while (sample_iter_next(&iter, &sample)) {
        if (!task_spend(task, SAMPLE_UNITS))
            return false;
        if (sample.blocked == (w->unit == PATH_OFF_CPU))
            path_tree_add(w->tree, node_at(w, &sample.at), PATH_WALL, weight_of(w, &sample));
    }
    return true;
}

/* ---- all ---- */

static bool add_times(struct task *task, struct path_walk *w) {
    if (of_samples(w))
        return add_samples(task, w);
    return !w->overlaps || !w->any || add_covers(task, w);
}

static void add_thread(struct task *task, struct path_walk *w) {
    begin_thread(w);
    if (!add_rows(task, w) || !add_times(task, w))
        return;
    if (w->any)
        end_thread(w);
    task_spend(task, THREAD_UNITS);
}

static bool has_slices(const struct trace *trace) {
    for (uint32_t i = 0; i < trace_thread_count(trace); i++)
        if (nest_rows(&trace_thread(trace, i)->nest) > 0)
            return true;
    return false;
}

void path_walk_make(struct task *task, void *walk) {
    struct path_walk *w = walk;
    if (!w->set.has && (w->processes_alone || !has_slices(w->trace))) {
        w->labelled = true;
        path_processes_add(task, w->trace, w->range, w->tree, w->labels, &w->processes);
        w->open = w->processes.open;
        w->scheduled = w->processes.scheduled;
        return;
    }
    for (w->thread = 0; w->thread < trace_thread_count(w->trace); w->thread++) {
        if (is_walked(w))
            add_thread(task, w);
        if (!task_spend(task, 1))
            return;
    }
}
