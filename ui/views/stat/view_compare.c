/* view_compare.c - two ranges compared: a table of names, and below it the changes of the current
 * name.
 *
 * Rows of a new question are shown as they come, without verdicts and changes. A complete
 * comparison stays until the next one is complete, so that nothing blinks while a trace is read.
 * Tab goes through the tabs, which leave out rows by their verdict. */
#include "ui/views/stat/view_compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/query/name_stats.h"
#include "src/base/units.h"
#include "ui/timeline/colors.h"
#include "ui/timeline/range/ranges.h"
#include "ui/views/stat/compare_pane.h"
#include "ui/views/stat/traces/compared.h"
#include "ui/views/stat/traces/view_traces.h"
#include "ui/views/view_place.h"
#include "ui/views/view_table.h"

#define PANE_MOST 13 /* rows */

enum question_of { OF_KEPT, OF_HALF, OF_MEDIAN, OF_THREADS, QUESTIONS };

/* A comparison as an answer. For :compare median, the ranges are found first: the slice on the
 * screen, and the earliest one of its name that is as long as the median. */
struct compared_ranges {
    struct compare compare; /* its trace is NULL as long as the ranges are not known */
    struct trace *trace;
    const struct selection *slice; /* of the view; NULL: the ranges are known */
    struct name_stats stats;       /* of its name */
    bool none;                     /* no slice of the name has ended */
};

struct view_compare {
    struct app *app;
    struct table table;
    struct compared_tabs tabs; /* of a complete answer */
    /* the question */
    enum question_of of;
    uint64_t asked;                  /* number of the :compare */
    struct selection slice;          /* OF_MEDIAN */
    uint32_t threads[COMPARE_SIDES]; /* OF_THREADS */
    struct answer answer;            /* a struct compared_ranges */
    int64_t looked;                  /* view_table_look() */
    struct answer pane;              /* of the current row: a struct compare_pane */
};

static const char *const words[QUESTIONS] = {
    [OF_KEPT] = "kept", [OF_HALF] = "half", [OF_MEDIAN] = "median", [OF_THREADS] = "threads"};

/* ---- the answer ---- */

/* The comparison that is shown; NULL: there is none so far. */
static const struct compare *shown(const struct view_compare *v) {
    const struct compared_ranges *c = v->answer.shown;
    return c && c->compare.trace ? &c->compare : NULL;
}

/* The slice of the name that is as long as the median, the earliest one; false: none has ended. */
static bool find_median(struct task *task, struct compared_ranges *c, int64_t median,
                        struct range *range) {
    int64_t found = INT64_MAX;
    uint32_t found_on = 0;
    struct slice_iter iter;
    struct slice_run run;
    slice_iter_init(&iter, c->trace, &SLICE_SET_ALL(SLICE_ITER_SLICES));
    while (slice_iter_next(&iter, task, &run))
        for (uint32_t k = 0; k < run.n; k++)
            if (!slice_open(&run.v[k]) && slice_dur(&run.v[k]) == median &&
                run.v[k].start < found &&
                trace_packed_name(c->trace, run.v[k].begin_word) == c->stats.name) {
                found = run.v[k].start;
                found_on = run.track;
            }
    if (found == INT64_MAX)
        return false;
    range_set_time(range, c->trace, found, units_sum(found, median));
    track_set_put(&range->tracks, found_on, true);
    return true;
}

/* The ranges of the two slices. */
static void set_slices(struct task *task, struct compared_ranges *c) {
    struct range a = {0}, b = {0};
    name_stats_make(task, &c->stats);
    const struct aggregate_row *row = task_over(task) ? NULL : name_stats_row(&c->stats);
    if (row && row->durations.v.n > 0 &&
        find_median(task, c, quantiles_at(&row->durations, 500), &a)) {
        const struct slice *s = selection_slice(c->trace, c->slice);
        range_set_time(&b, c->trace, s->start, trace_slice_end(c->trace, c->slice->of, s));
        track_set_put(&b.tracks, c->slice->of, true);
        compare_set(&c->compare, c->trace, &a, &b);
    }
    range_free(&a);
    range_free(&b);
    c->none = c->compare.trace == NULL && !task_over(task);
}

static void make_compared(struct task *task, void *data) {
    struct compared_ranges *c = data;
    if (c->slice)
        set_slices(task, c);
    if (c->compare.trace && !task_over(task))
        compare_make(task, &c->compare);
}

static void release(void *data) {
    struct compared_ranges *c = data;
    name_stats_ops.free(&c->stats);
    compare_free(&c->compare);
}

static const struct answer_ops compared_ops = {sizeof(struct compared_ranges), make_compared,
                                               release};

/* ---- asking ---- */

static void forget(struct view_compare *v) {
    answer_drop(&v->pane);
    answer_drop(&v->answer);
    compared_count(&v->tabs, NULL);
}

static void set_halves(struct app *app, struct compare *c) {
    struct range a = {0}, b = {0};
    range_halves(session_range(app), app->trace, &a, &b);
    compare_set(c, app->trace, &a, &b);
    range_free(&a);
    range_free(&b);
}

/* The range on one thread and on the other. */
static void set_threads(const struct view_compare *v, struct compare *c) {
    struct range sides[COMPARE_SIDES] = {{0}};
    for (int side = 0; side < COMPARE_SIDES; side++) {
        range_copy(&sides[side], session_range(v->app));
        sides[side].tracks.v.n = 0;
        track_set_put(&sides[side].tracks, v->threads[side], true);
    }
    compare_set(c, v->app->trace, &sides[COMPARE_A], &sides[COMPARE_B]);
    range_free(&sides[COMPARE_A]);
    range_free(&sides[COMPARE_B]);
}

static void set_median(struct view_compare *v, struct compared_ranges *c) {
    enum slice_iter_kind kind;
    uint32_t name;
    c->trace = v->app->trace;
    if (!selection_find(c->trace, &v->slice) || !selection_name(c->trace, &v->slice, &kind, &name))
        return;
    c->slice = &v->slice;
    c->stats.trace = c->trace;
    c->stats.set = SLICE_SET_ALL(kind);
    c->stats.name = name;
}

/* The :compare, and the changes of the ranges that it depends on. */
static uint64_t question_of(const struct view_compare *v) {
    uint32_t serial = v->of == OF_MEDIAN ? 0 : v->app->range.serial,
             kept = v->of == OF_KEPT ? v->app->range.kept_serial : 0;
    return hash_words(v->asked, (uint64_t)serial << 32 | kept);
}

static void ask(struct view_compare *v) {
    static const struct range whole = {0};
    const struct range *kept = session_kept_range(v->app);
    if (!v->pane.done)
        answer_drop(&v->pane); /* it reads the comparison that may go */
    struct compared_ranges *c =
        answer_ask(&v->answer, &compared_ops, v->app->trace, question_of(v));
    if (v->of == OF_HALF)
        set_halves(v->app, &c->compare);
    else if (v->of == OF_KEPT)
        compare_set(&c->compare, v->app->trace, kept ? kept : &whole, session_range(v->app));
    else if (v->of == OF_THREADS)
        set_threads(v, &c->compare);
    else
        set_median(v, c);
    view_table_look_first(&v->looked);
    if (v->answer.shown)
        return;
    compared_count(&v->tabs, NULL);
    answer_drop(&v->pane);
    table_renew(&v->table);
}

/* Whether the comparison on the screen has all of its numbers. */
static bool is_complete(const struct view_compare *v) {
    return shown(v) && shown(v)->done;
}

static bool is_of_now(const struct view_compare *v) {
    return answer_is_of(&v->answer, v->app->trace, question_of(v));
}

/* Another comparison is shown, which is complete. */
static void take(struct view_compare *v) {
    answer_drop(&v->pane);
    compared_count(&v->tabs, shown(v) ? &shown(v)->between : NULL);
    table_renew(&v->table);
    v->app->dirty = v->app->dirty || !table_holds(&v->table); /* else when its rows are in order */
}

static bool step_rows(struct view_compare *v) {
    if (!is_of_now(v) && !session_may_ask(v->app))
        return false;
    if (!is_of_now(v))
        ask(v);
    if (v->answer.done)
        return false;
    if (v->answer.shown != v->answer.next)
        table_keep(&v->table);
    if (answer_step(&v->answer, v->app->work)) {
        take(v);
        return false;
    }
    if (v->answer.next == v->answer.shown && view_table_look(&v->table, &v->looked)) {
        table_renew(&v->table);
        v->app->dirty = true;
    }
    return true;
}

static bool step_pane(struct view_compare *v) {
    struct relation_row row;
    if (!is_complete(v) || !v->table.ready || !table_current(&v->table, &row) ||
        row.row >= shown(v)->rows.n || v->answer.version != trace_version(v->app->trace))
        return false;
    if (!answer_is_of(&v->pane, v->app->trace, row.row)) {
        if (v->answer.next != v->answer.shown)
            return false; /* the next comparison brings another pane */
        struct compare_pane *pane = answer_ask(&v->pane, &compare_pane_ops, v->app->trace, row.row);
        pane->compare = shown(v);
        pane->row = (uint32_t)row.row;
    }
    return session_work(v->app, &v->pane);
}

static bool step(struct view *view) {
    struct view_compare *v = view->state;
    if (shown(v) && !shown(v)->done) /* rows so far are in order before more of them come */
        view_table_step(view);
    bool more = step_rows(v);
    more = view_table_step(view) || more;
    return step_pane(v) || more;
}

/* ---- the table ---- */

static uint64_t rows(void *ctx) {
    const struct view_compare *v = ctx;
    return shown(v) ? compare_rows(shown(v)) : 0;
}

/* A number of a row that is not judged so far. */
static bool number_so_far(const struct view_compare *v, uint64_t row, int column, int64_t *n) {
    bool count = column == COMPARED_COUNT_A || column == COMPARED_COUNT_B;
    bool of_a = column == COMPARED_COUNT_A || column == COMPARED_TOTAL_A;
    if (!count && column != COMPARED_TOTAL_A && column != COMPARED_TOTAL_B)
        return false;
    return compare_value(shown(v), row, of_a ? COMPARE_A : COMPARE_B,
                         count ? NAMES_COUNT : NAMES_TOTAL, n);
}

static void get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
    const struct view_compare *v = ctx;
    const struct compare *c = shown(v);
    const struct between_row *judged = compare_judged(c, row.row);
    int64_t n;
    if (judged)
        between_relation_get(&c->between, (uint64_t)(judged - c->between.v.v),
                             (enum between_column)column, false, value);
    else if (column == COMPARED_NAME)
        relation_set_text(value, trace_name(v->app->trace, compare_row(c, row.row).name));
    else if (number_so_far(v, row.row, column, &n))
        relation_set_integer(value, n);
}

static void format(void *ctx, struct relation_row row, int column, struct table_cell *cell) {
    const struct view_compare *v = ctx;
    const struct between_row *judged = compare_judged(shown(v), row.row);
    struct look look;
    if (column == COMPARED_NAME && style_depth() != COLOR_MONO) {
        bool one = colors_name(v->app, compare_row(shown(v), row.row).name, &look);
        cell->swatch = true;
        cell->color = (struct look){one ? look.bg : LOOK_DEFAULT, LOOK_DEFAULT, 0};
    } else if (judged)
        compared_format(&shown(v)->between, judged, column, v->app->grid.ascii, cell);
    else if (cell->value.type == RELATION_NULL)
        cell->text = STR("-");
}

/* So far by the number of slices in B. */
static int64_t key(void *ctx, struct relation_row row, int column) {
    const struct view_compare *v = ctx;
    const struct between_row *judged = compare_judged(shown(v), row.row);
    int64_t n = 0;
    if (judged)
        return compared_key(&shown(v)->between, judged, column);
    if (number_so_far(v, row.row, column, &n))
        return n;
    bool counted = compare_value(shown(v), row.row, COMPARE_B, NAMES_COUNT, &n);
    return counted ? INT64_MIN / 2 + n : INT64_MIN;
}

static bool keeps(void *ctx, uint64_t row) {
    const struct view_compare *v = ctx;
    const struct between_row *judged = compare_judged(shown(v), row);
    return judged == NULL || compared_in_tab(judged, v->tabs.current);
}

static uint64_t id(void *ctx, uint64_t row) {
    const struct view_compare *v = ctx;
    return compare_row(shown(v), row).name;
}

static const struct relation relation = {
    "compare", compared_relation_columns, COMPARED_PROCESS, false, rows, get};
static const struct table_source source = {&relation,      compared_columns, format,
                                           .keeps = keeps, .key = key,       .id = id};

/* ---- drawing ---- */

static void draw_tabs(const struct view_compare *v, int y) {
    struct grid *g = &v->app->grid;
    char text[60];
    int x = compared_draw_tabs(g, &v->tabs, shown(v) == NULL || shown(v)->done, y);
    if (shown(v) && !shown(v)->done && !compare_counted(shown(v))) {
        snprintf(text, sizeof text, "so far, of %u%% of A and %u%% of B",
                 names_table_counted(&shown(v)->sides[COMPARE_A]),
                 names_table_counted(&shown(v)->sides[COMPARE_B]));
        x = view_label(g, x, y, str_of(text), ROLE_WARN) + 1;
    }
    if (*session_read_text(v->app))
        view_label(g, x, y, STR("of the trace so far"), ROLE_DIM);
}

static void status(struct view_compare *v) {
    char right[200];
    const struct compared_ranges *next = v->answer.next;
    if (!v->answer.done || !is_complete(v))
        snprintf(right, sizeof right, "counted %u%%", next ? compare_percent(&next->compare) : 0);
    else
        compared_status(&shown(v)->between, right, sizeof right);
    view_table_status(v->app, &v->table, "name", right);
}

static void draw(struct view *view) {
    struct view_compare *v = view->state;
    struct app *app = v->app;
    struct view_area area = view_table_area(app);
    char none[160], said[SLICE_ITER_OPEN_TEXT];
    int pane = app->grid.rows < 16 ? 0 : area.rows / 2;
    pane = pane < PANE_MOST ? pane : PANE_MOST;
    draw_tabs(v, area.y);
    const struct compare *c = shown(v);
    for (int side = 0; side < COMPARE_SIDES && c && side + 1 < area.rows; side++)
        compare_pane_side(app, &c->ranges[side], (enum compare_side)side, area.y + 1 + side);
    const char *note =
        is_complete(v) ? compared_note(&shown(v)->between, app->grid.ascii, said) : NULL;
    int head = note ? 4 : 3;
    if (note && area.rows > 3)
        grid_zcut(&app->grid, 1, area.y + 3, note, style_look(ROLE_WARN));
    table_draw(&v->table, &app->grid, area.y + head, area.rows - head - pane);
    if (is_complete(v) && v->table.ready && table_count(&v->table) == 0)
        view_table_empty(&app->grid, (struct view_area){area.y + 2, area.rows - 2 - pane},
                         c->rows.n == 0 ? "no slices in either range"
                                        : compared_none(&shown(v)->between,
                                                        v->tabs.current == COMPARED_CHANGED, none));
    else if (v->answer.shown && ((const struct compared_ranges *)v->answer.shown)->none)
        view_table_empty(&app->grid, area, "no slice of this name has ended");
    if (pane > 0)
        compare_pane_draw(app, table_count(&v->table) > 0 ? v->pane.shown : NULL,
                          area.y + area.rows - pane, pane);
    status(v);
}

/* ---- keys ---- */

static void other(struct view *view) {
    struct view_compare *v = view->state;
    v->tabs.current = (v->tabs.current + 1) % COMPARED_TABS;
    table_select(&v->table, v->tabs.current != COMPARED_ALL);
    view_table_work(view);
}

/* The longest slice of the name in B, or in A if B has none. */
static void enter(struct view *view) {
    struct view_compare *v = view->state;
    struct instance worst;
    if (!compare_pane_worst(v->pane.shown, COMPARE_B, &worst) &&
        !compare_pane_worst(v->pane.shown, COMPARE_A, &worst)) {
        session_say(v->app, false,
                    shown(v) ? "its longest slice is being looked for"
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
static enum compared_tab first_tab(enum question_of of) {
    return of == OF_MEDIAN ? COMPARED_ALL : COMPARED_CHANGED;
}

static void *make(struct view *view) {
    struct view_compare *v = err_calloc(1, sizeof *v);
    v->app = view->app;
    table_init(&v->table, &source, v, view->app->grid.ascii);
    table_sort_first(&v->table, COMPARED_TOTAL_BY);
    table_select(&v->table, true);
    return v;
}

static void free_view(struct view *view) {
    struct view_compare *v = view->state;
    forget(v);
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
    v->asked++;
    v->of = (enum question_of)of;
    v->slice = *selected;
    memcpy(v->threads, threads, sizeof v->threads);
    v->tabs.current = first_tab(v->of);
    table_select(&v->table, v->tabs.current != COMPARED_ALL);
    table_renew(&v->table);
    view_table_work(view);
}

/* ---- the place as text ---- */

static void keep(struct view *view, struct chars *out) {
    const struct view_compare *v = view->state;
    chars_add(out, STR("compare "));
    chars_add(out, str_of(words[v->of]));
    chars_add(out, STR("\n"));
    if (v->tabs.current != first_tab(v->of))
        view_place_line(out, "tab %d", (int)v->tabs.current);
}

static bool put(struct view *view, const char *line) {
    struct view_compare *v = view->state;
    int tab = view_place_tab(line, COMPARED_TABS);
    while (tab >= 0 && v->tabs.current != (enum compared_tab)tab)
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
