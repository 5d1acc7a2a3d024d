/* compared.c - the columns of a comparison on the screen. */
#include "ui/views/stat/traces/compared.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/base/time/sum.h"
#include "src/base/units.h"
#include "ui/views/view.h"

const struct relation_column compared_relation_columns[COMPARED_PROCESS] = {
    [COMPARED_NAME] = {"name", "name", RELATION_TEXT, RELATION_NONE, false},
    [COMPARED_KIND] = {"kind", "kind", RELATION_TEXT, RELATION_NONE, false},
    [COMPARED_COUNT_A] = {"count_a", "count A", RELATION_INTEGER, RELATION_COUNT, false},
    [COMPARED_COUNT_B] = {"count_b", "count B", RELATION_INTEGER, RELATION_COUNT, false},
    [COMPARED_RATE_A] = {"per_s_a", "A per s", RELATION_REAL, RELATION_NONE, false},
    [COMPARED_RATE_B] = {"per_s_b", "B per s", RELATION_REAL, RELATION_NONE, false},
    [COMPARED_RATE_BY] = {"per_s_change", "± per s", RELATION_REAL, RELATION_NONE, false},
    [COMPARED_TOTAL_A] = {"total_a_ns", "total A", RELATION_INTEGER, RELATION_SUM, false},
    [COMPARED_TOTAL_B] = {"total_b_ns", "total B", RELATION_INTEGER, RELATION_SUM, false},
    [COMPARED_TOTAL_BY] = {"total_change", "± total", RELATION_REAL, RELATION_NONE, false},
    [COMPARED_P50_A] = {"p50_a_ns", "p50 A", RELATION_INTEGER, RELATION_DURATION, false},
    [COMPARED_P50_B] = {"p50_b_ns", "p50 B", RELATION_INTEGER, RELATION_DURATION, false},
    [COMPARED_P50_BY] = {"p50_change", "± p50", RELATION_REAL, RELATION_NONE, false},
    [COMPARED_P99_A] = {"p99_a_ns", "p99 A", RELATION_INTEGER, RELATION_DURATION, false},
    [COMPARED_P99_B] = {"p99_b_ns", "p99 B", RELATION_INTEGER, RELATION_DURATION, false},
    [COMPARED_P99_BY] = {"p99_change", "± p99", RELATION_REAL, RELATION_NONE, false},
    [COMPARED_P] = {"p", "p", RELATION_REAL, RELATION_NONE, false},
    [COMPARED_VERDICT] = {"verdict", "verdict", RELATION_TEXT, RELATION_NONE, false},
    [COMPARED_CONTAINS] = {"contains", "contains", RELATION_TEXT, RELATION_NONE, false},
};

const struct table_column compared_columns[COMPARED_PROCESS] = {
    [COMPARED_NAME] = {NULL, 16, 0, 0, false, false},
    [COMPARED_KIND] = {NULL, 5, 7, 15, false, false},
    [COMPARED_COUNT_A] = {NULL, 7, 9, 10, true, true},
    [COMPARED_COUNT_B] = {NULL, 7, 9, 9, true, true},
    [COMPARED_RATE_A] = {NULL, 7, 9, 18, true, true},
    [COMPARED_RATE_B] = {NULL, 7, 9, 17, true, true},
    [COMPARED_RATE_BY] = {"+-per s", 7, 8, 6, true, true},
    [COMPARED_TOTAL_A] = {NULL, 9, 9, 8, true, true},
    [COMPARED_TOTAL_B] = {NULL, 9, 9, 7, true, true},
    [COMPARED_TOTAL_BY] = {"+-total", 9, 10, 1, true, true},
    [COMPARED_P50_A] = {NULL, 9, 9, 12, true, true},
    [COMPARED_P50_B] = {NULL, 9, 9, 11, true, true},
    [COMPARED_P50_BY] = {"+-p50", 7, 8, 3, true, true},
    [COMPARED_P99_A] = {NULL, 9, 9, 14, true, true},
    [COMPARED_P99_B] = {NULL, 9, 9, 13, true, true},
    [COMPARED_P99_BY] = {"+-p99", 7, 8, 4, true, true},
    [COMPARED_P] = {NULL, 8, 8, 16, true, true},
    [COMPARED_VERDICT] = {NULL, 13, 13, 2, false, true},
    [COMPARED_CONTAINS] = {NULL, 10, 20, 5, false, false},
};

/* The change of the total, also of a name that one side alone has; false: it has no length. */
static bool total_by(const struct between_row *row, double *by) {
    *by = between_by(row, BETWEEN_TOTAL);
    return row->like->kind != SLICE_ITER_INSTANTS;
}

static void format_change(const struct between *b, const struct between_row *row, int column,
                          struct table_cell *cell) {
    bool duration = column == COMPARED_P50_BY || column == COMPARED_P99_BY;
    bool more = cell->value.real >= b->threshold && duration;
    between_relation_get(b, (uint64_t)(row - b->v.v), (enum between_column)column, true,
                         &cell->value);
    cell->text = cell->value.text;
    cell->role = more ? ROLE_WARN : cell->role;
}

void compared_format(const struct between *b, const struct between_row *row, int column, bool ascii,
                     struct table_cell *cell) {
    char ns[32];
    double by;
    if (column == COMPARED_VERDICT) {
        between_relation_get(b, (uint64_t)(row - b->v.v), COMPARED_VERDICT, true, &cell->value);
        cell->text = cell->value.text;
        cell->role = row->verdict == BETWEEN_SLOWER ? ROLE_WARN : ROLE_TEXT;
    } else if (column == COMPARED_TOTAL_BY && total_by(row, &by)) {
        units_duration_short(sum_clamped(round(fabs(by))), ascii, ns);
        snprintf(cell->buf, sizeof cell->buf, "%s%s", by < 0 ? "-" : "+", ns);
        cell->text = str_of(cell->buf);
    } else if (cell->value.type == RELATION_NULL && column != COMPARED_CONTAINS) {
        cell->text = STR("-");
    } else if (cell->value.type == RELATION_REAL) {
        format_change(b, row, column, cell);
    }
}

int64_t compared_key(const struct between *b, const struct between_row *row, int column) {
    struct relation_value value = {.type = RELATION_NULL};
    double by;
    if (column == COMPARED_VERDICT)
        return row->verdict;
    if (column == COMPARED_TOTAL_BY && total_by(row, &by))
        return sum_clamped(fabs(by));
    between_relation_get(b, (uint64_t)(row - b->v.v), (enum between_column)column, false, &value);
    if (value.type == RELATION_INTEGER)
        return value.integer;
    if (value.type != RELATION_REAL)
        return INT64_MIN;
    if (column == COMPARED_RATE_A || column == COMPARED_RATE_B)
        return value.real < 9e12 ? (int64_t)(value.real * 1e6) : INT64_MAX;
    double size = column == COMPARED_P ? 1 - value.real : fabs(value.real);
    return size < 9e6 ? (int64_t)(size * 1e12) : INT64_MAX;
}

bool compared_in_tab(const struct between_row *row, enum compared_tab tab) {
    if (tab == COMPARED_CHANGED)
        return between_changed(row);
    return tab == COMPARED_ALL || !row->has[tab == COMPARED_ONLY_A ? BETWEEN_B : BETWEEN_A];
}

void compared_count(struct compared_tabs *tabs, const struct between *b) {
    memset(tabs->rows, 0, sizeof tabs->rows);
    for (size_t i = 0; b && i < b->v.n; i++)
        for (int tab = 0; tab < COMPARED_TABS; tab++)
            tabs->rows[tab] += compared_in_tab(&b->v.v[i], (enum compared_tab)tab);
}

int compared_draw_tabs(struct grid *g, const struct compared_tabs *tabs, bool known, int y) {
    static const char *const titles[COMPARED_TABS] = {"changed", "all", "only A", "only B"};
    char text[96], n[32];
    int x = view_rule(g, y);
    for (int tab = 0; tab < COMPARED_TABS; tab++) {
        bool current = (enum compared_tab)tab == tabs->current;
        snprintf(text, sizeof text, "%s%s%s", titles[tab], known ? " " : "",
                 known ? units_count(tabs->rows[tab], false, n) : "");
        x = view_label(g, x, y, str_of(text), current ? ROLE_TAB_CURRENT : ROLE_TAB) + 1;
    }
    return x;
}

void compared_status(const struct between *b, char *text, size_t size) {
    char names[32];
    size_t n = 0;
    for (int verdict = BETWEEN_VERDICTS - 1; verdict > BETWEEN_FEW; verdict--)
        if (b->counts[verdict] > 0 && n < size)
            n += (size_t)snprintf(text + n, size - n, "%s%zu %s", n > 0 ? "  " : "",
                                  b->counts[verdict], between_word((enum between_verdict)verdict));
    if (n < size)
        snprintf(text + n, size - n, "%s of %s name%s", n > 0 ? "" : "0 changed",
                 units_count(b->v.n, false, names), b->v.n == 1 ? "" : "s");
}

const char *compared_none(const struct between *b, bool changed, char buf[160]) {
    size_t few = b->counts[BETWEEN_FEW];
    if (!changed)
        snprintf(buf, 160, "no name here: Tab goes to the next tab");
    else if (few > 0)
        snprintf(buf, 160, "nothing changed for sure, %zu with too few slices: Tab shows all names",
                 few);
    else
        snprintf(buf, 160, "nothing changed: Tab shows all names");
    return buf;
}

/* A profiler's samples are no durations: --compare refuses them. */
static bool has_samples(const struct between *between) {
    for (int side = 0; side < BETWEEN_SIDES; side++)
        for (size_t i = 0; i < between->runs[side].n; i++)
            if (between->runs[side].v[i].sampled)
                return true;
    return false;
}

const char *compared_note(const struct between *between, bool ascii,
                          char buf[SLICE_ITER_OPEN_TEXT]) {
    const char *note = between_left_out(between, buf);
    if (note == NULL)
        note = between_unsure(between, ascii, buf);
    if (note)
        return note;
    note = between_lengths(between);
    if (!has_samples(between))
        return note;
    snprintf(buf, SLICE_ITER_OPEN_TEXT, "times of samples are estimates%s%s", note ? "; " : "",
             note ? note : "");
    return buf;
}

void compared_rule(struct app *app, const struct between *b, const struct between_row *row, int y) {
    struct chars reason = {.v = NULL};
    int x = view_rule(&app->grid, y);
    between_relation_reason(b, row, app->grid.ascii, &reason);
    view_label(&app->grid, x, y, (struct str){reason.v, reason.n}, ROLE_HEADER);
    vec_free(&reason);
}
