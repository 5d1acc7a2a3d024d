/* view_slices_draw.c - 2 Slices on the screen: tabs, heading, table, and the lengths of the current
 * row's slices. */
#include <stdio.h>
#include <string.h>

#include "src/base/units.h"
#include "ui/status.h"
#include "ui/views/stat/view_slices_internal.h"
#include "ui/views/view_table.h"

static void tab_label(const struct slices_view *v, size_t i, char *text, size_t cap) {
    const struct stat_shown *s = &v->shown[i];
    char n[32];
    if (i == v->tab && v->inside)
        snprintf(text, cap, "%s > %.*s", view_slices_tabs[i]->title, (int)v->title.n, v->title.v);
    else if (i == v->tab && s->answer.shown)
        snprintf(text, cap, "%s %s", view_slices_tabs[i]->title,
                 units_count(table_count(&s->table), false, n));
    else
        snprintf(text, cap, "%s", view_slices_tabs[i]->title);
}

/* The first tab that is drawn: the current one if it and those before it do not fit. */
static size_t first_tab(const struct slices_view *v, int cols) {
    char text[260];
    int x = 3;
    for (size_t i = 0; i <= v->tab; i++) {
        tab_label(v, i, text, sizeof text);
        x += (int)text_width(str_of(text), 0, 260) + 3;
    }
    return x > cols ? v->tab : 0;
}

/* The tabs, with the number of rows of the current one, and the view that w leads to. */
static void draw_tabs(struct slices_view *v, int y) {
    struct grid *g = &v->app->grid;
    char text[260];
    int x = view_rule(g, y);
    memset(v->tab_ends, 0, sizeof v->tab_ends);
    for (size_t i = first_tab(v, g->cols); i < SLICES_TABS; i++) {
        tab_label(v, i, text, sizeof text);
        x = view_label(g, x, y, str_of(text), i == v->tab ? ROLE_TAB_CURRENT : ROLE_TAB) + 1;
        v->tab_ends[i] = x;
        if (x >= g->cols - 2)
            break;
    }
    if (x + 14 < g->cols && sched_thread_count(trace_sched(v->app->trace)) > 0)
        v->tab_ends[SLICES_TABS] = view_label(g, x, y, STR("w: Wake-ups"), ROLE_TAB) + 1;
}

void view_slices_pointer(struct view *view, const struct key *key) {
    struct slices_view *v = view->state;
    if (key->what != POINTER_RELEASE || key->y != view_table_area(v->app).y) {
        view_table_pointer(view, key);
        return;
    }
    for (size_t i = 0; i <= SLICES_TABS; i++) {
        if (key->x >= v->tab_ends[i])
            continue;
        if (i == SLICES_TABS)
            view_slices_wakeups(v->app);
        else
            view_slices_other(v, SLICES_TABS + i - view_slices_chosen(v));
        return;
    }
}

/* The share of the slices, or of another input, that the numbers on the screen are of, in
 * percent. */
static unsigned so_far(const struct stat_tab *tab, const struct stat_shown *s) {
    if (s->answer.shown == NULL || answer_is_complete(&s->answer))
        return 100;
    if (tab->so_far)
        return tab->so_far(s->answer.shown);
    return tab->percent ? tab->percent(s->answer.shown) : 0;
}

/* "whole trace 12.42 s  742 slices, 2 open  thread time 40.1 s  filter: dur>2ms" */
static void draw_heading(struct slices_view *v, int y) {
    struct grid *g = &v->app->grid;
    const struct stat_shown *s = &v->shown[v->inside ? SLICES_TABS : v->tab];
    char range[240], text[400], a[32], b[32], safe[100];
    unsigned part = so_far(view_slices_tab(v), s);
    size_t n = (size_t)snprintf(text, sizeof text, "%s", session_answer_text(v->app, range));
    if (part < 100)
        n += (size_t)snprintf(text + n, sizeof text - n, "  so far, of %u%%", part);
    if (v->inside && s->answer.shown) {
        const struct instances *list = &((const struct stat_instances *)s->answer.shown)->list;
        if (s->answer.done && list->count > instances_rows(list))
            n += (size_t)snprintf(text + n, sizeof text - n, "  the longest %s of",
                                  units_count(instances_rows(list), false, b));
        else
            n += (size_t)snprintf(text + n, sizeof text - n, " ");
        n += (size_t)snprintf(text + n, sizeof text - n, " %s %s",
                              units_count(list->count, false, a), view_slices_unit(v, list->count));
    } else if (view_slices_named(v) && s->answer.shown) {
        const struct names_table *names = &((const struct stat_names *)s->answer.shown)->table;
        if (names->lived)
            n += (size_t)snprintf(text + n, sizeof text - n, "  %s %s",
                                  units_count(names->slices, false, a),
                                  view_slices_unit(v, names->slices));
        if (names->open > 0)
            n += (size_t)snprintf(text + n, sizeof text - n, ", %s open",
                                  units_count(names->open, false, b));
        if (names->lived && view_slices_tabs[v->tab] == &stat_names)
            n += (size_t)snprintf(text + n, sizeof text - n, "  thread time %s",
                                  units_duration(sum_ns(names->thread_time), g->ascii, a));
        if (session_range(v->app)->timed)
            n += (size_t)snprintf(text + n, sizeof text - n, "  trimmed to the range");
    }
    if (s->answer.done && view_slices_tab(v)->heading) {
        view_slices_tab(v)->heading(s->answer.shown, g->ascii, text + n, sizeof text - n);
        n = strlen(text);
    }
    if (v->filter && view_slices_named(v)) {
        text_plain(safe, sizeof safe, str_of(filter_text(v->filter)), g->ascii ? TEXT_ASCII : 0);
        snprintf(text + n, sizeof text - n, "  filter: %s", safe);
    }
    grid_zparts(g, 1, y, text, style_look(part < 100 ? ROLE_WARN : ROLE_DIM));
}

#define LINE 120

struct lines { /* right of the bars */
    char text[6][LINE];
    int n;
    int64_t one; /* the duration of the only slice, or -1 */
};

/* "p50 1.204 ms  p90 2.9 ms" and below it p99 and the greatest; of one slice all are the same. */
static void quantile_lines(const struct grid *g, struct lines *lines, uint64_t slices,
                           const int64_t p[4]) {
    char a[32], b[32];
    lines->one = slices == 1 ? p[3] : -1;
    if (slices == 1)
        return;
    snprintf(lines->text[lines->n++], LINE, "p50 %s  p90 %s", units_duration(p[0], g->ascii, a),
             units_duration(p[1], g->ascii, b));
    snprintf(lines->text[lines->n++], LINE, "p99 %s  max %s", units_duration(p[2], g->ascii, a),
             units_duration(p[3], g->ascii, b));
}

static void row_lines(const struct slices_view *v, const struct names_table *names, uint32_t row,
                      struct lines *lines) {
    static const enum names_column columns[4] = {NAMES_P50, NAMES_P90, NAMES_P99, NAMES_MAX};
    int64_t p[4], count;
    if (!names_table_value(names, row, NAMES_COUNT, &count))
        return;
    for (int k = 0; k < 4; k++)
        if (!names_table_value(names, row, columns[k], &p[k]))
            return;
    quantile_lines(&v->app->grid, lines, (uint64_t)count, p);
}

/* If all are listed, longest first, the nearest ranks count from the end. */
static void instance_lines(const struct slices_view *v, const struct instances *all,
                           struct lines *lines) {
    static const uint64_t percent[4] = {50, 90, 99, 100};
    uint64_t n = instances_rows(all);
    int64_t p[4];
    if (!all->ready || n == 0 || n < all->count || all->open > 0)
        return;
    for (int k = 0; k < 4; k++)
        p[k] = all->v.v[n - (n * percent[k] + 99) / 100].duration;
    quantile_lines(&v->app->grid, lines, n, p);
}

static void bucket_lines(const struct slices_view *v, struct lines *lines) {
    char bounds[80], a[32], b[32];
    const struct spread *s = view_slices_lengths(v);
    if (v->chosen < 0 || s == NULL) {
        if (s == NULL || !stat_spread_is_one(s))
            snprintf(lines->text[lines->n++], LINE, "h/l: choose a bucket");
        return;
    }
    stat_spread_bounds(v->chosen, v->app->grid.ascii, bounds);
    if (v->filter)
        snprintf(lines->text[lines->n++], LINE, "> %s: %s, %s of all", bounds,
                 units_count(s->these[v->chosen], false, a),
                 units_count(s->all[v->chosen], false, b));
    else
        snprintf(lines->text[lines->n++], LINE, "> %s: %s", bounds,
                 units_count(s->all[v->chosen], false, a));
    snprintf(lines->text[lines->n++], LINE, "Enter: only this bucket");
}

/* How long the slices of the current row are, or the instances. */
static void draw_pane(struct slices_view *v, int y, int rows) {
    struct grid *g = &v->app->grid;
    struct stat_shown *s = view_slices_shown(v);
    struct relation_row row;
    struct lines lines = {.one = -1};
    char title[160], buf[400], a[32], b[32];
    const struct spread *lengths = view_slices_lengths(v);
    struct stat_spread_pane pane = {.spread = lengths, .chosen = v->chosen, .mark = -1};
    int x = view_rule(g, y);
    if (s->answer.shown == NULL || !table_current(&s->table, &row) ||
        row.row >= s->table.source->relation->rows(s) ||
        (v->lengths.next == NULL && !view_slices_sampled(v)))
        return;
    if (v->inside) {
        const struct instances *all = &((const struct stat_instances *)s->answer.shown)->list;
        x = view_label(g, x, y, (struct str){v->title.v, v->title.n}, ROLE_HEADER);
        pane.mark = stat_instances_at(s->answer.shown, row.row)->duration;
        if (!view_slices_sampled(v))
            instance_lines(v, all, &lines);
    } else {
        const struct names_table *names = &((const struct stat_names *)s->answer.shown)->table;
        x = view_label(g, x, y, names_table_text(names, (uint32_t)row.row, buf, sizeof buf),
                       ROLE_HEADER);
        row_lines(v, names, (uint32_t)row.row, &lines);
    }
    if (view_slices_sampled(v)) {
        view_label(g, x, y, STR("sampled: no durations; 3 shows its samples by path"), ROLE_DIM);
        return;
    }
    if (v->filter)
        snprintf(title, sizeof title, "%s, and all %s without the filter, by duration (log scale)",
                 units_count(lengths ? lengths->count : 0, false, a),
                 units_count(lengths ? lengths->count_all : 0, false, b));
    else if (lengths && lengths->count_all == 0)
        snprintf(title, sizeof title, "none has ended");
    else
        snprintf(title, sizeof title, "%s by duration (log scale)",
                 units_count(lengths ? lengths->count_all : 0, false, a));
    view_label(g, x, y, str_of(title), ROLE_DIM);
    if (lengths && lengths->count_all == 0)
        return;
    bucket_lines(v, &lines);
    for (int i = 0; i < lines.n; i++)
        pane.lines[i] = str_of(lines.text[i]);
    pane.nlines = lines.n;
    pane.one = lines.one;
    stat_spread_draw(v->app, &pane, y + 1, rows - 1);
}

static void status(struct slices_view *v) {
    const struct stat_tab *tab = view_slices_tab(v);
    struct stat_shown *s = view_slices_shown(v);
    const struct table *t = &s->table;
    char left[64], right[80] = "", a[32], b[32];
    uint32_t n = table_count(t);
    snprintf(left, sizeof left, "%s %s/%s", v->inside ? view_slices_unit(v, 1) : tab->noun,
             units_count(n > 0 ? (uint64_t)t->at + 1 : 0, false, a), units_count(n, false, b));
    if (!s->answer.done && tab->percent && s->answer.begun)
        snprintf(right, sizeof right, "counted %u%%", tab->percent(s->answer.next));
    else if (!s->answer.done)
        snprintf(right, sizeof right, "counting");
    else if (t->sort >= 0)
        snprintf(right, sizeof right, "sorted by %s", table_title(t, t->sort));
    else if (v->inside)
        snprintf(right, sizeof right, "longest first");
    view_table_typed(v->app, t);
    view_slices_typed_words(v, v->app->prompts.found, sizeof v->app->prompts.found);
    status_draw_texts(v->app, left, right);
}

/* A column without values takes no space. */
static void choose(struct table *t, int column, bool shown) {
    t->columns[column].width = shown ? t->source->columns[column].width : 0;
    t->columns[column].most = shown ? t->source->columns[column].most : -1;
}

/* Columns of times, or of samples: names have both, and so have slices. */
static void choose_measured(struct table *t, int from, int to, bool measured) {
    for (int c = from; c < to; c++)
        choose(t, c, measured);
}

static void choose_columns(struct slices_view *v, struct stat_shown *s) {
    bool slices = view_slices_tabs[v->tab] == &stat_names;
    if (v->inside) {
        bool sampled = view_slices_sampled(v);
        /* the name, if it is not the same of all */
        choose(&s->table, 2, v->group.by > GROUP_BY_NAME_THREAD);
        choose_measured(&s->table, 3, 8, !sampled);
        choose_measured(&s->table, 9, 11, sampled);
    } else if (view_slices_named(v)) {
        const struct names_table *names =
            s->answer.shown ? &((const struct stat_names *)s->answer.shown)->table : NULL;
        uint32_t sampled = names ? names->sampled : 0;
        choose_measured(&s->table, 1, 12, sampled == 0 || sampled < names_table_rows(names));
        choose_measured(&s->table, 12, 15, sampled > 0);
        choose(&s->table, 15, sampled > 0 && names->off);
        if (sampled > 0 && sampled == names_table_rows(names))
            return;
        choose(&s->table, 2,
               s->answer.shown && ((struct stat_names *)s->answer.shown)->table.open > 0);
        choose(&s->table, 4, slices); /* share and self */
        choose(&s->table, 5, slices);
    }
}

/* "Frame over time, 115" and the raster below. */
static void draw_raster(struct slices_view *v, int y, int rows) {
    struct grid *g = &v->app->grid;
    char text[80], n[32];
    const struct slices_raster *shown =
        answer_is_complete(&v->raster) && !view_slices_sampled(v) ? v->raster.shown : NULL;
    if (rows < 3)
        return;
    if (shown)
        snprintf(text, sizeof text,
                 "lengths over time of %s %s; brighter is more; j/k another name, r table",
                 units_count(shown->raster.count, false, n),
                 view_slices_unit(v, shown->raster.count));
    else
        snprintf(text, sizeof text, "%s",
                 view_slices_sampled(v) ? "sampled: no durations" : "counting");
    grid_zcut(g, 1, y, text, style_look(ROLE_LABEL));
    if (shown)
        stat_raster_draw(v->app, &shown->raster, y + 1, rows - 1);
}

/* The range also leaves out rows, so it is named, too. */
static const char *no_match(const struct slices_view *v, const char *what,
                            char line[FILTER_FAULT]) {
    const char *range = range_any(session_range(v->app)) ? " in the range" : "";
    snprintf(line, FILTER_FAULT, "no %s matches the filter%s: & changes it%s", what, range,
             *range ? ", v drops the range" : "");
    return line;
}

static const char *why_no_slice(const struct slices_view *v, char line[FILTER_FAULT]) {
    bool fault = v->match && filter_match_fault(v->match, line);
    return fault ? line : no_match(v, "slice", line);
}

static const char *why_empty(const struct slices_view *v, const struct stat_shown *s,
                             char line[FILTER_FAULT]) {
    if (s->table.filter)
        return no_match(v, "row", line);
    if (v->filter && view_slices_named(v))
        return why_no_slice(v, line);
    return view_slices_tab(v)->none;
}

void view_slices_draw(struct view *view) {
    char fault[FILTER_FAULT];
    struct slices_view *v = view->state;
    struct app *app = v->app;
    struct view_area area = view_table_area(app);
    struct stat_shown *s = view_slices_shown(v);
    int pane = app->grid.rows < 16 || !(v->inside || view_slices_named(v)) ? 0 : area.rows / 3;
    draw_tabs(v, area.y);
    draw_heading(v, area.y + 1);
    choose_columns(v, s);
    if (v->rastered && (v->inside || view_slices_named(v)) && table_count(&s->table) > 0) {
        draw_raster(v, area.y + 2, area.rows - 2 - pane);
        s->table.rows = 1;           /* j and k go to the next name, whose raster is shown */
        s->table.y = app->grid.rows; /* it is not on the screen */
    } else {
        table_draw(&s->table, &app->grid, area.y + 2, area.rows - 2 - pane);
    }
    if (s->answer.done && table_count(&s->table) == 0)
        view_table_empty(&app->grid, area, why_empty(v, s, fault));
    if (pane > 0)
        draw_pane(v, area.y + area.rows - pane, pane);
    status(v);
}
