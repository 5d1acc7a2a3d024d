/* compare_pane.c - the lower half of :compare.
 *
 * The children of a name are a table of names of their own, with a filter for the parent. Lengths are counted by the
 * buckets of spread.h and drawn as two rows of bars over one axis, A above B. */
#include "ui/views/stat/compare_pane.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/base/units.h"
#include "ui/views/stat/slices/stat_filter.h"
#include "ui/views/view.h"

#define CHILDREN_MOST 64
#define CHILD_COLUMNS 56 /* of the children; the bars are right of them */

void compare_pane_free(struct compare_pane *p) {
    for (int side = 0; side < COMPARE_SIDES; side++) {
        names_table_free(&p->children[side]);
        instances_free(&p->worst[side]);
    }
    slice_group_free(&p->group);
    filter_match_free(p->match);
    filter_free(p->filter);
    *p = (struct compare_pane){0};
}

static void begin_side(struct compare_pane *p, int side, uint32_t name) {
    struct trace *trace = p->compare->trace;
    const struct range *range = &p->compare->ranges[side];
    struct instances_query of_name = {.range = range,
                                      .kinds = SLICE_ITER_SLICES,
                                      .group = &p->group,
                                      .key = {.name = name},
                                      .most = 1};
    struct names_query children = {
        .range = range, .kinds = SLICE_ITER_SLICES, .has = filter_match_slice, .ctx = p->match};
    names_table_begin(&p->children[side], trace, &children);
    instances_begin(&p->worst[side], trace, &of_name);
    spread_begin(&p->spreads[side], trace, &of_name);
}

void compare_pane_begin(struct compare_pane *p, const struct compare *compare, uint32_t row) {
    struct chars text = {0};
    struct err err;
    uint32_t name = compare->rows.v[row].name;
    compare_pane_free(p);
    p->compare = compare;
    p->row = row;
    p->version = trace_version(compare->trace);
    slice_group_init(&p->group, compare->trace, GROUP_BY_NAME, "");
    stat_filter_quote("parent=", trace_name(compare->trace, name), &text);
    chars_add(&text, (struct str){"", 1}); /* ends it */
    p->filter = filter_new(text.v, false, &err);
    vec_free(&text);
    if (p->filter)
        p->match = filter_match_new(compare->trace, p->filter);
    for (int side = 0; side < COMPARE_SIDES; side++)
        begin_side(p, side, name);
}

bool compare_pane_step(struct compare_pane *p, struct budget *budget) {
    if (p->compare == NULL || p->done)
        return true;
    for (int side = 0; side < COMPARE_SIDES; side++)
        if (!instances_step(&p->worst[side], budget) ||
            (!p->spreads[side].done && !spread_step(&p->spreads[side], budget)))
            return false;
    if (p->match && !filter_match_step(p->match, budget))
        return false;
    for (int side = 0; side < COMPARE_SIDES && p->match; side++)
        if (!names_table_step(&p->children[side], budget))
            return false;
    return p->done = true;
}

bool compare_pane_worst(const struct compare_pane *p, enum compare_side side, struct instance *worst) {
    if (!p->done || instances_rows(&p->worst[side]) == 0)
        return false;
    *worst = p->worst[side].v.v[0];
    return true;
}

/* ---- children ---- */

struct child {
    uint32_t name;
    bool self, sum;
    bool any[COMPARE_SIDES];
    int64_t ns[COMPARE_SIDES]; /* for each call */
};

static int64_t change_of(const struct child *c) {
    return c->ns[COMPARE_B] - c->ns[COMPARE_A];
}

static int by_change(const void *a, const void *b) {
    int64_t x = change_of(a), y = change_of(b);
    uint64_t p = x < 0 ? 0 - (uint64_t)x : (uint64_t)x, q = y < 0 ? 0 - (uint64_t)y : (uint64_t)y;
    return p != q ? (p > q ? -1 : 1) : 0;
}

static int64_t per_call(int64_t ns, uint64_t calls) {
    return calls > 0 ? (int64_t)((double)ns / (double)calls + 0.5) : 0;
}

/* The row of the name itself on a side, or NULL. */
static const struct aggregate_row *own_row(const struct compare_pane *p, int side) {
    uint32_t at = p->compare->rows.v[p->row].rows[side];
    return at == COMPARE_NONE ? NULL : names_table_row(&p->compare->sides[side], at);
}

static size_t gather(const struct compare_pane *p, struct child v[CHILDREN_MOST]) {
    size_t n = 0;
    for (int side = 0; side < COMPARE_SIDES; side++) {
        const struct aggregate_row *own = own_row(p, side);
        for (uint32_t i = 0; own && i < names_table_rows(&p->children[side]); i++) {
            const struct aggregate_row *row = names_table_row(&p->children[side], i);
            size_t at = 0;
            while (at < n && v[at].name != row->key.name)
                at++;
            if (at == CHILDREN_MOST)
                continue;
            if (at == n)
                v[n++] = (struct child){.name = row->key.name};
            v[at].any[side] = true;
            v[at].ns[side] = per_call(row->total, own->count);
        }
    }
    if (n > 0)
        qsort(v, n, sizeof *v, by_change);
    return n;
}

static void own_child(const struct compare_pane *p, bool sum, struct child *c) {
    *c = (struct child){.self = !sum, .sum = sum};
    for (int side = 0; side < COMPARE_SIDES; side++) {
        const struct aggregate_row *own = own_row(p, side);
        c->any[side] = own != NULL;
        c->ns[side] = own ? per_call(sum ? own->total : own->self, own->count) : 0;
    }
}

static const char *time_text(const struct app *app, const struct child *c, int side, char buf[32]) {
    return c->any[side] ? units_duration(c->ns[side], app->grid.ascii, buf) : "-";
}

static void right_text(struct grid *g, int y, int end, const char *s, enum role role) {
    int width = (int)text_width(str_of(s), 0, 40);
    grid_ztext(g, end - width, y, g->cols, s, style_look(role));
}

static void draw_child(struct app *app, const struct compare_pane *p, const struct child *c, int y) {
    struct grid *g = &app->grid;
    char a[32], b[32], change[40], ns[32];
    int64_t by = change_of(c);
    struct str name = c->sum ? STR("sum") : c->self ? STR("self") : trace_name(p->compare->trace, c->name);
    grid_text(g, (struct grid_place){1, y, 21}, name, style_look(c->self || c->sum ? ROLE_DIM : ROLE_TEXT), TEXT_TRACK,
              true);
    units_duration(by < 0 ? -by : by, g->ascii, ns);
    snprintf(change, sizeof change, "%s%s", by < 0 ? "-" : "+", ns);
    right_text(g, y, 32, time_text(app, c, COMPARE_A, a), ROLE_VALUE);
    right_text(g, y, 43, time_text(app, c, COMPARE_B, b), ROLE_VALUE);
    right_text(g, y, 55, change, by > 0 ? ROLE_WARN : ROLE_VALUE);
}

static void draw_children(struct app *app, const struct compare_pane *p, int y, int rows) {
    struct child v[CHILDREN_MOST], own;
    size_t n = gather(p, v);
    struct grid *g = &app->grid;
    int last = y + rows;
    grid_ztext(g, 1, y, g->cols, "children, a call", style_look(ROLE_DIM));
    right_text(g, y, 32, "A", ROLE_DIM);
    right_text(g, y, 43, "B", ROLE_DIM);
    right_text(g, y, 55, g->ascii ? "+-" : "±", ROLE_DIM);
    y++;
    for (size_t i = 0; i < n && y < last - 2; i++)
        draw_child(app, p, &v[i], y++);
    for (int sum = 0; sum < 2 && y < last; sum++) {
        own_child(p, sum == 1, &own);
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

static void draw_bars(struct grid *g, const struct spread *s, const struct bars *bars, int bottom, enum role role) {
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
    grid_ztext(g, x, y, g->cols, "durations, log time", style_look(ROLE_DIM));
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
            n += (size_t)snprintf(text + n, sizeof text - n, "%sworst in %s: %s at %s", n > 0 ? "   " : "",
                                  side == COMPARE_A ? "A" : "B",
                                  units_duration(worst.duration, app->grid.ascii, dur),
                                  session_point(app, worst.start, session_resolution(app->trace), when));
    if (n > 0)
        grid_zcut(&app->grid, 1, y, text, style_look(ROLE_TEXT));
}

void compare_pane_draw(struct app *app, const struct compare_pane *p, int y, int rows) {
    struct grid *g = &app->grid;
    int x = view_rule(g, y);
    if (p->compare == NULL)
        return;
    x = view_label(g, x, y, trace_name(p->compare->trace, p->compare->rows.v[p->row].name), ROLE_HEADER);
    view_label(g, x, y, p->done ? STR("where it changed") : STR("counting"), ROLE_DIM);
    if (!p->done || rows < 5)
        return;
    draw_children(app, p, y + 1, rows - 2);
    if (g->cols > CHILD_COLUMNS + 20)
        draw_lengths(app, p, CHILD_COLUMNS + 2, y + 1, rows - 2);
    draw_worst(app, p, y + rows - 1);
}
