/* track_counter.c - a series of a counter as a curve; or all series of a counter on each other, on
 * the track of the first one. */
#include "model/query/stat/track_scope.h"
#include "ui/timeline/kinds/draw_curve.h"
#include "ui/timeline/track_ops.h"

#define LINES_MOST 12

static struct counter_series *series(struct trace *trace, uint32_t of) {
    return counter_series(trace_counters(trace), of);
}

static uint32_t count(struct trace *trace) {
    return (uint32_t)counter_series_count(trace_counters(trace));
}

/* ---- samples ---- */

static size_t sample_count(struct trace *trace, uint32_t of) {
    size_t n = 0;
    if (of < count(trace))
        counter_samples(series(trace, of), &n);
    return n;
}

static struct moment sample_moment(struct trace *trace, uint32_t of, size_t i) {
    size_t n;
    const struct counter_sample *s = &counter_samples(series(trace, of), &n)[i];
    return (struct moment){s->at.time, counter_offset(s)};
}

const struct selection_ops track_counter_sample = {.track = &track_counter,
                                                   .lasts = true,
                                                   .searched = true,
                                                   .hits = SLICE_ITER_COUNTER_TRACK,
                                                   .count = sample_count,
                                                   .moment = sample_moment};

/* ---- the track ---- */

static uint32_t process(struct trace *trace, uint32_t of) {
    return series(trace, of)->process;
}

static uint16_t world(struct trace *trace, uint32_t of) {
    return series(trace, of)->world;
}

/* A stack is drawn on the track of its first series. */
static bool shown(const struct track_list *list, struct trace *trace, uint32_t of) {
    uint32_t leader = list->stacked.n > 0 ? counter_leader(trace_counters(trace), of) : of;
    return leader == of || !track_list_stacked(list, leader);
}

static void measure(const struct track_list *list, struct trace *trace, struct track *track) {
    (void)trace;
    track->height = track_list_depth(list, track, list->curve);
    if (track->height > LINES_MOST)
        track->height = LINES_MOST;
}

static uint64_t lines(const struct track_list *list, struct trace *trace, uint32_t depth) {
    (void)depth;
    return (uint64_t)count(trace) * list->curve;
}

static struct str name(struct trace *trace, const struct track *track, char buf[96]) {
    return track_scope_counter(trace, series(trace, track->of), buf);
}

static void line_of(struct trace *trace, struct track_line *line) {
    (void)trace;
    line->moments = &track_counter_sample;
}

static void draw(struct app *app, int y, const struct track *track, uint32_t row) {
    draw_curve(app, y, track, (int)row);
}

const struct track_ops track_counter = {.events = {&track_counter_sample},
                                        .stretch = LINES_MOST,
                                        .sets = 1u << LIST_COUNTERS,
                                        .count = count,
                                        .process = process,
                                        .world = world,
                                        .shown = shown,
                                        .measure = measure,
                                        .lines = lines,
                                        .name = name,
                                        .line = line_of,
                                        .draw = draw,
                                        .lost = track_list_lost_in_process};
