/* track_cpu.c - a CPU: the threads that ran on it; and the header of all CPUs. */
#include <stdio.h>

#include "src/base/units.h"
#include "ui/timeline/draw_gap.h"
#include "ui/timeline/draw_gutter.h"
#include "ui/timeline/draw_lane.h"
#include "ui/timeline/draw_tracks.h"
#include "ui/timeline/track_ops.h"

#define CPUS_ADDED 512 /* by the header, to bound the cost of a frame */

static struct sched_cpu *cpu_of(struct trace *trace, uint32_t of) {
    return sched_cpu(trace_sched(trace), of);
}

static uint32_t count(struct trace *trace) {
    return (uint32_t)sched_cpu_count(trace_sched(trace));
}

/* ---- runs ---- */

static struct lane *run_lane(struct trace *trace, const struct selection *selection) {
    return &cpu_of(trace, selection->of)->lane;
}

static bool run_find(struct trace *trace, struct selection *selection) {
    return selection->of < count(trace) &&
           selection_find_in(selection, 0, run_lane(trace, selection));
}

static uint32_t run_thread(struct trace *trace, const struct selection *selection) {
    return selection_slice(trace, selection)
               ? sched_run(cpu_of(trace, selection->of), selection->i).thread
               : NO_THREAD;
}

const struct selection_ops track_cpu_run = {
    .track = &track_cpu, .lane = run_lane, .find = run_find, .thread = run_thread};

/* ---- a CPU ---- */

static uint32_t process(struct trace *trace, uint32_t of) {
    (void)trace;
    (void)of;
    return LIST_CPUS;
}

/* By the numbers of the CPUs, not by their first records. */
static void order(struct trace *trace, uint32_t *of) {
    const struct sched *sched = trace_sched(trace);
    size_t n = 0;
    /* number: of the world [16..31], and of the CPU in it */
    for (uint32_t number = 0; n < sched_cpu_count(sched); number++) {
        uint32_t place = sched_cpu_place(sched, (uint16_t)(number >> 16), (uint16_t)number);
        if (place != UINT32_MAX)
            of[n++] = place;
    }
}

static uint64_t lines(const struct track_list *list, struct trace *trace, uint32_t depth) {
    (void)depth;
    return track_list_folded(list, LIST_CPUS) ? 0 : count(trace);
}

static struct str name(struct trace *trace, const struct track *track, char buf[96]) {
    return (struct str){buf, (size_t)snprintf(buf, 96, "cpu %u", cpu_of(trace, track->of)->number)};
}

static void line_of(struct trace *trace, struct track_line *line) {
    line->slices = &track_cpu_run;
    line->lane = &cpu_of(trace, line->track->of)->lane;
}

static int percent(int64_t busy, int64_t of) {
    return of > 0 ? (int)((double)busy / (double)of * 100 + 0.5) : 0;
}

/* The stretch of which shares are: of the range, or without one of the window as far as there is
 * trace. */
static void share_stretch(const struct app *app, int64_t *from, int64_t *to) {
    const struct range *range = session_range(app);
    *from = app->timeline.window.from;
    *to = window_edge(&app->timeline.window, app->timeline.window.columns);
    if (range->timed) {
        *from = range_begin(range, app->trace);
        *to = range_end(range, app->trace);
    }
    *from = *from < trace_begin(app->trace) ? trace_begin(app->trace) : *from;
    *to = *to > trace_end(app->trace) ? trace_end(app->trace) : *to;
}

/* Draws the lane without idle runs: these stay blank. While runs are hidden, the gutter has no
 * share. */
static void draw(struct app *app, int y, const struct track *track, uint32_t row) {
    struct sched_cpu *cpu = cpu_of(app->trace, track->of);
    char buf[96], id[24] = "";
    int64_t from, to;
    share_stretch(app, &from, &to);
    if (session_left(&app->timeline) == NULL)
        snprintf(id, sizeof id, "%d%%",
                 percent(trace_cpu_busy(app->trace, cpu, from, to), units_since(from, to)));
    draw_gutter(app, y, 1, name(app->trace, track, buf), id,
                draw_gutter_look(&app->timeline, track, row));
    bool here = selection_lane(app->trace, &app->timeline.selection) == &cpu->lane;
    const struct slice *s = here ? session_slice(app->trace, &app->timeline) : NULL;
    uint32_t i = lane_place(sched_busy(cpu), s);
    const struct lane_look look = {.trace = app->trace,
                                   .selected = i != UINT32_MAX ? lane_at(sched_busy(cpu), i) : NULL,
                                   .cpu = cpu,
                                   .track = FILTER_LANES_CPU + track->of,
                                   .open_end = trace_end(app->trace)};
    draw_lane_left(app, y, sched_busy(cpu), &look);
    draw_gap(app, y, track);
}

/* Scheduling records are the kernel's, whose losses name a thread. */
static bool lost_here(struct trace *trace, const struct track *track, const struct lost *lost) {
    (void)trace;
    (void)track;
    return lost->thread != NO_THREAD;
}

const struct track_ops track_cpu = {.events = {&track_cpu_run},
                                    .sets = 1u << LIST_COUNTERS | 1u << LIST_SCHED,
                                    .count = count,
                                    .process = process,
                                    .order = order,
                                    .lines = lines,
                                    .name = name,
                                    .line = line_of,
                                    .draw = draw,
                                    .lost = lost_here};

/* ---- the header ---- */

/* Whether the header is that of a CPU: of several hosts, those of one. */
static bool is_below(const struct app *app, const struct track *track, size_t i) {
    return trace_files(app->trace) == 1 ||
           sched_cpu(trace_sched(app->trace), (uint32_t)i)->world == track->of;
}

static size_t count_below(const struct app *app, const struct track *track, size_t n) {
    size_t below = 0;
    for (size_t i = 0; i < n; i++)
        below += is_below(app, track, i);
    return below;
}

static int share_of_range(const struct app *app, const struct track *track, size_t all, size_t n) {
    const struct sched *sched = trace_sched(app->trace);
    int64_t from, to;
    double busy = 0;
    share_stretch(app, &from, &to);
    for (size_t i = 0; i < all; i++)
        if (is_below(app, track, i))
            busy += (double)trace_cpu_busy(app->trace, sched_cpu(sched, i), from, to);
    return to > from && n > 0 ? (int)(busy / (double)n / (double)units_since(from, to) * 100 + 0.5)
                              : 0;
}

static void draw_header(struct app *app, int y, const struct track *track, uint32_t row) {
    const struct sched *sched = trace_sched(app->trace);
    int columns = app->timeline.window.columns;
    double *busy = err_calloc((size_t)columns, sizeof *busy), all = 0;
    size_t most = sched_cpu_count(sched) < CPUS_ADDED ? sched_cpu_count(sched) : CPUS_ADDED;
    size_t n = count_below(app, track, most);
    const struct filter_lanes *left = session_left(&app->timeline);
    char id[24] = "", name[40];
    (void)row;
    for (size_t i = 0; i < most; i++) {
        if (!is_below(app, track, i))
            continue;
        struct lane *runs = left ? filter_lanes_of(left, FILTER_LANES_CPU + (uint32_t)i, 0)
                                 : sched_busy(sched_cpu(sched, i));
        if (runs)
            lane_busy_columns(runs, app->timeline.edges, columns, busy);
    }
    for (int c = 0; c < columns; c++)
        all += busy[c];
    draw_tracks_density(app, y, busy, n);
    bool ranged = session_range(app)->timed;
    if (left == NULL)
        snprintf(id, sizeof id, "%d%%",
                 ranged ? share_of_range(app, track, most, n)
                        : (int)(all / (double)n / columns * 100 + 0.5));
    snprintf(name, sizeof name, ranged ? "CPUs in range" : "CPUs %zu",
             count_below(app, track, sched_cpu_count(sched)));
    draw_gutter_header(app, y, track, str_of(name), id);
    free(busy);
}

const struct track_ops track_cpus = {.title = "CPUs", .header = true, .draw = draw_header};
