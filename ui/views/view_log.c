/* view_log.c - 5 Log: the log records as a table, of all or of what the selection is in; the whole
 * message below.
 *
 * The scope is the timeline's selection or, without one, the slice at the cursor on the current
 * line: its process, thread, slice, or the slices of the flows through it. It is looked up when the
 * view opens and when the scope changes. Messages are decoded from the file when they are shown or
 * searched. */
#include "ui/views/view_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/query/detail.h"
#include "model/query/flow_slice.h"
#include "src/base/units.h"
#include "ui/drawer/phrase.h"
#include "ui/status.h"
#include "ui/timeline/track_ops.h"
#include "ui/views/view_place.h"
#include "ui/views/view_table.h"

#define STOPS 4096 /* of the flows of a scope, at most */

enum column { TIME, DELTA, THREAD, SLICE, MESSAGE, COLUMNS };
enum scope { SCOPE_ALL, SCOPE_PROCESS, SCOPE_THREAD, SCOPE_SLICE, SCOPE_FLOW, SCOPES };

static const char *const scope_names[SCOPES] = {"all", "process", "thread", "slice", "flow"};

struct view_log {
    struct app *app;
    struct table table;
    enum scope scope;
    /* what the scopes are: of the selection or the current line */
    bool has[SCOPES];
    uint32_t process, thread;
    int64_t from, to;
    VEC(struct flow_slice_place) stops;
    uint32_t range_serial; /* of the range that the rows are of */
    bool to_last;          /* the last row becomes the current one as soon as it is known */
};

static const struct relation_column relation_columns[COLUMNS] = {
    [TIME] = {"time_ns", "time", RELATION_INTEGER, RELATION_TIME, false},
    [DELTA] = {"after_ns", "\xce\x94 prev", RELATION_INTEGER, RELATION_DURATION, false},
    [THREAD] = {"thread", "thread", RELATION_TEXT, RELATION_NONE, false},
    [SLICE] = {"slice", "in slice", RELATION_TEXT, RELATION_NONE, false},
    [MESSAGE] = {"message", "message", RELATION_TEXT, RELATION_NONE, true},
};

static const struct table_column columns[COLUMNS] = {
    [TIME] = {NULL, 12, 12, 1, false, false},   [DELTA] = {"after", 9, 9, 7, true, true},
    [THREAD] = {NULL, 12, 22, 5, false, false}, [SLICE] = {NULL, 12, 24, 6, false, false},
    [MESSAGE] = {NULL, 24, 0, 0, false, false},
};

static const struct occurrence *log_record(struct view_log *log, uint64_t row) {
    size_t n;
    return &trace_logs(log->app->trace, &n)[row];
}

static struct str message(struct view_log *log, uint64_t row) {
    struct fxt_record r;
    struct provider *p;
    struct reader *reader = trace_reader(log->app->trace);
    bool any = reader_record_at(reader, log_record(log, row)->at.offset, &r, &p) && r.payload.n > 0;
    return any ? r.payload : STR(""); /* the file may hold another record there by now */
}

/* ---- the relation ---- */

static uint64_t rows(void *ctx) {
    struct view_log *log = ctx;
    size_t n;
    trace_logs(log->app->trace, &n);
    return n;
}

static int64_t gap(void *ctx, struct relation_row row) {
    struct view_log *log = ctx;
    if (row.before == RELATION_NO_ROW)
        return 0;
    return units_since(log_record(log, row.before)->at.time, log_record(log, row.row)->at.time);
}

static void get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
    struct view_log *log = ctx;
    const struct occurrence *r = log_record(log, row.row);
    struct str text;
    switch ((enum column)column) {
    case TIME:
        relation_set_integer(value, r->at.time);
        break;
    case DELTA:
        if (row.before != RELATION_NO_ROW)
            relation_set_integer(value, gap(ctx, row));
        break;
    case THREAD:
        if (r->thread != NO_THREAD)
            relation_set_text(value, phrase_thread(log->app->trace, r->thread, "/", value->buf,
                                                   sizeof value->buf));
        break;
    case SLICE:
        text = phrase_slice(log->app->trace, &(struct trace_point){r->thread, r->at, false});
        if (text.n > 0)
            relation_set_text(value, text);
        break;
    default:
        relation_set_text(value, message(log, row.row));
        break;
    }
}

/* The first line; the mark counts the others. */
static void format_message(struct table_cell *cell) {
    struct str all = cell->text;
    /* an empty text may have no address */
    const char *end = all.n > 0 ? memchr(all.s, '\n', all.n) : NULL;
    unsigned lines = 0;
    if (end == NULL)
        return;
    cell->text.n = (size_t)(end - all.s);
    while (end && (size_t)(end + 1 - all.s) < all.n && lines < 999) {
        lines++;
        end = memchr(end + 1, '\n', all.n - (size_t)(end + 1 - all.s));
    }
    if (lines > 0)
        snprintf(cell->mark, sizeof cell->mark, "+%u line%s", lines, lines == 1 ? "" : "s");
}

static void format(void *ctx, struct relation_row row, int column, struct table_cell *cell) {
    struct view_log *log = ctx;
    (void)row;
    if (column == TIME)
        view_table_point(log->app, cell);
    else if (column == DELTA)
        cell->role = cell->value.type == RELATION_NULL ? ROLE_TEXT : ROLE_DIM;
    else if (column == MESSAGE)
        format_message(cell);
    else if (cell->value.type == RELATION_NULL)
        cell->text = STR("-");
}

static struct str text(void *ctx, uint64_t row) {
    return message(ctx, row);
}

static int64_t key(void *ctx, struct relation_row row, int column) {
    (void)column; /* it is DELTA */
    return gap(ctx, row);
}

/* ---- scopes ---- */

static bool in_stops(const struct view_log *log, const struct occurrence *r) {
    for (size_t i = 0; i < log->stops.n; i++) {
        const struct flow_slice_place *p = &log->stops.v[i];
        if (p->thread == r->thread && p->start <= r->at.time &&
            (r->at.time < p->end || r->at.time == p->start))
            return true;
    }
    return false;
}

static bool keeps(void *ctx, uint64_t row) {
    struct view_log *log = ctx;
    const struct occurrence *r = log_record(log, row);
    if (!view_table_in_range(log->app, r->at.time, r->thread))
        return false;
    switch (log->scope) {
    case SCOPE_PROCESS:
        return r->thread != NO_THREAD &&
               trace_thread(log->app->trace, r->thread)->process == log->process;
    case SCOPE_THREAD:
        return r->thread == log->thread;
    case SCOPE_SLICE:
        return r->thread == log->thread && r->at.time >= log->from &&
               (r->at.time < log->to || log->from == log->to);
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

/* Finds the scopes around the selection, or else around the cursor on the current row. */
static void look_around(struct view_log *log) {
    struct app *app = log->app;
    const struct track *track = session_track(&app->timeline);
    const struct selection *selection = &app->timeline.selection;
    memset(log->has, 0, sizeof log->has);
    log->has[SCOPE_ALL] = true;
    log->stops.n = 0;
    log->thread = selection_any(selection) ? selection_thread(app->trace, selection)
                                           : track_list_thread(track);
    log->process = track && track->kind == &track_process ? track->process : NO_PROCESS;
    if (log->thread != NO_THREAD)
        log->process = trace_thread(app->trace, log->thread)->process;
    log->has[SCOPE_PROCESS] = log->process != NO_PROCESS;
    log->has[SCOPE_THREAD] = log->thread != NO_THREAD;
    if (log->thread == NO_THREAD)
        return;
    const struct thread *t = trace_thread(app->trace, log->thread);
    uint32_t row = selection->row, i = selection->i, points[64];
    struct trace_point point = {t->number, {selection->time, selection->offset}, false};
    if (!selection_is_slice(selection) &&
        !(selection_any(selection)
              ? trace_point_slice(app->trace, &point, &row, &i)
              : trace_slice_at(app->trace, t->number, app->timeline.cursor, &row, &i)))
        return;
    const struct slice *s = lane_at(nest_row(&t->nest, row), i);
    log->has[SCOPE_SLICE] = true;
    log->from = s->start;
    log->to = slice_end(s);
    size_t n =
        flow_slice_points(app->trace, log->thread, row, i, points, sizeof points / sizeof *points);
    for (size_t k = 0; k < n; k++)
        add_flow(log, points[k]);
    log->has[SCOPE_FLOW] = n > 0;
}

static void set_scope(struct view_log *log, enum scope scope) {
    log->scope = scope;
    log->range_serial = log->app->range.serial;
    table_select(&log->table, scope != SCOPE_ALL || range_any(session_range(log->app)));
}

static bool open(struct view *view) {
    struct view_log *log = view->state;
    look_around(log);
    if (log->scope != SCOPE_ALL || log->range_serial != log->app->range.serial)
        set_scope(log, log->has[log->scope] ? log->scope : SCOPE_ALL);
    return true;
}

void view_log_scope(struct app *app) {
    struct view *view = app->views.current;
    struct view_log *log = view->state;
    enum scope scope = log->scope;
    look_around(log);
    do
        scope = (enum scope)((scope + 1) % SCOPES);
    while (!log->has[scope]);
    set_scope(log, scope);
    if (!log->has[SCOPE_FLOW] && scope == SCOPE_ALL)
        session_say(app, false, "all records; with %s, S shows only its records",
                    log->has[SCOPE_SLICE] ? "a flow in the selected slice" : "a slice selected");
    view_table_work(view);
}

void view_log_silence(struct app *app) {
    struct view *view = app->views.current;
    struct table *t = &((struct view_log *)view->state)->table;
    t->silences = !t->silences;
    table_renew(t);
    view_table_work(view);
    session_say(app, false,
                t->silences ? "silences shown: gaps over %d times the median" : "silences hidden",
                TABLE_SILENCE);
}

/* ---- life ---- */

static const struct relation relation = {"log", relation_columns, COLUMNS, false, rows, get};
static const struct table_source source = {&relation,      columns,    format,    .text = text,
                                           .keeps = keeps, .key = key, .gap = gap};

static void *make(struct view *view) {
    struct view_log *log = err_calloc(1, sizeof *log);
    log->app = view->app;
    table_init(&log->table, &source, log, view->app->grid.ascii);
    log->table.silences = true;
    log->to_last = trace_follows(view->app->trace);
    table_renew(&log->table);
    return log;
}

static void free_view(struct view *view) {
    struct view_log *log = view->state;
    table_free(&log->table);
    vec_free(&log->stops);
    free(log);
}

static struct table *table(struct view *view) {
    return &((struct view_log *)view->state)->table;
}

/* Chooses the rows again after the range has changed. */
static bool step(struct view *view) {
    struct view_log *log = view->state;
    struct table *t = &log->table;
    if (log->range_serial != log->app->range.serial)
        set_scope(log, log->scope);
    bool more = view_table_step(view);
    if (log->to_last && t->ready && table_count(t) > 0) {
        table_go(t, table_count(t) - 1);
        log->to_last = false;
    }
    return more;
}

/* While a file is followed, a last row that is the current one gives way to those that come. */
static void keep_last(struct view_log *log) {
    const struct table *t = &log->table;
    if (t->ready && t->sort < 0 && !t->inverted && trace_follows(log->app->trace))
        log->to_last = table_count(t) == 0 || t->at == table_count(t) - 1;
}

static bool update(struct view *view, bool renewed) {
    keep_last(view->state);
    if (!renewed && trace_state(view->app->trace) == TRACE_LOADING)
        table_grow(table(view));
    else
        table_renew(table(view));
    return true;
}

static void enter(struct view *view) {
    struct relation_row row;
    if (!table_current(table(view), &row))
        return;
    const struct occurrence *r = log_record(view->state, row.row);
    view_go(view->app, (struct selection){&track_log_record, 0, 0, (uint32_t)row.row, r->at.time,
                                          r->at.offset});
}

static bool record(struct view *view, struct view_record *record) {
    struct relation_row row;
    if (!table_current(table(view), &row))
        return view_table_no_record(view->app);
    record->offset = log_record(view->state, row.row)->at.offset;
    return true;
}

/* ---- drawing ---- */

static void top_rule(struct view_log *log, int y) {
    struct app *app = log->app;
    char text[80], n[32], some[32] = "";
    int x = view_rule(&app->grid, y);
    if (range_any(session_range(app)))
        units_count(table_count(&log->table), false, some);
    snprintf(text, sizeof text, "Log  %s%s%s record%s", some, *some ? " of " : "",
             units_count(rows(log), false, n), rows(log) == 1 ? "" : "s");
    x = view_label(&app->grid, x, y, str_of(text), ROLE_HEADER) + 1;
    x = view_table_range_label(app, x, y);
    if (app->grid.cols < x + 46)
        return;
    x = view_label(&app->grid, x, y, STR("scope:"), ROLE_LABEL) - 1;
    for (int i = 0; i < SCOPES; i++) {
        bool now = (int)log->scope == i;
        snprintf(text, sizeof text, now ? "[%s]" : "%s", scope_names[i]);
        enum role other = log->has[i] ? ROLE_TEXT : ROLE_TAB;
        x = view_label(&app->grid, x, y, str_of(text), now ? ROLE_TAB_CURRENT : other) - 1;
    }
}

/* "main > Frame 213 > Layout   +100 us after its start, 8.700 ms before its end" */
static void around(struct view_log *log, int y, const struct occurrence *r) {
    struct app *app = log->app;
    struct grid *g = &app->grid;
    char buf[TABLE_TEXT], a[32], b[32], said[120];
    uint32_t row, i, rows[16], places[16];
    int n = 0, x = grid_text(g, (struct grid_place){1, y, g->cols},
                             phrase_thread(app->trace, r->thread, "/", buf, sizeof buf),
                             style_look(ROLE_DIM), TEXT_TRACK, true);
    if (r->thread == NO_THREAD)
        return;
    const struct thread *t = trace_thread(app->trace, r->thread);
    bool found =
        trace_point_slice(app->trace, &(struct trace_point){t->number, r->at, false}, &row, &i);
    for (; found && n < 16; n++) {
        rows[n] = row;
        places[n] = i;
        found = nest_parent(&t->nest, trace_slice_extra(app->trace), row, i, &row, &i);
    }
    if (n == 0)
        return;
    for (int k = n - 1; k >= 0; k--) {
        x = grid_ztext(g, x, y, g->cols, " > ", style_look(ROLE_DIM));
        uint32_t name = trace_packed_name(
            app->trace, lane_at(nest_row(&t->nest, rows[k]), places[k])->begin_word);
        x = grid_text(g, (struct grid_place){x, y, g->cols}, trace_name(app->trace, name),
                      style_look(k == 0 ? ROLE_TEXT : ROLE_DIM), TEXT_TRACK, true);
    }
    const struct slice *s = lane_at(nest_row(&t->nest, rows[0]), places[0]);
    snprintf(said, sizeof said, "%s after its start",
             units_duration(units_since(s->start, r->at.time), g->ascii, a));
    int m = (int)text_width(str_of(said), 0, 100);
    if (x + 3 + m < g->cols)
        x = grid_ztext(g, x + 3, y, g->cols, said, style_look(ROLE_DIM));
    if (slice_open(s))
        return;
    snprintf(said, sizeof said, ", %s before its end",
             units_duration(units_since(r->at.time, slice_end(s)), g->ascii, b));
    if (x + (int)text_width(str_of(said), 0, 100) < g->cols)
        grid_ztext(g, x, y, g->cols, said, style_look(ROLE_DIM));
}

/* The current record: its whole message, and the slices around it. */
static void pane(struct view_log *log, const struct relation_row *row, int y, int height) {
    struct app *app = log->app;
    struct grid *g = &app->grid;
    const struct occurrence *r = log_record(log, row->row);
    struct fxt_record decoded;
    struct provider *p;
    char text[96], n[32];
    int x = view_rule(&app->grid, y), room = height - 2;
    snprintf(text, sizeof text, "Record %s", units_count(row->row + 1, false, n));
    x = view_label(&app->grid, x, y, str_of(text), ROLE_HEADER) + 1;
    if (reader_record_at(trace_reader(app->trace), r->at.offset, &decoded, &p)) {
        snprintf(text, sizeof text, "log record @0x%" PRIx64 " + %" PRIu64 " B", r->at.offset,
                 decoded.words * 8);
        view_label(&app->grid, x, y, str_of(text), ROLE_DIM);
    }
    int used = view_table_text(&app->grid, y + 1, room, message(log, row->row), ROLE_TEXT);
    if (used > room && room > 0)
        grid_put(g, g->cols - 1, y + room, grid_glyph(g, GLYPH_DOWN), style_look(ROLE_WARN));
    around(log, y + 1 + (used < room ? used : room), r);
}

static void status(struct view_log *log) {
    const struct table *t = &log->table;
    char right[80] = "", a[32];
    uint32_t percent = table_percent(t);
    if (percent < 100)
        snprintf(right, sizeof right, "searching %u%%", percent);
    else if (t->longest > 0)
        snprintf(right, sizeof right, "longest silence %s",
                 units_duration(t->longest, log->app->grid.ascii, a));
    view_table_status(log->app, t, "log", right);
}

static void draw(struct view *view) {
    struct view_log *log = view->state;
    struct app *app = log->app;
    struct table *t = &log->table;
    struct view_area area = view_table_area(app);
    char when[48];
    struct relation_row row;
    bool current = table_current(t, &row);
    int below = current ? view_table_pane_rows(&app->grid, area, message(log, row.row))
                        : view_table_pane_rows(&app->grid, area, STR(""));
    int width = (int)text_width(
        str_of(session_point(app, trace_end(app->trace), session_resolution(app->trace), when)), 0,
        47);
    t->columns[TIME].width = t->columns[TIME].most = width > 4 ? width : 4;
    top_rule(log, area.y);
    table_draw(t, &app->grid, area.y + 1, area.rows - 1 - below);
    if (rows(log) == 0)
        view_table_empty(&app->grid, area, "no log records in this trace");
    else if (!current && t->ready)
        view_table_empty(&app->grid, area,
                         range_any(session_range(app)) && t->filter == NULL &&
                                 log->scope == SCOPE_ALL
                             ? "no log record in this range: v shows the whole trace"
                             : "no matching record: & changes the filter, S the scope");
    if (below > 0 && current)
        pane(log, &row, area.y + area.rows - below, below);
    status(log);
}

static void keep(struct view *view, struct chars *out) {
    const struct view_log *log = view->state;
    if (log->scope != SCOPE_ALL)
        view_place_line(out, "scope %s", scope_names[log->scope]);
}

static bool put(struct view *view, const char *line) {
    struct view_log *log = view->state;
    look_around(log);
    for (int scope = SCOPE_ALL; scope < SCOPES; scope++)
        if (strncmp(line, "scope ", 6) == 0 && strcmp(line + 6, scope_names[scope]) == 0 &&
            log->has[scope]) {
            set_scope(log, (enum scope)scope);
            return true;
        }
    return false;
}

const struct view_ops view_log = {
    .title = "[5 Log]",
    .modes = MODE_TABLE | MODE_LOG,
    .make = make,
    .free = free_view,
    .open = open,
    .draw = draw,
    .update = update,
    .step = step,
    .pointer = view_table_pointer,
    .enter = enter,
    .find = view_table_find,
    .record = record,
    .csv = view_table_csv,
    .table = table,
    .keep = keep,
    .put = put,
};
