/* describe_view.c - sentences about the window, its busiest threads, the moment at the cursor, and
 * the selection.
 *
 * A sentence is a line. Times are as on the ruler; durations have their unit. The numbers are those
 * of the drawer: how busy (trace_life.h), states (sched_life.h), ranks (quantiles.h). */
#include "ui/describe_view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/query/detail.h"
#include "model/query/filter/filter_lanes.h"
#include "model/query/name_stats.h"
#include "model/store/row_track.h"
#include "src/base/units.h"
#include "ui/drawer/details.h"
#include "ui/drawer/phrase.h"
#include "ui/keep/keep_copy.h"
#include "ui/timeline/move.h"
#include "ui/timeline/track_ops.h"
#include "ui/views/view.h"
#include "ui/views/view_table.h"

#define BUSIEST 5   /* threads */
#define THREADS 12  /* named at the moment of the cursor */
#define ANCESTORS 8 /* of a slice */
#define RULE 8      /* dashes in a row */
#define NAME_MAX 200

struct page {
    struct app *app;
    struct trace *trace;
    FILE *out;
    bool ascii;
    int64_t from, to; /* of the window, within the trace */
};

static void name(const struct page *p, struct str s) {
    char safe[NAME_MAX];
    text_plain(safe, sizeof safe, s, TEXT_TRACK | (p->ascii ? TEXT_ASCII : 0));
    fputs(s.n > 0 ? safe : "(no name)", p->out);
}

static const char *duration(const struct page *p, int64_t ns, char buf[32]) {
    return units_duration(ns, p->ascii, buf);
}

static const char *point(const struct page *p, int64_t t, char buf[48]) {
    return session_point(p->app, t, 1, buf);
}

/* "ui 1101 of render_svc.cm 1100". */
static void thread(const struct page *p, const struct thread *t) {
    char buf[40];
    bool named;
    name(p, trace_thread_name(p->trace, t, buf, &named));
    if (named && t->id.form != THREAD_UNDEFINED)
        fprintf(p->out, " %" PRIu64, t->id.tid);
    if (t->process == NO_PROCESS)
        return;
    const struct process *process = trace_process(p->trace, t->process);
    fputs(" of ", p->out);
    name(p, trace_process_name(p->trace, process, buf, &named));
    if (named)
        fprintf(p->out, " %" PRIu64, process->pid);
}

/* ---- the window ---- */

struct busy {
    uint32_t thread;
    int64_t ns;
    bool ran;
};

static int by_busy(const void *a, const void *b) {
    const struct busy *x = a, *y = b;
    if (x->ns != y->ns)
        return x->ns > y->ns ? -1 : 1;
    return x->thread < y->thread ? -1 : x->thread > y->thread;
}

static void busiest(const struct page *p) {
    VEC(struct busy) all = {0};
    char dur[32];
    size_t shown = 0;
    for (uint32_t k = 0; k < trace_thread_count(p->trace); k++) {
        struct thread *t = trace_thread(p->trace, k);
        bool ran = trace_thread_scheduled(p->trace, t);
        if (trace_thread_hidden(p->trace, t))
            continue;
        int64_t ns = ran ? trace_thread_cpu_time(p->trace, t, p->from, p->to)
                         : trace_thread_covered(p->trace, t, p->from, p->to);
        shown++;
        if (ns > 0)
            vec_push(&all, ((struct busy){k, ns, ran}));
    }
    if (all.n > 0)
        qsort(all.v, all.n, sizeof *all.v, by_busy);
    fprintf(p->out, "%zu of %zu thread%s %s busy in it%s\n", all.n, shown, shown == 1 ? "" : "s",
            all.n == 1 ? "is" : "are", all.n > 0 ? "; busiest first:" : ".");
    for (size_t i = 0; i < all.n && i < BUSIEST; i++) {
        double share = p->to > p->from ? (double)all.v[i].ns / (double)(p->to - p->from) * 100 : 0;
        fputs("  ", p->out);
        thread(p, trace_thread(p->trace, all.v[i].thread));
        fprintf(p->out,
                all.v[i].ran ? " ran for %s, %.1f%% of it.\n"
                             : " has slices for %s, %.1f%% of it.\n",
                duration(p, all.v[i].ns, dur), share);
    }
    vec_free(&all);
}

static uint64_t slices_in(const struct page *p) {
    struct slice_set set =
        SLICE_SET(SLICE_ITER_SLICES, NO_THREAD, p->from, p->to < INT64_MAX ? p->to + 1 : p->to);
    struct slice_iter iter;
    struct slice_run run;
    uint64_t n = 0;
    slice_iter_init(&iter, p->trace, &set);
    while (slice_iter_next(&iter, NULL, &run))
        n += run.n;
    return n;
}

static void window(const struct page *p) {
    int64_t begin = trace_begin(p->trace), end = trace_end(p->trace);
    char a[48], b[48], dur[32], count[32], answer[180];
    const struct timeline *timeline = &p->app->timeline;
    fputs("Trace ", p->out);
    const char *slash = strrchr(trace_path(p->trace), '/');
    name(p, str_of(slash ? slash + 1 : trace_path(p->trace)));
    uint64_t events = trace_events(p->trace), slices = slices_in(p);
    fprintf(p->out, ": %s, %s event%s", duration(p, units_since(begin, end), dur),
            units_count(events, false, count), events == 1 ? "" : "s");
    size_t processes = trace_process_count(p->trace);
    fprintf(p->out, ", %zu process%s.\n", processes, processes == 1 ? "" : "es");
    if (p->from <= begin && p->to >= end)
        fprintf(p->out, "The window shows the whole trace, %s slice%s.\n",
                units_count(slices, false, count), slices == 1 ? "" : "s");
    else
        fprintf(p->out, "The window shows %s to %s, %s of the trace, %s slice%s.\n",
                point(p, p->from, a), point(p, p->to, b),
                duration(p, units_since(p->from, p->to), dur), units_count(slices, false, count),
                slices == 1 ? "" : "s");
    if (session_range(p->app)->timed || session_range(p->app)->tracks.v.n > 0)
        fprintf(p->out, "Numbers of tables are of: %s.\n", session_range_text(p->app, answer));
    if (left_out_any(slice_iter_left_out_all(p->trace)))
        fprintf(p->out, "%s.\n",
                slice_iter_left_out_text(slice_iter_left_out_all(p->trace), answer));
    if (timeline->filter) {
        fputs("Tracks are filtered by: ", p->out);
        name(p, str_of(filter_text(timeline->filter)));
        fputs(".\n", p->out);
    }
    busiest(p);
}

/* ---- one moment ---- */

/* " in Frame > Layout > Measure", the names around slice i of a row, outermost first. */
static void path(const struct page *p, const struct thread *t, uint32_t row, uint32_t i) {
    struct slice up[ANCESTORS];
    size_t n = 0;
    bool more = true;
    while (more && n < ANCESTORS) {
        up[n++] = lane_slice(nest_row(&t->nest, row), i);
        more = nest_parent(&t->nest, trace_slice_extra(p->trace), row, i, &row, &i);
    }
    fputs(more ? "... > " : "", p->out);
    while (n-- > 0) {
        name(p, trace_slice_name(p->trace, &up[n]));
        fputs(n > 0 ? " > " : "", p->out);
    }
}

/* The state of a thread at a time, or NULL if it is not known. */
static const char *state_at(const struct page *p, uint32_t number, int64_t t) {
    const struct sched_thread *states = sched_thread(trace_sched(p->trace), number);
    uint32_t i = states && states->lane.n > 0 ? lane_before(&states->lane, t) : UINT32_MAX;
    if (i == UINT32_MAX || slice_end(lane_at(&states->lane, i)) <= t ||
        !sched_life_known(states, i))
        return NULL;
    return trace_state_name(p->trace, sched_state(states, i));
}

static void moment(const struct page *p) {
    int64_t t = p->app->timeline.cursor;
    char when[48];
    size_t found = 0;
    fprintf(p->out, "The time cursor is at %s.\n", point(p, t, when));
    for (uint32_t k = 0; k < trace_thread_count(p->trace); k++) {
        const struct thread *th = trace_thread(p->trace, k);
        uint32_t row, i;
        bool inside = !trace_thread_hidden(p->trace, th) &&
                      trace_slice_at(p->trace, k, t, &row, &i) &&
                      trace_slice_end(p->trace, k, lane_at(nest_row(&th->nest, row), i)) > t;
        const char *state = inside ? state_at(p, k, t) : NULL;
        if (!inside || found++ >= THREADS)
            continue;
        fputs("  ", p->out);
        thread(p, th);
        fputs(" is in ", p->out);
        path(p, th, row, i);
        if (state)
            fprintf(p->out, ", %s", state);
        fputs(".\n", p->out);
    }
    if (found == 0)
        fputs("  No thread is in a slice then.\n", p->out);
    else if (found > THREADS)
        fprintf(p->out, "  And %zu more threads are in a slice.\n", found - THREADS);
}

/* ---- the selection ---- */

static void arguments(const struct page *p, uint64_t offset, const char *what) {
    struct detail d;
    struct detail_argument a;
    char buf[64];
    bool any = false;
    if (offset == 0 || !detail_open(&d, p->trace, offset))
        return;
    for (struct fxt_arguments args = d.record.args; detail_argument(&d, &args, &a); any = true) {
        struct str value = detail_value(&a, buf);
        fputs(any ? ", " : what, p->out);
        name(p, a.name);
        fputs(" = ", p->out);
        name(p, value);
        if (a.object.n > 0) {
            fputs(" (", p->out);
            name(p, a.object);
            fputs(")", p->out);
        }
    }
    fputs(any ? ".\n" : "", p->out);
}

/* How long it took, compared with all of its name. */
static void verdict(const struct page *p, enum slice_iter_kind kind, uint32_t number,
                    const struct slice *s) {
    struct name_stats stats = {.trace = p->trace, .set = SLICE_SET_ALL(kind), .name = number};
    char rank[80], dur[32];
    name_stats_make(NULL, &stats);
    const struct aggregate_row *row = name_stats_row(&stats);
    if (!slice_open(s) && row->durations.v.n > 0) {
        const struct quantiles *all = &row->durations;
        int64_t ns = slice_dur(s);
        fprintf(p->out, "Among all of its name: %s", phrase_rank(all, ns, rank));
        if (all->v.n > 1)
            fprintf(p->out, "; the median is %s", duration(p, quantiles_at(all, 500), dur));
        putc('.', p->out);
        if (quantiles_slow(all, ns))
            fprintf(p->out, " It is slow: longer than the 95th percentile, %s.",
                    duration(p, quantiles_at(all, 950), dur));
        else if (quantiles_fast(all, ns))
            fputs(" It is fast: shorter than the 5th percentile.", p->out);
        putc('\n', p->out);
    }
    name_stats_free(&stats);
}

static void length(const struct page *p, const struct slice *s, int64_t end) {
    char a[48], b[48], dur[32];
    if (slice_open(s))
        fprintf(p->out, " It begins at %s and never ended; %s passed until %s.\n",
                point(p, s->start, a), duration(p, units_since(s->start, end), dur),
                end < trace_end(p->trace) ? "the end of its thread" : "the end of the trace");
    else
        fprintf(p->out, " It begins at %s, lasts %s, and ends at %s.\n", point(p, s->start, a),
                duration(p, slice_dur(s), dur), point(p, slice_end(s), b));
}

static void states(const struct page *p, uint32_t number, int64_t from, int64_t to) {
    const struct sched_thread *t = sched_thread(trace_sched(p->trace), number);
    char run[32], wait[32], blocked[32];
    if (t == NULL || to <= from ||
        !trace_thread_scheduled(p->trace, trace_thread(p->trace, number)))
        return;
    struct sched_shares s = sched_life_shares(t, from, to);
    fprintf(p->out, "Meanwhile the thread was running for %s, runnable for %s, blocked for %s.\n",
            duration(p, s.run, run), duration(p, s.wait, wait), duration(p, s.blocked, blocked));
}

static void slice(const struct page *p, const struct selection *at) {
    const struct slice *s = selection_slice(p->trace, at);
    const struct thread *t = trace_thread(p->trace, at->of);
    int64_t end = trace_slice_end(p->trace, at->of, s);
    uint32_t row, i;
    int64_t self;
    char dur[32];
    fputs("Selected is the slice ", p->out);
    name(p, trace_slice_name(p->trace, s));
    fputs(" on ", p->out);
    thread(p, t);
    fputs(".", p->out);
    length(p, s, end);
    if (nest_parent(&t->nest, trace_slice_extra(p->trace), at->row, at->i, &row, &i)) {
        fputs("It is in ", p->out);
        path(p, t, row, i);
        fputs(".\n", p->out);
    } else {
        fputs("It is in no other slice.\n", p->out);
    }
    if (t->nest.displaced == 0 && details_self(p->trace, at, s, &self))
        fprintf(p->out, "%s of it is in no slice inside it.\n", duration(p, self, dur));
    verdict(p, SLICE_ITER_SLICES, trace_packed_name(p->trace, s->begin_word), s);
    states(p, at->of, s->start, end);
}

static void other(const struct page *p, const struct selection *at) {
    const struct slice *s = selection_slice(p->trace, at);
    uint32_t number = selection_thread(p->trace, at);
    enum slice_iter_kind kind;
    uint32_t of_name;
    char when[48];
    struct detail d;
    bool known = detail_open(&d, p->trace, at->offset);
    bool named = selection_name(p->trace, at, &kind, &of_name);
    fputs(named ? "Selected is the async operation " : "Selected is the event ", p->out);
    if (named)
        name(p, trace_name(p->trace, of_name));
    else
        name(p, known ? d.name : STR(""));
    if (number != NO_THREAD) {
        fputs(" on ", p->out);
        thread(p, trace_thread(p->trace, number));
    }
    if (s) {
        fputs(".", p->out);
        length(p, s, slice_open(s) ? trace_end(p->trace) : slice_end(s));
    } else {
        fprintf(p->out, " at %s.\n", point(p, at->time, when));
    }
    if (named)
        verdict(p, kind, of_name, s);
}

static void row_of_question(const struct page *p, const struct selection *at) {
    const struct row_track *track = row_tracks_at(trace_row_tracks(p->trace), at->of);
    const struct slice *s = selection_slice(p->trace, at);
    if (track == NULL || s == NULL)
        return;
    const struct row_track_row *row = row_track_row_of(track, s);
    fputs("Selected is the row ", p->out);
    name(p, row_track_name(track, row));
    fputs(" of the question ", p->out);
    name(p, str_of(track->name));
    fputs(".", p->out);
    length(p, s, slice_open(s) ? trace_end(p->trace) : slice_end(s));
    if (row->value) {
        fputs("Its value is ", p->out);
        name(p, row_track_text(track, row->value));
        fputs(".\n", p->out);
    }
}

static void selected(const struct page *p) {
    const struct selection *at = &p->app->timeline.selection;
    if (!selection_any(at)) {
        fputs("No event is selected.\n", p->out);
        return;
    }
    if (at->kind == &track_rows_row) {
        row_of_question(p, at);
        return;
    }
    if (selection_is_slice(at))
        slice(p, at);
    else
        other(p, at);
    arguments(p, at->offset, "Its arguments: ");
    const struct slice *s = selection_slice(p->trace, at);
    if (s && selection_is_named(at))
        arguments(p, slice_extra_end_offset(trace_slice_extra(p->trace), s),
                  "Arguments of its end: ");
    fprintf(p->out, "Its record is at byte %" PRIu64 " of the trace.\n", at->offset);
}

static void timeline_view(struct app *app, FILE *out) {
    const struct window *w = &app->timeline.window;
    int64_t begin = trace_begin(app->trace), end = trace_end(app->trace),
            to = window_edge(w, w->columns);
    struct page page = {.app = app,
                        .trace = app->trace,
                        .out = out,
                        .ascii = app->grid.ascii,
                        .from = w->from > begin ? w->from : begin,
                        .to = to < end ? to : end};
    window(&page);
    moment(&page);
    selected(&page);
}

/* ---- other views ---- */

#define ROWS 30 /* of a table, from the current one on */

/* The next of texts with tabs between them. */
static struct str next_cell(const char **text, const char *end) {
    size_t n = 0;
    while (*text + n < end && (*text)[n] != '\t' && (*text)[n] != '\n')
        n++;
    struct str cell = {*text, n};
    *text += n < (size_t)(end - *text) ? n + 1 : n;
    return cell;
}

/* "Row 3: Name Frame, Count 120, ...": each cell after its title; empty cells are left out. */
static void table_row_text(struct table *table, uint32_t at, FILE *out) {
    struct chars titles = {0}, cells = {0};
    const char *between = ":";
    table_copy_titles(table, &titles);
    table_copy_row(table, at, &cells);
    const char *title = titles.v, *cell = cells.v;
    fprintf(out, "%sRow %" PRIu32, at == table->at ? "" : "  ", at + 1);
    for (int i = 0; i < table->ncolumns && cells.n > 0; i++) {
        struct str name = next_cell(&title, titles.v + titles.n),
                   value = next_cell(&cell, cells.v + cells.n);
        if (value.n == 0 || str_eq(value, STR("-")))
            continue;
        fprintf(out, "%s %.*s%s%.*s", between, (int)name.n, name.s, name.n ? " " : "", (int)value.n,
                value.s);
        between = ",";
    }
    fputs(".\n", out);
    vec_free(&titles);
    vec_free(&cells);
}

static void rows_of_table(struct table *table, FILE *out) {
    uint32_t n = table_count(table), at = table->at;
    fprintf(out, "The table has %" PRIu32 " %s", n, n == 1 ? "row" : "rows");
    if (table->sort >= 0)
        fprintf(out, ", sorted by %s, %s first", table_title(table, table->sort),
                table_ascends(table) ? "the least" : "the greatest");
    fprintf(out, n > 0 ? "; the current one is row %" PRIu32 ".\n" : ".\n", at + 1);
    for (uint32_t i = at; i < n && i - at < ROWS; i++)
        table_row_text(table, i, out);
    if (n > at && n - at > ROWS)
        fprintf(out, "%" PRIu32 " more rows follow.\n", n - at - ROWS);
}

/* Lines, blocks, bars and curves. */
static bool is_drawing(uint32_t cp) {
    return (cp >= 0x2500 && cp < 0x25b0) || (cp >= 0x2800 && cp < 0x2900);
}

/* The cell is one of RULE dashes: a line in ASCII. */
static bool is_rule(const struct cell *row, int x, int cols) {
    int n = row[x].cp[0] == '-';
    for (int i = x; n > 0 && n < RULE && i > 0 && row[i - 1].cp[0] == '-'; i--)
        n++;
    for (int i = x; n > 0 && n < RULE && i + 1 < cols && row[i + 1].cp[0] == '-'; i++)
        n++;
    return n == RULE;
}

/* The cells of the last frame from the first row to the last, as text. */
static void rows_of_screen(struct app *app, int first, int last, FILE *out) {
    for (int y = first; y <= last; y++) {
        const struct cell *row = grid_at(&app->grid, 0, y);
        int blanks = 0, written = 0;
        for (int x = 0; row && x < app->grid.cols; x++) {
            char utf8[4];
            uint32_t cp = row[x].cp[0];
            if (cp == ' ' || cp == 0 || is_drawing(cp) || is_rule(row, x, app->grid.cols)) {
                blanks++;
                continue;
            }
            blanks = blanks > 2 ? 2 : blanks;
            fprintf(out, "%*s", written ? blanks : 0, "");
            for (int i = 0; i < 3 && row[x].cp[i]; i++)
                fwrite(utf8, 1, text_utf8(row[x].cp[i], utf8), out);
            written++;
            blanks = 0;
        }
        if (written)
            putc('\n', out);
    }
}

/* Lines above a table: its tabs, its range, the sides of a comparison. Below: the pane of the
 * current row. */
static void table_view(struct app *app, struct table *table, FILE *out) {
    int last = app->grid.rows - 2, header = table->y - 1, below = table->y + table->rows;
    rows_of_screen(app, view_table_area(app).y, header <= last ? header - 1 : last, out);
    rows_of_table(table, out);
    if (below > last)
        return;
    fputs("Below the table:\n", out);
    rows_of_screen(app, below, last, out);
}

static void other_view(struct app *app, FILE *out) {
    struct view *view = app->views.current;
    struct chars current = {0};
    if (view->ops->table && view->ops->modes & MODE_TABLE) {
        table_view(app, view->ops->table(view), out);
        return;
    }
    keep_copy_text(app, &current);
    if (view->ops->modes & MODE_TEXT) {
        fwrite(current.v, 1, current.n, out);
    } else {
        for (size_t i = 0; i < current.n; i++)
            if (current.v[i] == '\t')
                current.v[i] = ' ';
        fprintf(out, "Current: %.*s", (int)current.n, current.v ? current.v : "nothing\n");
        fputs("The screen, line by line:\n", out);
        rows_of_screen(app, 1, app->grid.rows - 2, out);
    }
    vec_free(&current);
}

void describe_view(struct app *app, FILE *out) {
    const char *title = app->views.current->ops->title, *filter = view_filter(app);
    char safe[NAME_MAX];
    fprintf(out, "View %.*s.\n", (int)strcspn(title + 1, "]"), title + 1);
    text_plain(safe, sizeof safe, str_of(filter ? filter : ""),
               TEXT_TRACK | (app->grid.ascii ? TEXT_ASCII : 0));
    if (filter)
        fprintf(out, "It shows what matches %s.\n", safe);
    if (!(app->views.current->ops->modes & MODE_TIMELINE))
        other_view(app, out);
    else if (!trace_has_events(app->trace))
        fputs("The trace has no events.\n", out);
    else
        timeline_view(app, out);
    if (app->views.current->ops == &view_counters || app->views.current->ops == &view_cpus) {
        fputs("The tracks on the screen:\n", out);
        rows_of_screen(app, app->layout.tracks, app->layout.tracks + app->layout.track_rows - 1,
                       out);
    }
    if (app->layout.drawer_rows > 0 && app->views.current->ops->modes & MODE_TIMELINE) {
        fputs("The drawer is open:\n", out);
        rows_of_screen(app, app->layout.drawer, app->layout.drawer + app->layout.drawer_rows - 1,
                       out);
    }
}

void describe_view_open(struct app *app) {
    view_open(app, &view_described);
}

/* ---- going there ---- */

static const struct selection_ops *ops_of(unsigned kind) {
    switch (kind) {
    case SLICE_ITER_INSTANTS:
        return &track_thread_instant;
    case SLICE_ITER_OPERATIONS:
        return &track_async_operation;
    case SLICE_ITER_ASYNC_INSTANTS:
        return &track_async_instant;
    case SLICE_ITER_COUNTERS:
        return &track_counter_sample;
    default:
        return &track_log_record;
    }
}

/* The number of the thread, counter or group that a series is of. */
static uint32_t number_of(const struct slice_series *s) {
    switch (s->kind) {
    case SLICE_ITER_INSTANTS:
        return s->track;
    case SLICE_ITER_COUNTERS:
        return s->track - SLICE_ITER_COUNTER_TRACK;
    case SLICE_ITER_LOGS:
        return 0;
    default:
        return s->track - SLICE_ITER_ASYNC;
    }
}

/* Entry i of a series as a selection. */
static struct selection entry_of(struct trace *trace, const struct slice_series *s, uint32_t i) {
    if (s->kind == SLICE_ITER_SLICES)
        return selection_of_slice(trace_thread(trace, s->track), s->row, i);
    uint32_t of = number_of(s);
    if (s->lane)
        return selection_of_lane(ops_of(s->kind), of, s->row, s->lane, i);
    return selection_of_moment(trace, ops_of(s->kind), of, i);
}

/* The event that begins with the record at byte `offset`. */
static bool find_event(struct trace *trace, uint64_t offset, struct selection *found) {
    unsigned kinds = SLICE_ITER_SLICES | SLICE_ITER_INSTANTS | SLICE_ITER_OPERATIONS |
                     SLICE_ITER_ASYNC_INSTANTS | SLICE_ITER_COUNTERS | SLICE_ITER_LOGS;
    struct slice_series s;
    for (uint32_t track = 0, row = 0; slice_iter_series(trace, kinds, &track, &row, &s);)
        for (uint32_t i = 0; i < s.n; i++)
            if (slice_iter_offset(&s, i) == offset) {
                *found = entry_of(trace, &s, i);
                return true;
            }
    return false;
}

bool describe_view_go(struct app *app, const char *text, struct err *err) {
    struct selection found;
    int64_t t;
    view_open_timeline(app);
    if (*text == '@') {
        char *end;
        unsigned long long offset = strtoull(text + 1, &end, 0);
        if (text[1] < '0' || text[1] > '9' || *end != 0)
            return err_set(err, ERR_NO_OFFSET,
                           "--describe: expected @OFFSET, a byte of the trace, such as @34624");
        if (!find_event(app->trace, offset, &found))
            return err_set(err, ERR_NO_OFFSET, "--describe: no event begins at byte %llu", offset);
        move_select(app, found);
        return true;
    }
    if (!session_time(app, text, &t)) {
        char why[320];
        return err_set(err, ERR_NO_OFFSET, "--describe: %s", session_not_a_time(app, text, why));
    }
    if (t > trace_end(app->trace) || t < trace_begin(app->trace)) {
        char begin[48], end[48];
        return err_set(err, ERR_NO_OFFSET, "--describe: not in the trace, which is from %s to %s",
                       session_point(app, trace_begin(app->trace), 1, begin),
                       session_point(app, trace_end(app->trace), 1, end));
    }
    move_to_time(app, t, true);
    move_to_line(app, app->timeline.line);
    return true;
}
