/* view_log.c - 5 Log: the log records as a table, of all or of what the selection is in; the whole message below. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/query/detail.h"
#include "model/query/flow_slice.h"
#include "src/base/units.h"
#include "ui/status.h"
#include "ui/timeline/track_ops.h"
#include "ui/views/view.h"

#define STOPS 4096 /* of the scope's flows */

enum column { TIME, DELTA, THREAD, SLICE, MESSAGE, COLUMNS };
enum scope { SCOPE_ALL, SCOPE_PROCESS, SCOPE_THREAD, SCOPE_SLICE, SCOPE_FLOW, SCOPES };

static const char *const scope_names[SCOPES] = {"all", "process", "thread", "slice", "flow"};

struct view_log {
    struct app *app;
    struct table table;
    enum scope scope;
    /* what the scopes are, of the selection or the current row */
    bool has[SCOPES];
    uint32_t process, thread;
    int64_t from, to;
    VEC(struct flow_slice_place) stops;
};

static const struct table_column columns[COLUMNS] = {
    [TIME] = {"time", 12, 12, 1, false, false},      [DELTA] = {"\xce\x94 prev", 9, 9, 5, true, true},
    [THREAD] = {"thread", 12, 22, 2, false, false},  [SLICE] = {"in slice", 12, 24, 4, false, false},
    [MESSAGE] = {"message", 24, 0, 0, false, false},
};

static const struct occurrence *record(struct view_log *log, uint32_t row) {
    size_t n;
    return &trace_logs(log->app->trace, &n)[row];
}

static struct str message(struct view_log *log, uint32_t row) {
    struct fxt_record r;
    struct provider *p;
    struct reader *reader = trace_reader(log->app->trace);
    bool any = reader_record_at(reader, record(log, row)->at.offset, &r, &p) && r.payload.n > 0;
    return any ? r.payload : STR(""); /* what another record stands in by now has no bytes to point to */
}

/* ---- the source ---- */

static uint32_t count(void *ctx) {
    struct view_log *log = ctx;
    size_t n;
    trace_logs(log->app->trace, &n);
    return n < TABLE_NONE ? (uint32_t)n : TABLE_NONE - 1;
}

static int64_t gap(void *ctx, struct table_row row) {
    struct view_log *log = ctx;
    if (row.before == TABLE_NONE)
        return 0;
    return view_since(record(log, row.before)->at.time, record(log, row.row)->at.time);
}

static void message_cell(struct view_log *log, uint32_t row, struct table_cell *cell) {
    struct str all = message(log, row);
    const char *end = all.n > 0 ? memchr(all.s, '\n', all.n) : NULL; /* one of no bytes may be nowhere */
    cell->text = cell->whole = all;
    cell->csv = CSV_LINES;
    if (end == NULL)
        return;
    unsigned lines = 0;
    cell->text.n = (size_t)(end - all.s);
    while (end && (size_t)(end + 1 - all.s) < all.n && lines < 999) {
        lines++;
        end = memchr(end + 1, '\n', all.n - (size_t)(end + 1 - all.s));
    }
    if (lines > 0)
        snprintf(cell->mark, sizeof cell->mark, "+%u line%s", lines, lines == 1 ? "" : "s");
}

static void cell(void *ctx, struct table_row row, int column, struct table_cell *cell) {
    struct view_log *log = ctx;
    const struct occurrence *r = record(log, row.row);
    char dur[48];
    switch ((enum column)column) {
    case TIME:
        snprintf(cell->buf, sizeof cell->buf, "%s", session_point(log->app, r->at.time, session_resolution(log->app), dur));
        cell->text = str_of(cell->buf);
        cell->csv = CSV_NUMBER;
        cell->number = view_since(trace_origin(log->app->trace), r->at.time);
        break;
    case DELTA:
        if (row.before == TABLE_NONE)
            break;
        cell->csv = CSV_NUMBER;
        cell->number = gap(ctx, row);
        cell->text = str_of(strcpy(cell->buf, units_duration(gap(ctx, row), log->app->grid.ascii, dur)));
        cell->role = ROLE_DIM;
        break;
    case THREAD:
        cell->text = view_thread(log->app->trace, r->thread, true, cell->buf, sizeof cell->buf);
        cell->csv = r->thread == NO_THREAD ? CSV_NOTHING : CSV_TEXT;
        break;
    case SLICE:
        cell->text = view_slice(log->app->trace, r->thread, r->at.time);
        if (cell->text.n > 0)
            break;
        cell->text = STR("-");
        cell->csv = CSV_NOTHING;
        break;
    default:
        message_cell(log, row.row, cell);
        break;
    }
}

static struct str text(void *ctx, uint32_t row) {
    return message(ctx, row);
}

static int64_t key(void *ctx, struct table_row row, int column) {
    (void)column; /* it is DELTA */
    return gap(ctx, row);
}

/* ---- scopes ---- */

static bool in_stops(const struct view_log *log, const struct occurrence *r) {
    for (size_t i = 0; i < log->stops.n; i++) {
        const struct flow_slice_place *p = &log->stops.v[i];
        if (p->thread == r->thread && p->start <= r->at.time && (r->at.time < p->end || r->at.time == p->start))
            return true;
    }
    return false;
}

static bool keeps(void *ctx, uint32_t row) {
    struct view_log *log = ctx;
    const struct occurrence *r = record(log, row);
    switch (log->scope) {
    case SCOPE_PROCESS:
        return r->thread != NO_THREAD && trace_thread(log->app->trace, r->thread)->process == log->process;
    case SCOPE_THREAD:
        return r->thread == log->thread;
    case SCOPE_SLICE:
        return r->thread == log->thread && r->at.time >= log->from && (r->at.time < log->to || log->from == log->to);
    case SCOPE_FLOW:
        return in_stops(log, r);
    default:
        return true;
    }
}

static void add_flow(struct view_log *log, uint32_t point) {
    const struct flows *flows = trace_flows(log->app->trace);
    point = flows_at(flows, flow_link(flows, point)->flow)->first;
    for (; point != NO_POINT && log->stops.n < STOPS; point = flow_link(flows, point)->after)
        vec_push(&log->stops, flow_slice_place(log->app->trace, point));
}

/* What there is around the selection, or else around the cursor on the current row. */
static void look_around(struct view_log *log) {
    struct app *app = log->app;
    const struct track *track = session_track(app);
    const struct selection *selection = &app->timeline.selection;
    memset(log->has, 0, sizeof log->has);
    log->has[SCOPE_ALL] = true;
    log->stops.n = 0;
    log->thread = selection_any(selection) ? selection_thread(app->trace, selection) : track_list_thread(track);
    log->process = log->thread != NO_THREAD                  ? trace_thread(app->trace, log->thread)->process
                   : track && track->kind == &track_process ? track->process
                                                             : NO_PROCESS;
    log->has[SCOPE_PROCESS] = log->process != NO_PROCESS;
    log->has[SCOPE_THREAD] = log->thread != NO_THREAD;
    if (log->thread == NO_THREAD)
        return;
    const struct thread *t = trace_thread(app->trace, log->thread);
    uint32_t row = selection->row, i = selection->i, points[64];
    if (!selection_is_slice(selection) &&
        !trace_slice_at(app->trace, t->number,
                 selection_any(selection) ? selection->time : app->timeline.cursor, &row, &i))
        return;
    const struct slice *s = lane_at(nest_row(&t->nest, row), i);
    log->has[SCOPE_SLICE] = true;
    log->from = s->start;
    log->to = slice_end(s);
    size_t n = flow_slice_points(app->trace, log->thread, row, i, points, sizeof points / sizeof *points);
    for (size_t k = 0; k < n; k++)
        add_flow(log, points[k]);
    log->has[SCOPE_FLOW] = n > 0;
}

static void set_scope(struct view_log *log, enum scope scope) {
    log->scope = scope;
    table_select(&log->table, scope != SCOPE_ALL);
}

void view_log_rescope(struct view_log *log) {
    look_around(log);
    if (log->scope != SCOPE_ALL)
        set_scope(log, log->has[log->scope] ? log->scope : SCOPE_ALL);
}

void view_log_scope(struct view_log *log) {
    enum scope scope = log->scope;
    look_around(log);
    do
        scope = (enum scope)((scope + 1) % SCOPES);
    while (!log->has[scope]);
    set_scope(log, scope);
    if (!log->has[SCOPE_FLOW] && scope == SCOPE_ALL)
        session_say(log->app, false, "all records; with %s, S shows only its records",
                log->has[SCOPE_SLICE] ? "a flow in the selected slice" : "a slice selected");
}

/* ---- life ---- */

static const char *const csv_titles[COLUMNS] = {"time_ns", "after_ns", "thread", "slice", "message"};
static const struct table_source source = {count, cell, text, keeps, key, gap, csv_titles};

struct view_log *view_log_new(struct app *app) {
    struct view_log *log = err_calloc(1, sizeof *log);
    log->app = app;
    table_init(&log->table, &source, log, columns, COLUMNS);
    log->table.silences = true;
    table_renew(&log->table);
    look_around(log);
    if (app->grid.ascii)
        log->table.columns[DELTA].title = "after";
    return log;
}

void view_log_free(struct view_log *log) {
    if (log == NULL)
        return;
    table_free(&log->table);
    vec_free(&log->stops);
    free(log);
}

struct table *view_log_table(struct view_log *log) {
    return &log->table;
}

void view_log_enter(struct view_log *log) {
    struct table_row row;
    if (!table_current(&log->table, &row))
        return;
    const struct occurrence *r = record(log, row.row);
    view_go(log->app, (struct selection){&track_log_record, 0, 0, row.row, r->at.time, r->at.offset});
}

bool view_log_record(struct view_log *log, uint64_t *offset) {
    struct table_row row;
    if (!table_current(&log->table, &row))
        return false;
    *offset = record(log, row.row)->at.offset;
    return true;
}

/* ---- drawing ---- */

static void top_rule(struct view_log *log, int y) {
    struct app *app = log->app;
    char text[64], n[32];
    int x = view_rule(app, y);
    snprintf(text, sizeof text, "Log  %s records", units_count(count(log), false, n));
    x = view_label(app, x, y, str_of(text), ROLE_HEADER) + 1;
    if (app->grid.cols < 70)
        return;
    x = view_label(app, x, y, STR("scope:"), ROLE_LABEL) - 1;
    for (int i = 0; i < SCOPES; i++) {
        bool now = (int)log->scope == i;
        snprintf(text, sizeof text, now ? "[%s]" : "%s", scope_names[i]);
        x = view_label(app, x, y, str_of(text), now ? ROLE_TAB_CURRENT : log->has[i] ? ROLE_TEXT : ROLE_TAB) - 1;
    }
}

/* "main > Frame 213 > Layout   +100 us after its start, 8.700 ms before its end" */
static void around(struct view_log *log, int y, const struct occurrence *r) {
    struct app *app = log->app;
    struct grid *g = &app->grid;
    char buf[TABLE_TEXT], a[32], b[32], said[120];
    uint32_t row, i, rows[16], places[16];
    int n = 0,
        x = grid_text(g, (struct grid_place){1, y, g->cols}, view_thread(app->trace, r->thread, true, buf, sizeof buf),
                      style_look(ROLE_DIM), TEXT_TRACK, true);
    if (r->thread == NO_THREAD)
        return;
    const struct thread *t = trace_thread(app->trace, r->thread);
    bool found = trace_slice_at(app->trace, t->number, r->at.time, &row, &i);
    for (; found && n < 16; n++) {
        rows[n] = row;
        places[n] = i;
        found = nest_parent(&t->nest, trace_slice_extra(app->trace), row, i, &row, &i);
    }
    if (n == 0)
        return;
    for (int k = n - 1; k >= 0; k--) {
        x = grid_ztext(g, x, y, g->cols, " > ", style_look(ROLE_DIM));
        uint32_t name = trace_packed_name(app->trace, lane_at(nest_row(&t->nest, rows[k]), places[k])->begin_word);
        x = grid_text(g, (struct grid_place){x, y, g->cols}, trace_name(app->trace, name),
                      style_look(k == 0 ? ROLE_TEXT : ROLE_DIM), TEXT_TRACK, true);
    }
    const struct slice *s = lane_at(nest_row(&t->nest, rows[0]), places[0]);
    snprintf(said, sizeof said, "%s after its start", units_duration(view_since(s->start, r->at.time), g->ascii, a));
    int m = (int)text_width(str_of(said), 0, 100);
    if (x + 3 + m < g->cols)
        x = grid_ztext(g, x + 3, y, g->cols, said, style_look(ROLE_DIM));
    if (slice_open(s))
        return;
    snprintf(said, sizeof said, ", %s before its end",
             units_duration(view_since(r->at.time, slice_end(s)), g->ascii, b));
    if (x + (int)text_width(str_of(said), 0, 100) < g->cols)
        grid_ztext(g, x, y, g->cols, said, style_look(ROLE_DIM));
}

/* The current record: its whole message, and where it stands. */
static void pane(struct view_log *log, const struct table_row *row, int y, int rows) {
    struct app *app = log->app;
    struct grid *g = &app->grid;
    const struct occurrence *r = record(log, row->row);
    struct fxt_record decoded;
    struct provider *p;
    char text[96], n[32];
    int x = view_rule(app, y), room = rows - 2;
    snprintf(text, sizeof text, "Record %s", units_count((uint64_t)row->row + 1, false, n));
    x = view_label(app, x, y, str_of(text), ROLE_HEADER) + 1;
    if (reader_record_at(trace_reader(app->trace), r->at.offset, &decoded, &p)) {
        snprintf(text, sizeof text, "log record @0x%" PRIx64 " + %" PRIu64 " B", r->at.offset, decoded.words * 8);
        view_label(app, x, y, str_of(text), ROLE_DIM);
    }
    int used = view_text(app, y + 1, room, message(log, row->row), ROLE_TEXT);
    if (used > room && room > 0)
        grid_put(g, g->cols - 1, y + room, grid_glyph(g, GLYPH_DOWN), style_look(ROLE_WARN));
    around(log, y + 1 + (used < room ? used : room), r);
}

static void status(struct view_log *log) {
    struct app *app = log->app;
    const struct table *t = &log->table;
    char left[200], right[80] = "", a[32], b[32], safe[80];
    uint32_t percent = table_percent(t);
    text_plain(safe, sizeof safe, str_of(t->filter ? pattern_text(t->filter) : "none"),
               app->grid.ascii ? TEXT_ASCII : 0);
    uint32_t n = table_count(t);
    snprintf(left, sizeof left, "log %s/%s   filter: %s", units_count(n > 0 ? (uint64_t)t->at + 1 : 0, false, a),
             units_count(n, false, b), safe);
    if (percent < 100)
        snprintf(right, sizeof right, "searching %u%%", percent);
    else if (t->longest > 0)
        snprintf(right, sizeof right, "longest silence %s", units_duration(t->longest, app->grid.ascii, a));
    status_draw_texts(app, left, right);
}

void view_log_draw(struct view_log *log, struct view_area area) {
    struct app *app = log->app;
    struct table *t = &log->table;
    char when[48];
    struct table_row row;
    bool current = table_current(t, &row);
    int below = app->grid.rows < 16 ? 0 : app->grid.rows < 28 ? 4 : 5;
    if (below > 0 && current) { /* a longer message takes up to half */
        int need = 2 + view_text(app, 0, 0, message(log, row.row), ROLE_TEXT), most = area.rows / 2;
        below = need > below ? need < most ? need : most : below;
    }
    int width = (int)text_width(str_of(session_point(app, trace_end(app->trace), session_resolution(app), when)), 0, 47);
    t->columns[TIME].width = t->columns[TIME].most = width > 4 ? width : 4;
    top_rule(log, area.y);
    table_draw(t, &app->grid, area.y + 1, area.rows - 1 - below);
    if (count(log) == 0)
        grid_ztext(&app->grid, 1, area.y + 3, app->grid.cols, "no log records in this trace", style_look(ROLE_DIM));
    else if (!current && t->stage == TABLE_READY)
        grid_ztext(&app->grid, 1, area.y + 3, app->grid.cols, "no matching record: & changes the filter, S the scope",
                   style_look(ROLE_DIM));
    if (below > 0 && current)
        pane(log, &row, area.y + area.rows - below, below);
    status(log);
}
