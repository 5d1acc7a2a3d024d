/* traces_sides.c - both sides of a name in two traces.
 *
 * Each side has its list of the longest slices; a row of the table is one of A, then of B. They are
 * shown when both are complete. Times count from the begin of their own trace. */
#include "ui/views/stat/traces/traces_sides.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"
#include "src/base/time/sum.h"
#include "src/base/units.h"
#include "src/io/quote.h"
#include "ui/drawer/phrase.h"
#include "ui/timeline/find.h"
#include "ui/timeline/move.h"
#include "ui/views/view_table.h"

enum { SIDE, AT, DUR, SELF, THREAD, COLUMNS };

static const struct relation_column relation_columns[COLUMNS] = {
    [SIDE] = {"side", "side", RELATION_TEXT, RELATION_NONE, false},
    [AT] = {"at_ns", "at", RELATION_INTEGER, RELATION_DURATION, false},
    [DUR] = {"dur_ns", "dur", RELATION_INTEGER, RELATION_DURATION, false},
    [SELF] = {"self_ns", "self", RELATION_INTEGER, RELATION_DURATION, false},
    [THREAD] = {"thread", "thread", RELATION_TEXT, RELATION_NONE, false},
};

static const struct table_column columns[COLUMNS] = {
    [SIDE] = {NULL, 4, 4, 0, false, false},    [AT] = {NULL, 16, 20, 1, false, true},
    [DUR] = {NULL, 9, 9, 0, true, true},       [SELF] = {NULL, 9, 9, 3, true, true},
    [THREAD] = {NULL, 10, 0, 2, false, false},
};

/* ---- the table ---- */

/* The instance of a row and its side. */
static const struct instance *instance_at(const struct traces_sides *s, uint64_t row, int *side) {
    const struct traces_lists *lists = s->lists.shown;
    uint32_t a = instances_rows(&lists->side[BETWEEN_A].list);
    *side = row < a ? BETWEEN_A : BETWEEN_B;
    return &lists->side[*side].list.v.v[row < a ? row : row - a];
}

static struct trace *trace_of(const struct traces_sides *s, int side) {
    return ((const struct traces_lists *)s->lists.shown)->side[side].trace;
}

static uint64_t rows(void *ctx) {
    const struct traces_sides *s = ctx;
    const struct traces_lists *lists = s->lists.shown;
    if (!answer_is_complete(&s->lists))
        return 0;
    return (uint64_t)instances_rows(&lists->side[BETWEEN_A].list) +
           instances_rows(&lists->side[BETWEEN_B].list);
}

/* Since the begin of its trace. */
static int64_t time_of(const struct traces_sides *s, int side, const struct instance *x) {
    return units_since(trace_begin(trace_of(s, side)), x->start);
}

static void get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
    const struct traces_sides *s = ctx;
    int side;
    const struct instance *x = instance_at(s, row.row, &side);
    if (column == SIDE)
        relation_set_text(value, side == BETWEEN_A ? STR("A") : STR("B"));
    else if (column == AT)
        relation_set_integer(value, time_of(s, side, x));
    else if (column == DUR)
        relation_set_integer(value, x->duration);
    else if (column == SELF && x->track < SLICE_ITER_ASYNC)
        relation_set_integer(value, x->self);
    else if (column == THREAD && x->track < SLICE_ITER_ASYNC)
        relation_set_text(
            value, phrase_thread(trace_of(s, side), x->track, " ", value->buf, sizeof value->buf));
}

static void format(void *ctx, struct relation_row row, int column, struct table_cell *cell) {
    const struct traces_sides *s = ctx;
    int side;
    const struct instance *x = instance_at(s, row.row, &side);
    if (column == AT) {
        units_point(time_of(s, side, x), session_resolution(trace_of(s, side)), s->app->grid.ascii,
                    cell->buf);
        cell->text = str_of(cell->buf);
    } else if (column == DUR && x->open) {
        cell->role = ROLE_WARN;
    }
}

static uint64_t id(void *ctx, uint64_t row) {
    int side;
    const struct instance *x = instance_at(ctx, row, &side);
    return x->begin_word ^ (uint64_t)side << 63;
}

static const struct relation relation = {"sides", relation_columns, COLUMNS, false, rows, get};
static const struct table_source source = {&relation, columns, format, .id = id};

/* ---- opening and closing ---- */

void traces_sides_init(struct traces_sides *s, struct app *app) {
    *s = (struct traces_sides){.app = app};
    table_init(&s->table, &source, s, app->grid.ascii);
    table_sort_first(&s->table, DUR);
}

void traces_sides_close(struct traces_sides *s) {
    answer_drop(&s->lists);
    free(s->name);
    free(s->path);
    s->name = s->path = NULL;
    s->open = false;
    table_renew(&s->table);
}

void traces_sides_free(struct traces_sides *s) {
    traces_sides_close(s);
    table_free(&s->table);
}

static void make(struct task *task, void *data) {
    struct traces_lists *lists = data;
    for (int i = 0; i < BETWEEN_SIDES; i++) {
        struct traces_side *side = &lists->side[i];
        if (!side->any || task_over(task))
            continue;
        slice_group_init(&side->group, side->trace, GROUP_BY_NAME, NULL);
        instances_make(task, &side->list, side->trace,
                       &(struct instances_query){.range = lists->whole,
                                                 .kinds = side->kind,
                                                 .group = &side->group,
                                                 .key = {.name = side->number},
                                                 .most = TRACES_SIDES_KEPT});
    }
}

static void release(void *data) {
    struct traces_lists *lists = data;
    for (int i = 0; i < BETWEEN_SIDES; i++) {
        instances_free(&lists->side[i].list);
        slice_group_free(&lists->side[i].group);
    }
}

static const struct answer_ops lists_ops = {sizeof(struct traces_lists), make, release};

static struct traces_side side_of(const struct traces_sides *s, struct trace *trace,
                                  const struct trace_names *names) {
    const struct trace_names_row *own = trace_names_find(names, &s->like);
    bool any = own != NULL && s->like.kind != SLICE_ITER_INSTANTS; /* these have no length */
    return (struct traces_side){
        .trace = trace, .any = any, .kind = s->like.kind, .number = own ? own->number : 0};
}

static void ask(struct traces_sides *s, const struct two_traces *two, const struct between *answer,
                const struct between_row *row) {
    s->row = *row;
    s->row.like = &s->like;
    struct traces_lists *lists = answer_ask(&s->lists, &lists_ops, two->own, s->opened);
    lists->whole = &s->whole;
    lists->side[BETWEEN_A] = side_of(s, two->other, &two->names);
    lists->side[BETWEEN_B] = side_of(s, two->own, answer->runs[BETWEEN_B].v);
}

void traces_sides_open(struct traces_sides *s, const struct two_traces *two, const char *path,
                       const struct between *answer, const struct between_row *row) {
    traces_sides_close(s);
    s->path = err_copy(path, strlen(path));
    s->name = err_copy(row->like->name, row->like->n);
    s->n = row->like->n;
    s->like = (struct trace_names_row){.name = s->name, .n = s->n, .kind = row->like->kind};
    s->open = true;
    s->opened++;
    ask(s, two, answer, row);
    table_go(&s->table, 0);
    table_renew(&s->table);
}

void traces_sides_again(struct traces_sides *s, const struct two_traces *two,
                        const struct between *answer) {
    if (!s->open)
        return;
    table_keep(&s->table);
    for (size_t i = 0; i < answer->v.n; i++)
        if (trace_names_order(answer->v.v[i].like, &s->like) == 0) {
            ask(s, two, answer, &answer->v.v[i]);
            return;
        }
    traces_sides_close(s);
}

bool traces_sides_step(struct traces_sides *s) {
    if (!s->open || s->lists.done || s->lists.version != trace_version(s->app->trace))
        return false;
    if (!answer_step(&s->lists, s->app->work))
        return true;
    table_renew(&s->table);
    s->app->dirty = true;
    return false;
}

/* ---- drawing ---- */

static void draw_side(const struct traces_sides *s, int side, int y) {
    struct grid *g = &s->app->grid;
    const struct between_row *row = &s->row;
    char text[240], count[32], total[32] = "-", p50[32] = "-", p99[32] = "-";
    if (!row->has[side]) {
        snprintf(text, sizeof text, "%c  does not have it", "AB"[side]);
    } else {
        if (row->ended[side] > 0) {
            units_duration(sum_clamped(row->values[BETWEEN_P50][side]), g->ascii, p50);
            units_duration(sum_clamped(row->values[BETWEEN_P99][side]), g->ascii, p99);
        }
        if (s->like.kind != SLICE_ITER_INSTANTS)
            units_duration(sum_clamped(row->values[BETWEEN_TOTAL][side]), g->ascii, total);
        snprintf(text, sizeof text, "%c  count %s, %.4g per s  total %s  p50 %s  p99 %s",
                 "AB"[side], units_count((uint64_t)row->values[BETWEEN_COUNT][side], false, count),
                 row -> values[BETWEEN_RATE][side] * 1e9, total, p50, p99);
    }
    grid_ztext(g, 1, y, g->cols, text, style_look(ROLE_DIM));
}

void traces_sides_draw(struct traces_sides *s) {
    struct grid *g = &s->app->grid;
    struct view_area area = view_table_area(s->app);
    char text[64], said[32];
    int x = view_rule(g, area.y);
    x = view_label(g, x, area.y, (struct str){s->name, s->n}, ROLE_HEADER) + 1;
    x = view_label(g, x, area.y, str_of(between_said(&s->row, said)),
                   s->row.verdict == BETWEEN_SLOWER ? ROLE_WARN : ROLE_DIM) +
        1;
    snprintf(text, sizeof text,
             s->like.kind == SLICE_ITER_INSTANTS ? "instants are counted alone"
                                                 : "the longest %s of both",
             s->like.kind == SLICE_ITER_OPERATIONS ? "operations" : "slices");
    view_label(g, x, area.y, str_of(text), ROLE_DIM);
    for (int side = 0; side < BETWEEN_SIDES; side++)
        draw_side(s, side, area.y + 1 + side);
    table_draw(&s->table, g, area.y + 3, area.rows - 3);
    view_table_status(s->app, &s->table, "slice",
                      answer_is_complete(&s->lists) ? "A: Enter shows how to open it"
                                                    : "looking for them");
}

/* ---- keys ---- */

/* The instance of the current row; NULL: there is none. */
static const struct instance *current(const struct traces_sides *s, int *side) {
    struct relation_row row;
    return answer_is_complete(&s->lists) && table_current(&s->table, &row)
               ? instance_at(s, row.row, side)
               : NULL;
}

/* "fxtop --at=1.5s FILE" */
static void say_command(const struct traces_sides *s, const struct instance *x) {
    int64_t t = time_of(s, BETWEEN_A, x);
    char at[48];
    int n = snprintf(at, sizeof at, "%" PRId64 ".%09" PRId64, t / 1000000000, t % 1000000000);
    while (at[n - 1] == '0')
        at[--n] = '\0';
    if (at[n - 1] == '.')
        at[--n] = '\0';
    char *path = quote_shell(str_of(s->path), TEXT_ASCII, false);
    session_say(s->app, false, "in A: fxtop --at=%ss %s%s", at, *s->path == '-' ? "-- " : "", path);
    free(path);
}

bool traces_sides_enter(struct traces_sides *s) {
    struct app *app = s->app;
    int side;
    const struct instance *x = current(s, &side);
    if (x == NULL) {
        session_say(app, false,
                    answer_is_complete(&s->lists) ? "there is no slice"
                                                  : "its longest slices are being looked for");
        return false;
    }
    if (side == BETWEEN_A) {
        say_command(s, x);
        return false;
    }
    if (!answer_holds(&s->lists, app->trace)) {
        session_say(app, false, "the trace has read on: wait a moment");
        return false;
    }
    struct hit hit = {x->track, x->row, x->i, x->start};
    view_open_timeline(app);
    move_remember(&app->timeline);
    find_go(app, &hit);
    return true;
}

bool traces_sides_record(struct traces_sides *s, uint64_t *offset) {
    int side;
    const struct instance *x = current(s, &side);
    if (x == NULL || side == BETWEEN_A)
        return false;
    *offset = event_offset(x->begin_word);
    return true;
}
