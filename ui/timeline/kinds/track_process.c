/* track_process.c - the header of a process: one line with the density of all its threads; and the
 * line that counts its threads without slices. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/query/detail.h"
#include "model/query/process_label.h"
#include "model/trace/trace_life.h"
#include "src/base/units.h"
#include "ui/timeline/draw_gutter.h"
#include "ui/timeline/draw_tracks.h"
#include "ui/timeline/track_ops.h"

#define THREADS_DOTTED 512 /* of one process, to bound the cost of a frame */

#define NAME 96 /* bytes */

/* The labels of a process distinguish it from others of its name. */
static struct str name(struct trace *trace, const struct track *track, char buf[NAME]) {
    bool named;
    struct detail d;
    struct detail_argument a;
    char made[40];
    if (track->process == NO_PROCESS)
        return STR("no process");
    const struct process *p = trace_process(trace, track->process);
    if (!detail_labels(&d, trace, p, &a))
        return trace_process_name(trace, p, buf, &named);
    struct str plain = trace_process_name(trace, p, made, &named);
    int n = snprintf(buf, NAME, "%.*s ", plain.n < NAME / 2 ? (int)plain.n : NAME / 2, plain.s);
    size_t left = NAME - 1 - (size_t)n, more = a.string.n < left ? a.string.n : left;
    memcpy(buf + n, a.string.s, more);
    return (struct str){buf, (size_t)n + more};
}

static bool lives(const struct sched_thread *t, int64_t from, int64_t to) {
    struct sched_shares s = sched_life_shares(t, from, to);
    return s.alive + s.unknown > 0;
}

/* Dots the blank columns in which the thread lives: it does not run there, and is not dead. */
static void dot_life(struct app *app, int y, const struct thread *t) {
    struct grid *g = &app->grid;
    const struct window *w = &app->timeline.window;
    int64_t begin, end;
    bool ended;
    if (!trace_thread_scheduled(app->trace, t) ||
        !trace_thread_span(app->trace, t, &begin, &end, &ended))
        return;
    const struct sched_thread *states = sched_thread(trace_sched(app->trace), t->number);
    const int64_t *edges = app->timeline.edges;
    /* several lives */
    bool gaps = sched_life_end(states, begin) < end && sched_life_end(states, begin) != INT64_MAX;
    end = end < trace_end(app->trace) ? end : trace_end(app->trace);
    int from = window_column(w, begin), to = window_column(w, end > begin ? end - 1 : end);
    for (int c = from < 0 ? 0 : from; c <= to && c < w->columns; c++)
        if (grid_at(g, app->layout.lane + c, y)->cp[0] == ' ' &&
            (!gaps || lives(states, edges[c], edges[c + 1])))
            grid_put(g, app->layout.lane + c, y, g->ascii ? '_' : 0xB7, style_look(ROLE_DIM));
}

static void density(struct app *app, int y, const struct track *track) {
    struct timeline *timeline = &app->timeline;
    const struct process *p = trace_process(app->trace, track->process);
    size_t threads, n;
    const uint32_t *numbers = trace_process_threads(p, &n);
    struct process_busy_of of = draw_tracks_busy_of(timeline);
    const double *sums =
        process_busy_sums(&timeline->busy, app->trace, track->process, &of, &threads);
    draw_tracks_density(app, y, sums, threads);
    for (size_t i = 0; i < n && i < THREADS_DOTTED; i++)
        dot_life(app, y, trace_thread(app->trace, numbers[i]));
}

static void draw(struct app *app, int y, const struct track *track, uint32_t row) {
    char buf[NAME], made[40], id[DRAW_GUTTER_NUMBER] = "";
    bool named = false;
    struct str called = name(app->trace, track, buf);
    const struct process *p =
        track->process == NO_PROCESS ? NULL : trace_process(app->trace, track->process);
    char label[PROCESS_LABEL];
    size_t labelled = p ? process_label(app->trace, track->process, label) : 0;
    (void)row;
    if (labelled > 0)
        called = (struct str){label, labelled};
    if (p)
        trace_process_name(app->trace, p, made, &named);
    uint32_t below = track_list_below(&app->timeline.tracks, track->process);
    if (below > 0)
        snprintf(id, sizeof id, "+%u", below);
    else if (named)
        draw_gutter_number(id, p->pid);
    /* labels matter more */
    if (called.s == buf && (int)(called.n + strlen(id)) > app->layout.gutter - 4)
        id[0] = '\0';
    draw_gutter_header(app, y, track, called, id);
    if (p)
        density(app, y, track);
}

/* As far as it is decided, which is after the first list. */
static bool is_quiet(const struct track_list *list, struct trace *trace, uint32_t process) {
    size_t n, place = track_known_place(process);
    const uint32_t *threads = trace_process_threads(trace_process(trace, process), &n);
    if (place < list->empty.n && list->empty.v[place])
        return true;
    for (size_t i = 0; i < n; i++)
        if (!track_list_quiet(list, threads[i]))
            return false;
    return n > 0;
}

/* All quiet processes are one line. */
static uint64_t lines(const struct track_list *list, struct trace *trace, uint32_t depth) {
    uint64_t n = 0, quiet = 0;
    (void)depth;
    for (uint32_t i = 0; i < trace_process_count(trace); i++)
        if (is_quiet(list, trace, i))
            quiet = 1;
        else
            n++;
    return n + quiet;
}

const struct track_ops track_process = {.header = true, .lines = lines, .name = name, .draw = draw};

static void draw_empty(struct app *app, int y, const struct track *track, uint32_t row) {
    (void)row;
    char count[32];
    bool narrow = app->layout.gutter < 20;
    grid_printf(&app->grid, (struct grid_place){1, y, app->layout.gutter}, style_look(ROLE_DIM),
                "%s%s%s", narrow ? "no slices: " : "", units_count(track->of, false, count),
                narrow ? "" : " without slices");
}

const struct track_ops track_empty = {.title = "", .draw = draw_empty};
