/* view_hits.c - the hits of the search as a table: longest first; Enter goes to one.
 *
 * A row is a hit by its number in the order of tracks; the search finds it through its counts. The
 * table is empty until all hits are counted, and made again when another search was begun or the
 * trace has changed. A filter that asks for self adds up the self times of threads with overlaps,
 * in steps after the hits are counted.
 *
 * Names and threads are sorted by their rank. Ranks are found when such a column is sorted first,
 * and again after the trace has changed. More than RANKED of them come in the order of the file
 * instead. */
#include <stdlib.h>
#include <string.h>

#include "model/query/detail.h"
#include "model/query/filter/filter_match.h"
#include "model/store/sched_life.h"
#include "src/base/units.h"
#include "ui/drawer/phrase.h"
#include "ui/timeline/find.h"
#include "ui/timeline/move.h"
#include "ui/views/view_table.h"

enum { AT, THREAD, NAME, DUR, SELF, RUNNING, RUNNABLE, BLOCKED, ARGUMENTS, COLUMNS };

static const struct relation_column relation_columns[COLUMNS] = {
    [AT] = {"ts_ns", "at", RELATION_INTEGER, RELATION_TIME, false},
    [THREAD] = {"thread", "thread", RELATION_TEXT, RELATION_NONE, false},
    [NAME] = {"name", "name", RELATION_TEXT, RELATION_NONE, false},
    [DUR] = {"dur_ns", "dur", RELATION_INTEGER, RELATION_DURATION, false},
    [SELF] = {"self_ns", "self", RELATION_INTEGER, RELATION_DURATION, false},
    [RUNNING] = {"running_ns", "running", RELATION_INTEGER, RELATION_DURATION, false},
    [RUNNABLE] = {"runnable_ns", "runnable", RELATION_INTEGER, RELATION_DURATION, false},
    [BLOCKED] = {"blocked_ns", "blocked", RELATION_INTEGER, RELATION_DURATION, false},
    [ARGUMENTS] = {"args", "arguments", RELATION_TEXT, RELATION_NONE, false},
};

static const struct table_column columns[COLUMNS] = {
    [AT] = {NULL, 16, 20, 0, false, true},        [THREAD] = {NULL, 10, 18, 2, false, true},
    [NAME] = {NULL, 10, 24, 1, false, true},      [DUR] = {NULL, 9, 9, 0, true, true},
    [SELF] = {NULL, 9, 9, 3, true, true},         [RUNNING] = {NULL, 9, 9, 4, true, true},
    [RUNNABLE] = {NULL, 9, 9, 6, true, true},     [BLOCKED] = {NULL, 9, 9, 5, true, true},
    [ARGUMENTS] = {NULL, 12, 0, 7, false, false},
};

#define RANKED 8192 /* texts that are put in order at once: about 5 ms */

struct ranks {
    VEC(uint32_t) v;  /* by number */
    uint64_t version; /* of the trace; meaningful if v.n > 0 */
};

struct hits {
    struct view_table_list list; /* first: the functions of view_table.h see a list */
    uint32_t changes;            /* of the search that the table was made of */
    uint32_t range_serial;       /* of the range that its rows are of */
    bool known;
    struct filter *self_filter;  /* of: */
    struct filter_match *selves; /* NULL: self times are not asked yet */
    bool selves_known;           /* of the trace as of: */
    uint64_t selves_version;
    struct ranks thread_ranks, name_ranks;
};

struct found { /* a hit, and what it is */
    struct hit hit;
    struct slice_series series;
    bool lasts; /* it is a slice: */
    struct slice slice;
    int64_t end;
    uint32_t thread;
};

static bool find_row(struct trace *trace, struct find_state *find, uint64_t row, struct found *f) {
    const struct slice_series *s = &f->series;
    if (find->search == NULL || !search_at(find->search, row, &f->hit, &f->series))
        return false;
    f->lasts = s->lane != NULL;
    if (f->lasts)
        f->slice = lane_slice(s->lane, f->hit.i);
    f->end = f->lasts ? slice_iter_end(trace, s->track, &f->slice) : f->hit.time;
    f->thread = s->track < SLICE_ITER_ASYNC
                    ? s->track
                    : trace_thread_at(trace, slice_iter_offset(s, f->hit.i));
    if (s->kind == SLICE_ITER_STATES)
        f->thread = sched_thread_at(trace_sched(trace), s->track - SLICE_ITER_STATE_TRACK)->thread;
    return true;
}

static uint64_t rows(void *ctx) {
    const struct app *app = ((struct view_table_list *)ctx)->app;
    return app->find.search && app->find.hits_known ? app->find.hits : 0;
}

static void name_text(struct trace *trace, const struct found *f, struct relation_value *value) {
    const struct slice_series *s = &f->series;
    struct detail d;
    if (s->kind == SLICE_ITER_STATES) {
        const struct sched_thread *t =
            sched_thread_at(trace_sched(trace), s->track - SLICE_ITER_STATE_TRACK);
        const char *state = trace_state_name(trace, sched_life_state(t, f->hit.i));
        relation_set_text(value, str_of(state ? state : "unknown"));
    } else if (f->lasts) {
        relation_set_text(value, trace_slice_name(trace, &f->slice));
    } else if (detail_open(&d, trace, slice_iter_offset(s, f->hit.i))) {
        struct str text = s->logs ? d.record.payload : d.name;
        size_t n = text.n < sizeof value->buf ? text.n : sizeof value->buf;
        if (n > 0)
            memcpy(value->buf, text.s, n); /* the detail goes out of scope */
        relation_set_text(value, (struct str){value->buf, n});
    }
}

/* Known at once of threads without overlaps. */
static bool self_of(const struct hits *hits, struct trace *trace, const struct found *f,
                    int64_t *self) {
    if (f->series.kind != SLICE_ITER_SLICES)
        return false;
    if (trace_damaged_slice(trace, &f->slice)) /* it is in no sum */
        return false;
    if (slice_iter_displaced(trace, f->hit.thread)) {
        if (!hits->selves_known || hits->selves_version != trace_version(trace))
            return false;
        *self = filter_match_self(hits->selves, f->hit.thread, f->hit.row, f->hit.i);
        return true;
    }
    *self = trace_slice_self(trace, f->hit.thread, f->hit.row, &f->slice);
    return true;
}

/* The time of a slice that its thread was in a state; false: the trace has no scheduling of it. */
static bool time_in_state(const struct trace *trace, const struct found *f, int column,
                          int64_t *ns) {
    const struct sched_thread *t =
        f->thread == NO_THREAD ? NULL : sched_thread(trace_sched(trace), f->thread);
    if (t == NULL || f->series.kind != SLICE_ITER_SLICES)
        return false;
    struct sched_shares shares = sched_life_shares(t, f->slice.start, f->end);
    *ns = column == RUNNABLE ? shares.wait : shares.blocked;
    if (column == RUNNING)
        *ns = shares.run;
    return true;
}

/* ---- ranks ---- */

struct ranked {
    struct str text;
    uint64_t then; /* orders equal texts */
    uint32_t number;
};

static int by_text(const void *a, const void *b) {
    const struct ranked *p = a, *q = b;
    size_t n = p->text.n < q->text.n ? p->text.n : q->text.n;
    int order = n > 0 ? memcmp(p->text.s, q->text.s, n) : 0;
    if (order == 0)
        order = (p->text.n > q->text.n) - (p->text.n < q->text.n);
    if (order == 0)
        order = (p->then > q->then) - (p->then < q->then);
    return order ? order : (p->number > q->number) - (p->number < q->number);
}

static struct ranked ranked_name(const struct trace *trace, uint32_t number, char buf[40]) {
    (void)buf;
    return (struct ranked){trace_name(trace, number), 0, number};
}

static struct ranked ranked_thread(const struct trace *trace, uint32_t number, char buf[40]) {
    const struct thread *t = trace_thread(trace, number);
    bool named;
    return (struct ranked){trace_thread_name(trace, t, buf, &named), t->id.tid, number};
}

/* The rank of a number below n; greater numbers, and all if there are many, are ranked by their
 * number. */
static uint32_t rank_of(struct ranks *ranks, const struct trace *trace, bool threads, uint32_t n,
                        uint32_t number) {
    if (n > RANKED || number >= n)
        return number;
    if (ranks->v.n != n || ranks->version != trace_version(trace)) {
        struct ranked *all = err_calloc(n + 1, sizeof *all);
        char(*bufs)[40] = err_calloc(n + 1, sizeof *bufs);
        ranks->v.n = 0;
        for (uint32_t i = 0; i < n; i++) {
            all[i] = threads ? ranked_thread(trace, i, bufs[i]) : ranked_name(trace, i, bufs[i]);
            vec_push(&ranks->v, 0);
        }
        qsort(all, n, sizeof *all, by_text);
        for (uint32_t i = 0; i < n; i++)
            ranks->v.v[all[i].number] = i;
        ranks->version = trace_version(trace);
        free(bufs);
        free(all);
    }
    return ranks->v.v[number];
}

/* The number of a hit's name; false: it has a text of its own. */
static bool name_number(struct trace *trace, const struct found *f, uint32_t *name) {
    const struct slice_series *s = &f->series;
    if (s->kind == SLICE_ITER_STATES ||
        (!f->lasts && s->instants == NULL && s->async_instants == NULL))
        return false;
    if (s->async_instants)
        *name = s->async_instants[f->hit.i].name;
    else
        *name =
            trace_packed_name(trace, f->lasts ? f->slice.begin_word : s->instants[f->hit.i].packed);
    return true;
}

static void get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
    struct hits *hits = ctx;
    struct trace *trace = hits->list.app->trace;
    struct found f;
    int64_t ns;
    if (!find_row(hits->list.app->trace, &hits->list.app->find, row.row, &f))
        return;
    switch (column) {
    case AT:
        relation_set_integer(value, f.hit.time);
        break;
    case THREAD:
        if (f.thread != NO_THREAD)
            relation_set_text(value,
                              phrase_thread(trace, f.thread, " ", value->buf, sizeof value->buf));
        break;
    case NAME:
        name_text(trace, &f, value);
        break;
    case DUR:
        if (f.lasts)
            relation_set_integer(value, units_since(f.slice.start, f.end));
        break;
    case SELF:
        if (self_of(hits, trace, &f, &ns))
            relation_set_integer(value, ns);
        break;
    case ARGUMENTS:
        view_table_list_arguments(&hits->list, slice_iter_offset(&f.series, f.hit.i), value);
        break;
    default:
        if (time_in_state(trace, &f, column, &ns))
            relation_set_integer(value, ns);
        break;
    }
}

/* Sorting puts the greatest key first: keys of texts fall from A to Z. */
static int64_t key(void *ctx, struct relation_row row, int column) {
    struct hits *hits = ctx;
    struct trace *trace = hits->list.app->trace;
    struct found f;
    uint32_t name;
    struct relation_value value = {0};
    if (column != THREAD && column != NAME) {
        get(ctx, row, column, &value);
        return value.type == RELATION_INTEGER ? value.integer : INT64_MIN;
    }
    if (!find_row(trace, &hits->list.app->find, row.row, &f))
        return INT64_MIN;
    if (column == THREAD)
        return f.thread == NO_THREAD
                   ? INT64_MIN
                   : -(int64_t)rank_of(&hits->thread_ranks, trace, true,
                                       (uint32_t)trace_thread_count(trace), f.thread);
    if (!name_number(trace, &f, &name))
        return INT64_MIN;
    return -(int64_t)rank_of(&hits->name_ranks, trace, false,
                             names_count(reader_names(trace_reader(trace))), name);
}

static void format(void *ctx, struct relation_row row, int column, struct table_cell *cell) {
    (void)row;
    if (column == AT)
        view_table_point(((struct view_table_list *)ctx)->app, cell);
}

static const struct relation relation = {"hit", relation_columns, COLUMNS, false, rows, get};
/* Hits with a length are in the range if they overlap it. */
static bool keeps(void *ctx, uint64_t row) {
    struct app *app = ((struct view_table_list *)ctx)->app;
    const struct range *range = session_range(app);
    struct found f;
    if (!find_row(app->trace, &app->find, row, &f))
        return false;
    return range_overlaps(range, f.hit.time, f.end) &&
           (range_has_track(range, f.series.track) || range_has_track(range, f.thread));
}

static const struct table_source source = {&relation,      columns,    format,
                                           .keeps = keeps, .key = key, .a_to_z = true};

static void *make(struct view *view) {
    struct hits *hits = err_calloc(1, sizeof *hits);
    hits->list = (struct view_table_list){.heading = "Hits",
                                          .noun = "hit",
                                          .none = "no hits: / finds events on the timeline",
                                          .whole = ARGUMENTS,
                                          .ranged = true};
    view_table_list_init(&hits->list, view->app, &source);
    table_sort_first(&hits->list.table, DUR);
    return hits;
}

static void free_selves(struct hits *hits) {
    filter_match_free(hits->selves);
    filter_free(hits->self_filter);
    hits->selves = NULL;
    hits->self_filter = NULL;
    hits->selves_known = false;
}

/* A step towards the self times of threads with overlaps; true: there is more. */
static bool step_selves(struct hits *hits, struct app *app) {
    struct err err;
    if (!hits->known || (hits->selves_known && hits->selves_version == trace_version(app->trace)))
        return false;
    if (hits->selves == NULL) {
        hits->self_filter = filter_new("self>=0ns", false, &err);
        hits->selves = filter_match_new(app->trace, hits->self_filter);
    }
    hits->selves_known = filter_match_step(hits->selves, app->work);
    hits->selves_version = trace_version(app->trace);
    if (!hits->selves_known)
        return true;
    if (hits->list.table.sort == SELF)
        table_renew(&hits->list.table);
    app->dirty = true;
    return false;
}

/* Makes the table again after the hits have changed. */
static bool step(struct view *view) {
    struct hits *hits = view->state;
    struct find_state *find = &view->app->find;
    if (find->search && !find->hits_known) /* a key needs them before the job has its turn */
        find->hits_known = search_count(find->search, view->app->work, &find->hits);
    bool known = find->search && find->hits_known;
    if (hits->changes != find->changes || hits->known != known) {
        hits->changes = find->changes;
        hits->known = known;
        hits->list.hint = find->search ? search_pattern(find->search) : NULL;
        table_renew(&hits->list.table);
        view->app->dirty = true;
    }
    if (hits->range_serial != view->app->range.serial) {
        hits->range_serial = view->app->range.serial;
        table_select(&hits->list.table, range_any(session_range(view->app)));
        view->app->dirty = true;
    }
    bool more = step_selves(hits, view->app);
    return view_table_step(view) || more || (find->search && !known);
}

static bool update(struct view *view, bool renewed) {
    if (renewed)
        free_selves(view->state); /* the trace is another one */
    return view_table_list_update(view, renewed);
}

static void release(struct view *view) {
    struct hits *hits = view->state;
    free_selves(hits);
    vec_free(&hits->thread_ranks.v);
    vec_free(&hits->name_ranks.v);
    view_table_list_free(view);
}

static void enter(struct view *view) {
    struct relation_row row;
    struct found f;
    struct app *app = view->app;
    if (!table_current(view_table_list_table(view), &row) ||
        !find_row(app->trace, &app->find, row.row, &f))
        return;
    view_open_timeline(app);
    move_remember(&app->timeline);
    find_go(app, &f.hit);
}

static bool lists_slices(struct view *view) {
    return table_count(view_table_list_table(view)) > 0;
}

static bool record(struct view *view, struct view_record *record) {
    struct relation_row row;
    struct found f;
    if (!table_current(view_table_list_table(view), &row) ||
        !find_row(view->app->trace, &view->app->find, row.row, &f))
        return view_table_no_record(view->app);
    record->offset = slice_iter_offset(&f.series, f.hit.i);
    return true;
}

static const char *const hints[] = {"j/k row", "Enter show", NULL};

const struct view_ops view_hits = {
    .title = "[Hits]",
    .modes = MODE_TABLE,
    .hints = hints,
    .make = make,
    .free = release,
    .draw = view_table_list_draw,
    .update = update,
    .step = step,
    .pointer = view_table_pointer,
    .enter = enter,
    .lists_slices = lists_slices,
    .show = enter,
    .find = view_table_find,
    .record = record,
    .csv = view_table_csv,
    .table = view_table_list_table,
};
