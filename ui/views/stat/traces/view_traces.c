/* view_traces.c - :compare FILE, a table of the names that changed since another trace.
 *
 * The other trace is A, the one on the screen B, and rows are those of `fxtop --compare FILE
 * TRACE`. Steps read A (two_traces.h). An answer stays until that of the next version of B is
 * complete. Enter opens both sides of a name (traces_sides.h), q closes them. A is freed when the
 * view closes, or is left by anything but Enter. */
#include "ui/views/stat/traces/view_traces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/clock.h"
#include "src/base/hash.h"
#include "src/base/text.h"
#include "src/base/units.h"
#include "ui/timeline/colors.h"
#include "ui/views/stat/traces/compared.h"
#include "ui/views/stat/traces/traces_sides.h"
#include "ui/views/view_place.h"
#include "ui/views/view_table.h"

#define NEWS_NS 100000000 /* between two frames while it is read */

struct view_traces {
    struct app *app;
    struct table table;
    struct compared_tabs tabs;
    char *path; /* of A, as typed; NULL: nothing was asked */
    struct two_traces two;
    struct answer answer; /* a struct two_traces_answer */
    int64_t looked;       /* clock_now() of the last frame of progress */
    bool visits;          /* Enter went to the timeline: A stays */
    struct traces_sides sides;
};

/* ---- asking ---- */

/* The complete answer that is shown; NULL: there is none so far. */
static const struct between *shown(const struct view_traces *v) {
    const struct two_traces_answer *a = v->answer.shown;
    return answer_is_complete(&v->answer) ? &a->between : NULL;
}

static void drop_shown(struct view_traces *v) {
    answer_drop(&v->answer);
    compared_count(&v->tabs, NULL);
    table_renew(&v->table);
}

static void forget(struct view_traces *v) {
    traces_sides_close(&v->sides);
    drop_shown(v);
    two_traces_close(&v->two);
    free(v->path);
    v->path = NULL;
    v->visits = false;
}

/* Another answer is complete. */
static void take(struct view_traces *v) {
    compared_count(&v->tabs, shown(v));
    table_renew(&v->table);
    traces_sides_again(&v->sides, &v->two, shown(v));
    v->app->dirty = true;
}

/* A could not be read to its end. */
static void give_up(struct view_traces *v) {
    char safe[120];
    text_plain(safe, sizeof safe, str_of(v->path), v->app->grid.ascii ? TEXT_ASCII : 0);
    session_say(v->app, true, "%s: %s", safe, v->two.fault);
    forget(v);
    v->app->dirty = true;
}

static bool step_b(struct view_traces *v) {
    struct answer *answer = &v->answer;
    if (!answer_is_of(answer, v->app->trace, 0)) {
        if (!session_may_ask(v->app))
            return false;
        struct two_traces_answer *next =
            answer_ask(answer, &two_traces_answer_ops, v->app->trace, 0);
        next->two = &v->two;
    }
    if (answer->done)
        return false;
    if (shown(v))
        table_keep(&v->table);
    if (answer_step(answer, v->app->work))
        take(v);
    return !answer->done;
}

static bool step_answer(struct view_traces *v) {
    if (v->two.state == TWO_CLOSED)
        return false;
    int64_t now = clock_now();
    bool more = true; /* after A comes B */
    if (v->two.state == TWO_READY)
        more = step_b(v);
    else
        two_traces_step(&v->two, v->app->work);
    if (v->two.state == TWO_FAILED) {
        give_up(v);
        return false;
    }
    if (more && now - v->looked >= NEWS_NS)
        v->app->dirty = true, v->looked = now;
    return more;
}

static bool step(struct view *view) {
    struct view_traces *v = view->state;
    /* the frame of a key does not wait for A */
    bool read = v->app->work != &v->app->key || !task_pauses(v->app->work);
    bool more = read ? step_answer(v) : v->two.state == TWO_READING;
    while (more && !task_pauses(v->app->work))
        more = step_answer(v);
    more = traces_sides_step(&v->sides) || more;
    return view_table_step(view) || more;
}

/* Whether the view is on the screen, or covered by one that leads back to it. */
static bool is_open(const struct app *app, const struct view *view) {
    const struct view *at = app->views.current;
    while (at && at != view)
        at = at->back;
    return at != NULL;
}

bool view_traces_step(struct app *app) {
    struct view *view = view_of(&app->views, &view_traces);
    struct view_traces *v = view->state;
    if (v && v->two.other && !v->visits && !is_open(app, view))
        forget(v);
    return false;
}

/* ---- the table ---- */

static uint64_t rows(void *ctx) {
    const struct view_traces *v = ctx;
    return shown(v) ? shown(v)->v.n : 0;
}

static void get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
    const struct view_traces *v = ctx;
    between_relation_get(shown(v), row.row, (enum between_column)column, false, value);
}

static void format(void *ctx, struct relation_row row, int column, struct table_cell *cell) {
    const struct view_traces *v = ctx;
    const struct between_row *names = &shown(v)->v.v[row.row];
    const struct trace_names_row *here = names->of[BETWEEN_B];
    struct look look;
    compared_format(shown(v), names, column, v->app->grid.ascii, cell);
    if (column == COMPARED_NAME && style_depth() != COLOR_MONO) {
        bool one =
            here && here->kind != SLICE_ITER_INSTANTS && colors_name(v->app, here->number, &look);
        cell->swatch = true;
        cell->color = (struct look){one ? look.bg : LOOK_DEFAULT, LOOK_DEFAULT, 0};
    }
}

static int64_t key(void *ctx, struct relation_row row, int column) {
    const struct view_traces *v = ctx;
    return compared_key(shown(v), &shown(v)->v.v[row.row], column);
}

static bool keeps(void *ctx, uint64_t row) {
    const struct view_traces *v = ctx;
    return compared_in_tab(&shown(v)->v.v[row], v->tabs.current);
}

static uint64_t id(void *ctx, uint64_t row) {
    const struct trace_names_row *like = shown(ctx)->v.v[row].like;
    return hash_words(hash_bytes(like->name, like->n), like->kind);
}

static const struct relation relation = {
    "compared", compared_relation_columns, COMPARED_PROCESS, true, rows, get};
static const struct table_source source = {&relation,      compared_columns, format,
                                           .keeps = keeps, .key = key,       .id = id};

/* ---- drawing ---- */

/* "reading A, 34%"; "": nothing is under way. */
static const char *progress(const struct view_traces *v, char buf[80]) {
    return two_traces_progress(&v->two, v->answer.done ? NULL : v->answer.next, buf);
}

static void draw_tabs(const struct view_traces *v, int y) {
    struct grid *g = &v->app->grid;
    int x = compared_draw_tabs(g, &v->tabs, shown(v) != NULL, y);
    if (*session_read_text(v->app))
        view_label(g, x, y, STR("of the trace so far"), ROLE_DIM);
}

/* "A  1.992 s  other.fxt" */
static void draw_side(const struct view_traces *v, int side, int y) {
    struct grid *g = &v->app->grid;
    char text[64], span[32] = "";
    if (shown(v))
        units_duration(shown(v)->runs[side].v[0].span, g->ascii, span);
    snprintf(text, sizeof text, "%c  %s%s", "AB"[side], span, *span ? "  " : "");
    int x = grid_ztext(g, 1, y, g->cols, text, style_look(ROLE_DIM));
    const char *path = side == BETWEEN_A ? v->path : trace_path(v->app->trace);
    grid_text(g, (struct grid_place){x, y, g->cols}, str_of(path ? path : ""), style_look(ROLE_DIM),
              TEXT_TRACK, true);
}

static void status(struct view_traces *v) {
    char right[200];
    if (*progress(v, right) == '\0' && shown(v))
        compared_status(shown(v), right, sizeof right);
    view_table_status(v->app, &v->table, "name", right);
}

static const char *why_empty(const struct view_traces *v, char buf[160]) {
    char text[80];
    if (shown(v) == NULL) {
        snprintf(buf, 160, "%s%s", progress(v, text),
                 v->two.other ? ": Esc stops" : "nothing is compared");
        return buf;
    }
    if (shown(v)->v.n == 0)
        return "no slices in either trace";
    if (v->table.filter)
        return "no name matches the filter";
    return compared_none(shown(v), v->tabs.current == COMPARED_CHANGED, buf);
}

static void draw(struct view *view) {
    struct view_traces *v = view->state;
    struct view_area area = view_table_area(v->app);
    char text[160], said[SLICE_ITER_OPEN_TEXT];
    if (v->sides.open) {
        traces_sides_draw(&v->sides);
        return;
    }
    draw_tabs(v, area.y);
    for (int side = 0; side < BETWEEN_SIDES && side + 1 < area.rows; side++)
        draw_side(v, side, area.y + 1 + side);
    const char *note = shown(v) ? compared_note(shown(v), v->app->grid.ascii, said) : NULL;
    if (note && area.rows > 3)
        grid_zcut(&v->app->grid, 1, area.y + 3, note, style_look(ROLE_WARN));
    struct relation_row row;
    bool current = shown(v) && area.rows > 8 && v->table.ready && table_current(&v->table, &row);
    table_draw(&v->table, &v->app->grid, area.y + 3 + (note != NULL),
               area.rows - 3 - (note != NULL) - (area.rows > 8));
    if (current)
        compared_rule(v->app, shown(v), &shown(v)->v.v[row.row], area.y + area.rows - 1);
    if (shown(v) == NULL || (v->table.ready && table_count(&v->table) == 0))
        view_table_empty(&v->app->grid, (struct view_area){area.y + 2, area.rows - 2},
                         why_empty(v, text));
    status(v);
}

/* ---- keys ---- */

static void other(struct view *view) {
    struct view_traces *v = view->state;
    traces_sides_close(&v->sides);
    v->tabs.current = (v->tabs.current + 1) % COMPARED_TABS;
    table_select(&v->table, v->tabs.current != COMPARED_ALL);
    view_table_work(view);
}

static void enter(struct view *view) {
    struct view_traces *v = view->state;
    struct relation_row row;
    if (v->sides.open) {
        v->visits = traces_sides_enter(&v->sides);
        return;
    }
    if (shown(v) == NULL) {
        session_say(v->app, false, "nothing is compared so far");
        return;
    }
    if (table_current(&v->table, &row))
        traces_sides_open(&v->sides, &v->two, v->path, shown(v), &shown(v)->v.v[row.row]);
    view_table_size(view);
    view_table_work(view);
}

/* From both sides to the names; then everything is freed, and the view closes. */
static bool up(struct view *view) {
    struct view_traces *v = view->state;
    if (v->sides.open) {
        traces_sides_close(&v->sides);
        return true;
    }
    if (shown(v) == NULL && v->two.other)
        session_say(v->app, false, "the comparison was stopped");
    forget(v);
    return false;
}

static bool record(struct view *view, struct view_record *record) {
    struct view_traces *v = view->state;
    return (v->sides.open && traces_sides_record(&v->sides, &record->offset)) ||
           view_table_no_record(v->app);
}

/* ---- state ---- */

static void *make(struct view *view) {
    struct view_traces *v = err_calloc(1, sizeof *v);
    v->app = view->app;
    table_init(&v->table, &source, v, view->app->grid.ascii);
    table_select(&v->table, true);
    traces_sides_init(&v->sides, view->app);
    return v;
}

static void free_view(struct view *view) {
    struct view_traces *v = view->state;
    forget(v);
    traces_sides_free(&v->sides);
    table_free(&v->table);
    free(v);
}

static struct table *table(struct view *view) {
    struct view_traces *v = view->state;
    return v->sides.open ? &v->sides.table : &v->table;
}

static bool update(struct view *view, bool renewed) {
    struct view_traces *v = view->state;
    if (!renewed)
        return true;
    traces_sides_close(&v->sides);
    drop_shown(v);
    return true;
}

/* Whether the same file is open already and has not changed. */
static bool is_same(const struct view_traces *v, const char *path) {
    return v->path && v->two.other && strcmp(v->path, path) == 0 && v->two.state > TWO_FAILED &&
           file_changed(trace_file(v->two.other)) == FILE_SAME;
}

void view_traces_ask(struct app *app, const char *path) {
    struct view *view = view_of(&app->views, &view_traces);
    struct err err = {.at = ERR_NO_OFFSET};
    struct two_traces two = {.own = NULL};
    struct view_traces *v = view->state;
    if (v == NULL || !is_same(v, path)) {
        if (!two_traces_open(&two, app->trace, path, &err)) {
            char safe[120];
            text_plain(safe, sizeof safe, str_of(path), app->grid.ascii ? TEXT_ASCII : 0);
            if (access(path, F_OK) == 0)
                session_say(app, true, "cannot compare with %s: %s", safe, err.text);
            else
                session_say(app, true,
                            "no file %s: compare takes kept, half, median, threads or a file",
                            safe);
            return;
        }
        if (v == NULL)
            v = view->state = make(view);
        forget(v);
        v->two = two;
        v->path = err_copy(path, strlen(path));
        v->tabs.current = COMPARED_CHANGED;
        table_select(&v->table, true);
        table_renew(&v->table);
    }
    v->visits = false;
    view_open(app, &view_traces);
    view_table_work(view);
}

/* ---- the place as text ---- */

static const char *sides_word(unsigned kind) {
    if (kind == SLICE_ITER_OPERATIONS)
        return "operations";
    return kind == SLICE_ITER_INSTANTS ? "instants" : "slices";
}

static void keep(struct view *view, struct chars *out) {
    struct view_traces *v = view->state;
    char *real = v->path ? realpath(v->path, NULL) : NULL;
    const char *path = real ? real : v->path;
    if (path) {
        view_place_command(out, "compare", str_of(path));
        if (v->tabs.current != COMPARED_CHANGED)
            view_place_line(out, "tab %d", (int)v->tabs.current);
        if (v->sides.open) { /* the table that is current now is that of the sides */
            view_place_table(&v->table, out);
            view_place_named(out, sides_word(v->sides.like.kind),
                             (struct str){v->sides.name, v->sides.n});
        }
    }
    free(real);
}

/* The line that keep() writes for both sides of a name; false: it is another one, or there is no
 * such name. */
static bool put_sides(struct view_traces *v, const char *line) {
    size_t n = strcspn(line, " ");
    const char *name = line + n + (line[n] == ' ');
    for (size_t i = 0; shown(v) && i < shown(v)->v.n; i++) {
        const struct trace_names_row *like = shown(v)->v.v[i].like;
        const char *word = sides_word(like->kind);
        if (strlen(word) != n || memcmp(word, line, n) != 0 ||
            !view_place_is_name((struct str){like->name, like->n}, name, strlen(name)))
            continue;
        traces_sides_open(&v->sides, &v->two, v->path, shown(v), &shown(v)->v.v[i]);
        return true;
    }
    return false;
}

static bool put(struct view *view, const char *line) {
    struct view_traces *v = view->state;
    int tab = view_place_tab(line, COMPARED_TABS);
    while (tab >= 0 && v->tabs.current != (enum compared_tab)tab)
        other(view);
    return tab >= 0 || put_sides(v, line);
}

static const char *const hints[] = {"Enter open", "Tab tabs", "< > column", "& filter", NULL};

const struct view_ops view_traces = {
    .title = "[Compare file]",
    .modes = MODE_TABLE,
    .hints = hints,
    .make = make,
    .free = free_view,
    .up = up,
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
