/* track_process.c - the header of a process: one line with the density of all its threads; and the line that counts its
 * threads without slices. */
#include <inttypes.h>
#include <stdio.h>

#include "ui/timeline/draw_gutter.h"
#include "ui/timeline/draw_tracks.h"
#include "ui/timeline/track_ops.h"

#define THREADS_ADDED 512 /* of one process, to bound the cost of a frame */

static struct str name(struct trace *trace, const struct track *track, char buf[96]) {
    bool named;
    return track->process == NO_PROCESS ? STR("no process")
                                        : trace_process_name(trace, trace_process(trace, track->process), buf, &named);
}

static void density(struct app *app, int y, const struct process *p) {
    int columns = app->timeline.window.columns;
    double *busy = err_calloc((size_t)columns, sizeof *busy);
    size_t threads = 0, n;
    const uint32_t *numbers = trace_process_threads(p, &n);
    for (size_t i = 0; i < n && threads < THREADS_ADDED; i++) {
        struct thread *t = trace_thread(app->trace, numbers[i]);
        if (nest_rows(&t->nest) == 0)
            continue;
        threads++;
        if (t->last < app->timeline.edges[0] || t->first > app->timeline.edges[columns])
            continue;
        nest_busy_columns(&t->nest, app->timeline.edges, columns, busy);
    }
    draw_tracks_density(app, y, busy, threads);
    free(busy);
}

static void draw(struct app *app, int y, const struct track *track, uint32_t row) {
    char buf[96], id[24] = "";
    struct str called = name(app->trace, track, buf);
    const struct process *p = track->process == NO_PROCESS ? NULL : trace_process(app->trace, track->process);
    (void)row;
    if (p && called.s != buf)
        snprintf(id, sizeof id, "%" PRIu64, p->pid);
    draw_gutter_header(app, y, track, called, id);
    if (p)
        density(app, y, p);
}

static uint64_t lines(const struct track_list *list, struct trace *trace, uint32_t depth) {
    (void)list;
    (void)depth;
    return trace_process_count(trace);
}

const struct track_ops track_process = {.header = true, .lines = lines, .name = name, .draw = draw};

static void draw_empty(struct app *app, int y, const struct track *track, uint32_t row) {
    (void)row;
    grid_printf(&app->grid, (struct grid_place){1, y, app->layout.gutter}, style_look(ROLE_DIM), "%u without slices",
                track->of);
}

const struct track_ops track_empty = {.title = "", .draw = draw_empty};
