/* track_log.c - the log and the profiler's records: one line each, a dot for each record, above all
 * processes. */
#include <stdio.h>

#include "src/base/units.h"
#include "ui/timeline/draw_gutter.h"
#include "ui/timeline/draw_instants.h"
#include "ui/timeline/track_ops.h"

/* The gutter counts the records in the window, if none of them is hidden. */
static void draw(struct app *app, int y, const struct track *track, uint32_t row) {
    char id[48] = "", count[32];
    struct track_line line;
    track_line_of(app->trace, track, row, &line);
    size_t from = track_line_from(app->trace, &line, app->timeline.edges[0], 0),
           to = track_line_from(app->trace, &line,
                                app->timeline.edges[app->timeline.window.columns], 0);
    if (session_left(&app->timeline) == NULL)
        snprintf(id, sizeof id, "%s in view", units_count(to - from, true, count));
    draw_gutter(app, y, 1, str_of(track->kind->title), id,
                draw_gutter_look(&app->timeline, track, row));
    draw_instants(app, y, &line);
}

/* ---- log ---- */

static size_t log_count(struct trace *trace, uint32_t of) {
    size_t n;
    (void)of;
    trace_logs(trace, &n);
    return n;
}

static struct moment log_moment(struct trace *trace, uint32_t of, size_t i) {
    size_t n;
    (void)of;
    return trace_logs(trace, &n)[i].at;
}

static uint32_t log_thread(struct trace *trace, const struct selection *selection) {
    size_t n;
    return trace_logs(trace, &n)[selection->i].thread;
}

const struct selection_ops track_log_record = {.track = &track_log,
                                               .searched = true,
                                               .hits = SLICE_ITER_LOG_TRACK,
                                               .count = log_count,
                                               .moment = log_moment,
                                               .thread = log_thread};

static uint32_t logs(struct trace *trace) {
    return log_count(trace, 0) > 0;
}

static void log_line(struct trace *trace, struct track_line *line) {
    (void)trace;
    line->moments = &track_log_record;
}

const struct track_ops track_log = {.events = {&track_log_record},
                                    .title = "log",
                                    .single = true,
                                    .count = logs,
                                    .line = log_line,
                                    .draw = draw};

/* ---- profile ---- */

static size_t profile_count(struct trace *trace, uint32_t of) {
    size_t n;
    (void)of;
    trace_profile(trace, &n);
    return n;
}

static struct moment profile_moment(struct trace *trace, uint32_t of, size_t i) {
    size_t n;
    (void)of;
    return trace_profile(trace, &n)[i].at;
}

static uint32_t profile_thread(struct trace *trace, const struct selection *selection) {
    size_t n;
    return trace_profile(trace, &n)[selection->i].thread;
}

const struct selection_ops track_profile_record = {.track = &track_profile,
                                                   .count = profile_count,
                                                   .moment = profile_moment,
                                                   .thread = profile_thread};

static uint32_t profiles(struct trace *trace) {
    return profile_count(trace, 0) > 0;
}

static void profile_line(struct trace *trace, struct track_line *line) {
    (void)trace;
    line->moments = &track_profile_record;
}

const struct track_ops track_profile = {.events = {&track_profile_record},
                                        .title = "profile",
                                        .single = true,
                                        .count = profiles,
                                        .line = profile_line,
                                        .draw = draw};
