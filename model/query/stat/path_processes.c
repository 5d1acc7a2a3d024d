/* path_processes.c - goes over the table of processes, parents first. */
#include "model/query/stat/path_processes.h"

#include <stdlib.h>

#include "model/query/process_label.h"
#include "model/query/stat/tables/processes.h"
#include "src/base/units.h"

#define LABEL_UNITS 100 /* of work: a few records are decoded */

struct used {    /* by a process, by its place in the trace */
    int64_t ran; /* ns in the range; -1: not known */
    bool asked;  /* a thread of it is in the tracks of the range */
};

struct frame { /* of a row of the table, in the range */
    uint32_t node;
    int64_t until; /* the time before this is counted, for the process or a child */
    int64_t end;
};

static void add_threads(struct trace *trace, const struct range *range, struct used *v) {
    for (uint32_t i = 0; i < trace_thread_count(trace); i++) {
        uint32_t process = trace_thread(trace, i)->process;
        if (process == NO_PROCESS || !range_has_track(range, i))
            continue;
        int64_t ran = range_running(range, trace, i);
        v[process].asked = true;
        if (ran >= 0)
            v[process].ran = units_sum(v[process].ran < 0 ? 0 : v[process].ran, ran);
    }
}

static int64_t within(int64_t t, int64_t from, int64_t to) {
    if (t < from)
        return from;
    return t < to ? t : to;
}

/* The part of a life that no child before has taken becomes the child's. */
static void take_from(struct path_tree *tree, struct frame *parent, const struct frame *child) {
    int64_t from = within(child->until, parent->until, parent->end),
            to = within(child->end, from, parent->end);
    path_tree_add(tree, parent->node, PATH_WALL, -units_since(from, to));
    parent->until = to;
}

static uint32_t label(struct trace *trace, const struct processes_row *row, struct names *labels) {
    char buf[PROCESS_LABEL];
    size_t n = process_label(trace, row->process, buf);
    struct str name = n > 0 ? (struct str){buf, n} : trace_name(trace, row->name);
    return names_intern(labels, name.s, name.n);
}

void path_processes_add(struct task *task, struct trace *trace, const struct range *range,
                        struct path_tree *tree, struct names *labels,
                        struct path_processes *counts) {
    struct processes table = {.trace = trace};
    int64_t first = range_begin(range, trace), last = range_end(range, trace);
    size_t n = trace_process_count(trace);
    struct used *used = err_calloc(n + 1, sizeof *used);
    for (size_t i = 0; i < n; i++)
        used[i].ran = -1;
    add_threads(trace, range, used);
    *counts = (struct path_processes){0};
    processes_make(task, &table);
    struct frame *frames = err_calloc(table.rows.n + 1, sizeof *frames);
    for (size_t i = 0; i < table.rows.n && task_spend(task, LABEL_UNITS); i++) {
        const struct processes_row *row = &table.rows.v[i];
        struct frame *parent = row->parent == PROCESSES_NONE ? NULL : &frames[row->parent];
        uint32_t above = parent ? parent->node : PATH_ROOT, name = label(trace, row, labels);
        struct frame *f = &frames[i];
        f->node = path_tree_child(tree, above, name, path_tree_hash(above, name));
        f->until = within(row->start, first, last);
        f->end = within(row->end, f->until, last);
        if (!used[row->process].asked || !range_overlaps(range, row->start, row->end)) {
            f->end = f->until; /* nothing of it counts */
            continue;
        }
        counts->processes++;
        counts->open += row->open;
        path_tree_add(tree, f->node, PATH_COUNT, 1);
        path_tree_add(tree, f->node, PATH_WALL, units_since(f->until, f->end));
        if (used[row->process].ran > 0)
            path_tree_add(tree, f->node, PATH_RUNNING, used[row->process].ran);
        counts->scheduled += used[row->process].ran >= 0;
        used[row->process].ran = 0; /* it may have several lives */
        if (parent)
            take_from(tree, parent, f);
    }
    free(frames);
    free(used);
    processes_free(&table);
}
