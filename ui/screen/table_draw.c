/* table_draw.c - the columns of a table: cells, filters of them, rows as text; on the screen
 * widths, header, rows, silences.
 *
 * Columns get at least their width; the ones of greatest rank are left out until the rest fits,
 * then the others grow. A row that is scrolled sideways too far is drawn again at its last possible
 * place. */
#include "ui/screen/table_internal.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "src/base/units.h"

#define GAP 2 /* columns between columns */

const char *table_title(const struct table *t, int column) {
    const char *ascii = t->columns[column].ascii_title;
    return t->ascii && ascii ? ascii : t->source->relation->columns[column].title;
}

void table_get_cell(const struct table *t, struct relation_row row, int column,
                    struct table_cell *cell) {
    const struct relation *relation = t->source->relation;
    cell->mark[0] = 0;
    cell->role = ROLE_TEXT;
    relation_get(relation, t->ctx, row, column, &cell->value);
    cell->text = relation_text(&relation->columns[column], &cell->value, t->ascii, cell->buf);
    if (t->source->format)
        t->source->format(t->ctx, row, column, cell);
}

struct filter *table_filter_new(const struct table *t, const char *text, struct err *err) {
    struct filter_column columns[TABLE_COLUMNS];
    const struct relation *relation = t->source->relation;
    int n = relation->ncolumns < TABLE_COLUMNS ? relation->ncolumns : TABLE_COLUMNS;
    for (int c = 0; c < n; c++) {
        const struct relation_column *column = &relation->columns[c];
        bool number = column->type != RELATION_TEXT && column->unit != RELATION_BOOLEAN;
        bool time = column->unit == RELATION_TIME || column->unit == RELATION_DURATION ||
                    column->unit == RELATION_SUM;
        columns[c] = (struct filter_column){column->name, column->title, FILTER_IS_TEXT};
        if (number)
            columns[c].measure = time ? FILTER_IS_TIME : FILTER_IS_NUMBER;
    }
    return filter_new_rows(text, columns, n, err);
}

/* Widths of the columns, 0 for those that do not fit. Returns their sum. */
static void widths_of(const struct table *t, int cols, int width[TABLE_COLUMNS]) {
    int shown = 0, need = 1 - GAP;
    for (int c = 0; c < t->ncolumns; c++) {
        width[c] = t->columns[c].width;
        need += width[c] > 0 ? width[c] + GAP : 0;
        shown += width[c] > 0;
    }
    while (need > cols && shown > 1) {
        int worst = -1;
        for (int c = 0; c < t->ncolumns; c++)
            if (width[c] > 0 && (worst < 0 || t->columns[c].rank >= t->columns[worst].rank))
                worst = c;
        assert(worst >= 0); /* more than one is shown */
        need -= width[worst] + GAP;
        width[worst] = 0;
        shown--;
    }
    for (int hungry = 1; hungry > 0 && need < cols;) { /* the unlimited ones grow faster */
        hungry = 0;
        for (int c = 0; c < t->ncolumns; c++) {
            int most = t->columns[c].most, more = most == 0 ? 3 : most > width[c];
            more = more < cols - need ? more : cols - need;
            if (width[c] == 0 || more <= 0)
                continue;
            width[c] += more;
            need += more;
            hungry++;
        }
    }
    if (need > cols) /* one column, on a narrow screen */
        for (int c = 0; c < t->ncolumns; c++)
            if (width[c] > cols - 1)
                width[c] = cols > 1 ? cols - 1 : 1;
}

static void draw_cell(struct grid *g, struct grid_place place, bool right,
                      const struct table_cell *cell, struct look look) {
    int mark = cell->mark[0] ? (int)strlen(cell->mark) + 1 : 0, x = place.x, y = place.y,
        width = place.right - x;
    if (mark > width / 2)
        mark = 0;
    int room = width - mark,
        n = (int)text_width(cell->text, TEXT_TRACK | (g->ascii ? TEXT_ASCII : 0), (size_t)room + 1);
    int at = right && n < room ? x + room - n : x;
    int end =
        grid_text(g, (struct grid_place){at, y, x + room}, cell->text, look, TEXT_TRACK, true);
    if (mark > 0) {
        struct look dim = look;
        if ((look.attr & ATTR_REVERSE) == 0)
            dim = style_look(ROLE_LABEL);
        grid_ztext(g, end + 1, y, place.right, cell->mark, dim);
    }
}

static void draw_header(struct table *t, struct grid *g, int y, const int *width) {
    for (int c = 0, x = 1; c < t->ncolumns; c++) {
        if (width[c] == 0)
            continue;
        const struct table_column *column = &t->columns[c];
        const char *title = table_title(t, c);
        int n = (int)strlen(title), sorted = t->sort == c;
        int at = column->right && n < width[c] ? x + width[c] - n : x;
        struct look mine = sorted ? style_look(ROLE_TAB_CURRENT) : style_look(ROLE_LABEL);
        grid_ztext(g, at, y, x + width[c], title, mine);
        if (sorted)
            grid_put(g, column->right ? at - 1 : at + n, y,
                     grid_glyph(g, table_ascends(t) ? GLYPH_UP : GLYPH_DOWN), mine);
        x += width[c] + GAP;
    }
}

int table_column_at(const struct table *t, int cols, int x) {
    int width[TABLE_COLUMNS];
    widths_of(t, cols, width);
    for (int c = 0, at = 1; c < t->ncolumns; c++) {
        if (width[c] > 0 && x < at + width[c]) /* the gap before it is its own */
            return c;
        at += width[c] > 0 ? width[c] + GAP : 0;
    }
    return -1;
}

static void draw_silence(struct table *t, struct grid *g, int y, uint32_t at) {
    struct relation_row row;
    char dur[32], text[64];
    if (!table_row(t, at, &row) || row.before == RELATION_NO_ROW)
        return;
    const char *dots = g->ascii ? ". . ." : "· · ·";
    snprintf(text, sizeof text, "%s  %s of silence  %s", dots,
             units_duration(t->source->gap(t->ctx, row), g->ascii, dur), dots);
    int n = (int)text_width(str_of(text), 0, sizeof text), x = (g->cols - n) / 3;
    grid_ztext(g, x > 1 ? x : 1, y, g->cols, text, style_look(ROLE_DIM));
}

#define TEXT_MOST 4096 /* columns of a text that can be scrolled to */

/* Scrolls a text sideways; true: its begin is hidden. */
static bool shifted(struct table *t, const struct grid *g, int width, struct str *text) {
    unsigned flags = TEXT_TRACK | (g->ascii ? TEXT_ASCII : 0);
    int n = (int)text_width(*text, flags, TEXT_MOST), hidden = n - t->shift - width;
    t->hidden = hidden > t->hidden ? hidden : t->hidden;
    if (t->shift == 0 || n == 0)
        return false;
    *text = text_skip(*text, flags, (size_t)t->shift + 1);
    return true;
}

static void draw_row(struct table *t, struct grid *g, int y, uint32_t at, const int *width) {
    struct relation_row row;
    struct table_cell cell;
    bool current = at == t->at;
    if (!table_row(t, at, &row))
        return;
    if (current) {
        grid_fill(g, 0, y, g->cols, ' ', style_selected(style_look(ROLE_TEXT)));
        grid_put(g, 0, y, '>', style_selected(style_look(ROLE_TEXT)));
        grid_here(g, 0, y);
    }
    for (int c = 0, x = 1; c < t->ncolumns; c++) {
        if (width[c] == 0)
            continue;
        table_get_cell(t, row, c, &cell);
        struct look look = style_look(cell.role);
        if (current)
            look = style_selected(style_look(ROLE_TEXT));
        bool cut = t->columns[c].most == 0 && shifted(t, g, width[c], &cell.text);
        draw_cell(g, (struct grid_place){x + cut, y, x + width[c]}, t->columns[c].right, &cell,
                  look);
        if (cut)
            grid_put(g, x, y, grid_glyph(g, GLYPH_ELLIPSIS), look);
        x += width[c] + GAP;
    }
}

static void draw_lines(struct table *t, struct grid *g, int y, int rows, const int *width) {
    t->hidden = -TEXT_MOST;
    for (int r = 1; r < rows; r++) {
        uint64_t line = t->top + (uint64_t)r - 1;
        bool silence;
        if (line >= table_line_count(t))
            break;
        uint32_t at = table_position_on(t, line, &silence);
        if (silence)
            draw_silence(t, g, y + r, at);
        else
            draw_row(t, g, y + r, at, width);
    }
}

void table_draw(struct table *t, struct grid *g, int y, int rows) {
    int width[TABLE_COLUMNS];
    if (rows < 1)
        return;
    t->ascii = g->ascii;
    t->y = y + 1;
    t->rows = rows - 1;
    table_clamp(t);
    widths_of(t, g->cols, width);
    draw_header(t, g, y, width);
    draw_lines(t, g, y, rows, width);
    /* scrolled too far: draw again at the last possible place */
    if (t->shift > 0 && t->hidden < 0) {
        t->shift = t->shift + t->hidden > 0 ? t->shift + t->hidden : 0;
        for (int r = 1; r < rows; r++)
            grid_fill(g, 0, y + r, g->cols, ' ', style_look(ROLE_TEXT));
        draw_lines(t, g, y, rows, width);
    }
}

/* ---- CSV ---- */

static bool csv_row(void *ctx, uint64_t at, struct relation_row *row) {
    return table_row(ctx, (uint32_t)at, row);
}

void table_csv(const struct table *t, FILE *out, int64_t origin) {
    struct table table = *t; /* a context is not const */
    struct relation_order order = {table_count(t), csv_row, &table};
    relation_csv(t->source->relation, t->ctx, out, &order, origin);
}

/* ---- as text: cells as they are shown, whole, with tabs between them ---- */

#define CELL_MOST 4096 /* bytes of a cell */

static void add_cell(struct chars *out, struct str text, bool first) {
    char safe[CELL_MOST];
    if (!first)
        chars_add(out, STR("\t"));
    text_plain(safe, sizeof safe, text, TEXT_TRACK);
    chars_add(out, str_of(safe));
}

void table_copy_titles(const struct table *t, struct chars *out) {
    for (int c = 0; c < t->ncolumns; c++)
        add_cell(out, str_of(table_title(t, c)), c == 0);
    chars_add(out, STR("\n"));
}

void table_copy_row(struct table *t, uint32_t at, struct chars *out) {
    struct relation_row row;
    struct table_cell cell;
    if (!table_row(t, at, &row))
        return;
    for (int c = 0; c < t->ncolumns; c++) {
        table_get_cell(t, row, c, &cell);
        add_cell(out, cell.text, c == 0);
    }
    chars_add(out, STR("\n"));
}
