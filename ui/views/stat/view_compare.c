/* view_compare.c - two ranges compared: a table of names, and below it the changes of the current
 * name.
 *
 * Rows of a new question are shown as they come, without verdicts and changes. A complete
 * comparison stays until the next one is complete, so that nothing blinks while a trace is read.
 * For :compare median the median is found first: the durations of the name are sorted, then the
 * earliest slice of that length is looked for. Tab goes through the tabs, which leave out rows by
 * their verdict. */
#include "ui/views/stat/view_compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/query/name_stats.h"
#include "src/base/units.h"
#include "ui/timeline/range/ranges.h"
#include "ui/views/stat/compare_pane.h"
#include "ui/views/stat/traces/compared.h"
#include "ui/views/stat/traces/view_traces.h"
#include "ui/views/view_place.h"
#include "ui/views/view_table.h"

enum tab { TAB_CHANGED, TAB_ALL, TAB_A, TAB_B, TABS };

struct view_compare {
    struct app *app;
    struct table table;
    enum tab tab;
    /* the question */
    enum question_of { OF_KEPT, OF_HALF, OF_MEDIAN, OF_THREADS, QUESTIONS } of;
    bool asked;
    struct selection slice;          /* OF_MEDIAN */
    uint32_t threads[COMPARE_SIDES]; /* OF_THREADS */
    uint64_t version; /* of the trace, and the numbers of the ranges' changes, when it was asked */
    uint32_t serial, kept_serial;
    /* the median */
    struct answer same; /* struct name_stats: of the name of the slice */
    struct slice_iter iter;
    bool seeking, looking; /* for the two slices; for the one of that length */
    int64_t median, found; /* its duration and its begin; INT64_MAX: not found */
    uint32_t found_on;     /* thread */
    /* the answer */
    /* NULL: none; the same if it is complete, or nothing else was to be shown */
    struct compare *shown, *next;
    VEC(struct compare *) dropped; /* to be freed in steps */
    int64_t looked;                /* view_table_look() */
    size_t rows_of[TABS];          /* of a complete answer */
    struct answer pane;            /* of the current row: a struct compare_pane */
};

static const char *const words[QUESTIONS] = {
    [OF_KEPT] = "kept", [OF_HALF] = "half", [OF_MEDIAN] = "median", [OF_THREADS] = "threads"};

/* ---- asking ---- */

/* The rows of a million names take longer to free than a key may wait: that is left to the
 * steps. */
static void drop(struct view_compare *v, struct compare *c) {
    if (c != NULL)
        vec_push(&v->dropped, c);
}

/* Frees what was dropped; true: all of it. */
static bool free_dropped(struct view_compare *v, struct budget *budget) {
    for (; v->dropped.n > 0; v->dropped.n--) {
        struct compare *last = v->dropped.v[v->dropped.n - 1];
        if (!compare_free_step(last, budget))
            return false;
        free(last);
    }
    return true;
}

static void forget(struct view_compare *v) {
    answer_drop(&v->pane);
    if (v->next != v->shown)
        drop(v, v->next);
    drop(v, v->shown);
    v->shown = v->next = NULL;
    v->asked = false;
}

/* Drops the comparison under way; a complete one stays. */
static void drop_begun(struct view_compare *v) {
    if (v->next != v->shown) {
        drop(v, v->next);
    } else if (v->shown && !v->shown->done) {
        table_keep(&v->table);
        answer_drop(&v->pane);
        drop(v, v->shown);
        v->shown = NULL;
        table_renew(&v->table);
    }
    v->next = v->shown;
}

static void begin(struct view_compare *v, const struct range *a, const struct range *b) {
    drop_begun(v);
    v->next = err_calloc(1, sizeof *v->next);
    compare_begin(v->next, v->app->trace, a, b);
    if (v->shown)
        return;
    v->shown = v->next;
    view_table_look_first(&v->looked);
    table_renew(&v->table);
}

static void begin_halves(struct view_compare *v) {
    struct range a = {0}, b = {0};
    range_halves(session_range(v->app), v->app->trace, &a, &b);
    begin(v, &a, &b);
    range_free(&a);
    range_free(&b);
}

/* The range on one thread and on the other. */
static void begin_threads(struct view_compare *v) {
    struct range sides[COMPARE_SIDES] = {{0}};
    for (int side = 0; side < COMPARE_SIDES; side++) {
        range_copy(&sides[side], session_range(v->app));
        sides[side].tracks.v.n = 0;
        track_set_put(&sides[side].tracks, v->threads[side], true);
    }
    begin(v, &sides[COMPARE_A], &sides[COMPARE_B]);
    range_free(&sides[COMPARE_A]);
    range_free(&sides[COMPARE_B]);
}

static void begin_slices(struct view_compare *v) {
    struct trace *trace = v->app->trace;
    const struct slice *s = selection_slice(trace, &v->slice);
    struct range a = {0}, b = {0};
    range_set_time(&a, trace, v->found, units_sum(v->found, v->median));
    range_set_time(&b, trace, s->start, trace_slice_end(trace, v->slice.of, s));
    track_set_put(&a.tracks, v->found_on, true);
    track_set_put(&b.tracks, v->slice.of, true);
    begin(v, &a, &b);
    range_free(&a);
    range_free(&b);
}

/* Looks for the earliest slice of a name that is as long as the median; true: it is known, or there
 * is none. */
static bool find_median(struct view_compare *v, uint32_t name, struct budget *budget) {
    struct slice_run run;
    while (slice_iter_next(&v->iter, budget, &run))
        for (uint32_t k = 0; k < run.n; k++)
            if (!slice_open(&run.v[k]) && slice_dur(&run.v[k]) == v->median &&
                run.v[k].start < v->found &&
                trace_packed_name(v->app->trace, run.v[k].begin_word) == name) {
                v->found = run.v[k].start;
                v->found_on = run.track;
            }
    return slice_iter_done(&v->iter);
}

/* A step towards the two slices; true: there is more to do before they can be compared. */
static bool step_median(struct view_compare *v, struct budget *budget) {
    enum slice_iter_kind kind;
    uint32_t name;
    if (!selection_find(v->app->trace, &v->slice) ||
        !selection_name(v->app->trace, &v->slice, &kind, &name))
        return false;
    if (!v->looking) {
        uint64_t question = hash_words(kind, name);
        if (!answer_is_of(&v->same, v->app->trace, question)) {
            struct name_stats *stats =
                answer_ask(&v->same, &name_stats_ops, v->app->trace, question);
            stats->trace = v->app->trace;
            stats->set = SLICE_SET_ALL(kind);
            stats->name = name;
        }
        answer_step(&v->same, budget);
        if (!v->same.done)
            return true;
        const struct aggregate_row *row = name_stats_row(v->same.shown);
        if (row->durations.v.n == 0)
            return false;
        v->looking = true;
        v->median = quantiles_at(&row->durations, 500);
        v->found = INT64_MAX;
        slice_iter_init(&v->iter, v->app->trace, &SLICE_SET_ALL(SLICE_ITER_SLICES));
    }
    if (!find_median(v, name, budget))
        return true;
    if (v->found != INT64_MAX)
        begin_slices(v);
    return false;
}

static void ask(struct view_compare *v) {
    static const struct range whole = {0};
    const struct range *kept = session_kept_range(v->app);
    v->asked = true;
    v->version = trace_version(v->app->trace);
    v->serial = v->app->range.serial;
    v->kept_serial = v->app->range.kept_serial;
    v->looking = false;
    v->seeking = v->of == OF_MEDIAN;
    if (v->of == OF_HALF)
        begin_halves(v);
    else if (v->of == OF_KEPT)
        begin(v, kept ? kept : &whole, session_range(v->app));
    else if (v->of == OF_THREADS)
        begin_threads(v);
    else
        drop_begun(v); /* for an earlier version */
}

/* Whether the comparison on the screen has all of its numbers. */
static bool is_complete(const struct view_compare *v) {
    return v->shown && v->shown->done;
}

static bool is_of_now(const struct view_compare *v) {
    return v->asked && v->version == trace_version(v->app->trace) &&
           (v->of == OF_MEDIAN || v->serial == v->app->range.serial) &&
           (v->of != OF_KEPT || v->kept_serial == v->app->range.kept_serial);
}

static bool in_tab(const struct between_row *row, enum tab tab) {
    if (tab == TAB_CHANGED)
        return between_changed(row);
    return tab == TAB_ALL || !row->has[tab == TAB_A ? BETWEEN_B : BETWEEN_A];
}

/* Counts the rows of the new answer, so that no frame does. */
static void count_rows(struct view_compare *v) {
    memset(v->rows_of, 0, sizeof v->rows_of);
    for (size_t i = 0; i < v->shown->between.v.n; i++)
        for (int tab = 0; tab < TABS; tab++)
            v->rows_of[tab] += in_tab(&v->shown->between.v.v[i], (enum tab)tab);
}

static void take(struct view_compare *v) {
    table_keep(&v->table);
    answer_drop(&v->pane);
    if (v->shown != v->next)
        drop(v, v->shown);
    v->shown = v->next;
    compare_finish(v->shown);
    count_rows(v);
    table_renew(&v->table);
    v->app->dirty = v->app->dirty || !table_holds(&v->table); /* else when its rows are in order */
}

static bool step_rows(struct view_compare *v, struct budget *budget) {
    if (!is_of_now(v) && !session_may_ask(v->app))
        return false;
    if (!is_of_now(v))
        ask(v);
    if (v->seeking && step_median(v, budget))
        return true;
    v->seeking = false;
    if (v->next == NULL || v->next->done)
        return false;
    if (compare_step(v->next, budget)) {
        take(v);
        return false;
    }
    if (v->next == v->shown && view_table_look(&v->table, &v->looked)) {
        table_renew(&v->table);
        v->app->dirty = true;
    }
    return true;
}

static bool step_pane(struct view_compare *v, struct budget *budget) {
    struct relation_row row;
    if (!is_complete(v) || v->table.stage < TABLE_READY || !table_current(&v->table, &row) ||
        row.row >= v->shown->rows.n || v->version != trace_version(v->app->trace))
        return false;
    if (!answer_is_of(&v->pane, v->app->trace, row.row)) {
        if (v->pane.next && v->pane.version != v->version && v->next != v->shown)
            return false; /* the next comparison brings another pane */
        struct compare_pane *pane = answer_ask(&v->pane, &compare_pane_ops, v->app->trace, row.row);
        pane->compare = v->shown;
        pane->row = (uint32_t)row.row;
    }
    if (v->pane.done)
        return false;
    v->app->dirty = answer_step(&v->pane, budget) || v->app->dirty;
    return !v->pane.done;
}

static bool step(struct view *view, struct budget *budget) {
    struct view_compare *v = view->state;
    if (!free_dropped(v, budget))
        return true;
    if (v->shown && !v->shown->done) /* rows so far are in order before more of them come */
        view_table_step(view, budget);
    bool more = step_rows(v, budget);
    more = view_table_step(view, budget) || more;
    return step_pane(v, budget) || more;
}

/* ---- the table ---- */

static uint64_t rows(void *ctx) {
    const struct view_compare *v = ctx;
    return v->shown ? v->shown->rows.n : 0;
}

/* A number of a row that is not judged so far. */
static bool number_so_far(const struct view_compare *v, uint64_t row, int column, int64_t *n) {
    bool count = column == COMPARED_COUNT_A || column == COMPARED_COUNT_B;
    bool of_a = column == COMPARED_COUNT_A || column == COMPARED_TOTAL_A;
    if (!count && column != COMPARED_TOTAL_A && column != COMPARED_TOTAL_B)
        return false;
    return compare_value(v->shown, row, of_a ? COMPARE_A : COMPARE_B,
                         count ? NAMES_COUNT : NAMES_TOTAL, n);
}

static void get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
    const struct view_compare *v = ctx;
    const struct between_row *judged = compare_judged(v->shown, row.row);
    int64_t n;
    if (judged)
        between_relation_get(&v->shown->between, (uint64_t)(judged - v->shown->between.v.v),
                             (enum between_column)column, false, value);
    else if (column == COMPARED_NAME)
        relation_set_text(value, trace_name(v->app->trace, v->shown->rows.v[row.row].name));
    else if (number_so_far(v, row.row, column, &n))
        relation_set_integer(value, n);
}

static void format(void *ctx, struct relation_row row, int column, struct table_cell *cell) {
    const struct view_compare *v = ctx;
    const struct between_row *judged = compare_judged(v->shown, row.row);
    if (judged)
        compared_format(&v->shown->between, judged, column, v->app->grid.ascii, cell);
    else if (cell->value.type == RELATION_NULL)
        cell->text = STR("-");
}

/* So far by the number of slices in B. */
static int64_t key(void *ctx, struct relation_row row, int column) {
    const struct view_compare *v = ctx;
    const struct between_row *judged = compare_judged(v->shown, row.row);
    int64_t n = 0;
    if (judged)
        return compared_key(&v->shown->between, judged, column);
    if (number_so_far(v, row.row, column, &n))
        return n;
    bool counted = compare_value(v->shown, row.row, COMPARE_B, NAMES_COUNT, &n);
    return counted ? INT64_MIN / 2 + n : INT64_MIN;
}

static bool keeps(void *ctx, uint64_t row) {
    const struct view_compare *v = ctx;
    const struct between_row *judged = compare_judged(v->shown, row);
    return judged == NULL || in_tab(judged, v->tab);
}

static uint64_t id(void *ctx, uint64_t row) {
    const struct view_compare *v = ctx;
    return v->shown->rows.v[row].name;
}

static const struct relation relation = {
    "compare", compared_relation_columns, COMPARED_PROCESS, false, rows, get};
static const struct table_source source = {&relation,      compared_columns, format,
                                           .keeps = keeps, .key = key,       .id = id};

/* ---- drawing ---- */

static void draw_tabs(const struct view_compare *v, int y) {
    static const char *const titles[TABS] = {"changed", "all", "only A", "only B"};
    struct grid *g = &v->app->grid;
    int x = view_rule(g, y);
    char text[60], n[32];
    for (int tab = 0; tab < TABS; tab++) {
        bool known = v->shown == NULL || v->shown->done;
        snprintf(text, sizeof text, "%s%s%s", titles[tab], known ? " " : "",
                 known ? units_count(v->shown ? v->rows_of[tab] : 0, false, n) : "");
        x = view_label(g, x, y, str_of(text),
                       (enum tab)tab == v->tab ? ROLE_TAB_CURRENT : ROLE_TAB) +
            1;
    }
    if (v->shown && !v->shown->done && !compare_counted(v->shown)) {
        snprintf(text, sizeof text, "so far, of %u%% of A and %u%% of B",
                 names_table_counted(&v->shown->sides[COMPARE_A]),
                 names_table_counted(&v->shown->sides[COMPARE_B]));
        x = view_label(g, x, y, str_of(text), ROLE_WARN) + 1;
    }
    if (*session_read_text(v->app))
        view_label(g, x, y, STR("of the trace so far"), ROLE_DIM);
}

static void status(struct view_compare *v) {
    char right[200];
    if (v->next != v->shown || !is_complete(v))
        snprintf(right, sizeof right, "counted %u%%", v->next ? compare_percent(v->next) : 0);
    else
        compared_status(&v->shown->between, right, sizeof right);
    view_table_status(v->app, &v->table, "name", right);
}

static void draw(struct view *view) {
    struct view_compare *v = view->state;
    struct app *app = v->app;
    struct view_area area = view_table_area(app);
    char none[160], said[SLICE_ITER_OPEN_TEXT];
    int pane = app->grid.rows < 16 ? 0 : area.rows / 2 < 13 ? area.rows / 2 : 13;
    draw_tabs(v, area.y);
    for (int side = 0; side < COMPARE_SIDES && v->shown && side + 1 < area.rows; side++)
        compare_pane_side(app, &v->shown->ranges[side], (enum compare_side)side, area.y + 1 + side);
    const char *note =
        is_complete(v) ? compared_note(&v->shown->between, app->grid.ascii, said) : NULL;
    int head = note ? 4 : 3;
    if (note && area.rows > 3)
        grid_zcut(&app->grid, 1, area.y + 3, note, style_look(ROLE_WARN));
    table_draw(&v->table, &app->grid, area.y + head, area.rows - head - pane);
    if (is_complete(v) && v->table.stage == TABLE_READY && table_count(&v->table) == 0)
        view_table_empty(&app->grid, (struct view_area){area.y + 2, area.rows - 2 - pane},
                         v->shown->rows.n == 0
                             ? "no slices in either range"
                             : compared_none(&v->shown->between, v->tab == TAB_CHANGED, none));
    else if (v->shown == NULL && v->of == OF_MEDIAN && v->asked && v->next == NULL && v->looking)
        view_table_empty(&app->grid, area, "no slice of this name has ended");
    if (pane > 0)
        compare_pane_draw(app, v->pane.shown, area.y + area.rows - pane, pane);
    status(v);
}

/* ---- keys ---- */

static void other(struct view *view) {
    struct view_compare *v = view->state;
    v->tab = (v->tab + 1) % TABS;
    table_select(&v->table, v->tab != TAB_ALL);
    view_table_work(view);
}

/* The longest slice of the name in B, or in A if B has none. */
static void enter(struct view *view) {
    struct view_compare *v = view->state;
    struct instance worst;
    if (!compare_pane_worst(v->pane.shown, COMPARE_B, &worst) &&
        !compare_pane_worst(v->pane.shown, COMPARE_A, &worst)) {
        session_say(v->app, false,
                    v->shown ? "its longest slice is being looked for"
                             : "nothing is compared so far");
        return;
    }
    if (!answer_holds(&v->pane, v->app->trace)) {
        session_say(v->app, false, "the trace has read on: wait a moment");
        return;
    }
    view_go(v->app,
            selection_of_slice(trace_thread(v->app->trace, worst.track), worst.row, worst.i));
}

static bool record(struct view *view, struct view_record *record) {
    struct view_compare *v = view->state;
    struct instance worst;
    if (!compare_pane_worst(v->pane.shown, COMPARE_B, &worst) ||
        !answer_holds(&v->pane, v->app->trace))
        return view_table_no_record(v->app);
    record->offset = slice_offset(
        lane_at(nest_row(&trace_thread(v->app->trace, worst.track)->nest, worst.row), worst.i));
    return true;
}

/* ---- state ---- */

/* One slice is too few to be sure of any change. */
static enum tab first_tab(enum question_of of) {
    return of == OF_MEDIAN ? TAB_ALL : TAB_CHANGED;
}

static void *make(struct view *view) {
    struct view_compare *v = err_calloc(1, sizeof *v);
    v->app = view->app;
    table_init(&v->table, &source, v, view->app->grid.ascii);
    table_sort_by(&v->table, COMPARED_TOTAL_BY);
    table_select(&v->table, true);
    return v;
}

static void free_view(struct view *view) {
    struct view_compare *v = view->state;
    forget(v);
    free_dropped(v, BUDGET_ENDLESS);
    vec_free(&v->dropped);
    answer_drop(&v->same);
    table_free(&v->table);
    free(v);
}

static struct table *table(struct view *view) {
    return &((struct view_compare *)view->state)->table;
}

static bool update(struct view *view, bool renewed) {
    struct view_compare *v = view->state;
    if (!renewed)
        return true;
    forget(v); /* names mean nothing now */
    table_renew(&v->table);
    return v->of != OF_MEDIAN;
}

void view_compare_kept(struct app *app) {
    view_compare_type(app, "kept");
}

void view_compare_type(struct app *app, const char *text) {
    const struct selection *selected = &app->timeline.selection;
    uint32_t threads[COMPARE_SIDES] = {NO_THREAD, NO_THREAD};
    int of = OF_KEPT;
    while (*text && of < QUESTIONS && strcmp(text, words[of]) != 0)
        of++;
    if (of == QUESTIONS) {
        view_traces_ask(app, text);
        return;
    }
    if (of == OF_THREADS && !ranges_two_threads(app, threads))
        return;
    if (of == OF_KEPT && session_kept_range(app) == NULL) {
        session_say(app, true, "no range is kept: = keeps one; or :compare half");
        return;
    }
    if (of == OF_MEDIAN && !selection_is_slice(selected)) {
        session_say(app, true, "no slice is selected: its name's median is compared with it");
        return;
    }
    view_open(app, &view_compare);
    struct view *view = view_of(&app->views, &view_compare);
    struct view_compare *v = view->state;
    forget(v);
    v->of = (enum question_of)of;
    v->slice = *selected;
    memcpy(v->threads, threads, sizeof v->threads);
    v->tab = first_tab(v->of);
    table_select(&v->table, v->tab != TAB_ALL);
    table_renew(&v->table);
    view_table_work(view);
}

/* ---- the place as text ---- */

static void keep(struct view *view, struct chars *out) {
    const struct view_compare *v = view->state;
    chars_add(out, STR("compare "));
    chars_add(out, str_of(words[v->of]));
    chars_add(out, STR("\n"));
    if (v->tab != first_tab(v->of))
        view_place_line(out, "tab %d", (int)v->tab);
}

static bool put(struct view *view, const char *line) {
    struct view_compare *v = view->state;
    int tab = view_place_tab(line, TABS);
    while (tab >= 0 && v->tab != (enum tab)tab)
        other(view);
    return tab >= 0;
}

static const char *const hints[] = {"Enter longest in B", "Tab tabs", "< > column", "& filter",
                                    NULL};

const struct view_ops view_compare = {
    .title = "[Compare]",
    .modes = MODE_TABLE,
    .hints = hints,
    .make = make,
    .free = free_view,
    .draw = draw,
    .update = update,
    .step = step,
    .pointer = view_table_pointer,
    .other = other,
    .enter = enter,
    .find = view_table_find,
    .record = record,
    .csv = view_table_csv,
    .table = table,
    .keep = keep,
    .put = put,
};
