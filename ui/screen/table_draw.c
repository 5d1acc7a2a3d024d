/* table_draw.c - the columns of a table: cells, filters of them, rows as text; on the screen
 * widths, header, rows, silences.
 *
 * Columns without a text are left out, and those of greatest rank until the rest fits. Then columns
 * of less use give way to texts that say more; the others grow as far as their texts need. Texts
 * are those of the first screen of rows, so that few columns change in scrolling, and of the rows
 * shown. A row that is scrolled sideways too far is drawn again at its last possible
 * place. */
#include "ui/screen/table_internal.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "src/base/units.h"

#define GAP 2    /* columns between columns */
#define SWATCH 2 /* columns of a square of colour before a text */

const char *table_title(const struct table *t, int column) {
    const char *ascii = t->columns[column].ascii_title;
    return t->ascii && ascii ? ascii : t->source->relation->columns[column].title;
}

/* unit: of durations, in ns; 0: each has its own. */
static void get_cell(const struct table *t, struct relation_row row, int column, int64_t unit,
                     struct table_cell *cell) {
    const struct relation *relation = t->source->relation;
    cell->mark[0] = 0;
    cell->swatch = false;
    cell->role = ROLE_TEXT;
    relation_get(relation, t->ctx, row, column, &cell->value);
    if (unit > 0 && cell->value.type == RELATION_INTEGER)
        cell->text = str_of(units_duration_in(cell->value.integer, unit, t->ascii, cell->buf));
    else
        cell->text = relation_text(&relation->columns[column], &cell->value, t->ascii, cell->buf);
    if (t->source->format)
        t->source->format(t->ctx, row, column, cell);
}

void table_get_cell(const struct table *t, struct relation_row row, int column,
                    struct table_cell *cell) {
    get_cell(t, row, column, 0, cell);
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

static bool has_bar(const struct table *t, int column) {
    return t->source->bar > 0 && t->source->bar == column;
}

struct columns_layout {
    int width[TABLE_COLUMNS]; /* 0: the column is left out */
    int bar;                  /* of the column that has one; 0: there is no space for it */
    int need;                 /* their sum, with the gaps */
};

#define BAR_LEAST 6
#define BAR_WANTED 10
#define BAR_MOST 20
#define TEXT_WANTED 66 /* columns of a text with a limit: a name of 60 and a number */

static void leave_out(struct columns_layout *l, int column) {
    l->need -= l->width[column] + GAP;
    l->width[column] = 0;
}

/* The column that goes first, of those with this rank or a greater one; -1: none. */
static int last_in_rank(const struct table *t, const struct columns_layout *l, int least) {
    int worst = -1;
    for (int c = 0; c < t->ncolumns; c++)
        if (l->width[c] > 0 && t->columns[c].rank >= least && t->columns[c].width > 0 &&
            (worst < 0 || t->columns[c].rank >= t->columns[worst].rank))
            worst = c;
    return worst;
}

/* The width at which a column shows its texts whole. */
static int wanted(const struct table *t, int c) {
    const struct table_column *column = &t->columns[c];
    int most = column->most, want = t->widest[c];
    if (most > 0 && !column->right && column->rank < TABLE_GIVES && most < TEXT_WANTED)
        most = TEXT_WANTED;
    if (most > 0 && want > most)
        want = most;
    return want > column->width ? want : column->width;
}

/* The columns that texts of lesser rank lack, up to TEXT_WANTED each. */
static int lacking(const struct table *t, const struct columns_layout *l, int rank) {
    int n = 0;
    for (int c = 0; c < t->ncolumns; c++) {
        int want = wanted(t, c) < TEXT_WANTED ? wanted(t, c) : TEXT_WANTED;
        if (l->width[c] > 0 && !t->columns[c].right && t->columns[c].rank < rank &&
            want > l->width[c])
            n += want - l->width[c];
    }
    return n;
}

/* Columns give way to texts of lesser rank, never to their own. */
static void give_way(const struct table *t, struct columns_layout *l, int cols) {
    int worst = last_in_rank(t, l, TABLE_GIVES);
    while (worst >= 0) {
        int lack = lacking(t, l, t->columns[worst].rank);
        if (lack == 0 || l->need + lack <= cols)
            return;
        leave_out(l, worst);
        worst = last_in_rank(t, l, TABLE_GIVES);
    }
}

/* The columns that are left for a bar. */
static int spare_of(const struct columns_layout *l, int cols) {
    return cols - l->need - 2;
}

/* Bars of several rows are read sooner than numbers that give way to them; the column of the order
 * stays. */
static void make_bar(const struct table *t, struct columns_layout *l, int cols) {
    int least = t->source->bar_takes;
    bool wants = least > 0 && l->width[t->source->bar] > 0 && table_count(t) > 1;
    struct columns_layout without = *l;
    while (wants && spare_of(&without, cols) < BAR_WANTED) {
        int worst = last_in_rank(t, &without, least);
        if (worst < 0 || worst == t->sort || !t->columns[worst].right)
            break;
        leave_out(&without, worst);
    }
    if (wants && spare_of(&without, cols) >= BAR_LEAST)
        *l = without;
    if (spare_of(l, cols) >= BAR_LEAST)
        l->bar = spare_of(l, cols) < BAR_MOST ? spare_of(l, cols) : BAR_MOST;
}

/* Columns with ranks of [from, to) grow alike, as far as their texts need. */
static void grow(const struct table *t, struct columns_layout *l, int cols, int from, int to) {
    for (int hungry = 1; hungry > 0 && l->need < cols;) {
        hungry = 0;
        for (int c = 0; c < t->ncolumns && l->need < cols; c++) {
            int rank = t->columns[c].rank;
            if (rank < from || rank >= to || l->width[c] == 0 || l->width[c] >= wanted(t, c))
                continue;
            l->width[c]++;
            l->need++;
            hungry++;
        }
    }
}

static struct columns_layout columns_layout_of(const struct table *t, int cols) {
    struct columns_layout l = {.need = 1 - GAP};
    int shown = 0;
    bool drawn = table_count(t) > 0;
    for (int c = 0; c < t->ncolumns; c++) {
        if (drawn && t->widest[c] == 0 && t->sort != c && !t->source->asked)
            continue;
        l.width[c] = t->columns[c].width;
        l.need += l.width[c] > 0 ? l.width[c] + GAP : 0;
        shown += l.width[c] > 0;
    }
    for (; l.need > cols && shown > 1; shown--)
        leave_out(&l, last_in_rank(t, &l, 0));
    if (!t->source->asked)
        give_way(t, &l, cols);
    grow(t, &l, cols, 0, TABLE_GIVES);
    grow(t, &l, cols, TABLE_GIVES, INT_MAX);
    for (int c = 0; c < t->ncolumns && l.need > cols; c++) /* one column, on a narrow screen */
        if (l.width[c] > cols - 1)
            l.width[c] = cols > 1 ? cols - 1 : 1;
    make_bar(t, &l, cols);
    return l;
}

/* The place of the next column. */
static int next_x(const struct table *t, const struct columns_layout *l, int c, int x) {
    if (l->width[c] == 0)
        return x;
    return x + l->width[c] + GAP + (has_bar(t, c) && l->bar > 0 ? l->bar + 1 : 0);
}

static void draw_bar(const struct table *t, struct grid *g, struct grid_place place, int64_t value,
                     struct look look) {
    int width = place.right - place.x;
    double share = t->greatest > 0 ? (double)value / (double)t->greatest : 0;
    int eighths = (int)(share * width * 8 + 0.5);
    grid_fill(g, place.x, place.y, eighths / 8, g->ascii ? '#' : 0x2588, look);
    if (eighths % 8 > 0)
        grid_put(g, place.x + eighths / 8, place.y, grid_left(g, eighths % 8), look);
}

static void draw_cell(struct grid *g, struct grid_place place, bool right,
                      const struct table_cell *cell, struct look look) {
    if (cell->swatch && place.right - place.x > 4) {
        if (cell->color.fg != LOOK_DEFAULT)
            grid_put(g, place.x, place.y, g->ascii ? '#' : 0x25A0, cell->color);
        place.x += SWATCH;
    }
    int mark = cell->mark[0] ? (int)strlen(cell->mark) + 1 : 0, x = place.x, y = place.y,
        width = place.right - x;
    int n =
        (int)text_width(cell->text, TEXT_TRACK | (g->ascii ? TEXT_ASCII : 0), (size_t)width + 1);
    if (mark > width / 2 && mark + n > width)
        mark = 0;
    int room = width - mark;
    int at = right && n < room ? x + room - n : x;
    struct grid_place whole = {at, y, x + room};
    int end = right ? grid_text(g, whole, cell->text, look, TEXT_TRACK, true)
                    : grid_name(g, whole, cell->text, look, TEXT_TRACK);
    if (mark > 0) {
        struct look dim = look;
        if ((look.attr & ATTR_REVERSE) == 0)
            dim = style_look(ROLE_LABEL);
        grid_ztext(g, end + 1, y, place.right, cell->mark, dim);
    }
}

static void draw_header(struct table *t, struct grid *g, int y, const struct columns_layout *l) {
    const int *width = l->width;
    for (int c = 0, x = 1; c < t->ncolumns; x = next_x(t, l, c, x), c++) {
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
    }
}

int table_column_at(const struct table *t, int cols, int x) {
    const struct columns_layout l = columns_layout_of(t, cols);
    for (int c = 0, at = 1; c < t->ncolumns; c++) {
        int next = next_x(t, &l, c, at);
        if (l.width[c] > 0 && x < next - GAP) /* the gap before it is its own */
            return c;
        at = next;
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

#define TEXT_NOTED 200 /* columns that a column may need */
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

static void draw_row(struct table *t, struct grid *g, int y, uint32_t at,
                     const struct columns_layout *l) {
    const int *width = l->width;
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
    for (int c = 0, x = 1; c < t->ncolumns; x = next_x(t, l, c, x), c++) {
        if (width[c] == 0)
            continue;
        get_cell(t, row, c, t->unit[c], &cell);
        struct look look = style_look(cell.role);
        if (current)
            look = style_selected(style_look(ROLE_TEXT));
        bool cut = t->columns[c].most == 0 && shifted(t, g, width[c], &cell.text);
        draw_cell(g, (struct grid_place){x + cut, y, x + width[c]}, t->columns[c].right, &cell,
                  look);
        if (cut)
            grid_put(g, x, y, grid_glyph(g, GLYPH_ELLIPSIS), look);
        if (has_bar(t, c) && l->bar > 0 && cell.value.type != RELATION_NULL)
            draw_bar(t, g, (struct grid_place){x + width[c] + 1, y, x + width[c] + 1 + l->bar},
                     cell.value.integer,
                     current && style_depth() == COLOR_MONO ? look : style_look(ROLE_DENSITY));
    }
}

static void draw_lines(struct table *t, struct grid *g, int y, int rows,
                       const struct columns_layout *l) {
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
            draw_row(t, g, y + r, at, l);
    }
}

static void clear(struct grid *g, int y, int rows) {
    for (int r = 0; r < rows; r++)
        grid_fill(g, 0, y + r, g->cols, ' ', style_look(ROLE_TEXT));
}

/* Calls for each row of the first screen, and of those shown. */
static void each_row(struct table *t, void (*with)(struct table *, uint32_t)) {
    uint32_t n = table_count(t);
    bool silence;
    for (uint32_t r = 0; r < (uint32_t)t->rows && r < n; r++)
        with(t, r);
    for (uint64_t line = t->top; line < t->top + (uint64_t)t->rows && line < table_line_count(t);
         line++) {
        uint32_t at = table_position_on(t, line, &silence);
        if (!silence && at >= (uint32_t)t->rows)
            with(t, at);
    }
}

static bool is_duration(const struct table *t, int column) {
    enum relation_unit unit = t->source->relation->columns[column].unit;
    return t->columns[column].width > 0 && (unit == RELATION_DURATION || unit == RELATION_SUM);
}

/* Notes the least and the greatest duration of each column. */
static void compare_row(struct table *t, uint32_t at) {
    struct relation_row row;
    struct relation_value value;
    for (int c = 0; c < t->ncolumns && table_row(t, at, &row); c++) {
        if (!is_duration(t, c))
            continue;
        relation_get(t->source->relation, t->ctx, row, c, &value);
        int64_t ns = value.type == RELATION_INTEGER ? value.integer : 0;
        ns = ns == INT64_MIN ? INT64_MAX : ns;
        ns = ns < 0 ? -ns : ns;
        if (ns > 0 && (t->least[c] == 0 || ns < t->least[c]))
            t->least[c] = ns;
        t->unit[c] = ns > t->unit[c] ? ns : t->unit[c];
    }
}

/* One unit for the durations of a column, if it suits them all. */
static void find_units(struct table *t) {
    memset(t->least, 0, sizeof t->least);
    memset(t->unit, 0, sizeof t->unit);
    each_row(t, compare_row);
    for (int c = 0; c < t->ncolumns; c++)
        t->unit[c] = t->least[c] > 0 ? units_shared(t->least[c], t->unit[c]) : 0;
}

/* Notes how wide the texts of a row are, and how great the integer of a bar. */
static void measure_row(struct table *t, uint32_t at) {
    unsigned flags = TEXT_TRACK | (t->ascii ? TEXT_ASCII : 0);
    struct relation_row row;
    struct table_cell cell;
    for (int c = 0; c < t->ncolumns && table_row(t, at, &row); c++) {
        if (t->columns[c].width == 0)
            continue;
        get_cell(t, row, c, t->unit[c], &cell);
        int n = (int)text_width(cell.text, flags, TEXT_NOTED);
        if (n > 0 && cell.swatch)
            n += SWATCH;
        if (cell.mark[0])
            n += 1 + (int)strlen(cell.mark);
        if (n > t->widest[c])
            t->widest[c] = n;
        if (has_bar(t, c) && cell.value.type != RELATION_NULL && cell.value.integer > t->greatest)
            t->greatest = cell.value.integer;
    }
}

static void measure(struct table *t) {
    find_units(t);
    memset(t->widest, 0, sizeof t->widest);
    t->greatest = 0;
    each_row(t, measure_row);
}

void table_draw(struct table *t, struct grid *g, int y, int rows) {
    if (rows < 1)
        return;
    t->ascii = g->ascii;
    t->y = y + 1;
    t->rows = rows - 1;
    table_clamp(t);
    measure(t);
    const struct columns_layout l = columns_layout_of(t, g->cols);
    draw_header(t, g, y, &l);
    draw_lines(t, g, y, rows, &l);
    /* scrolled too far: draw again at the last possible place */
    if (t->shift > 0 && t->hidden < 0) {
        t->shift = t->shift + t->hidden > 0 ? t->shift + t->hidden : 0;
        clear(g, y + 1, rows - 1);
        draw_lines(t, g, y, rows, &l);
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
