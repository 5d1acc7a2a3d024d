/* process_busy.c - a row for each process that is drawn; a row that was not in the last frame is
 * used again. */
#include "ui/timeline/list/process_busy.h"

#include <string.h>

#include "model/trace/trace_life.h"

#define A_FRAME 512u /* threads that all headers of a frame add */
#define A_HEADER 8u  /* threads that each adds in any case */

void process_busy_frame(struct process_busy *busy) {
    busy->frame++;
    busy->added = 0;
}

void process_busy_add(struct trace *trace, struct thread *t, const struct process_busy_of *of,
                      double *share) {
    if (of->left)
        filter_lanes_busy(of->left, t->number, of->edges, of->columns, share);
    else
        trace_thread_busy(trace, t, of->edges, of->columns, share);
}

static void add_next(struct process_busy_row *row, struct trace *trace, const uint32_t *threads,
                     const struct process_busy_of *of) {
    struct thread *t = trace_thread(trace, threads[row->next++]);
    if ((nest_rows(&t->nest) == 0 && !trace_thread_scheduled(trace, t)) ||
        trace_thread_derived(trace, t))
        return;
    row->threads++;
    process_busy_add(trace, t, of, row->sums);
}

static bool is_current(const struct process_busy_row *row, const struct trace *trace,
                       const struct process_busy_of *of) {
    return row->version == trace_version(trace) && row->columns == of->columns &&
           row->from == of->edges[0] && row->to == of->edges[of->columns] &&
           row->changes == of->changes;
}

/* The row of a process; another one that the last two frames did not have, or a new one, becomes
 * its row. */
static struct process_busy_row *row_of(struct process_busy *busy, uint32_t process) {
    struct process_busy_row *free_row = NULL;
    for (size_t i = 0; i < busy->rows.n; i++) {
        struct process_busy_row *row = &busy->rows.v[i];
        if (row->process == process)
            return row;
        if (busy->frame - row->frame > 1)
            free_row = row;
    }
    if (free_row == NULL) {
        vec_push(&busy->rows, (struct process_busy_row){0});
        free_row = &busy->rows.v[busy->rows.n - 1];
    }
    free_row->process = process;
    free_row->columns = 0;
    return free_row;
}

const double *process_busy_sums(struct process_busy *busy, struct trace *trace, uint32_t process,
                                const struct process_busy_of *of, size_t *threads) {
    struct process_busy_row *row = row_of(busy, process);
    size_t n;
    const uint32_t *numbers = trace_process_threads(trace_process(trace, process), &n);
    row->frame = busy->frame;
    if (!is_current(row, trace, of)) {
        row->sums = err_realloc(row->sums, (size_t)of->columns + 1, sizeof *row->sums);
        memset(row->sums, 0, ((size_t)of->columns + 1) * sizeof *row->sums);
        row->version = trace_version(trace);
        row->from = of->edges[0];
        row->to = of->edges[of->columns];
        row->columns = of->columns;
        row->changes = of->changes;
        row->next = row->threads = 0;
    }
    size_t most = busy->added < A_FRAME - A_HEADER ? A_FRAME - busy->added : A_HEADER;
    for (size_t i = 0; i < most && row->next < n; i++, busy->added++)
        add_next(row, trace, numbers, of);
    *threads = row->threads;
    return row->sums;
}

bool process_busy_step(struct process_busy *busy, struct trace *trace,
                       const struct process_busy_of *of, struct task *task, bool *news) {
    for (size_t i = 0; i < busy->rows.n; i++) {
        struct process_busy_row *row = &busy->rows.v[i];
        size_t n = 0;
        if (row->frame != busy->frame || !is_current(row, trace, of))
            continue;
        const uint32_t *numbers = trace_process_threads(trace_process(trace, row->process), &n);
        for (; row->next < n; *news = *news || row->next == n) {
            if (task_over(task))
                return true;
            add_next(row, trace, numbers, of);
            task_spend(task, 1 + (uint32_t)of->columns);
        }
    }
    return false;
}

void process_busy_free(struct process_busy *busy) {
    for (size_t i = 0; i < busy->rows.n; i++)
        free(busy->rows.v[i].sums);
    vec_free(&busy->rows);
}
