/* processes.c - reads the begins and ends of operations of processes, joins those of a process, and
 * puts children below their parents. */
#include "model/query/stat/tables/processes.h"

#include <stdlib.h>

#include "model/query/detail.h"
#include "src/base/u64map.h"

#define OPERATION_UNITS 16

void processes_free(struct processes *p) {
    vec_free(&p->rows);
    vec_free(&p->bytes);
}

struct str processes_command(const struct processes *p, const struct processes_row *row) {
    if (row->length == 0)
        return trace_name(p->trace, row->name);
    return (struct str){p->bytes.v + row->text, row->length};
}

/* ---- operations ---- */

static void read_end(struct trace *trace, struct processes_row *row) {
    struct detail d;
    struct detail_argument a;
    if (!detail_open(&d, trace, row->last))
        return;
    struct fxt_arguments args = d.record.args;
    while (detail_argument(&d, &args, &a)) {
        bool status = str_eq(a.name, STR("status")), peak = str_eq(a.name, STR("peak bytes"));
        if (a.type != FXT_ARG_UINT64)
            continue;
        if (status || str_eq(a.name, STR("signal"))) {
            row->how = status ? END_STATUS : END_SIGNAL;
            row->status = a.bits;
        } else if (peak || str_eq(a.name, STR("peak bytes with children"))) {
            row->of_peak = peak ? PEAK_EXACT : PEAK_WITH_CHILDREN;
            row->peak = a.bits;
        } else if (str_eq(a.name, STR("cpu ns"))) {
            row->has_cpu = true;
            row->cpu = a.bits;
        }
    }
}

struct work {
    struct task *task;
    struct processes *p;
    VEC(struct processes_row) found; /* `parent`: the process, or PROCESSES_NONE */
};

static void add(struct work *w, uint32_t process, const struct slice *s) {
    struct trace *trace = w->p->trace;
    struct detail d;
    struct detail_argument parent, command;
    if (!detail_open(&d, trace, slice_offset(s)) || !str_eq(d.category, STR("process")) ||
        !detail_find(&d, "parent", &parent) || parent.type != FXT_ARG_KOID)
        return;
    struct processes_row row = {
        .process = process,
        .parent =
            trace_pid_process(trace, reader_world_at(trace_reader(trace), d.offset), parent.bits),
        .name = slice_name(s),
        .start = s->start,
        .open = slice_open(s),
        .begin = slice_offset(s),
        .text = w->p->bytes.n};
    row.end = row.open ? trace_end(trace) : slice_end(s);
    if (row.end < row.start) /* at a damaged time, which is not in the span */
        row.end = row.start;
    row.last = row.open ? 0 : slice_extra_end_offset(trace_slice_extra(trace), s);
    if (detail_find(&d, "command", &command) && command.type == FXT_ARG_STRING)
        for (size_t i = 0; i < command.string.n; i++)
            vec_push(&w->p->bytes, command.string.s[i]);
    row.length = w->p->bytes.n - row.text;
    if (row.last > 0)
        read_end(trace, &row);
    vec_push(&w->found, row);
}

static void find(struct work *w) {
    const struct async *async = trace_async(w->p->trace);
    for (size_t k = 0; k < async_group_count(async); k++) {
        struct async_group *g = async_group(async, k);
        for (uint32_t row = 0; row < async_group_rows(g); row++) {
            const struct lane *lane = async_group_row(g, row);
            for (uint32_t i = 0; i < lane->n; i++) {
                if (!task_spend(w->task, OPERATION_UNITS))
                    return;
                add(w, g->process, lane_at(lane, i));
            }
        }
    }
}

static int by_start(const void *a, const void *b) {
    const struct processes_row *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* ---- the tree ---- */

struct links {                          /* of a row, among rows in the order of their begin */
    uint32_t parent, first, last, next; /* the first child, the last one, the next sibling */
};

/* Joins operations that follow each other in a process, and finds the parents of the others: the
 * latest of their process so far. Returns the number of rows. */
static uint32_t join(struct work *w, struct links *links) {
    struct u64map latest = {0}; /* process -> row */
    struct processes_row *v = w->found.v;
    uint32_t n = 0;
    for (size_t i = 0; i < w->found.n; i++) {
        uint64_t own = u64map_get(&latest, v[i].process);
        if (own != UINT64_MAX && !v[own].open && v[own].end == v[i].start) {
            int64_t start = v[own].start;
            uint32_t parent = v[own].parent;
            v[own] = v[i];
            v[own].start = start;
            v[own].parent = parent;
            continue;
        }
        uint64_t parent = v[i].parent == PROCESSES_NONE || v[i].parent == v[i].process
                              ? UINT64_MAX
                              : u64map_get(&latest, v[i].parent);
        v[n] = v[i];
        v[n].parent = parent == UINT64_MAX ? PROCESSES_NONE : (uint32_t)parent;
        links[n] = (struct links){v[n].parent, PROCESSES_NONE, PROCESSES_NONE, PROCESSES_NONE};
        u64map_set(&latest, v[n].process, n);
        n++;
    }
    u64map_free(&latest);
    return n;
}

static void append(struct links *links, struct links *roots, uint32_t i) {
    struct links *up = links[i].parent == PROCESSES_NONE ? roots : &links[links[i].parent];
    if (up->last == PROCESSES_NONE)
        up->first = i;
    else
        links[up->last].next = i;
    up->last = i;
}

/* Puts rows in the order of a walk, parents first. place: of each row in that order. */
static void walk(struct work *w, const struct links *links, uint32_t first, uint32_t *place) {
    uint32_t at = first;
    while (at != PROCESSES_NONE) {
        struct processes_row row = w->found.v[at];
        if (row.parent != PROCESSES_NONE) {
            row.parent = place[row.parent];
            row.depth = w->p->rows.v[row.parent].depth + 1;
        }
        place[at] = (uint32_t)w->p->rows.n;
        vec_push(&w->p->rows, row);
        if (links[at].first != PROCESSES_NONE) {
            at = links[at].first;
            continue;
        }
        while (at != PROCESSES_NONE && links[at].next == PROCESSES_NONE)
            at = links[at].parent;
        at = at == PROCESSES_NONE ? at : links[at].next;
    }
}

static void make_tree(struct work *w) {
    if (w->found.n == 0)
        return;
    qsort(w->found.v, w->found.n, sizeof *w->found.v, by_start);
    struct links *links = err_calloc(w->found.n, sizeof *links), roots = {0};
    uint32_t *place = err_calloc(w->found.n, sizeof *place), n = join(w, links);
    roots.first = roots.last = PROCESSES_NONE;
    for (uint32_t i = 0; i < n; i++)
        append(links, &roots, i);
    walk(w, links, roots.first, place);
    free(links);
    free(place);
}

/* ---- peaks ---- */

/* Without a better number: the greatest sample of resident memory while it lived. */
static void sample_peaks(struct work *w) {
    const struct counters *counters = trace_counters(w->p->trace);
    struct u64map of = {0}; /* process -> series */
    for (size_t i = 0; i < counter_series_count(counters); i++)
        if (str_eq(trace_name(w->p->trace, counter_series(counters, i)->name), STR("rss")))
            u64map_set(&of, counter_series(counters, i)->process, i);
    for (size_t i = 0; i < w->p->rows.n && task_spend(w->task, OPERATION_UNITS); i++) {
        struct processes_row *row = &w->p->rows.v[i];
        uint64_t k = u64map_get(&of, row->process);
        size_t least, most;
        if (row->of_peak != PEAK_UNKNOWN || k == UINT64_MAX)
            continue;
        struct counter_series *series = counter_series(counters, k);
        size_t from = counter_from(series, row->start), to = counter_from(series, row->end);
        if (!counter_extent(series, from, to, &least, &most))
            continue;
        double value = counter_value(counter_sample(series, most));
        row->peak = value > 0 && value < 9e18 ? (uint64_t)value : 0;
        row->of_peak = PEAK_SAMPLED;
    }
    u64map_free(&of);
}

void processes_make(struct task *task, struct processes *p) {
    struct work w = {.task = task, .p = p};
    find(&w);
    if (!task_over(task)) {
        make_tree(&w);
        sample_peaks(&w);
    }
    vec_free(&w.found);
}
