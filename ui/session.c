/* session.c - what every floor of the interface asks of its state: messages, times as text, the
 * current line, sizes. */
#include "ui/session.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/query/stat/range_text.h"
#include "model/query/stat/track_scope.h"
#include "src/base/units.h"

bool session_like_regex(const char *text) {
    size_t n = strlen(text);
    return n > 1 && text[0] != '/' &&
           (text[0] == '^' || text[n - 1] == '$' || strstr(text, ".*") || strstr(text, ".+") ||
            strpbrk(text, "|\\"));
}

bool session_may_write(struct app *app, const char *what) {
    bool may = !app->startup.playing || app->startup.may_write;
    if (!may)
        session_say(app, true, "--keys may not use %s: --keys-may-write lets them", what);
    return may;
}

void session_say(struct app *app, bool error, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(app->message.text, sizeof app->message.text, fmt, ap);
    va_end(ap);
    app->message.is_error = error;
    app->dirty = true;
}

const struct track *session_track(const struct timeline *timeline) {
    return track_list_at(&timeline->tracks, timeline->line);
}

struct filter_lanes *session_only(const struct timeline *timeline) {
    bool differ = timeline->only && timeline->tracks.others != LIST_PLAIN;
    return differ && filter_lanes_known(timeline->only) ? timeline->only : NULL;
}

struct filter_lanes *session_left(const struct timeline *timeline) {
    return timeline->tracks.others == LIST_HIDDEN ? session_only(timeline) : NULL;
}

bool session_line(struct trace *trace, const struct timeline *timeline, struct track_line *line) {
    if (!track_line_at(trace, &timeline->tracks, timeline->line, line))
        return false;
    struct filter_lanes *left = session_left(timeline);
    if (left)
        line->left = left;
    return true;
}

bool session_work(struct app *app, struct answer *answer) {
    app->dirty = answer_step(answer, app->work) || app->dirty;
    return !answer->done;
}

bool session_within(struct app *app, struct task *task, bool (*step)(struct app *app)) {
    struct task *before = app->work;
    app->work = task;
    bool more = step(app);
    app->work = before;
    return more;
}

/* Statistics of an earlier version go at once: flows have other numbers in them. */
static struct flow_stats *ask_flow_stats(struct answer *answer, struct trace *trace,
                                         uint64_t question) {
    if (!answer_is_of(answer, trace, question)) {
        answer_drop(answer);
        struct flow_stats *stats = answer_ask(answer, &flow_stats_ops, trace, question);
        stats->trace = trace;
    }
    return answer->next;
}

struct answer *session_flow_stats(struct trace *trace, struct flow_state *flow) {
    ask_flow_stats(&flow->stats, trace, 0);
    return &flow->stats;
}

struct answer *session_range_flow_stats(struct app *app) {
    struct flow_state *flow = &app->flow;
    if (!range_any(session_range(app)))
        return session_flow_stats(app->trace, flow);
    struct flow_stats *stats = ask_flow_stats(&flow->ranged, app->trace, app->range.serial);
    stats->within = true;
    stats->set = range_slices(session_range(app), SLICE_ITER_FLOWS);
    return &flow->ranged;
}

/* ---- time as text ---- */

static int64_t shown_begin(const struct trace *trace, enum shown shown) {
    switch (shown) {
    case SHOWN_WINDOW:
        return trace_window_begin(trace);
    case SHOWN_SPAN:
        return trace_begin(trace);
    default:
        return trace_origin(trace);
    }
}

static int64_t shown_end(const struct trace *trace, enum shown shown) {
    switch (shown) {
    case SHOWN_WINDOW:
        return trace_window_end(trace);
    case SHOWN_SPAN:
        return trace_end(trace);
    default:
        return trace_last(trace);
    }
}

int64_t session_begin(const struct trace *trace, const struct timeline *timeline) {
    return shown_begin(trace, timeline->shown);
}

bool session_shows_more(const struct trace *trace, enum shown shown, enum shown more) {
    return shown_begin(trace, more) < shown_begin(trace, shown) ||
           shown_end(trace, more) > shown_end(trace, shown);
}

int64_t session_end(const struct trace *trace, const struct timeline *timeline,
                    const struct reload_state *reload) {
    int64_t end = shown_end(trace, timeline->shown);
    return reload->phase == RELOAD_READING && reload->end > end ? reload->end : end;
}

static bool shows(const struct trace *trace, enum shown shown, int64_t t) {
    return t >= shown_begin(trace, shown) && t <= shown_end(trace, shown);
}

void session_reach(struct app *app, int64_t t) {
    struct timeline *timeline = &app->timeline;
    enum shown shown = timeline->shown;
    while (shown < SHOWN_ALL && !shows(app->trace, shown, t))
        shown++;
    if (shown == timeline->shown || !shows(app->trace, shown, t))
        return;
    timeline->shown = shown;
    timeline->overview.columns = 0; /* its sums are of other columns */
    window_limits(&timeline->window, session_begin(app->trace, timeline),
                  session_end(app->trace, timeline, &app->reload), timeline->window.columns);
    if (shown == SHOWN_SPAN)
        session_say(app, false, "far from most of the trace: 0 goes back to that");
    else
        session_say(app, false,
                    trace_is_part(app->trace)
                        ? "outside of the range of the part: 0 goes back to that"
                        : "a damaged or unset time: 0 goes back to the others");
}

int64_t session_resolution(const struct trace *trace) {
    return (uint64_t)trace_end(trace) - (uint64_t)trace_begin(trace) < 1000000 ? 1 : 1000;
}

const char *session_point(const struct app *app, int64_t t, int64_t resolution, char buf[48]) {
    char digits[40];
    uint64_t tps, base_tick, base_unix;
    bool wall = false;
    if (app->timeline.time_format == TIME_CLOCK) {
        snprintf(buf, 48, "%s ns",
                 wide_text(wide_add(reader_base(trace_reader(app->trace)), t), digits));
        return buf;
    }
    if (app->timeline.time_format == TIME_WALL &&
        reader_init(trace_reader(app->trace), &tps, &base_tick, &base_unix, &wall) && wall) {
        struct wide base =
            tps ? wide_div(wide_mul(base_tick, 1000000000), tps) : (struct wide){0, base_tick};
        struct wide at = wide_add(reader_base(trace_reader(app->trace)), t);
        char full[48];
        units_wall(base_unix + (uint64_t)wide_diff(at, base, INT64_MAX), full);
        char *clock = strlen(full) > 11 ? full + 11 : full, *dot = strchr(clock, '.');
        int decimals = 0;
        for (int64_t unit = 1000000000; unit > resolution && decimals < 9; unit /= 10)
            decimals++;
        if (dot)
            dot[decimals > 0 ? decimals + 1 : 0] = 0;
        snprintf(buf, 48, "%s", clock);
        return buf;
    }
    char text[32];
    units_point((int64_t)((uint64_t)t - (uint64_t)trace_begin(app->trace)), resolution,
                app->grid.ascii, text);
    snprintf(buf, 48, "%s", text);
    return buf;
}

bool session_duration(const char *text, int64_t *ns) {
    return time_text_duration(text, strlen(text), ns);
}

/* 100 % is the end of all that happened, also if less is shown. */
static struct time_text typed_times(const struct app *app, int64_t marks[TIME_TEXT_MARKS]) {
    int64_t end = trace_end(app->trace);
    for (int i = 0; i < TIME_TEXT_MARKS; i++)
        marks[i] = app->marks.v[i].any ? app->marks.v[i].time : INT64_MIN;
    if (app->reload.phase == RELOAD_READING && app->reload.end > end)
        end = app->reload.end;
    return (struct time_text){.cursor = app->timeline.cursor,
                              .end = end,
                              .clock = app->timeline.time_format == TIME_CLOCK,
                              .marks = marks};
}

bool session_time(struct app *app, const char *text, int64_t *t) {
    int64_t marks[TIME_TEXT_MARKS];
    struct time_text how = typed_times(app, marks);
    return time_text_parse(app->trace, &how, text, strlen(text), t);
}

bool session_typed_range(const struct app *app, const char *text, struct range *range,
                         struct err *err) {
    int64_t marks[TIME_TEXT_MARKS];
    struct time_text how = typed_times(app, marks);
    return range_text_parse(range, app->trace, &how, text, app->grid.ascii, err);
}

const char *session_not_a_time(const struct app *app, const char *text, char buf[320]) {
    char safe[60], point[48];
    uint64_t unix_ns;
    int64_t ns;
    size_t n = strlen(text);
    text_plain(safe, sizeof safe, str_of(text), app->grid.ascii ? TEXT_ASCII : 0);
    if (units_parse(text, n, &ns))
        snprintf(buf, 320, "%s has no unit: try %ss, %sms, %sus", safe, safe, safe, safe);
    else if (text[0] == '\'' && text[1])
        snprintf(buf, 320, "no mark %s: m and a letter sets one", safe + 1);
    else if (time_text_is_wall(text, n) && !time_text_unix(app->trace, &unix_ns))
        snprintf(buf, 320, "not a time: %s (this trace has no wall clock; try 1.5s, 50%%)", safe);
    else if (app->timeline.time_format == TIME_CLOCK)
        snprintf(buf, 320, "not a time: %s (try %s, +20us from the cursor, 50%%)", safe,
                 session_point(app, app->timeline.window.from, 1, point));
    else
        snprintf(buf, 320, "not a time: %s (try 1.5s, 250ms, +20us from the cursor, 50%%)", safe);
    return buf;
}

/* ---- sizes ---- */

static struct layout_ask wanted(const struct app *app) {
    const struct track_list *tracks = &app->timeline.tracks;
    return (struct layout_ask){.drawer = app->drawer.open,
                               .hits = app->find.search != NULL,
                               .range = app->range.range.timed,
                               .drawer_rows = app->drawer.rows,
                               .lines = tracks->lines + (tracks->pinned > 0)};
}

void session_fit_drawer(struct app *app) {
    struct layout_ask ask = wanted(app);
    struct layout now = layout_of(app->grid.cols, app->grid.rows, &ask);
    if (now.drawer_rows != app->layout.drawer_rows)
        session_layout(app);
}

void session_layout(struct app *app) {
    struct grid *grid = &app->grid;
    struct layout_ask ask = wanted(app);
    app->layout = layout_of(grid->cols, grid->rows, &ask);
    if (app->layout.too_small)
        app->layout.lanes = 1;
    int columns = app->layout.lanes > 0 ? app->layout.lanes : 1;
    if (columns != app->timeline.window.columns || app->timeline.edges == NULL) {
        app->timeline.edges =
            err_realloc(app->timeline.edges, (size_t)columns + 1, sizeof *app->timeline.edges);
        app->timeline.dense = err_realloc(app->timeline.dense, (size_t)columns, 1);
        app->timeline.spans =
            err_realloc(app->timeline.spans, (size_t)columns * 2 + 2, sizeof *app->timeline.spans);
        app->timeline.overview.levels =
            err_realloc(app->timeline.overview.levels, (size_t)columns + 1, 1);
        app->timeline.overview.busy = err_realloc(app->timeline.overview.busy, (size_t)columns,
                                                  sizeof *app->timeline.overview.busy);
        app->timeline.overview.columns = 0;
        window_limits(&app->timeline.window, session_begin(app->trace, &app->timeline),
                      session_end(app->trace, &app->timeline, &app->reload), columns);
    }
    app->dirty = true;
}

/* A small screen has one line for a counter. */
void session_fit_tracks(struct app *app) {
    bool small = app->grid.cols < 100 || app->grid.rows < 28,
         alone = app->timeline.tracks.set != LIST_ALL;
    app->timeline.tracks.curve = (small ? 1 : 2) + (alone ? 2 : 0);
}

uint64_t session_line_at(const struct app *app, int y) {
    int pinned = session_pinned_rows(app), r = y - app->layout.tracks;
    if (r < pinned)
        return (uint64_t)r;
    return pinned > 0 && r == pinned ? UINT64_MAX
                                     : app->timeline.top + (uint64_t)(r - pinned - (pinned > 0));
}

/* Pinned tracks take at most half of the rows; under them a rule. */
int session_pinned_rows(const struct app *app) {
    uint64_t most = app->layout.track_rows > 3 ? (uint64_t)(app->layout.track_rows - 1) / 2 : 0;
    return (int)(app->timeline.tracks.pinned < most ? app->timeline.tracks.pinned : most);
}

/* ---- the range ---- */

const struct range *session_range(const struct app *app) {
    return &app->range.range;
}

const struct range *session_kept_range(const struct app *app) {
    return app->range.has_kept ? &app->range.kept : NULL;
}

const char *session_read_text(const struct app *app) {
    return trace_state(app->trace) == TRACE_COMPLETE ? "" : ", of the trace so far";
}

const char *session_range_text(const struct app *app, char buf[96]) {
    const struct range *range = session_range(app);
    int64_t begin = range_begin(range, app->trace), end = range_end(range, app->trace);
    bool some_tracks = range->tracks.v.n > 0;
    uint64_t n = some_tracks ? track_scope_count(&range->tracks) : 0, of = app->range.tracks;
    char span[32], tracks[48] = "", some[32], all[32];
    units_duration(end > begin ? units_since(begin, end) : 0, app->grid.ascii, span);
    if (some_tracks && of > 0)
        snprintf(tracks, sizeof tracks, "  %s of %s track%s", units_count(n, false, some),
                 units_count(of, false, all), of == 1 ? "" : "s");
    else if (some_tracks) /* all of them are not counted yet */
        snprintf(tracks, sizeof tracks, "  %s track%s", units_count(n, false, some),
                 n == 1 ? "" : "s");
    bool whole = trace_state(app->trace) == TRACE_COMPLETE;
    if (range->timed)
        snprintf(buf, 96, "range %s%s%s", span, session_read_text(app), tracks);
    else
        snprintf(buf, 96, "%s %s%s", whole ? "whole trace" : "trace so far", span, tracks);
    return buf;
}

const char *session_answer_text(const struct app *app, char buf[240]) {
    char range[96], said[120];
    struct left_out n = slice_iter_left_out_all(app->trace);
    bool any = left_out_any(n);
    session_range_text(app, range);
    snprintf(buf, 240, "%s%s%s", range, any ? "  " : "",
             any ? slice_iter_left_out_text(n, said) : "");
    return buf;
}
