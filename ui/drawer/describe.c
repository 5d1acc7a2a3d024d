/* describe.c - what the cell at the time cursor on the current line means.
 *
 * A column is described by what it holds: the slices and moments that overlap it, the share that
 * they cover, the state that lasted longest. These are the questions that drawing asks, so the
 * words fit the picture. */
#include "ui/drawer/describe.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/store/row_track.h"
#include "model/store/sched_life.h"
#include "src/base/units.h"
#include "ui/timeline/track_ops.h"

#define MOMENTS_LOOKED 1000 /* moments of a column that are looked at one by one */
#define HITS_LOOKED 64      /* slices of a column, as the picture does */

struct words {
    struct app *app;
    int64_t from, to; /* of the column */
    char text[240];
    size_t n;
};

static void add(struct words *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void add(struct words *w, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(w->text + w->n, sizeof w->text - w->n, fmt, ap);
    va_end(ap);
    size_t room = sizeof w->text - w->n;
    if (n >= 0)
        w->n += (size_t)n < room ? (size_t)n : room - 1;
}

static void add_name(struct words *w, struct str name) {
    char safe[64];
    text_plain(safe, sizeof safe, name, TEXT_TRACK | (w->app->grid.ascii ? TEXT_ASCII : 0));
    add(w, "%s", safe);
}

/* ---- slices ---- */

/* The slices [*i, *j) of a lane that overlap the column; those of no length count if they are in
 * it. */
static void overlapping(const struct lane *lane, int64_t from, int64_t to, uint32_t *i,
                        uint32_t *j) {
    uint32_t before = lane_before(lane, from);
    *j = lane_from(lane, to);
    *i = before == UINT32_MAX ? 0 : before;
    if (before != UINT32_MAX) {
        const struct slice *s = lane_at(lane, before);
        *i += !slice_endless(s) && slice_end(s) <= from && s->start < from;
    }
}

/* Whether the picture marks a hit of the search among the slices [i, j). */
static bool has_hit(const struct words *w, const struct track_line *line, uint32_t i, uint32_t j) {
    const struct search *search = w->app->find.search;
    uint32_t track;
    bool hit = false;
    if (search == NULL || track_line_left(w->app->trace, line) != line->lane ||
        !selection_searched(w->app->trace, line->slices, line->track->of, &track))
        return false;
    for (uint32_t k = i; !hit && k < j && k < i + HITS_LOOKED; k++) {
        struct slice s = lane_slice(line->lane, k);
        hit = search_draws(search, track, line->row, k,
                           trace_packed_name(w->app->trace, s.begin_word));
    }
    return hit;
}

static const char *damaged_part(const struct trace *trace, const struct slice *s) {
    switch (trace_damaged_parts(trace, s)) {
    case TRACE_DAMAGED_BEGIN:
        return "its begin";
    case TRACE_DAMAGED_END:
        return "its end";
    default:
        return "a time of it";
    }
}

/* The track, if the line is of the rows of a question; else NULL. */
static const struct row_track *rows_of(const struct words *w, const struct track_line *line) {
    if (line->slices != &track_rows_row)
        return NULL;
    return row_tracks_at(trace_row_tracks(w->app->trace), line->track->of);
}

static const char *noun_of_slices(const struct track_line *line) {
    if (line->slices == &track_rows_row)
        return "rows";
    return line->slices->named ? "slices" : "runs";
}

static void one_slice(struct words *w, const struct track_line *line, const struct slice *s) {
    const struct timeline *timeline = &w->app->timeline;
    bool ascii = w->app->grid.ascii;
    char dur[32];
    const struct row_track *rows = rows_of(w, line);
    if (rows) {
        add(w, "a row of a question, ");
        add_name(w, row_track_name(rows, row_track_row_of(rows, s)));
    } else if (line->slices->named) {
        add(w, "a slice of ");
        add_name(w, trace_slice_name(w->app->trace, s));
    } else {
        add(w, "one run on the CPU");
    }
    if (slice_open(s))
        add(w, ", %s", ascii ? "~: never ended" : "╌: never ended");
    else
        add(w, ", %s", units_duration(slice_dur(s), ascii, dur));
    if (trace_damaged_slice(w->app->trace, s))
        add(w, ", %s: %s is damaged", ascii ? "!" : "▲", damaged_part(w->app->trace, s));
    if (s->start < timeline->window.from)
        add(w, "; it begins left of the window");
    else if (!slice_open(s) && slice_dur(s) < units_since(w->from, w->to))
        add(w, "; narrower than its column");
}

static void many_slices(struct words *w, const struct track_line *line, uint32_t n) {
    uint32_t name = LANE_NO_NAME;
    char count[32];
    int64_t busy = lane_column(track_line_left(w->app->trace, line), w->from, w->to, &name);
    int percent = (int)((double)busy / (double)units_since(w->from, w->to) * 100 + 0.5);
    add(w, "%s %s in this column, covering %d%% of its time", units_count(n, false, count),
        noun_of_slices(line), percent > 100 ? 100 : percent);
    if (line->slices->named && name != LANE_NO_NAME) {
        add(w, ", mostly ");
        add_name(w, trace_name(w->app->trace, name));
    }
}

static void slices(struct words *w, const struct track_line *line) {
    const struct lane *lane = track_line_left(w->app->trace, line);
    uint32_t i, j;
    if (lane == NULL || lane->n == 0 || line->slices == NULL)
        return;
    overlapping(lane, w->from, w->to, &i, &j);
    if (j == i + 1)
        one_slice(w, line, lane_at(lane, i));
    else if (j > i)
        many_slices(w, line, j - i);
    if (j > i && has_hit(w, line, i, j))
        add(w, j == i + 1 ? "; a hit of the search" : "; hits of the search among them");
}

/* ---- states ---- */

static void states(struct words *w, const struct track_line *line) {
    struct sched_thread *t = sched_thread(trace_sched(w->app->trace), line->track->of);
    struct lane *lane = track_line_left(w->app->trace, line);
    uint32_t i, j;
    char number[32], dur[32];
    if (lane == NULL)
        return;
    overlapping(lane, w->from, w->to, &i, &j);
    if (j <= i)
        return;
    const struct slice *s = lane_at(lane, lane_longest(lane, i, j));
    uint32_t k = lane_find(&t->lane, s->start, slice_offset(s));
    if (k == UINT32_MAX)
        return;
    uint32_t state = sched_state(t, k);
    const char *name = trace_state_name(w->app->trace, state);
    snprintf(number, sizeof number, "state %" PRIu32, state);
    if (sched_life_known(t, k) || state == SCHED_DEAD || state == SCHED_UNKNOWN)
        add(w, "state: %s", name ? name : number);
    else
        add(w, "%s",
            state == SCHED_DYING ? "ended: it was dying and never ran again"
                                 : "state unknown: only a wakeup");
    if (j == i + 1 && !slice_open(s))
        add(w, " for %s", units_duration(slice_dur(s), w->app->grid.ascii, dur));
    else if (j > i + 1)
        add(w, ", the longest of %s in this column", units_count(j - i, false, number));
}

/* ---- moments ---- */

static const char *noun_of(const struct selection_ops *kind, bool one) {
    if (kind == &track_counter_sample)
        return one ? "sample" : "samples";
    if (kind == &track_log_record || kind == &track_profile_record)
        return one ? "record" : "records";
    return one ? "instant" : "instants";
}

static void moments(struct words *w, const struct track_line *line) {
    struct trace *trace = w->app->trace;
    size_t n = line->moments ? track_line_moments(trace, line) : 0, held = 0;
    size_t i = n > 0 ? track_line_from(trace, line, w->from, 0) : 0, first = i, next;
    char count[32];
    while (i < n && i - first < MOMENTS_LOOKED &&
           (i = track_line_left_along(trace, line, (uint32_t)i, 1)) != UINT32_MAX &&
           track_line_moment(trace, line, i).time < w->to) {
        held += track_line_holds_next(trace, line, i, &next);
        i = next - first < MOMENTS_LOOKED ? next : first + MOMENTS_LOOKED;
    }
    if (held == 0)
        return;
    add(w, "%s%s%s %s", w->n > 0 ? "; " : "", i - first == MOMENTS_LOOKED ? "over " : "",
        units_count(held, false, count), noun_of(line->moments, held == 1));
    if (w->n < 40)
        add(w, " in this column");
}

/* ---- the rest ---- */

static void losses(struct words *w, const struct track *track) {
    size_t n;
    const struct lost *lost = trace_lost(w->app->trace, &n);
    for (size_t i = 0; track->kind->lost && i < n && i < PROBLEM_KEPT; i++)
        if (lost[i].has_time && lost[i].time >= w->from && lost[i].time < w->to &&
            track->kind->lost(w->app->trace, track, &lost[i])) {
            add(w, "%srecords were lost here", w->n > 0 ? "; " : "");
            return;
        }
}

static void header(struct words *w, const struct track *track) {
    bool folded = track_list_folded(&w->app->timeline.tracks, track->process);
    if (track->kind == &track_trace)
        add(w, "header of a trace: its begin and end; Enter %s it", folded ? "unfolds" : "folds");
    else
        add(w, "header: how busy the threads below are on the average; Enter %s it",
            folded ? "unfolds" : "folds");
}

void describe_cursor(struct app *app) {
    const struct timeline *timeline = &app->timeline;
    const struct track *track = session_track(timeline);
    int column = window_column(&timeline->window, timeline->cursor);
    struct track_line line = {.left = NULL};
    if (track == NULL || column < 0 || column >= timeline->window.columns) {
        session_say(app, false,
                    track ? "the time cursor is outside the window: f centres it" : "no track");
        return;
    }
    struct words w = {.app = app,
                      .from = window_edge(&timeline->window, column),
                      .to = window_edge(&timeline->window, column + 1)};
    if (track->kind->header) {
        header(&w, track);
    } else if (track->kind == &track_ended) {
        add(&w,
            "threads that have nothing in the window, folded into one line: Enter unfolds them");
    } else if (session_line(app->trace, timeline, &line)) {
        if (line.slices && line.slices->strip)
            states(&w, &line);
        else
            slices(&w, &line);
        moments(&w, &line);
        if (line.moments == &track_counter_sample && line.left == NULL)
            add(&w, "%sthe curve goes from the least to the greatest value of each column",
                w.n > 0 ? "; " : "");
    }
    losses(&w, track);
    const char *blank = line.left ? "blank: no event that :only leaves in this column of the row"
                                  : "blank: no event in this column of the row";
    session_say(app, false, "%s", w.n > 0 ? w.text : blank);
}
