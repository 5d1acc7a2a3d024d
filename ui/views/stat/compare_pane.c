/* compare_pane.c - the lower half of :compare.
 *
 * The children of a name are a table of names of their own, of the slices whose parent has that
 * very name. The rest that does not fit is one row. Lengths are counted by the buckets of spread.h
 * and drawn as two rows of bars over one axis, A above B. The test is that of the row's verdict. */
#include "ui/views/stat/compare_pane.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/output/between/between_relation.h"
#include "model/query/stat/track_scope.h"
#include "src/base/units.h"
#include "ui/drawer/phrase.h"
#include "ui/views/stat/traces/compared.h"
#include "ui/views/view.h"

#define CHILD_COLUMNS 56 /* of the children; the bars are right of them */

static void release(void *data) {
    struct compare_pane *p = data;
    for (int side = 0; side < COMPARE_SIDES; side++) {
        names_table_free(&p->children[side]);
        instances_free(&p->worst[side]);
    }
    vec_free(&p->by_change);
    slice_group_free(&p->group);
}

/* The row of the name itself on a side, or NULL. */
static const struct aggregate_row *own_row(const struct compare_pane *p, int side) {
    uint32_t at = p->compare->rows.v[p->row].rows[side];
    return at == COMPARE_NONE ? NULL : names_table_row(&p->compare->sides[side], at);
}

static bool is_child(void *ctx, uint32_t track, uint32_t row, uint32_t i) {
    const struct compare_pane *p = ctx;
    struct trace *trace = p->compare->trace;
    const struct nest *nest = &trace_thread(trace, track)->nest;
    uint32_t above, k;
    return trace_slice_parent(trace, track, row, i, &above, &k) &&
           trace_packed_name(trace, lane_at(nest_row(nest, above), k)->begin_word) == p->name;
}

static void make_side(struct task *task, struct compare_pane *p, int side) {
    struct trace *trace = p->compare->trace;
    const struct range *range = &p->compare->ranges[side];
    struct instances_query of_name = {.range = range,
                                      .kinds = SLICE_ITER_SLICES,
                                      .group = &p->group,
                                      .key = {.name = p->name},
                                      .most = 1,
                                      .all = p->compare->sides[side].all};
    struct names_query children = {.range = range,
                                   .kinds = SLICE_ITER_SLICES,
                                   .has = is_child,
                                   .ctx = p,
                                   .no_percentiles = true,
                                   .all = of_name.all};
    instances_make(task, &p->worst[side], trace, &of_name);
    if (!task_over(task))
        spread_make(task, &p->spreads[side], trace, &of_name);
    if (task_over(task))
        return;
    names_table_make(task, &p->children[side], trace, &children);
}

/* The durations of the row, as they were tested. */
static void test(struct compare_pane *p) {
    const struct between_row *row = compare_judged(p->compare, p->row);
    const int64_t *v[COMPARE_SIDES] = {NULL, NULL};
    uint64_t n[COMPARE_SIDES] = {0, 0};
    for (int side = 0; side < COMPARE_SIDES; side++)
        if (row && row->of[side]) {
            v[side] = row->of[side]->sample.v;
            n[side] = row->of[side]->sample.n;
        }
    two_samples_test(&p->samples, v, n);
}

/* ---- children ---- */

static int64_t change_of(const struct compare_child *c) {
    return units_since(c->ns[COMPARE_A], c->ns[COMPARE_B]);
}

static int by_change(const void *a, const void *b) {
    const struct compare_child *x = a, *y = b;
    uint64_t p = change_of(x) < 0 ? 0 - (uint64_t)change_of(x) : (uint64_t)change_of(x);
    uint64_t q = change_of(y) < 0 ? 0 - (uint64_t)change_of(y) : (uint64_t)change_of(y);
    if (p != q)
        return p > q ? -1 : 1;
    return (x->name > y->name) - (x->name < y->name);
}

static void put_child(const struct compare_pane *p, int side, const struct aggregate_row *row,
                      struct compare_child *child) {
    const struct aggregate_row *own = own_row(p, side);
    child->name = row->key.name;
    child->any[side] = own != NULL;
    child->ns[side] = own ? sum_mean(row->total, own->count) : 0;
}

/* The rows of A with those of B that have their name, then those that A lacks. */
static void gather(struct compare_pane *p) {
    const struct names_table *a = &p->children[COMPARE_A], *b = &p->children[COMPARE_B];
    for (uint32_t i = 0; i < names_table_rows(a); i++) {
        struct compare_child child = {.others = 0};
        uint32_t in_b = aggregate_find(&b->aggregate, &names_table_row(a, i)->key);
        put_child(p, COMPARE_A, names_table_row(a, i), &child);
        if (in_b != AGGREGATE_ANY)
            put_child(p, COMPARE_B, names_table_row(b, in_b), &child);
        vec_push(&p->by_change, child);
    }
    for (uint32_t i = 0; i < names_table_rows(b); i++) {
        struct compare_child child = {.others = 0};
        put_child(p, COMPARE_B, names_table_row(b, i), &child);
        if (aggregate_find(&a->aggregate, &names_table_row(b, i)->key) == AGGREGATE_ANY)
            vec_push(&p->by_change, child);
    }
    if (p->by_change.n > 0)
        qsort(p->by_change.v, p->by_change.n, sizeof *p->by_change.v, by_change);
}

/* The rest from a place on, as one row. */
static struct compare_child others_from(const struct compare_pane *p, size_t from) {
    struct compare_child all = {.others = (uint32_t)(p->by_change.n - from)};
    for (size_t i = from; i < p->by_change.n; i++)
        for (int side = 0; side < COMPARE_SIDES; side++) {
            all.any[side] = all.any[side] || p->by_change.v[i].any[side];
            all.ns[side] = units_sum(all.ns[side], p->by_change.v[i].ns[side]);
        }
    return all;
}

static struct compare_child own_child(const struct compare_pane *p, bool sum) {
    struct compare_child c = {.self = !sum, .sum = sum};
    for (int side = 0; side < COMPARE_SIDES; side++) {
        const struct aggregate_row *own = own_row(p, side);
        c.any[side] = own != NULL;
        c.ns[side] = own ? sum_mean(sum ? own->total : own->self, own->count) : 0;
    }
    return c;
}

static void make(struct task *task, void *data) {
    struct compare_pane *p = data;
    p->name = p->compare->rows.v[p->row].name;
    slice_group_init(&p->group, p->compare->trace, GROUP_BY_NAME, "");
    for (int side = 0; side < COMPARE_SIDES && !task_over(task); side++)
        make_side(task, p, side);
    if (task_over(task))
        return;
    test(p);
    gather(p);
    p->done = true;
}

const struct answer_ops compare_pane_ops = {sizeof(struct compare_pane), make, release};

bool compare_pane_worst(const struct compare_pane *p, enum compare_side side,
                        struct instance *worst) {
    if (p == NULL || !p->done || instances_rows(&p->worst[side]) == 0)
        return false;
    *worst = p->worst[side].v.v[0];
    return true;
}

/* ---- drawing children ---- */

static const char *time_text(const struct app *app, const struct compare_child *c, int side,
                             char buf[32]) {
    return c->any[side] ? units_duration(c->ns[side], app->grid.ascii, buf) : "-";
}

static void right_text(struct grid *g, int y, int end, const char *s, enum role role) {
    int width = (int)text_width(str_of(s), 0, 40);
    grid_ztext(g, end - width, y, g->cols, s, style_look(role));
}

static void draw_child(struct app *app, const struct compare_pane *p, const struct compare_child *c,
                       int y) {
    struct grid *g = &app->grid;
    char a[32], b[32], change[40], ns[32], others[48];
    int64_t by = change_of(c);
    struct str name = c->sum ? STR("sum") : STR("self");
    if (!c->sum && !c->self)
        name = trace_name(p->compare->trace, c->name);
    if (c->others > 0) {
        snprintf(others, sizeof others, "%s others", units_count(c->others, false, ns));
        name = str_of(others);
    }
    grid_text(g, (struct grid_place){1, y, 21}, name,
              style_look(c->self || c->sum || c->others > 0 ? ROLE_DIM : ROLE_TEXT), TEXT_TRACK,
              true);
    units_duration(by < 0 ? -by : by, g->ascii, ns);
    snprintf(change, sizeof change, "%s%s", by < 0 ? "-" : "+", ns);
    right_text(g, y, 32, time_text(app, c, COMPARE_A, a), ROLE_VALUE);
    right_text(g, y, 43, time_text(app, c, COMPARE_B, b), ROLE_VALUE);
    right_text(g, y, 55, change, by > 0 ? ROLE_WARN : ROLE_VALUE);
}

static void draw_children(struct app *app, const struct compare_pane *p, int y, int rows) {
    struct grid *g = &app->grid;
    int room = rows - 3 > 0 ? rows - 3 : 0;
    size_t n = p->by_change.n, shown = n;
    if (n > (size_t)room) /* the last row is of the others */
        shown = room > 0 ? (size_t)room - 1 : 0;
    grid_ztext(g, 1, y, g->cols, "children per call", style_look(ROLE_DIM));
    right_text(g, y, 32, "A", ROLE_DIM);
    right_text(g, y, 43, "B", ROLE_DIM);
    right_text(g, y, 55, g->ascii ? "+-" : "±", ROLE_DIM);
    y++;
    for (size_t i = 0; i < shown; i++)
        draw_child(app, p, &p->by_change.v[i], y++);
    if (shown < n && room > 0) {
        struct compare_child rest = others_from(p, shown);
        draw_child(app, p, &rest, y++);
    }
    for (int sum = 0; sum < 2 && sum < rows - 1; sum++) {
        struct compare_child own = own_child(p, sum == 1);
        draw_child(app, p, &own, y++);
    }
}

/* ---- lengths ---- */

static uint64_t greatest(const struct spread *s) {
    uint64_t most = 1;
    for (int b = 0; b < SPREAD_BUCKETS; b++)
        most = s->all[b] > most ? s->all[b] : most;
    return most;
}

/* The buckets that either side has slices in: [*first, *last]. */
static bool extent(const struct compare_pane *p, int *first, int *last) {
    *first = SPREAD_BUCKETS;
    *last = -1;
    for (int b = 0; b < SPREAD_BUCKETS; b++)
        if (p->spreads[COMPARE_A].all[b] + p->spreads[COMPARE_B].all[b] > 0) {
            *first = b < *first ? b : *first;
            *last = b;
        }
    return *last >= 0;
}

struct bars {
    int x, high;              /* of the screen: the first column; rows of a side */
    int first, last, columns; /* buckets, and columns of each */
};

static void draw_bars(struct grid *g, const struct spread *s, const struct bars *bars, int bottom,
                      enum role role) {
    uint64_t most = greatest(s);
    int wide = bars->columns > 1 ? bars->columns - 1 : 1;
    for (int b = bars->first; b <= bars->last; b++) {
        int level = (int)((double)s->all[b] / (double)most * bars->high * 8 + 0.5);
        if (s->all[b] > 0 && level == 0)
            level = 1;
        for (int r = 0; r < bars->high && level > 0; r++, level -= 8)
            grid_fill(g, bars->x + (b - bars->first) * bars->columns, bottom - r, wide,
                      grid_level(g, level < 8 ? level : 8), style_look(role));
    }
}

/* The begins of some buckets, which do not touch. */
static void draw_axis(struct grid *g, const struct bars *bars, int y) {
    char text[32];
    for (int b = bars->first, free_from = bars->x; b <= bars->last; b++) {
        int at = bars->x + (b - bars->first) * bars->columns;
        units_duration_short(spread_begin_of(b), g->ascii, text);
        if (at >= free_from && at + (int)text_width(str_of(text), 0, 32) < g->cols)
            free_from = grid_ztext(g, at, y, g->cols, text, style_look(ROLE_LABEL)) + 2;
    }
}

static void draw_lengths(struct app *app, const struct compare_pane *p, int x, int y, int rows) {
    struct grid *g = &app->grid;
    struct bars bars = {.x = x + 2, .high = (rows - 2) / 2};
    int room = g->cols - x - 4;
    grid_ztext(g, x, y, g->cols, "duration, log scale", style_look(ROLE_DIM));
    if (bars.high < 1 || room < 10 || !extent(p, &bars.first, &bars.last))
        return;
    if (bars.last - bars.first + 1 > room)
        bars.first = bars.last + 1 - room;
    bars.columns = room / (bars.last - bars.first + 1);
    bars.columns = bars.columns > 4 ? 4 : bars.columns;
    for (int side = 0; side < COMPARE_SIDES; side++) {
        int bottom = y + bars.high * (side + 1);
        grid_ztext(g, x, bottom, g->cols, side == COMPARE_A ? "A" : "B", style_look(ROLE_LABEL));
        draw_bars(g, &p->spreads[side], &bars, bottom, side == COMPARE_A ? ROLE_DIM : ROLE_DENSITY);
    }
    draw_axis(g, &bars, y + 1 + 2 * bars.high);
}

static void draw_worst(struct app *app, const struct compare_pane *p, int y) {
    char text[200], when[48], dur[32];
    size_t n = 0;
    struct instance worst;
    for (int side = COMPARE_SIDES - 1; side >= 0; side--)
        if (compare_pane_worst(p, (enum compare_side)side, &worst))
            n += (size_t)snprintf(
                text + n, sizeof text - n, "%sworst in %s: %s at %s", n > 0 ? "   " : "",
                side == COMPARE_A ? "A" : "B", units_duration(worst.duration, app->grid.ascii, dur),
                session_point(app, worst.start, session_resolution(app->trace), when));
    if (n > 0)
        grid_zcut(&app->grid, 1, y, text, style_look(ROLE_TEXT));
}

/* ---- the test ---- */

static const char *interval(const struct two_samples_side *side, bool ascii, char buf[80]) {
    char low[32], high[32];
    units_duration(side->low, ascii, low);
    units_duration(side->high, ascii, high);
    snprintf(buf, 80, side->has_high ? "%s to %s" : "at least %s", low, high);
    return buf;
}

/* "U test p = 0.3177 (40, 40): may be chance" */
static const char *test_words(const struct between_row *row, const struct two_samples *s,
                              char buf[160]) {
    char a[32], b[32], p[16];
    units_count(s->side[COMPARE_A].n, false, a);
    units_count(s->side[COMPARE_B].n, false, b);
    between_relation_p(row->p, p);
    const char *differ =
        row->verdict == BETWEEN_SAME ? "durations differ, by little" : "durations differ";
    const char *chance = row->p >= 1 ? "durations do not differ" : "may be chance", *but = "";
    if (row->decided == BETWEEN_LONGEST)
        but = " but for the longest";
    else if (row->decided == BETWEEN_P99)
        but = " but for p99";
    if (!row->tested)
        snprintf(buf, 160, "too few durations for a test: %s and %s", a, b);
    else
        snprintf(buf, 160, "U test p %s%s (%s, %s): %s%s", *p == '<' ? "" : "= ", p, a, b,
                 row->p < BETWEEN_SURE ? differ : chance, row->p < BETWEEN_SURE ? "" : but);
    return buf;
}

static void draw_test(struct app *app, const struct compare_pane *p, int y) {
    struct grid *g = &app->grid;
    char test[160], a[80], b[80], text[400];
    bool any[COMPARE_SIDES] = {p->samples.side[COMPARE_A].has_low,
                               p->samples.side[COMPARE_B].has_low};
    const struct between_row *row = compare_judged(p->compare, p->row);
    if (row && p->samples.tested)
        test_words(row, &p->samples, test);
    if (row && p->samples.tested)
        grid_zcut(g, 1, y, test, style_look(ROLE_TEXT));
    snprintf(text, sizeof text, "p99 (99 %% confidence):%s%s%s%s", any[COMPARE_A] ? "  A " : "",
             any[COMPARE_A] ? interval(&p->samples.side[COMPARE_A], g->ascii, a) : "",
             any[COMPARE_B] ? "  B " : "",
             any[COMPARE_B] ? interval(&p->samples.side[COMPARE_B], g->ascii, b) : "");
    if (any[COMPARE_A] || any[COMPARE_B])
        grid_zcut(g, 1, y + 1, text, style_look(ROLE_TEXT));
}

void compare_pane_side(struct app *app, const struct range *range, enum compare_side side, int y) {
    int64_t begin = range_begin(range, app->trace), end = range_end(range, app->trace);
    char from[48], length[32], tracks[64] = "", text[200];
    size_t n = range->tracks.v.n;
    /* after a reload there may be fewer */
    if (n == 1 && range->tracks.v.v[0] < trace_thread_count(app->trace))
        phrase_thread(app->trace, range->tracks.v.v[0], " ", tracks, sizeof tracks);
    else if (n > 0)
        snprintf(tracks, sizeof tracks, "%zu of %zu tracks", track_scope_count(&range->tracks),
                 track_scope_all(app->trace));
    snprintf(text, sizeof text, "%c  from %s  %s  ", side == COMPARE_A ? 'A' : 'B',
             session_point(app, begin, session_resolution(app->trace), from),
             units_duration(end > begin ? units_since(begin, end) : 0, app->grid.ascii, length));
    int x = grid_ztext(&app->grid, 1, y, app->grid.cols, text, style_look(ROLE_DIM));
    grid_text(&app->grid, (struct grid_place){x, y, app->grid.cols},
              str_of(n > 0 ? tracks : "all tracks"), style_look(ROLE_DIM), TEXT_TRACK, true);
}

void compare_pane_draw(struct app *app, const struct compare_pane *p, int y, int rows) {
    struct grid *g = &app->grid;
    int x = view_rule(g, y);
    if (p == NULL)
        return;
    const struct between_row *row = p->done ? compare_judged(p->compare, p->row) : NULL;
    if (row) {
        compared_rule(app, &p->compare->between, row, y);
    } else {
        x = view_label(g, x, y, trace_name(p->compare->trace, p->compare->rows.v[p->row].name),
                       ROLE_HEADER);
        view_label(g, x, y, STR("counting"), ROLE_DIM);
    }
    if (!p->done || rows < 5)
        return;
    int tests = rows >= 9 ? 2 : 0;
    draw_children(app, p, y + 1, rows - 2 - tests);
    if (g->cols > CHILD_COLUMNS + 20)
        draw_lengths(app, p, CHILD_COLUMNS + 2, y + 1, rows - 2 - tests);
    if (tests > 0)
        draw_test(app, p, y + rows - 3);
    draw_worst(app, p, y + rows - 1);
}
