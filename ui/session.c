/* session.c - what every floor of the interface asks of its state: messages, times as text, the current line, sizes. */
#include "ui/session.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "src/base/units.h"


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

bool session_line(struct trace *trace, const struct timeline *timeline, struct track_line *line) {
    return track_line_at(trace, &timeline->tracks, timeline->line, line);
}

const struct slice *session_slice(struct trace *trace, const struct timeline *timeline) {
    return selection_slice(trace, &timeline->selection);
}

struct flow_stats *session_flow_stats(struct trace *trace, struct flow_state *flow) {
    if (flow->stats == NULL)
        flow->stats = flow_stats_new(trace);
    return flow->stats;
}

/* ---- time as text ---- */

int64_t session_begin(const struct trace *trace, const struct timeline *timeline) {
    return timeline->far_shown ? trace_origin(trace) : trace_begin(trace);
}

int64_t session_end(const struct trace *trace, const struct timeline *timeline, const struct reload_state *reload) {
    int64_t end = timeline->far_shown ? trace_last(trace) : trace_end(trace);
    return reload->phase == RELOAD_READING && reload->end > end ? reload->end : end;
}

int64_t session_resolution(const struct trace *trace) {
    return (uint64_t)trace_end(trace) - (uint64_t)trace_begin(trace) < 1000000 ? 1 : 1000;
}

const char *session_point(const struct app *app, int64_t t, int64_t resolution, char buf[48]) {
    char digits[40];
    uint64_t tps, base_tick, base_unix;
    bool wall = false;
    if (app->timeline.time_format == TIME_CLOCK) {
        snprintf(buf, 48, "%s ns", wide_text(wide_add(reader_base(trace_reader(app->trace)), t), digits));
        return buf;
    }
    if (app->timeline.time_format == TIME_WALL &&
        reader_init(trace_reader(app->trace), &tps, &base_tick, &base_unix, &wall) && wall) {
        struct wide base = tps ? wide_div(wide_mul(base_tick, 1000000000), tps) : (struct wide){0, base_tick};
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
    units_point((int64_t)((uint64_t)t - (uint64_t)trace_begin(app->trace)), resolution, app->grid.ascii, text);
    snprintf(buf, 48, "%s", text);
    return buf;
}

bool session_time(struct app *app, const char *text, int64_t *t) {
    int64_t origin = trace_begin(app->trace), ns;
    uint64_t span = (uint64_t)trace_end(app->trace) - (uint64_t)origin;
    size_t n = strlen(text);
    char sign = *text == '+' || *text == '-' ? *text : 0;
    while (n > 0 && text[n - 1] == ' ')
        n--;
    if (n > 0 && text[n - 1] == '%') {
        char *end;
        double percent = strtod(text, &end);
        if (end != text + n - 1 || !(percent >= 0 && percent <= 100))
            return false;
        *t = session_end(app->trace, &app->timeline, &app->reload);
        if (percent < 100)
            *t = (int64_t)((uint64_t)origin + (uint64_t)((double)span * (percent / 100)));
        return true;
    }
    if (!units_parse(text + (sign != 0), n - (sign != 0), &ns) || ns < 0)
        return false;
    int64_t from = sign ? app->timeline.cursor : origin;
    if (sign == '-')
        ns = -ns;
    if (__builtin_add_overflow(from, ns, t))
        *t = sign == '-' ? INT64_MIN : INT64_MAX;
    return true;
}

/* ---- sizes ---- */

static struct layout_ask wanted(const struct app *app) {
    const struct track_list *tracks = &app->timeline.tracks;
    return (struct layout_ask){.drawer = app->drawer.open,
                               .hits = app->find.search != NULL,
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
        app->timeline.edges = err_realloc(app->timeline.edges, (size_t)columns + 1, sizeof *app->timeline.edges);
        app->timeline.dense = err_realloc(app->timeline.dense, (size_t)columns, 1);
        app->timeline.spans = err_realloc(app->timeline.spans, (size_t)columns * 2 + 2, sizeof *app->timeline.spans);
        app->timeline.overview.levels = err_realloc(app->timeline.overview.levels, (size_t)columns + 1, 1);
        app->timeline.overview.busy =
            err_realloc(app->timeline.overview.busy, (size_t)columns, sizeof *app->timeline.overview.busy);
        app->timeline.overview.columns = 0;
        window_limits(&app->timeline.window, session_begin(app->trace, &app->timeline),
                      session_end(app->trace, &app->timeline, &app->reload), columns);
    }
    app->dirty = true;
}

/* A small screen has no strips of states, and one line for a counter. */
void session_fit_tracks(struct app *app) {
    bool small = app->grid.cols < 100 || app->grid.rows < 28, alone = app->timeline.tracks.set != LIST_ALL;
    app->timeline.tracks.strips = !small || alone;
    app->timeline.tracks.curve = alone ? (small ? 3 : 4) : small ? 1 : 2;
}

uint64_t session_line_at(const struct app *app, int y) {
    int pinned = session_pinned_rows(app), r = y - app->layout.tracks;
    if (r < pinned)
        return (uint64_t)r;
    return pinned > 0 && r == pinned ? UINT64_MAX : app->timeline.top + (uint64_t)(r - pinned - (pinned > 0));
}

/* Pinned tracks take at most half of the rows; under them a rule. */
int session_pinned_rows(const struct app *app) {
    uint64_t most = app->layout.track_rows > 3 ? (uint64_t)(app->layout.track_rows - 1) / 2 : 0;
    return (int)(app->timeline.tracks.pinned < most ? app->timeline.tracks.pinned : most);
}
